"""Markdown documents (CommonMark with tables), by markdown-it-py, and plain text."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from decklab.documents.drafting import DocumentDraft
from decklab.documents.extras import needed
from decklab.documents.model import Document


def read_markdown(path: Path, name: str, text: str) -> Document:
    """A Markdown document; front matter between ``---`` lines is left out.

    Pictures are read from files beside it and below; those of the web and elsewhere are told as
    unread. Raises Unavailable without ``decklab[write]``.
    """
    parser = needed("markdown_it", "reading Markdown").MarkdownIt("commonmark").enable("table")
    draft = DocumentDraft(path, name, "markdown")
    body = re.sub(r"\A---\r?\n.*?\r?\n---\r?\n", "", text, count=1, flags=re.DOTALL)
    tokens = parser.parse(body)
    depth, place, marker = 0, 0, ""
    while place < len(tokens):
        token = tokens[place]
        depth += {"list_item_open": 1, "list_item_close": -1}.get(token.type, 0)
        if token.type == "list_item_open":
            marker = f"{token.info}. " if token.info else ""
        if token.type == "table_open":
            place = _table(draft, tokens, place)
        elif token.type in {"fence", "code_block"}:
            draft.add("code", token.content)
        elif token.type == "inline":
            _inline(draft, token, tokens[place - 1], depth, marker)
            marker = ""
        place += 1
    return draft.finish()


def _inline(draft: DocumentDraft, token: Any, around: Any, depth: int, marker: str) -> None:
    """The words of a paragraph, heading or list item; pictures in it follow them.

    Items of numbered lists begin with their number, the ``marker``.
    """
    text = inline_text(token)
    if around.type == "heading_open":
        draft.add("heading", text, int(around.tag[1:]))
    elif depth:
        draft.add("item", marker + text, depth)
    else:
        draft.add("paragraph", text)
    for child in token.children or ():
        if child.type == "image":
            add_local_picture(draft, str(child.attrs.get("src", "")), child.content)


def inline_text(token: Any) -> str:
    """The words of an inline token, without markup, pictures and HTML."""
    parts = []
    for child in token.children or ():
        if child.type in {"text", "code_inline"}:
            parts.append(child.content)
        elif child.type in {"softbreak", "hardbreak"}:
            parts.append(" ")
    return "".join(parts)


def _table(draft: DocumentDraft, tokens: Sequence[Any], start: int) -> int:
    """Reads the table that begins at a token; returns where it ends."""
    rows: list[list[str]] = []
    place = start
    while tokens[place].type != "table_close":
        if tokens[place].type == "tr_open":
            rows.append([])
        elif tokens[place].type == "inline":
            rows[-1].append(inline_text(tokens[place]))
        place += 1
    draft.add_table(rows, header_rows=1)
    return place


def add_local_picture(draft: DocumentDraft, source: str, words: str) -> None:
    """A picture that a document names, if it is a file in the document's folder or below."""
    address = urlsplit(source)
    if address.scheme or address.netloc:
        draft.refuse(f"the picture {source[:80]} is not in a file beside it; nothing is fetched")
        return
    folder = draft.path.resolve().parent
    try:
        file = (folder / unquote(address.path)).resolve()
        if not file.is_relative_to(folder):
            draft.refuse(f"the picture {source[:80]} is outside the document's folder")
            return
        data = file.read_bytes()
    except (OSError, ValueError):
        draft.refuse(f"the picture {source[:80]} is not there")
        return
    draft.add_figure(data, caption=words)


def read_plain_text(path: Path, name: str, text: str) -> Document:
    """A plain text: paragraphs are parted by empty lines."""
    draft = DocumentDraft(path, name, "text")
    for paragraph in re.split(r"\n\s*\n", text):
        draft.add("paragraph", paragraph)
    return draft.finish()
