"""Replaces words in place; the new words have the formatting of the old."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from lxml import etree
from pptx.presentation import Presentation
from pptx.slide import Slide

from decklab.editing.diagrams import diagram_parts
from decklab.editing.finding import slides_of, text_bodies
from decklab.editing.phrasing import words_phrase
from decklab.ooxml.xml import qn

BARRIER = "\N{OBJECT REPLACEMENT CHARACTER}"
"""Stands for a line break, a field or a formula: no match runs across it."""
_NO_CONTENT = (qn("a:pPr"), qn("a:endParaRPr"))
_BLANKS = (" ", "\N{NO-BREAK SPACE}")
_CLOSES = re.compile(r"\s|\Z|[,.;:!?…)\]}”’»]|[\"'](?!\w)")
"""Text that no blank precedes: a blank, an end, a mark that closes."""
_OPENS = re.compile(r"(?:\A|[\s(\[{“‘«])\Z")
"""Text that no blank follows: the beginning of a line, a blank, a mark that opens."""


@words_phrase("replace {old} {on} with {new:words} {on} "
              "[(in|within) {where=notes|footer}] {on}",
              "replace {old} {on} with {new:words} (in|within) {shape}",
              "change {old} {on} to {new:words} {on} "
              "[in {where=notes|footer}] {on}",
              "change {old} {on} to {new:words} in {shape}",
              example="replace Agenda with Overview everywhere")  # fmt: skip
@words_phrase("(replace {old} {on} with|change {old} {on} to) {new:words} [everywhere] [,] "
              "(except|but not|but|other than|apart from) [(in|on)] {apart}",
              example="replace Agenda with Overview, but not in the title")  # fmt: skip
@words_phrase(
    "replace {old} {on} with {new:words} {on} [,] "
    "(ignoring case|in any case|ignoring upper and lower case)",
    example="replace 'teh' with 'the' everywhere, ignoring case", match_case=False)  # fmt: skip
@words_phrase(
    "replace {old} {on} with {new:words} {on} [,] "
    "(part of words|parts of words too|in parts of words)",
    example="replace 'cat' with 'dog' on slides 2-4, part of words", whole_word=False)  # fmt: skip
@words_phrase("delete [all] (word|words|text) {old:quoted} {on} [in {where=notes|footer}]",
              "delete [all] (word|words|text) {old:quoted} (in|from) {shape}",
              "delete {old:quoted}",
              example="delete the text 'DRAFT'", new="")  # fmt: skip
def replace_text(
    prs: Presentation,
    old: str,
    new: str,
    *,
    slides: Iterable[int] | None = None,
    where: str = "all",
    whole_word: bool = False,
    match_case: bool = True,
) -> int:
    """Replace ``old`` with ``new`` and return how often; formatting stays as it is.

    Finds text that runs across several runs of a paragraph; the new text looks like the first
    character of the old. If ``new`` is empty, a blank that would be one too many goes along (see
    ``spans_to_replace``). ``where`` is ``"all"`` (shapes, tables, footers and diagrams),
    ``"title"``, ``"body"``, ``"footer"`` or ``"notes"``. ``whole_word`` leaves longer words alone,
    ``match_case=False`` finds any case.

    Example: replace_text(prs, "2023", "2024", slides=[2, 3], whole_word=True)
    """
    if not old:
        return 0
    pattern = word_pattern(old, whole_word=whole_word, match_case=match_case)
    return sum(
        replace_paragraph(paragraph, pattern, new)
        for _number, slide in slides_of(prs, slides)
        for root in _texts(slide, where)
        for paragraph in root.iter(qn("a:p"))
    )


def word_pattern(words: str, *, whole_word: bool, match_case: bool) -> re.Pattern[str]:
    """A pattern that finds words, with ``whole_word`` not inside of longer ones.

    Words that begin or end with a mark, such as a comma, may touch a letter there.
    """
    before = r"(?<!\w)" if whole_word and re.match(r"\w", words) else ""
    after = r"(?!\w)" if whole_word and re.search(r"\w\Z", words) else ""
    return re.compile(before + re.escape(words) + after, re.NOFLAG if match_case else re.IGNORECASE)


def _texts(slide: Slide, where: str) -> Iterator[Any]:
    if where == "notes":
        if slide.has_notes_slide and slide.notes_slide.notes_text_frame is not None:
            yield slide.notes_slide.notes_text_frame._txBody
        return
    yield from text_bodies(slide, where)
    if where == "all":
        yield from text_bodies(slide, "footer")
        with diagram_parts(slide) as roots:
            yield from roots


def spans(paragraph: Any, pattern: re.Pattern[str]) -> list[tuple[int, int]]:
    """Where a pattern matches in the text of a paragraph; never across a break or a field."""
    text = "".join(piece for piece, _holder in pieces(paragraph))
    return [match.span() for match in pattern.finditer(text) if match.group()]


def pieces(paragraph: Any) -> list[tuple[str, Any]]:
    """The text of a paragraph piece by piece, each with the element that holds it.

    Content other than a run of text is one ``BARRIER`` that no element holds.
    """
    found: list[tuple[str, Any]] = []
    for item in paragraph_content(paragraph):
        if item.tag == qn("a:r"):
            node = item.find(qn("a:t"))
            found.append(("" if node is None else node.text or "", node))
        else:
            found.append((BARRIER, None))
    return found


def paragraph_content(paragraph: Any) -> list[Any]:
    """The runs, breaks, fields and formulas of a paragraph."""
    return [item for item in paragraph.iterchildren("*") if item.tag not in _NO_CONTENT]


def replace_paragraph(paragraph: Any, pattern: re.Pattern[str], new: str) -> int:
    """Put ``new`` wherever a pattern is found in a paragraph; return how often."""
    matches = spans(paragraph, pattern)
    items = zip(paragraph_content(paragraph), pieces(paragraph), strict=True)
    text = "".join("\n" if item.tag == qn("a:br") else piece for item, (piece, _node) in items)
    for start, end in reversed(spans_to_replace(text, matches, new)):
        put_text(paragraph, start, end, new)
    return len(matches)


def replaced(text: str, pattern: re.Pattern[str], new: str) -> tuple[str, int]:
    """A text with ``new`` wherever a pattern is found, and how often that is."""
    matches = [match.span() for match in pattern.finditer(text) if match.group()]
    fresh = text
    for start, end in reversed(spans_to_replace(text, matches, new)):
        fresh = fresh[:start] + new + fresh[end:]
    return fresh, len(matches)


def spans_to_replace(
    text: str, matches: Iterable[tuple[int, int]], new: str
) -> list[tuple[int, int]]:
    """Spans that ``new`` replaces, from matches given as start and end, in order.

    Words that go without new ones take one blank along: that before them if a blank, a mark or the
    end of the line follows, else that behind them if the line or a bracket begins before them.

    >>> spans_to_replace("so far, so good", [(3, 6)], "")
    [(2, 6)]
    """
    if new:
        return list(matches)
    joined: list[tuple[int, int]] = []
    for start, end in matches:
        first = joined.pop()[0] if joined and joined[-1][1] == start else start
        joined.append((first, end))
    gone: list[tuple[int, int]] = []
    kept, at = "", 0
    for start, end in joined:
        kept += text[at:start]
        is_word = bool(text[start:end].strip())
        closes = is_word and kept.endswith(_BLANKS) and bool(_CLOSES.match(text, end))
        opens = is_word and bool(_OPENS.search(kept)) and text.startswith(_BLANKS, end)
        before = int(closes and start > at)
        at = end + (opens and not before)
        gone.append((start - before, at))
        kept = kept[: len(kept) - before]
    return gone


def put_text(paragraph: Any, start: int, end: int, new: str) -> None:
    """Put text in place of some of a paragraph's (see ``pieces``), in the look of its first
    character; runs that become empty are removed."""
    at, fresh = 0, new
    for text, holder in pieces(paragraph):
        first, last = max(start - at, 0), min(end - at, len(text))
        at += len(text)
        if first >= last or holder is None:
            continue
        holder.text = text[:first] + fresh + text[last:]
        fresh = ""
        if not holder.text:
            _drop(paragraph, holder.getparent())


def _drop(paragraph: Any, run: Any) -> None:
    """Remove an empty run; the formatting of the last run goes to the paragraph's end."""
    if len(paragraph.findall(qn("a:r"))) == 1 and paragraph.find(qn("a:endParaRPr")) is None:
        look = run.find(qn("a:rPr"))
        end = etree.SubElement(paragraph, qn("a:endParaRPr"))
        for name, value in look.attrib.items() if look is not None else ():
            end.set(name, value)
        end.extend([] if look is None else list(look))
    paragraph.remove(run)
