"""The slides that a request names: by number, place, title, all of them, all but some."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from decklab.deck.model.shapes import Cell
from decklab.deck.model.slide import DeckElements
from decklab.editing.finding import EditError
from decklab.editing.requests.lexicon import NUMBERS, ORDINALS, UNITS, word_set
from decklab.editing.requests.words import Token, low_at, phrase_at, tokens_of

_DETERMINERS = word_set("the all al every each both of my our any whole entire these those")
_SLIDE = frozenset(("slide", "slides", "page", "pages"))
_DECK = frozenset(("deck", "presentation", "slideshow", "document"))
_NOT_THE_SLIDE = word_set(
    "title titles heading headings headline headlines number numbers numbering background "
    "backgrounds layout transition transitions order deck"
)
"""After ``slide`` these make a noun of their own, such as ``slide numbers``."""
_EXCEPT = (
    "with the exception of", "apart from", "other than", "aside from", "leaving out", "but not",
    "except for", "but for", "except", "excluding", "but", "besides",
)  # fmt: skip
_ONWARDS = ("onwards", "onward", "and following", "and later", "to the end", "until the end",
            "to the last", "and after", "on")  # fmt: skip
_CALLED = frozenset(("called", "titled", "named", "entitled", "about", "headed"))
_RANGE = frozenset(("-", "–", "—", "through", "thru", "until", "till"))
_JOINING = word_set("on in of from for at to with by and or as after before behind , into")
_LONGEST_TITLE = 12
_LONGEST_LABEL = 5
_MOST = 10_000


@dataclass(frozen=True)
class DeckFacts:
    """What a reader of requests has to know of a deck."""

    titles: tuple[str, ...] = ()
    """Of the slides, in order; empty for a slide without one."""
    words: frozenset[str] = frozenset()
    """All words on the slides, in small letters."""
    fonts: tuple[str, ...] = ()
    names: frozenset[str] = frozenset()
    """Of the shapes, in small letters."""
    labels: frozenset[str] = frozenset()
    """What shapes read that hold a few words only, in small letters."""
    rows: frozenset[str] = frozenset()
    """What the first cells of tables' rows read, in small letters."""
    columns: frozenset[str] = frozenset()

    @property
    def total(self) -> int:
        """How many slides there are."""
        return len(self.titles)


def facts_of(deck: DeckElements) -> DeckFacts:
    """What a reader of requests has to know of a deck that was read."""
    texts: list[str] = []
    fonts: set[str] = set()
    names: set[str] = set()
    labels: set[str] = set()
    for slide in deck.slides:
        texts += [slide.title or "", slide.notes or "", slide.footer or ""]
        names |= {item.name.lower() for item in slide.elements() if item.name}
        cells = [cell for table in slide.tables for row in table.rows for cell in row]
        lines = [line for text in slide.texts for line in text.paragraphs]
        for held in (lines, *(cell.paragraphs for cell in cells)):
            for paragraph in held:
                texts.append("".join(run.text for run in paragraph.runs))
                fonts |= {run.font.name for run in paragraph.runs if run.font.name}
        labels |= {text.text.strip().lower() for text in slide.texts if not text.placeholder}
        for chart in slide.charts:
            texts += [chart.title or "", *(series.name or "" for series in chart.series)]
    words = re.findall(r"[^\W\d_][\w'’\-]*", " ".join([*texts, *names]).lower())
    longest_first = tuple(sorted(fonts, key=lambda name: (-len(name), name)))
    titles = tuple(slide.title or "" for slide in deck.slides)
    short = frozenset(text for text in labels if 0 < len(text.split()) <= _LONGEST_LABEL)
    tables = [table.rows for slide in deck.slides for table in slide.tables if table.rows]
    rows = frozenset(_cell_text(row[0]) for table in tables for row in table[1:] if row)
    columns = frozenset(_cell_text(cell) for table in tables for cell in table[0])
    return DeckFacts(
        titles,
        frozenset(words),
        longest_first,
        frozenset(names),
        short,
        rows - {""},
        columns - {""},
    )


def _cell_text(cell: Cell) -> str:
    lines = ("".join(run.text for run in line.runs) for line in cell.paragraphs)
    return " ".join(lines).strip().lower()


