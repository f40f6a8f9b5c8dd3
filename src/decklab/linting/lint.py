"""Lint: what is wrong with a deck, from its elements and its slides as drawn, without scores.

Findings that take the picture of a slide are kept between runs by all that they depend on.
"""

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from decklab.core.errors import DecklabError, RendererMissing, RenderError, UnsupportedFormat
from decklab.core.options import Severity
from decklab.core.result_store import ResultStore, code_stamp
from decklab.core.results import Finding, Occurrence, Tabular
from decklab.deck.model.shapes import Element
from decklab.deck.model.slide import Contents, DeckElements
from decklab.deck.reading import read_elements
from decklab.linting.drawn import page_of
from decklab.linting.rules.every import (
    LINT_RULES,
    PictureFindings,
    file_findings,
    integrity_findings,
    problem_findings,
    undrawn_findings,
)
from decklab.linting.rules.legibility import LowContrastText
from decklab.linting.rules.missing import Unseen
from decklab.linting.rules.page import DrawnSlide, Page, stand_ins
from decklab.linting.rules.rule import USUAL_LIMITS, WORST_FIRST, RuleLimits
from decklab.linting.settings import Ignored, ignored_by
from decklab.metrics.contrast import InkContrast
from decklab.ooxml.package import Package
from decklab.rendering.font_report import FontReport, font_report
from decklab.rendering.opening import as_powerpoint, open_rendered
from decklab.rendering.pictures import RenderedDeck
from decklab.rendering.renderer import Renderer
from decklab.seen.reader import seen_of
from decklab.seen.seen_slide import SeenSlide


@dataclass(frozen=True)
class SlideKey:
    """By what a slide is known again in a later version of its deck."""

    id: int
    """The id that stays with it wherever it moves; 0 if there is none."""
    title: str
    """On one line; empty without one."""

    def is_same(self, other: "SlideKey") -> bool:
        """Whether both are one slide: by the id, or by the title.

        >>> SlideKey(256, "Plan").is_same(SlideKey(300, "Plan"))
        True
        """
        by_id = self.id != 0 and self.id == other.id
        return by_id or (self.title != "" and self.title == other.title)


_SAME_PLACE = 0.5
"""Ours: share of a finding's box that lies in another's, from which on both are about one text."""


@dataclass(frozen=True)
class LintResult(Tabular):
    """The findings of lint in one deck."""

    deck: str
    """The path as it was given."""
    slides: int
    findings: tuple[Finding, ...]
    """By slide; those of the whole deck first."""
    not_run: Mapping[str, str] = field(default_factory=dict)
    """Rules that could not be applied, by id, and why."""
    ignored: tuple[Finding, ...] = ()
    """Findings that the deck itself, or a baseline, says to ignore."""
    problems: tuple[str, ...] = ()
    """Problems of what the deck says to ignore, one line each."""
    slide_keys: Mapping[int, SlideKey] = field(default_factory=dict)
    """By what a slide is known when its number changes, by its number."""
    converted: str = ""
    """The kind of file LibreOffice converted, such as "an OpenDocument presentation"; empty for
    PowerPoint files."""

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
        "ignored": len(outcome.ignored),
        **({"converted": outcome.converted} if outcome.converted else {}),
    }


