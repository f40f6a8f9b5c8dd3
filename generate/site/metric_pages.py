"""A page for each main score: what it says, a deck with more and one with less, the functions."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from decklab.metrics.catalogue import METRICS
from decklab.metrics.metric import MetricInfo

IMAGES: Final = Path(__file__).parents[2] / "docs" / "images" / "metrics"


@dataclass(frozen=True)
class Score:
    """A score with a page of its own."""

    metric: str
    more: str
    """What the deck that has more of it is."""
    less: str
    advice: str
    """How to get more of it, and when not to want it."""
    module: str
    page: str
    """The page that explains it at length, from ``docs``."""


SCORES: Final = (
    Score(
        "harmony.score", "Neighbouring blues.", "Red, blue, green and pink, all at full strength.",
        "Choose two or three colours and their tints, and use them on every slide. Photographs "
        "count too: one with all the colours of a market costs as much as a bad palette.",
        "decklab.metrics.aesthetics.harmony", "aesthetics.md",
    ),
    Score(
        "engagement.score", "Blue cards on three of four slides.", "The same deck in grey.",
        "Use colour where something matters. The score wants some, and change from slide to slide; "
        "a sober deck may be right for its audience and still score low.",
        "decklab.metrics.aesthetics.engagement", "aesthetics.md",
    ),
    Score(
        "usability.score", "Nearly black text on white.", "Pale grey text on white.",
        "Set text darker, or the ground lighter. Over pictures put a plain fill behind the text. "
        "The rule `contrast.low` of `decklab lint` names the texts.",
        "decklab.metrics.aesthetics.usability", "aesthetics.md",
    ),
    Score(
        "rhythm.score", "Fuller and emptier slides take turns.", "Four slides of the same kind.",
        "Let a slide with much on it be followed by one with a single thought.",
        "decklab.metrics.aesthetics.rhythm", "aesthetics.md",
    ),
    Score(
        "editability.level", "Titles and lists in placeholders, a live chart.",
        "The same slides as pictures.",
        "Put text into the placeholders of the layout, numbers into charts that hold their data, "
        "and what comes on every slide onto the master.",
        "decklab.metrics.editability.verdict", "editability.md",
    ),
    Score(
        "quality.score", "Cards in a row, one size of text.",
        "The same cards off their row, over the edge, and text of 10 to 40 points.",
        "Begin with what costs most: the report of `decklab score` names it, with its slide.",
        "decklab.metrics.quality", "quality.md",
    ),
)  # fmt: skip


def metric_pages() -> Mapping[str, str]:
    """The pages by their name below ``metrics/``, as Markdown."""
    measured = json.loads((IMAGES / "measured.json").read_text(encoding="utf-8"))
    pages = {f"{score.metric}.md": _page(score, measured) for score in SCORES}
    return pages | {"index.md": _index()}


def _page(score: Score, measured: Mapping[str, float]) -> str:
    info = METRICS[score.metric]
    group = score.metric.partition(".")[0]
    rows = "\n".join(_row(METRICS[name]) for name in METRICS if name.startswith(f"{group}."))
    more, less = (
        f"![{words}](../images/metrics/{score.metric}-{kind}.webp)\n\n"
        f"**{measured[f'{score.metric}-{kind}']:.4g}**: {words}"
        for kind, words in (("more", score.more), ("less", score.less))
    )
    return f"""# {info.label}

{_sentence(info.meaning)} {_scale(info)} Source: {info.source}.

## More of it

{more}

## Less of it

{less}

## What to do

{score.advice}

How it is computed, and what was chosen where its source is silent:
[{score.page.removesuffix(".md")}](../{score.page}).

## All of its numbers

| metric | of | says | range | better |
|---|---|---|---|---|
{rows}

## Functions

::: {score.module}
    options:
      show_root_toc_entry: false
      heading_level: 3
"""


def _index() -> str:
    rows = "\n".join(
        f"| [`{one.metric}`]({one.metric}.md) | {METRICS[one.metric].meaning} |" for one in SCORES
    )
    return f"""# Scores

Each with a small deck that has more of it and one that has less, both scored as you see them.

| score | says |
|---|---|
{rows}

`aesthetics.total` is the sum of harmony, engagement, usability and rhythm. Every number in a report
comes with where the deck stands among reference decks; what a score says of your own decks is best
asked of people: [rank with people](../tutorials/rank-with-people.md).
"""


def _row(info: MetricInfo) -> str:
    return (
        f"| `{info.name}` | {info.level} | {info.meaning} | {_range(info)} {info.unit} "
        f"| {info.direction} |"
    )


def _range(info: MetricInfo) -> str:
    low = "any" if info.low is None else f"{info.low:g}"
    high = "any" if info.high is None else f"{info.high:g}"
    return f"{low} to {high}"


def _scale(info: MetricInfo) -> str:
    better = {"higher": "More is better.", "lower": "Less is better."}
    unit = f" {info.unit}" if info.unit else ""
    return f"From {_range(info)}{unit}. {better.get(info.direction, '')}"


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:].rstrip('.')}."
