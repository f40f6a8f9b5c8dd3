"""Icons: every one can be drawn, stays on its grid and is bound into one group."""

import pytest
from generate.samples.icons import ICONS, icon_xml
from generate.samples.markup import NAMESPACES, freeform
from lxml import etree

_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"


def _group(icon: str, *, disc: str | None = "accent1") -> etree._Element:
    xml = icon_xml(
        icon, (10, 20, 200, 100), 7, "Icon & co", disc=disc, ink="bg1", spark="#FF8800", alt='"A"'
    )
    return etree.fromstring(xml.replace("<p:grpSp>", f"<p:grpSp {NAMESPACES}>", 1))


@pytest.mark.parametrize("icon", ICONS)
def test_pieces_stay_inside_the_group(icon: str) -> None:
    group = _group(icon)
    left, top, right, bottom = (12700 * n for n in (10, 20, 210, 120))
    for frame in group.iter(f"{_A}xfrm"):
        off, ext = frame.find(f"{_A}off"), frame.find(f"{_A}ext")
        x, y = int(off.get("x", "")), int(off.get("y", ""))
        assert left <= x and x + int(ext.get("cx", "")) <= right
        assert top <= y and y + int(ext.get("cy", "")) <= bottom


@pytest.mark.parametrize("icon", ICONS)
def test_paths_stay_on_the_grid(icon: str) -> None:
    points = list(_group(icon).iter(f"{_A}pt"))
    assert all(0 <= int(p.get(axis, "")) <= 10000 for p in points for axis in ("x", "y"))
    assert len(list(_group(icon).iter(f"{_A}custGeom", f"{_A}prstGeom"))) == len(ICONS[icon])


def test_ids_count_on_from_the_given_one() -> None:
    ids = [int(e.get("id", "")) for e in _group("house").iter("{*}cNvPr")]
    assert ids == [7, 8, 9, 10]


def test_without_a_disc_only_the_drawing_is_left() -> None:
    names = [e.get("name") for e in _group("house", disc=None).iter("{*}cNvPr")]
    assert names == ["Icon & co", "Walls", "Door"]


def test_the_alt_text_is_escaped() -> None:
    assert _group("drop").find(".//{*}cNvPr").get("descr") == '"A"'


def test_a_path_with_an_unknown_command_is_refused() -> None:
    with pytest.raises(KeyError, match="Q"):
        freeform(1, "Bad", (0, 0, 10, 10), "M 0 0 Q 1 1 2 2 Z", "<a:noFill/>")
