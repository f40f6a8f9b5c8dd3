import pytest

from decklab.deck.model.paint import PictureFill
from decklab.deck.model.shapes import Rect
from decklab.metrics.accessibility.alt_text import is_file_name, is_generated
from decklab.metrics.accessibility.findings import accessibility_findings


def test_pictures_charts_and_media_need_a_text(build):
    for item in (build.image(), build.chart(), build.media("audio")):
        (found,) = build.lint(item)
        assert found.rule == "accessibility.missing-alt-text" and found.severity == "error"
        assert found.message == f"{item.name} (id {item.id}) has no alternative text."


def test_several_on_a_slide_are_one_finding(build):
    images = [build.image() for _ in range(5)]
    (found,) = build.lint(*images)
    assert found.measured == 5 and "and 2 more have no alternative text" in found.message


@pytest.mark.parametrize(
    "fields",
    [
        {"alt_text": "Map of the new sites"},
        {"alt_title": "Map of the new sites"},
        {"decorative": True},
        {"hidden": True},
        {"x": 1200.0},
        {"placed": False},
    ],
)
def test_described_decorative_and_unseen_pictures_need_none(build, fields):
    assert build.lint(build.image(**fields)) == []


def test_a_groups_text_speaks_for_its_members(build):
    member = build.image(groups=(70,))
    assert build.lint(build.group(70, alt_text="Flow from order to invoice"), member) == []
    assert build.lint(build.group(70, decorative=True), member) == []
    assert build.rules(build.group(70), member) == ["missing-alt-text"]


def test_an_area_filled_with_a_picture_is_a_picture_and_a_tiled_or_written_one_is_not(build):
    def area(paint, z=50):
        return Rect(
            id=z, z=z, name="Area", x=10.0, y=10.0, w=90.0, h=90.0,
            rx=0.0, fill=None, stroke=None, strokeWidth=0.0, paint=paint,
        )  # fmt: skip

    whole = PictureFill(kind="picture", sha256="1" * 64)
    tiled = PictureFill(kind="picture", sha256="1" * 64, tiled=True)
    assert build.rules(area(whole)) == ["missing-alt-text"]
    assert build.rules(area(tiled)) == []
    assert build.rules(area(whole), build.text("Our values", z=50, id=50)) == []


@pytest.mark.parametrize(
    "text", ["image1.png", "DSC_0042.JPG", "C:\\Users\\me\\a.jpeg", "Picture 4"]
)
def test_names_of_files_say_nothing(build, text):
    assert is_file_name(text)
    (found,) = build.lint(build.image(alt_text=text))
    assert found.rule == "accessibility.poor-alt-text" and found.severity == "warning"


@pytest.mark.parametrize(
    "text", ["Chart of sales by year", "Figure 3: the pump", "Logo of ACME.org"]
)
def test_descriptions_are_no_names_of_files(build, text):
    assert not is_file_name(text) and build.lint(build.image(alt_text=text)) == []


def test_what_a_program_wrote_is_to_be_read(build):
    text = "A picture containing text\n\nDescription automatically generated"
    assert is_generated(text)
    (found,) = build.lint(build.image(alt_text=text))
    assert found.rule == "accessibility.poor-alt-text" and found.severity == "info"


def test_a_deck_without_any_text_gives_one_finding(build):
    slides = [build.slide(build.title(f"Slide {n}"), build.image(), number=n) for n in (1, 2, 3)]
    (found,) = accessibility_findings(build.deck(*slides))
    assert found.message.startswith("None of the deck's 3 pictures")
    told = build.slide(build.title("Slide 4"), build.image(alt_text="A pump"), number=4)
    (found,) = accessibility_findings(build.deck(*slides, told))
    assert found.message.startswith("3 of 4 pictures and other objects have no alternative text")
    assert found.slides == (1, 2, 3) and found.measured == 3


def test_objects_without_a_text_on_three_slides_are_one_finding_at_the_largest(build):
    known = build.slide(build.title("First"), build.image(alt_text="A pump"))
    logo = "2" * 64
    slides = [
        build.slide(build.title(f"Slide {n}"), build.image(sha256=logo), number=n)
        for n in (2, 3, 4)
    ]
    own = build.slide(*slides[0].texts, *slides[0].images, build.chart(name="Sales"), number=2)
    (found,) = accessibility_findings(build.deck(known, own, *slides[1:]))
    assert found.message.startswith("4 of 5 pictures") and found.message.endswith("slides 2-4.")
    assert found.shape.startswith("Sales (id") and found.slide == 2 and found.slides == (2, 3, 4)
    first, second = accessibility_findings(build.deck(known, *slides[:2]))
    assert (first.slide, second.slide) == (2, 3)
