import json
from pathlib import Path

import pytest
from tests.evals.judges.honest import with_known
from tests.evals.judges.quiz.scripts import ANCHORS, EXAM, REPORT, exam_reply
from tests.evals.judges.quiz.test_slide_texts import write_deck
from tests.openai_server import prompt_of, serving
from typer.testing import CliRunner

from decklab.cli.quiz import app

HARBOUR = Path(__file__).parents[2] / "generate" / "writing" / "harbour.md"


def run(*arguments: object) -> tuple[int, str, str]:
    done = CliRunner().invoke(app, [str(argument) for argument in arguments])
    return done.exit_code, done.stdout, done.stderr


def test_a_bank_is_built_and_decks_answer_it(tmp_path: Path) -> None:
    bank = tmp_path / "bank.json"
    code, said, _ = run("build", HARBOUR, "--out", bank)
    assert code == 0 and "Proxy" in said and "10 questions" in said
    text = " ".join(HARBOUR.read_text().split())
    deck = write_deck(tmp_path / "talk.pptx", [("All", text, "")])
    code, said, _ = run("take", bank, deck, "--source", HARBOUR)
    assert code == 0 and said.startswith("Proxy")
    assert "right (" in said and "95% interval" in said and "kind: concept" in said
    code, said, _ = run("take", bank, deck, "--json")
    (data,) = json.loads(said)
    assert data["proxy"] is True and data["accuracy"]["questions"] == 10
    assert len(data["questions"]) == 10 and set(data["by_kind"]) == {"concept", "data"}
    assert len(data["accuracy"]["interval"]) == 2


def test_what_was_not_scored_is_exit_code_3(tmp_path: Path) -> None:
    bank = tmp_path / "bank.json"
    run("build", HARBOUR, "--out", bank)
    code, said, error = run("take", bank, tmp_path / "nowhere.pptx")
    assert code == 3 and "not scored" in said and "nowhere.pptx" in error


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["build", "nowhere.pdf", "--out", "bank.json"], "nowhere.pdf"),
        (["build", "{harbour}", "--out", "bank.json", "--record", "kept"], "--record"),
        (["take", "nowhere.json", "talk.pptx"], "nowhere.json"),
        (["take", "{harbour}", "talk.pptx"], "is no question bank (JSON expected)"),
        (["take", "bank.json", "talk.pptx", "--reading", "pictures"], "--reading"),
    ],
)
def test_what_makes_no_sense_is_told(
    arguments: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code, _, error = run(*(one.format(harbour=HARBOUR) for one in arguments))
    assert code == 2 and said in error
    assert list(tmp_path.iterdir()) == []


def test_a_model_builds_and_takes_and_asks_nothing_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, bank = tmp_path / "harbour.md", tmp_path / "bank.json"
    source.write_text(REPORT)
    deck = write_deck(tmp_path / "talk.pptx", [("The harbour", "Ships from 31 countries", "")])
    replies = {
        "Find what a good": ANCHORS, "You check the notes": ANCHORS, "Write an exam": EXAM,
        "The slides, as Markdown:\n\n": exam_reply("-" * 10),
    }  # fmt: skip

    def answer(request: dict[str, object]) -> str:
        prompt = prompt_of(request)
        mark = next(mark for mark in replies if mark in prompt)
        return with_known(prompt, json.dumps(replies[mark]), always=mark.startswith("The slides"))

    build = ["build", source, "--out", bank, "--model", "any", "--record", tmp_path / "built"]
    take = ["take", bank, deck, "--model", "any", "--record", tmp_path / "taken"]
    with serving(answer) as server:
        monkeypatch.setattr("decklab.models.inspect.open_model", lambda _name, **_: server.model())
        code, said, error = run(*build)
        assert code == 0 and "Proxy" not in said and "by any" in said, error
        assert len(server.requests) == 3
        code, said, error = run(*take)
        assert code == 0 and "0 of 10 right" in said and "Proxy" not in said, error
        asked = len(server.requests)
        assert run(*build)[0] == 2 and run(*build, "--force")[0] == 0
        assert run(*take)[1] == said
        assert len(server.requests) == asked
