"""Whole runs: systems of all kinds, what they leave, and what goes on from it."""

import csv
import gc
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.log import read_eval_log
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from tests.evals.judges.honest import with_known
from tests.evals.judges.quiz.scripts import exam_reply
from tests.evals.slidesgen.sets import REPORT, write_decks, write_person_bank, write_set
from tests.openai_server import prompt_of, serving
from tests.writer.test_with_model import MARKS
from typer.testing import CliRunner

from decklab.cli import app
from decklab.core.errors import DeckError, UnknownName
from decklab.core.options import Spending
from decklab.core.results import NotScored
from decklab.evals.inspect_run import run_task
from decklab.evals.slidesgen.evaluation import MadeCost
from decklab.evals.slidesgen.instructions import InstructionError, load_instructions
from decklab.evals.slidesgen.jobs import SlidesgenBench, deck_jobs, find_system_decks, writer_name
from decklab.evals.slidesgen.report import SlidesgenRun, write_slidesgen_report
from decklab.evals.slidesgen.running import bench_slidesgen, slidesgen_task
from decklab.models.asking import Usage
from decklab.models.model_run import begin_run

pytestmark = [
    pytest.mark.office,
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


@pytest.fixture(autouse=True)
def nothing_is_left_to_other_tests() -> Iterator[None]:
    yield
    gc.collect()


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("slidesgen")
    write_set(folder / "set")
    write_decks(folder / "decks")
    return folder


def bench(place: Path, **more: Any) -> SlidesgenRun:
    return bench_slidesgen(
        place / "out", instructions=place / "set", decks=place / "decks", writer=True,
        baseline=True, **more,
    )  # fmt: skip


@pytest.fixture(scope="module")
def run(place: Path) -> SlidesgenRun:
    return bench(place)


def values(run: SlidesgenRun, measure: str) -> dict[str, float | NotScored]:
    return {f"{row.system}/{row.topic}": row.value(measure) for row in run.rows}


def test_every_deck_has_its_scores_or_the_cause(run: SlidesgenRun) -> None:
    assert len(run.rows) == 5 * 2
    content = values(run, "content")
    assert content["decklab/harbour"] > content["good/harbour"]
    quality, level = values(run, "quality"), values(run, "level")
    for name in ("decklab/harbour", "baseline/harbour", "good/harbour", "other/poems"):
        assert 0 < quality[name] <= 100
        assert level[name] in range(6)
    # The report has no table, so that decklab's deck has no chart to pass the gate of level 4.
    assert (level["baseline/harbour"], level["decklab/harbour"]) == (2, 3)
    for measure in ("content", "aesthetics", "quality", "level"):
        found = values(run, measure)
        assert "broken" in str(found["broken/harbour"])
        assert str(found["good/poems"]) == "not scored: the system has no deck about this topic"
        assert "no deck was written" in str(found["decklab/poems"])
    assert "no source documents" in str(content["other/poems"])
    assert run.unused == ("other/novels",)
    assert run.proxy
    assert run.uneven


def test_what_was_written_here_has_a_cost_and_other_decks_say_why_not(run: SlidesgenRun) -> None:
    assert 0 < values(run, "seconds")["decklab/harbour"] < 60
    assert values(run, "tokens")["decklab/harbour"] == 0
    assert values(run, "dollars")["baseline/harbour"] == 0
    assert str(values(run, "dollars")["good/harbour"]) == "not scored: nobody said what it cost"


def test_missed_questions_have_quote_and_answer_and_costs_have_slides(run: SlidesgenRun) -> None:
    (good,) = [row for row in run.rows if (row.system, row.topic) == ("good", "harbour")]
    assert len(good.missed) == good.questions - round(10 * good.values["content"])
    report = " ".join((Path(good.deck).parents[2] / "set" / "harbour.md").read_text().split())
    assert all(one.quote in report and one.right in report for one in good.missed)
    assert {one.mistake for one in good.missed} <= {"missing", "mismatch", "misread", "other"}
    (plain,) = [row for row in run.rows if (row.system, row.topic) == ("baseline", "harbour")]
    assert any(cost.points and cost.words for cost in plain.costs)


def test_files_are_left_that_others_can_read(run: SlidesgenRun, place: Path) -> None:
    out = place / "out"
    results = json.loads((out / "results.json").read_text())
    assert len(results["decks"]) == len(run.rows)
    assert "decklab" in [row["name"] for row in results["table_5"]]
    assert (out / "tables" / "table-1.tex").is_file()
    assert "pictures" not in results["decks"][0]
    scores = _keys(out / "scores.csv")
    assert ("harbour", "decklab", "quiz.accuracy") in scores
    assert ("harbour", "broken", "quality.score") not in scores
    (log,) = (out / "logs").glob("*.eval")
    samples = read_eval_log(str(log)).samples or []
    assert {str(one.id) for one in samples} >= {"decklab/harbour", "good/harbour"}
    assert list((out / "banks").glob("harbour-*.json"))
    assert (out / "decks" / "decklab" / "harbour.pptx").is_file()


def _keys(path: Path) -> set[tuple[str, str, str]]:
    with path.open() as stream:
        return {(row["topic"], row["product"], row["metric"]) for row in csv.DictReader(stream)}


def test_pages_hold_the_tables_and_their_links_lead_somewhere(
    run: SlidesgenRun, place: Path
) -> None:
    out = place / "out"
    for page in (out / "index.html", *(out / "systems").iterdir()):
        text = page.read_text()
        for address in re.findall(r'href="([^"#]+)"', text):
            if not address.startswith("data:"):
                assert (page.parent / address).resolve().is_file(), address
        assert "http" not in text.replace("http-equiv", "").replace("http://www.w3.org", "")
    index = (out / "index.html").read_text()
    for words in ("Content is a proxy", "North Star", "Work report", "different topics", "95%"):
        assert words in index
    good = (out / "systems" / "good.html").read_text()
    assert "not answered rightly" in good
    assert "Source says" in good


def test_a_resumed_run_does_nothing_again_and_says_the_same(run: SlidesgenRun, place: Path) -> None:
    steps: list[tuple[int, int]] = []
    again = bench(place, resume=True, progress=lambda done, total: steps.append((done, total)))
    assert steps == [(10, 10)]
    assert again.to_json() == run.to_json()
    assert len(list((place / "out" / "logs").glob("*.eval"))) == 1
    with pytest.raises(FileExistsError, match="earlier run"):
        bench(place)


def test_another_purpose_needs_no_new_deck_and_another_document_does(
    run: SlidesgenRun, place: Path, tmp_path: Path
) -> None:
    def held(document: str = REPORT, **changes: Any) -> list[str]:
        found = load_instructions(write_set(tmp_path / "set", **changes))
        (tmp_path / "set" / "harbour.md").write_text(document)
        jobs = deck_jobs(found.only(["harbour"]), writer="decklab", baseline=True)
        one = SlidesgenBench(found, jobs, place / "out", resume=True)
        return [row.purpose for job in jobs if (row := one.stored(job)) is not None]

    assert held() == ["work_report"] * 2
    assert held(purpose="board_meeting") == ["board_meeting"] * 2
    assert held(slides=9) == held(REPORT.replace("12%", "13%")) == []


def test_tables_are_printed(run: SlidesgenRun) -> None:
    text = "\n".join(run.lines())
    for words in ("Table 1", "Table 4", "Table 5", "Table 16", "proxy", "do not compare", "95%"):
        assert words in text
    warned = list(run.warnings())
    assert any("other/novels: no instruction has this topic" in line for line in warned)
    assert any("content of 1 deck not scored: no source documents" in line for line in warned)


def test_one_system_has_no_map_and_no_best(run: SlidesgenRun, tmp_path: Path) -> None:
    alone = SlidesgenRun("One", tuple(row for row in run.rows if row.system == "good"), {})
    text = write_slidesgen_report(tmp_path, alone).read_text()
    assert "North Star" not in text
    assert 'class="leading' not in text


def test_a_judge_answers_and_a_model_that_writes_no_deck_says_why(
    place: Path, tmp_path: Path
) -> None:
    changed = tmp_path / "set"
    write_set(changed)
    write_set(changed, bank=write_person_bank(changed))
    found = load_instructions(changed)

    def answer(request: dict[str, object]) -> str:
        # Right letters are ABCDABCDAB: eight of ten here.
        prompt = prompt_of(request)
        if "The slides, as Markdown" not in prompt:
            return "no"
        return with_known(prompt, json.dumps(exam_reply("ABCDDBCDA-")), always=True)

    said = ModelOutput.from_content("mockllm/model", "I would rather not.")
    said.usage = ModelUsage(input_tokens=10, output_tokens=2, total_tokens=12)
    mock = get_model("mockllm/model", custom_outputs=[said] * 50, memoize=False)
    entries = find_system_decks(place / "decks", found.topics).entries
    given = [one for one in entries if one.system == "good" and one.topic == "harbour"]
    jobs = deck_jobs(found.only(["harbour"]), given, writer=writer_name(str(mock)))
    with serving(answer) as server:
        one = SlidesgenBench(found, jobs, tmp_path / "out", judge=server.model(), model="m")
        log = run_task(slidesgen_task(one), logs=tmp_path / "logs", model=mock)
    good, written = (one.finished[job.sample] for job in jobs)
    assert good.values["content"] == pytest.approx(0.8)
    assert not good.proxy
    assert good.judge_tokens > 0
    assert [miss.number for miss in good.missed] == [5, 10]
    assert written.reasons["quality"].startswith("no deck was written")
    assert log.results is not None
    means = {name: found.value for score in log.results.scores
             for name, found in score.metrics.items()}  # fmt: skip
    assert means["good: content"] == pytest.approx(0.8)
    assert "decklab, model: quality" not in means


def writes(request: dict[str, object]) -> str:
    """What the writer's model answers at each stage; it finds no fault in the drawn slides."""
    prompt = prompt_of(request)
    said = next(reply for mark, reply in MARKS.values() if mark in prompt)
    found = {"remarks": []} if said is MARKS["reading"][1] else said
    found = found(prompt) if callable(found) else found
    return found if isinstance(found, str) else json.dumps(found)


@pytest.mark.long
def test_a_deck_by_the_tasks_model_is_written_and_costs_its_tokens(tmp_path: Path) -> None:
    found = load_instructions(write_set(tmp_path / "set")).only(["harbour"])
    report = Path(__file__).parents[3] / "generate" / "writing" / "harbour.md"
    (tmp_path / "set" / "harbour.md").write_text(report.read_text())
    (job,) = deck_jobs(found, writer="decklab, m")
    run = begin_run(Spending(prices={"m": (10.0, 100.0)}), {"command": "test"})
    one = SlidesgenBench(found, [job], tmp_path / "out", run=run, model="m")
    with serving(writes) as server:
        run_task(slidesgen_task(one), logs=tmp_path / "logs", model=server.model())
    written = one.finished[job.sample]
    assert written.deck == str(tmp_path / "out" / "decks" / "decklab-m" / "harbour.pptx")
    assert written.values["quality"] > 0
    # Of 7 tokens in and 3 out each; whether the model sees pictures is asked once for all decks.
    requests = sum("Which number do you see" not in prompt_of(one) for one in server.requests)
    assert requests > 5
    assert written.values["tokens"] == 10 * requests
    assert written.values["dollars"] == pytest.approx((7 * 10 + 3 * 100) * requests / 1e6)
    assert run.costs.spent.requests == len(server.requests)


def test_a_cost_that_nobody_told_is_not_scored() -> None:
    untold = MadeCost.of(4.0, Usage(5, 0, 1.0, 2, untold=1), None)
    assert str(untold.tokens) == "not scored: the provider reported no tokens"
    assert str(untold.dollars) == "not scored: prices are not known"
    free = MadeCost.of(4.0, Usage(), None)
    assert (free.tokens, free.dollars, free.seconds) == (0, 0.0, 4.0)


def test_what_cannot_begin_is_told_before_anything_is_written(place: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    with pytest.raises(InstructionError, match="no decks"):
        bench_slidesgen(out, instructions=place / "set")
    with pytest.raises(InstructionError, match="no instruction has the topic"):
        bench_slidesgen(out, instructions=place / "set", topics=["novels"], writer=True)
    with pytest.raises(UnknownName, match="nothing to do"):
        bench_slidesgen(out, instructions=place / "set", baseline=True, model="mockllm/model")
    (tmp_path / "broken").mkdir()
    path = write_set(tmp_path / "broken")
    (tmp_path / "broken" / "harbour.pdf").write_bytes(b"no pdf")
    path.write_text(path.read_text().replace("harbour.md", "harbour.pdf"))
    with pytest.raises(DeckError, match=r"harbour\.pdf"):
        bench_slidesgen(out, instructions=path, writer=True)
    (tmp_path / "taken" / "decklab").mkdir(parents=True)
    (tmp_path / "taken" / "decklab" / "harbour.pptx").write_bytes(b"")
    with pytest.raises(InstructionError, match="two systems are called decklab"):
        bench_slidesgen(out, instructions=place / "set", decks=tmp_path / "taken", writer=True)
    assert not out.exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "either a SET or --starter"),
        (("--starter",), "name whose decks"),
        (("--starter", "--baseline", "--model", "m"), "needs --writer"),
        (("--starter", "--writer", "--reading", "pictures"), "needs --judge"),
        (("--starter", "--writer", "--resume", "--overwrite"), "either --resume or"),
    ],
)
def test_options_that_do_not_go_together_are_told(words: tuple[str, ...], said: str) -> None:
    done = CliRunner().invoke(app, ["bench", "slidesgen", *words])
    assert done.exit_code == 2
    assert said in " ".join(done.stderr.replace("│", " ").split())


def test_the_starter_set_is_written_on_its_own(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["bench", "slidesgen", "--write-starter", str(tmp_path / "set")])
    assert done.exit_code == 0, done.output
    assert len(load_instructions(tmp_path / "set").topics) == 7
