"""Changes as plain sentences, for people and for agents that edit."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from decklab.core.geometry import FRAME_HEIGHT, FRAME_WIDTH
from decklab.core.naming import NOUNS, name_in_words, shape_label
from decklab.diffing.changes import Change, DeckDiff, ElementRef
from decklab.diffing.matching import shape_text
from decklab.diffing.sequences import word_edits
from decklab.diffing.terms import color_term, spelled, term
from decklab.diffing.xml.names import percent, place_of, plain_name, stated_words, value_words

_LONGEST = 80  # characters of a text that is quoted


def words(diff: DeckDiff) -> tuple[str, ...]:
    """One sentence for each change that is no noise, in order.

    >>> words(DeckDiff())
    ()
    """
    return tuple(sentence(change) for change in diff.changes if not change.noise)


def sentence(change: Change) -> str:
    """One change as a sentence.

    >>> hidden = Change(slide=3, element=None, kind="slide", property="hidden", old=False, new=True)
    >>> sentence(hidden)
    'Slide 3: the slide is hidden now.'
    """
    at = f"{_place(change)}: " if change.slide is not None or not _sheet(change) else ""
    return f"{at}{clause(change)}."


def clause(change: Change) -> str:
    """The sentence without the slide and the full stop; layouts, masters and themes are named.

    >>> clause(Change(slide=3, element=None, kind="slide", property="hidden", old=True, new=False))
    'the slide is shown again'
    """
    general = _CLAUSES.get((change.kind, ""))
    if change.path:  # found in the XML: values are raw, of any kind
        say = general if change.kind in _OF_ANY_VALUE else None
        say = _path if change.property == "path" else say
    else:
        say = _CLAUSES.get((change.kind, change.property)) or general
    return f"{_sheet(change)}{(say or _changed)(change)}"


@dataclass(frozen=True)
class PlaceWords:
    """The changes at one place, in words."""

    place: str
    """``Deck``, ``Slide 3``, or ``Slide 3 of the older deck`` for one that was removed."""
    changes: tuple[Change, ...]

    @property
    def clauses(self) -> tuple[str, ...]:
        """One clause for each change, without the place."""
        return tuple(clause(change) for change in self.changes)


def words_by_slide(changes: Iterable[Change]) -> tuple[PlaceWords, ...]:
    """Changes by slide, those of the deck as a whole first; in the order of a DeckDiff."""
    return tuple(PlaceWords(at, tuple(group)) for at, group in groupby(changes, key=_place))


def _place(change: Change) -> str:
    if change.slide is None:
        return "Deck"
    removed = (change.kind, change.property) == ("slide", "removed")
    return f"Slide {change.slide}{' of the older deck' if removed else ''}"


def _sheet(change: Change) -> str:
    if change.slide is not None or change.element is None or not change.element.sheet:
        return ""
    word = change.kind.capitalize()
    if change.kind == "detail":
        word = next((name for folder, name in _TEMPLATES.items() if folder in change.part), "In")
    return f"{word} {_quoted(change.element.sheet)}: "


_TEMPLATES = {"slideLayouts/": "Layout", "slideMasters/": "Master", "theme/": "Theme"}
"""Kind of a part, by its usual folder."""


def _who(change: Change) -> str:
    if (element := change.element) is None or not (element.name or element.id):
        part = element.part if element is not None else ""
        return part or ("the slide" if change.slide is not None else "it")
    name = element_name(element)
    named = shape_label(name, element.id) if element.id else name
    return f"{named}, {element.part}" if element.part else named


def element_name(element: ElementRef) -> str:
    """The element of a change by its words, or else by its name."""
    if element.words:
        return f"the {element.words}"
    return _quoted(element.name) if element.name else "the shape"


def _quoted(text: str) -> str:
    if text and not text.strip():
        return "a line break" if "\n" in text or "\v" in text else "a space"
    line = " ".join(text.split())
    return f"“{line if len(line) <= _LONGEST else line[: _LONGEST - 1] + '…'}”"


def change_values(change: Change) -> tuple[str, str]:
    """The old and the new value of a change in words, with their units.

    >>> change_values(Change(slide=3, element=None, kind="style", property="font.underline",
    ...                      old="none", new="sng"))
    ('none', 'single underline')
    """
    old, new = (
        shown or _changed_value(change, value)
        for value, shown in zip((change.old, change.new), change.shown, strict=True)
    )
    return old, new


def _changed_value(change: Change, value: Any) -> str:
    if value is None:
        return "none"
    if change.path:
        words = value_words(place_of(change.path), change.property, value)
        return _value(value) if words is None else words
    if isinstance(value, dict) and (change.kind, change.property) in _STATED:
        return _stated(value)
    return _value(value, change.property)


_STATED = frozenset({("table", "style"), *(("theme", f"{name} style {number}")
                     for name in ("line", "fill", "effect", "background", "background fill")
                     for number in range(1, 4))})  # fmt: skip
"""Changes whose values are what the XML states, by names such as ``gsLst.gs.pos``."""


def _stated(value: dict[str, Any]) -> str:
    keys = {key: "a:" + key.replace(".", "/a:") for key in value}
    leaves = {
        (
            key
            if item == ""
            else "@".join(key.rsplit("/a:", 1))
            if "/a:" in key
            else f"a:ln@{key[2:]}"
        ): f"{item}"
        for key, item in zip(keys.values(), value.values(), strict=True)
        if item != "" or not any(other.startswith(f"{key}/") for other in keys.values())
    }
    return stated_words(leaves) or "none"


def _value(value: Any, property: str = "") -> str:
    """A value in words; ``property`` is its name, or its key in a record."""
    if value is None or value in ("", [], {}):
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float | int):
        return _number(value, property.rpartition(".")[2])
    if isinstance(value, str):
        words = term(property, value)
        return value if value.startswith("#") else _quoted(value) if words is None else words
    if isinstance(value, list):
        listed = ", ".join(_value(item, property) for item in value)
        return _shortened(listed if property == "effects" else f"({listed})")
    if value.get("unit") == "points":
        return f"{value['value']:g} pt"
    return percent(value["value"]) if value.get("unit") == "share" else _record(value, property)


def _number(value: float, name: str) -> str:
    if name.endswith("_ms"):
        return f"{value / 1000:g} s"
    return percent(value) if name in _SHARES else f"{value:g}"


_SHARES = frozenset({"alpha", "baseline", "font_scale", "line_reduction"})
"""Numbers that are shares of a whole."""


def _record(value: dict[str, Any], property: str = "") -> str:
    """A link as ``url “https://…”``, a bullet as ``character “•”``, others key by key."""
    if property in _RECORDS:
        return _shortened(", ".join(_RECORDS[property](*item) for item in value.items()))
    kind = value.get("kind")
    parts = [
        f"{plain_name(key.removesuffix('_ms'))} {_value(item, key)}"
        for key, item in value.items()
        if key not in ("kind", "sha256") and item != {}
    ]
    if kind == "slide" and "target" in value:
        return f"the slide with id {value['target']}"
    if isinstance(kind, str):
        parts = [part.removeprefix(f"{kind} ").removeprefix("target ") for part in parts]
        return _shortened(f"{kind} {', '.join(parts)}".rstrip())
    return _shortened(", ".join(parts) or "another")


