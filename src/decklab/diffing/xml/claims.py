"""Finds which differences of XML a reported change already explains, and which programs make by
saving.

Each row of the tables names places in the XML and the changes that these places cause. A difference
is explained only by a change of the same shape (or slide, layout, master ...); without such a
change it is reported by itself.
"""

import re
from collections.abc import Collection, Iterable
from functools import cache
from typing import NamedTuple

from decklab.diffing.xml.names import NAMES
from decklab.diffing.xml.trees import XmlDifference, leaf_places
from decklab.ooxml.xml import Element, qn

_RUN = "a:(?:rPr|endParaRPr|defRPr)"
_PARAGRAPH = r"a:(?:pPr|lvl\dpPr|defPPr)"
_FILL = "a:(?:solidFill|gradFill|blipFill|pattFill|noFill|grpFill)"
_PROPERTIES = "p:(?:spPr|grpSpPr)"
_TEXT = (
    r"^text:|^notes:|^comment:|:cell text$|:text$|^table:(?:row|column) (?:added|removed)$"
    r"|^diagram:nodes$|^chart:(?:title|axis\.title)$"
)
_ON_SHEETS = "^(?:layout|master):(?:added|removed)$"
"""Added and removed shapes of layouts and masters; for slides the kind says so itself."""
_GEOMETRY = rf"geometry:|:(?:position|size|rotation|flip_[hv]|placed|start|end)$|{_ON_SHEETS}"
_PICTURED = (
    "sha256|image$|poster$|fill$|background$|bullet|media|^(?:slide|transition):(?:added|removed)$"
    f"|{_ON_SHEETS}"
)
_CHART = "^c:chartSpace/.*"

_Patterns = tuple[tuple[str, str], ...]
"""Pattern of a place, and of the changes that explain a difference there."""

_BY_NAME = frozenset({
    "font.size", "font.bold", "font.italic", "font.underline", "font.strike", "font.caps",
    "font.baseline", "font.spacing", "font.language", "font.color", "font.outline",
    "paragraph.align", "paragraph.margin_left", "paragraph.margin_right", "paragraph.indent",
    "paragraph.right_to_left", "paragraph.line_spacing", "paragraph.space_before",
    "paragraph.space_after", "body.inset_left", "body.inset_right", "body.inset_top",
    "body.inset_bottom", "body.anchor", "body.wraps", "body.columns",
})  # fmt: skip
"""Properties that snapshots call by the same name as ``names``: its places are not listed again."""

