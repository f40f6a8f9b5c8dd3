from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from decklab.metrics.editing.likeness import alike


@pytest.mark.parametrize(
    ("one", "other", "options", "same"),
    [
        (18.0, 18.18, {}, True),
        (18.0, 18.2, {}, False),
        (0.0, 0.0, {}, True),
        ([0.0, 10.0], [9.6, 15.4], {"key": "position"}, True),
        ([0.0, 10.0], [0.0, 15.5], {"key": "position"}, False),
        ([20.0, 20.0], [21.0, 20.0], {"key": "size"}, True),
        ([200.0, 20.0], [202.1, 20.0], {"key": "size"}, False),
        ("#102030", "#122230", {}, True),
        ("#102030", "#132030", {}, False),
        ("Two  words", "Two words ", {}, True),
        ("Two words", "two words", {}, False),
        ([100.0, 2.0], [100.5, 2.0], {"kind": "chart", "key": "values"}, False),
        (99, 100, {"kind": "slide"}, False),
        (True, 1, {}, False),
        (None, None, {}, True),
        (None, 0.0, {}, False),
        ({"name": "A", "text": "x"}, {"name": "B", "text": "x"}, {"kind": "added"}, True),
        ({"name": "A", "text": "x"}, {"name": "B", "text": "x"}, {}, False),
        ({"text": "x"}, {"text": "x", "w": 9.0}, {"kind": "added"}, False),
        ([1.0], [1.0, 1.0], {}, False),
        ("1", 1, {}, False),
    ],
)
def test_tolerances(one: Any, other: Any, options: dict[str, str], same: bool) -> None:
    assert alike(one, other, **options) is same
    assert alike(other, one, **options) is same


values = st.recursive(
    st.none() | st.booleans() | st.floats(-1e6, 1e6) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(value=values, kind=st.sampled_from(["style", "added", "chart"]))
def test_everything_is_like_itself(value: Any, kind: str) -> None:
    assert alike(value, value, kind=kind)


@given(one=values, other=values)
def test_likeness_has_no_direction(one: Any, other: Any) -> None:
    assert alike(one, other) is alike(other, one)
