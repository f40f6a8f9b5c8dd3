"""The file of a source's deck, if a program can open it."""

import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import IO, Final
from zipfile import BadZipFile, ZipFile

from aiohttp import ClientError

from decklab.core.errors import DeckError, LimitExceeded
from decklab.core.files import scratch_folder
from decklab.workbench.cluster.sources import SourceItem, open_address

_CHUNK: Final = 2**20


@contextmanager
def fetched(item: SourceItem, *, most_bytes: int) -> Iterator[Path]:
    """A path of the deck: its own if it is a file here, else a copy that the block removes.

    Raises LimitExceeded if a copy would have more than ``most_bytes``, DeckError if nothing
    is there, OSError if it cannot be fetched.
    """
    if item.place == "path":
        yield Path(item.address)
        return
    with scratch_folder("source") as folder:
        target = folder / f"deck{item.suffix}"
        try:
            with _opened(item) as stream, target.open("wb") as copy:
                _copy(item, stream, copy, most_bytes)
        except (FileNotFoundError, KeyError) as error:
            raise DeckError(item.name, "there is nothing at this address") from error
        except (BadZipFile, RuntimeError, EOFError, zlib.error) as error:
            raise DeckError(item.name, f"the archive does not give it: {error}") from error
        except ClientError as error:
            raise OSError(f"it cannot be fetched: {error}") from error
        yield target


@contextmanager
def _opened(item: SourceItem) -> Iterator[IO[bytes]]:
    if item.content is not None:
        yield BytesIO(item.content)
        return
    if item.place == "member":
        with (
            open_address(item.address) as stream,
            ZipFile(stream) as archive,
            archive.open(item.member) as member,
        ):
            yield member
        return
    with open_address(item.address) as stream:
        if item.place == "range":
            stream.seek(item.start)
        yield stream


def _copy(item: SourceItem, stream: IO[bytes], copy: IO[bytes], most: int) -> None:
    left = most + 1 if item.size is None else min(item.size, most + 1)
    taken = 0
    while taken < left:
        piece = stream.read(min(_CHUNK, left - taken))
        if not piece:
            break
        copy.write(piece)
        taken += len(piece)
    if taken > most:
        raise LimitExceeded(item.name, f"it has more than {most} bytes")
