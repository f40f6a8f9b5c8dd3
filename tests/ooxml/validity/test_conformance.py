import re

import pytest

from decklab.ooxml.validity.conformance import Mismatch, load_types, load_values, match_children
from decklab.ooxml.xml import qn


def fits(type: str, names: str) -> int | None:
    """Index of the first child that does not fit; None where all do."""
    children = [qn(f"{type[0]}:{name}") for name in names.split()]
    try:
        at = match_children(load_types()[type].content, children)
    except Mismatch as mismatch:
        return mismatch.index
    return None if at == len(children) else at


@pytest.mark.parametrize(
    ("type", "children", "index"),
    [  # from the text of ECMA-376 part 1, clause 19.3 and 21.1
        ("p:Slide", "cSld clrMapOvr transition timing extLst", None),
        ("p:Slide", "cSld", None),
        ("p:Slide", "", 0),
        ("p:Slide", "cSld timing transition", 2),
        ("p:Slide", "cSld transition transition", 2),
        ("a:TextParagraph", "", None),
        ("a:TextParagraph", "pPr r br r fld endParaRPr", None),
        ("a:TextParagraph", "r pPr", 1),
        ("a:TextParagraph", "endParaRPr r", 1),
        ("a:TextCharacterProperties", "ln solidFill effectLst highlight latin ea cs sym", None),
        ("a:TextCharacterProperties", "solidFill gradFill", 1),
        ("a:TextCharacterProperties", "latin solidFill", 1),
        ("a:ShapeProperties", "xfrm prstGeom noFill ln effectLst scene3d sp3d", None),
        ("a:ShapeProperties", "prstGeom xfrm", 1),
        ("a:ShapeProperties", "prstGeom custGeom", 1),
        ("p:GroupShape", "nvGrpSpPr grpSpPr sp pic grpSp cxnSp graphicFrame sp extLst", None),
        ("p:GroupShape", "nvGrpSpPr sp", 1),
        ("p:Picture", "nvPicPr blipFill spPr", None),
        ("p:Picture", "nvPicPr spPr blipFill", 1),
        ("c:BarChart", "barDir grouping ser ser gapWidth axId axId", None),
        ("c:BarChart", "barDir grouping ser axId", 4),
        ("c:PlotArea", "layout barChart lineChart catAx valAx valAx catAx spPr", None),
        ("c:PlotArea", "layout catAx barChart", 1),
        ("c:Chart", "plotArea dispBlanksAs showDLblsOverMax extLst", None),
        ("c:Chart", "plotArea dispBlanksAs extLst showDLblsOverMax", None),  # PowerPoint's order
        ("c:Chart", "plotArea showDLblsOverMax extLst showDLblsOverMax", 3),
        ("a:Table", "tblPr tblGrid tr tr", None),
        ("a:Table", "tblPr tr", 1),
        ("a:GradientStop", "srgbClr", None),
        ("a:GradientStop", "", 0),
    ],
)
def test_children_fit_as_the_standard_says(type: str, children: str, index: int | None) -> None:
    assert fits(type, children) == index


@pytest.mark.parametrize("kind", ["Slide", "SlideLayout", "SlideMaster", "NotesMaster"])
def test_extensions_of_whole_slides_say_whether_they_change(kind: str) -> None:
    types = load_types()  # ECMA-376 part 1, 19.3.1.20
    assert "mod" in types[types[f"p:{kind}"].children[qn("p:extLst")]].attributes


def test_every_type_that_is_named_is_told_or_an_extension() -> None:
    types = load_types()
    unknown = {key for kind in types.values() for key in kind.children.values() if key not in types}
    assert all(
        "Extension" in key or key in ("c:xsd:string", "a:-") or ":" in key for key in unknown
    )
    untold = {key for key in unknown if "Extension" not in key}
    assert untold <= {"xsd:string", "c16r3:DataDisplayOptions16"}


def test_every_set_of_words_that_is_named_is_listed() -> None:
    kinds = {kind for one in load_types().values() for kind in one.attributes.values()}
    plain = {"", "b", "f", "adj", "guid", "date", "base64", "hex6", "hex20"}
    ranges = {kind for kind in kinds if re.fullmatch(r"-?\d+\.\.-?\d+", kind)}
    assert kinds - plain - ranges <= set(load_values())
    assert {"0..8", "100..400000", "256..2147483647", "2147483648..4294967295"} <= ranges
    assert load_values()["a:TextAlignType"] >= {"l", "ctr", "r", "just"}
