"""The recipes in CONTRIBUTING.md name the files that are there, and do what they say."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from textwrap import dedent

import pytest
from PIL import Image
from pptx import Presentation

from decklab.deck.deck import write_samples

ROOT = Path(__file__).parents[1]
FENCE = re.compile(r"^ *```(python|diff)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
STEP = re.compile(r"^\d+\. ", re.MULTILINE)
NAMED = re.compile(r"`(<\w+>)` such as\s+`([^`]+)`")


@dataclass(frozen=True)
class Step:
    """A numbered step: the files that it names, and the code for the first of them."""

    files: tuple[str, ...]
    code: str = ""
    kind: str = ""

    @classmethod
    def read(cls, text: str) -> "Step":
        found = FENCE.search(text)
        words = FENCE.sub("", text)
        first = re.match(r"`([^`]+)`", words)
        assert first, f"a step begins with its file: {text}"
        paths = tuple(filter(is_path, re.findall(r"`([^`\n]+)`", words)))
        return cls(paths, dedent(found[2]) if found else "", found[1] if found else "")


def is_path(text: str) -> bool:
    folders = r"(?:src|tests|docs|generate|bench)/"
    return bool(re.fullmatch(rf"(?:{folders}[\w/<>.-]+|\w+\.(?:md|toml))", text))


@dataclass(frozen=True)
class Recipe:
    """A section below "Recipes"."""

    title: str
    text: str

    @cached_property
    def examples(self) -> Mapping[str, str]:
        """What stands for a name in angle brackets that is there already."""
        return dict(NAMED.findall(self.text))

    @cached_property
    def steps(self) -> Sequence[Step]:
        _, *others = STEP.split(self.text)
        return [Step.read(text.rstrip()) for text in others[:-1]] + [
            Step.read(re.split(r"\n\n(?! )", others[-1])[0])
        ]

    def files(self) -> list[str]:
        """All files that the recipe names, with the examples as names."""
        return [filled(path, self.examples) for path in paths_in(FENCE.sub("", self.text))]


def paths_in(text: str) -> list[str]:
    return list(filter(is_path, re.findall(r"`([^`\n]+)`", text)))


def filled(path: str, names: Mapping[str, str]) -> str:
    for placeholder, name in names.items():
        path = path.replace(placeholder, name)
    return path


def recipes() -> dict[str, Recipe]:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    body = text.split("\n## Recipes\n")[1].split("\n## ")[0]
    sections = [part.partition("\n") for part in body.split("\n### ")[1:]]
    return {title: Recipe(title, rest) for title, _, rest in sections}


RECIPES = recipes()


def test_there_is_a_recipe_for_everything_that_people_add() -> None:
    assert list(RECIPES) == [
        "A metric", "A lint rule", "An operation on decks", "A diff comparer", "A layout",
        "A document reader", "A benchmark", "A page", "A command", "A command-line option",
    ]  # fmt: skip


@pytest.mark.parametrize("title", RECIPES)
def test_every_file_of_a_recipe_is_there_for_its_example(title: str) -> None:
    recipe = RECIPES[title]
    assert len(recipe.steps) >= 3
    files = recipe.files()
    assert {filled(path, recipe.examples) for step in recipe.steps for path in step.files} <= set(
        files
    )
    assert [path for path in files if not (ROOT / path).exists()] == []


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package, to which recipes add things; gives its folder ``src``."""
    place = tmp_path_factory.mktemp("recipes") / "src"
    shutil.copytree(ROOT / "src", place)
    shutil.copy(ROOT / "pyproject.toml", place.parent)  # for ruff
    return place


def follow(title: str, names: Mapping[str, str], package: Path) -> None:
    """Do the steps of a recipe that have code, in a copy of the package."""
    changed = []
    for step in RECIPES[title].steps:
        if not step.code:
            assert not step.files[0].startswith("src/"), f"no code for {step.files[0]}"
            continue
        file = package.parent / filled(step.files[0], names)
        if step.kind == "python":
            assert not file.exists()
            file.write_text(step.code, encoding="utf-8")
        else:
            file.write_text(patched(file.read_text(encoding="utf-8"), step.code), encoding="utf-8")
        changed.append(file)
    ruff = Path(sys.executable).with_name("ruff")
    for checks in (["check"], ["format", "--check"]) if ruff.exists() else ():
        done = run([ruff, *checks, "--no-cache", *changed])
        assert done.returncode == 0, done.stdout


def patched(text: str, diff: str) -> str:
    """``text`` with the changes of a diff, whose hunks are parted by a line ``@@``."""
    for hunk in diff.split("@@\n"):
        lines = hunk.splitlines(keepends=True)
        old = "".join(line[1:] for line in lines if line[0] != "+")
        new = "".join(line[1:] for line in lines if line[0] != "-")
        assert text.count(old) == 1, f"{text.count(old)} places for\n{old}"
        text = text.replace(old, new)
    return text


