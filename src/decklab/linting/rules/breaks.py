"""Words and numbers that a line break divides without a hyphen."""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Final

from decklab.core.geometry import Box
from decklab.core.results import Finding, Occurrence, grouped, quoted
from decklab.deck.model.shapes import Table, Text
from decklab.deck.views.drawn import Span
from decklab.linting.rules.page import DrawnSlide, DrawnText, ink_of
from decklab.linting.rules.rule import Rule, called
from decklab.linting.rules.titles import is_title

_UNSPACED: Final = "\u0590"
"""Scripts from here on are written from right to left, without spaces, or joined: where their lines
may break only a program that knows them can say."""

_NAME_MARKS: Final = frozenset("/.\\_@:=#&?%")
"""Marks inside addresses, paths and identifiers, which have no better place to break."""

_CLOSING: Final = frozenset((".", ")", "%", ":", "!", "?"))
"""Marks that belong to the word before them, and stand on a line of their own for want of room."""

STACKED_LETTERS: Final = 4
"""Ours: letters from which on a word that stands letter by letter is a label that was turned."""

TEXT_BROKEN = Rule(
    "text.broken",
    "WordBroken",
    "A line ends inside a word or number.",
    threshold="a word of letters and digits on two lines, without a hyphen",
    fix="Make the shape or column wider, or the text smaller; shorten the word.",
    why="A word or number in two pieces is read twice, and a broken number may be read wrong.",
    drawn=True,
    scored=False,
)


def broken_words(view: DrawnSlide) -> Iterator[Occurrence]:
    """Words and numbers that stand on two lines because their shape or column is narrower.

    Addresses, paths and identifiers are a note, and so are words that would fit in a font which is
    not installed. Text that stands upright or slants is not judged, nor a word that stands letter
    by letter, which is how labels are turned.
    """
    marks = [span for span in view.spans if span.text.strip() in _CLOSING]
    for drawn in (*view.texts, *view.contents):
        words = frozenset(_words(drawn))
        broken = _broken(drawn, words) or _parted(drawn, words, marks)
        if broken and not _is_stacked(drawn):
            yield Occurrence(_finding(drawn, broken, view), (drawn.element.name, broken[0][0]))


def _is_stacked(drawn: DrawnText) -> bool:
    """Whether a text is a word with a letter on each line; a number is not set so on purpose."""
    text = drawn.element
    word = isinstance(text, Text) and text.text.strip().isalpha()
    rows = ["".join(span.text for span in row) for row in drawn.lines]
    return word and len(rows) >= STACKED_LETTERS and all(len(row) == 1 for row in rows)


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
    breaks = []
    rows = drawn.lines
    if isinstance(drawn.element, Table):  # words of several cells stand on one line
        rows = tuple((span,) for span in sorted(drawn.spans, key=lambda span: span.box.bottom))
    for above, below in _neighbours(rows) if words else ():
        last = max(above, key=lambda span: span.box.right)
        first = min(below, key=lambda span: span.box.left)
        head, tail = last.text.split()[-1:], first.text.split()[:1]
        if word := _joined(head[0], tail[0], words) if head and tail else "":
            breaks.append((word, last, first))
    return breaks


def _parted(
    drawn: DrawnText, words: frozenset[str], marks: Sequence[Span]
) -> list[tuple[str, Span, Span]]:
    """A word whose closing mark stands alone on the next line; no text but this is around it."""
    for mark in marks if words else ():
        for row in drawn.lines:
            last = max(row, key=lambda span: span.box.right)
            word = f"{last.text.split()[-1]}{mark.text.strip()}" if last.text.split() else ""
            em = last.size_pt * drawn.px_per_pt
            below = 0 < mark.box.bottom - last.box.bottom <= 2 * em
            near = row[0].box.left - em <= mark.box.left <= last.box.right
            known = word in words and max(word) < _UNSPACED
            if known and below and near and last.line != mark.line:
                return [(word, last, mark)]
    return []


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
    if not head[-1].isalnum() or max(head[-1], tail[0]) >= _UNSPACED:
        return ""
    if not tail[0].isalnum() and tail not in _CLOSING:
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
        severity=font.cap("warning" if names else "info"),
        box=last.box.union(first.box),
        measured=float(len(broken)),
        threshold=0.0,
    )


def _fits(word: str, last: Span, drawn: DrawnText, view: DrawnSlide) -> bool:
    """Whether a word would fit on a line as wide as its first part in the font it is meant for."""
    stand = view.stand_in(drawn)
    head = last.text.split()[-1]
    return stand is not None and len(word) / stand.least_wider <= len(head)


