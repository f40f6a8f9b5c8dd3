"""Names differences of XML: the property as people know it, with values in known units."""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

from decklab.diffing.terms import EFFECTS, color_term, spelled, term
from decklab.diffing.xml.trees import XmlDifference, elements, leaf_places, short_name
from decklab.ooxml.xml import EMU_PER_POINT, Element, parse_emu, parse_int

Convert = Callable[[str], Any]

_ANGLE = 60_000  # ST_Angle counts 60,000ths of a degree
_WHOLE = 100_000  # ST_Percentage counts thousandths of a percent


class Name(NamedTuple):
    """The name of a difference, and its values in known units."""

    property: str
    old: Any
    new: Any
    known: bool
    """Whether people know the property by this name; else it is the name in the XML."""


def _units(parse: Callable[[str], int | None], parts: int, digits: int = 3) -> Convert:
    """A function that converts whole numbers to units of ``parts`` each, and keeps the rest."""

    def convert(text: str) -> Any:
        value = parse(text)
        return text if value is None else round(value / parts, digits)

    return convert


_points = _units(parse_emu, EMU_PER_POINT)
_hundredths = _units(parse_int, 100)
_degrees = _units(parse_int, _ANGLE)
_share = _units(parse_int, _WHOLE, digits=5)


def _flag(text: str) -> Any:
    return {"1": True, "true": True, "0": False, "false": False}.get(text, text)


def _number(text: str) -> Any:
    try:
        return float(text) if "." in text or "e" in text.lower() else int(text)
    except ValueError:
        return text


def _color(text: str) -> Any:
    return f"#{text.upper()}" if re.fullmatch("[0-9A-Fa-f]{6}", text) else text


def _text(text: str) -> Any:
    return text


_RUN = "a:(?:rPr|endParaRPr|defRPr)"
_PARAGRAPH = r"a:(?:pPr|lvl\dpPr|defPPr)"
_FILLS = "a:(?:solidFill|gradFill|blipFill|pattFill|noFill|grpFill)"
_COLORS = "a:(?:srgbClr|schemeClr|prstClr|sysClr|scrgbClr|hslClr)"
_SHADES = "alpha|alphaOff|alphaMod|lumMod|lumOff|satMod|satOff|hueMod|shade|tint"

_LOCKS = {
    "noGrp": "grouping", "noSelect": "selection", "noRot": "rotation",
    "noChangeAspect": "aspect ratio", "noMove": "moving", "noResize": "resizing",
    "noEditPoints": "editing points", "noAdjustHandles": "handles",
    "noChangeArrowheads": "arrow heads", "noChangeShapeType": "shape type",
    "noTextEdit": "text", "noCrop": "cropping", "noUngrp": "ungrouping",
    "noDrilldown": "members",
}  # fmt: skip

