"""Editing tasks drafted from a deck, for PPTArena and PPT-Eval.

Requests are plain ones, or a model proposes them; decklab's editor makes the truth and checks it
itself. A task whose edit was not done whole is left out, and so is one whose rubric gives the
untouched deck points, or the truth less than all.
"""

import json
import random
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from decklab.core.errors import BudgetSpent, DecklabError
from decklab.core.files import package_data, write_whole
from decklab.core.results import SAME, NotScored
from decklab.deck.views.snapshot import Snapshot, snapshot_of
from decklab.editor.edit import edit_with_commands
from decklab.editor.model_editor import edit_with_model
from decklab.evals.judges.editing.verdict import draft_style_target
from decklab.evals.pptarena.cases import EDIT_TYPES, Decks, slug
from decklab.evals.ppteval.tasks import ATTEMPTS, FILES, REGISTRY, file_name
from decklab.evals.rubrics.decks import ComparedDecks
from decklab.evals.rubrics.drafting import draft_for_deck, propose_tasks
from decklab.evals.rubrics.grade import GradeOptions, grade_compared
from decklab.evals.rubrics.rubric import MAY_CHANGE, Rubric, RubricError, parse_rubric, to_json
from decklab.evals.rubrics.running import LeafRoom
from decklab.models.asking import Ask
from decklab.workbench.corpus.draft_run import (
    DRAFT,
    DraftFailed,
    DraftRun,
    DraftSource,
    free_path,
    licence_of,
)

_SLIDES: Final = "Slide Management, Numbers, Footers, Notes"
_REST: Final = "Nothing else changes."
_Leaf = tuple[str, str]
"""A criterion in words, and the call of ``plain_leaves.txt`` that scores it."""


@dataclass(frozen=True)
class EditRequest:
    """Request to an editor, and the facts known of it."""

    words: str
    target: str = ""
    """Requirement on the result; empty if nobody stated it."""
    edit_type: str = ""
    """Of PPTArena; empty if nobody said."""
    difficulty: str = "Easy"
    asked: Sequence[_Leaf] = ()
    kept: Sequence[_Leaf] = ()
    """Criteria of what is asked, and of what must not change; none if a model made it up."""

    @property
    def rubric(self) -> Rubric:
        """The rubric of a request that a program knows."""
        children = []
        for critical, leaves in ((True, self.asked), (False, self.kept)):
            name = "What was asked is done" if critical else "The rest is kept"
            own = [_leaf(leaf, critical) for leaf in leaves]
            children.append({"name": name, "is_critical": critical, "children": own})
        return parse_rubric({"root": {"name": self.words, "children": children}})


def _leaf(leaf: _Leaf, critical: bool) -> dict[str, Any]:
    name, call = leaf
    code = package_data("decklab.workbench.corpus", "plain_leaves.txt").decode()
    code += f"def compute_score():\n    return {call}\n"
    scorer = {"type": "function", "function_code": code}
    return {"name": name, "is_critical": critical, "scorer": scorer}


def plain_requests(deck: Mapping[str, Any]) -> Iterator[EditRequest]:
    """The plain requests that fit the deck with this snapshot."""
    slides = deck["slides"]
    if (last := len(slides)) >= 3:
        yield from _of_slides(last)
    yield EditRequest(
        "set the transition to fade", f"Every slide fades in. {_REST}", "Slide Transitions",
        asked=[("Every slide fades in", "all_fade()")],
        kept=[("The slides say what they said", "words_are_as_before()")],
    )  # fmt: skip
    if any(_is_title(shape) for slide in slides for shape in slide["shapes"]):
        yield EditRequest(
            "make the titles italic", f"All words of titles are italic. {_REST}",
            "Text & Typography", asked=[("Titles are italic", "titles_are_italic()")],
            kept=[
                ("The slides say what they said", "words_are_as_before()"),
                ("Other words are as they were", "rest_is_as_upright_as_before()"),
            ],
        )  # fmt: skip


