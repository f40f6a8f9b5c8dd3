"""Slides in the sections of a presentation, whose XML is written by hand."""

from lxml import etree

from decklab.ooxml.slide_list import leave_sections, settle_in_section

_P = "http://schemas.openxmlformats.org/presentationml/2006/main"
_P14 = "http://schemas.microsoft.com/office/powerpoint/2010/main"
NAMES = {"p": _P, "p14": _P14}


def presentation(slides: list[int], *sections: str) -> etree._Element:
    listed = "".join(f'<p:sldId id="{id}"/>' for id in slides)
    return etree.fromstring(
        f'<p:presentation xmlns:p="{_P}" xmlns:p14="{_P14}"><p:sldIdLst>{listed}</p:sldIdLst>'
        f"<p:extLst><p:ext><p14:sectionLst>{''.join(sections)}</p14:sectionLst></p:ext></p:extLst>"
        "</p:presentation>"
    )


def section(name: str, *members: int) -> str:
    listed = "".join(f'<p14:sldId id="{id}"/>' for id in members)
    return f'<p14:section name="{name}"><p14:sldIdLst>{listed}</p14:sldIdLst></p14:section>'


def members(root: etree._Element) -> dict[str, list[str]]:
    found = root.iterfind(".//p14:section", NAMES)
    return {
        one.get("name", ""): [
            str(item.get("id")) for item in one.iterfind("p14:sldIdLst/p14:sldId", NAMES)
        ]
        for one in found
    }


def test_a_slide_enters_a_section_that_had_no_list_of_slides() -> None:
    bare = '<p14:section name="Start"><p14:extLst/></p14:section>'
    root = presentation([256], bare)
    settle_in_section(root, 256)
    assert members(root) == {"Start": ["256"]}
    [only] = root.iterfind(".//p14:section", NAMES)
    # CT_Section is a sequence: the list of slides before the extensions (MS-PPTX 2.2.20)
    assert [child.tag for child in only] == [f"{{{_P14}}}sldIdLst", f"{{{_P14}}}extLst"]


def test_a_new_slide_joins_the_section_of_the_slide_before_it_in_the_decks_order() -> None:
    root = presentation([256, 300, 257, 258], section("A", 256, 257), section("B", 258))
    settle_in_section(root, 300)
    assert members(root) == {"A": ["256", "300", "257"], "B": ["258"]}
    first = presentation([300, 256], section("A", 256))
    settle_in_section(first, 300)
    assert members(first) == {"A": ["300", "256"]}


def test_a_slide_between_two_sections_stays_in_its_own() -> None:
    root = presentation([256, 300, 258], section("A", 256), section("B", 258, 300))
    settle_in_section(root, 300)
    assert members(root) == {"A": ["256"], "B": ["300", "258"]}


def test_a_section_whose_last_slide_leaves_stays_empty() -> None:
    root = presentation([256, 257], section("A", 256), section("B", 257))
    leave_sections(root, 257)
    assert members(root) == {"A": ["256"], "B": []}
