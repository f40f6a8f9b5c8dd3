"""New words for the paragraphs of a text body, in the formatting that it has."""

from copy import deepcopy
from difflib import SequenceMatcher
from typing import Any

from lxml import etree

from decklab.ooxml.xml import qn


def set_body_text(body: Any, text: str) -> None:
    """Give a text body new paragraphs, one a line.

    Lines that it had stay as they are; others have the formatting of those that they replace, or
    of the line before.
    """
    old, lines, paragraphs = body.findall(qn("a:p")), text.split("\n"), list[Any]()
    had = [paragraph_words(paragraph) for paragraph in old]
    matched = SequenceMatcher(None, had, lines, autojunk=False)
    for _kind, start, end, first, last in matched.get_opcodes():
        for number, line in enumerate(lines[first:last], start):
            if number < end:
                paragraph = old[number]
            else:
                models = paragraphs[-1:] or old[:1]
                paragraph = deepcopy(models[0]) if models else etree.Element(qn("a:p"))
            set_paragraph_text(paragraph, line)
            paragraphs.append(paragraph)
    for paragraph in old:
        body.remove(paragraph)
    body.extend(paragraphs)


def add_body_text(body: Any, text: str) -> None:
    """Add a paragraph for each line to a text body, with the formatting of its last paragraph."""
    for line in text.split("\n"):
        last = body.findall(qn("a:p"))[-1]
        paragraph = deepcopy(last)
        last.addnext(paragraph)
        set_paragraph_text(paragraph, line)


_PIECES = (qn("a:r"), qn("a:br"), qn("a:fld"))


def paragraph_words(paragraph: Any) -> str:
    """The text of a paragraph, fields included; a line break in it is a vertical tab."""
    return "".join(map(_piece_words, paragraph.iterchildren(*_PIECES)))


def _piece_words(piece: Any) -> str:
    return "\v" if piece.tag == qn("a:br") else piece.findtext(qn("a:t"), "") or ""


def set_paragraph_text(paragraph: Any, line: str) -> None:
    """Give a paragraph a new text; vertical tabs become line breaks.

    Where half of the words at its ends stay, only what is between them changes; else all of it has
    the look of its longest run.
    """
    if line == paragraph_words(paragraph) or _set_middle(paragraph, line):
        return
    runs = paragraph.findall(qn("a:r"))
    end = paragraph.find(qn("a:endParaRPr"))
    longest = max(runs, key=lambda run: len(run.findtext(qn("a:t"), "")), default=None)
    run = _new_run(end) if longest is None else longest
    for item in list(paragraph.iterchildren(*_PIECES)):
        paragraph.remove(item)
    if not line:
        return
    at = len(paragraph) if end is None else paragraph.index(end)
    first, *others = line.split("\v")
    run.find(qn("a:t")).text = first
    pieces = [run]
    for words in others:
        pieces += [etree.Element(qn("a:br")), deepcopy(run)]
        pieces[-1].find(qn("a:t")).text = words
    paragraph[at:at] = pieces


def _shared(item: str, other: str) -> int:
    """How many characters two texts share at their beginning."""
    shorter = min(len(item), len(other))
    return next((at for at in range(shorter) if item[at] != other[at]), shorter)


def _set_middle(paragraph: Any, line: str) -> bool:
    """Change only what lies between the words that stay at both ends; whether it could."""
    pieces = list(paragraph.iterchildren(*_PIECES))
    old = "".join(map(_piece_words, pieces))
    head = _shared(old, line)
    tail = _shared(old[head:][::-1], line[head:][::-1])
    stop, new = len(old) - tail, line[head : len(line) - tail]
    if len(pieces) < 2 or 2 * (head + tail) < len(old) or "\v" in new:
        return False
    spans, at = [], 0
    for piece in pieces:
        spans.append((piece, at, at := at + len(_piece_words(piece))))
    touched = [span for span in spans if span[1] < stop and span[2] > head]
    runs = [span for span in spans if span[0].tag == qn("a:r") and span[1] <= head <= span[2]]
    if not runs or any(p.tag != qn("a:r") and (a < head or b > stop) for p, a, b in touched):
        return False
    taking = runs[0][0]
    for piece, start, end in {*touched, runs[0]}:
        kept = old[start : max(start, min(end, head))]
        kept += new if piece is taking else ""
        kept += old[min(end, max(start, stop)) : end]
        if kept and piece.tag == qn("a:r"):
            piece.find(qn("a:t")).text = kept
        else:
            paragraph.remove(piece)
    return True


def _new_run(end: Any) -> Any:
    """A run with the formatting of its paragraph's end."""
    run = etree.Element(qn("a:r"))
    if end is not None:
        look = deepcopy(end)
        look.tag = qn("a:rPr")
        run.append(look)
    etree.SubElement(run, qn("a:t"))
    return run
