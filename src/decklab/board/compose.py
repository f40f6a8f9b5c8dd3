"""From a plan and a theme to slides with everything in its place."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import median_high

from decklab.board.blueprint import DeckPlan, SlidePlan
from decklab.board.boxes import (
    BoxParagraph,
    ComposedSlide,
    Connector,
    GroupBox,
    Item,
    PictureBox,
    Shape,
    TextBox,
    TextStyle,
)
from decklab.board.fitting import LEAST_PT, Fitter
from decklab.board.layouts import lay_out_page
from decklab.board.page import TITLE_BOX, PageDraft
from decklab.board.splitting import MOST_PARTS, split
from decklab.board.themes import THEMES, DesignTheme
from decklab.core.errors import PlanError
from decklab.core.geometry import FRAME_WIDTH, Box

MOST_SPACIOUS_PARTS = 3
"""Slides that one slide may become so that its text keeps the scale's small size; only a slide that
would need more is set smaller."""


@dataclass(frozen=True)
class Composed:
    """A laid-out deck: the plan it is of, its theme, and its slides.

    There may be more slides than in the plan: those that held too much were split.
    """

    plan: DeckPlan
    theme: DesignTheme
    slides: tuple[ComposedSlide, ...]
    title_size: float
    """Of the titles of body slides, in points."""
    places: tuple[int, ...]
    """For each slide the place in the plan, from 0, of the slide that it is, or is a part of."""


def compose(plan: DeckPlan, theme: DesignTheme | str) -> Composed:
    """Lay out every slide of a plan.

    Text is fitted by real font metrics; sizes step down the theme's scale, and a slide whose text
    would be set below 12 pt is split. Raises PlanError, naming the slide, for a title of more than
    two lines, text that cannot be split, or a picture that cannot be read; UnknownName for an
    unknown theme; Unavailable where uharfbuzz or fontconfig is missing.
    """
    look = THEMES[theme] if isinstance(theme, str) else theme
    fitter = Fitter(look, plan.language)
    *larger, smallest = look.scale.down_from(look.scale.title, look.scale.body)
    for size in larger:
        try:
            return _composed_at(size, plan, fitter)
        except _LongTitle:
            continue
    return _composed_at(smallest, plan, fitter)


class _LongTitle(PlanError):
    """A title of a body slide that takes more than two lines."""


def _composed_at(size: float, plan: DeckPlan, fitter: Fitter) -> Composed:
    """All slides with body titles of one size."""
    slides: list[ComposedSlide] = []
    places: list[int] = []
    cut = [_parts(slide, number, fitter, size) for number, slide in enumerate(plan.slides, start=1)]
    asked = [_body_size(parts, fitter, size) for parts in cut]
    roles = ("body", "ending")
    common = _common_size(
        [one for slide, one in zip(plan.slides, asked, strict=True) if slide.shown_role in roles]
    )
    for number, (slide, parts) in enumerate(zip(plan.slides, cut, strict=True), start=1):
        own, bound = asked[number - 1], _most_size(slide, fitter)
        for part in parts:
            most = _least(own, common) if part.shown_role in roles else own
            page = PageDraft(part, fitter.theme, fitter, size, most=_least(most, bound))
            lay_out_page(page, footer=plan.footer, number=len(slides) + 1)
            if page.problems:
                raise PlanError(f"slide {number} ({slide.layout}): {page.problems[0]}")
            slides.append(_composed(page, mirrored=plan.right_to_left))
            places.append(number - 1)
    return Composed(plan, fitter.theme, tuple(slides), size, tuple(places))


def _most_size(slide: SlidePlan, fitter: Fitter) -> float | None:
    """The largest size that the plan lets the text of a slide have; None for no bound."""
    return None if slide.text_size is None else getattr(fitter.theme.scale, slide.text_size)


def _body_size(parts: Sequence[SlidePlan], fitter: Fitter, size: float) -> float | None:
    """The size at which the body text of all parts fits; None for slides of another role and those
    that have nothing but captions."""
    texts = [part for part in parts if part.body or not (part.table or part.code)]
    pages = [_laid_out(part, fitter, size, LEAST_PT) for part in texts]
    scale = fitter.theme.scale
    sizes = [page.text_size for page in pages if page.text_size > scale.caption or len(pages) > 1]
    return min((one for one in sizes if one <= scale.body), default=None)


def _least(*sizes: float | None) -> float | None:
    """The smallest of the bounds that there are."""
    return min((size for size in sizes if size is not None), default=None)


def _common_size(sizes: Sequence[float | None]) -> float | None:
    """The size of body text in a deck: what the slide in the middle asks for, so that few slides
    differ from it."""
    known = [size for size in sizes if size is not None]
    return median_high(known) if known else None


def title_fits(text: str, theme: DesignTheme, language: str = "en") -> bool:
    """Whether a title takes at most two lines at the full size of body titles."""
    return _fits(text, theme.scale.title, Fitter(theme, language))


def _fits(title: str, size: float, fitter: Fitter) -> bool:
    style = TextStyle(size, heading=True, bold=fitter.theme.fonts.heading_bold)
    return fitter.fits(TextBox("Title", TITLE_BOX, (BoxParagraph(title),), style), 2)


def _parts(slide: SlidePlan, number: int, fitter: Fitter, size: float) -> list[SlidePlan]:
    """The slide, or the fewest parts of it that hold their text; PlanError where none do."""
    scale = fitter.theme.scale
    problems: list[str] = []
    pages: list[PageDraft] = []
    for least, most in ((scale.small, MOST_SPACIOUS_PARTS), (LEAST_PT, MOST_PARTS)):
        for count in range(1, most + 1):
            parts = split(slide, count)
            if len(parts) != count:
                continue
            pages = [_laid_out(part, fitter, size, least) for part in parts]
            problems = [problem for page in pages for problem in page.problems]
            if not problems:
                return parts
    kind = PlanError if all(page.title_fits for page in pages) else _LongTitle
    raise kind(f"slide {number} ({slide.layout}): {problems[0]}")


def _laid_out(slide: SlidePlan, fitter: Fitter, size: float, least: float) -> PageDraft:
    page = PageDraft(slide, fitter.theme, fitter, size, least)
    lay_out_page(page)
    return page


def _composed(page: PageDraft, *, mirrored: bool) -> ComposedSlide:
    style = page.style
    items: tuple[Item, ...] = tuple(page.items)
    decor = style.decor
    if mirrored:
        items = tuple(mirror(item) for item in items)
        decor = tuple(_mirrored_shapes(decor))
    return ComposedSlide(
        page.plan.layout, page.plan.shown_role, style.ground, decor, items, page.plan
    )


def _mirrored_shapes(shapes: tuple[Shape, ...]) -> Iterator[Shape]:
    for shape in shapes:
        yield replace(shape, box=_mirrored(shape.box))


def mirror(item: Item) -> Item:
    """An item as it stands in a deck that is read from right to left."""
    if isinstance(item, GroupBox):
        return GroupBox(
            item.name, tuple(replace(member, box=_mirrored(member.box)) for member in item.items)
        )
    if isinstance(item, Connector):
        return replace(item, x1=FRAME_WIDTH - item.x1, x2=FRAME_WIDTH - item.x2)
    if isinstance(item, PictureBox):
        room = None if item.room is None else _mirrored(item.room)
        return replace(item, box=_mirrored(item.box), room=room)
    return replace(item, box=_mirrored(item.box))


def _mirrored(box: Box) -> Box:
    return Box(FRAME_WIDTH - box.right, box.top, FRAME_WIDTH - box.left, box.bottom)
