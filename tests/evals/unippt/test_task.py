"""The Inspect task: decks of folders and of the writer, judged by program and by a model."""

import gc
import json
from pathlib import Path
from typing import Any

import pytest
from tests.evals.judges.scenario.scripts import LONG_DOC, REPORT, always_full, write_slides
from tests.openai_server import prompt_of, serving

from decklab.core.errors import UnknownName
from decklab.evals.inspect_run import run_task
from decklab.evals.unippt.deck_systems import judged_decks
from decklab.evals.unippt.report import AVERAGE, DeckOutcome
from decklab.evals.unippt.running import unippt_task
from decklab.evals.unippt.tasks import DeckSystem, folder_systems, load_deck_tasks, writer_system
from decklab.models.asking_loop import QUESTION, sight_number
from decklab.rendering.renderer import Cache, Renderer

pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")


@pytest.fixture(autouse=True)
def nothing_is_left_to_other_tests():
    yield
    gc.collect()


@pytest.fixture
def tasks(tmp_path):
    folder = tmp_path / "tasks" / "harbour"
    (folder / "sources").mkdir(parents=True)
    (folder / "sources" / "report.md").write_text(REPORT)
    (folder / "task.json").write_text(json.dumps(LONG_DOC))
    return load_deck_tasks(tmp_path / "tasks")


@pytest.fixture
def decks(tmp_path):
    for name in ("good", "torn"):
        (tmp_path / "decks" / name).mkdir(parents=True)
    said = ["Container traffic grew by 12% in 2025", "Accidents fell from 14 to 9 in one year"]
    write_slides(tmp_path / "decks" / "good" / "harbour.pptx", [("Harbour", said)])
    (tmp_path / "decks" / "torn" / "harbour.pptx").write_bytes(b"PK no deck")
    return tmp_path / "decks"


@pytest.fixture(scope="module")
def renderer(tmp_path_factory):
    with Renderer(cache=Cache(tmp_path_factory.mktemp("cache"))).started() as started:
        yield started


def outcomes(task, tmp_path: Path, model=None):
    log = run_task(task, logs=tmp_path / "logs", model=model)
    return log, {one.system: one for one in judged_decks(log, DeckOutcome)}


@pytest.mark.office
def test_programs_judge_given_decks_and_no_failure_of_ours_is_the_systems(
    tasks, decks, renderer, tmp_path
):
    def broken(_task, _ask):
        raise RuntimeError("a fault of ours")

    systems = (*folder_systems(decks), DeckSystem("ours", broken))
    log, found = outcomes(unippt_task(tasks, systems, pages=tmp_path, renderer=renderer), tmp_path)
    # Weights 2, 1 and 1: the crane is missing.
    assert found["good"].value("key_coverage") == 7.5
    assert found["good"].value("faithfulness") == 10.0
    page = (tmp_path / found["good"].page).read_text()
    assert "The crane cost 4.2 million euros" in page and "7.50" in page
    assert found["torn"].scores == {} and found["torn"].deck
    assert "the deck cannot be judged" in found["torn"].reason
    assert found["ours"].reason == "decklab broke off: RuntimeError('a fault of ours')"
    values = {name: one.value for one in log.results.scores for name, one in one.metrics.items()}
    assert values["long-doc_judged"] == pytest.approx((10 + 7.5 + 10) / 3)
    assert "long-doc_average" not in values


@pytest.mark.long
@pytest.mark.office
def test_a_model_writes_nothing_but_judges(tasks, renderer, tmp_path):
    names = list[Any]()

    def script(request):
        prompt = prompt_of(request)
        return sight_number(names[0]) if QUESTION in prompt else always_full(prompt)

    with serving(script) as server:
        judge = server.model()
        names.append(str(judge))
        task = unippt_task(
            tasks, (writer_system(tmp_path / "written", slides=5, renderer=renderer),),
            judge=judge, runs=1, renderer=renderer,
        )  # fmt: skip
        _, found = outcomes(task, tmp_path)
    (one,) = found.values()
    assert one.missed == ()
    # Four marks of 9, no slide with a defect, all points and claims found.
    assert one.value(AVERAGE) == pytest.approx((4 * 9 + 10 + 10 + 10) / 7)
    assert one.judge_tokens > 0 and one.cost.tokens == 0 and one.cost.seconds > 0


def test_two_systems_of_one_name_are_refused(tasks, tmp_path):
    with pytest.raises(UnknownName, match="one name: decklab write, decklab write"):
        unippt_task(tasks, (writer_system(tmp_path), writer_system(tmp_path)))
