"""What the numbers of tables say, beside what a person would say of them."""

import pytest

from decklab.documents.reading import read_documents
from decklab.evals.judges.quiz.statements import DeckStatement
from decklab.evals.judges.scenario.matching import SourceStatements

TABLES = """# Lines

| Line | Stops | Length (km) |
|---|---|---|
| Red | 14 | 9.5 |
| Blue | 22 | 17 |

# Costs

| Post | 2023 | 2024 |
|---|---|---|
| Wages | 40,000 | 44,000 |
| Rent | 12,000 | 9,000 |

# Harvest

| Year | Apples (t) | Pears (t) |
|---|---|---|
| 2021 | 120 | 60 |
| 2022 | 150 | 75 |
"""


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("The Blue line has 22 stops", "supported"),
        ("The Red line has 22 stops", "contradicted"),
        ("The Blue line is longer than the Red line", "supported"),
        ("The Red line is longer than the Blue line", "contradicted"),
        ("Red and Blue together have 36 stops", "supported"),
        ("Red and Blue together have 38 stops", "contradicted"),
        ("Wages rose to 44,000 in 2024", "supported"),
        ("Wages fell to 40,000 in 2024", "contradicted"),
        ("Wages grew by 10% between 2023 and 2024", "supported"),
        ("Rent rose by 25% from 2023 to 2024", "contradicted"),
        ("In 2022 there were twice as many apples as pears", "supported"),
        ("In 2022 there were twice as many pears as apples", "contradicted"),
        ("Apples rose from 120 t in 2021 to 150 t in 2022", "supported"),
        ("Insurance fell in 2024", "not stated"),
    ],
)
def test_claims_about_tables(tmp_path, claim, verdict):
    (tmp_path / "report.md").write_text(TABLES)
    sources = SourceStatements(read_documents([tmp_path / "report.md"]))
    assert sources.support(DeckStatement(1, claim)).verdict == verdict
