"""Drafted tasks: their truths by python-pptx, and the faults that the check has to find."""

import json
import shutil
from pathlib import Path

import pytest
from pptx import Presentation

from decklab.core.errors import SourceError
from decklab.evals.pptarena.cases import EDIT_TYPES, load_cases
from decklab.workbench.corpus.drafting import check_cases, draft_cases


@pytest.fixture
def chosen(tmp_path: Path) -> Path:
    """A choice of one deck; the refused one is damaged, so that reading it would be told."""
    deck = Presentation()
    for title in ("One", "Two", "Three", "Four"):
        slide = deck.slides.add_slide(deck.slide_layouts[1])
        slide.shapes.title.text, slide.placeholders[1].text = title, f"What {title} says."
    deck.save(str(tmp_path / "talk.pptx"))
    (tmp_path / "broken.pptx").write_bytes(b"no deck")
    rows = [
        {"deck": "talk.pptx", "chosen": True, "license": "CC0"},
        {"deck": "broken.pptx", "chosen": False},
    ]
    path = tmp_path / "chosen.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    return path


def titles(path: Path) -> list[str]:
    return [slide.shapes.title.text for slide in Presentation(str(path)).slides]


@pytest.mark.long
def test_drafts_have_truths_that_another_library_confirms(chosen: Path, tmp_path: Path) -> None:
    out = tmp_path / "tasks"
    found = draft_cases([str(chosen)], out, tasks=9)
    assert (found.cases, found.left_out) == (6, ())
    cases = {case.prompt: case for case in load_cases(out)}
    truth = {prompt: case.ground_truth for prompt, case in cases.items()}
    assert titles(truth["delete slide 4"]) == ["One", "Two", "Three"]
    assert titles(truth["swap slides 2 and 4"]) == ["One", "Four", "Three", "Two"]
    assert titles(truth["move slide 4 to position 2"]) == ["One", "Four", "Two", "Three"]
    hidden = Presentation(str(truth["hide slide 3"])).slides[2]
    assert hidden._element.get("show") == "0"
    assert all(case.original.read_bytes() == (tmp_path / "talk.pptx").read_bytes()
               for case in cases.values())  # fmt: skip
    assert {kind for case in cases.values() for kind in case.edit_types} <= set(EDIT_TYPES)
    entries = json.loads(found.path.read_text())
    assert {(entry["status"], entry["license"]) for entry in entries} == {("DRAFT", "CC0")}


@pytest.mark.long
def test_the_check_passes_drafts_and_names_faults(chosen: Path, tmp_path: Path) -> None:
    out = tmp_path / "tasks"
    draft_cases([str(chosen)], out, tasks=3)
    sound = check_cases(out)
    assert (sound.faults, sound.cases, len(sound.drafts)) == ((), 3, 3)
    entries = json.loads((out / "cases.json").read_text())
    del entries[0]["status"]
    entries[2]["ground_truth"] = "gone.pptx"
    (out / "cases.json").write_text(json.dumps(entries))
    shutil.copyfile(out / entries[1]["original"], out / entries[1]["ground_truth"])
    found = check_cases(out)
    assert len(found.faults) == 2
    assert "there is no file gone.pptx" in found.faults[0]
    assert found.faults[1] == f"{entries[1]['name']}: original and truth are the same"
    assert found.drafts == (entries[1]["name"],)


@pytest.mark.long
def test_the_same_seed_drafts_the_same(
    chosen: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # the order depends on the seed and the path of the deck

    def prompts(name: str, seed: int) -> list[str]:
        draft_cases([chosen.name], tmp_path / name, tasks=2, seed=seed)
        return [case.prompt for case in load_cases(tmp_path / name)]

    assert prompts("a", 1) == prompts("b", 1)
    assert prompts("c", 2) != prompts("d", 3)


def test_nothing_is_drafted_over_something_or_from_nothing(chosen: Path, tmp_path: Path) -> None:
    with pytest.raises(FileExistsError, match="holds something"):
        draft_cases([str(chosen)], tmp_path)
    with pytest.raises(SourceError, match="no task could be drafted"):
        draft_cases([str(tmp_path / "broken.pptx")], tmp_path / "none")


def test_a_folder_without_documents_is_told_in_one_line(tmp_path: Path) -> None:
    empty, out = tmp_path / "empty", tmp_path / "out"
    empty.mkdir()
    with pytest.raises(SourceError, match="hold no document"):
        draft_cases([str(empty)], out, benchmark="quizbank", together=True)
