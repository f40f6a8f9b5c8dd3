"""The JSON API of ranking studies, for whoever runs them."""

from typing import Annotated, Any

from fastapi import APIRouter, File, Request, UploadFile

from decklab.workbench.web.rank_pages import take_ranks
from decklab.workbench.web.rank_results import study_result
from decklab.workbench.web.rank_studies import AnnotatorRow, EntryRow, OrderRow, Studies, StudyRow
from decklab.workbench.web.workbench import Workbench


def rank_api(bench: Workbench) -> APIRouter:
    """Studies, their decks, annotators and results."""
    router = APIRouter(prefix="/studies")
    studies = Studies(bench.library)

    @router.get("")
    def all_studies() -> dict[str, Any]:
        """The studies, the newest first."""
        return {"studies": [_study(one) for one in studies.all()]}

    @router.post("", status_code=201)
    def create(given: dict[str, Any]) -> dict[str, Any]:
        """Make a study: ``name``, and optionally the ``question`` that annotators answer."""
        return _study(studies.create(_text(given, "name"), _text(given, "question")))

    @router.get("/{study}")
    def study(study: str, request: Request) -> dict[str, Any]:
        """A study: its decks, its annotators with their links and what they have done."""
        row, progress = studies.study(study), studies.progress(study)
        link = f"{request.base_url}rank/link/"
        return _study(row) | {
            "entries": [_entry(one) for one in studies.entries(study)],
            "annotators": [
                _annotator(one, link) | {"orders": [_order(each) for each in progress[one.id]]}
                for one in studies.annotators(study)
            ],
        }

    @router.delete("/{study}", status_code=204)
    def remove(study: str) -> None:
        """Forget a study with its rankings; its decks stay."""
        studies.remove(study)

    @router.post("/{study}/entries", status_code=201)
    def add_entry(study: str, given: dict[str, Any]) -> dict[str, Any]:
        """Add a deck of the library: ``topic``, ``product`` and ``deck``, its id."""
        topic, product, deck = (_text(given, name) for name in ("topic", "product", "deck"))
        bench.look_at(deck)
        return _entry(studies.add_entry(study, topic, product, deck))

    @router.delete("/{study}/entries/{entry}", status_code=204)
    def remove_entry(study: str, entry: str) -> None:
        """Take a deck out of a study."""
        studies.remove_entry(study, entry)

    @router.post("/{study}/annotators", status_code=201)
    def add_annotator(study: str, given: dict[str, Any], request: Request) -> dict[str, Any]:
        """Add an annotator by ``name``; ``link`` is for them alone."""
        row = studies.add_annotator(study, _text(given, "name"))
        return _annotator(row, f"{request.base_url}rank/link/")

    @router.post("/{study}/annotators/{annotator}/revoke", status_code=204)
    def revoke(study: str, annotator: str) -> None:
        """End an annotator's link."""
        studies.revoke(study, annotator)

    @router.post("/{study}/ranks")
    def take(study: str, file: Annotated[UploadFile, File()]) -> dict[str, Any]:
        """Take rankings from a CSV with the columns topic, annotator, product and rank."""
        taken, faults = take_ranks(bench, studies, study, file)
        return {"taken": taken, "left_out": list(faults)}

    @router.get("/{study}/result")
    def result(study: str) -> dict[str, Any]:
        """The order of the products, and the agreement of people and of metrics, so far."""
        studies.study(study)
        return study_result(studies, study).as_json()

    return router


def _text(given: dict[str, Any], name: str) -> str:
    return str(given.get(name) or "")


def _study(row: StudyRow) -> dict[str, Any]:
    return {"id": row.id, "name": row.name, "question": row.question, "created": row.created}


def _entry(row: EntryRow) -> dict[str, Any]:
    return {
        "id": row.id, "topic": row.topic, "product": row.product, "deck": row.deck,
        "version": row.number,
    }  # fmt: skip


def _annotator(row: AnnotatorRow, link: str) -> dict[str, Any]:
    return {
        "id": row.id, "name": row.name, "revoked": row.revoked,
        "link": None if row.revoked else f"{link}{row.token}",
    }  # fmt: skip


def _order(row: OrderRow) -> dict[str, Any]:
    return {
        "topic": row.topic, "ranked": row.ranked, "flags": row.flags, "note": row.note,
        "seconds": row.seconds, "done": row.done, "changed": row.changed,
    }  # fmt: skip
