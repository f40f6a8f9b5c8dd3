"""The fonts this machine has, as fontconfig lists them."""

import hashlib
import os
import shutil
import subprocess
from functools import lru_cache

__all__ = ["family_of", "font_set_hash", "installed_families"]

_LIST_SECONDS = 60.0
_SEPARATOR = "\t"
_FORMAT = _SEPARATOR.join(("%{family}", "%{style}", "%{fontversion}", "%{postscriptname}")) + "\n"


def font_set_hash() -> str:
    """One word for the fonts installed: families, styles and versions. Empty without fontconfig.

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
    """Rows of family, style, version, PostScript name; ``_choice`` only tells settings apart."""
    program = shutil.which("fc-list", path=search_path)
    if program is None:
        return ()
    try:
        done = subprocess.run(
            [program, "--format", _FORMAT],
            check=False,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_LIST_SECONDS,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ()
    lines = done.stdout.decode("utf-8", "replace").splitlines()
    return tuple(tuple(line.split(_SEPARATOR)) for line in lines if line.count(_SEPARATOR) == 3)
