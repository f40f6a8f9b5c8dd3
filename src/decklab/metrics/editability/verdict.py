"""What editability judging returns: a ladder of gates, and the level they add up to."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from decklab.geometry import Box
from decklab.results import NotScored, Severity

Outcome = Literal["passed", "failed", "not_reached", "not_applicable", "not_scored"]
"""``not_reached``: an earlier gate failed, and evaluation ceased (paper 002, I.1.1)."""

Protocol = Literal["static", "web", "pptx"]
"""The three input protocols of paper 002, I.2."""

CLASS_NAMES = ("Static", "Patchwork", "Vector", "Structural", "Parametric", "Cinematic")
"""Names of levels 0 to 5 (paper 002, table 15)."""

GATES: tuple[tuple[str, str], ...] = (
    ("text", "Text integrity"),
    ("vector", "Vector graphics"),
    ("structure", "Structural logic"),
    ("data", "Native data"),
    ("cinema", "Cinematic"),
)
"""Short name and title of gates 1 to 5 (paper 002, I.4.3)."""


@dataclass(frozen=True)
class Evidence:
    """One thing that was seen, where, and what would mend it."""

    rule: str
    """Stable id such as ``editability.dead-chart``."""
    severity: Severity
    """``error`` for what failed a gate, ``warning`` for a lesser case, ``info`` for remarks."""
    detail: str
    """One sentence."""
    slide: int | None = None
    """1-based slide number; None for the deck as a whole."""
    shape: str | None = None
    """``name (id 7)``."""
    box: Box | None = None
    """Where on the slide, in the 960x540 frame."""
    fix: str = ""
    """What would mend it, as an instruction."""


@dataclass(frozen=True)
class Gate:
    """The outcome of one gate."""

    level: int
    """1 to 5: the level that passing gives."""
    outcome: Outcome
    summary: str
    """One sentence, with the measured share where a share decided."""
    evidence: tuple[Evidence, ...] = ()
    mend: str = ""
    """What would let the deck pass; empty where nothing need change."""
    drop_to: int | None = None
    """The level a failure leaves, where it is not the level below (gate 1 can leave 1)."""

    @property
    def name(self) -> str:
        """Short name, such as ``text``."""
        return GATES[self.level - 1][0]

    @property
    def title(self) -> str:
        """Title, such as ``Text integrity``."""
        return GATES[self.level - 1][1]


@dataclass(frozen=True)
class Editability:
    """The verdict on one deck: its PEI level and the five gates behind it."""

    level: int | NotScored
    """0 to 5, higher is more editable (paper 002, section 2.4)."""
    protocol: Protocol
    gates: tuple[Gate, ...]
    levels: Mapping[str, int | NotScored] = field(default_factory=dict)
    """The level by each criterion of gate 1, ``box`` and ``slide`` (see ``text.TextGate``); empty
    for the static and the web protocol, which know one criterion."""

    @property
    def class_name(self) -> str:
        """Name of the level, such as ``Vector``; empty where there is no level."""
        return "" if isinstance(self.level, NotScored) else CLASS_NAMES[self.level]
