"""Tiny decks of one slide, one layout and one master, each part given as a piece of XML."""

import io
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pytest
from bench.styles_witness.styles import DeckStyles, ShapeStyles, read_styles

from decklab.deck.model.base import Effective, Sources
from decklab.deck.model.shapes import Body, Border, Paragraph, Run
from decklab.deck.styles.text import StyledText
from decklab.ooxml.package import Package

NAMESPACES = " ".join(
    f'xmlns:{prefix}="{address}"'
    for prefix, address in {
        "a": "http://schemas.openxmlformats.org/drawingml/2006/main",
        "p": "http://schemas.openxmlformats.org/presentationml/2006/main",
        "r": "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
        "ahyp": "http://schemas.microsoft.com/office/drawing/2018/hyperlinkcolor",
        "dgm": "http://schemas.openxmlformats.org/drawingml/2006/diagram",
        "dsp": "http://schemas.microsoft.com/office/drawing/2008/diagram",
        "mc": "http://schemas.openxmlformats.org/markup-compatibility/2006",
        "a14": "http://schemas.microsoft.com/office/drawing/2010/main",
        "m": "http://schemas.openxmlformats.org/officeDocument/2006/math",
    }.items()
)
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"

CLR_MAP = (
    '<p:clrMap bg1="lt1" tx1="dk1" bg2="lt2" tx2="dk2" accent1="accent1" accent2="accent2"'
    ' accent3="accent3" accent4="accent4" accent5="accent5" accent6="accent6" hlink="hlink"'
    ' folHlink="folHlink"/>'
)
COLORS = """<a:clrScheme name="c">
<a:dk1><a:sysClr val="windowText" lastClr="000000"/></a:dk1>
<a:lt1><a:sysClr val="window" lastClr="FFFFFF"/></a:lt1>
<a:dk2><a:srgbClr val="1F497D"/></a:dk2><a:lt2><a:srgbClr val="EEECE1"/></a:lt2>
<a:accent1><a:srgbClr val="4F81BD"/></a:accent1><a:accent2><a:srgbClr val="C0504D"/></a:accent2>
<a:accent3><a:srgbClr val="9BBB59"/></a:accent3><a:accent4><a:srgbClr val="8064A2"/></a:accent4>
<a:accent5><a:srgbClr val="4BACC6"/></a:accent5><a:accent6><a:srgbClr val="F79646"/></a:accent6>
<a:hlink><a:srgbClr val="0000FF"/></a:hlink><a:folHlink><a:srgbClr val="800080"/></a:folHlink>
</a:clrScheme>"""
FONTS = """<a:fontScheme name="f">
<a:majorFont><a:latin typeface="Head"/><a:ea typeface=""/><a:cs typeface="HeadCs"/>
<a:font script="Jpan" typeface="HeadJp"/></a:majorFont>
<a:minorFont><a:latin typeface="Text"/><a:ea typeface="TextEa"/><a:cs typeface=""/>
<a:font script="Arab" typeface="TextArab"/></a:minorFont></a:fontScheme>"""
FORMATS = """<a:fmtScheme name="s">
<a:fillStyleLst><a:solidFill><a:schemeClr val="phClr"/></a:solidFill>
<a:solidFill><a:schemeClr val="phClr"><a:lumMod val="50000"/></a:schemeClr></a:solidFill>
<a:gradFill><a:gsLst><a:gs pos="0"><a:schemeClr val="phClr"/></a:gs>
<a:gs pos="100000"><a:srgbClr val="FFFFFF"/></a:gs></a:gsLst><a:lin ang="5400000"/></a:gradFill>
</a:fillStyleLst>
<a:lnStyleLst><a:ln w="9525" cap="flat" cmpd="sng"><a:solidFill><a:schemeClr val="phClr"/>
</a:solidFill><a:prstDash val="solid"/></a:ln>
<a:ln w="25400"><a:solidFill><a:schemeClr val="phClr"/></a:solidFill><a:prstDash val="dash"/></a:ln>
</a:lnStyleLst>
<a:effectStyleLst><a:effectStyle><a:effectLst><a:outerShdw/></a:effectLst></a:effectStyle>
</a:effectStyleLst>
<a:bgFillStyleLst><a:solidFill><a:schemeClr val="phClr"/></a:solidFill>
<a:solidFill><a:schemeClr val="phClr"><a:lumMod val="50000"/></a:schemeClr></a:solidFill>
</a:bgFillStyleLst></a:fmtScheme>"""
THEME = f"<a:themeElements>{COLORS}{FONTS}{FORMATS}</a:themeElements>"


