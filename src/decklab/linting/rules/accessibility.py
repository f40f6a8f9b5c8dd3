"""Objects without words for those who do not see them; tables, links, languages and videos that
cannot be followed by ear."""

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from decklab.core.geometry import FRAME
from decklab.core.options import Severity
from decklab.core.results import (
    SAME_CAUSE_SLIDES,
    Finding,
    Occurrence,
    first_names,
    named_slides,
    quoted,
)
from decklab.deck.model.shapes import (
    Chart,
    Diagram,
    Element,
    Image,
    Media,
    Other,
    Paragraph,
    PictureFill,
    Rect,
    Table,
    Text,
    box_of,
)
from decklab.deck.model.slide import DeckElements, SlideElements
from decklab.linting.rules.page import share_inside, visible
from decklab.linting.rules.rule import MICROSOFT, WCAG, Rule, label

ALT_TEXT_LEAST: Final = 3
"""Ours: a description has at least so many letters; ``1`` or ``x`` are none."""

_MISSING = "missing"
_FILE = re.compile(
    r"\S*[^\s.]\.(?:png|jpe?g|jfif|gif|bmp|svg|emf|wmf|tiff?|webp|heic|mp4|wmv|mov)", re.IGNORECASE
)
_NAME = re.compile(
    r"(?:picture|image|img|photo|graphic|chart|diagram|object|bild|imagem|imagen|grafik|shape"
    r"|google shape;.*|content placeholder|picture placeholder)[\s_-]*\d*",
    re.IGNORECASE,
)
_GENERATED = re.compile(
    r"(?:description automatically generated|description generated with \w+ ?\w* confidence"
    r"|automatically generated description|beschreibung automatisch generiert"
    r"|descrição gerada automaticamente|descripción generada automáticamente"
    r"|description générée automatiquement)",
    re.IGNORECASE,
)


def is_file_name(text: str) -> bool:
    """Whether an alternative text is only the name of a file, or of the object.

    >>> is_file_name("IMG_0042.jpg"), is_file_name("Picture 3"), is_file_name("Map of Peru")
    (True, True, False)
    """
    words = " ".join(text.split())
    return bool(_FILE.fullmatch(words) or _NAME.fullmatch(words))


def is_generated(text: str) -> bool:
    """Whether an alternative text says of itself that a program made it.

    >>> is_generated("A dog on a sofa\\n\\nDescription automatically generated")
    True
    """
    return _GENERATED.search(" ".join(text.split())) is not None


MISSING_ALT_TEXT = Rule(
    "accessibility.missing-alt-text",
    "MissingAltText",
    "A picture or other object has no alternative text.",
    source=f"{MICROSOFT}; {WCAG} 1.1.1",
    severity="error",
    threshold="no text, and not marked as decorative",
    fix="Say in a sentence what it shows, or mark it as decorative.",
    why="People who do not see a picture have only its alternative text; without one they do not "
    "know whether they miss anything.",
)

POOR_ALT_TEXT = Rule(
    "accessibility.poor-alt-text",
    "PoorAltText",
    "The alternative text is a file name or was made by a program.",
    source=f"{WCAG} 1.1.1",
    threshold=f"a file's or object's name, under {ALT_TEXT_LEAST} letters, or a program's remark",
    fix="Say in a sentence what it shows.",
    why="A file name read aloud says nothing, and takes as long as a description.",
)


def deck_alt_text(deck: DeckElements) -> Iterator[Occurrence]:
    """The findings of ``alt_text`` by slide; one finding where no object of a deck has any text."""
    objects = {
        slide.number: [item for item in slide.elements() if _needs_text(item, slide)]
        for slide in deck.slides
    }
    slides = [number for number, items in objects.items() if items]
    bare = not any(_text_of(item) for items in objects.values() for item in items)
    if bare and len(slides) >= SAME_CAUSE_SLIDES:
        yield _none_at_all(objects, slides)
        return
    lacking = ((n, [item for item in items if not _text_of(item)]) for n, items in objects.items())
    missing = {number: items for number, items in lacking if items}
    if many := len(missing) >= SAME_CAUSE_SLIDES:
        yield _missing_on_many(missing, sum(map(len, objects.values())))
    for slide in deck.slides:
        occurrences = alt_text(slide)
        yield from (item for item in occurrences if not (many and item.cause == _MISSING))


