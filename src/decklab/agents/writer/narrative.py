"""The outline of a deck by a model: paper 004, section V-A and appendix C.

Plan, outline, retrieve, describe: each question sees no more than it needs. The plan sees the cards
of the sources, the outline their sections' facts, each page the passages found for it. What a page
states is held against its passages by program; a page that cannot be made to hold is kept without
what nobody can prove, and that is told.
"""

import re
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Final

from decklab.agents.shares import in_shares
from decklab.agents.writer.evidence import page_problem, page_problems, proven_part, quoted_evidence
from decklab.agents.writer.forms import (
    OutlinedDeck,
    OutlinedPage,
    PlannedPage,
    StoryPlan,
    WrittenPage,
)
from decklab.agents.writer.outline import Outline, OutlinePage, OutlinePoint, VisualRef
from decklab.agents.writer.ranking import word_vectors
from decklab.agents.writer.request import WriteOptions
from decklab.agents.writer.tables import fits_slides
from decklab.documents.knowledge import KnowledgeBase
from decklab.documents.retrieval import retrieve
from decklab.documents.sections import Passage
from decklab.models.answering import Unanswered, answered
from decklab.models.asking import Ask, Usage, fill_prompt
from decklab.options import TextLength

MOST_VISUALS: Final = 5
"""Offered for a page at most: paper 004, appendix C."""
PARALLEL: Final = 4
"""Pages written at once. Ours."""
_FACT_CHARACTERS = 24_000
_HEADINGS = 120
_NUMBER = re.compile(r"\d")
_UNSOURCED = (
    " There is no evidence here: leave every quote empty, every evidence 0, and use no numbers."
)
_TITLE_CHARACTERS = 80
_LENGTHS: Final[dict[TextLength, tuple[str, int]]] = {
    "short": ("two or three points", 60),
    "standard": ("three to five points", 110),
    "full": ("four to six points", 150),
}


@dataclass(frozen=True)
class NarratedOutline:
    """An outline by a model, what had to be left out of it, and what it cost."""

    outline: Outline
    left_out: tuple[str, ...] = ()
    usage: Usage = field(default_factory=Usage)


def narrate(
    sources: KnowledgeBase,
    options: WriteOptions,
    ask: Ask,
    *,
    parallel: int = PARALLEL,
    tell: Callable[[str], None] = lambda _line: None,
) -> NarratedOutline:
    """Have a model write the outline of a deck from sources, or from the request alone.

    Raises Unanswered where no plan or outline can be used, and ModelError where the model cannot be
    asked. A page that the model cannot write well in three tries loses the points without evidence.
    """
    return _Narrator(sources, options, ask, tell).narrated(parallel)


