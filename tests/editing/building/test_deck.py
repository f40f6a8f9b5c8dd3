"""Elements written to a deck and read again are the same elements."""

import io
import re
import subprocess
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from PIL import Image as Pixels
from pptx import Presentation
from tests.examples import examples

from decklab.core.errors import DeckError
from decklab.deck.deck import write_samples
from decklab.deck.model.base import Action, PlainSlide
from decklab.deck.model.shapes import (
    Body,
    Border,
    Bullet,
    Cell,
    Chart,
    Crop,
    Diagram,
    Ending,
    Gradient,
    Group,
    Image,
    Line,
    Paragraph,
    Pattern,
    Pen,
    Placeholder,
    Rect,
    Run,
    RunFont,
    Series,
    Solid,
    Spacing,
    Stop,
    Table,
    Text,
)
from decklab.deck.model.slide import SlideElements
from decklab.deck.reading import read_elements
from decklab.deck.views.snapshot import plain_slide
from decklab.editing.building.deck import build_deck, images_of
from decklab.ooxml.package import Package
from decklab.ooxml.validity.validating import validate
from decklab.ooxml.xml import qn

SHARED = Path(__file__).parents[4] / "shared" / "decks"
CLOSE = 0.02  # px or pt: twice the precision of geometry


def again(slides, folder, images=None):
    path = folder / "built.pptx"
    built = build_deck(slides, path, images=images)
    with Package.open(path) as package:
        return read_elements(package).slides, built


def differences(one, other, where=""):
    """Where two dumps differ; numbers may by CLOSE. Sources and theme slots do not count."""
    if isinstance(one, dict) and isinstance(other, dict):
        for key in {*one, *other} - {"sources", "slot", "theme_style"}:
            yield from differences(one.get(key), other.get(key), f"{where}.{key}")
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for index, (a, b) in enumerate(zip(one, other, strict=True)):
            yield from differences(a, b, f"{where}[{index}]")
    elif isinstance(one, float) and isinstance(other, float):
        if abs(one - other) > CLOSE:
            yield where, one, other
    elif one != other:
        yield where, one, other


def dumped(slide, *kinds):
    return slide.model_dump(mode="json", include=set(kinds))


