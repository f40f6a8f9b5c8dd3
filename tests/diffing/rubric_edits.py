"""Edits of a deck made in code, for golden values of PPT-Eval's diff evaluator.

``make(folder)`` writes the deck before and after every edit. The golden file beside this module
holds what the evaluator of microsoft/ppteval (MIT, commit 8ebb460) says of them; who has a copy of
that repository, and xmltodict, makes it again with

    python -m tests.diffing.rubric_edits CHECKOUT

Its content hashes depend on the library that writes the XML and are left out.
"""

import argparse
import importlib
import io
import json
import sys
import tempfile
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

from lxml import etree
from PIL import Image
from pptx import Presentation
from pptx.enum.shapes import MSO_CONNECTOR, MSO_SHAPE
from pptx.oxml import parse_xml
from pptx.util import Inches

__all__ = ["GOLDEN", "UNEDITED", "make"]

GOLDEN = Path(__file__).parent / "golden" / "ppteval_diff.json"
UNEDITED = "before"
COMMIT = "8ebb460"

_P = "http://schemas.openxmlformats.org/presentationml/2006/main"
_A = "http://schemas.openxmlformats.org/drawingml/2006/main"
_SPACES = (
    f'xmlns:p="{_P}" xmlns:a="{_A}" '
    'xmlns:p14="http://schemas.microsoft.com/office/powerpoint/2010/main" '
    'xmlns:p15="http://schemas.microsoft.com/office/powerpoint/2012/main" '
    'xmlns:p159="http://schemas.microsoft.com/office/powerpoint/2015/09/main" '
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
)
Edit = Callable[[Any], None]


def before() -> Any:
    """Six slides; the fourth has a transition, the fifth an effect, the sixth both."""
    deck = Presentation()
    for number in range(1, 7):
        slide = deck.slides.add_slide(deck.slide_layouts[1])
        slide.shapes.title.text = f"Topic {number}"
        slide.placeholders[1].text = "First point\nSecond point\nThird point"
    slides = list(deck.slides)
    box = slides[1].shapes.add_textbox(Inches(1), Inches(5), Inches(4), Inches(1))
    box.text_frame.text = "Above  the line"
    box.text_frame.add_paragraph().text = "Below it"
    slides[1].shapes.add_picture(_png("red"), Inches(6), Inches(5), Inches(1))
    group = slides[1].shapes.add_group_shape()
    for left in (1, 3):
        group.shapes.add_shape(MSO_SHAPE.RECTANGLE, Inches(left), Inches(6), Inches(1), Inches(1))
    group.shapes[0].text_frame.text = "In a group"
    table = slides[2].shapes.add_table(2, 2, Inches(1), Inches(5), Inches(4), Inches(1)).table
    table.cell(0, 0).text = "Head"
    slides[2].notes_slide.notes_text_frame.text = "Say it slowly\nand clearly"
    add(slides[3], transition('<p:push dir="u"/>', 'spd="slow"'))
    add(slides[4], timing(effect(shape(slides[4]), "entr", 2, 8)))
    add(slides[5], transition("<p:fade/>"))
    add(slides[5], timing(effect(shape(slides[5]), "entr", 2, 2)))
    return deck


def _png(color: str) -> io.BytesIO:
    data = io.BytesIO()
    Image.new("RGB", (8, 8), color).save(data, "PNG")
    data.seek(0)
    return data


def shape(slide: Any, index: int = 1) -> int:
    return int(slide.shapes[index].shape_id)


def add(slide: Any, xml: str) -> None:
    slide._element.append(parse_xml(xml))


def transition(effect: str, attributes: str = "") -> str:
    return f"<p:transition {_SPACES} {attributes}>{effect}</p:transition>"


def timed_transition(effect: str, needs: str, milliseconds: int) -> str:
    """As PowerPoint writes a duration: for programs that know it, and without it for the others."""
    return (
        f'<mc:AlternateContent {_SPACES}><mc:Choice Requires="{needs}">'
        f'<p:transition spd="slow" p14:dur="{milliseconds}">{effect}</p:transition></mc:Choice>'
        '<mc:Fallback><p:transition spd="slow"><p:fade/></p:transition></mc:Fallback>'
        "</mc:AlternateContent>"
    )


