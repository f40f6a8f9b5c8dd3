"""All readers of a slide list find the same slides in the same order, whatever is wrong with it."""

import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from zipfile import ZipFile

import pytest
from lxml import etree
from pptx import Presentation
from tests.drawing import SharedOffice
from tests.slide_lists import FLAWS, LINKS, MAIN, SOUND, Flaw, replaced

import decklab
from decklab.core.errors import DeckError
from decklab.deck.reading import read_outline, read_slides
from decklab.deck.views.snapshot import snapshot
from decklab.diffing.decks import diff_packages
from decklab.editing.opening import opened
from decklab.editor.edit import edit_with_commands
from decklab.editor.result import EditResult
from decklab.linting.lint import lint
from decklab.ooxml.draft import Draft
from decklab.ooxml.package import Package
from decklab.ooxml.slide_list import slide_list
from decklab.ooxml.validity.validating import validate
from decklab.rendering.job import save_pictures
from decklab.rendering.opening import open_rendered
from decklab.rendering.renderer import Renderer
from decklab.rendering.slide_keys import SlideKeys
from decklab.scoring.deck import score_deck

UNDRAWN = ["package.damaged-part"]
DAMAGED = FLAWS["a damaged slide"]
DEAD = [name for name, flaw in FLAWS.items() if flaw.dead and flaw.slides]
EDITED = {name: flaw for name, flaw in FLAWS.items() if flaw is not DAMAGED and flaw.slides}
BAD_IDS = ("an id twice", "the same entry twice", "no id", "an id that is no number")


@pytest.fixture(params=FLAWS)
def flaw(request: pytest.FixtureRequest) -> Flaw:
    return FLAWS[request.param]


@pytest.fixture
def deck(flaw: Flaw, tmp_path: Path) -> Path:
    return flaw.write(tmp_path / "talk.pptx")


@pytest.fixture
def package(deck: Path) -> Iterator[Package]:
    with Package.open(deck) as package:
        yield package


def titled(flaw: Flaw) -> list[str | None]:
    return [None if title == "-" else title for title in flaw.slides]


def test_the_list_gives_numbers_to_slides_only(flaw: Flaw, package: Package) -> None:
    for listed in (slide_list(package), slide_list(Draft(package))):
        slides = listed.slides
        assert [entry.number for entry in slides] == list(range(1, len(flaw.slides) + 1))
        assert tuple(entry.position for entry in listed.dead) == flaw.dead
        places = [entry.position for entry in slides] + list(flaw.dead)
        assert sorted(places) == list(range(1, len(places) + 1))
        assert len({entry.id for entry in slides}) == len(slides)
        named = [package.read(entry.part).decode() for entry in slides]
        found = [re.findall(r"<a:t>([A-Z])</a:t>", text) for text in named]
        assert found == [[] if title == "-" else [title] for title in flaw.slides]


@pytest.mark.by_day(15)
def test_all_that_read_a_deck_find_these_slides(flaw: Flaw, package: Package, deck: Path) -> None:
    parts = [entry.part for entry in slide_list(package).slides]
    with decklab.open(deck) as read:
        assert [slide.title for slide in read.slides] == titled(flaw)
        assert [slide.part for slide in read.slides] == parts
    assert [slide.part for slide in read_outline(package).slides] == parts
    assert [slide["number"] for slide in snapshot(package)["slides"]] == [
        entry.number for entry in slide_list(package).slides
    ]
    assert list(SlideKeys(package, {}).slides) == parts
    assert [slide.part for slide in read_slides(package, [2])] == parts[1:2] if parts else True
    assert lint(deck, rules=UNDRAWN).slides == len(parts)
    assert not diff_packages(package, package).edits


def test_a_deck_whose_slides_nobody_can_know_is_read_by_none(tmp_path: Path) -> None:
    deck = Flaw(replaced(LINKS, b"</Relationships>", b"")).write(tmp_path / "talk.pptx")
    edit = partial(edit_with_commands, instruction="hide slide 2")
    for read in (decklab.extract, lint, opened, edit):
        with pytest.raises(DeckError, match=r"presentation\.xml\.rels: not well-formed XML"):
            read(deck)


def test_sections_and_shows_have_slides_only(tmp_path: Path) -> None:
    deck = FLAWS["no relationship, in a section and a show"].write(tmp_path / "talk.pptx")
    with decklab.open(deck) as read:
        assert [section.slides for section in read.elements.sections] == [(256, 257, 258, 259)]
        assert [show.slides for show in read.elements.shows] == [(257,)]


def test_lint_and_validate_name_an_entry_that_leads_nowhere_by_its_place(
    flaw: Flaw, package: Package, deck: Path
) -> None:
    named = [f"entry {place} of the slide list leads to no slide" for place in flaw.dead]
    problems = [one.detail for one in validate(package) if one.rule == "list.dead-entry"]
    assert [line.partition(":")[0] for line in problems] == named
    with decklab.open(deck) as read:
        assert [line for name in named for line in read.problems if name in line] == [
            f"{MAIN}: {line}" for line in problems
        ]


def test_python_pptx_finds_these_slides_in_the_open_deck(flaw: Flaw, deck: Path) -> None:
    if flaw is DAMAGED:
        with pytest.raises(DeckError, match=r"talk\.pptx: it cannot be opened for editing"):
            opened(deck)
        return
    prs = opened(deck)
    assert [slide.shapes.title.text_frame.text for slide in prs.slides] == list(flaw.slides)
    with decklab.open(deck) as read:
        assert [item.id for item in prs.slides._sldIdLst] == [slide.id for slide in read.slides]


