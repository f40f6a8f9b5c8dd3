"""From logs to a page, tables and headlines."""

import csv
import gc
import json

import pytest
from inspect_ai.model import ModelOutput, ModelUsage, get_model

from decklab.benchmarks.slideeval.extract import extract_task
from decklab.benchmarks.slideeval.order import order_task
from decklab.benchmarks.slideeval.rate import rate_task
from decklab.benchmarks.slideeval.reporting import headlines, report_folder
from decklab.benchmarks.slideeval.running import run_task
from decklab.errors import DeckError, ModelFailed

pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")


@pytest.fixture(autouse=True)
def nothing_is_left_to_other_tests():
    yield
    gc.collect()


def saying(*texts):
    """A made-up model that gives these replies in turn, the last one for good."""
    left = list(texts)

    def output(messages, tools, choice, config):
        found = ModelOutput.from_content("made-up", left.pop(0) if len(left) > 1 else left[0])
        found.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return found

    return get_model("mockllm/model", custom_outputs=output, memoize=False)


def table(folder, name):
    with (folder / "csv" / f"{name}.csv").open(newline="") as stream:
        return list(csv.DictReader(stream))


def test_a_folder_of_logs_becomes_page_tables_and_headlines(slides, damaged, decks, tmp_path):
    logs = tmp_path / "logs"
    truth = slides[0].truth.model_dump_json()
    run_task(extract_task(slides, runs=1), logs=logs, model=saying(truth, "I cannot", truth))
    run_task(rate_task(damaged, runs=1), logs=logs, model=saying(json.dumps({"score": 4})))
    run_task(order_task(decks, runs=1), logs=logs, model=saying('{"order": [2, 3, 1]}'))
    summary = report_folder(logs, tmp_path)
    values = {(line.task, line.measure): line.value for line in headlines(summary)}
    # Three slides of four are read right; of 8 true elements 6 are found, none made up.
    assert values["extract", "matching F1"] == pytest.approx(2 * 6 / (6 + 8))
    assert values["order", "tau"] == 1.0
    assert values["perturb", "text, 5 points, POA"] == 1.0
    [flat] = [each for each in headlines(summary) if each.measure == "text, 5 points, Spearman"]
    assert flat.value is None
    assert "not scored" in str(flat)
    rows = {row["measure"]: row for row in table(tmp_path, "table-4")}
    assert float(rows["matching_f1"]["end_to_end"]) == pytest.approx(6 / 7)
    assert float(rows["matching_f1"]["parsed_only"]) == 1.0
    assert [row["rate"] for row in table(tmp_path, "figure-6") if row["elements"] == "(1, 2]"] == [
        "0.75"
    ]
    assert len(table(tmp_path, "weights")) == 11
    page = (tmp_path / "slideeval.html").read_text()
    assert "0.86 (1.00)" in page
    assert "http" not in page.replace("http-equiv", "")


def test_the_newest_log_of_a_judge_counts(slides, tmp_path):
    model = "I cannot", slides[0].truth.model_dump_json()
    for text in model:
        run_task(extract_task(slides[:1], runs=1), logs=tmp_path / "logs", model=saying(text))
    [first, *_] = headlines(report_folder(tmp_path / "logs", tmp_path))
    assert first.value == 1.0


def test_a_folder_without_logs_is_said(tmp_path):
    with pytest.raises(DeckError, match="holds no log"):
        report_folder(tmp_path, tmp_path)


def test_a_run_over_nothing_is_a_failure(tmp_path):
    with pytest.raises((ModelFailed, ValueError)):
        run_task(extract_task((), runs=1), logs=tmp_path, model=saying("{}"))
