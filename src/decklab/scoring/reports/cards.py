"""A deck's scores as one picture to share, and as a badge; SVG that loads nothing."""

from typing import Final
from xml.sax.saxutils import escape

from decklab.core.results import DeckResult
from decklab.pages.pictures import SlidePicture
from decklab.pages.wording import (
    FULL_SCALES,
    clean_line,
    counted,
    deck_name,
    number,
    plain,
    shorten,
    storable,
)
from decklab.scoring.reports.findings import of_deck
from decklab.scoring.reports.standing import LEVEL_VERDICTS, Verdict, standing_of

CARD_SIZE: Final = (1200, 630)
"""Width and height of a card in pixels: what most sites show of a shared link."""

BADGE_COLOURS: Final[dict[Verdict | None, str]] = {
    "good": "#2f6f3e", "fair": "#7a5b00", "poor": "#b0380d", None: "#605c56"
}  # fmt: skip
"""Grounds of the badge; white text has a contrast of 4.5:1 and more on each."""

_FONT = "system-ui, 'Segoe UI', Roboto, 'Noto Sans', Arial, sans-serif"
_WORDS = (("quality.score", "Quality", 0), ("aesthetics.total", "Aesthetics", 1))


def _text(value: str) -> str:
    return escape(storable(clean_line(value)), {'"': "&quot;"})


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
    found = counted(len(of_deck(result.findings)), "finding")
    return f"{counted(result.slides, 'slide')}, {found}"


def _score(result: DeckResult, metric: str, label: str, digits: int, y: int) -> list[str]:
    row = result.row(metric)
    if row is None or row.value is None:
        return _line(label, "not scored", "", y)
    standing = standing_of(row)
    told = f"{standing.word}: {standing.place}" if standing else ""
    return _line(label, f"{number(row.value, digits)} of {plain(FULL_SCALES[metric])}", told, y)


def _level(result: DeckResult, y: int) -> list[str]:
    row = result.row("editability.level")
    if row is None or row.value is None:
        return _line("Editability", "not scored", "", y)
    return _line("Editability", f"L{row.value:.0f} of L5", LEVEL_VERDICTS[int(row.value)], y)


def _line(label: str, value: str, told: str, y: int) -> list[str]:
    return [
        f'<path d="M60 {y - 40}H580" stroke="#1d1c1a" stroke-width="2"/>',
        _tell(60, y, 24, label, 'fill="#605c56"'),
        _tell(580, y, 38, value, 'text-anchor="end" font-weight="300"'),
        _tell(60, y + 36, 22, told),
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
