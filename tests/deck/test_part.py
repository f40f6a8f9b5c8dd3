import pytest

from decklab.deck.part import children
from decklab.ooxml.xml import local_name, parse_xml


def kept(part_xml, body):
    root = parse_xml(part_xml("p:spTree", body), path="d", part=None)
    return [local_name(child.tag) for child in children(root)]


def choice(body, requires="p14"):
    return f'<mc:Choice Requires="{requires}">{body}</mc:Choice>'


FALLBACK = "<mc:Fallback><p:old/><p:old/></mc:Fallback>"


@pytest.mark.parametrize(
    ("inner", "names"),
    [
        (choice("<p:new/>") + FALLBACK, ["new"]),
        (choice("<p:new/>", "p14 p159") + FALLBACK, ["new"]),
        (choice("<p:new/>", "am3d") + FALLBACK, ["old", "old"]),
        (
            '<mc:Choice xmlns:cx4="http://schemas.microsoft.com/office/drawing/2016/5/10/chartex" '
            f'Requires="cx4"><p:new/></mc:Choice>{FALLBACK}',
            ["new"],
        ),
        (choice("<p:new/>", "p14 am3d") + FALLBACK, ["old", "old"]),
        (choice("<p:new/>", "am3d") + choice("<p:next/>") + FALLBACK, ["next"]),
        (choice("<p:new/>", "undeclared") + FALLBACK, ["old", "old"]),
        (choice("<p:new/>", "") + FALLBACK, ["old", "old"]),
        (choice("", "p14") + FALLBACK, []),
        (choice("<p:new/>", "am3d"), ["new"]),
        ("", []),
    ],
)
def test_one_branch_is_taken_and_never_two(part_xml, inner, names):
    text = f"<p:a/><mc:AlternateContent>{inner}</mc:AlternateContent><p:z/>"
    assert kept(part_xml, text) == ["a", *names, "z"]


def test_a_choice_inside_a_choice_is_taken_too(part_xml):
    inner = f"<mc:AlternateContent>{choice('<p:new/>')}{FALLBACK}</mc:AlternateContent>"
    outer = f"<mc:AlternateContent>{choice(inner)}{FALLBACK}</mc:AlternateContent>"
    assert kept(part_xml, outer) == ["new"]
