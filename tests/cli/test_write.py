import json
from pathlib import Path

import pytest
from tests.agents.writer.conftest import HARBOUR
from tests.agents.writer.story import END, GOOD, OUTLINED, PLAN, SAFE, page, point
from tests.composing.examples.example_deck import FOOTER, company_deck
from tests.openai_server import prompt_of, serving
from typer.testing import CliRunner

from decklab.cli.write import app

REPLIES = {
    "Plan the story": PLAN, "Turn the plan": OUTLINED, "Write page 2": GOOD, "Write page 3": SAFE,
    "Write page 4": END,
}  # fmt: skip


@pytest.fixture
def report(tmp_path: Path) -> Path:
    path = tmp_path / "harbour.md"
    path.write_text(HARBOUR)
    return path


def run(*arguments: object) -> tuple[int, str, str]:
    done = CliRunner().invoke(app, [str(argument) for argument in arguments])
    return done.exit_code, done.stdout, done.stderr


def test_a_deck_is_written_and_its_numbers_are_counted(report: Path, tmp_path: Path) -> None:
    out = tmp_path / "talk.pptx"
    code, said, _ = run("--source", report, "--out", out, "--theme", "dark")
    assert code == 0
    assert "numbers on them found in the sources" in said
    assert f"Wrote {out}" in said
    code, said, _ = run("--source", report, "--out", out, "--json")
    data = json.loads(said)
    assert data["files"] == [str(out)] and data["unfounded"] == []


def test_a_number_in_no_source_is_exit_code_3(report: Path, tmp_path: Path) -> None:
    keep, out = tmp_path / "keep", tmp_path / "talk.pptx"
    run("--source", report, "--out", out, "--keep", keep)
    plan = keep / "plan.json"
    plan.write_text(plan.read_text().replace("60 tonnes", "65 tonnes"))
    code, _, error = run("--source", report, "--out", out, "--keep", keep, "--from", "plan")
    assert code == 3
    assert "in no source" in error and "65" in error


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--source", "nowhere.pdf"], "nowhere.pdf"),
        ([], "name at least one document"),
        (["--prompt", "ships"], "name at least one document"),
        (["--source", "{report}", "--theme", "purple"], "purple"),
        (["--source", "{report}", "--formats", "docx"], "docx"),
        (["--source", "{report}", "--from", "middle"], "middle"),
        (["--source", "{report}", "--record", "kept"], "--record"),
        (["--source", "{report}", "--budget-tokens", "9"], "--budget-tokens"),
        (["--source", "{report}", "--out", "talk.pdf"], ".pptx"),
    ],
)
def test_what_makes_no_sense_is_told_before_anything_is_written(
    arguments: list[str], said: str, report: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code, _, error = run(*(one.format(report=report) for one in arguments))
    assert code == 2
    assert said in error
    assert [path.name for path in tmp_path.iterdir()] == ["harbour.md"]


def test_a_model_writes_and_the_same_run_asks_nothing_twice(
    report: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def answer(request: dict[str, object]) -> str:
        prompt = prompt_of(request)
        return json.dumps(next(reply for mark, reply in REPLIES.items() if mark in prompt))

    command = ["--source", report, "--out", tmp_path / "talk.pptx", "--model", "any", "--slides", 4,
               "--record", tmp_path / "record"]  # fmt: skip
    with serving(answer) as server:
        monkeypatch.setattr("decklab.models.inspect.open_model", lambda _name, **_: server.model())
        code, said, error = run(*command)
        asked = len(server.requests)
        again, _, _ = run(*command)
        assert len(server.requests) == asked == 5
    assert (code, again) == (0, 0), error
    assert "4 slides" in said and "tokens in 5 requests" in said


def test_what_a_model_invents_is_named_and_not_shown(
    report: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad = page(points=[
        *GOOD["points"], point("Profits rose by 99%", "Container traffic grew by 12%"),
    ])  # fmt: skip

    def answer(request: dict[str, object]) -> str:
        prompt = prompt_of(request)
        replies = {**REPLIES, "Write page 2": bad}
        return json.dumps(next(reply for mark, reply in replies.items() if mark in prompt))

    with serving(answer) as server:
        monkeypatch.setattr("decklab.models.inspect.open_model", lambda _name, **_: server.model())
        code, said, error = run(
            "--source", report, "--out", tmp_path / "talk.pptx", "--model", "any", "--slides", 4
        )
    assert code == 0
    assert "Profits rose by 99%" in error
    assert "2 of 2 numbers" in said


def test_a_deck_like_another_one_is_written_and_told(report: Path, tmp_path: Path) -> None:
    example, out = company_deck(tmp_path / "company.pptx"), tmp_path / "talk.pptx"
    code, said, _ = run("--source", report, "--out", out, "--like", example, "--json")
    data = json.loads(said)
    assert code == 0 and data["unfounded"] == []
    assert data["like"]["stays"] == [FOOTER]
    assert data["like"]["used"][0] == {"slide": 1, "example": 1, "layout": "Title Slide"}
    assert data["slides"] == len(data["like"]["used"])


def test_what_does_not_go_with_like_is_refused_before_the_work(
    report: Path, tmp_path: Path
) -> None:
    example, out = company_deck(tmp_path / "company.pptx"), tmp_path / "talk.pptx"
    both = ("--source", report, "--out", out, "--like", example)
    code, _, said = run(*both, "--theme", "light")
    assert code == 2 and "--theme" in said
    code, _, said = run(*both, "--formats", "pptx,html")
    assert code == 2 and "no HTML" in said
    code, _, said = run("--source", report, "--out", out, "--like", tmp_path / "none.pptx")
    assert code == 2 and "none.pptx" in said
    code, _, said = run("--source", report, "--out", example, "--like", example)
    assert code == 2 and "company.pptx" in said
    assert not out.exists()
