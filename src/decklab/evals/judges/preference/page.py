"""Preferences printed, written as CSV, and as one page: ranks with intervals, how steady the judge
is, and every comparison.
"""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from math import ceil, floor
from pathlib import Path, PurePath
from typing import Final, Literal

import numpy as np
from PIL import Image
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from decklab.core.files import write_output
from decklab.core.results import NotScored
from decklab.evals.agreement.rankings import RATING_MEAN, Strength, Winner
from decklab.evals.judges.preference.prefer import PREFERENCE_PAGE, Preference
from decklab.evals.judges.preference.rating import ArenaResult, Meeting
from decklab.pages.page import output_page, write_page
from decklab.pages.pictures import REPORT_PICTURE_BYTES, SlidePicture, jpeg_within_budget
from decklab.pages.wording import clean, counted


def write_preference_scores(path: str | Path, result: Preference, *, force: bool = False) -> None:
    """Write the scores as CSV, a row each as in ``records``; ``decklab agree`` reads it.

    Raises NameTaken where the file exists; with ``force`` a copy of it is kept beside it.
    """
    stream = io.StringIO()
    names = ("deck", "metric", "value", "direction", "reason")
    writer = csv.DictWriter(stream, names, lineterminator="\n")
    writer.writeheader()
    writer.writerows(
        {key: clean(cell) if isinstance(cell, str) else cell for key, cell in row.items()}
        for row in result.records()
    )
    write_output(path, stream.getvalue().encode("utf-8", "replace"), force=force)


def print_preference(preference: Preference, console: Console) -> None:
    """Print the decks with their scores, how steady the model was, and what could not be had."""
    for part in _printed(preference):
        console.print(part, soft_wrap=isinstance(part, Text))


def _printed(preference: Preference) -> Iterator[Table | Text]:
    if preference.arena is not None:
        yield from _printed_arena(preference.arena)
    for first in ("rating", "ppteval"):
        rows = [rating for rating in preference.ratings if first in rating.scores]
        if rows:
            table = _table("deck", *rows[0].scores)
            for row in sorted(rows, key=lambda rating: _sorting(rating.scores[first])):
                cells = [
                    "–" if isinstance(score, NotScored) else f"{score:.2f}"
                    for score in row.scores.values()
                ]
                table.add_row(Text(clean(row.name)), *cells)
            yield table
    for line in preference.not_scored:
        yield Text(f"not scored: {clean(line)}")
    for line in preference.notes:
        yield Text(f"note: {clean(line)}")


def _printed_arena(arena: ArenaResult) -> Iterator[Table | Text]:
    if isinstance(arena.strengths, NotScored):
        yield Text(f"arena: {arena.strengths}")
        return
    table = _table("deck", "Bradley-Terry", "95%", "Elo", "won", "lost", "tied")
    for strength in arena.strengths:
        interval = (
            "–"
            if isinstance(strength.interval, NotScored)
            else f"{strength.interval[0]:.0f} to {strength.interval[1]:.0f}"
        )
        table.add_row(
            Text(clean(strength.name)), f"{strength.rating:.0f}", interval, f"{strength.elo:.0f}",
            str(strength.won), str(strength.lost), str(strength.tied),
        )  # fmt: skip
    yield table
    facts = [f"the two orders disagree in {_share(arena.flicker)} of {len(arena.judged)} meetings"]
    facts.append(f"what stands first is preferred in {_share(arena.first_place)} of the decisions")
    if not isinstance(arena.repeat_flicker, NotScored):
        facts.append(f"repeats differ for {_share(arena.repeat_flicker)} of the pairs")
    if arena.known.words:
        facts.append(arena.known.words)
    yield Text("; ".join(facts))


def _share(value: float | NotScored) -> str:
    return "none" if isinstance(value, NotScored) else f"{value:.0%}"


def _table(first: str, *headings: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, padding=0, pad_edge=False, show_edge=False)
    table.add_column(first)
    for heading in headings:
        table.add_column(heading.replace("_", " "), justify="right")
    return table


_TICKS: Final = (10, 20, 50, 100, 200, 500, 1000)
_MOST_TICKS: Final = 6
_MOST_TOLD: Final = 30
"""Ours: steps between the marks of an axis, how many marks it has, and how many lines of what
could not be had a page shows."""


@dataclass(frozen=True)
class RankLine:
    """One deck or system in the chart; places are in percent of the chart's width."""

    place: int
    name: str
    rating: str
    interval: str
    elo: str
    tally: str
    at: float
    low: float | None
    high: float | None


@dataclass(frozen=True)
class AnswerLine:
    """The model's answer on a pair in one order."""

    order: tuple[str, str]
    """The decks shown as A and as B."""
    said: str
    """Who is better, in words."""
    reason: str


