"""Looking up a quote in its source by program: the same words, whatever became of the line breaks.

Spaces, hyphens at line ends, ligatures, and the shapes of quotation marks and dashes may differ;
words, digits and their order may not.
"""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field

_MARKS = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u201a\u2032\u00b4`", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u00ab\u00bb\u2033", '"'),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-"),
        **dict.fromkeys("\u00ad\u200b\u200c\u200d\ufeff", ""),
    }
)
_HYPHEN = re.compile(r"(?<=[^\W\d_])-\s*(?=[^\W\d_])")


def plain_words(text: str) -> str:
    """A text as quotes are compared: NFKC (which parts ligatures), plain marks, single spaces,
    and no hyphen between two letters, which may be one of a line's end.

    >>> plain_words("the “ﬁrst” evalu-\\nation,  well-known")
    'the "first" evaluation, wellknown'
    """
    plain = unicodedata.normalize("NFKC", text.translate(_MARKS))
    return " ".join(_HYPHEN.sub("", plain.translate(_MARKS)).split())


@dataclass(frozen=True)
class SearchableText:
    """Pieces of text made ready for looking up quotes, which may run over several of them."""

    pieces: Sequence[str]
    text: str = field(init=False)
    starts: list[int] = field(init=False)

    def __post_init__(self) -> None:
        text, starts = "", []
        parts = []
        place = 0
        for piece in self.pieces:
            starts.append(place)
            plain = plain_words(piece)
            parts.append(plain)
            place += len(plain) + 1 if plain else 0
        text = " ".join(part for part in parts if part)
        object.__setattr__(self, "text", text)
        object.__setattr__(self, "starts", starts)

    def find(self, quote: str) -> int | None:
        """The number of the piece in which a quote begins; None if it is not in the text.

        A quote begins and ends with whole words and whole numbers: "5 %" is not in "1.5 %".
        """
        wanted = plain_words(quote)
        if not any(char.isalnum() for char in wanted):
            return None
        place = self.text.find(wanted)
        while place >= 0:
            if _whole_words(self.text, place, place + len(wanted)):
                return bisect_right(self.starts, place) - 1
            place = self.text.find(wanted, place + 1)
        return None


def _whole_words(text: str, start: int, end: int) -> bool:
    """Whether no word and no number runs on past either end of ``text[start:end]``."""
    before, after = text[max(0, start - 2) : start], text[end : end + 2]
    first, last = text[start], text[end - 1]
    if first.isalnum() and before[-1:].isalnum():
        return False
    if first.isdigit() and re.search(r"\d[.,]$|(?:^|[^\w)])[-.]$", before):
        return False
    if last.isalnum() and after[:1].isalnum():
        return False
    return not (last.isdigit() and re.match(r"[.,]\d", after))
