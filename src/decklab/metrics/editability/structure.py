"""Gate 3, structural logic: grouping and masters (paper 002, I.4.3 step 3).

Grouping: loose shapes that belong together are drawings that scatter when somebody moves them.
Masters: what slides inherit from their layouts and masters, and what is pasted on every slide
instead. All thresholds are ours.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from decklab.core.geometry import FRAME, Box
from decklab.core.options import Severity
from decklab.core.results import Finding, NotScored
from decklab.deck.model.outline import (
    DeckOutline,
    OutlineLayout,
    OutlinePicture,
    OutlineShape,
    OutlineSlide,
)
from decklab.metrics.editability.verdict import (
    MIN_PASTED_SLIDES,
    MOSTLY,
    PASTED_SHARE,
    EditabilityGate,
    InheritanceFacts,
    Outcome,
    content_shapes,
    coverage,
    filled_slides,
    has_text,
    is_furniture,
    on_frame,
    paints,
    percent,
    slides_named,
)

CLUSTER_GAP = 2
"""Loose pieces within this distance touch: outlines are drawn over shared edges."""

PIECE_AREA = 0.25
"""Share of the slide above which a shape is a panel that other things stand on, not a piece."""

ICON_EXTENT = 0.4
"""Largest extent of an icon or figure, as a share of the slide in each direction. Anything larger
is a composition of the slide, whose parts people select one by one."""

ICON_PIECES = 8
"""Textless pieces that make a loose icon or figure. Up to seven that touch occur in decoration
that people place by hand; drawn figures have ten, traced icons dozens."""

LOOSE_PIECES = 20
"""Textless pieces that make a loose graphic of any extent: a person lays out a dozen boxes and
arrows and expects to select them one by one, but not twenty that touch."""

COMPLEX_GROUP = 5
"""Members from which a group is a complex graphic that moves as one unit."""

LOOSE_SHARE = 0.5
"""Share of a deck's complex graphics (loose clusters over clusters and complex groups) that may
be loose."""

HUNDREDS = 100
"""Loose pieces in one cluster that fail the gate by themselves: the paper's atomic isolation
speaks of hundreds of loose shapes."""

PASTED_AREA = 0.25
"""Share of the slide that pasted objects must cover to be its background: a full picture or
side, top and bottom bars do; a logo and a rule do not and are only named."""


@dataclass(frozen=True)
class LooseCluster:
    """Ungrouped pieces of one slide that touch each other."""

    slide: int
    pieces: tuple[OutlineShape, ...]
    box: Box

    @property
    def hundreds(self) -> bool:
        """True where the pieces are so many that the cluster fails the gate by itself."""
        return len(self.pieces) >= HUNDREDS


def _pieces(slide: OutlineSlide) -> list[tuple[OutlineShape, Box]]:
    """Loose, textless vector shapes that are neither placeholders nor panels."""
    pieces = []
    for shape in content_shapes(slide):
        glued = any(end is not None for end in shape.connects)
        drawing = shape.kind in ("shape", "connector") and paints(shape) and not glued
        loose = not shape.groups and shape.placeholder is None and shape.picture is None
        if not drawing or not loose or shape.box is None or has_text(shape):
            continue
        if shape.box.area <= PIECE_AREA * FRAME.area:
            pieces.append((shape, shape.box))
    return pieces


def _touching(boxes: NDArray[np.float64]) -> NDArray[np.bool_]:
    left, top, right, bottom = (boxes[:, index] for index in range(4))
    apart_x = left[:, None] > right[None, :] + CLUSTER_GAP
    apart_y = top[:, None] > bottom[None, :] + CLUSTER_GAP
    touching: NDArray[np.bool_] = ~(apart_x | apart_x.T | apart_y | apart_y.T)
    return touching


def _connected(touching: NDArray[np.bool_]) -> Iterator[NDArray[np.intp]]:
    """The members of each set of pieces that hang together, by a symmetric (n, n) matrix."""
    left = np.ones(len(touching), bool)
    while left.any():
        members = np.zeros(len(touching), bool)
        newest = members.copy()
        newest[left.argmax()] = True
        while newest.any():
            members |= newest
            newest = touching[newest].any(axis=0) & ~members
        left &= ~members
        yield np.flatnonzero(members)


def loose_clusters(slide: OutlineSlide) -> list[LooseCluster]:
    """Clusters of a slide that should be groups: an icon in pieces, or a drawing of many shapes."""
    pieces = _pieces(slide)
    if len(pieces) < ICON_PIECES:
        return []
    boxes = np.array([box for _, box in pieces], float)
    loose = []
    for members in _connected(_touching(boxes)):
        shapes = tuple(pieces[index][0] for index in members)
        extent = Box(
            *(float(value) for value in boxes[members, :2].min(axis=0)),
            *(float(value) for value in boxes[members, 2:].max(axis=0)),
        )
        if _should_be_group(shapes, extent):
            loose.append(LooseCluster(slide.number, shapes, extent))
    return loose


def _should_be_group(shapes: tuple[OutlineShape, ...], extent: Box) -> bool:
    compact = (
        extent.width <= ICON_EXTENT * FRAME.width and extent.height <= ICON_EXTENT * FRAME.height
    )
    return len(shapes) >= (ICON_PIECES if compact else LOOSE_PIECES)


def complex_groups(slide: OutlineSlide) -> int:
    """Number of outermost groups with enough members to be a complex graphic."""
    members: dict[int, int] = {}
    for shape in slide.shapes:
        if shape.groups and shape.kind != "group":
            members[shape.groups[0]] = members.get(shape.groups[0], 0) + 1
    return sum(count >= COMPLEX_GROUP for count in members.values())


def inherits(slide: OutlineSlide, outline: DeckOutline) -> bool:
    """True where a change of the layout would change the slide noticeably.

    That is so where a content placeholder of the slide has its counterpart in the layout, or where
    layout or master draw something of their own on the slide. A slide with loose text boxes on an
    empty layout inherits nothing from it, though it names the layout.
    """
    if (layout := outline.layout(slide.layout)) is None:
        return False
    if any(_counterpart(shape, layout) for shape in content_shapes(slide)):
        return True
    master = outline.layout(layout.master)
    return _dressed(layout) or (master is not None and _dressed(master))


def _counterpart(shape: OutlineShape, layout: OutlineLayout) -> OutlineShape | None:
    if shape.placeholder is None or not (has_text(shape) or paints(shape)):
        return None
    for other in layout.shapes:
        same_idx = other.placeholder_idx == shape.placeholder_idx
        if other.placeholder is not None and (same_idx or other.placeholder == shape.placeholder):
            return other
    return None


def _dressed(layout: OutlineLayout) -> bool:
    background = layout.background
    if background is not None and background.kind in ("picture", "gradient", "pattern"):
        return True
    return any(
        shape.placeholder is None and not is_furniture(shape) and not shape.hidden
        and (paints(shape) or has_text(shape))
        for shape in layout.shapes
    )  # fmt: skip


def keeps_position(slide: OutlineSlide, outline: DeckOutline) -> bool:
    """True where a content placeholder of the slide stands where its layout puts it."""
    if (layout := outline.layout(slide.layout)) is None:
        return False
    for shape in content_shapes(slide):
        other = _counterpart(shape, layout)
        if other is not None and shape.box and other.box and _same_place(shape.box, other.box):
            return True
    return False


def _same_place(first: Box, second: Box) -> bool:
    return max(abs(a - b) for a, b in zip(first, second, strict=True)) < 1


@dataclass(frozen=True)
class RepeatedObject:
    """An object that stands on most slides at the same place."""

    label: str
    slides: tuple[int, ...]
    box: Box


def _identity(picture: OutlinePicture | None) -> Hashable:
    return None if picture is None else (picture.part, picture.link)


def _objects(slide: OutlineSlide) -> dict[Hashable, tuple[str, Box]]:
    """Objects that may be a background of the slide, by what identifies equal ones."""
    objects: dict[Hashable, tuple[str, Box]] = {}
    background = slide.background
    if background is not None and background.picture is not None:
        key = ("background", _identity(background.picture))
        objects[key] = ("the slide's own background", FRAME)
    for shape in content_shapes(slide):
        if shape.placeholder is not None or has_text(shape) or not paints(shape):
            continue
        if shape.box is None or shape.kind not in ("shape", "picture", "connector"):
            continue
        corners = tuple(round(edge / 3) for edge in shape.box)
        look = (shape.kind, shape.geometry, shape.fill_color, _identity(shape.picture))
        objects[look, corners] = (shape.label, on_frame(shape.box))
    return objects


def repeated_objects(slides: Sequence[OutlineSlide]) -> list[RepeatedObject]:
    """Objects that are at one place on at least four fifths of the slides.

    Videos, charts and text are content and never pasted background; what a layout draws is not
    on the slide and so is never found here.
    """
    if len(slides) < MIN_PASTED_SLIDES:
        return []
    seen: dict[Hashable, list[tuple[int, str, Box]]] = defaultdict(list)
    for slide in slides:
        for key, (label, box) in _objects(slide).items():
            seen[key].append((slide.number, label, box))
    return [
        RepeatedObject(places[0][1], tuple(number for number, _, _ in places), places[0][2])
        for places in seen.values()
        if len(places) >= PASTED_SHARE * len(slides)
    ]


def pasted_share(pasted: Sequence[RepeatedObject]) -> float:
    """Share of the slide that pasted objects cover together."""
    return coverage(item.box for item in pasted)


def is_pasted_background(pasted: Sequence[RepeatedObject]) -> bool:
    """True where the pasted objects together are the background of the deck."""
    return pasted_share(pasted) >= PASTED_AREA


GROUP_FIX = "Select the pieces and group them (Ctrl+G)."
LAYOUT_FIX = (
    "Put titles and text into the placeholders of a layout, and what repeats into the master."
)
PASTED_FIX = "Move the object to the slide master and delete the copies."


def judge_structure(
    outline: DeckOutline, inheritance: Callable[[], Sequence[InheritanceFacts] | NotScored]
) -> EditabilityGate:
    """Gate 3. ``inheritance`` is called only where grouping and layouts pass without it."""
    if not (slides := filled_slides(outline)):
        return EditabilityGate(3, "not_applicable", "The deck has nothing on its slides.")
    faults = [
        fault
        for fault in (_grouping(slides), _pasted(slides), _hardcoded(slides, outline))
        if fault is not None
    ]
    remarks = _remarks(slides)
    if faults:
        summary = " ".join(text for text, _, _ in faults)
        evidence = tuple(item for _, items, _ in faults for item in items)
        return EditabilityGate(
            3, "failed", summary, evidence + remarks, " ".join(fix for *_, fix in faults)
        )
    return _by_probe(slides, outline, inheritance, remarks)


_Fault = tuple[str, tuple[Finding, ...], str]


def _grouping(slides: Sequence[OutlineSlide]) -> _Fault | None:
    """Action A: a complex graphic must move as one unit."""
    clusters = [cluster for slide in slides for cluster in loose_clusters(slide)]
    grouped = sum(complex_groups(slide) for slide in slides)
    if not clusters:
        return None
    share = len(clusters) / (len(clusters) + grouped)
    if share <= LOOSE_SHARE and not any(cluster.hundreds for cluster in clusters):
        return None
    summary = (
        f"Complex graphics scatter when clicked: {len(clusters)} of {len(clusters) + grouped} "
        "are loose shapes."
    )
    return summary, tuple(_loose(cluster, "error") for cluster in clusters), GROUP_FIX


def _loose(cluster: LooseCluster, severity: Severity) -> Finding:
    return Finding(
        rule="editability.loose-shapes", severity=severity,
        message=f"{len(cluster.pieces)} loose shapes make one graphic and are not grouped.",
        slide=cluster.slide, shape=cluster.pieces[0].label, box=cluster.box, fix=GROUP_FIX,
    )  # fmt: skip


def _pasted(slides: Sequence[OutlineSlide]) -> _Fault | None:
    pasted = repeated_objects(slides)
    if not is_pasted_background(pasted):
        return None
    summary = (
        f"The background is pasted on the slides: {len(pasted)} objects that repeat cover "
        f"{round(100 * pasted_share(pasted))} % of the slide."
    )
    evidence = tuple(_repeated(item, "error", len(slides)) for item in pasted)
    return summary, evidence, PASTED_FIX


def _repeated(item: RepeatedObject, severity: Severity, slides: int) -> Finding:
    return Finding(
        rule="editability.pasted-background", severity=severity,
        message="The same object stands at one place on"
        f" {percent(len(item.slides), slides)} slides.",
        slide=item.slides[0], shape=item.label, box=item.box, fix=PASTED_FIX,
    )  # fmt: skip


def _hardcoded(slides: Sequence[OutlineSlide], outline: DeckOutline) -> _Fault | None:
    """Action B, by structure: a layout from which a slide inherits nothing cannot change it."""
    loose = [slide for slide in slides if not inherits(slide, outline)]
    if len(slides) - len(loose) >= MOSTLY * len(slides):
        return None
    summary = (
        f"Layouts are hardcoded: {percent(len(loose), len(slides))} slides take neither "
        "placeholders nor decoration from a layout or master."
    )
    evidence = tuple(
        Finding(
            rule="editability.hardcoded-layout", severity="error",
            message=f"Everything on the slide is loose; its layout {_layout_name(slide, outline)} "
            "gives it nothing.",
            slide=slide.number, box=FRAME, fix=LAYOUT_FIX,
        )
        for slide in loose
    )  # fmt: skip
    return summary, evidence, LAYOUT_FIX


def _layout_name(slide: OutlineSlide, outline: DeckOutline) -> str:
    layout = outline.layout(slide.layout)
    return f"“{layout.name}”" if layout is not None else "(missing)"


def _remarks(slides: Sequence[OutlineSlide]) -> tuple[Finding, ...]:
    """Loose clusters and repeated objects that are too few or too small to fail the gate."""
    pasted = repeated_objects(slides)
    clusters = [cluster for slide in slides for cluster in loose_clusters(slide)]
    failing = _grouping(slides) is not None
    remarks = [] if failing else [_loose(cluster, "warning") for cluster in clusters]
    if not is_pasted_background(pasted):
        remarks += [_repeated(item, "info", len(slides)) for item in pasted]
    return tuple(remarks)


def _by_probe(
    slides: Sequence[OutlineSlide],
    outline: DeckOutline,
    inheritance: Callable[[], Sequence[InheritanceFacts] | NotScored],
    remarks: tuple[Finding, ...],
) -> EditabilityGate:
    """Action B, by the probe: a shape added to the layouts must appear on the slides."""
    facts = inheritance()
    if isinstance(facts, NotScored):
        summary = f"The changed layouts could not be drawn: {facts.reason}"
        return EditabilityGate(3, "not_scored", summary, remarks)
    covered = [fact.slide for fact in facts if not fact.appeared]
    outcome: Outcome = "passed" if len(facts) - len(covered) >= MOSTLY * len(facts) else "failed"
    evidence = tuple(
        Finding(
            rule="editability.covered-layout", severity="error" if outcome == "failed" else "info",
            message="A shape added to the layout does not appear on the slide: the slide hides or "
            "covers what its master draws.",
            slide=number, box=FRAME, fix=PASTED_FIX,
        )
        for number in covered
    )  # fmt: skip
    in_place = sum(keeps_position(slide, outline) for slide in slides)
    shown = percent(len(facts) - len(covered), len(facts))
    appeared = (
        f"a shape added to the layouts appears on {shown} slides "
        f"(checked {len(facts)} of {len(slides)})"
    )
    if outcome == "failed":
        summary = f"Masters do not carry through: {appeared}; not on {slides_named(covered)}."
        return EditabilityGate(3, outcome, summary, evidence + remarks, PASTED_FIX)
    summary = (
        f"Layouts carry through: {appeared}, and {percent(in_place, len(slides))} keep a "
        "placeholder where the layout puts it."
    )
    return EditabilityGate(3, outcome, summary, evidence + remarks)
