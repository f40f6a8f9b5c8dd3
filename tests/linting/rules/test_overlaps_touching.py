import numpy as np


def page(build, *edges):
    """A slide with one line of text, 400 px long, and edges: (left, top, right, bottom, grey)."""
    text = build.text("Steps of the review", 100, 100, 420, 60)
    spans = [build.span("Steps of the review", 107, 110, 507, 130)]
    image = build.inked(spans)
    for left, top, right, bottom, grey in edges:
        image[top:bottom, left:right] = grey
    return build.slide(text), spans, image


def told(build, *edges, **fields):
    return build.told("text.touching", *page(build, *edges), **fields)


def test_text_that_stands_on_a_line_or_hangs_from_one_is_told(build):
    (found,) = told(build, (60, 130, 900, 132, 120))
    assert found.severity == "warning" and found.box == (107, 110, 507, 130)
    assert "touches the edge below it" in found.message and found.shape == "Shape 1 (id 1)"
    (found,) = told(build, (60, 100, 900, 110, 120))
    assert "above it" in found.message


def test_an_edge_beside_a_line_of_text_counts_too(build):
    (found,) = told(build, (510, 60, 512, 300, 120))
    assert "touches the edge to the right of it" in found.message
    (found,) = told(build, (102, 60, 104, 300, 120))
    assert "to the left of it" in found.message


def test_a_line_at_some_distance_or_under_a_word_is_none(build):
    assert told(build) == []
    assert told(build, (60, 134, 900, 136, 120)) == []
    assert told(build, (60, 130, 180, 132, 120)) == []  # 73 px of 20 pt letters, under 4 em


def test_a_line_under_several_of_the_words_touches_them(build):
    (found,) = told(build, (60, 130, 300, 132, 120))
    assert "touches the edge below it" in found.message
    assert told(build, *((x, 130, x + 40, 132, 120) for x in range(110, 480, 80))) == []  # dashes


def test_a_faint_line_is_not_seen(build):
    assert told(build, (60, 130, 900, 132, 230)) == []


def test_without_a_picture_nothing_is_told(build):
    slide, spans, _image = page(build, (60, 130, 900, 132, 120))
    assert build.told("text.touching", slide, spans) == []


def test_turned_text_is_not_judged(build):
    slide, spans, image = page(build, (60, 130, 900, 132, 120))
    turned = slide.texts[0].model_copy(update={"rotation": 270.0})
    slide = slide.model_copy(update={"texts": (turned,)})
    assert build.told("text.touching", slide, spans, image) == []


def test_a_bracket_beside_words_is_no_edge(build):
    assert told(build, (510, 110, 512, 130, 0)) == []


def test_a_ground_that_changes_by_and_by_has_no_edge(build):
    slide, spans, image = page(build)
    ramp = np.linspace(255, 90, image.shape[1]).astype(np.uint8)[None, :, None]
    image = np.minimum(image, ramp)
    assert build.told("text.touching", slide, spans, image) == []


def test_underlined_words_are_meant_to_have_a_line(build):
    slide, spans, image = page(build, (60, 130, 900, 132, 0))
    text = slide.texts[0]
    run = text.paragraphs[0].runs[0]
    font = run.font.model_copy(update={"style": ("underscore",)})
    lined = text.paragraphs[0].model_copy(update={"runs": (run.model_copy(update={"font": font}),)})
    slide = slide.model_copy(update={"texts": (text.model_copy(update={"paragraphs": (lined,)}),)})
    assert build.told("text.touching", slide, spans, image) == []


def test_text_that_crosses_a_line_is_told_once(build):
    line = build.rect(60, 118, 840, 2)
    slide, spans, image = page(build, (60, 118, 900, 120, 0), (60, 130, 900, 132, 120))
    slide = slide.model_copy(update={"rects": (line,)})
    rules = [item.rule for item in build.lint_all(slide, spans, image)]
    assert rules.count("text.touching") + rules.count("text.struck") == 1


def test_a_black_picture_has_no_edges(build):
    slide, spans, _image = page(build)
    assert build.told("text.touching", slide, spans, np.zeros((540, 960, 3), np.uint8)) == []


def short_word(build, right):
    """A word of four letters whose feet fill a row of pixels, with an edge to ``right`` there."""
    text = build.text("East", 100, 100, 420, 60)
    spans = [build.span("East", 107, 110, 147, 130, size_pt=20.0)]
    image = build.inked(spans)
    image[127:129, 107:right] = 30
    return build.slide(text), spans, image


def test_the_feet_of_a_short_word_are_no_edge(build):
    assert build.told("text.touching", *short_word(build, 147)) == []
    slide, spans, image = short_word(build, 147)
    image[127:129, 60:400] = 30
    assert len(build.told("text.touching", slide, spans, image)) == 1
