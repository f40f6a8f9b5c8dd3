"""Text marked as of a language that is written otherwise."""

import unicodedata
from collections import Counter
from collections.abc import Iterator

from decklab.deck.model.shapes import Text, box_of
from decklab.deck.model.slide import DeckElements, SlideElements
from decklab.metrics.accessibility.thresholds import SCRIPT_LETTERS, SCRIPT_SHARE
from decklab.metrics.findings import Occurrence, quoted
from decklab.metrics.integrity.places import label
from decklab.results import Finding

_SCRIPTS = {
    "LATIN": "Latin", "CYRILLIC": "Cyrillic", "GREEK": "Greek", "HEBREW": "Hebrew",
    "ARABIC": "Arabic", "DEVANAGARI": "Devanagari", "THAI": "Thai", "HANGUL": "Korean",
    "CJK": "Chinese", "HIRAGANA": "Japanese", "KATAKANA": "Japanese",
}  # fmt: skip
"""First words of Unicode character names, and the script they tell."""
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
"""Languages (ISO 639) by their script; a language in none of them contradicts nothing."""
_KNOWN = frozenset().union(*_WRITTEN_IN.values())


def script_of(text: str) -> str | None:
    """The script a text is written in; None where it is short or mixed.

    >>> script_of("Добро пожаловать на урок истории"), script_of("2024")
    ('Cyrillic', None)
    """
    letters = [unicodedata.name(char, "").split(" ", 1)[0] for char in text if char.isalpha()]
    found = Counter(_SCRIPTS.get(name.split("-", 1)[0], "other") for name in letters)
    if len(letters) < SCRIPT_LETTERS:
        return None
    script, count = found.most_common(1)[0]
    return script if script != "other" and count >= SCRIPT_SHARE * len(letters) else None


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
            script = script_of(words)
            primary = language.split("-", 1)[0].casefold()
            if script and primary in _KNOWN and primary not in _WRITTEN_IN[script]:
                yield Occurrence(_finding(text, words, language, script, slide), (language, script))
                return


def _finding(text: Text, words: str, language: str, script: str, slide: SlideElements) -> Finding:
    return Finding(
        rule="accessibility.language",
        severity="warning",
        message=f"{quoted(words)} is marked as {language} but written in {script} script.",
        slide=slide.number,
        shape=label(text),
        box=box_of(text),
        fix="Set the proofing language of the text; screen readers choose their voice by it.",
    )


def unmarked_language(deck: DeckElements) -> Iterator[Finding]:
    """One finding where no text of a deck says its language."""
    runs = [
        run
        for slide in deck.slides
        for text in slide.texts
        for paragraph in text.paragraphs
        for run in paragraph.runs
        if run.text.strip()
    ]
    if runs and not any(run.font.language for run in runs):
        yield Finding(
            rule="accessibility.language",
            severity="info",
            message="No text of the deck says which language it is in.",
            fix="Set the proofing language of all slides; screen readers choose their voice by it.",
        )
