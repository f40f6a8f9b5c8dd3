"""Decks with elements taken out and attributes garbled: read, or refused in one line."""

import copy
import random
import zipfile
from pathlib import Path

import pytest
from bench.styles_witness.styles import read_styles

from decklab.core.errors import DecklabError
from decklab.deck.deck import write_samples
from decklab.deck.reading import read_outline
from decklab.deck.views.snapshot import snapshot, snapshot_bytes
from decklab.ooxml.package import Package
from decklab.ooxml.xml import Element, parse_xml, serialize_xml

SHARED = Path(__file__).parents[3] / "shared" / "decks"
VALUES = (
    "", "-1", "0", "1", "9" * 18, "-" + "9" * 18, "9" * 40, "1e9", "NaN", "inf", "true", "x" * 50,
    "F00", "50%", "-250%", "0.5in", "rId1", "rId999", "2147483648", "+mj-lt", "\N{SNOWMAN}",
    "ppaction://hlinksldjump", "ppaction://customshow?id=x",
)  # fmt: skip
RUNS = 20
MOST_ELEMENTS = 6000


def garble(root: Element, rng: random.Random, times: int) -> None:
    elements = [item for item in root.iter() if isinstance(item.tag, str)]
    for _ in range(times):
        item, other = rng.choice(elements), rng.choice(elements)
        what = rng.random()
        if what < 0.3 and item.getparent() is not None:
            item.getparent().remove(item)
        elif what < 0.8 and item.attrib:
            item.set(rng.choice(sorted(item.attrib)), rng.choice(VALUES))
        elif what < 0.86:
            item.text = rng.choice(VALUES)
        elif what < 0.93:
            item.tag = other.tag
        elif sum(1 for _ in item.iter()) < 100:
            other.append(copy.deepcopy(item))


def garbled(parts: dict[str, bytes], rng: random.Random) -> dict[str, bytes]:
    names = sorted(n for n in parts if n.startswith("ppt/") and n.endswith(".xml"))
    damaged = dict(parts)
    for name in rng.sample(names, min(len(names), rng.randint(1, 12))):
        root = parse_xml(parts[name], path="deck", part=name)
        if sum(1 for _ in root.iter()) <= MOST_ELEMENTS:
            garble(root, rng, rng.choice([1, 3, 10, 40]))
            damaged[name] = serialize_xml(root)
    return damaged


def read_all(data: bytes) -> int:
    """How many of the three readers read the deck; the others refused it in one line."""
    done = 0
    for read in (lambda deck: snapshot_bytes(snapshot(deck)), read_outline, read_styles):
        try:
            with Package.from_bytes(data, "deck.pptx") as package:
                read(package)
            done += 1
        except DecklabError as error:
            assert "\n" not in str(error)
    return done


def parts_of(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


@pytest.mark.by_day(1)
@pytest.mark.parametrize("seed", range(3))
def test_garbled_samples_are_read_or_refused(tmp_path, pack, seed):
    rng = random.Random(seed)
    decks = [parts_of(path) for path in sorted(write_samples(tmp_path))]
    done = sum(read_all(pack(garbled(rng.choice(decks), rng))) for _ in range(6))
    assert done > 9, "most garbled decks should still be read"


@pytest.mark.long
@pytest.mark.shared
def test_garbled_real_decks_are_read_or_refused(pack):
    rng = random.Random(20)
    paths = [path for path in sorted(SHARED.glob("[rf]*/*.pptx")) if path.stat().st_size < 900_000]
    decks = [parts_of(path) for path in paths]
    done = sum(read_all(pack(garbled(rng.choice(decks), rng))) for _ in range(RUNS))
    assert done > 1.5 * RUNS
