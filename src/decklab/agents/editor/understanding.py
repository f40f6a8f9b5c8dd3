"""A request taken apart into operations, and the known requests nearest to what is not known."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache

from decklab.agents.editor.formatting_requests import LOOK_FORMS, THEME_FORMS
from decklab.agents.editor.grammar import SLIDES, Operation, RequestForm
from decklab.agents.editor.slide_requests import LINK_FORMS, MOTION_FORMS, SLIDE_FORMS
from decklab.agents.editor.text_requests import FOOTER_FORMS, NOTE_FORMS, TITLE_FORMS, WORD_FORMS
from decklab.editing.finding import EditError
from decklab.ooxml.xml import ILLEGAL_CHARACTERS

NEAREST = 3
"""How many known requests are named at most."""

_SAME = {
    "remove": "delete", "clear": "delete", "erase": "delete", "drop": "delete", "take": "delete",
    "change": "set", "turn": "set", "switch": "show", "insert": "add", "append": "add",
    "substitute": "replace", "swap": "move", "reorder": "move", "clone": "duplicate",
    "copy": "duplicate", "colour": "color", "image": "picture", "photo": "picture",
    "heading": "title", "headline": "title", "big": "size", "bigger": "size", "small": "size",
    "smaller": "size", "large": "size", "larger": "size", "typeface": "font", "url": "link",
    "hyperlink": "link", "bolded": "bold", "unbold": "bold", "italicize": "italic",
    "page": "slide", "paragraph": "body", "bullet": "body", "rename": "replace",
    "description": "alt", "hidden": "hide", "invisible": "hide", "centre": "center",
    "centered": "center", "effect": "animation", "animated": "animation", "speaker": "note",
}  # fmt: skip
"""Words that people use, and the word of the known requests that means the same."""
_EMPTY = frozenset({"the", "of", "on", "to", "in", "and", "a", "an", "all", "it", "by", "with",
                    "as", "for", "from", "slide", "set", "make", "add"})  # fmt: skip
"""Words that do not make two requests alike when they share nothing else."""


def nearest(part: str, examples: Collection[str]) -> tuple[str, ...]:
    """The examples that share the most words with a part, rare words counting more.

    None where they share only words that stand in requests of every kind.
    """
    bags = _bags(tuple(examples))
    counts: dict[str, int] = {}
    for bag in bags.values():
        for word in bag:
            counts[word] = counts.get(word, 0) + 1
    asked = _bag(part)
    scores = {
        example: sum(1 / counts[word] for word in bag & asked) / (len(bag) + 4)
        for example, bag in bags.items()
        if (bag & asked) - _EMPTY
    }
    return tuple(sorted(scores, key=lambda example: -scores[example])[:NEAREST])


@cache
def _bags(examples: tuple[str, ...]) -> dict[str, frozenset[str]]:
    return {example: _bag(example) for example in examples}


def _bag(text: str) -> frozenset[str]:
    plain = re.sub(r"'[^']*'|<\d+>", " ", text.lower())
    words = (word if word in _SAME else word.rstrip("s") for word in re.findall(r"[a-z]+", plain))
    return frozenset(_SAME.get(word, word) for word in words)


FORMS: Mapping[str, tuple[RequestForm, ...]] = {
    "Words": WORD_FORMS,
    "Titles and cells": TITLE_FORMS,
    "Font, size, colour, alignment": LOOK_FORMS,
    "Slides": SLIDE_FORMS,
    "Slide numbers and footers": FOOTER_FORMS,
    "Notes and alternative texts": NOTE_FORMS,
    "Links": LINK_FORMS,
    "Transitions and animations": MOTION_FORMS,
    "Theme": THEME_FORMS,
}
"""All forms by family, in the order in which they are tried."""

MOST_CHARACTERS = 20_000
"""Characters of a request. Ours: the whole text of a slide has some hundreds."""
MOST_PARTS = 50
"""Parts of a request. Ours: more is a program's work."""

_QUOTED = re.compile(
    r"(?<!\w)(?:\"([^\"]*)\"|“([^”]*)”|‘((?:[^’]|’(?=\w))*)’(?!\w)"
    r"|'((?:[^']|(?<=\w)'(?=\w))*)'(?!\w)|`([^`]*)`)"
)
_BETWEEN = re.compile(
    r"\s*(?:;|\n|,?\s+and\s+then\s+|,\s*then\s+|\.\s+(?=[A-Za-z]))\s*", re.IGNORECASE
)
_AND = re.compile(r",?\s+and\s+", re.IGNORECASE)
_POLITE = re.compile(
    r"^(?:(?:please|and|then|also|now|(?:can|could|would)\s+you)\s+)+", re.IGNORECASE
)
_FIRST_WHERE = re.compile(rf"(?P<where>(?:on|in)\s+{SLIDES})\s*,?\s+(?P<what>.+)", re.IGNORECASE)
_SHOWN = 200


