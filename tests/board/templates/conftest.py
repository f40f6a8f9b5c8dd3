"""Templates for tests: that of python-pptx with an example in it, and odd ones made from it."""

from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from pptx import Presentation
from pptx.opc.constants import CONTENT_TYPE
from pptx.util import Pt

SECRET = "Zanzibar merger"
"""Words of the example, which no deck may have."""

Change = Callable[[Any], None]


def made(path: Path, change: Change | None = None, *, slides: int = 2) -> Path:
    """A template with slides of its own, notes and properties; ``change`` makes it odd."""
    deck = Presentation()
    for _ in range(slides):
        slide = deck.slides.add_slide(deck.slide_layouts[1])
        slide.shapes.title.text = SECRET
        slide.placeholders[1].text = f"{SECRET} in the text"
        slide.notes_slide.notes_text_frame.text = f"{SECRET} in the notes"
    deck.core_properties.title = SECRET
    deck.core_properties.keywords = SECRET
    if change is not None:
        change(deck)
    if path.suffix == ".potx":
        deck.part._content_type = CONTENT_TYPE.PML_TEMPLATE_MAIN
    deck.save(str(path))
    return path


def layout_named(deck: Any, name: str) -> Any:
    return next(one for one in deck.slide_layouts if one.name == name)


def three_bodies(deck: Any) -> None:
    """Two Content gets a third body; indexes and order in the file say nothing of the places."""
    layout = layout_named(deck, "Two Content")
    first, second = (one for one in layout.placeholders if one.placeholder_format.idx in (1, 2))
    third = deepcopy(second._element)
    second._element.addnext(third)
    bodies = [first._element, second._element, third]
    for element, idx, left, id in zip(
        bodies, (31, 7, 19), (480, 36, 258), (91, 92, 93), strict=True
    ):
        element.xpath(".//p:cNvPr")[0].set("id", str(id))
        mark = element.xpath(".//p:ph")[0]
        mark.set("idx", str(idx))
        place = next(one for one in layout.placeholders if one._element is element)
        place.left, place.top, place.width, place.height = Pt(left), Pt(126), Pt(205), Pt(340)
    layout._element.attrib.pop("type", None)
    layout.name = "Custom 4"


def with_picture_place(deck: Any) -> None:
    """The second body of Two Content takes a picture only."""
    layout = layout_named(deck, "Two Content")
    second = next(one for one in layout.placeholders if one.placeholder_format.idx == 2)
    second._element.xpath(".//p:ph")[0].set("type", "pic")


def narrow_picture_text(deck: Any) -> None:
    """Both places of Two Content are low, and the first takes a chart only."""
    layout = layout_named(deck, "Two Content")
    for one in layout.placeholders:
        if one.placeholder_format.idx in (1, 2):
            one.top, one.height = Pt(126), Pt(130)
        if one.placeholder_format.idx == 1:
            one.left, one.width = Pt(36), Pt(320)


def without(*names: str) -> Change:
    """A template without some layouts, and without slides that use them."""

    def change(deck: Any) -> None:
        for name in names:
            deck.slide_layouts.remove(layout_named(deck, name))

    return change


def without_titles(deck: Any) -> None:
    for layout in deck.slide_layouts:
        for one in list(layout.placeholders):
            if one.placeholder_format.type in (1, 3):
                one._element.getparent().remove(one._element)


def right_to_left(deck: Any) -> None:
    for level in deck.slide_master._element.xpath("./p:txStyles/p:bodyStyle/*"):
        level.set("rtl", "1")
        level.set("algn", "r")


def faulty(deck: Any) -> None:
    """Pale small text, a place off the slide, two that overlap, sample text."""
    layout = layout_named(deck, "Two Content")
    first, second = (one for one in layout.placeholders if one.placeholder_format.idx in (1, 2))
    first.left = Pt(-50)
    second.left, second.top, second.width, second.height = Pt(100), Pt(126), Pt(500), Pt(300)
    body = next(one for one in layout_named(deck, "Section Header").placeholders
                if one.placeholder_format.idx == 1)  # fmt: skip
    for level in body._element.xpath(".//a:lvl1pPr/a:defRPr"):
        level.set("sz", "900")
    box = layout_named(deck, "Title Only").shapes._spTree
    box.append(deepcopy(first._element))
    sample = box[-1]
    mark = sample.xpath(".//p:ph")[0]
    mark.getparent().remove(mark)
    sample.xpath(".//a:t")[0].text = "Lorem ipsum dolor sit amet"


@pytest.fixture(scope="session")
def company(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """An ordinary template with an example of two slides."""
    yield made(tmp_path_factory.mktemp("template") / "company.pptx")
