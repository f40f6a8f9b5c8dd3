import re
from collections.abc import Callable
from pathlib import Path

import pytest
from pptx import Presentation

from decklab.ooxml.package import Package
from decklab.ooxml.validity.parts import Problem
from decklab.ooxml.validity.validating import validate

Parts = dict[str, bytes]
Check = Callable[[Parts], list[Problem]]

MAIN = "ppt/presentation.xml"
MAIN_RELS = "ppt/_rels/presentation.xml.rels"
SLIDE = "ppt/slides/slide4.xml"
RELS = "ppt/slides/_rels/slide4.xml.rels"
TYPES = "[Content_Types].xml"
CHART = "ppt/charts/chart1.xml"
THEME = "ppt/theme/theme1.xml"
CORE = "docProps/core.xml"
KNOWN = {"list.unlisted-notes-master"}  # python-pptx makes masters of notes so

WRONG = [
    # what is wrong, severity and rule, part, text to replace, what by
    ("error relationship.missing-target", RELS, "slideLayouts/slideLayout", "slideLayouts/none"),
    ("error relationship.outside", RELS, 'Target="../charts/', 'Target="../../../charts/'),
    ("error relationship.wrong-kind", RELS, "/relationships/chart", "/relationships/theme"),
    ("error relationship.incomplete", RELS, 'Target="../charts/chart1.xml"', ""),
    ("error need.layout", RELS, "/relationships/slideLayout", "/relationships/other"),
    ("error reference.unknown", SLIDE, 'r:id="rId', 'r:id="rIdx'),
    ("error reference.missing", MAIN, ' r:id="rId', ' q="rId'),
    ("error reference.wrong-kind", RELS, "/relationships/chart", "/relationships/image"),
    ("error list.duplicate-id", MAIN, '<p:sldId id="257"', '<p:sldId id="256"'),
    ("error list.id-out-of-range", MAIN, '<p:sldId id="257"', '<p:sldId id="255"'),
    ("error list.id-out-of-range", MAIN, '<p:sldId id="257"', '<p:sldId id="2147483648"'),
    ("error section.missing-slide", MAIN, '<p14:sldId id="257"', '<p14:sldId id="999"'),
    ("error section.duplicate-slide", MAIN, '<p14:sldId id="257"', '<p14:sldId id="256"'),
    ("warning section.unlisted-slide", MAIN, '<p14:sldId id="257"/>', ""),
    ("error schema.order", SLIDE, "<p:cSld>", "<p:timing/><p:cSld>"),
    ("error schema.unknown-child", SLIDE, "<p:cSld>", "<p:cSld><p:shapes/>"),
    ("error schema.unknown-attribute", SLIDE, "<p:cSld>", '<p:cSld title="x">'),
    ("error schema.missing-child", SLIDE, "<p:grpSpPr/>", ""),
    ("error schema.value", SLIDE, "<a:bodyPr", '<a:bodyPr anchor="middle"'),
    ("error schema.value", SLIDE, 'type="title"', 'type="headline"'),
    ("error schema.value", MAIN, '<p:sldSz cx="', '<p:sldSz cx="wide'),
    ("error schema.value", SLIDE, 'type="title"', 'type="title" idx="-1x"'),
    ("error schema.value", SLIDE, "<a:bodyPr", '<a:bodyPr lIns="1in"'),
    ("error schema.value", SLIDE, "<a:bodyPr", '<a:bodyPr numCol="17"'),
    ("error schema.value", SLIDE, '<a:off x="', '<a:off x="1in'),
    ("error schema.value", SLIDE, '<a:ext cx="', '<a:ext cx="-'),
    ("error schema.value", SLIDE, '<a:ext cx="', '<a:ext cx="1.5'),
    ("error schema.value", THEME, 'srgbClr val="', 'srgbClr val="G'),
    ("error schema.value", THEME, 'srgbClr val="', 'srgbClr val="red" x="'),
    ("error schema.value", CHART, '<c:gapWidth val="', '<c:gapWidth val="9'),
    ("error property.date", CORE, "<dcterms:created", "<dcterms:modified>soon</dcterms:modified>"
     "<dcterms:created"),
    ("error schema.missing-attribute", SLIDE, '<p:cNvPr id="2" ', "<p:cNvPr "),
    ("error chart.missing-axis", CHART, '<c:crossAx val="', '<c:crossAx val="1'),
    ("error schema.missing-child", CHART, '<c:barDir val="bar"/>', ""),
    ("error schema.order", CHART, "<c:plotArea>", "<c:plotArea><c:spPr/>"),
    ("error part.malformed", SLIDE, "<p:cSld>", "<p:cSld><p:cSld>"),
    ("error content-type.missing", TYPES, 'Extension="xlsx"', 'Extension="none"'),
    ("warning content-type.unused", TYPES, "</Types>",
     '<Override PartName="/ppt/gone.xml" ContentType="a/b"/></Types>'),
    ("error content-type.duplicate", TYPES, "</Types>",
     '<Override PartName="/ppt/slides/slide4.xml" ContentType="a/b"/></Types>'),
    ("error content-type.wrong", SLIDE, "p:sld", "p:sldLayout"),
]  # fmt: skip


