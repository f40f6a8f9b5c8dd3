import numpy as np
import pytest

from decklab.core.colors import contrast_ratio
from decklab.core.geometry import Box
from decklab.linting.rules.every import integrity_findings
from decklab.linting.rules.page import Page, StandIn
from decklab.metrics.contrast import ink_contrast

WORDS = "Words on a ground"


def rgb(color):
    return tuple(bytes.fromhex(color.removeprefix("#")))


def painted(span, ground, ink=None):
    """A slide of one colour, or of a gradient from left to right, with letters as columns."""
    left, right = (np.array(rgb(color), float) for color in (ground if len(ground) == 2 else
                   (ground, ground)))  # fmt: skip
    share = np.linspace(0, 1, 960)[:, None]
    row = np.round(left + share * (right - left)).astype(np.uint8)
    image = np.repeat(row[None], 540, axis=0).copy()
    box = [round(edge) for edge in span.box]
    for x in range(box[0], box[2], 6):
        image[box[1] : box[3], x : x + 2] = rgb(ink or span.color)
    return image


def found(build, ground, color, *, size=14.0, ink=None, **fields):
    text = build.text(WORDS, 100, 100, 400, 60, **fields)
    span = build.span(WORDS, 110, 110, 410, 130, size_pt=size, color=color)
    return build.lint(build.slide(text), [span], painted(span, ground, ink))


@pytest.mark.parametrize(
    ("ground", "color", "size", "severity"),
    [  # ratios by the formula of WCAG 2.2: 2.3, 3.5, 4.2, 4.7; large text needs 3
        ("#FFFFFF", "#AAAAAA", 14.0, "error"),
        ("#FFFFFF", "#888888", 14.0, "warning"),
        ("#FFFFFF", "#7B7B7B", 14.0, "info"),
        ("#FFFFFF", "#737373", 14.0, None),
        ("#FFFFFF", "#888888", 24.0, None),
        ("#FFFFFF", "#AAAAAA", 24.0, "warning"),
        ("#FFFFFF", "#CCCCCC", 24.0, "error"),
    ],
)
def test_contrast_is_judged_by_the_size_of_the_text(build, ground, color, size, severity):
    told = [(item.rule, item.severity) for item in found(build, ground, color, size=size)]
    assert told == ([] if severity is None else [("contrast.low", severity)])


def test_the_ratio_is_that_of_the_two_colours(build):
    (item,) = found(build, "#FFFFFF", "#AAAAAA")
    assert item.measured == round(contrast_ratio((170, 170, 170), (255, 255, 255)), 2)
    assert "#AAAAAA on #FFFFFF" in item.message and item.shape == "Shape 1 (id 1)"


def test_text_on_a_gradient_is_told_where_most_of_it_stands_out_too_little(build):
    assert found(build, ("#000000", "#303060"), "#B0B0B0") == []  # readable at both ends
    (item,) = found(build, ("#FFFFFF", "#DDDDDD"), "#BBBBBB")
    assert item.rule == "contrast.low"


def test_see_through_text_is_as_pale_as_it_is_drawn(build):
    (item,) = found(build, "#FFFFFF", "#000000", size=24.0, ink="#AAAAAA")
    assert "#AAAAAA" in item.message and item.severity == "warning"
    assert found(build, "#FFFFFF", "#000000", size=24.0, ink="#FFFFFF") == []  # hidden, not pale


def test_what_runs_along_the_slides_is_one_note(build):
    slides, pages = [], []
    for number in (1, 2, 3):
        text = build.text(str(number) * 4, 100, 100, 400, 60, placeholder="sldNum")
        span = build.span(str(number) * 4, 110, 110, 160, 124, size_pt=12.0, color="#E8E8E8")
        slides.append(build.slide(text, number=number))
        pages.append(Page(number, [span], painted(span, "#FFFFFF")))
    (item,) = integrity_findings(build.deck(*slides), pages)
    assert item.severity == "info" and item.slides == (1, 2, 3)
    assert "It repeats on the slides. On 3 slides: 1-3." in item.message


def test_words_of_the_layout_are_at_most_a_warning(build):
    text = build.text("Menu", 100, 100, 400, 60)
    layout = build.layout(text)
    slides, pages = [], []
    for number in (1, 2):
        span = build.span("Menu", 110, 110, 160, 124, size_pt=12.0, color="#E8E8E8")
        slides.append(build.slide(number=number))
        pages.append(Page(number, [span], painted(span, "#FFFFFF")))
    (item,) = integrity_findings(build.deck(*slides, layouts=(layout,)), pages)
    # 1.2:1 would be an error on the slide itself
    assert item.severity == "warning" and item.slides == (1, 2)


