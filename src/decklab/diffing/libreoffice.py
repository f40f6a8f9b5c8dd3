"""Changes that LibreOffice Impress makes to a deck by only opening and saving it as .pptx.

Observed with LibreOffice 7.4. It writes everything anew from its own model: placeholders are
renumbered and renamed, layouts and masters replaced by its own, inherited values stated on the
slides, text heights measured again, groups drawn around their members, objects replaced by their
pictures. The rules below name what it does by itself; a difference that none of them names was made
by somebody. Some real edits look just like these and are taken for noise: other layouts, masters
and themes, table styles and fills of table cells, the settings (not the effect) of a transition,
autofit and insets, mirroring, fonts of other scripts, the width of lines that take it from the
theme, connectors that are disconnected. Where LibreOffice is available,
``decklab.diffing.decks`` needs none of these rules.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from decklab.deck.views.snapshot import Snapshot
from decklab.diffing.changes import Difference, Json, Placed, near, rounded
from decklab.diffing.matching import Box, box_of

_KINDS = frozenset({"layout", "master", "theme", "name"})
_PROPERTIES = frozenset(
    {
        "font.complex_script", "font.east_asian", "font.symbol", "font.language", "placeholder",
        "body.autofit", "body.inset_left", "body.inset_right", "body.inset_top",
        "body.inset_bottom", "paragraph.indent", "paragraph.level", "paragraph.bullet.font",
        "paragraph.bullet.character", "paragraph.bullet.sha256", "paragraph.bullet.size",
        "line.cap", "line.join", "line.compound", "series color", "values_ref", "categories_ref",
        "workbook", "workbook_link", "style_id", "first_row", "last_row", "first_column",
        "last_column", "row_bands", "column_bands", "row height", "duration_ms", "speed",
        "options", "advance_on_click", "decorative", "effects", "theme_style",
        "media_type", "color map",
    }
)  # fmt: skip
_STATED = frozenset({"adjustments", "paragraph.bullet.color", "language"})
"""Properties that it states although the deck uses the default."""
_DROPPED = ("default text style", "table style")
"""Parts of the deck that it drops; it states their values where they apply."""
_FILLED_IN = frozenset({"dt", "ftr", "sldNum"})
"""Placeholders that take their style from its master."""
_IMAGES = ("image", "poster")
_STRAIGHT = frozenset({None, "line", "straightConnector1"})
_BENT = ("curvedConnector", "bentConnector")
_LEAST_SCALE = 0.75
"""Autofit shrinks indents along with the text, down to this share in the decks observed."""
_OFFICE = frozenset(
    {
        "#000000", "#FFFFFF", "#1F497D", "#EEECE1", "#4F81BD", "#C0504D", "#9BBB59", "#8064A2",
        "#4BACC6", "#F79646", "#0000FF", "#800080",
    }
)  # fmt: skip
"""Colours of the theme that it writes if it knows none."""
_DEFAULT_FILL = "#729FCF"
"""The fill of cells whose fill it does not know."""
_UNWRITTEN = frozenset(
    {
        "cut", "zoom", "switch", "flip", "doors", "window", "ferris", "gallery", "conveyor", "pan",
        "warp", "flythrough", "shred", "reveal", "wheelReverse",
    }
)  # fmt: skip
"""Transitions that it does not write; tried one by one."""
_OTHERS = {"strips": "cover", "morph": "fade"}
"""Transitions that it writes as others."""
_TRUE, _FALSE = ("true", "1"), ("false", "0")
_DRAWN_PX = 1.0
"""How far off it draws SmartArt and the turned members of groups."""
_NEAR_PX = 2.0
"""Edges and centres of a group's members that are at most this far apart count as unmoved."""
_SHADE = 8
"""How far theme colours may be off, in steps of 255, after its arithmetic with tints and shades."""
_ALPHA = 0.02
_SECOND_MS = 1000  # it stores times in whole seconds
_GROUP_PX = 12.0
"""It sets a group's box to what the members cover, lines and rotated corners included."""
_SLACK_PX = 0.3
_COARSE = 0.12
"""Px and points: it counts in hundredths of a millimetre (0.03 pt), which add up in groups, and
sizes of text in tenths of a point."""
_MEASURED = frozenset({"geometry", "style", "table"})


