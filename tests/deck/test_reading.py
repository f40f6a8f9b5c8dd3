import io
import time
from collections import Counter
from dataclasses import asdict

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.shapes.group import GroupShape
from tests.examples import examples

from decklab.core.errors import (
    DecklabError,
    LimitExceeded,
    MalformedPart,
    MissingPart,
    TruncatedDeck,
    UnsupportedFormat,
)
from decklab.deck.model.outline import DeckOutline
from decklab.deck.reading import read_deck, read_elements, read_outline
from decklab.ooxml.package import Package
from decklab.ooxml.signatures import Limits


def test_an_empty_deck_has_no_slides(outline, parts, part_xml):
    made = parts() | {"ppt/presentation.xml": part_xml("p:presentation")}
    found = outline(made)
    assert (found.slides, found.layouts, found.masters, found.problems) == ((), (), (), ())
    assert found.size_emu == (9_144_000, 6_858_000)


def test_a_blank_slide_has_no_shapes(deck):
    found = deck()
    (slide,) = found.slides
    assert (slide.number, slide.id, slide.part, slide.layout) == (
        1, 256, "ppt/slide.xml", "ppt/layout.xml"
    )  # fmt: skip
    assert (slide.shapes, slide.hidden, slide.background, slide.transition) == (
        (),
        False,
        None,
        None,
    )
    assert (found.size_emu, found.problems) == ((9_600_000, 5_400_000), ())


def test_hidden_slides_keep_their_number(deck):
    assert deck(attributes='show="0"').slides[0].hidden


@pytest.mark.parametrize("size", ["", 'cx="0" cy="100"', 'cx="-5" cy="5"', 'cx="x" cy="5"'])
def test_a_size_that_is_none_is_noted_and_replaced(deck, size):
    found = deck(size=size)
    assert found.size_emu == (9_144_000, 6_858_000)
    assert "slide size" in found.problems[0]


def test_slides_come_in_the_order_of_the_show(outline, parts, part_xml, relations, related):
    made = parts()
    made["ppt/presentation.xml"] = part_xml(
        "p:presentation",
        "<p:sldIdLst>"
        + "".join(f'<p:sldId id="{id}" r:id="r{id}"/>' for id in (300, 257, 256, 258))
        + "</p:sldIdLst>",
    )
    targets = {300: "slide.xml", 257: "two.xml", 256: "gone.xml", 258: "slide.xml"}
    made["ppt/_rels/presentation.xml.rels"] = relations(
        *(related(f"r{id}", "slide", target) for id, target in targets.items())
    )
    made["ppt/two.xml"] = part_xml("p:sld")
    found = outline(made)
    assert [(slide.number, slide.id, slide.part) for slide in found.slides] == [
        (1, 300, "ppt/slide.xml"), (2, 257, "ppt/two.xml"), (3, 258, "ppt/slide.xml")
    ]  # fmt: skip
    assert sorted(found.problems) == [
        "ppt/presentation.xml: entry 3 of the slide list leads to no slide: "
        "there is no part ppt/gone.xml",
        "ppt/two.xml: it has no layout",
        "ppt/two.xml: it has no shape tree",
    ]


def test_a_damaged_slide_stays_in_place_and_is_noted(outline, parts, sp):
    found = outline(parts(sp()) | {"ppt/slide.xml": b"<p:sld"})
    assert [(slide.number, slide.shapes) for slide in found.slides] == [(1, ())]
    (problem,) = found.problems
    assert problem.startswith("ppt/slide.xml: not well-formed XML")


def test_damaged_relationships_are_noted_and_lead_nowhere(outline, parts, sp):
    found = outline(parts(sp()) | {"ppt/_rels/slide.xml.rels": b"<"})
    assert (found.slides[0].layout, len(found.slides[0].shapes)) == (None, 1)
    assert found.problems[0].startswith("ppt/_rels/slide.xml.rels: not well-formed XML")


@pytest.mark.parametrize(
    ("part", "data", "error"),
    [
        ("ppt/presentation.xml", b"<p:presentation", MalformedPart),
        ("ppt/presentation.xml", b"<presentation/>", MalformedPart),
        ("_rels/.rels", b"<Relationships/>", MissingPart),
        ("_rels/.rels", b"<", MalformedPart),
    ],
)
def test_only_what_makes_a_deck_unreadable_raises(outline, parts, part, data, error):
    with pytest.raises(error, match=r"^deck\.pptx: .*"):
        outline(parts() | {part: data})


