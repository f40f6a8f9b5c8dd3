"""The rules of the integrity lint: their ids, what they are called elsewhere, what they say."""

from dataclasses import dataclass

from decklab.linting.rules.accessibility import (
    ADDRESS_LENGTH,
    SCRIPT_LETTERS,
    SCRIPT_SHARE,
    TABLE_COLUMNS,
    TABLE_ROWS,
)
from decklab.linting.rules.alt_text import ALT_TEXT_LEAST
from decklab.linting.rules.contrast import STRONG_COLOR_CONTRAST, STRONG_COLOR_PT
from decklab.linting.rules.crossings import STRUCK_LENGTH_EM
from decklab.linting.rules.overflow import (
    OUTSIDE_SHARE,
    PAINTED_LINES,
    PAINTED_PX,
    PLAIN_OVERFLOW_LINES,
)
from decklab.linting.rules.overlaps import (
    COVERED_HEIGHT_SHARE,
    OVERLAP_HEIGHT_SHARE,
    OVERLAP_WIDTH_EM,
)
from decklab.linting.rules.page import CUT_OFF_PX
from decklab.linting.rules.placement import (
    CUT_PX,
    DRIFT_LEAST_PX,
    DRIFT_MOST_PX,
    DRIFT_PEERS,
    EDGE_PX,
    MARGIN_PX,
    MARGIN_USUAL_PX,
    OFF_SLIDE_PX,
)
from decklab.linting.rules.reading_order import LATE_TITLE_TEXTS, READING_PAIRS, READING_SCORE
from decklab.linting.rules.sizes import LEAST_BODY_PT, LEAST_LABEL_PT, LEAST_SMALL_PRINT_PT
from decklab.linting.rules.titles import TITLE_MAJORITY, TITLE_MOVED_PX, TITLE_SIZE_PT, TITLE_SLIDES
from decklab.registry import Registry
from decklab.results import Severity


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
    severity: Severity
    """The worst it can be; a finding may be milder where there is doubt."""
    threshold: str
    """From where on something is found, in words."""
    fix: str
    """What mends it; findings say it with their own numbers."""
    drawn: bool = False
    """Whether it can only be seen on the drawn slide."""


INTEGRITY_RULES: Registry[Rule] = Registry("integrity rule")
"""All rules of layout and content that is not as it was meant.

>>> INTEGRITY_RULES["text.overflow"].name
'TextOverflow'
"""

_POWER_PPTX = "power-pptx lint"
_MOST = f"{TITLE_MAJORITY:.0%} of the titles of a layout that has {TITLE_SLIDES} slides or more"

