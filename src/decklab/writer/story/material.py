"""What documents offer for slides: topics (a heading and what stands below it) with statements,
steps, tables and figures, as a tree in the order of the documents."""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, takewhile
from typing import Final

from decklab.documents.bylines import CONTACT
from decklab.documents.knowledge import KnowledgeBase
from decklab.documents.model import Document, DocumentBlock
from decklab.documents.numbers import parse_numbers
from decklab.documents.quotes import SearchableText
from decklab.documents.sections import DocumentSection, document_sections
from decklab.documents.sentences import sentences, word_count
from decklab.documents.shortening import (
    FRAGMENT,
    is_fragment,
    lacks_verb,
    leans_back,
    point_text,
    standing,
)
from decklab.linting.rules.written import SlideWords, remarks
from decklab.writer.outline import Evidence, OutlinePoint, VisualRef
from decklab.writer.story.kinds import HEADER_LINE, OF_MEETING, SectionRole, section_role
from decklab.writer.story.lists import numbered_items, with_announced_lists
from decklab.writer.story.roles import (
    ASKED,
    EXCLAMATION,
    is_aside,
    is_letterhead,
    is_salutation,
    roles_of,
)

_MARKER = re.compile(r"^(?:\(?(?:\d{1,2}|[a-z])[.)]|[^\w\s\"'“(\[§$€£])\s+")
_CLAUSE = re.compile(r"^\s*\d{1,2}\.\d{1,2}(?:\.\d{1,2})?\s+(?=[\"“]?[^\W\d_a-zß-ÿ])")
"""The number of a paragraph in rules and reports."""
_ITEM_WORDS = 34
"""Of an item of a list that is one point, however many sentences it has. Ours."""
_SHORT_ITEM = 14
"""Words of items that are told only together, at the mean. Ours."""
_ANSWER = re.compile(r"(?:A|R)[.:]\s+(?=\S)")
"""The mark of the answer to a question."""
_AND = re.compile(r"\s*[,;]?\s+(?:and|or|und|oder|et|ou|y|o)\Z")
"""How an item of a list ends before the last one."""
ADDRESS: Final = 0.1
"""How well a mere address stands by itself. Ours."""
_ADDRESS = re.compile(r"(?:https?://\S+[\s/]*)+\Z|(?:See|Siehe|Voir|Véase) \S+\Z")
_CUT_END = re.compile(r"\b(?:in|of|by|from|see|cf|e\.g)\.?\Z")
"""How a sentence ends behind which a reference was left out."""
_ASIDE: Final = "it is an aside"
_CODE_SIGN = re.compile(
    r"[=({;]|^\s*(?:[$@#%>]\s?\w|import\b)|\[[A-Z]|(?:\A|\s)(?:--?|\.{0,2}/)\w|\S\s{2,}\d+\s*\Z"
)
"""Signs of lines of code: signs, a prompt, a placeholder, an option, a path, or, apart from the
rest, a value. Ours."""
_LEAD_WORDS = 3
_FORMULA = re.compile(r"[α-ωΑ-Ω√∑∏ˆ˜≤≥∈∞·]|\(\d{1,2}\)\W*\Z|[|;][^|;]{0,4}[|;].*[|;]")
"""Signs of formulas, their numbers, and rows of drawn tables, which were read as code."""
_CODE_LINES, _CODE_WIDTH = 17, 72
"""Lines of code that stand beside words, and characters of these, at most. Ours."""
_BEHIND_CODE = 12
"""Words of a sentence without a subject, which is the code before it. Ours."""
_COMMAND = 90
"""Characters of a command that stands behind the sentence that announces it. Ours."""
_END_MARK = re.compile(r"[.!?…。！？][\"'”’»)\]]*\s*$")
_PAUSE = re.compile(r"[.!?…。！？:;][\"'”’»)\]]*\s*$")
_TORN = re.compile(r"(?:or|and|which|where|with|whose|that|but|as|is|are|of|in|for|to)\b")
"""How the rest of a sentence begins that a formula or a stop has torn, in small letters."""
_COUNTS = re.compile(
    r"\b(two|three|four|five|six|seven|several|following|threefold|twofold|zwei|drei|vier|fünf|"
    r"deux|trois|quatre|dos|tres|cuatro)\b.*\b(?:types?|options?|reasons?|limitations?|questions?|"
    r"contributions?|kinds?|ways?|steps?|gaps?|points?|parts?|groups?|tiers?|phases?|are open|"
    r"conditions?|cooperatives|risks?|measures?|layout|variables?|forms?|ideas?|insights?|rules?|"
    r"findings?|stages?|problems?|components?|goals?|purposes?|principles?|answers?|things|changes|"
    r"matter|threefold|arten|gründe|fragen|schritte|types|raisons|étapes|tipos|razones|pasos)\b",
    re.IGNORECASE,
)
"""A statement that counts what the next ones name, and says little without them."""
_COUNTED = re.compile(r"(?:the\s)?(three|four|five|six|seven)\s(?:\w+\s)?\w+s\s", re.IGNORECASE)
"""How a short sentence begins that counts what the next ones name."""
_POINTS_ON = re.compile(r"\b(?:these|as follows|(?:the )?following|below)\W*\Z", re.IGNORECASE)
_AMOUNTS: Final = {
    "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "threefold": 3, "drei": 3, "vier": 4,
    "fünf": 5, "trois": 3, "quatre": 4, "tres": 3, "cuatro": 4,
}  # fmt: skip
_COUNTING = 12
"""Words of a sentence that does nothing but count, at most. Ours."""
SAYS_LITTLE: Final = 8
"""Words of a sentence that opens a passage and says little without the next one. Ours."""
_CORRECTS = re.compile(
    r"\b(?:true|right|correct|actual|richtige\w*) "
    r"(?:figure|number|cost|value|amount|one|Zahl|Betrag)\b"
    r"|\bthat (?:figure|number) (?:is|was) wrong\b",
    re.IGNORECASE,
)
"""Words that call the sentence before not right."""
_ASKS = re.compile(
    r"[?？]\s*$|\b(?:asked|wanted to know|fragte\w*|a demandé|preguntó)\b", re.IGNORECASE
)
_LISTED_TOGETHER = 12
"""Items of a list that are told together though nothing announces them. Ours."""
_NAME_END = re.compile(r":\s(?![^\[\]]*\])|\s[–—-]\s|\s\(|, (?:which|that|where)\b|[.;]\s")
_NAME_WORDS = 6
_ABBREVIATION, _INITIALS = 5, 3
TERM_CELLS: Final = 2
"""Cells of the row of a term: its name and what it means."""
_HAS_DIGIT = re.compile(r"\d")
_REMARK = 3
"""Words of a sentence that is said with the one before. Ours."""
_MARKED = re.compile(r"(?<=[.!?;,)])\s+(?=(?:ACTION|DECISION|AGREED|RESOLVED)\b[\s:])")
"""Where a decision or an action begins inside a paragraph of minutes."""
_CONCEDES: Final = re.compile(
    r"(?:this|that|it|which) (?:may|might|could|must)? ?(?:sounds?|seems?|looks?|appears?) (?!as )"
    r"|(?:one|you|some|people) (?:may|might|could) (?:think|say|ask|wonder|expect)"
    r"|(?:on paper|in theory|at first(?: sight| glance)?|so far so good)\b",
    re.IGNORECASE,
)
"""How a sentence begins that the next one takes back."""
_TAKES_BACK: Final = re.compile(
    r"(?:but|however|except|unless|yet|nor|even so|that said|none|only|aber|doch|jedoch|allerdings|"
    r"mais|cependant|pero|sin embargo)\b",
    re.IGNORECASE,
)
"""How a sentence begins that limits the one before."""
_NUMBERED: Final = re.compile(
    r"\b(?:two|three|four|five|six|seven|zwei|drei|vier|fünf)\b(?: [\w-]+)? [\w-]+(?:s|en|e)\b|"
    r"\bthere are (?:two|three|four|five|six)\b",
    re.IGNORECASE,
)
_ORDINAL: Final = re.compile(
    r"(?:the )?(?:first|second|third|fourth|fifth|last|one|another|other)(?:ly)?\b|"
    r"(?:erstens|zweitens|drittens|viertens)\b",
    re.IGNORECASE,
)
"""How a sentence counts, and how those begin that it counts."""
_ARROWS = ("->", "=>", "→", "⇒")
"""How the consequence of a sentence begins that stands with it."""
_LONG_SENTENCE = 26
"""Words of a sentence behind which no remark stands. Ours."""
_NUMBERING = re.compile(
    r"^(?:(?:chapter|part|section|kapitel|teil|chapitre|partie|capítulo|capitolo|parte)\s+"
    r"(?:\d+|[IVX]+|[A-Z])(?:\.\d+)*[.):]?|\d+(?:\.\d+)*[.):]?|(?-i:[IVX]{2,})[.):]?"
    r"|(?-i:[IVX]+|[A-Z])-(?-i:[A-Z])[.):]?"
    r"|[A-Z](?:(?:\.\d+)+[.):]?|[.):]|(?-i:(?=\s+A\s))))\s+(?=\S)",
    re.IGNORECASE,
)
"""The number of a heading; a letter alone may be a word or a name, as in "C Programming"."""


