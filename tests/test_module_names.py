"""Modules, folders and names of decklab that docs and docstrings mention are there."""

import ast
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from decklab.scoring.extensions import GROUPS

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src"
PAGES = [
    ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md")),
]  # fmt: skip
FOLDERS = ("src", "tests", "bench", "generate")
SETTINGS = {"decklab.toml", "decklab.ignore", "decklab.snapshot"}
"""A file of settings, a document property, the schema of snapshots: no modules."""
FILE = re.compile(r"[\w/*-]+\.py")
DOTTED = re.compile(r"(?<![\w./@-])decklab(?:\.[A-Za-z_]\w*)+(?!\.?[<{*])\b")
ADDED = re.compile(r"^ *\+.*$", re.MULTILINE)
"""Lines of a diff that a recipe adds; they may name what is not there yet."""
PROGRAM = re.compile(r"-m ((?:bench|generate)(?:\.\w+)*)")


def back_quoted(text: str) -> list[str]:
    return [found.strip() for found in re.findall(r"`+([^`\n]+)`+", text)]


def docstrings() -> Iterator[tuple[Path, str]]:
    for path in sorted((SOURCE / "decklab").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Expr(value=ast.Constant(value=str(text))):
                    yield path, text


@cache
def python_files() -> str:
    """The paths of all Python files, one a line, each between slash and line break."""
    files = [file for one in FOLDERS for file in sorted((ROOT / one).rglob("*.py"))]
    return "".join(f"/{file.relative_to(ROOT).as_posix()}\n" for file in files)


def missing_files(text: str) -> list[str]:
    """Back-quoted paths of Python files, whole or from a folder on, that no file has."""
    return [
        name
        for name in back_quoted(text)
        if FILE.fullmatch(name)
        and not re.search(f"/{re.escape(name).replace(re.escape('*'), '[^/]*')}\n", python_files())
    ]


def missing_names(text: str) -> list[str]:
    """Dotted names of decklab, and of programs run with ``-m``, that no file has or defines; groups
    of entry points are no such names."""
    dotted = [name for name in DOTTED.findall(text) if name not in {*SETTINGS, *GROUPS}]
    return [name for name in dotted + PROGRAM.findall(text) if not is_there(name.split("."))]


@cache
def defined_in(file: Path) -> Mapping[str, Any]:
    return definitions(ast.parse(file.read_text(encoding="utf-8")).body)


def is_there(parts: Sequence[str]) -> bool:
    """Whether files have ``parts``: packages and a module, then what is defined there."""
    for count in range(len(parts), 0, -1):
        place = (SOURCE if parts[0] == "decklab" else ROOT).joinpath(*parts[:count])
        for file in (place.with_suffix(".py"), place / "__init__.py"):
            if file.is_file():
                return is_defined(parts[count:], defined_in(file))
        if place.is_dir():
            return count == len(parts)
    return False


def is_defined(names: Sequence[str], found: Mapping[str, ast.stmt]) -> bool:
    if not names:
        return True
    match found.get(names[0]):
        case None:
            return False
        case ast.ClassDef(body=inside):
            return is_defined(names[1:], definitions(inside))
        case _:
            return True


def definitions(body: Sequence[ast.stmt]) -> Mapping[str, ast.stmt]:
    found: dict[str, Any] = {}
    for one in body:
        match one:
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name):
                found[name] = one
            case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
                found |= {alias.asname or alias.name: one for alias in aliases}
            case ast.AnnAssign(target=ast.Name(id=name)):
                found[name] = one
            case ast.Assign(targets=targets):
                found |= {target.id: one for target in targets if isinstance(target, ast.Name)}
            case ast.If(body=inside, orelse=other):
                found |= definitions([*inside, *other])
    return found


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_files_and_names_that_a_page_mentions_are_there(page: Path) -> None:
    text = ADDED.sub("", page.read_text(encoding="utf-8"))
    assert missing_files(text) + missing_names(text) == []


def modules_of_tables(text: str) -> list[str]:
    """Names in the first column of tables that are headed by "module"."""
    tables = re.findall(r"^\| module\b.*\n\|[-| ]+\n((?:\|.*\n)+)", text, re.MULTILINE)
    rows = [row for table in tables for row in table.splitlines()]
    return [name for row in rows for name in back_quoted(row.split("|")[1])]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_modules_of_tables_are_there(page: Path) -> None:
    names = modules_of_tables(page.read_text(encoding="utf-8"))
    assert [name for name in names if f"/{name}.py\n" not in python_files()] == []


def test_a_table_with_a_module_that_is_gone_is_found_out() -> None:
    table = "| module | |\n|---|---|\n| `colors`, `gone` | what they do |\n"
    assert modules_of_tables(table) == ["colors", "gone"]
    assert "/gone.py\n" not in python_files() and "/colors.py\n" in python_files()


@pytest.mark.parametrize("page", ["docs/architecture.md", "CONTRIBUTING.md"])
def test_rooms_and_their_folders_that_a_page_mentions_are_there(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    named = {name for name in back_quoted(text) if re.fullmatch(r"[\w/]+/", name)}
    assert named
    for name in named:
        assert (SOURCE / "decklab" / name).is_dir() or (ROOT / name).is_dir(), name


def test_the_architecture_has_every_room_on_the_floor_of_its_contract() -> None:
    text = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    floors = [back_quoted(row) for row in re.findall(r"^\| \d+ \| (.*) \|$", text, re.MULTILINE)]
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    layers = settings["tool"]["importlinter"]["contracts"][0]["layers"]
    assert floors == [sorted(one.split(" | ")) for one in layers if one != "__main__"]
    table = text.split("## The rooms")[1].split("\n\n")[1]
    rooms = {name for row in table.splitlines() for name in back_quoted(row.split("|")[1])}
    wings = {"evals", "workbench"}
    inside = {
        f"{wing}/{folder.name}"
        for wing in wings
        for folder in (SOURCE / "decklab" / wing).iterdir()
        if (folder / "__init__.py").exists()
    }
    assert rooms == {name for floor in floors for name in floor} - wings | inside


@pytest.mark.long
def test_files_and_names_that_docstrings_mention_are_there() -> None:
    missing = [
        (str(path.relative_to(SOURCE)), name)
        for path, text in docstrings()
        for name in [*missing_files(text), *missing_names(text)]
    ]
    assert missing == []


def test_a_page_with_stale_names_is_found_out() -> None:
    stale = "See `agents/requests/reading.py`, `decklab.grade` and `decklab.core.colors.nothing`."
    assert missing_files(stale) == ["agents/requests/reading.py"]
    assert missing_names(stale) == ["decklab.grade", "decklab.core.colors.nothing"]
    sound = "`core/colors.py`, `decklab.evals.grade`, `decklab.<room>.x`, `src/{room}/x.py`"
    assert missing_files(sound) + missing_names(sound) == []
