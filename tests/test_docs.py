"""The commands and programs in the README and the docs run as they stand there.

A block of kind ``console`` runs. A line that begins with ``$ `` is a command, which bash runs as it
stands there, and ends with exit code 0, unless the command ``echo $?`` below it is followed by
another code. Other lines are output that the command has to print, in this order; ``...`` stands
for any lines, also in the middle of a line. Blocks of kind ``python`` run, too. Commands in other
blocks, fenced or indented, ask a model or begin a server: these are parsed, so that each names a
command and options that exist.
"""

import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

import pytest
from markdown_it import MarkdownIt
from typer import Context
from typer.main import get_command

from decklab.cli import app

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
PROGRAMS = ("decklab", "inspect")
NEEDS_MORE_THAN_A_TEST = re.compile(
    r"--(image-|local-)?model [^n]|--judge |--model (NAME|M)\b|openai/|--agent|--redo"
    r"|decklab (serve|mcp|reference)\b|rubric (propose|draft)|ppteval-(fetch|meta)"
    r"|~/|report\.pdf|our-talks/"
)
"""A model, a server, a download, minutes, or a deck of the reader's own."""


@dataclass
class Command:
    """A command of a console block, the output that the page states, and the exit code."""

    words: list[str]
    output: list[str] = field(default_factory=list)
    code: int = 0
    line: str = ""
    """As the page has it, for the shell; empty for a program of ours."""


def blocks(page: Path) -> Iterator[tuple[str, str]]:
    """The kind and the text of each block of a page; indented ones have no kind."""
    for token in MarkdownIt("commonmark").parse(page.read_text()):
        if token.type in {"fence", "code_block"}:
            yield token.info.strip(), token.content


def commands(text: str) -> list[Command]:
    """The commands of a console block with what is stated of each."""
    found: list[Command] = []
    joined = text.replace("\\\n", "")
    asks_code = False
    for line in joined.splitlines():
        if line == "$ echo $?":
            asks_code = True
        elif line.startswith("$ "):
            typed = line.removeprefix("$ ").removeprefix(".venv/bin/")
            found.append(Command(shlex.split(typed, comments=True), line=typed))
        elif asks_code:
            found[-1].code, asks_code = int(line), False
        else:
            found[-1].output.append(line)
    return found


def shown(page: Path) -> Iterator[list[list[str]]]:
    """The words of the commands of each block that does not run."""
    for kind, text in blocks(page):
        if kind not in {"console", "python"}:
            yield [
                shlex.split(line, comments=True)
                for line in text.replace("\\\n", "").splitlines()
                if line.startswith(tuple(f"{name} " for name in PROGRAMS))
            ]


def runs(page: Path) -> bool:
    return any(kind in {"console", "python"} for kind, _ in blocks(page))


RUN_BY_DAY = {"deck.md", "diff.md", "models.md", "ooxml.md", "preference.md", "sandbox.md"}
RUN_LONG = {
    *("README.md", "edit.md", "index.md", "lint-in-ci.md", "lint.md", "seen.md", "start.md"),
    "write.md",
}
"""The commands of all other pages run with ``make bench``: together they take longest."""


def run_when(page: Path) -> list[pytest.MarkDecorator]:
    if page.name in RUN_LONG:
        return [pytest.mark.long]
    return [] if page.name in RUN_BY_DAY else [pytest.mark.bench]


RUN_PAGES = [
    pytest.param(page, marks=run_when(page), id=str(page.relative_to(ROOT)))
    for page in PAGES
    if runs(page) and page.name != "CONTRIBUTING.md"
]


@pytest.mark.long
@pytest.mark.office
@pytest.mark.chromium
@pytest.mark.parametrize("page", RUN_PAGES)
def test_the_page_runs_from_top_to_bottom(page: Path, tmp_path: Path) -> None:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = dict(os.environ, PATH=path)
    for kind, text in blocks(page):
        if kind == "console":
            for command in commands(text):
                if command.words[0] in PROGRAMS:
                    run(command, tmp_path, environment)
        elif kind == "python":
            run(Command([sys.executable, "-W", "error", "-c", text]), tmp_path, environment)


def run(command: Command, folder: Path, environment: dict[str, str]) -> None:
    words = ["bash", "-c", command.line] if command.line else command.words
    done = subprocess.run(
        words, check=False, cwd=folder, env=environment, capture_output=True, text=True, timeout=250
    )
    said = f"{words}\n{done.stdout}\n{done.stderr}"
    assert done.returncode == command.code, said
    missing = first_missing(command.output, done.stderr + done.stdout)
    assert missing is None, f"not printed: {missing!r}\n{said}"


def first_missing(stated: list[str], printed: str) -> str | None:
    """The first stated line that does not follow those before it in what was printed."""
    at = 0
    for line in stated:
        pattern = r"[^\n]*?".join(re.escape(part) for part in line.rstrip().split("..."))
        match = re.compile(rf"^{pattern}[ ]*$", re.MULTILINE).search(printed, at)
        if line.strip() and match is None:
            return line
        at = match.end() if match else at
    return None


