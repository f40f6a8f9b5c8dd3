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


PLAIN: tuple[PlainRule, ...] = (
    PlainRule(
        r"/a:t#text$|c:v#text$|c:f#text$|c:pt@idx$|c:ptCount@val$",
        "",
        False,
        False,
        "words and numbers, which are compared as such",
    ),
    PlainRule(
        r"(?<!hlinkClick)(?<!hlinkMouseOver)(?<!hlinkHover)@r:(?:id|embed|link)$",
        "",
        False,
        False,
        "ids of relationships: what they lead to is compared",
    ),
    PlainRule(
        r"xfrm/a:(?:off|ext|chOff|chExt)@\w+$|a:gridCol@w$|a:tr@h$",
        "",
        False,
        False,
        "places and sizes, which are compared as such",
    ),
    PlainRule(
        r"a:hlinkClick@action$",
        "ppaction://hlinksldjump",
        False,
        False,
        "the jump of a link to a slide, whose target is compared",
    ),
    PlainRule(
        r"(?:a:(?:p|rPr|pPr|bodyPr|lstStyle|avLst|noAutofit|spAutoFit)|p:(?:spPr|nvPr)|"
        r"a:effectLst|c:(?:layout|scaling|majorGridlines|spPr)|p:cNvSpPr|p:cNvPicPr|"
        r"p:cNvGraphicFramePr|p:cNvCxnSpPr|a:fillRect|a:masterClrMapping|a:tcPr)$",
        "",
        False,
        True,
        "holders that state nothing",
    ),
    PlainRule(
        r"mc:Choice@Requires$|@mc:Ignorable$", "", False, True, "which programs may read a value"
    ),
    PlainRule(
        r"p:blipFill/a:srcRect@[lrtb]$", "", False, False, "cropping, which is compared as such"
    ),
    PlainRule(
        r"/p:bg/p:bgPr/a:solidFill/" + _COLOUR,
        "",
        False,
        False,
        "the colour of a background, which is compared as such",
    ),
    PlainRule(
        r"p:transition/(?:p:|p14:)\w+(?:@\w+)?$",
        r"(?!true)\w{0,6}",
        False,
        False,
        "the effect of a transition, which is compared as one",
    ),
    PlainRule(
        r"p:transition@(?:spd|p14:dur)$",
        r"slow|med|fast|\d{1,3}|[1-4]\d{3}",
        False,
        True,
        "the pace of a transition, five seconds at most, where no leaf of the rubric asks for one",
    ),
    PlainRule(r"p:transition@advClick$", "1|true", False, True, "a slide that waits for a click"),
    # Effects by which things come in.
    PlainRule(_EFFECT + r"p:cTn@presetClass$", "entr", False, True, "entrances"),
    PlainRule(
        _EFFECT + r"p:cTn@(?:id|presetID|presetSubtype|grpId|dur)$",
        r"indefinite|\d{1,4}",
        False,
        False,
        "numbers of effects, which are compared, of ten seconds at most",
    ),
    PlainRule(
        _EFFECT + r"p:cTn@(?:fill|restart|nodeType)$",
        "hold|never|tmRoot|mainSeq|(?:click|with|after)(?:Effect|Par)",
        False,
        True,
        "the frame of every timeline",
    ),
    PlainRule(
        _EFFECT + r"p:seq@(?:concurrent|nextAc)$|" + _EFFECT + r"p:(?:prev|next)Cond",
        "",
        False,
        True,
        "the frame of every timeline",
    ),
    PlainRule(
        _EFFECT + r"p:stCondLst/p:cond@delay$",
        r"indefinite|\d{1,4}",
        False,
        False,
        "when an effect starts, which is compared, after ten seconds at most",
    ),
    PlainRule(
        _EFFECT + r"p:set/p:cBhvr/p:cTn@dur$",
        r"\d{1,3}",
        False,
        True,
        "how long a thing becomes visible, which it does at once",
    ),
    PlainRule(
        _EFFECT + r"p:cTn@dur$",
        r"[1-9]\d\d|[12]\d{3}",
        False,
        True,
        "the pace of an effect, from a tenth of a second to three",
    ),
    PlainRule(
        _EFFECT + r"p:stCondLst/p:cond@delay$",
        r"\d{1,2}",
        False,
        True,
        "a delay under a tenth of a second",
    ),
    PlainRule(
        _EFFECT + r"@spid$|" + _EFFECT + r"p:bldP@\w+$",
        r"\w+",
        False,
        False,
        "what an effect plays on, which is compared",
    ),
    PlainRule(
        _EFFECT + r"p:set/p:cBhvr/.*p:attrName#text$",
        r"style\.visibility",
        False,
        True,
        "a thing that becomes visible",
    ),
    PlainRule(
        _EFFECT + r"p:set/p:to/p:strVal@val$",
        "visible",
        False,
        True,
        "a thing that becomes visible",
    ),
    PlainRule(
        _EFFECT + r"p:animEffect@(?:transition|filter)$",
        r"in|[a-z]+(?:\(\w+\))?",
        False,
        False,
        "the effect by which a thing comes in, which is compared",
    ),
    # What a new shape has.
    PlainRule(r"xfrm@flip[HV]$", "", True, True, "connectors run in any direction"),
    PlainRule(
        r"p:spPr/a:prstGeom@prst$",
        "rect|roundRect|flowChart(?:Alternate)?Process|line|straightConnector1",
        True,
        True,
        "the form of a new box or line",
    ),
    PlainRule(
        r"p:spPr/(?:a:ln/)?a:(?:solidFill/" + _COLOUR + r"|noFill$)|p:style/.*@(?:idx|val)$",
        "",
        True,
        True,
        "plain fill and outline of a new shape",
    ),
    PlainRule(r"p:spPr/a:ln@w$", r"\d{1,5}", True, True, "an outline of a new shape, 8 pt at most"),
    PlainRule(r"cNvPr@descr$", "", True, True, "a description of a new thing"),
    PlainRule(
        r"p:ph@|p:cNvSpPr@txBox$|p:nvPr@|a:(?:stCxn|endCxn)@",
        "",
        True,
        True,
        "the kind of a new shape and what it is attached to",
    ),
    PlainRule(_RUN + r"@sz$", _LETTERS, True, True, "letters of 8 to 60 pt"),
    PlainRule(
        _RUN
        + r"@(?:b|i|lang)$|"
        + _RUN
        + "/a:solidFill/"
        + _COLOUR
        + "|"
        + _RUN
        + r"/a:(?:latin|ea|cs)@typeface$|a:pPr@(?:lvl|algn)$|a:bodyPr@anchor$",
        "",
        True,
        True,
        "plain style of a new text; what is too faint or small is not seen",
    ),
    PlainRule(
        r"a:pPr@(?:marL|indent)$",
        r"-?\d{1,6}|1\d{6}",
        True,
        True,
        "indents of a new text, two inches at most",
    ),
    PlainRule(r"a:bodyPr@(?:wrap|rtlCol)$", "square|none|0", True, True, "as every new text box"),
    PlainRule(
        r"a:tblPr@(?:firstRow|bandRow)$|a:tableStyleId#text$|a:graphicData@uri$|"
        r"Locks@noGrp$",
        "",
        True,
        True,
        "style of a new table",
    ),
    # What every chart has.
    PlainRule(
        r"^c:chartSpace/.*c:(?:barDir|grouping|idx|order|axPos|legendPos|crossAx|axId|"
        r"lblAlgn|lblOffset|gapWidth|overlap|crossBetween)@\w+$|c:numFmt@sourceLinked$",
        "",
        False,
        True,
        "settings that every chart has",
    ),
    PlainRule(
        r"^c:chartSpace/.*c:(?:date1904|delete|autoTitleDeleted|overlay|noMultiLvlLbl|"
        r"roundedCorners|varyColors|invertIfNegative|autoUpdate|show\w+|smooth)@val$",
        "0|false",
        False,
        True,
        "settings of a plain chart",
    ),
    PlainRule(
        r"^c:chartSpace/.*c:(?:auto|plotVisOnly)@val$",
        "1|true",
        False,
        True,
        "settings of a plain chart",
    ),
    PlainRule(
        r"^c:chartSpace/.*c:(?:orientation|majorTickMark|minorTickMark|crosses|dispBlanksAs)@val$",
        "minMax|out|none|autoZero|gap|zero|cross",
        False,
        True,
        "axes in the usual direction",
    ),
    PlainRule(
        r"^c:chartSpace/.*c:tickLblPos@val$",
        "nextTo|low|high",
        False,
        True,
        "labels of an axis, wherever they stand",
    ),
    PlainRule(
        r"^c:chartSpace/.*(?:c:numFmt@formatCode|c:formatCode#text)$",
        r"General|[#0.,%]+",
        False,
        True,
        "numbers written as numbers",
    ),
    PlainRule(r"^c:chartSpace/.*@lang$", "", False, True, "language, by which spelling is checked"),
    PlainRule(
        r"^c:chartSpace/c:chart/c:title/.*@(?:b|i)$",
        "",
        False,
        True,
        "plain style of a chart's title",
    ),
    PlainRule(
        r"^c:chartSpace/c:chart/c:title/.*@sz$", _LETTERS, False, True, "letters of 8 to 60 pt"
    ),
    PlainRule(
        r"c:ser/c:spPr/(?:a:ln/)?a:solidFill/" + _COLOUR,
        "",
        False,
        False,
        "colours of series, which are compared as such",
    ),
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
    """Charts of a slide that draw other numbers than their workbooks hold, or that have none: who
    edits the data gets another chart."""
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
    """The property that a value is of, as people know it; of a link ``click`` or ``hover`` for
    where it leads to, ``tooltip`` or ``action``."""
    link = _LINK.search(key)
    if link is not None:
        target = "click" if link[1] == "Click" else "hover"
        return target if link[2] == "r:id" else link[2]
    return property_name(XmlDifference("added", key, key, None, value, _NOWHERE)).property


_LINK: Final = re.compile(r"a:hlink(Click|MouseOver|Hover)@([\w:]+)$")
_NOWHERE = parse_xml(b"<none/>", path="none", part="none")
