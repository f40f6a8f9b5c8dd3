"""What nobody asked for goes back, byte for byte but for how XML is written; read with zipfile."""

import random
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from lxml import etree
from PIL import Image
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.dml.color import RGBColor
from pptx.util import Inches
from tests.drawing import SharedOffice
from tests.editing.conftest import build

from decklab.editing.plan import ExpectedChange, Plan
from decklab.editing.taking_back import put_back
from decklab.editing.verify import OriginalDeck, verify
from decklab.linting.drawn import drawn_findings
from decklab.rendering.renderer import Cache, Renderer

Edit = Callable[[Any, random.Random, int], None]
"""An edit of an open deck; the number is that of the slide to edit, from 0."""

REAL = Path(__file__).parents[3] / "shared" / "decks" / "real"
PLANNED = "What was asked for"


def _texts(slide: Any) -> list[Any]:
    """The shapes with runs of text; python-pptx adds a text to a shape that is asked for one."""
    return [
        shape for shape in getattr(slide, "shapes", slide)
        if shape._element.find("{*}txBody") is not None
        and any(run.text for line in shape.text_frame.paragraphs for run in line.runs)
    ]  # fmt: skip


def _unasked(shapes: Any) -> list[Any]:
    """The last of the shapes, unless it is the one that the plan names."""
    asked = [one for one in _texts(shapes) if one.text_frame.text.startswith(PLANNED)]
    rest = [one for one in shapes if one.shape_id not in [other.shape_id for other in asked]]
    return rest[-1:]


def ask_for(deck: Any, number: int) -> None:
    """The planned change: the first text of a slide."""
    shape = _texts(deck.slides[number])[0]
    runs = [run for line in shape.text_frame.paragraphs for run in line.runs]
    runs[0].text = PLANNED


def retitled(deck: Any, chance: random.Random, at: int) -> None:
    for shape in _unasked(_texts(deck.slides[at])):
        shape.text_frame.text = f"Unasked {chance.random()}"


def shifted(deck: Any, chance: random.Random, at: int) -> None:
    for shape in _unasked(deck.slides[at].shapes):
        shape.left, shape.top = Inches(chance.random()), Inches(chance.random())
        shape.width, shape.height = Inches(3), Inches(2)


def thinned(deck: Any, chance: random.Random, at: int) -> None:
    shapes = list(deck.slides[at].shapes)
    if len(shapes) > 3:
        gone = _unasked(chance.sample(shapes, 3))[0]._element
        gone.getparent().remove(gone)


def boxed(deck: Any, chance: random.Random, at: int) -> None:
    box = deck.slides[at].shapes.add_textbox(Inches(1), Inches(1), Inches(2), Inches(1))
    box.text_frame.text = f"Nobody wanted this {chance.random()}"


def pictured(deck: Any, chance: random.Random, at: int) -> None:
    held = BytesIO()
    Image.new("RGB", (8, 8), (chance.randrange(256), 9, 9)).save(held, "PNG")
    held.seek(0)
    deck.slides[at].shapes.add_picture(held, Inches(1), Inches(1))


def annotated(deck: Any, chance: random.Random, at: int) -> None:
    deck.slides[at].notes_slide.notes_text_frame.text = f"Unasked notes {chance.random()}"


def hidden(deck: Any, chance: random.Random, at: int) -> None:
    deck.slides[at]._element.set("show", "0")


def painted(deck: Any, chance: random.Random, at: int) -> None:
    fill = deck.slides[at].background.fill
    fill.solid()
    fill.fore_color.rgb = RGBColor(chance.randrange(256), 0, 0)


def recharted(deck: Any, chance: random.Random, at: int) -> None:
    for shape in deck.slides[at].shapes:
        if shape.has_chart:
            data = CategoryChartData()
            data.categories = ["A", "B"]
            data.add_series("S", (chance.random(), 2))
            shape.chart.replace_data(data)


def retabled(deck: Any, chance: random.Random, at: int) -> None:
    for shape in deck.slides[at].shapes:
        if shape.has_table:
            shape.table.cell(0, 0).text = f"Unasked {chance.random()}"


