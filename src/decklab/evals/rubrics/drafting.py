"""Rubrics and tasks that a model drafts, checked by running them before anyone relies on them.

The protocol is that of paper 001, appendices A.1.1 and A.1.3, in words of our own.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from decklab.core.files import check_file, scratch_folder, write_output
from decklab.core.options import NON_CRITICAL_WEIGHT, RUBRIC_REPAIRS, Isolation, Spending
from decklab.core.results import SAME
from decklab.deck.views.snapshot import snapshot_of
from decklab.evals.judges.asking import asked_model
from decklab.evals.rubrics.decks import ComparedDecks
from decklab.evals.rubrics.grade import GradeOptions, grade_compared
from decklab.evals.rubrics.graded import GradedTree
from decklab.evals.rubrics.rubric import Rubric, RubricError, parse_rubric, to_json
from decklab.models.asking import Ask, fill_prompt, for_stage
from decklab.models.model_run import file_digest
from decklab.models.reading import NoAnswer, json_answer
from decklab.ooxml.package import Package
from decklab.rendering.renderer import Renderer
from decklab.sandbox.sandbox import check_isolation

T = TypeVar("T")

DIFFICULTIES = ("easy", "medium", "hard")
"""Up to 5 steps or a minute; 5 to 10 steps or 2 to 5 minutes; more (paper 001, section 3.4)."""
_DECK_CHARACTERS = 60_000
"""Of the deck's description in a prompt; ours, some 15,000 tokens."""


class DraftRejected(RubricError):
    """A model's draft was still wrong after its last repair; the text lists what is."""


@dataclass(frozen=True)
class RequiredCriteria:
    """Names of criteria that a draft must have; case and spaces do not count."""

    critical: Sequence[str] = ()
    non_critical: Sequence[str] = ()

    @property
    def prompt(self) -> str:
        """The same for a prompt; empty where no criterion is required."""
        lines = [f"- critical: {name}" for name in self.critical]
        lines += [f"- non-critical: {name}" for name in self.non_critical]
        if not lines:
            return ""
        return "\nThese criteria must be in the tree, named just so:\n" + "\n".join(lines)

    def faults(self, rubric: Rubric) -> list[str]:
        """The criteria that a rubric does not have, a line each."""
        present = {(_folded(node.name), node.is_critical) for _, node in rubric.nodes()}
        wanted = [(name, "critical", True) for name in self.critical]
        wanted += [(name, "non-critical", False) for name in self.non_critical]
        lacking = [it for it in wanted if (_folded(it[0]), it[2]) not in present]
        return [f"there is no {kind} criterion named {name!r}" for name, kind, _ in lacking]


def draft_rubric(
    task: str,
    deck: Mapping[str, Any],
    ask: Ask,
    *,
    try_out: Callable[[Rubric], GradedTree],
    criteria: RequiredCriteria | None = None,
    repairs: int = RUBRIC_REPAIRS,
) -> Rubric:
    """A rubric for ``task`` on the deck with the snapshot ``deck``, drafted by ``ask``.

    The draft must have the ``criteria``. ``try_out`` grades the unchanged deck against itself with
    it: it must load, no leaf may fail, and the score must be 0. Faults go back to the model,
    ``repairs`` times at most.

    Raises DraftRejected where the last draft is still wrong, and what ``ask`` raises.
    """
    criteria = criteria or RequiredCriteria()
    facts = {"deck": _described(deck), "weight": f"{NON_CRITICAL_WEIGHT:.2f}"}
    facts |= {"task": task, "criteria": criteria.prompt}
    prompt = fill_prompt("decklab.evals.rubrics", "prompts/rubric.txt", **facts)

    def read(answer: str) -> tuple[Rubric | None, list[str]]:
        try:
            rubric = parse_rubric(json_answer(answer), "draft")
        except (RubricError, NoAnswer) as error:
            return None, [str(error)]
        return rubric, criteria.faults(rubric) + _faults(rubric, try_out)

    return _answered(prompt, ask, read, repairs, "rubric")


@dataclass(frozen=True)
class Proposal:
    """A task for a deck: what to do, how hard it is, and on which slide (1-based)."""

    goal: str
    difficulty: str
    slide: int


