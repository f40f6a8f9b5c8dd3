"""Ranking studies: their results so far, the pages of whoever runs one, of an annotator, who comes
by a link and sees one study, blind; and the JSON API.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final

from fastapi import APIRouter, Body, Cookie, File, Form, Request, UploadFile
from fastapi.responses import (
    FileResponse,
    HTMLResponse,
    JSONResponse,
    PlainTextResponse,
    RedirectResponse,
)

from decklab.core.errors import Unavailable
from decklab.core.results import NotScored
from decklab.evals.agreement.agree import PeopleAgreement, agreement_of
from decklab.evals.agreement.rankings import Strength, bouts_of, consensus, strengths
from decklab.evals.agreement.tables import RankTable, ScoreTable
from decklab.metrics.catalogue import METRICS, metric_labels
from decklab.scoring.reports.leaderboard_page import COLUMNS
from decklab.workbench.web.database import DeckRow
from decklab.workbench.web.jobs import OPEN
from decklab.workbench.web.library import NotThere
from decklab.workbench.web.pages import render, score_of
from decklab.workbench.web.rank_studies import (
    FLAGS,
    MARK_COLUMNS,
    MARKS,
    AnnotatorRow,
    BlindTopic,
    EntryRow,
    OrderRow,
    Studies,
    StudyRow,
    numbered,
)
from decklab.workbench.web.workbench import Workbench

RESAMPLES: Final = 400
"""Of topics, for intervals of the live page (ours): enough for two digits, and quick."""


@dataclass(frozen=True)
class StudyResult:
    """Result of a study so far."""

    rankings: int
    products: tuple[tuple[str, float], ...]
    """Products with the mean share of the others that people put behind them, best first."""
    strengths: tuple[Strength, ...] | NotScored
    agreement: PeopleAgreement | NotScored
    marks: Mapping[str, Mapping[str, tuple[float, int]]]
    """By criterion and product the mean mark, and how many there are."""

    def as_json(self) -> dict[str, Any]:
        """Plain JSON; undefined values are null with their reason."""
        return {
            "rankings": self.rankings,
            "products": [{"product": name, "ahead_of": share} for name, share in self.products],
            "strengths": _or_reason(self.strengths, lambda ranked: [
                {"product": rank.name, "rating": rank.rating, "won": rank.won, "lost": rank.lost,
                 "tied": rank.tied} for rank in ranked
            ]),
            "agreement": _or_reason(self.agreement, PeopleAgreement.as_json),
            "marks": {criterion: {product: {"mean": mean, "count": count}
                                  for product, (mean, count) in own.items()}
                      for criterion, own in self.marks.items()},
        }  # fmt: skip


def _or_reason(value: Any, as_json: Any) -> Any:
    return {"reason": value.reason} if isinstance(value, NotScored) else as_json(value)


def study_result(studies: Studies, study: str) -> StudyResult:
    """The result of a study as it stands now."""
    ranked = studies.rankings(study)
    if not ranked.rankings:
        none = NotScored("nobody has ranked two decks of a topic yet")
        return StudyResult(0, (), none, none, _mean_marks(studies, study))
    table = study_scores(studies, study)
    metrics = sorted(table.scores)
    return StudyResult(
        rankings=len(ranked.rankings),
        products=_products(ranked),
        strengths=_strengths(ranked),
        agreement=agreement_of(table, ranked, metrics, resamples=RESAMPLES),
        marks=_mean_marks(studies, study),
    )


def _mean_marks(studies: Studies, study: str) -> dict[str, dict[str, tuple[float, int]]]:
    given: dict[str, dict[str, list[int]]] = {}
    for _topic, _annotator, product, criterion, mark in studies.marks(study):
        given.setdefault(criterion, {}).setdefault(product, []).append(mark)
    return {
        criterion: {product: (sum(own) / len(own), len(own)) for product, own in sorted(by.items())}
        for criterion, by in given.items()
    }


def study_scores(studies: Studies, study: str) -> ScoreTable:
    """The scores of a study's decks; higher is better, as ``ScoreTable`` has them."""
    scores: dict[str, dict[str, dict[str, float]]] = {}
    missing = []
    for entry in studies.entries(study):
        facts = studies.library.facts(studies.library.version(entry.deck, entry.number))
        for metric in COLUMNS:
            if (value := score_of(facts, metric)) is None:
                missing.append(f"{entry.topic}, {entry.product}: no {metric_labels()[metric]}")
                continue
            sign = -1.0 if METRICS[metric].direction == "lower" else 1.0
            scores.setdefault(metric, {}).setdefault(entry.topic, {})[entry.product] = sign * value
    directions = {metric: METRICS[metric].direction for metric in scores}
    return ScoreTable(scores, directions, not_scored=tuple(missing))


