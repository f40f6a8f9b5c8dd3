"""Faults of layout that slides did not have before."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

from decklab.deck.model.slide import DeckElements, SlideElements
from decklab.linting.rules.every import accessibility_findings, integrity_findings
from decklab.linting.rules.page import Page, StandIn
from decklab.rendering.model import RenderedSlide
from decklab.results import Finding


def faults(
    deck: DeckElements, drawn: Sequence[RenderedSlide], replaced_fonts: Mapping[str, StandIn]
) -> list[Finding]:
    """What lint says of the slides that were drawn; of the others nothing that needs a picture."""
    pages = [
        Page(one.number, one.spans if one.text_source == "layout" else (), one.image)
        for one in drawn
    ]
    found = integrity_findings(deck, pages, replaced_fonts=replaced_fonts)
    return [*found, *accessibility_findings(deck)]


def new_faults(
    before: Iterable[Finding], after: Iterable[Finding], pairs: Iterable[tuple[int, int]],
    changed: Collection[int],
) -> tuple[Finding, ...]:  # fmt: skip
    """The findings on changed slides that the older deck had not.

    ``pairs`` are older and newer number of each slide, of a copy those of its original,
    ``changed`` newer numbers. A finding is
    known by its rule, slide and element.
    """
    older: dict[int | None, list[int]] = {}
    for old, new in pairs:
        older.setdefault(old, []).append(new)
    known = Counter(
        (one.rule, number, one.shape)
        for one in before
        for number in older.get(one.slide, [one.slide])
    )
    found = []
    for one in after:
        if one.slide not in changed:
            continue
        if known[one.rule, one.slide, one.shape]:
            known[one.rule, one.slide, one.shape] -= 1
        else:
            found.append(one)
    return tuple(found)


def copied_from(
    before: DeckElements, after: DeckElements, added: Collection[int]
) -> dict[int, int]:
    """Older number by newer number of the added slides that say what an older one says, shape by
    shape: copies, whose faults are not new."""
    texts = {_words(slide): slide.number for slide in reversed(before.slides)}
    found = {slide.number: texts.get(_words(slide)) for slide in after.slides}
    return {new: old for new, old in found.items() if new in added and old is not None}


def _words(slide: SlideElements) -> tuple[tuple[str, str], ...]:
    """Without fields, whose text follows the number of the slide."""
    return tuple(
        (item.name, "".join(run.text for line in item.paragraphs for run in line.runs
                            if run.kind != "field"))
        for item in slide.texts
    )  # fmt: skip
