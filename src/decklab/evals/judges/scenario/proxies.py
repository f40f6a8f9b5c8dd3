"""All metrics of a setting by program, without a model: proxies for what a model would judge.

Paper 004, appendix B has a model judge these; here facts are sought by words and numbers, and lint
stands in for the eye that looks for critical visual defects.

A source's picture is known again by its hash, a table or chart by its numbers and labels. A chart
that was only a picture in the source and is drawn anew is not known again, and this is told.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from operator import itemgetter
from pathlib import Path
from typing import Final

from decklab.core.errors import UnsupportedFormat
from decklab.core.results import NotScored
from decklab.documents.knowledge import KnowledgeBase
from decklab.documents.model import Document, DocumentTable, Figure
from decklab.documents.numbers import StatedNumber
from decklab.documents.retrieval import search_words
from decklab.documents.sections import document_sections
from decklab.evals.judges.preference.showing import hidden_slides
from decklab.evals.judges.quiz.amounts import facts_in, left_over, same_values
from decklab.evals.judges.quiz.statements import DeckStatement, cell_statements
from decklab.evals.judges.scenario.matching import PART, Said, SourceStatements, said_in
from decklab.evals.judges.scenario.result import ONLY_A_MODEL, MetricResult
from decklab.evals.judges.scenario.shown_deck import (
    DeckVisual,
    PictureHash,
    StatedDeck,
    picture_hash,
    picture_of,
    same_picture,
)
from decklab.evals.judges.scenario.task import (
    SCENARIO_METRICS,
    SHARED_METRICS,
    IntegrationRequirement,
    KeyPoint,
    OverlapGroup,
    ScenarioItem,
    ScenarioTask,
    SourceContribution,
    VisualElement,
    counted_label,
    metrics_of,
    source_visual,
    visual_integrity,
)
from decklab.linting.lint import LintResult, lint
from decklab.rendering.renderer import Renderer

_USED: Final = 0.5
_FAITHFUL: Final = 0.9
_LABELLED: Final = 0.8
_FOREIGN: Final = 0.1
"""Shares of a source table's numbers that a redrawing must have to be one, and to keep its values;
of its labels; and of the redrawing's numbers that may be none of the source's. Ours."""
_LEGIBLE: Final = 0.35
"""Of the slide's width or height that a chart's picture must take to be legible. Ours."""
_SUPPORTS: Final = 0.25
_RELATED: Final = 0.05
_RELEVANT: Final = 0.15
"""Shares of words, weighted: of the slide's that the source must have in what it says of a visual,
for support and for some relation; of a visual's own that the slide must have where it is of no
source. Ours."""
_NAMED: Final = 0.6
"""Share of a chart's label words that what is said of a picture must have where the chart draws it
anew. Ours."""
_GONE: Final = "the sources have no such figure or table"


@dataclass(frozen=True)
class SourceVisual:
    """A figure or table of the sources, with what is said of it."""

    visual: Figure | DocumentTable
    about: str
    """Its caption, and the sentences that refer to it."""

    @cached_property
    def hash(self) -> PictureHash | None:
        """Of its picture."""
        data = picture_of(self.visual)
        return None if data is None else picture_hash(data)

    @property
    def rows(self) -> Sequence[Sequence[str]]:
        """Its cells; none of a figure."""
        return self.visual.rows if isinstance(self.visual, DocumentTable) else ()


class SourceVisuals:
    """All figures and tables of some documents."""

    def __init__(self, sources: KnowledgeBase) -> None:
        self.sources = sources
        visuals: list[Figure | DocumentTable] = [*sources.figures, *sources.tables]
        self._all = [SourceVisual(visual, _about(visual, sources)) for visual in visuals]

    def named(self, visual: VisualElement) -> SourceVisual | None:
        """The one that an annotation means; None if there is none."""
        meant = source_visual(visual, self.sources)
        return next((source for source in self._all if source.visual is meant), None)

    def said_of(self, visual: Figure | DocumentTable) -> str:
        """The sources' words on a figure or table; empty if it is none of theirs."""
        return next((source.about for source in self._all if source.visual is visual), "")

    def like(self, shown: DeckVisual) -> SourceVisual | None:
        """The one that a visual of a deck shows or redraws; None if there is none."""
        return next((source for source in self._all if use_of(source, shown)), None)

    def drawn_anew(self, shown: DeckVisual, cited: str = "") -> SourceVisual | None:
        """The picture of the sources that a native table or chart seems to draw anew: the only one
        whose label the line below it (``cited``) has, or what is said of it has most words of the
        labels, or the only one; None if there is none."""
        if shown.table is None:
            return None
        labelled = [item for item in self._all if _is_cited(item.visual.label, cited)]
        if len(labelled) == 1:
            return None if labelled[0].rows else labelled[0]
        named = (*_labels(shown.table.rows), *search_words(shown.caption))
        words = {word for word in named if not re.search(r"\d", word)}
        pictures = [item for item in self._all if not item.rows]
        shares = (
            (_share_of_words(words, set(search_words(item.about))), item) for item in pictures
        )
        best, likest = max(shares, key=itemgetter(0), default=(0.0, None))
        return likest if words and best >= (_NAMED if len(words) > 1 else 1.0) else None