@dataclass(frozen=True)
class Scope:
    """Slides by their numbers when the request is made."""

    slides: tuple[int, ...] | None = None
    """None for all slides."""
    but: tuple[int, ...] = ()
    """The slides left out."""

    def numbers(self, total: int) -> list[int]:
        """The slides that are meant in a deck of ``total``, in order.

        Raises EditError for a slide that the deck does not have.
        """
        wanted = set(range(1, total + 1) if self.slides is None else self.slides) - set(self.but)
        beyond = sorted(number for number in wanted | set(self.but) if not 1 <= number <= total)
        if beyond:
            raise EditError(f"there is no slide {beyond[0]}; the deck has {total}")
        return sorted(wanted)

    @property
    def words(self) -> str:
        """The slides in words, such as ``slides 2-4, 7``."""
        if self.slides is None:
            said = "all slides"
        else:
            said = f"slide{'s' * (len(self.slides) > 1)} {_ranges(self.slides)}"
        return f"{said} but {_ranges(self.but)}" if self.but else said


def _ranges(numbers: Sequence[int]) -> str:
    """Numbers as people write them: ``2-4, 7``."""
    found: list[list[int]] = []
    for number in sorted(set(numbers)):
        if found and number == found[-1][-1] + 1:
            found[-1].append(number)
        else:
            found.append([number])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in found)


