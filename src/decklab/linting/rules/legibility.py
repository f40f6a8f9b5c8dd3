"""Text that hardly stands out from what is behind it, as drawn, or is too small to read."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Final, Literal

from decklab.core.colors import Color, hex_color, is_near
from decklab.core.geometry import FRAME, FRAME_HEIGHT, FRAME_WIDTH, Box
from decklab.core.options import Severity
from decklab.core.results import Finding, NotScored, Occurrence, grouped, named_slides, quoted
from decklab.deck.model.shapes import (
    Chart,
    Diagram,
    Element,
    Image,
    Media,
    Rect,
    Table,
    Text,
    box_of,
)
from decklab.deck.views.drawn import Span, squeezed
from decklab.linting.rules.page import (
    UPRIGHT_HEIGHT_EM,
    DrawnSlide,
    DrawnText,
    is_wordy,
    share_inside,
)
from decklab.linting.rules.rule import (
    LEAST_BODY_PT,
    LEAST_LABEL_PT,
    LEAST_SMALL_PRINT_PT,
    MICROSOFT,
    POWER_PPTX,
    WCAG,
    WORST_FIRST,
    Rule,
)
from decklab.metrics.contrast import (
    CONTRAST_LARGE_TEXT,
    CONTRAST_NORMAL_TEXT,
    LARGE_BOLD_TEXT_PT,
    LARGE_TEXT_PT,
    InkContrast,
    ink_contrast,
    stands_out,
)

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
    why="From the last row of a room, or on a shared screen in a call, small text is not read at "
    "all.",
    drawn=True,
)


def small_text(view: DrawnSlide) -> Iterator[Occurrence]:
    """The smallest text of each role that is under its role's least size; tables, charts and
    diagrams for themselves.

    Sizes are those of a slide 7.5 inches high: on a slide half as high, 6 pt count as 12. Where a
    shape shrinks its text, the larger of two sizes counts: the size drawn, and the size with the
    shrinking that the deck was saved with.
    """
    roles: dict[tuple[Role, bool], list[_Small]] = {}
    for drawn in (*view.texts, *view.contents, *view.template):
        role = "small print" if drawn in view.template else role_of(drawn.element)
        least = _least(role, view) - SIZE_TOLERANCE_PT
        if small := [item for item in _sizes(drawn) if item.size < least]:
            kind = role, view.strict and isinstance(drawn.element, Table | Chart | Diagram)
            roles.setdefault(kind, []).append(min(small, key=lambda item: item.size))
    for (role, _framed), texts in roles.items():
        first = min(texts, key=lambda item: item.size)
        finding = _small_text(role, first, len(texts) - 1, view)
        yield Occurrence(finding, (role, round(first.size), first.drawn.element.name))


def _least(role: Role, view: DrawnSlide) -> float:
    limits = view.limits
    return {"body": limits.body_pt, "label": limits.label_pt}.get(role, limits.small_print_pt)


def role_of(element: Element) -> Role:
    """The role of an element's text on the slide."""
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


def _small_text(role: Role, first: _Small, more: int, view: DrawnSlide) -> Finding:
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
    """The size on this slide for one on a slide 7.5 inches high; empty if it is that high."""
    if abs(view.px_per_pt - 1) <= 0.01:
        return ""
    own = ceil(2 * size / view.px_per_pt - 0.05) / 2
    high = view.slide.size_pt[1] / 72
    return f" as seen on a slide 7.5 inches high ({own:g} pt on this one, {high:.3g} inches high)"


CONTRAST_MOSTLY: Final = 0.5
"""Ours: a line is reported from this share of it on that stands out too little; on a gradient the
rest of a word helps to read it. Also the share of a span's box that makes it lie in an area."""

CONTRAST_NEARLY: Final = 0.9
"""Ours: text that reaches this share of WCAG's ratio only just misses it; nobody sees the
difference."""

CONTRAST_ERROR_LARGE: Final = 2.0
"""Ours: large text under this ratio is hard to read, other text under WCAG's 3:1."""

CONTRAST_ALIKE: Final = 24
"""Ours: channels this near look alike; soft edges and gradients vary by as much."""

THIN_STROKES_PT: Final = 14.0
"""Ours: strokes of smaller text are under two pixels wide on a picture 1280 pixels wide, and do
not reach their own colour there."""

STRONG_COLOR_SPREAD: Final = 140
STRONG_COLOR_PT: Final = 14.0
STRONG_COLOR_CONTRAST: Final = 6.0
"""Ours: a ground whose largest and smallest channel are so far apart is a strong colour; WCAG's
formula overrates dark text on it. Text under the size there should come near the enhanced ratio
of 7:1 (WCAG 2.2, success criterion 1.4.6); black on pure red has 5.3:1."""

ON_SLIDE: Final = 0.9
"""Ours: the contrast of a line is judged from this share of it on the slide on."""

_PAINTED = (Image, Media, Rect, Chart, Diagram, Table)


