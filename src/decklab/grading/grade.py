"""An edited deck graded against its original with a rubric tree: paper 001, section 3.5."""

import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

from decklab.errors import DeckError, RenderError
from decklab.grading.damage import AllowedChanges, damage_of
from decklab.grading.decks import ComparedDecks
from decklab.models.asking import Ask
from decklab.rendering.cache import Cache
from decklab.rendering.office.office import Converter
from decklab.results import NotScored
from decklab.rubrics.aggregation import NON_CRITICAL_WEIGHT, RULES
from decklab.rubrics.drafting import REPAIRS, draft_rubric
from decklab.rubrics.explaining import explained
from decklab.rubrics.graded import Damage, GradedTree, graded
from decklab.rubrics.rubric import Rubric
from decklab.rubrics.running import LEAF_SECONDS, LeafRoom, run_leaves
from decklab.sandbox.sandbox import Isolation

DamageUse = Literal["auto", "count", "show", "off"]
"""What to do about damage beside the task: ``count`` it against the score, only ``show`` it, or do
not look (``off``). ``auto`` counts it where the rubric states what may change, else is ``off``."""


def grade(
    original: str | Path,
    modified: str | Path,
    rubric: Rubric,
    *,
    ask: Ask | None = None,
    explain: Ask | None = None,
    rule: str = "ppteval",
    weight: float = NON_CRITICAL_WEIGHT,
    seconds: float = LEAF_SECONDS,
    isolation: Isolation = "bubblewrap",
    office: Converter | None = None,
    cache: Cache | None = None,
    damage: DamageUse = "auto",
) -> GradedTree:
    """Grade ``modified`` against ``original``; both files are only read.

    ``ask`` is the model behind leaves that want one (without it they are NotScored), ``explain``
    the one that words the reasons of inner nodes (without it a template does). ``rule`` is a name
    of ``RULES``, ``weight`` lambda of ``ppteval``; ``seconds`` bounds each leaf. ``office`` and
    ``cache`` serve where a leaf wants pictures or asks what is seen, and where ``damage`` is looked
    for.

    Raises DeckError where a deck cannot be read, UnknownName for a rule, SandboxUnavailable where
    ``isolation`` cannot be had.
    """
    with ComparedDecks(original, modified, office=office, cache=cache) as decks:
        return grade_compared(
            decks, rubric, ask=ask, explain=explain, rule=rule, weight=weight,
            seconds=seconds, isolation=isolation, damage=damage,
        )  # fmt: skip


def grade_compared(
    decks: ComparedDecks,
    rubric: Rubric,
    *,
    ask: Ask | None = None,
    explain: Ask | None = None,
    rule: str = "ppteval",
    weight: float = NON_CRITICAL_WEIGHT,
    seconds: float = LEAF_SECONDS,
    isolation: Isolation = "bubblewrap",
    room: LeafRoom | None = None,
    damage: DamageUse = "auto",
) -> GradedTree:
    """``grade`` for decks that are open already; ``room`` is a sandbox kept over many trees."""
    _ = RULES[rule]  # an unknown name is told before anything is run
    started = time.perf_counter()
    clock = dict(decks.seconds)
    leaves = run_leaves(
        rubric, decks.pair, ask=ask, seconds=seconds, isolation=isolation, room=room, clock=clock
    )
    tree = graded(rubric, leaves, rule=rule, weight=weight)
    tree = explained(tree, explain)
    tree = _with_damage(tree, decks, AllowedChanges.of(rubric), damage, clock)
    clock["total"] = sum(decks.seconds.values()) + time.perf_counter() - started
    return replace(tree, seconds=clock)


def _with_damage(
    tree: GradedTree,
    decks: ComparedDecks,
    scope: AllowedChanges | None,
    use: DamageUse,
    clock: dict[str, float],
) -> GradedTree:
    """Where the rubric gives nothing there is nothing to take away, and damage is not counted."""
    counted = use == "count" or (use == "auto" and scope is not None)
    if use == "off" or (use == "auto" and not counted) or (counted and tree.root.high <= 0):
        return tree
    started = time.perf_counter()
    try:
        found: Damage | NotScored = damage_of(decks, scope)
    except (RenderError, DeckError) as error:
        found = NotScored(f"damage is not known: {error}")
    clock["pictures"] = clock.get("pictures", 0.0) + time.perf_counter() - started
    return tree.with_damage(found, counted=counted)


def draft_for_deck(
    task: str,
    deck: str | Path,
    ask: Ask,
    *,
    critical: Sequence[str] = (),
    non_critical: Sequence[str] = (),
    repairs: int = REPAIRS,
    isolation: Isolation = "bubblewrap",
    office: Converter | None = None,
) -> Rubric:
    """A rubric for a task on ``deck``, drafted by ``ask`` and tried out on the unedited deck.

    See ``draft_rubric``; raises what it and ``grade`` raise.
    """
    with TemporaryDirectory(prefix="decklab-draft-") as folder:
        copy = Path(folder) / "unedited.pptx"
        copy.write_bytes(Path(deck).read_bytes())
        with ComparedDecks(deck, copy, office=office) as decks:

            def try_out(rubric: Rubric) -> GradedTree:
                return grade_compared(decks, rubric, ask=ask, isolation=isolation)

            return draft_rubric(
                task, decks.snapshots["original"], ask, try_out=try_out,
                critical=critical, non_critical=non_critical, repairs=repairs,
            )  # fmt: skip
