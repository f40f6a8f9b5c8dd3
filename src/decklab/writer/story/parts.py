"""A group of topics as the contents of single pages: divided by topic, then the best of each."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Final

import numpy as np

from decklab.documents.sentences import word_count
from decklab.documents.shortening import FRAGMENT
from decklab.writer.outline import OutlinePoint, VisualRef
from decklab.writer.story.importance import Weighed
from decklab.writer.story.material import Topic
from decklab.writer.story.paging import (
    FULL_WORDS,
    LEAST_WORDS,
    MOST_SIDES,
    PAGE_WORDS,
    PageGroup,
    shown_steps,
)
from decklab.writer.story.visuals import Visuals

_SAID: Final = 0.75
"""The cosine above which a statement says what a page said already. Ours."""
_TORN: Final = 0.5
"""What it costs to end a page inside a topic, beside the likeness of the two statements. Ours."""
_MOST_POINTS = 7
_COUNTS = re.compile(
    r"\b(?:two|three|four|five|six|seven|several|following|threefold|twofold|zwei|drei|vier|fünf|"
    r"deux|trois|quatre|dos|tres|cuatro)\b.*\b(?:types?|options?|reasons?|limitations?|questions?|"
    r"contributions?|kinds?|ways?|steps?|gaps?|points?|parts?|groups?|tiers?|phases?|are open|"
    r"matter|threefold|arten|gründe|fragen|schritte|types|raisons|étapes|tipos|razones|pasos)\b",
    re.IGNORECASE,
)
"""A statement that counts what the next ones name, and says little without them."""


@dataclass(frozen=True)
class PagePart:
    """What one page shows: numbers of statements in their order, a visual, or steps."""

    group: PageGroup
    topics: tuple[Topic, ...]
    """Of the statements and the visual."""
    statements: tuple[int, ...]
    visual: VisualRef | None = None
    steps: tuple[OutlinePoint, ...] = ()


def page_parts(
    group: PageGroup, weights: Weighed, visuals: Visuals, said: set[int]
) -> list[PagePart]:
    """The pages of a group, at most ``group.pages``; none where nothing is left to say.

    ``said`` has the numbers of statements on pages before, and gets those of these pages.
    """
    owners = {at: topic for topic in group.topics for at in weights.of(topic)}
    stepped, taken = shown_steps(group, weights)
    parts: list[PagePart] = []
    pages = group.pages
    if stepped is not None:
        said.update(taken)
        parts.append(PagePart(group, (stepped,), (), steps=stepped.steps))
        pages -= 1
    numbers = [at for at in owners if at not in said | taken and not weights.statements[at].flaw]
    shown = _shown_visuals(group, visuals, pages)
    wide = [item for item in shown if not _stands_beside(*item, weights, visuals)]
    if wide and sum(weights.statements[at].words for at in numbers) < LEAST_WORDS:
        shown = wide
    worded = pages - len(wide)
    runs = topic_runs(numbers, owners, weights, worded) if worded > 0 else []
    placed = _placed([item for item in shown if item not in wide], runs, owners, weights, visuals)
    for place in range(max(len(runs), len(placed))):
        run = runs[place] if place < len(runs) else []
        topic, visual = placed.get(place, (None, None))
        if topic is None:
            run = _of_few_topics(run, owners, weights)
        else:  # beside a visual stands what its own section says, of it if there is more
            run = [at for at in run if owners[at] is topic]
            if visual and sum(weights.statements[at].words for at in run) > LEAST_WORDS:
                quotes = {at: weights.statements[at].evidence.quote for at in run}
                run = [at for at in run if visuals.is_about(quotes[at], visual)] or run
        words = visuals.words_beside(visual) if visual else PAGE_WORDS
        words -= _heading_words(owners[at] for at in run)
        chosen = best_of(run, weights, words, said, owners)
        said.update(chosen)
        topics = [owners[at] for at in chosen] + ([topic] if topic else [])
        if chosen or visual:
            parts.append(PagePart(group, _in_order(group, topics), tuple(chosen), visual))
    parts += [PagePart(group, (topic,), (), visual) for topic, visual in wide]
    return sorted(parts, key=lambda part: group.topics.index(part.topics[0]))


def _of_few_topics(run: Sequence[int], owners: Mapping[int, Topic], weights: Weighed) -> list[int]:
    """The statements of the topic whose heading the page has, if they fill it, else those of at
    most three of its parts, which stand side by side."""
    counts: dict[int, float] = {}
    for at in run:
        counts[id(owners[at])] = counts.get(id(owners[at]), 0.0) + weights.scores[at]
    parents = {id(part) for topic in owners.values() for part in topic.parts}
    own = [at for at in run if id(owners[at]) not in parents and owners[at].parts]
    if own and len(counts) > 1:
        fills = sum(weights.statements[at].words for at in own) >= LEAST_WORDS
        run = own if fills else [at for at in run if at not in own]
        counts = {key: counts[key] for key in {id(owners[at]) for at in run}}
    kept = sorted(counts, key=lambda key: -counts[key])[:MOST_SIDES]
    return [at for at in run if id(owners[at]) in kept]


def _heading_words(topics: Iterable[Topic]) -> int:
    """The words of the headings that a page shows where it has several topics."""
    headings = {id(topic): topic.heading for topic in topics}
    return sum(map(word_count, headings.values())) if len(headings) > 1 else 0


def _shown_visuals(group: PageGroup, visuals: Visuals, pages: int) -> list[tuple[Topic, VisualRef]]:
    """The visuals that count most, one a page, in the order of their topics."""
    offered = [
        (topic, visual) for topic in group.topics for visual in topic.visuals
        if visuals.weight(visual) > 0
    ]  # fmt: skip
    best = sorted(offered, key=lambda item: -visuals.weight(item[1]))[: max(0, pages)]
    return [item for item in offered if item in best]


def _in_order(group: PageGroup, topics: Sequence[Topic]) -> tuple[Topic, ...]:
    own = {id(topic) for topic in topics}
    return tuple(topic for topic in group.topics if id(topic) in own)


def topic_runs(
    numbers: Sequence[int], owners: dict[int, Topic], weights: Weighed, pages: int
) -> list[list[int]]:
    """Statements in at most ``pages`` runs of about equal weight, parted where the topic changes:
    at headings, else between statements that have few words in common."""
    count = min(pages, len(numbers))
    if count <= 1:
        return [list(numbers)] if numbers else []
    sizes = np.array([weights.statements[at].words * weights.scores[at] for at in numbers])
    past = np.concatenate([[0.0], np.cumsum(sizes)])
    target = past[-1] / count or 1.0
    tears = [0.0, *(
        0.0 if owners[before] is not owners[after] else _TORN + weights.likeness(before, after)
        for before, after in pairwise(numbers)
    ), 0.0]  # fmt: skip
    costs = np.full((count + 1, len(numbers) + 1), np.inf)
    costs[0, 0] = 0.0
    back = np.zeros((count + 1, len(numbers) + 1), dtype=int)
    for page in range(1, count + 1):
        for end in range(page, len(numbers) + 1):
            starts = np.arange(page - 1, end)
            sized = ((past[end] - past[starts]) / target - 1.0) ** 2
            total = costs[page - 1, starts] + sized + tears[end]
            best = int(np.argmin(total))
            costs[page, end], back[page, end] = total[best], starts[best]
    runs: list[list[int]] = []
    end = len(numbers)
    for page in range(count, 0, -1):
        start = int(back[page, end])
        runs.append(list(numbers[start:end]))
        end = start
    return runs[::-1]


def _stands_beside(topic: Topic, visual: VisualRef, weights: Weighed, visuals: Visuals) -> bool:
    """Whether a visual stands beside words: there is room, and its topic says what it shows."""
    own = (weights.statements[at].evidence.quote for at in weights.of(topic))
    return visuals.words_beside(visual) > 0 and any(visuals.is_about(text, visual) for text in own)


def _placed(
    shown: Sequence[tuple[Topic, VisualRef]],
    runs: Sequence[Sequence[int]],
    owners: dict[int, Topic],
    weights: Weighed,
    visuals: Visuals,
) -> dict[int, tuple[Topic, VisualRef]]:
    """For each run of statements the visual beside it: the one that it refers to, else that of its
    topic; more visuals than runs get places after them."""
    placed: dict[int, tuple[Topic, VisualRef]] = {}
    for topic, visual in shown:
        near = [
            (sum(visuals.refers(weights.statements[at].evidence.quote, visual) for at in run),
             sum(owners[at] is topic for at in run), -place)
            for place, run in enumerate(runs) if place not in placed
        ]  # fmt: skip
        place = -max(near)[-1] if near else len(runs) + len(placed)
        placed[place] = (topic, visual)
    if not runs:
        return dict(enumerate(shown))
    return placed


def best_of(
    numbers: Sequence[int],
    weights: Weighed,
    words: int,
    said: set[int],
    owners: Mapping[int, Topic] | None = None,
) -> list[int]:
    """The statements that count most and fit ``words`` together, in order, none said before.

    All of them where they are only a little more than that; with ``owners`` the best of each
    topic before the second best of another.
    """
    if words <= 0:
        return []
    fresh = [at for at in numbers if not _was_said(at, weights, said)]
    whole = sum(weights.statements[at].words for at in fresh)
    most = words * FULL_WORDS // PAGE_WORDS
    if whole <= most and len(fresh) <= _MOST_POINTS:
        words = most
    chosen: list[int] = []
    room = words
    if whole > words:
        fresh = [at for at in fresh if weights.statements[at].standing > FRAGMENT] or fresh
    for at in _ranked(fresh, weights, owners or {}):
        chain = [
            number
            for number in _leaned_on(at, weights)
            if number not in chosen and number not in said
        ]
        need = sum(weights.statements[number].words for number in chain)
        alike = any(weights.likeness(at, other) > _SAID for other in chosen)
        if at in chosen or alike or not set(chain) <= set(fresh):
            continue
        if len(chosen) + len(chain) <= _MOST_POINTS and (need <= room or not chosen):
            chosen += chain
            room -= need
    chosen = _with_openers(_without_torn_lists(chosen, numbers, weights), weights, room)
    return sorted(chosen)


def _without_torn_lists(
    chosen: Sequence[int], numbers: Sequence[int], weights: Weighed
) -> list[int]:
    """The chosen without items of lists of which less than half are chosen, as a few of several
    options or steps mislead; with them where nothing else is chosen."""
    torn: set[int] = set()
    for listed, run in groupby(numbers, key=lambda at: weights.statements[at].item):
        items = list(run) if listed else []
        shown = [at for at in items if at in chosen]
        torn.update(shown if 2 * len(shown) < len(items) else ())
    kept = [at for at in chosen if at not in torn]
    return kept or list(chosen)


def _leaned_on(at: int, weights: Weighed) -> list[int]:
    """A statement after those before it that it needs: an item comes after those of its list."""
    chain = [at]
    while at and (
        weights.statements[at].needs_before
        or (weights.statements[at].item and weights.statements[at - 1].item)
    ):
        at -= 1
        if not _in_one_topic(at, at + 1, weights):
            break
        chain.append(at)
    return chain[::-1]


def _in_one_topic(first: int, second: int, weights: Weighed) -> bool:
    return any(first in places and second in places for places in weights.places.values())


def _ranked(numbers: Sequence[int], weights: Weighed, owners: Mapping[int, Topic]) -> list[int]:
    """Numbers by what their statements count, the best of each topic first."""
    ranked = sorted(numbers, key=lambda at: (-weights.scores[at], at))
    first: dict[int, int] = {}
    for at in ranked if owners else ():
        first.setdefault(id(owners[at]), at)
    return [*first.values(), *(at for at in ranked if at not in set(first.values()))]


def _was_said(at: int, weights: Weighed, said: set[int]) -> bool:
    return at in said or any(weights.likeness(at, other) > _SAID for other in said)


def _with_openers(chosen: Sequence[int], weights: Weighed, room: int) -> list[int]:
    """The chosen without sentences that announce a list of which fewer than two items are chosen,
    and with those that announce one of which two are and for which there is room."""
    kept = [
        at for at in chosen
        if (not weights.statements[at].opens_list or len(announced(at, chosen, weights)) > 1)
        and (not _COUNTS.search(weights.statements[at].text) or at + 1 in chosen)
    ]  # fmt: skip
    for at, statement in enumerate(weights.statements):
        if at in kept or not statement.opens_list or statement.words > room:
            continue
        if len(announced(at, kept, weights)) > 1:
            kept.append(at)
            room -= statement.words
    return kept or list(chosen)


def announced(at: int, chosen: Sequence[int], weights: Weighed) -> list[int]:
    """The chosen items of the list that a statement announces."""
    items: list[int] = []
    left = weights.statements[at].opens_list
    for number in range(at + 1, len(weights.statements)):
        if left == 0:
            break
        if weights.statements[number].item:
            left -= 1
            if number in chosen:
                items.append(number)
    return items