def _handle(name: str, value: Any) -> str:
    """A yellow handle of a shape: angles in 60,000ths of a degree, else 100,000ths of a side."""
    words = f"{value / 60_000:g}°" if abs(value) > _LARGEST_SHARE else percent(value / 100_000)
    return f"handle {name.removeprefix('adj')} {words}".replace("  ", " ")


_LARGEST_SHARE = 200_000
"""Twice a side: no handle of a preset reaches further. Ours."""


def _style_reference(name: str, value: Any) -> str:
    """A style of the theme, as ``line style 2 in accent 1``."""
    number, _, color = f"{value}".partition(" ")
    color = color.partition(" ")[0]
    of = f" in {color_term(color)}" if color and not color.isdigit() else ""
    return f"{name} style {term('fontRef', number) if name == 'font' else number}{of}"


_RECORDS: dict[str, Callable[[str, Any], str]] = {
    "adjustments": _handle,
    "theme_style": _style_reference,
    "color map": lambda name, value: f"{color_term(name)} is {color_term(f'{value}')}",
}


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _changed(change: Change) -> str:
    name = plain_name(change.property)
    who = _who(change)
    of = "" if who == "it" else f" of {who}"
    has_unit = not change.path and change.new is not None
    unit = _UNITS.get(change.property, "") if has_unit else ""
    old, new = change_values(change)
    if any(change.shown) and change.path and (change.old is None or change.new is None):
        fate, value = ("added", new) if change.old is None else ("removed", old)
        return f"{name}{of} {_were(name)} {fate}: {value}"
    return f"{name}{of} changed from {old} to {new}{unit}"


