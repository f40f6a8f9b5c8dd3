"""Names and numbers with which paragraphs begin, and lines that say nothing of a subject."""

from pathlib import Path

import pytest

from decklab.documents.reading import read_documents
from decklab.writer.story.material import Topic, topics_of


def topics(folder: Path, text: str, name: str = "text.md") -> list[Topic]:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    sources = read_documents([path])
    found, _ = topics_of(sources.documents[0], sources)
    return [part for topic in found for part in topic.walk()]


def said(parts: list[Topic]) -> list[str]:
    return [item.text for topic in parts for item in topic.statements if not item.flaw]


def test_questions_in_bold_lines_are_headings(tmp_path: Path) -> None:
    parts = topics(tmp_path, (
        "# Bees\n\n**Do they sting?**\nOnly if they are pressed or held.\n\n"
        "**When do they swarm?**\nFrom May to July, on warm days.\n\n"
        "**Smoke.**\nIt calms them for about ten minutes.\n"
    ))  # fmt: skip
    assert [topic.heading for topic in parts if topic.heading] == [
        "Do they sting?", "When do they swarm?", "Smoke",
    ]  # fmt: skip
    plain = topics(tmp_path, "# Bees\n\n**Only one.**\nIt stays a part of its paragraph here.\n")
    assert all(topic.heading != "Only one" for topic in plain)


def test_a_word_in_capitals_opens_a_section_of_its_own(tmp_path: Path) -> None:
    parts = topics(tmp_path, (
        "We had four spills in the north yard this year.\n\n"
        "DISCIPLINE. The first two weeks are for coaching only.\n\n"
        "WHY NOT BARRIERS? They come in nine weeks and cost $61,400.\n"
    ), "memo.txt")  # fmt: skip
    assert [topic.heading for topic in parts][-2:] == ["Discipline", "Why not barriers?"]
    assert "The first two weeks are for coaching only" in said(parts)


@pytest.mark.parametrize("number", ["7.1", "12.10", "3.2.1"])
def test_the_number_of_a_clause_is_no_word_of_it(tmp_path: Path, number: str) -> None:
    parts = topics(tmp_path, f"# Rules\n\n## Cars\n\n{number} Drivers must be over 21 years old.\n")
    assert said(parts) == ["Drivers must be over 21 years old"]
    amount = topics(tmp_path, "# Rules\n\n## Cars\n\n4.5 million cars were sold in the year.\n")
    assert said(amount) == ["4.5 million cars were sold in the year"]


def test_copies_letter_heads_and_menus_are_no_content(tmp_path: Path) -> None:
    parts = topics(tmp_path, (
        "STANNARD STORAGE, INC.\n\nTrucks drive at 4 miles an hour in the yard.\n\n"
        "cc: P. Nakagawa, plant manager; Local 588\n"
    ), "memo.txt")  # fmt: skip
    assert said(parts) == ["Trucks drive at 4 miles an hour in the yard"]
    manual = topics(
        tmp_path, "# Ed\n\nEd is an editor of lines.\n\nMenu:\n\n- Overview\n- Commands\n"
    )
    assert said(manual) == ["Ed is an editor of lines"]


def test_a_numbered_paragraph_without_a_name_belongs_to_its_section(tmp_path: Path) -> None:
    parts = topics(tmp_path, (
        "# Rules\n\n## Cars\n\n7.1 Hours. No more than eight hours of driving in a day.\n\n"
        "7.2 Belts. One person has one seat and one belt.\n\n"
        "7.3 Two drivers are needed for any journey of over five hours.\n"
    ))  # fmt: skip
    told = {topic.heading: said([topic]) for topic in parts}
    assert told["Belts"] == ["One person has one seat and one belt"]
    assert told["Cars"] == ["Two drivers are needed for any journey of over five hours"]
