"""One slide made anew, by program and by a scripted model, and the pages around a deck."""

import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pptx import Presentation
from tests.writer.scripted import page, point

from decklab.board.blueprint import DeckPlan, SlidePlan, read_plan
from decklab.board.library import LayoutName
from decklab.core.errors import DecklabError, PlanError
from decklab.models.asking import ModelReply, Usage
from decklab.writer.framing import framed
from decklab.writer.request import WriteOptions
from decklab.writer.wishes import in_layout, read_wishes, shortened
from decklab.writer.write import WrittenDeck, write_deck


def slide(**fields: Any) -> SlidePlan:
    data = {"layout": "body", "title": "N", **fields}
    return SlidePlan.model_validate(data, strict=False)


POINTS = [{"text": "In 2019 we built 2 cranes"}, {"text": "In 2017 we planned for 9% more"},
          {"text": "In 2021 the harbour earned 61 million euros"}]  # fmt: skip
LABELLED = [{"label": "Plan", "text": "two weeks"}, {"label": "Build", "text": "nine months"}]
CHART = {"kind": "bar", "categories": ["A", "B"], "source": "S", "unit": "t",
         "series": [{"name": "One", "values": [1, 2.5]}]}  # fmt: skip


@pytest.mark.parametrize(
    ("fields", "layout", "field", "expected"),
    [
        ({"body": POINTS}, "timeline", "steps", ["2017", "2019", "2021"]),
        ({"body": POINTS}, "process", "steps", [one["text"] for one in POINTS]),
        ({"body": POINTS}, "big_numbers", "numbers", ["2 cranes", "9%", "61 million euros"]),
        ({"layout": "cards", "cards": LABELLED}, "process", "steps", ["Plan", "Build"]),
        ({"layout": "process", "steps": LABELLED}, "cards", "cards", ["Plan", "Build"]),
    ],
)
def test_the_same_words_in_another_layout(
    fields: dict[str, Any], layout: LayoutName, field: str, expected: list[str]
) -> None:
    made = in_layout(slide(**fields), layout).slide
    labels = [getattr(one, "label" if field != "numbers" else "value") for one in
              getattr(made, field)]  # fmt: skip
    assert labels == expected


def test_columns_tables_and_lists() -> None:
    two = in_layout(slide(body=POINTS), "two_columns").slide
    assert [len(column.points) for column in two.columns] == [2, 1]
    table = in_layout(slide(layout="process", steps=LABELLED), "table").slide.table
    assert table is not None and table.rows == (("Plan", "two weeks"), ("Build", "nine months"))
    listed = in_layout(slide(layout="process", steps=LABELLED), "body").slide
    assert [(at.text, at.level) for at in listed.body] == [
        ("Plan", 0), ("two weeks", 1), ("Build", 0), ("nine months", 1),
    ]  # fmt: skip
    shown = in_layout(slide(layout="chart", chart=CHART), "table").slide
    assert shown.table is not None and shown.source == "S"
    assert shown.table.rows == (("A", "1"), ("B", "2.5"))
    back = in_layout(shown, "chart").slide.chart
    assert back is not None and back.series[0].values == (1, 2.5)


def test_what_shorter_takes_away_stands_in_the_notes() -> None:
    made = shortened(slide(body=POINTS, notes="old")).slide
    assert len(made.body) == 2
    assert made.notes == "In 2021 the harbour earned 61 million euros\nold"
    with pytest.raises(PlanError, match="too few"):
        shortened(slide(body=POINTS[:1]))


@pytest.mark.parametrize(
    ("fields", "layout", "said"),
    [
        ({"body": [{"text": "No date"}, {"text": "None"}]}, "timeline", "'No date'"),
        ({"body": [{"text": "No number"}]}, "big_numbers", "'No number'"),
        ({"body": POINTS[:1]}, "cards", "at least 2 points; the slide has 1"),
        ({"body": POINTS}, "table", "no names"),
        ({"body": POINTS}, "chart", "a table of numbers"),
        ({"body": POINTS}, "comparison", "two headings"),
        ({"layout": "section"}, "cards", "keeps its layout"),
    ],
)
def test_what_a_layout_cannot_show_is_refused(
    fields: dict[str, Any], layout: LayoutName, said: str
) -> None:
    with pytest.raises(PlanError, match=said):
        in_layout(slide(**fields), layout)


