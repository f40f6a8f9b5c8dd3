"""Drafts: pages of the wishes, the outline and the decks that were written; the JSON API, which can
do all that the pages do; and the jobs.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any, Final

from fastapi import APIRouter, Body, Form
from fastapi.responses import FileResponse, HTMLResponse

from decklab.board.themes import THEMES
from decklab.documents.model import DOCUMENT_SUFFIXES
from decklab.workbench.web.database import JobRow
from decklab.workbench.web.drafts import (
    DraftForm,
    DraftRow,
    Drafts,
    DraftSettings,
    TakeRow,
    Writing,
)
from decklab.workbench.web.jobs import OPEN, SLOW, JobKind, Jobs
from decklab.workbench.web.library import NotThere, documents, kept_json
from decklab.workbench.web.looking import WorkTask
from decklab.workbench.web.pages import attached, job_json, kept_picture, render
from decklab.workbench.web.workbench import Workbench
from decklab.writer.outline import PageForm


def theme_choices() -> list[tuple[str, str]]:
    """The names of all themes, each with its use."""
    return [(name, THEMES[name].use) for name in THEMES]


def take_json(writing: Writing, take: TakeRow) -> dict[str, Any]:
    """A deck that was written: its slides with their evidence, and its facts."""
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
    if (last := jobs[-1].state if jobs else "stopped") in OPEN:
        return "working"
    if last != "done":
        return last
    return "outlined" if jobs[-1].kind == "draft-outline" else "written"


def draft_json(writing: Writing, draft: DraftRow) -> dict[str, Any]:
    """A draft in short: its files and wishes, its progress, and its takes."""
    jobs = writing.main_jobs(draft.id)
    takes = writing.drafts.takes([draft.id])[draft.id]
    return {
        "id": draft.id, "name": draft.name, "created": draft.created, "given": list(draft.given),
        "settings": dict(draft.settings), "state": draft_state(writing, draft, jobs),
        "take": draft.take, "jobs": [job_json(writing.jobs, job) for job in jobs],
        "takes": [{"number": take.number, "made_by": take.made_by, "theme": take.result["theme"],
                   "slides": len(take.result["slides"])} for take in takes],
    }  # fmt: skip


SOURCE_SUFFIXES = ",".join((*DOCUMENT_SUFFIXES, ".pptx", ".potx", ".png", ".jpg", ".jpeg", ".webp"))
WISHES = ("shorter", "longer", "as a timeline", "as a table", "as cards", "with a picture")
"""Some of the wishes about a slide that need no model."""
_MOST_DECKS = 200


def write_pages(bench: Workbench) -> APIRouter:
    """The pages of drafts."""
    router = APIRouter(default_response_class=HTMLResponse)
    writing = Writing(bench)
    writing.drafts.sweep()

    @router.get("/write")
    def new_draft(source: str = "") -> str:
        held = documents(bench.library, most=_MOST_DECKS)
        if source and source not in {document.id for document in held}:
            bench.library.deck(source)
        return render(
            "write.html", here="/write", themes=theme_choices(), model=bench.model, chosen=source,
            held=held, decks=bench.decks(most=_MOST_DECKS), drafts=_list(writing),
            suffixes=SOURCE_SUFFIXES, deck_suffixes=".pptx,.potx",
        )  # fmt: skip

    @router.get("/write/{draft_id}")
    def draft_page(draft_id: str, view: str = "", take: int | None = None, slide: int = 1) -> str:
        return render("draft.html", here="/write", **_context(writing, draft_id, view, take, slide))

    @router.get("/write/{draft_id}/body")
    def body(draft_id: str, view: str = "", take: int | None = None, slide: int = 1) -> str:
        return render("draft_body.html", **_context(writing, draft_id, view, take, slide))

    @router.get("/write/{draft_id}/takes/{number}/scores")
    def scores(draft_id: str, number: int) -> str:
        draft = writing.drafts.draft(draft_id)
        return render("draft_scores.html", **_scores(writing, draft, number))

    @router.get("/write/{draft_id}/choices/{of}")
    def choices(draft_id: str, of: str, view: str = "slides") -> str:
        draft = writing.drafts.draft(draft_id)
        shown: dict[str, Any] = {
            "draft": draft,
            "choices": choices_of(writing, draft, of),
            "view": view,
        }
        return render("draft_choices.html", themes=theme_choices(), **shown)

    @router.post("/write/{draft_id}/choices/{of}")
    def draw_choices(draft_id: str, of: str, view: str = "slides") -> str:
        ask_choices(writing, draft_id, of)
        return choices(draft_id, of, view)

    add_draft_files(router, writing, "/write")
    return router


def add_draft_files(router: APIRouter, writing: Writing, root: str) -> None:
    """Add pictures and files of drafts to the pages or to the JSON API."""

    @router.get(root + "/{draft_id}/takes/{number}/slides/{slide}.webp")
    def picture(draft_id: str, number: int, slide: int) -> FileResponse:
        return kept_picture(writing.picture(draft_id, number, slide))

    @router.get(root + "/{draft_id}/visuals/{number}.png")
    def visual(draft_id: str, number: int) -> FileResponse:
        path = writing.drafts.visual_picture(draft_id, number)
        return FileResponse(path, media_type="image/png", headers={"cache-control": "no-cache"})

    @router.get(root + "/{draft_id}/choices/{key}/{name}.png")
    def choice(draft_id: str, key: str, name: str) -> FileResponse:
        path = writing.drafts.work(draft_id) / "choices" / key / f"{name}.png"
        if not _CHOICE.fullmatch(f"{key}/{name}") or not path.is_file():
            raise NotThere("this is not drawn")
        return kept_picture(path, "png")

    @router.get(root + "/{draft_id}/takes/{number}/file.{suffix}")
    def download(draft_id: str, number: int, suffix: str) -> FileResponse:
        draft, path = writing.drafts.draft(draft_id), writing.take_file(draft_id, number, suffix)
        return attached(path, f"{draft.name}.{suffix}")


_CHOICE: Final = re.compile(r"[a-z0-9]{1,7}-[0-9a-f]{16}/[a-z_]{1,40}", re.ASCII)
"""Folder and name of the picture of a choice."""


def choice_folder(drafts: Drafts, draft: DraftRow, of: str) -> Path:
    """The folder of pictures of choices, another one for each slide: of the first slide in all
    ``designs``, or of other forms of a slide of the current take, by its number.

    Raises NotThere for a slide that is none.
    """
    take = drafts.take(draft.id, draft.take) if draft.take is not None else None
    outline = drafts.outline(draft.id)
    if of == "designs" and outline is not None:
        first = int(draft.settings["title_page"] is False)
        slide = repr((outline.title, outline.pages[first : first + 1]))
    elif of == "designs":
        slide = f"{take and drafts.takes([draft.id])[draft.id][0].job}"
    elif take is not None and of in map(str, range(1, len(take.result["slides"]) + 1)):
        slide = take.job
    else:
        raise NotThere(f"no slide {of}")
    return drafts.work(draft.id) / "choices" / f"{of}-{sha256(slide.encode()).hexdigest()[:16]}"


def choices_of(writing: Writing, draft: DraftRow, of: str) -> dict[str, Any]:
    """Choices of a draft: the ``key`` of their pictures, the names with whether each is drawn, the
    ``job`` that draws them, whether all is ``known``, and the design that is ``chosen``: none for a
    template or a deck to write like."""
    folder = choice_folder(writing.drafts, draft, of)
    theme = draft.settings["theme"] if draft.settings["look"] == "theme" else ""
    if draft.take is not None:
        theme = writing.drafts.take(draft.id, draft.take).result["theme"]
    job = writing.jobs.last(draft.id, "draft-choices", key=folder.name)
    names = list(THEMES) if of == "designs" else []
    names = kept_json(folder / "choices.json") or names
    return {
        "of": of, "chosen": theme, "key": folder.name,
        "job": job_json(writing.jobs, job) if job and job.state in OPEN else None,
        "failed": job.message if job and job.state == "failed" else "",
        "known": job is not None and job.state == "done",
        "names": {name: (folder / f"{name}.png").is_file() for name in names},
    }  # fmt: skip


def ask_choices(writing: Writing, draft_id: str, of: str) -> str:
    """Draw choices of a draft; returns the job's id, that of a job that draws them already."""
    draft = writing.drafts.draft(draft_id)
    if writing.drafts.outline(draft_id) is None and draft.take is None:
        raise ValueError("there is no slide yet")
    shown = choices_of(writing, draft, of)
    if shown["job"]:
        return str(shown["job"]["id"])
    return writing.jobs.ask("draft-choices", about=draft_id, of=of, key=shown["key"])


