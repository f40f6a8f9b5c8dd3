"""What stands free on a slide of a template: layouts of the board in one area of it."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from decklab.board.boxes import TextBox
from decklab.board.fitting import LEAST_PT, at_size
from decklab.board.page import PageDraft
from decklab.board.templates.measuring import look_of
from decklab.board.templates.places import TemplateLayout
from decklab.board.themes import LIGHT, Components, DesignTheme, Fonts, RoleStyle, TypeScale
from decklab.board.typography import SAFETY, widest_word
from decklab.core.geometry import FRAME_HEIGHT, Box


@dataclass
class AreaPage(PageDraft):
    """A page on which only one area is laid out; its title stands in a placeholder."""

    room: Box = field(default=Box(0, 0, 0, 0), kw_only=True)

    @property
    def area(self) -> Box:
        return self.room

    def head(self) -> None:
        """Title and subtitle are filled elsewhere."""

    def source(self) -> None:
        """The source line is placed elsewhere."""

    def fitted(
        self, boxes: Sequence[TextBox], *, least: float = LEAST_PT, lines: int | None = None
    ) -> list[TextBox]:
        """Texts at one size at which all fit and no word is cut, as in narrow templates."""
        problems = len(self.problems)
        made = super().fitted(boxes, least=least, lines=lines)
        smaller = self.theme.scale.down_from(made[0].style.size, LEAST_PT)[1:]
        for size in smaller:
            if not any(self._cuts(box) for box in made):
                break
            del self.problems[problems:]
            made = super().fitted([at_size(box, size) for box in boxes], least=least, lines=lines)
        return made

    def _cuts(self, box: TextBox) -> bool:
        """Whether a word of a text is wider than its box."""
        return any(
            widest_word(item.text, self.fitter.face(box.style, item), item.size or box.style.size)
            > box.inner.width * SAFETY
            for item in box.paragraphs
        )


def theme_of(layout: TemplateLayout) -> DesignTheme:
    """Fonts and sizes of a template for what is drawn free; colours come when it is written."""
    texts = [place for place in layout.places if place.takes_text and place.levels]
    wanted = texts[0].levels[0].size if texts else 20.0
    scale = max(1.0, layout.size[1] / FRAME_HEIGHT)
    body = min(max(wanted, 16.0 * scale), 20.0 * scale)
    title = layout.title
    head = look_of(title, 0) if title else None
    return replace(
        LIGHT,
        name="template",
        fonts=Fonts(layout.heading_font or "Arial", layout.body_font or "Arial"),
        roles={"body": RoleStyle()},
        components=Components(card="filled", badge="square"),
        scale=TypeScale(
            display=40.0 * scale,
            title=max(min(head.size if head else 28.0, 36.0 * scale), body + 2),
            body=body,
            small=max(body - 4.0, 14.0),
            caption=LEAST_PT * scale,
        ),
    )
