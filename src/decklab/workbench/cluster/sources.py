"""The decks that sources name, one after the other, each as a local file while it is read: a source
is never listed as a whole.

A source is a folder, file or pattern of this machine, an address that fsspec opens (http, s3, gs
and others, with patterns if the store can list), a zip or tar archive of decks, a Parquet file
with the bytes of decks, or a list of any of these.
"""

import csv
import io
import tarfile
import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import IO, Any, Final, Literal
from zipfile import BadZipFile, ZipFile

from aiohttp import ClientError
from fsspec.core import url_to_fs
from pyarrow import parquet

from decklab.core.errors import DeckError, LimitExceeded, SourceError, json_of
from decklab.core.files import scratch_folder
from decklab.core.output_folder import files_below
from decklab.rendering.opening import DECK_SUFFIXES, find_decks
from decklab.rendering.pictures import IMAGE_SUFFIXES

Place = Literal["path", "address", "range", "member", "content"]
"""Where the bytes are. ``path``: a file or folder of the machine. ``address``: anything that fsspec
opens. ``range``: some bytes of an address, such as a file in an archive without compression.
``member``: a file in a zip archive. ``content``: in the item itself."""


@dataclass(frozen=True)
class SourceItem:
    """One deck of a source. It is small, except if it holds the ``content`` itself."""

    name: str
    """By which its rows name it; the same in every run."""
    place: Place
    address: str = ""
    """Path or address of the file, or of the archive that holds it."""
    member: str = ""
    """Its name in the archive."""
    start: int = 0
    size: int | None = None
    """Of a ``range``: the first byte, and how many."""
    content: bytes | None = None
    state: str = ""
    """Changes when the deck does, as far as its source says without reading the deck: size and
    time, a checksum; empty if the source says nothing."""
    about: dict[str, str] = field(default_factory=dict)
    """Facts that the source states of the deck, such as its licence."""
    problem: str = ""
    """Why its source could not be read at all; empty for a deck."""
    before: "SourceItem | None" = None
    """The older deck, if two are compared."""

    @property
    def suffix(self) -> str:
        """The end of its file's name, in lower case with the dot; empty if it has none."""
        name = (self.member or self.about.get("name") or self.address).split("?")[0]
        last = name.rsplit("/", 1)[-1]
        dot = last.rfind(".")
        return last[dot:].lower() if dot > 0 and len(last) - dot <= _LONGEST_SUFFIX else ""


_LONGEST_SUFFIX = 6
"""Characters with the dot. Ours: those of decks have five."""


ZIP_SUFFIXES: Final = (".zip",)
TAR_SUFFIXES: Final = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz")
PARQUET_SUFFIXES: Final = (".parquet",)
LIST_SUFFIXES: Final = (".txt", ".csv", ".jsonl")
_DECKS: Final = tuple(sorted(DECK_SUFFIXES - IMAGE_SUFFIXES))
_ROWS: Final = 8
"""Rows of a Parquet file that are in memory at once. Ours: decks have some megabytes."""
_NAMES: Final = ("name", "path", "filename", "file_name", "file", "id")
_CONTENTS: Final = ("bytes", "content", "data", "deck", "pptx")
_ADDRESSES: Final = ("url", "path", "address", "deck", "file")
_NESTED: Final = (dict, list)
_MAGIC: Final = "*?["
_UNREADABLE: Final = (
    OSError,
    ValueError,
    KeyError,
    ImportError,
    tarfile.TarError,
    BadZipFile,
    ClientError,
)
"""Errors that libraries raise for archives, tables, lists and stores that cannot be read."""


def source_items(sources: Iterable[str]) -> Iterator[SourceItem]:
    """The decks of ``sources``, in their order; a deck that two name comes twice.

    Unreadable things become items too, so that each is a failed row and not lost: a file that is no
    deck, and with its ``problem`` an archive, a table, a list or a store.
    """
    for source in sources:
        try:
            yield from _items(source)
        except SourceError as error:
            yield SourceItem(source, "path", source, problem=error.detail)
        except _UNREADABLE as error:
            detail = " ".join(str(error).split()) or type(error).__name__
            yield SourceItem(source, "path", source, problem=detail)


def _items(source: str) -> Iterator[SourceItem]:
    lower = source.lower().split("?")[0]
    if any(mark in source for mark in _MAGIC) and not Path(source).exists():
        yield from _matches(source)
    elif lower.endswith(ZIP_SUFFIXES):
        yield from _in_zip(source)
    elif lower.endswith(TAR_SUFFIXES):
        yield from _in_tar(source)
    elif lower.endswith(PARQUET_SUFFIXES):
        yield from _in_parquet(source)
    elif lower.endswith(LIST_SUFFIXES):
        yield from _in_list(source)
    elif "://" in source:
        yield from _at_address(source)
    else:
        yield from _local(Path(source))


