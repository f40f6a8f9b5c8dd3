"""Sections of a deck: begun, renamed, dissolved."""

from typing import Any

from pptx.oxml import parse_xml
from pptx.presentation import Presentation

from decklab.editing.finding import EditError, slide_at, slide_ids
from decklab.editing.identities import fresh_guid
from decklab.editing.phrasing import order_phrase, phrase
from decklab.ooxml.slide_list import list_items
from decklab.ooxml.xml import NAMESPACES, qn

_LIST_URI = "{521415D9-36F7-43E2-AB2F-B90AF26B5E84}"
"""Names the list of sections among the extensions of a presentation ([MS-PPTX], 2.2.5)."""
_NS = f'xmlns:p="{NAMESPACES["p"]}" xmlns:p14="{NAMESPACES["p14"]}"'
_BEFORE = "Default Section"
"""PowerPoint's name for the slides before the first section."""


@phrase("(add|begin|make) [new] section [titled] {name:words} (before|at|from|with) {slides}",
        example="add the section 'Findings' before slide 4", changes="section",
        follows="section detail")  # fmt: skip
def add_section(prs: Presentation, name: str, slide: int) -> None:
    """Begin a section at a slide; it holds the slides from there to the next section.

    Raises EditError where a section begins there already.

    Example: add_section(prs, "Findings", 4)
    """
    slide_at(prs, slide)
    ids = slide_ids(prs)
    root: Any = prs.part._element
    listed = root.find(f".//{qn('p14:sectionLst')}")
    if listed is None:
        listed = _new_list(root)
    if not len(listed):
        listed.append(_section(_BEFORE if slide > 1 else name, ids))
        if slide == 1:
            return
    holder = next((one for one in listed if ids[slide - 1] in _members(one)), None)
    if holder is None:
        raise EditError(f"slide {slide} is in no section, though the deck has sections")
    members = _members(holder)
    at = members.index(ids[slide - 1])
    if not at:
        raise EditError(f"the section {holder.get('name')!r} begins at slide {slide}")
    _keep(holder, members[:at])
    holder.addnext(_section(name, members[at:]))


@order_phrase(
    "move (section {name:section}|{name:section} section) to [very] {end=start|end} [of deck]",
    "move (section {name:section}|{name:section} section) (before|in front of) [section] "
    "{before:section} [section]",
    "move (section {name:section}|{name:section} section) (after|behind) [section] "
    "{after:section} [section]",
    example="move the section 'Findings' to the start")  # fmt: skip
def move_section(
    prs: Presentation,
    name: str,
    *,
    before: str | None = None,
    after: str | None = None,
    end: str | None = None,
) -> bool:
    """Move a section with its slides before or after another one, or to an ``end`` of the deck.

    ``end`` is "start" or "end". Return whether it stood elsewhere.

    Example: move_section(prs, "Appendix", end="end")
    """
    held = _find(prs, name)
    listed = held.getparent()
    old = list(listed)
    others = [one for one in old if one is not held]
    if before is not None or after is not None:
        beside = _find(prs, before if before is not None else after or "")
        if beside is held:
            raise EditError(f"{name!r} cannot stand beside itself")
        place = others.index(beside) + (before is None)
    else:
        place = 0 if end == "start" else len(others)
    fresh = [*others[:place], held, *others[place:]]
    items = {int(item.get("id") or 0): item for item in list_items(prs.part._element)}
    order = [id for section in fresh for id in _members(section)]
    if sorted(order) != sorted(items):
        raise EditError("some slides belong to no section, or to several")
    holder: Any = items[order[0]].getparent()
    for id in order:
        holder.append(items[id])
    for section in fresh:
        listed.append(section)
    return fresh != old


@phrase("(rename|change) (section {old:section}|{old:section} section) to {new:words}",
        example="rename the section 'Findings' to 'Results'", changes="section")  # fmt: skip
def rename_section(prs: Presentation, old: str, new: str) -> None:
    """Give a section another name. Raises EditError where there is none, or several, of the old.

    Example: rename_section(prs, "Appendix", "Backup")
    """
    _find(prs, old).set("name", new)


@phrase(
    "(delete|dissolve) (section {name:section}|{name:section} section)",
    example="delete the section 'Findings'", changes="section", follows="section detail",
)  # fmt: skip
def delete_section(prs: Presentation, name: str) -> None:
    """Dissolve a section; its slides stay, and belong to the section before, else after it.

    Example: delete_section(prs, "Appendix")
    """
    held = _find(prs, name)
    before, after = held.getprevious(), held.getnext()
    if before is not None:
        _keep(before, [*_members(before), *_members(held)])
    elif after is not None:
        _keep(after, [*_members(held), *_members(after)])
    listed = held.getparent()
    listed.remove(held)
    if not len(listed):
        extension = listed.getparent()
        extension.getparent().remove(extension)


def section_sizes(prs: Presentation) -> list[int]:
    """How many slides each section of a deck has, in their order."""
    return [len(_members(one)) for one in prs.part._element.iter(qn("p14:section"))]


def share_out(prs: Presentation, sizes: list[int]) -> None:
    """Give the sections of a deck so many slides each, in the order of the slides.

    Nothing changes if these are not all slides.
    """
    ids = slide_ids(prs)
    if sum(sizes) != len(ids):
        return
    for section, size in zip(prs.part._element.iter(qn("p14:section")), sizes, strict=True):
        _keep(section, ids[:size])
        ids = ids[size:]


def _find(prs: Presentation, name: str) -> Any:
    sections = list(prs.part._element.iter(qn("p14:section")))
    named = [one for one in sections if (one.get("name") or "").casefold() == name.casefold()]
    if len(named) != 1:
        names = ", ".join(repr(one.get("name") or "") for one in sections) or "none"
        raise EditError(f"the deck has no section {name!r}, or several; it has {names}")
    return named[0]


def _new_list(root: Any) -> Any:
    """An empty list of sections, as an extension of the presentation."""
    extensions = root.find(qn("p:extLst"))
    if extensions is None:
        extensions = parse_xml(f"<p:extLst {_NS}/>")
        root.append(extensions)
    held = parse_xml(f'<p:ext {_NS} uri="{_LIST_URI}"><p14:sectionLst/></p:ext>')
    extensions.append(held)
    return held[0]


def _section(name: str, ids: list[int]) -> Any:
    section = parse_xml(f"<p14:section {_NS}><p14:sldIdLst/></p14:section>")
    section.set("name", name)
    section.set("id", fresh_guid(_LIST_URI, f"{name} {ids[:1]}"))
    _keep(section, ids)
    return section


def _keep(section: Any, ids: list[int]) -> None:
    listed = section.find(qn("p14:sldIdLst"))
    if listed is None:
        listed = parse_xml(f"<p14:sldIdLst {_NS}/>")
        section.insert(0, listed)
    for item in list(listed):
        listed.remove(item)
    for id in ids:
        listed.append(parse_xml(f'<p14:sldId {_NS} id="{id}"/>'))


def _members(section: Any) -> list[int]:
    return [int(item.get("id")) for item in section.iter(qn("p14:sldId"))]
