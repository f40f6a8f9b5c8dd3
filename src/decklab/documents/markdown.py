"""Markdown documents (CommonMark with tables), by markdown-it-py, their front matter, and plain
texts that may hold Markdown."""

import re
from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from typing import Final

from decklab.core.errors import Unavailable
from decklab.documents.bylines import Byline, stated_byline
from decklab.documents.drafting import DocumentDraft
from decklab.documents.extras import needed
from decklab.documents.html.reader import read_html_part
from decklab.documents.man_page import from_man_page
from decklab.documents.model import Document, DocumentKind
from decklab.documents.plain_text import add_plain_text

_MOST_DEPTH = 100  # ours: lists and quotations inside each other; deeper ones are left out
_FRONT_MATTER = re.compile(r"\A(---|\+\+\+)[ \t]*\r?\n(.*?)\r?\n\1[ \t]*(?:\r?\n|\Z)", re.DOTALL)
_NOTE = re.compile(r"^\[\^([\w-]{1,20})\]:", re.MULTILINE)
"""The text of a footnote."""
_ENTRY = re.compile(r"(?P<key>[A-Za-z]\w*)\s*[:=]\s*(?P<value>.*)")
_NAME: Final = re.compile(r"\s*-\s*(?:name\s*:\s*)?(?P<value>\S.*)")


_SIGNS = (
    (re.compile(r"^#{2,6} +\w.*(?<![#;{])$", re.MULTILINE), 1, 2),
    (re.compile(r"(?:\A|\n[ \t]*\n)# +\w[^\n]*\n(?:[ \t]*\n|\Z)"), 2, 1),
    (re.compile(r"^ {0,3}\|?(?: *:?-{3,}:? *\|)+(?: *:?-{3,}:? *)?$", re.MULTILINE), 1, 2),
    (re.compile(r"^ {0,3}(?:```|~~~)", re.MULTILINE), 2, 1),
    (re.compile(r"!?\[[^\]\n]{1,200}\]\((?:https?://|[\w./#-]+\))"), 1, 1),
    (re.compile(r"(?<![\w*])\*\*[^\s*][^*\n]{0,200}\*\*(?![\w*])"), 2, 2),
    (re.compile(r"(?<![\w`])`[^`\n]{1,80}`(?![\w`])"), 2, 1),
    (re.compile(r"\A#\s+\S"), 1, 1),
    (re.compile(r"^\w.{0,80}\n(?:={3,}|-{3,})$", re.MULTILINE), 1, 1),
)
"""Signs of Markdown, how often each stands in a text at the least, and what it counts. Ours: two
make a text Markdown."""
_LOOKED_AT = 200_000  # ours: characters of a text


_ASCIIDOC = re.compile(r"(={1,5}) (\w(?:.*[^=\s])?)[ \t]*")
_ANCHOR = re.compile(r"\[\[?[\w, =-]+\]\]?[ \t]*")
_FENCE = re.compile(r"-{4,}|\.{4,}")


def from_asciidoc(text: str) -> str:
    """A text with the headings, listings and anchors of AsciiDoc as Markdown; any other unchanged.

    >>> from_asciidoc("== A\\n\\n----\\nls\\n----\\n\\n== B").split()
    ['##', 'A', '```', 'ls', '```', '##', 'B']
    """
    lines = text.splitlines()
    if sum(1 for line in lines if _ASCIIDOC.fullmatch(line)) < 2:
        return text
    found = []
    for line in lines:
        heading = _ASCIIDOC.fullmatch(line)
        if heading:
            found += ["", f"{len(heading[1]) * '#'} {heading[2]}"]
        elif not _ANCHOR.fullmatch(line):
            found.append("```" if _FENCE.fullmatch(line.rstrip()) else line)
    return "\n".join(found)


def _is_other_markup(above: str, line: str) -> bool:
    """Whether a line is a rule below no title, or an underline that Markdown has not."""
    signs, title = line.strip(), above.strip()
    if len(set(signs)) != 1 or len(signs) < _LEAST_SIGNS:
        return False
    return not title if signs[0] == "=" else signs[0] in "~*^+" and len(signs) == len(title)


_LEAST_SIGNS = 5
"""Ours: of an underline or rule."""


def is_markdown(text: str) -> bool:
    """Whether a plain text holds Markdown: headings, tables, code, links or stress in its signs.

    >>> is_markdown("# Sales\\n\\nMuch.\\n\\n## North\\n"), is_markdown("# a remark\\nx = 2 * 3\\n")
    (True, False)
    """
    start = text[:_LOOKED_AT]
    lines = start.splitlines()
    if any(map(_is_other_markup, ["", *lines], lines)):
        return False
    if _FRONT_MATTER.match(start):
        return True
    found = [worth for form, least, worth in _SIGNS if _occurs(form, start, least)]
    return sum(found) >= 2


_STRESS = re.compile(r"(?<![\w*`])(\*{1,3}|`)(?=[^\s*`])([^*`\n]{1,500}?)(?<=\S)\1(?![\w*`])")
_LINK = re.compile(r"!?\[([^\]\n]{1,300})\]\([^)\s]{1,500}\)")


def unmarked(text: str) -> str:
    """A text without the signs of stress, code and links inside its lines.

    >>> unmarked("See **the** [plan](plan.html) of `elm`.")
    'See the plan of elm.'
    """
    return _STRESS.sub(r"\2", _LINK.sub(r"\1", text))


def _occurs(form: re.Pattern[str], text: str, least: int) -> bool:
    return sum(1 for _ in islice(form.finditer(text), least)) == least


