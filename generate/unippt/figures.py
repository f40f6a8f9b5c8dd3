"""The figures of the source documents, drawn as pictures: charts, a map and a control loop."""

from collections.abc import Callable, Mapping, Sequence
from io import BytesIO
from typing import Final

from PIL import Image, ImageDraw, ImageFont

from generate.unippt.texts import FigureText

_SIZE: Final = (1000, 560)
_LEFT, _TOP, _RIGHT, _BOTTOM = 90, 50, 960, 480
_INK, _PALE, _ACCENT, _SECOND = "#22303C", "#D9E0E6", "#2F6DA8", "#C8622B"
_Pen = ImageDraw.ImageDraw


def draw_figure(figure: FigureText) -> bytes:
    """A figure as a PNG file; equal figures give equal bytes."""
    image = Image.new("RGB", _SIZE, "white")
    _KINDS[figure.kind](ImageDraw.Draw(image), figure)
    file = BytesIO()
    image.quantize(64).save(file, "PNG", optimize=True)
    return file.getvalue()


def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)


def _write(pen: _Pen, place: tuple[float, float], text: str, size: int = 24, **how: str) -> None:
    pen.text(place, text, fill=how.get("fill", _INK), font=_font(size), anchor=how.get("at", "mm"))


def _scale(values: Sequence[float]) -> Callable[[float], float]:
    """From a value to its height on the picture; 0 is always shown."""
    low, high = 1.12 * min(0.0, *values), max(0.0, *values)
    room = (high - low) * 1.12
    return lambda value: _BOTTOM - (value - low) / room * (_BOTTOM - _TOP)


def _frame(pen: _Pen, figure: FigureText, heights: Callable[[float], float]) -> None:
    _write(pen, (_LEFT, 22), figure.unit, 22, at="lm")
    pen.line((_LEFT, heights(0), _RIGHT, heights(0)), fill=_INK, width=2)


def _bar(pen: _Pen, figure: FigureText) -> None:
    values = [float(value) for _, value in figure.values]
    heights, wide = _scale(values), (_RIGHT - _LEFT) / len(values)
    _frame(pen, figure, heights)
    for number, ((name, shown), value) in enumerate(zip(figure.values, values, strict=True)):
        middle = _LEFT + wide * (number + 0.5)
        top, foot = sorted((heights(value), heights(0)))
        pen.rectangle((middle - wide * 0.3, top, middle + wide * 0.3, foot), fill=_ACCENT)
        _write(pen, (middle, top - 18 if value >= 0 else foot + 18), shown)
        _write(pen, (middle, _BOTTOM + 45), name, 22)


def _line(pen: _Pen, figure: FigureText) -> None:
    names = [name for name, _ in figure.values]
    _lines_of(pen, figure, names, {"": [float(value) for _, value in figure.values]})


def _lines(pen: _Pen, figure: FigureText) -> None:
    (_, heads), *rows = figure.values
    series = {name: [float(one) for one in given.split(",")] for name, given in rows}
    _lines_of(pen, figure, heads.split(","), series)


def _lines_of(
    pen: _Pen, figure: FigureText, names: Sequence[str], series: Mapping[str, Sequence[float]]
) -> None:
    heights = _scale([value for values in series.values() for value in values])
    _frame(pen, figure, heights)
    wide = (_RIGHT - _LEFT - 100) / (len(names) - 1)
    places = [_LEFT + 30 + wide * number for number in range(len(names))]
    for x, name in zip(places, names, strict=True):
        _write(pen, (x, _BOTTOM + 45), name, 22)
    for (label, values), color in zip(series.items(), (_ACCENT, _SECOND), strict=False):
        points = [(x, heights(value)) for x, value in zip(places, values, strict=True)]
        pen.line(points, fill=color, width=5, joint="curve")
        above = -24 if color == _ACCENT else 24
        for (x, y), value in zip(points, values, strict=True):
            pen.ellipse((x - 7, y - 7, x + 7, y + 7), fill=color)
            _write(pen, (x, y - above if label == "Room 7" else y - 24), f"{value:g}", 22)
        _write(pen, (points[-1][0] + 16, points[-1][1]), label, 22, at="lm", fill=color)


def _map(pen: _Pen, figure: FigureText) -> None:
    coast = [(330, 0), (300, 110), (350, 220), (320, 330), (380, 440), (350, 560)]
    pen.polygon([(0, 0), *coast, (0, 560)], fill="#C9DDEE")
    pen.polygon([*coast, (470, 560), (500, 440), (440, 330), (470, 220), (420, 110), (450, 0)],
                fill="#F0E2BE")  # fmt: skip
    _write(pen, (150, 280), "Sea", 34, fill="#4B7CA8")
    for number, (letter, name) in enumerate(figure.values):
        y = 56 + number * 112
        pen.line((300, y + 56, 960, y + 56), fill=_PALE, width=2)
        _write(pen, (395, y), letter, 40)
        _write(pen, (560, y), name, 28, at="lm")
        if letter in "BC":
            for x in range(330, 380, 14):
                pen.line((x, y - 40, x + 6, y + 40), fill=_SECOND, width=4)
    pen.line((100, 470, 200, 470), fill=_SECOND, width=4)
    _write(pen, (150, 500), "Fences of 2023", 22, fill=_SECOND)


def _diagram(pen: _Pen, figure: FigureText) -> None:
    wide = (_SIZE[0] - 80) / len(figure.values)
    for number, (name, told) in enumerate(figure.values):
        x = 40 + wide * (number + 0.5)
        pen.rounded_rectangle((x - wide * 0.38, 180, x + wide * 0.38, 340), 16, fill=_PALE)
        _write(pen, (x, 235), name, 30)
        for at, part in enumerate(_halves(told)):
            _write(pen, (x, 280 + 26 * at), part, 20)
        if number:
            start = x - wide * 0.62
            pen.line((start, 260, x - wide * 0.4, 260), fill=_ACCENT, width=6)
            pen.polygon([(x - wide * 0.38, 260), (x - wide * 0.44, 248), (x - wide * 0.44, 272)],
                        fill=_ACCENT)  # fmt: skip
    first, last = 40 + wide * 0.5, _SIZE[0] - 40 - wide * 0.5
    pen.line([(last, 340), (last, 440), (first, 440), (first, 346)], fill=_ACCENT, width=6)
    pen.polygon([(first, 342), (first - 12, 358), (first + 12, 358)], fill=_ACCENT)
    _write(pen, (_SIZE[0] / 2, 470), "the room answers", 22)


def _halves(text: str) -> tuple[str, ...]:
    words = text.split()
    middle = (len(words) + 1) // 2
    return tuple(filter(None, (" ".join(words[:middle]), " ".join(words[middle:]))))


_KINDS: Final[Mapping[str, Callable[[_Pen, FigureText], None]]] = {
    "bar": _bar, "line": _line, "lines": _lines, "map": _map, "diagram": _diagram,
}  # fmt: skip
