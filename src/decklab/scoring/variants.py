"""Copies of a deck in which one slide lacks shapes: what a shape shows is what goes with it."""

from collections.abc import Callable, Collection
from pathlib import Path
from tempfile import TemporaryDirectory

import cv2
import numpy as np
from numpy.typing import NDArray

from decklab.ooxml.package import Package
from decklab.ooxml.slide_list import slide_entries
from decklab.ooxml.units import parse_int
from decklab.ooxml.writing import write_package
from decklab.ooxml.xml import Element, qn, serialize_xml
from decklab.rendering.cache import Cache
from decklab.rendering.office.office import Converter
from decklab.rendering.opening import open_incremental

VISIBLE = 12
"""Levels of 255 in any channel by which a pixel has to differ. Ours, as in ``diff.visual``."""

Picture = NDArray[np.uint8]
Shown = NDArray[np.bool_]
"""Which pixels of a slide something makes a difference to."""


def shown_by(one: Picture, other: Picture) -> Shown:
    """Which pixels differ visibly between two pictures of one size."""
    apart = cv2.absdiff(one, other)
    most = np.maximum(np.maximum(apart[:, :, 0], apart[:, :, 1]), apart[:, :, 2])
    return np.asarray(most >= VISIBLE)


def drawn_without(
    path: Path,
    number: int,
    gone: Callable[[int, Collection[int]], bool],
    *,
    office: Converter,
    cache: Cache,
) -> Picture:
    """A slide as it looks without the shapes for which ``gone`` holds, (H, W, 3) RGB.

    ``gone`` is given the id of a shape and those of all shapes in it, its own included; groups
    that stay are looked into. The file is only read. Raises DeckError and RenderError.
    """
    with TemporaryDirectory(prefix="decklab-seen-") as folder:
        copy = Path(folder) / f"deck{path.suffix}"
        with Package.open(path) as package:
            part = slide_entries(package)[number - 1].part
            root = package.xml(part)
            for tree in root.iterfind(f"{qn('p:cSld')}/{qn('p:spTree')}"):
                _take_out(tree, gone)
            write_package(package, copy, replace={part: serialize_xml(root)})
        with open_incremental(copy, cache=cache, office=office, slides=[number], ocr=False) as deck:
            return deck.slide(number).image


def _take_out(tree: Element, gone: Callable[[int, Collection[int]], bool]) -> None:
    for child in list(tree):
        named = child.iter(qn("p:cNvPr"))
        ids = [id for one in named if (id := parse_int(one.get("id"))) is not None]
        if not ids or child.tag == qn("p:nvGrpSpPr"):
            continue
        if gone(ids[0], ids):
            tree.remove(child)
        elif child.tag == qn("p:grpSp"):
            _take_out(child, gone)
