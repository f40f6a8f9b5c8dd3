"""Facts of a deck for reading a request, and templates: the ways in which the words of a request
fill them.

A template matches only as a whole: each word of the request belongs to a word of the template or
to a slot.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Protocol

from decklab.deck.model.shapes import Cell, Paragraph
from decklab.deck.model.slide import DeckElements, SlideElements
from decklab.editing.finding import EditError

Names = Mapping[str, tuple[str, ...]]
"""Texts of a deck, as they stand there, by their plain words."""


def plain(text: str) -> str:
    """The words of a text in small letters, without its marks: signs such as € and % stay.

    >>> plain("What went well, what was hard")
    'what went well what was hard'
    """
    return " ".join(re.findall(r"\w+|[^\w\s.,;:!?()'’\"“”‘*–-]", text.casefold()))


def names(texts: Iterable[str | None]) -> Names:
    """Texts of one line, by their plain words."""
    held: dict[str, dict[str, None]] = {}
    for text in texts:
        if text and plain(text) and text.isprintable() | ("\u00a0" in text):
            held.setdefault(plain(text), {})[text] = None
    return {words: tuple(spelled) for words, spelled in held.items()}


@dataclass(frozen=True)
class DeckNames:
    """Names and texts of a deck that a request may mean."""

    titles: tuple[str, ...] = ()
    """Of the slides, in order; empty for a slide without a title."""
    shapes: Names = field(default_factory=dict)
    """The names of shapes, and the texts of those with one line."""
    lines: Names = field(default_factory=dict)
    """The paragraphs of texts, numbers aside."""
    cells: Names = field(default_factory=dict)
    """The paragraphs of the cells of tables."""
    rows: Names = field(default_factory=dict)
    """The first cells of the rows of tables."""
    columns: Names = field(default_factory=dict)
    """The first cells of their columns."""
    categories: Names = field(default_factory=dict)
    series: Names = field(default_factory=dict)
    layouts: Names = field(default_factory=dict)
    nodes: Names = field(default_factory=dict)
    """The texts of diagrams."""
    sections: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """The numbers of the slides of each section."""
    having: Mapping[str, frozenset[int]] = field(default_factory=dict)
    """The numbers of the slides that have pictures, charts, notes and so on."""

    @property
    def total(self) -> int:
        """How many slides there are."""
        return len(self.titles)

    @cached_property
    def title_names(self) -> Names:
        """The titles of the slides."""
        return names(self.titles)

    @cached_property
    def section_names(self) -> Names:
        """The names of the sections."""
        return names(self.sections)

    @cached_property
    def _said(self) -> str:
        every = (self.title_names, self.shapes, self.lines, self.cells, self.rows, self.columns,
                 self.categories, self.series, self.nodes)  # fmt: skip
        return " | ".join(f" {words} " for held in every for words in held)

    def holds(self, text: str) -> bool:
        """Whether some words stand in a text of the deck."""
        return bool(plain(text)) and f" {plain(text)} " in self._said


def facts_of(deck: DeckElements) -> DeckNames:
    """The names and texts of a deck that a request may mean."""
    charts = [chart for slide in deck.slides for chart in slide.charts]
    tables = [table.rows for slide in deck.slides for table in slide.tables if table.rows]
    cells = [cell for rows in tables for row in rows for cell in row]
    texts = [text.paragraphs for slide in deck.slides for text in slide.texts]
    items = [item for slide in deck.slides for item in slide.elements()]
    nodes = (node for slide in deck.slides for diagram in slide.diagrams for node in diagram.nodes)
    return DeckNames(
        tuple(slide.title or "" for slide in deck.slides),
        shapes=names([*(item.name for item in items),
                      *(_text(lines[0]) for lines in texts if len(lines) == 1)]),
        lines=names(text for lines in texts for line in lines
                    if not (text := _text(line)).strip().isdigit()),
        cells=names(_text(line) for cell in cells for line in cell.paragraphs),
        rows=names(_cell(row[0]) for rows in tables for row in rows[1:] if row),
        columns=names(_cell(cell) for rows in tables for cell in rows[0]),
        categories=names(name for chart in charts for series in chart.series
                         for name in series.categories),
        series=names(series.name for chart in charts for series in chart.series),
        layouts=names(layout.name for layout in deck.layouts),
        nodes=names(node.text for node in nodes),
        sections={section.name: tuple(slide.number for slide in deck.slides
                                  if slide.section == section.name) for section in deck.sections},
        having={name: frozenset(slide.number for slide in deck.slides if has(slide))
                for name, has in HAVING.items()},
    )  # fmt: skip


HAVING: Mapping[str, Callable[[SlideElements], bool]] = {
    "pictures": lambda slide: bool(slide.images),
    "charts": lambda slide: bool(slide.charts),
    "tables": lambda slide: bool(slide.tables),
    "diagrams": lambda slide: bool(slide.diagrams),
    "notes": lambda slide: bool((slide.notes or "").strip()),
    "animations": lambda slide: bool(slide.animations),
    "transitions": lambda slide: slide.transition is not None and bool(slide.transition.name),
    "comments": lambda slide: bool(slide.comments),
    "hidden": lambda slide: slide.hidden,
    "footers": lambda slide: bool(slide.footer),
    "titles": lambda slide: bool((slide.title or "").strip()),
    "cover": lambda slide: slide.layout.casefold() in ("title slide", "cover", "title"),
}
"""Features that slides are chosen by, ``slides with pictures``, and the test for each."""


def _text(line: Paragraph) -> str:
    return "".join(run.text for run in line.runs)


def _cell(cell: Cell) -> str:
    return " ".join(map(_text, cell.paragraphs))


_QUOTED = (
    r"(?<!\w)(?:\"(?P<q1>[^\"]*)\"|“(?P<q2>[^”]*)”|‘(?P<q3>(?:[^’]|’(?=\w))*)’(?!\w)"
    r"|'(?P<q4>(?:[^']|(?<=\w)'(?=\w))*)'(?!\w)|`(?P<q5>[^`]*)`|«(?P<q6>[^»]*)»)"
)
_TOKEN = re.compile(
    rf"{_QUOTED}|(?P<address>(?:https?|ftp|mailto|file|tel):[^\s;]*[^\s;,.!?])|(?P<hex>\#\w+)"
    r"|(?P<owner>(?<=\w)['’]s\b)|(?P<number>[-+]?[€$£]?\d(?:[\w.,/%:–-]*[\w%])?)"
    r"|(?P<word>[^\W\d_](?:['’](?!s\b)\w|[\w\-/&+.@](?=[\w+])|\w)*\+*)|(?P<mark>\S)"
)
_PAIRS = ("'", "'"), ('"', '"'), ("“", "”"), ("‘", "’"), ("`", "`"), ("«", "»")


@dataclass(frozen=True)
class Token:
    """A word, number, mark or quoted text."""

    kind: str
    """``quoted``, ``address``, ``hex``, ``owner`` (the ``'s`` of a possessive), ``number``,
    ``word`` or ``mark``."""
    text: str
    """As it is written; of a quoted text what the quotes enclose."""
    start: int
    """Where it begins in the request, in characters."""
    end: int

    @property
    def low(self) -> str:
        """The word in small letters; empty for a quoted text, which is never a word of a form."""
        return "" if self.kind == "quoted" else self.text.lower().replace("’", "'")


def tokens_of(text: str) -> tuple[Token, ...]:
    """The words of a request.

    >>> [token.text for token in tokens_of("set slide 4's title to 'It is so'")]
    ['set', 'slide', '4', "'s", 'title', 'to', 'It is so']
    """
    return tuple(_token(match) for match in _TOKEN.finditer(text))


def _token(match: re.Match[str]) -> Token:
    kind = match.lastgroup or "mark"
    name = "quoted" if kind[1:].isdigit() else kind
    return Token(name, match[kind], match.start(), match.end())


def quoted(text: str) -> str:
    """A text in quotes that ``tokens_of`` reads as this text.

    If it holds quotes of every kind, those that end it too early become typographic ones.
    """
    for start, end in _PAIRS:
        written = f"{start}{text}{end}"
        read = tokens_of(written)
        if len(read) == 1 and read[0].kind == "quoted" and read[0].text == text:
            return written
    return f'"{text.replace(chr(34), "”")}"'


ARTICLES = frozenset(("the", "a", "an"))
"""Words that may stand before any word of a template, and say nothing."""
_SPELLINGS = """
    add insert put create include append; align line_up; animations animation;
    backward backwards; begin start; bigger larger; bullets bullet;
    capitals capital_letters uppercase; center centre; color colour; columns column;
    deck presentation; delete remove erase drop get_rid_of take_out take_away; diagram smartart;
    doughnut donut; fill paint shade; footer footers;
    forward forwards; italicize italicise; labels label; links link hyperlinks hyperlink;
    maximum max; minimum min; normalise normalize; notes note; numbers number; of in on for from;
    outline border; points point pt; rename retitle relabel; resize scale; rows row;
    heights height;
    saying reading that_says that_reads with_text with_the_text with_words with_the_words;
    sections section; set change update; show display; slide page; slides pages; widths width;
    start beginning front top; end bottom; swap exchange; tall high; title heading headline;
    titled called named entitled with_title with_the_title; to into; transition transitions;
    with by
"""
SYNONYMS: Mapping[str, tuple[str, ...]] = {
    words[0]: tuple(word.replace("_", " ") for word in words)
    for words in map(str.split, _SPELLINGS.split(";"))
}
"""Words of templates with the words in which they may be said, blanks as ``_``."""


@dataclass(frozen=True)
class Piece:
    """A part of a request, as the template's words or as the value of a slot."""

    text: str
    """The part written so that it is read in one way: values in quotes."""
    name: str = ""
    """Of the slot; empty for words of the template."""
    value: object = None
    doubt: bool = False
    """Whether it is a value without quotes that holds a word which may belong to the request."""
    known: bool = True
    """Whether the deck holds the things named in quotes, as far as that is known."""


Pieces = tuple[Piece, ...]
Way = tuple[Pieces, int]
"""Pieces, and the place of the word behind them."""


@dataclass
class Words:
    """The words of a request with facts of the deck, while templates are tried on them."""

    source: str
    tokens: Sequence[Token]
    facts: DeckNames
    form_words: frozenset[str] = frozenset()
    """The words of all templates, which no value without quotes may hold."""
    errors: dict[str, int] = field(default_factory=dict)
    """Why a slot that was understood cannot be, with the place of its first word."""
    furthest: int = 0
    """How many words the template that came furthest explains."""
    _known: dict[tuple[int, int], tuple[Way, ...]] = field(default_factory=dict)
    _plain: dict[tuple[int, int], str] = field(default_factory=dict)

    def low(self, at: int) -> str:
        """The word at a place in small letters; empty behind the last."""
        return self.tokens[at].low if at < len(self.tokens) else ""

    def text(self, start: int, end: int) -> str:
        """A part of the request as it is written."""
        return self.source[self.tokens[start].start : self.tokens[end - 1].end]

    def plain(self, start: int, end: int) -> str:
        """The plain words of a part of the request; worked out once."""
        if (start, end) not in self._plain:
            self._plain[start, end] = plain(self.text(start, end))
        return self._plain[start, end]

    def ways(self, node: "TemplateNode", at: int) -> tuple[Way, ...]:
        """The ways in which a slot reads the words from a place on; worked out once."""
        if (key := (id(node), at)) not in self._known:
            try:
                self._known[key] = tuple(node.read(self, at))
            except EditError as error:
                self._known[key] = ()
                self.errors[str(error)] = at
        return self._known[key]

    def reached(self, at: int) -> None:
        """Note that a template explains the words before a place."""
        self.furthest = max(self.furthest, at)


class TemplateNode(Protocol):
    """A part of a template."""

    def read(self, words: Words, at: int) -> Iterator[Way]:
        """The ways in which it reads the words from a place on."""
        ...


@dataclass(frozen=True)
class TemplateWord:
    """A word of a template, in any of its spellings, an article before it or not."""

    spellings: tuple[str, ...]

    def read(self, words: Words, at: int) -> Iterator[Way]:
        """The word, where it stands there."""
        start = at + (words.low(at) in ARTICLES)
        for spelling in self.spellings:
            end = start + spelling.count(" ") + 1
            if " ".join(words.low(index) for index in range(start, end)) == spelling:
                words.reached(end)
                yield (Piece(" ".join(words.low(index) for index in range(at, end))),), end


@dataclass(frozen=True)
class Choice:
    """One of several sequences; ``[a]`` is ``a`` or nothing."""

    branches: tuple[tuple[TemplateNode, ...], ...]

    def read(self, words: Words, at: int) -> Iterator[Way]:
        """Each branch that fits."""
        for branch in self.branches:
            yield from read_all(branch, words, at)


@dataclass(frozen=True)
class Named:
    """A slot: its value gets a name."""

    name: str
    kind: TemplateNode

    def read(self, words: Words, at: int) -> Iterator[Way]:
        """The ways in which its type reads the words."""
        for pieces, end in words.ways(self.kind, at):
            words.reached(end)
            yield tuple(replace(piece, name=self.name) for piece in pieces), end


@dataclass(frozen=True)
class Choices:
    """A slot whose value is one of some phrases."""

    phrases: tuple[tuple[str, tuple[TemplateNode, ...]], ...]

    def read(self, words: Words, at: int) -> Iterator[Way]:
        """The phrase that stands there, as the template spells it."""
        for value, nodes in self.phrases:
            for _pieces, end in read_all(nodes, words, at):
                yield (Piece(value, value=value),), end


def read_all(nodes: Sequence[TemplateNode], words: Words, at: int) -> Iterator[Way]:
    """The ways in which a sequence reads the words from a place on. No slot has two values."""
    if not nodes:
        yield (), at
        return
    for pieces, end in nodes[0].read(words, at):
        for more, last in read_all(nodes[1:], words, end):
            names = [piece.name for piece in (*pieces, *more) if piece.name]
            if len(names) == len(set(names)):
                yield (*pieces, *more), last


def said(pieces: Sequence[Piece]) -> str:
    """A request from its pieces."""
    text = " ".join(piece.text for piece in pieces if piece.text)
    return re.sub(r" (?=[,:]|'s\b)", "", text)


def rendering(
    nodes: Sequence[TemplateNode], slots: Mapping[str, str]
) -> tuple[str, tuple[str, ...]] | None:
    """A template with its slots filled, and which of them; None if it needs others.

    Of branches the one is taken that uses the most slots.
    """
    texts: list[str] = []
    used: list[str] = []
    for node in nodes:
        if isinstance(node, TemplateWord):
            texts.append(node.spellings[0])
        elif isinstance(node, Named):
            if node.name not in slots or node.name in used:
                return None
            texts.append(slots[node.name])
            used.append(node.name)
        elif isinstance(node, Choice):
            left = {name: text for name, text in slots.items() if name not in used}
            branches = [rendering(branch, left) for branch in node.branches]
            best = max((branch for branch in branches if branch is not None),
                       key=lambda branch: len(branch[1]), default=None)  # fmt: skip
            if best is None:
                return None
            texts.append(best[0])
            used += best[1]
    return re.sub(r" (?=[,:]|'s\b)", "", " ".join(filter(None, texts))), tuple(used)


def first_words(nodes: Sequence[TemplateNode]) -> frozenset[str] | None:
    """The words with which a sequence may begin; None if that may be any word."""
    words: set[str] = set()
    for node in nodes:
        if isinstance(node, TemplateWord):
            return frozenset(words.union(spelling.split()[0] for spelling in node.spellings))
        kind = node.kind if isinstance(node, Named) else node
        if isinstance(kind, Choices):
            branches = [phrase for _value, phrase in kind.phrases]
        elif isinstance(kind, Choice):
            branches = list(kind.branches)
        else:
            return None
        starts = [first_words(branch) for branch in branches if branch]
        if None in starts:
            return None
        words.update(word for start in starts for word in start or ())
        if all(branches):  # none of them may be left out
            return frozenset(words)
    return None


_PARTS = re.compile(r"\{[^}]+\}|[\[\]()|]|[^\s\[\]()|{}]+")

_OF = re.compile(r"<([^<>]+?) of (\{[^{}]+\})>")
_ON = re.compile(r"<([^<>]+?) \{on\}>")


def expanded(template: str, on: str = "") -> str:
    """A template with ``<color of {shape}>`` and ``<title {on}>`` in both orders.

    ``on`` stands behind what comes last of the first, such as slides.

    >>> expanded("set <title {on}>")
    "set (title {on}|{slides} ['s] title)"
    """
    template = _OF.sub(rf"(\1 of \2|\2 ['s] \1{on})", template)
    return _ON.sub(r"(\1 {on}|{slides} ['s] \1)", template)


def compiled(template: str, kinds: Mapping[str, TemplateNode]) -> tuple[TemplateNode, ...]:
    """A template as nodes; ``kinds`` are the types of slots by their names."""
    parts = _PARTS.findall(expanded(template))
    nodes, end = _sequence(parts, 0, kinds)
    if end != len(parts):
        raise ValueError(f"the template {template!r} does not close what it opens")
    return nodes[0]


def _sequence(
    parts: list[str], at: int, kinds: Mapping[str, TemplateNode]
) -> tuple[list[tuple[TemplateNode, ...]], int]:
    """The branches up to a closing bracket, and the place of that bracket."""
    branches: list[list[TemplateNode]] = [[]]
    while at < len(parts) and parts[at] not in "])":
        if (part := parts[at]) == "|":
            branches.append([])
        elif part in "[(":
            inner, at = _sequence(parts, at + 1, kinds)
            branches[-1].append(Choice((*inner, ()) if part == "[" else tuple(inner)))
        elif part.startswith("{"):
            branches[-1].append(_slot(part[1:-1], kinds))
        elif part not in ARTICLES:
            branches[-1].append(_word(part))
        at += 1
    return [tuple(branch) for branch in branches], at


def _word(part: str) -> TemplateWord:
    return TemplateWord(SYNONYMS.get(part, (part,)))


def choices(listed: str) -> Choices:
    """A slot whose value is one of the phrases of a list divided by ``|``."""
    return Choices(
        tuple((phrase, tuple(map(_word, phrase.lower().split()))) for phrase in listed.split("|"))
    )


def _slot(text: str, kinds: Mapping[str, TemplateNode]) -> TemplateNode:
    if text == "on":  # slides may be named there, or not
        return Choice(((Named("slides", kinds["on"]),), ()))
    name, _equals, listed = text.partition("=")
    if listed:
        return Named(name, choices(listed))
    name, _colon, kind = text.partition(":")
    return Named(name, kinds[kind or name])


@dataclass(frozen=True)
class SlotForm:
    """A type of slots that templates describe.

    Each template has a function that makes the value of its slots; with a list there are several
    values, None is none. ``say`` writes a value so that it is read in one way.
    """

    templates: tuple[tuple[tuple[TemplateNode, ...], Callable[..., object]], ...]
    say: Callable[[Any], str] | None = None

    def read(self, words: Words, at: int) -> Iterator[Way]:
        """Each value that the words from a place on can have."""
        seen: list[tuple[object, int]] = []
        for nodes, make in self.templates:
            for pieces, end in read_all(nodes, words, at):
                slots = {piece.name: piece.value for piece in pieces if piece.name}
                try:
                    made = make(words.facts, **slots)
                except EditError as error:
                    words.errors[str(error)] = at
                    continue
                doubt = any(piece.doubt for piece in pieces)
                known = all(piece.known for piece in pieces)
                for value in made if isinstance(made, list) else [made]:
                    if value is None or (value, end) in seen:
                        continue
                    seen.append((value, end))
                    text = self.say(value) if self.say else said(pieces)
                    yield (Piece(text, value=value, doubt=doubt, known=known),), end
