import gc
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.evals.judges.honest import honest
from tests.openai_server import Answer, serving
from typer.testing import CliRunner

from decklab.cli.bench import app
from decklab.evals.pptarena.running import ATTEMPTS, starter_cases

# Inspect leaves a memory stream or two to the garbage collector.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")


@pytest.fixture(autouse=True)
def collected() -> Iterator[None]:
    """Collect them here, lest another test be told of them."""
    yield
    gc.collect()


def bench(*arguments: str) -> tuple[int, str]:
    found = CliRunner().invoke(app, ["pptarena", *arguments])
    return found.exit_code, found.output


@pytest.mark.long
def test_the_starter_set_is_written_run_and_reported(tmp_path: Path) -> None:
    code, told = bench(
        "--starter", "--case", "Crew leaders", "--no-pictures", "--out", str(tmp_path)
    )
    assert code == 0, told
    assert "PPTArena, starter set, content " in told
    assert "Self-check: 1 of 1 cases are sound." in told
    assert "in 3 of 3 pairs (100%)" in told
    index = (tmp_path / "index.html").read_text()
    assert "./cases/commands/crew-leaders.html" in index
    page = (tmp_path / "cases" / "noop" / "crew-leaders.html").read_text()
    assert "pictures were not asked for" in page
    assert "six new crew leaders" in page
    results = json.loads((tmp_path / "results.json").read_text())
    [case] = results["editors"]["commands"]["cases"]
    assert case["values"]["edit"] == {"value": 1.0}


def test_cases_and_predictions_of_ones_own(tmp_path: Path) -> None:
    cases = starter_cases(tmp_path / "cases", ["Crew leaders"])
    [case] = cases
    made = tmp_path / "mine"
    made.mkdir()
    (made / "crew-leaders.pptx").write_bytes(case.ground_truth.read_bytes())
    code, told = bench(
        "--cases", str(cases.path), "--predictions", str(made), "--no-pictures",
        "--no-self-check", "--out", str(tmp_path / "out"), "--json",
    )  # fmt: skip
    assert code == 0, told
    found = json.loads(told.strip().splitlines()[-1])
    assert list(found["editors"]) == ["mine"]
    assert found["editors"]["mine"]["summary"][-1]["edit"]["mean"] == 1.0


