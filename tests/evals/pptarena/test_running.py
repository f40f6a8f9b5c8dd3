from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.evals.pptarena.one_editor import run_cases

from decklab.core.errors import ModelFailed
from decklab.core.results import NotScored
from decklab.diffing.snapshots import DeckEdit
from decklab.evals.editors.protocol import EditSession, trusted
from decklab.evals.judges.editing.verdict import EditVerdict
from decklab.evals.pptarena import checking
from decklab.evals.pptarena.cases import Case, CaseSet, Decks
from decklab.evals.pptarena.checking import self_check
from decklab.evals.pptarena.running import BASELINES
from decklab.evals.pptarena.session import run_session
from decklab.evals.pptarena.tables import category_table, ordering

# Inspect leaves a memory stream or two to the garbage collector.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")


def always(editor: Any) -> Any:
    """An editor of this file's, for every case: it runs in their process."""
    return lambda case: trusted(editor)


def values(cases: CaseSet, name: str, folder: Path) -> list[tuple[object, ...]]:
    with Decks(pictures=False) as decks:
        found = run_cases(cases, BASELINES[name], folder, decks=decks)
    return [tuple(one.value(key) for key in ("recall", "preservation", "edit")) for one in found]


@pytest.mark.long
def test_doing_nothing_and_the_truth_are_the_ends_of_the_scale(
    starter: CaseSet, tmp_path: Path
) -> None:
    assert values(starter, "noop", tmp_path) == [(0, 1, 0), (0, 1, 0)]
    assert values(starter, "truth", tmp_path) == [(1, 1, 1), (1, 1, 1)]


@pytest.mark.long
def test_the_command_editor_does_what_is_asked_in_its_forms(
    starter: CaseSet, tmp_path: Path
) -> None:
    assert values(starter, "commands", tmp_path) == [(1, 1, 1), (1, 1, 1)]


def test_an_editor_that_writes_nothing_has_handed_in_the_original(
    starter: CaseSet, tmp_path: Path
) -> None:
    with Decks(pictures=False) as decks:
        [one, _] = run_cases(
            starter,
            always(lambda deck, instruction, session: session.finish("refused")),
            tmp_path,
            decks=decks,
        )
    assert one.prediction == one.case.original
    assert (one.value("recall"), one.value("preservation")) == (0, 1)


def liked(case: Case, path: Path, decks: Decks) -> tuple[EditVerdict, EditVerdict]:
    return EditVerdict(5.0, "all there"), EditVerdict(5.0, "all alike")


def test_what_is_not_the_editors_fault_is_not_scored(starter: CaseSet, tmp_path: Path) -> None:
    def fails(deck: Path, instruction: str, session: EditSession) -> None:
        deck.write_bytes(b"half a deck")
        raise ModelFailed("some/model", "no reply came")

    with Decks(pictures=False) as decks:
        [one, _] = run_cases(
            starter, always(fails), tmp_path, decks=decks, judge=liked, second=liked
        )  # fmt: skip
    assert one.edited.ending == "not run"
    for name in ("IF", "VQ", "recall", "precision", "preservation", "visual", "edit"):
        value = one.value(name)
        assert isinstance(value, NotScored)
        assert value.reason.startswith("the editor could not be run: some/model: no reply came")
    assert not (tmp_path / "out" / "one" / "crew-leaders.pptx").exists()


@pytest.mark.long
def test_an_error_of_ours_ends_the_run(starter: CaseSet, tmp_path: Path) -> None:
    def wrong(deck: Path, instruction: str, session: EditSession) -> None:
        raise KeyError("a fault in a program")

    with Decks(pictures=False) as decks, pytest.raises(KeyError):
        run_cases(starter, always(wrong), tmp_path, decks=decks)


def test_a_deck_that_nobody_can_open_is_worth_nothing(starter: CaseSet, tmp_path: Path) -> None:
    def breaks(deck: Path, instruction: str, session: EditSession) -> None:
        deck.write_bytes(b"no deck")

    def editor(case: Case) -> Any:
        return trusted(breaks) if case.name == "Crew leaders" else BASELINES["truth"](case)

    with Decks(pictures=False) as decks:
        broken, whole = found = run_cases(starter, editor, tmp_path, decks=decks, judge=liked)
    assert isinstance(broken.companions, NotScored)
    names = ("IF", "VQ", "recall", "preservation", "visual", "edit")
    assert [broken.value(name) for name in names] == [0] * 6
    assert isinstance(broken.value("precision"), NotScored)
    assert broken.instruction is not None
    assert "crew-leaders.pptx" in broken.instruction.reason
    assert (whole.value("edit"), whole.value("IF")) == (1, 5)
    everything = category_table("some", found).rows[-1]
    assert everything.name == "All cases"
    assert (everything.cells["edit"].of, everything.cells["edit"].scored) == (2, 2)
    assert everything.cells["edit"].mean == 0.5


