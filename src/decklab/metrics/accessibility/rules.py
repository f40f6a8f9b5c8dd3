"""The rules of the accessibility lint, by the names of Microsoft's checker where it has them."""

from decklab.metrics.integrity.rules import Rule
from decklab.registry import Registry

__all__ = ["ACCESSIBILITY_RULES"]

ACCESSIBILITY_RULES: Registry[Rule] = Registry("accessibility rule")
"""All rules of what a reader who does not see the slide, or hear it, would miss.

>>> ACCESSIBILITY_RULES["accessibility.missing-alt-text"].name
'MissingAltText'
"""

_MICROSOFT = "Microsoft, rules for the Accessibility Checker"
_WCAG = "WCAG 2.2, success criterion"

for _rule in (
    Rule("accessibility.missing-alt-text", "MissingAltText",
         "A picture or other object has no alternative text.", f"{_MICROSOFT}; {_WCAG} 1.1.1"),
    Rule("accessibility.poor-alt-text", "PoorAltText",
         "The alternative text is a file name or was made by a program.", f"{_WCAG} 1.1.1"),
    Rule("accessibility.missing-slide-title", "MissingSlideTitle",
         "A slide has no title.", f"{_MICROSOFT}; {_WCAG} 2.4.2"),
    Rule("accessibility.duplicate-slide-title", "DuplicateSlideTitle",
         "Several slides have one title.", f"{_MICROSOFT}; {_WCAG} 2.4.2"),
    Rule("accessibility.reading-order", "ReadingOrder",
         "The order of reading aloud is not that of the slide.", f"{_MICROSOFT}; {_WCAG} 1.3.2"),
    Rule("accessibility.missing-table-headers", "MissingTableHeaders",
         "A table does not say which row is its header.", f"{_MICROSOFT}; {_WCAG} 1.3.1"),
    Rule("accessibility.merged-table-cells", "MergedTableCells",
         "A table has merged cells.", _MICROSOFT),
    Rule("accessibility.link-text", "NonDescriptiveLinkText",
         "The text of a link does not say where it leads.", f"{_MICROSOFT}; {_WCAG} 2.4.4"),
    Rule("accessibility.language", "Language",
         "Text is marked as of a language it is not in.", f"{_WCAG} 3.1.2"),
    Rule("accessibility.captions", "MissingCaptions",
         "A video may have no captions.", f"{_MICROSOFT}; {_WCAG} 1.2.2"),
):  # fmt: skip
    ACCESSIBILITY_RULES.register(_rule.id, _rule)
