"""Results: scores, each a measurement with its unit, direction and evidence or the reason for its
absence, and findings, of which one cause gives one.

A row is one (deck, metric, slide or whole deck). A score that could not be taken is a row too:
its value is None and its reason says why. It is never 0 and never left out.

Results as rows: a table in a notebook, a data frame, an Arrow table.

How messages name shapes: by name and id, or by what they show if a program named them.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from html import escape
from math import isfinite
from statistics import fmean
from typing import TYPE_CHECKING, Any, Final, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, model_validator

from decklab.core.geometry import Box
from decklab.core.lazy import extra_module
from decklab.core.options import Severity

if TYPE_CHECKING:
    import pyarrow

_T = TypeVar("_T")
_K = TypeVar("_K")
_MOST_ROWS = 200
"""Rows that a notebook shows. Ours: more would hide what comes after the table."""
_STYLE = "text-align:left;vertical-align:top;max-width:40em;overflow-wrap:anywhere"


class Tabular:
    """A result that has rows. Subclasses define ``records()``."""

    def records(self) -> Iterator[Mapping[str, Any]]:
        """The rows, each by column; every row has the same columns."""
        raise NotImplementedError

    def to_frame(self) -> Any:
        """The rows as a pandas data frame; raises Unavailable without pandas."""
        pandas = extra_module("pandas", "a data frame", "notebook")
        return pandas.DataFrame(list(self.records()))

    def to_arrow(self) -> "pyarrow.Table":
        """The rows as an Arrow table, which Polars, DuckDB and pandas take.

        Raises Unavailable without pyarrow.
        """
        pyarrow = extra_module("pyarrow", "an Arrow table", "notebook")
        return pyarrow.Table.from_pylist([dict(row) for row in self.records()])

    def summary(self) -> Iterator[Mapping[str, Any]]:
        """The table that a notebook shows: the rows, or fewer that say the same."""
        return self.records()

    def _repr_html_(self) -> str:
        if not (rows := list(self.summary())):
            return f"<p>{escape(type(self).__name__)}: nothing</p>"
        head = "".join(f'<th style="{_STYLE}">{escape(str(name))}</th>' for name in rows[0])
        body = "".join(f"<tr>{_cells(row)}</tr>" for row in rows[:_MOST_ROWS])
        more = len(rows) - _MOST_ROWS
        note = f"<p>{more} more rows</p>" if more > 0 else ""
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{note}"


def _cells(row: Mapping[str, Any]) -> str:
    return "".join(f'<td style="{_STYLE}">{_shown(value)}</td>' for value in row.values())


def _shown(value: Any) -> str:
    if value is None:
        return ""
    return escape(f"{value:.4g}" if isinstance(value, float) else str(value))


Direction = Literal["higher", "lower", "neutral"]
"""Which way is better: ``higher``, ``lower``, or ``neutral`` if neither is by itself."""


@dataclass(frozen=True)
class NotScored:
    """The outcome of a metric that has no value, with the cause in one line.

    >>> NotScored("the slide has no text").reason
    'the slide has no text'
    >>> print(NotScored("the slide has no text"))
    not scored: the slide has no text
    """

    reason: str

    def __str__(self) -> str:
        return f"not scored: {self.reason}"


def scored(values: Iterable[_T | NotScored]) -> list[_T]:
    """The values that were scored, in their order.

    >>> scored([0.5, NotScored("no text"), 1.0])
    [0.5, 1.0]
    """
    return [value for value in values if not isinstance(value, NotScored)]


def scored_mean(values: Iterable[float | NotScored], none: str) -> float | NotScored:
    """The mean of the values that were scored. Without any it is NotScored: with the cause of the
    first, or with ``none`` if there are no values at all.

    >>> scored_mean([0.5, NotScored("no text"), 1.0], "no slide"), scored_mean([], "no slide")
    (0.75, NotScored(reason='no slide'))
    """
    listed = list(values)
    known = scored(listed)
    return fmean(known) if known else first_cause(listed) or NotScored(none)


def scored_by_name(values: Mapping[str, _T | NotScored]) -> dict[str, _T]:
    """The values that were scored, by their names."""
    return {name: value for name, value in values.items() if not isinstance(value, NotScored)}


def first_cause(values: Iterable[_T | NotScored]) -> NotScored | None:
    """The first value that was not scored; None if all were."""
    return next((value for value in values if isinstance(value, NotScored)), None)


def value_or_none(value: _T | NotScored) -> _T | None:
    """The value, or None, which is null in JSON, if it was not scored."""
    return None if isinstance(value, NotScored) else value


def reason_of(value: object) -> str:
    """Why a value was not scored; empty if it was."""
    return value.reason if isinstance(value, NotScored) else ""


def plain_json(value: Any) -> Any:
    """A value, and all that it holds, as plain JSON; null for what was not scored."""
    if isinstance(value, NotScored):
        return None
    if isinstance(value, Mapping):
        return {key: plain_json(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [plain_json(entry) for entry in value]
    if is_dataclass(value):
        return {entry.name: plain_json(getattr(value, entry.name)) for entry in fields(value)}
    return value


def score_json(score: float | NotScored) -> dict[str, Any]:
    """A score as plain JSON: ``score``, null if there is none, and ``reason``, null if there is."""
    return {"score": value_or_none(score), "reason": reason_of(score) or None}


SAME = 1e-9
"""Scores nearer than this are the same: sums of a few floats differ by less."""


class BoundedScore:
    """A score, 0 to 1, between ``low`` and ``high``, which are equal if it is known."""

    low: float
    high: float

    @property
    def open(self) -> bool:
        """Whether the score is not known."""
        return self.high - self.low > SAME

    @property
    def state(self) -> Literal["met", "part", "unmet", "open"]:
        """State of the score; also the class of its mark on pages."""
        if self.open:
            return "open"
        if self.low >= 1 - SAME:
            return "met"
        return "unmet" if self.low <= SAME else "part"


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, strict=True, extra="forbid", allow_inf_nan=False)


class Measurement(_Record):
    """One value of one metric for a slide or for a whole deck, or the reason there is none.

    Exactly one of ``value`` and ``reason`` is set; a value is always finite.

    >>> row = Measurement.of("usability.contrast", NotScored("no text"), slide=2, unit="ratio",
    ...                      direction="higher")
    >>> row.status, row.value, row.reason
    ('not_scored', None, 'no text')
    """

    metric: str
    """Registered name, such as ``harmony.score``."""
    slide: int | None = None
    """1-based slide number; None for the deck as a whole."""
    value: float | None = None
    unit: str = ""
    direction: Direction = "neutral"
    reason: str | None = None
    """Why there is no value; None if there is one."""
    evidence: dict[str, Any] = Field(default_factory=dict)
    """JSON-ready facts behind the value."""
    version: str = "1"
    """Version of the metric; changes whenever its values do."""

    @model_validator(mode="after")
    def _value_or_reason(self) -> "Measurement":
        if (self.value is None) == (self.reason is None):
            raise ValueError("a measurement has either a value or a reason")
        return self

    @property
    def status(self) -> Literal["scored", "not_scored"]:
        """``scored`` if there is a value."""
        return "not_scored" if self.value is None else "scored"

    @classmethod
    def of(
        cls,
        metric: str,
        outcome: "float | NotScored",
        *,
        slide: int | None = None,
        unit: str = "",
        direction: Direction = "neutral",
        version: str = "1",
        evidence: dict[str, Any] | None = None,
    ) -> "Measurement":
        """A row from what a metric returned; a value that is not finite becomes a reason."""
        value: float | None = None
        reason: str | None = None
        if isinstance(outcome, NotScored):
            reason = outcome.reason
        elif isfinite(outcome):
            value = float(outcome)
        else:
            reason = f"the formula gave {outcome}"
        return cls(
            metric=metric, slide=slide, value=value, unit=unit, direction=direction,
            reason=reason, version=version, evidence=evidence or {},
        )  # fmt: skip


class Finding(_Record):
    """One thing wrong with a deck, where it is, how bad, and what would fix it."""

    rule: str
    """Stable id, such as ``contrast.low`` or ``editability.text-fragments``."""
    severity: Severity
    message: str
    """One sentence that names the fault."""
    slide: int | None = None
    """1-based slide number; None for the deck as a whole."""
    slides: tuple[int, ...] = ()
    """All slides with the same cause, if it is reported once for several; empty otherwise."""
    shape: str | None = None
    """The element, as ``name (id 7)``."""
    box: Box | None = None
    """Where on the slide, in the 960x540 frame."""
    measured: float | None = None
    threshold: float | None = None
    fix: str = ""
    """The change that would fix it, as an instruction."""


class DeckResult(_Record, Tabular):
    """Everything one run says of one deck: rows and findings, or the error that stopped it."""

    deck: str
    """The path as it was given."""
    status: Literal["scored", "failed"]
    error: str | None = None
    """One line naming file and part, where the deck could not be read."""
    slides: int = 0
    measurements: tuple[Measurement, ...] = ()
    findings: tuple[Finding, ...] = ()
    converted: str = ""
    """The kind of file that LibreOffice converted for reading, such as "an OpenDocument
    presentation"; empty for decks that are read themselves."""
    unseen: str = ""
    """Content that an audience cannot see and no metric counts, such as "214 words on 3 slides
    cannot be seen."; empty if nothing was left out."""

    def records(self) -> Iterator[dict[str, Any]]:
        """One row a measurement; of a failed deck one row with the error."""
        for row in self.measurements:
            yield {"deck": self.deck, **row.model_dump(exclude={"evidence"})}
        if self.status == "failed":
            empty = dict.fromkeys(name for name in Measurement.model_fields if name != "evidence")
            yield {"deck": self.deck, **empty, "reason": self.error}

    def value(self, metric: str, slide: int | None = None) -> float | NotScored:
        """The value of a metric for a slide or the deck, or why there is none.

        Of a failed deck, the reason is the error that stopped it.

        >>> failed = DeckResult(deck="a.pptx", status="failed", error="a.pptx: the file is empty")
        >>> failed.value("aesthetics.total")
        NotScored(reason='a.pptx: the file is empty')
        """
        row = self.row(metric, slide)
        if row is not None and row.value is not None:
            return row.value
        if row is not None:
            return NotScored(row.reason or "")
        if self.error is not None:
            return NotScored(self.error)
        where = "the deck" if slide is None else f"slide {slide}"
        return NotScored(f"{self.deck}: nothing was measured as {metric} for {where}")

    def row(self, metric: str, slide: int | None = None) -> Measurement | None:
        """The row of a metric for a slide or the deck; None if the run has none."""
        for row in self.measurements:
            if row.metric == metric and row.slide == slide:
                return row
        return None


