"""Tables as text, Markdown, CSV and LaTeX, and the page."""

import csv
import io
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from pyarrow import parquet

from decklab.core.results import NotScored
from decklab.evals.results.charts import (
    QuadrantAxes,
    interval_chart,
    quadrant_chart,
    quadrant_lines,
)
from decklab.evals.results.means import NO_SPREAD, MeanOf, Observation
from decklab.evals.results.page import (
    CaseCell,
    CaseRow,
    CaseTable,
    PageSection,
    ResultPage,
    write_result_page,
)
from decklab.evals.results.tables import ResultColumn, ResultTable, share_column, system_table
from decklab.evals.results.text import (
    latex_table,
    latex_text,
    table_csv,
    table_lines,
    table_markdown,
    write_tables,
)

EVIL = "<script>alert(1)</script>|_&%$#{}~^\\ 表\x1b[31m"
COLUMNS = (
    share_column("right", "Right, %"),
    ResultColumn("seconds", "s", digits=1, lower_better=True),
    ResultColumn("never", "Never"),
)


def made(*names: str, units: int = 8) -> ResultTable:
    """Systems of which each is better and slower than the one before."""
    rows = [
        Observation(name, f"t{unit}", metric, value)
        for place, name in enumerate(names)
        for unit in range(units)
        for metric, value in (
            ("right", (0.2 + 0.2 * place + unit / 100)),
            ("seconds", 1.0 + place + unit / 10),
            ("never", NotScored("nobody asked")),
        )
    ]
    return system_table("some", "Some table", rows, COLUMNS, main="right", units="tasks")


def test_systems_stand_by_their_places_and_the_leading_are_marked() -> None:
    table = made("poor", "fair", "good")
    assert [(row.name, row.place) for row in table.rows] == [
        ("good", "1"), ("fair", "2"), ("poor", "3"),
    ]  # fmt: skip
    assert table.leading == {("good", "right"), ("poor", "seconds")}


def test_without_evidence_there_is_no_order_and_no_mark() -> None:
    table = made("b", "a", units=3)
    assert [(row.name, row.place) for row in table.rows] == [("a", "1–2"), ("b", "1–2")]
    assert table.leading == frozenset()


def test_a_system_without_a_value_has_no_place_and_one_alone_neither() -> None:
    rows = [Observation("a", str(n), "right", 0.5) for n in range(4)]
    rows += [Observation("b", str(n), "right", 0.4) for n in range(4)]
    rows += [Observation("0", str(n), "right", NotScored("no deck")) for n in range(4)]
    table = system_table("x", "X", rows, COLUMNS[:1], main="right")
    assert [(row.name, row.place) for row in table.rows] == [("a", "1–2"), ("b", "1–2"), ("0", "–")]
    alone = system_table("x", "X", rows[:4], COLUMNS[:1], main="right")
    assert not alone.placed


def test_lines_are_aligned_with_intervals_below() -> None:
    lines = list(table_lines(made("poor", "good")))
    assert lines[0].split() == ["System", "Place", "Right,", "%", "s", "Never"]
    assert lines[1].split() == ["good", "1", "43.5", "2.4", "–"]
    assert lines[2].split()[0] == "95%"
    assert len({len(line) for line in lines[1::2]}) == 1


def test_markdown_and_terminal_take_no_orders() -> None:
    table = made(EVIL, "b")
    assert "\x1b" not in "\n".join(table_lines(table))
    rows = [line for line in table_markdown(table).splitlines() if line.startswith("|")]
    assert all(len(re.findall(r"(?<!\\)\|", line)) == 6 for line in rows)


def test_csv_has_raw_numbers_and_says_why_others_are_missing() -> None:
    first, _ = csv.DictReader(io.StringIO(table_csv(made("=poor", "good"))))
    assert first["system"] == "good"
    assert float(first["right"]) == pytest.approx(0.435)
    assert float(first["right_low"]) < 0.435 < float(first["right_high"])
    assert (first["right_scored"], first["never"], first["reasons"]) == ("8", "", "nobody asked")
    assert ",=poor" not in table_csv(made("=poor", "good"))


def test_every_table_has_its_files(tmp_path: Path) -> None:
    write_tables(tmp_path, [made("poor", "good")])
    assert sorted(path.name for path in (tmp_path / "tables").iterdir()) == [
        "differences.csv", "some.csv", "some.md", "some.parquet", "some.tex",
    ]  # fmt: skip
    with (tmp_path / "tables" / "some.csv").open() as file:
        listed = list(csv.DictReader(file))
    kept = parquet.read_table(tmp_path / "tables" / "some.parquet").to_pylist()
    assert [row["system"] for row in kept] == [row["system"] for row in listed]
    for row, other in zip(kept, listed, strict=True):
        assert row["right_mean"] == pytest.approx(float(other["right"]))
        assert row["right_scored"] == int(other["right_scored"])
        assert row["never_mean"] is None and other["never"] == ""
    text = (tmp_path / "tables" / "differences.csv").read_text()
    right = next(row for row in csv.DictReader(io.StringIO(text)) if row["metric"] == "right")
    assert (right["first"], right["second"], right["units"]) == ("poor", "good", "8")
    assert float(right["difference"]) == pytest.approx(-0.2)
    assert float(right["p"]) == pytest.approx(2 / 2**8)


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="there is no LaTeX")
def test_latex_sets_a_table_of_evil_names(tmp_path: Path) -> None:
    table = made(EVIL, "Zürich – “x”", units=4)
    lines = [r"\documentclass{article}", r"\usepackage[T1]{fontenc}", r"\begin{document}",
             latex_table(table), r"\end{document}"]  # fmt: skip
    (tmp_path / "x.tex").write_text("\n".join(lines))
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "x.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60,
                          check=False)  # fmt: skip
    assert done.returncode == 0, done.stdout[-500:]
    assert (tmp_path / "x.pdf").is_file()


