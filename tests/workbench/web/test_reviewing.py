"""The changes of a version by slide and shape, and the pieces of pictures that show them."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from decklab.workbench.web.database import VersionRow
from decklab.workbench.web.library import Library
from decklab.workbench.web.workbench import (
    ShapeReview,
    SlideReview,
    accept,
    named,
    older_slide,
    review,
)


def change(
    key: str, slide: int | None = 2, older: int | None = 2, shape: int = 4
) -> dict[str, Any]:
    return {"key": key, "slide": slide, "older": older, "shape": shape, "words": f"change {key}"}


def reviewed(*changes: dict[str, Any], slide: int | None = 2, older: int | None = 2) -> SlideReview:
    rows = [one | {"accepted": one["key"] == "done"} for one in changes]
    return SlideReview(slide, older, [ShapeReview([row], None, None) for row in rows])


@pytest.mark.parametrize(
    ("slide", "older", "heading"),
    [
        (None, None, "The whole deck"),
        (None, 3, "Slide 3 before, which is gone"),
        (4, None, "Slide 4"),
        (4, 4, "Slide 4"),
        (4, 2, "Slide 4, before slide 2"),
    ],
)
def test_a_slide_is_named_by_both_of_its_places(
    slide: int | None, older: int | None, heading: str
) -> None:
    assert reviewed(slide=slide, older=older).heading == heading


def test_what_is_not_accepted_is_open() -> None:
    one = reviewed(change("a"), change("done"), change("b"))
    assert [row["key"] for row in one.changes] == ["a", "done", "b"]
    assert one.open == ["a", "b"]


def test_a_slide_is_found_in_the_older_version_where_it_changed() -> None:
    found = [reviewed(slide=None, older=None), reviewed(slide=3, older=5),
             reviewed(slide=4, older=None)]  # fmt: skip
    assert [older_slide(found, slide) for slide in (3, 4, 5)] == [5, None, None]


def test_what_is_taken_back_is_said_in_short() -> None:
    found = [
        reviewed(slide=None, older=None),
        reviewed(change("a"), change("b")),
        reviewed(change("c"), slide=3, older=3),
    ]
    assert named(found, {"b"}) == "Take back on slide 2: change b"
    assert named(found, {"a", "b"}) == "Take back 2 changes on slide 2"
    assert named(found, {"a", "b", "c"}) == "Take back 3 changes on 2 slides"


@pytest.fixture
def versions(library: Library, add: Callable[..., str]) -> tuple[VersionRow, VersionRow]:
    """Two versions that were looked at: pictures of slide 2, and a shape of each."""
    base = library.version(add(b"before"), 1)
    shown = library.version(add(b"after"), 1)
    for version, box in ((base, [100, 100, 200, 60]), (shown, [300, 200, 200, 60])):
        seen = library.seen(version)
        seen.mkdir(parents=True, exist_ok=True)
        whole = {"id": 9, "box": [0, 0, 960, 540]}
        shapes = [[], [{"id": 4, "box": box}, whole]]
        (seen / "shapes.json").write_text(json.dumps(shapes))
        (seen / "slide-002.webp").write_bytes(b"picture")
    return shown, base


def written(
    library: Library, versions: tuple[VersionRow, VersionRow], *changes: dict[str, Any]
) -> Path:
    file = library.changes_file(*versions)
    file.write_text(json.dumps(changes))
    return file


def test_changes_that_are_not_known_yet_are_none(
    library: Library, versions: tuple[VersionRow, VersionRow]
) -> None:
    assert review(library, *versions) is None
    written(library, versions)
    assert review(library, *versions) == []


def test_changes_are_put_together_by_slide_and_shape(
    library: Library, versions: tuple[VersionRow, VersionRow]
) -> None:
    written(
        library, versions, change("a"), change("b", shape=0), change("c"), change("d", 3, 1),
        change("e", None, 1),
    )  # fmt: skip
    accept(library, versions[1], ["c"])
    found = review(library, *versions)
    assert found is not None
    assert [(one.slide, one.older, len(one.shapes)) for one in found] == [
        (2, 2, 2), (3, 1, 1), (None, 1, 1),
    ]  # fmt: skip
    keys = [[row["key"] for row in shape.changes] for shape in found[0].shapes]
    assert keys == [["a", "c"], ["b"]]
    assert found[0].open == ["a", "b"]


def test_a_shape_is_shown_where_it_was_and_where_it_is_with_a_margin(
    library: Library, versions: tuple[VersionRow, VersionRow]
) -> None:
    written(library, versions, change("a"))
    found = review(library, *versions)
    assert found is not None
    (shape,) = found[0].shapes
    assert shape.before is not None
    assert shape.after is not None
    # both places, 100 to 500 by 100 to 260, and 18 px around: 82 to 518 by 82 to 278; pictures
    # are 1280 by 720, 4 for 3
    assert shape.before.view == shape.after.view == "109.3 109.3 581.3 261.3"
    assert (shape.before.slide, shape.before.number, shape.before.size) == (2, 1, (1280, 720))


@pytest.mark.parametrize(
    "one",
    [
        change("a", shape=0),  # the slide itself
        change("a", shape=9),  # as large as the slide
        change("a", shape=77),  # in neither version
        change("a", 1, 1),  # no picture of this slide
        change("a", None, None, 0),
    ],
)
def test_changes_of_whole_slides_and_of_what_was_not_drawn_have_no_piece(
    library: Library, versions: tuple[VersionRow, VersionRow], one: dict[str, Any]
) -> None:
    written(library, versions, one)
    found = review(library, *versions)
    assert found is not None
    (shape,) = found[0].shapes
    assert (shape.before, shape.after) == (None, None)


def test_a_shape_that_was_added_has_no_piece_of_before(
    library: Library, versions: tuple[VersionRow, VersionRow]
) -> None:
    written(library, versions, change("a", 2, None))
    found = review(library, *versions)
    assert found is not None
    (shape,) = found[0].shapes
    assert shape.before is None
    assert shape.after is not None
    # 300 to 500 by 200 to 260
    assert shape.after.view == "376.0 242.7 314.7 128.0"


def test_a_piece_ends_at_the_edge_of_the_slide(
    library: Library, versions: tuple[VersionRow, VersionRow]
) -> None:
    shown, _base = versions
    boxes = [[], [{"id": 4, "box": [-20, 500, 100, 100]}]]
    (library.seen(shown) / "shapes.json").write_text(json.dumps(boxes))
    written(library, versions, change("a", 2, None))
    found = review(library, *versions)
    assert found is not None
    (shape,) = found[0].shapes
    assert shape.after is not None
    assert shape.after.view == "0.0 642.7 130.7 77.3"  # 0 to 98 by 482 to 540
