"""The work of the workbench's processes, over one renderer: on a deck (draw it, look for faults,
score, edit, compare), a document, a case of a run, and a draft (the outline, the deck, its pictures
and scores). Processes load nothing else of the server.
"""

import json
import os
import re
import shutil
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any, Final

from decklab.core.errors import DecklabError, one_line
from decklab.core.files import write_whole
from decklab.core.geometry import FRAME_HEIGHT
from decklab.core.options import Spending
from decklab.core.stages import Progress
from decklab.deck.deck import open_deck
from decklab.deck.reading import read_part_of_deck
from decklab.diffing.changes import Change
from decklab.diffing.decks import diff_decks
from decklab.diffing.wording import words, words_by_slide
from decklab.documents.model import DocumentTable, Figure
from decklab.documents.reading import read_documents
from decklab.editing.calling import OperationCall, make_calls
from decklab.editing.finding import EditError
from decklab.editing.taking_back import keyed_changes, take_back
from decklab.editor.edit import edit as edit_deck
from decklab.linting.fix_kinds import Fix
from decklab.linting.lint import LintResult
from decklab.linting.lint import lint as lint_deck
from decklab.linting.mend import fix_deck
from decklab.linting.project import LintOptions
from decklab.ooxml.package import Package
from decklab.ooxml.slide_list import slide_entries
from decklab.rendering.job import DrawnDeck, Pictures, draw_decks
from decklab.rendering.renderer import Cache, Renderer
from decklab.scoring.deck import score_deck
from decklab.workbench.web.exporting import export_deck, score_rows, slide_shapes
from decklab.writer.defects import SlideDefect
from decklab.writer.figures import small_picture
from decklab.writer.request import WriteOptions
from decklab.writer.write import WrittenDeck, write_deck


@dataclass(frozen=True)
class WorkTask:
    """One piece of work on one file."""

    kind: str
    """Names the function that does it."""
    file: Path
    """File that it works on."""
    seen: Path
    """Folder for pictures and findings."""
    out: Path
    """Path of the output."""
    stage: Path
    """File with the present stage."""
    asked: Mapping[str, Any] = field(default_factory=dict)
    environment: Mapping[str, str] = field(default_factory=dict, repr=False)
    """Variables that the process has for this work alone, such as the key of a model."""


@dataclass(frozen=True)
class WorkDone:
    """Result of a piece of work; ``failure`` is a line if it could not be done."""

    result: Mapping[str, Any] = field(default_factory=dict)
    failure: str = ""


WorkKind = Callable[[WorkTask, Renderer], Mapping[str, Any]]
"""Does one kind of work; returns the result, or raises DecklabError, OSError or ValueError."""


def tell(task: WorkTask, stage: str) -> None:
    """Say which stage the work has reached."""
    write_whole(task.stage, stage.encode())


PICTURES = Pictures(size=(1280, 720), format="webp")
"""Of slides: as sharp as a wide screen shows them beside a list."""


def _look(task: WorkTask, renderer: Renderer) -> Mapping[str, Any]:
    """Draw the slides, then find faults; each is there for people as soon as it is done.

    Where the deck comes from another one, the slides that changed are drawn first.
    """
    facts = _first_look(task, renderer)
    facts |= _drawn(next(iter(draw_decks({task.file: task.seen}, PICTURES, renderer=renderer))))
    _write_facts(task, facts)
    tell(task, "lint")
    facts |= _findings(lint_deck(task.file, renderer=renderer))
    _write_facts(task, facts)
    with open_deck(task.file) as deck:
        return {"words": deck.markdown()[:100_000]}


