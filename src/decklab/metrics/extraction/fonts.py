"""Canonical names of typefaces and their groups (paper 000, appendix G)."""

import re
import unicodedata
from functools import lru_cache

from decklab.metrics.extraction.constants import (
    ALIASES,
    FONT_GROUPS,
    FOUNDRY_WORDS,
    STYLE_WORDS,
    UNKNOWN_FONT,
    FontGroup,
)

_SQUEEZED = {name.replace(" ", ""): name for name in FONT_GROUPS}
_DROPPED = STYLE_WORDS | FOUNDRY_WORDS
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_ASIDE = re.compile(r"\([^)]*\)")


@lru_cache(maxsize=4096)
def canonical_font(name: str) -> str:
    """A typeface's name as it is compared: lower case, without weight, slant, maker or accents.

    Of several names the first counts. An empty name is ``unknown``. The paper prints its canonical
    names (tables 5 and 6, G.2) but not the rule; this one gives names as it prints them.

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
    kept = "".join(c for c in plain if not unicodedata.combining(c))
    return re.sub(r"[\s_\-+]+", " ", kept).split()


def _known(words: list[str]) -> str | None:
    """The mapping's name for these words, written together or apart."""
    spaced, squeezed = " ".join(words), "".join(words)
    if spaced in FONT_GROUPS:
        return spaced
    return ALIASES.get(spaced) or _SQUEEZED.get(squeezed)
