"""What no snapshot holds is told all the same: by a name that people know, or by part and path."""

import random
import re
from pathlib import Path

import pytest
from pptx import Presentation
from tests.diffing.mutations import mutated
from tests.diffing.verdicts import Verdict, verdict

from decklab.diffing.changes import Change
from decklab.diffing.decks import diff_packages
from decklab.diffing.wording import sentence
from decklab.ooxml.package import Package, write_package
from decklab.ooxml.parts import relationships_part
from decklab.ooxml.xml import parse_xml


@pytest.fixture(scope="module")
def rich(sample_decks: list[Path]) -> Path:
    return next(deck for deck in sample_decks if deck.stem == "rich")


def replaced(deck: Path, out: Path, part: str, pattern: str, by: str) -> None:
    """Write the deck with the first match of a pattern in one part replaced."""
    with Package.open(deck) as package:
        text = package.read(part).decode()
        changed, count = re.subn(pattern, by, text, count=1, flags=re.S)
        assert count == 1, f"{part} has no {pattern}"
        parse_xml(changed.encode(), path=out, part=part)
        write_package(package, out, replace={part: changed.encode()})


def changes(before: Path, after: Path) -> tuple[Change, ...]:
    with Package.open(before) as old, Package.open(after) as new:
        return diff_packages(old, new).edits


def first_part(deck: Path, folder: str, pattern: str) -> str:
    """The first part in a folder that a pattern is found in."""
    with Package.open(deck) as package:
        return next(
            name for name in sorted(package.names)
            if name.startswith(folder) and name.endswith(".xml")
            and re.search(pattern, package.read(name).decode(), re.S)
        )  # fmt: skip


_SP_PR = r"(<p:sp>(?:(?!</p:sp>).)*?<p:spPr>(?:(?!</p:spPr>).)*)</p:spPr>"
_SHADOW = '<a:outerShdw blurRad="50800" dist="38100"><a:srgbClr val="000000"/></a:outerShdw>'
NAMED = {
    "chart gap width": ("ppt/charts/", r'<c:gapWidth val="\d+"', '<c:gapWidth val="33"', "chart",
                        "gap width"),
    "chart number format": ("ppt/charts/", r"(<c:valAx>.*?)(<c:majorTickMark)",
                            r'\1<c:numFmt formatCode="0.0%" sourceLinked="0"/>\2',
                            "chart", "axis.number format"),
    "chart gridlines": ("ppt/charts/", r"<c:majorGridlines(?:/>|>.*?</c:majorGridlines>)",
                        "", "chart", "major gridlines"),
    "reversed axis": ("ppt/charts/", r'<c:orientation val="minMax"', '<c:orientation val="maxMin"',
                      "chart", "axis.direction"),
    "trendline": ("ppt/charts/", r"(<c:ser>(?:(?!</c:ser>).)*?)(<c:cat>)",
                  r'\1<c:trendline><c:trendlineType val="linear"/></c:trendline>\2',
                  "chart", "trendline"),
    "chart point color": ("ppt/charts/", r"(<c:ser>(?:(?!</c:ser>).)*?)(<c:cat>)",
                          r'\1<c:dPt><c:idx val="0"/><c:spPr><a:solidFill><a:srgbClr val="12AB56"/>'
                          r"</a:solidFill></c:spPr></c:dPt>\2", "chart", "point"),
    "chart font": ("ppt/charts/", r'(<c:valAx>.*?<a:defRPr[^>]*?sz=")\d+', r"\g<1>3300",
                   "chart", "font.size"),
    "smartart colors": ("ppt/diagrams/colors", r'uniqueId="[^"]*"', 'uniqueId="urn:x/accent6_2"',
                        "diagram", "colors"),
    "glow": ("ppt/slides/", _SP_PR, r'\1<a:effectLst><a:glow rad="63500"><a:srgbClr val="FF0000"/>'
             r"</a:glow></a:effectLst></p:spPr>", "style", "effects"),
    "3-D": ("ppt/slides/", _SP_PR, r'\1<a:scene3d><a:camera prst="isometricLeftDown"/><a:lightRig '
            r'rig="threePt" dir="t"/></a:scene3d></p:spPr>', "style", "3-D.scene"),
    "warp": ("ppt/slides/", r"<a:bodyPr([^>/]*)(/>|>)(?!.*</a:bodyPr>)|<a:bodyPr([^>/]*)/>",
             r'<a:bodyPr\1\3><a:prstTxWarp prst="textWave1"><a:avLst/></a:prstTxWarp></a:bodyPr>',
             "style", "text warp"),
    "kerning": ("ppt/slides/", r'(<a:r><a:rPr )', r'\1kern="4200" ', "style", "font.kerning"),
    "hanging punctuation": ("ppt/slideMasters/", r'(<a:lvl2pPr [^>]*hangingPunct=")1', r"\g<1>0",
                            "master", "paragraph.hanging punctuation"),
    "other style": ("ppt/slideMasters/", r'(<p:otherStyle>.*?<a:lvl1pPr[^>]*?marL=")\d+',
                    r"\g<1>98765", "master", "paragraph.margin_left"),
    "line width of the theme": ("ppt/theme/theme1", r'(<a:lnStyleLst>\s*<a:ln w=")\d+',
                                r"\g<1>31750", "theme", "line style 1"),
    "first slide number": ("ppt/presentation.xml", r"<p:presentation ",
                           '<p:presentation firstSlideNum="7" ', "properties",
                           "first slide number"),
    "shape locks": ("ppt/slides/", r"<p:cNvSpPr><a:spLocks ", '<p:cNvSpPr><a:spLocks noRot="1" ',
                    "other", "lock on rotation"),
    "notes formatting": ("ppt/notesSlides/", r"<a:r>(<a:rPr[^>]*>)?<a:t>",
                         '<a:r><a:rPr b="1"/><a:t>', "notes", "font.bold"),
}  # fmt: skip