px = st.integers(-5000, 100_000).map(lambda value: value / 100)
length = st.integers(100, 50_000).map(lambda value: value / 100)
angle = st.integers(0, 359).map(float)
color = st.integers(0, 0xFFFFFF).map("#{:06X}".format)
share = st.integers(0, 100).map(lambda value: value / 100)
words = st.text(
    st.characters(codec="utf-8", exclude_categories=["C", "Zl", "Zp"]), min_size=1, max_size=20
)
solids = st.builds(Solid, kind=st.just("solid"), color=color, alpha=share)
stops = st.lists(st.builds(Stop, position=share, color=color, alpha=share), min_size=2, max_size=4)
gradients = st.builds(
    Gradient,
    kind=st.just("gradient"),
    stops=stops.map(lambda items: tuple(sorted(items, key=lambda stop: stop.position))),
    angle=angle,
)
patterns = st.builds(
    Pattern, kind=st.just("pattern"), preset=st.just("pct50"), foreground=color, ground=color
)
endings = st.none() | st.builds(
    Ending, shape=st.sampled_from(["triangle", "oval"]), width=st.just("lg"), length=st.just("sm")
)
pens = st.builds(
    Pen, paint=solids, dash=st.sampled_from(["solid", "dash", "sysDot"]),
    cap=st.sampled_from(["flat", "rnd", "sq"]), join=st.sampled_from(["round", "bevel", "miter"]),
    head=endings, tail=endings,
)  # fmt: skip
fonts = st.builds(
    RunFont,
    name=st.sampled_from(["Arial", "Georgia", "Noto Sans"]),
    size=st.integers(100, 20_000).map(lambda value: value / 100),
    style=st.sampled_from([(), ("bold",), ("italic",), ("bold", "italic")]),
    color=color, alpha=share, east_asian=st.sampled_from(["", "MS Mincho"]),
    strike=st.sampled_from(["none", "single", "double"]),
    caps=st.sampled_from(["none", "small", "all"]),
    baseline=st.sampled_from([0.0, 0.3, -0.25]), spacing=st.integers(-10, 50).map(float),
    highlight=st.none() | color, language=st.sampled_from([None, "en-US", "ja-JP"]),
)  # fmt: skip
plain_runs = st.builds(Run, text=words, font=fonts)
runs = plain_runs | plain_runs.map(
    lambda run: run.model_copy(
        update={"font": underlined(run), "click": Action(kind="jump", target="nextslide")}
    )
)
spacings = st.builds(
    Spacing, value=st.integers(1, 300).map(lambda v: v / 100), unit=st.just("share")
) | st.builds(Spacing, value=st.integers(0, 72).map(float), unit=st.just("points"))
bullets = st.none() | st.builds(
    Bullet, kind=st.just("character"), character=st.sampled_from("•–*"),
    font=st.none() | st.just("Wingdings"), color=st.none() | color, size=st.none() | spacings,
) | st.builds(
    Bullet, kind=st.just("number"), scheme=st.just("arabicPeriod"), start=st.integers(1, 9)
)  # fmt: skip
paragraphs = st.builds(
    Paragraph, runs=st.lists(runs, min_size=1, max_size=3).map(tuple),
    align=st.sampled_from(["left", "center", "right", "justify", "distributed"]),
    level=st.integers(0, 8), bullet=bullets, margin_left=st.integers(0, 90).map(float),
    indent=st.integers(-30, 30).map(float), line_spacing=spacings, space_before=spacings,
    space_after=spacings, right_to_left=st.booleans(),
)  # fmt: skip
bodies = st.builds(
    Body, anchor=st.sampled_from(["top", "middle", "bottom"]), wraps=st.booleans(),
    autofit=st.sampled_from(["none", "grow"]), columns=st.integers(1, 3),
    inset_left=st.integers(0, 20).map(float), direction=st.sampled_from(["horz", "vert"]),
) | st.builds(
    Body, autofit=st.just("shrink"), font_scale=st.sampled_from([0.625, 0.9]),
    line_reduction=st.sampled_from([0.0, 0.1, 0.2]),
)  # fmt: skip


def underlined(run):
    """Links are underlined wherever they are shown."""
    style = tuple(dict.fromkeys((*run.font.style, "underscore")))
    return run.font.model_copy(update={"style": style, "underline": "sng"})


common = {
    "name": words, "alt_text": st.just("") | words, "rotation": angle, "flip_h": st.booleans(),
    "flip_v": st.booleans(), "hidden": st.booleans(), "decorative": st.booleans(),
}  # fmt: skip
boxes = {"x": px, "y": px, "w": length, "h": length}


@st.composite
def painted(draw):
    paint, pen = draw(solids | gradients | patterns), draw(pens)
    geometry = draw(st.sampled_from(["rect", "ellipse", "chevron", "roundRect"]))
    rect = draw(
        st.builds(
            Rect, **common, **boxes, rx=st.just(0.0), paint=st.just(paint), pen=st.just(pen),
            geometry=st.just(geometry), stroke=st.just(pen.paint.color),
            strokeWidth=st.integers(0, 20).map(float), fill=st.none(),
            adjustments=st.just({"adj": 30_000} if geometry in ("chevron", "roundRect") else {}),
        )
    )  # fmt: skip
    rx = round(min(rect.w, rect.h) * 0.3, 2) if geometry == "roundRect" else 0.0
    return rect.model_copy(update={"rx": rx})


