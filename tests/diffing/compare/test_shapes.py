"""Charts of snapshots, compared as they are."""

from typing import Any

from decklab.diffing.compare.shapes import chart_differences


def chart(*categories: list[str]) -> dict[str, Any]:
    series = [
        {"name": f"Series {number}", "categories": one, "values": [1.0] * len(one)}
        for number, one in enumerate(categories)
    ]
    return {"type": "bar", "series": series}


def told(old: dict[str, Any], new: dict[str, Any]) -> list[tuple[Any, Any]]:
    return [(one.old, one.new) for one in chart_differences(old, new)]


def test_a_category_that_series_share_is_told_once() -> None:
    short, long = ["Oslo"], ["Oslo", "Rome", "Lima"]
    found = told(
        chart(short, long, long), chart(["Bern"], ["Bern", *long[1:]], ["Bern", *long[1:]])
    )
    assert found == [(long, ["Bern", "Rome", "Lima"])]


def test_series_with_categories_of_their_own_are_told_each() -> None:
    found = told(chart(["Oslo", "Rome"], ["2024"]), chart(["Bern", "Rome"], ["2025"]))
    assert found == [(["Oslo", "Rome"], ["Bern", "Rome"]), (["2024"], ["2025"])]
