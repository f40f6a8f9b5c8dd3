"""The rules of the integrity lint: their ids, what they are called elsewhere, what they say."""

from dataclasses import dataclass

from decklab.metrics.integrity.thresholds import (
    COVERED_HEIGHT_SHARE,
    CUT_OFF_PX,
    CUT_PX,
    DRIFT_LEAST_PX,
    DRIFT_MOST_PX,
    DRIFT_PEERS,
    EDGE_PX,
    LEAST_BODY_PT,
    LEAST_LABEL_PT,
    LEAST_SMALL_PRINT_PT,
    MARGIN_PX,
    MARGIN_USUAL_PX,
    OFF_SLIDE_PX,
    OUTSIDE_SHARE,
    OVERLAP_HEIGHT_SHARE,
    OVERLAP_WIDTH_EM,
    PAINTED_LINES,
    PAINTED_PX,
    PLAIN_OVERFLOW_LINES,
    STRONG_COLOR_CONTRAST,
    STRONG_COLOR_PT,
    STRUCK_LENGTH_EM,
    TITLE_MAJORITY,
    TITLE_MOVED_PX,
    TITLE_SIZE_PT,
    TITLE_SLIDES,
)
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
