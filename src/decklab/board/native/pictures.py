"""Measured pictures as native ones, cropped as they were shown."""

from collections.abc import Callable
from io import BytesIO

from PIL import Image, UnidentifiedImageError

from decklab.board.native.markup import DECLARED, named_xml
from decklab.board.native.scale import Scale, cut
from decklab.board.native.shapes import outline_xml
from decklab.deck.model.shapes import Crop
from decklab.editing.building.drawing import STRETCHED, blip_xml, crop_xml, legal, xfrm
from decklab.rendering.measured import ChartItem, PictureItem, Radii, Rectangle

Embed = Callable[[str], str | None]
"""From the SHA-256 of a file to the id of its relationship."""

_NATIVE = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"BM", b"II*\x00", b"MM\x00*")
_SVG = (
    '<a:extLst><a:ext uri="{{96DAC541-7B7A-43D3-8B79-37D633B846F1}}"><asvg:svgBlip '
    'xmlns:asvg="http://schemas.microsoft.com/office/drawing/2016/SVG/main" '
    'r:embed="{}"/></a:ext></a:extLst>'
)


def native_file(data: bytes) -> bytes | None:
    """A picture file in a format that PowerPoint shows; None if it cannot be read."""
    if data.startswith(_NATIVE):
        return data
    try:
        with Image.open(BytesIO(data)) as image:
            out = BytesIO()
            image.convert("RGBA").save(out, "PNG")
            return out.getvalue()
    except (UnidentifiedImageError, OSError, ValueError, Image.DecompressionBombError):
        return None


def picture_of_chart(item: ChartItem) -> PictureItem:
    """The picture of a chart whose data cannot be used."""
    return PictureItem(
        kind="picture", element=item.element, box=item.box, turns=item.turns, clip=item.clip,
        order=item.order, paint=item.paint, tag="figure", source="", drawn=item.box, radii=None,
        alone=item.alone, vector=False, alt=item.label, decorative=False, opacity=1.0,
        digest=item.digest,
    )  # fmt: skip


def picture_xml(
    item: PictureItem, id: int, scale: Scale, embed: Embed, link: str = ""
) -> str | None:
    """The picture's element; None if its file is not there or nothing of it shows."""
    shown, radii = _shown(item)
    file = embed(item.digest)
    if file is None or shown[2] < 0.05 or shown[3] < 0.05:
        return None
    left, top, width, height = item.drawn
    crop = Crop(
        left=max((shown[0] - left) / width, 0.0), top=max((shown[1] - top) / height, 0.0),
        right=max((left + width - shown[0] - shown[2]) / width, 0.0),
        bottom=max((top + height - shown[1] - shown[3]) / height, 0.0),
    )  # fmt: skip
    blip = blip_xml(file, item.opacity if item.source else 1.0)
    drawing = embed(item.vector_digest) if item.vector_digest else None
    if drawing is not None:
        blip = blip.replace("</a:blip>", f"{_SVG.format(drawing)}</a:blip>")
    kind = "Background" if item.tag == "background" else "Picture"
    name = named_xml(id, f"{kind} {id}", legal(item.alt), decorative=item.decorative)
    if link:
        name = name.replace("</p:cNvPr>", f"{link}</p:cNvPr>")
    return (
        f"<p:pic {DECLARED}><p:nvPicPr>{name}"
        '<p:cNvPicPr><a:picLocks noChangeAspect="1"/></p:cNvPicPr><p:nvPr/></p:nvPicPr>'
        f"<p:blipFill>{blip}{crop_xml(crop)}{STRETCHED}</p:blipFill>"
        f"<p:spPr>{xfrm(scale.frame(shown, item.turns))}"
        f"{outline_xml(shown[2], shown[3], radii)}</p:spPr></p:pic>"
    )


def _shown(item: PictureItem) -> tuple[Rectangle, Radii | None]:
    """The part of a picture that shows, and its corners."""
    shown = cut(item.box, item.drawn)
    if not item.turns:
        shown = cut(shown, item.clip)
    radii = item.radii if _close(shown, item.box) else None
    if item.within is not None and _close(shown, item.within.box):
        radii = item.within.radii
    return shown, radii


def _close(first: Rectangle, second: Rectangle) -> bool:
    return all(abs(a - b) < 1.0 for a, b in zip(first, second, strict=True))