def _is_cited(label: str, line: str) -> bool:
    """Whether a line has a label, such as "Figure 2" but not of "Figure 21"."""
    return bool(label) and bool(re.search(rf"\b{re.escape(label)}\b", line, re.IGNORECASE))


def _about(visual: Figure | DocumentTable, sources: KnowledgeBase) -> str:
    document = next(each for each in sources.documents if each.name == visual.document)
    said = [visual.caption]
    if isinstance(visual, DocumentTable):
        said.append(" ".join(_labels(visual.rows)))
    if visual.label:
        texts = (block.text for block in document.blocks if block.kind in {"paragraph", "item"})
        said += [text for text in texts if visual.label in text]
    else:
        said += _section_text(visual, document)
    return " ".join(said)


def _section_text(visual: Figure | DocumentTable, document: Document) -> list[str]:
    """Heading and text of the section in which a visual without a number stands."""
    kind = "table" if isinstance(visual, DocumentTable) else "figure"
    for section in document_sections(document):
        for block in section.blocks:
            if block.kind == kind and block.index == visual.number - 1:
                return [section.heading, section.text]
    return []


def use_of(source: SourceVisual, shown: DeckVisual) -> str:
    """How a visual of a deck uses one of the sources: ``reuse``, ``redraw`` or not at all."""
    if shown.table is None:
        return "reuse" if same_picture(source.hash, shown.hash) else ""
    kept = _share_kept(_numbers(source.rows), _numbers(shown.table.rows))
    labels = _share_of_words(_labels(source.rows), _labels(shown.table.rows))
    return "redraw" if kept >= _USED and labels >= _USED else ""


def _numbers(rows: Sequence[Sequence[str]]) -> list[StatedNumber]:
    """The numbers of all cells but those of the first row and column, which are labels."""
    return [number for row in rows[1:] for cell in row[1:] for number in facts_in(cell)]


def _labels(rows: Sequence[Sequence[str]]) -> set[str]:
    head = " ".join(rows[0]) if rows else ""
    return set(search_words(" ".join([head, *(row[0] for row in rows[1:] if row)])))


def _share_kept(wanted: Sequence[StatedNumber], given: Sequence[StatedNumber]) -> float:
    """Share of numbers that are among others, each used once; 0 to 1."""
    kept = len(given) - len(left_over(given, wanted, same_values))
    return kept / len(wanted) if wanted else 0.0


def _share_of_words(wanted: set[str], given: set[str]) -> float:
    return len(wanted & given) / len(wanted) if wanted else 1.0


def visual_use(
    task: ScenarioTask, sources: SourceVisuals, deck: StatedDeck
) -> Iterator[ScenarioItem]:
    """Each annotated element: whether the deck reuses or redraws it in a way that is accepted."""
    for element in task.visuals:
        yield _element_item(element, sources, partial(_used, accepted=element.uses, deck=deck))


def _element_item(
    element: VisualElement, sources: SourceVisuals, said_of: Callable[[SourceVisual], Said]
) -> ScenarioItem:
    if (source := sources.named(element)) is None:
        return ScenarioItem(element.id, element.name, NotScored(_GONE), element.weight)
    said = said_of(source)
    shown = said if said.evidence else Said(said.state, None, _missing(source))
    return shown.item(element, element.name)


def _used(source: SourceVisual, accepted: Sequence[str], deck: StatedDeck) -> Said:
    for shown in deck.visuals:
        if (use := use_of(source, shown)) in accepted:
            return Said(1.0, shown.slide, f"{use} as {shown.name}")
    return _NOWHERE


