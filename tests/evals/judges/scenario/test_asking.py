"""Items judged by scripted models: malformed, missing and contradictory answers."""

import json
from pathlib import Path

import pytest
from tests.evals.judges.scenario.scripts import (
    REPORT,
    Script,
    always_full,
    items,
    task,
    write_slides,
)
from tests.openai_server import prompt_of, serving
from typer.testing import CliRunner

import decklab
from decklab import evals
from decklab.cli.judge import app
from decklab.core.errors import ModelFailed
from decklab.core.results import NotScored
from decklab.evals.judges.scenario.asking import (
    AskedItem,
    ItemQuestion,
    judge_items,
    scenario_judge,
)
from decklab.evals.judges.scenario.task import SETTING_METRICS
from decklab.models.asking import ModelReply, Usage
from decklab.models.asking_loop import QUESTION, sight_number

THREE = [AskedItem(name, f"Point {name}", weight=2.0) for name in "abc"]


def states(script, metric="key_coverage", asked=THREE, **how):
    judge = scenario_judge(script, "test")
    found = judge_items(judge, ItemQuestion(metric), asked, **how)
    return [item.state for item in found], found, judge


def test_states_become_numbers_and_keep_their_weights():
    got, found, judge = states(Script(judge_key_coverage=[items("full", 0.5, "None.")]))
    assert got == [1.0, 0.5, 0.0]
    first = found[0]
    assert (first.id, first.weight, first.slide) == ("a", 2.0, 1)
    assert judge.usage.input_tokens == 100


def test_a_missing_item_is_asked_for_again_alone():
    script = Script(judge_key_coverage=[items("full", "full"), items("partial", first=3)])
    assert states(script)[0] == [1.0, 1.0, 0.5]
    assert "Point a" not in script.prompts[1] and "item 3: there is no answer" in script.prompts[1]


def test_an_item_that_never_comes_is_not_scored():
    script = Script(judge_key_coverage=[items("full", "full")])
    assert states(script)[0] == [1.0, 1.0, NotScored("there is no answer")]
    assert script.asked["judge key coverage"] == 3


def test_answers_that_contradict_each_other_are_asked_for_again():
    both = {"items": [*items("full", "full", "full")["items"], *items("none")["items"]]}
    script = Script(judge_key_coverage=[both, items("none")])
    assert states(script)[0] == [0.0, 1.0, 1.0]
    assert "several answers: full, none" in script.prompts[1]


def test_a_state_that_the_metric_does_not_have_is_refused():
    script = Script(judge_faithfulness=[items("partial", "none", "none")])
    got, _, _ = states(script, "faithfulness")
    assert got == [NotScored("'partial' is none of full, none"), 0.0, 0.0]
    script = Script(judge_deduplication=[items("not applicable", "n/a", "full")])
    assert states(script, "deduplication")[0] == [None, None, 1.0]


@pytest.mark.parametrize("said", ["no JSON", "{}", '{"items": [{"item": 1}]}', "[]", ""])
def test_what_has_not_the_form_scores_nothing(said):
    script = Script(judge_key_coverage=[said])
    got, _, judge = states(script)
    assert all(isinstance(one, NotScored) for one in got)
    assert judge.usage.requests == 3


def test_a_model_that_fails_scores_nothing():
    got, _, _ = states(Script(judge_key_coverage=[ModelFailed("x/y", "the server is gone")]))
    assert all(isinstance(one, NotScored) for one in got)


def test_many_items_are_asked_in_batches():
    asked = [AskedItem(str(n), f"Point {n}") for n in range(7)]
    script = Script(judge_key_coverage=[items("full", "full", "full")])
    got, _, judge = states(script, asked=asked, batch=3)
    assert got == [1.0] * 7 and len(script.prompts) == 3
    assert judge_items(judge, ItemQuestion("key_coverage"), []) == ()


# A whole deck -----------------------------------------------------------------------------------

CLAIMS = {
    "claims": [
        {"slide": 1, "claim": "Container traffic grew by 12% in 2025"},
        {"slide": 1, "claim": "Container traffic grew by 19% in 2025"},
    ]
}
SUPPORTED = items("full", "full", evidence="Container traffic grew by 12% in 2025.")


def judge_script(**changes):
    mark = [{"score": 8, "reason": "seen"}]
    replies = {
        "mark_instruction_fulfillment": mark, "mark_engagement": mark,
        "mark_content_accuracy": mark,
        "mark_visual_consistency": [
            {"score": 6, "reason": "seen"}, {"score": 8, "reason": "seen"},
        ],
        "judge_visual_integrity": [items("full", "none")],
        "judge_key_coverage": [
            items("full", "none", "partial", evidence="Container traffic grew by 12%")
        ],
        "list_claims": [CLAIMS], "judge_faithfulness": [SUPPORTED],
    }  # fmt: skip
    return Script(**{**replies, **changes})


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("judged")
    (folder / "report.md").write_text(REPORT)
    points = ["Container traffic grew by 12% in 2025", "Traffic grew by 19%"]
    deck = write_slides(folder / "talk.pptx", [("Traffic", points), ("The end", ["Thank you"])])
    return deck, folder / "report.md"