@dataclass(frozen=True)
class SlideContext:
    """The deck and slide of a difference."""

    old: Json = field(default_factory=dict)
    """The older version of the slide; empty for differences outside slides."""
    new: Json = field(default_factory=dict)
    remapped: bool = False
    """Whether colour names of the older deck mean unusual theme colours."""
    theme_colors: frozenset[str] = frozenset()
    """All colours of the older deck's themes."""
    drops_lists: bool = False
    """Whether the newer deck has neither sections nor custom shows."""


def rewritten(placed: Placed, context: SlideContext) -> bool:
    """Whether LibreOffice's save may have made this difference by itself."""
    difference = placed.difference
    if difference.kind == "theme" and difference.property.startswith("color ") and difference.new:
        return difference.new in context.theme_colors or difference.new in _OFFICE
    if difference.kind in _KINDS or difference.property in _PROPERTIES:
        return True
    if difference.kind in ("section", "show") and context.drops_lists:
        return True
    if any(rule(difference, context) for rule in (_repainted, _comments, _lost_advance_time)):
        return True
    if _replaced_by_picture(placed, context) or _redrawn(placed, context):
        return True
    if difference.property in _STATED and not difference.old:
        return True
    if difference.part.startswith(_DROPPED):
        return True
    return any(rule(placed) for rule in _RULES)


def _repainted(difference: Difference, context: SlideContext) -> bool:
    """Whether a colour changed because its name stood for an unusual theme colour."""
    named = difference.slots[0] and difference.slots[0] == difference.slots[1]
    return bool(named and difference.kind == "style" and context.remapped)


def _replaced_by_picture(placed: Placed, context: SlideContext) -> bool:
    """Whether an object was replaced by its picture, or a picture without an image removed."""
    old, new, difference = placed
    if difference.kind == "removed" and difference.property == "image":
        image = (old or {}).get("image", {})
        return not (image.get("sha256") or image.get("link"))
    if difference.kind != "added" or difference.property != "image" or new is None:
        return False
    lost = [shape for shape in context.old.get("shapes", ()) if shape["kind"] == "other"]
    return any(shape.get("name") == new.get("name") for shape in lost)


def _redrawn(placed: Placed, context: SlideContext) -> bool:
    """Whether a group's box was only redrawn: half of its members, and one, did not move."""
    old, new, difference = placed
    boxed = difference.kind == "geometry" and difference.property in ("position", "size")
    if not boxed or old is None or new is None or new["kind"] != "group":
        return False

    def members_of(group: Json, shapes: Iterable[Json]) -> list[Json]:
        id = group.get("id")
        return [shape for shape in shapes if (shape.get("groups") or [0])[-1] == id]

    sides = ((old, context.old), (new, context.new))
    members = [members_of(group, side.get("shapes", ())) for group, side in sides]
    if len(members[0]) != len(members[1]):
        return False
    stayed = sum(_stays(box_of(a), box_of(b)) for a, b in zip(*members, strict=True))
    return stayed > 0 and 2 * stayed >= len(members[0])


def _stays(old: Box, new: Box) -> bool:
    """Whether an edge or the centre of a box stayed in each direction; text may resize it."""

    def moved(at: int, share: float) -> float:
        return abs(old[at] + share * old[at + 2] - new[at] - share * new[at + 2])

    return all(min(moved(at, share) for share in (0.0, 0.5, 1.0)) <= _NEAR_PX for at in (0, 1))


def _lost_advance_time(difference: Difference, context: SlideContext) -> bool:
    """Whether the time of advance was lost on a slide without transition effect."""
    what = difference.kind, difference.property
    lost = what == ("transition", "advance_after_ms") and not difference.new
    return lost and not (context.old.get("transition") or {}).get("name")


def _comments(difference: Difference, context: SlideContext) -> bool:
    """Whether a reply became a comment, or a comment moved."""
    if difference.kind != "comment":
        return False
    if difference.property == "added":
        comments = context.old.get("comments", ())
        replies = [reply.get("text") for item in comments for reply in item.get("replies", ())]
        return _field(difference.new, "text") in replies
    return difference.property == "position" or (
        difference.property == "replies" and not difference.new
    )


def _rounded(placed: Placed) -> bool:
    difference = placed.difference
    return difference.kind in _MEASURED and near(difference.old, difference.new, _COARSE)


def _field(value: Any, key: str) -> Any:
    return value.get(key) if isinstance(value, dict) else None