@dataclass(frozen=True)
class MeetingCard:
    """Two decks that met, and what was said of them."""

    sides: tuple[tuple[str, str], tuple[str, str]]
    """Each deck's path and name."""
    preferred: Literal["first", "second", "neither"]
    verdict: str
    answers: tuple[AnswerLine, ...]


@dataclass(frozen=True)
class TopicCards:
    """The meetings of one topic."""

    task: str
    meetings: tuple[MeetingCard, ...]
    told: str
    """In a line, what came of them."""


@dataclass(frozen=True)
class RatedLine:
    """A deck's or system's scores in one way, as words."""

    path: str
    name: str
    scores: tuple[str, ...]
    reason: str


def write_preference_page(path: str | Path, result: Preference) -> None:
    """Write one page with what a model prefers, for people to check.

    It is written whole or not at all, loads nothing and works without JavaScript.
    """
    names = {**short_names(result.decks), **result.systems}
    topics = [_cards(topic, names) for topic in result.topics or (result,)]
    ranks = _strengths(result.arena)
    axis = _axis(ranks)
    with output_page(path, PREFERENCE_PAGE) as page:
        write_page(
            page,
            PREFERENCE_PAGE,
            "open-for-print.js",
            package="decklab.evals.judges.preference",
            found=result,
            what="system" if result.topics else "deck",
            title=f"Which {'system' if result.topics else 'deck'} is preferred",
            lead=_lead(ranks, names),
            ranks=list(_rank_lines(ranks, names, axis)),
            no_ranks=_no_ranks(result.arena),
            axis=[(_at(tick, axis), f"{tick:g}") for tick in axis],
            middle=_at(RATING_MEAN, axis),
            steadiness=_steadiness(result.arena),
            ratings=list(_rated(result, names)),
            topics=[card for card in topics if card.meetings],
            covers={
                path: (f"deck-{n}", p) for n, (path, p) in enumerate(_pictures(result).items())
            },
            told=result.not_scored[:_MOST_TOLD],
            more=max(0, len(result.not_scored) - _MOST_TOLD),
            generated_by="decklab",
        )


def short_names(paths: Iterable[str]) -> dict[str, str]:
    """The shortest end of each path that no other one has.

    >>> short_names(["a/talk.pptx", "b/talk.pptx"])
    {'a/talk.pptx': 'a/talk.pptx', 'b/talk.pptx': 'b/talk.pptx'}
    >>> short_names(["home/a/talk.pptx", "home/a/deck.pptx"])
    {'home/a/talk.pptx': 'talk.pptx', 'home/a/deck.pptx': 'deck.pptx'}
    """
    parts = {path: PurePath(path).parts or (path,) for path in paths}
    for length in range(1, max(map(len, parts.values()), default=0)):
        ends = ["/".join(each[-length:]) for each in parts.values()]
        if len(set(ends)) == len(ends):
            return dict(zip(parts, ends, strict=True))
    return {path: path for path in parts}


def _strengths(arena: ArenaResult | None) -> Sequence[Strength]:
    return () if arena is None or isinstance(arena.strengths, NotScored) else arena.strengths


def _no_ranks(arena: ArenaResult | None) -> str:
    return arena.strengths.reason if arena and isinstance(arena.strengths, NotScored) else ""


def _lead(ranks: Sequence[Strength], names: Mapping[str, str]) -> str:
    if not ranks:
        return ""
    best, next_one = ranks[0], ranks[1]
    first, second = _name(best.name, names), _name(next_one.name, names)
    if best.rating == next_one.rating:
        return f"{first} and {second} are rated alike."
    if isinstance(best.interval, NotScored) or isinstance(next_one.interval, NotScored):
        return f"{first} is ahead of {second}; so few comparisons have no interval."
    if best.interval[0] <= next_one.interval[1]:
        return f"{first} is ahead of {second}, but their intervals overlap: it may be chance."
    return f"{first} is ahead of {second}, and their intervals do not overlap."


def _name(path: str, names: Mapping[str, str]) -> str:
    return names.get(path, path)


def _axis(ranks: Sequence[Strength]) -> list[int]:
    """Marks of the axis, evenly apart, around all ratings and intervals."""
    ends = [RATING_MEAN]
    for rank in ranks:
        ends += (
            [rank.rating] if isinstance(rank.interval, NotScored) else [*rank.interval, rank.rating]
        )
    low, high = min(ends), max(ends)
    step = next((s for s in _TICKS if (high - low) / s <= _MOST_TICKS - 2), _TICKS[-1])
    first, last = floor(low / step), ceil(high / step)
    if first == last:
        first, last = first - 1, last + 1
    return [step * mark for mark in range(first, last + 1)]


def _at(value: float, axis: Sequence[int]) -> float:
    return round(100 * (value - axis[0]) / (axis[-1] - axis[0]), 2)


