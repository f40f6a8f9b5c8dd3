"""The description of a metric, and rows of results that agree with it."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final, Literal

from decklab.core.colors import Image
from decklab.core.errors import ExtensionError
from decklab.core.registry import Registry, outside
from decklab.core.results import Direction, Measurement, NotScored

SLIDESGEN: Final = "SlidesGen-Bench (paper 002)"
"""The source of most metrics."""


@dataclass(frozen=True)
class MetricInfo:
    """The description of one metric."""

    name: str
    """Registered name, such as ``harmony.score``."""
    level: Literal["slide", "deck"]
    """The scope of one value."""
    meaning: str
    """A description in one line, for people."""
    source: str
    """Paper and section, or program."""
    unit: str = ""
    """Empty where the number is a plain score."""
    direction: Direction = "higher"
    low: float | None = 0.0
    """Least value the metric can have; None if there is no bound."""
    high: float | None = 1.0
    """Greatest value; None if there is no bound."""
    version: str = "1"
    """A version that changes whenever values change."""
    label: str = ""
    """The name on pages for people; empty where that is the registered one."""
    measure: Callable[[Image], float | NotScored] | None = None
    """Of a metric of another package: its value for the picture of a slide, RGB uint8 (H, W, 3).
    ``score`` has a row for each slide, and for the deck the mean of those with a value."""


REGISTERED: Final[Registry[MetricInfo]] = Registry(
    "metric", group="decklab.metrics", accepts=MetricInfo
)
"""The metrics of the imported modules, and those of other packages; ``catalogue`` imports those of
decks."""


def register(*infos: MetricInfo) -> None:
    """Add metrics to the catalogue; raises DuplicateName for a name that is there already."""
    for info in infos:
        REGISTERED.register(info.name, info)


def measured(
    metric: str,
    outcome: float | NotScored,
    *,
    slide: int | None = None,
    evidence: dict[str, Any] | None = None,
) -> Measurement:
    """A result row with the unit, direction and version that the catalogue gives the metric.

    Raises UnknownName for a metric that is not in it.

    >>> from decklab.metrics.aesthetics import rows
    >>> row = measured("rhythm.rmssd", 0.05)
    >>> row.value, row.direction, row.version
    (0.05, 'neutral', '2')
    """
    info = REGISTERED[metric]
    return Measurement.of(
        metric,
        outcome,
        slide=slide,
        unit=info.unit,
        direction=info.direction,
        version=info.version,
        evidence=evidence,
    )


def outside_slide_rows(number: int, picture: Image | NotScored) -> list[Measurement]:
    """The rows of other packages' metrics for a slide by its 1-based number; without a picture the
    reason is theirs too."""
    rows = []
    for name in REGISTERED:
        if (measure := REGISTERED[name].measure) is not None:
            rows.append(measured(name, _outside_value(measure, picture), slide=number))
    return rows


def _outside_value(
    measure: Callable[[Image], float | NotScored], picture: Image | NotScored
) -> float | NotScored:
    if isinstance(picture, NotScored):
        return picture
    try:
        return outside(measure, picture)
    except ExtensionError as error:
        return NotScored(f"the metric failed: {error}")


def outside_deck_rows(slides: Iterable[Measurement]) -> list[Measurement]:
    """For each metric of other packages the mean over the slides that have a value."""
    values: dict[str, list[float]] = {
        name: [] for name in REGISTERED if REGISTERED[name].measure is not None
    }
    for row in slides:
        if row.metric in values and row.value is not None:
            values[row.metric].append(row.value)
    return [
        measured(
            name, sum(numbers) / len(numbers) if numbers else NotScored("no slide has a value")
        )
        for name, numbers in values.items()
    ]
