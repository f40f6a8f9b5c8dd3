"""The same said with other units, numbers and words; and what is not the same."""

import pytest

from decklab.documents.reading import read_documents
from decklab.evals.judges.quiz.statements import DeckStatement
from decklab.evals.judges.scenario.matching import SourceStatements

SAID = [
    ("The field covers 2.5 hectares", "The field has 25,000 square metres", "supported"),
    ("The field covers 2.5 hectares", "The field has 2,500 square metres", "contradicted"),
    ("The tank holds 3 cubic metres of rain", "The tank holds 3,000 litres of rain", "supported"),
    ("The loan runs for 18 months", "The loan runs for a year and a half", "supported"),
    ("The speech lasted 45 minutes", "The speech lasted three quarters of an hour", "supported"),
    ("The turkey weighs 11 pounds", "The turkey weighs about 5 kg", "supported"),
    ("The budget is £2.5m", "The budget is 2.5 million pounds", "supported"),
    ("The debt is $1.5 billion", "The debt is 1,500 million dollars", "supported"),
    ("The repair took 19 days", "The repair took more than three weeks", "contradicted"),
    ("Thefts dropped to a third of the earlier number", "Thefts fell by two thirds", "supported"),
    ("Thefts dropped to a third of the earlier number", "Thefts fell by a third", "contradicted"),
    ("Waste was halved by the new bins", "The new bins cut waste by a quarter", "contradicted"),
    ("Membership quadrupled in four years", "Membership grew fourfold in four years", "supported"),
    ("The mill lacks a licence", "The mill has a licence", "contradicted"),
    ("The mill lacks a licence", "The mill has no licence", "supported"),
    ("The report is unavailable to the public", "The report is available to the public",
     "contradicted"),
    ("The dam was planned for 2018. It opened two years late.", "The dam opened in 2018",
     "contradicted"),
    ("The dam was planned for 2018. It opened two years late.", "The dam opened in 2020",
     "supported"),
    ("The study began in 2010. It ran for six years.", "The study ended in 2016", "supported"),
    ("The study began in 2010. It ran for six years.", "The study ended in 2014", "contradicted"),
    ("In 2020 the shop sold 400 lamps. In 2021 it sold 500.",
     "From 2020 to 2021 the shop's sales of lamps rose by 25%", "supported"),
    ("In 2020 the shop sold 400 lamps. In 2021 it sold 500.",
     "From 2020 to 2021 the shop's sales of lamps fell", "contradicted"),
    ("Carla Mendez founded the choir in Porto", "The choir was founded in Lisbon by Carla Mendez",
     "contradicted"),
]  # fmt: skip


@pytest.mark.parametrize(("source", "claim", "verdict"), SAID)
def test_a_claim_beside_its_source(tmp_path, source, claim, verdict):
    (tmp_path / "report.md").write_text(f"# Report\n\n## Part\n\n{source.rstrip('.')}.\n")
    sources = SourceStatements(read_documents([tmp_path / "report.md"]))
    assert sources.support(DeckStatement(1, claim)).verdict == verdict
