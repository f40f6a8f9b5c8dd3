"""Tables, charts, pictures, media and notes against what python-pptx wrote."""

import hashlib
import io

import pytest
from PIL import Image
from pptx.chart.data import BubbleChartData, CategoryChartData, XyChartData
from pptx.dml.color import RGBColor
from pptx.enum.chart import XL_CHART_TYPE, XL_LEGEND_POSITION
from pptx.util import Pt

BOX = (Pt(10), Pt(20), Pt(400), Pt(200))


@pytest.fixture
def page(presentation):
    return presentation.slides.add_slide(presentation.slide_layouts[6])


def test_a_table_with_merged_cells(presentation, page, saved):
    frame = page.shapes.add_table(3, 3, *BOX)
    table = frame.table
    for row in range(3):
        for column in range(3):
            table.cell(row, column).text = f"{row}{column}"
    table.cell(0, 0).merge(table.cell(1, 1))
    table.cell(2, 2).fill.solid()
    table.cell(2, 2).fill.fore_color.rgb = RGBColor(0, 128, 255)
    table.columns[0].width = Pt(100)
    table.rows[0].height = Pt(30)
    (found,) = saved(presentation).slides[0].tables
    assert (found.x, found.y) == (10, 20)
    assert found.w == pytest.approx(frame.width / 12700, abs=0.006)
    assert found.columns[0] == 100
    assert found.heights[0] == 30
    assert found.cells[2] == ("20", "21", "22")
    assert (found.cells[0][1], found.cells[1][0], found.cells[1][1]) == ("", "", "")
    merged = found.rows[0][0]
    assert (merged.row_span, merged.column_span, merged.covered) == (2, 2, False)
    assert [found.rows[0][1].covered, found.rows[1][0].covered] == [True, True]
    assert (found.rows[2][2].fill, found.rows[2][2].sources) == ("#0080FF", {"fill": "shape"})
    assert (found.first_row, found.row_bands, found.first_column) == (True, True, False)
    assert found.rows[0][2].sources == {"fill": "table_style"}


def category_data():
    data = CategoryChartData()
    data.categories = ["Q1", "Q2"]
    data.add_series("North", (1.5, None))
    data.add_series("South", (3, 4))
    return data


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        (XL_CHART_TYPE.COLUMN_CLUSTERED, ("column", "clustered")),
        (XL_CHART_TYPE.BAR_STACKED, ("bar", "stacked")),
        (XL_CHART_TYPE.LINE, ("line", "standard")),
        (XL_CHART_TYPE.AREA_STACKED_100, ("area", "percentStacked")),
        (XL_CHART_TYPE.PIE, ("pie", None)),
    ],
)
def test_a_chart_with_its_series(presentation, page, saved, kind, expected):
    page.shapes.add_chart(kind, *BOX, category_data())
    (chart,) = saved(presentation).slides[0].charts
    assert (chart.type, chart.grouping, chart.plots) == (*expected, expected[:1])
    assert chart.series[0].values == (1.5, None)
    assert [(s.name, s.categories) for s in chart.series][:1] == [("North", ("Q1", "Q2"))]
    assert chart.series[0].values_ref == "Sheet1!$B$2:$B$3"
    assert chart.workbook is not None


def test_what_stands_around_a_chart(presentation, page, saved):
    chart = page.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, *BOX, category_data()).chart
    chart.has_title = True
    chart.chart_title.text_frame.text = "Sales"
    chart.has_legend = True
    chart.legend.position = XL_LEGEND_POSITION.BOTTOM
    chart.value_axis.has_title = True
    chart.value_axis.axis_title.text_frame.text = "EUR"
    chart.value_axis.maximum_scale = 9
    chart.plots[0].has_data_labels = True
    chart.plots[0].data_labels.show_value = True
    fill = chart.plots[0].series[0].format.fill
    fill.solid()
    fill.fore_color.rgb = RGBColor(255, 0, 0)
    (found,) = saved(presentation).slides[0].charts
    assert (found.title, found.legend, found.labels) == ("Sales", "b", True)
    assert [(a.kind, a.title, a.maximum) for a in found.axes] == [
        ("category", None, None), ("value", "EUR", 9.0),
    ]  # fmt: skip
    assert [s.color for s in found.series] == ["#FF0000", None]


