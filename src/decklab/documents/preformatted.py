"""Lines of plain text whose places mean something: code, drawings, tables and lists of terms, told
from prose. The rules are ours."""

import re
from collections.abc import Sequence
from typing import Final

_PLAIN = re.compile(
    r"[\"'“‘(\[`*_<]*[^\W\d_]+(?:['’–/-][^\W\d_]+)*(?:\(\w{1,2}\))?[\"'”’)\]`*_>]*[.,;:!?…]*[\"'”’)]*"
)
"""A word as prose has it, with its marks."""
_NUMBER = re.compile(
    r"[(\[$€£~-]?\d[\d.,:%/–-]*[)\]]?[.,;:!?]*|[–—&-]|[(\[]?[A-Z]{2,}\d{1,2}[)\]]?[.,;:!?]*"
)
"""A number, a dash, or an abbreviation with a number such as RAID10."""
_UNSPACED = re.compile(r"[\u2e80-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_REMARK = re.compile(r"\s*(?:[#%>]\s*(?=\D)|\$ \s*|//|/\*|#!|(?:https?|ftp)://|[\w.-]+@)(?=\S)")
"""Marks with which lines of code, commands and addresses begin."""
_SIGNS = re.compile(r"[{}<>|\\$=;^&*]|\w/|\A-{1,2}\w|\A['\"]\W")
_DRAWN = re.compile(r"[\u2500-\u259f]|\+-{2,}|-{2,}\+|-{2,}>|<-{2,}|=>|\|\s*\|")
_GAP = re.compile(r"\S(?:[ ]{3,}|\t+)\S")
_RULED = re.compile(r"[ \t]*[|+]?[-=+|: \t]*(?:--|==)[-=+|: \t]*\Z")
_COLUMN_RULE = re.compile(r"[ \t]*[-=]{3,}(?:[ \t]{2,}[-=]{3,})+[ \t]*\Z")
_RULE = re.compile(r"[-=]{3,}")
_HYPHEN = re.compile(r"(?<=[a-zß-ÿ])- (?=[a-zß-ÿ]{3,})")
_BARRED = re.compile(r"[ \t]*\|.*\|[ \t]*\Z")
_CELLS = re.compile(r"[ \t]*\|[ \t]*|\t+|[ ]{2,}")
_ARROW = re.compile(r"\^|[-=]{2,}>|<[-=]{2,}")
"""A part of a drawing, which no table has for a cell."""
_CODED = re.compile(r"[{}\\;]|\"/|/:|\w=\w")
_MARKER = re.compile(r"[-*•‣·–+]|\(?\w{1,3}[.)]|\d{1,2}(?:\.\d{1,2})+\.?")
"""The bullet or number of an item or section, which is no cell."""
_SENTENCE = re.compile(r"[.!?:]['\"”’)\]]*\Z")
_LEAST_WORDS: Final = 6
_LONGEST_CELL: Final = 8
_LONGEST_VALUE: Final = 4
"""Ours: words of a line that may be prose without a full stop, and of a cell, and of a number with
its unit, at the most."""


def is_prose(lines: Sequence[str]) -> bool:
    """Whether lines are sentences: nearly all their words are plain, and few begin as code does.

    A short line is prose if it is one sentence.

    >>> is_prose(["Sed could also print", "it all."]), is_prose(["sed G myfile >newfile"])
    (True, False)
    """
    text = " ".join(lines)
    if _UNSPACED.search(text):
        return True
    if 2 * sum(1 for line in lines if _REMARK.match(line)) >= len(lines):
        return False
    if len(text.split()) < _LEAST_WORDS:
        whole = text.strip()[0].isupper() and _SENTENCE.search(text) is not None
        return whole and plain_share(text) >= 0.6 and not _SIGNS.search(text)
    return plain_share(text) >= 0.75


def plain_share(text: str) -> float:
    """The share of words that are words and numbers as prose has them, from 0 to 1; 1 of no word.

    >>> plain_share("such as these, and 3 more"), plain_share("glm() fits x_1")
    (1.0, 0.3333333333333333)
    """
    words = text.split()
    plain = sum(1 for word in words if _PLAIN.fullmatch(word) or _NUMBER.fullmatch(word))
    return plain / len(words) if words else 1.0


def is_plain(line: str) -> bool:
    """Whether all words of a line are words and numbers as prose has them.

    >>> is_plain("such as these, and 3 more"), is_plain("if error_message then finish")
    (True, False)
    """
    return plain_share(line) == 1.0


def is_code(lines: Sequence[str]) -> bool:
    """Whether lines are code wherever they stand: each begins with a prompt, the mark of a remark
    or an address, or the first does and the others are no prose, or half of their words are signs.
    """
    if _REMARK.match(lines[0]) and (all(map(_REMARK.match, lines)) or not is_prose(lines)):
        return True
    words = " ".join(lines).split()
    signs = sum(1 for word in words if _SIGNS.search(word))
    return len(words) > 2 and 2 * signs >= len(words) and not lines[0].strip()[:1].isupper()


def is_preformatted(lines: Sequence[str]) -> bool:
    """Whether lines are a drawing, or have wide gaps inside, as columns have."""
    drawn = sum(1 for line in lines if _DRAWN.search(line))
    gaps = sum(1 for line in lines if _GAP.search(line.strip()))
    return 2 * drawn > len(lines) or gaps >= 0.6 * len(lines)


def table_rows(lines: Sequence[str]) -> list[list[str]]:
    """The cells of lines that are a table: lines between bars, or three rows or more with as many
    cells and numbers in one column; else nothing."""
    headed = len(lines) > 1 and _COLUMN_RULE.match(lines[1]) is not None
    lines = _unwrapped(lines) if headed else lines
    written = [line.strip() for line in lines if not _RULED.match(line)]
    if len(written) > 1 and all(_BARRED.match(line) for line in written):
        rows = [[cell.strip() for cell in line.strip("| ").split("|")] for line in written]
        return rows if len(rows[0]) > 1 and len({len(row) for row in rows}) == 1 else []
    rows = [_CELLS.split(line) for line in written]
    if len(rows) > 2 and len(rows[-1]) == len(rows[0]) - 1 and all(map(_is_value, rows[-1])):
        rows[-1].insert(0, "")  # sums below a line
    counts = {len(row) for row in rows}
    drawn = any(_ARROW.fullmatch(cell) for row in rows for cell in row)
    if drawn or len(rows) < 3 or len(counts) != 1 or counts == {1}:
        return []
    columns = list(zip(*rows[1:], strict=True))
    if any(all(map(_MARKER.fullmatch, column)) for column in columns[:1]):
        return []
    numeric = any(all(map(_is_value, column)) for column in columns[1:])
    prose = any(
        len(cell.split()) > _LONGEST_CELL or _CODED.search(cell) for row in rows for cell in row
    )
    return rows if headed or ((numeric or len(columns) > 2) and not prose) else []


def _unwrapped(lines: Sequence[str]) -> list[str]:
    """Lines below headings that are underlined column by column, with what stands below a last
    cell alone as the end of that."""
    column = max((found.start() for found in _RULE.finditer(lines[1])), default=0)
    whole: list[str] = []
    for line in lines:
        alone = not line[:column].strip() and not _RULED.match(line)
        if len(whole) > 2 and alone:
            whole[-1] = f"{whole[-1].rstrip()} {line.strip()}"
            whole[-1] = _HYPHEN.sub("", whole[-1])
        else:
            whole.append(line)
    return whole


def _is_value(cell: str) -> bool:
    return any(map(str.isdigit, cell)) and len(cell.split()) <= _LONGEST_VALUE