@dataclass(frozen=True)
class Statement:
    """A sentence or list item that can be a point of a slide."""

    text: str
    """Shortened."""
    evidence: Evidence
    standing: float
    """How well it can be understood by itself: 1 for well."""
    lead: bool = False
    """Whether it opens its paragraph or is an item of a list."""
    item: bool = False
    flaw: str = ""
    """The fault that lint finds in its words; such a statement is never shown."""
    needs_before: bool = False
    """Whether it leans on the statement before it, so that it is shown only with that."""
    opens_list: int = 0
    """How many of the next statements are the items that it announces."""
    needs_after: int = 0
    """How many of the next statements it counts, so that it is shown only with them."""
    goes_on: bool = False
    """Whether it belongs to the passage of the statement before it."""
    behind: frozenset[tuple[str, int]] = frozenset()
    """Kinds and numbers of the tables and figures that stand before it in its section."""
    marked: SectionRole = "other"
    """What it is marked as: a decision or an action ("DECISION: ...")."""

    @cached_property
    def words(self) -> int:
        """Its length as a slide shows it."""
        return word_count(self.text)

    @property
    def name(self) -> str:
        """Of an item what it begins with, before a colon, dash or clause; empty if it is long."""
        name = _NAME_END.split(self.text, maxsplit=1)[0].strip(" .…")
        return name if self.item and word_count(name) <= _NAME_WORDS else ""