def run(command: Sequence[object], package: Path | None = None) -> subprocess.CompletedProcess[str]:
    environment = dict(os.environ)
    if package is not None:
        environment["PYTHONPATH"] = str(package)
    return subprocess.run(
        [str(word) for word in command], env=environment, capture_output=True, text=True,
        timeout=60, check=False,
    )  # fmt: skip


def decklab(package: Path, *words: object) -> str:
    """What a command of the changed copy prints."""
    done = run([sys.executable, "-m", "decklab", *words], package)
    assert done.returncode in (0, 1), done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def decks(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A deck, and an edit of it: a title in capitals, and a shape less."""
    folder = tmp_path_factory.mktemp("decks")
    deck = write_samples(folder)[0]
    changed = Presentation(str(deck))
    first = changed.slides[0].shapes
    assert first.title is not None
    first.title.text_frame.text = "EVERYTHING IS LOUD"
    gone = next(shape for shape in changed.slides[1].shapes if shape != changed.slides[1].shapes[0])
    gone.element.getparent().remove(gone.element)
    changed.save(str(folder / "edited.pptx"))
    return deck, folder / "edited.pptx"


@pytest.mark.long
def test_a_metric_made_by_the_recipe_is_in_the_results(package: Path, tmp_path: Path) -> None:
    follow("A metric", {"<name>": "brightness"}, package)
    (tmp_path / "deck").mkdir()
    Image.new("RGB", (64, 36), (0, 51, 102)).save(tmp_path / "deck" / "1.png")
    rows = decklab(
        package, "score", tmp_path / "deck", "--out", tmp_path / "out", "--format", "csv"
    )
    (row,) = (line for line in rows.splitlines() if "brightness.mean" in line)
    assert ",0.2," in row


@pytest.mark.long
def test_a_lint_rule_made_by_the_recipe_is_found_and_explained(
    package: Path, decks: tuple[Path, Path]
) -> None:
    follow("A lint rule", {"<module>": "capitals"}, package)
    for deck, number in zip(decks, (0, 1), strict=True):
        found = decklab(package, "lint", deck, "--rules", "title.capitals", "--format", "json")
        assert found.count('"title.capitals"') == number
    page = decklab(package, "lint", "--explain", "title.capitals")
    assert "look like shouting" in page and "longer than a name" in page


OPERATION = """
import sys
from decklab.editing.operations import operation_docs, operation_names
assert "swap_slides" in operation_names()["slides"]
assert "swap_slides(prs, 2, 4)" in operation_docs(["slides"])
from pptx import Presentation
prs = Presentation(sys.argv[1])
from decklab.editing import operations
titles = [slide.shapes.title.text for slide in prs.slides]
operations.swap_slides(prs, 1, 2)
assert [slide.shapes.title.text for slide in prs.slides] == [titles[1], titles[0], *titles[2:]]
try:
    operations.swap_slides(prs, 1, 99)
except operations.EditError as error:
    print(error)
"""


def test_an_operation_made_by_the_recipe_is_listed_and_works(
    package: Path, decks: tuple[Path, Path]
) -> None:
    follow("An operation on decks", {"<module>": "swapping"}, package)
    done = run([sys.executable, "-c", OPERATION, decks[0]], package)
    assert done.returncode == 0, done.stderr
    assert "not both of 1 and 99" in done.stdout


@pytest.mark.long
def test_a_comparer_made_by_the_recipe_speaks_in_a_diff(
    package: Path, decks: tuple[Path, Path]
) -> None:
    follow("A diff comparer", {"<name>": "counts"}, package)
    told = [line for line in decklab(package, "diff", *decks).splitlines() if "number of" in line]
    assert len(told) == 1
    assert decklab(package, "diff", decks[0], decks[0]).count("number of") == 0


def test_a_command_made_by_the_recipe_runs_and_is_in_the_help(
    package: Path, decks: tuple[Path, Path]
) -> None:
    follow("A command", {"<name>": "count"}, package)
    slides = len(Presentation(str(decks[0])).slides)
    assert decklab(package, "count", decks[0]).strip() == str(slides)
    assert "Print how many slides a deck has." in decklab(package, "--help")


@pytest.mark.long
def test_an_option_made_by_the_recipe_is_heeded(package: Path, decks: tuple[Path, Path]) -> None:
    follow("A command-line option", {"<command>": "read"}, package)
    assert decklab(package, "read", *decks, "--names").split() == [deck.name for deck in decks]
