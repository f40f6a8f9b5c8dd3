"""Perfect attempts damaged by program: does hidden or harmful work still get the score?

This belongs to the meta-evaluation. Attempts of known level show whether a rubric measures
completion; damaged attempts show whether it can be deceived.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any, Literal

from decklab.core.errors import UnknownName
from decklab.core.files import scratch_folder
from decklab.core.options import Isolation
from decklab.core.results import SAME, NotScored
from decklab.deck.samples import write_samples
from decklab.evals.perturb.sabotage import SABOTAGES
from decklab.evals.ppteval.starter import StarterTask, starter_tasks
from decklab.evals.rubrics.decks import ComparedDecks
from decklab.evals.rubrics.grade import grade_compared
from decklab.evals.rubrics.rubric import parse_rubric
from decklab.evals.rubrics.running import LeafRoom
from decklab.rendering.renderer import Renderer
from decklab.sandbox.sandbox import Sandbox, bundle_module

_PROGRAM = """
from pptx import Presentation
from decklab.evals.perturb.sabotage import EditedDeck, sabotage, slides_before

deck = Presentation(path)
_before = slides_before(deck)
{edits}
fits = sabotage(_name, EditedDeck(deck, _before, may_change))
if fits:
    deck.save("edited.pptx")
"""


@dataclass(frozen=True)
class SabotageResult:
    """One sabotage of one task's perfect attempt."""

    task: str
    name: str
    kind: Literal["unseen", "harmful"]
    score: float | NotScored | None
    """Score of the damaged attempt; None where the sabotage does not fit the task."""
    hides: bool
    """Whether nothing that the task asks for can be seen, so that the score should be 0."""


def grade_sabotages(
    tasks: Iterable[StarterTask],
    names: Sequence[str] = (),
    *,
    renderer: Renderer,
    isolation: Isolation = "bubblewrap",
    done: Callable[[SabotageResult], object] = lambda spoilt: None,
) -> list[SabotageResult]:
    """Make and grade each sabotage (``names``, else all) of each task's perfect attempt.

    ``done`` is called with each result. Raises RunFailed where a program fails.
    """
    found: list[SabotageResult] = []
    known: dict[Path, ComparedDecks] = {}
    with scratch_folder("spoilt") as scratch, LeafRoom(isolation) as room:
        folder = scratch
        decks = {path.name: path for path in write_samples(folder / "decks")}
        with sabotage_sandbox(decks, isolation=isolation) as sandbox:
            for task in tasks:
                original = decks[f"{task.deck}.pptx"]
                rubric = parse_rubric(dict(task.rubric))
                may_change = task.rubric["metadata"]["may_change"]
                for name in names or SABOTAGES:
                    deck = sabotaged(
                        sandbox, original.name, name, may_change, task.attempts["perfect"]
                    )
                    score: float | NotScored | None = None
                    if deck is not None:
                        path = folder / "spoilt.pptx"
                        path.write_bytes(deck)
                        with ComparedDecks(
                            original, path, like=known.get(original), renderer=renderer
                        ) as pair:
                            known[original] = pair
                            score = grade_compared(pair, rubric, room=room).score
                    hides = SABOTAGES[name] == "unseen" and _hides(name, task)
                    one = SabotageResult(task.name, name, SABOTAGES[name], score, hides)
                    done(one)
                    found.append(one)
    return found


def sabotage_sandbox(decks: Mapping[str, Path], *, isolation: Isolation = "bubblewrap") -> Sandbox:
    """A sandbox for `sabotaged`, with the files of ``decks`` by name."""
    prelude, data = bundle_module("decklab.evals.perturb.sabotage")
    return Sandbox(files=decks, prelude=prelude, data=data, isolation=isolation)


def sabotaged(
    sandbox: Sandbox, deck: str, name: str, may_change: Sequence[Mapping[str, Any]], edits: str = ""
) -> bytes | None:
    """``deck`` after the program ``edits`` and the sabotage ``name``; None where it does not fit.

    ``may_change`` is that of the rubric. Raises RunFailed where the program fails.
    """
    variables: dict[str, Any] = {"path": sandbox.path(deck), "_name": name}
    variables["may_change"] = list(may_change)
    outcome = sandbox.run(_PROGRAM.format(edits=edits.strip()), globals=variables, result="fits")
    return sandbox.collect("edited.pptx")["edited.pptx"] if outcome.value else None