_LEAVES: _Patterns = (
    *((place, f"{re.escape(name)}$") for place, name, _convert in NAMES if name in _BY_NAME),
    # Text: characters, then the style of runs and paragraphs.
    (r"a:p#text$|a:(?:r|fld)#(?:text|filled)$|/a:t#text$|a:(?:br|fld)@", _TEXT),
    (r"a:p#runs$", r"font\.|link:|" + _TEXT),
    (rf"{_RUN}/a:highlight\b", r"font\.highlight$"),
    (rf"{_RUN}/a:latin\b", r"font\.name$"),
    (rf"{_RUN}/a:ea\b", r"font\.east_asian$"),
    (rf"{_RUN}/a:cs\b", r"font\.complex_script$"),
    (rf"{_RUN}/a:sym\b", r"font\.symbol$"),
    (rf"{_RUN}/a:hlinkClick\b|p:cNvPr/a:hlinkClick\b", r"link:click$|:click$"),
    (rf"{_RUN}/a:hlinkMouseOver\b|p:cNvPr/a:hlinkHover\b", r"link:hover$|:hover$"),
    (rf"{_PARAGRAPH}@lvl$", r"paragraph\.|font\.|diagram:nodes"),
    (rf"{_PARAGRAPH}/a:bu[A-Z]", r"paragraph\.bullet"),
    (r"a:bodyPr@anchorCtr$|a:tcPr@anchorCtr$", r"body\.anchor_center$"),
    (r"a:bodyPr@vert$|a:tcPr@vert$", r"body\.direction$"),
    (r"a:bodyPr/a:(?:noAutofit|normAutofit|spAutoFit)\b",
     r"body\.(?:autofit|font_scale|line_reduction)$|font\.size$|paragraph\.line_spacing$"),
    # Shapes.
    (r"cNvPr@id$", ":id$"),
    (r"cNvPr@name$", ":name$"),
    (r"cNvPr@descr$", ":description$"),
    (r"cNvPr@title$", ":title$"),
    (r"cNvPr@hidden$", ":hidden$"),
    (r"cNvPr/a:extLst/a:ext\b(?:@uri|/adec:decorative@val)$", ":decorative$"),
    (r"p:nvPr/p:ph@", "placeholder"),
    (r"(?:a|p|p14):xfrm\b", _GEOMETRY),
    (rf"{_PROPERTIES}/a:(?:prstGeom|custGeom)\b", r":(?:geometry|path|adjustments)$"),
    (rf"{_PROPERTIES}/{_FILL}\b|p:style/a:fillRef\b", r":fill$|:image$|other:paint"),
    (r"p:pic/p:blipFill/a:srcRect\b", ":crop$"),
    (r"p:pic/p:blipFill/a:blip@|p:blipFill/a:blip/a:extLst", r":image$|:poster$|sha256|media"),
    (r"a:blip/a:alphaModFix\b", ":alpha$|:fill$"),
    (r"p:pic/p:nvPicPr/p:nvPr\b", "media"),
    (rf"{_PROPERTIES}/a:ln@w$", r":line\.width$|:line\.color$"),
    (rf"{_PROPERTIES}/a:ln@cap$", r":line\.cap$|:line\.color$"),
    (rf"{_PROPERTIES}/a:ln@cmpd$", r":line\.compound$|:line\.color$"),
    (rf"{_PROPERTIES}/a:ln/{_FILL}\b|p:style/a:lnRef\b", r":line\.color$"),
    (r"p:style/a:lnRef@idx$", r":line\.width$"),
    (rf"{_PROPERTIES}/a:ln/a:(?:prstDash|custDash)\b", r":line\.dash$|:line\.color$"),
    (rf"{_PROPERTIES}/a:ln/a:(?:round|bevel|miter)\b", r":line\.join$|:line\.color$"),
    (rf"{_PROPERTIES}/a:ln/a:headEnd\b", r":line\.head$|:line\.color$"),
    (rf"{_PROPERTIES}/a:ln/a:tailEnd\b", r":line\.tail$|:line\.color$"),
    (r"p:style/a:effectRef\b", ":effects$"),
    (r"p:style/a:fontRef\b", r"font\.(?:color|name|east_asian|complex_script)$"),
    (r"a:(?:stCxn|endCxn)@(?:id|idx)$", "connected|geometry|^removed:"),
    (r"#order$", "z-order:|:z$"),
    (r"#group$", rf":group$|^(?:added|removed):|{_ON_SHEETS}"),
    (r"p:oleObj@|p:controls?\b", "other:"),
    # Tables.
    (r"a:tbl/a:tblPr@firstRow$", "first_row$"),
    (r"a:tbl/a:tblPr@lastRow$", "last_row$"),
    (r"a:tbl/a:tblPr@firstCol$", "first_column$"),
    (r"a:tbl/a:tblPr@lastCol$", "last_column$"),
    (r"a:tbl/a:tblPr@bandRow$", "row_bands$"),
    (r"a:tbl/a:tblPr@bandCol$", "column_bands$"),
    (r"a:tbl/a:tblPr/a:tableStyleId", "style_id$"),
    (r"a:tbl/a:tr@h$", "row height$|size$"),
    (r"a:gridCol@w$", "column width$|size$"),
    (r"a:tc@(?:rowSpan|gridSpan|hMerge|vMerge)$",
     "cell span$|cell text$|(?:row|column) (?:added|removed)"),
    (rf"a:tcPr/{_FILL}\b", r"cell\.fill$"),
    (r"a:tcPr/a:lnL\b", r"cell\.left\.|cell\.right\."),
    (r"a:tcPr/a:lnR\b", r"cell\.right\.|cell\.left\."),
    (r"a:tcPr/a:lnT\b", r"cell\.top\.|cell\.bottom\."),
    (r"a:tcPr/a:lnB\b", r"cell\.bottom\.|cell\.top\."),
    # Charts.
    (rf"{_CHART}/c:ser/c:(?:val|yVal)/.*c:f#text$", "values_ref|chart:values"),
    (rf"{_CHART}/c:ser/c:(?:val|yVal)/.*c:(?:pt|v|ptCount)\b", "chart:values"),
    (rf"{_CHART}/c:ser/c:(?:cat|xVal)/.*c:f#text$", "categories_ref|chart:categor"),
    (rf"{_CHART}/c:ser/c:(?:cat|xVal)/.*c:(?:pt|v|ptCount|lvl)\b", "chart:categor"),
    (rf"{_CHART}/c:ser/c:bubbleSize/", "chart:sizes"),
    (rf"{_CHART}/c:ser/c:tx/", "series name|series added"),
    (rf"{_CHART}/c:ser/c:spPr/(?:a:ln/)?{_FILL}\b", "series color"),
    (rf"{_CHART}/c:ser/c:(?:idx|order)@val$", "series (?:added|removed)"),
    (rf"{_CHART}/c:plotArea/", "chart:type"),  # another type has settings of its own
    (rf"{_CHART}/c:grouping@val$", "chart:(?:grouping|type)"),
    (rf"{_CHART}/c:overlap@val$", "chart:(?:grouping|type)"),
    (r"^c:chartSpace/c:chart/c:title/c:tx/.*#text$", "chart:title"),
    (r"^c:chartSpace/c:chart/c:autoTitleDeleted@val$", "chart:title"),
    (rf"{_CHART}Ax/c:scaling/c:min@", r"axis\.minimum"),
    (rf"{_CHART}Ax/c:scaling/c:max@", r"axis\.maximum"),
    (rf"{_CHART}Ax/c:delete@", r"axis\.hidden"),
    (rf"{_CHART}Ax/c:title/c:tx/.*#text$", r"axis\.title"),
    (r"^c:chartSpace/c:chart/c:legend/c:legendPos@", "chart:legend"),
    (rf"{_CHART}Chart/c:dLbls/c:show[A-Z]\w+@", "chart:labels"),
    (r"^c:chartSpace/c:externalData\b", "chart:workbook"),
    (r"^cx:chartSpace/cx:chartData\b", "chart:(?:values|categor|sizes|series)"),
    (r"^cx:chartSpace/.*cx:title/.*#text$", "chart:title"),
    # SmartArt: the stored drawing follows its data.
    (r"^dsp:drawing\b", "diagram:"),
    (r"^dgm:layoutDef\b", "diagram:layout"),
    (r"^dgm:dataModel/dgm:cxnLst/dgm:cxn@(?:srcOrd|destOrd|srcId|destId)$", "diagram:nodes"),
    # Slides, layouts and masters.
    (r"^p:sld@show$", "slide:hidden"),
    (r"^p:sld@showMasterSp$", "slide:shows_master"),
    (r"p:cSld@name$", ":name$"),
    (r"^p:sldLayout@type$", ":type$"),
    (r"p:cSld/p:bg\b", ":background$"),
    (r"p:transition\b", "transition:"),
    (r"p:timing/.*p:cond@delay$", "animation:(?:delay_ms|trigger)"),
    (r"p:timing/.*(?:p:cTn@dur|p:transition@dur)$", "animation:duration_ms"),
    (r"p:timing/.*p:cTn@(?:nodeType|grpId)$", "animation:trigger"),
    (r"p:timing/.*p:cTn@presetSubtype$", "animation:subtype"),
    (r"p:timing/.*p:cTn@repeatCount$", "animation:repeat"),
    (r"p:timing/.*p:(?:iterate|txEl|pRg|charRg)\b", "animation:"),
    (r"p:timing/.*@spid$", "animation:|name:id$"),
    (r"p:timing/", "animation:(?:added|removed|order|effect)"),
    (r"^p:cmLst/p:cm\b|^p188:cmLst/", "comment:"),
    (r"^p:cmAuthorLst/p:cmAuthor@name$|^p188:authorLst/p188:author@name$", "comment:author"),
    (r"^p:sldMaster/p:sldLayoutIdLst/p:sldLayoutId$", "^master:layout order$"),
    (r"^rel:slideLayout", "layout:"),
    (r"^rel:notes(?:Slide|Master$)", "^notes:"),
    (r"^rel:(?:comments|comment|authors|commentAuthors)$", "^comment:"),
    (r"^rel:(?:hyperlink|slide)\b", "link:"),
    (r"^rel:(?:image|audio|video|media)\b", _PICTURED),
    (r"^rel:(?:oleObject|package)\b", "workbook|other:"),
    (r"^part:(?:image|audio|video|media|wdp)\b", _PICTURED),
    (r"^part:(?:package|oleObject)\b", "chart:|other:"),
    # The deck.
    (r"^p:presentation/p:sldSz@(?:cx|cy)$", "properties:slide size"),
    (r"^p:presentation/p:sldIdLst/", "slide:(?:added|removed|moved)"),
    (r"/p14:section\b", "section:|slide:(?:added|removed|moved)"),
    (r"^p:presentation/p:custShowLst/", "show:|slide:removed"),
    (r"^a:theme@name$", "theme:name"),
    (r"^a:theme/.*a:lnStyleLst/", r"^theme:line style \d"),
    (r"^a:theme/.*/a:fillStyleLst/", r"^theme:fill style \d"),
    (r"^a:theme/.*a:effectStyleLst/", r"^theme:effect style \d"),
    (r"^a:theme/.*a:bgFillStyleLst/", r"^theme:background(?: style)? \d"),
    (r"^a:tblStyleLst/", "^table:style"),
    (r"p:clrMap@|a:overrideClrMapping@", ":color map$"),
)  # fmt: skip

