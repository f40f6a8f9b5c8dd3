from decklab.deck.model.shapes import Crop
from decklab.linting.rules.every import integrity_findings


def test_four_typefaces_are_too_many_and_three_are_not(build):
    fonts = ["Arial", "Georgia", "Verdana", "Lato"]
    texts = [build.text("A line of text", 60, 60 * n, font=font) for n, font in enumerate(fonts)]
    (found,) = build.told("style.typefaces", build.slide(*texts))
    assert found.measured == 4 and "Lato" in found.message and found.slide == 1
    assert build.told("style.typefaces", build.slide(*texts[:3])) == []


def test_weights_of_a_family_are_one_typeface(build):
    fonts = ["Segoe UI", "Segoe UI Semibold", "Segoe UI Light", "Segoe UI Black"]
    texts = [build.text("A line of text", 60, 60 * n, font=font) for n, font in enumerate(fonts)]
    assert build.told("style.typefaces", build.slide(*texts)) == []
    assert integrity_findings(build.deck(), unscored=True) == []


def picture(build, w, h, pixels, **fields):
    return build.image(100, 100, w, h, pixels=pixels, **fields)


def test_a_stretched_picture_is_told_by_how_much(build):
    (found,) = build.told("picture.stretched", build.slide(picture(build, 400, 200, (800, 600))))
    # 2 : 1 for an image of 4 : 3
    assert found.measured == 0.5 and "50% too wide" in found.message


def test_a_crop_is_no_stretch(build):
    crop = Crop(top=0.25, bottom=0.0833, left=0.0, right=0.0)
    cropped = picture(build, 400, 200, (800, 600), crop=crop)
    assert build.told("picture.stretched", build.slide(cropped)) == []


def test_a_small_image_shown_large_is_coarse(build):
    (found,) = build.told("picture.coarse", build.slide(picture(build, 400, 300, (120, 90))))
    assert found.measured == 0.3
    assert build.told("picture.coarse", build.slide(picture(build, 400, 300, (800, 600)))) == []
    assert build.told("picture.coarse", build.slide(picture(build, 100, 75, (30, 22)))) == []


def test_the_same_picture_twice_is_told_once(build):
    first = build.image(100, 100, 200, 150)
    twin = build.image(500, 100, 200, 150)
    (found,) = build.told("picture.twice", build.slide(first, twin))
    assert found.shape == "Shape 2 (id 2)"
    other = build.image(500, 100, 200, 150, sha256="1" * 64)
    assert build.told("picture.twice", build.slide(first, other)) == []
    over = build.image(110, 110, 200, 150)
    assert build.told("picture.twice", build.slide(first, over)) == []
