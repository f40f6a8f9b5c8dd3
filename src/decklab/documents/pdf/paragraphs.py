"""Lines of a PDF page joined to paragraphs, list items, headings, code and captions, and paragraphs
that go on in another column or on another page."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, takewhile, zip_longest
from typing import Literal

from decklab.core.geometry import Box
from decklab.documents.bylines import is_byline
from decklab.documents.drafting import read_caption
from decklab.documents.parts import is_footnote
from decklab.documents.pdf.lines import ColumnLine, DocumentStyles, joined_text
from decklab.documents.pdf.page import PageCaption
from decklab.documents.pdf.words import joined_piece

PieceKind = Literal["heading", "paragraph", "item", "code", "caption"]
_BULLET = re.compile(r"^(?:[•●○▪■◦‣∗·➢►✓*–—-]\s+\S|[•●▪■◦‣➢►])")
_NUMBERED = re.compile(r"^(?:\(?\d{1,2}[.)]|\(?[a-z][.)]|\(?[ivx]{1,4}[.)])\s+\S")
SECTION = re.compile(r"^(?P<number>\d{1,2}(?:\.\d{1,2}){0,4}|[A-Z](?:\.\d{1,2}){1,4})\.?\s+(?=\S)")
"""The number of a section, such as 2.1 or A.1."""
LETTERED = re.compile(r"^(?P<letter>[A-Z])\.?\s+[^\Wa-z]")
"""A letter that may be the number of a section, such as an appendix, and may be a word."""
CHAPTER = re.compile(
    r"^(?:chapter|part|appendix|kapitel|teil|anhang)\s+(?-i:\d+|[A-Z]|[IVX]+)\b", re.IGNORECASE
)
"""The beginning of a chapter's heading."""
_CHAPTER_ALONE = re.compile(r"(?:chapter|part|appendix|kapitel|teil)\s+\w{1,4}", re.IGNORECASE)
NAMED = re.compile(
    r"^(?:abstract|summary|zusammenfassung|references|bibliography|literatur|acknowledge?ments?|"
    r"introduction|conclusions?)$",
    re.IGNORECASE,
)
"""Headings that need no number."""
_LABEL = re.compile(
    r"(?:to|from|cc|date|subject|re|an|von|datum|betreff|kopie|zeichen|à|de|objet|para|asunto|fecha)"
    r"\s?:\s",
    re.IGNORECASE,
)
"""A label in the head of a memo, whose lines stay apart."""
_LEADERS = re.compile(r"(?:\.\s?){4,}\s*(?:\d+|[ivxlc]+)?$|(?:\s\.){3,}")
_ENDED = (".", "!", "?", ":", ";", ".)", ".”", '."', "。")
_NUMBER_ALONE = re.compile(r"\d{1,2}[.)]")
_LIST_BULLET = re.compile(r"^(?:[•●○▪■◦‣∗·➢►✓*–—-]\s*)")


_CAPTION_GAP = 1.0
"""Ours: points beyond the usual distance of lines, after which a whole caption has ended."""
_CHAPTER_GAP = 5.0
"""Ours: of a line's height, between "Chapter 2" and the name of the chapter."""


@dataclass
class LineBlock:
    """Lines that belong together; ``first`` is the first word's box, by which objects find it."""

    kind: PieceKind
    lines: list[ColumnLine]
    page: int
    level: int = 0

    @property
    def box(self) -> Box:
        """Around its lines down to the end of the column in which it begins."""
        own = [self.lines[0].box]
        for line in self.lines[1:]:
            if line.box.top < own[-1].top:
                break
            own.append(line.box)
        return Box.around(own) or own[0]

    @property
    def size(self) -> float:
        """The font size of its first line, points."""
        return self.lines[0].style.size


def page_blocks(lines: Sequence[ColumnLine], page: int, styles: DocumentStyles) -> list[LineBlock]:
    """The lines of a page in reading order as blocks; lines of a table of contents are left out."""
    kept = [line for line in lines if line.text.strip() and not _LEADERS.search(line.text)]
    kept = _with_numbers(kept)
    pitches = _pitches(kept)
    blocks: list[LineBlock] = []
    for line in kept:
        kind = _kind(line, styles)
        last = blocks[-1] if blocks else None
        alike = last is not None and last.lines[-1].style == line.style
        inner = kind in {"code", "item"} or (kind == "heading" and alike)
        if inner and last is not None and _runs_into(last, line, pitches):
            kind = last.kind
            last.lines.append(line)
        elif last is not None and _goes_on(last, line, kind, pitches, styles):
            last.lines.append(line)
        else:
            blocks.append(LineBlock(kind, [line], page))
    return [_settled(block, styles) for block in blocks]