@dataclass(frozen=True)
class LowContrastText:
    """A span of text that stands out too little."""

    slide: int
    span: Span
    contrast: InkContrast
    least: float
    """The ratio it would need."""
    severity: Severity
    rule: Rule
    element: Element | None = None
    everywhere: bool = False
    """Whether it repeats on the slides, as footers and a layout's own words do."""


CONTRAST_LOW = Rule(
    "contrast.low",
    "HardToReadTextContrast",
    "Text hardly stands out from what is behind it.",
    source=f"{MICROSOFT}; {WCAG} 1.4.3",
    severity="error",
    threshold=f"measured in the picture: under {CONTRAST_NORMAL_TEXT:g}:1, large text under"
    f" {CONTRAST_LARGE_TEXT:g}:1",
    fix="Make the text lighter or darker, or put a plain fill behind it.",
    why="People with weak sight, and everybody in a bright room or behind a weak projector, "
    "cannot tell the letters from the ground.",
    drawn=True,
)

CONTRAST_STRONG_COLOR = Rule(
    "contrast.strong-color",
    "SmallTextOnStrongColor",
    "Small dark text stands on a strong colour.",
    source=f"{WCAG} 1.4.6",
    threshold=f"under {STRONG_COLOR_PT:g} pt and {STRONG_COLOR_CONTRAST:g}:1",
    fix="Make the text larger or bold, or set it in white or on a paler ground.",
    why="Small dark letters on a saturated colour flicker, although the formula for contrast "
    "finds them good enough.",
    drawn=True,
)

CONTRAST_WEAK = Rule(
    "contrast.weak",
    "PaleLargeText",
    "Large text stands out less than small text has to.",
    source=f"decklab; {WCAG} 1.4.3 asks it of smaller text",
    threshold=f"large text from {CONTRAST_LARGE_TEXT:g}:1 on, under"
    f" {CONTRAST_NEARLY * CONTRAST_NORMAL_TEXT:g}:1",
    fix="Make the text lighter or darker, or put a plain fill behind it.",
    why="The standard lets large text be paler; on a projector, in a lit room, it is what people "
    "see fade first.",
    drawn=True,
    scored=False,
)


def low_contrast_texts(view: DrawnSlide, *, weak: bool = False) -> Iterator[LowContrastText]:
    """Spans that stand out too little from what is behind them in the picture of the slide.

    Spans under WCAG's ratios (success criterion 1.4.3) are findings of contrast.low; large ones
    that hardly pass, of contrast.weak; small dark ones that pass on a strong colour, of
    contrast.strong-color. What is behind the ink is measured piece by piece: text on a picture is
    found if most of it stands out too little. Text with an outline, slanting text, and text in
    painted areas that are animated is not judged.

    ``weak`` says whether that rule applies, too.
    """
    if view.image is None:
        return
    owners = {
        id(span): drawn
        for drawn in (*view.texts, *view.contents, *view.template)
        for span in drawn.spans
    }
    moving = _moving(view)
    for span in view.spans:
        drawn = owners.get(id(span))
        if not _is_judged(span, drawn, view) or any(
            share_inside(span.box, area) > CONTRAST_MOSTLY for area in moving
        ):
            continue
        if (text := _low_contrast_text(span, drawn, view, weak)) is not None:
            yield text


def _is_judged(span: Span, drawn: DrawnText | None, view: DrawnSlide) -> bool:
    level = span.box.height <= UPRIGHT_HEIGHT_EM * span.size_pt * view.px_per_pt
    upright = level or span.box.width <= UPRIGHT_HEIGHT_EM * span.size_pt * view.px_per_pt
    outlined = False
    if drawn is not None and isinstance(drawn.element, Text):
        lines = drawn.element.paragraphs
        outlines = (run.font.outline for line in lines for run in line.runs)
        outlined = any(outline and outline.kind != "none" for outline in outlines)
    worded = bool(span.color) and any(map(str.isalnum, span.text))
    return worded and upright and not outlined and share_inside(span.box, FRAME) >= ON_SLIDE


def _moving(view: DrawnSlide) -> list[Box]:
    """Painted areas that animations play on: the picture shows all their states at once."""
    areas = []
    for item in view.slide.elements() if view.animated else ():
        box = box_of(item)
        plain = isinstance(item, Rect) and item.paint.kind == "none"
        if item.id in view.animated and isinstance(item, _PAINTED) and box and not plain:
            areas.append(box)
    return areas


