"""``decklab agree``: from tables to numbers, a page and JSON."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from decklab import evals
from decklab.cli.judge import app
from decklab.core.errors import UnknownName
from decklab.core.results import NotScored

METRICS = ("harmony.score", "engagement.score", "usability.score", "rhythm.score")


@pytest.fixture
def tables(tmp_path: Path) -> tuple[Path, Path]:
    """Three topics with four products; rhythm has the people's order, harmony the reverse."""
    ranks = ["topic,annotator,product,rank"]
    scores = ["topic,product,metric,value"]
    for topic in ("sea", "air", "<b>land"):
        for place, product in enumerate("ABCD", 1):
            ranks += [f"{topic},ann,{product},{place}", f"{topic},bob,{product},{place}"]
            values = (place / 2, (place % 2) / 4, 1.0, 5 - place)
            scores += [f"{topic},{product},{m},{v}" for m, v in zip(METRICS, values, strict=True)]
    ranks.append("sea,eve,A,best")
    (tmp_path / "ranks.csv").write_text("\n".join(ranks) + "\n")
    (tmp_path / "scores.csv").write_text("\n".join(scores) + "\n")
    return tmp_path / "scores.csv", tmp_path / "ranks.csv"


def test_all_of_it_by_hand(tables):
    found = evals.agree(*tables, ablate=True, select=True, tuned=True)
    by_name = {row.metric: row for row in found.metrics}
    assert by_name["rhythm.score"].rho == pytest.approx(1.0)
    assert by_name["harmony.score"].rho == pytest.approx(-1.0)
    assert isinstance(by_name["usability.score"].rho, NotScored)
    assert (found.metrics[0].metric, found.metrics[-1].metric) == (
        "rhythm.score",
        "usability.score",
    )
    assert (found.topics, found.rankings, found.products) == (3, 6, 12)
    assert found.people.rho == pytest.approx(1.0)
    assert found.annotators.w.value == pytest.approx(1.0)
    assert len(found.ablation) == 15
    together = next(row for row in found.ablation if row.metric == "harmony.score + rhythm.score")
    assert together.rho == pytest.approx(1.0)  # 5 - place / 2
    assert [step.metric for step in found.selection.steps] == ["rhythm.score"]
    assert isinstance(found.tuning, NotScored)
    assert found.faults == (f"{tables[1]}:26: 'best' is no rank",)


def test_a_metric_that_is_not_there_is_named(tables):
    with pytest.raises(UnknownName, match="no metric named 'speed'; they hold engagement"):
        evals.agree(*tables, metrics=["speed"])


def test_inputs_are_not_written_over(tables):
    with pytest.raises(FileExistsError, match="changes no input"):
        evals.agree(*tables, outputs=[tables[1]])


def test_the_command_prints_numbers_and_what_was_left_out(tables):
    done = CliRunner().invoke(app, ["agree", *map(str, tables), "--ablation", "--select", "--tune"])
    assert done.exit_code == 0, done.output
    assert "3 topics, 12 ranked products, 6 rankings" in done.output
    assert "rhythm.score" in done.output
    assert ":26: 'best' is no rank" in done.output
    assert "not scored: tuning needs two topics" in done.output


def test_json_has_every_topic_and_no_number_that_is_not_there(tables):
    done = CliRunner().invoke(
        app, ["agree", *map(str, tables), "--json", "--metric", "usability.score"]
    )
    found = json.loads(done.output)
    [row] = found["metrics"]
    assert row["rho"] is None
    assert row["reason"] == "no topic has a rank correlation"
    assert [one["topic"] for one in row["by_topic"]] == ["sea", "air", "<b>land"]
    assert found["annotators"]["icc"]["two_way_fixed"]["value"] == 1.0


def test_the_page_is_whole_and_escapes_names(tables, tmp_path):
    page = tmp_path / "a.html"
    done = CliRunner().invoke(
        app, ["agree", *map(str, tables), "--html", str(page), "--ablation", "--select", "--tune"]
    )
    assert done.exit_code == 0, done.output
    text = page.read_text()
    assert "&lt;b&gt;land" in text
    assert "<b>land" not in text
    assert "Sums of dimensions" in text
    assert "1.00" in text


def test_one_line_and_code_2_where_nothing_can_be_read(tables, tmp_path):
    done = CliRunner().invoke(app, ["agree", str(tables[0]), str(tmp_path / "none.csv")])
    assert done.exit_code == 2
    many = tmp_path / "many.csv"
    rows = [f"sea,A,m{n},1" for n in range(9)]
    many.write_text("\n".join(["topic,product,metric,value", *rows]) + "\n")
    done = CliRunner().invoke(app, ["agree", str(many), str(tables[1]), "--ablation"])
    assert done.exit_code == 2
    assert "9 metrics have too many subsets" in done.output


def test_one_ranking_of_one_topic_is_enough_and_says_what_it_lacks(tmp_path):
    (tmp_path / "r.csv").write_text("topic,annotator,product,rank\nt,ann,A,1\nt,ann,B,2\n")
    (tmp_path / "s.csv").write_text("topic,product,metric,value\nt,A,m,2\nt,B,m,1\n")
    done = CliRunner().invoke(
        app,
        [
            "agree",
            str(tmp_path / "s.csv"),
            str(tmp_path / "r.csv"),
            "--html",
            str(tmp_path / "p.html"),
        ],
    )
    assert done.exit_code == 0, done.output
    assert "Annotators: not scored: no topic was ranked by two people" in done.output
    assert "not scored: no topic was ranked by two people" in (tmp_path / "p.html").read_text()
