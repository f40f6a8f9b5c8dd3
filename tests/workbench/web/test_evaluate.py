"""The pages of evaluation over runs of every kind: what they show, and what cannot break them."""

import json
import os
import re
import time
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.log import EvalConfig, EvalDataset, EvalLog, EvalSample, EvalSpec, write_eval_log
from inspect_ai.model import ModelOutput
from inspect_ai.scorer import Score
from PIL import Image
from starlette.testclient import TestClient
from tests.workbench.web.evaluate_runs import (
    EVIL,
    arena_case,
    arena_results,
    write_deck,
    write_grade,
    write_json,
    write_ppteval,
    write_quiz,
    write_slidesgen,
    write_trajectory,
)
from tests.workbench.web.web_fakes import ended, fake_worker

from decklab.workbench.web import evaluate_index
from decklab.workbench.web.evaluate_details import evaluate_jobs
from decklab.workbench.web.evaluate_index import RunIndex
from decklab.workbench.web.jobs import Jobs
from decklab.workbench.web.library import Library
from decklab.workbench.web.serving import make_app
from decklab.workbench.web.workbench import Workbench

BASE = "http://127.0.0.1"


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Results of every kind, a broken file, one of others, and one without any case."""
    folder = tmp_path_factory.mktemp("results")
    arena = folder / "arena"
    decks = {what: str(write_deck(arena / "starter" / f"{what}.pptx", what))
             for what in ("original", "ground_truth", "prediction")}  # fmt: skip
    write_json(arena / "results.json", arena_results({
        "ours": [arena_case("One", 2.0, **decks), arena_case("Two", 5.0, edit_types=["Links"]),
                 arena_case(EVIL, None)],
        "noop": [arena_case("One", 3.0), arena_case("Two", 1.0), arena_case(EVIL, 4.0)],
    }, left_out=["Four"]))  # fmt: skip
    first = {"a": (1.0, 1.0), "b": (0.0, 0.0), "c": (0.2, 1.0), "d": (0.5, 0.5)}
    write_ppteval(folder / "before", first, "commands")
    write_ppteval(folder / "after", {"a": (0.5, 0.5), "b": (1.0, 1.0), "d": (0.5, 0.5)}, "agent")
    write_trajectory(folder / "before" / "decks" / "b" / "trajectory")
    write_grade(folder / "graded.json")
    write_slidesgen(folder / "slides")
    write_quiz(folder / "quiz")
    (folder / "half.json").write_text('{"summary": {"ove')
    write_json(folder / "package.json", {"name": "other"})
    write_json(folder / "empty" / "results.json", arena_results({}))
    write_json(folder / "odd" / "results.json", {"summary": 3, "tasks": [{"task": 1}]})
    (folder / "broken.eval").write_bytes(b"no log")
    return folder


@pytest.fixture
def bench(library: Library, results: Path) -> Iterator[Workbench]:
    index = RunIndex([results])
    with Jobs(library, evaluate_jobs(index), processes=1, seconds=20, work=fake_worker) as jobs:
        yield Workbench(library, jobs, runs=index)


@pytest.fixture
def client(bench: Workbench) -> TestClient:
    return TestClient(make_app(bench), base_url=BASE)


def get(client: TestClient, path: str, **query: Any) -> Any:
    answer = client.get(f"/api/evaluate/{path}", params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


def page(client: TestClient, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200, answer.text
    assert "<script>document.title" not in answer.text
    return answer.text


def run_id(client: TestClient, title: str) -> str:
    return next(one["id"] for one in get(client, "runs")["runs"] if one["title"] == title)


def case_id(client: TestClient, run: str, name: str, system: str = "") -> str:
    cases = get(client, f"runs/{run}/cases", system=system)["cases"]
    return next(one["id"] for one in cases if one["name"] == name)


def test_each_kind_is_found_and_what_is_broken_is_a_line(client: TestClient) -> None:
    told = get(client, "runs")
    assert {one["title"]: one["kind"] for one in told["runs"]} == {
        "arena": "pptarena", "before": "ppteval", "after": "ppteval", "graded.json": "grade",
        "slides": "slidesgen", "quiz/answers.json": "quiz",
    }  # fmt: skip
    why = {one["file"]: one["why"] for one in told["not_read"]}
    assert why.keys() == {"half.json", "package.json", "broken.eval", "odd/results.json",
                          "empty/results.json"}  # fmt: skip
    assert "half of one" in why["half.json"]
    assert why["package.json"] == "it is none of decklab's results"
    shown = page(client, "/evaluate")
    assert all(f"<code>{name}</code>" in shown for name in why)


def test_means_are_over_scored_cases_and_tell_the_others(client: TestClient) -> None:
    arena = get(client, f"runs/{run_id(client, 'arena')}")
    ours = arena["systems"]["ours"]["IF"]
    assert (ours["mean"], ours["scored"], ours["of"], ours["low"]) == (3.5, 2, 3, None)
    assert (arena["not_scored"], arena["left_out"]) == (1, 1)
    before = get(client, f"runs/{run_id(client, 'before')}")["systems"]["commands"]
    assert before["score"]["mean"] == pytest.approx((1 + 0 + 0.5) / 3)
    assert before["done"]["mean"] == pytest.approx(1 / 3)


@pytest.mark.by_day(4)
@pytest.mark.parametrize(
    ("query", "names"),
    [
        ({"order": "worst"}, ["b", "d", "a", "c"]),
        ({"order": "best"}, ["a", "d", "b", "c"]),
        ({"low": "0.4"}, ["a", "d"]),
        ({"high": "0.4"}, ["b"]),
        ({"low": "0.5", "high": "0.5"}, ["d"]),
        ({"state": "unscored"}, ["c"]),
        ({"difficulty": "Easy"}, ["b", "d"]),
        ({"difficulty": "Easy", "state": "scored", "low": "0.1"}, ["d"]),
        ({"q": "nowhere"}, []),
        ({"label": "text", "first": "3"}, ["d"]),
    ],
)
def test_cases_are_filtered_and_sorted(
    client: TestClient, query: dict[str, str], names: list[str]
) -> None:
    found = get(client, f"runs/{run_id(client, 'before')}/cases", **query)
    assert [one["name"] for one in found["cases"]] == names


def test_a_filter_that_is_no_number_is_told(client: TestClient) -> None:
    answer = client.get(f"/api/evaluate/runs/{run_id(client, 'before')}/cases?low=much")
    assert (answer.status_code, answer.json()["error"]) == (
        400, "the range of scores takes numbers",
    )  # fmt: skip


def test_next_and_previous_stay_within_the_filter(client: TestClient) -> None:
    run = run_id(client, "before")
    first = case_id(client, run, "d")
    shown = page(client, f"/evaluate/runs/{run}/cases/{first}?order=worst&state=scored")
    assert "2 of 3" in shown
    links = dict(re.findall(r'id="(before|after)"[^>]*href="([^"]+)"', shown))
    assert links["before"].endswith(f"/{case_id(client, run, 'b')}?state=scored&amp;order=worst")
    assert links["after"].endswith(f"/{case_id(client, run, 'a')}?state=scored&amp;order=worst")


def test_a_leaderboard_sorts_by_each_column(client: TestClient) -> None:
    by_score = [one["system"] for one in get(client, "board/ppteval")["places"]]
    assert by_score == ["agent", "commands"]  # 0.67 and 0.5
    by_steps = get(client, "board/ppteval", sort="steps")["places"]
    assert [one["system"] for one in by_steps] == ["agent", "commands"]  # 1 and 1.5, less is better
    assert get(client, "board/ppteval", q="COMM")["places"][0]["title"] == "before"
    assert client.get("/api/evaluate/board/else").status_code == 404
    assert "3 of 4" in page(client, "/evaluate/board/ppteval")


def test_two_runs_compared_case_by_case(client: TestClient) -> None:
    query = {"before": run_id(client, "before"), "after": run_id(client, "after")}
    pairs = get(client, "compare", **query, one="commands", other="agent")["cases"]
    assert [(one["name"], one["verdict"], one["change"]) for one in pairs] == [
        ("a", "worse", -0.5), ("b", "better", 1.0), ("c", "open", None), ("d", "same", 0.0),
    ]  # fmt: skip
    steps = get(client, "compare", **query, one="commands", other="agent", column="steps")["cases"]
    assert {one["name"]: one["verdict"] for one in steps}["d"] == "better"  # 3 steps, then 2
    shown = page(client, f"/evaluate/compare?before={query['before']}&after={query['after']}")
    assert all(words in shown for words in ("1 better", "1 worse", "1 the same"))
    foreign = query | {"after": run_id(client, "arena")}
    answer = client.get("/evaluate/compare", params=foreign)
    assert answer.status_code == 400


@pytest.mark.long
def test_a_case_shows_verdicts_changes_and_decks(client: TestClient, bench: Workbench) -> None:
    run = run_id(client, "arena")
    case = case_id(client, run, "One", "ours")
    told = get(client, f"runs/{run}/cases/{case}", draw=False)
    assert [one["what"] for one in told["decks"]] == ["Original", "Prediction", "Ground truth"]
    assert told["not_made"] == ["Slide 1: not bold."]
    shown = page(client, f"/evaluate/runs/{run}/cases/{case}")
    assert "&lt;script&gt;document.title=&#39;stolen&#39;&lt;/script&gt; said" in shown
    assert 'hx-trigger="load delay:250ms"' in shown
    waiting = page(client, f"/evaluate/runs/{run}/cases/{case}/seen")
    job = re.search(r'data-job="([0-9a-f]{32})"', waiting)
    assert job
    assert ended(bench.jobs, job[1]).asked == {"run": run, "case": case}  # no path is kept


def test_a_deck_elsewhere_is_not_shown(
    client: TestClient, results: Path, tmp_path: Path, bench: Workbench
) -> None:
    secret = write_deck(tmp_path / "secret.pptx", "Secret")
    link = results / "linked.pptx"
    link.symlink_to(secret)
    place = results / "foreign" / "results.json"
    case = arena_case("One", 1.0, original=str(secret), prediction=str(link),
                      ground_truth="../../../etc/passwd")  # fmt: skip
    write_json(place, arena_results({"x": [case]}))
    try:
        index = RunIndex([results])
        own = TestClient(make_app(Workbench(bench.library, bench.jobs, runs=index)), base_url=BASE)
        run = run_id(own, "foreign")
        told = get(own, f"runs/{run}/cases/{case_id(own, run, 'One')}")
        assert (told["decks"], told["job"]) == ([], None)
        assert len(told["notes"]) == 3
        assert str(tmp_path) not in json.dumps(told)
    finally:
        link.unlink()
        place.unlink()
        place.parent.rmdir()


def test_a_tree_has_checks_evidence_and_what_is_open(client: TestClient) -> None:
    run = run_id(client, "graded.json")
    case = get(client, f"runs/{run}/cases")["cases"][0]
    assert case["values"]["score"] == {"value": None, "reason": "open, from 0.7 to 1"}
    shown = page(client, f"/evaluate/runs/{run}/cases/{case['id']}")
    for words in ("Looks at the runs", "Yes: both runs are bold.", "it needs a model", "critical"):
        assert words in shown


def test_questions_stand_with_their_quotes(client: TestClient, results: Path) -> None:
    run = run_id(client, "slides")
    told = get(client, f"runs/{run}/cases/{case_id(client, run, 'tea')}")
    (one,) = told["questions"]
    assert (one["quote"], one["place"]) == ("A taster tries 160 cups.", "tea.md, page 2")
    run = run_id(client, "quiz/answers.json")
    told = get(client, f"runs/{run}/cases/{case_id(client, run, 'talk.pptx')}", draw=False)
    assert len(told["questions"]) == 10
    assert {one["correct"] for one in told["questions"]} == {True, False}
    for one in told["questions"]:
        assert one["place"].startswith("source.md")
        assert one["quote"] in " ".join((results / "quiz" / "source.md").read_text().split())
    assert told["decks"][0]["what"] == "Deck"


def test_a_trajectory_is_stepped_through(client: TestClient) -> None:
    (one,) = get(client, "trajectories")
    assert (one["steps"], one["failure"]) == (3, "model")
    told = get(client, f"trajectories/{one['id']}")
    assert told["failed_steps"] == [2, 3]
    assert told["frames"][0]["marks"][0]["points"] == [[100, 50]]
    screen = client.get(told["frames"][1]["screen"])
    assert Image.open(BytesIO(screen.content)).getpixel((5, 5)) == (80, 90, 90)
    shown = page(client, f"/evaluate/trajectories/{one['id']}?step=2")
    assert "outside of the screen" in shown
    assert 'id="failed" href="?step=3"' in shown
    end = page(client, f"/evaluate/trajectories/{one['id']}?step=99")
    assert "it is busy" in end
    for place in ("0", "5", "x"):
        answer = client.get(f"/evaluate/trajectories/{one['id']}/screens/{place}.png")
        assert answer.status_code in (404, 422)
    run = run_id(client, "before")
    shown = page(client, f"/evaluate/runs/{run}/cases/{case_id(client, run, 'b')}")
    assert f"/evaluate/trajectories/{one['id']}" in shown


@pytest.mark.by_day(4)
@pytest.mark.parametrize(
    "path",
    [
        "runs/../../etc", "runs/0", f"runs/{'0' * 32}", f"runs/{'f' * 31}g/cases",
        "pictures/..%2f..%2fw.sqlite/1.webp", f"pictures/{'0' * 64}/1.webp",
        f"pictures/{'a' * 64}/99999999999.webp", f"trajectories/{'0' * 32}/screens/1.png",
        f"compare?before={'0' * 32}&after=x&one=a&other=b",
    ],
)  # fmt: skip
def test_forged_ids_are_not_there(client: TestClient, path: str) -> None:
    for start in ("/api/evaluate/", "/evaluate/"):
        assert client.get(start + path).status_code in (404, 422)


def test_a_new_run_is_found_and_a_changed_one_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evaluate_index, "FRESH_SECONDS", -1.0)
    index = RunIndex([tmp_path])
    assert index.runs() == []
    place = tmp_path / "results.json"
    write_json(place, arena_results({"one": [arena_case("A", 1.0)]}))
    (run,) = index.runs()
    assert index.runs()[0] is run
    write_json(place, arena_results({"one": [arena_case("A", 1.0), arena_case("B", 2.0)]}))
    os.utime(place, (1, 1))
    (again,) = index.runs()
    assert (again.id, len(again.cases)) == (run.id, 2)
    place.unlink()
    assert index.runs() == []


def test_without_folders_the_page_says_how(library: Library, jobs: Jobs) -> None:
    client = TestClient(make_app(Workbench(library, jobs)), base_url=BASE)
    assert "decklab serve --runs DIR" in client.get("/evaluate").text


def test_a_thousand_cases_answer_at_once(library: Library, jobs: Jobs, tmp_path: Path) -> None:
    cases = [arena_case(f"Case {n}", float(n % 6)) for n in range(1000)]
    write_json(tmp_path / "big" / "results.json", arena_results({"ours": cases}))
    client = TestClient(
        make_app(Workbench(library, jobs, runs=RunIndex([tmp_path]))), base_url=BASE
    )
    run = run_id(client, "big")
    case = case_id(client, run, "Case 0")
    for path in ("", "/board/pptarena", f"/runs/{run}?order=worst", f"/runs/{run}/cases/{case}"):
        page(client, f"/evaluate{path}")
        assert min(seconds_of(client, f"/evaluate{path}") for _ in range(5)) < 0.1


def seconds_of(client: TestClient, path: str) -> float:
    """CPU seconds of the whole process: the least of several counts, as other threads run too."""
    begun = time.process_time()
    page(client, path)
    return time.process_time() - begun


def test_a_log_of_inspect_is_a_run(library: Library, jobs: Jobs, tmp_path: Path) -> None:
    sample = EvalSample(
        id="first", epoch=1, input="Name it.", target="",
        output=ModelOutput.from_content("m", "Ok"),
        scores={"right": Score(value="P", explanation="half of it"),
                "seen": Score(value=float("nan"), explanation="no picture")},
    )  # fmt: skip
    spec = EvalSpec(
        created="2026-01-01T00:00:00+00:00", task="quizbank", dataset=EvalDataset(),
        model="mockllm/model", config=EvalConfig(),
    )  # fmt: skip
    write_eval_log(
        EvalLog(eval=spec, status="success", samples=[sample]), str(tmp_path / "one.eval")
    )
    client = TestClient(
        make_app(Workbench(library, jobs, runs=RunIndex([tmp_path]))), base_url=BASE
    )
    (run,) = get(client, "runs")["runs"]
    assert (run["kind"], run["by"], run["columns"][0]["name"]) == ("log", "mockllm/model", "right")
    (case,) = get(client, f"runs/{run['id']}/cases")["cases"]
    assert case["values"] == {
        "right": {"value": 0.5}, "seen": {"value": None, "reason": "no picture"},
    }  # fmt: skip
    told = get(client, f"runs/{run['id']}/cases/{case['id']}")
    assert (told["instruction"], told["did"]) == ("Name it.", ["Ok"])
    assert "half of it" in page(client, f"/evaluate/runs/{run['id']}/cases/{case['id']}")
