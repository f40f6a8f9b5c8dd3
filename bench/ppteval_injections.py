"""Known ways to spoil a perfect attempt that no attempt has by itself, each at one element.

``INJECTIONS`` has them by name: the element that is spoilt, and the attribute or children that it
gets. Children come first but for the elements in ``LAST``, where they come at the end.
"""

from collections.abc import Mapping
from typing import Final

_EFFECT = """
<p:timing><p:tnLst><p:par><p:cTn id="1" dur="indefinite" restart="never" nodeType="tmRoot">
<p:childTnLst><p:seq concurrent="1" nextAc="seek"><p:cTn id="2" dur="indefinite"
nodeType="mainSeq"><p:childTnLst><p:par><p:cTn id="3" fill="hold"><p:stCondLst>
<p:cond delay="0"/></p:stCondLst><p:childTnLst><p:par><p:cTn id="4" fill="hold"><p:stCondLst>
<p:cond delay="0"/></p:stCondLst><p:childTnLst><p:par><p:cTn id="5" presetID="{preset}"
presetClass="{kind}" presetSubtype="0" fill="hold" nodeType="withEffect"><p:stCondLst>
<p:cond delay="0"/></p:stCondLst><p:childTnLst>{effect}</p:childTnLst></p:cTn></p:par>
</p:childTnLst></p:cTn></p:par></p:childTnLst></p:cTn></p:par></p:childTnLst></p:cTn></p:seq>
</p:childTnLst></p:cTn></p:par></p:tnLst></p:timing>"""
_PLAYS = (
    '<p:cBhvr><p:cTn id="6" dur="500" fill="hold"/><p:tgtEl><p:spTgt spid="2"/></p:tgtEl></p:cBhvr>'
)


def _effect(preset: int, kind: str, effect: str) -> tuple[str, str]:
    """An effect on the slide's first shape, usually its title, as soon as the slide is there."""
    return "p:sld", _EFFECT.format(preset=preset, kind=kind, effect=effect)


