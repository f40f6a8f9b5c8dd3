"""A plan laid out in a template: each slide in the layout that holds it, one scale for the deck."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

from decklab.board.blueprint import DeckPlan, Point, SlidePlan, Step
from decklab.board.chart_looks import chart_table
from decklab.board.marked_text import spans_of
from decklab.board.pages.pictures import picture_size
from decklab.board.slots.measuring import PlaceText, air_of, fitted, look_of, measured
from decklab.board.slots.parts import NOTHING, Avoided, DrawnPart, PageUse, draw_parts, page_scale
from decklab.board.splitting import MOST_PARTS, split
from decklab.board.templates.margins import holds, within_margins
from decklab.board.templates.pages import LEAST_TITLE, TYPED, FilledSlide, PageInTemplate
from decklab.board.templates.palette import theme_of
from decklab.board.templates.placeholder_assignment import (
    STANDING,
    Missing,
    free_assignment,
    placeholder_assignments,
)
from decklab.board.templates.places import DeckTemplate, LayoutPlace, TemplateLayout, levels_of
from decklab.board.templates.uses import use_table
from decklab.board.themes import LEAST_PT, READABLE
from decklab.core.colors import contrast_ratio

COMFORTABLE: Final = 16.0
"""Points that body text has at least, as long as a slide can be split instead."""

_MOST_SPACIOUS_PARTS = 3
_TEXT_TO_TITLE, _BELOW_TITLE = 0.8, 0.9
"""The most that text has of the size of the deck's titles, and of its own slide's. Ours."""
_LEAST_SHARED = 0.65
"""Share of the usual size of titles down to which all are set as the longest needs it. Ours."""
_NOT_HELD_DOWN = 20.0
_MOST_GROWN = 28.0
_FULL = 0.85
"""Share of its place up to which text grows beyond the template's size. Ours."""
_SPARSE, _LARGER = 0.5, 4.0
"""Share of its place up to which a text is of few words, and by how many points it may be larger
than the others. Ours."""
_LATER, _LATER_COVER = 0.5, 9.0
_USED_AGAIN, _ODD_TITLE = 0.4, 3.0
"""Costs of the next best place, also for slides that are hardly more than a title, of a page for
each slide that is on it, and of a title unlike those of most, crossed by a drawing or hard to read.
Ours."""
_FEW = range(2, 4)
"""How many points become cards where they leave much of their place empty. Ours."""
_BESIDE_CONTENT = ("title", "subtitle", "footer", "number")


@dataclass(frozen=True)
class Unheld:
    """Content for which the template had no place, and its substitute."""

    slide: int
    what: str
    why: str
    instead: str

    def __str__(self) -> str:
        return f"slide {self.slide}: {self.what}: {self.why}; {self.instead}"


@dataclass(frozen=True)
class UsedPage:
    """Which slide of an example a new slide follows."""

    slide: int
    """Number of the new slide."""
    example: int | None
    """Number of the example; None for a new slide on a layout."""
    layout: str
    """Name of the layout."""


@dataclass(frozen=True)
class Filled:
    """A deck laid out in a template. ``unheld`` is what the template has no place for."""

    plan: DeckPlan
    template: DeckTemplate
    slides: tuple[FilledSlide, ...]
    unheld: tuple[Unheld, ...]

    @property
    def used(self) -> tuple[UsedPage, ...]:
        """For each slide which slide of an example it follows, on which layout."""
        return tuple(UsedPage(number, slide.layout.slide or None, slide.layout.name)
                     for number, slide in enumerate(self.slides, start=1))  # fmt: skip

    @property
    def stays(self) -> tuple[str, ...]:
        """Words of an example that repeat on most of its slides and stay, such as a company's
        name."""
        shown = (text for slide in self.slides for text in slide.layout.shapes.stays)
        return tuple(dict.fromkeys(shown))

    def holds(self, slide: int, text: str) -> bool:
        """Whether words on a slide are no statement of the plan: they stay or count something."""
        plain = " ".join(text.split())
        numbered = plain == str(slide) and self.slides[slide - 1].layout.shapes.numbers
        return bool(numbered) or any(plain in words for words in self.stays)

    def as_json(self) -> dict[str, Any]:
        """The parts of an example that were used, and what it could not show, as plain data."""
        return {
            "used": [asdict(one) for one in self.used],
            "facts": [str(fact) for fact in self.unheld],
            "stays": list(self.stays),
        }

    @property
    def pages(self) -> tuple[PageUse, ...]:
        """For each slide which slide of the plan it shows, on which layout."""
        return tuple(PageUse(slide.of, slide.layout.key) for slide in self.slides)


