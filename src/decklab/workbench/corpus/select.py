"""Choose decks for a benchmark: what is fit, ranked, unlike each other, and why the rest is not;
near-duplicates by their words and pictures, whatever was saved or moved since.

The papers chose by completeness, length, looks and language (001 to 004, each on its own corpus).
The same data set and wishes always give the same choice.

Candidates come from bands of the MinHash signatures (A. Broder 1997; bands after J. Leskovec and
others, Mining of Massive Datasets, section 3.4) and from pictures that few decks have, so that not
every deck is compared with every other. About 700 bytes a deck are in memory.
"""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any, Final, Literal

import duckdb
import numpy as np

from decklab.core.errors import SourceError
from decklab.workbench.cluster.dataset import Dataset, open_dataset
from decklab.workbench.cluster.tables import HASHES, Signature, bits_apart, resemblance

BAND: Final = 4
"""Numbers of a signature that must be equal for a pair to be compared: two decks with half of
their runs in common are, in 87 of 100 cases; with 0.7 of them, practically always."""
SAME_WORDS: Final = 0.5
"""Share of common runs from which two decks are near-duplicates."""
SAME_PICTURES: Final = 0.7
"""Share of the pictures of the deck with fewer, of which another deck has at least so many."""
FEWEST_PICTURES: Final = 4
SOME_WORDS: Final = 0.2
"""With as many common runs, half of the ``FEWEST_PICTURES`` do."""
BITS: Final = 5
"""Bits in which the codes of one picture may differ."""
COMMON: Final = 40
"""Decks that share a picture, or a band, from which on it says nothing of a pair: a logo, a
template's own words. All but the first are then compared with the first only."""


@dataclass(frozen=True)
class DeckFingerprint:
    """Facts by which decks are compared."""

    deck: str
    sha256: str | None
    slides: int
    words: Signature | None
    pictures: frozenset[int]


@dataclass(frozen=True)
class DuplicatePair:
    """Two decks that are nearly the same, and why."""

    deck: str
    other: str
    words: float | None
    """Share of common runs of letters, 0 to 1; None if one has too few."""
    pictures: float | None
    """Share of the pictures of the deck with fewer that the other has; None without pictures."""
    identical: bool
    """Whether all bytes are the same."""


@dataclass(frozen=True)
class DuplicateGroup:
    """Decks that are near-duplicates of each other, directly or through others."""

    keep: str
    """The one with the most slides, then words, then the first by name."""
    others: tuple[str, ...]


def duplicates(folder: str | Path) -> list[DuplicatePair]:
    """The near-duplicate pairs of a data set, by name; raises SourceError without a data set."""
    return list(duplicate_pairs(_fingerprints(folder)))


def _fingerprints(folder: str | Path) -> list[DeckFingerprint]:
    columns = ["deck", "status", "sha256", "slides", "text_signature", "picture_codes"]
    fingerprints = []
    for row in open_dataset(folder).rows("decks", columns):
        marks = _signature(row["text_signature"]), frozenset(row["picture_codes"] or ())
        if row["status"] == "done":
            deck = row["deck"], row["sha256"], row["slides"] or 0
            fingerprints.append(DeckFingerprint(*deck, *marks))
    return fingerprints


def _signature(data: bytes | None) -> Signature | None:
    return None if data is None else np.frombuffer(data, np.uint32)


def duplicate_pairs(decks: Sequence[DeckFingerprint]) -> Iterator[DuplicatePair]:
    """The near-duplicate pairs of some decks, each once, in their order."""
    for first, other in sorted(_candidates(decks)):
        pair = compared(decks[first], decks[other])
        if is_duplicate(pair, decks[first], decks[other]):
            yield pair


def _candidates(decks: Sequence[DeckFingerprint]) -> set[tuple[int, int]]:
    pairs: set[tuple[int, int]] = set()
    for start in range(0, HASHES, BAND):
        buckets: dict[bytes, list[int]] = defaultdict(list)
        for index, deck in enumerate(decks):
            if deck.words is not None:
                buckets[deck.words[start : start + BAND].tobytes()].append(index)
        pairs.update(_paired(buckets.values()))
    same: dict[str, list[int]] = defaultdict(list)
    for index, deck in enumerate(decks):
        if deck.sha256:
            same[deck.sha256].append(index)
    pairs.update(_paired(same.values()))
    return pairs | _with_common_pictures(decks)


