"""The lines of a PDF page in reading order (columns by recursive cuts, lines from top to bottom),
joined to paragraphs, list items, headings, code and captions.

The recursive cut along white stripes is that of Nagy, Seth and Viswanathan (1992, "A prototype
document image analysis system for technical journals"); what counts as a gutter is our own.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal

from decklab.core.geometry import Box
from decklab.documents.bylines import is_byline
from decklab.documents.drafting import read_caption
from decklab.documents.parts import is_footnote
from decklab.documents.pdf.page import PageCaption
from decklab.documents.pdf.words import CharacterStyle, LinePiece, PdfWord, joined_piece

GUTTER = 7.0
"""Ours: points; the narrowest white stripe between two columns of text."""
_NEAREST = 12
_LEAST_LINES = 3  # ours: a column has more lines than a formula or a pair of addresses
_LEAST_WIDTH = 90.0  # ours: points; narrower ones are columns of a table


@dataclass(slots=True)
class ColumnLine:
    """A line of text in one column, from left to right."""

    words: list[PdfWord]
    box: Box
    text: str
    style: CharacterStyle
    column: Box
    """All of the column, or of the part of it between two figures, in which it stands."""

    @property
    def bold(self) -> bool:
        """Whether all its words are, but for marks and numbers."""
        return all(word.style.bold for word in self.words if any(c.isalpha() for c in word.text))


@dataclass
class _Region:
    pieces: list[LinePiece]
    box: Box = field(init=False)

    def __post_init__(self) -> None:
        self.box = Box.around(piece.box for piece in self.pieces) or Box(0, 0, 0, 0)


def ordered_lines(pieces: Sequence[LinePiece]) -> list[ColumnLine]:
    """The pieces of a page as lines in reading order."""
    if not pieces:
        return []
    lines: list[ColumnLine] = []
    for region in _columns(_Region(list(pieces)), 0):
        lines += _lines_of(region)
    return lines


def _columns(region: _Region, depth: int) -> list[_Region]:
    """The columns of a region in reading order."""
    if len(region.pieces) < 2 * _LEAST_LINES or depth > 40 or not _may_have_gutter(region):
        return [region]
    gutter = _gutter(region)
    if gutter is not None:
        left = [piece for piece in region.pieces if piece.box.right <= gutter]
        right = [piece for piece in region.pieces if piece.box.right > gutter]
        return _columns(_Region(left), depth + 1) + _columns(_Region(right), depth + 1)
    level = _widest_stripe(region)
    if level is None:
        return [region]
    above = [piece for piece in region.pieces if piece.level < level]
    below = [piece for piece in region.pieces if piece.level >= level]
    parts = _columns(_Region(above), depth + 1) + _columns(_Region(below), depth + 1)
    # Stripes that parted no columns were the gaps between paragraphs.
    return [region] if all(_spans(part, region) for part in parts) else parts


def _spans(part: _Region, region: _Region) -> bool:
    return part.box.width > 0.6 * region.box.width or len(part.pieces) < _LEAST_LINES


def _may_have_gutter(region: _Region) -> bool:
    """Whether there are narrow pieces on both sides of the middle, so that cutting is worth it."""
    low, _, high, _ = region.box
    widest, reach = 0.62 * (high - low), 0.15 * (high - low)
    middle = (low + high) / 2
    ends = [(box[0], box[2]) for box in (piece.box for piece in region.pieces)]
    left = sum(1 for start, end in ends if end - start < widest and end < middle + reach)
    right = sum(1 for start, end in ends if end - start < widest and start > middle - reach)
    return left >= _LEAST_LINES and right >= _LEAST_LINES


def _gutter(region: _Region) -> float | None:
    """Where a white stripe parts the region into columns of text; None if none does."""
    for low, high in _stripes(region, lambda box: (box.left, box.right), GUTTER):
        place = (low + high) / 2
        sides = (
            [piece for piece in region.pieces if piece.box.right <= place],
            [piece for piece in region.pieces if piece.box.left >= place],
        )
        if all(_is_column(side) for side in sides):
            return place
    return None


def _is_column(side: Sequence[LinePiece]) -> bool:
    """Whether some pieces are lines of text of one width, rather than labels or cells."""
    if len({round(piece.level / 4) for piece in side}) < _LEAST_LINES:
        return False
    widths = sorted(piece.box.width for piece in side)
    typical = widths[len(widths) // 2]
    words = sorted(len(piece.words) for piece in side)[len(side) // 2]
    return typical >= _LEAST_WIDTH and words >= 3


def _widest_stripe(region: _Region) -> float | None:
    stripes = _stripes(region, lambda box: (box.top, box.bottom), 0.5)
    if not stripes:
        return None
    low, high = max(stripes, key=lambda stripe: stripe[1] - stripe[0])
    return (low + high) / 2


def _stripes(
    region: _Region, ends: Callable[[Box], tuple[float, float]], least: float
) -> list[tuple[float, float]]:
    """White stripes across the region of at least some points, widest first."""
    spans = sorted(ends(piece.box) for piece in region.pieces)
    found, reached = [], spans[0][1]
    for low, high in spans[1:]:
        if low - reached >= least:
            found.append((reached, low))
        reached = max(reached, high)
    return sorted(found, key=lambda stripe: stripe[0] - stripe[1])


def _lines_of(region: _Region) -> list[ColumnLine]:
    """The pieces of a column as lines; pieces on one level are one line."""
    rows: list[list[LinePiece]] = []
    for piece in sorted(region.pieces, key=lambda piece: (piece.level, piece.box.left)):
        row = rows[-1] if rows else None
        if row is not None and _on_line(row, piece):
            row.append(piece)
        else:
            rows.append([piece])
    return [_line(row, region.box) for row in rows]


def _on_line(row: Sequence[LinePiece], piece: LinePiece) -> bool:
    """Whether a piece overlaps one of the last of a row, which are the nearest in level."""
    for other in row[-_NEAREST:]:
        overlap = min(other.box.bottom, piece.box.bottom) - max(other.box.top, piece.box.top)
        if overlap > 0.5 * min(other.box.height, piece.box.height):
            return True
    return False


def _line(row: Sequence[LinePiece], column: Box) -> ColumnLine:
    if len(row) == 1:
        piece = row[0]
        return ColumnLine(piece.words, piece.box, piece.text, piece.style, column)
    in_order = sorted(row, key=lambda piece: piece.box.left)
    whole = joined_piece(word for piece in in_order for word in piece.words)
    return ColumnLine(whole.words, whole.box, whole.text, whole.style, column)


_BULLET_SIZES = (1.5, 7.0)
_BULLET_REACH = 30.0
"""Ours: points of a drawn bullet's sides, and between it and its text."""


