"""From the plan of a deck to its PPTX: in a theme, in a template, or like another deck."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Protocol, TypeVar

from decklab.board.blueprint import DeckPlan
from decklab.board.examples.deck import read_example_deck
from decklab.board.pages.writing import write_pages
from decklab.board.slots.parts import Avoided, PageUse
from decklab.board.slots.writing import write_filled
from decklab.board.templates.filling import Filled, Unheld, fill
from decklab.board.templates.reading import read_template
from decklab.core.errors import PlanError
from decklab.core.files import write_whole
from decklab.core.stages import Stages
from decklab.editing.opening import opened
from decklab.models.asking import Ask, Usage
from decklab.rendering.renderer import Renderer
from decklab.writer.defects import SlideDefect, linted_defects
from decklab.writer.designing import design
from decklab.writer.request import WriteOptions
from decklab.writer.rewriting import PageRewriter


@dataclass(frozen=True)
class MadeDeck:
    """A deck that was written, and what of its plan it could not show as it was meant."""

    plan: DeckPlan
    """The plan as it was used, with what was mended."""
    slides: int
    theme: str
    """Its name; empty for a template or a deck to write like."""
    told: tuple[str, ...] = ()
    changes: tuple[str, ...] = ()
    defects: tuple[SlideDefect, ...] = ()
    not_looked: tuple[str, ...] = ()
    unheld: tuple[Unheld, ...] = ()
    """Content for which the template has no place, and its substitute."""
    like: Filled | None = None
    """Which examples were used, and what they could not show."""
    usage: Usage = field(default_factory=Usage)


def check_design(options: WriteOptions) -> None:
    """Raise PlanError where options on the design do not go together, or DeckError where the deck
    that they name cannot be used."""
    named = {"template": options.template, "deck to write like": options.like}
    given = [name for name, path in named.items() if path]
    if not given:
        return
    if len(given) > 1:
        raise PlanError("give a template or a deck to write like, not both")
    if options.theme:
        raise PlanError(f"a {given[0]} has its own design: give it or a theme, not both")
    if "html" in options.formats:
        raise PlanError(f"a deck by a {given[0]} has no HTML: choose pptx and pdf, or a theme")
    if options.icons or options.free_layout:
        raise PlanError(f"icons and free pages need a theme: leave them out with a {given[0]}")
    if options.like:
        opened(options.like)


def make_deck(
    plan: DeckPlan,
    options: WriteOptions,
    targets: Sequence[Path],
    folder: Path,
    *,
    ask: Ask | None,
    rewriter: PageRewriter,
    free_design: bool,
    kept: bool,
    stages: Stages,
    renderer: Renderer,
) -> MadeDeck:
    """Write the slides of a plan as PPTX, the first of ``targets``, and as HTML where that is one.

    ``folder`` takes artefacts; with ``kept`` the style that is there is used. ``renderer`` is a
    started one with a cache. A template and a deck to write like bring their own style and places:
    nothing is asked for these. Raises PlanError where the plan gives no deck, and what ``ask``
    raises.
    """
    if options.template or options.like:
        return _in_design(plan, options, targets[0], stages, renderer)
    designed = design(
        plan, options, folder,
        ask=ask, rewriter=rewriter, free_design=free_design, kept=kept, stages=stages,
        renderer=renderer,
    )  # fmt: skip
    pages = designed.pages
    with stages.stage("write"):
        write_pages(pages, targets[0])
        for path in targets:
            if path.suffix == ".html":
                write_whole(path, pages.html.encode())
    return MadeDeck(
        designed.plan, len(pages.slides), pages.theme.name,
        told=designed.told, changes=designed.changes, defects=designed.defects,
        not_looked=designed.not_run, usage=designed.usage,
    )  # fmt: skip


def _in_design(
    plan: DeckPlan, options: WriteOptions, out: Path, stages: Stages, renderer: Renderer
) -> MadeDeck:
    """Write a plan on the layouts of a template, or like the slides of an example."""
    read = read_example_deck if options.like else read_template
    template = read(options.like or options.template or "")

    def write(avoided: Avoided) -> Filled:
        return write_filled(fill(plan, template, avoided), out)

    with stages.stage("write"):
        filled = best_drawn(write, out, renderer)
    like = filled if options.like else None
    told = tuple(f"{'example' if like else 'template'}: {item}" for item in filled.unheld)
    unheld = () if like else filled.unheld
    return MadeDeck(plan, len(filled.slides), "", told=told, unheld=unheld, like=like)


_ROUNDS: Final = 1
"""How many other choices are tried for a slide. Ours: each draws the deck once more."""
_NOT_OF_PLACE: Final = ("contrast.weak", "layout.row", "text.orphan")
"""Rules whose findings depend on the design's own colours and drawings or on the words, not on the
page that these stand on."""


class _Written(Protocol):
    @property
    def pages(self) -> tuple[PageUse, ...]:
        """For each of its slides which slide of the plan it shows, and where."""


_Deck = TypeVar("_Deck", bound=_Written)


def best_drawn(write: Callable[[Avoided], _Deck], out: Path, renderer: Renderer) -> _Deck:
    """Write a deck to ``out``, with other choices for slides that look wrong as they are drawn.

    ``write`` gets for slides of the plan, counted from 0, what they should not stand on. Of what
    was tried for a slide the best stays. Raises what ``write`` and drawing raise.
    """
    written, avoided = write({}), dict[int, frozenset[str]]()
    best: dict[int, tuple[int, frozenset[str]]] = {}
    for round in range(_ROUNDS + 1):
        found = _found(out, written.pages, renderer)
        for of in {page.of for page in written.pages}:
            weight = sum(weight for weight, _key in found[of])
            tried = (weight, avoided.get(of, frozenset()))
            best[of] = min(best.get(of, tried), tried, key=lambda one: one[0])
        following = {
            of: avoided.get(of, frozenset()) | {key for weight, key in found[of] if weight}
            for of, (weight, _avoid) in best.items() if weight
        }  # fmt: skip
        settled = {of: avoid for of, (_weight, avoid) in best.items()}
        if round == _ROUNDS or not following:
            break
        if all(avoid == avoided.get(of) for of, avoid in following.items()):
            break
        avoided = {**settled, **following}
        written = write(avoided)
    if any(avoid != avoided.get(of, frozenset()) for of, avoid in settled.items()):
        written = write(settled)
    return written


def _found(
    out: Path, pages: tuple[PageUse, ...], renderer: Renderer
) -> Mapping[int, list[tuple[int, str]]]:
    """For each slide of the plan what its pages weigh, and where they stand."""
    weights: defaultdict[int, int] = defaultdict(int)
    for defect in linted_defects(out, renderer)[0]:
        if defect.slide is not None and not defect.detail.startswith(_NOT_OF_PLACE):
            weights[defect.slide] += defect.weight
    found = defaultdict(list)
    for number, page in enumerate(pages, start=1):
        found[page.of].append((weights[number], page.key))
    return found
