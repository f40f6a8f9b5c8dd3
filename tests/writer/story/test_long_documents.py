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


def test_a_table_of_two_pages_has_both(tmp_path: Path) -> None:
    people = ", ".join(f"{name} Berg of the town of Dahl" for name in ("Ann", "Bo", "Cy", "Di"))
    before = f"Comments on the draft of May 2025 were received from {people}, and from four clubs."
    rows = "".join(
        f"| Day {at} | The {name} brings its papers to the office of the port | Clerk |\n"
        for at, name in enumerate(("pilot", "master", "broker", "agent", "diver", "cook") * 3)
    )
    table = f"## Actions\n\n| When | What | By whom |\n|---|---|---|\n{rows}\n"
    deck = outline(tmp_path, f"# T\n\n{before}\n\n{table}{FILLER}", 9)
    assert [page.visual.view for page in deck.pages if page.visual] == [0, 1]


@pytest.mark.parametrize("count", [6, 9, 14, 19])
def test_recommendations_with_codes_are_rows_and_all_of_them_have_a_place(
    tmp_path: Path, count: int
) -> None:
    listed = "".join(
        f"R{at}. Mend crane {at} of the docks. {sentence(at)}. "
        f"Lead: Harbour Master. By {at} May 2026.\n\n"
        for at in range(1, count + 1)
    )
    middle = len(listed) // 2 + listed[len(listed) // 2 :].index("R")
    text = (
        f"# Harbour report\n\n{FILLER}\n## Recommendations\n\n### Ships\n\n{listed[:middle]}"
        f"### Docks\n\n{listed[middle:]}"
    )
    deck = outline(tmp_path, text, 15)
    rows = [
        point.cells for page in deck.pages if page.section == "Recommendations"
        for point in page.points
    ]  # fmt: skip
    assert [row[0] for row in rows] == [f"R{at}" for at in range(1, count + 1)]
    assert {row[2] for row in rows} == {"Harbour Master"}
    assert rows[0][3] == "1 May 2026"


def test_who_is_told_what_by_when_stands_in_columns(tmp_path: Path) -> None:
    items = (
        "Officers should ask each ship for its papers. By 31 January 2026.",
        "The port authority should mend the two cranes. From 1 May 2026.",
        "Count all ships each week (head of docks, from June 2026)",
    )
    listed = "\n".join(f"{at}. {item}" for at, item in enumerate(items, start=1))
    text = f"# Harbour report\n\n{FILLER}\n## Recommendations\n\n{listed}\n"
    page = next(p for p in outline(tmp_path, text, 12).pages if p.title == "Recommendations")
    assert page.header == ("What", "Who", "By")
    assert [point.cells[1:] for point in page.points] == [
        ("Officers", "31 January 2026"),
        ("The port authority", "From 1 May 2026"),
        ("Head of docks", "From June 2026"),
    ]


def test_a_chronology_has_its_dates_in_a_column_of_that_name(tmp_path: Path) -> None:
    listed = "\n".join(f"- {at} May 2026: {sentence(50 + at)}" for at in range(1, 10))
    text = f"# Harbour report\n\n{FILLER}\n## Events\n\n{listed}\n"
    page = next(p for p in outline(tmp_path, text, 12).pages if p.section == "Events")
    assert page.header == ("Date", "What")
    assert [point.label for point in page.points] == [f"{at} May 2026" for at in range(1, 10)]


def test_a_sentence_that_counts_others_is_not_shown_without_them(tmp_path: Path) -> None:
    text = (
        f"# Harbour report\n\n{FILLER}\n## Causes\n\nThree failures made this possible. "
        "The crane was never tested by anyone. The lamp had been broken since Easter. "
        "The watch was asleep at four in the morning.\n\n"
        f"{sentence(70)}. {sentence(71)}.\n\n{sentence(72)}. {sentence(73)}.\n"
    )
    deck = outline(tmp_path, text, 12)
    shown = [point.text for page in deck.pages for point in page.points]
    page = next(
        (p for p in deck.pages if any("Three failures" in point.text for point in p.points)), None
    )
    told = " ".join(shown)
    assert page is None or all(word in told for word in ("never tested", "since Easter", "asleep"))


def test_nothing_is_announced_that_is_not_shown(tmp_path: Path) -> None:
    text = f"# T\n\n## Answers\n\n{sentence(1)}. In brief, our answers are these.\n\n{FILLER}"
    shown = [point.text for page in outline(tmp_path, text, 8).pages for point in page.points]
    assert not [said for said in shown if said.endswith("these")]


def test_the_code_of_an_example_stands_behind_what_announces_it(tmp_path: Path) -> None:
    text = (
        f"# Harbour manual\n\n{FILLER}\n## Examples\n\n{sentence(90)}. {sentence(91)}.\n\n"
        "Serve the local mail with this:\n\n```\n[mail]\naccept = 993\nexec = /usr/sbin/mail\n```\n"
    )
    path = tmp_path / "text.md"
    path.write_text(text, encoding="utf-8")
    deck = story_of(read_documents([path]), slides=12, kind="manual").outline
    page = next(p for p in deck.pages if p.title == "Examples")
    assert page.form == "code"
    assert page.points[-2].text == "Serve the local mail with this:"
    assert page.points[-1].cells[0] == "[mail]"


def test_a_page_has_what_its_sentences_count_and_what_limits_them(tmp_path: Path) -> None:
    faults = "First, no nurse met the crews at night. It took long. Second, the clock ran slow."
    text = (
        f"# Harbour\n\n## Review\n\nApart from this we found two faults of the ward. {faults}\n\n"
        "## Rules\n\nYou may discuss anything on air. But never a case before the court.\n\n"
        f"## Rest\n\n{FILLER}\n"
    )
    deck = outline(tmp_path, text, 8)
    pages = [" ".join((page.title, *(point.text for point in page.points))) for page in deck.pages]
    for page in pages:
        assert "two faults" not in page or "the clock ran slow" in page
        assert "discuss anything" not in page or "before the court" in page
    assert any("two faults" in page for page in pages)


def test_a_list_that_is_not_shown_whole_is_not_counted(tmp_path: Path) -> None:
    items = "".join(f"{at}. {sentence(700 + at)}\n" for at in range(1, 31))
    deck = outline(tmp_path, f"# Harbour\n\n## Steps\n\n{items}\n## Rest\n\n{FILLER}", 4)
    text = " ".join(point.text for page in deck.pages for point in page.points)
    told = sum(sentence(700 + at) in text for at in range(1, 31))
    assert told < 30
    assert not [page.title for page in deck.pages if "of 30" in page.title]
