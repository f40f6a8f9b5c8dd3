"""The commands and programs in the README and the docs run as they stand there."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^[ ]*```(console|python)\n(.*?)^[ ]*```$", re.MULTILINE | re.DOTALL)


def blocks(page: Path) -> list[tuple[str, str]]:
    return BLOCK.findall(page.read_text())


RUN_BY_DAY = {"deck.md", "diff.md", "models.md", "ooxml.md", "preference.md", "sandbox.md"}
RUN_LONG = {"edit.md", "index.md", "lint.md", "seen.md", "start.md", "write.md"}
"""The commands of all other pages run with ``make bench``: together they take longest."""


def run_when(page: Path) -> list[pytest.MarkDecorator]:
    if page.name in RUN_LONG:
        return [pytest.mark.long]
    return [] if page.name in RUN_BY_DAY else [pytest.mark.bench]


RUN_PAGES = [pytest.param(page, marks=run_when(page)) for page in PAGES[1:] if blocks(page)]


@pytest.mark.long
@pytest.mark.office
@pytest.mark.chromium
@pytest.mark.parametrize("page", RUN_PAGES, ids=lambda page: page.name)
def test_the_page_runs_from_top_to_bottom(page: Path, tmp_path: Path) -> None:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = dict(os.environ, PATH=path)
    for kind, text in blocks(page):
        if kind == "console":
            for line in text.splitlines():
                command = line.strip().removeprefix("$ ")
                if command.startswith("decklab "):
                    run(shlex.split(command), tmp_path, environment)
        else:
            run([sys.executable, "-W", "error", "-c", text], tmp_path, environment)


def run(command: list[str], folder: Path, environment: dict[str, str]) -> None:
    done = subprocess.run(
        command,
        check=False,
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=250,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_and_pictures_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text()):
        if not target.startswith("http"):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


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