NAMES: tuple[tuple[str, str, Convert], ...] = (
    # Effects, before the fonts and shapes that have them.
    (r"a:outerShdw@(\w+)$", "shadow.{}", _text),
    (r"a:innerShdw@(\w+)$", "inner shadow.{}", _text),
    (r"a:prstShdw@(\w+)$", "preset shadow.{}", _text),
    (r"a:reflection@(\w+)$", "reflection.{}", _text),
    (r"a:glow@rad$", "glow.radius", _points),
    (r"a:softEdge@rad$", "soft edges.radius", _points),
    (r"a:effectLst/a:blur@rad$", "blur.radius", _points),
    (rf"a:outerShdw/{_COLORS}\b.*?(?:a:({_SHADES}))?@val$", "shadow.color {}", _color),
    (rf"a:innerShdw/{_COLORS}\b.*?(?:a:({_SHADES}))?@val$", "inner shadow.color {}", _color),
    (rf"a:glow/{_COLORS}\b.*?(?:a:({_SHADES}))?@val$", "glow.color {}", _color),
    (r"a:outerShdw\b", "shadow", _text),
    (r"a:innerShdw\b", "inner shadow", _text),
    (r"a:prstShdw\b", "preset shadow", _text),
    (r"a:glow\b", "glow", _text),
    (r"a:reflection\b", "reflection", _text),
    (r"a:softEdge\b", "soft edges", _text),
    (r"a:(?:effectLst|effectDag)$", "effects", _text),
    (r"a:camera@prst$", "3-D.camera", _text),
    (r"a:camera@fov$", "3-D.field of view", _degrees),
    (r"a:camera@zoom$", "3-D.zoom", _share),
    (r"a:camera/a:rot@(lat|lon|rev)$", "3-D.rotation {}", _degrees),
    (r"a:lightRig@rig$", "3-D.light", _text),
    (r"a:lightRig@dir$", "3-D.light direction", _text),
    (r"a:lightRig/a:rot@(lat|lon|rev)$", "3-D.light rotation {}", _degrees),
    (r"a:sp3d@prstMaterial$", "3-D.material", _text),
    (r"a:sp3d@extrusionH$", "3-D.depth", _points),
    (r"a:sp3d@contourW$", "3-D.contour width", _points),
    (r"a:sp3d@z$", "3-D.distance from the ground", _points),
    (r"a:bevelT@prst$", "3-D.bevel", _text),
    (r"a:bevelT@(w|h)$", "3-D.bevel {}", _points),
    (r"a:bevelB@prst$", "3-D.bottom bevel", _text),
    (r"a:bevelB@(w|h)$", "3-D.bottom bevel {}", _points),
    (r"a:sp3d/a:bevel[TB]$", "3-D.bevel", _text),
    (r"a:scene3d\b", "3-D.scene", _text),
    (r"a:sp3d\b", "3-D", _text),
    # Text.
    (r"a:prstTxWarp@prst$", "text warp", _text),
    (r"a:prstTxWarp/a:avLst\b", "text warp.handles", _text),
    (r"a:prstTxWarp$", "text warp", _text),
    (rf"{_RUN}@sz$", "font.size", _hundredths),
    (rf"{_RUN}@b$", "font.bold", _flag),
    (rf"{_RUN}@i$", "font.italic", _flag),
    (rf"{_RUN}@u$", "font.underline", _text),
    (rf"{_RUN}@strike$", "font.strike", _text),
    (rf"{_RUN}@cap$", "font.caps", _text),
    (rf"{_RUN}@baseline$", "font.baseline", _share),
    (rf"{_RUN}@spc$", "font.spacing", _hundredths),
    (rf"{_RUN}@kern$", "font.kerning", _hundredths),
    (rf"{_RUN}@(?:lang|altLang)$", "font.language", _text),
    (rf"{_RUN}@noProof$", "font.no proofing", _flag),
    (rf"{_RUN}@normalizeH$", "font.even height", _flag),
    (rf"{_RUN}@kumimoji$", "font.upright numbers", _flag),
    (rf"{_RUN}/a:latin@typeface$", "font.name", _text),
    (rf"{_RUN}/a:ea@typeface$", "font.east_asian", _text),
    (rf"{_RUN}/a:cs@typeface$", "font.complex_script", _text),
    (rf"{_RUN}/a:sym@typeface$", "font.symbol", _text),
    (rf"{_RUN}/a:highlight\b.*@val$", "font.highlight", _color),
    (rf"{_RUN}/a:solidFill/{_COLORS}(?:/a:({_SHADES}))?@val$", "font.color {}", _color),
    (rf"{_RUN}/{_FILLS}\b", "font.color", _text),
    (rf"{_RUN}/a:ln\b", "font.outline", _text),
    (rf"{_RUN}/a:(latin|ea|cs|sym)$", "font.name {}", _text),
    (rf"{_RUN}/a:hlinkClick\b", "link", _text),
    (rf"{_PARAGRAPH}@algn$", "paragraph.align", _text),
    (rf"{_PARAGRAPH}@lvl$", "paragraph.level", _number),
    (rf"{_PARAGRAPH}@marL$", "paragraph.margin_left", _points),
    (rf"{_PARAGRAPH}@marR$", "paragraph.margin_right", _points),
    (rf"{_PARAGRAPH}@indent$", "paragraph.indent", _points),
    (rf"{_PARAGRAPH}@rtl$", "paragraph.right_to_left", _flag),
    (rf"{_PARAGRAPH}@hangingPunct$", "paragraph.hanging punctuation", _flag),
    (rf"{_PARAGRAPH}@defTabSz$", "paragraph.default tab", _points),
    (rf"{_PARAGRAPH}@fontAlgn$", "paragraph.vertical font alignment", _text),
    (rf"{_PARAGRAPH}@eaLnBrk$", "paragraph.East Asian line break", _flag),
    (rf"{_PARAGRAPH}@latinLnBrk$", "paragraph.Latin line break", _flag),
    (rf"{_PARAGRAPH}/a:lnSpc/a:spcPct@val$", "paragraph.line_spacing", _share),
    (rf"{_PARAGRAPH}/a:lnSpc/a:spcPts@val$", "paragraph.line_spacing", _hundredths),
    (rf"{_PARAGRAPH}/a:spcBef/a:spcPct@val$", "paragraph.space_before", _share),
    (rf"{_PARAGRAPH}/a:spcBef/a:spcPts@val$", "paragraph.space_before", _hundredths),
    (rf"{_PARAGRAPH}/a:spcAft/a:spcPct@val$", "paragraph.space_after", _share),
    (rf"{_PARAGRAPH}/a:spcAft/a:spcPts@val$", "paragraph.space_after", _hundredths),
    (rf"{_PARAGRAPH}/a:lnSpc\b", "paragraph.line_spacing", _text),
    (rf"{_PARAGRAPH}/a:spcBef\b", "paragraph.space_before", _text),
    (rf"{_PARAGRAPH}/a:spcAft\b", "paragraph.space_after", _text),
    (rf"{_PARAGRAPH}/a:buClr\b.*@val$", "paragraph.bullet.color", _color),
    (rf"{_PARAGRAPH}/a:buSzPct@val$", "paragraph.bullet.size", _share),
    (rf"{_PARAGRAPH}/a:buFont@typeface$", "paragraph.bullet.font", _text),
    (rf"{_PARAGRAPH}/a:buChar@char$", "paragraph.bullet.character", _text),
    (rf"{_PARAGRAPH}/a:bu[A-Z]\w*(?!.*@(?:panose|pitchFamily|charset))\b",
     "paragraph.bullet", _text),
    (rf"{_PARAGRAPH}/a:tabLst/a:tab@pos$", "paragraph.tab stop", _points),
    (rf"{_PARAGRAPH}/a:tabLst/a:tab@algn$", "paragraph.tab stop alignment", _text),
    (rf"{_PARAGRAPH}/a:tabLst\b", "paragraph.tab stops", _text),
    (r"a:bodyPr@rot$", "body.rotation", _degrees),
    (r"a:bodyPr@lIns$|a:tcPr@marL$", "body.inset_left", _points),
    (r"a:bodyPr@tIns$|a:tcPr@marT$", "body.inset_top", _points),
    (r"a:bodyPr@rIns$|a:tcPr@marR$", "body.inset_right", _points),
    (r"a:bodyPr@bIns$|a:tcPr@marB$", "body.inset_bottom", _points),
    (r"a:bodyPr@anchor$|a:tcPr@anchor$", "body.anchor", _text),
    (r"a:bodyPr@anchorCtr$", "body.anchor_center", _flag),
    (r"a:bodyPr@wrap$", "body.wraps", _text),
    (r"a:bodyPr@vert$", "body.direction", _text),
    (r"a:bodyPr@numCol$", "body.columns", _number),
    (r"a:bodyPr@spcCol$", "body.column spacing", _points),
    (r"a:bodyPr@rtlCol$", "body.columns from right to left", _flag),
    (r"a:bodyPr@upright$", "body.stays upright", _flag),
    (r"a:bodyPr@(vertOverflow|horzOverflow)$", "body.{}", _text),
    (r"a:bodyPr@compatLnSpc$", "body.compatible line spacing", _flag),
    (r"a:bodyPr@spcFirstLastPara$", "body.outer paragraph spacing", _flag),
    (r"a:bodyPr/a:(?:noAutofit|normAutofit|spAutoFit)\b", "body.autofit", _text),
    (r"(?:a:p|a:(?:r|fld)|a:t)#text$", "text", _text),
    # Pictures.
    (r"a:blip/a:(grayscl|biLevel|lum|duotone|clrChange|tint|hsl|alphaBiLevel|clrRepl)\b",
     "recolor", _text),
    (r"a:blip/a:(?:alphaModFix)\b", "alpha", _text),
    (r"a:blip/a:extLst/.*a14:img(?:Props|Layer|Effect)\b", "picture effect", _text),
    (r"a:blip@cstate$", "picture compression", _text),
    (r"a:blip@(?:r:embed|r:link)$", "image", _text),
    (r"a:srcRect@([lrtb])$", "crop {}", _share),
    (r"a:srcRect\b", "crop", _text),
    # Shapes.
    (r"cNvPr@descr$", "description", _text),
    (r"cNvPr@title$", "title", _text),
    (r"cNvPr@hidden$", "hidden", _flag),
    (r"a:(?:spLocks|picLocks|graphicFrameLocks|grpSpLocks|cxnSpLocks|cpLocks)@(no\w+)$",
     "lock on {}", _flag),
    (r"a:(?:spLocks|picLocks|graphicFrameLocks|grpSpLocks|cxnSpLocks)$", "locks", _text),
    (r"(?:a|p):xfrm/a:off@(x|y)$", "position {}", _points),
    (r"(?:a|p):xfrm/a:ext@cx$", "width", _points),
    (r"(?:a|p):xfrm/a:ext@cy$", "height", _points),
    (r"(?:a|p):xfrm@rot$", "rotation", _degrees),
    (r"(?:a|p):xfrm@flipH$", "flip_h", _flag),
    (r"(?:a|p):xfrm@flipV$", "flip_v", _flag),
    (r"(?:a|p):xfrm$", "position", _text),
    (r"a:prstGeom@prst$", "geometry", _text),
    (r"a:(?:prstGeom|custGeom)/a:avLst\b", "adjustments", _text),
    (r"a:custGeom/a:pathLst\b", "path", _text),
    (r"a:ln(?:[LRTB])?@w$", "line.width", _points),
    (r"a:ln(?:[LRTB])?@cap$", "line.cap", _text),
    (r"a:ln(?:[LRTB])?@cmpd$", "line.compound", _text),
    (r"a:ln(?:[LRTB])?@algn$", "line.alignment", _text),
    (r"a:ln(?:[LRTB])?/a:prstDash@val$", "line.dash", _text),
    (r"a:ln(?:[LRTB])?/a:(?:custDash|prstDash)\b", "line.dash", _text),
    (r"a:ln(?:[LRTB])?/a:(?:round|bevel|miter)\b", "line.join", _text),
    (r"a:ln(?:[LRTB])?/a:headEnd\b", "line.head", _text),
    (r"a:ln(?:[LRTB])?/a:tailEnd\b", "line.tail", _text),
    (rf"a:ln(?:[LRTB])?/a:solidFill/{_COLORS}(?:/a:({_SHADES}))?@val$", "line.color {}", _color),
    (rf"a:ln(?:[LRTB])?/{_FILLS}\b", "line.color", _text),
    (r"a:ln$", "line", _text),
    (rf"/p:bg/.*{_COLORS}(?:/a:({_SHADES}))?@val$", "background {}", _color),
    (r"/p:bg\b", "background", _text),
    (rf"a:gs/{_COLORS}(?:/a:({_SHADES}))?@val$", "fill.gradient color {}", _color),
    (r"a:gs@pos$", "fill.gradient stop", _share),
    (r"a:gradFill/a:lin@ang$", "fill.gradient angle", _degrees),
    (r"a:gradFill@rotWithShape$|a:blipFill@rotWithShape$", "fill.turns with the shape", _flag),
    (rf"a:solidFill/{_COLORS}(?:/a:({_SHADES}))?@val$", "fill {}", _color),
    (rf"{_FILLS}\b", "fill", _text),
    (r"p:style/a:(lnRef|fillRef|effectRef|fontRef)\b", "style {}", _text),
    # Charts.
    (r"c:gapWidth@val$", "gap width", _number),
    (r"c:gapDepth@val$", "gap depth", _number),
    (r"c:overlap@val$", "overlap", _number),
    (r"c:(?:valAx|catAx|dateAx|serAx)/c:numFmt@formatCode$", "axis.number format", _text),
    (r"Ax/c:numFmt$", "axis.number format", _text),
    (r"c:numFmt@formatCode$|c:formatCode#text$|c:numFmt$", "number format", _text),
    (r"c:numFmt@sourceLinked$", "number format follows the cells", _flag),
    (r"c:scaling/c:orientation@val$", "axis.direction", _text),
    (r"c:scaling/c:logBase\b", "axis.logarithm", _number),
    (r"c:majorUnit\b", "axis.major unit", _number),
    (r"c:minorUnit\b", "axis.minor unit", _number),
    (r"c:majorTickMark@val$", "axis.major tick marks", _text),
    (r"c:minorTickMark@val$", "axis.minor tick marks", _text),
    (r"c:tickLblPos@val$", "axis.labels", _text),
    (r"Ax/c:axPos@val$", "axis.side", _text),
    (r"Ax/c:crosses(?:At)?@val$", "axis.crosses", _text),
    (r"Ax/c:crossBetween@val$", "axis.crosses between", _text),
    (r"c:majorGridlines$", "major gridlines", _text),
    (r"c:minorGridlines$", "minor gridlines", _text),
    (r"c:dLbls?/c:showVal@val$", "labels show values", _flag),
    (r"c:dLbls?/c:showCatName@val$", "labels show categories", _flag),
    (r"c:dLbls?/c:showSerName@val$", "labels show series names", _flag),
    (r"c:dLbls?/c:showPercent@val$", "labels show percentages", _flag),
    (r"c:dLbls?/c:showLegendKey@val$", "labels show legend keys", _flag),
    (r"c:dLbls?/c:showBubbleSize@val$", "labels show sizes", _flag),
    (r"c:dLblPos@val$", "label position", _text),
    (r"c:dLbls?/c:separator#text$", "label separator", _text),
    (r"c:dLbls?/c:delete@val$", "labels deleted", _flag),
    (r"c:dLbls?$", "labels", _text),
    (r"c:trendlineType@val$", "trendline.type", _text),
    (r"c:trendline/c:(\w+)@val$", "trendline.{}", _number),
    (r"c:trendline\b", "trendline", _text),
    (r"c:errBars\b", "error bars", _text),
    (r"c:marker/c:symbol@val$", "marker", _text),
    (r"c:marker/c:size@val$", "marker size", _number),
    (r"c:smooth@val$", "smooth line", _flag),
    (r"c:explosion@val$", "explosion", _number),
    (r"c:varyColors@val$", "colors vary by point", _flag),
    (r"c:firstSliceAng@val$", "first slice angle", _number),
    (r"c:holeSize@val$", "hole size", _number),
    (r"c:invertIfNegative@val$", "inverted if negative", _flag),
    (r"c:dispBlanksAs@val$", "blanks shown as", _text),
    (r"c:plotVisOnly@val$", "visible cells only", _flag),
    (r"c:roundedCorners@val$", "rounded corners", _flag),
    (r"c:style@val$", "chart style", _number),
    (r"c:view3D/c:(\w+)@val$", "3-D view.{}", _number),
    (r"c:overlay@val$", "overlay", _flag),
    (r"c:dTable\b", "data table", _text),
    (r"c:dPt$", "point", _text),
    (r"c:manualLayout/c:([xywh])@val$", "layout {}", _number),
    # Slides, layouts, masters, themes, the deck.
    (r"p:hf@(sldNum|hdr|ftr|dt)$", "header and footer.{}", _flag),
    (r"p:clrMap@(\w+)$|a:overrideClrMapping@(\w+)$", "color map.{}", _text),
    (r"p:clrMapOvr\b", "color map", _text),
    (r"p:sldLayout@(\w+)$|p:sldMaster@(\w+)$", "{}", _flag),
    (r"p:ph@(\w+)$", "placeholder.{}", _text),
    (r"a:clrScheme@name$", "color scheme name", _text),
    (r"a:fontScheme@name$", "font scheme name", _text),
    (r"a:fmtScheme@name$", "effect scheme name", _text),
    (rf"a:clrScheme/a:(\w+)/{_COLORS}@(?:val|lastClr)$", "color {}", _color),
    (r"a:(?:majorFont|minorFont)/a:latin@typeface$", "font", _text),
    (r"a:(?:majorFont|minorFont)/a:font@typeface$", "font for a script", _text),
    (r"p:presentation@firstSlideNum$", "first slide number", _number),
    (r"p:presentation@rtl$", "right to left", _flag),
    (r"p:presentation@(\w+)$", "{}", _flag),
    (r"p:notesSz@(cx|cy)$", "notes page size {}", _points),
    (r"p:sldSz@type$", "slide size type", _text),
    (r"p:showPr@loop$", "loop", _flag),
    (r"p:showPr@showNarration$", "narration", _flag),
    (r"p:showPr@showAnimation$", "animations play", _flag),
    (r"p:showPr@useTimings$", "uses timings", _flag),
    (r"p:showPr/p:(?:present|browse|kiosk)\b", "kind of show", _text),
    (r"p:showPr/p:penClr\b", "pen color", _color),
    (r"p:tblStyleLst@def$|a:tblStyleLst@def$", "default table style", _text),
    (r"dgm:colorsDef@uniqueId$", "colors", _text),
    (r"dgm:styleDef@uniqueId$", "style", _text),
    (r"dgm:layoutDef@uniqueId$", "layout", _text),
)  # fmt: skip

