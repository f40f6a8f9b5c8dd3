"""A rule of lint: its description, and the findings that it gives."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypedDict, Unpack

from decklab.core.geometry import Box
from decklab.core.options import Severity
from decklab.core.results import Finding
from decklab.deck.model.shapes import Element, box_of
from decklab.deck.model.slide import SlideElements

POWER_PPTX: Final = "power-pptx lint"
MICROSOFT: Final = "Microsoft, rules for the Accessibility Checker"
WCAG: Final = "WCAG 2.2, success criterion"
WORST_FIRST: Final[tuple[Severity, ...]] = ("error", "warning", "info")

_ID = re.compile(r" \(id (\d+)\)$")


class Details(TypedDict, total=False):
    """What a finding says in place of its rule and element, or in addition; see ``Finding``."""

    slides: tuple[int, ...]
    severity: Severity
    box: Box | None
    measured: float | None
    threshold: float | None
    fix: str


@dataclass(frozen=True)
class Rule:
    """The description of one rule.

    >>> rule = Rule("text.loud", "Shouting", "Text shouts.", "decklab", "info", "any", "Whisper.")
    >>> found = rule.finding("It shouts.", 3, severity="warning", measured=3.0)
    >>> found.rule, found.severity, found.slide, found.fix
    ('text.loud', 'warning', 3, 'Whisper.')
    """

    id: str
    """Stable id, such as ``text.overflow``: ``Finding.rule``."""
    name: str
    """The name by which other checkers know it, such as ``TextOverflow``."""
    meaning: str
    """One line for people."""
    source: str
    """Standard or program that has the rule; ``decklab`` where it is ours."""
    severity: Severity
    """The worst severity; a finding may have a milder one where there is doubt."""
    threshold: str
    """The threshold of a finding, in words."""
    fix: str
    """How to fix it; findings may say it with their own numbers."""
    drawn: bool = False
    """Whether it can only be seen on the drawn slide."""
    scored: bool = True
    """Whether reports of scores and checks of edits have its findings; not while its precision is
    unknown."""
    check: Callable[[SlideElements], Iterable[Finding]] | None = None
    """Of a rule of another package: its findings on one slide. Our own rules are checked in
    ``every``, where they share the work."""

    def finding(
        self,
        message: str,
        slide: int | None = None,
        element: Element | None = None,
        **details: Unpack[Details],
    ) -> Finding:
        """A finding of this rule, with the rule's severity and fix and the element's box.

        ``slide`` is a 1-based number, None for the deck as a whole; ``details`` take the place of
        what the rule and the element say.
        """
        facts: dict[str, Any] = {"severity": self.severity, "fix": self.fix}
        if element is not None:
            facts |= {"shape": label(element), "box": box_of(element)}
        facts |= details
        return Finding(rule=self.id, message=message, slide=slide, **facts)

    def counted(
        self, message: str, slide: int, elements: Sequence[Element], **details: Unpack[Details]
    ) -> Finding:
        """A finding on the first of some elements, which says how many there are."""
        count = Details(measured=float(len(elements)), threshold=0.0)
        return self.finding(message, slide, elements[0], **count | details)


def label(element: Element) -> str:
    """How findings name an element: ``Title 1 (id 2)``."""
    return f"{element.name} (id {element.id})"


def id_of(label: str) -> int | None:
    """The id of an element from how findings name it; None for another name.

    >>> id_of("Title 1 (id 2)")
    2
    """
    found = _ID.search(label)
    return int(found[1]) if found else None
