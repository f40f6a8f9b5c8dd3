import re
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pptx import Presentation
from pptx.util import Emu

from decklab.core.errors import MissingPart
from decklab.editing.slide_import import import_slide
from decklab.ooxml.draft import Draft
from decklab.ooxml.package import Package, package_bytes
from decklab.ooxml.slide_list import slide_entries
from decklab.ooxml.validity.validating import validate

Looker = Callable[[Path], Any]


@pytest.fixture
def brought(tmp_path: Path) -> Callable[..., Path]:
    """The first deck with slides of the second imported."""

    def bring(into: Path, source: Path, *slides: int, **options: Any) -> Path:
        with Package.open(into) as package, Package.open(source) as other:
            draft = Draft(package)
            for slide in slides:
                import_slide(draft, other, slide, **options)
            return draft.save(tmp_path / "imported.pptx")

    return bring


def test_the_old_design_comes_along_once(
    samples: dict[str, Path], brought: Any, look: Looker
) -> None:
    path = brought(samples["plain"], samples["rich"], 4, 5, 12)
    seen = look(path)
    assert len(seen.related("ppt/presentation.xml", "slideMaster")) == 2
    assert seen.dangling() == []
    assert seen.orphans() == set()
    deck = Presentation(str(path))
    names = {slide.slide_layout.name for slide in list(deck.slides)[-3:]}
    original = Presentation(str(samples["rich"]))
    assert names == {original.slides[i].slide_layout.name for i in (3, 4, 11)}
    masters = seen.related("ppt/presentation.xml", "slideMaster")
    ids = [
        item.get("id")
        for part in ["ppt/presentation.xml", *masters]
        for item in seen.root(part).iter()
        if item.tag.endswith(("sldMasterId", "sldLayoutId"))
    ]
    assert len(set(ids)) == len(ids)
    assert all(2**31 <= int(id or 0) < 2**32 for id in ids)


def test_an_equal_design_is_used_as_it_is(rich: Path, brought: Any, look: Looker) -> None:
    seen = look(brought(rich, rich, 4, 10, 12))
    kinds = {name.split("/")[1] for name in set(seen.parts) - set(look(rich).parts)}
    assert kinds == {"slides", "charts", "embeddings", "notesSlides", "diagrams"}
    assert len(seen.slides()) == 17


def test_a_design_that_differs_in_one_colour_is_another(
    rich: Path, edited: Any, brought: Any, look: Looker, tmp_path: Path
) -> None:
    theme = look(rich).parts["ppt/theme/theme1.xml"].decode()
    color = theme[theme.index("<a:accent1>") : theme.index("</a:accent1>")]
    swap = ("ppt/theme/theme1.xml", color, '<a:accent1><a:srgbClr val="010203"/>')
    other = edited(rich, tmp_path / "other.pptx", swap)
    assert len(look(brought(rich, other, 4)).related("ppt/presentation.xml", "slideMaster")) == 2


def test_without_its_design_a_slide_takes_the_layout_of_the_same_type(
    samples: dict[str, Path], brought: Any, look: Looker
) -> None:
    path = brought(samples["plain"], samples["rich"], 1, 4, keep_design=False)
    seen = look(path)
    assert len(seen.related("ppt/presentation.xml", "slideMaster")) == 1
    assert seen.dangling() == []
    deck, source = Presentation(str(path)), Presentation(str(samples["rich"]))
    for new, old in zip(list(deck.slides)[-2:], (source.slides[0], source.slides[3]), strict=True):
        wanted = old.slide_layout._element.get("type")
        types = [one._element.get("type") for one in deck.slide_layouts]
        if wanted in types:
            assert new.slide_layout._element.get("type") == wanted
        assert new.shapes.title is not None
        assert new.shapes.title.text_frame.text == old.shapes.title.text_frame.text