def fill(plan: DeckPlan, template: DeckTemplate, avoided: Avoided = NOTHING) -> Filled:
    """Lay out every slide of a plan in a template, none on a layout that it should avoid if there
    is another.

    Text steps down from the template's size, never below 12 pt; a slide that holds more is split.
    What no number of slides holds stands in the notes, and is told. Raises PlanError, naming the
    file, for a picture that cannot be read; Unavailable where uharfbuzz or fontconfig is missing,
    and what the browser raises where something stands free.
    """
    for picture in (picture for slide in plan.slides for picture in slide.all_pictures):
        picture_size(picture.path)
    filler = _Filler(plan, template)
    slides = [
        replace(made, of=number)
        for number, slide in enumerate(plan.slides)
        for made in filler.made(slide, avoided.get(number, frozenset()))
    ]  # fmt: skip
    scale = page_scale(template.size)
    most = _text_size(slides, plan.language, scale) / scale
    slides = _one_scale(filler.drawn(_bounded(slides, most)), plan.language, scale)
    unheld = {
        (item.what, item.why, item.instead, _once(item, number)): Unheld(
            number, item.what, item.why, item.instead
        )
        for number, slide in reversed(list(enumerate(slides, start=1)))
        for item in (*_without_page(slide, template), *slide.missing, *_without_equations(slide))
    }
    told = sorted(unheld.values(), key=lambda item: item.slide)
    return Filled(plan, template, tuple(slides), tuple(told))


def _without_page(slide: FilledSlide, template: DeckTemplate) -> Iterator[Missing]:
    """The message for a slide that no page of an example holds."""
    if template.is_example and not slide.layout.slide:
        instead = f"it is a new one on the layout {slide.layout.name!r}"
        yield Missing("the slide", "no slide of the example suits it", instead)


def _without_equations(slide: FilledSlide) -> Iterator[Missing]:
    """The message for formulas in the placeholders of a slide."""
    lines = [line.text for text in slide.texts for line in text.lines]
    if any(span.formula for line in lines for span in spans_of(line)):
        yield Missing(
            "the formulas", "placeholders are filled with letters", "they stand in a line"
        )


def _once(item: Missing, number: int) -> int:
    """Where a fact is told: of footers once a deck, of others on each slide."""
    return 0 if item.what == "the footer" else number


def _one_scale(slides: list[FilledSlide], language: str, scale: float) -> list[FilledSlide]:
    """Titles of one size and texts of one, but for slides that need smaller ones.

    Titles that the template sets alike take the size that the longest fits at, but for those far
    longer than the others. Room that stays empty below texts goes between their paragraphs.
    """
    usual = _title_sizes(slides)
    size = _text_size(slides, language, scale)

    def settled(text: PlaceText, title: PlaceText) -> PlaceText:
        if text.place.kind != "title" and not _runs(text):
            return text
        below = max(_BELOW_TITLE * title.size, _NOT_HELD_DOWN * scale)
        wanted = usual[_full(text)] if text.place.kind == "title" else min(size, below)
        if _runs(text) and _fill(_at_size(text, wanted), language) < _SPARSE:
            most = min(wanted + _LARGER * scale, below, _MOST_GROWN * scale)
            wanted = _grown([text], wanted, most, language)
        factor = wanted / _full(text)
        if text.factor <= factor and text.place.kind == "title":
            return text
        if text.factor <= factor and text.size < wanted:
            return _at_size(text, _grown([text], text.size, wanted, language))
        return fitted(text, language, start=factor)[0]

    return [
        slide if _stands_alone(slide)
        else replace(slide, texts=_aired(
            _alike([settled(text, slide.texts[0]) for text in slide.texts]), language
        ))
        for slide in slides
    ]  # fmt: skip


