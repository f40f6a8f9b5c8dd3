import gc
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.openai_server import Answer, serving
from typer.testing import CliRunner

from decklab.benchmarks.pptarena import session
from decklab.benchmarks.pptarena.starter import starter_cases
from decklab.cli.bench import app

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
    assert found["editors"]["mine"]["summary"][-1]["edit"] == {"value": 1.0, "scored": 1}


def test_a_model_edits_and_another_judges(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    refusal = json.dumps({"score": 1, "reason": "Nothing was done."})
    with serving(["I would rather not."]) as agent, serving([refusal]) as judge:
        servers = {"some/agent": agent, "some/judge": judge, "some/other": judge}
        monkeypatch.setattr(session, "open_model", lambda name: servers[name].model())
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


def test_a_model_that_cannot_be_asked_is_told_and_nothing_is_counted_against_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving([Answer("no such model", status=404)]) as server:
        monkeypatch.setattr(session, "open_model", lambda _name: server.model())
        code, told = bench(
            "--starter", "--case", "Crew leaders", "--no-pictures", "--no-self-check",
            "--editor", "some/agent", "--out", str(tmp_path),
        )  # fmt: skip
    assert code == 0, told
    found = json.loads((tmp_path / "results.json").read_text())
    total = found["editors"]["some/agent"]["summary"][-1]
    assert (total["edit"]["value"], total["edit"]["scored"]) == (None, 0)
    assert "no such model" in total["edit"]["reason"]
    assert "everything of some/agent; the editor could not be run" in " ".join(told.split())


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
        (("--starter", "--check-judge"), "--check-judge needs --judge and the self-check"),
        (("--starter", "--editor", "mockllm/model", "--paths", "best"), "hybrid, program, xml"),
        (("--starter", "--judge", "mockllm/model", "--configuration", "x"), "dual, single, no-d"),
    ],
)
def test_wrong_options_are_told(tmp_path: Path, arguments: tuple[str, ...], complaint: str) -> None:
    code, told = bench(*arguments, "--out", str(tmp_path))
    assert code == 2
    assert complaint in " ".join(told.replace("│", " ").split())
