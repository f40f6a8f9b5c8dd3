"""Figures of a PDF page: drawings and pictures, found by their captions first.

The region is the drawing between a caption and the text before it, with the labels that stand in
it, so that vector drawings are figures as pictures are.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from decklab.core.geometry import Box
from decklab.documents.pdf.page import (
    DrawnArea,
    FoundFigure,
    FoundTable,
    PageCaption,
    PageObjects,
    PdfPage,
    column_around,
    drawn_areas,
    is_prose,
    share_within,
)
from decklab.documents.pdf.words import LinePiece

LEAST_RASTER = 40.0
"""Ours: points of width and height; smaller pictures are icons."""
LEAST_DRAWING = 60.0
_LABEL_REACH = 30.0  # ours: points; labels of axes stand that close to the drawing
_HEADING = re.compile(r"^\d{1,2}(?:\.\d{1,2})*\.?\s+[A-Z][a-z]")
_TEXT_SHARE = 0.3  # ours: an area with more text in it is a box around text


def page_objects(
    page: PdfPage,
    captions: Sequence[PageCaption],
    tables: Sequence[FoundTable],
    repeated: Sequence[Box] = (),
) -> PageObjects:
    """The figures of a page, and the text left when tables and figures are taken out.

    ``repeated`` are drawings that stand on many pages, such as logos.
    """
    taken = [*(table.box for table in tables), *repeated]
    areas = [
        area
        for area in drawn_areas(page.graphics, page.size, without=taken)
        if not any(share_within(area.box, box) > 0.7 for box in taken)
    ]
    figures: list[FoundFigure] = []
    missing = []
    for caption in captions:
        if caption.caption.subject != "figure":
            continue
        box = _captioned(page, caption, captions, areas, [t.box for t in tables])
        if box is None:
            missing.append(caption)
        else:
            areas = [area for area in areas if share_within(area.box, box) < 0.5]
            figures.append(FoundFigure(box, caption))
    for area in areas:
        if _stands_alone(area, page) and not any(
            share_within(area.box, figure.box) > 0.5 for figure in figures
        ):
            figures.append(FoundFigure(_with_labels(page, area.box, captions)))
    figures = [
        replace(figure, turn=_turn(figure, page), label_size=_label_size(figure, page))
        for figure in _parted(figures)
    ]
    named = {id(table.caption) for table in tables if table.caption}
    missing += [
        item for item in captions if item.caption.subject == "table" and id(item) not in named
    ]
    used = [*(table.box for table in tables), *(figure.box for figure in figures)]
    heads = {id(caption.first) for caption in captions}
    pieces = [
        piece
        for piece in page.pieces
        if id(piece) in heads
        or not any(share_within(piece.box, box) > 0.5 for box in used)
        or any(share_within(piece.box, caption.box) > 0.5 for caption in captions)
    ]
    return PageObjects(list(tables), sorted(figures, key=lambda f: f.box.top), pieces, missing)


_TURNED_LETTERS = 8
"""Ours: letters of the labels by which a figure is turned at the least; an axis has fewer."""


_FEW_LETTERS = 0.1
"""Ours: share of a figure's letters, such as indices, that may be smaller than its labels."""


def _turn(figure: FoundFigure, page: PdfPage) -> int:
    """Quarter turns clockwise after which most labels of a figure run from left to right."""
    letters = [0, 0, 0, 0]
    for text in page.turned:
        if share_within(text.box, figure.box) > 0.5:
            letters[text.turn] += text.letters
    for piece in page.pieces:
        if share_within(piece.box, figure.box) > 0.5:
            letters[0] += len(piece.text)
    most = max(range(4), key=lambda turn: letters[turn])
    return most if letters[most] >= max(_TURNED_LETTERS, 2 * (sum(letters) - letters[most])) else 0


def _label_size(figure: FoundFigure, page: PdfPage) -> float | None:
    """The size below which few letters of a figure's labels are; None if it has none."""
    labels = sorted(
        (piece.style.size, len(piece.text))
        for piece in page.pieces
        if share_within(piece.box, figure.box) > 0.5
        and not (figure.caption and share_within(piece.box, figure.caption.box) > 0.5)
    )
    few = _FEW_LETTERS * sum(letters for _, letters in labels)
    for size, letters in labels:
        few -= letters
        if few < 0:
            return size
    return None


