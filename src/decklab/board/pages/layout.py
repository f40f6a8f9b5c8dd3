"""A deck laid out by the browser: the size of each page's text, and slides that need several."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import median_high
from typing import Any, Final

from decklab.board.blueprint import DeckPlan, SlidePlan
from decklab.board.library import LAYOUTS
from decklab.board.pages.document import AreaPage, DeckPages, PageSizes
from decklab.board.pages.links import linked_parts
from decklab.board.pages.pictures import picture_size
from decklab.board.splitting import MOST_PARTS, plainer, split
from decklab.board.themes import LEAST_PT, DesignTheme, TypeScale
from decklab.core.errors import PlanError
from decklab.core.geometry import Box
from decklab.rendering.html import DEADLINE_SECONDS, Browser
from decklab.rendering.kept_browser import KEPT_BROWSER
from decklab.rendering.measured import MeasuredDeck, measured_pages

SIZES: Final = (28.0, 26.0, 24.0, 22.0, 20.0, 18.0, 16.0, 14.0, 13.0, LEAST_PT)
"""Of body text, in points; those above 20 are for pages of few words. Ours."""
_COMFORTABLE, _DENSE = 16.0, 14.0
_MOST_SPACIOUS_PARTS: Final = 4
_COMMON: Final = 24.0
"""Points of body text that a deck of few words has. Ours: as office programs set it."""
_LARGER: Final = 2.0
"""Points by which a page of few words may be larger than the deck's common size. Ours."""
_RANGE: Final = 8.0
"""Points by which the text of a page may be larger than that of another. Ours."""
_BELOW_TITLE: Final = 2.0
"""Points by which titles are larger than the largest text below them, at least. Ours."""
_ALIKE: Final = 4.0
"""Points by which titles may be smaller than the largest so that all are alike. Ours."""
_SPARSE: Final = 0.5
"""Share of its room up to which text may be twice as much larger. Ours."""
_EVEN: Final = 0.65
"""Share of the fullest card that the emptiest fills, below which cards are rows. Ours."""
_SHORT_CARD: Final = 60
"""Characters of a card without a heading that may stand beside others. Ours."""
_LED: Final = 0.6
"""Share of its room that a sentence fills with points below it; else they are beside. Ours."""
_ONE_REMARK: Final = 150
"""Characters of the only remark on a chart up to which it stands below. Ours."""
_MOST_BESIDE: Final = 3
"""Columns of a table that has remarks beside it, not below. Ours."""
_WORTH, _UNEVEN = 2.0, 8.0
"""Points of text that a form is worth beside one that is liked better, and that cards of uneven
fill cost. Ours."""
_TITLES: Final = (36.0, 34.0, 32.0, 30.0, 28.0, 26.0, 24.0, 22.0, 20.0)
_LARGE_TITLES: Final = (54.0, 50.0, 48.0, 44.0, 40.0, 36.0, 32.0, 28.0, 24.0)
_SCRIPT = Path(__file__).with_name("fit.js")


@dataclass(frozen=True)
class LaidOutDeck:
    """The pages of a deck: ``html`` shows them, ``slides`` are what each says.

    ``places`` are the numbers, from 0, of the slides of the plan that they come from.
    """

    plan: DeckPlan
    theme: DesignTheme
    slides: tuple[SlidePlan, ...]
    sizes: tuple[PageSizes, ...]
    places: tuple[int, ...]
    html: str
    measured: MeasuredDeck = field(repr=False)
    """The layout of ``html`` as the browser measured it."""


@dataclass(frozen=True)
class _Fit:
    size: float
    title: float
    form: str
    air: float
    fill: float
    full: float
    even: float
    whole: bool
    icons: bool
    steady: bool
    chart: list[float] | None
    parts: list[list[float]]
    other: "_Fit | None" = None
    """In another form that suits the page, too."""


