"""The three protocols and the knockout rule (paper 002, sections 2.4, I.1.1, I.2 and I.4).

Gate 5, cinematic, is here as well: the show moves and its media travel with it (I.4.3 step 5).
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import PurePath

from decklab.core.options import NoData, TextGate
from decklab.core.results import Finding, NotScored
from decklab.deck.model.outline import DeckOutline, OutlineMedia, OutlineShape, OutlineSlide
from decklab.metrics.editability.graphics import VECTOR_FIX, judge_data, judge_vector
from decklab.metrics.editability.structure import judge_structure
from decklab.metrics.editability.text import (
    FRAGMENT_FIX,
    FRAGMENT_SHARE,
    RASTER_FIX,
    WRAP_FIX,
    judge_text,
)
from decklab.metrics.editability.verdict import (
    MOSTLY,
    Editability,
    EditabilityGate,
    JudgingProtocol,
    Probes,
    WebFacts,
    content_shapes,
    filled_slides,
    judged_slides,
    percent,
)

MOVING_SHARE = 0.5
"""Share of slides that must come by a transition, or by themselves."""

BUILT_SHARE = 0.25
"""Share of slides on which something must come, go or play: titles, quotes and pictures that fill
their slides have nothing to build; one effect on a title slide leaves the rest static."""

ORDER_SHARE = 0.5
"""Share of the steps between builds that must follow the reading order."""

MOTION_FIX = "Give the slides a transition, and let their points build in as they are read."
MEDIA_FIX = "Embed the file (Insert, Video, This Device) instead of linking it."
ROW = 20
"""Height in frame pixels within which shapes are read from left to right."""


def judge_cinematic(outline: DeckOutline) -> EditabilityGate:
    """Gate 5: the show moves, what builds in or out follows the reading order, and every medium is
    inside the deck.

    The paper asks that slides "must transition automatically or smoothly" and that elements "should
    animate in" (I.4.3 step 5), in sequences "that match the reading order" (I.3.4). So half of the
    slides must transition, and on a quarter something must build or a medium play; transitions
    alone are a show of stills.
    Effects count as far as an audience sees them (``audience_outline``).
    """
    slides = judged_slides(outline)
    media = [(slide, shape, shape.media) for slide in slides for shape in content_shapes(slide)
             if shape.media is not None]  # fmt: skip
    linked = tuple(
        _linked(slide, shape, medium) for slide, shape, medium in media if medium.part is None
    )
    moving = [slide for slide in slides if _advances(slide)]
    playing = {slide.number for slide, _, _ in media}
    built = [slide for slide in slides if slide.animated or slide.number in playing]
    order = build_order_share(built)
    seen = (
        f"{percent(len(moving), len(slides))} slides have a transition, "
        f"on {percent(len(built), len(slides))} something builds or plays{_order_words(order)}"
        f"{_media_words(len(media), len(linked))}"
    )
    if linked:
        return EditabilityGate(
            5, "failed", f"Media lie outside the deck: {seen}.", linked, MEDIA_FIX
        )
    if not moving and not built:
        return EditabilityGate(5, "failed", f"The show is static: {seen}.", (), MOTION_FIX)
    if len(moving) < MOVING_SHARE * len(slides):
        return EditabilityGate(5, "failed", f"Most slides are cut: {seen}.", (), MOTION_FIX)
    if len(built) < BUILT_SHARE * len(slides):
        return EditabilityGate(
            5, "failed", f"Hardly anything builds or plays: {seen}.", (), MOTION_FIX
        )
    if order is not None and order < ORDER_SHARE:
        return EditabilityGate(5, "failed", f"Builds jump about: {seen}.", (), MOTION_FIX)
    return EditabilityGate(5, "passed", f"The show moves: {seen}.")


_STILL = (None, "cut")
"""Transitions in which nothing moves."""


def _advances(slide: OutlineSlide) -> bool:
    return slide.transition not in _STILL or slide.advances_after_ms is not None


def _linked(slide: OutlineSlide, shape: OutlineShape, medium: OutlineMedia) -> Finding:
    if medium.link:
        detail = f"The {medium.kind} is linked to {medium.link} and will not play elsewhere."
    else:
        detail = f"The {medium.kind} file is missing from the deck."
    return Finding(
        rule="editability.linked-media", severity="error", message=detail,
        slide=slide.number, shape=shape.label, box=shape.box, fix=MEDIA_FIX,
    )  # fmt: skip


def _media_words(media: int, linked: int) -> str:
    return f"; {media - linked} of {media} media files are embedded" if media else ""


def _order_words(share: float | None) -> str:
    return "" if share is None else f"; {round(100 * share)} % of builds follow the reading order"


def build_order_share(slides: Sequence[OutlineSlide]) -> float | None:
    """The mean of ``reading_order_share``, 0 to 1; None if no slide has two builds."""
    shares = [share for slide in slides if (share := reading_order_share(slide)) is not None]
    return sum(shares) / len(shares) if shares else None


def reading_order_share(slide: OutlineSlide) -> float | None:
    """Share of successive builds that follow reading order, 0 to 1; None below two builds.

    Reading order is top to bottom and, within 20 pixels of height, left to right.
    """
    boxes = [shape.box for id in slide.animated if (shape := slide.shape(id)) and shape.box]
    if not (steps := list(pairwise((round(box.top / ROW), box.left) for box in boxes))):
        return None
    return sum(later >= earlier for earlier, later in steps) / len(steps)


SELECT_FIX = "Let text be selected: remove 'user-select: none' and 'pointer-events: none'."
TEXT_GATES: tuple[TextGate, ...] = ("box", "slide")
NOT_REACHED = "Not reached: an earlier gate failed."
NOT_JUDGED = "Not reached: an earlier gate could not be judged."


def judge_pptx(
    outline: DeckOutline, probes: Probes, *, no_data: NoData = "failed", text_gate: TextGate = "box"
) -> Editability:
    """The level of an Office Open XML deck: all five gates, until one fails (paper 002, I.4.3).

    Each probe is called only when the gates before it are passed and the deck's structure does not
    decide alone. A gate whose probe fails is not scored, and then neither is the level. A deck
    without slides, or with blank slides only, is not scored.

    ``text_gate`` is the criterion of gate 1 that decides; ``levels`` of the verdict holds the level
    by each criterion.

    Evaluation ceases at the first failure, but the deck's structure is read to the end: what it
    shows about later gates is their evidence and does not change the level.
    """
    if not outline.slides:
        return _unscored("the deck has no slides", "pptx")
    if not filled_slides(outline):
        parts = tuple(f"{slide.part}:" for slide in outline.slides if slide.part)
        damage = next((line for line in outline.problems if line.startswith(parts)), None)
        reason = (
            "the slides are blank" if damage is None else f"the slides cannot be read: {damage}"
        )
        return _unscored(f"{reason}; there is nothing to edit", "pptx")
    text_gates = {kind: judge_text(outline, probes.reflow, kind) for kind in TEXT_GATES}
    climbed = {text_gate: _climb_pptx(outline, probes, no_data, text_gates[text_gate])}
    for kind, gate in text_gates.items():
        if kind not in climbed:
            same = gate.outcome == text_gates[text_gate].outcome
            climbed[kind] = (
                climbed[text_gate] if same else _climb_pptx(outline, probes, no_data, gate)
            )
    levels: dict[str, int | NotScored] = {kind: climbed[kind].level for kind in TEXT_GATES}
    return replace(climbed[text_gate], levels=levels)


def _climb_pptx(
    outline: DeckOutline, probes: Probes, no_data: NoData, text: EditabilityGate
) -> Editability:
    gates: tuple[Callable[[], EditabilityGate], ...] = (
        lambda: text,
        lambda: judge_vector(outline, probes.pictures),
        lambda: judge_structure(outline, probes.inheritance),
        lambda: judge_data(outline, probes.pictures, probes.charts, no_data),
        lambda: judge_cinematic(outline),
    )
    on_paper: tuple[Callable[[], EditabilityGate], ...] = (
        lambda: judge_text(outline, _not_tried),
        lambda: judge_vector(outline, probes.pictures),
        lambda: judge_structure(outline, _not_tried),
        lambda: judge_data(outline, probes.pictures, _not_tried, no_data),
        lambda: judge_cinematic(outline),
    )
    return _climb("pptx", gates, on_paper)


def _not_tried() -> NotScored:
    return NotScored("not tried")


def _climb(
    protocol: JudgingProtocol,
    gates: tuple[Callable[[], EditabilityGate], ...],
    on_paper: tuple[Callable[[], EditabilityGate], ...] = (),
) -> Editability:
    """Walk the gates in order; the first that fails, or cannot be judged, ends the walk.

    ``on_paper`` are the same gates without probes, for the gates that are not reached.
    """
    done: list[EditabilityGate] = []
    for gate in gates:
        done.append(gate())
        if done[-1].outcome in ("failed", "not_scored"):
            break
    last = done[-1]
    if all(gate.outcome == "not_applicable" for gate in done):
        return _unscored("the slides hold nothing that the gates could judge", protocol)
    why = NOT_REACHED if last.outcome == "failed" else NOT_JUDGED
    rest = tuple(
        _beyond(level, why, on_paper[level - 1]() if on_paper else None)
        for level in range(len(done) + 1, len(gates) + 1)
    )
    level: int | NotScored = last.level
    if last.outcome == "not_scored":
        level = NotScored(
            f"gate {last.level} ({last.title.lower()}) was not judged: {last.summary}"
        )
    elif last.outcome == "failed":
        level = last.level - 1 if last.drop_to is None else last.drop_to
    return Editability(level, protocol, (*done, *rest))


def _beyond(level: int, why: str, seen: EditabilityGate | None) -> EditabilityGate:
    """A gate that was not reached, with the evidence in the deck's structure."""
    if seen is None or not (seen.evidence or seen.outcome == "failed"):
        return EditabilityGate(level, "not_reached", why)
    summary = f"{why} Seen beyond: {seen.summary}" if seen.outcome == "failed" else why
    evidence = tuple(
        item.model_copy(update={"severity": "warning"}) if item.severity == "error" else item
        for item in seen.evidence
    )
    return EditabilityGate(level, "not_reached", summary, evidence, seen.mend)