def test_a_shadow_is_no_text_of_its_own(build):
    text = build.text(WORDS, 100, 100, 400, 60)
    shadow = build.span(WORDS, 112, 112, 412, 132, color="#C0C0C0")
    span = build.span(WORDS, 110, 110, 410, 130, color="#000080")
    image = painted(span, "#FFFFFF")
    assert build.lint(build.slide(text), [shadow, span], image) == []


def test_outlined_turned_animated_and_cut_off_words_are_not_judged(build):
    text = build.text(WORDS, 100, 100, 400, 60)
    area = build.rect(90, 90, 420, 80)
    span = build.span(WORDS, 110, 110, 410, 130, color="#EEEEEE")
    image = painted(span, "#FFFFFF")
    slide = build.slide(area, text, animations=(build.animation(area.id),))
    assert build.lint(slide, [span], image) == []
    slanting = build.span(WORDS, 110, 110, 410, 300, color="#EEEEEE")
    found = build.rules(build.slide(text), [slanting], painted(slanting, "#FFFFFF"))
    assert "contrast.low" not in found


@pytest.mark.parametrize(
    ("ground", "color", "size", "told"),
    [
        ("#FF0000", "#000000", 12.0, True),  # 5.3:1
        ("#FF0000", "#000000", 18.0, False),
        ("#FF0000", "#FFFFFF", 20.0, False),
        ("#FFFF00", "#000000", 12.0, False),  # 19.6:1
        ("#808080", "#000000", 12.0, False),  # 5.3:1 on grey
    ],
)
def test_small_dark_words_on_a_strong_colour(build, ground, color, size, told):
    rules = [item.rule for item in found(build, ground, color, size=size)]
    assert rules == ["contrast.strong-color"] * told


def test_a_font_that_stands_in_does_not_make_contrast_any_better(build):
    text = build.text(WORDS, 100, 100, 200, 60, font="Own")
    far = [
        build.span("Words", 110, 110, 300, 124, size_pt=14.0),
        build.span("on a ground", 110, 134, 140, 148, size_pt=14.0, color="#EEEEEE", line=1),
    ]
    image = painted(far[1], "#FFFFFF")
    own = {"own": StandIn("Own", "Wide", 1.5, 1.0)}
    lints = build.lint(build.slide(text), far, image, replaced_fonts=own)
    assert [item.severity for item in lints if item.rule == "contrast.low"] == ["error"]


def test_ink_is_measured_piece_by_piece():
    image = np.full((40, 400, 3), 255, np.uint8)
    image[:, 200:] = 128
    for x in range(20, 380, 6):
        image[12:28, x : x + 2] = 0
    seen = ink_contrast(image, Box(20, 12, 380, 28), "#000000")
    assert seen.worst == pytest.approx(contrast_ratio((0, 0, 0), (128, 128, 128)), abs=0.1)
    assert max(seen.pieces) == pytest.approx(21.0, abs=0.1)
    assert seen.share_under(7) == pytest.approx(0.5, abs=0.05)


def grey_words(build, grey, size_pt):
    """A line of text in a grey on white, and its picture."""
    text = build.text("Steps of the review", 100, 100, 420, 60, size=size_pt)
    color = f"#{grey:02X}{grey:02X}{grey:02X}"
    span = build.span("Steps of the review", 107, 110, 507, 140, size_pt=size_pt, color=color)
    image = build.white()
    image[110:140, 107:507:3] = grey
    return build.slide(text), [span], image


def test_large_text_that_is_paler_than_small_text_may_be_is_told(build):
    # #888888 on white has 3.5:1
    (found,) = build.told("contrast.weak", *grey_words(build, 0x88, 32.0))
    assert found.severity == "warning" and found.measured == 3.54 and found.threshold == 4.5
    assert build.told("contrast.low", *grey_words(build, 0x88, 32.0)) == []


def test_small_text_and_darker_text_are_not_weak(build):
    assert build.told("contrast.weak", *grey_words(build, 0x88, 16.0)) == []
    assert build.told("contrast.weak", *grey_words(build, 0x70, 32.0)) == []


def test_reports_of_scores_have_no_weak_text(build):
    assert "contrast.weak" not in build.rules(*grey_words(build, 0x88, 32.0))
