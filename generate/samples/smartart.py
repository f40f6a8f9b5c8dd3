"""A native SmartArt diagram: phases side by side, each an arrow with its points inside.

The parts are those of ECMA-376 part 1, section 21.4 (data, layout definition, colours, style)
and the drawn copy of [MS-ODRAWXML] 2.4, which readers show until the diagram is edited.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import NAMESPACE_URL, uuid5
from xml.sax.saxutils import escape, quoteattr

from pptx.opc.constants import CONTENT_TYPE as CT
from pptx.opc.constants import RELATIONSHIP_TYPE as RT
from pptx.opc.package import Part
from pptx.opc.packuri import PackURI
from pptx.oxml import parse_xml
from pptx.shapes.graphfrm import GraphicFrame
from pptx.slide import Slide

from generate.samples.filling import next_id
from generate.samples.markup import NAMESPACES, Frame, emu, solid, xfrm


@dataclass(frozen=True)
class Phase:
    """One arrow of the diagram: its heading, the points below it, and its theme colour."""

    heading: str
    points: tuple[str, ...]
    color: str


_DGM = (
    'xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram" '
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
)
_DSP = "http://schemas.microsoft.com/office/drawing/2008/diagram"
_DRAWING_TYPE = "application/vnd.ms-office.drawingml.diagramDrawing+xml"
_DRAWING_REL = "http://schemas.microsoft.com/office/2007/relationships/diagramDrawing"
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_LAYOUT_ID = "urn:decklab:diagram-layout:phases"
_STYLE_ID = "urn:decklab:diagram-style:flat"
_COLORS_ID = "urn:decklab:diagram-colors:phases"
_GAP = 10
"""Points between two arrows."""


def add_phases(
    slide: Slide, phases: Sequence[Phase], frame: Frame, *, name: str, alt: str
) -> GraphicFrame:
    """Add the diagram to a slide."""
    part = slide.part

    def related(stem: str, content_type: str, relationship: str, xml: str) -> str:
        uri = PackURI(f"/ppt/diagrams/{stem}1.xml")
        blob = (_HEAD + xml).encode()
        return part.relate_to(Part(uri, content_type, part.package, blob), relationship)

    drawing = related("drawing", _DRAWING_TYPE, _DRAWING_REL, _drawing(phases, frame))
    data = related("data", CT.DML_DIAGRAM_DATA, RT.DIAGRAM_DATA, _data(phases, drawing))
    layout = related("layout", CT.DML_DIAGRAM_LAYOUT, RT.DIAGRAM_LAYOUT, _layout())
    style = related("quickStyle", CT.DML_DIAGRAM_STYLE, RT.DIAGRAM_QUICK_STYLE, _style())
    colors = related("colors", CT.DML_DIAGRAM_COLORS, RT.DIAGRAM_COLORS, _colors(phases))
    slide.shapes._spTree.append(
        parse_xml(
            f"<p:graphicFrame {NAMESPACES}><p:nvGraphicFramePr>"
            f'<p:cNvPr id="{next_id(slide)}" name={quoteattr(name)} descr={quoteattr(alt)}/>'
            f"<p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr>{xfrm(frame, 'p:xfrm')}"
            '<a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/'
            f'diagram"><dgm:relIds {_DGM} r:dm="{data}" r:lo="{layout}" r:qs="{style}" '
            f'r:cs="{colors}"/></a:graphicData></a:graphic></p:graphicFrame>'
        )
    )
    diagram = slide.shapes[-1]
    assert isinstance(diagram, GraphicFrame)
    return diagram


def _key(*path: object) -> str:
    name = "decklab:diagram:" + "/".join(str(piece) for piece in path)
    return "{" + str(uuid5(NAMESPACE_URL, name)).upper() + "}"


def _words(text: str) -> str:
    return (
        "<dgm:t><a:bodyPr/><a:lstStyle/><a:p><a:r>"
        f'<a:rPr lang="en-GB"/><a:t>{escape(text)}</a:t></a:r></a:p></dgm:t>'
    )


_NO_WORDS = '<dgm:t><a:bodyPr/><a:lstStyle/><a:p><a:endParaRPr lang="en-GB"/></a:p></dgm:t>'


class _Model:
    """Points and connections of the data model, gathered in order."""

    def __init__(self) -> None:
        self.points = ""
        self.links = ""

    def point(self, key: str, kind: str, properties: str, words: str) -> None:
        self.points += (
            f'<dgm:pt modelId="{key}"{kind}><dgm:prSet{properties}<dgm:spPr/>{words}</dgm:pt>'
        )

    def child(self, parent: str, key: str, order: int, text: str) -> None:
        """A text node under its parent, with the two transitions that every node has."""
        link, up, beside = (_key(key, role) for role in ("link", "parTrans", "sibTrans"))
        self.point(key, "", "/>", _words(text))
        self.point(up, f' type="parTrans" cxnId="{link}"', "/>", _NO_WORDS)
        self.point(beside, f' type="sibTrans" cxnId="{link}"', "/>", _NO_WORDS)
        self.links += (
            f'<dgm:cxn modelId="{link}" srcId="{parent}" destId="{key}" srcOrd="{order}" '
            f'destOrd="0" parTransId="{up}" sibTransId="{beside}"/>'
        )

    def presentation(self, key: str, of: str, name: str, rest: str) -> None:
        """A point of the drawn side."""
        marks = f' presAssocID="{of}" presName="{name}"{rest}'
        self.point(key, ' type="pres"', marks, "")

    def link(self, kind: str, source: str, target: str, orders: tuple[int, int]) -> None:
        """A connection to the drawn side."""
        self.links += (
            f'<dgm:cxn modelId="{_key(kind, source, target)}" type="{kind}" srcId="{source}" '
            f'destId="{target}" srcOrd="{orders[0]}" destOrd="{orders[1]}" presId="{_LAYOUT_ID}"/>'
        )


def _data(phases: Sequence[Phase], drawing: str) -> str:
    model = _Model()
    root, drawn_root = _key("root"), _key("drawn")
    model.point(
        root, ' type="doc"',
        f' loTypeId="{_LAYOUT_ID}" loCatId="process" qsTypeId="{_STYLE_ID}" qsCatId="simple" '
        f'csTypeId="{_COLORS_ID}" csCatId="colorful"/>', _NO_WORDS,
    )  # fmt: skip
    for order, phase in enumerate(phases):
        key = _key(order)
        model.child(root, key, order, phase.heading)
        for number, text in enumerate(phase.points):
            model.child(key, _key(order, number), number, text)
    variables = (
        '<dgm:presLayoutVars><dgm:dir/><dgm:resizeHandles val="exact"/></dgm:presLayoutVars>'
    )
    model.presentation(drawn_root, root, "phases", f' presStyleCnt="0">{variables}</dgm:prSet>')
    model.link("presOf", root, drawn_root, (0, 0))
    place = 0
    for order, phase in enumerate(phases):
        key, drawn = _key(order), _key(order, "drawn")
        if order:
            gap, between = _key(order, "gap"), _key(_key(order - 1), "sibTrans")
            model.presentation(gap, between, "gap", ' presStyleCnt="0"/>')
            model.link("presParOf", drawn_root, gap, (place, 0))
            place += 1
        look = f' presStyleLbl="node1" presStyleIdx="{order}" presStyleCnt="{len(phases)}"'
        editable = '<dgm:presLayoutVars><dgm:bulletEnabled val="1"/></dgm:presLayoutVars>'
        model.presentation(drawn, key, "phase", f"{look}>{editable}</dgm:prSet>")
        model.link("presParOf", drawn_root, drawn, (place, 0))
        model.link("presOf", key, drawn, (0, 0))
        place += 1
        for number in range(len(phase.points)):
            model.link("presOf", _key(order, number), drawn, (0, number + 1))
    return (
        f"<dgm:dataModel {_DGM}><dgm:ptLst>{model.points}</dgm:ptLst>"
        f"<dgm:cxnLst>{model.links}</dgm:cxnLst><dgm:bg/><dgm:whole/><dgm:extLst>"
        f'<a:ext uri="{_DSP}"><dsp:dataModelExt xmlns:dsp="{_DSP}" relId="{drawing}" '
        'minVer="http://schemas.openxmlformats.org/drawingml/2006/diagram"/></a:ext>'
        "</dgm:extLst></dgm:dataModel>"
    )


def _layout() -> str:
    sample = "<dgm:dataModel><dgm:ptLst/><dgm:bg/><dgm:whole/></dgm:dataModel>"
    samples = "".join(
        f'<dgm:{tag} useDef="1">{sample}</dgm:{tag}>'
        for tag in ("sampData", "styleData", "clrData")
    )
    bare = '<dgm:shape r:blip=""><dgm:adjLst/></dgm:shape>'
    own = 'for="ch" forName="phase"'
    return (
        f'<dgm:layoutDef {_DGM} uniqueId="{_LAYOUT_ID}"><dgm:title val="Phases"/>'
        '<dgm:desc val="Steps in time, side by side, each with its points."/>'
        f'<dgm:catLst><dgm:cat type="process" pri="900"/></dgm:catLst>{samples}'
        '<dgm:layoutNode name="phases"><dgm:varLst><dgm:dir/><dgm:resizeHandles val="exact"/>'
        f'</dgm:varLst><dgm:alg type="lin"/>{bare}<dgm:presOf/><dgm:constrLst>'
        f'<dgm:constr type="w" {own} refType="w"/><dgm:constr type="h" {own} refType="h"/>'
        '<dgm:constr type="w" for="ch" forName="gap" refType="w" refFor="ch" '
        'refForName="phase" fact="0.05"/>'
        f'<dgm:constr type="primFontSz" {own} op="equ" val="18"/></dgm:constrLst><dgm:ruleLst/>'
        '<dgm:forEach name="eachPhase" axis="ch" ptType="node">'
        '<dgm:layoutNode name="phase" styleLbl="node1"><dgm:varLst><dgm:bulletEnabled val="1"/>'
        '</dgm:varLst><dgm:alg type="tx"/><dgm:shape type="homePlate" r:blip=""><dgm:adjLst/>'
        '</dgm:shape><dgm:presOf axis="desOrSelf" ptType="node"/><dgm:constrLst/><dgm:ruleLst>'
        '<dgm:rule type="primFontSz" val="5" fact="NaN" max="NaN"/></dgm:ruleLst>'
        "</dgm:layoutNode>"
        '<dgm:forEach name="eachGap" axis="followSib" ptType="sibTrans" cnt="1">'
        f'<dgm:layoutNode name="gap"><dgm:alg type="sp"/>{bare}<dgm:presOf/><dgm:constrLst/>'
        "<dgm:ruleLst/></dgm:layoutNode></dgm:forEach></dgm:forEach></dgm:layoutNode>"
        "</dgm:layoutDef>"
    )


def _style() -> str:
    scene = (
        '<dgm:scene3d><a:camera prst="orthographicFront"/><a:lightRig rig="threePt" dir="t"/>'
        "</dgm:scene3d>"
    )
    black = '<a:scrgbClr r="0" g="0" b="0"/>'
    references = "".join(
        f'<a:{tag} idx="{idx}">{black}</a:{tag}>'
        for tag, idx in (("lnRef", 0), ("fillRef", 1), ("effectRef", 0))
    )
    return (
        f'<dgm:styleDef {_DGM} uniqueId="{_STYLE_ID}"><dgm:title val="Flat"/><dgm:desc val=""/>'
        f'<dgm:catLst><dgm:cat type="simple" pri="900"/></dgm:catLst>{scene}'
        f'<dgm:styleLbl name="node1">{scene}<dgm:sp3d/><dgm:txPr/><dgm:style>{references}'
        '<a:fontRef idx="minor"><a:schemeClr val="lt1"/></a:fontRef></dgm:style></dgm:styleLbl>'
        "</dgm:styleDef>"
    )


def _colors(phases: Sequence[Phase]) -> str:
    fills = "".join(f'<a:schemeClr val="{phase.color}"/>' for phase in phases)
    white = '<a:schemeClr val="lt1"/>'
    return (
        f'<dgm:colorsDef {_DGM} uniqueId="{_COLORS_ID}"><dgm:title val="Phases"/>'
        '<dgm:desc val=""/><dgm:catLst><dgm:cat type="colorful" pri="900"/></dgm:catLst>'
        f'<dgm:styleLbl name="node1"><dgm:fillClrLst meth="repeat">{fills}</dgm:fillClrLst>'
        f'<dgm:linClrLst meth="repeat">{white}</dgm:linClrLst><dgm:effectClrLst/>'
        f'<dgm:txLinClrLst/><dgm:txFillClrLst meth="repeat">{white}</dgm:txFillClrLst>'
        "<dgm:txEffectClrLst/></dgm:styleLbl></dgm:colorsDef>"
    )


def _drawing(phases: Sequence[Phase], frame: Frame) -> str:
    width = (frame[2] - _GAP * (len(phases) - 1)) / len(phases)
    shapes = "".join(
        _drawn_phase(phase, order, (order * (width + _GAP), 0, width, frame[3]))
        for order, phase in enumerate(phases)
    )
    return (
        f'<dsp:drawing {_DGM} xmlns:dsp="{_DSP}"><dsp:spTree><dsp:nvGrpSpPr>'
        '<dsp:cNvPr id="0" name=""/><dsp:cNvGrpSpPr/></dsp:nvGrpSpPr><dsp:grpSpPr/>'
        f"{shapes}</dsp:spTree></dsp:drawing>"
    )


def _drawn_phase(phase: Phase, order: int, frame: Frame) -> str:
    left, top, width, height = frame
    inside = (left, top, width - 24, height)
    text = _drawn_words(phase.heading, 2000, True)
    text += "".join(_drawn_words(point, 1500, False) for point in phase.points)
    black = '<a:scrgbClr r="0" g="0" b="0"/>'
    return (
        f'<dsp:sp modelId="{_key(order, "drawn")}"><dsp:nvSpPr><dsp:cNvPr id="0" name=""/>'
        f"<dsp:cNvSpPr/></dsp:nvSpPr><dsp:spPr>{xfrm(frame)}"
        '<a:prstGeom prst="homePlate"><a:avLst><a:gd name="adj" fmla="val 16000"/></a:avLst>'
        f"</a:prstGeom>{solid(phase.color)}<a:ln><a:noFill/></a:ln></dsp:spPr><dsp:style>"
        f'<a:lnRef idx="0">{black}</a:lnRef><a:fillRef idx="1">{black}</a:fillRef>'
        f'<a:effectRef idx="0">{black}</a:effectRef><a:fontRef idx="minor">'
        '<a:schemeClr val="lt1"/></a:fontRef></dsp:style><dsp:txBody>'
        '<a:bodyPr spcFirstLastPara="0" vert="horz" wrap="square" lIns="177800" tIns="0" '
        f'rIns="101600" bIns="0" numCol="1" anchor="ctr"><a:noAutofit/></a:bodyPr><a:lstStyle/>'
        f"{text}"
        f"</dsp:txBody>{xfrm(inside, 'dsp:txXfrm')}</dsp:sp>"
    )


def _drawn_words(text: str, size: int, heading: bool) -> str:
    mark = "<a:buNone/>" if heading else '<a:buChar char="•"/>'
    hang = 0 if heading else emu(12)
    level = 0 if heading else 1
    return (
        f'<a:p><a:pPr marL="{hang}" lvl="{level}" indent="{-hang}" algn="l">'
        '<a:lnSpc><a:spcPct val="95000"/></a:lnSpc>'
        f'<a:spcBef><a:spcPts val="600"/></a:spcBef>{mark}</a:pPr>'
        f'<a:r><a:rPr lang="en-GB" sz="{size}" b="{int(heading)}" kern="1200">'
        f"{solid('lt1')}</a:rPr><a:t>{escape(text)}</a:t></a:r></a:p>"
    )
