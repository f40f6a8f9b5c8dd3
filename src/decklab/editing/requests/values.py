"""Values that requests state: words, fonts, colours, sizes, lengths, looks, places."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from decklab.deck.styles.themes import css_color
from decklab.editing.finding import EditError
from decklab.editing.requests.slide_names import (
    NUMBERS,
    ORDINALS,
    SLIDES,
    DeckSlot,
    NumberSlot,
    NumbersSlot,
    OrdinalSlot,
    QuotedSlot,
    Scope,
    form,
    titled,
)
from decklab.editing.requests.templates import (
    ARTICLES,
    DeckNames,
    Piece,
    TemplateNode,
    Way,
    Words,
    quoted,
)

_WORDS_OF_SCOPE = """
    about above across after again ahead aligned all almost along already also alternatively
    always and another any anything anywhere apart appropriate are around as aside at away back
    backwards be because before behind being below beneath beside besides better between beyond
    bigger blank bold both bottom but by can cannot capitalised capitalized catchier centered
    centred could don't done down during each either else elsewhere empty entire even ever every
    everything everywhere exactly except exclude excluding few first for from further had has have
    her here hidden his how however if ignore ignoring in include including inside instead into it
    italic its itself just justified keep keeping kindly larger last later least leave leaving
    less like likewise longer louder lowercase made make making many may maybe more most much must
    near neither never next nicer no none nor not nothing now off on once one ones only onto
    onwards opposite or other others otherwise out outside over own per perhaps please possible
    previous rather remaining respectively rest same second several shall shorter should similar
    since skip skipping smaller so some something somewhere stay still such suitable than thanks
    that their them then there these they thing things third this those though through throughout
    till to today together tomorrow too top toward towards transparent twice under underlined
    unless unlike unlikely until unto up upon uppercase using via visible was well were when
    whenever where wherever whether which while whole whose will with within without worse would
    yesterday yet