def judged(files: tuple[Path, Path], script, **how):
    deck, report = files
    (found,) = evals.judge([deck], sources=[report], task=task(), model=script, **how)
    return found


@pytest.mark.office
def test_a_deck_is_judged_in_runs_with_mean_and_spread(files):
    script = judge_script()
    found = judged(files, script, runs=2)
    scores = found.scores
    # Key points: (2 * 1 + 0 + 0.5) / 4; one of two claims has numbers that no passage has.
    assert scores["key_coverage"] == 6.25
    assert scores["faithfulness"] == 5.0
    assert scores["visual_integrity"] == 5.0
    assert scores["visual_consistency"] == 7.0
    spread = {one.name: one.spread for one in found.metrics}
    assert spread["visual_consistency"] == pytest.approx(2**0.5)
    assert spread["key_coverage"] == 0.0
    assert found.shared == pytest.approx((8 + 8 + 8 + 7 + 5) / 5)
    assert found.average == pytest.approx((8 + 8 + 8 + 7 + 5 + 6.25 + 5) / 7)
    assert found.not_scored == () and found.judge == "a function"
    beside = {one.name: one.beside for one in found.metrics}
    assert beside["visual_integrity"].score == 10.0 and beside["engagement"] is None
    assert "visual_integrity: the model says 5.0, a program 10.0" in found.notes[-1].replace(
        "Visual integrity", "visual_integrity"
    )
    assert found.usage.requests == len(script.prompts) == 2 * 8


@pytest.mark.office
def test_a_support_that_no_source_has_is_asked_for_again_and_then_does_not_count(files):
    made_up = items("full", "none", evidence="Traffic doubled.")
    script = judge_script(judge_faithfulness=[made_up], mark_engagement=["?"])
    found = judged(files, script, runs=1)
    assert found.scores["faithfulness"] == 0.0
    ((first, _),) = next(one for one in found.metrics if one.name == "faithfulness").items
    assert first.unproven and "does not count: no source says: Traffic doubled." in first.evidence
    assert any("1 answer with evidence that is not there" in line for line in found.notes)
    assert isinstance(found.scores["engagement"], NotScored)
    assert isinstance(found.shared, NotScored) and isinstance(found.average, NotScored)
    assert script.asked["judge faithfulness"] == 3


@pytest.mark.office
def test_one_run_that_gave_nothing_leaves_the_others(files):
    script = judge_script(list_claims=["?", "?", "?", CLAIMS])
    faith = next(one for one in judged(files, script, runs=2).metrics if one.name == "faithfulness")
    assert isinstance(faith.runs[0], NotScored) and faith.runs[1] == 5.0
    assert faith.score == 5.0


@pytest.mark.office
def test_claims_count_once_and_slides_that_are_not_there_are_left_out(files):
    """Listed twice, of a slide 9 that there is not, and supported by a word that proves nothing; a
    claim that the judge does not list is judged too."""
    said = "Container traffic grew by 12% in 2025"
    claims = [{"slide": 1, "claim": said}, {"slide": 1, "claim": f"{said}."},
              {"slide": 9, "claim": "The crane was paid from reserves"}]  # fmt: skip
    quoted = "The crane cost 4.2 million euros and was paid from reserves."
    script = judge_script(
        list_claims=[{"claims": claims}],
        judge_faithfulness=[items("full", "full", evidence="The crane"),
                            items("full", "full", evidence=quoted)],
        judge_key_coverage=[
            {"items": [{"item": 1, "state": "full", "evidence": "x", "slide": 7},
                       *items("none", "none", first=2)["items"]]}
        ],
    )  # fmt: skip
    found = {one.name: one for one in judged(files, script, runs=1).metrics}
    (supported,) = found["faithfulness"].items
    assert [(one.text, one.slide) for one in supported] == [(said, 1), ("Traffic grew by 19%", 1)]
    assert "too short to support anything: The crane" in script.prompts[-1]
    assert found["key_coverage"].items[0][0].slide is None


class FullMarks:
    """A model that finds all of everything, and keeps what it was shown at each stage."""

    def __init__(self) -> None:
        self.shown: dict[str, list[tuple[str, int]]] = {}

    def __call__(self, prompt, *, stage="", images=(), **_):
        self.shown.setdefault(stage, []).append((prompt, len(images)))
        return ModelReply(always_full(prompt), usage=Usage(1, 1, 0.1, 1), model="full")