def _paints(placed: Placed) -> bool:
    """Whether a paint changed as saving changes it: a shade off, dropped or written anew."""
    difference = placed.difference
    if not difference.property.endswith(("fill", "color", "background", "outline")):
        return False
    if _field(difference.old, "kind") is not None:
        return _made_anew(difference)
    if difference.new is None and (_field(difference.old, "alpha") == 0 or _of_image(placed)):
        return True
    if difference.property == "font.color" and difference.slots[1] == "hlink":
        return True
    property, old, new = difference.property, difference.old, difference.new
    if _field(old, "alpha") is not None and isinstance(new, str):
        return property == "font.color" or _field(old, "color") == new
    if property == "cell.fill" and old is None and new == _DEFAULT_FILL:
        return True
    return _near_colors(old, new)


def _made_anew(difference: Difference) -> bool:
    """Whether a gradient, pattern or picture was written as another paint, or dropped."""
    if not isinstance(difference.new, str) or difference.property.startswith("font."):
        return True
    stops = [stop.get("color") for stop in difference.old.get("stops", ())]
    colors = [*stops, difference.old.get("foreground"), difference.old.get("ground")]
    return any(_near_colors(color, difference.new) for color in colors)


def _of_image(placed: Placed) -> bool:
    return placed.new is not None and placed.new["kind"] == "image"


def _near_colors(old: Any, new: Any) -> bool:
    if isinstance(old, dict) and isinstance(new, dict):
        same_alpha = abs(old.get("alpha", 1.0) - new.get("alpha", 1.0)) <= _ALPHA
        return same_alpha and _near_colors(old.get("color"), new.get("color"))
    if not (isinstance(old, str) and isinstance(new, str) and len(old) == len(new) == 7):
        return False
    return all(abs(int(old[i : i + 2], 16) - int(new[i : i + 2], 16)) <= _SHADE for i in (1, 3, 5))


def _spacing(placed: Placed) -> bool:
    """Distances in shares become points."""
    difference = placed.difference
    units = _field(difference.old, "unit"), _field(difference.new, "unit")
    return difference.property.startswith("paragraph.") and units == ("share", "points")


def _unstyled(placed: Placed) -> bool:
    """Whether text lost a style that saving loses: of blanks, fields, picture bullets."""
    old, _new, difference = placed
    if difference.kind != "style":
        return False
    is_unset_font = difference.property.startswith("font.") and difference.origins[1] == ""
    if difference.unseen or is_unset_font:
        return True
    kinds = (_field(side, "kind") for side in (difference.old, difference.new))
    if difference.property == "paragraph.bullet" and "picture" in kinds:
        return True
    return (old or {}).get("placeholder", {}).get("type") in _FILLED_IN


def _of_table_style(placed: Placed) -> bool:
    """Whether a cell now states what the table style gave it before."""
    return placed.difference.kind == "style" and placed.difference.origins[0] == "table_style"


def _links(placed: Placed) -> bool:
    """Macros and tooltips are lost."""
    if (difference := placed.difference).kind != "link":
        return False
    if _field(difference.old, "kind") in ("macro", "none"):
        return difference.new is None
    was, now = _field(difference.old, "target"), _field(difference.new, "target")
    return was is not None and now in (was, f"file:{was}")


def _outline(placed: Placed) -> bool:
    """Whether an outline changed as saving changes it: connectors, widths, glued ends."""
    old, _new, difference = placed
    if difference.property == "geometry" and difference.kind == "style":
        if difference.new is None:
            return True  # a freeform without a path
        straight = difference.old in _STRAIGHT and difference.new in _STRAIGHT
        return straight or all(
            str(geometry).startswith(_BENT) for geometry in (difference.old, difference.new)
        )
    if difference.property.startswith("connected"):
        return difference.new is None
    if difference.property in ("start", "end"):
        return old is not None and old.get("line", {}).get(difference.property) is not None
    if difference.property == "adjustments":
        content = (old or {}).get((old or {}).get("kind", ""), {})
        return str(content.get("geometry")).startswith(_BENT)
    return difference.property == "line.width" and difference.origins[0] in ("theme", "")


def _fitted(placed: Placed) -> bool:
    """Indents shrink with text that is made to fit."""
    old, new, difference = placed
    if difference.property not in ("paragraph.margin_left", "paragraph.margin_right"):
        return False
    bodies = [(shape or {}).get("text", {}).get("body", {}) for shape in (old, new)]
    if any(body.get("autofit") != "shrink" for body in bodies) or not difference.old:
        return False
    return bool(_LEAST_SCALE <= difference.new / difference.old < 1)


