"""The page of each rule of lint, made from the code: its description and thresholds, the docstring
of its check, why it is worth heeding, and what ``--fix`` does."""

import inspect
from collections.abc import Callable, Mapping
from typing import Any, Final

from decklab.linting.fixes import kinds
from decklab.linting.rules import (
    accessibility,
    alignment,
    breaks,
    charts,
    crossings,
    every,
    legibility,
    looks,
    missing,
    overflow,
    overlaps,
    placement,
    reading_order,
    titles,
    written,
)
from decklab.linting.rules.every import LINT_RULES
from decklab.linting.rules.rule import THRESHOLDS, Rule
from decklab.linting.settings import named_rules

REASONS: Final[Mapping[str, str]] = {
    "text.overflow": (
        "Text that leaves its shape looks broken, and runs over what stands beside it as "
        "soon as a word is added or another font is used."
    ),
    "text.off-slide": (
        "What lies past the edge of the slide is not shown: people miss the end of the sentence."
    ),
    "text.overlap": ("Two texts on top of each other can hardly be read, neither of them."),
    "text.hidden": (
        "Nobody sees text behind a picture or shape, though it is read aloud, printed in "
        "outlines and found by search."
    ),
    "text.struck": ("A line through words reads as if they were deleted."),
    "text.on-object": (
        "Letters that cross an edge or a drawing lose their outline; a title that runs "
        "into a picture looks like an accident."
    ),
    "text.touching": (
        "Letters that stand on a line or frame look squeezed, and lose their lower edge."
    ),
    "text.broken": (
        "A word or number in two pieces is read twice, and a broken number may be read wrong."
    ),
    "text.orphan": (
        "A short word alone on the last line looks left over, and costs the body a whole line."
    ),
    "text.justified": (
        "Wide gaps tear lines apart: the eye runs down the gaps instead of along the words."
    ),
    "text.glyphs": (
        "Boxes in place of signs look like a fault of the file, and what they stood for is lost."
    ),
    "text.unseen": (
        "Text that nobody sees is still read aloud, printed in outlines and found by search; most "
        "of it was meant to be shown."
    ),
    "text.crosses-edge": (
        "Letters that lie half on a shape and half beside it change their ground in the middle of "
        "a word, and look as if they had slipped."
    ),
    "text.busy": (
        "Leaves, waves and windows are as fine as letters: the eye has to pick the words out of "
        "them."
    ),
    "contrast.low": (
        "People with weak sight, and everybody in a bright room or behind a weak "
        "projector, cannot tell the letters from the ground."
    ),
    "contrast.weak": (
        "The standard lets large text be paler; on a projector, in a lit room, it is what people "
        "see fade first."
    ),
    "contrast.strong-color": (
        "Small dark letters on a saturated colour flicker, although the formula for "
        "contrast finds them good enough."
    ),
    "text.small": (
        "From the last row of a room, or on a shared screen in a call, small text is not "
        "read at all."
    ),
    "text.margin": ("Text at the very edge looks cramped, and projectors and printers cut it off."),
    "shape.off-slide": (
        "Objects beside the slide are not shown, but go along in the file, in outlines "
        "and to screen readers."
    ),
    "shape.drift": (
        "A row in which one object is a few pixels off looks careless, and people see it "
        "without knowing what is wrong."
    ),
    "layout.margins": (
        "Text from edge to edge has no air, and projectors that cut the edge cut its letters."
    ),
    "layout.gaps": ("Uneven gaps look careless, and suggest groups that are not meant."),
    "layout.grid": (
        "Boxes that all but line up look careless: the eye sees the step before it reads the words."
    ),
    "density.crowded": (
        "People read or listen, not both: a slide full of sentences takes them from the speaker."
    ),
    "density.empty": (
        "A slide with nothing on it looks forgotten, and takes as long to pass as another."
    ),
    "style.typefaces": (
        "Each further typeface makes a deck look put together from several others."
    ),
    "picture.stretched": ("Faces, circles and logos that are stretched look wrong at once."),
    "picture.coarse": ("On a large screen the picture is blurred, and its letters are not read."),
    "shape.margin": (
        "It is neither inside the margin nor a bleed, and projectors and printers may cut it."
    ),
    "shape.overlap": ("A narrow overlap looks like a slip, and hides the edge of one of the two."),
    "written.spacing": ("Such slips are seen at once on a large screen, and look careless."),
    "written.repeated": (
        "Words that come again and again were copied to be filled in, or say nothing new."
    ),
    "layout.row": (
        "The eye compares things side by side. A small step between them looks like a slip, and"
        " suggests a difference that is not meant."
    ),
    "layout.edge": (
        "An edge that is nearly the same reads as a mistake: neither one line nor an indent."
    ),
    "layout.list": (
        "A list of typed marks shows two marks where the layout has its own, and its second lines"
        " run into the marks; numbers do not follow when items move."
    ),
    "style.peers": (
        "Things that are alike should look alike: another size or alignment says that one of them"
        " matters more, or is of another kind."
    ),
    "chart.labels": ("Labels over each other, or over bars, are not read, and the number is lost."),
    "chart.crowded": ("So many colours cannot be told apart, nor found again in the legend."),
    "chart.legend": ("It takes room to say once more what the title can say."),
    "picture.twice": ("The second copy says nothing new; most are left there by accident."),
    "picture.missing": ("Where the image is missing, the slide shows a red cross or nothing."),
    "placeholder.empty": (
        "An empty placeholder is announced to people who use a screen reader, and shows "
        "its prompt to everyone who edits the slide."
    ),
    "placeholder.prompt": (
        'Words of the template, such as "Click to add text", tell the audience that the '
        "slide is unfinished."
    ),
    "written.title": ("A title that names no point leaves it to the audience to find one."),
    "written.markup": ("Marks such as ** were meant for a program; people stumble over them."),
    "written.unfinished": (
        "A gap that was to be filled in tells the audience that nobody read the slide again."
    ),
    "written.doubled": ("A doubled word is a slip that spelling checkers of slides do not show."),
    "written.misspelt": (
        "A misspelt word is seen by everyone in the room, and stays on the wall for minutes."
    ),
    "written.axis": ("Numbers without their axis mean nothing, and are read aloud one by one."),
    "title.position": (
        "A title that jumps from slide to slide draws the eye away from what it says."
    ),
    "title.size": ("Titles of different sizes suggest a rank that is not meant."),
    "title.font": ("A title in another font looks like a slide from another deck."),
    "title.shrunk": (
        "A title is read first and from farthest away; one that had to shrink says too "
        "much at once."
    ),
    "accessibility.missing-alt-text": (
        "People who do not see a picture have only its alternative text; without one they"
        " do not know whether they miss anything."
    ),
    "accessibility.poor-alt-text": (
        "A file name read aloud says nothing, and takes as long as a description."
    ),
    "accessibility.missing-slide-title": (
        "Titles are how people who use a screen reader move from slide to slide; "
        "outlines, links and the presenter's overview use them too."
    ),
    "accessibility.duplicate-slide-title": (
        "With one title for several slides, nobody can tell them apart in a list of slides."
    ),
    "accessibility.reading-order": (
        "Screen readers read objects in their order in the file; out of order, the "
        "sentences of a slide make no sense."
    ),
    "accessibility.missing-table-headers": (
        "With a header row, a screen reader says for each cell what its column means."
    ),
    "accessibility.merged-table-cells": (
        "Where cells are merged, screen readers lose count of rows and columns, and so do"
        " people who move through the table by keys."
    ),
    "accessibility.link-text": (
        'People go through the links of a slide by themselves: "here" does not say where,'
        " and an address is spelled letter by letter."
    ),
    "accessibility.language": (
        "The language decides in which voice text is read aloud, how it is hyphenated, "
        "and which words are marked as wrong."
    ),
    "accessibility.captions": (
        "Who does not hear a video, or watches it in silence, needs captions."
    ),
    "slide.not-drawn": (
        "What stops one program may stop the next: a server that makes previews, a converter, or "
        "a viewer on a phone. Nothing that only the drawn slide shows is found on it."
    ),
    "package.damaged-part": (
        "Other programs may refuse the file, or repair it by leaving out what they cannot read."
    ),
}
"""By the id of the rule."""