def _list(writing: Writing) -> list[dict[str, Any]]:
    """The drafts as the page lists them."""
    rows = writing.drafts.drafts()
    takes = writing.drafts.takes(item.id for item in rows)
    entries = []
    for row in rows:
        jobs = writing.main_jobs(row.id)
        shown = next((item for item in takes[row.id] if item.number == row.take), None)
        entries.append({
            "id": row.id, "name": row.name, "take": row.take,
            "state": _listed(draft_state(writing, row, jobs), row),
            "job": jobs[-1].id if jobs and jobs[-1].state in OPEN else "",
            "slides": len(shown.result["slides"]) if shown else None,
            "drawn": shown is not None and _drawn(writing, row.id, shown.number, 1),
        })  # fmt: skip
    return entries


def _listed(state: str, draft: DraftRow) -> str:
    """A state in the list: a draft that has a deck is written, whatever was tried after it."""
    return "written" if draft.take is not None and state in ("failed", "stopped") else state


def _drawn(writing: Writing, draft_id: str, take: int, slide: int) -> bool:
    folder: Path = writing.drafts.take_folder(writing.drafts.take(draft_id, take))
    return (folder / f"slide-{slide:03}.webp").is_file()


def _context(
    writing: Writing, draft_id: str, view: str, number: int | None, slide: int
) -> dict[str, Any]:
    """All that the page of a draft shows."""
    draft = writing.drafts.draft(draft_id)
    jobs = writing.main_jobs(draft_id)
    last = jobs[-1] if jobs else None
    outline = writing.drafts.outline(draft_id)
    number = number or draft.take
    take = take_json(writing, writing.drafts.take(draft_id, number)) if number else None
    newest_outline = last is not None and last.kind == "draft-outline" and last.state == "done"
    wanted = view or ("outline" if take is None or newest_outline else "slides")
    count = len(take["slides"]) if take else 0
    return {
        "draft": draft, "job": job_json(writing.jobs, last) if last else None,
        "stages": _stages(writing, last), "outline": outline, "take": take,
        "view": wanted if wanted == "slides" or outline is not None else "slides",
        "slide": min(max(slide, 1), max(count, 1)),
        "drawn": [
            n for n in range(1, count + 1) if number and _drawn(writing, draft_id, number, n)
        ],
        "takes": writing.drafts.takes([draft_id])[draft_id],
        "visuals": writing.drafts.visuals(draft_id), "themes": theme_choices(),
        "forms": POINT_FORMS, "wishes": WISHES, "model": writing.model_of(draft),
        "scored": _scores(writing, draft, number) if number else None,
        "designs": choices_of(writing, draft, "designs"),
        "others": choices_of(writing, draft, str(min(max(slide, 1), count)))
        if take and take["theme"] and number == draft.take else None,
    }  # fmt: skip


