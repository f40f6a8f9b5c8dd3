"""Compares two texts: words, and the style of words that both have; fonts, fills and lines."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from decklab.deck.model.shapes import Body, Paragraph, RunFont
from decklab.diffing.changes import (
    Difference,
    FieldRules,
    Json,
    Kind,
    default_values,
    field_differences,
    key_difference,
)
from decklab.diffing.sequences import Span, TextBlock, aligned, blocks, overlapping, spans


def color_value(color: str | None, alpha: float = 1.0) -> Any:
    """A colour, with its opacity if it is not opaque."""
    return color if color is None or alpha == 1.0 else {"color": color, "alpha": alpha}


def paint_value(paint: Json | None) -> Any:
    """The colour of a solid paint, None for no paint; else all its fields except slots."""
    if not paint or paint.get("kind", "none") == "none":
        return None
    if paint["kind"] == "solid":
        return color_value(paint.get("color"), paint.get("alpha", 1.0))
    return _without_slots(paint)


def _without_slots(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_slots(item) for key, item in value.items() if key != "slot"}
    return [_without_slots(item) for item in value] if isinstance(value, list) else value


def paint_differences(
    name: str, old: Json | None, new: Json | None, origins: tuple[str, str], part: str = ""
) -> Iterator[Difference]:
    """How two paints of the same area differ."""
    before, after = paint_value(old), paint_value(new)
    if before != after:
        slots = paint_slots(old), paint_slots(new)
        yield Difference("style", name, before, after, part, origins, slots)


def paint_slots(paint: Json | None) -> str:
    """The names by which a paint refers to theme colours."""
    if not paint:
        return ""
    if "stops" in paint:
        return " ".join(stop.get("slot") or "" for stop in paint["stops"]).strip()
    return paint.get("slot") or ""


_PEN_FIELDS = ("dash", "cap", "compound", "join", "head", "tail")


def pen_differences(old: Json, new: Json, part: str = "") -> Iterator[Difference]:
    """Differences of two outlines; an added or removed outline is a single difference. ``old`` and
    ``new`` hold ``strokeWidth`` and ``pen``, as shapes, images, lines and borders do."""
    pens = old.get("pen", {}), new.get("pen", {})
    paints = pens[0].get("paint"), pens[1].get("paint")
    sources = _pen_sources(old), _pen_sources(new)
    stated = sources[0].get("stroke", ""), sources[1].get("stroke", "")
    yield from paint_differences("line.color", paints[0], paints[1], stated, part)
    if paint_value(paints[0]) is None or paint_value(paints[1]) is None:
        return
    widths = old.get("strokeWidth", 0.0), new.get("strokeWidth", 0.0)
    if widths[0] != widths[1]:
        stated = sources[0].get("strokeWidth", ""), sources[1].get("strokeWidth", "")
        yield Difference("style", "line.width", widths[0], widths[1], part, stated)
    for key in _PEN_FIELDS:
        if pens[0].get(key) != pens[1].get(key):
            stated = sources[0].get(key, ""), sources[1].get(key, "")
            yield Difference(
                "style", f"line.{key}", pens[0].get(key), pens[1].get(key), part, stated
            )


def _pen_sources(holder: Json) -> Json:
    return {**holder.get("sources", {}), **holder.get("pen", {}).get("sources", {})}


_CONTENT = frozenset({"sha256", "content_type", "pixels", "link"})
_PAINTED = frozenset({"paint", "pen", "stroke", "strokeWidth", "fill", "sources"})
_CROP_ROUNDING = 0.0005
"""Shares of a picture's width or height; programs round crops to whole pixels or per mille."""
_OUTLINE = ("geometry", "adjustments", "path")
_EDGES = ("left", "top", "right", "bottom")


