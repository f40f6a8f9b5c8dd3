"""What of a page its evidence holds: quotes, numbers in digits and words, formulas, marks."""

from typing import Any

import pytest
from tests.writer.scripted import page, point

from decklab.documents.computed import founded_values
from decklab.documents.knowledge import KnowledgeBase
from decklab.documents.model import DocumentTable
from decklab.documents.reading import read_documents
from decklab.documents.sections import Passage
from decklab.writer.evidence import PageEvidence, computed_lines, page_problem
from decklab.writer.forms import WrittenPage

WAITS = (
    "Waiting fell from 9.4 to 6.1 hours. Forty-six ports answered, said Ann Lee: we sleep again."
)
ROWS = (("Year", "Sales (EUR m)"), ("2023", "39.0"), ("2024", "41.5"))
MONEY = DocumentTable("waits.md", 1, ROWS, header_rows=1)


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> KnowledgeBase:
    path = tmp_path_factory.mktemp("evidence") / "waits.md"
    path.write_text(f"# Waits\n\n{WAITS}\n")
    return read_documents([path])


def evidence(sources: KnowledgeBase, table: DocumentTable | None = None) -> PageEvidence:
    documents = {document.name: document for document in sources.documents}
    return PageEvidence((Passage("waits.md", None, WAITS),), table, documents)


def written(*points: dict[str, Any], **changes: Any) -> WrittenPage:
    return WrittenPage.model_validate(page(points=list(points), **changes), strict=False)


FELL = "Waiting fell from 9.4 to 6.1 hours"


@pytest.mark.parametrize(
    ("text", "quote", "formula"),
    [
        ("Waiting fell by 35 %", FELL, "(9.4 - 6.1) / 9.4"),
        ("3.3 hours less", FELL, "9.4 - 6.1"),
        ("46 ports answered", "Forty-six ports answered", ""),
        ("forty-six ports answered", "Forty-six ports answered", ""),
        ("Two ways to wait less", FELL, ""),
        ("Waiting takes 6 to 9 hours", FELL, "6.1; 9.4"),
    ],
)
def test_what_follows_from_the_evidence_may_be_said(
    sources: KnowledgeBase, text: str, quote: str, formula: str
) -> None:
    assert page_problem(written(point(text, quote, formula=formula)), evidence(sources)) is None


@pytest.mark.parametrize(
    ("text", "quote", "formula"),
    [
        ("Waiting fell by 36 %", FELL, "(9.4 - 6.1) / 9.4"),
        ("Waiting fell by 35 %", FELL, "(9.4 - 6.1) / 9.3"),
        ("Waiting fell by 35 %", FELL, ""),
        ("Waiting fell by 35 %", FELL, "0.35"),
        ("Waiting takes 6 to 9 hours", FELL, "6.1"),
        ("Forty-seven ports answered", "Forty-six ports answered", ""),
        ("47 ports answered", "Forty-six ports answered", ""),
    ],
)
def test_what_does_not_follow_may_not(
    sources: KnowledgeBase, text: str, quote: str, formula: str
) -> None:
    problem = page_problem(written(point(text, quote, formula=formula)), evidence(sources))
    assert problem is not None and "no formula gives it" in problem


def test_units_of_a_heading_belong_to_its_cells(sources: KnowledgeBase) -> None:
    shown = evidence(sources, MONEY)
    for text in ("Sales reached 41.5 million euros", "39.0 in 2023"):
        assert page_problem(written(point(text, "2024\t41.5", 2)), shown) is None
    problem = page_problem(written(point("Sales reached 42 million", "2024\t41.5", 2)), shown)
    assert problem is not None and "42 million" in problem


def test_only_what_somebody_said_is_shown_as_a_quote(sources: KnowledgeBase) -> None:
    known = evidence(sources)
    said = point("we sleep again", "said Ann Lee: we sleep again")
    assert page_problem(written(said, layout="quote"), known) is None
    invented = written({**said, "text": "We love to wait no longer"}, layout="quote")
    assert "is shown as a quote" in str(page_problem(invented, known))
    marked = written({**said, "text": "Ann said “we love to wait less”"})
    assert "is shown as a quote" in str(page_problem(marked, known))
    assert page_problem(written({**said, "text": "The “green” port"}), known) is None


def test_notes_of_computed_numbers_prove_them_again(sources: KnowledgeBase) -> None:
    shown = written(point("Waiting fell by 35 %", FELL, formula="(9.4 - 6.1) / 9.4"))
    (line,) = computed_lines(shown, evidence(sources), "en")
    assert line.startswith("Computed: 35 % = (9.4 - 6.1) / 9.4 (waits.md, ")
    assert list(founded_values([line], sources)) == [35.0]


def test_the_title_may_state_what_a_formula_of_a_point_gives(sources: KnowledgeBase) -> None:
    both = point("Waiting fell by 3.3 hours", FELL, formula="9.4 - 6.1; (9.4 - 6.1) / 9.4")
    shown = written(both, title="Waiting fell by 35 %")
    assert page_problem(shown, evidence(sources)) is None
    assert len(computed_lines(shown, evidence(sources), "en")) == 2
    problem = page_problem(written(both, title="Waiting fell by 36 %"), evidence(sources))
    assert problem is not None and problem.startswith("title: '36 %'")
