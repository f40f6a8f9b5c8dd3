"""The tasks against a server that speaks OpenAI's API, and against a model that is made up."""

import base64
import gc
import io
import json
import re
from dataclasses import replace

import pytest
from inspect_ai.log import read_eval_log
from inspect_ai.model import GenerateConfig, ModelOutput, ModelUsage, get_model
from PIL import Image
from tests.evals.slideeval.conftest import RECT, picture, plain, text
from tests.openai_server import Answer, images_of, prompt_of, serving

from decklab.evals.inspect_run import NothingToAsk, run_task
from decklab.evals.slideeval.items import ExtractItem, png
from decklab.evals.slideeval.runs import judge_answers, newest_logs, read_extraction, read_ordering
from decklab.evals.slideeval.summary import summary_of
from decklab.evals.slideeval.tasks import extract_task, order_task, rate_task
from decklab.models.asking import Budget, RunCosts, Usage
from decklab.models.model_run import ModelRun, open_record

# Inspect leaves connections and the streams of failed samples to the garbage collector.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")

QUICK = GenerateConfig(attempt_timeout=5, max_retries=0)


@pytest.fixture(autouse=True)
def nothing_is_left_to_other_tests():
    yield
    gc.collect()


def shade_of(request):
    [url] = images_of(request)
    data = base64.b64decode(url.partition(",")[2])
    return Image.open(io.BytesIO(data)).getpixel((0, 0))[0]


@pytest.fixture(scope="module")
def extracted(tmp_path_factory):
    """A run over four slides: a good reply, one that does not fit, a refusal, and silence."""
    truth = plain(texts=[text("Results")], rects=[RECT])
    items = tuple(ExtractItem("a.pptx", n, truth, png(picture(250 + n))) for n in (1, 2, 3, 4))
    replies = {
        251: truth.model_dump_json(),
        252: '{"texts": "I see a title"}',
        253: Answer("pictures are not allowed", 400),
        254: Answer(truth.model_dump_json(), delay=20),
    }
    logs = tmp_path_factory.mktemp("logs")
    with serving(lambda request: replies[shade_of(request)]) as server:
        run_task(extract_task(items, runs=1), logs=logs, model=server.model(config=QUICK))
    gc.collect()
    [log] = newest_logs(logs)
    return server.requests, log, logs


def test_picture_schema_and_frame_arrive(extracted):
    request = next(one for one in extracted[0] if shade_of(one) == 251)
    form = request["response_format"]["json_schema"]
    assert form["strict"] is True
    assert form["schema"]["required"] == [
        "size", "background", "texts", "rects", "lines", "images", "tables",
    ]  # fmt: skip
    assert form["schema"]["additionalProperties"] is False
    assert "960 pixels wide and 540 pixels high" in prompt_of(request)
    assert request["temperature"] == 0.2


def test_a_reply_that_does_not_fit_is_kept_with_its_text_and_found_nothing(extracted):
    sample = next(one for one in extracted[1].samples if one.id == "a.pptx#2")
    score = sample.scores["extraction"]
    assert score.answer == '{"texts": "I see a title"}'
    assert score.explanation.startswith("size: Field required")
    assert score.value == {"parsed": 0.0, "matching_f1": 0.0, "text_f1": 0.0}


def test_a_question_without_a_reply_is_in_no_score_and_says_why(extracted):
    [asked] = summary_of([extracted[1]]).questions
    assert (asked.questions, asked.unreadable) == (4, 1)
    causes = " ".join(cause for cause, _ in asked.failed)
    assert sum(count for _, count in asked.failed) == 2
    assert "pictures are not allowed" in causes
    assert "a.pptx#3" not in {
        f"{r.deck}#{r.slide}" for r in read_extraction(judge_answers(extracted[1]))
    }


def test_scores_pool_the_two_replies(extracted):
    # One slide wholly found, one wholly missed: 2 of 2 and 0 of 2 true elements, none made up.
    [found] = summary_of([extracted[1]]).extraction
    values = {(row.measure, row.scope): row.value for row in found.estimates if row.where == "all"}
    assert values["extraction.matching_f1", "end_to_end"] == pytest.approx(2 * 2 / (2 + 4))
    assert values["extraction.matching_f1", "parsed_only"] == 1.0
    metrics = extracted[1].results.scores[0].metrics
    assert metrics["matching_f1"].value == pytest.approx(2 / 3)
    assert metrics["parsed"].value == 0.5


def test_the_log_shows_the_slide_and_what_was_matched(extracted):
    log = read_eval_log(extracted[1].location, resolve_attachments=True)
    sample = next(one for one in log.samples if one.id == "a.pptx#1")
    shown = [
        part.image
        for message in sample.messages
        if not isinstance(message.content, str)
        for part in message.content
        if part.type == "image"
    ]
    kinds = [re.match(r"data:(image/\w+);", url)[1] for url in shown]
    assert kinds == ["image/png", "image/jpeg"]
    overlay = Image.open(io.BytesIO(base64.b64decode(shown[1].partition(",")[2])))
    assert overlay.size == (960, 540)


def made_up(answer):
    def output(messages, tools, choice, config):
        found = ModelOutput.from_content("made-up", answer(messages, config))
        found.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return found

    return get_model("mockllm/model", custom_outputs=output, memoize=False)