def test_no_placeholder_is_left_without_a_place(samples: dict[str, Path], brought: Any) -> None:
    path = brought(samples["plain"], samples["rich"], *range(1, 15), keep_design=False)
    slides = list(Presentation(str(path)).slides)[-14:]
    sizes = [shape.width for slide in slides for shape in slide.shapes]
    assert len(sizes) > 50
    assert all(size is not None and size >= Emu(0) for size in sizes)


def test_media_of_one_content_are_stored_once(
    samples: dict[str, Path], brought: Any, look: Looker
) -> None:
    before = [part for part in look(samples["plain"]).parts if "/media/" in part]
    seen = look(brought(samples["plain"], samples["rich"], 10, 10, keep_design=False))
    after = [part for part in seen.parts if "/media/" in part]
    assert len(after) == len(before) + 3


def test_authors_are_merged_and_comments_follow(
    full: Path, samples: dict[str, Path], brought: Any, look: Looker
) -> None:
    seen = look(brought(samples["plain"], full, 4, 4))
    (authors,) = seen.related("ppt/presentation.xml", "commentAuthors")
    assert [(one.get("id"), one.get("name"), one.get("lastIdx")) for one in seen.root(authors)] == [
        ("0", "Ada", "2"),
        ("1", "Bo", "2"),
    ]
    (modern,) = seen.related("ppt/presentation.xml", "authors")
    assert len(list(seen.root(modern))) == 1
    assert seen.types()[modern] == "application/vnd.ms-powerpoint.authors+xml"
    assert seen.orphans() == set()


def test_author_numbers_are_those_of_the_deck(
    full: Path, edited: Any, brought: Any, look: Looker, tmp_path: Path
) -> None:
    other = edited(
        full, tmp_path / "other.pptx", ("ppt/commentAuthors.xml", 'name="Bo"', 'name="Cy"')
    )
    seen = look(brought(other, full, 4))
    people = {one.get("name"): one.get("id") for one in seen.root("ppt/commentAuthors.xml")}
    assert people == {"Ada": "0", "Cy": "1", "Bo": "2"}
    part = seen.slides()[-1][1]
    copy = next(name for name in seen.related(part, "comments") if "modern" not in name)
    assert [one.get("authorId") for one in seen.root(copy)] == ["0", "2"]


def test_links_to_slides_that_stay_behind_are_dropped(
    rich: Path, samples: dict[str, Path], brought: Any, look: Looker
) -> None:
    path = brought(samples["plain"], rich, 13)
    part = look(path).slides()[-1][1]
    assert look(path).related(part, "slide") == []
    assert b"hlinksldjump" not in look(path).parts[part]
    assert len(look(path).slides()) == 8


def test_table_styles_that_are_used_come_along(
    rich: Path, brought: Any, look: Looker, tmp_path: Path
) -> None:
    used = next(
        item.text
        for item in look(rich).root("ppt/slides/slide14.xml").iter()
        if item.tag.endswith("tableStyleId")
    )
    parts = look(rich).parts
    parts["ppt/tableStyles.xml"] = (
        '<a:tblStyleLst xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" def="{0}">'
        f'<a:tblStyle styleId="{{9}}" styleName="Theirs"/><a:tblStyle styleId="{used}" '
        'styleName="Ours"/></a:tblStyleLst>'
    ).encode()
    styled = tmp_path / "styled.pptx"
    with zipfile.ZipFile(styled, "w") as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    seen = look(brought(rich, styled, 14, 14))
    (styles,) = seen.related("ppt/presentation.xml", "tableStyles")
    assert [one.get("styleName") for one in seen.root(styles)] == ["Ours"]


