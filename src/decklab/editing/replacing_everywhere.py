"""Words replaced wherever a deck holds them: beside texts also charts, notes and descriptions."""

import re
from collections.abc import Collection, Iterator
from typing import Any

from lxml import etree
from pptx.opc.constants import RELATIONSHIP_TYPE
from pptx.presentation import Presentation
from pptx.slide import Slide

from decklab.editing.diagrams import diagram_parts
from decklab.editing.finding import (
    FOOTERS,
    find_shape,
    placeholder_type,
    properties,
    shapes,
    slide_at,
)
from decklab.editing.open_parts import edited
from decklab.editing.replacing import replace_paragraph, replace_text, word_pattern
from decklab.errors import DeckError
from decklab.ooxml.package import Package
from decklab.ooxml.writing import package_bytes
from decklab.ooxml.xml import qn

PLACES = ("text", "notes", "chart", "alt text")
"""What a slide holds words in: ``text`` is shapes, tables, footers and diagrams."""
_SPACE = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_NAMES = {qn("c:strCache"), qn("c:multiLvlStrCache")}


def replace_on_slide(
    prs: Presentation,
    slide: int,
    old: str,
    new: str,
    *,
    whole_word: bool = True,
    match_case: bool = True,
    beyond_view: bool = True,
) -> dict[str, int]:
    """Replace words in all that belongs to a slide; how often, by the names of ``PLACES``.

    ``beyond_view`` says whether notes and alternative texts count too. A chart's
    title and names of categories and series are changed in its workbook as well. Formatting
    stays. Places without the words are left out.
    """
    pattern = word_pattern(old, whole_word=whole_word, match_case=match_case)
    how: Any = {"whole_word": whole_word, "match_case": match_case}
    held = slide_at(prs, slide)
    counts = {
        "text": replace_text(prs, old, new, slides=[slide], **how),
        "chart": sum(_replace_in_chart(part, pattern, new) for part in _charts(held)),
    }
    if beyond_view:
        counts["notes"] = replace_text(prs, old, new, slides=[slide], where="notes", **how)
        counts["alt text"] = _replace_descriptions(held, pattern, new)
    return {place: count for place, count in counts.items() if count}


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
    element, held = find_shape(prs, slide, shape), slide_at(prs, slide)
    count = sum(replace_paragraph(item, pattern, new) for item in element.iter(qn("a:p")))
    for item in element.iter(qn("c:chart")):
        part = held.part.related_part(item.get(qn("r:id")))
        count += _replace_in_chart(part, pattern, new)
    for ids in element.iter(qn("dgm:relIds")):
        with diagram_parts(held, ids) as roots:
            found = [replace_paragraph(item, pattern, new)
                     for root in roots for item in root.iter(qn("a:p"))]  # fmt: skip
            count += sum(found)
    return count


def replace_on_masters(
    prs: Presentation, old: str, new: str, *, whole_word: bool = True, match_case: bool = True
) -> int:
    """Replace words in what masters and layouts show themselves; return how often.

    Their prompts, such as “Click to add a title”, show on no slide and stay.
    """
    pattern = word_pattern(old, whole_word=whole_word, match_case=match_case)
    count = 0
    for sheet in _sheets(prs):
        for shape in shapes(sheet):
            if placeholder_type(shape) in (None, *FOOTERS):
                count += sum(
                    replace_paragraph(paragraph, pattern, new)
                    for paragraph in shape.iter(qn("a:p"))
                    if shape.tag in (qn("p:sp"), qn("p:graphicFrame"))
                )
        count += _replace_descriptions(sheet, pattern, new)
    return count


def _sheets(prs: Presentation) -> Iterator[Any]:
    for master in prs.slide_masters:
        yield master
        yield from master.slide_layouts


def _replace_descriptions(sheet: Any, pattern: re.Pattern[str], new: str) -> int:
    count = 0
    for shape in shapes(sheet):
        held = properties(shape)
        for name in ("descr", "title"):
            text, found = pattern.subn(lambda _match: new, held.get(name) or "")
            if found:
                held.set(name, text)
                count += found
    return count


def _charts(slide: Slide) -> Iterator[Any]:
    for item in slide._element.iter(qn("c:chart")):
        yield slide.part.related_part(str(item.get(qn("r:id"))))


def _replace_in_chart(part: Any, pattern: re.Pattern[str], new: str) -> int:
    count = 0
    with edited(part) as root:
        count += sum(replace_paragraph(item, pattern, new) for item in root.iter(qn("a:p")))
        count += _replace_names(root, pattern, new)
    if count:
        _replace_in_workbook(part, pattern, new)
    return count


def rename_in_chart_part(part: Any, pattern: re.Pattern[str], new: str) -> int:
    """Rename categories and series of a chart that a pattern finds, in its workbook too."""
    with edited(part) as root:
        count = _replace_names(root, pattern, new)
    if count:
        _replace_in_workbook(part, pattern, new)
    return count


def _replace_names(root: Any, pattern: re.Pattern[str], new: str) -> int:
    """Replace words in the names of a chart's categories and series."""
    count = 0
    for item in root.iter(qn("c:v")):
        holders = {parent.tag for parent in item.iterancestors()}
        if not holders & _NAMES and item.getparent().tag != qn("c:tx"):
            continue
        fresh, found = pattern.subn(lambda _match: new, item.text or "")
        item.text = fresh if found else item.text
        count += found
    return count


def _replace_in_workbook(part: Any, pattern: re.Pattern[str], new: str) -> None:
    """Replace words in the cells of a chart's workbook; one in another format stays as it is."""
    for link in part.rels.values():
        if link.is_external or link.reltype != RELATIONSHIP_TYPE.PACKAGE:
            continue
        try:
            with Package.from_bytes(link.target_part.blob, "workbook") as package:
                changed = dict(_changed_strings(package, pattern, new))
                if changed:
                    link.target_part._blob = package_bytes(package, replace=changed)
        except DeckError:
            continue


def _changed_strings(
    package: Package, pattern: re.Pattern[str], new: str
) -> Iterator[tuple[str, bytes]]:
    for name in _string_parts(package.names):
        root = package.xml(name)
        count = 0
        for column in root.iter(f"{_SPACE}tableColumn"):  # has to equal the cell above the column
            fresh, found = pattern.subn(lambda _match: new, column.get("name") or "")
            column.set("name", fresh)
            count += found
        for item in root.iter(f"{_SPACE}t"):
            fresh, found = pattern.subn(lambda _match: new, item.text or "")
            item.text = fresh if found else item.text
            count += found
        if count:
            yield name, etree.tostring(root, xml_declaration=True, encoding="UTF-8",
                                       standalone=True)  # fmt: skip


def _string_parts(names: Collection[str]) -> list[str]:
    """The parts of a workbook that hold words of cells and headers of its tables."""
    kinds = r"(sharedStrings|/sheet\d+|/table\d+)\.xml$"
    return [name for name in names if re.search(kinds, name)]
