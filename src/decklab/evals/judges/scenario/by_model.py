"""All metrics of a deck by a model, in several runs; its answers are looked up in the deck."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import groupby
from pathlib import Path
from typing import Final

from pydantic import Field

from decklab.core.results import NotScored
from decklab.core.stages import Progress
from decklab.documents.model import DocumentTable
from decklab.documents.quotes import plain_words
from decklab.documents.retrieval import retrieve
from decklab.documents.sections import Passage
from decklab.evals.judges.asking import (
    FENCE_RULE,
    LINE,
    AskedModel,
    KnownTally,
    Questions,
    WithKnown,
    batches,
    fenced,
    known_statements,
)
from decklab.evals.judges.meaning import concepts_of, in_digits
from decklab.evals.judges.preference.showing import SLIDES_A_SHEET, deck_notes, show_deck
from decklab.evals.judges.quiz.amounts import facts_in, same_number, single_numbers
from decklab.evals.judges.quiz.quiz import LEAST_QUOTE
from decklab.evals.judges.quiz.statements import DeckStatement, own_slide_texts
from decklab.evals.judges.scenario.asking import (
    ITEMS_A_QUESTION,
    PROMPTS,
    AskedItem,
    ItemQuestion,
    JudgedItem,
    judge_items,
    scenario_judge,
)
from decklab.evals.judges.scenario.matching import FULL, said_in
from decklab.evals.judges.scenario.proxies import (
    SourceFacts,
    integrity_proxy,
    integrity_score,
    judged_claims,
    scenario_proxies,
)
from decklab.evals.judges.scenario.result import MetricResult, ScenarioJudgement
from decklab.evals.judges.scenario.shown_deck import (
    StatedDeck,
    passage_of,
    picture_of,
    read_stated_deck,
)
from decklab.evals.judges.scenario.task import (
    SCENARIO_METRICS,
    SHARED_METRICS,
    ScenarioItem,
    ScenarioTask,
    SourceQuote,
    VisualElement,
    metrics_of,
    source_visual,
)
from decklab.models.asking import StrictForm
from decklab.pages.wording import counted
from decklab.rendering.renderer import Renderer

_LEAST: Final = 3
_SHOWN: Final = 120
"""Words that evidence without a number has at least; characters of it in a message. Ours."""
_HEADING: Final = re.compile(r"^## (\d+)\.", re.MULTILINE)
_LEAD: Final = re.compile(r"^\s*slide \d+\s*(?:says(?: that)?)?\s*[:,]?\s*", re.IGNORECASE)


class AudienceWords:
    """The words that an audience reads on each slide, by its number."""

    def __init__(self, texts: Mapping[int, str]) -> None:
        self.texts = texts
        self._plain = {number: _plain(text) for number, text in texts.items()}

    @classmethod
    def of(cls, markdown: Mapping[int, str], drawn: Mapping[int, str]) -> "AudienceWords":
        """From slides as Markdown and the texts that are drawn on them, by their numbers."""
        said = {number: f"{text}\n{drawn.get(number, '')}" for number, text in markdown.items()}
        return cls({**drawn, **said})

    def says(self, slide: int, words: str) -> bool:
        """Whether a slide has some words as they are; parts may be left out between dots."""
        text = self._plain.get(slide, "")
        parts = [_plain(part) for part in re.split(r"…|\.\.\.", words)]
        said = [part for part in parts if part.strip()]
        return bool(said) and all(part in text for part in said)

    def problem(self, slide: int, evidence: str) -> str | None:
        """The fault of evidence from a slide, in a line; None if the slide has it."""
        if slide not in self.texts:
            return f"the deck shows no slide {slide}"
        said = _LEAD.sub("", evidence).strip(" \"'“”‘’.")
        enough = len(said.split()) >= _LEAST or any(char.isdigit() for char in said)
        if not self.says(slide, said):
            return f"slide {slide} does not say: {evidence[:_SHOWN]}"
        if not enough and _plain(said) != _plain(self.texts[slide]):
            return f"this is too short to prove anything: {evidence[:_SHOWN]}"
        return None


def _plain(text: str) -> str:
    """The words of a text with a space before and after each, in small letters."""
    words = re.findall(r"[^\W_]+", plain_words(text).casefold())
    return f" {' '.join(words)} "


def share_anything(item: str, evidence: str) -> bool:
    """Whether evidence has a concept or a number of an item.

    >>> share_anything("Traffic grew by 12%", "an increase"), share_anything("Traffic", "Tea")
    (True, False)
    """
    digits = [set(re.findall(r"\d+", text)) for text in (item, evidence)]
    concepts = concepts_of(in_digits(item)) & concepts_of(in_digits(evidence))
    return bool(concepts or digits[0] & digits[1])


@dataclass
class Audit:
    """Findings on a judge's answers in all runs, metric by metric."""

    unproven: dict[str, int] = field(default_factory=dict)
    """How many answers named evidence that is not there."""
    not_in_deck: set[tuple[int, str]] = field(default_factory=set)
    """Claims that the judge listed and the deck does not make, each with the slide it names."""
    left_out: set[tuple[int, str]] = field(default_factory=set)
    """Claims that the deck makes and the judge did not list."""

    def lines(self, titles: Mapping[str, str]) -> Iterator[str]:
        """It in sentences for a reader of the scores."""
        for name, count in self.unproven.items():
            answers = counted(count, "answer")
            yield f"{titles[name]}: {answers} with evidence that is not there; it does not count"
        if self.not_in_deck:
            claims = counted(len(self.not_in_deck), "claim")
            yield f"{claims} listed by the judge that the deck does not make; they do not count"
        if self.left_out:
            claims = counted(len(self.left_out), "claim")
            yield f"{claims} of the deck that the judge did not list; they were judged too"


