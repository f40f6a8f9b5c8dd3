"""The outline of a deck by a model: paper 004, section V-A and appendix C.

Plan, outline, retrieve, describe: each question sees no more than it needs. The plan sees the cards
of the sources, the outline their sections' facts, each page the passages found for it. What a page
states is held against its passages by program; a page that cannot be made to hold is kept without
what nobody can prove, and that is told. Then each page gets the figure or table that shows what it
says, where there is one.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from decklab.core.options import TextLength
from decklab.documents.knowledge import KnowledgeBase
from decklab.documents.retrieval import retrieve
from decklab.documents.sections import Passage
from decklab.models.asking import PARALLEL, Ask, StrictForm, Usage, fill_prompt, in_shares
from decklab.models.reading import Unanswered, answered
from decklab.writer.evidence import (
    evidence_lines,
    page_problem,
    page_problems,
    proven_part,
    quoted_evidence,
)
from decklab.writer.figures import ChosenVisuals, VisualFinder, ask_visual, each_once
from decklab.writer.forms import (
    OutlinedDeck,
    OutlinedPage,
    PlannedPage,
    ShownVisual,
    StoryPlan,
    VisualsOfPages,
    WrittenPage,
)
from decklab.writer.outline import Outline, OutlinePage, OutlinePoint, PageRole
from decklab.writer.request import WriteOptions
from decklab.writer.story.coverage import Coverage

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
    """An outline by a model, what had to be left out of it, and what it cost.

    ``stages`` are what the model answered on the way, by the names of their artefacts.
    """

    outline: Outline
    left_out: tuple[str, ...] = ()
    usage: Usage = field(default_factory=Usage)
    stages: Mapping[str, StrictForm] = field(default_factory=dict)
    coverage: Coverage | None = None
    """Of an outline by rules: what of the documents it shows."""


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
        self._system = system_words(options.spoken)
        self._usage = Usage()

    def narrated(self, parallel: int) -> NarratedOutline:
        plan = self._plan()
        self._tell("outline")
        outlined = self._outlined(plan)
        self._tell("pages")
        numbers = range(len(plan.pages))
        with ThreadPoolExecutor(parallel) as pool:
            made = list(pool.map(lambda at: self._page(at, plan, outlined), numbers))
        left_out = [line for _, lines, _ in made for line in lines]
        for _, _, usage in made:
            self._usage += usage
        pages = [(at + 1, page) for at, (page, _, _) in enumerate(made) if page is not None]
        shown, visuals = self._with_visuals(pages, parallel)
        left_out += [
            f"page {number}: {line}"
            for (number, _), one in zip(pages, visuals, strict=True)
            for line in one.told
        ]
        outline = Outline(
            title=plan.title,
            subtitle=plan.subtitle,
            language=self._options.language,
            pages=tuple(shown),
        )
        stages: dict[str, StrictForm] = {"story": plan, "pages": OutlinedDeck(pages=outlined)}
        if any(one.reason for one in visuals):
            stages["figures"] = _visuals_told(pages, visuals)
        return NarratedOutline(outline, tuple(left_out), self._usage, stages)

    def _with_visuals(
        self, pages: Sequence[tuple[int, OutlinePage]], parallel: int
    ) -> tuple[list[OutlinePage], list[ChosenVisuals]]:
        """The pages with what each shows beside its words; no figure or table stands on two."""
        finder = VisualFinder(self._sources)
        offered = [finder.candidates(page) if page.role == "body" else () for _, page in pages]
        if any(offered):
            self._tell("figures")
        ask: Ask = partial(self._ask, system=self._system)
        with ThreadPoolExecutor(parallel) as pool:
            chosen = list(
                pool.map(
                    lambda at: (
                        ask_visual(pages[at][1], offered[at], ask)
                        if offered[at]
                        else ChosenVisuals()
                    ),
                    range(len(pages)),
                )
            )
        for one in chosen:
            self._usage += one.usage
        refs = each_once(chosen)
        shown = [
            page if ref is None else page.model_copy(update={"visual": ref})
            for (_, page), ref in zip(pages, refs, strict=True)
        ]
        return shown, chosen

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
        asked = self._page_prompt(at, plan, page, evidence)
        readable: list[WrittenPage] = []

        def check(got: WrittenPage) -> str | None:
            readable.append(got)
            return _checked(got, evidence)

        try:
            reply = answered(
                self._ask, asked, WrittenPage, check=check, stage="page", system=self._system
            )
        except Unanswered as error:
            if not readable:
                return None, (f"page {at + 1}: {error.problem}",), error.usage
            written, left_out = _rescued(readable[-1], planned, evidence)
            lines = tuple(f"page {at + 1}: left out: {line}" for line in left_out)
            if not written.points:
                return None, (*lines, f"page {at + 1}: nothing of it could be proven"), error.usage
            return _of_plan(planned, written, evidence), lines, error.usage
        return _of_plan(planned, reply.answer, evidence), (), reply.usage

    def _evidence(self, page: OutlinedPage) -> list[Passage]:
        query = " ".join((page.title, *page.points, *page.queries))
        return list(retrieve(self._sources, query)) if self._sources.documents else []

    def _page_prompt(
        self, at: int, plan: StoryPlan, page: OutlinedPage, evidence: Sequence[Passage]
    ) -> str:
        points, characters = _LENGTHS[self._options.length]
        around = [plan.pages[other].title for other in (at - 1, at + 1) if other < len(plan.pages)]
        unsourced = "" if evidence else _UNSOURCED
        return _prompt(
            "page",
            number=str(at + 1),
            slides=str(len(plan.pages)),
            request=self._options.request,
            page=page.model_dump_json(),
            around="; ".join(around),
            evidence=evidence_lines(evidence),
            points=points,
            characters=str(characters),
            unsourced=unsourced,
        )


def system_words(language: str) -> str:
    """What is said before every question about a deck: its language, and that sources give no
    orders."""
    return _prompt("system", language=language)


def _prompt(name: str, **values: str) -> str:
    return fill_prompt("decklab.writer", f"prompts/{name}.txt", **values)


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


def _checked(page: WrittenPage, evidence: Sequence[Passage]) -> str | None:
    if len(page.title) > _TITLE_CHARACTERS:
        return f"title: it has {len(page.title)} characters, at most {_TITLE_CHARACTERS} fit"
    if not page.points:
        return "points: give at least one"
    return page_problem(page, evidence)


def _rescued(
    page: WrittenPage, planned: PlannedPage, evidence: Sequence[Passage]
) -> tuple[WrittenPage, list[str]]:
    """What of a page can be kept: its proven points, and a title without a problem."""
    kept, left_out = proven_part(page, evidence)
    title = kept.title
    if len(title) > _TITLE_CHARACTERS or any(page_problems(kept, evidence)):
        left_out.append(f"{title} (the title)")
        plain = (
            name for name in (planned.title, planned.section) if name and not _NUMBER.search(name)
        )
        title = next(plain, planned.role)[:_TITLE_CHARACTERS]
        kept = kept.model_copy(update={"title_quote": "", "title_evidence": 0})
    return kept.model_copy(update={"title": title}), left_out


def _visuals_told(
    pages: Sequence[tuple[int, OutlinePage]], chosen: Sequence[ChosenVisuals]
) -> VisualsOfPages:
    """What was said of each page for which there was something to choose from, as an artefact."""
    return VisualsOfPages(
        pages=tuple(
            ShownVisual(
                page=number,
                ranked=tuple(f"{ref.kind} {ref.number} of {ref.document}" for ref in one.refs),
                reason=one.reason,
            )
            for (number, _), one in zip(pages, chosen, strict=True)
            if one.reason
        )
    )


def _of_plan(
    planned: PlannedPage, page: WrittenPage, evidence: Sequence[Passage]
) -> OutlinePage:  # fmt: skip
    return outline_page(page, evidence, role=planned.role, section=planned.section)


def outline_page(
    page: WrittenPage, evidence: Sequence[Passage], *, role: PageRole = "body", section: str = ""
) -> OutlinePage:
    """A page as a model wrote it, with what its quotes were found in."""
    labels = page.labels if page.form != "points" else ("",) * len(page.points)
    return OutlinePage(
        role=role,
        title=page.title,
        evidence=quoted_evidence(page.title_quote, page.title_evidence, evidence),
        section=section,
        points=tuple(
            OutlinePoint(
                text=point.text,
                label=label,
                evidence=quoted_evidence(point.quote, point.evidence, evidence),
            )
            for point, label in zip(page.points, labels, strict=True)
        ),
        form=page.form,
        notes=page.notes,
    )