def judge_static(path: PurePath | str) -> Editability:
    """Level 0 at once: PDF and image files hold nothing that can be edited (paper 002, I.4.1).

    >>> judge_static("talk.pdf").level
    0
    """
    suffix = PurePath(path).suffix.lower().lstrip(".") or "image"
    summary = f"A {suffix} file is flat: its text and objects cannot be selected and changed."
    first = EditabilityGate(
        1, "failed", summary, (), "Export the deck as .pptx from its editor.", drop_to=0
    )
    rest = tuple(EditabilityGate(level, "not_reached", NOT_REACHED) for level in range(2, 6))
    return Editability(0, "static", (first, *rest))


def not_covered(path: PurePath | str) -> Editability:
    """Not scored: the protocols read Office Open XML, and this kind of deck is something else.

    >>> not_covered("talk.odp").level.reason
    'the editability protocols cover Office Open XML decks, not .odp; save the deck as .pptx'
    """
    suffix = PurePath(path).suffix.lower()
    return _unscored(
        f"the editability protocols cover Office Open XML decks, not {suffix}; "
        "save the deck as .pptx",
        "pptx",
    )


def _unscored(reason: str, protocol: JudgingProtocol) -> Editability:
    gates = tuple(
        EditabilityGate(level, "not_scored", f"Not judged: {reason}.") for level in range(1, 6)
    )
    return Editability(NotScored(reason), protocol, gates)


