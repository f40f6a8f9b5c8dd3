"""Widths of text against FreeType by way of Pillow, and lines as Unicode allows them."""

import subprocess

import pytest
from PIL import ImageFont

from decklab.board.typography import Face, line_pitch, lines_height, text_width, wrap

SENTENCE = "Voices rise, AVAILABLE types and 1,234.5 numbers: fjord, quartz & Toys."


def font_file(pattern: str) -> str:
    return subprocess.run(
        ["fc-match", "-f", "%{file}", pattern], capture_output=True, text=True, check=True
    ).stdout


@pytest.mark.parametrize("family", ["Calibri", "Cambria", "Arial", "Times New Roman", "Lato"])
@pytest.mark.parametrize("bold", [False, True])
def test_widths_are_those_of_freetype(family: str, bold: bool) -> None:
    file = font_file(f"{family}:bold" if bold else family)
    drawn = ImageFont.truetype(file, 200).getlength(SENTENCE) / 10
    assert text_width(SENTENCE, Face(family, bold), 20) == pytest.approx(drawn, rel=0.02)


def test_the_pitch_of_carlito_is_that_which_libreoffice_draws() -> None:
    assert line_pitch("Text", Face("Calibri")) == pytest.approx(1.221, abs=0.001)


def test_characters_that_a_font_lacks_are_measured_in_one_that_has_them() -> None:
    file = font_file("Noto Sans CJK SC")
    drawn = ImageFont.truetype(file, 200).getlength("水泵") / 10
    assert text_width("水泵", Face("Calibri", language="zh-CN"), 20) == pytest.approx(
        drawn, rel=0.02
    )
    assert line_pitch("水泵 a", Face("Calibri")) > line_pitch("a", Face("Calibri"))


def test_lines_hold_all_words_and_are_not_too_wide() -> None:
    face = Face("Arial")
    lines = wrap(SENTENCE * 3, face, 20, 200)
    assert "".join(lines) == SENTENCE * 3
    assert all(text_width(line.rstrip(), face, 20) <= 200 for line in lines)


def test_chinese_breaks_between_characters_but_not_before_a_full_stop() -> None:
    lines = wrap("备件平均需要四十七天才能送到。" * 6, Face("Calibri", language="zh"), 20, 300)
    assert len(lines) > 3
    assert not any(line.startswith(("。", "，")) for line in lines)


def test_a_word_longer_than_its_line_is_broken() -> None:
    word = "Donaudampfschifffahrtsgesellschaftskapitän"
    lines = wrap(word, Face("Calibri"), 20, 120)
    assert "".join(lines) == word
    assert all(text_width(line, Face("Calibri"), 20) <= 120 for line in lines)


def test_arabic_is_wrapped_at_its_spaces() -> None:
    text = "قطع الغيار تصل بعد سبعة وأربعين يوما في المتوسط"
    lines = wrap(text, Face("Calibri", language="ar"), 20, 200)
    assert [word for line in lines for word in line.split()] == text.split()
    assert len(lines) >= 2


def test_no_text_is_one_line_and_a_hyphen_lets_a_line_break() -> None:
    assert wrap("", Face("Calibri"), 20, 100) == [""]
    assert len(wrap("well-known", Face("Calibri"), 20, 60)) == 2
    assert lines_height([], Face("Calibri"), 20) == 0
