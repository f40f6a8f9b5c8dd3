"""The decks of the published tasks: where they come from, fetched once, and checksums."""

import hashlib
import json
import urllib.error
import urllib.request
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from http.client import HTTPException
from pathlib import Path
from typing import IO, Final, Literal

from decklab.core.errors import DecklabError
from decklab.core.files import package_data, whole_file, write_whole


class DecksMissing(DecklabError):
    """Decks of tasks are not there; the text says which, and where they come from."""


class FetchFailed(DecklabError):
    """A deck could not be downloaded, or is not the one that was downloaded first."""


SOURCES: Final[Mapping[str, str]] = json.loads(
    package_data("decklab.evals.ppteval", "published_decks.json")
)
"""The twelve decks by file name, each with its address.

The authors had PowerPoint for the web save each deck anew before they used it; these are the decks
as they were uploaded.
"""


CHECKSUMS = "SHA256SUMS"
"""File of checksums in the folder of decks, in the form of ``sha256sum``."""
LARGEST = 512 * 2**20
"""No deck of the benchmark comes near this many bytes (ours)."""
SECONDS = 60.0
"""Longest wait for the archive to answer (ours)."""


@dataclass(frozen=True)
class Fetched:
    """One deck after `fetch_decks`."""

    name: str
    how: Literal["downloaded", "there"]
    sha256: str


def fetch_decks(
    folder: str | Path,
    *,
    sources: Mapping[str, str] = SOURCES,
    seconds: float = SECONDS,
    done: Callable[[Fetched], object] = lambda fetched: None,
) -> list[Fetched]:
    """Download the decks of ``sources`` (name to address) that are not yet in ``folder``.

    ``done`` is called with each deck. Raises FetchFailed where a download fails or a checksum is
    not the recorded one; decks downloaded until then stay, with their checksums.
    """
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    known = read_checksums(folder)
    found: list[Fetched] = []
    for name, address in sources.items():
        path = folder / name
        how: Literal["downloaded", "there"] = "there"
        if not path.is_file():
            how = "downloaded"
            _download(address, path, known.get(name), seconds)
        fetched = Fetched(name, how, _sha256(path))
        _compare(path, fetched.sha256, known.get(name))
        if name not in known:
            known[name] = fetched.sha256
            _write_checksums(folder, known.items())
        found.append(fetched)
        done(fetched)
    return found


def read_checksums(folder: Path) -> dict[str, str]:
    """The recorded checksums by file name; FetchFailed where the file is not of that form."""
    path = folder / CHECKSUMS
    if not path.is_file():
        return {}
    found = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        digest, gap, name = line.partition("  ")
        if len(digest) != 64 or not gap or not name:
            raise FetchFailed(f"{path}: {line[:80]!r} is no checksum with a file name")
        found[name] = digest
    return found


def _write_checksums(folder: Path, known: Iterable[tuple[str, str]]) -> None:
    lines = "".join(f"{digest}  {name}\n" for name, digest in sorted(known))
    write_whole(folder / CHECKSUMS, lines.encode())


def _download(address: str, path: Path, recorded: str | None, seconds: float) -> None:
    request = urllib.request.Request(address, headers={"User-Agent": "decklab"})
    try:
        with (
            urllib.request.urlopen(request, timeout=seconds) as reply,
            whole_file(path) as unfinished,
        ):
            length = reply.headers.get("Content-Length")
            if length is not None and int(length) > LARGEST:
                raise FetchFailed(f"{address}: {int(length):,} bytes are too many for a deck")
            with unfinished.open("wb") as stream:
                _pour(reply, stream, address)
            if length is not None and unfinished.stat().st_size != int(length):
                raise FetchFailed(f"{address}: the download broke off")
            _looks_like_a_deck(unfinished, address)
            _compare(path, _sha256(unfinished), recorded)
    except (urllib.error.URLError, HTTPException, TimeoutError, ConnectionError) as error:
        raise FetchFailed(f"{address}: {getattr(error, 'reason', error)}") from error


def _pour(reply: IO[bytes], stream: IO[bytes], address: str) -> None:
    left = LARGEST
    while data := reply.read(1 << 20):
        left -= len(data)
        if left < 0:
            raise FetchFailed(f"{address}: more than {LARGEST:,} bytes")
        stream.write(data)


def _looks_like_a_deck(path: Path, address: str) -> None:
    with path.open("rb") as stream:
        if stream.read(4) != b"PK\x03\x04":
            raise FetchFailed(f"{address}: what came is no deck")


def _compare(path: Path, digest: str, recorded: str | None) -> None:
    if recorded is not None and digest != recorded:
        raise FetchFailed(
            f"{path}: not the deck that was downloaded first (SHA-256 {digest}, recorded "
            f"{recorded} in {CHECKSUMS})"
        )


def _sha256(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
