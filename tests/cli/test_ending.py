"""Every command ends soon after a signal, whatever it waits for, and no process stays."""

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest
from tests.commands import commands
from tests.openai_server import Answer, OpenAIServer, serving

from decklab.core.programs import STOPPED
from decklab.deck.deck import write_samples
from decklab.evals.pptarena.running import write_starter

SECONDS = 10.0
START_SECONDS = 240.0
"""A command may import Inspect AI on a machine that is busy with other tests."""
TALK = Path(__file__).parents[2] / "generate" / "writing" / "libraries.md"
MODEL = "--model openai-api/loopback/silent"
JUDGE = "--judge openai-api/loopback/silent"


@dataclass(frozen=True)
class Run:
    """A command at work.

    ``at_work`` says how that is seen: ``asked``, the model got a question, which it never answers;
    ``served``, the first line on standard error; else the name of a process below it. ``before``
    are commands that make what it reads. ``code`` is how it ends.
    """

    words: str
    at_work: str
    before: tuple[str, ...] = ()
    by_day: bool = False
    code: int = STOPPED


DATASET = "extract decks --cluster local:0 --out data"
OFFICE, WORKER = "soffice.bin", "python"
RUNS = {
    "score": Run("decks --out out --no-cache", OFFICE),
    "render": Run("decks --out out --no-cache", OFFICE),
    "lint": Run("decks --no-cache", OFFICE),
    "seen": Run("decks/rich.pptx --out seen.html", OFFICE),
    "convert": Run("page.html page.pptx", "chrom"),
    "designs": Run("--out designs.html", "chrom"),
    "diff": Run("decks/rich.pptx decks/bad.pptx --html diff.html", OFFICE),
    "extract": Run("many --cluster local:1 --out out", WORKER),
    "edit": Run(f"decks/rich.pptx 'be nicer' {MODEL}", "asked"),
    "write": Run(f"--source talk.md {MODEL}", "asked"),
    "quiz build": Run(f"talk.md --out bank.json {MODEL}", "asked"),
    "quiz take": Run(f"bank.json decks/rich.pptx {MODEL}", "asked",
                     ("quiz build talk.md --out bank.json",)),
    "judge": Run(f"decks/rich.pptx --source talk.md --setting long-doc {MODEL}", "asked"),
    "prefer": Run(f"decks/rich.pptx decks/plain.pptx --prompt talk {MODEL}", "asked"),
    "rubric draft": Run(f"decks/rich.pptx --task 'Be nicer' --out r.json {MODEL}", "asked"),
    "rubric propose": Run(f"decks/rich.pptx {MODEL}", "asked"),
    "perturb": Run("decks/rich.pptx --axis text --ladder 0,0.5,1 --sheet out.png", OFFICE),
    "serve": Run("decks --state out --port 0 --no-browser", "served", by_day=True),
    "mcp": Run("decks --http --port 0", "served", by_day=True),
    "corpus annotate": Run(f"data {MODEL}", "asked", (DATASET,)),
    "corpus draft": Run(f"decks/rich.pptx --out tasks {MODEL}", "asked"),
    "bench slideeval-extract": Run(f"decks --out out {MODEL}", "asked"),
    "bench slideeval-perturb": Run(f"decks --out out {MODEL}", "asked"),
    "bench slideeval-order": Run(f"decks --out out {MODEL}", "asked"),
    "bench ppteval": Run(f"--starter --agent desktop --environments 2 --out out {MODEL}", "asked"),
    "bench ppteval-meta": Run("--out out", "bwrap"),
    "bench pptarena": Run(f"--starter --editor commands --out out {JUDGE}", "asked"),
    "bench pptarena-style": Run(f"--cases cases/cases.json --out cases/new.json {MODEL}", "asked"),
    "bench slidesgen": Run(f"--starter --writer --out out {MODEL}", "asked"),
    "bench unippt": Run(f"--starter --out out {JUDGE}", "asked"),
    "bench presentbench": Run(f"--out out {JUDGE}", "asked"),
}  # fmt: skip

SHORT = {
    "history", "undo", "reference", "snapshot", "validate", "read", "grade", "agree",
    "rubric check", "samples", "extensions",
    "corpus check", "template check", "bench slideeval-dataset",
    "corpus summary", "corpus duplicates", "corpus select", "bench slideeval-report",
    "bench ppteval-starter", "bench unippt-starter", "board",
}  # fmt: skip
"""Commands whose main thread does all the work and waits for nothing."""
NETWORK = {"bench slideeval-zenodo", "bench ppteval-fetch"}


