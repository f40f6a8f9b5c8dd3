import io

import pytest
from pptx import Presentation
from pptx.chart.data import BubbleChartData, CategoryChartData, XyChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches

from decklab.deck.reading import read_outline
from decklab.ooxml.package import Package
from decklab.ooxml.workbook import Workbook

FRAME = (
    '<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="4" name="Chart 3"/><p:cNvGraphicFramePr/>'
    '<p:nvPr/></p:nvGraphicFramePr><p:xfrm><a:off x="0" y="0"/><a:ext cx="100" cy="100"/></p:xfrm>'
    '<a:graphic><a:graphicData uri="{}">{}</a:graphicData></a:graphic></p:graphicFrame>'
)
CHART = FRAME.format(
    "http://schemas.openxmlformats.org/drawingml/2006/chart", '<c:chart r:id="rC"/>'
)
EXTENDED = FRAME.format(
    "http://schemas.microsoft.com/office/drawing/2014/chartex", '<cx:chart r:id="rC"/>'
)


def chart_of(deck, related, part, *, frame=CHART, links=b"", parts=None):
    found = deck(
        frame,
        links=(related("rC", "chart", "chart.xml"),),
        parts={"ppt/chart.xml": part, "ppt/_rels/chart.xml.rels": links, **(parts or {})},
    )
    return found, found.slides[0].shapes[0].chart


def plot(part_xml, series, external=""):
    area = (
        f"<c:chart><c:plotArea><c:barChart>{series}</c:barChart><c:valAx/></c:plotArea></c:chart>"
    )
    return part_xml("c:chartSpace", area + external)


def built(kind, data):
    """A deck of python-pptx with one chart, opened."""
    deck = Presentation()
    shapes = deck.slides.add_slide(deck.slide_layouts[6]).shapes
    shapes.add_chart(kind, Inches(1), Inches(1), Inches(5), Inches(3), data)
    out = io.BytesIO()
    deck.save(out)
    return Package.from_bytes(out.getvalue(), "deck.pptx")


def test_what_python_pptx_plots_is_read_and_lies_in_its_workbook():
    data = CategoryChartData()
    data.categories = ["North", "South", "West"]
    data.add_series("2024", (1, 2.5, None))
    data.add_series("2025", (-3, 0, 1e-9))
    with built(XL_CHART_TYPE.COLUMN_CLUSTERED, data) as package:
        chart = read_outline(package).slides[0].shapes[0].chart
        assert chart.kinds == ("barChart",)
        assert [series.name for series in chart.series] == ["2024", "2025"]
        assert chart.series[0].values == (1, 2.5, None)
        assert chart.series[1].values == (-3, 0, 1e-9)
        assert chart.series[0].categories == ("North", "South", "West")
        assert chart.workbook is not None
        with Workbook.embedded(package, chart.workbook) as book:
            for series in chart.series:
                assert series.values_ref is not None and series.categories_ref is not None
                assert book.values(series.values_ref) == series.values
                assert book.values(series.categories_ref) == series.categories


@pytest.mark.parametrize(
    ("kind", "data", "name"),
    [
        (XL_CHART_TYPE.XY_SCATTER, XyChartData(), "scatterChart"),
        (XL_CHART_TYPE.BUBBLE, BubbleChartData(), "bubbleChart"),
    ],
)
def test_scatter_and_bubble_charts_have_x_for_categories(kind, data, name):
    series = data.add_series("points")
    for x, y in ((1, 10), (2.5, 20)):
        series.add_data_point(*((x, y) if name == "scatterChart" else (x, y, 1)))
    with built(kind, data) as package:
        chart = read_outline(package).slides[0].shapes[0].chart
    assert chart.kinds == (name,)
    assert (chart.series[0].values, chart.series[0].categories) == ((10, 20), ("1", "2.5"))


def cache(points, count="", kind="num"):
    inner = "".join(f'<c:pt idx="{idx}"><c:v>{value}</c:v></c:pt>' for idx, value in points)
    counted = f'<c:ptCount val="{count}"/>' if count != "" else ""
    return (
        f"<c:{kind}Ref><c:f>S!A1</c:f><c:{kind}Cache>{counted}{inner}</c:{kind}Cache></c:{kind}Ref>"
    )


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (cache([(0, "1"), (2, "3")], 4), (1, None, 3, None)),
        (cache([(0, "#N/A"), (1, "nan"), (2, "inf"), (3, "x")]), (None,) * 4),
        (cache([(1, "5")], 0), (None, 5)),
        (cache([(-1, "5"), ("x", "6")], 1), (None,)),
        (cache([], ""), ()),
        ("<c:numLit><c:ptCount val='1'/><c:pt idx='0'><c:v>9</c:v></c:pt></c:numLit>", (9,)),
        ("", ()),
    ],
)
def test_cached_values_keep_their_places(deck, related, part_xml, values, expected):
    part = plot(part_xml, f"<c:ser><c:val>{values}</c:val></c:ser>")
    _, chart = chart_of(deck, related, part)
    assert chart.series[0].values == expected


@pytest.mark.parametrize(
    "values", [cache([(0, "1")], 10**12), cache([(10**15, "1")]), cache([], "9" * 18)]
)
def test_a_cache_that_claims_endless_points_is_cut_and_noted(deck, related, part_xml, values):
    part = plot(part_xml, f"<c:ser><c:val>{values}</c:val></c:ser>")
    found, chart = chart_of(deck, related, part)
    assert len(chart.series[0].values) < 10_000
    assert len(found.problems) == 1
    assert found.problems[0].startswith("ppt/chart.xml: a series states ")