def _low_contrast_text(
    span: Span, drawn: DrawnText | None, view: DrawnSlide, weak: bool
) -> LowContrastText | None:
    assert view.image is not None
    height, width = view.image.shape[:2]
    size = span.size_pt * view.px_per_pt
    box = span.box.scaled(width / FRAME_WIDTH, height / FRAME_HEIGHT)
    bold, thin = "bold" in span.font.lower(), size < THIN_STROKES_PT
    large = size >= (LARGE_BOLD_TEXT_PT if bold else LARGE_TEXT_PT)
    least = view.limits.large_text_ratio if large else view.limits.text_ratio
    clear = max(least, view.limits.text_ratio) if weak else least
    enough = max(least, STRONG_COLOR_CONTRAST) if size < STRONG_COLOR_PT else clear
    if stands_out(view.image, box, span.color, enough, thin=thin):
        return None
    contrast = ink_contrast(view.image, box, span.color, thin=thin)
    if isinstance(contrast, NotScored):
        return None
    rule, severity = CONTRAST_LOW, _severity(contrast, least, large)
    if severity is None and _is_dark_on_strong(contrast, size):
        rule, severity, least = CONTRAST_STRONG_COLOR, "warning", STRONG_COLOR_CONTRAST
    if severity in (None, "info") and contrast.ratio < CONTRAST_NEARLY * clear and clear > least:
        rule, severity, least = CONTRAST_WEAK, "warning", clear
    if severity is None:
        return None
    along = drawn is not None and drawn in view.template
    footer = drawn is not None and _is_footer(drawn)
    if footer or (along and severity == "error"):
        read = weak and contrast.ratio < CONTRAST_LARGE_TEXT  # the eye looks for it in vain
        severity = "info" if footer and not read else "warning"
    return LowContrastText(
        slide=view.slide.number, span=span, contrast=contrast, least=least,
        severity=severity, rule=rule,
        element=None if drawn is None else drawn.element, everywhere=along or footer,
    )  # fmt: skip


def _severity(contrast: InkContrast, least: float, large: bool) -> Severity | None:
    if contrast.ratio >= least or contrast.share_under(least) < CONTRAST_MOSTLY:
        return None
    if contrast.ratio >= CONTRAST_NEARLY * least:
        return "info"
    worst = CONTRAST_ERROR_LARGE if large else CONTRAST_LARGE_TEXT
    return "error" if contrast.ratio < worst else "warning"


def _is_dark_on_strong(contrast: InkContrast, size: float) -> bool:
    """Whether small dark text stands on a strong colour, where more contrast is needed."""
    strong = max(contrast.ground) - min(contrast.ground) >= STRONG_COLOR_SPREAD
    dark = max(contrast.ink) < max(contrast.ground) - STRONG_COLOR_SPREAD / 2
    return strong and dark and size < STRONG_COLOR_PT and contrast.ratio < STRONG_COLOR_CONTRAST


def _is_footer(drawn: DrawnText) -> bool:
    return drawn.element.placeholder is not None and role_of(drawn.element) == "small print"


def low_contrast(texts: Sequence[LowContrastText]) -> Iterator[Finding]:
    """A finding for each colour of text in a deck, with the text that stands out least."""
    yield from map(_finding, grouped(sorted(texts, key=_order), _is_same_group))


def _order(item: LowContrastText) -> tuple[int, float, int]:
    return WORST_FIRST.index(item.severity), item.contrast.ratio, item.slide


def _is_same_group(text: LowContrastText, other: LowContrastText) -> bool:
    kinds = [(item.rule, item.everywhere, item.severity == "info") for item in (text, other)]
    return kinds[0] == kinds[1] and _is_near(text.contrast.ink, other.contrast.ink)


def _is_near(color: Color, other: Color) -> bool:
    return is_near(color, other, CONTRAST_ALIKE)


def _finding(group: Sequence[LowContrastText]) -> Finding:
    first = group[0]
    slides = sorted({item.slide for item in group})
    more = f" and {len(group) - 1} more like it" if len(group) > 1 else ""
    ink, ground = hex_color(first.contrast.ink), hex_color(first.contrast.ground)
    grounds = grouped((item.contrast.ground for item in group), _is_near)
    others = "" if len(grounds) == 1 else " and other colours"
    phrase = "a contrast of only"
    if first.rule is CONTRAST_STRONG_COLOR:
        phrase = "small dark text on a strong colour, with a contrast of"
    along = " It repeats on the slides." if first.everywhere else ""
    where = f" On {len(slides)} slides: {named_slides(slides)}." if len(slides) > 1 else ""
    return first.rule.finding(
        f"{quoted(first.span.text)}{more}: {phrase} {first.contrast.ratio:.1f}:1 ({ink} on"
        f" {ground}{others}).{along}{where}",
        first.slide,
        first.element,
        severity=first.severity,
        slides=tuple(slides) if len(slides) > 1 else (),
        box=first.span.box,
        measured=round(first.contrast.ratio, 2),
        threshold=first.least,
        fix=_fix(group),
    )


def _fix(group: Sequence[LowContrastText]) -> str:
    least = max(item.least for item in group)
    if group[0].rule is CONTRAST_STRONG_COLOR:
        return CONTRAST_STRONG_COLOR.fix
    where = " on the layout or master" if group[0].everywhere else ""
    return (
        f"Make the text lighter or darker{where}, or put a plain fill behind it, until its contrast"
        f" with the background reaches {least:g}:1."
    )