def test_the_table_has_every_command() -> None:
    names = {name for name, _ in commands()}
    assert names == set(RUNS) | SHORT | NETWORK


@pytest.fixture(scope="module")
def silent() -> Iterator[OpenAIServer]:
    with serving([Answer("", delay=600)]) as server:
        yield server


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_inputs(tmp_path)


def write_inputs(folder: Path) -> Path:
    """Write what the commands read to a folder, which is given back."""
    write_samples(folder / "decks")
    shutil.copyfile(TALK, folder / "talk.md")
    slides = "".join(f"<section><h1>Slide {number}</h1></section>" for number in range(60))
    (folder / "page.html").write_text(slides)
    many = folder / "many"
    many.mkdir()
    for number in range(200):
        os.link(folder / "decks" / "rich.pptx", many / f"{number}.pptx")
    (folder / "tmp").mkdir()
    return folder


def write_cases_without_targets(folder: Path) -> None:
    listed = write_starter(folder)
    cases = json.loads(listed.read_text())
    listed.write_text(json.dumps([case | {"style_target": ""} for case in cases]))


def started(words: str, folder: Path, server: OpenAIServer) -> "subprocess.Popen[bytes]":
    own = {"TMPDIR": str(folder / "tmp"), "XDG_CACHE_HOME": str(folder / "cache"),
           "LOOPBACK_BASE_URL": f"{server.url}/v1", "LOOPBACK_API_KEY": "none"}  # fmt: skip
    return subprocess.Popen(
        # Shells let what they start in the background ignore interrupts, and that is inherited.
        ["env", "--default-signal=INT", sys.executable, "-m", "decklab", *shlex.split(words)],
        cwd=folder, env=os.environ | own, start_new_session=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
    )  # fmt: skip


def wait_for_work(run: Run, process: "subprocess.Popen[bytes]", server: OpenAIServer) -> None:
    assert process.stderr is not None
    if run.at_work == "served":
        assert b"://" in process.stderr.readline()
        return
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        assert process.poll() is None, process.stderr.read().decode()
        if run.at_work == "asked":
            if server.requests:
                time.sleep(0.5)  # a second environment asks, or waits for the first
                return
        else:
            with suppress(psutil.NoSuchProcess):
                below = psutil.Process(process.pid).children(recursive=True)
                if any(one.name().startswith(run.at_work) for one in below):
                    return
        time.sleep(0.05)
    pytest.fail(f"not at work after {START_SECONDS:.0f} s")


ASKING = ("edit", "bench ppteval")
"""Of the commands that wait for a model, those that ``make test-long`` ends."""


def with_signals() -> Iterator[object]:
    """Every command with both signals; ``make test-long`` has one of them by turns."""
    for place, (name, run) in enumerate(RUNS.items()):
        for number in (signal.SIGTERM, signal.SIGINT):
            turn = place % 2 == (number is signal.SIGINT)
            long = turn and (run.at_work != "asked" or name in ASKING)
            marks = () if run.by_day else pytest.mark.long if long else pytest.mark.bench
            yield pytest.param(name, number, marks=marks, id=f"{name}-{number.name}")


@pytest.mark.long
@pytest.mark.timeout(900)
@pytest.mark.parametrize(("name", "number"), list(with_signals()))
def test_a_signal_ends_a_command_with_all_its_processes(
    name: str, number: signal.Signals, folder: Path, silent: OpenAIServer
) -> None:
    run = RUNS[name]
    if "cases/" in run.words:
        write_cases_without_targets(folder / "cases")
    for words in run.before:
        done = started(words, folder, silent)
        _, said = done.communicate(timeout=START_SECONDS)
        assert done.returncode == 0, said.decode()
    silent.requests.clear()
    process = started(f"{name} {run.words}", folder, silent)
    try:
        wait_for_work(run, process, silent)
        below = psutil.Process(process.pid).children(recursive=True)
        sent = time.monotonic()
        process.send_signal(number)
        _, said = process.communicate(timeout=60)
        _, left = psutil.wait_procs(below, timeout=max(0, sent + SECONDS - time.monotonic()))
        assert time.monotonic() - sent <= SECONDS
        assert left == []
        assert b"Traceback" not in said
        assert process.returncode == run.code
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
