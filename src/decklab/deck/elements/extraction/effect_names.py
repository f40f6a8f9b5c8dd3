"""Names of PowerPoint's animation presets, which files know by class and number.

The numbers are those of ``presetID`` (ISO/IEC 29500-1, 19.5.33, leaves them to the program; they
are PowerPoint's, as LibreOffice's import has them too).
"""

__all__ = ["effect_name"]

_ENTRANCES = {
    1: "appear", 2: "fly_in", 3: "blinds", 4: "box", 5: "checkerboard", 6: "circle",
    7: "crawl_in", 8: "diamond", 9: "dissolve_in", 10: "fade", 11: "flash_once", 12: "peek_in",
    13: "plus", 14: "random_bars", 15: "spiral_in", 16: "split", 17: "stretch", 18: "strips",
    19: "swivel", 20: "wedge", 21: "wheel", 22: "wipe", 23: "zoom", 24: "random",
    25: "boomerang", 26: "bounce", 27: "color_typewriter", 28: "credits", 29: "ease_in",
    30: "float", 31: "grow_and_turn", 34: "light_speed", 35: "pinwheel", 37: "rise_up",
    38: "falling_in", 39: "thread", 40: "unfold", 41: "whip", 42: "ascend",
    43: "center_revolve", 45: "faded_swivel", 47: "descend", 48: "sling", 49: "spinner",
    50: "compress", 51: "magnify", 52: "curve_up", 53: "faded_zoom", 54: "glide", 55: "expand",
    56: "flip", 58: "fold",
}  # fmt: skip
_EXITS = _ENTRANCES | {
    2: "fly_out", 7: "crawl_out", 9: "dissolve_out", 12: "peek_out", 15: "spiral_out",
    17: "collapse", 29: "ease_out", 37: "sink_down", 47: "ascend", 42: "descend",
    50: "stretch", 52: "curve_down", 55: "contract",
}  # fmt: skip
_EMPHASES = {
    1: "fill_color", 2: "font", 3: "font_color", 4: "font_size", 5: "font_style",
    6: "grow_shrink", 7: "line_color", 8: "spin", 9: "transparency", 10: "bold_flash",
    14: "blast", 15: "bold_reveal", 16: "brush_color", 18: "underline", 19: "color_blend",
    20: "color_wave", 21: "complementary_color", 22: "complementary_color_2",
    23: "contrasting_color", 24: "darken", 25: "desaturate", 26: "flash_bulb", 27: "flicker",
    28: "grow_with_color", 30: "lighten", 31: "style_emphasis", 32: "teeter",
    33: "vertical_grow", 34: "wave", 35: "blink", 36: "shimmer",
}  # fmt: skip
_MOTIONS = {
    0: "custom_path", 1: "circle", 2: "right_triangle", 3: "diamond", 4: "hexagon",
    5: "star_5", 6: "crescent_moon", 7: "square", 8: "trapezoid", 9: "heart", 10: "octagon",
    11: "star_6", 12: "football", 13: "equal_triangle", 14: "parallelogram", 15: "pentagon",
    16: "star_4", 17: "star_8", 18: "teardrop", 19: "pointy_star", 20: "curved_square",
    21: "curved_x", 22: "vertical_figure_8", 23: "curvy_star", 24: "loop_de_loop",
    25: "buzzsaw", 26: "horizontal_figure_8", 27: "peanut", 28: "figure_8_four",
    29: "neutron", 30: "swoosh", 31: "bean", 32: "plus", 33: "inverted_triangle",
    34: "inverted_square", 35: "left", 36: "turn_right", 37: "arc_down", 38: "zigzag",
    39: "s_curve_2", 40: "sine_wave", 41: "bounce_left", 42: "down", 43: "turn_up",
    44: "arc_up", 45: "heartbeat", 46: "spiral_right", 47: "wave", 48: "curvy_left",
    49: "diagonal_down_right", 50: "turn_down", 51: "arc_left", 52: "funnel", 53: "spring",
    54: "bounce_right", 55: "spiral_left", 56: "diagonal_up_right", 57: "turn_up_right",
    58: "arc_right", 59: "s_curve_1", 60: "decaying_wave", 61: "curvy_right",
    62: "stairs_down", 63: "right", 64: "up",
}  # fmt: skip
_MEDIA = {1: "play", 2: "pause", 3: "stop"}
_NAMES = {
    "entr": _ENTRANCES, "exit": _EXITS, "emph": _EMPHASES, "path": _MOTIONS, "mediacall": _MEDIA,
}  # fmt: skip


def effect_name(preset_class: str, preset: int | None) -> str:
    """The name of a preset; class and number where it has none.

    >>> effect_name("entr", 10), effect_name("entr", 99), effect_name("", None)
    ('fade', 'entr_99', 'custom')
    """
    if preset is None:
        return "custom"
    return _NAMES.get(preset_class, {}).get(preset) or f"{preset_class or 'preset'}_{preset}"