def _bounded(slides: Sequence[FilledSlide], most: float) -> list[FilledSlide]:
    """Slides whose free parts have text of at most so many points of a page."""
    return [
        slide if slide.part is None
        else replace(slide, part=slide.part.model_copy(update={"most": most}))
        for slide in slides
    ]  # fmt: skip


def _title_sizes(slides: Sequence[FilledSlide]) -> dict[float, float]:
    """The size of titles by the size that the template has for them, the usual one first."""
    grouped: dict[float, list[float]] = {}
    for slide in slides:
        for text in slide.texts if not _stands_alone(slide) else ():
            if text.place.kind == "title":
                grouped.setdefault(_full(text), []).append(text.size)
    ordered = sorted(grouped, key=lambda full: -len(grouped[full]))
    return {full: _shared(grouped[full]) for full in ordered}


def _text_size(slides: Sequence[FilledSlide], language: str, scale: float) -> float:
    """The size of running text: the median of the sizes that texts fit at, above 20 pt at most 0.8
    of the titles'; a larger one up to 28 pt as long as all fit in most of their places."""
    running = [text for slide in slides for text in slide.texts
               if _runs(text) and not _stands_alone(slide)]  # fmt: skip
    title_size = next(iter(_title_sizes(slides).values()), LEAST_TITLE * scale)
    most = max(_TEXT_TO_TITLE * title_size, _NOT_HELD_DOWN * scale)
    sizes = sorted(text.size for text in running)
    size = min(most, sizes[len(sizes) // 2]) if sizes else most
    return _grown(running, size, min(_MOST_GROWN * scale, most), language)


def _at_size(text: PlaceText, size: float) -> PlaceText:
    """A text with its outermost paragraphs at a size in points."""
    return replace(text, factor=size / _full(text))


def _shared(sizes: Sequence[float]) -> float:
    """The smallest of some sizes that is not far below the middle one, nor far above another."""
    middle = sorted(sizes)[len(sizes) // 2]
    shared = min(size for size in sizes if size >= _LEAST_SHARED * middle)
    return min(shared, min(sizes) / _LEAST_SHARED)


def _full(text: PlaceText) -> float:
    """The template's size of a text in points."""
    return look_of(text.place, 0).size


def _grown(running: Sequence[PlaceText], size: float, most: float, language: str) -> float:
    """The largest size at which no text that fits at ``size`` fills its place."""
    free = [text for text in running if text.size >= size]
    tried = size
    while free and tried + 1 <= most:
        tried += 1
        if any(_fill(_at_size(text, tried), language) > _FULL for text in free):
            break
        size = tried
    return size


def _fill(text: PlaceText, language: str) -> float:
    """The share of its place's height that a text takes."""
    return measured(text, language)[0] / max(text.room.height, 1.0)


def _alike(texts: Sequence[PlaceText]) -> list[PlaceText]:
    """Texts of a slide, its columns at the size of the smallest."""
    columns = [text for text in texts if text.name.startswith("Column")]
    size = min((text.size for text in columns), default=0.0)
    return [_at_size(text, size) if text in columns else text for text in texts]


def _aired(texts: Sequence[PlaceText], language: str) -> tuple[PlaceText, ...]:
    """Texts of a slide with its empty room shared out between their paragraphs, alike in all."""
    running = [text for text in texts if _runs(text) and _parts(text) > 1]
    air = min((air_of(text, text.room.height, language) for text in running), default=0.0)
    return tuple(replace(text, air=air) if _runs(text) else text for text in texts)


def _parts(text: PlaceText) -> int:
    """How many outermost paragraphs it has."""
    return sum(not line.level for line in text.lines)


def _runs(text: PlaceText) -> bool:
    return text.name.startswith(("Text", "Column"))


def _stands_alone(slide: FilledSlide) -> bool:
    return slide.plan.layout in STANDING


def _as_text(slide: SlidePlan) -> SlidePlan:
    """An ending with more words than such a layout holds, as a slide of text."""
    words = (slide.subtitle, *(point.text for point in slide.body), slide.byline)
    points = tuple(Point(text=text) for text in words if text)
    change = {"layout": "body", "subtitle": None, "byline": None, "body": points}
    return slide.model_copy(update=change)


def _title_look(layout: TemplateLayout) -> tuple[object, ...]:
    """How the title of a page is set."""
    look = None if layout.title is None else look_of(layout.title, 0)
    if look is None:
        return ()
    return round(look.size), look.bold, look.italic, look.color, look.align


def _is_weak(place: LayoutPlace) -> bool:
    """Whether a place's text has too little contrast with the colour behind it."""
    color, ground = place.levels[0].color, place.ground
    return ground is not None and contrast_ratio(levels_of(color), levels_of(ground)) < READABLE


class _Filler:
    """Fills the slides of one plan."""

    def __init__(self, plan: DeckPlan, template: DeckTemplate) -> None:
        self._plan, self._template = plan, within_margins(template)
        self._table = use_table(self._template)
        self._scale = page_scale(template.size)
        self._least = LEAST_PT * self._scale
        self._used: list[str] = []
        bodies, bare = (self._table.layouts[use] for use in ("body", "title_only"))
        pages = [one for one in bodies if one.slide] or [one for one in bare if one.slide]
        looks = Counter(map(_title_look, pages)).most_common(1)
        self._usual_title = looks[0][0] if looks else None

    def made(self, slide: SlidePlan, avoid: frozenset[str]) -> list[FilledSlide]:
        """The slide, or the fewest parts of it that hold their text; what none hold is noted."""
        problems: list[str] = []
        comfortable = COMFORTABLE * self._scale
        for least, most in ((comfortable, _MOST_SPACIOUS_PARTS), (self._least, MOST_PARTS)):
            for count in range(1, most + 1):
                parts = split(slide, count)
                if len(parts) != count:
                    continue
                made = [self._best(part, least, avoid) for part in parts]
                problems = [problem for part in made for problem in part.problems]
                if not problems:
                    made = self._as_cards(made, avoid)
                    self._used += [part.layout.key for part in made]
                    return made
        if slide.layout in STANDING and slide.body:
            return self.made(_as_text(slide), avoid)
        return [self._noted(slide, problems[0])]

    def _as_cards(self, made: list[FilledSlide], avoid: frozenset[str]) -> list[FilledSlide]:
        """A slide of a few points that would fill less than half of their place, as cards."""
        plan = made[0].plan
        bullets = all(
            point.mark == "•" and not point.level and TYPED.match(point.text) is None
            for point in plan.body
        )
        few = plan.layout == "body" and len(plan.body) in _FEW and plan.key is None
        if len(made) > 1 or not (few and bullets) or plan.subtitle or plan.shown_source:
            return made
        text = next((text for text in made[0].texts if _runs(text)), None)
        size = _NOT_HELD_DOWN * self._scale
        if text is None or _fill(_at_size(text, size), self._plan.language) > _SPARSE:
            return made
        cards = tuple(Step(label=point.text) for point in plan.body)
        change = {"layout": "cards", "body": (), "cards": cards}
        drawn = self._best(plan.model_copy(update=change), self._least, avoid)
        return made if drawn.problems else [drawn]

    def _best(
        self, slide: SlidePlan, least: float, avoid: frozenset[str] = frozenset()
    ) -> FilledSlide:
        """The slide in the first layout that holds it, else in the best one with its problems."""
        ways = placeholder_assignments(
            slide, self._template, self._table, mirrored=self._plan.right_to_left
        )  # fmt: skip
        ways = [one for one in ways if one.layout.key not in avoid] or ways
        made = [PageInTemplate(self._plan, slide, way, least).made() for way in ways]
        later = _LATER_COVER if slide.layout in STANDING else _LATER
        sound = [(later * place + one.cost + self._habit(one), place)
                 for place, one in enumerate(made) if not one.problems]  # fmt: skip
        return made[min(sound)[1]] if sound else made[0]

    def _habit(self, slide: FilledSlide) -> float:
        """Cost of a page of an example, or of a layout instead, by its title and how often it is
        used."""
        layout = slide.layout
        if self._usual_title is None or _stands_alone(slide):
            return 0.0
        title, around = slide.texts[0], slide.texts[0].room
        crossed = any(box.intersection(around).area > 0 and not holds(box, around)
                      for _id, box in layout.shapes.blocks)  # fmt: skip
        odd = (_title_look(layout) != self._usual_title) + crossed + _is_weak(title.place)
        return _USED_AGAIN * self._used.count(layout.key) + _ODD_TITLE * odd

    def _noted(self, slide: SlidePlan, why: str) -> FilledSlide:
        """A slide whose content stands in its notes: its title and what fits beside it."""
        made = self._best(slide, self._least)
        rows = () if slide.table is None else (slide.table.header, *slide.table.rows)
        words = (*slide.texts[1:], *(" | ".join(row) for row in rows))
        kept = tuple(text for text in made.texts if text.place.kind in _BESIDE_CONTENT)
        missing = Missing("the content", why, "it stands in the notes")
        return replace(
            made, texts=kept, part=None, held=None, problems=(),
            missing=(*made.missing, missing), more_notes=(*made.more_notes, *words),
        )  # fmt: skip

    def drawn(self, slides: Sequence[FilledSlide]) -> list[FilledSlide]:
        """The slides with what stands free laid out by the browser, layout by layout; a slide
        whose free part takes several pages becomes as many."""
        groups: dict[int, list[int]] = {}
        for number, slide in enumerate(slides):
            if slide.part is not None:
                groups.setdefault(slide.layout.number, []).append(number)
        made = {number: [slide] for number, slide in enumerate(slides)}
        for numbers in groups.values():
            made |= self._laid_out({number: slides[number] for number in numbers})
        return [replace(part, of=slide.of) for number, slide in enumerate(slides)
                for part in made[number]]  # fmt: skip

    def _laid_out(self, slides: dict[int, FilledSlide]) -> dict[int, list[FilledSlide]]:
        """Slides on one layout with their drawings, by their numbers."""
        parts = {number: slide.part for number, slide in slides.items() if slide.part is not None}
        theme = theme_of(next(iter(slides.values())).layout)
        made = {}
        for number, drawn in draw_parts(self._plan, theme, parts).items():
            slide = slides[number]
            if isinstance(drawn, str):
                made[number] = self._plainer(slide, drawn)
            elif len(drawn) == 1:
                made[number] = [replace(slide, drawing=drawn[0])]
            else:
                made[number] = [
                    self._piece(slide, part, first=not at) for at, part in enumerate(drawn)
                ]
        return made

    def _plainer(self, slide: FilledSlide, why: str) -> list[FilledSlide]:
        """A slide whose free part no page holds: all of it on the largest free area, then its
        chart as a table, then its content in the notes."""
        plan, chart = slide.plan, slide.plan.chart
        if slide.assignment.thing is not None:
            missing = Missing("what stands beside text", why, "all of it stands free")
        elif chart is not None and plan.table is None:
            missing = Missing("the chart", why, "its numbers stand in a table")
            change = {"layout": "table", "chart": None, "table": chart_table(chart),
                      "source": plan.shown_source}  # fmt: skip
            plan = plan.model_copy(update=change)
        else:
            return [self._noted(plan, why)]
        assignment = free_assignment(self._template, self._table, missing)
        made = PageInTemplate(self._plan, plan, assignment, self._least).made()
        most = slide.part.most if slide.part is not None else _MOST_GROWN
        return self.drawn(_bounded([made], most))

    def _piece(self, whole: FilledSlide, part: DrawnPart, *, first: bool) -> FilledSlide:
        """One of several slides: the first has the text beside what stands free."""
        plan = part.plan.model_copy(update={"subtitle": whole.plan.subtitle})
        if first and whole.part is not None and not whole.part.body:
            plan = plan.model_copy(update={"body": whole.plan.body})
        made = PageInTemplate(self._plan, plan, whole.assignment, self._least).made()
        return replace(made, drawing=part, missing=whole.missing if first else ())
