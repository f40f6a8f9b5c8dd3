import json
from pathlib import Path

import pytest
from tests.board.examples.example_deck import FOOTER, company_deck
from tests.openai_server import prompt_of, serving
from tests.writer.conftest import HARBOUR
from tests.writer.scripted import END, GOOD, OUTLINED, PLAN, SAFE, STYLE, page, point
from typer.testing import CliRunner

from decklab.cli.write import app
from decklab.models.asking_loop import sight_number

REPLIES = {
    "Plan the story": PLAN, "Turn the plan": OUTLINED, "Write page 2": GOOD, "Write page 3": SAFE,
    "Write page 4": END, "Fill in the style": STYLE,
    "Choose the look": {"best": 1, "reason": "it suits"},
    "Which number do you see": sight_number("any"),
}  # fmt: skip


@pytest.fixture
def report(tmp_path: Path) -> Path:
    path = tmp_path / "harbour.md"
    path.write_text(HARBOUR)
    return path


def run(*arguments: object) -> tuple[int, str, str]:
    """Without the score card, which takes seconds; ``--score`` among the arguments asks for it."""
    done = CliRunner().invoke(app, ["--no-score", *(str(argument) for argument in arguments)])
    return done.exit_code, done.stdout, done.stderr


def test_a_deck_is_written_and_its_numbers_are_counted(report: Path, tmp_path: Path) -> None:
    out = tmp_path / "talk.pptx"
    code, said, _ = run("--source", report, "--out", out, "--theme", "dark")
    assert code == 0
    assert "numbers on them found in the sources" in said
    assert f"Wrote {out}" in said
    code, said, _ = run("--source", report, "--out", out, "--force", "--json")
    data = json.loads(said)
    assert data["files"] == [str(out)] and data["unfounded"] == []


def test_a_number_in_no_source_is_exit_code_3(report: Path, tmp_path: Path) -> None:
    keep, out = tmp_path / "keep", tmp_path / "talk.pptx"
    run("--source", report, "--out", out, "--keep", keep)
    plan = keep / "plan.json"
    plan.write_text(plan.read_text().replace("60 tonnes", "65 tonnes"))
    code, _, error = run(
        "--source", report, "--out", out, "--keep", keep, "--from", "plan", "--force"
    )
    assert code == 3
    assert "in no source" in error and "65" in error