_WHOLES: _Patterns = (
    (r"^p:(?:sp|pic|cxnSp|graphicFrame|grpSp|contentPart)$|p:spTree/mc:AlternateContent$",
     f"^(?:added|removed):|{_ON_SHEETS}"),
    (r"a:p/a:(?:pPr|endParaRPr)$|a:(?:r|fld|br)/a:rPr$", "^notes:"),
    (r"a:p/a:endParaRPr$", _TEXT),
    (r"/a:(?:p|r|br|fld)$", _TEXT),
    (r"/a:tbl/a:tr$", "table:row (?:added|removed)"),
    (r"/a:tbl/a:tblGrid/a:gridCol$|/a:tbl/a:tr/a:tc$", "table:column (?:added|removed)"),
    (r"a:tcPr/a:ln(?:L|R|T|B)$", r"cell\.\w+\.line\.color$"),
    (rf"{_PROPERTIES}/a:ln$", r":line\.color$"),
    (rf"{_RUN}/a:ln$", r"font\.outline$"),
    (rf"{_CHART}/c:ser$", "series (?:added|removed)|chart:type"),
    (rf"{_CHART}/c:plotArea/", "chart:type"),
    (rf"{_CHART}Ax$", "chart:axes"),
    (r"^c:chartSpace/c:chart/c:title$", "chart:title"),
    (rf"{_CHART}Ax/c:title$", r"axis\.title"),
    (r"^c:chartSpace/c:chart/c:legend$", "chart:legend"),
    (rf"{_CHART}Chart/c:dLbls$", "chart:labels"),
    (r"^cx:chartSpace/.*cx:series$", "series (?:added|removed)"),
    (r"dgm:(?:pt|cxn)$", "diagram:nodes"),
    (r"p:cSld/p:bg$", ":background$"),
    (r"^p:sld/mc:AlternateContent$|^p:sld/mc:Fallback$|p:transition$", "transition:"),
    (r"^p:sld/p:timing\b", "animation:|^(?:removed|added):"),
    (r"^p:presentation/p:extLst/p:ext$|p14:sectionLst$", "section:"),
    (r"^p:presentation/p:custShowLst$", "show:"),
    (r"^p:presentation/p:sldMasterIdLst/p:sldMasterId$", "master:(?:added|removed)"),
    (r"p:sldLayoutIdLst/p:sldLayoutId$", "layout:(?:added|removed)"),
    (r"^p:cmAuthorLst/p:cmAuthor$|^p188:authorLst/p188:author$", "comment:"),
    (r"a:hlinkClick$|a:hlinkMouseOver$|a:hlinkHover$", r"link:|:click$|:hover$"),
)  # fmt: skip
"""Elements that are added or removed as wholes, and the changes that explain them."""