@st.composite
def written(draw):
    items = draw(st.lists(paragraphs, min_size=1, max_size=3))
    text = draw(
        st.builds(
            Text, **common, **boxes, text=st.just("\n".join(item.text for item in items)),
            font=fonts, align=st.just("left"), paragraphs=st.just(tuple(items)), body=bodies,
            placeholder=st.none() | st.just(Placeholder(type="title")),
        )
    )  # fmt: skip
    return text.model_copy(
        update={"paragraphs": tuple(reduced(item, text.body) for item in text.paragraphs)}
    )


def reduced(paragraph, body):
    """Line spacing as it is after what autofit takes off: never less than nothing."""
    line = paragraph.line_spacing
    if line.unit == "points" or line.value >= body.line_reduction:
        return paragraph
    return paragraph.model_copy(update={"line_spacing": Spacing(value=0.0, unit="share")})


@st.composite
def drawn_lines(draw):
    pen = draw(pens)
    ends = dict.fromkeys(("x1", "y1", "x2", "y2"), px)
    return draw(
        st.builds(
            Line, **{**common, "flip_h": st.just(False), "flip_v": st.just(False)}, **ends,
            stroke=st.just(pen.paint.color), strokeWidth=st.integers(0, 20).map(float),
            pen=st.just(pen),
            geometry=st.sampled_from(["line", "lineInv", "straightConnector1", "bentConnector3"]),
        )
    )  # fmt: skip


slides = st.lists(painted() | written() | drawn_lines(), max_size=4).map(
    lambda items: [item.model_copy(update={"z": z, "id": z + 2}) for z, item in enumerate(items)]
)


def slide_with(items, **more):
    lists = {"texts": Text, "rects": Rect, "lines": Line, "images": Image, "tables": Table}
    found: dict[str, Any] = {
        name: tuple(item for item in items if isinstance(item, kind))
        for name, kind in lists.items()
    }
    return SlideElements(background="#FFFFFF", **found, **more)


DERIVED = {"texts": ("font", "align"), "rects": ("fill",), "lines": ("flip_h", "flip_v")}
"""The plain font and alignment are worked out from the runs, a gradient's colour from its stops,
the flips of a line from its ends."""


def stated(slide):
    found = dumped(slide, *DERIVED)
    for kind, names in DERIVED.items():
        for item in found[kind]:
            for name in names:
                item.pop(name)
    return found


