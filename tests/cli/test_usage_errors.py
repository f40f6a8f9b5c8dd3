"""A wrong use is told in our words: the option, the value given, and what is allowed."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.commands import commands

from decklab.cli import main
from decklab.deck.deck import write_samples

LIBRARY_WORDS = ("Value error", "Input should", "Invalid value", "unable to parse")


def told(*words: str, capsys: Any, monkeypatch: Any) -> str:
    """Standard error of a command that ends with 2, without the frame."""
    monkeypatch.setenv("COLUMNS", "300")
    monkeypatch.setattr(sys, "argv", ["decklab", *words])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    lines = capsys.readouterr().err.splitlines()
    return " ".join(line.strip("│ ") for line in lines if line.startswith("│"))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("scor x", "No such command 'scor'. Did you mean 'score', 'corpus'?"),
        ("bench pptevl", "No such command 'pptevl'. Did you mean 'ppteval', "),
        ("lint x --ruls y", "No such option: --ruls. Did you mean --rules?"),
        ("score x --bogus", "No such option: --bogus."),
        ("lint x --format yaml", "--format yaml: choose table, json, sarif or github."),
        (
            "lint x --min-severity eror",
            "--min-severity eror: did you mean 'error'? Choose error, warning or info.",
        ),
        ("score x --save md --save dpf", "--save dpf: did you mean 'pdf'? Choose md, pdf, "),
        ("perturb x --axis text --severity 4", "--severity 4: give a number from 0 to 1."),
        ("score x --jobs 0", "--jobs 0: give a whole number, at least 1."),
        ("score x --jobs many", "--jobs many: give a whole number, at least 1."),
        (
            "judge x",
            "judge needs --task FILE, or --setting: vague, long-doc, multimodal or multi-source",
        ),
        ("judge x --setting vague --reading", "No such option: --reading."),
    ],
)
def test_what_is_wrong_names_option_value_and_choice(
    words: str, said: str, capsys: Any, monkeypatch: Any
) -> None:
    assert told(*words.split(), capsys=capsys, monkeypatch=monkeypatch).startswith(said)


def typed_options() -> list[Any]:
    """All options that take a number or one of several words."""
    return [
        pytest.param(name, command, option, id=f"{name} {option.opts[0]}")
        for name, command in commands()
        for option in command.params
        if option.param_type_name == "option"
        and option.nargs == 1
        and option.type_descriptor.annotation not in (str, Path, bool, list[str], list[Path])
    ]


@pytest.mark.parametrize(("name", "command", "option"), typed_options())
def test_no_option_leaks_the_words_of_a_library(
    name: str, command: Any, option: Any, capsys: Any, monkeypatch: Any
) -> None:
    words = [*name.split(), option.opts[0], "nothing-such"]
    for other in command.params:
        if other.param_type_name == "argument":
            words.append("x")
        elif other.required and other is not option:
            words += [other.opts[0], "text" if other.opts[0] == "--axis" else "1"]
    said = told(*words, capsys=capsys, monkeypatch=monkeypatch)
    assert said.startswith(f"{option.opts[0]} nothing-such: ")
    assert not any(leak in said for leak in LIBRARY_WORDS)


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("decklab sco", "score"),
        ("decklab score --re", "--reference"),
        ("decklab bench un", "unippt"),
    ],
)
def test_the_shell_completes_commands_and_options(words: str, offered: str) -> None:
    asked = {
        "_DECKLAB_COMPLETE": "complete_bash",
        "COMP_WORDS": words,
        "COMP_CWORD": str(words.count(" ")),
    }
    program = "import sys; sys.argv = ['decklab']; from decklab.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True, text=True, check=True, env=os.environ | asked,
    )  # fmt: skip
    assert offered in done.stdout.split()


def test_the_script_for_the_shell_is_shown_and_help_says_how() -> None:
    for words, said in (
        (["--show-completion", "bash"], "complete -o default -F _decklab_completion decklab"),
        (["--help"], "decklab --install-completion"),
    ):
        program = (
            f"import sys; sys.argv = ['decklab', *{words}]; from decklab.cli import main; main()"
        )
        # The shell around the tests is not asked for: there may be none.
        environment = os.environ | {"_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"}
        done = subprocess.run(
            [sys.executable, "-c", program],
            capture_output=True, text=True, check=True, env=environment,
        )  # fmt: skip
        assert said in " ".join(done.stdout.split())


@pytest.mark.long
def test_score_prints_json_as_other_commands_do(
    tmp_path: Path, capsys: Any, monkeypatch: Any
) -> None:
    picture = tmp_path / "slides" / "1.png"
    picture.parent.mkdir()
    from PIL import Image

    Image.new("RGB", (320, 180), "white").save(picture)
    words = ["score", str(picture.parent), "--out", str(tmp_path / "out"), "--json"]
    monkeypatch.setattr(sys, "argv", ["decklab", *words])
    with pytest.raises(SystemExit) as ended:
        main()
    assert not ended.value.code
    assert [deck["deck"] for deck in json.loads(capsys.readouterr().out)["decks"]]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            "quiz take FILE decks/plain.pptx",
            "FILE is no question bank (no 'title'). Make one: decklab quiz build report.pdf --out",
        ),
        ("quiz take decks/plain.pptx x", "plain.pptx is no question bank (JSON expected)"),
        (
            "grade decks/plain.pptx decks/plain.pptx --rubric decks/plain.pptx",
            "plain.pptx: is no rubric file (JSON in UTF-8 expected)",
        ),
        (
            "write --source FILE --theme neon",
            "no theme named 'neon'; choose light, dark, editorial, academic, corporate, playful, "
            "ink, poster, midnight, carbon, journal or nordic",
        ),
    ],
)
def test_a_wrong_file_or_name_says_what_is_needed(
    words: str, said: str, tmp_path: Path, capsys: Any, monkeypatch: Any
) -> None:
    write_samples(tmp_path / "decks")
    (tmp_path / "FILE").write_text("{}")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["decklab", *words.split()])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    assert said in capsys.readouterr().err