def scores_csv(studies: Studies, study: str) -> str:
    """The scores of a study's decks as ``decklab agree`` reads them."""
    lines = ["topic,product,metric,value"]
    table = study_scores(studies, study)
    for metric, topics in table.scores.items():
        sign = -1.0 if table.directions[metric] == "lower" else 1.0
        lines += [
            ",".join([_quoted(topic), _quoted(product), metric, repr(sign * value)])
            for topic, products in topics.items()
            for product, value in products.items()
        ]
    return "\n".join(lines) + "\n"


def _quoted(cell: str) -> str:
    return '"' + cell.replace('"', '""') + '"'


def _products(ranked: RankTable) -> tuple[tuple[str, float], ...]:
    """Products by the mean over topics of the consensus there."""
    shares: dict[str, list[float]] = {}
    topics: dict[str, list[Any]] = {}
    for ranking in ranked.rankings:
        topics.setdefault(ranking.topic, []).append(ranking)
    for rankings in topics.values():
        mean_ranks: Mapping[str, float] = consensus(rankings)
        for product, share in mean_ranks.items():
            shares.setdefault(product, []).append(share)
    means = {product: sum(some) / len(some) for product, some in shares.items()}
    return tuple(sorted(means.items(), key=lambda item: (-item[1], item[0])))


def _strengths(ranked: RankTable) -> tuple[Strength, ...] | NotScored:
    try:
        return strengths(bouts_of(ranked.rankings), resamples=RESAMPLES)
    except Unavailable as error:
        return NotScored(str(error))


LINK_COOKIE: Final = "decklab_annotator"
Link = Annotated[str, Cookie(alias=LINK_COOKIE)]
_DAYS = 90


def rank_own_pages(bench: Workbench) -> APIRouter:
    """A study as one annotator sees it."""
    router = APIRouter(prefix="/rank", default_response_class=HTMLResponse)
    studies = Studies(bench.library)

    @router.get("/link/{token}")
    def enter(token: str) -> HTMLResponse:
        """The first page; it leads on by a click, as browsers send a strict cookie only then."""
        annotator = studies.by_token(token)
        page = render("rank-welcome.html", **_study(studies, annotator, studies.topics(annotator)))
        answer = HTMLResponse(page, headers={"cache-control": "no-store"})
        answer.set_cookie(
            LINK_COOKIE, token, httponly=True, samesite="strict", max_age=_DAYS * 86400,
            path="/rank/own",
        )  # fmt: skip
        return answer

    @router.get("/own", response_model=None)
    def own(decklab_annotator: Link = "") -> RedirectResponse | str:
        """To the first topic that is not done; if all are, an overview."""
        annotator = studies.by_token(decklab_annotator)
        topics = studies.topics(annotator)
        for topic in topics:
            if not (topic.order and topic.order.done):
                return RedirectResponse(f"/rank/own/{topic.number}", 303)
        return render("rank-welcome.html", **_study(studies, annotator, topics))

    @router.get("/own/{number}")
    def topic_page(number: int, decklab_annotator: Link = "") -> str:
        annotator = studies.by_token(decklab_annotator)
        topics = studies.topics(annotator)
        topic = _topic(studies, numbered(topics, number))
        return render("rank-topic.html", **_study(studies, annotator, topics), **topic)

    @router.post("/own/{number}", response_class=JSONResponse)
    def save(
        number: int, given: Annotated[dict[str, Any], Body()], decklab_annotator: Link = ""
    ) -> Mapping[str, bool]:
        annotator = studies.by_token(decklab_annotator)
        studies.save(annotator, studies.topic(annotator, number), given)
        return {"saved": True}

    @router.get("/own/{number}/{key}/{slide}.webp")
    def picture(number: int, key: str, slide: int, decklab_annotator: Link = "") -> FileResponse:
        annotator = studies.by_token(decklab_annotator)
        entry = studies.topic(annotator, number).by_key(key).entry
        version = bench.library.version(entry.deck, entry.number)
        if (path := bench.library.picture(version, slide)) is None:
            raise NotThere(f"slide {slide} is not drawn")
        return FileResponse(
            path, media_type="image/webp", headers={"cache-control": "private, max-age=86400"}
        )

    return router


