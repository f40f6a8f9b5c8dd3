"""A slide as the rules see it: its elements, and which of them each drawn line belongs to."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from itertools import pairwise
from math import ceil
from statistics import median
from typing import Final, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from decklab.core.geometry import FRAME_HEIGHT, Box, BoxIndex
from decklab.core.options import Severity
from decklab.core.results import by_key
from decklab.deck.model.shapes import Element, Rect, Table, Text, box_of
from decklab.deck.model.slide import SlideElements, TemplateElements
from decklab.deck.styles.themes import plain_family
from decklab.deck.views.drawn import Span, SpanClaim, bare, claim, match
from decklab.linting.rules.rule import USUAL_LIMITS, WORST_FIRST, RuleLimits

CUT_OFF_PX: Final = 1.5
"""Ours: ink that far past the slide's edge is cut off, not just drawn softly."""

MATCHED_SHARE: Final = 0.7
"""Ours: the extent of a text is judged from this share of its characters found on the page on.
Right to left text with figures in it is drawn in another order and matches in part."""

REPLACED_WIDTH: Final = 1.16
REPLACED_PITCH: Final = 1.13
"""How much wider and farther apart lines may come out in the font that stands in for a text's own:
DejaVu Sans and Noto Sans set lines 12 to 16 % wider than common text faces, and 13 % farther
apart."""

CARD_SHARE: Final = 0.6
"""Ours: a painted area larger than this share of the slide is its ground, not a card."""

UPRIGHT_HEIGHT_EM: Final = 1.7
"""Ours: ink taller than this many times its size is of a line that is turned; ascender to
descender is 1.2, stacked accents 1.5."""

SHADOW_SHARE: Final = 0.6
"""Ours: the same words drawn twice, with this share of overlap, are a text and its shadow."""

LEAST_WORDY: Final = 4
"""Ours: so many letters and digits of one size are text; fewer are marks and superscripts."""

MEAN_ERROR: Final = 0.04
"""How far the width of a line may be off that reckoned from the mean widths of two fonts. Twice the
standard deviation of 400 English lines of 30 characters, set in Noto Sans and in each of Carlito,
Caladea, Liberation, Lato and DejaVu: 1.4 to 4.1 %, for words of eight letters 2.4 to 7.7 %."""

LINE_HEIGHT = 1.2
"""Distance of lines as a multiple of the text size, if there is only one line."""

COMMON_FAMILIES: Final = frozenset(
    ("algerian", "aptos", "aptos display", "arial", "arial black", "arial narrow",
     "book antiqua", "bookman old style", "calibri", "calibri light", "cambria", "candara",
     "century", "century gothic", "century schoolbook", "comic sans ms", "consolas",
     "constantia", "corbel", "courier", "courier new", "franklin gothic book",
     "franklin gothic medium", "garamond", "georgia", "gill sans mt", "helvetica", "impact",
     "lucida console", "lucida sans unicode", "palatino linotype", "perpetua", "rockwell",
     "symbol", "tahoma", "times", "times new roman", "trebuchet ms", "tw cen mt", "verdana",
     "webdings", "wingdings")
)  # fmt: skip
"""Ours: families that come with Windows and macOS, or with Office for both, so that most people see
text in them. Segoe UI comes with Windows alone, fonts of templates from the web with neither."""

_SLACK, _SLACK_UNKNOWN = 0.1, 0.5
"""Ours, in lines: how far the count of lines in another font may be out, where its widths are known
and where they are not."""

T = TypeVar("T", bound=Element)


def distance(box: Box, other: Box) -> float:
    """How far apart two boxes are along the axis that parts them most; 0 where they touch.

    >>> distance(Box(0, 0, 10, 10), Box(13, 0, 20, 10)), distance(Box(0, 0, 9, 9), Box(5, 5, 9, 9))
    (3, 0)
    """
    across = box.left - other.right, other.left - box.right
    return max(0, *across, box.top - other.bottom, other.top - box.bottom)


