"""Titles and summaries of whole decks, held against the slides and the documents they are from."""

import re
from pathlib import Path

import pytest

from decklab.board.blueprint import DeckPlan
from decklab.documents.knowledge import KnowledgeBase
from decklab.documents.reading import read_documents
from decklab.writer.outline import Outline
from decklab.writer.slides import deck_plan
from decklab.writer.story.outlining import story_of
from decklab.writer.story.titles import claim_text, deck_subtitle, deck_title

REPORT = """# Water in Harrow Valley: Report 2025

## Summary

Harrow Valley Water was founded in 1911 and serves six municipalities in the north of the county.
Losses from the network fell from 17.8 to 14.2 % in one year. The board asks the six municipalities
to approve $86 million for a second main by 31 March 2026. The year closed with a surplus of
$3.9 million.

## Complaints

We received 1,984 complaints, of which 1,877 were settled within ten working days. Complaints that
were not settled went to the ombudsman. The telephone was answered after 48 seconds on average.

Table 1: Complaints by subject

| Subject | 2024 | 2025 |
|---|---|---|
| Bills and meters | 1,240 | 871 |
| Pressure | 402 | 366 |
| Taste and smell | 275 | 214 |
| Other | 310 | 192 |

## The network

Mains of cast iron break four times as often as mains of plastic. Cast iron was laid until 1962 and
lies under the oldest streets. Plastic has been used since 1974. Crews renewed 31.4 kilometres of
mains, or 1.46 % of the network. Sand from the old quarry was used for all trenches.

## Chapel Street

The mains under Chapel Street could not be renewed in the year of this report or in the next, since
the tramway was extended there first. Residents of Chapel Street complained twice. Work in Chapel
Street begins in May.

## Crews

Crews of the network should be trained so that they do not close a valve just because a meter shows
less pressure than before. Crews work at night. Crews carry two meters each.

## Budget

| Item | Budget | Spent |
|---|---|---|
| Mains | 1,900 | 1,420 |
| Plants | 1,650 | 610 |
| Reserve | 450 | 330 |

## Recommendation

Build the second main before the dry season of 2027. It takes four years. Prices rise by 2 % a year
until then. The county pays a third of the cost.

## The network

Each of the twelve crews has a van of its own. Two vans are electric. Leaks are found at night.
"""
MINUTES = """# Minutes of the board

## Present

A. Berg, C. Dahl

## Parking

The car park is full by eight. C. Dahl showed three offers. Staff with night shifts come by car.

DECISION: A fee of $20 a month is charged from 1 January.

ACTION: A. Berg and C. Dahl propose by 8 December how the fee is paid and who need not pay it.

## The crane

The old crane broke down four times. A new one costs $4.2 million. The makers need a year for it.

DECISION: The board buys a second crane.

ACTION: A. Berg asks the bank for a loan by 12 May.

ACTION: C. Dahl asks the three makers for prices of cranes with and without a cabin by 30 June.

## The roof

Rain comes in above the east stair. The roofer has looked at it twice and found nothing so far.

DECISION: The roof above the east stair is renewed before the winter for at most $60,000 in all.

ACTION: P. Novak asks two more roofers for an offer and reports on both at the next meeting.
"""
FAQ = """# Pension plan: frequently asked questions

## Who can join?

Everybody who has worked here for three months. You join on the first day of a month.

## How long may I keep things?

You cannot renew what somebody else has reserved.

| Item | Loan | Renewals |
|---|---|---|
| Books | 28 days | 3 |
| Magazines | 14 days | 1 |
| Films | 7 days | 1 |
| Instruments | 56 days | none |

## Can I take cash?

You can take a quarter free of tax. The rest is paid as a pension every month.
"""
GERMAN = """# Vermerk: Mobile Arbeit

## Vorschlag

Wir schlagen vor, ab 1. März 2027 bis zu drei Tage mobile Arbeit je Woche zuzulassen. Die Regelung
gilt für alle Abteilungen. Sie wird nach zwei Jahren überprüft.

## Kosten

Die Miete sinkt um 410.000 Euro im Jahr. Der Umbau kostet einmalig 995.000 Euro. Die Regelung trägt
sich damit nach drei Jahren. Für Laptops werden keine weiteren Mittel gebraucht.

## Bedenken

Der Personalrat befürchtet, dass der Austausch im Referat leidet. In der Befragung nannten 41 %
fehlende Gespräche als größten Nachteil. Feste Anwesenheitstage sollen dem begegnen.
"""
DOCUMENTS = {"report": REPORT, "minutes": MINUTES, "faq": FAQ, "vermerk": GERMAN}
OPEN = re.compile(
    r"\b(?:of|to|in|on|at|by|for|from|with|as|and|or|but|than|that|which|who|the|an?|is|are|was"
    r"|were|be|has|have|had|just|only|even|not|very|propose|proposes|needs?|um|von|mit|und|oder"
    r"|der|die|das|für|ist|sind|ab|bis)\W*\Z",
    re.IGNORECASE,
)
"""Words that leave the end of a title open; written for these documents."""


