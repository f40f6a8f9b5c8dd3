"""The aesthetics metrics of slides and decks as result rows, each with its evidence, and findings
from these rows: what should be improved (paper 002, appendix H).

Thresholds are the paper's or WCAG's where they print one, otherwise multiples of table 7's
standard deviations.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from math import sqrt
from statistics import median
from typing import Any

import numpy as np

from decklab.core.colors import Image, hex_color, is_near, parse_color
from decklab.core.geometry import Box
from decklab.core.lazy import needs_extra
from decklab.core.options import MetricVariant
from decklab.core.results import (
    SAME_CAUSE_SLIDES,
    Finding,
    Measurement,
    NotScored,
    grouped,
    named_slides,
)
from decklab.metrics.aesthetics.clutter import (
    ENTROPY_WEIGHTS_TABLE8,
    channel_entropies,
    subband_entropy_aim,
    weighted_entropy,
)
from decklab.metrics.aesthetics.engagement import (
    COLORFULNESS_MEAN,
    COLORFULNESS_VARIANCE,
    PACING_TARGET,
    PACING_VARIANCE,
    colorfulness,
    engagement_score,
    level,
    pacing,
)
from decklab.metrics.aesthetics.harmony import (
    HARMONY_SIGMA_STRICT,
    Harmony,
    harmony,
    harmony_aim,
    harmony_score,
    harmony_slide_score,
    palette,
)
from decklab.metrics.aesthetics.rhythm import (
    ENTROPY_TARGET,
    ENTROPY_VARIANCE,
    OVERLOAD_THRESHOLD_TUNED,
    RMSSD_ABRUPT,
    RMSSD_FLATLINE,
    RMSSD_TARGET_TUNED,
    overload_windows,
    rhythm_band,
    rhythm_score,
    rhythm_score_target,
    rhythm_slide_score,
    rmssd,
)
from decklab.metrics.aesthetics.usability import (
    SlideContrast,
    TextRegion,
    text_contrast,
    usability_score,
)
from decklab.metrics.contrast import CONTRAST_LARGE_TEXT, CONTRAST_NORMAL_TEXT, RegionContrast
from decklab.metrics.metric import (
    SLIDESGEN,
    MetricInfo,
    measured,
    outside_deck_rows,
    outside_slide_rows,
    register,
)

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


register(
    MetricInfo(
        "aesthetics.total", "deck", "Sum of harmony, engagement, usability and rhythm.",
        f"{SLIDESGEN}, section 2.3, table 4", low=-12.8, high=45.0, version="2", label="Aesthetics",
    ),
)  # fmt: skip

PICTURE_METRICS: dict[str, Callable[[Image], float | NotScored]] = {
    "engagement.colorfulness": colorfulness
}
"""Metrics of a slide that need only its picture, in the order of their rows. To add one, register
its ``MetricInfo`` beside the function, and give name and function here."""

_AIM_METRICS: dict[str, Callable[[Image], float | NotScored]] = {
    "harmony.aim": harmony_aim,
    "rhythm.subband_entropy_aim": subband_entropy_aim,
}
_SLIDE_VARIANTS: dict[MetricVariant, tuple[str, ...]] = {
    "aim": tuple(_AIM_METRICS),
    "printed": ("rhythm.subband_entropy_table8",),
}
_WORST = 5
_TEXT_SHOWN = 80
_MADE_FROM = {
    "harmony.score": "harmony.distance_deg",
    "engagement.score": "engagement.colorfulness",
    "engagement.pacing": "engagement.colorfulness",
    "usability.score": "usability.contrast",
    "rhythm.score": "rhythm.subband_entropy",
    "rhythm.rmssd": "rhythm.subband_entropy",
    "harmony.score_table10": "harmony.distance_deg",
    "rhythm.score_table8": "rhythm.subband_entropy_table8",
    "rhythm.score_eq17": "rhythm.subband_entropy",
    "rhythm.score_eq17_e7": "rhythm.subband_entropy",
    "rhythm.score_eq17_table13": "rhythm.subband_entropy",
}
_DECK_REASONS = frozenset({"no pixel has enough colour to have a hue", "the slide has no text"})
"""Reasons of slides that the deck's own reason says already."""

