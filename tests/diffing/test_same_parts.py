"""Whatever is done to the XML of a deck: comparing files says what comparing snapshots says."""

import random
from copy import deepcopy
from pathlib import Path

import pytest
from tests.diffing.exactness import compared, of_snapshots, taken

from decklab.deck.views.snapshot import Snapshot
from decklab.diffing.same_parts import same_spelling
from decklab.diffing.snapshots import diff
from decklab.ooxml.draft import Draft
from decklab.ooxml.package import Package
from decklab.ooxml.xml import Element

FOLDERS = ("slides",) * 5 + ("slideLayouts", "slideMasters", "theme", "charts", "notesSlides")


@pytest.fixture(scope="module")
def rich(sample_decks: list[Path]) -> Path:
    return next(deck for deck in sample_decks if deck.stem == "rich")


@pytest.fixture(scope="module")
def original(rich: Path) -> Snapshot:
    return taken(rich)


@pytest.mark.by_day(1)
@pytest.mark.parametrize("seed", range(8))
def test_random_damage_is_found_though_not_all_is_read(
    seed: int, rich: Path, original: Snapshot, tmp_path: Path
) -> None:
    chance = random.Random(seed)
    with Package.open(rich) as package:
        draft = Draft(package)
        for _ in range(chance.randint(1, 4)):
            spoil(draft, chance)
        out = draft.save(tmp_path / "spoilt.pptx")
    after = taken(out)
    assert of_snapshots(compared(rich, out)) == diff(original, after)
    assert of_snapshots(compared(out, rich)) == diff(after, original)


def spoil(draft: Draft, chance: random.Random) -> None:
    """Change, remove, repeat or move one thing in one part."""
    folder = f"ppt/{chance.choice(FOLDERS)}/"
    parts = [name for name in draft.names if name.startswith(folder) and name.endswith(".xml")]
    root = draft.edit(chance.choice(sorted(parts)))
    inner = [item for item in root.iter() if isinstance(item.tag, str) and item is not root]
    chance.choice((change, change, drop, repeat, move))(chance.choice(inner), chance)


def change(item: Element, chance: random.Random) -> None:
    for name in chance.sample(sorted(map(str, item.attrib)), min(1, len(item.attrib))):
        value = str(item.get(name))
        item.set(name, str(int(value) + 7_000) if value.isdigit() else value[::-1])
    if item.text:
        item.text += " and more"


def drop(item: Element, chance: random.Random) -> None:
    around(item).remove(item)


def repeat(item: Element, chance: random.Random) -> None:
    item.addnext(deepcopy(item))


def move(item: Element, chance: random.Random) -> None:
    family = around(item)
    family.insert(chance.randrange(len(family)), item)


def around(item: Element) -> Element:
    parent = item.getparent()
    assert parent is not None
    return parent


def test_attributes_of_a_root_in_another_order_need_no_parsing() -> None:
    one = b'<?xml version="1.0"?>\r\n<p:sld xmlns:a="u" show="0" xmlns:p="v"><p:cSld/></p:sld>'
    assert same_spelling(one, b'<p:sld show="0" xmlns:p="v" xmlns:a="u"><p:cSld/></p:sld>')
    for other in (
        b'<p:sld show="1" xmlns:p="v" xmlns:a="u"><p:cSld/></p:sld>',
        b'<p:sld xmlns:p="v" xmlns:a="u"><p:cSld/></p:sld>',
        b'<p:sld show="0" xmlns:p="v" xmlns:a="u"><p:cSld /></p:sld>',
        b'<p:sldLayout show="0" xmlns:p="v" xmlns:a="u"><p:cSld/></p:sld>',
    ):
        assert not same_spelling(one, other)
