"""How the texts of a chart are set, as its XML says."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from decklab.ooxml.units import flag, parse_int
from decklab.ooxml.xml import Element, qn

ChartPart = Literal["title", "categories", "values", "series", "labels"]
"""Categories and values are written on the axes, the names of series in the legend."""

_DEFAULT_SIZE: Final = 10.0
"""Points of the text of a chart that states none (PowerPoint's)."""
_TITLE: Final = 1.2
"""How much larger its title is (PowerPoint's)."""
_CATEGORY_AXES: Final = ("c:catAx", "c:dateAx", "c:serAx")
_LABEL_FLAGS: Final = ("c:showVal", "c:showCatName", "c:showSerName", "c:showPercent")


@dataclass(frozen=True)
class TextLook:
    """How a text of a chart is set."""

    size: float
    """Points."""
    alpha: float = 1.0
    color: str | None = None
    """``#RRGGBB``; None where the theme gives it."""


_BASE: Final = TextLook(_DEFAULT_SIZE)


def chart_texts(chart: Element) -> Mapping[ChartPart, TextLook]:
    """The texts that a chart shows; of several of a kind, such as two axes, the largest."""
    base = _look(chart.find(qn("c:txPr")), _BASE)
    found: dict[ChartPart, TextLook] = {}
    for part, look in _texts(chart, base):
        if part not in found or look.size > found[part].size:
            found[part] = look
    return found


def chart_ground(chart: Element) -> str | None:
    """The colour that a chart fills its whole area with, ``#RRGGBB``; None where it does not, or
    the theme gives it."""
    area = chart.find(qn("c:spPr"))
    return None if area is None else _color(area)


def _texts(chart: Element, base: TextLook) -> Iterator[tuple[ChartPart, TextLook]]:
    inner = chart.find(qn("c:chart"))
    if inner is None:
        return
    title = inner.find(qn("c:title"))
    if title is not None:
        yield "title", _title(title, base)
    plot = inner.find(qn("c:plotArea"))
    is_scattered = any(
        next(inner.iter(qn(tag)), None) is not None for tag in ("c:scatterChart", "c:bubbleChart")
    )
    for axis in () if plot is None else plot:
        if axis.tag in map(qn, (*_CATEGORY_AXES, "c:valAx")) and not _is_off(axis):
            look = _look(axis.find(qn("c:txPr")), base)
            yield "categories" if axis.tag != qn("c:valAx") else "values", look
            if is_scattered:
                yield "categories", look
    round_plots = ("c:pieChart", "c:doughnutChart", "c:ofPieChart", "c:pie3DChart")
    is_round = any(next(inner.iter(qn(tag)), None) is not None for tag in round_plots)
    legend = inner.find(qn("c:legend"))
    if legend is not None:
        # The slices of a pie are its categories.
        yield "categories" if is_round else "series", _look(legend.find(qn("c:txPr")), base)
    if _names_itself(inner):
        yield "series", TextLook(base.size * _TITLE, base.alpha, base.color)
    table = inner.find(f"{qn('c:plotArea')}/{qn('c:dTable')}")
    if table is not None:
        parts: tuple[ChartPart, ...] = ("categories", "series", "values")
        yield from ((part, _look(table.find(qn("c:txPr")), base)) for part in parts)
    for labels in inner.iter(qn("c:dLbls")):
        shown = {tag for tag in _LABEL_FLAGS if _is_on(labels.find(qn(tag)))}
        look = _look(labels.find(qn("c:txPr")), base)
        if shown:
            yield "labels", look
        if "c:showCatName" in shown:
            yield "categories", look
        if "c:showSerName" in shown:
            yield "series", look


def _title(title: Element, base: TextLook) -> TextLook:
    larger = TextLook(base.size * _TITLE, base.alpha, base.color)
    whole = _look(title.find(qn("c:txPr")), larger)
    runs = list(title.iter(qn("a:r")))
    defaults = next(title.iter(qn("a:defRPr")), None)
    whole = whole if defaults is None else _styled(defaults, whole)
    looks = [_styled(run.find(qn("a:rPr")), whole) for run in runs] or [whole]
    return max(looks, key=lambda look: look.size)


def _look(properties: Element | None, inherited: TextLook) -> TextLook:
    default = None if properties is None else next(properties.iter(qn("a:defRPr")), None)
    return _styled(default, inherited)


def _styled(style: Element | None, inherited: TextLook) -> TextLook:
    if style is None:
        return inherited
    size = parse_int(style.get("sz"))
    fill = style.find(qn("a:solidFill"))
    alpha = None if fill is None else next(fill.iter(qn("a:alpha")), None)
    opacity = inherited.alpha if fill is None else 1.0
    if alpha is not None:
        opacity = (parse_int(alpha.get("val")) or 0) / 100_000
    if style.find(qn("a:noFill")) is not None:
        opacity = 0.0
    color = inherited.color if fill is None else _color(style)
    return TextLook(inherited.size if size is None else size / 100, opacity, color)


def _color(holder: Element) -> str | None:
    """The colour of a solid fill that states it as it is."""
    color = holder.find(f"{qn('a:solidFill')}/{qn('a:srgbClr')}")
    if color is None or any(child.tag != qn("a:alpha") for child in color):
        return None
    value = color.get("val") or ""
    is_hex = len(value) == 6 and all(c in "0123456789abcdefABCDEF" for c in value)
    return f"#{value.upper()}" if is_hex else None


def _names_itself(inner: Element) -> bool:
    """Whether PowerPoint titles a chart by the name of its only series."""
    title = inner.find(qn("c:title"))
    automatic = title is None or title.find(qn("c:tx")) is None
    only = len(list(inner.iter(qn("c:ser")))) == 1
    return automatic and only and not _is_on(inner.find(qn("c:autoTitleDeleted")))


def _is_on(switch: Element | None) -> bool:
    return switch is not None and flag(switch.get("val") or "1") is True


def _is_off(axis: Element) -> bool:
    if _is_on(axis.find(qn("c:delete"))):
        return True
    place = axis.find(qn("c:tickLblPos"))
    return place is not None and place.get("val") == "none"