def _of_slides(last: int) -> Iterator[EditRequest]:
    """Requests about whole slides of a deck that has ``last`` of them, at least three."""
    middle, unchanged = last // 2 + 1, ("No other slide changed", "nothing_else_changed()")
    numbers = range(1, last + 1)
    yield EditRequest(
        f"hide slide {middle}", f"Slide {middle} is hidden. {_REST}", _SLIDES,
        asked=[("It is hidden", f"is_hidden({middle})")],
        kept=[
            ("Others are shown as before", f"others_as_hidden_as_before({middle})"),
            ("The slides say what they said", "words_are_as_before()"),
            ("No other slide changed", f"nothing_else_changed({middle})"),
        ],
    )  # fmt: skip
    yield EditRequest(
        f"delete slide {last}", f"The last slide is gone. {_REST}", _SLIDES,
        asked=[("It is gone", f"is_gone({last})")],
        kept=[("The other slides are there", f"others_as_before({last})"), unchanged],
    )  # fmt: skip
    swapped = [{2: last, last: 2}.get(number, number) for number in numbers]
    yield EditRequest(
        f"swap slides 2 and {last}", f"Both slides have changed places. {_REST}", _SLIDES,
        asked=[
            (f"Slide 2 is slide {last}", f"has_moved(2, {last})"),
            (f"Slide {last} is slide 2", f"has_moved({last}, 2)"),
        ],
        kept=[("The slides are in order", f"order_is{tuple(swapped)}"), unchanged],
    )  # fmt: skip
    moved = [1, last, *range(2, last)]
    yield EditRequest(
        f"move slide {last} to position 2", f"The last slide is second. {_REST}", _SLIDES,
        asked=[("It is second", f"has_moved({last}, 2)")],
        kept=[("The slides are in order", f"order_is{tuple(moved)}"), unchanged],
    )  # fmt: skip


def _is_title(shape: Any) -> bool:
    placeholder = shape.get("placeholder")
    kind = placeholder.get("type") if isinstance(placeholder, dict) else placeholder
    return "title" in str(kind).lower()


CASES_FILE: Final = "cases.json"
_ORIGINALS: Final = "original"
_TRUTHS: Final = "ground_truth"


@dataclass(frozen=True)
class _Edited:
    """A request that was carried out whole."""

    request: EditRequest
    deck: Path
    truth: Path


def arena_cases(source: DraftSource, run: DraftRun) -> Iterator[dict[str, Any]]:
    """The cases of PPTArena that a deck gives, with their decks written; each as its entry."""
    original = free_path(run.folder / _ORIGINALS / f"{slug(source.stem)}.pptx")

    def entry(edited: _Edited) -> dict[str, Any]:
        name = f"{original.stem}: {edited.request.words}"
        truth = free_path(run.folder / _TRUTHS / f"{slug(name)}.pptx")
        ask, kind = run.ask, edited.request.edit_type
        target = _style_target(edited, ask, run, name) if ask else edited.request.target
        _copy(edited.deck, original)
        _copy(edited.truth, truth)
        return {
            "name": name, "prompt": edited.request.words, "style_target": target,
            "original": f"{_ORIGINALS}/{original.name}",
            "ground_truth": f"{_TRUTHS}/{truth.name}",
            **({"category": EDIT_TYPES[kind], "edit_type": [kind]} if kind else {}),
            "status": DRAFT, "made_by": run.made_by, "deck": source.name, **licence_of(source),
        }  # fmt: skip

    return _tasks(source, run, entry)


def _style_target(edited: _Edited, ask: Ask, run: DraftRun, name: str) -> str:
    """The style target by the model; empty if it gave none, which ``run.left_out`` then says."""
    with Decks(pictures=False) as decks:
        edit = decks.edit(edited.deck, edited.truth)
        target = draft_style_target(ask, edited.request.words, edit)
    if isinstance(target, NotScored):
        run.left_out.append(f"{name}: a style target: {target.reason}")
        return ""
    return target.text


def write_arena(folder: Path, entries: Sequence[dict[str, Any]]) -> Path:
    """Write the list of cases, and return its path."""
    text = json.dumps(entries, indent=2, ensure_ascii=False) + "\n"
    write_whole(folder / CASES_FILE, text.encode("utf-8", "replace"))
    return folder / CASES_FILE


def rubric_tasks(source: DraftSource, run: DraftRun) -> Iterator[dict[str, Any]]:
    """The tasks of PPT-Eval that a deck gives, with rubric, deck and two attempts written: the deck
    untouched, and the truth. Each as its entry, which has its ``name`` too."""
    deck = free_path(run.folder / FILES / f"{slug(source.stem)}.pptx")

    def entry(edited: _Edited) -> dict[str, Any]:
        words = edited.request.words
        rubric = _rubric(edited, run)
        named = file_name(f"{deck.stem}-{words}")
        file = free_path(run.folder / REGISTRY / "rubrics" / f"{named}.json")
        _copy(edited.deck, deck)
        _copy(edited.deck, run.folder / ATTEMPTS / file.stem / "none.pptx")
        _copy(edited.truth, run.folder / ATTEMPTS / file.stem / "perfect.pptx")
        stated = {"task": words, "drafted_by": run.made_by}
        data = {**to_json(rubric), "metadata": {**rubric.metadata, **stated}}
        write_whole(file, (json.dumps(data, indent=2, ensure_ascii=False) + "\n").encode())
        return {
            "name": file.stem, "goal": words,
            "rubric_path": f"{REGISTRY}/rubrics/{file.name}", "file_path": f"{FILES}/{deck.name}",
            "tags": ["powerpoint"],
            "misc": {
                "difficulty": edited.request.difficulty, "status": DRAFT, "made_by": run.made_by,
                "deck": source.name, **licence_of(source),
            },
        }  # fmt: skip

    return _tasks(source, run, entry)


