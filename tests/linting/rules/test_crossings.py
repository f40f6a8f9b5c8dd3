import numpy as np
import pytest

from decklab.deck.model.shapes import Line
from decklab.deck.model.slide import TemplateElements
from decklab.linting.rules.every import integrity_findings
from decklab.linting.rules.page import Page

WORDS = "Approved request of today"


def line(build, x1, y1, x2, y2, **fields):
    place = build._common(0, 0, 0, 0, {})
    plain = {key: place[key] for key in ("id", "z", "name")}
    ends = {"x1": float(x1), "y1": float(y1), "x2": float(x2), "y2": float(y2)}
    return Line(**plain | ends | {"stroke": "#CC0000", "strokeWidth": 2.0} | fields)


def drawn_slide(build, spans, strokes=(), color=(204, 0, 0)):
    """Letters on white as black columns, and strokes two pixels wide over them."""
    image = build.inked(spans)
    for x1, y1, x2, y2 in strokes:
        for share in np.linspace(0, 1, 2000):
            x, y = round(x1 + share * (x2 - x1)), round(y1 + share * (y2 - y1))
            image[y : y + 2, x : x + 2] = color
    return image


def rules(build, *items, spans, image):
    slide = build.slide(*items)
    return [item.rule for item in build.lint(slide, spans, image)]


@pytest.mark.parametrize(
    ("ends", "struck"),
    [
        ((50, 118, 500, 118), True),  # along the words, through their middle
        ((200, 60, 220, 200), True),  # across them
        ((50, 126, 500, 126), False),  # under them
        ((50, 106, 500, 106), False),  # over them
        ((105, 60, 105, 200), False),  # beside them
        ((330, 118, 500, 118), False),  # from their end on
    ],
)
def test_a_line_through_the_middle_of_words_strikes_them(build, ends, struck):
    text = build.text(WORDS, 100, 100, 300, 40)
    spans = [build.span(WORDS, 107, 110, 330, 126, size_pt=16.0)]
    image = drawn_slide(build, spans, [ends])
    found = build.lint(build.slide(text, line(build, *ends)), spans, image)
    assert [item.rule for item in found] == ["text.struck"] * struck
    if struck:
        assert found[0].severity == "warning" and WORDS in found[0].message


def test_a_line_that_a_label_hides_strikes_nothing_though_a_letter_looks_like_it(build):
    ends = (118, 60, 118, 200)
    stroke, label = line(build, *ends), build.text("no", 105, 107, 26, 22)
    spans = [build.span("no", 109, 112, 127, 124, size_pt=16.0)]
    image = drawn_slide(build, spans, [ends])
    assert rules(build, stroke, label, spans=spans, image=image) == ["text.struck"]
    image[107:112, 105:131] = image[124:129, 105:131] = 255  # its fill, as white as the slide
    assert rules(build, stroke, label, spans=spans, image=image) == []


def test_a_line_that_the_picture_does_not_show_strikes_nothing(build):
    text, ends = build.text(WORDS, 100, 100, 300, 40), (50, 118, 500, 118)
    spans = [build.span(WORDS, 107, 110, 330, 126, size_pt=16.0)]
    behind_a_fill = build.inked(spans)
    assert rules(build, text, line(build, *ends), spans=spans, image=behind_a_fill) == []
    white = line(build, *ends, stroke="#FFFFFF")  # too faint on white to strike anything
    image = drawn_slide(build, spans, [ends], color=(255, 255, 255))
    assert rules(build, text, white, spans=spans, image=image) == []
    slide = build.slide(text, line(build, *ends), animations=(build.animation(text.id),))
    assert build.lint(slide, spans, drawn_slide(build, spans, [ends])) == []
    assert build.lint(build.slide(text, line(build, *ends)), spans) == []  # and without a picture


@pytest.mark.parametrize(("z", "struck"), [(2, False), (0, True)])
def test_a_line_behind_an_opaque_area_strikes_nothing(build, z, struck):
    """Whatever the picture shows there, such as a drawing in the line's colour on the area."""
    ends = (50, 118, 500, 118)
    stroke = line(build, *ends, z=1)
    area = build.rect(40, 90, 500, 60, z=z)
    text = build.text(WORDS, 100, 100, 300, 40, z=3)
    spans = [build.span(WORDS, 107, 110, 330, 126, size_pt=16.0)]
    image = drawn_slide(build, spans, [ends])
    found = rules(build, stroke, area, text, spans=spans, image=image)
    assert ("text.struck" in found) == struck


@pytest.mark.parametrize(
    ("rotation", "path"),
    [
        (0.0, [(100, 60, 200, 60), (200, 60, 200, 200), (200, 200, 300, 200)]),
        (90.0, [(100, 60, 100, 130), (100, 130, 300, 130), (300, 130, 300, 200)]),
    ],
)
def test_the_middle_piece_of_a_bent_connector_counts(build, rotation, path):
    connector = line(
        build, 100, 60, 300, 200, geometry="bentConnector3", rotation=rotation,
        adjustments={"adj1": 50_000},
    )  # fmt: skip
    text = build.text(WORDS, 90, 110, 300, 40)
    spans = [build.span(WORDS, 107, 122, 330, 138, size_pt=16.0)]
    image = drawn_slide(build, spans, path)
    assert rules(build, text, connector, spans=spans, image=image) == ["text.struck"]


