"""Scores of a deck as its page shows them: in words, on their scale."""

from typing import Any

from decklab.core.results import DeckResult, Measurement
from decklab.metrics.catalogue import metric_labels
from decklab.pages.wording import FULL_SCALES, LEVEL_MEANINGS
from decklab.scoring.reports.leaderboard_page import COLUMNS
from decklab.scoring.reports.standing import LEVEL_VERDICTS, standing_of


def score_rows(result: DeckResult) -> list[dict[str, Any]]:
    """Metric, label, value or its reason, most, and standing of each main score of a deck."""
    labels = metric_labels()
    rows = {row.metric: row for row in result.measurements if row.slide is None}
    return [
        {"metric": name, "label": labels.get(name, name), "value": rows[name].value,
         "reason": rows[name].reason, "most": FULL_SCALES.get(name), **_standing(rows[name])}
        for name in COLUMNS
        if name in rows
    ]  # fmt: skip


def _standing(row: Measurement) -> dict[str, str]:
    """A score in a word, and what the word rests on; nothing if neither is known."""
    if (standing := standing_of(row)) is not None:
        return {"word": standing.word, "rank": standing.rank}
    if row.metric == "editability.level" and row.value is not None:
        level = int(row.value)
        return {"word": LEVEL_VERDICTS[level], "rank": LEVEL_MEANINGS[level]}
    return {}
