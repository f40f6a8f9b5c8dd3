"""Style targets for cases that have none: drafted by a model, written into a copy of the list."""

import errno
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from decklab.core.errors import DeckError
from decklab.core.files import check_file, write_output
from decklab.core.options import Spending
from decklab.core.results import NotScored
from decklab.evals.judges.asking import asked_model
from decklab.evals.judges.editing.judging import ALIKE, BATCH
from decklab.evals.judges.editing.verdict import PicturePair, draft_style_target, pairs_to_judge
from decklab.evals.pptarena.cases import Case, CaseSet, Decks, chosen, deck_in, load_cases, root_of
from decklab.models.asking import Ask


@dataclass(frozen=True)
class StyleDrafts:
    """What came of drafting: style targets by case, or why there is none."""

    drafted: dict[str, str] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)
    spent: str = ""
    """What the questions cost, in a sentence."""
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
