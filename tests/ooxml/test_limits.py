import os
from pathlib import Path

import pytest

from decklab.core.errors import DeckError, LimitExceeded, TruncatedDeck, UnsupportedFormat
from decklab.ooxml.package import Package, sniff
from decklab.ooxml.signatures import DEFAULT_LIMITS, Limits, open_file

OPENERS = (lambda path: open_file(path, DEFAULT_LIMITS), Package.open, sniff)


@pytest.mark.parametrize("opener", OPENERS)
def test_a_folder_is_called_a_folder(tmp_path, opener):
    with pytest.raises(UnsupportedFormat, match="it is a folder, not a file"):
        opener(tmp_path)


@pytest.mark.timeout(5)
@pytest.mark.parametrize("opener", OPENERS)
def test_a_named_pipe_is_refused_without_waiting(tmp_path, opener):
    pipe = tmp_path / "deck.pptx"
    os.mkfifo(pipe)
    with pytest.raises(UnsupportedFormat, match="it is a named pipe"):
        opener(pipe)


@pytest.mark.parametrize("opener", OPENERS)
def test_a_device_is_refused(opener):
    with pytest.raises(UnsupportedFormat, match="it is a device"):
        opener(Path("/dev/zero"))


@pytest.mark.parametrize("opener", OPENERS)
def test_an_empty_file_is_called_empty(tmp_path, opener):
    path = tmp_path / "deck.pptx"
    path.touch()
    with pytest.raises(TruncatedDeck, match=r"deck\.pptx: the file is empty"):
        opener(path)


@pytest.mark.parametrize("opener", OPENERS)
def test_a_missing_file_is_named(tmp_path, opener):
    with pytest.raises(DeckError, match=r"none\.pptx: cannot be opened: No such file"):
        opener(tmp_path / "none.pptx")


def test_a_path_that_no_system_takes_is_an_error_of_ours():
    with pytest.raises(DeckError, match="cannot be opened"):
        open_file(Path("a\0b"), DEFAULT_LIMITS)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission_is_named(tmp_path):
    path = tmp_path / "deck.pptx"
    path.write_bytes(b"PK")
    path.chmod(0)
    with pytest.raises(DeckError, match="cannot be opened: Permission denied"):
        open_file(path, DEFAULT_LIMITS)


def test_file_size_is_limited(tmp_path):
    path = tmp_path / "deck.pptx"
    path.write_bytes(b"x" * 101)
    with pytest.raises(LimitExceeded, match="101 bytes, more than the limit of 100"):
        open_file(path, Limits(file_bytes=100))
    open_file(path, Limits(file_bytes=101)).close()
