"""What the page and tables of SlideEval show, as plain records."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from decklab.reports.svg_charts import ValueSpread


@dataclass(frozen=True)
class QuestionsView:
    """What a judge was asked in one task, and what became of it."""

    task: str
    judge: str
    decks: int
    questions: int
    unreadable: int
    failed: tuple[tuple[str, int], ...] = ()
    """Causes, with how many questions each."""

    @property
    def failures(self) -> int:
        """Questions without a reply."""
        return sum(count for _, count in self.failed)


@dataclass(frozen=True)
class MeasureView:
    """One measure of extraction for one judge."""

    judge: str
    name: str
    """Without ``extraction.``."""
    where: str
    """A family of elements, or ``all``."""
    whole: ValueSpread
    """End to end."""
    parsed: ValueSpread
    """Parsed only."""
    coverage: float | None = None
    std: float | None = None
    n: int = 0


@dataclass(frozen=True)
class BinView:
    """How often replies for slides of one complexity fit the schema."""

    judge: str
    label: str
    n: int
    rate: ValueSpread
    """With Wilson's interval."""
    bootstrap: ValueSpread = field(default_factory=ValueSpread)
    """The same with the interval from resampled decks."""


@dataclass(frozen=True)
class CeilingView:
    """What the damage itself reaches on the slides that a judge rated."""

    consistency: ValueSpread
    fidelity: ValueSpread
    mace: ValueSpread
    curve: tuple[tuple[float, float], ...] = ()
    """Severity and mean damage, over that at the highest severity."""


@dataclass(frozen=True)
class PointView:
    """One judge on one axis and scale."""

    judge: str
    axis: str
    scale: int
    consistency: ValueSpread
    fidelity: ValueSpread
    mace: ValueSpread
    n: int
    curve: tuple[tuple[float, float], ...] = ()
    """Severity and mean degradation."""
    on_frontier: bool = False
    ceiling: CeilingView | None = None
    """None where the log does not tell the damage."""
    ladder_draws: str = ""
    """``coupled`` or ``independent``."""


@dataclass(frozen=True)
class CheckView:
    """All judges together, or the damage, on one axis: does y* rise with severity."""

    of: str
    """``judges`` or ``damage``."""
    axis: str
    scale: int | None
    """None for both."""
    poa: ValueSpread
    mace: ValueSpread
    n: int
    printed_poa: float | None = None
    """What the paper prints for it."""
    printed_mace: float | None = None


@dataclass(frozen=True)
class CountsView:
    """How a count is spread; ``sd`` is None for a single value."""

    mean: float
    sd: float | None
    low: float
    median: float
    high: float


@dataclass(frozen=True)
class DatasetRowView:
    """One row of table 2; None where a count does not apply."""

    category: str
    per_deck: CountsView | None
    per_slide: CountsView | None
    total: int


@dataclass(frozen=True)
class FontView:
    """How many texts are set in a typeface, or group of them."""

    name: str
    true: int
    predicted: tuple[int, ...] = ()
    """By each judge, in the order of the dataset's."""


@dataclass(frozen=True)
class DatasetView:
    """Tables 2, 5 and 6 for some slides."""

    name: str
    decks: int
    rows: tuple[DatasetRowView, ...]
    families: tuple[FontView, ...]
    groups: tuple[FontView, ...]
    judges: tuple[str, ...] = ()
    """Whose predictions stand beside."""


@dataclass(frozen=True)
class LinkView:
    """How well a judge's 100-point scores follow from its 5-point ones."""

    judge: str
    r2: ValueSpread
    rmse: ValueSpread
    p: ValueSpread
    n: int


@dataclass(frozen=True)
class AgreementView:
    """Two judges on one axis and scale, for severities over ``low`` and up to ``high``."""

    first: str
    second: str
    axis: str
    scale: int
    low: float
    high: float
    n: int
    rho: ValueSpread


@dataclass(frozen=True)
class OrderView:
    """One measure of ordering for one judge."""

    judge: str
    name: str
    """Without ``ordering.``."""
    value: ValueSpread
    std: float | None
    decks: int
    unscored: Mapping[str, int] = field(default_factory=dict)
    """Replies without a value, by reason."""


@dataclass(frozen=True)
class WeightView:
    """The matching F1 of a judge with one number of the matching changed."""

    judge: str
    changed: str
    """Empty for all as they are."""
    factor: float
    f1: ValueSpread
    shift: ValueSpread


@dataclass(frozen=True)
class SlideEvalView:
    """All that the runs of a folder say."""

    questions: tuple[QuestionsView, ...] = ()
    measures: tuple[MeasureView, ...] = ()
    bins: tuple[BinView, ...] = ()
    points: tuple[PointView, ...] = ()
    links: tuple[LinkView, ...] = ()
    agreements: tuple[AgreementView, ...] = ()
    orders: tuple[OrderView, ...] = ()
    weights: tuple[WeightView, ...] = ()
    checks: tuple[CheckView, ...] = ()
    datasets: tuple[DatasetView, ...] = ()

    @property
    def without_reply(self) -> int:
        """Questions without a reply, in all tasks."""
        return sum(item.failures for item in self.questions)

    @property
    def judges(self) -> tuple[str, ...]:
        """Names of all judges, in the order they came; their place gives letter and colour."""
        return tuple(dict.fromkeys(item.judge for item in self.questions))