@dataclass(frozen=True)
class Topic:
    """A heading of a document with what stands below it, up to the next heading, and its parts."""

    document: str
    heading: str
    """Cleaned of its number; empty for text before the first heading."""
    role: SectionRole = "other"
    statements: tuple[Statement, ...] = ()
    visuals: tuple[VisualRef, ...] = ()
    steps: tuple[OutlinePoint, ...] = ()
    """Rows of a table, or options and phases with their names."""
    parts: "tuple[Topic, ...]" = ()
    first_item: int = 1
    """The number of the first item of its list."""
    example: OutlinePoint | None = None
    """The first few lines of code that it shows."""
    is_numbered: bool = False
    """Whether all items of its only list have numbers in the document."""
    is_unit: bool = False
    """Whether its steps are options or phases, which are shown all or not at all."""

    def walk(self) -> "Iterator[Topic]":
        """The topic and all its parts in the order of the document."""
        yield self
        for part in self.parts:
            yield from part.walk()

    @property
    def lists_terms(self) -> bool:
        """Whether its steps are rows of terms and what they mean."""
        return bool(self.steps) and len(self.steps[0].cells) == TERM_CELLS

    @property
    def is_empty(self) -> bool:
        """Whether neither it nor a part of it has anything to show."""
        return not any(topic.statements or topic.visuals for topic in self.walk())


@dataclass(frozen=True)
class Apparatus:
    """A section that no slide shows, such as a list of references, and how much it holds."""

    document: str
    heading: str
    sentences: int


@dataclass
class _Open:
    level: int
    topic: Topic
    parts: "list[_Open]" = field(default_factory=list)

    def closed(self, title: str, above: SectionRole = "other") -> Topic:
        """The topic with its parts; a part whose heading tells no role has that of its topic, but
        not of the ``title`` of the document."""
        role = above if self.topic.role == "other" else self.topic.role
        self.topic = replace(self.topic, role=role)
        handed: SectionRole = "other" if self.topic.heading == title else role
        parts = tuple(part.closed(title, handed) for part in self.parts)
        return replace(self.topic, parts=tuple(part for part in parts if not part.is_empty))


def clean_heading(text: str) -> str:
    """A heading without its number and footnote marks, and not all in capital letters.

    >>> clean_heading("2.1 Kaplan-Meier curves"), clean_heading("A plan")
    ('Kaplan-Meier curves', 'A plan')
    >>> clean_heading("A A TALE ∗"), clean_heading("DNA"), clean_heading("C Programming")
    ('A tale', 'DNA', 'C Programming')
    >>> clean_heading("Chapitre 1. Partir du bon pied"), clean_heading("RAID10 ARRAYS")
    ('Partir du bon pied', 'RAID10 arrays')
    """
    plain = text.strip().rstrip(" *∗†‡§¶:")
    bare = _NUMBERING.sub("", plain, count=1)
    name = bare.partition(" (")[0]
    if not (name.isupper() and len(name) > _ABBREVIATION):
        return bare
    return f"{_lowered(name)}{bare[len(name) :]}"


_SESSION = re.compile(r"\s*\$ [a-z]")
"""How a record of commands begins that was read as a paragraph."""
_MENU = re.compile(r"(?:\* ?)?(?:menu|(?:table of )?contents)\s*:?", re.IGNORECASE)
"""The line over the list of the parts of a manual."""
_DAY = re.compile(
    r"\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|april|june|july|august"
    r"|september|october|november|december|jan|feb|apr|jun|jul|aug|sept?|oct|nov|dec)\b"
)


_LONG_WORD = re.compile(r"\b[^\W\d_]{5,}")
_SMALL_WORD: Final = re.compile(r"\b[a-zß-ÿ]{5,}\b")
_INSIDE_SENTENCE: Final = re.compile(r"(?<=[a-zß-ÿ,] )[A-ZÀ-Þ][a-zß-ÿ]{4,}\b")


_CLAUSE_BEGINS: Final = re.compile(
    r"(?:was|wie|wann|wo|warum|wer|welche\w*|so|hat|ist|kann|wird|muss|soll)\b", re.IGNORECASE
)
"""How a German heading begins that is a clause, whose other words are verbs as often as nouns."""


def german_heading(heading: str, document: Document) -> str:
    """A German heading in small letters with capitals where the text of the document has them; of
    words that it has not, those of a clause stay small."""
    text = " ".join(block.text for block in document.blocks if block.kind != "heading")
    nouns = set(_INSIDE_SENTENCE.findall(text))
    small = set(_SMALL_WORD.findall(text))
    clause = _CLAUSE_BEGINS.match(heading) is not None

    def cased(word: re.Match[str]) -> str:
        noun = word[0].capitalize()
        plain = word[0].lower() in small or clause
        return word[0] if word.start() == 0 or (plain and noun not in nouns) else noun

    return _LONG_WORD.sub(cased, heading)


