import json
from typing import Any

import pytest

from decklab.deck.deck import write_samples
from decklab.deck.views.snapshot import Snapshot, snapshot_of
from decklab.editor.outline import deck_outline, slides_in_full, slides_named_in


@pytest.fixture(scope="module")
def rich(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    return snapshot_of(write_samples(tmp_path_factory.mktemp("samples"))[1])


def empty(**more: object) -> Snapshot:
    return {"size_pt": [960, 540], "slides": [], "layouts": [], "themes": [], **more}


def many(count: int) -> Snapshot:
    slides = [{"number": n, "title": f"Slide {n} " * 20, "shapes": []} for n in range(1, count + 1)]
    return empty(slides=slides)


def test_the_outline_has_a_line_for_every_slide(rich: Snapshot) -> None:
    outline = deck_outline(rich)
    lines = [line for line in outline.splitlines() if line.split(":")[0].isdigit()]
    assert len(lines) == 14
    assert lines[1].startswith('2: "The plan in three numbers" [Title on tint;')
    assert "notes; transition; animations" in lines[1]
    assert "1 chart" in outline
    assert "accent1" in outline


@pytest.mark.parametrize("most", [24_000, 3000, 900])
@pytest.mark.parametrize("count", [1, 40, 1000])
def test_the_outline_keeps_to_its_budget(count: int, most: int) -> None:
    outline = deck_outline(many(count), most=most)
    assert len(outline) <= most + 30
    shown = [line for line in outline.splitlines() if line.split(":")[0].isdigit()]
    assert len(shown) == count or f"… {count - len(shown)} more slides" in outline


def test_an_empty_deck_has_an_outline_too() -> None:
    assert deck_outline(empty()).startswith("0 slides of 960 x 540 pt")
    assert slides_in_full(empty(), [1, 2]) == ""


def test_slides_in_full_hold_their_words_ids_and_places(rich: Snapshot) -> None:
    (line,) = slides_in_full(rich, [2]).splitlines()
    told = json.loads(line)
    card = next(shape for shape in told["shapes"] if shape["id"] == 8)
    assert card["box"] == [72, 262, 236, 88]
    assert card["text"]["paragraphs"][0] == "6,400"
    assert card["text"]["font"]["size"] == 56
    assert told["notes"].startswith("Homes: addresses")
    assert len(told["animations"]) == 3
    whole = json.dumps(rich["slides"][1])
    assert len(line) < len(whole) / 2


def test_every_word_of_a_slide_is_told(rich: Snapshot) -> None:
    def words(value: object) -> list[str]:
        if isinstance(value, dict):
            return [w for k, v in value.items() for w in (words(v) if k != "text" else told(v))]
        return [w for one in value for w in words(one)] if isinstance(value, list) else []

    def told(value: object) -> list[str]:
        return value.split() if isinstance(value, str) else words(value)

    for slide in rich["slides"]:
        shown = slides_in_full(rich, [slide["number"]])
        said = json.dumps(words(slide["shapes"]), ensure_ascii=False)
        for word in json.loads(said):
            assert json.dumps(word, ensure_ascii=False)[1:-1] in shown


@pytest.mark.parametrize("most", [60_000, 20_000, 4000, 300])
def test_slides_in_full_keep_to_their_budget_and_are_whole_json(rich: Snapshot, most: int) -> None:
    shown = slides_in_full(rich, range(1, 15), most=most)
    told = [json.loads(line) for line in shown.splitlines()]
    assert [slide["number"] for slide in told] == list(range(1, 15))
    assert len(shown) <= most + 14 * 32
    for slide, one in zip(rich["slides"], told, strict=True):
        assert len(one.get("shapes", [])) + one.get("left_out", 0) == len(slide["shapes"])


def shape(number: int, length: int) -> dict[str, Any]:
    words = {"text": "w" * length, "paragraphs": [{"runs": [{"text": "w" * length}]}]}
    return {"kind": "shape", "id": number, "name": f"Box {number}", "text": words}


def slide(number: int, *lengths: int) -> dict[str, Any]:
    shapes = [shape(at, length) for at, length in enumerate(lengths, 2)]
    return {"number": number, "title": "", "shapes": shapes}


def test_a_long_slide_gets_what_short_ones_do_not_need() -> None:
    deck = empty(slides=[slide(1, 3000), *(slide(number, 10) for number in range(2, 11))])
    shown = [json.loads(line) for line in slides_in_full(deck, range(1, 11), most=5000).split("\n")]
    assert not any("left_out" in one or "shown" in one for one in shown)
    assert shown[0]["shapes"][0]["text"]["paragraphs"] == ["w" * 3000]


def test_what_does_not_fit_is_left_out_by_whole_shapes() -> None:
    (line,) = slides_in_full(empty(slides=[slide(1, 50, 900, 60)]), [1], most=400).splitlines()
    told = json.loads(line)
    assert told["left_out"] == 1
    assert [one["name"] for one in told["shapes"]] == ["Box 2", "Box 4"]


@pytest.mark.parametrize(
    ("instruction", "numbers"),
    [
        ("Make the title of slide 3 bold", (3,)),
        ("Swap slides 2 and 4", (2, 4)),
        ("On slides 2-4, 7 and 9 to 11", (2, 3, 4, 7, 9, 10, 11)),
        ("Delete slide 99", ()),
        ("Make it nicer", ()),
        ("Where does “radiator in five steps” lead?", (7,)),
        ("Move 'What we ask you to decide today' to the front", (13,)),
        ("slides", ()),
        ("", ()),
    ],
)
def test_slides_are_found_by_number_and_by_quoted_words(
    rich: Snapshot, instruction: str, numbers: tuple[int, ...]
) -> None:
    assert slides_named_in(instruction, rich) == numbers