Edit = Callable[[Flaw, str], EditResult]


@pytest.fixture
def edit(tmp_path: Path) -> Edit:
    def edited(flaw: Flaw, instruction: str) -> EditResult:
        deck = flaw.write(tmp_path / "talk.pptx")
        return edit_with_commands(deck, instruction, out=tmp_path / "new.pptx", draw=False)

    return edited


def entries_of(deck: Path) -> list[etree._Element]:
    root = etree.fromstring(ZipFile(deck).read(MAIN))
    return root.findall("{*}sldIdLst/{*}sldId")


def entry_link(entry: etree._Element) -> str | None:
    return entry.get("{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id")


@pytest.mark.by_day(2)
@pytest.mark.parametrize("name", EDITED)
def test_slide_2_is_the_same_slide_to_an_edit(name: str, edit: Edit) -> None:
    flaw = FLAWS[name]
    result = edit(flaw, "delete slide 2")
    assert (result.outcome, result.undone) == ("done", ())
    assert result.output is not None
    assert [len(result.changes.slides.removed), len(result.sentences)] == [1, 1]
    with decklab.open(result.output) as read:
        assert [slide.title for slide in read.slides] == list(flaw.slides[:1] + flaw.slides[2:])
    with ZipFile(result.output) as archive:
        assert len({*archive.namelist()}) == len(archive.namelist())
        assert not [one for one in archive.namelist() if b"decklab-" in archive.read(one)]


@pytest.mark.by_day(2)
@pytest.mark.parametrize("name", DEAD)
def test_an_entry_that_leads_nowhere_stays_and_the_result_says_so(name: str, edit: Edit) -> None:
    """A new slide takes neither its id nor its relationship."""
    flaw = FLAWS[name]
    result = edit(flaw, "duplicate slide 1")
    assert result.output is not None
    with Package.open(result.output) as package:
        listed = slide_list(package)
        assert len(listed.slides) == len(flaw.slides) + 1
        assert len(listed.dead) == len(flaw.dead)
        assert not [one for one in validate(package) if one.rule == "list.duplicate-id"]
    before, after = entries_of(result.deck), entries_of(result.output)
    assert [entry_link(before[place - 1]) for place in flaw.dead] == [
        entry_link(after[dead.position - 1]) for dead in listed.dead
    ]
    said = [line for line in result.left_out if line.endswith("; it was left as it is")]
    assert [line.partition(":")[0] for line in said] == [
        f"entry {dead.position} of the slide list leads to no slide" for dead in listed.dead
    ]


@pytest.mark.parametrize("name", BAD_IDS)
def test_a_slide_without_an_id_of_its_own_gets_one(name: str, edit: Edit) -> None:
    result = edit(FLAWS[name], "delete slide 1")
    assert result.left_out == ("slide 3 had no id of its own, and has one now",)
    assert [slide.slide_id for slide in Presentation(str(result.output)).slides][:1] == [257]
    ids = [item.id for item in Presentation(str(result.output)).slides._sldIdLst]
    assert len({*ids}) == len(ids)


def test_a_slide_that_is_not_listed_stays_in_the_file(edit: Edit) -> None:
    result = edit(FLAWS["a slide that is not listed"], "delete slide 1")
    assert result.output is not None
    with ZipFile(result.output) as archive:
        assert [name for name in archive.namelist() if b"<a:t>B<" in archive.read(name)] == [
            "ppt/slides/unlisted1.xml"
        ]


def test_this_room_alone_names_the_list() -> None:
    """Other code asks ``decklab.ooxml.slide_list``; what runs in the sandbox cannot."""
    source = Path(decklab.__file__).parent
    naming = {
        str(path.relative_to(source)) for path in source.rglob("*.py")
        if re.search(r'(?<!p14:)sldIdLst|qn\("p:sldId"\)', path.read_text())
    }  # fmt: skip
    assert naming == {
        "ooxml/slide_list.py",
        "ooxml/validity/parts.py",  # to leave entries to the check of the list
        "diffing/xml/claims.py",  # patterns of paths
        "rendering/slide_keys.py",  # what is not drawn
        "evals/perturb/sabotage.py",
    }


@pytest.mark.by_day(1)
@pytest.mark.office
@pytest.mark.parametrize(
    "name", ["no relationship", "a layout", "a slide twice", "another kind of relationship"]
)
def test_libreoffice_draws_these_slides_and_no_others(
    name: str, tmp_path: Path, office: SharedOffice
) -> None:
    flaw = FLAWS[name]
    deck = flaw.write(tmp_path / "talk.pptx")
    with open_rendered(deck, renderer=Renderer(office), ocr=False) as drawn:
        assert [slide.spans[0].text for slide in drawn] == list(flaw.slides)
    saved = save_pictures(deck, tmp_path / "pictures", renderer=Renderer(office))
    assert saved.count == len(flaw.slides)
    assert len(list((tmp_path / "pictures").iterdir())) == len(flaw.slides)


@pytest.mark.long
@pytest.mark.office
def test_these_slides_are_scored(tmp_path: Path, office: SharedOffice) -> None:
    deck = FLAWS["no relationship"].write(tmp_path / "talk.pptx")
    result = score_deck(deck, renderer=Renderer(office)).result
    assert result.slides == len(SOUND)
    assert {row.slide for row in result.measurements} == {None, 1, 2, 3, 4}
    assert any("entry 2 of the slide list" in one.message for one in result.findings)