POINT_FORMS: Final[Mapping[PageForm, str]] = {
    "points": "Points", "columns": "Columns", "cards": "Cards", "change": "Before and after",
    "table": "Table", "code": "Code",
}  # fmt: skip
"""How the points of a page belong together, in words; a table and code have cells of their own."""


def _scores(writing: Writing, draft: DraftRow, number: int) -> dict[str, Any]:
    """The score card of a take, and the job that scores it still."""
    take = take_json(writing, writing.drafts.take(draft.id, number))
    job = writing.jobs.last(draft.id, "draft-score", take=number)
    return {
        "draft_id": draft.id, "number": number, "scores": take["scores"],
        "findings": take["findings"], "waiting": job.id if job and job.state in OPEN else "",
        "failed": job.message if job and job.state == "failed" else "",
    }  # fmt: skip


def _stages(writing: Writing, job: JobRow | None) -> list[str]:
    """The stages that running work has reached; the last one is under way."""
    if job is None or job.state not in OPEN:
        return []
    return writing.jobs.stage(job).splitlines() if job.state == "running" else []


def _writing(jobs: Jobs, job: JobRow) -> WorkTask:
    """The work on a draft; paths are looked up here, and are in no row."""
    drafts = Drafts(jobs.library)
    draft = drafts.draft(job.about or "")
    folder = drafts.folder(draft.id)
    documents = drafts.files(draft, "source")
    return WorkTask(
        kind=job.kind, file=documents[0] if documents else folder, seen=drafts.work(draft.id),
        out=jobs.library.unfinished(".pptx" if job.kind == "draft-outline" else ""),
        stage=jobs.stage_file(job.id),
        asked={
            "documents": [str(path) for path in documents],
            "options": _options(drafts, draft, job.asked),
            "model": job.asked.get("model"),
            "record": str(folder / "records" / job.id),
            "start": job.asked.get("start", "documents"),
        },
    )  # fmt: skip


