"""Titles that grids of values bear out: a change, a share, the largest or smallest value.

A claim holds by arithmetic or is not made: nothing is claimed of ties, of unknown ends, and of
languages whose words are not here.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Final

from decklab.board.languages import primary_language
from decklab.documents.computed import Computed, number_text
from decklab.documents.table_times import read_time
from decklab.writer.claim_words import CLAIM_WORDS, ClaimWords
from decklab.writer.table_series import (
    WEIGHT,
    Grid,
    TableSeries,
    are_lines,
    axes_of,
    is_better_low,
    is_sum_line,
    without_label,
)

_LONGEST_CLAIM: Final = 110
_LEAST_CHANGE, _MOST_CHANGE = 0.005, 1.0
"""Changes that are told in per cent; others by their ends. Ours."""
_PEAK: Final = 1.25
"""A value between the ends that is this many times both of them says more than a change. Ours."""
_OUTLIER: Final = 2.0
"""A value that is this many times the next stands out. Ours."""
_LEAST_FOR_OUTLIER: Final = 4
_LEAST_SPREAD: Final = 0.05
"""Of the largest value, by which the smallest has to differ: who leads near-equal values is of no
interest. Ours."""
_LEAST_RANKED: Final = 3
"""Labels of which one is the highest; of two it is plain to see. Ours."""
_LEAST_SHARE: Final = 1 / 3
_LEAST_LEAD: Final = 1.2
"""How many times an equal share a share is that is of interest. Ours."""
_MOST_TERMS: Final = 8
_PLACES: Final = re.compile(
    r"regions?|countr(?:y|ies)|cit(?:y|ies)|states?|markets?|areas?|towns?|districts?|years?"
    r"|quarters?|months?|ports?|stores?|departments?",
    re.IGNORECASE,
)
"""Headings of groups that something happens in."""
_SUBJECTS: Final = re.compile(r"subjects?|topics?|reasons?|causes?|matters?", re.IGNORECASE)
_MONEY: Final = re.compile(
    r",?\s+in\s+(?P<unit>(?:(?:thousand|million|billion|mio\.|mrd\.|tsd\.)\s)?"
    r"(?:US\$|[$€£¥]|(?:EUR|USD|GBP|CHF|(?:euro|dollar|pound)s?)\b)"
    r"(?:\s(?:thousand|million|billion))?)",
    re.IGNORECASE,
)
_NO_MEASURE: Final = re.compile(
    r"\b(?:and|und|et|y|key|main|figures?|data|overview|results?|comparison|summary|evaluation|list"
    r"|statistics|numbers|schema|frequency|marks|scores|before|kennzahlen|überblick|vergleich"
    r"|ergebnisse)\b|[.:;]",
    re.IGNORECASE,
)
"""Words of captions that do not name one thing that is measured."""
_LONGEST_MEASURE: Final = 36
_NO_NAME: Final = re.compile(
    r"(?:of which|davon|dont|de los cuales)\b"
    r"|(?:for|against|abstained|yes|no|with|without|before|after|(?:per|pro|par|por|je) \w+)\Z"
    r"|(?:once|each .+|annual(?:ly)?|(?:year|month|phase|stage)(?: \d+)?)\Z"
    r"|(?:over|under|above|below|more than|less than|at (?:least|most)|up to) \d|.*, \w+ of \d",
    re.IGNORECASE,
)
_PLAN: Final = re.compile(
    r"plan(?:ned)?|budget(?:ed)?|soll|(?:kosten)?rahmen|(?:\w+ )?prévue?s?|previsto|presupuesto",
    re.IGNORECASE,
)
_SPENT: Final = re.compile(r"spent|spending|ausgegeben|dépensé|gastado", re.IGNORECASE)
_ACTUAL: Final = re.compile(
    r"actual|ist|réel|réalisé|real|forecast|prognose|prévision", re.IGNORECASE
)
_STATES: Final = re.compile(rf"{_PLAN.pattern}|{_SPENT.pattern}|{_ACTUAL.pattern}", re.IGNORECASE)
"""Headings of what was planned, of what is spent of it so far, and of what came of it."""
_STATE: Final = re.compile(
    rf"(?:{_STATES.pattern}|current|now|before|old|new|proposed|decided|agreed|bisher|aktuell|alt|neu"
    r"|vorschlag|beschlossen|actuel|ancien|nouveau|proposé|décidé|propuesta|aprobado)\Z",
    re.IGNORECASE,
)
"""Headings of one price before and after a decision: the highest of either is no message."""
_SCARCE: Final = re.compile(
    r"\b(?:weeks|days|months|hours) left\b|\b(?:wochen|tage|monate) (?:übrig|reichweite)\b"
    r"|reichweite",
    re.IGNORECASE,
)
"""Headings of how long a stock lasts, of which the shortest matters."""
_MEASURE: Final = re.compile(r"\d[\d.,]*\s?(?:[^\W\d_]{1,3}\b\.?|[%°\"])")
"""Labels that are amounts with units, of which the largest has the largest of all."""
_COUNTED_TIME: Final = re.compile(
    r"(?:year|month|week|day|jahr|monat|woche|tag)\W*\d", re.IGNORECASE
)
_PERSONS: Final = re.compile(r"\bage|gender|sex\b|persons?|respondents?|users?", re.IGNORECASE)


@dataclass(frozen=True)
class Claim:
    """A title that a table bears out, and the numbers in it that no cell holds."""

    text: str
    computed: tuple[Computed, ...] = ()
    ranks: bool = False
    """Whether it only says which label has most or least of something."""


def claims_of(grid: Grid, document: str, table: int, language: str) -> Iterator[Claim]:
    """The claims of a grid, the most telling first; none if nothing is certain."""
    words = CLAIM_WORDS.get(primary_language(language))
    if words is None:
        return
    said = grid.said or grid
    measure, group, unit = _captioned(grid.caption)
    for shown in (said, grid) if said.ranged else (said,):
        series = tuple(
            replace(one, unit=unit) if not one.unit and one.kind in ("count", "measure") else one
            for one in shown.series
        )
        read = replace(shown, series=series)
        teller = _Teller(read, f"table {table}", document, language, words, measure, group)
        ranks = (replace(claim, ranks=True) for claim in teller.ranks())
        found = teller.changes() if shown.times else chain(teller.plans(), ranks)
        for claim in found:
            if len(claim.text) <= _LONGEST_CLAIM:
                yield claim


def _captioned(caption: str) -> tuple[str, str, str]:
    """What a caption says that all numbers measure, by which groups, and in which money.

    >>> _captioned("Table 3: Complaints by subject"), _captioned("Cost by item in thousand $")
    (('Complaints', 'subject', ''), ('Cost', 'item', '(thousand $)'))
    """
    text = without_label(" ".join(caption.split()))
    money = _MONEY.search(text)
    unit = ""
    if money is not None:
        unit, text = money["unit"], text[: money.start()]
        unit = f"({unit})" if " " in unit or len(unit) > 3 else unit
    measure, _, group = re.split(r",\s|\s\(", text)[0].strip(" .").partition(" by ")
    if _NO_MEASURE.search(measure) or len(measure) > _LONGEST_MEASURE:
        measure = ""
    return measure, group, unit


def _shown(series: TableSeries, at: int, *, before: bool = False) -> str:
    """A value with its unit, as a person writes it: EUR 4.6 m, 12 %, 9.4 hours.

    The ``before`` of two needs no unit that follows: from 9.4 to 6.1 hours.
    """
    text, unit = series.texts[at], series.unit
    if not unit or series.kind == "rating" or re.search(r"[^\d.,'’\s−–+()-]", text):
        return text
    return _with_unit(text, unit, before=before)


def _with_unit(text: str, unit: str, *, before: bool = False) -> str:
    if not unit:
        return text
    lead = re.match(r"(US\$|[$€£¥₹])\s?|(EUR|USD|GBP|CHF|SEK|NOK|DKK|PLN|CZK|JPY)\s", unit + " ")
    if lead is None:
        return text if before else f"{text} {unit}"
    rest = unit[lead.end() :].strip()
    front = f"{lead[1]}{text}" if lead[1] else f"{lead[2]} {text}"
    return f"{front}{'' if lead[1] and len(rest) == 1 else ' '}{rest}".strip()


def _differ(series: TableSeries, first: int, second: int) -> bool:
    """Whether two values differ, also as they are shown."""
    return series.values[first] != series.values[second] and (
        series.texts[first] != series.texts[second]
    )


def _are_apart(values: Sequence[float]) -> bool:
    """Whether the largest and the smallest of some values differ by enough to be of interest."""
    largest = max(map(abs, values), default=0.0)
    return max(values) - min(values) >= _LEAST_SPREAD * largest


def _verb(name: str) -> str:
    """The verb of an English name, by the end of its first noun.

    >>> _verb("Units"), _verb("Cost of repairs"), _verb("Access")
    ('are', 'is', 'is')
    """
    ends = r"\s(?:in|of|among|about|per|by|for|to|sold|paid|\w+ed)\b|\s?[(,/]|\s\d"
    noun = re.split(ends, name)[0]
    return "are" if re.search(r"[^\Wsui]s\Z", noun) else "is"


def _stems(text: str) -> list[str]:
    return [word[:5] for word in re.findall(r"\w{3,}", text.casefold())]


def _lower(name: str) -> str:
    """A name inside a sentence: its first letter is small unless it is an abbreviation."""
    return name[:1].lower() + name[1:] if name[1:2].islower() else name


def _has_letter(text: str) -> bool:
    return any(map(str.isalpha, text))


def _is_name(text: str) -> bool:
    """Whether a name says what is measured: A, "against" and "per year" do not by themselves."""
    letters = sum(map(str.isalpha, text))
    return _NO_NAME.match(text) is None and (letters > 1 or (letters > 0 and not text.isascii()))


@dataclass(frozen=True)
class _Teller:
    grid: Grid
    where: str
    document: str
    language: str
    words: ClaimWords
    measure: str
    """The measure of the numbers by the caption, and the groups; empty if it names none."""
    by: str

    def changes(self) -> Iterator[Claim]:
        """How series changed from their first to their last known time, or when they peaked.

        Those that share the axis of the first series come first, the largest change before others;
        of more than two axes the largest in per cent.
        """
        if not self.grid.ends:
            return
        axes = axes_of(self.grid.series, over_time=bool(self.grid.times))
        found = []
        for place, series in ((at, one) for at, axis in enumerate(axes) for one in axis):
            known = [at for at, value in enumerate(series.values) if value is not None]
            if _is_name(self._name(series)) and len(known) > 1:
                before, after = series.values[known[0]] or 0.0, series.values[known[-1]] or 0.0
                size = abs(after - before)
                relative = size / abs(before) if before else 0.0
                order = (place, -size, -relative)
                found.append(((0, -relative, 0) if len(axes) > 2 else order, series, known))
        for _, series, known in sorted(found, key=lambda item: item[0]):
            yield from self._over_time(series, known)

    def _over_time(self, series: TableSeries, known: list[int]) -> Iterator[Claim]:
        """What changed from the first year or quarter of a year to the last; of other parts of
        years the last beside the same one a year before, or the highest."""
        grain = self.grid.times[0].grain
        years = {self.grid.times[at].year for at in known}
        if grain in ("year", "decade") or (grain in ("quarter", "half") and len(years) == 1):
            top = max(known, key=lambda at: series.values[at] or 0.0)
            ends = [series.values[at] or 0.0 for at in (known[0], known[-1])]
            highest = series.values[top] or 0.0
            if highest > _PEAK * max(ends) > 0 and series.values.count(highest) == 1:
                yield self._extreme(self.words.peak, series, top)
            yield self._change(series, known[0], known[-1])
            return
        before = self._year_before(known)
        if before is not None:
            yield self._change(series, before, known[-1], beside=True)
        elif len(self.grid.series) > 1 and grain in ("quarter", "half"):
            # the highest value of one series says nothing of the others
            yield self._change(series, known[0], known[-1])
        yield from self._extreme_time(series, known)

    def _year_before(self, known: list[int]) -> int | None:
        """Where the month, week or quarter stands that is a year before the last; None if it is
        not known. Single days a year apart are of different weekdays."""
        last = self.grid.times[known[-1]]
        if not last.year or last.grain in ("day", "hour"):
            return None
        wanted = replace(last, year=last.year - 1)
        return next((at for at in known if self.grid.times[at] == wanted), None)

    def _extreme_time(self, series: TableSeries, known: list[int]) -> Iterator[Claim]:
        """The time with the highest value; the lowest if several are highest and low counts."""
        if len(known) < _LEAST_RANKED:
            return
        order = sorted(known, key=lambda at: series.values[at] or 0.0)
        if _differ(series, order[-1], order[-2]) and (series.values[order[-1]] or 0.0) > 0:
            if self._leads(series):
                yield self._extreme(self.words.highest_time, series, order[-1])
        elif is_better_low(series.name) and _differ(series, order[0], order[1]):
            yield self._extreme(self.words.lowest_time, series, order[0])

    def _leads(self, series: TableSeries) -> bool:
        """Whether no other group of the same values has a higher one."""
        return not self.grid.measure or series.largest >= max(
            other.largest for other in self.grid.series
        )

    def _change(self, series: TableSeries, first: int, last: int, *, beside: bool = False) -> Claim:
        before, after = series.values[first] or 0.0, series.values[last] or 0.0
        filled = {
            "name": self._name(series), "first": self.grid.labels[first],
            "last": self.grid.labels[last], "before": _shown(series, first, before=True),
            "after": _shown(series, last), "verb": _verb(self._name(series)),
        }  # fmt: skip
        ends = (*self._of_cell(series, first), *self._of_cell(series, last))
        if before == after:
            return Claim(self.words.same.format(**filled), self._of_cell(series, last))
        change = (after - before) / before if before > 0 and after >= 0 else 0.0
        if series.kind in ("share", "rating") or not _LEAST_CHANGE <= abs(change) <= _MOST_CHANGE:
            form = self.words.rose_from if after > before else self.words.fell_from
            return Claim(form.format(**filled), ends)
        rose, fell = (
            (self.words.above, self.words.below) if beside else (self.words.rose, self.words.fell)
        )
        form = rose if after > before else fell
        text = self._percent(abs(change))
        high, low = (last, first) if after > before else (first, last)
        difference = f"({self._term(series, high)} - {self._term(series, low)})"
        formula = f"{difference} / {self._term(series, first)}"
        computed = self._computed(text, formula, series, (first, last))
        return Claim(form.format(**filled, change=text), (computed,))

    def plans(self) -> Iterator[Claim]:
        """How much of a plan is spent, or how far all that came of it is from it."""
        found = [
            next((one for one in self.grid.series if words.fullmatch(one.name) and one.total), None)
            for words in (_PLAN, _SPENT, _ACTUAL)
        ]
        plan, spent, actual = found
        other = spent or actual
        if plan is None or other is None or plan.unit != other.unit:
            return
        assert plan.total and other.total, "only such series were taken"
        share = other.total / plan.total if spent else abs(other.total / plan.total - 1)
        if not _LEAST_CHANGE <= share <= 1 or self.grid.shown:
            return
        high, low = (other, plan) if other.total > plan.total else (plan, other)
        formula = (
            f"{other.total_formula} / {plan.total_formula}" if spent else
            f"({high.total_formula} - {low.total_formula}) / {plan.total_formula}"
        )  # fmt: skip
        part, whole = (number_text(one.total or 0.0, self.grid.numbers) for one in (other, plan))
        text = self._percent(share)
        computed = (
            self._computed(text, formula, other, ()),
            self._computed(part, other.total_formula, other, ()),
            self._computed(whole, plan.total_formula, plan, ()),
        )
        over = self.words.over if other.total > plan.total else self.words.under
        form = self.words.spent if spent else over
        named = self.words.total.format(measure=_lower(self.measure))
        total = named if self.measure else other.name
        yield Claim(form.format(
            share=text, plan=_lower(plan.name), name=total, verb=_verb(total),
            part=_with_unit(part, other.unit, before=True), all=_with_unit(whole, plan.unit),
        ), computed)  # fmt: skip

    def ranks(self) -> Iterator[Claim]:
        """Which label has the largest share or the largest or smallest value of a series.

        Lines of an account say nothing beside each other.
        """
        if are_lines(self.grid.labels) or all(map(_MEASURE.match, self.grid.labels)):
            return
        names = [series.name for series in self.grid.series]
        if any(map(WEIGHT.fullmatch, names)):  # what a criterion counts says nothing of the options
            return
        if sum(_STATE.match(name) is not None for name in names) > 1 and not any(
            s.total for s in self.grid.series
        ):
            return
        count = len(self.grid.labels) - self.grid.rest
        ranked: list[tuple[bool, TableSeries, list[int]]] = []
        for series in self.grid.series[:1] if self.grid.cut else self.grid.series:
            known = [
                (value, at) for at, value in enumerate(series.values[:count])
                if value is not None and (self.grid.ranged or not is_sum_line(self.grid.labels[at]))
            ]  # fmt: skip
            if (
                len(known) < (2 if self.grid.ranged else _LEAST_RANKED)
                or series.kind == "mixed"
                or not _is_name(self._name(series))
            ):
                continue
            if not all(_has_letter(self._label(at)) for _, at in known):
                continue
            known.sort(reverse=True)
            stands_out = 0 < _OUTLIER * known[1][0] <= known[0][0]
            ranked.append((not stands_out, series, [at for _, at in known]))
        if ranked and not (
            ranked[0][1].total and self._has_parts()
        ):  # trouble first, and what stands out
            ranked.sort(key=lambda item: (not is_better_low(item[1].name), item[0]))
        for _, series, places in ranked:
            yield from (
                self._range(series, places) if self.grid.ranged else self._rank(series, places)
            )

    def _range(self, series: TableSeries, places: list[int]) -> Iterator[Claim]:
        """Which option is the cheapest if the table is of cost; else the lowest and the highest."""
        top, bottom = places[0], places[-1]
        values = [series.values[at] or 0.0 for at in places]
        if not _differ(series, bottom, places[-2]) or not _are_apart(values):
            return
        if is_better_low(self.grid.topic):
            yield self._extreme(self.words.lowest, series, bottom)
        elif _differ(series, top, places[1]):
            ends = {"before": _shown(series, bottom, before=True), "after": _shown(series, top)}
            names = {"first": self._label(bottom), "last": self._label(top)}
            name = self._name(series)
            yield Claim(self.words.range.format(name=name, verb=_verb(name), **ends, **names))

    def _rank(self, series: TableSeries, places: list[int]) -> Iterator[Claim]:
        """Claims of labels from the one with the largest value to the one with the smallest."""
        values = [series.values[at] or 0.0 for at in places]
        top, bottom = places[0], places[-1]
        if self.grid.alternatives:  # the highest of them is not the best
            if is_better_low(series.name) and _differ(series, bottom, places[-2]):
                yield self._extreme(self.words.lowest, series, bottom)
            return
        largest, second = values[0], values[1]
        leads = largest > 0 and _differ(series, top, places[1])
        if _PLAN.match(series.name):
            return
        many = len(values) >= _LEAST_FOR_OUTLIER
        stands_out = 0 < _OUTLIER * second <= largest
        if _SCARCE.search(series.name) and _differ(series, bottom, places[-2]):
            yield self._extreme(self.words.lowest, series, bottom)
            return
        least = max(_LEAST_SHARE, _LEAST_LEAD / len(values)) * (series.total or 0.0)
        alone = len(self.grid.series) == 1
        whole = series.total and self._has_parts() and (alone or _STATE.match(series.name) is None)
        if leads and whole and largest >= least:
            yield self._share(series, top)
        if leads and stands_out and many and series.kind not in ("share", "rating"):
            yield self._outlier(series, top, series.values.index(second), largest / second)
        fewest = 0 < _OUTLIER * values[-1] <= values[-2] and is_better_low(series.name)
        losses = largest <= 0 and _differ(series, bottom, places[-2])  # the deepest tells most
        if not self.grid.cut and (losses or (fewest and many and not stands_out)):
            yield self._extreme(self.words.lowest, series, bottom)
        telling = stands_out or is_better_low(series.name) or is_better_low(self.grid.topic)
        if leads and (telling or alone) and _are_apart(values):
            yield self._extreme(self.words.highest, series, top)

    def _has_parts(self) -> bool:
        """Whether the labels can have a share: years in which things were bought cannot."""
        labels = [label for label in self.grid.labels if not _COUNTED_TIME.match(label)]
        return any(read_time(label) is None for label in labels)

    def _share(self, series: TableSeries, at: int) -> Claim:
        assert series.total is not None, "the caller saw one"
        text = self._percent((series.values[at] or 0.0) / series.total)
        part, total = series.texts[at], number_text(series.total, self.grid.numbers)
        around = re.fullmatch(r"([^\d.,\s−-]*\s?)[\d.,'’\s]*\d(\s?[^\d\s]*)", part)
        scaled = re.search(r"\d\s?[a-zA-Z]", part)
        whole = f"{around[1]}{total}{around[2]}" if around and not scaled else total
        sums = series.total_formula
        terms = [self._term(series, one) for one in range(len(series.values))]
        if (
            not self.grid.rest
            and not series.formulas
            and len(terms) <= _MOST_TERMS
            and not self.grid.shown
        ):
            sums = " + ".join(terms)
        computed = (
            self._computed(text, f"{self._term(series, at)} / ({sums})", series, (at,)),
            self._computed(whole, sums, series, ()),
            *self._of_cell(series, at),
        )
        label, name = self._label(at), self._name(series)
        has = "have" if _verb(label) == "are" else "has"
        claim = self.words.share.format(
            label=label, has=has, share=text, name=name, part=part, all=whole, lower=_lower(name)
        )
        claim = claim.replace(" of the all ", " of all ")
        claim = claim[0].upper() + claim[1:] if label.islower() else claim
        bare = series.unit and not re.search(r"[^\W\d]|[$€£]", part)
        return Claim(f"{claim[:-1]} {series.unit})" if bare else claim, computed)

    def _outlier(self, series: TableSeries, at: int, second: int, ratio: float) -> Claim:
        text = number_text(round(ratio, 1), self.grid.numbers)
        formula = f"{self._term(series, at)} / {self._term(series, second)}"
        claim = self.words.times.format(
            label=self._label(at), name=self._name(series), text=_shown(series, at), times=text,
            verb=_verb(self._name(series)),
        )  # fmt: skip
        computed = self._computed(text, formula, series, (at, second))
        return Claim(claim, (computed, *self._of_cell(series, at)))

    def _extreme(self, form: str, series: TableSeries, at: int) -> Claim:
        name = self._name(series)
        if self.grid.times and self.grid.times[0].grain == "day":
            form = form.replace(" in {label}", " on {label}")
        long = re.fullmatch(r"\d{5,}", series.texts[at])
        value = number_text(series.values[at] or 0.0, self.grid.numbers) if long else ""
        shown = _with_unit(value, series.unit) if long else _shown(series, at)
        text = form.format(label=self._label(at), name=name, text=shown, verb=_verb(name))
        return Claim(text, self._of_cell(series, at))

    def _name(self, series: TableSeries) -> str:
        """A series as the beginning of a sentence, with what its values are: Sales of tea."""
        measure, group, name = self.grid.measure, self.grid.group, series.name
        if primary_language(self.language) == "en" and self.grid.shown.startswith("means by"):
            return f"Mean of “{name}”"
        if not measure and self.measure and not set(_stems(self.measure)) & set(_stems(name)):
            turned = not self.grid.heading
            alike = len(self.grid.series) > 2 and len({one.unit for one in self.grid.series}) == 1
            if turned and is_sum_line(name):
                total = self.words.total.format(measure=_lower(self.measure))
                return total[0].upper() + total[1:]
            if turned:
                measure, group = self.measure, self.by
            elif _STATES.fullmatch(name) or alike:
                name = f"{self.measure} ({_lower(name)})"
            elif set(_stems(self.by)) & set(_stems(self.grid.heading)) and " per " not in name:
                measure, name, group = name, _lower(self.measure), ""
        if measure and name.islower() and measure.isalpha() and measure == self.grid.measure:
            name = f"{name} {measure.lower()}"
        elif measure and re.search(r"\s(?:of|for|per|in|to|je|von|de|par|por)\s", measure):
            name = f"{measure} ({name})"
        elif measure and primary_language(self.language) == "en":
            about = _SUBJECTS.fullmatch(group)
            persons, places = _PERSONS.search(group), _PLACES.search(group)
            link = "about" if about else "among" if persons else "in" if places else "of"
            name = f"{measure} {link} {_lower(name) if about else name}"
        elif measure:
            name = f"{measure} {name}"
        name = re.sub(r"\s(usd|eur|gbp|chf)\Z", lambda found: f" ({found[1].upper()})", name)
        first = re.match(r"[^\W\d_]+", name)
        return name[0].upper() + name[1:] if first and first[0].islower() else name

    def _label(self, at: int) -> str:
        """A label; with its heading if it is a number, such as Gate 4."""
        label = self.grid.labels[at]
        return (
            label
            if self.grid.times or _has_letter(label)
            else f"{self.grid.heading} {label}".strip()
        )

    def _percent(self, share: float) -> str:
        decimals = 0 if share >= 0.0095 else 1
        number = f"{100 * share:.{decimals}f}"
        mark = "." if primary_language(self.language) == "en" else ","
        return f"{number.replace('.', mark)} %"

    def _term(self, series: TableSeries, at: int) -> str:
        """A value in a formula: the numeral of its cell, or the formula of a computed one."""
        if series.formulas and series.formulas[at]:
            return series.formulas[at]
        text = series.texts[at].strip()
        if re.fullmatch(r"[-−–]?\d[\d.,'’\u00a0\u202f]*|\d", text):
            return text.replace("−", "-").replace("–", "-")
        numeral = re.search(r"\d(?:[\d.,'’\u00a0\u202f]*\d)?", text)
        value = series.values[at] or 0.0
        scaled = re.search(r"\d\s?[a-zA-Z]", text)
        if numeral and not scaled:
            return ("-" if value < 0 else "") + numeral[0]
        return number_text(value, self.grid.numbers)

    def _of_cell(self, series: TableSeries, at: int) -> tuple[Computed, ...]:
        """The computed number behind a value; none if a cell has it."""
        if not series.formulas or not series.formulas[at]:
            return ()
        return (self._computed(series.texts[at], series.formulas[at], series, (at,)),)

    def _computed(
        self, text: str, formula: str, series: TableSeries, labels: tuple[int, ...]
    ) -> Computed:
        rows = " and ".join(self.grid.labels[at] for at in labels)
        where = f"{self.where}, {rows}, {series.name}" if rows else f"{self.where}, {series.name}"
        return Computed(text, formula, self.document, " ".join(where.split()))