_WHOLE = frozenset(("all_slides_hidden", "slides_fly_by", "left_out_of_the_show"))
"""Sabotages that hide whole slides, and so any work on them."""


_OF_CHARTS = frozenset(("white_and_tiny", "transparent_text", "unpainted_series"))
"""Sabotages that leave a part of a chart visible: its lines, or its words."""


def _hides(name: str, task: StarterTask) -> bool:
    """Whether a sabotage of kind ``unseen`` hides everything that the task asks for."""
    if name in _WHOLE:
        return True
    if name in _OF_CHARTS and "charts" in task.categories:
        return False
    entries = task.rubric["metadata"]["may_change"]
    kinds = ("added", "shapes", "words", "new")
    may = [item for entry in entries for item in entry.get("may", ())]
    if any(item.startswith(("removed:", "slide:background", "notes:")) for item in may):
        return False
    return any(kind in one for one in entries for kind in kinds)


def sabotage_faults(found: Iterable[SabotageResult]) -> list[SabotageResult]:
    """The results with too high a score, or with none. A score is too high where it is that of the
    perfect attempt, or above 0 where nothing that the task asks for can be seen."""
    return [
        one for one in found
        if one.score is not None
        and (isinstance(one.score, NotScored) or one.score > (SAME if one.hides else 1 - SAME))
    ]  # fmt: skip


def sabotage_json(found: Iterable[SabotageResult]) -> list[dict[str, Any]]:
    """As plain JSON; the score is null where it is open or the sabotage does not fit."""
    return [
        {
            "task": one.task, "sabotage": one.name, "kind": one.kind, "hides": one.hides,
            "fits": one.score is not None,
            "score": one.score if isinstance(one.score, float) else None,
        }
        for one in found
    ]  # fmt: skip


@dataclass(frozen=True)
class SabotageRun:
    """The results of all sabotages."""

    results: Sequence[SabotageResult]

    @property
    def faults(self) -> list[SabotageResult]:
        """See `sabotage_faults`."""
        return sabotage_faults(self.results)

    def to_json(self) -> dict[str, Any]:
        """Plain JSON."""
        return {"attempts": sabotage_json(self.results), "faults": sabotage_json(self.faults)}

    def lines(self) -> Iterator[str]:
        """A table of scores: rows are sabotages, columns tasks by number; ``!`` marks faults."""
        wrong = {(fault.name, fault.task) for fault in self.faults}
        cells = {
            (one.name, one.task): _shown(one.score) + "!" * ((one.name, one.task) in wrong)
            for one in self.results
        }
        tasks = list(dict.fromkeys(one.task for one in self.results))
        yield from (f"{number:>3} {task}" for number, task in enumerate(tasks, 1))
        yield f"\n{'':<28}" + "".join(f"{number:>6}" for number in range(1, len(tasks) + 1))
        for name in dict.fromkeys(result.name for result in self.results):
            yield f"{name:<28}" + "".join(f"{cells[name, task]:>6}" for task in tasks)
        fitting = sum(one.score is not None for one in self.results)
        yield f"\n{fitting} attempts; {len(self.faults)} score what they should not"


def _shown(score: float | NotScored | None) -> str:
    if score is None:
        return "-"
    return "open" if isinstance(score, NotScored) else f"{score:.2f}"


def bench_sabotage(
    names: Sequence[str] = (),
    ways: Sequence[str] = (),
    *,
    progress: Callable[[int, int], object] = lambda done, total: None,
) -> SabotageRun:
    """Grade the perfect attempts at starter tasks, all or those of ``names``, after each sabotage,
    all or ``ways``. ``progress`` is called with the number of attempts done, and of all.

    Raises UnknownName for an unknown task or sabotage, RendererMissing without LibreOffice.
    """
    chosen = [one for one in starter_tasks() if not names or one.name in names]
    unknown = {*names} - {one.name for one in chosen} | {*ways} - SABOTAGES.keys()
    if unknown:
        raise UnknownName(f"no task or sabotage named {', '.join(sorted(unknown))}")
    total, done = len(chosen) * len(ways or SABOTAGES), count(1)
    with Renderer().started(own_cache=True) as renderer:
        renderer.check()
        progress(0, total)

        def advance(_: SabotageResult) -> None:
            progress(next(done), total)

        return SabotageRun(grade_sabotages(chosen, ways, renderer=renderer, done=advance))