@pytest.mark.parametrize(
    ("name", "text"),
    [("blank.txt", " \n"), ("one.md", "Hello"), ("head.csv", "a,b\n"), ("empty.md", "")],
)
def test_sources_that_hold_nothing_are_exit_code_2(name: str, text: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    code, _, error = run("--source", tmp_path / name, "--out", tmp_path / "talk.pptx")
    assert code == 2
    assert "too little" in error or "empty" in error
    assert not (tmp_path / "talk.pptx").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--source", "nowhere.pdf"], "nowhere.pdf"),
        ([], "name at least one document"),
        (["--prompt", "ships"], "name at least one document"),
        (["--source", "{report}", "--theme", "purple"], "purple"),
        (["--source", "{report}", "--formats", "docx"], "docx"),
        (["--source", "{report}", "--formats", "pptx,,docx"], "'docx' is none of"),
        (["--source", "{report}", "--formats", " , "], "' , ' is none of"),
        (["--source", "{report}", "--from", "middle"], "middle"),
        (["--source", "{report}", "--record", "kept"], "--record"),
        (["--source", "{report}", "--budget-tokens", "9"], "--budget-tokens"),
        (["--source", "{report}", "--out", "talk.pdf"], ".pptx"),
        (["--slides-from", "nowhere.md"], "nowhere.md"),
        (["--slides-from", "{report}", "--prompt", "ships"], "--slides-from"),
        (["--slides-from", "{report}", "--from", "plan", "--keep", "k"], "--slides-from"),
        (["--slides-from", "{report}", "--out", "harbour.md"], ".pptx"),
        (["--redo", "2", "shorter"], "--keep"),
        (["--source", "{report}", "--pictures", "nowhere"], "nowhere"),
        (["--source", "{report}", "--image-model", "x"], "--image-url"),
        (["--source", "{report}", "--image-model", "x", "--image-url", "file:///etc"], "https://"),
        (["--source", "{report}", "--image-url", "http://a/v1"], "--image-model"),
        (["--from", "plan"], "name the folder"),
        (["--source", "{report}", "--source-language", "German!"], "no language tag"),
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


@pytest.mark.long
def test_a_model_writes_and_the_same_run_asks_nothing_twice(
    report: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def answer(request: dict[str, object]) -> str:
        prompt = prompt_of(request)
        return json.dumps(next(reply for mark, reply in REPLIES.items() if mark in prompt))

    command = ["--source", report, "--out", tmp_path / "talk.pptx", "--model", "any", "--slides", 4,
               "--no-refine", "--record", tmp_path / "record"]  # fmt: skip
    with serving(answer) as server:
        monkeypatch.setattr("decklab.models.inspect.open_model", lambda _name, **_: server.model())
        code, said, error = run(*command)
        asked = len(server.requests)
        again, _, _ = run(*command, "--force")
        assert len(server.requests) == asked == 8
    assert (code, again) == (0, 0), error
    assert "4 slides" in said and "tokens in 7 requests" in said


def test_a_page_that_is_not_wanted_leaves_its_room_to_what_a_model_writes(
    report: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def answer(request: dict[str, object]) -> str:
        prompt = prompt_of(request)
        return json.dumps(next(reply for mark, reply in REPLIES.items() if mark in prompt))

    with serving(answer) as server:
        monkeypatch.setattr("decklab.models.inspect.open_model", lambda _name, **_: server.model())
        code, said, error = run(
            "--source", report, "--out", tmp_path / "talk.pptx", "--model", "any", "--slides", 3,
            "--no-title-page", "--language", "en", "--source-language", "de", "--prices", "1,2",
            "--no-refine",
        )  # fmt: skip
        assert "(the sources are in de: quotes stay so)" in prompt_of(server.requests[0])
    assert code == 0, error
    assert "3 slides" in said and "requests, $0.0" in said


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
            "--source",
            report,
            "--out",
            tmp_path / "talk.pptx",
            "--model",
            "any",
            "--slides",
            4,
            "--no-refine",
        )
    assert code == 0
    assert "Profits rose by 99%" in error
    assert "2 of 2 numbers" in said


def test_slides_in_markdown_need_no_documents_and_take_their_theme(tmp_path: Path) -> None:
    talk, out = tmp_path / "talk.md", tmp_path / "talk.pptx"
    words = "---\ntheme: dark\n---\n\n# A\n\nwords\n\n## B\n\n- 12 ships\n\n"
    talk.write_text(f"{words}<video src='x'></video>\n")
    code, said, error = run("--slides-from", talk, "--out", out, "--keep", tmp_path / "k")
    assert code == 0 and "2 slides\n" in said
    assert "talk.md, line 13: HTML is not shown" in error
    assert json.loads((tmp_path / "k" / "settings.json").read_text()) == {"theme": "dark"}
    again = tmp_path / "again.pptx"
    kept = tmp_path / "k" / "slides.md"
    code, _, _ = run("--slides-from", kept, "--out", again, "--theme", "dark")
    assert (code, again.read_bytes()) == (0, out.read_bytes())
    assert kept.read_text().count("# B") == 1


@pytest.mark.long
def test_another_theme_and_another_slide_without_documents(report: Path, tmp_path: Path) -> None:
    keep, out = tmp_path / "keep", tmp_path / "talk.pptx"
    run("--source", report, "--out", out, "--keep", keep)
    first = out.read_bytes()
    code, said, _ = run(
        "--keep", keep, "--from", "plan", "--theme", "dark", "--out", out, "--force"
    )
    assert code == 0 and "numbers" not in said and out.read_bytes() != first
    code, _, error = run("--keep", keep, "--redo", 4, "as bullets", "--out", out, "--force")
    assert code == 0, error
    assert "Seconds: " in error
    code, _, error = run("--keep", keep, "--redo", 4, "as a spiral", "--out", out, "--force")
    assert code == 2
    assert "as a spiral" in error


@pytest.mark.long
def test_the_score_card_follows_and_its_report_is_kept(tmp_path: Path) -> None:
    talk, keep = tmp_path / "talk.md", tmp_path / "k"
    talk.write_text("# A\n\nwords\n\n## B\n\n- 12 ships\n")
    code, said, error = run(
        "--slides-from", talk, "--out", tmp_path / "talk.pptx", "--keep", keep, "--score"
    )
    assert code == 0, error
    assert "total" in said and (keep / "score" / "index.html").exists()


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
    assert code == 2 and "or a theme, not both" in said
    code, _, said = run(*both, "--formats", "pptx,html")
    assert code == 2 and "no HTML" in said
    code, _, said = run("--source", report, "--out", out, "--like", tmp_path / "none.pptx")
    assert code == 2 and "none.pptx" in said
    code, _, said = run("--source", report, "--out", example, "--like", example)
    assert code == 2 and "company.pptx" in said
    assert not out.exists()