def effect(
    id: int, kind: str, preset: int, subtype: int, *, node: str = "clickEffect", delay: int = 0,
    length: int = 500, paragraph: int | None = None, motion: str = "",
) -> str:  # fmt: skip
    """One effect as PowerPoint writes it: visibility is set, then something moves or fades."""
    numbers = count(3)
    part = "" if paragraph is None else (
        f'<p:txEl><p:pRg st="{paragraph}" end="{paragraph}"/></p:txEl>'
    )  # fmt: skip
    target = f'<p:tgtEl><p:spTgt spid="{id}">{part}</p:spTgt></p:tgtEl>'
    moves = (
        f'<p:animMotion origin="layout" path="{motion}" pathEditMode="relative"><p:cBhvr>'
        f'<p:cTn id="9" dur="{length}" fill="hold"/>{target}'
        "<p:attrNameLst><p:attrName>ppt_x</p:attrName><p:attrName>ppt_y</p:attrName>"
        "</p:attrNameLst></p:cBhvr></p:animMotion>"
        if motion
        else f'<p:animEffect transition="in" filter="fade"><p:cBhvr>'
        f'<p:cTn id="9" dur="{length}"/>{target}</p:cBhvr></p:animEffect>'
    )
    shown = "" if motion or kind == "emph" else (
        f'<p:set><p:cBhvr><p:cTn id="8" dur="1" fill="hold"><p:stCondLst><p:cond delay="0"/>'
        f"</p:stCondLst></p:cTn>{target}<p:attrNameLst><p:attrName>style.visibility</p:attrName>"
        '</p:attrNameLst></p:cBhvr><p:to><p:strVal val="visible"/></p:to></p:set>'
    )  # fmt: skip
    return (
        f'<p:par><p:cTn id="{next(numbers)}" fill="hold"><p:stCondLst>'
        '<p:cond delay="indefinite"/></p:stCondLst><p:childTnLst><p:par>'
        f'<p:cTn id="{next(numbers)}" fill="hold"><p:stCondLst><p:cond delay="0"/></p:stCondLst>'
        f'<p:childTnLst><p:par><p:cTn id="{next(numbers)}" presetID="{preset}" '
        f'presetClass="{kind}" presetSubtype="{subtype}" fill="hold" nodeType="{node}">'
        f'<p:stCondLst><p:cond delay="{delay}"/></p:stCondLst><p:childTnLst>{shown}{moves}'
        "</p:childTnLst></p:cTn></p:par></p:childTnLst></p:cTn></p:par></p:childTnLst></p:cTn>"
        "</p:par>"
    )


def timing(*effects: str) -> str:
    return (
        f"<p:timing {_SPACES}><p:tnLst><p:par>"
        '<p:cTn id="1" dur="indefinite" restart="never" nodeType="tmRoot"><p:childTnLst>'
        '<p:seq concurrent="1" nextAc="seek"><p:cTn id="2" dur="indefinite" nodeType="mainSeq">'
        f"<p:childTnLst>{''.join(effects)}</p:childTnLst></p:cTn></p:seq></p:childTnLst></p:cTn>"
        "</p:par></p:tnLst></p:timing>"
    )


def animated(kind: str, preset: int, subtype: int, *, index: int = 1, **how: Any) -> Edit:
    """An effect on a shape of the second slide."""

    def edit(deck: Any) -> None:
        slide = deck.slides[1]
        add(slide, timing(effect(shape(slide, index), kind, preset, subtype, **how)))

    return edit


def by_paragraph(deck: Any) -> None:
    slide = deck.slides[1]
    add(slide, timing(*(effect(shape(slide), "entr", 2, 8, paragraph=i) for i in range(3))))


def media_plays(deck: Any) -> None:
    """A picture's effect is made a command that plays it, as that of a video."""
    slide = deck.slides[1]
    played = parse_xml(timing(effect(shape(slide, 3), "mediacall", 1, 0)))
    for holder in list(played.iter(f"{{{_P}}}childTnLst")):
        for visible in holder.findall(f"{{{_P}}}set"):
            holder.remove(visible)
        for seen in holder.findall(f"{{{_P}}}animEffect"):
            seen.tag = f"{{{_P}}}cmd"
            seen.attrib.clear()
            seen.attrib.update({"type": "call", "cmd": "playFrom(0.0)"})
    slide._element.append(played)


