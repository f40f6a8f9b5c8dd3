"""The rows of leaderboards, on a page or a terminal: one for each deck."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from decklab.core.options import Severity
from decklab.core.results import DeckResult
from decklab.pages.pictures import SlidePicture
from decklab.pages.wording import PARTS, SEVERITY_LABELS, counted, deck_name
from decklab.scoring.reports.findings import of_deck

COLUMNS = (
    "quality.score", "aesthetics.total", *(metric for metric, _, _ in PARTS), "editability.level",
)  # fmt: skip


@dataclass(frozen=True)
class LeaderboardRow:
    """A deck's place in a leaderboard.

    ``values`` maps a deck metric to its value, ``reasons`` to the reason if there is none;
    a deck that could not be read has neither, but an ``error``. ``findings`` counts those about the
    deck by severity; fonts that this machine lacks are not among them. ``page`` is the path of the
    deck's own page, relative to the leaderboard; ``cover`` a small picture of its first slide.
    ``converted`` is the kind of a deck that LibreOffice converted to be read, else empty;
    ``unseen`` says how much of it cannot be seen and does not count, if anything.
    """

    deck: str
    status: Literal["scored", "failed"]
    error: str = ""
    slides: int = 0
    values: Mapping[str, float] = field(default_factory=dict)
    reasons: Mapping[str, str] = field(default_factory=dict)
    findings: Mapping[Severity, int] = field(default_factory=dict)
    page: str | None = None
    cover: SlidePicture | None = None
    converted: str = ""
    unseen: str = ""

    @classmethod
    def of(
        cls, result: DeckResult, *, page: str | None = None, cover: SlidePicture | None = None
    ) -> "LeaderboardRow":
        """The row of a result."""
        deck_rows = [
            row for row in result.measurements if row.slide is None and row.metric in COLUMNS
        ]
        counts: dict[Severity, int] = {}
        for finding in of_deck(result.findings):
            counts[finding.severity] = counts.get(finding.severity, 0) + 1
        return cls(
            deck=result.deck,
            status=result.status,
            error=result.error or "",
            slides=result.slides,
            values={row.metric: row.value for row in deck_rows if row.value is not None},
            reasons={row.metric: row.reason for row in deck_rows if row.reason is not None},
            findings=counts,
            page=page,
            cover=cover,
            converted=result.converted,
            unseen=result.unseen,
        )

    @property
    def name(self) -> str:
        """The last part of the deck's path."""
        return deck_name(self.deck)

    @property
    def total(self) -> float | None:
        """``aesthetics.total``; None if it was not scored."""
        return self.values.get("aesthetics.total")

    @property
    def quality(self) -> float | None:
        """``quality.score``; None if it was not scored, as of decks without elements."""
        return self.values.get("quality.score")

    @property
    def level(self) -> int | None:
        """The PEI level, 0 to 5; None if it was not scored."""
        level = self.values.get("editability.level")
        return None if level is None else int(level)

    @property
    def worst(self) -> tuple[Severity, int] | None:
        """The worst severity and its number of findings; None if there is no finding."""
        for severity in SEVERITY_LABELS:
            if self.findings.get(severity):
                return severity, self.findings[severity]
        return None

    @property
    def worst_label(self) -> str:
        """The worst findings in words: ``3 errors``, or ``none``."""
        return counted(self.worst[1], SEVERITY_LABELS[self.worst[0]]) if self.worst else "none"


def ranked(rows: Iterable[LeaderboardRow]) -> list[LeaderboardRow]:
    """Rows by quality, then by ``aesthetics.total``, the best first; unscored ones follow, then
    failed ones."""

    def key(row: LeaderboardRow) -> tuple[bool, bool, float, bool, float, str]:
        quality, total = row.quality, row.total
        return (
            row.status == "failed",
            quality is None, -(quality or 0.0), total is None, -(total or 0.0), row.deck,
        )  # fmt: skip

    return sorted(rows, key=key)
