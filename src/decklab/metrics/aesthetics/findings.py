"""Findings from the aesthetics rows of a deck: what should be improved (paper 002, appendix H).

Thresholds are the paper's or WCAG's where they print one, otherwise multiples of table 7's
standard deviations.
"""

from collections.abc import Iterator, Sequence
from math import sqrt
from statistics import median
from typing import Any

from decklab.core.colors import is_near, parse_color
from decklab.core.geometry import Box
from decklab.core.results import SAME_CAUSE_SLIDES, Finding, Measurement, grouped, named_slides
from decklab.metrics.aesthetics.engagement import (
    COLORFULNESS_MEAN,
    COLORFULNESS_VARIANCE,
    PACING_TARGET,
    PACING_VARIANCE,
)
from decklab.metrics.aesthetics.rhythm import (
    ENTROPY_TARGET,
    ENTROPY_VARIANCE,
    RMSSD_ABRUPT,
    RMSSD_FLATLINE,
    overload_windows,
)
from decklab.metrics.contrast import CONTRAST_LARGE_TEXT, CONTRAST_NORMAL_TEXT

_NEAR_COLOR = 24
"""Ours: colours with channels this near look equal; soft edges and gradients vary by as much."""
_SPIKE_DEG = 10.0
"""H.1: good decks stay within 0 to 10 degrees."""
_SPIKE_DEVIATIONS = 3.0
"""Ours: the usual three standard deviations, taken from the median absolute deviation."""
_NORMAL_MAD = 1.4826
"""Standard deviations per median absolute deviation of a normal distribution."""
_BUSY_BITS = ENTROPY_TARGET + sqrt(ENTROPY_VARIANCE)
"""Ours: one standard deviation over table 7's mean, busier than five slides in six. The paper's
0.75 is a level of the slide score, which is high for slides at the optimum, not for full ones."""
_FLAT_MEAN = COLORFULNESS_MEAN - sqrt(COLORFULNESS_VARIANCE)
_FLAT_SPREAD = PACING_TARGET - sqrt(PACING_VARIANCE)
_VOLATILE_SPREAD = PACING_TARGET + 2 * sqrt(PACING_VARIANCE)
"""Ours: one and two standard deviations of table 7 from its means."""


def findings(rows: Sequence[Measurement]) -> list[Finding]:
    """Findings from a deck's aesthetics rows, slides and deck together; others are ignored.

    Rules: ``contrast.low``, ``text.covered``, ``harmony.spike``, ``engagement.flat``,
    ``engagement.volatile``, ``rhythm.flatline``, ``rhythm.strobe``, ``rhythm.overload``. Each has
    what was measured, the threshold it crossed, and a fix.
    """
    issues: list[Finding] = []
    for row in rows:
        if row.metric == "usability.contrast" and row.value is not None:
            issues += [_covered(row.slide, region) for region in row.evidence["covered"]]
        elif row.metric == "engagement.score" and row.value is not None:
            issues += _engagement(row.evidence)
        elif row.metric == "rhythm.rmssd" and row.value is not None:
            issues += _rhythm(row.value)
    return _low_contrasts(rows) + issues + _spikes(rows) + _overloads(rows)


def _low_contrasts(rows: Sequence[Measurement]) -> list[Finding]:
    """A finding for the texts of a slide in the same colours; one for the whole deck, at the worst
    slide, where many slides have them."""
    below = [region for row in rows if row.metric == "usability.contrast" for region in _below(row)]
    issues: list[Finding] = []
    for group in _by_colors(below):
        slides = sorted({region["slide"] for region in group})
        if len(slides) >= SAME_CAUSE_SLIDES:
            issues.append(_low_contrast(group, slides))
        else:
            for slide in slides:
                here = [region for region in group if region["slide"] == slide]
                issues.append(_low_contrast(here, [slide]))
    return sorted(issues, key=lambda finding: finding.slide or 0)


def _below(row: Measurement) -> list[dict[str, Any]]:
    """Regions below their least ratio; bullets and arrows alone are no text.

    A row holds the worst regions only; ``more`` says whether others may be below theirs too.
    """
    worst = row.evidence["worst"]
    cut = len(worst) < row.evidence["regions"]
    more = cut and all(region["ratio"] < CONTRAST_NORMAL_TEXT for region in worst)
    return [
        region | {"slide": row.slide, "more": more}
        for region in worst
        if region["ratio"] < region["least_ratio"]
        and (not region["text"] or any(char.isalnum() for char in region["text"]))
    ]


