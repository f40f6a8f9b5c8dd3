"""Lists of a section that a reader takes as one: numbered steps, and lists under a line that
announces them."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby, pairwise, takewhile
from typing import Final, NamedTuple

from decklab.documents.model import DocumentBlock
from decklab.documents.sections import DocumentSection
from decklab.documents.sentences import sentences, word_count
from decklab.documents.shortening import lacks_verb
from decklab.writer.story.kinds import HEADER_LINE, section_role
from decklab.writer.story.roles import roles_of

_NUMBER: Final = re.compile(r"^\(?(\d{1,2})[.)]\s+")
_CODE: Final = re.compile(r"(?P<letter>[A-Z])(?P<number>\d{1,2})[.:)]?\s+(?=[^\W\d_])")
_LEAST_NUMBERED: Final = 3
_HEADING_WORDS: Final = 13
_HEAD_BLOCKS: Final = 8
"""Blocks of a document among which the fields of its letter-head are. Ours."""
_LEAST_ITEMS: Final = 2
_LEAST_AFTER: Final = 12
_LEAST_BESIDE: Final = 60
"""Words of a line that stands over a list as a heading does, items of such a list, and words of the
section beside it, without which it needs no heading. Ours."""
_CAPITALS: Final = re.compile(
    r"(?P<number>(?:\d{1,2}|[IVX]{1,4})[.)]\s+)?(?P<name>[A-ZÀ-Þ][A-ZÀ-Þ&/' -]{1,50}[A-ZÀ-Þ])"
    r"(?:\s+\([^()]{2,40}\))?\s*:?\Z"
)
_SHOUTED_LABEL: Final = re.compile(r"(?P<name>[A-ZÀ-Þ]{3,}(?:\s[A-ZÀ-Þ']+){1,4}):\s+(?=\S)")
_RUN_IN: Final = re.compile(
    r"(?:(?P<code>(?-i:[A-Z])\d{1,2})[.:]?\s+|(?P<number>\d{1,2}(?:\.\d{1,2})+)\s+)?"
    r"(?P<name>[^\W\d_][\w’'-]*(?:\s[\w’'—–-]+){0,11}(?:\s\([^()]{2,40}\))?[?？]?)(?:(?<=[?？])|\.)\s+"
    r"(?=[^\W\d_a-zß-ÿ]|\d)"
)
_COUNTED: Final = re.compile(r"[^\W\d_]{2,12} (?:\d{1,2}|[A-H]|[IVX]{1,4})\b")
_COUNTED_LINE: Final = re.compile(r"[^\W\d_]{2,12} \d{1,2}\s?[:.–—-]\s+[^:]{2,60}[^\s.:;,!?]")
"""A beginning of a word and a number: "Option 2", "TOP 3: Hygiene"."""
_CLAUSE: Final = re.compile(r"\d{1,2}(?:\.\d{1,2})+\s")
_RUN_IN_WORDS, _ASKING_WORDS, _LABEL_WORDS, _QUESTION_WORDS = 4, 6, 2, 16
_ITEM_NAME: Final = re.compile(
    r"\d{1,2}[.)]\s+(?P<name>(?-i:[A-ZÀ-Þ])[^.!?:,;]{1,40})\.\s+(?=[^\W\d_a-zß-ÿ]|\d)"
)
"""The name of an item of minutes: "4. Boats. The engine failed."."""
_PRESENT: Final = re.compile(
    r"(?:present|in attendance|apologies|anwesend|présents?|asistentes)\s?:", re.IGNORECASE
)
_LEAST_NAMED: Final = 3
_OPENS: Final = frozenset({"recommendation", "summary", "ask", "conclusion"})
_LISTS: Final = frozenset({"actions", "decisions"})
"""Roles that a word with which a paragraph begins has, and that a word over a list has."""
_SPEAKER: Final = re.compile(r"(?:i|we|you|they|it|he|she|wir|ich|sie|es|nous|je)\b", re.IGNORECASE)
_INITIALS, _ABBREVIATION = 3, 5
"""Letters of what may stand for a name. Ours."""
_LEAST_RUN_IN, _LEAST_RUN_IN_WORDS = 2, 7
"""Words of a name with which a paragraph begins, paragraphs of a section that do, and words of such
a paragraph. Ours."""
_NAMES: Final = re.compile(
    r"(?:what|how|why|when|who|where|was|wie|warum|wer|que|quoi|comment|pourquoi|qué|cómo|quién|notes|remarks"
    r"|anmerkungen|hinweise|remarques|notas)\b",
    re.IGNORECASE,
)


def with_announced_lists(section: DocumentSection) -> Iterator[DocumentSection]:
    """A section, and as sections of their own what stands below its lines in capitals, and its
    lists under a line that names them as a heading does ("What I need from you by 20 March:"); a
    list that fills no page is left where it is."""
    if section.is_apparatus:
        yield section
        return
    section = replace(section, blocks=_with_coded_items(section))
    named = {at: name for at, block in enumerate(section.blocks) if (name := _name_of(block))}
    if not section.heading:  # lines of a letter-head
        fields = (at for at, block in enumerate(section.blocks[:_HEAD_BLOCKS])
                  if HEADER_LINE.match(block.text.strip()))  # fmt: skip
        head = max(fields, default=0)
        named = {at: name for at, name in named.items() if at > head}
    if any(_PRESENT.match(block.text) for block in section.blocks[:_HEAD_BLOCKS]):
        named = dict(sorted((named | _items_of_minutes(section.blocks)).items()))
    if section.heading.endswith(("?", "？")):
        named |= {at: _Name(block.text.strip(), shouted=True)
                  for at, block in enumerate(section.blocks) if _is_question(block)}  # fmt: skip
    run_in = [name.text for name in named.values() if name.rest]
    alone = any(name.shouted or _NAMES.match(name.text) for name in named.values())
    if len(run_in) < _LEAST_RUN_IN and not alone:
        named = {at: name for at, name in named.items() if not name.rest}
    ends = {
        start: _end_of_clause(section.blocks, start, end)
        for start, end in pairwise([*named, len(section.blocks)])
    }
    inside = {at for start, end in ends.items() for at in range(start, end)}
    own = tuple(block for at, block in enumerate(section.blocks) if at not in inside)
    yield from _with_lists(replace(section, blocks=own))
    for start, end in ends.items():
        name, block = named[start], section.blocks[start]
        opened = (replace(block, text=name.rest),) if name.rest else ()
        yield from _with_lists(
            always=True, section=replace(
                section, heading=name.text, blocks=(*opened, *section.blocks[start + 1 : end]),
                level=section.level + (not _are_alike(section.heading, name.text)),
            )
        )  # fmt: skip


def _are_alike(heading: str, name: str) -> bool:
    """Whether a name inside a section is a heading like its own: below capitals any, a question
    below a question, a counted thing below another."""
    both = heading, name
    asked = all(text.endswith(("?", "？")) for text in both)
    return heading.isupper() or asked or all(map(_COUNTED_LINE.fullmatch, both))


def _with_coded_items(section: DocumentSection) -> tuple[DocumentBlock, ...]:
    """The blocks of a section, of which paragraphs that follow each other and begin with a letter
    and the next number ("R1 ...", "R2 ...") are the items of a list; in a summary without these."""
    blocks = section.blocks
    summary = section_role(section.heading) == "summary"
    series = [
        (found["letter"], int(found["number"]) - at)
        if block.kind == "paragraph" and (found := _CODE.match(block.text)) else None
        for at, block in enumerate(blocks)
    ]  # fmt: skip
    listed: set[int] = set()
    for code, run in groupby(range(len(blocks)), key=series.__getitem__):
        places = [*run]
        listed.update(places if code and len(places) >= _LEAST_NAMED else ())
    return tuple(
        replace(block, kind="item", level=1, text=block.text[begun.end() if summary else 0 :])
        if at in listed and (begun := _CODE.match(block.text)) else block
        for at, block in enumerate(blocks)
    )  # fmt: skip


def _end_of_clause(blocks: Sequence[DocumentBlock], start: int, end: int) -> int:
    """Where what a name opens ends: that of a numbered paragraph before the next number."""
    if _CLAUSE.match(blocks[start].text) is None:
        return end
    return next((at for at in range(start + 1, end) if _CLAUSE.match(blocks[at].text)), end)


def _items_of_minutes(blocks: Sequence[DocumentBlock]) -> "dict[int, _Name]":
    """The names with which numbered items of minutes begin, if several do, and a word that stands
    over the actions."""
    found = {
        at: _Name(name["name"], block.text[name.end() :])
        for at, block in enumerate(blocks)
        if block.kind in ("item", "paragraph") and (name := _ITEM_NAME.match(block.text))
    }
    if len(found) < _LEAST_NAMED:
        return {}
    lists = {
        at: _Name(block.text.strip(), shouted=True)
        for at, block in enumerate(blocks)
        if block.kind == "paragraph" and word_count(block.text) <= _LABEL_WORDS
        and section_role(block.text) in _LISTS
    }  # fmt: skip
    return found | lists


class _Name(NamedTuple):
    """What a block says of those after it, as a heading does, and the rest of its own text."""

    text: str
    rest: str = ""
    shouted: bool = False


def _name_of(block: DocumentBlock) -> _Name | None:
    """The line in capitals that a block is, or the words with a full stop that it begins with
    ("Timing. If the order goes out ..."); None for others."""
    found = _CAPITALS.match(block.text.strip())
    if found is not None and (block.kind == "paragraph" or found["number"]):
        name = found["name"]
        return _Name(name if len(name) > _ABBREVIATION else name.capitalize())
    label = _SHOUTED_LABEL.match(block.text) if block.kind == "paragraph" else None
    if label is not None and _NAMES.match(label["name"]):
        return _Name(label["name"], block.text[label.end() :], shouted=True)
    if block.kind == "paragraph" and _COUNTED_LINE.fullmatch(block.text.strip()):
        return _Name(block.text.strip(), shouted=True)
    opened = _RUN_IN.match(block.text) if block.kind == "paragraph" else None
    if opened is None or word_count(block.text) < _LEAST_RUN_IN_WORDS:
        return None
    name = opened["name"].partition(" (")[0]
    if name.isupper() and len(name) > _INITIALS and not opened["code"]:
        return _Name(name.capitalize(), block.text[opened.end() :], shouted=True)
    most = _ASKING_WORDS if _NAMES.match(name) else _RUN_IN_WORDS
    if not (opened["code"] or opened["number"]) and word_count(name) > most:
        return None
    plain = bool(opened["code"] or _NAMES.match(name) or _COUNTED.match(name))
    plain = plain or bool(opened["number"] and word_count(name) < _RUN_IN_WORDS)
    plain = plain or word_count(name) <= _LABEL_WORDS or lacks_verb(f"the {name}")
    opens = word_count(name) <= _LABEL_WORDS and section_role(name) in _OPENS
    opens = opens or bool(_NAMES.match(name))
    plain = plain and not _SPEAKER.match(name) and (opens or not roles_of(name))
    asked = opened["name"].endswith(("?", "？"))
    coded = opened["code"] and not asked
    known = f"{opened['code']}: {opened['name']}" if coded else opened["name"]
    return _Name(known, block.text[opened.end() :]) if plain else None


def _is_question(block: DocumentBlock) -> bool:
    """Whether a paragraph is a question alone."""
    text = block.text.strip()
    return block.kind == "paragraph" and text[-1] in "?？" and word_count(text) <= _QUESTION_WORDS


def _with_lists(section: DocumentSection, *, always: bool = False) -> Iterator[DocumentSection]:
    blocks = section.blocks
    named = [
        (at, at + 1 + len(items))
        for at, block in enumerate(blocks)
        if _is_heading(block)
        and len(items := [*takewhile(lambda one: one.kind == "item", blocks[at + 1 :])])
        >= _LEAST_ITEMS
    ]
    inside = {at for start, end in named for at in range(start, end)}
    rest = tuple(block for at, block in enumerate(blocks) if at not in inside)
    beside = sum(word_count(block.text) for block in rest if block.kind == "paragraph")
    shown = any(block.kind == "table" for block in rest)
    after = sum(word_count(block.text) for at, block in enumerate(blocks)
                if named and at > named[0][0] and at not in inside)  # fmt: skip
    if after > _LEAST_AFTER:  # the order of the text
        yield section
        return
    few = len(named) == 1 and beside < _LEAST_BESIDE and not (shown or always)
    if not named or few:
        yield section
        return
    yield replace(section, blocks=rest)
    for start, end in named:
        name = blocks[start].text.strip().rstrip(" .:：")
        yield replace(
            section, heading=name, level=section.level + (not always), path=(*section.path, name),
            blocks=blocks[start + 1 : end],
        )  # fmt: skip


def _is_heading(block: DocumentBlock) -> bool:
    """Whether a paragraph is a short line that names what follows, and no sentence of its own."""
    text = block.text.strip()
    if block.kind != "paragraph" or text.endswith(("?", "!", ",", ";", "…")):
        return False
    if word_count(text) > _HEADING_WORDS or len(sentences(text)) > 1:
        return False
    bare = word_count(text) <= _RUN_IN_WORDS and text[-1].isalnum()
    return bare or _NAMES.match(text) is not None


def numbered_items(section: DocumentSection) -> tuple[int, bool]:
    """The number of the first item of a section, and whether all its items, of which there are
    three at least, have numbers that follow each other."""
    items = [block for block in section.blocks if block.kind == "item"]
    level = min((block.level for block in items), default=0)
    numbers = [int(found[1]) for block in items if block.level == level
               and (found := _NUMBER.match(block.text))]  # fmt: skip
    first = numbers[0] if numbers else 1
    listed = sum(block.level == level for block in items)
    whole = len(numbers) == listed >= _LEAST_NUMBERED
    return first, whole and numbers == [*range(first, first + listed)]
