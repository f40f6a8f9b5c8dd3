"""Themes: text can be read on its ground, and the fonts are those that the scripts install."""

import subprocess
from dataclasses import astuple, fields, replace
from itertools import combinations
from math import dist

import numpy as np
import pytest
from skimage.color import rgb2lab

from decklab.board.blueprint import ChartPlan
from decklab.board.boxes import Token
from decklab.board.chart_looks import line_dash, series_colors
from decklab.board.themes import ROLE_NAMES, THEMES, Colors, DesignTheme
from decklab.core.colors import color_difference
from decklab.core.errors import PlanError

TWINS = {
    "Calibri": "Carlito", "Cambria": "Caladea", "Arial": "Liberation Sans",
    "Times New Roman": "Liberation Serif", "Open Sans": "Open Sans", "Lato": "Lato",
    "Arial Narrow": "Liberation Sans Narrow", "Palatino Linotype": "P052",
    "Century Schoolbook": "C059", "Consolas": "DejaVu Sans Mono",
}  # fmt: skip


WORDS_ON_PARTS: tuple[tuple[Token, Token], ...] = (
    ("background", "accent"), ("background", "grey1"), ("text", "tint"), ("text", "surface"),
    ("muted", "surface"), ("accent", "surface"), ("accent", "background"), ("muted", "tint"),
)  # fmt: skip
"""Words of cards, headers of tables and columns, quotes and areas of takeaways."""


def luminance(color: str) -> float:
    """WCAG 2.2, relative luminance, written out."""
    channels = [int(color[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def ratio(first: str, second: str) -> float:
    low, high = sorted((luminance(first), luminance(second)))
    return (high + 0.05) / (low + 0.05)


def test_there_are_twelve_themes_of_which_three_are_dark_and_light_is_the_first() -> None:
    assert len(THEMES) >= 12 and next(iter(THEMES)) == "light"
    dark = [name for name in THEMES if luminance(THEMES[name].colors.background) < 0.05]
    assert dark == [name for name in THEMES if THEMES[name].dark] and len(dark) >= 3


def test_no_two_themes_differ_in_colour_only() -> None:
    parts = [
        (theme.components, theme.fonts.heading, theme.fonts.heading_bold,
         tuple(len(theme.role(role).decor) for role in ROLE_NAMES))
        for theme in map(THEMES.__getitem__, THEMES)
    ]  # fmt: skip
    assert len(set(parts)) == len(parts)
    assert len({theme[0] for theme in parts}) >= 10


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
        if style.numeral is not None:
            grounds[style.numeral] = style.numeral_ground or style.ground
        for token, ground in (*grounds.items(), (style.text, style.ground),
                              (style.muted, style.ground)):  # fmt: skip
            assert ratio(colors.value(token), colors.value(ground)) >= 4.5
    for token in ("grey1", "grey2", "grey3", "accent"):
        assert ratio(colors.value(token), colors.background) >= 3
    for first, second in WORDS_ON_PARTS:
        assert ratio(colors.value(first), colors.value(second)) >= 4.5, (first, second)


def simulated(color: str, kind: str) -> list[float]:
    """A colour as somebody sees it who lacks a kind of cone, in linear RGB: the matrices of
    Machado, Oliveira and Fernandes (2009) for severity 1."""
    matrix = {
        "none": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
        "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216),
                   (-0.003882, -0.048116, 1.051998)),
        "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413),
                   (-0.011820, 0.042940, 0.968881)),
        "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602),
                   (0.004733, 0.691367, 0.303900)),
    }[kind]  # fmt: skip
    channels = [int(color[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return [min(max(sum(a * b for a, b in zip(row, linear, strict=True)), 0), 1) for row in matrix]


def lab(linear: list[float]) -> list[float]:
    """CIE Lab of linear sRGB, white D65."""
    rows = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))
    whole = (0.9505, 1.0, 1.089)
    x, y, z = (
        share ** (1 / 3) if share > 0.008856 else 7.787 * share + 16 / 116
        for share in (
            sum(a * b for a, b in zip(row, linear, strict=True)) / white
            for row, white in zip(rows, whole, strict=True)
        )
    )
    return [116 * y - 16, 500 * (x - y), 200 * (y - z)]


@pytest.mark.parametrize("kind", ["none", "protan", "deutan", "tritan"])
@pytest.mark.parametrize("name", list(THEMES))
def test_series_of_charts_can_be_told_apart_with_any_eyes(name: str, kind: str) -> None:
    colors = THEMES[name].colors
    series = {token: lab(simulated(colors.value(token), kind))
              for token in ("accent", "grey1", "grey2", "grey3")}  # fmt: skip
    for (first, one), (second, other) in combinations(series.items(), 2):
        assert dist(one, other) >= 10, (first, second)


@pytest.mark.parametrize("kind", ["column", "line"])
@pytest.mark.parametrize("name", list(THEMES))
def test_up_to_four_series_differ_in_colour_and_in_grey_or_by_their_drawing(
    name: str, kind: str
) -> None:
    """CIEDE2000 of 25 and a lightness of 10 (CIELAB); dashes tell lines apart, too, and an edge
    areas of the pale colour. The greys of one design are 13 apart in areas of four series."""
    colors = THEMES[name].colors
    for count in (2, 3, 4):
        series = [{"name": f"S{number}", "values": [1, 2]} for number in range(count)]
        chart = ChartPlan.model_validate(
            {"kind": kind, "categories": ["A", "B"], "series": series, "source": "S"}, strict=False
        )
        tokens = series_colors(chart, colors)
        assert tokens[0] == "accent" and len(set(tokens)) == count
        drawn = [
            (colors.value(token), token == "tint" or line_dash(chart, at) if kind == "line"
             else token == "tint")
            for at, token in enumerate(tokens)
        ]  # fmt: skip
        for (first, looks), (second, others) in combinations(drawn, 2):
            if looks == others:
                least = 13 if (name, count) == ("ink", 4) else 25
                assert color_difference([first], [second])[0] >= least
                assert abs(skimage_lightness(first) - skimage_lightness(second)) >= 10


def skimage_lightness(color: str) -> float:
    """CIELAB L* by scikit-image, that decklab's own is not asked."""
    levels = [int(color[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    return float(rgb2lab(np.array([[levels]]))[0, 0, 0])


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
        sizes = sorted(astuple(THEMES[name].scale), reverse=True)
        assert len(sizes) == 5
        assert min(sizes) == 12