@pytest.mark.by_day(5)
@pytest.mark.parametrize("what", sorted(NAMED))
def test_a_change_has_the_name_that_people_know(what: str, rich: Path, tmp_path: Path) -> None:
    folder, pattern, by, kind, name = NAMED[what]
    part = first_part(rich, folder, pattern)
    replaced(rich, tmp_path / "after.pptx", part, pattern, by)
    found = changes(rich, tmp_path / "after.pptx")
    assert [(one.kind, one.property) for one in found] == [(kind, name)], list(map(sentence, found))


_SHADOW_ON = _SHADOW.join(("<a:effectLst>", "</a:effectLst></p:spPr>"))
ALTERED = {
    "shadow blur": (_SP_PR, rf"\1{_SHADOW_ON}", 'blurRad="50800"', 'blurRad="101600"',
                    "shadow.blur", 4.0, 8.0),
    "shadow color": (_SP_PR, rf"\1{_SHADOW_ON}", 'val="000000"/></a:outerShdw>',
                     'val="00FF00"/></a:outerShdw>', "shadow.color", "#000000", "#00FF00"),
    "tab stop": (r"<a:p>(<a:r>)", r'<a:p><a:pPr><a:tabLst><a:tab pos="127000" algn="l"/></a:tabLst>'
                 r"</a:pPr>\1", 'pos="127000"', 'pos="254000"', "paragraph.tab stop", 10.0, 20.0),
    "recolor": (r"<a:blip ([^>/]*)/>", r'<a:blip \1><a:biLevel thresh="25000"/></a:blip>',
                'thresh="25000"', 'thresh="75000"', "recolor", "25000", "75000"),
}  # fmt: skip


@pytest.mark.parametrize("what", sorted(ALTERED))
def test_a_parameter_is_told_with_both_values(what: str, rich: Path, tmp_path: Path) -> None:
    pattern, by, old_text, new_text, name, old, new = ALTERED[what]
    part = first_part(rich, "ppt/slides/", pattern)
    before, after = tmp_path / "before.pptx", tmp_path / "after.pptx"
    replaced(rich, before, part, pattern, by)
    replaced(before, after, part, re.escape(old_text), new_text)
    (change,) = changes(before, after)
    assert (change.property, change.old, change.new) == (name, old, new)
    assert change.part == part
    assert change.path.startswith("p:sld/p:cSld/p:spTree/")


DECK_WIDE = {
    "loop": ("ppt/presProps.xml", "<p:showPr", "<p:showPr loop=\"1\"", "show", "loop"),
    "footers of a layout": ("ppt/slideLayouts/slideLayout2.xml", "</p:clrMapOvr>",
                            '</p:clrMapOvr><p:hf sldNum="0"/>', "layout",
                            "header and footer.sldNum"),
    "height on a layout": ("ppt/slideLayouts/slideLayout2.xml",
                           r'(<p:sp>.*?<a:ext cx="\d+" cy=")\d+',
                           r"\g<1>1234567", "layout", "size"),
    "height on the notes master": ("ppt/notesMasters/notesMaster1.xml",
                                   r'(<p:sp>.*?<a:ext cx="\d+" cy=")\d+', r"\g<1>1234567", "notes",
                                   "height"),
}  # fmt: skip


@pytest.mark.parametrize("what", sorted(DECK_WIDE))
def test_a_change_behind_the_slides_is_told(what: str, rich: Path, tmp_path: Path) -> None:
    part, pattern, by, kind, name = DECK_WIDE[what]
    before, after = rich, tmp_path / "after.pptx"
    if what == "loop":
        before = tmp_path / "before.pptx"
        replaced(rich, before, part, "(<p:presentationPr[^>]*?)/?>", r"\1><p:showPr/>")
    replaced(before, after, part, pattern, by)
    found = changes(before, after)
    assert (kind, name) in [(one.kind, one.property) for one in found], list(map(sentence, found))


