"""Icons for the cards, steps and numbers of a slide, if the words of each name one."""

from decklab.board.blueprint import BigNumber, SlidePlan, Step
from decklab.board.icons.library import icon_for


def icons_of(slide: SlidePlan, *, topic: str = "") -> dict[Step | BigNumber, str]:
    """The outline, as SVG path data, of an icon for each card, step and number of a slide.

    None has one unless all have one and no two are alike, so that no row is half decorated. Words
    are looked up in English; those of ``topic`` are passed over.

    >>> cards = (Step(label="Ships"), Step(label="Risks"))
    >>> len(icons_of(SlidePlan(layout="cards", title="Harbour", cards=cards)))
    2
    """
    items: tuple[Step | BigNumber, ...] = slide.numbers or slide.cards
    if slide.layout != "timeline":
        items = items or slide.steps
    found = {item: icon_for(_words(item), topic=topic) for item in items}
    outlines = {item: icon.path for item, icon in found.items() if icon is not None}
    return outlines if len(set(outlines.values())) == len(items) else {}


def _words(item: Step | BigNumber) -> str:
    return item.label if isinstance(item, BigNumber) else f"{item.label} {item.text or ''}"
