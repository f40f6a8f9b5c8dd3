"""A page that a model writes anew has its old evidence, and its table can be drawn anew."""

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from tests.writer.scripted import page, point

from decklab.board.blueprint import DeckPlan, PicturePlan, SlidePlan
from decklab.documents.knowledge import KnowledgeBase
from decklab.documents.reading import read_documents
from decklab.models.asking import ModelReply, Usage
from decklab.writer.outline import Evidence, Outline, OutlinePage, OutlinePoint, VisualRef
from decklab.writer.request import WriteOptions
from decklab.writer.rewriting import PageRewriter
from decklab.writer.slides import deck_plan

REPORT = """# Harbour

## Traffic

Ships called often in summer. A second crane came in March.

| Quarter | Ships | Tons |
|---|---|---|
| Q1 | 210 | 300 |
| Q2 | 262 | 310 |
| Q3 | 301 | 350 |

## Staff

Nobody was hurt, and the canteen won a prize for its soup.
"""
SAID = "A second crane came in March."


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> KnowledgeBase:
    path = tmp_path_factory.mktemp("rewriting") / "report.md"
    path.write_text(REPORT)
    return read_documents([path])


@pytest.fixture(scope="module")
def plan(sources: KnowledgeBase, tmp_path_factory: pytest.TempPathFactory) -> DeckPlan:
    shown = OutlinePage(
        title="Ships came", layout="chart_takeaways",
        visual=VisualRef(kind="table", document="report.md", number=1),
        points=(OutlinePoint(text="More lifting", evidence=(
            Evidence(document="report.md", page=None, quote=SAID),)),),
    )  # fmt: skip
    outline = Outline(title="Harbour", pages=(shown,))
    return deck_plan(outline, sources, tmp_path_factory.mktemp("pictures"))


def rewritten(
    plan: DeckPlan, sources: KnowledgeBase, write: Callable[[str], dict[str, Any]]
) -> tuple[SlidePlan, str]:
    asked: list[str] = []

    def ask(prompt: str, *, answer: Any = None, **_: Any) -> ModelReply[Any]:
        asked.append(prompt)
        reply = {"page": write(prompt)}
        return ModelReply("", answer.model_validate(reply, strict=False), None, Usage(1, 1, 1))

    rewriter = PageRewriter(sources, WriteOptions(), Path("none"))
    slide, _ = rewriter.rewritten(plan, 0, "calmer", ask)
    assert slide is not None
    return slide, asked[0]


def number_of(prompt: str, quote: str) -> int:
    line = next(line for line in prompt.splitlines() if line.startswith("[") and quote in line)
    return int(line[1 : line.index("]")])


def test_what_the_page_quoted_is_evidence_again(plan: DeckPlan, sources: KnowledgeBase) -> None:
    def write(prompt: str) -> dict[str, Any]:
        one = point("Two cranes lift", SAID, number_of(prompt, SAID))
        return page(layout="chart_takeaways", points=[one])

    slide, _ = rewritten(plan, sources, write)
    assert f"“{SAID}” (report.md)" in slide.notes
    assert slide.chart == plan.slides[0].chart and slide.source == plan.slides[0].source


def test_its_chart_is_drawn_anew_from_its_table(plan: DeckPlan, sources: KnowledgeBase) -> None:
    chart = {"kind": "column", "rows": ["Q1", "Q2", "Q3"], "columns": ["Ships"], "accent": "Q1"}
    slide, prompt = rewritten(plan, sources, lambda _: page(layout="chart", chart=chart))
    assert "Q2\t262\t310" in prompt
    assert slide.chart is not None and slide.chart.categories == ("Q1", "Q2", "Q3")
    assert slide.chart.accent_category == 0 and slide.chart.series[0].values == (210, 262, 301)


def test_a_chart_can_become_its_table(plan: DeckPlan, sources: KnowledgeBase) -> None:
    slide, _ = rewritten(plan, sources, lambda _: page(layout="table"))
    assert slide.chart is None and slide.table is not None
    assert slide.table.rows[1] == ("Q2", "262", "310")


def test_a_chart_of_other_numbers_stays_as_it_is(plan: DeckPlan, sources: KnowledgeBase) -> None:
    first = plan.slides[0]
    assert first.chart is not None
    series = first.chart.series[0].model_copy(update={"values": (1.5, 2.5, 3.5)})
    computed = first.model_copy(update={"chart": first.chart.model_copy(
        update={"series": (series,), "accent": 0}
    )})  # fmt: skip
    other = plan.model_copy(update={"slides": (computed,)})
    slide, prompt = rewritten(other, sources, lambda _: page(layout="chart"))
    assert slide.chart == computed.chart and "drawn anew, is" not in prompt


class Looking:
    """A model that keeps the sizes of the pictures that it is shown."""

    def __init__(self) -> None:
        self.sizes: list[tuple[int, int]] = []
        self.prompt = ""

    def __call__(
        self, prompt: str, *, answer: Any = None, images: Any = (), **_how: Any
    ) -> ModelReply[Any]:
        self.prompt, self.sizes = prompt, []
        self.sizes += [Image.open(io.BytesIO(data)).size for data in images]
        reply = {"page": page(layout="picture_full")}
        return ModelReply("", answer.model_validate(reply, strict=False), None, Usage(1, 1, 1))


@pytest.mark.parametrize(("name", "sizes"), [("crane.png", [(640, 213)]), ("lost.png", [])])
def test_the_model_sees_the_picture_of_the_page(
    name: str, sizes: list[tuple[int, int]], sources: KnowledgeBase, tmp_path: Path
) -> None:
    Image.new("RGB", (900, 300), "#336699").save(tmp_path / "crane.png")
    picture = PicturePlan(path=str(tmp_path / name), alt="A crane")
    slide = SlidePlan(layout="picture_full", title="A crane", picture=picture)
    deck, ask = DeckPlan(title="T", slides=(slide,)), Looking()
    made, _ = PageRewriter(sources, WriteOptions(), tmp_path).rewritten(deck, 0, "calmer", ask)
    assert made is not None and made.picture == picture
    assert ask.sizes == sizes and "the last picture here" in ask.prompt
