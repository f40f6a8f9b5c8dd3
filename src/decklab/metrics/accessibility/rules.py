"""The rules of the accessibility lint, by the names of Microsoft's checker where it has them."""

from decklab.metrics.accessibility.thresholds import (
    ADDRESS_LENGTH,
    ALT_TEXT_LEAST,
    LATE_TITLE_TEXTS,
    READING_PAIRS,
    READING_SCORE,
    SCRIPT_LETTERS,
    SCRIPT_SHARE,
    TABLE_COLUMNS,
    TABLE_ROWS,
)
from decklab.metrics.integrity.rules import Rule
from decklab.registry import Registry

ACCESSIBILITY_RULES: Registry[Rule] = Registry("accessibility rule")
"""All rules of what a reader who does not see the slide, or hear it, would miss.

>>> ACCESSIBILITY_RULES["accessibility.missing-alt-text"].name
'MissingAltText'
"""

_MICROSOFT = "Microsoft, rules for the Accessibility Checker"
_WCAG = "WCAG 2.2, success criterion"

for _rule in (
    Rule(
        "accessibility.missing-alt-text", "MissingAltText",
        "A picture or other object has no alternative text.", f"{_MICROSOFT}; {_WCAG} 1.1.1",
        "error", "no text, and not marked as decorative",
        "Say in a sentence what it shows, or mark it as decorative.",
    ),
    Rule(
        "accessibility.poor-alt-text", "PoorAltText",
        "The alternative text is a file name or was made by a program.", f"{_WCAG} 1.1.1",
        "warning", f"a file's or object's name, under {ALT_TEXT_LEAST} letters, or a program's"
        " remark", "Say in a sentence what it shows.",
    ),
    Rule(
        "accessibility.missing-slide-title", "MissingSlideTitle",
        "A slide has no title.", f"{_MICROSOFT}; {_WCAG} 2.4.2",
        "error", "no title placeholder with words that can be read",
        "Give the slide a title, or add one that is hidden off the slide.",
    ),
    Rule(
        "accessibility.duplicate-slide-title", "DuplicateSlideTitle",
        "Several slides have one title.", f"{_MICROSOFT}; {_WCAG} 2.4.2",
        "info", "the same words on slides apart from each other that say different things",
        "Tell them apart, for instance by the point of each slide.",
    ),
    Rule(
        "accessibility.reading-order", "ReadingOrder",
        "The order of reading aloud is not that of the slide.", f"{_MICROSOFT}; {_WCAG} 1.3.2",
        "info", f"{LATE_TITLE_TEXTS} texts before the title, or at least {READING_PAIRS} clear"
        f" pairs with under {READING_SCORE:.0%} in order",
        "Put the objects in the order of reading in the Reading Order or Selection pane.",
    ),
    Rule(
        "accessibility.missing-table-headers", "MissingTableHeaders",
        "A table does not say which row is its header.", f"{_MICROSOFT}; {_WCAG} 1.3.1",
        "warning", f"no header row or column, from {TABLE_ROWS} rows and {TABLE_COLUMNS} columns"
        " on", "Check Header Row in the table's design options.",
    ),
    Rule(
        "accessibility.merged-table-cells", "MergedTableCells",
        "A table has merged cells.", _MICROSOFT,
        "info", "any", "Split the cells, or repeat the value in each.",
    ),
    Rule(
        "accessibility.link-text", "NonDescriptiveLinkText",
        "The text of a link does not say where it leads.", f"{_MICROSOFT}; {_WCAG} 2.4.4",
        "warning", f"words such as \"here\", or an address over {ADDRESS_LENGTH} characters",
        "Put the link on words that say what is found there.",
    ),
    Rule(
        "accessibility.language", "Language",
        "Text is marked as of a language it is not in.", f"{_WCAG} 3.1.2",
        "warning", f"{SCRIPT_SHARE:.0%} of at least {SCRIPT_LETTERS} letters in another script, or"
        " no language anywhere", "Set the proofing language of the text.",
    ),
    Rule(
        "accessibility.captions", "MissingCaptions",
        "A video may have no captions.", f"{_MICROSOFT}; {_WCAG} 1.2.2",
        "info", "any embedded video", "Insert captions where anything is said in it.",
    ),
):  # fmt: skip
    ACCESSIBILITY_RULES.register(_rule.id, _rule)
