"""Headings that are no more than lines in bold, underlined, in capitals or in large letters.

The readers know which paragraphs stand out; which of them are headings is told here, for all of
them alike. The rules are ours.
"""

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Final

from decklab.documents.bylines import is_byline
from decklab.documents.model import DocumentBlock

_BOLD_CHARACTERS, _LEAST_BOLD = 90, 3
"""Of a line in bold that is a heading, and such lines of a document that has no other."""
_TITLE_CHARACTERS, _LEAD_CHARACTERS = 120, 60
"""Of a title in bold, and of a heading in bold that its paragraph goes on behind."""
_LEAD: Final = re.compile(
    r"(?P<number>\d{1,2}[.)]\s+)?(?P<name>[^.:?]+?(?P<asked>\?)?)\s*(?P<end>[.:]?)$"
)
_LETTERHEAD: Final = re.compile(r"\s[·•|]\s")
_NAME_STOP: Final = re.compile(r"(?<=\w)[.:]$")
_LEAST_LETTERS: Final = 6
"""Of a line in capitals."""


def is_shouted(text: str) -> bool:
    """Whether a line is in capitals, and more than an abbreviation."""
    return text.isupper() and sum(map(str.isalpha, text)) >= _LEAST_LETTERS


def with_bold_headings(
    blocks: Sequence[DocumentBlock], bold: Collection[int], leads: Mapping[int, str]
) -> list[DocumentBlock]:
    """Blocks with short lines that stand out as headings, if there are several over text of their
    own, and with headings that are run in as blocks of their own.

    ``bold`` are the places of such lines, ``leads`` the bold words with which paragraphs begin.
    Those before the first sentence are the title of the document, what stands around that, and, if
    there are others, the heading of that sentence. A document with more headings than a title keeps
    these alone.
    """
    headings = [at for at, block in enumerate(blocks) if block.kind == "heading"]
    over = [
        at for at in sorted(bold)
        if len(blocks[at].text) <= _BOLD_CHARACTERS and at + 1 < len(blocks)
        and at + 1 not in bold and blocks[at].kind == "paragraph"
    ]  # fmt: skip
    if headings:
        over = [at for at in over if not is_byline(blocks[at].text)]
    run_in = _run_in(leads, len(over))
    if headings:
        named = sorted({*over, *run_in})
        titled = len(named) >= _LEAST_BOLD and len(headings) == 1 and headings[0] < named[0]
        return _with_run_in(_as_headings(blocks, over), run_in) if titled else [*blocks]
    text = next(
        (at for at, block in enumerate(blocks) if at not in bold
         and (block.kind != "paragraph" or block.text.endswith((".", ":", "!", "?")))),
        0,
    )  # fmt: skip
    names = [at for at in sorted(bold) if at < text and len(blocks[at].text) <= _TITLE_CHARACTERS
             and not _LETTERHEAD.search(blocks[at].text)]  # fmt: skip
    others = [at for at in names if at + 1 < text] or names
    title = max(others, key=lambda at: len(blocks[at].text), default=None)
    several = len(over) + len(run_in) >= _LEAST_BOLD
    named = [*(name for name in names if name + 1 == text), *over] if several else []
    found = _as_headings(blocks, [at for at in named if at >= text - 1 and at != title])
    if title is not None:
        found[title] = replace(blocks[title], kind="heading", level=1)
    return _with_run_in(found, run_in)


def _as_headings(blocks: Sequence[DocumentBlock], places: Collection[int]) -> list[DocumentBlock]:
    """Blocks with those at some places as headings, without a stop behind a name."""
    return [
        replace(block, kind="heading", level=2, text=_NAME_STOP.sub("", block.text))
        if at in places else block
        for at, block in enumerate(blocks)
    ]  # fmt: skip


def _run_in(leads: Mapping[int, str], others: int) -> dict[int, str]:
    """Of the bold words that paragraphs begin with those that are headings run in: with a number,
    or with a stop, as ``4. Rescue boats. Tom reported ...``; if there are several, or ``others``
    that stand alone. A name that comes again, such as "Note", is a label."""
    found = {at: parts for at, lead in leads.items()
             if len(lead) <= _LEAD_CHARACTERS and (parts := _LEAD.match(lead))
             and (parts["number"] or parts["asked"] or parts["end"] == ".")}  # fmt: skip
    times = Counter(parts["name"] for parts in found.values())
    headings = {at: leads[at] for at, parts in found.items() if times[parts["name"]] == 1}
    return headings if len(headings) + others >= _LEAST_BOLD else {}


def _with_run_in(blocks: Sequence[DocumentBlock], leads: Mapping[int, str]) -> list[DocumentBlock]:
    """Part headings that are run in from their paragraphs. A sentence that goes on behind one
    without a stop stays whole, without the number."""
    parted: list[DocumentBlock] = []
    for at, block in enumerate(blocks):
        parts = _LEAD.match(leads.get(at, ""))
        if parts is None or not block.text.startswith(leads[at]):
            parted.append(block)
            continue
        parted.append(replace(block, kind="heading", text=parts["name"], level=2))
        ended = parts["end"] or parts["asked"]
        told = block.text[len(leads[at]) if ended else parts.start("name") :].strip()
        if told:
            parted.append(replace(block, text=told))
    return parted
