"""PowerPoint's words for values that files abbreviate: ``sng`` is a single underline, ``ctr`` the
middle or the centre. The abbreviations are those of ECMA-376, parts 1 and 4."""

import re
from collections.abc import Mapping

_SIDES = {
    "l": "left", "r": "right", "t": "top", "b": "bottom", "ctr": "center", "tl": "top left",
    "tr": "top right", "bl": "bottom left", "br": "bottom right", "u": "up", "d": "down",
    "lu": "left up", "ru": "right up", "ld": "left down", "rd": "right down",
}  # fmt: skip
_ALIGNS = _SIDES | {
    "just": "justified", "justLow": "justified low", "dist": "distributed", "auto": "automatic",
    "thaiDist": "Thai distributed", "base": "baseline", "dec": "decimal", "in": "inside",
}  # fmt: skip
_FLOWS = {
    "horz": "horizontal", "vert": "rotated 90°", "vert270": "rotated 270°",
    "wordArtVert": "stacked", "wordArtVertRtl": "stacked from right to left",
    "eaVert": "East Asian vertical", "mongolianVert": "Mongolian vertical",
    "minMax": "from minimum to maximum", "maxMin": "from maximum to minimum",
}  # fmt: skip
_ENDS = {
    "triangle": "arrow", "arrow": "open arrow", "stealth": "stealth arrow", "sm": "small",
    "med": "medium", "lg": "large",
}  # fmt: skip
_PLACEHOLDERS = {
    "ctrTitle": "centered title", "subTitle": "subtitle", "body": "text", "obj": "content",
    "dt": "date", "ftr": "footer", "hdr": "header", "sldNum": "slide number", "tbl": "table",
    "dgm": "SmartArt", "pic": "picture", "clipArt": "online picture", "sldImg": "slide image",
}  # fmt: skip
_LAYOUTS = {
    "cust": "custom", "tx": "title and text", "twoColTx": "two columns of text",
    "secHead": "section header", "twoObj": "two content", "twoTxTwoObj": "comparison",
    "objTx": "content with caption", "picTx": "picture with caption",
    "vertTx": "title and vertical text", "vertTitleAndTx": "vertical title and text",
}  # fmt: skip
_CHARTS = {
    "exp": "exponential", "log": "logarithmic", "poly": "polynomial", "movingAvg": "moving average",
    "ofPie": "pie of pie",
}  # fmt: skip

TERMS: Mapping[str, Mapping[str, str]] = {
    "underline": {
        "sng": "single underline", "dbl": "double underline", "heavy": "thick underline",
        "words": "underline of words only", "dotted": "dotted underline",
        "dottedHeavy": "thick dotted underline", "dash": "dashed underline",
        "dashHeavy": "thick dashed underline", "dashLong": "long dashed underline",
        "dashLongHeavy": "thick long dashed underline", "dotDash": "dot-dash underline",
        "dotDashHeavy": "thick dot-dash underline", "dotDotDash": "dot-dot-dash underline",
        "dotDotDashHeavy": "thick dot-dot-dash underline", "wavy": "wavy underline",
        "wavyHeavy": "thick wavy underline", "wavyDbl": "double wavy underline",
    },
    "strike": {
        "noStrike": "none", "sngStrike": "strikethrough", "dblStrike": "double strikethrough",
        "single": "strikethrough", "double": "double strikethrough",
    },
    "caps": {"small": "small caps", "all": "all caps"},
    "align": _ALIGNS, "alignment": _ALIGNS, "tab stop alignment": _ALIGNS,
    "vertical font alignment": _ALIGNS | {"ctr": "middle"}, "anchor": _ALIGNS | {"ctr": "middle"},
    "wraps": {"none": "no", "square": "yes"}, "direction": _FLOWS | _SIDES, "orient": _FLOWS,
    "light direction": _SIDES, "vertOverflow": {}, "horzOverflow": {},
    "autofit": {"shrink": "shrinks text on overflow", "grow": "resizes the shape to fit its text",
                "none": "none"},
    "dash": {
        "dot": "dot", "sysDot": "round dot", "sysDash": "square dot", "lgDash": "long dash",
        "dashDot": "dash dot", "lgDashDot": "long dash dot", "lgDashDotDot": "long dash dot dot",
        "sysDashDot": "short dash dot", "sysDashDotDot": "short dash dot dot",
    },
    "cap": {"sq": "square", "rnd": "round"},
    "compound": {
        "sng": "single", "dbl": "double", "tri": "triple", "thickThin": "thick and thin",
        "thinThick": "thin and thick",
    },
    "join": {"miter": "mitered"}, "head": _ENDS, "tail": _ENDS,
    "w": _ENDS, "len": _ENDS, "width": _ENDS, "length": _ENDS,
    "geometry": {
        "rect": "rectangle", "roundRect": "rounded rectangle", "ellipse": "oval",
        "can": "cylinder", "homePlate": "pentagon arrow", "wedgeRectCallout": "rectangular callout",
        "wedgeRoundRectCallout": "rounded rectangular callout", "rtTriangle": "right triangle",
        "wedgeEllipseCallout": "oval callout", "mathPlus": "plus sign", "line": "line",
        "straightConnector1": "straight connector", "custom": "freeform",
        "round1Rect": "rectangle with one rounded corner",
        "round2SameRect": "rectangle with rounded top corners",
        "snip1Rect": "rectangle with one snipped corner",
    },
    "camera": {}, "light": {"threePt": "three points", "twoPt": "two points"},
    "material": {"dkEdge": "dark edge", "softmetal": "soft metal"},
    "bevel": {}, "bottom bevel": {}, "text warp": {"textNoShape": "none", "textPlain": "square"},
    "preset": {f"shdw{number}": f"number {number}" for number in range(1, 21)},
    "picture compression": {"hqprint": "high quality print"},
    "type": _PLACEHOLDERS | _LAYOUTS | _CHARTS | _ENDS,
    "sz": {"full": "full size", "half": "half size", "quarter": "quarter size"},
    "slide size type": {
        "screen4x3": "4:3", "screen16x9": "16:9", "screen16x10": "16:10", "A4": "A4",
        "35mm": "35 mm slides", "B4JIS": "B4 (JIS)", "B5JIS": "B5 (JIS)",
    },
    "labels": {"nextTo": "next to the axis"}, "side": _SIDES, "legend": _SIDES,
    "crosses": {"autoZero": "automatic", "min": "minimum", "max": "maximum"},
    "crosses between": {"between": "between tick marks", "midCat": "on tick marks"},
    "major tick marks": {"in": "inside", "out": "outside"},
    "minor tick marks": {"in": "inside", "out": "outside"},
    "label position": _SIDES | {"inBase": "inside base", "t": "above", "b": "below"},
    "marker": {"x": "cross"}, "blanks shown as": {"span": "connected points"},
    "grouping": {"percentStacked": "100 % stacked"}, "recolor": {},
    "dir": _SIDES | _FLOWS | {"vert": "vertical"}, "pattern": {},
    "fontRef": {"major": "heading font", "minor": "body font"},
    "trigger": {"on_click": "on click", "with_previous": "with previous",
                "after_previous": "after previous"},
    "nodes": {},
}  # fmt: skip
"""Words by the last part of the property that has the value. A value that is not listed there is
spelled out from its own name."""