def _local(path: Path) -> Iterator[SourceItem]:
    """Folder by folder, so that a tree of a million decks is not listed at once."""
    if not path.is_dir():
        yield _local_item(path)
        return
    below = [path / name for name in next(files_below(path), (path, [], []))[1]]
    if not below:
        yield from map(_local_item, find_decks([path]))
        return
    # Pictures and pages belong together over folders, so a folder with web decks is taken whole.
    if any(item.suffix.lower() in {".html", ".htm"} for item in path.iterdir()):
        yield from map(_local_item, find_decks([path]))
        return
    for deck in find_decks(_files_in(path)):
        yield _local_item(deck)
    for folder in below:
        yield from (item for item in _local(folder) if Path(item.name) != folder)


def _files_in(folder: Path) -> list[Path]:
    _, _, names = next(files_below(folder))
    shown = (name for name in names if not name.startswith((".", "~$")))
    return [folder / name for name in shown if name.lower().endswith(_DECKS)]


def _local_item(path: Path) -> SourceItem:
    state = ""
    if path.is_file():
        facts = path.stat()
        state = f"{facts.st_size}-{facts.st_mtime_ns}"
    return SourceItem(str(path), "path", str(path), state=state)


def _matches(source: str) -> Iterator[SourceItem]:
    if "://" not in source:
        for path in find_decks([source]):
            yield from _items(str(path)) if path.exists() else [_local_item(path)]
        return
    files, path = url_to_fs(source)
    matched = False
    for name, facts in files.glob(path, detail=True).items():
        matched = True
        address = files.unstrip_protocol(name)
        special = address.lower().endswith(
            ZIP_SUFFIXES + TAR_SUFFIXES + PARQUET_SUFFIXES + LIST_SUFFIXES
        )
        yield from _items(address) if special else [_remote_item(address, facts)]
    if not matched:
        raise SourceError(source, "nothing there matches")


def _at_address(source: str) -> Iterator[SourceItem]:
    files, path = url_to_fs(source)
    if source.lower().split("?")[0].endswith(_DECKS):
        yield SourceItem(source, "address", source, state=_known_state(files, path))
        return
    matched = False
    for _, _, entries in files.walk(path, detail=True):
        for name, facts in sorted(entries.items()):
            if name.lower().endswith(_DECKS) and not name.startswith((".", "~$")):
                matched = True
                yield _remote_item(files.unstrip_protocol(facts["name"]), facts)
    if not matched:
        yield SourceItem(source, "address", source)


def _known_state(files: Any, path: str) -> str:
    """The state of one file where its store answers from the name alone, as disks do."""
    if "file" not in files.protocol and "memory" not in files.protocol:
        return ""
    try:
        return _state(files.info(path))
    except FileNotFoundError:
        return ""


def _remote_item(address: str, facts: Mapping[str, Any]) -> SourceItem:
    return SourceItem(address, "address", address, state=_state(facts))


_STATES: Final = ("size", "ETag", "etag", "md5Hash", "checksum", "mtime", "LastModified", "updated")


def _state(facts: Mapping[str, Any]) -> str:
    return "-".join(str(facts[name]) for name in _STATES if facts.get(name) is not None)


def open_address(address: str) -> IO[bytes]:
    """A file anywhere, open for reading. A name is taken as it is, also one with a star."""
    files, path = url_to_fs(address)
    opened: IO[bytes] = files.open(path, "rb")
    return opened


def _in_zip(source: str) -> Iterator[SourceItem]:
    with open_address(source) as stream, ZipFile(stream) as archive:
        for member in archive.infolist():
            if _is_deck(member.filename) and not member.is_dir():
                name, state = member.filename, f"{member.file_size}-{member.CRC}"
                yield SourceItem(f"{source}!{name}", "member", source, name, state=state)


def _is_deck(member: str) -> bool:
    name = member.rsplit("/", 1)[-1]
    return name.lower().endswith(_DECKS) and not name.startswith((".", "~$"))


def _in_tar(source: str) -> Iterator[SourceItem]:
    """Members are ranges of bytes; a compressed archive is read once, by one reader."""
    plain = source.lower().split("?")[0].endswith(".tar")
    with (
        open_address(source) as stream,
        tarfile.open(fileobj=stream, mode="r:" if plain else "r|*") as archive,
    ):
        for member in archive:
            if not member.isfile() or not _is_deck(member.name):
                continue
            name, state = f"{source}!{member.name}", f"{member.size}-{member.mtime}"
            start, size = member.offset_data, member.size
            item = SourceItem(
                name, "range", source, member.name, start=start, size=size, state=state
            )
            content = None if plain else archive.extractfile(member)
            yield item if content is None else _with_content(item, content.read())


def _with_content(item: SourceItem, content: bytes) -> SourceItem:
    state = sha256(content).hexdigest()
    return replace(item, place="content", content=content, size=len(content), state=state)


