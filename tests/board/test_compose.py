"""Composed slides: places on the slide, sizes of the scale, parts of what is too long."""

from itertools import combinations
from pathlib import Path

import pytest
from PIL import Image
from tests.board.plans import LANGUAGES, every_layout, plan_of

from decklab.board.boxes import Connector, GroupBox, Item, PictureBox, Shape, TextBox
from decklab.board.compose import Composed, compose, title_fits
from decklab.board.fitting import Fitter
from decklab.board.html_deck import html_text
from decklab.core.errors import PlanError, UnknownName
from decklab.core.geometry import FRAME, Box


def flat(items: tuple[Item, ...]) -> list[Item]:
    return [
        member
        for item in items
        for member in (item.items if isinstance(item, GroupBox) else (item,))
    ]


def body(count: int, **more: object) -> dict[str, object]:
    text = "A point of some length that takes a good part of one line on a slide"
    points = [{"text": f"{number}: {text}"} for number in range(count)]
    return {"layout": "body", "title": "T", "body": points, **more}


def texts(composed: Composed) -> list[str]:
    return [
        paragraph.text
        for slide in composed.slides
        for item in flat(slide.items)
        if isinstance(item, TextBox)
        for paragraph in item.paragraphs
    ]


@pytest.mark.by_day(2)
@pytest.mark.parametrize("theme", ["light", "editorial", "academic", "corporate", "playful"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_has_its_place(theme: str, language: str, pictures: Path) -> None:
    composed = compose(every_layout(language, pictures), theme)
    fitter = Fitter(composed.theme, composed.plan.language)
    scale = composed.theme.scale
    sizes = {scale.lead, *scale.down_from(100, 12)}
    for slide in composed.slides:
        items = flat(slide.items)
        boxes = [item for item in items if isinstance(item, TextBox)]
        solid = [item.box for item in items if not isinstance(item, Connector | Shape)]
        for item in items:
            if not isinstance(item, Connector):
                assert item.box.union(FRAME) == FRAME, (slide.layout, item.name)
        for box in boxes:
            assert fitter.fits(box), (slide.layout, box.name)
            assert {box.style.size, *(p.size for p in box.paragraphs if p.size)} <= sizes
        for first, second in combinations(solid, 2):
            assert first.intersection(second).area == 0, (slide.layout, first, second)
        title = next(box for box in boxes if box.slot and box.slot.kind == "title")
        assert sum(map(len, fitter.lines(title))) <= 2


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_point_of_the_plan_is_lost(language: str, pictures: Path) -> None:
    plan = every_layout(language, pictures)
    composed = compose(plan, "light")
    for layout in ("body", "contents"):
        wanted = [p.text for slide in plan.slides if slide.layout == layout for p in slide.body]
        shown = [
            p.text
            for slide in composed.slides if slide.layout == layout
            for item in slide.items
            if isinstance(item, TextBox) and item.name.split()[0] in ("Text", "Contents")
            for p in item.paragraphs
        ]  # fmt: skip
        assert shown == wanted


def test_body_titles_have_one_size() -> None:
    long = "A title that says what is true of the slide and takes so many words for it that it " * 2
    plan = plan_of({"title": "T", "slides": [body(1), body(1, title=long.strip())]})
    composed = compose(plan, "light")
    sizes = {
        item.style.size
        for slide in composed.slides
        for item in slide.items
        if isinstance(item, TextBox) and item.name == "Title"
    }
    assert sizes == {composed.title_size}
    assert composed.title_size < composed.theme.scale.title
    assert title_fits("T", composed.theme)
    assert not title_fits(long, composed.theme)


def test_a_large_title_does_not_end_in_one_short_word() -> None:
    slide = {"layout": "title", "title": "Clean water for every village by 2030"}
    composed = compose(plan_of({"title": "T", "slides": [slide]}), "playful")
    title = composed.slides[0].items[0]
    assert isinstance(title, TextBox)
    lines = Fitter(composed.theme).lines(title)[0]
    assert len(lines) == 2
    assert len(lines[1].split()) > 1


def test_a_title_of_three_lines_is_refused() -> None:
    plan = plan_of({"title": "T", "slides": [body(1), body(1, title="word " * 60 + "end")]})
    with pytest.raises(PlanError, match=r"slide 2 \(body\): the title takes more than two lines"):
        compose(plan, "light")


def test_too_many_points_go_on_to_more_slides_of_one_text_size() -> None:
    composed = compose(plan_of({"title": "T", "slides": [body(25, notes="Say it.")]}), "light")
    titles = [slide.plan.title for slide in composed.slides]
    count = len(composed.slides)
    assert count >= 2
    assert titles == [f"T ({number}/{count})" for number in range(1, count + 1)]
    assert [slide.plan.notes for slide in composed.slides] == ["Say it.", *[""] * (count - 1)]
    sizes = {item.style.size for slide in composed.slides for item in slide.items
             if isinstance(item, TextBox) and item.name == "Text"}  # fmt: skip
    assert len(sizes) == 1
    assert [text for text in texts(composed) if "A point" in text] == [
        point.text for point in composed.plan.slides[0].body
    ]


def test_numbers_of_steps_go_on_and_a_table_keeps_its_headings() -> None:
    steps = [{"label": f"Step {number}", "text": "Text"} for number in range(8)]
    rows = [[str(number), "cell"] for number in range(60)]
    table = {"header": ["No", "What"], "rows": rows}
    plan = plan_of({"title": "T", "slides": [
        {"layout": "process", "title": "P", "steps": steps},
        {"layout": "table", "title": "Q", "table": table},
    ]})  # fmt: skip
    composed = compose(plan, "dark")
    labels = [text for text in texts(composed) if ". Step" in text]
    assert labels == [f"{number + 1}. Step {number}" for number in range(8)]
    parts = [slide.plan.table for slide in composed.slides if slide.layout == "table"]
    assert len(parts) > 1
    assert all(part.header == ("No", "What") for part in parts if part)
    assert [list(row) for part in parts if part for row in part.rows] == rows


def test_a_key_point_stands_on_the_accent_colour_and_the_others_beside_it() -> None:
    points = [{"text": text} for text in ("First", "The harbour grew", "Third")]
    slide = {"layout": "body", "title": "T", "body": points, "key": 1}
    composed = compose(plan_of({"title": "T", "slides": [slide]}), "light")
    boxes = {item.name: item for item in composed.slides[0].items if isinstance(item, TextBox)}
    key, text = boxes["Key point"], boxes["Text"]
    assert (key.fill, key.style.color) == ("accent", "background")
    assert [item.text for item in key.paragraphs] == ["The harbour grew"]
    assert [item.text for item in text.paragraphs] == ["First", "Third"]
    assert text.slot is not None and key.slot is None
    assert key.box.right < text.box.left


def test_a_slide_that_is_split_has_no_key_point() -> None:
    composed = compose(plan_of({"title": "T", "slides": [body(25, key=0)]}), "light")
    assert len(composed.slides) > 1
    assert all(slide.plan.key is None for slide in composed.slides)
    assert sum("A point" in text for text in texts(composed)) == 25


def test_body_text_has_the_size_of_the_slide_in_the_middle_and_few_words_are_larger() -> None:
    long = body(10)
    middle = [body(8), body(9), long]
    for slides, size in (([body(2), long, long], 16), (middle, 20), ([body(2), *middle], 24)):
        composed = compose(plan_of({"title": "T", "slides": slides}), "light")
        sizes = [
            item.style.size
            for slide in composed.slides
            for item in slide.items
            if isinstance(item, TextBox) and item.name == "Text"
        ]
        assert max(sizes) == size
        assert min(sizes) == 16


def test_text_that_cannot_be_split_is_named() -> None:
    plan = plan_of({"title": "T", "slides": [
        {"layout": "quote", "title": "T", "quote": {"text": "word " * 600}},
    ]})  # fmt: skip
    with pytest.raises(
        PlanError, match=r"slide 1 \(quote\): Quote: the text does not fit at 12 pt"
    ):
        compose(plan, "light")


def test_names_of_categories_that_do_not_fit_are_named() -> None:
    names = [f"Instandhaltungsverantwortliche {number}" for number in range(12)]
    chart = {"kind": "line", "categories": names, "unit": "u", "source": "s",
             "series": [{"name": "n", "values": [1.0] * 12}]}  # fmt: skip
    slide = {"layout": "chart", "title": "T", "chart": chart}
    with pytest.raises(PlanError, match=r"do not fit \(a chart of kind 'bar' has more room"):
        compose(plan_of({"title": "T", "slides": [slide]}), "light")
    for kind in ("bar", "column"):
        slide["chart"] = {**chart, "kind": kind}
        assert len(compose(plan_of({"title": "T", "slides": [slide]}), "light").slides) == 1
    many = {"categories": names + [f"{name}0" for name in names],
            "series": [{"name": "n", "values": [1.0] * 24}]}  # fmt: skip
    slide["chart"] = {**chart, "kind": "column", **many}
    with pytest.raises(PlanError, match=r"the names of its categories do not fit$"):
        compose(plan_of({"title": "T", "slides": [slide]}), "light")


@pytest.mark.parametrize("kind", ["column", "bar", "line", "pie"])
def test_charts_of_zeros_and_of_one_value_are_drawn(kind: str) -> None:
    values = [0.0, 5.0] if kind == "pie" else [0.0, 0.0]
    chart = {"kind": kind, "categories": ["a", "b"], "unit": "u", "source": "s",
             "series": [{"name": "n", "values": values}]}  # fmt: skip
    one = {**chart, "categories": ["a"], "series": [{"name": "n", "values": [3.0]}]}
    slides = [{"layout": "chart", "title": "T", "chart": shown} for shown in (chart, one)]
    page = html_text(compose(plan_of({"title": "T", "slides": slides}), "light"))
    assert page.count("<svg role") == 2
    assert "nan" not in page


def test_arabic_slides_are_mirrored(pictures: Path) -> None:
    english = compose(every_layout("short", pictures), "light")
    arabic = compose(english.plan.model_copy(update={"language": "ar"}), "light")
    for first, second in zip(english.slides, arabic.slides, strict=True):
        for one, other in zip(first.items, second.items, strict=True):
            if isinstance(one, TextBox) and isinstance(other, TextBox):
                left, top, right, bottom = one.box
                assert other.box == Box(960 - right, top, 960 - left, bottom)


def test_photographs_are_cropped_and_figures_are_not(tmp_path: Path) -> None:
    Image.new("RGB", (400, 100), "#336699").save(tmp_path / "wide.png")
    shown = {"path": str(tmp_path / "wide.png"), "alt": "A stripe"}
    plan = plan_of({"title": "T", "slides": [
        {"layout": "picture_left", "title": "T", "picture": {**shown, "kind": kind}}
        for kind in ("photograph", "figure")
    ]})  # fmt: skip
    photograph, figure = (
        next(item for item in slide.items if isinstance(item, PictureBox))
        for slide in compose(plan, "light").slides
    )
    left, top, right, bottom = photograph.crop
    assert (top, bottom) == (0, 0)
    part = 400 * (1 - left - right) / 100
    assert part == pytest.approx(photograph.box.width / photograph.box.height)
    assert figure.crop == (0.0, 0.0, 0.0, 0.0)
    assert figure.box.width / figure.box.height == pytest.approx(4)


def test_a_picture_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "no.png").write_bytes(b"no picture")
    for name in ("no.png", "missing.png"):
        picture = {"path": str(tmp_path / name), "alt": "A picture"}
        plan = plan_of({"title": "T", "slides": [
            {"layout": "picture_full", "title": "T", "picture": picture}]})  # fmt: skip
        with pytest.raises(PlanError, match=name):
            compose(plan, "light")


def test_an_unknown_theme_is_named() -> None:
    with pytest.raises(UnknownName, match="lihgt"):
        compose(plan_of({"title": "T", "slides": [body(1)]}), "lihgt")
