"""Decisions and tasks as rows: what, who, until when."""

import pytest

from decklab.writer.outline import Evidence
from decklab.writer.story.material import Statement, Topic
from decklab.writer.story.tasks import gathered_topics, task_row, with_tasks


def said(text: str, **more: object) -> Statement:
    return Statement(text, Evidence(document="m.md", quote=text), 1.0, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        ("ACTION 9.2: Publish weekly counts. Stuart Webb, from 6 October.",
         ("Publish weekly counts", "Stuart Webb", "From 6 October")),
        ("ACTION 1: Reissue the summary. Owner: Daniel Marsh. Due: 17 November 2025.",
         ("Reissue the summary", "Daniel Marsh", "17 November 2025")),
        ("Get a shipping date from the supplier – Mikael – 17 Sep",
         ("Get a shipping date from the supplier", "Mikael", "17 Sep")),
        ("Hire a dehumidifier. Owner: facilities, P. Nowak, by 30 September.",
         ("Hire a dehumidifier", "Facilities, P. Nowak", "30 September")),
        ("Ask the bank for a loan (A. Berg, 12 May)",
         ("Ask the bank for a loan", "A. Berg", "12 May")),
        ("T. Boyle to place the order by 13 February",
         ("Place the order", "T. Boyle", "13 February")),
        ("ACTION Jean to write back politely.", ("Write back politely", "Jean", "")),
        ("P. Novak measures the plots by 30 November.",
         ("P. Novak measures the plots by 30 November", "", "")),
    ],
)  # fmt: skip
def test_a_task_is_parted_from_its_owner_and_date(text: str, cells: tuple[str, ...]) -> None:
    assert task_row([said(text)], "Noise").cells == ("Noise", *cells)


def test_a_decision_stays_whole() -> None:
    row = task_row([said("AGREED: four Sundays. Carla Jimenez, 2 May.")], "", named=False)
    assert row.cells[1:] == ("Four Sundays. Carla Jimenez, 2 May", "", "")


def test_what_is_marked_is_gathered_with_what_it_is_about() -> None:
    topic = Topic("m.md", "Noise", statements=(
        said("It was loud.", lead=True), said("DECISION: We wait.", marked="decisions", lead=True),
        said("Until May.", goes_on=True),
    ))  # fmt: skip
    decisions, rest = gathered_topics([topic], {"decisions": "Decisions", "actions": "Actions"})
    assert decisions.steps[0].cells == ("Noise", "We wait. Until May", "", "")
    assert [item.text for item in rest.statements] == ["It was loud."]


def test_decisions_that_nothing_marks_are_found_by_their_words() -> None:
    topics = [
        Topic("m.md", "Last minutes", statements=(said("Agreed without change.", lead=True),)),
        Topic("m.md", "Gate", statements=(
            said("The gate is broken.", lead=True),
            said("Agreed up to £600 can be spent.", goes_on=True),
            said("Put up a sign.", goes_on=True),
            said("ACTION Sunita.", marked="actions", goes_on=True),
            said("The bees came.", goes_on=True),
        )),
    ]  # fmt: skip
    decisions, actions, last, gate = gathered_topics(
        topics, {"decisions": "Decisions", "actions": "Actions"}
    )
    assert [row.cells[:2] for row in decisions.steps] == [
        ("Gate", "Agreed up to £600 can be spent")
    ]
    assert [row.cells for row in actions.steps] == [("Gate", "Put up a sign", "Sunita", "")]
    assert [item.text for item in last.statements] == ["Agreed without change."]
    assert [item.text for item in gate.statements] == ["The gate is broken.", "The bees came."]


def test_a_decision_that_announces_a_list_has_its_items() -> None:
    topic = Topic("m.md", "Canal", statements=(
        said("El debate fue largo.", lead=True),
        said("Se acuerda, por 71 votos:", goes_on=True, opens_list=2),
        said("Pedir la ayuda.", goes_on=True, item=True),
        said("Convocar otra junta.", goes_on=True, item=True),
        said("Llovía.", lead=True),
    ))  # fmt: skip
    decisions, rest = gathered_topics([topic], {"decisions": "Decisions", "actions": "Actions"})
    assert decisions.steps[0].cells[1] == (
        "Se acuerda, por 71 votos: Pedir la ayuda. Convocar otra junta"
    )
    assert [item.text for item in rest.statements] == ["El debate fue largo.", "Llovía."]


def test_a_list_without_names_is_no_table_of_tasks() -> None:
    items = tuple(said(text, item=True, lead=True) for text in ("Paint", "Sweep", "Dig"))
    assert not with_tasks(Topic("m.md", "Next steps", "actions", items)).steps
    named = tuple(said(f"{item.text} – Ann – 2 May", item=True, lead=True) for item in items)
    assert len(with_tasks(Topic("m.md", "Next steps", "actions", named)).steps) == 3


def test_a_long_list_of_terms_is_rows() -> None:
    meaning = "Tell what is done with each of the files. The first comes first, then all others"
    items = [said(f"-{letter}: {meaning}", item=True, lead=True) for letter in "abcdef"]
    rows = with_tasks(Topic("m.md", "Options", statements=tuple(items))).steps
    assert [row.cells for row in rows] == [
        (f"-{letter}", "Tell what is done with each of the files") for letter in "abcdef"
    ]
    few = with_tasks(Topic("m.md", "Options", statements=tuple(items[:4])))
    assert not few.steps, "a list that a page holds is points"
