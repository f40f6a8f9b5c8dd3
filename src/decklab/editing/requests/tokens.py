"""A request as words, marks and quoted texts."""

import re
from dataclasses import dataclass

_QUOTED = (
    r"(?<!\w)(?:\"(?P<q1>[^\"]*)\"|“(?P<q2>[^”]*)”|‘(?P<q3>(?:[^’]|’(?=\w))*)’(?!\w)"
    r"|'(?P<q4>(?:[^']|(?<=\w)'(?=\w))*)'(?!\w)|`(?P<q5>[^`]*)`|«(?P<q6>[^»]*)»)"
)
_TOKEN = re.compile(
    rf"{_QUOTED}|(?P<address>(?:https?|ftp|mailto|file|tel):[^\s;]*[^\s;,.!?])|(?P<hex>\#\w+)"
    r"|(?P<owner>(?<=\w)['’]s\b)|(?P<number>[-+]?[€$£]?\d(?:[\w.,/%:–-]*[\w%])?)"
    r"|(?P<word>[^\W\d_](?:['’](?!s\b)\w|[\w\-/&+.@](?=[\w+])|\w)*\+*)|(?P<mark>\S)"
)
_PAIRS = ("'", "'"), ('"', '"'), ("“", "”"), ("‘", "’"), ("`", "`"), ("«", "»")


@dataclass(frozen=True)
class Token:
    """A word, number, mark or quoted text."""

    kind: str
    """``quoted``, ``address``, ``hex``, ``owner`` (the ``'s`` of a possessive), ``number``,
    ``word`` or ``mark``."""
    text: str
    """As it is written; of a quoted text what the quotes enclose."""
    start: int
    """Where it begins in the request, in characters."""
    end: int

    @property
    def low(self) -> str:
        """The word in small letters; empty for a quoted text, which is never a word of a form."""
        return "" if self.kind == "quoted" else self.text.lower().replace("’", "'")


def tokens_of(text: str) -> tuple[Token, ...]:
    """The words of a request.

    >>> [token.text for token in tokens_of("set slide 4's title to 'It is so'")]
    ['set', 'slide', '4', "'s", 'title', 'to', 'It is so']
    """
    return tuple(_token(match) for match in _TOKEN.finditer(text))


def _token(match: re.Match[str]) -> Token:
    kind = match.lastgroup or "mark"
    name = "quoted" if kind[1:].isdigit() else kind
    return Token(name, match[kind], match.start(), match.end())


def quoted(text: str) -> str:
    """A text in quotes that ``tokens_of`` reads as this text.

    Where it holds quotes of every kind, those that end it too early become typographic ones.
    """
    for start, end in _PAIRS:
        written = f"{start}{text}{end}"
        read = tokens_of(written)
        if len(read) == 1 and read[0].kind == "quoted" and read[0].text == text:
            return written
    return f'"{text.replace(chr(34), "”")}"'
