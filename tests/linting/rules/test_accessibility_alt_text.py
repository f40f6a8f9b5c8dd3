import pytest

from decklab.deck.model.shapes import Other, PictureFill, Rect
from decklab.linting.rules.accessibility import is_file_name, is_generated
from decklab.linting.rules.every import accessibility_findings


def test_pictures_charts_and_media_need_a_text(plain):
    for item in (plain.image(), plain.chart(), plain.media("audio")):
        (found,) = plain.lint(item)
        assert found.rule == "accessibility.missing-alt-text" and found.severity == "error"
        assert found.message == f"{item.name} (id {item.id}) has no alternative text."


def test_several_on_a_slide_are_one_finding(plain):
    images = [plain.image() for _ in range(5)]
    (found,) = plain.lint(*images)
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
def test_described_decorative_and_unseen_pictures_need_none(plain, fields):
    assert plain.lint(plain.image(**fields)) == []


def test_a_groups_text_speaks_for_its_members(plain):
    member = plain.image(groups=(70,))
    assert plain.lint(plain.group(70, alt_text="Flow from order to invoice"), member) == []
    assert plain.lint(plain.group(70, decorative=True), member) == []
    assert plain.rules(plain.group(70), member) == ["missing-alt-text"]


def test_an_area_filled_with_a_picture_is_a_picture_and_a_tiled_or_written_one_is_not(plain):
    def area(paint, z=50):
        return Rect(
            id=z, z=z, name="Area", x=10.0, y=10.0, w=90.0, h=90.0,
            rx=0.0, fill=None, stroke=None, strokeWidth=0.0, paint=paint,
        )  # fmt: skip

    whole = PictureFill(kind="picture", sha256="1" * 64)
    tiled = PictureFill(kind="picture", sha256="1" * 64, tiled=True)
    assert plain.rules(area(whole)) == ["missing-alt-text"]
    assert plain.rules(area(tiled)) == []
    assert plain.rules(area(whole), plain.text("Our values", z=50, id=50)) == []


@pytest.mark.parametrize(
    "text", ["image1.png", "DSC_0042.JPG", "C:\\Users\\me\\a.jpeg", "Picture 4"]
)
def test_names_of_files_say_nothing(plain, text):
    assert is_file_name(text)
    (found,) = plain.lint(plain.image(alt_text=text))
    assert found.rule == "accessibility.poor-alt-text" and found.severity == "warning"


@pytest.mark.parametrize(
    "text", ["Chart of sales by year", "Figure 3: the pump", "Logo of ACME.org"]
)
def test_descriptions_are_no_names_of_files(plain, text):
    assert not is_file_name(text) and plain.lint(plain.image(alt_text=text)) == []


def test_what_a_program_wrote_is_to_be_read(plain):
    text = "A picture containing text\n\nDescription automatically generated"
    assert is_generated(text)
    (found,) = plain.lint(plain.image(alt_text=text))
    assert found.rule == "accessibility.poor-alt-text" and found.severity == "info"


def test_a_deck_without_any_text_gives_one_finding(plain):
    slides = [plain.slide(plain.title(f"Slide {n}"), plain.image(), number=n) for n in (1, 2, 3)]
    (found,) = accessibility_findings(plain.deck(*slides))
    assert found.message.startswith("None of the deck's 3 pictures")
    told = plain.slide(plain.title("Slide 4"), plain.image(alt_text="A pump"), number=4)
    (found,) = accessibility_findings(plain.deck(*slides, told))
    assert found.message.startswith("3 of 4 pictures and other objects have no alternative text")
    assert found.slides == (1, 2, 3) and found.measured == 3


def test_objects_without_a_text_on_three_slides_are_one_finding_at_the_largest(plain):
    known = plain.slide(plain.title("First"), plain.image(alt_text="A pump"))
    logo = "2" * 64
    slides = [
        plain.slide(plain.title(f"Slide {n}"), plain.image(sha256=logo), number=n)
        for n in (2, 3, 4)
    ]
    own = plain.slide(*slides[0].texts, *slides[0].images, plain.chart(name="Sales"), number=2)
    (found,) = accessibility_findings(plain.deck(known, own, *slides[1:]))
    assert found.message.startswith("4 of 5 pictures") and found.message.endswith("slides 2-4.")
    assert found.shape.startswith("Sales (id") and found.slide == 2 and found.slides == (2, 3, 4)
    first, second = accessibility_findings(plain.deck(known, *slides[:2]))
    assert (first.slide, second.slide) == (2, 3)


def test_embedded_documents_need_a_text_and_ink_does_not(plain):
    def other(what):
        return Other(what=what, id=60, z=60, name="Sheet", x=10.0, y=10.0, w=90.0, h=90.0)

    assert plain.rules(other("ole")) == ["missing-alt-text"]
    assert plain.rules(other("contentPart")) == []


def test_several_poor_texts_are_counted(plain):
    images = [plain.image(alt_text=f"image{n}.png") for n in range(3)]
    (found,) = plain.lint(*images)
    assert found.message.endswith("which does not say what it shows, and so with 2 more.")
    wrote = "A cat\n\nDescription automatically generated"
    (found,) = plain.lint(*(plain.image(alt_text=wrote) for _ in range(3)))
    assert "and that of 2 more:" in found.message and found.measured == 3