def mark_drawn_bullets(lines: Sequence[ColumnLine], drawn: Sequence[Box]) -> None:
    """Put a bullet before the text of lines that have one as a small drawing, as browsers print
    lists."""
    low, high = _BULLET_SIZES
    small = [
        box
        for box in drawn
        if low <= box.width <= high
        and low <= box.height <= high
        and abs(box.width - box.height) < 0.25 * box.width
    ]
    for line in lines if small else ():
        middle = (line.box.top + line.box.bottom) / 2
        if any(
            0 < line.box.left - box.right < _BULLET_REACH
            and abs((box.top + box.bottom) / 2 - middle) < 0.3 * line.box.height
            for box in small
        ):
            line.text = f"• {line.text}"


PieceKind = Literal["heading", "paragraph", "item", "code", "caption"]
_BULLET = re.compile(r"^(?:[•●○▪■◦‣∗·➢►✓*–—-]\s+\S|[•●▪■◦‣➢►])")
_NUMBERED = re.compile(r"^(?:\(?\d{1,2}[.)]|\(?[a-z][.)]|\(?[ivx]{1,4}[.)])\s+\S")
_SECTION = re.compile(r"^(?P<number>\d{1,2}(?:\.\d{1,2}){0,4}|[A-Z](?:\.\d{1,2}){1,4})\.?\s+(?=\S)")
_LETTERED = re.compile(r"^(?P<letter>[A-Z])\.?\s+[^\Wa-z]")
"""A letter that may be the number of a section, such as an appendix, and may be a word."""
_CHAPTER = re.compile(
    r"^(?:chapter|part|appendix|kapitel|teil|anhang)\s+(?-i:\d+|[A-Z]|[IVX]+)\b", re.IGNORECASE
)
_CHAPTER_ALONE = re.compile(r"(?:chapter|part|appendix|kapitel|teil)\s+\w{1,4}", re.IGNORECASE)
_NAMED = re.compile(
    r"^(?:abstract|summary|zusammenfassung|references|bibliography|literatur|acknowledge?ments?|"
    r"introduction|conclusions?)$",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"(?:to|from|cc|date|subject|re|an|von|datum|betreff|kopie|zeichen|à|de|objet|para|asunto|fecha)"
    r"\s?:\s",
    re.IGNORECASE,
)
"""A label in the head of a memo, whose lines stay apart."""
_LEADERS = re.compile(r"(?:\.\s?){4,}\s*(?:\d+|[ivxlc]+)?$|(?:\s\.){3,}")
_ENDED = (".", "!", "?", ":", ";", ".)", ".”", '."', "。")
_CONTENTS = re.compile(
    r"^(?:table of )?contents$|^list of (?:figures|tables)$|^inhalt(?:sverzeichnis)?$",
    re.IGNORECASE,
)
_UNSPACED = re.compile("[\u2e80-\u30ff\u3400-\u9fff\uf900-\ufaff\uff01-\uff60]")
"""Chinese and Japanese characters and their marks, which no spaces part."""
_LIST_BULLET = re.compile(r"^(?:[•●○▪■◦‣∗·➢►✓*–—-]\s*)")


