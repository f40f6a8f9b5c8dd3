import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pptx import Presentation

from decklab.core.errors import DeckError, MissingPart
from decklab.editing.slide_operations import clone_slide
from decklab.ooxml.draft import Draft
from decklab.ooxml.package import Package
from decklab.ooxml.slide_list import slide_entries

Looker = Callable[[Path], Any]
MODERN = "{http://schemas.microsoft.com/office/powerpoint/2018/8/main}"


@pytest.fixture
def cloned(tmp_path: Path) -> Callable[..., tuple[Path, str]]:
    def clone(path: Path, slide: int | str, position: int | None = None) -> tuple[Path, str]:
        with Package.open(path) as package:
            draft = Draft(package)
            name = clone_slide(draft, slide, position)
            return draft.save(tmp_path / "cloned.pptx"), name

    return clone


def test_a_clone_stands_right_after_its_original(rich: Path, cloned: Any, look: Looker) -> None:
    path, name = cloned(rich, 4)
    slides = look(path).slides()
    assert [part for _, part in slides][2:6] == [
        "ppt/slides/slide3.xml",
        "ppt/slides/slide4.xml",
        name,
        "ppt/slides/slide5.xml",
    ]
    assert len({id for id, _ in slides}) == 15
    assert all(256 <= id < 2**31 for id, _ in slides)


def test_changing_the_clones_chart_leaves_the_original_alone(
    rich: Path, cloned: Any, tmp_path: Path
) -> None:
    path, _ = cloned(rich, 4)
    deck = Presentation(str(path))
    charts = [
        shape.chart for slide in list(deck.slides)[3:5] for shape in slide.shapes if shape.has_chart
    ]
    assert len(charts) == 2
    workbooks = [chart.part.chart_workbook.xlsx_part for chart in charts]
    assert workbooks[0].partname != workbooks[1].partname
    assert workbooks[0].blob == workbooks[1].blob
    before = charts[0].has_title
    charts[1].has_title = not before
    deck.save(str(tmp_path / "again.pptx"))
    again = Presentation(str(tmp_path / "again.pptx"))
    titles = [shape.chart.has_title for slide in list(again.slides)[3:5]
              for shape in slide.shapes if shape.has_chart]  # fmt: skip
    assert titles == [before, not before]


def test_diagrams_are_copied_and_pictures_shared(rich: Path, cloned: Any, look: Looker) -> None:
    path, name = cloned(rich, 12)
    seen = look(path)
    for kind in ("diagramData", "diagramLayout", "diagramQuickStyle", "diagramColors",
                 "diagramDrawing"):  # fmt: skip
        original, copy = (seen.related(one, kind) for one in ("ppt/slides/slide12.xml", name))
        assert len(original) == len(copy) == 1
        assert original != copy
        assert seen.parts[original[0]] == seen.parts[copy[0]]
    path, name = cloned(rich, 10)
    seen = look(path)
    for kind in ("image", "slideLayout", "media", "audio"):
        assert seen.related(name, kind) == seen.related("ppt/slides/slide10.xml", kind)
    assert len([part for part in seen.parts if "/media/" in part]) == 3


def test_the_notes_of_a_clone_are_its_own_and_lead_back_to_it(
    rich: Path, cloned: Any, look: Looker
) -> None:
    path, name = cloned(rich, 3)
    seen = look(path)
    (notes,) = seen.related(name, "notesSlide")
    assert notes not in seen.related("ppt/slides/slide3.xml", "notesSlide")
    assert seen.related(notes, "slide") == [name]
    deck = Presentation(str(path))
    texts = [slide.notes_slide.notes_text_frame.text for slide in list(deck.slides)[2:4]]
    assert texts[0] == texts[1] != ""


def test_jumps_lead_where_they_led(rich: Path, full: Path, cloned: Any, look: Looker) -> None:
    path, name = cloned(rich, 13)
    assert look(path).related(name, "slide") == ["ppt/slides/slide14.xml"]
    path, name = cloned(full, 4)
    assert look(path).related("ppt/slides/slide2.xml", "slide") == ["ppt/slides/slide4.xml"]