_ONE_OF_EACH = re.compile(
    r"\}(?:xfrm|spPr|grpSpPr|rPr|endParaRPr|defRPr|pPr|lvl\dpPr|bodyPr|tcPr|bg|bgPr|cSld|sld|"
    r"sp|pic|cxnSp|graphicFrame|r|fld)$"
)
"""Elements whose children occur once, in a fixed order."""


@cache
def _explaining(table: _Patterns, key: str) -> tuple[re.Pattern[str], ...]:
    """The changes that a table names for a place."""
    return tuple(reported for where, reported in _compiled(table) if where.search(key))


@cache
def _compiled(table: _Patterns) -> tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]:
    return tuple((re.compile(where), re.compile(reported)) for where, reported in table)


def is_modelled(key: str) -> bool:
    """Whether any change of snapshots can explain a difference at a place."""
    return bool(_explaining(_LEAVES, key) or _explaining(_WHOLES, key))


def is_explained(raw: XmlDifference, reported: Collection[str]) -> bool:
    """Whether the reported changes explain an XML difference completely. ``reported`` names them by
    kind and property, as in ``style:font.size``.

    >>> from lxml import etree
    >>> run = etree.Element("{http://schemas.openxmlformats.org/drawingml/2006/main}rPr")
    >>> bold = XmlDifference("added", "a:rPr@b", "a:rPr@b", None, "1", run)
    >>> is_explained(bold, ["style:font.bold"]), is_explained(bold, ["style:font.size"])
    (True, False)
    """
    if not reported or _out_of_schema(raw):
        return False
    if raw.action in ("added", "removed") and "@" not in raw.key:
        if _any(_explaining(_WHOLES, raw.key), reported) or _is_reported_property(raw, reported):
            return True
        return all(explains(key, reported) for key, _value in leaf_places(raw.holder))
    return explains(raw.key, reported) or _is_reported_property(raw, reported)


