"""Instances in the published layout: what is taken, what is merged, and what is refused."""

import json
from pathlib import Path

import pytest

from decklab.core.errors import UnknownName
from decklab.evals.presentbench.instances import CLASSES, InstanceError, load_instances
from decklab.evals.presentbench.running import starter_data

LISTS = {f"{section}_checklist_{n}": [f"{section} {n}?"] for section, n in CLASSES}
COUNT = {
    "__type__": "partial", "func": "utils.count_pages.check_slide_count", "args": [],
    "keywords": {"min_count": 8, "max_count": 12},
}  # fmt: skip


def write_case(root: Path, name: str = "economics/Bank/2024", **own: object) -> Path:
    task = root / name / "generation_task"
    task.mkdir(parents=True)
    (task / "instructions.md").write_text("Make slides.\n")
    (task.parent / "material_1.md").write_text("# Report\n\nIncome grew.\n")
    (task / "judge_prompt.json").write_text(json.dumps(own))
    (root / "economics" / "common_judge_prompt.json").write_text(json.dumps(LISTS))
    (root / "economics" / "judge_weights.yaml").write_text(
        'total: 100\nmaterial_independent: {"1": 40}\nmaterial_dependent: {1: 60}\n'
    )
    return task


def test_a_case_overrides_its_domain(tmp_path: Path):
    write_case(tmp_path, material_dependent_checklist_1=["Is income there?", "Is it right?"])
    (case,) = load_instances(tmp_path)
    assert (case.name, case.domain) == ("economics/Bank/2024", "economics")
    assert case.task.task.request == "Make slides."
    assert [path.name for path in case.task.sources] == ["material_1.md"]
    completeness = [item for item in case.items if item.kind == ("material_dependent", "1")]
    assert [item.question for item in completeness] == ["Is income there?", "Is it right?"]
    assert [item.id for item in completeness] == ["1.1", "1.2"] and len(case.items) == 6
    assert case.weights["material_dependent"] == {"1": 60.0}


def test_items_about_slides_that_are_not_there_fall_away(tmp_path: Path):
    write_case(tmp_path, material_dependent_checklist_3=[f"Slide {n}?" for n in range(1, 41)])
    (case,) = load_instances(tmp_path)
    for slides in (0, 1, 12, 40, 60):
        own = [item for item in case.items_for(slides) if item.kind == ("material_dependent", "3")]
        assert len(own) == min(slides, 40)


def test_only_the_published_call_is_known_and_nothing_is_run(tmp_path: Path):
    harm = {"__type__": "partial", "func": "os.system", "args": [f"touch {tmp_path}/harm"]}
    torn = {**COUNT, "keywords": {"min_count": "8"}}
    write_case(tmp_path, material_independent_checklist_1=[COUNT, harm, torn, 7])
    (case,) = load_instances(tmp_path)
    count, *unknown = [item for item in case.items if item.kind == ("material_independent", "1")]
    assert count.slides == (8, 12) and "8 to 12 slides" in count.question
    assert [item.unknown for item in unknown] == [
        "the call 'os.system' is not known",
        "the call 'utils.count_pages.check_slide_count' is not known",
        "it is no text and no call",
    ]
    assert not (tmp_path / "harm").exists()


def broken_cases():
    yield "no folder in it", lambda task: (task / "judge_prompt.json").unlink()
    yield "no instructions.md", lambda task: (task / "instructions.md").unlink()
    yield "no material", lambda task: (task.parent / "material_1.md").unlink()
    yield "judge_weights.yaml", lambda task: (task.parents[2] / "judge_weights.yaml").unlink()
    yield "is no list", lambda task: (task.parents[2] / "common_judge_prompt.json").unlink()
    yield (
        "no weights",
        lambda task: (task.parents[2] / "judge_weights.yaml").write_text(
            "material_independent: {1: -3}"
        ),
    )
    yield "judge_prompt.json", lambda task: (task / "judge_prompt.json").write_text("{")
    yield "holds no keys", lambda task: (task / "judge_prompt.json").write_text("[]")


@pytest.mark.parametrize(("said", "breaks"), list(broken_cases()))
def test_what_cannot_be_used_is_told_by_its_file(said, breaks, tmp_path: Path):
    breaks(write_case(tmp_path))
    with pytest.raises(InstanceError, match=said) as told:
        load_instances(tmp_path)
    assert str(tmp_path) in str(told.value)


def test_a_name_that_none_has_is_told(tmp_path: Path):
    write_case(tmp_path)
    with pytest.raises(UnknownName, match="no instance named other"):
        load_instances(tmp_path, ["other"])


def test_decklabs_own_instances_load():
    cases = load_instances(starter_data())
    assert [case.name for case in cases] == [
        "economics/harbour_quarter", "education/tides_lesson", "talk/library_speech",
    ]  # fmt: skip
    for case in cases:
        assert {item.kind for item in case.items} == set(CLASSES)
        assert sum(case.weights["material_independent"].values()) == 40
