"""The records of paper 001, appendix A.1.3, in which rubrics read what changed.

Also read inside the sandbox, so that nothing but the standard library is imported here.
"""

from dataclasses import asdict, dataclass, field
from typing import Any

__all__ = ["AnimationEffect", "PowerPointDiff", "Slide", "SlideTransition"]


class _Record:
    def to_dict(self) -> dict[str, Any]:
        """The fields as plain JSON."""
        return asdict(self)  # type: ignore[call-overload, no-any-return]


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
class PowerPointDiff(_Record):
    """Differences of two presentations; pairs are (before, after)."""

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