SAME_CAUSE_SLIDES: Final = 3
"""Ours: from this many slides on, one cause gives one finding for the deck."""

_QUOTED = 40


@dataclass(frozen=True)
class Occurrence:
    """A finding on one slide and its cause. Findings with the same cause are the same fault."""

    finding: Finding
    cause: Hashable
    also: str | None = None
    """Label of a second shape that the finding concerns."""


def merge_by_cause(occurrences: Iterable[Occurrence]) -> list[Finding]:
    """Findings by slide, with one for the deck where slides share a cause.

    One cause on one slide gives one finding, the first; on three slides or more one finding at
    the first of them, which names them all.
    """
    groups: dict[Hashable, list[Finding]] = {}
    for item in occurrences:
        groups.setdefault((item.finding.rule, item.cause), []).append(item.finding)
    merged: list[Finding] = []
    for group in groups.values():
        by_slide = {finding.slide: finding for finding in reversed(group)}
        slides = sorted(number for number in by_slide if number is not None)
        if len(slides) < SAME_CAUSE_SLIDES:
            merged += [by_slide[slide] for slide in by_slide][::-1]
        else:
            merged.append(_for_deck(by_slide[slides[0]], slides))
    return sorted(merged, key=lambda finding: finding.slide or 0)


def _for_deck(first: Finding, slides: Sequence[int]) -> Finding:
    message = f"{first.message} The same on {len(slides)} slides: {named_slides(slides)}."
    return first.model_copy(update={"message": message, "slides": tuple(slides)})


