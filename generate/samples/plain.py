"""An honest plain deck: real placeholders, one table, one picture, no decoration, no data chart."""

import io
from pathlib import Path

from pptx.presentation import Presentation as Deck
from pptx.slide import Slide
from pptx.util import Pt

from generate.samples.filling import (
    add_slide,
    describe,
    fill_placeholder,
    link_text,
    place,
    set_footer,
    set_notes,
)
from generate.samples.office import BODY, LEFT, PICTURE, RIGHT, office_deck
from generate.samples.pictures import jpeg, mountain_ridges
from generate.samples.saving import save_deck

_FOOTER = "Ridge Trail Volunteers"

_WORK = (
    ("Month", "Work days", "Volunteers", "Trail cleared (km)"),
    ("April", "3", "21", "4.5"),
    ("May", "5", "38", "9.0"),
    ("June", "4", "33", "7.5"),
    ("September", "5", "41", "11.0"),
    ("October", "2", "17", "3.0"),
    ("Total", "19", "150", "35.0"),
)


def write_plain(path: Path) -> Path:
    """Write the review of a volunteer group's season, seven slides."""
    deck = office_deck()
    cover = add_slide(deck, "Title Slide", "Ridge Trail: 2025 season review")
    fill_placeholder(cover, 1, ["Annual members' meeting", "17 January 2026"])
    slides = (_glance, _work, _lessons, _storm, _plans, _help)
    for number, slide in enumerate((add(deck) for add in slides), start=2):
        set_footer(slide, number, _FOOTER)
    return save_deck(
        deck,
        path,
        title="Ridge Trail: 2025 season review",
        author="Ridge Trail Volunteers",
        subject="Members' meeting",
    )


def _glance(deck: Deck) -> Slide:
    slide = add_slide(deck, "Title and Content", "The season at a glance")
    fill_placeholder(slide, BODY, [
        "35 km of trail cleared on 19 work days",
        "62 volunteers came at least once, 14 of them new",
        "Two footbridges rebuilt",
        "\tAlder Brook: new deck and handrail",
        "\tQuarry Gully: moved 30 m upstream",
        "One setback: the storm of 9 August",
    ])  # fmt: skip
    set_notes(slide, "Thank the new members by name. The storm gets its own slide later.")
    return slide


def _work(deck: Deck) -> Slide:
    slide = add_slide(deck, "Title Only", "Work done by month")
    frame = slide.shapes.add_table(len(_WORK), len(_WORK[0]), *place((66, 150, 828, 300)))
    frame.name = "Work by month"
    describe(frame, "Work days, volunteers and kilometres cleared for each month of the season")
    table = frame.table
    table.last_row = True
    for column, width in enumerate((270, 162, 162, 234)):
        table.columns[column].width = Pt(width)
    for row, texts in enumerate(_WORK):
        for column, text in enumerate(texts):
            cell = table.cell(row, column)
            cell.text = text
            cell.text_frame.paragraphs[0].runs[0].font.size = Pt(18)
    return slide


def _lessons(deck: Deck) -> Slide:
    slide = add_slide(deck, "Two Content", "What went well, what was hard")
    fill_placeholder(slide, LEFT, [
        "Went well",
        "\tShared tool store with the forest office",
        "\tSaturday crews led by members",
        "\tNo injuries on any work day",
    ])  # fmt: skip
    fill_placeholder(slide, RIGHT, [
        "Was hard",
        "\tToo few people in October",
        "\tBrush cutter out of service for five weeks",
        "\tParking at the east trailhead",
    ])  # fmt: skip
    return slide


def _storm(deck: Deck) -> Slide:
    slide = add_slide(deck, "Picture with Caption", "The north ridge")
    fill_placeholder(slide, BODY, [
        "About 120 trees fell across the path on 9 August.",
        "The ridge was closed for six weeks and is open again except for the last kilometre.",
        "View from the lookout, looking west.",
    ])  # fmt: skip
    target = next(p for p in slide.placeholders if p.placeholder_format.idx == PICTURE)
    picture = target.insert_picture(io.BytesIO(jpeg(mountain_ridges())))
    picture.name = "View from the lookout"
    describe(picture, "Wooded ridges in morning haze, seen from the lookout")
    return slide


def _plans(deck: Deck) -> Slide:
    slide = add_slide(deck, "Title and Content", "Plans for 2026")
    fill_placeholder(slide, BODY, [
        "Reopen the last kilometre of the north ridge by June",
        "Replace signs at all twelve junctions",
        "Train four new crew leaders",
        "\tTwo first-aid weekends in March",
        "\tChainsaw certificate for two members",
        "Count walkers at the east trailhead for one year",
    ])  # fmt: skip
    return slide


def _help(deck: Deck) -> Slide:
    slide = add_slide(deck, "Title and Content", "How to help")
    body = fill_placeholder(slide, BODY, [
        "First work day: Saturday 11 April, 9:00, quarry car park",
        "Bring boots, gloves and lunch; tools are there",
        "Sign up on our page: ridgetrail.example.org",
    ])  # fmt: skip
    link_text(body, 2, "https://ridgetrail.example.org/")
    set_notes(slide, "Pass the paper list round as well.")
    return slide