_PARAMETERS: dict[str, tuple[str, Convert]] = {
    "blurRad": ("blur", _points), "dist": ("distance", _points), "dir": ("direction", _degrees),
    "sx": ("scale x", _share), "sy": ("scale y", _share), "kx": ("skew x", _degrees),
    "ky": ("skew y", _degrees), "algn": ("alignment", _text), "rotWithShape":
    ("turns with the shape", _flag), "stA": ("start opacity", _share), "endA": ("end opacity",
    _share), "stPos": ("start", _share), "endPos": ("end", _share), "fadeDir": ("fade direction",
    _degrees), "prst": ("preset", _text), "w": ("width", _points), "h": ("height", _points),
}  # fmt: skip


@cache
def _rule(key: str) -> tuple[str, Convert] | None:
    for pattern, name, convert in _compiled():
        if (match := pattern.search(key)) is None:
            continue
        word = next((group for group in match.groups() if group), "")
        if "{}" not in name:
            return name, convert
        if name == "lock on {}":
            return name.format(_LOCKS.get(word, word)), convert
        if convert is _text and word in _PARAMETERS:
            return name.format(_PARAMETERS[word][0]), _PARAMETERS[word][1]
        shade = word in _SHADES.split("|")
        return name.format(word).strip(), _share if shade else convert
    return None