_NOWHERE: Final = Said(0.0, None, "")
"""Of a source's visual that no visual of the deck shows."""


def _missing(source: SourceVisual) -> str:
    if source.rows:
        return "no picture, table or chart of the deck has it"
    return "no picture of the deck is it; a picture drawn anew would not be known by program"


def figure_claim(sources: SourceVisuals, deck: StatedDeck) -> Iterator[ScenarioItem]:
    """Each visual of the deck: whether the text beside it is what the sources say of it.

    1 where it is a source's, and what the source says of it has a good part of the words on its
    slide; 0.5 where it has few of them, or where a visual of no source has labels or alternative
    text that fit the slide; else 0. The words of the visual itself are not counted as text beside
    it.
    """
    for number, shown in enumerate(deck.visuals, start=1):
        beside = _beside(shown, deck)
        if (source := sources.like(shown)) is None:
            own = f"{shown.caption} {' '.join(_labels(shown.table.rows)) if shown.table else ''}"
            fits = _fit(own, beside, deck) >= _RELEVANT
            state, evidence = (0.5, "its own words fit") if fits else (0.0, "of no source")
        else:
            fit = _fit(beside.text, DeckStatement(None, source.about), deck)
            state = 1.0 if fit >= _SUPPORTS else 0.5 if fit >= _RELATED else 0.0
            evidence = f"of {source.visual.document}, which has {fit:.0%} of the words beside it"
        text = f"{shown.name} {shown.caption[:80]}".strip()
        yield ScenarioItem(f"visual {number}", text, state, evidence=evidence, slide=shown.slide)


def _beside(shown: DeckVisual, deck: StatedDeck) -> DeckStatement:
    """Words of the slide besides a visual, its title included."""
    texts = (statement.text for statement in deck.by_slide.get(shown.slide, ()))
    beside = [text for text in texts if " | " not in text and text not in shown.caption]
    return DeckStatement(shown.slide, " ".join(beside))


def _fit(text: str, statement: DeckStatement, deck: StatedDeck) -> float:
    return deck.statements.fit(text, statement) if text.strip() else 0.0


def chart_fidelity(
    task: ScenarioTask, sources: SourceVisuals, deck: StatedDeck
) -> Iterator[ScenarioItem]:
    """Each element whose fidelity is asked for: its picture at a legible size, or its values and
    labels in a native table or chart."""
    for element in task.visuals:
        if element.chart_fidelity:
            yield _element_item(element, sources, partial(_best_kept, deck=deck))


def _best_kept(source: SourceVisual, deck: StatedDeck) -> Said:
    judged = (_kept(source, shown) for shown in deck.visuals)
    return max(judged, key=lambda said: said.state, default=_NOWHERE)


def _kept(source: SourceVisual, shown: DeckVisual) -> Said:
    """How faithfully a visual of a deck shows one of the sources, and why."""
    if (use := use_of(source, shown)) == "reuse":
        small = shown.share is not None and shown.share < _LEGIBLE
        evidence = f"{shown.name} is the source's own" + (", too small to read" if small else "")
        return Said(0.5 if small else 1.0, shown.slide, evidence)
    if not use or shown.table is None:
        return _NOWHERE
    own, given = _numbers(source.rows), _numbers(shown.table.rows)
    kept, foreign = _share_kept(own, given), 1 - _share_kept(given, own)
    labels = _share_of_words(_labels(source.rows), _labels(shown.table.rows))
    evidence = f"{shown.name} has {kept:.0%} of the values and {labels:.0%} of the labels"
    if foreign > _FOREIGN:
        evidence += f"; {foreign:.0%} of its values are not the source's"
        return Said(0.0, shown.slide, evidence)
    full = kept >= _FAITHFUL and labels >= _LABELLED
    return Said(1.0 if full else 0.5, shown.slide, evidence)


