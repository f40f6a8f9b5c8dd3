"""Values stated inside of what a task may add or change, which no change of the deck names alone.

An added shape, paragraph, effect or link is one change, whatever else stands in it: a warp of its
text, a hidden axis, a second effect. So on slides where something may change, each value that the
original does not state there has to be one that such a thing has anyway, by a row of ``PLAIN``, or
one that the rubric names.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache
from hashlib import sha256
from typing import Final, NamedTuple

from decklab.deck.graphic_frames import read_chart, read_workbook
from decklab.deck.part import ReadingLog, Source
from decklab.diffing.xml.claims import RULES
from decklab.diffing.xml.names import property_name
from decklab.diffing.xml.trees import XmlDifference, leaf_places
from decklab.ooxml.package import Package
from decklab.ooxml.xml import parse_xml

_COLOUR = r"a:(?:srgbClr|schemeClr|sysClr)@(?:val|lastClr)$"
_EFFECT = r"p:timing/.*"
_MOTION = re.compile(r"p:(?:timing|transition)\b")
_LETTERS = r"[89]\d\d|[1-5]\d{3}"
_RUN = r"a:(?:rPr|endParaRPr|defRPr)"


class PlainRule(NamedTuple):
    """Values that an allowed addition may state without the rubric naming them."""

    place: str
    """Pattern for the place in the XML, from the shape or the root of the part on."""
    values: str
    """Pattern for the whole value."""
    only_new: bool
    """Whether it holds only on slides to which shapes may be added, and on added slides."""
    free: bool
    """Whether the task leaves the value open; else leaves of the rubric or changes compare it."""
    reason: str


_COMPARED: Final = {
    r"/a:t#text$|c:v#text$|c:f#text$|c:pt@idx$|c:ptCount@val$": (
        "",
        "words and numbers, which are compared as such",
    ),
    r"(?<!hlinkClick)(?<!hlinkMouseOver)(?<!hlinkHover)@r:(?:id|embed|link)$": (
        "",
        "ids of relationships: what they lead to is compared",
    ),
    r"xfrm/a:(?:off|ext|chOff|chExt)@\w+$|a:gridCol@w$|a:tr@h$": (
        "",
        "places and sizes, which are compared as such",
    ),
    r"a:hlinkClick@action$": (
        "ppaction://hlinksldjump",
        "the jump of a link to a slide, whose target is compared",
    ),
    r"p:blipFill/a:srcRect@[lrtb]$": ("", "cropping, which is compared as such"),
    r"/p:bg/p:bgPr/a:solidFill/" + _COLOUR: (
        "",
        "the colour of a background, which is compared as such",
    ),
    r"p:transition/(?:p:|p14:)\w+(?:@\w+)?$": (
        r"(?!true)\w{0,6}",
        "the effect of a transition, which is compared as one",
    ),
    _EFFECT + r"p:cTn@(?:id|presetID|presetSubtype|grpId|dur)$": (
        r"indefinite|\d{1,4}",
        "numbers of effects, which are compared, of ten seconds at most",
    ),
    _EFFECT + r"p:stCondLst/p:cond@delay$": (
        r"indefinite|\d{1,4}",
        "when an effect starts, which is compared, after ten seconds at most",
    ),
    _EFFECT + r"@spid$|" + _EFFECT + r"p:bldP@\w+$": (
        r"\w+",
        "what an effect plays on, which is compared",
    ),
    _EFFECT + r"p:animEffect@(?:transition|filter)$": (
        r"in|[a-z]+(?:\(\w+\))?",
        "the effect by which a thing comes in, which is compared",
    ),
    r"c:ser/c:spPr/(?:a:ln/)?a:solidFill/" + _COLOUR: (
        "",
        "colours of series, which are compared as such",
    ),
}
"""Values of which each is compared elsewhere: by place, the pattern and the reason."""
_LEFT_OPEN: Final = {
    (
        r"(?:a:(?:p|rPr|pPr|bodyPr|lstStyle|avLst|noAutofit|spAutoFit)|p:(?:spPr|nvPr)|"
        r"a:effectLst|c:(?:layout|scaling|majorGridlines|spPr)|p:cNvSpPr|p:cNvPicPr|"
        r"p:cNvGraphicFramePr|p:cNvCxnSpPr|a:fillRect|a:masterClrMapping|a:tcPr)$"
    ): ("", "holders that state nothing"),
    r"mc:Choice@Requires$|@mc:Ignorable$": ("", "which programs may read a value"),
    r"p:transition@(?:spd|p14:dur)$": (
        r"slow|med|fast|\d{1,3}|[1-4]\d{3}",
        "the pace of a transition, five seconds at most, where no leaf of the rubric asks for one",
    ),
    r"p:transition@advClick$": ("1|true", "a slide that waits for a click"),
    _EFFECT + r"p:cTn@presetClass$": ("entr", "entrances"),
    _EFFECT + r"p:cTn@(?:fill|restart|nodeType)$": (
        "hold|never|tmRoot|mainSeq|(?:click|with|after)(?:Effect|Par)",
        "the frame of every timeline",
    ),
    _EFFECT + r"p:seq@(?:concurrent|nextAc)$|" + _EFFECT + r"p:(?:prev|next)Cond": (
        "",
        "the frame of every timeline",
    ),
    _EFFECT + r"p:set/p:cBhvr/p:cTn@dur$": (
        r"\d{1,3}",
        "how long a thing becomes visible, which it does at once",
    ),
    _EFFECT + r"p:cTn@dur$": (
        r"[1-9]\d\d|[12]\d{3}",
        "the pace of an effect, from a tenth of a second to three",
    ),
    _EFFECT + r"p:stCondLst/p:cond@delay$": (r"\d{1,2}", "a delay under a tenth of a second"),
    _EFFECT + r"p:set/p:cBhvr/.*p:attrName#text$": (
        r"style\.visibility",
        "a thing that becomes visible",
    ),
    _EFFECT + r"p:set/p:to/p:strVal@val$": ("visible", "a thing that becomes visible"),
    (
        r"^c:chartSpace/.*c:(?:barDir|grouping|idx|order|axPos|legendPos|crossAx|axId|"
        r"lblAlgn|lblOffset|gapWidth|overlap|crossBetween)@\w+$|c:numFmt@sourceLinked$"
    ): ("", "settings that every chart has"),
    (
        r"^c:chartSpace/.*c:(?:date1904|delete|autoTitleDeleted|overlay|noMultiLvlLbl|"
        r"roundedCorners|varyColors|invertIfNegative|autoUpdate|show\w+|smooth)@val$"
    ): ("0|false", "settings of a plain chart"),
    r"^c:chartSpace/.*c:(?:auto|plotVisOnly)@val$": ("1|true", "settings of a plain chart"),
    r"^c:chartSpace/.*c:(?:orientation|majorTickMark|minorTickMark|crosses|dispBlanksAs)@val$": (
        "minMax|out|none|autoZero|gap|zero|cross",
        "axes in the usual direction",
    ),
    r"^c:chartSpace/.*c:tickLblPos@val$": (
        "nextTo|low|high",
        "labels of an axis, wherever they stand",
    ),
    r"^c:chartSpace/.*(?:c:numFmt@formatCode|c:formatCode#text)$": (
        r"General|[#0.,%]+",
        "numbers written as numbers",
    ),
    r"^c:chartSpace/.*@lang$": ("", "language, by which spelling is checked"),
    r"^c:chartSpace/c:chart/c:title/.*@(?:b|i)$": ("", "plain style of a chart's title"),
    r"^c:chartSpace/c:chart/c:title/.*@sz$": (_LETTERS, "letters of 8 to 60 pt"),
}
"""Values that the task leaves open: of timelines, which bring things in, and of charts."""
_OF_NEW_SHAPES: Final = {
    r"xfrm@flip[HV]$": ("", "connectors run in any direction"),
    r"p:spPr/a:prstGeom@prst$": (
        "rect|roundRect|flowChart(?:Alternate)?Process|line|straightConnector1",
        "the form of a new box or line",
    ),
    r"p:spPr/(?:a:ln/)?a:(?:solidFill/" + _COLOUR + r"|noFill$)|p:style/.*@(?:idx|val)$": (
        "",
        "plain fill and outline of a new shape",
    ),
    r"p:spPr/a:ln@w$": (r"\d{1,5}", "an outline of a new shape, 8 pt at most"),
    r"cNvPr@descr$": ("", "a description of a new thing"),
    r"p:ph@|p:cNvSpPr@txBox$|p:nvPr@|a:(?:stCxn|endCxn)@": (
        "",
        "the kind of a new shape and what it is attached to",
    ),
    _RUN + r"@sz$": (_LETTERS, "letters of 8 to 60 pt"),
    (
        _RUN
        + r"@(?:b|i|lang)$|"
        + _RUN
        + "/a:solidFill/"
        + _COLOUR
        + "|"
        + _RUN
        + r"/a:(?:latin|ea|cs)@typeface$|a:pPr@(?:lvl|algn)$|a:bodyPr@anchor$"
    ): ("", "plain style of a new text; what is too faint or small is not seen"),
    r"a:pPr@(?:marL|indent)$": (r"-?\d{1,6}|1\d{6}", "indents of a new text, two inches at most"),
    r"a:bodyPr@(?:wrap|rtlCol)$": ("square|none|0", "as every new text box"),
    (
        r"a:tblPr@(?:firstRow|bandRow)$|a:tableStyleId#text$|a:graphicData@uri$|"
        r"Locks@noGrp$"
    ): ("", "style of a new table"),
}
"""Values that the task leaves open on slides to which shapes may be added."""
PLAIN: Final = tuple(
    PlainRule(place, values, only_new, free, reason)
    for rules, only_new, free in (
        (_COMPARED, False, False),
        (_LEFT_OPEN, False, True),
        (_OF_NEW_SHAPES, True, True),
    )
    for place, (values, reason) in rules.items()
)

_SHARED = frozenset(
    ("slide", "slideLayout", "slideMaster", "notesMaster", "handoutMaster", "theme", "tags")
)
"""Kinds of relationships whose targets are not the slide's own."""
NOTES: Final = "notesSlide+xml"
"""End of the content type of notes, of which nothing but the words is compared: how a page of notes
looks only their speaker sees."""

