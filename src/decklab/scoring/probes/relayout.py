"""The camera for gates 1 and 3: one copy with doubled texts and patched layouts, laid out once."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

from decklab.deck.model.outline import DeckOutline, Slide
from decklab.errors import DeckError, RenderError
from decklab.geometry import Box
from decklab.metrics.editability.content import FULL_SLIDE, content_shapes, coverage, filled_slides
from decklab.metrics.editability.facts import InheritanceFacts, ReflowFacts
from decklab.ooxml.package import Package
from decklab.ooxml.xml import serialize_xml
from decklab.rendering.cache import Cache
from decklab.rendering.model import RenderedDeck, RenderedSlide, TextSpan
from decklab.rendering.office.office import Converter
from decklab.rendering.opening import open_rendered
from decklab.rendering.scratch import scratch_folder
from decklab.results import NotScored
from decklab.scoring.probes.copies import light_media, write_copy
from decklab.scoring.probes.doubling import Doubled, double_texts
from decklab.scoring.probes.patching import Patch, add_patch, choose_patches, shows_patch

TRIED_SHARE = 3
"""One slide in three is tried: laying out a copy costs as much per slide as drawing the deck did,
and the gates ask what most slides do."""

LEAST_TRIED, MOST_TRIED = 6, 20
"""Slides tried at least, where there are as many, and at most besides one for each layout."""

PICTURE_SIZE = (480, 270)
"""Size of the pictures in which patches are looked for."""


@dataclass(frozen=True)
class Relayout:
    """What one changed copy showed."""

    reflow: tuple[ReflowFacts, ...]
    inheritance: tuple[InheritanceFacts, ...]


def relayout(
    package: Package,
    outline: DeckOutline,
    *,
    office: Converter | None = None,
    cache: Cache | None = None,
) -> Relayout | NotScored:
    """Double the texts and patch the layouts on a copy, draw it, and note what is seen."""
    slides = tried_slides(filled_slides(outline))
    patches = choose_patches(outline, slides)
    doubled: dict[int, list[Doubled]] = {}
    try:
        replace = light_media(package, _covering(slides))
        for slide in slides:
            root = package.xml(slide.part)
            doubled[slide.number] = double_texts(root, slide)
            replace[slide.part] = serialize_xml(root)
        for patch in patches:
            root = package.xml(patch.layout)
            add_patch(root, patch, outline.size_emu)
            replace[patch.layout] = serialize_xml(root)
        with scratch_folder("probe") as folder:
            target = folder / "relayout.pptx"
            write_copy(package, target, slides={slide.part for slide in slides}, replace=replace)
            with open_rendered(
                target, office=office, cache=cache, size=PICTURE_SIZE, ocr=False
            ) as deck:
                return _look(deck, slides, doubled, patches)
    except DeckError as error:
        return NotScored(f"{error.part}: {error.detail}" if error.part else error.detail)
    except RenderError as error:
        return NotScored(error.detail)


def _covering(slides: Sequence[Slide]) -> set[str]:
    """Image parts that cover a whole slide and so decide whether its master is seen."""
    return {
        shape.picture.part
        for slide in slides
        for shape in content_shapes(slide)
        if shape.picture is not None and shape.picture.part is not None
        and shape.box is not None and coverage([shape.box]) >= FULL_SLIDE
    }  # fmt: skip


def tried_slides(slides: Sequence[Slide]) -> tuple[Slide, ...]:
    """The slides to try things on: one for each layout, and a third of all, spread evenly."""
    wanted = min(len(slides), MOST_TRIED, max(LEAST_TRIED, ceil(len(slides) / TRIED_SHARE)))
    chosen = {slide.layout: index for index, slide in reversed(list(enumerate(slides)))}
    picked = set(chosen.values())
    spread = [step * len(slides) // wanted for step in range(wanted)] if wanted else []
    for index in spread:
        if len(picked) < max(wanted, len(chosen)):
            picked.add(index)
    return tuple(slides[index] for index in sorted(picked))


def _look(
    deck: RenderedDeck,
    slides: tuple[Slide, ...],
    doubled: dict[int, list[Doubled]],
    patches: tuple[Patch, ...],
) -> Relayout | NotScored:
    if len(deck) != len(slides):
        return NotScored(f"the copy has {len(slides)} slides but {len(deck)} were drawn")
    patched = {number: patch for patch in patches for number in patch.slides}
    reflow: list[ReflowFacts] = []
    inheritance: list[InheritanceFacts] = []
    for drawn, slide in zip(deck, slides, strict=True):
        reflow += _reflow(drawn, slide, doubled[slide.number])
        patch = patched.get(slide.number)
        if patch is not None:
            seen = shows_patch(drawn.image, patch)
            inheritance.append(InheritanceFacts(slide.number, patch.layout, seen))
    return Relayout(tuple(reflow), tuple(inheritance))


def _reflow(drawn: RenderedSlide, slide: Slide, doubled: list[Doubled]) -> list[ReflowFacts]:
    by_color: dict[str, list[TextSpan]] = defaultdict(list)
    for span in drawn.spans:
        if span.text.strip():
            by_color[span.color].append(span)
    found = []
    for item in doubled:
        box = item.shape.box
        spans = by_color.get(item.color, [])
        if box is not None:
            ink = _extent(spans)
            found.append(ReflowFacts(slide.number, item.shape.id, box, ink, _lines(spans)))
    return found


def _extent(spans: list[TextSpan]) -> Box | None:
    if not spans:
        return None
    extent = spans[0].box
    for span in spans[1:]:
        extent = extent.union(span.box)
    return extent


def _lines(spans: list[TextSpan]) -> int:
    """Number of lines the spans stand on: one whose middle lies below the last begins a new one."""
    count, bottom = 0, float("-inf")
    for span in sorted(spans, key=lambda span: span.box.top + span.box.bottom):
        middle = (span.box.top + span.box.bottom) / 2
        if middle > bottom:
            count, bottom = count + 1, span.box.bottom
    return count
