"""Words replaced in place, and whole paragraphs reworded; what stays keeps its formatting."""

import re
from collections.abc import Iterable, Iterator
from copy import deepcopy
from difflib import SequenceMatcher
from typing import Any

from lxml import etree
from pptx.presentation import Presentation
from pptx.slide import Slide

from decklab.editing.finding import EditError, slides_of, text_bodies
from decklab.editing.phrasing import words_phrase
from decklab.editing.texts import diagram_parts
from decklab.ooxml.xml import ILLEGAL_CHARACTERS, qn

BARRIER = "\N{OBJECT REPLACEMENT CHARACTER}"
"""Stands for a line break, a field or a formula: no match runs across it."""
_NO_CONTENT = (qn("a:pPr"), qn("a:endParaRPr"))
_BLANKS = (" ", "\N{NO-BREAK SPACE}")
_CLOSES = re.compile(r"\s|\Z|[,.;:!?…)\]}”’»]|[\"'](?!\w)")
"""Text that no blank precedes: a blank, an end, a mark that closes."""
_OPENS = re.compile(r"(?:\A|[\s(\[{“‘«])\Z")
"""Text that no blank follows: the beginning of a line, a blank, a mark that opens."""


@words_phrase(
    "replace {old} {on} with {new:words} {on} [(in|within) {where=notes|footer}] {on}",
    "replace {old} {on} with {new:words} (in|within) {shape}",
    "change {old} {on} to {new:words} {on} [in {where=notes|footer}] {on}",
    "change {old} {on} to {new:words} in {shape}",
    example="replace Agenda with Overview everywhere",
)
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
    runs: list[tuple[str, Any]] = []
    for item in paragraph_content(paragraph):
        if item.tag == qn("a:r"):
            node = item.find(qn("a:t"))
            runs.append(("" if node is None else node.text or "", node))
        else:
            runs.append((BARRIER, None))
    return runs


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


OBJECT = BARRIER
"""Stands in a text for a part that is no text: a field, such as a slide's number, or a formula."""
_WORD = re.compile(r"\w+\W*|\W+")
_PIECE = re.compile(r"\w+|\W")


def editable_text(paragraph: Any) -> str:
    r"""The text of a paragraph; a line break is ``\n``, a field or a formula is ``OBJECT``."""
    texts = []
    for item, (text, _holder) in zip(paragraph_content(paragraph), pieces(paragraph), strict=True):
        texts.append("\n" if item.tag == qn("a:br") else text)
    return "".join(texts)


def checked_text(text: str, before: str) -> str:
    r"""A text as ``rewrite_paragraph`` takes it in place of ``before``: ends of lines are ``\n``.

    Raises EditError if it holds characters that no deck can, or another number of ``OBJECT``.
    """
    lines = text.replace("\r\n", "\n").replace("\r", "\n").replace("\v", "\n")
    if ILLEGAL_CHARACTERS.search(lines):
        raise EditError(f"the text {lines[:40]!r} holds control characters")
    if lines.count(OBJECT) != before.count(OBJECT):
        raise EditError(
            f"the text {lines[:40]!r} has {lines.count(OBJECT)} signs {OBJECT!r} where the old one "
            f"has {before.count(OBJECT)}: they stand for fields and formulas, which stay"
        )
    return lines


def rewrite_paragraph(paragraph: Any, text: str) -> None:
    """Give a paragraph another text, in words as ``editable_text`` gives it.

    Words that stay keep their looks; other words look like the first of those that they replace.
    Raises EditError as ``checked_text`` does.
    """
    wanted = checked_text(text, editable_text(paragraph))
    _fit_breaks(paragraph, wanted)
    fresh = re.split(f"[\n{OBJECT}]", wanted)
    old = "".join(piece for piece, _holder in pieces(paragraph)).split(BARRIER)
    at = sum(len(line) + 1 for line in old)
    for number in reversed(range(len(fresh))):
        at -= len(old[number]) + 1
        if old[number]:
            for start, end, words in reversed(_changes(old[number], fresh[number])):
                put_text(paragraph, at + start, at + end, words)
        elif fresh[number]:
            _fill_line(paragraph, number, fresh[number])


