"""Questions about terms, made by program: a sentence with one of its terms left out.

Sentences that define a term come first. The wrong options are other terms of the same document
that could stand in its place: as many words, plural or not, name or phrase.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random

from decklab.documents.retrieval import search_words
from decklab.judges.quiz.data_questions import ClozeQuestion, blanked
from decklab.judges.quiz.source_sentences import SourceSentence
from decklab.judges.quiz.terms import Term, term_counts, terms_in

_DEFINED_WEIGHT = 2.0
_OFTEN = 2
_FEW = 60
_DRAWN_FROM = 12
"""How much more a definition says, how often a term has to occur, below how many terms a document
is short, and how many terms wrong options are drawn from. Ours."""


def term_questions(sentences: Sequence[SourceSentence], random: Random) -> list[ClozeQuestion]:
    """One for every sentence that has a term with three others that could stand in its place."""
    by_document: dict[str, list[SourceSentence]] = {}
    for sentence in sentences:
        by_document.setdefault(sentence.document, []).append(sentence)
    return [
        question
        for own in by_document.values()
        for known in [term_counts(sentence.text for sentence in own)]
        for sentence in own
        if (question := _of_sentence(sentence, known, random)) is not None
    ]


def _of_sentence(
    sentence: SourceSentence, known: Counter[Term], random: Random
) -> ClozeQuestion | None:
    text = sentence.text
    terms = terms_in(text)
    ranked = sorted(terms, key=lambda term: (not term.defined, -_often(term, known), term.start))
    for term in ranked:
        wrong = _wrong_terms(term, text, known, random)
        if wrong is None or not (_is_term(term, known) or _is_named(term)):
            continue
        weight = _DEFINED_WEIGHT if term.defined else 1.0
        return ClozeQuestion(
            blanked(text, term.start, term.end), term.text, wrong, sentence.quote,
            sentence.document, sentence.page, sentence.section, sentence.importance * weight,
        )  # fmt: skip
    return None


def _is_term(term: Term, known: Counter[Term]) -> bool:
    """Whether a term occurs often enough to be one. Several words have to come together twice; a
    single one of a short document once."""
    return _often(term, known) >= _OFTEN or (len(known) <= _FEW and " " not in term.text)


def _is_named(term: Term) -> bool:
    """Whether a sentence defines a term that looks like one: it has an article, two words, or is a
    name; a single bare word may be an adjective."""
    return term.defined and (bool(term.article) or " " in term.text or term.shape[0] == "name")


def _often(term: Term, known: Mapping[Term, int]) -> int:
    return known.get(Term(term.text, 0, 0), 0)


def _wrong_terms(
    term: Term, text: str, known: Counter[Term], random: Random
) -> tuple[str, str, str] | None:
    """Three terms of the document that the sentence does not have; the more frequent ones first."""
    said = set(search_words(text))
    fitting = [
        other
        for other, _ in sorted(known.items(), key=lambda item: (-item[1], item[0].text))
        if _is_term(other, known)
        and Term(other.text, 0, 0, term.article).shape == term.shape
        and not said & set(search_words(other.text))
    ]
    if len(fitting) < 3:
        return None
    first, second, third = random.sample(fitting[:_DRAWN_FROM], 3)
    return first.text, second.text, third.text
