"""An outline without a model: the documents' own sentences that matter most, behind a summary.

A floor that writers with a model have to beat. The same documents give the same outline. As long as
there is room every sentence, list item, table and figure has a place; when it is short, what counts
most stays, and what has no place is named.
"""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, chain

from decklab.board.languages import primary_language
from decklab.core.errors import NothingToWrite
from decklab.core.options import WRITE_SLIDES, DocumentKindName
from decklab.documents.knowledge import KnowledgeBase
from decklab.documents.numbers import parse_numbers
from decklab.documents.sentences import word_count
from decklab.documents.shortening import ends_open
from decklab.writer.outline import Outline, OutlinePage, OutlinePoint, PageForm
from decklab.writer.story.cover import calm, cover_of
from decklab.writer.story.coverage import Coverage, coverage_of
from decklab.writer.story.importance import CODE_KINDS, Weighed, weighed
from decklab.writer.story.kinds import SectionRole, comes_first, document_kind
from decklab.writer.story.material import Statement, Topic, joined_topics, topics_of
from decklab.writer.story.options import option_names, with_names, with_units
from decklab.writer.story.page_titles import CONTENTS_CHARACTERS, LOOKED_UP, PageTitles
from decklab.writer.story.paging import PagePart, is_short, told_on_pages
from decklab.writer.story.pieces import USUAL_WORDS
from decklab.writer.story.points import SUBTITLE_CHARACTERS, PointWriter
from decklab.writer.story.preparing import (
    changed_words,
    few_points,
    filled_columns,
    in_full,
    labelled_text,
    with_further_views,
    with_options_known,
    with_questions,
    without_examples,
)
from decklab.writer.story.roles import ASKED, FOUND, TELLING, roles_of
from decklab.writer.story.summary import summary_of
from decklab.writer.story.tasks import gathered_topics, with_tasks
from decklab.writer.story.titles import (
    claim_text,
    deck_title,
    is_name_of,
    is_plain,
    title_head,
    title_lines,
)
from decklab.writer.story.visuals import Visuals, with_figures_where_told
from decklab.writer.wording import fixed_words

LEAST_SLIDES = 3
_LEAST_SAID = 3
_DISPLAY_CHARACTERS, _MOST_DISPLAYED = 100, 130
"""Of the title of the deck, which is set large, and of one that cannot be parted."""
_NOTHING = "the documents hold too little: no sentence, no figure, no table for a slide"
_ROOM_FOR_CONTENTS, _LEAST_SECTIONS, _MOST_ENTRIES = 20, 4, 12
_ROOM_FOR_LONG = 12
"""Slides from which the summary of a document may have several pages. Ours."""
_FEWEST, _MOST_BRIEF, _LEAST_TOLD, _WORTH_SUMMARY = 3, 5, 4, 8.0
"""Points of what a short document says in short, pages behind these, and the price in words that
such a page may have. Ours."""
_ROOM_FOR_SUMMARY = 6
"""Slides from which a deck has a summary. Ours."""
_MOST_SUMMED = 3
"""Pages on which a long document is summed up in its own words. Ours."""
_APART = ("columns", "cards", "change")
"""Forms that show each of their points apart, so that none can become the title."""
_LEAST_ALIKE = 24
"""Characters that title and heading begin with alike where one of them is enough. Ours."""
_MOST_CARDS, _CARD_NAME = 5, 60
"""Cards on a page, and characters of the name of one, at most. Ours."""
_LEAD_IN_WORDS = 10
_LISTED_WORDS, _NAME_WORDS = 36, 2
"""Words of a line that stands before the first item of its list in a summary, of all items of a
list that stand there, and of a name that is recommended. Ours."""
_REMARK = re.compile(
    r"\A(?:yes|no|coming|not yet|none|never|nothing|ja|nein|oui|non|sí"
    r"|\w+ (?:things|reasons|ways|changes))"
    r"[.:,]\s+(?=[^\W\d_])",
    re.IGNORECASE,
)
"""What answers a question or counts before the sentence that says something."""
_LITTLE_WORDS = 16
_THIN_WORDS = 30
"""Words before the first heading that are said under the title of the deck if there are
fewer. Ours."""
_BESIDE_POINTS = 3
"""Points beside a visual. Ours."""
_SUBTITLE_WORDS = 6
"""Words of a sentence below the title of the deck. Ours."""


@dataclass(frozen=True)
class Story:
    """An outline by rules, and what of the documents it does not show."""

    outline: Outline
    coverage: Coverage