def _in_parquet(source: str) -> Iterator[SourceItem]:
    with open_address(source) as stream:
        table = parquet.ParquetFile(stream)
        columns = table.schema_arrow
        kinds = {field.name: str(field.type) for field in columns}
        contents = [name for name in kinds if kinds[name] in {"binary", "large_binary"}]
        chosen = next((name for name in _CONTENTS if name in contents), None)
        if chosen is None and len(contents) != 1:
            detail = f"has no column with the bytes of decks; its columns are {', '.join(kinds)}"
            raise SourceError(source, detail)
        content = chosen or contents[0]
        others = [name for name in kinds if _is_plain(kinds[name])]
        row = 0
        for batch in table.iter_batches(batch_size=_ROWS, columns=[content, *others]):
            for record in batch.to_pylist():
                yield _row_item(source, row, record, content)
                row += 1


def _is_plain(kind: str) -> bool:
    return kind.startswith(("string", "large_string", "int", "uint", "float", "double", "bool"))


def _row_item(source: str, row: int, record: dict[str, Any], content: str) -> SourceItem:
    about = _about(record, without=content)
    name = next((about[key] for key in _NAMES if key in about), "")
    item = SourceItem(
        f"{source}!{row}{f':{name}' if name else ''}", "content", source, name,
        about={**about, "name": name} if name else about,
    )  # fmt: skip
    return _with_content(item, record[content] or b"")


def _about(record: Mapping[str, Any], *, without: str) -> dict[str, str]:
    return {
        name: str(value)
        for name, value in record.items()
        if name and name != without and value not in (None, "") and not isinstance(value, _NESTED)
    }


def _in_list(source: str) -> Iterator[SourceItem]:
    """Lines of addresses, or rows whose other fields are what is said of the deck.

    Rows with ``"chosen": false``, as ``decklab corpus select`` writes them, are passed over. Decks
    in archives and tables, named as a data set names them, come last, so that each archive is read
    once; their names are in memory.
    """
    members: dict[str, dict[str, dict[str, str]]] = defaultdict(dict)
    with (
        open_address(source) as stream,
        io.TextIOWrapper(stream, encoding="utf-8-sig", newline="") as lines,
    ):
        for number, record in enumerate(_list_rows(source, lines), start=1):
            if str(record.get("chosen", "")).lower() == "false":
                continue
            if (key := next((name for name in _ADDRESSES if record.get(name)), None)) is None:
                detail = f"row {number} has no field {', '.join(_ADDRESSES[:-1])} or file"
                raise SourceError(source, detail)
            address = _beside(source, str(record[key]))
            about = _about(record, without=key)
            if (archive := _archive_of(address)) is not None:
                members[archive][address] = about
                continue
            for item in _items(address):
                yield replace(item, about={**about, **item.about})
    for archive, wanted in members.items():
        yield from _members(archive, wanted)


def _archive_of(address: str) -> str | None:
    """The archive or table of an address such as ``decks.zip!talk.pptx``; None for others."""
    ends = ZIP_SUFFIXES + TAR_SUFFIXES + PARQUET_SUFFIXES
    parts = address.split("!")
    for count in range(1, len(parts)):
        if (archive := "!".join(parts[:count])).lower().split("?")[0].endswith(ends):
            return archive
    return None


def _members(archive: str, wanted: Mapping[str, dict[str, str]]) -> Iterator[SourceItem]:
    """The decks of an archive that are wanted; for each that is not there an item that says so."""
    missing = dict.fromkeys(wanted)
    for item in source_items([archive]):
        if item.name in wanted:
            missing.pop(item.name, None)
            yield replace(item, about={**wanted[item.name], **item.about})
        elif item.name == archive:
            yield item
            return
    for name in missing:
        yield SourceItem(name, "path", name, problem="is not in its archive", about=wanted[name])


def _list_rows(source: str, lines: Iterable[str]) -> Iterator[Mapping[str, Any]]:
    if (lower := source.lower().split("?")[0]).endswith(".csv"):
        yield from csv.DictReader(lines)
    elif lower.endswith(".jsonl"):
        yield from (json_of(line) for line in lines if line.strip())
    else:
        plain = (line.strip() for line in lines)
        yield from ({"url": line} for line in plain if line and not line.startswith("#"))


def _beside(source: str, address: str) -> str:
    """A relative path of a list is one from the folder of the list."""
    if "://" in address or address.startswith("/"):
        return address
    folder = source.rpartition("/")[0]
    return f"{folder}/{address}" if folder else address


def pair_items(before: str, after: str) -> Iterator[SourceItem]:
    """The decks of ``after``, each with the one of the same name below ``before``.

    Two files are one pair. The names of the older decks are in memory. A deck without an older one
    is left out: ``decklab diff`` compares what both have.
    """
    older = list(source_items([before]))
    if len(older) == 1 and older[0].name == before:
        yield from (replace(item, before=older[0]) for item in source_items([after]))
        return
    by_name = {_below(before, item.name): item for item in older}
    for item in source_items([after]):
        if (old := by_name.get(_below(after, item.name))) is not None:
            yield replace(item, before=old)


def _below(source: str, name: str) -> str:
    return name.removeprefix(source).lstrip("/!")


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
        if not (piece := stream.read(min(_CHUNK, left - taken))):
            break
        copy.write(piece)
        taken += len(piece)
    if taken > most:
        raise LimitExceeded(item.name, f"it has more than {most} bytes")