@dataclass(frozen=True)
class SlideReader:
    """Finds slides in the words of a request."""

    facts: DeckFacts
    to_is_range: bool = True
    """Whether ``slides 2 to 4`` is a range; else ``to`` begins a value."""

    def read(self, tokens: Sequence[Token], at: int) -> tuple[Scope, int] | None:
        """The slides named from a place on, and the place after them; None where there are none."""
        found = self._named(tokens, at)
        if found is None:
            return None
        scope, end = found
        left_out = self.read_except(tokens, end)
        return found if left_out is None else (replace(scope, but=left_out[0]), left_out[1])

    def read_except(self, tokens: Sequence[Token], at: int) -> tuple[tuple[int, ...], int] | None:
        """The slides after ``except`` and its like, and the place after them."""
        start = at + (low_at(tokens, at) == ",")
        phrase = phrase_at(tokens, start, _EXCEPT)
        if not phrase:
            return None
        at = start + len(phrase.split())
        while low_at(tokens, at) in ("for", "on", "in", "from", "of"):
            at += 1
        named = self._named(tokens, at) or self.read_numbers(tokens, at, plural=True)
        named = named or self._ordinal_alone(tokens, at) or self.read_title(tokens, at)
        return None if named is None or named[0].slides is None else (named[0].slides, named[1])

    def read_title(self, tokens: Sequence[Token], at: int) -> tuple[Scope, int] | None:
        """A slide named by nothing but its title, such as ``the agenda``."""
        at += low_at(tokens, at) in ("the", "a")
        for end in range(min(len(tokens), at + _LONGEST_TITLE), at, -1):
            words = tokens[at:end]
            exact = [number for number, title in enumerate(self.facts.titles, start=1)
                     if title and _plain(title) == _plain(_joined(words))]  # fmt: skip
            if len(exact) == 1 and words[-1].kind != "mark":
                return Scope((exact[0],)), end
        return None

    def _named(self, tokens: Sequence[Token], at: int) -> tuple[Scope, int] | None:
        start = at
        while low_at(tokens, at) in _DETERMINERS:
            at += 1
        is_show = low_at(tokens, at) == "show" and at > start
        if (
            is_show
            or low_at(tokens, at) in _DECK
            or (low_at(tokens, at), low_at(tokens, at + 1)) == ("slide", "deck")
        ):
            return Scope(), at + 1 + (low_at(tokens, at) == "slide")
        is_slide = low_at(tokens, at) in _SLIDE and tokens[at].kind == "word"
        if is_slide and (low_at(tokens, at + 1) not in _NOT_THE_SLIDE or tokens[at].is_possessive):
            found = self._after_slide(tokens, at)
            if found is not None:
                return found
        if is_slide and (low_at(tokens, at + 1), low_at(tokens, at + 2)[:1].isdigit()) == (
            "number",
            True,
        ):
            return self.read_numbers(tokens, at + 2, plural=False)
        return self._before_slide(tokens, at) if start <= at else None

    def _after_slide(self, tokens: Sequence[Token], at: int) -> tuple[Scope, int] | None:
        plural = tokens[at].low.endswith("s")
        after = at + 1 + (low_at(tokens, at + 1) in ("no", "nr", "#"))
        numbered = self.read_numbers(tokens, after, plural)
        if numbered is not None:
            return self._onwards(tokens, numbered)
        is_open = low_at(tokens, after) in ("after", "before", "from")
        number_at = after + 1 + (low_at(tokens, after + 1) in ("slide", "number"))
        if (plural or _determined(tokens, at)) and is_open and _number(tokens, number_at):
            return self._open_range(tokens, after, number_at)
        called = after + (low_at(tokens, after) in _CALLED)
        if low_at(tokens, after) == "with" and low_at(tokens, after + 2) == "title":
            called = after + 3
        if called < len(tokens) and tokens[called].kind == "quoted":
            number = self._titled(tokens[called].text)
            return (Scope((number,)), called + 1) if number else None
        titled = self.read_title(tokens, called) if called > after else None
        if titled is not None:
            return titled
        return (Scope(), at + 1) if plural or _determined(tokens, at) else None

    def _onwards(self, tokens: Sequence[Token], numbered: tuple[Scope, int]) -> tuple[Scope, int]:
        scope, end = numbered
        first = (scope.slides or (1,))[-1]
        phrase = phrase_at(tokens, end, _ONWARDS)
        behind = end + len(phrase.split())
        is_value = phrase == "to the end" and not tokens[end - 2].low.endswith("s")
        if not phrase or is_value or (phrase == "on" and behind < len(tokens)):
            return numbered
        more = tuple(range(first + 1, self.facts.total + 1))
        return Scope((*(scope.slides or ()), *more)), behind

    def _open_range(self, tokens: Sequence[Token], at: int, number_at: int) -> tuple[Scope, int]:
        number = _number(tokens, number_at) or 1
        end = number_at + 1 + (low_at(tokens, number_at + 1) in ("on", "onwards", "onward"))
        spans = {"after": (number + 1, self.facts.total), "before": (1, number - 1),
                 "from": (number, self.facts.total)}  # fmt: skip
        first, last = spans[tokens[at].low]
        return Scope(tuple(range(first, last + 1))), end

    def read_numbers(
        self, tokens: Sequence[Token], at: int, plural: bool
    ) -> tuple[Scope, int] | None:
        """A list of numbers with ranges; ``to`` makes a range only in the plural."""
        found: list[int] = []
        while (number := _number(tokens, at)) is not None and not _has_unit(tokens, at):
            last, end = self._range_end(tokens, at, number, plural)
            if last < number:
                raise EditError(f"slides {number} to {last} run backwards")
            if last - number > _MOST:
                raise EditError(f"no deck has {last} slides")
            found += range(number, last + 1)
            at = end
            following = at
            while low_at(tokens, following) in (",", "and", "&", "or", "plus"):
                following += 1
            if following == at:
                break
            following += low_at(tokens, following) in _SLIDE
            if _number(tokens, following) is None or _has_unit(tokens, following):
                break
            at = following
        return (Scope(tuple(dict.fromkeys(found))), at) if found else None

    def _range_end(
        self, tokens: Sequence[Token], at: int, number: int, plural: bool
    ) -> tuple[int, int]:
        """The last number of a range that begins here, and the place after it."""
        joint = low_at(tokens, at + 1)
        joins = joint in _RANGE or (joint == "to" and plural and self.to_is_range)
        following = at + 2 + (low_at(tokens, at + 2) in _SLIDE)
        last = _number(tokens, following)
        if joins and last is not None and not _has_unit(tokens, following):
            return last, following + 1
        return number, at + 1

    def _before_slide(self, tokens: Sequence[Token], at: int) -> tuple[Scope, int] | None:
        """``the last two slides``, ``the second slide``, ``odd slides``, ``the agenda slide``."""
        ordinals = self._ordinals(tokens, at)
        if ordinals is not None:
            return ordinals
        if low_at(tokens, at) in ("odd", "even") or low_at(tokens, at + 1) in ("odd", "even"):
            at += low_at(tokens, at) not in ("odd", "even")
            at_slide = at + 1 + (low_at(tokens, at + 1) == "numbered")
            if low_at(tokens, at_slide) in _SLIDE:
                first = 1 if tokens[at].low == "odd" else 2
                return Scope(tuple(range(first, self.facts.total + 1, 2))), at_slide + 1
        return self._title_before_slide(tokens, at)

    def _title_before_slide(self, tokens: Sequence[Token], at: int) -> tuple[Scope, int] | None:
        for end in range(at + 1, min(len(tokens), at + _LONGEST_TITLE + 1)):
            if (
                tokens[end].low in ("slide", "page")
                and low_at(tokens, end + 1) not in _NOT_THE_SLIDE
            ):
                words = _joined(tokens[at:end])
                edges = {tokens[at].low, tokens[end - 1].low}
                if edges & _JOINING or _number(tokens, end + 1) is not None:
                    return None
                number = self._titled(words)
                if number is None and words.lower() in ("title", "cover", "opening", "first"):
                    number = 1
                return (Scope((number,)), end + 1) if number else None
        return None

    def _ordinals(self, tokens: Sequence[Token], at: int) -> tuple[Scope, int] | None:
        places: list[int] = []
        while (place := _ordinal(tokens, at)) is not None:
            at += 1
            if low_at(tokens, at) in ("to", "-") and low_at(tokens, at + 1) in ("last", "-last"):
                place, at = -place, at + 2
            elif low_at(tokens, at) == "last":
                place, at = -place, at + 1
            places.append(place)
            while low_at(tokens, at) in (",", "and", "the", "&") and _ordinal_ahead(tokens, at):
                at += 1
        count = _number(tokens, at)
        if not places:
            return None
        at += count is not None
        if low_at(tokens, at) not in _SLIDE:
            return None
        if count is not None and len(places) == 1:
            return Scope(tuple(self._run(places[0], count))), at + 1
        return Scope(tuple(self._from_end(place) for place in places)), at + 1

    def _ordinal_alone(self, tokens: Sequence[Token], at: int) -> tuple[Scope, int] | None:
        """``the first``, ``the last two``, ``the first one`` where slides are meant."""
        places: list[int] = []
        while low_at(tokens, at) in ("the", "and") or _ordinal(tokens, at) is not None:
            place = _ordinal(tokens, at)
            places += [] if place is None else [place]
            at += 1
        if not places:
            return None
        count = _number(tokens, at)
        if low_at(tokens, at) == "one":
            return Scope(tuple(map(self._from_end, places))), at + 1
        if count is not None and len(places) == 1:
            return Scope(tuple(self._run(places[0], count))), at + 1
        return Scope(tuple(map(self._from_end, places))), at

    def _run(self, place: int, count: int) -> range:
        if count > self.facts.total:
            raise EditError(f"there are no {count} slides; the deck has {self.facts.total}")
        if place < 0:
            return range(self.facts.total - count + 1, self.facts.total + 1)
        return range(place, place + count)

    def _from_end(self, place: int) -> int:
        return place if place > 0 else self.facts.total + 1 + place

    def _titled(self, words: str) -> int | None:
        """The slide whose title these words are, or are a part of.

        Raises EditError where several are alike.
        """
        wanted = _plain(words)
        titles = [_plain(title) for title in self.facts.titles]
        for fits in (
            lambda title: title == wanted,
            lambda title: title.rstrip("s") == wanted.rstrip("s"),
            lambda title: f" {wanted} " in f" {title} ",
        ):
            found = [
                number for number, title in enumerate(titles, start=1) if title and fits(title)
            ]
            if len(found) > 1:
                raise EditError(f"slides {_ranges(found)} have “{words}” in their title; say which")
            if found and wanted:
                return found[0]
        return None


