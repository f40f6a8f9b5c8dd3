"""Preferences printed, written as CSV, and as one page: ranks with intervals, how steady the judge
is, and every comparison.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from math import ceil, floor
from pathlib import Path, PurePath
from typing import Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from decklab.core.files import write_output
from decklab.core.results import NotScored, reason_of
from decklab.evals.agreement.rankings import RATING_MEAN, Strength
from decklab.evals.judges.preference.prefer import PREFERENCE_PAGE, Preference
from decklab.evals.judges.preference.rating import ArenaResult, DeckRating, Meeting
from decklab.pages.files import csv_text
from decklab.pages.page import output_page, plain_table, print_parts, write_page
from decklab.pages.pictures import REPORT_PICTURE_BYTES, SlidePicture, decoded, jpeg_within_budget
from decklab.pages.wording import clean, shown


def write_preference_scores(path: str | Path, result: Preference, *, force: bool = False) -> None:
    """Write the scores as CSV, a row each as in ``records``; ``decklab agree`` reads it.

    Raises NameTaken where the file exists; with ``force`` a copy of it is kept beside it.
    """
    names = ("deck", "metric", "value", "direction", "reason")
    rows = (map(row.get, names) for row in result.records())
    cells = ((clean(cell) if isinstance(cell, str) else cell for cell in row) for row in rows)
    write_output(path, csv_text([names, *cells]).encode("utf-8", "replace"), force=force)


def print_preference(preference: Preference, console: Console) -> None:
    """Print the decks with their scores, how steady the model was, and what could not be had."""
    print_parts(_printed(preference), console)


def _printed(preference: Preference) -> Iterator[Table | Text]:
    if preference.arena is not None:
        yield from _printed_arena(preference.arena)
    for headings, rows in _rated(preference):
        table = plain_table("deck", *headings)
        for row in rows:
            table.add_row(Text(clean(row.name)), *map(shown, row.scores.values()))
        yield table
    for line in preference.not_scored:
        yield Text(f"not scored: {clean(line)}")
    yield from (Text(f"note: {clean(line)}") for line in preference.notes)


def _rated(preference: Preference) -> Iterator[tuple[list[str], list[DeckRating]]]:
    """For each way to score single decks its headings, and the ratings, the best first."""
    for way in ("rating", "ppteval"):
        rows = [rating for rating in preference.ratings if way in rating.scores]
        rows.sort(key=lambda rating: _sorting(rating.scores[way]))
        if rows:
            yield [name.replace("_", " ") for name in rows[0].scores], rows


def _sorting(score: float | NotScored) -> float:
    return 1.0 if isinstance(score, NotScored) else -score


def _printed_arena(arena: ArenaResult) -> Iterator[Table | Text]:
    if isinstance(arena.strengths, NotScored):
        yield Text(f"arena: {arena.strengths}")
        return
    table = plain_table("deck", "Bradley-Terry", "95%", "Elo", "won", "lost", "tied")
    for strength in arena.strengths:
        ratings = f"{strength.rating:.0f}", _interval(strength) or "–", f"{strength.elo:.0f}"
        tally = map(str, (strength.won, strength.lost, strength.tied))
        table.add_row(Text(clean(strength.name)), *ratings, *tally)
    yield table
    facts = [f"the two orders disagree in {_share(arena.flicker)} of {len(arena.judged)} meetings"]
    facts.append(f"what stands first is preferred in {_share(arena.first_place)} of the decisions")
    if not isinstance(arena.repeat_flicker, NotScored):
        facts.append(f"repeats differ for {_share(arena.repeat_flicker)} of the pairs")
    if arena.known.words:
        facts.append(arena.known.words)
    yield Text("; ".join(facts))


def _interval(strength: Strength) -> str:
    """Its ends; empty if there is none."""
    if isinstance(strength.interval, NotScored):
        return ""
    low, high = strength.interval
    return f"{low:.0f} to {high:.0f}"


def _share(value: float | NotScored) -> str:
    return "none" if isinstance(value, NotScored) else f"{value:.0%}"


_TICKS: Final = (10, 20, 50, 100, 200, 500, 1000)
_MOST_TICKS: Final = 6
_MOST_TOLD: Final = 30
"""Ours: steps between the marks of an axis, how many marks it has, and how many lines of what
could not be had a page shows."""


def write_preference_page(path: str | Path, result: Preference) -> None:
    """Write one page with what a model prefers, for people to check.

    It is written whole or not at all, loads nothing and works without JavaScript.
    """
    names = {**short_names(result.decks), **result.systems}
    arena = result.arena
    ranks = () if arena is None or isinstance(arena.strengths, NotScored) else arena.strengths
    axis = _axis(ranks)
    topics = [topic for topic in result.topics or (result,) if topic.arena and topic.arena.meetings]
    with output_page(path, PREFERENCE_PAGE) as page:
        write_page(
            page,
            PREFERENCE_PAGE,
            "open-for-print.js",
            package="decklab.evals.judges.preference",
            found=result,
            what="system" if result.topics else "deck",
            title=f"Which {'system' if result.topics else 'deck'} is preferred",
            name_of=partial(_name, names=names),
            lead=_lead(ranks, names),
            ranks=[
                (1 + sum(other.rating > strength.rating + 1e-9 for other in ranks), strength)
                for strength in ranks
            ],
            interval_of=_interval,
            at=partial(_at, axis=axis),
            axis=axis,
            middle=RATING_MEAN,
            steadiness=_steadiness(arena),
            ratings=list(_rated(result)),
            shown=shown,
            topics=topics,
            verdict_of=partial(_verdict, names=names),
            answers_of=partial(_answers, names=names),
            covers={
                path: (f"deck-{n}", p) for n, (path, p) in enumerate(_pictures(result).items())
            },
            most=_MOST_TOLD,
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


_TRUST: Final = {
    "position flicker": "comparisons in which the other order changes the answer; they count as"
    " ties",
    "position bias": "answers that prefer the deck shown first; 50% is no bias",
    "repeat flicker": "pairs that come out differently when they are judged again",
}


def _steadiness(arena: ArenaResult | None) -> list[tuple[str, str, str]]:
    """Value, name and meaning of what says how far to trust the judge."""
    if arena is None:
        return []
    values = arena.flicker, arena.first_place, arena.repeat_flicker
    sentences = [
        (shown(value, ".0%"), name, reason_of(value) or meaning)
        for value, (name, meaning) in zip(values, _TRUST.items(), strict=True)
    ]
    if (known := arena.known).compared:
        right = f"{known.compared_right} of {known.compared}"
        meaning = "answers that prefer a deck to a plainly damaged copy of itself"
        sentences.append((right, "damaged copies", known.failure or meaning))
    return sentences


def _verdict(meeting: Meeting, names: Mapping[str, str]) -> str:
    """The outcome of a meeting in words."""
    if isinstance(meeting.outcome, NotScored):
        return "not judged"
    if meeting.outcome == "tie":
        return "a tie, as the orders disagree" if meeting.flickered else "a tie in both orders"
    preferred = meeting.first if meeting.outcome == "first" else meeting.second
    return f"{_name(preferred, names)} is preferred in both orders"


def _answers(
    meeting: Meeting, names: Mapping[str, str]
) -> Iterator[tuple[tuple[str, str], str, str]]:
    """The decks shown as A and as B, the answer in words, and its reason, of both orders."""
    first, second = _name(meeting.first, names), _name(meeting.second, names)
    words = {"first": f"{first} is preferred", "second": f"{second} is preferred"}
    orders = ((first, second), (second, first))
    for order, answer, reason in zip(orders, meeting.answers, meeting.reasons, strict=True):
        said = "no answer" if isinstance(answer, NotScored) else words.get(answer)
        yield order, said or "neither is preferred", reason


def _pictures(preference: Preference) -> Mapping[str, SlidePicture]:
    """How each deck begins, together within the budget of a page."""
    covers = preference.covers
    if sum(len(picture.data) for picture in covers.values()) <= REPORT_PICTURE_BYTES:
        return covers
    return {
        deck: jpeg_within_budget(decoded(picture.data), slides=len(covers))
        for deck, picture in covers.items()
    }