def story_of(
    sources: KnowledgeBase,
    *,
    slides: int = WRITE_SLIDES,
    title: str = "",
    focus: str = "",
    language: str = "en",
    kind: DocumentKindName | None = None,
) -> Story:
    """The outline of a deck of at most ``slides`` slides from documents, by rules alone.

    ``title`` is that of the deck, else that of the first document. ``focus`` is what the deck
    should be about: sentences with its words count five times. ``kind`` is the kind of document
    where the rules should not find it. Raises NothingToWrite where the documents hold nothing that
    can be put on a slide, ValueError for fewer than three slides.
    """
    if slides < LEAST_SLIDES:
        raise ValueError(f"a deck has at least {LEAST_SLIDES} slides")
    kind = kind or document_kind(sources)
    read = [
        topics_of(document, sources, primary_language(language)) for document in sources.documents
    ]
    topics = joined_topics([topic for part, _ in read for topic in part])
    teller = _Teller(sources, topics, language, kind=kind, slides=slides, title=title, focus=focus)
    told = teller.told()
    if not told:
        raise NothingToWrite(_NOTHING)
    outline, topics = told
    left_out = [item for _, apparatus in read for item in apparatus]
    return Story(outline, coverage_of(outline, topics, left_out, asked=slides, kind=kind))


@dataclass(frozen=True)
class _Teller:
    """Topics of documents that a deck tells."""

    sources: KnowledgeBase
    topics: Sequence[Topic]
    language: str
    kind: DocumentKindName
    slides: int
    title: str
    focus: str

    def told(self) -> tuple[Outline, list[Topic]] | None:
        """The outline, and the topics that it tells of; None if no page is made of them."""
        sources, language, kind = self.sources, self.language, self.kind
        topics = self._prepared()
        if not topics:
            return None
        visuals = Visuals(sources, language)
        topics = with_figures_where_told(topics, visuals)
        topics = [with_further_views(topic, visuals, charts=kind == "data") for topic in topics]
        title = self.title or deck_title(sources)
        name, rest = title_lines(title, _DISPLAY_CHARACTERS)
        name = title if not rest and len(title) <= _MOST_DISPLAYED else name
        cover = cover_of(sources, name)
        name, subtitle = name if language == "de" else calm(name), rest or cover.subtitle
        topics = [
            replace(topic, heading="") if is_name_of(topic.heading, name) else topic
            for topic in topics
        ]
        topics[0] = replace(topics[0], statements=tuple(
            item for item in topics[0].statements
            if not (is_name_of(item.evidence.quote, name) or item.evidence.quote in cover.texts)
        ))  # fmt: skip
        opening = None if subtitle else _opening_statement(topics)
        if opening is not None or _is_little(topics):
            topics[0] = replace(topics[0], statements=())
        topics = [topic for topic in topics if not topic.is_empty]
        first = topics[0] if topics and not topics[0].heading else None
        told = first if first and (_answers(first) or kind == "memo") else None
        topics.sort(key=lambda topic: (
            topic.role == "appendix", topic is not told, comes_first(topic.role, kind)
        ))  # fmt: skip
        if not any(_says_something(part) for topic in topics for part in topic.walk()):
            return None
        writer = _StoryWriter(
            visuals, topics, weighed(topics, kind, self.focus), language, kind=kind,
            names=self._names(topics),
        )  # fmt: skip
        pages, summary = writer.pages(self.slides - 1)
        said = () if opening is None else (opening.evidence,)
        outline = Outline(
            title=name, subtitle=opening.text if opening else subtitle, language=language,
            pages=(OutlinePage(role="opening", title=name, evidence=said), *summary, *pages),
        )  # fmt: skip
        return (outline, topics) if pages else None

    def _prepared(self) -> list[Topic]:
        """The topics with their sentences whole, and the decisions and tasks of minutes as rows."""
        topics, kind = [*map(in_full, self.topics)], self.kind
        if kind == "minutes" and topics:
            words = fixed_words(self.language)
            named: dict[SectionRole, str] = {"decisions": words.decisions, "actions": words.actions}
            recorded = [
                topic for topic in gathered_topics(topics, named)
                if topic.heading in named.values() and len(topic.steps) > 1
            ]  # fmt: skip
            topics = [*topics, *recorded]
        short = is_short(topics, self.slides - 1)
        if kind == "faq":
            topics = [*map(with_questions, topics)]
        units = topics if short else map(with_units, topics)
        topics = [with_tasks(topic, whole=short) for topic in units]
        names = self._names(topics)
        topics = [with_options_known(topic, names) for topic in topics]
        if kind not in CODE_KINDS:
            topics = [without_examples(topic) for topic in topics]
        return topics

    def _names(self, topics: Sequence[Topic]) -> dict[str, str]:
        """Names of options by their letters or numbers."""
        cells = (cell for table in self.sources.tables for cell in table.rows[0])
        return option_names(topics, cells)