"""
_QUALIFYING = frozenset(_WORDS_OF_SCOPE.split())
"""English words that say where, when, which or how much. In a value they may be meant for the
request, as in ``2026 but not in the title``."""
_PLAIN = frozenset(("of", "the", "a", "an", "is", "'s", "one"))
_PLAIN_MARKS = frozenset("&%+/€$£°#@*'’-–")
_LONGEST = 60
_LONGEST_CERTAIN = 8
"""Words of a value without quotes. Ours: longer ones are sentences, in which much may be meant."""
UNITS: Mapping[str, float] = {
    **dict.fromkeys(("in", "inch", "inches"), 914_400.0),
    **dict.fromkeys(("cm", "centimeters", "centimetres"), 360_000.0),
    **dict.fromkeys(("mm", "millimeters", "millimetres"), 36_000.0),
    **dict.fromkeys(("pt", "points", "point"), 12_700.0),
}
"""Lengths in EMU."""
_AMOUNT = re.compile(r"([-+]?\d{1,9}(?:\.\d{1,6})?)(%|[a-z]*)")
_THOUSANDS = re.compile(r"\d{1,3}(,\d{3})+(?![\d,])")
COMMON_FONTS = frozenset((
    "Aptos", "Arial", "Calibri", "Cambria", "Century Gothic", "Comic Sans MS", "Consolas",
    "Courier New", "Futura", "Garamond", "Georgia", "Gill Sans", "Helvetica", "Impact", "Inter",
    "Lato", "Montserrat", "Open Sans", "Palatino", "Poppins", "Raleway", "Roboto", "Rockwell",
    "Segoe UI", "Tahoma", "Times New Roman", "Trebuchet MS", "Verdana",
))  # fmt: skip
"""Fonts that are known as such where a text could stand too."""
STYLES = {
    "bold": "bold", "italic": "italic", "italics": "italic", "underlined": "underline",
    "strikethrough": "strike", "struck through": "strike", "crossed out": "strike",
}  # fmt: skip


@dataclass(frozen=True)
class BareSlot:
    """A text in quotes, or as it stands. Without quotes, words that may be meant for the request
    make it doubtful, and an article in small letters before it: ``the file name``; with ``old``
    also a single word in small letters: ``currency``, but none that stands in the deck."""

    old: bool = False
    quotes: bool = True

    def read(self, words: Words, at: int) -> Iterator[Way]:
        """The quoted text, or each run of words from a place on."""
        if at >= len(words.tokens):
            return
        if words.tokens[at].kind == "quoted":
            yield from QuotedSlot(held=self.old).read(words, at) if self.quotes else ()
            return
        doubt = words.tokens[at].text in ARTICLES
        for end in range(at + 1, min(len(words.tokens), at + _LONGEST) + 1):
            token = words.tokens[end - 1]
            if token.kind == "quoted" or (token.kind == "mark" and token.text in "\"'"):
                return
            doubt = doubt or self._is_doubtful(words, at, end) or end - at > _LONGEST_CERTAIN
            text = words.text(at, end)
            is_noun = self.old and text.isalpha() and text == text.lower()
            is_known = self.old and words.facts.holds(text)
            doubtful = (doubt or is_noun) and not is_known
            known = is_known or not self.old
            yield (Piece(quoted(text), value=text, doubt=doubtful, known=known),), end

    def _is_doubtful(self, words: Words, at: int, end: int) -> bool:
        if (token := words.tokens[end - 1]).kind == "mark":
            is_last = end == len(words.tokens) and end > at + 1
            return not (token.text in _PLAIN_MARKS or (is_last and token.text in ".!?"))
        low = token.low
        is_adverb = low.endswith("ly") and token.text == low
        return low not in _PLAIN and (is_adverb or low in _QUALIFYING or low in words.form_words)


class SingleSlot:
    """A text in quotes, or one word that can be no word of the request."""

    def read(self, words: Words, at: int) -> Iterator[Way]:
        """The quoted text or the word."""
        yield from ((pieces, end) for pieces, end in BareSlot().read(words, at) if end == at + 1)


@dataclass(frozen=True)
class ListSlot:
    """Several texts: ``'A', 'B' and 'C'``, or ``A, B, C`` without quotes."""

    item: TemplateNode

    def read(self, words: Words, at: int) -> Iterator[Way]:
        """The texts, divided by commas; quoted ones by ``and`` too."""
        for pieces, end in self.item.read(words, at):
            first = pieces[0]
            yield (replace(first, value=(first.value,)),), end
            after = end + (words.low(end) == ",")
            is_whole = isinstance(self.item, DeckSlot) or words.tokens[end - 1].kind != "word"
            after += words.low(after) == "and" and is_whole
            if after == end:
                continue
            for more, last in self.read(words, after):
                value = (first.value, *more[0].value)  # type: ignore[misc]
                doubt, known = first.doubt or more[0].doubt, first.known and more[0].known
                text = f"{first.text}, {more[0].text}"
                yield (Piece(text, value=value, doubt=doubt, known=known),), last


@dataclass(frozen=True)
class FontSlot:
    """A font: in quotes, or up to four words that begin with capital letters; or one of
    ``COMMON_FONTS``."""

    common: bool = False

    def read(self, words: Words, at: int) -> Iterator[Way]:
        """The font that stands there."""
        if at < len(words.tokens) and words.tokens[at].kind == "quoted" and not self.common:
            yield from QuotedSlot().read(words, at)
            return
        doubt = False
        for end in range(at + 1, min(len(words.tokens), at + 4) + 1):
            token = words.tokens[end - 1]
            if token.kind != "word" or not token.text[0].isupper():
                return
            doubt = doubt or token.low in _QUALIFYING or token.low in words.form_words
            text = words.text(at, end)
            if not self.common:
                yield (Piece(quoted(text), value=text, doubt=doubt),), end
            elif text in COMMON_FONTS:
                yield (Piece(f"in {quoted(text)}", value=text),), end


class ColorSlot:
    """``#RRGGBB``, a name of CSS with or without spaces, or a colour of the theme."""

    def read(self, words: Words, at: int) -> Iterator[Way]:
        """The colour as ``#RRGGBB`` or as ``accent1``; the longest name counts."""
        at += words.low(at) in ARTICLES
        low = words.low(at)
        if re.fullmatch(r"#[0-9a-f]{6}", low):
            yield (Piece(low.upper(), value=low.upper()),), at + 1
            return
        for end in range(min(len(words.tokens), at + 3), at, -1):
            name = "".join(words.low(index) or "'" for index in range(at, end))
            if re.fullmatch(r"accent[1-6]|(text|background)[12]", name):
                yield (Piece(name, value=name),), end
                return
            if value := css_color(name):
                yield (Piece(value, value=value),), end
                return


@dataclass(frozen=True)
class AmountSlot:
    """A number with one of some units, which may be joined to it; the value is in the unit's size.

    An empty unit stands for a number without one.
    """

    units: Mapping[str, float]

    def read(self, words: Words, at: int) -> Iterator[Way]:
        """The amount that stands there."""
        at += words.low(at) in ARTICLES
        low = words.low(at)
        plain = low.replace(",", "") if _THOUSANDS.match(low) else low
        if (match := _AMOUNT.fullmatch(str(NUMBERS.get(low, plain)))) is None:
            return
        number, unit, end = float(match[1]), match[2], at + 1
        if unit in self.units:
            yield self._way(number, unit, end)
        if not unit and words.low(end) in self.units and words.low(end):
            yield self._way(number, words.low(end), end + 1)

    def _way(self, number: float, unit: str, end: int) -> Way:
        text = f"{number:g} {unit}".strip().replace(" %", "%")
        return (Piece(text, value=number * self.units[unit]),), end


