"""Decks of documents with more to say than their pages hold: filled, in order, the main things."""

from pathlib import Path

import pytest
from tests.writer.story.test_passages import FILLER, sentence

from decklab.documents.reading import read_documents
from decklab.writer.outline import Outline
from decklab.writer.story.outlining import story_of

pytestmark = pytest.mark.usefixtures("long_document")


def outline(folder: Path, text: str, slides: int, name: str = "text.md") -> Outline:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return story_of(read_documents([path]), slides=slides).outline


def words(deck: Outline) -> list[tuple[str, int]]:
    """The title of each body page with how many words stand below it."""
    return [
        (page.title, sum(len(point.text.split()) for point in page.points))
        for page in deck.pages
        if page.role == "body"
    ]


@pytest.mark.parametrize("slides", [4, 6, 9])
def test_no_page_is_nearly_empty_where_there_is_more_to_say(tmp_path: Path, slides: int) -> None:
    deck = outline(tmp_path, f"# Harbour\n\n{FILLER}", slides)
    assert len(deck.pages) > 2
    assert all(count >= 30 for _, count in words(deck))


def test_side_matters_have_no_page_while_others_fill_them(tmp_path: Path) -> None:
    contact = ". ".join(sentence(400 + at) for at in range(9))
    text = f"# Harbour\n\n{FILLER}\n## Contact\n\n{contact}.\n\n## Appendix\n\n{contact}.\n"
    deck = outline(tmp_path, text, 6)
    assert not [title for title, _ in words(deck) if title in ("Contact", "Appendix")]
    alone = f"# Harbour\n\n## Ships\n\n{sentence(1)}. {sentence(2)}.\n\n## Contact\n\n{contact}.\n"
    assert any(title == "Contact" for title, _ in words(outline(tmp_path, alone, 6)))


def test_headings_that_stand_all_over_a_document_are_no_titles(tmp_path: Path) -> None:
    parts = "".join(
        f"## {name}\n\n### Purpose\n\n{sentence(30 * at)}. {sentence(30 * at + 1)}.\n\n"
        f"### Requirements\n\n{sentence(30 * at + 2)}. {sentence(30 * at + 3)}.\n\n"
        for at, name in enumerate(("Ships", "Cranes", "Docks", "Locks"))
    )
    deck = outline(tmp_path, f"# Harbour\n\n{parts}", 9)
    shown = {page.title for page in deck.pages} | {page.topic for page in deck.pages}
    shown |= {point.label for page in deck.pages for point in page.points}
    assert not shown & {"Purpose", "Requirements"}
    assert {"Ships", "Cranes", "Docks", "Locks"} <= {page.section for page in deck.pages}


def test_a_sentence_that_leans_on_another_shares_its_point(tmp_path: Path) -> None:
    text = "# T\n\n## Cranes\n\nThe red crane lifts 60 tonnes. It was built in 1931.\n"
    points = [point for page in outline(tmp_path, text, 5).pages for point in page.points]
    assert "The red crane lifts 60 tonnes. It was built in 1931" in [point.text for point in points]
    (both,) = [point for point in points if "1931" in point.text]
    assert len(both.evidence) == 2


def test_what_another_figure_shows_is_not_told(tmp_path: Path) -> None:
    text = f"# T\n\n## Cranes\n\nThe loads are given in Table 3. {sentence(300)}.\n\n{FILLER}"
    said = [point.text for page in outline(tmp_path, text, 8).pages for point in page.points]
    assert not any("Table 3" in text for text in said)


def test_the_history_of_a_document_is_no_table_of_its_deck(tmp_path: Path) -> None:
    rows = ("Version | Date | Changed by", "---|---|---", "1.0 | May | A. Bo", "2.0 | June | C. Du")
    history = "".join(f"| {row} |\n" for row in rows)
    deck = outline(tmp_path, f"# Plan\n\n{history}\n{FILLER}", 8)
    assert not any(page.visual for page in deck.pages)


def test_a_table_without_a_name_is_named_by_its_columns(tmp_path: Path) -> None:
    text = "month,region,revenue_eur,orders\n" + "".join(
        f"2025-0{month},{region},{1000 * month},{10 * month}\n"
        for month in (1, 2, 3)
        for region in ("North", "South")
    )
    deck = outline(tmp_path, text, 5, "data_x-2.csv")
    assert deck.title == "Month: revenue, orders"
    rows = "name,remark\n" + "".join(f"{sentence(at)},{sentence(at + 50)}\n" for at in range(3))
    assert outline(tmp_path, rows, 5, "my-notes.csv").title == "My notes"


def test_the_rest_of_a_table_stands_where_names_before_the_first_heading_would(
    tmp_path: Path,
) -> None:
    people = ", ".join(f"{name} Berg of the town of Dahl" for name in ("Ann", "Bo", "Cy", "Di"))
    before = f"Comments on the draft of May 2025 were received from {people}, and from four clubs."
    rows = "".join(
        f"| Day {at} | The {name} brings its papers to the office of the port | Clerk |\n"
        for at, name in enumerate(("pilot", "master", "broker", "agent", "diver", "cook") * 3)
    )
    table = f"## Actions\n\n| When | What | By whom |\n|---|---|---|\n{rows}\n"
    deck = outline(tmp_path, f"# T\n\n{before}\n\n{table}{FILLER}", 9)
    assert [page.visual.view for page in deck.pages if page.visual] == [0, 1]
    assert "Overview" not in [page.title for page in deck.pages]
