"""Additions of Marp, Slidev and Pandoc to Markdown, written as CommonMark with comments.

Every line stays the line that it was, so that what is told names the line of the file. Code and
comments stay as they are.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from decklab.board.formulas import LOWERED, RAISED

_DIV = re.compile(r"\s*(?::{3,}\s*(.*?)\s*:*|::(right|left)::)\s*\Z")
_FENCE = re.compile(r"\s{0,3}(`{3,}|~{3,})")
_RULE = re.compile(r"\s*-{2,}(?:\s+-{2,})+\s*\Z")
"""The line of dashes below the headings of a simple table (Pandoc)."""
_CAPTION = re.compile(r"(?:Table)?:\s+(?=\S)")
_TASK = re.compile(r"(\s*[-*+]\s+)\[([ xX])\]\s+")
_FOOTNOTE = re.compile(r"\[\^([^\]\s]+)\]:\s+(\S.*)")
_REFERENCE = re.compile(r"(?<!\\)(?:\[\^([^\]\s]+)\](?!:)|\^\[([^\[\]]+)\])")
_DISPLAY = re.compile(r"(\s*)\$\$(?:\s*\{[\d|,a-z-]+\})?(.*)\Z")
_SIZED = re.compile(r"!\[([^\]]*)\](\([^()]*\))\{([^{}]*)\}")
"""A picture with attributes (Pandoc)."""
_RANGE = re.compile(r"(?<=\d)--(?=\d)")
_LENGTH = re.compile(r"\b(width|height)\s*=\s*\"?([\d.]+(?:%|px|in|cm|mm)?)")
_SPAN = re.compile(r"(?<!\])\[([^\[\]]+)\]\{([^{}]*)\}")
"""Words with attributes (Pandoc)."""
_DEFINED = re.compile(r"[:~]\s{1,3}(?=\S)")
_LETTERED = re.compile(r"(\s{2,})\(?[a-z][.)]\s+(?=\S)")
_BOX = re.compile(r"\s*(?:</?div\b[^>]*>\s*)+\Z", re.IGNORECASE)
_BOX_TAG = re.compile(r"<(/?)div\b([^>]*)>", re.IGNORECASE)
_SIDE_BY_SIDE = re.compile(
    r"\b(?:grid|col(?:umn)?s|flex|two-?col\w*|split)\b|\bgrid-cols", re.IGNORECASE
)
_VERBATIM = re.compile(r"(`+[^`]*`+|\$\$.*?\$\$|\$(?=\S)[^$]*[^\s$]\$(?!\d))")
_LOWERED = re.compile(r"(?<![\\~])~([^~\s]{1,9})~(?!~)")
_RAISED = re.compile(r"(?<!\\)\^([^^\s]{1,9})\^")


def common_lines(lines: Sequence[str]) -> list[str]:
    """The lines with ``:::`` and ``::right::`` as comments, simple tables with bars, footnotes as
    sources of their slides, tasks with boxes, raised and lowered digits as such.

    >>> common_lines(["- [x] CO~2~ fell[^1]", "", "[^1]: Ruiz 2026"])
    ['- ☑ CO₂ fell¹<!-- source: ¹ Ruiz 2026 -->', '', '']
    """
    lines = list(_without_boxes(list(_without_divs(lines))))
    _join_formulas(lines)
    verbatim = list(_verbatim(lines))
    notes = dict(_take_footnotes(lines, verbatim))
    _bar_tables(lines, verbatim)
    _list_definitions(lines, verbatim)
    return [
        line if kept else _common(line, notes) for line, kept in zip(lines, verbatim, strict=True)
    ]


def _common(line: str, notes: dict[str, str]) -> str:
    """A line of text in CommonMark; code and formulas in it stay as they are."""
    line = _TASK.sub(lambda task: f"{task[1]}{'☐' if task[2] == ' ' else '☑'} ", line)
    line = _SIZED.sub(_sized, line)
    line = _LETTERED.sub(r"\g<1>1. ", line)
    return "".join(
        piece if piece.startswith(("`", "$")) else _common_text(piece, notes)
        for piece in _VERBATIM.split(line)
    )


def _common_text(text: str, notes: dict[str, str]) -> str:
    text = _SPAN.sub(_with_element, _RANGE.sub("–", text))
    text = _LOWERED.sub(lambda part: _shifted(part, LOWERED, "sub"), text)
    text = _REFERENCE.sub(lambda mark: _footnote(mark, notes), text)
    return _RAISED.sub(lambda part: _shifted(part, RAISED, "sup"), text)


def _sized(picture: re.Match[str]) -> str:
    """A picture with its size among its words, as Marp has it."""
    sizes = [f"{name[0]}:{length}" for name, length in _LENGTH.findall(picture[3])]
    return f"![{' '.join(filter(None, (picture[1], *sizes)))}]{picture[2]}"


def _with_element(words: re.Match[str]) -> str:
    """Words with attributes as the element of HTML that means the same, or alone."""
    names = {"underline": "u", "ul": "u", "mark": "mark"}
    element = next((names[name] for name in names if f".{name}" in words[2].split()), "")
    return f"<{element}>{words[1]}</{element}>" if element else words[1]


def _shifted(part: re.Match[str], table: dict[int, int], element: str) -> str:
    """Raised or lowered characters as such, if there are such of all of them; else marked."""
    if set(map(ord, part[1])) <= set(table):
        return part[1].translate(table)
    return f"<{element}>{part[1]}</{element}>"


def _footnote(mark: re.Match[str], notes: dict[str, str]) -> str:
    """The number of a footnote and its text as a source; an unknown mark stays."""
    text = mark[2] or notes.get(mark[1], "")
    if not text:
        return mark[0]
    key = mark[1] or mark[2]
    if key not in notes:
        notes[key] = text
    number = str(list(notes).index(key) + 1).translate(RAISED)
    return f"{number}<!-- source: {number} {text} -->"


def _take_footnotes(lines: list[str], verbatim: Sequence[bool]) -> Iterator[tuple[str, str]]:
    """The footnotes of the text by their marks; their lines are left empty."""
    for at, line in enumerate(lines):
        footnote = None if verbatim[at] else _FOOTNOTE.match(line)
        if footnote:
            texts, lines[at] = [footnote[2].strip()], ""
            further = at + 1
            while further < len(lines) and lines[further].startswith(("    ", "\t")):
                texts.append(lines[further].strip())
                lines[further] = ""
                further += 1
            yield footnote[1], " ".join(texts)


def _without_boxes(lines: Sequence[str]) -> Iterator[str]:
    """The lines with boxes of HTML side by side as columns; other boxes are left out."""
    verbatim = list(_verbatim(lines))
    boxes: list[tuple[bool, bool]] = []
    for at, (line, kept) in enumerate(zip(lines, verbatim, strict=True)):
        tags = _BOX_TAG.findall(line) if _BOX.match(line) and not kept else []
        beside = [row for row in lines[max(at - 1, 0) : at + 2] if row is not line]
        parts = [not row.strip() or bool(_BOX.match(row)) for row in beside or [""]]
        around = not tags or (parts[0] if tags[0][0] else parts[-1])
        begins, left_out = False, bool(tags) and around
        for closing, attributes in tags:
            if closing:
                left_out = left_out and (boxes.pop()[0] if boxes else True)
            else:
                begins = begins or (bool(boxes) and boxes[-1][1])
                boxes.append((left_out, bool(_SIDE_BY_SIDE.search(attributes))))
        yield line if not left_out else "<!-- column -->" if begins else ""


def _list_definitions(lines: list[str], verbatim: Sequence[bool]) -> None:
    """Write terms with their definitions on the lines below as points (Pandoc)."""
    for at in range(1, len(lines)):
        if verbatim[at] or not _DEFINED.match(lines[at]):
            continue
        term = at - 1 if lines[at - 1].strip() else at - 2
        if term < 0 or not lines[term].strip() or lines[term].lstrip()[:1] in "|#>-*+<:!":
            continue
        lines[term] = f"- **{lines[term].strip()}**:"
        lines[term + 1 : at] = [""] * (at - term - 1)
        lines[at] = f"  {_DEFINED.sub('', lines[at])}"


def _join_formulas(lines: list[str]) -> None:
    """Write formulas between lines of ``$$`` on one line; steps of Slidev are left out."""
    verbatim = list(_verbatim(lines))
    at = 0
    while at < len(lines):
        begin = None if verbatim[at] else _DISPLAY.match(lines[at])
        end = at
        if begin and "$$" not in begin[2]:
            later = range(at + 1, len(lines))
            end = next((row for row in later if "$$" in lines[row]), at)
        if begin and end > at:
            inner = [begin[2], *lines[at + 1 : end], lines[end].partition("$$")[0]]
            after = lines[end].partition("$$")[2]
            lines[at] = f"{begin[1]}$${' '.join(' '.join(inner).split())}$${after}"
            lines[at + 1 : end + 1] = [""] * (end - at)
        at = end + 1


def _bar_tables(lines: list[str], verbatim: Sequence[bool]) -> None:
    """Write simple tables (headings, dashes, rows) with bars; a caption becomes a paragraph."""
    for at in range(1, len(lines)):
        above = next((row for row in reversed(lines[max(at - 2, 0) : at]) if row.strip()), "")
        if not verbatim[at] and above.lstrip().startswith("|"):
            lines[at] = _CAPTION.sub("", lines[at], count=1)
    for at in range(1, len(lines) - 1):
        if verbatim[at] or not _RULE.match(lines[at]) or not lines[at - 1].strip():
            continue
        spans = [group.span() for group in re.finditer(r"-+", lines[at])]
        end = at + 1
        while end < len(lines) and lines[end].strip() and not _RULE.match(lines[end]):
            end += 1
        if end == at + 1:
            continue
        right = [
            lines[at - 1][:stop].rstrip() == lines[at - 1][:stop] != ""
            and lines[at - 1][start : start + 1].isspace()
            for start, stop in spans
        ]
        for row in (at - 1, *range(at + 1, end)):
            lines[row] = f"| {' | '.join(_cells(lines[row], spans))} |"
        lines[at] = f"|{'|'.join('---:' if flush else '---' for flush in right)}|"
        if end < len(lines) and _RULE.match(lines[end]):
            lines[end] = ""
        caption = next((row for row in range(end, len(lines)) if lines[row].strip()), None)
        if caption is not None and caption <= end + 1:
            lines[caption] = _CAPTION.sub("", lines[caption], count=1)


def _cells(line: str, spans: Sequence[tuple[int, int]]) -> list[str]:
    """The cells of a row above or below dashes; text may be longer than the dashes."""
    edges = [0, *((left[1] + right[0]) // 2 for left, right in pairwise(spans)), len(line)]
    return [line[start:stop].strip().replace("|", r"\|") for start, stop in pairwise(edges)]


def _verbatim(lines: Sequence[str]) -> Iterator[bool]:
    """Whether each line is code or part of a comment of several lines."""
    fence, comment = "", False
    for line in lines:
        mark = None if comment else _FENCE.match(line)
        if mark and (not fence or line.strip().startswith(fence)):
            fence = "" if fence else mark[1]
            yield True
            continue
        before = comment
        if not fence:
            comment = _comment_open(line, comment)
        yield bool(fence) or before or comment


def _without_divs(lines: Sequence[str]) -> Iterator[str]:
    """The lines with ``:::`` of Pandoc and ``::right::`` of Slidev as comments of one line.

    Lines of notes between ``::: notes`` and ``:::`` become one comment over as many lines.
    """
    fence, comment, notes = "", False, False
    for line in lines:
        mark = _FENCE.match(line)
        if not comment and mark and (not fence or line.strip().startswith(fence)):
            fence = "" if fence else mark[1]
        div = None if fence or comment else _DIV.match(line)
        if notes and line.strip().startswith(":::"):
            notes = False
            yield "-->"
        elif div is None or notes:
            if not fence and not notes:
                comment = _comment_open(line, comment)
            yield line
        elif "notes" in (div[1] or ""):
            notes = True
            yield "<!-- notes:"
        elif div[2] or re.search(r"\bcolumn\b", div[1] or ""):
            yield "<!-- column -->"
        else:
            yield ""


def _comment_open(line: str, inside: bool) -> bool:
    """Whether a comment is open at the end of a line."""
    begin, end = line.rfind("<!--"), line.rfind("-->")
    if begin < 0 and end < 0:
        return inside
    return begin > end
