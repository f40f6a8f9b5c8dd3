"""How far scores agree with people, for readers: a page, or a table on a terminal."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from decklab.core.results import NotScored, reason_of, value_or_none
from decklab.evals.agreement.agree import AGREEMENT_PAGE, PeopleAgreement
from decklab.evals.agreement.annotators import AnnotatorAgreement, Coefficient
from decklab.evals.agreement.rankings import RankAgreement, best_first
from decklab.metrics.statistics import Interval
from decklab.pages.page import output_page, write_page
from decklab.pages.terminal import plain_table, print_parts
from decklab.pages.wording import clean, counted, shown

_WIDTH: Final = 240
_MARGIN: Final = 8
_MOST_TOLD: Final = 20
"""Faults that a page or a terminal lists; ours."""

_COEFFICIENTS: Final = (
    ("Kendall's W", "w", "Whether annotators put the products of a topic in one order: 0 to 1."),
    ("Krippendorff's alpha", "alpha", "The same beyond chance, also with partial rankings."),
    ("Spearman's rho of pairs", "rho", "Mean over pairs of annotators, within topics."),
    ("Pairs in the same order", "pairwise", "Of the pairs that two annotators both ordered."),
)
_ICCS: Final = (
    ("ICC(1,1)", "one_way", "One annotator; each product may have others."),
    ("ICC(2,1)", "two_way_random", "One annotator, who stands for others."),
    ("ICC(3,1)", "two_way_fixed", "One annotator of these."),
    ("ICC(1,k)", "one_way_mean", "Their mean; each product may have others."),
    ("ICC(2,k)", "two_way_random_mean", "Their mean, standing for others."),
    ("ICC(3,k)", "two_way_fixed_mean", "The mean of these."),
)


def write_agreement_page(path: str | Path, agreement: PeopleAgreement) -> None:
    """Write one page with how far each metric agrees with people, and people with each other.

    It is written whole or not at all, loads nothing and works without JavaScript.
    """
    people = value_or_none(agreement.people)
    tuned = value_or_none(agreement.tuning)
    with output_page(path, AGREEMENT_PAGE) as page:
        write_page(
            page,
            AGREEMENT_PAGE,
            "open-for-print.js",
            package="decklab.evals.agreement",
            found=agreement,
            lead=_lead(agreement),
            people=people,
            title_of=lambda row: agreement.labels.get(row.metric, row.metric),
            note_of=partial(_note, agreement),
            value_of=_value,
            share_of=_share,
            interval_of=_interval,
            at=_at,
            coefficients=list(_coefficients(agreement.annotators)),
            ablation=best_first(agreement.ablation),
            dimensions=[row.metric for row in agreement.ablation if " + " not in row.metric],
            tuning=tuned,
            no_tuning=reason_of(agreement.tuning),
            held_out=_held_out(agreement),
            axis=[(_at(value), f"{value:g}") for value in (-1.0, -0.5, 0.0, 0.5, 1.0)],
            width=_WIDTH,
            most=_MOST_TOLD,
        )


def _held_out(agreement: PeopleAgreement) -> tuple[str, str]:
    """Value of a selection on topics held out, and the best single metric there."""
    chosen = agreement.selection
    return ("", "") if chosen is None else (_share(chosen.held_out), _share(chosen.single))


def _lead(agreement: PeopleAgreement) -> str:
    best = agreement.metrics[0]
    if isinstance(best.rho, NotScored):
        return f"No metric can be compared: {best.rho.reason}."
    title = agreement.labels.get(best.metric, best.metric)
    words = f"Nearest to people is {title}, with a mean rank correlation of {best.rho:.2f}"
    people = agreement.people
    if isinstance(people, NotScored) or isinstance(people.rho, NotScored):
        return f"{words}."
    return f"{words}; one person beside the others has {people.rho:.2f}."


def _note(agreement: PeopleAgreement, row: RankAgreement) -> str:
    neutral = "neither more nor less of it is better by itself"
    return reason_of(row.rho) or (neutral if row.metric in agreement.neutral else "")


def _at(rho: float) -> float:
    return round(_MARGIN + (rho + 1) / 2 * (_WIDTH - 2 * _MARGIN), 1)


def _value(value: float | NotScored) -> str:
    return shown(value).replace("-", "−")


def _share(value: float | NotScored) -> str:
    return shown(value, ".1%")


def _interval(value: Interval | NotScored, *, percent: bool = False) -> str:
    if isinstance(value, NotScored):
        return "–"
    low, high = value
    if percent:
        return f"{low:.0%} to {high:.0%}"
    return f"{_value(low)} to {_value(high)}"


def _coefficients(rated: AnnotatorAgreement | NotScored) -> Iterator[tuple[str, Coefficient, str]]:
    """Name and meaning of each coefficient between annotators."""
    if isinstance(rated, NotScored):
        return
    yield from ((name, getattr(rated, field), meaning) for name, field, meaning in _COEFFICIENTS)
    icc = rated.icc
    if isinstance(icc, NotScored):
        yield "ICC", Coefficient.none(icc.reason), ""
    else:
        yield from ((name, getattr(icc, field), meaning) for name, field, meaning in _ICCS)


def print_agreement(agreement: PeopleAgreement, console: Console) -> None:
    """Print how each metric agrees with people, what else was asked for, and what was left out."""
    print_parts(_printed(agreement), console)


def _printed(agreement: PeopleAgreement) -> Iterator[Table | Text]:
    yield Text(
        f"{counted(agreement.topics, 'topic')}, {counted(agreement.products, 'ranked product')}, "
        f"{counted(agreement.rankings, 'ranking')}"
    )
    people = () if isinstance(agreement.people, NotScored) else (agreement.people,)
    yield _table("metric", {row.metric: row for row in (*agreement.metrics, *people)})
    if isinstance(agreement.people, NotScored):
        yield Text(f"people beside people: not scored: {agreement.people.reason}")
    if isinstance(agreement.annotators, NotScored):
        yield Text(f"annotators: not scored: {agreement.annotators.reason}")
    else:
        yield Text("\nannotators with each other", style="bold")
        for name, coefficient, _ in _coefficients(agreement.annotators):
            known = not isinstance(coefficient.interval, NotScored)
            interval = f"  ({_interval(coefficient.interval)})" if known else ""
            yield Text(f"  {name:<24} {_value(coefficient.value)}{interval}")
    if agreement.ablation:
        yield Text("\nsums of dimensions", style="bold")
        sums = best_first(agreement.ablation)
        yield _table("sum of", {re.sub(r"\.score(?= \+|$)", "", row.metric): row for row in sums})
    yield from _printed_choice(agreement)
    yield from _told("left out", agreement.faults)
    yield from _told("ranked and without a score", agreement.missing)
    yield from _told("not scored", agreement.not_scored)


def _printed_choice(agreement: PeopleAgreement) -> Iterator[Text]:
    chosen, tuned = agreement.selection, agreement.tuning
    if chosen is not None:
        yield Text("\nmetrics that predict people's judgements together", style="bold")
        for step in chosen.steps:
            yield Text(f"  {step.pairwise:.1%} with {clean(step.metric)}")
        for left in chosen.left_out:
            yield Text(f"  not {clean(left.metric)}: {clean(left.why)}", style="dim")
        held, single = _held_out(agreement)
        yield Text(f"  on topics held out {held}; the best single metric {single}")
    if isinstance(tuned, NotScored):
        yield Text(f"\ntuning: not scored: {tuned.reason}")
    elif tuned is not None:
        yield Text("\naesthetics, tuned", style="bold")
        yield Text(
            f"  rho {tuned.before:.2f} before, {tuned.held_out:.2f} on topics held out "
            f"(gain {_interval(tuned.gain)}), {tuned.trained:.2f} on the topics of the fit"
        )
        for change in tuned.changes:
            yield Text(f"  {change.name}: {change.before} -> {change.after}")


def _told(what: str, lines: Sequence[str]) -> Iterator[Text]:
    if lines:
        yield Text(f"\n{what}:", style="bold")
        yield from (Text(f"  {clean(line)}") for line in lines[:_MOST_TOLD])
    if len(lines) > _MOST_TOLD:
        yield Text(f"  and {len(lines) - _MOST_TOLD} more")


def _table(first: str, rows: Mapping[str, RankAgreement]) -> Table:
    headings = ("rho", "sd", "95%", "same place", "pairs", "95% of pairs", "topics")
    table = plain_table(first, *headings, no_wrap=True)
    for name, row in rows.items():
        rho = _value(row.rho), _value(row.deviation), _interval(row.interval)
        shares = _share(row.identical), _share(row.pairwise)
        pairs = _interval(row.pairwise_interval, percent=True)
        topics = str(len(row.topics) - len(row.undefined))
        table.add_row(Text(clean(name)), *rho, *shares, pairs, topics)
    return table
