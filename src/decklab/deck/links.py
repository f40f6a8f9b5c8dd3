"""Hyperlinks and actions of shapes and runs."""

from urllib.parse import parse_qs

from decklab.deck.model.base import Action, ActionKind
from decklab.deck.sheets import Sheet
from decklab.ooxml.xml import Element, qn

_SCHEME = "ppaction://"
_VERBS: dict[str, ActionKind] = {
    "hlinksldjump": "slide", "hlinkshowjump": "jump", "hlinkfile": "file", "hlinkpres": "file",
    "program": "program", "macro": "macro", "media": "media", "customshow": "show", "ole": "ole",
    "noaction": "none",
}  # fmt: skip


def click_of(properties: Element | None, sheet: Sheet) -> Action | None:
    """The action on a click, from a ``cNvPr`` or ``a:rPr``; None for nothing."""
    return _action(properties, ("a:hlinkClick",), sheet)


def hover_of(properties: Element | None, sheet: Sheet) -> Action | None:
    """The action when the pointer comes over, from a ``cNvPr`` or ``a:rPr``; None for nothing."""
    return _action(properties, ("a:hlinkHover", "a:hlinkMouseOver"), sheet)


def _action(properties: Element | None, tags: tuple[str, ...], sheet: Sheet) -> Action | None:
    if properties is None or len(properties) == 0:
        return None
    link = next((c for tag in tags if (c := properties.find(qn(tag))) is not None), None)
    if link is None:
        return None
    tooltip, action = link.get("tooltip") or "", link.get("action") or ""
    verb, _, query = action.removeprefix(_SCHEME).partition("?")
    if not action:
        return _address(link, tooltip, sheet)
    kind = _VERBS.get(verb.lower(), "unknown") if action.startswith(_SCHEME) else "unknown"
    target = _target(kind, query, link, sheet)
    detail = action if kind in ("unknown", "show", "ole") or (kind == "file" and query) else ""
    return Action(kind=kind, target=target, tooltip=tooltip, action=detail)


def _address(link: Element, tooltip: str, sheet: Sheet) -> Action:
    linked = sheet.source.link(link.get(qn("r:id")))
    if linked is None:
        return Action(kind="none", tooltip=tooltip)
    slide = sheet.reading.slide_ids.get(linked.target)
    if slide is not None and not linked.external:
        return Action(kind="slide", target=str(slide), tooltip=tooltip)
    return Action(kind="url" if linked.external else "file", target=linked.target, tooltip=tooltip)


def _target(kind: ActionKind, query: str, link: Element, sheet: Sheet) -> str:
    stated = {name: values[0] for name, values in parse_qs(query).items()}
    if kind == "jump":
        return stated.get("jump", "")
    if kind == "show":
        return stated.get("id", "")
    if kind == "macro":
        return stated.get("name", "")
    relation = sheet.source.link(link.get(qn("r:id")))
    if relation is None:
        return ""
    if kind == "slide":
        slide = sheet.reading.slide_ids.get(relation.target)
        return "" if slide is None else str(slide)
    return relation.target
