"""Links on words and on shapes, to the web and to slides."""

import re
from copy import deepcopy
from typing import Any

from pptx.opc.constants import RELATIONSHIP_TYPE
from pptx.oxml import parse_xml
from pptx.presentation import Presentation

from decklab.editing.finding import (
    EditError,
    find_shape,
    properties,
    slide_at,
    text_bodies,
    texts_of,
)
from decklab.editing.formatting import TextFormat, run_properties
from decklab.editing.phrasing import phrase
from decklab.editing.replacing import spans, word_pattern
from decklab.ooxml.xml import NAMESPACES, qn

_LINK = qn("a:hlinkClick")
_AFTER_LINK = (qn("a:hlinkMouseOver"), qn("a:rtl"), qn("a:extLst"))
_AFTER_SHAPE_LINK = (qn("a:hlinkHover"), qn("a:extLst"))
_ADDRESS = re.compile(r"(?:https?|ftp|mailto|file|tel):\S+\Z", re.IGNORECASE)


@phrase("(link|add link to) [(word|words|text)] {text:quoted} {on} [(leading|pointing)] to "
        "{target:goal}",
        "link ({shape:noun shape}|{shape:called}|{text:line text}) to {target:goal}",
        example="link 'study' on slide 2 to https://example.org", changes="link",
        follows="style:font.color font.underline")  # fmt: skip
@phrase("set <[address of] link {on}> to {target:goal}",
        "set <link of {shape:drawn}> to {target:goal}",
        example="change the link on slide 5 to https://example.com/new", changes="link",
        follows="style:font.color font.underline", again=True)  # fmt: skip
def set_link(
    prs: Presentation,
    slide: int,
    target: str | int,
    *,
    text: str | None = None,
    shape: str | int | None = None,
) -> int:
    """Link words, or a whole shape, to a web address or to a slide; return how many were linked.

    ``target`` is an address such as ``"https://example.org"`` or ``"mailto:..."``, or the number
    of a slide. Give ``text`` to link every place where these words stand on the slide, ``shape``
    to link a shape, both to link words in that shape only.

    Example: set_link(prs, 2, 5, shape="Next button")
    """
    page = slide_at(prs, slide)
    root = None if shape is None else find_shape(prs, slide, shape)
    if text is None and root is None:
        raise EditError("say what to link: text=..., shape=... or both")
    if text is None:
        _put(properties(root), _link(prs, page.part, target), _AFTER_SHAPE_LINK)
        return 1
    texts = [*text_bodies(page), *text_bodies(page, "footer")] if root is None else [root]
    pattern = re.compile(re.escape(text))
    runs = [run for text_root in texts for run in runs_of_words(text_root, pattern)]
    if not runs:
        raise EditError(f"slide {slide} has no text {text!r}")
    link = _link(prs, page.part, target)
    for run in runs:
        _put(run_properties(run), link, _AFTER_LINK)
    return len(runs)


@phrase("delete [all] links",
        "delete links of [(word|words|text)] {text:quoted}",
        "(unlink|delete links of) ({shape:noun shape}|{shape:called})",
        example="remove all links on slide 5", changes="link",
        follows="style:font.color font.underline")  # fmt: skip
def remove_links(
    prs: Presentation, slide: int, *, text: str | None = None, shape: str | int | None = None
) -> int:
    """Take links off a slide, those on some words or on one shape; return how many.

    The words and shapes stay. Without ``text`` and ``shape`` all links of the slide go.

    Example: remove_links(prs, 2)
    """
    page = slide_at(prs, slide)
    root = page._element if shape is None else find_shape(prs, slide, shape)
    links = list(root.iter(_LINK))
    if text is not None:
        links = [link for link in links if text in _linked(link)]
    for link in links:
        link.getparent().remove(link)
        if (id := link.get(qn("r:id"))) and not page._element.xpath(f".//@r:id[. = '{id}']"):
            page.part.rels.pop(id)
    return len(links)


