"""The published layout: its list, its decks at the root of the checkout, its names, its subset.

Written by hand after the public repository's own list, whose decks are not here.
"""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from decklab.core.errors import UnknownName
from decklab.evals.pptarena.cases import (
    PUBLISHED_TYPES,
    CasesRejected,
    chosen,
    in_subset,
    load_cases,
)

TYPES = {
    "Text & Typography": "Content", "Charts": "Content", "Images & Pictures": "Content",
    "Theme & Background": "Styling", "Alignment, Distribution & Z-order": "Layout",
    "Slide/Section Management & Footers": "Structure", "Tables": "Content",
    "Shapes & Drawing": "Content", "SmartArt & Diagrams": "Content",
    "Slide Layout & Placeholders": "Layout", "Accessibility & Semantics": "Structure",
    "Slide Transitions": "Interactivity", "Hyperlinks & Action Settings": "Interactivity",
    "Template & Master-Level Edits": "Styling", "Audio & Video": "Content",
    "Object Animations": "Interactivity",
}  # fmt: skip


def pair(name: str, kind: str = "Charts", **changes: object) -> dict[str, object]:
    return {
        "name": name, "prompt": f"Edit {name}.", "style_target": f"{name} is edited.",
        "original": f"Original/{name}.pptx", "ground_truth": f"GroundTruth/{name}.pptx",
        "category": ["Content", "Layout"], "edit_type": kind, **changes,
    }  # fmt: skip


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Two lists in ``src``, decks at the root, a subset in ``agent_bench``."""
    root = tmp_path / "PPTArena"
    pairs = [pair(f"Case {n}", kind) for n, kind in enumerate(TYPES, 1)]
    pairs[4]["style_target"] = ""
    for folder in ("Original", "GroundTruth", "src", "agent_bench", ".git"):
        (root / folder).mkdir(parents=True)
    for one in pairs:
        for field in ("original", "ground_truth"):
            (root / str(one[field])).write_bytes(b"a deck")
    (root / "GroundTruth" / "Case 7.pptx").unlink()
    (root / "src" / "evaluation_pairs_refined.json").write_text(json.dumps(pairs))
    (root / "src" / "evaluation_pairs.json").write_text(json.dumps(pairs[:3]))
    hard = ["Case 2", "Case 7", "case 11", "Case 99"]
    (root / "agent_bench" / "subset25.json").write_text(json.dumps(hard))
    return root


@pytest.mark.parametrize(
    "named", ["", "src", "src/evaluation_pairs_refined.json"], ids=["root", "src", "list"]
)
def test_the_published_list_works_by_each_of_its_names(repository: Path, named: str) -> None:
    found = load_cases(repository / named)
    assert len(found) == 15
    assert found.path.name == "evaluation_pairs_refined.json"
    assert found.cases[0].original == repository / "Original" / "Case 1.pptx"
    assert found.left_out == ("Case 7",)
    assert found.sentences == (
        "Left out: Case 7: ground_truth: there is no file GroundTruth/Case 7.pptx.",
        "Case 5: style_target: is empty; it is run without.",
    )


def test_published_names_stay_as_they_are(repository: Path) -> None:
    found = {case.edit_types for case in load_cases(repository)}
    assert found == {(kind,) for kind in TYPES if kind != "Tables"}
    assert PUBLISHED_TYPES == TYPES
    assert all(case.categories == ("Content", "Layout") for case in load_cases(repository))


def test_without_git_the_decks_are_found_above_the_sources(repository: Path) -> None:
    (repository / ".git").rmdir()
    found = load_cases(repository / "src" / "evaluation_pairs_refined.json")
    assert len(found) == 15
    assert found.version.startswith("content ")


def test_a_subset_by_file_keeps_its_order_and_tells_what_is_missing(repository: Path) -> None:
    found = in_subset(load_cases(repository), repository / "agent_bench" / "subset25.json")
    assert [case.name for case in found] == ["Case 2", "Case 11"]
    assert found.left_out == ("Case 7", "Case 99")
    assert found.sentences == (
        "Left out: Case 7: ground_truth: there is no file GroundTruth/Case 7.pptx.",
        "Left out: Case 99: subset25.json names it and the list does not.",
        "Subset subset25.json: 4 of 16 cases.",
    )
    assert [case.name for case in chosen(found, ["Case 11"])] == ["Case 11"]
    with pytest.raises(UnknownName, match="no case named 'Case 3'"):
        chosen(found, ["Case 3"])


def test_a_subset_may_be_lines(repository: Path, tmp_path: Path) -> None:
    file = tmp_path / "mine.txt"
    file.write_text("Case 5\n\n  Case 1  \n")
    found = in_subset(load_cases(repository), file)
    assert [case.name for case in found] == ["Case 5", "Case 1"]
    assert found.notes[1:] == ("Case 5: style_target: is empty; it is run without.",)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "names no case"), ("[]", "names no case"), ("[1]", "is no list of the names"),
        ('{"a": 1}', "is no list of the names"), ('["Nobody"]', "Nobody: f.json names it and"),
    ],
)  # fmt: skip
def test_a_subset_of_nothing_is_refused(
    repository: Path, tmp_path: Path, text: str, why: str
) -> None:
    file = tmp_path / "f.json"
    file.write_text(text)
    with pytest.raises(CasesRejected, match=why):
        in_subset(load_cases(repository), file)


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_a_list_that_git_does_not_know_has_no_commit(tmp_path: Path) -> None:
    git = ["git", "-C", str(tmp_path), "-c", "user.name=A", "-c", "user.email=a@b.c"]
    subprocess.run([*git, "init", "--quiet"], check=True)
    subprocess.run([*git, "commit", "--quiet", "--allow-empty", "-m", "one"], check=True)
    (tmp_path / "arena").mkdir()
    for name in ("original", "ground_truth"):
        (tmp_path / "arena" / f"{name}.pptx").write_bytes(b"a deck")
    one = pair("One", original="original.pptx", ground_truth="ground_truth.pptx")
    (tmp_path / "arena" / "cases.json").write_text(json.dumps([one]))
    assert load_cases(tmp_path / "arena").version.startswith("content ")
