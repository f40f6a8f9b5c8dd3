"""From logs to a page, tables and headlines."""

import csv
import gc
import json
import re
import sys

import pytest
from inspect_ai.model import ModelOutput, ModelUsage, get_model

from decklab.cli import main
from decklab.core.errors import DeckError
from decklab.deck.deck import write_samples
from decklab.evals.inspect_run import NothingToAsk, run_task
from decklab.evals.slideeval.report import headlines, report_folder, warnings
from decklab.evals.slideeval.summary import DATASET_FILE, dataset_of_decks, keep_dataset
from decklab.evals.slideeval.tasks import extract_task, order_task, rate_task

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


@pytest.mark.long
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
    assert "not scored" in str(flat) and flat.ceiling == 1.0
    [steady] = [each for each in headlines(summary) if each.measure == "text, 5 points, POA"]
    assert str(steady).endswith("POA 1.000, the damage itself 1.000, n = 3")
    [calm] = [each for each in headlines(summary) if each.measure == "text, 5 points, MACE"]
    assert calm.value == pytest.approx((0.25 + 0.25 + 0.75) / 3)
    assert calm.ceiling == 0.0
    checks = {(row["of"], row["scale"]): row for row in table(tmp_path, "manipulation")}
    assert checks["damage", ""]["n"] == "3"
    assert float(checks["judges", "5"]["mace"]) == pytest.approx(calm.value)
    assert {row["damage_consistency"] for row in table(tmp_path, "figure-3a")} == {"1.0"}
    rows = {row["measure"]: row for row in table(tmp_path, "table-4")}
    assert float(rows["matching_f1"]["end_to_end"]) == pytest.approx(6 / 7)
    assert float(rows["matching_f1"]["parsed_only"]) == 1.0
    assert [row["rate"] for row in table(tmp_path, "figure-6") if row["elements"] == "(1, 2]"] == [
        "0.75"
    ]
    assert len(table(tmp_path, "weights")) == 11
    texts = {row["category"]: row for row in table(tmp_path, "table-2")}["texts"]
    assert (texts["total"], texts["deck_mean"], texts["slide_mean"]) == ("4", "4.0", "1.0")
    fonts = {(row["of"], row["font"]): row["count"] for row in table(tmp_path, "table-5")}
    # One reply of four could not be read.
    assert fonts == {("truth", "arial"): "4", ("mockllm/model", "arial"): "3"}
    page = (tmp_path / "slideeval.html").read_text()
    whole, parsed = (page[page.index(f"{scope}</b>") :] for scope in ("end to end", "parsed only"))
    cells = [re.findall(r"<td>(\d\.\d\d)", part)[0] for part in (whole, parsed)]
    assert cells == ["0.86", "1.00"]
    assert "http" not in page.replace("http-equiv", "")


@pytest.mark.long
def test_replies_that_cannot_be_read_are_counted_by_task_and_judge(
    slides, damaged, tmp_path, capsys, monkeypatch
):
    logs = tmp_path / "logs"
    run_task(extract_task(slides, runs=1), logs=logs, model=saying("no", "no", "no", "{}", "{}"))
    run_task(rate_task(damaged, runs=2), logs=logs, model=saying("Lovely slides!"))
    told = list(warnings(report_folder(logs, tmp_path)))
    assert told == [
        "extract: mockllm/model: 4 of 4 replies could not be read",
        "perturb: mockllm/model: 12 of 12 replies could not be read",
    ]
    monkeypatch.setattr(sys, "argv", ["decklab", "bench", "slideeval-report", str(tmp_path)])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 0
    assert [f"decklab: {line}" for line in told] == capsys.readouterr().err.splitlines()


def test_logs_that_do_not_tell_the_damage_have_no_ceiling(damaged, tmp_path):
    task = rate_task(damaged, runs=1)
    for sample in task.dataset:
        for name in ("damage", "ladder_draws", "seed"):
            del sample.metadata[name]
    run_task(task, logs=tmp_path / "logs", model=saying('{"score": 2}'))
    summary = report_folder(tmp_path / "logs", tmp_path)
    assert all(line.ceiling is None for line in headlines(summary))
    assert summary.sensitivity.ladder_draws == {"mockllm/model": "independent"}
    assert {row["damage_consistency"] for row in table(tmp_path, "figure-3a")} == {""}


def test_a_folder_s_tables_are_kept_and_shown_with_or_without_logs(slides, tmp_path):
    write_samples(tmp_path / "decks")
    dataset, left_out = dataset_of_decks(tmp_path / "decks")
    assert (dataset.decks, left_out) == (3, ())
    keep_dataset(dataset, tmp_path)
    report_folder(tmp_path / "logs", tmp_path)
    assert {row["dataset"] for row in table(tmp_path, "table-2")} == {"All slides of decks"}
    run_task(extract_task(slides, runs=1), logs=tmp_path / "logs", model=saying("no"))
    report_folder(tmp_path / "logs", tmp_path)
    assert len({row["dataset"] for row in table(tmp_path, "table-6")}) == 2
    (tmp_path / DATASET_FILE).write_text("[]")
    with pytest.raises(DeckError, match="is no table of a dataset"):
        report_folder(tmp_path / "logs", tmp_path)


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
    with pytest.raises(NothingToAsk):
        run_task(extract_task((), runs=1), logs=tmp_path, model=saying("{}"))