def _out_of_schema(raw: XmlDifference) -> bool:
    """Whether an element of a fixed order moved or is there twice, which no edit does."""
    parent = raw.holder.getparent()
    if "@" in raw.key or "#" in raw.key or parent is None or not _ONE_OF_EACH.search(parent.tag):
        return False
    if raw.holder.tag == qn("mc:AlternateContent"):
        return False  # there may be several of these
    if raw.action == "moved":
        return True
    same_tag = sum(child.tag == raw.holder.tag for child in parent)
    return raw.action in ("added", "removed") and same_tag > 1


def explains(key: str, reported: Collection[str]) -> bool:
    """Whether the reported changes explain a difference at one place."""
    exact = _exactly(key)
    return exact in reported if exact else _any(_explaining(_LEAVES, key), reported)


_FACES = {"latin": "", "ea": "_east_asian", "cs": "_complex_script"}


@cache
def _exactly(key: str) -> str:
    """The only change that explains a place, if it depends on the place; else empty."""
    if color := re.search(r"^a:theme/.*a:clrScheme/a:(\w+)/", key):
        return f"theme:color {color[1]}"
    if face := re.search(r"^a:theme/.*a:(major|minor)Font/a:(latin|ea|cs)@typeface$", key):
        return f"theme:font {face[1]}{_FACES[face[2]]}"
    single = re.search(r"^(?:cp:coreProperties|ep:Properties)/\w+:(\w+)#text$", key)
    return f"properties:{single[1]}" if single else ""


def _is_reported_property(raw: XmlDifference, reported: Collection[str]) -> bool:
    """Whether a custom property of the deck was reported under its name."""
    if not raw.key.startswith("cust:Properties/"):
        return False
    at: Element | None = raw.holder
    while at is not None and at.get("name") is None:
        at = at.getparent()
    return at is not None and f"properties:{at.get('name')}" in reported


