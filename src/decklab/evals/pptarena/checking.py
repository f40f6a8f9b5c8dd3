"""Self-check of cases: do they separate untouched original, truth, and truth with damage? And style
targets for cases that have none: drafted by a model, written into a copy of the list.

The damage is collateral and made by program: one shape damaged that the truth does not change.
"""

import errno
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from decklab.core.errors import DeckError, DecklabError
from decklab.core.files import check_file, scratch_folder, write_output
from decklab.core.options import Spending
from decklab.core.results import NotScored
from decklab.diffing.snapshots import DeckEdit
from decklab.evals.judges.asking import asked_model
from decklab.evals.judges.editing.judging import ALIKE, BATCH
from decklab.evals.judges.editing.verdict import PicturePair, draft_style_target, pairs_to_judge
from decklab.evals.pptarena.cases import Case, CaseSet, Decks, chosen, deck_in, load_cases, root_of
from decklab.evals.pptarena.reference_scores import Companions, compare
from decklab.evals.pptarena.running import Judge
from decklab.metrics.edits import atomic_changes
from decklab.models.asking import Ask
from decklab.ooxml.package import Package, write_package
from decklab.ooxml.xml import parse_int, qn, serialize_xml, shape_id


@dataclass(frozen=True)
class StyleDrafts:
    """The outcome of drafting: style targets by case, or why there is none."""

    drafted: dict[str, str] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)
    spent: str = ""
    """The cost of the questions, in a sentence."""
    ended: str = ""
    """Why the model was asked no more; empty where it was not stopped."""


def draft_style_targets(
    cases: Path,
    out: Path,
    *,
    model: str,
    names: Sequence[str] = (),
    spending: Spending | None = None,
    pictures: bool = True,
    force: bool = False,
    progress: Callable[[int, int], object] = lambda done, total: None,
) -> StyleDrafts:
    """Have ``model`` draft style targets, and write the list of ``cases`` with them to ``out``.

    Cases that have none get one, or those of ``names``, whether they have one or not. Drafts begin
    with words that say so: a person has to check them, as the paper's were (E.1). All else in the
    list stays as it is. ``pictures`` shows the model the slides that change. ``progress`` is called
    with the number of cases done and of all, first with 0 when everything is ready. With ``force``
    ``out`` may exist; a copy of it is kept beside it.

    Raises CasesRejected, UnknownName, ModelUnavailable and OSError before the model is asked, the
    last also where ``out`` is the list itself, or is in a folder from which its decks are not
    found, and NameTaken where it exists.
    """
    whole = load_cases(cases)
    wanted = [case for case in chosen(whole, names) if names or not case.style_target]
    _check_place(out, whole, force=force)
    facts = {
        "command": "bench pptarena-style",
        "cases": whole.version,
        "names": [case.name for case in wanted],
        "pictures": pictures,
    }
    drafted, failed = {}, {}
    with asked_model(model, spending, facts) as asked, Decks(pictures=pictures) as decks:
        for done, case in enumerate(wanted):
            progress(done, len(wanted))
            target = _drafted(case, asked.ask, decks)
            if isinstance(target, NotScored):
                failed[case.name] = target.reason
            else:
                drafted[case.name] = target
    progress(len(wanted), len(wanted))
    entries = json.loads(whole.path.read_bytes())
    for case in wanted:
        if case.name in drafted:
            entries[case.number - 1]["style_target"] = drafted[case.name]
    text = json.dumps(entries, indent=2, ensure_ascii=False)
    write_output(out, f"{text}\n".encode(), force=force)
    return StyleDrafts(drafted, failed, asked.run.words, asked.run.costs.ended)


def _check_place(out: Path, cases: CaseSet, *, force: bool) -> None:
    """Raise OSError where the list cannot be written to ``out``, or its decks not be found."""
    if out.resolve() == cases.path.resolve():
        raise FileExistsError(errno.EEXIST, "is the list itself; name another file", str(out))
    decks = {case.original for case in cases}
    entries = json.loads(cases.path.read_bytes())
    first = entries[cases.cases[0].number - 1]["original"]
    if deck_in(first, out, root_of(out)) not in decks:
        detail = f"the decks are not found from there; write beside {cases.path}"
        raise FileNotFoundError(errno.ENOENT, detail, str(out))
    check_file(out, inputs=[cases.path], force=force)


def _drafted(case: Case, ask: Ask, decks: Decks) -> str | NotScored:
    try:
        edit = decks.edit(case.original, case.ground_truth)
    except DeckError as error:
        return NotScored(str(error))
    target = draft_style_target(ask, case.prompt, edit, pictures=_pairs(case, decks))
    return target if isinstance(target, NotScored) else target.text


def _pairs(case: Case, decks: Decks) -> list[PicturePair]:
    """The first slides that look different, before and after; none where they cannot be drawn."""
    before, after = (decks.pictures(path) for path in (case.original, case.ground_truth))
    if isinstance(before, NotScored) or isinstance(after, NotScored):
        return []
    return pairs_to_judge(before, after, ALIKE)[:BATCH]


_RIGHT: Final = 48 * 12_700
_DOWN: Final = 36 * 12_700
"""EMU by which a shape is moved: far enough to be seen. Ours."""