def numbers_in(text: str) -> tuple[int, ...]:
    """The numbers of a list with ranges; empty where it is no such list.

    Raises EditError for a range that runs backwards.

    >>> numbers_in("2, 4-6 and 9")
    (2, 4, 5, 6, 9)
    """
    tokens = tokens_of(text)
    found = SlideReader(DeckFacts()).read_numbers(tokens, 0, plural=True)
    return (found[0].slides or ()) if found is not None and found[1] == len(tokens) else ()


def _determined(tokens: Sequence[Token], at: int) -> bool:
    """Whether ``every`` or its like stands before a place: all slides are meant."""
    return at > 0 and tokens[at - 1].low in _DETERMINERS - {"the", "of", "my", "our"}


def _joined(tokens: Sequence[Token]) -> str:
    return " ".join(token.text for token in tokens)


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold().replace("'s", "s").replace("’s", "s")))


def _number(tokens: Sequence[Token], at: int) -> int | None:
    if not 0 <= at < len(tokens):
        return None
    token = tokens[at]
    if token.kind == "number":
        return int(token.text) if token.is_number else None
    return NUMBERS.get(token.low) if token.kind == "word" else None


def _ordinal(tokens: Sequence[Token], at: int) -> int | None:
    return ordinal_of(low_at(tokens, at))


def ordinal_of(word: str) -> int | None:
    """The place that a word such as ``second``, ``2nd`` or ``last`` (-1) names."""
    digits = re.fullmatch(r"(\d{1,4})(?:st|nd|rd|th)", word)
    return int(digits[1]) if digits else ORDINALS.get(word)


def _ordinal_ahead(tokens: Sequence[Token], at: int) -> bool:
    while low_at(tokens, at) in (",", "and", "the", "&"):
        at += 1
    return _ordinal(tokens, at) is not None


def _has_unit(tokens: Sequence[Token], at: int) -> bool:
    """Whether the number at a place is a size or share rather than a slide's number."""
    following = low_at(tokens, at + 1)
    return (following in UNITS and following != "in") or following in (
        "%",
        "percent",
        "seconds",
        "x",
    )