class _Narrator:
    def __init__(
        self, sources: KnowledgeBase, options: WriteOptions, ask: Ask, tell: Callable[[str], None]
    ) -> None:
        self._sources, self._options, self._ask, self._tell = sources, options, ask, tell
        self._system = _prompt("system", language=options.spoken)
        self._usage = Usage()

    def narrated(self, parallel: int) -> NarratedOutline:
        plan = self._plan()
        self._tell("outline")
        outlined = self._outlined(plan)
        self._tell("pages")
        numbers = range(len(plan.pages))
        with ThreadPoolExecutor(parallel) as pool:
            made = list(pool.map(lambda at: self._page(at, plan, outlined), numbers))
        left_out = tuple(line for _, lines, _ in made for line in lines)
        for _, _, usage in made:
            self._usage += usage
        outline = Outline(
            title=plan.title,
            subtitle=plan.subtitle,
            language=self._options.language,
            pages=tuple(page for page, _, _ in made if page is not None),
        )
        return NarratedOutline(outline, left_out, self._usage)

    def _plan(self) -> StoryPlan:
        options = self._options
        headings = [section.heading for section in self._sources.sections if section.heading]
        text = _prompt(
            "plan",
            request=options.request,
            audience=options.audience,
            tone=options.tone,
            slides=str(options.slides),
            cards=self._sources.card or "There are no sources.",
            headings="\n".join(headings[:_HEADINGS]) or "none",
        )
        reply = answered(
            self._ask,
            text,
            StoryPlan,
            check=lambda plan: _plan_problem(plan, options.slides),
            stage="plan",
            system=self._system,
        )
        self._usage += reply.usage
        return reply.answer

    def _outlined(self, plan: StoryPlan) -> tuple[OutlinedPage, ...]:
        lines = (
            f"{number}. ({page.role}{', ' + page.section if page.section else ''}) {page.title}: "
            f"{page.purpose}"
            for number, page in enumerate(plan.pages, start=1)
        )
        text = _prompt(
            "outline",
            request=self._options.request,
            plan="\n".join(lines),
            facts=self._facts() or "There are no sources.",
            title=str(_TITLE_CHARACTERS),
        )
        reply = answered(
            self._ask,
            text,
            OutlinedDeck,
            check=lambda deck: _outline_problem(deck, plan),
            stage="outline",
            system=self._system,
        )
        self._usage += reply.usage
        return reply.answer.pages

    def _facts(self) -> str:
        """The facts of all sections in one budget: each gets an equal share, short ones leave
        theirs to the others."""
        facts = self._sources.facts

        def told(at: int, share: int) -> str:
            text = facts[at].text
            return text if len(text) <= share else text[:share].rpartition(" ")[0] + " …"

        needs = {at: len(one.text) for at, one in enumerate(facts)}
        texts = in_shares(needs, _FACT_CHARACTERS, told)
        return "\n\n".join(
            f"{one.heading or one.document}:\n{text}"
            for one, text in zip(facts, texts, strict=True)
            if text.strip(" …")
        )

    def _page(
        self, at: int, plan: StoryPlan, outlined: Sequence[OutlinedPage]
    ) -> tuple[OutlinePage | None, tuple[str, ...], Usage]:
        planned, page = plan.pages[at], outlined[at]
        if planned.role == "opening":
            return OutlinePage(role="opening", title=plan.title), (), Usage()
        if planned.role == "contents":
            names = dict.fromkeys(other.section for other in plan.pages if other.section)
            points = tuple(OutlinePoint(text=name) for name in names)
            return OutlinePage(role="contents", title=page.title, points=points), (), Usage()
        evidence = self._evidence(page)
        visuals = self._visuals(page)
        asked = self._page_prompt(at, plan, page, evidence, visuals)
        readable: list[WrittenPage] = []

        def check(got: WrittenPage) -> str | None:
            readable.append(got)
            return _checked(got, evidence, visuals)

        try:
            reply = answered(
                self._ask, asked, WrittenPage, check=check, stage="page", system=self._system
            )
        except Unanswered as error:
            if not readable:
                return None, (f"page {at + 1}: {error.problem}",), error.usage
            written, left_out = _rescued(readable[-1], planned, evidence, visuals)
            lines = tuple(f"page {at + 1}: left out: {line}" for line in left_out)
            if not written.points and not written.visual:
                return None, (*lines, f"page {at + 1}: nothing of it could be proven"), error.usage
            return _outline_page(planned, written, evidence, visuals), lines, error.usage
        return _outline_page(planned, reply.answer, evidence, visuals), (), reply.usage

    def _evidence(self, page: OutlinedPage) -> list[Passage]:
        query = " ".join((page.title, *page.points, *page.queries))
        return list(retrieve(self._sources, query)) if self._sources.documents else []

    def _visuals(self, page: OutlinedPage) -> dict[str, VisualRef]:
        """The figures and tables whose captions are most like the page, by name."""
        known: list[tuple[VisualRef, str]] = [
            (VisualRef(kind="figure", document=one.document, number=one.number), one.caption)
            for one in self._sources.figures
            if one.caption
        ] + [
            (VisualRef(kind="table", document=one.document, number=one.number), one.caption)
            for one in self._sources.tables
            if fits_slides(one)
        ]
        if not known:
            return {}
        vectors = word_vectors([" ".join((page.title, *page.points)), *(text for _, text in known)])
        likeness = vectors[1:] @ vectors[0]
        best = sorted(range(len(known)), key=lambda at: (-likeness[at], at))[:MOST_VISUALS]
        found = [known[at] for at in best if likeness[at] > 0]
        return {f"{ref.kind} {ref.number} of {ref.document}: {words}": ref for ref, words in found}

    def _page_prompt(
        self,
        at: int,
        plan: StoryPlan,
        page: OutlinedPage,
        evidence: Sequence[Passage],
        visuals: dict[str, VisualRef],
    ) -> str:
        points, characters = _LENGTHS[self._options.length]
        around = [plan.pages[other].title for other in (at - 1, at + 1) if other < len(plan.pages)]
        found = "\n".join(
            f"[{number}] ({item.document}{f', page {item.page}' if item.page else ''}) {item.quote}"
            for number, item in enumerate(evidence, start=1)
        )
        unsourced = "" if evidence else _UNSOURCED
        return _prompt(
            "page",
            number=str(at + 1),
            slides=str(len(plan.pages)),
            request=self._options.request,
            page=page.model_dump_json(),
            around="; ".join(around),
            evidence=found or "none",
            visuals="\n".join(visuals) or "none",
            points=points,
            characters=str(characters),
            unsourced=unsourced,
        )


