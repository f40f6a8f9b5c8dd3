"""Objects of a PDF page: where each is seen, after what clips it.

A clip counts as the box around it. Of a form the objects in it count, each with its own clip, so
that a page of another document of which a part is shown is as large as that part.
"""

import ctypes
from collections.abc import Iterator
from typing import Any

import pypdfium2.raw as pdfium

Bounds = tuple[float, float, float, float]
"""Left, bottom, right and top."""
MAX_OBJECTS = 50_000
"""Ours: objects of a page, and of a form, that are looked at; maps with more are one drawing all
the same."""
_MOST_DEPTH = 6  # ours: forms within forms that are looked into
_LEAST_SEEN = 0.3  # ours: the share of a text's height that is seen at the least
_MOST_SEGMENTS = 64  # ours: of a clip's path; longer ones are taken as no clip


def with_addresses(function: Any, result: Any, *arguments: Any) -> Any:
    """A function of pdfium that takes plain integers as handles: three times as quick a call."""
    address = ctypes.cast(function, ctypes.c_void_p).value or 0
    return ctypes.CFUNCTYPE(result, *arguments)(address)


_PLACE, _INDEX = ctypes.c_void_p, ctypes.c_int
_bounds_of = with_addresses(pdfium.FPDFPageObj_GetBounds, _INDEX, *[_PLACE] * 5)
_clip_of = with_addresses(pdfium.FPDFPageObj_GetClipPath, _PLACE, _PLACE)
_paths = with_addresses(pdfium.FPDFClipPath_CountPaths, _INDEX, _PLACE)
_segments = with_addresses(pdfium.FPDFClipPath_CountPathSegments, _INDEX, _PLACE, _INDEX)
_segment = with_addresses(pdfium.FPDFClipPath_GetPathSegment, _PLACE, _PLACE, _INDEX, _INDEX)
_point = with_addresses(pdfium.FPDFPathSegment_GetPoint, _INDEX, _PLACE, _PLACE, _PLACE)
_matrix_of = with_addresses(pdfium.FPDFPageObj_GetMatrix, _INDEX, _PLACE, _PLACE)
_kind_of = with_addresses(pdfium.FPDFPageObj_GetType, _INDEX, _PLACE)
_form_count = with_addresses(pdfium.FPDFFormObj_CountObjects, _INDEX, _PLACE)
_form_object = with_addresses(pdfium.FPDFFormObj_GetObject, _PLACE, _PLACE, ctypes.c_ulong)
_page_object = with_addresses(pdfium.FPDFPage_GetObject, _PLACE, _PLACE, _INDEX)


class SeenObjects:
    """Looks objects up by their addresses, with room for pdfium's answers made once."""

    def __init__(self) -> None:
        self._edges = (ctypes.c_float * 4)()
        self._start = ctypes.addressof(self._edges)
        self._values = pdfium.FS_MATRIX()

    def drawn(self, page: Any) -> Iterator[tuple[Bounds, int]]:
        """Bounds in PDF user space, and kinds, of what a loaded page (raw handle) shows other
        than text."""
        handle = ctypes.cast(page, ctypes.c_void_p).value
        for index in range(min(pdfium.FPDFPage_CountObjects(page), MAX_OBJECTS)):
            address = _page_object(handle, index)
            kind = _kind_of(address)
            seen = None if kind == pdfium.FPDF_PAGEOBJ_TEXT else self.seen(address, kind)
            if seen is not None:
                yield seen, kind

    def seen(self, address: int, kind: int, depth: int = 0) -> Bounds | None:
        """Where an object is seen, in the space of what holds it; None if a clip hides it."""
        bounds = self._bounds(address)
        if bounds is None:
            return None
        if kind == pdfium.FPDF_PAGEOBJ_FORM and depth < _MOST_DEPTH:
            bounds = self._form(address, depth)
        clip = self._clip(address)
        return _common(bounds, clip) if bounds is not None and clip is not None else bounds

    def hides_text(self, address: int) -> bool:
        """Whether a clip hides a text object."""
        clip = self._clip(address)
        bounds = None if clip is None else self._bounds(address)
        if clip is None or bounds is None or bounds[2] <= bounds[0] or bounds[3] <= bounds[1]:
            return False
        seen = _common(bounds, clip)
        return seen is None or seen[3] - seen[1] < _LEAST_SEEN * (bounds[3] - bounds[1])

    def _bounds(self, address: int) -> Bounds | None:
        places = [self._start + 4 * edge for edge in range(4)]
        if not _bounds_of(address, *places):
            return None
        left, bottom, right, top = self._edges
        return left, bottom, right, top

    def _clip(self, address: int) -> Bounds | None:
        """The box that all clips of an object have in common; None without one. A box that is
        nowhere has its left edge right of its right edge."""
        clip = _clip_of(address)
        count = _paths(clip) if clip else 0
        common: Bounds | None = None
        for path in range(max(0, count)):
            found = self._around(clip, path)
            if found is not None and common is None:
                common = found
            elif found is not None and common is not None:
                common = (
                    max(common[0], found[0]),
                    max(common[1], found[1]),
                    min(common[2], found[2]),
                    min(common[3], found[3]),
                )
        return common

    def _around(self, clip: int, path: int) -> Bounds | None:
        count = _segments(clip, path)
        if not 0 < count <= _MOST_SEGMENTS:
            return None
        across, up = [], []
        for number in range(count):
            if _point(_segment(clip, path, number), self._start, self._start + 4):
                across.append(self._edges[0])
                up.append(self._edges[1])
        return (min(across), min(up), max(across), max(up)) if across else None

    def _form(self, address: int, depth: int) -> Bounds | None:
        """Around the visible part of a form's objects, in the space of the form's container."""
        around: Bounds | None = None
        for index in range(min(_form_count(address), MAX_OBJECTS)):
            item = _form_object(address, index)
            found = self.seen(item, _kind_of(item), depth + 1) if item else None
            if found is not None:
                around = found if around is None else _union(around, found)
        if around is None or not _matrix_of(address, ctypes.addressof(self._values)):
            return around
        m = self._values
        corners = [
            (m.a * x + m.c * y + m.e, m.b * x + m.d * y + m.f)
            for x in (around[0], around[2])
            for y in (around[1], around[3])
        ]
        across, up = zip(*corners, strict=True)
        return min(across), min(up), max(across), max(up)


def _common(first: Bounds, second: Bounds) -> Bounds | None:
    left, bottom = max(first[0], second[0]), max(first[1], second[1])
    right, top = min(first[2], second[2]), min(first[3], second[3])
    return (left, bottom, right, top) if left <= right and bottom <= top else None


def _union(first: Bounds, second: Bounds) -> Bounds:
    left, bottom = min(first[0], second[0]), min(first[1], second[1])
    return left, bottom, max(first[2], second[2]), max(first[3], second[3])