def _first_look(
    task: WorkTask, renderer: Renderer, office: Executor | None = None
) -> dict[str, Any]:
    """The facts of a deck without findings; the slides that changed are drawn, by ``office`` after
    what that draws already.

    Who touched a slide has looked so already.
    """
    with suppress(FileNotFoundError):
        facts: dict[str, Any] = json.loads((task.seen / "facts.json").read_text(encoding="utf-8"))
        tell(task, "rest")
        return facts
    task.seen.mkdir(parents=True, exist_ok=True)
    changed, kept = None, dict[int, int]()
    if "before" in task.asked:
        before = Path(task.asked["before"])
        changed = _write_changes(task, task.seen / task.asked["changes"])
        kept = _kept_slides(before, task.file, changed)
    facts = _slide_facts(task, kept)
    tell(task, "draw")
    if changed:
        pictures = replace(PICTURES, slides=changed)
        drawing = partial(draw_decks, {task.file: task.seen}, pictures, renderer=renderer)
        (drawn,) = office.submit(lambda: list(drawing())).result() if office else drawing()
        facts |= _drawn(drawn)
    if changed is not None:
        _write_facts(task, facts)
        tell(task, "rest")
    return facts


def _kept_slides(before: Path, after: Path, changed: Collection[int]) -> dict[int, int]:
    """The numbers of slides that did not change, by their numbers in an older deck."""
    with Package.open(before) as older, Package.open(after) as newer:
        known = {slide.id: slide.number for slide in slide_entries(older)}
        return {known[slide.id]: slide.number for slide in slide_entries(newer)
                if slide.id in known and slide.number not in changed}  # fmt: skip


def _slide_facts(task: WorkTask, kept: Mapping[int, int]) -> dict[str, Any]:
    """Titles and notes of slides, and their shapes, which are written; those of slides that were
    ``kept`` are known from the older deck, as are pictures of slides that have their number."""
    older = task.seen.parent / Path(task.asked.get("before", "")).stem
    known: dict[int, tuple[str, str, bool, Any]] = {}
    if kept and (older / "facts.json").is_file():
        facts = json.loads((older / "facts.json").read_text(encoding="utf-8"))
        rows = json.loads((older / "shapes.json").read_text(encoding="utf-8"))
        for number, now in kept.items() if "notes" in facts else ():
            title, notes = facts["titles"][number - 1], facts["notes"][number - 1]
            known[now] = (title, notes, number in facts["hidden"], rows[number - 1])
            if number == now:
                name = f"slide-{number:03}.webp"
                with suppress(FileNotFoundError, FileExistsError):
                    (task.seen / name).hardlink_to(older / name)
    with Package.open(task.file) as package:
        numbers = [entry.number for entry in slide_entries(package)]
        read = read_part_of_deck(package, [number for number in numbers if number not in known])
    scale = FRAME_HEIGHT / read.size_pt[1]
    for slide in read.slides:
        shapes = slide_shapes(slide, scale)
        known[slide.number] = (slide.title or "", slide.notes or "", slide.hidden, shapes)
    slides = [known[number] for number in numbers]
    _write_json(task.seen / "shapes.json", [shapes for *_, shapes in slides])
    return {
        "slides": len(slides),
        "titles": [title for title, *_ in slides],
        "notes": [notes for _, notes, *_ in slides],
        "hidden": [number for number in numbers if known[number][2]],
    }


def _drawn(drawn: DrawnDeck) -> dict[str, Any]:
    """Result of drawing: why there are no pictures, or their size."""
    sizes = (
        [(slide.width, slide.height) for slide in drawn.saved.slides if slide.picture]
        if drawn.saved
        else []
    )
    known: dict[str, Any] = {"picture_size": sizes[0]} if sizes else {}
    return known | {"not_drawn": "; ".join(dict.fromkeys(drawn.errors))}


def _write_changes(task: WorkTask, target: Path) -> list[int]:
    """Write what changed, change by change in words; returns the slides that look different."""
    changes = keyed_changes(task.asked["before"], task.file)
    rows = [
        {
            "key": item.key, "words": item.words, "older": item.older, "kind": item.change.kind,
            "slide": None if _is_removed(item.change) else item.change.slide,
            "property": item.change.property,
            "shape": item.change.element.id if item.change.element else 0,
        }
        for item in changes
    ]  # fmt: skip
    _write_json(target, rows)
    shown = (change.change.slide for change in changes if not _is_removed(change.change))
    return sorted({slide for slide in shown if slide is not None})


