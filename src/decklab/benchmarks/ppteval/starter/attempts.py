"""Attempts made by program: each edits a deck in the sandbox."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from decklab.benchmarks.ppteval.starter.assembling import attempt_source, sabotage_source
from decklab.benchmarks.ppteval.starter.reading import StarterTask
from decklab.sandbox.sandbox import Isolation, Sandbox


def make_attempts(
    tasks: Iterable[StarterTask],
    decks: Path,
    names: Iterable[str],
    *,
    isolation: Isolation = "bubblewrap",
) -> Iterator[tuple[StarterTask, str, bytes]]:
    """The attempts ``names`` at each of ``tasks``: task, name and the edited deck.

    ``decks`` holds the sample decks. One warm sandbox makes all. Raises RunFailed where a program
    fails, KeyError where a task has no attempt of that name.
    """
    names = tuple(names)
    files = {path.name: path for path in sorted(decks.glob("*.pptx"))}
    with Sandbox(files=files, isolation=isolation) as sandbox:
        for task in tasks:
            for name in names:
                yield task, name, edit(sandbox, f"{task.deck}.pptx", task.attempts[name])


def edit(sandbox: Sandbox, deck: str, edits: str) -> bytes:
    """``deck``, a file handed to ``sandbox``, after the program ``edits``."""
    source = attempt_source(edits)
    sandbox.run(source, globals={"path": sandbox.path(deck)}, result=None)
    return sandbox.collect("edited.pptx")["edited.pptx"]


def sabotaged(sandbox: Sandbox, task: StarterTask, name: str) -> bytes | None:
    """The perfect attempt at a task, spoilt by the sabotage ``name``; None where that does not fit.

    ``sandbox`` has been handed the task's deck. Raises RunFailed where the program fails.
    """
    source = sabotage_source(task.attempts["perfect"], name)
    handed = {
        "path": sandbox.path(f"{task.deck}.pptx"),
        "may_change": task.rubric["metadata"]["may_change"],
    }
    outcome = sandbox.run(source, globals=handed, result="fits")
    return sandbox.collect("edited.pptx")["edited.pptx"] if outcome.value else None
