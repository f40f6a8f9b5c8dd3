"""Checklists answered by program and by scripted judges."""

import json
import re

import pytest
from tests.evals.judges.scenario.scripts import Script, items, write_slides
from tests.evals.presentbench.test_instances import COUNT, write_case

from decklab.core.results import NotScored
from decklab.evals.presentbench.instances import load_instances
from decklab.evals.presentbench.judging import judge_checklist
from decklab.evals.presentbench.running import result_systems
from decklab.rendering.renderer import Cache, Renderer

SLIDES = [
    ("The harbour grew", ["Container traffic grew by 12% in 2025", "Ships waited for 5 hours"]),
    ("Money is short", ["The crane cost 4.2 million euros", "The board has to decide in May"]),
]


@pytest.fixture
def case(tmp_path):
    write_case(
        tmp_path / "data",
        material_independent_checklist_1=[{**COUNT, "keywords": {"min_count": 2, "max_count": 4}}],
        material_dependent_checklist_1=["Does it say that traffic grew by 12%?"],
        material_dependent_checklist_3=[f"Is slide {n} borne out?" for n in range(1, 9)],
    )
    return load_instances(tmp_path / "data")[0]


@pytest.fixture
def deck(tmp_path):
    return write_slides(tmp_path / "talk.pptx", SLIDES)


def answered(judgement):
    return {(*one.item.kind, one.item.id): one.answer for one in judgement.answers}


def yes(prompt: str) -> dict:
    """Yes to every item, with words of the deck."""
    asked = re.findall(r"^\d+\. ", prompt.split("The items:")[1], re.MULTILINE)
    return items(*["full"] * len(asked), evidence="Container traffic grew by 12%")


@pytest.mark.office
def test_without_a_model_only_slides_are_counted(case, deck):
    with Renderer(cache=Cache()).started() as renderer:
        judged = judge_checklist(case, deck, model=None, renderer=renderer)
    found = answered(judged)
    assert found.pop(("material_independent", "1", "1.1")) is True
    assert len(found) == 5  # two slides have two items of fidelity
    assert all(isinstance(one, NotScored) for one in found.values())
    assert isinstance(judged.score.total, NotScored)
    assert judged.score.bounds == pytest.approx((40.0, 100.0))


@pytest.mark.office
def test_a_judge_that_proves_what_it_says_counts(case, deck):
    script = Script(judge_checklist=[yes])
    with Renderer(cache=Cache()).started() as renderer:
        judged = judge_checklist(case, deck, model=script, renderer=renderer, secret="s")
    assert set(answered(judged).values()) == {True} and judged.score.total == 100.0
    assert judged.usage.input_tokens == 100 * len(script.prompts)
    assert all(count == 1 for count in script.pictures)
    about_slides = script.prompts[-1]
    assert "About slide 2." in about_slides and "[material_1.md] Income grew." in about_slides
    assert "Is slide 3 borne out?" not in about_slides


@pytest.mark.office
def test_completeness_without_the_words_of_a_slide_is_no(case, deck):
    def bluff(prompt: str) -> dict:
        said = yes(prompt)
        return items(*["full"] * len(said["items"]), evidence="Traffic fell by half")

    with Renderer(cache=Cache()).started() as renderer:
        script = Script(judge_checklist=[bluff])
        judged = judge_checklist(case, deck, model=script, renderer=renderer, secret="s")
    found = answered(judged)
    assert found["material_dependent", "1", "1.1"] is False
    assert found["material_dependent", "2", "2.1"] is True  # what is right need not be quotable


@pytest.mark.office
def test_a_judge_that_has_not_looked_and_one_that_fails_score_nothing(case, deck):
    def liar(prompt: str) -> dict:
        asked = re.findall(r"^Statement (\d+): (.*)$", prompt, re.MULTILINE)
        known = [{"statement": int(n), "true": not _of_deck(text)} for n, text in asked]
        return {**yes(prompt), "known": known}

    with Renderer(cache=Cache()).started() as renderer:
        for script in (liar, lambda _prompt: json.dumps("no")):
            model = Script(judge_checklist=[script])
            judged = judge_checklist(case, deck, model=model, renderer=renderer, secret="s")
            assert isinstance(judged.score.total, NotScored) and judged.score.open == 5


def _of_deck(text: str) -> bool:
    return any(point in text for _, points in SLIDES for point in points)


def test_systems_are_found_by_the_published_layout(case, tmp_path, deck):
    place = tmp_path / "results" / "ours" / case.name / "generation_task" / "results"
    place.mkdir(parents=True)
    (place / "slides.pptx").write_bytes(deck.read_bytes())
    (tmp_path / "results" / "empty").mkdir()
    (system,) = result_systems(tmp_path / "results", [case])
    assert system.name == "ours"
    assert system.make(case.task, None).deck == place / "slides.pptx"
