"""Presets and freeforms as DrawingML."""

from collections.abc import Iterator, Mapping
from math import atan2, copysign, degrees, pi, sqrt

from decklab.deck.building.characters import quoted
from decklab.deck.model.shapes import PATH_BOX

_FINE = 100
"""Units of the written path to one of the element's, whose paths keep two decimals."""
_ANGLE_UNIT = 60_000  # ST_Angle counts 60,000ths of a degree
_TAGS = {"M": "moveTo", "L": "lnTo", "C": "cubicBezTo", "Q": "quadBezTo"}
_WHOLE_SHARE = 100_000

Point = tuple[float, float]


def preset_xml(name: str, adjustments: Mapping[str, int]) -> str:
    """A preset shape with its adjustments."""
    guides = "".join(
        f'<a:gd name={quoted(guide)} fmla="val {value}"/>' for guide, value in adjustments.items()
    )
    return f"<a:prstGeom prst={quoted(name)}><a:avLst>{guides}</a:avLst></a:prstGeom>"


def rounded_adjustment(rx: float, across: float, width_px: float, height_px: float) -> int:
    """The adjustment that gives a rounded rectangle its corner radius, which is px across.

    ``across`` is how many px across are as long as one px down, on the slide itself.
    """
    shorter = min(width_px, height_px * across)
    return min(round(rx / shorter * _WHOLE_SHARE), _WHOLE_SHARE // 2) if shorter > 0 else 0


def freeform_xml(path: str) -> str:
    """A freeform from path data in a box of 1000 by 1000."""
    size = PATH_BOX * _FINE
    inner = "".join(_commands(path))
    return (
        "<a:custGeom><a:avLst/><a:gdLst/><a:ahLst/><a:cxnLst/>"
        '<a:rect l="0" t="0" r="r" b="b"/><a:pathLst>'
        f'<a:path w="{size}" h="{size}">{inner}</a:path></a:pathLst></a:custGeom>'
    )


def _commands(path: str) -> Iterator[str]:
    at: Point = (0.0, 0.0)
    command, numbers = "", list[float]()
    for word in [*path.split(), "end"]:
        if not word[0].isalpha():
            numbers.append(float(word))
            continue
        if command:
            yield _command(command, numbers, at)
            at = (numbers[-2], numbers[-1]) if len(numbers) > 1 else at
        command, numbers = word, []


def _command(command: str, numbers: list[float], at: Point) -> str:
    if command == "A":
        return _arc(numbers, at)
    if command not in _TAGS:
        return "<a:close/>"
    points = "".join(
        f'<a:pt x="{round(x * _FINE)}" y="{round(y * _FINE)}"/>'
        for x, y in zip(numbers[::2], numbers[1::2], strict=True)
    )
    return f"<a:{_TAGS[command]}>{points}</a:{_TAGS[command]}>"


def _arc(numbers: list[float], at: Point) -> str:
    """From the end of an arc to its angles (SVG 1.1, F.6.5, for unrotated ellipses)."""
    across, down, _rotation, large, turn, x, y = numbers
    if across <= 0 or down <= 0:
        return _command("L", [x, y], at)
    half_x, half_y = (at[0] - x) / 2 / across, (at[1] - y) / 2 / down
    reach = half_x**2 + half_y**2
    far = sqrt(max(1 / reach - 1, 0.0)) if reach else 0.0
    far = -far if large == turn else far
    center_x, center_y = far * half_y, -far * half_x
    start = atan2(half_y - center_y, half_x - center_x)
    sweep = (atan2(-half_y - center_y, -half_x - center_x) - start) % (2 * pi)
    if not turn:
        sweep -= 2 * pi
    sweep = copysign(sweep, 1 if turn else -1)
    return (
        f'<a:arcTo wR="{round(across * _FINE)}" hR="{round(down * _FINE)}" '
        f'stAng="{round(degrees(start) % 360 * _ANGLE_UNIT)}" '
        f'swAng="{round(degrees(sweep) * _ANGLE_UNIT)}"/>'
    )