_DECK_SLOTS = {
    "category": ("categories",), "series": ("series",), "chart name": ("categories", "series"),
    "row name": ("rows",), "column name": ("columns",), "heading": ("rows", "columns"),
    "layout name": ("layouts",), "section": ("section_names",), "node": ("nodes",),
    "line text": ("lines",), "name": ("shapes",), "title": ("title_names",),
}  # fmt: skip
"""Types of slots for texts of the deck, with the fields of ``DeckNames`` that hold them."""
_KINDS: dict[str, TemplateNode] = {
    "number": NumberSlot(), "numbers": NumbersSlot(), "ordinal": OrdinalSlot(),
    "quoted": QuotedSlot(), "held": QuotedSlot(held=True), "words": BareSlot(),
    "old": BareSlot(old=True), "unquoted": BareSlot(quotes=False), "single": SingleSlot(),
    "figures": ListSlot(AmountSlot({"": 1.0})), "list": ListSlot(BareSlot()),
    "names": ListSlot(QuotedSlot()), "shapes": ListSlot(DeckSlot(("shapes",))),
    "font": FontSlot(), "common font": FontSlot(common=True),
    "color": ColorSlot(),
    **{name: DeckSlot(fields) for name, fields in _DECK_SLOTS.items()},
    "value": AmountSlot({"": 1.0}), "percent": AmountSlot({"%": 0.01, "percent": 0.01}),
    "size": AmountSlot({"": 1.0, "pt": 1.0, "points": 1.0, "point": 1.0}),
    "points": AmountSlot({"pt": 1.0, "points": 1.0, "point": 1.0}),
    "degrees": AmountSlot({"": 1.0, "degrees": 1.0, "°": 1.0}),
    "seconds": AmountSlot({"seconds": 1.0, "second": 1.0, "s": 1.0}),
    "times": AmountSlot({"times": 1.0, "x": 1.0}), "length": AmountSlot(UNITS),
    "pixels": AmountSlot({"": 1.0, "px": 1.0}),
}  # fmt: skip


def _larger(_facts: DeckNames, sign: str = "bigger", **amount: float) -> dict[str, Any]:
    (name, value), way = next(iter(amount.items())), 1 if sign == "bigger" else -1
    if name == "points":
        return {"points": way * value}
    if (factor := 1 + way * value if name == "percent" else value) <= 0:
        raise EditError("a text cannot become smaller than nothing")
    return {"factor": factor}


@dataclass(frozen=True)
class AskedLook:
    """Values for ``format_text``, and ``points`` larger or ``factor`` times as large."""

    values: tuple[tuple[str, Any], ...]

    @property
    def as_dict(self) -> dict[str, Any]:
        """The values by their names."""
        return dict(self.values)


def _look(_facts: DeckNames, **values: Any) -> AskedLook:
    return AskedLook(tuple(values.items()))


_STYLE = "{style=" + "|".join(STYLES) + "}"
_RELATIVE = "{sign=bigger|smaller}"
_SINGLE_LOOK = form(
    (f"[in] {_STYLE}", lambda f, style: AskedLook(((STYLES[style], True),))),
    (f"(not|no longer) {_STYLE}", lambda f, style: AskedLook(((STYLES[style], False),))),
    ("[in] {color}", _look),
    ("[in] ([size] {size:points}|size {size})", _look),
    ("in {font}", _look),
    ("{font:common font}", _look),
    (f"({{points}} {_RELATIVE}|{_RELATIVE} by {{points}}|{{percent}} {_RELATIVE}"
     f"|{_RELATIVE} by {{percent}}|{{times}} as (big|large))",
     lambda f, **held: _look(f, **_larger(f, **held))),
    ("{size=twice|half} as (big|large)",
     lambda f, size: _look(f, factor={"twice": 2.0, "half": 0.5}[size])),
    kinds=_KINDS,
)  # fmt: skip


