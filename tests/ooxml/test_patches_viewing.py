from pathlib import Path

import pytest
from lxml import etree

from decklab.core.errors import MissingPart
from decklab.deck.deck import write_samples
from decklab.ooxml.package import Package
from decklab.ooxml.patches import part_text
from decklab.ooxml.xml import NAMESPACES


@pytest.fixture(scope="module")
def rich(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_samples(tmp_path_factory.mktemp("samples"))[1]


def test_a_part_in_full_is_the_part(rich: Path) -> None:
    declared = " ".join(f'xmlns:{prefix}="{uri}"' for prefix, uri in NAMESPACES.items())
    with Package.open(rich) as package:
        for number in range(1, 15):
            part = f"ppt/slides/slide{number}.xml"
            shown = part_text(package, part, most=10**7)
            read = etree.fromstring(f"<all {declared}>{shown}</all>")[0]
            wanted = package.xml(part)
            assert _told(read) == _told(wanted)


def _told(root: etree._Element) -> list[object]:
    return [
        (item.tag, {k: v[:300] for k, v in item.attrib.items()}, (item.text or "").strip())
        for item in root.iter()
        if not any(len(value) > 300 for value in item.attrib.values())
    ]


@pytest.mark.parametrize("most", [5_000, 500, 50])
def test_a_part_is_never_longer_than_allowed(rich: Path, most: int) -> None:
    with Package.open(rich) as package:
        for part in ("ppt/slides/slide7.xml", "ppt/slideMasters/slideMaster1.xml"):
            shown = part_text(package, part, most=most)
            assert len(shown) <= most
            assert "…" in shown


def test_a_part_that_is_not_there_is_an_error(rich: Path) -> None:
    with Package.open(rich) as package, pytest.raises(MissingPart):
        part_text(package, "ppt/slides/slide99.xml")
