"""Documents in LaTeX, by pandoc if it is installed: nothing is typeset or run."""

import re
import shutil
from pathlib import Path
from typing import Final

from decklab.core.errors import DeckError, TruncatedDeck, Unavailable
from decklab.core.programs import output_of
from decklab.documents.drafting import DocumentDraft
from decklab.documents.html.reader import html_byline, read_html_part
from decklab.documents.html.tree import html_tree, node_words
from decklab.documents.model import Document

_SECONDS: Final = 60.0
"""Ours: a book of 300 pages takes three."""
_COMMAND: Final = (
    *("pandoc", "+RTS", "-M1G", "-RTS", "--sandbox", "--from=latex", "--to=html5", "--standalone"),
    *("--shift-heading-level-by=1", "--wrap=none"),
)
"""In its sandbox pandoc opens no file and no address that the text names."""
_WARNING = re.compile(r"\[WARNING\] (.*)")
_NEEDED: Final = (
    "reading LaTeX needs pandoc (2.15 or later, apt install pandoc); "
    "or save the document as PDF and read that"
)


def read_tex(path: Path, name: str, text: str) -> Document:
    """A LaTeX document: what pandoc reads of it, with title, author and date.

    Files that it would include are listed as unread, as is what pandoc warns of. Raises Unavailable
    without pandoc, TruncatedDeck if pandoc cannot read it, DeckError if it takes too long.
    """
    if shutil.which("pandoc") is None:
        raise Unavailable(f"{path}: {_NEEDED}")
    source = re.sub(r"(?m)^[ \t]*\\appendix\b", r"\\section{Appendix}", text)
    done = output_of(_COMMAND, _SECONDS, given=source.encode("utf-8", "replace"))
    if done is None:
        raise DeckError(path, f"pandoc took more than {_SECONDS:g} seconds")
    told = done.stderr.decode("utf-8", "replace")
    if done.returncode:
        if "--sandbox" in told:
            raise Unavailable(f"{path}: {_NEEDED}")
        reason = next((line for line in told.splitlines() if line.strip()), "it ended")
        raise TruncatedDeck(path, f"pandoc cannot read it: {reason[:160]}")
    draft = DocumentDraft(path, name, "tex")
    page = done.stdout.decode("utf-8", "replace")
    root = html_tree(page)
    read_html_part(draft, _with_headings(page.partition("<body>")[2]))
    for warning in dict.fromkeys(_WARNING.findall(told)):
        draft.refuse(f"pandoc: {warning[:160]}")
    title = next((node_words(node) for node in root.all("title")), "")
    return draft.finish(title="" if title == "-" else title, byline=html_byline(root))


def _with_headings(body: str) -> str:
    """Pandoc's page with headings over abstract and literature, and without empty citations."""
    named = re.sub(
        r'<div class="abstract-title">(.*?)</div>',
        lambda match: f"<h2>{match[1] or 'Abstract'}</h2>",  # in its sandbox pandoc has no word
        body,
    )
    shown = r'<span\s+class="math display">(.*?)</span>'
    named = re.sub(shown, r"</p><pre>\1</pre><p>", named, flags=re.DOTALL)
    named = re.sub(r'\s*<span\s+class="citation"[^>]*>\s*</span>', "", named)
    return re.sub(
        r'(<div class="thebibliography">)(?:\s*<p><span>\w*</span>)?',
        r"<h2>References</h2>\1<p>",
        named,
    )
