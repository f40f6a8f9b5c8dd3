"""The text of one paragraph, and another in its place that keeps the looks of what stays."""

import re
from copy import deepcopy
from difflib import SequenceMatcher
from typing import Any

from decklab.editing.finding import EditError
from decklab.editing.replacing import BARRIER, paragraph_content, pieces, put_text
from decklab.ooxml.xml import ILLEGAL_CHARACTERS, qn

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
    found = []
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
        found.append((left, right, words))
    return found


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
