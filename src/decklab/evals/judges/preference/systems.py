"""Which of several systems a model prefers, by the decks that each made for the same topics.

Paper 002, section 3.2: products are ranked over topics, and only decks of one topic meet.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean
from typing import Any

from decklab.core.errors import DeckError, DecklabError, RenderError
from decklab.core.files import check_distinct
from decklab.core.options import JUDGE_TEMPERATURE, PreferenceWay, Spending
from decklab.core.results import NotScored
from decklab.evals.judges.known import KnownTally
from decklab.evals.judges.preference.arena import ArenaResult, arena_result
from decklab.evals.judges.preference.prefer import (
    PREFERENCE_PAGE,
    Preference,
    check_ways,
    model_name,
    prefer_shown,
    run_facts,
)
from decklab.evals.judges.preference.rating import DeckRating
from decklab.evals.judges.preference.showing import ShownDeck, show_deck
from decklab.models.asking import Ask, Usage
from decklab.models.model_run import begin_run
from decklab.pages.page import check_page
from decklab.rendering.inputs import find_decks
from decklab.rendering.renderer import Cache, Renderer

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
    found: dict[str, dict[str, Path]] = {}
    left_out = []
    for system, folder in zip(names, folders, strict=True):
        for path in find_decks([folder]):
            before = found.setdefault(path.stem, {}).setdefault(system, path)
            if before != path:
                left_out.append(f"{path}: {before} is of the same system and topic")
    topics = {topic: decks for topic, decks in sorted(found.items()) if len(decks) > 1}
    if not topics:
        raise SystemFoldersError("no two of these folders have decks of one name")
    left_out += [
        f"{path}: no other system has a deck of this name"
        for topic, decks in sorted(found.items())
        for path in decks.values()
        if topic not in topics
    ]
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
    progress: Callable[[str], None] | None = None,
) -> Preference:
    """Have a model say which of several systems makes the better decks.

    Each folder holds the decks of one system; decks of the same file name are for the same topic,
    and only they meet. ``{topic}`` in ``task`` stands for that name. A deck that cannot be drawn is
    left out, and told. The other arguments and errors are those of ``prefer``.

    ::

        found = decklab.evals.prefer_systems(["ours", "theirs"], model="openai/gpt-5")
        print([(one.name, one.rating, one.interval) for one in found.arena.strengths])
    """
    found = find_topic_decks(folders)
    check_ways(found.systems, ways, repeats)
    paths = [path for decks in found.topics.values() for path in decks.values()]
    check_distinct(outputs)
    for path in outputs:
        check_page(path, PREFERENCE_PAGE, inputs=paths, force=force)
    tell = progress or (lambda _line: None)
    how = {"repeats": repeats, "temperature": temperature}
    topics: dict[str, Preference] = {}
    left_out = list(found.left_out)
    with ExitStack() as stack:
        asked: Any = model
        run = None
        if isinstance(model, str):
            facts = run_facts(model, paths, task=task, ways=list(ways), **how)
            run = begin_run(spending, facts, tell=tell)
            asked, secret = stack.enter_context(run.asking(model)), run.secret
        started = stack.enter_context((renderer or Renderer(cache=Cache())).started())
        tell("prefer")
        for topic, decks in found.topics.items():
            shown, lost = show_decks(decks.values(), started)
            left_out += lost
            if len(shown) > 1:
                tell(f"topic {topic}")
                words = task.replace(TOPIC, topic)
                topics[topic] = prefer_shown(
                    asked, shown, words, ways, tell=tell, secret=secret, **how
                )
    systems = {str(path): name for decks in found.topics.values() for name, path in decks.items()}
    pooled = pooled_preference(topics, systems, task=task, left_out=left_out)
    return replace(pooled, model=model_name(model), spent=run.words if run else "")


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
    """What is said of decks, topic by topic, together; ``systems`` has the system of each deck.

    Scores of single decks are averaged over the topics that have them.
    """
    each = list(topics.values())
    names = tuple(dict.fromkeys(systems[deck] for one in each for deck in one.decks))
    return Preference(
        task=task,
        model=each[0].model if each else "",
        decks=names,
        ratings=tuple(_mean_ratings(each, systems)),
        arena=_pooled_arena(topics, systems, names),
        usage=sum((one.usage for one in each), Usage()),
        covers={deck: cover for one in each for deck, cover in one.covers.items()},
        topics=tuple(each),
        systems=dict(systems),
        left_out=tuple(left_out),
        notes=tuple(line for one in each for line in one.notes),
    )


def _pooled_arena(
    topics: Mapping[str, Preference], systems: Mapping[str, str], names: Sequence[str]
) -> ArenaResult | None:
    arenas = [(topic, one.arena) for topic, one in topics.items() if one.arena is not None]
    if not arenas:
        return None
    meetings = [
        replace(one, first=systems[one.first], second=systems[one.second], topic=topic)
        for topic, arena in arenas
        for one in arena.meetings
    ]
    known = sum((arena.known for _, arena in arenas), KnownTally())
    found = arena_result(meetings, names, known)
    return replace(found, usage=sum((arena.usage for _, arena in arenas), Usage()))


def _mean_ratings(topics: Sequence[Preference], systems: Mapping[str, str]) -> list[DeckRating]:
    """The ratings of each system in each way, as means over its decks."""
    pooled: dict[tuple[str, str], dict[str, list[float | NotScored]]] = {}
    for one in (rating for topic in topics for rating in topic.ratings):
        way = next(iter(one.scores))
        for name, score in one.scores.items():
            found = pooled.setdefault((way, systems[one.name]), {})
            found.setdefault(name, []).append(score)
    return [
        DeckRating(
            system,
            {name: _mean(values) for name, values in scores.items()},
            {name: _known(values) for name, values in scores.items()},
            "",
        )
        for (_, system), scores in pooled.items()
    ]


def _known(values: Sequence[float | NotScored]) -> tuple[float, ...]:
    return tuple(value for value in values if not isinstance(value, NotScored))


def _mean(values: Sequence[float | NotScored]) -> float | NotScored:
    """The mean of the known values; the first cause where there is none."""
    known = _known(values)
    return fmean(known) if known else values[0]
