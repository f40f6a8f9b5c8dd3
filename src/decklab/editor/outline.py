"""A deck as text for a prompt: some slides in full, the whole deck in outline.

Looks that repeat are said once, tables are texts with the looks of most cells and the exceptions:
of 18 real decks a slide takes a fifth of what its snapshot takes. Numbers of characters are ours;
about four make a token.
"""

import json
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final

from decklab.deck.views.snapshot import Snapshot
from decklab.models.asking import in_shares

OUTLINE_CHARACTERS = 24_000
"""Most characters of the outline: some 6,000 tokens, or 150 characters a slide for 160 slides."""
DETAIL_CHARACTERS = 60_000
"""Most characters of the slides in full: some 15,000 tokens."""
_LINE = 180
BRIEF = 70
"""Characters of a slide in an outline that only says where others stand."""

_WORDS = frozenset(
    {"number", "title", "notes", "section", "shapes", "id", "name", "kind", "placeholder", "text",
     "paragraphs", "runs", "level", "table", "texts", "chart", "categories", "series", "axes",
     "diagram", "nodes", "alt_text", "footer", "hidden"}
)  # fmt: skip
"""Keys that are all that is left if there is no room for looks and places."""
_SLIDE = re.compile(r"\bslides?\s+((?:\d{1,4}(?:\s*(?:-|–|to|,|and|&)\s*)?)+)", re.IGNORECASE)
_RANGE = re.compile(r"(\d{1,4})(?:\s*(?:-|–|to)\s*(\d{1,4}))?", re.IGNORECASE)
_QUOTED = re.compile(r"[\"“'‘]([^\"“”'‘’]{3,80})[\"”'’]")


