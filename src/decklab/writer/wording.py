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
    before: str
    after: str
    decisions: str
    actions: str
    out_of: str
    """Between two numbers: 3 of 9."""
    notes: str
    questions: str
    continued: str
    tasks: tuple[str, str, str, str]
    """Above the columns of a table of tasks: what they are about, they, who, until when."""
    terms: tuple[str, str]
    """Above the columns of a table of terms: their names, what they mean."""
    date: str
    """Above the dates of a chronology."""
    joining: str = ""
    """The word between the last two of a row; empty where decklab does not know how it is used."""


_WORDS: Final = {
    "en": FixedWords(
        "Contents", "Overview", "In short", "Source", "p.", "before", "after", "Decisions",
        "Actions", "of", "Notes", "More questions", "continued",
        ("Item", "What", "Who", "By"), ("Name", "Meaning"), "Date", "and",
    ),
    "de": FixedWords(
        "Inhalt", "Überblick", "Kurz gefasst", "Quelle", "S.", "vorher", "nachher", "Beschlüsse",
        "Aufgaben", "von", "Anmerkungen", "Weitere Fragen", "Fortsetzung",
        ("Thema", "Was", "Wer", "Bis"), ("Name", "Bedeutung"), "Datum", "und",
    ),
    "fr": FixedWords(
        "Sommaire", "Vue d’ensemble", "En bref", "Source", "p.", "avant", "après", "Décisions",
        "Actions", "sur", "Remarques", "Autres questions", "suite",
        ("Sujet", "Quoi", "Qui", "Délai"), ("Nom", "Sens"), "Date", "et",
    ),
    "es": FixedWords(
        "Contenido", "Panorama", "En resumen", "Fuente", "p.", "antes", "después", "Decisiones",
        "Acciones", "de", "Notas", "Otras preguntas", "continuación",
        ("Tema", "Qué", "Quién", "Plazo"), ("Nombre", "Significado"), "Fecha", "y",
    ),
    "it": FixedWords(
        "Indice", "Panoramica", "In breve", "Fonte", "p.", "prima", "dopo", "Decisioni",
        "Azioni", "di", "Note", "Altre domande", "seguito", ("Tema", "Che cosa", "Chi", "Entro"),
        ("Nome", "Significato"), "Data",
    ),
    "pt": FixedWords(
        "Conteúdo", "Visão geral", "Em resumo", "Fonte", "p.", "antes", "depois", "Decisões",
        "Ações", "de", "Notas", "Outras perguntas", "continuação",
        ("Tema", "O quê", "Quem", "Prazo"), ("Nome", "Significado"), "Data",
    ),
    "nl": FixedWords(
        "Inhoud", "Overzicht", "In het kort", "Bron", "p.", "eerst", "daarna", "Besluiten",
        "Acties", "van", "Opmerkingen", "Meer vragen", "vervolg",
        ("Onderwerp", "Wat", "Wie", "Uiterlijk"), ("Naam", "Betekenis"), "Datum",
    ),
    "ar": FixedWords(
        "المحتويات", "نظرة عامة", "باختصار", "المصدر", "ص.", "قبل", "بعد", "القرارات", "المهام",
        "من", "ملاحظات", "أسئلة أخرى", "تتمة", ("البند", "ماذا", "من", "الموعد"),
        ("الاسم", "المعنى"), "التاريخ",
    ),
    "zh": FixedWords(
        "目录", "概述", "小结", "来源", "p.", "之前", "之后", "决定", "行动", "/",
        "备注", "其他问题", "续", ("事项", "内容", "负责人", "期限"), ("名称", "含义"), "日期",
    ),
}  # fmt: skip


def fixed_words(language: str) -> FixedWords:
    """The words in a language, a BCP 47 tag; those of English where the language has none here.

    >>> fixed_words("de-AT").contents
    'Inhalt'
    """
    return _WORDS.get(primary_language(language), _WORDS["en"])
