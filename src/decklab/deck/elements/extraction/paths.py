"""Freeforms as SVG path data in their own box, 1000 units wide and high."""

from collections.abc import Iterator, Sequence
from math import cos, radians, sin

from decklab.deck.elements.extraction.guides import Guides, read_guides
from decklab.deck.elements.model.shapes import PATH_BOX as BOX
from decklab.deck.placement import Frame
from decklab.ooxml.names import local_name, qn
from decklab.ooxml.parsing import Element
from decklab.ooxml.units import parse_int

__all__ = ["path_of"]

_ANGLE_UNIT = 60_000  # ST_Angle counts 60,000ths of a degree
_COMMANDS = {"moveTo": "M", "lnTo": "L", "cubicBezTo": "C", "quadBezTo": "Q"}
_ALMOST_FULL_TURN = 359.99
_FARTHEST = 1e18  # EMU; no coordinate that a file can spell lies beyond


def path_of(geometry: Element, frame: Frame) -> str:
    """The paths of an ``a:custGeom`` for a shape of its frame's size, before rotation and flips.

    Sub-paths follow each other; pieces whose points cannot be worked out are left out.
    """
    guides = read_guides(geometry, frame.width, frame.height)
    pieces: list[str] = []
    for path in geometry.iterfind(f"{qn('a:pathLst')}/{qn('a:path')}"):
        pieces.extend(_Pencil(path, guides, frame).draw(path))
    return " ".join(pieces)


class _Pencil:
    """Draws one ``a:path``: knows its scale, and where it stands."""

    def __init__(self, path: Element, guides: Guides, frame: Frame) -> None:
        across = parse_int(path.get("w")) or frame.width
        down = parse_int(path.get("h")) or frame.height
        self.guides = guides
        self.stretch = BOX / across if across else 0.0, BOX / down if down else 0.0
        self.at = (0.0, 0.0)

    def draw(self, path: Element) -> Iterator[str]:
        for item in path:
            name = local_name(str(item.tag))
            if name == "close":
                yield "Z"
            elif name == "arcTo":
                yield from self._arc(item)
            elif name in _COMMANDS:
                points = [self._point(point) for point in item.iterfind(qn("a:pt"))]
                known = [point for point in points if point is not None]
                if known and len(known) == len(points):
                    self.at = known[-1]
                    yield f"{_COMMANDS[name]} {self._spelled(known)}"

    def _arc(self, item: Element) -> Iterator[str]:
        """An arc by its radii, the angle it starts at and the one it sweeps over.

        A full turn is drawn in two halves: SVG draws none where an arc ends where it begins.
        """
        values = [self._number(item.get(name)) for name in ("wR", "hR", "stAng", "swAng")]
        known = [value for value in values if value is not None]
        if len(known) != len(values):
            return
        across, down, start, sweep = *known[:2], known[2] / _ANGLE_UNIT, known[3] / _ANGLE_UNIT
        parts = 2 if abs(sweep) > _ALMOST_FULL_TURN else 1
        for part in range(parts):
            yield self._piece(across, down, start + part * sweep / parts, sweep / parts)

    def _piece(self, across: float, down: float, start: float, sweep: float) -> str:
        center_x = self.at[0] - across * cos(radians(start))
        center_y = self.at[1] - down * sin(radians(start))
        end = radians(start + sweep)
        self.at = center_x + across * cos(end), center_y + down * sin(end)
        large, turn = int(abs(sweep) > 180), int(sweep > 0)
        radii = _spell(across * self.stretch[0]), _spell(down * self.stretch[1])
        return f"A {radii[0]} {radii[1]} 0 {large} {turn} {self._spelled([self.at])}"

    def _point(self, point: Element) -> tuple[float, float] | None:
        x, y = self._number(point.get("x")), self._number(point.get("y"))
        return None if x is None or y is None else (x, y)

    def _number(self, text: str | None) -> float | None:
        stated = parse_int(text)
        number = self.guides.get(text or "") if stated is None else float(stated)
        return None if number is None or abs(number) > _FARTHEST else number

    def _spelled(self, points: Sequence[tuple[float, float]]) -> str:
        return " ".join(
            f"{_spell(x * self.stretch[0])} {_spell(y * self.stretch[1])}" for x, y in points
        )


def _spell(value: float) -> str:
    """To a hundredth, without trailing zeros."""
    return f"{round(value, 2) + 0.0:.2f}".rstrip("0").rstrip(".")
