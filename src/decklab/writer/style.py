"""The style of one deck: a theme whose slots a model fills in, once for all slides.

Paper 004, section V-B: a style schema of colour tokens, type sizes, spacing and components, filled
once for a deck, with modules for opening, body and ending slides. Here the slots lie on top of one
of the designed themes, and a program checks that everything can be read (WCAG 2.2).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Final, Literal

from pydantic import Field, ValidationError

from decklab.board.blueprint import DeckPlan, first_fault
from decklab.board.boxes import Align, Token
from decklab.board.library import Role
from decklab.board.pages.layout import lay_out_deck
from decklab.board.pages.writing import page_pictures
from decklab.board.themes import Colors, DesignTheme, Fonts, RoleStyle, TypeScale, weak_pairs
from decklab.core.errors import PlanError
from decklab.core.files import write_whole
from decklab.core.geometry import FRAME_WIDTH
from decklab.models.asking import Ask, StrictForm, Usage, fill_prompt
from decklab.models.asking_loop import PicturesUnseen
from decklab.models.reading import Unanswered, answered
from decklab.writer.deck_reading import page_sheets
from decklab.writer.request import WriteOptions

HexColor = Annotated[str, Field(pattern=r"^#[0-9A-Fa-f]{6}$")]
FontFamily = Literal[
    "Calibri", "Cambria", "Arial", "Arial Narrow", "Times New Roman", "Open Sans", "Lato",
    "Palatino Linotype", "Century Schoolbook", "Consolas",
]  # fmt: skip
"""Families of the designed themes, whose widths are known."""
_ACROSS: Final = FRAME_WIDTH - 96
"""Pixels of what is drawn over the whole width of a slide, but for its margins."""
_SERIFS = frozenset({"Cambria", "Times New Roman", "Palatino Linotype", "Century Schoolbook"})
_DRAFT_PAGES: Final = 4
"""First pages of a deck that drafts of its look show."""
LookFault = Callable[[DesignTheme], str | None]
"""Why a deck does not fit in a look, in words for a model; None if it fits."""
_ROLES: Final[tuple[Role, ...]] = ("opening", "section", "ending")
"""The roles with slots of their own; body slides stand on the background."""


class StyleColors(StrictForm):
    """Colour tokens as #RRGGBB. The greys are series of charts beside the accent, and details."""

    background: HexColor
    surface: HexColor
    """Behind cards."""
    text: HexColor
    muted: HexColor
    """Of subtitles and source lines."""
    accent: HexColor
    grey1: HexColor
    grey2: HexColor
    grey3: HexColor
    line: HexColor
    """Of hairlines."""
    tint: HexColor
    """A pale accent."""


class StyleSizes(StrictForm):
    """The type scale in points."""

    display: float = Field(ge=38, le=72)
    title: float = Field(ge=25, le=36)
    body: float = Field(ge=18, lt=25)
    small: float = Field(ge=14, lt=18)
    caption: float = Field(ge=12, lt=14)


class StyleFonts(StrictForm):
    """The families of headings and of everything else."""

    heading: FontFamily
    body: FontFamily
    heading_bold: bool


class StyleComponents(StrictForm):
    """How cards and the badges of steps are drawn."""

    card: Literal["filled", "outlined", "ruled", "side", "plain"]
    rounded: bool
    badge: Literal["disc", "square", "numeral"]


class RoleSlots(StrictForm):
    """The ground of the slides of a role, and how their words stand; base keeps the theme's."""

    ground: Literal["base", "background", "surface", "tint", "accent"]
    align: Literal["base", "start", "center"]


class DeckStyle(StrictForm):
    """The slots of a style, all filled."""

    colors: StyleColors
    sizes: StyleSizes
    fonts: StyleFonts
    spacing: float = Field(ge=4, le=16)
    """Pixels between paragraphs."""
    components: StyleComponents
    opening: RoleSlots
    section: RoleSlots
    ending: RoleSlots


class StyleFile(StrictForm):
    """A style as it is kept: the name of the theme it lies on, and its slots."""

    theme: str
    style: DeckStyle


@dataclass(frozen=True)
class StyledTheme:
    """A theme with the slots of a style, and what was not used of what a model gave."""

    theme: DesignTheme
    style: DeckStyle
    told: tuple[str, ...] = ()
    usage: Usage = field(default_factory=Usage)


