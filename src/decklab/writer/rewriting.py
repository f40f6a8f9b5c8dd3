"""One page of a plan written anew by a model, with the evidence that a search finds for it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from decklab.board.blueprint import DeckPlan, SlidePlan, first_fault
from decklab.board.chart_looks import chart_table
from decklab.documents.knowledge import KnowledgeBase
from decklab.documents.model import DocumentTable
from decklab.models.asking import Ask, Usage, fill_prompt
from decklab.writer.evidence import PageEvidence
from decklab.writer.forms import RewrittenPage
from decklab.writer.layout_slides import VISUAL_FIELDS, layout_lines
from decklab.writer.narrative import TITLE_CHARACTERS, PageWriter, page_evidence, system_words
from decklab.writer.outline import OutlinePage
from decklab.writer.patches import slide_for_model
from decklab.writer.request import WriteOptions
from decklab.writer.slides import slide_of_page


@dataclass(frozen=True)
class PageRewriter:
    """What pages are written anew from.

    ``fault_of`` says why a slide does not fit a page, in words for a model; None if it fits.
    """

    sources: KnowledgeBase
    options: WriteOptions
    pictures: Path
    fault_of: Callable[[SlidePlan], str | None] = lambda _slide: None

    def rewritten(
        self, plan: DeckPlan, at: int, wish: str, ask: Ask, *, images: Sequence[bytes] = ()
    ) -> tuple[SlidePlan | None, Usage]:
        """The slide at a place of the plan as a model writes it after a wish; None where it would
        leave it as it is.

        What the slide shows beside its words stays. Raises Unanswered where no answer can be used.
        """
        slide = plan.slides[at]
        evidence = self._evidence(slide, wish)
        writer = PageWriter(evidence, None, "body", slide.section or "", plan.language)
        shown = next((name for name in VISUAL_FIELDS if getattr(slide, name)), "")
        prompt = fill_prompt(
            "decklab.writer",
            "prompts/redo.txt",
            wish=wish,
            slide=slide_for_model(slide),
            others="; ".join(other.title for other in plan.slides if other is not slide),
            visual=f"the {shown} of the page, which stays or is left out" if shown else "nothing",
            evidence=evidence.lines,
            layouts=layout_lines([shown] if shown else (), free=self.options.free_layout),
            title=str(TITLE_CHARACTERS),
        )

        def fault(page: OutlinePage) -> str | None:
            try:
                return self.fault_of(self._slide(page, slide))
            except ValidationError as error:
                return first_fault(error)

        reply = writer.answered(
            ask, prompt, RewrittenPage, fault, images=images, stage="redo",
            system=system_words(self.options.spoken),
        )  # fmt: skip
        page = reply.answer.page
        made = None if page is None else self._slide(writer.outlined(page), slide)
        return made, reply.usage

    def _slide(self, page: OutlinePage, old: SlidePlan) -> SlidePlan:
        """The new slide, with the picture, chart or table of the old one."""
        shown: dict[str, Any] = {
            name: getattr(old, name) for name in (*VISUAL_FIELDS, "source") if getattr(old, name)
        }
        made = slide_of_page(page, self.sources, self.pictures, self.options.language, shown)
        return made.model_copy(update={"role": old.role})

    def _evidence(self, slide: SlidePlan, wish: str) -> PageEvidence:
        said = " ".join(slide.texts)
        found = page_evidence(self.sources, (said, wish), topic=said)
        return replace(found, table=_shown_table(slide, self.sources))


def _shown_table(slide: SlidePlan, sources: KnowledgeBase) -> DocumentTable | None:
    """The cells that a slide shows as table or chart, as evidence for its words."""
    name = sources.documents[0].name if sources.documents else ""
    table = chart_table(slide.chart) if slide.chart else slide.table
    if table is None:
        return None
    return DocumentTable(name, 1, (table.header, *table.rows), header_rows=1)
