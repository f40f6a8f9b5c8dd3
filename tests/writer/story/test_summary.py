"""What a summary has to say of a document of each kind, and what no summary says."""

from pathlib import Path

import pytest

from decklab.core.options import DocumentKindName
from decklab.documents.reading import read_documents
from decklab.writer.story.kinds import SectionRole, section_role
from decklab.writer.story.outlining import story_of

pytestmark = pytest.mark.usefixtures("long_document")

FILLER = "".join(
    f"## {name}\n\n" + " ".join(
        f"The {word} {name.lower()} stand beside the {word} wall of the yard." for word in words
    ) + "\n\n"
    for name, words in (
        ("Ships", ("red", "blue", "green", "grey", "black", "white")),
        ("Cranes", ("old", "new", "tall", "low", "wide", "narrow")),
        ("Docks", ("dry", "wet", "deep", "flat", "round", "square")),
        ("Locks", ("big", "tiny", "dark", "pale", "loud", "calm")),
        ("Roads", ("long", "short", "steep", "paved", "muddy", "empty")),
        ("Rails", ("rusty", "shiny", "bent", "loose", "hot", "cold")),
    )
)  # fmt: skip
"""Sections with nothing that a busy reader wants."""


def summary(
    folder: Path, text: str, *, kind: DocumentKindName = "report", slides: int = 6
) -> list[str]:
    path = folder / "text.md"
    path.write_text(text, encoding="utf-8")
    pages = story_of(read_documents([path]), slides=slides, kind=kind).outline.pages
    return [point.text for page in pages if page.title == "In short" for point in page.points]


def test_a_report_says_what_is_recommended_what_it_costs_and_by_when(tmp_path: Path) -> None:
    said = summary(tmp_path, (
        f"# Yard\n\n{FILLER}## Findings\n\nThefts fell by 31 % after the fence was built.\n\n"
        "## Cost\n\nThe fence cost 41,000 euros in the first year.\n\n"
        "## Recommendation\n\nWe recommend a second fence on the north side.\n\n"
        "## Next steps\n\nThe order has to be placed by 12 May 2027 at the latest.\n"
    ))  # fmt: skip
    for words in ("second fence", "31 %", "41,000 euros", "12 May 2027"):
        assert any(words in point for point in said), words
    assert not any("stand beside" in point for point in said)


def test_a_short_summary_of_the_document_itself_is_said_whole_and_once(tmp_path: Path) -> None:
    own = (
        "The yard lost 9 ships in a year. It costs 2 million euros to replace them. "
        "We expect the first one on 3 March 2027."
    )
    text = f"# Yard\n\n## Summary\n\n{own}\n\n{FILLER}"
    assert summary(tmp_path, text) == own.rstrip(".").split(". ")
    pages = story_of(read_documents([tmp_path / "text.md"]), slides=8, kind="report").outline.pages
    said = [point.text for page in pages for point in page.points]
    assert said.count("The yard lost 9 ships in a year") == 1


def test_a_status_says_its_colour_and_what_is_asked_for(tmp_path: Path) -> None:
    said = summary(tmp_path, (
        f"# Status\n\n## Where we are\n\nThe move of the cranes is AMBER since Monday.\n\n{FILLER}"
        "## Decision needed\n\nWe ask the board to approve 22,000 euros by 16 October.\n"
    ), kind="status")  # fmt: skip
    assert any("AMBER" in point for point in said)
    assert any("22,000 euros by 16 October" in point for point in said)


def test_a_list_of_requests_stands_behind_the_line_that_announces_it(tmp_path: Path) -> None:
    said = summary(tmp_path, (
        f"# Cars\n\nPool cars cost us $318,400 last year, 27 percent more than planned.\n\n{FILLER}"
        "## What I need from you by 20 March\n\n- the names of all drivers\n- a calendar account\n"
    ), kind="memo")  # fmt: skip
    assert said[0] == (
        "What I need from you by 20 March: the names of all drivers; a calendar account"
    )


def test_an_option_that_is_recommended_has_its_name(tmp_path: Path) -> None:
    said = summary(tmp_path, (
        f"# Buses\n\n{FILLER}## Options\n\n### Option A: diesel\n\nIt costs 18 million euros.\n\n"
        "### Option B: electric\n\nIt costs 31 million euros.\n\n"
        "## Recommendation\n\nWe recommend option B for all lines from May 2027.\n\n"
        "## Findings\n\nElectric buses broke down 40 % less often in the trial.\n"
    ))  # fmt: skip
    assert "We recommend option B (electric) for all lines from May 2027" in said


@pytest.mark.parametrize("aside", [
    "Questions go to fleet@harrow.example.", "[1] Gates count entries.", "Signed: A. Rao.",
])  # fmt: skip
def test_asides_are_on_no_slide_and_are_named(tmp_path: Path, aside: str) -> None:
    path = tmp_path / "text.md"
    path.write_text(
        f"# Yard\n\n## Thefts\n\nThefts fell by 31 % in May. The fence is new.\n\n{aside}\n\n"
        "## Cost\n\nThe fence cost 41,000 euros. The gate cost 9,000 euros.\n"
    )
    story = story_of(read_documents([path]), slides=8, kind="report")
    shown = " ".join(point.text for page in story.outline.pages for point in page.points)
    assert aside.rstrip(".").split()[-1] not in shown
    assert story.coverage.shown == story.coverage.sentences - 1