def _missing_on_many(missing: Mapping[int, Sequence[Element]], objects: int) -> Occurrence:
    """One finding for the objects of a deck that lack a text, the largest of them first."""
    slides = sorted(missing)
    count = sum(map(len, missing.values()))
    number, first = max(
        ((number, item) for number in slides for item in missing[number]),
        key=lambda pair: (_area(pair[1]), -pair[0]),
    )
    says = (
        f"{count} of {objects} pictures and other objects have no alternative text, such"
        f" as {label(first)} on slide {number}"
    )
    return Occurrence(_for_deck(says, number, first, slides, count), _MISSING)


def _for_deck(says: str, number: int, first: Element, slides: Sequence[int], count: int) -> Finding:
    message = f"{says}: slides {named_slides(slides)}."
    fix = "Say in a sentence what each shows, or mark it as decorative."
    return MISSING_ALT_TEXT.finding(
        message, number, first, slides=tuple(slides), measured=float(count), threshold=0.0, fix=fix
    )


def _area(item: Element) -> float:
    box = box_of(item)
    return 0.0 if box is None else box.area


def _none_at_all(objects: Mapping[int, Sequence[Element]], slides: Sequence[int]) -> Occurrence:
    first = objects[slides[0]][0]
    count = sum(map(len, objects.values()))
    says = f"None of the deck's {count} pictures and other objects has an alternative text"
    return Occurrence(_for_deck(says, slides[0], first, slides, count), "none")


def alt_text(slide: SlideElements) -> Iterator[Occurrence]:
    """Objects that need an alternative text and have none, or one that says nothing.

    Objects are pictures, areas filled with one, charts, diagrams, media and embedded objects; a
    group's text speaks for its members. Decorative, hidden and off-slide ones need none.
    """
    needing = [item for item in slide.elements() if _needs_text(item, slide)]
    missing = lacking_alt_text(slide)
    poor = [item for item in needing if _says_nothing(_text_of(item))]
    generated = [item for item in needing if is_generated(_text_of(item))]
    if missing:
        yield _missing(missing, slide)
    if poor:
        yield _poor(poor, slide)
    if generated:
        yield _generated(generated, slide)


def lacking_alt_text(slide: SlideElements) -> list[Element]:
    """The objects of a slide that need an alternative text and have none."""
    needing = [item for item in slide.elements() if _needs_text(item, slide)]
    return [item for item in needing if not _text_of(item)]


def _needs_text(item: Element, slide: SlideElements) -> bool:
    box = box_of(item)
    if item.hidden or item.decorative or box is None or share_inside(box, FRAME) == 0:
        return False
    around = [group for group in slide.groups if group.id in item.groups]
    if any(group.decorative or _text_of(group) for group in around):
        return False
    if isinstance(item, Rect):
        picture = isinstance(item.paint, PictureFill) and not item.paint.tiled
        return picture and not any(text.z == item.z and text.text.strip() for text in slide.texts)
    if isinstance(item, Other):
        return item.what == "ole"
    return isinstance(item, Image | Chart | Diagram | Media)


def _text_of(item: Element) -> str:
    return item.alt_text.strip() or item.alt_title.strip()


def _says_nothing(text: str) -> bool:
    letters = sum(char.isalpha() for char in text)
    return bool(text) and (is_file_name(text) or letters < ALT_TEXT_LEAST)


def _missing(items: Sequence[Element], slide: SlideElements) -> Occurrence:
    names = first_names([label(item) for item in items])
    message = f"{names} {'have' if len(items) > 1 else 'has'} no alternative text."
    return Occurrence(MISSING_ALT_TEXT.counted(message, slide.number, items), _MISSING)


def _poor(items: Sequence[Element], slide: SlideElements) -> Occurrence:
    text = _text_of(items[0])
    more = f", and so with {len(items) - 1} more" if len(items) > 1 else ""
    lacks = f"which does not say what it shows{more}"
    message = f"The alternative text of {items[0].name} is {quoted(text)}, {lacks}."
    return Occurrence(POOR_ALT_TEXT.counted(message, slide.number, items), "poor")


def _generated(items: Sequence[Element], slide: SlideElements) -> Occurrence:
    more = f", and that of {len(items) - 1} more" if len(items) > 1 else ""
    finding = POOR_ALT_TEXT.counted(
        f"A program wrote the alternative text of {items[0].name}{more}:"
        f" {quoted(_text_of(items[0]))}.",
        slide.number,
        items,
        severity="info",
        fix="Read it, correct it, and delete the remark that it was generated.",
    )
    return Occurrence(finding, ("generated",))


