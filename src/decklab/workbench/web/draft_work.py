"""The work of processes on drafts: the outline, the deck, and pictures of choices."""

import json
import re
import shutil
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from decklab.board.blueprint import DeckPlan, read_plan
from decklab.board.pages.layout import lay_out_deck
from decklab.board.pages.writing import page_pictures
from decklab.board.themes import THEMES
from decklab.core.errors import DecklabError, PlanError
from decklab.core.files import write_whole
from decklab.core.options import Spending
from decklab.core.stages import Progress
from decklab.deck.deck import open_deck
from decklab.documents.model import DocumentTable, Figure
from decklab.documents.reading import read_documents
from decklab.rendering.renderer import Renderer
from decklab.workbench.web.looking import WorkTask, look, tell
from decklab.writer.defects import SlideDefect
from decklab.writer.figures import small_picture
from decklab.writer.outline import load_outline
from decklab.writer.redo import Redoing
from decklab.writer.request import WriteOptions
from decklab.writer.slides import deck_plan
from decklab.writer.wishes import SAYABLE
from decklab.writer.write import WrittenDeck, write_deck

KEPT = ("plan.json", "settings.json", "style.json", "slides.md")
"""Files from which another take continues."""
WRITE_STAGES: Final[Mapping[str, str]] = {
    "read": "Reading the sources", "story": "Planning the story", "outline": "Outlining",
    "pages": "Writing the pages", "figures": "Choosing figures", "redo": "Writing the slide again",
    "plan": "Laying out the slides", "pictures": "Placing pictures", "style": "Choosing the style",
    "layout": "Arranging", "compose": "Composing", "refine": "Looking at the drawn deck",
    "write": "Writing the file", "pdf": "Making the PDF", "check": "Looking up the numbers",
    "draw": "Drawing the slides", "lint": "Looking for faults", "score": "Scoring",
}  # fmt: skip
"""The stages of the writer in words."""
MOST_VISUALS = 60
"""Figures and tables that are offered (ours)."""
_QUOTED = re.compile(r"^“(?P<quote>.+)” \((?P<place>[^()]*(?:\([^()]*\)[^()]*)*)\)$")


def _progress(task: WorkTask) -> Progress:
    """Tell all stages that were reached, a line each; the last one is under way."""
    reached: list[str] = []

    def show_stage(stage: str) -> None:
        if stage not in reached:
            reached.append(stage)
            tell(task, "\n".join(WRITE_STAGES.get(step, step) for step in reached))

    return show_stage


def _written(task: WorkTask, out: Path, renderer: Renderer, **how: Any) -> WrittenDeck:
    """Write what the task asks for; a line of an error does not say where the server's files are.

    A model's questions are kept, so that work that was cut off does not ask them again.
    """
    asked = task.asked
    model = asked["model"]
    try:
        return write_deck(
            asked["documents"], out, options=WriteOptions(**asked["options"]), model=model,
            spending=Spending(record=Path(asked["record"])) if model else None,
            keep=task.seen, force=True, renderer=renderer, **how,
        )  # fmt: skip
    except DecklabError as error:
        line = re.sub(re.escape(str(task.seen.parent)) + r"/(?:\w+/)?", "", str(error))
        raise DecklabError(re.sub(r"^--redo \d+: ", "", line)) from error


def outline_draft(task: WorkTask, renderer: Renderer) -> Mapping[str, Any]:
    """Write the outline, and draw the figures that its pages may show."""
    progress = _progress(task)
    progress("read")
    ended = _written(task, task.out, renderer, until="outline", progress=progress)
    progress("figures")
    _keep_visuals(task)
    return {
        "pages": len(ended.outline.pages) if ended.outline else 0,
        "unread": [str(document) for document in ended.unread],
        "told": [*ended.left_out, *ended.told],
        "tokens": ended.usage.input_tokens + ended.usage.output_tokens,
    }


def _keep_visuals(task: WorkTask) -> None:
    """Keep the list of figures and tables, and small pictures of those that have one."""
    folder = task.seen / "visuals"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    visuals: list[dict[str, Any]] = []
    sources = read_documents(task.asked["documents"])
    offered: list[Figure | DocumentTable] = [*sources.figures, *sources.tables]
    for item in offered[:MOST_VISUALS]:
        if (picture := small_picture(item)) is not None:
            write_whole(folder / f"{len(visuals)}.png", picture)
        kind = "figure" if isinstance(item, Figure) else "table"
        rows = [list(row[:6]) for row in item.rows[:4]] if isinstance(item, DocumentTable) else []
        visuals.append({
            "kind": kind, "document": item.document, "number": item.number, "page": item.page,
            "caption": item.caption[:300], "drawn": picture is not None, "rows": rows,
        })  # fmt: skip
    write_whole(task.seen / "visuals.json", json.dumps(visuals).encode())


