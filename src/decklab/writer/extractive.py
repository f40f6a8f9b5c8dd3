"""An outline without a model: the documents' own sentences, ranked, shortened by rule, and ordered.

A floor that writers with a model have to beat. The same documents give the same outline. Chapters
become parts of the deck with as many pages as their share of what can be said; of each page the
most central sentences become the points; figures and tables stand on the page of their section.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from decklab.core.errors import NothingToWrite
from decklab.core.options import WRITE_SLIDES
from decklab.documents.knowledge import KnowledgeBase
from decklab.documents.model import DocumentTable
from decklab.documents.shortening import is_definition, lacks_verb, leans
from decklab.writer.chapters import Chapter, chapters_of, joined_chapters
from decklab.writer.facts import amount_of, is_figure, number_points, states_amount, year_points
from decklab.writer.outline import Evidence, Outline, OutlinePage, OutlinePoint, PageForm, VisualRef
from decklab.writer.ranking import Vectors, centrality, chosen_apart, sentence_words, word_vectors
from decklab.writer.table_views import TableView, table_views
from decklab.writer.titling import (
    TITLE_CHARACTERS,
    deck_subtitle,
    deck_title,
    is_claim,
    title_head,
    title_lines,
)
from decklab.writer.wording import fixed_words

LEAST_SLIDES = 3
_MOST_POINTS = 5
_BESIDE_VISUAL = 4
_DISPLAY_CHARACTERS = 100
"""Of the title of the deck, which is set large."""
_PAGE_CHARACTERS = 480
_BESIDE_CHARACTERS = 300
"""Of all points of a page, with and without a visual beside them: what fits at the full size of
body text in most themes. Ours."""
_NOTHING = "the documents hold too little: no two sentences, no figure, no table for a slide"
_COLUMN_HEADING = 36
_ENOUGH = 3
_LABEL = re.compile(
    r"^(?:table|tabelle|tab\.|tableau|tabla|figure|fig\.)\s*[\w.]*\d[\w.]*\s*[:.–—-]?\s*",
    re.IGNORECASE,
)
_LEAST_CLOSING = 2
_TITLE_SHARE = 0.8
_PLAIN_FACT, _LONG_FACT = 40, 110
"""Characters of a point that is taken for the summary though it is no title. Ours."""
_LEAST_POINTS = 2
"""Of a page without a visual; what a single point says is not worth a slide. Ours."""
_APART = 0.45
"""The cosine above which two points of a page say the same. Ours."""
_SAID = 0.75
"""The cosine above which a point says what an earlier page said. Ours."""
_FIRST = 1.25
"""How much the first sentences of a section count more: authors open with what matters. Ours."""
_WANTED = 5.0
_ITEM = 1.3
_FACT = 1.2
_LEANING = 0.6
"""How much less a sentence counts that points at its neighbours or is about its authors. Ours."""
_KEY_FIGURES, _ROOM_FOR_FIGURES = 3, 8
_LEAST_CAPTION = 8
_CONTENTS_CHARACTERS, _ROOM_FOR_CONTENTS, _MOST_TOPICS = 56, 7, 12


def extractive_outline(
    sources: KnowledgeBase,
    *,
    slides: int = WRITE_SLIDES,
    title: str = "",
    focus: str = "",
    language: str = "en",
) -> Outline:
    """The outline of a deck of at most ``slides`` slides from documents, by rules alone.

    ``title`` is that of the deck, else that of the first document. ``focus`` is what the deck
    should be about: sentences with its words count five times. Raises NothingToWrite where the
    documents hold nothing that can be put on a slide, ValueError for fewer than three slides.
    """
    if slides < LEAST_SLIDES:
        raise ValueError(f"a deck has at least {LEAST_SLIDES} slides")
    chapters = joined_chapters(
        [chapter for doc in sources.documents for chapter in chapters_of(doc, sources)]
    )
    if not chapters:
        raise NothingToWrite(_NOTHING)
    rated = _Rated(sources, chapters, focus, language)
    words = fixed_words(language)
    topics = {topic for chapter in chapters for topic in chapter.topics if topic}
    with_contents = len(topics) >= _ENOUGH and slides >= _ROOM_FOR_CONTENTS
    room = slides - 2 - with_contents
    figures = rated.key_figures(words.key_figures) if slides >= _ROOM_FOR_FIGURES else None
    room -= figures is not None
    shares = page_shares([rated.weight(chapter) for chapter in chapters], room)
    body = [
        page
        for chapter, count in zip(chapters, shares, strict=True)
        for page in rated.pages(chapter, count, language)
    ]
    if not body:
        raise NothingToWrite(_NOTHING)
    named = contents_names(body)
    body = side_by_side(body)
    if figures is not None:
        body.insert(not body[0].section, figures)
    name, rest = title_lines(title or deck_title(sources), _DISPLAY_CHARACTERS)
    opening = OutlinePage(role="opening", title=name)
    contents = OutlinePage(
        role="contents",
        title=words.contents,
        points=tuple(OutlinePoint(text=title_head(at, _CONTENTS_CHARACTERS)) for at in named),
    )
    return Outline(
        title=name,
        subtitle=rest or deck_subtitle(sources, name),
        language=language,
        pages=(
            opening,
            *([contents] if with_contents and len(named) >= _ENOUGH else []),
            *body,
            *rated.ending(body, words.summary),
        ),
    )


def contents_names(pages: Sequence[OutlinePage]) -> list[str]:
    """What the contents list: the sections of pages, or the topics of pages where there are fewer
    than four sections."""
    sections = list(dict.fromkeys(page.section for page in pages if page.section))
    if len(sections) > _ENOUGH:
        return sections
    topics = list(dict.fromkeys(page.topic or page.title for page in pages))
    return topics[:_MOST_TOPICS] if len(topics) > len(sections) else sections


def page_shares(weights: Sequence[float], pages: int) -> list[int]:
    """How many pages each chapter gets: one each as far as they go, the rest by weight.

    Where there are more chapters than pages, the heaviest get one.

    >>> page_shares([9, 1, 4], 5), page_shares([9, 1, 4], 2)
    ([3, 1, 1], [1, 0, 1])
    """
    order = sorted(range(len(weights)), key=lambda at: (-weights[at], at))
    shares = [0] * len(weights)
    for at in order[: max(0, pages)]:
        if weights[at] > 0:
            shares[at] = 1
    for _ in range(pages - sum(shares)):
        # Highest averages (Sainte-Laguë): fair to small chapters, and never takes a page back.
        best = max(order, key=lambda at: weights[at] / (2 * shares[at] + 1))
        if weights[best] <= 0:
            break
        shares[best] += 1
    return shares


@dataclass(frozen=True)
class _Part:
    """What one page is made from."""

    topic: str
    places: tuple[int, ...]
    """Of its candidates among all candidates."""
    visual: VisualRef | None = None
    steps: tuple[OutlinePoint, ...] = ()


class _Rated:
    """The candidates of all chapters with their scores; pages are chosen from them."""

    def __init__(
        self, sources: KnowledgeBase, chapters: Sequence[Chapter], focus: str, language: str
    ) -> None:
        self._chapters = chapters
        self._views = {
            (table.document, table.number): table_views(table, source="-", language=language)
            for table in sources.tables
        }
        self._tables = {(table.document, table.number): table for table in sources.tables}
        self._captions = {
            (figure.document, figure.number): figure.caption or "" for figure in sources.figures
        }
        visuals = {visual for chapter in chapters for _, visual in chapter.visuals}
        self._showable = {visual for visual in visuals if self._can_show(visual)}
        self._candidates = [item for chapter in chapters for item in chapter.candidates]
        self._first: dict[int, int] = {}
        place = 0
        for chapter in chapters:
            self._first[id(chapter)] = place
            place += len(chapter.candidates)
        self._vectors: Vectors = word_vectors([item.text for item in self._candidates])
        self._scores = self._rated(focus)
        self._said: set[int] = set()

    def weight(self, chapter: Chapter) -> float:
        """How much a chapter has to say: its scores, and one for each visual and list of steps.

        The square root, so that a long chapter does not take all pages.
        """
        shown = sum(self._shows(visual) for _, visual in chapter.visuals) + len(chapter.steps)
        return float(np.sqrt(self._scores[list(self._places(chapter))].sum() + shown))

    def pages(self, chapter: Chapter, count: int, language: str) -> Iterator[OutlinePage]:
        """At most ``count`` pages for a chapter; a page without points needs a visual."""
        for part in self._parts(chapter, count):
            page = self._page(chapter, part, language)
            if page is not None:
                yield page

    def key_figures(self, title: str) -> OutlinePage | None:
        """The best percentages and sums of money in short sentences, one of each long chapter at
        most, so that no page misses them; None for fewer than three."""
        found: dict[str, int] = {}
        for chapter in self._chapters:
            places = self._places(chapter)
            if len(places) <= _MOST_POINTS:
                continue
            for at in sorted(places, key=lambda at: (-self._scores[at], at)):
                text = self._candidates[at].text
                label = amount_of(text)
                if is_figure(text, label) and label not in found:
                    found[label] = at
                    break
        best = sorted(found.items(), key=lambda pair: (-self._scores[pair[1]], pair[1]))
        chosen = sorted(best[:_KEY_FIGURES], key=lambda pair: pair[1])
        if len(chosen) < _ENOUGH:
            return None
        self._said.update(at for _, at in chosen)
        points = tuple(self._point(at).model_copy(update={"label": label}) for label, at in chosen)
        return OutlinePage(title=title, points=points, form="numbers")

    def ending(self, pages: Sequence[OutlinePage], title: str) -> Iterator[OutlinePage]:
        """The closing page: the best of each page before, the best and most different of these;
        none where too little was stated."""
        best = [point for point in map(self._best_of, pages) if point is not None]
        if len(best) < _LEAST_CLOSING:
            return
        known = {item.evidence.quote: at for at, item in enumerate(self._candidates)}
        quotes = [point.evidence[0].quote if point.evidence else "" for point in best]
        scores = np.array([self._scores[known[at]] if at in known else 1.0 for at in quotes])
        chosen = chosen_apart(scores, word_vectors([point.text for point in best]), 4)
        yield OutlinePage(role="ending", title=title, points=tuple(best[at] for at in chosen))

    def _best_of(self, page: OutlinePage) -> OutlinePoint | None:
        """What a page states in its title, else the first of its points that fits a title."""
        if page.form == "steps":
            return None
        counted = page.visual is not None and page.visual.kind == "table" and ":" in page.title
        if page.evidence or counted:
            return OutlinePoint(text=page.title, evidence=page.evidence)
        whole = [point for point in page.points if not leans(point.text)]
        short = (
            *(point for point in whole if is_claim(point.text)),
            *(point for point in whole if _PLAIN_FACT <= len(point.text) <= _LONG_FACT),
        )
        point = next(iter(short), None)
        return None if point is None else point.model_copy(update={"label": ""})

    def _rated(self, focus: str) -> npt.NDArray[np.float64]:
        scores = centrality(self._vectors)
        wanted = {word for word in sentence_words(focus) if len(word) > 3}
        before: tuple[str, int] | None = None
        for at, item in enumerate(self._candidates):
            place = (item.evidence.document, item.section)
            scores[at] *= 1.0 if place == before else _FIRST
            before = place
            scores[at] *= _ITEM if item.item else 1.0
            scores[at] *= _FACT if states_amount(item.text) else 1.0
            scores[at] *= 0.6 + 0.4 * min(1.0, 110 / max(1, len(item.text)))
            weak = leans(item.text) or (item.item and lacks_verb(item.text))
            scores[at] *= _LEANING if weak else 1.0
            scores[at] *= _WANTED if wanted.intersection(sentence_words(item.text)) else 1.0
        return scores

    def _places(self, chapter: Chapter) -> range:
        first = self._first[id(chapter)]
        return range(first, first + len(chapter.candidates))

    def _parts(self, chapter: Chapter, count: int) -> list[_Part]:
        """A chapter in ``count`` runs of sections of about equal weight, each with its visual."""
        if count <= 0:
            return []
        sections = sorted(
            {self._candidates[at].section for at in self._places(chapter)}
            | {number for number, _ in chapter.visuals}
        )
        runs = _runs(sections, [self._section_weight(chapter, at) for at in sections], count)
        parts = [self._part(chapter, run) for run in runs]
        return parts + self._more_visuals(chapter, parts, count - len(parts))

    def _part(self, chapter: Chapter, run: Sequence[int]) -> _Part:
        places = tuple(at for at in self._places(chapter) if self._candidates[at].section in run)
        visuals = [visual for number, visual in chapter.visuals
                   if number in run and self._shows(visual)]  # fmt: skip
        if len(places) >= _ENOUGH:  # a table that is none of numbers takes the place of the text
            visuals = [visual for visual in visuals if self._has_room(visual)]
        shown = min(visuals, key=lambda visual: not self._is_chart(visual), default=None)
        heaviest = max(run, key=lambda at: self._section_weight(chapter, at))
        steps = () if shown else next((found for at, found in chapter.steps if at in run), ())
        topic = next((chapter.topics[at] for at, found in chapter.steps if found == steps),
                     chapter.topics[heaviest])  # fmt: skip
        return _Part(topic, places, shown, steps)

    def _more_visuals(self, chapter: Chapter, parts: Sequence[_Part], room: int) -> list[_Part]:
        used = {part.visual for part in parts}
        more = [
            _Part(chapter.topics[number], (), visual)
            for number, visual in chapter.visuals
            if visual not in used and self._shows(visual)
        ]
        return more[: max(0, room)]

    def _section_weight(self, chapter: Chapter, number: int) -> float:
        places = [at for at in self._places(chapter) if self._candidates[at].section == number]
        shown = sum(self._shows(visual) for at, visual in chapter.visuals if at == number)
        listed = sum(at == number for at, _ in chapter.steps)
        return float(self._scores[places].sum()) + shown + listed

    def _shows(self, visual: VisualRef) -> bool:
        return visual in self._showable

    def _can_show(self, visual: VisualRef) -> bool:
        """Whether a slide can show it: any figure, and tables that a chart or table can hold."""
        if visual.kind == "figure":
            return True
        return bool(self._views[visual.document, visual.number])

    def table(self, visual: VisualRef) -> DocumentTable:
        """The table of a source that is meant."""
        return self._tables[visual.document, visual.number]

    def _page(self, chapter: Chapter, part: _Part, language: str) -> OutlinePage | None:
        if part.steps:
            return OutlinePage(
                title=title_lines(part.topic or chapter.heading)[0], section=chapter.heading,
                points=part.steps, form="steps",
            )  # fmt: skip
        free = [at for at in part.places if self._is_new(at)]
        most = _BESIDE_VISUAL if part.visual else _MOST_POINTS
        apart = chosen_apart(self._scores[free], self._vectors[free], most + 1, apart=_APART)
        if len(apart) < _LEAST_POINTS:  # sentences of one form, such as an entry of a register
            apart = chosen_apart(self._scores[free], self._vectors[free], most + 1, apart=_SAID)
        chosen = [free[at] for at in apart]
        heading = part.topic or chapter.heading or self._caption(part.visual)
        heading = heading or fixed_words(language).overview
        claim = (
            None
            if part.visual and part.visual.kind == "table"
            else self._claim(chosen, free, f"{heading} {chapter.heading}")
        )
        title, evidence = heading, tuple[Evidence, ...]()
        if claim is not None:
            chosen = [at for at in chosen if not self._alike(at, claim)]
            title, evidence = self._candidates[claim].text, (self._candidates[claim].evidence,)
        elif part.visual and part.visual.kind == "table":
            title = self._table_title(part.visual, heading)
        shown = chosen[:most]
        if part.visual and not self._has_room(part.visual):
            shown = []
        shown = self._within(shown, _BESIDE_CHARACTERS if part.visual else _PAGE_CHARACTERS)
        points = tuple(self._point(at) for at in shown)
        least = 1 if points and is_definition(points[0].text) else _LEAST_POINTS
        if not title or (len(points) < least and part.visual is None):
            return None
        self._said.update(shown if claim is None else (*shown, claim))
        form: PageForm = "points"
        if part.visual is None and (labelled := number_points(points)):
            points, form = labelled, "numbers"
        elif part.visual is None and (dated := year_points(points)):
            points, form = dated, "timeline"
        return OutlinePage(
            title=title_lines(title)[0], evidence=evidence,
            topic=heading if heading != title else "",
            section=chapter.heading, points=points, form=form, visual=part.visual,
        )  # fmt: skip

    def _within(self, chosen: Sequence[int], most: int) -> list[int]:
        """The best of the chosen whose texts have at most ``most`` characters together."""
        kept: list[int] = []
        for at in sorted(chosen, key=lambda at: (-self._scores[at], at)):
            if sum(len(self._candidates[other].text) for other in (*kept, at)) <= most:
                kept.append(at)
        return sorted(kept)

    def _has_room(self, visual: VisualRef) -> bool:
        """Whether points stand beside a visual; a table takes the whole width."""
        return visual.kind == "figure" or self._is_chart(visual)

    def _is_chart(self, visual: VisualRef) -> bool:
        """Whether a visual is a table of numbers, which a native chart shows."""
        return visual.kind == "table" and any(
            view.chart is not None for view in self._views[visual.document, visual.number][:1]
        )

    def _is_new(self, at: int) -> bool:
        """Whether no page before has said it."""
        said = sorted(self._said)
        likeness = self._vectors[said] @ self._vectors[at] if said else np.zeros(1)
        return at not in self._said and float(likeness.max()) <= _SAID

    def _table_title(self, visual: VisualRef, heading: str) -> str:
        table = self.table(visual)
        view: TableView | None = next(iter(self._views[visual.document, visual.number]), None)
        claim = view.claim if view else ""
        caption = _LABEL.sub("", table.caption).strip()
        return claim or (caption if len(caption) <= TITLE_CHARACTERS else "") or heading

    def _caption(self, visual: VisualRef | None) -> str:
        """The caption of a figure without its label, where it is short enough for a title."""
        if visual is None or visual.kind == "table":
            return ""
        caption = self._captions.get((visual.document, visual.number), "")
        short = _LABEL.sub("", " ".join(caption.split())).rstrip(".")
        return short if _LEAST_CAPTION <= len(short) <= TITLE_CHARACTERS else ""

    def _alike(self, first: int, second: int) -> bool:
        """Whether two sentences say the same, or are one."""
        return first == second or float(self._vectors[first] @ self._vectors[second]) > _APART

    def _claim(self, chosen: Sequence[int], free: Sequence[int], topic: str) -> int | None:
        """The best sentence that makes a title: short, with a word of the topic, one of the chosen
        or of those that count no less than the last of them; None where too few are left."""
        if len(chosen) < 3:
            return None
        wanted = {word for word in sentence_words(topic) if len(word) > 3}
        least = min(self._scores[at] for at in chosen)
        fitting = [
            at for at in free
            if (at in chosen or self._scores[at] >= _TITLE_SHARE * least)
            and not self._candidates[at].item and is_claim(self._candidates[at].text)
            and wanted.intersection(sentence_words(self._candidates[at].text))
        ]  # fmt: skip
        return max(fitting, key=lambda at: (self._scores[at], -at), default=None)

    def _point(self, at: int) -> OutlinePoint:
        item = self._candidates[at]
        return OutlinePoint(text=item.text, evidence=(item.evidence,))


def side_by_side(pages: Sequence[OutlinePage]) -> list[OutlinePage]:
    """The same pages, but of two neighbours that hold little one with a column for each."""
    found: list[OutlinePage] = []
    for page in pages:
        if found and _short(found[-1]) and _short(page) and found[-1].title != page.title:
            found[-1] = _two_columns(found[-1], page)
        else:
            found.append(page)
    return found


def _short(page: OutlinePage) -> bool:
    """Whether a page has a heading for a title and two or three points, and nothing else."""
    return (
        page.form == "points"
        and page.visual is None
        and not page.evidence
        and len(page.points) <= 3
        and len(page.title) <= _COLUMN_HEADING
    )


def _two_columns(first: OutlinePage, second: OutlinePage) -> OutlinePage:
    points = tuple(
        point.model_copy(update={"label": page.title})
        for page in (first, second)
        for point in page.points
    )
    title = f"{first.title} · {second.title}"
    return first.model_copy(update={"title": title, "points": points, "form": "columns"})


def _runs(sections: Sequence[int], weights: Sequence[float], count: int) -> list[list[int]]:
    """Sections in at most ``count`` runs of neighbours of about equal weight, none empty."""
    runs: list[list[int]] = []
    last = 0
    total, past = sum(weights) or 1.0, 0.0
    for section, weight in zip(sections, weights, strict=True):
        slot = min(count - 1, int(count * (past + weight / 2) / total))
        if not runs or slot > last:
            runs.append([])
        runs[-1].append(section)
        last = slot
        past += weight
    return runs
