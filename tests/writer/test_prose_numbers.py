import pytest

from decklab.writer.prose_numbers import amount_of, change_of


@pytest.mark.parametrize(
    ("sentence", "stated"),
    [
        ("The mean wait fell from 9.4 to 6.1 hours.", "The mean wait|9.4|6.1|hours|−35 %"),
        ("Die Wartezeit sank von 9,4 auf 6,1 Stunden.", "Die Wartezeit|9,4|6,1|Stunden|−35 %"),
        ("Le délai est passé de 9,4 à 6,1 heures.", "Le délai|9,4|6,1|heures|−35 %"),
        ("El tiempo bajó de 9,4 a 6,1 horas.", "El tiempo|9,4|6,1|horas|−35 %"),
        ("Staff grew from 120 people to 140 people.", "Staff|120|140|people|+17 %"),
        ("We cut the backlog from 1,240 to 310 tickets.", "the backlog|1,240|310|tickets|−75 %"),
        ("Costs fell from $3.1 million to $2.4 million.", "Costs|$3.1 million|$2.4 million||−23 %"),
        ("Accidents rose from 5 to 8 in 2024.", "Accidents|5|8||+60 %"),
    ],
)
def test_a_change_has_both_numbers_their_unit_and_subject(sentence: str, stated: str) -> None:
    change = change_of(sentence, "a.md")
    assert change is not None and change.computed is not None
    percent = change.computed.text
    found = (change.subject, change.before, change.after, change.unit, percent)
    assert "|".join(found) == stated


def test_a_change_of_shares_has_no_per_cent_of_per_cent() -> None:
    change = change_of("The share rose from 12% to 15%.", "a.md")
    assert change is not None and change.computed is None
    assert (change.before, change.after) == ("12%", "15%")


@pytest.mark.parametrize(
    "sentence",
    [
        "",
        "It takes from 3 to 5 days.",
        "Sales grew from 2019 to 2023.",
        "Sales grew from Q1 to Q4.",
        "Sales rose by 6 %.",
        "The queue went from 5 to 5 people.",
    ],
)
def test_ranges_years_and_equal_numbers_are_no_change(sentence: str) -> None:
    assert change_of(sentence, "a.md") is None


@pytest.mark.parametrize(("text", "amount"), [
    ("Taps are closed from 1 November to 15 March", ""), ("Plots of 4 hectares", "4 hectares"),
    ("Up by 4%", "4%"), ("It cost 3 euros", "3 euros"), ("We report it after 60 months", ""),
])  # fmt: skip
def test_an_amount_is_no_day_and_no_bound(text: str, amount: str) -> None:
    assert amount_of(text) == amount
