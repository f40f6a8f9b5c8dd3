from pathlib import Path

import pytest

from decklab.documents.computed import (
    Computed,
    Proof,
    computed_note,
    computed_notes,
    founded_values,
    number_text,
)
from decklab.documents.knowledge import KnowledgeBase
from decklab.documents.model import Document, DocumentBlock, DocumentTable, table_text
from decklab.writer.prose_numbers import change_of
from decklab.writer.table_views import table_views

ROWS = (
    ("Region", "Month", "Sales"),
    ("North", "2024-01-05", "10"),
    ("North", "2024-02-06", "20"),
    ("South", "2024-01-09", "5"),
    ("Total", "", "35"),
)


def document(text: str = "", rows: tuple[tuple[str, ...], ...] = ROWS) -> Document:
    table = DocumentTable("a.md", 1, rows, header_rows=1)
    blocks = (
        DocumentBlock("paragraph", text or "1,930 of 4,812 calls came at night."),
        DocumentBlock("table", table_text(rows), index=0),
    )
    return Document("a.md", Path("a.md"), "markdown", blocks, tables=(table,))


@pytest.mark.parametrize(
    ("text", "formula", "values"),
    [
        ("40 %", "1,930 / 4,812", (40,)),
        ("40.1 %", "1,930 / 4,812", (40.1,)),
        ("39 %", "1,930 / 4,812", ()),
        ("39 %", "1,877 / 4,812", ()),
        ("150 %", "(5 + 10) / 10", (150,)),
        ("-5", "5 - 10", (-5,)),
        ("30", 'sum("Sales", "Region" = "North")', (30,)),
        ("5", 'sum("Sales", "Region" != "North")', (5,)),
        ("15", 'sum("Sales", "Month" month = "2024-01")', (15,)),
        ("35", 'sum("Sales")', (35,)),
        ("15", 'mean("Sales", "Region" = "North")', (15,)),
        ("sums", 'sum("Sales") by "Region"', (30, 5)),
        ("sums", 'sum("Sales") by "Month" month', (15, 20)),
        ("30", 'sum("Cost", "Region" = "North")', ()),
        ("30", 'sum("Sales", "Region" = "West")', ()),
        ("1", "5 / 0", ()),
        ("1", "", ()),
        ("1", "((((", ()),
        ("1", "(" * 3000, ()),
        ("1", "5 5", ()),
        ("1", "__import__", ()),
        ("text", "5", ()),
    ],
)
def test_a_formula_proves_a_number_only_with_numbers_of_its_source(
    text: str, formula: str, values: tuple[float, ...]
) -> None:
    assert Proof(document()).values(Computed(text, formula, "a.md", "table 1")) == values


def test_notes_are_read_back_as_they_were_written() -> None:
    items = [
        Computed("40 %", "1,930 / 4,812", "a (1).md", "“1,930 of 4,812 (calls)”"),
        Computed("30", 'sum("Sales (EUR m)", "Region" = "North")', "b.md", "table 2, North"),
    ]
    for language in ("en", "de", "fr", "es", "it", "pt", "nl", "ar", "zh", "fi"):
        notes = "\n".join(["“A quote.” (a.md)", *(computed_note(item, language) for item in items)])
        assert list(computed_notes(notes, ["a (1).md", "b.md", "c.md"])) == items
    assert list(computed_notes(computed_note(items[0], "en"), ["other.md"])) == []


def test_a_note_that_somebody_made_up_founds_nothing() -> None:
    sources = KnowledgeBase((document(),))
    assert founded_values(["Computed: 41 % = 1,930 / 4,812 (a.md, table 1)"], sources) == set()
    assert founded_values(["Computed: 40 % = 40 / 100 (a.md, table 1)"], sources) == set()
    assert founded_values(["Computed: 40 % = 1,930 / 4,812 (a.md, table 1)"], sources) == {40}


def test_numbers_are_written_as_a_language_does() -> None:
    assert [number_text(1234567.5, tag) for tag in ("en", "de", "fr", "es")] == [
        "1,234,568", "1.234.568", "1\u202f234\u202f568", "1.234.568",
    ]  # fmt: skip
    assert [number_text(value) for value in (0.0, -3.0, 12.345, 0.0123)] == [
        "0", "-3", "12.35", "0.0123",
    ]  # fmt: skip


@pytest.mark.parametrize("language", ["en", "de", "fr", "es"])
def test_what_the_analyst_computes_proves_itself(language: str) -> None:
    cities = (("City", "Trips"), *((f"City {at}", str(at**4)) for at in range(1, 41)))
    scaled = (("Region", "Revenue (million EUR)"), ("N", "4.2"), ("S", "1.9"), ("E", "9.6"))
    money = (("Region", "Cost"), ("N", "$1.5m"), ("S", "$2.5m"), ("E", "$9.5m"))
    for rows in (ROWS, cities, scaled, money):
        source = document(rows=rows)
        views = table_views(source.tables[0], source="a.md", language=language)
        computed = {item for view in views for item in view.computed}
        assert computed or rows is ROWS
        for item in computed:
            assert Proof(source).values(item), item


@pytest.mark.parametrize(
    "sentence",
    [
        "The mean wait fell from 9.4 to 6.1 hours.",
        "Die Wartezeit sank von 9,4 auf 6,1 Stunden.",
        "Costs fell from $3.1 million to $2.4 million.",
        "Costs rose from $900 thousand to $1.2 million.",
    ],
)
def test_a_change_in_prose_proves_itself(sentence: str) -> None:
    change = change_of(sentence, "a.md")
    assert change is not None and change.computed is not None
    assert Proof(document(sentence)).values(change.computed)


@pytest.mark.parametrize(("sentence", "formula"), [
    ("1,930 of 4,812 calls", "1,930 / 4,812"), ("1.930 von 4.812 Anrufen", "1.930 / 4.812"),
    ("1 930 sur 4 812 appels", "1 930 / 4 812"),
])  # fmt: skip
def test_a_share_in_prose_proves_itself(sentence: str, formula: str) -> None:
    share = Computed("40 %", formula, "a.md", f"“{sentence}”")
    assert Proof(document(sentence)).values(share) == (40,)


SPENT = (
    ("Item (EUR thousand)", "Plan", "Real"),
    ("Gas", "395", "672"),
    ("Staff", "1,020", "1,544"),
)


@pytest.mark.parametrize(
    ("text", "formula", "values"),
    [
        ("277,000 euros", "672 - 395", (277_000,)),
        ("277.000 Euro", "672 - 395", (277_000,)),
        ("2.2 million euros", "672 + 1,544", (2_200_000,)),
        ("2.3 million euros", "672 + 1,544", ()),
        ("27,700 euros", "672 - 395", ()),
    ],
)
def test_a_factor_of_the_headings_belongs_to_a_computed_number(
    text: str, formula: str, values: tuple[float, ...]
) -> None:
    proof = Proof(document(rows=SPENT))
    assert proof.values(Computed(text, formula, "a.md", "there")) == values


def test_thousands_are_never_read_as_decimals_that_end_in_zero() -> None:
    proof = Proof(document("It was 672 and 395."))
    assert proof.values(Computed("277,000", "672 - 395", "a.md", "there")) == ()
    assert proof.values(Computed("0.250", "5 / 20", "a.md", "there")) == (0.25,)