def propose_tasks(
    deck: Mapping[str, Any], ask: Ask, *, count: int = 10, repairs: int = RUBRIC_REPAIRS
) -> tuple[Proposal, ...]:
    """``count`` tasks for the deck with the snapshot ``deck``, proposed by ``ask``.

    Each has one of DIFFICULTIES and a slide that the deck has; none comes twice. Raises
    DraftRejected where the last answer is still wrong, and what ``ask`` raises.
    """
    slides = len(deck["slides"])
    facts = {"count": str(count), "slides": str(slides), "deck": _described(deck)}
    prompt = fill_prompt("decklab.evals.rubrics", "prompts/proposals.txt", **facts)
    read = partial(_proposals, slides=slides, count=count)
    return _answered(prompt, ask, read, repairs, "tasks")


_Read = Callable[[str], tuple[T | None, list[str]]]


def _answered(prompt: str, ask: Ask, read: _Read[T], repairs: int, stage: str) -> T:
    """The first answer that reads without fault; faults go back to the model."""
    ask = for_stage(ask, stage)
    answer = ask(prompt).text
    for repairs_left in range(repairs, -1, -1):
        answers, faults = read(answer)
        if answers is not None and not faults:
            return answers
        if repairs_left:
            listed = "\n".join(f"- {fault}" for fault in faults)
            answer = ask(
                f"{prompt}\n\nYour last answer was:\n{answer}\n\nIt was tried out and this is "
                f"wrong with it:\n{listed}\n\nAnswer again in full, with all of this mended."
            ).text
    raise DraftRejected("draft", f"still wrong after {repairs} repairs: {'; '.join(faults)}")


_BOTH_KINDS = (
    "the root needs critical children (what the task asks) and non-critical ones (what must not "
    "change besides)"
)


def _faults(rubric: Rubric, try_out: Callable[[Rubric], GradedTree]) -> list[str]:
    """Faults of a draft that loads and has the required criteria."""
    faults = []
    if {node.is_critical for node in rubric.root.children} != {True, False}:
        faults.append(_BOTH_KINDS)
    graded = try_out(rubric)
    failed = [leaf for leaf in graded.root.leaves() if leaf.not_scored is not None]
    faults += [f"{leaf.path} ({leaf.name}): {leaf.not_scored}" for leaf in failed]
    if graded.root.low > SAME or (graded.root.high > SAME and not failed):
        met = [it for it in graded.root.leaves() if it.is_critical and it.low > SAME]
        earned = "; ".join(f"{it.path} ({it.name}) gave {it.low:g}: {it.reason}" for it in met)
        scored = f"a deck that was not edited at all scores {graded.root.low:g}"
        faults.append(f"{scored} and must score 0; {earned}")
    return faults


def _folded(name: str) -> str:
    return " ".join(name.lower().split())


def _described(deck: Mapping[str, Any]) -> str:
    """The slides of a snapshot in a few lines each: what a task could be about."""
    lines = []
    for slide in deck["slides"]:
        lines.append(f"Slide {slide['number']} (layout {slide.get('layout') or 'none'}):")
        for shape in slide["shapes"]:
            text = " ".join(str(shape.get("text", {}).get("text", "")).split())
            lines.append(f"  {shape['kind']} {json.dumps(shape.get('name', ''))} {text[:200]}")
        if slide.get("notes"):
            lines.append(f"  notes: {' '.join(slide['notes'].split())[:200]}")
    text = "\n".join(lines)
    return text if len(text) <= _DECK_CHARACTERS else f"{text[:_DECK_CHARACTERS]}\n(cut short)"


_LINE = re.compile(r"\[?\s*(\w+)\s*\]?\s*\[\s*SLIDE\s*:?\s*(\d+)\s*\]\s*(.+)", re.IGNORECASE)


def _proposals(
    answer: str, slides: int, count: int
) -> tuple[tuple[Proposal, ...] | None, list[str]]:
    """Lines of the form ``[DIFFICULTY] [SLIDE:N] task``, and what is wrong with them."""
    proposals: dict[str, Proposal] = {}
    faults: list[str] = []
    for match in filter(None, map(_LINE.search, answer.splitlines())):
        difficulty, number, goal = match[1].lower(), int(match[2]), match[3].strip()
        if difficulty not in DIFFICULTIES:
            faults.append(f"{match[0]!r}: the difficulty is one of {', '.join(DIFFICULTIES)}")
        elif not 1 <= number <= slides:
            faults.append(f"{match[0]!r}: the deck has slides 1 to {slides}")
        elif goal.lower() in proposals:
            faults.append(f"{goal!r} comes twice")
        else:
            proposals[goal.lower()] = Proposal(goal, difficulty, number)
    if len(proposals) < count:
        faults.append(f"{len(proposals)} usable tasks, not {count}")
    return tuple(proposals.values())[:count], faults if len(proposals) < count else []