def makes_claim(deck: StatedDeck, slide: int, claim: str) -> bool:
    """Whether a slide makes a claim: it has its words, and all of its numbers."""
    said = said_in(claim, deck.only(slide))
    return said.state == 1.0 or said.evidence.startswith("spread over")


def claims_left_out(deck: StatedDeck, listed: Sequence[tuple[int, str]]) -> Iterator[DeckStatement]:
    """The claims that a program finds in a deck and a list does not have."""
    passages = [passage_of(DeckStatement(slide, text)) for slide, text in listed]
    for claim in judged_claims(deck):
        wanted = passage_of(claim).meaning
        if not any(
            passage.statement.slide == claim.slide
            and deck.passages.share(wanted, passage) >= FULL
            and all(any(a.allows(b) for b in passage.meaning.amounts) for a in wanted.amounts)
            for passage in passages
        ):
            yield claim


_SLIDES_A_QUESTION: Final = 10
_CLAIMS_A_QUESTION: Final = 8
_VISUALS_A_QUESTION: Final = 3
_PASSAGES, _CHARACTERS = 3, 1800
_CARDS: Final = 6000
"""Slides whose claims are listed, claims that are verified and visuals that are compared in one
question; passages shown with a claim; characters of the sources shown for a mark. Ours."""


class ScenarioMark(WithKnown):
    """A mark of 0 to 10 with its reason in a sentence, and words of a slide that bear it out."""

    score: int = Field(ge=0, le=10)
    reason: str = Field(min_length=1)
    evidence: str
    slide: int


class SlideClaim(StrictForm):
    """A claim and the number of its slide."""

    slide: int
    claim: str = Field(min_length=1)


class SlideClaims(WithKnown):
    """The claims of some slides."""

    claims: tuple[SlideClaim, ...]


@dataclass(frozen=True)
class PreparedTask:
    """A task with its sources, read once for all decks."""

    task: ScenarioTask
    facts: SourceFacts
    notes: tuple[str, ...]


