"""One content in many markups gives one deck, however headings, lists and tables are written."""

import textwrap
from collections.abc import Callable, Iterator
from html import escape
from itertools import chain
from pathlib import Path
from typing import Any, Final

import docx
import pytest
from docx.shared import Pt

from decklab.documents.reading import read_documents
from decklab.writer.story.outlining import story_of

TITLE: Final = "Moving the seed bank to Halden: state of play"
HEAD: Final = ("Report to the trustees, 12 November 2025", "From: Maria Lund, project lead")
Rows = list[list[str]]
SECTIONS: Final[dict[str, list[tuple[str, Any]]]] = {
    "Where we stand": [
        ("text", "The new store in Halden is finished and cold since 3 November. Of 41,200 samples "
                 "26,900 are there, which is 65 % and four weeks ahead of plan."),
        ("text", "One van broke down on 21 October. No sample was lost, because the spare van was "
                 "loaded within two hours."),
    ],
    "Costs so far": [
        ("text", "We have spent £612,000 of £840,000."),
        ("table", [["Item", "Budget", "Spent"], ["Building", "£430,000", "£402,000"],
                   ["Transport", "£210,000", "£118,000"],
                   ["Staff and training", "£200,000", "£92,000"]]),
    ],
    "What worries us": [
        ("list", ["The alarm line to Oslo fails about once a week.",
                  "Two of five technicians leave in January.",
                  "The insurer wants a second generator by 31 March."]),
    ],
    "How the samples are moved": [
        ("steps", ["Weigh the box and print its label.",
                   "Pack it in dry ice for at most nine hours.",
                   "Drive it to Halden with a logger in each crate.",
                   "Check ten samples of each crate before storing it."]),
    ],
    "Decisions we need": [
        ("list", ["Approve £38,000 for the generator by 15 December.",
                  "Extend both technicians' contracts to June.",
                  "Open the store to visitors from May 2026."]),
    ],
}  # fmt: skip
HEADINGS: Final[dict[str, str]] = {
    "atx": "## {}\n\n", "setext": "{}\n{rule}\n\n", "stressed": "**{}**\n\n", "star": "*{}*\n\n",
    "star tight": "*{}*\n", "capitals": "{upper}\n\n", "capitals tight": "{upper}\n",
    "numbered": "{number}. {}\n\n", "numbered tight": "{number}. {}\n", "colon": "{}:\n\n",
    "bare": "\n{}\n\n",
}  # fmt: skip
TITLES: Final = {"atx": f"# {TITLE}", "setext": f"{TITLE}\n{'=' * len(TITLE)}",
                 "stressed": f"**{TITLE}**", "capitals": TITLE.upper(),
                 "capitals tight": TITLE.upper()}  # fmt: skip


def plain(
    heading: str, *, mark: str = "- ", number: str = "{}. ", table: str = "spaces", width: int = 72,
    letterhead: str = "",
) -> str:  # fmt: skip
    """The content as a plain text or Markdown."""
    gap = "\n\n" if heading in ("atx", "setext", "stressed") else "\n"
    parts = [f"{letterhead}{TITLES.get(heading, TITLE)}\n\n{gap.join(HEAD)}\n\n"]
    for at, (name, blocks) in enumerate(SECTIONS.items(), start=1):
        rule, upper = "-" * len(name), name.upper()
        parts.append(HEADINGS[heading].format(name, rule=rule, upper=upper, number=at))
        for kind, content in blocks:
            if kind == "text":
                lines = textwrap.wrap(content, width) if width else [content]
            elif kind == "table":
                lines = list(plain_rows(content, table))
            else:
                marks = [(mark if kind == "list" else number).format(place)
                         for place in range(1, len(content) + 1)]  # fmt: skip
                lines = [f"{own}{item}" for own, item in zip(marks, content, strict=True)]
            parts.append("\n".join(lines) + "\n\n")
    return "".join(parts)


def plain_rows(rows: Rows, form: str) -> Iterator[str]:
    """A table between bars, with tabs, or in columns of spaces."""
    for number, row in enumerate(rows):
        if form == "bars":
            yield f"| {' | '.join(row)} |"
            yield from ["|---|---|---|"] if number == 0 else []
        elif form == "tabs":
            yield "\t".join(row)
        else:
            yield "".join(cell.ljust(22) for cell in row).rstrip()


def page(*, heading: str = "<h2>{}</h2>", lists: str = "") -> str:
    """The content as HTML; lists typed with breaks behind ``lists``."""
    parts = [f"<h1>{escape(TITLE)}</h1>", f"<p>{'<br>'.join(HEAD)}</p>"]
    for name, blocks in SECTIONS.items():
        parts.append(heading.format(escape(name)))
        for kind, content in blocks:
            if kind == "text":
                parts.append(f"<p>{escape(content)}</p>")
            elif kind == "table":
                rows = ("".join(f"<td>{cell}</td>" for cell in row) for row in content)
                parts.append(f"<table>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>")
            elif lists:
                marks = (lists if kind == "list" else f"{at}." for at in range(1, 9))
                typed = (
                    f"{mark} {escape(item)}" for mark, item in zip(marks, content, strict=False)
                )
                parts.append(f"<p>{'<br>'.join(typed)}</p>")
            else:
                tag = "ul" if kind == "list" else "ol"
                items = "".join(f"<li>{escape(item)}</li>" for item in content)
                parts.append(f"<{tag}>{items}</{tag}>")
    return f"<html><body>{''.join(parts)}</body></html>"


