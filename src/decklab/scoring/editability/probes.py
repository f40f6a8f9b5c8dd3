"""All probes of one deck, each run once, when it is first needed."""

from dataclasses import KW_ONLY, dataclass
from functools import cached_property

from decklab.core.results import NotScored
from decklab.deck.model.outline import DeckOutline
from decklab.metrics.editability.facts import (
    ChartFacts,
    InheritanceFacts,
    PictureFacts,
    ReflowFacts,
)
from decklab.ooxml.package import Package
from decklab.rendering.pictures import RenderedDeck
from decklab.rendering.renderer import Renderer
from decklab.scoring.editability.charts import chart_facts
from decklab.scoring.editability.pictures import picture_facts
from decklab.scoring.editability.relayout import RelayoutCopy, RelayoutFacts, relayout


@dataclass(eq=False)
class DeckProbes:
    """The probes that ``judge_pptx`` calls. The package must stay open; the deck is never changed.

    ``renderer`` draws the changed copies, of which there are at most three; ``drawn`` is the deck
    as it was drawn already. If drawing fails, the result is NotScored with the cause.
    """

    package: Package
    outline: DeckOutline
    _: KW_ONLY
    renderer: Renderer | None = None
    drawn: RenderedDeck | None = None
    relaid: RelayoutCopy | NotScored | None = None
    """The copy for ``reflow`` and ``inheritance``, if it was written before."""

    def pictures(self) -> tuple[PictureFacts, ...]:
        """Every picture as placed, and what its pixels show."""
        return self._pictures

    def reflow(self) -> tuple[ReflowFacts, ...] | NotScored:
        """The text shapes of a third of the slides, with their longest paragraph doubled."""
        return self._relayout if isinstance(self._relayout, NotScored) else self._relayout.reflow

    def inheritance(self) -> tuple[InheritanceFacts, ...] | NotScored:
        """Whether a patch on its layout appears, for a third of the slides."""
        if isinstance(self._relayout, NotScored):
            return self._relayout
        return self._relayout.inheritance

    def charts(self) -> tuple[ChartFacts, ...] | NotScored:
        """Every native chart: its workbook, and whether it follows a changed number."""
        return self._charts

    @cached_property
    def _pictures(self) -> tuple[PictureFacts, ...]:
        return picture_facts(self.package, self.outline)

    @cached_property
    def _relayout(self) -> RelayoutFacts | NotScored:
        undrawn = () if self.drawn is None else tuple(self.drawn.faults)
        if self.relaid is None or undrawn:
            return relayout(self.package, self.outline, renderer=self.renderer, undrawn=undrawn)
        if isinstance(self.relaid, NotScored):
            return self.relaid
        return self.relaid.facts(self.renderer)

    @cached_property
    def _charts(self) -> tuple[ChartFacts, ...] | NotScored:
        return chart_facts(self.package, self.outline, renderer=self.renderer, drawn=self.drawn)
