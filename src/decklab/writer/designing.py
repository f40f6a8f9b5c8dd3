"""From the plan of a deck to its slides: the style, and what drawing them shows.

Paper 004, sections V-B and V-C. Without a model the theme and the layouts of the library make the
deck; a style that was kept is used again.
"""

import json
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

from decklab.board.blueprint import DeckPlan
from decklab.board.pages.layout import lay_out_deck, stay_whole
from decklab.board.themes import THEMES, DesignTheme
from decklab.core.files import write_whole
from decklab.core.stages import Stages
from decklab.models.asking import Ask
from decklab.rendering.renderer import Renderer
from decklab.writer.deck_reading import DeckReader
from decklab.writer.defects import DefectFinder
from decklab.writer.design_choice import DEFAULT_DESIGN, other_designs
from decklab.writer.narrative import system_words
from decklab.writer.refining import RefinedDeck, refine
from decklab.writer.request import WriteOptions
from decklab.writer.rewriting import PageRewriter
from decklab.writer.style import (
    LookFault,
    StyledTheme,
    ask_style,
    choose_draft,
    kept_style,
    style_of,
    write_style,
)

PLAN_FILE: Final = "plan.json"
STYLE_FILE: Final = "style.json"
REFINE_FILE: Final = "refine.json"


def design(
    plan: DeckPlan,
    options: WriteOptions,
    folder: Path,
    *,
    ask: Ask | None,
    rewriter: PageRewriter,
    free_design: bool,
    kept: bool,
    stages: Stages,
    renderer: Renderer,
) -> RefinedDeck:
    """Lay out a plan: in its style, mended where its drawing has defects.

    With a model, ``ask``, its pages are written anew by ``rewriter``; with ``free_design`` it may
    take another design than that of the options.

    Artefacts go into ``folder``; with ``kept`` the style that is there is used. ``renderer`` is a
    started one with a cache. Raises PlanError where the plan or the kept style gives no deck, and
    what ``ask`` raises.
    """
    if ask is not None:
        ask = partial(ask, system=system_words(plan.language))
    look = _styled(
        plan, options, folder, ask=ask, free_design=free_design, kept=kept, stages=stages
    )  # fmt: skip
    reader = None if ask is None else DeckReader(ask, options, rewriter)
    looks_again = ask is not None if options.refine is None else options.refine
    if not looks_again:
        with stages.stage("compose"):
            pages = lay_out_deck(plan, look.theme, icons=options.icons)
        return RefinedDeck(plan, pages, told=look.told, usage=look.usage)
    with stages.stage("refine"):
        finder = DefectFinder(renderer, pictures=reader is not None)
        refined = refine(
            plan, look.theme, finder, reader=reader, icons=options.icons, tell=stages.tell
        )  # fmt: skip
    _write_refined(refined, folder)
    told, usage = (*look.told, *refined.told), look.usage + refined.usage
    return replace(refined, told=told, usage=usage)


def _styled(
    plan: DeckPlan,
    options: WriteOptions,
    folder: Path,
    *,
    ask: Ask | None,
    free_design: bool,
    kept: bool,
    stages: Stages,
) -> StyledTheme:
    """The theme of a deck: in the style that was kept, in the one of three drafts (the model's own,
    the theme, with ``free_design`` another one) whose pictures it likes best, or as it is."""
    theme, path = THEMES[options.theme], folder / STYLE_FILE
    if options.style and kept and path.exists():
        return kept_style(path, theme)
    if ask is None:
        return StyledTheme(theme, style_of(theme))
    fitted = THEMES[DEFAULT_DESIGN] if free_design else theme  # for which pages were written
    fault_of = _look_fault(plan, fitted)
    theme = fitted if fault_of(theme) else theme
    if not options.style:
        return StyledTheme(theme, style_of(theme))
    with stages.stage("style"):
        own = ask_style(plan, options, theme, ask, fault_of)
        others = (THEMES[name] for name in other_designs(plan, options) if free_design)
        plain = [theme, *(other for other in others if not fault_of(other))]
        drafts = [own, *(StyledTheme(other, style_of(other)) for other in plain)]
        made = choose_draft(plan, options, drafts, ask)
    write_style(made.theme.name, made.style, path)
    return made


def _look_fault(plan: DeckPlan, theme: DesignTheme) -> LookFault:
    """A check of other looks: which slides run over that a theme holds on one page each."""
    held = stay_whole(plan, theme)

    def fault(look: DesignTheme) -> str | None:
        now = stay_whole(plan, look)
        over = [str(at) for at, slide in enumerate(held, start=1) if slide and not now[at - 1]]
        pages = ", ".join(over)
        return f"sizes, fonts: the words of page {pages} do not fit one page" if over else None

    return fault


def write_plan(plan: DeckPlan, folder: Path) -> None:
    """Write the plan of a deck as JSON that a person can read and change, whole or not at all."""
    text = plan.model_dump_json(indent=1, exclude_defaults=True)
    write_whole(folder / PLAN_FILE, f"{text}\n".encode())


def _write_refined(refined: RefinedDeck, folder: Path) -> None:
    """Keep what was found and changed."""
    text = json.dumps(refined.as_json(), indent=1, ensure_ascii=False)
    write_whole(folder / REFINE_FILE, f"{text}\n".encode())