def style_of(theme: DesignTheme) -> DeckStyle:
    """The slots of a theme as they are."""
    fonts, components = theme.fonts, theme.components
    role = RoleSlots(ground="base", align="base")
    return DeckStyle.model_validate({
        "colors": vars(theme.colors), "sizes": vars(theme.scale),
        "fonts": {"heading": fonts.heading, "body": fonts.body, "heading_bold": fonts.heading_bold},
        "spacing": theme.spacing,
        "components": {name: getattr(components, name) for name in StyleComponents.model_fields},
        "opening": role, "section": role, "ending": role,
    })  # fmt: skip


def styled(theme: DesignTheme, style: DeckStyle) -> DesignTheme:
    """A theme with the slots of a style. Raises PlanError where something could not be read."""
    colors, fonts = _colors(style), style.fonts
    return replace(
        theme,
        colors=colors,
        fonts=Fonts(
            fonts.heading,
            fonts.body,
            heading_bold=fonts.heading_bold,
            generic="serif"
            if fonts.heading in _SERIFS
            else "monospace"
            if fonts.heading == "Consolas"
            else "sans-serif",
        ),
        roles=_roles(theme, style),
        components=replace(theme.components, **style.components.model_dump()),
        scale=TypeScale(**style.sizes.model_dump()),
        dark=_dark(style.colors.background),
        spacing=style.spacing,
    )


def _colors(style: DeckStyle) -> Colors:
    return Colors(**{name: color.upper() for name, color in style.colors.model_dump().items()})


def _dark(color: str) -> bool:
    return sum(int(color[place : place + 2], 16) for place in (1, 3, 5)) < 3 * 128


def _roles(theme: DesignTheme, style: DeckStyle) -> dict[Role, RoleStyle]:
    roles = dict(theme.roles)
    for role in _ROLES:
        slots: RoleSlots = getattr(style, role)
        base = theme.role(role)
        made = base
        if slots.ground not in ("base", base.ground):
            ground: Token = slots.ground  # type: ignore[assignment]  # "base" is ruled out
            on_accent = ground == "accent"
            words: Token = "background" if on_accent else "text"
            muted: Token = "background" if on_accent else "muted"
            decor = tuple(shape for shape in base.decor if shape.fill != ground)
            made = replace(
                base, ground=ground, title=words, text=words, muted=muted, decor=decor, foot=muted,
                title_ground=None, foot_ground=None, numeral=base.numeral and words,
                numeral_ground=None,
            )  # fmt: skip
            if base.title_ground not in (None, ground):  # its band is still drawn
                made = replace(made, title=base.title, title_ground=base.title_ground)
            if base.foot_ground not in (None, ground):
                made = replace(made, foot=base.foot, foot_ground=base.foot_ground)
            if base.numeral_ground not in (None, ground):
                made = replace(made, numeral=base.numeral, numeral_ground=base.numeral_ground)
        if slots.align not in ("base", made.align):
            # What stands at one side would lie behind words that are now in its place.
            decor = tuple(shape for shape in made.decor if shape.box.width >= _ACROSS)
            align: Align = "center" if slots.align == "center" else "start"
            made = replace(made, align=align, decor=decor, inset=RoleStyle.inset)
        roles[role] = made
    return roles


def style_problem(theme: DesignTheme, style: DeckStyle) -> str | None:
    """What of a style could not be read on its ground, in words; None where all can."""
    weak = [str(pair) for pair in weak_pairs(_colors(style), _roles(theme, style))]
    return "; ".join(weak) or None


def ask_style(
    plan: DeckPlan,
    options: WriteOptions,
    theme: DesignTheme,
    ask: Ask,
    fault_of: LookFault = lambda _look: None,
) -> StyledTheme:
    """Have a model fill the slots of a deck's style, on top of a theme.

    A style that could not be read, or whose sizes and fonts have a fault, is sent back with the
    cause; after three tries the theme stays as it is, and that is told. Raises what ``ask`` raises.
    """

    def check(style: DeckStyle) -> str | None:
        return style_problem(theme, style) or fault_of(styled(theme, style))

    base = style_of(theme)
    pages = "\n".join(f"- ({slide.shown_role}) {slide.title}" for slide in plan.slides)
    text = _prompt(
        "style", plan, options, pages=pages, theme=theme.name,
        style=base.model_dump_json(indent=1), contrasts=_contrasts(theme),
    )  # fmt: skip
    try:
        reply = answered(ask, text, DeckStyle, check=check, stage="style")
    except Unanswered as error:
        told = f"style: the theme {theme.name} stays as it is: {error.problem}"
        return StyledTheme(theme, base, (told,), error.usage)
    return StyledTheme(styled(theme, reply.answer), reply.answer, (), reply.usage)


