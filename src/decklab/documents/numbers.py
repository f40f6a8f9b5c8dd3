"""Numbers in text, each with its kind: what a writer may put on a slide, and what it must not.

Figures, tables, sections and citations are referred to by numbers too; these are ``reference``
and no facts. Numbers in words ("three") are not read. A method of our own: measured, quantulum3
takes "2010 and 2015" for 2012.5 and "10^-3" for 10 and -3.

Words that say what a number is: units, currencies, scales, months, words that lead references.

English and German, the languages of the documents we read so far.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


SCALES = {
    "hundred": 1e2, "thousand": 1e3, "million": 1e6, "millions": 1e6, "billion": 1e9,
    "billions": 1e9, "trillion": 1e12, "trillions": 1e12, "mn": 1e6, "bn": 1e9, "tn": 1e12,
    "Tausend": 1e3, "Mio.": 1e6, "Mio": 1e6, "Million": 1e6, "Millionen": 1e6,
    "Mrd.": 1e9, "Mrd": 1e9, "Milliarde": 1e9, "Milliarden": 1e9, "Billion": 1e12,
    "Billionen": 1e12,
}  # fmt: skip
"""Factor of a word that scales a number; a capital letter marks a German "Billion"."""

ATTACHED_SCALES = {"k": 1e3, "K": 1e3, "M": 1e6, "B": 1e9}
"""The same for letters that follow a number at once, and in money after a space too."""

CURRENCY_SIGNS = {"US$": "USD", "$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR"}

CURRENCY_WORDS = {
    **{code: code for code in _words("USD EUR GBP JPY CHF CNY INR SEK NOK DKK PLN AUD CAD")},
    "dollar": "USD", "dollars": "USD", "euro": "EUR", "euros": "EUR", "Euro": "EUR",
    "pounds": "GBP", "yen": "JPY", "Dollar": "USD", "Franken": "CHF", "€": "EUR", "$": "USD",
}  # fmt: skip
"""Currencies by ISO 4217, by the words that follow an amount (codes may lead it too)."""

PERCENT_UNITS = {
    "%": "%", "percent": "%", "per cent": "%", "Prozent": "%",
    "percentage points": "percentage points", "percentage point": "percentage points",
    "Prozentpunkte": "percentage points", "Prozentpunkten": "percentage points",
    "pp": "percentage points", "basis points": "basis points", "bps": "basis points",
}  # fmt: skip

UNITS = _words(
    "km m cm mm µm nm mi ft in yd kg g mg µg t lb oz l L ml h hr hrs min s ms µs ns d yr yrs "
    "B KB kB MB GB TB PB KiB MiB GiB TiB bit bits bytes Hz kHz MHz GHz W kW MW GW kWh MWh GWh TWh "
    "V kV mV A mA N kN Pa kPa MPa bar J kJ MJ cal kcal K °C °F ° px pt dpi fps rpm mol M ha "
    "km/h m/s km² m² cm² m³ km2 m2 x × fold dB ppm CO2"
)
"""Measures that may follow a number at once or after a space, in their own spelling."""

MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "January Januar Jan", "February Februar Feb", "March März Mar", "April Apr",
            "May Mai", "June Juni Jun", "July Juli Jul", "August Aug",
            "September Sept Sep", "October Oktober Oct Okt", "November Nov",
            "December Dezember Dec Dez",
        ),
        start=1,
    )
    for name in names.split()
}  # fmt: skip

REFERENCE_WORDS = {
    "figure": "figure figures fig figs abbildung abbildungen abb",
    "table": "table tables tab tabelle tabellen",
    "section": "section sections sec secs sect chapter chapters chap appendix part abschnitt "
    "kapitel teil anhang §",
    "equation": "equation equations eq eqs eqn gleichung",
    "theorem": "theorem theorems lemma proposition corollary definition remark satz",
    "page": "page pages p pp seite seiten s",
    "example": "example examples exercise listing algorithm beispiel footnote note line lines step",
    "number": "no nos nr vol volume issue",
}
"""Kinds of references, and the words that lead to their number; case does not matter."""

STANDARDS = "RFC ISO DIN IEC IEEE EN ANSI PEP BSI"

PROGRAMS = (
    "Python Java Debian Ubuntu Fedora LibreOffice Office Windows Linux Android iOS macOS PHP Ruby "
    "Perl PostgreSQL MySQL SQLite CUDA PyTorch TensorFlow Unicode HTML HTTP CSS Rust Go Node"
)
"""Names after which a number is a version."""

NO_UNITS = _words(
    "and or of in on at to for from by with as is are was were be been the a an than that this "
    "these those which who when while where if but not per per-cent each every about over under "
    "und oder von in an auf zu für aus mit als ist sind war waren der die das den dem ein eine "
    "dass wenn aber nicht pro je bis also so then more less fewer times mehr weniger after before "
    "we it they he she i you has have had can could may might will would shall should must do "
    "does did such only just even both all any some no its their our his her since during until "
    "between within without through into onto up down out off again there here however"
)
"""Words that end the search for the counted thing."""


NumberKind = Literal["percent", "money", "year", "date", "range", "version", "reference", "count"]
DecimalMark = Literal[".", ","]


@dataclass(frozen=True)
class StatedNumber:
    """A number in a text: ``text[start:end]``.

    ``values`` are as the text states them with its scale word ("3 million" is 3000000): one, the
    two ends of a range, or year, month and day of a date. ``unit`` is a percent unit, a currency
    code of ISO 4217, a measure or the word that is counted; of references what is referred to.
    """

    kind: NumberKind
    values: tuple[float, ...]
    unit: str
    start: int
    end: int


def parse_numbers(text: str, *, decimal: DecimalMark = ".") -> list[StatedNumber]:
    """All numbers of a text from left to right; none if it has no digit.

    ``decimal`` is the decimal mark of the text, which tells what "1.234" is.

    >>> [(item.kind, item.values, item.unit) for item in parse_numbers("12% of 30 cases in 2019")]
    [('percent', (12,), '%'), ('count', (30,), 'cases'), ('year', (2019,), '')]
    """
    if not re.search(r"\d", text):
        return []
    found: list[StatedNumber] = []
    taken = bytearray(len(text))
    for pattern, read in _SPECIAL:
        for match in pattern.finditer(text):
            if any(taken[match.start() : match.end()]):
                continue
            quantity = read(match)
            if quantity is None:
                continue
            taken[match.start() : match.end()] = b"\1" * (match.end() - match.start())
            if quantity.values:
                found.append(quantity)
    found += _amounts(text, decimal, taken)
    return sorted(found, key=lambda item: item.start)


def decimal_mark(text: str) -> DecimalMark:
    """The decimal mark that a text uses: a comma where "12,5" is more frequent than "12.5".

    >>> decimal_mark("12,5 % von 3,75"), decimal_mark("1.200,50 and 1.300"), decimal_mark("")
    (',', ',', '.')
    """
    commas = len(re.findall(r"(?<![\d.,])(?:\d+|\d{1,3}(?:\.\d{3})+),\d{1,2}(?![\d,.]\d|\d)", text))
    points = len(re.findall(r"(?<![\d.,])(?:\d+|\d{1,3}(?:,\d{3})+)\.\d{1,2}(?![\d,.]\d|\d)", text))
    return "," if commas > points else "."


# Amounts ---------------------------------------------------------------------------------------

_GROUPED = r"\d{1,3}(?:(?P<mark>[,.'’\u00a0\u2009\u202f ])\d{3}(?:(?P=mark)\d{3})*)(?!\d)"
_NUMERAL = rf"(?>(?:{_GROUPED}|\d+)(?:[.,]\d+(?![.,]\d))?|\.\d+)"
_SIGN = r"(?:(?<![\w)\]%.,])[-−])?"
_POWER = r"(?:\s?[×x·]\s?10\s?\^\s?[-−]?\d+|\^[-−]?\d+|[eE][-+−]?\d+(?!\w))?"
_CODES = "|".join(code for code in CURRENCY_WORDS if code.isupper())
_LEADING = rf"(?:(?P<lead>US\$|[$€£¥₹]|\b(?:{_CODES})(?=[\s\d]))\s?)?"
_AMOUNT = re.compile(
    rf"(?P<sign>{_SIGN}){_LEADING}(?<![\w^])(?<![^\W\d_]-)"
    rf"(?P<inner>[-−])?(?P<number>{_NUMERAL})(?P<power>{_POWER})"
)
_SCALE = re.compile(
    "|".join(rf"\s?(?:{re.escape(word)})(?!\w)" for word in sorted(SCALES, key=len, reverse=True))
)
_LETTER = re.compile(rf"({'|'.join(ATTACHED_SCALES)})(?!\w)")
_PERCENT = re.compile(
    r"\s?("
    + "|".join(re.escape(word) for word in sorted(PERCENT_UNITS, key=len, reverse=True))
    + r")(?!\w)"
)
_CURRENCY = re.compile(
    r"\s?("
    + "|".join(re.escape(word) for word in sorted(CURRENCY_WORDS, key=len, reverse=True))
    + r")(?!\w)"
)
_UNIT = re.compile(
    r"[\s-]?("
    + "|".join(re.escape(word) for word in sorted(UNITS, key=len, reverse=True))
    + r")(?![\w/²³^])"
)
_TO = re.compile(r"\s?[–—]\s?|-(?=[\d$€£])|\s(?:to|bis|through)\s")
_AND = re.compile(r"\s(?:and|und)\s")
_BETWEEN = re.compile(r"\b(?:between|zwischen)\s(?:about\s)?$", re.IGNORECASE)
_WORD = re.compile(r"[\s-]([^\W\d_][\w’'-]*)")
_MOST = 1e15
_YEARS = range(1500, 2101)


@dataclass(frozen=True)
class _Amount:
    value: float
    kind: Literal["percent", "money", "count"]
    unit: str
    start: int
    end: int
    plain: bool
    """Written as digits alone, so that it may be a year."""
    factor: float = 1.0
    """Factor of a scale word."""


def _amounts(text: str, decimal: DecimalMark, taken: bytearray) -> Iterator[StatedNumber]:
    """Numbers that no other pattern took, with scales, units and the second ends of ranges."""
    place = 0
    while (match := _AMOUNT.search(text, place)) is not None:
        place = max(match.end(), place + 1)
        first = _read_amount(text, match, decimal)
        if any(taken[match.start() : match.end()]) or first is None:
            continue
        second = _second_end(text, first, decimal, taken)
        quantity = _range_of(first, second) if second else _single(text, first)
        place = quantity.end
        yield quantity


def _read_amount(text: str, match: re.Match[str], decimal: DecimalMark) -> _Amount | None:
    """A numeral with what follows it; None if letters follow at once that are no unit, and for
    more digits than a float holds, which are no number but a name."""
    value = _value(match["number"], decimal) * _power_of(match["number"], match["power"], decimal)
    sign = -1 if match["sign"] or match["inner"] else 1
    end = match.end()
    lead = match["lead"] or ""
    currency = CURRENCY_SIGNS.get(lead) or CURRENCY_WORDS.get(lead, "")
    if value >= _MOST:
        return None
    factor, end = _scale(text, end, money=bool(currency))
    value *= factor
    kind: Literal["percent", "money", "count"] = "money" if currency else "count"
    unit = currency
    if not currency:
        kind, unit, end = _measure(text, end)
    if end < len(text) and (text[end].isalnum() or text[end] == "_") and end == match.end():
        return None
    plain = match.group() == match["number"] and match["number"].isdigit() and factor == 1
    # The first decimals of 3.2 times a million are not its binary ones.
    plain = plain and not unit
    return _Amount(sign * round(value, 10), kind, unit, match.start(), end, plain, factor)


def _value(numeral: str, decimal: DecimalMark) -> float:
    """The value of digits with marks.

    Where two marks occur the last is the decimal one; a mark that occurs more than once parts
    thousands. A single mark that is not ``decimal`` does too where three digits follow it.
    """
    digits = re.sub(r"[\s'’]", "", numeral)
    marks = [char for char in digits if char in ".,"]
    if not marks:
        return float(digits)
    last = marks[-1]
    if len(set(marks)) == 1:
        before, _, after = digits.partition(last)
        thousands = len(marks) > 1 or (
            last != decimal and len(after) == 3 and before.lstrip("0") != ""
        )
        if thousands:
            return float(digits.replace(last, ""))
    other = "," if last == "." else "."
    return float(digits.replace(other, "").replace(last, "."))


def _power_of(numeral: str, power: str, decimal: DecimalMark) -> float:
    """Factor of an exponent: "10^-3" is 0.001, "2 × 10^6" two million."""
    if not power:
        return 1.0
    exponent = int(re.findall(r"[-+−]?\d+$", power)[0].replace("−", "-"))
    if abs(exponent) > 300:
        return 1.0
    if power[0] == "^":
        base = _value(numeral, decimal)
        return base ** (exponent - 1) if base and abs(base) <= 10 else 1.0
    return 10.0**exponent


def _scale(text: str, place: int, *, money: bool) -> tuple[float, int]:
    word = _SCALE.match(text, place)
    if word:
        return SCALES[word.group().strip()], word.end()
    start = place + 1 if money and text[place : place + 1] == " " else place
    letter = _LETTER.match(text, start)
    return (ATTACHED_SCALES[letter[1]], letter.end()) if letter else (1.0, place)


def _measure(text: str, place: int) -> tuple[Literal["percent", "money", "count"], str, int]:
    """Kind, unit and end of what follows a numeral; the counted word is looked up later."""
    if percent := _PERCENT.match(text, place):
        return "percent", PERCENT_UNITS[percent[1]], percent.end()
    if currency := _CURRENCY.match(text, place):
        return "money", CURRENCY_WORDS[currency[1]], currency.end()
    unit = _UNIT.match(text, place)
    # "in" is a word far more often than an inch.
    if unit and not (unit[1] in {"in", "A", "d", "t", "B"} and unit.group()[0] == " "):
        return "count", unit[1], unit.end()
    return "count", "", place


def _second_end(
    text: str, first: _Amount, decimal: DecimalMark, taken: bytearray
) -> _Amount | None:
    link = _TO.match(text, first.end)
    if link is None and _BETWEEN.search(text, 0, first.start):
        link = _AND.match(text, first.end)
    match = _AMOUNT.match(text, link.end()) if link else None
    if match is None or any(taken[match.start() : match.end()]):
        return None
    second = _read_amount(text, match, decimal)
    if second is None or (first.unit and second.unit and first.unit != second.unit):
        return None
    # "in 2020 to 13 percent" names a year and an amount.
    if _is_year(first) and not _is_year(second) and second.value < first.value:
        return None
    return _counted(text, second)


def _is_year(amount: _Amount) -> bool:
    return amount.plain and amount.end - amount.start == 4 and int(amount.value) in _YEARS


def _range_of(first: _Amount, second: _Amount) -> StatedNumber:
    # The scale word of the second end is that of the first, as in "$10-15 million".
    factor = second.factor if first.factor == 1 else 1.0
    years = first.plain and second.plain and {int(first.value), int(second.value)} <= set(_YEARS)
    unit = second.unit or first.unit or ("year" if years else "")
    values = (_whole(first.value * factor), _whole(second.value))
    return StatedNumber("range", values, unit, first.start, second.end)


def _single(text: str, amount: _Amount) -> StatedNumber:
    value = _whole(amount.value)
    if _is_year(amount):
        return StatedNumber("year", (value,), "", amount.start, amount.end)
    named = _counted(text, amount)
    return StatedNumber(amount.kind, (value,), named.unit, amount.start, named.end)


def _counted(text: str, amount: _Amount) -> _Amount:
    """The amount with the word that it counts: the first plural of the next three, else the next.

    German nouns have a capital letter.
    """
    if amount.unit or (amount.plain and int(amount.value) in _YEARS):
        return amount
    place = amount.end
    words: list[tuple[str, int]] = []
    while len(words) < 3 and (match := _WORD.match(text, place)):
        if match[1].lower() in NO_UNITS:
            break
        words.append((match[1], match.end()))
        place = match.end()
    named = [item for item in words if re.search(r"[^s]s$", item[0]) or item[0][0].isupper()]
    choice = (named if abs(amount.value) != 1 and named else words)[:1]
    if not choice:
        return amount
    word, end = choice[0]
    return replace(amount, unit=word, end=end, plain=False)


def _whole(value: float) -> float:
    return int(value) if value == int(value) else value


# Other than amounts ----------------------------------------------------------------------------


def _skipped(match: re.Match[str]) -> StatedNumber:
    return StatedNumber("reference", (), "", match.start(), match.end())


def _listed(match: re.Match[str]) -> StatedNumber:
    """A citation in brackets: every number in it."""
    values = tuple(int(item) for item in re.findall(r"\d+", match.group())[:50])
    return StatedNumber("reference", values, "citation", *match.span())


_CITED = re.compile(r"(?P<name>[A-Z][\w’'-]+)[^;\d]*?,?\s(?P<year>\d{4})[a-z]?(?=$|[;,])")
_TIMES = frozenset({*MONTHS, *(f"Q{n}" for n in range(1, 5)), "Spring", "Summer", "Winter", "FY"})


def _author_years(match: re.Match[str]) -> StatedNumber | None:
    """A citation by authors and years in parentheses; None if it is no citation."""
    items = [item.strip() for item in match.group()[1:-1].split(";")]
    cited = [_CITED.search(item) for item in items]
    if not all(cited) or any(item and item["name"] in _TIMES for item in cited):
        return None
    years = tuple(int(item["year"]) for item in cited if item)
    return StatedNumber("reference", years, "citation", *match.span())


def _author_year(match: re.Match[str]) -> StatedNumber | None:
    if match["name"] in _TIMES:
        return None
    return StatedNumber("reference", (int(match["year"]),), "citation", *match.span())


_LEADS = {word: kind for kind, words in REFERENCE_WORDS.items() for word in words.split()}


def _referred(match: re.Match[str]) -> StatedNumber | None:
    lead = match["lead"]
    if len(lead) == 1 and lead != "§" and match.group()[1:2] != ".":
        return None  # a bare letter, such as p or s, is no word for a page
    values = tuple(float(item) for item in re.findall(r"\d+(?:\.\d+)?", match["items"]))
    kind = _LEADS[lead.lower()]
    return StatedNumber("reference", tuple(map(_whole, values)), kind, *match.span())


def _standard(match: re.Match[str]) -> StatedNumber:
    return StatedNumber("reference", (int(match["number"]),), "standard", *match.span())


def _ordinal(match: re.Match[str]) -> StatedNumber:
    return StatedNumber("reference", (int(match["number"]),), "ordinal", *match.span())


def _version(match: re.Match[str]) -> StatedNumber | None:
    number = match["number"]
    if re.fullmatch(r"\d{1,3}(?:\.\d{3}){2,}", number):
        return None  # thousands
    first = re.match(r"\d+(?:\.\d+)?", number)
    value = float(first.group()) if first else 0.0
    return StatedNumber("version", (_whole(value),), number, *match.span())


def _date(match: re.Match[str]) -> StatedNumber | None:
    parts = match.groupdict()
    month = MONTHS.get(parts.get("name") or "") or int(parts.get("month") or 0)
    day, year = int(parts["day"]), int(parts["year"])
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return None
    return StatedNumber("date", (year, month, day), "", *match.span())


def _time(match: re.Match[str]) -> StatedNumber:
    return StatedNumber("date", (int(match["hour"]), int(match["minute"])), "time", *match.span())


def _item(match: re.Match[str]) -> StatedNumber:
    return StatedNumber("reference", (int(match["number"]),), "item", *match.span())


def _fiscal(match: re.Match[str]) -> StatedNumber:
    return StatedNumber("year", (int(match["year"]),), "", *match.span())


def _decade(match: re.Match[str]) -> StatedNumber:
    return StatedNumber("year", (int(match["year"]),), "decade", *match.span())


def _season(match: re.Match[str]) -> StatedNumber | None:
    year, short = int(match["year"]), int(match["short"])
    if (year + 1) % 100 != short:
        return None
    return StatedNumber("range", (year, year + 1), "year", *match.span())


_NAME = r"(?P<name>[A-Z][\w’'-]+)"
_MONTH = rf"(?P<name>{'|'.join(sorted(MONTHS, key=len, reverse=True))})\.?"
_ITEM = r"\(?\d+(?:\.\d+)*[a-z]?\)?(?![\w%])"
_LEAD = "|".join(sorted(map(re.escape, _LEADS), key=len, reverse=True))
_SPECIAL = [
    (re.compile(pattern), read)
    for pattern, read in (
        (r"(?:https?://|www\.|doi:)\S+|\b[\w.+-]+@[\w-]+\.[\w.]+", _skipped),
        (r"(?<!\w)\[\d+(?:\s*[,;–-]\s*\d+)*\]", _listed),
        (r"\((?=[^()]*[A-Z])[^()]*\d{4}[a-z]?[^()]*\)", _author_years),
        (rf"\b{_NAME}(?:\set\sal\.?|\s(?:and|&|und)\s[A-Z][\w’'-]+)?\s\((?P<year>\d{{4}})[a-z]?\)",
         _author_year),
        (rf"(?<!\w)(?i:(?P<lead>{_LEAD}))\.?\s?(?P<items>{_ITEM}"
         rf"(?:(?:\s?[–,-]\s?|\s(?:and|und|to|bis)\s){_ITEM})*)", _referred),
        (rf"\b(?:{'|'.join(STANDARDS.split())})(?:[ /-][A-Z]+)*[ -](?P<number>\d+)", _standard),
        (r"(?<![\w.])(?P<number>\d+)(?:st|nd|rd|th)\b", _ordinal),
        (rf"\b(?P<day>\d{{1,2}})\.?\s{_MONTH}\s(?P<year>\d{{4}})\b", _date),
        (rf"\b{_MONTH}\s(?P<day>\d{{1,2}}),\s(?P<year>\d{{4}})\b", _date),
        (r"(?<![\w-])(?P<year>\d{4})-(?P<month>\d\d)-(?P<day>\d\d)(?![\w-])", _date),
        (r"(?<![\w.])(?P<day>\d{1,2})\.(?P<month>\d{1,2})\.(?P<year>\d{4})(?![\w.]\w)", _date),
        (r"(?<![\w:.,])(?P<hour>[01]?\d|2[0-3]):(?P<minute>[0-5]\d)(?::[0-5]\d)?(?![\w:.]\d)",
         _time),
        (r"(?:(?<=\s)|^)\((?P<number>\d{1,2})\)(?=\s)", _item),
        (r"\bFY\s?(?P<year>\d{4})\b", _fiscal),
        (r"(?<![\w.,])(?P<year>1\d\d0|20\d0)[’']?s\b", _decade),
        (r"(?<![\w.,])(?P<year>(?:1[5-9]|20)\d\d)/(?P<short>\d\d)(?![\w/])", _season),
        (rf"\b(?:[Vv]ersion|[Rr]elease|v|{'|'.join(PROGRAMS.split())})\s?"
         r"(?P<number>\d+(?:\.\d+)*(?:-\d+)?)(?![\w,%])", _version),
        (r"(?<![\w.,-])(?P<number>\d+\.\d+\.\d+(?:[.-]\d+)*)(?!\w)", _version),
    )
]  # fmt: skip
"""Patterns of what is no amount, and what reads each; the first that matches a place has it."""
