"""Where a deck stands among others: the distribution of every score over reference decks, scores
that decks must reach, and a run against an earlier one: which decks and metrics got better or
worse, beyond noise."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from math import isfinite
from pathlib import Path, PurePath
from statistics import fmean
from typing import Any, Final

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from decklab.core.errors import ResultsError, UnknownName, fault_words, json_of
from decklab.core.files import package_data, write_output
from decklab.core.results import SAME, DeckResult, Measurement, NotScored, by_key
from decklab.metrics.catalogue import METRICS
from decklab.metrics.statistics import percentile_interval, resampled_sums
from decklab.scoring.journal import Journal
from decklab.scoring.reports.leaderboard_page import RunComparison, ScoreChange, Trend

QUANTILES: Final = tuple(range(0, 101, 5))
"""Ours: the percents at which a distribution is kept."""

LEAST_DECKS: Final = 5
"""Ours: scored decks below which a distribution, or the interval of a mean, says nothing."""

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
        if (scores := self.metrics.get(metric)) is None:
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
        if (standing := self.standing(row.metric, row.value)) is None:
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


SHORT_NAMES: Final = {"total": "aesthetics.total", "level": "editability.level"}
"""Short names of metrics; others are ``X`` for ``X.score``."""


@dataclass(frozen=True)
class ScoreLimit:
    """The value that a deck's metric must reach; of metrics where less is better, at most have."""

    metric: str
    value: float

    @property
    def at_most(self) -> bool:
        """Whether greater values miss the limit."""
        return METRICS[self.metric].direction == "lower"

    def missed_by(self, value: float) -> bool:
        """Whether ``value`` misses the limit; the limit itself is good enough."""
        return value > self.value + SAME if self.at_most else value < self.value - SAME


@dataclass(frozen=True)
class MissedLimit:
    """A deck that misses a limit; ``value`` is None if it was not scored, for ``reason``."""

    deck: str
    limit: ScoreLimit
    value: float | None
    reason: str = ""

    def __str__(self) -> str:
        outcome = f"not scored ({self.reason})" if self.value is None else f"{self.value:.2f}"
        word = "most" if self.limit.at_most else "least"
        return (
            f"{self.deck}: {self.limit.metric} is {outcome}; at {word} {self.limit.value:g} wanted"
        )


def parse_limit(text: str) -> ScoreLimit:
    """A limit from ``METRIC=VALUE``.

    The metric is one of whole decks, by its registered name or in short: ``quality`` for
    ``quality.score``, ``total`` and ``level``. Raises ValueError for other text, for unknown
    metrics, and for those of which neither more nor less is better.

    >>> parse_limit("quality=60")
    ScoreLimit(metric='quality.score', value=60.0)
    """
    name, equals, number = (part.strip() for part in text.partition("="))
    if not name or not equals:
        raise ValueError(f"{text!r} is no METRIC=VALUE, such as quality=60")
    metric = _registered(name)
    try:
        value = float(number)
    except ValueError:
        raise ValueError(f"{text!r}: {number!r} is no number") from None
    if not isfinite(value):
        raise ValueError(f"{text!r}: {number!r} is no number")
    return ScoreLimit(metric, value)


def _registered(name: str) -> str:
    for candidate in (name, SHORT_NAMES.get(name, ""), f"{name}.score"):
        try:
            info = METRICS[candidate]
        except UnknownName:
            continue
        if info.level != "deck":
            raise ValueError(f"{candidate} is measured of a {info.level}, not of a deck")
        if info.direction == "neutral":
            raise ValueError(f"{candidate}: neither more nor less of it is better")
        return candidate
    metrics = [metric for metric in METRICS if METRICS[metric].level == "deck"]
    short = [metric.removesuffix(".score") for metric in metrics if metric.endswith(".score")]
    known = [*SHORT_NAMES, *short, *metrics]
    near = get_close_matches(name, known, 1)
    hint = f"; is it {near[0]}?" if near else f"; known are {', '.join(sorted(known))}"
    raise ValueError(f"there is no metric {name!r} of decks{hint}")


def missed_limits(
    results: Iterable[DeckResult], limits: Sequence[ScoreLimit]
) -> Iterator[MissedLimit]:
    """The limits that decks miss, in order; a deck without the score, or that failed, misses it."""
    for result in results:
        for limit in limits:
            value = result.value(limit.metric)
            if isinstance(value, NotScored):
                yield MissedLimit(result.deck, limit, None, value.reason)
            elif limit.missed_by(value):
                yield MissedLimit(result.deck, limit, value)


NOISE_SHARE: Final = 0.02
"""Ours: a change is noise below this share of the range in which 90 % of the reference decks lie.
The same deck, program and fonts always give the same scores; other fonts or another LibreOffice
move them a little."""

WHOLE_STEPS: Final = frozenset({"editability.level", "editability.level_on_slide"})
"""Metrics with whole steps: every step is a change."""