def read(folder: Path, name: str) -> KnowledgeBase:
    path = folder / f"{name}.md"
    path.write_text(DOCUMENTS[name], encoding="utf-8")
    return read_documents([path])


def made(sources: KnowledgeBase, slides: int, folder: Path) -> tuple[Outline, DeckPlan]:
    language = "de" if sources.documents[0].name.startswith("vermerk") else "en"
    outline = story_of(sources, slides=slides, language=language).outline
    return outline, deck_plan(outline, sources, folder)


@pytest.mark.parametrize("name", DOCUMENTS)
@pytest.mark.parametrize("slides", [5, 8, 15, 25])
def test_a_title_is_whole_and_says_what_its_page_does_not_say_again(
    name: str, slides: int, tmp_path: Path
) -> None:
    outline, plan = made(read(tmp_path, name), slides, tmp_path)
    titles = [slide.title for slide in plan.slides]
    assert len({title.casefold() for title in titles}) == len(titles)
    for slide in plan.slides[1:]:
        assert not OPEN.search(slide.title), slide.title
        assert not slide.title.endswith(("…", ":", ","))
        others = [text.casefold() for text in slide.texts[1:]]
        assert slide.title.casefold() not in others
        assert not any(
            text.startswith(slide.title.casefold()) for text in others if len(slide.title) > 24
        )
    for page in outline.pages:
        assert page.topic.casefold() != page.title.casefold()


@pytest.mark.parametrize("name", DOCUMENTS)
@pytest.mark.parametrize("slides", [5, 8, 15, 25])
def test_the_numbers_of_a_title_stand_on_its_slide_or_in_its_notes(
    name: str, slides: int, tmp_path: Path
) -> None:
    for slide in made(read(tmp_path, name), slides, tmp_path)[1].slides[1:]:
        cells = [cell for row in slide.table.rows for cell in row] if slide.table else []
        cells += list(slide.table.header) if slide.table else []
        chart = slide.chart
        drawn = [*chart.categories, *(series.name for series in chart.series)] if chart else []
        values = [f"{value:,g}" for series in chart.series for value in series.values
                  if value is not None] if chart else []  # fmt: skip
        told = " ".join((*slide.texts[1:], *cells, *drawn, *values, slide.notes))
        for number in re.findall(r"\d(?:[\d.,]*\d)?", re.sub(r" \(\d+\)\Z", "", slide.title)):
            assert number in told, (slide.title, number)


@pytest.mark.usefixtures("long_document")
def test_titles_are_claims_of_tables_and_sections(tmp_path: Path) -> None:
    titles = [page.title for page in made(read(tmp_path, "report"), 15, tmp_path)[0].pages]
    assert "Complaints about bills and meters fell 30 % from 2024 to 2025" in titles
    assert "59 % of the budget is spent (2,360 of 4,000)" in titles
    assert "Mains of cast iron break four times as often as mains of plastic" in titles
    assert not any("valve" in title for title in titles)


def test_a_question_is_the_title_also_of_a_table(tmp_path: Path) -> None:
    outline, plan = made(read(tmp_path, "faq"), 8, tmp_path)
    questions = {"Who can join?", "How long may I keep things?", "Can I take cash?"}
    assert questions <= {page.title for page in outline.pages}
    tabled = next(slide for slide in plan.slides if slide.table or slide.chart)
    assert tabled.title == "How long may I keep things?"


@pytest.mark.usefixtures("long_document")
def test_a_summary_has_what_is_asked_for_and_the_result_and_not_the_setting(tmp_path: Path) -> None:
    outline = made(read(tmp_path, "report"), 8, tmp_path)[0]
    summary = next(page for page in outline.pages if page.title == "In short")
    said = [point.text for point in summary.points]
    assert any("asks the six municipalities to approve $86 million" in text for text in said)
    assert any(text.startswith("Losses from the network fell") for text in said)
    assert sum(len(text.split()) for text in said) <= 74


