"""Functions that the leaves of starter rubrics share; see the package."""
# ruff: noqa: F821, PLC0415 - decks and diff are globals of every leaf, imports go with functions

from typing import Any

ppt_diff: Any
original_ppt_path: str
modified_ppt_path: str
why_unseen: Any


class Absent(Exception):
    """What the task is about is not in the edited deck."""


_OPENED: dict[str, Any] = {}


def opened(path: str) -> Any:
    """A deck, read once a leaf."""
    from pptx import Presentation

    if path not in _OPENED:
        _OPENED[path] = Presentation(path)
    return _OPENED[path]


def was(number: int) -> Any:
    """Slide ``number`` of the original."""
    return opened(original_ppt_path).slides[number - 1]


def deck_now() -> Any:
    """The edited deck."""
    return opened(modified_ppt_path)


def now(number: int) -> Any:
    """What became of slide ``number`` of the original: the slide with its id, or at its place."""
    wanted = was(number).slide_id
    slides = list(deck_now().slides)
    same = [slide for slide in slides if slide.slide_id == wanted]
    if not same and number > len(slides):
        raise Absent(f"Slide {number} is gone.")
    return same[0] if same else slides[number - 1]


def new_slide(number: int) -> Any:
    """The slide at place ``number`` of the edited deck, where it was added."""
    slides = list(deck_now().slides)
    added = [slide.slide_number for slide in ppt_diff.added_slides]
    if number not in added or number > len(slides):
        raise Absent(f"No slide was added at place {number}; added: {added or 'none'}.")
    return slides[number - 1]


def walk(shapes: Any) -> list[Any]:
    """All shapes, those inside groups too."""
    found = []
    for shape in shapes:
        found.append(shape)
        if shape.shape_type == 6:
            found += walk(shape.shapes)
    return found


def named(slide: Any, *names: str) -> Any:
    """The shape of one of these names: LibreOffice numbers placeholders anew when it saves."""
    for name in names:
        for shape in walk(slide.shapes):
            if shape.name == name:
                return shape
    raise Absent(f"There is no shape named {' or '.join(map(repr, names))}.")


def footer(shape: Any) -> bool:
    """Whether a shape is a footer."""
    return bool(shape.is_placeholder) and int(shape.placeholder_format.type) == 15


def slide_number(shape: Any) -> bool:
    """Whether a shape shows the number of its slide."""
    return bool(shape.is_placeholder) and int(shape.placeholder_format.type) == 13


def text_bodies(slide: Any) -> list[Any]:
    """The placeholders with words, but title, date, footer and number, from left to right."""
    others = (1, 3, 13, 15, 16)
    own = [s for s in slide.placeholders if int(s.placeholder_format.type) not in others]
    return sorted((s for s in own if s.has_text_frame and lines(s)), key=lambda s: s.left)


def table_of(slide: Any) -> Any:
    """The first table of a slide."""
    for shape in slide.shapes:
        if shape.has_table:
            return shape.table
    raise Absent("The slide has no table.")


def chart_of(slide: Any) -> Any:
    """The first chart of a slide."""
    for shape in slide.shapes:
        if shape.has_chart:
            return shape.chart
    raise Absent("The slide has no chart.")


def frame_of(slide: Any) -> Any:
    """The shape that holds the first table or chart of a slide."""
    for shape in slide.shapes:
        if shape.has_table or shape.has_chart:
            return shape
    raise Absent("The slide has no table and no chart.")


def rows_of(table: Any) -> list[list[str]]:
    """The texts of a table, row by row."""
    return [[cell.text.strip() for cell in row.cells] for row in table.rows]


def lines(shape: Any) -> list[str]:
    """The paragraphs of a shape that say something."""
    return [p.text.strip() for p in shape.text_frame.paragraphs if p.text.strip()]


def title_of(slide: Any) -> str:
    """The text of the title, or nothing."""
    title = slide.shapes.title
    return title.text_frame.text.strip() if title is not None else ""


def notes_of(slide: Any) -> str:
    """The speaker notes, or nothing."""
    return slide.notes_slide.notes_text_frame.text.strip() if slide.has_notes_slide else ""


