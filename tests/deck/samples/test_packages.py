"""The decks as packages, judged with zipfile and lxml alone: what PowerPoint checks on opening."""

import posixpath
import zipfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from lxml import etree

_P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"

NAMES = ["plain", "rich", "bad"]


class _Parts:
    """All parts of a deck, unpacked."""

    def __init__(self, path: Path) -> None:
        with zipfile.ZipFile(path) as archive:
            self.blobs = {name: archive.read(name) for name in archive.namelist()}

    def xml(self, name: str) -> etree._Element:
        return etree.fromstring(self.blobs[name])

    def named(self, start: str) -> list[str]:
        return [n for n in self.blobs if n.startswith(start) and n.endswith(".xml")]

    def slides(self) -> Iterator[tuple[str, etree._Element]]:
        for name in self.named("ppt/slides/slide"):
            yield name, self.xml(name)

    def links(self, part: str) -> dict[str, tuple[str, str, bool]]:
        """Id to type, resolved target and whether it lies outside, of a part's relationships."""
        folder, base = posixpath.split(part)
        rels = f"{folder}/_rels/{base}.rels".lstrip("/")
        if rels not in self.blobs:
            return {}
        found = {}
        for item in self.xml(rels):
            outside = item.get("TargetMode") == "External"
            target = item.get("Target", "")
            if not outside:
                target = posixpath.normpath(posixpath.join("/", folder, target)).lstrip("/")
            found[item.get("Id", "")] = (item.get("Type", ""), target, outside)
        return found


@pytest.fixture(params=NAMES)
def parts(request: pytest.FixtureRequest, sample_decks: dict[str, Path]) -> _Parts:
    return _Parts(sample_decks[request.param])


def test_no_part_comes_twice(sample_decks: dict[str, Path]) -> None:
    for path in sample_decks.values():
        with zipfile.ZipFile(path) as archive:
            names = [name.lower() for name in archive.namelist()]
        assert len(names) == len(set(names))


def test_every_part_has_a_content_type(parts: _Parts) -> None:
    types = parts.xml("[Content_Types].xml")
    endings = {item.get("Extension", "").lower() for item in types if item.tag.endswith("Default")}
    named = {item.get("PartName") for item in types if item.tag.endswith("Override")}
    for name in set(parts.blobs) - {"[Content_Types].xml"}:
        assert f"/{name}" in named or name.rpartition(".")[2].lower() in endings, name
    assert {name for name in named if name and name[1:] not in parts.blobs} == set()


def test_every_relationship_leads_to_a_part(parts: _Parts) -> None:
    checked = 0
    for part in ["", *parts.blobs]:
        for _, target, outside in parts.links(part).values():
            if not outside:
                assert target in parts.blobs, (part, target)
                checked += 1
    assert checked > 20


def test_every_relationship_id_in_use_exists(parts: _Parts) -> None:
    for part in (n for n in parts.blobs if n.startswith("ppt/") and n.endswith(".xml")):
        known = parts.links(part)
        for element in parts.xml(part).iter(etree.Element):
            used = {v for k, v in element.attrib.items() if str(k).startswith(_R) and v}
            assert used <= known.keys(), (part, element.tag, used)


def test_every_part_is_reached_from_the_package(parts: _Parts) -> None:
    reached: set[str] = set()
    waiting = [""]
    while waiting:
        for _, target, outside in parts.links(waiting.pop()).values():
            if not outside and target not in reached:
                reached.add(target)
                waiting.append(target)
    ordinary = {n for n in parts.blobs if not n.endswith(".rels") and n != "[Content_Types].xml"}
    assert ordinary == reached


def test_shape_ids_are_unique_on_each_slide_layout_and_master(parts: _Parts) -> None:
    for start in ("ppt/slides/slide", "ppt/slideLayouts/", "ppt/slideMasters/slideMaster"):
        for name in parts.named(start):
            ids = Counter(e.get("id") for e in parts.xml(name).iter(f"{_P}cNvPr"))
            assert [key for key, times in ids.items() if times > 1] == [], name


def test_slide_children_stand_in_schema_order(parts: _Parts) -> None:
    order = ["cSld", "clrMapOvr", "transition", "timing", "extLst"]
    for name, slide in parts.slides():
        tags = [
            "transition" if child.tag == f"{_MC}AlternateContent" else etree.QName(child).localname
            for child in slide
        ]
        assert tags == [tag for tag in order if tag in tags], name
        assert len(tags) == len(set(tags)), name


def test_layout_and_master_ids_are_unique_and_large_enough(parts: _Parts) -> None:
    ids = [int(e.get("id", "")) for e in parts.xml("ppt/presentation.xml").iter(f"{_P}sldMasterId")]
    for name in parts.named("ppt/slideMasters/slideMaster"):
        ids += [int(e.get("id", "")) for e in parts.xml(name).iter(f"{_P}sldLayoutId")]
    assert len(ids) == len(set(ids)) > 5
    assert min(ids) >= 2**31


def test_animations_point_to_shapes_and_paragraphs_of_their_slide(parts: _Parts) -> None:
    for name, slide in parts.slides():
        shapes = {e.get("id"): e.getparent().getparent() for e in slide.iter(f"{_P}cNvPr")}
        for tag in ("spTgt", "bldP", "bldGraphic"):
            for target in slide.iter(f"{_P}{tag}"):
                assert target.get("spid") in shapes, (name, tag)
        for span in slide.iter(f"{_P}pRg"):
            target = next(span.iterancestors(f"{_P}spTgt"))
            text = list(shapes[target.get("spid")].iter(f"{_A}p"))
            assert int(span.get("end", "")) < len(text), name


def test_time_node_ids_are_unique_on_each_slide(parts: _Parts) -> None:
    for name, slide in parts.slides():
        ids = [e.get("id") for e in slide.iter(f"{_P}cTn")]
        assert len(ids) == len(set(ids)), name


def test_entrances_of_text_and_graphics_have_their_build_entry(parts: _Parts) -> None:
    for name, slide in parts.slides():
        built = {e.get("spid") for e in slide.iter(f"{_P}bldP", f"{_P}bldGraphic")}
        grouped = set()
        for node in slide.iter(f"{_P}cTn"):
            if node.get("grpId") is not None:
                grouped |= {e.get("spid") for e in node.iter(f"{_P}spTgt")}
        assert grouped == built, name


def test_groups_hold_their_members_where_they_are_drawn(parts: _Parts) -> None:
    for name, slide in parts.slides():
        for frame in slide.iterfind(f".//{_P}grpSp/{_P}grpSpPr/{_A}xfrm"):
            outer, inner = frame.find(f"{_A}ext"), frame.find(f"{_A}chExt")
            assert outer is not None and inner is not None
            assert dict(outer.items()) == dict(inner.items()), name


def test_chart_axes_are_named_by_unsigned_numbers(sample_decks: dict[str, Path]) -> None:
    parts = _Parts(sample_decks["rich"])
    ids = [
        e.get("val", "")
        for name in parts.named("ppt/charts/chart")
        for e in parts.xml(name).iter("{*}axId", "{*}crossAx")
    ]
    assert len(ids) == 2 * 6
    assert all(id.isdigit() for id in ids)
