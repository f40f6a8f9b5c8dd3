"""The editability ladder of a deck: its levels, highest first, with the gates between them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from decklab.core.results import Measurement
from decklab.pages.wording import LEVEL_MEANINGS, LEVEL_NAMES

State = Literal["here", "climbed", "failed", "open"]

_PROTOCOLS: Final = {
    "static": "The file holds flat pages; nothing above L0 can be reached.",
    "web": "A web deck is judged by eye; nothing above L2 can be reached.",
    "pptx": "The package was opened and its parts were tested.",
}
_OUTCOMES: Final = {
    "passed": "passed",
    "failed": "failed",
    "not_reached": "not reached",
    "not_applicable": "not applicable",
    "not_scored": "not scored",
}


@dataclass(frozen=True)
class GateEvidence:
    """One item of a gate's evidence; ``slide`` is None if it concerns the deck."""

    slide: int | None
    shape: str
    detail: str


@dataclass(frozen=True)
class GateView:
    """One test of a level; ``outcome`` is a key of the evidence contract."""

    title: str
    outcome: str
    summary: str
    evidence: tuple[GateEvidence, ...]
    mend: str

    @property
    def outcome_label(self) -> str:
        """The outcome in words."""
        return _OUTCOMES.get(self.outcome, self.outcome)

    @property
    def slides(self) -> tuple[int, ...]:
        """The slides of its evidence, in its order."""
        return tuple(item.slide for item in self.evidence if item.slide is not None)


@dataclass(frozen=True)
class Level:
    """One level with its gates. ``state`` says whether the deck reached it."""

    level: int
    name: str
    gates: tuple[GateView, ...]
    state: State

    @property
    def meaning(self) -> str:
        """Abilities of decks of this level."""
        return LEVEL_MEANINGS[self.level]


@dataclass(frozen=True)
class LevelLadder:
    """All levels, highest first, and the level reached."""

    rungs: tuple[Level, ...]
    level: int | None
    protocol: str


def ladder(row: Measurement | None) -> LevelLadder | None:
    """The ladder of an ``editability.level`` row; None if there is neither value nor gate."""
    if row is None or (row.value is None and not row.evidence.get("gates")):
        return None
    gates: dict[int, list[GateView]] = {}
    for raw in row.evidence.get("gates", ()):
        gates.setdefault(int(raw["level"]), []).append(_gate(raw))
    level = None if row.value is None else int(row.value)
    rungs = tuple(
        Level(i, LEVEL_NAMES[i], tuple(gates.get(i, ())), _state(i, level, gates.get(i, ())))
        for i in reversed(range(len(LEVEL_NAMES)))
    )
    return LevelLadder(rungs, level, _PROTOCOLS.get(str(row.evidence.get("protocol", "")), ""))


def _state(rung: int, level: int | None, gates: Sequence[GateView]) -> State:
    if rung == level:
        return "here"
    if any(gate.outcome == "failed" for gate in gates):
        return "failed"
    return "climbed" if level is not None and rung < level else "open"


def _gate(raw: Mapping[str, Any]) -> GateView:
    evidence = tuple(
        GateEvidence(item.get("slide"), str(item.get("shape") or ""), str(item.get("detail", "")))
        for item in raw.get("evidence", ())
    )
    return GateView(
        title=str(raw.get("title") or raw.get("name", "")),
        outcome=str(raw.get("outcome", "")),
        summary=str(raw.get("summary", "")),
        evidence=evidence,
        mend=str(raw.get("mend") or ""),
    )