def share_inside(box: Box, holder: Box) -> float:
    """Share of a box's area that lies in another; 1 for a box without area."""
    return box.intersection(holder).area / box.area if box.area else 1.0


def is_wordy(text: str) -> bool:
    """Whether words are text, not a mark or superscript."""
    return sum(char.isalnum() for char in text) >= LEAST_WORDY


@dataclass(frozen=True)
class Page:
    """One slide as it was drawn: what a renderer saw of it."""

    number: int
    """1-based."""
    spans: Sequence[Span]
    picture: NDArray[np.uint8] | Callable[[], NDArray[np.uint8]] | None = None
    """The ``image``, or what draws it."""
    key: str = ""
    """That of ``RenderedSlide``."""

    @property
    def image(self) -> NDArray[np.uint8] | None:
        """Height x width x 3, red green blue; rules that need it are silent without it."""
        return self.picture() if callable(self.picture) else self.picture


@dataclass(frozen=True)
class DrawnText:
    """An element, and the spans of the page that show its text."""

    element: Element
    spans: tuple[Span, ...]
    matched: float
    """Share of its characters that the spans hold; 1 where it cannot be known."""
    px_per_pt: float

    @cached_property
    def lines(self) -> tuple[tuple[Span, ...], ...]:
        """Its spans line by line, from the top."""
        rows = by_key(self.spans, lambda span: span.line)
        return tuple(sorted(map(tuple, rows.values()), key=lambda row: ink_of(row).bottom))

    @property
    def level_spans(self) -> list[Span]:
        """Spans that are not turned: the box of a slanting one holds much that is not its ink."""
        most = UPRIGHT_HEIGHT_EM * self.px_per_pt
        return [span for span in self.spans if span.box.height <= most * span.size_pt]

    @property
    def is_whole(self) -> bool:
        """Whether enough of it was found to judge its extent."""
        return self.matched >= MATCHED_SHARE or not isinstance(self.element, Text)

    @cached_property
    def ink(self) -> Box:
        """Tight around all of it."""
        return ink_of(self.spans)

    @cached_property
    def size_pt(self) -> float:
        """Size of most of its characters, as drawn."""
        sizes: Counter[float] = Counter()
        for span in self.spans:
            sizes[round(span.size_pt, 1)] += len(span.text)
        return sizes.most_common(1)[0][0]

    @cached_property
    def pitch(self) -> float:
        """Distance from line to line in px, if there is one line its height with leading."""
        size = median(span.size_pt for span in self.spans) * self.px_per_pt
        steps = [below - above for above, below in pairwise(ink_of(r).bottom for r in self.lines)]
        whole = [step for step in steps if step > size / 2]
        return min(median(whole), 2 * size) if whole else LINE_HEIGHT * size


@dataclass(frozen=True)
class StandIn:
    """A font that is drawn in place of another with other widths."""

    family: str
    """As the deck asks for it."""
    drawn: str | None = None
    """The text as drawn; None if it is not known."""
    wider: float | None = None
    """Width of text as drawn, divided by that in its own font; None if it is not known."""
    taller: float | None = None
    """Distance of lines as drawn, divided by that in its own font; None if it is not known."""

    @property
    def least_wider(self) -> float:
        """How much wider a line may have come out: ``wider`` with the error of means, or the value
        to assume where it is not known."""
        return REPLACED_WIDTH if self.wider is None else self.wider * (1 + MEAN_ERROR)

    @property
    def least_taller(self) -> float:
        """``taller``, or the value to assume where it is not known."""
        return REPLACED_PITCH if self.taller is None else self.taller

    @property
    def basis(self) -> str:
        """A sentence for findings that the font does not explain."""
        if self.wider is None:
            return f" The font {self.family} is not here, and its widths are not known."
        return f" It rests on the mean widths of the fonts {self.family} and {self.drawn}."

    @property
    def note(self) -> str:
        """A sentence for findings that the font may have caused."""
        drawn = f"with {self.drawn}" if self.drawn else "with another font"
        by = "" if self.wider is None or self.wider <= 1 else f", {self.wider - 1:.0%} wider"
        return (
            f" It is drawn {drawn} in place of {self.family}{by}:"
            f" it may fit where {self.family} is installed."
        )