def _says_something(topic: Topic) -> bool:
    """Whether a topic has a visual, or a sound statement of three words or more."""
    told = (item.words >= _LEAST_SAID and not item.flaw for item in topic.statements)
    return bool(topic.visuals) or any(told)


def _answers(topic: Topic) -> bool:
    """Whether a text says what its answer is, as in "Short version: ..."."""
    sound = (item.evidence.quote for item in topic.statements if not item.flaw)
    return any("answer" in roles_of(quote) for quote in sound)


def _is_little(topics: Sequence[Topic]) -> bool:
    """Whether the text before the first heading is a remark of a few words."""
    own = [item for item in topics[0].statements if not item.flaw] if len(topics) > 1 else []
    return bool(own) and not topics[0].heading and sum(i.words for i in own) < _LITTLE_WORDS


def _opening_statement(topics: Sequence[Topic]) -> Statement | None:
    """The first short sentence before the first heading, which is said under the title of the deck,
    if the few words there fill no page; None if there is none."""
    if len(topics) < 2 or topics[0].heading or topics[0].visuals or topics[0].parts:
        return None
    own = [item for item in topics[0].statements if not item.flaw]
    if sum(item.words for item in own) >= _THIN_WORDS:
        return None
    fit = [item for item in own if len(item.text) <= SUBTITLE_CHARACTERS and is_plain(item.text)]
    return max(fit, key=lambda item: min(item.words, _SUBTITLE_WORDS), default=None)


