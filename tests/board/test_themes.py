"""Themes: text can be read on its ground, and the fonts are those that the scripts install."""

import subprocess
from dataclasses import fields, replace

import pytest

from decklab.board.themes import THEMES, Colors, DesignTheme
from decklab.core.errors import PlanError

TWINS = {
    "Calibri": "Carlito", "Cambria": "Caladea", "Arial": "Liberation Sans",
    "Times New Roman": "Liberation Serif", "Open Sans": "Open Sans", "Lato": "Lato",
}  # fmt: skip


def luminance(color: str) -> float:
    """WCAG 2.2, relative luminance, written out."""
    channels = [int(color[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def ratio(first: str, second: str) -> float:
    low, high = sorted((luminance(first), luminance(second)))
    return (high + 0.05) / (low + 0.05)


def test_there_are_the_six_themes() -> None:
    assert list(THEMES) == ["light", "dark", "editorial", "academic", "corporate", "playful"]


@pytest.mark.parametrize("name", list(THEMES))
def test_text_can_be_read_in_every_role(name: str) -> None:
    theme = THEMES[name]
    colors = theme.colors
    for role in ("opening", "contents", "section", "body", "ending"):
        style = theme.role(role)
        grounds = {
            style.title: style.title_ground or style.ground,
            style.foot: style.foot_ground or style.ground,
        }
        for token, ground in (*grounds.items(), (style.text, style.ground),
                              (style.muted, style.ground)):  # fmt: skip
            assert ratio(colors.value(token), colors.value(ground)) >= 4.5
    for token in ("grey1", "grey2", "grey3", "accent"):
        assert ratio(colors.value(token), colors.background) >= 3


@pytest.mark.parametrize("name", list(THEMES))
def test_shades_of_the_accent_can_be_seen_and_told_from_it(name: str) -> None:
    colors = THEMES[name].colors
    for token in ("pale", "deep"):
        assert ratio(colors.value(token), colors.background) >= 3
        assert ratio(colors.value(token), colors.accent) >= 1.25


def test_a_theme_whose_text_cannot_be_read_is_refused() -> None:
    light = THEMES["light"]
    with pytest.raises(PlanError, match=r"theme 'pale': muted on background .* 4\.5:1"):
        replace(light, name="pale", colors=replace(light.colors, muted="#999999"))


def test_tokens_are_colours() -> None:
    for name in THEMES:
        for field in fields(Colors):
            assert len(getattr(THEMES[name].colors, field.name)) == 7


@pytest.mark.parametrize("name", list(THEMES))
def test_the_fonts_are_drawn_in_families_of_their_widths(name: str) -> None:
    theme: DesignTheme = THEMES[name]
    for family in (theme.fonts.heading, theme.fonts.body):
        drawn = subprocess.run(
            ["fc-match", "-f", "%{family}", family], capture_output=True, text=True, check=True
        ).stdout
        assert TWINS[family] in drawn


def test_a_deck_has_five_text_sizes_and_none_below_12() -> None:
    for name in THEMES:
        sizes = THEMES[name].scale.down_from(1000, 0)
        assert len(sizes) == 5
        assert min(sizes) == 12