def test_the_rule_under_the_title_of_a_layout_strikes_its_second_line(build):
    title = build.text(f"{WORDS} and of tomorrow", 100, 80, 300, 40, placeholder="title")
    rule = line(build, 80, 150, 800, 150)
    layout = TemplateElements(
        background="#FFFFFF", kind="layout", name="Content",
        part="ppt/slideLayouts/slideLayout1.xml", lines=(rule,),
    )  # fmt: skip
    spans = [
        build.span(WORDS, 107, 110, 330, 126, size_pt=16.0),
        build.span("and of tomorrow", 107, 142, 260, 158, size_pt=16.0, line=1),
    ]
    image = drawn_slide(build, spans, [(80, 150, 800, 150)])
    deck = build.deck(build.slide(title), layouts=(layout,))
    (found,) = integrity_findings(deck, [Page(1, spans, image)])
    assert found.rule == "text.struck" and "of the layout or master" in found.message


def stripes(image, left, top, right, bottom):
    """A busy picture: red, green and blue rows."""
    for row in range(top, bottom):
        color = ((220, 30, 30), (30, 160, 30), (30, 30, 220))[row // 3 % 3]
        block = image[row, left:right]
        block[block.min(axis=1) > 100] = color
    return image


def test_a_title_that_runs_onto_a_picture(build):
    title = build.text(f"{WORDS} it is", 100, 80, 400, 40, placeholder="title")
    spans = [build.span(f"{WORDS} it is", 107, 90, 400, 110, size_pt=20.0)]
    logo = build.image(340, 70, 80, 80)
    image = stripes(build.inked(spans), 340, 70, 420, 150)
    (found,) = build.lint(build.slide(title, logo), spans, image)
    assert found.rule == "text.on-object" and found.severity == "warning"
    assert logo.name in found.message
    flat = build.inked(spans)
    assert build.lint(build.slide(title, logo), spans, flat) == []  # its corner shows nothing


def test_a_caption_on_a_picture_is_meant_to_stand_there(build):
    text = build.text(WORDS, 110, 90, 280, 40)
    spans = [build.span(WORDS, 117, 100, 330, 116)]
    picture = build.image(100, 80, 300, 200)
    image = stripes(build.inked(spans), 100, 80, 400, 280)
    assert "text.on-object" not in rules(build, picture, text, spans=spans, image=image)


def test_a_line_through_dashes_or_bullets_strikes_no_words(build):
    text = build.text("\u2013 \u2013 \u2013 \u2013 \u2013 \u2013", 100, 100, 300, 40)
    spans = [build.span(text.text, 107, 110, 330, 126, size_pt=16.0)]
    ends = (50, 118, 500, 118)
    image = drawn_slide(build, spans, [ends])
    assert rules(build, text, line(build, *ends), spans=spans, image=image) == []


def crossing(build, x, w, *, top=90, h=80, color=(51, 102, 153)):
    """A line of text on white, and an area painted behind it."""
    area = build.rect(x, top, w, h)
    text = build.text(WORDS, 100, 100, 420, 60)
    spans = [build.span(WORDS, 107, 110, 507, 130)]
    image = build.white()
    image[top : top + h, x : x + w] = color
    letters = build.inked(spans)
    image[letters == 0] = 0
    return build.told("text.crosses-edge", build.slide(area, text), spans, image)


def test_words_that_lie_half_on_a_shape_are_told(build):
    (found,) = crossing(build, 300, 400)
    assert found.severity == "warning" and found.box == (107, 110, 507, 130)
    (found,) = crossing(build, 60, 600, top=60, h=60)  # its lower edge runs along the words
    assert found.rule == "text.crosses-edge"


def test_words_on_a_shape_or_beside_it_cross_no_edge(build):
    assert crossing(build, 60, 600) == []
    assert crossing(build, 480, 300) == []
    assert crossing(build, 300, 400, color=(250, 250, 250)) == []


def busy(build, ground, words=WORDS):
    text = build.text(words, 100, 100, 420, 60)
    spans = [build.span(words, 107, 110, 507, 130)] if words else []
    image = np.repeat(ground[:, :, None], 3, axis=2).astype(np.uint8)
    image[build.inked(spans) == 0] = 0
    return build.told("text.busy", build.slide(text), spans, image)


def test_text_on_a_restless_ground_is_told(build):
    noise = np.random.default_rng(1).integers(0, 160, (540, 960))
    (found,) = busy(build, noise)
    assert found.severity == "warning" and found.box == (107, 110, 507, 130)


def test_plain_grounds_gradients_and_light_patterns_are_quiet(build):
    assert busy(build, np.full((540, 960), 90)) == []
    assert busy(build, np.tile(np.linspace(40, 160, 960), (540, 1))) == []
    assert busy(build, np.random.default_rng(1).integers(200, 255, (540, 960))) == []
    assert busy(build, np.random.default_rng(1).integers(0, 160, (540, 960)), "") == []


def test_a_title_that_runs_between_the_lines_of_a_table_is_told(build):
    title = build.text("Problems and alternatives", 100, 60, 400, 60, placeholder="title")
    table = build.table(90, 110, 700, 300, [["One", "Two"], ["Three", "Four"]])
    spans = [
        build.span("Problems and", 107, 70, 400, 100, line=0, size_pt=32.0),
        build.span("alternatives", 107, 120, 400, 150, line=1, size_pt=32.0),
    ]
    (found,) = build.told("text.on-object", build.slide(title, table), spans, build.inked(spans))
    assert found.severity == "warning" and found.box == (107, 120, 400, 150)
    above = build.slide(title, build.table(90, 160, 700, 300, [["One", "Two"]]))
    assert build.told("text.on-object", above, spans, build.inked(spans)) == []
