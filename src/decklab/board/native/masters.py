"""Theme, master and layouts of a converted deck: grounds, decoration that repeats, placeholders."""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final
from xml.sax.saxutils import quoteattr

from pptx.opc.constants import CONTENT_TYPE, RELATIONSHIP_TYPE
from pptx.opc.packuri import PackURI
from pptx.oxml import parse_xml
from pptx.parts.slide import SlideLayoutPart
from pptx.presentation import Presentation as Deck
from pptx.slide import SlideLayout

from decklab.board.native.grounds import SlideGround
from decklab.board.native.inheritance import Looks, list_style
from decklab.board.native.markup import DECLARED, named_xml
from decklab.board.native.paints import fill_xml
from decklab.board.native.palette import Palette
from decklab.board.native.placeholders import PlacedTexts, Role
from decklab.deck.frames import Frame
from decklab.editing.building.drawing import xfrm
from decklab.ooxml.xml import qn
from decklab.rendering.measured import Item

_MOST_SHARE: Final = 0.3
"""Ours: decoration on fewer slides does not make a layout of its own."""
_NAMES: Final = {
    "title": "Title Slide", "body": "Title and Content", "titleOnly": "Title Only",
    "blank": "Blank",
}  # fmt: skip
_TYPES: Final = {"title": "title", "body": "obj", "titleOnly": "titleOnly", "blank": "blank"}
_PROMPTS: Final[dict[Role, str]] = {
    "title": "Title", "subtitle": "Subtitle", "body": "Text", "body 2": "Text", "body 3": "Text",
    "body 4": "Text", "source": "Source", "footer": "Footer", "number": "‹#›",
}  # fmt: skip
_FIELD = "{6F1C2B0A-5E34-4D8E-9F0B-3C7A9D2E1B55}"
_BODY_PR = (
    '<a:bodyPr vert="horz" wrap="square" lIns="0" tIns="0" rIns="0" bIns="0" anchor="t">'
    "<a:noAutofit/></a:bodyPr>"
)


@dataclass(frozen=True)
class LayoutSlot:
    """A placeholder of a layout: where it is and how its text looks."""

    frame: Frame
    looks: Looks


@dataclass
class LayoutPlan:
    """A layout to be made: what slides it is for, its ground, decoration and placeholders."""

    kind: str
    name: str
    """Of its own; empty for the usual one of its kind."""
    fill: Any
    decoration: list[str]
    items: dict[str, Item]
    slides: list[int] = field(default_factory=list)
    slots: dict[Role, LayoutSlot] = field(default_factory=dict)
    layout: SlideLayout | None = None


def plan_layouts(
    grounds: Sequence[SlideGround], placed: Sequence[PlacedTexts], names: Sequence[str]
) -> list[LayoutPlan]:
    """The layouts that the slides need, in the order in which these need them.

    ``names`` are those that the slides give to their layouts; empty for none.
    """
    counts = Counter(key for ground in grounds for key in ground.decoration)
    least = max(2, len(grounds) * _MOST_SHARE)
    groups: dict[object, list[int]] = defaultdict(list)
    for number, (ground, texts) in enumerate(zip(grounds, placed, strict=True)):
        common = tuple(key for key in ground.decoration if counts[key] >= least)
        own = names[number] or f"kind {texts.kind}"
        groups[own, repr(ground.fill), common].append(number)
    plans = []
    for numbers in groups.values():
        first = grounds[numbers[0]]
        shared = [
            key for key in first.decoration
            if all(key in grounds[number].decoration for number in numbers)
        ]  # fmt: skip
        items = {key: first.shared[key] for key in shared}
        kind, name = placed[numbers[0]].kind, names[numbers[0]]
        plans.append(LayoutPlan(kind, name, first.fill, shared, items, numbers))
    return plans


