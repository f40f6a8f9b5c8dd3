"""Which of several decks for one task a model prefers: the work of ``decklab prefer``."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any, get_args

from decklab.core.files import check_distinct
from decklab.core.options import JUDGE_TEMPERATURE, PreferenceWay, Spending
from decklab.core.results import NotScored, Tabular
from decklab.evals.agreement.strengths import check_fitting
from decklab.evals.judges.preference.arena import ArenaResult, hold_arena
from decklab.evals.judges.preference.rating import RATERS, DeckRating
from decklab.evals.judges.preference.showing import ShownDeck, show_deck
from decklab.models.asking import Ask, Usage
from decklab.models.model_run import begin_run
from decklab.models.record import file_digest
from decklab.pages.page import check_page
from decklab.pages.pictures import SlidePicture
from decklab.rendering.renderer import Cache, Renderer

PREFERENCE_PAGE = "preference.html"
"""The template of the page."""


@dataclass(frozen=True)
class Preference(Tabular):
    """What a model says of decks that were made for one task."""

    task: str
    model: str
    decks: tuple[str, ...]
    ratings: tuple[DeckRating, ...]
    """Scores of single decks."""
    arena: ArenaResult | None
    usage: Usage
    spent: str = ""
    """What was spent, in a sentence."""
    covers: Mapping[str, SlidePicture] = field(default_factory=dict, repr=False, compare=False)
    """How each deck begins, for people."""
    topics: tuple["Preference", ...] = ()
    """Of systems, what was said of their decks for each topic; then ``decks`` are the systems."""
    systems: Mapping[str, str] = field(default_factory=dict)
    """The system of each deck, where there are systems."""
    left_out: tuple[str, ...] = ()
    """Decks that were not judged, each with its cause."""
    notes: tuple[str, ...] = ()
    """What a reader of scores has to know of decks, such as words that speak to the judge."""

    @property
    def not_scored(self) -> tuple[str, ...]:
        """What could not be had, each in a line."""
        if self.topics:
            return (*self.left_out, *(line for one in self.topics for line in one.not_scored))
        rated = [
            f"{one.name}: {name}: {score.reason}"
            for one in self.ratings
            for name, score in one.scores.items()
            if isinstance(score, NotScored)
        ]
        met = self.arena.meetings if self.arena else ()
        missed = [
            f"{one.first} and {one.second}: {one.outcome.reason}"
            for one in met
            if isinstance(one.outcome, NotScored)
        ]
        failed = self.arena.known.failure if self.arena else ""
        return (*self.left_out, *rated, *missed, *([f"arena: {failed}"] if failed else []))

    def records(self) -> Iterator[Mapping[str, Any]]:
        """One row a score: ``deck``, ``metric``, ``value``, ``direction`` and ``reason``.

        Those of systems are of their decks, topic by topic.
        """
        for topic in self.topics:
            yield from topic.records()
        if self.topics:
            return
        for rating in self.ratings:
            for name, score in rating.scores.items():
                yield _record(rating.name, name, score)
        if self.arena is None:
            return
        found = self.arena.strengths
        if isinstance(found, NotScored):
            yield from (_record(deck, "bradley_terry", found) for deck in self.decks)
            return
        for one in found:
            yield _record(one.name, "bradley_terry", one.rating)
            yield _record(one.name, "elo", one.elo)

    def as_json(self) -> dict[str, Any]:
        """Everything as plain JSON; a score that could not be had is null with its reason."""
        return {
            "task": self.task,
            "model": self.model,
            "scores": list(self.records()),
            "samples": {
                rating.name: {name: list(values) for name, values in rating.samples.items()}
                for rating in self.ratings
            },
            "reasons": {rating.name: rating.reason for rating in self.ratings},
            "known": [
                {"deck": rating.name, "way": next(iter(rating.scores)), **asdict(rating.known)}
                for rating in self.ratings
            ],
            "arena": None if self.arena is None else arena_json(self.arena),
            "notes": list(self.notes),
            "not_scored": list(self.not_scored),
            "usage": asdict(self.usage),
            **({"systems": self._systems_json()} if self.topics else {}),
        }

    def _systems_json(self) -> dict[str, Any]:
        return {
            "topics": [topic.as_json() for topic in self.topics],
            "scores": {
                rating.name: {name: _known(score) for name, score in rating.scores.items()}
                for rating in self.ratings
            },
            "left_out": list(self.left_out),
        }


def _record(deck: str, name: str, score: float | NotScored) -> dict[str, Any]:
    missing = isinstance(score, NotScored)
    return {
        "deck": deck,
        "metric": f"preference.{name}",
        "value": None if missing else score,
        "direction": "higher",
        "reason": score.reason if isinstance(score, NotScored) else None,
    }


def arena_json(found: ArenaResult) -> dict[str, Any]:
    """An arena as plain JSON."""
    strong = found.strengths
    return {
        "strengths": {"reason": strong.reason}
        if isinstance(strong, NotScored)
        else [
            {**asdict(one), "interval": None if isinstance(one.interval, NotScored)
             else list(one.interval)}
            for one in strong
        ],
        "flicker": _known(found.flicker),
        "repeat_flicker": _known(found.repeat_flicker),
        "first_place": _known(found.first_place),
        "known": asdict(found.known),
        "meetings": [
            {"first": one.first, "second": one.second, "outcome": _said(one.outcome),
             "answers": [_said(answer) for answer in one.answers], "reasons": list(one.reasons),
             "topic": one.topic}
            for one in found.meetings
        ],
    }  # fmt: skip


def _known(value: float | NotScored) -> float | None:
    return None if isinstance(value, NotScored) else value


def _said(outcome: Any) -> str | None:
    return None if isinstance(outcome, NotScored) else str(outcome)


def prefer(
    decks: Sequence[str | Path],
    *,
    model: str | Ask,
    task: str,
    ways: Sequence[PreferenceWay] = ("arena",),
    repeats: int = 1,
    temperature: float | None = JUDGE_TEMPERATURE,
    spending: Spending | None = None,
    renderer: Renderer | None = None,
    outputs: Sequence[str | Path] = (),
    force: bool = False,
    secret: str = "",
    progress: Callable[[str], None] | None = None,
) -> Preference:
    """Have a model say which of several decks for one task is better.

    ``ways`` are ``arena``, all pairs in both orders; ``rating``, a weighted rating of each deck's
    look; ``ppteval``, content, design and coherence of each. ``task`` is what the decks were to be
    about; ``spending`` bounds and keeps what is asked. ``outputs`` are files that will be written:
    they may be no input, and without ``force`` no other file that exists but such a page.
    ``secret`` makes the marks around deck text for a ``model`` that is a function; a new one by
    default.
    ``progress`` is called with ``prefer`` once the decks are drawn, and with lines while the model
    is asked.

    ::

        found = decklab.evals.prefer(
            ["a.pptx", "b.pptx"], model="openai/gpt-5", task="5G for investors"
        )
        print([(one.name, one.rating, one.interval) for one in found.arena.strengths])

    Raises DeckError and RenderError where a deck cannot be drawn, ModelUnavailable, Unavailable
    where an arena has no evalica, ValueError for a way that is none, for an arena of fewer than two
    decks, and for no repeats; OSError where an output cannot be written, NameTaken where one
    exists.
    """
    names = [str(path) for path in decks]
    check_ways(names, ways, repeats)
    check_distinct(outputs)
    for path in outputs:
        check_page(path, PREFERENCE_PAGE, inputs=decks, force=force)
    tell = progress or (lambda _line: None)
    how = {"repeats": repeats, "temperature": temperature}
    with ExitStack() as stack:
        asked: Any = model
        run = None
        if isinstance(model, str):
            facts = run_facts(model, decks, task=task, ways=list(ways), **how)
            run = begin_run(spending, facts, tell=tell)
            asked, secret = stack.enter_context(run.asking(model)), run.secret
        started = stack.enter_context((renderer or Renderer(cache=Cache())).started())
        shown = [show_deck(path, started) for path in decks]
        tell("prefer")
        found = prefer_shown(asked, shown, task, ways, tell=tell, secret=secret, **how)
    return replace(found, model=model_name(model), spent=run.words if run else "")


def run_facts(model: str, decks: Iterable[str | Path], **asked: Any) -> dict[str, Any]:
    """What a record of questions says of a run; decks are told by their content."""
    return {
        "command": "prefer",
        "decklab": version("decklab"),
        "model": model,
        "decks": [_digest(path) for path in decks],
        **asked,
    }


def model_name(model: str | Ask) -> str:
    """The name of a model, or of the function that stands for one."""
    return model if isinstance(model, str) else getattr(model, "__name__", "function")


def prefer_shown(
    ask: Ask,
    shown: Sequence[ShownDeck],
    task: str,
    ways: Sequence[PreferenceWay],
    *,
    secret: str,
    tell: Callable[[str], None] = lambda _line: None,
    **how: Any,
) -> Preference:
    """Have a model judge decks that are drawn; ``how`` are repeats and temperature. ``secret``
    makes the marks around deck text."""

    def counted(done: int, total: int) -> None:
        tell(f"{done} of {total} meetings done")

    ratings = [
        RATERS[way](ask, deck, task, secret=secret, **how)
        for way in ways
        if way != "arena"
        for deck in shown
    ]
    arena = hold_arena(ask, shown, task, judged=counted, **how) if "arena" in ways else None
    return Preference(
        task=task,
        model=model_name(ask),
        decks=tuple(deck.name for deck in shown),
        ratings=tuple(ratings),
        arena=arena,
        usage=sum((one.usage for one in ratings), arena.usage if arena else Usage()),
        covers={deck.name: deck.cover for deck in shown if deck.cover},
        notes=tuple(f"{deck.name}: {line}" for deck in shown for line in deck.notes),
    )


def check_ways(names: Sequence[str], ways: Sequence[str], repeats: int) -> None:
    """Check what is asked of a judge: raises ValueError, and Unavailable where an arena has no
    evalica."""
    unknown = [way for way in ways if way not in get_args(PreferenceWay)]
    if unknown or not ways:
        raise ValueError(f"{unknown[0] if unknown else 'nothing'!r} is no way to judge decks")
    if repeats < 1:
        raise ValueError(f"a question is put once at least, not {repeats} times")
    if len(set(names)) < len(names):
        raise ValueError("a deck is named twice")
    if "arena" in ways:
        if len(names) < 2:
            raise ValueError("an arena needs two decks at least")
        check_fitting()


def _digest(path: str | Path) -> str:
    """The content of a deck, which may be a folder of pictures."""
    place = Path(path)
    if not place.is_dir():
        return file_digest(place)
    return "+".join(file_digest(one) for one in sorted(place.iterdir()) if one.is_file())