@pytest.mark.usefixtures("long_document")
def test_a_comparison_says_first_what_is_recommended(tmp_path: Path) -> None:
    path = tmp_path / "which.md"
    path.write_text(
        "# Which scanner to buy\n\n## In brief\n\nThe registry has two old scanners. "
        "The Canto costs $400 less than the Arden. We recommend the Arden for both desks. "
        "A decision is needed by 15 January.\n\n## Options\n\nThe Arden reads 60 pages a minute. "
        "The Canto pulled two sheets at once in 31 of 400 tries.\n"
    )
    outline = story_of(read_documents([path]), slides=8, kind="comparison").outline
    summary = next(page for page in outline.pages if page.title == "In short")
    assert summary.points[0].text == "We recommend the Arden for both desks"
    assert summary.points[1].text == "A decision is needed by 15 January"


@pytest.mark.parametrize(
    ("sentence", "title"),
    [
        ("Packages should be written so that they do not break just because their pending "
         "triggers have not yet been run by the program that has them", ""),
        ("K. Osei and Dr. Lund propose", ""),
        ("Questions: ext. 4410, or come to our open hour on Tuesdays from 14 to 15 h", ""),
        ("In that case these houses pay more than others", ""),
        ("The programme is AMBER", "The programme is AMBER"),
        ("Der Personalrat befürchtet, dass der Austausch im Referat leidet",
         "Der Personalrat befürchtet, dass der Austausch im Referat leidet"),
        ("La tasa sube", ""),
        ("", ""),
    ],
)  # fmt: skip
def test_what_is_cut_or_leans_on_others_is_no_title(sentence: str, title: str) -> None:
    assert claim_text(sentence) == title


def test_a_whole_sentence_needs_no_verb_that_is_known() -> None:
    sentence = "The cooperative spends $842,000 a year on gas"
    assert claim_text(sentence) == "" and claim_text(sentence, sentence=True) == sentence


def test_a_title_of_a_document_that_breaks_off_ends_at_its_colon(tmp_path: Path) -> None:
    path = tmp_path / "yeast.md"
    path.write_text("# Cold storage of yeast: a report on\n\nYeast of 2021 still works well.\n")
    assert deck_title(read_documents([path])) == "Cold storage of yeast"


def test_a_memo_is_named_by_its_subject_and_its_head_hides_nothing(tmp_path: Path) -> None:
    path = tmp_path / "memo.md"
    path.write_text(
        "# MEMO\n\nTO: all managers\n\nFROM: Dora Klein\n\nDATE: 16 June 2025\n\n"
        "RE: Recall of the building set\n\n## What has happened\n\n"
        "A magnet came out of its shell in four of 23 cases.\n\n## What we have decided\n\n"
        "The management recalls all lots made with the new tool.\n"
    )
    story = story_of(read_documents([path]), slides=8)
    titles = [page.title for page in story.outline.pages]
    assert titles[0] == "Recall of the building set"
    said = " ".join(point.text for page in story.outline.pages for point in page.points)
    assert "magnet came out" in f"{said} {titles}" and "recalls all lots" in f"{said} {titles}"


def test_a_memo_under_a_letter_head_is_named_by_its_subject(tmp_path: Path) -> None:
    path = tmp_path / "memo.md"
    path.write_text(
        "# Elm & Oak Surveys Ltd\n\nTO: all\n\nFROM: Dora Klein\n\nDATE: 16 June 2025\n\n"
        "SUBJECT: Fuel cards from December\n\nWe spent too much on fuel in the last year.\n"
    )
    assert deck_title(read_documents([path])) == "Fuel cards from December"


def _titles(folder: Path, text: str, name: str = "text.md", slides: int = 8) -> list[str]:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return [page.title for page in story_of(read_documents([path]), slides=slides).outline.pages]


_NESTS = (
    "| Species | 2009 | 2024 |\n|---|---|---|\n| Guillemot | 11420 | 10944 |\n"
    "| Razorbill | 1980 | 2241 |\n| Gannet | 5230 | 6190 |\n"
)


@pytest.mark.parametrize(("sentence", "stands"), [
    ("The boats have now lost 55 % of their guests since the old pier was closed.", False),
    ("Razorbill nests rose to 2241, and the gannet rose to 6190 nests as well.", True),
])  # fmt: skip
def test_a_sentence_stands_over_a_table_only_if_it_names_what_that_shows(
    tmp_path: Path, sentence: str, stands: bool
) -> None:
    more = "The weather was dry on all the days. The crew had three people and a dog on board."
    titles = _titles(tmp_path, f"# Birds\n\n## Results\n\n{sentence} {more}\n\n{_NESTS}")
    assert (sentence.rstrip(".") in titles) is stands


def test_a_request_is_no_title_over_what_happened_before(tmp_path: Path) -> None:
    text = (
        "# A new floor\n\nWater came in through the roof in January. About 190 square feet are "
        "wet now. The insurance offered $58,300 in March. Staff recommends the poured resin.\n\n"
        "## Use\n\nThe hall was booked for 1,460 hours. Sports had 18 % of them in the year.\n"
    )
    assert "Staff recommends the poured resin" not in _titles(tmp_path, text)


