"""The sentences of documents that a question can be made of, and how much each says of the whole.

Edmundson, "New methods in automatic extracting", Journal of the ACM 16 (1969): the title method
(words of title and headings) and the location method (beginnings, abstract, conclusions). The
extractive writer ranks by centrality instead, so that the two do not pick by the same rule.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from decklab.documents.knowledge import KnowledgeBase
from decklab.documents.model import Document
from decklab.documents.retrieval import search_words
from decklab.documents.sections import DocumentSection, document_sections
from decklab.documents.sentences import sentences
from decklab.documents.shortening import bare_sentence, stands_alone

_MAIN = re.compile(
    r"^(?:[\dIVX.]*\s*)?(?:abstract|(?:executive )?summary|introduction|overview|conclusions?|"
    r"discussion|outlook|results|zusammenfassung|einleitung|fazit|ausblick|ergebnisse)\b",
    re.IGNORECASE,
)
_LOOSE = re.compile(
    r"^(?:We|Before|Here|To complete|In (?:this|what|general))\b"
    r"|\b(?:such an?|this|these|those|latter|former|above|below|previous(?:ly)?)\b"
    r"|\bwe (?:will |now |also |briefly )*(?:illustrate|describe|discuss|provide|present|show)\b"
)
"""Sentences about the document itself, and those that lean on their neighbours after all."""
_APPENDIX = re.compile(r"^(?:[Aa]ppendi|APPENDI|Anhang|[A-Z]\.(?:\d|\s)|[A-Z]\s+[A-Z][a-z])")
_LEAST, _MOST = 35, 260
_LEAST_WORDS = 6
_TITLE_WEIGHT, _HEADING_WEIGHT, _CARD_WEIGHT = 2.0, 1.0, 0.5
_MAIN_WEIGHT, _FIRST_WEIGHT, _APPENDIX_WEIGHT = 1.3, 1.2, 0.7
_LOOSE_WEIGHT = 0.4
"""Characters and words of a sentence, and weights of its words and place. Ours."""
_BRACKETS = re.compile(r"[\[{]|\(.*\(")


@dataclass(frozen=True)
class SourceSentence:
    """A sentence that says something by itself.

    ``quote`` is as the document has it, ``text`` without citations and asides. ``importance`` is
    more than 0 where it has words of title, headings or abstract; higher is more important.
    """

    text: str
    quote: str
    document: str
    page: int | None
    section: str
    importance: float


def source_sentences(sources: KnowledgeBase) -> list[SourceSentence]:
    """All such sentences of some documents, in their order."""
    return [
        sentence for document in sources.documents for sentence in _of_document(document, sources)
    ]


def _of_document(document: Document, sources: KnowledgeBase) -> Iterator[SourceSentence]:
    weights = _word_weights(document, sources)
    told = (section for section in document_sections(document) if not section.is_apparatus)
    for section in told:
        prose = [block for block in section.blocks if block.kind in {"paragraph", "item"}]
        for number, block in enumerate(prose):
            for sentence in sentences(block.text) if len(block.text) >= _LEAST else []:
                text = bare_sentence(sentence)
                if _fits(text, sentence):
                    importance = _importance(text, weights) * (_FIRST_WEIGHT if not number else 1)
                    importance *= _place_weight(section)
                    importance *= _LOOSE_WEIGHT if _LOOSE.search(text) else 1
                    yield SourceSentence(
                        text, sentence, document.name, block.page, section.heading, importance
                    )


def _place_weight(section: DocumentSection) -> float:
    """More for what sums up, less for what is appended."""
    if any(_APPENDIX.match(heading) for heading in section.path):
        return _APPENDIX_WEIGHT
    return _MAIN_WEIGHT if _MAIN.match(section.heading) else 1.0


def _fits(text: str, sentence: str) -> bool:
    """Whether a sentence is whole and of a length that can be asked about."""
    ended = sentence.rstrip().endswith((".", "!", "”", '"')) and not sentence.endswith("...")
    return (
        _LEAST <= len(text) <= _MOST
        and len(text.split()) >= _LEAST_WORDS
        and ended
        and text[0].isupper()
        and not _BRACKETS.search(text)
        and stands_alone(text)
    )


def _word_weights(document: Document, sources: KnowledgeBase) -> Mapping[str, float]:
    weights: dict[str, float] = {}
    headings = [block.text for block in document.headings if block.level <= 2]
    card = sources.cards.get(document.name, "")
    parts = ((card, _CARD_WEIGHT), (" ".join(headings), _HEADING_WEIGHT),
             (document.title, _TITLE_WEIGHT))  # fmt: skip
    for text, weight in parts:
        weights.update({word: weight for word in search_words(text) if len(word) > 2})
    return weights


def _importance(text: str, weights: Mapping[str, float]) -> float:
    words = set(search_words(text))
    return sum(weights.get(word, 0) for word in words) / (4 + len(words))
