"""Short documents are told whole, by what their outlines hold."""

from pathlib import Path

import pytest

from decklab.documents.reading import read_documents
from decklab.writer.outline import Outline, OutlinePage
from decklab.writer.story.outlining import story_of
from decklab.writer.table_views import table_views

_NOUNS = (
    "crane",
    "quay",
    "lock",
    "ferry",
    "tower",
    "bridge",
    "market",
    "depot",
    "garden",
    "station",
)


def outline(folder: Path, text: str, *, slides: int = 8, name: str = "text.md") -> Outline:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return story_of(read_documents([path]), slides=slides).outline


def said(pages: tuple[OutlinePage, ...]) -> str:
    points = (point for page in pages for point in page.points)
    return " ".join([*(page.title for page in pages), *(point.text for point in points)])


def paragraph(noun: str, sentences: int = 2) -> str:
    return " ".join(
        f"The {noun} in row {at} stands beside the old wall of the yard." for at in range(sentences)
    )


def test_sections_are_pages_in_their_own_order(tmp_path: Path) -> None:
    text = "# The yard\n\n" + "".join(
        f"## About the {noun}\n\n{paragraph(noun, 4)}\n\n" for noun in _NOUNS[:5]
    )
    made = outline(tmp_path, text)
    assert [page.title for page in made.pages[1:]] == [f"About the {noun}" for noun in _NOUNS[:5]]
    assert said(made.pages).count("stands beside") == 20


def test_short_neighbours_share_a_page_if_there_are_more_than_slides(tmp_path: Path) -> None:
    text = "# The yard\n\n" + "".join(f"## The {noun}\n\n{paragraph(noun)}\n\n" for noun in _NOUNS)
    made = outline(tmp_path, text)
    assert len(made.pages) <= 8
    shared = [page for page in made.pages if page.form == "columns"]
    assert shared and all(len({point.label for point in page.points}) <= 3 for page in shared)
    assert said(made.pages).count("stands beside") == 20


def test_a_list_stays_on_one_page(tmp_path: Path) -> None:
    items = "".join(f"- Order the {noun} and the paint for its doors\n" for noun in _NOUNS[:8])
    made = outline(
        tmp_path, f"# The yard\n\n## Why\n\n{paragraph('crane', 3)}\n\n## Jobs\n\n{items}"
    )
    (jobs,) = [page for page in made.pages if page.title == "Jobs"]
    assert [point.text.split()[2] for point in jobs.points] == list(_NOUNS[:8])


def test_paragraphs_without_headings_are_titled_by_their_first_sentence(tmp_path: Path) -> None:
    text = "How the yard is run\n\n" + "\n\n".join(
        f"Walk round the {noun} once: lights, doors, locks. {paragraph(noun, 3)}"
        for noun in _NOUNS[:6]
    )
    made = outline(tmp_path, text, name="yard.txt")
    titles = [page.title for page in made.pages]
    assert titles[0] == "How the yard is run"
    assert sum(title.startswith("Walk round the") for title in titles) >= 3


@pytest.mark.parametrize("end", [
    "Yours sincerely\n\nA. Pell\n\nPartner",
    "With thanks,\n\nA. Pell",
    "All the best\n\nPell\n\n07700 900 142",
])  # fmt: skip
def test_the_end_of_a_letter_is_on_no_page(tmp_path: Path, end: str) -> None:
    text = (
        "Dear Mr Osei\n\nThe repair of the crane\n\n"
        f"{paragraph('crane', 3)}\n\n{paragraph('quay', 3)}\n\n{end}\n"
    )
    made = outline(tmp_path, text, name="letter.txt")
    assert "Pell" not in said(made.pages) and "Dear" not in said(made.pages)
    assert made.title == "The repair of the crane"


def test_steps_over_two_pages_are_named_by_their_numbers(tmp_path: Path) -> None:
    steps = "".join(
        f"{at}. Turn the wheel of the {noun} to the left until it stops and wait for the light. "
        "Then write the pressure in the book.\n"
        for at, noun in enumerate(_NOUNS[:6], start=1)
    )
    made = outline(
        tmp_path, f"# How to start\n\n## Steps\n\n{steps}\n## After\n\n{paragraph('yard', 3)}"
    )
    assert [page.title for page in made.pages[1:3]] == ["Steps (1–3 of 6)", "Steps (4–6 of 6)"]


