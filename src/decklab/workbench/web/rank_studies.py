"""Ranking studies: who ranks which decks, blind and shuffled, and the results."""

import csv
import hmac
import io
import random
import re
import secrets
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, TypeVar
from uuid import uuid4

from sqlalchemy import JSON, ForeignKey, Text, UniqueConstraint, delete, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Mapped, Session, mapped_column

from decklab.evals.agreement.rankings import Ranking
from decklab.evals.agreement.tables import RANK_COLUMNS, RankTable, read_rankings
from decklab.pages.wording import clean_line
from decklab.workbench.web.database import Base
from decklab.workbench.web.library import Library, NotThere, Row, checked_id, held


class StudyRow(Base):
    """A question that people answer by putting decks in order."""

    __tablename__ = "studies"

    id: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(Text)
    question: Mapped[str] = mapped_column(Text)
    created: Mapped[float]


class EntryRow(Base):
    """A deck of a study: what one product made for one topic."""

    __tablename__ = "study_entries"
    __table_args__ = (UniqueConstraint("study", "topic", "product"),)

    id: Mapped[str] = mapped_column(primary_key=True)
    study: Mapped[str] = mapped_column(ForeignKey("studies.id", ondelete="CASCADE"), index=True)
    topic: Mapped[str] = mapped_column(Text)
    product: Mapped[str] = mapped_column(Text)
    """Annotators never see it."""
    deck: Mapped[str] = mapped_column(ForeignKey("decks.id", ondelete="CASCADE"), index=True)
    number: Mapped[int]
    """Of the version that is shown, also when the deck is edited later."""


class AnnotatorRow(Base):
    """A person who ranks, known by a link."""

    __tablename__ = "annotators"
    __table_args__ = (UniqueConstraint("study", "name"),)

    id: Mapped[str] = mapped_column(primary_key=True)
    study: Mapped[str] = mapped_column(ForeignKey("studies.id", ondelete="CASCADE"), index=True)
    name: Mapped[str] = mapped_column(Text)
    token: Mapped[str] = mapped_column(unique=True)
    """In the person's link; nobody can guess it."""
    revoked: Mapped[bool] = mapped_column(default=False)
    created: Mapped[float]


class OrderRow(Base):
    """How an annotator ordered the decks of a topic, as far as they have come."""

    __tablename__ = "orders"
    __table_args__ = (UniqueConstraint("annotator", "topic"),)

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    annotator: Mapped[str] = mapped_column(
        ForeignKey("annotators.id", ondelete="CASCADE"), index=True
    )
    topic: Mapped[str] = mapped_column(Text)
    ranked: Mapped[list[list[str]]] = mapped_column(JSON, default=list)
    """Ids of entries, the best first; those in one list are tied. Others are not ranked."""
    flags: Mapped[dict[str, Any]] = mapped_column(JSON, default=dict)
    """Flag of an entry, by its id: one of ``rank_studies.FLAGS``."""
    note: Mapped[str] = mapped_column(Text, default="")
    seconds: Mapped[float] = mapped_column(default=0.0)
    """Spent on the topic, idle time left out."""
    done: Mapped[bool] = mapped_column(default=False)
    changed: Mapped[float]


class CriteriaRow(Base):
    """What annotators mark of each deck, beside their order."""

    __tablename__ = "study_criteria"

    study: Mapped[str] = mapped_column(
        ForeignKey("studies.id", ondelete="CASCADE"), primary_key=True
    )
    names: Mapped[list[str]] = mapped_column(JSON, default=list)


class AssignmentRow(Base):
    """The topics of an annotator, where these are not all."""

    __tablename__ = "study_assignments"

    annotator: Mapped[str] = mapped_column(
        ForeignKey("annotators.id", ondelete="CASCADE"), primary_key=True
    )
    topics: Mapped[list[str]] = mapped_column(JSON, default=list)


