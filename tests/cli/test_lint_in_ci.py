"""The pre-commit hooks and the GitHub action: what they run works as it stands."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from pptx import Presentation

yaml = pytest.importorskip("yaml")

ROOT = Path(__file__).parents[2]
HOOKS = {hook["id"]: hook for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())}
ACTION = yaml.safe_load((ROOT / "action.yml").read_text())


@pytest.fixture
def checkout(tmp_path):
    """A folder with a deck that has a slide without a title, and settings that ask for no more."""
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    slide.shapes.add_textbox(0, 0, 4_000_000, 900_000).text_frame.text = "Harvest"
    deck.save(tmp_path / "deck.pptx")
    rules = 'select = ["accessibility.missing-slide-title"]'
    (tmp_path / "decklab.toml").write_text(f"[lint]\n{rules}\n")
    return tmp_path


def run(command, folder, **environment):
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        command,
        check=False,
        cwd=folder,
        env={**os.environ, "PATH": path, **environment},
        capture_output=True,
        text=True,
        timeout=120,
    )


def test_hooks_take_decks_and_no_lock_files():
    for hook in HOOKS.values():
        taken = [
            name
            for name in ("a.pptx", "b/c.potm", "~$a.pptx", "b/~$c.pptx", "a.pptx.bak", "a.md")
            if re.search(hook["files"], name) and not re.search(hook["exclude"], name)
        ]
        assert taken == ["a.pptx", "b/c.potm"]
        assert hook["language"] == "python" and hook["require_serial"]


@pytest.mark.long
@pytest.mark.office
def test_hooks_run_as_pre_commit_runs_them(checkout):
    """pre-commit gives the files after the entry; a hook that changes one stops the commit."""
    lint = shlex.split(HOOKS["decklab-lint"]["entry"])
    found = run([*lint, "deck.pptx"], checkout)
    assert found.returncode == 1 and "accessibility.missing-slide-title" in found.stdout
    before = (checkout / "deck.pptx").read_bytes()
    fixed = run([*shlex.split(HOOKS["decklab-lint-fix"]["entry"]), "deck.pptx"], checkout)
    assert fixed.returncode == 0, fixed.stderr
    assert (checkout / "deck.pptx").read_bytes() != before
    assert Presentation(checkout / "deck.pptx").slides[0].shapes.title is not None


def step(name):
    return next(item for item in ACTION["runs"]["steps"] if item.get("name") == name)


@pytest.mark.long
@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
def test_the_action_lints_and_annotates(checkout):
    assert ACTION["runs"]["using"] == "composite"
    given = {"PATHS": ".", "ARGS": "--fail-on error", "SARIF": "found.sarif"}
    assert set(step("Lint")["env"]) == set(given)
    done = run(["bash", "-e", "-c", step("Lint")["run"]], checkout, **given)
    assert done.returncode == 1, "findings fail the step"
    assert done.stdout.startswith("::error file=deck.pptx,line=1,title=accessibility.")
    assert "accessibility.missing-slide-title" in (checkout / "found.sarif").read_text()


def test_every_input_of_the_action_is_used_and_none_is_pasted_into_a_script():
    steps = ACTION["runs"]["steps"]
    used = {name for item in steps for name in re.findall(r"inputs\.([\w-]+)", str(item))}
    assert used == set(ACTION["inputs"])
    assert all("${{" not in item.get("run", "") for item in steps)
    assert all(item["shell"] == "bash" for item in steps if "run" in item)
