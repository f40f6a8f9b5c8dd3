"""Manual pages that a program set as text: their headings, terms and wrapped lines made plain.

The form is that of groff and mandoc: a line with name and section number first and last, headings
at the margin and at three spaces, words parted at the ends of lines, and lines filled with spaces.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from decklab.documents.preformatted import is_prose

_HEAD: Final = re.compile(r"\s*(?P<name>[\w.:+-]+\(\d\w*\))(?:\s.*\s|\s+)(?P=name)\s*\Z")
_NAMED: Final = re.compile(r"\s*(?P<name>\S.*?)\s+[-–—]{1,2}\s+(?P<about>\S.*)")
_HEADING: Final = re.compile(r"(?P<indent> {0,4})(?P<name>\S(?:.*\S)?)\s*\Z")
_TAG: Final = re.compile(r"(?P<indent> {5,})(?P<term>\S+(?: \S+)?) +(?P<text>\S.*)\Z")
_ENTRY: Final = re.compile(
    r"(?P<indent> {5,})(?P<term>[a-z][\w./-]{2,24})(?: {2,}(?P<text>\S.*))?\Z"
)
_OPTION: Final = re.compile(r"\s+(?P<option>-{1,2}[\w?][\w-]*)\s+(?P<text>[a-z][^-].{8,})\Z")
_FILLED: Final = re.compile(r"(?<=\S) {2,}(?=\S)")
_SOFT_HYPHEN: Final = "\u2010"
_DEEPER: Final = 7
"""Spaces of the next level of indent."""


def from_man_page(text: str) -> str:
    """A manual page as a plain text with a title and underlined headings; any other text as it is.

    Its name and what it is for are the title; the lines at its head and foot are left out.
    """
    lines = text.splitlines()
    first = next((line for line in lines if line.strip()), "")
    head = _HEAD.match(first)
    if head is None:
        return text
    name = head["name"]
    body = [line for line in lines if not line.rstrip().endswith(name) or line.startswith("     ")]
    return "\n".join(_plain(list(_with_terms(list(_unparted(body))))))


def _with_terms(lines: Sequence[str]) -> Iterator[str]:
    """Lines with each term right above its meaning, which is indented below it."""
    hung = 0
    for at, line in enumerate(lines):
        before = lines[at - 1] if at else ""
        hung = hung if line.strip() and before.strip() else 0
        entry = None if before.strip() else _ENTRY.match(line)
        if entry and entry["text"] and entry["text"][0].isupper():
            hung = _DEEPER
            yield f"{entry['indent']}* {entry['term']}: {entry['text']}"
        elif not line.strip() and 0 < at < len(lines) - 1:
            alone = at < 2 or not lines[at - 2].strip()
            term = _ENTRY.match(before) if alone else None
            if not (term and 1 < _indent(lines[at + 1]) - len(term["indent"]) <= _DEEPER):
                yield line
        else:
            yield f"{' ' * hung}{line}"


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _plain(lines: Sequence[str]) -> Iterator[str]:
    in_name = False
    for line, below in pairwise([*lines, ""]):
        heading = _HEADING.match(line)
        if heading and line.strip():
            in_name = heading["name"].casefold() == "name" and not heading["indent"]
            if not in_name:
                yield from ("", heading["name"])
                yield ("~" if heading["indent"] else "-") * len(heading["name"])
        elif in_name:
            named = _NAMED.match(line)
            title = f"{named['name']}: {named['about']}" if named else line.strip()
            yield from ((title, "=" * len(title)) if title else ("",))
        else:
            yield from _body_line(line, below)


def _body_line(line: str, below: str) -> Iterator[str]:
    """A line of the body: a term apart from its meaning, an option as an item, prose without the
    spaces that fill it."""
    tag = _TAG.match(line)
    indent, beneath = _indent(line), _indent(below)
    hangs = beneath == indent + _DEEPER or (not below.strip() and "  " in line.strip())
    if tag and hangs and len(line) - len(tag["text"]) == indent + _DEEPER:
        yield from ("", f"{tag['indent']}{tag['term']}")
        yield f"{' ' * (indent + _DEEPER)}{_FILLED.sub(' ', tag['text'])}"
    elif option := _OPTION.match(line):
        yield f"{' ' * indent}* {option['option']}: {option['text']}"
    else:
        yield _FILLED.sub(" ", line) if line.strip() and is_prose([line]) else line


def _unparted(lines: Sequence[str]) -> Iterator[str]:
    """Lines without words that are parted at their ends."""
    begun = ""
    for line in lines:
        indent = line[: _indent(line)]
        whole = f"{indent}{begun}{line.lstrip()}".rstrip()
        begun = ""
        if whole.endswith(_SOFT_HYPHEN):
            whole, _, begun = whole[:-1].rpartition(" ")
        yield whole.rstrip()