def in_group(deck: Any) -> None:
    slide = deck.slides[1]
    inner = next(one for one in slide.shapes if one.shape_type == 6).shapes[0].shape_id
    add(slide, timing(effect(inner, "entr", 2, 8)))


def two_shapes(deck: Any) -> None:
    slide = deck.slides[1]
    shapes = [shape(slide, index) for index in (0, 2)]
    add(slide, timing(*(effect(id, "entr", 2, 8) for id in shapes)))


def twice(deck: Any) -> None:
    slide = deck.slides[1]
    add(slide, timing(*[effect(shape(slide), "entr", 2, 8)] * 2))


def effect_set(number: int, **values: str) -> Edit:
    """Attributes of the first effect of a slide."""

    def edit(deck: Any) -> None:
        for node in deck.slides[number - 1]._element.iter(f"{{{_P}}}cTn"):
            if node.get("presetID"):
                for name, value in values.items():
                    node.set(name, value)

    return edit


def slower(deck: Any) -> None:
    for node in deck.slides[4]._element.iter(f"{{{_P}}}cTn"):
        if node.get("dur") == "500":
            node.set("dur", "2000")


def gone(number: int, name: str) -> Edit:
    """Without its timing or transition."""

    def edit(deck: Any) -> None:
        root = deck.slides[number - 1]._element
        root.remove(root.find(f"{{{_P}}}{name}"))

    return edit


def shows(xml: str) -> Edit:
    """A transition of the second slide."""
    return lambda deck: add(deck.slides[1], xml)


def pushed(name: str, **values: str) -> Edit:
    """Another transition of the fourth slide."""

    def edit(deck: Any) -> None:
        node = deck.slides[3]._element.find(f"{{{_P}}}transition")
        node.remove(node[0])
        node.append(etree.SubElement(node, f"{{{_P}}}{name}", values))

    return edit


def title(deck: Any) -> None:
    deck.slides[0].shapes.title.text = "Theme 1"


def broken_title(deck: Any) -> None:
    deck.slides[0].shapes.title.text = "Theme\v1"


def runs(deck: Any) -> None:
    paragraph = deck.slides[1].shapes[2].text_frame.paragraphs[1]
    paragraph.add_run().text = " and more"


def paragraph_added(deck: Any) -> None:
    deck.slides[1].placeholders[1].text_frame.add_paragraph().text = "Fourth point"


def bold(deck: Any) -> None:
    deck.slides[1].shapes[2].text_frame.paragraphs[0].runs[0].font.bold = True


def box_added(deck: Any) -> None:
    box = deck.slides[0].shapes.add_textbox(Inches(1), Inches(5), Inches(4), Inches(1))
    box.text_frame.text = "New"


def title_in_text_box(deck: Any) -> None:
    """A slide without a title placeholder, but with a shape that is named so."""
    slide = deck.slides[0]
    slide.shapes.title._element.getparent().remove(slide.shapes.title._element)
    box = slide.shapes.add_textbox(Inches(1), Inches(0), Inches(4), Inches(1))
    box.name, box.text_frame.text = "My Title", "By name"


def subtitle_first(deck: Any) -> None:
    """A subtitle that lies below the title in the drawing order."""
    slide = deck.slides[0]
    box = slide.shapes.add_textbox(Inches(1), Inches(3), Inches(4), Inches(1))
    box.name, box.text_frame.text = "Subtitle 9", "Underneath"
    slide.shapes._spTree.insert(2, box._element)


def picture_added(deck: Any) -> None:
    deck.slides[0].shapes.add_picture(_png("blue"), Inches(6), Inches(5), Inches(1))


def connector_added(deck: Any) -> None:
    deck.slides[0].shapes.add_connector(MSO_CONNECTOR.STRAIGHT, 0, 0, Inches(1), Inches(1))


def group_added(deck: Any) -> None:
    group = deck.slides[0].shapes.add_group_shape()
    for left in (1, 3):
        group.shapes.add_shape(MSO_SHAPE.OVAL, Inches(left), Inches(6), Inches(1), Inches(1))


def shape_removed(deck: Any) -> None:
    element = deck.slides[1].shapes[2]._element
    element.getparent().remove(element)