def write_draft(task: WorkTask, renderer: Renderer) -> Mapping[str, Any]:
    """Write the deck, draw it, and keep what the next one goes on from."""
    progress = _progress(task)
    progress("read")
    task.out.mkdir()
    deck = task.out / "deck.pptx"
    formats = _formats(task.asked["options"], renderer)
    asked = {**task.asked, "options": {**task.asked["options"], "formats": formats}}
    made = _written(
        replace(task, asked=asked), deck, renderer, start=task.asked["start"], progress=progress
    )
    kept = task.out / "kept"
    kept.mkdir()
    for name in KEPT:
        if (task.seen / name).is_file():
            shutil.copyfile(task.seen / name, kept / name)
    drawing = replace(task, file=deck, seen=task.out, stage=task.out / "stage")
    progress("draw")
    look(drawing, renderer)
    return _result(made, deck, formats)


def _formats(options: Mapping[str, Any], renderer: Renderer) -> tuple[str, ...]:
    """Formats that the deck can be written in on this machine, in its design."""
    formats = ["pptx"] if options.get("template") or options.get("like") else ["pptx", "html"]
    return (*formats, "pdf") if renderer.can_draw else tuple(formats)


def _result(made: WrittenDeck, deck: Path, formats: Sequence[str]) -> dict[str, Any]:
    with open_deck(deck) as opened:
        slides = [(slide.title or "", slide.notes or "") for slide in opened.elements.slides]
    return {
        "formats": list(formats), "theme": made.theme,
        "numbers": len(made.numbers) if made.looked_up else None,
        "unread": [str(document) for document in made.unread],
        "told": [*made.left_out, *made.told, *made.not_looked],
        "mended": list(made.changes),
        "tokens": made.usage.input_tokens + made.usage.output_tokens,
        "slides": [
            {
                "title": title, **noted_evidence(notes),
                "unfounded": [item.text for item in made.unfounded if item.slide == number],
                "defects": [_said(item) for item in made.defects if item.slide == number],
            }
            for number, (title, notes) in enumerate(slides, start=1)
        ],
    }  # fmt: skip


def _said(defect: SlideDefect) -> str:
    return f"{defect.kind.replace('_', ' ')}: {defect.detail}"


def noted_evidence(notes: str) -> dict[str, Any]:
    """The quotes in the notes of a slide with their places, and the words of the speaker.

    >>> noted_evidence("Say hello.\\n“It grew by 12%” (report.md, page 3)")["evidence"]
    [{'quote': 'It grew by 12%', 'place': 'report.md, page 3'}]
    """
    evidence, said = [], []
    for line in notes.splitlines():
        if match := _QUOTED.match(line.strip()):
            evidence.append(match.groupdict())
        else:
            said.append(line)
    return {"notes": "\n".join(said).strip(), "evidence": evidence}


def draw_choices(task: WorkTask, _renderer: Renderer) -> Mapping[str, Any]:
    """Draw the first slide in all designs, or a slide in other forms, each as soon as it can be."""
    task.out.mkdir(parents=True, exist_ok=True)
    choices = _in_designs(task) if task.asked["of"] == "designs" else _in_forms(task)
    names = [wish.replace(" ", "_") for wish, _, _ in choices]
    _list_choices(task, names)
    for number, (name, (_, plan, theme)) in enumerate(zip(list(names), choices, strict=True), 1):
        tell(task, f"{number} of {len(choices)}")
        try:
            picture = page_pictures(lay_out_deck(plan, THEMES[theme]))[0]
        except PlanError:  # it has no room
            names.remove(name)
            continue
        write_whole(task.out / f"{name}.png", picture)
    _list_choices(task, names)
    return {}


def _list_choices(task: WorkTask, names: Sequence[str]) -> None:
    write_whole(task.out / "choices.json", json.dumps(names).encode())


_Choice = tuple[str, DeckPlan, str]
"""A design or a wish, the plan of the one slide, and its design."""


def _in_designs(task: WorkTask) -> list[_Choice]:
    """The first slide of the outline, or else of a kept plan, in all designs."""
    if not (path := task.seen / "outline.json").is_file():
        plan = read_plan(task.seen / "plan.json")
    else:
        outline = load_outline(path)
        untitled = task.asked["options"]["title_page"] is False
        pages = [page for page in outline.pages if page.role != "opening" or not untitled]
        first = outline.model_copy(update={"pages": tuple(pages[:1])})
        sources = read_documents(task.asked["documents"])
        plan = deck_plan(first, sources, task.out / "pictures")
    alone = plan.model_copy(update={"slides": plan.slides[:1]})
    return [(name, alone, name) for name in THEMES]


def _in_forms(task: WorkTask) -> list[_Choice]:
    """A slide of a kept plan in each form that shows its content and is not its own."""
    plan, options = read_plan(task.seen / "plan.json"), WriteOptions(**task.asked["options"])
    places = lay_out_deck(plan, THEMES[options.theme]).places
    place = places[int(task.asked["of"]) - 1]
    redoing = Redoing(plan, read_documents(task.asked["documents"]), options, task.out / "pictures")
    choices = list[_Choice]()
    for wish in SAYABLE.split(", "):
        with suppress(PlanError):
            slide = redoing.redone(place, wish, None).slide
            alone = plan.model_copy(update={"slides": (slide,)})
            if slide != plan.slides[place] and alone not in [other for _, other, _ in choices]:
                choices.append((wish, alone, options.theme))
    return choices
