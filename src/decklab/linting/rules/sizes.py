"""Text too small to be read, as drawn."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil
from typing import Final, Literal

from decklab.core.results import Finding
from decklab.deck.model.shapes import Chart, Diagram, Element, Table, Text
from decklab.deck.views.drawn import Span, squeezed
from decklab.linting.rules.page import DrawnSlide, DrawnText, is_wordy
from decklab.linting.rules.rule import (
    LEAST_BODY_PT,
    LEAST_LABEL_PT,
    LEAST_SMALL_PRINT_PT,
    POWER_PPTX,
    Rule,
)
from decklab.metrics.findings import Occurrence, quoted

SIZE_TOLERANCE_PT: Final = 0.3
"""Ours: sizes as drawn are rounded by the drawing program."""

RAISED_SHARE: Final = 0.75
"""Text of at most this share of the size beside it on one line is taken as raised or lowered
(programs draw super- and subscripts at 58 to 70 %)."""

Role = Literal["body", "label", "small print"]
FOOTERS = frozenset({"ftr", "dt", "sldNum", "hdr"})
"""Placeholder types of what runs along every slide."""


@dataclass(frozen=True)
class _Small:
    drawn: DrawnText
    span: Span
    size: float


TEXT_SMALL = Rule(
    "text.small",
    "MinFontSize",
    "Text is too small to be read.",
    source=POWER_PPTX,
    threshold=f"under {LEAST_BODY_PT:g} pt in text placeholders, {LEAST_LABEL_PT:g} pt in boxes and"
    f" tables, {LEAST_SMALL_PRINT_PT:g} pt in charts and footers, on a slide 7.5 inches high",
    fix="Set it larger; cut words or split the slide where it then does not fit.",
    drawn=True,
)


def small_text(view: DrawnSlide) -> Iterator[Occurrence]:
    """The smallest text of each role that is under its role's least size; tables, charts and
    diagrams for themselves.

    Sizes are those of a slide 7.5 inches high. Where a shape shrinks its text, the larger of the
    size drawn and the size the deck was saved with counts.
    """
    roles: dict[tuple[Role, bool], list[_Small]] = {}
    for drawn in (*view.texts, *view.contents, *view.template):
        role = "small print" if drawn in view.template else role_of(drawn.element)
        small = [
            item for item in _sizes(drawn) if item.size < _least(role, view) - SIZE_TOLERANCE_PT
        ]
        if small:
            kind = role, view.strict and isinstance(drawn.element, Table | Chart | Diagram)
            roles.setdefault(kind, []).append(min(small, key=lambda item: item.size))
    for (role, _framed), texts in roles.items():
        first = min(texts, key=lambda item: item.size)
        yield Occurrence(
            _finding(role, first, len(texts) - 1, view),
            (role, round(first.size), first.drawn.element.name),
        )


def _least(role: Role, view: DrawnSlide) -> float:
    limits = view.limits
    return {"body": limits.body_pt, "label": limits.label_pt}.get(role, limits.small_print_pt)


def role_of(element: Element) -> Role:
    """What the text of an element is to the slide."""
    if isinstance(element, Text):
        if element.placeholder is None:
            return "label"
        return "small print" if element.placeholder.type in FOOTERS else "body"
    return "label" if isinstance(element, Table) else "small print"


def _sizes(drawn: DrawnText) -> Iterator[_Small]:
    """Spans of running text with the sizes they are judged by."""
    grown, raised = _saved_growth(drawn) * drawn.px_per_pt, _raised(drawn.element)
    for row in drawn.lines:
        largest = max(span.size_pt for span in row)
        for span in row:
            wordy = is_wordy(span.text)
            if squeezed(span.text) in raised:
                continue
            if wordy and (span.size_pt > RAISED_SHARE * largest or len(row) == 1):
                yield _Small(drawn, span, span.size_pt * grown)


def _raised(element: Element) -> frozenset[str]:
    """Words that are set as super- or subscript."""
    if not isinstance(element, Text):
        return frozenset()
    runs = (run for paragraph in element.paragraphs for run in paragraph.runs)
    return frozenset(squeezed(run.text) for run in runs if run.font.baseline)


def _saved_growth(drawn: DrawnText) -> float:
    text = drawn.element
    if not isinstance(text, Text) or text.body.autofit != "shrink":
        return 1.0
    return max(1.0, text.font.size / drawn.size_pt)


def _finding(role: Role, first: _Small, more: int, view: DrawnSlide) -> Finding:
    least = _least(role, view)
    other = f", and {more} more text{'s' if more > 1 else ''} under {least:g} pt" if more else ""
    where = " on the layout or master" if first.drawn in view.template else ""
    size = f"{first.size:.1f} pt" + _as_in_file(first.size, view)
    return TEXT_SMALL.finding(
        f"{quoted(first.span.text)} is set in {size}{where}{other}.",
        view.slide.number,
        first.drawn.element,
        severity="info" if role == "small print" and not _is_content(first, view) else "warning",
        box=first.span.box,
        measured=round(first.size, 1),
        threshold=least,
        fix=f"Set it in at least {least:g} pt{_as_in_file(least, view)}; cut words or split"
        " the slide where it then does not fit.",
    )


def _is_content(small: _Small, view: DrawnSlide) -> bool:
    """Whether a label of a chart or diagram is so small, which people are to read."""
    return view.strict and isinstance(small.drawn.element, Chart | Diagram)


def _as_in_file(size: float, view: DrawnSlide) -> str:
    """What a size on a slide 7.5 inches high is on this one; empty where it is that high."""
    if abs(view.px_per_pt - 1) <= 0.01:
        return ""
    own = ceil(2 * size / view.px_per_pt - 0.05) / 2
    high = view.slide.size_pt[1] / 72
    return f" as seen on a slide 7.5 inches high ({own:g} pt on this one, {high:.3g} inches high)"
