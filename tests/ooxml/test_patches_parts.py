"""Parts that patches add, as python-pptx reads them; hostile ones refused."""

import base64
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from PIL import Image
from pptx import Presentation
from pptx.util import Emu

from decklab.deck.deck import write_samples
from decklab.ooxml.package import Package
from decklab.ooxml.patch_parts import MOST_PARTS, Patch, PatchesRefused
from decklab.ooxml.patches import apply_patches

MAIN = "ppt/presentation.xml"
SLIDE = "ppt/slides/slide1.xml"
NEW = "ppt/slides/slide90.xml"
SLIDE_LINK = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/slide"
SHAPES = (
    '<p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>'
    '<p:sp><p:nvSpPr><p:cNvPr id="2" name="Title 1"/><p:cNvSpPr/><p:nvPr><p:ph type="title"/>'
    "</p:nvPr></p:nvSpPr><p:spPr/><p:txBody><a:bodyPr/><a:p><a:r><a:t>{}</a:t></a:r></a:p>"
    "</p:txBody></p:sp>"
)
SLIDE_XML = f"<p:sld><p:cSld><p:spTree>{SHAPES}</p:spTree></p:cSld></p:sld>"
FRAME = (
    '<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="80" name="Chart 80"/><p:cNvGraphicFramePr/>'
    '<p:nvPr/></p:nvGraphicFramePr><p:xfrm><a:off x="0" y="0"/><a:ext cx="3000000" cy="2000000"/>'
    '</p:xfrm><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/'
    'chart"><c:chart r:id="rIdChart"/></a:graphicData></a:graphic></p:graphicFrame>'
)


def png(color: tuple[int, int, int] = (9, 99, 199)) -> bytes:
    held = BytesIO()
    Image.new("RGB", (8, 6), color).save(held, "PNG")
    return held.getvalue()


def coded(data: bytes) -> str:
    return base64.b64encode(data).decode()