def test_a_slide_that_jumps_to_itself_is_still_the_target(
    rich: Path, edited: Any, cloned: Any, look: Looker, tmp_path: Path
) -> None:
    rels = "ppt/slides/_rels/slide13.xml.rels"
    own = edited(rich, tmp_path / "own.pptx", (rels, "slide14.xml", "slide13.xml"))
    path, name = cloned(own, 13)
    assert look(path).related(name, "slide") == ["ppt/slides/slide13.xml"]


def test_a_hidden_slide_gives_a_hidden_clone(rich: Path, cloned: Any) -> None:
    path, _ = cloned(rich, 14)
    deck = Presentation(str(path))
    assert [slide._element.get("show") for slide in list(deck.slides)[-2:]] == ["0", "0"]


def test_a_clone_joins_the_section_of_its_place(rich: Path, cloned: Any, look: Looker) -> None:
    def names(path: Path) -> list[list[str]]:
        seen = look(path)
        parts = dict(seen.slides())
        return [[parts[id].rpartition("/")[2] for id in one] for one in seen.sections()]

    before = names(rich)
    path, _ = cloned(rich, 2)
    assert names(path)[0] == [*before[0], "slide15.xml"]
    path, _ = cloned(rich, 2, 1)
    assert names(path)[0] == ["slide15.xml", *before[0]]
    path, _ = cloned(rich, 1, 15)
    assert names(path)[-1] == [*before[-1], "slide15.xml"]


def test_classic_comments_are_numbered_anew(full: Path, cloned: Any, look: Looker) -> None:
    path, name = cloned(full, 4)
    seen = look(path)
    p15 = "{http://schemas.microsoft.com/office/powerpoint/2012/main}"
    copy = next(part for part in seen.related(name, "comments") if "modern" not in part)
    comments = list(seen.root(copy))
    assert [(one.get("authorId"), one.get("idx")) for one in comments] == [("0", "3"), ("1", "2")]
    (parent,) = seen.root(copy).iter(p15 + "parentCm")
    assert (parent.get("authorId"), parent.get("idx")) == ("0", "3")
    authors = seen.root("ppt/commentAuthors.xml")
    assert [author.get("lastIdx") for author in authors] == ["3", "2"]


def test_threaded_comments_are_anchored_to_the_clone(full: Path, cloned: Any, look: Looker) -> None:
    path, name = cloned(full, 4)
    seen = look(path)
    new_id = next(id for id, part in seen.slides() if part == name)
    copy = next(part for part in seen.related(name, "comments") if "modern" in part)
    root = seen.root(copy)
    ids = [item.get("id") for item in root.iter() if item.tag.startswith(MODERN) and item.get("id")]
    assert len(set(ids)) == 2
    assert not {"{C1}", "{C2}"} & set(ids)
    (mark,) = (item for item in root.iter() if item.tag.endswith("sldMk"))
    assert mark.get("sldId") == str(new_id)
    creation = [
        item.get("val") for item in seen.root(name).iter() if item.tag.endswith("}creationId")
    ]
    assert creation == [mark.get("cId")]
    assert creation != ["77"]


def test_tags_and_custom_data_are_copied(full: Path, cloned: Any, look: Looker) -> None:
    path, name = cloned(full, 4)
    seen = look(path)
    for kind in ("tags", "customXml"):
        assert seen.related(name, kind) != seen.related("ppt/slides/slide4.xml", kind)
    (data,) = seen.related(name, "customXml")
    (properties,) = seen.related(data, "customXmlProps")
    (id,) = seen.root(properties).attrib.values()
    assert id != "{D1}"
    assert b"http://x.y" in seen.parts[f"customXml/_rels/{data.rpartition('/')[2]}.rels"]


def test_the_document_says_how_many_slides_it_has(rich: Path, cloned: Any, look: Looker) -> None:
    path, _ = cloned(rich, 14)
    counts = {
        item.tag.rpartition("}")[2]: item.text for item in look(path).root("docProps/app.xml")
    }
    assert counts["Slides"] == "15"
    assert counts["HiddenSlides"] == "2"