def _were(name: str) -> str:
    return "were" if name.endswith("s") and not name.endswith("ss") else "was"


def in_centimetres(change: Change, before: Sequence[float], after: Sequence[float]) -> str:
    """The clause of a change with its positions and lengths in centimetres, as programs that show
    slides tell them, in place of px of the 960x540 frame; other clauses are as they are.

    ``before`` and ``after`` are the width and height of the slides of each deck in points.

    >>> grown = Change(slide=3, element=None, kind="geometry", property="size",
    ...                old=[480, 270], new=[480, 540])
    >>> in_centimetres(grown, (720, 405), (720, 405))
    'size of the slide changed from (12.7, 7.14) to (12.7, 14.29) cm'
    """
    if change.path or _UNITS.get(change.property) != " px":
        return clause(change)

    def in_cm(pair: Any, size: Sequence[float]) -> Any:
        if not isinstance(pair, list | tuple):
            return pair
        lengths = zip(pair, size, (FRAME_WIDTH, FRAME_HEIGHT), strict=True)
        return [round(float(at) * side / frame * _CM_A_POINT, 2) for at, side, frame in lengths]

    values = {"old": in_cm(change.old, before), "new": in_cm(change.new, after)}
    words = clause(change.model_copy(update=values))
    return f"{words.removesuffix(' px')} cm" if words.endswith(" px") else words


_CM_A_POINT = 2.54 / 72
_UNITS = {
    **dict.fromkeys(("font.size", "font.spacing", "line.width", "paragraph.margin_left",
                     "paragraph.margin_right", "paragraph.indent", "body.inset_left",
                     "body.inset_right", "body.inset_top", "body.inset_bottom", "slide size"),
                    " pt"),
    **dict.fromkeys(("position", "size", "start", "end", "column width", "row height"), " px"),
    "rotation": " degrees",
}  # fmt: skip
"""Units of values that are plain numbers; px are those of the 960x540 frame."""


def _values(change: Change) -> str:
    """The values that differ, if both lists have the same length."""
    old, new = change.old or [], change.new or []
    if len(old) != len(new):
        return _of("chart")(change)
    parts = [
        f"value {position} from {_value(was)} to {_value(now)}"
        for position, (was, now) in enumerate(zip(old, new, strict=True), start=1)
        if was != now
    ]
    most = 3
    more = f" and {len(parts) - most} more" if len(parts) > most else ""
    return f"in the chart {_who(change)}, {', '.join(parts[:most])}{more} changed"


def _text(change: Change) -> str:
    edits = word_edits(str(change.old), str(change.new))
    says = {"replace": "{0} became {1}", "insert": "{1} was put in"}
    forms = [(says.get(edit.action, "{0} was taken out"), edit) for edit in edits]
    parts = [form.format(_quoted(edit.old), _quoted(edit.new)) for form, edit in forms]
    most = 3
    rest = len(parts) - most
    more = f" and {rest} more {'edit' if rest == 1 else 'edits'}" if rest > 0 else ""
    return f"in {_who(change)}, {'; '.join(parts[:most])}{more}"


def _notes(change: Change) -> str:
    if not change.old:
        return f"speaker notes were added: {_value(change.new)}"
    if not change.new:
        return f"the speaker notes were removed: {_value(change.old)}"
    return _text(change).replace("in the slide,", "in the speaker notes,")


def _summary(value: Any) -> str:
    text = value.get("text") if isinstance(value, dict) else None
    return f" with the text {_quoted(text)}" if text else ""


def _added(change: Change) -> str:
    members = change.element.members if change.element is not None else ()
    if members:
        return (
            f"{_listed(members)} {'was' if len(members) == 1 else 'were'} grouped as {_who(change)}"
        )
    return f"{_thing(change, change.new)} was added"


def _removed(change: Change) -> str:
    members = change.element.members if change.element is not None else ()
    if members:
        stay = "stays" if len(members) == 1 else "stay"
        return f"the group {_who(change)} was dissolved; {_listed(members)} {stay}"
    return f"{_thing(change, change.old)} was removed"


def _thing(change: Change, value: Any) -> str:
    if change.element is not None and change.element.words:
        return _who(change)
    kind = value.get("kind", "shape") if isinstance(value, dict) else change.property
    return f"the {kind} {_who(change)}{_summary(value)}"


