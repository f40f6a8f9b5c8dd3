"""What pages tell of passages: nothing without what it leans on, announces or counts."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from decklab.documents.reading import read_documents
from decklab.writer.outline import Outline, OutlinePage
from decklab.writer.request import WriteOptions
from decklab.writer.story.outlining import Story, story_of
from decklab.writer.write import write_deck

pytestmark = pytest.mark.usefixtures("long_document")

SYLLABLES = ("ba", "do", "ki", "lu", "me", "no", "pa", "ri", "so", "tu")


def word(number: int) -> str:
    """A word that no other number gives."""
    return "".join(SYLLABLES[int(digit)] for digit in f"{number + 1000}")


def sentence(number: int) -> str:
    """A sentence that shares no noun with that of another number."""
    first, second, third = (word(3 * number + at) for at in range(3))
    return f"The {first} brought {second} to the {third} of the town"


FILLER = "".join(
    f"## Chapter {name}\n\n" + ". ".join(sentence(10 * at + of) for of in range(9)) + ".\n\n"
    for at, name in enumerate(("Ships", "Cranes", "Docks", "Locks", "Roads"))
)
"""Sections with more than a deck of a few slides can say."""


def story(folder: Path, text: str, slides: int = 8) -> Story:
    path = folder / "text.md"
    path.write_text(text, encoding="utf-8")
    return story_of(read_documents([path]), slides=slides)


def outline(folder: Path, text: str, slides: int = 8) -> Outline:
    return story(folder, text, slides).outline


def bodies(deck: Outline) -> Iterator[tuple[OutlinePage, list[str]]]:
    """The body pages with their titles and sentences; a point may say several."""
    for page in deck.pages:
        if page.role == "body":
            yield (
                page,
                [page.title, *(said for point in page.points for said in point.text.split(". "))],
            )


def test_a_list_is_told_whole_below_the_sentence_that_announces_it(tmp_path: Path) -> None:
    tiers = "- Tier 1: tested and released.\n- Tier 2: tested only.\n- Experimental: neither.\n"
    deck = outline(tmp_path, f"# T\n\n## Tiers\n\nThere are three tiers:\n\n{tiers}\n{FILLER}", 6)
    said = next(said for _, said in bodies(deck) if "There are three tiers:" in said)
    start = said.index("There are three tiers:")
    assert said[start + 1 : start + 4] == [
        "Tier 1: tested and released", "Tier 2: tested only", "Experimental: neither",
    ]  # fmt: skip


def test_the_count_of_items_is_no_number_to_look_up(tmp_path: Path) -> None:
    source = tmp_path / "cranes.md"
    items = "".join(
        f"- The {name} crane moves {name} boxes from big ships to the long {name} quay\n"
        for name in ("red", "blue", "green", "grey", "black", "white", "pink", "brown", "gold")
    )
    source.write_text(f"# Cranes\n\n## List\n\nThe cranes of the harbour are these:\n\n{items}")
    written = write_deck([source], tmp_path / "deck.pptx", options=WriteOptions(slides=8))
    assert written.unfounded == ()


def test_lists_keep_the_condition_under_which_they_hold(tmp_path: Path) -> None:
    text = (
        "# Build\n\n## Assembler\n\nFor use of AVX-512,\n\n- gas version 2.26 or higher\n\n"
        "For use of AVX2,\n\n- gas version 2.23 or higher\n- nasm version 2.10 or higher\n"
    )
    for page, said in bodies(outline(tmp_path, f"{text}\n{FILLER}", 8)):
        if "Gas version 2.26 or higher" in said:
            points = [(point.text, point.bare) for point in page.points]
            place = points.index(("Gas version 2.26 or higher", False))
            assert points[place - 1] == ("For use of AVX-512", True)
            return
    pytest.fail("the list has no place")


def test_a_list_of_names_stands_in_one_line(tmp_path: Path) -> None:
    text = "# F\n\n## Formats\n\nThese are read:\n\n- fasta\n- fastq\n- sam\n- bam\n"
    said = [text for _, texts in bodies(outline(tmp_path, f"{text}\n{FILLER}")) for text in texts]
    assert "These are read: Fasta, Fastq, Sam, Bam" in said


@pytest.mark.parametrize(
    "away",
    [
        "The final line of the example prints all of it to the screen.",
        "The board accepted recommendations 1 to 5 and 7 in full.",
        "A better model of the town is considered in the next section.",
    ],
)
def test_what_speaks_of_another_part_of_the_document_is_not_shown(
    tmp_path: Path, away: str
) -> None:
    more = " ".join(f"{sentence(200 + at)}." for at in range(3))
    text = f"# T\n\n## Port\n\n{more}\n\n{away}\n\n{FILLER}"
    said = [text for _, texts in bodies(outline(tmp_path, text)) for text in texts]
    assert f"{sentence(200)}" in said and away.rstrip(".") not in said


def test_an_option_by_its_number_is_understood_below_the_options(tmp_path: Path) -> None:
    text = (
        "# T\n\n## Charging\n\nThere are two options:\n\n1. Rent containers for $2,900\n"
        "2. Charge at night for $750\n\nWe recommend option 2.\n\n"
    )
    said = [text for _, texts in bodies(outline(tmp_path, text + FILLER)) for text in texts]
    assert {"Charge at night for $750", "We recommend option 2"} <= set(said)


def test_a_paragraph_behind_code_does_not_speak_of_it(tmp_path: Path) -> None:
    more = " ".join(f"{sentence(300 + at)}." for at in range(3))
    text = f"# T\n\n## Use\n\n{more}\n\n    lm(x ~ y)\n\nThe coefficient is weak.\n\n{FILLER}"
    said = [text for _, texts in bodies(outline(tmp_path, text)) for text in texts]
    assert sentence(300) in said and "The coefficient is weak" not in said


def test_steps_go_on_with_their_numbers(tmp_path: Path) -> None:
    steps = "".join(
        f"{at}. Turn the {word(at)} valve, wait for a while and write the pressure down. It takes "
        "four minutes, and the alarm may ring in the meantime.\n"
        for at in range(1, 8)
    )
    deck = outline(tmp_path, f"# How to start the boiler\n\n## Steps\n\n{steps}", 8)
    pages = [page for page in deck.pages if page.points and page.points[0].text[0].isdecimal()]
    numbers = [int(point.text.partition(".")[0]) for page in pages for point in page.points]
    assert len(pages) > 1 and numbers == [*range(1, 8)]
    assert pages[0].points[0].text.startswith(f"1. Turn the {word(1)} valve, wait for a while and")


def test_what_leans_on_a_sentence_is_shown_with_it(tmp_path: Path) -> None:
    names = ("crane", "quay", "lock", "ferry", "tower", "bridge", "market")
    sections = "".join(
        f"## Part {name}\n\n{sentence(at).replace('town', name)}. It holds {word(50 + at)} of the "
        f"{name}. This cut {word(70 + at)} for the {name} by half. "
        f"Repairs of {word(90 + at)} took the {name} four days in all. {sentence(100 + at)}.\n\n"
        for at, name in enumerate(names)
    )
    leaning = 0
    for page in outline(tmp_path, f"# Town\n\n{sections}", 9).pages:
        points = [item for point in page.points for item in point.evidence]
        quotes = {item.quote for item in (*page.evidence, *points)}
        for quote in quotes:
            if quote.startswith(("It holds", "This cut")):
                name = next(name for name in names if name in quote)
                assert any(f"of the {name}" in other and "brought" in other for other in quotes)
                leaning += 1
    assert leaning


def test_a_sentence_that_counts_is_shown_with_what_it_counts(tmp_path: Path) -> None:
    text = (
        "# R\n\n## Risks\n\nThree risks weigh on 2026. A wet summer costs the town 2.4 million. "
        "A higher interest costs 0.5 million. Dearer pipes cost 0.6 million.\n\n"
    )
    for _, said in bodies(outline(tmp_path, text + FILLER, 5)):
        if "Three risks weigh on 2026" in said:
            assert sum("cost" in text for text in said) == 3


@pytest.mark.parametrize("sentence", [
    "The eggs came from a flock that nobody knew; they were used raw, against the plan of the "
    "kitchen; and they were held two days at 11 °C",
    "The deed names three purposes: to conserve the forest in perpetuity; to give all residents "
    "free recreation; and to produce timber in a way that keeps the land whole",
])  # fmt: skip
def test_a_sentence_is_never_cut_at_a_semicolon(tmp_path: Path, sentence: str) -> None:
    told = f"# R\n\n## Why\n\nNobody saw it coming that day. {sentence}.\n\n{FILLER}"
    begun = [
        text
        for _, said in bodies(outline(tmp_path, told, 7)) for text in said
        if sentence[:40] in text
    ]  # fmt: skip
    assert begun and all(sentence in text for text in begun)


def test_a_command_stands_behind_the_sentence_that_announces_it(tmp_path: Path) -> None:
    text = (
        "# B\n\n## Tests\n\nTo verify the build:\n\n```\nmake test-only\n```\n\nIt takes an hour.\n"
    )
    texts = [text for _, said in bodies(outline(tmp_path, text)) for text in said]
    assert "To verify the build: make test-only" in texts


def test_a_question_in_the_minutes_has_its_answer(tmp_path: Path) -> None:
    text = "# Minutes\n\n## Present\n\nA. Berg, C. Dahl\n\n" + "".join(
        f"## {name}\n\nC. Dahl asked whether the {name} can wait. A. Berg said that the {name} is "
        f"due in May.\n\nDECISION: The town pays for the {name}.\n\n"
        for name in ("crane", "quay", "lock", "road", "bridge", "ferry", "tram", "tower", "gate",
                     "market", "fountain", "square", "theatre")
    )  # fmt: skip
    deck = outline(tmp_path, text, 8)
    decided = [row for page in deck.pages if page.title.startswith("Decisions")
               for row in page.points]  # fmt: skip
    assert ("crane", "The town pays for the crane") in {row.cells for row in decided}
    assert len(decided) == 13
    for _, said in bodies(deck):
        asked = [line for line in said if "asked whether" in line]
        answered = [line for line in said if "is due in May" in line]
        assert len(asked) <= len(answered)


def test_a_gathered_decision_keeps_what_belongs_to_it(tmp_path: Path) -> None:
    text = (
        "# Minutes\n\n## Present\n\nA. Berg, C. Dahl\n\n## Network\n\nBatteries last 214 days.\n\n"
        "Decision 1: The interval is 20 minutes. The threshold is set by C. Dahl next week.\n\n"
        "Decision 2: The lamps stay.\n"
    )
    page = next(p for p in outline(tmp_path, text).pages if p.title == "Decisions")
    assert ("Network", "The interval is 20 minutes. The threshold is set by C. Dahl next week") in {
        point.cells for point in page.points
    }


def test_the_contents_name_the_sections_that_have_pages(tmp_path: Path) -> None:
    names = [f"Part {letter}" for letter in "ABCDEFGHIJKL"]
    text = "# Report\n\n" + "".join(
        f"## {name}\n\n"
        + " ".join(f"The {word} {name} moved many boxes on day {at} of the year."
                   for at, word in enumerate(("red", "blue", "green", "grey", "black", "white")))
        + "\n\n"
        for name in names
    )  # fmt: skip
    deck = outline(tmp_path, text, 20)
    contents = next(page for page in deck.pages if page.role == "contents")
    told = {page.section for page in deck.pages} | {
        point.label for page in deck.pages for point in page.points
    }
    assert [point.text for point in contents.points] == [name for name in names if name in told]
    assert len(contents.points) > 8


def test_a_manual_shows_the_code_of_a_section(tmp_path: Path) -> None:
    code = 'store = Store("harbour")\nstore.add(ship)\nprint(store.list())'
    text = "# Harbour store: user manual\n\n" + "".join(
        f"## {name}\n\nThe {name.lower()} of the store keeps a list of the ships in the harbour. "
        f"Each {name.lower()} has a name, and is told by that in all of the other parts.\n\n"
        f"```\n{code.replace('harbour', name)}\n```\n\n"
        for name in ("Index", "Ledger", "Journal")
    )  # fmt: skip
    shown = {page.title: page.points[-1].cells for page in outline(tmp_path, text, 8).pages
             if page.form == "code"}  # fmt: skip
    assert shown["Ledger"] == tuple(code.replace("harbour", "Ledger").splitlines())


def test_commands_of_a_part_stand_beside_the_words_of_their_section(tmp_path: Path) -> None:
    crontab = (
        "0 */4 * * *       /usr/local/bin/snap hourly\n30 23 * * *       /usr/local/bin/snap daily"
    )
    retain = "retain    hourly  6\nretain    daily   7"
    text = (
        "# Snap: user manual\n\n## Installation\n\nThis guide assumes that you install the program "
        "for the first time, and that all the tools that it needs are on the system already.\n\n"
        "### In short\n\n```\n./configure --sysconfdir=/etc\nmake install\n```\n\nThat is all.\n\n"
        "## Automation\n\nThe snapshots are made by cron, which reads a table of times at which "
        f"each of them begins and of the command that makes it.\n\n```\n{crontab}\n```\n\n"
        "## Levels\n\nEach level of snapshots has a line of its own which says how many of that "
        f"level are kept before the oldest one is removed.\n\n```\n{retain}\n```\n\n"
    )
    shown = {page.section: page.points[-1].text for page in outline(tmp_path, text, 8).pages
             if page.form == "code"}  # fmt: skip
    assert shown["Installation"].splitlines()[-1] == "make install"
    assert (shown["Automation"], shown["Levels"]) == (crontab, retain)


def test_what_its_document_corrects_is_not_told(tmp_path: Path) -> None:
    text = (
        "# Report on the crane\n\n## Cost\n\nThe crane costs £3 for each day in the field in the "
        "first year, on a basis of all the days of five years as if they were one; the office says "
        "that the true cost is £18.\n\nIt was bought from a yard in the north of the country.\n"
    )
    told = [point.text for page in outline(tmp_path, text, 5).pages for point in page.points]
    assert not any("£3" in point and "£18" not in point for point in told)