@pytest.mark.by_day(3)
@pytest.mark.parametrize(("expected", "part", "old", "new"), WRONG)
def test_one_thing_wrong_is_found(
    rich_parts: Callable[[], Parts],
    problems: Check,
    expected: str,
    *,
    part: str,
    old: str,
    new: str,
) -> None:
    parts = rich_parts()
    text = parts[part].decode()
    assert old in text
    count = -1 if expected.endswith("content-type.wrong") else 1
    parts[part] = text.replace(old, new, count).encode()
    found = problems(parts)
    assert expected in {f"{one.severity} {one.rule}" for one in found}
    assert all(one.detail and one.fix and "\n" not in one.detail for one in found)


def test_the_samples_are_clean(samples: list[Path]) -> None:
    for path in samples:
        with Package.open(path) as package:
            assert {one.rule for one in validate(package)} <= KNOWN


def test_a_deck_that_python_pptx_makes_is_clean(tmp_path: Path) -> None:
    deck = Presentation()
    for layout in deck.slide_layouts:
        slide = deck.slides.add_slide(layout)
        slide.shapes.add_table(2, 3, 0, 0, 9144, 9144)
        slide.shapes.add_textbox(0, 0, 9144, 9144).text_frame.text = "Words"
    deck.save(str(tmp_path / "made.pptx"))
    with Package.open(tmp_path / "made.pptx") as package:
        found = validate(package)
    assert [one for one in found if one.severity == "error"] == []


def test_a_deleted_slide_of_old_is_found(rich_parts: Callable[[], Parts], problems: Check) -> None:
    """Taking the entry out of the list alone leaves the part behind, and a stale section."""
    parts = rich_parts()
    text = parts[MAIN].decode()
    parts[MAIN] = re.sub(r'<p:sldId [^>]*id="259"[^>]*/>', "", text, count=1).encode()
    rules = {one.rule for one in problems(parts)}
    assert {"list.unlisted-slide", "section.missing-slide"} <= rules


def test_a_comment_among_relationships_is_no_relationship(
    rich_parts: Callable[[], Parts], problems: Check
) -> None:
    parts = rich_parts()
    foreign = b'<!-- two layouts --><x:note xmlns:x="urn:example"/></Relationships>'
    parts[RELS] = parts[RELS].replace(b"</Relationships>", foreign)
    assert {one.rule for one in problems(parts)} <= KNOWN