@dataclass(frozen=True)
class FontNote:
    """A sentence on the font that stands in for a text's own; empty where none does."""

    text: str = ""
    worst: Severity = "error"
    """The worst that a finding can be: milder where that font may be all that is wrong."""

    def cap(self, severity: Severity) -> Severity:
        """A severity, or the worst that the font leaves.

        >>> FontNote(" Another font.", "warning").cap("error"), FontNote().cap("error")
        ('warning', 'error')
        """
        return max(severity, self.worst, key=WORST_FIRST.index)


class _Replaced(Protocol):
    """The report of a renderer on a font that it replaced."""

    @property
    def family(self) -> str: ...
    @property
    def drawn(self) -> str | None: ...
    @property
    def same_widths(self) -> bool: ...
    @property
    def wider(self) -> float | None: ...
    @property
    def taller(self) -> float | None: ...


def stand_ins(replaced: Iterable[_Replaced]) -> dict[str, StandIn]:
    """The fonts that were drawn in one of other widths, by family in lower case."""
    return {
        item.family.casefold(): StandIn(item.family, item.drawn, item.wider, item.taller)
        for item in replaced
        if not item.same_widths
    }


@dataclass(frozen=True)
class DrawnSlide:
    """A slide with its drawn texts, each with its element."""

    slide: SlideElements
    texts: tuple[DrawnText, ...]
    """Of text elements, in drawing order."""
    contents: tuple[DrawnText, ...]
    """Of tables, charts, diagrams and other frames."""
    template: tuple[DrawnText, ...]
    """Of layout and master; ``element`` is theirs."""
    page: Page
    animated: frozenset[int]
    """Ids of the shapes that animations play on, members of such groups included."""
    leaving: frozenset[int]
    """Those of them that animations move, change or take away, and not only bring in."""
    replaced: Mapping[str, StandIn]
    """The stand-ins for fonts that were drawn in one of other widths, by family in lower case."""
    spans: tuple[Span, ...] = ()
    """All that was drawn, whatever element it belongs to."""
    behind: tuple[TemplateElements, ...] = ()
    """The layout and master that show behind the slide's own shapes."""
    limits: RuleLimits = USUAL_LIMITS
    """The thresholds of the run."""
    strict: bool = False
    """Whether what the picture shows counts, though a font that hardly any machine has would mend
    it, or an animation brought it there."""

    @property
    def image(self) -> NDArray[np.uint8] | None:
        """That of the page."""
        return self.page.image

    @property
    def ends_as_drawn(self) -> bool:
        """Whether the picture shows how the slide ends: animations only bring things in."""
        return self.strict and not self.leaving

    @property
    def moving(self) -> frozenset[int]:
        """Ids of the shapes that the picture does not show as they end."""
        return frozenset() if self.ends_as_drawn else self.animated

    def drawn(self, element: Element) -> DrawnText | None:
        """The text of a text element as drawn; None if none was found."""
        return self._by_element.get(id(element))

    @cached_property
    def _by_element(self) -> Mapping[int, DrawnText]:
        return {id(text.element): text for text in self.texts}

    @cached_property
    def rects_by_z(self) -> Mapping[int | None, Rect]:
        """The slide's rectangles by their place in the drawing order, which a shape's text has,
        too."""
        return {rect.z: rect for rect in self.slide.rects}

    def rects_near(self, box: Box) -> list[tuple[Rect, Box]]:
        """The visible rectangles that touch a box, with their places; others may be there, too."""
        rects, index = self._placed_rects
        return [rects[number] for number in index.near(box)]

    @cached_property
    def _placed_rects(self) -> tuple[list[tuple[Rect, Box]], BoxIndex]:
        boxed = ((rect, box_of(rect)) for rect in visible(self.slide.rects))
        rects = [(rect, box) for rect, box in boxed if box is not None]
        return rects, BoxIndex(box for _rect, box in rects)

    @cached_property
    def words(self) -> frozenset[str]:
        """The words drawn anywhere on the slide, as ``bare`` leaves them."""
        return frozenset(bare(word) for span in self.spans for word in span.text.split())

    @cached_property
    def letters(self) -> str:
        """All that was drawn, as ``bare`` leaves it, span after span."""
        return "".join(bare(span.text) for span in self.spans)

    def stand_in(self, drawn: DrawnText) -> StandIn | None:
        """The font of other widths that a text is drawn in, at least in part; None for its own.

        Of several the widest counts, as far as that is known.
        """
        if (names := _fonts_of(drawn.element)) is None:
            known = list(self.replaced.values())
        else:
            families = {plain_family(name).casefold() for name in names}
            known = [self.replaced[name] for name in families if name in self.replaced]
        return max(known, key=lambda item: (item.least_wider, item.family), default=None)

    def own_ink(self, drawn: DrawnText) -> Box:
        """About where the ink would be in the text's own font; where that is installed, its ink.

        A font that is narrower makes lines shorter, and fewer where they are full; text that a
        wider font would enlarge stays as it was drawn.
        """
        if (stand := self.stand_in(drawn)) is None:
            return drawn.ink
        slack = _SLACK_UNKNOWN if stand.wider is None else _SLACK
        return _shrunk(drawn, max(stand.least_wider, 1.0), max(stand.least_taller, 1.0), slack)

    def font_note(self, drawn: DrawnText, fits: bool) -> FontNote:
        """The note of a finding on the font that a text is drawn in; ``fits`` is whether the text
        would be all right in its own."""
        if (stand := self.stand_in(drawn)) is None:
            return FontNote()
        return self.doubt(stand) if fits else FontNote(stand.basis)

    def doubt(self, stand: StandIn | None) -> FontNote:
        """The note of a finding that a font in place of another may explain. It is a note if most
        machines have that other font; if few do, they show what is drawn here."""
        if stand is None:
            return FontNote()
        excused = not self.strict or stand.family.casefold() in COMMON_FAMILIES
        return FontNote(stand.note, "info" if excused else "warning")

    @property
    def px_per_pt(self) -> float:
        """Height of a point in the frame."""
        return FRAME_HEIGHT / self.slide.size_pt[1]


