"""Slides on a template or like another deck, drawn: where lint finds something, another is tried.

What to try is left to the board; here slides are looked at, and the better of two is kept.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, Protocol, TypeVar

from decklab.board.slots.pages import Avoided, PageUse
from decklab.rendering.renderer import Renderer
from decklab.writer.defects import linted_defects

_ROUNDS: Final = 1
"""How many other choices are tried for a slide. Ours: each draws the deck once more."""
_OF_WORDS: Final = ("text.orphan",)
"""Rules whose findings depend on the words, not on the page that they stand on."""


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
        if defect.slide is not None and not defect.detail.startswith(_OF_WORDS):
            weights[defect.slide] += defect.weight
    found = defaultdict(list)
    for number, page in enumerate(pages, start=1):
        found[page.of].append((weights[number], page.key))
    return found
