"""Results that nobody can want of an edit, though it did what it was to do."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from decklab.deck.model.shapes import Chart, Paragraph, Text
from decklab.deck.model.slide import DeckElements, SlideElements
from decklab.deck.reading import read_elements
from decklab.diffing.changes import DeckDiff
from decklab.diffing.wording import element_name
from decklab.editing.plan import Plan
from decklab.editing.verify import OriginalDeck, Verification
from decklab.ooxml.package import Package
from decklab.seen.reader import SeenDeck, seen_of
from decklab.seen.seen_slide import SeenPiece, SeenSlide, VisibilityFault

_UNREADABLE = 1.5
"""Contrast of text below which nobody reads it. Ours: WCAG 2.2 asks for 3 to 4.5."""
_LOST_FROM_SIGHT: Final[Mapping[VisibilityFault, str]] = {
    "faint": "it has hardly another colour than what is behind it",
    "covered": "something lies on it",
    "small": "it is too small",
    "off the slide": "it is off the slide",
}
"""Reasons for which no text is to be unseen. Who hides a shape or animates it wants that."""
_SHOWN = 60
_ROUND = ("pie", "doughnut")


def bad_outcomes(
    before: DeckElements,
    after: DeckElements,
    seen: tuple[SeenDeck, SeenDeck],
    diff: DeckDiff,
    plan: Plan,
) -> tuple[str, ...]:
    """Results that nobody can want of an edit, one line each: text no longer readable, charts
    without any names, lines under another parent, contents that are lost.

    ``seen`` is what an audience sees of the slides that changed, before and after.
    """
    held = {slide.id: slide for slide in before.slides}
    views = [{slide.number: slide for slide in deck.slides} for deck in seen]
    lines: list[str] = []
    for slide in after.slides:
        old = held.get(slide.id)
        if old is not None and old != slide:
            worse = (
                *_out_of_sight(views[0][old.number], views[1][slide.number]),
                *_of_slide(old, slide),
            )
            lines += (f"slide {slide.number}: {line}" for line in worse)
    lines += _lost(diff, plan)
    return tuple(dict.fromkeys(lines))


def _out_of_sight(before: SeenSlide, after: SeenSlide) -> Iterator[str]:
    """Texts of shapes of which all text that is there could be read before."""
    unread = {piece.id for piece in before.pieces if _why_unread(piece)}
    for piece in after.pieces:
        if (why := _why_unread(piece)) and piece.id not in unread:
            words = piece.text.strip()
            shown = words if len(words) <= _SHOWN else f"{words[: _SHOWN - 1]}…"
            yield f"“{shown}” can no longer be read: {why}"


def _why_unread(piece: SeenPiece) -> str:
    """Why nobody reads a text; empty if it can be read, and for what is no text."""
    if not piece.text.strip():
        return ""
    pale = piece.contrast is not None and piece.contrast < _UNREADABLE
    reason = "faint" if piece.reason is None and pale else piece.reason
    return "" if reason is None else _LOST_FROM_SIGHT.get(reason, "")


def _of_slide(old: SlideElements, new: SlideElements) -> Iterator[str]:
    nameless = {chart.id for chart in old.charts if _is_nameless(chart)}
    for chart in new.charts:
        if _is_nameless(chart) and chart.id not in nameless:
            yield f"the chart {chart.name!r} has no legend and no labels: its parts have no names"
    texts = {text.id: text for text in old.texts}
    for text in new.texts:
        if text.id in texts:
            yield from _moved_under(texts[text.id], text)


def _is_nameless(chart: Chart) -> bool:
    several = len(chart.series) > 1 or chart.type in _ROUND
    return several and chart.legend is None and not chart.labels


def _moved_under(old: Text, new: Text) -> Iterator[str]:
    """Lines of a lower level whose parent is gone, so that they seem to belong to another."""
    before, after = _parents(old.paragraphs), _parents(new.paragraphs)
    there = {_said(paragraph) for paragraph in new.paragraphs}
    were = {_said(paragraph) for paragraph in old.paragraphs}
    for line, parent in after.items():
        first = before.get(line)
        if first is not None and first != parent and first not in there:
            if parent is None:
                yield f"“{line}” has lost the line that it belonged to, “{first}”"
            elif parent in were:
                yield f"“{line}” belonged to “{first}” and stands under “{parent}” now"


def _parents(paragraphs: tuple[Paragraph, ...]) -> Mapping[str, str | None]:
    """The line above each line of a lower level; None if none is above it."""
    parents: dict[str, str | None] = {}
    above: list[tuple[int, str]] = []
    for paragraph in paragraphs:
        if not (said := _said(paragraph)):
            continue
        above = [(level, text) for level, text in above if level < paragraph.level]
        if paragraph.level:
            parents[said] = above[-1][1] if above else None
        above.append((paragraph.level, said))
    return parents


def _said(paragraph: Paragraph) -> str:
    return "".join(run.text for run in paragraph.runs).strip()


def _lost(diff: DeckDiff, plan: Plan) -> Iterator[str]:
    """Elements with contents that went though the plan only lets them go."""
    for change in diff.edits:
        asked = any(planned.required and planned.allows(change) and "removed" in planned.kinds
                    for planned in plan.changes)  # fmt: skip
        if change.kind == "removed" and not asked and change.element is not None and change.old:
            yield f"slide {change.slide}: {element_name(change.element)} is lost with what it held"


def made_worse(
    original: OriginalDeck, copy: Path, checked: Verification, plan: Plan
) -> tuple[str, ...]:
    """``bad_outcomes`` of an edited deck, and, if slides were drawn, text that lost its contrast.

    None of a deck that is not sound. Raises DeckError if a deck cannot be read.
    """
    if not checked.sound:
        return ()
    before = original.elements
    held = {slide.id: slide for slide in before.slides}
    with Package.open(copy) as package, Package.open(original.path) as untouched:
        after = read_elements(package)
        changed = [slide for slide in after.slides if held.get(slide.id, slide) != slide]
        seen = (
            seen_of(untouched, before, {held[slide.id].number for slide in changed}),
            seen_of(package, after, {slide.number for slide in changed}),
        )
    drawn = (f"slide {finding.slide}: {finding.message}" for finding in checked.faults
             if finding.rule == "contrast.low" and finding.severity == "error")  # fmt: skip
    return (*bad_outcomes(before, after, seen, checked.diff, plan), *drawn)