def mark_xml(role: Role, kind: str) -> str:
    """The placeholder mark of a role on a layout of a kind."""
    types = {
        "title": "ctrTitle" if kind == "title" else "title", "subtitle": "subTitle",
        "footer": "ftr", "number": "sldNum",
    }  # fmt: skip
    numbers = {
        "subtitle": 1, "body": 1, "footer": 11, "number": 12, "body 2": 13, "body 3": 14,
        "body 4": 15, "source": 16,
    }  # fmt: skip
    size = ' sz="quarter"' if role in ("footer", "number") else ""
    idx = f' idx="{numbers[role]}"' if role in numbers else ""
    return f'<p:ph type="{types.get(role, "body")}"{size}{idx}/>'


def set_up_master(deck: Deck, palette: Palette, plans: Sequence[LayoutPlan]) -> None:
    """Give the master the theme, the commonest ground, and placeholders for the layouts."""
    master = deck.slide_masters[0].part
    for layout in list(deck.slide_layouts):
        deck.slide_layouts.remove(layout)
    theme = scheme_xml("Converted", _scheme(palette), palette.heading, palette.body)
    master.part_related_by(RELATIONSHIP_TYPE.THEME)._blob = theme.encode()
    root: Any = master._element
    ground = commonest_ground(plans)
    back = '<p:bgRef idx="1001"><a:schemeClr val="bg1"/></p:bgRef>'
    if ground is not None:
        back = f"<p:bgPr>{palette.themed(fill_xml(ground))}<a:effectLst/></p:bgPr>"
    slots: dict[Role, LayoutSlot] = {}
    for plan in plans:
        for role, slot in plan.slots.items():
            slots.setdefault(role, slot)
    size = deck.slide_width or 0, deck.slide_height or 0
    for role, frame in _usual_frames(*size).items():
        slots.setdefault(role, LayoutSlot(frame, {}))
    order: tuple[Role, ...] = ("title", "body", "footer", "number")
    shapes = "".join(
        _placeholder(role, slots[role], id, "body") for id, role in enumerate(order, 2)
    )
    root.replace(
        root.cSld,
        parse_xml(
            f"<p:cSld {DECLARED}><p:bg>{back}</p:bg><p:spTree>{TREE}{shapes}</p:spTree></p:cSld>"
        ),
    )
    map_colors(root, dark=palette.dark)
    styles = "".join(
        f"<p:{name}>{_style_levels(font, size)}</p:{name}>"
        for name, font, size in (
            ("titleStyle", "mj", 3200), ("bodyStyle", "mn", 1800), ("otherStyle", "mn", 1800)
        )
    )  # fmt: skip
    root.replace(
        root.find(qn("p:txStyles")), parse_xml(f"<p:txStyles {DECLARED}>{styles}</p:txStyles>")
    )


def _style_levels(font: str, size: int) -> str:
    return "".join(
        f'<a:lvl{level}pPr algn="l"><a:buNone/><a:defRPr sz="{size}"><a:solidFill>'
        f'<a:schemeClr val="tx1"/></a:solidFill><a:latin typeface="+{font}-lt"/>'
        f'<a:ea typeface="+{font}-ea"/><a:cs typeface="+{font}-cs"/></a:defRPr></a:lvl{level}pPr>'
        for level in range(1, 6)
    )


def commonest_ground(plans: Sequence[LayoutPlan]) -> Any:
    """The background of most slides; None if that is white paper."""
    counts: Counter[str] = Counter()
    fills = {repr(plan.fill): plan.fill for plan in plans}
    for plan in plans:
        counts[repr(plan.fill)] += len(plan.slides)
    return fills[min(counts, key=lambda key: (-counts[key], key))] if counts else None


def _scheme(palette: Palette) -> dict[str, str]:
    slots = palette.slots
    ground, text = ("dk", "lt") if palette.dark else ("lt", "dk")
    scheme = {
        f"{text}1": slots["tx1"], f"{ground}1": slots["bg1"],
        f"{text}2": slots["tx2"], f"{ground}2": slots["bg2"],
    }  # fmt: skip
    ordered = {name: scheme[name] for name in ("dk1", "lt1", "dk2", "lt2")}
    ordered |= {name: color for name, color in slots.items() if name.startswith("accent")}
    return ordered | {"hlink": slots["accent1"], "folHlink": slots["tx2"]}


