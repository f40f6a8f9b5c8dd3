"""A deck by rules is written whatever a layout has room for."""

from pathlib import Path

from pptx import Presentation

from decklab.board.blueprint import BigNumber, ChartPlan, SeriesPlan, SlidePlan
from decklab.writer.request import WriteOptions
from decklab.writer.slides import plain_slide
from decklab.writer.write import write_deck


def test_a_plain_slide_keeps_every_text_and_number() -> None:
    numbers = (BigNumber(value="9.4 h", label="before"), BigNumber(value="6.1 h", label="after"))
    slide = SlidePlan(layout="big_numbers", title="T", numbers=numbers, subtitle="A remark")
    plain = plain_slide(slide)
    assert [point.text for point in plain.body] == ["A remark", "9.4 h: before", "6.1 h: after"]
    chart = ChartPlan(
        kind="column", categories=("a", "b"), source="s",
        series=(SeriesPlan(name="n", values=(1.5, None)),),
    )  # fmt: skip
    drawn = plain_slide(SlidePlan(layout="chart", title="T", chart=chart))
    assert drawn.table is not None and drawn.table.rows == (("a", "1.5"), ("b", ""))
    assert plain_slide(plain) == plain and plain_slide(drawn) == drawn


def test_categories_too_long_for_a_chart_still_give_a_deck(tmp_path: Path) -> None:
    names = [f"{'Verylongcategoryname' * 3}{at}" for at in range(12)]
    rows = "\n".join(f"| {name} | {at + 3} |" for at, name in enumerate(names))
    source = tmp_path / "long.md"
    source.write_text(f"# Names\n\n## Counts\n\n| Name | Count |\n|---|---|\n{rows}\n")
    written = write_deck([source], tmp_path / "deck.pptx", options=WriteOptions(slides=6))
    slides = Presentation(str(written.files[0])).slides
    assert any(shape.has_table or shape.has_chart for slide in slides for shape in slide.shapes)
