"""The paper's decks: Zenodo10K, with the paper's filters, in a folder for any task.

The paper samples 100 decks in English (70% or more by language identification), .pptx only, under
CC BY 4.0 (section 3).
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import Any, Final
from urllib.parse import urlsplit
from urllib.request import urlopen

from decklab.core.errors import DeckError
from decklab.core.files import write_output, write_whole
from decklab.core.lazy import extra_module
from decklab.deck.reading import read_elements
from decklab.deck.views.snapshot import plain_slide
from decklab.ooxml.package import Package
from decklab.ooxml.signatures import DEFAULT_LIMITS

DATASET: Final = "Forceless/Zenodo10K"
REVISION: Final = "9d7c6a75f3cdcdc528346cb47d1849509ae4fcb3"
"""The commit of the data set that is read, so that later additions change nothing."""

SPLIT: Final = "pptx"

LICENSES: Final = frozenset({"cc-by-4.0"})
"""Section 3. In the data set a license is an id of this form."""

LEAST_ENGLISH: Final = 0.7
"""Section 3."""

MANIFEST: Final = "manifest.json"
SECONDS: Final = 60.0

Classify = Callable[[str], str]
"""Language code of a text."""

Fetch = Callable[[str], bytes]
"""The bytes at an address; raises OSError if there are none."""


@dataclass(frozen=True)
class FetchedDeck:
    """A deck that passed the filters, as in the manifest."""

    file: str
    license: str
    doi: str
    url: str
    title: str
    checksum: str
    english: float
    """Share of its slides with text that are in English."""
    slides: int


def slide_texts(path: Path) -> list[str]:
    """The text of each slide of a deck, tables included; raises DeckError."""
    with Package.open(path) as package:
        slides = [plain_slide(slide) for slide in read_elements(package).slides]
    return [
        "\n".join(
            [
                *(item.text for item in slide.texts),
                *(cell for table in slide.tables for row in table.cells for cell in row),
            ]
        )
        for slide in slides
    ]


def english_share(texts: Iterable[str], classify: Classify) -> float:
    """Share of the texts with letters that are in English; 0 if none has letters.

    >>> english_share(["Hello", "Bonjour", "42"], {"Hello": "en", "Bonjour": "fr"}.__getitem__)
    0.5
    """
    worded = [text for text in texts if any(char.isalpha() for char in text)]
    english = [classify(text) == "en" for text in worded]
    return sum(english) / len(english) if english else 0.0


def keep_decks(
    rows: Iterable[Mapping[str, Any]],
    folder: Path,
    *,
    fetch: Fetch,
    classify: Classify,
    sample: int,
) -> tuple[list[FetchedDeck], list[str]]:
    """Fetch rows one by one until ``sample`` decks pass; returns these, and why others did not.

    A row has ``filename``, ``url``, ``license``, ``doi``, ``title`` and ``checksum`` (``md5:...``).
    Files whose bytes do not have their checksum, that cannot be read, or that are not in English do
    not pass. ``folder`` gets the decks and a manifest, which replaces that of an earlier call.
    """
    decks: list[FetchedDeck] = []
    refused: list[str] = []
    for row in rows:
        if len(decks) >= sample:
            break
        if not _is_candidate(row):
            continue
        fetched = _fetched(row, folder, fetch, classify)
        if isinstance(fetched, FetchedDeck):
            decks.append(fetched)
        else:
            refused.append(f"{row['filename']}: {fetched}")
    manifest = {"dataset": DATASET, "revision": REVISION, "decks": [asdict(each) for each in decks]}
    text = json.dumps(manifest, indent=1, ensure_ascii=False)
    write_output(folder / MANIFEST, text.encode(), force=True, ours=_is_manifest)
    return decks, refused


def _is_manifest(path: Path) -> bool:
    try:
        manifest = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return False
    return isinstance(manifest, dict) and manifest.get("dataset") == DATASET


def fetch_zenodo(
    folder: Path, *, sample: int = 100, seed: int = 0
) -> tuple[list[FetchedDeck], list[str]]:
    """Fill ``folder`` with decks of Zenodo10K in a random order drawn from ``seed``.

    Needs the network and the extras ``zenodo`` and ``bench``; raises ModelUnavailable without them.
    """
    rows = list(_rows())
    Random(seed).shuffle(rows)
    return keep_decks(rows, folder, fetch=_download, classify=_language(), sample=sample)


def _is_candidate(row: Mapping[str, Any]) -> bool:
    name = str(row["filename"]).lower()
    return name.endswith(".pptx") and str(row["license"]).lower() in LICENSES


def _fetched(
    row: Mapping[str, Any], folder: Path, fetch: Fetch, classify: Classify
) -> FetchedDeck | str:
    """The deck of a row in ``folder``, or why it does not pass."""
    checksum = str(row["checksum"]).removeprefix("md5:")
    try:
        data = fetch(str(row["url"]))
    except OSError as error:
        return f"could not be fetched: {error}"
    if hashlib.md5(data, usedforsecurity=False).hexdigest() != checksum:
        return "its bytes do not have the checksum of the data set"
    path = folder / f"{checksum}.pptx"
    write_whole(path, data)
    try:
        texts = slide_texts(path)
    except DeckError as error:
        path.unlink()
        return error.detail
    if (share := english_share(texts, classify)) < LEAST_ENGLISH:
        path.unlink()
        return f"{share:.0%} of its slides are in English"
    named = {key: str(row[key]) for key in ("license", "doi", "url", "title")}
    return FetchedDeck(file=path.name, checksum=checksum, english=share, slides=len(texts), **named)


def _rows() -> Iterator[Mapping[str, Any]]:
    datasets = extra_module("datasets", DATASET, "zenodo")
    yield from datasets.load_dataset(DATASET, split=SPLIT, revision=REVISION)


def _language() -> Classify:
    classify = extra_module("py3langid", "telling languages apart", "evals").classify
    return lambda text: str(classify(text)[0])


def _download(url: str) -> bytes:
    if urlsplit(url).scheme != "https":
        raise OSError(f"not an https address: {url}")
    most = DEFAULT_LIMITS.file_bytes
    with urlopen(url, timeout=SECONDS) as stream:
        data: bytes = stream.read(most + 1)
    if len(data) > most:
        raise OSError(f"larger than {most} bytes")
    return data