_LEAST_LINE: Final = 8  # letters of a line whose width says something

ORPHAN_LETTERS: Final = 9
ORPHAN_SHARE: Final = 0.25
"""Ours: a last line of one word of so many letters at the most, and of this share of the widest
line, looks left over."""

TEXT_ORPHAN = Rule(
    "text.orphan",
    "OrphanWord",
    "The last line of a title is one short word.",
    threshold=f"one word of up to {ORPHAN_LETTERS} letters, under {ORPHAN_SHARE:.0%} as wide as the"
    " widest line",
    fix="Shorten the title, set it a little smaller, or break its lines by sense.",
    why="A short word alone on the last line looks left over, and costs the body a whole line.",
    drawn=True,
    scored=False,
)


def orphan_words(view: DrawnSlide) -> Iterator[Occurrence]:
    """Titles of two lines or more whose last line is one short word that wrapped by itself.

    Words that would fit in a font which is not installed are a note; lines that the author broke
    are meant.
    """
    for drawn in view.texts:
        text = drawn.element
        if not is_title(text) or not isinstance(text, Text) or not drawn.is_whole:
            continue
        rows = drawn.lines
        last = " ".join(span.text for span in rows[-1]).split()
        written = text.text.replace("\v", "\n").strip().rsplit("\n", maxsplit=1)[-1].split()
        widths = [ink_of(row).width for row in rows]
        short = len(last) == 1 and sum(map(str.isalnum, last[0])) <= ORPHAN_LETTERS
        if not short or len(written) < 2 or widths[-1] >= ORPHAN_SHARE * max(widths):
            continue
        word = last[0]
        if last[0] != written[-1] or len(rows) < 2:
            continue
        own = view.own_ink(drawn)
        font = view.font_note(drawn, own.height < drawn.ink.height - drawn.pitch / 2)
        finding = TEXT_ORPHAN.finding(
            f"The last line of {called(text)} is only {quoted(word)}.{font.text}",
            view.slide.number,
            text,
            severity=font.cap("warning"),
            box=ink_of(rows[-1]),
            measured=round(widths[-1] / max(widths), 2),
            threshold=ORPHAN_SHARE,
        )
        yield Occurrence(finding, (text.name, word))


JUSTIFIED_GAPS: Final = 1.5
"""Ours: how many times as wide a line is for its letters as the narrowest, which is hardly
stretched; then its gaps are about three times as wide."""

TEXT_JUSTIFIED = Rule(
    "text.justified",
    "WideWordGaps",
    "Justified text has wide gaps between its words.",
    threshold=f"a line {JUSTIFIED_GAPS:g} times as wide for its letters as the text's narrowest",
    fix="Align the text left, or give it longer lines.",
    why="Wide gaps tear lines apart: the eye runs down the gaps instead of along the words.",
    drawn=True,
    scored=False,
)


def _is_level(box: Box, other: Box) -> bool:
    """Whether two pieces stand on one line: words far apart are drawn as lines of their own."""
    shared = min(box.bottom, other.bottom) - max(box.top, other.top)
    return shared > min(box.height, other.height) / 2


def wide_gaps(view: DrawnSlide) -> Iterator[Occurrence]:
    """Justified paragraphs of which short lines are pulled apart to the width of the box."""
    for drawn in view.texts:
        text = drawn.element
        if not isinstance(text, Text) or not drawn.is_whole or text.rotation:
            continue
        if not any(p.align in ("justify", "distributed") for p in text.paragraphs):
            continue
        level = grouped(drawn.lines, lambda p, other: _is_level(ink_of(p), ink_of(other)))
        joined = [sorted(chain(*group), key=lambda span: span.box.left) for group in level]
        lines = [(ink_of(row), " ".join(span.text for span in row)) for row in joined]
        lines = [(ink, words) for ink, words in lines if len(words) >= _LEAST_LINE]
        wide = [ink.width / len(words) for ink, words in lines]
        if len(lines) < 3 or max(wide) < JUSTIFIED_GAPS * min(wide):
            continue
        ink, words = lines[wide.index(max(wide))]
        finding = TEXT_JUSTIFIED.finding(
            f"Words of {called(text)} stand far apart in {quoted(words)}.",
            view.slide.number,
            text,
            box=ink,
            measured=round(max(wide) / min(wide), 2),
            threshold=JUSTIFIED_GAPS,
        )
        yield Occurrence(finding, text.name)