def test_latex_escapes_what_it_would_obey() -> None:
    assert latex_text(r"50% of $x_1 & {y}") == r"50\% of \$x\_1 \& \{y\}"
    assert latex_text("表") == "[U+8868]"
    body = latex_table(made("a", "b"))
    assert body.count("&") == 4 * 5  # a heading and two rows of two lines, five columns
    assert r"\textbf{43.5}" in body


def test_a_chart_shows_the_whole_scale_however_near_systems_are() -> None:
    near = made("a", "b", units=12)
    chart = interval_chart(near, COLUMNS[0])
    assert chart is not None
    labels = [shape.text for shape in chart.shapes if shape.kind == "text"]
    assert labels[:5] == ["0", "25", "50", "75", "100"]
    assert interval_chart(near, COLUMNS[2]) is None


def test_quadrants_are_those_of_the_reference_with_the_interval_drawn() -> None:
    axes = QuadrantAxes("x", "y", (3.0, 20.0), ((0.0, 5.0), (10.0, 30.0)), ("NE", "NW", "SW", "SE"))
    points = {
        "sure": (MeanOf(4.0, 9, 9, NO_SPREAD), MeanOf(25.0, 9, 9, (24.0, 26.0))),
        "open": (MeanOf(4.0, 9, 9, (3.5, 4.5)), MeanOf(20.1, 9, 9, (19.0, 21.0))),
        "one": (MeanOf(4.0, 1, 1, NotScored("one")), MeanOf(25.0, 1, 1, NotScored("one"))),
        "none": (MeanOf(NotScored("no"), 0, 1, NotScored("no")),) * 2,
    }
    lines = list(quadrant_lines(axes, points))
    assert lines[0] == "1 sure: NE"
    assert all("open" in line for line in lines[1:3])
    assert lines[3] == "4 none: not scored"
    chart = quadrant_chart("Map", axes, points)
    assert chart is not None
    assert sum(shape.look == "mean" for shape in chart.shapes) == 3
    assert sum(shape.look == "spread" for shape in chart.shapes) == 3
    assert quadrant_chart("Map", axes, {"none": points["none"]}) is None


def test_a_page_says_all_and_obeys_nobody(tmp_path: Path) -> None:
    table = made(EVIL, "good")
    cases = CaseTable("Case", ["good"], [
        CaseRow(EVIL, [CaseCell("0.50", 0.5, 0.5, page="a b.html", why=EVIL)], cause=EVIL),
        CaseRow("lost", [CaseCell("not scored", why="no reply")]),
    ])  # fmt: skip
    sections = [PageSection("Some", tables=[table], notes=[EVIL]), PageSection("C", cases=cases)]
    page = ResultPage("Bench", EVIL, sections, {"Judge": EVIL}, causes=[("1 deck", EVIL)])
    html = write_result_page(tmp_path / "index.html", page).read_text()
    assert html.count("<script>") == 1
    assert "<script>alert" not in html
    assert 'href="./a%20b.html"' in html
    assert "paired randomisation test" in html
    assert "Student’s t" in html
    assert not re.search(r"""(src|href)=["']?https?:""", html)


def test_a_system_that_is_ahead_of_none_is_not_marked() -> None:
    values = {"good": [9.0] * 12, "poor": [5.0] * 12, "wild": [0.0, 13.0] * 6}
    rows = [
        Observation(name, f"{number}", "right", value + number / 100)
        for name, own in values.items()
        for number, value in enumerate(own)
    ]
    table = system_table("t", "T", rows, [ResultColumn("right", "Right")], main="right")
    assert {row.name: row.place for row in table.rows} == {
        "good": "1–2", "poor": "2–3", "wild": "1–3"
    }  # fmt: skip
    assert table.leading == {("good", "right")}


def test_a_table_says_that_some_pairs_share_too_few_units() -> None:
    rows = [
        Observation(name, f"{number}", "right", float(number))
        for name, units in (("a", 6), ("b", 6), ("c", 5))
        for number in range(units)
    ]
    columns = [ResultColumn("right", "Right")]
    two = system_table("t", "T", rows[:12], columns, units="topics")
    three = system_table("t", "T", rows, columns, units="topics")
    assert two.too_few == ""
    assert three.too_few == ("It takes 7 topics to tell 3 systems apart; no pairs share so many.")
