"""Finds the differences that a program makes by only saving a deck."""

from dataclasses import dataclass, field, replace

from decklab.deck.views.snapshot import Snapshot
from decklab.diffing.compare.difference import Json, Placed, rounded
from decklab.diffing.noise.libreoffice import SlideContext, regrown, rewritten


@dataclass(frozen=True)
class SaveNoise:
    """Which noise to expect: it depends on the programs that saved the two decks."""

    by_libreoffice: bool
    """Whether LibreOffice saved the newer deck, and not the same version of it the older one."""
    flattens: bool
    """Whether the save writes inherited values into the slides: then no value of a slide follows
    from its layout, master or theme."""
    regrows: bool = False
    """Whether LibreOffice saved both: it grows shapes along with their text, and renumbers
    placeholders."""
    context: SlideContext = field(default_factory=SlideContext)

    @classmethod
    def of(cls, before: Snapshot, after: Snapshot) -> "SaveNoise":
        """From the properties of two snapshots."""
        old, new = _program(before), _program(after)
        by_libreoffice = saved_by_libreoffice(after) and old != new
        context = SlideContext(
            remapped=any(map(_remaps, (*before["masters"], *before["layouts"], *before["slides"]))),
            theme_colors=frozenset(
                color for theme in before["themes"] for color in theme.get("colors", {}).values()
            ),
            drops_lists=not (after.get("sections") or after.get("shows")),
        )
        both = saved_by_libreoffice(before) and saved_by_libreoffice(after)
        return cls(by_libreoffice, by_libreoffice and not both, both, context)

    def makes(self, placed: Placed, slide: tuple[Json, Json] | None = None) -> bool:
        """Whether the save may have made this difference. ``slide`` are the older and the newer
        version of its slide."""
        if rounded(placed.found):
            return True
        if self.regrows and any(rule(placed) for rule in (regrown, _renumbered, _on_template)):
            return True
        context = self.context
        if slide is not None:
            context = replace(context, old=slide[0], new=slide[1])
        return self.by_libreoffice and rewritten(placed, context)


def _renumbered(placed: Placed) -> bool:
    """Whether only the index of a placeholder changed: LibreOffice counts through all slides."""
    found = placed.found
    types = [value.get("type") for value in (found.old, found.new) if isinstance(value, dict)]
    return found.property == "placeholder" and len(types) == 2 and types[0] == types[1]


def _on_template(placed: Placed) -> bool:
    """Whether LibreOffice gave a master or layout a placeholder, or removed one."""
    old, new, found = placed
    shape = old or new or {}
    return found.kind in ("master", "layout") and (
        found.property in ("added", "removed") and "placeholder" in shape
    )


_USUAL = {"bg1": "lt1", "tx1": "dk1", "bg2": "lt2", "tx2": "dk2"}


def _remaps(sheet: Json) -> bool:
    return any(slot != _USUAL.get(name, name) for name, slot in sheet.get("color_map", {}).items())


def saved_by_libreoffice(deck: Snapshot) -> bool:
    """Whether the deck's properties name LibreOffice as the program that saved it last."""
    return _program(deck).startswith("LibreOffice")


def _program(deck: Snapshot) -> str:
    """The program that saved a deck, and its version, such as ``LibreOffice/7.4.7.2``; without the
    operating system."""
    return str(deck.get("properties", {}).get("Application", "")).partition("$")[0]