def test_a_layout_that_nothing_leads_to_is_only_a_leftover(
    rich_parts: Callable[[], Parts], problems: Check
) -> None:
    """As it stays behind where a program takes it off its master: PowerPoint never sees it."""
    parts = rich_parts()
    master, left = "ppt/slideMasters/slideMaster1.xml", "ppt/slideLayouts/slideLayout3.xml"
    rels = "ppt/slideMasters/_rels/slideMaster1.xml.rels"
    link = re.search(r"<Relationship [^>]*slideLayout3\.xml[^>]*>", parts[rels].decode())
    assert link is not None
    id = link[0].partition('Id="')[2].partition('"')[0]
    unlisted = re.sub(rf'<p:sldLayoutId [^>]*"{id}"[^>]*/>', "", parts[master].decode())
    parts[master] = unlisted.encode()
    assert ("error", "list.unlisted-layout") in {
        (one.severity, one.rule) for one in problems(parts)
    }
    parts[rels] = parts[rels].replace(link[0].encode(), b"")
    found = [one for one in problems(parts) if left in (one.part, *one.detail.split())]
    assert [(one.severity, one.rule) for one in found] == [("warning", "part.orphan")]


def test_slides_that_share_a_chart_or_notes_are_found(
    rich_parts: Callable[[], Parts], problems: Check
) -> None:
    parts = rich_parts()
    five = "ppt/slides/_rels/slide5.xml.rels"
    parts[five] = parts[five].replace(b"chart2.xml", b"chart1.xml")
    parts[five] = parts[five].replace(b"notesSlide5.xml", b"notesSlide4.xml")
    found = [one for one in problems(parts) if one.rule == "part.shared"]
    assert [(one.severity, one.part) for one in found] == [
        ("error", "ppt/notesSlides/notesSlide4.xml"),
        ("warning", "ppt/charts/chart1.xml"),
    ]
    rules = {one.rule for one in problems(parts)}
    assert {"part.orphan", "need.notes-slide"} <= rules


def test_an_animation_of_a_shape_that_is_gone_is_found(
    rich_parts: Callable[[], Parts], problems: Check
) -> None:
    parts = rich_parts()
    animated = next(name for name, data in parts.items() if b"<p:spTgt spid=" in data)
    parts[animated] = re.sub(rb'<p:spTgt spid="\d+"', b'<p:spTgt spid="4711"', parts[animated])
    (found,) = {one.rule for one in problems(parts)} - KNOWN
    assert found == "timing.missing-shape"


def test_connectors_and_ids_that_do_not_fit_are_warned_of(
    rich_parts: Callable[[], Parts], problems: Check
) -> None:
    parts = rich_parts()
    tied = next(name for name, data in parts.items() if b"<a:stCxn id=" in data)
    parts[tied] = re.sub(rb'<a:stCxn id="\d+"', b'<a:stCxn id="4711"', parts[tied], count=1)
    parts[SLIDE] = re.sub(rb'<p:cNvPr id="2"', b'<p:cNvPr id="3"', parts[SLIDE], count=1)
    found = {(one.severity, one.rule) for one in problems(parts)}
    assert ("warning", "connector.missing-shape") in found
    assert ("warning", "shape.duplicate-id") in found
    assert not [severity for severity, _ in found if severity == "error"]


def test_a_row_with_a_cell_too_few_is_found(
    rich_parts: Callable[[], Parts], problems: Check
) -> None:
    parts = rich_parts()
    slide = "ppt/slides/slide14.xml"
    text = parts[slide].decode()
    start, end = text.index("<a:tc>"), text.index("</a:tc>") + len("</a:tc>")
    parts[slide] = (text[:start] + text[end:]).encode()
    (found,) = (one for one in problems(parts) if one.severity == "error")
    assert found.rule == "table.uneven-row"
    assert "row 1 has 3 cells for 4 columns" in found.detail
    assert "'Assumptions'" in found.detail


