"""Whole runs over small decks, as the command line makes them."""

import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path
from typing import Any

import psutil
import pyarrow.parquet as pq
import pytest
from PIL import Image, ImageDraw
from pptx import Presentation

from decklab.deck.deck import write_samples
from decklab.scoring.run import expected_slides

DECKLAB = str(Path(sys.executable).with_name("decklab"))
SLIDE_METRICS = {
    "harmony.distance_deg",
    "engagement.colorfulness",
    "usability.contrast",
    "rhythm.subband_entropy",
}
DECK_METRICS = {
    "aesthetics.total",
    "harmony.score",
    "engagement.score",
    "usability.score",
    "rhythm.score",
    "editability.level",
    "editability.level_on_slide",
}


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("samples")
    write_samples(folder)
    return folder


@pytest.fixture
def pictures(tmp_path: Path) -> Path:
    folder = tmp_path / "talk"
    folder.mkdir()
    for number, colour in enumerate(["#205080", "#F0E0D0"], start=1):
        image = Image.new("RGB", (1280, 720), colour)
        draw = ImageDraw.Draw(image)
        ink = "white" if number != 2 else "black"
        draw.text((120, 100), f"Slide number {number}", fill=ink, font_size=72)
        draw.text((120, 300), "Some words to be read here", fill=ink, font_size=40)
        draw.rectangle((120, 450, 240 * number, 600), fill="#E08030")
        image.save(folder / f"slide{number}.png")
    return folder


def run(*arguments: object, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [DECKLAB, *map(str, arguments)],
        check=False,
        capture_output=True,
        text=True,
        env=env,
        timeout=280,
    )


def decks(out: Path) -> dict[str, dict[str, Any]]:
    data = json.loads((out / "results.json").read_text())
    return {Path(deck["deck"]).name: deck for deck in data["decks"]}


def values(deck: dict[str, Any]) -> dict[tuple[str, int | None], Any]:
    return {(row["metric"], row["slide"]): row for row in deck["measurements"]}


@pytest.mark.long
@pytest.mark.office
def test_the_samples_are_scored_with_every_metric(samples: Path, tmp_path: Path) -> None:
    done = run("score", samples, "--out", tmp_path, "--also", "aim", "--also", "printed")
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert str(tmp_path / "index.html") in done.stdout.replace("\n", "")
    found = decks(tmp_path)
    assert set(found) == {"plain.pptx", "rich.pptx", "bad.pptx"}
    for deck in found.values():
        rows = values(deck)
        assert deck["status"] == "scored"
        assert deck["error"] is None
        assert {name for name, slide in rows if slide is None} >= DECK_METRICS | {
            "harmony.score_table10", "rhythm.score_table8", "rhythm.score_eq17_table13",
        }  # fmt: skip
        for metric in SLIDE_METRICS | {"harmony.aim", "rhythm.subband_entropy_aim"}:
            slides = [slide for name, slide in rows if name == metric]
            assert slides == list(range(1, deck["slides"] + 1)), metric
        assert rows["aesthetics.total", None]["value"] == pytest.approx(
            sum(rows[f"{part}.score", None]["value"] for part in
                ("harmony", "engagement", "usability", "rhythm"))
        )  # fmt: skip
    levels = {
        name: values(deck)["editability.level", None]["value"] for name, deck in found.items()
    }
    assert levels["rich.pptx"] == 5
    assert levels["bad.pptx"] <= 1
    table = pq.read_table(tmp_path / "results.parquet")
    assert table.num_rows == sum(len(deck["measurements"]) for deck in found.values())
    for name in ("plain", "rich", "bad"):
        assert (tmp_path / "decks" / f"{name}.html").stat().st_size < 5_000_000


@pytest.mark.long
def test_pictures_score_without_libreoffice_and_a_deck_says_what_to_install(
    samples: Path, pictures: Path, tmp_path: Path
) -> None:
    nowhere = dict(os.environ, PATH=str(Path(sys.executable).parent))
    done = run("score", pictures, samples / "plain.pptx", "--out", tmp_path / "out", env=nowhere)
    assert done.returncode == 0, done.stderr
    found = decks(tmp_path / "out")
    assert found["talk"]["status"] == "scored"
    rows = values(found["talk"])
    assert rows["editability.level", None]["value"] == 0
    assert rows["aesthetics.total", None]["status"] == "scored"
    assert found["plain.pptx"]["status"] == "failed"
    assert "libreoffice-impress" in found["plain.pptx"]["error"]
    assert "\n" not in found["plain.pptx"]["error"]