_PARTS = ("harmony.score", "engagement.score", "usability.score", "rhythm.score")


def slide_rows(
    number: int,
    image: Image,
    regions: Sequence[TextRegion],
    text_source: str,
    *,
    also: Collection[MetricVariant] = (),
) -> list[Measurement]:
    """All aesthetics rows of one slide, and those of metrics of other packages.

    ``number`` is 1-based, ``image`` RGB uint8 (H, W, 3). ``text_source`` says where the regions
    come from, ``layout`` or ``ocr``. ``also`` adds variants.

    >>> rows = slide_rows(1, np.full((64, 64, 3), 255, np.uint8), [], "layout")
    >>> {row.metric: row.value for row in rows}["rhythm.subband_entropy"]
    0.0
    """
    bits = channel_entropies(image)
    entropy = bits if isinstance(bits, NotScored) else weighted_entropy(bits)
    rows = [
        _harmony_row(number, image),
        *_picture_rows(number, image, PICTURE_METRICS),
        contrast_row(number, image, regions, text_source),
        _entropy_row(number, entropy),
    ]
    if "aim" in also:
        rows += _picture_rows(number, image, _AIM_METRICS)
    if "printed" in also:
        other = (
            bits if isinstance(bits, NotScored) else weighted_entropy(bits, ENTROPY_WEIGHTS_TABLE8)
        )
        rows.append(measured("rhythm.subband_entropy_table8", other, slide=number))
    return [*rows, *outside_slide_rows(number, image)]


def _picture_rows(
    number: int, image: Image, metrics: Mapping[str, Callable[[Image], float | NotScored]]
) -> list[Measurement]:
    return [measured(name, metric(image), slide=number) for name, metric in metrics.items()]


def contrast_row(
    number: int, image: Image, regions: Sequence[TextRegion], text_source: str
) -> Measurement:
    """Only the contrast row of a slide, as in ``slide_rows``.

    >>> contrast_row(1, np.full((64, 64, 3), 255, np.uint8), [], "layout").reason
    'the slide has no text'
    """
    return _contrast_row(number, text_contrast(image, regions), text_source)


def unread_slide_rows(
    number: int, reason: str, *, also: Collection[MetricVariant] = ()
) -> list[Measurement]:
    """The rows of a slide that could not be read, so that its picture is blank, or that could not
    be drawn: none is scored.

    ``number`` is 1-based, ``reason`` says in a line why the slide could not be read.

    >>> {(row.value, row.reason) for row in unread_slide_rows(2, "its bytes are damaged")}
    {(None, 'its bytes are damaged')}
    """
    outcome = NotScored(reason)
    rows = [
        measured("harmony.distance_deg", outcome, slide=number),
        *(measured(name, outcome, slide=number) for name in PICTURE_METRICS),
        _contrast_row(number, outcome, "layout"),
        _entropy_row(number, outcome),
    ]
    variants = [name for kind, names in _SLIDE_VARIANTS.items() if kind in also for name in names]
    rows += [measured(name, outcome, slide=number) for name in variants]
    return [*rows, *outside_slide_rows(number, outcome)]


def deck_rows(
    slides: Sequence[Measurement], *, also: Collection[MetricVariant] = ()
) -> list[Measurement]:
    """All aesthetics rows of a deck, from the rows of its slides in any order; others are ignored.
    Those of metrics of other packages follow.

    ``also`` adds variants, where the slides' rows have them. A slide without a value is left out of
    the deck's; where too few remain, the deck's row has the reason. The total has a value only when
    all four parts have.
    """
    rows = [
        _harmony_deck_row(_scored(slides, "harmony.distance_deg")),
        *_engagement_deck_rows(_scored(slides, "engagement.colorfulness")),
        _usability_deck_row(_scored(slides, "usability.contrast")),
        *_rhythm_deck_rows(_scored(slides, "rhythm.subband_entropy")),
        *(_printed_rows(slides) if "printed" in also else ()),
    ]
    rows = [_explained(row, slides) for row in rows]
    return [_total_row(rows), *rows, *outside_deck_rows(slides)]


