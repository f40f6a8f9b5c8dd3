"""A deck as a good designer would build it: the case for a town's heat network.

Everything is native and hangs together: master and layouts, charts with workbooks, SmartArt,
groups, glued connectors, notes, links, sections, transitions, animations, embedded sound.
"""

from collections.abc import Callable
from pathlib import Path

from pptx.presentation import Presentation as Deck
from pptx.slide import Slide

from generate.samples.filling import set_footer
from generate.samples.rich import case, opening, plan, system
from generate.samples.rich.design import designed_deck
from generate.samples.saving import save_deck
from generate.samples.show import Transition, set_sections, set_transition

_SLIDES: tuple[tuple[Callable[[Deck], Slide], Transition], ...] = (
    (opening.cover, "fade"),
    (opening.numbers, "push"),
    (case.why_now, "push"),
    (case.fuels, "fade"),
    (case.pathways, "fade"),
    (system.how_it_works, "push"),
    (system.flow, "fade"),
    (system.pump, "morph"),
    (system.boilers_or_network, "fade"),
    (system.quiet, "push"),
    (plan.mix, "fade"),
    (plan.roadmap, "fade"),
    (plan.decision, "push"),
    (plan.assumptions, "fade"),
)
"""The slides in order, and how each comes in."""

_SECTIONS = (("Opening", 2), ("Why now", 3), ("How it works", 5), ("The plan", 3), ("Backup", 1))


def write_rich(path: Path) -> Path:
    """Write the briefing on a seawater heat network, fourteen slides, the last one hidden."""
    deck = designed_deck()
    slides = [build(deck) for build, _ in _SLIDES]
    plan.link_to_backup(slides[-2], slides[-1])
    for number, (slide, (_, transition)) in enumerate(zip(slides, _SLIDES, strict=True), start=1):
        if number > 1:
            set_footer(slide, number, "Heat from the harbour")
        set_transition(slide, transition)
    set_sections(deck, _SECTIONS)
    return save_deck(
        deck,
        path,
        title="Heat from the harbour",
        author="Tidewater Heat",
        subject="A seawater heat network for Nordholm",
    )
