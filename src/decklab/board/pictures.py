"""Pictures in their place: photographs are cropped to it, figures are shown whole."""

from decklab.board.boxes import PictureBox, Slot
from decklab.board.page import IDX_OBJECT, PageDraft
from decklab.board.pages.pictures import picture_size
from decklab.core.geometry import Box


def placed_picture(page: PageDraft, room: Box) -> PictureBox:
    """The picture of a slide in a place; raises PlanError where the file is none that can be used.

    A photograph fills the place and loses what stands over; a figure stands whole in its middle.
    """
    picture = page.plan.picture
    assert picture is not None, "the plan was checked to have a picture"
    width, height = picture_size(picture.path)
    slot = Slot("picture", IDX_OBJECT)
    name = "Photograph" if picture.kind == "photograph" else "Figure"
    if picture.kind == "photograph":
        return PictureBox(name, room, picture, _crop(width / height, room), slot, room)
    scale = min(room.width / width, room.height / height)
    across, down = width * scale, height * scale
    left, top = room.left + (room.width - across) / 2, room.top + (room.height - down) / 2
    return PictureBox(
        name, Box(left, top, left + across, top + down), picture, slot=slot, room=room
    )


def _crop(ratio: float, room: Box) -> tuple[float, float, float, float]:
    """What a picture of this ratio of width to height loses to fill a place, the same both ends.

    >>> _crop(2.0, Box(0, 0, 100, 100))
    (0.25, 0.0, 0.25, 0.0)
    """
    wanted = room.width / room.height
    if ratio > wanted:
        side = (1 - wanted / ratio) / 2
        return side, 0.0, side, 0.0
    side = (1 - ratio / wanted) / 2
    return 0.0, side, 0.0, side