def collateral_damage(
    truth: Path, shapes: Iterable[tuple[Mapping[str, Any], int, str]], out: Path
) -> str | NotScored:
    """Write the deck ``truth`` to ``out`` with one of ``shapes`` damaged.

    ``shapes`` are the shapes that the edit should not change, each with the snapshot of its slide,
    its id and its name. The first of them that the deck has is moved, or removed if it has no
    position of its own. Returns the damage in words; NotScored if no shape is found. Raises
    DeckError if the deck cannot be read.
    """
    with Package.open(truth) as package:
        for slide, id, name in shapes:
            part = slide["part"]
            root = package.xml(part)
            if done := _spoil(root, id):
                write_package(package, out, replace={part: serialize_xml(root)})
                return f"slide {slide['number']}: {name!r} was {done}"
    return NotScored("the truth leaves no shape alone")


def _spoil(root: Any, id: int) -> str:
    """Move the shape, or remove it if it inherits its position; returns the damage."""
    for shape in root.iterfind(f"{qn('p:cSld')}/{qn('p:spTree')}/*"):
        if shape_id(shape) != id:
            continue
        if (offset := next(shape.iter(qn("a:off")), None)) is None:
            shape.getparent().remove(shape)
            return "taken out"
        offset.set("x", str((parse_int(offset.get("x")) or 0) + _RIGHT))
        offset.set("y", str((parse_int(offset.get("y")) or 0) + _DOWN))
        return "moved"
    return ""


def _untouched(asked: DeckEdit) -> Iterator[tuple[dict[str, Any], int, str]]:
    """Slides of the truth with id and name of each shape that the edit does not change.

    Unchanged slides come first, the last of the deck before others.
    """
    places = [atom.place for atom in atomic_changes(asked)]
    slides = {slide_and_rest[0] for slide_and_rest in places}
    shapes = {(slide_and_rest[0], slide_and_rest[2]) for slide_and_rest in places}
    older = [row for row in reversed(asked.after["slides"]) if row["number"] in asked.older]
    older.sort(key=lambda slide: asked.older[slide["number"]] in slides)
    for slide in older:
        for shape in slide.get("shapes", []):
            id = shape.get("id", 0)
            if not shape.get("groups") and (asked.older[slide["number"]], id) not in shapes:
                yield slide, id, shape.get("name", "")


PASSING = 4.0
"""Lowest IF and VQ that count as passed. Ours: at 4 everything asked for is there."""

BEST = 5.0


@dataclass(frozen=True)
class CaseCheck:
    """The result of checking one case; without ``faults`` it is sound."""

    case: Case
    faults: tuple[str, ...]
    notes: tuple[str, ...] = ()
    """Checks that were not possible, and why."""


def self_check(
    cases: Iterable[Case], *, decks: Decks, judge: Judge | None = None
) -> list[CaseCheck]:
    """Check each case: the untouched original must not pass, the truth must, and the truth with
    collateral damage must lose preservation (or VQ, with a judge).

    A judge's scores are checked besides the companions; from ``PASSING`` on they count as passed.
    """
    with scratch_folder("case") as scratch:
        return [
            _checked(case, scratch / f"spoilt-{number}.pptx", decks, judge)
            for number, case in enumerate(cases)
        ]


def _checked(case: Case, scratch: Path, decks: Decks, judge: Judge | None) -> CaseCheck:
    try:
        same = compare(case, case.original, decks)
        best = compare(case, case.ground_truth, decks)
        if not same.agreement.missing:
            return CaseCheck(case, ("original and truth are the same",))
        made = [
            *_of_companions(same, best),
            *_judged(case, decks, judge),
            *_of_damage(case, best, scratch, decks, judge),
        ]
    except DecklabError as error:
        return CaseCheck(case, (str(error),))
    faults = tuple(row for row in made if isinstance(row, str))
    return CaseCheck(case, faults, tuple(row.reason for row in made if not isinstance(row, str)))


def _of_companions(same: Companions, best: Companions) -> Iterator[str]:
    if same.passed:
        yield "the untouched original passes"
    if not best.passed:
        yield "the truth does not pass"


def _judged(case: Case, decks: Decks, judge: Judge | None) -> Iterator[str | NotScored]:
    """A fault, or why there was no verdict."""
    if judge is None:
        return
    for path, name, should in (
        (case.original, "the untouched original", False),
        (case.ground_truth, "the truth", True),
    ):
        scores = [verdict.score for verdict in judge(case, path, decks)]
        missing = [score.reason for score in scores if isinstance(score, NotScored)]
        if missing:
            yield NotScored(f"{name} was not judged: {missing[0]}")
            continue
        passed = all(score >= PASSING for score in scores if not isinstance(score, NotScored))
        if passed is not should:
            yield f"{name} {'passes' if passed else 'does not pass'} with the judges"


def _of_damage(
    case: Case, best: Companions, scratch: Path, decks: Decks, judge: Judge | None
) -> Iterator[str | NotScored]:
    done = collateral_damage(case.ground_truth, _untouched(best.asked), scratch)
    if isinstance(done, NotScored):
        yield NotScored(f"no collateral damage was tried: {done.reason}")
        return
    share = compare(case, scratch, decks).preservation.share
    visual = judge(case, scratch, decks)[1].score if judge else NotScored("no judge was asked")
    if isinstance(share, NotScored) or share == 1:
        if isinstance(visual, NotScored) or visual == BEST:
            yield f"collateral damage goes unseen: {done}"
    elif visual == BEST:
        yield NotScored(f"preservation sees the collateral damage, VQ does not: {done}")