def _captioned(
    page: PdfPage,
    caption: PageCaption,
    captions: Sequence[PageCaption],
    areas: Sequence[DrawnArea],
    tables: Sequence[Box],
) -> Box | None:
    """The region of a caption's figure: drawings above it, else below, else beside; else a
    listing above it."""
    others = [item.box for item in captions if item is not caption]
    walls = [
        piece.box
        for piece in page.pieces
        if is_prose(piece)
        and not any(share_within(piece.box, item.box) > 0.5 for item in captions)
        and not any(
            share_within(piece.box, area.box) > 0.5 and not _holds_text(area, page)
            for area in areas
        )
    ]
    box = caption.box
    prose = [wall for wall in walls if _over(wall, box)]
    column = column_around(page, Box.around([box, *prose]) or box, walls)
    beside = [*prose, *(wall for wall in (*others, *tables) if _over(wall, box))]
    top = max((wall.bottom for wall in beside if wall.bottom <= box.top + 2), default=0.0)
    bottom = min((wall.top for wall in beside if wall.top >= box.bottom - 2), default=page.size[1])
    for place in (
        Box(column.left - 8, top - 8, column.right + 8, box.top + 8),
        Box(column.left - 8, box.bottom - 8, column.right + 8, bottom + 8),
    ):
        found = [area.box for area in areas if share_within(area.box, place) > 0.95]
        if _tall(found) and any(_over(item, box) for item in found):
            return _with_labels(page, Box.around(found) or box, captions, place)
    sides = [
        area.box
        for area in areas
        if area.box.top - 20 <= box.top
        and area.box.bottom + 20 >= box.bottom
        and not _over(area.box, box)
    ]
    if _tall(sides):
        return Box.around(sides)
    text = [
        piece.box
        for piece in page.pieces
        if top - 1 <= piece.box.top
        and piece.box.bottom <= box.top + 2
        and share_within(piece.box, column) > 0.9
        and not is_prose(piece)
    ]
    listed = sum(1 for piece in page.pieces if piece.style.mono and piece.box in text)
    return Box.around(text) if 2 * listed > len(text) > 1 else None


def _over(first: Box, second: Box) -> bool:
    return first.left < second.right and second.left < first.right


def _tall(boxes: Sequence[Box]) -> bool:
    box = Box.around(boxes)
    return box is not None and box.height >= 18 and box.width >= 18


def _holds_text(area: DrawnArea, page: PdfPage) -> bool:
    """Whether an area is a frame or ground of text: running text or code fills it."""
    if area.rasters or area.forms:
        return False
    inside = [piece for piece in page.pieces if share_within(piece.box, area.box) > 0.6]
    covered = sum(piece.box.area for piece in inside)
    prose = sum(1 for piece in inside if is_prose(piece))
    code = sum(1 for piece in inside if piece.style.mono)
    listing = code > 0 and code >= 0.7 * len(inside) and area.paths < 12
    return covered > _TEXT_SHARE * area.box.area or prose >= 3 or listing


def _stands_alone(area: DrawnArea, page: PdfPage) -> bool:
    """Whether an area without a caption is large enough and drawn enough to be a figure."""
    box = area.box
    if area.rasters:
        return box.width >= LEAST_RASTER and box.height >= LEAST_RASTER
    if box.width < LEAST_DRAWING or box.height < LEAST_DRAWING or _holds_text(area, page):
        return False
    return area.forms > 0 or area.paths >= 8


def _with_labels(
    page: PdfPage, box: Box, captions: Sequence[PageCaption], place: Box | None = None
) -> Box:
    """A figure's box grown to the labels that stand in it or at its edges, within ``place``."""
    labels = [
        *(text.box for text in page.turned),
        *(
            piece.box
            for piece in page.pieces
            if not (is_prose(piece) or _ends_prose(piece, page))
            and not _HEADING.match(piece.text)
            and not any(share_within(piece.box, caption.box) > 0.3 for caption in captions)
        ),
    ]
    if place is not None:
        labels = [label for label in labels if share_within(label, place) > 0.8]
    grown = box
    for _ in range(2):  # titles of axes stand outside their labels
        reach = Box(
            grown.left - _LABEL_REACH,
            grown.top - _LABEL_REACH,
            grown.right + _LABEL_REACH,
            grown.bottom + _LABEL_REACH,
        )
        near = [label for label in labels if share_within(label, reach) > 0.6]
        if place is None:
            near = [label for label in near if _touches(label, box)]
        grown = Box.around([grown, *near]) or grown
    return grown


def _ends_prose(piece: LinePiece, page: PdfPage) -> bool:
    """Whether a short line is the last of a paragraph."""
    return any(
        is_prose(other)
        and abs(other.box.left - piece.box.left) < 2
        and 0 < piece.box.bottom - other.box.bottom < 2 * piece.box.height
        for other in page.pieces
    )


def _touches(label: Box, box: Box) -> bool:
    """Whether a label is small and hardly leaves the width of a drawing."""
    return label.width < 0.5 * box.width and label.height < 0.7 * box.height


def _parted(figures: Sequence[FoundFigure]) -> list[FoundFigure]:
    """Figures without a caption that lie mostly in another are no figures of their own."""
    return [
        figure
        for figure in figures
        if figure.caption
        or not any(
            other is not figure and share_within(figure.box, other.box) > 0.5 for other in figures
        )
    ]
