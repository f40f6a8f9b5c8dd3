"""The knowledge base: cards, facts, chunks, numbers, quotes and passages."""

import sys
from itertools import pairwise

import pytest

from decklab.core.errors import Unavailable
from decklab.documents.extras import needed
from decklab.documents.knowledge import CARD_CHARACTERS, FACT_CHARACTERS, KnowledgeBase
from decklab.documents.reading import read_documents
from decklab.documents.retrieval import retrieve
from decklab.documents.sections import CHUNK_CHARACTERS, CHUNK_OVERLAP

LONG = " ".join(f"Sentence number {i} says that item {i} is good." for i in range(1, 200))
TEXT = f"""# The study

Nobody, Nowhere

## Abstract

Sales rose by 12% in 2024, see Fig. 3. That is much.

## Results

{LONG}

- 1. Costs fell to $3.2 million.

## References

Smith (2019). A paper with 99 pages.
"""
OTHER = """# Energy

Wind turbines gave 40% of the power. Solar panels gave little in winter.

Sales of turbines rose by a tenth.
"""


@pytest.fixture(scope="module")
def kb(tmp_path_factory):
    folder = tmp_path_factory.mktemp("documents")
    (folder / "study.md").write_text(TEXT)
    (folder / "energy.md").write_text(OTHER)
    return read_documents([folder / "study.md", folder / "energy.md"])


def test_cards_are_title_and_abstract(kb):
    assert kb.cards["study.md"].startswith("The study\nSales rose by 12% in 2024, see Fig. 3.")
    assert "Nobody" not in kb.cards["study.md"]
    assert all(len(card) <= CARD_CHARACTERS for card in kb.cards.values())
    assert kb.card == "\n\n".join(kb.cards.values())


def test_facts_are_whole_sentences(kb):
    facts = {item.heading: item.text for item in kb.facts}
    assert set(facts) == {"The study", "Abstract", "Results", "References", "Energy"}
    assert len(LONG) > FACT_CHARACTERS >= len(facts["Results"]) > FACT_CHARACTERS - 100
    assert facts["Results"].endswith("is good.")
    assert LONG.startswith(facts["Results"])


def test_chunks_overlap_and_cover_the_section(kb):
    chunks = [chunk.quote for chunk in kb.chunks if chunk.section == "Results"]
    assert all(len(chunk) <= CHUNK_CHARACTERS for chunk in chunks)
    for before, after in pairwise(chunks):
        shared = next(n for n in range(CHUNK_OVERLAP, 0, -1) if before.endswith(after[:n]))
        assert shared > CHUNK_OVERLAP / 2
    assert {word for chunk in chunks for word in chunk.split()} >= set(LONG.split())


def test_numbers_have_sentences_and_literature_has_none(kb):
    facts = [item for item in kb.numbers if item.is_fact and item.document == "study.md"]
    assert [(item.kind, item.values) for item in facts[:2]] == [
        ("percent", (12,)),
        ("year", (2024,)),
    ]
    assert facts[0].sentence == "Sales rose by 12% in 2024, see Fig. 3."
    money = next(item for item in facts if item.kind == "money")
    assert (money.values, money.unit, money.text) == ((3_200_000,), "USD", "$3.2 million")
    assert not [item for item in kb.numbers if item.unit == "pages" or item.values == (2019,)]
    assert [item.unit for item in kb.numbers if not item.is_fact] == ["figure"]
    assert kb.values == {value for item in kb.numbers for value in item.values}
    assert {0.12, 12.0, 3_200_000.0} & kb.values


def test_every_number_is_found_in_its_source(kb):
    for item in kb.numbers:
        place = kb.find_quote(item.sentence)
        assert place is not None, item
        assert place.document == item.document


def test_quotes_say_where_they_stand(kb):
    place = kb.find_quote("Solar panels gave  little in winter.")
    assert place is not None
    assert (place.document, place.section, place.page) == ("energy.md", "Energy", None)
    assert kb.find_quote("Solar panels gave much in winter.") is None


def test_passages_fit_and_every_source_is_heard(kb):
    found = retrieve(kb, "How did sales of turbines rise?")
    assert found[0].document == "energy.md"
    assert {passage.document for passage in found} == {"energy.md", "study.md"}
    assert sum(len(passage.quote) for passage in found) <= 2000
    for passage in found:
        assert kb.find_quote(passage.quote) is not None


def test_passages_are_bounded(kb):
    assert len(retrieve(kb, "sentence item good", passages=1)) == 1
    [short] = retrieve(kb, "sentence item good", characters=50)
    assert 0 < len(short.quote) <= 50
    assert retrieve(kb, "zebra") == []
    assert retrieve(kb, "") == retrieve(kb, "the of") == retrieve(kb, "sales", passages=0) == []


def test_an_empty_base_has_nothing():
    empty = KnowledgeBase()
    assert (empty.card, empty.facts, empty.chunks, empty.numbers, empty.unread) == (
        "",
        (),
        (),
        (),
        (),
    )
    assert empty.find_quote("word") is None
    assert retrieve(empty, "word") == []
    assert list(empty.records()) == []


def test_a_missing_library_is_told(monkeypatch):
    monkeypatch.setitem(sys.modules, "pysbd", None)
    install = r"splitting needs more packages: .*pip install '.*\[write\]'"
    with pytest.raises(Unavailable, match=install):
        needed("pysbd", "splitting")