def lay_out_deck(
    plan: DeckPlan, theme: DesignTheme, *, icons: bool = False, deadline: float = DEADLINE_SECONDS
) -> LaidOutDeck:
    """The pages of a plan under a theme, with sizes at which all words fit.

    A slide that does not hold its words at 16 points becomes several; a body title takes at most
    two lines. With ``icons`` cards, steps and numbers have one if their words name one and the
    page holds them at the same size. Raises PlanError, naming the slide, for a picture that cannot
    be read and for a slide that no number of pages holds, and what the browser raises.
    """
    pages = DeckPages(plan, theme, icons)
    return KEPT_BROWSER.run(
        lambda browser, file: _Layout(pages, browser, file).deck(), deadline=deadline
    )


def stay_whole(plan: DeckPlan, theme: DesignTheme) -> tuple[bool, ...]:
    """Whether each slide of a plan holds its words on one page, none smaller than 16 points.

    Raises what the browser raises.
    """
    pages = DeckPages(plan, theme)
    return KEPT_BROWSER.run(lambda browser, file: _Layout(pages, browser, file).whole())


@dataclass
class _Layout:
    pages: DeckPages
    browser: Browser
    file: Path

    def whole(self) -> tuple[bool, ...]:
        slides = self.pages.plan.slides
        return tuple(
            bool(fit.title) and fit.size >= _comfortable(slide)
            for slide, fit in zip(slides, self._fitted(slides), strict=True)
        )

    def deck(self) -> LaidOutDeck:
        plan = self.pages.plan
        _check_pictures(plan)
        parts, fits = self._parts()
        slides = [part for group in parts for part in group]
        flat = _unlike([fit for group in fits for fit in group], slides)
        places = [number for number, group in enumerate(parts) for _part in group]
        sizes = self._sizes(slides, flat)
        again = [
            number
            for number, (slide, fit) in enumerate(zip(slides, flat, strict=True))
            if sizes[number].text != fit.size or slide.all_charts or linked_parts(slide)
        ]
        settled = self._measured([slides[at] for at in again], [sizes[at] for at in again], True)
        for at, fit in zip(again, settled, strict=True):
            sizes[at] = _settled(sizes[at], fit)
        self._check_charts(slides, sizes, places)
        html = self.pages.html(slides, sizes)
        self.file.write_text(html, encoding="utf-8")
        self.browser.visit(self.file)
        measured = measured_pages(self.browser, [self.file], self.file)
        return LaidOutDeck(
            plan, self.pages.theme, tuple(slides), tuple(sizes), tuple(places), html, measured
        )

    def _parts(self) -> tuple[list[list[SlidePlan]], list[list[_Fit]]]:
        """Each slide in the fewest parts that hold it at a comfortable size, else at any; a
        figure that does not hold its words in a plainer layout."""
        slides = list(self.pages.plan.slides)
        fits = [[fit] for fit in self._fitted(slides)]
        full = [
            number for number, (fit,) in enumerate(fits)
            if fit.size < _comfortable(slides[number]) and LAYOUTS[slides[number].layout].plainer
        ]  # fmt: skip
        for number in full:
            slides[number] = plainer(slides[number])
        for number, fit in zip(full, self._fitted([slides[n] for n in full]), strict=True):
            fits[number] = [fit]
        parts: list[list[SlidePlan]] = [[slide] for slide in slides]
        whole = dict(enumerate(fits))
        waiting = [
            number for number, (fit,) in enumerate(fits) if fit.size < _comfortable(slides[number])
        ]
        for count in range(2, MOST_PARTS + 1):
            if count > _MOST_SPACIOUS_PARTS:
                waiting = [number for number in waiting if not whole[number][0].size]
            tried = {number: split(slides[number], count) for number in waiting}
            tried = {number: cut for number, cut in tried.items() if len(cut) == count}
            if not tried:
                continue
            measured = iter(self._fitted([part for cut in tried.values() for part in cut]))
            for number, cut in tried.items():
                group = [next(measured) for _part in cut]
                spacious = count <= _MOST_SPACIOUS_PARTS
                least = _comfortable(slides[number]) if spacious else LEAST_PT
                if all(fit.size >= least for fit in group):
                    parts[number], fits[number] = cut, group
                    waiting.remove(number)
        self._check(fits)
        return parts, fits

    def _check(self, fits: Sequence[Sequence[_Fit]]) -> None:
        for number, (slide, group) in enumerate(
            zip(self.pages.plan.slides, fits, strict=True), start=1
        ):
            if not all(fit.title for fit in group):
                raise PlanError(f"slide {number} ({slide.layout}): the title takes more than two "
                                f"lines at {_TITLES[-1]:g} pt")  # fmt: skip
            if not all(fit.size for fit in group):
                raise PlanError(f"slide {number} ({slide.layout}): the text does not fit at "
                                f"{LEAST_PT:g} pt")  # fmt: skip

    def _check_charts(
        self, slides: Sequence[SlidePlan], sizes: Sequence[PageSizes], places: Sequence[int]
    ) -> None:
        for slide, size, number in zip(slides, sizes, places, strict=True):
            problem = self.pages.chart_problem(slide, size)
            if problem is not None:
                raise PlanError(f"slide {number + 1} ({slide.layout}): Chart: {problem}")

    def _fitted(self, slides: Sequence[SlidePlan]) -> list[_Fit]:
        return self._measured(slides, [PageSizes() for _slide in slides])

    def _measured(
        self, slides: Sequence[SlidePlan], sizes: Sequence[PageSizes], settled: bool = False
    ) -> list[_Fit]:
        """The browser's measures of slides: at the best of all sizes, or at those that are
        settled."""
        if not slides:
            return []
        self.file.write_text(self.pages.html(slides, sizes), encoding="utf-8")
        self.browser.visit(self.file)
        self.browser.add_script(_SCRIPT)
        made = []
        for number, (slide, size) in enumerate(zip(slides, sizes, strict=True)):
            asked = ([size.text], [size.title], [size.form]) if settled else (
                *_scales(slide, self.pages.theme.scale), _forms(slide, icons=self.pages.icons)
            )  # fmt: skip
            fits = [_Fit(**fit) for fit in self.browser.call("fit", number, *asked)]
            made.append(_liked(fits))
        return made

    def _sizes(self, slides: Sequence[SlidePlan], fits: Sequence[_Fit]) -> list[PageSizes]:
        """Sizes of all pages: body titles are alike but for the longest, texts about the size of
        the middle page."""
        body = [
            slide.shown_role in ("body", "contents") and not LAYOUTS[slide.layout].large_title
            for slide in slides
        ]
        titles = [fit.title for fit, of_body in zip(fits, body, strict=True) if of_body]
        texts = [fit.size for slide, fit, of_body in zip(slides, fits, body, strict=True)
                 if of_body and not (slide.all_charts or LAYOUTS[slide.layout].dense)]  # fmt: skip
        largest = max(titles, default=self.pages.theme.scale.title)
        title = min((size for size in titles if size >= largest - _ALIKE), default=largest)
        common = min(median_high(texts), _COMMON) if texts else _COMMON
        most = min(texts, default=_COMMON) + _RANGE
        sparse = [fit.fill < _SPARSE and of_body for fit, of_body in zip(fits, body, strict=True)]
        most = min(most, title - _BELOW_TITLE)
        return [
            PageSizes(
                min(fit.size, common + _LARGER * (1 + few), most) if of_body else fit.size,
                min(title, fit.title) if of_body else fit.title,
                fit.air,
                fit.whole,
                fit.icons,
                sparse=few,
                form=fit.form,
                steady=fit.steady,
            )
            for fit, of_body, few in zip(fits, body, sparse, strict=True)
        ]


