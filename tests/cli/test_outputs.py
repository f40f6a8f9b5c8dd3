"""No command replaces a file that somebody else made: a table of all files and folders that the
commands write."""

import json
import shlex
import shutil
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

import pytest
from pptx import Presentation
from tests.commands import commands

from decklab.cli import main
from decklab.deck.deck import sample_bytes
from decklab.evals.pptarena.running import write_starter
from decklab.evals.results.board import leave_results
from decklab.evals.results.page import ResultPage

READ: Final = {
    "after", "against", "agent_scripts", "bank", "baseline", "before", "beside", "cases", "config",
    "data", "database_password_file", "dataset", "deck", "decks", "documents", "editor_file",
    "file", "files", "instructions", "like", "modified", "original", "page_profile", "pictures",
    "ranks", "reference", "results", "rubric", "runs", "scores", "slides_from", "source", "sources",
    "subset", "task", "tasks", "template", "token_file",
}  # fmt: skip
"""Parameters whose files are only read."""

OWN: Final = frozenset({"record", "cache"})
"""Folders of records and drawn slides: a record of something else is refused, the files of a cache
are named for their content."""

FILES: Final[Mapping[tuple[str, str], str]] = {
    ("edit", "out"): "edit DECK 'hide slide 1' --out OUT",
    ("edit", "report"): "edit DECK 'hide slide 1' --report OUT",
    ("convert", "out"): "convert PAGE OUT",
    ("write", "out"): "write --source TEXT --out OUT --no-score",
    ("diff", "html"): "diff DECK OTHER --html OUT",
    ("seen", "out"): "seen DECK --out OUT",
    ("designs", "out"): "designs TEXT --out OUT",
    ("lint", "out"): "lint DECK --fix --out OUT",
    ("lint", "write_baseline"): "lint DECK --write-baseline OUT",
    ("perturb", "out"): "perturb DECK --axis text --severity 0.5 --out OUT",
    ("perturb", "sheet"): "perturb DECK --axis text --ladder 0,1 --sheet OUT",
    ("grade", "html"): "grade DECK OTHER --rubric RUBRIC --html OUT",
    ("agree", "html"): "agree TABLE RANKS --html OUT",
    ("prefer", "html"): "prefer DECK OTHER --prompt 5G --model none/none --html OUT",
    ("prefer", "scores"): "prefer DECK OTHER --prompt 5G --model none/none --scores OUT",
    ("judge", "save_task"): "judge DECK --source TEXT --setting long-doc --save-task OUT",
    ("quiz build", "out"): "quiz build TEXT --out OUT",
    ("rubric draft", "out"): "rubric draft DECK --task 'Be bold' --model none/none --out OUT",
    ("reference", "out"): "reference DATA --origin ours --out OUT",
    ("corpus summary", "html"): "corpus summary DATA --html OUT",
    ("corpus select", "out"): "corpus select DATA --out OUT",
    ("bench pptarena-style", "out"):
        "bench pptarena-style --cases CASES --model none/none --out OUT",
}  # fmt: skip
"""For each file that somebody names: a command that writes it to OUT."""

INPUTS: Final = {
    ("edit", "report"): "DECK", ("write", "out"): "DECK", ("diff", "html"): "DECK OTHER",
    ("convert", "out"): "PAGE", ("seen", "out"): "DECK", ("designs", "out"): "TEXT",
    ("lint", "out"): "DECK", ("lint", "write_baseline"): "DECK", ("perturb", "out"): "DECK",
    ("grade", "html"): "DECK OTHER RUBRIC", ("agree", "html"): "TABLE RANKS",
    ("prefer", "html"): "DECK OTHER", ("prefer", "scores"): "DECK OTHER",
    ("judge", "save_task"): "DECK TEXT", ("quiz build", "out"): "TEXT",
    ("rubric draft", "out"): "DECK", ("bench pptarena-style", "out"): "CASES",
}  # fmt: skip
"""Inputs that an output could be mistaken for; no --force makes that right."""