_CAPTION_GAP = 1.0
"""Ours: points beyond the usual distance of lines, after which a whole caption has ended."""
_CHAPTER_GAP = 5.0
"""Ours: of a line's height, between "Chapter 2" and the name of the chapter."""
_LEAST_PROSE = 80
"""Ours: characters of the paragraph below a heading on a title page."""
_LABELS = 5
"""Ours: how often the heading of a remark or warning occurs at the least."""


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


@dataclass
class DocumentStyles:
    """The font size of running text in one document, and its words with and without a hyphen."""

    body: float
    words: Counter[str] = field(default_factory=Counter)
    """How often each word with a hyphen, and each without, occurs within lines."""


def document_styles(pages: Sequence[Sequence[LinePiece]]) -> DocumentStyles:
    """The size that most characters of all pages have, and the words there are."""
    sizes: Counter[float] = Counter()
    words: Counter[str] = Counter()
    for pieces in pages:
        for piece in pieces:
            if not piece.style.mono:
                sizes[round(piece.style.size * 2) / 2] += len(piece.text)
            for word in piece.text.split():
                words[word.strip(".,;:()")] += 1
    return DocumentStyles(sizes.most_common(1)[0][0] if sizes else 10.0, words)


def page_blocks(lines: Sequence[ColumnLine], page: int, styles: DocumentStyles) -> list[LineBlock]:
    """The lines of a page in reading order as blocks; lines of a table of contents are left out."""
    kept = [line for line in lines if line.text.strip() and not _LEADERS.search(line.text)]
    pitches = _pitches(kept)
    blocks: list[LineBlock] = []
    for line in kept:
        kind = _kind(line, styles)
        last = blocks[-1] if blocks else None
        if kind in {"code", "item"} and last is not None and _runs_into(last, line, pitches):
            kind = last.kind
            last.lines.append(line)
        elif last is not None and _goes_on(last, line, kind, pitches, styles):
            last.lines.append(line)
        else:
            blocks.append(LineBlock(kind, [line], page))
    return [_settled(block, styles) for block in blocks]


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
    headed = line.style.size >= _MONO_TITLE * styles.body and _SECTION.match(line.text)
    return (mono > 0.6 * total and not headed) or (signs > 0.3 * total and plain < 3)


def _looks_like_heading(line: ColumnLine, styles: DocumentStyles) -> bool:
    text = line.text.strip()
    letters = sum(char.isalpha() for char in text)
    numbered = _SECTION.match(text)
    if letters < 2 or len(text) > 160 or line.style.math or (line.style.mono and not numbered):
        return False
    if line.style.size >= styles.body + 0.9 and line.style.size >= 1.07 * styles.body:
        return letters > 0.4 * len(text.replace(" ", ""))
    if _NAMED.match(text):
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
    number = _SECTION.match(block.lines[0].text) or _CHAPTER.match(block.lines[0].text)
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
        same = block.kind == kind and line.style.bold == last.style.bold
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
    lettered = _LETTERED.match(line.text) and not last.text.rstrip().endswith(":")
    return bool(_SECTION.match(line.text) or lettered)


