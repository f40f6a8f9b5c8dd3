"""Sections of a deck by their names."""

from pptx.presentation import Presentation

from decklab.editing.finding import EditError
from decklab.ooxml.xml import qn


def rename_section(prs: Presentation, old: str, new: str) -> None:
    """Give a section another name. Raises EditError where there is none, or several, of the old.

    Example: rename_section(prs, "Appendix", "Backup")
    """
    sections = list(prs.part._element.iter(qn("p14:section")))
    found = [one for one in sections if (one.get("name") or "").casefold() == old.casefold()]
    if len(found) != 1:
        names = ", ".join(repr(one.get("name") or "") for one in sections) or "none"
        raise EditError(f"the deck has no section {old!r}, or several; it has {names}")
    found[0].set("name", new)