def _lowered(heading: str) -> str:
    """A heading in capitals as a sentence has it; abbreviations with a number stay."""
    words = [word if _HAS_DIGIT.search(word) else word.lower() for word in heading.split(" ")]
    text = re.sub(r"\bi\b", "I", " ".join(words))
    text = _DAY.sub(lambda found: found[0].capitalize(), text)
    return text[:1].upper() + text[1:]


_CAPTION = re.compile(
    r"(?:table|figure|fig\.|tabelle|abbildung|abb\.|tableau|tabla|figura|表|图)\s*"
    r"(?:[\d.]+|(?-i:[A-Z]))\s*[:.：]\s",
    re.IGNORECASE,
)
"""A caption in the text, which stands below the picture or table itself."""
_FORMAL = 4
"""How often a heading stands in a document that only says what kind of text follows. Ours."""
_REGARDS = re.compile(
    r"\b(?:yours|regards|wishes|grüße[n]?|salutations|cordialement|saludos)\b", re.IGNORECASE
)
_CLOSING_BLOCKS, _CLOSING_WORDS, _REGARDS_WORDS = 10, 14, 8
"""Blocks at the end of a document among which a letter closes, words of such a line, and of a
greeting. Ours."""
_NAMED_BLOCKS = 4
_NAME = re.compile(r"(?:[A-ZÀ-Þ][\w.'’-]*\s?){1,3}")
"""A name alone in a line."""
_LATE = 2
"""Topics that tell something, after which a summary is the conclusion. Ours."""
_ROMAN = re.compile(r"^[IVX]{2,}[.:]?\s+(?=[A-Z])")
_SINGLE_ROMAN = re.compile(r"^[IVX][.:]?\s+(?=[A-Z])")
_LEAST_ROMAN = 2


def _roman(headings: Sequence[str]) -> bool:
    """Whether headings are numbered with Roman numbers, so that a letter I, V or X is one too."""
    return sum(bool(_ROMAN.match(heading.strip())) for heading in headings) >= _LEAST_ROMAN


_ALONE = frozenset({"front", "notice"})
"""Parts that, above all others, stand above what belongs to the document: a letter-head below the
title, a notice."""


def topics_of(
    document: Document, sources: KnowledgeBase, language: str = "en"
) -> tuple[list[Topic], list[Apparatus]]:
    """The topics of a document as trees, without empty ones, and the sections that are apparatus.

    ``language`` is that of its sentences. A single heading above all others is the title of the
    document and no topic: its parts are given, after what stands directly below it.
    """
    root = _Open(0, Topic(document.name, ""))
    path = [root]
    left_out: list[Apparatus] = []
    hidden: int | None = None
    roman = _roman([block.text for block in document.headings])
    headings = Counter(clean_heading(block.text) for block in document.headings)
    shouted = sum(block.text.isupper() for block in document.headings) > _LEAST_ROMAN
    said = False
    told = [part for part in document_sections(document) if not part.is_apparatus]
    closing = {id(block) for block in _closing([*chain.from_iterable(s.blocks for s in told)])}
    for part in told:  # a section about whom to ask is one all the same
        own = {id(block) for block in part.blocks}
        if part.heading and own <= closing and word_count(part.text) > _CLOSING_WORDS:
            closing -= own
    for section in chain.from_iterable(map(with_announced_lists, document_sections(document))):
        if hidden is not None and section.heading and section.level > hidden:
            left_out.append(_apparatus(section))
            continue
        hidden = None
        if section.is_apparatus:
            left_out.append(_apparatus(section))
            alone = section.part in _ALONE and len(path) == 1
            if not alone and section.part != "contents":  # what stands below contents is no part
                hidden = section.level
            continue
        plain = clean_heading(section.heading) in ("", clean_heading(document.title))
        attended = any(map(OF_MEETING.match, (block.text for block in section.blocks[:1])))
        opens = not said and (plain or attended or section.heading.isupper())
        greeted = replace(section, heading="") if is_salutation(section.heading) else section
        topic = _topic(greeted, document, sources, language, opens_document=opens, closing=closing)
        said = said or any(not item.flaw for item in topic.statements)
        if roman:
            topic = replace(topic, heading=_SINGLE_ROMAN.sub("", topic.heading))
        if shouted and topic.heading.isupper() and len(topic.heading) > _INITIALS:
            topic = replace(topic, heading=_lowered(topic.heading))
        if language == "de" and section.heading.isupper():
            topic = replace(topic, heading=german_heading(topic.heading, document))
        if not topic.heading:
            root.topic = _with_text_of(root.topic, topic)
            continue
        while path[-1].level >= section.level:
            path.pop()
        if headings[topic.heading] >= _FORMAL and path[-1].level:
            path[-1].topic = _with_text_of(path[-1].topic, topic)
            continue
        opened = _Open(section.level, topic)
        path[-1].parts.append(opened)
        path.append(opened)
    topics = _below_title(root.closed(clean_heading(document.title)), document)
    return list(_with_conclusion(topics)), [item for item in left_out if item.sentences]


