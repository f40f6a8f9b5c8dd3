"""What a tool answers: lines, words of decks marked as data, pictures, and how to get more."""

from collections.abc import Sequence
from dataclasses import dataclass

PAGE_CHARACTERS = 12_000
"""Most characters of a page of lines: some 3,000 tokens (ours)."""
_LONGEST_LINE = 600
_MARK = "deck_content"


@dataclass(frozen=True)
class Answer:
    """What a tool answers. ``told`` is decklab's own; ``content`` may hold words of a deck."""

    told: str
    content: str = ""
    pictures: tuple[bytes, ...] = ()
    """As PNG files."""
    failed: bool = False

    def text(self) -> str:
        """The whole answer; the content between marks, which nothing in it can close."""
        if not self.content:
            return self.told
        inner = self.content.replace(f"</{_MARK}", f"<\\/{_MARK}")
        return f"{self.told}\n<{_MARK}>\n{inner}\n</{_MARK}>".lstrip()


@dataclass(frozen=True)
class LinePage:
    """A part of a list of lines: from which line to which, of how many."""

    lines: tuple[str, ...]
    first: int
    count: int

    @property
    def more(self) -> str:
        """How to ask for the lines behind the page; empty where there are none."""
        end = self.first + len(self.lines)
        if end > self.count:
            return ""
        return f"{self.count - end + 1} more of {self.count}: ask again with first={end}."


def line_page(lines: Sequence[str], first: int = 1, *, most: int = 60) -> LinePage:
    """The lines from the ``first``, counted from 1, that fit an answer; a line is cut where it is
    very long.

    >>> line_page(["a", "b", "c"], 2, most=1).more
    '1 more of 3: ask again with first=3.'
    """
    kept, room = list[str](), PAGE_CHARACTERS
    for line in lines[first - 1 : first - 1 + most]:
        short = line if len(line) <= _LONGEST_LINE else f"{line[: _LONGEST_LINE - 1]}…"
        room -= len(short) + 1
        if room < 0:
            break
        kept.append(short)
    return LinePage(tuple(kept), first, len(lines))


def listed(told: str, lines: Sequence[str], first: int = 1, *, most: int = 60) -> Answer:
    """An answer of lines that hold words of a deck, with the number of those left out."""
    shown = line_page(lines, first, most=most)
    beyond = (
        f"There are only {len(lines)}, so none from {first} on." if first > len(lines) > 0 else ""
    )
    head = "\n".join(line for line in (told, shown.more, beyond) if line)
    return Answer(head, "\n".join(shown.lines))


def sliced(told: str, text: str, start: int) -> Answer:
    """An answer of the characters of a long text from ``start``, counted from 0."""
    end = start + PAGE_CHARACTERS
    rest = (
        f"{len(text) - end:,} more characters: ask again with start={end}."
        if end < len(text)
        else ""
    )
    if start and start >= len(text):
        rest = f"It has only {len(text):,} characters."
    return Answer("\n".join(line for line in (told, rest) if line), text[start:end])