def judge_by_model(
    model: AskedModel,
    prepared: PreparedTask,
    deck: str | Path,
    renderer: Renderer,
    *,
    runs: int,
    tell: Progress,
) -> ScenarioJudgement:
    """Have a model judge one deck for a task ``runs`` times.

    Raises DeckError and RenderError if the deck cannot be read or drawn.
    """
    task, judge = prepared.task, scenario_judge(model.ask, model.secret)
    questions = _DeckQuestions(judge, prepared, deck, renderer)
    names = (*SHARED_METRICS, *metrics_of(task))
    results: dict[str, list[tuple[float | NotScored, tuple[ScenarioItem, ...]]]] = {}
    for run in range(1, runs + 1):
        for name in names:
            tell(f"{Path(deck).name}: run {run}, {name.replace('_', ' ')}")
            results.setdefault(name, []).append(questions.run(name))
    titles = {**SHARED_METRICS, **{n: m.title for n, m in SCENARIO_METRICS.items()}}
    beside = {"visual_integrity": integrity_proxy(deck, renderer)}
    beside |= {m.name: m for m in scenario_proxies(task, prepared.facts, questions.stated)}
    metrics = tuple(
        MetricResult(name, titles[name], scores, items, beside=beside.get(name))
        for name in names
        for scores, items in [zip(*results[name], strict=True)]
    )
    notes = (*prepared.notes, *deck_notes(deck, questions.stated.texts))
    said = tuple(filter(None, [*notes, *questions.audit.lines(titles), questions.known_line]))
    return ScenarioJudgement(str(deck), task, metrics, model.name, said, judge.usage)


