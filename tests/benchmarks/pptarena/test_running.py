from pathlib import Path

from decklab.benchmarks.pptarena.cases import Case, CaseSet
from decklab.benchmarks.pptarena.decks import Decks
from decklab.benchmarks.pptarena.editors import BASELINES, Edited, predictions
from decklab.benchmarks.pptarena.ordering import ordering
from decklab.benchmarks.pptarena.running import run_cases
from decklab.benchmarks.pptarena.selfcheck import self_check
from decklab.benchmarks.pptarena.session import run_session
from decklab.benchmarks.pptarena.starter.writing import slug
from decklab.benchmarks.pptarena.summary import summary
from decklab.errors import DeckError
from decklab.judges.editing import EditVerdict
from decklab.results import NotScored


def values(cases: CaseSet, name: str, folder: Path) -> list[tuple[object, ...]]:
    with Decks(pictures=False) as decks:
        found = run_cases(cases, BASELINES[name], folder, decks=decks)
    return [tuple(one.value(key) for key in ("recall", "preservation", "edit")) for one in found]


def test_doing_nothing_and_the_truth_are_the_ends_of_the_scale(
    starter: CaseSet, tmp_path: Path
) -> None:
    assert values(starter, "noop", tmp_path) == [(0, 1, 0), (0, 1, 0)]
    assert values(starter, "truth", tmp_path) == [(1, 1, 1), (1, 1, 1)]


def test_the_command_editor_does_what_is_asked_in_its_forms(
    starter: CaseSet, tmp_path: Path
) -> None:
    assert values(starter, "commands", tmp_path) == [(1, 1, 1), (1, 1, 1)]


def test_an_editor_that_fails_or_writes_nothing_has_handed_in_the_original(
    starter: CaseSet, tmp_path: Path
) -> None:
    def fails(case: Case, out: Path) -> Edited:
        raise DeckError(case.original, "too hard")

    with Decks(pictures=False) as decks:
        [one, _] = run_cases(starter, fails, tmp_path, decks=decks)
        [none, _] = run_cases(starter, lambda case, out: Edited("refused"), tmp_path, decks=decks)
    assert one.edited.ending == "failed"
    assert "too hard" in one.edited.note
    assert one.prediction == one.case.original
    assert one.value("recall") == none.value("recall") == 0


def test_a_broken_prediction_costs_nothing_but_itself(starter: CaseSet, tmp_path: Path) -> None:
    def breaks(case: Case, out: Path) -> Edited:
        if case.name != "Crew leaders":
            return BASELINES["truth"](case, out)
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_bytes(b"no deck")
        return Edited("done")

    with Decks(pictures=False) as decks:
        broken, whole = found = run_cases(starter, breaks, tmp_path, decks=decks)
    assert isinstance(broken.companions, NotScored)
    assert isinstance(broken.value("edit"), NotScored)
    assert whole.value("edit") == 1
    everything = summary(found)[-1]
    assert (everything.cases, everything.cells["edit"].scored) == (2, 1)
    assert everything.cells["edit"].mean == 1


def test_decks_made_elsewhere_are_found_by_either_name(starter: CaseSet, tmp_path: Path) -> None:
    made = tmp_path / "made"
    made.mkdir()
    first, second = starter
    (made / f"{first.name}.pptx").write_bytes(first.ground_truth.read_bytes())
    with Decks(pictures=False) as decks:
        one, two = run_cases(starter, predictions(made), tmp_path / "out", decks=decks)
    assert one.value("edit") == 1
    assert two.edited.ending == "failed"
    (made / f"{slug(second.name)}.pptx").write_bytes(second.ground_truth.read_bytes())
    with Decks(pictures=False) as decks:
        two = run_cases(starter, predictions(made), tmp_path / "out", decks=decks)[1]
    assert two.value("edit") == 1


def test_cases_that_cannot_tell_good_from_bad_are_found(starter: CaseSet, tmp_path: Path) -> None:
    good, other = starter
    same = Case("Same", "x", "y", good.original, good.original, ("Content",), ("Tables",))
    with Decks(pictures=False) as decks:
        checks = self_check([good, other, same], decks=decks)
    assert [check.faults for check in checks] == [(), (), ("original and truth are the same",)]
    assert all(not check.notes for check in checks)


def test_judges_that_like_everything_or_nothing_are_found(starter: CaseSet) -> None:
    def flat(score: float | NotScored):  # type: ignore[no-untyped-def]
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


def test_ordering_counts_ties_as_wrong_and_unscored_pairs_apart() -> None:
    found = ordering(
        {"a": 1.0, "b": 0.5, "c": NotScored("x")},
        [("a", "partial", 0.2), ("b", "partial", 0.5), ("c", "partial", 0.1),
         ("a", "wrong-slide", NotScored("y"))],
    )  # fmt: skip
    assert (found.pairs, found.right, found.not_scored) == (2, 1, 2)
    assert found.wrong == (("b", "partial"),)
    assert isinstance(ordering({}, []).share, NotScored)


def test_a_session_runs_editors_and_flawed_attempts_and_says_so(
    starter: CaseSet, tmp_path: Path
) -> None:
    with Decks(pictures=False) as decks:
        found = run_session(
            starter, {"noop": BASELINES["noop"]}, tmp_path, decks=decks,
            attempts=starter.path.parent,
        )  # fmt: skip
    assert list(found.runs) == [
        "noop", "attempt: partial", "attempt: wrong-slide", "attempt: collateral",
    ]  # fmt: skip
    assert found.order is not None
    assert found.order.share == 1
    assert found.facts[0] == "Self-check: 2 of 2 cases are sound."
    assert found.facts[1].endswith("in 6 of 6 pairs (100%).")
    assert [row.category for row in found.difficulty] == ["Content", "Interactivity", "All labels"]