def _settled(size: PageSizes, fit: _Fit) -> PageSizes:
    """The sizes of a page with what the browser made of them."""
    chart = (fit.chart[0], fit.chart[1]) if fit.chart else size.chart
    parts = tuple(Box(*part) for part in fit.parts)
    return replace(size, air=fit.air, icons=size.icons and fit.icons, chart=chart, parts=parts)


def _forms(slide: SlidePlan, *, icons: bool = False) -> list[str]:
    """The forms in which a page may be drawn, the usual one first; rows have no icons."""
    forms = list(LAYOUTS[slide.layout].forms) or [""]
    if icons and "columns" in forms:
        return ["columns"]
    match slide.layout:
        case "table":
            wide = slide.table is not None and len(slide.table.header) > _MOST_BESIDE
            return [""] if not slide.body else forms[::-1] if wide else forms
        case "body":
            return forms[:2] if slide.stands_apart else ["", *forms[2:]]
        case "chart_takeaways":
            short = len(slide.body) == 1 and len(slide.body[0].text) <= _ONE_REMARK
            return forms[1:] if short else forms[:1]
        case "cards" if not any(card.text for card in slide.cards):
            short = all(len(card.label) < _SHORT_CARD for card in slide.cards)
            return ["rows", "lines", *(["columns"] if short else [])]
        case "two_columns" | "three_columns":
            return forms if all(column.heading for column in slide.columns) else forms[:1]
    return forms


