"""The few fixed words that decklab itself puts on slides, by language."""

from typing import Final, NamedTuple

from decklab.board.languages import primary_language


class FixedWords(NamedTuple):
    """The titles and labels of a deck in one language."""

    contents: str
    overview: str
    summary: str
    source: str
    key_figures: str
    timeline: str
    page: str
    excerpt: str
    continued: str
    before: str
    after: str
    decisions: str
    actions: str


_WORDS: Final = {
    "en": FixedWords(
        "Contents",
        "Overview",
        "In short",
        "Source",
        "Key figures",
        "Timeline",
        "p.",
        "excerpt",
        "continued",
        "before",
        "after",
        "Decisions",
        "Actions",
    ),
    "de": FixedWords(
        "Inhalt",
        "Überblick",
        "Kurz gefasst",
        "Quelle",
        "Kennzahlen",
        "Zeitleiste",
        "S.",
        "Auszug",
        "Fortsetzung",
        "vorher",
        "nachher",
        "Beschlüsse",
        "Aufgaben",
    ),
    "fr": FixedWords(
        "Sommaire",
        "Vue d’ensemble",
        "En bref",
        "Source",
        "Chiffres clés",
        "Chronologie",
        "p.",
        "extrait",
        "suite",
        "avant",
        "après",
        "Décisions",
        "Actions",
    ),
    "es": FixedWords(
        "Contenido",
        "Panorama",
        "En resumen",
        "Fuente",
        "Cifras clave",
        "Cronología",
        "p.",
        "extracto",
        "continuación",
        "antes",
        "después",
        "Decisiones",
        "Acciones",
    ),
    "it": FixedWords(
        "Indice",
        "Panoramica",
        "In breve",
        "Fonte",
        "Cifre chiave",
        "Cronologia",
        "p.",
        "estratto",
        "seguito",
        "prima",
        "dopo",
        "Decisioni",
        "Azioni",
    ),
    "pt": FixedWords(
        "Conteúdo",
        "Visão geral",
        "Em resumo",
        "Fonte",
        "Números-chave",
        "Cronologia",
        "p.",
        "excerto",
        "continuação",
        "antes",
        "depois",
        "Decisões",
        "Ações",
    ),
    "nl": FixedWords(
        "Inhoud",
        "Overzicht",
        "In het kort",
        "Bron",
        "Kerncijfers",
        "Tijdlijn",
        "p.",
        "uittreksel",
        "vervolg",
        "eerst",
        "daarna",
        "Besluiten",
        "Acties",
    ),
    "ar": FixedWords(
        "المحتويات",
        "نظرة عامة",
        "باختصار",
        "المصدر",
        "أرقام رئيسية",
        "تسلسل زمني",
        "ص.",
        "مقتطف",
        "تابع",
        "قبل",
        "بعد",
        "القرارات",
        "المهام",
    ),
    "zh": FixedWords(
        "目录",
        "概述",
        "小结",
        "来源",
        "关键数据",
        "时间线",
        "p.",
        "节选",
        "续",
        "之前",
        "之后",
        "决定",
        "行动",
    ),
}


def fixed_words(language: str) -> FixedWords:
    """The words in a language, a BCP 47 tag; those of English where the language has none here.

    >>> fixed_words("de-AT").contents
    'Inhalt'
    """
    return _WORDS.get(primary_language(language), _WORDS["en"])
