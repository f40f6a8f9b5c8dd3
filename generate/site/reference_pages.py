"""The reference of the Python library, from its docstrings, and the list of changes."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import decklab
from decklab import evals, workbench
from decklab.core.lazy import listed_names
from generate.changelog import sections

ROOT: Final = Path(__file__).parents[2]
NOTEBOOK: Final = "notebooks/research.ipynb"

ROOMS: Final[Mapping[str, tuple[str, ...]]] = {
    "Results": ("decklab.core.results", "decklab.core.errors", "decklab.core.options"),
    "Decks": ("decklab.deck.deck", "decklab.deck.views.snapshot"),
    "Packages": ("decklab.ooxml.package", "decklab.ooxml.draft", "decklab.ooxml.patches"),
    "Documents": ("decklab.documents.model", "decklab.documents.knowledge"),
    "Drawing": ("decklab.rendering.renderer", "decklab.rendering.job", "decklab.rendering.job"),
    "Comparing": ("decklab.diffing.changes", "decklab.diffing.decks"),
    "Linting": ("decklab.linting.lint",),
    "Editing": ("decklab.editing.operations", "decklab.editor.result"),
    "Damage": ("decklab.evals.perturb.deck",),
    "Agreement": ("decklab.evals.agreement.rankings", "decklab.evals.agreement.annotators"),
    "Models": ("decklab.models.asking",),
}
"""Modules that people build on, beside the front door."""


def reference_pages() -> Mapping[str, str]:
    """The pages by their name below ``reference/``, as Markdown."""
    doors = (decklab, evals, workbench)
    pages = {
        "index.md": "# The library\n\nEach name is loaded when it is first used.\n\n"
        + "\n\n".join(_door(door.__name__) for door in doors)
        + "\n"
    }
    for room, modules in ROOMS.items():
        body = "\n\n".join(f"::: {one}\n    options:\n      heading_level: 2" for one in modules)
        pages[f"{room.lower()}.md"] = f"# {room}\n\n{body}\n"
    return pages


def _door(package: str) -> str:
    names = "\n\n".join(
        f"### {name}\n\n::: {module}.{defined}\n    options:\n      heading_level: 4\n"
        "      show_root_heading: false\n      show_root_toc_entry: false"
        for name, (module, defined) in sorted(listed_names(package).items())
    )
    return f"## {package}\n\n{names}"


def notebook_page() -> str:
    """The notebook for researchers as a page: its words and its code, without results."""
    book = json.loads((ROOT / "docs" / NOTEBOOK).read_text(encoding="utf-8"))
    cells = ["".join(cell["source"]) for cell in book["cells"]]
    kinds = [cell["cell_type"] for cell in book["cells"]]
    shown = [
        text if kind == "markdown" else f"```python\n{text}\n```"
        for kind, text in zip(kinds, cells, strict=True)
    ]
    title, *rest = shown
    return "\n\n".join([title, f"[Take the notebook](../{NOTEBOOK})", *rest]) + "\n"


def changes_page() -> str:
    """What changed for users: since the last release, and in each version."""
    versions = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").partition("\n## ")[2]
    told = sections(ROOT / "changelog.d")
    since = f"## Since the last version\n\n{told}\n" if told else ""
    return f"# What is new\n\n{since}## {versions}".replace("](docs/", "](")
