"""Numbers in English words as digits."""

import re
from typing import Final

ONES: Final = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen",
    "nineteen",
)  # fmt: skip
_TENS: Final = (
    "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
)  # fmt: skip
SCALES: Final = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9}
SMALL: Final = {word: value for value, word in enumerate(ONES)} | {
    word: 10 * value for value, word in enumerate(_TENS, start=2)
}
_SCALE: Final = rf"(?:{'|'.join(SCALES)})"
_WORD: Final = rf"(?:{'|'.join(SMALL)})"
SPELLED: Final = re.compile(
    rf"\b(?:an?\s(?={_SCALE}\b){_SCALE}|{_WORD}\b)"
    rf"(?:[\s-](?:{_WORD}|{_SCALE})\b|(?<=d)\sand\s{_WORD}\b)*",
    re.IGNORECASE,
)


def in_digits(text: str) -> str:
    """A text whose whole numbers in words stand in digits; the rest is as it was.

    >>> in_digits("Forty-six of two hundred and forty, not three four or one")
    '46 of 240, not three four or one'
    """
    return SPELLED.sub(spelled_number, text)


def spelled_number(match: re.Match[str]) -> str:
    """The digits of what ``SPELLED`` matches; the words themselves if they are no one number."""
    words = [word for word in re.split(r"[\s-]+", match.group().lower()) if word != "and"]
    words = words[1:] if words[0] in {"a", "an"} else words
    if words == ["one"]:
        return match.group()  # more often a pronoun
    total = group = 0
    for word in words:
        if word in SMALL:
            if group % 100 and (group % 100 < 20 or SMALL[word] >= 10):
                return match.group()  # "three four" are two numbers
            group += SMALL[word]
        elif word == "hundred":
            group = max(group, 1) * 100
        elif word in SCALES:
            total, group = total + max(group, 1) * SCALES[word], 0
    return str(total + group)
