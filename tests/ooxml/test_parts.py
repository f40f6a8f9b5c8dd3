import pytest

from decklab.ooxml.parts import read_relationships, relationships_part, resolve_target
from decklab.ooxml.xml import parse_xml

RELS = "http://schemas.openxmlformats.org/package/2006/relationships"


def read(rows, source="ppt/slides/slide1.xml"):
    text = f'<Relationships xmlns="{RELS}">{rows}</Relationships>'
    return read_relationships(source, parse_xml(text.encode(), path="d", part=None))


@pytest.mark.parametrize(
    ("target", "name"),
    [
        ("../media/a.png", "ppt/media/a.png"),
        ("a.xml", "ppt/slides/a.xml"),
        ("/ppt/a.xml", "ppt/a.xml"),
        ("../media/my%20image.png", "ppt/media/my image.png"),
        ("./x/../a.xml#part", "ppt/slides/a.xml"),
        ("../../../../etc/passwd", "etc/passwd"),
        ("/../../etc/passwd", "etc/passwd"),
        ("NULL", "ppt/slides/NULL"),
    ],
)
def test_targets_are_resolved_inside_the_package(target, name):
    assert resolve_target("ppt/slides/slide1.xml", target) == name


def test_relationships_lie_in_a_folder_beside_their_part():
    assert relationships_part("a.xml") == "_rels/a.xml.rels"


def test_outside_targets_stay_as_written():
    found = read('<Relationship Id="r" Type="x/hyperlink" Target="../a b" TargetMode="External"/>')
    assert found["r"].target == "../a b"
    assert found["r"].external
    assert found["r"].kind == "hyperlink"


def test_incomplete_and_repeated_entries_are_left_out():
    found = read(
        '<Relationship Id="r" Type="t" Target="a"/><Relationship Id="r" Type="t" Target="b"/>'
        '<Relationship Type="t" Target="c"/><Relationship Id="s" Target="d"/><Other Id="o"/>'
        '<Relationship Id="e" Type="t" Target=""/>'
    )
    assert {id: link.target for id, link in found.items()} == {
        "r": "ppt/slides/a",
        "e": "ppt/slides",
    }
