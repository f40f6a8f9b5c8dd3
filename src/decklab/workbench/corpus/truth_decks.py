"""Decks that say all that a task of writing asks for, and decks that say nothing of it.

The truth of a task about documents holds their own words, a statement a slide, and their figures
and tables. It is no good deck: it shows that the task can be met, as the other shows that doing
nothing does not meet it.
"""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import shorten
from typing import Any, Final

from decklab.board.blueprint import read_plan
from decklab.board.compose import compose
from decklab.board.pptx_deck import write_pptx
from decklab.documents.model import DocumentTable, Figure

_THEME: Final = "academic"
_COLUMNS: Final = 8
_ROWS: Final = 12
_TITLE: Final = 70
"""Largest table of a slide, and most characters of a title. Ours."""


def write_truth_deck(
    path: Path,
    title: str,
    statements: Iterable[Sequence[str]],
    visuals: Sequence[Figure | DocumentTable] = (),
) -> None:
    """Write a deck with a slide for each group of ``statements``, each figure and each table.

    ``title`` is that of the sources and stands on every slide, so that no slide says what they do
    not. Raises PlanError where a slide cannot be made of one, Unavailable without
    ``decklab[write]``.
    """
    with TemporaryDirectory(prefix="decklab-visuals-") as folder:
        slides: list[dict[str, Any]] = [_opening(title)]
        for group in statements:
            body = [{"text": _line(text)} for text in group]
            slides.append({"layout": "body", "title": _heading(title), "body": body})
        for number, visual in enumerate(visuals, start=1):
            slides += _visual_slides(visual, title, Path(folder) / f"{number}.png")
        _write(path, slides)


def write_empty_deck(path: Path) -> None:
    """Write a deck of one slide that says nothing of any source; else as ``write_truth_deck``."""
    _write(path, [_opening("Presentation")])


def _opening(title: str) -> dict[str, Any]:
    return {"layout": "title", "title": _heading(title)}


def _visual_slides(
    visual: Figure | DocumentTable, title: str, picture: Path
) -> Iterator[dict[str, Any]]:
    """A figure with its caption beside it, or a table, on as many slides as it takes."""
    heading = _heading(visual.caption or title)
    if isinstance(visual, Figure):
        picture.write_bytes(visual.draw())
        caption = _line(visual.caption or title)
        shown = {"path": str(picture), "alt": caption}
        body = [{"text": caption}]
        yield {"layout": "picture_left", "title": heading, "picture": shown, "body": body}
        return
    header, *rows = [[_line(cell) for cell in row[:_COLUMNS]] for row in visual.rows]
    for start in range(0, len(rows), _ROWS):
        part = {"header": header, "rows": rows[start : start + _ROWS]}
        yield {"layout": "table", "title": heading, "table": part}


def _heading(text: str) -> str:
    return shorten(_line(text), _TITLE, placeholder=" ...")


def _line(text: str) -> str:
    """A text as one paragraph, without characters that no paragraph may have; never empty."""
    return "".join(char for char in " ".join(text.split()) if char.isprintable()) or "-"


def _write(path: Path, slides: Sequence[dict[str, Any]]) -> None:
    plan = read_plan({"title": slides[0]["title"], "slides": list(slides)})
    path.parent.mkdir(parents=True, exist_ok=True)
    write_pptx(compose(plan, _THEME), path)
