"""Finds the differences of XML that programs make by only saving a deck. The list is complete: a
difference that no rule here names, and no rule for changes of snapshots, is an edit."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from decklab.diffing.xml.claims import is_modelled
from decklab.diffing.xml.trees import XmlDifference, leaf_places
from decklab.ooxml.xml import Element, qn


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
    """Whether a holder of text or style was added or removed that states nothing: programs write
    such holders when they only look for the text or style."""
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
    """Whether two values differ only in spelling: a flag as ``1`` and ``true``, a chart's number as
    ``3`` and ``3.0``."""
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
    """Whether a value is now stated that was in effect before, or is no longer stated but still in
    effect: else changes of effective values would have reported it."""
    if _UNSTATED.search(raw.path) or not _STATED.search(raw.key):
        return False
    if "@" in raw.key:
        return is_modelled(raw.key)
    holder = raw.holder.getparent()
    if holder is not None and sum(child.tag == raw.holder.tag for child in holder) > 1:
        return False  # one of several: it is not known which has effect
    return all(is_modelled(key) and _STATED.search(key) for key, _value in leaf_places(raw.holder))