def _fonts_of(element: Element) -> set[str] | None:
    """The fonts that the words of a text or table are set in; None if they are not known."""
    if isinstance(element, Text):
        paragraphs = list(element.paragraphs)
    elif isinstance(element, Table):
        paragraphs = [p for row in element.rows for cell in row for p in cell.paragraphs]
    else:
        return None
    names = {run.font.name for p in paragraphs for run in p.runs if run.text.strip()}
    return names or ({element.font.name} if isinstance(element, Text) else None)


def ink_of(spans: Sequence[Span]) -> Box:
    """The box around spans, of which there is at least one."""
    return reduce(Box.union, (span.box for span in spans))


def visible(elements: Iterable[T]) -> Iterator[T]:
    """The elements that have a place and are not hidden."""
    return (item for item in elements if item.placed and not item.hidden)


def match_page(
    slide: SlideElements,
    page: Page,
    behind: Sequence[TemplateElements] = (),
    replaced: Mapping[str, StandIn] | None = None,
    limits: RuleLimits = USUAL_LIMITS,
    *,
    strict: bool = False,
) -> DrawnSlide:
    """The slide with its drawn texts; ``behind`` are the layout and master it shows.

    ``replaced`` has the fonts that were drawn in one of other widths, by family in lower case;
    ``limits`` are the thresholds that rules have for the slide; ``strict`` is that of
    ``DrawnSlide``.
    """
    frames: list[Element] = [*slide.tables, *slide.charts, *slide.diagrams, *slide.others]
    texts, contents = _claims(visible(slide.texts)), _claims(visible(frames))
    template = _claims(
        text for sheet in behind for text in visible(sheet.texts) if text.placeholder is None
    )
    spans = _without_shadows(page.spans)
    match([*texts, *contents, *template], spans)
    scale = FRAME_HEIGHT / slide.size_pt[1]
    leaving = (item.shape for item in slide.animations if item.kind != "entrance")
    return DrawnSlide(
        slide=slide,
        texts=_drawn(texts, scale),
        contents=_drawn(contents, scale),
        template=_drawn(template, scale),
        page=page,
        animated=_with_members(slide, (item.shape for item in slide.animations)),
        leaving=_with_members(slide, leaving),
        replaced=replaced or {},
        spans=tuple(spans),
        behind=tuple(behind),
        limits=limits,
        strict=strict,
    )


