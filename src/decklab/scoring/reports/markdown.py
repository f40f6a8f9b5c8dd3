"""The report of one deck as Markdown, for pull requests, wikis and mails."""

import re
from collections.abc import Iterator

from decklab.core.results import DeckResult, Finding
from decklab.pages.wording import (
    FULL_SCALES,
    LEVEL_MEANINGS,
    PARTS,
    SEVERITY_LABELS,
    clean_line,
    counted,
    deck_name,
    number,
    plain,
    storable,
)
from decklab.scoring.reports.advice import first_things
from decklab.scoring.reports.findings import FONT_RULE, grouped, of_deck, of_machine
from decklab.scoring.reports.ladder import ladder
from decklab.scoring.reports.standing import LEVEL_VERDICTS, measure, standing_of

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>()#+!|~&-])")
_SCORES = (("quality.score", "Quality"), ("aesthetics.total", "Aesthetics"),
           *((name, f"– {label}") for name, label, _ in PARTS))  # fmt: skip


def plain_markdown(text: str) -> str:
    """Untrusted text on one line, so that nothing in it is markup.

    >>> plain_markdown("a *b*\\n<i>")
    'a \\\\*b\\\\* \\\\<i\\\\>'
    """
    return _SPECIAL.sub(r"\\\1", storable(clean_line(text)))


def markdown_report(result: DeckResult) -> str:
    """Scores with their scale and standing, what to do first, and all findings by rule."""
    return "\n".join(_lines(result)).rstrip() + "\n"


def _lines(result: DeckResult) -> Iterator[str]:
    yield f"# {plain_markdown(deck_name(result.deck))}"
    yield ""
    if result.status == "failed":
        why = plain_markdown(result.error or "no reason was given")
        yield f"This deck could not be read: {why}"
        return
    own = of_deck(result.findings)
    yield f"{counted(result.slides, 'slide')}, {counted(len(own), 'finding')}."
    if result.converted:
        yield ""
        yield (
            f"This is {plain_markdown(result.converted)}; quality and findings are of a copy that "
            "LibreOffice converted to .pptx."
        )
    if result.unseen:
        yield ""
        yield f"{plain_markdown(result.unseen)} They do not count."
    yield ""
    yield from _table(result)
    advice = first_things(result, grouped(own), ladder(result.row("editability.level")))
    if advice:
        yield "## Do these first"
        yield ""
    for place, one in enumerate(advice, 1):
        noun = "slide" if one.slides.isdigit() else "slides"
        where = f" ({noun} {one.slides})" if one.slides else ""
        yield f"{place}. **{plain_markdown(one.title)}**{where}: {plain_markdown(one.fix)}"
        yield f"   {plain_markdown(one.effect)}"
    yield ""
    yield "## Findings"
    yield ""
    yield from _findings(own)
    yield from _machine(result)


def _table(result: DeckResult) -> Iterator[str]:
    yield "| score | value | | standing |"
    yield "|---|---:|---|---|"
    for metric, label in _SCORES:
        row = result.row(metric)
        if row is None or row.value is None:
            why = plain_markdown(row.reason or "") if row else "not part of this run"
            yield f"| {label} | not scored | | {why} |"
            continue
        standing = standing_of(row)
        word, place = (standing.word, standing.place) if standing else ("", "")
        value = f"{number(row.value, 1)} of {plain(FULL_SCALES[metric])}"
        yield f"| {label} | {value} | {word} | {place} |"
    level = result.row("editability.level")
    if level is not None and level.value is not None:
        at = int(level.value)
        yield f"| Editability | L{at} of L0 to L5 | {LEVEL_VERDICTS[at]} | {LEVEL_MEANINGS[at]} |"
    yield ""


def _findings(findings: list[Finding]) -> Iterator[str]:
    if not findings:
        yield "Nothing to mend was found."
        yield ""
    for group in grouped(findings):
        count = counted(len(group.findings), SEVERITY_LABELS[group.severity])
        yield f"### {plain_markdown(group.title)} ({count})"
        yield ""
        if group.fix:
            yield f"Fix: {plain_markdown(group.fix)}"
            yield ""
        for finding in group.findings:
            where = "whole deck" if finding.slide is None else f"slide {finding.slide}"
            told = measure(finding)
            yield f"- {where}: {plain_markdown(finding.message)}{f' ({told})' if told else ''}"
            if finding.fix and not group.fix:
                yield f"  Fix: {plain_markdown(finding.fix)}"
        yield ""


def _machine(result: DeckResult) -> Iterator[str]:
    fonts = [finding for finding in result.findings if finding.rule == FONT_RULE]
    unsure = of_machine(result.findings)
    if fonts or unsure:
        yield "## About this machine, not the deck"
        yield ""
    for one in (*fonts, *unsure):
        where = "" if one.slide is None else f"slide {one.slide}: "
        yield f"- {where}{plain_markdown(one.message)}"
