"""Texts of slides: marks of markup, unfinished words, titles that say nothing, typed bullets.

The checks are pure functions of plain text, so that a plan and a deck are judged alike: a slide is
its title and its other texts.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from decklab.core.geometry import FRAME
from decklab.core.results import Occurrence, quoted
from decklab.deck.model.shapes import Chart, Element, Paragraph, Text, box_of
from decklab.deck.model.slide import SlideElements
from decklab.linting.rules.legibility import FOOTERS
from decklab.linting.rules.page import DrawnSlide, DrawnText, ink_of, share_inside, visible
from decklab.linting.rules.rule import Rule, called
from decklab.linting.rules.titles import is_title
from decklab.metrics.spelling import frequent_words, is_english, misspelt_words

LEAST_TYPED: Final = 2
"""Ours: paragraphs that begin with a number or bullet before they are a list."""

HANGS_EM: Final = 0.5
"""Ours: by so many times the text's size a line that goes on has to start farther right than the
number above it."""

LAYOUT_LIST = Rule(
    "layout.list",
    "TypedList",
    "The numbers or bullets of a list are typed.",
    threshold=f"{LEAST_TYPED} paragraphs with a bullet and a typed number or mark, or with a typed"
    " one under which their next line begins",
    fix="Delete the typed marks, and use the list's own.",
    why="A list of typed marks shows two marks where the layout has its own, and its second lines "
    "run into the marks; numbers do not follow when items move.",
    drawn=True,
    scored=False,
)

_TYPED: Final = re.compile(
    r"\s*(?:\d{1,2}[.)]|[a-z]\)|[-\u2013\u2022*\u25aa\u25cf\u25ba\u2713])\s+\S"
)


def typed_lists(view: DrawnSlide) -> Iterator[Occurrence]:
    """Lists in which paragraphs have a typed number or mark after their bullet, or a typed one
    under which their next line begins, so that items run into each other. Titles and what is
    animated are not judged.
    """
    for drawn in view.texts:
        text = drawn.element
        if not isinstance(text, Text) or is_title(text) or text.id in view.moving:
            continue
        typed = [paragraph for paragraph in text.paragraphs if _TYPED.match(paragraph.text)]
        if len(typed) < LEAST_TYPED:
            continue
        double = [paragraph for paragraph in typed if paragraph.bullet is not None]
        if len(double) >= LEAST_TYPED:
            says = f"has a bullet and a typed mark before {quoted(double[0].text)}"
        elif (wrapped := _wrapped(drawn, typed)) is not None:
            says = f"goes on under its typed mark in {quoted(wrapped)}"
        else:
            continue
        finding = LAYOUT_LIST.finding(
            f"{called(text, start=True)} {says}.", view.slide.number, text, box=drawn.ink
        )
        yield Occurrence(finding, text.name)


def _wrapped(drawn: DrawnText, typed: list[Paragraph]) -> str | None:
    """The words of a typed item whose second line begins under its mark."""
    if drawn.element.rotation or not drawn.is_whole:
        return None
    starts = [paragraph.text.split()[0] for paragraph in typed if paragraph.bullet is None]
    rows = [(ink_of(row), " ".join(span.text for span in row)) for row in drawn.lines]
    for (above, words), (below, next_words) in pairwise(rows):
        opens = any(words.lstrip().startswith(start) for start in starts)
        em = HANGS_EM * drawn.size_pt * drawn.px_per_pt
        under = not _TYPED.match(next_words) and abs(below.left - above.left) < em
        if opens and under and _goes_on(words, next_words, typed):
            return words
    return None


def _goes_on(line: str, following: str, typed: list[Paragraph]) -> bool:
    """Whether two lines are of one paragraph."""
    bare = ["".join(paragraph.text.split()) for paragraph in typed]
    joined = "".join(line.split()) + "".join(following.split())
    return any(joined in paragraph for paragraph in bare)


@dataclass(frozen=True)
class SlideWords:
    """A slide as plain text."""

    title: str
    texts: tuple[str, ...]
    """The other texts in their order; paragraphs end in a line feed."""


@dataclass(frozen=True)
class Remark:
    """A fault of what is written."""

    rule: Rule
    text: int | None
    """Its place in ``texts``; None for the title."""
    message: str
    trivial: bool = False


WRITTEN_MARKUP = Rule(
    "written.markup",
    "RawMarkup",
    "Marks of Markdown, HTML or a template language are shown as text.",
    threshold="`**bold**`, `## heading`, `&amp;`, `{{name}}` and their like, outside code",
    fix="Set the words as the marks mean, and delete the marks.",
    why="Marks such as ** were meant for a program; people stumble over them.",
    scored=False,
)

WRITTEN_UNFINISHED = Rule(
    "written.unfinished",
    "UnfinishedText",
    "Text is unfinished, or left over from another deck.",
    threshold="words such as TBD, `[company]` or `XX %`, or a text that ends in “and” or “of the”",
    fix="Finish the sentence, or put in what the words stand for.",
    why="A gap that was to be filled in tells the audience that nobody read the slide again.",
    scored=False,
)

WRITTEN_DOUBLED = Rule(
    "written.doubled",
    "DoubledWord",
    "A word stands twice in a row.",
    threshold="the same little word twice, such as “the the”",
    fix="Delete one of the two.",
    why="A doubled word is a slip that spelling checkers of slides do not show.",
    scored=False,
)

WRITTEN_SPACING = Rule(
    "written.spacing",
    "StraySpaceOrMark",
    "Spaces or marks of punctuation are missing, doubled or misplaced.",
    threshold="no space after a comma or full stop, one before a comma, a mark at the start of a"
    " line, or several double spaces",
    fix="Put the space or the mark where it belongs.",
    why="Such slips are seen at once on a large screen, and look careless.",
    scored=False,
)

WRITTEN_REPEATED = Rule(
    "written.repeated",
    "RepeatedText",
    "The same words stand on a slide three times.",
    threshold="three paragraphs or cells with the same three words or more, in places of their own",
    fix="Say each time what is different, or say it once.",
    why="Words that come again and again were copied to be filled in, or say nothing new.",
    scored=False,
)

WRITTEN_AXIS = Rule(
    "written.axis",
    "AxisDebris",
    "Numbers of an axis stand as text.",
    severity="info",
    threshold="a text of four numbers or more at equal steps, and nothing else, beside no text of"
    " as many lines",
    fix="Make it a chart, or delete the numbers.",
    why="Numbers without their axis mean nothing, and are read aloud one by one.",
    scored=False,
)

WRITTEN_TITLE = Rule(
    "written.title",
    "EmptyTitle",
    "A title says nothing, or the text only repeats it.",
    threshold="words such as “Slide 3”, “Untitled” or “My Bar Chart”, or the title again as the"
    " slide's first text",
    fix="Say the slide's point in the title.",
    why="A title that names no point leaves it to the audience to find one.",
    scored=False,
)

WRITTEN_MISSPELT = Rule(
    "written.misspelt",
    "MisspeltWord",
    "A word looks misspelt.",
    threshold="an unknown word of six letters or more that misses a common English one by a letter",
    fix="Correct it, or have the spelling checker learn it.",
    why="A misspelt word is seen by everyone in the room, and stays on the wall for minutes.",
    scored=False,
)

_MARKUP: Final = re.compile(
    r"\*\*[^\s*][^*\n]*\*\*|(?<!\w)__[^\W_][^_\n]*__(?!\w)|!?\[[^\]\n]+\]\(\S+\)"
    r"|&(?:amp|nbsp|lt|gt|quot|#\d+);|\{\{[^{}\n]+\}\}|</?(?:b|i|br|p|li|ul|strong|em)\s*/?>"
    r"|^#{2,6} \w.*$|\\(?:textbf|frac|begin|item)\b",
    re.MULTILINE,
)
_FENCE: Final = re.compile(r"^\s*```\w*\s*$", re.MULTILINE)
_CODE: Final = re.compile(
    r"(?<![{}])[;{}]\s*$|=>|==|\)\s*:|^\s*(?:def|class|import|from|const|let|var|#!|//)\b|</\w+>"
    r"|\$\s|`",
    re.MULTILINE,
)
_LEFT_OVER: Final = re.compile(
    r"\b(?:TBD|TBC|(?-i:TODO)|FIXME|lorem ipsum|reallygreatsite|button next to this presentation)\b"
    r"|\bX{2,}\s?(?:%|€|\$)|\?{3,}"
    r"|123 anywhere st\w*|123-456-7890|@your(?:company|domain|site|handle)\b"
    r"|\b(?:your|my)(?:company|website|domain|email)\.\w+|\byour(?:e?mail|name)@\S+"
    r"|\[(?:company|client|name|date|your|insert|topic|title)[^\]\n]*\]",
    re.IGNORECASE,
)
_OPEN_END: Final = frozenset(
    ("and", "or", "the", "a", "an", "of", "for", "to", "with", "in", "by", "from", "that", "which",
     "und", "oder", "der", "die", "von", "et", "ou", "de")
)  # fmt: skip
"""Words no heading, sentence or bullet ends in; ours."""
_CLAUSE: Final = re.compile(
    r"(?:what|where|who|whom|how|which)\b.* (?:of|for|to|with|in|by|from)", re.IGNORECASE
)
"""Sentences that may end in a preposition, such as "Where it comes from"; ours."""
_DOUBLED: Final = re.compile(
    r"\b(the|a|an|of|to|and|in|is|for|with|we|are|on|this)[ \t]+\1\b", re.IGNORECASE
)
_EMPTY_TITLE: Final = re.compile(
    r"(?:slide|page|folie|chart|title|untitled|new slide|text|heading|presentation|document) ?\d*"
    r"|(?:(?:my|a|the|first|second|third) )?(?:table|picture|image|(?:slide|page) (?:sub)?title"
    r"|(?:bar|line|pie|scatter|radar|area|column) (?:chart|graph))"
    r"|(?:title|section header|two content|comparison|blank|content)"
    r" (?:only|slide|and content|with caption)",
    re.IGNORECASE,
)
_NUMBERED_TITLE: Final = re.compile(
    r"(?:question|section|chapter|part|step|exercise|topic|lesson|unit) [\d.]+", re.IGNORECASE
)
_SPACED: Final = r"[^\W\d_\u2e80-\u9fff\uac00-\ud7af\uf900-\uffef]"
"""A letter of a script that parts words by spaces."""
_STRAY: Final = re.compile(
    rf"{_SPACED}{{3,}},{_SPACED}{{3,}}|\b[^\W\d_A-Z]{{3,}}\.[A-Z][a-z]+ \w"  # no space after a mark
    r"|[^\W\d_]{2,} +,(?=\s|$)"
    rf"|^[?!,;]{_SPACED}{{3,}}",
    re.MULTILINE,
)
_WIDE: Final = re.compile(r"[^\s.!?:] {2,}[^\W\d_]")
_LEAST_WIDE: Final = 2  # double spaces in a paragraph; one may be a slip of the hand
_ADDRESS: Final = re.compile(r"@|://|www\.|\.(?:com|org|net|io|js|py)\b|[/\\]\w")
_NUMBERS: Final = re.compile(r"[-+]?\d+(?:[.,]\d+)?%?")
_LEAST_AXIS: Final = 4
_LEAST_WORDS: Final = 3
_REPEATED: Final = 3
_END_WORDS: Final = 5  # quoted of a sentence that stops


def remarks(slide: SlideWords) -> Iterator[Remark]:
    """The faults of what is written on a slide, the title's first.

    >>> plan = SlideWords("Slide 3", ("Costs **fell** by half", "We cut the the price"))
    >>> [(item.rule.id, item.text) for item in remarks(plan)]
    [('written.title', None), ('written.markup', 0), ('written.doubled', 1)]
    """
    yield from _title_remarks(slide)
    for index, text in enumerate(slide.texts):
        yield from _text_remarks(text, index)
        if _is_axis(text) and not _numbers_lines(text, slide.texts):
            yield Remark(WRITTEN_AXIS, index, f"{quoted(text)} is the scale of an axis.")


def _title_remarks(slide: SlideWords) -> Iterator[Remark]:
    if not (title := " ".join(slide.title.split())):
        return
    if _EMPTY_TITLE.fullmatch(title):
        yield Remark(WRITTEN_TITLE, None, f"The title {quoted(title)} says nothing of the slide.")
    elif _NUMBERED_TITLE.fullmatch(title):
        message = f"The title {quoted(title)} is a number, and says nothing of the slide."
        yield Remark(WRITTEN_TITLE, None, message, trivial=True)
    elif len(title.split()) >= _LEAST_WORDS and any(
        " ".join(text.split()).casefold() == title.casefold() for text in slide.texts[:1]
    ):
        yield Remark(WRITTEN_TITLE, 0, f"{quoted(title)} only repeats the title.", trivial=True)
    yield from _text_remarks(slide.title, None)


def _text_remarks(text: str, index: int | None) -> Iterator[Remark]:
    if mark := _FENCE.search(text) or (None if _CODE.search(text) else _MARKUP.search(text)):
        yield Remark(WRITTEN_MARKUP, index, f"{quoted(mark[0])} shows its marks.")
    if (left := _LEFT_OVER.search(text)) and not _CODE.search(text):
        yield Remark(WRITTEN_UNFINISHED, index, f"{quoted(left[0])} is left to be filled in.")
    elif index is not None and _ends_open(text):
        end = " ".join(text.split()[-_END_WORDS:])
        yield Remark(WRITTEN_UNFINISHED, index, f"{quoted(end)} ends in mid-sentence.")
    if doubled := _DOUBLED.search(text):
        yield Remark(WRITTEN_DOUBLED, index, f"{quoted(doubled[0])} stands twice in a row.")
    if (stray := None if _CODE.search(text) else _stray(text)) is not None:
        yield Remark(
            WRITTEN_SPACING, index, f"{quoted(stray)} has a stray or missing space or mark."
        )


def _stray(text: str) -> str | None:
    """Words around a space or mark that is missing or too many; None if there are none."""
    lines = text.replace("\v", "\n").split("\n")
    for line in lines:
        if (match := None if _ADDRESS.search(line) else _STRAY.search(line)) is not None:
            return match[0]
        if len(_WIDE.findall(line)) >= _LEAST_WIDE and "\t" not in line:
            return line.strip()
    return None


def _ends_open(text: str) -> bool:
    """Whether the last paragraph stops within a sentence."""
    words = text.rsplit("\n", maxsplit=1)[-1].split()
    closed = _CLAUSE.fullmatch(" ".join(words))
    return len(words) > _LEAST_WORDS and words[-1] in _OPEN_END and not closed


def _is_axis(text: str) -> bool:
    """Whether a text is numbers at equal steps."""
    words = text.split()
    if len(words) < _LEAST_AXIS or not all(map(_NUMBERS.fullmatch, words)):
        return False
    numbers = [float(word.rstrip("%").replace(",", ".")) for word in words]
    steps = Counter(round(b - a, 6) for a, b in pairwise(numbers))
    return len(steps) == 1 and 0 not in steps


def _numbers_lines(text: str, texts: Sequence[str]) -> bool:
    """Whether a text counts the lines of another one, as beside code."""
    words, lines = text.split(), re.split(r"[\n\v]", text)
    return len(lines) == len(words) and any(
        other is not text and len(re.split(r"[\n\v]", other)) == len(words) for other in texts
    )


def what_is_written(slide: SlideElements) -> Iterator[Occurrence]:
    """Faults of what is written in the texts, tables and diagrams of a slide: raw marks of markup,
    words that were to be replaced, sentences that stop, doubled words, misplaced spaces and marks,
    scales without a chart, and titles that say nothing. Code is not judged.
    """
    parts = [part for part in _written(slide) if not isinstance(part[0], Chart)]
    title = next((part for part in parts if is_title(part[0])), None)
    others = [part for part in parts if part is not title]
    words = SlideWords("" if title is None else title[1], tuple(text for _item, text in others))
    for remark in remarks(words):
        part = title if remark.text is None else others[remark.text]
        element = None if part is None else part[0]
        severity = "info" if remark.trivial else remark.rule.severity
        finding = remark.rule.finding(remark.message, slide.number, element, severity=severity)
        yield Occurrence(finding, (element.name if element else "", remark.message))


def repeated(slide: SlideElements) -> Iterator[Occurrence]:
    """Paragraphs and cells with the same words as two others: they were copied and not filled in.
    Texts on top of one another, as animations have them, count once, and footers not at all."""
    places: dict[str, dict[tuple[float, ...], Element]] = {}
    for element, text in _written(slide):
        if isinstance(element, Chart):
            continue
        box = box_of(element)
        for number, line in enumerate(text.split("\n")):
            words = " ".join(line.split())
            if len(words.split()) >= _LEAST_WORDS:
                alone = isinstance(element, Text) and "\n" not in text
                own = tuple(map(round, box)) if box and alone else (element.id, number)
                if not isinstance(element, Text):
                    own = (element.id, len(places.get(words.casefold(), {})))
                places.setdefault(words.casefold(), {})[own] = element
    for words, items in places.items():
        if len(items) >= _REPEATED:
            element = next(iter(items.values()))
            message = f"{quoted(words)} stands on the slide {len(items)} times."
            finding = WRITTEN_REPEATED.finding(message, slide.number, element)
            yield Occurrence(finding, ("repeated", words))
            return


def _written(slide: SlideElements) -> Iterator[tuple[Element, str]]:
    """The words of a slide, each with its element: of texts, then cells and labels."""
    for text in visible(slide.texts):
        if text.text.strip() and _is_shown(text):
            yield text, text.text
    for table in visible(slide.tables):
        yield from ((table, cell) for row in table.cells for cell in row if cell.strip())
    for diagram in visible(slide.diagrams):
        yield from ((diagram, node.text) for node in diagram.nodes if node.text.strip())
    for chart in visible(slide.charts):
        names = [chart.title, *(axis.title for axis in chart.axes)]
        names += [name for series in chart.series for name in (series.name, *series.categories)]
        yield from ((chart, name) for name in dict.fromkeys(names) if name)


def misspelt(slides: Sequence[SlideElements]) -> Iterator[Occurrence]:
    """Words of decks in English that look misspelt, in texts, tables, diagrams and charts. Names,
    code, footers and words that the deck has more than twice are not judged.
    """
    texts = [
        (slide, element, text)
        for slide in slides
        for element, text in _written(slide)
        if not _CODE.search(text)
    ]
    if not is_english(" ".join(text for _slide, _element, text in texts)):
        return
    usual = frequent_words(text.text for slide in slides for text in slide.texts)
    for index, word, meant in misspelt_words([text for _slide, _element, text in texts], usual):
        slide, element, _text = texts[index]
        message = (
            f"{quoted(word)} in {called(element)} looks misspelt: {quoted(meant)} may be meant."
        )
        finding = WRITTEN_MISSPELT.finding(message, slide.number, element)
        yield Occurrence(finding, (element.name, word))


def _is_shown(text: Text) -> bool:
    """Whether an audience may read a text: on the slide, and no footer."""
    box = box_of(text)
    footer = text.placeholder is not None and text.placeholder.type in FOOTERS
    return not footer and box is not None and share_inside(box, FRAME) > 0