def placeholder(kind: str, body: str = "", idx: str = "", lists: str = "", more: str = "") -> str:
    """A placeholder shape; ``body`` is its paragraphs, ``lists`` its list style."""
    number = f' idx="{idx}"' if idx else ""
    return (
        f'<p:sp><p:nvSpPr><p:cNvPr id="2" name="{kind}"/><p:cNvSpPr/>'
        f'<p:nvPr><p:ph type="{kind}"{number}/></p:nvPr></p:nvSpPr><p:spPr>{more}</p:spPr>'
        f"<p:txBody><a:bodyPr/><a:lstStyle>{lists}</a:lstStyle>{body or '<a:p/>'}</p:txBody></p:sp>"
    )


def text_box(
    body: str, *, lists: str = "", settings: str = "", more: str = "", style: str = ""
) -> str:
    """A shape that is no placeholder; ``settings`` stands inside its bodyPr."""
    return (
        '<p:sp><p:nvSpPr><p:cNvPr id="3" name="Box"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr>'
        f"<p:spPr>{more}</p:spPr>{style}<p:txBody><a:bodyPr>{settings}</a:bodyPr>"
        f"<a:lstStyle>{lists}</a:lstStyle>{body}</p:txBody></p:sp>"
    )


def words(properties: str = "", *, text: str = "words", inside: str = "") -> str:
    """One paragraph of one run; ``properties`` are attributes of the run, ``inside`` children."""
    return f"<a:p><a:r><a:rPr {properties}>{inside}</a:rPr><a:t>{text}</a:t></a:r></a:p>"


def solid(color: str) -> str:
    """A solid fill of a theme colour."""
    return f'<a:solidFill><a:schemeClr val="{color}"/></a:solidFill>'


@dataclass(frozen=True)
class TinyDeck:
    """Pieces of XML; everything left out is as plain as can be."""

    slide: str = ""
    """Shapes."""
    layout: str = ""
    master: str = ""
    slide_background: str = ""
    layout_background: str = ""
    master_background: str = ""
    slide_map: str = "<a:masterClrMapping/>"
    slide_attributes: str = ""
    text_styles: str = ""
    """Inside ``p:txStyles``."""
    presentation: str = ""
    """After the slide list."""
    theme: str = THEME
    table_styles: str = ""
    slide_links: str = ""
    more: dict[str, str] = field(default_factory=dict)
    """Further parts by name, whole."""

    def parts(self) -> dict[str, str]:
        """All parts by name."""
        override = f"<p:clrMapOvr>{self.slide_map}</p:clrMapOvr>"
        styles = f"<p:txStyles>{self.text_styles}</p:txStyles>"
        links = f'<Relationship Id="t" Type="{_OFFICE}/tableStyles" Target="tableStyles.xml"/>'
        return {
            "[Content_Types].xml": _content_types(),
            "_rels/.rels": _links('Id="o" Type="#/officeDocument" Target="ppt/presentation.xml"'),
            "ppt/presentation.xml": _root(
                "p:presentation",
                '<p:sldMasterIdLst><p:sldMasterId id="1" r:id="m"/></p:sldMasterIdLst>'
                f'<p:sldIdLst><p:sldId id="256" r:id="s"/></p:sldIdLst>{self.presentation}',
            ),
            "ppt/_rels/presentation.xml.rels": _links(
                'Id="s" Type="#/slide" Target="slide.xml"',
                'Id="m" Type="#/slideMaster" Target="master.xml"',
                more=links,
            ),
            "ppt/slide.xml": _sheet(
                "p:sld", self.slide, self.slide_background, override, self.slide_attributes
            ),
            "ppt/_rels/slide.xml.rels": _links(
                'Id="l" Type="#/slideLayout" Target="layout.xml"', more=self.slide_links
            ),
            "ppt/layout.xml": _sheet("p:sldLayout", self.layout, self.layout_background),
            "ppt/_rels/layout.xml.rels": _links('Id="m" Type="#/slideMaster" Target="master.xml"'),
            "ppt/master.xml": _sheet(
                "p:sldMaster", self.master, self.master_background, CLR_MAP + styles
            ),
            "ppt/_rels/master.xml.rels": _links('Id="t" Type="#/theme" Target="theme.xml"'),
            "ppt/theme.xml": _root("a:theme", self.theme),
            "ppt/tableStyles.xml": _root("a:tblStyleLst", self.table_styles),
            **self.more,
        }

    def package(self) -> Package:
        """The deck as a package in memory."""
        data = io.BytesIO()
        with zipfile.ZipFile(data, "w") as archive:
            for name, content in self.parts().items():
                archive.writestr(name, content)
        return Package.from_bytes(data.getvalue(), "tiny.pptx")


