"""Lint: what is wrong with a deck, from its elements and its slides as drawn, without scores."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from decklab.deck.model.slide import DeckElements
from decklab.deck.reading import read_elements
from decklab.errors import DecklabError, RendererMissing, RenderError, UnsupportedFormat
from decklab.linting.rules.every import LINT_RULES, problem_findings, rule_findings
from decklab.linting.rules.page import Page, stand_ins
from decklab.linting.rules.rule import WORST_FIRST
from decklab.ooxml.package import Package
from decklab.ooxml.sniffing import FileKind, sniff
from decklab.options import Severity
from decklab.rendering.font_report import FontReport, font_report
from decklab.rendering.model import RenderedDeck, RenderedSlide
from decklab.rendering.opening import open_rendered
from decklab.rendering.renderer import Renderer
from decklab.results import Finding
from decklab.tabular import Tabular

_SAME_PLACE = 0.5
"""Ours: share of a finding's box that lies in another's, from which on both are about one text."""


@dataclass(frozen=True)
class LintResult(Tabular):
    """What lint found in one deck."""

    deck: str
    """The path as it was given."""
    slides: int
    findings: tuple[Finding, ...]
    """By slide; those of the whole deck first."""
    not_run: Mapping[str, str] = field(default_factory=dict)
    """Rules that could not be applied, by id, and why."""

    def records(self) -> Iterator[dict[str, Any]]:
        """One row a finding."""
        for finding in self.findings:
            yield {"deck": self.deck, **finding.model_dump(exclude={"box", "slides"})}

    def at_least(self, severity: Severity) -> "LintResult":
        """The same result with only the findings of this severity or a worse one."""
        worse = WORST_FIRST[: WORST_FIRST.index(severity) + 1]
        findings = tuple(item for item in self.findings if item.severity in worse)
        return replace(self, findings=findings)


def lint_json(outcomes: Iterable[LintResult | DecklabError]) -> dict[str, Any]:
    """The results of some decks as plain JSON, with the error of each that could not be read."""
    return {"decks": [_outcome_json(outcome) for outcome in outcomes]}


def _outcome_json(outcome: LintResult | DecklabError) -> dict[str, Any]:
    if isinstance(outcome, DecklabError):
        return {"deck": getattr(outcome, "path", None), "error": str(outcome)}
    return {
        "deck": outcome.deck,
        "error": None,
        "slides": outcome.slides,
        "findings": [finding.model_dump(mode="json") for finding in outcome.findings],
        "not_run": dict(outcome.not_run),
    }


def chosen_rules(only: Iterable[str] = (), ignore: Iterable[str] = ()) -> frozenset[str]:
    """Ids of the rules to apply: all, or those in ``only``, without those in ``ignore``.

    A name stands for a rule, or for all rules that begin with it and a dot. Raises UnknownName
    where there is no such rule.

    >>> sorted(chosen_rules(["title", "text.small"], ignore=["title.font"]))
    ['text.small', 'title.position', 'title.shrunk', 'title.size']
    """
    wanted = set().union(*map(_named, only)) or set(LINT_RULES)
    return frozenset(wanted.difference(*map(_named, ignore)))


def _named(name: str) -> set[str]:
    group = {rule for rule in LINT_RULES if rule.startswith(f"{name}.")}
    return group or {LINT_RULES[name].id}


def lint(
    path: str | Path, *, rules: Collection[str] | None = None, renderer: Renderer | None = None
) -> LintResult:
    """What is wrong with a deck; its file is only read.

    ``rules`` are the ids of those to apply (default: all); the slides are drawn only if one of
    them needs it. Where nothing can be drawn the rules that need it are ``not_run`` and the others
    are applied.

    Raises DeckError where the file cannot be read, UnsupportedFormat where it is no PowerPoint
    deck.
    """
    path = Path(path)
    wanted = frozenset(LINT_RULES) if rules is None else frozenset(rules)
    drawn_rules = [rule for rule in LINT_RULES if rule in wanted and LINT_RULES[rule].drawn]
    if path.is_dir() or sniff(path) is not FileKind.PPTX:
        raise UnsupportedFormat(path, "lint reads PowerPoint decks (.pptx, .potx, .ppsx, .pptm)")
    with ExitStack() as stack:
        package = stack.enter_context(Package.open(path))
        started = stack.enter_context((renderer or Renderer()).started())
        elements = read_elements(package)
        drawn: RenderedDeck | None = None
        not_run: dict[str, str] = {}
        try:
            if drawn_rules and elements.slides:
                count = len(elements.slides)
                drawn = stack.enter_context(
                    open_rendered(path, renderer=started, ocr=False, expected_slides=count)
                )
        except RenderError as error:
            not_run = dict.fromkeys(drawn_rules, _reason(error))
        fonts = font_report(package, started) if drawn is not None else None
        findings = _found(elements, drawn, fonts)
    wanted_findings = tuple(item for item in findings if item.rule in wanted)
    return LintResult(str(path), len(elements.slides), wanted_findings, not_run)


def _reason(error: RenderError) -> str:
    return error.detail if isinstance(error, RendererMissing) else f"not drawn: {error.detail}"


def lint_each(
    paths: Iterable[Path], *, rules: Collection[str] | None = None, renderer: Renderer | None = None
) -> Iterator[LintResult | DecklabError]:
    """``lint`` for one deck after the other with one LibreOffice; the error of an unreadable
    deck."""
    with (renderer or Renderer()).started() as started:
        for path in paths:
            try:
                yield lint(path, rules=rules, renderer=started)
            except DecklabError as error:
                yield error


def _found(
    elements: DeckElements, drawn: RenderedDeck | None, fonts: FontReport | None
) -> list[Finding]:
    findings = lint_findings(elements, map(page_of, drawn or ()), fonts)
    return sorted(without_repeats(findings), key=lambda item: item.slide or 0)


def page_of(slide: RenderedSlide) -> Page:
    """A drawn slide as the rules take it; without text that was only recognised in the picture."""
    spans = slide.spans if slide.text_source == "layout" else ()
    return Page(slide.number, spans, slide.image)


def lint_findings(
    elements: DeckElements, pages: Iterable[Page], fonts: FontReport | None = None
) -> list[Finding]:
    """The findings of all rules for a deck, after one for each damaged part.

    ``pages`` are read once, to the end. Slides that could not be read are left out: what they lack
    is not their author's fault.
    """
    replaced = stand_ins(fonts.replaced) if fonts else {}
    sound = _without_unread(elements)
    findings = rule_findings(sound, pages, replaced_fonts=replaced)
    return [*problem_findings(elements.problems), *findings]


def _without_unread(elements: DeckElements) -> DeckElements:
    damaged = {problem.split(": ", 1)[0] for problem in elements.problems}
    sound = tuple(
        slide
        for slide in elements.slides
        if slide.part and (slide.part not in damaged or slide.elements())
    )
    if len(sound) == len(elements.slides):
        return elements
    return elements.model_copy(update={"slides": sound})


def without_repeats(findings: Sequence[Finding]) -> list[Finding]:
    """Findings in order, without those that repeat what another one says better of the same text.

    Where ``text.hidden`` or ``text.overlap`` reports a text, ``text.covered`` and ``contrast.low``
    of the same text are left out.
    """
    better = [item for item in findings if item.rule in ("text.hidden", "text.overlap")]
    return [
        item
        for item in findings
        if item.rule not in ("text.covered", "contrast.low")
        or not any(_same_text(item, other) for other in better)
    ]


def _same_text(one: Finding, other: Finding) -> bool:
    if one.slide != other.slide or one.box is None or other.box is None or not one.box.area:
        return False
    return one.box.intersection(other.box).area >= _SAME_PLACE * one.box.area
