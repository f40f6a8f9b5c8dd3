"""The slots of a request: what its words name as targets, slides, looks and measures."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from decklab.deck.styles.colors import css_color
from decklab.editing.requests.lexicon import (
    ALIGNMENTS,
    CASES,
    EXACT_WORDS,
    FILLERS,
    FONTS,
    LARGER,
    NUMBERS,
    PLURALS,
    PROPERTIES,
    SMALLER,
    STYLES,
    TARGETS,
    UNITS,
)
from decklab.editing.requests.slide_names import Scope, SlideReader, ordinal_of
from decklab.editing.requests.words import Token, low_at, phrase_at

_LONGEST_PHRASE = 4
_MOST_DIGITS = 12
_NUMBERED = ("row", "column", "bullet", "cell", "picture", "shape", "table", "chart", "text box",
             "rectangle", "circle")  # fmt: skip
DRAWN = ("picture", "shape", "rectangle", "circle", "text box", "caption", "table", "chart",
         "diagram", "line", "group")  # fmt: skip
"""The kinds of things drawn on slides."""
_BOXES = ("box", "shape", "button", "label", "stamp", "rectangle", "circle", "bubble")
_AXES = {
    "wide": "width", "width": "width", "tall": "height", "high": "height", "height": "height",
    "left": "left", "right": "right", "up": "up", "down": "down", "upwards": "up",
    "downwards": "down", "rightwards": "right", "leftwards": "left",
}  # fmt: skip
_MULTIPLES = {"twice": 2.0, "double": 2.0, "half": 0.5, "triple": 3.0, "thrice": 3.0}


@dataclass(frozen=True)
class Target:
    """A thing on slides."""

    kind: str
    """A meaning in ``lexicon.TARGETS``."""
    plural: bool = False
    """Whether all of its kind are meant."""
    place: int | None = None
    """Which of its kind, from 1; -1 is the last."""
    count: int = 1
    """How many from that place on."""
    name: str | None = None
    """Its name, where it is said."""


@dataclass(frozen=True)
class StatedLength:
    """A length in EMU, and the side or direction it is about, if any is said."""

    length: float
    axis: str = ""


@dataclass
class Slots:
    """What the words of a request, or of a part of it, name; ``rest`` is what nothing explains."""

    scope: Scope | None = None
    everywhere: bool = False
    targets: list[Target] = field(default_factory=list)
    properties: set[str] = field(default_factory=set)
    look: dict[str, object] = field(default_factory=dict)
    """Values for ``format_text``, and ``points``, ``factor``, ``case``."""
    measures: list[StatedLength] = field(default_factory=list)
    axes: list[str] = field(default_factory=list)
    numbers: list[float] = field(default_factory=list)
    quoted: list[str] = field(default_factory=list)
    relative: str = ""
    """``larger`` or ``smaller``, where no amount is said with it."""
    by: bool = False
    """Whether an amount follows ``by``: it is a difference."""
    pronoun: bool = False
    """Whether ``it`` stands for what was named before."""
    contradicts: bool = False
    """Whether two values for one thing are named."""
    rest: list[Token] = field(default_factory=list)

    def put(self, name: str, value: object) -> None:
        """Take up a value; two different ones for one thing contradict."""
        if self.look.setdefault(name, value) != value:
            self.contradicts = True

    def target(self, *kinds: str) -> Target | None:
        """The first target of some kinds; of any where none is given."""
        return next((one for one in self.targets if one.kind in kinds or not kinds), None)

    @property
    def kinds(self) -> set[str]:
        """The kinds of all targets."""
        return {one.kind for one in self.targets}

    @property
    def scope_or_all(self) -> Scope:
        """The slides, all where none are named."""
        return self.scope or Scope()


@dataclass(frozen=True)
class PhraseReader:
    """Finds the slots in the words of a request."""

    slides: SlideReader

    def read(self, tokens: Sequence[Token]) -> Slots:
        """All slots of some words."""
        slots = Slots()
        at = 0
        while at < len(tokens):
            at = self._step(tokens, at, slots)
        return slots

    def _step(self, tokens: Sequence[Token], at: int, slots: Slots) -> int:
        """Take up the phrase that begins at a place; gives the place after it."""
        for take in (
            self._quoted, self._left_out, self._noun_with_slide, self._slides, self._everywhere,
            self._named_shape, self._theme_color, self._color, self._style, self._amount,
            self._font, self._noun, self._word,
        ):  # fmt: skip
            end = take(tokens, at, slots)
            if end > at:
                return end
        slots.rest.append(tokens[at])
        return at + 1

    def _quoted(self, tokens: Sequence[Token], at: int, slots: Slots) -> int:
        if tokens[at].kind != "quoted":
            return at
        slots.quoted.append(tokens[at].text)
        return at + 1

    def _left_out(self, tokens: Sequence[Token], at: int, slots: Slots) -> int:
        found = self.slides.read_except(tokens, at)
        if found is None:
            return at
        slots.scope = replace(slots.scope_or_all, but=found[0])
        return found[1]

    def _noun_with_slide(self, tokens: Sequence[Token], at: int, slots: Slots) -> int:
        """``slide numbers`` and its like, which name no slides."""
        start = at
        while low_at(tokens, at) in ("the", "all", "every", "each", "any", "of"):
            at += 1
        if low_at(tokens, at) not in ("slide", "page") or _phrase(tokens, at, TARGETS)[1] - at < 2:
            return start
        return self._noun(tokens, at, slots)

    def _slides(self, tokens: Sequence[Token], at: int, slots: Slots) -> int:
        found = self.slides.read(tokens, at)
        if found is None:
            return at
        scope, end = found
        if slots.scope is not None and slots.scope.slides != scope.slides:
            if slots.scope.slides is not None and scope.slides is not None:
                slots.contradicts = True
            but = slots.scope.but or scope.but
            scope = Scope(slots.scope.slides if scope.slides is None else scope.slides, but)
        slots.scope = scope
        return end

    def _everywhere(self, tokens: Sequence[Token], at: int, slots: Slots) -> int:
        words = ("everywhere", "anywhere", "throughout")
        if tokens[at].low not in words:
            return at
        slots.everywhere = True
        return at + 1

    def _named_shape(self, tokens: Sequence[Token], at: int, slots: Slots) -> int:
        """A shape by its name, of two words at least, or of one behind ``the``."""
        start = at
        while low_at(tokens, at) in ("the", "all", "every"):
            at += 1
        names = self.slides.facts.names
        labelled = self._labelled_shape(tokens, at) if start < at else None
        if labelled is not None:
            slots.targets.append(labelled[0])
            return labelled[1]
        for end in range(min(len(tokens), at + 6), at, -1):
            words = tokens[at:end]
            name = " ".join(token.text for token in words)
            alone = end - at == 1 and (start == at or words[0].low in EXACT_WORDS)
            if name.lower() in names and not alone and words[0].kind == "word":
                before = slots.targets[-1:] if start == at else []
                if before and before[0].name is None and before[0].kind in _NUMBERED:
                    slots.targets.pop()  # ``the shape Ship box``: one thing, named twice
                slots.targets.append(Target("shape", name=name))
                return end
        return start

    def _labelled_shape(self, tokens: Sequence[Token], at: int) -> tuple[Target, int] | None:
        """``Homes box``, ``confidential stamp``: a shape by the words on it and what it is."""
        for end in range(at + 1, min(len(tokens), at + 6)):
            noun = low_at(tokens, end)
            label = " ".join(token.text for token in tokens[at:end] if token.kind == "word")
            is_shape = noun in _BOXES or noun in self.slides.facts.names
            if is_shape and label.lower() in self.slides.facts.labels:
                return Target("shape", name=label), end + 1
        return None

    def _theme_color(self, tokens: Sequence[Token], at: int, slots: Slots) -> int:
        ordinal = ordinal_of(low_at(tokens, at))
        if ordinal is not None and 1 <= ordinal <= 6 and low_at(tokens, at + 1) == "accent":
            slots.put("color", f"accent{ordinal}")
            return at + 2 + (low_at(tokens, at + 2) in ("color", "colour"))
        for name, most in (("accent", 6), ("text", 2), ("background", 2)):
            joined = tokens[at].low
            if joined in [f"{name}{number}" for number in range(1, most + 1)]:
                slots.put("color", joined)
                return at + 1
            if joined != name:
                continue
            end = at + 1 + (low_at(tokens, at + 1) in ("color", "colour"))
            number = _whole(tokens, end)
            if number is not None and 1 <= number <= most and not _unit(tokens, end + 1):
                slots.put("color", f"{name}{number}")
                return end + 1
        return at

    def _color(self, tokens: Sequence[Token], at: int, slots: Slots) -> int:
        found, end = color_at(tokens, at)
        if found:
            slots.put("color", found)
        return end

    def _amount(self, tokens: Sequence[Token], at: int, slots: Slots) -> int:
        """Numbers with their units; larger, smaller, twice, half."""
        by = at + (tokens[at].low == "by")
        slots.by = slots.by or by > at
        if low_at(tokens, by) in _MULTIPLES and tokens[by].kind == "word":
            if low_at(tokens, by) == "half" and low_at(tokens, by + 1) in ("a", "an"):
                return self._half_a_length(tokens, by, slots)
            slots.put("factor", _MULTIPLES[tokens[by].low])
            return _after_as_large(tokens, by + 1)
        if tokens[at].low in LARGER | SMALLER and tokens[at].kind == "word":
            direction = "smaller" if tokens[at].low in SMALLER else "larger"
            if slots.relative not in ("", direction):
                slots.contradicts = True
            slots.relative = direction
            axis = {"wider": "width", "narrower": "width", "taller": "height", "higher": "height",
                    "up": "up", "down": "down"}.get(tokens[at].low)  # fmt: skip
            slots.axes += [axis] if axis else []
            return at + 1 + (low_at(tokens, at + 1) == "than")
        number = _decimal(tokens, by)
        return at if number is None else self._number(tokens, by, number, slots)

    def _half_a_length(self, tokens: Sequence[Token], at: int, slots: Slots) -> int:
        unit = low_at(tokens, at + 2)
        if unit not in UNITS:
            return at
        return self._axis(tokens, at + 3, UNITS[unit] / 2, slots)

    def _number(self, tokens: Sequence[Token], at: int, number: float, slots: Slots) -> int:
        unit = low_at(tokens, at + 1)
        if unit in ("%", "percent", "per"):
            slots.put("percent", number)
            return at + 2 + (unit == "per")
        if unit in ("x", "times", "×"):
            slots.put("factor", number)
            return _after_as_large(tokens, at + 2)
        if _unit(tokens, at + 1):
            if unit in ("pt", "pts", "point", "points"):
                slots.put("points", number)
            return self._axis(tokens, at + 2, number * UNITS[unit], slots)
        if _phrase(tokens, at + 1, TARGETS)[0] in _NUMBERED:
            return at
        slots.numbers.append(number)
        return at + 1

    def _axis(self, tokens: Sequence[Token], at: int, length: float, slots: Slots) -> int:
        at += low_at(tokens, at) == "in" and low_at(tokens, at + 1) in ("width", "height")
        axis = _AXES.get(low_at(tokens, at), "")
        slots.measures.append(StatedLength(length, axis))
        return at + (axis != "")

    def _font(self, tokens: Sequence[Token], at: int, slots: Slots) -> int:
        names = {name.lower(): name for name in (*self.slides.facts.fonts, *FONTS)}
        found = phrase_at(tokens, at, names)
        if not found:
            return at
        slots.put("font", names[found])
        return at + len(found.split())

    def _noun(self, tokens: Sequence[Token], at: int, slots: Slots) -> int:
        """A target or a property, with its place among its kind: ``the last two rows``."""
        start = at
        while low_at(tokens, at) in ("the", "all", "every", "each", "both", "any"):
            at += 1
        every = any(low_at(tokens, one) in ("all", "every", "each", "both", "any")
                    for one in range(start, at))  # fmt: skip
        place, count = None, 1
        if (ordinal := ordinal_of(low_at(tokens, at))) is not None:
            place = ordinal
            more = _whole(tokens, at + 1)
            at += 1 + (more is not None)
            count = more or 1
        property_, property_end = _phrase(tokens, at, PROPERTIES)
        kind, end = _phrase(tokens, at, TARGETS)
        if place is None and property_ and property_end >= end:
            slots.properties |= {"color", "font"} if property_ == "text color" else {property_}
            return property_end
        if not kind or kind in ("slide", "deck"):
            return start
        if place is not None and kind not in (*_NUMBERED, "caption"):
            return start
        plural = every or " ".join(low_at(tokens, one) for one in range(at, end)) in PLURALS
        number = _whole(tokens, end)
        if (
            place is None
            and number is not None
            and kind in _NUMBERED
            and not _unit(tokens, end + 1)
            and low_at(tokens, end + 1) not in ("%", "percent", "per", "x", "times")
        ):
            listed = self.slides.read_numbers(tokens, end, plural=plural)
            places = (listed[0].slides or ()) if listed else ()
            if len(places) > 1 and listed and kind != "cell":
                slots.targets += [Target(kind, place=one) for one in places]
                return listed[1]
            place, end, plural = number, end + 1, False
        slots.targets.append(Target(kind, plural and place is None, place, count))
        return end

    def _style(self, tokens: Sequence[Token], at: int, slots: Slots) -> int:
        off = low_at(tokens, at) in ("not", "no", "non", "without")
        word = at + off + (low_at(tokens, at + 1) == "longer" if off else 0)
        low = low_at(tokens, word)
        if low in STYLES:
            name, on = STYLES[low]
            slots.put(name, on and not off)
            return word + 1
        if off:
            return at
        for table, name in ((CASES, "case"), (ALIGNMENTS, "align")):
            meaning, end = _phrase(tokens, at, table)
            if meaning:
                slots.put(name, meaning)
                return end
        return at

    def _word(self, tokens: Sequence[Token], at: int, slots: Slots) -> int:
        low = tokens[at].low
        if low in ("it", "them", "they", "its", "their"):
            slots.pronoun = True
        if tokens[at].kind == "word" and low in _AXES:
            slots.axes.append(_AXES[low])
            return at + 1
        is_filler = low in FILLERS or tokens[at].text in (",", ":", "'", "’", "s", ".", "!", "?")
        return at + is_filler


def color_at(tokens: Sequence[Token], at: int) -> tuple[str, int]:
    """The colour named at a place as ``#RRGGBB``, and the place after it; empty for none.

    Names are those of CSS (CSS Color 4, section 6.1), with or without spaces.
    """
    if tokens[at].kind == "hex":
        return tokens[at].text.upper(), at + 1
    for end in range(min(len(tokens), at + 3), at, -1):
        words = tokens[at:end]
        if all(token.kind == "word" for token in words):
            name = "".join(token.low for token in words).replace("-", "")
            value = css_color(name)
            if value:
                return value, end
    return "", at


def ends_noun(tokens: Sequence[Token], at: int) -> bool:
    """Whether a target's noun ends before a place, and no longer one runs across it."""
    spans = [(start, _phrase(tokens, start, TARGETS)[1]) for start in range(max(0, at - 4), at)]
    return any(end == at for _start, end in spans) and not any(end > at for _start, end in spans)