class _DeckQuestions:
    """The questions about one deck."""

    def __init__(
        self, judge: Questions, prepared: PreparedTask, deck: str | Path, renderer: Renderer
    ) -> None:
        self._judge, self._task, self._facts = judge, prepared.task, prepared.facts
        self._shown, self.stated = show_deck(deck, renderer), read_stated_deck(deck)
        self._slides = _by_number(own_slide_texts(deck).markdown)
        drawn = dict(zip(self._shown.numbers, self._shown.texts, strict=True))
        self._words = AudienceWords.of(self._slides, drawn)
        self.audit, self._all_known = Audit(), KnownTally()

    @property
    def known_line(self) -> str:
        """How the judge did on what is known about the deck; empty where it made no mistake."""
        known = self._all_known
        wrong = known.of - known.right
        line = f"the judge got {wrong} of {known.of} known statements about the deck wrong"
        return line if wrong else ""

    def run(self, name: str) -> tuple[float | NotScored, tuple[ScenarioItem, ...]]:
        """One run of a metric: its score and its items; NotScored where the judge does not know
        what is known about the deck."""
        self._judge.known = KnownTally()
        score, items = self._run(name)
        self._all_known += self._judge.known
        if count := sum(item.unproven for item in items):
            self.audit.unproven[name] = self.audit.unproven.get(name, 0) + count
        return self._judge.known.counted(score), items

    def _run(self, name: str) -> tuple[float | NotScored, tuple[ScenarioItem, ...]]:
        if name in PROMPTS["marks"]:
            return self._mark(name)
        if name == "visual_integrity":
            slides = tuple(self._integrity())
            return integrity_score(slides), slides
        if name == "faithfulness":
            claims = self._listed_claims()
            if isinstance(claims, NotScored):
                return claims, ()
            items = self._verified(self._checked(claims))
        else:
            items = tuple(self._items(name))
        return SCENARIO_METRICS[name].score(items), items

    def _mark(self, name: str) -> tuple[float | NotScored, tuple[ScenarioItem, ...]]:
        rules = f"{PROMPTS['marks'][name]}\n\n{PROMPTS['mark_form']}"
        parts = [f"{rules}\n{FENCE_RULE}", LINE, f"The deck was to be: {self._asked_for}"]
        if name == "content_accuracy" and self._facts.sources.documents:
            parts.append(f"The sources begin:\n{self._facts.sources.card[:_CARDS]}")
        parts.append(fenced(self._text, rules, self._judge.secret))
        known = known_statements(self._said(), rules, self._judge.secret)
        parts += [known.text] if known.text else []
        stage, check = f"mark {name.replace('_', ' ')}", partial(self._mark_problem, name)
        put = partial(self._judge.put, images=self._shown.sheets, check=check, known=known)
        mark = put("\n\n".join(parts), ScenarioMark, stage=stage)
        if isinstance(mark, NotScored):
            return mark, ()
        score, text = float(mark.score), SHARED_METRICS[name]
        return score, (ScenarioItem(name, text, score, evidence=mark.reason, slide=mark.slide),)

    def _mark_problem(self, name: str, mark: ScenarioMark) -> str | None:
        if name == "visual_consistency" and mark.slide in self._shown.numbers:
            return None
        return self._words.problem(mark.slide, mark.evidence)

    def _said(self, slides: Iterable[int] | None = None) -> dict[int, list[str]]:
        """Sentences that slides say as they stand, of all or of some of them."""
        wanted = self._shown.numbers if slides is None else slides
        own = {n: [piece.text for piece in self.stated.by_slide.get(n, ())] for n in wanted}
        return {n: [text for text in own[n] if self._words.says(n, text)] for n in own}

    @property
    def _asked_for(self) -> str:
        return self._task.request or self._task.title

    @property
    def _text(self) -> str:
        return "The slides:\n\n" + "\n".join(self._slides.values())

    def _integrity(self) -> Iterator[ScenarioItem]:
        parts = batches(self._shown.numbers, SLIDES_A_SHEET)
        for sheet, part in zip(self._shown.sheets, parts, strict=True):
            asked = [AskedItem(f"slide {n}", f"slide {n}", slide=n) for n in part]
            question = ItemQuestion("visual_integrity", images=[sheet], said=self._said(part))
            yield from self._judged(question, asked)

    def _judged(
        self, question: ItemQuestion, items: Sequence[AskedItem], batch: int = ITEMS_A_QUESTION
    ) -> tuple[ScenarioItem, ...]:
        shown = replace(question, slides=self._shown.numbers)
        return judge_items(self._judge, shown, items, batch=batch)

    def _items(self, name: str) -> Iterable[ScenarioItem]:
        task = self._task
        if name == "figure_claim":
            return self._visuals()
        if name == "visual_use":
            return self._compared(name, task.visuals)
        if name == "chart_fidelity":
            charts = [visual for visual in task.visuals if visual.chart_fidelity]
            return self._compared(name, charts)
        question = ItemQuestion(
            name, deck_text=self._text, said=self._said(), check=self._slide_problem
        )
        return self._judged(question, list(_asked(name, task)))

    def _slide_problem(self, item: AskedItem, judged: JudgedItem) -> str | None:
        """Whether the slide that an answer names has its evidence, and this a word of the item."""
        if judged.state in {"none", "not applicable"}:
            return None
        problem = self._words.problem(judged.slide, judged.evidence)
        if problem or share_anything(f"{item.text}\n{item.material}", judged.evidence):
            return problem
        return f"this has nothing to do with it: {judged.evidence[:120]}"

    def _visual_problem(self, _item: AskedItem, judged: JudgedItem) -> str | None:
        """Whether the slide that an answer names has a visual at all."""
        if judged.state == "none" or judged.slide in self._with_visuals:
            return None
        return f"slide {judged.slide} shows no picture, table or chart"

    @cached_property
    def _with_visuals(self) -> frozenset[int]:
        return frozenset(visual.slide or 1 for visual in self.stated.visuals)

    def _listed_claims(self) -> list[SlideClaim] | NotScored:
        """The claims of all slides, in the model's words."""
        claims: list[SlideClaim] = []
        secret = self._judge.secret
        for part in batches(list(self._words.texts), _SLIDES_A_QUESTION):
            slides = "\n".join(text for n, text in self._slides.items() if n in part)
            known = known_statements(self._said(part), slides, secret)
            text = fenced(slides, PROMPTS["claims"], secret)
            parts = f"{PROMPTS['claims']}\n{FENCE_RULE}", LINE, text, known.text
            prompt = "\n\n".join(parts).rstrip()
            listed = self._judge.put(prompt, SlideClaims, known=known, stage="list claims")
            if isinstance(listed, NotScored):
                return listed
            claims += listed.claims
        return _once(claims)

    def _verified(self, claims: Sequence[SlideClaim]) -> tuple[ScenarioItem, ...]:
        """Claims judged, each with the passages that come nearest to it."""
        sources = self._facts.sources
        find = partial(retrieve, sources, passages=_PASSAGES, characters=_CHARACTERS)
        passages = {claim.claim: find(claim.claim) for claim in claims}
        asked = []
        for n, claim in enumerate(claims, start=1):
            slide = claim.slide if claim.slide in self._shown.numbers else None
            shown = _as_text(passages[claim.claim])
            asked.append(AskedItem(f"claim {n}", claim.claim, shown, slide=slide))
        check, said = self._quote_problem, self._said()
        question = ItemQuestion("faithfulness", check=check, of_deck=True, said=said)
        judged = self._judged(question, asked, _CLAIMS_A_QUESTION)
        return tuple(_with_numbers(it, passages[it.text], self._stated(it)) for it in judged)

    def _stated(self, item: ScenarioItem) -> str:
        """The words of a claim that sources must hold; the notes may compute numbers."""
        notes = self.stated.notes.get(item.slide or 0, "")
        return self._facts.statements.without_computed(item.text, notes)

    def _checked(self, listed: Sequence[SlideClaim]) -> list[SlideClaim]:
        """The listed claims that the deck makes, and those that it makes besides."""
        own = [claim for claim in listed if makes_claim(self.stated, claim.slide, claim.claim)]
        left = claims_left_out(self.stated, [(part.slide, part.claim) for part in own])
        more = [SlideClaim(slide=part.slide or 1, claim=part.text) for part in left]
        self.audit.not_in_deck |= {(part.slide, part.claim) for part in listed if part not in own}
        self.audit.left_out |= {(part.slide, part.claim) for part in more}
        return [*own, *more]

    def _quote_problem(self, _item: AskedItem, judged: JudgedItem) -> str | None:
        if judged.state != "full":
            return None
        if not self._facts.sources.find_quote(judged.evidence):
            return f"no source says: {judged.evidence[:120]}"
        if len(judged.evidence.split()) < LEAST_QUOTE and not facts_in(judged.evidence):
            return f"this is too short to support anything: {judged.evidence}"
        return None

    def _visuals(self) -> Iterator[ScenarioItem]:
        """The visuals of the deck, slide by slide, beside the picture of the slide."""
        numbered = enumerate(self.stated.visuals, start=1)
        for slide, group in groupby(numbered, key=lambda pair: pair[1].slide):
            asked = [AskedItem(f"visual {n}", entry.name, slide=slide) for n, entry in group]
            if (slide or 1) not in self._shown.numbers:
                cause = NotScored(f"slide {slide} was not drawn")
                yield from (ScenarioItem(item.id, item.text, cause, slide=slide) for item in asked)
                continue
            index = self._shown.numbers.index(slide or 1)
            question = ItemQuestion(
                "figure_claim",
                images=[self._shown.slides[index]],
                check=self._claim_problem,
                deck_text=f"The text of the slide:\n\n{self._shown.texts[index]}",
                said=self._said([slide or 1]),
            )
            yield from self._judged(question, asked)

    def _claim_problem(self, item: AskedItem, judged: JudgedItem) -> str | None:
        """Whether the slide has the words that a visual is said to support."""
        if judged.state != "full":
            return None
        return self._words.problem(item.slide or 1, judged.evidence)

    def _compared(self, name: str, elements: Sequence[VisualElement]) -> Iterator[ScenarioItem]:
        """Visuals of the sources beside all slides."""
        for part in batches(elements, _VISUALS_A_QUESTION):
            asked, pictures = self._with_pictures(part)
            material = "The pictures show the slides."
            if pictures:
                first = f"Pictures 1 to {len(pictures)} are of the sources"
                material = f"{first}, the others show the slides."
            images = [*pictures, *self._shown.sheets]
            question = ItemQuestion(name, material, self._text, said=self._said(), images=images)
            yield from self._judged(replace(question, check=self._visual_problem), asked)

    def _with_pictures(
        self, elements: Iterable[VisualElement]
    ) -> tuple[list[AskedItem], list[bytes]]:
        pictures: list[bytes] = []
        asked = []
        for element in elements:
            source = source_visual(element, self._facts.sources)
            data = None if source is None else picture_of(source)
            lines = [*element.claims, f"Accepted: {' or '.join(element.uses)}"]
            if data is not None:
                pictures.append(data)
                lines.append(f"It is picture {len(pictures)}.")
            elif isinstance(source, DocumentTable):
                lines.append(f"Its cells:\n{source.text}")
            asked.append(AskedItem(element.id, element.name, "\n".join(lines), element.weight))
        return asked, pictures


