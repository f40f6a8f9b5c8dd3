"""The few fixed words that decklab itself puts on slides, by language."""

from typing import Final, NamedTuple

from decklab.board.languages import primary_language


class FixedWords(NamedTuple):
    """The titles and labels of a deck in one language."""

    contents: str
    overview: str
    summary: str
    source: str
    page: str
    continued: str
    before: str
    after: str
    decisions: str
    actions: str
    out_of: str
    """Between two numbers: 3 of 9."""


_WORDS: Final = {
    "en": FixedWords(
        "Contents",
        "Overview",
        "In short",
        "Source",
        "p.",
        "continued",
        "before",
        "after",
        "Decisions",
        "Actions",
        "of",
    ),
    "de": FixedWords(
        "Inhalt",
        "Überblick",
        "Kurz gefasst",
        "Quelle",
        "S.",
        "Fortsetzung",
        "vorher",
        "nachher",
        "Beschlüsse",
        "Aufgaben",
        "von",
    ),
    "fr": FixedWords(
        "Sommaire",
        "Vue d’ensemble",
        "En bref",
        "Source",
        "p.",
        "suite",
        "avant",
        "après",
        "Décisions",
        "Actions",
        "sur",
    ),
    "es": FixedWords(
        "Contenido",
        "Panorama",
        "En resumen",
        "Fuente",
        "p.",
        "continuación",
        "antes",
        "después",
        "Decisiones",
        "Acciones",
        "de",
    ),
    "it": FixedWords(
        "Indice",
        "Panoramica",
        "In breve",
        "Fonte",
        "p.",
        "seguito",
        "prima",
        "dopo",
        "Decisioni",
        "Azioni",
        "di",
    ),
    "pt": FixedWords(
        "Conteúdo",
        "Visão geral",
        "Em resumo",
        "Fonte",
        "p.",
        "continuação",
        "antes",
        "depois",
        "Decisões",
        "Ações",
        "de",
    ),
    "nl": FixedWords(
        "Inhoud",
        "Overzicht",
        "In het kort",
        "Bron",
        "p.",
        "vervolg",
        "eerst",
        "daarna",
        "Besluiten",
        "Acties",
        "van",
    ),
    "ar": FixedWords(
        "المحتويات",
        "نظرة عامة",
        "باختصار",
        "المصدر",
        "ص.",
        "تابع",
        "قبل",
        "بعد",
        "القرارات",
        "المهام",
        "من",
    ),
    "zh": FixedWords(
        "目录", "概述", "小结", "来源", "p.", "续", "之前", "之后", "决定", "行动", "/"
    ),
}


def fixed_words(language: str) -> FixedWords:
    """The words in a language, a BCP 47 tag; those of English where the language has none here.

    >>> fixed_words("de-AT").contents
    'Inhalt'
    """
    return _WORDS.get(primary_language(language), _WORDS["en"])