def faded(deck: Any, chance: random.Random, at: int) -> None:
    slide = deck.slides[at]._element
    old = slide.find("{*}transition")
    if old is not None:
        slide.remove(old)
    name = etree.QName(slide).namespace
    made = etree.SubElement(slide, f"{{{name}}}transition", spd="slow")
    etree.SubElement(made, f"{{{name}}}fade")
    slide.remove(made)
    before = [child for child in slide if etree.QName(child).localname in ("cSld", "clrMapOvr")]
    before[-1].addnext(made)


def linked(deck: Any, chance: random.Random, at: int) -> None:
    for shape in _unasked(_texts(deck.slides[at])):
        for line in shape.text_frame.paragraphs:
            for run in line.runs[:1]:
                run.hyperlink.address = "https://example.org/unasked"


SLIDE_EDITS: tuple[Edit, ...] = (
    retitled, shifted, thinned, boxed, pictured, annotated, hidden, painted, recharted, retabled,
    faded, linked,
)  # fmt: skip


def redesigned(deck: Any, chance: random.Random, at: int) -> None:
    layout = deck.slides[at].slide_layout
    for shape in list(layout.placeholders)[:1]:
        shape.left, shape.top, shape.width, shape.height = (Inches(1) for _ in range(4))


def added(deck: Any, chance: random.Random, at: int) -> None:
    slide = deck.slides.add_slide(deck.slides[at].slide_layout)
    boxed(deck, chance, len(deck.slides) - 1)
    assert slide.shapes


def dropped(deck: Any, chance: random.Random, at: int) -> None:
    listed = deck.slides._sldIdLst
    deck.part.drop_rel(listed[at].rId)
    listed.remove(listed[at])


def shuffled(deck: Any, chance: random.Random, at: int) -> None:
    listed = deck.slides._sldIdLst
    moved = listed[at]
    listed.remove(moved)
    listed.insert(0 if at else len(listed), moved)


def inherited(deck: Any, chance: random.Random, at: int) -> None:
    deck.core_properties.title = f"Unasked {chance.random()}"


DECK_EDITS: tuple[Edit, ...] = (redesigned, added, dropped, shuffled, inherited)


def saved(source: Path, target: Path, *edits: Callable[[Any], None]) -> Path:
    deck = Presentation(str(source))
    for edit in edits:
        edit(deck)
    deck.save(str(target))
    return target


def canonical(data: bytes) -> bytes:
    root = etree.fromstring(data)
    try:
        return etree.tostring(root, method="c14n")
    except etree.C14NError:  # namespaces that are no URIs
        return etree.tostring(root)


def content(path: Path) -> dict[str, bytes]:
    """Every part, XML in canonical form, relationships in the order of their ids."""
    found = {}
    with ZipFile(path) as package:
        for name in package.namelist():
            data = package.read(name)
            if name.startswith("docProps/") or name == "[Content_Types].xml":
                continue
            if name.endswith(".rels"):
                items = sorted(tuple(sorted(item.items())) for item in etree.fromstring(data))
                data = repr(items).encode()
                if not items:
                    continue
            elif name.endswith(".xml"):
                data = canonical(data)
            found[name] = data
    return found


def different(one: Path, other: Path) -> set[str]:
    left, right = content(one), content(other)
    return {name for name in left.keys() | right.keys() if left.get(name) != right.get(name)}


def plan_for(source: Path, number: int) -> Plan:
    shape = _texts(Presentation(str(source)).slides[number])[0]
    return Plan((ExpectedChange("the text", (), (number + 1,), shapes=(shape.shape_id,)),))