VAGUE_LINKS: Final = frozenset(
    {
        "click", "click here", "click this", "click this link", "click me", "details", "download",
        "go", "here", "learn more", "link", "links", "more", "more details", "more info",
        "more information", "open", "page", "read", "read more", "see here", "see more", "source",
        "this", "this link", "this page", "view", "visit", "web page", "website",
        "aqui", "clique aqui", "saiba mais", "leia mais", "aquí", "haga clic aquí", "leer más",
        "ici", "cliquez ici", "en savoir plus", "hier", "hier klicken", "mehr", "mehr erfahren",
    }
)  # fmt: skip
"""Ours: link texts that say nothing by themselves, in lower case (WCAG 2.2, failure F84, gives
the English ones as examples)."""

ADDRESS_LENGTH: Final = 24
"""Ours: an address longer than this is tiring to hear spelled out; shorter ones, such as
``aka.ms/learn``, are often shown so that people can type them."""

TABLE_ROWS: Final = 2
TABLE_COLUMNS: Final = 2
"""Ours: from this size on a table has a header to mark; smaller ones only place things."""

SCRIPT_SHARE: Final = 0.8
SCRIPT_LETTERS: Final = 20
"""Ours: a text of at least so many letters is in a script when this share of them is."""

MISSING_TABLE_HEADERS = Rule(
    "accessibility.missing-table-headers",
    "MissingTableHeaders",
    "A table does not say which row is its header.",
    source=f"{MICROSOFT}; {WCAG} 1.3.1",
    threshold=f"no header row or column, from {TABLE_ROWS} rows and {TABLE_COLUMNS} columns on",
    fix="Check Header Row in the table's design options.",
    why="With a header row, a screen reader says for each cell what its column means.",
)

MERGED_TABLE_CELLS = Rule(
    "accessibility.merged-table-cells",
    "MergedTableCells",
    "A table has merged cells.",
    source=MICROSOFT,
    severity="info",
    threshold="any",
    fix="Split the cells, or repeat the value in each.",
    why="Where cells are merged, screen readers lose count of rows and columns, and so do people "
    "who move through the table by keys.",
)


def tables(slide: SlideElements) -> Iterator[Occurrence]:
    """Tables that mark neither a header row nor a header column, and tables with merged cells.

    A slide has at most one finding of each of the two kinds, which names all its tables of that
    kind. A table whose first row and first column are both less than half filled only places
    things, and has no header to mark; its merged cells are found all the same.
    """
    if bare := [table for table in visible(slide.tables) if _lacks_header(table)]:
        yield Occurrence(_no_header(bare, slide), "no header")
    merged = [table for table in visible(slide.tables) if _merged_cells(table)]
    if merged:
        yield Occurrence(_merged(merged, slide), "merged")


def _lacks_header(table: Table) -> bool:
    large = len(table.rows) >= TABLE_ROWS and len(table.columns) >= TABLE_COLUMNS
    edges = [table.cells[0], [row[0] for row in table.cells if row]] if table.cells else []
    headed = any(2 * sum(bool(text.strip()) for text in edge) >= len(edge) for edge in edges)
    return large and headed and not table.first_row and not table.first_column


def _merged_cells(table: Table) -> int:
    return sum(cell.row_span > 1 or cell.column_span > 1 for row in table.rows for cell in row)


def _names(tables: Sequence[Table]) -> str:
    return ", ".join(table.name for table in tables)


def _no_header(tables: Sequence[Table], slide: SlideElements) -> Finding:
    many = len(tables) > 1
    return MISSING_TABLE_HEADERS.counted(
        f"{_names(tables)} {'mark' if many else 'marks'} no row or column as header.",
        slide.number,
        tables,
        fix="Check Header Row in the table's design options, and let the first row say what the"
        " columns hold.",
    )


def _merged(tables: Sequence[Table], slide: SlideElements) -> Finding:
    cells = sum(map(_merged_cells, tables))
    counted = f"{cells} merged cell{'s' if cells > 1 else ''}"
    why = "where screen readers lose count of rows and columns"
    message = f"{_names(tables)}: {counted}, {why}."
    return MERGED_TABLE_CELLS.finding(
        message, slide.number, tables[0], measured=float(cells), threshold=0.0
    )


_ADDRESS = re.compile(r"(?:https?://|ftp://|www\.)\S+|(?:[\w-]+\.)+[a-z]{2,}/\S+", re.IGNORECASE)


