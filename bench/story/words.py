"""Sentences, content words and numbers by plain expressions, for sources and decks alike."""

import re
from collections.abc import Iterator
from typing import Final

SHOWN_SHARE: Final = 0.7
"""Ours: the share of a sentence's content words that has to stand on one slide."""

_CJK: Final = r"\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_CJK_RUN: Final = re.compile(f"[{_CJK}]+")
_LETTERS: Final = re.compile(f"[^\\W\\d_{_CJK}]{{2,}}")
_NUMBER: Final = re.compile(
    r"(?<![\w.,])(?:\d{1,3}(?:[.,'’\u00a0\u202f]\d{3})+(?:[.,]\d+)?|\d+(?:[.,]\d+)?)(?!\d|[.,]\d)"
)
_GROUPED: Final = re.compile(r"[1-9]\d{0,2}(?:([.,'’\u00a0\u202f])\d{3})(?:\1\d{3})*")
_REFERENCE: Final = re.compile(
    r"\b(?:figures?|figs?\.|tables?|sections?|chapters?|appendix|equations?|eqs?\.|abbildung|abb\."
    r"|tabelle|abschnitt|kapitel|figura|tabla|sección)\s*\d+(?:\.\d+)*"
    r"|[图表]\s*\d+|\[\^?\d+(?:\s*[,–-]\s*\d+)*\]|https?://\S+",
    re.IGNORECASE,
)
_END: Final = re.compile(
    r"(?<=[.!?])[\"'”’)*_]*\s+(?=[\"'“‘(¿¡*_]*[A-ZÄÖÜÁÉÍÓÚÑ0-9])|(?<=[。！？])"
)
_ABBREVIATED: Final = re.compile(
    r"\b(?:e\.g|i\.e|cf|vs|etc|dr|mr|mrs|ms|prof|st|no|nos|fig|figs|eq|al|approx|z\. ?b|bzw|ca"
    r"|nr|abb|u\. ?a|d\. ?h|sr|sra|[A-Z])\.$",
    re.IGNORECASE,
)
_STOP_WORDS: Final = (
    "the and for are was were has have had been with from this that these those its their they "
    "them not but than then there here which who whom whose what when where while will would can "
    "could should may might must shall into onto over under about after before between through "
    "during each every all any some such only also more most other our your his her out off per "
    "via you she him how why does did done being both own same too very just an as at be by do he "
    "if in is it me my no of on or so to up us we am because until again further once few nor "
    "der die das den dem des ein eine einer eines einem einen und oder aber nicht ist sind war "
    "waren wird werden wurde wurden hat haben hatte mit von vom zum zur bei für auf aus nach über "
    "unter durch als auch wie im am um an in zu sich es sie er wir ihr sein seine ihre dass daß "
    "nur noch so bis je kein keine dieser diese dieses "
    "el la los las un una unos unas de del al y o en con por para que se su sus es son fue fueron "
    "ha han no lo como más pero sin sobre entre hasta desde este esta estos estas"
)
STOP: Final = frozenset(_STOP_WORDS.split())
"""Ours: words without content, of English, German and Spanish."""


def sentences(text: str) -> list[str]:
    """The sentences of a paragraph: English, German, Spanish, Chinese.

    >>> sentences("Cf. Dr. Moe. It rose to 1.5 t. \\"Why?\\" No.")
    ['Cf. Dr. Moe.', 'It rose to 1.5 t.', '"Why?"', 'No.']
    """
    parts: list[str] = []
    start = 0
    for end in _END.finditer(text):
        if not _ABBREVIATED.search(text[start : end.start()].rstrip("\"'”’)*_ ")):
            parts.append(text[start : end.end()])
            start = end.end()
    return [part.strip() for part in (*parts, text[start:]) if part.strip()]


def content_words(text: str) -> set[str]:
    """Words of two letters or more that are no stop words, pairs of Chinese characters, numbers.

    >>> sorted(content_words("The fall from 9.4 to 1,930 hours"))
    ['1930', '9.4', 'fall', 'hours']
    """
    words = {word for word in _LETTERS.findall(text.lower()) if word not in STOP}
    for run in _CJK_RUN.findall(text):
        words |= {run[i : i + 2] for i in range(max(1, len(run) - 1))}
    return words | {f"{_values(token)[0]:g}" for token in _tokens(text)}


def word_count(text: str) -> int:
    """Words as a reader counts them; two Chinese characters count as one word."""
    return len(_CJK_RUN.sub(" ", text).split()) + sum(
        (len(run) + 1) // 2 for run in _CJK_RUN.findall(text)
    )


def numbers(text: str) -> list[frozenset[float]]:
    """The values that each number may mean: "1,930" is 1930 or 1.93.

    Without the numbers of figures, tables, sections and citations, and without versions.
    """
    return [frozenset(_values(token)) for token in _tokens(text)]


def shown_share(words: set[str], shown: set[str]) -> float:
    """The share of ``words`` that is in ``shown``, from 0 to 1; 0 of no words."""
    return len(words & shown) / len(words) if words else 0.0


def same_title(text: str) -> str:
    """A title or heading as it is compared: small letters, without number and "(continued)"."""
    plain = re.sub(
        r"\((?:continued|cont\.|fortsetzung|\d+(?:\s*(?:/|of)\s*\d+)?)\)", "", text.lower()
    )
    plain = re.sub(r"^\s*(?:\d+(?:\.\d+)*|[ivx]+|[a-z])[.)]\s+|^\s*\d+(?:\.\d+)+\s+", "", plain)
    return " ".join(re.findall(r"\w+", plain))


def _tokens(text: str) -> Iterator[str]:
    for match in _NUMBER.finditer(_REFERENCE.sub(" ", text)):
        yield match[0]


def _values(token: str) -> list[float]:
    digits = re.sub(r"['’\u00a0\u202f]", "", token)
    if _GROUPED.fullmatch(token):
        whole = float(re.sub(r"\D", "", token))
        marks = re.findall(r"[.,]", token)
        return [whole, float(digits.replace(",", "."))] if len(marks) == 1 else [whole]
    last = max(digits.rfind("."), digits.rfind(","))
    if last < 0:
        return [float(digits)]
    return [float(re.sub(r"\D", "", digits[:last]) + "." + digits[last + 1 :])]