@examples(25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(items=slides)
def test_random_areas_texts_and_lines_come_back_the_same(items, tmp_path):
    slide = slide_with(items)
    (found,), built = again([slide], tmp_path)
    assert built.left_out == ()
    assert list(differences(stated(slide), stated(found))) == []


def font(**more):
    return RunFont(**{"name": "Arial", "size": 20.0, "style": (), "color": "#102030", **more})


def test_the_plain_schema_alone_makes_a_deck(tmp_path):
    text = (
        '{"size":{"w":960,"h":540},"background":"#FAFAFA","texts":[{"x":10,"y":20,"w":300,"h":40,'
        '"text":"Hello\\nworld","font":{"name":"Arial","size":24,"style":["bold","underscore"],'
        '"color":"#102030"},"align":"center"}],"rects":[{"x":1,"y":2,"w":200,"h":100,"rx":10,'
        '"fill":"#FF0000","stroke":"#00FF00","strokeWidth":2}],"lines":[{"x1":300,"y1":10,"x2":20,'
        '"y2":200,"stroke":"#0000FF","strokeWidth":1.5}],"images":[],"tables":[{"x":5,"y":300,'
        '"w":400,"h":80,"cells":[["a","b"],["c","d"]]}]}'
    )
    asked = SlideElements.model_validate_json(text)
    (found,), built = again([asked], tmp_path)
    assert built.left_out == ()
    want = PlainSlide.model_validate_json(text).model_dump(mode="json")
    assert list(differences(want, plain_slide(found).model_dump(mode="json"))) == []


def test_a_painted_shape_and_its_text_become_one_shape(tmp_path):
    rect = Rect(x=1, y=2, w=30, h=40, rx=0, fill="#FF0000", stroke=None, strokeWidth=0, z=0, id=9)
    run = Run(text="In it", font=font())
    text = Text(
        x=1, y=2, w=30, h=40, text="In it", font=font(), align="left", z=0, id=9,
        paragraphs=(Paragraph(runs=(run,)),),
    )  # fmt: skip
    (found,), built = again([slide_with([rect, text])], tmp_path)
    assert (found.rects[0].z, found.texts[0].z) == (0, 0)
    assert (found.rects[0].id, found.texts[0].text) == (9, "In it")
    (shape,) = Presentation(built.path).slides[0].shapes
    assert shape.text_frame.text == "In it"


@pytest.mark.parametrize("fill", ["#FF0000", None])
def test_an_area_without_text_stays_one(tmp_path, fill):
    rect = Rect(x=1, y=2, w=30, h=40, rx=0, fill=fill, stroke=None, strokeWidth=0, z=0, id=9)
    (found,), _ = again([slide_with([rect])], tmp_path)
    assert [area.fill for area in found.rects] == [fill]
    assert found.texts == ()


def test_pictures_need_their_bytes(tmp_path):
    out = io.BytesIO()
    Pixels.new("RGB", (3, 2), "red").save(out, "PNG")
    digest = sha256(out.getvalue()).hexdigest()
    image = Image(
        x=10, y=20, w=30, h=40, sha256=digest, content_type="image/png", pixels=(3, 2), z=0, id=2,
        crop=Crop(left=0.25, bottom=-0.1), alpha=0.5, name="Pic",
    )  # fmt: skip
    slide = slide_with([image])
    (found,), built = again([slide], tmp_path, {digest: out.getvalue()})
    assert built.left_out == ()
    assert list(differences(dumped(slide, "images"), dumped(found, "images"))) == []
    (found,), built = again([slide], tmp_path)
    assert found.images == ()
    assert built.left_out == ("slide 1: Pic (id 2): the bytes of its image are not at hand",)


def test_a_picture_for_a_bullet_needs_its_bytes_too(tmp_path):
    out = io.BytesIO()
    Pixels.new("RGB", (2, 2), "blue").save(out, "PNG")
    digest = sha256(out.getvalue()).hexdigest()
    bullet = Bullet(kind="picture", sha256=digest, size=Spacing(value=0.5, unit="share"))
    paragraph = Paragraph(runs=(Run(text="x", font=font()),), bullet=bullet)
    text = Text(
        x=0, y=0, w=90, h=20, text="x", font=font(), align="left", z=0, id=2,
        paragraphs=(paragraph,),
    )  # fmt: skip
    (found,), built = again([slide_with([text])], tmp_path, {digest: out.getvalue()})
    assert found.texts[0].paragraphs[0].bullet == bullet
    slide = Presentation(built.path).slides[0]
    (blip,) = slide.shapes[0]._element.xpath(".//a:buBlip/a:blip")
    assert slide.part.related_part(blip.get(qn("r:embed"))).blob == out.getvalue()
    (found,), _built = again([slide_with([text])], tmp_path)
    assert found.texts[0].paragraphs[0].bullet is None


def cell(text, **more):
    run = Run(text=text, font=font())
    return Cell(text=text, paragraphs=(Paragraph(runs=(run,)),), **more)


def test_a_table_with_merged_and_painted_cells(tmp_path):
    border = Border(
        stroke="#00FF00", strokeWidth=2.0, pen=Pen(paint=Solid(kind="solid", color="#00FF00"))
    )
    rows = (
        (cell("a", column_span=2, row_span=2), cell("", covered=True), cell("b", left=border)),
        (cell("", covered=True), cell("", covered=True), cell("c")),
        (
            cell("d", fill="#FF0000", paint=Solid(kind="solid", color="#FF0000")),
            cell("e", body=Body(anchor="middle", inset_left=1.0)),
            cell("f"),
        ),
    )
    table = Table(
        x=10, y=20, w=300, h=90, z=0, id=2, name="T", columns=(100.0, 100.0, 100.0), rows=rows,
        heights=(30.0, 30.0, 30.0), first_row=True,
        cells=tuple(tuple("" if c.covered else c.text for c in row) for row in rows),
    )  # fmt: skip
    slide = slide_with([table])
    (found,), _built = again([slide], tmp_path)
    empty = (".runs", ".endParaRPr")
    changed = [
        item
        for item in differences(dumped(slide, "tables"), dumped(found, "tables"))
        if not item[0].endswith(empty)
    ]
    assert changed == []


@pytest.mark.parametrize("kind", ["column", "bar", "line", "area"])
@pytest.mark.parametrize("grouping", ["standard", "stacked", "percentStacked"])
def test_native_charts_with_a_workbook(tmp_path, kind, grouping):
    first = "clustered" if kind in ("column", "bar") and grouping == "standard" else grouping
    series = tuple(
        Series(name=name, values=values, categories=("x", "y"), plot=kind, color=color)
        for name, values, color in (("A", (1.5, None), "#FF0000"), ("B", (3.0, -4.0), None))
    )
    chart = Chart(
        x=10, y=20, w=300, h=200, z=0, id=2, name="C", type=kind, grouping=first, plots=(kind,),
        series=series, title="Title", legend="b", labels=True, alt_text="alt",
    )  # fmt: skip
    slide = SlideElements(background="#FFFFFF", charts=(chart,))
    (found,), built = again([slide], tmp_path)
    (got,) = found.charts
    kept = ("x", "w", "type", "grouping", "plots", "title", "legend", "labels", "alt_text", "id")
    assert [getattr(got, name) for name in kept] == [getattr(chart, name) for name in kept]
    assert [(s.name, s.values, s.categories, s.color) for s in got.series] == [
        (s.name, s.values, s.categories, s.color) for s in series
    ]
    native = next(shape for shape in Presentation(built.path).slides[0].shapes if shape.has_chart)
    assert native.chart.part.chart_workbook.xlsx_part is not None


@pytest.mark.parametrize("kind", ["radar", "line", "pie", "scatter", "bubble"])
def test_charts_of_every_kind_are_valid(tmp_path, kind):
    series = (Series(name="A", values=(1.0, 2.0), categories=("1", "2"), plot=kind, sizes=()),)
    chart = Chart(
        x=10, y=20, w=300, h=200, z=0, id=2, name="C", type=kind, plots=(kind,), series=series
    )
    _found, built = again([SlideElements(background="#FFFFFF", charts=(chart,))], tmp_path)
    assert built.left_out == ()
    with Package.open(built.path) as package:
        assert [problem for problem in validate(package) if problem.severity == "error"] == []


def test_points_and_pies_and_what_cannot_be_a_chart(tmp_path):
    def chart(kind, **more):
        series = Series(name="S", values=(1.0, 2.0), categories=("3", "4"), plot=kind, **more)
        return Chart(x=0, y=0, w=90, h=90, type=kind, plots=(kind,), series=(series,), z=0, id=2)

    for kind in ("scatter", "pie", "doughnut"):
        (found,), _ = again([SlideElements(background="#FFFFFF", charts=(chart(kind),))], tmp_path)
        assert (found.charts[0].type, found.charts[0].series[0].values) == (kind, (1.0, 2.0))
        assert found.charts[0].series[0].categories == ("3", "4")
    odd = SlideElements(background="#FFFFFF", charts=(chart("waterfall"),))
    (found,), built = again([odd], tmp_path)
    assert found.charts == ()
    assert "waterfall cannot be written" in built.left_out[0]


def test_turned_groups_hold_their_members_where_they_were(tmp_path):
    group = Group(x=100, y=100, w=200, h=100, rotation=30.0, flip_h=True, id=5, z=0, name="G")
    inner = Group(x=120, y=110, w=50, h=50, rotation=300.0, id=6, z=1, name="H", groups=(5,))
    rect = Rect(
        x=130, y=120, w=20, h=10, rx=0, fill="#FF0000", stroke=None, strokeWidth=0, id=7, z=2,
        rotation=75.0, groups=(5, 6), name="R", paint=Solid(kind="solid", color="#FF0000"),
    )  # fmt: skip
    slide = SlideElements(background="#FFFFFF", groups=(group, inner), rects=(rect,))
    (found,), _ = again([slide], tmp_path)
    kinds = ("groups", "rects")
    assert list(differences(dumped(slide, *kinds), dumped(found, *kinds))) == []


def test_a_group_that_names_itself_or_no_one_stands_on_the_slide(tmp_path):
    group = Group(x=0, y=0, w=9, h=9, id=5, z=0, name="G", groups=(5, 77))
    (found,), _ = again([SlideElements(background="#FFFFFF", groups=(group,))], tmp_path)
    assert [(one.name, one.groups) for one in found.groups] == [("G", ())]


def test_deeply_nested_groups_take_no_time(tmp_path):
    groups = tuple(
        Group(x=0, y=0, w=9, h=9, id=2 + n, z=n, rotation=10.0, groups=tuple(range(2, 2 + n)))
        for n in range(40)
    )
    (found,), _ = again([SlideElements(background="#FFFFFF", groups=groups)], tmp_path)
    assert [one.rotation for one in found.groups] == [10.0] * 40


def test_links_notes_and_hidden_slides_are_kept(tmp_path):
    run = Run(
        text="go", font=font(style=("underscore",), underline="sng"),
        click=Action(kind="url", target="https://example.org/"),
    )  # fmt: skip
    text = Text(
        x=0, y=0, w=90, h=20, text="go", font=font(), align="left", z=0, id=2,
        paragraphs=(Paragraph(runs=(run,)),), click=Action(kind="slide", target="300"),
    )  # fmt: skip
    first = slide_with([text], id=256, notes="Say\nthis", hidden=True, name="One")
    second = SlideElements(background="#000000", id=300, number=2)
    found, built = again([first, second], tmp_path)
    assert [slide.id for slide in found] == [256, 300]
    assert (found[0].notes, found[0].hidden, found[0].name) == ("Say\nthis", True, "One")
    assert found[0].texts[0].click == text.click
    assert found[0].texts[0].paragraphs[0].runs[0].click == run.click
    assert found[0].texts[0].paragraphs[0].runs[0].font.color == "#102030"
    assert found[1].background == "#000000"
    assert built.left_out == ()


def test_what_cannot_be_written_is_named(tmp_path):
    slide = SlideElements(
        background="#FFFFFF", diagrams=(Diagram(x=0, y=0, w=9, h=9, id=4, name="D"),)
    )
    _found, built = again([slide], tmp_path)
    assert built.left_out == ("slide 1: D (id 4): diagram elements cannot be written",)


def test_what_xml_cannot_hold_is_left_out_of_names_labels_and_links(tmp_path):
    series = Series(name="S\x00", values=(1.0,), categories=("a\x07",))
    chart = Chart(x=0, y=0, w=9, h=9, type="column", title="T\x01", series=(series,), z=1, id=3)
    text = Text(
        x=0, y=0, w=9, h=9, text="x\x02", font=font(), align="left", z=0, id=2,
        name='"N\x03"', alt_text="<\ud800>", click=Action(kind="url", target="\x05x:y"),
    )  # fmt: skip
    slide = slide_with([text], name="One\x04", charts=(chart,), notes="Say\x06")
    found, built = again([slide], tmp_path)
    assert built.left_out == ()
    (text,), (chart,) = found[0].texts, found[0].charts
    assert (text.text, text.name, text.alt_text, text.click.target) == ("x", '"N"', "<>", "x:y")
    assert (chart.title, chart.series[0].name, chart.series[0].categories) == ("T", "S", ("a",))
    assert found[0].name == "One"


@pytest.mark.parametrize("size", [(71.0, 540.0), (960.0, 1e9), (-960.0, 540.0)])
def test_slides_of_no_possible_size_are_refused_in_one_line(tmp_path, size):
    slide = SlideElements(background="#FFFFFF", size_pt=size)
    with pytest.raises(DeckError, match="72 to 4032"):
        build_deck([slide], tmp_path / "deck.pptx")
    assert list(tmp_path.iterdir()) == []


def test_no_slides_make_an_empty_deck(tmp_path):
    found, built = again([], tmp_path)
    assert found == ()
    assert len(Presentation(built.path).slides) == 0


def test_equal_elements_give_equal_bytes(tmp_path):
    series = Series(name="S", values=(1.0,), categories=("a",))
    chart = Chart(x=0, y=0, w=90, h=90, type="pie", plots=("pie",), series=(series,), z=0, id=2)
    slide = SlideElements(background="#FFFFFF", charts=(chart,))
    one, two = (build_deck([slide], tmp_path / name).path for name in ("a.pptx", "b.pptx"))
    assert one.read_bytes() == two.read_bytes()


def test_a_deck_that_cannot_be_written_leaves_nothing(tmp_path):
    taken = tmp_path / "deck.pptx"
    taken.mkdir()
    with pytest.raises(OSError, match="directory"):
        build_deck([], taken)
    assert list(tmp_path.iterdir()) == [taken]


COVERED = ("texts", "rects", "lines", "images", "tables", "groups", "notes", "hidden", "title")
KNOWN = (
    "effects",  # read by name only
    "style_id", "workbook", "values_ref", "categories_ref",
)  # fmt: skip


def guessed(where, before):
    found = re.match(r"\.texts\[(\d+)\]\.font", where)
    return found is not None and not before["texts"][int(found[1])]["text"].strip()


def lost(path: Path, folder: Path) -> tuple[int, list]:
    """Number of values and those that came back different, but for what is known to.

    The font of a text without characters is no more than a guess, and not written.
    """
    with Package.open(path) as package:
        deck, images = read_elements(package), images_of(package)
    found, _built = again(deck.slides, folder, images)
    total, changed = 0, []
    for one, other in zip(deck.slides, found, strict=True):
        before = dumped(one, *COVERED)
        total += len(str(before)) // 20  # a value with its name takes some twenty characters
        changed += [
            item
            for item in differences(before, dumped(other, *COVERED))
            if not any(name in item[0] for name in KNOWN) and not guessed(item[0], before)
        ]
    return total, changed


@pytest.mark.long
def test_the_samples_come_back_as_they_were(tmp_path):
    for path in write_samples(tmp_path / "samples"):
        total, changed = lost(path, tmp_path)
        assert total > 500
        assert [item for item in changed if not item[0].endswith(".z")] == []


@pytest.mark.by_day(1)
@pytest.mark.shared
@pytest.mark.parametrize(
    "path", sorted((SHARED / "real").glob("*.pptx")), ids=lambda path: path.stem[:40]
)
def test_real_decks_come_back_with_few_changes(path, tmp_path):
    total, changed = lost(path, tmp_path)
    assert len(changed) <= 0.001 * total, changed[:20]


@pytest.mark.long
@pytest.mark.office
def test_libreoffice_opens_what_was_built(tmp_path):
    rich = next(path for path in write_samples(tmp_path) if path.stem == "rich")
    with Package.open(rich) as package:
        deck, images = read_elements(package), images_of(package)
    build_deck(deck.slides, tmp_path / "built.pptx", images=images)
    subprocess.run(
        ["soffice", f"-env:UserInstallation=file://{tmp_path}/profile", "--headless",
         "--convert-to", "pdf", "--outdir", str(tmp_path), str(tmp_path / "built.pptx")],
        check=True, capture_output=True, timeout=120,
    )  # fmt: skip
    assert (tmp_path / "built.pdf").stat().st_size > 10_000
