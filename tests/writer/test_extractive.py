from pathlib import Path

import pytest

from decklab.core.errors import PlanError
from decklab.documents.knowledge import KnowledgeBase
from decklab.documents.reading import read_documents
from decklab.writer.extractive import extractive_outline, side_by_side
from decklab.writer.outline import (
    Outline,
    OutlinePage,
    OutlinePoint,
    load_outline,
    missing_quotes,
    write_outline,
)
from decklab.writer.titling import title_lines


@pytest.fixture(scope="module")
def sources(harbour: Path) -> KnowledgeBase:
    return read_documents([harbour])


@pytest.fixture(scope="module")
def outline(sources: KnowledgeBase) -> Outline:
    return extractive_outline(sources)


def test_every_point_is_words_of_the_sentence_that_it_names(
    outline: Outline, harbour: Path
) -> None:
    text = " ".join(harbour.read_text().replace("- ", "").split())
    assert [number for number, _ in outline.evidence]
    for page in outline.pages:
        for point in page.points if page.role == "body" else ():
            assert point.evidence, point.text
            for item in point.evidence:
                assert item.quote in text
                assert {word.strip(".,") for word in point.text.split()} <= {
                    word.strip(".,") for word in item.quote.split()
                }


def test_the_deck_opens_lists_its_chapters_and_ends(outline: Outline) -> None:
    roles = [page.role for page in outline.pages]
    assert roles[0] == "opening" and roles[-1] == "ending" and roles.count("contents") == 1
    contents = next(page for page in outline.pages if page.role == "contents")
    assert [point.text for point in contents.points] == [
        "Overview", "Traffic", "The new crane", "Staff",
    ]  # fmt: skip
    assert len(outline.pages) <= 12
    assert outline.title == "The harbour in 2025"


def test_chapters_that_say_nothing_are_left_out(outline: Outline) -> None:
    assert "References" not in {page.section for page in outline.pages}
    assert not any("Smith" in point.text for page in outline.pages for point in page.points)


def test_a_table_stands_on_the_page_of_its_section(outline: Outline) -> None:
    page = next(page for page in outline.pages if page.visual)
    assert page.section == "Traffic"
    assert page.title == "Ships rose 16 % from Q1 to Q4"


def test_nothing_is_said_twice(outline: Outline) -> None:
    said = [point.text for page in outline.pages if page.role == "body" for point in page.points]
    assert len(said) == len(set(said))


def test_the_same_documents_give_the_same_outline(sources: KnowledgeBase, outline: Outline) -> None:
    assert extractive_outline(sources) == outline


def test_what_the_deck_should_be_about_comes_first(sources: KnowledgeBase) -> None:
    short = extractive_outline(sources, slides=3, focus="apprentices accidents")
    texts = " ".join(point.text for page in short.pages for point in page.points)
    assert [page.role for page in short.pages] == ["opening", "body"]
    assert "apprentices" in texts


def test_nothing_to_say_is_told(tmp_path: Path) -> None:
    empty = tmp_path / "empty.md"
    empty.write_text("# A title\n")
    with pytest.raises(PlanError, match="too little"):
        extractive_outline(read_documents([empty]))
    empty.write_text("# A title\n\nThe harbour has one crane of steel.\n")
    with pytest.raises(PlanError, match="too little"):
        extractive_outline(read_documents([empty]))
    with pytest.raises(ValueError, match="at least 3"):
        extractive_outline(read_documents([empty]), slides=2)


def test_an_outline_is_a_file_that_a_person_can_change(
    outline: Outline, sources: KnowledgeBase, tmp_path: Path
) -> None:
    path = tmp_path / "outline.json"
    write_outline(outline, path)
    assert load_outline(path) == outline
    assert missing_quotes(outline, sources) == ()
    changed = path.read_text().replace("Accidents fell from 14 to 9", "Accidents fell from 14 to 8")
    path.write_text(changed)
    (line,) = {item.partition(": ")[2] for item in missing_quotes(load_outline(path), sources)}
    assert line == "harbour.md does not say: Accidents fell from 14 to 8."
    path.write_text('{"title": "T", "pages": [{"title": "", "role": "body"}]}')
    with pytest.raises(PlanError, match=r"outline\.json: pages\.0\.title"):
        load_outline(path)


def test_long_titles_are_parted_or_cut_at_a_word() -> None:
    assert title_lines("Short") == ("Short", "")
    assert title_lines("word " * 40, 20)[0] == "word word word word …"


def test_a_numbered_list_becomes_a_process(tmp_path: Path) -> None:
    source = tmp_path / "valve.md"
    source.write_text(
        "# Valves\n\n## How to\n\n1. Open the valve. Turn it to the left.\n2. Wait for a minute.\n"
        "3. Close it again.\n\n## Why\n\nThe valve is old and can leak. The pump needs a rest.\n"
    )
    outline = extractive_outline(read_documents([source]), slides=6)
    page = next(page for page in outline.pages if page.form == "steps")
    assert page.title == "How to"
    assert [(point.label, point.text) for point in page.points] == [
        ("Open the valve", "Turn it to the left"),
        ("Wait for a minute", "Wait for a minute"),
        ("Close it again", "Close it again"),
    ]


def test_two_neighbours_that_hold_little_stand_side_by_side() -> None:
    def page(title: str, *texts: str) -> OutlinePage:
        return OutlinePage(title=title, points=tuple(OutlinePoint(text=text) for text in texts))

    long = page("Third", "a", "b", "c", "d")
    first, second = side_by_side([page("First", "a", "b"), page("Second", "c"), long])
    assert second is long
    assert (first.title, first.form) == ("First · Second", "columns")
    assert [(point.label, point.text) for point in first.points] == [
        ("First", "a"), ("First", "b"), ("Second", "c"),
    ]  # fmt: skip
    assert side_by_side([]) == []


def test_a_chinese_document_becomes_slides(tmp_path: Path) -> None:
    path = tmp_path / "zh.md"
    path.write_text(
        "# 新港口报告\n\n## 现状\n\n港口每年接待1200艘船只。码头面积为45公顷。\n\n"
        "## 计划\n\n总成本为1800万欧元。扩建后产能将提高30%。\n",
        encoding="utf-8",
    )
    outline = extractive_outline(read_documents([path]), language="zh")
    said = {point.text for page in outline.pages for point in page.points}
    assert outline.title == "新港口报告"
    assert {"码头面积为45公顷", "扩建后产能将提高30%"} <= said


def test_sections_of_one_form_give_pages_all_the_same(tmp_path: Path) -> None:
    path = tmp_path / "register.md"
    entries = (
        f"## Machine {at}\n\nThe machine number {at} of the plant runs {at * 3} hours a week.\n\n"
        f"Workers clean the filter {at} at the end of a shift.\n\n"
        for at in range(40)
    )
    path.write_text("# Register\n\n" + "".join(entries))
    outline = extractive_outline(read_documents([path]))
    assert len([page for page in outline.pages if page.role == "body"]) > 2
