"""Options, phases and other things that a document counts by letter or number: one unit, which a
deck shows whole or not at all, and their names, which stand where a sentence has only the letter.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from decklab.documents.sentences import word_count
from decklab.writer.outline import OutlinePoint
from decklab.writer.story.material import Statement, Topic

_KINDS: Final = (
    r"options?|variants?|variante[ns]?|alternatives?|alternativen?|proposals?|scenarios?|phases?|"
    r"stages?|offers?|bids?|quotes?|tiers?|lots?|angebote?|phasen?|stufen?|szenari(?:o|en)|"
    r"möglichkeit(?:en)?|offres?|étapes?|opci(?:ón|ones)|ofertas?|fases?|etapas?"
)
_COUNTED: Final = re.compile(
    rf"(?P<key>(?P<kind>{_KINDS})\s+(?-i:[A-H]|[IVX]{{1,4}}|\d{{1,2}})[a-z]?)\b"
    r"(?P<rest>\s*(?:\([^()]{2,40}\)\s*)?[:.–—,-]\s*\S|\s*\(|\Z)",
    re.IGNORECASE,
)
_NAMED: Final = re.compile(rf"\b(?:{_KINDS})\s+(?-i:[A-H]|[IVX]{{1,4}}|\d{{1,2}})\b", re.IGNORECASE)
_LETTERED: Final = re.compile(r"(?P<key>[A-D])(?:\s?[.:–—-])?\s(?P<name>\S.{2,40})\Z")
_BRACKETED: Final = re.compile(r"(?<!\w)\((?P<key>[A-H])\)\s+(?P<name>[^.:;,()]{3,40})(?=[.:;,])")
_BESIDE: Final = re.compile(r"\s*\([^()]*\)\Z")
_END: Final = re.compile(r"[.;:]\s|\s[–—]\s|\.\Z")
_MOST, _WORDS, _LEAST_EACH = 6, 84, 8
"""Things of a unit at most, words of all of them, and words that each may have. Ours."""
_NAME_CHARACTERS: Final = 48
_LABEL_CHARACTERS: Final = 64


def with_units(topic: Topic) -> Topic:
    """A topic and its parts; options or phases, counted in its paragraphs, its list or the headings
    of its parts, are its steps, to be shown all or not at all."""
    parts = tuple(map(with_units, topic.parts))
    topic = replace(topic, parts=parts)
    counted = [part for part in parts if _COUNTED.match(part.heading)]
    letters = [part for part in parts if len(part.heading) == 1]
    if [part.heading for part in letters] == [*"ABCDEFGH"][: len(letters)]:
        counted = counted or letters
    if len(counted) > 1 and not any(part.visuals or part.parts for part in counted[:-1]):
        told = [(part.heading, [*part.statements]) for part in counted]
        own = tuple(item for _, items in told for item in items)
        last = counted[-1]
        rest = tuple(part for part in parts if part not in counted)
        beside = replace(
            topic, statements=topic.statements + own, parts=(*rest, *last.parts),
            visuals=topic.visuals + last.visuals,
        )  # fmt: skip
        return _with_steps(beside, told)
    passages = list(_counted_passages(topic.statements))
    items = [item for item in topic.statements if item.item]
    told_of = {id(item) for _, passage in passages for item in passage}
    apart = [id(item) in told_of for item in items]
    if len(passages) > 1 and not topic.is_numbered and all(apart) >= any(apart):
        return _with_steps(topic, passages)
    return topic


def _counted_passages(statements: Sequence[Statement]) -> Iterator[tuple[str, list[Statement]]]:
    """The passages that begin with a letter or number of a unit, with what they begin with."""
    passage: list[Statement] = []
    label = ""
    for item in statements:
        opened = item.lead and _COUNTED.match(item.evidence.quote)
        if opened or item.item or not item.goes_on:
            if passage:
                yield label, passage
            passage, label = [], ""
        if opened:
            end = _END.search(item.evidence.quote, opened.end("key") + 2)
            label = item.evidence.quote[: end.start() if end else opened.end("key")].strip(" .;")
        if label:
            passage.append(item)
    if passage:
        yield label, passage


def _with_steps(topic: Topic, told: Sequence[tuple[str, list[Statement]]]) -> Topic:
    if len(told) > _MOST or any(len(label) > 2 * _LABEL_CHARACTERS for label, _ in told):
        return topic
    room = max(_LEAST_EACH, _WORDS // len(told))
    steps = tuple(_step(label, items, room) for label, items in told)
    return replace(topic, steps=steps, is_unit=True)


def _step(label: str, items: Sequence[Statement], room: int) -> OutlinePoint:
    """One of the things that are counted: its name, and of what is said of it as much as fits."""
    texts: list[str] = []
    used: list[Statement] = []
    parted = any(item.opens_list for item in items)
    for item in items:
        text = item.name if parted and item.name else item.text
        counted = _COUNTED.match(text)
        if not texts and label and (counted or (text.startswith(label) and len(label) > 1)):
            end = (
                len(label)
                if text.startswith(label) and len(label) > 1
                else counted.end("key")
                if counted
                else 0
            )
            text = text[end:].strip(" .:–—-")
            used.append(item)
        if item.flaw or item.opens_list or not text:
            continue
        if texts and sum(map(word_count, texts)) + word_count(text) > room:
            break
        texts.append(text[:1].upper() + text[1:])
        used += [item] if item not in used else []
    evidence = tuple(item.evidence for item in used)
    label, _, more = _parted(label)
    said = ". ".join(filter(None, (more, *texts)))
    return OutlinePoint(text=said or label, label=label, evidence=evidence)


def _parted(label: str) -> tuple[str, str, str]:
    """A label, and what of a long one goes below it."""
    if len(label) <= _LABEL_CHARACTERS:
        return label, "", ""
    head, mark, rest = label.partition(": ")
    return (head, mark, rest[:1].upper() + rest[1:]) if rest else (label, "", "")


def option_names(topics: Iterable[Topic], cells: Iterable[str]) -> dict[str, str]:
    """What options are called, by their letter or number in small letters ("option b"); ``cells``
    are headings of tables, such as "B: TicketPlus".

    >>> option_names([], ["A: Kassandra", "B: TicketPlus", "Price"])
    {'a': 'Kassandra', 'b': 'TicketPlus'}
    """
    cells = [*cells]
    walked = [part for whole in topics for part in whole.walk()]
    names: dict[str, str] = {}
    labels = (label for topic in walked for label in (topic.heading, *_labels(topic)))
    for label in (*labels, *cells):
        found = _COUNTED.match(label)
        name = label[found.end("key") :].strip(" :.–—-()") if found else ""
        if found and 0 < len(name) <= _NAME_CHARACTERS:
            names.setdefault(found["key"].casefold(), name)
    spoken = (found for topic in walked for item in topic.statements
              for found in _BRACKETED.finditer(item.evidence.quote))  # fmt: skip
    names |= {found["key"].casefold(): found["name"] for found in spoken}
    lettered = [found for cell in cells if (found := _LETTERED.match(cell))]
    if len(lettered) > 1:
        names |= {found["key"].casefold(): _BESIDE.sub("", found["name"]) for found in lettered}
    return names


def _labels(topic: Topic) -> Iterator[str]:
    return (step.label for step in topic.steps)


def with_names(text: str, names: Mapping[str, str]) -> str:
    """A text in which the first option that it has by letter alone has its name behind it.

    >>> with_names("We recommend option B, at once", {"option b": "two buses"})
    'We recommend option B (two buses), at once'
    """
    for found in _NAMED.finditer(text):
        name = names.get(found[0].casefold(), "")
        name = name or names.get(found[0].split()[-1].casefold(), "")
        rest = text[found.end() :]
        if name and name.casefold() not in text.casefold() and not rest.lstrip().startswith("("):
            inside = name[:1].lower() + name[1:] if name[1:2].islower() and " " in name else name
            return f"{text[: found.end()]} ({inside}){rest}" if not rest.startswith(":") else text
    return text