def _is_removed(change: Change) -> bool:
    return (change.kind, change.property) == ("slide", "removed")


def _score(task: WorkTask, renderer: Renderer) -> Mapping[str, Any]:
    """Add the scores to the facts of the deck."""
    tell(task, "score")
    scores = score_rows(score_deck(task.file, renderer=renderer).result)
    facts = json.loads((task.seen / "facts.json").read_text(encoding="utf-8"))
    _write_facts(task, facts | {"scores": scores})
    return {}


def _findings(linted: LintResult) -> dict[str, Any]:
    return {
        "findings": [finding.model_dump(mode="json") for finding in linted.findings],
        "not_run": [f"{rule}: {why}" for rule, why in linted.not_run.items()],
    }


def _write_facts(task: WorkTask, facts: Mapping[str, Any]) -> None:
    _write_json(task.seen / "facts.json", facts)


def _write_json(path: Path, data: object) -> None:
    write_whole(path, json.dumps(data).encode())


def _edit(task: WorkTask, renderer: Renderer) -> Mapping[str, Any]:
    """Edit the deck, and draw the edited one."""
    result = edit_deck(
        task.file,
        task.asked["instruction"],
        out=task.out,
        slides=task.asked.get("slides") or None,
        model=task.asked.get("model"),
        earlier=task.asked.get("earlier", ()),
        progress=lambda stage: tell(task, stage),
        renderer=renderer,
    )
    return {
        "outcome": result.outcome, "done": result.done, "undone": result.undone,
        "readings": result.readings, "sentences": result.sentences, "put_back": result.put_back,
        "warnings": result.warnings, "left_out": result.left_out, "spent": result.spent,
        "remarks": result.remarks,
        "slides": sorted(result.changes.changed_slides),
    }  # fmt: skip


def _touch(task: WorkTask, renderer: Renderer) -> Mapping[str, Any]:
    """Make calls of operations, and look at the slides that changed."""
    tell(task, "edit")
    here = _slides_now(Path(task.asked["shown"]), task.file)
    calls = [_call(call, here, task.asked.get("picture")) for call in task.asked["calls"]]
    looked = list[WorkTask]()
    with ThreadPoolExecutor(1) as office:  # draws while the changes are checked

        def draw(slides: list[int]) -> None:
            digest = sha256(task.out.read_bytes()).hexdigest()
            asked = {"before": str(task.file), "changes": f"changes-{task.file.stem}.json"}
            seen = task.seen.parent / digest
            looked.append(replace(task, file=task.out, seen=seen, asked=asked))
            seen.mkdir(parents=True, exist_ok=True)
            pictures = replace(PICTURES, slides=slides)
            office.submit(lambda: list(draw_decks({task.out: seen}, pictures, renderer=renderer)))

        checked = make_calls(task.file, calls, task.out, made=draw)
        _first_look(looked[0], renderer, office)
    return {
        "outcome": "done", "done": [call.words for call in calls], "undone": [], "readings": [],
        "sentences": words(checked.diff), "put_back": [], "warnings": [], "left_out": [],
        "slides": sorted(checked.diff.changed_slides),
    }  # fmt: skip


def _call(
    asked: Mapping[str, Any], here: Mapping[int, int] | None, picture: str | None
) -> OperationCall:
    """A call that was asked for on the page, on the slide where it is now."""
    arguments = dict(asked["arguments"])
    slide = arguments.get("slide")
    if here is not None and isinstance(slide, int):
        if slide not in here:
            raise DecklabError(f"slide {slide} is gone: somebody deleted it meanwhile")
        arguments["slide"] = here[slide]
    if picture:
        arguments["picture"] = Path(picture).read_bytes()
    return OperationCall(asked["operation"], arguments)


