"""The page and tables of SlideEval."""

import csv
import io
import re
from dataclasses import replace

import pytest
from rich.console import Console

from decklab.core.results import NotScored
from decklab.evals.results.means import Observation
from decklab.evals.results.page import write_result_page
from decklab.evals.slideeval.report import slideeval_page
from decklab.evals.slideeval.summary import (
    CategoryCounts,
    CountSpread,
    DatasetTables,
    ExtractionSummary,
    FontCount,
    QuestionCounts,
    SensitivitySummary,
    SlideEvalSummary,
)
from decklab.evals.slideeval.tables import print_dataset, write_slideeval_csv
from decklab.metrics.element_estimates import Estimate, ParseBin
from decklab.metrics.element_matching import WeightSensitivity
from decklab.metrics.ratings import ScaleLink
from decklab.metrics.sensitivity import FrontierPoint, ManipulationCheck, ModelAgreement
from decklab.pages.svg_charts import (
    Bar,
    ChartPlace,
    LineSeries,
    ValueSpread,
    bar_chart,
    line_chart,
    place_chart,
)

NONE = NotScored("no reply was scored")
COUNTS = CountSpread(2.5, None, 0, 2, 1183)
DATASET = DatasetTables(
    "Slides that were asked about", 9,
    (CategoryCounts("slides", COUNTS, None, 9), CategoryCounts("texts", COUNTS, COUNTS, 1234)),
    (FontCount("<i>arial", 7, (5,)), FontCount("lato", 0, (2,))), (FontCount("sans", 7, (7,)),),
    ("one",),
)  # fmt: skip
NASTY = "</script><b>judge\u202e"


def estimate(scope, value, interval):
    return Estimate("extraction.matching_f1", "all", scope, value, NONE, 0, 0.9, interval)


def point(judge, scale):
    return FrontierPoint(judge, "text", scale, 0.9, NONE, 0.8, NONE, 0.1, 33, ((0, 0), (1, 0.8)))


def ceiling(judge, scale):
    curve = ((0, 0), (1, 1.0))
    return FrontierPoint(judge, "text", scale, 0.987, NONE, 0.876, NONE, 0.043, 33, curve)


def summary(*judges):
    return SlideEvalSummary(
        questions=tuple(
            QuestionCounts("slideeval_extract", name, 2, 9, 1, (("the key is wrong", 3),))
            for name in judges
        ),
        extraction=tuple(
            ExtractionSummary(
                name, 9,
                (estimate("end_to_end", 0.5 + place / 10, (0.4, 0.7)),
                 estimate("parsed_only", 0.75, NONE)),
                (ParseBin(1, 2, 4, 3, 0.75, (0.5, 0.9)),),
                (WeightSensitivity("", 1.0, 0.5, 0.0),),
            )
            for place, name in enumerate(judges)
        ),
        sensitivity=SensitivitySummary(
            points=tuple(point(name, scale) for name in judges for scale in (5, 100)),
            ceilings=tuple(ceiling(judges[0], scale) for scale in (5, 100)),
            ladder_draws=dict.fromkeys(judges, "coupled"),
            checks=(
                ManipulationCheck("judges", "all", 5, 0.91, NONE, 0.3, 33),
                ManipulationCheck("damage", "text", None, 0.993, NONE, 0.02, 33),
            ),
            links=tuple(ScaleLink(name, 0.9, 0.1, 0.001, 9, ()) for name in judges),
            agreements=tuple(
                ModelAgreement((judges[0], name), "text", 5, -1.0, 0.0, 9, 0.6)
                for name in judges[1:]
            ),
        ),
        ordering=tuple(Observation(name, "deck", "kendall_tau", NONE) for name in judges),
        datasets=(DATASET,),
    )  # fmt: skip


def page_of(tmp_path, found):
    return write_result_page(tmp_path / "page.html", slideeval_page(found)).read_text()


def test_a_judge_is_best_only_with_an_interval_apart_from_the_others(tmp_path):
    near = summary("one", "two")  # 0.5 and 0.6, both from 0.4 to 0.7
    assert 'class="leading"' not in page_of(tmp_path, near)
    far = replace(near, extraction=(near.extraction[0], replace(
        near.extraction[1], estimates=(estimate("end_to_end", 0.9, (0.8, 0.95)),
                                       estimate("parsed_only", 0.9, NONE)))))  # fmt: skip
    page = page_of(tmp_path, far)
    assert re.findall(r'<td class="leading">([\d.]+)', page) == ["0.90"]
    assert 'class="leading"' not in page_of(tmp_path, summary("one"))