FOLDERS: Final[Mapping[tuple[str, str], tuple[str, str]]] = {
    ("samples", "folder"): ("samples OUT", "plain.pptx"),
    ("read", "out"): ("read TEXT --out OUT", "report.md/document.json"),
    ("write", "keep"): ("write --source TEXT --keep OUT --no-score", "slides.md"),
    ("score", "out"): ("score DECK --out OUT", "index.html"),
    ("corpus draft", "out"): ("corpus draft DECK --out OUT", "cases.json"),
    ("bench pptarena", "out"): ("bench pptarena --starter --out OUT", "index.html"),
    ("bench ppteval", "out"): ("bench ppteval --starter --out OUT", "index.html"),
    ("bench ppteval-meta", "out"): ("bench ppteval-meta --out OUT", "tasks/new-order.html"),
    ("bench ppteval-starter", "folder"): ("bench ppteval-starter OUT", "task_registry/tasks.json"),
    ("bench slidesgen", "out"): ("bench slidesgen --starter --writer --out OUT", "index.html"),
    ("bench slidesgen", "write_starter"):
        ("bench slidesgen --write-starter OUT", "instructions.json"),
    ("bench unippt", "out"): ("bench unippt --starter --out OUT", "index.html"),
    ("bench presentbench", "out"): ("bench presentbench --out OUT", "index.html"),
    ("bench unippt-starter", "folder"): ("bench unippt-starter OUT", "night-buses/task.json"),
    ("bench slideeval-dataset", "out"): ("bench slideeval-dataset DECK --out OUT", "dataset.json"),
    ("bench slideeval-report", "out"): ("bench slideeval-report DATA --out OUT", "slideeval.html"),
    ("bench slideeval-report", "folder"): ("bench slideeval-report OUT", "csv/headlines.csv"),
    ("bench slideeval-extract", "out"):
        ("bench slideeval-extract DECK --baseline --out OUT", "slideeval.html"),
    ("bench slideeval-perturb", "out"):
        ("bench slideeval-perturb DECK --baseline --out OUT", "slideeval.html"),
    ("bench slideeval-order", "out"):
        ("bench slideeval-order DECK --baseline --out OUT", "slideeval.html"),
    ("board", "out"): ("board RUN --out OUT", "index.html"),
    ("extract", "out"): ("extract DECK --cluster local:0 --out OUT", "decks/a.parquet"),
    ("diff", "out"): ("diff DATA DATA --cluster local:0 --out OUT", "decks/a.parquet"),
}  # fmt: skip
"""For each folder: a command that writes to it, and a file there that may be somebody else's."""

OTHERWISE: Final = {
    ("render", "out"): "names_in of core/output_folder.py, as tests/core tests it",
    ("bench unippt-starter", "decks"): "write_data of core/files.py, as tests/core tests it",
    ("bench ppteval-fetch", "files"): "a deck that is there is compared, not fetched",
    ("bench slideeval-zenodo", "folder"): "decks are named for their content",
    ("serve", "folder"): "tests/workbench/web/test_served_folder.py",
    ("serve", "state"): "a folder of the workbench's own",
    ("mcp", "folders"): "tests/workbench/mcp",
    ("rubric check", "folder"): "only read",
    ("corpus check", "folder"): "only read",
}
"""Other parameters, and why they lose nothing."""


def named(one: tuple[str, str] | str) -> str:
    """The pair of a command and its parameter, and nothing for its command line."""
    return " ".join(one) if isinstance(one, tuple) and " " not in one[1] else ""


LEAF: Final = {
    "name": "leaf", "is_critical": False,
    "scorer": {"type": "function", "function_code": "def compute_score():\n    return 1.0, ''"},
}  # fmt: skip
HARBOUR: Final = Path(__file__).parents[2] / "generate" / "writing" / "harbour.md"


