"""How hard a case is, from its original and truth: the four signals of paper 003, D.2."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from statistics import fmean

from decklab.benchmarks.pptarena.cases import Case
from decklab.benchmarks.pptarena.taxonomy import CATEGORIES
from decklab.metrics.edits import DeckEdit, atomic_changes

_SEEING = frozenset({"picture", "chart", "diagram", "media"})
_SAYING = frozenset({"text", "table", "notes", "alt text"})
_DECKWIDE = re.compile(
    r"\b(all|every|each|throughout|whole|deck|wherever|consistent|same)\b|"
    r"\bslides? (of|with|\d+(\s*(,|and|to|-)\s*(slides? )?\d+)+)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Difficulty:
    """The signals of one case. The paper's are labels by hand; these are computed, so their shares
    over a set need not be those of table C."""

    operations: int
    """Atomic changes from original to truth."""
    slides: int
    """Slides that these touch; all that follow a theme, master or layout that changes."""
    cross_slide: bool
    """Whether two slides or more change and the request speaks of several or of the deck."""
    text_visual: bool
    """Whether words and something to look at change together, or a picture's words."""
    high_diff: bool
    """Cross-slide or text-visual (D.2; the legend of table C also has long programs in it)."""


def difficulty(case: Case, edit: DeckEdit) -> Difficulty:
    """The signals of a case with the edit that leads from its original to its truth."""
    found = atomic_changes(edit)
    slides: set[int | str] = set()
    for atom in found:
        place = atom.place[0]
        if isinstance(place, int):
            slides.add(place)
        elif isinstance(place, str):
            slides.add(f"new {atom.change.slide}")
        else:
            slides |= _followers(edit, atom.change.kind, atom.place[1])
    kinds = {atom.change.kind for atom in found}
    cross = len(slides) > 1 and bool(_DECKWIDE.search(f"{case.prompt} {case.style_target}"))
    mixed = bool(kinds & _SEEING) and bool(kinds & _SAYING)
    return Difficulty(len(found), len(slides), cross, mixed, cross or mixed)


def _followers(edit: DeckEdit, kind: str, sheet: object) -> set[int | str]:
    if kind not in ("theme", "master", "layout"):
        return set()
    return {slide["number"] for slide in edit.before["slides"] if slide.get(kind) == sheet}


@dataclass(frozen=True)
class DifficultyRow:
    """A row of table C."""

    category: str
    cases: int
    operations: float
    slides: float
    cross_slide: float
    high_diff: float


def difficulty_table(found: Iterable[tuple[Case, Difficulty]]) -> list[DifficultyRow]:
    """Table C: means and shares by category, a case in each of its own, and over all labels."""
    listed = list(found)
    groups = {name: [one for case, one in listed if name in case.categories] for name in CATEGORIES}
    groups["All labels"] = [one for group in groups.values() for one in group]
    return [
        DifficultyRow(
            name,
            len(group),
            fmean(one.operations for one in group),
            fmean(one.slides for one in group),
            fmean(one.cross_slide for one in group),
            fmean(one.high_diff for one in group),
        )
        for name, group in groups.items()
        if group
    ]
