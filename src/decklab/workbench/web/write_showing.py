"""What the pages and the JSON API say of drafts: plain data, without paths."""

from typing import Any, Final

from decklab.board.themes import THEMES
from decklab.workbench.web.database import JobRow
from decklab.workbench.web.jobs import OPEN
from decklab.workbench.web.showing import job_json
from decklab.workbench.web.write_tables import DraftRow, TakeRow
from decklab.workbench.web.writing import Writing

THEME_WORDS: Final = {
    "light": "calm, on white", "dark": "for a dark room", "editorial": "serif, like a magazine",
    "academic": "sober, for talks with sources", "corporate": "blue, for reports",
    "playful": "round and bright",
}  # fmt: skip
"""What themes are for."""


def theme_choices() -> list[tuple[str, str]]:
    """The names of all themes, each with what it is for."""
    return [(name, THEME_WORDS.get(name, "")) for name in THEMES]


def take_json(writing: Writing, take: TakeRow) -> dict[str, Any]:
    """A deck that was written: its slides with their evidence, and what was found in it."""
    facts = writing.drafts.facts(take)
    return {
        "number": take.number, "made_by": take.made_by, "created": take.created,
        "deck": take.deck if writing.linked(take) else None, **take.result,
        "findings": list(facts.findings) if facts else [],
        "scores": list(facts.scores) if facts else [],
        "not_drawn": facts.not_drawn if facts else "",
    }  # fmt: skip


def draft_state(writing: Writing, draft: DraftRow, jobs: list[JobRow]) -> str:
    """How far a draft is: ``working``, ``failed``, ``stopped``, ``written`` or ``outlined``."""
    last = jobs[-1].state if jobs else "stopped"
    if last in OPEN:
        return "working"
    if last != "done":
        return last
    return "outlined" if jobs[-1].kind == "draft-outline" else "written"


def draft_json(writing: Writing, draft: DraftRow) -> dict[str, Any]:
    """A draft in short: what was given and wanted, how far it is, and its takes."""
    jobs = writing.main_jobs(draft.id)
    takes = writing.drafts.takes([draft.id])[draft.id]
    return {
        "id": draft.id, "name": draft.name, "created": draft.created, "given": list(draft.given),
        "settings": dict(draft.settings), "state": draft_state(writing, draft, jobs),
        "take": draft.take, "jobs": [job_json(writing.jobs, one) for one in jobs],
        "takes": [{"number": one.number, "made_by": one.made_by, "theme": one.result["theme"],
                   "slides": len(one.result["slides"])} for one in takes],
    }  # fmt: skip
