"""Short documents are told whole, by what their outlines hold."""

from pathlib import Path

import pytest

from decklab.deck.deck import write_samples
from decklab.documents.reading import read_documents
from decklab.writer.outline import Outline, OutlinePage
from decklab.writer.story.cover import cover_of
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
    rows = "abcdefghijklmnopqrstuvwxyz"[:sentences]
    return " ".join(
        f"The {noun} in row {row} stands beside the old wall of the yard." for row in rows
    )


def test_sections_are_pages_in_their_own_order(tmp_path: Path) -> None:
    text = "# The yard\n\n" + "".join(
        f"## Side of the {noun}\n\n{paragraph(noun, 4)}\n\n" for noun in _NOUNS[:5]
    )
    made = outline(tmp_path, text)
    assert [page.title for page in made.pages[1:]] == [f"Side of the {noun}" for noun in _NOUNS[:5]]
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
        f"## Side of the {noun}\n\n{paragraph(noun, 6)}\n\n" for noun in _NOUNS
    )
    made = outline(tmp_path, text)
    told = said(made.pages)
    assert len(made.pages) == 8
    for noun in _NOUNS:
        assert f"The {noun} in row a" in told


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
        f"## Side of the {noun}\n\n{paragraph(noun, 4)}\n\n" for noun in _NOUNS[:4]
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


def test_a_line_that_names_its_list_is_the_title_of_it(tmp_path: Path) -> None:
    text = (
        "Subject: Pool cars\n\nPool cars cost us $318,400 last year, 27 percent more than planned. "
        "In November we counted 212 days on which a department hired a car while three of ours "
        "were free. Most of that came from hire in the next yard. Fines were paid by nobody. We "
        "went through all of the bookings of the year and asked each of the departments.\n\n"
        "What changes on 1 April.\n\n1. Cars are booked by calendar only.\n"
        "2. Private hire needs a signature.\n3. Fines go to the driver.\n\n"
        "What I need from you by 20 March:\n\n- the names of all drivers\n- a calendar account\n"
    )
    titles = [page.title for page in outline(tmp_path, text).pages]
    assert {"What changes on 1 April", "What I need from you by 20 March"} <= set(titles)


def test_a_procedure_over_two_days_keeps_its_numbers(tmp_path: Path) -> None:
    first = "".join(f"{at}. Open valve {at} of the well. Wait a while.\n" for at in range(1, 4))
    second = "".join(f"{at}. Close valve {at} of the well. Wait a while.\n" for at in range(4, 7))
    text = f"# How to clean a well\n\n## Steps\n\n### Day 1\n\n{first}\n### Day 2\n\n{second}\n"
    points = [point for page in outline(tmp_path, text).pages for point in page.points]
    assert [(point.label, point.text[:2]) for point in points] == [
        ("Day 1", "1."), ("Day 1", "2."), ("Day 1", "3."),
        ("Day 2", "4."), ("Day 2", "5."), ("Day 2", "6."),
    ]  # fmt: skip


def test_sentences_stand_whole_with_what_is_in_brackets(tmp_path: Path) -> None:
    told = (
        "Sessions run in the Education Centre (Weald) on Mondays and in Seminar Room 2 (Ashdown) "
        "on Tuesdays; nights can come off shift"
    )
    made = outline(tmp_path, f"# Sizing\n\n## When\n\n{told}. {paragraph('lock', 2)}\n")
    assert told in said(made.pages)


def test_a_paragraph_behind_a_list_is_no_item_of_it(tmp_path: Path) -> None:
    text = (
        "# Uniforms\n\n## What I need\n\n- A named lead by Friday 17 October\n"
        "- Everybody booked by 31 October\n\nStaff asked for a shoe allowance. "
        "The committee looks at shoes on 19 November. Please don't promise anything.\n"
    )
    (page,) = [page for page in outline(tmp_path, text).pages if page.title == "What I need"]
    assert [point.bare for point in page.points] == [False, False, True]
    assert page.points[2].text.endswith("Please don't promise anything")


def test_words_stand_with_the_table_of_their_section(tmp_path: Path) -> None:
    rows = "".join(f"| {noun} | {noun[:3]} {at} |\n" for at, noun in enumerate(_NOUNS[:5]))
    table = f"| Name | Colour |\n|---|---|\n{rows}"
    text = (
        f"# Yard\n\n## Crew\n\n{table}\n{paragraph('lock', 3)}\n\n## Why\n\n{paragraph('quay', 4)}"
    )
    (page,) = [page for page in outline(tmp_path, text).pages if page.visual]
    assert page.title == "Crew" and said((page,)).count("stands beside") == 3


