"""The title of a page: a sentence of its section that says what counts, the claim of its table or
figure, else its heading; no two alike."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from decklab.core.options import DocumentKindName
from decklab.documents.numbers import parse_numbers
from decklab.documents.sentences import word_count
from decklab.documents.shortening import ends_open, lacks_verb
from decklab.linting.rules.written import SlideWords, remarks
from decklab.writer.outline import VisualRef
from decklab.writer.ranking import sentence_words
from decklab.writer.story.importance import Weighed, has_fact
from decklab.writer.story.kinds import section_role
from decklab.writer.story.material import Topic
from decklab.writer.story.options import with_names
from decklab.writer.story.paging import PagePart, heads
from decklab.writer.story.points import HEADED, PointWriter
from decklab.writer.story.roles import ASKED, TELLING
from decklab.writer.story.titles import CLAIM_CHARACTERS, claim_text, lead_title, states, title_head
from decklab.writer.story.visuals import Visuals
from decklab.writer.table_series import without_label
from decklab.writer.wording import FixedWords

_STANDS = 0.7
_GENERAL = frozenset({"summary", "background", "findings", "conclusion"})
"""Roles whose headings name no subject: any first sentence says more."""
_ASKS_ONLY = re.compile(
    r"(?:the )?(?:why|how|what|when|where|who|reasons?|causes?|warum|wie|was|gründe|ursachen?"
    r"|pourquoi|por qué)(?: it matters| this matters| now)?[?:.]?", re.IGNORECASE,
)  # fmt: skip
"""Headings that name no subject."""
_MOST_OF = 0.6
"""The share of a statement that a title has of it, so that the page need not say it again. Ours."""
_TITLE_WORDS = 16
"""Words of a sentence that is the title of a page, at most. Ours."""
LOOKED_UP = frozenset({"manual", "how-to", "faq", "minutes"})
"""Kinds whose headings are what a reader looks for."""
_COUNTS = frozenset({"percent", "money", "count", "range"})
"""Kinds of numbers that say what a section is about; a date alone does not."""
_POINTS = (TELLING | ASKED) - {"deadline", "cost"}
"""Roles of sentences that say the point of their section."""
_SAYS = ASKED | {"answer", "decision", "recommendation"}
"""Roles of sentences that are titles also if they do not open their page."""
_WITHOUT_POINT = frozenset({"actions", "options", "risks", "aside", "appendix"})
"""Roles of sections of which one sentence does not say what the others do."""
_LEAST_BELOW = 3
"""Statements of a page, a table or figure counted, of which one is the title. Ours."""
_OPENS, _TELLS = 1.5, 1.5
"""How much rather a title is what opens its page, what the summary says, and what came out, is
asked for, or has a number. Ours."""
_SIDE_TITLE = 28
_BARE_WORDS = 3
"""Words of the heading of a part that stands behind that of its section over a table. Ours."""
CONTENTS_CHARACTERS = 56
"""Of a line of the contents, and of the headings of a section and its part as one title. Ours."""


@dataclass
class PageTitles:
    """Finds the titles of the pages of a deck, and remembers those that are taken."""

    weights: Weighed
    visuals: Visuals
    owners: Mapping[int, Topic]
    words: FixedWords
    pointed: PointWriter
    names: Mapping[str, str]
    """Of options, by their letters or numbers."""
    kind: DocumentKindName = field(kw_only=True)
    titles: set[str] = field(default_factory=set)
    """Titles that pages have, in small letters."""
    gist: frozenset[int] = frozenset()
    """Statements that a summary of the document would have."""
    told: frozenset[int] = frozenset()
    """Statements that are on pages."""

    @cached_property
    def _recurring(self) -> frozenset[str]:
        """Headings of several topics, which name no subject."""
        topics = {id(topic): topic for topic in self.owners.values()}.values()
        headings = Counter(topic.heading for topic in topics)
        return frozenset(heading for heading, count in headings.items() if count > 1)

    def is_headed(self, part: PagePart) -> bool:
        """Whether the heading says best what a page is: a question, a step, an item of minutes, or
        several topics side by side."""
        heading = self.heading_of(part)[0]
        named = heading != self.words.overview
        asks = heading.endswith(("?", "？")) or (self.kind in HEADED and named)
        asks = asks or (self.kind == "minutes" and part.visual is None)
        return not ends_open(heading) and (asks or part.group.side_by_side)

    def heading_of(self, part: PagePart) -> tuple[str, str]:
        """The heading that is true of a whole page, and its section."""
        group = part.group
        top = heads(part.topics)
        heading = group.heading
        if len(top) == 1:
            heading = top[0].heading or heading
        elif group.side_by_side:
            names = [title_head(t.heading, _SIDE_TITLE) for t in top if t.heading]
            asked = all(name.endswith(("?", "？")) for name in names)
            heading = " ".join(names) if asked else _listed(names, self.words.joining)
        caption = self.visuals.caption(part.visual) if part.visual else ""
        if not heading and any("answer" in self.weights.roles[at] for at in part.statements):
            heading = self.words.summary
        bare = heading.islower() and " " not in heading  # the name of an option
        brief = part.visual is not None and word_count(heading) <= _BARE_WORDS
        both = f"{group.section}: {heading}"
        apart = group.section not in ("", heading) and not _shared_words(group.section, heading)
        if (bare and group.section != heading) or (
            apart and brief and len(both) <= CONTENTS_CHARACTERS
        ):
            heading = both  # by itself it says too little
        plain = self.words.notes if self.kind == "data" else self.words.overview
        return without_label(heading) or caption or plain, group.section

    def plain_titles(self, part: PagePart) -> Iterator[str]:
        """Titles for a page whose heading another page has."""
        heading = self.heading_of(part)[0]
        if part.visual:
            caption = self.visuals.caption(part.visual)
            both = f"{part.topics[0].heading}: {caption}"
            table = part.visual.kind == "table"
            goes_on = table and bool(part.visual.view)  # the title of its first page is taken
            both = both if table and caption and len(both) <= CONTENTS_CHARACTERS else caption
            yield "" if goes_on else both
        if part.steps and not part.topics[0].lists_terms:
            shown = range(part.first, part.first + len(part.steps))
            yield self._counted(heading, shown, len(part.topics[0].steps))
        yield self.counted(part, heading)
        names = [topic.heading for topic in part.topics if topic.heading != heading]
        asked = all(name.endswith(("?", "？")) for name in names)
        several = len(part.topics) > 1 and bool(names) and not self._recurring.issuperset(names)
        sides = (
            (" ".join(names) if asked else _listed(names, self.words.joining)) if several else ""
        )
        yield sides if len(sides) <= CLAIM_CHARACTERS else ""
        name = self.pointed.label_of(part.statements)
        asked = heading.endswith(("?", "？"))
        yield f"{heading}: {name}" if name and not asked else f"{heading} ({self.words.continued})"
        yield from (f"{heading} ({number})" for number in range(2, len(self.owners) + 3))

    def _counted(self, heading: str, places: Sequence[int], last: int) -> str:
        """A heading with the numbers of the items of its list that a page shows."""
        numbers = f"{places[0]}–{places[-1]}" if len(places) > 1 else str(places[0])
        return f"{heading} ({numbers} {self.words.out_of} {last})"

    def counted(self, part: PagePart, heading: str) -> str:
        """The same for a page with some items of the only list of its section, if other pages have
        the others; empty for others."""
        topic, shown = part.topics[0], set(part.statements)
        items = [at for at in self.weights.of(topic) if self.weights.statements[at].item]
        places = [place for place, at in enumerate(items, start=topic.first_item) if at in shown]
        lists = {self.pointed.announcement(at) for at in items}
        if len(part.topics) > 1 or len(lists) > 1 or not 0 < len(places) < len(items):
            return ""
        if not self.told.issuperset(items):
            return ""
        only = self.weights.statements[items[places[0] - topic.first_item]]
        if len(places) == 1 and only.name and f"{only.name}:" in only.text:
            return f"{heading}: {only.name}"
        return self._counted(heading, places, topic.first_item + len(items) - 1)

    def unused(self, titles: Iterable[str]) -> str:
        """The first of some titles that no page has; it is taken with that."""
        for title in titles:
            if title and title.casefold() not in self.titles:
                self.titles.add(title.casefold())
                return title
        return ""

    def told_of_table(self, part: PagePart) -> tuple[int, str] | None:
        """The statement of its own section that says what a table shows, and how it is a title;
        None where none does. It names rows and columns, and is no caveat."""
        if part.visual is None or part.visual.kind != "table" or part.visual.view:
            return None
        weights, best = self.weights, [(0.0, 0, "")]
        own = (at for topic in part.topics for at in weights.of(topic))
        for at in own:
            roles = weights.roles[at]
            title = self._title_of(at, sentence=True)
            if not states(title):
                continue
            named = self.visuals.named(title, part.visual)
            topic = self.owners[at]
            caption = f"{topic.heading} {self.visuals.caption(part.visual)}"
            shared = _shared_words(title, caption) if has_fact(title) else 0
            if shared > 1 and at == weights.of(topic).start:
                named = max(named, shared)
            if named > 1 and (roles & TELLING or shared):
                best.append((named * weights.scores[at], at, title))
        _, at, title = max(best)
        return (at, title) if title else None

    def told_of_figure(self, part: PagePart) -> tuple[int, str] | None:
        """The statement that says what a figure shows, and how it is a title: the first one that
        follows a reference to the figure; None where none makes one."""
        if part.visual is None or part.visual.kind != "figure":
            return None
        for at in self.visuals.findings(part.visual, self.weights):
            title = self._title_of(at, sentence=True, behind=True)
            if title and states(title):
                return at, title
        return None

    def goes_beyond(self, at: int, title: str) -> bool:
        """Whether a statement says much that a title made of it does not."""
        return len(title) < _MOST_OF * len(self.weights.statements[at].text)

    def _title_of(self, at: int, *, sentence: bool, behind: bool = False) -> str:
        """A statement as a title; empty where it makes none that is understood alone, or ``behind``
        what it refers to."""
        item = self.weights.statements[at]
        title = claim_text(item.text, sentence=sentence)
        named = with_names(title, self.names)
        title = named if len(named) <= CLAIM_CHARACTERS else title
        if not title or item.flaw or item.opens_list or title[0].islower():
            return ""
        if (
            item.standing < _STANDS
            or (item.needs_before and not behind)
            or title.casefold() in self.titles
        ):
            return ""
        unheard = "caveat" in self.weights.roles[at] or self.pointed.announcement(at) is not None
        return "" if unheard or any(remarks(SlideWords(title, ()))) else title

    def claim(self, part: PagePart, heading: str) -> tuple[int, str] | None:
        """The statement that is the title of a page, and how: of the page of a table or figure what
        says what that shows, else what says the point of its section: what opens it, what the
        summary of the document has, what came out, is asked for or costs. None if the heading is
        the title, as over a list, several sections, or in kinds whose headings are looked up."""
        weights, shown = self.weights, part.statements
        told = self.told_of_table(part) or self.told_of_figure(part)
        alone = len({id(self.owners[at]) for at in shown}) == 1
        listed = sum(weights.statements[at].item for at in shown) > 1
        if told or not alone or len(shown) + bool(part.visual) < _LEAST_BELOW:
            return told
        again = heading.casefold() in self.titles or heading == self.words.overview
        again = again or _ASKS_ONLY.fullmatch(heading) is not None
        looked_up = self.kind in LOOKED_UP and heading != self.words.overview
        if looked_up or (self.is_headed(part) and not again):
            return None
        first = weights.statements[shown[0]]
        if self.owners[shown[0]].heading and self.pointed.is_label(shown[0], shown, ended=True):
            return shown[0], first.text
        little = again or section_role(heading) in _GENERAL
        best = [(self._says_point(at, part, again=again, little=little), -at, title)
                for at in (shown[:1] if listed else shown)
                if (title := self._whole_title(at, part))]  # fmt: skip
        worth, at, title = max(best, default=(0.0, 0, ""))
        if worth:
            return -at, title
        if heading != self.words.overview or part.visual:
            return None
        lead = lead_title(first.text)
        return (shown[0], lead) if states(lead) or f"{lead}:" in first.text or ":" in lead else None

    def of_summary(self, run: Sequence[int]) -> int | None:
        """The statement of a page of the summary that is its title; None if there is none."""
        leaned = {at - 1 for at in run if self.weights.statements[at].needs_before}
        fit = (
            at for at in run
            if at not in leaned and not self.weights.statements[at].needs_after
            and not (at + 1 in run and self.weights.is_of_item(at + 1))
            and not self.weights.statements[at].opens_list
            and word_count(title := self._title_of(at, sentence=True)) <= _TITLE_WORDS
            and title == self.weights.statements[at].text
            and (has_fact(title) or self.weights.roles[at] & _POINTS)
        )  # fmt: skip
        return max(fit, key=lambda at: self.weights.scores[at], default=None)

    def _whole_title(self, at: int, part: PagePart) -> str:
        """A statement of a page as its title if it is one as it stands, and about what is shown."""
        item, title = self.weights.statements[at], self._title_of(at, sentence=True)
        whole = bool(title) and item.text.endswith(title[1:]) and not item.item
        fits = whole and word_count(title) <= _TITLE_WORDS and not lacks_verb(f"the {title}")
        return title if fits and self._is_of_page(title, at, part) else ""

    def _is_of_page(self, title: str, at: int, part: PagePart) -> bool:
        """Whether a title is about what a page shows; what opens it names something of a table."""
        if part.visual is None or self._speaks_of(title, part.visual):
            return True
        opens = at == part.statements[0] and part.visual.kind == "table"
        return opens and self.visuals.named(title, part.visual) > 0

    def _says_point(self, at: int, part: PagePart, *, again: bool, little: bool) -> float:
        """How well a statement says the point of its page; 0 for one that does not. The heading of
        the page is that of one before (``again``), or says ``little``."""
        weights, roles = self.weights, self.weights.roles[at]
        opens = at == part.statements[0]
        counts = any(
            number.kind in _COUNTS for number in parse_numbers(weights.statements[at].text)
        )
        tells = bool(roles & _POINTS) or counts
        says = (opens and (tells or little)) or (at in self.gist and roles & _SAYS)
        if not (says or (again and tells)):
            return 0.0
        if self.owners[at].role in _WITHOUT_POINT and not again:
            return 0.0
        worth = weights.scores[at] * (_OPENS if opens else 1.0) * (_TELLS if tells else 1.0)
        return worth * (_TELLS if at in self.gist else 1.0)

    def _speaks_of(self, title: str, visual: VisualRef) -> bool:
        """Whether a title is about what a figure shows, or names things that a table shows."""
        if visual.kind == "figure":
            return self.visuals.is_about(title, visual)
        return self.visuals.named(title, visual) > 1


def _shared_words(first: str, second: str) -> int:
    """How many words two titles have in common, by the first five letters."""
    both = (
        {word.rstrip("s")[:5] for word in sentence_words(text) if len(word) > 3}
        for text in (first, second)
    )
    return len(set.intersection(*both))


def _listed(names: Sequence[str], joining: str) -> str:
    """Names as one title: A, B and C."""
    *before, last = [*filter(None, names)] or [""]
    clear = joining and before and not any(f" {joining} " in name for name in names)
    return f"{', '.join(before)} {joining} {last}" if clear else " · ".join(names)
