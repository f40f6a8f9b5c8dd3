"""Markdown and plain text by rules of a few lines."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from bench.story.source import Source

ITEM: Final = re.compile(r"^\s*(?:[-*+•–·▪◦]|\(?\d{1,2}[.)]|\(?[a-z][.)])\s+(?=\S)")
CAPTION: Final = re.compile(
    r"^\W*(?:(figure|fig\.|table|abbildung|abb\.|tabelle|figura|tabla)\s*\d+\s*[.:|—–-]\s*"
    r"|([图表])\s*\d+\s*[：:.、]?\s*)",
    re.IGNORECASE,
)
_TABLES: Final = ("table", "tabelle", "tabla", "表")
_ATX: Final = re.compile(r"^ {0,3}(#{1,6})\s+(.+?)\s*#*\s*$")
_UNDERLINE: Final = re.compile(r"^\s*(={3,}|-{3,}|~{3,})\s*$")
_RULE_ROW: Final = re.compile(r"^\s*\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)*\|?\s*$")
_NUMBERED: Final = re.compile(
    r"^(\d{1,2}(?:\.\d{1,2})*)\.?\s+(?=[A-ZÄÖÜ\u4e00-\u9fff])|^[一二三四五六七八九十]+、"
)
_PICTURE: Final = re.compile(r"!\[([^\]]*)\]\(([^)\s]+)[^)]*\)")
_STOPS: Final = (".", ":", ";", ",", "!", "?", "。", "，", "；", "：")


def is_markdown(text: str) -> bool:
    """Whether a text has headings, fences or the rules of tables as Markdown writes them."""
    lines = text.splitlines()
    marks = sum(line.startswith("#") and bool(_ATX.match(line)) for line in lines)
    ruled = any("|" in line and _RULE_ROW.match(line) for line in lines)
    return marks > 1 or ruled or any(line.startswith("```") for line in lines)


def read_markdown(text: str, folder: Path) -> Source:
    """A document in Markdown; pictures are looked for in ``folder``."""
    source = Source()
    lines = re.sub(r"\A---\n.*?\n---\n", "", text, flags=re.DOTALL).splitlines()
    paragraph: list[str] = []
    fenced = False
    for i, line in enumerate(lines):
        following = lines[i + 1] if i + 1 < len(lines) else ""
        if re.match(r"^\s*(```|~~~)", line):
            fenced = not fenced
            _flush(source, paragraph)
        elif fenced or _UNDERLINE.match(line) or ("|" in line and _RULE_ROW.match(line)):
            continue
        elif heading := _ATX.match(line):
            _flush(source, paragraph)
            source.heading(plain(heading[2]), len(heading[1]))
        elif line.strip() and not paragraph and re.match(r"^(=+|-+)\s*$", following):
            source.heading(plain(line), 1 if following.startswith("=") else 2)
        elif _in_table(lines, i):
            _flush(source, paragraph)
            if "|" in following and _RULE_ROW.match(following):
                source.table(_pipe_table(lines, i))
        else:
            _prose(source, paragraph, line, folder)
    _flush(source, paragraph)
    return source


def plain(text: str) -> str:
    """A line of Markdown without its marks: emphasis, links, code, footnotes, HTML."""
    text = re.sub(r"\[\^[^\]]+\]:?", "", text)
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"</?[a-zA-Z][^>]*>", "", text)
    text = re.sub(r"(\*\*|__|`)(.+?)\1", r"\2", text)
    return re.sub(r"(?<!\w)([*_])(\S.*?)\1(?!\w)", r"\2", text).replace("\\", "")


def of_table(caption: re.Match[str]) -> bool:
    """Whether what ``CAPTION`` matched is the caption of a table."""
    return (caption[1] or caption[2]).lower() in _TABLES


def read_text(text: str) -> Source:
    """A plain text: underlined, numbered, capital or short lines are headings."""
    source = Source()
    lines = text.expandtabs().splitlines()
    paragraph: list[str] = []
    skip = 0
    for i, line in enumerate(lines):
        if i < skip or _UNDERLINE.match(line):
            continue
        level = heading_level(lines, i)
        if level:
            _flush(source, paragraph)
            source.heading(_NUMBERED.sub("", line.strip()) or line, level)
        elif skip := _columns_end(lines, i):
            _flush(source, paragraph)
            source.table(re.split(r"\s{2,}", row.strip()) for row in lines[i:skip])
        else:
            _prose(source, paragraph, line, None)
    _flush(source, paragraph)
    return source


def heading_level(lines: Sequence[str], i: int) -> int:
    """The level of the heading in line ``i`` of a plain text, from 1; 0 for no heading."""
    line, text = lines[i], lines[i].strip()
    before = lines[i - 1].strip() if i else ""
    after = lines[i + 1].strip() if i + 1 < len(lines) else ""
    if not text or len(text) > 80 or not any(mark.isalpha() for mark in text):
        return 0
    if _UNDERLINE.match(after) and len(after) >= len(text) // 2:
        return 1 if after.startswith("=") else 2
    apart = not before or before.endswith(_STOPS) or bool(_UNDERLINE.match(before))
    number = _NUMBERED.match(text)
    if number and not _NUMBERED.match(after) and _heads(lines, i, apart):
        return 1 + (number[1] or "").count(".")
    if text.endswith(_STOPS) or ITEM.match(line) or re.search(r"\S\s{2,}\S", text):
        return 0
    if sum(mark.isupper() for mark in text) >= 4 and text.upper() == text and apart:
        return 1
    short = len(text) <= 60 and len(text.split()) <= 9 and text[0].isupper() and text[-1].isalnum()
    below = len(after) > 50 if before else len(after) > 40 or not after
    return 2 if short and apart and below and not line.startswith(" ") else 0


def _heads(lines: Sequence[str], i: int, apart: bool) -> bool:
    """Whether a numbered line is a heading and no list item: it is whole, and apart or short."""
    text, after = lines[i].strip(), lines[i + 1] if i + 1 < len(lines) else ""
    whole = not re.search(r"[.:;,!。；：，]$|[.;]\s\S", _NUMBERED.sub("", text))
    goes_on = after.startswith("  ") or after[:1].islower()
    return whole and not goes_on and (apart or (len(text) <= 50 and len(after) > 40))


def _prose(source: Source, paragraph: list[str], line: str, folder: Path | None) -> None:
    """Take a line of prose; ``folder`` is None for plain text, which has no marks."""
    text = line if folder is None else _take_pictures(source, line, folder)
    caption = CAPTION.match(text.strip())
    if not text.strip():
        _flush(source, paragraph)
    elif caption and not paragraph:
        if not of_table(caption) and text is line:
            source.caption(plain(text.strip()[caption.end() :]))
    elif item := ITEM.match(text):
        _flush(source, paragraph)
        paragraph.append(text[item.end() :])
    else:
        paragraph.append(re.sub(r"^\s*>+\s?", "", text) if folder else text.strip())


def _take_pictures(source: Source, line: str, folder: Path) -> str:
    for alt, name in _PICTURE.findall(line):
        path = folder / name
        picture = path.read_bytes() if path.is_file() else None
        source.figure(CAPTION.sub("", plain(alt)), picture)
    return _PICTURE.sub("", line)


def _flush(source: Source, paragraph: list[str]) -> None:
    if paragraph:
        joined = re.sub(r"(?<=[a-zäöüß])-\n(?=[a-zäöüß])", "", "\n".join(paragraph))
        source.paragraph(plain(joined.replace("\n", " ")))
        paragraph.clear()


def _in_table(lines: Sequence[str], i: int) -> bool:
    """Whether line ``i`` belongs to a run of lines with bars that has a rule as its second."""
    first = i
    while first > 0 and "|" in lines[first - 1] and lines[first - 1].strip():
        first -= 1
    ruled = first + 1 < len(lines) and "|" in lines[first + 1]
    return "|" in lines[i] and ruled and bool(_RULE_ROW.match(lines[first + 1]))


def _pipe_table(lines: Sequence[str], i: int) -> list[list[str]]:
    rows = []
    while i < len(lines) and "|" in lines[i] and lines[i].strip():
        if not _RULE_ROW.match(lines[i]):
            cells = re.split(r"(?<!\\)\|", lines[i].strip().strip("|"))
            rows.append([plain(cell).strip() for cell in cells])
        i += 1
    return rows


def _columns_end(lines: Sequence[str], i: int) -> int:
    """Past the end of a table set with spaces that begins in line ``i``; 0 where none does.

    Two columns are a table if the last holds numbers; else they may be words with their meanings.
    """
    rows: list[list[str]] = []
    while i < len(lines) and len(cells := re.split(r"\s{2,}", lines[i].strip())) > 1:
        rows.append(cells)
        i += 1
    if len(rows) < 3 or len({len(cells) for cells in rows}) > 1:
        return 0
    values = sum(bool(re.match(r"\W*\d", cells[-1])) for cells in rows)
    return i if len(rows[0]) > 2 or values * 2 > len(rows) else 0