_CITED: Final = re.compile(
    r"\b(?:report|study|survey|paper|yearbook)\b.*\b(?:table|figure|page)\s\d", re.IGNORECASE
)
_CITATION: Final = 12
"""Words that a line has at most that names a table, figure or page of a source. Ours."""
_SOURCE_LINE: Final = re.compile(r"^(?:sources?|quellen?)\s*:", re.IGNORECASE)
_JOINING: Final = re.compile(
    r"\b(?:while|whereas|both|unlike|compared|than|but|however|together|although|though|yet|also|"
    r"versus|vs|agree|disagree|differ\w*|contrast|because|therefore|so|instead|either|neither|"
    r"während|beide|dagegen|jedoch|aber|als|sowohl|weil|deshalb)\b",
    re.IGNORECASE,
)
"""Words by which a statement compares, joins or contrasts. Ours."""
_REPEATED: Final = 0.6
"""Share of the words of the shorter statement that two have in common where one repeats the other.
Ours."""
_MOST_TOLD: Final = 120


def key_coverage(task: ScenarioTask, deck: StatedDeck) -> Iterator[ScenarioItem]:
    """Each key point: whether a statement of the deck has its words and numbers."""
    for point in task.key_points:
        yield _said(point, deck).item(point, point.statement)


def _said(wanted: KeyPoint | SourceContribution, deck: StatedDeck) -> Said:
    """How far a deck makes a statement, in its words or in those of the source, whichever more."""
    texts = (wanted.statement, wanted.evidence.quote)
    return max((said_in(text, deck) for text in texts), key=lambda said: said.state)


def faithfulness(
    sources: SourceStatements, visuals: SourceVisuals, deck: StatedDeck
) -> Iterator[ScenarioItem]:
    """Each claim of the deck that is no heading: whether a sentence of the sources has its words
    and numbers.

    A number in large type makes one claim, with the words before it or with those after it,
    whichever the sources say. The values of a table or chart that draws a picture of the sources
    anew do not count (state None), for a program does not read them there.
    """
    unread = dict(_drawn_from_pictures(visuals, deck))
    judged: dict[tuple[int | None, str], tuple[DeckStatement, float | None, str]] = {}
    for claim in judged_claims(deck):
        picture = unread.get((claim.slide, claim.text))
        state: float | None = None
        evidence = f"drawn from {picture}, whose values a program does not read"
        if picture is None:
            support = sources.support(claim, deck.notes.get(claim.slide or 0, ""))
            state, evidence = float(support.supported), support.evidence
        key = (claim.slide, deck.number_of(claim) or claim.text)
        if key not in judged or state == 1.0:
            judged[key] = claim, state, evidence
    for number, (claim, state, evidence) in enumerate(judged.values(), start=1):
        text = claim.text[:_MOST_TOLD]
        yield ScenarioItem(f"claim {number}", text, state, evidence=evidence, slide=claim.slide)


def judged_claims(deck: StatedDeck) -> list[DeckStatement]:
    """The claims of a deck that are no heading and name no source."""
    claims = (claim for claim in deck.claims if not _names_source(claim.text))
    return [claim for claim in claims if not deck.is_heading(claim)]


def _names_source(text: str) -> bool:
    """Whether a text says where something is from, as "Annual report, table 1"."""
    short = len(text.split()) <= _CITATION
    return bool(_SOURCE_LINE.match(text) or (short and _CITED.search(text)))


def _drawn_from_pictures(
    visuals: SourceVisuals, deck: StatedDeck
) -> Iterator[tuple[tuple[int | None, str], str]]:
    """Slide, text and picture for each cell that draws a picture of the sources anew."""
    for shown in deck.visuals:
        if shown.table is None:
            continue
        alone = sum(other.slide == shown.slide for other in deck.visuals) == 1
        lines = [line.text for line in deck.by_slide.get(shown.slide, ()) if alone]
        cited = " ".join(filter(_names_source, lines))
        source = None if visuals.like(shown) else visuals.drawn_anew(shown, cited)
        if source is None:
            continue
        name = f"{source.visual.label or counted_label(source.visual)} of {source.visual.document}"
        for cell in cell_statements(shown.table, ""):
            yield (shown.slide, cell.text), name


def source_coverage(task: ScenarioTask, deck: StatedDeck) -> Iterator[ScenarioItem]:
    """Each contribution: as key points; one of its signals on a slide counts as a mention."""
    for part in task.contributions:
        if (said := _said(part, deck)).state == 0:
            said = _signalled(part.signals, deck) or said
        yield said.item(part, part.statement)


def _signalled(signals: tuple[str, ...], deck: StatedDeck) -> Said | None:
    for signal in signals:
        words = set(search_words(signal))
        for piece in deck.statements.statements:
            if words and words <= piece.words:
                return Said(0.5, piece.slide, f"slide {piece.slide} has the signal {signal!r}")
    return None


