"""The scale of a chart's axes, its gridlines, and how its values are written."""

from typing import Any

from pptx.oxml import parse_xml
from pptx.presentation import Presentation

from decklab.editing.charts import chart_of
from decklab.editing.finding import EditError
from decklab.editing.phrasing import chart_phrase
from decklab.ooxml.xml import NAMESPACES, qn

_NS = f'xmlns:c="{NAMESPACES["c"]}"'
_BEFORE_LINES = tuple(qn(f"c:{name}") for name in ("axId", "scaling", "delete", "axPos"))
_AHEAD = tuple(qn(f"c:{name}") for name in ("idx", "delete", "dLbl"))
_MOST_DECIMALS = 9


@chart_phrase(
    "set ({bound=minimum|maximum} [value] of {axis:axis}|{axis:axis} ['s] {bound=minimum|maximum}) "
    "[of {shape:chart}] to {value}",
    example="set the maximum of the value axis of the chart on slide 6 to 20")  # fmt: skip
def set_axis_bound(
    prs: Presentation,
    slide: int,
    axis: str,
    bound: str,
    value: float,
    *,
    shape: str | int | None = None,
) -> bool:
    """Let an axis of values end at a number; return whether it ended elsewhere.

    ``axis`` is as in ``set_axis_title``, ``bound`` "minimum" or "maximum".
    Raises EditError for an axis of categories, or a least value above the largest.

    Example: set_axis_bound(prs, 4, "value", "maximum", 100)
    """
    held = value_axis_of(prs, slide, axis, shape)
    is_low = bound == "minimum"
    other = held.maximum_scale if is_low else held.minimum_scale
    if other is not None and (value >= other if is_low else value <= other):
        raise EditError(f"the axis would end at {other:g} and begin there or above")
    before = held.minimum_scale if is_low else held.maximum_scale
    if is_low:
        held.minimum_scale = value
    else:
        held.maximum_scale = value
    return bool(before != value)


def value_axis_of(prs: Presentation, slide: int, axis: str, shape: str | int | None = None) -> Any:
    """The axis of values of a chart, named as in ``set_axis_title``, as python-pptx sees it.

    Raises EditError for a chart without one, or an axis of categories.
    """
    chart = chart_of(prs, slide, shape)
    if axis in ("horizontal", "vertical"):
        lies = any(item.get("val") == "bar" for item in chart._chartSpace.iter(qn("c:barDir")))
        axis = "value" if lies == (axis == "horizontal") else "category"
    if axis != "value":
        raise EditError(f"that axis of the chart on slide {slide} shows categories, no numbers")
    try:
        return chart.value_axis
    except ValueError:
        raise EditError(f"the chart on slide {slide} has no value axis") from None


@chart_phrase("(show|add) gridlines [(to|of) {shape:chart}]",
              example="show the gridlines of the chart on slide 6")  # fmt: skip
@chart_phrase("(delete|hide|no) gridlines [of {shape:chart}]",
              example="remove the gridlines of the chart on slide 6", on=False)  # fmt: skip
def show_gridlines(
    prs: Presentation, slide: int, on: bool = True, *, shape: str | int | None = None
) -> bool:
    """Draw the lines of a chart at the steps of its values, or, with ``on=False``, none.

    Return whether that is new.

    Example: show_gridlines(prs, 4, False)
    """
    chart = chart_of(prs, slide, shape)
    axes = list(chart._chartSpace.iter(qn("c:valAx"), qn("c:catAx"), qn("c:dateAx")))
    lines = [line for axis in axes for name in ("c:majorGridlines", "c:minorGridlines")
             for line in axis.findall(qn(name))]  # fmt: skip
    if not on:
        for line in lines:
            line.getparent().remove(line)
        return bool(lines)
    if lines:
        return False
    axis = value_axis_of(prs, slide, "value", shape)._element
    place = sum(item.tag in _BEFORE_LINES for item in axis)
    axis.insert(place, parse_xml(f"<c:majorGridlines {_NS}/>"))
    return True


@chart_phrase("show (values|data labels|numbers) [of {shape:chart}] with {decimals:number} "
              "(decimals|decimal) [(places|place)] [of {shape:chart}]",
              "set number format of {shape:chart} to {code:quoted}",
              example="show the values of the chart on slide 6 with one decimal")  # fmt: skip
def set_number_format(
    prs: Presentation,
    slide: int,
    *,
    decimals: int | None = None,
    code: str | None = None,
    shape: str | int | None = None,
) -> bool:
    """Write the data labels and the value axis of a chart in another format.

    ``code`` is as Excel writes it, such as ``0.0`` or ``#,##0``; with ``decimals`` the numbers
    have so many, and stay shares in percent where they are. Return whether that is new.

    Example: set_number_format(prs, 4, decimals=1)
    """
    root = chart_of(prs, slide, shape)._chartSpace
    formats = [item.text or "" for item in root.iterfind(f".//{qn('c:val')}//{qn('c:formatCode')}")]
    if code is None:
        if decimals is None or not 0 <= decimals <= _MOST_DECIMALS:
            raise EditError(f"say how many decimals, from 0 to {_MOST_DECIMALS}, or a format")
        code = "0" + ("." + "0" * decimals if decimals else "")
        code += "%" if any("%" in one for one in formats) else ""
    changed = False
    for holder in root.iter(qn("c:dLbls"), qn("c:valAx")):
        changed |= _write_format(holder, code)
    if not changed and not list(root.iter(qn("c:numFmt"))):
        raise EditError(f"the chart on slide {slide} shows no values; show its data labels first")
    return changed


def _write_format(holder: Any, code: str) -> bool:
    old = holder.find(qn("c:numFmt"))
    before = None if old is None else (old.get("formatCode"), old.get("sourceLinked"))
    if old is None:
        old = parse_xml(f'<c:numFmt {_NS} formatCode="General" sourceLinked="0"/>')
        names = ("axId", "scaling", "delete", "axPos", "majorGridlines", "minorGridlines", "title")
        ahead = _AHEAD if holder.tag == qn("c:dLbls") else tuple(qn(f"c:{one}") for one in names)
        holder.insert(sum(item.tag in ahead for item in holder), old)
    old.set("formatCode", code)
    old.set("sourceLinked", "0")
    return before != (code, "0")