def test_what_is_too_long_loses_the_ends_of_paragraphs_and_no_section(tmp_path: Path) -> None:
    text = "# The yard\n\n" + "".join(
        f"## About the {noun}\n\n{paragraph(noun, 6)}\n\n" for noun in _NOUNS
    )
    made = outline(tmp_path, text)
    told = said(made.pages)
    assert len(made.pages) == 8
    for noun in _NOUNS:
        assert f"The {noun} in row 0" in told


def test_a_fall_has_a_page_of_its_own(tmp_path: Path) -> None:
    text = (
        f"# The yard\n\n## Results\n\n{paragraph('crane', 2)} "
        f"The mean wait fell from 9.4 to 6.1 hours.\n\n## Next\n\n{paragraph('quay', 4)}"
    )
    (page,) = [page for page in outline(tmp_path, text).pages if page.form == "change"]
    assert page.title == "The mean wait fell from 9.4 to 6.1 hours"


_PARTS = (
    "# Buses\n\n## Now\n\n" + paragraph("depot", 5) + "\n\n## The two offers\n\n"
    + "".join(f"### {name}\n\n{paragraph(noun, 4)}\n\n" for name, noun in (
        ("Northern", "tower"), ("Coastal", "ferry")))
)  # fmt: skip


def test_parts_of_a_section_share_a_page_under_its_heading_and_no_other_does(
    tmp_path: Path,
) -> None:
    made = outline(tmp_path, _PARTS + "## Costs\n\n" + paragraph("quay", 3), slides=4)
    assert [page.title for page in made.pages[1:]] == ["Now", "The two offers", "Costs"]
    assert {point.label for point in made.pages[2].points} == {"Northern", "Coastal"}


_RULES = "# The yard\n\n## Rules\n\n" + "".join(
    f"{at}. The {noun} stays shut until noon. It is {at * 11} steps away. They counted them "
    "twice in the rain and wrote the number down.\n"
    for at, noun in enumerate(_NOUNS[:6], start=1)
)


def test_an_item_is_one_point_and_keeps_its_number_on_each_of_two_pages(tmp_path: Path) -> None:
    path = tmp_path / "text.md"
    path.write_text(_RULES + "\n## After\n\n" + paragraph("lock", 3))
    made = story_of(read_documents([path]), slides=8, kind="report").outline
    points = [
        point.text for page in made.pages for point in page.points if "stays shut" in point.text
    ]
    assert [text[:2] for text in points] == ["1.", "2.", "3.", "4.", "5.", "6."]
    assert all("steps away" in text for text in points)
    assert len([page for page in made.pages if page.title.startswith("Rules")]) == 2


def test_an_account_with_a_sum_among_its_lines_is_a_table_and_no_chart(tmp_path: Path) -> None:
    lines = {"Contract": 3912000, "Rail": 14200, "Sleeve": 22700, "Piles": 118500}
    rows = {**lines, "Forecast": sum(lines.values()), "Paid": 2118640}
    path = tmp_path / "money.md"
    table = "".join(f"| {name} | {value} |\n" for name, value in rows.items())
    path.write_text(f"# Money\n\n| Line | Amount |\n|---|---|\n{table}")
    (shown,) = read_documents([path]).tables
    assert [view.chart for view in table_views(shown, source="-")] == [None]


def test_what_is_asked_for_opens_a_short_document_if_a_page_is_left(tmp_path: Path) -> None:
    text = "# The yard\n\nThe lease of the yard ends in March.\n\n" + "".join(
        f"## About the {noun}\n\n{paragraph(noun, 4)}\n\n" for noun in _NOUNS[:4]
    )
    ask = (
        "## Recommendation\n\nWe recommend that the council buys the yard for 2.4 million euros. "
        "The purchase saves 310,000 euros of rent a year.\n\n## Deadline\n\n"
        "The council must decide by 12 March 2027.\n"
    )
    first = outline(tmp_path, text + ask, slides=9).pages[1]
    assert first.title == "In short"
    assert 3 <= len(first.points) <= 5
    assert any("recommend" in point.text for point in first.points)


def test_a_line_of_a_letter_head_is_no_title(tmp_path: Path) -> None:
    head = "STANWICK STORAGE, INC.\nPlant 2 - Safety\n\nTO: All leads\nFROM: R. Dell\nDATE: 6/3\n"
    body = f"\n{paragraph('dock', 4)}\n\nRULES\n\n{paragraph('lock', 4)}\n"
    made = outline(tmp_path, head + body, name="memo.txt")
    assert "Plant 2 - Safety" not in [page.title for page in made.pages]
