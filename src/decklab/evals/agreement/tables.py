"""Rankings of people and scores of decks, read from files.

Rows that cannot be used are left out, and reported with file and line.
"""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite
from pathlib import Path
from typing import Any, Final, cast, get_args

from decklab.core.errors import ResultsError, Unavailable, json_of, one_line
from decklab.core.lazy import needs_extra
from decklab.core.results import Direction, first_names
from decklab.evals.agreement.rankings import Ranking
from decklab.evals.agreement.tuning import DeckSlides
from decklab.metrics.catalogue import METRICS

RANK_COLUMNS: Final = ("topic", "annotator", "product", "rank")
_SCORE_COLUMNS: Final = ("topic", "product", "metric", "value")
_DECK_COLUMNS: Final = ("deck", "metric", "value")
_SEPARATORS: Final = ",;\t"
_JOINTS: Final = ("-", "_", " ", ".", "__")
_SLIDE_METRICS: Final = (
    "harmony.distance_deg", "engagement.colorfulness", "usability.contrast",
    "rhythm.subband_entropy",
)  # fmt: skip
"""In the order of the fields of ``DeckSlides``."""

TopicProduct = tuple[str, str]
"""A topic and a product."""

_NOBODY: Final = "nobody ranked it"
_UNRANKED: Final = f": {_NOBODY}"


@dataclass(frozen=True)
class RankTable:
    """Rankings, and the faults of rows that were left out, as ``file:line: cause``."""

    rankings: tuple[Ranking, ...]
    faults: tuple[str, ...] = ()


@dataclass(frozen=True)
class ScoreTable:
    """Scores of decks that were ranked."""

    scores: Mapping[str, Mapping[str, Mapping[str, float]]]
    """By metric, topic and product; higher is better: where lower is, they are negated."""
    directions: Mapping[str, Direction]
    """Which way each metric was better in the file."""
    slides: Mapping[TopicProduct, DeckSlides] = field(default_factory=dict)
    """Measures of the slides, if the table has them."""
    faults: tuple[str, ...] = ()
    """Faults of rows and decks that were left out."""
    not_scored: tuple[str, ...] = ()
    """Values that are not there, with their reasons."""


def read_rankings(paths: Iterable[str | Path]) -> RankTable:
    """Rankings from CSV files with the columns topic, annotator, product and rank.

    Ranks are numbers from 0, lower is better; equal ranks are ties, an empty rank is no rank.
    Columns may be in any order and separated by commas, semicolons or tabs; others are ignored.
    Raises ResultsError if a file cannot be read, has not these columns, or no usable row.
    """
    ranks: dict[tuple[str, str], dict[str, float]] = {}
    seen: dict[tuple[str, str, str], str] = {}
    faults: list[str] = []
    names = [Path(path) for path in paths]
    for path in names:
        for where, row in _csv_rows(path, [RANK_COLUMNS]):
            topic, annotator, product, text = (row[name] for name in RANK_COLUMNS)
            if not text and topic and annotator and product:
                continue
            rank = _number(text)
            key = topic, annotator, product
            if not all(key):
                missing = next(n for n, cell in zip(RANK_COLUMNS, key, strict=False) if not cell)
                faults.append(f"{where}: the {missing} is empty")
            elif rank is None or rank < 0:
                faults.append(f"{where}: {text!r} is no rank")
            elif key in seen:
                faults.append(f"{where}: {annotator} ranked {product} at {seen[key]} already")
            else:
                seen[key] = where
                ranks.setdefault((topic, annotator), {})[product] = rank
    if not ranks:
        detail = f": {faults[0]}" if faults else ""
        raise ResultsError(names[0] if names else "ranks", f"there is no rank in it{detail}")
    rankings = tuple(Ranking(topic, who, ranked) for (topic, who), ranked in ranks.items())
    return RankTable(rankings, tuple(map(one_line, faults)))


def read_scores(path: str | Path, rankings: Iterable[Ranking]) -> ScoreTable:
    """Scores of ranked decks: what ``decklab score`` wrote (its folder, ``results.json``,
    ``results.parquet`` or CSV), or a CSV with the columns topic, product, metric and value.

    A deck belongs to a topic and a product whose names are parts of its path, such as
    ``topic/product.pptx``, ``product/topic.pptx`` or ``topic-product.pptx``. A column ``direction``
    (higher, lower or neutral) is optional; without it registered metrics have their own, and others
    are better when higher. Raises ResultsError if the file cannot be read or holds no score of a
    ranked deck.
    """
    file = Path(path)
    file = file / "results.json" if file.is_dir() else file
    places = _places(rankings)
    reader = _Reader(places)
    for row in _score_rows(file):
        reader.add(row)
    table = reader.table()
    if not table.scores:
        raise ResultsError(file, _nothing_common(table, places))
    return table


