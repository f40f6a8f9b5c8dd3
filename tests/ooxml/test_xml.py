import time

import pytest

from decklab.core.errors import LimitExceeded, MalformedPart
from decklab.ooxml.signatures import Limits
from decklab.ooxml.xml import parse_xml, serialize_xml

LAUGHS = (
    '<!DOCTYPE x [<!ENTITY a "ha">'
    + "".join(
        f'<!ENTITY {n} "{f"&{p};" * 10}">' for p, n in zip("abcdefghi", "bcdefghij", strict=True)
    )
    + "]><x>&j;</x>"
)


def parsed(text, **limits):
    data = text if isinstance(text, bytes) else text.encode()
    return parse_xml(data, path="deck.pptx", part="a.xml", limits=Limits(**limits))


def test_plain_xml_is_parsed_without_comments_and_instructions():
    root = parsed("<?xml version='1.0'?><!--c--><a><?pi x?><b>t</b><!-- d --></a>")
    assert [child.tag for child in root] == ["b"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_the_encodings_of_the_standard_are_read(encoding):
    assert parsed("<a>é</a>".encode(encoding)).text == "é"


@pytest.mark.parametrize(
    "text",
    ["", "no xml", "<a>", "<a></b>", "<a b='1' b='2'/>", "<a>&unknown;</a>", "<a/><b/>", "\0"],
)
def test_what_is_not_well_formed_is_named(text):
    with pytest.raises(MalformedPart, match=r"^deck\.pptx: a\.xml: not well-formed XML") as caught:
        parsed(text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        LAUGHS,
        '<!DOCTYPE x SYSTEM "file:///etc/passwd"><x/>',
        '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><x>&e;</x>',
        '<!DOCTYPE x [<!ENTITY % e SYSTEM "http://127.0.0.1/x"> %e;]><x/>',
        "<?xml version='1.0'?><!-- c --><!DOCTYPE x><x/>",
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-le", "utf-16-be"])
def test_document_types_and_with_them_entities_are_refused_at_once(text, encoding):
    start = time.perf_counter()
    with pytest.raises(MalformedPart):
        parsed(text.encode(encoding))
    assert time.perf_counter() - start < 1


def test_a_document_type_in_an_odd_encoding_is_refused_too():
    text = '<?xml version="1.0" encoding="IBM037"?><!DOCTYPE x [<!ENTITY e "1">]><x>&e;</x>'
    with pytest.raises(MalformedPart):
        parsed(text.encode("cp037"))


def test_text_about_document_types_is_only_text():
    root = parsed("<a><![CDATA[<!DOCTYPE html>]]></a>")
    assert root.text == "<!DOCTYPE html>"


def test_depth_is_limited():
    assert parsed("<a>" * 10 + "</a>" * 10, xml_depth=10).tag == "a"
    with pytest.raises(LimitExceeded, match="deeper than the limit of 10"):
        parsed("<a>" * 11 + "</a>" * 11, xml_depth=10)


@pytest.mark.parametrize("depth", [201, 5_000, 500_000])
def test_depths_that_would_break_a_parser_are_refused(depth):
    with pytest.raises(LimitExceeded, match="deeper than the limit of 200"):
        parsed("<a>" * depth + "</a>" * depth)


def test_size_and_number_of_nodes_are_limited():
    with pytest.raises(LimitExceeded, match="15 bytes of XML, more than the limit of 14"):
        parsed("<a>12345678</a>", xml_bytes=14)
    with pytest.raises(LimitExceeded, match="elements and attributes"):
        parsed("<a>" + "<b/>" * 100 + "</a>", xml_nodes=100)


def test_the_strict_edition_is_read_as_the_transitional_one():
    root = parsed(
        '<p:sld xmlns:p="http://purl.oclc.org/ooxml/presentationml/main" '
        'xmlns:r="http://purl.oclc.org/ooxml/officeDocument/relationships" r:id="rId1"/>'
    )
    assert root.tag == "{http://schemas.openxmlformats.org/presentationml/2006/main}sld"
    assert list(root.attrib) == [
        "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
    ]


def test_a_namespace_may_have_a_name_that_is_no_uri():
    root = parsed('<a xmlns:s="$ListId:Shared Documents;"><s:b/>t</a>')
    assert [child.tag for child in root] == ["{$ListId:Shared Documents;}b"]


@pytest.mark.parametrize("wrong", ["<s:b>", "<s:b/><t:c/>", "<b c='1' c='2'/>"])
def test_a_namespace_of_that_kind_hides_no_other_mistake(wrong):
    with pytest.raises(MalformedPart, match="not well-formed XML"):
        parsed(f'<a xmlns:s="no uri">{wrong}</a>')


def test_what_was_parsed_is_written_again():
    assert serialize_xml(parsed("<a b='1'>é</a>")) == (
        "<?xml version='1.0' encoding='UTF-8' standalone='yes'?>\n<a b=\"1\">é</a>".encode()
    )