def _usual_frames(width: int, height: int) -> dict[Role, Frame]:
    """Places of placeholders that no slide has."""
    edge, foot = width * 0.06, height * 0.93
    return {
        "title": Frame(edge, height * 0.07, width - 2 * edge, height * 0.13),
        "body": Frame(edge, height * 0.25, width - 2 * edge, height * 0.62),
        "footer": Frame(edge, foot, width * 0.5, height * 0.04),
        "number": Frame(width * 0.84, foot, width * 0.1, height * 0.04),
    }


def _placeholder(role: Role, slot: LayoutSlot, id: int, kind: str) -> str:
    if role == "number":
        text = f'<a:p><a:fld id="{_FIELD}" type="slidenum"><a:rPr/><a:t>‹#›</a:t></a:fld></a:p>'
    else:
        text = f"<a:p><a:r><a:rPr/><a:t>{_PROMPTS[role]}</a:t></a:r></a:p>"
    style = list_style(slot.looks) if slot.looks else "<a:lstStyle/>"
    return (
        f"<p:sp {DECLARED}><p:nvSpPr>{named_xml(id, _PROMPTS[role])}"
        '<p:cNvSpPr><a:spLocks noGrp="1"/></p:cNvSpPr>'
        f"<p:nvPr>{mark_xml(role, kind)}</p:nvPr></p:nvSpPr><p:spPr>{xfrm(slot.frame)}"
        '<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr>'
        f"<p:txBody>{_BODY_PR}{style}{text}</p:txBody></p:sp>"
    )


def make_layouts(
    deck: Deck, palette: Palette, plans: Sequence[LayoutPlan],
    draw: Callable[[SlideLayout, Sequence[Item], int], list[Any]],
) -> None:  # fmt: skip
    """Make the layouts; ``draw`` gives the shapes of decoration, their ids from a number on."""
    master = deck.slide_masters[0].part
    usual = commonest_ground(plans)
    names: Counter[str] = Counter()
    for number, plan in enumerate(plans):
        name = plan.name or _NAMES[plan.kind]
        names[name] += 1
        name += f" {names[name]}" if names[name] > 1 else ""
        ground = ""
        if repr(plan.fill) != repr(usual):
            fill = palette.themed(fill_xml(plan.fill)) if plan.fill is not None else (
                "<a:solidFill><a:srgbClr val=\"FFFFFF\"/></a:solidFill>"
            )  # fmt: skip
            ground = f"<p:bg><p:bgPr>{fill}<a:effectLst/></p:bgPr></p:bg>"
        first = 2 + 4 * len(plan.decoration)
        shapes = "".join(
            _placeholder(role, slot, id, plan.kind)
            for id, (role, slot) in enumerate(plan.slots.items(), first)
        )
        xml = (
            '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
            f'<p:sldLayout {DECLARED} type="{_TYPES[plan.kind]}" preserve="1">'
            f"<p:cSld name={quoteattr(name)}>{ground}<p:spTree>{TREE}{shapes}</p:spTree></p:cSld>"
            "<p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr></p:sldLayout>"
        )
        plan.layout = add_layout(master, xml, number)
        tree: Any = plan.layout.shapes._spTree
        drawn = draw(plan.layout, [plan.items[key] for key in plan.decoration], 2)
        for place, shape in enumerate(drawn, 2):  # behind the placeholders
            shape.find(f".//{qn('p:nvPr')}").set("userDrawn", "1")
            tree.insert(place, shape)


_FIRST_LAYOUT_ID = 2_147_483_660
_SCRIPTS = {
    "Jpan": "Yu Gothic", "Hang": "Malgun Gothic", "Hans": "Microsoft YaHei",
    "Hant": "Microsoft JhengHei", "Arab": "Arial", "Hebr": "Arial", "Thai": "Leelawadee UI",
    "Deva": "Nirmala UI",
}  # fmt: skip
"""Families that PowerPoint shows for scripts that the theme's font lacks."""
_SERIF = {"Cambria", "Times New Roman"}