Progress = Callable[[str], None]
"""Called with the name of each stage when it begins, the first once all requirements are met, and
with a line whenever the model is asked again."""


def write_draft(
    task: str,
    deck: str | Path,
    out: str | Path,
    *,
    model: str,
    criteria: RequiredCriteria | None = None,
    repairs: int = RUBRIC_REPAIRS,
    force: bool = False,
    spending: Spending | None = None,
    progress: Progress | None = None,
) -> Rubric:
    """Have a model write a rubric for a task on ``deck``, try it out, and write it to ``out``.

    It must have the ``criteria``; ``repairs`` is how often the model may repair its draft.
    With ``force`` ``out`` may exist; a copy of it is kept beside it. ``spending`` bounds and keeps
    what the model is asked.

    Raises DeckError, OSError, NameTaken where ``out`` exists, SandboxUnavailable and
    ModelUnavailable before the model is asked, DraftRejected where its last draft is still wrong,
    BudgetSpent where nothing more may be asked.
    """
    criteria = criteria or RequiredCriteria()
    with Package.open(deck):
        pass
    check_file(out, inputs=[deck], force=force)
    check_isolation()
    facts = {
        "command": "rubric draft",
        "deck": file_digest(deck),
        "task": task,
        "critical": list(criteria.critical),
        "non_critical": list(criteria.non_critical),
        "repairs": repairs,
    }
    with asked_model(model, spending, facts, tell=progress) as asked:
        if progress:
            progress("draft")
        rubric = draft_for_deck(
            task, deck, asked.ask, criteria=criteria, repairs=repairs, secret=asked.secret
        )
    origin = {"task": task, "drafted_by": model}
    data = {**to_json(rubric), "metadata": {**rubric.metadata, **origin}}
    text = json.dumps(data, indent=2, ensure_ascii=False)
    write_output(out, f"{text}\n".encode(), force=force)
    return rubric


def propose_for_deck(
    deck: str | Path,
    *,
    model: str,
    count: int = 10,
    spending: Spending | None = None,
    progress: Progress | None = None,
) -> tuple[Proposal, ...]:
    """``count`` editing tasks for a deck that a model proposes, each with difficulty and slide;
    ``spending`` bounds and keeps what it is asked.

    Raises what ``propose_tasks`` raises, and DeckError and ModelUnavailable before it is asked.
    """
    content = snapshot_of(deck)
    facts = {"command": "rubric propose", "deck": file_digest(deck), "count": count}
    with asked_model(model, spending, facts, tell=progress) as asked:
        if progress:
            progress("propose")
        return propose_tasks(content, asked.ask, count=count)


def draft_for_deck(
    task: str,
    deck: str | Path,
    ask: Ask,
    *,
    criteria: RequiredCriteria | None = None,
    repairs: int = RUBRIC_REPAIRS,
    isolation: Isolation = "bubblewrap",
    renderer: Renderer | None = None,
    secret: str = "",
) -> Rubric:
    """A rubric for a task on ``deck``, drafted by ``ask`` and tested on the unedited deck.

    See ``draft_rubric``; raises what it and ``grade`` raise. ``secret`` as in ``GradeOptions``.
    """
    with scratch_folder("draft") as folder:
        copy = folder / "unedited.pptx"
        copy.write_bytes(Path(deck).read_bytes())
        with ComparedDecks(deck, copy, renderer=renderer) as decks:

            def try_out(rubric: Rubric) -> GradedTree:
                options = GradeOptions(isolation=isolation, damage="off", secret=secret)
                return grade_compared(decks, rubric, ask=ask, options=options)

            draft = partial(draft_rubric, try_out=try_out, criteria=criteria, repairs=repairs)
            return draft(task, decks.snapshots["original"], ask)