def _closing(blocks: Sequence[DocumentBlock]) -> list[DocumentBlock]:
    """The blocks at the end of a document that close a letter, from the greeting or the name alone
    in its line, or else the last lines that are no sentences; with thanks and addresses before."""
    last = blocks[-_CLOSING_BLOCKS:]
    start = next((at for at in range(1, len(last)) if _closes(last, at)), len(last))
    while start and _is_farewell(last[start - 1]):
        start -= 1
    return [*last[start:]]


def _closes(blocks: Sequence[DocumentBlock], at: int) -> bool:
    """Whether a letter ends with a block: with regards, a comma, or a name alone."""
    text, below = blocks[at].text.strip(), blocks[at:]
    if any(block.kind != "paragraph" for block in below) or word_count(text) > _REGARDS_WORDS:
        return False
    named = _NAME.fullmatch(text) and not text.isupper() and len(below) <= _NAMED_BLOCKS
    return text.endswith(",") or (named is not None and bool(named)) or bool(_REGARDS.search(text))


def _is_farewell(block: DocumentBlock) -> bool:
    """Whether a paragraph at the end is a thank-you, says where to ask, or is a mere name."""
    if block.kind != "paragraph":
        return False
    text, words = block.text.strip(), word_count(block.text)
    if CONTACT.search(text) or (text.endswith("!") and words <= _REGARDS_WORDS):
        return True
    dated = any(number.kind == "date" for number in parse_numbers(text))
    return not (_END_MARK.search(text) or text.endswith(":") or dated) and words <= _CLOSING_WORDS


def _with_text_of(topic: Topic, other: Topic) -> Topic:
    """A topic with what stands directly below the heading of another one behind its own text."""
    return replace(
        topic, statements=topic.statements + other.statements,
        visuals=topic.visuals + other.visuals, example=topic.example or other.example,
        first_item=(topic if _has_items(topic) else other).first_item,
        is_numbered=(topic.is_numbered or other.is_numbered)
        and not (_has_items(topic) and _has_items(other)),
    )  # fmt: skip


def _has_items(topic: Topic) -> bool:
    return any(item.item for item in topic.statements)


def _with_conclusion(topics: Sequence[Topic]) -> Iterator[Topic]:
    """Topics; a summary behind others that are none is the conclusion."""
    told = 0
    for topic in topics:
        late = topic.role == "summary" and told >= _LATE
        yield replace(topic, role="conclusion") if late else topic
        told += topic.role not in ("summary", "background") and bool(topic.heading)


_UNNUMBERED = re.compile(
    r"(?:abstract|(?:executive )?summary|keywords|acknowledge?ments?|references|bibliography"
    r"|zusammenfassung|danksagung|literatur|résumé|remerciements|références|resumen|referencias)\b",
    re.IGNORECASE,
)
"""Headings of sections that have no number where all others have one."""


def first_heading_is_title(document: Document) -> bool:
    """Whether the first heading names the document: it begins it, or stands above all others."""
    first, *others = document.headings or (None,)
    if first is None or document.blocks[0] is first:
        return True
    named = _NUMBERING.match(first.text) is None
    beside = (block.text for block in others if block and block.level == first.level)
    return all(named and (_NUMBERING.match(text) or _UNNUMBERED.match(text)) for text in beside)


def _below_title(root: Topic, document: Document) -> list[Topic]:
    """The topics below the heading that is the title, after the text directly below that."""
    own = replace(root, parts=())
    topics = list(root.parts)
    title = clean_heading(document.title).casefold()
    named = bool(topics) and topics[0].heading.casefold() == title
    titled = len(topics) == 1 or (named and first_heading_is_title(document))
    if titled:
        first = topics.pop(0)
        own = _with_text_of(own, first)
        topics = [*first.parts, *topics]
    return [topic for topic in (own, *topics) if not topic.is_empty]


MARKS: Final[tuple[tuple[SectionRole, re.Pattern[str]], ...]] = (
    ("decisions", re.compile(
        r"(?:decision|decided|resolved|agreed|resolution|beschluss|beschlossen|décision|acuerdo|决定)"
        r"(?:\s+[\da-z][\w.]{0,5})?\s*[:：–—-]\s*", re.IGNORECASE,
    )),
    ("actions", re.compile(
        r"(?:action(?: item)?|to[- ]?do|task|aufgabe|auftrag|à faire|tarea|行动)"
        r"(?:\s+[\da-z][\w.]{0,5})?\s*[:：–—-]\s*|(?-i:ACTION|AKTION|TODO)\s+(?=(?-i:[A-Z]))",
        re.IGNORECASE,
    )),
)  # fmt: skip
"""How decisions and actions are marked in minutes."""


def joined_topics(topics: Sequence[Topic]) -> list[Topic]:
    """Topics of one heading as one, so that documents about one thing are told together."""
    known: dict[str, Topic] = {}
    for number, topic in enumerate(topics):
        key = topic.heading.casefold() or f"{number}:{topic.document}"
        if key in known:
            first = known[key]
            known[key] = replace(
                first, statements=first.statements + topic.statements,
                visuals=first.visuals + topic.visuals, steps=first.steps or topic.steps,
                parts=first.parts + topic.parts, is_numbered=False,
            )  # fmt: skip
        else:
            known[key] = topic
    return list(known.values())