def test_ratings_are_asked_on_both_scales_and_analysed(damaged, tmp_path):
    def rate(messages, config):
        scale = 5 if "from 1 to 5," in messages[0].text else 100
        assert config.response_schema.name == f"Rating{scale}"
        data = base64.b64decode(messages[1].content[1].image.partition(",")[2])
        worse = (250 - Image.open(io.BytesIO(data)).getpixel((0, 0))[0]) / 100
        return json.dumps({"score": round(scale - worse * (scale - 1))})

    log = run_task(rate_task(damaged, runs=2), logs=tmp_path, model=made_up(rate))
    assert log.samples is not None
    assert len(log.samples) == 3 * 2 * 2
    points = summary_of([log]).sensitivity.points
    assert [(p.axis, p.scale, p.consistency, p.fidelity) for p in points] == [
        ("text", 5, 1.0, 1.0), ("text", 100, 1.0, 1.0),
    ]  # fmt: skip
    assert points[0].mace == 0
    assert log.results.scores[0].metrics["text_5_spearman"].value == 1.0


def test_an_order_is_told_in_numbers_of_pictures(decks, tmp_path):
    # Slides 3, 1 and 2 are shown: pictures 2, 3 and 1 are slides 1, 2 and 3.
    log = run_task(
        order_task(decks, runs=1), logs=tmp_path, model=made_up(lambda *_: '{"order": [2, 3, 1]}')
    )
    [run] = read_ordering(judge_answers(log))
    assert (run.score.kendall_tau, run.score.exact_match) == (1.0, 1.0)
    assert log.samples[0].scores["ordering"].value == 1.0
    assert len(log.samples[0].input[1].content) == 1 + 3


def test_an_order_that_lacks_a_slide_is_not_scored_but_its_length_is(decks, tmp_path):
    log = run_task(
        order_task(decks, runs=1), logs=tmp_path, model=made_up(lambda *_: '{"order": [1, 2]}')
    )
    values = {row.metric: row.value for row in summary_of([log]).ordering}
    assert values["length_ratio"] == pytest.approx(2 / 3)
    assert "lacks 1 of 3" in values["kendall_tau"].reason


@pytest.mark.long
def test_text_only_questions_hold_the_words_and_no_picture(slides, damaged, decks, tmp_path):
    items = [replace(one, words=f"## Words of slide {one.slide}") for one in slides]
    shown = [replace(one, words=("Third.", "First.", "Second.")) for one in decks]
    titled = damaged[0].elements.model_copy(update={"title": "Rusults"})
    damaged = [replace(one, elements=titled) for one in damaged]
    tasks = (
        extract_task(items, runs=1, text_only=True), rate_task(damaged, runs=1, text_only=True),
        order_task(shown, runs=1, text_only=True),
    )  # fmt: skip
    with serving(["{}"]) as server:
        for task in tasks:
            log = run_task(task, logs=tmp_path, model=server.model("blind"))
            assert log.eval.metadata["text_only"] is True
    prompts = [prompt_of(request) for request in server.requests]
    assert not any(images_of(request) for request in server.requests)
    assert sum("## Words of slide" in prompt for prompt in prompts) == 4
    assert sum("## Rusults" in prompt for prompt in prompts) == 3 * 2
    [order] = [prompt for prompt in prompts if "Third." in prompt]
    assert [order.index(f"Number {n}:") < order.index(word) for n, word in enumerate(
        ("Third.", "First.", "Second."), start=1)] == [True, True, True]  # fmt: skip
    summary = summary_of(newest_logs(tmp_path))
    assert summary.judges == ("openai-api/loopback/blind, text only",)
    assert summary.text_only


def test_the_same_model_with_and_without_pictures_is_two_judges(decks, tmp_path):
    for blind in (False, True):
        task = order_task(decks, runs=1, text_only=blind)
        run_task(task, logs=tmp_path, model=made_up(lambda *_: '{"order": [2, 3, 1]}'))
    assert summary_of(newest_logs(tmp_path)).judges == (
        "mockllm/model", "mockllm/model, text only",
    )  # fmt: skip


def test_a_baseline_needs_pictures(slides):
    with pytest.raises(ValueError, match="pictures"):
        extract_task(slides, baseline=True, text_only=True)


def test_questions_are_recorded_and_a_resumed_run_asks_nothing_twice(decks, tmp_path):
    with serving(['{"order": [2, 3, 1]}']) as server:
        for _ in range(2):
            run = ModelRun(record=open_record(tmp_path / "record", {"command": "order"}))
            task = order_task(decks, runs=2, model_run=run)
            log = run_task(task, logs=tmp_path / "logs", model=server.model("kept"))
            assert [one.scores["ordering"].value for one in log.samples] == [1.0, 1.0]
    assert len(server.requests) == 2
    lines = (tmp_path / "record" / "questions.jsonl").read_text().splitlines()
    assert {json.loads(line)["stage"] for line in lines} == {"slideeval order"}
    assert len(lines) == 2


def test_beyond_the_budget_questions_have_no_reply_and_say_so(slides, tmp_path):
    run = ModelRun(RunCosts(Budget(tokens=10)))
    run.costs.add(Usage(7, 3))
    with serving(["{}"]) as server:
        task = extract_task(slides[:1], runs=3, model_run=run)
        log = run_task(task, logs=tmp_path, model=server.model())
    [asked] = summary_of([log]).questions
    assert run.costs.ended == "the budget of 10 tokens is spent: 10"
    assert (asked.unreadable, asked.failures, len(server.requests)) == (0, 3, 0)
    [(cause, _)] = asked.failed
    assert run.costs.ended in cause


def test_a_task_without_a_question_names_the_decks_that_were_left_out():
    with pytest.raises(NothingToAsk, match=r"^nothing to ask about: bare\.pptx: no text; b: torn$"):
        rate_task([], left_out=("bare.pptx: no text", "b: torn"))