def _nothing_common(table: ScoreTable, places: Mapping[str, set[str]]) -> str:
    """Why a table has no score of a ranked deck: names of both, and the faults of others."""
    unranked = [line.removesuffix(_UNRANKED) for line in table.faults if line.endswith(_UNRANKED)]
    ranked = [f"{topic}/{name}" for topic in places for name in sorted(places[topic])]
    others = [line for line in (*table.faults, *table.not_scored) if not line.endswith(_UNRANKED)]
    said = ["it has no score of a ranked deck.", f"Ranked: {first_names(ranked) or 'none'}."]
    if unranked:
        said.append(f"Scored: {first_names(unranked)}. A deck's path is TOPIC/PRODUCT")
    return " ".join([*said, *others[:1]])


def _places(rankings: Iterable[Ranking]) -> dict[str, set[str]]:
    places: dict[str, set[str]] = {}
    for ranking in rankings:
        places.setdefault(ranking.topic, set()).update(ranking.ranks)
    return places


@dataclass(frozen=True)
class _Row:
    """A value for a deck, which is named by its path, or by topic and product."""

    where: str
    deck: str | None
    product: TopicProduct | None
    metric: str
    slide: int | None
    value: float | None
    direction: str
    reason: str


class _Reader:
    """Puts rows to topics and products."""

    def __init__(self, places: Mapping[str, set[str]]) -> None:
        self._ranked = places
        self._of_deck: dict[str, TopicProduct | None] = {}
        self._scores: dict[str, dict[str, dict[str, float]]] = {}
        self._directions: dict[str, Direction] = {}
        self._slides: dict[TopicProduct, dict[str, dict[int, float]]] = {}
        self._faults: dict[str, None] = {}
        """Each is reported once."""
        self._not_scored: list[str] = []

    def add(self, row: _Row) -> None:
        if (key := self._place(row)) is None:
            return
        topic, product = key
        if row.value is None:
            if row.slide is None:
                what = f"{row.metric}: " if row.metric else ""
                reason = row.reason or "no value"
                self._not_scored.append(one_line(f"{topic}, {product}: {what}{reason}"))
        elif row.direction not in ("", *get_args(Direction)):
            self._fault(row.where, f"{row.direction!r} is no direction, which is higher or lower")
        elif row.slide is not None:
            rows = self._slides.setdefault(key, {}).setdefault(row.metric, {})
            rows[row.slide] = row.value
        else:
            self._put(row, topic, product, row.value)

    def _put(self, row: _Row, topic: str, product: str, value: float) -> None:
        direction = self._directions.setdefault(row.metric, _direction(row))
        scores = self._scores.setdefault(row.metric, {}).setdefault(topic, {})
        if product in scores:
            self._fault(row.where, f"{row.metric} of {topic}, {product} is there already")
        else:
            scores[product] = -value if direction == "lower" else value

    def _place(self, row: _Row) -> TopicProduct | None:
        if row.deck is None:
            topic, product = row.product or ("", "")
            if product in self._ranked.get(topic, ()):
                return row.product
            self._fault(f"{topic}, {product}", _NOBODY)
            return None
        if row.deck not in self._of_deck:
            self._of_deck[row.deck] = self._new_deck(row.deck)
        return self._of_deck[row.deck]

    def _new_deck(self, deck: str) -> TopicProduct | None:
        fitting = _fitting(deck, self._ranked)
        if len(fitting) != 1:
            names = " or ".join(f"{topic}, {product}" for topic, product in fitting[:3])
            self._fault(deck, f"it may be {names}" if fitting else _NOBODY)
            return None
        earlier = next((known for known, at in self._of_deck.items() if at == fitting[0]), None)
        if earlier is not None:
            topic, product = fitting[0]
            self._fault(deck, f"{earlier} is {topic}, {product} already")
            return None
        return fitting[0]

    def _fault(self, what: str, cause: str) -> None:
        self._faults[one_line(f"{what}: {cause}")] = None

    def table(self) -> ScoreTable:
        slides = {
            product: DeckSlides(
                *(
                    tuple(value for _, value in sorted(rows.get(name, {}).items()))
                    for name in _SLIDE_METRICS
                )
            )
            for product, rows in self._slides.items()
        }
        return ScoreTable(
            self._scores, self._directions, slides, tuple(self._faults), tuple(self._not_scored)
        )


def _direction(row: _Row) -> Direction:
    for known in get_args(Direction):
        if row.direction == known:
            return cast(Direction, known)
    return METRICS[row.metric].direction if row.metric in METRICS else "higher"


def _fitting(deck: str, ranked: Mapping[str, set[str]]) -> list[TopicProduct]:
    """The topics and products that the path of a deck names, those nearest to its end."""
    path = Path(deck)
    parts = [*path.parts[:-1], path.stem]
    last = {part: index for index, part in enumerate(parts)}
    shared_parts: dict[TopicProduct, int] = {}
    for topic, products in ranked.items():
        for product in products:
            if topic in last and product in last and last[topic] != last[product]:
                shared_parts[topic, product] = last[topic] + last[product]
            elif any(
                path.stem in (f"{topic}{joint}{product}", f"{product}{joint}{topic}")
                for joint in _JOINTS
            ):
                shared_parts[topic, product] = 2 * len(parts)
    nearest = max(shared_parts.values(), default=0)
    return sorted(index for index, at in shared_parts.items() if at == nearest)