def test_other_packages_are_refused(outline, parts):
    types = parts()["[Content_Types].xml"].replace(b"presentationml.presentation", b"x.document")
    with pytest.raises(UnsupportedFormat, match="no presentation but"):
        outline(parts() | {"[Content_Types].xml": types, "ppt/presentation.xml": b"<document/>"})


def test_broken_limits_are_no_damage(parts, sp):
    out = io.BytesIO()
    deck = Presentation()
    deck.slides.add_slide(deck.slide_layouts[0])
    deck.save(out)
    package = Package.from_bytes(out.getvalue(), "deck.pptx", Limits(xml_depth=8))
    with pytest.raises(LimitExceeded, match="deeper than the limit of 8"):
        read_outline(package)


def test_a_strict_deck_reads_as_the_transitional_one(outline, parts, sp, xfrm):
    body = "<a:bodyPr/><a:p><a:r><a:t>Strict</a:t></a:r></a:p>"
    made = parts(sp(body=body, xfrm=xfrm(1, 2, 3, 4), nv='<p:ph type="title"/>'))
    strict = {
        name: data.replace(
            b"http://schemas.openxmlformats.org/officeDocument/2006/",
            b"http://purl.oclc.org/ooxml/officeDocument/",
        )
        .replace(
            b"http://schemas.openxmlformats.org/presentationml/2006/",
            b"http://purl.oclc.org/ooxml/presentationml/",
        )
        .replace(
            b"http://schemas.openxmlformats.org/drawingml/2006/",
            b"http://purl.oclc.org/ooxml/drawingml/",
        )
        for name, data in made.items()
    }
    assert strict["ppt/slide.xml"] != made["ppt/slide.xml"]
    assert outline(strict) == outline(made)


PLOTTED = {
    f"{name}Chart" for name in ("area", "bar", "doughnut", "line", "pie", "radar", "scatter")
}
"""What python-pptx reads; it stumbles over most three-dimensional charts."""


@pytest.mark.long
@pytest.mark.timeout(60)
def test_a_deck_of_nothing_but_shapes_is_stopped_in_time(deck, sp):
    with pytest.raises(LimitExceeded, match="more than 250,000 shapes"):
        deck("<p:sp/>" * 300_000)
    names, end = "<p:grpSp><p:grpSpPr/>", "</p:grpSp>"
    with pytest.raises(LimitExceeded, match="more than 250,000 shapes"):
        deck(names * 150 + "<p:sp/>" * 2_000 + end * 150)


@pytest.mark.long
@pytest.mark.timeout(60)
def test_references_that_repeat_without_end_are_read_once(outline, parts, part_xml, sp):
    """Placeholders that all inherit, a slide listed again and again, a chart shown everywhere."""
    holder = sp(nv='<p:ph type="body" idx="5"/>')
    chart = (
        "<p:graphicFrame><a:graphic><a:graphicData "
        'uri="http://schemas.openxmlformats.org/drawingml/2006/chart"><c:chart r:id="rL"/>'
        "</a:graphicData></a:graphic></p:graphicFrame>"
    )
    made = parts(holder * 3_000 + chart * 3_000, layout=holder * 3_000)
    listed = '<p:sldId id="256" r:id="rS"/>' * 20
    made["ppt/presentation.xml"] = part_xml("p:presentation", f"<p:sldIdLst>{listed}</p:sldIdLst>")
    start = time.perf_counter()
    found = outline(made)
    assert [len(slide.shapes) for slide in found.slides] == [6_000] * 20
    assert time.perf_counter() - start < 30


def all_shapes(shapes):
    for shape in shapes:
        yield shape
        if isinstance(shape, GroupShape):
            yield from all_shapes(shape.shapes)


def inherited_box(shape, deck):
    """Where python-pptx says an ungrouped shape is, in the slide frame."""
    if shape.left is None or shape.width is None:
        return None
    x, y = 960 / deck.slide_width, 540 / deck.slide_height
    right, bottom = shape.left + shape.width, shape.top + shape.height
    return (shape.left * x, shape.top * y, right * x, bottom * y)


def compare_with_python_pptx(path):
    deck = Presentation(str(path))
    with Package.open(path) as package:
        outline = read_outline(package)
    assert outline.size_emu == (deck.slide_width, deck.slide_height)
    assert [item.part for item in outline.masters] == [
        master.part.partname[1:] for master in deck.slide_masters
    ]
    assert [item.part for item in outline.layouts] == [
        layout.part.partname[1:] for master in deck.slide_masters for layout in master.slide_layouts
    ]
    assert len(outline.slides) == len(deck.slides)
    for ours, theirs in zip(outline.slides, deck.slides, strict=True):
        assert (ours.id, ours.part) == (theirs.slide_id, theirs.part.partname[1:])
        assert ours.layout == theirs.slide_layout.part.partname[1:]
        known = [shape for shape in ours.shapes if not shape.name.startswith("Ink ")]
        for mine, other in zip(known, all_shapes(theirs.shapes), strict=True):
            compare_shape(mine, other, deck)
    return outline


