"""Table styles that an imported slide uses, added to the deck's own."""

from lxml import etree

from decklab.ooxml.slides.draft import Draft
from decklab.ooxml.slides.listing import Parts
from decklab.ooxml.xml import Element, qn, relationship_type, serialize_xml

_TYPE = "application/vnd.openxmlformats-officedocument.presentationml.tableStyles+xml"


def bring_table_styles(source: Parts, draft: Draft, slide: str) -> None:
    """Add the styles of the slide's tables that ``source`` defines and the draft does not."""
    used = {(item.text or "").strip() for item in draft.xml(slide).iter(qn("a:tableStyleId"))}
    for part in source.related(source.main_part, "tableStyles") if used else ():
        styles = {style.get("styleId"): style for style in list(source.xml(part))}
        wanted = [style for id, style in styles.items() if id in used]
        if wanted:
            _add(draft, wanted)


def _add(draft: Draft, styles: list[Element]) -> None:
    root = draft.edit(_styles_part(draft))
    there = {style.get("styleId") for style in root}
    for style in styles:
        if style.get("styleId") not in there:
            root.append(style)


def _styles_part(draft: Draft) -> str:
    for part in draft.related(draft.main_part, "tableStyles"):
        return part
    folder = draft.main_part.rpartition("/")[0]
    name = f"{folder}/tableStyles.xml" if folder else "tableStyles.xml"
    if draft.was_used(name):
        name = draft.unused_name(name)
    none = "{5C22544A-7EE6-4342-B048-85BDC9FD1C3A}"  # PowerPoint's own default style
    draft.add(name, _TYPE, serialize_xml(etree.Element(qn("a:tblStyleLst"), {"def": none})))
    draft.link(draft.main_part, relationship_type("tableStyles"), name)
    return name