def lint(
    path: str | Path,
    *,
    rules: Collection[str] | None = None,
    renderer: Renderer | None = None,
    limits: RuleLimits = USUAL_LIMITS,
    heed_deck: bool = False,
) -> LintResult:
    """The faults of a deck; its file is only read.

    ``rules`` are the ids of those to apply (default: all); the slides are drawn only if one of
    them needs it. Where nothing can be drawn the rules that need it are ``not_run`` and the others
    are applied; slides that LibreOffice dies on have a finding, and the others are drawn. With
    ``heed_deck``, findings that the deck says to ignore are ``ignored``: a deck that is judged has
    no say in that.

    Of ``.odp`` and ``.ppt`` a copy is linted that LibreOffice converts; ``converted`` says so.

    Raises DeckError where the file cannot be read, UnsupportedFormat for other kinds of decks, and
    RenderError where it cannot be converted.
    """
    path = Path(path)
    wanted = frozenset(LINT_RULES) if rules is None else frozenset(rules)
    drawn_rules = [rule for rule in LINT_RULES if rule in wanted and LINT_RULES[rule].drawn]
    if path.is_dir():
        raise UnsupportedFormat(path, "there is no PowerPoint deck in this folder")
    with ExitStack() as stack:
        started = stack.enter_context((renderer or Renderer()).started())
        deck = stack.enter_context(as_powerpoint(path, started))
        package = stack.enter_context(Package.open(deck.path))
        elements = read_elements(package)
        drawn: RenderedDeck | None = None
        not_run: dict[str, str] = {}
        try:
            if drawn_rules and elements.slides:
                opening = open_rendered(deck.path, renderer=started, ocr=False, deadly="left out")
                drawn = stack.enter_context(opening)
        except RenderError as error:
            not_run = dict.fromkeys(drawn_rules, _reason(error))
        fonts = font_report(package, started) if drawn is not None else None
        seen = seen_of(package, elements).slides
        results = None if started.cache is None else started.cache.results
        findings = _found(elements, drawn, fonts, limits, seen=seen, results=results)
    said = ignored_by(elements) if heed_deck else Ignored()
    stay, gone = said.split(item for item in findings if item.rule in wanted)
    titles = ((slide, " ".join((slide.title or "").split())) for slide in elements.slides)
    keys = {slide.number: SlideKey(slide.id, title) for slide, title in titles}
    about = not_run, tuple(gone), said.problems, keys, deck.converted
    return LintResult(str(path), len(elements.slides), tuple(stay), *about)


def _reason(error: RenderError) -> str:
    return error.detail if isinstance(error, RendererMissing) else f"not drawn: {error.detail}"


def _found(
    elements: DeckElements,
    drawn: RenderedDeck | None,
    fonts: FontReport | None,
    limits: RuleLimits,
    *,
    seen: Sequence[SeenSlide],
    results: ResultStore | None,
) -> list[Finding]:
    pages = map(page_of, drawn or ())
    findings = lint_findings(
        elements, pages, fonts, limits, unscored=True, seen=seen, results=results
    )
    findings += undrawn_findings(drawn.faults if drawn is not None else {})
    return sorted(without_repeats(findings), key=lambda item: item.slide or 0)


def lint_findings(
    elements: DeckElements,
    pages: Iterable[Page],
    fonts: FontReport | None = None,
    limits: RuleLimits = USUAL_LIMITS,
    *,
    unscored: bool = False,
    seen: Iterable[SeenSlide] = (),
    results: ResultStore | None = None,
) -> list[Finding]:
    """The findings of all rules for a deck, after one for each damaged part.

    ``pages`` are read once, to the end; ``unscored`` and ``seen`` are those of
    ``integrity_findings``; ``results`` keep what pictures show. Slides that could not be read are
    left out: what they lack is not their author's fault.
    """
    replaced = stand_ins(fonts.replaced) if fonts else {}
    sound = _without_unread(elements)
    kept = KeptFindings(results)
    findings = integrity_findings(
        sound, pages, replaced_fonts=replaced, limits=limits, unscored=unscored, seen=seen,
        kept=kept.of,
    )  # fmt: skip
    kept.keep()
    return [*problem_findings(elements.problems), *findings, *file_findings(sound, limits)]


class KeptFindings:
    """Findings on slides whose pictures have keys, from ``results`` if they are there."""

    def __init__(self, results: ResultStore | None) -> None:
        self._results = results
        self._fresh: dict[str, bytes] = {}
        self._sheets: dict[str, str] = {}

    def of(
        self, shows: DrawnSlide, lost: Unseen, judge: Callable[[], PictureFindings]
    ) -> PictureFindings:
        """The findings that ``judge`` gives, or gave of the same slide before."""
        if self._results is None or not shows.page.key:
            return judge()
        key = self._key(shows, lost)
        kept = self._results.get([key]).get(key)
        if kept is None:
            kept = self._fresh[key] = _plain(judge(), shows)
        return _findings(kept, shows)

    def keep(self) -> None:
        """Keep the findings that are new."""
        if self._results is not None:
            self._results.put(self._fresh)

    def _key(self, shows: DrawnSlide, lost: Unseen) -> str:
        for sheet in shows.behind:
            if sheet.part not in self._sheets:
                self._sheets[sheet.part] = _digest(sheet)
        sheets = [self._sheets[sheet.part] for sheet in shows.behind]
        facts = [code_stamp(), shows.page.key, lost, shows.replaced, shows.limits, shows.strict]
        return sha256(repr([*facts, *sheets, _digest(shows.slide)]).encode()).hexdigest()


