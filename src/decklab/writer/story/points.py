"""The points of a page: sentences in their passages, items of lists, and words side by side under
the headings of their sections."""

import re
from collections.abc import Mapping, Sequence
from functools import reduce

from decklab.documents.sentences import word_count
from decklab.documents.shortening import lacks_verb
from decklab.writer.outline import OutlinePoint, PageForm
from decklab.writer.prose_numbers import change_of
from decklab.writer.story.importance import Weighed
from decklab.writer.story.material import Topic
from decklab.writer.story.paging import PagePart
from decklab.writer.story.preparing import changed_words, joined_points
from decklab.writer.story.titles import states
from decklab.writer.wording import FixedWords

HEADED = frozenset({"faq", "how-to"})
"""Kinds whose headings are the questions, steps and subjects that a reader looks for."""
_JOINED_WORDS = 30
"""Words of a point of several sentences, at most. Ours."""
_CODE = re.compile(r"[A-Z]{1,2}\d{1,2}\b")
"""The number with which a risk or task begins that is told in several sentences."""
_NAME_WORDS = 4
"""Words of a name that a sentence begins with, before its colon."""
_LABEL_WORDS = 6
"""Words that stand before a paragraph as its heading does, at most. Ours."""
_MOST_BESIDE = 5
"""Topics side by side at most. Ours."""
SUBTITLE_CHARACTERS = 130
"""Of a sentence below a title, at most. Ours."""


class PointWriter:
    """Writes statements of a document as points."""

    def __init__(self, weights: Weighed, owners: Mapping[int, Topic], words: FixedWords) -> None:
        self._weights, self._owners, self._words = weights, owners, words

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
        if len(owned) > 1 and all(topic.heading for topic in owned):
            return self._under_headings(part, numbers, heading)
        return self.whole(numbers), "points"

    def whole(self, numbers: Sequence[int]) -> tuple[OutlinePoint, ...]:
        """Statements in order: an item is one point with all its sentences, and a sentence beside a
        list stands without a bullet."""
        points: list[OutlinePoint] = []
        statements = self._weights.statements
        listed = sum(statements[at].item for at in numbers) > 1
        for at, before in zip(numbers, (-1, *numbers), strict=False):
            item, point = statements[at], self._numbered(at, self.point(at, numbers))
            above = self.announcement(at)
            if above in numbers and self._weights.is_row(above):
                continue
            bare = listed and not item.item
            together = self._weights.starts[at] == self._weights.starts[before] and before >= 0
            coded = _CODE.match(statements[self._weights.starts[at]].text) is not None
            inside = listed and self._weights.is_of_item(at)
            if points and (inside or (together and not item.item and (bare or coded))):
                points[-1] = joined_points(points[-1], point)
                continue
            labelled = before >= 0 and self.is_label(before, numbers)
            if points and (labelled or self._goes_on(before, at)):
                longer = joined_points(points[-1], point, ": " if labelled else ". ")
                if word_count(longer.text) <= _JOINED_WORDS or labelled:
                    points[-1] = longer
                    continue
            points.append(point.model_copy(update={"bare": bare}))
        return tuple(points)

    def label_of(self, shown: Sequence[int]) -> str:
        """The words before the colon of the first sentence of a page, if it is a name."""
        text = self._weights.statements[shown[0]].text if shown else ""
        name, colon, _ = text.partition(": ")
        return name if colon and word_count(name) <= _NAME_WORDS and not states(name) else ""

    def is_label(self, at: int, shown: Sequence[int], *, ended: bool = False) -> bool:
        """Whether a statement stands before the next one of a page as its heading does: without a
        mark at its end, or if it may be ``ended`` by one, as words without a verb."""
        item = self._weights.statements[at]
        named = item.lead and not (item.item or item.opens_list) and item.words <= _LABEL_WORDS
        named = named and item.text[0].isupper() and at + 1 in shown
        if (
            not named
            or any(sign in item.text for sign in ",:;?!")
            or any(map(str.isdigit, item.text))
        ):
            return False
        open_end = item.evidence.quote.rstrip()[-1:].isalnum()
        return (open_end and not states(item.text)) or (ended and lacks_verb(f"the {item.text}"))

    def _under_headings(
        self, part: PagePart, numbers: Sequence[int], heading: str
    ) -> tuple[tuple[OutlinePoint, ...], PageForm]:
        """Points side by side below the headings of their topics, or one list with these in it."""
        by_topic: dict[str, list[int]] = {}
        for at in numbers:
            by_topic.setdefault(self._owners[at].heading, []).append(at)
        if part.visual is None and heading not in by_topic and len(by_topic) <= _MOST_BESIDE:
            sides = (
                point.model_copy(update={"label": name})
                for name, own in by_topic.items() for point in self.whole(own)
            )  # fmt: skip
            return tuple(sides), "columns"
        listed: list[OutlinePoint] = []
        for name, own in by_topic.items():
            first, *others = self.whole(own)
            if part.visual:
                first, others = reduce(joined_points, others, first), []
            if name != heading:  # the heading of a part stands before its first sentence
                text = f"{name}{' ' if name.endswith(('?', '？')) else ': '}{first.text}"
                first = first.model_copy(update={"text": text, "bare": False})
            listed += [first, *others]
        return tuple(listed), "points"

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

    def _numbered(self, at: int, point: OutlinePoint) -> OutlinePoint:
        """An item of a numbered list with its number."""
        topic = self._owners[at]
        items = [
            other for other in self._weights.of(topic) if self._weights.statements[other].item
        ]  # fmt: skip
        if not topic.is_numbered or at not in items:
            return point
        number = topic.first_item + items.index(at)
        return point.model_copy(update={"text": f"{number}. {point.text}"})

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
        return OutlinePoint(text=text, evidence=(item.evidence,))