CHART: Final = "drawingml.chart+xml"
"""End of the content type of charts."""


class StrangeValue(NamedTuple):
    """A value that neither the original states nor the rubric names."""

    property: str
    value: str
    key: str
    """Its place in the XML, without numbers, or the kind of its part."""


class InsideValues:
    """The values that a slide of an edited deck states and the original does not."""

    def __init__(self, before: Package, after: Package) -> None:
        self._before, self._after = before, after
        self._everywhere: set[tuple[str, str]] | None = None
        self._contents: set[str] | None = None

    def strange(
        self, new: str, old: str | None, *, fresh: bool, is_named: Callable[[str], bool]
    ) -> Iterator[StrangeValue]:
        """The values that nothing explains in a slide's part ``new``, with its charts, diagrams and
        pictures; ``old`` is its part in the original. ``fresh`` says whether whole shapes may be
        new there, ``is_named`` whether the rubric names a property. On a slide that is new itself
        effects and a transition are strange unless it names ``animation:added`` or
        ``transition:added``: nothing else compares them. Raises DeckError."""
        known = set(_leaves(self._before, old)) if old is not None else set()
        if fresh:
            known |= self._all
        for key, value, content_type in _typed_leaves(self._after, new):
            if _is_noise(key, content_type):
                continue
            unasked = old is None and _MOTION.search(key) and not is_named("added")
            if not unasked and ((key, value) in known or _is_plain(key, value, fresh=fresh)):
                continue
            if is_named(name := _name(key, value)):
                continue
            known.add((key, value))
            yield StrangeValue(name, value, key)
        for part in _own_parts(self._after, new):
            if not _is_xml(part) and _digest(self._after, part) not in self._parts:
                name = part.rpartition("/")[2]
                is_workbook = name.endswith((".xlsx", ".xlsm", ".xlsb"))
                family = "workbook" if is_workbook else "image"
                if not fresh and not is_named(family):
                    yield StrangeValue(family, name, f"part:{'package' if is_workbook else family}")
        faults = _workbook_faults(self._after, new)
        for fault in sorted(faults - (_workbook_faults(self._before, old) if old else set())):
            yield StrangeValue("workbook", fault, "part:package")

    @property
    def _all(self) -> set[tuple[str, str]]:
        if self._everywhere is None:
            slides = [name for name in self._before.names if name.startswith("ppt/slides/slide")]
            self._everywhere = {leaf for part in slides for leaf in _leaves(self._before, part)}
        return self._everywhere

    @property
    def _parts(self) -> set[str]:
        if self._contents is None:
            names = [name for name in self._before.names if not _is_xml(name)]
            self._contents = {_digest(self._before, name) for name in names}
        return self._contents