@pytest.fixture(scope="module")
def decks(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    paths = write_samples(tmp_path_factory.mktemp("samples"))
    return {path.stem: path for path in paths}


@pytest.fixture
def package(decks: dict[str, Path]) -> Iterator[Package]:
    with Package.open(decks["rich"]) as opened:
        yield opened


def patched(package: Package, path: Path, *patches: Patch) -> Any:
    """The patched deck as python-pptx opens it; parts nobody named are as they were."""
    apply_patches(package, patches).save(path)
    named = {one.part for one in patches} | {one.owner for one in patches}
    named |= {MAIN, "docProps/app.xml"}
    with Package.open(path) as after:
        for name in package.names:
            owner = name.replace("_rels/", "").removesuffix(".rels")
            if owner not in named and name != "[Content_Types].xml":
                assert after.read(name) == package.read(name), name
    return Presentation(str(path))


def layout_of(package: Package, slide: str) -> str:
    return package.related(slide, "slideLayout")[0]


def new_slide(package: Package, place: str = "") -> list[Patch]:
    return [
        Patch(NEW, "add part", xml=SLIDE_XML.format("Made of XML"), owner=MAIN,
              relationship="slide", value=place),
        Patch(NEW, "link", value=layout_of(package, SLIDE), relationship="slideLayout"),
    ]  # fmt: skip


def test_a_slide_is_added_at_its_place_with_its_layout(package: Package, tmp_path: Path) -> None:
    before = len(Presentation(BytesIO(package_zip(package))).slides)
    deck = patched(package, tmp_path / "out.pptx", *new_slide(package, "2"))
    assert len(deck.slides) == before + 1
    assert deck.slides[1].shapes.title.text_frame.text == "Made of XML"
    assert deck.slides[1].slide_layout.name == deck.slides[0].slide_layout.name
    ids = [slide.slide_id for slide in deck.slides]
    assert len(set(ids)) == len(ids)
    with ZipFile(tmp_path / "out.pptx") as held:
        assert f"<Slides>{before + 1}</Slides>" in held.read("docProps/app.xml").decode()


def package_zip(package: Package) -> bytes:
    held = BytesIO()
    with ZipFile(held, "w") as archive:
        for name in package.names:
            archive.writestr(name, package.read(name))
    return held.getvalue()


def test_a_new_slide_joins_a_section(package: Package, tmp_path: Path) -> None:
    deck = patched(package, tmp_path / "out.pptx", *new_slide(package))
    listed = [item.get("id") for item in deck.part._element.iter("{*}sldId")
              if item.getparent().tag.endswith("}sldIdLst")]  # fmt: skip
    assert listed.count(str(deck.slides[len(deck.slides) - 1].slide_id)) in (1, 2)
    sections = list(deck.part._element.iter("{*}section"))
    assert bool(sections) == (listed.count(str(deck.slides[len(deck.slides) - 1].slide_id)) == 2)


def test_a_picture_is_added_and_shown(package: Package, tmp_path: Path) -> None:
    picture = (
        '<p:pic><p:nvPicPr><p:cNvPr id="91" name="New"/><p:cNvPicPr/><p:nvPr/></p:nvPicPr>'
        '<p:blipFill><a:blip r:embed="rIdNew"/><a:stretch><a:fillRect/></a:stretch></p:blipFill>'
        '<p:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="900000" cy="600000"/></a:xfrm>'
        '<a:prstGeom prst="rect"/></p:spPr></p:pic>'
    )
    deck = patched(
        package,
        tmp_path / "out.pptx",
        Patch("ppt/media/added.png", "add part", owner=SLIDE, relationship="image",
              relationship_id="rIdNew", data=coded(png())),
        Patch(SLIDE, "add", "//p:spTree", xml=picture),
    )  # fmt: skip
    shape = next(one for one in deck.slides[0].shapes if one.name == "New")
    assert shape.image.blob == png()
    assert shape.width == Emu(900000)


def test_a_chart_is_copied_with_its_workbook(package: Package, tmp_path: Path) -> None:
    owner = next(name for name in package.names if package.related(name, "chart"))
    chart = package.related(owner, "chart")[0]
    ((workbook_id, book),) = [
        (id, link.target) for id, link in package.relationships(chart).items()
        if link.kind == "package"
    ]  # fmt: skip
    new, book_copy = "ppt/charts/chart77.xml", "ppt/embeddings/book77.xlsx"
    deck = patched(
        package,
        tmp_path / "out.pptx",
        Patch(new, "add part", owner=SLIDE, relationship="chart", relationship_id="rIdChart",
              copy_of=chart),
        Patch(book_copy, "add part", owner=new, relationship="package",
              relationship_id=workbook_id, copy_of=book),
        Patch(SLIDE, "add", "//p:spTree", xml=FRAME),
    )  # fmt: skip
    added = next(one for one in deck.slides[0].shapes if one.name == "Chart 80")
    original = next(
        shape for slide in deck.slides for shape in slide.shapes
        if shape.has_chart and shape is not added and shape.name != "Chart 80"
    )  # fmt: skip
    assert list(added.chart.plots[0].categories) == list(original.chart.plots[0].categories)
    book_part = added.chart.part.chart_workbook.xlsx_part
    assert book_part.blob == package.read(book)
    assert str(book_part.partname) == f"/{book_copy}"


def test_notes_lead_to_their_slide_and_master(package: Package, tmp_path: Path) -> None:
    model = next(name for name in package.names if name.startswith("ppt/notesSlides/notes"))
    notes = Patch(
        "ppt/notesSlides/notesSlide99.xml", "add part", owner=NEW, relationship="notesSlide",
        copy_of=model,
    )  # fmt: skip
    deck = patched(package, tmp_path / "out.pptx", *new_slide(package), notes)
    slide = deck.slides[len(deck.slides) - 1]
    assert slide.has_notes_slide
    assert slide.notes_slide.part.part_related_by(SLIDE_LINK) is slide.part
    assert slide.notes_slide.part.notes_master is deck.notes_master
    first = deck.slides[0].notes_slide.notes_text_frame.text
    assert slide.notes_slide.notes_text_frame.text == first != ""


def test_a_copied_slide_keeps_its_layout_and_pictures(
    decks: dict[str, Path], tmp_path: Path
) -> None:
    with Package.open(decks["plain"]) as plain:
        copy = Patch(NEW, "add part", copy_of=SLIDE, owner=MAIN, relationship="slide", value="1")
        deck = patched(plain, tmp_path / "out.pptx", copy)
    first, second = deck.slides[0], deck.slides[1]
    assert first.slide_layout == second.slide_layout
    assert [shape.name for shape in first.shapes] == [shape.name for shape in second.shapes]


def refusal(package: Package, *patches: Patch) -> str:
    with pytest.raises(PatchesRefused) as caught:
        apply_patches(package, patches)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def image(part: str = "ppt/media/new.png", **fields: str) -> Patch:
    given: dict[str, Any] = {"owner": SLIDE, "relationship": "image"} | fields
    if not {"data", "xml", "copy_of"} & set(fields):
        given["data"] = coded(png())
    return Patch(part, "add part", **given)


SVG = '<svg xmlns="http://www.w3.org/2000/svg">{}</svg>'


@pytest.mark.parametrize(
    ("patch", "said"),
    [
        (image("../../etc/passwd.png"), "has a name such as"),
        (image("ppt/media/../slides/slide1.png"), "has a name such as"),
        (image("ppt/slides/new.png"), "has a name such as"),
        (image("ppt/media/a b.png"), "has a name such as"),
        (image("ppt/media/new.png%2f"), "has a name such as"),
        (image("ppt/media/new.exe"), "name ends in .png"),
        (image("ppt/media/new.gif"), "name ends in .png"),
        (image(owner="ppt/slides/slide99.xml"), "no part 'ppt/slides/slide99.xml'"),
        (image(owner=""), "no part ''"),
        (image(owner="ppt/slides/_rels/slide1.xml.rels"), "no part of XML"),
        (image(relationship="officeDocument"), "no kind of part"),
        (image(relationship="oleObject"), "no kind of part"),
        (image(data=coded(b"MZ\x90 program")), "no PNG"),
        (image(data="%%%"), "no base64"),
        (image(data="A" * 12_000_000), "8 MB in all"),
        (image(data=coded(png()), copy_of=SLIDE), "one of xml, copy_of and data"),
        (image(copy_of=SLIDE), "is no image"),
        (image(relationship_id="r'Id"), "no id of a relationship"),
        (image(relationship_id="rId1"), "has a relationship 'rId1' already"),
        (image("ppt/media/x.svg", data=coded(SVG.format("<script/>").encode())), "a program"),
        (image("ppt/media/x.svg", data=coded(SVG.format('<g onload="x()"/>').encode())), "program"),
        (
            image("ppt/media/x.svg", data=coded(SVG.format('<image href="file:///a"/>').encode())),
            "leads out",
        ),
        (
            image("ppt/media/x.svg", data=coded(b'<!DOCTYPE svg [<!ENTITY a "b">]><svg/>')),
            "document type",
        ),
        (
            Patch("ppt/charts/c9.xml", "add part", owner=SLIDE, relationship="chart",
                  xml="<p:sld/>"),
            "not one <c:chartSpace>",
        ),
        (
            Patch("ppt/charts/c9.xml", "add part", owner=SLIDE, relationship="chart",
                  xml="<c:chartSpace/><c:chartSpace/>"),
            "not one <c:chartSpace>",
        ),
        (
            Patch("ppt/charts/c9.xml", "add part", owner=SLIDE, relationship="chart",
                  copy_of=SLIDE),
            "is no chart",
        ),
        (
            Patch(NEW, "add part", owner=SLIDE, relationship="slide", xml=SLIDE_XML),
            "a slide belongs to",
        ),
        (
            Patch(NEW, "add part", owner=MAIN, relationship="slide", xml=SLIDE_XML, value="99"),
            "no place 99",
        ),
        (
            Patch(NEW, "add part", owner=MAIN, relationship="slide", xml=SLIDE_XML),
            "no layout",
        ),
        (
            Patch(SLIDE, "add part", owner=MAIN, relationship="slide", xml=SLIDE_XML),
            "there is, or was, a part",
        ),
        (Patch(SLIDE, "link", value="ppt/none.xml", relationship="image"), "no part 'ppt/none"),
        (Patch(SLIDE, "link", value=MAIN, relationship="image"), "is no image"),
        (Patch(SLIDE, "link", value=SLIDE, relationship="vbaProject"), "no kind of link"),
        (Patch("[Content_Types].xml", "link", value=SLIDE, relationship="slide"), "no part of XML"),
    ],
)  # fmt: skip
def test_hostile_parts_are_refused_in_one_line(package: Package, patch: Patch, said: str) -> None:
    assert said in refusal(package, patch)


def test_a_part_that_nothing_leads_to_is_refused(package: Package) -> None:
    gone = Patch(
        "ppt/slides/_rels/slide1.xml.rels",
        "remove",
        "/rel:Relationships/rel:Relationship[@Id='rIdNew']",
    )
    said = refusal(package, image(relationship_id="rIdNew"), gone)
    assert "Nothing leads to the new part ppt/media/new.png" in said


def test_there_is_a_bound_on_new_parts(package: Package) -> None:
    many = [image(f"ppt/media/many{number}.png") for number in range(MOST_PARTS + 1)]
    assert f"more than {MOST_PARTS} parts" in refusal(package, *many)


def test_pictures_share_one_bound(package: Package) -> None:
    large = coded(png() + bytes(5 * 2**20))
    first = image("ppt/media/one.png", data=large)
    assert apply_patches(package, [first]).read("ppt/media/one.png").startswith(png())
    assert "8 MB in all" in refusal(package, first, image("ppt/media/two.png", data=large))


def test_a_name_is_used_once(package: Package) -> None:
    assert "there is, or was" in refusal(package, image(), image("ppt/media/NEW.png"))


@pytest.mark.parametrize("address", ["file:///etc/passwd", "\\\\host\\share", "javascript:x"])
def test_new_links_lead_to_the_web_only(package: Package, address: str) -> None:
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink"
    link = f'<Relationship Id="rIdX" Type="{kind}" Target="{address}" TargetMode="External"/>'
    rels = "ppt/slides/_rels/slide1.xml.rels"
    said = refusal(package, Patch(rels, "add", "/rel:Relationships", xml=link))
    assert "only web addresses" in said
    web = link.replace(address, "https://example.com/")
    assert apply_patches(package, [Patch(rels, "add", "/rel:Relationships", xml=web)])