def test_a_case_whose_truth_is_broken_is_nobodys_fault(starter: CaseSet, tmp_path: Path) -> None:
    bad = tmp_path / "truth.pptx"
    bad.write_bytes(b"no deck")
    case = replace(starter.cases[0], ground_truth=bad)
    with Decks(pictures=False) as decks:
        [one] = run_cases([case], BASELINES["noop"], tmp_path, decks=decks, judge=liked)
        [check] = self_check([case], decks=decks)
    for name in ("IF", "recall", "edit"):
        value = one.value(name)
        assert isinstance(value, NotScored)
        assert "the case cannot be read" in value.reason
    assert "truth.pptx" in check.faults[0]


def test_cases_that_cannot_tell_good_from_bad_are_found(starter: CaseSet, tmp_path: Path) -> None:
    good, other = starter
    same = Case("Same", "x", "y", good.original, good.original, ("Content",), ("Tables",))
    with Decks(pictures=False) as decks:
        checks = self_check([good, other, same], decks=decks)
    assert [check.faults for check in checks] == [(), (), ("original and truth are the same",)]
    assert all(not check.notes for check in checks)


@pytest.mark.long
def test_judges_that_like_everything_or_nothing_are_found(starter: CaseSet) -> None:
    def flat(score: float | NotScored):
        verdict = EditVerdict(score, "because")
        return lambda case, path, decks: (verdict, verdict)

    with Decks(pictures=False) as decks:
        [kind, _] = self_check(starter, decks=decks, judge=flat(5.0))
        [harsh, _] = self_check(starter, decks=decks, judge=flat(1.0))
        [mute, _] = self_check(starter, decks=decks, judge=flat(NotScored("no reply")))
    assert kind.faults == ("the untouched original passes with the judges",)
    assert harsh.faults == ("the truth does not pass with the judges",)
    assert mute.faults == ()
    assert "the truth was not judged: no reply" in mute.notes
    assert any("VQ does not" in note for note in kind.notes)


@pytest.mark.long
def test_damage_that_only_a_judge_sees_is_seen(
    starter: CaseSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    def harmless(truth: Path, asked: DeckEdit, out: Path) -> str:
        out.write_bytes(truth.read_bytes())
        return "nothing that a companion sees"

    def seen(case: Case, path: Path, decks: Decks) -> tuple[EditVerdict, EditVerdict]:
        score = 1.0 if path == case.original else 5.0
        visual = 5.0 if path == case.ground_truth else 2.0
        return EditVerdict(score, "so"), EditVerdict(visual, "so")

    monkeypatch.setattr(checking, "collateral_damage", harmless)
    with Decks(pictures=False) as decks:
        [alone, _] = self_check(starter, decks=decks)
        [judged, _] = self_check(starter, decks=decks, judge=seen)
    assert alone.faults == ("collateral damage goes unseen: nothing that a companion sees",)
    assert judged.faults == ()


def test_ordering_counts_ties_as_wrong_and_unscored_pairs_apart() -> None:
    found = ordering(
        {"a": 1.0, "b": 0.5, "c": NotScored("x")},
        [("a", "partial", 0.2), ("b", "partial", 0.5), ("c", "partial", 0.1),
         ("a", "wrong-slide", NotScored("y"))],
    )  # fmt: skip
    assert (found.pairs, found.right, found.not_scored) == (2, 1, 2)
    assert found.wrong == (("b", "partial"),)
    assert isinstance(ordering({}, []).share, NotScored)


@pytest.mark.long
def test_a_session_runs_editors_and_flawed_attempts_and_says_so(
    starter: CaseSet, tmp_path: Path
) -> None:
    with Decks(pictures=False) as decks:
        found = run_session(
            starter, {"noop": BASELINES["noop"]}, tmp_path / "out", decks=decks,
            attempts=starter.path.parent,
        )  # fmt: skip
    assert [one.name for one in found.editors] == [
        "noop", "attempt: partial", "attempt: wrong-slide", "attempt: collateral",
    ]  # fmt: skip
    assert found.order is not None
    assert found.order.share == 1
    assert {kind: one.right for kind, one in found.orders["recall"].items()} == {
        "partial": 2, "wrong-slide": 2, "collateral": 0, "all": 4,
    }  # fmt: skip
    assert found.orders["visual"]["all"].pairs == 0
    assert found.facts[0] == "Self-check: 2 of 2 cases are sound."
    assert found.facts[1].endswith("in 6 of 6 pairs (100%).")
    assert [row.category for row in found.difficulty] == ["Content", "Interactivity", "All labels"]
