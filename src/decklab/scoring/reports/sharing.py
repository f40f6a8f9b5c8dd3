"""Reports of one deck to pass on: Markdown for pull requests, wikis and mails; its scores as one
picture, and as a badge, in SVG that loads nothing."""

import html
import re
from collections.abc import Iterator
from typing import Final

from decklab.core.results import DeckResult, Finding
from decklab.pages.pictures import SlidePicture
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
    shorten,
    storable,
)
from decklab.scoring.reports.standing import (
    FONT_RULE,
    LEVEL_VERDICTS,
    Verdict,
    first_things,
    grouped,
    ladder,
    measure,
    of_deck,
    of_machine,
    standing_of,
)

CARD_SIZE: Final = (1200, 630)
"""Width and height of a card in pixels: what most sites show of a shared link."""

BADGE_COLOURS: Final[dict[Verdict | None, str]] = {
    "good": "#2f6f3e", "fair": "#7a5b00", "poor": "#b0380d", None: "#605c56"
}  # fmt: skip
"""Grounds of the badge; white text has a contrast of 4.5:1 and more on each."""

_FONT = "system-ui, 'Segoe UI', Roboto, 'Noto Sans', Arial, sans-serif"
_WORDS = (("quality.score", "Quality", 0), ("aesthetics.total", "Aesthetics", 1))


def _text(value: str) -> str:
    return html.escape(storable(clean_line(value)), quote=False).replace('"', "&quot;")


def _tell(x: float, y: float, size: float, words: str, extra: str = "") -> str:
    return f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" {extra}>{_text(words)}</text>'


def score_card(result: DeckResult, cover: SlidePicture | None = None) -> str:
    """A card of ``CARD_SIZE``: the deck's name, first slide, scores, standing and findings."""
    width, height = CARD_SIZE
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" font-family="{_FONT}" fill="#1d1c1a" role="img" '
        f'aria-label="Scores of {_text(deck_name(result.deck))}">',
        f'<rect width="{width}" height="{height}" fill="#faf9f6"/>',
        _tell(60, 100, 44, shorten(clean_line(deck_name(result.deck)), 44), 'font-weight="650"'),
        _tell(60, 142, 24, _summary(result), 'fill="#605c56"'),
    ]
    if cover is not None:
        shown = min(500 * cover.height / cover.width, 400)
        parts.append(
            f'<image x="640" y="190" width="500" height="{shown:.0f}" href="{cover.uri}" '
            'preserveAspectRatio="xMidYMin slice"/>'
            f'<rect x="640" y="190" width="500" height="{shown:.0f}" fill="none" stroke="#dfdbd3"/>'
        )
    y = 235
    for metric, label, digits in _WORDS:
        parts += _score(result, metric, label, digits, y)
        y += 120
    parts += _level(result, y)
    parts += [_tell(60, 600, 20, "decklab", 'fill="#b0380d" font-weight="650"'), "</svg>"]
    return "\n".join(parts) + "\n"


def _summary(result: DeckResult) -> str:
    findings = counted(len(of_deck(result.findings)), "finding")
    return f"{counted(result.slides, 'slide')}, {findings}"


def _score(result: DeckResult, metric: str, label: str, digits: int, y: int) -> list[str]:
    row = result.row(metric)
    if row is None or row.value is None:
        return _line(label, "not scored", "", y)
    standing = standing_of(row)
    words = f"{standing.word}: {standing.rank}" if standing else ""
    return _line(label, f"{number(row.value, digits)} of {plain(FULL_SCALES[metric])}", words, y)


def _level(result: DeckResult, y: int) -> list[str]:
    row = result.row("editability.level")
    if row is None or row.value is None:
        return _line("Editability", "not scored", "", y)
    return _line("Editability", f"L{row.value:.0f} of L5", LEVEL_VERDICTS[int(row.value)], y)


def _line(label: str, value: str, words: str, y: int) -> list[str]:
    return [
        f'<path d="M60 {y - 40}H580" stroke="#1d1c1a" stroke-width="2"/>',
        _tell(60, y, 24, label, 'fill="#605c56"'),
        _tell(580, y, 38, value, 'text-anchor="end" font-weight="300"'),
        _tell(60, y + 36, 22, words),
    ]


def score_badge(result: DeckResult) -> str:
    """A badge such as ``decklab | quality 68 | L3``, in the colour of the quality's verdict."""
    row, level = result.row("quality.score"), result.row("editability.level")
    words = ["not scored" if row is None or row.value is None else f"quality {row.value:.0f}"]
    if level is not None and level.value is not None:
        words.append(f"L{level.value:.0f}")
    standing = standing_of(row)
    right = " · ".join(words)
    left_width, right_width = 62.0, 14 + 6.6 * len(right)
    width = left_width + right_width
    colour = BADGE_COLOURS[standing.word if standing else None]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="20" role="img" '
        f'aria-label="decklab: {_text(right)}" font-family="{_FONT}" font-size="11" '
        'fill="#fff" text-anchor="middle">'
        f'<clipPath id="r"><rect width="{width:.0f}" height="20" rx="3"/></clipPath>'
        '<g clip-path="url(#r)">'
        f'<rect width="{left_width:.0f}" height="20" fill="#3a3732"/>'
        f'<rect x="{left_width:.0f}" width="{right_width:.0f}" height="20" fill="{colour}"/></g>'
        f'<text x="{left_width / 2:.1f}" y="14">decklab</text>'
        f'<text x="{left_width + right_width / 2:.1f}" y="14">{_text(right)}</text></svg>\n'
    )


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
    if advice := first_things(result, grouped(own), ladder(result.row("editability.level"))):
        yield "## Do these first"
        yield ""
    for rank, item in enumerate(advice, 1):
        noun = "slide" if item.slides.isdigit() else "slides"
        where = f" ({noun} {item.slides})" if item.slides else ""
        yield f"{rank}. **{plain_markdown(item.title)}**{where}: {plain_markdown(item.fix)}"
        yield f"   {plain_markdown(item.effect)}"
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
        word, rank = (standing.word, standing.rank) if standing else ("", "")
        value = f"{number(row.value, 1)} of {plain(FULL_SCALES[metric])}"
        yield f"| {label} | {value} | {word} | {rank} |"
    level = result.row("editability.level")
    if level is not None and level.value is not None:
        at = int(level.value)
        yield f"| Editability | L{at} of L0 to L5 | {LEVEL_VERDICTS[at]} | {LEVEL_MEANINGS[at]} |"
    yield ""


def _findings(findings: list[Finding]) -> Iterator[str]:
    if not findings:
        yield "Nothing to fix was found."
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
            value = measure(finding)
            yield f"- {where}: {plain_markdown(finding.message)}{f' ({value})' if value else ''}"
            if finding.fix and not group.fix:
                yield f"  Fix: {plain_markdown(finding.fix)}"
        yield ""


def _machine(result: DeckResult) -> Iterator[str]:
    fonts = [finding for finding in result.findings if finding.rule == FONT_RULE]
    unsure = of_machine(result.findings)
    if fonts or unsure:
        yield "## About this machine, not the deck"
        yield ""
    for note in (*fonts, *unsure):
        where = "" if note.slide is None else f"slide {note.slide}: "
        yield f"- {where}{plain_markdown(note.message)}"