def _typed_leaves(package: Package, slide: str) -> Iterator[tuple[str, str, str]]:
    for part in _own_parts(package, slide):
        kind = package.content_type(part) or ""
        if _is_xml(part) and not kind.endswith(NOTES):
            links = package.relationships(part)
            for key, value in leaf_places(package.xml(part)):
                link = links.get(value) if _LINK.search(key) else None
                yield key, value if link is None else link.target, kind


def _leaves(package: Package, slide: str) -> Iterator[tuple[str, str]]:
    return ((key, value) for key, value, _ in _typed_leaves(package, slide))


def _own_parts(package: Package, slide: str) -> list[str]:
    """A slide's part and those that it leads to, without what it shares with others."""
    parts = [slide]
    for part in parts:
        for link in package.relationships(part).values():
            own = not link.external and link.kind not in _SHARED and link.target in package
            if own and link.target not in parts:
                parts.append(link.target)
    return parts


def _workbook_faults(package: Package, slide: str) -> set[str]:
    """Charts that draw other numbers than their workbooks hold, or have no workbook."""
    faults = set()
    for part in _own_parts(package, slide):
        if (package.content_type(part) or "").endswith(CHART):
            chart = read_chart(part, Source(package, part, ReadingLog()))
            reading = read_workbook(package, chart)
            if reading.state not in ("readable", "foreign"):
                faults.add(f"is {reading.state}")
            faults |= set(reading.mismatches[:1])
    return faults


def _is_xml(part: str) -> bool:
    return part.endswith((".xml", ".rels", ".vml"))


def _digest(package: Package, part: str) -> str:
    return sha256(package.read(part)).hexdigest()


@cache
def _is_noise(key: str, content_type: str) -> bool:
    return any(re.search(rule.part, content_type) and re.search(rule.key, key) for rule in RULES)


def _is_plain(key: str, value: str, *, fresh: bool) -> bool:
    return any(
        (fresh or not rule.only_new)
        and re.search(rule.place, key)
        and (not rule.values or re.fullmatch(rule.values, value))
        for rule in PLAIN
    )


def _name(key: str, value: str) -> str:
    """The property that a value is of, as people know it, such as ``click`` of a link."""
    if (link := _LINK.search(key)) is not None:
        target = "click" if link[1] == "Click" else "hover"
        return target if link[2] == "r:id" else link[2]
    return property_name(XmlDifference("added", key, key, None, value, _NOWHERE)).property


_LINK: Final = re.compile(r"a:hlink(Click|MouseOver|Hover)@([\w:]+)$")
_NOWHERE = parse_xml(b"<none/>", path="none", part="none")
