"""What an edit made plainly worse though it did what was asked."""

from collections.abc import Iterator, Mapping

from decklab.core.colors import contrast_ratio, parse_color
from decklab.deck.model.shapes import Chart, Element, Text, box_of
from decklab.deck.model.slide import DeckElements, SlideElements
from decklab.deck.model.text import Paragraph
from decklab.diffing.changes import DeckDiff
from decklab.diffing.wording import element_name
from decklab.editing.verification import Plan

_UNREADABLE = 1.5
"""Contrast of text below which nobody reads it. Ours: WCAG 2.2 asks for 3 to 4.5."""
_SHOWN = 60
_ROUND = ("pie", "doughnut")


def bad_outcomes(
    before: DeckElements, after: DeckElements, diff: DeckDiff, plan: Plan
) -> tuple[str, ...]:
    """What nobody can want of an edit, one line each: text that can no longer be read, charts
    without any names, lines under another parent, contents that are lost."""
    held = {slide.id: slide for slide in before.slides}
    lines: list[str] = []
    for slide in after.slides:
        old = held.get(slide.id)
        if old is not None and old != slide:
            found = _of_slide(old, slide, _behind(before, old), _behind(after, slide))
            lines += (f"slide {slide.number}: {line}" for line in found)
    lines += _lost(diff, plan)
    return tuple(dict.fromkeys(lines))


def _behind(deck: DeckElements, slide: SlideElements) -> list[Element]:
    """What layout and master show behind a slide."""
    layout = next((one for one in deck.layouts if one.part == slide.layout_part), None)
    master = next((one for one in deck.masters if layout and one.part == layout.parent), None)
    held: list[Element] = []
    for sheet in (layout, master):
        held += [] if sheet is None else [*sheet.rects, *sheet.images]
    return held


def _of_slide(
    old: SlideElements, new: SlideElements, old_behind: list[Element], behind: list[Element]
) -> Iterator[str]:
    faint = {id for id, _words in _unreadable(old, old_behind)}
    for id, words in _unreadable(new, behind):
        if id not in faint:
            shown = words if len(words) <= _SHOWN else f"{words[: _SHOWN - 1]}…"
            yield f"“{shown}” can no longer be read: it has the colour of what is behind it"
    nameless = {chart.id for chart in old.charts if _is_nameless(chart)}
    for chart in new.charts:
        if _is_nameless(chart) and chart.id not in nameless:
            yield f"the chart {chart.name!r} has no legend and no labels: its parts have no names"
    texts = {text.id: text for text in old.texts}
    for text in new.texts:
        if text.id in texts:
            yield from _moved_under(texts[text.id], text)


def _unreadable(slide: SlideElements, behind: list[Element]) -> Iterator[tuple[int, str]]:
    """Texts with hardly any contrast to the plain colour that they stand on, with the ids of their
    shapes."""
    for text in slide.texts:
        ground = _ground(slide, text, behind)
        if ground is None:
            continue
        for paragraph in text.paragraphs:
            for run in paragraph.runs:
                painted = run.font.paint is not None or run.font.outline is not None
                if not run.text.strip() or painted or run.font.alpha < 1:
                    continue
                if contrast_ratio(parse_color(run.font.color), parse_color(ground)) < _UNREADABLE:
                    yield text.id, run.text.strip()
    for table in slide.tables:
        for cell in (cell for row in table.rows for cell in row if cell.fill):
            for run in (run for paragraph in cell.paragraphs for run in paragraph.runs):
                colors = parse_color(run.font.color), parse_color(cell.fill or "#FFFFFF")
                if run.text.strip() and contrast_ratio(*colors) < _UNREADABLE:
                    yield table.id, run.text.strip()


def _ground(slide: SlideElements, text: Text, behind: list[Element]) -> str | None:
    """The plain colour behind a text; None if it is a picture, a gradient or not known."""
    box = box_of(text)
    if box is None:
        return None
    middle = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    under = [item for item in slide.elements()
             if not isinstance(item, Text) and (item.z or 0) <= (text.z or 0)]  # fmt: skip
    under = [item for item in under if _covers(item, middle)]
    for item in reversed(under):
        fill = getattr(item, "fill", None)
        paint = getattr(item, "paint", None)
        if paint is not None and paint.kind == "none":
            continue
        return fill if paint is not None and paint.kind == "solid" else None
    if any(_covers(item, middle) for item in behind):
        return None
    return slide.background if slide.background_paint.kind in ("solid", "none") else None


def _covers(item: Element, at: tuple[float, float]) -> bool:
    box = box_of(item)
    if box is None:
        return False
    left, top, right, bottom = box
    return left <= at[0] <= right and top <= at[1] <= bottom


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
    """The line above each line of a lower level; None where none is above it."""
    parents: dict[str, str | None] = {}
    above: list[tuple[int, str]] = []
    for paragraph in paragraphs:
        said = _said(paragraph)
        if not said:
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