class _StoryWriter:
    def __init__(
        self,
        visuals: Visuals,
        topics: Sequence[Topic],
        weights: Weighed,
        language: str,
        *,
        kind: DocumentKindName,
        names: Mapping[str, str],
    ) -> None:
        self._topics, self._weights, self._kind = topics, weights, kind
        self._names = names
        self._visuals = visuals
        self._words = fixed_words(language)
        self._owners = {
            at: part for topic in topics for part in topic.walk() for at in weights.of(part)
        }
        self._pointed = PointWriter(weights, self._owners, self._words)
        self._titler = PageTitles(
            weights, visuals, self._owners, self._words, self._pointed, names, kind=kind
        )

    def pages(self, room: int) -> tuple[list[OutlinePage], list[OutlinePage]]:
        """The body of the deck, and contents and summary that stand before it."""
        gist = summary_of(self._weights, self._owners, self._kind).chosen
        self._titler.gist = frozenset(gist)
        if is_short(self._topics, room):
            parts, brief = self._with_brief(gist, room)
            return self._written(parts), [brief] if brief else []
        summary, said = self._summary(room) if room + 1 >= _ROOM_FOR_SUMMARY else ([], set())
        listed = room + 1 >= _ROOM_FOR_CONTENTS and len(self._topics) >= _LEAST_SECTIONS
        room -= len(summary) + listed
        parts = self._told(room, said)(room)[0] or self._told(room)(room)[0]
        contents = self._contents(parts, bool(said)) if listed else []
        return self._written(parts), [*contents, *summary]

    def _written(self, parts: Sequence[PagePart]) -> list[OutlinePage]:
        """The pages, whose titles know which statements the others have."""
        self._titler.told = frozenset(at for part in parts for at in part.statements)
        return [self._page(part) for part in parts]

    def _told(
        self, room: int, said: Collection[int] = ()
    ) -> Callable[[int], tuple[list[PagePart], float]]:
        return told_on_pages(
            self._topics, self._weights, self._visuals, self._kind, most=room, said=said
        )

    def _with_brief(
        self, gist: Sequence[int], room: int
    ) -> tuple[list[PagePart], OutlinePage | None]:
        """The pages of a short document, and the one that says it in short if that costs little."""
        told = self._told(room)
        parts, price = told(room)
        brief = self._brief(gist) if len(parts) >= _LEAST_TOLD else None
        if brief and len(parts) == room > 1:
            fewer, dearer = told(room - 1)
            costs_little = dearer - price < _WORTH_SUMMARY
            parts, brief = (fewer, brief) if costs_little else (parts, None)
        self._titler.titles |= {brief.title.casefold()} if brief else set()
        return parts, brief

    def _brief(self, gist: Sequence[int]) -> OutlinePage | None:
        """The requests and findings of a short document; None if it begins with these itself, or
        has few."""
        chosen = [
            at for at in gist if self._weights.roles[at] & (ASKED | TELLING)
            and ("answer" in self._weights.roles[at] or self._owners[at].role != "background")
        ]  # fmt: skip
        told = any(self._weights.roles[at] & (ASKED | FOUND) for at in chosen)
        stated = any(topic.role == "summary" for topic in self._topics)
        begins = next((topic for topic in self._topics if not _is_remark(topic)), self._topics[0])
        first = set(self._weights.of(begins))
        opens = not begins.heading or 2 * len(first.intersection(chosen)) > len(chosen)
        if len(chosen) < _FEWEST or not told or stated or opens:
            return None
        points = tuple(map(self._summed_point, chosen[:_MOST_BRIEF]))
        return OutlinePage(title=self._words.summary, points=points)

    def _contents(self, parts: Sequence[PagePart], summed: bool) -> list[OutlinePage]:
        """The page that lists the sections that have pages; none for few or many, and no appendix
        on it, nor what the summary says."""
        told_of = {part.group.section for part in parts}
        told_of |= {topic.heading for part in parts for topic in part.topics}
        unnamed = {"appendix", "summary"} if summed else {"appendix"}
        names = [
            topic.heading for topic in self._topics
            if topic.heading and topic.heading in told_of and topic.role not in unnamed
        ]  # fmt: skip
        if not _LEAST_SECTIONS <= len(names) <= _MOST_ENTRIES:
            return []
        points = tuple(OutlinePoint(text=title_head(name, CONTENTS_CHARACTERS)) for name in names)
        return [OutlinePage(role="contents", title=self._words.contents, points=points)]

    def _summary(self, room: int) -> tuple[list[OutlinePage], set[int]]:
        """What was found, decided and asked for, and which statements need no further page."""
        pages = _MOST_SUMMED if room + 1 >= _ROOM_FOR_LONG else 1
        sections = [
            {at for part in topic.walk() for at in self._weights.of(part)} for topic in self._topics
        ]
        made = summary_of(self._weights, self._owners, self._kind, pages=pages, sections=sections)
        words = sum(item.words for item in self._weights.statements if not item.flaw)
        if not made.chosen or (words <= room * USUAL_WORDS and not made.own):
            return [], set()
        self._titler.titles.add(self._words.summary.casefold())
        points = (
            self._pointed.whole(made.chosen)
            if made.further else tuple(map(self._summed_point, made.chosen))
        )  # fmt: skip
        shown = [OutlinePage(title=self._words.summary, points=points)]
        for number, run in enumerate(made.further, start=2):
            counted = (
                f"{self._words.summary} ({number} {self._words.out_of} {len(made.further) + 1})"
            )
            at = self._titler.of_summary(run)
            claim = None if at is None else self._weights.statements[at]
            title = self._titler.unused([claim.text if claim else "", counted])
            claim = claim if title != counted else None
            points = self._pointed.whole([other for other in run if other != at or not claim])
            evidence = (claim.evidence,) if claim else ()
            shown.append(OutlinePage(title=title, evidence=evidence, points=points))
        if made.further:
            return shown, set(made.own)
        return shown, set(made.own) | {*made.chosen} | self._whole_in(made.chosen)

    def _whole_in(self, chosen: Collection[int]) -> set[int]:
        """The statements of topics that a summary says whole, so that no page repeats them."""
        whole: set[int] = set()
        for topic in {id(self._owners[at]): self._owners[at] for at in chosen}.values():
            sound = {at for at in self._weights.of(topic) if not self._weights.statements[at].flaw}
            plain = not (topic.visuals or topic.steps or topic.parts)
            whole |= sound if plain and topic.heading and sound.issubset(chosen) else set()
        return whole

    def _summed_point(self, at: int) -> OutlinePoint:
        """A statement in the summary: an item behind the line that announces its list, options
        with their names."""
        point, above = self._pointed.point(at), self._pointed.announcement(at)
        topic = self._owners[at]
        text = _REMARK.sub("", point.text, count=1)
        text = text[:1].upper() + text[1:]
        bare = word_count(text.partition(",")[0]) <= _NAME_WORDS
        if topic.role == "recommendation" and above is None and bare:
            text = f"{topic.heading}: {text}"
        point = point.model_copy(update={"text": text})
        lead = self._weights.statements[above].text if above is not None else topic.heading
        listed = above is not None or all(item.item for item in topic.statements)
        roles = self._weights.roles[at] | (self._weights.roles[above] if above else frozenset())
        asked = self._weights.statements[at].item and roles & ASKED
        if lead and listed and asked and word_count(lead) <= _LEAD_IN_WORDS:
            items = self._weights.items_of(above) if above is not None else self._weights.of(topic)
            listed_words = accumulate(self._weights.statements[item].words for item in items)
            fits = sum(words <= _LISTED_WORDS for words in listed_words)
            said = [self._weights.statements[item] for item in items][: max(1, fits)]
            if above is not None:
                said = [self._weights.statements[at]]
            lead = lead.rstrip(" :：")
            texts = [
                item.text
                if item.text[1:2].isdigit() or item.text[1:2].isupper()
                else f"{item.text[:1].lower()}{item.text[1:]}"
                for item in said
            ]
            text = f"{lead}{' ' if ends_open(lead) else ': '}{'; '.join(texts)}"
            before = [self._weights.statements[above].evidence] if above is not None else []
            evidence = (*before, *(item.evidence for item in said))
            point = OutlinePoint(text=text, evidence=evidence)
        return point.model_copy(update={"text": with_names(point.text, self._names)})

    def _page(self, part: PagePart) -> OutlinePage:
        heading, section = self._titler.heading_of(part)
        if part.steps:
            rows = bool(part.steps[0].cells)
            whole = len(part.steps) == len(part.topics[0].steps)
            title = self._titler.unused(
                chain([heading] if whole else [], self._titler.plain_titles(part))
            )
            points, header = filled_columns(part.steps, self._columns(part))
            long = max(len(point.label) for point in points) > _CARD_NAME
            listed: PageForm = "table" if rows else "cards"
            if not rows and (len(points) > _MOST_CARDS or long):
                points, listed = tuple(map(labelled_text, points)), "points"
            return OutlinePage(
                title=title, section=section, points=points, form=listed,
                header=header if rows else (),
            )  # fmt: skip
        points, form = self._pointed.points_of(part, part.statements, heading)
        claim, title = None, ""
        if form == "change":  # its numbers need the sentence that they are from, or a heading
            changed = changed_words(points[0]) or claim_text(points[0].text)
            title = self._titler.unused([changed]) if changed else ""
        else:
            claim = self._titler.claim(part, heading) if form not in _APART else None
        if claim is None and part.visual and self._kind not in LOOKED_UP:
            data = self._kind == "data"
            stated = self._visuals.caption(part.visual, stated=True) if data else ""
            title = self._titler.unused([self._visuals.claim(part.visual, ranks=data), stated])
        if claim is not None:
            title = self._titler.unused([claim[1]])
            beyond = self._titler.goes_beyond(*claim)
            rest = [at for at in part.statements if at != claim[0] or beyond]
            points, form = self._pointed.points_of(part, rest, heading)
        points = few_points(points, _BESIDE_POINTS) if part.visual else points
        if part.code and form == "points":
            points, form = self._with_code(part.code, points), "code"
        drawn = part.visual is not None and part.visual.kind == "figure" and not points
        first = [self._visuals.caption(part.visual)] if part.visual and drawn else []
        headed = [self._titler.counted(part, heading), heading]
        title = title or self._titler.unused(chain(first, headed, self._titler.plain_titles(part)))
        shown = title if claim else title_lines(title)[0]
        return OutlinePage(
            title=shown, evidence=(self._weights.statements[claim[0]].evidence,) if claim else (),
            topic="" if shown.startswith(heading[:_LEAST_ALIKE]) or ends_open(heading)
            or heading in (self._words.overview, self._words.notes) else heading,
            section=section, points=points, form=form, visual=part.visual,
        )  # fmt: skip

    def _columns(self, part: PagePart) -> tuple[str, ...]:
        """The header of rows: of tasks, of terms, or of dates with what happened on them."""
        if not part.topics[0].lists_terms:
            return self._words.tasks
        kinds = [{item.kind for item in parse_numbers(step.label)} for step in part.steps]
        dated = all(found & {"date", "year"} for found in kinds)
        return (self._words.date, self._words.tasks[1]) if dated else self._words.terms

    def _with_code(
        self, code: OutlinePoint, points: tuple[OutlinePoint, ...]
    ) -> tuple[OutlinePoint, ...]:
        """The points of a page with the code beside them, behind the sentence that announces it."""
        lead = code.model_copy(update={"text": f"{code.label}:", "label": "", "cells": ()})
        known = any(point.text.startswith(code.label) for point in points)
        leads = () if known or not code.label else (lead,)
        return (*points, *leads, code.model_copy(update={"label": "", "evidence": ()}))


def _is_remark(topic: Topic) -> bool:
    """Whether a text has only a few words."""
    words = sum(item.words for item in topic.statements if not item.flaw)
    return words < _THIN_WORDS and not (topic.visuals or topic.steps)
