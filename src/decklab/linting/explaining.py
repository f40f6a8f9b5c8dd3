"""The page of each rule of lint, made from the code: its description and thresholds, the docstring
of its check, why it is worth heeding, and what ``--fix`` does."""

import inspect
from collections.abc import Callable, Mapping
from typing import Any, Final

from decklab.linting.fixes import alt_text as alt_text_fixes
from decklab.linting.fixes import drawn, language
from decklab.linting.fixes import titles as title_fixes
from decklab.linting.rules import (
    accessibility,
    alignment,
    alt_text,
    arrangement,
    breaks,
    charts,
    contrast,
    crossings,
    density,
    every,
    glyphs,
    lists,
    looks,
    missing,
    overflow,
    overlaps,
    placement,
    reading_order,
    sizes,
    title_sizes,
    titles,
    touching,
    unseen,
    written,
)
from decklab.linting.rules.every import LINT_RULES
from decklab.linting.rules.limits import THRESHOLDS
from decklab.linting.rules.reasons import REASONS
from decklab.linting.rules.rule import Rule
from decklab.linting.settings import named_rules

CHECKS: Final[Mapping[str, Callable[..., Any]]] = {
    "text.overflow": overflow.text_overflow,
    "text.off-slide": overflow.text_off_slide,
    "text.overlap": overlaps.text_on_text,
    "text.hidden": overlaps.hidden_text,
    "text.struck": crossings.struck_text,
    "text.on-object": crossings.text_on_objects,
    "text.touching": touching.touching_text,
    "text.broken": breaks.broken_words,
    "text.crosses-edge": crossings.crossed_edges,
    "text.busy": crossings.busy_text,
    "text.orphan": breaks.orphan_words,
    "text.justified": breaks.wide_gaps,
    "text.glyphs": glyphs.missing_glyphs,
    "text.unseen": unseen.unseen_texts,
    "contrast.low": contrast.low_contrast_texts,
    "contrast.weak": contrast.low_contrast_texts,
    "contrast.strong-color": contrast.low_contrast_texts,
    "text.small": sizes.small_text,
    "text.margin": placement.narrow_margins,
    "shape.off-slide": placement.off_slide,
    "shape.drift": placement.drift,
    "shape.margin": placement.near_edge,
    "shape.overlap": overlaps.overlapping_panels,
    "layout.margins": placement.narrow_sides,
    "layout.gaps": arrangement.uneven_gaps,
    "layout.grid": arrangement.uneven_grids,
    "layout.row": alignment.uneven_rows,
    "layout.edge": alignment.near_edges,
    "layout.list": lists.typed_lists,
    "density.crowded": density.crowded,
    "density.empty": density.empty,
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
    "title.shrunk": title_sizes.shrunk_titles,
    "accessibility.missing-alt-text": alt_text.alt_text,
    "accessibility.poor-alt-text": alt_text.alt_text,
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
    "text.overflow": drawn.overflowing,
    "contrast.low": drawn.pale_texts,
    "shape.drift": drawn.near_misses,
    "accessibility.missing-alt-text": alt_text_fixes.missing_alt_texts,
    "accessibility.missing-slide-title": title_fixes.missing_title,
    "accessibility.duplicate-slide-title": title_fixes.repeated_titles,
    "accessibility.language": language.wrong_languages,
}


def explain(name: str) -> str:
    """The pages of a rule, or of all rules of a group such as ``text``, as Markdown.

    Raises UnknownName where there is no such rule.

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
        f"## How to ignore it\n\n`--ignore {id}` on the command line, `ignore = [\"{id}\"]` in"
        f" the configuration, or `decklab: ignore {id}` as a line of the slide's notes."
    )  # fmt: skip
