"""The arithmetic by hand, and beside the authors' own scorer."""

import importlib.util
import random
from pathlib import Path
from typing import Any

import pytest
import yaml

from decklab.core.results import NotScored
from decklab.evals.presentbench.instances import CLASSES, InstanceError
from decklab.evals.presentbench.judging import Answer, checklist_score, read_verdicts, verdicts_yaml

WEIGHTS = {
    "total": 100.0,
    "material_independent": {"1": 20.0, "2": 20.0},
    "material_dependent": {"1": 25.0, "2": 20.0, "3": 15.0},
}


def test_by_hand():
    answers: dict[tuple[str, str], dict[str, Answer]] = {
        ("material_independent", "1"): {"1.1": True, "1.2": True, "1.3": False, "1.4": False},
        ("material_independent", "2"): {"2.1": True},
        ("material_dependent", "1"): {"1.1": False, "1.2": True, "1.3": True, "1.4": True},
        ("material_dependent", "2"): {"2.1": False},
        ("material_dependent", "3"): {},
    }
    score = checklist_score(answers, WEIGHTS)
    assert score.total == pytest.approx(10 + 20 + 18.75)  # of 100; the empty class gives nothing
    assert score.section("material_independent") == pytest.approx(75.0)
    assert score.section("material_dependent") == pytest.approx(18.75 / 60 * 100)
    assert score.of_class(("material_independent", "1")) == pytest.approx(50.0)
    assert isinstance(score.of_class(("material_dependent", "3")), NotScored)
    assert score.without(("material_independent", "2")) == pytest.approx(28.75 / 80 * 100)


def test_open_items_leave_bounds_and_no_score():
    answers: dict[tuple[str, str], dict[str, Answer]] = {
        ("material_independent", "1"): {"1.1": True, "1.2": NotScored("no reply")},
        ("material_dependent", "1"): {"1.1": True},
    }
    score = checklist_score(answers, WEIGHTS)
    assert isinstance(score.total, NotScored) and "1 of 3 items" in score.total.reason
    assert score.bounds == pytest.approx((35.0, 45.0))
    assert score.section("material_dependent") == pytest.approx(25 / 60 * 100)


def test_no_weights_are_no_division_by_zero():
    score = checklist_score({("material_independent", "1"): {"1.1": True}}, {})
    assert score.total == 0.0
    assert isinstance(score.of_class(("material_independent", "1")), NotScored)


def test_verdicts_come_back_as_they_were(tmp_path: Path):
    answers: dict[tuple[str, str], dict[str, Answer]] = {
        ("material_independent", "1"): {"1.1": True, "1.2": NotScored("the judge was silent")},
        ("material_dependent", "1"): {"1.1": False},
    }
    path = tmp_path / "judge_2026-01-01_00-00-00.yaml"
    path.write_text(verdicts_yaml(answers, {("material_independent", "1", "1.1"): "“Ships”: yes"}))
    assert read_verdicts(path) == answers


@pytest.mark.parametrize("text", ["[]", "a: {", "material_independent: {}", "\x00"])
def test_other_files_are_refused_by_name(text: str, tmp_path: Path):
    path = tmp_path / "bad.yaml"
    path.write_text(text)
    with pytest.raises(InstanceError, match=r"bad\.yaml"):
        read_verdicts(path)


@pytest.mark.shared
def test_the_authors_scorer_says_the_same(shared: Path, tmp_path: Path):
    file = shared / "presentbench" / "scoring.py"
    spec = importlib.util.spec_from_file_location("their_scoring", file)
    assert spec is not None and spec.loader is not None
    theirs = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(theirs)
    draw = random.Random(7)
    for case in range(200):
        weights: dict[str, Any] = {
            section: {str(n): draw.choice([0, 5, 12.5, 20]) for n in range(1, most + 1)}
            for section, most in (("material_independent", 2), ("material_dependent", 3))
        }
        if draw.random() < 0.5:
            weights["total"] = draw.choice([60, 100])
        if draw.random() < 0.2:
            weights["material_independent"]["total"] = 40
        said = {
            section: {
                class_id: {
                    f"{class_id}.{n}": {"answer": draw.choice(["yes", "Yes ", "no", "maybe", ""])}
                    for n in range(1, draw.randint(0, 9) + 1)
                }
                for own, class_id in CLASSES
                if own == section
            }
            for section in ("material_independent", "material_dependent")
        }
        paths = tmp_path / f"{case}.yaml", tmp_path / f"{case}_weights.yaml"
        for path, data in zip(paths, (said, weights), strict=True):
            path.write_text(yaml.safe_dump(data))
        wanted = theirs._build_tree_data(theirs.compute_scores(*map(str, paths)))["total"]
        score = checklist_score(read_verdicts(paths[0]), weights)
        assert score.total == pytest.approx(wanted["weighted_arithmetic_mean_percent"], abs=1e-9)
        for kind in score.classes:
            without = wanted["leave_one_out_analysis"]["_".join(kind)]
            assert score.without(kind) == pytest.approx(
                without["weighted_arithmetic_mean_percent"], abs=1e-9
            )
            own = wanted[kind[0]]["classes"][f"class_{kind[1]}"]
            share = score.of_class(kind)
            assert own["score_percent"] == pytest.approx(
                0.0 if isinstance(share, NotScored) else share, abs=1e-9
            )
        for section in ("material_independent", "material_dependent"):
            mean = wanted[section]["weighted_arithmetic_mean_percent"]
            assert score.section(section) == pytest.approx(mean, abs=1e-9)