def integration(task: ScenarioTask, deck: StatedDeck) -> Iterator[ScenarioItem]:
    """Each requirement: whether one slide has its parts together, and a statement that joins them.

    In full where a slide has all parts and says the requirement itself, or a statement on it has
    words of two parts and a word that joins or contrasts; in part where a slide only has two parts
    side by side. Parts on different slides are not integrated.
    """
    for requirement in task.integrations:
        yield _integrated(requirement, deck).item(requirement, requirement.statement)


def _integrated(requirement: IntegrationRequirement, deck: StatedDeck) -> Said:
    best = Said(0.0, None, "no slide has two of its parts")
    for slide, statements in deck.by_slide.items():
        holding = [
            [piece for piece in statements if deck.statements.fit(part.quote, piece) >= PART]
            for part in requirement.parts
        ]
        parts = zip(requirement.parts, holding, strict=True)
        documents = {part.document for part, held in parts if held}
        if len(documents) < 2:
            continue
        if (joined := _joining_statement(requirement, holding, statements, deck)) and all(holding):
            return Said(1.0, slide, f"slide {slide}: {joined.text[:160]}")
        evidence = f"slide {slide} has parts of {', '.join(sorted(documents))}, side by side"
        best = best if best.state else Said(0.5, slide, evidence)
    return best


def _joining_statement(
    requirement: IntegrationRequirement,
    holding: list[list[DeckStatement]],
    statements: tuple[DeckStatement, ...],
    deck: StatedDeck,
) -> DeckStatement | None:
    """A statement that has two parts at once with a joining word, or says the requirement."""
    for statement in statements:
        parts = sum(statement in held for held in holding)
        if parts >= 2 and _JOINING.search(statement.text):
            return statement
        if deck.statements.fit(requirement.statement, statement) >= 2 * PART:
            return statement
    return None


def deduplication(task: ScenarioTask, deck: StatedDeck) -> Iterator[ScenarioItem]:
    """Each overlap group that the deck tells: how many statements repeat each other on it.

    One treatment is 1, one repetition 0.5, more 0. A group of which the deck says nothing does not
    apply (state None).
    """
    for group in task.overlaps:
        again = list(_told(group, deck))
        repeats = _repeats(again)
        state = None if not again else (1.0, 0.5, 0.0)[min(repeats, 2)]
        shown = "; ".join(f"slide {piece.slide}: {piece.text[:80]}" for piece in again[:4])
        evidence = shown or "the deck does not tell it"
        slide = again[0].slide if again else None
        yield ScenarioItem(group.id, group.theme, state, group.weight, evidence, slide)


def _told(group: OverlapGroup, deck: StatedDeck) -> Iterator[DeckStatement]:
    """Claims that say what a member of the group says; a title only where nothing else on its
    slide does, for what stands below a title carries it out and does not repeat it."""
    quotes = [(member.quote, set(search_words(member.quote))) for member in group.members]
    fit = deck.statements.fit

    def repeats(claim: DeckStatement) -> bool:
        return any(fit(quote, claim) >= PART and _alike(words, claim) for quote, words in quotes)

    statements = list(filter(repeats, deck.claims))
    below = {piece.slide for piece in statements if not deck.is_title(piece)}
    return (piece for piece in statements if not deck.is_title(piece) or piece.slide not in below)


def _alike(words: set[str], statement: DeckStatement) -> bool:
    smaller = min(len(words), len(statement.words))
    return bool(smaller) and len(words & statement.words) >= _REPEATED * smaller


def _repeats(statements: list[DeckStatement]) -> int:
    """How many statements say again what one before them says."""
    kept: list[DeckStatement] = []
    for statement in statements:
        if not any(_alike(set(other.words), statement) for other in kept):
            kept.append(statement)
    return len(statements) - len(kept)


CRITICAL_RULES: Final = frozenset(
    {
        "text.overflow", "text.off-slide", "text.overlap", "text.hidden", "shape.off-slide",
        "picture.missing", "package.damaged-part",
    }
)  # fmt: skip
"""Rules of lint for what the paper calls critical (appendix A-C): what is cropped, covered so that
it cannot be read, missing or broken. A choice of ours; notes (``info``) do not count."""