def _apparatus(section: DocumentSection) -> Apparatus:
    count = sum(len(sentences(line)) for line in section.text.splitlines())
    return Apparatus(section.document, clean_heading(section.heading), count)


def _topic(
    section: DocumentSection, document: Document, sources: KnowledgeBase, language: str,
    *, opens_document: bool, closing: Collection[int],
) -> Topic:  # fmt: skip
    statements = _statements(
        section, document, sources, language, opens_document=opens_document, closing=closing
    )
    first, numbered = numbered_items(section)
    return Topic(
        document.name,
        clean_heading(section.heading),
        "appendix" if section.part == "appendix" else section_role(section.heading),
        tuple(statements),
        tuple(_visuals(document, section.blocks)),
        first_item=first,
        is_numbered=numbered,
        example=_example(section),
    )


def _example(section: DocumentSection) -> OutlinePoint | None:
    """The first code of a section that stands beside words, a few short lines, with the sentence
    that announces it."""
    for at, block in enumerate(section.blocks):
        lines = tuple(line.expandtabs(4).rstrip() for line in block.text.splitlines())
        short = 1 < len(lines) <= _CODE_LINES and max(map(len, lines)) <= _CODE_WIDTH
        signed = sum(_CODE_SIGN.search(line) is not None for line in lines)
        formula = any(map(_FORMULA.search, lines))
        if block.kind == "code" and short and 2 * signed >= len(lines) and not formula:
            above = section.blocks[at - 1] if at else block
            lead = above.text if above.kind == "paragraph" else ""
            quote = sentences(lead)[-1] if lead.endswith((":", "：")) else ""
            if 0 < word_count(quote) < _LEAD_WORDS:  # the value of an option
                continue
            evidence = Evidence(document=section.document, page=block.page, quote=quote or "-")
            return OutlinePoint(
                text=block.text, cells=lines, label=quote.rstrip(":： "),
                evidence=(evidence,) if quote else (),
            )  # fmt: skip
    return None


def _statements(
    section: DocumentSection,
    document: Document,
    sources: KnowledgeBase,
    language: str,
    *,
    opens_document: bool,
    closing: Collection[int],
) -> Iterator[Statement]:
    """The statements of a section with how they belong together as passages: a paragraph, a list
    with the sentence that announces it, an item alone, a step with its command."""
    announced = together = menu = False
    behind: frozenset[tuple[str, int]] = frozenset()
    for number, block in enumerate(section.blocks):
        if id(block) in closing:
            continue
        behind |= {(shown.kind, shown.number) for shown in _visuals(document, (block,))}
        own = list(_of_block(section.document, block, sources, language))
        if not own:
            continue
        if number and _explains(block, section.blocks[number - 1]):
            own = [replace(item, flaw="") if item.flaw == _ASIDE else item for item in own]
        menu = menu and block.kind == "item"
        menu = menu or (_MENU.fullmatch(block.text.strip()) is not None)
        if menu:
            continue
        opening = opens_document and (is_salutation(block.text) or is_letterhead(block.text))
        if block.kind == "paragraph" and (opening or HEADER_LINE.match(block.text)):
            yield from (replace(item, flaw=_ASIDE) for item in own)
            continue
        opens_document = False
        rest = section.blocks[number + 1 :]
        if block.kind == "paragraph":
            own = _behind_code(own, section.blocks[:number])
            own = _announcing(own, rest)
            announced = own[-1].opens_list > 0
        else:
            begins = not number or section.blocks[number - 1].kind != "item"
            together = announced or _are_together((block, *rest)) if begins else together
            nested = block.level > 1 and not begins
            own[0] = replace(
                own[0], goes_on=announced or (together and not begins), item=not nested,
                needs_before=nested,
            )  # fmt: skip
        yield from (replace(item, behind=behind) for item in own)


def _explains(block: DocumentBlock, above: DocumentBlock) -> bool:
    """Whether a block is the footnote of the table above it, which has its mark."""
    return above.kind == "table" and block.text[:1] in "¹²³⁴⁵*†‡" and block.text[0] in above.text


def _behind_code(paragraph: list[Statement], before: Sequence[DocumentBlock]) -> list[Statement]:
    """The statements of a paragraph; its first one speaks of the code or formula before it if it
    leans back, and goes on with a sentence before that, or a figure, if it begins with a small
    letter."""
    first, *others = paragraph
    quote = first.evidence.quote
    apart = bool(before) and before[-1].kind not in ("paragraph", "item")
    prose = next((block for block in reversed(before) if block.kind in ("paragraph", "item")), None)
    torn = prose is not None and _END_MARK.search(prose.text) is None and quote[:1].islower()
    rest = quote.partition(" ")[2]
    brief = word_count(quote) <= _BEHIND_CODE and lacks_verb(f"the {rest}")
    behind = quote[:1].islower() or brief or leans_back(quote)
    behind = behind and apart and before[-1].kind == "code"
    if behind or (apart and torn):
        first = replace(first, standing=FRAGMENT)
    return [first, *others]


def _list_of(blocks: Sequence[DocumentBlock]) -> list[DocumentBlock]:
    """The items of the list with which some blocks begin."""
    return list(takewhile(lambda block: block.kind == "item", blocks))