@cache
def _compiled() -> tuple[tuple[re.Pattern[str], str, Convert], ...]:
    return tuple((re.compile(pattern), name, convert) for pattern, name, convert in NAMES)


def property_name(raw: XmlDifference) -> Name:
    """The name and values of a difference."""
    if (rule := _rule(raw.key)) is None:
        return Name(_xml_name(raw), _converted(raw.old, _text), _converted(raw.new, _text), False)
    name, convert = rule
    if raw.action in ("added", "removed") and "@" not in raw.key and "#" not in raw.key:
        convert = _text
    return Name(name, _converted(raw.old, convert), _converted(raw.new, convert), True)


_UNSAID = re.compile(
    r"@(?:r:\w+|uri|panose|pitchFamily|charset|algn|rotWithShape|lang|id|scaled)$|a:gd@name$"
)
"""Attributes that say nothing to people, or too little to be named beside others."""
_LONGEST = 200
"""Characters that tell what an element holds. Ours."""


def place_of(path: str) -> str:
    """The key of a path, to look up its name and unit."""
    return re.sub(r"\[\d+\]", "", path)


def value_words(key: str, property: str, value: Any) -> str | None:
    """The words for a value at a place; None if it is a name, a text or a plain number.

    >>> value_words("p:sp/p:spPr/a:effectLst/a:outerShdw@blurRad", "shadow.blur", 7.087)
    '7.1 pt'
    """
    rule = _rule(key)
    convert = _text if rule is None else rule[1]
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if number and convert in _MEASURES:
        return _MEASURES[convert](value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if not isinstance(value, str):
        return None
    if re.search(r"Clr@(?:val|lastClr)$|p:clrMap@|overrideClrMapping@", key):
        return color_term(value)
    return _measured(key, value) or term(property, value)


_RAW_UNITS: tuple[tuple[str, Convert], ...] = (
    (r"a:(?:chOff|chExt|off|ext|tile)@(?:x|y|cx|cy|tx|ty)$|@(?:w|h|rad|dist|blurRad)$", _points),
    (r"@ang$|@dir$|@fov$|@rot$", _degrees),
    (r"@(?:lim|pos|amt|thresh|bright|contrast|sx|sy|fontScale|lnSpcReduction|d|sp)$|"
     r"a:(?:fillToRect|fillRect|tileRect)@[ltrb]$|a:gd@fmla$", _share),
    (rf"a:(?:{_SHADES})@val$|a:(?:lnSpc|spcBef|spcAft)/a:spcPct@val$|a:buSzPct@val$", _share),
    (r"a:spcPts@val$|a:buSzPts@val$", _hundredths),
)  # fmt: skip
"""Units of values at places that have a name only together with others."""


def _measured(key: str, value: str) -> str | None:
    number = parse_int(value.removeprefix("val "))
    for where, convert in _RAW_UNITS if number is not None else ():
        if re.search(where, key):
            return _MEASURES[convert](convert(f"{number}"))
    return None


def percent(share: float) -> str:
    """A share in percent: ``0.3`` as ``30 %``."""
    return f"{round(share * 100, 1):g} %"


_MEASURES: dict[Convert, Callable[[float], str]] = {
    _points: lambda value: f"{round(value, 1):g} pt",
    _hundredths: lambda value: f"{value:g} pt",
    _degrees: lambda value: f"{round(value, 1):g}°",
    _share: percent,
}


def element_words(element: Element) -> str:
    """The values that an element states, in words, such as ``blur 7.1 pt, color #000000``."""
    if element.tag.endswith("}effectLst"):
        children = [(str(child.tag).rpartition("}")[2], child) for child in elements(element)]
        return "; ".join(
            f"{EFFECTS.get(tag) or spelled(tag)}: {element_words(child)}" for tag, child in children
        )
    return stated_words(dict(leaf_places(element)))


def stated_words(leaves: Mapping[str, str]) -> str:
    """Values by the keys of their places, in words."""
    pieces = [_leaf_words(key, value) for key, value in leaves.items() if not _UNSAID.search(key)]
    whole = ", ".join(dict.fromkeys(filter(None, pieces)))
    return whole if len(whole) <= _LONGEST else f"{whole[:_LONGEST].rpartition(', ')[0]}, …"


def _leaf_words(key: str, value: str) -> str:
    tag, _, attribute = key.rpartition("/")[2].partition("@")
    tag = tag.partition(":")[2].removesuffix("#text")
    if key.endswith("#text"):
        return f"“{value}”"
    if not attribute:
        return _ELEMENTS.get(tag) or spelled(tag)
    if (rule := _rule(key)) is None:
        name, converted = spelled(tag if attribute == "val" else attribute), value
    else:
        name, converted = rule[0].rpartition(".")[2], rule[1](value)
    if (text := value_words(key, rule[0] if rule else name, converted)) is None:
        text = spelled(converted) if rule is None and isinstance(converted, str) else f"{converted}"
    return f"{plain_name(name)} {text}"


_ELEMENTS = {
    "buNone": "no bullet", "noFill": "none", "noAutofit": "none",
    "normAutofit": "shrinks text on overflow", "spAutoFit": "resizes the shape to fit its text",
    "miter": "mitered", "grpFill": "fill of the group", "present": "presented by a speaker",
    "browse": "browsed in a window", "kiosk": "browsed at a kiosk",
    "grayscl": "grayscale", "biLevel": "black and white", "spPr": "no format of its own",
}  # fmt: skip
_NAME_WORDS = {
    "alphaOff": "opacity offset", "alphaMod": "opacity factor", "alpha": "opacity",
    "lumMod": "luminance", "lumOff": "luminance offset", "satMod": "saturation",
    "satOff": "saturation offset", "hueMod": "hue", "lnRef": "line", "fillRef": "fill",
    "effectRef": "effect", "fontRef": "font", "sldNum": "slide number", "hdr": "header",
    "ftr": "footer", "dt": "date", "sz": "size", "orient": "direction", "idx": "number",
    "flip_h": "horizontal flip", "flip_v": "vertical flip", "vertOverflow": "vertical overflow",
    "horzOverflow": "horizontal overflow", "w": "width", "h": "height", "cx": "width",
    "cy": "height", "l": "left", "t": "top", "r": "right", "b": "bottom", "lat": "latitude",
    "lon": "longitude", "rev": "revolution", "ea": "East Asian", "cs": "complex script",
    "sym": "symbol", "latin": "Latin", "hlink": "hyperlink", "folHlink": "followed hyperlink",
    "prst": "preset", "id": "id", "start_site": "start site", "end_site": "end site",
    "rotX": "rotation up and down", "rotY": "rotation to the side",
    "rAngAx": "right angle axes", "hPercent": "height in percent",
    "depthPercent": "depth in percent", "showMasterSp": "showing of the master's shapes",
    "userDrawn": "drawn by the user", "orthographicFront": "front",
}  # fmt: skip


def plain_name(property: str) -> str:
    """The name of a property in words: ``font.size`` as ``font size``.

    >>> plain_name("fill lumMod"), plain_name("paragraph.margin_left")
    ('fill luminance', 'paragraph margin left')
    """
    words = re.split(r"[ .]", property)
    return " ".join(_name_word(word) for word in words)


def _name_word(word: str) -> str:
    if word in _NAME_WORDS:
        return _NAME_WORDS[word]
    named = color_term(word)
    return (
        spelled(word)
        if re.search("[a-z][A-Z]", word)
        else (named if re.fullmatch(r"[a-z]+ \d", named) else word.replace("_", " "))
    )


def _xml_name(raw: XmlDifference) -> str:
    """The last step of the path, with what happened to it."""
    step = raw.key.rpartition("/")[2]
    return step if "@" in step or "#" in step else f"{step} {raw.action}"


def _converted(value: str | None, convert: Convert) -> Any:
    return None if value is None else convert(value)


_HOLDERS = {
    "p:titleStyle": "title style", "p:bodyStyle": "body style", "p:otherStyle": "other text style",
    "p:notesStyle": "notes style", "p:defaultTextStyle": "default text style",
    "a:lstStyle": "list style", "a:endParaRPr": "end mark", "c:legend": "legend",
    "c:dLbls": "data labels", "c:plotArea": "", "c:majorGridlines": "major gridlines",
    "c:minorGridlines": "minor gridlines", "c:valAx": "value axis", "c:catAx": "category axis",
    "c:dateAx": "date axis", "c:serAx": "series axis", "c:title": "title",
    "c:trendline": "trendline", "c:errBars": "error bars", "c:marker": "marker",
    "a:objectDefaults": "object defaults", "a:extraClrSchemeLst": "extra color schemes",
    "a:majorFont": "headings", "a:minorFont": "body text", "p:notesSz": "",
    "dgm:styleLbl": "style label", "mc:Fallback": "fallback",
}  # fmt: skip
_COUNTED = {
    "a:p": "paragraph", "a:tr": "row", "a:tc": "column", "c:dPt": "point", "c:dLbl": "label",
    "a:gridCol": "column", "a:tab": "tab stop", "a:gs": "gradient stop", "c:idx": "",
}  # fmt: skip
_STYLE_LISTS = {
    "a:fillStyleLst": "fill style", "a:lnStyleLst": "line style",
    "a:effectStyleLst": "effect style", "a:bgFillStyleLst": "background fill style",
}  # fmt: skip


def part_words(element: Element) -> str:
    """Which part of its shape, chart, master or theme an element belongs to, such as ``title
    style, level 2`` or ``row 1, column 3, paragraph 2``."""
    return ", ".join(reversed([word for word in _words(element) if word]))


def _words(element: Element) -> Iterator[str]:
    at: Element | None = element
    while at is not None:
        tag, parent = short_name(str(at.tag), at), at.getparent()
        if tag in ("p:sp", "p:pic", "p:cxnSp", "p:graphicFrame", "p:grpSp"):
            return
        if tag in _COUNTED and parent is not None:
            like = [child for child in parent if child.tag == at.tag]
            yield f"{_COUNTED[tag]} {like.index(at) + 1}"
        elif tag == "c:ser":
            name = at.find("{*}tx")
            label = "" if name is None else "".join(item.text or "" for item in name.iter("{*}v"))
            yield f"series {label}".strip()
        elif level := re.fullmatch(r"a:lvl(\d)pPr", tag):
            yield f"level {level[1]}"
        elif parent is not None and (listed := short_name(str(parent.tag), parent)) in _STYLE_LISTS:
            yield f"{_STYLE_LISTS[listed]} {list(parent).index(at) + 1}"
        elif tag == "a:tblStyle":
            yield f"table style {at.get('styleName') or at.get('styleId') or ''}"
        else:
            yield _HOLDERS.get(tag, "")
        at = parent