def _fit_breaks(paragraph: Any, text: str) -> None:
    """Take out or add line breaks, so that there are as many as in a text."""
    stretches: list[list[Any]] = [[]]
    for item in paragraph_content(paragraph):
        if item.tag in (qn("a:r"), qn("a:br")):
            stretches[-1].append(item)
        else:
            stretches.append([item])
    for stretch, wanted in zip(stretches, text.split(OBJECT), strict=True):
        breaks = [item for item in stretch if item.tag == qn("a:br")]
        for item in breaks[wanted.count("\n") :]:
            paragraph.remove(item)
        for _ in range(wanted.count("\n") - len(breaks)):
            added = paragraph.makeelement(qn("a:br"))
            _copy_look(stretch[-1] if stretch else None, added)
            _insert_after(paragraph, stretch[-1] if stretch else None, added)
            stretch.append(added)


def _changes(old: str, new: str) -> list[tuple[int, int, str]]:
    """Replacements that turn an old line into a new one: start, end, words; no span is empty."""
    before, after = _WORD.findall(old), _WORD.findall(new)
    starts = [0]
    for word in before:
        starts.append(starts[-1] + len(word))
    changes = []
    for kind, first, last, start, end in SequenceMatcher(None, before, after).get_opcodes():
        if kind == "equal":
            continue
        left, right, words = starts[first], starts[last], "".join(after[start:end])
        same, same_end = _equal_ends(old[left:right], words)
        left, right, words = left + same, right - same_end, words[same : len(words) - same_end]
        if left == right and left:
            left, words = left - 1, old[left - 1] + words
        elif left == right:
            right, words = right + 1, words + old[right]
        changes.append((left, right, words))
    return changes


def _equal_ends(old: str, new: str) -> tuple[int, int]:
    """How many characters of whole words and signs two texts have in common at each end."""
    before, after = _PIECE.findall(old), _PIECE.findall(new)
    most, start, end = min(len(before), len(after)), 0, 0
    while start < most and before[start] == after[start]:
        start += 1
    while end < most - start and before[-1 - end] == after[-1 - end]:
        end += 1
    return len("".join(before[:start])), len("".join(before[len(before) - end :]))


def _fill_line(paragraph: Any, number: int, text: str) -> None:
    """Write a line that is empty, given by its number among lines and stretches between objects."""
    before: Any = None
    lines: list[list[Any]] = [[]]
    for item in paragraph_content(paragraph):
        if item.tag == qn("a:r"):
            lines[-1].append(item)
        else:
            before = item if len(lines) == number else before
            lines.append([])
    if lines[number] and lines[number][0].find(qn("a:t")) is not None:
        lines[number][0].find(qn("a:t")).text = text
        return
    run = paragraph.makeelement(qn("a:r"))
    model = next(paragraph.iterchildren(qn("a:r")), before)
    _copy_look(paragraph.find(qn("a:endParaRPr")) if model is None else model, run)
    run.append(paragraph.makeelement(qn("a:t")))
    run[-1].text = text
    _insert_after(paragraph, before, run)


def _copy_look(model: Any, target: Any) -> None:
    """Give a run or break the look of another, or of the end of a paragraph."""
    if model is None:
        return
    look = model if model.tag == qn("a:endParaRPr") else model.find(qn("a:rPr"))
    if look is None:
        return
    target.append(target.makeelement(qn("a:rPr"), dict(look.attrib.items())))
    target[-1].extend(deepcopy(list(look)))


def _insert_after(paragraph: Any, item: Any, fresh: Any) -> None:
    """Insert after an item of a paragraph; for None, before all its content."""
    if item is not None:
        item.addnext(fresh)
    else:
        paragraph.insert(int(paragraph.find(qn("a:pPr")) is not None), fresh)