def _prompt(name: str, **values: str) -> str:
    return fill_prompt("decklab.agents.writer", f"prompts/{name}.txt", **values)


def _plan_problem(plan: StoryPlan, slides: int) -> str | None:
    roles = [page.role for page in plan.pages]
    if len(roles) != slides:
        return f"pages: there are {len(roles)}; give exactly {slides}"
    if roles[0] != "opening" or roles[-1] != "ending":
        return "pages: the first has the role opening, the last the role ending"
    middle = roles[1:-1]
    if "opening" in middle or "ending" in middle or middle.count("contents") > 1:
        return (
            "pages: only one page opens the deck, one ends it, and one at most lists its contents"
        )
    seen: list[str] = []
    for page in plan.pages:
        if page.section and page.section not in seen[-1:]:
            if page.section in seen:
                return f"pages: those of the section {page.section!r} do not follow each other"
            seen.append(page.section)
    return None


def _outline_problem(deck: OutlinedDeck, plan: StoryPlan) -> str | None:
    if len(deck.pages) != len(plan.pages):
        return f"pages: there are {len(deck.pages)}; the plan has {len(plan.pages)}"
    long = next((page.title for page in deck.pages if len(page.title) > _TITLE_CHARACTERS), None)
    return None if long is None else f"a title is too long, {len(long)} characters: {long!r}"


def _checked(
    page: WrittenPage, evidence: Sequence[Passage], visuals: dict[str, VisualRef]
) -> str | None:
    if page.visual and page.visual not in visuals:
        return f"visual: {page.visual!r} is none of those named"
    if len(page.title) > _TITLE_CHARACTERS:
        return f"title: it has {len(page.title)} characters, at most {_TITLE_CHARACTERS} fit"
    if not page.points and not page.visual:
        return "points: give at least one, or a visual"
    return page_problem(page, evidence)


def _rescued(
    page: WrittenPage,
    planned: PlannedPage,
    evidence: Sequence[Passage],
    visuals: dict[str, VisualRef],
) -> tuple[WrittenPage, list[str]]:
    """What of a page can be kept: its proven points, a known visual, a title without a problem."""
    kept, left_out = proven_part(page, evidence)
    visual = kept.visual if kept.visual in visuals else ""
    title = kept.title
    if len(title) > _TITLE_CHARACTERS or any(page_problems(kept, evidence)):
        left_out.append(f"{title} (the title)")
        plain = (
            name for name in (planned.title, planned.section) if name and not _NUMBER.search(name)
        )
        title = next(plain, planned.role)[:_TITLE_CHARACTERS]
        kept = kept.model_copy(update={"title_quote": "", "title_evidence": 0})
    return kept.model_copy(update={"title": title, "visual": visual}), left_out


def _outline_page(
    planned: PlannedPage,
    page: WrittenPage,
    evidence: Sequence[Passage],
    visuals: dict[str, VisualRef],
) -> OutlinePage:
    labels = page.labels if page.form != "points" else ("",) * len(page.points)
    return OutlinePage(
        role=planned.role,
        title=page.title,
        evidence=quoted_evidence(page.title_quote, page.title_evidence, evidence),
        section=planned.section,
        points=tuple(
            OutlinePoint(
                text=point.text,
                label=label,
                evidence=quoted_evidence(point.quote, point.evidence, evidence),
            )
            for point, label in zip(page.points, labels, strict=True)
        ),
        form=page.form,
        visual=visuals.get(page.visual),
        notes=page.notes,
    )
