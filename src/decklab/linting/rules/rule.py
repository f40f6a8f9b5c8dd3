"""A rule of lint: its description, the findings that it gives, how they name elements, and the
thresholds that a project may set for itself."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from typing import Any, Final, TypedDict, Unpack

from decklab.core.geometry import Box
from decklab.core.naming import NOUNS, name_in_words, shape_label
from decklab.core.options import Severity
from decklab.core.registry import Registry
from decklab.core.results import Finding, quoted
from decklab.deck.model.shapes import Element, Image, Line, Media, Rect, Text, box_of
from decklab.deck.model.slide import SlideElements
from decklab.metrics.contrast import CONTRAST_LARGE_TEXT, CONTRAST_NORMAL_TEXT

LEAST_BODY_PT: Final = 12.0
LEAST_LABEL_PT: Final = 10.0
LEAST_SMALL_PRINT_PT: Final = 9.0
"""Ours, by role: text placeholders; text boxes, shapes and tables; charts, diagrams and footers.
Microsoft advises 18 pt or more for slides (*Make your PowerPoint presentations accessible*), which
nearly every deck breaks somewhere; under these sizes text cannot be read from any seat."""

LEAST_TITLE_PT: Final = 18.0
"""Ours: Microsoft advises 18 pt or more for any text on slides (*Make your PowerPoint presentations
accessible*), and the lowest levels of body text in Office's own theme have it; a title that is
smaller is smaller than what stands under it."""

DRIFT_LEAST_PX: Final = 1.5
"""Ours: an object that is off a line by less is not seen to be."""

MOST_RATIO: Final = 21.0
"""The contrast of black on white (WCAG 2.2, contrast ratio)."""
_MOST_PT = 400.0


@dataclass(frozen=True)
class RuleLimits:
    """The thresholds of a run and its languages; the defaults are those that the rules state."""

    body_pt: float = LEAST_BODY_PT
    label_pt: float = LEAST_LABEL_PT
    small_print_pt: float = LEAST_SMALL_PRINT_PT
    title_pt: float = LEAST_TITLE_PT
    text_ratio: float = CONTRAST_NORMAL_TEXT
    large_text_ratio: float = CONTRAST_LARGE_TEXT
    drift_px: float = DRIFT_LEAST_PX
    languages: tuple[str, ...] = ()
    """The languages that text may be marked as, as BCP 47 tags such as ``en`` or ``pt-BR``; empty
    for any."""

    @classmethod
    def of(cls, values: Mapping[str, float], languages: Iterable[str] = ()) -> "RuleLimits":
        """The defaults with some values in their place, by the names of ``THRESHOLDS``.

        Raises UnknownName for another name, ValueError for a number outside the threshold's range.

        >>> RuleLimits.of({"text.small.body": 14}).body_pt
        14.0
        """
        for name, value in values.items():
            if not (known := THRESHOLDS[name]).low <= value <= known.high:
                raise ValueError(f"{name} is {value:g}, not {known.low:g} to {known.high:g}")
        fields: dict[str, Any] = {
            THRESHOLDS[name].field: float(value) for name, value in values.items()
        }
        return replace(cls(languages=tuple(languages)), **fields)


@dataclass(frozen=True)
class Threshold:
    """A threshold that a project may set: where it is in ``RuleLimits``, and what it means."""

    field: str
    unit: str
    meaning: str
    low: float
    high: float

    @property
    def default(self) -> float:
        """The value unless a project sets another."""
        return float(getattr(RuleLimits, self.field))


THRESHOLDS: Final[Registry[Threshold]] = Registry("threshold")
"""Every threshold by its name: that of its rule, and a word more where the rule has several."""

for _name, _threshold in {
    "text.small.body": Threshold("body_pt", "pt", "least size in text placeholders", 0, _MOST_PT),
    "text.small.label": Threshold(
        "label_pt", "pt", "least size in text boxes, shapes and tables", 0, _MOST_PT
    ),
    "text.small.small-print": Threshold(
        "small_print_pt", "pt", "least size in charts, diagrams and footers", 0, _MOST_PT
    ),
    "title.shrunk": Threshold("title_pt", "pt", "size a title may shrink to", 0, _MOST_PT),
    "contrast.low.text": Threshold("text_ratio", ":1", "least contrast of text", 1, MOST_RATIO),
    "contrast.low.large-text": Threshold(
        "large_text_ratio", ":1", "least contrast of large text", 1, MOST_RATIO
    ),
    "shape.drift": Threshold("drift_px", "px", "how far off its line an object may stand", 0, 6),
}.items():
    THRESHOLDS.register(_name, _threshold)

USUAL_LIMITS: Final = RuleLimits()
"""Those of a project that sets none."""

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
    held, geometry = element.placeholder is not None, " ".join(form).lower()
    words = name_in_words(element.name, noun, text, placeholder=held, geometry=geometry)
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
    >>> long = named | {"alt_text": "Costs rose by a third in a year, and nobody can say why"}
    >>> words_of("Costs rose by a third in a year, and nobody", Image(**long, x=0, y=0, w=9, h=9))
    'the picture “Costs rose by a third in a year, and no…”'
    """
    name = called(element, start=start)
    if f"“{' '.join(text.split())}" in name or f"“{quoted(text)[1:-1]}”" in name:
        return name
    return f"{quoted(text)} of {called(element)}"


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
    """Facts of a finding in place of its rule's and element's, or in addition; see ``Finding``."""

    slides: tuple[int, ...]
    severity: Severity
    box: Box | None
    measured: float | None
    threshold: float | None
    fix: str


@dataclass(frozen=True)
class Rule:
    """The description of one rule.

    >>> rule = Rule("text.loud", "Shouting", "Text shouts.", threshold="any", fix="Whisper.")
    >>> finding = rule.finding("It shouts.", 3, severity="error", measured=3.0)
    >>> finding.rule, finding.severity, finding.slide, finding.fix
    ('text.loud', 'error', 3, 'Whisper.')
    """

    id: str
    """Stable id, such as ``text.overflow``: ``Finding.rule``."""
    name: str
    """The name by which other checkers know it, such as ``TextOverflow``."""
    meaning: str
    """One line for people."""
    _: KW_ONLY
    threshold: str
    """The threshold of a finding, in words."""
    fix: str
    """How to fix it; findings may say it with their own numbers."""
    why: str = ""
    """Why it is worth heeding; the meaning says it if this is empty."""
    source: str = "decklab"
    """Standard or program that has the rule; ``decklab`` where it is ours."""
    severity: Severity = "warning"
    """The worst severity; a finding may have a milder one if there is doubt."""
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