@pytest.mark.long
def test_bad_files_are_failed_rows_and_only_strict_minds(pictures: Path, tmp_path: Path) -> None:
    (tmp_path / "torn.pptx").write_bytes(b"PK\x03\x04 and then nothing")
    (tmp_path / "empty.pdf").write_bytes(b"")
    paths = [pictures, tmp_path / "torn.pptx", tmp_path / "empty.pdf", tmp_path / "gone.pptx"]
    lenient = run("score", *paths, "--out", tmp_path / "out")
    strict = run("score", *paths, "--out", tmp_path / "out", "--strict")
    nothing = run("score", *paths[1:], "--out", tmp_path / "none")
    assert (lenient.returncode, strict.returncode, nothing.returncode) == (0, 1, 2)
    assert nothing.stderr.count("\n") == 1 and not (tmp_path / "none").exists()
    found = decks(tmp_path / "out")
    assert [deck["status"] for deck in found.values()] == ["scored", "failed", "failed", "failed"]
    for name in ("torn.pptx", "empty.pdf", "gone.pptx"):
        assert str(tmp_path / name) in found[name]["error"]
        assert found[name]["measurements"] == []
        assert name in (tmp_path / "out" / "index.html").read_text()


@pytest.mark.bench
def test_formats_print_what_was_written(pictures: Path, tmp_path: Path) -> None:
    as_json = run("score", pictures, "--out", tmp_path / "out", "--format", "json")
    assert as_json.stdout == (tmp_path / "out" / "results.json").read_text()
    as_csv = run("score", pictures, "--out", tmp_path / "out", "--format", "csv")
    lines = as_csv.stdout.splitlines()
    assert len(lines) == 1 + len(decks(tmp_path / "out")["talk"]["measurements"])


@pytest.mark.long
def test_results_are_the_same_each_time_and_over_any_number_of_processes(
    pictures: Path, tmp_path: Path
) -> None:
    (tmp_path / "torn.pptx").write_bytes(b"PK")
    written = []
    for jobs in (1, 3):
        out = tmp_path / f"out{jobs}"
        run("score", pictures, tmp_path / "torn.pptx", "--out", out, "--jobs", jobs)
        written.append((out / "results.json").read_bytes())
    assert written[0] == written[1]


@pytest.mark.long
@pytest.mark.office
def test_a_killed_run_resumes_to_the_rows_of_one_never_stopped(
    samples: Path, pictures: Path, tmp_path: Path
) -> None:
    paths = [str(pictures), *map(str, sorted(samples.glob("*.pptx")))]
    whole, torn = tmp_path / "whole", tmp_path / "torn"
    assert run("score", *paths, "--out", whole, "--no-cache").returncode == 0
    command = [DECKLAB, "score", *paths, "--out", str(torn), "--no-cache", "--jobs", "1"]
    stopped = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 120
    while not list(torn.glob(".decklab/*.json")) and time.monotonic() < deadline:
        time.sleep(0.05)
    stopped.send_signal(signal.SIGKILL)
    stopped.wait()
    assert not (torn / "results.json").exists()
    before = {path: path.stat().st_mtime_ns for path in torn.glob(".decklab/*.json")}
    assert 0 < len(before) < len(paths)
    assert run("score", *paths, "--out", torn, "--no-cache", "--resume").returncode == 0
    assert (torn / "results.json").read_bytes() == (whole / "results.json").read_bytes()
    assert all(path.stat().st_mtime_ns == time for path, time in before.items())


