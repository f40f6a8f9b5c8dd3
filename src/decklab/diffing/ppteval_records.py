"""The records of paper 001, appendix A.1.3, in which rubrics read what changed.

Also read inside the sandbox, so that nothing but the standard library is imported here.
"""

from dataclasses import asdict, dataclass, field
from typing import Any


class _Record:
    def to_dict(self) -> dict[str, Any]:
        """The fields as plain JSON; pairs are lists of two."""
        fields = asdict(self)  # type: ignore[call-overload]
        return {name: _listed(value) for name, value in fields.items()}


def _listed(value: Any) -> Any:
    return [_listed(item) for item in value] if isinstance(value, list | tuple) else value


@dataclass
class AnimationEffect(_Record):
    """A single animation effect."""

    slide_id: str
    element_id: str
    effect_type: str
    trigger: str
    delay: float
    duration: float
    order: int
    element_text: str | None = None
    element_type: str | None = None


@dataclass
class SlideTransition(_Record):
    """How a slide appears."""

    slide_id: str
    transition_type: str
    duration: float
    direction: str | None = None


@dataclass
class Slide(_Record):
    """A slide with its metadata."""

    slide_id: str
    slide_number: int
    title: str | None = None
    layout_type: str | None = None
    element_count: int = 0
    notes: str | None = None
    content_hash: str | None = None


@dataclass
class Template(_Record):
    """A master, a layout or a theme. Not the paper's: its diff holds slides only."""

    kind: str
    """``master``, ``layout`` or ``theme``."""
    name: str
    properties: dict[str, Any] = field(default_factory=dict)
    """Values that differ from the other side of the pair, by element and property, on this side."""


@dataclass
class SlideSize(_Record):
    """The size of all slides, in points. Not the paper's."""

    width: float
    height: float


@dataclass
class PowerPointDiff(_Record):
    """Differences of two presentations; pairs are (before, after).

    The first nine fields are the paper's, the others are decklab's. A slide whose look only
    follows from its layout, master or theme, or from the size of all slides, is not among the
    modified ones, as with the paper's authors.
    """

    added_animations: list[AnimationEffect] = field(default_factory=list)
    removed_animations: list[AnimationEffect] = field(default_factory=list)
    modified_animations: list[tuple[AnimationEffect, AnimationEffect]] = field(default_factory=list)
    added_transitions: list[SlideTransition] = field(default_factory=list)
    removed_transitions: list[SlideTransition] = field(default_factory=list)
    modified_transitions: list[tuple[SlideTransition, SlideTransition]] = field(
        default_factory=list
    )
    added_slides: list[Slide] = field(default_factory=list)
    removed_slides: list[Slide] = field(default_factory=list)
    modified_slides: list[tuple[Slide, Slide]] = field(default_factory=list)
    added_templates: list[Template] = field(default_factory=list)
    removed_templates: list[Template] = field(default_factory=list)
    modified_templates: list[tuple[Template, Template]] = field(default_factory=list)
    modified_slide_size: list[tuple[SlideSize, SlideSize]] = field(default_factory=list)
    """One pair where the size changed, else none."""