def is_vague(text: str) -> bool:
    """Whether a link's text says nothing by itself.

    >>> is_vague("Click here."), is_vague("Annual report 2024")
    (True, False)
    """
    return " ".join(text.casefold().split()).strip(" .!:»>→[]()") in VAGUE_LINKS


def is_address(text: str) -> bool:
    """Whether a link's text is an address that takes long to hear.

    >>> is_address("https://example.org/reports/2024/annual.html"), is_address("example.org")
    (True, False)
    """
    words = "".join(text.split())
    return len(words) > ADDRESS_LENGTH and _ADDRESS.fullmatch(words) is not None


LINK_TEXT = Rule(
    "accessibility.link-text",
    "NonDescriptiveLinkText",
    "The text of a link does not say where it leads.",
    source=f"{MICROSOFT}; {WCAG} 2.4.4",
    threshold=f'words such as "here", or an address over {ADDRESS_LENGTH} characters',
    fix="Put the link on words that say what is found there.",
    why='People go through the links of a slide by themselves: "here" does not say where, and an '
    "address is spelled letter by letter.",
)


def links(slide: SlideElements) -> Iterator[Occurrence]:
    """Links named ``here`` or ``more`` (one finding), and links named by long addresses (one)."""
    named = [
        (text, words)
        for text in slide.texts
        if not text.hidden
        for paragraph in text.paragraphs
        for words in _link_texts(paragraph)
    ]
    vague = [item for item in named if is_vague(item[1])]
    bare = [item for item in named if is_address(item[1])]
    if vague:
        yield _named_links(vague, slide, "warning", "does not say where the link leads")
    if bare:
        says = "is an address, which is read aloud letter by letter"
        yield _named_links(bare, slide, "info", says)


def _link_texts(paragraph: Paragraph) -> Iterator[str]:
    """Texts of a paragraph's links to the web or a file; runs of one link are one text."""
    words, last = "", None
    for run in paragraph.runs:
        click = run.click if (run.click is not None and run.click.kind in ("url", "file")) else None
        if click != last and words.strip():
            yield words.strip()
        words = (words if click == last else "") + run.text if click is not None else ""
        last = click
    if words.strip():
        yield words.strip()


def _named_links(
    named: Sequence[tuple[Text, str]], slide: SlideElements, severity: Severity, says: str
) -> Occurrence:
    words = named[0][1]
    more = f", and so with {len(named) - 1} more" if len(named) > 1 else ""
    message = f"The link text {quoted(words)} {says}{more}."
    texts = [text for text, _words in named]
    return Occurrence(LINK_TEXT.counted(message, slide.number, texts, severity=severity), says)


_SCRIPTS = {
    "LATIN": "Latin", "CYRILLIC": "Cyrillic", "GREEK": "Greek", "HEBREW": "Hebrew",
    "ARABIC": "Arabic", "DEVANAGARI": "Devanagari", "THAI": "Thai", "HANGUL": "Korean",
    "CJK": "Chinese", "HIRAGANA": "Japanese", "KATAKANA": "Japanese",
}  # fmt: skip
"""First words of Unicode character names, and the script they name."""
_WRITTEN_IN = {
    script: frozenset(languages.split())
    for script, languages in (
        ("Latin", "en de fr es pt it nl sv da nb nn no fi pl cs sk hu ro tr id ms vi et lv lt sl hr"
         " ca eu gl is ga cy af sw tl sq"),
        ("Cyrillic", "ru uk be bg mk sr kk ky mn tg"),
        ("Greek", "el"),
        ("Hebrew", "he iw yi"),
        ("Arabic", "ar fa ur ps ckb"),
        ("Devanagari", "hi mr ne sa"),
        ("Thai", "th"),
        ("Korean", "ko"),
        ("Chinese", "zh ja"),
        ("Japanese", "ja"),
    )
}  # fmt: skip
"""Languages (ISO 639) by their script; a language that is not listed contradicts no script."""
_KNOWN = frozenset().union(*_WRITTEN_IN.values())


def script_of(text: str) -> str | None:
    """The script a text is written in; None if it is short or mixed.

    >>> script_of("Добро пожаловать на урок истории"), script_of("2024")
    ('Cyrillic', None)
    """
    letters = [unicodedata.name(char, "").split(" ", 1)[0] for char in text if char.isalpha()]
    counts = Counter(_SCRIPTS.get(name.split("-", 1)[0], "other") for name in letters)
    if len(letters) < SCRIPT_LETTERS:
        return None
    script, count = counts.most_common(1)[0]
    return script if script != "other" and count >= SCRIPT_SHARE * len(letters) else None