def compare_shape(mine, other, deck):
    assert (mine.id, mine.name) == (other.shape_id, other.name)
    text = other.text_frame.text if other.has_text_frame else ""
    assert (mine.text.text if mine.text else "") == text
    assert (mine.kind == "chart") == getattr(other, "has_chart", False)
    assert (mine.kind == "table") == getattr(other, "has_table", False)
    assert (mine.kind in ("picture", "media")) == other._element.tag.endswith("}pic")
    assert (mine.placeholder is not None) == other.is_placeholder
    if mine.kind == "chart" and set(mine.chart.kinds) <= PLOTTED:
        plotted = [series for plot in other.chart.plots for series in plot.series]
        assert [series.values for series in mine.chart.series] == [
            tuple(series.values) for series in plotted
        ]
    if not mine.groups and mine.kind != "group":
        assert mine.box == pytest.approx(inherited_box(other, deck), abs=1e-6)


@pytest.mark.long
@pytest.mark.shared
@pytest.mark.parametrize("folder", ["real", "features"])
def test_real_decks_read_as_python_pptx_reads_them(shared, folder):
    paths = sorted((shared / "decks" / folder).glob("*.pptx"))
    assert paths
    for path in paths:
        outline = compare_with_python_pptx(path)
        missing = ["ppt/slides/slide2.xml: the image that rIdMissing999 stands for is not there"]
        assert list(outline.problems) == (missing if "malformed_pictures" in path.name else [])


@pytest.mark.shared
def test_reading_a_deck_takes_no_more_than_a_blink(shared):
    """The slowest of the decks, with a bound far above what was measured on an idle machine."""
    (path,) = (shared / "decks" / "real").glob("*HowWeRefactor.pptx")
    start = time.perf_counter()
    with Package.open(path) as package:
        assert len(read_outline(package).slides) == 28
    assert time.perf_counter() - start < 5


@pytest.mark.shared
def test_hostile_decks_give_an_outline_or_say_why_not(shared):
    outcomes = dict[str, int | str]()
    for path in sorted((shared / "decks" / "hostile").glob("*.pptx")):
        try:
            with Package.open(path) as package:
                outcomes[path.stem.rpartition("_")[2]] = len(read_outline(package).slides)
        except TruncatedDeck:
            outcomes[path.stem.rpartition("_")[2]] = "truncated"
    assert outcomes == {
        "stress022": 45,
        "Revelado": "truncated",
        "bug54570": 1,
        "clusterfuzz-testcase-minimized-POIFuzzer-5205835528404992": "truncated",
        "clusterfuzz-testcase-minimized-POIXSLFFuzzer-5471515212382208": "truncated",
        "missing-blip-fill": 1,
    }


def deck_of_many_kinds():
    """Every part of a deck of python-pptx, unpacked."""
    from pptx.chart.data import CategoryChartData
    from pptx.enum.chart import XL_CHART_TYPE

    deck = Presentation()
    for layout in list(deck.slide_layouts)[:4]:
        shapes = deck.slides.add_slide(layout).shapes
        shapes.add_table(2, 2, 0, 0, 100, 100)
        shapes.add_group_shape().shapes.add_textbox(0, 0, 10, 10).text_frame.text = "in a group"
        data = CategoryChartData()
        data.categories = ["a", "b"]
        data.add_series("s", (1, 2))
        shapes.add_chart(XL_CHART_TYPE.PIE, 0, 0, 100, 100, data)
    out = io.BytesIO()
    deck.save(out)
    with Package.from_bytes(out.getvalue(), "deck.pptx") as package:
        return {name: package.read(name) for name in package.names}


@pytest.fixture(scope="module")
def many_kinds():
    return deck_of_many_kinds()


def read_or_refuse(outline, parts):
    start = time.perf_counter()
    try:
        found = outline(parts)
        assert isinstance(found, DeckOutline)
        assert asdict(found)["slides"] is not None
        assert all("\n" not in line for line in found.problems)
    except DecklabError as error:
        assert str(error).startswith("deck.pptx: ")
    assert time.perf_counter() - start < 5


