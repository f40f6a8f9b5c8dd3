"""The passages that a page is offered: whole, with their tables, and not those of other pages."""

from pathlib import Path

import pytest

from decklab.documents.knowledge import KnowledgeBase
from decklab.documents.reading import read_documents
from decklab.documents.sections import Passage
from decklab.writer.evidence_search import page_evidence, passage_fits
from decklab.writer.figures import OfferedVisual

REPORT = """# Harbour

## Traffic

Ships called often in summer 2021. Ships of all sizes came to the quay.

| Quarter | Ships | Tons |
|---|---|---|
| Q1 | 210 | 300 |
| Q2 | 262 | 310 |
"""


CRANES = {
    "Anna": "timber, coal and grain in the old basin", "Berta": "coal at night",
    "Clara": "grain of two farms", "Dora": "cars, and nothing else but cars", "Emma": "salt",
    "Frida": "steel beams of forty tons for the new bridge over the river", "Greta": "boxes",
}  # fmt: skip


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> KnowledgeBase:
    folder = tmp_path_factory.mktemp("search")
    (folder / "harbour.md").write_text(REPORT)
    for name, said in CRANES.items():
        (folder / f"{name}.md").write_text(f"# {name}\n\nThis crane lifts {said}.\n")
    return read_documents(sorted(folder.iterdir()))


def test_a_table_keeps_its_rows_and_its_years_need_no_quote(sources: KnowledgeBase) -> None:
    found = page_evidence(sources, ["ships in summer at the quay"])
    [passage] = [one for one in found.passages if one.document == "harbour.md"]
    assert passage.quote.splitlines()[-2:] == ["Q1\t210\t300", "Q2\t262\t310"]
    assert found.years == {2021.0}


def test_a_table_that_is_shown_is_told_once_and_whole(sources: KnowledgeBase) -> None:
    table = sources.tables[0]
    found = page_evidence(
        sources, ["ships in summer at the quay"], OfferedVisual("T1", table)
    ).numbered
    assert found[-1].quote == "Quarter\tShips\tTons\nQ1\t210\t300\nQ2\t262\t310"
    assert not any("Q1" in one.quote for one in found[:-1])
    assert any("harbour" in one.document for one in found[:-1])


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("fell. Ships came. They", "Ships came."),
        ("310\t5\nQ3\t301\t350\t6\nShips came.", "Q3\t301\t350\t6\nShips came."),
        ("Ships came.\nQ3\t301\t350\nQ4\t244", "Ships came.\nQ3\t301\t350"),
        ("they came", "they came"),
    ],
)
def test_what_is_cut_at_the_ends_of_a_passage_is_left_out(
    text: str, kept: str, monkeypatch: pytest.MonkeyPatch, sources: KnowledgeBase
) -> None:
    passage = Passage("harbour.md", None, text)
    monkeypatch.setattr(
        "decklab.writer.evidence_search.retrieve", lambda *_args, **_how: [passage]
    )  # fmt: skip
    assert [one.quote for one in page_evidence(sources, ["ships"]).passages] == [kept]


def test_passages_of_other_pages_are_left_out_past_the_first_few(sources: KnowledgeBase) -> None:
    queries = ["which crane lifts timber, coal, grain, cars, salt, steel or boxes"]
    alone = page_evidence(sources, queries)
    fits = passage_fits(sources, queries)
    everywhere = {passage.quote: 1.0 for passage in sources.chunks}
    shared = page_evidence(sources, queries, elsewhere=everywhere)
    weak = [one for one in alone.passages[4:] if fits[one.quote] < 0.7]
    assert weak and [one for one in alone.passages if one not in weak] == list(shared.passages)


def test_what_is_known_comes_first_and_whole(sources: KnowledgeBase) -> None:
    known = [Passage("harbour.md", None, "of all sizes came to")]
    found = page_evidence(sources, ["ships"], known=known)
    assert found.passages[0].quote == "of all sizes came to" and len(found.passages) > 1


def test_without_sources_there_is_no_evidence(tmp_path: Path) -> None:
    assert page_evidence(KnowledgeBase(), ["ships"]).passages == ()