def _faces(placed: Placed) -> bool:
    """Whether LibreOffice replaced a missing font's name by its substitute (lower case)."""
    if (difference := placed.difference).property != "font.name" or not difference.new:
        return False
    same_face = (difference.old, difference.new) == ("Courier", "Courier New")
    return same_face or bool(difference.new == difference.new.lower())


def regrown(placed: Placed) -> bool:
    """Whether LibreOffice grew a shape along with its text when it saved, as it does each time."""
    bodies = [(shape or {}).get("text", {}).get("body", {}) for shape in placed[:2]]
    return all(body.get("autofit") == "grow" for body in bodies) and _regrown(placed)


def _regrown(placed: Placed) -> bool:
    """Groups, tables and shapes that grow with their text are measured again."""
    old, new, difference = placed
    if difference.property not in ("position", "size") or old is None or new is None:
        return False
    moves = [float(abs(a - b)) for a, b in zip(difference.old, difference.new, strict=True)]
    if new["kind"] == "group":
        return max(moves) <= _GROUP_PX
    if new["kind"] == "diagram":
        return max(moves) <= _DRAWN_PX
    if new["kind"] == "table" and old.get("table", {}).get("columns"):
        columns = [sum(shape["table"].get("columns", ())) for shape in (old, new)]
        if abs(columns[0] - columns[1]) <= _DRAWN_PX and difference.property == "size":
            return bool(abs(columns[1] - new.get("w", 0.0)) <= _DRAWN_PX)
    if new.get("groups") and _lying(old, new):
        return True
    bodies = [shape.get("text", {}).get("body", {}) for shape in (old, new)]
    if new["kind"] != "table" and all(body.get("autofit") != "grow" for body in bodies):
        return False
    growth = [float(abs(old.get(edge, 0.0) - new.get(edge, 0.0))) + _SLACK_PX for edge in "wh"]
    if difference.property == "position":
        rooms = [max(growth)] * 2 if new.get("rotation") else growth
        return moves[0] <= rooms[0] and moves[1] <= rooms[1]
    wraps = all(body.get("wraps", True) for body in bodies)
    return not wraps or bool(new.get("rotation")) or moves[0] <= _SLACK_PX


def _lying(old: Json, new: Json) -> bool:
    """Whether a box has about the same centre and exchanged sides."""
    boxes = [[shape.get(key, 0.0) for key in "xywh"] for shape in (old, new)]
    centres = [(box[0] + box[2] / 2, box[1] + box[3] / 2) for box in boxes]
    apart = [abs(a - b) for a, b in zip(*centres, strict=True)]
    sides = abs(boxes[0][2] - boxes[1][3]), abs(boxes[0][3] - boxes[1][2])
    return bool(max(*apart, *sides) <= _DRAWN_PX)


def _turns(placed: Placed) -> bool:
    """Groups are written upright and their members turned; freeforms are written mirrored."""
    _old, new, difference = placed
    if difference.property == "rotation":
        return new is not None and new["kind"] == "group"
    return difference.property in ("flip_h", "flip_v")


def _pictures(placed: Placed) -> bool:
    """Vector pictures are drawn as rasters, and rasters of rare formats as others."""
    old, new, difference = placed
    if difference.kind not in ("picture", "media") or difference.property not in _IMAGES:
        return False
    pixels = _field(difference.old, "pixels"), _field(difference.new, "pixels")
    if not (pixels[0] and pixels[1]):
        return True
    states = (old or {}, new or {})
    types = [state.get(state.get("kind", ""), {}).get("content_type") for state in states]
    return bool(pixels[0] == pixels[1] and types[0] != types[1])


def _transitions(placed: Placed) -> bool:
    """Whether a transition changed as saving changes it: effects lost, times rounded."""
    if (difference := placed.difference).kind != "transition":
        return False
    if difference.property in ("added", "removed"):
        name = _field(difference.new or difference.old, "name")
        return name is None or (difference.property == "removed" and name in _UNWRITTEN)
    if difference.property == "effect":
        return bool(
            _OTHERS.get(_field(difference.old, "name") or "") == _field(difference.new, "name")
        )
    if difference.property == "advance_after_ms":
        return abs(float(difference.old or 0) - float(difference.new or 0)) < _SECOND_MS
    return False