def _are_together(blocks: Sequence[DocumentBlock]) -> bool:
    """Whether the items of a list are few, or too short to be told one by one."""
    listed = _list_of(blocks)
    words = sum(word_count(block.text) for block in listed)
    return len(listed) <= _LISTED_TOGETHER or words <= _SHORT_ITEM * len(listed)


_SHOWN = frozenset({"figure", "caption", "table"})


def _announcing(paragraph: list[Statement], rest: Sequence[DocumentBlock]) -> list[Statement]:
    """The statements of a paragraph with what they announce: one of the others, several that they
    count, or, the last, a list or a short command."""
    counted: list[Statement] = []
    for at, statement in enumerate(paragraph):
        amount = _COUNTS.search(statement.text)
        if statement.words <= _COUNTING:
            amount = _COUNTED.match(statement.text) or amount
        needed = _AMOUNTS.get(amount[1].casefold(), 2) if amount else 0
        little = not statement.goes_on and statement.words < SAYS_LITTLE
        concedes = _CONCEDES.match(statement.text) is not None
        asks = _ASKS.search(statement.text) is not None
        later = [other.text for other in paragraph[at + 1 :]]
        needed = _ordinals(later) or needed if _NUMBERED.search(statement.text) else needed
        taken_back = concedes or bool(later and _TAKES_BACK.match(later[0]))
        needed = needed or int(little or asks or taken_back)
        needed = min(needed, len(paragraph) - at - 1)
        named = paragraph[at + 1 : at + 1 + needed]
        alone = amount and statement.words <= _COUNTING
        lost = alone and any(item.flaw and item.flaw != _ASIDE for item in named)
        flaw = statement.flaw or ("it counts what is no text" if lost else "")
        counted.append(replace(statement, needs_after=needed, flaw=flaw))
    last = counted.pop()
    quote, listed = last.evidence.quote, _list_of(rest)
    ends = _END_MARK.search(quote) is not None
    announces = quote.rstrip().endswith((":", "："))
    behind = next((block for block in rest if block.kind not in _SHOWN), None)
    lines = rest[0].text.splitlines() if rest and rest[0].kind == "code" else []
    command = lines[0].strip() if len(lines) == 1 else ""
    torn = last.evidence.document.lower().endswith(".pdf")
    goes_on = any(block.text[:1].islower() for block in rest[1:2] if block.kind == "paragraph")
    if (
        listed
        and last.flaw != _ASIDE
        and not (ends and not (_COUNTS.search(quote) or _POINTS_ON.search(quote)))
        and not is_fragment(f"{last.text} it.")
    ):
        level = min(block.level for block in listed)
        items = sum(block.level == level for block in listed)
        last = replace(last, opens_list=items, standing=1.0, flaw="")
    elif command and announces and len(command) <= _COMMAND and not goes_on:
        last = replace(last, text=f"{last.text}: {command}", standing=1.0, flaw="")
    elif (rest and not ends and (lines or announces or (counted and behind and torn))) or (
        _POINTS_ON.search(quote) and last.words <= _COUNTING
    ):
        last = replace(last, flaw="it announces something that is no text")
    return [*counted, last]


def _ordinals(sentences: Sequence[str]) -> int:
    """How many of the sentences behind one reach to the last that an ordinal begins, from the first
    on; 0 if they are not numbered so.

    >>> _ordinals(["First, no nurse is there.", "It took long.", "Second, the clock was wrong."])
    3
    """
    numbered = [at for at, sentence in enumerate(sentences) if _ORDINAL.match(sentence)]
    return numbered[-1] + 1 if numbered[:1] == [0] else 0


def _of_block(
    document: str, block: DocumentBlock, sources: KnowledgeBase, language: str
) -> Iterator[Statement]:
    """The statements of a paragraph or item: sentences that stand in the source word for word."""
    if block.kind not in ("paragraph", "item") or _SESSION.match(block.text):
        return
    item = block.kind == "item"
    answer = _ANSWER.match(block.text)
    own = SearchableText([block.text])
    text = _MARKER.sub("", " ".join(block.text.split())) if item else block.text
    text = text if item else _CLAUSE.sub("", text)
    text = text[answer.end() :] if answer else text
    whole = item and word_count(text) <= _ITEM_WORDS and not _MARKED.search(text)
    begun = False
    text = EXCLAMATION.sub("", text)
    pieces = [text] if whole else _sentences(text, language)
    for number, sentence in enumerate(pieces):
        if own.find(sentence) is None and sources.find_quote(sentence) is None:
            continue
        shown = point_text(sentence)
        if not shown or _CAPTION.match(sentence):
            continue
        shown = _AND.sub("", shown) if item else shown
        listed = item and not begun
        flaw = _flaw(shown)
        if flaw and (item or sentence.endswith(".")) and not _flaw(f"{shown}."):
            shown, flaw = f"{shown}.", ""
        flaw = flaw or (
            _ASIDE if (is_aside(sentence, item=item) or is_aside(shown, item=item)) else ""
        )
        torn = _TORN.match(sentence) is not None or (
            is_fragment(sentence)
            and (
                (document.lower().endswith(".pdf") and not roles_of(sentence) & ASKED)
                or (begun and sentence[0].islower())
                or not _END_MARK.search(sentence)
            )
        )
        flaw = flaw or ("it is a fragment" if not listed and torn else "")
        leaning = leans_back(sentence, opens=not begun) and not listed
        leaning = leaning and "answer" not in roles_of(sentence)
        leaning = leaning or (item and not listed)
        if any(map(_CORRECTS.search, pieces[number + 1 : number + 2])):
            flaw = flaw or "its document corrects it"
        yield Statement(
            shown, Evidence(document=document, page=block.page, quote=sentence),
            _standing(shown, sentence, item=listed),
            not begun, listed, flaw, leaning,
            goes_on=leaning or begun,
            marked=next((role for role, found in MARKS if found.match(sentence)), "other"),
        )  # fmt: skip
        begun = True