def _rank_lines(
    ranks: Sequence[Strength], names: Mapping[str, str], axis: Sequence[int]
) -> Iterator[RankLine]:
    for rank in ranks:
        known = None if isinstance(rank.interval, NotScored) else rank.interval
        yield RankLine(
            place=1 + sum(other.rating > rank.rating + 1e-9 for other in ranks),
            name=_name(rank.name, names),
            rating=f"{rank.rating:.0f}",
            interval="no interval" if known is None else f"{known[0]:.0f} to {known[1]:.0f}",
            elo=f"{rank.elo:.0f}",
            tally=f"{rank.won} won, {rank.lost} lost, {rank.tied} tied",
            at=_at(rank.rating, axis),
            low=None if known is None else _at(known[0], axis),
            high=None if known is None else _at(known[1], axis),
        )


def _steadiness(arena: ArenaResult | None) -> list[tuple[str, str, str]]:
    """Value, name and meaning of what says how far to trust the judge."""
    if arena is None:
        return []
    judgings = [
        (
            arena.flicker, "position flicker",
            "comparisons in which the other order changes the answer; they count as ties",
        ),
        (
            arena.first_place, "position bias",
            "answers that prefer the deck shown first; 50% is no bias",
        ),
        (
            arena.repeat_flicker, "repeat flicker",
            "pairs that come out differently when they are judged again",
        ),
    ]  # fmt: skip
    sentences = [
        ("–" if isinstance(value, NotScored) else f"{value:.0%}", name,
         value.reason if isinstance(value, NotScored) else meaning)
        for value, name, meaning in judgings
    ]  # fmt: skip
    known = arena.known
    if known.compared:
        sentences.append((
            f"{known.compared_right} of {known.compared}", "damaged copies",
            known.failure or "answers that prefer a deck to a plainly damaged copy of itself",
        ))  # fmt: skip
    return sentences


def _cards(result: Preference, names: Mapping[str, str]) -> TopicCards:
    cards = [_card(pair, names) for pair in (result.arena.meetings if result.arena else ())]
    decided = sum(card.preferred != "neither" for card in cards)
    summary = f"{counted(len(cards), 'comparison')}, {decided or 'none'} decided"
    return TopicCards(result.task, tuple(cards), summary)


def _card(meeting: Meeting, names: Mapping[str, str]) -> MeetingCard:
    first, second = _name(meeting.first, names), _name(meeting.second, names)
    winners = {"first": first, "second": second}
    answers = tuple(
        AnswerLine(order, _said(answer, winners), reason)
        for order, answer, reason in zip(
            ((first, second), (second, first)), meeting.answers, meeting.reasons, strict=True
        )
    )
    sides = ((meeting.first, first), (meeting.second, second))
    if isinstance(meeting.outcome, NotScored):
        return MeetingCard(sides, "neither", "not judged", answers)
    if meeting.outcome != "tie":
        verdict = f"{winners[meeting.outcome]} is preferred in both orders"
        return MeetingCard(sides, meeting.outcome, verdict, answers)
    verdict = "a tie, as the orders disagree" if meeting.flickered else "a tie in both orders"
    return MeetingCard(sides, "neither", verdict, answers)


def _said(answer: Winner | NotScored, winners: Mapping[str, str]) -> str:
    if isinstance(answer, NotScored):
        return "no answer"
    return f"{winners[answer]} is preferred" if answer in winners else "neither is preferred"


def _rated(
    preference: Preference, names: Mapping[str, str]
) -> Iterator[tuple[tuple[str, ...], list[RatedLine]]]:
    """For each way to score single decks its headings, and its lines, the best first."""
    for way in ("rating", "ppteval"):
        rows = [rating for rating in preference.ratings if way in rating.scores]
        if not rows:
            continue
        rows.sort(key=lambda line: _sorting(line.scores[way]))
        yield (
            tuple(name.replace("_", " ") for name in rows[0].scores),
            [
                RatedLine(
                    row.name,
                    _name(row.name, names),
                    tuple(
                        "–" if isinstance(score, NotScored) else f"{score:.2f}"
                        for score in row.scores.values()
                    ),
                    row.reason,
                )
                for row in rows
            ],
        )


def _sorting(score: float | NotScored) -> float:
    return 1.0 if isinstance(score, NotScored) else -score


def _pictures(preference: Preference) -> Mapping[str, SlidePicture]:
    """How each deck begins, together within the budget of a page."""
    covers = preference.covers
    if sum(len(picture.data) for picture in covers.values()) <= REPORT_PICTURE_BYTES:
        return covers
    return {deck: _smaller(picture, len(covers)) for deck, picture in covers.items()}


def _smaller(picture: SlidePicture, count: int) -> SlidePicture:
    with Image.open(BytesIO(picture.data)) as image:
        return jpeg_within_budget(np.asarray(image.convert("RGB")), slides=count)