def restored(
    source: Path, asked: int, edits: list[tuple[Edit, int]], seed: int, folder: Path
) -> Any:
    """The parts that differ from the deck with the planned edit alone, and what remains."""
    chance = random.Random(seed)
    plain = saved(source, folder / "source.pptx")
    wanted = saved(plain, folder / "wanted.pptx", lambda deck: ask_for(deck, asked))
    edited = saved(
        plain, folder / "edited.pptx", lambda deck: ask_for(deck, asked),
        *(lambda deck, edit=edit, at=at: edit(deck, chance, at) for edit, at in edits),
    )  # fmt: skip
    original, plan = OriginalDeck(plain), plan_for(plain, asked)
    seen = verify(original, edited, plan, draw=False)
    out = folder / "out.pptx"
    if not seen.unplanned:
        return different(wanted, edited), ()
    again = put_back(original, edited, seen, plan, out)
    assert again is not None, seen.messages
    return different(wanted, out), again.verification.messages


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("built") / "deck.pptx"
    build().save(str(path))
    return path


@pytest.mark.by_day(1)
@pytest.mark.parametrize("edit", SLIDE_EDITS)
def test_an_unasked_edit_beside_the_asked_one_goes_back(
    edit: Edit, built: Path, tmp_path: Path
) -> None:
    """On the last slide, which has a table and a chart, and on the slide of the request."""
    assert restored(built, 1, [(edit, 5), (edit, 1)], 7, tmp_path) == (set(), ())


@pytest.mark.by_day(1)
@pytest.mark.parametrize("edit", DECK_EDITS)
def test_an_unasked_edit_of_the_deck_goes_back(edit: Edit, built: Path, tmp_path: Path) -> None:
    assert restored(built, 2, [(edit, 0)], 7, tmp_path) == (set(), ())


def test_the_edits_of_these_tests_are_seen(built: Path, tmp_path: Path) -> None:
    for number, edit in enumerate((*SLIDE_EDITS, *DECK_EDITS)):

        def done(deck: Any, edit: Edit = edit) -> None:
            edit(deck, random.Random(1), 5)

        after = saved(built, tmp_path / f"{number}.pptx", done)
        shown = bool(different(built, after)) or edit is inherited
        assert shown == (edit is not thinned or len(Presentation(str(built)).slides[5].shapes) > 3)


def _random_edits(deck: Any, chance: random.Random) -> tuple[int, list[tuple[Edit, int]]] | None:
    """A slide to edit as asked, and edits that nobody asked for."""
    able = [at for at, slide in enumerate(deck.slides) if _texts(slide)]
    others = list(range(len(deck.slides)))
    if len(able) < 2:
        return None
    asked = chance.choice(able)
    others.remove(asked)
    edits = [
        (chance.choice(SLIDE_EDITS), chance.choice(others) if chance.random() < 0.6 else asked)
        for _ in range(chance.randint(1, 4))
    ]
    if chance.random() < 0.7:
        edits.append((chance.choice(DECK_EDITS), chance.choice(others)))
    return asked, edits


@pytest.mark.by_day(1)
@pytest.mark.parametrize("seed", range(8))
def test_random_unasked_edits_of_a_built_deck_go_back(
    seed: int, built: Path, tmp_path: Path
) -> None:
    asked, edits = _random_edits(Presentation(str(built)), random.Random(seed)) or (0, [])
    assert edits
    assert restored(built, asked, edits, seed, tmp_path) == (set(), ())


@pytest.mark.long
@pytest.mark.skipif(not REAL.exists(), reason="no real decks here")
@pytest.mark.parametrize(
    ("name", "seed"),
    [
        ("presentation", 0),
        ("test-data_slideshow_aptia", 3),
        ("full_build-resume-website_slides", 5),
    ],
)
def test_random_unasked_edits_of_real_decks_go_back(name: str, seed: int, tmp_path: Path) -> None:
    deck = REAL / f"{name}.pptx"
    asked, edits = _random_edits(Presentation(str(deck)), random.Random(seed)) or (0, [])
    assert edits
    assert restored(deck, asked, edits, seed, tmp_path) == (set(), ())


