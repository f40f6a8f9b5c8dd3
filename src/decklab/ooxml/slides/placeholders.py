"""Placeholders of an imported slide, fitted to a layout they were not made for."""

from copy import deepcopy

from lxml import etree

from decklab.ooxml.slides.designs import master_of
from decklab.ooxml.slides.draft import Draft
from decklab.ooxml.slides.layouts import placeholders
from decklab.ooxml.slides.listing import Parts
from decklab.ooxml.xml import Element, qn

_TITLES = ("title", "ctrTitle")
_CONTENT = ("obj", "body", "tbl", "chart", "dgm", "media", "pic", "clipArt", "subTitle")


def fit_placeholders(
    draft: Draft, slide: str, layout: str, source: Parts, source_layout: str
) -> None:
    """Tie each placeholder of ``slide`` to one of ``layout``, or give it the place it had.

    One of the same number and kind is kept, else the first free one of its kind is taken, else of
    a kind that holds the same. Where the layout has none left, the shape keeps its position from
    the layout it was made for, so that it does not vanish; where that happens to content, all
    content keeps its position, so that nothing comes to lie on top of it.
    """
    marks = placeholders(draft.edit(slide))
    free = placeholders(draft.xml(layout))
    tied = _tie(marks, free)
    alone = {_family(mark.get("type", "obj")) for mark in marks if mark not in tied}
    homes = [source.xml(source_layout), source.xml(master_of(source, source_layout))]
    for mark in marks:
        if mark not in tied or (
            _family(mark.get("type", "obj")) == "content" and "content" in alone
        ):
            _keep_place(mark, homes)
    for mark, match in tied.items():
        _retie(mark, match)


def _tie(marks: list[Element], free: list[Element]) -> dict[Element, Element]:
    """Placeholders of a slide to those of a layout; ``free`` is left with those not taken."""
    tied: dict[Element, Element] = {}
    for find in (_same, _best):
        for mark in marks:
            match = None if mark in tied else find(mark, free)
            if match is not None:
                free.remove(match)
                tied[mark] = match
    return tied


def _same(mark: Element, free: list[Element]) -> Element | None:
    return next((item for item in free if _slot(item) == _slot(mark)), None)


def _slot(mark: Element) -> tuple[str, str]:
    return mark.get("type", "obj"), mark.get("idx", "0")


def _best(mark: Element, free: list[Element]) -> Element | None:
    kind = mark.get("type", "obj")
    for alike in (lambda other: other == kind, lambda other: _family(other) == _family(kind)):
        for item in free:
            if alike(item.get("type", "obj")):
                return item
    return None


def _family(kind: str) -> str:
    if kind in _TITLES:
        return "title"
    return "content" if kind in _CONTENT else kind


def _retie(mark: Element, match: Element) -> None:
    for name in ("type", "idx"):
        value = match.get(name)
        if value is not None:
            mark.set(name, value)
        elif name in mark.attrib:
            del mark.attrib[name]


def _keep_place(mark: Element, homes: list[Element]) -> None:
    shape = _shape(mark)
    own = shape.find(qn("p:spPr"))
    if own is None or own.find(qn("a:xfrm")) is not None:
        return
    for home in homes:
        for item in placeholders(home):
            if not _inherits(mark, item, master=home is homes[-1]):
                continue
            place = _shape(item).find(f"{qn('p:spPr')}/{qn('a:xfrm')}")
            if place is not None:
                own.insert(0, deepcopy(place))
                return


def _inherits(mark: Element, item: Element, *, master: bool) -> bool:
    """Layouts are asked by number, masters by kind."""
    if master:
        return _family(item.get("type", "obj")) == _family(mark.get("type", "obj"))
    return item.get("idx", "0") == mark.get("idx", "0")


def _shape(mark: Element) -> Element:
    """The shape of a ``p:ph``: over ``p:nvPr`` and the shape's non-visual properties."""
    found = mark
    for _ in range(3):
        parent = found.getparent()
        found = etree.Element("none") if parent is None else parent
    return found