def moved_shape(deck: Any) -> None:
    deck.slides[1].shapes[2].left += Inches(1)


def cell(deck: Any) -> None:
    table = next(one for one in deck.slides[2].shapes if one.has_table).table
    table.cell(1, 1).text = "Cell"


def other_picture(deck: Any) -> None:
    """The same picture part with other pixels: the slide's XML stays as it is."""
    slide = deck.slides[1]
    picture = next(one for one in slide.shapes if one.shape_type == 13)
    part = slide.part.related_part(picture._element.blip_rId)
    part._blob = _png("green").getvalue()


def notes(deck: Any) -> None:
    deck.slides[2].notes_slide.notes_text_frame.text = "Say it fast\nand loud"


def notes_added(deck: Any) -> None:
    deck.slides[0].notes_slide.notes_text_frame.text = "Hello"


def layout(deck: Any) -> None:
    slide = deck.slides[0]
    link = next(one for one in slide.part.rels.values() if one.reltype.endswith("/slideLayout"))
    link._target = deck.slide_layouts[5].part


def hidden(deck: Any) -> None:
    deck.slides[0]._element.set("show", "0")


def background(deck: Any) -> None:
    fill = deck.slides[0].background.fill
    fill.solid()
    fill.fore_color.rgb = _rgb("ADD8E6")


def _rgb(value: str) -> Any:
    from pptx.dml.color import RGBColor

    return RGBColor.from_string(value)


def slide_added(deck: Any) -> None:
    deck.slides.add_slide(deck.slide_layouts[1]).shapes.title.text = "The end"


def removed(number: int) -> Edit:
    def edit(deck: Any) -> None:
        listed = deck.slides._sldIdLst
        deck.part.drop_rel(listed[number - 1].rId)
        listed.remove(listed[number - 1])

    return edit


def moved(deck: Any) -> None:
    listed = deck.slides._sldIdLst
    listed.insert(5, listed[0])


def another_id(deck: Any) -> None:
    deck.slides._sldIdLst[2].set("id", "999")


def master(deck: Any) -> None:
    fill = deck.slide_master.background.fill
    fill.solid()
    fill.fore_color.rgb = _rgb("FF0000")


def layout_shape(deck: Any) -> None:
    holder = deck.slide_layouts[1].placeholders[1]
    holder.left, holder.top, holder.width, holder.height = map(Inches, (1, 2, 3, 4))


def theme(deck: Any) -> None:
    part = next(
        link.target_part for link in deck.slide_master.part.rels.values()
        if link.reltype.endswith("/theme")
    )  # fmt: skip
    root = etree.fromstring(part.blob)
    root.find(f".//{{{_A}}}accent1/*").set("val", "FF0000")
    part._blob = etree.tostring(root)


def size(deck: Any) -> None:
    deck.slide_width, deck.slide_height = Inches(13.333), Inches(7.5)


def master_title(deck: Any) -> None:
    style = deck.slide_master._element.find(f".//{{{_P}}}titleStyle/{{{_A}}}lvl1pPr/{{{_A}}}defRPr")
    style.set("sz", "1200")


