"""Every command that reads a file says so in one line, with exit code 2, where it is missing."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from decklab.cli import app, main

WRITES = {
    "serve", "samples", "bench ppteval-starter", "bench unippt-starter", "bench slideeval-zenodo"
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


def leaves(command: Any, context: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:
    """All commands with their full names, groups gone through."""
    if not hasattr(command, "list_commands"):
        yield " ".join(path), command
        return
    for name in command.list_commands(context):
        _, inner, _ = command.resolve_command(context, [name])
        below = type(context)(inner, parent=context, info_name=name)
        yield from leaves(inner, below, (*path, name))


def reading() -> list[Any]:
    root: Any = get_command(app)
    found = leaves(root, root.context_class(root, info_name="decklab"))
    return [
        pytest.param(name, command, id=name)
        for name, command in found
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