CHECKS: Final[Mapping[str, Callable[..., Any]]] = {
    "text.overflow": overflow.text_overflow,
    "text.off-slide": overflow.text_off_slide,
    "text.overlap": overlaps.text_on_text,
    "text.hidden": overlaps.hidden_text,
    "text.struck": crossings.struck_text,
    "text.on-object": crossings.text_on_objects,
    "text.touching": overlaps.touching_text,
    "text.broken": breaks.broken_words,
    "text.crosses-edge": crossings.crossed_edges,
    "text.busy": crossings.busy_text,
    "text.orphan": breaks.orphan_words,
    "text.justified": breaks.wide_gaps,
    "text.glyphs": looks.missing_glyphs,
    "text.unseen": missing.unseen_texts,
    "contrast.low": legibility.low_contrast_texts,
    "contrast.weak": legibility.low_contrast_texts,
    "contrast.strong-color": legibility.low_contrast_texts,
    "text.small": legibility.small_text,
    "text.margin": placement.narrow_margins,
    "shape.off-slide": placement.off_slide,
    "shape.drift": placement.drift,
    "shape.margin": placement.near_edge,
    "shape.overlap": overlaps.overlapping_panels,
    "layout.margins": placement.narrow_sides,
    "layout.gaps": alignment.uneven_gaps,
    "layout.grid": alignment.uneven_grids,
    "layout.row": alignment.uneven_rows,
    "layout.edge": alignment.near_edges,
    "layout.list": written.typed_lists,
    "density.crowded": looks.crowded,
    "density.empty": looks.empty,
    "style.typefaces": looks.many_typefaces,
    "style.peers": alignment.odd_peers,
    "chart.labels": charts.chart_labels,
    "chart.crowded": charts.chart_contents,
    "chart.legend": charts.chart_contents,
    "picture.stretched": looks.odd_pictures,
    "picture.coarse": looks.odd_pictures,
    "picture.twice": looks.odd_pictures,
    "picture.missing": missing.missing_pictures,
    "placeholder.empty": missing.empty_placeholders,
    "placeholder.prompt": missing.prompt_text,
    "written.title": written.what_is_written,
    "written.markup": written.what_is_written,
    "written.unfinished": written.what_is_written,
    "written.doubled": written.what_is_written,
    "written.spacing": written.what_is_written,
    "written.repeated": written.repeated,
    "written.misspelt": written.misspelt,
    "written.axis": written.what_is_written,
    "title.position": titles.inconsistent_titles,
    "title.size": titles.inconsistent_titles,
    "title.font": titles.inconsistent_titles,
    "title.shrunk": titles.shrunk_titles,
    "accessibility.missing-alt-text": accessibility.alt_text,
    "accessibility.poor-alt-text": accessibility.alt_text,
    "accessibility.missing-slide-title": titles.missing_titles,
    "accessibility.duplicate-slide-title": titles.duplicate_titles,
    "accessibility.reading-order": reading_order.wrong_order,
    "accessibility.missing-table-headers": accessibility.tables,
    "accessibility.merged-table-cells": accessibility.tables,
    "accessibility.link-text": accessibility.links,
    "accessibility.language": accessibility.wrong_language,
    "accessibility.captions": accessibility.captions,
    "package.damaged-part": every.problem_findings,
    "slide.not-drawn": every.undrawn_findings,
}
FIXES: Final[Mapping[str, Callable[..., Any]]] = {
    "text.overflow": kinds.overflowing,
    "contrast.low": kinds.pale_texts,
    "shape.drift": kinds.near_misses,
    "accessibility.missing-alt-text": kinds.missing_alt_texts,
    "accessibility.missing-slide-title": kinds.missing_title,
    "accessibility.duplicate-slide-title": kinds.repeated_titles,
    "accessibility.language": kinds.wrong_languages,
}


