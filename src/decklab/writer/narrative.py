"""The outline of a deck by a model: paper 004, section V-A and appendix C.

Plan, outline, describe. Plan and outline see the sources (whole, as far as a budget of tokens
goes) with all headings, figures and tables; the outline says what each page shows. Then the pages
are written in order: each sees what was said before it, the passages that its queries find, and the
table or figure that it shows. A program holds what a page states against these; a page that cannot
be made to hold is kept without what nobody can prove, and that is told.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any, Final

from decklab.core.options import TextLength
from decklab.documents.knowledge import KnowledgeBase
from decklab.documents.model import DocumentTable
from decklab.documents.sections import DocumentSection, Passage
from decklab.models.asking import Answer, Ask, StrictForm, Usage, fill_prompt, in_shares
from decklab.models.asking_loop import PicturesUnseen
from decklab.models.reading import Answered, Unanswered, answered
from decklab.writer.evidence import (
    PageEvidence,
    computed_lines,
    page_problem,
    page_problems,
    proven_part,
)
from decklab.writer.evidence_search import best_fits, page_evidence, passage_fits
from decklab.writer.figures import (
    OfferedVisual,
    chart_problem,
    chart_ref,
    offered_visuals,
    small_picture,
)
from decklab.writer.forms import OutlinedDeck, OutlinedPage, PlannedPage, StoryPlan, WrittenPage
from decklab.writer.layout_slides import layout_lines
from decklab.writer.outline import Outline, OutlinePage, OutlinePoint, PageRole
from decklab.writer.request import WriteOptions
from decklab.writer.story.coverage import Coverage

SlideFault = Callable[[OutlinePage], str | None]
"""Why a page gives no slide that holds it, in words for a model; None if it gives one."""
TITLE_CHARACTERS: Final = 80
_CHARACTERS_A_TOKEN: Final = 4
"""Of English; of Chinese one. Ours: a budget that is kept roughly, and stated so."""
_NUMBER = re.compile(r"\d")
_UNSOURCED = (
    " There is no evidence here: leave every quote empty, every evidence 0, and use no numbers."
)
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
    fault_of: SlideFault = lambda _page: None,
    tell: Callable[[str], None] = lambda _line: None,
) -> NarratedOutline:
    """Have a model write the outline of a deck from sources, or from the request alone.

    ``fault_of`` says whether a page can be shown. Raises Unanswered where no plan or outline can be
    used, and ModelError where the model cannot be asked. A page that the model cannot write well in
    three tries loses the points without evidence.
    """
    return _Narrator(sources, options, ask, fault_of, tell).narrated()


class _Narrator:
    def __init__(
        self,
        sources: KnowledgeBase,
        options: WriteOptions,
        ask: Ask,
        fault_of: SlideFault,
        tell: Callable[[str], None],
    ) -> None:
        self._sources, self._options, self._ask = sources, options, ask
        self._fault_of, self._tell = fault_of, tell
        self._system = system_words(options.spoken)
        self._visuals = {one.name: one for one in offered_visuals(sources)}
        self._usage = Usage()
        self._fits = cache(partial(passage_fits, sources))

    def narrated(self) -> NarratedOutline:
        plan = self._plan()
        self._tell("outline")
        outlined = self._outlined(plan)
        pages: list[OutlinePage] = []
        left_out: list[str] = []
        for at in range(len(plan.pages)):
            self._tell(f"page {at + 1} of {len(plan.pages)}")
            page, lines = self._page(at, plan, outlined, pages)
            pages += [page] if page else []
            left_out += lines
        outline = Outline(
            title=plan.title,
            subtitle=plan.subtitle,
            language=self._options.language,
            pages=tuple(pages),
        )
        stages: dict[str, StrictForm] = {"story": plan, "pages": OutlinedDeck(pages=outlined)}
        return NarratedOutline(outline, tuple(left_out), self._usage, stages)

    def _plan(self) -> StoryPlan:
        options = self._options
        text = _prompt(
            "plan", request=options.request, audience=options.audience, tone=options.tone,
            slides=str(options.slides), visuals=self._offered(),
            sources=source_words(self._sources, options.source_tokens),
        )  # fmt: skip
        slides = options.slides
        return self._answered(text, StoryPlan, lambda plan: _plan_problem(plan, slides), "plan")

    def _outlined(self, plan: StoryPlan) -> tuple[OutlinedPage, ...]:
        lines = (
            f"{number}. ({page.role}{', ' + page.section if page.section else ''}) {page.title}: "
            f"{page.purpose}"
            for number, page in enumerate(plan.pages, start=1)
        )
        text = _prompt(
            "outline", request=self._options.request, plan="\n".join(lines),
            sources=source_words(self._sources, self._options.source_tokens),
            visuals=self._offered(), title=str(TITLE_CHARACTERS),
        )  # fmt: skip

        def check(deck: OutlinedDeck) -> str | None:
            return "; ".join(_outline_problems(deck, plan, self._visuals)) or None

        return self._answered(text, OutlinedDeck, check, "outline").pages

    def _offered(self) -> str:
        return "\n\n".join(visual.words for visual in self._visuals.values()) or "none"

    def _answered(
        self, text: str, form: type[Answer], check: Callable[[Answer], str | None], stage: str
    ) -> Answer:
        reply = answered(self._ask, text, form, check=check, stage=stage, system=self._system)
        self._usage += reply.usage
        return reply.answer

    def _page(
        self,
        at: int,
        plan: StoryPlan,
        outlined: Sequence[OutlinedPage],
        before: Sequence[OutlinePage],
    ) -> tuple[OutlinePage | None, list[str]]:
        planned, page = plan.pages[at], outlined[at]
        if planned.role == "opening":
            return OutlinePage(role="opening", title=plan.title), []
        if planned.role == "contents":
            names = dict.fromkeys(other.section for other in plan.pages if other.section)
            points = tuple(OutlinePoint(text=name) for name in names)
            return OutlinePage(role="contents", title=page.title, points=points), []
        if planned.role == "section":
            return OutlinePage(role="section", title=page.title, section=planned.section), []
        visual = self._visuals.get(page.visual)
        story = (self._options.request, plan.title, plan.subtitle, planned.title, planned.purpose)
        topic = " ".join((*story, page.title, *page.points))
        evidence = page_evidence(
            self._sources, _queries(page), visual,
            topic=topic, elsewhere=self._elsewhere(at, plan, outlined),
            known=list(_proven(before)) if planned.role == "ending" else (),
        )  # fmt: skip
        write = PageWriter(evidence, visual, planned.role, planned.section, self._options.language)
        around = {
            "number": str(at + 1),
            "slides": str(len(plan.pages)),
            "page": "\n".join(
                (page.title, planned.purpose, *(f"- {item}" for item in page.points))
            ),
            "before": "\n".join(map(_said, before)) or "nothing yet",
            "after": "; ".join(other.title for other in outlined[at + 1 : at + 3]) or "nothing",
        }
        prompt = self._page_prompt(around, evidence, visual)
        try:
            reply = write.answered(
                self._ask, prompt, WrittenPage, self._fault_of, stage="page", system=self._system
            )
        except Unanswered as error:
            self._usage += error.usage
            return write.rescued(planned, at + 1, error.problem)
        self._usage += reply.usage
        return write.outlined(reply.answer), []

    def _elsewhere(
        self, at: int, plan: StoryPlan, outlined: Sequence[OutlinedPage]
    ) -> dict[str, float]:
        """How well passages fit another page of the body; of the ending nothing: it sums up."""
        if plan.pages[at].role != "body":
            return {}
        pages = enumerate(zip(plan.pages, outlined, strict=True))
        others = (_queries(page) for other, (planned, page) in pages
                  if other != at and planned.role == "body")  # fmt: skip
        return best_fits(map(self._fits, others))

    def _page_prompt(
        self, around: Mapping[str, str], evidence: PageEvidence, visual: OfferedVisual | None
    ) -> str:
        points, characters = _LENGTHS[self._options.length]
        return _prompt(
            "page", **around, request=self._options.request,
            visual=shown_words(visual) if visual else "nothing",
            evidence=evidence.lines,
            layouts=layout_lines(visual.fields if visual else (), free=self._options.free_layout),
            title=str(TITLE_CHARACTERS), points=points, characters=str(characters),
            unsourced="" if evidence.numbered else _UNSOURCED,
        )  # fmt: skip


@dataclass
class PageWriter:
    """One page while a model writes it: its evidence, what it shows, and its last readable try."""

    evidence: PageEvidence
    visual: OfferedVisual | None = None
    role: PageRole = "body"
    section: str = ""
    language: str = "en"
    readable: WrittenPage | None = None

    def answered(
        self,
        ask: Ask,
        prompt: str,
        form: type[Any],
        fault_of: SlideFault,
        *,
        images: Sequence[bytes] = (),
        **how: Any,
    ) -> Answered[Any]:
        """The model's page; a figure goes along as a picture where the model sees.

        Raises Unanswered where none of three answers holds, and what ``ask`` raises.
        """
        figure = small_picture(self.visual.shown) if self.visual else None
        pictures = [*images, *([figure] if figure else [])]

        def check(answer: Any) -> str | None:
            page = answer if isinstance(answer, WrittenPage) else answer.page
            return None if page is None else self.problem(page, fault_of)

        shown: dict[str, Any] = {"images": pictures} if pictures else {}
        try:
            return answered(ask, prompt, form, check=check, **shown, **how)
        except PicturesUnseen:
            return answered(ask, prompt, form, check=check, **how)

    def problem(self, page: WrittenPage, fault_of: SlideFault) -> str | None:
        """All that is wrong with a page, in words for the model."""
        self.readable = page
        table = self._table()
        problems = [
            _title_problem(page),
            page_problem(page, self.evidence),
            chart_problem(page.chart, table) if page.chart else None,
        ]
        if not any(problems):
            problems.append(fault_of(self.outlined(page)))
        return "; ".join(filter(None, problems)) or None

    def rescued(
        self, planned: PlannedPage, number: int, problem: str
    ) -> tuple[OutlinePage | None, list[str]]:
        """The part of the last try to keep: proven points, and a title without a problem."""
        if self.readable is None:
            return None, [f"page {number}: {problem}"]
        kept, left_out = proven_part(self.readable, self.evidence)
        if kept.chart and chart_problem(kept.chart, self._table()):
            kept = kept.model_copy(update={"chart": None})
            left_out.append("its chart, which the table does not give")
        if _title_problem(kept) or any(page_problems(kept, self.evidence)):
            left_out.append(f"{kept.title} (the title)")
            plain = (name for name in (planned.title, planned.section)
                     if name and not _NUMBER.search(name))  # fmt: skip
            title = next(plain, planned.role)[:TITLE_CHARACTERS]
            cleared = {"title": title, "title_quote": "", "title_evidence": 0, "subtitle": ""}
            kept = kept.model_copy(update=cleared)
        lines = [f"page {number}: left out: {line}" for line in left_out]
        if not kept.points and not self.visual:
            return None, [*lines, f"page {number}: nothing of it could be proven"]
        lines = lines or [f"page {number}: kept as it is: {problem}"]
        return self.outlined(kept), lines

    def _table(self) -> DocumentTable | None:
        shown = self.visual.shown if self.visual else None
        return shown if isinstance(shown, DocumentTable) else None

    def outlined(self, page: WrittenPage) -> OutlinePage:
        """A page as a model wrote it, with what its quotes were found in."""
        ref = self.visual.ref if self.visual else None
        table = self._table()
        if page.chart and table is not None:
            ref = chart_ref(page.chart, table)
        return OutlinePage(
            role=self.role,
            title=page.title,
            evidence=self.evidence.quoted(page.title_quote, page.title_evidence),
            section=self.section,
            layout=page.layout,
            subtitle=page.subtitle,
            accent=page.accent,
            html=page.html,
            computed=computed_lines(page, self.evidence, self.language),
            points=tuple(
                OutlinePoint(
                    text=point.text,
                    label=point.label,
                    group=point.group,
                    level=point.level,
                    evidence=self.evidence.quoted(point.quote, point.evidence),
                )
                for point in page.points
            ),
            visual=ref,
            notes=page.notes,
        )


def _proven(pages: Sequence[OutlinePage]) -> Iterator[Passage]:
    """Quotes that proved titles of pages and points that stand out, each once."""
    found: dict[str, Passage] = {}
    for page in pages:
        top = page.points[page.accent - 1].evidence if page.accent else ()
        for item in (*page.evidence, *top):
            found.setdefault(item.quote, Passage(item.document, item.page, item.quote))
    yield from found.values()


def _queries(page: OutlinedPage) -> tuple[str, ...]:
    return (" ".join((page.title, *page.points)), *page.queries)


def source_words(sources: KnowledgeBase, tokens: int) -> str:
    """The sources as a model reads them: the text under its headings, whole if it fits the budget,
    else of each section its beginning; lists of literature, contents and notices left out."""
    told = [section for section in sources.sections if not section.is_apparatus]
    needs = {at: len(_section_words(section)) for at, section in enumerate(told)}

    def words(at: int, share: int) -> str:
        text = _section_words(told[at])
        return text if len(text) <= share else f"{text[:share].rpartition(' ')[0]} …"

    texts = in_shares(needs, tokens * _CHARACTERS_A_TOKEN, words)
    names = [section.document for section in told]
    lines = []
    for at, text in enumerate(texts):
        if at == 0 or names[at] != names[at - 1]:
            lines.append(f"Source {names[at]}:")
        lines.append(text)
    return "\n\n".join(filter(None, lines)) or "There are no sources."


def _section_words(section: DocumentSection) -> str:
    head = f"{'#' * max(1, section.level)} {section.heading}\n" if section.heading else ""
    body = section.text
    return head + body if head or body else ""


def _said(page: OutlinePage) -> str:
    points = "; ".join(
        " ".join(filter(None, (item.group and f"({item.group})", item.label, item.text)))
        for item in page.points
    )
    layout = f" [{page.layout}]" if page.layout else ""
    return f"{page.title}{layout}: {points}" if points else f"{page.title}{layout}"


def shown_words(visual: OfferedVisual) -> str:
    """The words of a page, for a model that has the rows of a table as evidence."""
    rows = "; its rows are the last piece of evidence"
    return visual.named + (rows if isinstance(visual.shown, DocumentTable) else "")


def system_words(language: str) -> str:
    """The words before every question about a deck: its language, and that sources give no
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


def _outline_problems(
    deck: OutlinedDeck, plan: StoryPlan, visuals: Mapping[str, OfferedVisual]
) -> Iterator[str]:
    if len(deck.pages) != len(plan.pages):
        yield f"pages: there are {len(deck.pages)}; the plan has {len(plan.pages)}"
    shown: set[str] = set()
    for number, page in enumerate(deck.pages, start=1):
        if len(page.title) > TITLE_CHARACTERS:
            yield f"page {number}: the title has {len(page.title)} characters: {page.title!r}"
        if page.visual and page.visual not in visuals:
            yield f"page {number}: visual {page.visual!r} is none of those offered"
        if page.visual and page.visual in shown:
            yield f"page {number}: visual {page.visual!r} is shown on an earlier page"
        shown.add(page.visual)


def _title_problem(page: WrittenPage) -> str | None:
    if len(page.title) <= TITLE_CHARACTERS:
        return None
    return f"title: it has {len(page.title)} characters, at most {TITLE_CHARACTERS} fit"
