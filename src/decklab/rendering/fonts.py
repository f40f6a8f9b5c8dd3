"""The fonts installed on this machine, as fontconfig lists them."""

import hashlib
import os
import re
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from decklab.core.errors import DeckError
from decklab.core.programs import output_of
from decklab.deck.styles.themes import plain_family
from decklab.ooxml.package import Package
from decklab.ooxml.slide_list import slide_entries
from decklab.ooxml.xml import Element, qn

_LIST_SECONDS = 60.0
_SEPARATOR = "\t"
_FORMAT = _SEPARATOR.join(("%{family}", "%{style}", "%{fontversion}", "%{postscriptname}")) + "\n"


def font_set_hash() -> str:
    """A hash of the installed fonts: families, styles and versions. Empty without fontconfig.

    Decks drawn under different hashes may differ in every line of text.
    """
    rows = sorted(_SEPARATOR.join(row[:3]) for row in _listed())
    return hashlib.sha256("\n".join(rows).encode()).hexdigest() if rows else ""


def installed_families() -> frozenset[str]:
    """Families installed, by all their names in all languages, case folded."""
    return frozenset(name.casefold() for row in _listed() for name in _names(row[0]))


def family_of(postscript_name: str) -> str:
    """Family of an installed font by its PostScript name; that name itself where unknown."""
    families = {row[3]: _names(row[0])[0] for row in _listed()}
    without_variant = postscript_name.rpartition("-")[0]  # NotoSansCJKjp-Regular-VKana
    return families.get(postscript_name) or families.get(without_variant) or postscript_name


def _names(listed: str) -> list[str]:
    return [name.strip().replace("\\", "") for name in listed.split(",")]


def _listed() -> tuple[tuple[str, ...], ...]:
    choice = (os.environ.get("FONTCONFIG_FILE"), os.environ.get("FONTCONFIG_PATH"))
    return _list_fonts(os.environ.get("PATH", os.defpath), choice)


@lru_cache(maxsize=8)
def _list_fonts(search_path: str, _choice: tuple[str | None, ...]) -> tuple[tuple[str, ...], ...]:
    """Rows of family, style, version, PostScript name; ``_choice`` is only a key of the cache."""
    if (program := shutil.which("fc-list", path=search_path)) is None:
        return ()
    if (done := output_of([program, "--format", _FORMAT], _LIST_SECONDS)) is None:
        return ()
    lines = done.stdout.decode("utf-8", "replace").splitlines()
    return tuple(tuple(line.split(_SEPARATOR)) for line in lines if line.count(_SEPARATOR) == 3)


FontScript = Literal["latin", "east_asian", "complex"]
"""The kind of text that a typeface is set for."""

_SCRIPTS: dict[str, FontScript] = {
    qn("a:latin"): "latin",
    qn("a:ea"): "east_asian",
    qn("a:cs"): "complex",
}
_EAST_ASIAN = re.compile("[\u1100-\u11ff\u2e80-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff]")
_COMPLEX = re.compile("[\u0590-\u10ff\u1780-\u18af\ufb1d-\ufdff\ufe70-\ufeff]")
_THEME_SLOTS = {"lt": "latin", "ea": "ea", "cs": "cs"}


@dataclass(frozen=True)
class FontUse:
    """A font family that a deck names, and where."""

    family: str
    """As the deck names it, without additions such as ``(Headings)``."""
    scripts: tuple[FontScript, ...]
    """The scripts that it is set for, sorted."""
    parts: tuple[str, ...]
    """Names of the parts that name it: slides, their layouts and masters, charts, diagrams."""


def requested_fonts(package: Package) -> tuple[FontUse, ...]:
    """The families named by slides, their layouts and masters, sorted by name.

    Looks at the presentation's defaults, slides, the layouts and masters that slides use, charts
    and drawn diagrams; ``+mj-lt`` and the like are resolved through the master's theme. A family
    counts if it is named, whether or not text uses it; a family named for East Asian or complex
    text counts only if the deck has such text. Bullet fonts are left out. Parts that cannot be
    read are left out. Raises MissingPart if there is no main part.
    """
    uses: dict[str, tuple[str, set[FontScript], set[str]]] = {}
    present: set[FontScript] = {"latin"}
    for part, theme in _parts_with_theme(package):
        if (root := _root(package, part)) is None:
            continue
        present |= _scripts_in(root)
        for script, family in _named_in(root, theme):
            _, scripts, parts = uses.setdefault(family.casefold(), (family, set(), set()))
            scripts.add(script)
            parts.add(part)
    return tuple(
        FontUse(family, tuple(sorted(scripts & present)), tuple(sorted(parts)))
        for _, (family, scripts, parts) in sorted(uses.items())
        if scripts & present
    )


def _parts_with_theme(package: Package) -> Iterator[tuple[str, Mapping[str, str]]]:
    """Each part that may name fonts, once, with its theme fonts."""
    main = package.main_part
    masters = package.related(main, "slideMaster")
    yield main, _theme_fonts(package, masters[0]) if masters else {}
    seen: set[str] = set()
    themes: dict[str, Mapping[str, str]] = {}
    for slide in (entry.part for entry in slide_entries(package)):
        layouts = package.related(slide, "slideLayout")
        owners = [name for layout in layouts for name in package.related(layout, "slideMaster")]
        for master in owners:
            if master not in themes:
                themes[master] = _theme_fonts(package, master)
        theme = themes[owners[0]] if owners else {}
        for part in (slide, *layouts, *owners, *_drawings(package, slide)):
            if part not in seen:
                seen.add(part)
                yield part, theme


def _drawings(package: Package, slide: str) -> list[str]:
    """Charts and drawn diagrams of a slide."""
    links = package.relationships(slide).values()
    kinds = ("chart", "diagramDrawing")
    return [
        link.target
        for link in links
        if link.kind in kinds and not link.external and link.target in package
    ]


def _theme_fonts(package: Package, master: str) -> Mapping[str, str]:
    """Theme font references such as ``+mn-lt`` and the families they stand for."""
    fonts: dict[str, str] = {}
    for part in package.related(master, "theme")[:1]:
        root = _root(package, part)
        scheme = None if root is None else root.find(f".//{qn('a:fontScheme')}")
        if scheme is None:
            continue
        for prefix, name in (("+mj", "a:majorFont"), ("+mn", "a:minorFont")):
            for slot, tag in _THEME_SLOTS.items():
                item = scheme.find(f"{qn(name)}/{qn(f'a:{tag}')}")
                fonts[f"{prefix}-{slot}"] = "" if item is None else item.get("typeface") or ""
    return fonts


def _named_in(root: Element, theme: Mapping[str, str]) -> Iterator[tuple[FontScript, str]]:
    for item in root.iter(*_SCRIPTS):
        typeface = item.get("typeface") or ""
        family = theme.get(typeface, "") if typeface.startswith("+") else typeface
        if plain_family(family):
            yield _SCRIPTS[item.tag], plain_family(family)


def _scripts_in(root: Element) -> set[FontScript]:
    """The scripts, besides Latin, in the text of a part."""
    text = "".join(item.text or "" for item in root.iter(qn("a:t"), qn("c:v")))
    scripts: set[FontScript] = set()
    if _EAST_ASIAN.search(text):
        scripts.add("east_asian")
    if _COMPLEX.search(text):
        scripts.add("complex")
    return scripts


def _root(package: Package, part: str) -> Element | None:
    try:
        return package.xml(part)
    except DeckError:
        return None
