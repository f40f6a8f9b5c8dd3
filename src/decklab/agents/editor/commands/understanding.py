"""A request taken apart into steps."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from decklab.agents.editor.commands import (
    contents,
    design,
    footers,
    formatting,
    links,
    notes,
    replacing,
    slides,
    transitions,
)
from decklab.agents.editor.commands.model import Form, Step
from decklab.agents.editor.commands.nearest import nearest
from decklab.agents.editor.commands.scope import SLIDES
from decklab.editing.finding import EditError

FORMS: Mapping[str, tuple[Form, ...]] = {
    "Words": replacing.FORMS,
    "Titles and cells": contents.FORMS,
    "Font, size, colour, alignment": formatting.FORMS,
    "Slides": slides.FORMS,
    "Slide numbers and footers": footers.FORMS,
    "Notes and alternative texts": notes.FORMS,
    "Links": links.FORMS,
    "Transitions and animations": transitions.FORMS,
    "Theme": design.FORMS,
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
_UNWRITABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
"""What XML 1.0, section 2.2, has no way to hold."""
_SHOWN = 200


@dataclass(frozen=True)
class Beyond:
    """A part of a request that is in no known form, or in one and means nothing."""

    part: str
    nearest: tuple[str, ...]
    """Requests that are understood and share most of its words; none where none is like it."""
    why: str = ""
    """What is wrong with a part that has a known form."""

    @property
    def words(self) -> str:
        """Why it was not done, and what could be asked."""
        part = self.part if len(self.part) <= _SHOWN else self.part[: _SHOWN - 1] + "…"
        if self.why:
            return f"not done: “{part}”: {self.why}"
        if not self.nearest:
            families = "; ".join(name[:1].lower() + name[1:] for name in FORMS)
            return f"not understood without a model: “{part}”. Known are requests about: {families}"
        known = "; ".join(self.nearest)
        return f"not understood without a model: “{part}”. Known requests near it: {known}"


@dataclass(frozen=True)
class Understood:
    """A request in its parts, in their order."""

    parts: tuple[Step | Beyond, ...]

    @property
    def steps(self) -> tuple[Step, ...]:
        """What can be done."""
        return tuple(part for part in self.parts if isinstance(part, Step))

    @property
    def beyond(self) -> tuple[Beyond, ...]:
        """What cannot."""
        return tuple(part for part in self.parts if isinstance(part, Beyond))


def understand(request: str) -> Understood:
    """Take a request apart: parts are divided by ``;``, a new line, ``and then`` or a full stop,
    and by ``and`` where there is a known request on each side.

    A request of more than ``MOST_CHARACTERS`` or ``MOST_PARTS`` is beyond as a whole.

    >>> [step.words for step in understand("Replace 'a' with 'b' on slide 2; delete slide 3").steps]
    ['replace “a” with “b” on slide 2', 'delete slide 3']
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
        return Understood((Beyond(request.strip(), (), "put texts in quotes, not in < and >"),))
    bare = _QUOTED.sub(mark, request.strip())
    bare = re.sub(r"\s*\n\s*", "\n", re.sub(r"[^\S\n]+", " ", bare))
    parts = [part.strip().rstrip(".!?").strip() for part in _BETWEEN.split(bare)]
    parts = [part for part in parts if part]
    if len(parts) > MOST_PARTS:
        return _too_much(request, f"it has {len(parts):,} parts", MOST_PARTS)
    read = (one for part in parts for one in _parted(_POLITE.sub("", part), quoted, written))
    return Understood(tuple(read))


def forms_table() -> str:
    """All forms by family, as the table of the documentation (Markdown)."""
    lines = ["| what | requests |", "| --- | --- |"]
    for family, forms in FORMS.items():
        examples = (f"`{example}`" for form in forms for example in form.examples)
        lines.append(f"| {family} | {'<br>'.join(examples)} |")
    return "\n".join(lines)


def _too_much(request: str, has: str, most: int) -> Understood:
    start = " ".join(request[:_SHOWN].split())
    return Understood((Beyond(f"{start}…", (), f"{has}, more than {most:,}"),))


def _parted(
    part: str, quoted: Mapping[str, str], written: Mapping[str, str]
) -> list[Step | Beyond]:
    """A part, or what ``and`` divides it into where all of that is known."""
    whole = _read(part, quoted, written)
    if isinstance(whole, Step) or whole.why:
        return [whole]
    pieces = [_read(piece, quoted, written) for piece in _AND.split(part)]
    known = len(pieces) > 1 and all(isinstance(one, Step) or one.why for one in pieces)
    return list(pieces) if known else [whole]


def _read(part: str, quoted: Mapping[str, str], written: Mapping[str, str]) -> Step | Beyond:
    first = _FIRST_WHERE.fullmatch(part)
    orders = [part, *([f"{first['what']} {first['where']}"] if first else [])]
    shown = re.sub(r"<(\d+)>", lambda match: written[match[1]], part)
    if _UNWRITABLE.search(shown):
        return Beyond(_UNWRITABLE.sub("\N{REPLACEMENT CHARACTER}", shown), (),
                      "it holds characters that no deck can hold")  # fmt: skip
    for form in (form for forms in FORMS.values() for form in forms):
        for words in orders:
            try:
                said = form.match(words, quoted)
                if said is not None:
                    return form.read(said)
            except EditError as error:
                return Beyond(shown, (), str(error))
    examples = [example for forms in FORMS.values() for form in forms for example in form.examples]
    return Beyond(shown, nearest(part, examples))
