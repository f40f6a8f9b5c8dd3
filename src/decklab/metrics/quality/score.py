"""Quality: one score of a native deck, made of its flaws; every damage lowers it.

Ours. Paper 002's aesthetics measure the colours and texture of pictures: a plain white deck can be
high in them and a careful one low. Quality counts what reviewers name: alignment, fit, contrast,
consistency, spelling, text too small for a room. The two stand beside each other.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import ceil, exp
from typing import Any, Final

import numpy as np

from decklab.core.results import Measurement, NotScored
from decklab.deck.model.shapes import Media, Other
from decklab.deck.model.slide import SlideElements
from decklab.metrics.metric import MetricInfo, measured, register
from decklab.metrics.quality.flaws import (
    MeasuredSlide,
    deck_flaws,
    layout_flaws,
    style_flaws,
    word_flaws,
)

ALIKE: Final = 0.8
"""Ours: share of two slides' contents from which on they are one slide shown twice."""
LITTLE: Final = 10
"""Ours: contents under which a slide has hardly room for a flaw, such as a title alone."""
_GRAPHIC: Final = 5
"""Ours: words that a picture, film or object counts for."""


def contents(slide: SlideElements) -> Counter[str]:
    """What a slide says and shows, and how often: words, the values of charts, pictures."""
    said: Counter[str] = Counter()
    texts = [item.text for item in slide.texts if item.placed and not item.hidden]
    texts += [cell for table in slide.tables for row in table.cells for cell in row]
    texts += [node.text for diagram in slide.diagrams for node in diagram.nodes]
    for chart in slide.charts:
        texts.append(chart.title or "")
        for series in chart.series:
            texts += [series.name or "", *series.categories, *map(str, series.values)]
    said.update(word for text in texts for word in text.split())
    for picture in slide.images:
        if picture.placed and not picture.hidden:
            said[f"picture {picture.sha256}"] += _GRAPHIC
    objects: list[Media | Other] = [*slide.media, *slide.others]
    for item in objects:
        said[f"object {item.name}"] += _GRAPHIC
    return said


def counted_slides(
    slides: Mapping[int, MeasuredSlide], penalties: Mapping[int, float]
) -> tuple[int, ...]:
    """The numbers of the slides that make a deck's score, by slide number and penalty.

    Of slides that repeat each other only the one with the highest penalty counts. A slide that
    shows little counts only where its penalty is above the mean of the others.
    """
    said = {number: contents(seen.slide) for number, seen in slides.items()}
    groups: list[list[int]] = []
    groups_of: dict[tuple[str, int], list[int]] = {}
    rare = _rare_contents(said)
    for number in sorted(slides):
        near = sorted({place for item in rare[number] for place in groups_of.get(item, ())})
        same = (n for n in near if _is_alike(said[groups[n][0]], said[number]))
        place = next(same, None)
        if place is not None:
            groups[place].append(number)
            continue
        for item in rare[number]:
            groups_of.setdefault(item, []).append(len(groups))
        groups.append([number])
    worst = [max(group, key=lambda number: penalties[number]) for group in groups]
    full = [number for number in worst if said[number].total() >= LITTLE]
    if not full:
        return tuple(sorted(worst))
    mean = sum(penalties[number] for number in full) / len(full)
    return tuple(sorted(n for n in worst if n in full or penalties[n] > mean))


def _rare_contents(said: Mapping[int, Counter[str]]) -> dict[int, list[tuple[str, int]]]:
    """Of each slide so many of its rarest contents that two slides that are alike share one.

    Otherwise each slide would be compared with all others.
    """
    items = {
        number: [(word, copy) for word, count in words.items() for copy in range(count)]
        for number, words in said.items()
    }
    often = Counter(item for listed in items.values() for item in listed)
    rare = {}
    for number, listed in items.items():
        listed.sort(key=lambda item: (often[item], item))
        rare[number] = listed[: len(listed) - ceil(ALIKE * len(listed)) + 1] or [("", 0)]
    return rare


def _is_alike(first: Counter[str], second: Counter[str]) -> bool:
    most = max(first.total(), second.total())
    if min(first.total(), second.total()) < ALIKE * most:
        return False
    return (first & second).total() >= ALIKE * most


SLIDE_WEIGHTS: Final[Mapping[str, Mapping[str, float]]] = {
    "layout": {
        "adrift": 0.10, "blank": 0.55, "cramped": 0.46, "crowded": 0.24, "cut": 0.24,
        "margin": 0.08, "overflow": 0.05, "overlap": 0.18, "overprinted": 0.07, "stretched": 0.18,
        "thin": 0.21, "unaligned": 0.02, "unbalanced": 0.14,
    },
    "style": {
        "faint": 0.05, "fine": 0.20, "flat": 0.17, "italic": 0.43, "large": 0.01, "loud": 0.31,
        "marks": 0.06, "plain": 0.32, "tiny": 0.15, "typefaces": 0.14, "underlined": 0.49,
        "uneven": 0.02,
    },
    "words": {
        "capitals": 0.80, "joined": 0.60, "many": 0.14, "misspelt": 0.33,
    },
}  # fmt: skip
"""Ours, by part and flaw: fitted on 360 pairs of slides that two raters compared and on damage as
in paper 000, which must not help, times 0.27 (docs/quality.md, ``bench/quality_pairs.py``)."""

DECK_WEIGHTS: Final[Mapping[str, float]] = {
    "untitled": 0.25, "titles_apart": 0.20, "many_families": 0.15, "only_text": 0.20, "dense": 0.30,
}  # fmt: skip
"""Ours, chosen, not fitted: no ladder has these flaws of whole decks."""