def explain(name: str) -> str:
    """The pages of a rule, or of all rules of a group such as ``text``, as Markdown.

    Raises UnknownName if there is no such rule.

    >>> explain("title").count("## Why")
    4
    """
    named = named_rules(name)
    return "\n".join(rule_page(LINT_RULES[id]) for id in LINT_RULES if id in named)


def rule_page(rule: Rule) -> str:
    """The page of a rule as Markdown: what it finds and from when on, why it is worth heeding, how
    to fix, configure and ignore it.

    >>> rule_page(LINT_RULES["text.small"]).splitlines()[0]
    '# text.small'
    """
    facts = [
        f"| severity | {rule.severity} at worst; milder where there is doubt |",
        f"| found from | {rule.threshold} |",
        f"| looks at | {'the slide as LibreOffice draws it' if rule.drawn else 'the file'} |",
        f"| other names | `{rule.name}` |",
        f"| source | {rule.source} |",
    ]
    parts = [
        f"# {rule.id}",
        rule.meaning,
        "| | |\n|---|---|\n" + "\n".join(facts),
        f"## Why\n\n{REASONS.get(rule.id, rule.meaning)}",
        f"## What is found\n\n{_words(rule.check or CHECKS[rule.id])}",
        f"## How to fix it\n\n{rule.fix}",
    ]
    if rule.id in FIXES:
        parts.append(f"`decklab lint --fix` does this: {_words(FIXES[rule.id])}")
    parts += [*_thresholds(rule.id), _ignoring(rule.id)]
    return "\n\n".join(parts) + "\n"


def _words(function: Callable[..., Any]) -> str:
    """A docstring as Markdown, without what it says of its parameters."""
    text = inspect.getdoc(function) or ""
    paragraphs = [" ".join(part.split()) for part in text.split("\n\n")]
    shown = [part for part in paragraphs if not part.startswith(("``", ">>>"))]
    return "\n\n".join(shown).replace("``", "`")


def _thresholds(id: str) -> list[str]:
    names = [name for name in THRESHOLDS if name == id or name.startswith(f"{id}.")]
    if not names:
        return []
    lines = [
        f"{name} = {THRESHOLDS[name].default:g}  # {THRESHOLDS[name].meaning}" for name in names
    ]
    return ["## Configuration\n\n```toml\n[lint.thresholds]\n" + "\n".join(lines) + "\n```"]


def _ignoring(id: str) -> str:
    return (
        f'## How to ignore it\n\n`--ignore {id}` on the command line, `ignore = ["{id}"]` in'
        f" the configuration, or `decklab: ignore {id}` as a line of the slide's notes."
    )
