"""The headings of a PDF document: which lines that look like some are none, and their levels."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from decklab.documents.bylines import is_byline
from decklab.documents.pdf.lines import DocumentStyles, joined_text
from decklab.documents.pdf.paragraphs import CHAPTER, LETTERED, NAMED, SECTION, LineBlock

_LEAST_PROSE = 80
"""Ours: characters of the paragraph below a heading on a title page."""
_LABELS = 5
"""Ours: how often the heading of a remark or warning occurs at the least."""
_CONTENTS = re.compile(
    r"^(?:table of )?contents$|^list of (?:figures|tables)$|^inhalt(?:sverzeichnis)?$",
    re.IGNORECASE,
)


def plain_labels(blocks: Sequence[LineBlock]) -> None:
    """Headings that are none become list items, if they begin with a small letter in the size of
    the text, or paragraphs: labels such as "Note" that occur five times or
    more, and names and dates between the title and the first section."""
    headings = [block for block in blocks if block.kind == "heading"]
    counts = Counter(block.lines[0].text.strip().lower() for block in headings)
    depths = _depths(headings)
    for block, depth in zip(headings, depths, strict=True):
        if counts[block.lines[0].text.strip().lower()] >= _LABELS and not depth:
            block.kind = "paragraph"
    sizes = Counter(block.size for block in blocks if block.kind == "paragraph")
    usual = sizes.most_common(1)[0][0] if sizes else 0.0
    for block, depth in zip(headings, depths, strict=True):
        small = block.lines[0].text.strip()[:1].islower() and block.size <= usual
        if small and not depth and block.kind == "heading":
            block.kind = "item"
    early = [block for block in headings if block.page == headings[0].page]
    first = next(
        (
            number
            for number, (block, depth) in enumerate(zip(early, depths, strict=False))
            if depth or NAMED.match(block.lines[0].text.strip())
        ),
        0,
    )
    title = max(early[:first], key=lambda block: block.size, default=None)
    after = {id(block): below for block, below in pairwise(blocks)}
    for block in early[:first]:
        if title is None or block.size >= title.size - 0.5:
            continue
        below = after.get(id(block))
        prose = below is not None and sum(len(line.text) for line in below.lines) >= _LEAST_PROSE
        named = is_byline(" ".join(line.text.strip() for line in block.lines))
        if named or not prose or (below is not None and below.kind != "paragraph"):
            block.kind = "paragraph"


def heading_levels(blocks: Sequence[LineBlock]) -> None:
    """Give each heading its level: by its number ("2.1" is 2), else by its font among the others.

    A font has the level that numbered headings in it mostly have; other fonts are ranked by size,
    bold before plain.
    """
    headings = [block for block in blocks if block.kind == "heading"]
    known: dict[tuple[float, bool], Counter[int]] = {}
    depths = _depths(headings)
    for block, depth in zip(headings, depths, strict=True):
        if depth:
            known.setdefault(_font(block), Counter())[depth] += 1
    levels: dict[tuple[float, bool], int] = {}
    last = 0
    for font in sorted({_font(block) for block in headings}, reverse=True):
        votes = known.get(font)
        last = votes.most_common(1)[0][0] if votes else _unnumbered(font, known, last)
        levels[font] = last
    for block, depth in zip(headings, depths, strict=True):
        block.level = min(6, depth or levels[_font(block)])


def _unnumbered(
    font: tuple[float, bool], known: Mapping[tuple[float, bool], object], above: int
) -> int:
    """The level of a font without numbers: 1 above all that have them, else one below the next."""
    return 1 if known and font > max(known) else above + 1


def _font(block: LineBlock) -> tuple[float, bool]:
    return round(block.size), block.lines[0].bold


def _depths(headings: Sequence[LineBlock]) -> list[int]:
    """The level that the number of each heading says ("2.1" is 2); 0 without a number.

    A letter alone is a number if another of the same font goes on: "A" before "B", "B" after "A";
    or "A" after sections with numbers, or right before "A.1". Else it is a word, as in "A Study of
    Readers", or a name, as in "C. Doe".
    """
    texts = [block.lines[0].text.strip() for block in headings]
    depths = [_depth(text) for text in texts]
    letters = [match["letter"] if (match := LETTERED.match(text)) else "" for text in texts]
    fonts = [_font(block) for block in headings]
    last: dict[tuple[float, bool], str] = {}  # of the number before, by font
    for at, (letter, font) in enumerate(zip(letters, fonts, strict=True)):
        if letter == "A":
            after = (other for other, its in zip(letters[at + 1 :], fonts[at + 1 :], strict=True)
                     if other and its == font)  # fmt: skip
            below = next((text for text in texts[at + 1 :] if text[:2] in ("A ", "A.")), "")
            depths[at] = int(font in last or next(after, "") == "B" or bool(SECTION.match(below)))
        elif letter:
            depths[at] = int(last.get(font) == chr(ord(letter) - 1))
        if depths[at]:
            last[font] = texts[at][0]
    return depths


def _depth(text: str) -> int:
    number = SECTION.match(text)
    if number:
        return number["number"].count(".") + 1
    return 1 if CHAPTER.match(text) else 0


def without_contents(blocks: Sequence[LineBlock], styles: DocumentStyles) -> Iterator[LineBlock]:
    """The blocks without tables of contents and lists of figures: lines below such a heading that
    end in a page number."""
    inside = False
    for block in blocks:
        text = joined_text(block.lines[:3], styles)
        if block.kind == "heading" and _CONTENTS.match(text.strip()):
            inside = True
            continue
        if inside and (re.search(r"\s\d{1,4}$", text) or len(text) < 4):
            continue
        inside = inside and block.kind != "heading"
        yield block