def judge_web(facts: WebFacts) -> Editability:
    """The level of a web deck, at most 2: a browser shows no masters and no data (I.4.2)."""
    if facts.slides == 0:
        return _unscored("the deck has no slides", "web")
    if not any(
        (facts.text_blocks, facts.unselectable, facts.vectors, facts.rasters, facts.raster_slides)
    ):
        return _unscored("the slides are blank; there is nothing to edit", "web")
    capped = tuple(
        EditabilityGate(
            level, "not_applicable", "A web view cannot show this; its protocol ends at level 2."
        )
        for level in range(3, 6)
    )
    climbed = _climb("web", (lambda: _web_text(facts), lambda: _web_vector(facts)))
    return Editability(climbed.level, "web", (*climbed.gates[:2], *capped))


def _web_text(facts: WebFacts) -> EditabilityGate:
    if facts.raster_slides > MOSTLY * facts.slides:
        share = percent(facts.raster_slides, facts.slides)
        summary = f"The text is pixels: {share} slides are one picture."
        return EditabilityGate(1, "failed", summary, (), RASTER_FIX, drop_to=0)
    if (blocks := facts.text_blocks + facts.unselectable) == 0:
        return EditabilityGate(1, "not_applicable", "The deck has no text to edit.")
    if facts.unselectable > MOSTLY * blocks:
        summary = f"The text cannot be selected: {percent(facts.unselectable, blocks)} blocks."
        return EditabilityGate(1, "failed", summary, (), SELECT_FIX, drop_to=0)
    if facts.fragments > FRAGMENT_SHARE * facts.text_blocks:
        share = percent(facts.fragments, facts.text_blocks)
        summary = f"Paragraphs are broken over several blocks: {share} blocks are pieces."
        return EditabilityGate(1, "failed", summary, (), FRAGMENT_FIX, drop_to=1)
    share = percent(facts.reflowing, facts.text_blocks)
    if facts.reflowing < MOSTLY * facts.text_blocks:
        summary = f"Doubled text does not reflow: only {share} blocks take it."
        return EditabilityGate(1, "failed", summary, (), WRAP_FIX, drop_to=1)
    return EditabilityGate(
        1, "passed", f"Text is selectable, and {share} blocks reflow when doubled."
    )


def _web_vector(facts: WebFacts) -> EditabilityGate:
    if (total := facts.vectors + facts.rasters) == 0:
        return EditabilityGate(
            2, "not_applicable", "The deck has no graphics, only text and photographs."
        )
    share = percent(facts.rasters, total)
    if facts.rasters > MOSTLY * total:
        summary = f"Graphics pixelate at 400 % zoom: {share} are rasters."
        return EditabilityGate(2, "failed", summary, (), VECTOR_FIX)
    return EditabilityGate(2, "passed", f"Graphics stay crisp at 400 % zoom; {share} are rasters.")
