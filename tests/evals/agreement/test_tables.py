"""Rankings and scores in files: good, partial, odd and damaged."""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

from decklab.core.errors import ResultsError
from decklab.evals.agreement.agree import agree
from decklab.evals.agreement.rankings import Ranking
from decklab.evals.agreement.tables import read_rankings, read_scores

RANKED = [Ranking("one", "ann", {"A": 1, "B": 2}), Ranking("two", "ann", {"A": 2, "B": 1})]


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_ties_partial_rankings_and_columns_in_any_order(tmp_path):
    path = written(
        tmp_path, "ranks.csv",
        "rank;product;remark;annotator;topic\n1;A;good;ann;one\n1;B;;ann;one\n;C;;ann;one\n2.5;A;;bob;one\n",
    )  # fmt: skip
    table = read_rankings([path])
    assert table.rankings == (
        Ranking("one", "ann", {"A": 1.0, "B": 1.0}), Ranking("one", "bob", {"A": 2.5})
    )  # fmt: skip
    assert table.faults == ()


def test_bad_rows_are_told_with_file_and_line_and_the_rest_counts(tmp_path):
    path = written(
        tmp_path, "ranks.csv",
        "topic,annotator,product,rank\none,ann,A,1\n\none,ann,B,first\none,,B,2\none,ann,A,3\n"
        'one,ann,"C,\nD",-1\none,ann,E,nan\none,ann\none,ann,F,2\n',
    )  # fmt: skip
    table = read_rankings([path])
    assert table.rankings == (Ranking("one", "ann", {"A": 1.0, "F": 2.0}),)
    assert table.faults == (
        f"{path}:4: 'first' is no rank",
        f"{path}:5: the annotator is empty",
        f"{path}:6: ann ranked A at {path}:2 already",
        f"{path}:8: '-1' is no rank",
        f"{path}:9: 'nan' is no rank",
        f"{path}:10: the product is empty",
    )


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("", "is empty"),
        ("topic,product,rank\none,A,1\n", "has not the columns topic, annotator, product, rank"),
        ("topic,annotator,product,rank\n", "there is no rank in it"),
        ("topic,annotator,product,rank\none,ann,A,x\n", "there is no rank in it"),
    ],
)
def test_a_file_without_ranks_is_refused_in_one_line(tmp_path, text, cause):
    path = written(tmp_path, "ranks.csv", text)
    with pytest.raises(ResultsError, match=cause) as caught:
        read_rankings([path])
    assert "\n" not in str(caught.value)
    assert str(path) in str(caught.value)


def test_a_file_that_is_not_there_and_one_of_bytes(tmp_path):
    with pytest.raises(ResultsError, match="No such file"):
        read_rankings([tmp_path / "none.csv"])
    (tmp_path / "bytes.csv").write_bytes(b"topic,annotator,product,rank\n\xff\xfe,a,b,1\n")
    with pytest.raises(ResultsError, match="UTF-8"):
        read_rankings([tmp_path / "bytes.csv"])


def test_scores_by_topic_and_product_with_directions(tmp_path):
    path = written(
        tmp_path, "scores.csv",
        "topic,product,metric,value,direction\none,A,speed,3,lower\none,B,speed,5,lower\n"
        "one,A,harmony.distance_deg,2,\none,A,mine,1,\none,B,mine,,\none,C,mine,4,\n"
        "one,B,mine,many,\none,A,mine,9,\n",
    )  # fmt: skip
    table = read_scores(path, RANKED)
    assert table.scores["speed"] == {"one": {"A": -3.0, "B": -5.0}}
    assert table.scores["harmony.distance_deg"] == {"one": {"A": -2.0}}
    assert table.directions["mine"] == "higher"
    assert table.scores["mine"] == {"one": {"A": 1.0}}
    assert table.not_scored == (
        "one, B: mine: no value", f"one, B: mine: {path}:8: 'many' is no number"
    )  # fmt: skip
    assert table.faults == (
        "one, C: nobody ranked it", f"{path}:9: mine of one, A is there already"
    )  # fmt: skip


DECKS = {
    "in/one/A.pptx": ("one", "A"), "in/B/one.pptx": ("one", "B"), "two_A.pptx": ("two", "A"),
    "one/two/B.pptx": ("two", "B"), "in/one/A.odp": None, "A.pptx": None,
}  # fmt: skip
"""Where each deck belongs: the nearest folder counts, a second deck does not."""


def results(folder: Path, kind: str) -> Path:
    rows: list[dict[str, Any]] = [
        {"deck": deck, "metric": "m", "slide": None, "value": float(number), "direction": "higher",
         "reason": None}
        for number, deck in enumerate(DECKS)
    ]  # fmt: skip
    slide = {"metric": "engagement.colorfulness", "slide": 1, "value": 7.0, "direction": "neutral"}
    rows.append({"deck": "in/one/A.pptx", "reason": None, **slide})
    if kind == "parquet":
        parquet.write_table(pa.Table.from_pylist(rows), folder / "results.parquet")
        return folder / "results.parquet"
    if kind == "csv":
        lines = [",".join("" if v is None else str(v) for v in row.values()) for row in rows[:-1]]
        lines.append("in/one/A.pptx,engagement.colorfulness,1,7.0,neutral,")
        return written(folder, "r.csv", "\n".join([",".join(rows[0]), *lines]) + "\n")
    decks = [
        {"deck": deck, "measurements": [row for row in rows if row["deck"] == deck]}
        for deck in DECKS
    ]
    written(folder, "results.json", json.dumps({"decks": decks}))
    return folder