def test_output_that_is_not_printed_is_noticed() -> None:
    printed = "one: 1\ntwo\nthree\n"
    assert first_missing(["one: 1", "...", "three"], printed) is None
    assert first_missing(["one: ...", "three"], printed) is None
    assert first_missing(["three", "two"], printed) == "two"
    assert first_missing(["tw"], printed) == "tw"
    stated = commands("$ decklab lint a.pptx\n...\nfix: b\n$ echo $?\n1\n$ decklab samples decks\n")
    assert [one.code for one in stated] == [1, 0]
    assert stated[0].output == ["...", "fix: b"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_that_do_not_run_could(page: Path) -> None:
    for block in shown(page):
        ours = [words for words in block if words[0] == "decklab"]
        lines = "\n".join(" ".join(words) for words in ours)
        assert not ours or NEEDS_MORE_THAN_A_TEST.search(lines), f"{page.name}: can run: {lines}"
        for words in ours:
            parse(words[1:])


def parse(words: list[str]) -> None:
    """Raises a usage error if no command is called so, or it has no such option."""
    command: Any = get_command(app)
    context = Context(command, info_name="decklab")
    while hasattr(command, "resolve_command"):
        _, command, words = command.resolve_command(context, words)
        context = Context(command, parent=context)
    command.make_parser(context).parse_args(list(words))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_other_programs_are_called_as_they_are(page: Path) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    text = page.read_text()
    for target in re.findall(r"^(?:\$ |`)make ([a-z-]+)\b", text, re.MULTILINE):
        assert target in targets, f"{page.name}: make {target}"
    for extras in re.findall(r"""pip install ['"](?:decklab|\.)\[([a-z,]+)\]""", text):
        assert set(extras.split(",")) <= set(project["optional-dependencies"]), extras
    for module in re.findall(r"python -m (bench|generate)((?:\.\w+)*)", text):
        place = ROOT.joinpath(*"".join(module).split("."))
        assert place.with_suffix(".py").is_file() or (place / "__main__.py").is_file(), module


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_and_pictures_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text()):
        if not target.startswith("http"):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def anchors(page: Path) -> set[str]:
    """The fragments that lead to the headings of a page, as GitHub and the site make them."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_fragments_of_links_are_headings(page: Path) -> None:
    for target, fragment in re.findall(r"\]\(([^):#]*)#([^)]+)\)", page.read_text()):
        linked = page.parent / target if target else page
        assert fragment in anchors(linked), f"{page.name} links to {target}#{fragment}"


@pytest.mark.parametrize("page", PAGES[2:], ids=lambda page: page.name)
def test_a_page_ends_with_what_to_do_next(page: Path) -> None:
    if page.parent.name == "rules" or page.name == "index.md":
        return
    ending = page.read_text().rpartition("\n## ")[2]
    assert ending.startswith("What to do next\n") and "](" in ending


@pytest.mark.long
def test_every_command_is_documented_with_an_example() -> None:
    helped = subprocess.run(
        [sys.executable, "-m", "decklab", "--help"], capture_output=True, text=True, check=True
    )
    names = re.findall(r"^│ ([a-z]+)", helped.stdout.split("Commands")[1], re.MULTILINE)
    assert "score" in names
    documented = "\n".join(page.read_text() for page in PAGES)
    for name in names:
        assert f"decklab {name}" in documented
        usage = subprocess.run(
            [sys.executable, "-m", "decklab", name, "--help"],
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        assert f"Example: decklab {name}" in " ".join(usage.stdout.split())


FOREIGN = re.compile(r"\b(POA|MACE|PEI|EMU|arena|leaf|probe|starter set|knowledge base)\b(?!/)")
CONDITION = re.compile(
    r"\bwhere\s+(there\s+(is|are)\s+(no|one|none|nothing)|none\b|one\s+is\b|it\s+has\s+(no|none)\b"
    r"|nothing\b|somebody\b|a\s+budget\b|no\s+(model|case|text)\b|something\s+is\s+missing)"
)
PAGES_WITHOUT_IFS = {"designs.md", "edit.md", "mcp.md", "templates.md", "workbench.md", "write.md"}


def prose(page: Path) -> str:
    """A page without its blocks, code, headings and tables."""
    text = re.sub(r"^ *```.*?^ *```$", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"`[^`\n]*`|!\[[^\]]*\]|^(#|\||    ).*$", "", text, flags=re.MULTILINE)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_condition_is_an_if_and_words_are_explained(page: Path) -> None:
    text = prose(page)
    assert page.name in PAGES_WITHOUT_IFS or not CONDITION.search(text), CONDITION.search(text)
    if FOREIGN.search(text) and page.name != "glossary.md":
        assert "glossary.md" in page.read_text(), f"{FOREIGN.search(text)}: link to the glossary"


def test_the_readme_says_paper_names_and_no_rooms() -> None:
    assert not re.search(r"\bpaper 00|\brooms?\b", (ROOT / "README.md").read_text())


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_names_and_files_in_code_are_there(page: Path) -> None:
    text = page.read_text()
    for name in re.findall(r"`((?:src|tests|bench|generate|scripts)/[\w/.]+)`", text):
        assert "<" in name or (ROOT / name).exists() or page.name == "CONTRIBUTING.md", name
    for name in re.findall(r"`(decklab(?:\.\w+)+)(?:\([^`]*\))?`", text):
        assert name in NO_MODULES or resolves(name), f"{page.name}: {name}"


NO_MODULES = {
    *("decklab.toml", "decklab.ignore", "decklab.document_readers", "decklab.lint_rules"),
    *("decklab.benchmarks", "decklab.layouts"),
}
"""A file, a mark in a deck, and groups of entry points."""


def resolves(name: str) -> bool:
    try:
        resolve_name(name)
    except (ImportError, AttributeError):
        return False
    return True
