"""Parts that other parts cannot do without."""

from collections import defaultdict

from decklab.ooxml.names import qn
from decklab.ooxml.validity.inspection import Inspection

__all__ = ["check_needs"]

_NEEDS = {
    "presentationml.slide+xml": ("slideLayout", "layout"),
    "presentationml.slideLayout+xml": ("slideMaster", "master"),
    "presentationml.slideMaster+xml": ("theme", "theme"),
    "presentationml.notesSlide+xml": ("notesMaster", "master of notes"),
    "presentationml.notesMaster+xml": ("theme", "theme"),
    "presentationml.handoutMaster+xml": ("theme", "theme"),
}
"""Ending of a content type to the one related part that such parts need."""

_OWN = ("chart", "notesSlide", "comments", "diagramData")
"""Kinds of part that no two slides can share."""


def check_needs(inspection: Inspection) -> None:
    """Layouts, masters, themes and notes where they are needed, and nobody else's."""
    for ending, (kind, called) in _NEEDS.items():
        for part in inspection.of_kind(ending):
            count = len(inspection.related(part, kind))
            if count != 1:
                detail = f"it has {'no' if count == 0 else count} {called}{'s' * (count > 1)}"
                fix = f"Relate it to exactly one {called}."
                rule = f"need.{called.replace(' of ', '-')}"
                inspection.error(rule, part, detail, fix)
    _check_notes(inspection)
    _check_layout_lists(inspection)
    _check_sharing(inspection)


def _check_notes(inspection: Inspection) -> None:
    for slide in inspection.of_kind("presentationml.slide+xml"):
        for notes in inspection.related(slide, "notesSlide"):
            back = inspection.related(notes, "slide")
            if slide not in back:
                detail = f"the notes {notes} lead back to {', '.join(back) or 'no slide'}"
                fix = "Lead the notes back to the slide they belong to."
                inspection.error("need.notes-slide", slide, detail, fix)
    main = inspection.package.main_part
    root = inspection.root(main)
    listed = root is not None and root.find(qn("p:notesMasterIdLst")) is not None
    if inspection.of_kind("notesSlide+xml") and not inspection.related(main, "notesMaster"):
        detail = "there are notes, but the presentation has no master of notes"
        inspection.error("need.master-notes", main, detail, "Add one and list it.")
    elif inspection.related(main, "notesMaster") and not listed:
        detail = "the presentation has a master of notes that it does not list"
        inspection.warn("list.unlisted-notes-master", main, detail, "List it.")


def _check_layout_lists(inspection: Inspection) -> None:
    """A layout has to be listed by the master that it names as its own."""
    for master in inspection.of_kind("presentationml.slideMaster+xml"):
        root = inspection.root(master)
        if root is None:
            continue
        items = root.iterfind(f"{qn('p:sldLayoutIdLst')}/{qn('p:sldLayoutId')}")
        listed = {inspection.linked(master, item) for item in items}
        for layout in inspection.of_kind("presentationml.slideLayout+xml"):
            owned = master in inspection.related(layout, "slideMaster")
            if owned and layout not in listed:
                detail = f"{layout} names it as its master, but it does not list that layout"
                inspection.error("list.unlisted-layout", master, detail, "List the layout.")


def _check_sharing(inspection: Inspection) -> None:
    owners: dict[tuple[str, str], list[str]] = defaultdict(list)
    for slide in inspection.of_kind("presentationml.slide+xml"):
        for kind in _OWN:
            for part in dict.fromkeys(inspection.related(slide, kind)):
                owners[kind, part].append(slide)
    for (kind, part), slides in owners.items():
        if len(slides) > 1:
            detail = f"{len(slides)} slides share this {kind}: {', '.join(slides[:5])}"
            fix = "Give each slide a copy of its own."
            note = inspection.error if kind == "notesSlide" else inspection.warn
            note("part.shared", part, detail, fix)