def test_no_two_sections_share_a_page_while_pages_are_left(tmp_path: Path) -> None:
    text = "# Yard\n\n" + "".join(
        f"## The {noun}\n\n{paragraph(noun, 1)}\n\n" for noun in _NOUNS[:6]
    )
    made = outline(tmp_path, text)
    assert [page.title for page in made.pages[1:]] == [f"The {noun}" for noun in _NOUNS[:6]]


def test_a_page_has_ninety_words_at_most_and_chatter_goes_first(tmp_path: Path) -> None:
    dates = " ".join(
        f"The {noun} must be paid by {at} May 2027." for at, noun in enumerate(_NOUNS, 1)
    )
    chatter = "Go and make tea! Well, who knows?"
    text = f"# Yard\n\n## Bills\n\n{dates} {chatter} {paragraph('lock', 3)}"
    made = outline(tmp_path, text, slides=3)
    for page in made.pages:
        assert sum(len(point.text.split()) for point in page.points) <= 90
    tight = outline(tmp_path, f"{text}\n\n## Gate\n\n{paragraph('quay', 7)}", slides=3)
    assert "10 May 2027" in said(tight.pages) and "make tea" not in said(tight.pages)


def test_the_head_of_a_document_is_on_the_title_page(tmp_path: Path) -> None:
    head = (
        "Noise at work assessment\n\nClient: Kestrel Cartons Ltd, Leominster\n"
        "Survey date: 9 September 2025\nSurveyor: R. Pugh\nIssued: 23 September 2025\n\n"
    )
    text = f"{head}1 WHY WE WERE ASKED\n\n{paragraph('crane', 4)}\n"
    path = tmp_path / "noise.txt"
    path.write_text(text)
    known = read_documents([path])
    cover = cover_of(known, "Noise at work assessment")
    assert (
        cover.subtitle == "Client: Kestrel Cartons Ltd, Leominster · Survey date: 9 September 2025"
    )
    assert (cover.author, cover.date) == ("R. Pugh", "23 September 2025")
    assert "Surveyor" not in said(story_of(known, slides=8).outline.pages)


def test_the_footnote_of_a_table_stands_with_it(tmp_path: Path) -> None:
    text = ("# Cold store\n\n## What it costs\n\n| Item | Now | New unit¹ |\n|---|---|---|\n"
            "| Rent | £900 | £900 |\n| Power | £400 | £200 |\n\n"
            "¹ Without the loan for the unit.\n\n¹ Nobody has this mark above.\n")  # fmt: skip
    (page,) = [page for page in outline(tmp_path, text).pages if page.visual]
    assert [point.text for point in page.points] == ["¹ Without the loan for the unit"]


def test_the_title_is_no_numbered_heading(tmp_path: Path) -> None:
    text = ("Klinikum Ahrenfels · Am Kurpark 12\n\nBericht über die Begehung von Haus B\n\n"
            "# 1 Anlass\n\nDie Begehung war am Montag.\n\n"
            "# 2 Ergebnis\n\nEs gab neun Mängel.\n")  # fmt: skip
    assert outline(tmp_path, text).pages[0].title == "Bericht über die Begehung von Haus B"
    text = "# Listening to Banks\n\n# Abstract\n\nBanks ring.\n\n# 1 Data\n\nThere are 64 banks.\n"
    text = f"Journal of Sound 9 (2025) 41\n\n{text}"
    assert outline(tmp_path, text).pages[0].title == "Listening to Banks"


def test_minutes_say_whose_and_take_no_agreement_of_persons_for_a_decision(tmp_path: Path) -> None:
    text = (
        "# Harbour Committee\n\n## Minutes of the meeting held on 11 May 2025, 19.00, Net Loft\n\n"
        "Present: A. Trevan (Chair), B. Aske\n\n## 1. Dredging\n\n"
        "PN said a plough would move the mud, and CD agreed, for once, with the fishermen. "
        "RESOLVED: to appoint Marlow Marine.\n\n"
        "## 2. Fees\n\nThe clerk proposed 4.5 %. It was carried by 4 to 2.\n"
    )
    made = outline(tmp_path, text)
    assert made.subtitle == "Harbour Committee"
    decisions = " ".join(point.text for page in made.pages if page.title == "Decisions"
                         for point in page.points)  # fmt: skip
    assert "Marlow Marine" in decisions and "plough" not in decisions


@pytest.mark.parametrize("slides", [3, 5])
def test_a_deck_of_many_sections_is_told_on_few_slides(slides: int, tmp_path: Path) -> None:
    rich = next(path for path in write_samples(tmp_path) if path.stem == "rich")
    assert len(story_of(read_documents([rich]), slides=slides).outline.pages) == slides