def test_the_tables_name_every_file_and_folder_of_every_command() -> None:
    paths = {
        (name, parameter.name)
        for name, command in commands()
        for parameter in command.params
        if "Path" in str(parameter.bare_type())
    }
    written = {pair for pair in paths if pair[1] not in READ | OWN}
    known = {*FILES, *FOLDERS, *OTHERWISE}
    assert written - known == set()
    assert known - paths == set()


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Mapping[str, Path]:
    """A folder with an input of each kind; the tests work in it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "500")
    return write_places(tmp_path)


def write_places(folder: Path) -> dict[str, Path]:
    """Write an input of each kind to a folder; gives their places in it, by the words of lines."""
    files = {
        "DECK": ("talk.pptx", sample_bytes("plain")), "OTHER": ("other.pptx", sample_bytes("bad")),
        "TEXT": ("report.md", b"# Night buses\n\nTwelve lines run until four.\n"),
        "PAGE": ("slides.html", b"<section><h1>Night buses</h1></section>"),
        "TABLE": ("table.csv", b"topic,product,metric,value\na,b,c,1\n"),
        "RANKS": ("ranks.csv", b"topic,annotator,product,rank\na,x,b,1\n"),
        "RUBRIC": ("rubric.json", json.dumps({"root": {"name": "a", "children": [LEAF]}}).encode()),
    }  # fmt: skip
    for name, data in files.values():
        (folder / name).write_bytes(data)
    (folder / "data").mkdir()
    leave_results(folder / "run", ResultPage("Bench", "Bench", []), [])
    return {word: Path(name) for word, (name, _) in files.items()} | {
        "DATA": Path("data"),
        "RUN": Path("run"),
    }


Run = Callable[..., tuple[int, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """A function that runs a command line, with paths for some of its words; it gives the exit code
    and standard error."""

    def ran(line: str, places: Mapping[str, Path], *more: str) -> tuple[int, str]:
        words = words_of(line, places)
        with pytest.MonkeyPatch.context() as patch, pytest.raises(SystemExit) as ended:
            patch.setattr(sys, "argv", ["decklab", *words, *more])
            main()
        code = ended.value.code
        assert isinstance(code, int)
        return code, capsys.readouterr().err

    return ran


def words_of(line: str, places: Mapping[str, Path]) -> list[str]:
    """The words of a line of the tables, with paths for some of them."""
    return [str(places.get(word, word)) for word in shlex.split(line)]


def contents() -> dict[str, bytes]:
    """All files below the working folder but decklab's own marks."""
    found = (path for path in Path().rglob("*") if path.is_file() and ".decklab" not in path.parts)
    return {str(path): path.read_bytes() for path in found}


def write_cases(folder: Path) -> Path:
    """Write cases for the line with CASES."""
    return write_starter(folder / "cases", ["Crew leaders"])


@pytest.mark.parametrize(("pair", "line"), FILES.items(), ids=named)
def test_a_file_that_exists_is_not_replaced(
    pair: tuple[str, str], line: str, places: dict[str, Path], run: Run
) -> None:
    places["CASES"] = write_cases(Path()) if "CASES" in line else Path()
    out = places["CASES"].with_name("out.json") if "CASES" in line else Path("out.pptx")
    out = out.with_suffix(".png") if "--sheet" in line else out
    out.write_bytes(b"somebody's work")
    before = contents()
    code, told = run(line, {**places, "OUT": out})
    assert (code, told) == (
        2,
        f"decklab: {out} exists already. Choose another name, such as "
        f"{out.with_stem(f'{out.stem}-2')}, or add --force.\n",
    )
    assert contents() == before


@pytest.mark.parametrize(
    ("pair", "word"),
    [(pair, word) for pair, words in INPUTS.items() for word in words.split()],
    ids=named,
)
@pytest.mark.parametrize("more", [(), ("--force",)], ids=["", "force"])
def test_an_input_is_never_an_output(
    pair: tuple[str, str], word: str, more: tuple[str, ...], places: dict[str, Path], run: Run
) -> None:
    line = FILES[pair]
    if pair == ("write", "out"):
        line = "write --source TEXT --template DECK --out OUT --no-score"
    places["CASES"] = write_cases(Path()) if "CASES" in line else Path()
    before = contents()
    code, told = run(line, {**places, "OUT": places[word]}, *more)
    assert code == 2 and str(places[word]) in told and told.count("\n") == 1
    assert "is read by this command" in told or "is the list itself" in told
    assert contents() == before


