"""One page of a plan written anew by a model, with the evidence that a search finds for it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from decklab.board.blueprint import DeckPlan, SlidePlan, first_fault
from decklab.board.chart_looks import chart_table
from decklab.board.library import LAYOUTS
from decklab.documents.computed import computed_note, computed_notes
from decklab.documents.knowledge import KnowledgeBase
from decklab.documents.model import DocumentTable, Figure
from decklab.documents.sections import Passage
from decklab.models.asking import Ask, Usage, fill_prompt
from decklab.writer.evidence import PageEvidence
from decklab.writer.evidence_search import best_fits, page_evidence, passage_fits
from decklab.writer.figures import OfferedVisual, offered_visuals, small_picture
from decklab.writer.forms import RewrittenPage
from decklab.writer.layout_slides import VISUAL_FIELDS, layout_lines
from decklab.writer.narrative import TITLE_CHARACTERS, PageWriter, shown_words, system_words
from decklab.writer.outline import OutlinePage
from decklab.writer.patches import slide_for_model
from decklab.writer.request import WriteOptions
from decklab.writer.slides import noted_quotes, said_notes, slide_of_page


@dataclass(frozen=True)
class PageRewriter:
    """Inputs for pages that are written anew.

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

        What the slide shows beside its words stays; a table of the sources can be drawn anew, as
        another chart or as cells. Raises Unanswered where no answer can be used.
        """
        slide = plan.slides[at]
        visual = self._visual(slide)
        evidence = self._evidence(plan, at, visual, wish)
        writer = PageWriter(evidence, visual, "body", slide.section or "", plan.language)
        shown = [name for name in VISUAL_FIELDS if getattr(slide, name)]
        prompt = fill_prompt(
            "decklab.writer", "prompts/redo.txt", wish=wish, slide=slide_for_model(slide),
            notes=said_notes(slide.notes) or "nothing",
            others="; ".join(other.title for other in plan.slides if other is not slide),
            visual=_shown_words(shown, visual), evidence=evidence.lines,
            layouts=layout_lines(visual.fields if visual else shown, free=self.options.free_layout),
            title=str(TITLE_CHARACTERS),
        )  # fmt: skip

        def fault(page: OutlinePage) -> str | None:
            try:
                return self.fault_of(self._slide(page, slide))
            except ValidationError as error:
                return first_fault(error)

        reply = writer.answered(
            ask, prompt, RewrittenPage, fault, images=[*images, *_picture(slide)], stage="redo",
            system=system_words(self.options.spoken),
        )  # fmt: skip
        page = reply.answer.page
        made = None if page is None else self._slide(writer.outlined(page), slide)
        return made, reply.usage

    def _slide(self, page: OutlinePage, old: SlidePlan) -> SlidePlan:
        """The new slide: with the picture, chart or table of the old one, or the table drawn anew
        where the model asks for that or takes a layout that shows it otherwise."""
        shown: dict[str, Any] | None = {
            name: getattr(old, name) for name in (*VISUAL_FIELDS, "source") if getattr(old, name)
        }
        needs = [name for name in LAYOUTS[page.layout or "body"].needs if name in VISUAL_FIELDS]
        if page.visual and (page.visual.rows or not all(getattr(old, name) for name in needs)):
            shown = None
        else:
            names = [document.name for document in self.sources.documents]
            notes = (computed_note(item, self.options.language)
                     for item in computed_notes(old.notes, names))  # fmt: skip
            page = page.model_copy(update={"computed": (*page.computed, *notes)})
        made = slide_of_page(page, self.sources, self.pictures, self.options.language, shown)
        return made.model_copy(update={"role": old.role})

    def _visual(self, slide: SlidePlan) -> OfferedVisual | None:
        """The table of the sources that a slide shows as its table or chart; None if there is none
        or the slide shows numbers that were computed from it."""
        offered = offered_visuals(self.sources) if slide.table or slide.chart else ()
        tables = (visual for visual in offered if isinstance(visual.shown, DocumentTable))
        return next((visual for visual in tables if _is_shown(visual, slide)), None)

    def _evidence(
        self, plan: DeckPlan, at: int, visual: OfferedVisual | None, wish: str
    ) -> PageEvidence:
        """The quotes of the slide's notes, and what a search finds for its words and the wish that
        fits no other slide better."""
        slide = plan.slides[at]
        said = " ".join(slide.texts)
        others = (" ".join(other.texts) for other in plan.slides if other is not slide)
        elsewhere = best_fits(passage_fits(self.sources, [texts]) for texts in others)
        places = ((quote, self.sources.find_quote(quote)) for quote in noted_quotes(slide.notes))
        known = [Passage(place.document, place.page, quote) for quote, place in places if place]
        found = page_evidence(
            self.sources, (said, wish), visual, topic=said, known=known, elsewhere=elsewhere
        )
        return found if visual else replace(found, table=_shown_table(slide, self.sources))


def _shown_words(shown: Sequence[str], visual: OfferedVisual | None) -> str:
    """The visual of a slide as a model is told of it."""
    if not shown:
        return "nothing"
    told = f"the {' and the '.join(shown)} of the page, which stays or is left out"
    if shown == ["picture"]:
        told += "; it is the last picture here"
    return (
        f"{told}; its table, which can be drawn anew, is {shown_words(visual)}" if visual else told
    )


def _picture(slide: SlidePlan) -> list[bytes]:
    """The picture of a slide, small, for the model to see."""
    if slide.picture is None:
        return []
    figure = Figure("", 1, draw=Path(slide.picture.path).read_bytes)
    return [data for data in (small_picture(figure),) if data]


def _is_shown(visual: OfferedVisual, slide: SlidePlan) -> bool:
    """Whether all numbers, or all cells, that a slide shows are of a table."""
    assert isinstance(visual.shown, DocumentTable), "only tables are asked about"
    cells = {" ".join(cell.split()) for row in visual.shown.rows for cell in row}
    if slide.chart is None:
        rows = slide.table.rows if slide.table else ()
        return all(cell in cells for row in rows for cell in row)
    values = {value for item in slide.chart.series for value in item.values if value is not None}
    named = any(name in cells for name in slide.chart.categories)
    return named and values <= PageEvidence(table=visual.shown).table_values


def _shown_table(slide: SlidePlan, sources: KnowledgeBase) -> DocumentTable | None:
    """The cells that a slide shows as table or chart, as evidence for its words."""
    name = sources.documents[0].name if sources.documents else ""
    table = chart_table(slide.chart) if slide.chart else slide.table
    if table is None:
        return None
    return DocumentTable(name, 1, (table.header, *table.rows), header_rows=1)
