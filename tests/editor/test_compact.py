"""A slide in few characters: nothing that a request needs is lost."""

from typing import Any

import pytest

from decklab.editor.outline import compact_slide


def paragraph(text: str, size: int = 18, **more: Any) -> dict[str, Any]:
    return {"runs": [{"text": text, "font": {"name": "Lato", "size": size}}], **more}


def shape(**more: Any) -> dict[str, Any]:
    place = {"x": 10.04, "y": 20, "w": 300, "h": 40.5}
    return {"kind": "shape", "id": 7, "name": "Box", "z": 3, **place, **more}


def compacted(**more: Any) -> dict[str, Any]:
    slide = {"number": 2, "id": 300, "title": "", "shapes": [shape(**more)]}
    (made,) = compact_slide(slide)["shapes"]
    return made


def text(*paragraphs: dict[str, Any]) -> dict[str, Any]:
    return {"text": {"text": "", "font": {"name": "Lato"}, "paragraphs": list(paragraphs)}}


def test_a_shape_has_its_place_in_one_list_and_no_order() -> None:
    assert compacted() == {"id": 7, "name": "Box", "box": [10, 20, 300, 40.5]}


def test_looks_of_most_paragraphs_are_said_once() -> None:
    lines = [paragraph("one"), paragraph("two", 24), paragraph("three", level=1), paragraph("four")]
    made = compacted(**text(*lines))["text"]
    assert made["font"] == {"name": "Lato", "size": 18}
    assert made["paragraphs"] == [
        "one", {"text": "two", "font": {"size": 24}}, {"text": "three", "level": 1}, "four",
    ]  # fmt: skip


def test_a_look_that_one_paragraph_lacks_is_null() -> None:
    lines = [paragraph("one", level=1), paragraph("two", level=1), paragraph("three")]
    assert compacted(**text(*lines))["text"]["paragraphs"][2] == {"text": "three", "level": None}


def test_one_bold_word_is_seen() -> None:
    runs = [{"text": "now ", "font": {"size": 18}},
            {"text": "ready", "font": {"size": 18, "style": ["bold"]}},
            {"text": " to go", "font": {"size": 18}}]  # fmt: skip
    (line,) = compacted(**text({"runs": runs}))["text"]["paragraphs"]
    assert line == {"runs": ["now ", {"text": "ready", "font": {"style": ["bold"]}}, " to go"]}


def test_lengths_are_told_in_a_word() -> None:
    spaced = paragraph("one", line_spacing={"value": 1.2, "unit": "share"},
                       space_after={"value": 6, "unit": "points"})  # fmt: skip
    made = compacted(**text(spaced))["text"]
    assert (made["line_spacing"], made["space_after"]) == ("120%", "6pt")


def cell(words: str, size: int = 12, **more: Any) -> dict[str, Any]:
    return {"paragraphs": [paragraph(words, size)], **more}


def test_a_table_is_its_texts_with_the_exceptions_of_looks() -> None:
    rows = [
        [cell("Town", 14, fill="#112233"), cell("2025", 14, fill="#112233")],
        [cell("North"), cell("3")],
        [cell("South"), cell("4", fill="#FF0000")],
    ]
    texts = [["Town", "2025"], ["North", "3"], ["South", "4"]]
    made = compacted(kind="table", table={"cells": texts, "columns": [90, 60], "rows": rows})
    assert made["kind"] == "table"
    assert made["table"] == {
        "texts": texts, "columns": [90, 60], "looks": {"font": {"name": "Lato", "size": 12}},
        "other_looks": [
            {"cells": "row 1", "font": {"size": 14}, "fill": "#112233"},
            {"cells": "r3c2", "fill": "#FF0000"},
        ],
    }  # fmt: skip


@pytest.mark.parametrize("table", [{"cells": [], "rows": []}, {"cells": [[]], "rows": [[]]}])
def test_a_table_without_cells_is_no_error(table: dict[str, Any]) -> None:
    assert "looks" not in compacted(kind="table", table=table).get("table", {})


def test_a_title_that_a_shape_holds_is_not_told_twice() -> None:
    held = shape(placeholder={"type": "title"}, **text(paragraph("Results")))
    assert "title" not in compact_slide({"number": 1, "title": "Results", "shapes": [held]})
    assert compact_slide({"number": 1, "title": "Results", "shapes": []})["title"] == "Results"


def test_a_shape_without_anything_is_kept() -> None:
    assert compact_slide({"number": 1, "shapes": [{"kind": "other"}]})["shapes"] == [
        {"kind": "other"}
    ]
