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
from decklab.agents.editor.library import EditError

__all__ = ["FORMS", "Beyond", "Understood", "forms_table", "understand"]

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

_QUOTED = re.compile(
    r"(?<!\w)(?:\"([^\"]*)\"|“([^”]*)”|‘((?:[^’]|’(?=\w))*)’(?!\w)"
    r"|'((?:[^']|(?<=\w)'(?=\w))*)'(?!\w)|`([^`]*)`)"
)
_BETWEEN = re.compile(
    r"\s*(?:;|\n|,?\s+and\s+then\s+|,\s*then\s+|\.\s+(?=[A-Za-z]))\s*", re.IGNORECASE
)
_POLITE = re.compile(r"^(?:please|and|then|also|now)\s+", re.IGNORECASE)
_NEAREST = 3


@dataclass(frozen=True)
class Beyond:
    """A part of a request that is in no known form."""

    part: str
    nearest: tuple[str, ...]
    """Requests that are understood and share most of its words."""

    @property
    def words(self) -> str:
        """Why it was not done, and what could be asked."""
        known = "; ".join(self.nearest)
        return f"not understood without a model: “{self.part}”. Known requests near it: {known}"


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
    """Take a request apart: parts are divided by ``;``, a new line, ``and then`` or a full stop.

    >>> [step.words for step in understand("Replace 'a' with 'b' on slide 2; delete slide 3").steps]
    ['replace “a” with “b” on slide 2', 'delete slide 3']
    """
    quoted: dict[str, str] = {}

    def mark(match: re.Match[str]) -> str:
        quoted[str(len(quoted))] = next(text for text in match.groups() if text is not None)
        return f"<{len(quoted) - 1}>"

    bare = _QUOTED.sub(mark, request.strip())
    parts = (part.strip().rstrip(".").strip() for part in _BETWEEN.split(bare))
    return Understood(tuple(_read(_POLITE.sub("", part), quoted) for part in parts if part))


def forms_table() -> str:
    """All forms by family, as the table of the documentation (Markdown)."""
    lines = ["| what | requests |", "| --- | --- |"]
    for family, forms in FORMS.items():
        examples = (f"`{example}`" for form in forms for example in form.examples)
        lines.append(f"| {family} | {'<br>'.join(examples)} |")
    return "\n".join(lines)


def _read(part: str, quoted: Mapping[str, str]) -> Step | Beyond:
    for forms in FORMS.values():
        for form in forms:
            try:
                said = form.match(part, quoted)
            except EditError as error:
                return Beyond(f"{_shown(part, quoted)} ({error})", nearest(part))
            if said is not None:
                return form.read(said)
    return Beyond(_shown(part, quoted), nearest(part))


def _shown(part: str, quoted: Mapping[str, str]) -> str:
    return re.sub(r"<(\d+)>", lambda match: f"'{quoted[match[1]]}'", part)


def nearest(part: str) -> tuple[str, ...]:
    """The examples that share the most words with a part, rare words counting more."""
    examples = [example for forms in FORMS.values() for form in forms for example in form.examples]
    bags = {example: _bag(example) for example in examples}
    counts: dict[str, int] = {}
    for bag in bags.values():
        for word in bag:
            counts[word] = counts.get(word, 0) + 1
    asked = _bag(part)
    scores = {
        example: sum(1 / counts[word] for word in bag & asked) / (len(bag) + 4)
        for example, bag in bags.items()
    }
    if not any(scores.values()):
        return tuple(forms[0].examples[0] for forms in FORMS.values())[:_NEAREST]
    return tuple(sorted(examples, key=lambda example: -scores[example])[:_NEAREST])


def _bag(text: str) -> set[str]:
    plain = re.sub(r"'[^']*'|<\d+>", " ", text.lower())
    return {word.rstrip("s") for word in re.findall(r"[a-z]+", plain)} - {"the", "of", "on", "to"}
