"""Charts whose parts a program names anew, with other ids of axes, are no edit."""

import re
from pathlib import Path
from zipfile import ZipFile

from decklab.deck.deck import write_samples
from decklab.diffing.decks import diff_packages
from decklab.ooxml.package import Package


def renamed(source: Path, target: Path, *, value: bytes | None = None) -> None:
    """Charts 1 and 2 become 41 and 42, with other ids of axes; ``value`` becomes the first number
    of each."""
    with ZipFile(source) as old, ZipFile(target, "w") as new:
        for name in old.namelist():
            data = re.sub(rb"(charts/(?:_rels/)?chart)([12]\.)", _later, old.read(name))
            if re.fullmatch(r"ppt/charts/chart[12]\.xml", name):
                data = re.sub(rb'(<c:(?:axId|crossAx) val="-?)(\d+)"', rb'\g<1>1\2"', data)
                if value is not None:
                    data = re.sub(rb"<c:v>[\d.]+</c:v>", b"<c:v>%s</c:v>" % value, data, count=1)
            place = re.sub(r"(charts/(?:_rels/)?chart)([12]\.)", r"\g<1>4\2", name)
            new.writestr(place, data)


def _later(match: re.Match[bytes]) -> bytes:
    return match[1] + b"4" + match[2]


def test_only_what_is_in_a_chart_is_compared(tmp_path: Path) -> None:
    write_samples(tmp_path)
    deck = tmp_path / "rich.pptx"
    renamed(deck, tmp_path / "same.pptx")
    renamed(deck, tmp_path / "other.pptx", value=b"7777")
    with (
        Package.open(deck) as before,
        Package.open(tmp_path / "same.pptx") as same,
        Package.open(tmp_path / "other.pptx") as other,
    ):
        assert any("chart4" in name for name in same.names)
        assert diff_packages(before, same).edits == ()
        edits = diff_packages(before, other).edits
    assert edits
    assert not [edit for edit in edits if str(edit.property).startswith("relationship")]
