"""Where a deck stands among others: the distribution of every score over reference decks."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from decklab.core.errors import ResultsError, fault_words
from decklab.core.files import package_data, write_output
from decklab.core.results import DeckResult, Measurement
from decklab.scoring.journal import Journal

QUANTILES: Final = tuple(range(0, 101, 5))
"""Ours: the percents at which a distribution is kept."""

LEAST_DECKS: Final = 5
"""Ours: scored decks below which a distribution says nothing."""

_WORDS = ((10, "among the lowest"), (35, "below the middle"), (65, "in the middle"),
          (90, "above the middle"))  # fmt: skip
_HIGHEST = "among the highest"


class ScoreDistribution(BaseModel):
    """The values of one metric over the reference decks."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    decks: int = Field(ge=LEAST_DECKS)
    """How many had a value."""
    values: tuple[float, ...] = Field(min_length=len(QUANTILES), max_length=len(QUANTILES))
    """At ``QUANTILES``, in rising order."""

    def percentile(self, value: float) -> int:
        """Percent of the reference decks with less than ``value``, 0 to 100.

        Between two quantiles it is interpolated; of equal ones the middle counts.

        >>> flat = ScoreDistribution(decks=9, values=(2.0,) * 20 + (3.0,))
        >>> flat.percentile(1), flat.percentile(2), flat.percentile(3)
        (0, 48, 100)
        """
        if value < self.values[0] or value > self.values[-1]:
            return 0 if value < self.values[0] else 100
        low, high = bisect_left(self.values, value), bisect_right(self.values, value)
        if low < high:
            return round((QUANTILES[low] + QUANTILES[high - 1]) / 2)
        return round(float(np.interp(value, self.values, QUANTILES)))


class ReferenceScores(BaseModel):
    """Distributions of scores over decks that somebody chose to compare with."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    origin: str
    """Which decks, from where, under which terms."""
    decks: int
    """How many were scored."""
    metrics: dict[str, ScoreDistribution]

    def standing(self, metric: str, value: float) -> dict[str, Any] | None:
        """Percentile of a value, a word for it, the number of decks, and the least, middle and
        greatest value among them; None for other metrics."""
        scores = self.metrics.get(metric)
        if scores is None:
            return None
        percentile = scores.percentile(value)
        return {
            "percentile": percentile,
            "word": standing_word(percentile),
            "decks": scores.decks,
            "range": [scores.values[0], scores.values[len(QUANTILES) // 2], scores.values[-1]],
        }

    def placed(self, rows: Iterable[Measurement]) -> list[Measurement]:
        """The rows, those of whole decks with their ``standing`` as evidence."""
        return [self._placed(row) for row in rows]

    def _placed(self, row: Measurement) -> Measurement:
        if row.slide is not None or row.value is None:
            return row
        standing = self.standing(row.metric, row.value)
        if standing is None:
            return row
        return row.model_copy(update={"evidence": row.evidence | {"standing": standing}})


def standing_word(percentile: int) -> str:
    """A percentile in words, whatever direction is better.

    >>> standing_word(3), standing_word(50), standing_word(97)
    ('among the lowest', 'in the middle', 'among the highest')
    """
    return next((word for limit, word in _WORDS if percentile < limit), _HIGHEST)


def reference_of(
    results: Sequence[DeckResult], origin: str, *, source: str | Path = "reference"
) -> ReferenceScores:
    """The distribution of every score over the scored decks among ``results``.

    A metric that fewer than ``LEAST_DECKS`` decks have is left out. Raises ResultsError, naming
    ``source``, if too few decks were scored.
    """
    scored = [result for result in results if result.status == "scored"]
    if len(scored) < LEAST_DECKS:
        detail = f"{len(scored)} scored decks; a reference needs {LEAST_DECKS} at least"
        raise ResultsError(source, detail)
    values: dict[str, list[float]] = {}
    for row in (row for result in scored for row in result.measurements):
        if row.slide is None and row.value is not None:
            values.setdefault(row.metric, []).append(row.value)
    metrics = {
        name: ScoreDistribution(decks=len(numbers), values=_quantiles(numbers))
        for name, numbers in sorted(values.items())
        if len(numbers) >= LEAST_DECKS
    }
    return ReferenceScores(origin=origin, decks=len(scored), metrics=metrics)


def reference_of_run(out: str | Path, origin: str) -> ReferenceScores:
    """``reference_of`` the decks that runs of ``decklab score`` into the folder ``out`` scored."""
    folder = Path(out)
    if not folder.is_dir():
        raise ResultsError(folder, "there is no such folder; name one that decklab score wrote")
    results = [entry.result for entry in Journal(folder).all()]
    return reference_of(results, origin, source=folder)


def _quantiles(values: Sequence[float]) -> tuple[float, ...]:
    return tuple(round(float(value), 4) for value in np.percentile(values, QUANTILES))


@cache
def packaged_reference() -> ReferenceScores:
    """The reference that decklab ships: numbers only, no deck."""
    return ReferenceScores.model_validate_json(
        package_data("decklab.scoring", "data/reference.json")
    )


def load_reference(path: str | Path) -> ReferenceScores:
    """A reference from its file; raises ResultsError naming file and place."""
    try:
        return ReferenceScores.model_validate_json(Path(path).read_bytes())
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(map(str, first["loc"]))
        raise ResultsError(path, f"{key or 'file'}: {fault_words(first)}") from None


def write_reference(reference: ReferenceScores, path: str | Path, *, force: bool = False) -> None:
    """Write a reference as JSON, whole or not at all.

    Raises NameTaken if the file exists; with ``force`` a copy of it is kept beside it.
    """
    write_output(path, f"{reference.model_dump_json(indent=1)}\n".encode(), force=force)