INJECTIONS: Final[Mapping[str, tuple[str, str]]] = {
    # Letters.
    "struck through twice": ("a:rPr", 'strike="dblStrike"'),
    "below its line": ("a:rPr", 'baseline="-250000"'),
    "spread": ("a:rPr", 'spc="3000"'),
    "small capitals": ("a:rPr", 'cap="small"'),
    "one point": ("a:rPr", 'sz="100"'),
    "six and a half points": ("a:rPr", 'sz="650"'),
    "underlined": ("a:rPr", 'u="wavyHeavy"'),
    "kerned apart": ("a:rPr", 'kern="400000"'),
    "outlined letters": ("a:rPr", '<a:ln w="63500"><a:solidFill><a:srgbClr val="FF0000"/>'
                         "</a:solidFill></a:ln>"),
    "link to a program": ("a:rPr", '<a:hlinkClick r:id="" action="ppaction://program"/>'),
    "link that ends the show": ("a:hlinkClick", 'action="ppaction://hlinkshowjump?jump=endshow"'),
    "link that does nothing": ("a:hlinkClick", 'action="ppaction://noaction"'),
    "link that runs a macro": ("a:hlinkClick", 'action="ppaction://macro?name=Go"'),
    "link to nowhere": ("a:hlinkClick", 'r:id=""'),
    "link with a tip": ("a:hlinkClick", 'tooltip="Do not click"'),
    # Paragraphs and frames.
    "far to the left": ("a:pPr", 'marL="9000000"'),
    "from right to left": ("a:pPr", 'rtl="1"'),
    "tiny bullets": ("a:pPr", '<a:buSzPct val="25000"/>'),
    "other bullets": ("a:pPr", '<a:buChar char="X"/>'),
    "lines on each other": ("a:pPr", '<a:lnSpc><a:spcPct val="10000"/></a:lnSpc>'),
    "inset": ("a:bodyPr", 'lIns="6000000"'),
    "pushed onto the body": ("a:bodyPr", 'tIns="3000000"'),
    "turned in its box": ("a:bodyPr", 'rot="5400000"'),
    "written upright": ("a:bodyPr", 'vert="wordArtVert"'),
    "in nine columns": ("a:bodyPr", 'numCol="9"'),
    "upright in space": ("a:bodyPr", 'upright="1"'),
    "shrunk": ("a:bodyPr", '<a:normAutofit fontScale="10000"/>'),
    "warped": ("a:bodyPr", '<a:prstTxWarp prst="textWave4"><a:avLst/></a:prstTxWarp>'),
    "flat 3-D text": ("a:bodyPr", '<a:sp3d z="900000" extrusionH="50000"/>'),
    # Shapes and pictures.
    "edge-on": ("p:spPr", '<a:scene3d><a:camera prst="orthographicFront"><a:rot lat="0" '
                'lon="5400000" rev="0"/></a:camera><a:lightRig rig="flat" dir="t"/></a:scene3d>'),
    "blurred": ("p:spPr", '<a:effectLst><a:softEdge rad="900000"/></a:effectLst>'),
    "filled": ("p:spPr", '<a:solidFill><a:srgbClr val="FF0000"/></a:solidFill>'),
    "without size": ("a:ext", 'cx="0"'),
    "hidden": ("p:cNvPr", 'hidden="1"'),
    "runs a program": ("p:cNvPr", '<a:hlinkClick r:id="" action="ppaction://program"/>'),
    "ends the show": ("p:cNvPr", '<a:hlinkClick r:id="" action="ppaction://hlinkshowjump?'
                      'jump=endshow"/>'),
    "recoloured": ("a:blip", '<a:biLevel thresh="50000"/>'),
    "half transparent": ("a:blip", '<a:alphaModFix amt="50000"/>'),
    # Charts.
    "axis without bars": ("c:scaling", '<c:max val="20000"/><c:min val="10000"/>'),
    "axis too long": ("c:scaling", '<c:max val="900000"/>'),
    "upside down axis": ("c:scaling", '<c:orientation val="maxMin"/>'),
    "hidden axis": ("c:valAx", '<c:delete val="1"/>'),
    "plot without size": ("c:plotArea", '<c:layout><c:manualLayout><c:w val="0"/><c:h val="0"/>'
                          "</c:manualLayout></c:layout>"),
    "unpainted series": ("c:ser", "<c:spPr><a:noFill/><a:ln><a:noFill/></a:ln></c:spPr>"),
    "chart turned": ("c:chart", '<c:view3D><c:rotX val="90"/></c:view3D>'),
    # Effects.
    "title swells": _effect(6, "emph", f'<p:animScale>{_PLAYS}<p:to x="0" y="0"/></p:animScale>'),
    "title leaves on a path": _effect(
        35, "path", '<p:animMotion origin="layout" path="M 0 0 L 2 0 E" pathEditMode="relative">'
        f"{_PLAYS}</p:animMotion>"),
    "title fades to nothing": _effect(
        9, "emph", f'<p:animEffect filter="image" prLst="opacity: 0">{_PLAYS}</p:animEffect>'),
    "title spins": _effect(8, "emph", f'<p:animRot by="10800000">{_PLAYS}</p:animRot>'),
    # Slides and shows.
    "slide hidden": ("p:sld", 'show="0"'),
    "without its master": ("p:sld", 'showMasterSp="0"'),
    "goes by itself": ("p:transition", 'advTm="500"'),
    "no click": ("p:transition", 'advClick="0"'),
    "kiosk": ("p:presentationPr", '<p:showPr loop="1"><p:kiosk restart="1000"/></p:showPr>'),
    "first slide only": ("p:presentationPr", '<p:showPr><p:sldRg st="1" end="1"/></p:showPr>'),
    "password": ("p:presentation", '<p:modifyVerifier algorithmName="SHA-512" hashData="AA==" '
                 'saltData="AA==" spinValue="100000"/>'),
    "numbered from 99": ("p:presentation", 'firstSlideNum="99"'),
    "colours swapped": ("p:clrMap", 'bg1="dk1"'),
}  # fmt: skip
LAST: Final = frozenset(("p:sld", "p:presentation", "p:presentationPr", "p:spPr",
                         "c:scaling"))  # fmt: skip