def _sentinel(folder: Path, name: str) -> None:
    place = folder / name
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(b"somebody's work")


@pytest.mark.parametrize(("pair", "told"), FOLDERS.items(), ids=named)
def test_a_file_in_a_folder_is_not_replaced(
    pair: tuple[str, str], told: tuple[str, str], places: dict[str, Path], run: Run
) -> None:
    line, name = told
    _sentinel(Path("out"), name)
    before = contents()
    code, said = run(line, {**places, "OUT": Path("out")})
    assert code == 2 and "out" in said, said
    assert said.startswith("decklab: ") and said.count("\n") == 1
    assert contents() == before


@pytest.fixture
def undrawn(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """No LibreOffice is there, only Chromium and the programs that know fonts."""
    folder = tmp_path_factory.mktemp("programs")
    for found in filter(None, map(shutil.which, ("chromium", "fc-list", "fc-match"))):
        (folder / Path(found).name).symlink_to(found)
    monkeypatch.setenv("PATH", str(folder))


@pytest.mark.by_day(1)
@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize(
    ("line", "out"),
    [
        ("edit DECK 'hide slide 1' --out OUT", "out.pptx"),
        ("write --source HARBOUR --out OUT --no-score", "out.pptx"),
        ("perturb DECK --axis text --severity 0.5 --out OUT", "out.pptx"),
        ("lint OTHER --rules accessibility --fix --out OUT", "out.pptx"),
        ("lint DECK --no-cache --write-baseline OUT", "known.json"),
        ("quiz build HARBOUR --out OUT", "bank.json"),
        ("agree TABLE RANKS --html OUT", "page.html"),
    ],
)
def test_by_force_it_is_replaced_and_a_copy_is_kept(
    line: str, out: str, places: dict[str, Path], run: Run, caplog: pytest.LogCaptureFixture
) -> None:
    Path(out).write_bytes(b"somebody's work")
    told = run(line, {**places, "OUT": Path(out), "HARBOUR": HARBOUR}, "--force")
    assert Path(f"{out}.bak").exists(), told
    assert Path(f"{out}.bak").read_bytes() == b"somebody's work"
    if out.endswith(".pptx"):
        assert len(Presentation(out).slides) > 1
    else:
        assert Path(out).read_text().startswith(("{", "<!doctype html>"))
    assert caplog.messages == [f"{out} is replaced; the earlier file is kept as {out}.bak"]


@pytest.mark.by_day(1)
@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize(
    ("line", "out"),
    [
        ("agree TABLE RANKS --html OUT", "page.html"),
        ("diff DECK OTHER --html OUT", "page.html"),
        ("edit DECK 'hide slide 1' --dry-run --report OUT", "page.html"),
        ("lint DECK --no-cache --write-baseline OUT", "known.json"),
        ("samples OUT", "."),
    ],
)
def test_what_the_same_command_wrote_may_be_written_again(
    line: str, out: str, places: dict[str, Path], run: Run
) -> None:
    for _ in range(2):
        code, told = run(line, {**places, "OUT": Path(out)})
        assert code in (0, 1) and "exists" not in told, told
    assert not list(Path().glob("*.bak"))


@pytest.mark.usefixtures("undrawn")
def test_a_page_of_another_command_is_not_replaced(places: dict[str, Path], run: Run) -> None:
    page = {**places, "OUT": Path("page.html")}
    assert run("agree TABLE RANKS --html OUT", page)[0] == 0
    code, told = run("diff DECK OTHER --html OUT", page)
    assert code == 2 and "page.html exists already" in told


@pytest.mark.usefixtures("undrawn")
def test_decks_that_lint_fixes_in_place_are_kept(places: dict[str, Path], run: Run) -> None:
    before = places["OTHER"].read_bytes()
    for _ in range(2):  # nothing is left for the second run
        assert run("lint OTHER --rules accessibility --fix --in-place", places)[0] == 0
    assert places["OTHER"].read_bytes() != before
    assert {path.name: path.read_bytes() for path in Path().glob("*.bak")} == {
        "other.pptx.bak": before
    }
