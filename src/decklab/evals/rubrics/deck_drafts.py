"""Rubrics and tasks that a model writes for a deck, each tested before it is used."""

import json
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

from decklab.core.files import check_file, scratch_folder, write_output
from decklab.core.options import RUBRIC_REPAIRS, Isolation, Spending
from decklab.deck.views.snapshot import snapshot_of
from decklab.evals.rubrics.decks import ComparedDecks
from decklab.evals.rubrics.drafting import Proposal, RequiredCriteria, draft_rubric, propose_tasks
from decklab.evals.rubrics.grade import GradeOptions, grade_compared
from decklab.evals.rubrics.graded import GradedTree
from decklab.evals.rubrics.rubric import Rubric, to_json
from decklab.models.asking import Ask
from decklab.models.model_run import begin_run
from decklab.models.record import file_digest
from decklab.ooxml.package import Package
from decklab.rendering.renderer import Renderer
from decklab.sandbox.sandbox import check_isolation

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
    run = begin_run(
        spending,
        {
            "command": "rubric draft",
            "decklab": version("decklab"),
            "deck": file_digest(deck),
            "task": task,
            "model": model,
            "critical": list(criteria.critical),
            "non_critical": list(criteria.non_critical),
            "repairs": repairs,
        },
    )
    with run.asking(model, tell=progress) as ask:
        if progress:
            progress("draft")
        rubric = draft_for_deck(
            task, deck, ask, criteria=criteria, repairs=repairs, secret=run.secret
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
    run = begin_run(
        spending,
        {
            "command": "rubric propose",
            "decklab": version("decklab"),
            "deck": file_digest(deck),
            "model": model,
            "count": count,
        },
    )
    with run.asking(model, tell=progress) as ask:
        if progress:
            progress("propose")
        return propose_tasks(content, ask, count=count)


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

            return draft_rubric(
                task, decks.snapshots["original"], ask,
                try_out=try_out, criteria=criteria, repairs=repairs,
            )  # fmt: skip