def test_the_master_of_notes_comes_along_where_there_is_none(
    rich: Path, samples: dict[str, Path], look: Looker, tmp_path: Path
) -> None:
    deck = Presentation()
    deck.slides.add_slide(deck.slide_layouts[6])
    deck.save(str(tmp_path / "bare.pptx"))
    with Package.open(tmp_path / "bare.pptx") as package, Package.open(rich) as source:
        draft = Draft(package)
        name = import_slide(draft, source, 2, 1)
        import_slide(draft, source, 3)
        saved = draft.save(tmp_path / "out.pptx")
    seen = look(saved)
    assert len(seen.related("ppt/presentation.xml", "notesMaster")) == 1
    assert len([part for part in seen.parts if part.startswith("ppt/notesMasters/n")]) == 1
    main = [item.tag.rpartition("}")[2] for item in seen.root("ppt/presentation.xml")]
    assert main[:3] == ["sldMasterIdLst", "notesMasterIdLst", "sldIdLst"]
    assert seen.slides()[0][1] == name
    slides = Presentation(str(saved)).slides
    assert slides[0].notes_slide.notes_text_frame.text


def test_a_deck_without_slides_can_take_one_in(rich: Path, tmp_path: Path, look: Looker) -> None:
    Presentation().save(str(tmp_path / "none.pptx"))
    with Package.open(tmp_path / "none.pptx") as package, Package.open(rich) as source:
        draft = Draft(package)
        assert slide_entries(draft) == ()
        import_slide(draft, source, 4, keep_design=False)
        saved = draft.save(tmp_path / "one.pptx")
    assert len(Presentation(str(saved)).slides) == 1
    assert look(saved).dangling() == []


def test_an_unknown_slide_of_the_source_is_named_with_its_file(
    rich: Path, samples: dict[str, Path]
) -> None:
    with Package.open(samples["plain"]) as package, Package.open(rich) as source:
        draft = Draft(package)
        with pytest.raises(MissingPart, match=r"rich\.pptx.*no slide 40"):
            import_slide(draft, source, 40)


def test_content_that_finds_no_room_keeps_its_place(samples: dict[str, Path], brought: Any) -> None:
    path = brought(samples["plain"], samples["rich"], 4, keep_design=False)
    source = {shape.name: shape for shape in Presentation(str(samples["rich"])).slides[3].shapes}
    slide = list(Presentation(str(path)).slides)[-1]
    content = [shape for shape in slide.placeholders if shape.placeholder_format.type is not None]
    places = {shape.name: (shape.left, shape.width) for shape in content}
    for name, place in places.items():
        kind = source[name].placeholder_format.type.name
        if kind in ("OBJECT", "BODY", "CHART"):
            assert place == (source[name].left, source[name].width)
    assert {source[name].placeholder_format.type.name for name in places} >= {"TITLE"}


@pytest.mark.parametrize("gone", [b"<p:sldLayoutIdLst>.*</p:sldLayoutIdLst>", b"nothing"])
def test_a_layout_that_its_master_has_lost_comes_along(
    samples: dict[str, Path], tmp_path: Path, look: Looker, gone: bytes
) -> None:
    rich = look(samples["rich"])
    layout = rich.related(rich.slides()[3][1], "slideLayout")[0]
    master = rich.related(layout, "slideMaster")[0]
    folder, _, base = master.rpartition("/")
    links = f"{folder}/_rels/{base}.rels"
    name = layout.rpartition("/")[2].encode()
    lost = re.sub(rb"<Relationship [^>]*" + re.escape(name) + rb"[^>]*>", b"", rich.parts[links])
    assert lost != rich.parts[links]
    with Package.open(samples["rich"]) as package:
        cut = re.sub(gone, b"", package.read(master), flags=re.DOTALL)
        data = package_bytes(package, replace={links: lost, master: cut})
    with Package.open(samples["plain"]) as package, Package.from_bytes(data, "lost.pptx") as other:
        draft = Draft(package)
        import_slide(draft, other, 4)
        saved = draft.save(tmp_path / "imported.pptx")
    wanted = Presentation(str(samples["rich"])).slides[3].slide_layout.name
    slide = list(Presentation(str(saved)).slides)[-1]
    assert slide.slide_layout.name == wanted
    assert wanted in [one.name for one in slide.slide_layout.slide_master.slide_layouts]
    assert look(saved).dangling() == []
    with Package.open(saved) as after:
        assert [one for one in validate(after) if one.severity == "error"] == []
