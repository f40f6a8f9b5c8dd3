"""Decks graded as they are in real life: edited by python-pptx, drawn by LibreOffice."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from pptx import Presentation
from rich.console import Console

from decklab.core.errors import DeckError, RenderFailed, UnknownName
from decklab.core.results import NotScored
from decklab.evals.rubrics.drafting import draft_for_deck
from decklab.evals.rubrics.grade import GradeOptions, grade
from decklab.evals.rubrics.page import print_graded
from decklab.evals.rubrics.rubric import Rubric, parse_rubric
from decklab.models.asking import ModelReply
from decklab.rendering.renderer import Renderer

TITLE = """
def compute_score():
    from pptx import Presentation
    title = Presentation(modified_ppt_path).slides[1].shapes.title.text
    return f"The title of slide 2 is {title!r}", float(title == "Theme 2")
"""
CALM = """
def compute_score():
    others = [now.slide_number for was, now in ppt_diff.modified_slides if now.slide_number != 2]
    return f"Other slides changed: {others}", 0.0 if others else 1.0
"""
LOOK = """
def compute_score():
    shot = modified_ppt_screenshots[1]
    answer = vlm_call("Does the title read Theme 2?", [shot.image_path])
    return answer, float(answer == "YES")
"""


def leaf(name: str, code: str, critical: bool) -> dict[str, Any]:
    scorer = {"type": "function", "function_code": code}
    return {"name": name, "is_critical": critical, "scorer": scorer}


def rubric(*more: dict[str, Any]) -> Rubric:
    children = [leaf("title", TITLE, True), leaf("nothing else", CALM, False), *more]
    return parse_rubric({"root": {"name": "Rename slide 2", "children": children}})


WEAK = GradeOptions(isolation="process")


class Decks:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        deck = Presentation()
        for number in (1, 2):
            slide = deck.slides.add_slide(deck.slide_layouts[0])
            slide.shapes.title.text = f"Topic {number}"
        self.original = folder / "original.pptx"
        deck.save(str(self.original))

    def edited(self, **titles: str) -> Path:
        deck = Presentation(str(self.original))
        for number, title in titles.items():
            deck.slides[int(number[1:]) - 1].shapes.title.text = title
        path = self.folder / "edited.pptx"
        deck.save(str(path))
        return path


@pytest.fixture
def decks(tmp_path: Path) -> Decks:
    return Decks(tmp_path)


@pytest.mark.by_day(1)
@pytest.mark.parametrize(
    ("titles", "score"),
    [({}, 0.0), ({"s2": "Theme 2"}, 1.0), ({"s2": "Theme 2", "s1": "Spoilt"}, 0.7),
     ({"s1": "Spoilt"}, 0.0)],
)  # fmt: skip
def test_edits_earn_what_the_rule_says(decks: Decks, titles: dict[str, str], score: float) -> None:
    tree = grade(decks.original, decks.edited(**titles), rubric(), options=WEAK)
    assert tree.score == pytest.approx(score)
    assert tree.passed is (score == 1)
    assert tree.root.reason
    assert {"snapshot", "diff", "pictures", "model", "sandbox", "total"} == set(tree.seconds)


def test_a_gate_gives_nothing_for_half(decks: Decks) -> None:
    edited = decks.edited(s1="Spoilt")
    options = GradeOptions("mind2web2", isolation="process")
    assert grade(decks.original, edited, rubric(), options=options).score == 0


def test_an_unknown_rule_is_told_before_anything_runs(decks: Decks) -> None:
    with pytest.raises(UnknownName, match="did you mean 'ppteval'"):
        grade(decks.original, decks.original, rubric(), options=GradeOptions("ppteva"))


def test_a_deck_that_cannot_be_read_is_an_error_and_no_score(decks: Decks) -> None:
    broken = decks.folder / "broken.pptx"
    broken.write_bytes(b"PK nonsense")
    with pytest.raises(DeckError, match=r"broken\.pptx"):
        grade(decks.original, broken, rubric(), options=WEAK)


@pytest.mark.office
def test_a_model_sees_slides_as_they_are_drawn(decks: Decks) -> None:
    seen: list[bytes] = []

    def ask(prompt: str, *, images: Sequence[bytes] = (), **how: Any) -> ModelReply[Any]:
        seen.extend(images)
        return ModelReply("YES")

    tree = grade(
        decks.original, decks.edited(s2="Theme 2"), rubric(leaf("look", LOOK, True)), model=ask
    )
    assert tree.score == 1.0
    assert len(seen) == 1 and seen[0].startswith(b"\x89PNG")
    assert tree.seconds["pictures"] > 0


@pytest.mark.office
def test_a_published_rubric_keeps_its_score_and_the_damage_is_told_beside_it(decks: Decks) -> None:
    deck = Presentation(str(decks.edited(s2="Theme 2")))
    deck.slides[0].shapes.title._element.xpath(".//p:cNvPr")[0].set("hidden", "1")
    edited = decks.folder / "edited.pptx"
    deck.save(str(edited))
    published = parse_rubric({"root": {"name": "all", "children": [leaf("title", TITLE, True)]}})
    page = decks.folder / "graded.html"
    tree = grade(decks.original, edited, published, options=WEAK, html=page)
    assert tree.score == 1.0 and tree.passed is True
    told = tree.to_json()["damage"]
    assert told["counted"] is False and told["loss"] == pytest.approx(1)
    assert [(harm["slide"], harm["what"]) for harm in told["harms"]] == [
        (1, "Title 1: it is hidden")
    ]
    assert "is not counted" in page.read_text()
    shown = StringIO()
    print_graded(tree, Console(file=shown, width=100))
    assert "Damage beside the task would leave 89% of the score." in shown.getvalue()
    assert "Title 1: it is hidden" in shown.getvalue() and "Score: 1" in shown.getvalue()
    count = replace(WEAK, damage="count")
    assert grade(decks.original, edited, published, options=count).score == pytest.approx(8 / 9)


class NoOffice:
    """A converter that cannot draw."""

    engine = "none"
    options: Mapping[str, object] = {}

    def pdf(self, path: str | Path) -> bytes:
        raise RenderFailed(path, "the printer is on fire")

    resaved = pdf


def test_slides_that_cannot_be_drawn_leave_the_score_open(decks: Decks) -> None:
    tree = grade(
        decks.original, decks.edited(s2="Theme 2"), rubric(leaf("look", LOOK, True)),
        model=lambda prompt, **how: ModelReply("YES"), renderer=Renderer(NoOffice()), options=WEAK,
    )  # fmt: skip
    assert isinstance(tree.score, NotScored)
    assert (tree.root.low, tree.root.high, tree.passed) == (0.5, 1.0, None)
    assert "the printer is on fire" in (tree.root.children[2].not_scored or "")


def test_a_draft_is_tried_out_on_the_unedited_deck(decks: Decks) -> None:
    free = leaf("free", "def compute_score():\n    return 'there', 1.0", True)
    drafts = [[free, leaf("calm", CALM, False)],
              [leaf("title", TITLE, True), leaf("calm", CALM, False)]]  # fmt: skip
    asked: list[str] = []

    def ask(prompt: str, **how: Any) -> ModelReply[Any]:
        asked.append(prompt)
        draft = {"root": {"name": "draft", "children": drafts[len(asked) - 1]}}
        return ModelReply(json.dumps(draft))

    found = draft_for_deck("Rename slide 2", decks.original, ask, isolation="process")
    assert [node.name for _, node in found.leaves()] == ["title", "calm"]
    assert "Topic 2" in asked[0]
    assert "scores 1 and must score 0; root.children[0] (free) gave 1: there" in asked[1]