PARTS: Final = (*SLIDE_WEIGHTS, "deck")
"""The parts of quality: the score is the product of their shares."""

_MEANINGS = {
    "layout": "Alignment, room, margins, overlaps and fit of what stands on the slides.",
    "style": "Contrast, and how few families, sizes and kinds of emphasis the text has.",
    "words": "Spelling, capitals and length of lines.",
    "deck": "Titles on all slides and in one place, few families, more than text, not too much.",
}
_SOURCE = "decklab"

register(
    MetricInfo(
        "quality.score", "deck", "The deck by its flaws, all parts together.", _SOURCE,
        high=100.0, version="4", label="Quality",
    ),
    *(
        MetricInfo(
            f"quality.{part}", "deck", _MEANINGS[part], _SOURCE,
            high=100.0, version="4", label=f"Quality: {part}",
        )
        for part in PARTS
    ),
    MetricInfo("quality.slide", "slide", "A slide by its flaws.", _SOURCE, high=100.0, version="4"),
)  # fmt: skip

_NOT_KNOWN = "quality needs the elements of a .pptx deck"


def slide_costs(seen: MeasuredSlide) -> dict[str, float]:
    """What each flaw adds to a slide's penalty, by ``part.flaw``; 0 and more, lower is better.

    Of a slide that states more than an audience sees the worse of both counts: to hide flaws does
    not mend them, and what nobody sees makes no slide better.

    >>> from decklab.deck.model.slide import SlideElements
    >>> costs = slide_costs(MeasuredSlide(SlideElements(background="#FFFFFF"), []))
    >>> {name: cost for name, cost in costs.items() if cost}
    {'layout.blank': 0.55, 'style.flat': 0.17}
    """
    if seen.stated is not None:
        both = (slide_costs(replace(seen, stated=None)), slide_costs(seen.stated))
        return max(both, key=lambda costs: sum(costs.values()))
    flaws = {"layout": layout_flaws(seen), "style": style_flaws(seen), "words": word_flaws(seen)}
    return {
        f"{part}.{name}": weight * flaws[part][name]
        for part, weights in SLIDE_WEIGHTS.items()
        for name, weight in weights.items()
    }


def costs_score(costs: Mapping[str, float]) -> float:
    """100 e^-penalty: 100 without flaws, near 0 with many; higher is better.

    >>> costs_score({}), round(costs_score({"style.faint": 0.7}), 1)
    (100.0, 49.7)
    """
    return 100 * exp(-sum(costs.values()))


def quality_rows(
    slides: Mapping[int, MeasuredSlide], undrawn: Mapping[int, str] | None = None
) -> list[Measurement]:
    """Rows of a deck and its slides, by slide number; those that an audience does not see are left
    out by the caller.

    The deck's penalty is the mean of its slides' and that of the deck as a whole, over the slides
    that count (``counted_slides``): repeats and slides that show little do not raise the score. The
    evidence ``gains`` names, by flaw, how many points the score would gain without it. Slides whose
    elements are not known are left out by the caller; without any there is no score. ``undrawn``
    says of slides by number why they have no picture, and so no score.
    """
    missing = [
        measured("quality.slide", NotScored(reason), slide=number)
        for number, reason in (undrawn or {}).items()
    ]
    if not slides:
        return [*unknown_quality_rows("the deck has no slide that can be measured"), *missing]
    costs = {number: slide_costs(seen) for number, seen in sorted(slides.items())}
    names = next(iter(costs.values()))
    counted = counted_slides(slides, {n: sum(one.values()) for n, one in costs.items()})
    whole = {name: float(np.mean([costs[n][name] for n in counted])) for name in names}
    found = deck_flaws([slides[number] for number in counted])
    whole |= {f"deck.{name}": weight * found[name] for name, weight in DECK_WEIGHTS.items()}
    score = costs_score(whole)
    evidence = {"gains": _gains(whole, score), "slides_scored": len(counted)}
    rows = [measured("quality.score", score, evidence=evidence)]
    for part in PARTS:
        share = {name: cost for name, cost in whole.items() if name.startswith(f"{part}.")}
        rows.append(measured(f"quality.{part}", costs_score(share), evidence=_judged(part, slides)))
    return rows + [
        measured("quality.slide", costs_score(one), slide=number,
                 evidence={"gains": _gains(one, costs_score(one))})
        for number, one in costs.items()
    ] + missing  # fmt: skip


def unknown_quality_rows(reason: str = _NOT_KNOWN) -> list[Measurement]:
    """The deck's rows where quality cannot be measured.

    >>> [row.reason for row in unknown_quality_rows()][0]
    'quality needs the elements of a .pptx deck'
    """
    names = ("score", *PARTS)
    return [measured(f"quality.{name}", NotScored(reason)) for name in names]


def _gains(costs: Mapping[str, float], score: float) -> dict[str, float]:
    """Points that the score would gain without each flaw, the most first; none below 0.05."""
    gains = {name: round(score * (exp(cost) - 1), 1) for name, cost in costs.items()}
    return {
        name: gain
        for name, gain in sorted(gains.items(), key=lambda item: (-item[1], item[0]))
        if gain > 0
    }


def _judged(part: str, slides: Mapping[int, MeasuredSlide]) -> dict[str, Any]:
    """Whether spelling is part of the score of words."""
    if part != "words":
        return {}
    return {"spelling": "judged" if _spelled(list(slides.values())) else "only English is judged"}


def _spelled(slides: Sequence[MeasuredSlide]) -> bool:
    return any(seen.english for seen in slides)