def picture_differences(old: Json, new: Json, kind: Kind = "picture") -> Iterator[Difference]:
    """How the ``image`` of two shapes differs, or their ``media`` with its poster."""
    if old == new:
        return
    if any(old.get(key) != new.get(key) for key in ("sha256", "link")):
        what = "image" if kind == "picture" else "poster"
        yield Difference(kind, what, _picture_summary(old), _picture_summary(new))
    crops = _crop(old), _crop(new)
    if crops[0] != crops[1]:
        apart = max(abs(crops[0][edge] - crops[1][edge]) for edge in _EDGES)
        yield Difference("picture", "crop", *crops, noise=apart <= _CROP_ROUNDING)
    yield from _area(old, new, skip=_CONTENT | {"crop"}, kind=kind)


def area_differences(old: Json, new: Json) -> Iterator[Difference]:
    """How the ``shape`` of two shapes differs: outline, fill and line."""
    if old != new:
        yield from _area(old, new, skip=frozenset({"rx"}))


def line_differences(old: Json, new: Json) -> Iterator[Difference]:
    """Differences of the ``line`` of two shapes, except what it is glued to."""
    if old != new:
        glue = frozenset({"start", "end", "start_site", "end_site"})
        yield from _area(old, new, skip=glue)


def _area(
    old: Json, new: Json, *, skip: frozenset[str], kind: Kind = "style"
) -> Iterator[Difference]:
    yield from _outline(old, new)
    origins = old.get("sources", {}).get("fill", ""), new.get("sources", {}).get("fill", "")
    yield from paint_differences("fill", old.get("paint"), new.get("paint"), origins)
    yield from pen_differences(old, new)
    rest: Kind = "style" if kind == "picture" else kind
    yield from field_differences(old, new, FieldRules(rest, skip=_PAINTED | skip | {*_OUTLINE}))


def _outline(old: Json, new: Json) -> Iterator[Difference]:
    """Differences of two outlines: one for another geometry, else those of its handles."""
    outlines = [(shape.get("geometry"), shape.get("path")) for shape in (old, new)]
    if outlines[0] != outlines[1]:
        same_name = outlines[0][0] == outlines[1][0]
        which = 1 if same_name else 0
        name = "path" if same_name else "geometry"
        yield Difference("style", name, outlines[0][which], outlines[1][which])
    else:
        yield from key_difference("style", "adjustments", old, new, {})


def _picture_summary(image: Json) -> Any:
    return {key: image[key] for key in ("sha256", "link", "pixels") if image.get(key)} or None


def _crop(image: Json) -> dict[str, float]:
    crop = image.get("crop", {})
    return {edge: crop.get(edge, 0.0) for edge in _EDGES}


_FILLED_IN_FIELDS = ("slidenum", "datetime")
"""Types of fields whose text a program fills in when it saves."""
_BODY_NOISE = frozenset({"font_scale", "line_reduction"})
_HANDLED = frozenset({"runs", "sources", "bullet"})
_BULLET_ITSELF = ("character", "scheme", "start", "sha256")
_DERIVED_FIELD = "\N{OBJECT REPLACEMENT CHARACTER}"


def text_differences(old: Json, new: Json, *, where: str = "") -> Iterator[Difference]:
    """Differences of two texts: ``text`` once, then styles by paragraph.

    ``old`` and ``new`` are the ``text`` of a shape or of a table's cell, empty if it has none;
    ``where`` precedes the names of parts.
    """
    if old == new:
        return
    a, b = old.get("paragraphs", ()), new.get("paragraphs", ())
    before, after = plain_text(a), plain_text(b)
    if before != after:
        noise = plain_text(a, fields=False) == plain_text(b, fields=False)
        yield Difference("text", "text", before, after, where, noise=noise)
    if not old or not new:
        return
    bodies = old.get("body", {}), new.get("body", {})
    scales = bodies[0].get("font_scale", 1.0), bodies[1].get("font_scale", 1.0)
    for i, j in aligned(
        [plain_text([paragraph]) for paragraph in a], [plain_text([paragraph]) for paragraph in b]
    ):
        if a[i] != b[j]:
            part = f"{where}, paragraph {j + 1}" if where else f"paragraph {j + 1}"
            blank = not (plain_text([a[i]]) + plain_text([b[j]])).strip()
            for difference in _paragraph(a[i], b[j], part, scales, refit=_refit(*bodies)):
                yield replace(difference, unseen=True) if blank else difference
    yield from _body(*bodies, where)


