"""Words replaced wherever a deck holds them: beside texts also charts, notes and descriptions."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any

from pptx.presentation import Presentation

from decklab.editing.every_text import (
    PROPERTIES,
    SHOWN_KINDS,
    HeldText,
    TextKind,
    every_text,
    held_texts,
    related_parts,
)
from decklab.editing.finding import find_shape
from decklab.editing.replacing import word_pattern
from decklab.ooxml.xml import local_name, qn

_MEDIA = ("audio", "video", "media")
_EMBEDDED = ("oleObject", "package", "control")


def left_out(prs: Presentation) -> tuple[str, ...]:
    """Content that may hold words and is not among the texts of ``every_text``, one line each.

    Words drawn in pictures, said in sound or video, inside of embedded files, custom XML, tips of
    links; charts that take their names from another file; comments and properties, which are
    changed only if they are asked for by kind. Empty if the deck has none.
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


PLACES = ("text", "notes", "chart", "alt text")
"""Parts of a slide that hold words: ``text`` is shapes, tables, footers and diagrams."""
_PLACE_OF = {"table": "text", "footer": "text", "diagram": "text"}
_ON_SLIDES: tuple[TextKind, ...] = ("text", "table", "footer", "diagram", "chart")


def replace_everywhere(
    prs: Presentation,
    old: str,
    new: str,
    *,
    whole_word: bool = True,
    match_case: bool = True,
    kinds: Collection[TextKind] = SHOWN_KINDS,
) -> Counter[TextKind]:
    """Replace words in all texts of a deck of some kinds; how often, by kind. Looks stay.

    Names of a chart are changed in its workbook as well.
    """
    pattern = word_pattern(old, whole_word=whole_word, match_case=match_case)
    counts: Counter[TextKind] = Counter()
    with held_texts(prs, kinds=kinds) as held:
        for text in held:
            counts[text.place.kind] += text.replace(pattern, new)
    return +counts


def replace_on_slide(
    prs: Presentation,
    slide: int,
    old: str,
    new: str,
    *,
    whole_word: bool = True,
    match_case: bool = True,
    beyond_view: bool = True,
    spare: Callable[[HeldText], bool] | None = None,
) -> dict[str, int]:
    """Replace words in all that belongs to a slide; how often, by the names of ``PLACES``.

    ``beyond_view`` says whether notes and alternative texts count too. A chart's
    title and names of categories and series are changed in its workbook as well. Formatting
    stays. Places without the words are left out. Texts for which ``spare`` holds stay.
    """
    pattern = word_pattern(old, whole_word=whole_word, match_case=match_case)
    kinds = (*_ON_SLIDES, "notes", "alt text") if beyond_view else _ON_SLIDES
    counts: Counter[str] = Counter()
    with held_texts(prs, slides=[slide], kinds=kinds) as held:
        for text in held:
            if spare is not None and spare(text):
                continue
            kind = text.place.kind
            counts[_PLACE_OF.get(kind, kind)] += text.replace(pattern, new)
    return dict(+counts)


def replace_in_shape(
    prs: Presentation,
    slide: int,
    shape: str | int,
    old: str,
    new: str,
    *,
    whole_word: bool = True,
    match_case: bool = True,
) -> int:
    """Replace words in one shape, table, chart or diagram; return how often."""
    pattern = word_pattern(old, whole_word=whole_word, match_case=match_case)
    element = find_shape(prs, slide, shape)
    with held_texts(prs, slides=[slide], kinds=_ON_SLIDES) as held:
        return sum(text.replace(pattern, new) for text in held if is_in(text, element))


def is_in(text: HeldText, element: Any) -> bool:
    """Whether a text is that of a shape, or of one in it."""
    return text.shape is element or any(one is element for one in text.shape.iterancestors())


def replace_on_masters(
    prs: Presentation, old: str, new: str, *, whole_word: bool = True, match_case: bool = True
) -> int:
    """Replace words in what masters and layouts show themselves; return how often.

    Their prompts, such as “Click to add a title”, show on no slide and stay.
    """
    how: Any = {"whole_word": whole_word, "match_case": match_case}
    return replace_everywhere(prs, old, new, kinds=("layout", "master"), **how).total()


def words_in(
    prs: Presentation, slides: Iterable[int], words: str, *, whole_word: bool = True
) -> dict[str, int]:
    """How often words stand on slides and in their notes and descriptions, by their spelling.

    Letter case does not count: ``Cat`` and ``CAT`` are spellings of ``cat``.
    """
    pattern = word_pattern(words, whole_word=whole_word, match_case=False)
    kinds = (*_ON_SLIDES, "notes", "alt text")
    texts = every_text(prs, slides=slides, kinds=kinds)
    return dict(Counter(match.group() for text in texts for match in pattern.finditer(text.text)))
