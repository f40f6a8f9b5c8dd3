"""A filled deck as .pptx: new slides on the layouts of a template, or like slides of an example."""

from pathlib import Path
from typing import Any

from decklab.board.examples.cloning import SlideLikeExample
from decklab.board.native.lists import describe, list_sections
from decklab.board.slots.parts import PartDrawer
from decklab.board.templates.emptying import (
    added_slide,
    emptied,
    layouts_of,
    opened_design,
    opened_template,
)
from decklab.board.templates.filling import Filled
from decklab.board.templates.writing import SlideInTemplate
from decklab.editing.opening import save_undated, undated_workbook


def write_filled(filled: Filled, out: str | Path) -> Filled:
    """Write a deck, whole or not at all; equal input gives equal bytes.

    Nothing of the template's or example's own slides is in it but what repeats on them. Gives the
    deck again. Raises DeckError where the template cannot be read any more, PlanError where a slide
    of an example cannot be changed, OSError where the file cannot be written.
    """
    plan, path = filled.plan, filled.template.path
    like = any(slide.layout.slide for slide in filled.slides)
    deck: Any = opened_design(path) if like else opened_template(path)
    layouts = [layout for _master, layout in layouts_of(deck)]
    drawer = PartDrawer(filled.template.size, {})
    for place, slide in enumerate(filled.slides, start=1):
        if slide.layout.slide:
            SlideLikeExample(deck, slide, plan, drawer, place).write()
        else:
            added = added_slide(deck, layouts[slide.layout.number - 1])
            SlideInTemplate(added, slide, plan, drawer).write()
    if like:
        emptied(deck, keep=len(filled.slides))
    list_sections(deck, [slide.plan.section for slide in filled.slides])
    describe(deck, plan.title, plan.language)
    save_undated(deck, Path(out), undated_workbook)
    return filled
