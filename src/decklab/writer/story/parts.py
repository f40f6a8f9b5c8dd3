"""A group of topics as the contents of single pages: divided by topic, then the best of each."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from typing import Final

from decklab.documents.shortening import is_of_visual
from decklab.writer.outline import OutlinePoint, VisualRef
from decklab.writer.story.importance import Weighed
from decklab.writer.story.material import Topic
from decklab.writer.story.paging import (
    BESIDE_POINTS,
    LEAST_WORDS,
    MOST_SIDES,
    PageGroup,
    of_few_topics,
    said_by,
    shown_steps,
)
from decklab.writer.story.passages import FULL_WORDS, MOST_POINTS, PAGE_WORDS, Told, told
from decklab.writer.story.visuals import SEEN, Visuals

SIDE_WORDS: Final = {2: 56, 3: 42}
"""Words under each of so many headings side by side, at most. Ours."""
_SIDE_POINTS, _SIDES_WORDS = 5, 84
"""Points under each of these headings, and words under all of them. Ours."""
_GIST: Final = 0.6
"""The share that the best statement of a side counts of the best of its topic, at least. Ours."""
_ALONE, _GIST_WORDS, _OPENS = 0.7, 26, 0.6
"""How well the statement stands that is all a page says of a section, its words, and the share that
it counts of the best one if it comes before that. Ours."""
_TORN, _TORN_LIST, _TORN_PASSAGE = 0.5, 1.5, 2.0
"""What it costs to end a page inside a topic, a list or a passage, beside the likeness of the two
statements. Ours."""


@dataclass(frozen=True)
class PagePart:
    """The contents of one page: numbers of statements in their order, a visual, or rows."""

    group: PageGroup
    topics: tuple[Topic, ...]
    """Of the statements and the visual."""
    statements: tuple[int, ...]
    visual: VisualRef | None = None
    steps: tuple[OutlinePoint, ...] = ()
    first: int = 1
    """The number of the first of these steps."""
    begun: Mapping[int, str] = field(default_factory=dict)
    """The beginnings of items that are shown in place of these."""


def page_parts(
    group: PageGroup, weights: Weighed, visuals: Visuals, said: set[int]
) -> list[PagePart]:
    """The pages of a group, at most ``group.pages``; none where nothing is left to say.

    ``said`` has the numbers of statements on pages before, and gets those of these pages.
    """
    owners = {at: topic for topic in group.topics for at in weights.of(topic)}
    taken, steps = shown_steps(group, weights)
    said.update(taken)
    stepped = next((topic for topic in group.topics if topic.steps), group.topics[0])
    parts = [
        PagePart(group, (stepped,), (), steps=run, first=1 + sum(map(len, steps[:at])))
        for at, run in enumerate(steps)
    ]
    pages = group.pages - len(steps)
    if steps and stepped.steps[0].cells:
        taken = taken | _in_rows(stepped, weights)
    numbers = _untold([at for at in owners if at not in taken], weights, said)
    worded = sum(weights.statements[at].words for at in numbers) >= LEAST_WORDS
    shown = _shown_visuals(group, visuals, pages, least=SEEN if worded and pages == 1 else 0.0)
    wide = [item for item in shown if not _stands_beside(*item, weights, visuals)]
    shown = wide if wide and not worded else shown
    plain = pages - len(wide)
    runs = topic_runs(numbers, owners, weights, plain) if plain > 0 else []
    placed = _placed([item for item in shown if item not in wide], runs, owners, weights, visuals)
    if (
        len(runs) == 1
        and not (placed or steps)
        and (gist := _gists(runs[0], owners, weights, said))
    ):
        parts.append(PagePart(group, _in_order(group, [owners[at] for at in gist]), tuple(gist)))
        said.update(gist)
        runs = []
    for place in range(max(len(runs), len(placed))):
        run = runs[place] if place < len(runs) else []
        topic, visual = placed.get(place, (None, None))
        if topic is None:
            run = of_few_topics(run, owners, weights)
        else:  # beside a visual stands what its own section says, of it if there is more
            run = [at for at in run if owners[at] is topic]
            if visual and sum(weights.statements[at].words for at in run) > LEAST_WORDS:
                quotes = {at: weights.statements[at].evidence.quote for at in run}
                found = visuals.findings(visual, weights)
                run = [
                    at for at in run if at in found or visuals.is_about(quotes[at], visual)
                ] or run
        run = _without_other_visuals(run, visual, weights, visuals)
        announcement = _announcement(run, weights)
        known = said.difference(announcement)
        if topic is None:
            made = _told_side_by_side([*announcement, *run], owners, weights, known)
        else:
            words = visuals.words_beside(visual) if visual else PAGE_WORDS
            points = BESIDE_POINTS if visual else MOST_POINTS
            made = told([*announcement, *run], weights, words, known, points=points)
        chosen = made.numbers if set(made.numbers) - set(announcement) else []
        said.update(chosen)
        if place + 1 < len(runs):
            runs[place + 1] = [*_rest_of_list(run, chosen, weights), *runs[place + 1]]
        topics = [owners[at] for at in chosen] + ([topic] if topic else [])
        if chosen or visual:
            parts.append(PagePart(
                group, _in_order(group, topics), tuple(chosen), visual, begun=made.begun
            ))  # fmt: skip
    parts += [PagePart(group, (topic,), (), visual) for topic, visual in wide]
    if stepped.lists_terms:
        parts = [*parts[len(steps) :], *parts[: len(steps)]]
    return sorted(
        parts,
        key=lambda part: (
            group.topics.index(part.topics[0]),
            (part.visual.number, part.visual.view) if part.visual else (0, 0),
        ),
    )


def _gists(
    run: Sequence[int], owners: Mapping[int, Topic], weights: Weighed, said: Collection[int]
) -> list[int]:
    """Of more sections than stand side by side on one page the statement of each that counts most
    and is understood alone, as far as these have room; none for fewer sections."""
    offered: dict[int, list[int]] = {}
    for at in run:
        item, topic = weights.statements[at], owners[at]
        alone = not (item.needs_before or item.needs_after or item.opens_list)
        heads = topic.heading and topic.role not in ("appendix", "aside")
        if heads and alone and item.standing >= _ALONE and item.words <= _GIST_WORDS:
            new = told([at], weights, PAGE_WORDS, said).numbers
            offered.setdefault(id(topic), []).extend(new)
    scores = weights.scores
    chosen: list[int] = []
    for own in filter(None, offered.values()):
        rules = [at for at in own if weights.roles and "rule" in weights.roles[at]]
        best = max(rules or own, key=scores.__getitem__)
        early = (at for at in own if scores[at] >= _OPENS * scores[best])
        chosen.append(best if rules else next(early))
    while sum(weights.statements[at].words for at in chosen) > _SIDES_WORDS or (
        len(chosen) > MOST_POINTS
    ):  # fmt: skip
        chosen.remove(min(chosen, key=lambda at: weights.scores[at]))
    fits = sum(weights.statements[at].words for at in run) <= FULL_WORDS
    return chosen if len(chosen) > MOST_SIDES + 1 and not fits else []


def _in_rows(topic: Topic, weights: Weighed) -> set[int]:
    """The statements of a topic of rows that no point tells, also if their rows have no place."""
    listed = (at for at in weights.of(topic) if topic.lists_terms and weights.statements[at].item)
    return said_by(topic.steps, topic, weights).union(listed)


def _untold(numbers: Sequence[int], weights: Weighed, said: Collection[int]) -> list[int]:
    """The sound ones of some statements that no page said, and of a list all if one is new; of the
    list of a summary only the rest, since another page sums up."""
    sound = [at for at in numbers if not weights.statements[at].flaw]
    items = [
        at for at in sound if weights.statements[at].item and "answer" not in weights.roles[at]
    ]
    listed = {weights.starts[at] for at in items if at not in said}
    return [
        at for at in sound
        if at not in said or (weights.statements[at].item and weights.starts[at] in listed)
    ]  # fmt: skip


def _rest_of_list(run: Sequence[int], chosen: Sequence[int], weights: Weighed) -> list[int]:
    """The items for which a page has no room that shows others of their list."""
    shown = {weights.starts[at] for at in chosen if weights.statements[at].item}
    return [
        at for at in run
        if at not in chosen and weights.statements[at].item and weights.starts[at] in shown
    ]  # fmt: skip


def _announcement(run: Sequence[int], weights: Weighed) -> list[int]:
    """The sentence that announces the list which a page goes on with."""
    if not run or not weights.statements[run[0]].item:
        return []
    before = range(weights.starts[run[0]], run[0])
    return [at for at in before if run[0] in weights.items_of(at)]


def _without_other_visuals(
    run: list[int], visual: VisualRef | None, weights: Weighed, visuals: Visuals
) -> list[int]:
    """Statements without those that say what other figures and tables show, if others are left."""
    own = [
        at for at in run
        if not is_of_visual(quote := weights.statements[at].evidence.quote)
        or (visual is not None and visuals.refers(quote, visual))
    ]  # fmt: skip
    return own or run


def _told_side_by_side(
    run: Sequence[int], owners: Mapping[int, Topic], weights: Weighed, known: Collection[int]
) -> Told:
    """What a page tells of some topics: of one as much as it holds, of several as much each as
    stands beside the others."""
    by_topic: dict[int, list[int]] = {}
    for at in run:
        by_topic.setdefault(id(owners[at]), []).append(at)
    while True:
        words = FULL_WORDS // len(by_topic) if len(by_topic) > 1 else PAGE_WORDS
        points = _SIDE_POINTS if len(by_topic) > 1 else MOST_POINTS
        most = FULL_WORDS // max(1, len(by_topic))
        sides = [
            told(own, weights, words, known, points=points, most=most) for own in by_topic.values()
        ]
        counts = {
            key: sum(weights.scores[at] for at in own) * _tells_gist(side.numbers, own, weights)
            for (key, own), side in zip(by_topic.items(), sides, strict=True)
        }
        fitting = all(side.numbers for side in sides) and all(counts.values())
        if len(sides) < 2 or (fitting and sum(s.words(weights) for s in sides) <= _SIDES_WORDS):
            break
        by_topic.pop(min(counts, key=lambda key: counts[key]))
    begun = {at: text for side in sides for at, text in side.begun.items()}
    return Told([at for side in sides for at in side.numbers], begun)


def _tells_gist(shown: Sequence[int], own: Sequence[int], weights: Weighed) -> bool:
    """Whether a side begins as its topic does, or has one of the statements that count most; also
    if it has none, for want of room."""
    if not shown:
        return True
    most = max(weights.scores[at] for at in own)
    best = max(weights.scores[at] for at in shown)
    return weights.starts[shown[0]] == weights.starts[own[0]] or best >= _GIST * most


def _shown_visuals(
    group: PageGroup, visuals: Visuals, pages: int, least: float
) -> list[tuple[Topic, VisualRef]]:
    """The visuals that count most, and more than ``least``, one a page, in the order of their
    topics."""
    offered = [
        (topic, visual) for topic in group.topics for visual in topic.visuals
        if visuals.weight(visual) > least
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
    sizes = (weights.statements[at].words * weights.scores[at] for at in numbers)
    past = [0.0, *accumulate(sizes)]
    cuts = [0]
    for page in range(1, count):
        last = len(numbers) - count + page
        costs = {
            end: _tear(numbers[end - 1], numbers[end], owners, weights)
            + 2 * (past[end] * count / past[-1] - page) ** 2
            for end in range(cuts[-1] + 1, last + 1)
        }
        cuts.append(min(costs, key=lambda end: costs[end]))
    return [list(numbers[start:end]) for start, end in pairwise((*cuts, len(numbers))) if end]


def _tear(before: int, after: int, owners: Mapping[int, Topic], weights: Weighed) -> float:
    """What it costs to end a page between two statements."""
    if owners[before] is not owners[after]:
        return 0.0
    if weights.statements[before].opens_list:
        return _TORN_LIST * _TORN_PASSAGE
    cost = _TORN
    if weights.starts[before] == weights.starts[after]:
        cost = _TORN_LIST if weights.statements[after].item else _TORN_PASSAGE
    return cost + weights.likeness(before, after)


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
