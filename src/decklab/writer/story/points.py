"""The points of a page: sentences in their passages, items of lists, and words side by side under
the headings of their sections."""

from collections.abc import Mapping, Sequence

from decklab.core.options import DocumentKindName
from decklab.documents.sentences import word_count
from decklab.writer.outline import OutlinePoint, PageForm
from decklab.writer.prose_numbers import change_of
from decklab.writer.story.facts import number_points, year_points
from decklab.writer.story.importance import Weighed
from decklab.writer.story.material import Topic
from decklab.writer.story.parts import SIDE_WORDS, PagePart
from decklab.writer.story.preparing import begun_item, changed_words, joined_points
from decklab.writer.wording import FixedWords

HEADED = frozenset({"faq", "how-to"})
"""Kinds whose headings are the questions, steps and subjects that a reader looks for."""
_JOINED_WORDS = 30
"""Words of a point of several sentences, at most. Ours."""
_ITEM_WORDS = 45
"""Words of an item of a list of a short document, at most: what comes later is left out. Ours."""
_CARDS = 4
SUBTITLE_CHARACTERS = 130
"""Of a sentence below a title, at most. Ours."""


class PointWriter:
    """Writes statements of a document as points."""

    def __init__(
        self, weights: Weighed, owners: Mapping[int, Topic], words: FixedWords,
        *, kind: DocumentKindName, short: bool,
    ) -> None:  # fmt: skip
        self._weights, self._owners, self._words = weights, owners, words
        self._kind, self._short = kind, short

    def points_of(
        self, part: PagePart, numbers: Sequence[int], heading: str
    ) -> tuple[tuple[OutlinePoint, ...], PageForm]:
        """The points of a page and how they belong together."""
        owners = [self._owners[at] for at in numbers]
        owned = list({id(topic): topic for topic in owners}.values())
        plain = tuple(map(self.point, numbers))
        if part.visual is None and len(owned) == 1 and 0 < len(plain) <= 2:
            changed = [point for point in plain if change_of(point.text, "")]
            rest = [point for point in plain if point not in changed[:1]]
            whole = changed and changed_words(changed[0]) == changed[0].text
            said = rest if whole else plain
            if changed and sum(len(point.text) for point in said) <= SUBTITLE_CHARACTERS:
                return (changed[0], *rest), "change"
        if part.visual is None and len(owned) == 1 and self._kind not in HEADED:
            if labelled := number_points(plain):
                return labelled, "numbers"
            if dated := year_points(plain):
                return dated, "timeline"
        if len(owned) > 1 and all(topic.heading for topic in owned):
            return self._under_headings(part, numbers, heading)
        return self.in_passages(numbers, part.begun, flat=self._short), "points"

    def _under_headings(
        self, part: PagePart, numbers: Sequence[int], heading: str
    ) -> tuple[tuple[OutlinePoint, ...], PageForm]:
        """Points side by side below the headings of their topics, or one list with these in it."""
        by_topic: dict[str, list[int]] = {}
        for at in numbers:
            by_topic.setdefault(self._owners[at].heading, []).append(at)
        words = {
            name: sum(self._weights.statements[at].words for at in own)
            for name, own in by_topic.items()
        }
        plain = part.visual is None and heading not in by_topic
        if plain and max(words.values()) <= SIDE_WORDS.get(len(by_topic), 0):
            points = (
                point.model_copy(update={"label": name})
                for name, own in by_topic.items()
                for point in self.in_passages(own, part.begun, flat=True)
            )
            return tuple(points), "columns"
        if (
            plain
            and len(by_topic) == _CARDS
            and all(len(own) == 1 for own in by_topic.values())
        ):  # fmt: skip
            cards = (
                self.in_passages(own, part.begun, flat=True)[0].model_copy(update={"label": name})
                for name, own in by_topic.items()
            )
            return tuple(cards), "cards"
        listed: list[OutlinePoint] = []
        if len(by_topic) > _CARDS and all(len(own) == 1 for own in by_topic.values()):
            told = ((name, self.point(own[0])) for name, own in by_topic.items())
            return tuple(
                point if name == heading
                else point.model_copy(update={"text": f"{name}: {point.text}"})
                for name, point in told
            ), "points"  # fmt: skip
        for name, own in by_topic.items():
            below = name != heading
            listed += [OutlinePoint(text=name)] if below else []
            listed += [
                point.model_copy(update={"level": min(2, point.level + below)})
                for point in self.in_passages(own, part.begun, flat=True)
            ]
        return tuple(listed), "points"

    def in_passages(
        self, numbers: Sequence[int], begun: Mapping[int, str], *, flat: bool = False
    ) -> tuple[OutlinePoint, ...]:
        """Points in order; below a statement stands what goes on with it, unless ``flat``, and
        what it announces; ``begun`` are the beginnings of items that are shown for them."""
        points: list[OutlinePoint] = []
        ended = False
        for at, before in zip(numbers, (-1, *numbers), strict=False):
            above = self.announcement(at)
            if above in numbers and self._weights.is_row(above):
                continue
            if points and self._short and self._is_rest_of_item(at, numbers):
                longer = joined_points(points[-1], self.point(at, numbers))
                ended = ended or word_count(longer.text) > _ITEM_WORDS
                points[-1] = points[-1] if ended else longer
                continue
            ended = False
            if at in begun:
                point = begun_item(self._weights.statements[at], begun[at])
            else:
                point = self._numbered(at, self.point(at, numbers), numbers)
            if points and self._goes_on(before, at) and before not in begun:
                longer = joined_points(points[-1], point)
                if word_count(longer.text) <= _JOINED_WORDS:
                    points[-1] = longer
                    continue
            points.append(point.model_copy(update={"level": self._level(at, numbers, flat)}))
        return tuple(points)

    def _goes_on(self, before: int, at: int) -> bool:
        """Whether a statement leans on the one before it, so that one point says both."""
        start, statements = self._weights.starts[at], self._weights.statements
        if before != at - 1 or start > before or not statements[at].needs_before:
            return False
        if not statements[before].evidence.quote.rstrip().endswith((".", "!", "?", "。", "？")):
            return False
        counted = any(
            1 < statements[other].needs_after >= at - other for other in range(start, at)
        )  # fmt: skip
        listed = statements[before].opens_list or statements[at].opens_list
        return not (counted or listed or statements[at].item)

    def _numbered(self, at: int, point: OutlinePoint, shown: Sequence[int]) -> OutlinePoint:
        """An item of a numbered list with its number, if the page has a part of the list only."""
        topic = self._owners[at]
        items = [
            other for other in self._weights.of(topic) if self._weights.statements[other].item
        ]  # fmt: skip
        if not topic.is_numbered or at not in items or set(items) <= {*shown}:
            return point
        number = topic.first_step + items.index(at)
        return point.model_copy(update={"text": f"{number}. {point.text}"})

    def _is_rest_of_item(self, at: int, shown: Sequence[int]) -> bool:
        """Whether a statement is a further sentence of an item of a list that is shown."""
        item = self._weights.statements[at]
        own = range(self._weights.starts[at], at)
        leads = [other for other in own if self._weights.statements[other].lead]
        listed = bool(leads) and leads[-1] in shown and self._weights.statements[leads[-1]].item
        return listed and not (item.lead or item.item or item.opens_list)

    def _level(self, at: int, numbers: Sequence[int], flat: bool) -> int:
        starts, item = self._weights.starts, self._weights.statements[at]
        before = [other for other in numbers if other < at and starts[other] == starts[at]]
        if item.item:
            return int(self.announcement(at) in before)
        above = [other for other in before if self._weights.statements[other].lead]
        if item.lead or not above:
            return 0
        if self._weights.statements[above[-1]].item:
            return self._level(above[-1], numbers, flat) + (not self._short)
        counted = self._weights.statements[above[-1]].needs_after > 1
        return int(not flat and counted)

    def announcement(self, at: int) -> int | None:
        """The statement that announces the list of an item."""
        before = range(self._weights.starts[at], at)
        return next((other for other in before if at in self._weights.items_of(other)), None)

    def point(self, at: int, shown: Sequence[int] = ()) -> OutlinePoint:
        """A statement as a point; one that announces a list says which of its items are shown, or
        names them itself."""
        item = self._weights.statements[at]
        text = item.text
        items = self._weights.items_of(at)
        if self._weights.is_row(at):
            named = [self._weights.statements[other] for other in items]
            text = f"{text.rstrip(' :：')}: {', '.join(other.text for other in named)}"
            evidence = tuple(other.evidence for other in (item, *named))
            return OutlinePoint(text=text, evidence=evidence)
        places = [place for place, other in enumerate(items, start=1) if other in shown]
        if places and len(places) < len(items) and not self._short:
            run = places == list(range(places[0], places[-1] + 1)) and places[0] > 1
            first = f"{places[0]}–" if run and len(places) > 1 else ""
            which = f"{first}{places[-1]}" if run else f"{len(places)}"
            text += f" ({which} {self._words.out_of} {len(items)})"
        return OutlinePoint(text=text, evidence=(item.evidence,))
