import re
from pathlib import Path
from typing import Any

import pytest

from decklab.core.errors import PlanError
from decklab.documents.knowledge import KnowledgeBase
from decklab.documents.reading import read_documents
from decklab.writer.outline import Outline, load_outline, missing_quotes, write_outline
from decklab.writer.story.kinds import document_kind
from decklab.writer.story.outlining import story_of


def outline_of(sources: KnowledgeBase, **options: Any) -> Outline:
    return story_of(sources, **options).outline


def written(folder: Path, text: str, name: str = "text.md") -> KnowledgeBase:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return read_documents([path])


@pytest.fixture(scope="module")
def sources(harbour: Path) -> KnowledgeBase:
    return read_documents([harbour])


@pytest.fixture(scope="module")
def outline(sources: KnowledgeBase) -> Outline:
    return outline_of(sources)


def test_every_point_is_words_of_the_sentences_that_it_names(
    outline: Outline, harbour: Path
) -> None:
    text = " ".join(harbour.read_text().replace("- ", "").split())
    assert [number for number, _ in outline.evidence]
    for page in outline.pages:
        for point in page.points if page.role == "body" else ():
            assert point.evidence, point.text
            assert all(item.quote in text for item in point.evidence)
            assert {word.strip(".,") for word in point.text.split()} <= {
                word.strip(".,") for item in point.evidence for word in item.quote.split()
            }


def test_the_deck_opens_with_its_title(outline: Outline) -> None:
    assert [page.role for page in outline.pages[:2]] == ["opening", "body"]
    assert outline.title == outline.pages[0].title == "The harbour in 2025"
    assert {page.section for page in outline.pages[1:] if page.section} == {
        "Traffic", "The new crane", "Staff",
    }  # fmt: skip


def test_while_there_is_room_every_sentence_table_and_number_has_a_place(
    outline: Outline, harbour: Path
) -> None:
    shown = " ".join(
        f"{point.text} {point.label}" for page in outline.pages for point in page.points
    )
    shown += " ".join((*(page.title for page in outline.pages), outline.subtitle))
    body = harbour.read_text().split("## References")[0]
    prose = [line for line in body.splitlines() if not line.startswith(("|", "#"))]
    for number in re.findall(r"\d[\d,.]*\d|\d", " ".join(prose)):
        assert number in shown, number
    assert [page.visual.kind for page in outline.pages if page.visual] == ["table"]


def test_sections_share_a_page_only_under_headings_of_their_own(outline: Outline) -> None:
    for page in outline.pages:
        if " · " in page.title:
            assert page.form in ("columns", "points")
            assert set(page.title.split(" · ")) <= {
                *(point.label for point in page.points), *(point.text for point in page.points),
            }  # fmt: skip


def test_no_two_titles_are_alike(outline: Outline) -> None:
    titles = [page.title.casefold() for page in outline.pages]
    assert len(titles) == len(set(titles))


def test_chapters_that_say_nothing_are_left_out(outline: Outline) -> None:
    assert "References" not in {page.section for page in outline.pages}
    assert not any("Smith" in point.text for page in outline.pages for point in page.points)


def test_a_table_stands_on_the_page_of_its_section(outline: Outline) -> None:
    page = next(page for page in outline.pages if page.visual)
    assert page.section == "Traffic"


def test_nothing_is_said_twice(outline: Outline) -> None:
    body = [page for page in outline.pages if page.title != "In short"]
    said = [point.text for page in body for point in page.points]
    assert len(said) == len(set(said))


def test_the_same_documents_give_the_same_outline(sources: KnowledgeBase, outline: Outline) -> None:
    assert outline_of(sources) == outline


def test_what_the_deck_should_be_about_comes_first(sources: KnowledgeBase) -> None:
    short = outline_of(sources, slides=3, focus="apprentices accidents")
    texts = " ".join(point.text for page in short.pages for point in page.points)
    assert len(short.pages) <= 3
    assert "apprentices" in texts


def test_nothing_to_say_is_told(tmp_path: Path) -> None:
    empty = tmp_path / "empty.md"
    empty.write_text("# A title\n")
    with pytest.raises(PlanError, match="too little"):
        outline_of(read_documents([empty]))
    empty.write_text("# A title\n\nThe harbour has one crane of steel.\n")
    assert len(outline_of(read_documents([empty])).pages) == 2
    with pytest.raises(ValueError, match="at least 3"):
        outline_of(read_documents([empty]), slides=2)


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


def test_the_items_of_a_numbered_list_have_their_numbers_and_all_sentences(tmp_path: Path) -> None:
    source = tmp_path / "valve.md"
    source.write_text(
        "# Valves\n\n## How to\n\n1. Open the valve. Turn it to the left.\n2. Wait for a minute.\n"
        "3. Close it again.\n\n## Why\n\nThe valve is old and can leak. The pump needs a rest.\n"
    )
    outline = outline_of(read_documents([source]), slides=6)
    page = next(page for page in outline.pages if page.title == "How to")
    assert [point.text for point in page.points] == [
        "1. Open the valve. Turn it to the left", "2. Wait for a minute", "3. Close it again",
    ]  # fmt: skip


def test_a_chinese_document_becomes_slides(tmp_path: Path) -> None:
    path = tmp_path / "zh.md"
    path.write_text(
        "# 新港口报告\n\n## 现状\n\n港口每年接待1200艘船只。码头面积为45公顷。\n\n"
        "## 计划\n\n总成本为1800万欧元。扩建后产能将提高30%。\n",
        encoding="utf-8",
    )
    outline = outline_of(read_documents([path]), language="zh")
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
    outline = outline_of(read_documents([path]))
    assert len([page for page in outline.pages if page.role == "body"]) > 2


