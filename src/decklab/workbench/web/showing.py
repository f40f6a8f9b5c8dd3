"""What pages and the JSON API say of decks, versions and jobs: plain data, without paths."""

from collections.abc import Mapping, Sequence
from typing import Any

from decklab.pages.wording import counted
from decklab.workbench.web.database import DeckRow, FolderRow, JobRow, VersionRow
from decklab.workbench.web.jobs import OPEN, Jobs
from decklab.workbench.web.library import Facts, Library, line_of

STAGES: Mapping[str, str] = {
    "draw": "drawing slides", "rest": "drawing the other slides",
    "lint": "looking for faults", "score": "scoring", "read": "reading the deck",
    "plan": "planning", "edit": "editing", "check": "checking", "compare": "comparing",
    "save": "saving",
}  # fmt: skip


def version_json(library: Library, version: VersionRow, facts: Facts | None) -> dict[str, Any]:
    """A version, and what was found in it where it was looked at."""
    found: dict[str, Any] = {"looked_at": facts is not None}
    if facts is not None:
        found |= {
            "slides": facts.slides, "titles": list(facts.titles),
            "findings": list(facts.findings), "not_run": list(facts.not_run),
            "scores": list(facts.scores), "not_drawn": facts.not_drawn,
        }  # fmt: skip
    return {
        "number": version.number, "parent": version.parent, "bytes": version.size,
        "sha256": version.digest, "made_by": version.made_by, "job": version.job,
        "created": version.created, **found,
    }  # fmt: skip


def decks_json(library: Library, decks: Sequence[DeckRow]) -> list[dict[str, Any]]:
    """Decks with their versions in short."""
    versions = library.versions(one.id for one in decks)
    files = library.folder_files(one.id for one in decks)
    return [_deck_json(library, one, versions[one.id], files.get(one.id)) for one in decks]


def _deck_json(
    library: Library, deck: DeckRow, versions: Sequence[VersionRow], file: FolderRow | None
) -> dict[str, Any]:
    current = next((one for one in versions if one.number == deck.current), None)
    facts = library.facts(current) if current else None
    return {
        "id": deck.id, "name": deck.name, "created": deck.created, "current": deck.current,
        "slides": facts.slides if facts else None,
        "quality": score_of(facts, "quality.score"),
        "in_folder": None if file is None else {"version": file.version, "gone": file.gone},
        "versions": [
            {"number": one.number, "parent": one.parent, "made_by": one.made_by}
            for one in versions
        ],
    }  # fmt: skip


def behind_file(file: FolderRow | None, versions: Sequence[VersionRow], current: int) -> bool:
    """Whether a deck has a file in the folder whose version the current one does not come from."""
    return file is not None and file.version not in (None, *line_of(versions, current))


def job_json(jobs: Jobs, job: JobRow) -> dict[str, Any]:
    """A job: its state, its stage while it runs, and what came of it."""
    stage = jobs.stage(job) if job.state == "running" else ""
    return {
        "id": job.id, "kind": job.kind, "deck": job.deck, "version": job.number,
        "asked": dict(job.asked), "state": job.state, "open": job.state in OPEN,
        "stage": STAGES.get(stage, stage), "message": job.message, "result": job.result,
        "created": job.created, "begun": job.begun, "ended": job.ended,
    }  # fmt: skip


def score_of(facts: Facts | None, metric: str) -> float | None:
    """A score of a version; None where there is none."""
    for row in facts.scores if facts else ():
        if row["metric"] == metric:
            value = row["value"]
            return float(value) if value is not None else None
    return None


def worst_findings(facts: Facts | None) -> str:
    """How many findings of the worst kind there are, in words; empty where it is not known."""
    if facts is None:
        return ""
    for severity, word in (("error", "error"), ("warning", "warning"), ("info", "note")):
        number = sum(one["severity"] == severity for one in facts.findings)
        if number:
            return counted(number, word)
    return "no findings"


def in_request(shape: Mapping[str, Any], slide: int) -> str:
    """How a request names a shape.

    >>> in_request({"id": 2, "name": "Title 1"}, 3)
    "'Title 1' on slide 3"
    """
    name = " ".join(str(shape["name"]).split())
    quote = '"' if "'" in name else "'"
    return f"{quote}{name}{quote} on slide {slide}"
