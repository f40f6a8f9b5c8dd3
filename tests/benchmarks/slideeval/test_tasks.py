"""The tasks against a server that speaks OpenAI's API, and against a model that is made up."""

import base64
import gc
import io
import json
import re

import pytest
from inspect_ai.log import read_eval_log
from inspect_ai.model import GenerateConfig, ModelOutput, ModelUsage, get_model
from PIL import Image
from tests.benchmarks.slideeval.conftest import RECT, picture, plain, text
from tests.openai_server import Answer, images_of, prompt_of, serving

from decklab.benchmarks.inspect_run import run_task
from decklab.benchmarks.slideeval.drawing import png
from decklab.benchmarks.slideeval.items import ExtractItem
from decklab.benchmarks.slideeval.runs import (
    judge_answers,
    newest_logs,
    read_extraction,
    read_ordering,
)
from decklab.benchmarks.slideeval.summary import summary_of
from decklab.benchmarks.slideeval.tasks import extract_task, order_task, rate_task

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
    [found] = summary_of([log]).ordering
    values = {row.measure: row.value for row in found.estimates}
    assert values["ordering.length_ratio"] == pytest.approx(2 / 3)
    assert "lacks 1 of 3" in values["ordering.kendall_tau"].reason
