"""Numbers in sentences that a slide shows larger: a change from one to another, an amount."""

import re
from dataclasses import dataclass
from typing import Final

from decklab.documents.computed import Computed, number_text
from decklab.documents.numbers import (
    NO_UNITS,
    DecimalMark,
    StatedNumber,
    decimal_mark,
    parse_numbers,
)
from decklab.documents.table_times import read_time

_NUMBER: Final = (
    r"(?:US\$|[$€£¥]\s?|\b(?:USD|EUR|GBP|CHF)\s)?\d(?:[\d.,'’\u00a0\u202f]|\s(?=\d{3}\b))*(?<=\d)"
)
_ABOUT: Final = (
    r"(?:(?:about|around|some|etwa|rund|environ|unos|unas|the|its|all|insgesamt|los|las|les)\s)?"
)
_WORDS: Final = r"(?:\s?%|(?:\s|-)?[^\W\d][^\d.;:()]{0,30}?)?"
_FROM_TO: Final = re.compile(
    rf"\b(?:from|von|de|desde)\s{_ABOUT}(?P<first>{_NUMBER}{_WORDS})"
    rf"\s(?P<link>to|auf|à|a|hasta)\s{_ABOUT}(?P<second>{_NUMBER})(?P<rest>\s?%|\s?-?[^\W\d][\w’-]*)?",
    re.IGNORECASE,
)
_ENGLISH: Final = frozenset({"to", "of", "out of"})
_AUXILIARY: Final = re.compile(
    r"\s(?:is|are|was|were|has|have|had|been|will|be|ist|sind|wurden?|war|hat|haben|est|a|ont|été"
    r"|sont|ha|han|se)\Z",
    re.IGNORECASE,
)
_PRONOUN: Final = re.compile(
    r"(?:we|i|they|it|he|she|this|that|wir|sie|es|ich|nous|on|il|elle|nosotros|este|esto)\Z",
    re.IGNORECASE,
)
_YEAR: Final = re.compile(r"(?:1[5-9]|20|21)\d\d\Z")
_CHANGES: Final = re.compile(
    r"\b(?:rose|risen|rises?|grew|grown|grows?|fell|fallen|falls?|dropp?(?:ed|s)?|decreas\w+"
    r"|increas\w+|reduc\w+|cut|cuts|went|goes|improv\w+|shrank|shrunk|shrinks?|climb\w+|sank|sunk"
    r"|lower\w*|rais\w+|declin\w+|jump\w+|mov(?:ed|es?)|chang\w+|doubled|halved|slipp\w+|up|down"
    r"|shorten\w+|narrow\w+|expand\w+|stieg\w*|gestiegen|fiel\w*|gefallen|sank\w*|gesunken"
    r"|senk\w+|gesenkt|erhöh\w+|wuchs\w*|gewachsen|verkürz\w+|reduzier\w+|zurück\w*"
    r"|verringer\w+|verbesser\w+|sinkt|steigt|pass(?:e|é|ée|és|ées|ent|ait)|baiss\w+|augment\w+"
    r"|rédui\w+|chut\w+|diminu\w+|recul\w+|tomb\w+|progress\w+|pasó|bajó|bajaron|subió"
    r"|subieron|cayó|cayeron|aument\w+|disminuy\w+|redujo|creció|descend\w+)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class StatedChange:
    """A change that a sentence states: two numbers as it writes them, their unit, and its subject.

    ``unit`` is empty if the numbers have it with them, as money and per cent have; ``subject`` are
    the words before the verb, empty if it has none. ``claim`` is the sentence up to its amounts,
    empty if the verb follows these. ``computed`` is the change in per cent; None
    if it means nothing.
    """

    before: str
    after: str
    unit: str
    subject: str
    claim: str
    computed: Computed | None


def change_of(sentence: str, document: str) -> StatedChange | None:
    """The change that a sentence states as "from 9.4 to 6.1 hours"; None if it states none.

    The sentence has to say that something changed: "from 3 to 5 days" alone is a range.

    >>> change_of("The mean wait fell from 9.4 to 6.1 hours.", "a.md").computed.text
    '−35 %'
    """
    text = " ".join(sentence.split())
    verb, match = _CHANGES.search(text), _FROM_TO.search(text)
    if verb is None or match is None:
        return None
    mark = _mark_of(match, text)
    rest = match["rest"] or ""
    first, second = _read(match["first"], mark), _read(match["second"] + rest, mark)
    if first is None or second is None or _are_years(match["first"], match["second"] + rest):
        return None
    units = {number.unit for number in (first, second)} - {""}
    if len(units) > 1 or first.values[0] == second.values[0]:
        return None
    plain = {first.kind, second.kind} <= {"count", "year"}
    unit = rest.strip(" -") if plain and rest.strip(" -").casefold() not in NO_UNITS else ""
    before = match["first"].removesuffix(unit).strip() if unit else match["first"].strip()
    after = match["second"] if plain else text[match.start("second") :][: second.end]
    computed = None
    if "percent" not in (first.kind, second.kind):
        terms = _term(match["first"], first, mark), _term(match["second"], second, mark)
        computed = _percent_of(first.values[0], second.values[0], terms, document, text)
    if not plain and rest.strip() == "%" and "%" not in before:
        before = f"{before}{rest}"
    claim = text[: match.end()].strip() if verb.start() < match.start() else ""
    return StatedChange(
        before, after.strip(), unit, _subject(text, verb, match.start()), claim, computed
    )


def _subject(text: str, verb: re.Match[str], start: int) -> str:
    """The words before the verb; of "we cut the backlog from …" those after it."""
    if verb.start() >= start:
        return ""
    before = _AUXILIARY.sub("", text[: verb.start()].strip(" ,;:"))
    return text[verb.end() : start].strip(" ,;:") if _PRONOUN.match(before) else before


def _mark_of(match: re.Match[str], text: str) -> DecimalMark:
    """The decimal mark of a sentence, told by its words if its numbers do not show it."""
    return "." if match["link"].casefold() in _ENGLISH else "," if "." not in match["first"] else (
        decimal_mark(text) if re.search(r"\d\.\d{1,2}\b", text) else ","
    )  # fmt: skip


def _read(words: str, mark: DecimalMark) -> StatedNumber | None:
    found = parse_numbers(words, decimal=mark)
    known = found[0] if found and len(found[0].values) == 1 else None
    return known if known and known.kind in ("count", "money", "percent", "year") else None


def _are_years(first: str, second: str) -> bool:
    return bool(_YEAR.match(first) and _YEAR.match(second))


def _percent_of(
    low: float, high: float, terms: tuple[str, str], document: str, quote: str
) -> Computed | None:
    if low <= 0 or high < 0:
        return None
    change = 100 * (high - low) / low
    if not 0.5 <= abs(change) < 1000:
        return None
    text = f"{'−' if change < 0 else '+'}{abs(change):.0f} %"
    old, new = terms
    return Computed(text, f"({new} - {old}) / {old}", document, f"“{quote}”")


def _term(words: str, number: StatedNumber, mark: DecimalMark) -> str:
    """A number in a formula: its digits as written, or its value if a word scales these."""
    found = re.search(r"\d(?:[\d.,'’\u00a0\u202f ]*\d)?", words)
    digits = _read(found[0], mark) if found else None
    if found and digits and digits.values == number.values:
        return found[0]
    return number_text(number.values[0], "en" if mark == "." else "de")


_LABEL_CHARACTERS: Final = 18
_BOUND = re.compile(
    r"\b(?:after|before|for|from|since|than|until|up to|within|nach|vor|seit|bis|als|après|avant|"
    r"depuis|pendant|que|tras|desde|hasta|antes de)\s\Z",
    re.IGNORECASE,
)
"""What stands before an amount that a text does not state, but is bounded by."""


_JOINING = frozenset({"à", "a", "al", "bis", "to", "et", "und", "and", "or", "ou", "oder", "y"})
"""Words behind a number that join it to another one."""


def _is_month(word: str) -> bool:
    return bool(word) and read_time(f"{word} 2000") is not None


def amount_of(text: str) -> str:
    """The first amount of a text as it is written, with its unit; empty where it has none.

    Days of a month, and counts that only bound what the text is about, are no amounts.

    >>> amount_of("Sales fell by 12% in 2019"), amount_of("It took 4 days of work")
    ('12%', '4 days')
    >>> amount_of("We met on 4 May"), amount_of("We report it after 60 months")
    ('', '')
    """
    for item in parse_numbers(text):
        label = text[item.start : item.end]
        if item.unit in _JOINING:
            continue
        if item.kind == "count" and (_BOUND.search(text[: item.start]) or _is_month(item.unit)):
            continue
        if item.kind in ("percent", "money") or (item.kind == "count" and item.unit):
            if item.unit and label.isdigit() and item.kind == "count":
                follows = text[item.end :].split(maxsplit=1)
                label = f"{label} {item.unit}" if follows[:1] == [item.unit] else label
            return label if len(label) <= _LABEL_CHARACTERS else ""
    return ""
