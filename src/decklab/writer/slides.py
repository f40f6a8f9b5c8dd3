"""From the outline to the plan of slides: for each page the layout that shows what it has."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from textwrap import shorten
from typing import Any, Final, Literal

from decklab.board.blueprint import (
    BigNumber,
    CodePlan,
    Column,
    DeckPlan,
    PicturePlan,
    Point,
    Quote,
    SlidePlan,
    Step,
    TablePlan,
)
from decklab.board.chart_looks import chart_table
from decklab.board.library import LAYOUTS, LayoutName
from decklab.core.errors import PlanError
from decklab.core.files import write_whole
from decklab.documents.computed import computed_note
from decklab.documents.knowledge import KnowledgeBase
from decklab.documents.model import DocumentTable, Figure
from decklab.writer.figures import shown_views
from decklab.writer.layout_slides import slide_in_layout
from decklab.writer.outline import Evidence, Outline, OutlinePage, OutlinePoint, VisualRef
from decklab.writer.prose_numbers import change_of
from decklab.writer.story.cover import cover_of
from decklab.writer.story.visuals import figure_place
from decklab.writer.table_series import without_label
from decklab.writer.table_views import TableView
from decklab.writer.wording import FixedWords, fixed_words

_FOOTER_CHARACTERS: Final = 80
_SUBTITLE_CHARACTERS = 90
_BESIDE_CHART = 4
_CARD_CHARACTERS: Final = {2: 220, 3: 155, 4: 120, 5: 70, 6: 70}
"""Of each of so many cards, at most; more points are a list. Ours."""
_COLUMN_CHARACTERS = 170
"""Under one of several headings, up to which it is a card. Ours."""
_MOST_COLUMNS: Final = 3
_MOST_PAIRS, _TERM_CHARACTERS, _MEANING_CHARACTERS = 5, 36, 170
_PAIR = re.compile(rf"(?P<term>[^:：]{{2,{_TERM_CHARACTERS}}})(?::\s+|：\s*)(?P<meaning>\S.*)\Z")
_TASK = re.compile(
    r"(?P<task>.{4,}?)[,，(（]\s*(?P<who>[^\d,，()（）]{2,26})[,，]\s*"
    r"(?P<due>(?=\D*\d)[^,，()（）]{2,26})[)）]?[.。]?\Z"
)
"""A task, who does it, and until when."""
_MOST_SIDE = 90
"""Characters of points up to which they stand in two columns. Ours."""
_LEAST_LISTED = 220
"""Characters of points that fill a page as a plain list. Ours."""
_LEAD_IN = 80
"""Characters of a point that announces the others, up to which it stands above them."""
_NAMED_DOCUMENTS = 3
_LINE_CHARACTERS, _LEAST_CAPTION = 124, 24
"""Of a source line with a caption, and of what of a caption says something. Ours."""
_LONGEST_QUOTE = 240
_TABLE_CAPTION: Final = 180
"""Characters of the caption of a table, which stands below the title, or before its source if words
stand below it. Ours."""
_FILE_DATE = re.compile(r"\d{4}-\d\d-\d\d\Z")
"""A date that the record of a file has, which is that of its making and not of its words."""
_QUOTED = re.compile(r"[“„«\"][^“”„«»\"]+[”“»\"]\.?\Z")
_COUNTED = re.compile(r"(\d{1,2}[.)])\s+(\S.*)\Z")
_QUESTION_MARKS: Final = ("?", "？", "؟")
_OPPOSITES = (
    ("advantages", "disadvantages"), ("pros", "cons"), ("strengths", "weaknesses"),
    ("benefits", "risks"), ("benefits", "costs"), ("costs", "savings"), ("before", "after"),
    ("with", "without"), ("opportunities", "threats"), ("opportunities", "risks"),
    ("chances", "risks"), ("problem", "solution"), ("now", "later"), ("vorteile", "nachteile"),
    ("stärken", "schwächen"), ("chancen", "risiken"), ("vorher", "nachher"), ("mit", "ohne"),
)  # fmt: skip
_Look = Literal["body", "cards", "quote", "two_columns", "other"]


def deck_plan(outline: Outline, sources: KnowledgeBase, pictures: Path) -> DeckPlan:
    """The slides of an outline. Figures are drawn into the folder ``pictures``.

    What a page cannot show beside its visual goes on over a page of its own, so that nothing of the
    outline is dropped. Raises PlanError where the outline names a figure or table that no source
    has.
    """
    maker = _PlanMaker(sources, pictures, outline.language)
    slides = [slide for page in outline.pages for slide in maker.slides(page, outline)]
    sections = tuple(dict.fromkeys(slide.section for slide in slides if slide.section))
    return DeckPlan(
        title=_line(outline.title), language=outline.language, sections=sections,
        footer=_footer(_line(outline.title)), slides=tuple(slides),
    )  # fmt: skip


def slide_of_page(
    page: OutlinePage,
    sources: KnowledgeBase,
    pictures: Path,
    language: str,
    shown: Mapping[str, Any] | None = None,
) -> SlidePlan:
    """The slide of one page in its layout; ``shown`` are fields of a plan that it shows, such as
    ``picture``, in place of the page's own visual.

    Raises ValidationError where the layout does not show what the page has.
    """
    assert page.layout is not None, "a page that a model wrote has a layout"
    return _PlanMaker(sources, pictures, language).in_layout(page, page.layout, shown)


def plain_slide(slide: SlidePlan) -> SlidePlan:
    """The same contents without a layout of their own: a chart as its table, texts as points."""
    kept: dict[str, Any] = {"title": slide.title, "section": slide.section, "notes": slide.notes}
    if slide.chart is not None:
        table = chart_table(slide.chart)
        return SlidePlan(layout="table", table=table, source=slide.chart.source, **kept)
    texts = tuple(Point(text=text) for text in slide.texts[1:])
    if not texts or slide.table is not None:
        return slide
    return SlidePlan(layout="body", body=texts, source=slide.source, **kept)


class _PlanMaker:
    def __init__(self, sources: KnowledgeBase, pictures: Path, language: str) -> None:
        self._sources, self._pictures, self._language = sources, pictures, language
        self._words: FixedWords = fixed_words(language)
        self._look: _Look = "other"
        self._figures = 0

    def slides(self, page: OutlinePage, outline: Outline) -> Iterator[SlidePlan]:
        make: Callable[[OutlinePage], Iterator[SlidePlan]] = self._body
        if page.layout is not None:
            yield self.in_layout(page, page.layout)
            return
        if page.role == "opening":
            yield SlidePlan(
                layout="title", title=_line(page.title), subtitle=_line(outline.subtitle) or None,
                byline=self._byline(page.title) or None,
                notes="\n".join(filter(None, (self._notes(page), self._documents()))),
            )  # fmt: skip
            return
        if page.role == "contents":
            make = self._contents
        elif page.role == "ending":
            make = self._ending
        yield from make(page)

    def _byline(self, title: str) -> str:
        """Author and date of the only document, of several their names: a file's name alone says
        nothing to an audience."""
        if len(self._sources.documents) != 1:
            documents = self._documents()
            return documents if len(documents) <= _SUBTITLE_CHARACTERS else ""
        cover = cover_of(self._sources, title)
        date = "" if _FILE_DATE.match(cover.date) else _line(cover.date)
        said = " · ".join(filter(None, (_line(cover.author), date)))
        return said if len(said) <= _SUBTITLE_CHARACTERS else ""

    def _documents(self) -> str:
        """The names of the documents; of many the first."""
        names = [_line(document.name) for document in self._sources.documents]
        more = [f"+ {len(names) - _NAMED_DOCUMENTS}"] if len(names) > _NAMED_DOCUMENTS else []
        shown = ", ".join([*names[:_NAMED_DOCUMENTS], *more])
        return f"{self._words.source}: {shown}" if names else ""

    def _contents(self, page: OutlinePage) -> Iterator[SlidePlan]:
        yield SlidePlan(layout="contents", title=_line(page.title), body=_points(page.points))

    def _ending(self, page: OutlinePage) -> Iterator[SlidePlan]:
        if page.points:
            yield SlidePlan(
                layout="body", role="ending", title=_line(page.title), body=_points(page.points),
                notes=self._notes(page),
            )  # fmt: skip
        else:
            yield SlidePlan(layout="closing", title=_line(page.title))

    def in_layout(
        self, page: OutlinePage, layout: LayoutName, given: Mapping[str, Any] | None = None
    ) -> SlidePlan:
        """The page as a model composed it: nothing goes to another slide."""
        common = self._common(page)
        if page.role == "ending":
            common["role"] = "ending"
        shown: dict[str, Any] = dict(given or {})
        if given:
            common |= {"source": shown.pop("source", None)}
        elif page.visual is not None and page.visual.kind == "figure":
            figure = self._figure(page.visual)
            shown["picture"] = self._picture(page, figure)
            common["source"] = self._captioned(page, figure)
        elif page.visual is not None:
            shown, changed = self._drawn_table(page, layout)
            common |= changed
        elif layout == "chart":
            places = dict.fromkeys(self._place(item) for point in page.points
                                   for item in point.evidence)  # fmt: skip
            common["source"] = f"{self._words.source}: {', '.join(places)}"
        return slide_in_layout(page, layout, common, shown)

    def _drawn_table(
        self, page: OutlinePage, layout: LayoutName
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """The table of a page as its layout shows it: its best chart, or its cells."""
        assert page.visual is not None
        table = self._table(page.visual)
        views = shown_views(table, page.visual, self._source_line(table), self._language)
        shown: dict[str, Any] = {}
        notes, line = self._notes(page), None
        for field in ("chart", "table"):
            view = next((view for view in views if getattr(view, field) is not None), None)
            wanted = field in LAYOUTS[layout].needs or (layout == "free" and not shown)
            if not wanted or view is None:
                continue
            shown[field], notes = getattr(view, field), self._notes(page, view)
            if field == "table":
                line = ", ".join(filter(None, (self._source_line(table), view.shown)))
        return shown, {"notes": notes, "source": line}

    def _body(self, page: OutlinePage) -> Iterator[SlidePlan]:
        made = self._visual(page) if page.visual else None
        if made is not None:
            yield made
            shown = {point.text for point in made.body}
            rest = tuple(point for point in page.points if _line(point.text) not in shown)
            if rest:
                yield self._words_only(page.model_copy(update={"points": rest, "visual": None}))
        else:
            yield self._words_only(page)

    def _words_only(self, page: OutlinePage) -> SlidePlan:
        common = self._common(page)
        if not page.points:
            return SlidePlan(layout="section", title=_line(page.title), section=common["section"])
        slide = self._in_form(page, common)
        return self._of_points(page, common) if slide is None else self._seen(slide)

    def _seen(self, slide: SlidePlan) -> SlidePlan:
        """A slide, whose look is not the first choice for the next one."""
        known: dict[LayoutName, _Look] = {"cards": "cards", "two_columns": "two_columns"}
        self._look = known.get(slide.layout, "other")
        return slide

    def _in_form(self, page: OutlinePage, common: dict[str, Any]) -> SlidePlan | None:
        """The slide of a page whose points belong together in a way of their own; else None."""
        if page.form == "change":
            return self._change(page)
        if page.form == "table":
            rows = tuple(tuple(map(_line, point.cells)) for point in page.points)
            table = TablePlan(header=page.header, rows=rows)
            return SlidePlan(layout="table", table=table, **common)
        if page.form == "code":
            *said, example = page.points
            code = CodePlan(lines=example.cells)
            return SlidePlan(layout="code", code=code, body=_points(tuple(said)), **common)
        if not all(point.label for point in page.points) or len(page.points) < 2:
            return None
        asked = sum(point.label.endswith(_QUESTION_MARKS) for point in page.points)
        if 2 * asked > len(page.points):
            return self._answers(page, common)
        if page.form == "columns":
            return self._columns(page, common)
        if page.form == "cards":
            return SlidePlan(layout="cards", cards=tuple(map(_step, page.points)), **common)
        return None

    def _answers(self, page: OutlinePage, common: dict[str, Any]) -> SlidePlan:
        """Questions with what answers them."""
        answers: dict[str, list[str]] = {}
        for point in page.points:
            answers.setdefault(_line(point.label), []).append(_line(point.text))
        cards = tuple(Step(label=name, text=". ".join(own)) for name, own in answers.items())
        return SlidePlan(layout="faq", cards=cards, **common)

    def _columns(self, page: OutlinePage, common: dict[str, Any]) -> SlidePlan | None:
        """Points under headings side by side, or short ones as a card for each heading."""
        named: dict[str, list[OutlinePoint]] = {}
        for point in page.points:
            named.setdefault(_line(point.label), []).append(point)
        names = list(named)
        joined = [". ".join(_line(point.text) for point in own) for own in named.values()]
        opposite = len(names) == 2 and opposed(*names)
        if not 2 <= len(names) <= _MOST_PAIRS:
            return None
        listed = len(names) <= _MOST_COLUMNS and any(len(own) > 1 for own in named.values())
        short = max(map(len, joined)) <= _COLUMN_CHARACTERS and not (opposite or listed)
        if len(names) > _MOST_COLUMNS or (
            short and (len(names) > 2 or self._look == "two_columns")
        ):
            pairs = tuple(Step(label=n, text=text) for n, text in zip(names, joined, strict=True))
            return SlidePlan(layout="cards", cards=pairs, **common)
        columns = tuple(
            Column(heading=name, points=_points(tuple(own))) for name, own in named.items()
        )
        layout: LayoutName = "two_columns" if len(columns) == 2 else "three_columns"
        return SlidePlan(layout="comparison" if opposite else layout, columns=columns, **common)

    def _of_points(self, page: OutlinePage, common: dict[str, Any]) -> SlidePlan:
        """The slide of points that only belong to one topic."""
        points = page.points
        subtitle = _line(page.topic)
        first, *rest = points
        announces = len(rest) > 1 and (
            first.level < min(point.level for point in rest)
            or (first.bare and first.text.endswith((":", "：")))
        )
        if announces and len(first.text) <= _LEAD_IN:
            subtitle = _line(first.text).rstrip(" :：")
            points = tuple(point.model_copy(update={"level": 0}) for point in rest)
        common["subtitle"] = subtitle if 0 < len(subtitle) <= _SUBTITLE_CHARACTERS else None
        if pairs := _pairs(points):
            return self._seen(SlidePlan(layout="cards", cards=pairs, **common))
        self._look = _word_look(points, self._look)
        if self._look == "quote":
            if page.evidence and not _QUOTED.match(_line(points[0].text)):  # it bears the title out
                return SlidePlan(layout="statement", body=_points(points), **common)
            quote = self._quote(points[0])
            return SlidePlan(layout="quote", quote=quote, **{**common, "subtitle": None})
        if self._look == "cards":
            cards = tuple(Step(label=_line(point.text)) for point in points)
            return SlidePlan(layout="cards", cards=cards, **common)
        if self._look == "two_columns":
            half = len(points) // 2
            columns = tuple(Column(points=_points(own)) for own in (points[:half], points[half:]))
            return SlidePlan(layout="two_columns", columns=columns, **common)
        return SlidePlan(layout="body", body=_points(points), **common)

    def _change(self, page: OutlinePage) -> SlidePlan | None:
        """The change that the first point of a page states, as two numbers with an arrow."""
        first, *others = page.points
        document = first.evidence[0].document if first.evidence else ""
        change = change_of(first.text, document)
        if change is None:
            return None
        cut = first.text.startswith(page.title)  # the title is the sentence up to its amounts
        rest = first.text[len(page.title) :].strip(" ,;:–—") if cut else ""
        numbers = tuple(
            BigNumber(value=_line(f"{value} {change.unit}"), label=_line(label))
            for value, label in (
                (change.before, self._words.before),
                (change.after, rest or self._words.after),
            )
        )
        said = [] if cut else [first]
        remark = " · ".join(_line(point.text) for point in (*said, *others))
        computed = change.computed
        notes = [
            self._notes(page),
            *([computed_note(computed, self._language)] if computed else []),
        ]
        common = {**self._common(page), "notes": "\n".join(filter(None, notes))}
        return SlidePlan(
            layout="big_numbers", numbers=numbers, change=computed.text if computed else None,
            subtitle=remark or None, **common,
        )  # fmt: skip

    def _quote(self, point: OutlinePoint) -> Quote:
        """A point alone on its page: a quote where it stands in quotation marks."""
        text = _line(point.text)
        if _QUOTED.match(text):
            return Quote(text=text.strip('“”„"«». '), by=self._said_by(point))
        return Quote(text=text, quoted=False)

    def _said_by(self, point: OutlinePoint) -> str | None:
        return next((self._place(item) for item in point.evidence), None)

    def _visual(self, page: OutlinePage) -> SlidePlan | None:
        """The slide with the visual; None where it is a table that can only be read."""
        assert page.visual is not None
        if page.visual.kind == "figure":
            return self._with_picture(page, self._figure(page.visual))
        table = self._table(page.visual)
        views = shown_views(table, page.visual, self._source_line(table), self._language)
        views = views[page.visual.view :] or views
        if not views:
            return self._with_picture(page, table)
        if views[0].chart is not None:
            return self._with_chart(page, views[0])
        return self._with_table(page, views[0], table)

    def _with_chart(self, page: OutlinePage, view: TableView) -> SlidePlan:
        points = _points(page.points[:_BESIDE_CHART])
        layout: LayoutName = "chart_takeaways" if points else "chart"
        common = {**self._common(page), "notes": self._notes(page, view)}
        return SlidePlan(layout=layout, chart=view.chart, body=points, **common)

    def _with_table(self, page: OutlinePage, view: TableView, table: DocumentTable) -> SlidePlan:
        shown = f", {view.shown}" if view.shown else ""
        common = {
            **self._common(page),
            "source": f"{self._source_line(table)}{shown}",
            "notes": self._notes(page, view),
        }
        body = () if view.shown else _points(page.points)
        caption = without_label(_line(table.caption)).rstrip(".")
        known = caption.casefold() in page.title.casefold()
        if caption and len(caption) <= _TABLE_CAPTION and not known:
            captioned = f"{caption} · {common['source']}"
            common |= {"source": captioned} if body else {"subtitle": caption}
        return SlidePlan(layout="table", table=view.table, body=body, **common)

    def _with_picture(self, page: OutlinePage, shown: Figure | DocumentTable) -> SlidePlan | None:
        try:
            picture = self._picture(page, shown)
        except ValueError:
            return None
        common = {**self._common(page), "source": self._captioned(page, shown)}
        alone = not isinstance(shown, Figure) or figure_place(shown) != "beside"
        body = () if alone else _points(page.points)
        self._figures += 1
        beside: LayoutName = "picture_right" if self._figures % 2 else "picture_left"
        layout: LayoutName = beside if body else "picture_full"
        return SlidePlan(layout=layout, picture=picture, body=body, **common)

    def _picture(self, page: OutlinePage, shown: Figure | DocumentTable) -> PicturePlan:
        """A figure, or a table that can only be seen, drawn into the folder of pictures.

        Raises ValueError where it cannot be drawn.
        """
        data = shown.draw()
        kind = "figure" if isinstance(shown, Figure) else "table"
        name = re.sub(r"[^\w.-]+", "_", shown.document)[:60]
        path = self._pictures / f"{name}-{kind}-{shown.number}.png"
        write_whole(path, data)
        alt = _line(shown.caption or f"{page.title}: {kind} {shown.number}")[:240]
        return PicturePlan(path=str(path), alt=alt)

    def _common(self, page: OutlinePage) -> dict[str, Any]:
        return {
            "title": _line(page.title), "section": _line(page.section) or None,
            "notes": self._notes(page),
        }  # fmt: skip

    def _notes(self, page: OutlinePage, view: TableView | None = None) -> str:
        """Notes of a page: its sentences whole, its sources (these as quotes, with their
        places) and what was computed, one a line."""
        quoted = [*page.evidence, *(item for point in page.points for item in point.evidence)]
        quotes = list(dict.fromkeys(quoted))
        said = page.notes or " ".join(_sentence(item.quote) for item in quotes)
        sources = [f"“{item.quote}” ({self._place(item)})" for item in quotes]
        shown = [view.shown] if view and view.shown else []
        computed = [computed_note(item, self._language) for item in view.computed] if view else []
        return "\n".join([*([said] if said else []), *sources, *shown, *computed, *page.computed])

    def _place(self, item: Evidence) -> str:
        return f"{item.document}{self._where(item.document, item.page)}"

    def _where(self, name: str, page: int | None) -> str:
        """The page of a document in words; of a workbook the name of its sheet."""
        document = next((doc for doc in self._sources.documents if doc.name == name), None)
        if page is None or document is None or document.kind in ("csv", "image"):
            return ""
        names = document.page_names
        return f", {names[page - 1]}" if page <= len(names) else f", {self._words.page} {page}"

    def _source_line(self, shown: Figure | DocumentTable) -> str:
        label = f", {shown.label}" if shown.label else ""
        place = self._where(shown.document, shown.page)
        return f"{self._words.source}: {shown.document}{place}{label}"

    def _captioned(self, page: OutlinePage, shown: Figure | DocumentTable) -> str:
        """The caption, shortened to what a line holds, and the source; the source alone where the
        title is the caption."""
        place = self._where(shown.document, shown.page)
        source = f"{self._words.source}: {shown.document}{place}"
        caption = _line(shown.caption)
        room = _LINE_CHARACTERS - len(source)
        if len(caption) > room:
            caption = f"{caption[:room].rpartition(' ')[0].rstrip(' ,;:.')} …"
        told = caption.removeprefix(shown.label).strip(" :.–—-").startswith(page.title)
        captioned = len(caption) >= _LEAST_CAPTION and not told
        return f"{caption} · {source}" if captioned else self._source_line(shown)

    def _figure(self, visual: VisualRef) -> Figure:
        for figure in self._sources.figures:
            if (figure.document, figure.number) == (visual.document, visual.number):
                return figure
        raise PlanError(f"{visual.document} has no figure {visual.number}")

    def _table(self, visual: VisualRef) -> DocumentTable:
        for table in self._sources.tables:
            if (table.document, table.number) == (visual.document, visual.number):
                return table
        raise PlanError(f"{visual.document} has no table {visual.number}")


_NOTED = re.compile(r"^“(.+?)” \([^()\n]+\)$", re.MULTILINE | re.DOTALL)


def noted_quotes(notes: str) -> list[str]:
    """The quotes of a slide's notes, as a page's evidence is written there."""
    return _NOTED.findall(notes)


def said_notes(notes: str) -> str:
    """The spoken part of a slide's notes: the text before their quotes."""
    found = _NOTED.search(notes)
    return (notes[: found.start()] if found else notes).strip()