def _by_colors(regions: list[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """Regions grouped by nearly the same colours, the worst of each group first."""
    worst_first = sorted(regions, key=lambda region: (region["ratio"], region["slide"] or 0))
    return grouped(worst_first, _same_colors)


def _same_colors(first: dict[str, Any], second: dict[str, Any]) -> bool:
    return all(
        is_near(parse_color(first[layer]), parse_color(second[layer]), _NEAR_COLOR)
        for layer in ("figure", "ground")
    )


def _low_contrast(group: list[dict[str, Any]], slides: Sequence[int]) -> Finding:
    """One finding for texts of the same colours; it describes the worst of them."""
    region = group[0]
    ratio, ground = region["ratio"], region["ground"]
    least = max(item["least_ratio"] for item in group)
    text = f'"{region["text"]}"' if region["text"] else "Text"
    least_known = "at least " if any(item["more"] for item in group) else ""
    more = f" and {least_known}{len(group) - 1} more like it" if len(group) > 1 else ""
    where = f" On {len(slides)} slides: {named_slides(slides)}." if len(slides) > 1 else ""
    illegible = ratio < CONTRAST_LARGE_TEXT
    return Finding(
        rule="contrast.low",
        severity="error" if illegible else "warning",
        message=f"{text}{more}: a contrast of only {ratio:.1f}:1 ({region['figure']} on {ground})."
        + where,
        slide=region["slide"],
        box=Box(*region["box"]),
        measured=ratio,
        threshold=least,
        fix=f"Make the text lighter or darker, or put a plain fill behind it, until its contrast"
        f" with the background reaches {least:g}:1.",
    )


def _covered(slide: int | None, region: dict[str, Any]) -> Finding:
    return Finding(
        rule="text.covered",
        severity="info",
        message=f'"{region["text"]}" is on the slide, but something covers it.',
        slide=slide,
        box=Box(*region["box"]),
        fix="Delete the text, or bring it in front of what covers it.",
    )


def _engagement(evidence: dict[str, Any]) -> Iterator[Finding]:
    mean, spread = evidence["mean"], evidence["std"]
    if mean < _FLAT_MEAN and spread < _FLAT_SPREAD:
        yield Finding(
            rule="engagement.flat",
            severity="info",
            message=f"All slides are about equally pale: mean colorfulness {mean:.0f}, spread"
            f" {spread:.1f}.",
            measured=mean,
            threshold=_FLAT_MEAN,
            fix="Give key slides and section openers an accent colour or a picture, so that"
            " emphasis can be seen.",
        )
    elif spread > _VOLATILE_SPREAD:
        yield Finding(
            rule="engagement.volatile",
            severity="warning",
            message=f"Colorfulness swings widely from slide to slide: spread {spread:.0f}.",
            measured=spread,
            threshold=_VOLATILE_SPREAD,
            fix="Tone down the most vivid slides or bring the palest ones nearer to the deck's"
            " palette.",
        )


def _rhythm(change: float) -> Iterator[Finding]:
    if change < RMSSD_FLATLINE:
        yield Finding(
            rule="rhythm.flatline",
            severity="warning",
            message="Every slide is about as full as the next.",
            measured=change,
            threshold=RMSSD_FLATLINE,
            fix="Alternate dense slides with sparse ones, such as a single figure, picture or"
            " statement.",
        )
    elif change > RMSSD_ABRUPT:
        yield Finding(
            rule="rhythm.strobe",
            severity="info",
            message="Full and empty slides follow each other more abruptly than in 39 of 40"
            " professional decks.",
            measured=change,
            threshold=RMSSD_ABRUPT,
            fix="Change between full and calm slides is good, and the rhythm score counts it so."
            " Where the jumps are not meant, split the fullest slides or join the emptiest.",
        )


def _spikes(rows: Sequence[Measurement]) -> list[Finding]:
    distances = [
        (row.slide, row.value)
        for row in rows
        if row.metric == "harmony.distance_deg" and row.value is not None
    ]
    if len(distances) < 3:
        return []
    middle = median(value for _, value in distances)
    deviation = _NORMAL_MAD * median(abs(value - middle) for _, value in distances)
    threshold = max(_SPIKE_DEG, middle + _SPIKE_DEVIATIONS * deviation)
    return [
        Finding(
            rule="harmony.spike",
            severity="warning",
            message=f"The colours lie {value:.0f} degrees from any harmonic scheme; the deck's"
            f" slides typically lie {middle:.0f} from one.",
            slide=slide,
            measured=value,
            threshold=threshold,
            fix="Recolour what was brought in from elsewhere (a photo, chart or screenshot) in the"
            " deck's palette, or frame it in a neutral colour.",
        )
        for slide, value in distances
        if value > threshold
    ]


def _overloads(rows: Sequence[Measurement]) -> list[Finding]:
    entropies = sorted(
        (row.slide, row.value)
        for row in rows
        if row.metric == "rhythm.subband_entropy" and row.slide and row.value is not None
    )
    values = [value for _, value in entropies]
    issues = []
    end = -1
    for start in overload_windows(values, _BUSY_BITS):
        if start <= end:
            continue
        end = start + 2
        slides = [slide for slide, _ in entropies[start : start + 3]]
        mean = sum(values[start : start + 3]) / 3
        issues.append(
            Finding(
                rule="rhythm.overload",
                severity="warning",
                message=f"Slides {slides[0]} to {slides[-1]} are all dense: {mean:.1f} bits of"
                " visual clutter on average.",
                slide=slides[0],
                measured=mean,
                threshold=_BUSY_BITS,
                fix="Put a sparse slide between them, or move detail to notes or an appendix.",
            )
        )
    return issues