for _rule in (
    Rule(
        "text.overflow", "TextOverflow", "Text runs past its shape.", _POWER_PPTX, "error",
        f"ink {PAINTED_PX:g} px and {PAINTED_LINES:g} lines past a painted shape,"
        f" {PLAIN_OVERFLOW_LINES:g} lines past an unpainted one, or {OUTSIDE_SHARE:.0%} of the"
        " words seen beside the fill of a round or pointed one",
        "Shorten the text, make it smaller, or make the shape larger.", drawn=True,
    ),
    Rule(
        "text.off-slide", "OffSlide", "Text runs past the edge of the slide.", _POWER_PPTX,
        "error", f"ink {CUT_OFF_PX:g} px past the edge",
        "Shorten the text, make it smaller, or split the slide.", drawn=True,
    ),
    Rule(
        "text.overlap", "ShapeCollision", "Two texts are drawn over each other.", _POWER_PPTX,
        "error", f"{OVERLAP_HEIGHT_SHARE:.0%} of a line's height and"
        f" {OVERLAP_WIDTH_EM:g} times its size in common",
        "Move one of the two, or make the text that runs over shorter or smaller.", drawn=True,
    ),
    Rule(
        "text.hidden", "ZOrderAnomaly", "Something in front hides text.", _POWER_PPTX, "error",
        f"a letter's width and {COVERED_HEIGHT_SHARE:.0%} of a line's height, and none of its ink"
        " to be seen", "Move what hides it away or behind it, or delete the text.", drawn=True,
    ),
    Rule(
        "text.struck", "ShapeCollision", "A line runs through text.", "decklab", "warning",
        f"{STRUCK_LENGTH_EM:g} times the text's size along the middle of a line of text, or"
        " across it, as seen", "Move the text or the line apart, or put the text on a plain fill"
        " in front of it.", drawn=True,
    ),
    Rule(
        "text.on-object", "ShapeCollision", "Text runs onto a picture, chart or table.",
        _POWER_PPTX, "warning",
        f"{OVERLAP_HEIGHT_SHARE:.0%} of a line's height of a title, or of text outside its box, on"
        " an object that shows there", "Shorten the text, make it smaller, or move the two apart.",
        drawn=True,
    ),
    Rule(
        "contrast.low", "HardToReadTextContrast", "Text hardly stands out from what is behind it.",
        "Microsoft, rules for the Accessibility Checker; WCAG 2.2, success criterion 1.4.3",
        "error", "measured in the picture: under 4.5:1, large text under 3:1",
        "Make the text lighter or darker, or put a plain fill behind it.", drawn=True,
    ),
    Rule(
        "contrast.strong-color", "SmallTextOnStrongColor",
        "Small dark text stands on a strong colour.", "WCAG 2.2, success criterion 1.4.6",
        "warning", f"under {STRONG_COLOR_PT:g} pt and {STRONG_COLOR_CONTRAST:g}:1",
        "Make the text larger or bold, or set it in white or on a paler ground.", drawn=True,
    ),
    Rule(
        "text.small", "MinFontSize", "Text is too small to be read.", _POWER_PPTX, "warning",
        f"under {LEAST_BODY_PT:g} pt in text placeholders, {LEAST_LABEL_PT:g} pt in boxes and"
        f" tables, {LEAST_SMALL_PRINT_PT:g} pt in charts and footers, on a slide 7.5 inches high",
        "Set it larger; cut words or split the slide where it then does not fit.", drawn=True,
    ),
    Rule(
        "text.margin", "MarginTooNarrow", "Text stands against the slide's edge.", "decklab",
        "warning", f"under {EDGE_PX:g} px, or {MARGIN_PX:g} px where the deck's slides keep"
        f" {MARGIN_USUAL_PX:g} px", "Move it inside the margin of the slide.", drawn=True,
    ),
    Rule(
        "shape.off-slide", "OffSlide", "An object lies off the slide.", _POWER_PPTX, "warning",
        f"all of it {OFF_SLIDE_PX:g} px outside, or {CUT_PX:g} px of a table or chart cut off",
        "Move it onto the slide, or delete it; keep remarks in the notes.",
    ),
    Rule(
        "shape.drift", "OffGridDrift", "An object just misses an alignment.", _POWER_PPTX, "info",
        f"{DRIFT_LEAST_PX:g} to {DRIFT_MOST_PX:g} px off a line on which {DRIFT_PEERS} like it"
        " stand", "Align it with the others of its row or column.",
    ),
    Rule(
        "picture.missing", "MissingPicture", "A picture's image is not there.", "decklab",
        "error", "no image in the file, or one that cannot be read",
        "Insert the picture again, embedded.",
    ),
    Rule(
        "placeholder.empty", "EmptyPlaceholder", "A placeholder was left empty.", "decklab",
        "info", "no text and no content", "Fill it, or delete it.",
    ),
    Rule(
        "placeholder.prompt", "PromptText", "A template's prompt was left.", "decklab",
        "warning", "the words of the layout or of a known template",
        "Write what belongs there, or delete the text.",
    ),
    Rule(
        "title.position", "InconsistentTitle", "A title stands elsewhere.", "decklab", "info",
        f"{TITLE_MOVED_PX:g} px off {_MOST}",
        "Reset the slide, so that the title takes its place from the layout again.",
    ),
    Rule(
        "title.size", "InconsistentTitle", "A title has another size.", "decklab", "info",
        f"{TITLE_SIZE_PT:g} pt off {_MOST}", "Clear the title's own size.",
    ),
    Rule(
        "title.font", "InconsistentTitle", "A title has another font.", "decklab", "info",
        f"unlike {_MOST}", "Clear the title's own font.",
    ),
):  # fmt: skip
    INTEGRITY_RULES.register(_rule.id, _rule)


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
