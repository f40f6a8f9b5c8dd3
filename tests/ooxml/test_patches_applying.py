import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from lxml import etree
from pptx import Presentation

from decklab.deck.deck import write_samples
from decklab.ooxml.package import Package
from decklab.ooxml.patch_parts import Patch, PatchesRefused
from decklab.ooxml.patches import apply_patches

SLIDE = "ppt/slides/slide2.xml"
TITLE = "//p:sp[p:nvSpPr/p:cNvPr[@id='2']]"
BODY = "//p:sp[p:nvSpPr/p:cNvPr[@id='3']]"


@pytest.fixture(scope="module")
def deck(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_samples(tmp_path_factory.mktemp("samples"))[0]


@pytest.fixture
def package(deck: Path) -> Iterator[Package]:
    before = deck.read_bytes()
    with Package.open(deck) as opened:
        yield opened
    assert deck.read_bytes() == before


def refusal(package: Package, *patches: Patch) -> str:
    with pytest.raises(PatchesRefused) as caught:
        apply_patches(package, patches)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def texts(data: bytes) -> list[str]:
    return [str(text) for text in re.findall(r"<a:t>([^<]*)</a:t>", data.decode())]


def test_text_goes_into_what_the_path_finds(package: Package, tmp_path: Path) -> None:
    draft = apply_patches(
        package, [Patch(SLIDE, "text", f"{TITLE}//a:t", value="Less & more <so>")]
    )
    draft.save(tmp_path / "out.pptx")
    slides = Presentation(str(tmp_path / "out.pptx")).slides
    title = slides[1].shapes.title
    assert title is not None
    assert title.text_frame.text == "Less & more <so>"
    with Package.open(tmp_path / "out.pptx") as patched:
        changed = [n for n in package.names if patched.read(n) != package.read(n)]
    assert changed == [SLIDE]


def test_an_attribute_is_set_and_taken_out(package: Package) -> None:
    path = f"{TITLE}//a:bodyPr"
    draft = apply_patches(package, [Patch(SLIDE, "set", path, attribute="anchor", value="b")])
    assert b'<a:bodyPr anchor="b"/>' in draft.read(SLIDE)
    both = [
        Patch(SLIDE, "set", path, attribute="anchor", value="b"),
        Patch(SLIDE, "remove", f"{path}/@anchor"),
    ]
    assert b"anchor" not in apply_patches(package, both).read(SLIDE)


def test_an_attribute_of_a_namespace_is_set_by_its_prefix(package: Package) -> None:
    links = [*package.relationships(SLIDE)]
    patch = Patch(
        SLIDE, "add", f"{TITLE}/p:nvSpPr/p:cNvPr", xml=f'<a:hlinkClick r:id="{links[0]}"/>'
    )
    again = Patch(SLIDE, "set", "//a:hlinkClick", attribute="r:id", value=links[-1])
    root = apply_patches(package, [patch, again]).xml(SLIDE)
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    (link,) = root.iter("{*}hlinkClick")
    assert link.get(f"{{{office}}}id") == links[-1]


@pytest.mark.parametrize(
    ("position", "order"), [("first", 0), ("last", 6), ("before", 1), ("after", 2)]
)
def test_elements_are_added_where_they_are_wanted(
    package: Package, position: str, order: int
) -> None:
    near = {"first": f"{BODY}/p:txBody/a:p[1]", "last": f"{BODY}/p:txBody"}
    path = near.get(position, f"{BODY}/p:txBody/a:p[2]")
    xml = "<a:p><a:r><a:t>NEW</a:t></a:r></a:p>"
    if position == "first":
        xml, path = "<a:r><a:t>NEW</a:t></a:r>", f"{BODY}/p:txBody/a:p[1]"
        patches = [
            Patch(SLIDE, "remove", f"{path}/a:pPr"),
            Patch(SLIDE, "add", path, xml=xml, position="first"),
        ]
    else:
        patches = [Patch(SLIDE, "add", path, xml=xml, position=position)]  # type: ignore[arg-type]
    before = texts(package.read(SLIDE))
    found = texts(apply_patches(package, patches).read(SLIDE))
    at = before.index("35 km of trail cleared on 19 work days") + order
    assert found == [*before[:at], "NEW", *before[at:]]


def test_an_element_is_replaced_by_several(package: Package) -> None:
    xml = "".join(f"<a:p><a:r><a:t>{word}</a:t></a:r></a:p>" for word in "ab")
    draft = apply_patches(package, [Patch(SLIDE, "replace", f"{BODY}/p:txBody/a:p[1]", xml=xml)])
    found = texts(draft.read(SLIDE))
    assert found[1:4] == ["a", "b", "62 volunteers came at least once, 14 of them new"]


def test_a_patch_is_made_at_every_node_that_is_found(package: Package) -> None:
    draft = apply_patches(package, [Patch(SLIDE, "text", f"{BODY}//a:t", value="x")])
    assert texts(draft.read(SLIDE)).count("x") == 6


def test_patches_see_what_those_before_them_made(package: Package) -> None:
    added = '<a:rPr lang="en-GB"/>'
    draft = apply_patches(
        package,
        [
            Patch(SLIDE, "add", f"{TITLE}//a:r", xml=added, position="first"),
            Patch(SLIDE, "set", f"{TITLE}//a:rPr", attribute="sz", value="4400"),
        ],
    )
    assert b'<a:rPr lang="en-GB" sz="4400"/>' in draft.read(SLIDE)


def test_relationships_may_be_patched_without_a_prefix(package: Package) -> None:
    part = "ppt/slides/_rels/slide2.xml.rels"
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink"
    xml = (
        f'<Relationship Id="rId99" Type="{kind}" Target="https://example.org/" '
        'TargetMode="External"/>'
    )
    draft = apply_patches(package, [Patch(part, "add", "/rel:Relationships", xml=xml)])
    assert draft.relationships(SLIDE)["rId99"].target == "https://example.org/"


@pytest.mark.parametrize(
    ("patch", "told"),
    [
        (Patch(SLIDE, "remove", "//p:pic"), "finds nothing"),
        (Patch(SLIDE, "remove", "//sp"), "finds nothing"),
        (Patch(SLIDE, "remove", f"{TITLE}/p:txBody/a:q"), "holds a:bodyPr, a:lstStyle, a:p"),
        (Patch(SLIDE, "remove", "/p:sld"), "root of the part"),
        (Patch(SLIDE, "remove", "//a:bodyPr/@wrap"), "has an attribute wrap"),
        (Patch(SLIDE, "remove", "//p:sp["), "no XPath"),
        (Patch(SLIDE, "remove", "count(//p:sp)"), "something other than elements"),
        (Patch(SLIDE, "remove", "//a:t/text()"), "something other than elements"),
        (Patch(SLIDE, "text", TITLE, value="x"), "elements with children"),
        (Patch(SLIDE, "text", f"{TITLE}//a:t", value="a\x01b"), "no text of XML"),
        (Patch(SLIDE, "set", TITLE, attribute="q:id", value="x"), "not known"),
        (Patch(SLIDE, "set", TITLE, attribute="xmlns", value="x"), "no name"),
        (Patch(SLIDE, "set", TITLE, attribute="a b", value="x"), "no name"),
        (Patch(SLIDE, "set", f"{TITLE}//a:bodyPr", attribute="anchor", value="\x00"), "no text"),
        (Patch(SLIDE, "add", TITLE, xml="<p:sp>"), "not well-formed"),
        (Patch(SLIDE, "add", TITLE, xml="<sp/>"), "without a prefix"),
        (Patch(SLIDE, "add", TITLE, xml="<q:sp/>"), "not well-formed"),
        (Patch(SLIDE, "add", TITLE, xml="words"), "text outside of elements"),
        (Patch(SLIDE, "add", TITLE, xml=""), "holds no element"),
        (Patch(SLIDE, "add", TITLE, xml="</patch><patch>"), "not well-formed"),
        (Patch(SLIDE, "add", TITLE, xml="\ud800"), "no text"),
        (Patch("ppt/slides/slide77.xml", "remove", "//a:t"), "near are ppt/slides/slide1.xml"),
        (Patch("[Content_Types].xml", "remove", "//*"), "content types"),
        (Patch("ppt/media/image1.png", "remove", "//*"), "no"),
        (Patch("../../etc/passwd", "remove", "//*"), "no such part"),
    ],
)
def test_a_patch_that_cannot_be_made_says_why(package: Package, patch: Patch, told: str) -> None:
    assert told in refusal(package, patch)


@pytest.mark.parametrize(
    ("patch", "told"),
    [
        (Patch(SLIDE, "set", TITLE, attribute="sz", value="1"), "attribute 'sz'"),
        (Patch(SLIDE, "set", "//a:bodyPr", attribute="anchor", value="up"), "anchor"),
        (Patch(SLIDE, "add", "//p:spTree", xml="<p:sp/>"), "slide2.xml is not valid"),
        (Patch(SLIDE, "add", f"{TITLE}//a:r", xml="<a:rPr/>"), "slide2.xml is not valid"),
        (Patch(SLIDE, "remove", f"{TITLE}/p:spPr"), "slide2.xml is not valid"),
        (Patch("ppt/presentation.xml", "remove", "//p:sldMasterIdLst"), "not valid"),
        (Patch("ppt/_rels/presentation.xml.rels", "remove", "//rel:Relationship"), "not valid"),
    ],
)
def test_patches_that_would_break_the_deck_are_refused(
    package: Package, patch: Patch, told: str
) -> None:
    assert told in refusal(package, patch)


def test_of_patches_all_are_made_or_none_and_every_fault_is_told(package: Package) -> None:
    said = refusal(
        package,
        Patch(SLIDE, "text", f"{TITLE}//a:t", value="fine"),
        Patch(SLIDE, "remove", "//p:pic"),
        Patch(SLIDE, "add", TITLE, xml="<"),
    )
    assert "Patch 1" not in said
    assert "Patch 2" in said
    assert "Patch 3" in said


def test_no_patches_and_too_many_are_refused(package: Package) -> None:
    assert "no patches" in refusal(package)
    one = Patch(SLIDE, "text", f"{TITLE}//a:t", value="x")
    assert "more than 500" in refusal(package, *[one] * 501)


def test_entities_and_document_types_in_a_patch_are_refused(package: Package) -> None:
    bombs = [
        '<!DOCTYPE a [<!ENTITY b "boom">]><a:p><a:r><a:t>&b;</a:t></a:r></a:p>',
        "<a:p><a:r><a:t>&b;</a:t></a:r></a:p>",
        '<?xml version="1.0"?><!DOCTYPE a SYSTEM "file:///etc/passwd"><a:p/>',
    ]
    for xml in bombs:
        patch = Patch(SLIDE, "add", f"{BODY}/p:txBody", xml=xml)
        assert "refused" in refusal(package, patch)


def test_xml_too_large_too_deep_or_too_often_is_refused(package: Package) -> None:
    body = f"{BODY}/p:txBody"
    long = Patch(SLIDE, "add", body, xml=f"<a:p><a:r><a:t>{'x' * 600_000}</a:t></a:r></a:p>")
    assert "bytes of XML" in refusal(package, long)
    deep = Patch(SLIDE, "add", body, xml="<a:p>" * 100 + "</a:p>" * 100)
    assert "nested deeper" in refusal(package, deep)
    many = Patch(SLIDE, "add", "//*", xml="<a:p/>" * 9000)
    assert "more than 200,000 elements" in refusal(package, many)
    wide = Patch(SLIDE, "set", "//a:bodyPr", attribute="anchor", value="x" * 100_001)
    assert "characters" in refusal(package, wide)


def test_what_is_put_in_is_of_the_namespaces_that_are_meant(package: Package) -> None:
    xml = '<p:extLst><p:ext uri="{X}"><p14:x xmlns:p14="urn:mine"/></p:ext></p:extLst>'
    draft = apply_patches(package, [Patch(SLIDE, "add", "/p:sld", xml=xml)])
    root = etree.fromstring(draft.read(SLIDE))
    assert root[-1][0][0].tag == "{urn:mine}x"
