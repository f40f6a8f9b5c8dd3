"""Canonical names of typefaces and their groups (paper 000, appendix G)."""

import re
import unicodedata
from functools import lru_cache
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
"""Appendix G.2, which writes bebas with an accent. All other names of table 5 are ``other``: 460
unknown, 105 oswald, 3 handwriting and 1 proxima nova make table 6's 569."""

FONT_GROUPS: Final[dict[str, FontGroup]] = {
    name: group for group, names in _BY_GROUP.items() for name in names
} | {"segoe script": "script"}
"""Canonical name to group. ``segoe script`` is not in G.2, but table 6 counts 47 scripts, the sum
of amatic sc, patrick hand, pacifico and segoe script in table 5 (10 + 33 + 1 + 3)."""

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
"""Ours: words at a name's end for weight, slant or width. No name in table 5 has such a word, and
E.2 compares weight and slant separately."""

FOUNDRY_WORDS: Final = frozenset({"mt", "ps", "psmt", "lt", "std", "pro", "ms", "itc", "bt", "vf"})
"""Ours: words that makers add to a name. They stay where the mapping has the name with them."""

_SQUEEZED = {name.replace(" ", ""): name for name in FONT_GROUPS}
_DROPPED = STYLE_WORDS | FOUNDRY_WORDS
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_ASIDE = re.compile(r"\([^)]*\)")


@lru_cache(maxsize=4096)
def canonical_font(name: str) -> str:
    """A typeface's name for comparison: lower case, without weight, slant, maker or accents.

    Of several names the first counts. An empty name is ``unknown``. The paper prints its canonical
    names (tables 5 and 6, G.2) but not the rule; this rule gives the names as printed.

    >>> [canonical_font(name) for name in ("Segoe UI Semibold", "OpenSans-Bold", "Gill Sans MT")]
    ['segoe ui', 'open sans', 'gill sans']
    >>> canonical_font("TimesNewRomanPSMT"), canonical_font("Source Sans Pro"), canonical_font("")
    ('times new roman', 'source sans pro', 'unknown')
    """
    first = _ASIDE.sub(" ", name).split(",")[0].split(";")[0].strip(" \"'")
    known = _known(_words(first))
    if known:
        return known
    words = _words(_CAMEL.sub(" ", first))
    while words:
        known = _known(words)
        if known:
            return known
        if len(words) == 1 or words[-1] not in _DROPPED:
            break
        words = words[:-1]
    return " ".join(words) or UNKNOWN_FONT


def font_group(name: str) -> FontGroup:
    """The group of a typeface by its name in any spelling; ``other`` where the mapping has none.

    >>> font_group("Georgia"), font_group("Roboto Mono Light"), font_group("Oswald")
    ('serif', 'mono', 'other')
    """
    return FONT_GROUPS.get(canonical_font(name), "other")


def _words(name: str) -> list[str]:
    plain = unicodedata.normalize("NFKD", name).casefold()
    plain = "".join(c for c in plain if not unicodedata.combining(c))
    return re.sub(r"[\s_\-+]+", " ", plain).split()


def _known(words: list[str]) -> str | None:
    """The mapping's name for these words, written together or apart."""
    spaced, squeezed = " ".join(words), "".join(words)
    if spaced in FONT_GROUPS:
        return spaced
    return ALIASES.get(spaced) or _SQUEEZED.get(squeezed)
