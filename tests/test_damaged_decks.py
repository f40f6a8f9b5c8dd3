"""Decks with parts garbled or gone: whatever reads, checks, compares or edits them takes them or
refuses them in one line."""

import json
import random
import zipfile
from collections.abc import Callable
from copy import deepcopy
from io import BytesIO
from pathlib import Path

import pytest
from lxml import etree

from decklab.core.errors import DecklabError
from decklab.deck.deck import write_samples
from decklab.deck.reading import read_elements, read_outline
from decklab.deck.views.snapshot import plain_slide, snapshot, snapshot_bytes
from decklab.diffing.decks import diff_packages
from decklab.diffing.wording import words
from decklab.editing.building.deck import build_deck, images_of
from decklab.editing.slide_import import import_slide
from decklab.editing.slide_operations import clone_slide, delete_slide, move_slide
from decklab.linting.lint import lint_findings
from decklab.ooxml.draft import Draft
from decklab.ooxml.package import Package
from decklab.ooxml.validity.validating import validate
from decklab.rendering.fonts import requested_fonts
from decklab.scoring.deck import unread_slides

Parts = dict[str, bytes]
Use = Callable[[Package, Package, Path], object]
VALUES = (
    "", " ", "-1", "0", "9" * 18, "-" + "9" * 18, "9" * 5000, "1e400", "NaN", "-inf", "true", "F00",
    "-250%", "1e30in", "rId1", "rId999", "2147483648", "+mj-lt", "+", "\N{SNOWMAN}",
    "\N{FULLWIDTH DIGIT ONE}", "0x10", "ppaction://customshow?id=x", "../../../etc/passwd",
    "http://[bad", "phClr", "indefinite", "\N{RIGHT-TO-LEFT OVERRIDE}",
)  # fmt: skip
ROOTS = ("[Content_Types].xml", "_rels/.rels")  # without them there is nothing to use
RUNS = 6
MOST_ELEMENTS = 4000


def garble(root: etree._Element, rng: random.Random, times: int) -> None:
    elements = [item for item in root.iter() if isinstance(item.tag, str)]
    for _ in range(times):
        item, other = rng.choice(elements), rng.choice(elements)
        above, small = item.getparent(), sum(1 for _ in item.iter()) < 100
        what = rng.randrange(9)
        if what == 0 and above is not None:
            above.remove(item)
        elif what == 1 and item.attrib:
            del item.attrib[rng.choice(sorted(item.attrib))]
        elif what in (2, 3) and item.attrib:
            item.set(rng.choice(sorted(item.attrib)), rng.choice(VALUES))
        elif what == 4 and other.attrib:
            name = rng.choice(sorted(other.attrib))
            item.set(name, other.get(name, ""))
        elif what == 5:
            item.text = rng.choice(VALUES)
        elif what == 6:
            item.tag = other.tag
        elif what == 7:
            item[:] = rng.sample(list(item), len(item))
        elif what == 8 and small:
            other.append(deepcopy(item))


def damaged(parts: Parts, rng: random.Random) -> Parts:
    """Some slides, layouts, themes, charts or relationships garbled, now and then one gone."""
    found = dict(parts)
    names = sorted(name for name in parts if name.endswith((".xml", ".rels")) and name not in ROOTS)
    for name in rng.sample(names, min(len(names), rng.randint(1, 10))):
        root = etree.fromstring(parts[name])
        if sum(1 for _ in root.iter()) <= MOST_ELEMENTS:
            garble(root, rng, rng.choice([1, 3, 10, 40]))
            found[name] = etree.tostring(root)
    for name in rng.sample(names, rng.choice([0, 0, 1, 2])):
        del found[name]
    return found


def opened(parts: Parts) -> Package:
    out = BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return Package.from_bytes(out.getvalue(), "deck.pptx")


def extract(deck: Package, _sound: Package, _room: Path) -> None:
    for slide in read_elements(deck).slides:
        plain_slide(slide)
        assert type(slide).model_validate_json(slide.model_dump_json()) == slide


def take(deck: Package, _sound: Package, _room: Path) -> None:
    taken = snapshot_bytes(snapshot(deck))
    json.loads(taken)
    assert snapshot_bytes(snapshot(deck)) == taken


def check(deck: Package, _sound: Package, _room: Path) -> None:
    assert all(item.detail for item in validate(deck))
    assert all(item.message for item in lint_findings(read_elements(deck), []))


def read_to_score(deck: Package, _sound: Package, _room: Path) -> None:
    unread_slides(deck, read_outline(deck))
    requested_fonts(deck)


def compare(deck: Package, sound: Package, _room: Path) -> None:
    for found in (diff_packages(sound, deck), diff_packages(deck, sound)):
        assert all(words(found))


def edit(name: str) -> Use:
    def carry_out(deck: Package, sound: Package, _room: Path) -> None:
        draft = Draft(sound if name == "export" else deck)
        if name == "clone":
            clone_slide(draft, 1)
        elif name == "delete":
            delete_slide(draft, 1)
        elif name == "move":
            move_slide(draft, 1, 2)
        else:
            import_slide(draft, deck if name == "export" else sound, 1)
        Package.from_bytes(draft.to_bytes(), "edited.pptx").close()

    return carry_out


def rebuild(deck: Package, _sound: Package, room: Path) -> None:
    build_deck(read_elements(deck).slides, room / "built.pptx", images=images_of(deck))


USES: dict[str, Use] = {
    "extract": extract, "snapshot": take, "validate and lint": check, "score": read_to_score,
    "diff": compare, "rebuild": rebuild,
    **{name: edit(name) for name in ("clone", "delete", "move", "import", "export")},
}  # fmt: skip


def parts_of(path: Path) -> Parts:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def put_to_use(parts: Parts, rng: random.Random, room: Path) -> int:
    """How many uses a damaged copy of a deck could be put to."""
    broken, done = damaged(parts, rng), 0
    for name, use in USES.items():
        try:
            with opened(broken) as deck, opened(parts) as sound:
                use(deck, sound, room)
            done += 1
        except DecklabError as error:
            assert "\n" not in str(error), name
    return done


@pytest.mark.by_day(1)
@pytest.mark.parametrize("seed", range(3))
def test_damaged_samples_are_used_or_refused_in_one_line(tmp_path, seed):
    rng = random.Random(seed)
    path = sorted(write_samples(tmp_path))[seed]
    assert put_to_use(parts_of(path), rng, tmp_path) > len(USES) / 2


@pytest.mark.long
@pytest.mark.shared
def test_damaged_decks_of_many_features_are_used_or_refused_in_one_line(shared, tmp_path):
    rng = random.Random(7)
    folder = shared / "decks" / "features"
    decks = [path for path in sorted(folder.glob("*.pptx")) if path.stat().st_size < 100_000]
    done = [put_to_use(parts_of(path), rng, tmp_path) for path in rng.sample(decks, RUNS)]
    assert sum(done) > RUNS * len(USES) / 2