def slide_defects(deck: str | Path, renderer: Renderer | None = None) -> list[ScenarioItem]:
    """One item for each slide that is shown: 1 without a critical defect, 0 with one, and which.

    One item that is NotScored where the deck cannot be drawn or is no PowerPoint deck. Raises
    DeckError where it cannot be read.
    """
    try:
        result = lint(deck, rules=CRITICAL_RULES, renderer=renderer)
    except UnsupportedFormat as error:
        return [ScenarioItem("deck", "all slides", NotScored(error.detail))]
    if result.not_run:
        rule, cause = next(iter(result.not_run.items()))
        return [ScenarioItem("deck", "all slides", NotScored(f"{rule} was not run: {cause}"))]
    defects, items = _by_slide(result), []
    for number in sorted(set(range(1, result.slides + 1)) - hidden_slides(deck)):
        name, state = f"slide {number}", float(number not in defects)
        evidence = defects.get(number, "no critical defect")
        items.append(ScenarioItem(name, name, state, evidence=evidence, slide=number))
    return items


def _by_slide(result: LintResult) -> Mapping[int, str]:
    """The first defect of each slide that has any; one of the deck as a whole is of all slides."""
    defects: dict[int, str] = {}
    for finding in result.at_least("warning").findings:
        everywhere = range(1, result.slides + 1)
        slides = () if finding.slide is None else (finding.slide,)
        for number in finding.slides or slides or everywhere:
            defects.setdefault(number, f"{finding.rule}: {finding.message}")
    return defects


BY_PROGRAM: Final = "decklab, by program"


@dataclass(frozen=True)
class SourceFacts:
    """The sources of a task made ready for matching; each part is made when it is first needed."""

    sources: KnowledgeBase

    @cached_property
    def statements(self) -> SourceStatements:
        """Sentence by sentence."""
        return SourceStatements(self.sources)

    @cached_property
    def visuals(self) -> SourceVisuals:
        """Figures and tables with what is said of them."""
        return SourceVisuals(self.sources)


_Proxy = Callable[[ScenarioTask, SourceFacts, StatedDeck], Iterable[ScenarioItem]]

_PROXIES: Final[Mapping[str, _Proxy]] = {
    "key_coverage": lambda task, _, deck: key_coverage(task, deck),
    "faithfulness": lambda _, facts, deck: faithfulness(facts.statements, facts.visuals, deck),
    "visual_use": lambda task, facts, deck: visual_use(task, facts.visuals, deck),
    "figure_claim": lambda _, facts, deck: figure_claim(facts.visuals, deck),
    "chart_fidelity": lambda task, facts, deck: chart_fidelity(task, facts.visuals, deck),
    "source_coverage": lambda task, _, deck: source_coverage(task, deck),
    "integration": lambda task, _, deck: integration(task, deck),
    "deduplication": lambda task, _, deck: deduplication(task, deck),
}


def scenario_proxies(
    task: ScenarioTask, facts: SourceFacts, deck: StatedDeck
) -> list[MetricResult]:
    """The metrics of the task's setting by program."""
    rows = []
    for name in metrics_of(task):
        metric = SCENARIO_METRICS[name]
        items = tuple(_PROXIES[name](task, facts, deck))
        rows.append(MetricResult(name, metric.title, (metric.score(items),), (items,), proxy=True))
    return rows


def shared_proxies(deck: str | Path, renderer: Renderer | None = None) -> list[MetricResult]:
    """The shared metrics by program: visual integrity by lint, the others not scored."""
    return [
        integrity_proxy(deck, renderer)
        if name == "visual_integrity"
        else MetricResult(name, title, (NotScored(ONLY_A_MODEL),), proxy=True)
        for name, title in SHARED_METRICS.items()
    ]


def integrity_proxy(deck: str | Path, renderer: Renderer | None = None) -> MetricResult:
    """Visual integrity by lint."""
    items = tuple(slide_defects(deck, renderer))
    name = "visual_integrity"
    score = integrity_score(items)
    return MetricResult(name, SHARED_METRICS[name], (score,), (items,), proxy=True)


def integrity_score(slides: Sequence[ScenarioItem]) -> float | NotScored:
    """Visual integrity from one item a slide; NotScored where one of them is."""
    for item in slides:
        if isinstance(item.state, NotScored):
            return NotScored(f"{item.id}: {item.state.reason}")
    return visual_integrity(sum(item.state == 0 for item in slides), len(slides))