def with_hidden_version(rows: Iterable[Measurement]) -> list[Measurement]:
    """Rows of which those that hidden slides and unseen text change have version 1, for they were
    measured with them, as that version was."""
    changed = {"aesthetics.total", "usability.contrast", *_MADE_FROM}
    return [
        row.model_copy(update={"version": "1"}) if row.metric in changed else row for row in rows
    ]


def _explained(row: Measurement, slides: Sequence[Measurement]) -> Measurement:
    """A deck's row; where it has no value because its slides have none, with their reason."""
    if row.reason is None:
        return row
    sources = [slide for slide in slides if slide.metric == _MADE_FROM[row.metric]]
    if not sources:
        return row.model_copy(update={"reason": "the deck has no slides"})
    unexplained = [slide for slide in sources if slide.reason and slide.reason not in _DECK_REASONS]
    if not unexplained:
        return row
    reason = f"slide {unexplained[0].slide}: {unexplained[0].reason}"
    if len(unexplained) == len(sources):
        return row.model_copy(update={"reason": f"no slide could be measured; {reason}"})
    return row.model_copy(update={"reason": f"{row.reason}; {reason}"})


def _harmony_row(number: int, image: Image) -> Measurement:
    value = harmony(image)
    evidence: dict[str, Any] = {
        "palette": [[color, round(share, 4)] for color, share in palette(image)]
    }
    if not isinstance(value, Harmony):
        evidence["chromatic_share"] = 0.0
        return measured("harmony.distance_deg", value, slide=number, evidence=evidence)
    evidence |= {
        "template": value.template,
        "angle_deg": value.angle_deg,
        "sectors": [list(sector) for sector in value.sectors],
        "hue_histogram": list(value.hue_histogram),
        "chromatic_share": value.chromatic_share,
        "slide_score": harmony_slide_score(value.distance_deg),
    }
    return measured("harmony.distance_deg", value.distance_deg, slide=number, evidence=evidence)


def _contrast_row(number: int, contrast: SlideContrast | NotScored, source: str) -> Measurement:
    if source == "none":
        contrast = NotScored(f"nobody looked for text; {needs_extra('reading pictures', 'ocr')}")
    if isinstance(contrast, NotScored):
        evidence: dict[str, Any] = {"regions": 0, "worst": [], "covered": [], "text_source": source}
        return measured("usability.contrast", contrast, slide=number, evidence=evidence)
    worst = [_region_evidence(*pair) for pair in contrast.regions[:_WORST]]
    evidence = {
        "regions": len(contrast.regions),
        "below_least": contrast.below_least,
        "worst": worst,
        "covered": [
            {"box": _rounded(region.frame_box), "text": _shown(region.text)}
            for region in contrast.covered[:_WORST]
        ],
        "text_source": source,
    }
    return measured("usability.contrast", contrast.score, slide=number, evidence=evidence)


def _rounded(box: Box) -> list[float]:
    return [round(float(edge), 2) for edge in box]


def _shown(text: str) -> str:
    return " ".join(text.split())[:_TEXT_SHOWN]


def _region_evidence(region: TextRegion, contrast: RegionContrast) -> dict[str, Any]:
    return {
        "box": _rounded(region.frame_box),
        "ratio": contrast.ratio,
        "least_ratio": region.least_ratio,
        "text": _shown(region.text),
        "figure": hex_color(contrast.figure),
        "ground": hex_color(contrast.ground),
    }


def _entropy_row(number: int, entropy: float | NotScored) -> Measurement:
    evidence = (
        {} if isinstance(entropy, NotScored) else {"slide_score": rhythm_slide_score(entropy)}
    )
    return measured("rhythm.subband_entropy", entropy, slide=number, evidence=evidence)