def solid(fill: Any) -> str | None:
    """The colour of a plain fill as RRGGBB, where it is stated as such."""
    if fill.type != 1 or fill.fore_color.type != 1:
        return None
    return str(fill.fore_color.rgb)


def line_colour(shape: Any) -> str | None:
    """The colour of an outline as RRGGBB, without making one where there is none."""
    if shape._element.find(".//{*}spPr/{*}ln") is None:
        return None
    return solid(shape.line.fill)


def line_points(shape: Any) -> float:
    """The width of an outline in points; 0 where none is stated."""
    found = shape._element.find(".//{*}spPr/{*}ln")
    return 0.0 if found is None else int(found.get("w", 0)) / 12700


def same_text(one: str, other: str) -> bool:
    """Whether two texts are the same but for spaces."""
    return " ".join(one.split()) == " ".join(other.split())


def told(is_so: bool, what: str) -> tuple[str, float]:
    """All or nothing."""
    return f"{'Yes' if is_so else 'No'}: {what}", float(is_so)


def number_of(slide: Any) -> int:
    """Where a slide of the edited deck stands, from 1."""
    return [one.slide_id for one in deck_now().slides].index(slide.slide_id) + 1


def unseen(slide: Any, shape: Any, **wanted: Any) -> str:
    """Why a shape of the edited deck, or what is ``wanted`` of it, is not seen; empty if it is."""
    return str(why_unseen(number_of(slide), shape.shape_id, **wanted))


def seen(slide: Any, shape: Any, **wanted: Any) -> bool:
    """Whether a shape of the edited deck, or what is ``wanted`` of it, is seen."""
    return not unseen(slide, shape, **wanted)


def shown(slide: Any) -> bool:
    """Whether a slide of the edited deck is shown."""
    return not why_unseen(number_of(slide))


def any_seen(slide: Any, shapes: Any) -> bool:
    """Whether any of some shapes that say or draw something is seen."""
    return any(
        seen(slide, shape)
        for shape in shapes
        if (shape.has_text_frame and lines(shape)) or shape.has_chart or shape.has_table
    )


def told_seen(is_so: bool, what: str, slide: Any, shape: Any, **wanted: Any) -> tuple[str, float]:
    """All or nothing, where the shape has to be seen as well."""
    why = unseen(slide, shape, **wanted) if is_so else ""
    return (f"No: {what} But {why}.", 0.0) if why else told(is_so, what)


def told_shown(is_so: bool, what: str, slide: Any) -> tuple[str, float]:
    """All or nothing, where the slide has to be shown as well."""
    why = why_unseen(number_of(slide)) if is_so else ""
    return (f"No: {what} But {why}.", 0.0) if why else told(is_so, what)


def share(wanted: dict[str, bool], what: str) -> tuple[str, float]:
    """How many of several things are so."""
    missing = [name for name, is_so in wanted.items() if not is_so]
    done = len(wanted) - len(missing)
    reason = f"{done} of {len(wanted)} {what}."
    if missing:
        reason += f" Not so: {', '.join(missing)}."
    return reason, done / len(wanted)


def links_of(shape: Any) -> dict[str, tuple[str | None, str | None, str | None]]:
    """Text with a link, by that text: its address or slide if a click goes there, its action, its
    tip."""
    found = {}
    for paragraph in shape.text_frame.paragraphs:
        for run in paragraph.runs:
            link = run._r.find(".//{*}rPr/{*}hlinkClick")
            if link is None:
                continue
            relation = shape.part.rels.get(link.get(_ID_OF_RELATION, ""))
            target = link_target(relation, link.get("action"))
            found[run.text] = (target, link.get("action"), link.get("tooltip"))
    return found


def link_target(relation: Any, action: str | None) -> str | None:
    """Where a click goes: to an address, if there is no other action, or by a jump to a slide."""
    if relation is None:
        return None
    kind = relation.reltype.rpartition("/")[2]
    if relation.is_external:
        return str(relation.target_ref) if kind == "hyperlink" and not action else None
    jumps = kind == "slide" and action == "ppaction://hlinksldjump"
    return str(relation.target_part.partname) if jumps else None


_ID_OF_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"