def test_slides_are_found_by_the_name_of_their_part(rich: Path) -> None:
    with Package.open(rich) as package:
        draft = Draft(package)
        first = clone_slide(draft, "ppt/slides/slide4.xml", 1)
        second = clone_slide(draft, first)
        assert [entry.part for entry in slide_entries(draft)][:2] == [first, second]


@pytest.mark.parametrize("slide", [0, 15, -1, "ppt/slides/slide99.xml", "ppt/presentation.xml"])
def test_an_unknown_slide_is_named_in_one_line(rich: Path, slide: int | str) -> None:
    with Package.open(rich) as package, pytest.raises(MissingPart) as caught:
        clone_slide(Draft(package), slide)
    assert str(slide) in str(caught.value)
    assert "14 slides" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("position", [0, 16, -3])
def test_a_place_that_is_not_there_is_refused(rich: Path, position: int) -> None:
    with Package.open(rich) as package, pytest.raises(DeckError, match="no place"):
        clone_slide(Draft(package), 1, position)


def test_a_slide_without_a_layout_is_refused_and_nothing_changes(
    rich: Path, edited: Any, tmp_path: Path
) -> None:
    rels = "ppt/slides/_rels/slide3.xml.rels"
    broken = edited(rich, tmp_path / "broken.pptx", (rels, '/slideLayout"', '/somethingElse"'))
    with Package.open(broken) as package:
        draft = Draft(package)
        before = draft.to_bytes()
        with pytest.raises(MissingPart, match="slide 3 has no layout"):
            clone_slide(draft, 3)
        assert draft.to_bytes() == before


def test_targets_that_are_not_there_or_outside_are_kept(
    rich: Path, edited: Any, cloned: Any, look: Looker, tmp_path: Path
) -> None:
    rels = "ppt/slides/_rels/slide3.xml.rels"
    more = (
        '<Relationship Id="rId90" Type="x/image" Target="../media/NULL"/>'
        '<Relationship Id="rId91" Type="x/image" Target="NULL" TargetMode="External"/>'
        "</Relationships>"
    )
    odd = edited(rich, tmp_path / "odd.pptx", (rels, "</Relationships>", more))
    path, name = cloned(odd, 3)
    copied = look(path).parts[f"ppt/slides/_rels/{name.rpartition('/')[2]}.rels"].decode()
    assert 'Target="../media/NULL"' in copied
    assert 'Target="NULL" TargetMode="External"' in copied


def test_slides_in_unusual_places_can_be_cloned(
    rich: Path, look: Looker, cloned: Any, tmp_path: Path
) -> None:
    parts = look(rich).parts
    slide, rels = parts.pop("ppt/slides/slide4.xml"), parts.pop("ppt/slides/_rels/slide4.xml.rels")
    parts["odd/My Deck/Fourth.xml"] = slide
    parts["odd/My Deck/_rels/Fourth.xml.rels"] = rels.replace(b'Target="../', b'Target="/ppt/')
    for name, old, new in (
        ("ppt/_rels/presentation.xml.rels", b"slides/slide4.xml", b"../odd/My%20Deck/Fourth.xml"),
        ("[Content_Types].xml", b"/ppt/slides/slide4.xml", b"/odd/My%20Deck/Fourth.xml"),
        ("ppt/notesSlides/_rels/notesSlide4.xml.rels", b"../slides/slide4.xml",
         b"/odd/My%20Deck/Fourth.xml"),
    ):  # fmt: skip
        assert old in parts[name]
        parts[name] = parts[name].replace(old, new)
    moved = tmp_path / "moved.pptx"
    with zipfile.ZipFile(moved, "w") as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    path, name = cloned(moved, 4)
    assert name == "odd/My Deck/Fourth1.xml"
    seen = look(path)
    assert seen.dangling() == []
    assert seen.orphans() == set()
    assert len(seen.slides()) == 15