def _asked(name: str, task: ScenarioTask) -> Iterator[AskedItem]:
    """The annotated items of a metric that is judged by the text of the slides."""
    if name == "key_coverage":
        for point in task.key_points:
            evidence = f"The source says: {point.evidence.quote}"
            yield AskedItem(point.id, point.statement, evidence, point.weight)
    elif name == "source_coverage":
        for part in task.contributions:
            signals = f"\nSignals: {', '.join(part.signals)}" if part.signals else ""
            material = _sayings([part.evidence]) + signals
            yield AskedItem(part.id, part.statement, material, part.weight)
    elif name == "integration":
        for wanted in task.integrations:
            yield AskedItem(wanted.id, wanted.statement, _sayings(wanted.parts), wanted.weight)
    else:
        for group in task.overlaps:
            yield AskedItem(group.id, group.theme, _sayings(group.members), group.weight)


def _sayings(quotes: Sequence[SourceQuote]) -> str:
    return "\n".join(f"{quote.document} says: {quote.quote}" for quote in quotes)


def _once(claims: Iterable[SlideClaim]) -> list[SlideClaim]:
    """Each claim once on a slide, however often a model lists it."""
    kept: dict[tuple[int, str], SlideClaim] = {}
    for claim in claims:
        kept.setdefault((claim.slide, plain_words(claim.claim).casefold().rstrip(".")), claim)
    return list(kept.values())


def _by_number(slides: Sequence[str]) -> dict[int, str]:
    """Slides as Markdown by the numbers in their headings, or by their order."""
    headings = [(_HEADING.match(text), n, text) for n, text in enumerate(slides, start=1)]
    return {int(heading[1]) if heading else n: text for heading, n, text in headings}


def _as_text(passages: Sequence[Passage]) -> str:
    if not passages:
        return "No passage of the sources shares a word with it."
    return "\n".join(f"[{passage.document}] {passage.quote}" for passage in passages)


def _with_numbers(item: ScenarioItem, passages: Sequence[Passage], stated: str) -> ScenarioItem:
    """A claim is not supported if a ``stated`` number of it is in none of its passages."""
    if item.state != 1.0:
        return item
    known = [number for passage in passages for number in single_numbers(facts_in(passage.quote))]
    for number in single_numbers(facts_in(stated)):
        if not any(same_number(number, other) for other in known):
            text = stated[number.start : number.end]
            return replace(item, state=0.0, evidence=f"no passage has {text}: {item.evidence}")
    return item