def test_a_sheet_is_called_what_stands_above_its_table(tmp_path: Path) -> None:
    rows = "".join(f"Hall {at},{100 + 7 * at},{at * 31}\n" for at in range(9))
    above = '"Elm College - power by building, 2024",,\nSource: meters,,\n,,\n'
    text = f"{above}Building,kWh,Cost\n{rows}"
    assert _titles(tmp_path, text, "p.csv")[0] == "Elm College - power by building, 2024"


def test_minutes_are_called_what_stands_above_their_first_item(tmp_path: Path) -> None:
    text = (
        "Procès-verbal de l'assemblée du 12 juin 2024\n\n## Résolution n° 1 - Bureau\n\n"
        "Mme Garnier est élue présidente de la séance à l'unanimité.\n\n"
        "## Résolution n° 2 - Comptes\n\nLes dépenses s'élèvent à 148 930 € pour l'année.\n"
    )
    assert _titles(tmp_path, text)[0] == "Procès-verbal de l'assemblée du 12 juin 2024"


def test_a_deck_is_not_called_after_its_summary_or_the_club(tmp_path: Path) -> None:
    notes = (
        "game text status -- week of nov 10\n(paste into the channel; mail to all. Anna Bo)\n\n"
        "TL;DR\n"
    )
    told = "".join(f"- language {at} is {90 + at} percent done and has {at} faults\n"
                   for at in range(1, 4))  # fmt: skip
    more = (
        "\nMONEY\n  The text cost 188 thousand euros of 214 thousand, which is what we planned.\n"
    )
    assert _titles(tmp_path, f"{notes}{told}{more}", "a.txt")[0] == (
        "Game text status -- week of nov 10"
    )
    minutes = (
        "# ELM SAILING CLUB\n\nMinutes of the meeting held on 7 October 2025 in the hall at 7.30pm"
        "\n\nPresent: A. Bo, C. Dahl\n\n4. Boats. The engine failed twice in May and must go.\n\n"
        "5. Training. We have four teachers and need six of them soon.\n\n"
        "6. Week. The children asked for more games and fewer talks.\n"
    )
    titles = _titles(tmp_path, minutes)
    assert titles[0] == "Minutes of the meeting held on 7 October 2025"
    assert any("Boats" in title for title in titles[1:])


def test_a_table_without_a_name_for_its_rows_lends_no_title(tmp_path: Path) -> None:
    rows = "".join(f"| {at} | Clean hall {at} and its roof | Facilities | Open |\n"
                   for at in range(1, 8))  # fmt: skip
    text = f"# Repairs\n\n## Actions\n\n| # | Action | Owner | Status |\n|---|---|---|---|\n{rows}"
    assert not any("Owner" in title for title in _titles(tmp_path, text))


@pytest.mark.parametrize(
    ("text", "title"),
    [
        (
            "Larkhill Homes\n\nLone working policy and procedure\n\nFor all who work for us\n\n"
            "# 1 The policy on one page\n\nAbout 260 of our 412 people work alone.\n\n"
            "# 2 Scope\n\nLone working means working where no colleague can see you.\n",
            "Lone working policy and procedure",
        ),
        (
            "# E. R. HALLAM & DAUGHTER\n\nOrgan builders, The Old Maltings, 4 Wharf Lane\n\n"
            "## Report on the condition of the organ\n\nThank you for asking us to look at it.\n",
            "Report on the condition of the organ",
        ),
        (
            "ASHDALE HALF MARATHON\n\n# Event Management Plan\n\nSunday 12 October\n\n"
            "## Marshals\n\nWe need 186 marshals and have 164.\n",
            "Ashdale Half Marathon: Event Management Plan",
        ),
    ],
)  # fmt: skip
def test_a_deck_is_called_what_its_document_is_about(tmp_path: Path, text: str, title: str) -> None:
    path = tmp_path / "file.md"
    path.write_text(text, encoding="utf-8")
    assert deck_title(read_documents([path])) == title


def test_the_line_below_a_title_is_no_address_and_ends_whole(tmp_path: Path) -> None:
    path = tmp_path / "file.md"
    path.write_text(
        "Unit 4, Sedge Lane, Ambleford\n\n# Waiting at the door\n\n"
        "Independent review of ambulance delays, January to\n\nDecember 2024\n\n"
        "## Harm\n\nSixty patients came to harm.\n", encoding="utf-8",
    )  # fmt: skip
    sources = read_documents([path])
    assert deck_subtitle(sources, deck_title(sources)) == (
        "Independent review of ambulance delays, January to December 2024"
    )