def read_markdown(path: Path, name: str, text: str, *, kind: DocumentKind = "markdown") -> Document:
    """A Markdown document; title, author and date of its front matter are the document's.

    It is read as the HTML that it stands for, with the HTML that it holds. Items of numbered lists
    begin with their numbers. Pictures are read from files beside it and below; those of the web and
    elsewhere are listed as unread. Raises Unavailable without ``decklab[write]``.
    """
    library = needed("markdown_it", "reading Markdown")
    parser = library.MarkdownIt("commonmark", {"maxNesting": _MOST_DEPTH}).enable("table")
    draft = DocumentDraft(path, name, kind)
    front = _FRONT_MATTER.match(text)
    body = text[front.end() :] if front else text
    for label in set(_NOTE.findall(body)):  # its text is a paragraph that begins with its label
        body = re.sub(rf"(?<=\S)\[\^{label}\](?!:)", "", body)
    body = _TABBED.sub(_barred, _TYPED_ITEM.sub("- ", _ALERT.sub("", body)))
    read_html_part(draft, parser.render(_with_bold_headings(body)))
    stated = _front_matter(front[2]) if front else {}
    return draft.finish(title=_title(stated), byline=_byline(stated))


_TYPED_ITEM = re.compile(r"(?m)^[•▪◦‣][ \t]+|^(?=[a-z][.)][ \t])")
"""Marks and letters of items that are typed, which Markdown takes for text."""
_ALERT = re.compile(r"(?m)^[ \t]*>[ \t]*\[![A-Za-z]{2,12}\][-+]?[ \t]*$\n?")
"""The line above a note that says of which kind it is, as in "> [!NOTE]"."""
_TABBED = re.compile(r"(?m)(?<=\n\n)(?:^[^\n\t]+(?:\t[^\n\t]*)+\n){3,}")
"""Lines with tabs: a table that was pasted from a sheet."""
_BOLD_LINE = re.compile(r"(?m)(?<=\n\n)\*\*([^*\n]{2,90})\*\*[ \t]*\n(?=\s*[^\s*-])")
_ATX = re.compile(r"(?m)^(#{1,5})\s")
_LEAST_BOLD = 2
"""Lines in bold over a text of their own that are its headings, and headings above them. Ours."""


def _barred(found: re.Match[str]) -> str:
    """Lines with as many tabs each as a table of Markdown."""
    rows = [line.split("\t") for line in found[0].strip("\n").split("\n")]
    if len({len(row) for row in rows}) > 1:
        return found[0]
    lines = [f"| {' | '.join(cell.strip().replace('|', '/') for cell in row)} |" for row in rows]
    return "\n".join((lines[0], "|---" * len(rows[0]) + "|", *lines[1:], ""))


def _with_bold_headings(body: str) -> str:
    """A text with several headings whose lines in bold alone, if there are several, are headings
    below the one before."""
    few = min(len(_BOLD_LINE.findall(body)), len(_ATX.findall(body))) < _LEAST_BOLD
    if few or "```" in body:
        return body

    def heading(found: re.Match[str]) -> str:
        above = _ATX.findall(body[: found.start()])
        return f"{above[-1] if above else '#'}# {found[1].strip().rstrip('.:')}\n\n"

    return _BOLD_LINE.sub(heading, body)


def _front_matter(text: str) -> dict[str, list[str]]:
    """The values of title, author and date in the front matter, which is YAML or TOML."""
    found: dict[str, list[str]] = {}
    key = ""
    for line in text.splitlines()[:200]:
        entry, item = _ENTRY.match(line), _NAME.match(line)
        if entry:
            key = entry["key"].lower()
            found[key] = [part for part in map(_plain, _listed(entry["value"])) if part]
        elif item and key:
            found[key].append(_plain(item["value"]))
    return found


def _listed(value: str) -> list[str]:
    inside = re.fullmatch(r"\s*\[(.*)\]\s*", value)
    return inside[1].split(",") if inside else [value]


def _plain(value: str) -> str:
    return value.strip().strip("\"'").strip().rstrip("|>").strip()


def _title(stated: Mapping[str, list[str]]) -> str:
    """The title of front matter; if it has none its subject, or which report it is of what."""
    for name in ("title", "subject"):
        if name in stated:
            return " ".join(stated[name])
    named = [" ".join(stated[name]) for name in ("project", "report") if name in stated]
    return ": ".join(named) if len(named) > 1 else ""


def _byline(stated: Mapping[str, list[str]]) -> Byline:
    names = stated.get("author") or stated.get("authors") or stated.get("by") or []
    dates = stated.get("date") or stated.get("published") or stated.get("updated") or [""]
    return stated_byline(names, dates[0])


def read_plain_text(path: Path, name: str, text: str) -> Document:
    """A plain text, read as Markdown if it holds that.

    Paragraphs are parted by empty lines; where lines are long, each is one; where they are wrapped,
    one ends with a sentence on a line that had room for the next word, or before an indented line.
    Headings are lines that are underlined; numbered as 1.2, above text; in capitals; named as an
    appendix or the literature is; or short, by themselves, without a full stop, above a longer
    paragraph. Such a line that begins a text with headings is its title. Lines that begin with
    bullets or numbers are items of a list, with what is indented below them; rows of as many cells
    with wide spaces are a table; indented lines that are no sentences are code, kept as they are.
    """
    draft = DocumentDraft(path, name, "text")
    text = from_man_page(from_asciidoc(text))
    if is_markdown(text):
        try:
            document = read_markdown(path, name, text, kind="text")
        except Unavailable as error:
            draft.refuse(f"its Markdown is read as plain text: {error}")
        else:
            if document.headings:
                return document
            text = unmarked(text)
    add_plain_text(draft, text)
    return draft.finish()