@pytest.mark.parametrize("kind", ["folder", "parquet", "csv"])
def test_results_of_decklab_belong_to_topics_and_products_by_their_paths(tmp_path, kind):
    table = read_scores(results(tmp_path, kind), RANKED)
    numbers = {place: number for number, place in enumerate(DECKS.values()) if place}
    assert {
        (topic, product): value
        for topic, products in table.scores["m"].items()
        for product, value in products.items()
    } == numbers
    assert table.faults == (
        "in/one/A.odp: in/one/A.pptx is one, A already", "A.pptx: nobody ranked it"
    )  # fmt: skip
    assert table.slides["one", "A"].colorfulness == (7.0,)


def test_a_deck_that_may_be_two_is_left_out_and_failed_decks_are_told(tmp_path):
    decks = [
        {"deck": "x/A-one.pptx", "status": "failed", "error": "A-one.pptx: empty",
         "measurements": []},
        {"deck": "x/one/B.pptx", "measurements": [{"metric": "m", "slide": None, "value": 1.0}]},
        {"deck": "x/A/B/one.pptx", "measurements": [{"metric": "m", "slide": None, "value": 1.0}]},
        {"deck": "x/a-b-c.pptx", "measurements": [{"metric": "m", "slide": None, "value": 1.0}]},
    ]  # fmt: skip
    ranked = [*RANKED, Ranking("a", "ann", {"b-c": 1}), Ranking("a-b", "ann", {"c": 1})]
    path = written(tmp_path, "r.json", json.dumps({"decks": decks}))
    table = read_scores(path, ranked)
    assert table.scores == {"m": {"one": {"B": 1.0}}}
    assert table.not_scored == ("one, A: A-one.pptx: empty",)
    assert table.faults == (
        "x/A/B/one.pptx: x/one/B.pptx is one, B already",
        "x/a-b-c.pptx: it may be a, b-c or a-b, c",
    )


@pytest.mark.parametrize(
    ("name", "text", "cause"),
    [
        ("r.json", "{", "is no JSON from line 1"),
        ("r.json", '{"a": 1}', "holds no results"),
        ("r.json", '{"decks": []}', "no score of a ranked deck. Ranked: "),
        ("s.csv", "topic;product;metric;value\none;A;m;0,5\n", "s.csv:2: '0,5' is no number"),
        (
            "s.csv",
            "topic,product,metric,value,direction\none,A,m,1,sideways\n",
            "s.csv:2: 'sideways' is no direction",
        ),
        ("r.json", '{"decks": [{"deck": "a", "measurements": [1]}]}', "deck 1 are no list of rows"),
        ("r.parquet", "PAR", "cannot be read"),
        ("r.csv", "a,b\n1,2\n", "has not the columns topic, product, metric, value or deck"),
        ("r.csv", "topic,product,metric,value\nx,A,m,1\n", "Scored: x, A. A deck's path is"),
        (
            "r.csv",
            "deck,metric,value\na/b,m,1\n'c','m\n\"d,m,1\ne,m,2\n",
            "r.csv:4: this row cannot",
        ),
    ],
)
def test_scores_that_cannot_be_used_end_in_one_line(tmp_path, name, text, cause):
    with pytest.raises(ResultsError, match=cause) as caught:
        read_scores(written(tmp_path, name, text), RANKED)
    assert "\n" not in str(caught.value)


def test_a_bad_line_is_named_by_its_number(tmp_path):
    head = b"topic,annotator,product,rank\none,ann,A,0\n"
    for bad in (b"one,ann,\xff,1\n", b'one,ann,"B,1\n'):
        (tmp_path / "ranks.csv").write_bytes(head + bad + b"one,ann,C,2\n")
        with pytest.raises(ResultsError, match=r"ranks\.csv:3: this (line|row)"):
            read_rankings([tmp_path / "ranks.csv"])


def test_a_bad_rank_is_told_where_no_ranked_deck_has_a_score(tmp_path):
    ranks = written(
        tmp_path, "ranks.csv", "topic,annotator,product,rank\none,ann,A,first\none,ann,Z,1\n"
    )
    scores = written(tmp_path, "s.csv", "topic,product,metric,value\none,A,m,1\n")
    with pytest.raises(ResultsError) as caught:
        agree(scores, ranks)
    assert str(caught.value) == (
        f"{scores}: it has no score of a ranked deck. Ranked: one/Z. Scored: one, A. "
        f"A deck's path is TOPIC/PRODUCT; {ranks}:2: 'first' is no rank"
    )