def _study(
    studies: Studies, annotator: AnnotatorRow, topics: Sequence[BlindTopic]
) -> dict[str, Any]:
    return {
        "study": studies.study(annotator.study),
        "annotator": annotator,
        "criteria": studies.criteria(annotator.study),
        "topics": [_place(topic) for topic in topics],
        "done": sum(bool(item.order and item.order.done) for item in topics),
    }


def _place(topic: BlindTopic) -> dict[str, Any]:
    state = "done" if topic.order and topic.order.done else "begun" if topic.order else ""
    return {"number": topic.number, "name": topic.name, "decks": len(topic.decks), "state": state}


def _topic(studies: Studies, topic: BlindTopic) -> dict[str, Any]:
    """Content of a topic's page: the groups of ranked decks, then those that are not."""
    by_entry = {deck.entry.id: deck for deck in topic.decks}
    order = topic.order
    groups = [
        [by_entry[entry] for entry in group if entry in by_entry] for group in order.ranked
    ] if order else []  # fmt: skip
    ranked = {entry.key for group in groups for entry in group}
    flags: Mapping[str, str] = order.flags if order else {}
    return {
        "number": topic.number, "name": topic.name,
        "groups": [group for group in groups if group],
        "left": [entry for entry in topic.decks if entry.key not in ranked],
        "slides": {entry.key: studies.slides(entry.entry) for entry in topic.decks},
        "note": order.note if order else "",
        "flagged": {entry.key: flags.get(entry.entry.id, "") for entry in topic.decks},
        "flags": FLAGS, "is_done": bool(order and order.done), "scale": MARKS,
        "marks": {entry.key: topic.marks.get(entry.entry.id, {}) for entry in topic.decks},
    }  # fmt: skip


MOST_CHOICES = 500
"""Decks of the library that can be chosen from a list (ours)."""


def rank_pages(bench: Workbench) -> APIRouter:
    """Studies, for whoever runs them."""
    router = APIRouter(prefix="/rank", default_response_class=HTMLResponse)
    studies = Studies(bench.library)

    @router.get("")
    def all_studies() -> str:
        shown = [_summary(studies, row) for row in studies.all()]
        return render("rank.html", here="/rank", studies=shown)

    @router.get("/{study}")
    def study_page(study: str, request: Request, told: str = "") -> str:
        row = studies.study(study)
        return render(
            "study.html", here="/rank", study=row, study_id=study, told=told[:500],
            topics=_topics(bench, studies, study), link=f"{request.base_url}rank/link/",
            annotators=_annotators(studies, study), result=study_result(studies, study),
            criteria=studies.criteria(study),
            choices=_readable(bench, bench.decks(most=MOST_CHOICES)),
        )  # fmt: skip

    @router.get("/{study}/result")
    def result(study: str) -> str:
        studies.study(study)
        return render("study-result.html", study_id=study, result=study_result(studies, study))

    @router.get("/{study}/{table}.csv")
    def tables(study: str, table: str) -> PlainTextResponse:
        if (made := _TABLES.get(table)) is None:
            raise NotThere("no such table")
        headers = {"content-disposition": f"attachment; filename={table}.csv"}
        text = made(studies, studies.study(study).id)
        return PlainTextResponse(text, media_type="text/csv", headers=headers)

    return router