def _options(drafts: Drafts, draft: DraftRow, asked: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of ``WriteOptions``: the draft's settings, with what this job is to change."""
    settings = DraftSettings.model_validate(draft.settings)
    options = settings.options(str(asked.get("theme") or ""))
    if settings.look != "theme" and not asked.get("theme"):
        options[settings.look] = str(drafts.files(draft, settings.look)[0])
    if asked.get("start", "documents") == "documents":
        options["slides_from"] = "".join(map(str, drafts.files(draft, "slides")[:1]))
        options["prompt"] = "" if options["slides_from"] else options["prompt"]
    if drafts.files(draft, "picture"):
        options["pictures"] = str(drafts.folder(draft.id) / "picture")
    if asked.get("redo"):
        options["redo"] = tuple(asked["redo"])
    return options


def _wrote(jobs: Jobs, job: JobRow, task: WorkTask, result: dict[str, Any]) -> None:
    wrote = {**result, "look": str(job.asked.get("theme") or "")}
    fields = {"made_by": str(job.asked["made_by"]), "result": wrote}
    take = Drafts(jobs.library).add_take(job.about or "", job.id, task.out, fields)
    result.clear()
    result["take"] = take.number
    jobs.ask("draft-score", about=job.about, follows=True, take=take.number)


def _scoring(jobs: Jobs, job: JobRow) -> WorkTask:
    drafts = Drafts(jobs.library)
    folder = drafts.take_folder(drafts.take(job.about or "", int(job.asked["take"])))
    return WorkTask(
        kind=job.kind, file=folder / "deck.pptx", seen=folder, out=jobs.library.unfinished(),
        stage=jobs.stage_file(job.id),
    )  # fmt: skip


def _choosing(jobs: Jobs, job: JobRow) -> WorkTask:
    """Drawing choices, from the outline or from the plan of a take, into the folder of these."""
    drafts = Drafts(jobs.library)
    draft, of = drafts.draft(job.about or ""), str(job.asked["of"])
    take = drafts.take(draft.id, draft.take) if draft.take is not None else None
    outlined = of == "designs" and drafts.outline(draft.id) is not None
    folder = drafts.take_folder(take) / "kept" if take and not outlined else drafts.work(draft.id)
    look = str(take.result["theme"] if take else draft.settings["theme"])
    return replace(_writing(jobs, job), seen=folder, out=choice_folder(drafts, draft, of), asked={
        "documents": [str(path) for path in drafts.files(draft, "source")], "of": of,
        "options": _options(drafts, draft, {"theme": look, "start": "plan"}),
    })  # fmt: skip


WRITE_JOBS: Final[Mapping[str, JobKind]] = {
    "draft-outline": JobKind(_writing),
    "draft-write": JobKind(_writing, _wrote),
    "draft-choices": JobKind(_choosing),
    "draft-score": JobKind(_scoring, order=SLOW),
}
"""Somebody waits for drafts, as for edits; scores come last."""


def write_api(bench: Workbench) -> APIRouter:
    """Drafts, their outlines and takes, for programs."""
    router = APIRouter()
    writing = Writing(bench)
    drafts = writing.drafts

    @router.get("/drafts")
    def every(first: int = 0, most: int = 50) -> dict[str, Any]:
        """The drafts, newest first."""
        listed = drafts.drafts(first=max(first, 0), most=min(max(most, 1), 200))
        return {"drafts": [draft_json(writing, draft) for draft in listed]}

    @router.post("/drafts", status_code=201)
    def create(
        form: Annotated[DraftForm, Form(media_type="multipart/form-data")],
    ) -> dict[str, Any]:
        """A new draft; with ``outline_first`` it stops for the outline."""
        return draft_json(writing, writing.create(form))

    @router.get("/drafts/{draft_id}")
    def draft(draft_id: str) -> dict[str, Any]:
        """A draft: its state, jobs and takes."""
        return draft_json(writing, drafts.draft(draft_id))

    router.delete("/drafts/{draft_id}", status_code=204)(writing.remove)

    _add_stages(router, writing)
    _add_takes(router, writing)
    add_draft_files(router, writing, "/drafts")
    return router


def _add_stages(router: APIRouter, writing: Writing) -> None:
    """Add the outline, and the work on a draft."""
    drafts = writing.drafts

    def queued(job: str) -> dict[str, Any]:
        return job_json(writing.jobs, writing.jobs.job(job))

    @router.get("/drafts/{draft_id}/outline")
    def outline(draft_id: str) -> dict[str, Any]:
        """The outline: pages with their points, and where the sources say so."""
        drafts.draft(draft_id)
        if (outline := drafts.outline(draft_id)) is None:
            raise NotThere("there is no outline yet")
        return outline.model_dump(mode="json")

    @router.put("/drafts/{draft_id}/outline")
    def save(draft_id: str, outline: Annotated[dict[str, Any], Body()]) -> dict[str, Any]:
        """Keep a changed outline; its quotes are looked up when the deck is written."""
        return writing.save_outline(draft_id, outline).model_dump(mode="json")

    @router.post("/drafts/{draft_id}/outline", status_code=202)
    def outline_again(draft_id: str) -> dict[str, Any]:
        """Make the outline anew from the sources."""
        return queued(writing.outline_again(draft_id))

    @router.get("/drafts/{draft_id}/visuals")
    def visuals(draft_id: str) -> dict[str, Any]:
        """Figures and tables of the sources, which pages of the outline may show."""
        drafts.draft(draft_id)
        return {"visuals": drafts.visuals(draft_id)}

    @router.post("/drafts/{draft_id}/write", status_code=202)
    def write(
        draft_id: str, start: Annotated[str, Body()] = "outline", theme: Annotated[str, Body()] = ""
    ) -> dict[str, Any]:
        """Write the deck: ``start`` is "documents", "outline" or "plan"; ``theme`` is a design."""
        return queued(writing.write(draft_id, start, theme))

    @router.post("/drafts/{draft_id}/theme", status_code=202)
    def theme(draft_id: str, theme: Annotated[str, Body(embed=True)]) -> dict[str, Any]:
        """Make the same slides in another theme; no model is asked."""
        return queued(writing.retheme(draft_id, theme))

    @router.post("/drafts/{draft_id}/redo", status_code=202)
    def redo(
        draft_id: str,
        slide: Annotated[int, Body()],
        wish: Annotated[str, Body()],
        *,
        drawn: Annotated[bool, Body()] = False,
    ) -> dict[str, Any]:
        """Make one slide again, such as "shorter, as a timeline"; ``drawn`` is one of its choices,
        for which no model is asked."""
        return queued(writing.redo(draft_id, slide, wish, drawn=drawn))

    @router.get("/drafts/{draft_id}/choices/{of}")
    def choices(draft_id: str, of: str) -> dict[str, Any]:
        """Pictures of choices: of the first slide in all ``designs``, or of other forms of a slide
        of the current deck, by its number."""
        return choices_of(writing, drafts.draft(draft_id), of)

    @router.post("/drafts/{draft_id}/choices/{of}", status_code=202)
    def draw_choices(draft_id: str, of: str) -> dict[str, Any]:
        """Draw these pictures; returns the job."""
        return queued(ask_choices(writing, draft_id, of))


def _add_takes(router: APIRouter, writing: Writing) -> None:
    """Add the decks that were written."""
    drafts = writing.drafts

    @router.get("/drafts/{draft_id}/takes/{number}")
    def take(draft_id: str, number: int) -> dict[str, Any]:
        """A deck that was written: slides with evidence and defects, findings, scores."""
        return take_json(writing, drafts.take(draft_id, number))

    @router.post("/drafts/{draft_id}/takes/{number}/choose")
    def choose(draft_id: str, number: int) -> dict[str, Any]:
        """Go on from an earlier take."""
        writing.choose(draft_id, number)
        return draft_json(writing, drafts.draft(draft_id))

    @router.post("/drafts/{draft_id}/takes/{number}/open")
    def opened(draft_id: str, number: int) -> dict[str, Any]:
        """Take a deck into the library; returns its id there."""
        return {"deck": writing.open_in_library(draft_id, number)}
