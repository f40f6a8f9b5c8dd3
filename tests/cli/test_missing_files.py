"""Every command that reads a file says so in one line, with exit code 2, where it is missing."""

import sys
from pathlib import Path
from typing import Any

import pytest
from tests.commands import commands

from decklab.cli import main

WRITES = {
    "samples", "bench ppteval-starter", "bench unippt-starter", "bench slideeval-zenodo"
}  # fmt: skip
"""Commands whose folder is where they write."""

NEEDS = {
    "--origin": "ours", "--task": "a talk", "--prompt": "a talk", "--model": "none/none",
    "--axis": "text",
}  # fmt: skip
"""Values for options without which a command does not begin; other options name files."""


MORE = {
    "judge": ["--prompt", "a talk", "--setting", "vague"],
    "bench slidesgen": ["--baseline"],
    "perturb": ["--severity", "0.4"],
    "prefer": ["--model", "mockllm/model", "b.pptx"],
    "bench slideeval-extract": ["--baseline"],
    "bench slideeval-order": ["--baseline"],
    "bench slideeval-perturb": ["--baseline"],
}
"""What these commands ask for besides."""


def reading() -> list[Any]:
    return [
        pytest.param(name, command, id=name)
        for name, command in commands()
        if name not in WRITES and any(one.param_type_name == "argument" for one in command.params)
    ]


@pytest.mark.parametrize(("name", "command"), reading())
def test_a_missing_file_is_told_before_anything_begins(
    name: str,
    command: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    missing = str(tmp_path / "nowhere" / "missing.pptx")
    words = name.split()
    for one in command.params:
        if one.param_type_name == "argument":
            words.append("delete slide 1" if one.name == "instruction" else missing)
        elif one.required:
            written = str(tmp_path / "out" / "file.json") if one.opts[0] == "--out" else missing
            words += [one.opts[0], NEEDS.get(one.opts[0], written)]
    monkeypatch.setattr(sys, "argv", ["decklab", *words, *MORE.get(name, ())])
    with pytest.raises(SystemExit) as ended:
        main()
    told = capsys.readouterr().err
    assert ended.value.code == 2, told
    assert "missing.pptx" in told.replace("\n", "").replace("│", "").replace(" ", "")
    assert not (tmp_path / "out").exists()
