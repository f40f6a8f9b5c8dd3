"""Documents in reStructuredText, by docutils, and in TeX, by pandoc: nothing is included, fetched
or run."""

import re
import shutil
from pathlib import Path
from typing import Any, Final

from decklab.core.errors import DeckError, LimitExceeded, TruncatedDeck, Unavailable
from decklab.core.programs import output_of
from decklab.documents.bylines import stated_byline
from decklab.documents.drafting import DocumentDraft
from decklab.documents.extras import needed
from decklab.documents.html.reader import html_byline, read_html_part
from decklab.documents.html.tree import html_tree, node_words
from decklab.documents.model import Document

MAX_RST_CHARACTERS: Final = 2_000_000
"""Ours: docutils takes about a minute for as many."""
_SETTINGS: Final = {
    "file_insertion_enabled": False,
    "raw_enabled": False,
    "_disable_config": True,
    "report_level": 2,
    "halt_level": 5,
    "warning_stream": False,
    "math_output": "LaTeX",
    "embed_stylesheet": False,
    "stylesheet_path": "",
    "toc_backlinks": False,
    "initial_header_level": 2,
    "line_length_limit": MAX_RST_CHARACTERS,
    "smart_quotes": False,
}
_ROLE = re.compile(
    r":(?!(?:math|code|sup|sub|emphasis|strong|literal|title|raw|superscript|subscript):)"
    r"[\w:.+-]{1,40}:`(?:[~!])?((?:[^`<\n]|\n(?!\s*\n)){1,200}?)(?:\s*<[^>`\n]{1,200}>)?`"
)
"""A role that docutils does not know, such as Sphinx's, and its words."""
_NOTES: Final = re.compile(
    r"^(?P<indent>[ \t]*)\.\. (?P<kind>seealso|versionadded|versionchanged|deprecated|todo|rubric|"
    r"centered|only|hlist|glossary)::[ \t]*(?P<rest>.*)$",
    re.MULTILINE,
)
"""Directives of Sphinx whose contents are text."""


def read_rst(path: Path, name: str, text: str) -> Document:
    """A document in reStructuredText, with title, author and date of its field list.

    Roles that only Sphinx knows are read as their words; directives that docutils does not know,
    and files that would be included, are listed as unread. Raises Unavailable without
    ``decklab[write]``, LimitExceeded above ``MAX_RST_CHARACTERS`` or if it is nested too deep.
    """
    core = needed("docutils.core", "reading reStructuredText")
    if len(text) > MAX_RST_CHARACTERS:
        detail = f"{len(text):,} characters; at most {MAX_RST_CHARACTERS:,} of reStructuredText"
        raise LimitExceeded(path, detail)
    draft = DocumentDraft(path, name, "rst")
    source = _NOTES.sub(r"\g<indent>.. container:: \g<kind>\n\n\g<indent>   \g<rest>", text)
    source = _ROLE.sub(r"\1", source)
    try:
        tree = core.publish_doctree(source, settings_overrides=_SETTINGS)
        authors, date = _stated(tree)
        _list_faults(draft, tree)
        page = core.publish_from_doctree(
            tree, writer="html5", settings_overrides={**_SETTINGS, "output_encoding": "unicode"}
        )
    except RecursionError:
        raise LimitExceeded(path, "its parts are too deep inside each other") from None
    title = str(tree.get("title", ""))
    body = page.partition("<body")[2].partition(">")[2]
    read_html_part(draft, re.sub(r"\\\((.*?)\\\)", r"\1", body))
    return draft.finish(title=title, byline=stated_byline(authors, date))


def _stated(tree: Any) -> tuple[list[str], str]:
    """Authors and date of the field list below the title, which is taken out of the tree."""
    nodes = needed("docutils.nodes", "reading reStructuredText")
    authors: list[str] = []
    date = ""
    for info in list(tree.findall(nodes.docinfo)):
        authors += [node.astext() for node in info.findall(nodes.author)]
        date = date or next((node.astext() for node in info.findall(nodes.date)), "")
        info.parent.remove(info)
    return authors, date


def _list_faults(draft: DocumentDraft, tree: Any) -> None:
    """List what docutils could not read, and take its messages out of the text."""
    nodes = needed("docutils.nodes", "reading reStructuredText")
    for message in list(tree.findall(nodes.system_message)):
        line = f"line {message['line']}: " if "line" in message else ""
        words = next((child.astext() for child in message.children), "damaged")
        if message["level"] > 1:
            draft.refuse(f"{line}{words}"[:200])
        message.parent.remove(message)


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
