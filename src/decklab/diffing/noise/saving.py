"""Which differences are only what a program does to a deck when it saves it."""

from dataclasses import dataclass, field, replace

from decklab.deck.views.snapshot import Snapshot
from decklab.diffing.compare.difference import Json, Placed, rounded
from decklab.diffing.noise.libreoffice import Around, regrown, rewritten


@dataclass(frozen=True)
class Resave:
    """Who saved the newer deck after somebody else had saved the older one."""

    by_libreoffice: bool
    """Whether LibreOffice did, and not the same version of it before."""
    flattens: bool
    """Whether inherited values come back as the slides' own, so that nothing a slide shows follows
    from what is behind it."""
    regrows: bool = False
    """Whether LibreOffice saved both, and so grew shapes along with their text, and counted
    placeholders anew."""
    around: Around = field(default_factory=Around)

    @classmethod
    def of(cls, before: Snapshot, after: Snapshot) -> "Resave":
        """From the properties of two snapshots."""
        old, new = _program(before), _program(after)
        by_libreoffice = saved_by_libreoffice(after) and old != new
        around = Around(
            remapped=any(map(_remaps, (*before["masters"], *before["layouts"], *before["slides"]))),
            theme_colors=frozenset(
                color for theme in before["themes"] for color in theme.get("colors", {}).values()
            ),
            drops_lists=not (after.get("sections") or after.get("shows")),
        )
        both = saved_by_libreoffice(before) and saved_by_libreoffice(after)
        return cls(by_libreoffice, by_libreoffice and not both, both, around)

    def makes(self, placed: Placed, slide: tuple[Json, Json] | None = None) -> bool:
        """Whether the save may have made this difference by itself; ``slide`` is the older and
        the newer state of the slide it is on."""
        if rounded(placed.found):
            return True
        if self.regrows and any(rule(placed) for rule in (regrown, _renumbered, _furnished)):
            return True
        around = self.around
        if slide is not None:
            around = replace(around, old=slide[0], new=slide[1])
        return self.by_libreoffice and rewritten(placed, around)


def _renumbered(placed: Placed) -> bool:
    """LibreOffice counts placeholders through all slides: an index is no more than a number."""
    found = placed.found
    types = [one.get("type") for one in (found.old, found.new) if isinstance(one, dict)]
    return found.property == "placeholder" and len(types) == 2 and types[0] == types[1]


def _furnished(placed: Placed) -> bool:
    """It gives its masters and layouts the placeholders that it thinks they need."""
    old, new, found = placed
    held = old or new or {}
    return found.kind in ("master", "layout") and (
        found.property in ("added", "removed") and "placeholder" in held
    )


_USUAL = {"bg1": "lt1", "tx1": "dk1", "bg2": "lt2", "tx2": "dk2"}


def _remaps(sheet: Json) -> bool:
    return any(slot != _USUAL.get(name, name) for name, slot in sheet.get("color_map", {}).items())


def saved_by_libreoffice(deck: Snapshot) -> bool:
    """Whether a deck says that LibreOffice saved it last."""
    return _program(deck).startswith("LibreOffice")


def _program(deck: Snapshot) -> str:
    """The program that saved a deck, and its version, such as ``LibreOffice/7.4.7.2``; the system
    it ran on left aside."""
    return str(deck.get("properties", {}).get("Application", "")).partition("$")[0]