def table(rows: str, properties: str = "", inside: str = "") -> str:
    """A graphic frame with a table; ``properties`` are attributes of its tblPr."""
    return (
        '<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="4" name="Table"/><p:cNvGraphicFramePr/>'
        "<p:nvPr/></p:nvGraphicFramePr><a:graphic><a:graphicData"
        ' uri="http://schemas.openxmlformats.org/drawingml/2006/table">'
        f"<a:tbl><a:tblPr {properties}>{inside}</a:tblPr><a:tblGrid/>{rows}</a:tbl>"
        "</a:graphicData></a:graphic></p:graphicFrame>"
    )


def _root(tag: str, inner: str, attributes: str = "") -> str:
    return f'<?xml version="1.0"?><{tag} {NAMESPACES} {attributes}>{inner}</{tag}>'


def _sheet(tag: str, shapes: str, background: str, after: str = "", attributes: str = "") -> str:
    tree = f"<p:spTree><p:nvGrpSpPr/><p:grpSpPr/>{shapes}</p:spTree>"
    return _root(tag, f"<p:cSld>{background}{tree}</p:cSld>{after}", attributes)


def _links(*stated: str, more: str = "") -> str:
    items = "".join(f"<Relationship {item.replace('#', _OFFICE)}/>" for item in stated)
    namespace = "http://schemas.openxmlformats.org/package/2006/relationships"
    return f'<?xml version="1.0"?><Relationships xmlns="{namespace}">{items}{more}</Relationships>'


def _content_types() -> str:
    namespace = "http://schemas.openxmlformats.org/package/2006/content-types"
    return (
        f'<?xml version="1.0"?><Types xmlns="{namespace}">'
        '<Default Extension="xml" ContentType="application/xml"/></Types>'
    )


@pytest.fixture
def styles() -> Callable[..., DeckStyles]:
    """The effective styles of a tiny deck, by the fields of TinyDeck."""

    def read(**pieces: Any) -> DeckStyles:
        with TinyDeck(**pieces).package() as package:
            return read_styles(package)

    return read


@pytest.fixture
def shape(styles) -> Callable[..., ShapeStyles]:
    """The first shape of a tiny deck's slide."""
    return lambda **pieces: styles(**pieces).slides[0].shapes[0]


@pytest.fixture
def text(shape) -> Callable[..., StyledText]:
    """The text of the first shape of a tiny deck's slide."""
    return lambda **pieces: shape(**pieces).text


@dataclass(frozen=True)
class StatedValues:
    """The values of some records, each with where it is stated."""

    records: tuple[object, ...]
    sources: Sources

    def __getattr__(self, name: str) -> Effective[Any]:
        holder = next(record for record in self.records if hasattr(record, name))
        return Effective(getattr(holder, name), self.sources.get(name, "default"))


@pytest.fixture
def stated() -> Callable[[Run | Paragraph | Body | Border], StatedValues]:
    """From a run, a paragraph, a body or a line to its values and where each is stated."""

    def read(item: Run | Paragraph | Body | Border) -> StatedValues:
        if isinstance(item, Run):
            style = item.font.style
            faces = SimpleNamespace(bold="bold" in style, italic="italic" in style)
            return StatedValues((faces, item.font), item.sources)
        if isinstance(item, Border):
            return StatedValues((item, item.pen), item.pen.sources)
        return StatedValues((item,), item.sources)

    return read


@pytest.fixture
def run(text, stated) -> Callable[..., StatedValues]:
    """The font of the first run of the first shape of a tiny deck's slide."""
    return lambda **pieces: stated(text(**pieces).paragraphs[0].runs[0])


@pytest.fixture
def xml() -> SimpleNamespace:
    """Pieces of XML to build a tiny deck of."""
    return SimpleNamespace(
        box=text_box, holder=placeholder, words=words, solid=solid, part=_root, theme=THEME,
        colors=COLORS, fonts=FONTS, formats=FORMATS, table=table,
    )  # fmt: skip
