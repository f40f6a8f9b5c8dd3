"""Titles that grids of values bear out: a change, a share, the largest or smallest value.

A claim holds by arithmetic or is not made: nothing is claimed of ties, of unknown ends, and of
languages whose words are not here.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from decklab.board.languages import primary_language
from decklab.documents.computed import Computed, number_text
from decklab.writer.table_series import Grid, Series, are_lines, axes_of, is_better_low, is_sum_line

_LONGEST_CLAIM: Final = 110
_LEAST_CHANGE, _MOST_CHANGE = 0.005, 1.0
"""Changes that are told in per cent; others by their ends. Ours."""
_PEAK: Final = 1.25
"""A value between the ends that is this many times both of them says more than a change. Ours."""
_OUTLIER: Final = 2.0
"""A value that is this many times the next stands out. Ours."""
_LEAST_FOR_OUTLIER: Final = 4
_LEAST_RANKED: Final = 3
"""Labels of which one is the highest; of two it is plain to see. Ours."""
_LEAST_SHARE: Final = 0.1
_MOST_TERMS: Final = 8


_PLACES: Final = re.compile(
    r"regions?|countr(?:y|ies)|cit(?:y|ies)|states?|markets?|areas?|towns?|districts?|years?"
    r"|quarters?|months?|ports?|stores?|departments?",
    re.IGNORECASE,
)
"""Headings of groups that something happens in."""
_PERSONS: Final = re.compile(r"\bage|gender|sex\b|persons?|respondents?|users?", re.IGNORECASE)


class _Words(NamedTuple):
    """Sentences of one language."""

    rose: str
    fell: str
    rose_from: str
    fell_from: str
    same: str
    share: str
    times: str
    lowest: str
    highest: str
    peak: str
    range: str
    above: str
    below: str
    highest_time: str
    lowest_time: str


_WORDS: Final = {
    "en": _Words(
        "{name} rose {change} from {first} to {last}",
        "{name} fell {change} from {first} to {last}",
        "{name} rose from {before} to {after} ({first} to {last})",
        "{name} fell from {before} to {after} ({first} to {last})",
        "{name} is {after} in {last}, as in {first}",
        "{name}: {label} has {share} ({part} of {all})",
        "{name}: {label} has {text}, {times} times the next",
        "{name}: {label} is lowest at {text}",
        "{name}: {label} is highest at {text}",
        "{name} peaked at {text} ({label})",
        "{name}: from {before} ({first}) to {after} ({last})",
        "{name}: {last} is {change} above {first}",
        "{name}: {last} is {change} below {first}",
        "{name} {verb} highest in {label}: {text}",
        "{name} {verb} lowest in {label}: {text}",
    ),
    "de": _Words(
        "{name}: Anstieg um {change} von {first} bis {last}",
        "{name}: Rückgang um {change} von {first} bis {last}",
        "{name}: Anstieg von {before} auf {after} ({first} bis {last})",
        "{name}: Rückgang von {before} auf {after} ({first} bis {last})",
        "{name}: {after} in {last} wie in {first}",
        "{name}: {share} entfallen auf {label} ({part} von {all})",
        "{name}: {label} hat den höchsten Wert ({text}), {times}-mal den nächsten",
        "{name}: {label} hat den niedrigsten Wert ({text})",
        "{name}: {label} hat den höchsten Wert ({text})",
        "{name}: Höchststand {text} ({label})",
        "{name}: von {before} ({first}) bis {after} ({last})",
        "{name}: {last} liegt {change} über {first}",
        "{name}: {last} liegt {change} unter {first}",
        "{name}: Höchststand {text} ({label})",
        "{name}: Tiefststand {text} ({label})",
    ),
    "fr": _Words(
        "{name} : hausse de {change} de {first} à {last}",
        "{name} : baisse de {change} de {first} à {last}",
        "{name} : hausse de {before} à {after} (de {first} à {last})",
        "{name} : baisse de {before} à {after} (de {first} à {last})",
        "{name} : {after} en {last} comme en {first}",
        "{name} : {label} représente {share} ({part} sur {all})",
        "{name} : {label} a la valeur la plus élevée ({text}), {times} fois la suivante",
        "{name} : {label} a la valeur la plus basse ({text})",
        "{name} : {label} a la valeur la plus élevée ({text})",
        "{name} : maximum de {text} ({label})",
        "{name} : de {before} ({first}) à {after} ({last})",
        "{name} : {last} dépasse {first} de {change}",
        "{name} : {last} est inférieur de {change} à {first}",
        "{name} : maximum de {text} ({label})",
        "{name} : minimum de {text} ({label})",
    ),
    "es": _Words(
        "{name}: aumento del {change} de {first} a {last}",
        "{name}: descenso del {change} de {first} a {last}",
        "{name}: aumento de {before} a {after} (de {first} a {last})",
        "{name}: descenso de {before} a {after} (de {first} a {last})",
        "{name}: {after} en {last}, igual que en {first}",
        "{name}: {label} representa el {share} ({part} de {all})",
        "{name}: {label} tiene el valor más alto ({text}), {times} veces el siguiente",
        "{name}: {label} tiene el valor más bajo ({text})",
        "{name}: {label} tiene el valor más alto ({text})",
        "{name}: máximo de {text} ({label})",
        "{name}: de {before} ({first}) a {after} ({last})",
        "{name}: {last} supera a {first} en un {change}",
        "{name}: {last} está un {change} por debajo de {first}",
        "{name}: máximo de {text} ({label})",
        "{name}: mínimo de {text} ({label})",
    ),
}


@dataclass(frozen=True)
class Claim:
    """A title that a table bears out, and the numbers in it that no cell holds."""

    text: str
    computed: tuple[Computed, ...] = ()


def claims_of(grid: Grid, document: str, table: int, language: str) -> Iterator[Claim]:
    """The claims of a grid, the most telling first; none if nothing is certain."""
    words = _WORDS.get(primary_language(language))
    if words is None:
        return
    said = grid.said or grid
    for shown in (said, grid) if said.ranged else (said,):
        teller = _Teller(shown, f"table {table}", document, language, words)
        for claim in teller.changes() if shown.times else teller.ranks():
            if len(claim.text) <= _LONGEST_CLAIM:
                yield claim


def _shown(series: Series, at: int, *, before: bool = False) -> str:
    """A value with its unit, as a person writes it: EUR 4.6 m, 12 %, 9.4 hours.

    The ``before`` of two needs no unit that follows: from 9.4 to 6.1 hours.
    """
    text, unit = series.texts[at], series.unit
    if not unit or series.kind == "rating" or re.search(r"[^\d.,'’\s−–+()-]", text):
        return text
    lead = re.match(r"(US\$|[$€£¥₹])\s?|([A-Z]{3})\s", unit + " ")
    if lead is None:
        return text if before else f"{text} {unit}"
    rest = unit[lead.end() :].strip()
    front = f"{lead[1]}{text}" if lead[1] else f"{lead[2]} {text}"
    return f"{front} {rest}".strip()


def _differ(series: Series, first: int, second: int) -> bool:
    """Whether two values differ, also as they are shown."""
    return series.values[first] != series.values[second] and (
        series.texts[first] != series.texts[second]
    )


def _verb(name: str) -> str:
    """The verb of an English name, by the end of its first noun.

    >>> _verb("Units"), _verb("Cost of repairs"), _verb("Access")
    ('are', 'is', 'is')
    """
    noun = re.split(r"\s(?:in|of|among|per|by|for|to)\s|\s?[(,/]", name)[0]
    return "are" if re.search(r"[^\Wsui]s\Z", noun) else "is"


def _has_letter(text: str) -> bool:
    return any(map(str.isalpha, text))


@dataclass(frozen=True)
class _Teller:
    grid: Grid
    where: str
    document: str
    language: str
    words: _Words

    def changes(self) -> Iterator[Claim]:
        """How series changed from their first to their last known time, or when they peaked.

        Those that share the axis of the first series come first, the largest change before others.
        """
        if not self.grid.ends:
            return
        axes = axes_of(self.grid.series)
        found = []
        for place, series in ((at, one) for at, axis in enumerate(axes) for one in axis):
            known = [at for at, value in enumerate(series.values) if value is not None]
            if _has_letter(self._name(series)) and len(known) > 1:
                before, after = series.values[known[0]] or 0.0, series.values[known[-1]] or 0.0
                size = abs(after - before)
                relative = size / abs(before) if before else 0.0
                found.append(((place, -size, -relative), series, known))
        for _, series, known in sorted(found, key=lambda item: item[0]):
            yield from self._over_time(series, known)

    def _over_time(self, series: Series, known: list[int]) -> Iterator[Claim]:
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
        yield from self._extreme_time(series, known)

    def _year_before(self, known: list[int]) -> int | None:
        """Where the month, week or quarter stands that is a year before the last; None if it is
        not known. Single days a year apart are of different weekdays."""
        last = self.grid.times[known[-1]]
        if not last.year or last.grain in ("day", "hour"):
            return None
        wanted = replace(last, year=last.year - 1)
        return next((at for at in known if self.grid.times[at] == wanted), None)

    def _extreme_time(self, series: Series, known: list[int]) -> Iterator[Claim]:
        """The time with the highest value; the lowest if several are highest and low counts."""
        if len(known) < _LEAST_RANKED:
            return
        order = sorted(known, key=lambda at: series.values[at] or 0.0)
        if _differ(series, order[-1], order[-2]) and (series.values[order[-1]] or 0.0) > 0:
            yield self._extreme(self.words.highest_time, series, order[-1])
        elif is_better_low(series.name) and _differ(series, order[0], order[1]):
            yield self._extreme(self.words.lowest_time, series, order[0])

    def _change(self, series: Series, first: int, last: int, *, beside: bool = False) -> Claim:
        before, after = series.values[first] or 0.0, series.values[last] or 0.0
        filled = {
            "name": self._name(series), "first": self.grid.labels[first],
            "last": self.grid.labels[last], "before": _shown(series, first, before=True),
            "after": _shown(series, last),
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

    def ranks(self) -> Iterator[Claim]:
        """Which label has the largest share or the largest or smallest value of a series.

        Lines of an account say nothing beside each other.
        """
        if are_lines(self.grid.labels):
            return
        for series in self.grid.series[:1] if self.grid.cut else self.grid.series:
            count = len(self.grid.labels) - self.grid.rest
            known = [
                (value, at) for at, value in enumerate(series.values[:count])
                if value is not None and (self.grid.ranged or not is_sum_line(self.grid.labels[at]))
            ]  # fmt: skip
            if (
                len(known) < (2 if self.grid.ranged else _LEAST_RANKED)
                or series.kind == "mixed"
                or not _has_letter(self._name(series))
            ):
                continue
            if not all(_has_letter(self._label(at)) for _, at in known):
                continue
            known.sort(reverse=True)
            places = [at for _, at in known]
            yield from (
                self._range(series, places) if self.grid.ranged else self._rank(series, places)
            )

    def _range(self, series: Series, places: list[int]) -> Iterator[Claim]:
        """Which option is the cheapest if the table is of cost; else the lowest and the highest."""
        top, bottom = places[0], places[-1]
        if not _differ(series, bottom, places[-2]):
            return
        if is_better_low(self.grid.topic):
            yield self._extreme(self.words.lowest, series, bottom)
        elif _differ(series, top, places[1]):
            ends = {"before": _shown(series, bottom, before=True), "after": _shown(series, top)}
            names = {"first": self._label(bottom), "last": self._label(top)}
            yield Claim(self.words.range.format(name=self._name(series), **ends, **names))

    def _rank(self, series: Series, places: list[int]) -> Iterator[Claim]:
        """Claims of labels from the one with the largest value to the one with the smallest."""
        values = [series.values[at] or 0.0 for at in places]
        top, bottom = places[0], places[-1]
        largest, second = values[0], values[1]
        leads = largest > 0 and _differ(series, top, places[1])
        many = len(values) >= _LEAST_FOR_OUTLIER
        stands_out = 0 < _OUTLIER * second <= largest
        if leads and series.total and largest >= _LEAST_SHARE * series.total:
            yield self._share(series, top)
        if leads and stands_out and many and series.kind not in ("share", "rating"):
            yield self._outlier(series, top, series.values.index(second), largest / second)
        fewest = 0 < _OUTLIER * values[-1] <= values[-2] and is_better_low(series.name)
        losses = largest <= 0 and _differ(series, bottom, places[-2])  # the deepest tells most
        if not self.grid.cut and (losses or (fewest and many and not stands_out)):
            yield self._extreme(self.words.lowest, series, bottom)
        if leads:
            yield self._extreme(self.words.highest, series, top)

    def _share(self, series: Series, at: int) -> Claim:
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
        claim = self.words.share.format(
            label=self._label(at), share=text, name=self._name(series), part=part, all=whole
        )
        bare = series.unit and not re.search(r"[^\W\d]|[$€£]", part)
        return Claim(f"{claim[:-1]} {series.unit})" if bare else claim, computed)

    def _outlier(self, series: Series, at: int, second: int, ratio: float) -> Claim:
        text = number_text(round(ratio, 1), self.grid.numbers)
        formula = f"{self._term(series, at)} / {self._term(series, second)}"
        claim = self.words.times.format(
            label=self._label(at), name=self._name(series), text=_shown(series, at), times=text
        )
        computed = self._computed(text, formula, series, (at, second))
        return Claim(claim, (computed, *self._of_cell(series, at)))

    def _extreme(self, form: str, series: Series, at: int) -> Claim:
        name = self._name(series)
        text = form.format(
            label=self._label(at), name=name, text=_shown(series, at), verb=_verb(name)
        )
        return Claim(text, self._of_cell(series, at))

    def _name(self, series: Series) -> str:
        """A series as the beginning of a sentence, with what its values are: Sales of tea."""
        measure, name = self.grid.measure, series.name
        if measure and name.islower() and measure.isalpha():
            name = f"{name} {measure.lower()}"
        elif measure and primary_language(self.language) == "en":
            persons = _PERSONS.search(self.grid.group)
            link = "among" if persons else "in" if _PLACES.search(self.grid.group) else "of"
            name = f"{measure} {link} {name}"
        elif measure:
            name = f"{measure} {name}"
        return name[0].upper() + name[1:] if name[:1].islower() and name.islower() else name

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

    def _term(self, series: Series, at: int) -> str:
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

    def _of_cell(self, series: Series, at: int) -> tuple[Computed, ...]:
        """The computed number behind a value; none if a cell has it."""
        if not series.formulas or not series.formulas[at]:
            return ()
        return (self._computed(series.texts[at], series.formulas[at], series, (at,)),)

    def _computed(
        self, text: str, formula: str, series: Series, labels: tuple[int, ...]
    ) -> Computed:
        rows = " and ".join(self.grid.labels[at] for at in labels)
        where = f"{self.where}, {rows}, {series.name}" if rows else f"{self.where}, {series.name}"
        return Computed(text, formula, self.document, " ".join(where.split()))