def tries(decks: list[Path], room: Path, count: int, seed: int) -> list[tuple[str, Verdict]]:
    """Single random changes, each with what the diff makes of it."""
    chance = random.Random(seed)
    found: list[tuple[str, Verdict]] = []
    while len(found) < count:
        deck = chance.choice(decks)
        made = mutated(deck, room / "mutated.pptx", chance)
        if isinstance(made, str):
            continue
        told = verdict(deck, room / "mutated.pptx")
        if told.fate != "unreadable":
            found.append((f"{deck.name}: {made}", told))
    return found


@pytest.mark.long
def test_no_single_change_of_a_sample_is_silent(sample_decks: list[Path], tmp_path: Path) -> None:
    found = tries(sample_decks, tmp_path, 40, 5)
    assert [what for what, told in found if told.fate == "silent"] == []
    assert sum(told.fate in ("typed", "path") for _, told in found) > len(found) / 2
    noise = [one for _, told in found if told.fate == "noise" for one in told.changes]
    assert [one for one in noise if one.part and not one.rule] == []


@pytest.mark.long
@pytest.mark.shared
def test_no_single_change_of_a_real_deck_is_silent(shared: Path, tmp_path: Path) -> None:
    decks = sorted((shared / "decks" / "features").glob("*.pptx"))
    found = tries(decks, tmp_path, 60, 6)
    assert [what for what, told in found if told.fate == "silent"] == []


def test_a_saved_deck_without_an_edit_does_not_differ(rich: Path, tmp_path: Path) -> None:
    Presentation(str(rich)).save(str(tmp_path / "saved.pptx"))
    with Package.open(rich) as old, Package.open(tmp_path / "saved.pptx") as new:
        assert diff_packages(old, new).edits == ()


def test_parts_that_came_and_went_are_told(rich: Path, tmp_path: Path) -> None:
    with Package.open(rich) as package:
        write_package(package, tmp_path / "after.pptx", add={"ppt/extra.bin": ("x/y", b"1")})
    (come,) = changes(rich, tmp_path / "after.pptx")
    (gone,) = changes(tmp_path / "after.pptx", rich)
    assert [sentence(one) for one in (come, gone)] == [
        "Deck: the part ppt/extra.bin was added.", "Deck: the part ppt/extra.bin was removed.",
    ]  # fmt: skip


def test_a_relationship_that_leads_elsewhere_is_told(rich: Path, tmp_path: Path) -> None:
    rels = relationships_part("ppt/notesSlides/notesSlide1.xml")
    replaced(rich, tmp_path / "after.pptx", rels, 'Target="[^"]*notesMaster1.xml"',
             'Target="../theme/theme1.xml"')  # fmt: skip
    found = changes(rich, tmp_path / "after.pptx")
    assert [(one.kind, one.part) for one in found] == [("detail", rels)]


@pytest.mark.parametrize(("folder", "pattern", "by"), [
    ("ppt/slideLayouts/", r"(<a:lstStyle/>|<a:lstStyle>.*?</a:lstStyle>)(<a:p>.*?)</p:txBody>",
     r"\2\1</p:txBody>"),
    ("ppt/slideLayouts/", r"(<p:nvGrpSpPr>.*?</p:grpSpPr>|<p:nvGrpSpPr>.*?<p:grpSpPr/>)"
     r"(<p:sp>.*?</p:sp>)", r"\2\1"),
    ("ppt/slides/", r"(<a:tblGrid>.*?</a:tblGrid>)(<a:tr .*?</a:tr>)", r"\2\1"),
])  # fmt: skip
def test_children_of_other_kinds_in_another_order_are_told(
    folder: str, pattern: str, by: str, rich: Path, tmp_path: Path
) -> None:
    replaced(rich, tmp_path / "after.pptx", first_part(rich, folder, pattern), pattern, by)
    assert changes(rich, tmp_path / "after.pptx")


def test_json_names_part_and_path(rich: Path, tmp_path: Path) -> None:
    part = first_part(rich, "ppt/slideMasters/", "<p:otherStyle>")
    replaced(rich, tmp_path / "after.pptx", part, "<a:lvl1pPr ", '<a:lvl1pPr new="1" ')
    with Package.open(rich) as old, Package.open(tmp_path / "after.pptx") as new:
        (change,) = diff_packages(old, new).as_json()["changes"]
    assert change["part"] == part
    assert change["path"].endswith("@new")
    assert "rule" not in change


def test_the_first_notes_of_a_deck_bring_their_master_along(tmp_path: Path) -> None:
    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    deck.save(str(tmp_path / "before.pptx"))
    slide.notes_slide.notes_text_frame.text = "Say hello."
    deck.save(str(tmp_path / "after.pptx"))
    (change,) = changes(tmp_path / "before.pptx", tmp_path / "after.pptx")
    assert (change.kind, change.new) == ("notes", "Say hello.")
    gone = changes(tmp_path / "after.pptx", tmp_path / "before.pptx")
    assert {change.kind for change in gone} >= {"notes"}