def mail(heading: str) -> str:
    """The content as an e-mail."""
    body = plain(heading).split("\n\n", 2)[2]
    return (
        f"From: Maria Lund <m@seed.example>\nDate: Wed, 12 Nov 2025 09:00:00 +0000\n"
        f"Subject: {TITLE}\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n\n{body}"
    )


def word(path: Path, look: str, *, typed: bool = False) -> None:
    """Write the content as a Word document; its headings have a style or stand out by ``look``."""
    made = docx.Document()

    def heading(text: str, size: int, level: int) -> None:
        if look == "style":
            made.add_heading(text, level)
            return
        run = made.add_paragraph().add_run(text.upper() if look == "capitals" else text)
        run.bold, run.underline = look == "bold", look == "underline"
        if look == "size" or level == 0:
            run.font.size = Pt(size)

    heading(TITLE, 18, 0)
    for line in HEAD:
        made.add_paragraph(line)
    for name, blocks in SECTIONS.items():
        heading(name, 15, 1)
        for kind, content in blocks:
            if kind == "text":
                made.add_paragraph(content)
            elif kind == "table" and typed:
                for row in content:
                    made.add_paragraph("\t".join(row))
            elif kind == "table":
                table = made.add_table(rows=0, cols=3)
                for row in content:
                    for cell, text in zip(table.add_row().cells, row, strict=True):
                        cell.text = text
            else:
                marks = ("•\t" if kind == "list" else f"{at}.\t" for at in range(1, 9))
                style = None if typed else "List Bullet" if kind == "list" else "List Number"
                for mark, item in zip(marks, content, strict=False):
                    made.add_paragraph(f"{mark if typed else ''}{item}", style=style)
    made.save(str(path))


LETTERHEAD: Final = "NORDIC SEED TRUST\nPO Box 12, 1751 Halden, Tel. 69 00 00 00\n\n"
TEXTS: Final[dict[str, Callable[[], str]]] = (
    {
        "atx.md": lambda: plain("atx", table="bars"),
        "setext.md": lambda: plain("setext", table="bars"),
        "stressed.md": lambda: plain("stressed", table="bars"),
        "markdown.txt": lambda: plain("atx", mark="* ", number="{}) ", table="bars"),
        "letterhead.txt": lambda: plain("capitals", letterhead=LETTERHEAD),
        "bars.txt": lambda: plain("bare", table="bars"),
        "tabs.txt": lambda: plain("capitals", table="tabs"),
        "dots.txt": lambda: plain("capitals", mark="• ", number="({}) "),
        "rings.txt": lambda: plain("capitals", mark="o "),
        "indented.txt": lambda: plain("numbered", mark="  - ", number="  {}. "),
        "page.html": page,
        "bold.html": lambda: page(heading="<p><b>{}</b></p>"),
        "breaks.html": lambda: page(lists="•"),
    }
    | {f"{name}.txt": (lambda name=name: plain(name)) for name in HEADINGS if name not in TITLES}
    | {
        f"{name} unwrapped.txt": (lambda name=name: plain(name, width=0))
        for name in ("capitals", "capitals tight", "numbered tight", "colon", "bare")
    }
    | {f"{name}.eml": (lambda name=name: mail(name)) for name in ("star", "bare", "colon")}
)
WORDS: Final = {"style": False, "bold": True, "underline": False, "capitals": False, "size": True}


def told(path: Path) -> list[str]:
    """Titles, forms, points and tables of the deck of a document, in small letters."""
    sources = read_documents([path])
    outline = story_of(sources, slides=8, kind="report").outline
    lines = [outline.title]
    for made in outline.pages[1:]:
        lines += [f"{made.title} ({made.form})", *(f"{p.level} {p.text}" for p in made.points)]
        tables = [sources.tables[made.visual.number - 1].rows] if made.visual else []
        lines += map(str, chain.from_iterable(tables))
    return [line.casefold() for line in lines]


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    path = tmp_path_factory.mktemp("content") / "content.md"
    path.write_text(plain("atx", table="bars", width=0), encoding="utf-8")
    lines = told(path)
    assert lines[0] == TITLE.casefold() and len(lines) > 20
    return lines


@pytest.mark.parametrize("name", TEXTS)
def test_a_text_is_the_same_deck_in_any_markup(
    tmp_path: Path, name: str, expected: list[str]
) -> None:
    (tmp_path / name).write_text(TEXTS[name](), encoding="utf-8")
    assert told(tmp_path / name) == expected


@pytest.mark.parametrize("look", WORDS)
def test_a_word_document_is_the_same_deck_however_its_headings_stand_out(
    tmp_path: Path, look: str, expected: list[str]
) -> None:
    word(tmp_path / "content.docx", look, typed=WORDS[look])
    assert told(tmp_path / "content.docx") == expected