def _any(patterns: Iterable[re.Pattern[str]], reported: Collection[str]) -> bool:
    return any(pattern.search(change) for pattern in patterns for change in reported)


class NoiseRule(NamedTuple):
    """A kind of difference that does not count as an edit."""

    name: str
    part: str
    """Pattern for the content type of the part."""
    key: str
    """Pattern for the place in it."""
    reason: str


RULES: tuple[NoiseRule, ...] = (
    NoiseRule("view", r"viewProps\+xml$", "",
              "how the program's windows stood when the deck was saved"),
    NoiseRule("history", r"(?:changesinfo|revisioninfo)\+xml$", "",
              "who saved when, kept for working together; written anew at every save"),
    NoiseRule("thumbnail", "^thumbnail$", "", "a picture of the first slide, drawn at every save"),
    NoiseRule("counts", r"extended-properties\+xml$",
              "^ep:Properties/ep:(?:TitlesOfParts|HeadingPairs|Words|Paragraphs|Slides|Notes|"
              "HiddenSlides|Characters|CharactersWithSpaces|Lines|Pages|MMClips|TotalTime|"
              "Application|AppVersion|ScaleCrop|LinksUpToDate|SharedDoc|HyperlinksChanged|"
              "PresentationFormat|Template|DocSecurity)\\b",
              "counts, names of parts, and the program that saved"),
    NoiseRule("saved", r"core-properties\+xml$",
              "^cp:coreProperties/(?:dcterms:modified|cp:revision|cp:lastModifiedBy|"
              "cp:lastPrinted)\\b",
              "when, how often and by whom the deck was saved"),
    NoiseRule("ids", "",
              r"cNvPr@id$|p:sldId@id$|p:sldMasterId@id$|p:sldLayoutId@id$|p:cTn@id$|"
              r"(?:a16:creationId|p14:creationId)@(?:id|val)$|p14:modId@val$|c16:uniqueId@val$|"
              r"p14:section@id$|p:cmAuthor@lastIdx$|a16:(?:rowId|colId)@val$|a:fld@id$",
              "numbers by which the file knows its things; programs count anew"),
    NoiseRule("ids", r"notesSlide\+xml$", r"p:ph@idx$",
              "numbers by which notes find the places of their master"),
    NoiseRule("names", "", r"cNvPr@name$", "names of shapes, which programs make up"),
    NoiseRule("checked", "", r"a:\w+@(?:dirty|err|smtClean|smtId|bmk)$",
              "whether spelling was checked"),
    NoiseRule("hints", "", r"@(?:panose|pitchFamily|charset)$",
              "by which a program that lacks a typeface finds one like it; programs fill them in"),
    NoiseRule("filled in", "", r"a:fld#filled$",
              "slide numbers and dates, which programs fill in"),
    NoiseRule("runs", "", "a:p#runs$", "the same characters cut into runs in another way"),
)  # fmt: skip
"""By part and place."""

_END_MARK = "a:p/a:endParaRPr"
_STATED = re.compile(
    r"a:(?:r|fld|br)/a:rPr\b|a:p/a:pPr\b|a:bodyPr\b|a:tcPr\b|p:(?:spPr|grpSpPr)\b|p:xfrm\b|"
    r"a:tblPr@"
)
_UNSTATED = re.compile("a:(?:lstStyle|lvl)|defRPr|mc:Fallback")
_EMPTY_HOLDER = re.compile(
    r"p:txBody$|c:(?:txPr|spPr|marker|dPt)$|p:spPr/a:ln$|c:spPr/a:ln$|"
    r"a:(?:rPr|defRPr|endParaRPr)/a:solidFill$"
)
"""Elements that change nothing while they are empty, though not all that may be in them."""
_INSIDE = re.compile(
    r"/(?:a:(?:bodyPr|lstStyle|p|pPr|defRPr|rPr|endParaRPr|ln)|c:(?:spPr|marker))$|"
    r"^(?:p:sp/)?p:txBody$|c:(?:txPr|spPr|marker)$|a:(?:rPr|defRPr|endParaRPr)/a:solidFill$"
)
_AXIS = re.compile(r"c:(?:axId|crossAx)@val$")
_GROUPED = re.compile(r"(?:a|p):xfrm(?:/a:\w+)?@")
_TRUE, _FALSE = frozenset({"1", "true", "on"}), frozenset({"0", "false", "off"})