def tells_values(chart: Any) -> bool:
    """Whether a chart tells how large its marks are: by an axis with labels, or by labels of its
    own."""

    def on(item: Any, name: str) -> bool:
        found = item.find("{*}" + name)
        return found is not None and found.get("val", "1") in ("1", "true")

    space = chart._chartSpace
    axes = [axis for axis in space.iter("{*}valAx") if not on(axis, "delete")]
    places = [axis.find("{*}tickLblPos") for axis in axes]
    labelled = any(place is None or place.get("val") != "none" for place in places)
    return labelled or any(on(labels, "showVal") for labels in space.iter("{*}dLbls"))


def enters(effects: Any, kind: str, trigger: str) -> bool:
    """Whether a shape enters by one effect; some editors write one for each paragraph of a text,
    which all start with the first."""
    found = [(effect.effect_type, effect.trigger) for effect in effects]
    return bool(found) and found == [(kind, trigger)] + [(kind, "with_previous")] * (len(found) - 1)


def in_time(effect: Any) -> bool:
    """Whether an effect starts at once and takes from a tenth of a second to three seconds."""
    return bool(effect.delay < 0.1 and 0.1 <= effect.duration <= 3)


def look(shape: Any) -> Any:
    """What a shape says and shows, in a form that saving it anew does not change."""
    sides = (shape.left, shape.top, shape.width, shape.height)
    found = [shape.name, tuple(None if side is None else round(side / 12700) for side in sides)]
    found.append(round(getattr(shape, "rotation", 0) or 0))
    if shape.has_text_frame:
        found += [
            [(run.text, run.font.bold, run.font.size, run.font.italic) for run in p.runs]
            for p in shape.text_frame.paragraphs
        ]
    if getattr(shape, "has_table", False) and shape.has_table:
        found.append(rows_of(shape.table))
    if getattr(shape, "has_chart", False) and shape.has_chart:
        found.append([(s.name, list(s.values)) for plot in shape.chart.plots for s in plot.series])
    if shape.shape_type == 13:
        found.append(shape.image.sha1)
    if hasattr(shape, "fill"):
        found.append(solid(shape.fill))
    if shape.shape_type == 6:
        found.append([look(one) for one in shape.shapes])
    return found


def rest_as_before(number: int, *names: str) -> tuple[str, float]:
    """Whether all shapes of a slide but those named are as they were, and none was added."""
    sides = []
    for slide in (was(number), now(number)):
        sides.append({s.name: look(s) for s in slide.shapes if s.name not in names})
    before, after = sides
    changed = [name for name in before if name in after and before[name] != after[name]]
    gone = [name for name in before if name not in after]
    more = [name for name in after if name not in before]
    told = [("changed", changed), ("gone", gone), ("added", more)]
    words = "; ".join(f"{what}: {', '.join(items)}" for what, items in told if items)
    return f"Slide {number}: {words or 'all else is as it was'}.", float(not words)


def other_slides_as_before(*numbers: int, added: int = 0, removed: int = 0) -> tuple[str, float]:
    """Whether no slide but those named changed, came or went.

    Half for one slide too many, nothing for more.
    """
    changed = [b.slide_number for b, a in ppt_diff.modified_slides if b.slide_number not in numbers]
    extra = max(0, len(ppt_diff.added_slides) - added)
    lost = max(0, len(ppt_diff.removed_slides) - removed)
    reason = f"Other slides changed: {changed or 'none'}; added: {extra}; removed: {lost}."
    return reason, (1.0, 0.5, 0.0)[min(2, len(changed) + extra + lost)]


def motion_as_before(*ids_left_out: int) -> tuple[str, float]:
    """Whether animations and transitions are as they were, but on the slides with these ids."""
    diff = ppt_diff
    single = [
        *(*diff.added_animations, *diff.removed_animations),
        *(*diff.added_transitions, *diff.removed_transitions),
        *(pair[1] for pair in (*diff.modified_animations, *diff.modified_transitions)),
    ]
    added = {slide.slide_id for slide in (*diff.added_slides, *diff.removed_slides)}
    found = [x for x in single if x.slide_id not in {str(i) for i in ids_left_out} | added]
    return f"Other animations and transitions that changed: {len(found)}.", float(not found)
