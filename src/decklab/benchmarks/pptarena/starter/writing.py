"""The starter set on disk, in the published format, the same bytes at every writing."""

import hashlib
import io
import json
import re
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from pptx import Presentation

from decklab.benchmarks.pptarena.starter.cases import RECIPES
from decklab.benchmarks.pptarena.starter.edits.finding import Edit
from decklab.benchmarks.pptarena.starter.model import ATTEMPTS, Recipe
from decklab.benchmarks.pptarena.taxonomy import category_of
from decklab.deck.samples import write_samples
from decklab.files import write_whole
from decklab.ooxml.package import Package
from decklab.ooxml.writing import write_package

CASES_FILE = "cases.json"
_ORIGINALS, _TRUTHS, ATTEMPTS_FOLDER = "original", "ground_truth", "attempts"


def write_starter(folder: Path, *, recipes: Sequence[Recipe] = RECIPES) -> Path:
    """Write the cases into ``folder`` and return the path of their list, ``cases.json``.

    Decks are in ``original/``, ``ground_truth/`` and ``attempts/``; the list comes last, so a
    folder with a list is complete. Every call writes the same bytes. Raises OSError where the
    folder cannot be written.
    """
    samples = _samples()
    for name in sorted({recipe.deck for recipe in recipes}):
        write_whole(folder / _ORIGINALS / f"{name}.pptx", samples[name])
    for recipe in recipes:
        original = samples[recipe.deck]
        _write(original, recipe.truth, folder / _TRUTHS / f"{slug(recipe.name)}.pptx")
        for kind in ATTEMPTS:
            _write(original, recipe.attempt(kind), attempt_path(folder, recipe.name, kind))
    listed = [_entry(recipe) for recipe in recipes]
    text = json.dumps(listed, indent=2, ensure_ascii=False) + "\n"
    write_whole(folder / CASES_FILE, text.encode())
    return folder / CASES_FILE


@cache
def _samples() -> dict[str, bytes]:
    """The sample decks by name."""
    with tempfile.TemporaryDirectory() as scratch:
        return {path.stem: path.read_bytes() for path in write_samples(Path(scratch))}


def attempt_path(folder: Path, case: str, kind: str) -> Path:
    """Where the flawed attempt of a kind, one of ``ATTEMPTS``, at a case is."""
    return folder / ATTEMPTS_FOLDER / slug(case) / f"{kind}.pptx"


def slug(name: str) -> str:
    """A case's name as that of a file; digits stand for letters that are left out.

    >>> slug("Less oil, and a title"), slug("\u6807\u9898 2")
    ('less-oil-and-a-title', '2-e4b20eb0')
    """
    plain = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
    if plain and name.isascii():
        return plain
    return f"{plain}-{hashlib.sha256(name.encode()).hexdigest()[:8]}".lstrip("-")


def _entry(recipe: Recipe) -> dict[str, object]:
    return {
        "name": recipe.name,
        "prompt": recipe.prompt,
        "style_target": recipe.style_target,
        "original": f"{_ORIGINALS}/{recipe.deck}.pptx",
        "ground_truth": f"{_TRUTHS}/{slug(recipe.name)}.pptx",
        "category": category_of(recipe.edit_type),
        "edit_type": recipe.edit_type,
    }


def _write(original: bytes, edits: Sequence[Edit], path: Path) -> None:
    deck = Presentation(io.BytesIO(original))
    for edit in edits:
        edit(deck)
    file = io.BytesIO()
    deck.save(file)
    with Package.from_bytes(file.getvalue(), path.name) as package:
        path.parent.mkdir(parents=True, exist_ok=True)
        # python-pptx dates parts by the clock; a part that is replaced gets a fixed date.
        parts = {name: package.read(name) for name in package.names}
        write_package(package, path, replace=parts)
