"""What a deck itself says lint shall ignore: in its notes for a slide, in its properties for all.

A line ``decklab: ignore contrast.low, title`` in the notes of a slide is about that slide. The same
line among the tags of the file (keywords), or a custom document property ``decklab.ignore`` with
the names alone, is about the whole deck.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from decklab.core.errors import UnknownName
from decklab.core.results import Finding
from decklab.deck.model.slide import DeckElements
from decklab.linting.settings import named_rules
from decklab.metrics.findings import named_slides

PROPERTY: Final = "decklab.ignore"
"""The custom document property that names what is ignored in the whole deck."""
_TAGS = "keywords"
_LINE = re.compile(r"^\s*decklab:\s*ignore\b[ \t]*(?P<names>.*)$", re.IGNORECASE | re.MULTILINE)
_TAG = re.compile(r"decklab:\s*ignore\s+(?P<names>[^;]*)", re.IGNORECASE)


@dataclass(frozen=True)
class Ignored:
    """The rules that a deck ignores."""

    everywhere: frozenset[str] = frozenset()
    """Ids of rules that are ignored in the whole deck."""
    slides: Mapping[int, frozenset[str]] = field(default_factory=dict)
    """Ids of rules by the number of the slide that ignores them."""
    problems: tuple[str, ...] = ()
    """Names that are no rule, with their place, one line each."""

    def split(self, findings: Iterable[Finding]) -> tuple[list[Finding], list[Finding]]:
        """The findings that stay, and those that are ignored.

        A finding for several slides, some of which ignore its rule, stays for the others.
        """
        stay: list[Finding] = []
        gone: list[Finding] = []
        for finding in findings:
            rest = self._rest(finding)
            if rest is None:
                gone.append(finding)
            else:
                stay.append(rest)
        return stay, gone

    def _rest(self, finding: Finding) -> Finding | None:
        if finding.rule in self.everywhere:
            return None
        about = finding.slides or (() if finding.slide is None else (finding.slide,))
        without = [number for number in about if finding.rule in self.slides.get(number, ())]
        left = tuple(number for number in about if number not in without)
        if not without:
            return finding
        if not left:
            return None
        said = f"{finding.message} Ignored on {named_slides(without)}, as the notes there say."
        moved = {"slide": left[0], "shape": None, "box": None} if finding.slide in without else {}
        return finding.model_copy(update={"message": said, "slides": left, **moved})


def ignored_by(deck: DeckElements) -> Ignored:
    """What a deck ignores, and names in it that are no rule."""
    problems: list[str] = []
    everywhere = _rules(_deck_names(deck.properties), "the properties of the deck", problems)
    slides = {}
    for slide in deck.slides:
        names = _names(match["names"] for match in _LINE.finditer(slide.notes or ""))
        rules = _rules(names, f"the notes of slide {slide.number}", problems)
        if rules:
            slides[slide.number] = rules
    return Ignored(everywhere, slides, tuple(problems))


def _deck_names(properties: Mapping[str, str]) -> Iterator[str]:
    yield from _names([properties.get(PROPERTY, "")])
    yield from _names(match["names"] for match in _TAG.finditer(properties.get(_TAGS, "")))


def _names(texts: Iterable[str]) -> Iterator[str]:
    return (name.rstrip(".") for text in texts for name in re.split(r"[,\s]+", text) if name)


def _rules(names: Iterable[str], place: str, problems: list[str]) -> frozenset[str]:
    rules: set[str] = set()
    for name in names:
        try:
            rules |= named_rules(name)
        except UnknownName as error:
            problems.append(f"{place} ignore something unknown: {error}")
    return frozenset(rules)
