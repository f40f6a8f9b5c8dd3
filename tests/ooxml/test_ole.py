import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.examples import examples

from decklab.core.errors import EncryptedDeck, TruncatedDeck, UnsupportedFormat
from decklab.ooxml.signatures import ole_streams, refuse_ole


def test_stream_names_are_read_across_sectors(ole_file):
    names = [f"Stream {i}" for i in range(11)]
    assert ole_streams(io.BytesIO(ole_file(*names)), "a.ppt") == {"Root Entry", *names}


def test_a_chain_that_loops_ends(ole_file):
    data = bytearray(ole_file(*"abcdefgh"))
    data[512 + 8 : 512 + 12] = (1).to_bytes(4, "little")  # the second sector leads to the first
    assert "a" in ole_streams(io.BytesIO(bytes(data)), "a.ppt")


@examples(200)
@given(data=st.data())
def test_damaged_files_give_names_or_an_error_of_ours(ole_file, data):
    damaged = bytearray(ole_file(*"abcdefgh"))
    for _ in range(data.draw(st.integers(1, 6))):
        at = data.draw(st.integers(0, 700) | st.integers(0, len(damaged) - 1))
        damaged[at] = data.draw(st.integers(0, 255))
    try:
        assert len(ole_streams(io.BytesIO(bytes(damaged)), "a.ppt")) <= 12
    except TruncatedDeck as error:
        assert str(error).startswith("a.ppt: ")


@pytest.mark.parametrize("size", [8, 100, 511, 512, 1024, 1100])
def test_a_file_cut_short_is_called_so(ole_file, size):
    with pytest.raises(TruncatedDeck):
        ole_streams(io.BytesIO(ole_file("Workbook")[:size]), "a.ppt")


def test_an_encrypted_package_is_called_so(ole_file):
    with pytest.raises(EncryptedDeck, match=r"^a\.pptx: it is encrypted"):
        refuse_ole(io.BytesIO(ole_file("EncryptionInfo", "EncryptedPackage")), "a.pptx")


@pytest.mark.parametrize(
    ("stream", "kind"), [("PowerPoint Document", ".ppt"), ("Workbook", ".xls"), ("Other", "OLE2")]
)
def test_other_files_are_called_what_they_are(ole_file, stream, kind):
    with pytest.raises(UnsupportedFormat, match=kind):
        refuse_ole(io.BytesIO(ole_file(stream)), "a.pptx")


def test_anything_else_is_left_at_its_start():
    stream = io.BytesIO(b"PK and more")
    refuse_ole(stream, "a.pptx")
    assert stream.tell() == 0