def _slides_now(shown: Path, deck: Path) -> dict[int, int] | None:
    """Numbers of slides in a deck by those in another version of it; None for the same file."""
    if shown == deck:
        return None
    with Package.open(shown) as older, Package.open(deck) as newer:
        now = {entry.id: entry.number for entry in slide_entries(newer)}
        return {entry.number: now[entry.id] for entry in slide_entries(older) if entry.id in now}


def _fix(task: WorkTask, renderer: Renderer) -> Mapping[str, Any]:
    """Fix what lint finds and can be fixed safely: all of it, or one rule's findings on slides."""
    tell(task, "fix")
    rule, slides = task.asked.get("rule"), set(task.asked.get("slides") or ())

    def chosen(fix: Fix) -> bool:
        return rule in (None, fix.rule) and (not slides or not slides.isdisjoint(fix.slides))

    mended = fix_deck(task.file, LintOptions(), renderer, chosen=chosen)
    if mended.content is not None:
        write_whole(task.out, mended.content)
    made = "partly" if mended.taken_back else "done"
    return {
        "outcome": made if mended.fixed else "refused", "done": [], "readings": [],
        "undone": [f"{item.fix.says}: {item.reason}" for item in mended.taken_back]
        or ([] if mended.fixed else ["Nothing here can be fixed without words or taste of yours."]),
        "sentences": [f"Slide {fix.slide}: {fix.says}" for fix in mended.fixed],
        "slides": sorted({slide for fix in mended.fixed for slide in fix.slides}),
        "put_back": [], "warnings": [], "left_out": [],
    }  # fmt: skip


def _check(task: WorkTask, renderer: Renderer) -> Mapping[str, Any]:
    """Draw, lint and score a deck, as far as that was not done."""
    facts = task.seen / "facts.json"
    known = json.loads(facts.read_text(encoding="utf-8")) if facts.is_file() else {}
    looked = {} if known.get("findings") is not None else _look(task, renderer)
    if not known.get("scores"):
        _score(task, renderer)
    return looked


def _export(task: WorkTask, renderer: Renderer) -> Mapping[str, Any]:
    """Make a file of the deck in another format."""
    tell(task, "export")
    export_deck(task.file, task.out, task.asked["format"], task.asked["name"], renderer)
    return {}


def _compare_decks(task: WorkTask, renderer: Renderer) -> Mapping[str, Any]:
    """Say what another deck has otherwise."""
    tell(task, "compare")
    return _changes(Path(task.asked["other"]), task.file, renderer)


def _take_back(task: WorkTask, renderer: Renderer) -> Mapping[str, Any]:
    """Take changes of a version back from the deck, which is that version or comes from it."""
    tell(task, "edit")
    before, made = task.asked["before"], task.asked["made"]
    keys = task.asked["keys"] or [keyed_change.key for keyed_change in keyed_changes(before, made)]
    later = None if Path(made) == task.file else task.file
    taken = take_back(before, made, keys, task.out, onto=later)
    return {
        "outcome": "partly" if taken.left else "done", "done": taken.gone, "undone": taken.left,
        "readings": [], "sentences": [f"Taken back: {line}" for line in taken.gone],
        "put_back": [], "warnings": [], "left_out": [], "slides": taken.slides,
    }  # fmt: skip


def _compare(task: WorkTask, renderer: Renderer) -> Mapping[str, Any]:
    """Find what changed between two versions."""
    tell(task, "compare")
    return {"slides": _write_changes(task, task.out)}


_LINES = 8
_LINE_LENGTH = 160


def _read(task: WorkTask, _renderer: Renderer) -> Mapping[str, Any]:
    tell(task, "read")
    (document,) = read_documents([task.file]).documents
    texts = [" ".join(block.text.split()) for block in document.blocks if block.text.strip()]
    return {
        "lines": [text[:_LINE_LENGTH] for text in islice(texts, _LINES)],
        "words": "\n".join(texts)[:100_000],
        "pages": document.pages or None,
    }


