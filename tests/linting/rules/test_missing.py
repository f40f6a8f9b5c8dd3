import pytest

from decklab.deck.model.shapes import PictureFill
from decklab.linting.rules.missing import is_prompt


def test_an_empty_placeholder_is_worth_knowing(build):
    empty = build.text("", placeholder="body", idx=1, name="Content 2")
    (found,) = build.lint(build.slide(empty))
    assert found.rule == "placeholder.empty" and found.severity == "info"
    assert found.message == "A placeholder was left empty: Content 2 (id 1)."


@pytest.mark.parametrize("kind", ["ftr", "dt", "sldNum", "title"])
def test_footers_and_titles_may_be_empty_here(build, kind):
    assert build.lint(build.slide(build.text("", placeholder=kind))) == []


def test_plain_boxes_and_filled_placeholders_are_not_empty(build):
    filled = build.text("words", placeholder="body", idx=1)
    assert build.lint(build.slide(build.text(""), filled)) == []


def test_the_layouts_own_words_are_a_prompt(build):
    layout = build.layout(build.text("Speaker Name", placeholder="body", idx=12))
    left = build.text("Speaker  name", placeholder="body", idx=12)
    (found,) = build.lint(build.slide(left), layouts=(layout,))
    assert found.rule == "placeholder.prompt" and found.severity == "warning"
    written = build.text("Ada Lovelace", placeholder="body", idx=12)
    assert build.lint(build.slide(written), layouts=(layout,)) == []
    elsewhere = build.text("Speaker name", placeholder="body", idx=13)
    assert build.lint(build.slide(elsewhere), layouts=(layout,)) == []


def test_a_title_may_keep_its_layouts_words(build):
    layout = build.layout(build.text("Thank you", placeholder="title"))
    kept = build.text("Thank you", placeholder="title")
    assert build.lint(build.slide(kept), layouts=(layout,)) == []


@pytest.mark.parametrize(
    "words",
    ["Click to add text", "Lorem ipsum dolor sit amet", "Your text here", "[Insert date]",
     "Add a main point", "Elaborate on what you want to discuss.", "Click icon to add picture"],
)  # fmt: skip
def test_prompts_of_templates(words):
    assert is_prompt(words)


@pytest.mark.parametrize(
    "words",
    ["Click rates doubled", "Your text messages", "Add value", "[2004]", "Title", "Type systems",
     "Insert coin to continue", "Write tests first"],
)  # fmt: skip
def test_words_that_people_write(words):
    assert not is_prompt(words)


def test_a_number_that_the_layout_has_too_is_meant_to_stay(build):
    layout = build.layout(build.text("1", placeholder="body", idx=12))
    kept = build.text("1", placeholder="body", idx=12)
    assert build.lint(build.slide(kept), layouts=(layout,)) == []


def test_a_picture_without_its_image(build):
    (found,) = build.lint(build.slide(build.image(100, 100, 200, 100, sha256=None)))
    assert found.rule == "picture.missing" and found.severity == "error"


def test_a_picture_that_the_slide_shows_is_there(build):
    gone = build.image(100, 100, 200, 100, sha256=None)
    shows = build.white()
    shows[100:200, 100:200] = 0
    assert build.lint(build.slide(gone), (), shows) == []
    assert build.rules(build.slide(gone), (), build.white()) == ["picture.missing"]


def test_a_linked_picture_depends_on_its_file(build):
    linked = build.image(100, 100, 200, 100, sha256=None, link="file:///logo.png")
    (found,) = build.lint(build.slide(linked))
    assert found.severity == "warning" and "linked to file:///logo.png" in found.message


def test_an_image_that_cannot_be_read(build):
    assert build.rules(build.slide(build.image(9, 9, 99, 99, pixels=()))) == ["picture.missing"]
    vector = build.image(9, 9, 99, 99, pixels=(), content_type="image/x-emf")
    assert build.lint(build.slide(vector, build.image(9, 9, 99, 99))) == []


def test_a_picture_fill_counts_too(build):
    fill = build.rect(paint=PictureFill(kind="picture"), fill=None)
    assert build.rules(build.slide(fill)) == ["picture.missing"]


def test_one_prompt_among_written_paragraphs_is_told(build):
    half = build.text("Our results\nClick to add text", placeholder="body", idx=1)
    (found,) = build.lint(build.slide(half))
    assert found.rule == "placeholder.prompt"
    two = build.text("Lorem ipsum dolor sit amet", y=300)
    (found,) = build.lint(build.slide(half, two))
    assert found.message.endswith("is a template's prompt, and 1 more.") and found.measured == 2
    assert build.lint(build.slide(half.model_copy(update={"hidden": True}))) == []
