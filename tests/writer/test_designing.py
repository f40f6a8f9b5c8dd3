"""A design in which the pages of a deck run over is not drawn, and ends no run."""

from pathlib import Path

import pytest
from tests.writer.scripted import STYLE, Script

from decklab.board.blueprint import DeckPlan, SlidePlan
from decklab.core.stages import Stages
from decklab.documents.knowledge import KnowledgeBase
from decklab.rendering.renderer import Renderer
from decklab.writer.designing import design
from decklab.writer.refining import RefinedDeck
from decklab.writer.request import WriteOptions
from decklab.writer.rewriting import PageRewriter

ROWS = '<div style="height:34px">Row</div>' * 10
PLAN = DeckPlan(
    title="T",
    slides=(
        SlidePlan(layout="title", title="The harbour"),
        SlidePlan(
            layout="free",
            title="The programme ends three weeks before the lease does",
            html=f"<div style='display:grid;gap:5px'>{ROWS}</div>",
        ),
    ),
)


def designed(folder: Path, script: Script, **options: str | bool) -> RefinedDeck:
    wanted = WriteOptions(refine=False, **options)  # type: ignore[arg-type]  # of several kinds
    return design(
        PLAN, wanted, folder, ask=script, rewriter=PageRewriter(KnowledgeBase(), wanted, folder),
        free_design=True, kept=False, stages=Stages(None), renderer=Renderer(),
    )  # fmt: skip


@pytest.mark.chromium
def test_a_design_that_was_chosen_gives_way_where_its_pages_run_over(tmp_path: Path) -> None:
    script = Script(style=[STYLE], drafts=[{"best": 2, "reason": "r"}])
    made = designed(tmp_path, script, theme="corporate")
    assert made.pages.theme.name == "light" and len(made.pages.slides) == 2
    (images,) = [shown for stage, shown in script.images if stage == "drafts"]
    assert len(images) == 2  # the dark design, in which the page runs over, is not among them
    plain = designed(tmp_path, Script(), theme="corporate", style=False)
    assert plain.pages.theme.name == "light"


@pytest.mark.chromium
def test_a_style_whose_sizes_let_a_page_run_over_is_sent_back(tmp_path: Path) -> None:
    wide = {**STYLE, "fonts": {"heading": "Open Sans", "body": "Open Sans", "heading_bold": True}}
    script = Script(style=[wide, STYLE], drafts=[{"best": 1, "reason": "r"}])
    made = designed(tmp_path, script, theme="light")
    assert made.told == () and "the words of page 2 do not fit" in script.prompts[1]