def _sentence(quote: str) -> str:
    """A quote as it is said among others: begun with a capital letter, and ended.

    >>> _sentence("an account\\non atlas"), _sentence("How?")
    ('An account on atlas.', 'How?')
    """
    text = _line(quote).rstrip(" ,;:")
    return text[:1].upper() + text[1:] + ("." if text[-1:].isalnum() else "")


def _step(point: OutlinePoint) -> Step:
    text = None if point.text == point.label else _line(point.text)
    return Step(label=_line(point.label), text=text)


def _pairs(points: Sequence[OutlinePoint]) -> tuple[Step, ...]:
    """Points that are terms with their meanings, or tasks with who does them and until when, as
    these; none where not all are."""
    if not 2 <= len(points) <= _MOST_PAIRS or any(point.level for point in points):
        return ()
    pairs = []
    for point in points:
        text = _line(point.text)
        if found := _PAIR.match(text):
            pairs.append(Step(label=found["term"], text=found["meaning"]))
        elif found := _TASK.match(text):
            pairs.append(Step(label=f"{found['who']} · {found['due']}", text=found["task"]))
    short = all(len(pair.text or "") <= _MEANING_CHARACTERS for pair in pairs)
    return tuple(pairs) if short and len(pairs) == len(points) else ()


def _word_look(points: Sequence[OutlinePoint], before: _Look) -> _Look:
    """How points that only belong to one topic are shown: as the page before was not, where there
    is a choice."""
    plain = not any(point.level or point.label or point.bare for point in points)
    longest = max(len(point.text) for point in points)
    if plain and len(points) == 1 and longest <= _LONGEST_QUOTE:
        return "quote"
    fitting: list[_Look] = []
    if plain and longest <= _CARD_CHARACTERS.get(len(points), 0):
        fitting.append("cards")
    listed = sum(len(point.text) for point in points) > _LEAST_LISTED
    if not fitting or (listed and len(points) > 2):
        fitting.append("body")
    if plain and len(points) in (4, 6) and longest <= _MOST_SIDE:
        fitting.append("two_columns")
    return next((look for look in fitting if look != before), fitting[0])


