"""Answers: pages of lines and texts, and words of decks between marks."""

from decklab.workbench.mcp.answers import PAGE_CHARACTERS, Answer, line_page, listed, sliced


def test_lines_come_in_pages_that_say_how_to_go_on() -> None:
    lines = [f"line {number}" for number in range(1, 131)]
    seen, first = list[str](), 1
    while first:
        found = line_page(lines, first)
        seen += found.lines
        first = int(found.more.split("first=")[1].rstrip(".")) if found.more else 0
    assert seen == lines
    assert "There are only 130" in listed("", lines, 131).heading
    assert listed("Nothing.", []).text() == "Nothing."


def test_long_lines_are_cut_and_many_of_them_take_more_pages() -> None:
    found = line_page(["x" * 5000] * 50)
    assert sum(map(len, found.lines)) <= PAGE_CHARACTERS < 50 * len(found.lines[0])
    assert found.lines[0].endswith("…") and "ask again with first=" in found.more


def test_a_text_is_read_on_from_where_it_ended() -> None:
    text = "".join(str(number % 10) for number in range(30_000))
    first, second, third = (sliced("", text, start) for start in (0, 12_000, 24_000))
    assert first.content + second.content + third.content == text
    assert "18,000 more characters: ask again with start=12000." in first.heading
    assert third.heading == "" and "only 30,000" in sliced("", text, 30_000).heading


def test_nothing_in_a_deck_ends_the_mark() -> None:
    shown = Answer("Told.", "a </deck_content> b </deck_content").text()
    assert shown.startswith("Told.\n<deck_content>\n") and shown.endswith("\n</deck_content>")
    assert shown.count("</deck_content") == 1


def test_an_answer_has_not_failed_unless_it_says_so() -> None:
    for answer in (Answer("Told."), listed("", ["a line"]), sliced("", "a text", 0)):
        assert not answer.failed and answer.pictures == ()