def test_planned_and_unplanned_changes_of_one_shape_stay_mixed(built: Path, tmp_path: Path) -> None:
    def bold(deck: Any, _chance: random.Random, at: int) -> None:
        _texts(deck.slides[at])[0].text_frame.paragraphs[0].runs[0].font.bold = True

    edited = saved(
        built, tmp_path / "edited.pptx", lambda deck: ask_for(deck, 1),
        lambda deck: bold(deck, random.Random(), 1), lambda deck: hidden(deck, random.Random(), 3),
    )  # fmt: skip
    plan = Plan((ExpectedChange("the text", ("text",), (2,)),))
    original, out = OriginalDeck(built), tmp_path / "out.pptx"
    seen = verify(original, edited, plan, draw=False)
    again = put_back(original, edited, seen, plan, out)
    assert again is not None
    left = again.verification.unplanned
    assert [(one.slide, one.property) for one in left] == [(2, "font.bold")]
    assert Presentation(str(out)).slides[3]._element.get("show") is None


def test_a_planned_change_on_a_slide_that_had_another_number_is_not_told_as_put_back(
    built: Path, tmp_path: Path
) -> None:
    edited = saved(
        built, tmp_path / "edited.pptx", lambda deck: ask_for(deck, 1),
        lambda deck: dropped(deck, random.Random(), 0),
    )  # fmt: skip
    original, plan = OriginalDeck(built), plan_for(built, 1)
    seen = verify(original, edited, plan, draw=False)
    assert any(PLANNED in message for message in seen.messages)
    again = put_back(original, edited, seen, plan, tmp_path / "out.pptx")
    assert again is not None
    assert again.verification.passed
    lines = again.gone
    assert any("removed" in line for line in lines)
    assert not any(PLANNED in line for line in lines)


def test_nothing_is_written_where_nothing_asked_for_would_be_left(
    built: Path, tmp_path: Path
) -> None:
    edited = saved(
        built, tmp_path / "edited.pptx", lambda deck: hidden(deck, random.Random(), 3)
    )  # fmt: skip
    original, plan = OriginalDeck(built), plan_for(built, 1)
    seen = verify(original, edited, plan, draw=False)
    assert put_back(original, edited, seen, plan, tmp_path / "out.pptx") is None
    assert not (tmp_path / "out.pptx").exists()


@pytest.mark.long
@pytest.mark.office
def test_what_would_be_white_on_white_stays_and_says_so(
    office: SharedOffice, tmp_path: Path
) -> None:
    """Somebody asked for a white slide; the text was made dark besides, since it was white."""
    deck = Presentation()
    for title in ("Costs", "Plan"):
        slide = deck.slides.add_slide(deck.slide_layouts[5])
        slide.background.fill.solid()
        slide.background.fill.fore_color.rgb = RGBColor(0, 0, 60)
        slide.shapes.title.text = title
        slide.shapes.title.text_frame.paragraphs[0].runs[0].font.color.rgb = RGBColor(255, 255, 255)
    deck.save(str(tmp_path / "deck.pptx"))

    def edit(deck: Any) -> None:
        deck.slides[0].background.fill.fore_color.rgb = RGBColor(255, 255, 255)
        title = deck.slides[0].shapes.title.text_frame.paragraphs[0].runs[0]
        title.font.color.rgb = RGBColor(0, 0, 60)
        hidden(deck, random.Random(), 1)

    edited = saved(tmp_path / "deck.pptx", tmp_path / "edited.pptx", edit)
    plan = Plan((ExpectedChange("a white slide", ("slide",), (1,), ("background",)),))
    original = OriginalDeck(tmp_path / "deck.pptx", drawn_findings)
    renderer, out = Renderer(office, Cache(tmp_path / "cache")), tmp_path / "out.pptx"
    seen = verify(original, edited, plan, renderer=renderer)
    assert (len(seen.unplanned), seen.faults) == (2, ())
    again = put_back(original, edited, seen, plan, out, renderer=renderer)
    assert again is not None
    assert again.verification.faults == ()
    assert again.gone == ("Slide 2: the slide is hidden now.",)
    (left,) = again.left
    assert "putting it back would bring a fault" in left and "contrast" in left.lower()
    slides = Presentation(str(out)).slides
    assert slides[1]._element.get("show") is None
    font = slides[0].shapes.title.text_frame.paragraphs[0].runs[0].font
    assert font.color.rgb == RGBColor(0, 0, 60)