def _runs_into(block: LineBlock, line: ColumnLine, pitches: Mapping[float, float]) -> bool:
    """Whether a line that looks like code or an item is the middle or end of a paragraph."""
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


def joined_text(lines: Sequence[ColumnLine], styles: DocumentStyles) -> str:
    """The text of lines, words that were parted at a line's end joined.

    The hyphen stays if the document has the word with it elsewhere and not without, and if it has
    both halves as words and not the whole one.
    """
    text = ""
    for line in lines:
        words = line.text.strip()
        if text.endswith("-") and words[:1].isalpha() and text[-2:-1].isalpha():
            before = text.rpartition(" ")[2].lstrip("(“\"'")
            after = re.split(r"[\s.,;:)]", words, maxsplit=1)[0]
            text = text + words if _keeps_hyphen(before, after, styles) else text[:-1] + words
        elif _UNSPACED.match(text[-1:]) and _UNSPACED.match(words):
            text += words
        else:
            text = f"{text} {words}" if text else words
    return text


def _keeps_hyphen(before: str, after: str, styles: DocumentStyles) -> bool:
    known, half = styles.words, before[:-1].rpartition("-")[2]
    with_hyphen, without = known[before + after], known[before[:-1] + after]
    if with_hyphen > without or not after[0].islower() or half[-2:].isupper():
        return True
    whole = min(len(half), len(after)) >= _LEAST_HALF and not without
    return whole and all(known[word] + known[word.capitalize()] for word in (half.lower(), after))


_LEAST_HALF = 3
"""Ours: letters of a word before or after a hyphen; shorter ones are syllables of others."""


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
        open_end = not text.endswith(_ENDED) and wide
        goes_on = open_end and (first.text[:1].islower() or text.endswith(("-", ",")) or moved)
        return before if goes_on and (moved or before is not found[-1]) else None
    return None


def plain_labels(blocks: Sequence[LineBlock]) -> None:
    """Headings that are none become paragraphs: labels such as "Note" that occur five times or
    more, and names and dates between the title and the first section."""
    headings = [block for block in blocks if block.kind == "heading"]
    counts = Counter(block.lines[0].text.strip().lower() for block in headings)
    depths = _depths(headings)
    for block, depth in zip(headings, depths, strict=True):
        if counts[block.lines[0].text.strip().lower()] >= _LABELS and not depth:
            block.kind = "paragraph"
    early = [block for block in headings if block.page == headings[0].page]
    first = next(
        (
            number
            for number, (block, depth) in enumerate(zip(early, depths, strict=False))
            if depth or _NAMED.match(block.lines[0].text.strip())
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
    letters = [match["letter"] if (match := _LETTERED.match(text)) else "" for text in texts]
    fonts = [_font(block) for block in headings]
    last: dict[tuple[float, bool], str] = {}  # of the number before, by font
    for at, (letter, font) in enumerate(zip(letters, fonts, strict=True)):
        if letter == "A":
            after = (other for other, its in zip(letters[at + 1 :], fonts[at + 1 :], strict=True)
                     if other and its == font)  # fmt: skip
            below = next((text for text in texts[at + 1 :] if text[:2] in ("A ", "A.")), "")
            depths[at] = int(font in last or next(after, "") == "B" or bool(_SECTION.match(below)))
        elif letter:
            depths[at] = int(last.get(font) == chr(ord(letter) - 1))
        if depths[at]:
            last[font] = texts[at][0]
    return depths


def _depth(text: str) -> int:
    number = _SECTION.match(text)
    if number:
        return number["number"].count(".") + 1
    return 1 if _CHAPTER.match(text) else 0


def plain_item(text: str) -> str:
    """A list item without its bullet; numbers stay.

    >>> plain_item("• first"), plain_item("2. second")
    ('first', '2. second')
    """
    return _LIST_BULLET.sub("", text, count=1) or text


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
