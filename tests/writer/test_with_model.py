"""Whole runs with a scripted model: every stage good, malformed, aborted and resumed."""

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pptx import Presentation
from tests.openai_server import Answer, images_of, prompt_of, serving
from tests.writer.scripted import END, OUTLINED, PLAN, SAFE, STYLE, Script, outlined, page, point

from decklab.core.errors import ModelFailed, PlanError
from decklab.core.options import Spending
from decklab.linting.lint import LintResult
from decklab.models.asking_loop import sight_number
from decklab.models.reading import Unanswered
from decklab.rendering.pictures import RenderedSlide
from decklab.writer import defects
from decklab.writer.request import WriteOptions
from decklab.writer.write import WrittenDeck, write_deck

GREEN = {**STYLE, "colors": {**STYLE["colors"], "accent": "#0B6E4F"}}
WITH_CHART = {"pages": [*OUTLINED["pages"]]}
WITH_CHART["pages"][1] = outlined(
    "Traffic grew", "containers", queries=("container traffic grew",), visual="T1"
)
GREW = point("Containers grew by 12%", "Container traffic grew by 12% to 48,000")
CHART = page(layout="chart_takeaways", points=[GREW])
SAFER = page(title="Safer work", points=SAFE["points"])


def reading(prompt: str) -> dict[str, Any]:
    """A remark on the slide about staff, until it has another title."""
    remarks = [{"page": 3, "change": "say whose work"}] if "] Work is safer" in prompt else []
    return {"remarks": remarks}


def better(_prompt: str) -> dict[str, Any]:
    return {"better": next(CHOICES), "reason": "clearer"}