def test_points_and_bubbles(presentation, page, saved):
    points = XyChartData()
    points.add_series("S").add_data_point(1.5, 2)
    bubbles = BubbleChartData()
    bubbles.add_series("S").add_data_point(3, 4, 5)
    page.shapes.add_chart(XL_CHART_TYPE.XY_SCATTER, *BOX, points)
    page.shapes.add_chart(XL_CHART_TYPE.BUBBLE, *BOX, bubbles)
    first, second = saved(presentation).slides[0].charts
    assert (first.series[0].categories, first.series[0].values) == (("1.5",), (2.0,))
    assert (second.series[0].categories, second.series[0].sizes) == (("3",), (5.0,))


def png(color) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (4, 2), color).save(out, "PNG")
    return out.getvalue()


def test_a_cropped_and_turned_picture(presentation, page, saved):
    data = png("red")
    picture = page.shapes.add_picture(io.BytesIO(data), *BOX)
    picture.crop_left, picture.crop_bottom, picture.rotation = 0.25, -0.5, 30
    (image,) = saved(presentation).slides[0].images
    assert image.sha256 == hashlib.sha256(data).hexdigest()
    assert (image.pixels, image.content_type) == ((4, 2), "image/png")
    assert (image.crop.left, image.crop.top, image.crop.bottom) == (0.25, 0, -0.5)
    assert (image.x, image.y, image.w, image.h, image.rotation) == (10, 20, 400, 200, 30)


def test_a_film_has_its_bytes_and_its_poster(presentation, page, saved):
    poster = png("blue")
    page.shapes.add_movie(
        io.BytesIO(b"film"), *BOX, poster_frame_image=io.BytesIO(poster), mime_type="video/mp4"
    )
    (media,) = saved(presentation).slides[0].media
    assert (media.medium, media.media_type) == ("video", "video/mp4")
    assert media.media_sha256 == hashlib.sha256(b"film").hexdigest()
    assert media.sha256 == hashlib.sha256(poster).hexdigest()


def test_notes_of_two_paragraphs(presentation, page, saved):
    page.notes_slide.notes_text_frame.text = "First\nSecond"
    assert saved(presentation).slides[0].notes == "First\nSecond"


def test_title_names_and_properties(presentation, saved):
    page = presentation.slides.add_slide(presentation.slide_layouts[5])
    page.shapes.title.text = "Hello"
    presentation.core_properties.author = "Ann"
    deck = saved(presentation)
    assert deck.slides[0].title == "Hello"
    assert (deck.slides[0].layout, deck.slides[0].master) == ("Title Only", "Office Theme")
    assert deck.properties["creator"] == "Ann"
    assert [(one.name, one.used) for one in deck.layouts if one.used] == [("Title Only", True)]
    assert len(deck.layouts) == len(presentation.slide_layouts)
    assert deck.themes[0].colors["accent1"] == "#4F81BD"


@pytest.mark.parametrize(
    ("inner", "crop"),
    [
        ('<a:srcRect l="10000" t="-5000"/>', (0.1, -0.05, 0, 0)),
        ("<a:stretch><a:fillRect/></a:stretch>", (0, 0, 0, 0)),
        # the image lies from -1/4 to 5/4 of the area: of 3/2 its width, 1/4 is beyond each edge
        ('<a:stretch><a:fillRect l="-25000" r="-25000"/></a:stretch>', (1 / 6, 0, 1 / 6, 0)),
        # from 1/2 to 1: as much room again before it
        ('<a:stretch><a:fillRect l="50000"/></a:stretch>', (-1, 0, 0, 0)),
        # the right half of the image, over the area's upper half
        ('<a:srcRect l="50000"/><a:stretch><a:fillRect b="50000"/></a:stretch>', (0.5, 0, 0, -1)),
        ('<a:stretch><a:fillRect l="50000" r="50000"/></a:stretch>', (0, 0, 0, 0)),
        ('<a:srcRect l="50000"/><a:tile/>', (0.5, 0, 0, 0)),
    ],
)
def test_a_picture_in_an_area_is_cut_and_stretched(slide_of, sp, related, inner, crop):
    blip = f'<a:blipFill><a:blip r:embed="rP"/>{inner}</a:blipFill>'
    slide = slide_of(
        sp(blip), links=(related("rP", "image", "media/a.png"),), parts={"ppt/media/a.png": b"x"}
    )
    found = slide.rects[0].paint.crop
    assert (found.left, found.top, found.right, found.bottom) == pytest.approx(crop, abs=1e-5)