@pytest.mark.long
@pytest.mark.office
def test_visuals_are_shown_beside_the_slides(tmp_path):
    report = tmp_path / "report.md"
    report.write_text(REPORT)
    decklab.write([report], tmp_path / "talk.pptx", options=decklab.WriteOptions(slides=3))
    table = {"id": "ships", "document": "report.md", "label": "table 1", "chart_fidelity": True}
    asked = task(setting="multimodal", key_points=[], visuals=[table])
    model = FullMarks()
    (found,) = evals.judge(
        [tmp_path / "talk.pptx"], sources=[report], task=asked, model=model, runs=1
    )
    own = {name: found.scores[name] for name in ("visual_use", "figure_claim", "chart_fidelity")}
    assert own == {"visual_use": 10.0, "figure_claim": 10.0, "chart_fidelity": 10.0}
    ((prompt, pictures),) = model.shown["judge visual use"]
    assert "Q3\t301" in prompt and pictures == 1  # its cells, as it has no picture; one sheet
    assert model.shown["judge figure claim"][0][1] == 1


@pytest.mark.office
def test_what_sources_say_is_shown_with_each_item_of_several_sources(tmp_path):
    names = ("one.md", "two.md")
    for name in names:
        (tmp_path / name).write_text(REPORT)
    both = [{"document": name, "quote": "Accidents fell from 14 to 9"} for name in names]
    evidence = {"document": "two.md", "quote": "Every operator trains for 40 hours a year."}
    asked = task(
        setting="multi-source", key_points=[], sources=names,
        contributions=[{"id": "c", "statement": "Training", "evidence": evidence,
                        "signals": ["40 hours"]}],
        integrations=[{"id": "i", "statement": "Accidents and training", "parts": both}],
        overlaps=[{"id": "o", "theme": "Accidents", "members": both}],
    )  # fmt: skip
    deck = write_slides(tmp_path / "talk.pptx", [("Safety", ["Accidents fell from 14 to 9"])])
    model = FullMarks()
    (found,) = evals.judge(
        [deck], sources=[tmp_path / name for name in names], task=asked, model=model, runs=1
    )
    # What the slide says has nothing to do with training, so it is no evidence of it.
    own = {name: found.scores[name] for name in SETTING_METRICS["multi-source"]}
    assert own == {"source_coverage": 0.0, "integration": 10.0, "deduplication": 10.0}
    assert "Signals: 40 hours" in model.shown["judge source coverage"][0][0]
    assert "two.md says: Accidents fell" in model.shown["judge integration"][0][0]


@pytest.mark.long
@pytest.mark.office
def test_the_command_asks_a_server_and_nothing_twice(files, tmp_path, monkeypatch):
    model = "openai-api/loopback/judge-test"
    deck, report = files

    def script(request):
        prompt = prompt_of(request)
        return sight_number(model) if QUESTION in prompt else always_full(prompt)

    with serving(script) as server:
        monkeypatch.setenv("LOOPBACK_API_KEY", "none")
        monkeypatch.setenv("LOOPBACK_BASE_URL", f"{server.url}/v1")
        words = [str(deck), "--source", str(report), "--setting", "long-doc", "--model", model]
        words += ["--runs", "2", "--record", str(tmp_path / "record"), "--json"]
        before = CliRunner().invoke(app, ["judge", *words])
        asked = len(server.requests)
        again = CliRunner().invoke(app, ["judge", *words])
    assert before.exit_code == again.exit_code == 0, before.output
    # Whether it sees, then five shared ones, points, claims, support; points whose evidence has
    # nothing to do with them are asked about twice more.
    assert asked == 1 + 2 * (8 + 2)
    assert len(server.requests) == asked
    (found,), (kept,) = json.loads(before.stdout), json.loads(again.stdout)
    assert found["metrics"] == kept["metrics"]
    assert [len(one["runs"]) for one in found["metrics"]] == [2] * 7
    scores = {one["name"]: one["score"] for one in found["metrics"]}
    # One of two claims has a number that no passage has; the judge listed the other one only.
    # The one line that it names for every point has nothing to do with those that were drafted.
    assert scores["faithfulness"] == 5.0 and scores["key_coverage"] == 0.0
    assert found["average"]["score"] == pytest.approx(sum(scores.values()) / 7)
    assert any("with evidence that is not there" in line for line in found["told"])
    assert any("1 claim of the deck that the judge did not list" in line for line in found["told"])
    assert len((tmp_path / "record" / "secret.txt").read_text()) == 64