@pytest.mark.long
def test_a_model_edits_and_another_judges(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    refusal = json.dumps({"score": 1, "reason": "Nothing was done."})
    with serving(["I would rather not."]) as agent, serving(honest([refusal])) as judge:
        servers = {"some/agent": agent, "some/judge": judge, "some/other": judge}
        monkeypatch.setattr("decklab.models.inspect.open_model", lambda name: servers[name].model())
        code, told = bench(
            "--starter", "--case", "Crew leaders", "--no-pictures", "--editor", "some/agent",
            "--judge", "some/judge", "--judge", "some/other", "--check-judge", "--rounds", "1",
            "--paths", "program", "--out", str(tmp_path),
        )  # fmt: skip
    assert code == 0, told
    flat = " ".join(told.split())
    assert "IF: the two judges give the same score in 100%" in flat
    assert "Crew leaders: the truth was not judged: pictures were not asked for." in flat
    found = json.loads((tmp_path / "results.json").read_text())
    [case] = found["editors"]["some/agent"]["cases"]
    assert case["ending"] == "refused"
    assert case["values"]["IF"] == {"value": 1.0}
    assert case["values"]["VQ"]["reason"] == "pictures were not asked for"
    assert case["reasons"]["IF"] == "Nothing was done."
    assert agent.requests


@pytest.mark.long
def test_a_model_that_cannot_be_asked_is_told_and_nothing_is_counted_against_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving([Answer("no such model", status=404)]) as server:
        monkeypatch.setattr("decklab.models.inspect.open_model", lambda _name: server.model())
        code, told = bench(
            "--starter", "--case", "Crew leaders", "--no-pictures", "--no-self-check",
            "--editor", "some/agent", "--out", str(tmp_path),
        )  # fmt: skip
    assert code == 1, told
    assert "nothing is scored: the editor could not be run" in " ".join(told.split())
    found = json.loads((tmp_path / "results.json").read_text())
    total = found["editors"]["some/agent"]["summary"][-1]
    assert (total["edit"]["mean"], total["edit"]["scored"]) == (None, 0)
    assert "no such model" in total["edit"]["reason"]
    assert "everything of some/agent; the editor could not be run" in " ".join(told.split())


def test_each_finished_case_is_told_where_there_is_no_terminal(tmp_path: Path) -> None:
    code, told = bench(
        "--starter", "--case", "Crew leaders", "--no-pictures", "--editor", "noop", "--out",
        str(tmp_path),
    )  # fmt: skip
    assert code == 0, told
    lines = [line for line in told.splitlines() if line.startswith("decklab: ")]
    wanted = ["noop: refused", *(f"attempt: {kind}: done" for kind in ATTEMPTS)]
    assert [line.split(",")[1].strip() for line in lines] == wanted
    assert all(line.startswith("decklab: Crew leaders, ") for line in lines)


@pytest.mark.long
def test_a_model_that_is_asked_again_is_told_with_case_and_editor(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replies: list[Answer | str] = [Answer("slow down", status=429), "I would rather not."]
    with serving(replies) as server:
        monkeypatch.setattr("decklab.models.inspect.open_model", lambda _name: server.model())
        code, told = bench(
            "--starter", "--case", "Crew leaders", "--no-pictures", "--no-self-check", "--editor",
            "some/agent", "--out", str(tmp_path),
        )  # fmt: skip
    assert code == 0, told
    assert "decklab: Crew leaders, some/agent: busy (429: slow down), try 2 of 5 in " in told


def judged(_request: dict[str, object]) -> str:
    return json.dumps({"score": 4, "reason": "Nearly."})


@pytest.mark.long
def test_a_spent_budget_ends_the_run_with_what_there_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each question costs 10 tokens: the second one is the last that a budget of 15 allows."""
    options = [
        "--starter", "--case", "Crew leaders", "--case", "Where to sign up", "--no-pictures",
        "--no-self-check", "--editor", "noop", "--editor", "commands", "--judge", "some/judge",
        "--prices", "1,10", "--record", str(tmp_path / "record"), "--out", str(tmp_path / "out"),
    ]  # fmt: skip
    with serving(honest(judged)) as server:
        monkeypatch.setattr("decklab.models.inspect.open_model", lambda _name: server.model())
        code, told = bench(*options, "--budget-tokens", "15")
        assert code == 3, told
        assert len(server.requests) == 2
        why = "the budget of 15 tokens is spent: 20"
        assert f"Models were asked no more: {why}." in " ".join(told.split())
        assert "Models: 20 tokens in 2 requests, 0.0001 US dollars." in told
        found = json.loads((tmp_path / "out" / "results.json").read_text())
        values = [one["values"] for name in ("noop", "commands")
                  for one in found["editors"][name]["cases"]]  # fmt: skip
        assert [value["IF"]["value"] for value in values] == [4.0, None, 4.0, None]
        assert values[1]["IF"]["reason"] == f"some/judge: {why}"
        assert all(value["edit"]["value"] is not None for value in values)
        assert found["ended"] == why

        code, told = bench(*options)  # the same run goes on, over its own results
        assert code == 0, told
        assert len(server.requests) == 4
        found = json.loads((tmp_path / "out" / "results.json").read_text())
        cases = [one for name in ("noop", "commands") for one in found["editors"][name]["cases"]]
        assert [one["values"]["IF"]["value"] for one in cases] == [4.0] * 4
        assert all(one["judge_tokens"] == {"input": 7, "output": 3} for one in cases)

        code, told = bench(*options)
        assert (code, len(server.requests)) == (0, 4)
        assert "Models:" not in told  # nothing new was asked
    code, told = bench(*options[:-4], "--out", str(tmp_path / "out"))
    assert code == 2
    assert "has what an earlier run wrote" in " ".join(told.split())
    code, told = bench(*options, "--case", "Storage stands out")
    assert code == 2
    assert "holds the record of another run" in " ".join(told.split())


@pytest.mark.long
def test_a_spent_budget_leaves_the_agents_other_cases_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(["I would rather not."]) as server:
        monkeypatch.setattr("decklab.models.inspect.open_model", lambda _name: server.model())
        code, told = bench(
            "--starter", "--case", "Crew leaders", "--case", "Where to sign up", "--no-pictures",
            "--no-self-check", "--editor", "some/agent", "--editor", "truth", "--out",
            str(tmp_path), "--budget-tokens", "5",
        )  # fmt: skip
    assert code == 3, told
    assert len(server.requests) == 1
    found = json.loads((tmp_path / "results.json").read_text())
    for one in found["editors"]["some/agent"]["cases"]:
        assert one["values"]["edit"]["value"] is None
        assert ": the budget of 5 tokens is spent: 10" in one["values"]["edit"]["reason"]
    assert [one["values"]["edit"]["value"] for one in found["editors"]["truth"]["cases"]] == [1, 1]
    [agent] = [row for row in found["board"] if row["system"] == "some/agent"]
    # Two cases, of which one was asked about.
    assert [agent[name]["mean"] for name in ("tokens_in", "tokens_out")] == [3.5, 1.5]
    assert not agent["cost"]["mean"]


def test_folders_of_decks_have_names_of_their_own(tmp_path: Path) -> None:
    cases = starter_cases(tmp_path / "cases", ["Crew leaders"])
    for name in ("a", "b"):
        (tmp_path / name / "out").mkdir(parents=True)
    [case] = cases
    (tmp_path / "b" / "out" / "1.pptx").write_bytes(case.ground_truth.read_bytes())
    options = ["--cases", str(cases.path), "--no-pictures", "--no-self-check"]
    same = [f"--predictions={tmp_path / name / 'out'}" for name in ("a", "b")]
    code, told = bench(*options, *same, "--out", str(tmp_path / "results"))
    assert code == 2
    assert "two editors are named 'out'" in " ".join(told.replace("│", " ").split())
    code, told = bench(
        *options, f"--predictions=one={tmp_path / 'a' / 'out'}",
        f"--predictions={tmp_path / 'b' / 'out'}", "--out", str(tmp_path / "results"),
    )  # fmt: skip
    assert code == 0, told
    assert "one: no deck of Crew leaders." in told
    found = json.loads((tmp_path / "results" / "results.json").read_text())
    assert found["editors"]["out"]["cases"][0]["values"]["edit"] == {"value": 1.0}
    assert found["editors"]["one"]["cases"][0]["values"]["edit"]["value"] is None
    assert (tmp_path / "results" / "board.csv").read_text().startswith("system,place,rank,")
    assert (tmp_path / "results" / "scores" / "out.csv").exists()


def test_decks_to_be_judged_are_not_written_over(tmp_path: Path) -> None:
    made = tmp_path / "predictions" / "mine"
    made.mkdir(parents=True)
    (made / "crew-leaders.pptx").write_bytes(b"a deck")
    code, told = bench("--starter", "--predictions", str(made), "--out", str(tmp_path))
    assert code == 2
    assert "name another --out" in " ".join(told.replace("│", " ").split())
    assert (made / "crew-leaders.pptx").read_bytes() == b"a deck"


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ((), "name one of --cases and --starter"),
        (("--starter", "--cases", "x"), "name one of --cases and --starter"),
        (("--starter", "--case", "Crew leaders", "--editor", "magic"), "no editor 'magic'"),
        (("--starter", "--subset", "x"), "--subset is of --cases"),
        (("--starter", "--budget-dollars", "1"), "--budget-dollars needs --prices"),
        (("--starter", "--check-judge"), "--check-judge needs --judge and the self-check"),
        (("--starter", "--editor", "mockllm/model", "--paths", "best"), "hybrid, program, xml"),
        (("--starter", "--judge", "mockllm/model", "--configuration", "x"), "dual, single, no-d"),
    ],
)
def test_wrong_options_are_told(tmp_path: Path, arguments: tuple[str, ...], complaint: str) -> None:
    code, told = bench(*arguments, "--out", str(tmp_path))
    assert code == 2
    assert complaint in " ".join(told.replace("│", " ").split())