def deck_outline(snapshot: Snapshot, *, most: int = OUTLINE_CHARACTERS, width: int = _LINE) -> str:
    """The deck as a whole in a few lines, then one line for each slide, ``width`` long at most.

    If there are many lines they are cut shorter; slides that still do not fit are counted.
    """
    head = deck_facts(snapshot)
    slides = snapshot["slides"]
    room = most - len(head)
    width = max(40, min(width, room // max(1, len(slides)) - 1))
    lines = outline_lines(snapshot, width=width)
    fitting = max(0, room // (width + 1))
    if len(lines) > fitting:
        note = f"… {len(lines) - fitting} more slides"
        lines = [*lines[:fitting], note]
    return "\n".join([head, *lines])


def outline_lines(snapshot: Snapshot, *, width: int = _LINE) -> list[str]:
    """One line for each slide, at most ``width`` characters long."""
    return [_cut(_line(slide), width) for slide in snapshot["slides"]]


def slides_in_full(
    snapshot: Snapshot, numbers: Iterable[int], *, most: int = DETAIL_CHARACTERS
) -> str:
    """Some slides as JSON, one a line, as ``compact_slide`` has them, sizes in points.

    All of them take ``most`` characters, or 30 for each slide if that is more. Characters that a
    short slide does not need go to longer ones. If a slide takes more than its share, its finer
    looks are left out, then all but its words, then whole shapes; ``shown`` and ``left_out`` of its
    JSON say so.
    """
    wanted = {slide["number"]: slide for slide in _slides(snapshot, numbers)}
    whole = {number: as_json(compact_slide(slide)) for number, slide in wanted.items()}

    def within(number: int, share: int) -> str:
        return whole[number] if len(whole[number]) <= share else _shorter(wanted[number], share)

    return "\n".join(in_shares({number: len(text) for number, text in whole.items()}, most, within))


def _slides(snapshot: Snapshot, numbers: Iterable[int]) -> list[Mapping[str, Any]]:
    wanted = set(numbers)
    return [slide for slide in snapshot["slides"] if slide["number"] in wanted]


@dataclass(frozen=True)
class TextView:
    """The words of slides without looks and places, one shape a line."""

    lines: str
    complete: bool
    """Whether all words are there."""


def text_view(
    snapshot: Snapshot, numbers: Iterable[int] | None = None, *, most: int = DETAIL_CHARACTERS
) -> TextView:
    """The words of some slides, of all for None: shapes, tables, charts, diagrams, notes and
    alternative texts.

    Where they take more than ``most`` characters, short slides are whole, and long ones have the
    lines that fit, and the number of the others.
    """
    slides = snapshot["slides"] if numbers is None else _slides(snapshot, numbers)
    lines_of = {slide["number"]: _word_lines(slide) for slide in slides}
    whole = {number: len("\n".join(lines)) for number, lines in lines_of.items()}
    shown = in_shares(
        whole, most, lambda number, share: "\n".join(_fitting(lines_of[number], share))
    )
    return TextView("\n".join(shown), [len(text) for text in shown] == list(whole.values()))


def _word_lines(slide: Mapping[str, Any]) -> list[str]:
    """The words of a slide, by shape, each line with the shape's id and name."""
    lines = [f"Slide {slide['number']}" + (" (hidden)" if slide.get("hidden") else "")]
    for shape in slide.get("shapes", ()):
        alt = " ".join(str(shape.get("alt_text") or "").split())
        words = [shape_words(shape), f"alt text: {alt}" if alt else ""]
        if any(words):
            who = f"{shape['id']} {_cut(str(shape.get('name', '')), 40)}"
            lines.append(f"  {who}: {' | '.join(filter(None, words))}")
    if slide.get("notes"):
        lines.append(f"  notes: {' '.join(slide['notes'].split())}")
    return lines


def _fitting(lines: list[str], most: int) -> list[str]:
    """The lines that fit, the first in any case, and how many more there are."""
    if len("\n".join(lines)) <= most:
        return lines
    kept, room = lines[:1], most - len(lines[0]) - 30
    for line in lines[1:]:
        if len(line) < room:
            room -= len(line) + 1
            kept.append(line)
    return [*kept, f"  … {len(lines) - len(kept)} more texts"]


def fitting_lines(lines: Sequence[str], most: int, what: str) -> str:
    """The first lines that fit in ``most`` characters, and how many more ``what`` there are."""
    shown, room = list[str](), most
    for line in lines:
        room -= len(line) + 1
        if room < 0:
            return "\n".join([*shown, f"… {len(lines) - len(shown)} more {what}"])
        shown.append(line)
    return "\n".join(shown)


def slides_named_in(instruction: str, snapshot: Snapshot) -> tuple[int, ...]:
    """The slides that a request names by number, or by quoted words that are on them.

    >>> slides_named_in("Swap slides 2-3 and 5", {"slides": [{"number": n} for n in range(1, 9)]})
    (2, 3, 5)
    """
    by_number = {slide["number"]: slide for slide in snapshot["slides"]}
    numbers: set[int] = set()
    for match in _SLIDE.finditer(instruction):
        for first, last in _RANGE.findall(match.group(1)):
            numbers.update(range(int(first), int(last or first) + 1))
    for quoted in _QUOTED.findall(instruction):
        numbers.update(n for n, slide in by_number.items() if quoted.casefold() in _all_text(slide))
    return tuple(sorted(numbers & set(by_number)))


def deck_facts(snapshot: Snapshot) -> str:
    """A deck as a whole in a few lines: size, layouts, fonts and colours of themes, sections."""
    width, height = snapshot["size_pt"]
    layouts = ", ".join(dict.fromkeys(_quoted(item.get("name")) for item in snapshot["layouts"]))
    lines = [
        f"{len(snapshot['slides'])} slides of {width:g} x {height:g} pt",
        f"layouts: {_cut(layouts, 800)}",
    ]
    themes = dict[str, list[str]]()
    for theme in snapshot["themes"]:
        colors = " ".join(f"{slot} {value}" for slot, value in theme.get("colors", {}).items())
        fonts = f"{theme.get('major') or '?'} / {theme.get('minor') or '?'}"
        themes.setdefault(f"fonts {_cut(fonts, 200)}; colours {colors}", []).append(theme["part"])
    lines += [f"theme {_cut(', '.join(parts), 200)}: {look}" for look, parts in themes.items()]
    if snapshot.get("sections"):
        names = ", ".join(_quoted(item.get("name")) for item in snapshot["sections"])
        lines.append(f"sections: {_cut(names, 400)}")
    return "\n".join(lines)


def design_facts(snapshot: Snapshot) -> Iterator[str]:
    """The design of a deck, a line each: ``deck_facts``, then backgrounds and text styles of
    masters, and of layouts that state their own."""
    yield from deck_facts(snapshot).splitlines()
    for sheet in (*snapshot["masters"], *snapshot["layouts"]):
        styles = sheet.get("text_styles") or {
            f"shape {id}, {level}": style
            for id, levels in sheet.get("list_styles", {}).items()
            for level, style in levels.items()
        }
        looks = "; ".join(f"{name}: {_look(style)}" for name, style in styles.items())
        ground = sheet.get("background") or "none"
        yield f"{sheet['kind']} {_quoted(sheet.get('name'))}: background {ground}; {looks}"


def _look(style: Mapping[str, Any]) -> str:
    color = (style.get("font.color") or {}).get("color", "")
    size = style.get("font.size")
    bold = "bold" if style.get("font.bold") else ""
    points = f"{size:g} pt" if size else ""
    return " ".join(filter(None, (str(style.get("font.name", "")), points, bold, color)))


def contents_of(snapshot: Snapshot, kind: str) -> Iterator[str]:
    """The charts or tables of a deck with all that they hold, a line each."""
    for slide in snapshot["slides"]:
        for shape in slide.get("shapes", ()):
            if shape["kind"] == kind:
                held = shape_contents(shape)
                yield f"slide {slide['number']}, {shape['id']} {_quoted(shape.get('name'))}: {held}"


def _line(slide: Mapping[str, Any]) -> str:
    shapes = [shape for shape in slide.get("shapes", ()) if shape["kind"] != "group"]
    kinds = [shape["kind"] for shape in shapes]
    counts = ", ".join(f"{kinds.count(kind)} {kind}" for kind in dict.fromkeys(kinds)) or "empty"
    marks = [mark for mark in ("hidden", "notes", "transition", "animations") if slide.get(mark)]
    title = slide.get("title") or ""
    texts = (shape_words(shape) for shape in shapes)
    words = " | ".join(text for text in texts if text and text != title)
    return " ".join(
        (
            f"{slide['number']}: {_quoted(title)} [{slide.get('layout', '?')}; {counts}"
            f"{''.join(f'; {mark}' for mark in marks)}]",
            words,
        )
    ).strip()


def _shorter(slide: Mapping[str, Any], most: int) -> str:
    """A slide in at most ``most`` characters, as far as its number alone takes no more."""
    for reduced in (_brief(slide), _words_only(slide)):
        text = as_json(reduced)
        if len(text) <= most:
            return text
    return as_json(_without_shapes(reduced, most))


def _brief(slide: Mapping[str, Any]) -> dict[str, Any]:
    reduced = compact_slide(slide, LOOKS)
    return {"number": reduced.pop("number"), "shown": "without finer looks", **reduced}


def _words_only(slide: Mapping[str, Any]) -> dict[str, Any]:
    reduced = _kept(compact_slide(slide, LOOKS), _WORDS)
    return {"number": reduced.pop("number"), "shown": "words only", **reduced}


def _without_shapes(words: Mapping[str, Any], most: int) -> dict[str, Any]:
    """The words of a slide without the shapes, and then the notes, that there is no room for."""
    shapes = words.get("shapes", [])
    base = {"number": words["number"], "left_out": len(shapes)}
    room = most - len(as_json({**base, "shapes": []}))
    kept, extra = list[Any](), dict[str, Any]()
    for shape in shapes:
        if len(as_json(shape)) + 2 <= room:
            kept.append(shape)
            room -= len(as_json(shape)) + 2
    for key in ("title", "notes"):
        size = len(as_json({key: words.get(key, "")}))
        if words.get(key) and size <= room:
            extra[key] = words[key]
            room -= size
    left_out = len(shapes) - len(kept)
    return {**base, "left_out": left_out, **extra, **({"shapes": kept} if kept else {})}


def _kept(value: Any, keys: Collection[str]) -> Any:
    """A value of a snapshot with the keys ``keys`` only."""
    if isinstance(value, dict):
        rest = {key: _kept(inner, keys) for key, inner in value.items() if key in keys}
        return {key: inner for key, inner in rest.items() if inner not in (None, [], {}, "")}
    return [_kept(item, keys) for item in value] if isinstance(value, list) else value


def shape_words(shape: Mapping[str, Any]) -> str:
    """The words of a shape of a snapshot, on one line."""
    text = shape.get("text", {}).get("text", "")
    if shape["kind"] == "table":
        rows = shape.get("table", {}).get("cells") or ()
        text = " / ".join(str(cell) for row in rows for cell in row)
    if shape["kind"] == "chart":
        text = " / ".join(_chart_words(shape.get("chart", {})))
    if shape["kind"] == "diagram":
        nodes = shape.get("diagram", {}).get("nodes") or ()
        text = " / ".join(str(node.get("text", "")) for node in nodes)
    return " ".join(str(text).split())


def shape_contents(shape: Mapping[str, Any]) -> str:
    """The words and numbers of a shape of a snapshot on one line, a chart's with its categories.

    >>> series = {"name": "2025", "categories": ["North", "South"], "values": [3.0, None]}
    >>> shape_contents({"kind": "chart", "chart": {"type": "pie", "series": [series]}})
    'pie; 2025: North 3, South none'
    """
    if shape["kind"] == "table":
        rows = shape.get("table", {}).get("cells") or ()
        return " / ".join(" | ".join(map(_on_one_line, row)) for row in rows)
    if shape["kind"] != "chart":
        return shape_words(shape)
    chart = shape.get("chart", {})
    titles = [chart.get("title"), *(axis.get("title") for axis in chart.get("axes", ()))]
    words = [str(chart.get("type", "chart")), *(_on_one_line(title) for title in titles if title)]
    return "; ".join([*words, *map(_series, chart.get("series", ()))])


def _series(series: Mapping[str, Any]) -> str:
    values = series.get("values", ())
    names = [*series.get("categories", ()), *range(1, len(values) + 1)]
    pairs = (
        f"{_on_one_line(name)} {_number(value)}" for name, value in zip(names, values, strict=False)
    )
    return f"{_on_one_line(series.get('name', ''))}: {', '.join(pairs)}"


def _number(value: Any) -> str:
    return "none" if value is None else f"{value:g}" if isinstance(value, float) else str(value)


def _on_one_line(text: object) -> str:
    return " ".join(str(text).split())


def _chart_words(chart: Mapping[str, Any]) -> dict[str, None]:
    """Title, titles of axes, names of series and categories of a chart, each once."""
    words = [chart.get("title"), *(axis.get("title") for axis in chart.get("axes", ()))]
    for series in chart.get("series", ()):
        words += [series.get("name"), *series.get("categories", ())]
    return dict.fromkeys(str(text) for text in words if text)


def _all_text(slide: Mapping[str, Any]) -> str:
    texts = [slide.get("title") or "", slide.get("notes") or ""]
    texts += [shape_words(shape) for shape in slide.get("shapes", ())]
    return " ".join(" ".join(texts).split()).casefold()


def _quoted(text: object) -> str:
    return f'"{_cut(" ".join(str(text or "").split()), 100)}"'


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


OMITTED: Final = frozenset(
    {"sources", "content", "creation_id", "language", "east_asian", "complex_script", "sha256",
     "paint", "pen", "reading_order", "theme", "master", "parts", "media_sha256", "symbol", "path",
     "background_paint", "theme_style", "layout_part", "workbook", "plot", "plots", "values_ref",
     "categories_ref", "rx", "pixels", "content_type", "sites", "color_map", "z"}
)  # fmt: skip
"""Keys of a snapshot that no request needs: hashes, sources, paths of drawn shapes, colours that
other keys give too; shapes are in the order from back to front."""
LOOKS: Final = frozenset(
    {"adjustments", "effects", "body", "bullet", "line_spacing", "space_before", "space_after",
     "margin_left", "margin_right", "indent", "crop", "heights", "looks", "other_looks", "slot",
     "spacing"}
)  # fmt: skip
"""Keys that are left out when slides are many or large."""
_INSETS: Final = frozenset({"inset_left", "inset_top", "inset_right", "inset_bottom"})
_TEXT: Final = ("text", "runs")


def compact_slide(slide: Mapping[str, Any], omitted: Collection[str] = ()) -> dict[str, Any]:
    """A slide without what no request needs, and without the keys ``omitted``.

    Shapes have ``box``: left, top, width and height in px of the 960x540 frame.
    """
    bare = _reduced(slide, OMITTED | frozenset(omitted))
    shapes = bare.pop("shapes", [])
    bare.pop("id", None)
    if any(shape.get("placeholder", {}).get("type") in ("title", "ctrTitle") for shape in shapes):
        bare.pop("title", None)
    made = [_without_empty(_shape(shape)) for shape in shapes]
    return {**bare, **({"shapes": made} if made else {})}


def as_json(value: Any) -> str:
    """A value as JSON without spaces that nobody needs."""
    return json.dumps(value, ensure_ascii=False, separators=(", ", ":"))


def _shape(shape: Mapping[str, Any]) -> dict[str, Any]:
    """A shape with its places, texts and cells in few words."""
    made = {key: shape[key] for key in ("id", "name", "kind") if key in shape}
    if made.get("kind") == "shape":
        del made["kind"]
    if held := shape.get("placeholder"):
        made["placeholder"] = " ".join(str(held[key]) for key in ("type", "idx") if key in held)
    for name, keys in (("box", ("x", "y", "w", "h")), ("ends", ("x1", "y1", "x2", "y2"))):
        if keys[0] in shape:
            made[name] = [round(shape[key], 1) for key in keys]
    known = {*made, "kind", *("x", "y", "w", "h", "x1", "y1", "x2", "y2")}
    made |= {key: value for key, value in shape.items() if key not in known}
    if "text" in shape:
        made["text"] = _text(shape["text"])
    if "shape" in shape:
        made["shape"] = {key: value for key, value in shape["shape"].items() if value != 0}
    if "rows" in shape.get("table", {}):
        made["table"] = _table(shape["table"])
    return made


def _text(text: Mapping[str, Any]) -> dict[str, Any]:
    """A text whose paragraphs have the looks of most of them said once."""
    paragraphs = [_joined(paragraph) for paragraph in text.get("paragraphs", ())]
    body = {key: value for key, value in text.get("body", {}).items() if key not in _INSETS}
    if not any(map(_words_of, paragraphs)):
        return {"body": body}
    looks, lines = _with_common_looks(paragraphs)
    return {"paragraphs": lines, **looks, "body": body}


def _words_of(paragraph: Mapping[str, Any]) -> bool:
    return any(paragraph.get(key) for key in _TEXT)


def _joined(paragraph: Mapping[str, Any]) -> dict[str, Any]:
    """A paragraph whose runs look the same as one text with that look, others with their joint
    look; lengths are ``"20%"`` or ``"6pt"``."""
    rest = {key: _length(inner) for key, inner in paragraph.items() if key != "runs"}
    runs = paragraph.get("runs")
    if not isinstance(runs, list) or not all(isinstance(run, dict) for run in runs):
        return rest
    if all(run.get("kind") == "break" or run.get("text") is not None for run in runs):
        runs = [{**run, "text": run.get("text") or "\n"} for run in runs]
    looks, pieces = _with_common_looks([_flat_run(run) for run in runs])
    if all(isinstance(piece, str) for piece in pieces):
        return {"text": "".join(pieces), **looks, **rest}
    return {"runs": pieces, **looks, **rest}


def _flat_run(run: Mapping[str, Any]) -> dict[str, Any]:
    """A run; a line break has the looks of no text."""
    return {key: value for key, value in run.items() if (key, value) != ("kind", "break")}


def _with_common_looks(items: Sequence[Mapping[str, Any]]) -> tuple[dict[str, Any], list[Any]]:
    """The look that most items with words have, and the items: as a text where they look so, else
    with what is otherwise, None for what they do not have."""
    looks = [{key: item[key] for key in item if key not in _TEXT} for item in items]
    counted = Counter(
        as_json(look) for look, item in zip(looks, items, strict=True) if _words_of(item)
    )
    common: dict[str, Any] = json.loads(counted.most_common(1)[0][0]) if counted else {}
    shown = list[Any]()
    for look, item in zip(looks, items, strict=True):
        other = _other(look, common) if _words_of(item) else {}
        if "runs" in item or other:
            shown.append({**{key: item[key] for key in _TEXT if key in item}, **other})
        else:
            shown.append(item.get("text", ""))
    return common, shown


def _other(look: Mapping[str, Any], common: Mapping[str, Any]) -> dict[str, Any]:
    """Differences of a look from the common one, one level down; None for a missing value."""
    made = dict[str, Any]()
    for key in dict.fromkeys((*look, *common)):
        ours, theirs = look.get(key), common.get(key)
        if ours == theirs:
            continue
        both = isinstance(ours, dict) and isinstance(theirs, dict)
        made[key] = _other(ours, theirs) if both else ours  # type: ignore[arg-type]
    return made


def _length(value: Any) -> Any:
    if isinstance(value, Mapping) and set(value) == {"value", "unit"}:
        share = value["unit"] == "share"
        return f"{value['value'] * 100:g}%" if share else f"{value['value']:g}pt"
    return value


def _table(table: Mapping[str, Any]) -> dict[str, Any]:
    """A table as its texts, the looks of most cells, and those of the others by row and column."""
    rest = {key: value for key, value in table.items() if key not in ("cells", "rows")}
    cells = {
        (row, column): _cell(cell)
        for row, line in enumerate(table["rows"], 1)
        for column, cell in enumerate(line, 1)
    }
    counted = Counter(map(as_json, cells.values()))
    common = json.loads(counted.most_common(1)[0][0]) if counted else {}
    others = {
        place: json.dumps(_other(look, common), ensure_ascii=False)
        for place, look in cells.items()
        if as_json(look) != as_json(common)
    }
    widths = {row: len(line) for row, line in enumerate(table["rows"], 1)}
    listed = [
        {"cells": _places([place for place in others if others[place] == look], widths),
         **json.loads(look)}
        for look in dict.fromkeys(others.values())
    ]  # fmt: skip
    return {"texts": table.get("cells", []), **rest, "looks": common, "other_looks": listed}


def _cell(cell: Mapping[str, Any]) -> dict[str, Any]:
    """The looks of a cell: of its text, those of the first paragraph with words."""
    paragraphs = [_joined(paragraph) for paragraph in cell.get("paragraphs", ())]
    first = next(filter(_words_of, paragraphs), {})
    looks = {key: value for key, value in first.items() if key not in _TEXT}
    rest = {key: value for key, value in cell.items() if key not in ("paragraphs", "text")}
    rest["body"] = {key: rest["body"][key] for key in rest.get("body", {}) if key not in _INSETS}
    sides = [rest.pop(side, None) for side in ("left", "top", "right", "bottom")]
    if any(sides):
        rest["borders"] = sides[0] if all(side == sides[0] for side in sides) else sides
    return looks | rest


def _places(places: Sequence[tuple[int, int]], widths: Mapping[int, int]) -> str:
    """Cells in words, whole rows as such: ``row 1, r2c3``."""
    words = []
    for row, group in groupby(places, lambda place: place[0]):
        columns = [column for _row, column in group]
        whole = len(columns) == widths[row] > 1
        words += [f"row {row}"] if whole else [f"r{row}c{column}" for column in columns]
    return ", ".join(words)


def _reduced(value: Any, omitted: Collection[str]) -> Any:
    """A value without the keys ``omitted`` and without what is empty; whole numbers are whole."""
    if isinstance(value, dict):
        rest = {key: _reduced(inner, omitted) for key, inner in value.items() if key not in omitted}
        return {key: inner for key, inner in rest.items() if inner is not None and inner != ""}
    if isinstance(value, list):
        return [_reduced(item, omitted) for item in value]
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def _without_empty(value: Any) -> Any:
    """A value without what holds nothing; None says that a look is missing, and stays."""
    if isinstance(value, dict):
        rest = {key: _without_empty(inner) for key, inner in value.items()}
        return {key: inner for key, inner in rest.items() if inner not in ({}, [], "")}
    return [_without_empty(item) for item in value] if isinstance(value, list) else value
