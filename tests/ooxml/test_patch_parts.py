import time

import pytest
from lxml import etree

from decklab.ooxml.patch_parts import (
    MOST_WORK,
    PartSize,
    Refusal,
    find,
    measure_path,
    size_of,
    work,
)
from decklab.ooxml.xml import NAMESPACES

SMALL = etree.fromstring("<r><a><b i='1'/><b i='2'/></a><a><c><b/></c></a></r>")
DECK = (
    f'<p:sld xmlns:p="{NAMESPACES["p"]}" xmlns:a="{NAMESPACES["a"]}"><p:cSld><p:spTree>'
    '<p:sp><p:nvSpPr><p:cNvPr id="2" name="Title 1"/></p:nvSpPr>'
    "<p:txBody><a:p><a:r><a:t>One</a:t></a:r></a:p></p:txBody></p:sp>"
    '<p:sp><p:nvSpPr><p:cNvPr id="3" name="Text 2"/></p:nvSpPr>'
    "<p:txBody><a:p><a:r><a:t>Two</a:t></a:r></a:p><a:p/></p:txBody></p:sp>"
    "</p:spTree></p:cSld></p:sld>"
)


@pytest.mark.parametrize(
    ("path", "count"),
    [
        ("//a:t", 2),
        ("/p:sld/p:cSld/p:spTree/p:sp[2]/p:txBody/a:p", 2),
        ("//p:sp[p:nvSpPr/p:cNvPr[@id='3']]//a:t", 1),
        ('//p:sp[p:nvSpPr/p:cNvPr/@name="Title 1"]/p:txBody', 1),
        ("//p:cNvPr[@id=2]/../../p:txBody//a:r", 1),
        ("//a:t[contains(., 'wo')]/ancestor::p:sp", 1),
        ("//p:sp[.//a:t[starts-with(text(),'O')]]", 1),
        ("(//a:p)[last()]", 1),
        ("//a:p[not(a:r)]", 1),
        ("//a:p[position() > 1 or a:r]", 3),
        ("//*[local-name()='cNvPr']", 2),
        ("//p:sp | //a:p", 5),
        ("descendant::a:t", 2),
        ("//p:sp[ancestor::p:spTree]", 2),
    ],
)
def test_the_paths_that_edits_need_are_followed(path: str, count: int) -> None:
    root = etree.fromstring(DECK)
    found, _ = find(root, path, size_of(root))
    assert len(found) == count


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("document('file:///etc/passwd')", "function document()"),
        ("//a[re:test(., '(a+)+$')]", "function re:test()"),
        ("//a[id('x')]", "function id()"),
        ("//a[sum(.//b) > 1]", "function sum()"),
        ("//a/following-sibling::*", "axis following-sibling"),
        ("//namespace::*", "axis namespace"),
        ("//a[//b]", "starts at the root"),
        ("//a[count(//b) > 1]", "starts at the root"),
        ("//a[b = //b]", "starts at the root"),
        ("//a[not(/r)]", "starts at the root"),
        ("//a[b and //b]", "starts at the root"),
        ("//a[../b[.//c]]", "both up and"),
        ("//a[b[c[d[e]]]]", "4 deep"),
        ("//q:a", "prefix 'q'"),
        ("//a[$x]", "cannot be read"),
        ("//a[1 + 1]", "cannot be read"),
        ("//a[`]", "cannot be read"),
        ("//a" * 400, "characters"),
        ("", "no XPath"),
        ("//a[", "no XPath"),
        ("//", "no XPath"),
        ("'text'", "something other"),
        ("true()", "something other"),
        ("//@i", "something other"),
    ],
)
def test_other_paths_are_refused_with_a_reason(path: str, told: str) -> None:
    with pytest.raises(Refusal) as caught:
        find(SMALL, path, size_of(SMALL))
    assert told in str(caught.value)


def test_the_size_of_a_part_is_counted() -> None:
    assert size_of(SMALL) == PartSize(elements=7, depth=4, width=2)
    assert size_of(etree.fromstring("<r/>")) == PartSize(elements=1, depth=1, width=0)


def test_what_decides_the_cost_of_a_path_is_read_off_it() -> None:
    form = measure_path("//p:sp[p:nvSpPr[@id='//']]//a:t/..")
    assert (form.leaps, form.nesting, form.ups, form.dives) == (3, 2, 0, 0)
    inside = measure_path("//a[.//b and c//d]")
    assert (inside.leaps, inside.dives) == (1, 2)


def test_a_slide_of_eight_thousand_elements_allows_the_usual_paths() -> None:
    size = PartSize(elements=8_000, depth=20, width=300)
    for path in (
        "//p:sp[p:nvSpPr/p:cNvPr[@id='3']]//a:t",
        "//p:cNvPr[@id='3']/../../p:txBody/a:p",
        "//p:sp[.//a:t[contains(., 'x')]]",
    ):
        assert work(measure_path(path), size) <= MOST_WORK


HOSTILE = [
    "//*//*",
    "//*//*//*",
    "//*/..//*",
    "//*/ancestor::*",
    "//*[.//*[.//*]]",
    "//*[count(.//*[count(.//*[count(.//*) > 1]) > 1]) > 1]",
    "//*[count(../*) > 3]",
    "//*[count(ancestor::*/*) > 3]",
    "//*[contains(., 'x')]",
    "//*[count(*[count(*[count(*) > 1]) > 1]) > 1]",
]


@pytest.mark.parametrize("shape", ["wide", "deep"])
@pytest.mark.parametrize("path", HOSTILE)
def test_no_path_keeps_a_processor_busy(path: str, shape: str) -> None:
    text = "<a><b/></a>" * 20_000 if shape == "wide" else ("<a>" * 100 + "</a>" * 100) * 400
    root = etree.fromstring(f"<r>{text}</r>")
    started = time.process_time()
    try:
        find(root, path, size_of(root))
    except Refusal as refused:
        assert "too long" in str(refused)
    assert time.process_time() - started < 8
