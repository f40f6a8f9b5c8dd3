"""No abbreviation of the file format is left in what a diff says."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from pptx.enum import chart, dml, shapes, text

from decklab.diffing.changes import Change
from decklab.diffing.wording import sentence
from decklab.diffing.xml.names import property_name
from decklab.diffing.xml.parts import DeckPlace
from decklab.diffing.xml.remaining import detail_change
from decklab.diffing.xml.trees import XmlDifference, key_of, path_of, short_name
from decklab.ooxml.package import Package

_RAW = re.compile(
    r"\b(?:[a-z]+[A-Z]\w*|sng|dbl|ctr|tl|tr|bl|br|l|r|t|b|lu|ru|ld|rd|sq|rnd|med|lg|sm|horz|vert|"
    r"pct\d+|dk\d|lt\d|tx\d|bg\d|accent\d|hlink|phClr|cmpd|algn|blurRad|dist|dir|prst|idx|sz|"
    r"\d{5,})\b"
)
_FREE = re.compile(r"“[^”]*”|#[0-9A-F]{6}|\(id \d+\)|\(ppt/.*?\)\.?$|in ppt/\S+|\{[-0-9A-F]+\}")
"""Names and texts of the deck, colours, ids, and the places of details."""
_PARTS = re.compile(
    r"ppt/(?:slides|slideLayouts|slideMasters|charts|theme)/\w+\.xml$|presProps\.xml$"
)
_ENUMERATIONS = {
    "font.underline": text.MSO_TEXT_UNDERLINE_TYPE,
    "paragraph.align": text.PP_PARAGRAPH_ALIGNMENT,
    "body.anchor": text.MSO_VERTICAL_ANCHOR,
    "line.dash": dml.MSO_LINE_DASH_STYLE,
    "fill.pattern": dml.MSO_PATTERN_TYPE,
    "geometry": shapes.MSO_AUTO_SHAPE_TYPE,
    "placeholder.type": shapes.PP_PLACEHOLDER_TYPE,
    "axis.labels": chart.XL_TICK_LABEL_POSITION,
    "axis.major tick marks": chart.XL_TICK_MARK,
    "axis.crosses": chart.XL_AXIS_CROSSES,
    "legend": chart.XL_LEGEND_POSITION,
    "label position": chart.XL_DATA_LABEL_POSITION,
    "marker": chart.XL_MARKER_STYLE,
}


def raw_in(told: str) -> list[str]:
    return _RAW.findall(_FREE.sub("", told))


@pytest.mark.parametrize("name", _ENUMERATIONS)
def test_every_value_that_python_pptx_knows_has_words(name: str) -> None:
    values = {member.xml_value for member in _ENUMERATIONS[name] if member.xml_value}
    assert values
    told = [
        sentence(Change(slide=1, element=None, kind="style", property=name, old=None, new=value))
        for value in sorted(values)
    ]
    assert [one for one in told if raw_in(one.partition(" changed ")[2]) or "“" in one] == []


def _differences(deck: Path) -> Iterator[tuple[str, XmlDifference]]:
    """Each attribute of a deck as if it had been added, and each element."""
    with Package.open(deck) as package:
        for part in filter(_PARTS.search, package.names):
            for item in package.xml(part).iter("*"):
                key, path = key_of(item), path_of(item)
                yield part, XmlDifference("added", path, key, None, "", item)
                for name, value in item.items():
                    at = f"@{short_name(str(name), item)}"
                    yield part, XmlDifference("added", path + at, key + at, None, str(value), item)


@pytest.mark.long
def test_no_raw_value_is_left_of_all_that_sample_decks_hold(sample_decks: list[Path]) -> None:
    told = {
        sentence(detail_change(raw, DeckPlace(slide=1), part, ""))
        for deck in sample_decks
        for part, raw in _differences(deck)
        if property_name(raw).known
    }
    assert len(told) > 500
    assert sorted((raw_in(one), one) for one in told if raw_in(one)) == []