def _paired(buckets: Iterable[Sequence[int]]) -> Iterator[tuple[int, int]]:
    for places in buckets:
        if len(places) <= COMMON:
            yield from combinations(places, 2)
        else:
            yield from ((places[0], index) for index in places[1:])


def _with_common_pictures(decks: Sequence[DeckFingerprint]) -> set[tuple[int, int]]:
    """Pairs with two pictures in common that few decks have."""
    by_code: dict[int, list[int]] = defaultdict(list)
    for index, deck in enumerate(decks):
        for code in deck.pictures:
            by_code[code].append(index)
    common: Counter[tuple[int, int]] = Counter()
    for places in by_code.values():
        if 1 < len(places) <= COMMON:
            common.update(combinations(places, 2))
    return {pair for pair, count in common.items() if count >= FEWEST_PICTURES // 2}


def compared(first: DeckFingerprint, other: DeckFingerprint) -> DuplicatePair:
    """How alike two decks are."""
    words = None
    if first.words is not None and other.words is not None:
        words = resemblance(first.words, other.words)
    fewer = min(len(first.pictures), len(other.pictures))
    pictures = _common(first.pictures, other.pictures) / fewer if fewer else None
    identical = first.sha256 is not None and first.sha256 == other.sha256
    return DuplicatePair(first.deck, other.deck, words, pictures, identical)


def _common(first: frozenset[int], other: frozenset[int]) -> int:
    fewer, more = sorted((first, other), key=len)
    return sum(any(bits_apart(code, each) <= BITS for each in more) for code in fewer)


def is_duplicate(pair: DuplicatePair, first: DeckFingerprint, other: DeckFingerprint) -> bool:
    """Whether a pair is near enough, by words, or by pictures that leave no doubt."""
    if pair.identical or (pair.words is not None and pair.words >= SAME_WORDS):
        return True
    if pair.pictures is None or pair.pictures < SAME_PICTURES:
        return False
    shared = pair.pictures * min(len(first.pictures), len(other.pictures))
    likely = pair.words is not None and pair.words >= SOME_WORDS
    return shared >= (FEWEST_PICTURES // 2 if likely else FEWEST_PICTURES)


def duplicate_groups(folder: str | Path, pairs: Iterable[DuplicatePair]) -> list[DuplicateGroup]:
    """The groups of decks that pairs connect, the largest first."""
    sizes = {
        row["deck"]: (-(row["slides"] or 0), -(row["words"] or 0), row["deck"])
        for row in open_dataset(folder).rows("decks", ["deck", "slides", "words"])
    }
    leaders: dict[str, str] = {}

    def leader(deck: str) -> str:
        while leaders.setdefault(deck, deck) != deck:
            deck = leaders[deck]
        return deck

    for pair in pairs:
        leaders[leader(pair.other)] = leader(pair.deck)
    members: dict[str, list[str]] = defaultdict(list)
    for deck in leaders:
        members[leader(deck)].append(deck)
    groups = (sorted(decks, key=sizes.__getitem__) for decks in members.values())
    duplicates = [DuplicateGroup(first, tuple(others)) for first, *others in groups]
    return sorted(duplicates, key=lambda group: (-len(group.others), group.keep))


@contextmanager
def corpus_tables(folder: str | Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection in which every table of the data set is a view of its name.

    Tables that the data set does not have are not there. Raises SourceError if there is no data
    set, or one without any deck.
    """
    if not (dataset := open_dataset(folder)).files("decks"):
        raise SourceError(folder, "has no deck yet")
    with duckdb.connect() as connection:
        for table in dataset.tables:
            if dataset.files(table):
                path = dataset.pattern(table).replace("'", "''")
                connection.execute(
                    f"CREATE VIEW {table} AS SELECT * FROM read_parquet('{path}', "
                    "union_by_name = true)"
                )
        yield connection


def has_table(folder: str | Path, table: str) -> bool:
    """Whether a data set has rows of a table."""
    dataset: Dataset = open_dataset(folder)
    return table in dataset.tables and bool(dataset.files(table))


def records(
    connection: duckdb.DuckDBPyConnection, query: str, values: list[Any] | None = None
) -> list[dict[str, Any]]:
    """The rows that a query gives, each by column."""
    rows = connection.execute(query, values or [])
    names = [column[0] for column in rows.description or ()]
    return [dict(zip(names, row, strict=True)) for row in rows.fetchall()]


RankedBy = Literal["quality", "aesthetics", "size", "random"]
"""In which order fit decks are taken. ``quality``: aesthetics if it was scored, and how complete
the deck is; ``size``: the most slides first; ``random``: by ``seed``."""
AESTHETICS: Final = "aesthetics.total"


@dataclass(frozen=True)
class SelectionWishes:
    """Conditions for a deck to be chosen."""

    count: int | None = None
    """How many are wanted; None for all that are fit."""
    least_slides: int = 5
    most_slides: int = 60
    least_words: float = 5.0
    """Words a slide on average: pictures of slides and templates without content have fewer."""
    least_titled: float = 0.5
    """Share of slides with a title."""
    least_aesthetics: float | None = None
    languages: frozenset[str] = frozenset()
    """Two letters each; empty for any."""
    licences: tuple[str, ...] = ()
    """Beginnings of the licence that the source gives, whatever their case; empty for any."""
    licence_field: str = "license"
    """Its name in what the source says of a deck."""
    near_duplicates: bool = False
    """Whether near-duplicates of decks that are chosen may be chosen too."""
    most_a_theme: int | None = None
    """Decks of one theme, author and program at most, for diversity."""
    rank: RankedBy = "quality"
    seed: int = 0


@dataclass(frozen=True)
class Selected:
    """One deck of a data set, chosen or not, and why."""

    deck: str
    chosen: bool
    reasons: tuple[str, ...]
    """Of a refusal: everything that is missing. Empty for a chosen deck."""
    rank: int | None = None
    """Place among the chosen ones, from 1."""
    score: float | None = None
    """Score by which it was ranked."""
    facts: Mapping[str, Any] = field(default_factory=dict)


def select(folder: str | Path, wishes: SelectionWishes | None = None) -> list[Selected]:
    """Every deck of a data set, the chosen ones first and in their order, then the refused by name.

    Raises SourceError if there is no data set, or one without any deck.
    """
    wishes = wishes or SelectionWishes()
    refused: list[Selected] = []
    fit: list[tuple[float, dict[str, Any]]] = []
    for row in _decks(folder, wishes):
        if reasons := tuple(_misfits(row, wishes)):
            refused.append(Selected(row["deck"], False, reasons, facts=row))
        else:
            fit.append((_score(row, wishes), row))
    fit.sort(key=lambda pair: (-pair[0], pair[1]["deck"]))
    chosen, others = _unlike(folder, fit, wishes)
    return [*chosen, *sorted([*refused, *others], key=lambda item: item.deck)]


def selection_rows(selected: Iterable[Selected]) -> Iterator[dict[str, Any]]:
    """A choice as rows of a list, which ``decklab score --cluster`` and others take as a source.

    ``path`` is where the deck is, whatever folder the list is read from; refused decks are
    passed over there. ``license`` is what the first source said.
    """
    for item in selected:
        path = item.deck if "://" in item.deck else str(Path.cwd() / item.deck)
        licence = item.facts.get("licence")
        yield {**asdict(item), "path": path, **({"license": licence} if licence else {})}


def _decks(folder: str | Path, wishes: SelectionWishes) -> list[dict[str, Any]]:
    scored = has_table(folder, "measurements")
    look = "NULL::DOUBLE"
    if scored:
        look = (
            "(SELECT any_value(m.value) FROM measurements m WHERE m.deck = d.deck "
            f"AND m.metric = '{AESTHETICS}' AND m.slide IS NULL)"
        )
    with corpus_tables(folder) as tables:
        return records(
            tables,
            "SELECT deck, status, error, slides, words, titled, language, theme, author, "
            "application, title, pictures, charts, tables, problems, "
            "json_extract_string(about, '$.' || $1) AS licence, "
            f"{look} AS aesthetics FROM decks d ORDER BY deck",
            [wishes.licence_field],
        )


def _misfits(row: Mapping[str, Any], wishes: SelectionWishes) -> Iterator[str]:
    if row["status"] != "done":
        yield f"it could not be read: {row['error']}"
        return
    slides = row["slides"] or 0
    if not wishes.least_slides <= slides <= wishes.most_slides:
        yield f"it has {slides} slides, not {wishes.least_slides} to {wishes.most_slides}"
    if slides and row["words"] is None:
        yield "its words are not known: it is no PowerPoint deck"
    elif slides:
        words, titled = row["words"] / slides, row["titled"] / slides
        if words < wishes.least_words:
            yield f"it has {words:.1f} words a slide, under {wishes.least_words:g}"
        if titled < wishes.least_titled:
            yield f"{titled:.0%} of its slides have a title, under {wishes.least_titled:.0%}"
    if row["problems"]:
        yield f"{row['problems']} of its parts are damaged"
    if wishes.languages and row["language"] not in wishes.languages:
        wanted = " or ".join(sorted(wishes.languages))
        yield f"its language is {row['language'] or 'not known'}, not {wanted}"
    if wishes.licences and not _licensed(row["licence"], wishes.licences):
        yield f"its licence is {row['licence'] or 'not known'}"
    if wishes.least_aesthetics is not None:
        if (value := row["aesthetics"]) is None:
            yield "its aesthetics are not known"
        elif value < wishes.least_aesthetics:
            yield f"its aesthetics are {value:.1f}, under {wishes.least_aesthetics:g}"


def _licensed(licence: str | None, allowed: Iterable[str]) -> bool:
    plain = (licence or "").casefold()
    return any(plain.startswith(license.casefold()) for license in allowed)


def _score(row: Mapping[str, Any], wishes: SelectionWishes) -> float:
    if wishes.rank == "random":
        text = f"{wishes.seed}\0{row['deck']}".encode("utf-8", "surrogatepass")
        return int.from_bytes(hashlib.blake2b(text, digest_size=6).digest()) / 2**48
    if wishes.rank == "size":
        return float(row["slides"] or 0)
    looks = float(row["aesthetics"] or 0.0)
    if wishes.rank == "aesthetics":
        return looks
    titled = float(row["titled"]) / int(row["slides"]) if row["slides"] else 0.0
    variety = sum(bool(row[name]) for name in ("pictures", "charts", "tables")) / 3
    return looks + 10.0 * titled + 10.0 * variety


def _unlike(
    folder: str | Path, fit: list[tuple[float, dict[str, Any]]], wishes: SelectionWishes
) -> tuple[list[Selected], list[Selected]]:
    """The fit decks in order, without those too like one that was taken before."""
    groups = {} if wishes.near_duplicates else _groups(folder)
    taken: dict[str, str] = {}
    families: Counter[tuple[Any, ...]] = Counter()
    chosen: list[Selected] = []
    others: list[Selected] = []
    for score, row in fit:
        deck, group = row["deck"], groups.get(row["deck"], row["deck"])
        family = (row["theme"], row["author"], row["application"])
        reason = ""
        if wishes.count is not None and len(chosen) >= wishes.count:
            reason = f"it is fit, but {wishes.count} others rank higher"
        elif group in taken:
            reason = f"it is a near-duplicate of {taken[group]}"
        elif wishes.most_a_theme is not None and families[family] >= wishes.most_a_theme:
            reason = f"{wishes.most_a_theme} of its theme and author rank higher"
        if reason:
            others.append(Selected(deck, False, (reason,), score=score, facts=row))
            continue
        taken[group] = deck
        families[family] += 1
        chosen.append(Selected(deck, True, (), len(chosen) + 1, score, row))
    return chosen, others


def _groups(folder: str | Path) -> dict[str, str]:
    """The group of each deck that has near-duplicates."""
    return {
        deck: group.keep
        for group in duplicate_groups(folder, duplicates(folder))
        for deck in (group.keep, *group.others)
    }