@pytest.mark.bench
def test_a_changed_deck_is_scored_again_on_resume(pictures: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    run("score", pictures, "--out", out)
    first = decks(out)["talk"]
    Image.new("RGB", (1280, 720), "#C02020").save(pictures / "slide3.png")
    run("score", pictures, "--out", out, "--resume")
    assert (first["slides"], decks(out)["talk"]["slides"]) == (2, 3)


@pytest.mark.bench
def test_inputs_are_never_changed(samples: Path, tmp_path: Path) -> None:
    before = {path: path.read_bytes() for path in samples.iterdir()}
    run("score", samples, "--out", tmp_path)
    assert {path: path.read_bytes() for path in samples.iterdir()} == before


@pytest.mark.long
def test_files_of_others_are_neither_replaced_nor_removed(pictures: Path, tmp_path: Path) -> None:
    out = tmp_path / "site"
    (out / "decks").mkdir(parents=True)
    (out / "decks" / "mine.html").write_text("mine")
    assert run("score", pictures, "--out", out).returncode == 0
    assert run("score", pictures, "--out", out).returncode == 0
    assert (out / "decks" / "mine.html").read_text() == "mine"
    page = tmp_path / "index.html"
    page.write_text("my own page")
    refused = run("score", pictures, "--out", tmp_path)
    assert refused.returncode == 2
    assert refused.stderr.startswith(f"decklab: {page}: is there already")
    assert refused.stderr.count("\n") == 1
    assert page.read_text() == "my own page"


@pytest.mark.bench
def test_a_second_run_finds_the_decks_and_not_the_reports_of_the_first(
    pictures: Path, tmp_path: Path
) -> None:
    for out in (tmp_path, tmp_path / "results", tmp_path):
        assert run("score", tmp_path, "--out", out).returncode == 0
        assert set(decks(out)) == {"talk"}


@pytest.mark.bench
def test_results_of_several_runs_live_together(pictures: Path, tmp_path: Path) -> None:
    out, second = tmp_path / "out", tmp_path / "other" / "talk"
    shutil.copytree(pictures, second)
    (second / "slide2.png").unlink()
    run("score", pictures, "--out", out)
    page = (out / "decks" / "talk.html").read_bytes()
    later = run("score", second, "--out", out, "--format", "csv")
    assert f"{second},aesthetics.total" in later.stdout and f"{pictures}," not in later.stdout
    found = json.loads((out / "results.json").read_text())["decks"]
    assert [(deck["deck"], deck["slides"]) for deck in found] == [
        (str(pictures), 2), (str(second), 1)
    ]  # fmt: skip
    assert (out / "decks" / "talk.html").read_bytes() == page
    assert len(list((out / "decks").iterdir())) == 2
    missing = run("score", tmp_path / "gone.pptx", "--out", out)
    assert missing.returncode == 2 and "gone.pptx" in missing.stderr
    assert json.loads((out / "results.json").read_text())["decks"] == found
    run("score", second, "--out", out, "--fresh")
    (left,) = json.loads((out / "results.json").read_text())["decks"]
    assert left["deck"] == str(second) and len(list((out / "decks").iterdir())) == 1


SNIPPET = """
from decklab.scoring.run import score

run = score(["talk"], "results")
for result in run.results():
    print(result.deck, result.value("rhythm.score"))
"""
IN_A_THREAD = f"""
import asyncio, threading
async def serve():
    thread = threading.Thread(target=exec, args=({SNIPPET!r}, {{}}), daemon=True)
    thread.start()
    while thread.is_alive():
        await asyncio.sleep(0.1)
asyncio.run(serve())
"""
IN_A_NOTEBOOK = f"""
import sys, types
sys.modules["__main__"] = types.ModuleType("__main__")
exec({SNIPPET!r}, sys.modules["__main__"].__dict__)
"""
IN_A_DAEMON = f"""
import multiprocessing
if __name__ == "__main__":
    fork = multiprocessing.get_context("fork")
    made = fork.Process(target=exec, args=({SNIPPET!r},), daemon=True)
    made.start()
    made.join()
"""


@pytest.mark.long
@pytest.mark.parametrize(
    ("program", "stdin"),
    [
        pytest.param(SNIPPET, False, id="script"),
        pytest.param(SNIPPET, True, id="standard input", marks=pytest.mark.bench),
        pytest.param(IN_A_THREAD, True, id="thread", marks=pytest.mark.bench),
        pytest.param(IN_A_NOTEBOOK, True, id="notebook", marks=pytest.mark.bench),
        pytest.param(IN_A_DAEMON, False, id="daemon", marks=pytest.mark.bench),
    ],
)  # fmt: skip
def test_a_program_without_a_guard_scores_once(
    pictures: Path, tmp_path: Path, program: str, stdin: bool
) -> None:
    assert pictures.parent == tmp_path
    script = tmp_path / "use it.py"
    script.write_text(program)
    done = subprocess.run(
        [sys.executable, "-" if stdin else str(script)],
        input=program if stdin else None, check=False, capture_output=True, text=True,
        cwd=tmp_path, timeout=280,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    deck, value = done.stdout.split()
    assert deck == "talk" and float(value) > 0


@pytest.mark.long
def test_an_output_folder_that_is_full_ends_the_run_in_one_line(
    pictures: Path, tmp_path: Path
) -> None:
    limit = 20_000  # bytes of a file: stands in for a full disk
    done = subprocess.run(
        [DECKLAB, "score", str(pictures), "--out", str(tmp_path / "out"), "--no-cache"],
        check=False, capture_output=True, text=True, timeout=120,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
    )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr == f"decklab: {tmp_path}/out/decks/talk.html: File too large\n"


@pytest.fixture(scope="module")
def never_stopped(samples: Path, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """What a run over the samples writes to ``results.json``."""
    out = tmp_path_factory.mktemp("whole")
    assert run("score", samples, "--out", out, "--no-cache").returncode == 0
    return (out / "results.json").read_bytes()


def _hear_interrupts() -> None:
    """As a terminal starts programs; a shell has its background jobs ignore Ctrl-C."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.mark.long
@pytest.mark.office
@pytest.mark.parametrize("how", ["ctrl-c", pytest.param("terminated", marks=pytest.mark.bench)])
def test_a_stopped_run_leaves_nothing_behind_and_can_be_resumed(
    samples: Path, never_stopped: bytes, tmp_path: Path, how: str
) -> None:
    (tmp_path / "tmp").mkdir()
    stopped = subprocess.Popen(
        [DECKLAB, "score", str(samples), "--out", str(tmp_path / "out"), "--no-cache"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
        env={**os.environ, "TMPDIR": str(tmp_path / "tmp")},
        preexec_fn=_hear_interrupts,  # noqa: PLW1509 - no thread of ours runs yet
    )  # fmt: skip
    family: list[psutil.Process] = []
    deadline = time.monotonic() + 60
    while not any(one.name() == "soffice.bin" for one in family) and time.monotonic() < deadline:
        time.sleep(0.5)
        family = psutil.Process(stopped.pid).children(recursive=True)
    if how == "ctrl-c":  # a terminal sends it to all
        os.killpg(stopped.pid, signal.SIGINT)
    else:
        stopped.terminate()
    out, err = stopped.communicate(timeout=30)
    assert (stopped.returncode, out) == (130, "")
    assert err == "decklab: stopped; the same command with --resume goes on from here\n"
    assert psutil.wait_procs(family, timeout=10)[1] == []
    assert list((tmp_path / "tmp").iterdir()) == []
    assert not (tmp_path / "out" / "results.json").exists()
    resumed = run("score", samples, "--out", tmp_path / "out", "--no-cache", "--resume")
    assert resumed.returncode == 0
    assert (tmp_path / "out" / "results.json").read_bytes() == never_stopped


@pytest.mark.long
@pytest.mark.parametrize(
    "format", ["table", *(pytest.param(name, marks=pytest.mark.bench) for name in ("json", "csv"))]
)
def test_names_of_any_bytes_are_scored_and_printed_in_any_encoding(
    pictures: Path, tmp_path: Path, format: str
) -> None:
    odd = tmp_path / "caf\udce9 日本\n-x"
    pictures.rename(odd)
    # Python itself does not start in such a locale where its own folder has other letters.
    locale = "C" if sys.prefix.isascii() and __file__.isascii() else "C.UTF-8"
    env = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "LC_ALL": locale}
    done = run("score", odd, "--out", tmp_path / "out", "--format", format, env=env)
    assert (done.returncode, done.stderr) == (0, "")
    (deck,) = decks(tmp_path / "out").values()
    assert deck["status"] == "scored"


def test_an_empty_path_is_not_taken_for_the_folder_one_is_in(tmp_path: Path) -> None:
    done = run("score", "", "--out", tmp_path)
    assert done.returncode == 2
    assert "a path is empty" in done.stderr


@pytest.mark.long
@pytest.mark.chromium
def test_the_deadline_holds_for_web_decks(tmp_path: Path) -> None:
    page = tmp_path / "loop.html"
    page.write_text("<html><body><section>One</section><script>for (;;);</script></body></html>")
    done = run("score", page, "--out", tmp_path / "out", "--deadline", "3", "--format", "json")
    assert done.returncode == 1
    assert decks(tmp_path / "out")["loop.html"]["error"] == f"{page}: no answer in 3 seconds"


def test_a_deck_of_more_slides_is_more_work_than_a_larger_file(tmp_path: Path) -> None:
    many, large, picture = (tmp_path / name for name in ("many.pptx", "large.pptx", "page.pdf"))
    for path, slides, junk in ((many, 12, 0), (large, 2, 1_000_000)):
        deck = Presentation()
        for _ in range(slides):
            deck.slides.add_slide(deck.slide_layouts[6])
        deck.save(str(path))
        with zipfile.ZipFile(path, "a") as package:
            package.writestr("ppt/media/noise.bin", random.Random(1).randbytes(junk))
    picture.write_bytes(b"%PDF-1.7" + bytes(600_000))
    assert expected_slides(many) > expected_slides(large) > 2 + 5
    assert 3 < expected_slides(picture) < 3.1
    assert expected_slides(tmp_path / "missing.pptx") == 0