def _digest(contents: Contents) -> str:
    return sha256(contents.model_dump_json().encode()).hexdigest()


def _elements(shows: DrawnSlide) -> list[Element]:
    return [item for sheet in (shows.slide, *shows.behind) for item in sheet.elements()]


def _plain(found: PictureFindings, shows: DrawnSlide) -> bytes:
    """Findings as JSON: texts and elements by their places on the slide."""
    places = {id(item): place for place, item in enumerate(_elements(shows))}
    spans = {id(span): place for place, span in enumerate(shows.spans)}
    faint = [
        [item.slide, spans[id(item.span)], asdict(item.contrast), item.least, item.severity,
         item.rule.id, item.element and places[id(item.element)], item.everywhere]
        for item in found.faint
    ]  # fmt: skip
    hits = [[hit.finding.model_dump(mode="json"), hit.cause, hit.also] for hit in found.hits]
    return json.dumps([faint, hits]).encode()


def _findings(plain: bytes, shows: DrawnSlide) -> PictureFindings:
    faint, hits = json.loads(plain)
    elements = _elements(shows) if faint else []
    return PictureFindings(
        [
            LowContrastText(
                slide, shows.spans[span], _contrast(contrast), least, severity, LINT_RULES[rule],
                None if element is None else elements[element], everywhere,
            )
            for slide, span, contrast, least, severity, rule, element, everywhere in faint
        ],
        [
            Occurrence(Finding.model_validate(finding, strict=False), _hashable(cause), also)
            for finding, cause, also in hits
        ],
    )  # fmt: skip


def _contrast(plain: dict[str, Any]) -> InkContrast:
    return InkContrast(**{name: _hashable(value) for name, value in plain.items()})


def _hashable(plain: Any) -> Any:
    """JSON with tuples in place of lists."""
    return tuple(map(_hashable, plain)) if isinstance(plain, list) else plain


def _without_unread(elements: DeckElements) -> DeckElements:
    damaged = {problem.split(": ", 1)[0] for problem in elements.problems}
    read = (slide for slide in elements.slides if slide.part)
    sound = tuple(slide for slide in read if slide.part not in damaged or slide.elements())
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


def _same_text(a: Finding, b: Finding) -> bool:
    if a.slide != b.slide or a.box is None or b.box is None or not a.box.area:
        return False
    return a.box.intersection(b.box).area >= _SAME_PLACE * a.box.area


@dataclass(frozen=True)
class RuleCount:
    """How often a rule was broken."""

    rule: str
    findings: int
    decks: int
    worst: str
    """The worst severity of its findings."""
    meaning: str

    def as_json(self) -> dict[str, Any]:
        """The same as plain JSON."""
        return asdict(self)


def rule_counts(results: Iterable[LintResult]) -> list[RuleCount]:
    """The rules that were broken, the most frequent first."""
    findings: Counter[str] = Counter()
    decks: Counter[str] = Counter()
    worst: dict[str, int] = {}
    for result in results:
        findings.update(item.rule for item in result.findings)
        decks.update({item.rule for item in result.findings})
        for item in result.findings:
            rank = WORST_FIRST.index(item.severity)
            worst[item.rule] = min(rank, worst.get(item.rule, rank))
    counts = [
        RuleCount(rule, count, decks[rule], WORST_FIRST[worst[rule]], LINT_RULES[rule].meaning)
        for rule, count in findings.items()
    ]
    return sorted(counts, key=lambda item: (-item.findings, item.rule))
