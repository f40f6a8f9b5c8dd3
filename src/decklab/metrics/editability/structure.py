"""Gate 3, structural logic: grouping and masters (paper 002, I.4.3 step 3)."""

from collections.abc import Callable, Sequence

from decklab.deck.model.outline import DeckOutline, Slide
from decklab.metrics.editability.clusters import LooseCluster, complex_groups, loose_clusters
from decklab.metrics.editability.content import FRAME, filled_slides, percent, slides_named
from decklab.metrics.editability.facts import InheritanceFacts
from decklab.metrics.editability.inheritance import (
    Pasted,
    inherits,
    is_pasted_background,
    keeps_position,
    pasted_objects,
    pasted_share,
)
from decklab.metrics.editability.thresholds import LOOSE_SHARE, MOSTLY
from decklab.metrics.editability.verdict import Evidence, Gate, Outcome
from decklab.results import NotScored, Severity

GROUP_FIX = "Select the pieces and group them (Ctrl+G)."
LAYOUT_FIX = (
    "Put titles and text into the placeholders of a layout, and what repeats into the master."
)
PASTED_FIX = "Move the object to the slide master and delete the copies."


def judge_structure(
    outline: DeckOutline, inheritance: Callable[[], Sequence[InheritanceFacts] | NotScored]
) -> Gate:
    """Gate 3. ``inheritance`` is asked only where grouping and layouts are sound on paper."""
    slides = filled_slides(outline)
    if not slides:
        return Gate(3, "not_applicable", "The deck has nothing on its slides.")
    faults = [
        fault
        for fault in (_grouping(slides), _pasted(slides), _hardcoded(slides, outline))
        if fault is not None
    ]
    remarks = _remarks(slides)
    if faults:
        summary = " ".join(text for text, _, _ in faults)
        evidence = tuple(item for _, items, _ in faults for item in items)
        return Gate(3, "failed", summary, evidence + remarks, " ".join(fix for *_, fix in faults))
    return _shown(slides, outline, inheritance, remarks)


_Fault = tuple[str, tuple[Evidence, ...], str]


def _grouping(slides: Sequence[Slide]) -> _Fault | None:
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


def _loose(cluster: LooseCluster, severity: Severity) -> Evidence:
    return Evidence(
        "editability.loose-shapes", severity,
        f"{len(cluster.pieces)} loose shapes make one graphic and are not grouped.",
        slide=cluster.slide, shape=cluster.pieces[0].label, box=cluster.box, fix=GROUP_FIX,
    )  # fmt: skip


def _pasted(slides: Sequence[Slide]) -> _Fault | None:
    pasted = pasted_objects(slides)
    if not is_pasted_background(pasted):
        return None
    summary = (
        f"The background is pasted on the slides: {len(pasted)} objects that repeat cover "
        f"{round(100 * pasted_share(pasted))} % of the slide."
    )
    evidence = tuple(_repeated(item, "error", len(slides)) for item in pasted)
    return summary, evidence, PASTED_FIX


def _repeated(item: Pasted, severity: Severity, slides: int) -> Evidence:
    return Evidence(
        "editability.pasted-background", severity,
        f"The same object stands at one place on {percent(len(item.slides), slides)} slides.",
        slide=item.slides[0], shape=item.label, box=item.box, fix=PASTED_FIX,
    )  # fmt: skip


def _hardcoded(slides: Sequence[Slide], outline: DeckOutline) -> _Fault | None:
    """Action B, on paper: a layout that gives a slide nothing cannot change it."""
    loose = [slide for slide in slides if not inherits(slide, outline)]
    if len(slides) - len(loose) >= MOSTLY * len(slides):
        return None
    summary = (
        f"Layouts are hardcoded: {percent(len(loose), len(slides))} slides take neither "
        "placeholders nor decoration from a layout or master."
    )
    evidence = tuple(
        Evidence(
            "editability.hardcoded-layout", "error",
            f"Everything on the slide is loose; its layout {_layout_name(slide, outline)} "
            "gives it nothing.",
            slide=slide.number, box=FRAME, fix=LAYOUT_FIX,
        )
        for slide in loose
    )  # fmt: skip
    return summary, evidence, LAYOUT_FIX


def _layout_name(slide: Slide, outline: DeckOutline) -> str:
    layout = outline.layout(slide.layout)
    return f"“{layout.name}”" if layout is not None else "(missing)"


def _remarks(slides: Sequence[Slide]) -> tuple[Evidence, ...]:
    """Loose clusters and repeated objects that are too few or too small to fail the gate."""
    pasted = pasted_objects(slides)
    clusters = [cluster for slide in slides for cluster in loose_clusters(slide)]
    failing = _grouping(slides) is not None
    found = [] if failing else [_loose(cluster, "warning") for cluster in clusters]
    if not is_pasted_background(pasted):
        found += [_repeated(item, "info", len(slides)) for item in pasted]
    return tuple(found)


def _shown(
    slides: Sequence[Slide],
    outline: DeckOutline,
    inheritance: Callable[[], Sequence[InheritanceFacts] | NotScored],
    remarks: tuple[Evidence, ...],
) -> Gate:
    """Action B, as done: a shape added to the layouts must appear on the slides."""
    facts = inheritance()
    if isinstance(facts, NotScored):
        summary = f"The changed layouts could not be drawn: {facts.reason}"
        return Gate(3, "not_scored", summary, remarks)
    covered = [fact.slide for fact in facts if not fact.appeared]
    outcome: Outcome = "passed" if len(facts) - len(covered) >= MOSTLY * len(facts) else "failed"
    evidence = tuple(
        Evidence(
            "editability.covered-layout", "error" if outcome == "failed" else "info",
            "A shape added to the layout does not appear on the slide: the slide hides or covers "
            "what its master draws.",
            slide=number, box=FRAME, fix=PASTED_FIX,
        )
        for number in covered
    )  # fmt: skip
    kept = sum(keeps_position(slide, outline) for slide in slides)
    shown = percent(len(facts) - len(covered), len(facts))
    appeared = (
        f"a shape added to the layouts appears on {shown} slides "
        f"(checked {len(facts)} of {len(slides)})"
    )
    if outcome == "failed":
        summary = f"Masters do not carry through: {appeared}; not on {slides_named(covered)}."
        return Gate(3, outcome, summary, evidence + remarks, PASTED_FIX)
    summary = (
        f"Layouts carry through: {appeared}, and {percent(kept, len(slides))} keep a "
        "placeholder where the layout puts it."
    )
    return Gate(3, outcome, summary, evidence + remarks)
