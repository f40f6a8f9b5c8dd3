"""Odd spelling: triples of letters that are rare in English, and words a letter off one."""

import gzip
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path

_WORD = re.compile(r"[^\W\d_]{2,}")
_LEAST = 3
"""Ours: letters of the shortest word that counts."""


def words_of(text: str) -> list[str]:
    """The words of a text in lower case; numbers and single letters are none.

    >>> words_of("Step 2: Train a model")
    ['step', 'train', 'model']
    """
    return _WORD.findall(text.lower())


@lru_cache(maxsize=1)
def _usual() -> frozenset[str]:
    """The triples of letters, word ends included, that are usual in English.

    They occur more than four times (ours) in the 10,000 words of the language reference of Python
    3.11, as its ``pydoc_data.topics`` has it. Other versions have other texts, and a score must not
    depend on the version: so the triples are kept here.
    """
    lines = Path(__file__).with_name("letter_triples.txt").read_text("ascii").splitlines()
    return frozenset(three for line in lines for three in line.split("|"))


def _threes(word: str) -> list[str]:
    marked = f" {word} "
    return [marked[at : at + 3] for at in range(len(marked) - 2)]


def odd_share(text: str) -> float | None:
    """Share of a text's letter triples that are rare in English, 0 to 1, lower is better.

    None for a text without words of three letters. Correct English has about 0.1 (names, terms);
    other languages have more, misspelt or not.

    >>> [round(odd_share(text), 2) for text in ("a boat in the river", "a boqt im tje rievr")]
    [0.08, 0.67]
    """
    words = [word for word in words_of(text) if len(word) >= _LEAST]
    usual = _usual()
    odd = [three not in usual for word in words for three in _threes(word)]
    return sum(odd) / len(odd) if odd else None


_PLAIN = re.compile(r"(?<![\w./@-])[a-z]{4,}(?![\w/@-]|\.\w)")
_ODD_IN_A_WORD = 2
"""Ours: odd triples in a word that looks misspelt; one wrong letter makes two or three."""
_COMMON_WORDS = "the of and to in is for with on that you your this are be as by it from or an at"
_COMMON = frozenset(_COMMON_WORDS.split())
_ENGLISH = 0.04
"""Ours: share of these words from which on a text counts as English; bullets have 0.1 to 0.3."""


def is_english(text: str) -> bool:
    """Whether enough of a text's words are common English ones; errors of typing do not hide them.

    >>> is_english("the choice of a model"), is_english("a escolha de um modelo")
    (True, False)
    """
    words = words_of(text)
    return bool(words) and sum(word in _COMMON for word in words) >= _ENGLISH * len(words)


def misspelt_share(text: str, known: Collection[str] = ()) -> float | None:
    """Share of plain lower-case words that look misspelt, 0 to 1, lower is better; English only.

    Names, abbreviations, addresses and words with digits are not judged, and those of ``known``
    are right. None for a text without such words.

    >>> misspelt_share("a boqt im tje rievr with water"), misspelt_share("the water of the river")
    (0.5, 0.0)
    """
    words = _PLAIN.findall(text)
    usual = _usual()
    odd = [
        word not in known and sum(three not in usual for three in _threes(word)) >= _ODD_IN_A_WORD
        for word in words
    ]
    return sum(odd) / len(odd) if odd else None


_LEAST_MISSPELT = 6
"""Ours: letters of a word that may be told as misspelt; shorter ones are near too many others."""
_MISSPELT_MOST = 2
"""Ours: a word that a deck has more often is meant."""
_JUDGED = re.compile(r"(?<![\w./@#'\u2019-])[A-Z]?[a-z]{5,}(?![\w/@'\u2019-]|\.\w)")
_ENDINGS = (
    "s", "es", "d", "ed", "ing", "er", "ers", "or", "ors", "ly", "able", "ness", "less", "al",
    "ally", "ize", "ized", "izes", "izing", "ization", "ise", "ised", "ising", "isation", "ist",
    "ism", "ity",
)  # fmt: skip
_BEGINNINGS = (
    "un", "re", "non", "pre", "sub", "multi", "micro", "macro", "hyper", "auto", "over", "under",
    "out", "inter", "co", "de", "dis", "mis", "bio", "geo", "web", "meta", "post", "anti",
    "counter",
)  # fmt: skip
_BRITISH = (
    ("our", "or"), ("tre", "ter"), ("bre", "ber"), ("gre", "ger"), ("ll", "l"), ("l", "ll"),
    ("ogue", "og"), ("ys", "yz"), ("is", "iz"), ("enc", "ens"), ("ae", "e"), ("oe", "e"),
    ("mme", "m"), ("pp", "p"), ("tt", "t"), ("dge", "dg"), ("ium", "um"),
)  # fmt: skip
"""British spellings and what films, which are mostly American, have in their place."""