def point_link(prs: Presentation, slide: int, link: Any, target: str | int) -> None:
    """Let a link of a slide (``a:hlinkClick``) lead elsewhere; see ``set_link``."""
    page = slide_at(prs, slide)
    id = link.get(qn("r:id"))
    _put(link.getparent(), _link(prs, page.part, target), ())
    if id and id in page.part.rels and not page._element.xpath(f".//@r:id[. = '{id}']"):
        page.part.rels.pop(id)


def _linked(link: Any) -> str:
    run = link.getparent().getparent()
    return "".join(item.text or "" for item in run.iterfind(qn("a:t")))


def _link(prs: Presentation, part: Any, target: str | int) -> Any:
    spaces = f'xmlns:a="{NAMESPACES["a"]}" xmlns:r="{NAMESPACES["r"]}"'
    if isinstance(target, int):
        id = part.relate_to(slide_at(prs, target).part, RELATIONSHIP_TYPE.SLIDE)
        return parse_xml(f'<a:hlinkClick {spaces} r:id="{id}" action="ppaction://hlinksldjump"/>')
    if not _ADDRESS.match(target):
        raise EditError(f"{target!r} is no address; write it whole, such as https://example.org")
    id = part.relate_to(target, RELATIONSHIP_TYPE.HYPERLINK, is_external=True)
    return parse_xml(f'<a:hlinkClick {spaces} r:id="{id}"/>')


def _put(holder: Any, link: Any, after: tuple[str, ...]) -> None:
    """Put a link at its place in the schema, instead of an old one."""
    fresh = deepcopy(link)
    if (old := holder.find(_LINK)) is not None:
        holder.replace(old, fresh)
        return
    for item in holder:
        if item.tag in after:
            item.addprevious(fresh)
            return
    holder.append(fresh)


def format_words(
    prs: Presentation,
    slide: int,
    words: str,
    *,
    shape: str | int | None = None,
    font: str | None = None,
    size: float | None = None,
    color: str | None = None,
    bold: bool | None = None,
    italic: bool | None = None,
    underline: bool | None = None,
) -> int:
    """Format words wherever they stand whole on a slide, or in one shape of it; return how many
    runs they make. The look is that of ``format_text``.

    Example: format_words(prs, 2, "12 %", bold=True, color="accent2")
    """
    look = TextFormat(font, size, color, bold, italic, underline)
    look.check()
    if not (count := style_words(prs, slide, words, look, shape)):
        raise EditError(f"{words!r} does not stand on slide {slide}")
    return count


def style_words(
    prs: Presentation, slide: int, words: str, look: TextFormat, shape: str | int | None = None
) -> int:
    """Give words a look wherever they stand whole; return how many runs they make."""
    pattern = word_pattern(words, whole_word=True, match_case=True)
    held = slide_at(prs, slide)
    bodies = text_bodies(held) if shape is None else texts_of(find_shape(prs, slide, shape))
    runs = [run for body in bodies for run in runs_of_words(body, pattern)]
    for run in runs:
        look.apply(run_properties(run))
    return len(runs)


def runs_of_words(root: Any, pattern: re.Pattern[str]) -> list[Any]:
    """The runs with exactly the words that a pattern finds, split where necessary."""
    runs = []
    for paragraph in root.iter(qn("a:p")):
        for start, end in spans(paragraph, pattern):
            runs += _cut_out(paragraph, start, end)
    return runs


def _cut_out(paragraph: Any, start: int, end: int) -> list[Any]:
    """The runs between two places of a paragraph; runs that reach beyond are split."""
    at, runs = 0, []
    for item in list(paragraph):
        if item.tag in (qn("a:br"), qn("a:fld")):
            at += 1
        if item.tag != qn("a:r"):
            continue
        text = item.find(qn("a:t")).text or ""
        first, last = max(start - at, 0), min(end - at, len(text))
        at += len(text)
        if first < last:
            runs.append(_middle(item, text, first, last))
    return runs


def _middle(run: Any, text: str, first: int, last: int) -> Any:
    if first:
        before = deepcopy(run)
        before.find(qn("a:t")).text = text[:first]
        run.addprevious(before)
    if last < len(text):
        rest = deepcopy(run)
        rest.find(qn("a:t")).text = text[last:]
        run.addnext(rest)
    run.find(qn("a:t")).text = text[first:last]
    return run