def plain_text(paragraphs: Sequence[Json], *, fields: bool = True) -> str:
    """The text of paragraphs, one per line; with ``fields=False`` without slide numbers and dates
    that programs fill in."""

    def said(run: Json) -> str:
        return str(run["text"] if fields or not _is_filled_in(run) else _DERIVED_FIELD)

    return "\n".join("".join(map(said, item.get("runs", ()))) for item in paragraphs)


def _is_filled_in(run: Json) -> bool:
    return run.get("kind") == "field" and (run.get("field") or "").startswith(_FILLED_IN_FIELDS)


def _paragraph(
    old: Json, new: Json, part: str, scales: tuple[float, float], *, refit: bool
) -> Iterator[Difference]:
    origins = old.get("sources", {}), new.get("sources", {})
    for difference in field_differences(old, new, _PARAGRAPH_RULES, part=part, origins=origins):
        noise = difference.property == "paragraph.line_spacing" and refit
        yield replace(difference, noise=True) if noise else difference
    yield from _bullets(old.get("bullet"), new.get("bullet"), part, origins)
    for before, after in _run_pairs(old.get("runs", ()), new.get("runs", ())):
        yield from run_differences(before, after, part, scales)


def _bullets(
    old: Json | None, new: Json | None, part: str, origins: tuple[Json, Json]
) -> Iterator[Difference]:
    """Differences of two bullets; one in all if the kind is another."""
    if old is None or new is None or old.get("kind") != new.get("kind"):
        if old != new:
            stated = origins[0].get("bullet", ""), origins[1].get("bullet", "")
            yield Difference("style", "paragraph.bullet", old, new, part, stated)
        return
    for key in dict.fromkeys((*old, *new)):
        if old.get(key) != new.get(key):
            source = "bullet" if key in _BULLET_ITSELF else f"bullet_{key}"
            stated = origins[0].get(source, ""), origins[1].get(source, "")
            name = f"paragraph.bullet.{key}"
            yield Difference("style", name, old.get(key), new.get(key), part, stated)


def _refit(old: Json, new: Json) -> bool:
    return any(old.get(key) != new.get(key) for key in _BODY_NOISE)


def _run_pairs(a: Sequence[Json], b: Sequence[Json]) -> Iterator[tuple[Json, Json]]:
    """Pairs of runs that hold the same characters, and the main runs of replaced stretches."""
    if [run["text"] for run in a] == [run["text"] for run in b]:
        yield from ((left, other) for left, other in zip(a, b, strict=True) if left != other)
        return
    old, new = spans(a, _text), spans(b, _text)
    for block in blocks(plain_text([{"runs": a}]), plain_text([{"runs": b}])):
        if block.same:
            yield from (pair for pair in overlapping(old, new, block) if pair[0] != pair[1])
        elif block.a0 < block.a1 and block.b0 < block.b1:
            yield _main(old, block.a0, block.a1), _main(new, block.b0, block.b1)
        elif block.b0 < block.b1:
            yield from _inserted_links(new, block)


def _text(run: Json) -> str:
    return str(run["text"])


def _main(runs: Sequence[Span[Json]], start: int, end: int) -> Json:
    return max(runs, key=lambda span: min(span[1], end) - max(span[0], start))[2]


def _inserted_links(runs: Sequence[Span[Json]], block: TextBlock) -> Iterator[tuple[Json, Json]]:
    """The links of inserted text; its style has nothing to compare with."""
    for start, end, run in runs:
        links: Json = {key: run[key] for key in ("click", "hover") if key in run}
        if links and max(start, block.b0) < min(end, block.b1):
            yield {}, links


def _body(old: Json, new: Json, where: str) -> Iterator[Difference]:
    origins: tuple[Any, Any] = old.get("sources", {}), new.get("sources", {})
    for difference in field_differences(old, new, _BODY_RULES, part=where, origins=origins):
        noise = difference.property.removeprefix("body.") in _BODY_NOISE
        yield replace(difference, noise=True) if noise else difference