def test_categories_of_two_levels(presentation, page, saved):
    data = CategoryChartData()
    for year in ("2023", "2024"):
        one = data.add_category(year)
        for quarter in ("Q1", "Q2"):
            one.add_sub_category(quarter)
    data.add_series("S", (1, 2, 3, 4))
    page.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, *BOX, data)
    (series,) = saved(presentation).slides[0].charts[0].series
    assert series.categories == ("Q1", "Q2", "Q1", "Q2")
    assert series.category_levels == (("2023", "2023", "2024", "2024"),)


def graphic(uri, inner):
    return (
        '<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="9" name="G"/><p:cNvGraphicFramePr/>'
        f'<p:nvPr/></p:nvGraphicFramePr><p:xfrm/><a:graphic><a:graphicData uri="{uri}">{inner}'
        "</a:graphicData></a:graphic></p:graphicFrame>"
    )


WATERFALL = graphic(
    "http://schemas.microsoft.com/office/drawing/2014/chartex", '<cx:chart r:id="rC"/>'
)
PLAIN_CHART = graphic(
    "http://schemas.openxmlformats.org/drawingml/2006/chart", '<c:chart r:id="rC"/>'
)


@pytest.mark.parametrize(
    "title",
    [
        "<cx:tx><cx:rich><a:p><a:r><a:t>Cash</a:t></a:r></a:p></cx:rich></cx:tx>",
        "<cx:tx><cx:txData><cx:v>Cash</cx:v></cx:txData></cx:tx>",
    ],
)
def test_a_chart_of_office_2016_has_its_type_title_and_values(slide_of, related, part_xml, title):
    data = (
        '<cx:chartData><cx:data id="0"><cx:strDim type="cat"><cx:lvl><cx:pt idx="0">In</cx:pt>'
        '</cx:lvl></cx:strDim><cx:numDim type="val"><cx:lvl><cx:pt idx="0">10</cx:pt></cx:lvl>'
        "</cx:numDim></cx:data></cx:chartData>"
    )
    series = '<cx:series layoutId="waterfall"><cx:dataId val="0"/></cx:series>'
    plot = f"<cx:plotArea><cx:plotAreaRegion>{series}</cx:plotAreaRegion></cx:plotArea>"
    chart = f"<cx:chart><cx:title>{title}</cx:title>{plot}</cx:chart>"
    (found,) = slide_of(
        WATERFALL,
        links=(related("rC", "chartEx", "chart.xml"),),
        parts={"ppt/chart.xml": part_xml("cx:chartSpace", data + chart)},
    ).charts
    assert (found.type, found.plots, found.title) == ("waterfall", ("waterfall",), "Cash")
    assert [(one.categories, one.values) for one in found.series] == [(("In",), (10.0,))]


def test_a_chart_that_cannot_be_read_stays_one(slide_of, related):
    (found,) = slide_of(
        PLAIN_CHART, links=(related("rC", "chart", "c.xml"),), parts={"ppt/c.xml": b"<c:chart"}
    ).charts
    assert (found.type, found.series, found.name) == ("unknown", (), "G")


def test_a_linked_object_says_where_it_is(slide_of, related):
    slide = slide_of(
        graphic(
            "http://schemas.openxmlformats.org/presentationml/2006/ole",
            '<p:oleObj progId="Word.Document.12" r:id="rO"><p:link/></p:oleObj>',
        ),
        links=(related("rO", "oleObject", "file:///c:/text.docx", "External"),),
    )
    (other,) = slide.others
    assert (other.what, other.detail) == ("ole", "Word.Document.12")
    assert (other.sha256, other.link) == (None, "file:///c:/text.docx")


def test_sound_is_a_medium_too(slide_of, related):
    sound = (
        '<p:pic><p:nvPicPr><p:cNvPr id="4" name="Sound"/><p:cNvPicPr/><p:nvPr><a:audioFile '
        'r:link="rA"/></p:nvPr></p:nvPicPr><p:blipFill/><p:spPr/></p:pic>'
    )
    inside = slide_of(
        sound, links=(related("rA", "audio", "media/a.png"),), parts={"ppt/media/a.png": b"abc"}
    )
    outside = slide_of(sound, links=(related("rA", "audio", "https://x.org/a.mp3", "External"),))
    (one,), (other,) = inside.media, outside.media
    assert (one.medium, one.media_link) == ("audio", None)
    assert one.media_sha256 == hashlib.sha256(b"abc").hexdigest()
    assert (other.media_sha256, other.media_link) == (None, "https://x.org/a.mp3")