def test_wishes_are_read_in_plain_words() -> None:
    wishes, unknown = read_wishes("Please make it shorter; in two columns but without a picture!")
    assert wishes == ["shorter", "two_columns"]
    assert unknown == ["without a picture!"]
    assert read_wishes("Less text, as big numbers, no picture")[1] == []


@pytest.fixture(scope="module")
def kept(harbour: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("redo")
    options = WriteOptions(theme="corporate")
    write_deck([harbour], folder / "deck.pptx", options=options, keep=folder)
    return folder


@pytest.fixture
def redo(kept: Path, harbour: Path, tmp_path: Path) -> Callable[..., WrittenDeck]:
    """A function that makes a slide of the kept deck anew, in a copy of its folder."""
    for name in ("plan.json", "settings.json"):
        (tmp_path / name).write_bytes((kept / name).read_bytes())

    def run(number: int, wish: str, **how: Any) -> WrittenDeck:
        options = WriteOptions(redo=(number, wish))
        return write_deck(
            [harbour], tmp_path / "deck.pptx", options=options, keep=tmp_path, force=True, **how
        )

    return run


def _parts(deck: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(deck) as package:
        return {name: package.read(name) for name in package.namelist()}


def _place(folder: Path, layout: str) -> int:
    plan = read_plan(folder / "plan.json")
    return next(at for at, one in enumerate(plan.slides, 1) if one.layout.startswith(layout))


def test_only_the_one_slide_of_the_deck_changes(
    kept: Path, redo: Callable[..., WrittenDeck]
) -> None:
    number = _place(kept, "chart")
    written = redo(number, "as a table")
    assert written.told == () and written.unfounded == () and written.theme == "corporate"
    before, after = _parts(kept / "deck.pptx"), _parts(written.files[0])
    changed = {name for name in before if before[name] != after.get(name)}
    slide_parts = {name for name in changed if name.startswith("ppt/slides/slide")}
    assert slide_parts == {f"ppt/slides/slide{number}.xml"}
    # The layouts of a deck are those of its slides: that of the chart is now one for a table.
    layouts = {name for name in changed if name.startswith("ppt/slideLayouts/")}
    assert len(layouts) == 1
    allowed = (*layouts, "ppt/slides/", "ppt/charts/", "ppt/embeddings/", "[Content_Types].xml")
    assert all(name.startswith(allowed) for name in changed)
    shapes = list(Presentation(str(written.files[0])).slides[number - 1].shapes)
    assert any(shape.has_table for shape in shapes) and not any(one.has_chart for one in shapes)
    beside = [point.text for point in read_plan(kept / "plan.json").slides[number - 1].body]
    said = " ".join(shape.text_frame.text for shape in shapes if shape.has_text_frame)
    assert beside and all(text in said for text in beside)


@pytest.mark.long
def test_longer_adds_sentences_of_the_sources_with_their_quotes(
    redo: Callable[..., WrittenDeck], harbour: Path, tmp_path: Path
) -> None:
    few = WriteOptions(slides=3)
    write_deck([harbour], tmp_path / "few.pptx", options=few, keep=tmp_path, force=True)
    plan = read_plan(tmp_path / "plan.json")
    number = len(plan.slides)
    redo(number, "as bullets, shorter")
    before = read_plan(tmp_path / "plan.json").slides[number - 1]
    redo(number, "longer")
    after = read_plan(tmp_path / "plan.json").slides[number - 1]
    new = [point.text for point in after.body if point not in before.body]
    assert 1 <= len(new) <= 2 and all(text in after.notes for text in new)


@pytest.mark.parametrize(
    ("number", "wish", "said"),
    [
        (99, "shorter", "the deck has slides 1 to"),
        (2, "funnier", "'funnier' is not understood; say: shorter"),
        (2, " ", "say what the slide should be"),
        (1, "as cards", "keeps its layout"),
        (2, "with a picture", "no figure of the sources"),
    ],
)
def test_what_cannot_be_done_is_refused_and_nothing_changes(
    number: int, wish: str, said: str, redo: Callable[..., WrittenDeck], tmp_path: Path
) -> None:
    before = (tmp_path / "plan.json").read_bytes()
    with pytest.raises(PlanError, match=said):
        redo(number, wish)
    assert (tmp_path / "plan.json").read_bytes() == before
    assert not (tmp_path / "deck.pptx").exists()


def _scripted(asked: list[str], *replies: dict[str, Any]) -> Callable[..., ModelReply[Any]]:
    """A model that gives the replies in turn, the last for ever, citing what holds its quotes."""

    def ask(prompt: str, *, answer: Any = None, **_: Any) -> ModelReply[Any]:
        asked.append(prompt)
        reply = json.loads(json.dumps(replies[min(len(asked), len(replies)) - 1]))
        for one in reply["points"]:
            lines = [
                line for line in prompt.splitlines() if line[:1] == "[" and one["quote"] in line
            ]
            one["evidence"] = int(lines[0][1 : lines[0].index("]")])
        usage = Usage(100, 20, requests=1)
        return ModelReply(
            json.dumps({"page": reply}),
            answer.model_validate({"page": reply}, strict=False),
            None,
            usage,
        )

    return ask


def test_a_model_writes_the_page_anew_and_its_evidence_is_checked(
    kept: Path, redo: Callable[..., WrittenDeck], tmp_path: Path
) -> None:
    quote = "Accidents fell from 14 to 9."
    slides = enumerate(read_plan(kept / "plan.json").slides, start=1)
    number = next(n for n, one in slides if any(text.startswith("Accidents") for text in one.texts))
    invented = page(points=[point("Accidents fell to 8", quote)])
    good = page(title="Safer work", points=[point("Accidents fell to 9", quote)])
    asked: list[str] = []
    written = redo(number, "funnier", model=_scripted(asked, invented, good))
    assert len(asked) == 2 and "funnier" in asked[0] and "stands in no quote" in asked[1]
    made = read_plan(tmp_path / "plan.json").slides[number - 1]
    assert made.title == "Safer work" and quote in made.notes
    assert written.usage.requests == 2 and written.unfounded == ()
    with pytest.raises(DecklabError, match="no usable answer"):
        redo(number, "funnier", model=_scripted([], invented))


PLAN = DeckPlan(
    title="T", sections=("A", "B"),
    slides=(slide(body=POINTS, section="A"), slide(title="M", body=POINTS, section="B")),
)  # fmt: skip


def test_pages_around_a_deck_come_and_go() -> None:
    whole = framed(PLAN, WriteOptions(title_page=True, contents=True, closing=True)).plan
    assert [one.layout for one in whole.slides] == ["title", "contents", "body", "body", "closing"]
    assert [point.text for point in whole.slides[1].body] == ["A", "B"]
    none = WriteOptions(title_page=False, contents=False, closing=False)
    assert framed(whole, none).plan == PLAN
    assert framed(whole, WriteOptions()).plan == whole
    single = framed(DeckPlan(title="T", slides=(slide(body=POINTS),)), WriteOptions(contents=True))
    assert "no contents page" in single.told[0]
    with pytest.raises(PlanError, match="no slide is left"):
        framed(DeckPlan(title="T", slides=(slide(layout="title"),)), none)


def test_pages_that_are_not_wanted_leave_their_room_to_others(
    harbour: Path, tmp_path: Path
) -> None:
    options = WriteOptions(slides=5, title_page=False, contents=False, closing=False)
    written = write_deck([harbour], tmp_path / "deck.pptx", options=options, keep=tmp_path)
    roles = {one.shown_role for one in read_plan(tmp_path / "plan.json").slides}
    assert roles == {"body"} and 3 < written.slides <= 5


def test_without_a_model_the_words_stay_in_their_language(harbour: Path, tmp_path: Path) -> None:
    options = WriteOptions(language="de", source_language="en")
    written = write_deck([harbour], tmp_path / "deck.pptx", options=options, keep=tmp_path)
    assert written.told == (
        "without a model a deck stays in the language of its documents: it is in en, not in de",
    )
    assert read_plan(tmp_path / "plan.json").language == "en"


def test_a_slide_of_markdown_that_does_not_fit_is_named_by_its_line(tmp_path: Path) -> None:
    talk = tmp_path / "talk.md"
    talk.write_text(f"# A\n\nwords\n\n## {'word ' * 60}\n\n- b\n")
    with pytest.raises(PlanError, match=r"slide 2 .*two lines.*\(line 5\)"):
        write_deck([], tmp_path / "talk.pptx", options=WriteOptions(slides_from=str(talk)))
    assert not (tmp_path / "talk.pptx").exists()
