"""Effective effects of a shape: shadows, glows and their like, by name."""

from collections.abc import Sequence

from decklab.deck.styles.effective import Effective
from decklab.deck.styles.fills import properties_of
from decklab.deck.styles.look import Look, Stated, style_reference
from decklab.ooxml.names import local_name, qn
from decklab.ooxml.parsing import Element

__all__ = ["shape_effects"]


def shape_effects(shapes: Sequence[Stated], look: Look) -> Effective[tuple[str, ...]]:
    """Names of the effects (``outerShdw``, ``glow``, ``reflection`` ...) of a shape, in order.

    ``shapes`` are the shape and what it inherits from, nearest first. An empty list of effects
    counts: it takes away what would be inherited.
    """
    for item in shapes:
        names = _listed(properties_of(item.element))
        if names is not None:
            return Effective(names, item.origin)
    reference = style_reference(shapes, "a:effectRef", look)
    if reference is not None and 0 < reference.index <= len(look.theme.effects):
        return Effective(_listed(look.theme.effects[reference.index - 1]) or (), "theme")
    return Effective((), "default")


def _listed(holder: Element | None) -> tuple[str, ...] | None:
    if holder is None:
        return None
    effects = holder.find(qn("a:effectLst"))
    if effects is None:
        effects = holder.find(qn("a:effectDag"))
    return None if effects is None else tuple(local_name(str(item.tag)) for item in effects)