def test_values_that_are_not_there_say_why(tmp_path):
    page = page_of(tmp_path, summary("one"))
    assert 'title="no reply was scored">–' in page
    assert "3 x the key is wrong" in page


def test_names_from_outside_are_shown_not_obeyed(tmp_path):
    page = page_of(tmp_path, summary(NASTY, "two"))
    assert "<b>judge" not in page
    assert "&lt;/script&gt;&lt;b&gt;judge" in page
    assert "\u202e" not in page


def test_an_empty_run_has_a_page(tmp_path):
    assert "<svg" not in page_of(tmp_path, SlideEvalSummary())


def test_what_the_damage_reaches_stands_beside_the_judge(tmp_path):
    page = page_of(tmp_path, summary("one", "two"))
    for value in ("0.987", "0.876", "0.043"):
        assert value in page
    assert "the damage itself: 1.00" in page


def test_a_dataset_has_its_tables_and_its_fonts_are_shown_not_obeyed(tmp_path):
    page = page_of(tmp_path, summary("one"))
    assert "Table 2" in page and "1183" in page
    assert "&lt;i&gt;arial" in page and "<i>arial" not in page
    alone = page_of(tmp_path, SlideEvalSummary(datasets=(replace(DATASET, judges=()),)))
    assert "&lt;i&gt;arial" in alone
    out = io.StringIO()
    print_dataset(DATASET, Console(file=out, width=120))
    printed = out.getvalue()
    assert "1234" in printed and "<i>arial 7, lato 0" in printed


def test_every_table_has_a_file(tmp_path):
    files = write_slideeval_csv(tmp_path, summary("one", "two"))
    rows = {path.stem: list(csv.reader(path.read_text().splitlines())) for path in files}
    figures = {f"figure-{name}" for name in ("2", "3a", "3b", "6", "7", "8")}
    assert figures | {"table-2", "table-4", "table-5", "table-6", "manipulation"} <= rows.keys()
    assert rows["figure-3a"][1][-5:] == ["coupled", "0.987", "0.876", "0.043", ""]
    assert rows["manipulation"][1][:4] == ["judges", "all", "5", "0.91"]
    assert rows["table-5"][1:] == [
        [DATASET.name, "truth", "<i>arial", "7"], [DATASET.name, "truth", "lato", "0"],
        [DATASET.name, "one", "<i>arial", "5"], [DATASET.name, "one", "lato", "2"],
    ]  # fmt: skip
    assert rows["table-2"][1][-6:] == ["", "", "", "", "", "9"]
    assert all(len(row) == len(table[0]) for table in rows.values() for row in table)
    assert rows["figure-8"][2] == ["one", "kendall_tau", "", "", "", "0", "no reply was scored"]
    assert rows["figure-3b"][1][4:6] == ["", "0.0"]


def test_bars_are_as_long_as_their_values():
    chart = bar_chart("F1", [Bar("A", 0, ValueSpread(0.5)), Bar("B", 1, ValueSpread(1.0))], top=1.0)
    first, second = [shape.width for shape in chart.shapes if shape.look.startswith("fill")]
    assert first == pytest.approx(second / 2)
    assert chart.label == "F1: A 0.50; B 1.00"


def test_points_stand_where_their_values_are():
    places = [
        ChartPlace("A", 0, 5, ValueSpread(0.5), ValueSpread(1.0)),
        ChartPlace("A", 0, 100, ValueSpread(1.0), ValueSpread(0.5)),
    ]
    chart = place_chart("Text", places, across="rho", up="POA")
    circle = next(shape for shape in chart.shapes if shape.kind == "circle")
    square = next(shape for shape in chart.shapes if shape.kind == "rect")
    assert circle.x < square.x
    assert circle.y < square.y


def test_a_line_leaves_out_what_has_no_value():
    values = ((0.0, ValueSpread(0.0)), (0.5, ValueSpread(reason="none")), (1.0, ValueSpread(1.0)))
    chart = line_chart("", [LineSeries("A", 0, values)], ticks=[(0.0, "0"), (1.0, "1")])
    assert sum(shape.kind == "circle" for shape in chart.shapes) == 2
