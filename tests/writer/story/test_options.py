"""Options, phases and named items as one unit, and lines that name what follows them."""

from pathlib import Path

import pytest

from decklab.documents.reading import read_documents
from decklab.writer.outline import OutlinePage
from decklab.writer.story.options import with_names
from decklab.writer.story.outlining import story_of

pytestmark = pytest.mark.usefixtures("long_document")

WORDS = ("red", "blue", "green", "grey", "black", "white")
FILLER = "".join(
    f"## Chapter {name}\n\n" + " ".join(
        f"The {word} {name.lower()} stand beside the {word} wall of the yard." for word in WORDS
    ) + "\n\n"
    for name in ("Ships", "Cranes", "Docks", "Locks")
)  # fmt: skip


def pages(folder: Path, text: str, slides: int = 6, name: str = "text.md") -> list[OutlinePage]:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return list(story_of(read_documents([path]), slides=slides).outline.pages)


@pytest.mark.parametrize("text", [
    "### Option A: diesel\n\nIt is cheap to buy.\n\n### Option B: electric\n\nIt is cheap to run.\n"
    "\n### Option C: hydrogen\n\nThe next station is 38 km away.\n\n",
    "**Option A: diesel.** It is cheap to buy.\n\n**Option B: electric.** It is cheap to run.\n\n"
    "**Option C: hydrogen.** The next station is 38 km away.\n\n",
    "- Option A: diesel. It is cheap to buy.\n- Option B: electric. It is cheap to run.\n"
    "- Option C: hydrogen. The next station is 38 km away.\n\n",
])  # fmt: skip
@pytest.mark.parametrize("slides", [5, 8])
def test_options_are_shown_all_or_not_at_all(tmp_path: Path, text: str, slides: int) -> None:
    shown = pages(tmp_path, f"# T\n\n## Options\n\n{text}{FILLER}", slides)
    told = [page for page in shown if any("Option" in point.label for point in page.points)]
    said = " ".join(f"{page.title} {point.text}" for page in shown for point in page.points)
    assert told or (slides == 5 and "Option" not in said)
    if not told:
        return
    (page,) = told
    assert [point.label for point in page.points] == [
        "Option A: diesel", "Option B: electric", "Option C: hydrogen",
    ]  # fmt: skip
    assert [point.text for point in page.points] == [
        "It is cheap to buy", "It is cheap to run", "The next station is 38 km away",
    ]  # fmt: skip


def test_phases_stand_on_one_page(tmp_path: Path) -> None:
    text = "- Phase 1 (2027): eight buses\n- Phase 2 (2028): sixteen buses\n- Phase 3: the rest\n\n"
    (page,) = [
        page for page in pages(tmp_path, f"# T\n\n## Phases\n\n{text}{FILLER}")
        if page.form == "cards"
    ]  # fmt: skip
    assert [point.label for point in page.points] == ["Phase 1 (2027)", "Phase 2 (2028)", "Phase 3"]
    assert [point.text for point in page.points] == ["Eight buses", "Sixteen buses", "The rest"]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("We take option B", "We take option B (two buses)"),
        ("Option B: two buses", "Option B: two buses"),
        ("Option B (two buses) is best", "Option B (two buses) is best"),
        ("Option D is best", "Option D is best"),
        ("", ""),
    ],
)
def test_an_option_is_named_once(text: str, named: str) -> None:
    assert with_names(text, {"option b": "Two buses"}) == named


def test_options_that_are_told_by_letter_alone_have_their_names(tmp_path: Path) -> None:
    shown = pages(tmp_path, (
        "# Floors\n\n## The options\n\n| | A. Repair | B. New maple | C. Poured resin |\n"
        "|---|---|---|---|\n| Cost | 49 | 126 | 93 |\n| Life | 8 | 35 | 20 |\n\n"
        "## What each one gets you\n\nA. Cheapest this year by far for all of us.\n\n"
        "B. The best floor to play on for the teams.\n\nC. Slower than wood and a little harder.\n"
    ), 8)  # fmt: skip
    labels = {point.label for page in shown for point in page.points} | {
        page.title for page in shown
    }
    assert {"A: Repair", "B: New maple", "C: Poured resin"} <= labels
    assert not {"A", "B", "C"} & labels
