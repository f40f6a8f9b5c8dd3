"""Markdown documents (CommonMark with tables), by markdown-it-py."""

import re
from pathlib import Path

from decklab.documents.drafting import DocumentDraft
from decklab.documents.extras import needed
from decklab.documents.html.reader import read_html_part
from decklab.documents.model import Document

_MOST_DEPTH = 100  # ours: lists and quotations inside each other; deeper ones are left out


def read_markdown(path: Path, name: str, text: str) -> Document:
    """A Markdown document; front matter between ``---`` lines is left out.

    It is read as the HTML that it stands for, with the HTML that it holds. Items of numbered lists
    begin with their numbers. Pictures are read from files beside it and below; those of the web
    and elsewhere are told as unread. Raises Unavailable without ``decklab[write]``.
    """
    library = needed("markdown_it", "reading Markdown")
    parser = library.MarkdownIt("commonmark", {"maxNesting": _MOST_DEPTH}).enable("table")
    draft = DocumentDraft(path, name, "markdown")
    body = re.sub(r"\A---\r?\n.*?\r?\n---\r?\n", "", text, count=1, flags=re.DOTALL)
    read_html_part(draft, parser.render(body))
    return draft.finish()