def _listed(names: Sequence[str]) -> str:
    """Names in a row, with ``and`` before the last; of many the first ones and how many more."""
    most = 8
    if len(names) > most:
        return f"{', '.join(names[:most])} and {len(names) - most} more"
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _of_sheet(change: Change) -> str:
    """Something added to or removed from a layout or master, or that itself."""
    if change.element is not None and change.element.id:
        return _added(change) if change.property == "added" else _removed(change)
    return f"this {change.kind} was {change.property}"


def _layout_order(change: Change) -> str:
    layout = change.element.part.removeprefix("layout ") if change.element is not None else ""
    return f"the layout {_quoted(layout)} moved from place {change.old} to {change.new}"


def _group(change: Change) -> str:
    ways = [f"group with id {id}" for id in (change.old, change.new) if id is not None]
    if change.new is None:
        return f"{_who(change)} was taken out of the {ways[0]}"
    if change.old is None:
        return f"{_who(change)} was put into the {ways[0]}"
    return f"{_who(change)} went from the {ways[0]} into the {ways[1]}"


def _path(change: Change) -> str:
    return f"the outline of {_who(change)} was redrawn"


def _whole(what: str) -> Callable[[Change], str]:
    """A function that words the addition or removal of a whole thing."""

    def say(change: Change) -> str:
        of = f" of {_who(change)}" if change.element is not None and change.element.id else ""
        verb = change.property.rpartition(" ")[2]
        return f"{what}{of} was {verb}: {_value(change.new if verb == 'added' else change.old)}"

    return say


def _of(what: str) -> Callable[[Change], str]:
    def say(change: Change) -> str:
        name = plain_name(change.property.removesuffix("_ms"))
        label = what if name in (what, "text") else f"{what} {name}"
        who = f" of {_who(change)}" if change.element is not None else ""
        old, new = change_values(change)
        return f"{label}{who} changed from {old} to {new}{_UNITS.get(change.property, '')}"

    return say


def _slide(change: Change) -> str:
    if change.property == "added":
        return f"this slide was added{_titled(change.new)}"
    if change.property == "removed":
        return f"this slide was removed{_titled(change.old)}"
    if change.property == "moved":
        return f"the slide moved here from place {change.old}"
    if change.property == "hidden":
        return "the slide is hidden now" if change.new else "the slide is shown again"
    return _changed(change)


def _titled(title: Any) -> str:
    return f", titled {_value(title)}" if title else ", without a title"


def _z(change: Change) -> str:
    way = "forward" if change.new > change.old else "backward"
    return f"{_who(change)} went {way} in drawing order, from {change.old} to {change.new}"


def _picture(change: Change) -> str:
    return f"the picture in {_who(change)} is another one"


def _crop(change: Change) -> str:
    def words(crop: Mapping[str, float] | None) -> str:
        cuts = ((edge, share) for edge, share in (crop or {}).items() if share)
        return ", ".join(f"{percent(share)} at the {edge}" for edge, share in cuts) or "none"

    return f"crop of {_who(change)} changed from {words(change.old)} to {words(change.new)}"


def _link(change: Change) -> str:
    what = f"the link{' on hovering' if change.property == 'hover' else ''} of {_who(change)}"
    if change.old is None:
        return f"{what} was added: {_value(change.new)}"
    if change.new is None:
        return f"{what} was removed: {_value(change.old)}"
    return f"{what} changed from {_value(change.old)} to {_value(change.new)}"


def _layout(change: Change) -> str:
    return f"the layout changed from {_value(change.old)} to {_value(change.new)}"


def _detail(change: Change) -> str:
    """A change that is named by its place in the file only."""
    what, _, fate = change.property.rpartition(" ")
    if what == "part":
        verb = {"changed": "holds something else", "rewritten": "was written anew"}.get(fate)
        return f"the part {change.part} {verb or f'was {fate}'}"
    who = _who(change) if change.element is not None else ""
    of = f" of {who}" if who and who != "it" else ""
    at = f"{change.part}: {change.path}" if change.path else change.part
    if what and fate in ("added", "removed"):
        value = change.new if fate == "added" else change.old
        shown = change.shown[fate == "added"]
        return f"{what}{of} was {fate}: {shown or _value(value)} ({at})"
    if fate == "moved":
        return f"{what}{of} moved from place {change.old} to {change.new} ({at})"
    old, new = change_values(change)
    values = f"from {old} to {new}"
    if change.property == "more differences":
        return f"{change.new} more differences in {change.part}"
    return f"{change.property}{of} changed {values} ({at})"


