"""Which of several decks for one task a model prefers: the work of ``decklab prefer``."""

import csv
import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, get_args

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from decklab.files import check_file, write_whole
from decklab.judges.preference.arena import ArenaResult, hold_arena
from decklab.judges.preference.rating import RATERS, DeckRating
from decklab.judges.preference.showing import ShownDeck, show_deck
from decklab.metrics.agreement.strengths import check_fitting
from decklab.models.asking import Ask, Usage
from decklab.models.model_run import begin_run
from decklab.models.record import file_digest
from decklab.options import JUDGE_TEMPERATURE, PreferenceWay, Spending
from decklab.rendering.cache import Cache
from decklab.rendering.renderer import Renderer
from decklab.reports.wording import clean
from decklab.results import NotScored
from decklab.tabular import Tabular


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

    @property
    def not_scored(self) -> tuple[str, ...]:
        """What could not be had, each in a line."""
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
        return (*rated, *missed)

    def records(self) -> Iterator[Mapping[str, Any]]:
        """One row a score: ``deck``, ``metric``, ``value``, ``direction`` and ``reason``."""
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
            "arena": None if self.arena is None else _arena_json(self.arena),
            "usage": asdict(self.usage),
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


def _arena_json(found: ArenaResult) -> dict[str, Any]:
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
        "meetings": [
            {"first": one.first, "second": one.second, "outcome": _said(one.outcome),
             "answers": [_said(answer) for answer in one.answers], "reason": one.reason}
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
    progress: Callable[[str], None] | None = None,
) -> Preference:
    """Have a model say which of several decks for one task is better.

    ``ways`` are ``arena``, all pairs in both orders; ``rating``, a weighted rating of each deck's
    look; ``ppteval``, content, design and coherence of each. ``task`` is what the decks were to be
    about; ``spending`` bounds and keeps what is asked. ``outputs`` are files that will be written:
    they may be no input. ``progress`` is called with ``prefer`` once the decks are drawn, and with
    lines while the model is asked.

    ::

        found = decklab.prefer(["a.pptx", "b.pptx"], model="openai/gpt-5", task="5G for investors")
        print([(one.name, one.rating, one.interval) for one in found.arena.strengths])

    Raises DeckError and RenderError where a deck cannot be drawn, ModelUnavailable, Unavailable
    where an arena has no evalica, ValueError for a way that is none, for an arena of fewer than two
    decks, and for no repeats; OSError where an output cannot be written.
    """
    names = [str(path) for path in decks]
    _check(names, ways, repeats)
    for path in outputs:
        check_file(path, inputs=decks)
    tell = progress or (lambda _line: None)
    with ExitStack() as stack:
        ask, run = model, None
        if isinstance(model, str):
            facts = {
                "command": "prefer", "decklab": version("decklab"), "model": model, "task": task,
                "ways": list(ways), "repeats": repeats, "temperature": temperature,
                "decks": [_digest(path) for path in decks],
            }  # fmt: skip
            run = begin_run(spending, facts, tell=tell)
            ask = stack.enter_context(run.asking(model))
        started = stack.enter_context((renderer or Renderer(cache=Cache())).started())
        shown = [show_deck(path, started) for path in decks]
        tell("prefer")
        asked: Any = ask
        ratings, arena = _judged(
            asked, shown, task, ways, tell, repeats=repeats, temperature=temperature
        )
    usage = sum((one.usage for one in ratings), arena.usage if arena else Usage())
    name = model if isinstance(model, str) else getattr(model, "__name__", "function")
    return Preference(
        task, name, tuple(names), tuple(ratings), arena, usage, run.words if run else ""
    )


def _judged(
    ask: Ask,
    shown: Sequence[ShownDeck],
    task: str,
    ways: Sequence[PreferenceWay],
    tell: Callable[[str], None],
    **how: Any,
) -> tuple[list[DeckRating], ArenaResult | None]:
    """The decks judged in all ways; ``how`` as the judges take it."""

    def counted(done: int, total: int) -> None:
        tell(f"{done} of {total} meetings done")

    ratings = [
        RATERS[way](ask, deck, task, **how) for way in ways if way != "arena" for deck in shown
    ]
    if "arena" not in ways:
        return ratings, None
    return ratings, hold_arena(ask, shown, task, judged=counted, **how)


def _check(names: Sequence[str], ways: Sequence[str], repeats: int) -> None:
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


def write_preference_scores(path: str | Path, found: Preference) -> None:
    """Write the scores as CSV, a row each as in ``records``; ``decklab agree`` reads it."""
    stream = io.StringIO()
    names = ("deck", "metric", "value", "direction", "reason")
    writer = csv.DictWriter(stream, names, lineterminator="\n")
    writer.writeheader()
    writer.writerows(
        {key: clean(cell) if isinstance(cell, str) else cell for key, cell in row.items()}
        for row in found.records()
    )
    write_whole(path, stream.getvalue().encode("utf-8", "replace"))


def print_preference(found: Preference, console: Console) -> None:
    """Print the decks with their scores, how steady the model was, and what could not be had."""
    for part in _printed(found):
        console.print(part, soft_wrap=isinstance(part, Text))


def _printed(found: Preference) -> Iterator[Table | Text]:
    if found.arena is not None:
        yield from _printed_arena(found.arena)
    for first in ("rating", "ppteval"):
        rows = [one for one in found.ratings if first in one.scores]
        if rows:
            table = _table("deck", *rows[0].scores)
            for row in sorted(rows, key=lambda one: -_number(one.scores[first])):
                cells = [
                    "–" if isinstance(score, NotScored) else f"{score:.2f}"
                    for score in row.scores.values()
                ]
                table.add_row(Text(clean(row.name)), *cells)
            yield table
    for line in found.not_scored:
        yield Text(f"not scored: {clean(line)}")


def _number(score: float | NotScored) -> float:
    return -1.0 if isinstance(score, NotScored) else score


def _printed_arena(arena: ArenaResult) -> Iterator[Table | Text]:
    if isinstance(arena.strengths, NotScored):
        yield Text(f"arena: {arena.strengths}")
        return
    table = _table("deck", "Bradley-Terry", "95%", "Elo", "won", "lost", "tied")
    for one in arena.strengths:
        interval = (
            "–"
            if isinstance(one.interval, NotScored)
            else f"{one.interval[0]:.0f} to {one.interval[1]:.0f}"
        )
        table.add_row(
            Text(clean(one.name)), f"{one.rating:.0f}", interval, f"{one.elo:.0f}",
            str(one.won), str(one.lost), str(one.tied),
        )  # fmt: skip
    yield table
    told = [f"the two orders disagree in {_share(arena.flicker)} of {len(arena.judged)} meetings"]
    told.append(f"what stands first is preferred in {_share(arena.first_place)} of the decisions")
    if not isinstance(arena.repeat_flicker, NotScored):
        told.append(f"repeats differ for {_share(arena.repeat_flicker)} of the pairs")
    yield Text("; ".join(told))


def _share(value: float | NotScored) -> str:
    return "none" if isinstance(value, NotScored) else f"{value:.0%}"


def _table(first: str, *headings: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, padding=0, pad_edge=False, show_edge=False)
    table.add_column(first)
    for heading in headings:
        table.add_column(heading.replace("_", " "), justify="right")
    return table