_COLOR = ("color", "alpha", "paint")
_APART = frozenset({*_COLOR, "size", "style", "slot", "language", "outline"})
_LINKED = ("font.color", "font.underline")
"""Properties that a link changes in its text."""
_STYLES = ("bold", "italic")
"""Styles to compare; the third, underscore, repeats ``underline``."""
_ROUNDING_PT = 0.6
"""Sizes that autofit scaled are rounded by the program that saves them, to a half point or so."""


def run_differences(
    old: Json, new: Json, part: str, scales: tuple[float, float]
) -> Iterator[Difference]:
    """Differences of two runs with the same or corresponding text, except of the text. ``scales``
    are the factors of autofit in both texts."""
    linked = ("click" in old) != ("click" in new)
    blank = not (old.get("text", "") + new.get("text", "")).strip()
    for difference in _font(old, new, part, scales):
        if not (linked and difference.property in _LINKED):
            yield replace(difference, unseen=True) if blank else difference
    for key in ("click", "hover"):
        yield from key_difference("link", key, old, new, part=part)


def _font(old: Json, new: Json, part: str, scales: tuple[float, float]) -> Iterator[Difference]:
    a, b = old.get("font", {}), new.get("font", {})
    if a == b:
        return
    origins = old.get("sources", {}), new.get("sources", {})
    yield from _sizes(a, b, part, origins, scales)
    for style in _STYLES:
        before, after = style in a.get("style", ()), style in b.get("style", ())
        if before != after:
            stated = origins[0].get(style, ""), origins[1].get(style, "")
            yield Difference("style", f"font.{style}", before, after, part, stated)
    yield from _paints(a, b, part, origins)
    yield from field_differences(a, b, _FONT_RULES, part=part, origins=origins)
    yield from _languages(a, b, part)


def _paints(a: Json, b: Json, part: str, origins: tuple[Json, Json]) -> Iterator[Difference]:
    if _color(a) != _color(b):
        stated = origins[0].get("color", ""), origins[1].get("color", "")
        yield Difference("style", "font.color", _color(a), _color(b), part, stated, _slots(a, b))
    stated = origins[0].get("outline", ""), origins[1].get("outline", "")
    yield from paint_differences("font.outline", a.get("outline"), b.get("outline"), stated, part)


def _slots(a: Json, b: Json) -> tuple[str, str]:
    slots = [
        paint_slots(style["paint"]) if style.get("paint") else style.get("slot") for style in (a, b)
    ]
    return slots[0] or "", slots[1] or ""


def _sizes(
    a: Json, b: Json, part: str, origins: tuple[Json, Json], scales: tuple[float, float]
) -> Iterator[Difference]:
    before, after = a.get("size"), b.get("size")
    if before == after:
        return
    stated = origins[0].get("size", ""), origins[1].get("size", "")
    refit = False
    if before is not None and after is not None and scales[0] != scales[1]:
        refit = abs(before / scales[0] - after / scales[1]) <= _ROUNDING_PT / min(scales)
    yield Difference("style", "font.size", before, after, part, stated, noise=refit)


def _languages(a: Json, b: Json, part: str) -> Iterator[Difference]:
    """The difference in language; noise if one side states none: programs then write their own."""
    before, after = a.get("language"), b.get("language")
    if before != after:
        unstated = before is None or after is None
        yield Difference("style", "font.language", before, after, part, noise=unstated)


def _color(font: Json) -> Any:
    if font.get("paint"):
        return font["paint"]
    return color_value(font.get("color"), font.get("alpha", 1.0))


_BODY_RULES = FieldRules("style", "body.", {"sources"}, default_values(Body))
_PARAGRAPH_RULES = FieldRules("style", "paragraph.", _HANDLED, default_values(Paragraph))
_FONT_RULES = FieldRules("style", "font.", _APART, default_values(RunFont))
