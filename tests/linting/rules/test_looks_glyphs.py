def told(build, words, *spans):
    text = build.text(words)
    drawn = [build.span(words_, 107, 110, 300, 130, font=font) for words_, font in spans]
    return build.told("text.glyphs", build.slide(text), drawn)


def test_an_emoji_in_the_font_of_the_letters_is_told(build):
    (found,) = told(build, "\U0001f43b Bear", ("\U0001f43b Bear", "NotoSans-Regular"))
    assert found.severity == "warning" and "drawn as an empty box" in found.message
    assert found.shape == "Shape 1 (id 1)" and found.measured == 1.0


def test_an_emoji_in_a_font_of_emoji_is_fine(build):
    spans = ("\U0001f43b", "NotoEmoji"), ("Bear", "NotoSans-Regular")
    assert told(build, "\U0001f43b Bear", *spans) == []


def test_a_sign_that_was_lost_is_told(build):
    (found,) = told(build, "caf\ufffd", ("caf\ufffd", "NotoSans-Regular"))
    assert "lost sign" in found.message


def test_letters_and_no_text_have_no_missing_signs(build):
    assert told(build, "café ✓", ("café ✓", "NotoSans-Regular")) == []
    assert build.told("text.glyphs", build.slide(), []) == []