def noise_rule(raw: XmlDifference, content_type: str, *, read: bool, grouped: bool) -> str | None:
    """The name of the rule by which a difference is noise; None if it is an edit.

    ``content_type`` is that of the part (``thumbnail`` for the deck's). ``read`` says whether
    snapshots hold all that is visible of it, so that their changes would report an edit;
    ``grouped`` whether it belongs to a group or a member of one.
    """
    for rule in RULES:
        if re.search(rule.part, content_type) and re.search(rule.key, raw.key):
            return rule.name
    if raw.action in ("added", "removed") and _only_ids(raw):
        return "ids"
    if raw.action in ("added", "removed") and _is_empty(raw):
        return "empty"
    if _renumbered_axis(raw):
        return "ids"
    if _END_MARK in raw.key and _has_text(raw.holder):
        return "end mark"
    if raw.action == "changed" and _only_spelling(raw):
        return "spelling"
    if read and grouped and raw.action == "changed" and _GROUPED.search(raw.key):
        return "grouping"
    if read and raw.action in ("added", "removed") and _is_stated(raw):
        return "stated"
    return None


def _only_ids(raw: XmlDifference) -> bool:
    """Whether only a generated id, with its empty wrappers, was added or removed."""
    if "@" in raw.key:
        return False
    names = {str(item.tag).rpartition("}")[2] for item in raw.holder.iter("*")}
    ids = {"creationId", "modId", "uniqueId", "rowId", "colId"}
    return bool(names & ids) and names <= ids | {"ext", "extLst"}


def _is_empty(raw: XmlDifference) -> bool:
    """Whether an empty holder of text or style came or went: programs write such holders."""
    if "@" in raw.key or "#" in raw.key or not _EMPTY_HOLDER.search(raw.key):
        return False
    point = raw.holder.tag == qn("c:dPt")
    if point and any((item.text or "").startswith("-") for item in _values_of_series(raw.holder)):
        return False  # a point of its own decides how a negative value is filled
    return all(
        (_INSIDE.search(key) and not value) or (point and key.endswith("c:dPt/c:idx@val"))
        for key, value in leaf_places(raw.holder)
    )


def _values_of_series(point: Element) -> Iterable[Element]:
    series = point.getparent()
    return () if series is None else series.iterfind(f"{qn('c:val')}//{qn('c:v')}")


def _renumbered_axis(raw: XmlDifference) -> bool:
    """Whether axes of a chart only have other numbers: the old one is no axis there any more."""
    if raw.action != "changed" or not _AXIS.search(raw.key):
        return False
    axes = raw.holder.getroottree().getroot().iter("{*}axId")
    return raw.old not in {axis.get("val") for axis in axes}


def _has_text(element: Element) -> bool:
    """Whether the paragraph around an element holds any text."""
    at: Element | None = element
    while at is not None and at.tag != qn("a:p"):
        at = at.getparent()
    return at is not None and any(item.text for item in at.iter(qn("a:t")))


def _only_spelling(raw: XmlDifference) -> bool:
    """Whether values differ only in spelling: ``1`` and ``true``, ``3`` and ``3.0``."""
    both = {(raw.old or "").lower(), (raw.new or "").lower()}
    if "@" in raw.key:
        return both <= _TRUE or both <= _FALSE
    if not raw.key.endswith("c:v#text"):
        return False
    try:
        return len({float(value) for value in both}) == 1
    except ValueError:
        return False


def _is_stated(raw: XmlDifference) -> bool:
    """Whether a value in effect is stated now, or no longer: it was not an effective change."""
    if _UNSTATED.search(raw.path) or not _STATED.search(raw.key):
        return False
    if "@" in raw.key:
        return is_modelled(raw.key)
    holder = raw.holder.getparent()
    if holder is not None and sum(child.tag == raw.holder.tag for child in holder) > 1:
        return False  # one of several: it is not known which has effect
    return all(is_modelled(key) and _STATED.search(key) for key, _value in leaf_places(raw.holder))
