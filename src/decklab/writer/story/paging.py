"""Which topics share a page, and which get several: by what would be lost otherwise.

Every topic below a common heading begins on the page of that heading. As long as there are pages
left, the step that saves most is taken: a topic gets a page of its own, or one page more. Where
there are fewer pages than topics without a common heading, short neighbours stand side by side, and
at last the topics that count least are left out.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import ceil
from typing import Final

from decklab.documents.sentences import word_count
from decklab.documents.shortening import FRAGMENT
from decklab.writer.outline import OutlinePoint, VisualRef
from decklab.writer.prose_numbers import change_of
from decklab.writer.story.importance import Weighed
from decklab.writer.story.material import Topic
from decklab.writer.story.passages import FULL_WORDS, PAGE_WORDS, told
from decklab.writer.story.visuals import Visuals

MOST_SIDES: Final = 3
"""Topics that stand side by side on one page under headings of their own."""
BESIDE_POINTS: Final = 3
"""Points beside a visual."""
LEAST_WORDS: Final = 18
"""Words of a page without a visual; a topic with fewer stays with its neighbours. Ours."""
THIN_WORDS: Final = 30
"""The same where there is more to say than the pages hold. Ours."""
UNHEADED_WORDS = 36
"""Words before the first heading that have a page; fewer are names and dates. Ours."""
_LITTLE = 12
"""Words of a topic that has no page where there are more topics than pages. Ours."""
TABLE_WORDS, _TABLE_ROWS = 130, 10
"""Words of the rows of a table on one page, and rows. Ours."""
_AT_THE_SIDE = 0.2
"""The share that a table or figure of an appendix counts of what others do. Ours."""
_SQUEEZED = 1.35
"""How many more words a table has where another page would show the last rows. Ours."""
_SECTION = 10.0
"""What it counts that a section that is no appendix has a place at all. Ours."""
_HALF = 10.0
"""The loss when of a table of two pages only the first has a place. Ours."""
_BEGUN = 0.4
"""The share that is lost of items that stand with their beginnings. Ours."""
_WORTH_A_PAGE = 30
"""Words that a further page has to tell; fewer come last. Ours."""
_AGAIN = 0.75
"""How much less each further page of a section counts than the one before. Ours."""
_SPLIT_COST = 0.15
"""What a further page has to save; below that a deck is as good without it. Ours."""


@dataclass(frozen=True)
class PageGroup:
    """Topics that are told together, on one page or several; ``side_by_side`` where they have no
    heading in common."""

    heading: str
    section: str
    topics: tuple[Topic, ...]
    pages: int = 1
    side_by_side: bool = False


@dataclass(frozen=True)
class Paging:
    """Groups in the order of the deck, and the topics for which no page was left."""

    groups: tuple[PageGroup, ...]
    left_out: tuple[Topic, ...]


class Pager:
    """Divides topics into groups of pages.

    ``said`` are numbers of statements that need no page. ``visuals`` says what a table or figure
    counts, and how many words stand beside it.
    """

    def __init__(self, weights: Weighed, visuals: Visuals, said: Collection[int] = ()) -> None:
        self._weights, self._said = weights, frozenset(said)
        self._visuals = visuals
        self._known: dict[tuple[tuple[int, ...], int], tuple[float, int]] = {}
        self._most: dict[tuple[int, ...], int] = {}
        self._least = LEAST_WORDS

    def paging(self, topics: Sequence[Topic], pages: int) -> Paging:
        """The groups of topics on at most ``pages`` pages."""
        groups = [PageGroup(topic.heading, topic.heading, tuple(topic.walk())) for topic in topics]
        groups = [group for group in groups if self._all(group)]
        first = [group for group in groups if not group.heading and self._says_little(group)]
        if len(first) < len(groups):
            groups = [group for group in groups if group not in first]
        aside = self._side_matters(groups, pages)
        groups = [group for group in groups if group not in aside]
        much = sum(self._words(group.topics) for group in groups) >= pages * PAGE_WORDS
        self._least = THIN_WORDS if much else LEAST_WORDS
        groups = self._filled(groups)
        little = [group for group in groups if self._says_little(group)]
        if len(groups) > pages and len(little) < len(groups):
            groups = [group for group in groups if group not in little]
        groups, left_out = self._reduced(groups, max(1, pages))
        left_out += [topic for group in aside for topic in group.topics]
        used = len(groups)
        while used < pages:
            best = self._best_step(groups, pages - used)
            if best is None:
                break
            at, made = best
            used += sum(group.pages for group in made) - groups[at].pages
            groups[at : at + 1] = made
        if used < pages and first and first[0] not in groups:
            groups.insert(0, first[0])
        while used >= pages and self._exchange(groups, left_out):
            pass
        places = {id(part): at for at, part in enumerate(p for t in topics for p in t.walk())}
        groups.sort(key=lambda group: min(
            (places[id(topic)] for topic in group.topics if self._tells(topic)),
            default=places[id(group.topics[0])],
        ))  # fmt: skip
        return Paging(tuple(groups), tuple(left_out))

    def _tells(self, topic: Topic) -> bool:
        """Whether something stands directly below the heading of a topic."""
        return bool(topic.visuals or topic.steps or self._numbers([topic]))

    def _side_matters(self, groups: Sequence[PageGroup], pages: int) -> list[PageGroup]:
        """The groups of appendices and side matters, if the others fill the pages."""
        aside = [group for group in groups if all(map(_is_aside, group.topics))]
        words = sum(self._words(group.topics) for group in groups if group not in aside)
        return aside if words >= pages * PAGE_WORDS else []

    def bound(self, group: PageGroup) -> bool:
        """Give a group of several pages fewer from now on, for it does not fill them; False for
        others."""
        if group.pages > 1:
            self._most[_key(group.topics)] = group.pages - 1
        return group.pages > 1

    def _says_little(self, group: PageGroup) -> bool:
        """Whether a group has only a few words, or names and dates before the first heading."""
        if any(map(self._visuals.weight, _visuals(group.topics))) or self._changes(group.topics):
            return False
        if any(topic.is_unit for topic in group.topics):
            return False
        headed = group.heading or group.side_by_side
        least = _LITTLE if headed else UNHEADED_WORDS
        return self._words(group.topics) < least

    def _exchange(self, groups: list[PageGroup], left_out: list[Topic]) -> bool:
        """Leave out the topic that counts least for a page more of another one, where that saves
        more than it loses; whether it did."""
        step = self._best_step(groups, 1)
        single = [
            (self._all(group) - self.loss(group)
             + _SECTION * (self._is_told(group) and self._fills(group.topics)), at)
            for at, group in enumerate(groups)
            if group.pages == 1
        ]  # fmt: skip
        if step is None or not single:
            return False
        lost, place = min(single)
        at, made = step
        saved = self.loss(groups[at]) - sum(map(self.loss, made))
        if place == at or saved <= lost:
            return False
        groups[at : at + 1] = made
        left_out += groups.pop(place + len(made) - 1 if place > at else place).topics
        return True

    def _is_told(self, group: PageGroup) -> bool:
        """Whether a deck should have a page of a group: it has a heading, is no appendix, and not
        said already but for what fills a page."""
        numbers = (at for topic in group.topics for at in self._weights.of(topic))
        appendix = all(topic.role == "appendix" for topic in group.topics)
        new = self._said.isdisjoint(numbers) or self._words(group.topics) > FULL_WORDS
        return bool(group.heading or group.side_by_side) and not appendix and new

    def loss(self, group: PageGroup) -> float:
        """What of a group has no place on its pages, as the sum of what that counts."""
        return self._lost(group)[0]

    def _lost(self, group: PageGroup) -> tuple[float, int]:
        """What has no place on the pages of a group: what it counts, and its words."""
        key = (_key(group.topics), group.pages)
        if key not in self._known:
            self._known[key] = self._without_place(group)
        return self._known[key]

    def _without_place(self, group: PageGroup) -> tuple[float, int]:
        visuals = sorted(
            (weight, self._visuals.words_beside(visual), at, self._visuals.is_second_page(visual))
            for at, topic in enumerate(group.topics)
            for visual in topic.visuals
            if (weight := self._visuals.weight(visual)) > 0
        )
        taken, steps = shown_steps(group, self._weights)
        pages = group.pages - len(steps)
        shown = min(len(visuals), pages)
        left_out = visuals[: len(visuals) - shown]
        beside: dict[int, int] = {}
        for _, words, at, _ in visuals[len(visuals) - shown :]:
            beside[at] = beside.get(at, 0) + words
        for at, words in beside.items():
            own = [at for at in self._numbers(group.topics[at : at + 1]) if at not in taken]
            taken = {*taken, *told(own, self._weights, words, points=BESIDE_POINTS).numbers}
        owners = {at: topic for topic in group.topics for at in self._numbers([topic])}
        numbers = [at for at in owners if at not in taken]
        plain = pages - shown
        run = of_few_topics(numbers, owners, self._weights, plain) if plain else []
        kept = told(run, self._weights, PAGE_WORDS * plain, pages=max(1, plain))
        left = set(numbers).difference(kept.numbers)
        words = sum(self._weights.statements[at].words for at in left.union(kept.begun))
        lost = sum(self._weights.scores[at] for at in left) + sum(item[0] for item in left_out)
        lost += _HALF * sum(second for *_, second in left_out) * bool(shown)
        lost += _BEGUN * sum(self._weights.scores[at] for at in kept.begun)
        return lost, words + _WORTH_A_PAGE * len(left_out)

    def _all(self, group: PageGroup) -> float:
        """What all of a group counts."""
        text = sum(self._weights.scores[at] for at in self._numbers(group.topics))
        shown = (
            self._visuals.weight(visual) * (_AT_THE_SIDE if _is_aside(topic) else 1.0)
            for topic in group.topics for visual in topic.visuals
        )  # fmt: skip
        return text + sum(shown)

    def _filled(self, groups: list[PageGroup]) -> list[PageGroup]:
        """The groups with those that fill no page beside a neighbour, where one has room."""
        at = 0
        while at < len(groups):
            group = groups[at]
            sides = [
                (self._changes(joined.topics), self._words(joined.topics), place)
                for place in (at, at - 1)
                if 0 <= place < len(groups) - 1
                and (joined := _joined(groups[place], groups[place + 1])) is not None
                and self._words(joined.topics) <= FULL_WORDS
                and len(_visuals(joined.topics)) <= 1
            ]  # fmt: skip
            if self._fills(group.topics) or not sides:
                at += 1
                continue
            place = min(sides)[-1]
            joined = _joined(groups[place], groups[place + 1])
            groups[place : place + 2] = [joined] if joined is not None else []
            at = max(0, place - 1)
        return groups

    def _words(self, topics: Sequence[Topic]) -> int:
        """The words of topics that are understood by themselves, or as items of a list."""
        own = (self._weights.statements[at] for at in self._numbers(topics))
        return sum(item.words for item in own if item.item or item.standing > FRAGMENT)

    def _numbers(self, topics: Sequence[Topic]) -> list[int]:
        """The numbers of the statements of topics that need a page."""
        numbers = (at for topic in topics for at in self._weights.of(topic))
        return [at for at in numbers if at not in self._said and self._is_sound(at)]

    def _is_sound(self, at: int) -> bool:
        return not self._weights.statements[at].flaw

    def _reduced(self, groups: list[PageGroup], pages: int) -> tuple[list[PageGroup], list[Topic]]:
        """At most ``pages`` groups: the step that loses least is taken again and again."""
        left_out: list[Topic] = []
        while len(groups) > pages:
            drops = [(self._all(group), at, False) for at, group in enumerate(groups)]
            joins = [
                (self.loss(joined) - self.loss(first) - self.loss(second), at, True)
                for at, (first, second) in enumerate(pairwise(groups))
                if (joined := _joined(first, second)) is not None
            ]
            _, at, joining = min(drops + joins)
            if joining:
                joined = _joined(groups[at], groups[at + 1])
                assert joined is not None
                groups[at : at + 2] = [joined]
            else:
                left_out += groups.pop(at).topics
        return groups, left_out

    def _best_step(
        self, groups: Sequence[PageGroup], room: int
    ) -> tuple[int, list[PageGroup]] | None:
        """The group to divide, and what it becomes, where that saves enough."""
        best: tuple[float, int, list[PageGroup]] | None = None
        pages: Counter[str] = Counter()
        for group in groups:
            pages[group.section] += group.pages
        for at, group in enumerate(groups):
            before, words = self._lost(group)
            for made in self._divisions(group):
                more = sum(part.pages for part in made) - group.pages
                if more > room:
                    continue
                saved = (before - sum(map(self.loss, made))) / more
                saved *= _AGAIN ** (pages[group.section] - 1)
                if len(made) == 1:
                    saved *= min(1.0, words / _WORTH_A_PAGE) * _AGAIN ** (2 * group.pages)
                if saved > _SPLIT_COST and (best is None or saved > best[0] + 1e-9):
                    best = (saved, at, made)
        return None if best is None else (best[1], best[2])

    def _divisions(self, group: PageGroup) -> list[list[PageGroup]]:
        """The ways to give a group one page more: a part of it by itself, or all of it longer."""
        made: list[list[PageGroup]] = []
        if group.pages == 1:
            made += [
                sides for topic in group.topics
                if (sides := self._apart(group, topic)) is not None
            ]  # fmt: skip
        made += self._halves(group)
        if len(group.topics) == 1 or not made:
            more = (1, 2) if any(topic.steps for topic in group.topics) else (1,)
            most = self._most.get(_key(group.topics), group.pages + 2)
            counts = (group.pages + pages for pages in more if group.pages + pages <= most)
            made += [[replace(group, pages=pages)] for pages in counts]
        return made

    def _halves(self, group: PageGroup) -> list[list[PageGroup]]:
        """The ways to part a group of more topics than stand side by side, all of one heading."""
        parts = [topic for topic in group.topics[0].parts if topic in group.topics]
        if len(heads(group.topics)) > 1 or len(parts) <= MOST_SIDES or group.pages > 1:
            return []
        places = [group.topics.index(part) for part in parts[1:]]
        halves = [(group.topics[:place], group.topics[place:]) for place in places]
        return [
            [replace(group, topics=half) for half in both]
            for both in halves if all(map(self._fills, both))
        ]  # fmt: skip

    def _apart(self, group: PageGroup, topic: Topic) -> list[PageGroup] | None:
        """A group with one of its topics, and the parts of that, on a page of its own."""
        own = {id(part) for part in topic.walk()}
        inside = tuple(part for part in group.topics if id(part) in own)
        rest = tuple(part for part in group.topics if id(part) not in own)
        if not rest or not topic.heading or not (self._fills(inside) and self._fills(rest)):
            return None
        if len(self._numbers(rest)) == 1 and not _visuals(rest):  # a sentence that opens its parts
            return None
        section = topic.heading if group.side_by_side else group.section
        first = PageGroup(topic.heading, section, inside)
        if group.side_by_side and len(heads(rest)) == 1:
            heading = rest[0].heading
            other = PageGroup(heading, heading, rest)
        else:
            other = replace(group, topics=rest)
        before = group.topics.index(inside[0]) < group.topics.index(rest[0])
        return [first, other] if before else [other, first]

    def _fills(self, topics: Sequence[Topic]) -> bool:
        """Whether topics have enough for a page of their own."""
        if any(map(self._visuals.weight, _visuals(topics))) or any(t.example for t in topics):
            return True
        enough = self._words(topics) >= self._least
        return enough or self._changes(topics)

    def _changes(self, topics: Sequence[Topic]) -> bool:
        """Whether a statement of topics is a change, which a page of its own shows best."""
        numbers = self._numbers(topics)
        return any(change_of(self._weights.statements[at].text, "") for at in numbers)


def shown_steps(
    group: PageGroup, weights: Weighed
) -> tuple[set[int], list[tuple[OutlinePoint, ...]]]:
    """The statements of a group that are rows of a table, or options and phases, and these page by
    page; nothing where the group has none, or says more than that on its one page. Options and
    phases have a page in any case."""
    stepped = next((topic for topic in group.topics if topic.steps), None)
    if stepped is None:
        return set(), []
    taken = said_by(stepped.steps, stepped, weights)
    rest = sum(
        weights.statements[at].words
        for topic in group.topics
        for at in weights.of(topic)
        if at not in taken
    )
    alone = rest <= PAGE_WORDS // 2 and not _visuals(group.topics)
    room = group.pages - (not alone)
    runs = row_pages(stepped.steps, room) if room and not stepped.is_unit else []
    runs = [stepped.steps] if stepped.is_unit else runs
    return said_by([step for run in runs for step in run], stepped, weights), runs


def said_by(steps: Sequence[OutlinePoint], topic: Topic, weights: Weighed) -> set[int]:
    """The statements of a topic that steps say."""
    quotes = {item.quote for step in steps for item in step.evidence}
    return {
        at
        for at in weights.of(topic)
        if any(quote in weights.statements[at].evidence.quote for quote in quotes)
    }


def row_pages(rows: Sequence[OutlinePoint], room: int) -> list[tuple[OutlinePoint, ...]]:
    """Rows of a table on as few of ``room`` pages as hold them; those that these pages hold."""
    words = sum(
        word_count(row.text) + (row.text != row.label) * word_count(row.label) for row in rows
    )
    pages = ceil(max(words / TABLE_WORDS, len(rows) / _TABLE_ROWS))
    if pages == room + 1:  # a few rows alone fill no page
        pages = ceil(max(words / (_SQUEEZED * TABLE_WORDS), len(rows) / _TABLE_ROWS))
    if pages > room:
        fitting = room * ceil(len(rows) / pages)  # as on all pages, so that these are worth it
        rows, pages = rows[:fitting], room
    size = ceil(len(rows) / pages)
    return [tuple(rows[at : at + size]) for at in range(0, len(rows), size)]


def of_few_topics(
    run: Sequence[int], owners: Mapping[int, Topic], weights: Weighed, pages: int = 1
) -> list[int]:
    """The statements of the topic whose heading pages have, if they fill them, else those of at
    most three of its parts a page, which stand side by side."""
    counts: dict[int, float] = {}
    for at in run:
        counts[id(owners[at])] = counts.get(id(owners[at]), 0.0) + weights.scores[at]
    parents = {id(part) for topic in owners.values() for part in topic.parts}
    own = [at for at in run if id(owners[at]) not in parents and owners[at].parts]
    if own and len(counts) > 1:
        fills = len(own) > 1 and sum(weights.statements[at].words for at in own) >= LEAST_WORDS
        run = own if fills else [at for at in run if at not in own]
        counts = {key: counts[key] for key in {id(owners[at]) for at in run}}
    words = dict.fromkeys(counts, 0)
    for at in run:
        words[id(owners[at])] += weights.statements[at].words
    aside = {id(topic) for topic in owners.values() if _is_aside(topic)}
    kept = sorted(counts, key=lambda key: (words[key] < _LITTLE, key in aside, -counts[key]))
    kept = kept[: MOST_SIDES * pages]
    return [at for at in run if id(owners[at]) in kept]


def _is_aside(topic: Topic) -> bool:
    return topic.role in ("appendix", "aside")


def _key(topics: Sequence[Topic]) -> tuple[int, ...]:
    return tuple(map(id, topics))


def _visuals(topics: Sequence[Topic]) -> list[VisualRef]:
    return [visual for topic in topics for visual in topic.visuals]


def heads(topics: Sequence[Topic]) -> list[Topic]:
    """The topics that are no part of another one of these."""
    inside = {id(part) for topic in topics for part in topic.walk() if part is not topic}
    return [topic for topic in topics if id(topic) not in inside]


def _joined(first: PageGroup, second: PageGroup) -> PageGroup | None:
    """Two neighbours without parts side by side; None where that would be more than stand on a
    page, or one sums the document up."""
    topics = first.topics + second.topics
    summing = any(topic.role == "summary" for topic in topics)
    if summing or len(topics) > MOST_SIDES or not all(topic.heading for topic in topics):
        return None
    if any(t.visuals or t.example or (t.steps and t.steps[0].cells) for t in topics):
        return None
    return PageGroup("", first.section, topics, side_by_side=True)
