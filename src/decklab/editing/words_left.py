"""Words of a deck that ``every_text`` does not give, named so that nobody takes them for done."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from pptx.presentation import Presentation

from decklab.editing.every_text import PROPERTIES, related_parts
from decklab.ooxml.xml import local_name, qn

_MEDIA = ("audio", "video", "media")
_EMBEDDED = ("oleObject", "package", "control")


def left_out(prs: Presentation) -> tuple[str, ...]:
    """What of a deck may hold words and is not among the texts of ``every_text``, one line each.

    Words drawn in pictures, said in sound or video, inside of embedded files, custom XML, tips of
    links; charts that take their names from another file; comments and properties, which are
    changed only where they are asked for by kind. Empty where there is nothing.
    """
    on_slides = (
        ("pictures", lambda slide: _parts(slide, ("image",))),
        ("sound or video", lambda slide: _parts(slide, _MEDIA)),
        ("embedded files", lambda slide: _parts(slide, _EMBEDDED)),
        ("charts with their data in another file", _linked_charts),
        ("tips of links", _tips),
        ("comments", lambda slide: _parts(slide, ("comments",))),
    )
    lines = []
    for what, find in on_slides:
        numbers = list(_slides_with(prs, find))
        if numbers:
            noun = "slide" if len(numbers) == 1 else "slides"
            lines.append(f"{what} on {noun} {', '.join(map(str, numbers))}")
    if related_parts(prs.part.rels, "customXml"):
        lines.append("custom XML of the deck")
    if _has_properties(prs):
        lines.append("properties of the file, such as its title")
    return tuple(lines)


def _slides_with(prs: Presentation, find: Callable[[Any], Iterable[Any]]) -> Iterator[int]:
    return (number for number, slide in enumerate(prs.slides, 1) if any(True for _ in find(slide)))


def _parts(slide: Any, kinds: Iterable[str]) -> list[Any]:
    return [part for kind in kinds for part in related_parts(slide.part.rels, kind)]


def _linked_charts(slide: Any) -> list[Any]:
    charts = _parts(slide, ("chart", "chartEx"))
    return [link for part in charts for link in part.rels.values() if link.is_external]


def _tips(slide: Any) -> list[Any]:
    links = slide._element.iter(qn("a:hlinkClick"), qn("a:hlinkHover"))
    return [link for link in links if link.get("tooltip")]


def _has_properties(prs: Presentation) -> bool:
    parts = related_parts(prs.part.package._rels, "core-properties")
    held = [item for part in parts for item in part._element if (item.text or "").strip()]
    return any(local_name(str(item.tag)) in PROPERTIES for item in held)
