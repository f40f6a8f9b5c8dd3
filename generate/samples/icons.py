"""Small vector pictures: freeforms and autoshapes on a 100x100 grid, bound into one group each."""

from dataclasses import dataclass

from pptx.shapes.group import GroupShape
from pptx.slide import Slide

from generate.samples.filling import append_shape, next_id
from generate.samples.markup import Frame, freeform, group, preset, solid


@dataclass(frozen=True)
class Piece:
    """One shape of an icon: a path over the whole grid, or a preset in a box of it."""

    name: str
    role: str
    """``disc``, ``ink`` or ``spark``: which of the icon's three colours fills it."""
    path: str = ""
    preset: str = ""
    box: Frame = (0, 0, 100, 100)


def _disc() -> Piece:
    return Piece("Disc", "disc", preset="ellipse")


def _wave(top: int) -> Piece:
    path = (
        f"M 20 {top} C 30 {top - 10} 40 {top - 10} 50 {top} C 60 {top + 10} 70 {top + 10} 80 {top} "
        f"L 80 {top + 7} C 70 {top + 17} 60 {top + 17} 50 {top + 7} "
        f"C 40 {top - 3} 30 {top - 3} 20 {top + 7} Z"
    )
    return Piece("Wave", "ink", path)


ICONS: dict[str, tuple[Piece, ...]] = {
    "waves": (_disc(), _wave(34), _wave(50), _wave(66)),
    "house": (
        _disc(),
        Piece("Walls", "ink", "M 50 22 L 82 50 L 73 50 L 73 77 L 27 77 L 27 50 L 18 50 Z"),
        Piece("Door", "spark", preset="rect", box=(43, 56, 14, 21)),
    ),
    "drop": (
        _disc(),
        Piece(
            "Drop", "ink",
            "M 50 16 C 60 34 75 46 75 61 C 75 76 64 86 50 86 C 36 86 25 76 25 61 "
            "C 25 46 40 34 50 16 Z",
        ),
        Piece(
            "Gleam", "spark",
            "M 35 61 C 35 70 41 76 50 77 L 50 71 C 45 70 41 66 41 61 Z",
        ),
    ),
    "plates": (
        _disc(),
        *(
            Piece("Plate", role, preset="roundRect", box=(22 + 12 * n, 24, 8, 52))
            for n, role in enumerate(("ink", "spark", "ink", "spark", "ink"))
        ),
    ),
    "pump": (
        _disc(),
        Piece("Casing", "ink", preset="ellipse", box=(16, 16, 68, 68)),
        Piece("Blade", "spark", "M 50 50 C 42 36 48 22 62 22 C 68 34 62 46 50 50 Z"),
        Piece("Blade", "spark", "M 50 50 C 64 42 78 48 78 62 C 66 68 54 62 50 50 Z"),
        Piece("Blade", "spark", "M 50 50 C 58 64 52 78 38 78 C 32 66 38 54 50 50 Z"),
        Piece("Blade", "spark", "M 50 50 C 36 58 22 52 22 38 C 34 32 46 38 50 50 Z"),
        Piece("Hub", "disc", preset="ellipse", box=(44, 44, 12, 12)),
    ),
    "tank": (
        _disc(),
        Piece("Tank", "ink", preset="can", box=(30, 20, 40, 60)),
        Piece("Level", "spark", preset="roundRect", box=(46, 44, 8, 28)),
    ),
    "leaf": (
        _disc(),
        Piece("Leaf", "ink", "M 26 76 C 14 44 40 20 82 22 C 86 62 60 88 32 72 Z"),
        Piece("Vein", "spark", "M 22 82 C 34 62 48 48 66 38 C 52 52 40 66 28 84 Z"),
    ),
    "coins": (
        _disc(),
        Piece("Coin", "ink", preset="can", box=(26, 58, 48, 20)),
        Piece("Coin", "spark", preset="can", box=(26, 42, 48, 20)),
        Piece("Coin", "ink", preset="can", box=(26, 26, 48, 20)),
    ),
}  # fmt: skip
"""Every icon by name; a test draws them all."""


def icon_xml(
    icon: str,
    frame: Frame,
    id: int,
    name: str,
    *,
    disc: str | None,
    ink: str,
    spark: str,
    alt: str = "",
) -> str:
    """An icon as a group, which takes the ids from ``id`` on; no back where ``disc`` is None.

    ``disc``, ``ink`` and ``spark`` are the colours of the back, the drawing and its accent.
    """
    left, top, width, height = frame
    x, y = width / 100, height / 100
    colors = {"disc": disc, "ink": ink, "spark": spark}
    members = ""
    for number, piece in enumerate(ICONS[icon], start=id + 1):
        color = colors[piece.role]
        if color is None:
            continue
        if piece.path:
            members += freeform(number, piece.name, frame, piece.path, solid(color))
        else:
            box_left, box_top, box_width, box_height = piece.box
            box = (left + x * box_left, top + y * box_top, x * box_width, y * box_height)
            members += preset(number, piece.name, piece.preset, box, solid(color))
    return group(id, name, frame, members, alt=alt)


def add_icon(
    slide: Slide,
    icon: str,
    frame: Frame,
    name: str,
    *,
    disc: str | None = "accent1",
    ink: str = "bg1",
    spark: str = "accent2",
    alt: str = "",
) -> GroupShape:
    """Draw an icon on a slide and return its group."""
    xml = icon_xml(icon, frame, next_id(slide), name, disc=disc, ink=ink, spark=spark, alt=alt)
    append_shape(slide, xml)
    icon_group = slide.shapes[-1]
    assert isinstance(icon_group, GroupShape)
    return icon_group