def _prompt(name: str, plan: DeckPlan, options: WriteOptions, **values: str) -> str:
    wanted = {"request": options.request, "audience": options.audience, "tone": options.tone}
    return fill_prompt(
        "decklab.writer", f"prompts/{name}.txt", title=plan.title, **wanted, **values
    )


def _contrasts(theme: DesignTheme) -> str:
    """The pairs of colours that a program measures under a theme, and what each needs."""
    alike = Colors(**dict.fromkeys(StyleColors.model_fields, "#808080"))
    pairs = list(weak_pairs(alike, theme.roles))
    least = sorted({pair.least for pair in pairs}, reverse=True)
    named = (", ".join(f"{pair.token} on {pair.ground}" for pair in pairs if pair.least == ratio)
             for ratio in least)  # fmt: skip
    return "; ".join(f"{ratio:g}:1 of {pairs}" for ratio, pairs in zip(least, named, strict=True))


class DraftChoice(StrictForm):
    """Which of the drafts suits subject and audience best, by its number."""

    best: int = Field(ge=1)
    reason: str = Field(min_length=1)


def choose_draft(
    plan: DeckPlan, options: WriteOptions, drafts: Sequence[StyledTheme], ask: Ask
) -> StyledTheme:
    """The draft that a model likes best by pictures of the first pages in each.

    A model that does not see, or gives no usable answer, leaves the first one; the latter is told.
    What is told and what it cost is that of all drafts. Raises what ``ask`` raises.
    """
    first = plan.model_copy(update={"slides": plan.slides[:_DRAFT_PAGES]})
    drawn = [page_pictures(lay_out_deck(first, draft.theme)) for draft in drafts]
    sheets = [page_sheets(dict(enumerate(pages, start=1)))[0] for pages in drawn]
    text = _prompt("drafts", plan, options, count=str(len(drafts)))

    def check(choice: DraftChoice) -> str | None:
        return None if choice.best <= len(drafts) else f"best: there is no draft {choice.best}"

    chosen, told, usage = drafts[0], [line for draft in drafts for line in draft.told], Usage()
    try:
        reply = answered(ask, text, DraftChoice, check=check, stage="drafts", images=sheets)
        chosen, usage = drafts[reply.answer.best - 1], reply.usage
    except PicturesUnseen:
        pass  # a model that reads only keeps the first
    except Unanswered as error:
        usage = error.usage
        told.append(f"style: the first of {len(drafts)} drafts was taken: {error.problem}")
    spent = sum((draft.usage for draft in drafts), usage)
    return replace(chosen, told=tuple(told), usage=spent)


def write_style(theme: str, style: DeckStyle, path: Path) -> None:
    """Write a style as JSON that a person can read and change, whole or not at all."""
    text = StyleFile(theme=theme, style=style).model_dump_json(indent=1)
    write_whole(path, f"{text}\n".encode())


def kept_style(path: Path, theme: DesignTheme) -> StyledTheme:
    """The style in a file on its theme; one for another theme is not used, which is told.

    Raises PlanError, in one line, where the file holds no style, or one whose text could not be
    read on its ground.
    """
    try:
        kept = StyleFile.model_validate_json(path.read_text(encoding="utf-8"))
    except ValidationError as error:
        raise PlanError(f"{path}: {first_fault(error)}") from error
    except (OSError, UnicodeDecodeError) as error:
        raise PlanError(f"{path}: it cannot be read: {error}") from error
    if kept.theme != theme.name:
        told = f"style: {path.name} is for the theme {kept.theme} and was not used"
        return StyledTheme(theme, style_of(theme), (told,))
    problem = style_problem(theme, kept.style)
    if problem is not None:
        raise PlanError(f"{path}: {problem}")
    return StyledTheme(styled(theme, kept.style), kept.style)
