"""What another slide size does to all that stands on slides, layouts and masters.

Geometry in snapshots is in px of a frame that every slide fills, whatever its size: on wider slides
all that stays where it is gets other px. Programs either leave everything in place, or scale it:
to fit or to fill the new slide, about its middle or from its corner, or each way apart.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from decklab.diffing.differences import Difference, Json
from decklab.diffing.rounding import near
from decklab.geometry import FRAME_HEIGHT, FRAME_WIDTH

_ACROSS, _DOWN = ("x", "x1", "x2"), ("y", "y1", "y2")
_SAME_PX = 1.0
"""Boxes that are at most about this far apart are counted as the same when the way is guessed."""
_FAR = 0.1
"""Points that scaled lengths of text are rounded by: the file counts sizes in hundredths, but
programs scale them in tenths. Ours."""
_SCALED = ("font.size", "font.spacing", "paragraph.margin_left", "paragraph.margin_right",
           "paragraph.indent", "paragraph.space_before", "paragraph.space_after",
           "paragraph.line_spacing", "body.inset_left", "body.inset_top", "body.inset_right",
           "body.inset_bottom", "line.width")  # fmt: skip


@dataclass(frozen=True)
class _Way:
    """Where a point of the old frame comes to stand in the new one: scale and shift, in px."""

    across: tuple[float, float] = (1.0, 0.0)
    down: tuple[float, float] = (1.0, 0.0)
    text: float = 1.0
    """What lengths in points are scaled by."""

    def carried(self, shape: Json) -> Json:
        """A shape of a snapshot, brought to the new frame."""
        if not shape.get("placed", True):
            return shape
        (a, b), (c, d) = self.across, self.down
        moved = {key: shape[key] * a + b for key in _ACROSS if shape.get(key) is not None}
        moved |= {key: shape[key] * c + d for key in _DOWN if shape.get(key) is not None}
        moved |= {key: shape[key] * by for key, by in (("w", a), ("h", c)) if key in shape}
        found = {**shape, **{key: round(value, 2) + 0.0 for key, value in moved.items()}}
        if "table" in shape:
            found["table"] = self._table(shape["table"])
        return found

    def _table(self, table: Json) -> Json:
        lengths = {"columns": self.across[0], "heights": self.down[0]}
        return {
            **table,
            **{
                key: [round(length * by, 2) for length in table[key]]
                for key, by in lengths.items()
                if key in table
            },
        }


@dataclass(frozen=True)
class Resizing:
    """The sizes of the slides before and after, in points."""

    old: tuple[float, float]
    new: tuple[float, float]

    @classmethod
    def of(cls, before: Json, after: Json) -> "Resizing":
        """From two snapshots."""
        return cls(tuple(before["size_pt"]), tuple(after["size_pt"]))

    def __bool__(self) -> bool:
        return self.old != self.new

    @property
    def ways(self) -> Iterator[_Way]:
        """What may have become of the contents: left in place, then scaled in all known ways."""
        wider, taller = (new / old for new, old in zip(self.new, self.old, strict=True))
        for scale in dict.fromkeys((1.0, min(wider, taller), max(wider, taller))):
            for middle in (0.0, 0.5):
                rest = [middle * (new - scale * old)
                        for new, old in zip(self.new, self.old, strict=True)]  # fmt: skip
                for shift in dict.fromkeys(((rest[0], rest[1]), (rest[0], 0.0), (0.0, rest[1]))):
                    yield _Way(
                        (scale / wider, shift[0] / self.new[0] * FRAME_WIDTH),
                        (scale / taller, shift[1] / self.new[1] * FRAME_HEIGHT),
                        scale,
                    )
        yield _Way()

    def carried(self, old: Json, new: Json) -> Json:
        """The older state of a slide, layout or master with its shapes brought to where the other
        size leads them: in the way that brings most of them to where the newer ones stand."""
        stand = Counter(_cell(shape) for shape in new["shapes"])
        best, most = next(self.ways), -1
        for way in self.ways:
            cells = Counter(_cell(way.carried(shape)) for shape in old["shapes"])
            met = (cells & stand).total()
            if met > most:
                best, most = way, met
        shapes = [best.carried(shape) for shape in old["shapes"]]
        found = {**old, "shapes": shapes}
        if "comments" in old:
            found["comments"] = [best.carried(comment) for comment in old["comments"]]
        return found

    def scaled(self, found: Difference) -> bool:
        """Whether a length in points was scaled along with the slide."""
        if not found.property.endswith(_SCALED):
            return False
        return any(
            way.text != 1.0 and near(_times(found.old, way.text), found.new, _FAR)
            for way in self.ways
        )


def _cell(shape: Json) -> tuple[Any, ...]:
    keys = ("x", "y", "w", "h", "x1", "y1", "x2", "y2")
    return shape["kind"], *(round(shape.get(key, 0.0) / _SAME_PX) for key in keys)


def _times(value: Any, by: float) -> Any:
    if isinstance(value, dict) and value.get("unit") == "points":
        return {**value, "value": value["value"] * by}
    return value * by if isinstance(value, int | float) and not isinstance(value, bool) else value
