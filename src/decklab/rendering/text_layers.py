"""A page with its text, without it, and the text alone: what shows whether text can be seen.

Text that is covered, off the page, in the colour of its ground or fully transparent is in a PDF
like any other. So the page is drawn again without it: where nothing changes, nobody sees it.
"""

import ctypes
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pypdfium2.raw as pdfium
from numpy.typing import NDArray

from decklab.geometry import Box
from decklab.rendering.model import LayeredSpan, TextLayer, fit
from decklab.rendering.pdf_text import Run, page_runs

__all__ = ["LAYER_SIZE", "page_layers"]

LAYER_SIZE = (1920, 1080)
"""Pixels that a page is drawn in here at most. Ours: two for each point of
a slide of 960 by 540, so that the cores of small letters have the colour of the ink."""
_MOST_LAYERS = 6
"""Ours: texts that lie on top of each other are taken out one after the other, up to so many."""

Picture = NDArray[np.uint8]


def page_layers(page: Any, text_page: Any) -> list[TextLayer]:
    """The text of a loaded page (raw handles) in layers; none where it shows no text.

    Spans are those of ``page_spans``.
    """
    runs, scale = page_runs(page, text_page)
    told = [(run, span) for run in runs if (span := run.span(scale)) is not None]
    if not told:
        return []
    width, height = pdfium.FPDF_GetPageWidthF(page), pdfium.FPDF_GetPageHeightF(page)
    size = fit(width, height, LAYER_SIZE)
    across, down = size[0] / width, size[1] / height
    shrunk = min(960 / width, 540 / height)
    everything = list(_leaves(page))
    full = _drawn(page, size)
    layers = []
    for numbers in _apart([run for run, _ in told]):
        mine = {_address(pdfium.FPDFText_GetTextObject(text_page, index))
                for number in numbers for index in told[number][0].places}  # fmt: skip
        spans = tuple(
            LayeredSpan(
                told[number][1],
                tuple(box.scaled(across, down) for box in told[number][0].boxes),
                told[number][0].style.size * shrunk,
            )
            for number in numbers
        )
        without, ink = _taken_out(page, everything, mine, size)
        layers.append(TextLayer(spans, full, without, ink))
    return layers


def _apart(runs: Sequence[Run]) -> list[list[int]]:
    """Numbers of runs in lists within which none overlaps another."""
    found: list[tuple[list[int], list[Box]]] = []
    for number, run in enumerate(runs):
        assert run.box is not None
        place = run.box
        for numbers, boxes in found:
            if len(found) == _MOST_LAYERS and numbers is found[-1][0]:
                break
            if not any(_meet(place, other) for other in boxes):
                break
        else:
            numbers, boxes = [], []
            found.append((numbers, boxes))
        numbers.append(number)
        boxes.append(place)
    return [numbers for numbers, _ in found]


def _meet(one: Box, other: Box) -> bool:
    return (
        one.left < other.right
        and other.left < one.right
        and one.top < other.bottom
        and other.top < one.bottom
    )


def _taken_out(
    page: Any, everything: Sequence[Any], mine: set[int | None], size: tuple[int, int]
) -> tuple[Picture, NDArray[np.uint8]]:
    """The page without the objects ``mine``, and the ink of these alone."""
    own = [_address(item) in mine for item in everything]
    try:
        _show(everything, [not is_own for is_own in own])
        without = _drawn(page, size)
        _show(everything, own)
        ink = _ink(page, size)
    finally:
        _show(everything, [True] * len(own))
    return without, ink


def _show(items: Sequence[Any], shown: Sequence[bool]) -> None:
    for item, is_shown in zip(items, shown, strict=True):
        pdfium.FPDFPageObj_SetIsActive(item, is_shown)


def _leaves(page: Any) -> Iterator[Any]:
    """The objects of a page that draw something, those inside forms too."""
    waiting = [
        pdfium.FPDFPage_GetObject(page, i) for i in range(pdfium.FPDFPage_CountObjects(page))
    ]
    while waiting:
        item = waiting.pop()
        if pdfium.FPDFPageObj_GetType(item) == pdfium.FPDF_PAGEOBJ_FORM:
            inside = range(pdfium.FPDFFormObj_CountObjects(item))
            waiting += [pdfium.FPDFFormObj_GetObject(item, i) for i in inside]
        else:
            yield item


def _address(pointer: Any) -> int | None:
    return ctypes.cast(pointer, ctypes.c_void_p).value


def _drawn(page: Any, size: tuple[int, int]) -> Picture:
    """The page on white."""
    return _raster(page, size, pdfium.FPDFBitmap_BGR, 3, 0xFFFFFFFF)


def _ink(page: Any, size: tuple[int, int]) -> NDArray[np.uint8]:
    """How much of each pixel the page covers, 0 to 255."""
    on_nothing = _raster(page, size, pdfium.FPDFBitmap_BGRA, 4, 0)
    return np.ascontiguousarray(on_nothing[:, :, 3])


def _raster(page: Any, size: tuple[int, int], kind: int, channels: int, ground: int) -> Picture:
    width, height = size
    image = np.empty((height, width, channels), np.uint8)
    bitmap = pdfium.FPDFBitmap_CreateEx(width, height, kind, image.ctypes.data, width * channels)
    pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, ground)
    flags = pdfium.FPDF_ANNOT | pdfium.FPDF_REVERSE_BYTE_ORDER
    pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, flags)
    pdfium.FPDFBitmap_Destroy(bitmap)
    return image