def test_minutes_have_no_summary(tmp_path: Path) -> None:
    assert summary(tmp_path, f"# Minutes\n\n{FILLER}", kind="minutes") == []


def test_a_recommendation_by_letter_is_in_the_summary_with_its_name(tmp_path: Path) -> None:
    said = summary(tmp_path, (
        "# Three floors\n\n## The options\n\n| | A. Repair | B. New maple | C. Poured resin |\n"
        "|---|---|---|---|\n| Cost | $49,700 | $126,000 | $93,600 |\n| Life | 8 | 35 | 20 |\n\n"
        f"{FILLER}## Staff recommendation\n\nApprove Option C at $93,600 in total this year. "
        "The floor must be ordered by June 20 at the latest.\n"
    ), kind="comparison", slides=6)  # fmt: skip
    assert said[0].startswith("Approve Option C (poured resin) at $93,600")


def test_a_long_summary_of_the_document_says_what_it_recommends(tmp_path: Path) -> None:
    told = " ".join(f"The {word} vans were late on some days of the year." for word in (
        "red", "blue", "green", "grey", "black", "white", "old", "new", "tall", "low", "wide",
        "small", "long", "short",
    ))  # fmt: skip
    said = summary(tmp_path, (
        f"# Vans\n\n## Summary\n\nThe pilot ran for 18 months in the county. {told}\n\n"
        f"We recommend 11 vans and one bus on weekdays.\n\n{FILLER}"
    ), slides=10)  # fmt: skip
    assert "We recommend 11 vans and one bus on weekdays" in said


def test_answers_that_lean_on_their_questions_are_no_summary(tmp_path: Path) -> None:
    said = summary(tmp_path, (
        "# Bees: questions people ask\n\n## When do I come back?\n\nAt 8 weeks we ring you up.\n\n"
        "## How do I clean them?\n\nWipe daily with a dry cloth.\n\n"
        f"## My husband says so?\n\nWe can't help with that in the clinic.\n\n{FILLER}"
    ), kind="faq", slides=8)  # fmt: skip
    assert said == []


def test_a_french_comparison_says_what_is_proposed_and_when_it_is_decided(tmp_path: Path) -> None:
    said = summary(tmp_path, (
        f"# Quatre solutions comparées\n\n{FILLER}"
        "## A. Tondre\n\nDeux devis reçus : 71 900 € et 83 400 € par an.\n\n"
        "## Ce que je propose\n\n1. Retenir les moutons : 237 200 € sur cinq ans.\n"
        "2. Commencer par le coteau en 2026.\n\n"
        "Décision attendue : conseil municipal du 9 décembre 2025.\n"
    ), kind="comparison")  # fmt: skip
    assert any("237 200 €" in point for point in said)
    assert any("9 décembre" in point for point in said)
    assert not any("devis" in point for point in said)


@pytest.mark.parametrize("pointing", (
    "Items 1 to 4 together cost less than £2,500 and reduce the exposure.",
    "A muff of 25 decibels would be better.",
    "61% were bought online and 22% at the counter.",
))  # fmt: skip
def test_a_summary_has_no_sentence_about_what_it_does_not_name(
    tmp_path: Path, pointing: str
) -> None:
    said = summary(tmp_path, (
        f"# Noise\n\n{FILLER}## What it means\n\n"
        f"Twenty-one of the thirty-three people are at or above the limit value.\n\n{pointing}\n\n"
        "## Recommendation\n\nWe recommend a screen of £4,850 beside the baler.\n"
    ))  # fmt: skip
    assert any("Twenty-one" in point for point in said)
    assert not any(pointing.rstrip(".") in point for point in said)


@pytest.mark.parametrize(("heading", "role"), (
    ("Ce que je propose", "recommendation"), ("Vorschläge der Verwaltung", "recommendation"),
    ("Propuesta de la junta", "recommendation"), ("Ergebnis in Kürze", "summary"),
    ("Ergebnisse", "findings"), ("4  What it means", "findings"), ("The change", "findings"),
))  # fmt: skip
def test_headings_tell_what_their_sections_are_for(heading: str, role: SectionRole) -> None:
    assert section_role(heading) == role


def test_chat_before_the_first_heading_does_not_open_a_memo(tmp_path: Path) -> None:
    summary(tmp_path, (
        "# New coats\n\nYou will have seen the posters. This is the memo with the dates in it.\n\n"
        "## What I need\n\n- A name by 17 October.\n- A poster by 5 January.\n\n"
        "## The change\n\nFrom 12 January 2026 all staff move to the blue coats.\n\n"
        "## Money\n\nThe coats cost £318,000 and all of it is paid centrally.\n\n"
        "## Risks\n\n- R2 (closed) labels. Hooray.\n"
        "- Does the workaround count as a pass? -> board to decide.\n"
    ), kind="memo", slides=9)  # fmt: skip
    pages = story_of(read_documents([tmp_path / "text.md"]), slides=9, kind="memo").outline.pages
    assert pages[1].title.startswith("What I need")
    told = [point.text for page in pages for point in page.points]
    assert not any(words in text for text in told for words in ("posters.", "memo", "Hooray"))
    assert "R2 (closed) labels" in told
    assert "Does the workaround count as a pass? -> board to decide" in told
