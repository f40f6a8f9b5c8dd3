"""Whether two themes differ in nothing but what is told of them: colours and fonts."""

import re

from decklab.ooxml.package import canonical_xml
from decklab.ooxml.xml import Element, qn

_ELEMENTS = qn("a:themeElements")
_COLORS = f"{_ELEMENTS}/{qn('a:clrScheme')}"
_FONTS = f"{_ELEMENTS}/{qn('a:fontScheme')}"
_FACES = tuple(
    f"{_FONTS}/{qn(f'a:{level}Font')}/{qn(f'a:{script}')}"
    for level in ("major", "minor")
    for script in ("latin", "ea", "cs")
)
_STATED = {qn("a:srgbClr"): "val", qn("a:sysClr"): "lastClr"}
_RGB = re.compile("[0-9A-Fa-f]{6}")


def same_but_for_colors(old: Element, new: Element) -> bool:
    """Whether two theme parts are the same without their colours and typefaces.

    Whatever else a theme holds, such as its fill styles, shows on the slides and is told there.
    Both roots are left without what was not compared.
    """
    return _rest(old) == _rest(new)


def _rest(theme: Element) -> bytes:
    for slot in theme.iterfind(f"{_COLORS}/*"):
        if _is_color(slot):
            slot.clear()
            slot.set("stated", "1")  # unlike one that states nothing
    for path in _FACES:
        for face in theme.findall(path):
            face.clear()
    for path in (_COLORS, _FONTS):
        for scheme in theme.findall(path):
            scheme.set("name", "")  # nobody sees it
    return canonical_xml(theme)


def _is_color(slot: Element) -> bool:
    """Whether a slot states a plain colour, so that all that refers to it has one."""
    if len(slot) != 1 or len(slot[0]):
        return False
    stated = slot[0].get(_STATED.get(str(slot[0].tag), ""))
    return stated is not None and _RGB.fullmatch(stated) is not None
