"""Arrows between rooms that the import contracts do not follow.

The contracts leave out imports for type checkers, by which doors list names that they load on use,
and modules named in strings. Both have to go downward, too.
"""

import ast
import tomllib
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src"
CONTRACTS: list[dict[str, Any]] = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"][
    "importlinter"
]["contracts"]
LAYERS = [contract for contract in CONTRACTS if contract["type"] == "layers"]
GRADERS = ("decklab.evals", "decklab.scoring")
AGENTS = ("decklab.editor", "decklab.writer")


def module_name(path: Path) -> str:
    parts = path.relative_to(SOURCE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def docstrings(tree: ast.Module) -> set[ast.Constant]:
    """Texts that stand alone as a statement."""
    return {
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }


def imported(tree: ast.Module, modules: Collection[str]) -> Iterator[str]:
    """Modules that a module imports anywhere, for type checkers too, or names in a string."""
    skipped = docstrings(tree)
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=aliases):
                yield from (alias.name for alias in aliases if alias.name in modules)
            case ast.ImportFrom(module=str(source), names=aliases):
                if source in modules:
                    inner = [f"{source}.{alias.name}" for alias in aliases]
                    yield from (name if name in modules else source for name in inner)
            case ast.Constant(value=str(text)) if node not in skipped:
                name = text.partition(":")[0]
                if "." in name and name in modules:
                    yield name


@pytest.fixture(scope="module")
def arrows() -> list[tuple[str, str]]:
    """Module and the module that it imports or names, for all modules."""
    trees = {module_name(path): ast.parse(path.read_text()) for path in SOURCE.rglob("*.py")}
    return [(module, target) for module, tree in trees.items() for target in imported(tree, trees)]


def floors(contract: dict[str, Any]) -> dict[str, int]:
    """The floor of each room of a contract, the lowest first."""
    (container,) = contract["containers"]
    return {
        f"{container}.{room.strip()}": floor
        for floor, rooms in enumerate(reversed(contract["layers"]))
        for room in rooms.split("|")
    }


def room_of(module: str, rooms: dict[str, int]) -> str | None:
    return next((room for room in rooms if f"{module}.".startswith(f"{room}.")), None)


@pytest.mark.parametrize("contract", LAYERS, ids=lambda contract: contract["name"])
def test_imports_for_type_checkers_and_names_in_strings_go_downward(contract, arrows):
    rooms = floors(contract)
    upward = [
        f"{module} -> {target}"
        for module, target in arrows
        if (here := room_of(module, rooms)) and (there := room_of(target, rooms))
        if here != there and rooms[here] <= rooms[there]
    ]
    assert not upward


def test_no_agent_names_its_grader(arrows):
    seen = [
        f"{module} -> {target}"
        for module, target in arrows
        if module.startswith(AGENTS) and target.startswith(GRADERS)
    ]
    assert not seen


def test_only_commands_use_the_front_door(arrows):
    users = {module for module, target in arrows if target == "decklab"}
    assert all(user.startswith("decklab.cli") for user in users)


def test_arrows_of_both_kinds_are_found(arrows):
    assert ("decklab.cli.calls", "decklab.scoring.against") in arrows
    assert ("decklab.models.model_run", "decklab.models.inspect") in arrows  # in a string