SEE_CASE: Final = "see case"
DRAWN: Final = "drawn.json"
"""In the folder of a deck's pictures: how many slides it has, and which were not drawn."""
CHANGES: Final = "changes-{}.json"
"""There too: what changed from this deck to the one with the checksum."""


def _see_case(task: WorkTask, renderer: Renderer) -> Mapping[str, Any]:
    """Draw the decks not drawn yet, then compare the first deck with each of the others."""
    decks = [(Path(path), Path(folder), digest) for path, folder, digest in task.asked["decks"]]
    tell(task, "draw")
    for path, folder, _ in decks:
        if not (folder / DRAWN).is_file():
            folder.mkdir(parents=True, exist_ok=True)
            write_whole(folder / DRAWN, json.dumps(_draw(path, folder, renderer)).encode())
    tell(task, "compare")
    before, shown, own = decks[0]
    for after, _, digest in decks[1:]:
        made = shown / CHANGES.format(digest)
        if not made.is_file():
            seen = (
                {"changes": [], "error": ""} if digest == own else _changes(before, after, renderer)
            )
            write_whole(made, json.dumps(seen).encode())
    return {}


def _draw(path: Path, folder: Path, renderer: Renderer) -> dict[str, Any]:
    try:
        (drawn,) = draw_decks({path: folder}, PICTURES, renderer=renderer)
    except DecklabError as error:
        return {"slides": 0, "error": _without(str(error), path)}
    slides = drawn.saved.count if drawn.saved else 0
    return {"slides": slides, "error": _without("; ".join(dict.fromkeys(drawn.errors)), path)}


def _changes(before: Path, after: Path, renderer: Renderer) -> dict[str, Any]:
    try:
        diff = diff_decks(before, after, renderer=renderer)
    except DecklabError as error:
        return {"changes": [], "error": _without(_without(str(error), before), after)}
    return {
        "error": "",
        "changes": [
            {
                "place": item.place,
                "slides": sorted({edit.slide for edit in item.changes if edit.slide is not None}),
                "words": list(item.clauses),
            }
            for item in words_by_slide(diff.edits)
        ],
    }


def _without(line: str, path: Path) -> str:
    """A line for people, without the place of the server's files."""
    return one_line(line).replace(f"{path}: ", "").replace(str(path), path.name)


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


def _outline(task: WorkTask, renderer: Renderer) -> Mapping[str, Any]:
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


def _deck(task: WorkTask, renderer: Renderer) -> Mapping[str, Any]:
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
    _look(drawing, renderer)
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


WORK: Final[Mapping[str, WorkKind]] = {
    "look": _look, "relook": _look, "score": _score, "edit": _edit, "take_back": _take_back,
    "touch": _touch, "compare": _compare, "fix": _fix, "check": _check, "export": _export,
    "compare-decks": _compare_decks,
    "read": _read, SEE_CASE: _see_case,
    "draft-outline": _outline, "draft-write": _deck, "draft-score": _score,
}  # fmt: skip
"""Each kind of work by its name."""


@contextmanager
def worker() -> Iterator[Callable[[WorkTask], WorkDone]]:
    """Give the function that does one piece of work; LibreOffice is started when needed."""
    with Renderer(cache=Cache()).started() as renderer:

        def do(task: WorkTask) -> WorkDone:
            try:
                with variables(task.environment):
                    return WorkDone(WORK[task.kind](task, renderer))
            except (DecklabError, EditError) as error:
                line = str(error)
            except (OSError, ValueError) as error:
                line = f"{type(error).__name__}: {error}"
            return WorkDone(failure=_without_place(one_line(line), task))

        yield do


@contextmanager
def variables(wanted: Mapping[str, str]) -> Iterator[None]:
    """Have variables of the environment for a while."""
    before = {name: os.environ.get(name) for name in wanted}
    os.environ.update(wanted)
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name)
            if value is not None:
                os.environ[name] = value


def _without_place(line: str, task: WorkTask) -> str:
    """A line for people, without the place of the server's files."""
    return line.replace(f"{task.file}: ", "").replace(str(task.file), "the deck")
