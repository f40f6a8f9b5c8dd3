"""Which slides a show reaches, and why not the others."""

from collections.abc import Collection, Mapping

from decklab.core.errors import MalformedPart
from decklab.deck.timing import transition_of
from decklab.ooxml.package import Package
from decklab.ooxml.slide_list import slide_entries
from decklab.ooxml.units import flag, parse_int
from decklab.ooxml.xml import Element, qn
from decklab.seen.thresholds import LEAST_SHOWN_MS


def slides_left_out(package: Package) -> dict[int, str]:
    """The numbers of the slides that an audience does not get to see, each with the reason.

    They are hidden, outside the range or the custom show that the settings of the show name, or go
    by themselves before they can be read. Slides and settings that are damaged hide nothing. Raises
    DeckError where the list of slides cannot be read, or a part breaks the package's limits.
    """
    shown, timed = _settings(package)
    reasons = {}
    for entry in slide_entries(package):
        slide = _root(package, entry.part)
        reason = "" if slide is None else _why_left_out(slide, timed=timed)
        if not reason and shown is not None and entry.number not in shown:
            reason = "the show leaves the slide out"
        if reason:
            reasons[entry.number] = reason
    return reasons


def _root(package: Package, part: str) -> Element | None:
    try:
        return package.xml(part)
    except MalformedPart:
        return None


def _why_left_out(slide: Element, *, timed: bool) -> str:
    if flag(slide.get("show")) is False:
        return "the slide is hidden"
    transition = transition_of(slide)
    stay = None if transition is None else transition.advance_after_ms
    if timed and stay is not None and stay < LEAST_SHOWN_MS:
        return f"the slide goes by itself after {stay / 1000:g} s"
    return ""


def _settings(package: Package) -> tuple[Collection[int] | None, bool]:
    """The numbers of the slides that the settings of the show choose, None for all slides, and
    whether slides go by themselves."""
    for part in package.related(package.main_part, "presProps"):
        root = _root(package, part)
        show = None if root is None else root.find(qn("p:showPr"))
        if show is None:
            continue
        timed = flag(show.get("useTimings")) is not False
        span, custom = show.find(qn("p:sldRg")), show.find(qn("p:custShow"))
        if span is not None:
            first, last = parse_int(span.get("st")), parse_int(span.get("end"))
            if first is not None and last is not None:
                return range(first, last + 1), timed
        if custom is not None:
            return _custom_shows(package).get(parse_int(custom.get("id"))), timed
        return None, timed
    return None, True


def _custom_shows(package: Package) -> Mapping[int | None, Collection[int]]:
    """The numbers of the slides of each custom show, by its id."""
    main = package.main_part
    numbers = {entry.part: entry.number for entry in slide_entries(package)}
    links = {id: link.target for id, link in package.relationships(main).items()}
    return {
        parse_int(show.get("id")): {
            numbers[part]
            for slide in show.iter(qn("p:sld"))
            if (part := links.get(slide.get(qn("r:id")) or "", "")) in numbers
        }
        for show in package.xml(main).iterfind(f"{qn('p:custShowLst')}/{qn('p:custShow')}")
    }