def _with_numbers(lines: Sequence[ColumnLine]) -> list[ColumnLine]:
    """Lines, where the number of an item stands in a line of its own, with that before the next one
    in place of a dash."""
    kept: list[ColumnLine] = []
    for line, below in zip_longest(lines, lines[1:]):
        if not _NUMBER_ALONE.fullmatch(line.text.strip()) or line.style.mono:
            kept.append(line)
        elif below is None or not (_stacked(line, below) and below.box.left > line.box.right):
            kept += [] if below is None else [line]
        else:
            below.text = f"{line.text.strip()} {_LIST_BULLET.sub('', below.text, count=1)}"
    return kept


def _pitches(lines: Sequence[ColumnLine]) -> dict[float, float]:
    """For each font size the usual distance between two lines of a paragraph."""
    found: dict[float, list[float]] = {}
    for above, below in pairwise(lines):
        step = below.box.bottom - above.box.bottom
        prose = not (above.style.mono or below.style.mono)
        if prose and above.style.size == below.style.size and 0 < step < 3 * below.box.height:
            found.setdefault(above.style.size, []).append(step)
    return {size: sorted(steps)[len(steps) // 2] for size, steps in found.items()}


def _kind(line: ColumnLine, styles: DocumentStyles) -> PieceKind:
    if _is_code(line, styles):
        listed = _BULLET.match(line.text) and not line.words[0].style.mono
        return "item" if listed else "code"
    if _looks_like_heading(line, styles):
        return "heading"
    caption = read_caption(line.text)
    if caption is not None and caption.marked:
        return "caption"
    if _BULLET.match(line.text) or _NUMBERED.match(line.text):
        return "item"
    return "paragraph"


_MONO_TITLE = 1.15
"""Ours: of running text's size, from which a numbered line of code is a heading."""


def _is_code(line: ColumnLine, styles: DocumentStyles) -> bool:
    """Code, program output and displayed formulas: most characters of such fonts."""
    total = sum(len(word.text) for word in line.words)
    mono = sum(len(word.text) for word in line.words if word.style.mono)
    math = [word for word in line.words if word.style.math]
    signs = sum(len(word.text) for word in math)
    plain = sum(
        1
        for word in line.words
        if not word.style.math and len(word.text) > 2 and word.text.isalpha()
    )
    headed = line.style.size >= _MONO_TITLE * styles.body and SECTION.match(line.text)
    return (mono > 0.6 * total and not headed) or (signs > 0.3 * total and plain < 3)


def _looks_like_heading(line: ColumnLine, styles: DocumentStyles) -> bool:
    text = line.text.strip()
    letters = sum(char.isalpha() for char in text)
    numbered = SECTION.match(text)
    if letters < 2 or len(text) > 160 or line.style.math or (line.style.mono and not numbered):
        return False
    if line.style.size >= styles.body + 0.9 and line.style.size >= 1.07 * styles.body:
        return letters > 0.4 * len(text.replace(" ", ""))
    if NAMED.match(text):
        return line.bold or line.style.size >= styles.body
    return (
        line.bold
        and line.style.size >= styles.body - 0.6
        and (len(text) < 90 or bool(numbered))
        and not text.endswith((",", ";"))
        and (not text.endswith(".") or bool(numbered) or len(text) < 40)
    )


_TITLE_SIZE = 1.5
"""Ours: of running text's size, from which a heading without a number is a title; headings of
sections are smaller, and none follows it in its own size."""


def _is_title(block: LineBlock, styles: DocumentStyles) -> bool:
    number = SECTION.match(block.lines[0].text) or CHAPTER.match(block.lines[0].text)
    words = len(block.lines[0].words)
    return block.size >= _TITLE_SIZE * styles.body and words > 1 and not number


def _goes_on(
    block: LineBlock,
    line: ColumnLine,
    kind: PieceKind,
    pitches: Mapping[float, float],
    styles: DocumentStyles,
) -> bool:
    """Whether a line goes on the block above it."""
    last = block.lines[-1]
    step = line.box.bottom - last.box.bottom
    pitch = pitches.get(line.style.size, 1.25 * line.box.height)
    above = not _stacked(last, line)
    if block.kind == "code" or kind == "code":
        return block.kind == kind and not above and step < 3.2 * pitch
    alone = kind == "heading" and _CHAPTER_ALONE.fullmatch(last.text.strip())
    if alone and not above and step < _CHAPTER_GAP * line.box.height:
        return True
    if abs(line.style.size - last.style.size) > 0.75:
        return False
    if kind == "heading" or block.kind == "heading":
        year = block.size > styles.body + 0.9 and not any(map(str.isalpha, line.text))
        same = block.kind in {kind, "heading" if year else kind}
        same = same and line.style.bold == last.style.bold
        same = same and (_is_title(block, styles) or not _begins_section(last, line))
        return same and not above and step < 1.9 * line.box.height
    if kind in {"item", "caption"} or above:
        return False
    if _LABEL.match(line.text) and _LABEL.match(block.lines[0].text):
        return False
    if step > max(1.3 * pitch, pitch + 2.5):
        return False
    if block.kind == "caption" and last.text.endswith(".") and step > pitch + _CAPTION_GAP:
        return False
    return block.kind == "caption" or not _begins_paragraph(block, line)


def _begins_section(last: ColumnLine, line: ColumnLine) -> bool:
    """Whether a line of a heading begins another; what follows a colon is a subtitle, such as "A
    Study of Readers"."""
    lettered = LETTERED.match(line.text) and not last.text.rstrip().endswith(":")
    return bool(SECTION.match(line.text) or lettered)


def _runs_into(block: LineBlock, line: ColumnLine, pitches: Mapping[float, float]) -> bool:
    """Whether a line that looks like code, an item or a heading is the middle or end of a
    paragraph."""
    last = block.lines[-1]
    step = line.box.bottom - last.box.bottom
    pitch = pitches.get(last.style.size, 1.25 * last.box.height)
    full = last.box.right > last.column.right - 0.12 * last.column.width
    full = full or len({word.style.mono for word in line.words}) > 1
    return (
        block.kind in {"paragraph", "item"}
        and 0 < step < 1.2 * pitch
        and full
        and abs(line.box.left - last.box.left) < 2
        and not last.text.rstrip().endswith((":", "."))
        and not line.words[0].style.math
    )


def _stacked(last: ColumnLine, line: ColumnLine) -> bool:
    """Whether a line stands below another in one column, or in parts of one."""
    if line.box.bottom <= last.box.bottom:
        return False
    first, second = last.column, line.column
    shared = min(first.right, second.right) - max(first.left, second.left)
    return first == second or shared > 0.5 * min(first.width, second.width)


def _begins_paragraph(block: LineBlock, line: ColumnLine) -> bool:
    """Whether a line begins a paragraph by its indent, or after a short last line."""
    last = block.lines[-1]
    indent = line.box.left - last.box.left
    size = max(line.style.size, 1)
    if block.kind == "item":
        return line.box.left < block.lines[0].box.left + 0.3 * size and last.text.endswith(_ENDED)
    if indent > 0.8 * size and len(block.lines) >= 1:
        margin = min(item.box.left for item in block.lines)
        return line.box.left - margin > 0.8 * size and last.box.left - margin < 0.8 * size
    short = last.box.right < line.column.right - 0.22 * line.column.width
    ended = last.text.rstrip().endswith(_ENDED)
    return short and ended and line.text[:1].isupper() and len(block.lines) > 1


def _settled(block: LineBlock, styles: DocumentStyles) -> LineBlock:
    """A block of bold lines that is too long for a heading is a paragraph; one of signs and single
    letters is a part of a formula or plot, which is kept apart as code is."""
    text = joined_text(block.lines, styles)
    if block.kind == "heading" and (len(block.lines) > 4 or len(text) > 200):
        block.kind = "paragraph"
    if block.kind == "paragraph" and block.size <= styles.body + 1 and _is_debris(text):
        block.kind = "code"
    return block


_FUNCTIONS = frozenset(
    ["arg", "cos", "cov", "det", "diag", "div", "exp", "for", "if", "inf", "lim", "ln", "log",
     "max", "min", "mod", "or", "sgn", "sin", "sup", "tan", "tr", "var", "vec", "where", "and",
     "with"]
)  # fmt: skip
"""Words that stand in formulas."""
_MATH_SIGNS = re.compile(r"[=<>≤≥≈≡∼∝±×÷∑∏∫∂∇√∞∈∉⊂∪∩→⇒↦|∥⟨⟩∗∀∃♣¦ΣΠΛΩ]|\^|~")
_WORD = re.compile(r"[^\W\d_]{2,}")
_BARE_NUMBER = re.compile(r"\W*\(\d{1,3}[a-z]?\)\W*|\d{1,2}|-?\d*\.\d+")
"""The number of an equation, or of an axis."""
_LONGEST_FORMULA = 300  # ours: characters


def _is_debris(text: str) -> bool:
    """Whether a text has no words, but numbers, signs and letters of a formula, plot or matrix.

    A number alone with its unit, a year or a date says something and is none.
    """
    if len(text) > _LONGEST_FORMULA or re.search(r"[%$€£]|https?:|@", text):
        return False
    words = [word for word in _WORD.findall(text) if word.lower() not in _FUNCTIONS]
    plain = [word for word in words if len(word) > 2 and (word.islower() or word.istitle())]
    if _MATH_SIGNS.search(text):
        return len(plain) <= 1 and len("".join(plain)) < 0.35 * len(text.replace(" ", ""))
    if words:
        return False
    numbers = re.findall(r"\d+(?:[.,/]\d+)*", text)
    return len(numbers) != 1 or bool(_BARE_NUMBER.fullmatch(text))


def without_cells(
    blocks: Sequence[LineBlock], missing: Sequence[PageCaption]
) -> Sequence[LineBlock]:
    """The blocks of a page; what stands above the caption of a table that was not found, and has
    no sentences but short words and numbers, is its cells, which are kept apart as code is."""
    heads = [item.first.box for item in missing if item.caption.subject == "table"]
    for above, block in pairwise(blocks):
        words = [word.text for line in above.lines for word in line.words]
        short = sum(1 for word in words if len(word) <= _SHORT_CELL or word[0].isdigit())
        found = block.kind == "caption" and any(block.lines[0].box.top == box.top for box in heads)
        ended = above.lines[-1].text.rstrip().endswith(_ENDED)
        if found and above.kind == "paragraph" and not ended and 4 * short > len(words):
            above.kind = "code"
    return blocks


_SHORT_CELL = 2  # ours: letters of a word


def joined_pages(pages: Sequence[Sequence[LineBlock]], styles: DocumentStyles) -> list[LineBlock]:
    """The blocks of all pages; paragraphs that a column's or page's end cut are joined.

    The second part begins with a small letter, or the first ended in the middle of a sentence;
    captions, code and small print (footnotes) may stand between.
    """
    found: list[LineBlock] = []
    for blocks in pages:
        for block in blocks:
            before = _cut_off(found, block, styles)
            if before is None:
                found.append(block)
            else:
                before.lines += block.lines
    return found


def _cut_off(
    found: Sequence[LineBlock], block: LineBlock, styles: DocumentStyles
) -> LineBlock | None:
    """The block that ``block`` goes on; None if it begins one."""
    if block.kind != "paragraph" or abs(block.size - styles.body) > 1:
        return None
    for before in reversed(found[-8:]):
        if before.kind == "heading" or before.page < block.page - 1:
            return None
        if before.kind in {"caption", "code"} or before.size < styles.body - 0.8:
            continue
        if is_footnote(before.lines[0].text):
            continue
        last, first = before.lines[-1], block.lines[0]
        moved = before.page != block.page or not _stacked(last, first)
        text = last.text.rstrip()
        wide = last.box.right > last.column.right - 0.15 * last.column.width
        if before is found[-1] and first.text[:1].islower() and not text.endswith(_ENDED):
            return before
        open_end = not text.endswith(_ENDED) and wide
        goes_on = open_end and (first.text[:1].islower() or text.endswith(("-", ",")) or moved)
        return before if goes_on and (moved or before is not found[-1]) else None
    return None


def run_in_heading(line: ColumnLine) -> str:
    """The bold words with which the first line of a paragraph begins, if they are its heading and
    no mark parts them from the sentence that follows; else nothing."""
    lead = list(takewhile(lambda word: word.style.bold, line.words))
    rest = line.words[len(lead) :]
    text = joined_piece(lead).text
    if not (rest and _LEAST_LEAD <= len(lead) <= _MOST_LEAD and line.text.startswith(text)):
        return ""
    begins = text[:1].isupper() and rest[0].text[:1].isupper() and text[-1:].isalpha()
    return text if begins else ""


_LEAST_LEAD, _MOST_LEAD = 2, 8
"""Ours: words of a heading within a paragraph; one bold word may be a name."""


def plain_item(text: str) -> str:
    """A list item without its bullet; numbers stay.

    >>> plain_item("• first"), plain_item("2. second")
    ('first', '2. second')
    """
    return _LIST_BULLET.sub("", text, count=1) or text


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