def test_targets_that_powerpoint_breaks_itself_are_only_warned_of(
    rich_parts: Callable[[], Parts], problems: Check
) -> None:
    parts = rich_parts()
    image = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/image"
    null = f'<Relationship Id="rId99" Type="{image}" Target="../media/NULL"/></Relationships>'
    parts[RELS] = parts[RELS].replace(b"</Relationships>", null.encode())
    (found,) = (one for one in problems(parts) if one.rule == "relationship.missing-target")
    assert found.severity == "warning"


def test_alternatives_and_extensions_are_let_through(
    rich_parts: Callable[[], Parts], problems: Check
) -> None:
    parts = rich_parts()
    wrapped = (
        '<mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/'
        '2006"><mc:Choice xmlns:new="urn:new" Requires="new"><new:shape odd="1"/></mc:Choice>'
        '<mc:Fallback/></mc:AlternateContent><p:extLst><p:ext uri="{0}"><new:any '
        'xmlns:new="urn:new" a="b"><new:more/></new:any></p:ext></p:extLst></p:spTree>'
    )
    parts[SLIDE] = parts[SLIDE].replace(b"</p:spTree>", wrapped.encode())
    assert {one.rule for one in problems(parts)} <= KNOWN


def test_errors_come_first_and_nothing_twice(
    rich_parts: Callable[[], Parts], problems: Check
) -> None:
    parts = rich_parts()
    parts["ppt/loose.png"] = b"\x89PNG"
    parts[MAIN] = parts[MAIN].replace(b'<p:sldId id="257"', b'<p:sldId id="256"')
    found = problems(parts)
    severities = [one.severity for one in found]
    assert severities == sorted(severities)
    assert len(found) == len(set(found)) > 2


@pytest.mark.long
@pytest.mark.shared
def test_no_deck_that_powerpoint_saved_has_an_error(shared: Path) -> None:
    """The one deck left out was broken by hand, by a pictures' reference that leads nowhere."""
    found = {}
    for folder in ("real", "features"):
        for path in sorted((shared / "decks" / folder).glob("*.pptx")):
            with Package.open(path) as package:
                errors = [one for one in validate(package) if one.severity == "error"]
            if errors:
                found[path.stem] = {one.rule for one in errors}
    broken = "tests_data_pptx_sources_powerpoint_malformed_pictures"
    assert found == {broken: {"schema.missing-child", "reference.unknown"}}


@pytest.mark.parametrize("old", ["srgbClr val", "gapWidth val"])
def test_a_value_that_is_none_is_told_with_what_would_be_one(
    rich_parts: Callable[[], Parts], problems: Check, old: str
) -> None:
    parts = rich_parts()
    part = THEME if old == "srgbClr val" else CHART
    parts[part] = parts[part].replace(f'{old}="'.encode(), f'{old}="x'.encode(), 1)
    (found,) = (one for one in problems(parts) if one.rule == "schema.value")
    wanted = {"srgbClr val": "6 hexadecimal digits", "gapWidth val": "a whole number from 0 to 500"}
    assert found.fix == f"Give 'val' {wanted[old]}."


def test_a_target_above_the_root_is_read_from_the_root(
    rich_parts: Callable[[], Parts], problems: Check
) -> None:
    """LibreOffice writes ``../customXml/item1.xml`` into the relationships of the package; RFC
    3986, section 5.2.4, drops dots that lead above the root."""
    parts = rich_parts()
    custom = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/customXml"
    link = f'<Relationship Id="rIdX" Type="{custom}" Target="../customXml/item1.xml"/>'
    parts["_rels/.rels"] = parts["_rels/.rels"].replace(
        b"</Relationships>", f"{link}</Relationships>".encode()
    )
    (gone,) = (one for one in problems(parts) if one.rule not in KNOWN)
    assert (gone.severity, gone.rule) == ("error", "relationship.outside")
    parts["customXml/item1.xml"] = b"<root/>"
    (found,) = (one for one in problems(parts) if one.rule not in KNOWN)
    assert (found.severity, found.rule) == ("warning", "relationship.outside")
    assert found.detail.endswith("programs read that as /customXml/item1.xml")