EDITS: dict[str, Edit] = {
    "saved again": lambda deck: None,
    "fly in from left": animated("entr", 2, 8),
    "fly in from right": animated("entr", 2, 2),
    "fly in from bottom": animated("entr", 2, 4),
    "fly in on a picture": animated("entr", 2, 8, index=3),
    "fly in on a text box": animated("entr", 2, 8, index=2),
    "fly in inside a group": in_group,
    "fly in on two shapes": two_shapes,
    "fly in by paragraph": by_paragraph,
    "fly in twice": twice,
    "media plays": media_plays,
    "fly in with previous": animated("entr", 2, 8, node="withEffect"),
    "fly in after previous": animated("entr", 2, 8, node="afterEffect", delay=1000),
    "fly in, slowly": animated("entr", 2, 8, length=3000),
    "fade": animated("entr", 10, 0),
    "appear": animated("entr", 1, 0),
    "wipe from left": animated("entr", 22, 8),
    "split": animated("entr", 16, 21),
    "zoom": animated("entr", 53, 16),
    "fly out to left": animated("exit", 2, 8),
    "fade out": animated("exit", 10, 0),
    "color emphasis": animated("emph", 19, 0),
    "grow": animated("emph", 6, 0, length=2000),
    "spin with previous": animated("emph", 8, 0, length=2000, node="withEffect"),
    "straight motion": animated("path", 63, 0, length=2000, motion="M 0 0 L 0.25 0 E"),
    "curved motion": animated(
        "path", 37, 0, length=2000, motion="M 0 0 C 0.1 0.1 0.2 0.1 0.25 0 E"
    ),
    "effect removed": gone(5, "timing"),
    "effect from the other side": effect_set(5, presetSubtype="2"),
    "effect replaced": effect_set(5, presetID="10", presetSubtype="0"),
    "effect on another trigger": effect_set(5, nodeType="withEffect"),
    "effect takes longer": slower,
    "transition fade": shows(transition("<p:fade/>")),
    "transition push": shows(transition('<p:push dir="r"/>')),
    "transition slow": shows(transition('<p:wipe dir="d"/>', 'spd="slow"')),
    "transition of 2 s": shows(timed_transition('<p:wipe dir="d"/>', "p14", 2000)),
    "transition vortex": shows(timed_transition('<p14:vortex dir="r"/>', "p14", 4000)),
    "transition morph": shows(timed_transition('<p159:morph option="byObject"/>', "p159", 500)),
    "transition page curl": shows(
        timed_transition('<p15:prstTrans prst="pageCurlDouble"/>', "p15", 500)
    ),
    "transition split": shows(transition('<p:split orient="vert"/>')),
    "transition without effect": shows(transition("", 'advClick="0" advTm="3000"')),
    "transition removed": gone(4, "transition"),
    "transition from the other side": pushed("push", dir="l"),
    "transition replaced": pushed("fade"),
    "title": title,
    "title on two lines": broken_title,
    "title by name": title_in_text_box,
    "subtitle before title": subtitle_first,
    "second paragraph of a text box": runs,
    "paragraph added": paragraph_added,
    "bold": bold,
    "text box added": box_added,
    "picture added": picture_added,
    "connector added": connector_added,
    "group added": group_added,
    "shape removed": shape_removed,
    "shape moved": moved_shape,
    "table cell": cell,
    "picture replaced": other_picture,
    "notes": notes,
    "notes added": notes_added,
    "layout": layout,
    "hidden": hidden,
    "background": background,
    "slide added": slide_added,
    "first slide removed": removed(1),
    "third slide removed": removed(3),
    "fifth slide removed": removed(5),
    "slide moved": moved,
    "slide id given anew": another_id,
    "master background": master,
    "master title size": master_title,
    "layout placeholder moved": layout_shape,
    "theme colour": theme,
    "slide size": size,
}


def make(folder: Path) -> Iterator[tuple[str, Path, Path]]:
    """Name of each edit, the deck before and the one after it; the latter is overwritten."""
    old, new = folder / "before.pptx", folder / "after.pptx"
    before().save(str(old))
    for name, edit in EDITS.items():
        deck = Presentation(str(old))
        edit(deck)
        deck.save(str(new))
        yield name, old, new


def main(arguments: list[str]) -> int:
    """Run the evaluator on all edits and write the golden file."""
    parser = argparse.ArgumentParser(prog="python -m tests.diffing.rubric_edits")
    parser.add_argument("checkout", type=Path, help="a copy of microsoft/ppteval")
    sys.path.insert(0, str(parser.parse_args(arguments).checkout))
    evaluator = importlib.import_module("ppteval.verify.ppt.diff").PowerPointDiffEvaluator
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, old, new in make(Path(folder)):
            told = evaluator().compare_files(str(old), str(new)).to_dict()
            for record in told["added_slides"] + told["removed_slides"]:
                del record["content_hash"]
            for record in (one for pair in told["modified_slides"] for one in pair):
                del record["content_hash"]
            found[name] = {key: value for key, value in told.items() if value}
    golden = {
        "source": "PowerPointDiffEvaluator of microsoft/ppteval (MIT), ppteval/verify/ppt/diff.py",
        "commit": COMMIT,
        "made with": "python -m tests.diffing.rubric_edits CHECKOUT",
        "left out": "content_hash; lists that are empty",
        "edits": found,
    }
    GOLDEN.parent.mkdir(exist_ok=True)
    GOLDEN.write_text(json.dumps(golden, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