def may_be_written_in(language: str, script: str) -> bool:
    """Whether a language, a BCP 47 tag, is written in a script, as ``script_of`` names it; so is
    one that is not known.

    >>> may_be_written_in("ru-RU", "Cyrillic"), may_be_written_in("en", "Cyrillic")
    (True, False)
    """
    primary = language.split("-", 1)[0].casefold()
    return primary not in _KNOWN or primary in _WRITTEN_IN[script]


LANGUAGE = Rule(
    "accessibility.language",
    "Language",
    "Text is marked as of a language it is not in.",
    source=f"{WCAG} 3.1.2",
    threshold=f"{SCRIPT_SHARE:.0%} of at least {SCRIPT_LETTERS} letters in another script, or"
    " no language anywhere",
    fix="Set the proofing language of the text.",
    why="The language decides in which voice text is read aloud, how it is hyphenated, and which "
    "words are marked as wrong.",
)


def wrong_language(slide: SlideElements) -> Iterator[Occurrence]:
    """Texts whose script is not that of the language they are marked as."""
    for text in slide.texts:
        if text.hidden:
            continue
        marked: dict[str, str] = {}
        for run in (run for paragraph in text.paragraphs for run in paragraph.runs):
            if run.font.language:
                marked[run.font.language] = marked.get(run.font.language, "") + run.text
        for language, words in marked.items():
            if (script := script_of(words)) and not may_be_written_in(language, script):
                yield Occurrence(_finding(text, words, language, script, slide), (language, script))
                return


def _finding(text: Text, words: str, language: str, script: str, slide: SlideElements) -> Finding:
    message = f"{quoted(words)} is marked as {language} but written in {script} script."
    fix = "Set the proofing language of the text; screen readers choose their voice by it."
    return LANGUAGE.finding(message, slide.number, text, fix=fix)


def other_language(slide: SlideElements, languages: Collection[str]) -> Iterator[Occurrence]:
    """Texts marked as of a language that is not among those that a project has; none for no such
    languages. Text that is also in a wrong script is left to ``wrong_language``."""
    for text in slide.texts if languages else ():
        for run in (run for paragraph in text.paragraphs for run in paragraph.runs):
            language, script = run.font.language, script_of(run.text)
            if text.hidden or not language or not any(map(str.isalpha, run.text)):
                continue
            if script and not may_be_written_in(language, script):
                continue
            if not any(is_of(language, known) for known in languages):
                finding = LANGUAGE.finding(
                    f"{quoted(run.text)} is marked as {language}, which is none of the languages"
                    f" of the project: {', '.join(languages)}.",
                    slide.number,
                    text,
                )
                yield Occurrence(finding, ("other", language))
                return


def is_of(language: str, known: str) -> bool:
    """Whether a language tag is of another, wider or equal one (RFC 4647, basic filtering).

    >>> is_of("en-GB", "en"), is_of("en", "en-GB"), is_of("eng", "en")
    (True, False, False)
    """
    tag, wider = language.casefold(), known.casefold()
    return tag == wider or tag.startswith(f"{wider}-")


def unmarked_language(deck: DeckElements) -> Iterator[Finding]:
    """One finding where no text of a deck says its language."""
    lines = [line for slide in deck.slides for text in slide.texts for line in text.paragraphs]
    runs = [run for line in lines for run in line.runs if run.text.strip()]
    if runs and not any(run.font.language for run in runs):
        message = "No text of the deck says which language it is in."
        fix = "Set the proofing language of all slides; screen readers choose their voice by it."
        yield LANGUAGE.finding(message, severity="info", fix=fix)


CAPTIONS = Rule(
    "accessibility.captions",
    "MissingCaptions",
    "A video may have no captions.",
    source=f"{MICROSOFT}; {WCAG} 1.2.2",
    severity="info",
    threshold="any embedded video",
    fix="Insert captions if anything is said in it.",
    why="Who does not hear a video, or watches it in silence, needs captions.",
)


def captions(slide: SlideElements) -> Iterator[Occurrence]:
    """Videos, whose captions are for people to check: they may be part of the picture."""
    for item in slide.media:
        if item.medium == "video" and not item.hidden:
            message = f"Check that the video {item.name} has captions; decklab cannot tell."
            fix = "Insert captions (WebVTT) where anything is said in the video."
            yield Occurrence(CAPTIONS.finding(message, slide.number, item, fix=fix), item.id)
