"""Labels of time in tables: years, halves, quarters, months, weeks and days, and their order."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from decklab.documents.numbers import MONTHS

Grain = Literal["decade", "year", "half", "quarter", "month", "week", "day", "hour"]

COARSER: Final[dict[Grain, tuple[Grain, ...]]] = {
    "day": ("month", "quarter", "year", "decade"),
    "month": ("quarter", "year", "decade"),
    "quarter": ("year", "decade"),
    "half": ("year", "decade"),
    "week": ("year", "decade"),
    "year": ("decade",),
}
"""Grains that labels with a year can be gathered into, the finest first."""

_MONTH_NAMES = (
    "janvier janv enero ene gennaio gen janeiro januari",
    "février févr fév febrero febbraio fevereiro fev februari",
    "mars marzo março maart mrt mär mrz",
    "avril avr abril abr aprile",
    "mai mayo maggio mag maio mei",
    "juin junio giugno giu junho juni",
    "juillet juil julio luglio lug julho juli",
    "août agosto ago augustus",
    "septembre septiembre set settembre setembro september",
    "octobre octubre ottobre ott outubro out oktober",
    "novembre noviembre novembro november",
    "décembre déc diciembre dic dicembre dezembro december",
)
_MONTHS: Final = {name.casefold(): number for name, number in MONTHS.items()} | {
    name: number for number, names in enumerate(_MONTH_NAMES, start=1) for name in names.split()
}


@dataclass(frozen=True, order=True)
class TimeLabel:
    """A time as a label names it. Labels of one grain sort by time.

    ``year`` is 0 if the label has none; ``part`` counts the quarter, month, week or hour, and of a
    day its month; ``day`` is 0 for coarser grains, and of an hour its minute.
    """

    year: int
    part: int = 0
    day: int = 0
    grain: Grain = field(default="year", compare=False)

    def within(self, grain: Grain) -> "TimeLabel":
        """The coarser time that this one lies in; raises ValueError if it has no year."""
        if grain == self.grain:
            return self
        if not self.year or grain not in COARSER.get(self.grain, ()):
            raise ValueError(f"a {self.grain} lies in no {grain}")
        if grain == "decade":
            return TimeLabel(self.year // 10 * 10, grain="decade")
        month = self.part * 3 if self.grain == "quarter" else self.part
        part = {"month": month, "quarter": (month + 2) // 3}.get(grain, 0)
        return TimeLabel(self.year, part, grain=grain)

    @property
    def text(self) -> str:
        """The label without words of any language: ``2024``, ``2024-03``, ``Q1 2024``, ``1990s``.

        >>> TimeLabel(2024, 3, 9, "day").within("quarter").text
        'Q1 2024'
        """
        if self.grain == "decade":
            return f"{self.year}s"
        if self.grain == "quarter":
            return f"Q{self.part} {self.year}"
        return f"{self.year}-{self.part:02}" if self.grain == "month" else str(self.year)


_GAP = r"[\s/.,'’-]*"
_YEAR = r"(?:FY\s?)?(?P<year>(?:1[5-9]|20|21)\d\d)(?:\s?[eEpPfFaA]|\s?\*)?"
_AFTER = (
    rf"(?:{_GAP}(?:de |of |del )?{_YEAR}|\s?[/'’-]\s?(?P<short>\d\d)|(?<=[QHTS])(?P<near>\d\d))"
)
_NAME = rf"(?P<name>{'|'.join(sorted(map(re.escape, _MONTHS), key=len, reverse=True))})\.?"
_DAY = r"(?P<day>[0-3]?\d)"
_MONTH = r"(?P<part>0?[1-9]|1[0-2])"
_CLOCK = r"(?:[T ][0-2]?\d:[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?"
_COUNTED: Final[tuple[tuple[Grain, str, str, int], ...]] = (
    ("half", "H|HJ|S", "H|S|HJ|Halbjahr|half|semestre", 2),
    ("quarter", "Q|T|Quarter|Quartal|Trimestre|Trim", "Q|T|Quartal|quarter|trimestre|trim", 4),
    ("week", "W|KW|CW|Wk|Week|Woche|Semaine|Semana|Settimana", "Woche|week", 53),
)
_ALONE = re.compile(
    r"(?:Q[1-4]|[1-4]\.? ?(?:Q|Quartal|quarter)|(?:KW|CW|W|Wk|Week|Woche|Semaine|Semana) ?\d+)\Z",
    re.IGNORECASE,
)
"""Counted parts that need no year: T1, S1 and H1 are names of other things as well."""
_PASSED: Final[dict[str, Grain]] = {
    "year": "year", "jahr": "year", "année": "year", "año": "year", "month": "month",
    "monat": "month", "mois": "month", "mes": "month", "day": "day", "tag": "day",
    "jour": "day", "día": "day",
}  # fmt: skip


def _counted() -> Iterator[tuple[Grain, str]]:
    for grain, before, after, _ in _COUNTED:
        yield grain, rf"(?:{before})\.?\s?0?(?P<part>\d{{1,2}}){_AFTER}?"
        ordinal = r"(?:st|nd|rd|th|er|e|º|\.)?"
        yield grain, rf"(?P<part>\d{{1,2}}){ordinal}\s?(?:{after}){_AFTER}?"
        yield grain, rf"{_YEAR}{_GAP}(?:{before})\.?\s?0?(?P<part>\d{{1,2}})"


_PATTERNS: Final[tuple[tuple[Grain, str], ...]] = (
    ("year", _YEAR),
    ("year", r"FY\s?['’]?(?P<short>\d\d)"),
    ("year", r"(?P<year>(?:1[5-9]|20)\d\d)(?:\s?[/–]\s?\d\d|\s?[/–-]\s?\d{4})"),
    ("year", r"(?P<year>\d{4})年"),
    ("decade", r"(?P<year>(?:1\d|20)\d0)[’']?s"),
    *_counted(),
    ("month", rf"{_NAME}{_AFTER}?"),
    ("month", rf"{_YEAR}{_GAP}{_NAME}"),
    ("month", rf"(?P<year>\d{{4}})[-/.]{_MONTH}"),
    ("month", rf"{_MONTH}[/.-](?P<year>\d{{4}})"),
    ("month", r"(?:(?P<year>\d{4})年)?(?P<part>1?\d)月"),
    ("day", rf"(?P<year>\d{{4}})[-/.]{_MONTH}[-/.]{_DAY}{_CLOCK}"),
    ("day", rf"{_DAY}\.{_MONTH}\.(?:(?P<year>\d{{4}})|(?P<short>\d\d))?{_CLOCK}"),
    ("day", rf"{_DAY}(?:st|nd|rd|th|\.)?\s?(?:de )?{_NAME}(?:,?\s(?:de )?(?P<year>\d{{4}}))?"),
    ("day", rf"{_NAME}\s{_DAY}(?:st|nd|rd|th)?(?:,?\s(?P<year>\d{{4}}))?"),
    ("day", r"(?P<year>\d{4})年(?P<part>1?\d)月(?P<day>\d{1,2})日"),
    ("hour", r"(?P<part>[01]?\d|2[0-4]):(?P<day>[0-5]\d)"),
)
_FORMS: Final = [(grain, re.compile(pattern, re.IGNORECASE)) for grain, pattern in _PATTERNS]
_SLASHED = re.compile(rf"([0-3]?\d)[/-]([0-3]?\d)[/-](\d{{4}}|\d\d){_CLOCK}\Z")
_NUMBERED = re.compile(rf"({'|'.join(_PASSED)})\s(\d{{1,3}})\Z", re.IGNORECASE)


def read_time(text: str) -> TimeLabel | None:
    """The time that a label names; None for anything else.

    Days with slashes need their column: see ``read_times``.

    >>> read_time("Q3 2024"), read_time("Mär 2024").part, read_time("North")
    (TimeLabel(year=2024, part=3, day=0, grain='quarter'), 3, None)
    """
    label = " ".join(text.split())
    if not label or len(label) > 32:
        return None
    if passed := _NUMBERED.match(label):
        return TimeLabel(0, int(passed[2]), grain=_PASSED[passed[1].casefold()])
    for grain, form in _FORMS:
        if (match := form.fullmatch(label)) and (time := _read(grain, label, match.groupdict())):
            return time
    return None


def _read(grain: Grain, label: str, parts: dict[str, str | None]) -> TimeLabel | None:
    short = parts.get("short") or parts.get("near")
    year = int(parts.get("year") or 0) or (_full_year(int(short)) if short else 0)
    name = parts.get("name")
    part = _MONTHS[name.casefold()] if name else int(parts.get("part") or 0)
    day = int(parts.get("day") or 0)
    most = next((most for known, _, _, most in _COUNTED if known == grain), 0)
    if most and (not 1 <= part <= most or not (year or _ALONE.match(label))):
        return None
    if grain in ("month", "day") and not 1 <= part <= 12:
        return None
    if grain == "day" and not 1 <= day <= 31:
        return None
    return TimeLabel(year, part, day, grain)


def _full_year(short: int) -> int:
    return 2000 + short if short < 70 else 1900 + short


def read_times(cells: Sequence[str]) -> tuple[TimeLabel | None, ...] | None:
    """The times of a column, None for empty cells; None if a cell is no time.

    All have the same grain, and all name a year or none does. Of days such as 3/4/2024 the month
    is told by the days over 12, else by the order of the rows; if neither tells, it is no time.
    """
    filled = [cell.strip() for cell in cells if cell.strip()]
    if not filled or (not any(map(str.isdigit, "".join(filled))) and read_time(filled[0]) is None):
        return None
    known: dict[str, TimeLabel] = {}
    if all(map(_SLASHED.match, filled)):
        known = _slashed_days(filled)
    for cell in dict.fromkeys(filled):
        time = known.get(cell) or read_time(cell)
        if time is None:
            return None
        known[cell] = time
    if len({(time.grain, bool(time.year)) for time in known.values()}) > 1:
        return None
    return tuple(known.get(cell.strip()) for cell in cells)


def _slashed_days(cells: Sequence[str]) -> dict[str, TimeLabel]:
    """Days that are written with slashes, the month first or second; none if it cannot be told."""
    found = [(cell, match) for cell in cells if (match := _SLASHED.match(cell))]
    fitting = []
    for day, month in ((1, 2), (2, 1)):
        days = {
            cell: TimeLabel(
                int(match[3]) if len(match[3]) == 4 else _full_year(int(match[3])),
                int(match[month]), int(match[day]), "day",
            )
            for cell, match in found
        }  # fmt: skip
        if all(1 <= label.part <= 12 and 1 <= label.day <= 31 for label in days.values()):
            fitting.append(days)
    if len(fitting) > 1:
        order = [[days[cell] for cell in cells] for days in fitting]
        fitting = [
            days for days, labels in zip(fitting, order, strict=True)
            if labels in (sorted(labels), sorted(labels, reverse=True))
        ]  # fmt: skip
    return fitting[0] if len(fitting) == 1 else {}