class MarksRow(Base):
    """The marks that an annotator gave the decks of a topic."""

    __tablename__ = "study_marks"

    annotator: Mapped[str] = mapped_column(
        ForeignKey("annotators.id", ondelete="CASCADE"), primary_key=True
    )
    topic: Mapped[str] = mapped_column(Text, primary_key=True)
    marks: Mapped[dict[str, dict[str, int]]] = mapped_column(JSON, default=dict)
    """By the id of an entry and the name of a criterion."""


Marks = Mapping[str, Mapping[str, int]]
MARKS: Final = (1, 2, 3, 4, 5)
"""Marks by a criterion, the best last (ours)."""
MARK_COLUMNS: Final = ("topic", "annotator", "product", "criterion", "mark")
MOST_CRITERIA: Final = 12
FLAGS: Final[Mapping[str, str]] = {
    "broken": "it cannot be read",
    "off-topic": "it is not about the topic",
    "same": "it is the same as another",
}
"""Faults of a deck that an annotator can flag."""

_TOKEN = re.compile(r"[\w-]{32}\Z", re.ASCII)
MOST_NAME: Final = 120
MOST_NOTE: Final = 2000
MOST_SECONDS: Final = 600.0
"""Counted from one save to the next at most (ours): a page saves at least every half minute."""


@dataclass(frozen=True)
class BlindDeck:
    """A deck as one annotator knows it."""

    key: str
    """Its name in addresses: another one for each annotator."""
    letter: str
    entry: EntryRow


@dataclass(frozen=True)
class BlindTopic:
    """A topic as one annotator sees it: its decks in an order of their own."""

    number: int
    """From 1, in the annotator's own order of topics."""
    name: str
    decks: tuple[BlindDeck, ...]
    order: OrderRow | None
    """Order that the annotator has given so far."""
    marks: Marks
    """Marks so far, by the id of an entry."""

    def by_key(self, key: str) -> BlindDeck:
        """The deck of a key; raises NotThere."""
        for deck in self.decks:
            if deck.key == key:
                return deck
        raise NotThere("no such deck in this topic")


