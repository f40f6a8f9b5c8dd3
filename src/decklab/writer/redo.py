"""One slide of a kept plan made anew by a wish, such as "shorter, as a timeline".

Without a model wishes are fulfilled by program. With one the page is asked anew with the wish and
the passages that a search found; quotes and numbers are looked up, as for every page.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import ValidationError

from decklab.board.blueprint import DeckPlan, Point, SlidePlan, first_fault
from decklab.board.library import LAYOUTS
from decklab.core.errors import PlanError
from decklab.documents.knowledge import KnowledgeBase
from decklab.documents.retrieval import retrieve, search_words
from decklab.documents.sections import Passage
from decklab.documents.sentences import sentences
from decklab.documents.shortening import point_text, standing
from decklab.models.asking import Ask, Usage
from decklab.writer.outline import Outline, OutlinePage, VisualRef
from decklab.writer.own_pictures import read_pictures, with_pictures
from decklab.writer.request import WriteOptions
from decklab.writer.rewriting import PageRewriter
from decklab.writer.slides import deck_plan
from decklab.writer.wishes import (
    SAYABLE,
    Wished,
    in_layout,
    read_wishes,
    rebuilt,
    shortened,
    without_chart,
    without_picture,
)

_MORE_POINTS = 2
_STANDS = 0.7
"""How well a sentence stands by itself that is added to a slide. Ours."""
_LIKE = 0.6
"""Share of the words of a sentence above which the deck says it already. Ours."""


@dataclass(frozen=True)
class Redone:
    """A slide made anew; ``told`` is what it lost, ``usage`` what a model cost."""

    slide: SlidePlan
    told: tuple[str, ...] = ()
    usage: Usage = field(default_factory=Usage)


@dataclass(frozen=True)
class Redoing:
    """Inputs for a new slide: the deck's plan, its sources, and a folder for pictures."""

    plan: DeckPlan
    sources: KnowledgeBase
    options: WriteOptions
    pictures: Path
    fault_of: Callable[[SlidePlan], str | None] = lambda _slide: None
    """Why a slide that a model wrote does not fit its page; None if it fits."""

    def redone(self, place: int, wish: str, ask: Ask | None) -> Redone:
        """The slide at a place of the plan, from 0, as it is wished for.

        Raises PlanError where the wish is not understood (without a model) or cannot be fulfilled;
        Unanswered where a model gives no usable page, and ModelError where it cannot be asked.
        """
        slide = self.plan.slides[place]
        wishes, unknown = read_wishes(wish)
        told: tuple[str, ...] = ()
        usage = Usage()
        if not wish.strip():
            raise PlanError(f"say what the slide should be, such as: {SAYABLE}")
        if ask is not None:
            slide, usage = self._written(place, wish, ask)
            wishes = [one for one in wishes if one in LAYOUTS or one.startswith("without")]
        elif unknown:
            raise PlanError(f"without a model {unknown[0]!r} is not understood; say: {SAYABLE}")
        for one in sorted(wishes, key=lambda one: one in LAYOUTS):
            if ask is not None and one == slide.layout:
                continue
            try:
                made = in_layout(slide, one) if one in LAYOUTS else self._changed(slide, one)
            except ValidationError as error:
                raise PlanError(f"the slide cannot be made so: {first_fault(error)}") from error
            slide, told = made.slide, (*told, *made.told)
        return Redone(slide, told, usage)

    def _changed(self, slide: SlidePlan, name: str) -> Wished:
        makers: dict[str, Callable[[SlidePlan], Wished]] = {
            "shorter": shortened, "without picture": without_picture, "longer": self._longer,
            "without chart": without_chart, "with picture": self._with_picture,
        }  # fmt: skip
        return makers[name](slide)

    def _longer(self, slide: SlidePlan) -> Wished:
        """A slide with up to two more points, sentences of the sources that fit it best."""
        if not slide.body:
            raise PlanError("longer works for slides with a list of points")
        if not self.sources.documents:
            raise PlanError("longer needs the sources: name them with --source")
        query = " ".join((slide.title, *(point.text for point in slide.body)))
        said = [set(search_words(text)) for text in _texts(self.plan)]
        points, notes = list(slide.body), [slide.notes] if slide.notes else []
        for text, quote, passage in self._sentences(query):
            words = set(search_words(text))
            if any(len(words & other) > _LIKE * min(len(words), len(other)) for other in said):
                continue
            said.append(words)
            points.append(Point(text=text))
            page = f", p. {passage.page}" if passage.page else ""
            notes.append(f"“{quote}” ({passage.document}{page})")
            if len(points) == len(slide.body) + _MORE_POINTS:
                break
        if len(points) == len(slide.body):
            raise PlanError("the sources have nothing more to say on this slide")
        update = {"body": tuple(points), "notes": "\n".join(notes)}
        return Wished(slide.model_copy(update=update))

    def _sentences(self, query: str) -> Iterator[tuple[str, str, Passage]]:
        """Sentences of the passages that fit a query, as points, with their quotes."""
        for passage in retrieve(self.sources, query):
            for sentence in sentences(passage.quote):
                text = point_text(sentence)
                stands = text and standing(sentence) >= _STANDS
                if stands and self.sources.find_quote(sentence) is not None:
                    yield text, sentence, passage

    def _with_picture(self, slide: SlidePlan) -> Wished:
        """A slide with the figure of the sources whose caption shares most words with it."""
        if slide.picture is not None:
            raise PlanError("the slide has a picture already")
        if self.options.pictures:
            return self._with_own_picture(slide)
        words = set(search_words(" ".join(slide.texts)))
        used = {one.picture.path for one in self.plan.slides if one.picture}
        rated = [
            (len(words & set(search_words(figure.caption))), figure)
            for figure in self.sources.figures
        ]
        rated = [(shared, figure) for shared, figure in rated if shared]
        for _, figure in sorted(rated, key=lambda one: -one[0]):
            visual = VisualRef(kind="figure", document=figure.document, number=figure.number)
            shown = self._page(OutlinePage(title=slide.title, visual=visual))
            if shown.picture is None or shown.picture.path in used:
                continue
            body = slide.body or in_layout(slide, "body").slide.body
            fields = {"layout": "picture_right", "picture": shown.picture, "body": body}
            return Wished(rebuilt(slide, {**fields, "source": shown.source}))
        raise PlanError("no figure of the sources has a caption that fits the slide")

    def _with_own_picture(self, slide: SlidePlan) -> Wished:
        """A slide with the picture of the user's folder that fits it, and is on no other."""
        used = {one.picture.path for one in self.plan.slides if one.picture}
        pictures, _ = read_pictures(self.options.pictures, self.pictures)
        free = [one for one in pictures if str(one.path) not in used]
        alone = self.plan.model_copy(update={"slides": (slide,)})
        made = with_pictures(alone, free, self.options.theme)[0].slides[0]
        if made.picture is None:
            raise PlanError("no picture of the folder fits the slide and its text")
        return Wished(made)

    def _page(self, page: OutlinePage) -> SlidePlan:
        outline = Outline(title=self.plan.title, language=self.plan.language, pages=(page,))
        return deck_plan(outline, self.sources, self.pictures).slides[0]

    def _written(self, place: int, wish: str, ask: Ask) -> tuple[SlidePlan, Usage]:
        """The slide as a model writes it, with what it showed beside its text."""
        slide = self.plan.slides[place]
        if slide.shown_role in ("opening", "contents", "section"):
            raise PlanError(f"a {slide.layout} slide is not written by a model")
        rewriter = PageRewriter(self.sources, self.options, self.pictures, self.fault_of)
        made, usage = rewriter.rewritten(self.plan, place, wish, ask)
        return made or slide, usage


def replaced(plan: DeckPlan, place: int, slide: SlidePlan) -> DeckPlan:
    """A plan with another slide at a place."""
    slides = (*plan.slides[:place], slide, *plan.slides[place + 1 :])
    return plan.model_copy(update={"slides": slides})


def _texts(plan: DeckPlan) -> list[str]:
    return [text for slide in plan.slides for text in slide.texts]