EFFECTS: Mapping[str, str] = {
    "outerShdw": "shadow", "innerShdw": "inner shadow", "prstShdw": "preset shadow",
    "softEdge": "soft edges", "fillOverlay": "fill overlay",
}  # fmt: skip
"""Effects of shapes by the name of their element; the others have the name that PowerPoint uses."""

_THEME_COLORS = {
    **{f"{short}{number}": f"{name} {number}" for short, name in (
        ("tx", "text"), ("bg", "background"), ("dk", "dark"), ("lt", "light"), ("accent", "accent"),
    ) for number in range(1, 7)},
    "hlink": "hyperlink", "folHlink": "followed hyperlink", "phClr": "the color of the style",
}  # fmt: skip
_SHORT = {
    "lt": "light", "dk": "dark", "dn": "downward", "up": "upward", "diag": "diagonal",
    "horz": "horizontal", "vert": "vertical", "sm": "small", "med": "medium", "lg": "large",
    "nar": "narrow", "rnd": "round", "sq": "square", "ctr": "center", "pct": "percent",
    "lum": "luminance", "sat": "saturation", "mod": "factor", "off": "offset", "ref": "style",
    "ln": "line", "pos": "position", "ang": "angle", "clr": "color", "prst": "preset",
    "idx": "number", "sz": "size", "orient": "direction", "dir": "direction", "rad": "radius",
    "algn": "alignment", "lim": "limit", "ext": "extension", "grp": "group", "sld": "slide",
    "num": "number", "hdr": "header", "ftr": "footer", "dt": "date", "ph": "placeholder",
    "lst": "list", "pr": "properties", "fld": "field", "len": "length", "tx": "text",
    "obj": "object", "rect": "rectangle", "rt": "right", "scrgb": "RGB", "srgb": "RGB",
    "blip": "picture", "str": "text", "val": "value", "cat": "category", "ser": "series",
    "maj": "major", "min": "minor", "lvl": "level",
}  # fmt: skip
_NUMBERS = {"alphaLc": "abc", "alphaUc": "ABC", "arabic": "123", "arabicDb": "123"}
_ROMAN = {"romanLc": ("i", "ii", "iii"), "romanUc": ("I", "II", "III")}
_MARKS = {"Period": "{}.", "ParenR": "{})", "ParenBoth": "({})", "Plain": "{}"}


def term(property: str, value: str) -> str | None:
    """The words for a value of a property; None if its values are no abbreviations, such as names
    and texts.

    >>> term("font.underline", "sng"), term("line.dash", "lgDash"), term("font.name", "sng")
    ('single underline', 'long dash', None)
    """
    if (last := property.rpartition(".")[2]) == "scheme":
        return _numbering(value)
    if last == "effects":
        return EFFECTS.get(value) or spelled(value)
    if last.startswith("style fontRef"):
        last = "fontRef"
    terms = TERMS.get(last)
    return None if terms is None else terms.get(value) or spelled(value)


def color_term(value: str) -> str:
    """The words for a colour of the theme, or for a colour that the standard names.

    >>> color_term("accent2"), color_term("dkBlue"), color_term("#112233")
    ('accent 2', 'dark blue', '#112233')
    """
    return value if value.startswith("#") else _THEME_COLORS.get(value) or spelled(value)


def spelled(name: str) -> str:
    """A name of the standard with its words apart and its abbreviations written out.

    >>> spelled("ltUpDiag"), spelled("softRound"), spelled("pct20")
    ('light upward diagonal', 'soft round', '20 percent')
    """
    pieces = re.findall(r"\d+|[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)
    words = [_SHORT.get(piece.lower(), piece.lower()) for piece in pieces]
    if len(words) == 2 and words[0] == "percent":
        words.reverse()
    return " ".join(words) or name


def _numbering(scheme: str) -> str:
    for mark, form in _MARKS.items():
        if (counted := scheme.removesuffix(mark)) == scheme:
            continue
        if counted in _NUMBERS:
            return ", ".join(form.format(letter) for letter in _NUMBERS[counted])
        if counted in _ROMAN:
            return ", ".join(form.format(number) for number in _ROMAN[counted])
    return spelled(scheme)
