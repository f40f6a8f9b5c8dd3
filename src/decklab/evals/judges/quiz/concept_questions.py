"""Questions about terms, made by program: a sentence with one of its terms left out.

Sentences that define a term come first. The wrong options are other terms of the same document
that could stand in its place: as many words, plural or not, name or phrase.

A noun phrase of one to three words follows an article or another determiner and ends before a word
that cannot belong to it; a name has a capital letter within a sentence. The rules know English.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Literal

from decklab.documents.retrieval import search_words
from decklab.evals.judges.quiz.bank import ClozeQuestion, blanked
from decklab.evals.judges.quiz.source_sentences import SourceSentence


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_DETERMINERS = _words(
    "the a an each every its their our your no another any some several many most"
)
_SINGULAR = _words("a an another each every")
_ENDS = _words(
    "of in on at to for and or with by from that which who whose is are was were be been has "
    "have had can could will would may might must should shall does do did not as than if when "
    "where while because but so into onto over under between within without through during "
    "until since after before about against per via also only both such like unlike using based "
    "given then there it we you they he she i this these those its their our your a an the used "
    "called"
)
_NO_TERMS = _words(
    "first second third last next same other following way case cases example examples number "
    "user users fact kind kinds type lot set part parts thing things point one ones use above "
    "below rest end time times result results section chapter paper document page others reader "
    "author authors more few little own new most least many figure table left right previous "
    "current default simple usual different various certain whole entire main purpose "
    "possibility idea reason aim goal need order form sense total variety range latter former "
    "presence absence lack fewest north south east west basic best better worst good bad large "
    "small high low given appropriate detail details aspect "
    "aspects step steps overview ways advantage choice"
)
_TOKEN = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*|[^\w\s]")
_MOST_WORDS = 3
_DEFINES = re.compile(
    r"^(?P<article>(?:The|An?)\s)?(?P<term>[^\W_][\w-]*(?:\s[\w-]+){0,2}?)\s"
    r"(?:(?:is|are)\s(?:an?|the|one of|defined as|called|known as)|refers? to|means|denotes?|"
    r"describes?|stands? for|consists? of|provides?|implements?|allows?|ensures?|enables?|"
    r"supports?)\s"
)


@dataclass(frozen=True)
class Term:
    """A term where it stands: ``text[start:end]``; its article, and whether it is defined there."""

    text: str
    start: int
    end: int
    article: str = ""
    defined: bool = False

    @property
    def shape(self) -> tuple[Literal["name", "phrase"], int, bool, bool]:
        """What another term has to share with it to stand in its place: name or phrase, words,
        plural, and whether "an" would stand before it where "a" or "an" does."""
        words = self.text.split()
        kind: Literal["name", "phrase"] = "phrase" if self.text.islower() else "name"
        vowel = self.text[0].lower() in "aeiou" if self.article.lower() in {"a", "an"} else False
        return kind, len(words), _is_plural(words[-1]), vowel

    @property
    def key(self) -> str:
        """The term as it is counted and compared."""
        return self.text if self.shape[0] == "name" else self.text.casefold()


def terms_in(text: str) -> list[Term]:
    """The terms of a sentence from left to right, that it defines first; none twice.

    >>> [term.text for term in terms_in("Power goes to the crane; a rail link opens in Oslo.")]
    ['crane', 'Oslo']
    >>> terms_in("A berth is a place for one ship.")[0].defined
    True
    """
    found: dict[tuple[int, int], Term] = {}
    for term in (*_defined(text), *_phrases(text), *_names(text)):
        overlaps = any(term.start < end and start < term.end for start, end in found)
        if not overlaps and text[term.end : term.end + 1] not in {"'", "’", "-"}:
            found[term.start, term.end] = term
    counted = Counter(term.key.casefold() for term in found.values())
    return [
        term
        for term in found.values()
        if counted[term.key.casefold()] == 1 and _occurs_once(term.text, text)
    ]


def term_counts(texts: Iterable[str]) -> Counter[Term]:
    """How often each term stands in some sentences; places are left out of the terms."""
    counts: Counter[Term] = Counter()
    for text in texts:
        counts.update(Term(term.text, 0, 0) for term in terms_in(text))
    return counts


def _occurs_once(term: str, text: str) -> bool:
    return len(re.findall(rf"(?<!\w){re.escape(term)}(?!\w)", text, re.IGNORECASE)) == 1


def _defined(text: str) -> Iterator[Term]:
    """The subject of a sentence that says what it is or does."""
    match = _DEFINES.match(text)
    if match is None:
        return
    words = match["term"].split()
    if words[0].lower() in _ENDS | _DETERMINERS | {"there", "here", "what"} or _dull(words):
        return
    if any(word.lower() in _ENDS for word in words):
        return
    term = match["term"]
    first, rest = term[:1], term[1:]
    is_name = match["article"] is None and len(words) == 1 and not rest.islower()
    shown = term if is_name or not rest.islower() else first.lower() + rest
    yield Term(shown, *match.span("term"), (match["article"] or "").strip(), defined=True)


def _phrases(text: str) -> Iterator[Term]:
    """Noun phrases after a determiner, in small letters."""
    tokens = list(_TOKEN.finditer(text))
    for place, token in enumerate(tokens):
        if token.group().lower() not in _DETERMINERS:
            continue
        phrase = []
        for following in tokens[place + 1 : place + 2 + _MOST_WORDS]:
            word = following.group()
            if not word[0].isalpha() or word.lower() in _ENDS:
                break
            phrase.append(following)
        words = [item.group() for item in phrase]
        if words and token.group().lower() in _SINGULAR and _is_plural(words[-1]):
            continue  # its last word is a verb
        if 1 <= len(words) <= _MOST_WORDS and all(map(str.islower, words)) and not _dull(words):
            yield Term(" ".join(words), phrase[0].start(), phrase[-1].end(), token.group())


def _names(text: str) -> Iterator[Term]:
    """Words with a capital letter within the sentence, up to three in a row."""
    pattern = r"(?<=[a-zäöüß,;] )[A-Z][\w-]{2,}(?: [A-Z][\w-]+){0,2}(?!\w)"
    for match in re.finditer(pattern, text):
        before = text[: match.start()].split()[-1:]
        follows_name = any(word[0].isupper() for word in before)
        if not follows_name and not any(char.isdigit() for char in match.group()):
            yield Term(match.group(), *match.span())


def _is_plural(word: str) -> bool:
    return word.endswith("s") and not word.endswith(("ss", "is", "us"))


def _dull(words: list[str]) -> bool:
    """Whether a phrase names nothing in particular, or ends in what is no noun."""
    last = words[-1].lower()
    return last in _NO_TERMS or len(last) < 4 or last.endswith(("ly", "ing", "ed"))


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
