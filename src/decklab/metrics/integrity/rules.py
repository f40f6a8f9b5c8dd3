"""The rules of the integrity lint: their ids, what they are called elsewhere, what they say."""

from dataclasses import dataclass

from decklab.registry import Registry

__all__ = ["INTEGRITY_RULES", "Rule"]


@dataclass(frozen=True)
class Rule:
    """What there is to know of one rule before it is applied."""

    id: str
    """Stable id, such as ``text.overflow``: ``Finding.rule``."""
    name: str
    """The name by which other checkers know it, such as ``TextOverflow``."""
    meaning: str
    """One line for people."""
    source: str
    """Standard or program that has the rule; ``decklab`` where it is ours."""


INTEGRITY_RULES: Registry[Rule] = Registry("integrity rule")
"""All rules of layout and content that is not as it was meant.

>>> INTEGRITY_RULES["text.overflow"].name
'TextOverflow'
"""

_POWER_PPTX = "power-pptx lint"

for _rule in (
    Rule("text.overflow", "TextOverflow", "Text runs past its shape.", _POWER_PPTX),
    Rule("text.off-slide", "OffSlide", "Text runs past the edge of the slide.", _POWER_PPTX),
    Rule("text.overlap", "ShapeCollision", "Two texts are drawn over each other.", _POWER_PPTX),
    Rule("text.hidden", "ZOrderAnomaly", "Something in front hides text.", _POWER_PPTX),
    Rule("text.small", "MinFontSize", "Text is too small to be read.", _POWER_PPTX),
    Rule("text.margin", "MarginTooNarrow", "Text stands against the slide's edge.", "decklab"),
    Rule("shape.off-slide", "OffSlide", "An object lies off the slide.", _POWER_PPTX),
    Rule("shape.drift", "OffGridDrift", "An object just misses an alignment.", _POWER_PPTX),
    Rule("picture.missing", "MissingPicture", "A picture's image is not there.", "decklab"),
    Rule("placeholder.empty", "EmptyPlaceholder", "A placeholder was left empty.", "decklab"),
    Rule("placeholder.prompt", "PromptText", "A template's prompt was left.", "decklab"),
    Rule("title.position", "InconsistentTitle", "A title stands elsewhere.", "decklab"),
    Rule("title.size", "InconsistentTitle", "A title has another size.", "decklab"),
    Rule("title.font", "InconsistentTitle", "A title has another font.", "decklab"),
):
    INTEGRITY_RULES.register(_rule.id, _rule)
