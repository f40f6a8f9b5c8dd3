"""Extensions by other packages, each tried: metrics, lint rules, layouts, readers, benchmarks."""

import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from decklab.board.blueprint import DeckPlan, SlidePlan
from decklab.board.library import Layout
from decklab.board.pages.document import DeckPages, PageSizes
from decklab.board.themes import THEMES
from decklab.core.errors import DecklabError, ExtensionError
from decklab.core.files import scratch_folder
from decklab.core.registry import installed, loaded, one_of, outside
from decklab.core.results import Finding, NotScored
from decklab.deck.deck import open_deck, write_samples
from decklab.linting.rules.rule import Rule
from decklab.metrics.metric import MetricInfo

GROUPS: Final[Mapping[str, type[Any] | None]] = {
    "decklab.metrics": MetricInfo,
    "decklab.lint_rules": Rule,
    "decklab.layouts": Layout,
    "decklab.document_readers": None,
    "decklab.benchmarks": None,
}
"""Groups of entry points, and the type of what they name."""


@dataclass(frozen=True)
class Extension:
    """Something that another package adds, and what is wrong with it."""

    group: str
    name: str
    package: str
    """Name and version."""
    faults: tuple[str, ...] = ()


def extensions() -> tuple[Extension, ...]:
    """All that other packages add to decklab, each loaded and tried.

    A metric is measured on pictures of one colour and of noise: it gives a number in its range or
    NotScored. A rule is applied to the slides of the sample decks: its findings are its own, on the
    slide that was looked at. A layout shows the words of an example of what it needs. A reader is a
    function; a benchmark can be imported.
    """
    return tuple(_tried(group, entry) for group in GROUPS for entry in installed(group))


def _tried(group: str, entry: Any) -> Extension:
    package = "" if entry.dist is None else f"{entry.dist.name} {entry.dist.version}"
    try:
        item = loaded(entry, GROUPS[group])
        faults = tuple(dict.fromkeys(_CHECKS[group](entry.name, item)))
    except DecklabError as error:
        faults = (str(error),)
    return Extension(group, entry.name, package, faults)


def metric_faults(name: str, info: MetricInfo) -> Iterator[str]:
    """Faults of a metric of another package, one line each."""
    if info.name != name:
        yield f"its entry point is named {name!r}, the metric {info.name!r}"
    if info.measure is None:
        yield "it has no function `measure`"
        return
    noise = np.random.default_rng(0).integers(0, 256, (54, 96, 3), dtype=np.uint8)
    pictures = {"white": np.full_like(noise, 255), "black": np.zeros_like(noise), "noise": noise}
    for label, picture in pictures.items():
        try:
            value = outside(info.measure, picture)
        except ExtensionError as error:
            yield f"it failed on a picture of {label}: {error}"
            continue
        if isinstance(value, NotScored):
            continue
        low = -math.inf if info.low is None else info.low
        high = math.inf if info.high is None else info.high
        if not isinstance(value, int | float) or not math.isfinite(value):
            yield f"its value for a picture of {label} is no finite number: {value!r}"
        elif not low <= value <= high:
            yield f"its value for a picture of {label}, {value:g}, is not from {low:g} to {high:g}"


def rule_faults(name: str, rule: Rule) -> Iterator[str]:
    """Faults of a lint rule of another package, one line each."""
    if rule.id != name:
        yield f"its entry point is named {name!r}, the rule {rule.id!r}"
    if rule.check is None:
        yield "it has no function `check`"
        return
    with scratch_folder("samples") as folder:
        for path in write_samples(folder):
            with open_deck(path) as deck:
                for slide in deck.slides:
                    try:
                        findings = outside(list[Finding], outside(rule.check, slide))
                    except ExtensionError as error:
                        yield f"it failed on {path.name}, slide {slide.number}: {error}"
                        continue
                    if any(finding.rule != rule.id for finding in findings):
                        yield "it has findings of another rule"
                    if any(finding.slide not in (slide.number, None) for finding in findings):
                        yield "it has findings on another slide"


_WORDS: Final = ("Larch", "Maple", "Rowan", "Alder", "Aspen", "Birch", "Cedar", "Hazel", "Linden")
_LABELLED: Final = [{"label": word, "text": f"{word} wood"} for word in _WORDS]
_EXAMPLES: Final[Mapping[str, Any]] = {
    "body": [{"text": word} for word in _WORDS],
    "columns": [{"heading": word, "points": [{"text": f"{word} wood"}]} for word in _WORDS],
    "numbers": [{"value": str(number), "label": word} for number, word in enumerate(_WORDS, 2)],
    "steps": _LABELLED, "cards": _LABELLED, "quote": {"text": _WORDS[0], "by": _WORDS[1]},
    "table": {"header": _WORDS[:2], "rows": [_WORDS[2:4], _WORDS[4:6]]},
    "actions": [{"text": word, "owner": f"{word} office"} for word in _WORDS],
}  # fmt: skip
"""Content of which each word can be looked for on a page."""


def layout_faults(name: str, layout: Layout) -> Iterator[str]:
    """Faults of a layout of another package, one line each."""
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        yield f"its name is not of small letters, digits and underscores: {name!r}"
    if unknown := {*layout.needs, *layout.shows} - SlidePlan.model_fields.keys():
        yield f"a slide's plan has no {one_of(sorted(unknown))}"
    if layout.template is None or not layout.template.is_file():
        yield f"its template is no file: {layout.template}"
    elif not unknown and all(field in _EXAMPLES for field in layout.needs):
        count = (layout.count or (3, 3))[0]
        content = {field: _some(_EXAMPLES[field], count) for field in layout.needs}
        plan = DeckPlan.model_validate(
            {"title": "Trees", "slides": [{"layout": name, "title": "Trees", **content}]},
            strict=False,
        )
        try:
            page = outside(DeckPages(plan, THEMES["light"]).html, plan.slides, [PageSizes()])
        except ExtensionError as error:
            yield f"it failed on an example: {error}"
            return
        shown = str(content)
        lost = [word for word in _WORDS if word in shown and word not in page]
        if lost:
            yield f"its page does not show all of {one_of(sorted(content))}: {', '.join(lost)}"


def _some(example: Any, count: int) -> Any:
    return example[:count] if isinstance(example, list) else example


def reader_faults(name: str, reader: object) -> Iterator[str]:
    """Faults of a document reader of another package, one line each."""
    if not callable(reader):
        yield "it is no function"
    if name != name.lower().lstrip("."):
        yield f"its name is no suffix in small letters without a dot: {name!r}"


_CHECKS: Final[Mapping[str, Callable[[str, Any], Iterator[str]]]] = {
    "decklab.metrics": metric_faults,
    "decklab.lint_rules": rule_faults,
    "decklab.layouts": layout_faults,
    "decklab.document_readers": reader_faults,
    "decklab.benchmarks": lambda _name, _item: iter(()),
}
