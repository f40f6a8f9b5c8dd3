from decklab.deck.model.paint import PictureFill


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
