"""Paths of freeforms, from their own box to the slide frame."""

from collections.abc import Callable

from decklab.deck.elements.model.shapes import PATH_BOX, Image, Rect

__all__ = ["path_in_frame"]

_ARC_FLAGS = 3
"""An arc's rotation and two flags stand between its radii and its end."""


def path_in_frame(element: Rect | Image) -> str | None:
    """A freeform's outline as SVG path data in px of the slide frame; None for presets.

    Before the element's flips and rotation, like its box.

    >>> box = Rect(x=10, y=20, w=100, h=50, rx=0, fill=None, stroke=None, strokeWidth=0,
    ...            geometry="custom", path="M 0 0 L 1000 500 Z")
    >>> path_in_frame(box)
    'M 10 20 L 110 45 Z'
    """
    if element.path is None:
        return None
    across, down = element.w / PATH_BOX, element.h / PATH_BOX

    def place(x: float, y: float) -> str:
        return f"{_spell(element.x + x * across)} {_spell(element.y + y * down)}"

    def radii(x: float, y: float) -> str:
        return f"{_spell(x * across)} {_spell(y * down)}"

    return " ".join(_placed(piece, place, radii) for piece in _pieces(element.path))


Pairs = Callable[[float, float], str]


def _pieces(path: str) -> list[list[str]]:
    """The commands of a path, each with its numbers."""
    found: list[list[str]] = []
    for word in path.split():
        if word.isalpha() or not found:
            found.append([word])
        else:
            found[-1].append(word)
    return found


def _placed(piece: list[str], place: Pairs, radii: Pairs) -> str:
    command, numbers = piece[0], piece[1:]
    if command == "A":
        rest = 2 + _ARC_FLAGS
        end = place(float(numbers[rest]), float(numbers[rest + 1]))
        size = radii(float(numbers[0]), float(numbers[1]))
        return f"A {size} {' '.join(numbers[2:rest])} {end}"
    points = [float(number) for number in numbers]
    pairs = zip(points[::2], points[1::2], strict=True)
    return " ".join([command, *(place(x, y) for x, y in pairs)])


def _spell(value: float) -> str:
    return f"{round(value, 2) + 0.0:.2f}".rstrip("0").rstrip(".")
