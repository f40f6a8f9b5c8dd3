"""Differences that mean nothing, by the standard: a flag may be spelled in several ways."""

import re
from pathlib import Path

import pytest

from decklab.diffing.decks import diff_packages
from decklab.ooxml.package import Package, write_package

PART = "ppt/presProps.xml"


def with_loop(deck: Path, out: Path, value: str) -> Path:
    """The deck with ``loop`` of its show properties set to a value."""
    with Package.open(deck) as package:
        text = re.sub(r"<p:showPr[^>]*/>", "", package.read(PART).decode())
        root = re.search(r"<p:presentationPr[^>]*?(/?)>", text)
        assert root is not None
        opened = root[0].removesuffix("/>").removesuffix(">")
        shown = f'{opened}><p:showPr loop="{value}"/>' + ("</p:presentationPr>" if root[1] else "")
        write_package(package, out, replace={PART: text.replace(root[0], shown).encode()})
    return out


@pytest.mark.parametrize(
    ("old", "new", "edits"),
    [("1", "true", 0), ("0", "false", 0), ("true", "1", 0), ("0", "1", 1), ("true", "false", 1)],
)
def test_only_another_value_of_a_flag_is_an_edit(
    sample_decks: list[Path], tmp_path: Path, old: str, new: str, edits: int
) -> None:
    before = with_loop(sample_decks[0], tmp_path / "before.pptx", old)
    after = with_loop(sample_decks[0], tmp_path / "after.pptx", new)
    with Package.open(before) as first, Package.open(after) as second:
        assert len(diff_packages(first, second).edits) == edits
