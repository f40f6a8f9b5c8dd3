"""Mending what is wrong with a deck as it is drawn, in rounds: paper 004, section V-C.

Each round makes one change to every slide with defects, draws the deck anew, and keeps the changes
of those slides that got better. It ends when the deck is clean, when a round makes nothing better,
or after five rounds, and never with a worse deck than it began with.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final

from decklab.board.blueprint import LAYOUT_NAMES, DeckPlan, SlidePlan
from decklab.board.pages.layout import LaidOutDeck, lay_out_deck
from decklab.board.themes import DesignTheme
from decklab.core.errors import PlanError
from decklab.models.asking import PARALLEL, Ask, Usage, fill_prompt
from decklab.models.asking_loop import PicturesUnseen
from decklab.models.reading import Unanswered, answered
from decklab.writer.defects import WEIGHTS, DefectFinder, DrawnDefects, SlideDefect, slide_weights
from decklab.writer.patches import (
    PatchedSlide,
    PatchRefused,
    SlidePatch,
    patched,
    patches_by_rule,
    slide_for_model,
    slide_texts,
)

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
    """The best state of a deck that was found, and what is still wrong with it."""

    plan: DeckPlan
    pages: LaidOutDeck
    defects: tuple[SlideDefect, ...]
    rounds: tuple[RefineRound, ...] = ()
    not_run: tuple[str, ...] = ()
    """What could not be looked for, and why."""
    told: tuple[str, ...] = ()
    """What a model asked for that was refused."""
    usage: Usage = field(default_factory=Usage)

    @property
    def changes(self) -> tuple[str, ...]:
        """All changes that were kept, in order."""
        return tuple(line for one in self.rounds for line in one.kept)

    def as_json(self) -> dict[str, Any]:
        """The same as plain data, without the deck."""
        return {
            "weights": dict(WEIGHTS),
            "rounds": [vars(one) for one in self.rounds],
            "left": [{"slide": one.slide, "kind": one.kind, "detail": one.detail}
                     for one in self.defects],
            "not_run": list(self.not_run),
            "refused": list(self.told),
        }  # fmt: skip


def refine(
    plan: DeckPlan,
    theme: DesignTheme,
    finder: DefectFinder,
    *,
    ask: Ask | None = None,
    icons: bool = False,
    tell: Callable[[str], None] = lambda _line: None,
) -> RefinedDeck:
    """Mend the defects of a deck; a model chooses the changes where there is one, else rules do.

    Raises PlanError where the plan itself cannot be laid out, and what ``ask`` and ``finder``
    raise.
    """
    return _Refining(theme, finder, ask, icons, tell).refined(plan)


@dataclass(frozen=True)
class _State:
    plan: DeckPlan
    pages: LaidOutDeck
    found: DrawnDefects
    origins: tuple[int, ...]
    """For each slide of the plan the slide of the plan before that it is of."""

    def weights(self) -> Counter[int]:
        """What the defects count by the slides of the plan before."""
        counted: Counter[int] = Counter()
        for at, weight in slide_weights(self.pages, self.found.defects).items():
            counted[self.origins[at]] += weight
        return counted


@dataclass(frozen=True)
class _Asked:
    """The change that a model chose, what was refused, and what it cost."""

    change: PatchedSlide | None = None
    told: tuple[str, ...] = ()
    usage: Usage = field(default_factory=Usage)


class _Refining:
    def __init__(
        self,
        theme: DesignTheme,
        finder: DefectFinder,
        ask: Ask | None,
        icons: bool,
        tell: Callable[[str], None],
    ) -> None:
        self._theme, self._finder, self._ask = theme, finder, ask
        self._icons, self._tell = icons, tell
        self._usage = Usage()
        self._told: list[str] = []
        self._tried: Counter[str] = Counter()
        """How many changes by rule a slide had, by its content."""

    def refined(self, plan: DeckPlan) -> RefinedDeck:
        best = self._state(plan, tuple(range(len(plan.slides))))
        rounds: list[RefineRound] = []
        while best.found.defects and len(rounds) < MOST_ROUNDS:
            self._tell(f"refine, round {len(rounds) + 1}")
            changes = self._changes(best)
            if not changes:
                break
            tried = self._with(best, changes)
            before = best.found.weight
            if tried is None:
                rounds.append(RefineRound(before, before, (), _lines(changes)))
                break
            state, kept = tried
            undone = {at: change for at, change in changes.items() if at not in kept}
            if state is None or state.found.weight >= before:
                rounds.append(RefineRound(before, before, (), _lines(changes)))
                break
            rounds.append(RefineRound(before, state.found.weight, _lines(kept), _lines(undone)))
            best = state
        return RefinedDeck(
            best.plan,
            best.pages,
            best.found.defects,
            tuple(rounds),
            best.found.not_run,
            tuple(dict.fromkeys(self._told)),
            self._usage,
        )

    def _state(self, plan: DeckPlan, origins: tuple[int, ...]) -> _State:
        pages = lay_out_deck(plan, self._theme, icons=self._icons)
        found = self._finder.look(pages)
        self._usage += found.usage
        return _State(plan, pages, found, origins)

    def _with(
        self, best: _State, changes: Mapping[int, PatchedSlide]
    ) -> tuple[_State | None, Mapping[int, PatchedSlide]] | None:
        """The deck with the changes of those slides that got better by them, and these changes."""
        tried = self._tried_state(best.plan, changes)
        if tried is None:
            return None
        before = slide_weights(best.pages, best.found.defects)
        after = tried.weights()
        kept = {at: change for at, change in changes.items() if after[at] < before.get(at, 0)}
        if len(kept) == len(changes):
            return tried, kept
        return (self._tried_state(best.plan, kept) if kept else None), kept

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

    def _changes(self, best: _State) -> dict[int, PatchedSlide]:
        """One change for each slide of the plan with a defect, by its place."""
        faults: dict[int, list[SlideDefect]] = {}
        for one in best.found.defects:
            if one.slide is not None and one.kind != "not_inspected":
                faults.setdefault(best.pages.places[one.slide - 1], []).append(one)
        order = sorted(faults)
        asked: list[_Asked] = [_Asked()] * len(order)
        if self._ask is not None:
            with ThreadPoolExecutor(PARALLEL) as pool:
                asked = list(pool.map(lambda at: self._asked(best, at, faults[at]), order))
        changes: dict[int, PatchedSlide] = {}
        for at, said in zip(order, asked, strict=True):
            self._usage += said.usage
            self._told += said.told
            change = said.change or self._by_rule(best.plan.slides[at], at)
            if change is not None:
                changes[at] = change
        return changes

    def _by_rule(self, slide: SlidePlan, at: int) -> PatchedSlide | None:
        """The next change by rule that was not tried on the slide yet."""
        key = slide.model_dump_json()
        number = self._tried[key]
        self._tried[key] += 1
        change = next(islice(patches_by_rule(slide), number, None), None)
        return None if change is None else _named(change, at)

    def _asked(self, best: _State, at: int, faults: Sequence[SlideDefect]) -> _Asked:
        """The change that a model chooses for a slide; none, and told, where none of its answers
        can be used."""
        assert self._ask is not None, "asked only where there is a model"
        slide = best.plan.slides[at]

        def check(patch: SlidePatch) -> str | None:
            try:
                made = patched(slide, patch)
                lay_out_deck(best.plan.model_copy(update={"slides": made.slides}), self._theme)
            except (PatchRefused, PlanError) as error:
                return str(error)
            return None

        texts = enumerate(slide_texts(slide), start=1)
        text = fill_prompt(
            "decklab.writer",
            "prompts/patch.txt",
            slide=slide_for_model(slide),
            texts="\n".join(f"{number}. {words}" for number, words in texts),
            defects="\n".join(f"- {one.kind}: {one.detail}" for one in faults),
            layouts=", ".join(LAYOUT_NAMES),
        )
        picture = best.found.pictures.get(faults[0].slide or 0)
        how: dict[str, Any] = {"images": [picture]} if picture else {}
        try:
            reply = answered(self._ask, text, SlidePatch, check=check, stage="patch", **how)
        except PicturesUnseen:
            return _Asked()
        except Unanswered as error:
            told = f"slide {at + 1}: no change of the model's: {error.problem}"
            return _Asked(None, (told,), error.usage)
        return _Asked(_named(patched(slide, reply.answer), at), (), reply.usage)


def _named(change: PatchedSlide, at: int) -> PatchedSlide:
    return PatchedSlide(change.slides, f"slide {at + 1} of the plan: {change.words}")


def _lines(changes: Mapping[int, PatchedSlide]) -> tuple[str, ...]:
    return tuple(changes[at].words for at in sorted(changes))
