"""Every number and name that extraction metrics rest on. Paper: VLM-SlideEval (paper 000)."""

from typing import Final, Literal

FontGroup = Literal["sans", "serif", "mono", "script", "display", "other"]
"""Groups of typefaces (appendix G.2); ``other`` holds what the mapping does not name."""

_BY_GROUP: Final[dict[FontGroup, tuple[str, ...]]] = {
    "sans": (
        "arial", "calibri", "helvetica", "helvetica neue", "segoe ui", "verdana", "tahoma",
        "gill sans", "inter", "roboto", "open sans", "lato", "montserrat", "source sans pro",
        "libre franklin", "quattrocento sans", "ubuntu", "barlow", "bahnschrift", "ibm plex sans",
        "soehne", "dosis", "poppins", "raleway", "titillium web", "nunito", "corbel", "candara",
        "century gothic", "avenir", "avenir next", "franklin gothic", "arial rounded mt",
        "carlito", "tenorite", "aptos", "segoe ui emoji", "segoe ui symbol",
    ),
    "serif": (
        "times new roman", "georgia", "garamond", "cambria", "palatino linotype",
        "bookman old style", "elephant", "merriweather", "playfair display", "bodoni", "bodoni mt",
        "didot", "tinos", "cmr10", "american typewriter", "roboto slab", "asana",
    ),
    "mono": (
        "courier new", "courier", "consolas", "menlo", "monaco", "inconsolata", "fira mono",
        "source code pro", "roboto mono", "ibm plex mono",
    ),
    "script": (
        "comic sans ms", "brush script mt", "brush script", "amatic sc", "patrick hand",
        "architects daughter", "caveat", "pacifico", "lobster",
    ),
    "display": ("impact", "bebas"),
}  # fmt: skip
"""Appendix G.2, which writes bebas with an accent. What table 5 has besides is ``other``: 460
unknown, 105 oswald, 3 handwriting and 1 proxima nova make table 6's 569."""

FONT_GROUPS: Final[dict[str, FontGroup]] = {
    name: group for group, names in _BY_GROUP.items() for name in names
} | {"segoe script": "script"}
"""Canonical name to group. ``segoe script`` is not in G.2, but table 6 counts 47 scripts, which is
what amatic sc, patrick hand, pacifico and segoe script have in table 5 (10 + 33 + 1 + 3)."""

UNKNOWN_FONT: Final = "unknown"
"""Canonical name of a typeface that is not stated (table 5)."""

ALIASES: Final[dict[str, str]] = {"sohne": "soehne", "times": "times new roman"}
"""Ours: other spellings of names in the mapping."""

STYLE_WORDS: Final = frozenset(
    {
        "thin", "hairline", "extralight", "ultralight", "light", "semilight", "book", "regular",
        "normal", "roman", "medium", "demi", "demibold", "semibold", "bold", "extrabold",
        "ultrabold", "heavy", "black", "extra", "ultra", "semi", "italic", "oblique", "condensed",
        "cond", "narrow", "compressed", "extended", "wide", "display", "text", "variable",
    }
)  # fmt: skip
"""Ours: words at a name's end that say weight, slant or width. Table 5 has no name with one, and
E.2 compares weight and slant by themselves."""

FOUNDRY_WORDS: Final = frozenset({"mt", "ps", "psmt", "lt", "std", "pro", "ms", "itc", "bt", "vf"})
"""Ours: what makers put at a name's end. They stay where the mapping has the name with them."""