def _lost(placed: Placed) -> bool:
    """Whether something was lost that LibreOffice does not write, such as alt texts."""
    if (difference := placed.difference).kind == "alt text":
        return not difference.new
    if difference.kind == "removed":
        return difference.property in ("other", "diagram")
    if difference.kind == "slide" and difference.property == "name":
        return not difference.new
    if difference.kind == "style" and difference.property == "body.anchor":
        return difference.origins[0] == ""
    if difference.kind == "geometry" and difference.property == "placed":
        return bool(difference.new)
    if difference.kind == "other" and difference.property == "sha256":
        return True
    if difference.kind != "properties" or not isinstance(difference.old, str):
        return False
    return any(difference.old in same and difference.new in same for same in (_TRUE, _FALSE))


def _charted(placed: Placed) -> bool:
    """Whether a chart now states a default, such as the title of a single series."""
    _old, new, difference = placed
    if difference.kind != "chart" or new is None:
        return False
    series = new.get("chart", {}).get("series", ())
    if difference.property == "title":
        return not difference.old and (
            not difference.new or (len(series) == 1 and difference.new == series[0].get("name"))
        )
    if difference.property == "grouping":
        return not difference.old and difference.new == "standard"
    if difference.property == "categories":
        return list(difference.new) == [str(n) for n in range(1, 1 + len(difference.new))]
    return False


def _played(placed: Placed) -> bool:
    """Sounds and videos are started by effects that have no name."""
    difference = placed.difference
    effects = _field(difference.old, "kind"), _field(difference.new, "effect")
    return difference.kind == "animation" and effects == ("media", "custom")


def _spaced(placed: Placed) -> bool:
    """Whether only blanks and line breaks differ."""
    difference = placed.difference
    if difference.kind != "text" and difference.property != "cell text":
        return False
    return "".join(str(difference.old).split()) == "".join(str(difference.new).split())


def _raised(placed: Placed) -> bool:
    """Dates, footers and slide numbers are written last, and so drawn over all else."""
    old, _new, difference = placed
    if difference.kind != "z-order" or difference.new < difference.old:
        return False
    return (old or {}).get("placeholder", {}).get("type") in _FILLED_IN


def _drawn(placed: Placed) -> bool:
    """SmartArt becomes a group."""
    return placed.difference.kind == "added" and placed.difference.property == "group"


_RULES = (
    _rounded, _paints, _spacing, _unstyled, _of_table_style, _links, _outline, _fitted, _faces,
    _regrown, _turns, _pictures, _transitions, _lost, _raised, _drawn, _charted, _played, _spaced,
)  # fmt: skip


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
        if rounded(placed.difference):
            return True
        if self.regrows and any(rule(placed) for rule in (regrown, _renumbered, _on_template)):
            return True
        context = self.context
        if slide is not None:
            context = replace(context, old=slide[0], new=slide[1])
        return self.by_libreoffice and rewritten(placed, context)


def _renumbered(placed: Placed) -> bool:
    """Whether only the index of a placeholder changed: LibreOffice counts through all slides."""
    difference = placed.difference
    types = [
        value.get("type") for value in (difference.old, difference.new) if isinstance(value, dict)
    ]
    return difference.property == "placeholder" and len(types) == 2 and types[0] == types[1]


def _on_template(placed: Placed) -> bool:
    """Whether LibreOffice gave a master or layout a placeholder, or removed one."""
    old, new, difference = placed
    shape = old or new or {}
    return difference.kind in ("master", "layout") and (
        difference.property in ("added", "removed") and "placeholder" in shape
    )


_USUAL = {"bg1": "lt1", "tx1": "dk1", "bg2": "lt2", "tx2": "dk2"}


def _remaps(sheet: Json) -> bool:
    return any(slot != _USUAL.get(name, name) for name, slot in sheet.get("color_map", {}).items())


def saved_by_libreoffice(deck: Snapshot) -> bool:
    """Whether the deck's properties name LibreOffice as the program that saved it last."""
    return _program(deck).startswith("LibreOffice")


def _program(deck: Snapshot) -> str:
    """The program that saved a deck, with its version, such as ``LibreOffice/7.4.7.2``."""
    return str(deck.get("properties", {}).get("Application", "")).partition("$")[0]