def _rubric(edited: _Edited, run: DraftRun) -> Rubric:
    """The rubric of a request; RubricError if it misjudges the untouched deck or the truth."""
    words, deck = edited.request.words, edited.deck
    if run.ask is None:
        rubric = edited.request.rubric
    else:
        rubric = draft_for_deck(words, deck, run.ask, renderer=run.renderer)
    if faults := attempt_faults(deck, edited.truth, rubric, run.ask, run.room):
        raise RubricError("rubric", "; ".join(faults))
    return rubric


def attempt_faults(
    original: Path,
    truth: Path | None,
    rubric: Rubric,
    ask: Ask | None = None,
    room: LeafRoom | None = None,
) -> list[str]:
    """Faults of a rubric, by the scores of the untouched deck and of the truth, if any.

    ``room`` is a sandbox for many rubrics.
    """
    faults = []
    for what, deck, wanted in (("untouched deck", original, 0.0), ("truth", truth, 1.0)):
        if deck is None:
            continue
        score = graded_score(original, deck, rubric, ask, room)
        if isinstance(score, NotScored):
            faults.append(f"the {what} could not be graded: {score.reason}")
        elif abs(score - wanted) > SAME:
            faults.append(f"the {what} scores {score:.2f}, not {wanted:g}")
    return faults


def graded_score(
    original: Path, deck: Path, rubric: Rubric, ask: Ask | None = None, room: LeafRoom | None = None
) -> float | NotScored:
    """The score of an edited deck by a rubric, 0 to 1; both may be one file."""
    with TemporaryDirectory(prefix="decklab-graded-") as folder:
        copy = Path(folder) / "edited.pptx"
        shutil.copyfile(deck, copy)
        with ComparedDecks(original, copy) as decks:
            options = GradeOptions(damage="count" if MAY_CHANGE in rubric.metadata else "off")
            return grade_compared(decks, rubric, ask=ask, options=options, room=room).score


def write_registry(folder: Path, entries: Sequence[dict[str, Any]]) -> Path:
    """Write the list of tasks, and return its path."""
    listed = {
        entry["name"]: {key: value for key, value in entry.items() if key != "name"}
        for entry in entries
    }
    text = json.dumps(listed, indent=2, ensure_ascii=False) + "\n"
    write_whole(folder / REGISTRY / "tasks.json", text.encode("utf-8", "replace"))
    return folder / REGISTRY / "tasks.json"


def _tasks(
    source: DraftSource, run: DraftRun, entry: Callable[[_Edited], dict[str, Any]]
) -> Iterator[dict[str, Any]]:
    """The entries of requests that were carried out whole, as many as are wanted and can be had."""
    (deck,) = source.paths
    made = 0
    for request in _requests(snapshot_of(deck), source, run):
        if made == run.tasks:
            break
        with TemporaryDirectory(prefix="decklab-truth-") as scratch:
            truth = Path(scratch) / "truth.pptx"
            try:
                _carry_out(deck, request, truth, run)
                tasks = entry(_Edited(request, deck, truth))
            except BudgetSpent:
                raise
            except DecklabError as error:
                run.left_out.append(f"{source.name}: {request.words}: {error}")
                continue
        made += 1
        yield tasks


def _requests(deck: Snapshot, source: DraftSource, run: DraftRun) -> list[EditRequest]:
    if run.ask is not None:
        return [
            EditRequest(propose_task.goal, difficulty=propose_task.difficulty.capitalize())
            for propose_task in propose_tasks(deck, run.ask, count=run.tasks)
        ]
    requests = list(plain_requests(deck))
    random.Random(f"{run.seed} {source.name}").shuffle(requests)
    return requests


def _carry_out(deck: Path, request: EditRequest, truth: Path, run: DraftRun) -> None:
    """Make the truth of a request; DraftFailed if it was not done whole."""
    if run.ask is None:
        result = edit_with_commands(deck, request.words, out=truth, draw=False)
    else:
        result = edit_with_model(
            deck, request.words, run.ask, out=truth, renderer=run.renderer, draw=run.draw
        )
    if result.outcome != "done":
        raise DraftFailed("; ".join(result.undone) or result.outcome)


def _copy(deck: Path, to: Path) -> None:
    if not to.exists():
        write_whole(to, deck.read_bytes())
