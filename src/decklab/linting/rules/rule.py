"""A rule of lint: its description, the findings that it gives, and how they name elements."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypedDict, Unpack

from decklab.core.geometry import Box
from decklab.core.naming import NOUNS, name_in_words, shape_label
from decklab.core.options import Severity
from decklab.core.results import Finding
from decklab.deck.model.shapes import Element, Image, Line, Media, Rect, Text, box_of
from decklab.deck.model.slide import SlideElements
from decklab.metrics.findings import quoted

_STEMS: Final = {"textbox": "text box", "autoshape": "shape"}
_OTHERS: Final = frozenset({"", "content", "google", "placeholder"})
_KINDS: Final = {
    "Image": "picture", "Line": "line", "Table": "table", "Chart": "chart", "Group": "group",
    "Diagram": "diagram",
}  # fmt: skip


def called(element: Element, *, start: bool = False) -> str:
    """An element in a sentence: ``the text box “Costs rose”`` if a program gave it its name, else
    the name; at the ``start`` of the sentence with a capital letter.

    >>> map_of = Image(id=2, name="Picture 4", alt_text="A map", x=0, y=0, w=9, h=9)
    >>> called(map_of, start=True), called(map_of.model_copy(update={"name": "Map"}))
    ('The picture “A map”', 'Map')
    """
    noun = _noun(element)
    text = element.text if isinstance(element, Text) else element.alt_text
    form = re.findall("[A-Z]?[a-z]+", element.geometry) if isinstance(element, Rect | Line) else ()
    words = name_in_words(
        element.name, noun, text,
        placeholder=element.placeholder is not None, geometry=" ".join(form).lower(),
    )  # fmt: skip
    if element.name and not words:
        return element.name
    return f"{'The' if start else 'the'} {words or noun}"


def words_of(text: str, element: Element, *, start: bool = False) -> str:
    """Words of an element with the element; not twice if it is called by them.

    >>> named = {"name": "Picture 4", "alt_text": "Costs rose"}
    >>> words_of("Costs", Image(**named, x=0, y=0, w=9, h=9))
    'the picture “Costs rose”'
    >>> words_of("rose", Image(**named, x=0, y=0, w=9, h=9))
    '"rose" of the picture “Costs rose”'
    """
    name = called(element, start=start)
    known = f"“{' '.join(text.split())}"
    return name if known in name else f"{quoted(text)} of {called(element)}"


def _noun(element: Element) -> str:
    role = element.placeholder.type if element.placeholder else ""
    if isinstance(element, Text) or (role and not isinstance(element, Image | Media)):
        if role:
            return NOUNS.get(role, "text")
        stem = element.name.rpartition(" ")[0].split(":")[0].lower()
        return "text" if stem in _OTHERS else _STEMS.get(stem, stem)
    if isinstance(element, Media):
        return element.medium
    return _KINDS.get(type(element).__name__, "shape")


POWER_PPTX: Final = "power-pptx lint"
MICROSOFT: Final = "Microsoft, rules for the Accessibility Checker"
WCAG: Final = "WCAG 2.2, success criterion"
WORST_FIRST: Final[tuple[Severity, ...]] = ("error", "warning", "info")


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
    return shape_label(element.name, element.id)
