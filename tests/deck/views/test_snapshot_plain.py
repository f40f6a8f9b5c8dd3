import json

import pytest
from pydantic import ValidationError

from decklab.deck.model.base import PlainRect, PlainSlide
from decklab.deck.model.slide import SlideElements
from decklab.deck.views.snapshot import plain_slide, slide_schema

PLAIN = {
    "size": {"w": 960, "h": 540},
    "background": "#FFFFFF",
    "texts": [
        {
            "x": 10, "y": 20, "w": 300, "h": 40, "text": "Hello", "align": "center",
            "font": {"name": "Calibri", "size": 24, "style": ["bold"], "color": "#102030"},
        }
    ],
    "rects": [
        {"x": 0, "y": 0, "w": 5, "h": 5, "rx": 1, "fill": None, "stroke": "#000000",
         "strokeWidth": 1.5}
    ],
    "lines": [{"x1": 1, "y1": 2, "x2": 3, "y2": 4, "stroke": "#FF0000", "strokeWidth": 2}],
    "images": [{"x": 1, "y": 2, "w": 3, "h": 4}],
    "tables": [{"x": 1, "y": 2, "w": 3, "h": 4, "cells": [["a", "b"]]}],
}  # fmt: skip


def objects(schema):
    if isinstance(schema, dict):
        if schema.get("type") == "object":
            yield schema
        for value in schema.values():
            yield from objects(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from objects(value)


def test_a_slide_in_the_schema_of_the_paper_is_a_slide_of_the_full_one():
    text = json.dumps(PLAIN)
    plain = PlainSlide.model_validate_json(text)
    full = SlideElements.model_validate_json(text)
    assert plain_slide(full) == plain


def test_the_plain_schema_requires_everything_and_allows_nothing_besides():
    found = list(objects(slide_schema()))
    assert len(found) == 8
    for item in found:
        assert sorted(item["required"]) == sorted(item["properties"])
        assert item["additionalProperties"] is False
    assert "default" not in json.dumps(slide_schema())


def test_the_plain_schema_has_the_fields_that_the_paper_prints():
    definitions = slide_schema()["$defs"]
    assert list(slide_schema()["properties"]) == [
        "size", "background", "texts", "rects", "lines", "images", "tables",
    ]  # fmt: skip
    assert {"x", "y", "w", "h", "rx", "strokeWidth"} <= set(definitions["PlainRect"]["properties"])
    assert {"x1", "y1", "x2", "y2", "strokeWidth"} <= set(definitions["PlainLine"]["properties"])
    assert {"size", "style"} <= set(definitions["Font"]["properties"])
    align = definitions["PlainText"]["properties"]["align"]["enum"]
    assert align == ["left", "center", "right", "justify", "distributed"]


def test_the_full_schema_knows_provenance_and_the_other_kinds():
    schema = slide_schema(full=True)
    assert {"charts", "diagrams", "media", "groups", "others"} <= set(schema["properties"])
    assert "sources" in schema["$defs"]["Text"]["properties"]


@pytest.mark.parametrize(
    "change",
    [
        {"rx": "1"},
        {"w": -1},
        {"fill": "red"},
        {"fill": "#ff0000"},
        {"colour": "#FF0000"},
        {"x": float("nan")},
        {"x": None},
    ],
)
def test_a_rectangle_that_breaks_the_schema_is_refused(change):
    with pytest.raises(ValidationError):
        PlainRect(**{**PLAIN["rects"][0], **change})


def test_the_plain_slide_leaves_out_what_is_not_to_be_seen(slide_of, sp, xfrm):
    place = xfrm(10, 20, 30, 40)
    fill = '<a:solidFill><a:srgbClr val="FF0000"/></a:solidFill>'
    slide = slide_of(
        sp(fill, xfrm=place)
        + sp(fill, xfrm=place, cnv='hidden="1"', id=3)
        + sp("", "<a:p/>", xfrm=place, id=4)
        + sp(fill, id=5)
    )
    assert len(slide.rects) == 3
    assert [(r.x, r.y, r.w, r.h, r.fill) for r in plain_slide(slide).rects] == [
        (10, 20, 30, 40, "#FF0000")
    ]
    assert plain_slide(slide).texts == ()