def add_layout(master: Any, xml: str, number: int) -> SlideLayout:
    """Give a master, by its part, one more layout; ``number`` counts them from 0."""
    part = SlideLayoutPart.load(
        PackURI(f"/ppt/slideLayouts/slideLayout{number + 1}.xml"),
        CONTENT_TYPE.PML_SLIDE_LAYOUT,
        master.package,
        xml.encode(),
    )
    part.relate_to(master, RELATIONSHIP_TYPE.SLIDE_MASTER)
    link = master.relate_to(part, RELATIONSHIP_TYPE.SLIDE_LAYOUT)
    entries = master._element.get_or_add_sldLayoutIdLst()
    entries.append(
        parse_xml(f'<p:sldLayoutId {DECLARED} id="{_FIRST_LAYOUT_ID + number}" r:id="{link}"/>')
    )
    layout: SlideLayout = part.slide_layout
    return layout


def map_colors(master: Any, *, dark: bool) -> None:
    """Say which colours of the theme are ground and text: a dark deck has its text light."""
    text, ground = ("lt", "dk") if dark else ("dk", "lt")
    mapped = {"bg1": f"{ground}1", "tx1": f"{text}1", "bg2": f"{ground}2", "tx2": f"{text}2"}
    for name, value in mapped.items():
        master.find(qn("p:clrMap")).set(name, value)


def scheme_xml(title: str, slots: Mapping[str, str], heading: str, body: str) -> str:
    """The theme part with colours by slot (``dk1``, ``accent1`` ...) and two families."""
    scheme = "".join(
        f'<a:{name}><a:srgbClr val="{color[1:]}"/></a:{name}>' for name, color in slots.items()
    )
    name = quoteattr(title)
    fonts = "".join(
        f"<a:{tag}>{_font(family)}</a:{tag}>"
        for tag, family in (("majorFont", heading), ("minorFont", body))
    )
    return (
        '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
        f"<a:theme {DECLARED} name={name}><a:themeElements>"
        f"<a:clrScheme name={name}>{scheme}</a:clrScheme>"
        f"<a:fontScheme name={name}>{fonts}</a:fontScheme>"
        f"<a:fmtScheme name={name}>{_FORMATS}</a:fmtScheme>"
        "</a:themeElements><a:objectDefaults/><a:extraClrSchemeLst/></a:theme>"
    )


def _font(family: str) -> str:
    """A font of the scheme; its kind says what to show where the family is absent."""
    pitch = 18 if family in _SERIF else 34  # variable pitch, roman or swiss
    scripts = "".join(
        f'<a:font script="{script}" typeface="{name}"/>' for script, name in _SCRIPTS.items()
    )
    return (
        f'<a:latin typeface={quoteattr(family)} pitchFamily="{pitch}" charset="0"/>'
        f'<a:ea typeface=""/><a:cs typeface=""/>{scripts}'
    )


_PLAIN_FILL = '<a:solidFill><a:schemeClr val="phClr"/></a:solidFill>'
_PLAIN_LINE = f'<a:ln w="12700">{_PLAIN_FILL}</a:ln>'
_FORMATS = (
    f"<a:fillStyleLst>{_PLAIN_FILL * 3}</a:fillStyleLst>"
    f"<a:lnStyleLst>{_PLAIN_LINE * 3}</a:lnStyleLst>"
    f"<a:effectStyleLst>{'<a:effectStyle><a:effectLst/></a:effectStyle>' * 3}</a:effectStyleLst>"
    f"<a:bgFillStyleLst>{_PLAIN_FILL * 3}</a:bgFillStyleLst>"
)
TREE = (
    '<p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr>'
    '<a:xfrm><a:off x="0" y="0"/><a:ext cx="0" cy="0"/><a:chOff x="0" y="0"/>'
    '<a:chExt cx="0" cy="0"/></a:xfrm></p:grpSpPr>'
)