def _shrunk(drawn: DrawnText, wider: float, taller: float, slack: float) -> Box:
    """The ink of a text with letters and lines smaller by factors, placed by its alignment."""
    widths = [ink_of(row).width for row in drawn.lines]
    ink, count, full = drawn.ink, len(widths), max(widths)
    text = drawn.element
    written = text.text.split("\n") if isinstance(text, Text) else []
    least = sum(bool(line.strip()) for line in written) if isinstance(text, Text) else count
    room = max(full, _room(text, drawn.px_per_pt)) if isinstance(text, Text) else full
    needed = ceil(sum(widths) / wider / room - slack) if room else count
    lines = min(count, max(least, needed))
    width = full if lines < count else full / wider
    height = ink.height * lines / count / (taller if count > 1 else 1.0)
    align = text.align if isinstance(text, Text) else "left"
    anchor = text.body.anchor if isinstance(text, Text) else "top"
    across = {"center": 0.5, "right": 1.0}.get(align, 0.0) * (ink.width - width)
    down = {"middle": 0.5, "bottom": 1.0}.get(anchor, 0.0) * (ink.height - height)
    left, top = ink.left + across, ink.top + down
    return Box(left, top, left + width, top + height)


def _room(text: Text, px_per_pt: float) -> float:
    """Px across that the lines of a text have in its shape."""
    return text.w - (text.body.inset_left + text.body.inset_right) * px_per_pt


def _without_shadows(spans: Sequence[Span]) -> list[Span]:
    """Spans without those that another with the same words is drawn over: shadows of letters."""
    places = BoxIndex(span.box for span in spans)
    kept: set[int] = set()
    for number in reversed(range(len(spans))):
        span = spans[number]
        over = (spans[n] for n in places.near(span.box) if n in kept and spans[n].text == span.text)
        shared = (span.box.intersection(other.box).area for other in over)
        if span.box.area and any(area >= SHADOW_SHARE * span.box.area for area in shared):
            continue
        kept.add(number)
    return [spans[number] for number in sorted(kept)]


def _claims(elements: Iterable[Element]) -> list[SpanClaim]:
    return [claimed for item in elements if (claimed := claim(item)) is not None]


def _drawn(claims: Sequence[SpanClaim], scale: float) -> tuple[DrawnText, ...]:
    return tuple(
        DrawnText(item.element, tuple(item.spans), item.matched, scale)
        for item in claims
        if item.spans
    )


def _with_members(slide: SlideElements, shapes: Iterable[int | None]) -> frozenset[int]:
    ids = {shape for shape in shapes if shape is not None}
    members = {item.id for item in slide.elements() if ids.intersection(item.groups)}
    return frozenset(ids | members)