def test_names_may_be_literal_or_gone_and_categories_of_several_levels(deck, related, part_xml):
    levels = (
        "<c:multiLvlStrRef><c:f>S!$A$1:$B$2</c:f><c:multiLvlStrCache><c:ptCount val='2'/>"
        "<c:lvl><c:pt idx='0'><c:v>Q1</c:v></c:pt><c:pt idx='1'><c:v>Q2</c:v></c:pt></c:lvl>"
        "<c:lvl><c:pt idx='0'><c:v>2024</c:v></c:pt></c:lvl>"
        "</c:multiLvlStrCache></c:multiLvlStrRef>"
    )
    part = plot(
        part_xml,
        f"<c:ser><c:tx><c:v>Own</c:v></c:tx><c:cat>{levels}</c:cat></c:ser><c:ser/>"
        f"<c:ser><c:tx>{cache([(0, 'From a cell')], 1, 'str')}</c:tx></c:ser>",
    )
    _, chart = chart_of(deck, related, part)
    assert [series.name for series in chart.series] == ["Own", None, "From a cell"]
    assert chart.series[0].categories == ("Q1", "Q2")
    assert chart.series[0].categories_ref == "S!$A$1:$B$2"
    assert chart.series[0].category_levels == (("2024", "2024"),)
    assert chart.series[0].values_ref is None


def test_workbooks_are_embedded_linked_or_missing(deck, related, relations, part_xml):
    part = plot(part_xml, "", '<c:externalData r:id="rW"/>')
    inside = relations(related("rW", "package", "book.xlsx"))
    _, chart = chart_of(deck, related, part, links=inside, parts={"ppt/book.xlsx": b"x"})
    assert (chart.workbook, chart.workbook_link) == ("ppt/book.xlsx", None)
    outside = relations(related("rW", "oleObject", "file:///c:/book.xlsx", "External"))
    _, chart = chart_of(deck, related, part, links=outside)
    assert (chart.workbook, chart.workbook_link) == (None, "file:///c:/book.xlsx")
    _, chart = chart_of(deck, related, part, links=inside)
    assert (chart.workbook, chart.workbook_link) == (None, None)
    _, chart = chart_of(deck, related, plot(part_xml, ""), links=inside)
    assert (chart.workbook, chart.workbook_link) == (None, None)


def test_charts_of_office_2016_are_read_into_the_same_form(deck, related, relations, part_xml):
    data = (
        '<cx:chartData><cx:externalData r:id="rW"/><cx:data id="0">'
        '<cx:strDim type="cat"><cx:f>S!$A$2:$A$3</cx:f><cx:lvl ptCount="2">'
        '<cx:pt idx="0">In</cx:pt><cx:pt idx="1">Out</cx:pt></cx:lvl></cx:strDim>'
        '<cx:numDim type="val"><cx:f>S!$B$2:$B$3</cx:f><cx:lvl ptCount="2">'
        '<cx:pt idx="0">10</cx:pt><cx:pt idx="1">-4</cx:pt></cx:lvl></cx:numDim>'
        "</cx:data></cx:chartData>"
    )
    series = (
        '<cx:series layoutId="waterfall"><cx:tx><cx:txData><cx:v>Cash</cx:v></cx:txData></cx:tx>'
        '<cx:dataId val="0"/></cx:series><cx:series layoutId="waterfall"><cx:dataId val="7"/>'
        "</cx:series>"
    )
    part = part_xml(
        "cx:chartSpace", f"{data}<cx:chart><cx:plotArea>{series}</cx:plotArea></cx:chart>"
    )
    frame = (
        f'<mc:AlternateContent><mc:Choice Requires="cx1">{EXTENDED}</mc:Choice>'
        "<mc:Fallback><p:pic/></mc:Fallback></mc:AlternateContent>"
    )
    links = relations(related("rW", "package", "book.xlsx"))
    found, chart = chart_of(
        deck, related, part, frame=frame, links=links, parts={"ppt/book.xlsx": b""}
    )
    assert [shape.kind for shape in found.slides[0].shapes] == ["chart"]
    assert (chart.kinds, chart.workbook) == (("waterfall",), "ppt/book.xlsx")
    first, second = chart.series
    assert (first.name, first.values, first.values_ref) == ("Cash", (10, -4), "S!$B$2:$B$3")
    assert (first.categories, first.categories_ref) == (("In", "Out"), "S!$A$2:$A$3")
    assert (second.name, second.values, second.values_ref) == (None, (), None)


def test_a_chart_that_is_not_there_or_damaged_stays_a_chart(deck, related, part_xml):
    gone = deck(CHART)
    assert gone.slides[0].shapes[0].chart.part is None
    assert gone.problems == ("ppt/slide.xml: the chart of Chart 3 is not there",)
    found, chart = chart_of(deck, related, b"<c:chart")
    assert (chart.part, chart.series) == ("ppt/chart.xml", ())
    assert found.problems[0].startswith("ppt/chart.xml: not well-formed XML")
    _, empty = chart_of(deck, related, part_xml("c:chartSpace"))
    assert (empty.part, empty.kinds) == ("ppt/chart.xml", ())


def test_the_sizes_of_bubbles_keep_their_places(deck, related, part_xml):
    sizes = cache([(1, 9)], 2)
    part = plot(part_xml, f"<c:ser><c:bubbleSize>{sizes}</c:bubbleSize></c:ser><c:ser/>")
    _, chart = chart_of(deck, related, part)
    assert [series.sizes for series in chart.series] == [(None, 9.0), ()]