@dataclass(frozen=True)
class LookSlot:
    """One look or several: ``bold``, ``32 pt and red``, ``bold italic``."""

    of_text: bool = False
    """Whether it is none that a shape may have as well: no colour, no relative size."""

    def read(self, words: Words, at: int) -> Iterator[Way]:
        """Looks that are joined by commas or ``and``; none is stated twice."""
        for (piece,), end in _SINGLE_LOOK.read(words, at):
            if self.of_text and {"color", "factor"} & piece.value.as_dict.keys():  # type: ignore[attr-defined]
                continue
            yield (piece,), end
            after = end + (words.low(end) == ",")
            after += words.low(after) == "and"
            for (more,), last in self.read(words, after):
                values = {**piece.value.as_dict, **more.value.as_dict}  # type: ignore[attr-defined]
                if len(values) == len(piece.value.values) + len(more.value.values):  # type: ignore[attr-defined]
                    look = AskedLook(tuple(sorted(values.items())))
                    yield (Piece(f"{piece.text} and {more.text}", value=look),), last


@dataclass(frozen=True)
class SlidePlace:
    """A place in the order of slides."""

    side: str
    """``before`` or ``after`` a slide, ``at`` a number, ``start`` or ``end``."""
    number: int = 0
    """Of the slide, as the deck was before the request, or of the place."""

    @property
    def words(self) -> str:
        """The place as a request may name it."""
        if self.side in ("before", "after"):
            return f"{self.side} slide {self.number}"
        return f"to position {self.number}" if self.side == "at" else f"to the {self.side}"


def _beside(_facts: DeckNames, side: str, slides: Scope) -> SlidePlace | None:
    numbers = slides.slides or ()
    return SlidePlace(side, numbers[0]) if len(numbers) == 1 and not slides.but else None


def _beside_titled(facts: DeckNames, side: str, title: str) -> list[SlidePlace | None]:
    return [_beside(facts, side, scope) for scope in titled(facts, title)]


def _any_side(facts: DeckNames, slides: Scope) -> list[SlidePlace | None]:
    if (beside := _beside(facts, "before", slides)) is None:
        return []
    at = beside.number
    return [SlidePlace("before", at), SlidePlace("after", at), SlidePlace("at", at)]


def _ranked(_facts: DeckNames, ordinal: int) -> SlidePlace | None:
    if ordinal == -1:
        return SlidePlace("end")
    return SlidePlace("at", ordinal) if ordinal > 0 else None


def _between(_facts: DeckNames, number: int, other: int) -> SlidePlace:
    if other != number + 1:
        raise EditError(f"slides {number} and {other} are no neighbours")
    return SlidePlace("after", number)


PLACE = form(
    ("[(right|directly|immediately)] {side=before|after} {slides}", _beside),
    ("[(right|directly)] {side=before|after} {title}", _beside_titled),
    ("[(to|at|as|in)] (position|place) {number}", lambda f, number: SlidePlace("at", number)),
    ("(to|at|in) {ordinal} (position|place)", _ranked),
    ("(as|so that it is|to be) {ordinal} [slide]", _ranked),
    ("between slides {number} and {other:number}", _between),
    ("(to|at|in) [very] {side=start|end} [of deck]", lambda f, side: SlidePlace(side)),
    ("to {slides}", _any_side),
    say=lambda place: place.words, kinds={**_KINDS, "slides": SLIDES},
)  # fmt: skip
"""A place among the slides. ``to slide 4`` may mean before it, after it, or in its place."""


@dataclass(frozen=True)
class NewBox:
    """A place for something new: left, top, width and height in pixels of the 960x540 frame."""

    frame: tuple[float, float, float, float] | None = None
    corner: str = ""
    """If no frame is said: a corner or edge of the slide, such as ``top right``."""

    @property
    def words(self) -> str:
        """The place as a request may name it."""
        if self.frame is None:
            return f"at the {self.corner}"
        return "at {:g}, {:g}, {:g} by {:g}".format(*self.frame)


def _frame(_facts: DeckNames, **sides: float) -> NewBox:
    return NewBox((sides["x"], sides["y"], sides["width"], sides["height"]))


BOX = form(
    ("at {x:pixels} , {y:pixels} [,] [size] {width:pixels} (by|,) {height:pixels}", _frame),
    ("(in|at|to) {down=top|bottom} [{across=left|right} [corner]]",
     lambda f, down, across="": NewBox(corner=f"{down} {across}".strip())),
    say=lambda box: box.words, kinds=_KINDS,
)  # fmt: skip
_WORDS = frozenset((*NUMBERS, *ORDINALS, *UNITS, *" ".join(STYLES).split()))


def is_value(low: str) -> bool:
    """Whether a word is a number, a place, a unit, a style or a colour."""
    return low in _WORDS or css_color(low) is not None


VALUES: Mapping[str, TemplateNode] = {
    **_KINDS, "look": LookSlot(), "text look": LookSlot(of_text=True), "place": PLACE, "box": BOX,
    "rank": form(("{ordinal} slide", _ranked), say=lambda place: place.words, kinds=_KINDS),
}  # fmt: skip
"""Types of slots for values, by name."""