def _readable(bench: Workbench, decks: Sequence[DeckRow]) -> list[DeckRow]:
    """Decks without those that could not be drawn."""
    looks = bench.jobs.last_looks(deck.id for deck in decks)
    failed = {id for (id, _number), job in looks.items() if job.state == "failed"}
    return [deck for deck in decks if deck.id not in failed]


_TABLES: Final[Mapping[str, Callable[[Studies, str], str]]] = {
    "ranks": Studies.ranks_csv, "marks": Studies.marks_csv, "scores": scores_csv,
}  # fmt: skip
"""Tables of a study that go out."""


def _summary(studies: Studies, study: StudyRow) -> dict[str, Any]:
    entries, progress = studies.entries(study.id), studies.progress(study.id)
    topics = {entry.topic for entry in entries}
    return {
        "id": study.id, "name": study.name, "topics": len(topics), "decks": len(entries),
        "annotators": len(progress),
        "done": sum(order.done for orders in progress.values() for order in orders),
        "wanted": sum(map(len, studies.assigned(study.id).values())),
    }  # fmt: skip


def _topics(bench: Workbench, studies: Studies, study: str) -> dict[str, list[dict[str, Any]]]:
    """The decks of a study by topic, as its page shows them."""
    topics: dict[str, list[dict[str, Any]]] = {}
    entries = studies.entries(study)
    looks = bench.jobs.last_looks(entry.deck for entry in entries)
    for entry in entries:
        look = looks.get((entry.deck, entry.number))
        version = bench.library.version(entry.deck, entry.number)
        topics.setdefault(entry.topic, []).append({
            "id": entry.id, "product": entry.product, "deck": entry.deck, "number": entry.number,
            "picture": bench.library.picture(version, 1) is not None,
            "waiting": look.id if look and look.state in OPEN else "",
        })  # fmt: skip
    return topics


def _annotators(studies: Studies, study: str) -> list[dict[str, Any]]:
    topics, progress = studies.assigned(study), studies.progress(study)
    return [
        {
            "row": annotator,
            "topics": topics[annotator.id],
            "done": [
                order.topic
                for order in progress[annotator.id]
                if order.done and order.topic in topics[annotator.id]
            ],
            "minutes": sum(order.seconds for order in progress[annotator.id]) / 60,
            "flags": sum(len(order.flags) for order in progress[annotator.id]),
            "notes": [(order.topic, order.note) for order in progress[annotator.id] if order.note],
        }
        for annotator in studies.annotators(study)
    ]


