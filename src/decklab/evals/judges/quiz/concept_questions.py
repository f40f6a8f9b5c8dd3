"""Questions about terms, made by program: a sentence with one of its terms left out.

Sentences that define a term come first. The wrong options are other terms of the same document
that could stand in its place: as many words, plural or not, name or phrase.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random

from decklab.documents.retrieval import search_words
from decklab.evals.judges.quiz.bank import ClozeQuestion, blanked
from decklab.evals.judges.quiz.source_sentences import SourceSentence
from decklab.evals.judges.quiz.terms import Term, term_counts, terms_in

_DEFINED_WEIGHT = 2.0
_OFTEN = 2
_FEW = 60
_DRAWN_FROM = 12
_OTHER_WEIGHT = 0.8
_NAME_WEIGHT = 0.5
"""All ours: how much more a definition says, how often a term has to occur, below how many terms a
document is short, how many terms wrong options are drawn from, how much less a second term of a
sentence says, and a name, which is often that of an author."""


def term_questions(sentences: Sequence[SourceSentence], random: Random) -> list[ClozeQuestion]:
    """One for every term of the sentences that three others could stand in the place of."""
    by_document: dict[str, list[SourceSentence]] = {}
    for sentence in sentences:
        by_document.setdefault(sentence.document, []).append(sentence)
    return [
        question
        for own in by_document.values()
        for terms in [_Terms(term_counts(sentence.text for sentence in own))]
        for sentence in own
        for question in _of_sentence(sentence, terms, random)
    ]


class _Terms:
    """The terms of one document, the most frequent first."""

    def __init__(self, counts: Counter[Term]) -> None:
        self.counts = counts
        self.least = 1 if len(counts) <= _FEW else _OFTEN
        self.ranked = [
            (term, frozenset(search_words(term.text)))
            for term, _ in sorted(counts.items(), key=lambda item: (-item[1], item[0].text))
            if self.is_term(term)
        ]

    def often(self, term: Term) -> int:
        """How often a term stands in the document by itself."""
        return self.counts.get(Term(term.text, 0, 0), 0)

    def is_term(self, term: Term) -> bool:
        """Whether it occurs often enough to be one. Several words have to come together twice; a
        single one of a short document once."""
        return self.often(term) >= (_OFTEN if " " in term.text else self.least)

    def reduced(self, term: Term) -> Term:
        """A phrase that is no term as the term that it begins with: its last word may be a verb."""
        words = term.text.split()
        if self.is_term(term) or term.defined:
            return term
        for count in range(len(words) - 1, 0, -1):
            text = " ".join(words[:count])
            shorter = replace(term, text=text, end=term.start + len(text))
            if self.is_term(shorter):
                return shorter
        return term


def _of_sentence(
    sentence: SourceSentence, known: _Terms, random: Random
) -> Iterator[ClozeQuestion]:
    """One for each term that can be asked for, the best first; the others weigh less."""
    text = sentence.text
    terms = [known.reduced(term) for term in terms_in(text)]
    ranked = sorted(terms, key=lambda term: (not term.defined, -known.often(term), term.start))
    weight = 1.0
    for term in ranked:
        wrong = _wrong_terms(term, text, known, random)
        if wrong is None or not (known.is_term(term) or _is_named(term)):
            continue
        stated = weight * (_DEFINED_WEIGHT if term.defined else 1.0)
        stated *= _NAME_WEIGHT if term.shape[0] == "name" and not term.defined else 1.0
        weight *= _OTHER_WEIGHT
        yield ClozeQuestion(
            blanked(text, term.start, term.end), term.text, wrong, sentence.quote,
            sentence.document, sentence.page, sentence.section, sentence.importance * stated,
        )  # fmt: skip


def _is_named(term: Term) -> bool:
    """Whether a sentence defines a term that looks like one: it has an article, two words, or is a
    name; a single bare word may be an adjective."""
    return term.defined and (bool(term.article) or " " in term.text or term.shape[0] == "name")


def _wrong_terms(
    term: Term, text: str, known: _Terms, random: Random
) -> tuple[str, str, str] | None:
    """Three terms of the document that the sentence does not have; the more frequent ones first."""
    said = set(search_words(text))
    shape = term.shape
    fitting = [
        other.text
        for other, words in known.ranked
        if not said & words and replace(other, article=term.article).shape == shape
    ]
    if len(fitting) < 3:
        return None
    first, second, third = random.sample(fitting[:_DRAWN_FROM], 3)
    return first, second, third
