"""Numbers and fractions in words, written in digits so that they can be compared. English only."""

import re
from collections.abc import Callable
from typing import Final


def _words(text: str) -> list[str]:
    return text.split()


_ONES: Final = {
    word: value
    for value, word in enumerate(
        _words(
            "zero one two three four five six seven eight nine ten eleven twelve thirteen "
            "fourteen fifteen sixteen seventeen eighteen nineteen"
        )
    )
}
_TENS: Final = {
    word: 10 * value
    for value, word in enumerate(
        _words("twenty thirty forty fifty sixty seventy eighty ninety"), start=2
    )
}
_SCALES: Final = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9}
_SMALL: Final = {**_ONES, **_TENS}
_PARTS: Final = {
    "half": 2, "halves": 2, "third": 3, "quarter": 4, "fifth": 5, "sixth": 6, "seventh": 7,
    "eighth": 8, "ninth": 9, "tenth": 10, "twentieth": 20, "hundredth": 100,
}  # fmt: skip
_FACTORS: Final = {
    "doubl": 2, "tripl": 3, "trebl": 3, "quadrupl": 4, "quintupl": 5, "halv": 0.5,
}  # fmt: skip

_SCALE: Final = rf"(?:{'|'.join(_SCALES)})"
_WORD: Final = rf"(?:{'|'.join(_SMALL)})"
_SPELLED: Final = re.compile(
    rf"\b(?:an?\s(?={_SCALE}\b){_SCALE}|{_WORD}\b)"
    rf"(?:[\s-](?:{_WORD}|{_SCALE})\b|(?<=d)\sand\s{_WORD}\b)*",
    re.IGNORECASE,
)
_COUNT: Final = r"(?P<count>an?|\d+)"
_PART: Final = rf"(?P<part>{'|'.join(_PARTS)})s?"


def in_digits(text: str) -> str:
    """A text whose numbers and fractions in words stand in digits; the rest is as it was.

    A fraction of something is a percentage, one of a measure is its number.

    >>> in_digits("Two hundred and forty of four and a half million")
    '240 of 4500000'
    >>> in_digits("One in five of two dozen took half an hour; a third left")
    '20% of 24 took 30 minutes; 33.333333% left'
    >>> in_digits("The third quarter: sales fell by half, costs were twice as high")
    'The third quarter: sales fell by 50%, costs were 2 times as high'
    """
    for pattern, written in _REWRITES:
        text = pattern.sub(written, text)
    return text


_SIZES: Final = {"kilo": "k", "mega": "M", "giga": "G", "tera": "T"}


def factors_in(text: str) -> list[float]:
    """By what "doubled", "halved" and "fivefold" multiply.

    >>> factors_in("It doubled here and was halved there, then rose 5fold.")
    [2, 0.5, 5.0]
    """
    found: list[tuple[int, float]] = [
        (match.start(), _FACTORS[match[1].lower()]) for match in _MULTIPLIED.finditer(text)
    ]
    found += [(match.start(), float(match[1])) for match in FOLD.finditer(text)]
    return [factor for _, factor in sorted(found)]


_MULTIPLIED: Final = re.compile(rf"\b({'|'.join(_FACTORS)})(?:e|es|ed|ing)\b", re.IGNORECASE)
FOLD: Final = re.compile(r"\b(\d+(?:\.\d+)?)[\s-]?fold\b", re.IGNORECASE)


def _spelled(match: re.Match[str]) -> str:
    words = [word for word in re.split(r"[\s-]+", match.group().lower()) if word != "and"]
    words = words[1:] if words[0] in {"a", "an"} else words
    if words == ["one"]:
        return match.group()  # more often a pronoun
    total = group = 0
    for word in words:
        if word in _SMALL:
            if group % 100 and (group % 100 < 20 or _SMALL[word] >= 10):
                return match.group()  # "three four" are two numbers
            group += _SMALL[word]
        elif word == "hundred":
            group = max(group, 1) * 100
        elif word in _SCALES:
            total, group = total + max(group, 1) * _SCALES[word], 0
    return str(total + group)


def _percent(count: float, parts: float) -> str:
    return f"{round(100 * count / parts, 6):.10g}%"


def _part_of(match: re.Match[str]) -> str:
    lead = match["count"].lower()
    count = int(lead) if lead.isdigit() else 1
    parts = _PARTS[match["part"].lower().rstrip("s") if match["part"] != "halves" else "halves"]
    return match.group() if count > parts else _percent(count, parts)


def _in(match: re.Match[str]) -> str:
    count, of = int(match["few"]), int(match["many"])
    return _percent(count, of) if count <= of else match.group()


def _measured(match: re.Match[str]) -> str:
    many = (match["many"] or "a").lower()
    count = int(many) if many.isdigit() else _AS_NUMBER.get(many, 1)
    smaller, name = _SMALLER[match["unit"].lower()]
    return f"{round(count / _PARTS[match['part'].lower()] * smaller)} {name}".rstrip()


_AS_NUMBER: Final = {"two": 2, "three": 3}


