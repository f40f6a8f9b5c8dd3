"""Frames and plain data, against Python's own json."""

import json
import math
import os
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from decklab.sandbox.guest.wire import (
    FrameBuffer,
    FrameTooLarge,
    NotPlain,
    decode,
    encode,
    frame,
    read_frame,
    send,
)

_TEXT = st.text(st.characters(exclude_categories=["Cs"]))
_LEAVES = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
)
_PLAIN = st.recursive(
    _LEAVES | _TEXT | st.binary(),
    lambda inner: (
        st.lists(inner) | st.dictionaries(_TEXT.filter(lambda k: k != "__bytes__"), inner)
    ),
    max_leaves=20,
)


@given(_PLAIN)
def test_plain_data_comes_back_as_it_was(value: Any) -> None:
    assert decode(encode(value)) == value


@given(st.recursive(_LEAVES | _TEXT, st.lists, max_leaves=10))
def test_what_json_can_say_is_said_in_json(value: Any) -> None:
    assert json.loads(encode(value)) == value


@given(st.binary(max_size=200))
def test_any_bytes_are_plain_data_or_are_refused(data: bytes) -> None:
    try:
        decode(data)
    except NotPlain as error:
        assert str(error)
    else:
        json.loads(data)


@pytest.mark.parametrize(
    "value", [math.nan, [math.inf], object(), {1: 2}, {"__bytes__": "x"}, {1, 2}, 1j, print]
)
def test_what_is_not_plain_is_refused(value: object) -> None:
    with pytest.raises(NotPlain):
        encode(value)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "NaN",
        "[Infinity]",
        "1e999",
        "[" * 100_000,
        "9" * 5000,
        '{"__bytes__": 3}',
        '{"__bytes__": "!"}',
        "\xff",
    ],
)
def test_what_looks_otherwise_than_plain_data_is_refused(text: str) -> None:
    with pytest.raises(NotPlain):
        decode(text.encode("latin-1"))


def test_numbers_of_numpy_become_pythons() -> None:
    import numpy as np

    assert decode(encode([np.float32(0.5), np.int64(3), np.bool_(True)])) == [0.5, 3, True]


@given(st.lists(st.tuples(st.sampled_from([b"A", b"B"]), st.binary(max_size=50))), st.data())
def test_frames_come_whole_however_the_bytes_are_cut(
    frames: list[tuple[bytes, bytes]], data: st.DataObject
) -> None:
    stream = b"".join(frame(*pair) for pair in frames)
    buffer, got = FrameBuffer({b"A": 50, b"B": 50}), []
    while stream:
        cut = data.draw(st.integers(1, len(stream)))
        buffer.feed(stream[:cut])
        stream = stream[cut:]
        while (found := buffer.next()) is not None:
            got.append(found)
    assert got == frames


@pytest.mark.parametrize("data", [frame(b"A", b"12345"), frame(b"X", b""), b"A\xff\xff\xff\xff"])
def test_a_frame_too_large_or_unknown_is_refused_by_its_header(data: bytes) -> None:
    buffer = FrameBuffer({b"A": 4})
    buffer.feed(data[:5])
    with pytest.raises(FrameTooLarge):
        buffer.next()


def test_frames_pass_through_a_pipe_until_it_is_shut() -> None:
    come, to = os.pipe()
    send(to, b"A", b"payload")
    os.close(to)
    assert read_frame(come) == (b"A", b"payload")
    with pytest.raises(EOFError):
        read_frame(come)
    os.close(come)
