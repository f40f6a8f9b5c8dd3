"""Gate 2, vector graphics: at 400 % zoom drawings must stay sharp (paper 002, I.4.3 step 2).

Photographs are content and never count against a deck. Rasters count that stand in for
drawings: icons, diagrams, charts, screenshots, and slides baked into one picture.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from decklab.core.geometry import FRAME, Box
from decklab.core.results import Finding, NotScored
from decklab.deck.model.outline import DeckOutline, OutlineSlide
from decklab.metrics.editability.verdict import (
    FULL_SLIDE,
    MIN_PASTED_SLIDES,
    MOSTLY,
    PASTED_SHARE,
    EditabilityGate,
    PictureFacts,
    content_shapes,
    coverage,
    filled_slides,
    has_text,
    on_frame,
    paints,
    percent,
)

SHARP_AT_400 = 4 * 1280 / 960
"""Pixels a raster needs per frame pixel to stay sharp at 400 % zoom (paper 002, I.4.3 step 2). A
16:9 slide is 13.33 inches wide, 1280 pixels at the 96 dpi that editors call 100 %."""

BLUR_AREA = 0.02
"""Share of the slide that blurred graphics must cover before the slide counts as pixelated: three
icons of 8 % of the slide's width do, one logo does not."""

LOGO_AREA = 0.05
"""Largest share of the slide for a picture that, standing at one place on several slides, is
taken for a logo or a mark: it is a brand asset, not a graphic of the slide."""

VECTOR_FIX = "Replace the picture by native shapes, an SVG, or a native chart or table."
BAKED_FIX = "Rebuild the slide's drawing from shapes; keep only a photograph as picture."
MIN_LOGO_SLIDES = 3


def is_blurred(fact: PictureFacts) -> bool:
    """True for a raster drawing with fewer pixels than 400 % zoom shows."""
    return fact.kind == "graphic" and fact.density is not None and fact.density < SHARP_AT_400


def logos(pictures: Sequence[PictureFacts]) -> set[str]:
    """Parts that are small, and at one place, on several slides: marks, not graphics."""
    places: dict[tuple[str, tuple[int, int]], set[int]] = defaultdict(set)
    for fact in pictures:
        if fact.part and fact.box.area <= LOGO_AREA * FRAME.area:
            corner = (round(fact.box.left / 4), round(fact.box.top / 4))
            places[fact.part, corner].add(fact.slide)
    return {part for (part, _), slides in places.items() if len(slides) >= MIN_LOGO_SLIDES}


@dataclass(frozen=True)
class _Look:
    """The graphics of one slide under zoom."""

    slide: OutlineSlide
    blurred: tuple[PictureFacts, ...]
    baked: tuple[PictureFacts, ...]
    raster: bool


def judge_vector(
    outline: DeckOutline, pictures: Callable[[], Sequence[PictureFacts] | NotScored]
) -> EditabilityGate:
    """Gate 2: most slides must draw their graphics natively or sharply."""
    slides = filled_slides(outline)
    facts = pictures()
    if isinstance(facts, NotScored):
        return EditabilityGate(
            2, "not_scored", f"The pictures could not be looked at: {facts.reason}"
        )
    drawn = any(paints(shape) for slide in slides for shape in content_shapes(slide))
    if not drawn and not facts:
        return EditabilityGate(2, "not_applicable", "The deck has no graphics, only text.")
    looks = _looks(slides, facts)
    bad = [look for look in looks if look.raster]
    failed = len(bad) > MOSTLY * len(looks)
    if failed:
        summary = (
            f"Graphics are pixels on {percent(len(bad), len(slides))} slides: screenshots and "
            "rasters stand in for drawings."
        )
    elif bad:
        summary = (
            f"Graphics are native or photographs on most slides; rasters stand in for drawings "
            f"on {percent(len(bad), len(slides))}."
        )
    else:
        summary = "Graphics are native shapes, vectors or photographs."
    evidence = tuple(item for look in looks for item in _evidence(look, failed=failed))
    return EditabilityGate(
        2, "failed" if failed else "passed", summary, evidence, VECTOR_FIX if evidence else ""
    )


def _looks(slides: Sequence[OutlineSlide], facts: Sequence[PictureFacts]) -> list[_Look]:
    marks = logos(facts)
    shared = _shared_backgrounds(slides, facts)
    by_slide: dict[int, list[PictureFacts]] = defaultdict(list)
    for fact in facts:
        if fact.part not in marks and fact.part not in shared:
            by_slide[fact.slide].append(fact)
    return [_look(slide, by_slide[slide.number]) for slide in slides]


def _shared_backgrounds(slides: Sequence[OutlineSlide], facts: Sequence[PictureFacts]) -> set[str]:
    """Full-slide pictures that most slides share: a pasted background, which gate 3 judges."""
    seen: dict[str, set[int]] = defaultdict(set)
    for fact in facts:
        if fact.part and coverage([fact.box]) >= FULL_SLIDE:
            seen[fact.part].add(fact.slide)
    least = max(MIN_PASTED_SLIDES, PASTED_SHARE * len(slides))
    return {part for part, numbers in seen.items() if len(numbers) >= least}


def _look(slide: OutlineSlide, facts: Sequence[PictureFacts]) -> _Look:
    baked = tuple(
        fact for fact in facts if fact.kind == "graphic" and coverage([fact.box]) >= FULL_SLIDE
    )
    blurred = tuple(fact for fact in facts if is_blurred(fact) and fact not in baked)
    area = coverage(fact.box for fact in blurred)
    raster = bool(baked) or (area >= BLUR_AREA and area > _native_area(slide))
    return _Look(slide, blurred, baked, raster)


def _native_area(slide: OutlineSlide) -> float:
    """Share of the slide that native graphics cover, without full panels in the background."""
    boxes: list[Box] = []
    for shape in content_shapes(slide):
        drawn = shape.kind in ("chart", "table", "smartart", "connector") or (
            shape.kind == "shape" and paints(shape) and shape.picture is None
        )
        vector = shape.picture is not None and shape.picture.vector
        empty_placeholder = shape.placeholder is not None and not has_text(shape)
        if (drawn or vector) and shape.box and not empty_placeholder:
            boxes.append(on_frame(shape.box))
    return coverage(box for box in boxes if box.area < FULL_SLIDE * FRAME.area)


def _evidence(look: _Look, *, failed: bool) -> list[Finding]:
    evidence = []
    for fact in look.baked:
        evidence.append(_item(
            fact, "editability.baked-slide",
            "A full-slide raster holds the slide's drawing; only what lies over it can be edited.",
            BAKED_FIX, failing=failed,
        ))  # fmt: skip
    for fact in look.blurred:
        need = SHARP_AT_400 / fact.density if fact.density else 0.0
        evidence.append(_item(
            fact, "editability.raster-graphic",
            f"A raster stands in for a drawing and blurs at 400 % zoom "
            f"({need:.1f} times too few pixels).",
            VECTOR_FIX, failing=failed and look.raster,
        ))  # fmt: skip
    return evidence


def _item(fact: PictureFacts, rule: str, detail: str, fix: str, *, failing: bool) -> Finding:
    return Finding(
        rule=rule, severity="error" if failing else "warning", message=detail,
        slide=fact.slide, shape=fact.label, box=fact.box, fix=fix,
    )  # fmt: skip
