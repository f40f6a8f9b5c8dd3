from pptx.dml.color import RGBColor
from pptx.oxml import parse_xml

from decklab.ooxml.xml import serialize_xml
from decklab.scoring.probes.doubling import double_texts


def texts(root):
    """What python-pptx reads from the changed slide, paragraph by paragraph."""
    namespace = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
    tree = parse_xml(serialize_xml(root))
    return [
        "".join(t.text or "" for t in p.iter(f"{namespace}t")) for p in tree.iter(f"{namespace}p")
    ]


def doubled(draft, opened):
    package, outline = opened(draft)
    root = package.xml(outline.slides[0].part)
    return root, double_texts(root, outline.slides[0])


def test_the_longest_paragraph_is_doubled_and_the_others_stay(draft, opened):
    draft.text(draft.slide(), "short\nthe longest of the three\nlast", (100, 100, 500, 300))
    root, done = doubled(draft, opened)
    assert texts(root) == ["short", "the longest of the three the longest of the three", "last"]
    assert len(done) == 1


def test_all_runs_are_doubled_in_order(draft, opened):
    shape = draft.text(draft.slide(), "plain ", (100, 100, 500, 300))
    run = shape.text_frame.paragraphs[0].add_run()
    run.text, run.font.bold = "bold", True
    root, _ = doubled(draft, opened)
    assert texts(root) == ["plain bold plain bold"]
    assert serialize_xml(root).count(b'b="1"') == 2


def test_each_shape_gets_a_colour_of_its_own_instead_of_fill_and_link(draft, opened):
    slide = draft.slide()
    linked = draft.text(slide, "linked", (100, 100, 500, 200)).text_frame.paragraphs[0].runs[0]
    linked.hyperlink.address = "https://example.org"
    red = draft.text(slide, "red", (100, 300, 500, 400)).text_frame.paragraphs[0].runs[0]
    red.font.color.rgb = RGBColor(255, 0, 0)
    root, done = doubled(draft, opened)
    xml = serialize_xml(root)
    assert len({item.color for item in done}) == 2
    assert b"hlinkClick" not in xml and b"FF0000" not in xml
    for item in done:
        assert xml.count(item.color[1:].encode()) == 2


def test_empty_turned_and_vertical_text_is_left_alone(draft, opened):
    slide = draft.slide()
    draft.text(slide, "  ", (0, 0, 100, 50))
    draft.text(slide, "turned", (200, 0, 300, 50)).rotation = 90
    upright = draft.text(slide, "vertical", (400, 0, 500, 200))
    upright.text_frame._txBody.bodyPr.set("vert", "vert")
    root, done = doubled(draft, opened)
    assert done == [] and texts(root) == ["  ", "turned", "vertical"]
