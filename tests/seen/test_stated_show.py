"""Which slides a show reaches, by the settings that PowerPoint writes."""

from pathlib import Path
from typing import Any

import pytest
from lxml import etree
from pptx import Presentation
from pptx.opc.package import Part
from pptx.oxml import parse_xml

from decklab.ooxml.package import Package
from decklab.seen.stated import slides_left_out

P = "http://schemas.openxmlformats.org/presentationml/2006/main"
R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def write(folder: Path, settings: str = "", **changed: Any) -> Path:
    deck = Presentation()
    slides = [deck.slides.add_slide(deck.slide_layouts[6]) for _ in range(3)]
    for change in changed.values():
        change(deck, slides)
    for relation in deck.part.rels.values():
        if relation.reltype.endswith("/presProps"):
            part: Part = relation.target_part
            root = etree.fromstring(part.blob)
            if settings:
                root.insert(0, etree.fromstring(f'<p:showPr xmlns:p="{P}" {settings}</p:showPr>'))
            part._blob = etree.tostring(root)
    deck.save(str(folder / "show.pptx"))
    return folder / "show.pptx"


def left_out(path: Path) -> dict[int, str]:
    with Package.open(path) as package:
        return slides_left_out(package)


def custom(deck: Any, slides: Any) -> None:
    links = {rel.target_part.partname: id for id, rel in deck.part.rels.items()}
    chosen = "".join(f'<p:sld r:id="{links[slides[n].part.partname]}"/>' for n in (0, 2))
    deck.part._element.find(f"{{{P}}}notesSz").addnext(
        parse_xml(
            f'<p:custShowLst xmlns:p="{P}" xmlns:r="{R}"><p:custShow name="short" id="4">'
            f"<p:sldLst>{chosen}</p:sldLst></p:custShow></p:custShowLst>"
        )
    )


def fleeting(deck: Any, slides: Any) -> None:
    slides[1]._element.append(parse_xml(f'<p:transition xmlns:p="{P}" advTm="300"/>'))


def test_a_plain_deck_shows_all_slides(tmp_path: Path) -> None:
    assert left_out(write(tmp_path)) == {}


def test_a_hidden_slide_is_left_out(tmp_path: Path) -> None:
    path = write(tmp_path, hide=lambda _, slides: slides[2]._element.set("show", "0"))
    assert left_out(path) == {3: "the slide is hidden"}


def test_slides_outside_the_range_are_left_out(tmp_path: Path) -> None:
    why = "the show leaves the slide out"
    assert left_out(write(tmp_path, '><p:sldRg st="2" end="2"/>')) == {1: why, 3: why}
    assert left_out(write(tmp_path, "><p:sldAll/>")) == {}


@pytest.mark.parametrize(("id", "left"), [(4, [2]), (9, [])])
def test_a_custom_show_chooses_slides_if_it_is_there(
    tmp_path: Path, id: int, left: list[int]
) -> None:
    assert list(left_out(write(tmp_path, f'><p:custShow id="{id}"/>', custom=custom))) == left


def test_a_slide_that_goes_at_once_is_left_out_unless_timings_are_off(tmp_path: Path) -> None:
    assert left_out(write(tmp_path, fleet=fleeting)) == {2: "the slide goes by itself after 0.3 s"}
    assert left_out(write(tmp_path, 'useTimings="0"><p:sldAll/>', fleet=fleeting)) == {}