def opposed(first: str, second: str) -> bool:
    """Whether two headings name opposites, such as advantages and disadvantages.

    >>> opposed("Costs in 2024", "Savings in 2024"), opposed("Costs", "Staff")
    (True, False)
    """
    one, other = (set(re.findall(r"[^\W\d_]+", name.casefold())) for name in (first, second))
    return any(
        (left in one and right in other) or (right in one and left in other)
        for left, right in _OPPOSITES
    )


def _points(points: tuple[OutlinePoint, ...]) -> tuple[Point, ...]:
    """The points; numbers before several of them are their marks, and sentences beside a list have
    none."""
    texts = [_line(point.text) for point in points]
    counted = [_COUNTED.match(text) for text in texts]
    several = sum(found is not None for found in counted) > 1
    return tuple(
        Point(text=found[2], level=point.level, mark=found[1]) if found and several
        else Point(text=text, level=point.level, mark="" if point.bare else "•")
        for point, text, found in zip(points, texts, counted, strict=True)
    )  # fmt: skip


def _footer(title: str) -> str:
    """The title of a deck at the foot of its slides, cut at a word."""
    if len(title) <= _FOOTER_CHARACTERS:
        return title
    cut = shorten(title, _FOOTER_CHARACTERS, placeholder=" …")
    return cut if len(cut) > 2 else f"{title[: _FOOTER_CHARACTERS - 1]}…"


def _line(text: str) -> str:
    return " ".join(
        re.sub(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ufffe\uffff\ud800-\udfff]", " ", text).split()
    )