@lru_cache(maxsize=1)
def _english() -> tuple[frozenset[str], frozenset[str]]:
    """The common words of English, and all that are known.

    From the word list of pyspellchecker 0.9.1 (``LICENSE-pyspellchecker.txt``): 128,000 words of
    subtitles; common are those with a count of 200 or more there. Some 150 words of computing,
    which films lack, are ours.
    """
    path = Path(__file__).with_name("english_words.txt.gz")
    common, rare = gzip.decompress(path.read_bytes()).decode("ascii").splitlines()
    often = frozenset(common.split())
    return often, often.union(rare.split())


def _is_word(word: str) -> bool:
    """Whether a word is known, or made of known ones."""
    _common, known = _english()
    forms = [
        word,
        *(word.replace(british, other) for british, other in _BRITISH if british in word),
    ]
    return any(_is_known(form, known) for form in forms)


def _is_known(word: str, known: Collection[str]) -> bool:
    if word in known:
        return True
    stems = [word[: -len(end)] for end in _ENDINGS if word.endswith(end)]
    stems += [word[len(start) :] for start in _BEGINNINGS if word.startswith(start)]
    if any(stem in known or f"{stem}e" in known for stem in stems):
        return True
    return any(word[:at] in known and word[at:] in known for at in range(3, len(word) - 2))


def meant_word(word: str) -> str | None:
    """The common English word that an unknown one, in lower case, misses by a letter; else None.

    A letter may be missing, too many or another, or two may have changed places.

    >>> meant_word("enviroment"), meant_word("recieve"), meant_word("toolkits")
    ('environment', 'receive', None)
    """
    if len(word) < _LEAST_MISSPELT or _is_word(word):
        return None
    halves = [(word[:at], word[at:]) for at in range(len(word) + 1)]
    letters = "abcdefghijklmnopqrstuvwxyz"
    near = {head + tail[1:] for head, tail in halves if tail}
    near |= {head + tail[1] + tail[0] + tail[2:] for head, tail in halves if len(tail) > 1}
    near |= {head + new + tail[1:] for head, tail in halves if tail for new in letters}
    near |= {head + new + tail for head, tail in halves for new in letters}
    return min(near & _english()[0], key=lambda head: (head[0] != word[0], head), default=None)


def frequent_words(texts: Iterable[str]) -> frozenset[str]:
    """The words, in lower case, that texts have more than twice: whoever writes them means them."""
    counts = Counter(word for text in texts for word in words_of(text))
    return frozenset(word for word, count in counts.items() if count > _MISSPELT_MOST)


def misspelt_words(
    texts: Sequence[str], usual: Collection[str] = ()
) -> Iterator[tuple[int, str, str]]:
    """The misspelt words of texts in English: the place of the text, the word and what was meant.

    Names are not judged, nor the words of ``usual``; a capital counts as that of a sentence at the
    start of a paragraph before a word in small letters.

    >>> list(misspelt_words(["The enviroment of the plan", "Kaggle"]))
    [(0, 'enviroment', 'environment')]
    """
    for index, text in enumerate(texts):
        for match in _JUDGED.finditer(text):
            word = match[0]
            opens = not text[: match.start()].rpartition("\n")[2].strip()
            if word[0].isupper() and not (opens and re.match(r" [a-z]", text[match.end() :])):
                continue
            meant = None if word.lower() in usual else meant_word(word.lower())
            if meant is not None:
                yield index, word, meant
