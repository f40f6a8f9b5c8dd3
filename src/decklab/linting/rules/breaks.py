"""Words and numbers that a line break divides without a hyphen."""

from collections.abc import Iterator, Sequence
from typing import Final

from decklab.core.results import Finding
from decklab.deck.model.shapes import Table, Text
from decklab.deck.views.drawn import Span
from decklab.linting.rules.naming import called
from decklab.linting.rules.page import DrawnSlide, DrawnText, ink_of
from decklab.linting.rules.rule import Rule
from decklab.metrics.findings import Occurrence, quoted

_UNSPACED: Final = "\u0590"
"""Scripts from here on are written from right to left, without spaces, or joined: where their lines
may break only a program that knows them can say."""

_NAME_MARKS: Final = frozenset("/.\\_@:=#&?%")
"""Marks inside addresses, paths and identifiers, which have no better place to break."""

TEXT_BROKEN = Rule(
    "text.broken",
    "WordBroken",
    "A line ends inside a word or number.",
    source="decklab",
    severity="warning",
    threshold="a word of letters and digits on two lines, without a hyphen",
    fix="Make the shape or column wider, or the text smaller; shorten the word.",
    drawn=True,
    scored=False,
)


def broken_words(view: DrawnSlide) -> Iterator[Occurrence]:
    """Words and numbers that stand on two lines because their shape or column is narrower.

    Addresses, paths and identifiers are a note, and so are words that would fit in a font which is
    not installed. Text that stands upright or slants is not judged, nor a word that stands letter
    by letter, which is how labels are turned.
    """
    for drawn in (*view.texts, *view.contents):
        broken = _broken(drawn, frozenset(_words(drawn)))
        if broken and not _is_stacked(drawn):
            yield Occurrence(_finding(drawn, broken, view), (drawn.element.name, broken[0][0]))


def _is_stacked(drawn: DrawnText) -> bool:
    """Whether a text is a word with a letter on each line; a number is not set so on purpose."""
    text = drawn.element
    word = isinstance(text, Text) and text.text.strip().isalpha()
    return word and all(len("".join(span.text for span in row)) == 1 for row in drawn.lines)


def _words(drawn: DrawnText) -> list[str]:
    match drawn.element:
        case Text() as text if text.body.direction == "horz" and not text.rotation:
            return text.text.split()
        case Table() as table:
            return [word for row in table.cells for cell in row for word in cell.split()]
        case _:
            return []


def _broken(drawn: DrawnText, words: frozenset[str]) -> list[tuple[str, Span, Span]]:
    """Each broken word, with the spans that hold its first and its second part."""
    found = []
    rows = drawn.lines
    if isinstance(drawn.element, Table):  # words of several cells stand on one line
        rows = tuple((span,) for span in sorted(drawn.spans, key=lambda span: span.box.bottom))
    for above, below in _neighbours(rows) if words else ():
        last = max(above, key=lambda span: span.box.right)
        first = min(below, key=lambda span: span.box.left)
        head, tail = last.text.split()[-1:], first.text.split()[:1]
        word = _joined(head[0], tail[0], words) if head and tail else ""
        if word:
            found.append((word, last, first))
    return found


def _neighbours(
    lines: Sequence[tuple[Span, ...]],
) -> Iterator[tuple[tuple[Span, ...], tuple[Span, ...]]]:
    """Each line with the next below it; lines of cells beside each other are no neighbours."""
    boxed = [(row, ink_of(row)) for row in lines]
    for number, (row, box) in enumerate(boxed):
        for other, lower in boxed[number + 1 :]:
            beside = lower.left < box.right and box.left < lower.right
            if beside and lower.top > box.top + box.height / 2:
                yield row, other
                break


def _joined(head: str, tail: str, words: frozenset[str]) -> str:
    """The word that two parts make; empty where the text has no such word."""
    if not (head[-1].isalnum() and tail[0].isalnum()) or max(head[-1], tail[0]) >= _UNSPACED:
        return ""
    if head in words or tail in words:
        return ""
    whole = (word for word in words if word.startswith(head) and word[len(head) :].startswith(tail))
    return next(whole, "")


def _finding(
    drawn: DrawnText, broken: Sequence[tuple[str, Span, Span]], view: DrawnSlide
) -> Finding:
    word, last, first = broken[0]
    names = [item for item in broken if not _NAME_MARKS.intersection(item[0].strip(".,:;?%"))]
    if names:
        word, last, first = names[0]
    more = f", and {len(broken) - 1} more like it" if len(broken) > 1 else ""
    font = view.font_note(drawn, _fits(word, last, drawn, view))
    return TEXT_BROKEN.finding(
        f"{quoted(word)} in {called(drawn.element)} is broken in two lines{more}.{font.text}",
        view.slide.number,
        drawn.element,
        severity="warning" if names and not font.explains else "info",
        box=last.box.union(first.box),
        measured=float(len(broken)),
        threshold=0.0,
    )


def _fits(word: str, last: Span, drawn: DrawnText, view: DrawnSlide) -> bool:
    """Whether a word would fit on a line as wide as its first part in the font it is meant for."""
    stand = view.stand_in(drawn)
    head = last.text.split()[-1]
    return stand is not None and len(word) / stand.least_wider <= len(head)