class Studies:
    """The ranking studies of a library."""

    def __init__(self, library: Library) -> None:
        self.library = library

    def create(self, name: str, question: str) -> StudyRow:
        """A new study. Raises ValueError without a name."""
        row = StudyRow(
            id=uuid4().hex,
            name=_named(name, "study"),
            question=clean_line(question)[:MOST_NOTE] or "Which deck would you rather present?",
            created=time.time(),
        )
        with self.library.writing() as session:
            session.add(row)
        return row

    def set_criteria(self, study: str, names: Sequence[str]) -> None:
        """Have annotators mark decks by criteria, from now on; marks by others stay.

        Raises ValueError for too many.
        """
        criteria = list(
            dict.fromkeys(filter(None, (clean_line(name)[:MOST_NAME] for name in names)))
        )
        if len(criteria) > MOST_CRITERIA:
            raise ValueError(f"a study has at most {MOST_CRITERIA} criteria")
        self.study(study)
        with self.library.writing() as session:
            session.merge(CriteriaRow(study=study, names=criteria))

    def criteria(self, study: str) -> list[str]:
        """What annotators mark of each deck."""
        with self.library.sessions() as session:
            row = session.get(CriteriaRow, checked_id(study))
        return row.names if row else []

    def all(self) -> Sequence[StudyRow]:
        """The studies, the newest first."""
        with self.library.sessions() as session:
            return session.scalars(select(StudyRow).order_by(StudyRow.created.desc())).all()

    def study(self, study: str) -> StudyRow:
        """A study by its id; raises NotThere."""
        return self.library.row(StudyRow, study, "study")

    def remove(self, study: str) -> None:
        """Forget a study with its rankings; its decks stay in the library."""
        self.study(study)
        with self.library.writing() as session:
            session.delete(session.get(StudyRow, study))

    def add_entry(self, study: str, topic: str, product: str, deck: str) -> EntryRow:
        """Add the current version of a deck to a topic.

        Raises NotThere, and ValueError if the topic has this product already.
        """
        self.study(study)
        row = EntryRow(
            id=uuid4().hex, study=study, topic=_named(topic, "topic"),
            product=_named(product, "system"), deck=deck,
            number=self.library.deck(deck).current,
        )  # fmt: skip
        return self._added(row, f"{row.topic} has a deck of {row.product} already")

    def remove_entry(self, study: str, entry: str) -> None:
        """Take a deck out of a study; orders leave it out from then on."""
        with self.library.writing() as session:
            session.delete(_own(session, EntryRow, entry, study, "deck"))

    def entries(self, study: str) -> Sequence[EntryRow]:
        """The decks of a study, by topic and product."""
        chosen = select(EntryRow).where(EntryRow.study == checked_id(study))
        with self.library.sessions() as session:
            return session.scalars(chosen.order_by(EntryRow.topic, EntryRow.product)).all()

    def add_annotator(self, study: str, name: str) -> AnnotatorRow:
        """A new annotator with a link of their own; raises ValueError if the name is taken."""
        self.study(study)
        row = AnnotatorRow(
            id=uuid4().hex, study=study, name=_named(name, "annotator"),
            token=secrets.token_urlsafe(24), created=time.time(), revoked=False,
        )  # fmt: skip
        return self._added(row, f"{row.name} is an annotator of this study already")

    def _added(self, row: Row, fault: str) -> Row:
        """A new row; raises ValueError, with the fault, if there is such a one already."""
        try:
            with self.library.writing() as session:
                session.add(row)
        except IntegrityError:
            raise ValueError(fault) from None
        return row

    def revoke(self, study: str, annotator: str) -> None:
        """End an annotator's link; their rankings stay."""
        with self.library.writing() as session:
            _own(session, AnnotatorRow, annotator, study, "annotator").revoked = True

    def annotators(self, study: str) -> Sequence[AnnotatorRow]:
        """The annotators of a study, in the order they came."""
        chosen = select(AnnotatorRow).where(AnnotatorRow.study == checked_id(study))
        with self.library.sessions() as session:
            return session.scalars(chosen.order_by(AnnotatorRow.created)).all()

    def assign(self, study: str, annotator: str, topics: Sequence[str]) -> None:
        """Give an annotator some topics, or all, those that come later too. Raises NotThere, and
        ValueError for a topic that is none."""
        known = {entry.topic for entry in self.entries(study)}
        if unknown := [topic for topic in topics if topic not in known]:
            raise ValueError(f"the study has no topic {unknown[0]}")
        with self.library.writing() as session:
            _own(session, AnnotatorRow, annotator, study, "annotator")
            if known == set(topics):
                session.execute(delete(AssignmentRow).where(AssignmentRow.annotator == annotator))
            else:
                session.merge(AssignmentRow(annotator=annotator, topics=sorted(set(topics))))

    def share_out(self, study: str, people: int) -> None:
        """Give each topic to so many annotators: those who have begun it, then those with the
        fewest topics. Raises ValueError if there are fewer with a link."""
        begun = {(row.annotator, row.topic) for row in self._orders(self.assigned(study))}
        given: dict[str, list[str]] = {
            row.id: [] for row in self.annotators(study) if not row.revoked
        }
        if not 0 < people <= len(given):
            raise ValueError(f"there are {len(given)} annotators; choose 1 to as many")
        for topic in sorted({entry.topic for entry in self.entries(study)}):
            order = sorted(given, key=lambda who: ((who, topic) not in begun, len(given[who])))
            for who in order[:people]:
                given[who].append(topic)
        for who, topics in given.items():
            self.assign(study, who, topics)

    def assigned(self, study: str) -> dict[str, list[str]]:
        """The topics of each annotator, in order."""
        every = sorted({entry.topic for entry in self.entries(study)})
        ids = [row.id for row in self.annotators(study)]
        with self.library.sessions() as session:
            rows = session.scalars(select(AssignmentRow).where(AssignmentRow.annotator.in_(ids)))
            chosen = {row.annotator: row.topics for row in rows}
        return {id: [topic for topic in every if topic in chosen.get(id, every)] for id in ids}

    def by_token(self, token: str) -> AnnotatorRow:
        """The annotator of a link; raises NotThere if it is unknown or was revoked."""
        row = None
        if _TOKEN.match(token):  # databases take no other characters
            with self.library.sessions() as session:
                row = session.scalar(select(AnnotatorRow).where(AnnotatorRow.token == token))
        if row is None or row.revoked:
            raise NotThere("this link is not valid; ask who sent it for a new one")
        return row

    def topics(self, annotator: AnnotatorRow) -> list[BlindTopic]:
        """The topics of an annotator with the decks of each, both in an order of their own."""
        entries: dict[str, list[EntryRow]] = {}
        for entry in self.entries(annotator.study):
            entries.setdefault(entry.topic, []).append(entry)
        orders = {order.topic: order for order in self._orders([annotator.id])}
        marks = {row.topic: row.marks for row in self._marks([annotator.id])}
        names = _shuffled(self.assigned(annotator.study)[annotator.id], annotator.token)
        return [
            BlindTopic(
                number,
                name,
                _blind(entries[name], annotator),
                orders.get(name),
                marks.get(name, {}),
            )
            for number, name in enumerate(names, start=1)
        ]

    def topic(self, annotator: AnnotatorRow, number: int) -> BlindTopic:
        """One topic of an annotator by its number; raises NotThere."""
        return numbered(self.topics(annotator), number)

    def slides(self, entry: EntryRow) -> int:
        """How many slides of a deck can be shown; 0 while it is not drawn."""
        facts = self.library.facts(self.library.version(entry.deck, entry.number))
        return facts.slides if facts else 0

    def save(self, annotator: AnnotatorRow, topic: BlindTopic, given: Mapping[str, Any]) -> None:
        """Keep what an annotator has done on a topic.

        ``given`` has ``ranked`` (keys, the best first, tied ones in one list), ``flags`` by key,
        ``note``, ``seconds`` since the last save, ``done``, and ``marks`` by key and criterion.
        Raises ValueError or NotThere if it does not fit the topic.
        """
        ranked = _ranked(topic, given.get("ranked"))
        flags = _flags(topic, given.get("flags"))
        marks = _marks(topic, given.get("marks"), self.criteria(annotator.study))
        note = "\n".join(map(clean_line, str(given.get("note") or "")[:MOST_NOTE].splitlines()))
        spent = _seconds(given.get("seconds"))
        with self.library.writing() as session:
            row = session.scalar(
                select(OrderRow)
                .where(OrderRow.annotator == annotator.id, OrderRow.topic == topic.name)
                .with_for_update()
            )
            if row is None:
                row = OrderRow(annotator=annotator.id, topic=topic.name, seconds=0.0)
                session.add(row)
            row.ranked, row.flags, row.note = ranked, flags, note
            row.seconds, row.done = row.seconds + spent, bool(given.get("done"))
            row.changed = time.time()
            if marks:
                session.merge(MarksRow(annotator=annotator.id, topic=topic.name, marks=marks))

    def rankings(self, study: str) -> RankTable:
        """The rankings of a study, with what cannot be used of them."""
        annotators = {annotator.id: annotator.name for annotator in self.annotators(study)}
        products = {entry.id: entry for entry in self.entries(study)}
        rankings = []
        for order in self._orders(annotators):
            ranks = dict(_ranks(order, products))
            if len(ranks) > 1:
                rankings.append(Ranking(order.topic, annotators[order.annotator], ranks))
        return RankTable(tuple(rankings))

    def progress(self, study: str) -> dict[str, list[OrderRow]]:
        """Orders of each annotator so far, by the annotator's id."""
        orders: dict[str, list[OrderRow]] = {row.id: [] for row in self.annotators(study)}
        for order in self._orders(orders):
            orders[order.annotator].append(order)
        return orders

    def ranks_csv(self, study: str) -> str:
        """The rankings as ``decklab agree`` reads them, with time, flags and notes beside them."""
        out = io.StringIO()
        table = csv.writer(out, lineterminator="\n")
        table.writerow([*RANK_COLUMNS, "flag", "seconds", "done", "note"])
        annotators = {annotator.id: annotator.name for annotator in self.annotators(study)}
        products = {row.id: row for row in self.entries(study)}
        orders = self._orders(annotators)
        for order in sorted(orders, key=lambda row: (row.topic, annotators[row.annotator])):
            ranks = dict(_ranks(order, products))
            for entry in products.values():
                if entry.topic != order.topic:
                    continue
                rank = ranks.get(entry.product)
                table.writerow([
                    order.topic, annotators[order.annotator], entry.product,
                    "" if rank is None else f"{rank:g}", order.flags.get(entry.id, ""),
                    f"{order.seconds:.0f}", int(order.done), _as_text(order.note),
                ])  # fmt: skip
        return out.getvalue()

    def marks_csv(self, study: str) -> str:
        """The marks by criteria: topic, annotator, product, criterion and mark, a row each."""
        out = io.StringIO()
        table = csv.writer(out, lineterminator="\n")
        table.writerow(MARK_COLUMNS)
        table.writerows([*map(_as_text, row[:4]), row[4]] for row in self.marks(study))
        return out.getvalue()

    def marks(self, study: str) -> list[tuple[str, str, str, str, int]]:
        """Topic, annotator, product, criterion and mark, of all marks that were given."""
        annotators = {annotator.id: annotator.name for annotator in self.annotators(study)}
        products = {row.id: row.product for row in self.entries(study)}
        return [
            (row.topic, annotators[row.annotator], products[entry], criterion, mark)
            for row in self._marks(annotators)
            for entry, marks in row.marks.items() if entry in products
            for criterion, mark in marks.items()
        ]  # fmt: skip

    def take_csv(self, study: str, file: Path) -> tuple[int, tuple[str, ...]]:
        """Take rankings from a CSV; returns how many were taken, and the faults of the others.

        Topics and products must be those of the study; a new annotator gets a link. An annotator's
        earlier rankings stay. Raises ResultsError if it is no table of ranks.
        """
        read = read_rankings([file])
        entries = {(entry.topic, entry.product): entry.id for entry in self.entries(study)}
        known = {annotator.name: annotator for annotator in self.annotators(study)}
        done = {(row.annotator, row.topic) for row in self._orders(a.id for a in known.values())}
        faults, taken = list(read.faults), 0
        for ranking in read.rankings:
            missing = [p for p in ranking.ranks if (ranking.topic, p) not in entries]
            if missing:
                faults.append(f"{ranking.topic}: the study has no deck of {missing[0]}")
                continue
            who = known.get(ranking.annotator) or self.add_annotator(study, ranking.annotator)
            known[who.name] = known[ranking.annotator] = who
            if (who.id, ranking.topic) in done:
                faults.append(f"{ranking.topic}: {who.name} has ranked it already")
                continue
            by_rank: dict[float, list[str]] = {}
            for product, rank in ranking.ranks.items():
                by_rank.setdefault(rank, []).append(entries[ranking.topic, product])
            with self.library.writing() as session:
                session.add(OrderRow(
                    annotator=who.id, topic=ranking.topic, flags={}, note="", seconds=0.0,
                    ranked=[by_rank[rank] for rank in sorted(by_rank)], done=True,
                    changed=time.time(),
                ))  # fmt: skip
            taken += 1
        return taken, tuple(faults)

    def _orders(self, annotators: Any) -> Sequence[OrderRow]:
        chosen = select(OrderRow).where(OrderRow.annotator.in_(list(annotators)))
        with self.library.sessions() as session:
            return session.scalars(chosen.order_by(OrderRow.topic, OrderRow.annotator)).all()

    def _marks(self, annotators: Any) -> Sequence[MarksRow]:
        chosen = select(MarksRow).where(MarksRow.annotator.in_(list(annotators)))
        with self.library.sessions() as session:
            return session.scalars(chosen.order_by(MarksRow.topic, MarksRow.annotator)).all()


