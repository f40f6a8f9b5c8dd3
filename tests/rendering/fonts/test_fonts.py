from collections.abc import Callable
from pathlib import Path

import pytest
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches
from tests.drawing import RecordedOffice

from decklab.ooxml.package import Package
from decklab.rendering.font_report import Replacement, font_report, substitute_families
from decklab.rendering.fonts import (
    FontUse,
    family_of,
    font_set_hash,
    installed_families,
    requested_fonts,
)
from decklab.rendering.office import Office
from decklab.rendering.renderer import Cache, Renderer

WriteDeck = Callable[..., Path]


def asked(path: Path) -> dict[str, FontUse]:
    with Package.open(path) as package:
        return {use.family: use for use in requested_fonts(package)}


def test_fonts_of_slides_and_of_the_theme_behind_them_are_asked_for(write_deck: WriteDeck) -> None:
    path = write_deck(("Text", 10, 10), ("More", 10, 10, 20, "000000"))
    fonts = asked(path)
    assert fonts["Arial"].parts == ("ppt/slides/slide1.xml", "ppt/slides/slide2.xml")
    assert fonts["Arial"].scripts == ("latin",)
    # python-pptx's template names its fonts by +mj-lt and +mn-lt; its theme says Calibri.
    assert "ppt/slideMasters/slideMaster1.xml" in fonts["Calibri"].parts
    assert not any(family.startswith("+") for family in fonts)


def test_fonts_of_tables_and_charts_are_asked_for(write_deck: WriteDeck) -> None:
    path = write_deck(("Text", 10, 10))
    deck = Presentation(str(path))
    shapes = deck.slides[0].shapes
    table = shapes.add_table(1, 1, 0, 0, Inches(2), Inches(1)).table
    table.cell(0, 0).text = "cell"
    table.cell(0, 0).text_frame.paragraphs[0].runs[0].font.name = "Table Face"
    data = CategoryChartData()
    data.categories = ["a"]
    data.add_series("s", (1,))
    size = (0, 0, Inches(3), Inches(3))
    frame = shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, *size, data)
    frame.chart.font.name = "Chart Face"
    deck.save(str(path))
    fonts = asked(path)
    assert fonts["Table Face"].parts == ("ppt/slides/slide1.xml",)
    assert fonts["Chart Face"].parts[0].startswith("ppt/charts/")


@pytest.mark.parametrize(("text", "there"), [("only Latin", False), ("永和九年", True)])
def test_east_asian_fonts_count_where_there_is_such_text(
    write_deck: WriteDeck, text: str, there: bool
) -> None:
    path = write_deck((text, 10, 10))
    deck = Presentation(str(path))
    properties = deck.slides[0].shapes[0].text_frame.paragraphs[0].runs[0].font._rPr
    namespace = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
    properties.makeelement(f"{namespace}ea", {"typeface": "Ming Face"})
    properties.append(properties.makeelement(f"{namespace}ea", {"typeface": "Ming Face"}))
    deck.save(str(path))
    assert ("Ming Face" in asked(path)) == there


def test_the_font_set_has_one_stable_hash() -> None:
    if not installed_families():
        pytest.skip("fontconfig's fc-list is not installed")
    assert font_set_hash() == font_set_hash()
    assert len(font_set_hash()) == 64
    assert all(name == name.casefold() and name.strip() == name for name in installed_families())


def test_without_fontconfig_no_fonts_are_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert installed_families() == frozenset()
    assert font_set_hash() == ""
    assert family_of("Some-Face") == "Some-Face"


def test_without_an_engine_replacements_are_not_known(write_deck: WriteDeck) -> None:
    path = write_deck(("Text", 10, 10, 20, "000000"))
    deck = Presentation(str(path))
    deck.slides[0].shapes[0].text_frame.paragraphs[0].runs[0].font.name = "No Such Face"
    deck.save(str(path))
    with Package.open(path) as package:
        report = font_report(package)
    assert "No Such Face" in report.missing
    assert all(item.drawn is None and not item.same_widths for item in report.replaced)


def uses(*families: str) -> list[FontUse]:
    return [FontUse(family, ("latin",), ()) for family in families]


@pytest.mark.office
def test_an_installed_font_is_drawn_as_itself_and_a_missing_one_as_one_that_is(
    office: Office,
) -> None:
    real = sorted({"Liberation Serif", "DejaVu Sans", "DejaVu Serif", "Liberation Mono"})
    here = [family for family in real if family.casefold() in installed_families()]
    odd = ['No <Such> & "Face" o\'', "Nowhere Sans"]
    drawn = substitute_families(uses(*here, *odd), Renderer(office))
    assert {family: drawn[family] for family in here} == {family: family for family in here}
    assert all(drawn[family].casefold() in installed_families() for family in odd)


@pytest.mark.office
def test_many_fonts_keep_their_places_over_several_pages(office: Office) -> None:
    if not {"liberation serif", "liberation mono"} <= installed_families():
        pytest.skip("the Liberation fonts are not installed")
    families = [f"Missing {number}" for number in range(45)]
    families[23], families[41] = "Liberation Serif", "Liberation Mono"
    drawn = substitute_families(uses(*families), Renderer(office))
    assert list(drawn) == families
    serif = [family for family, font in drawn.items() if font == "Liberation Serif"]
    assert (serif, drawn["Liberation Mono"]) == (["Liberation Serif"], "Liberation Mono")


@pytest.mark.office
def test_answers_are_kept_in_the_cache(office: Office, tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    first = substitute_families(uses("Nowhere Sans"), Renderer(office, cache))
    silent = RecordedOffice({})
    silent.engine = office.engine
    assert substitute_families(uses("Nowhere Sans"), Renderer(silent, cache)) == first
    assert silent.asked == []


def test_remarks_are_no_part_of_a_fonts_name(write_deck: WriteDeck) -> None:
    path = write_deck(("Text", 10, 10))
    deck = Presentation(str(path))
    for shape in deck.slides[0].shapes:
        for paragraph in shape.text_frame.paragraphs if shape.has_text_frame else ():
            for run in paragraph.runs:
                run.font.name = "Tahoma (Headings)"
    deck.save(str(path))
    assert "Tahoma" in asked(path) and "Tahoma (Headings)" not in asked(path)


@pytest.mark.parametrize(
    ("family", "drawn", "wider"),
    [  # from the figures of @capsizecss/metrics: 0.474 and 0.443, 0.446 and 0.446 em
        ("Segoe UI Semibold", "Noto Sans", 0.474 / 0.443),
        ("Arial", "Liberation Sans", 1.0),
        ("Nobody Knows", "Noto Sans", None),
        ("Arial", None, None),
    ],
)
def test_known_families_say_how_much_wider_their_replacement_is(
    family: str, drawn: str | None, wider: float | None
) -> None:
    found = Replacement(FontUse(family, ("latin",), ("slide",)), drawn, False)
    assert found.wider == (None if wider is None else pytest.approx(wider))
    assert (found.taller is None) == (wider is None)
