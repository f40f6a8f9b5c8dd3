"""The work of the workbench's processes, over one renderer: edits of a deck, comparisons, files
in other formats (PDF, pictures, a page that is complete in itself, Markdown), documents, cases of
runs. Processes load nothing else of the server.
"""

import json
import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any, Final

from decklab.core.errors import DecklabError, RenderFailed, one_line
from decklab.core.files import scratch_folder, write_whole
from decklab.deck.deck import open_deck
from decklab.diffing.decks import diff_decks
from decklab.diffing.wording import words, words_by_slide
from decklab.documents.reading import read_documents
from decklab.editing.calling import OperationCall, make_calls
from decklab.editing.finding import EditError
from decklab.editing.taking_back import keyed_changes, take_back
from decklab.editor.edit import edit as edit_deck
from decklab.linting.fix_kinds import Fix
from decklab.linting.mend import fix_deck
from decklab.linting.project import LintOptions
from decklab.ooxml.package import Package
from decklab.ooxml.slide_list import slide_entries
from decklab.pages.page import write_page
from decklab.pages.pictures import SlidePicture
from decklab.rendering.job import Pictures, SavedDeck, draw_decks
from decklab.rendering.renderer import Cache, Renderer
from decklab.workbench.web.draft_work import draw_choices, outline_draft, write_draft
from decklab.workbench.web.looking import (
    PICTURES,
    WorkDone,
    WorkKind,
    WorkTask,
    first_look,
    look,
    score,
    tell,
    write_changes,
)

EXPORTS: Final[Mapping[str, str]] = {
    "pdf": "PDF", "png": "Pictures (PNG)", "html": "HTML", "md": "Markdown",
}  # fmt: skip
"""Formats of exports, in words."""
SUFFIXES: Final[Mapping[str, str]] = {"png": ".zip"}
"""Of files, by format, where it is not the name of the format."""
_SHARP = Pictures(size=(1920, 1080), format="png")
_ON_PAGES = Pictures(size=(1280, 720), format="webp")


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
        first_look(looked[0], renderer, office)
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
    looked = {} if known.get("findings") is not None else look(task, renderer)
    if not known.get("scores"):
        score(task, renderer)
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
    return {"slides": write_changes(task, task.out)}


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


def export_deck(deck: Path, out: Path, format: str, name: str, renderer: Renderer) -> None:
    """Write a deck in one of ``EXPORTS`` to ``out``; raises DeckError and RenderError."""
    if format == "pdf":
        write_whole(out, renderer.pdf(deck))
    elif format == "md":
        with open_deck(deck) as opened:
            write_whole(out, opened.markdown().encode())
    else:
        with scratch_folder("export") as room:
            saved = _slides_drawn(
                deck, room / "slides", _SHARP if format == "png" else _ON_PAGES, renderer
            )
            if format == "png":
                zipped = shutil.make_archive(str(room / "all"), "zip", room / "slides")
                shutil.move(zipped, out)
            else:
                write_page(out, "show.html", "show.js", package="decklab.workbench.web", name=name,
                           slides=_shown_slides(deck, saved))  # fmt: skip


def _slides_drawn(deck: Path, folder: Path, wanted: Pictures, renderer: Renderer) -> SavedDeck:
    (drawn,) = draw_decks({deck: folder}, wanted, renderer=renderer)
    if drawn.saved is None or drawn.errors:
        raise RenderFailed(str(deck), "; ".join(dict.fromkeys(drawn.errors)))
    return drawn.saved


def _shown_slides(deck: Path, saved: SavedDeck) -> list[dict[str, Any]]:
    """Slides that a show does not skip: number, title, words for those who do not see, picture."""
    with open_deck(deck) as opened:
        read = {slide.number: slide for slide in opened.elements.slides}
    return [
        {"number": drawn.number, "title": read[drawn.number].title or "",
         "words": " ".join(text.text for text in read[drawn.number].texts if not text.hidden),
         "picture": SlidePicture(drawn.picture.read_bytes(), drawn.width, drawn.height)}
        for drawn in saved.slides
        if drawn.picture is not None and not drawn.hidden and drawn.number in read
    ]  # fmt: skip


WORK: Final[Mapping[str, WorkKind]] = {
    "look": look, "relook": look, "score": score, "edit": _edit, "take_back": _take_back,
    "touch": _touch, "compare": _compare, "fix": _fix, "check": _check, "export": _export,
    "compare-decks": _compare_decks,
    "read": _read, SEE_CASE: _see_case,
    "draft-outline": outline_draft, "draft-write": write_draft,
    "draft-choices": draw_choices, "draft-score": score,
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