_Own = TypeVar("_Own", EntryRow, AnnotatorRow)


def _own(session: Session, kind: type[_Own], id: str, study: str, what: str) -> _Own:
    if (row := held(session, kind, id, what)).study != study:
        raise NotThere(f"no {what} {id} in this study")
    return row


def numbered(topics: Sequence[BlindTopic], number: int) -> BlindTopic:
    """The topic of a number; raises NotThere."""
    if not 0 < number <= len(topics):
        raise NotThere(f"there is no topic {number}")
    return topics[number - 1]


def _blind(entries: Sequence[EntryRow], annotator: AnnotatorRow) -> tuple[BlindDeck, ...]:
    """The decks of a topic in the annotator's order, by letters."""
    shuffled = _shuffled(list(entries), f"{annotator.token} {entries[0].topic}")
    return tuple(
        BlindDeck(_key(annotator, entry), _letter(index), entry)
        for index, entry in enumerate(shuffled)
    )


def _key(annotator: AnnotatorRow, entry: EntryRow) -> str:
    """Unlike for any two annotators, so that they cannot tell each other which deck is which."""
    return hmac.new(annotator.token.encode(), entry.id.encode(), sha256).hexdigest()[:16]


def _letter(index: int) -> str:
    """A, B, ... Z, A1, B1 ...

    >>> _letter(0), _letter(27)
    ('A', 'B1')
    """
    return chr(65 + index % 26) + (str(index // 26) if index >= 26 else "")


def _shuffled(items: list[Any], seed: str) -> list[Any]:
    random.Random(sha256(seed.encode()).hexdigest()).shuffle(items)
    return items


def _named(name: str, what: str) -> str:
    if not (words := clean_line(name)[:MOST_NAME].strip()):
        raise ValueError(f"the {what} needs a name")
    return words


def _as_text(cell: str) -> str:
    """A cell that no spreadsheet takes for a formula."""
    return f"'{cell}" if cell[:1] in ("=", "+", "-", "@", "\t") else cell


def _ranked(topic: BlindTopic, given: Any) -> list[list[str]]:
    if not isinstance(given, list) or not all(isinstance(group, list) for group in given):
        raise ValueError("ranked is a list of lists of decks")
    groups = [[topic.by_key(str(key)).entry.id for key in group] for group in given]
    flat = [entry for group in groups for entry in group]
    if len(flat) != len(set(flat)):
        raise ValueError("a deck is ranked twice")
    return [group for group in groups if group]


def _flags(topic: BlindTopic, given: Any) -> dict[str, str]:
    flags = given if isinstance(given, dict) else {}
    if not set(FLAGS).issuperset(flags.values()):
        raise ValueError(f"a flag is one of {', '.join(FLAGS)}")
    return {topic.by_key(str(key)).entry.id: flag for key, flag in flags.items()}


def _marks(topic: BlindTopic, given: Any, criteria: Sequence[str]) -> dict[str, dict[str, int]]:
    """Marks by the id of an entry and criterion; those of other decks stay as they were."""
    marks = dict[str, dict[str, int]]()
    for key, own in given.items() if isinstance(given, dict) else ():
        right = isinstance(own, dict) and all(
            name in criteria and type(mark) is int and mark in MARKS for name, mark in own.items()
        )
        if not right:
            raise ValueError("a mark is 1 to 5, by a criterion of the study")
        marks[topic.by_key(str(key)).entry.id] = own
    return {**{entry: dict(own) for entry, own in topic.marks.items()}, **marks}


def _seconds(given: Any) -> float:
    if not isinstance(given, int | float) or isinstance(given, bool) or not 0 <= given < 1e9:
        return 0.0
    return min(float(given), MOST_SECONDS)


def _ranks(order: OrderRow, entries: Mapping[str, EntryRow]) -> Iterator[tuple[str, float]]:
    """The rank of each product of an order; tied ones have the same, the next one goes on."""
    rank = 1
    for group in order.ranked:
        there = [entries[entry].product for entry in group if entry in entries]
        yield from ((product, float(rank)) for product in there)
        rank += len(there)
