import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from decklab.core.errors import UnknownName
from decklab.evals.pptarena.cases import CaseFault, CasesRejected, chosen, load_cases, slug


def entry(**changes: Any) -> dict[str, Any]:
    good = {
        "name": "One", "prompt": "Do it.", "style_target": "It is done.",
        "original": "Original/a.pptx", "ground_truth": "GroundTruth/a.pptx",
        "category": "Content, Structure", "edit_type": "Text & Typography",
    }  # fmt: skip
    return {**good, **changes}


def checkout(folder: Path, *entries: Any, place: str = "cases.json") -> Path:
    for name in ("Original/a.pptx", "GroundTruth/a.pptx"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(b"a deck")
    path = folder / place
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(list(entries)))
    return folder


def test_the_published_fields_become_a_case(tmp_path: Path) -> None:
    [case] = load_cases(checkout(tmp_path, entry(), place="src/pairs.json"))
    assert (case.name, case.prompt, case.style_target) == ("One", "Do it.", "It is done.")
    assert case.original == tmp_path / "Original" / "a.pptx"
    assert case.categories == ("Content", "Structure")
    assert case.edit_types == ("Text & Typography",)


def test_a_known_edit_type_with_commas_is_one(tmp_path: Path) -> None:
    name = "Alignment, Distribution, Grid, Grouping, Z-order"
    [case] = load_cases(checkout(tmp_path, entry(edit_type=name, category=["Layout"])))
    assert case.edit_types == (name,)
    assert case.categories == ("Layout",)


@pytest.mark.parametrize("field", ["name", "prompt", "original", "ground_truth"])
def test_a_case_without_what_it_needs_is_left_out_and_told(tmp_path: Path, field: str) -> None:
    broken = entry(name="Two")
    del broken[field]
    found = load_cases(checkout(tmp_path, entry(), broken) / "cases.json")
    label = "case 2" if field == "name" else "Two"
    assert [case.name for case in found] == ["One"]
    assert found.faults == (CaseFault(label, field, "is missing"),)
    assert found.left_out == (label,)
    assert found.sentences == (f"Left out: {label}: {field}: is missing.",)


@pytest.mark.parametrize("field", ["style_target", "category", "edit_type"])
def test_a_case_without_what_it_can_do_without_is_run(tmp_path: Path, field: str) -> None:
    found = load_cases(checkout(tmp_path, entry(**{field: ""})))
    assert (len(found), found.faults) == (1, ())
    assert found.notes == (f"One: {field}: is empty; it is run without.",)
    [case] = found
    assert case.style_target == ("" if field == "style_target" else "It is done.")
    assert case.edit_types == (() if field == "edit_type" else ("Text & Typography",))
    # without a category that of the edit type
    assert case.categories == (("Content",) if field == "category" else ("Content", "Structure"))


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"prompt": 3}, "prompt: is int, not text"),
        ({"prompt": "  "}, "prompt: is empty"),
        ({"original": "gone.pptx"}, "original: there is no file gone.pptx"),
        ({"ground_truth": "../../x.pptx"}, "ground_truth: ../../x.pptx leaves the folder"),
        ({"ground_truth": "/etc/passwd"}, "ground_truth: /etc/passwd leaves the folder"),
        ({"original": "a\0b"}, "original: 'a\\x00b' is no path"),
    ],
)
def test_a_set_of_which_no_case_is_left_is_refused(
    tmp_path: Path, change: dict[str, Any], fault: str
) -> None:
    with pytest.raises(CasesRejected, match="One") as caught:
        load_cases(checkout(tmp_path, entry(**change)))
    assert fault in str(caught.value)


def test_one_bad_case_costs_only_itself(tmp_path: Path) -> None:
    found = load_cases(checkout(tmp_path, entry(name="Two", prompt=None), "no", entry()))
    assert [case.name for case in found] == ["One"]
    assert list(map(str, found.faults)) == ["Two: prompt: is missing", "case 2: is no object"]
    with pytest.raises(UnknownName, match="Two: prompt: is missing"):
        chosen(found, ["Two"])
    assert chosen(found, ["One"]).faults == ()


def test_a_second_case_of_a_name_gets_a_number(tmp_path: Path) -> None:
    found = load_cases(checkout(tmp_path, entry(), entry(), entry(name="one!")))
    assert [case.name for case in found] == ["One", "One (2)", "one! (3)"]
    assert found.notes[0] == "One (2): an earlier case has its name."
    assert len({slug(case.name) for case in found}) == 3


def test_a_folder_has_one_list_or_the_published_one(tmp_path: Path) -> None:
    with pytest.raises(CasesRejected, match="holds no JSON list of cases"):
        load_cases(tmp_path)
    checkout(tmp_path, entry())
    checkout(tmp_path, entry(), place="again.json")
    with pytest.raises(CasesRejected, match=r"holds 2 lists of cases, name one: again\.json"):
        load_cases(tmp_path)
    assert len(load_cases(tmp_path / "again.json")) == 1
    checkout(tmp_path, entry(name="Best"), place="src/evaluation_pairs_refined.json")
    assert [case.name for case in load_cases(tmp_path)] == ["Best"]


@pytest.mark.parametrize("text", ["{", "[]", '{"a": 1}'])
def test_a_list_that_is_none_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "cases.json").write_text(text)
    with pytest.raises(CasesRejected, match=r"cases\.json: is no"):
        load_cases(tmp_path / "cases.json")


def test_the_version_follows_the_content(tmp_path: Path) -> None:
    before = load_cases(checkout(tmp_path, entry())).version
    assert before == load_cases(tmp_path).version
    assert before.startswith("content ")
    (tmp_path / "GroundTruth" / "a.pptx").write_bytes(b"another")
    assert load_cases(tmp_path).version != before


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_the_version_of_a_checkout_is_its_commit(tmp_path: Path) -> None:
    def git(*arguments: str) -> str:
        done = subprocess.run(
            ["git", "-C", str(tmp_path), "-c", "user.name=A", "-c", "user.email=a@b.c",
             *arguments], capture_output=True, text=True, check=True,
        )  # fmt: skip
        return done.stdout.strip()

    checkout(tmp_path, entry())
    git("init", "--quiet")
    git("add", ".")
    git("commit", "--quiet", "-m", "all")
    commit = git("rev-parse", "HEAD")[:12]
    assert load_cases(tmp_path).version == f"commit {commit}"
    (tmp_path / "Original" / "a.pptx").write_bytes(b"touched")
    assert load_cases(tmp_path).version == f"commit {commit} (changed)"
