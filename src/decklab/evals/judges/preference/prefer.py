"""Which of several decks for one task a model prefers, and which of several systems, by the decks
that each made for the same topics: the work of ``decklab prefer``.

Paper 002, section 3.2: products are ranked over topics, and only decks of one topic meet.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, get_args

from decklab.core.errors import DeckError, DecklabError, RenderError
from decklab.core.files import check_distinct
from decklab.core.options import JUDGE_TEMPERATURE, PreferenceWay, Spending
from decklab.core.results import (
    NotScored,
    Tabular,
    plain_json,
    reason_of,
    scored,
    scored_mean,
    value_or_none,
)
from decklab.core.stages import Progress, silent
from decklab.evals.agreement.rankings import check_fitting
from decklab.evals.judges.asking import KnownTally, asked_model
from decklab.evals.judges.preference.rating import ArenaResult, DeckJudge, DeckRating, arena_result
from decklab.evals.judges.preference.showing import ShownDeck, show_deck
from decklab.models.asking import Ask, Usage
from decklab.models.model_run import file_digest
from decklab.pages.page import check_page
from decklab.pages.pictures import SlidePicture
from decklab.rendering.opening import find_decks
from decklab.rendering.renderer import Cache, Renderer

PREFERENCE_PAGE = "preference.html"
"""The template of the page."""


@dataclass(frozen=True)
class Preference(Tabular):
    """A model's judgement of decks that were made for one task."""

    task: str
    model: str
    decks: tuple[str, ...]
    ratings: tuple[DeckRating, ...]
    """Scores of single decks."""
    arena: ArenaResult | None
    usage: Usage
    spent: str = ""
    """The cost, in a sentence."""
    covers: Mapping[str, SlidePicture] = field(default_factory=dict, repr=False, compare=False)
    """How each deck begins, for people."""
    topics: tuple["Preference", ...] = ()
    """Of systems, what was said of their decks for each topic; then ``decks`` are the systems."""
    systems: Mapping[str, str] = field(default_factory=dict)
    """The system of each deck, if there are systems."""
    left_out: tuple[str, ...] = ()
    """Decks that were not judged, each with its cause."""
    notes: tuple[str, ...] = ()
    """Facts on decks for readers of scores, such as words that speak to the judge."""

    @property
    def not_scored(self) -> tuple[str, ...]:
        """Missing scores, a line each."""
        if self.topics:
            return (*self.left_out, *(line for topic in self.topics for line in topic.not_scored))
        rated = [
            f"{rating.name}: {name}: {score.reason}"
            for rating in self.ratings
            for name, score in rating.scores.items()
            if isinstance(score, NotScored)
        ]
        met = self.arena.meetings if self.arena else ()
        causes = [(meeting, reason_of(meeting.outcome)) for meeting in met]
        missed = [f"{duel.first} and {duel.second}: {cause}" for duel, cause in causes if cause]
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
        strengths = self.arena.strengths
        if isinstance(strengths, NotScored):
            yield from (_record(deck, "bradley_terry", strengths) for deck in self.decks)
            return
        for strength in strengths:
            yield _record(strength.name, "bradley_terry", strength.rating)
            yield _record(strength.name, "elo", strength.elo)

    def as_json(self) -> dict[str, Any]:
        """Everything as plain JSON; a score that could not be had is null with its reason."""
        return {
            "task": self.task,
            "model": self.model,
            "scores": list(self.records()),
            "samples": {rating.name: dict(rating.samples) for rating in self.ratings},
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
            "scores": {rating.name: plain_json(rating.scores) for rating in self.ratings},
            "left_out": list(self.left_out),
        }


def _record(deck: str, name: str, score: float | NotScored) -> dict[str, Any]:
    return {
        "deck": deck,
        "metric": f"preference.{name}",
        "value": value_or_none(score),
        "direction": "higher",
        "reason": reason_of(score) or None,
    }