@examples(80)
@given(data=st.data())
def test_parts_that_swap_vanish_or_break_never_crash_the_reader(outline, many_kinds, data):
    names = sorted(many_kinds)
    parts = dict(many_kinds)
    for _ in range(data.draw(st.integers(1, 3))):
        victim, other = data.draw(st.sampled_from(names)), data.draw(st.sampled_from(names))
        change = data.draw(st.sampled_from(["swap", "drop", "cut", "flip"]))
        if change == "swap":
            parts[victim] = many_kinds[other]
        elif change == "drop":
            parts.pop(victim, None)
        elif change == "cut":
            parts[victim] = many_kinds[victim][: data.draw(st.integers(0, 2000))]
        else:
            at = data.draw(st.integers(0, max(0, len(many_kinds[victim]) - 1)))
            parts[victim] = many_kinds[victim][:at] + b"x" + many_kinds[victim][at + 1 :]
    read_or_refuse(outline, parts)


@examples(80)
@given(data=st.data())
def test_attributes_of_any_kind_never_crash_the_reader(outline, many_kinds, data):
    """Values are what a format reader trusts most easily: numbers, ids, references."""
    name = data.draw(
        st.sampled_from([n for n in sorted(many_kinds) if n.endswith((".xml", ".rels"))])
    )
    pieces = many_kinds[name].split(b'"')
    values = [b"", b"-1", b"0", b"99999999999999999999", b"NaN", b"../..", b"rId1", b"\xc3\xa9"]
    for _ in range(data.draw(st.integers(1, 8))):
        if len(pieces) > 1:
            at = data.draw(st.integers(0, (len(pieces) - 2) // 2)) * 2 + 1
            pieces[at] = data.draw(st.sampled_from(values))
    read_or_refuse(outline, many_kinds | {name: b'"'.join(pieces)})


@pytest.mark.shared
def test_hostile_decks_stay_harmless_when_damaged_further(shared, outline):
    path = shared / "decks" / "hostile" / "test-data_slideshow_missing-blip-fill.pptx"
    whole = path.read_bytes()
    for start in range(0, len(whole), 997):
        damaged = whole[:start] + bytes([whole[start] ^ 0xFF]) + whole[start + 1 :]
        try:
            with Package.from_bytes(damaged, "deck.pptx") as package:
                assert read_outline(package).path.name == "deck.pptx"
        except DecklabError as error:
            assert str(error).startswith("deck.pptx: ")


@pytest.fixture
def talk(presentation, tmp_path):
    """A deck with a chart, pictures behind nothing, and ten layouts that no slide uses."""
    data = CategoryChartData()
    data.categories = ["North", "South"]
    data.add_series("Sales", (1, 2))
    place = (0, 0, 100 * 12700, 100 * 12700)
    for _ in range(2):
        slide = presentation.slides.add_slide(presentation.slide_layouts[5])
        slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, *place, data)
    path = tmp_path / "talk.pptx"
    presentation.save(path)
    return path


def parsed_parts(path, monkeypatch):
    """How often each part is parsed while a deck is read in both views."""
    counts = Counter[str]()
    parse = Package.xml

    def counted(package, name):
        counts[name] += 1
        return parse(package, name)

    monkeypatch.setattr(Package, "xml", counted)
    with Package.open(path) as package:
        read_deck(package)
    return counts


def test_both_views_take_one_parse_of_each_part(talk, monkeypatch):
    counts = parsed_parts(talk, monkeypatch)
    assert set(counts.values()) == {1}
    kinds = ("presentation.xml", "slide1.xml", "slideLayout6.xml", "slideLayout1.xml",
             "slideMaster1.xml", "theme1.xml")  # fmt: skip
    assert set(kinds) <= {name.rpartition("/")[2] for name in counts}
    assert sum("/charts/chart" in name for name in counts) == 2


@pytest.mark.shared
@pytest.mark.parametrize("name", ["SmartArt", "table-with-theme", "backgrounds"])
def test_both_views_of_a_deck_of_features_take_one_parse_of_each_part(shared, monkeypatch, name):
    path = shared / "decks" / "features" / f"test-data_slideshow_{name}.pptx"
    assert set(parsed_parts(path, monkeypatch).values()) == {1}


def test_both_views_at_once_are_those_read_alone(talk):
    with Package.open(talk) as package:
        both = read_deck(package)
        assert both.elements == read_elements(package)
        assert both.outline == read_outline(package)


def test_the_problems_of_the_outline_are_those_of_the_elements_and_its_own(parts, part_xml, pack):
    given = parts() | {"ppt/layout.xml": part_xml("p:sldLayout", "<p:cSld/>")}
    with Package.from_bytes(pack(given), "deck.pptx") as package:
        both, elements = read_deck(package), read_elements(package)
    assert both.elements.problems == elements.problems == ()
    assert both.outline.problems == ("ppt/layout.xml: it has no shape tree",)