MINUTES = """# Minutes of the board

## Present

A. Berg, C. Dahl

## The crane

The old crane broke down four times. C. Dahl showed three offers from makers in the region.

DECISION: The board buys a second crane.

DECISION: The old crane is sold.

ACTION: A. Berg asks the bank for a loan by 12 May.

ACTION: C. Dahl advertises the old crane by 1 June.
"""


def test_a_single_decision_is_no_table(tmp_path: Path) -> None:
    minutes = MINUTES.replace("DECISION: The old crane is sold.\n\n", "")
    titles = [page.title for page in outline_of(written(tmp_path, minutes), slides=8).pages]
    assert "Decisions" not in titles and "Actions" in titles


def test_minutes_begin_with_what_was_decided_and_who_does_what(tmp_path: Path) -> None:
    pages = outline_of(written(tmp_path, MINUTES), slides=8).pages
    assert [page.title for page in pages[1:3]] == ["Decisions", "Actions"]
    assert pages[1].header == ("Item", "What")
    assert ("The crane", "The board buys a second crane") in {
        point.cells for point in pages[1].points
    }


def test_questions_are_titles_or_headings_of_their_answers(tmp_path: Path) -> None:
    faq = "# FAQ\n\n" + "".join(
        f"## {question}\n\n{answer}\n\n"
        for question, answer in (
            ("What does a card cost?", "A card costs $12 a year. It is free for all under 26."),
            ("How long may I keep a book?", "You may keep it for 28 days and renew it twice."),
            ("Who may borrow films?", "All members of 16 years or more may borrow eight films."),
        )
    )
    outline = outline_of(written(tmp_path, faq), slides=8)
    named = [page.title for page in outline.pages] + [
        point.label or point.text for page in outline.pages for point in page.points
    ]
    for question in ("What does a card cost?", "Who may borrow films?"):
        assert any(question in name for name in named)


def test_what_has_no_room_is_named_by_section(tmp_path: Path) -> None:
    text = "# Report\n\n" + "".join(
        f"## Part {name}\n\n"
        + " ".join(f"The {name} crane moved {at}{number} boxes on day {number} of the year."
                   for number in range(12))
        + "\n\n"
        for at, name in enumerate(("red", "blue", "green", "grey", "black", "white"), start=1)
    )  # fmt: skip
    story = story_of(written(tmp_path, text), slides=4)
    coverage = story.coverage
    assert len(story.outline.pages) <= 4
    assert coverage.sentences == 72 and 0 < coverage.shown < 72
    assert sum(item.sentences - item.shown for item in coverage.sections) == 72 - coverage.shown
    assert any("no room" in line for line in coverage.lines())


def test_a_deck_that_cannot_say_all_begins_with_what_matters_most(sources: KnowledgeBase) -> None:
    long = (
        "# R\n\n"
        + "".join(
            f"## {name}\n\n"
            + " ".join(
                f"{name} number {at} of the {word} was counted by the {word} office in June."
                for at, word in enumerate(
                    ("red", "blue", "green", "grey", "black", "white", "pink", "brown")
                )
            )
            + "\n\n"
            for name in ("Ships", "Cranes", "Docks", "Locks", "Roads", "Rails")
        )
        + "## Recommendation\n\nThe council buys a second crane in 2027.\n"
    )
    path = Path(sources.documents[0].path).parent / "long.md"
    path.write_text(long)
    pages = outline_of(read_documents([path]), slides=6).pages
    assert pages[1].title == "In short"
    assert "The council buys a second crane in 2027" in [point.text for point in pages[1].points]
    short = outline_of(sources).pages[1]  # a page is left
    assert short.title == "In short" and 3 <= len(short.points) <= 5
    full = outline_of(sources, slides=len(outline_of(sources).pages) - 2).pages
    assert "In short" not in [page.title for page in full]


def test_few_sentences_give_few_slides_and_the_reason(tmp_path: Path) -> None:
    story = story_of(written(tmp_path, "# One\n\nThe harbour earned 61 million euros."), slides=15)
    assert len(story.outline.pages) == 2
    assert any(line.startswith("2 of 15 slides: ") for line in story.coverage.lines())


def test_words_that_lint_finds_faulty_are_not_shown_but_named(tmp_path: Path) -> None:
    text = (
        "# Report\n\n## Costs\n\nThe crane cost the the city 4.2 million euros last year. "
        "Maintenance takes 120,000 euros a year. The city pays half of all repairs.\n\n"
        "## Staff\n\nTwelve apprentices began in September. Nobody left in the whole year.\n"
    )
    story = story_of(written(tmp_path, text), slides=8)
    pages = story.outline.pages
    shown = " ".join([*(page.title for page in pages),
                      *(point.text for page in pages for point in page.points)])  # fmt: skip
    assert "the the" not in shown and "Maintenance takes 120,000 euros a year" in shown
    assert [item.flawed for item in story.coverage.sections] == [1, 0]
    assert any("lint finds errors in 1" in line for line in story.coverage.lines())


def test_a_report_with_many_headings_is_no_manual(tmp_path: Path) -> None:
    names = ["Executive summary", "Background", "Method", *(f"Findings: {n}" for n in range(9))]
    names += ["Conclusions", "Recommendations", *(f"Topic {n}" for n in range(12))]
    path = tmp_path / "flood.md"
    said = "\n\nThe district paid 61 households in May.\n\n"
    path.write_text("# Cash after the flood\n\n" + "".join(f"## {name}{said}" for name in names))
    assert document_kind(read_documents([path])) == "report"