_SMALLER: Final = {
    "hour": (60, "minutes"), "minute": (60, "seconds"), "day": (24, "hours"),
    "year": (12, "months"), "dozen": (12, ""), "million": (10**6, ""), "kilometre": (1000, "m"),
    "kilometer": (1000, "m"), "kilo": (1000, "g"), "tonne": (1000, "kg"), "ton": (1000, "kg"),
    "litre": (1000, "ml"), "liter": (1000, "ml"), "metre": (100, "cm"), "meter": (100, "cm"),
    "century": (100, "years"), "decade": (10, "years"),
}  # fmt: skip
_MEASURES: Final = (
    "year|hour|day|month|week|minute|kilomet(?:re|er)|mile|met(?:re|er)|tonne|ton|lit(?:re|er)|kilo"
)
_SQUARE: Final = r"(?:square|sq\.?)\s"
_CUBIC: Final = r"(?:cubic|cu\.?)\s"
_KILOMETRES: Final = r"(?:kilomet(?:re|er)s?|km)"
_METRES: Final = r"(?:met(?:re|er)s?|m)"
_HOUR: Final = r"(?:\sper\s|\san\s|\s?/\s?)(?:hour|h)"
_Rewrite = tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]]


def _rewrite(pattern: str, written: str | Callable[[re.Match[str]], str]) -> _Rewrite:
    return re.compile(pattern, re.IGNORECASE), written


_REWRITES: Final[tuple[_Rewrite, ...]] = (
    _rewrite(rf"\b{_SQUARE}{_KILOMETRES}\b", "km2"),
    _rewrite(rf"\b{_SQUARE}{_METRES}\b", "m2"),
    _rewrite(rf"\b{_SQUARE}(?:centimet(?:re|er)s?|cm)\b", "cm2"),
    _rewrite(rf"\b{_CUBIC}{_METRES}\b", "m3"),
    _rewrite(rf"\b(?:{_KILOMETRES}{_HOUR}|kph|kmh)\b", "km/h"),
    _rewrite(rf"\bmiles{_HOUR}\b", "mph"),
    _rewrite(r"\bmet(?:re|er)s?\sper\ssecond\b", "m/s"),
    _rewrite(r"\bdegrees?\scelsius\b", "°C"),
    _rewrite(r"\bdegrees?\sfahrenheit\b", "°F"),
    _rewrite(
        r"\b(?P<size>kilo|mega|giga|tera)watt[\s-]hours?\b",
        lambda match: f"{_SIZES[match['size'].lower()]}Wh",
    ),
    _rewrite(r"\ba\sfortnight\b", "14 days"),
    _rewrite(r"\ba\sdecade\b", "10 years"),
    _rewrite(r"\ba\scentury\b", "100 years"),
    _rewrite(r"\b(?:an?|one)\smillion\sand\sa\shalf\b", "1.5 million"),
    _rewrite(rf"\b(?:an?|one)\s({_MEASURES})\sand\sa\shalf\b", r"1.5 \1s"),
    _rewrite(r"\bone\sand\sa\shalf\b", "1.5"),
    _rewrite(r"([€£$]\s?\d[\d.,]*)\s?m\b", r"\1 million"),
    _rewrite(r"([€£$]\s?\d[\d.,]*)\s?k\b", r"\1 thousand"),
    _rewrite(r"\b(\d[\d.,]*)m\s(?=(?:euro|pound|dollar|franc)s?\b)", r"\1 million "),
    _rewrite(r"\b(once)\s(?=an?\s|every\s|per\s)", "1 times "),
    _rewrite(r"\btwice\b", "2 times"),
    _rewrite(r"\bthrice\b", "3 times"),
    _rewrite(rf"\b({'|'.join(_ONES)})fold\b", lambda match: f"{_ONES[match[1].lower()]}fold"),
    _rewrite(
        r"\b(?:(?P<many>an?|\d+|two|three)\s)?(?P<part>half|quarter|third)s?(?:\sof)?\san?\s"
        rf"(?P<unit>{'|'.join(_SMALLER)})\b",
        _measured,
    ),
    (_SPELLED, _spelled),
    _rewrite(r"\b(\d+)[\s-]and[\s-]a[\s-]half\b", r"\1.5"),
    _rewrite(
        r"(?<![\d.,])(\d+(?:,\d{3})*(?:\.\d+)?)\s(thousand|million|billion)\b",
        lambda match: f"{float(match[1].replace(',', '')) * _SCALES[match[2].lower()]:.15g}",
    ),
    _rewrite(r"\ba\sdozen\b", "12"),
    _rewrite(r"\b(\d+)\sdozen\b", lambda match: str(12 * int(match[1]))),
    _rewrite(
        r"(?<![\w.,])(?P<few>\d+|one)\s(?:in|out of)\s(?:every\s)?(?P<many>[2-9]|10|100|1000)\b"
        r"(?!\s?%|[.,]\d)",
        lambda match: (
            _percent(1, int(match["many"])) if match["few"].lower() == "one" else _in(match)
        ),
    ),
    _rewrite(r"\bhalf\s(?=as\s(?:many|much|high|long|large|big))", "0.5 times "),
    _rewrite(
        rf"\b{_COUNT}[\s-](?P<part>{'|'.join(_PARTS)})s?\b(?![\s-](?:of\s)?(?:year|time)\b)",
        _part_of,
    ),
    _rewrite(
        rf"\bone[\s-](?P<part>{'|'.join(_PARTS)})\b",
        lambda match: _percent(1, _PARTS[match["part"].lower()]),
    ),
    _rewrite(r"\bhalf(?=\s(?:of|the|its|their|our|all)\b|[.,;]|$)|(?<=\bby )half\b", "50%"),
    _rewrite(r"(?<=^)half(?=\s)", "50%"),
)
"""In this order: words become digits before fractions of what is counted are looked for."""
