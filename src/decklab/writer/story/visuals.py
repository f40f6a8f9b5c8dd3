"""The tables and figures of documents as a story weighs and titles them."""

from typing import Final

from decklab.documents.knowledge import KnowledgeBase
from decklab.documents.model import DocumentTable, Figure
from decklab.writer.outline import VisualRef
from decklab.writer.story.titles import TITLE_CHARACTERS
from decklab.writer.table_series import without_label
from decklab.writer.table_views import TableView, table_views

BESIDE_WORDS: Final = 36
"""Words beside a chart or figure. Ours."""
SMALL_TABLE_WORDS: Final = 30
_SMALL_ROWS = 7
"""Words beside a table of at most so many rows, its heading counted. Ours."""
_MOST_FURTHER = 3
_LEAST_SIDE, _MOST_ASPECT = 72, 5
"""Points of a figure of a PDF, and how much longer than high it may be. Ours."""
_LEAST_CAPTION = 8
_CHART, _TABLE, _FIGURE, _EXCERPT, _FURTHER, _SHORTENED = 3.0, 2.0, 1.6, 1.2, 0.8, 0.4
"""What a visual counts beside statements, which count about 1 each. Ours."""


class Visuals:
    """The tables and figures of some documents, by how an outline names them."""

    def __init__(self, sources: KnowledgeBase, language: str) -> None:
        self._tables = {(table.document, table.number): table for table in sources.tables}
        self._captions = {
            (figure.document, figure.number): figure.caption or "" for figure in sources.figures
        }
        self._scraps = {
            (figure.document, figure.number) for figure in sources.figures if _is_scrap(figure)
        }
        self._language = language
        self._views: dict[tuple[str, int], tuple[TableView, ...]] = {}

    def weight(self, visual: VisualRef) -> float:
        """What a visual counts; 0 for one that no slide can show."""
        if visual.kind == "figure":
            return _FIGURE if (visual.document, visual.number) not in self._scraps else 0.0
        views = self._table_views(visual)[visual.view :]
        if not views:
            return 0.0
        table = views[0].table
        if table and any(cell.endswith("…") for row in table.rows for cell in row):
            return _SHORTENED
        if visual.view:
            return _FURTHER
        return _CHART if views[0].chart is not None else _EXCERPT if views[0].shown else _TABLE

    def words_beside(self, visual: VisualRef) -> int:
        """How many words of points stand beside a visual; 0 beside a long table."""
        views = () if visual.kind == "figure" else self._table_views(visual)[visual.view :]
        if visual.kind == "figure" or (views and views[0].chart is not None):
            return BESIDE_WORDS
        return SMALL_TABLE_WORDS if len(self._table(visual).rows) <= _SMALL_ROWS else 0

    def claim(self, visual: VisualRef) -> str:
        """What a table says, as a title; empty where nothing is certain."""
        views = () if visual.kind == "figure" else self._table_views(visual)[visual.view :]
        return views[0].claim if views else ""

    def further(self, visual: VisualRef, *, charts: bool) -> tuple[VisualRef, ...]:
        """Further charts of a table that say something else, and further pages of a long one."""
        if visual.kind == "figure":
            return ()
        said: set[str] = set()
        refs: list[VisualRef] = []
        views = self._table_views(visual)
        paged = [view.table is not None for view in views].count(True) <= _MOST_FURTHER
        for number, view in enumerate(views):
            more = charts and view.chart is not None and view.claim and view.claim not in said
            goes_on = views[0].table is not None and view.table is not None and paged
            if number and (more or goes_on):
                refs.append(visual.model_copy(update={"view": number}))
            said.add(view.claim)
        return tuple(refs[:_MOST_FURTHER])

    def caption(self, visual: VisualRef) -> str:
        """The caption without its label, where it is short enough for a title."""
        if visual.kind == "table":
            caption = self._table(visual).caption
        else:
            caption = self._captions.get((visual.document, visual.number), "")
        short = without_label(" ".join(caption.split())).rstrip(".")
        return short if _LEAST_CAPTION <= len(short) <= TITLE_CHARACTERS else ""

    def _table_views(self, visual: VisualRef) -> tuple[TableView, ...]:
        key = visual.document, visual.number
        if key not in self._views:
            self._views[key] = table_views(self._tables[key], source="-", language=self._language)
        return self._views[key]

    def _table(self, visual: VisualRef) -> DocumentTable:
        return self._tables[visual.document, visual.number]


def _is_scrap(figure: Figure) -> bool:
    """Whether a figure of a page is a strip or a speck, which no slide can show well."""
    if figure.box is None or figure.size is None:
        return False
    width, height = figure.size
    return min(width, height) < _LEAST_SIDE or max(width, height) > _MOST_ASPECT * min(
        width, height
    )
