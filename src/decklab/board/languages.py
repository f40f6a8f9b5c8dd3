"""Facts of languages that a deck's look depends on, by BCP 47 tag."""

from typing import Final

_RIGHT_TO_LEFT: Final = frozenset(
    {"ar", "fa", "he", "iw", "ur", "yi", "ps", "sd", "ug", "dv", "ckb"}
)
_QUOTES: Final = {
    "de": "„“", "fr": "«»", "ar": "«»", "ru": "«»", "es": "«»", "it": "«»", "pt": "«»",
    "pl": "„”", "cs": "„“", "ja": "「」", "fa": "«»", "el": "«»", "uk": "«»",
}  # fmt: skip

_WORDS: Final = {
    "ar": ("القرار", "المسؤول", "الموعد", "موصى به"),
    "cs": ("Rozhodnutí", "Odpovídá", "Termín", "Doporučeno"),
    "da": ("Beslutning", "Ansvarlig", "Dato", "Anbefalet"),
    "de": ("Entscheidung", "Verantwortlich", "Datum", "Empfohlen"),
    "en": ("Decision", "Owner", "Date", "Recommended"),
    "es": ("Decisión", "Responsable", "Fecha", "Recomendada"),
    "fr": ("Décision", "Responsable", "Date", "Recommandé"),
    "it": ("Decisione", "Responsabile", "Data", "Consigliata"),
    "ja": ("決定事項", "担当", "期日", "推奨"), "ko": ("결정", "담당", "날짜", "추천"),
    "nl": ("Besluit", "Verantwoordelijk", "Datum", "Aanbevolen"),
    "pl": ("Decyzja", "Odpowiedzialny", "Termin", "Zalecane"),
    "pt": ("Decisão", "Responsável", "Data", "Recomendada"),
    "ru": ("Решение", "Ответственный", "Срок", "Рекомендуется"),
    "sv": ("Beslut", "Ansvarig", "Datum", "Rekommenderas"),
    "tr": ("Karar", "Sorumlu", "Tarih", "Önerilen"), "zh": ("决定", "负责人", "日期", "推荐"),
}  # fmt: skip


def layout_words(tag: str) -> tuple[str, str, str, str] | None:
    """The words for decision, owner, date and recommended; None for a language without them here.

    >>> layout_words("de-AT")
    ('Entscheidung', 'Verantwortlich', 'Datum', 'Empfohlen')
    """
    return _WORDS.get(primary_language(tag))


def primary_language(tag: str) -> str:
    """The language of a tag, without script, region and variants (RFC 5646, section 2.2.1).

    >>> primary_language("de-AT")
    'de'
    """
    return tag.partition("-")[0]


def is_right_to_left(tag: str) -> bool:
    """Whether a language is written from right to left.

    >>> is_right_to_left("ar-EG"), is_right_to_left("en")
    (True, False)
    """
    return primary_language(tag) in _RIGHT_TO_LEFT


def quotation_marks(tag: str) -> str:
    """The opening and the closing mark; those of English where the language has none here.

    >>> quotation_marks("fr-CA"), quotation_marks("en")
    ('«»', '“”')
    """
    return _QUOTES.get(primary_language(tag), "“”")
