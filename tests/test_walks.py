"""The walks of docs/architecture.md are the ways that the program takes: commands run under a
profiler, child processes too, and each named module is entered, step after step."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest
from pptx import Presentation

import decklab
from decklab.deck.deck import write_samples

ROOT = Path(__file__).parents[1]
PACKAGE = Path(decklab.__file__).parent
MODULE = re.compile(r"`([\w/]+\.py)`")
OTHER_WAYS = {
    "evals/rubrics/leaf_globals.py",  # runs in the sandbox, where no profiler is
    "writer/narrative.py",  # with a model
    "board/templates/filling.py",  # with --template
    "board/examples/deck.py",  # with --like
}
"""Modules that a step names for another way than the one that is run."""

PROFILER = """
import os, sys, threading, time

ROOT, LOG = os.environ["WALK_ROOT"], os.environ["WALK_LOG"]
seen = set()

def imported(frame):
    while frame is not None and frame.f_code.co_name != "exec_module":
        frame = frame.f_back
    return frame is not None

def watch(frame, event, _):
    file = frame.f_code.co_filename
    if event != "call" or file in seen or not file.startswith(ROOT):
        return
    if file.endswith("__init__.py") or not imported(frame):
        seen.add(file)
        with open(LOG, "a") as log:
            log.write(f"{time.monotonic()} {file[len(ROOT):]}\\n")

threading.setprofile(watch)
sys.setprofile(watch)
"""
"""A ``sitecustomize`` that notes when a process enters each module for the first time; child
processes find it by PYTHONPATH. What runs while a module is imported does not count, but in an
``__init__``, whose names are looked up by then."""


def walks() -> Mapping[str, Sequence[Sequence[str]]]:
    """The modules of each numbered step, by the heading of the walk."""
    text = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    text = text.split("\n## Four walks\n")[1].split("\n## ")[0]
    found = {}
    for walk in text.split("\n### ")[1:]:
        heading, _, body = walk.partition("\n")
        steps = re.split(r"^\d+\. ", body, flags=re.MULTILINE)[1:]
        steps[-1] = steps[-1].split("\n\n")[0]
        found[heading] = [MODULE.findall(step) for step in steps]
    return found


def entered(arguments: Sequence[str], folder: Path) -> Mapping[str, float]:
    """When a command, or a process that it starts, first enters each module of decklab."""
    (folder / "site").mkdir()
    (folder / "site" / "sitecustomize.py").write_text(PROFILER)
    log = folder / "walk.log"
    path = os.pathsep.join((str(folder / "site"), str(PACKAGE.parent)))
    environment = os.environ | {
        "PYTHONPATH": path, "WALK_ROOT": f"{PACKAGE}{os.sep}", "WALK_LOG": str(log),
    }  # fmt: skip
    command = [sys.executable, "-m", "decklab", *arguments]
    done = subprocess.run(
        command,
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode in (0, 1), done.stderr
    times: dict[str, float] = {}
    for line in log.read_text().splitlines():
        moment, _, module = line.partition(" ")
        times[module] = min(float(moment), times.get(module, float(moment)))
    return times


def check(heading: str, arguments: Sequence[str], folder: Path) -> None:
    """Each module of a walk is entered; each step enters its last module before the next does."""
    (steps,) = [steps for name, steps in walks().items() if name.startswith(heading)]
    assert len(steps) >= 4 and all(steps)
    times = entered(arguments, folder)
    assert [name for name in _needed(steps) if name not in times] == []
    ends = [max(times[name] for name in step if name in times) for step in steps]
    assert ends == sorted(ends), list(zip(ends, steps, strict=True))


def _needed(steps: Sequence[Sequence[str]]) -> Iterator[str]:
    return (name for step in steps for name in step if name not in OTHER_WAYS)


@pytest.fixture
def samples(tmp_path: Path) -> Path:
    write_samples(tmp_path)
    return tmp_path


@pytest.mark.office
def test_an_edit(samples: Path) -> None:
    words = [
        "edit",
        "plain.pptx",
        "delete slide 3",
        "--out",
        "edited.pptx",
        "--report",
        "edit.html",
    ]
    check("An edit", words, samples)


@pytest.mark.long
@pytest.mark.office
def test_a_score(samples: Path) -> None:
    check("A score", ["score", "plain.pptx", "--out", "scores"], samples)


@pytest.mark.long
@pytest.mark.office
def test_a_deck_written(tmp_path: Path) -> None:
    (tmp_path / "report.md").write_text((ROOT / "docs" / "scoring.md").read_text("utf-8"))
    check("A deck written", ["write", "--source", "report.md", "--out", "deck.pptx"], tmp_path)


SEEN = """
def compute_score():
    why = why_unseen(2, text="What we learned")
    return why or "The title can be seen.", float(not why)
"""
MAY = [{"slide": 2, "shapes": ["Title*"], "may": ["text:text"]}]


@pytest.mark.long
@pytest.mark.office
def test_a_rubric_leaf(samples: Path) -> None:
    deck = Presentation(str(samples / "plain.pptx"))
    deck.slides[1].shapes.title.text = "What we learned"
    deck.slides[2].shapes.title.text = "What nobody asked for"
    deck.save(str(samples / "after.pptx"))
    scorer = {"type": "function", "function_code": SEEN}
    leaf = {"name": "seen", "is_critical": True, "scorer": scorer}
    (samples / "r.json").write_text(
        json.dumps({"root": {"name": "all", "children": [leaf]}, "metadata": {"may_change": MAY}})
    )
    words = ["grade", "plain.pptx", "after.pptx", "--rubric", "r.json", "--html", "page.html"]
    check("A rubric leaf", words, samples)