def _score_rows(path: Path) -> Iterator[_Row]:
    if (suffix := path.suffix.lower()) == ".json":
        return _json_rows(path)
    if suffix == ".parquet":
        return _parquet_rows(path)
    return (_as_row(where, row) for where, row in _csv_rows(path, [_SCORE_COLUMNS, _DECK_COLUMNS]))


def _json_rows(path: Path) -> Iterator[_Row]:
    try:
        data = json_of(path.read_bytes())
    except OSError as error:
        raise ResultsError(path, _cause(error)) from error
    except ValueError as error:
        raise ResultsError(path, str(error)) from error
    decks = data.get("decks") if isinstance(data, dict) else data
    if not isinstance(decks, list) or not all(isinstance(deck, dict) for deck in decks):
        raise ResultsError(path, "holds no results of decks")
    for number, deck in enumerate(decks, 1):
        where = f"{path}: deck {number}"
        rows = deck.get("measurements")
        if rows is None:  # a list of scores
            yield _as_row(where, deck)
        elif not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            raise ResultsError(path, f"the measurements of deck {number} are no list of rows")
        elif not rows:
            yield _as_row(where, {"deck": deck.get("deck"), "reason": deck.get("error")})
        else:
            yield from (_as_row(where, {"deck": deck.get("deck"), **row}) for row in rows)


def _parquet_rows(path: Path) -> Iterator[_Row]:
    try:
        import pyarrow as pa  # noqa: PLC0415  # slow to load, and few tables need it
        from pyarrow import parquet  # noqa: PLC0415
    except ModuleNotFoundError as error:
        need = needs_extra("reading Parquet", "evals")
        raise Unavailable(f"{path}: {need}; results.json holds the same rows") from error

    wanted = ("deck", "topic", "product", "metric", "slide", "value", "direction", "reason")
    try:
        with path.open("rb") as stream:
            names = [name for name in parquet.read_schema(stream).names if name in wanted]
            stream.seek(0)
            rows = parquet.read_table(stream, columns=names).to_pylist()
    except (OSError, pa.ArrowInvalid) as error:
        raise ResultsError(path, _cause(error)) from error
    yield from (_as_row(f"{path}: row {number}", row) for number, row in enumerate(rows, 1))


def _as_row(where: str, row: Mapping[str, Any]) -> _Row:
    """A row of any table; a value that is no finite number is not there, and its reason says so."""
    deck, topic, product = (row.get(name) for name in ("deck", "topic", "product"))
    value, given = _number(row.get("value")), row.get("value")
    reason = str(row.get("reason") or "")
    if value is None and given not in (None, ""):
        reason = f"{where}: {given!r} is no number"
    return _Row(
        where=where,
        deck=None if topic and product else str(deck or ""),
        product=(str(topic), str(product)) if topic and product else None,
        metric=str(row.get("metric") or ""),
        slide=None if (slide := _number(row.get("slide"))) is None else int(slide),
        value=value,
        direction=str(row.get("direction") or ""),
        reason=reason,
    )


def _number(given: Any) -> float | None:
    if isinstance(given, bool) or given in (None, ""):
        return None
    try:
        value = float(given)
    except (TypeError, ValueError):
        return None
    return value if isfinite(value) else None


def _csv_rows(
    path: Path, layouts: Sequence[Sequence[str]]
) -> Iterator[tuple[str, Mapping[str, str]]]:
    """The rows of a CSV with one of the sets of columns, each with ``file:line``."""
    try:
        data = path.read_bytes()
        stream = io.StringIO(data.decode("utf-8-sig"), newline="")
    except UnicodeDecodeError as error:
        number = data.count(b"\n", 0, error.start) + 1
        raise ResultsError(f"{path}:{number}", "this line is not in UTF-8") from error
    except OSError as error:
        raise ResultsError(path, _cause(error)) from error
    head = stream.readline()
    if not head.strip():
        raise ResultsError(path, "is empty")
    separator = max(_SEPARATORS, key=head.count)
    names = [name.strip().lower() for name in next(csv.reader([head], delimiter=separator))]
    if not any(set(layout) <= set(names) for layout in layouts):
        wanted = " or ".join(", ".join(layout) for layout in layouts)
        raise ResultsError(path, f"its first line has not the columns {wanted}")
    reader = csv.reader(stream, delimiter=separator, strict=True)
    while True:
        begun = reader.line_num + 2
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise ResultsError(f"{path}:{begun}", f"this row cannot be read: {error}") from error
        if any(cell.strip() for cell in cells):
            padded = [cell.strip() for cell in cells] + [""] * len(names)
            yield f"{path}:{reader.line_num + 1}", dict(zip(names, padded, strict=False))


def _cause(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    if isinstance(error, UnicodeDecodeError):
        return "is not in UTF-8"
    return f"cannot be read: {error}"
