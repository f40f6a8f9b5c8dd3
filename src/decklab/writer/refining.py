"""Mending a deck as it is drawn, in rounds: paper 004, section V-C.

Each round makes one change to every slide with a defect that a program finds, and, with a model, to
every slide that a reader of the whole deck would change. A change is kept if the slide has fewer
defects, or as many and the model prefers its picture to the one before, whichever it sees first.
The rounds end when nobody would change anything, when no change is kept, or after five, and never
with a worse deck than they began with.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final

from decklab.board.blueprint import DeckPlan, SlidePlan
from decklab.board.pages.layout import LaidOutDeck, lay_out_deck
from decklab.board.themes import DesignTheme
from decklab.core.errors import PlanError
from decklab.models.asking import Usage
from decklab.writer.deck_reading import DeckReader
from decklab.writer.defects import WEIGHTS, DefectFinder, DrawnDefects, SlideDefect, slide_weights
from decklab.writer.patches import PatchedSlide, patches_by_rule

MOST_ROUNDS: Final = 5
"""Paper 004, appendix C."""


@dataclass(frozen=True)
class RefineRound:
    """One round: what the defects counted before and after it, and the changes that it kept."""

    before: int
    after: int
    kept: tuple[str, ...]
    undone: tuple[str, ...]
    """Changes that made nothing better."""


@dataclass(frozen=True)
class RefinedDeck:
    """The best state of a deck that was reached, and what is still wrong with it."""

    plan: DeckPlan
    pages: LaidOutDeck
    defects: tuple[SlideDefect, ...] = ()
    rounds: tuple[RefineRound, ...] = ()
    not_run: tuple[str, ...] = ()
    """Checks that could not be made, and why."""
    told: tuple[str, ...] = ()
    """Requests of a model that were refused."""
    usage: Usage = field(default_factory=Usage)

    @property
    def changes(self) -> tuple[str, ...]:
        """All changes that were kept, in order."""
        return tuple(line for turn in self.rounds for line in turn.kept)

    def as_json(self) -> dict[str, Any]:
        """The same as plain data, without the deck."""
        return {
            "weights": dict(WEIGHTS),
            "rounds": [vars(turn) for turn in self.rounds],
            "left": [vars(item) for item in self.defects],
            "not_run": list(self.not_run),
            "refused": list(self.told),
        }  # fmt: skip


def refine(
    plan: DeckPlan,
    theme: DesignTheme,
    finder: DefectFinder,
    *,
    reader: DeckReader | None = None,
    icons: bool = False,
    tell: Callable[[str], None] = lambda _line: None,
) -> RefinedDeck:
    """Mend the defects of a deck; ``reader`` is a model that reads it and writes pages anew, else
    rules choose the changes.

    Raises PlanError where the plan itself cannot be laid out, and what ``reader`` and ``finder``
    raise.
    """
    return _Refining(theme, finder, reader, icons, tell).refined(plan)


@dataclass(frozen=True)
class _State:
    plan: DeckPlan
    pages: LaidOutDeck
    looked: DrawnDefects
    origins: tuple[int, ...]
    """For each slide of the plan the slide of the plan before that it is of."""

    def weights(self) -> Counter[int]:
        """Counts of defects by the slides of the plan before."""
        counted: Counter[int] = Counter()
        for at, weight in slide_weights(self.pages, self.looked.defects).items():
            counted[self.origins[at]] += weight
        return counted

    def picture(self, at: int) -> bytes | None:
        """The picture of the first slide that shows a slide of the plan before."""
        places = [self.origins[place] for place in self.pages.places]
        return self.looked.pictures.get(places.index(at) + 1) if at in places else None


class _Refining:
    def __init__(
        self,
        theme: DesignTheme,
        finder: DefectFinder,
        reader: DeckReader | None,
        icons: bool,
        tell: Callable[[str], None],
    ) -> None:
        self._theme, self._finder, self._reader = theme, finder, reader
        self._icons, self._tell = icons, tell
        self._tried: Counter[str] = Counter()
        """How many changes by rule a slide had, by its content."""

    def refined(self, plan: DeckPlan) -> RefinedDeck:
        best = self._state(plan, tuple(range(len(plan.slides))))
        rounds: list[RefineRound] = []
        while len(rounds) < MOST_ROUNDS and (changes := self._changes(best, len(rounds) + 1)):
            before = best.looked.weight
            state, kept = self._with(best, changes)
            undone = {at: change for at, change in changes.items() if at not in kept}
            if state is None or state.looked.weight > before:
                rounds.append(RefineRound(before, before, (), _lines(changes)))
                break
            rounds.append(RefineRound(before, state.looked.weight, _lines(kept), _lines(undone)))
            best = state
        reader = self._reader
        return RefinedDeck(
            best.plan, best.pages, best.looked.defects, tuple(rounds),
            (*best.looked.not_run, *(reader.not_run if reader else ())),
            tuple(reader.told) if reader else (), reader.usage if reader else Usage(),
        )  # fmt: skip

    def _state(self, plan: DeckPlan, origins: tuple[int, ...]) -> _State:
        pages = lay_out_deck(plan, self._theme, icons=self._icons)
        return _State(plan, pages, self._finder.look(pages), origins)

    def _with(
        self, best: _State, changes: Mapping[int, PatchedSlide]
    ) -> tuple[_State | None, Mapping[int, PatchedSlide]]:
        """The deck with the changes of those slides that got better by them, and these changes;
        None if there are none."""
        tried = self._tried_state(best.plan, changes)
        if tried is None:
            return None, {}
        before, after = slide_weights(best.pages, best.looked.defects), tried.weights()
        kept = {
            at: change
            for at, change in changes.items()
            if after[at] < before.get(at, 0)
            or (
                after[at] == before.get(at, 0) and self._is_preferred(best, tried, at, change.words)
            )
        }
        if len(kept) == len(changes):
            return tried, kept
        return (self._tried_state(best.plan, kept) if kept else None), kept

    def _is_preferred(self, best: _State, tried: _State, at: int, wish: str) -> bool:
        """Whether the model prefers the new picture of a slide, in both orders."""
        old = _State(best.plan, best.pages, best.looked, tuple(range(len(best.plan.slides))))
        pictures = old.picture(at), tried.picture(at)
        same = pictures[0] == pictures[1]
        if self._reader is None or same or pictures[0] is None or pictures[1] is None:
            return False
        return self._reader.prefers(wish, pictures[0], pictures[1])

    def _tried_state(self, plan: DeckPlan, changes: Mapping[int, PatchedSlide]) -> _State | None:
        """The deck with some changes; None where it cannot be laid out."""
        slides: list[SlidePlan] = []
        origins: list[int] = []
        for at, slide in enumerate(plan.slides):
            made = changes[at].slides if at in changes else (slide,)
            slides += made
            origins += [at] * len(made)
        try:
            return self._state(
                plan.model_copy(update={"slides": tuple(slides)}), tuple(origins)
            )  # fmt: skip
        except PlanError:
            return None

    def _changes(self, best: _State, number: int) -> dict[int, PatchedSlide]:
        """One change for each slide of the plan that has a defect or that a reader would change."""
        faults: dict[int, list[SlideDefect]] = {}
        for defect in best.looked.defects:
            if defect.slide is not None:
                faults.setdefault(best.pages.places[defect.slide - 1], []).append(defect)
        if not faults and self._reader is None:
            return {}
        self._tell(f"refine, round {number}")
        changes = self._by_model(best, faults) if self._reader else {}
        for at in sorted(faults):
            change = changes.get(at) or self._by_rule(best.plan.slides[at], at)
            if change is not None:
                changes[at] = change
        return changes

    def _by_model(
        self, best: _State, faults: Mapping[int, Sequence[SlideDefect]]
    ) -> dict[int, PatchedSlide]:
        """The pages that a model writes anew: those with defects, and those of its remarks."""
        assert self._reader is not None, "asked only where there is a model"
        first = {place: number for number, place in reversed(list(enumerate(best.pages.places, 1)))}
        pictures = {at: picture for at, number in first.items()
                    if (picture := best.looked.pictures.get(number))}  # fmt: skip
        words = {at: "; ".join(f"{item.kind}: {item.detail}" for item in items)
                 for at, items in faults.items()}  # fmt: skip
        wishes = self._reader.wishes(best.plan, words, best.looked.pictures, best.pages.places)
        changes: dict[int, PatchedSlide] = {}
        for at, wish in wishes.items():
            slide = self._reader.rewritten(best.plan, at, wish, pictures.get(at))
            if slide is not None:
                changes[at] = PatchedSlide((slide,), f"slide {at + 1} of the plan: {wish}")
        return changes

    def _by_rule(self, slide: SlidePlan, at: int) -> PatchedSlide | None:
        """The next change by rule that was not tried on the slide yet."""
        key = slide.model_dump_json()
        number = self._tried[key]
        self._tried[key] += 1
        change = next(islice(patches_by_rule(slide), number, None), None)
        if change is None:
            return None
        return PatchedSlide(change.slides, f"slide {at + 1} of the plan: {change.words}")


def _lines(changes: Mapping[int, PatchedSlide]) -> tuple[str, ...]:
    return tuple(changes[at].words for at in sorted(changes))