def rank_api(bench: Workbench) -> APIRouter:
    """Studies, their decks, annotators and results."""
    router = APIRouter(prefix="/studies")
    studies = Studies(bench.library)

    @router.get("")
    def all_studies() -> dict[str, Any]:
        """The studies, the newest first."""
        return {"studies": [_study_json(row) for row in studies.all()]}

    @router.post("", status_code=201)
    def create(given: dict[str, Any]) -> dict[str, Any]:
        """Make a study: ``name``, and optionally the ``question`` that annotators answer and the
        ``criteria`` by which they mark each deck, a list or words with commas."""
        row = studies.create(_text(given, "name"), _text(given, "question"))
        studies.set_criteria(row.id, _listed(given, "criteria"))
        return _study_json(row)

    @router.get("/{study}")
    def study(study: str, request: Request) -> dict[str, Any]:
        """A study: its decks, its annotators with their links and their progress."""
        row, progress = studies.study(study), studies.progress(study)
        link = f"{request.base_url}rank/link/"
        topics, marks = studies.assigned(study), studies.marks(study)
        return _study_json(row) | {
            "criteria": studies.criteria(study),
            "marks": [dict(zip(MARK_COLUMNS, mark, strict=True)) for mark in marks],
            "entries": [_entry(item) for item in studies.entries(study)],
            "annotators": [
                _annotator(item, link)
                | {"topics": topics[item.id], "orders": list(map(_order, progress[item.id]))}
                for item in studies.annotators(study)
            ],
        }

    @router.post("/{study}/entries", status_code=201)
    def add_entry(study: str, given: dict[str, Any]) -> dict[str, Any]:
        """Add a deck of the library: ``topic``, ``product`` and ``deck``, its id."""
        topic, product, deck = (_text(given, name) for name in ("topic", "product", "deck"))
        bench.look_at(deck)
        return _entry(studies.add_entry(study, topic, product, deck))

    @router.post("/{study}/decks", status_code=201)
    def upload(
        study: str, topic: Annotated[str, Form()], files: Annotated[list[UploadFile], File()]
    ) -> dict[str, Any]:
        """Add decks to the library and to a topic; a file is named for the system that made it."""
        studies.study(study)
        decks = [bench.upload(file) for file in files]
        added = [studies.add_entry(study, topic, deck.name.rpartition(".")[0], deck.id)
                 for deck in decks]  # fmt: skip
        return {"entries": list(map(_entry, added))}

    @router.put("/{study}/criteria")
    def set_criteria(study: str, given: dict[str, Any]) -> dict[str, Any]:
        """Have annotators mark each deck by ``criteria``, a list or words with commas."""
        studies.set_criteria(study, _listed(given, "criteria"))
        return {"criteria": studies.criteria(study)}

    @router.put("/{study}/annotators/{annotator}/topics")
    def assign(study: str, annotator: str, given: dict[str, Any]) -> dict[str, Any]:
        """Give an annotator the ``topics`` of a list."""
        studies.assign(study, annotator, _listed(given, "topics"))
        return {"topics": studies.assigned(study)[annotator]}

    @router.post("/{study}/share-out")
    def share_out(study: str, people: Annotated[int, Body(embed=True)]) -> dict[str, Any]:
        """Give each topic to so many ``people``; returns the topics of each annotator."""
        studies.share_out(study, people)
        return {"topics": studies.assigned(study)}

    @router.post("/{study}/annotators", status_code=201)
    def add_annotator(study: str, given: dict[str, Any], request: Request) -> dict[str, Any]:
        """Add an annotator by ``name``; ``link`` is for them alone."""
        row = studies.add_annotator(study, _text(given, "name"))
        return _annotator(row, f"{request.base_url}rank/link/")

    router.delete("/{study}", status_code=204)(studies.remove)
    router.delete("/{study}/entries/{entry}", status_code=204)(studies.remove_entry)
    router.post("/{study}/annotators/{annotator}/revoke", status_code=204)(studies.revoke)

    @router.post("/{study}/ranks")
    def take(study: str, file: Annotated[UploadFile, File()]) -> dict[str, Any]:
        """Take rankings from a CSV with the columns topic, annotator, product and rank."""
        studies.study(study)
        with bench.received(file, ".csv") as path:
            taken, found = studies.take_csv(study, path)
        faults = [fault.replace(str(path), file.filename or "the file") for fault in found]
        more = f" and {len(faults) - 1} more" * (len(faults) > 1)
        told = f"{taken} rankings taken" + (f"; left out: {faults[0]}{more}" if faults else "")
        return {"taken": taken, "left_out": list(faults), "told": told}

    @router.get("/{study}/result")
    def result(study: str) -> dict[str, Any]:
        """The order of the products, and the agreement of people and of metrics, so far."""
        studies.study(study)
        return study_result(studies, study).as_json()

    return router


def _text(given: dict[str, Any], name: str) -> str:
    return str(given.get(name) or "")


def _listed(given: dict[str, Any], name: str) -> list[str]:
    value = given.get(name) or []
    return value.split(",") if isinstance(value, str) else list(map(str, value))


def _fields(row: Any, *names: str) -> dict[str, Any]:
    return {name: getattr(row, name) for name in names}


def _study_json(row: StudyRow) -> dict[str, Any]:
    return _fields(row, "id", "name", "question", "created")


def _entry(row: EntryRow) -> dict[str, Any]:
    return _fields(row, "id", "topic", "product", "deck") | {"version": row.number}


def _annotator(row: AnnotatorRow, link: str) -> dict[str, Any]:
    place = None if row.revoked else f"{link}{row.token}"
    return _fields(row, "id", "name", "revoked") | {"link": place}


def _order(row: OrderRow) -> dict[str, Any]:
    return _fields(row, "topic", "ranked", "flags", "note", "seconds", "done", "changed")