def by_key(items: Iterable[_T], key: Callable[[_T], _K]) -> dict[_K, list[_T]]:
    """Items by a key, in their order; the keys in the order of their first items.

    >>> by_key(["ab", "c", "de"], len)
    {2: ['ab', 'de'], 1: ['c']}
    """
    groups: dict[_K, list[_T]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return groups


def grouped(items: Iterable[_T], alike: Callable[[_T, _T], bool]) -> list[list[_T]]:
    """Items in groups: each joins the first group whose first item it equals under the given test.

    >>> grouped([1, 2, 7, 8, 3], lambda first, item: abs(first - item) < 3)
    [[1, 2, 3], [7, 8]]
    """
    groups: list[list[_T]] = []
    for item in items:
        for group in groups:
            if alike(group[0], item):
                group.append(item)
                break
        else:
            groups.append([item])
    return groups


def first_names(names: Sequence[str], most: int = 3) -> str:
    """The first names of a list, and how many more there are.

    >>> first_names(["a", "b", "c", "d", "e"])
    'a, b, c and 2 more'
    """
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def named_slides(slides: Iterable[int]) -> str:
    """Slide numbers as text for people.

    >>> named_slides([1, 2, 3, 5, 8, 9])
    '1-3, 5, 8, 9'
    """
    runs: list[list[int]] = []
    for number in sorted(set(slides)):
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    long = [[f"{run[0]}-{run[-1]}"] if len(run) > 2 else map(str, run) for run in runs]
    return ", ".join(name for names in long for name in names)


def quoted(text: str) -> str:
    """The first words of a text in quotation marks, on one line.

    >>> quoted("Our  plan")
    '"Our plan"'
    """
    plain = " ".join(text.split())
    return f'"{plain}"' if len(plain) <= _QUOTED else f'"{plain[: _QUOTED - 1].rstrip()}…"'