EarlierScores = Mapping[str, Mapping[str, tuple[float, str]]]
"""By deck and metric, value and version of the metric."""


def noise(metric: str) -> float:
    """The change of a metric up to which nothing is said, in its own units.

    >>> noise("editability.level") < 1
    True
    """
    if (reference := packaged_reference().metrics.get(metric)) is None or metric in WHOLE_STEPS:
        return SAME
    low, high = (reference.values[QUANTILES.index(at)] for at in (5, 95))
    return max(SAME, NOISE_SHARE * (high - low))


def earlier_scores(run: str | Path) -> EarlierScores:
    """The scores of whole decks of an earlier run: its folder, or its ``results.json``.

    Raises ResultsError, naming file and cause, if it is not there or was written by something else.
    """
    path = Path(run)
    path = path / "results.json" if path.is_dir() else path
    try:
        decks = json_of(path.read_bytes())["decks"]
        return {str(deck["deck"]): dict(_scores(deck["measurements"])) for deck in decks}
    except FileNotFoundError:
        detail = (
            "there is no such file; name a folder that decklab score wrote, or its results.json"
        )
        raise ResultsError(path, detail) from None
    except OSError as error:
        raise ResultsError(path, str(error.strerror or error)) from None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise ResultsError(path, "this is no results.json of decklab score") from None


def _scores(rows: Iterable[dict[str, Any]]) -> Iterator[tuple[str, tuple[float, str]]]:
    for row in rows:
        if row["slide"] is None and row["value"] is not None:
            yield str(row["metric"]), (float(row["value"]), str(row["version"]))


def compare_runs(
    earlier: str, before: EarlierScores, results: Iterable[DeckResult]
) -> RunComparison:
    """``results`` against the scores of an earlier run, which is called ``earlier``.

    Decks are the same by their path, else by a file name that only one deck of each run has.
    Metrics whose version differs, or of which neither more nor less is better, are not compared.
    """
    all_now = list(results)
    now = [result for result in all_now if result.status == "scored"]
    same = _same_decks(list(before), [result.deck for result in now])
    changes: list[ScoreChange] = []
    apart: dict[str, str] = {}
    for result in now:
        old = before.get(same.get(result.deck, ""), {})
        for row in result.measurements:
            if row.slide is not None or row.value is None or row.metric not in old:
                continue
            value, version = old[row.metric]
            if version != row.version:
                apart[row.metric] = f"measured by version {version} then, {row.version} now"
            elif row.direction != "neutral":
                trend = _trend(row.metric, row.value - value)
                changes.append(_change(result.deck, row.metric, value, row.value, trend))
    there = {*same.values(), *(result.deck for result in all_now)}
    return RunComparison(
        earlier=earlier,
        changes=tuple(changes),
        means=tuple(_means(changes)),
        new=tuple(result.deck for result in now if result.deck not in same),
        gone=tuple(deck for deck in before if deck not in there),
        not_comparable=apart,
    )


def _change(deck: str, metric: str, *values: Any, **how: Any) -> ScoreChange:
    label = METRICS[metric].label or metric
    return ScoreChange(deck, metric, label, noise(metric), *values, **how)


def _same_decks(before: Sequence[str], now: Sequence[str]) -> dict[str, str]:
    """The deck of the earlier run that each deck of this one is."""
    same = {deck: deck for deck in now if deck in before}
    old = _by_name(deck for deck in before if deck not in same)
    new = _by_name(deck for deck in now if deck not in same)
    for name, decks in new.items():
        if len(decks) == 1 and len(old.get(name, ())) == 1:
            same[decks[0]] = old[name][0]
    return same


def _by_name(decks: Iterable[str]) -> dict[str, list[str]]:
    return by_key(decks, lambda deck: PurePath(deck).name)


def _trend(metric: str, change: float) -> Trend:
    if abs(change) <= noise(metric):
        return "same"
    better = change > 0 if METRICS[metric].direction == "higher" else change < 0
    return "better" if better else "worse"


def _means(changes: Sequence[ScoreChange]) -> Iterator[ScoreChange]:
    """Mean before and after by metric. From ``LEAST_DECKS`` decks on a change counts only if its
    interval over resampled decks leaves out 0."""
    for metric, ones in by_key(changes, lambda change: change.metric).items():
        before, after = (
            fmean(change.before for change in ones),
            fmean(change.after for change in ones),
        )
        trend, interval = _trend(metric, after - before), None
        if len(ones) >= LEAST_DECKS:
            steps = np.array([change.change for change in ones])
            bounds = percentile_interval(resampled_sums(steps) / len(ones), len(ones))
            interval = None if isinstance(bounds, NotScored) else bounds
            if interval is not None and interval[0] <= 0 <= interval[1]:
                trend = "same"
        yield _change("", metric, before, after, trend, decks=len(ones), interval=interval)
