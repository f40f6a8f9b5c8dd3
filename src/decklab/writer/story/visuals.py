"""The tables and figures of documents as a story weighs and titles them."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final, Literal

from decklab.board.pages.pictures import picture_scale
from decklab.documents.knowledge import KnowledgeBase
from decklab.documents.model import DocumentTable, Figure
from decklab.documents.sentences import sentences
from decklab.writer.outline import VisualRef
from decklab.writer.ranking import sentence_words
from decklab.writer.story.importance import Weighed
from decklab.writer.story.material import Topic
from decklab.writer.story.titles import TITLE_CHARACTERS, columns_title
from decklab.writer.table_series import without_label
from decklab.writer.table_views import TableView, table_views

_NUMBER = re.compile(r"\d[\d.]*\d|\d")
_AMOUNT = re.compile(r"\d[\d.,]*\d")
_MENTIONED = re.compile(
    r"\b(?:figures?|figs?\.?|abbildung(?:en)?|abb\.|figuras?)\s*(\d[\d.]*\d|\d)", re.IGNORECASE
)
_STEM: Final = 5
"""Letters by which two forms of a word are the same. Ours."""
_LEAST_ALIKE = 2
"""Words that a text has in common with the caption of a figure that it is about. Ours."""
_LEAST_LABEL: Final = 8.0
"""Points of the labels of a figure as placed."""
_LINE_PITCH, _MOST_LETTERS, _TABLE_LETTERS = 1.2, 10.0, 10.0
"""Of a table that is a picture: its lines as a multiple of its letters, the size of these in the
document at most, and on a slide at least, points. Ours."""
_BESIDE_WORDS: Final = 36
"""Words beside a figure. Ours."""
_WITH_ROWS: Final = ((6, 66), (8, 60), (9, 48), (10, 20))
_WITH_CHART = 60
"""Words with a table of at most so many rows, its heading counted, and with a chart. Ours."""
_MOST_FURTHER = 3
_TWO_PAGES: Final = 2
"""Pages of a table of which one alone misleads. Ours."""
_LEAST_SIDE, _MOST_ASPECT = 72, 5
"""Points of a figure of a PDF, and how much longer than high it may be. Ours."""
_WIDE: Final = 2.2
"""How much wider than high a figure may be that stands beside words. Ours."""
_LEAST_CAPTION = 8
_CHART, _TABLE, _SECOND, _FIGURE, _EXCERPT, _FURTHER, _SHORTENED = 4.0, 3.5, 3.0, 1.6, 1.6, 0.8, 0.4
"""What a visual counts beside statements, which count about 1 each. Ours."""
_SEEN: Final = 1.5
"""The weight of a table that is a picture. Ours."""


class Visuals:
    """The tables and figures of some documents, by how an outline names them."""

    def __init__(self, sources: KnowledgeBase, language: str) -> None:
        self._tables = {(table.document, table.number): table for table in sources.tables}
        self._figures = {(figure.document, figure.number): figure for figure in sources.figures}
        self._language = language
        self._views: dict[tuple[str, int], tuple[TableView, ...]] = {}

    def weight(self, visual: VisualRef) -> float:
        """What a visual counts; 0 for one that no slide can show."""
        if visual.kind == "figure":
            return _FIGURE if figure_place(self._figure(visual)) else 0.0
        views = self._table_views(visual)[visual.view :]
        if not views:
            seen = not visual.view and is_legible(self._table(visual))
            return _SEEN if seen else 0.0
        table = views[0].table
        if table and (cut := sum(cell.endswith("…") for row in table.rows for cell in row)):
            return _SHORTENED if cut > 1 else _TABLE
        pages = [view.table is not None for view in self._table_views(visual)]
        if all(pages) and len(pages) == _TWO_PAGES:
            return _SECOND if visual.view else _TABLE
        if visual.view:
            return _FURTHER if views[0].table is None else _SECOND
        return _CHART if views[0].chart is not None else _EXCERPT if views[0].shown else _TABLE

    def words_with(self, visual: VisualRef) -> int:
        """How many words stand with a visual, below a table if it is wide; none with a figure whose
        labels could not be read beside them."""
        if visual.kind == "figure":
            return _BESIDE_WORDS if figure_place(self._figure(visual)) == "beside" else 0
        views = self._table_views(visual)[visual.view :]
        if not views:  # shown as a picture, alone
            return 0
        if views[0].chart is not None:
            return _WITH_CHART
        rows = len(self._table(visual).rows)
        return next((words for most, words in _WITH_ROWS if rows <= most), 0)

    def claim(self, visual: VisualRef, *, ranks: bool) -> str:
        """The statement of the chart of a table, as a title; empty if nothing is certain, of a
        table that is shown itself, of which one number says little, and unless ``ranks`` if it only
        says which label has most."""
        views = () if visual.kind == "figure" else self._table_views(visual)[visual.view :]
        told = views and views[0].chart is not None and (ranks or not views[0].ranks)
        return views[0].claim if told else ""

    def further(self, visual: VisualRef, *, charts: bool) -> tuple[VisualRef, ...]:
        """Further charts of a table that say something else, and further pages of a long one."""
        if visual.kind == "figure":
            return ()
        said: set[str] = set()
        refs: list[VisualRef] = []
        whole: list[VisualRef] = []
        views = self._table_views(visual)
        paged = [view.table is not None for view in views].count(True) <= _MOST_FURTHER
        for number, view in enumerate(views):
            more = charts and view.chart is not None and view.claim not in said
            goes_on = views[0].table is not None and view.table is not None and paged
            if charts and number and view.table is not None and not view.shown:
                whole.append(visual.model_copy(update={"view": number}))
            if number and (more or goes_on):
                refs.append(visual.model_copy(update={"view": number}))
            said |= {view.claim} if view.claim else set()
        return (*whole, *refs[: _MOST_FURTHER - len(whole)])

    def caption(self, visual: VisualRef, *, stated: bool = False) -> str:
        """The caption without its label, else what a chart shows, where that is short enough for a
        title; ``stated`` for one that stands in the document."""
        known = self._table(visual) if visual.kind == "table" else self._figure(visual)
        short = without_label(" ".join(known.caption.split()))
        if len(short) > TITLE_CHARACTERS:
            short = sentences(short, language=self._language)[0]
        short = short.rstrip(".")
        if (
            not (short or stated)
            and visual.kind == "table"
            and (views := self._table_views(visual))
        ):
            chart = views[min(visual.view, len(views) - 1)].chart
            short = (
                ", ".join(one.name for one in chart.series)
                if chart
                else columns_title(self._table(visual))
            )
        return short if _LEAST_CAPTION <= len(short) <= TITLE_CHARACTERS else ""

    def named(self, text: str, visual: VisualRef) -> int:
        """How many of the rows and columns that are shown of a table a text names, by most
        words of each name, and how many of its numbers it has; 0 without a row and a number."""
        views = () if visual.kind == "figure" else self._table_views(visual)[visual.view :]
        if not views:
            return 0
        rows, columns, cells = _shown_words(views[0])
        said = {word[:_STEM] for word in sentence_words(text)}
        numbers = {number.replace(",", "") for number in _AMOUNT.findall(" ".join(cells))}
        shown = numbers.intersection(found.replace(",", "") for found in _AMOUNT.findall(text))
        told = sum(_names(said, name) for name in rows) + len(shown)
        return told + sum(_names(said, name) for name in columns) if told else 0

    def is_numbered(self, visual: VisualRef) -> bool:
        """Whether it is a figure with a number, to which a text can refer."""
        return visual.kind == "figure" and bool(_NUMBER.search(self._figure(visual).label))

    def refers(self, text: str, visual: VisualRef) -> bool:
        """Whether a text names a figure by its label, as "Figure 3 shows" and "(Fig. 3)" do."""
        label = self._figure(visual).label if visual.kind == "figure" else ""
        named = _NUMBER.findall(label)
        return bool(named) and named[-1] in _MENTIONED.findall(text)

    def findings(self, visual: VisualRef, weights: Weighed) -> list[int]:
        """The numbers of the statements that say what a figure shows: those right behind a
        reference to it in the same paragraph."""
        return [
            at + 1
            for at, item in enumerate(weights.statements[:-1])
            if item.evidence.document == visual.document
            and weights.starts[at + 1] <= at
            and self.refers(item.evidence.quote, visual)
        ]

    def is_about(self, text: str, visual: VisualRef) -> bool:
        """Whether a text says something of what a figure shows, by its label or by two words of its
        caption; True of tables and of figures with nothing to tell by."""
        if visual.kind == "table" or self.refers(text, visual):
            return True
        words = {word for word in sentence_words(self.caption_words(visual)) if len(word) > 3}
        return len(words) < _LEAST_ALIKE or (
            len(words.intersection(sentence_words(text))) >= _LEAST_ALIKE
        )

    def caption_words(self, visual: VisualRef) -> str:
        """The caption of a figure without its label."""
        return without_label(" ".join(self._figure(visual).caption.split()))

    def _figure(self, visual: VisualRef) -> Figure:
        return self._figures[visual.document, visual.number]

    def _table_views(self, visual: VisualRef) -> tuple[TableView, ...]:
        key = visual.document, visual.number
        if key not in self._views:
            self._views[key] = table_views(self._tables[key], source="-", language=self._language)
        return self._views[key]

    def _table(self, visual: VisualRef) -> DocumentTable:
        return self._tables[visual.document, visual.number]


def _names(said: set[str], name: str) -> bool:
    """Whether most words of a name are among those that are said, by their first letters."""
    own = {word[:_STEM] for word in sentence_words(name) if len(word) > 2}
    return 2 * len(own & said) > len(own)


def _shown_words(view: TableView) -> tuple[list[str], list[str], list[str]]:
    """The names of the rows and of the columns that a view shows, and its cells."""
    if view.chart is not None:
        chart = view.chart
        values = [value for one in chart.series for value in one.values if value is not None]
        names = [one.name for one in chart.series]
        return [*chart.categories], names, [f"{value:g}" for value in values]
    assert view.table is not None, "a view is a chart or a table"
    rows = view.table.rows
    cells = [cell for row in rows for cell in row]
    return [row[0] for row in rows], [*view.table.header], cells


def is_legible(table: DocumentTable) -> bool:
    """Whether a table that was not read for certain, and has a caption, can be shown as a picture
    of its region, alone on a slide with letters of 10 points or more."""
    if table.native or table.box is None or not table.caption:
        return False
    letters = table.box.height / len(table.rows) / _LINE_PITCH
    size = table.box.width, table.box.height
    return picture_scale(size, beside=False) * min(letters, _MOST_LETTERS) >= _TABLE_LETTERS


def figure_place(figure: Figure) -> Literal["beside", "alone"] | None:
    """Where a figure can stand, beside text or alone on a slide, so that its labels have 8 points;
    None where no slide can show it well, as a strip, a speck, or with smaller labels."""
    if figure.box is None or figure.size is None:
        return "beside"
    short, long = sorted(figure.size)
    if short < _LEAST_SIDE or long > _MOST_ASPECT * short:
        return None
    least = _LEAST_LABEL / (figure.label_size or _LEAST_LABEL)
    wide = figure.size[0] > _WIDE * figure.size[1]
    if not wide and (figure.label_size is None or picture_scale(figure.size, beside=True) >= least):
        return "beside"
    return "alone" if picture_scale(figure.size, beside=False) >= least else None


def _told_words(topic: Topic, visual: VisualRef, visuals: Visuals) -> int:
    """How many words of the caption of a figure one statement of a topic has, with its heading; 0
    for few, and for tables and summaries."""
    if visual.kind == "table" or topic.document != visual.document or topic.role == "summary":
        return 0
    caption = {word for word in sentence_words(visuals.caption_words(visual)) if len(word) > 3}
    if caption.isdisjoint(sentence_words(topic.heading)):
        return 0
    said = (f"{topic.heading} {item.evidence.quote}" for item in topic.statements)
    most = max((len(caption.intersection(sentence_words(text))) for text in said), default=0)
    return most if most > _LEAST_ALIKE else 0


def with_figures_where_told(topics: Sequence[Topic], visuals: Visuals) -> list[Topic]:
    """Topics with each figure in the one whose text refers to it first, unless its own does; one
    without a reference in the one that has most words of its caption."""
    walked = [part for topic in topics for part in topic.walk()]
    home: dict[VisualRef, Topic] = {}
    for owner in walked:
        for visual in owner.visuals:
            telling = (
                part for part in (owner, *walked)
                if part.document == visual.document
                and any(visuals.refers(item.evidence.quote, visual) for item in part.statements)
            )  # fmt: skip
            near = max((owner, *walked), key=lambda part: _told_words(part, visual, visuals))
            home.setdefault(visual, next(telling, near))

    def placed(topic: Topic) -> Topic:
        own = tuple(visual for visual, owner in home.items() if owner is topic)
        return replace(topic, visuals=own, parts=tuple(map(placed, topic.parts)))

    return [placed(topic) for topic in topics]