@dataclass(frozen=True)
class NotUnderstood:
    """A part of a request that has no known form, or has one and makes no sense."""

    part: str
    nearest: tuple[str, ...]
    """Requests that are understood and share most of its words; none where none is like it."""
    why: str = ""
    """What is wrong with a part that has a known form."""

    @property
    def words(self) -> str:
        """Why the part was not done, and what could be asked."""
        part = self.part if len(self.part) <= _SHOWN else self.part[: _SHOWN - 1] + "…"
        if self.why:
            return f"not done: “{part}”: {self.why}"
        if not self.nearest:
            families = "; ".join(name[:1].lower() + name[1:] for name in FORMS)
            return f"not understood without a model: “{part}”. Known are requests about: {families}"
        known = "; ".join(self.nearest)
        return f"not understood without a model: “{part}”. Known requests near it: {known}"


@dataclass(frozen=True)
class ParsedRequest:
    """A request in its parts, in their order."""

    parts: tuple[Operation | NotUnderstood, ...]

    @property
    def operations(self) -> tuple[Operation, ...]:
        """The parts that can be done."""
        return tuple(part for part in self.parts if isinstance(part, Operation))

    @property
    def not_understood(self) -> tuple[NotUnderstood, ...]:
        """The parts that cannot."""
        return tuple(part for part in self.parts if isinstance(part, NotUnderstood))


def understand(request: str) -> ParsedRequest:
    """Take a request apart: parts are divided by ``;``, a new line, ``and then`` or a full stop,
    and by ``and`` where there is a known request on each side.

    Nothing is understood of a request of more than ``MOST_CHARACTERS`` or ``MOST_PARTS``.

    >>> [one.words for one in understand("Replace 'a' with 'b'; hide slide 3").operations]
    ['replace “a” with “b” on all slides', 'hide slide 3']
    """
    if len(request) > MOST_CHARACTERS:
        return _too_much(request, f"it has {len(request):,} characters", MOST_CHARACTERS)
    written: dict[str, str] = {}
    quoted: dict[str, str] = {}

    def mark(match: re.Match[str]) -> str:
        key = str(len(quoted))
        quoted[key] = next(text for text in match.groups() if text is not None)
        written[key] = match[0]
        return f"<{key}>"

    if re.search(r"<\d+>", _QUOTED.sub("", request)):
        return ParsedRequest(
            (NotUnderstood(request.strip(), (), "put texts in quotes, not in < and >"),)
        )
    bare = _QUOTED.sub(mark, request.strip())
    bare = re.sub(r"\s*\n\s*", "\n", re.sub(r"[^\S\n]+", " ", bare))
    parts = [part.strip().rstrip(".!?").strip() for part in _BETWEEN.split(bare)]
    parts = [part for part in parts if part]
    if len(parts) > MOST_PARTS:
        return _too_much(request, f"it has {len(parts):,} parts", MOST_PARTS)
    read = (one for part in parts for one in _parted(_POLITE.sub("", part), quoted, written))
    return ParsedRequest(tuple(read))


def forms_table() -> str:
    """All forms by family, as the table of the documentation (Markdown)."""
    lines = ["| what | requests |", "| --- | --- |"]
    for family, forms in FORMS.items():
        examples = (f"`{example}`" for form in forms for example in form.examples)
        lines.append(f"| {family} | {'<br>'.join(examples)} |")
    return "\n".join(lines)


def _too_much(request: str, has: str, most: int) -> ParsedRequest:
    start = " ".join(request[:_SHOWN].split())
    return ParsedRequest((NotUnderstood(f"{start}…", (), f"{has}, more than {most:,}"),))


def _parted(
    part: str, quoted: Mapping[str, str], written: Mapping[str, str]
) -> list[Operation | NotUnderstood]:
    """A part, or what ``and`` divides it into where all of that is known."""
    whole = _read(part, quoted, written)
    if isinstance(whole, Operation) or whole.why:
        return [whole]
    pieces = [_read(piece, quoted, written) for piece in _AND.split(part)]
    known = len(pieces) > 1 and all(isinstance(one, Operation) or one.why for one in pieces)
    return list(pieces) if known else [whole]


def _read(
    part: str, quoted: Mapping[str, str], written: Mapping[str, str]
) -> Operation | NotUnderstood:
    first = _FIRST_WHERE.fullmatch(part)
    orders = [part, *([f"{first['what']} {first['where']}"] if first else [])]
    shown = re.sub(r"<(\d+)>", lambda match: written[match[1]], part)
    if ILLEGAL_CHARACTERS.search(shown):
        return NotUnderstood(ILLEGAL_CHARACTERS.sub("\N{REPLACEMENT CHARACTER}", shown), (),
                      "it holds characters that no deck can hold")  # fmt: skip
    for form in (form for forms in FORMS.values() for form in forms):
        for words in orders:
            try:
                request = form.match(words, quoted)
                if request is not None:
                    return form.read(request)
            except EditError as error:
                return NotUnderstood(shown, (), str(error))
    examples = [example for forms in FORMS.values() for form in forms for example in form.examples]
    return NotUnderstood(shown, nearest(part, examples))
