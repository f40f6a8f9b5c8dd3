"""Meaning of texts, as far as a program can tell: concepts in place of words, negation, who does
what to whom; numbers and measures that differ only in how they are spelled.

Numbers and fractions in words are written in digits (English only). The same measure in other
units, such as 1.5 km and 1,500 metres: units and their factors are Pint's.

Concepts are sets of words of one meaning and of its opposite, from ``meaning_words.txt``: "closed"
and "not open" are the same. English; words of other languages stand for themselves.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib import resources
from typing import Any, Final

from decklab.core.lazy import extra_module
from decklab.documents.number_words import ONES, SCALES, SMALL, SPELLED, spelled_number
from decklab.documents.retrieval import search_words


def word_set(text: str) -> frozenset[str]:
    """The words of a list that is written with spaces between them."""
    return frozenset(text.split())


_LIGHT: Final = word_set(
    "there here has have had having get gets got do does did done will would shall should can "
    "could may might must been being were am which who whom whose what how when where why "
    "also only just even still about roughly around nearly almost approximately some any such "
    "than then thus so they them their theirs he she his her him our us you your i my me "
    "much ago lest together altogether combined overall itself themselves up out made make makes "
    "making take takes took taken into onto over "
    "under per via both if because since during within upon between among through against "
    "towards according however very quite rather now new each every all times time percent "
    "one ones way ways s t"
)
"""Words that say nothing of the subject. Ours."""
_NOT: Final = word_set(
    "not no never none neither nor without nobody nothing cannot hardly n't isnt doesnt"
)
_PHRASES: Final = tuple(
    (re.compile(rf"\b{pattern}\b", re.IGNORECASE), word)
    for pattern, word in (
        (r"turn(?:s|ed)? down", "refused"), (r"drop(?:s|ped)? out", "left"),
        (r"no longer", "not"), (r"set up", "founded"), (r"(?:take|took|taken) over", "bought"),
        (r"(?:go|goes|went|gone|came|come) up", "rose"), (r"gave up", "stopped"),
        (r"(?:go|goes|went|gone|came|come) down", "fell"), (r"not only", "both"),
        (r"according to", "of"), (r"get(?:s|ting)? rid of", "remove"), (r"fit out", "install"),
        (r"(?:is|are|was|were) due to", "is caused by"), (r"mak(?:e|es|ing)? up", "has"),
        (r"as well as", "and"), (r"in order to", "to"), (r"such as", "as"),
        (r"lack(?:s|ed|ing)?", "has no"), (r"(?:work|works|worked) for", "is employed by"),
        (r"no (\w+) (?:may|can)", r"\1 forbidden"), (r"(?:may|must) not", "forbidden"),
        (r"(?:as|than) before", ""), (r"leads? with", "has the highest"),
        (r"without (?=(?:it|them|this|that|these|those)\b)", "lest "),
        (r"(?:take|takes|took|taken|taking) on", "hired"),
    )
)  # fmt: skip
_CLAUSES: Final = re.compile(
    r"[.;!?]\s+|,?\s+(?:but|while|whereas|although|though|however|if|unless)\s+|\s[—–]\s"
    r"|(?<=\w),\s(?=(?:it|they|he|she|we|the|this|that|there)\s)",
    re.IGNORECASE,
)
_TOKEN: Final = re.compile(r"[^\W_]+(?:[’'][^\W_]+)?")
_BEING: Final = word_set("is are was were be been being gets got")


def stem(word: str) -> str:
    """A word without the ending that it has in some of its forms.

    >>> [stem(word) for word in ("increase", "increased", "cities", "city", "stopped", "stop")]
    ['increas', 'increas', 'cit', 'cit', 'stop', 'stop']
    """
    word_stem = "".join(search_words(word)[:1]) or word.casefold()
    if len(word_stem) > 3:
        word_stem = re.sub(r"(?<=\w{2})[eyi]$", "", word_stem)
        word_stem = re.sub(r"([bdfgklmnprt])\1$", r"\1", word_stem)
    return word_stem


@lru_cache(maxsize=1)
def _concepts() -> Mapping[str, tuple[str, int]]:
    """By its stem what a word means, and 1, or -1 where it means the opposite."""
    concepts: dict[str, tuple[str, int]] = {}
    text = resources.files(__package__).joinpath("meaning_words.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        if line.startswith("#"):
            continue
        name = line.lstrip("> ").split()[0]
        for sign, words in zip((1, -1), line.lstrip("> ").split("|"), strict=False):
            for word in words.split():
                concepts.setdefault(stem(word), (name, sign))
    return concepts


@lru_cache(maxsize=1)
def _acts() -> frozenset[str]:
    """The concepts whose subject and object may not change places."""
    text = resources.files(__package__).joinpath("meaning_words.txt").read_text(encoding="utf-8")
    lines = (line for line in text.splitlines() if line.startswith("> "))
    return frozenset(line[2:].split()[0] for line in lines)


@dataclass(frozen=True)
class Clause:
    """A part of a sentence: its concepts in their order, each with 1, or -1 where it is denied or
    said by its opposite; and the concepts on both sides of an act or a comparison, the doer's
    first."""

    concepts: tuple[tuple[str, int], ...]
    sides: tuple[frozenset[str], frozenset[str]] | None = None

    @cached_property
    def signs(self) -> Mapping[str, int]:
        """The sign of each concept where it stands first."""
        return dict(reversed(self.concepts))

    def without(self, concepts: frozenset[str]) -> "Clause":
        """It without some concepts."""
        if not concepts:
            return self
        return Clause(tuple(term for term in self.concepts if term[0] not in concepts), self.sides)

    def denies(self, other: "Clause") -> bool:
        """Whether two clauses that share concepts say the opposite of each other.

        >>> one, = clauses("The station is closed on Sundays")
        >>> other, = clauses("The station is not open on Sundays")
        >>> one.denies(other), one.denies(*clauses("The station is open on Sundays"))
        (False, True)
        """
        shared = self.signs.keys() & other.signs.keys()
        different = sum(self.signs[name] != other.signs[name] for name in shared)
        return (different + self._swaps(other)) % 2 == 1

    def _swaps(self, other: "Clause") -> bool:
        if self.sides is None or other.sides is None:
            return False
        (doer, object_), (others, theirs) = self.sides, other.sides
        crossed = (doer - object_) & (theirs - others), (object_ - doer) & (others - theirs)
        straight = (doer - object_) & (others - theirs) | (object_ - doer) & (theirs - others)
        return all(crossed) or (any(crossed) and not straight)


@lru_cache(maxsize=16384)
def clauses(text: str) -> tuple[Clause, ...]:
    """The clauses of a text that have any concept."""
    for pattern, word in _PHRASES:
        text = pattern.sub(word, text)
    parts = (_clause(part) for part in _CLAUSES.split(text))
    return tuple(clause for clause in parts if clause.concepts)


def proper_names(text: str) -> frozenset[str]:
    """Words with a capital letter inside a sentence; none of a text that writes most so, such as a
    title or German.

    >>> sorted(proper_names("The choir was founded in Porto by Carla Mendez"))
    ['carla', 'mendez', 'porto']
    """
    words = _INSIDE.findall(text)
    names = [word for word in words if word[0].isupper() and word[1:].islower()]
    few = 2 * len(names) <= len(words)
    return frozenset(word.casefold() for word in names if few and word.casefold() not in _TIMES)


_INSIDE: Final = re.compile(r"(?<=[\w,;)] )[^\W\d_]{2,}")
_TIMES: Final = word_set(
    "january february march april may june july august september october november december "
    "monday tuesday wednesday thursday friday saturday sunday"
)


def concepts_of(text: str) -> frozenset[str]:
    """The concepts of a text, without numbers.

    >>> sorted(concepts_of("12 pupils purchased bicycles"))
    ['bike', 'buy', 'pupil']
    """
    return frozenset(name for clause in clauses(text) for name, _ in clause.concepts)


def _clause(text: str) -> Clause:
    words = [match.group().casefold().replace("’", "'") for match in _TOKEN.finditer(text)]
    placed = list(_placed(words))
    return Clause(tuple((name, sign) for _, name, sign in placed), _sides(words, placed))


def _placed(words: list[str]) -> Iterator[tuple[int, str, int]]:
    denied = False
    for position, word in enumerate(words):
        if word in _NOT or word.endswith("n't"):
            denied = True
        elif word not in _LIGHT and search_words(word) and not word.isdigit():
            name, sign = _meaning_of(word)
            yield position, name, -sign if denied else sign
            denied = False


def _meaning_of(word: str) -> tuple[str, int]:
    """The concept of a word with its sign; "unavailable" is what is not available."""
    concept = _concepts().get(stem(word))
    if concept is None and word.startswith("un") and not word.startswith(_NOT_DENIED):
        bare = stem(word[2:])
        name, sign = _concepts().get(bare, (bare, 1))
        concept = name, -sign
    return concept or (stem(word), 1)


_NOT_DENIED: Final = (
    "under", "uni", "uncle", "until", "unto", "unless", "unction", "unanim", "undu", "ungul",
)  # fmt: skip
"""How words begin that have "un" without denying anything."""


def _sides(
    words: list[str], placed: list[tuple[int, str, int]]
) -> tuple[frozenset[str], frozenset[str]] | None:
    """The concepts before and after "than" and its like; in the passive, "by" comes first."""

    def between(start: int, end: int) -> frozenset[str]:
        return frozenset(name for position, name, _ in placed if start <= position < end)

    if "than" in words:
        at = words.index("than")
        return between(0, at), between(at, len(words))
    if words.count("as") > 1:
        first = words.index("as")
        at = words.index("as", first + 1)
        return between(first, at), between(at, len(words))
    if (act := next((at for at, name, _ in placed if name in _acts()), None)) is None:
        return None
    if "by" in words[act:] and _BEING & set(words[max(0, act - 3) : act]):
        return between(words.index("by", act), len(words)), between(0, act)
    return between(0, act), between(act + 1, len(words))


_NAMES: Final = {
    "yd": "yard", "mi": "mile", "in": "inch", "ft": "foot", "g": "gram", "t": "tonne",
    "ton": "tonne", "lb": "pound", "oz": "ounce", "l": "litre", "L": "litre", "h": "hour",
    "hr": "hour", "d": "day", "B": "byte", "°C": "degC", "°F": "degF", "K": "kelvin",
    "percentage point": "percentage_point", "yr": "year", "m2": "m²", "km2": "km²", "cm2": "cm²",
    "m3": "m³", "inches": "inch", "centuries": "century", "kilo": "kilogram", "gramme": "gram",
    "kilogramme": "kilogram", "min": "minute", "sec": "second",
}  # fmt: skip
_WRITTEN: Final = word_set(
    "km m cm mm µm nm kg mg µg mL ml min s sec ms µs ns KB kB MB GB TB PB KiB MiB GiB TiB bit "
    "Hz kHz MHz GHz W kW MW GW Wh kWh MWh GWh TWh V kV mV mA N kN Pa kPa MPa bar J kJ MJ cal "
    "kcal ha km/h m/s km² m² cm² m³ km2 m2 kph mph"
)
_WORDS: Final = word_set(
    "metre meter kilometre kilometer centimetre centimeter millimetre millimeter mile yard "
    "foot feet inch gram kilogram milligram tonne pound ounce litre liter millilitre gallon "
    "milliliter century second minute hour day week month year decade byte kilobyte megabyte "
    "gigabyte "
    "terabyte bit hertz kilohertz megahertz gigahertz watt kilowatt megawatt gigawatt volt "
    "joule kilojoule calorie kelvin hectare acre bar pascal newton"
)
"""Units as they are abbreviated and spelled. Others, such as "ships", are what is counted."""


@lru_cache(maxsize=1)
def _registry() -> Any:
    return extra_module("pint", "comparing measures in other units", "evals").UnitRegistry()


def known_unit(unit: str) -> str | None:
    """Pint's name of a unit in one of its usual spellings; None for what is no measure.

    >>> known_unit("kilometres"), known_unit("°C"), known_unit("ships")
    ('kilometre', 'degC', None)
    """
    if (bare := unit.strip(" .")) in _NAMES or bare in _WRITTEN:
        return _NAMES.get(bare, bare)
    word = bare.casefold()
    single = word.removesuffix("s")
    return next((_NAMES.get(name, name) for name in (word, single) if name in _NAMES.keys() | _WORDS
                 if len(name) > 1), None)  # fmt: skip


@lru_cache(maxsize=4096)
def in_unit(value: float, unit: str, other: str) -> float | None:
    """A value of one unit in another; None if they do not measure the same.

    Raises Unavailable where Pint is needed and not installed.

    >>> in_unit(1.5, "km", "metres"), in_unit(2, "hours", "kg")
    (1500.0, None)
    """
    first, second = known_unit(unit), known_unit(other)
    if first is None or second is None:
        return None
    if first == second:
        return value
    quantity = _registry().Quantity(value, first)
    return float(quantity.to(second).magnitude) if quantity.is_compatible_with(second) else None


@lru_cache(maxsize=1024)
def measured_by(unit: str) -> str:
    """Words for having a measure in a unit, such as to last or to weigh; empty for what is none and
    for lengths, which may be of different sides. Raises Unavailable as ``in_unit``.

    >>> "weigh" in measured_by("kg"), measured_by("metres"), measured_by("ships")
    (True, '', '')
    """
    if (known := known_unit(unit)) is None:
        return ""
    return next((words for other, words in _MEASURED if in_unit(0.0, known, other) is not None), "")


_MEASURED: Final = (
    ("hour", "last go run take long length duration"),
    ("kg", "weigh weight heavy"),
    ("litre", "hold contain store fit capacity volume"),
    ("m2", "cover area measure size"),
    ("km/h", "speed fast run travel drive go move ride"),
    ("°C", "temperature hot warm cold reach heat"),
    ("byte", "store hold contain size memory storage"),
    ("kWh", "produce energy power electricity"),
)
"""By a unit of each kind how one says that something has so much of it."""

_FRACTIONS: Final = {
    "half": 2, "halves": 2, "third": 3, "quarter": 4, "fifth": 5, "sixth": 6, "seventh": 7,
    "eighth": 8, "ninth": 9, "tenth": 10, "twentieth": 20, "hundredth": 100,
}  # fmt: skip
_FACTORS: Final = {"doubl": 2, "tripl": 3, "trebl": 3, "quadrupl": 4, "quintupl": 5, "halv": 0.5}

_COUNT: Final = r"(?P<count>an?|\d+)"


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
    factors: list[tuple[int, float]] = [
        (match.start(), _FACTORS[match[1].lower()]) for match in _MULTIPLIED.finditer(text)
    ]
    factors += [(match.start(), float(match[1])) for match in FOLD.finditer(text)]
    return [factor for _, factor in sorted(factors)]


_MULTIPLIED: Final = re.compile(rf"\b({'|'.join(_FACTORS)})(?:e|es|ed|ing)\b", re.IGNORECASE)
FOLD: Final = re.compile(r"\b(\d+(?:\.\d+)?)[\s-]?fold\b", re.IGNORECASE)


def _percent(count: float, parts: float) -> str:
    return f"{round(100 * count / parts, 6):.10g}%"


def _part_of(match: re.Match[str]) -> str:
    lead = match["count"].lower()
    count = int(lead) if lead.isdigit() else 1
    parts = _FRACTIONS[match["part"].lower().rstrip("s") if match["part"] != "halves" else "halves"]
    return match.group() if count > parts else _percent(count, parts)


def _in(match: re.Match[str]) -> str:
    count, of = int(match["few"]), int(match["many"])
    return _percent(count, of) if count <= of else match.group()


def _measured(match: re.Match[str]) -> str:
    many = (match["many"] or "a").lower()
    count = int(many) if many.isdigit() else _AS_NUMBER.get(many, 1)
    smaller, name = _SMALLER[match["unit"].lower()]
    return f"{round(count / _FRACTIONS[match['part'].lower()] * smaller)} {name}".rstrip()


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
    _rewrite(rf"\b({'|'.join(ONES)})fold\b", lambda match: f"{SMALL[match[1].lower()]}fold"),
    _rewrite(
        r"\b(?:(?P<many>an?|\d+|two|three)\s)?(?P<part>half|quarter|third)s?(?:\sof)?\san?\s"
        rf"(?P<unit>{'|'.join(_SMALLER)})\b",
        _measured,
    ),
    (SPELLED, spelled_number),
    _rewrite(r"\b(\d+)[\s-]and[\s-]a[\s-]half\b", r"\1.5"),
    _rewrite(
        r"(?<![\d.,])(\d+(?:,\d{3})*(?:\.\d+)?)\s(thousand|million|billion)\b",
        lambda match: f"{float(match[1].replace(',', '')) * SCALES[match[2].lower()]:.15g}",
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
        rf"\b{_COUNT}[\s-](?P<part>{'|'.join(_FRACTIONS)})s?\b(?![\s-](?:of\s)?(?:year|time)\b)",
        _part_of,
    ),
    _rewrite(
        rf"\bone[\s-](?P<part>{'|'.join(_FRACTIONS)})\b",
        lambda match: _percent(1, _FRACTIONS[match["part"].lower()]),
    ),
    _rewrite(r"\bhalf(?=\s(?:of|the|its|their|our|all)\b|[.,;]|$)|(?<=\bby )half\b", "50%"),
    _rewrite(r"(?<=^)half(?=\s)", "50%"),
)
"""In this order: words become digits before fractions of what is counted are looked for."""