def _scored(slides: Sequence[Measurement], metric: str) -> list[tuple[int, float]]:
    """(slide, value) of the scored rows of one metric, in slide order."""
    return sorted(
        (row.slide, row.value)
        for row in slides
        if row.metric == metric and row.slide is not None and row.value is not None
    )


def _harmony_deck_row(distances: list[tuple[int, float]]) -> Measurement:
    scores = [harmony_slide_score(distance) for _, distance in distances]
    evidence: dict[str, Any] = {"slides_scored": len(scores)}
    if scores:
        evidence |= {"mean": float(np.mean(scores)), "std": float(np.std(scores))}
    return measured("harmony.score", harmony_score(scores), evidence=evidence)


def _engagement_deck_rows(slides: list[tuple[int, float]]) -> list[Measurement]:
    values = [value for _, value in slides]
    even = pacing(values)
    evidence: dict[str, Any] = {"slides_scored": len(values)}
    if values:
        evidence |= {"level": level(values), "mean": float(np.mean(values))}
    if not isinstance(even, NotScored):
        evidence |= {"pacing": even, "std": float(np.std(values))}
    score = engagement_score(values)
    return [
        measured("engagement.score", score, evidence=evidence),
        measured("engagement.pacing", even),
    ]


def _usability_deck_row(slides: list[tuple[int, float]]) -> Measurement:
    values = [value for _, value in slides]
    evidence: dict[str, Any] = {"slides_scored": len(values)}
    if values:
        evidence["mean"] = float(np.mean(values))
    return measured("usability.score", usability_score(values), evidence=evidence)


def _rhythm_deck_rows(slides: list[tuple[int, float]]) -> list[Measurement]:
    scores = [(number, rhythm_slide_score(entropy)) for number, entropy in slides]
    values = [score for _, score in scores]
    change = rmssd(values)
    evidence: dict[str, Any] = {
        "slides_scored": len(values),
        "slide_scores": [list(pair) for pair in scores],
    }
    if values:
        evidence["mean_slide_score"] = float(np.mean(values))
    if not isinstance(change, NotScored):
        evidence |= {"rmssd": change, "band": rhythm_band(change)}
    return [
        measured("rhythm.score", rhythm_score(values), evidence=evidence),
        measured("rhythm.rmssd", change),
    ]


def _printed_rows(slides: Sequence[Measurement]) -> list[Measurement]:
    """The deck's scores by the other constants and the other equation of paper 002."""
    distances = [value for _, value in _scored(slides, "harmony.distance_deg")]
    strict = [harmony_slide_score(value, sigma=HARMONY_SIGMA_STRICT) for value in distances]
    scores = _slide_scores(slides, "rhythm.subband_entropy")
    tuned = partial(rhythm_score_target, target=RMSSD_TARGET_TUNED)
    by_eq17: dict[str, Callable[[Sequence[float]], float | NotScored]] = {
        "rhythm.score_eq17": rhythm_score_target,
        "rhythm.score_eq17_e7": tuned,
        "rhythm.score_eq17_table13": partial(tuned, overload=OVERLOAD_THRESHOLD_TUNED),
    }
    return [
        measured("harmony.score_table10", harmony_score(strict)),
        measured(
            "rhythm.score_table8",
            rhythm_score(_slide_scores(slides, "rhythm.subband_entropy_table8")),
        ),
        *(measured(name, of(scores)) for name, of in by_eq17.items()),
    ]


def _slide_scores(slides: Sequence[Measurement], metric: str) -> list[float]:
    return [rhythm_slide_score(bits) for _, bits in _scored(slides, metric)]


def _total_row(rows: Sequence[Measurement]) -> Measurement:
    by_name = {row.metric: row for row in rows}
    parts = {name: by_name[name].value for name in _PARTS}
    missing = [f"{name}: {by_name[name].reason}" for name in _PARTS if parts[name] is None]
    values = [value for value in parts.values() if value is not None]
    outcome = NotScored("; ".join(missing)) if missing else sum(values)
    return measured("aesthetics.total", outcome, evidence={"parts": parts})