_OF_ANY_VALUE = frozenset(
    ("detail", "link", "chart", "animation", "transition", "alt text", "section")
)
"""Kinds whose clauses fit values of any type."""

_CLAUSES: dict[tuple[str, str], Callable[[Change], str]] = {
    ("text", ""): _text,
    ("table", "cell text"): _text,
    ("notes", ""): _notes,
    ("added", ""): _added,
    ("removed", ""): _removed,
    ("slide", ""): _slide,
    ("z-order", ""): _z,
    ("detail", ""): _detail,
    ("picture", "image"): _picture,
    ("picture", "crop"): _crop,
    ("layout", "layout"): _layout,
    **{(kind, fate): _of_sheet for kind in ("layout", "master") for fate in ("added", "removed")},
    ("master", "layout order"): _layout_order,
    ("geometry", "group"): _group,
    ("style", "path"): _path,
    ("table", "row added"): _whole("a table row"),
    ("table", "row removed"): _whole("a table row"),
    ("table", "column added"): _whole("a table column"),
    ("table", "column removed"): _whole("a table column"),
    ("animation", "added"): _whole("an animation"),
    ("animation", "removed"): _whole("an animation"),
    ("animation", ""): _of("animation"),
    ("transition", "added"): _whole("a transition"),
    ("transition", "removed"): _whole("the transition"),
    ("transition", ""): _of("transition"),
    ("comment", "added"): _whole("a comment"),
    ("comment", "removed"): _whole("a comment"),
    ("comment", ""): _of("comment"),
    ("chart", "values"): _values,
    ("chart", "category added"): _whole("a chart category"),
    ("chart", "category removed"): _whole("a chart category"),
    ("chart", ""): _of("chart"),
    ("alt text", ""): _of("alt text"),
    ("link", ""): _link,
    ("properties", ""): _of("property"),
    ("section", "added"): _whole("a section"),
    ("section", "removed"): _whole("the section"),
    ("section", ""): _of("section"),
    ("show", "added"): _whole("a custom show"),
    ("show", "removed"): _whole("the custom show"),
    ("show", ""): _of("custom show"),
}
"""The clause for each kind and property; an empty property means all others of the kind."""

_KINDS = {"image": "picture", "line": "line", "other": "object", "kept": "shape"}


def shape_words(shape: Mapping[str, Any]) -> str:
    """A shape of a snapshot by what it shows, such as ``text box “Costs rose”``, if a program gave
    it its name; empty if a person named it, if it has no words, or for no shape.

    >>> shape_words({"kind": "shape", "name": "TextBox 3", "text": {
    ...     "paragraphs": [{"runs": [{"text": "Costs rose"}]}]}})
    'text box “Costs rose”'
    >>> shape_words({"kind": "shape", "name": "Costs", "text": {}})
    ''
    """
    if not shape:
        return ""
    geometry = str(shape.get(str(shape["kind"]), {}).get("geometry", "rect"))
    name, text = str(shape.get("name", "")), shape_text(dict(shape)) or shape.get("alt_text", "")
    held = shape.get("placeholder") is not None
    noun, form = _noun(shape, geometry), spelled(geometry)
    return name_in_words(name, noun, str(text), placeholder=held, geometry=form)


def shape_name(shape: Mapping[str, Any]) -> str:
    """A shape of a snapshot by its words, or else by its name."""
    words = shape_words(shape)
    return f"the {words}" if words else _quoted(str(shape.get("name", "")) or "shape")


def _noun(shape: Mapping[str, Any], geometry: str) -> str:
    kind = str(shape["kind"])
    role = (shape.get("placeholder") or {}).get("type")
    if kind not in ("shape", "kept"):
        return NOUNS.get(role or "") or _KINDS.get(kind, kind)
    if role is not None:
        return NOUNS.get(role, "text")
    if geometry != "rect":
        return term("geometry", geometry) or "shape"
    look = shape.get("shape", {})
    boxed = look.get("paint") or look.get("pen", {}).get("paint")
    is_text_box = not boxed or str(shape.get("name", "")).startswith(("TextBox", "Text Box"))
    return "text box" if is_text_box and shape_text(dict(shape)) else "rectangle"