def _flaw(text: str) -> str:
    """The fault that lint finds in the words of a point; empty if none."""
    return next((remark.message for remark in remarks(SlideWords("", (text,)))), "")


def _standing(shown: str, sentence: str, *, item: bool) -> float:
    if _ADDRESS.match(shown):
        return ADDRESS
    cut = shown.endswith("…") or _CUT_END.search(shown)
    return min(standing(sentence, item=item), FRAGMENT if cut else 1.0)


def _sentences(text: str, language: str) -> list[str]:
    """The sentences of a text; a word or two ("Unanimous.") stand with the sentence before, or as
    the first with the next; in a text that begins so all that stand before others as headings."""
    joined: list[str] = []
    split = (piece for own in sentences(text, language=language) for piece in _MARKED.split(own))
    pieces = [*filter(None, map(str.strip, split))]
    headed = len(pieces) > _LEAST_HEADED and _is_run_in(pieces[0])
    for sentence in pieces:
        if joined and headed and _is_run_in(sentence):
            joined.append(sentence)
            continue
        if joined and headed and _is_run_in(joined[-1]):
            joined[-1] = f"{joined[-1]} {sentence}"
            continue
        little = joined and min(map(word_count, (sentence, joined[-1]))) <= _REMARK
        little = little and not any(found.match(sentence) for _, found in MARKS)
        little = little and not (ASKED & roles_of(joined[-1]) or _CONCEDES.match(sentence))
        torn = joined and (
            sentence.startswith(_ARROWS) or (sentence[0] == "(" and not _PAUSE.search(joined[-1]))
        )
        if joined and joined[-1].endswith(" .") and sentence[0].islower():  # the name of a file
            joined[-1] += sentence
        elif torn or (little and word_count(joined[-1]) <= _LONG_SENTENCE):
            joined[-1] = f"{joined[-1]} {sentence}"
        else:
            joined.append(sentence)
    return joined


def _is_run_in(sentence: str) -> bool:
    """Whether a word or two with a full stop stand before a sentence as its heading."""
    words = word_count(sentence)
    return words <= _RUN_IN and sentence[:1].isupper() and sentence[-2:-1].isalpha()


_RUN_IN: Final = 2
_LEAST_HEADED: Final = 3
"""Words of a heading inside a paragraph, and sentences of one that has such. Ours."""


def _visuals(document: Document, blocks: Sequence[DocumentBlock]) -> Iterator[VisualRef]:
    seen: set[tuple[object, object]] = set()
    for block in blocks:
        if block.index is None or (block.box and (block.page, block.box) in seen):
            continue
        seen.add((block.page, block.box))
        if block.kind == "table":
            rows = document.tables[block.index].rows
            if _is_history(rows) or is_fields(rows):
                continue
            number = document.tables[block.index].number
            yield VisualRef(kind="table", document=document.name, number=number)
        elif block.kind == "figure" and (
            document.kind == "image" or document.figures[block.index].caption
        ):
            number = document.figures[block.index].number
            yield VisualRef(kind="figure", document=document.name, number=number)


_HISTORY = re.compile(
    r"(?:version|rev(?:ision)?\.?|issue|release)(?: no\.?| number)?\Z", re.IGNORECASE
)
_HISTORY_BESIDE = re.compile(r"\b(?:chang\w+|author|editor|by|approved|remarks?)\b", re.IGNORECASE)


def is_fields(rows: Sequence[Sequence[str]]) -> bool:
    """Whether a table is who made a document, for whom and on what."""
    pairs = [row for row in rows if len(row) == _PAIR]
    named = sum(bool(_MADE.match(row[0])) for row in pairs)
    return len(pairs) == len(rows) and named > 1 and 2 * named >= len(rows) - 1


_PAIR = 2
_MADE = re.compile(
    r"(?:prepared|written|approved|reviewed|issued|submitted) (?:by|for|to)|author|sponsor|protocol"
    r"|version|date|to|from|erstellt (?:von|für)|verfasser\w*|auftraggeber\w*|stand|datum"
    r"|rédigé par"
    r"|destinataire|autora?|preparado (?:por|para)\b",
    re.IGNORECASE,
)


def _is_history(rows: Sequence[Sequence[str]]) -> bool:
    """Whether a table lists the versions of its document."""
    head = [cell.strip() for cell in rows[0]] if rows else []
    return any(map(_HISTORY.match, head[:2])) and any(map(_HISTORY_BESIDE.search, head[1:]))
