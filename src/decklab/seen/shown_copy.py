"""A copy of a deck without what LibreOffice draws though the file states that nobody sees it.

LibreOffice plays no effects, turns nothing in space, and fits text into its shape anew. A metric
of pictures that draws the deck itself would measure what PowerPoint does not show.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path

from decklab.ooxml.package import Package
from decklab.ooxml.slide_list import slide_entries
from decklab.ooxml.writing import write_package
from decklab.ooxml.xml import Element, qn, serialize_xml, shape_id
from decklab.seen.seen_slide import SeenPiece, SeenSlide

_SHAPES = tuple(
    qn(f"p:{name}") for name in ("sp", "pic", "graphicFrame", "cxnSp", "contentPart", "grpSp")
)


def needs_shown_copy(slides: Iterable[SeenSlide]) -> bool:
    """Whether LibreOffice draws anything of the slides that an audience does not see."""
    return any(map(_is_changed, slides))


def write_shown_copy(package: Package, slides: Iterable[SeenSlide], path: Path) -> Path:
    """Write a copy of a deck without the pieces of slides that are ``drawn`` though not seen.

    A shape of which nothing else is left goes as a whole; of others the words of these runs go, and
    so do the effects of these slides, which no drawing shows.
    Raises DeckError where the deck cannot be read.
    """
    parts = {entry.number: entry.part for entry in slide_entries(package)}
    changed = {}
    for slide in slides:
        if _is_changed(slide):
            root = package.xml(parts[slide.number])
            _remove(root, _by_shape(slide.pieces))
            for effects in root.findall(qn("p:timing")):  # they name shapes that are gone
                root.remove(effects)
            changed[parts[slide.number]] = serialize_xml(root)
    return write_package(package, path, replace=changed)


def _is_changed(slide: SeenSlide) -> bool:
    return not slide.left_out and any(piece.drawn for piece in slide.pieces)


def _by_shape(pieces: Iterable[SeenPiece]) -> Mapping[int, Sequence[SeenPiece]]:
    shapes: dict[int, list[SeenPiece]] = defaultdict(list)
    for piece in pieces:
        shapes[piece.id].append(piece)
    return shapes


def _remove(root: Element, shapes: Mapping[int, Sequence[SeenPiece]]) -> None:
    for shape in list(root.iter(*_SHAPES)):
        pieces = shapes.get(shape_id(shape), ())
        parent = shape.getparent()
        if pieces and parent is not None and all(piece.drawn for piece in pieces):
            parent.remove(shape)
        else:
            _blank(shape, {(piece.path[0], piece.text) for piece in pieces if _is_run(piece)})


def _is_run(piece: SeenPiece) -> bool:
    return piece.drawn and piece.kind == "text"


def _blank(shape: Element, runs: Collection[tuple[int | str, str]]) -> None:
    """Take the words of some runs away, each named by its paragraph and its text."""
    body = shape.find(qn("p:txBody"))
    if body is None or not runs:
        return
    for row, paragraph in enumerate(body.iterfind(qn("a:p"))):
        for text in paragraph.iter(qn("a:t")):
            if (row, (text.text or "").strip()) in runs:
                text.text = ""
