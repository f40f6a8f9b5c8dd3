"""The starter set of PPTArena as data: the list of cases, and each deck as what it changes."""

import base64
import io
import json
import lzma
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pptx import Presentation

from decklab.evals.pptarena.cases import EDIT_TYPES, slug
from decklab.evals.pptarena.running import ATTEMPTS, CASES_FILE
from decklab.ooxml.package import Package
from generate.pptarena.cases.arrangement import LAYOUT, STYLING
from generate.pptarena.cases.behaviour import INTERACTIVITY, STRUCTURE
from generate.pptarena.cases.content import CONTENT
from generate.pptarena.cases.objects import OBJECTS
from generate.pptarena.edits.finding import Edit
from generate.pptarena.recipe import Recipe

RECIPES = (*CONTENT, *OBJECTS, *LAYOUT, *STYLING, *INTERACTIVITY, *STRUCTURE)
"""In the order of table 1."""


def pack_cases(samples: Mapping[str, Path], folder: Path) -> None:
    """Write ``cases.json`` and ``decks.json.xz`` into ``folder``; ``samples`` are paths by name."""
    folder.mkdir(parents=True, exist_ok=True)
    listed = json.dumps([_entry(recipe) for recipe in RECIPES], indent=2, ensure_ascii=False)
    (folder / CASES_FILE).write_bytes(f"{listed}\n".encode())
    files = {name: path.read_bytes() for name, path in samples.items()}
    parts = {name: _parts(data) for name, data in files.items()}
    decks = {
        slug(recipe.name): {
            kind: _difference(parts[recipe.deck], _edited(files[recipe.deck], edits))
            for kind, edits in _wanted(recipe).items()
        }
        for recipe in RECIPES
    }
    text = json.dumps(decks, ensure_ascii=False, separators=(",", ":"))
    (folder / "decks.json.xz").write_bytes(lzma.compress(text.encode(), preset=9))


def _entry(recipe: Recipe) -> dict[str, object]:
    return {
        "name": recipe.name,
        "prompt": recipe.prompt,
        "style_target": recipe.style_target,
        "original": f"original/{recipe.deck}.pptx",
        "ground_truth": f"ground_truth/{slug(recipe.name)}.pptx",
        "category": EDIT_TYPES[recipe.edit_type],
        "edit_type": recipe.edit_type,
    }


def _wanted(recipe: Recipe) -> dict[str, Sequence[Edit]]:
    """The edits of the truth and of each flawed attempt."""
    return {"truth": recipe.truth, **{kind: recipe.attempt(kind) for kind in ATTEMPTS}}


def _edited(original: bytes, edits: Sequence[Edit]) -> bytes:
    deck = Presentation(io.BytesIO(original))
    for edit in edits:
        edit(deck)
    file = io.BytesIO()
    deck.save(file)
    return file.getvalue()


def _difference(original: Mapping[str, bytes], deck: bytes) -> dict[str, Any]:
    """The order of a deck's parts, and the parts that its original has not or has otherwise."""
    parts = _parts(deck)
    changed = {name: data for name, data in parts.items() if original.get(name) != data}
    return {"order": list(parts), "parts": {name: _plain(one) for name, one in changed.items()}}


def _plain(data: bytes) -> str | dict[str, str]:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(data).decode()}


def _parts(deck: bytes) -> dict[str, bytes]:
    with Package.from_bytes(deck, "a deck") as package:
        return {name: package.read(name) for name in package.names}