CHOICES = cycle([2, 1])
MARKS: dict[str, tuple[str, Any]] = {
    "plan": ("Plan the story", PLAN), "outline": ("Turn the plan", WITH_CHART),
    "page2": ("Write page 2", CHART), "page3": ("Write page 3", SAFE),
    "page4": ("Write page 4", END), "style": ("Fill in the style", GREEN),
    "drafts": ("Choose the look", {"best": 1, "reason": "it suits"}),
    "sight": ("Which number do you see", sight_number("any")),
    "reading": ("Read a slide deck", reading), "redo": ("Write one page", {"page": SAFER}),
    "better": ("Two pictures show", better),
}  # fmt: skip
"""Stages, the words by which their questions are known, and good replies."""
OPTIONS = WriteOptions(slides=4)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the model looks at slides, and each is drawn in one grey that its words give."""

    @contextmanager
    def drawn(deck: Path, **_: Any) -> Iterator[list[RenderedSlide]]:
        titles = [slide.shapes.title.text for slide in Presentation(str(deck)).slides]
        yield [
            RenderedSlide(number, np.full((54, 96, 3), len(title), np.uint8), (), "layout")
            for number, title in enumerate(titles, start=1)
        ]

    monkeypatch.setattr(defects, "open_rendered", drawn)
    monkeypatch.setattr(defects, "html_overflows", lambda _html: [])
    monkeypatch.setattr(defects, "lint", lambda *_, **__: LintResult("deck.pptx", 1, ()))


def script(**replies: list[Any]) -> Script:
    return Script(**{**{name: [good] for name, (_, good) in MARKS.items()}, **replies})


def accent_of(deck: Path) -> str:
    """The first accent colour of the theme part, as it stands in the package."""
    theme = next(
        part.blob for part in Presentation(str(deck)).part.package.iter_parts()
        if str(part.partname).startswith("/ppt/theme/")
    ).decode()  # fmt: skip
    return theme.split("<a:accent1>")[1].split('val="')[1][:6]


@pytest.mark.long
def test_every_stage_leaves_its_artefact_and_its_mark_on_the_deck(
    harbour: Path, tmp_path: Path
) -> None:
    asked, keep = script(), tmp_path / "keep"
    told: list[str] = []
    got = write_deck(
        [harbour], tmp_path / "deck.pptx", options=OPTIONS, model=asked, keep=keep,
        progress=told.append,
    )  # fmt: skip
    assert sorted(path.name for path in keep.glob("*.json")) == [
        "outline.json", "pages.json", "plan.json", "refine.json",
        "settings.json", "story.json", "style.json",
    ]  # fmt: skip
    for name in ("outline", "page 2 of 4", "style", "refine, round 1", "refine, round 2"):
        assert name in told
    assert accent_of(got.files[0]) == "0B6E4F"
    assert got.defects == () and got.left_out == () and got.unfounded == ()
    assert got.changes == ("slide 3 of the plan: say whose work",)
    plan = json.loads((keep / "plan.json").read_text())
    assert plan["slides"][1]["layout"] == "chart_takeaways"
    assert plan["slides"][2]["title"] == "Safer work"
    (chart,) = [
        shape.chart for slide in Presentation(str(got.files[0])).slides for shape in slide.shapes
        if shape.has_chart
    ]  # fmt: skip
    assert list(chart.plots[0].series[0].values) == [210, 262, 301, 244]
    assert got.usage.requests == sum(asked.asked.values())
    assert asked.asked["redo"] == 1 and asked.asked["better"] == asked.asked["reading"] == 2


@pytest.mark.long
def test_a_kept_style_is_used_again_and_may_be_changed(harbour: Path, tmp_path: Path) -> None:
    options = WriteOptions(slides=4, refine=False, theme="light")
    out, keep = tmp_path / "deck.pptx", tmp_path / "keep"
    write_deck([harbour], out, options=options, model=script(), keep=keep)
    style = keep / "style.json"
    style.write_text(style.read_text().replace("#0B6E4F", "#8A1C1C"))
    again = write_deck([harbour], out, options=options, keep=keep, start="plan", force=True)
    assert accent_of(again.files[0]) == "8A1C1C"
    asked = script()
    write_deck([harbour], out, options=options, model=asked, keep=keep, start="outline", force=True)
    assert not asked.asked
    dark = WriteOptions(slides=4, refine=False, theme="dark")
    other = write_deck([harbour], out, options=dark, keep=keep, start="plan", force=True)
    assert "is for the theme light and was not used" in other.left_out[0]
    style.write_text(style.read_text().replace('"#18202C"', '"#FFFFFF"'))
    with pytest.raises(PlanError, match=r"style\.json: text on background has a contrast"):
        write_deck([harbour], out, options=options, keep=keep, start="plan", force=True)


ENDINGS = {
    "plan": None, "outline": None, "page2": "page 2: ", "style": "style: the theme nordic stays",
    "drafts": "style: the first of 3 drafts was taken",
}  # fmt: skip
"""How a stage ends whose replies have no form for ever; None where there is no deck then."""


@pytest.mark.by_day(1)
@pytest.mark.parametrize("stage", ENDINGS)
@pytest.mark.parametrize("bad", ["Sure, here you are!", {"answer": 42}], ids=["prose", "no form"])
def test_a_malformed_reply_is_asked_again_and_for_ever_it_ends_in_a_line(
    harbour: Path, tmp_path: Path, stage: str, bad: Any
) -> None:
    options = WriteOptions(slides=4, refine=False)

    def run(*replies: Any) -> tuple[WrittenDeck, Script]:
        asked = script(**{stage: list(replies)})
        out = tmp_path / "d.pptx"
        return write_deck([harbour], out, options=options, model=asked, force=True), asked

    good = script()
    write_deck([harbour], tmp_path / "d.pptx", options=options, model=good)
    got, asked = run(bad, MARKS[stage][1])
    assert sum(asked.asked.values()) == sum(good.asked.values()) + 1
    assert got.left_out == ()
    line = ENDINGS[stage]
    if line is None:
        (tmp_path / "d.pptx").unlink()
        with pytest.raises(Unanswered, match=rf"no usable answer \({stage}\): ") as caught:
            run(bad)
        assert "\n" not in str(caught.value)
        assert not (tmp_path / "d.pptx").exists()
        return
    got, asked = run(bad)
    assert asked.asked[stage] % 3 == 0
    assert any(one.startswith(line) for one in got.left_out), got.left_out
    assert len(Presentation(str(got.files[0])).slides) == got.slides


def test_invented_numbers_and_quotes_are_caught_and_named(harbour: Path, tmp_path: Path) -> None:
    invented = page(layout="chart_takeaways", points=[
        GREW, point("Profits rose by 99%", "Container traffic grew by 12% to 48,000"),
        point("Ships love it", "Captains adore the harbour"),
    ], chart={
        "kind": "column", "rows": ["Q1", "Q9"], "columns": ["Ships"], "accent": "",
    })  # fmt: skip
    asked = script(page2=[invented])
    options = WriteOptions(slides=4, refine=False)
    got = write_deck([harbour], tmp_path / "d.pptx", options=options, model=asked)
    told = "\n".join(got.left_out)
    for words in ("Profits rose by 99%", "Ships love it", "its chart"):
        assert words in told
    texts = [
        shape.text_frame.text for slide in Presentation(str(got.files[0])).slides
        for shape in slide.shapes if shape.has_text_frame
    ]  # fmt: skip
    assert not any("99" in text or "love" in text for text in texts)
    assert got.unfounded == ()


@pytest.mark.by_day(1)
@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("broken", [name for name in MARKS if name not in ("page3", "page4")])
def test_a_run_that_was_aborted_at_any_stage_goes_on_without_asking_again(
    harbour: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    failing = [broken]

    def answer(request: dict[str, Any]) -> Answer | str:
        prompt = prompt_of(request)
        stage, (_, reply) = next(item for item in MARKS.items() if item[1][0] in prompt)
        if stage in failing:
            return Answer("out of order", status=401)
        said = reply(prompt) if callable(reply) else reply
        return said if isinstance(said, str) else json.dumps(said)

    def run() -> WrittenDeck:
        return write_deck(
            [harbour], tmp_path / "deck.pptx", options=OPTIONS, model="any",
            spending=Spending(record=tmp_path / "record"), force=True,
        )  # fmt: skip

    with serving(answer) as server:
        monkeypatch.setattr("decklab.models.inspect.open_model", lambda _name, **_: server.model())
        if broken == "sight":  # a server that refuses pictures is one that does not see
            assert any("out of order" in line for line in run().not_looked)
            return
        with pytest.raises(ModelFailed, match="out of order"):
            run()
        assert not (tmp_path / "deck.pptx").exists()
        failing.clear()
        got = run()
        asked = Counter(
            (prompt_of(request), tuple(images_of(request))) for request in server.requests
        )
        again = {prompt for (prompt, _), count in asked.items() if count > 1}
        assert again and all(MARKS[broken][0] in prompt for prompt in again)
        assert got.changes and got.defects == ()
        if broken != "redo":
            return
        before = len(server.requests)
        assert run().as_json()["changes"] == list(got.changes)
        assert len(server.requests) == before