def arena_json(arena: ArenaResult) -> dict[str, Any]:
    """An arena as plain JSON."""
    strong = arena.strengths
    return {
        "strengths": {"reason": strong.reason}
        if isinstance(strong, NotScored)
        else plain_json(strong),
        "flicker": value_or_none(arena.flicker),
        "repeat_flicker": value_or_none(arena.repeat_flicker),
        "first_place": value_or_none(arena.first_place),
        "known": asdict(arena.known),
        "meetings": [
            {key: value for key, value in plain_json(meeting).items() if key != "usage"}
            for meeting in arena.meetings
        ],
    }


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
    progress: Progress | None = None,
) -> Preference:
    """Have a model say which of several decks for one task is better.

    ``ways`` are ``arena``, all pairs in both orders; ``rating``, a weighted rating of each deck's
    look; ``ppteval``, content, design and coherence of each. ``task`` is what the decks were to be
    about; ``spending`` bounds and keeps what is asked. ``outputs`` are files that will be written:
    they may be no input, and without ``force`` no other file that exists but such a page.
    ``secret`` makes the marks around deck text for a ``model`` that is a function; a new one by
    default. ``progress`` is called with ``prefer`` once the decks are drawn, and with lines while
    the model is asked.

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
    check_ways([str(path) for path in decks], ways, repeats)
    _check_pages(outputs, decks, force=force)
    tell = progress or (lambda _line: None)
    how = {"repeats": repeats, "temperature": temperature}
    facts = _facts(decks, task, ways, **how) if isinstance(model, str) else {}
    with (
        asked_model(model, spending, facts, secret=secret, tell=tell) as asked,
        (renderer or Renderer(cache=Cache())).started() as started,
    ):
        shown = [show_deck(path, started) for path in decks]
        tell("prefer")
        result = prefer_shown(asked.ask, shown, task, ways, tell=tell, secret=asked.secret, **how)
    return replace(result, model=model_name(model), spent=asked.run.words)


def _check_pages(
    outputs: Sequence[str | Path], decks: Sequence[str | Path], *, force: bool
) -> None:
    check_distinct(outputs)
    for path in outputs:
        check_page(path, PREFERENCE_PAGE, inputs=decks, force=force)


def _facts(
    decks: Iterable[str | Path], task: str, ways: Sequence[PreferenceWay], **how: Any
) -> dict[str, Any]:
    """Facts on a run for its record; decks are known by their content."""
    known = {"command": "prefer", "decks": list(map(_digest, decks))}
    return {**known, "task": task, "ways": list(ways), **how}


def model_name(model: str | Ask) -> str:
    """The name of a model, or of the function that stands for one."""
    return model if isinstance(model, str) else getattr(model, "__name__", "function")


def prefer_shown(
    ask: Ask,
    shown: Sequence[ShownDeck],
    task: str,
    ways: Sequence[PreferenceWay],
    *,
    tell: Progress = silent,
    **how: Any,
) -> Preference:
    """Have a model judge decks that are drawn; ``how`` as ``DeckJudge`` takes it."""

    def counted(done: int, total: int) -> None:
        tell(f"{done} of {total} meetings done")

    judge = DeckJudge(ask, task, **how)
    raters = {"rating": judge.rating, "ppteval": judge.ppteval}
    ratings = [raters[way](deck) for way in ways if way in raters for deck in shown]
    arena = judge.arena(shown, judged=counted) if "arena" in ways else None
    return Preference(
        task=task,
        model=model_name(ask),
        decks=tuple(deck.name for deck in shown),
        ratings=tuple(ratings),
        arena=arena,
        usage=sum((rating.usage for rating in ratings), arena.usage if arena else Usage()),
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
    if not (path_given := Path(path)).is_dir():
        return file_digest(path_given)
    return "+".join(file_digest(file) for file in sorted(path_given.iterdir()) if file.is_file())


TOPIC = "{topic}"
"""Stands for the name of a topic in what is said of its task."""


class SystemFoldersError(DecklabError, ValueError):
    """Folders whose decks cannot meet."""


@dataclass(frozen=True)
class SystemDecks:
    """The decks of several systems by topic, which is the name of their files without suffix."""

    systems: tuple[str, ...]
    topics: Mapping[str, Mapping[str, Path]]
    """For each topic of two systems at least, the deck of each system."""
    left_out: tuple[str, ...] = ()
    """Decks that have nothing to be compared with, each with its cause."""


def find_topic_decks(folders: Sequence[str | Path]) -> SystemDecks:
    """The decks in folders of one system each; a folder's name is that of its system.

    Raises SystemFoldersError for two folders of one name, fewer than two, and where no topic has
    decks of two systems.
    """
    names = [Path(folder).resolve().name for folder in folders]
    if len(names) < 2 or len(set(names)) < len(names):
        raise SystemFoldersError("systems are two folders at least, of different names")
    by_topic: dict[str, dict[str, Path]] = {}
    left_out = []
    for system, folder in zip(names, folders, strict=True):
        for path in find_decks([folder]):
            if (before := by_topic.setdefault(path.stem, {}).setdefault(system, path)) != path:
                left_out.append(f"{path}: {before} is of the same system and topic")
    topics = {topic: decks for topic, decks in sorted(by_topic.items()) if len(decks) > 1}
    if not topics:
        raise SystemFoldersError("no two of these folders have decks of one name")
    alone = [decks for topic, decks in sorted(by_topic.items()) if topic not in topics]
    paths = (path for decks in alone for path in decks.values())
    left_out += [f"{path}: no other system has a deck of this name" for path in paths]
    return SystemDecks(tuple(names), topics, tuple(left_out))


def prefer_systems(
    folders: Sequence[str | Path],
    *,
    model: str | Ask,
    task: str = TOPIC,
    ways: Sequence[PreferenceWay] = ("arena",),
    repeats: int = 1,
    temperature: float | None = JUDGE_TEMPERATURE,
    spending: Spending | None = None,
    renderer: Renderer | None = None,
    outputs: Sequence[str | Path] = (),
    force: bool = False,
    secret: str = "",
    progress: Progress | None = None,
) -> Preference:
    """Have a model say which of several systems makes the better decks.

    Each folder holds the decks of one system; decks of the same file name are for the same topic,
    and only they meet. ``{topic}`` in ``task`` stands for that name. A deck that cannot be drawn is
    left out, and told. The other arguments and errors are those of ``prefer``.

    ::

        found = decklab.evals.prefer_systems(["ours", "theirs"], model="openai/gpt-5")
        print([(one.name, one.rating, one.interval) for one in found.arena.strengths])
    """
    topic_decks = find_topic_decks(folders)
    paths = [path for decks in topic_decks.topics.values() for path in decks.values()]
    check_ways(topic_decks.systems, ways, repeats)
    _check_pages(outputs, paths, force=force)
    tell = progress or (lambda _line: None)
    how = {"repeats": repeats, "temperature": temperature}
    topics: dict[str, Preference] = {}
    left_out = list(topic_decks.left_out)
    facts = _facts(paths, task, ways, **how) if isinstance(model, str) else {}
    with (
        asked_model(model, spending, facts, secret=secret, tell=tell) as asked,
        (renderer or Renderer(cache=Cache())).started() as started,
    ):
        tell("prefer")
        for topic, decks in topic_decks.topics.items():
            shown, lost = show_decks(decks.values(), started)
            left_out += lost
            if len(shown) > 1:
                tell(f"topic {topic}")
                words, secret = task.replace(TOPIC, topic), asked.secret
                judged = prefer_shown(
                    asked.ask, shown, words, ways, tell=tell, secret=secret, **how
                )
                topics[topic] = judged
    by_system = topic_decks.topics.values()
    systems = {str(path): name for decks in by_system for name, path in decks.items()}
    pooled = pooled_preference(topics, systems, task=task, left_out=left_out)
    return replace(pooled, model=model_name(model), spent=asked.run.words)


def show_decks(
    decks: Iterable[str | Path], renderer: Renderer
) -> tuple[list[ShownDeck], list[str]]:
    """The decks that can be drawn, as a judge sees them, and why others cannot."""
    shown, lost = [], []
    for path in decks:
        try:
            shown.append(show_deck(path, renderer))
        except (DeckError, RenderError) as error:
            lost.append(str(error))
    return shown, lost


def pooled_preference(
    topics: Mapping[str, Preference],
    systems: Mapping[str, str],
    *,
    task: str,
    left_out: Sequence[str] = (),
) -> Preference:
    """The judgements of all topics together; ``systems`` has the system of each deck.

    Scores of single decks are averaged over the topics that have them.
    """
    each = list(topics.values())
    names = tuple(dict.fromkeys(systems[deck] for topic in each for deck in topic.decks))
    return Preference(
        task=task,
        model=each[0].model if each else "",
        decks=names,
        ratings=tuple(_mean_ratings(each, systems)),
        arena=_pooled_arena(topics, systems, names),
        usage=sum((topic.usage for topic in each), Usage()),
        covers={deck: cover for topic in each for deck, cover in topic.covers.items()},
        topics=tuple(each),
        systems=dict(systems),
        left_out=tuple(left_out),
        notes=tuple(line for topic in each for line in topic.notes),
    )


def _pooled_arena(
    topics: Mapping[str, Preference], systems: Mapping[str, str], names: Sequence[str]
) -> ArenaResult | None:
    arenas = [(topic, judged.arena) for topic, judged in topics.items() if judged.arena is not None]
    if not arenas:
        return None
    meetings = [
        replace(meeting, first=systems[meeting.first], second=systems[meeting.second], topic=topic)
        for topic, arena in arenas
        for meeting in arena.meetings
    ]
    known = sum((arena.known for _, arena in arenas), KnownTally())
    pooled = arena_result(meetings, names, known)
    return replace(pooled, usage=sum((arena.usage for _, arena in arenas), Usage()))


def _mean_ratings(topics: Sequence[Preference], systems: Mapping[str, str]) -> list[DeckRating]:
    """The ratings of each system in each way, as means over its decks."""
    pooled: dict[tuple[str, str], dict[str, list[float | NotScored]]] = {}
    for rated in (rating for topic in topics for rating in topic.ratings):
        way = next(iter(rated.scores))
        for name, score in rated.scores.items():
            ratings = pooled.setdefault((way, systems[rated.name]), {})
            ratings.setdefault(name, []).append(score)
    return [
        DeckRating(
            system,
            {name: scored_mean(values, "no deck was rated") for name, values in scores.items()},
            {name: tuple(scored(values)) for name, values in scores.items()},
            "",
        )
        for (_, system), scores in pooled.items()
    ]