def _phrase(tokens: Sequence[Token], at: int, table: Mapping[str, str]) -> tuple[str, int]:
    """The longest phrase of a table that begins at a place: its meaning, and the place after it."""
    for end in range(min(len(tokens), at + _LONGEST_PHRASE), at, -1):
        words = tokens[at:end]
        if any(token.kind == "quoted" for token in words):
            continue
        meaning = table.get(" ".join(token.low for token in words))
        if meaning is not None:
            return meaning, end
    return "", at


def _whole(tokens: Sequence[Token], at: int) -> int | None:
    if not 0 <= at < len(tokens) or tokens[at].kind == "quoted":
        return None
    return int(tokens[at].text) if tokens[at].is_number else NUMBERS.get(tokens[at].low)


def _decimal(tokens: Sequence[Token], at: int) -> float | None:
    if at < len(tokens) and tokens[at].kind == "number":
        return float(tokens[at].text) if len(tokens[at].text) <= _MOST_DIGITS else None
    whole = _whole(tokens, at)
    return None if whole is None else float(whole)


def _unit(tokens: Sequence[Token], at: int) -> bool:
    """Whether a unit of length stands at a place; ``in`` may also begin a phrase."""
    low = low_at(tokens, at)
    if low == "in":
        return low_at(tokens, at + 1) in (
            "",
            "wide",
            "tall",
            "high",
            "and",
            ",",
            "to",
            "up",
            "down",
        )
    return low in UNITS


def _after_as_large(tokens: Sequence[Token], at: int) -> int:
    """The place after ``as big``, ``the size``, ``bigger``."""
    at += low_at(tokens, at) in ("as", "the", "its", "their")
    at += low_at(tokens, at) in ("big", "large", "size", "current", *LARGER)
    return at + (low_at(tokens, at) == "size")
