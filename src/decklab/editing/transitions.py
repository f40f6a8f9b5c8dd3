"""How slides appear."""

from collections.abc import Iterable
from typing import Any

from pptx.oxml import parse_xml
from pptx.presentation import Presentation

from decklab.editing.errors import EditError
from decklab.editing.finding import chosen
from decklab.ooxml.xml import NAMESPACES, qn

TRANSITIONS = {
    "fade": "<p:fade/>",
    "push": '<p:push dir="u"/>',
    "wipe": "<p:wipe/>",
    "split": "<p:split/>",
    "cover": "<p:cover/>",
    "uncover": "<p:pull/>",
    "cut": "<p:cut/>",
    "dissolve": "<p:dissolve/>",
    "zoom": "<p:zoom/>",
    "wheel": "<p:wheel/>",
    "blinds": "<p:blinds/>",
    "checker": "<p:checker/>",
    "random bars": "<p:randomBar/>",
    "random": "<p:random/>",
}
"""Effects by the names PowerPoint shows, as ISO/IEC 29500-1, section 19.5 writes them."""

_SPACES = " ".join(f'xmlns:{name}="{NAMESPACES[name]}"' for name in ("p", "p14", "mc"))


def set_transition(
    prs: Presentation,
    kind: str | None,
    *,
    slides: Iterable[int] | None = None,
    seconds: float | None = None,
    advance_after: float | None = None,
) -> int:
    """Give slides a transition, None takes it away; return the number of slides changed.

    ``kind`` is "fade", "push", "wipe", "split", "cover", "uncover", "cut", "dissolve", "zoom",
    "wheel", "blinds", "checker", "random bars" or "random". ``seconds`` is how long it plays,
    ``advance_after`` after how many seconds the slide goes by itself.

    Example: set_transition(prs, "fade", slides=[1, 2], seconds=0.7)
    """
    if kind is not None and kind not in TRANSITIONS:
        raise EditError(f"{kind!r} is no transition; there are {', '.join(TRANSITIONS)}")
    count = 0
    for _number, slide in chosen(prs, slides):
        root = slide._element
        had = [item for item in root if _is_transition(item)]
        for item in had:
            root.remove(item)
        if kind is not None:
            _insert(root, _written(kind, seconds, advance_after))
        count += kind is not None or bool(had)
    return count


def _is_transition(item: Any) -> bool:
    if item.tag == qn("mc:AlternateContent"):
        return item.find(f"{qn('mc:Choice')}/{qn('p:transition')}") is not None
    return bool(item.tag == qn("p:transition"))


def _written(kind: str, seconds: float | None, advance_after: float | None) -> Any:
    after = "" if advance_after is None else f' advTm="{round(advance_after * 1000)}"'
    if seconds is None:
        return parse_xml(
            f'<p:transition {_SPACES} spd="med"{after}>{TRANSITIONS[kind]}</p:transition>'
        )
    speed = "fast" if seconds < 0.6 else "med" if seconds < 1.2 else "slow"
    said = f'spd="{speed}"{after}'
    lasts = f'p14:dur="{round(seconds * 1000)}"'
    return parse_xml(
        f'<mc:AlternateContent {_SPACES}><mc:Choice Requires="p14">'
        f"<p:transition {said} {lasts}>{TRANSITIONS[kind]}</p:transition></mc:Choice>"
        f"<mc:Fallback><p:transition {said}>{TRANSITIONS[kind]}</p:transition></mc:Fallback>"
        "</mc:AlternateContent>"
    )


def _insert(root: Any, transition: Any) -> None:
    """After the slide's content and colours, before its timing and extensions."""
    for item in root:
        if item.tag in (qn("p:timing"), qn("p:extLst")):
            item.addprevious(transition)
            return
    root.append(transition)