def _liked(fits: Sequence[_Fit]) -> _Fit:
    """The form of a page that suits it best: with the larger text, and no card half empty; with
    another one that suits it, too."""
    usual, *others = fits
    if not others:
        return usual
    poor = [_is_uneven(fit) for fit in fits]
    worth = [fit.size - _UNEVEN * bad for fit, bad in zip(fits, poor, strict=True)]
    worth[0] += _WORTH
    best = max(range(len(fits)), key=lambda at: worth[at])
    near = [
        fit for at, fit in enumerate(fits)
        if at != best and not poor[at] and fit.size >= max(fits[best].size - _LARGER, _COMFORTABLE)
    ]  # fmt: skip
    return replace(fits[best], other=next(iter(near), None))


def _is_uneven(fit: _Fit) -> bool:
    """Whether cards beside each other would be half empty, all or some, or much stay empty below a
    sentence with a few words."""
    if fit.form == "lead":
        return fit.fill < _LED
    return fit.form == "columns" and (fit.even < _EVEN or fit.full < _EVEN)


def _unlike(fits: Sequence[_Fit], slides: Sequence[SlidePlan]) -> list[_Fit]:
    """The fits of pages, in another form if one of the two pages before is of the same kind."""
    made: list[_Fit] = []
    for at, fit in enumerate(fits):
        before = [(slides[near].layout, made[near].form) for near in range(max(at - 2, 0), at)]
        again = (slides[at].layout, fit.form) in before and fit.other is not None
        made.append(fit.other if again and fit.other else fit)
    return made


def _check_pictures(plan: DeckPlan) -> None:
    for number, slide in enumerate(plan.slides, start=1):
        for picture in slide.all_pictures:
            try:
                picture_size(picture.path)
            except PlanError as error:
                raise PlanError(f"slide {number} ({slide.layout}): {error}") from error


def _comfortable(slide: SlidePlan) -> float:
    """The least size at which a slide stays one: a table is read cell by cell, text is not, and one
    in a part of a page is the smaller for it."""
    if LAYOUTS[slide.layout].dense and isinstance(slide, AreaPage):
        return LEAST_PT
    return _DENSE if LAYOUTS[slide.layout].dense else _COMFORTABLE


def _scales(slide: SlidePlan, scale: TypeScale) -> tuple[Any, Any]:
    """The sizes that a page may have for text and title."""
    sizes: Sequence[float] = SIZES
    if slide.text_size is not None:
        sizes = [size for size in SIZES if size <= {"body": 20.0, "small": 16.0}[slide.text_size]]
    if isinstance(slide, AreaPage):
        sizes = [size for size in sizes if size <= slide.most] or sizes[-1:]
    large = LAYOUTS[slide.layout].large_title
    titles, most = (_LARGE_TITLES, scale.display) if large else (_TITLES, scale.title)
    return list(sizes), [size for size in titles if size <= most]
