"""The pages of a deck as one HTML document: what a plan says, under the variables of a theme."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from html import escape
from itertools import accumulate
from math import cos, pi, sin
from typing import Any, Final

from jinja2 import ChoiceLoader, Environment, FunctionLoader, PackageLoader, StrictUndefined

from decklab.board.blueprint import ChartPlan, CodePlan, DeckPlan, SlidePlan, TablePlan
from decklab.board.boxes import ChartBox, Shape, Token
from decklab.board.flowchart import flow_grid
from decklab.board.html_charts import ChartDrawing
from decklab.board.icons.library import icons_of
from decklab.board.languages import layout_words, primary_language, quotation_marks
from decklab.board.library import LAYOUTS, Role
from decklab.board.marked_text import MarkedText, bold, cut, joined
from decklab.board.pages.free import filled
from decklab.board.pages.links import link_lines
from decklab.board.pages.pictures import picture_address
from decklab.board.splitting import sides_of
from decklab.board.themes import LEAST_PT, Colors, DesignTheme, RoleStyle, font_stack
from decklab.board.typography import Face
from decklab.core.files import package_data
from decklab.core.geometry import FRAME_HEIGHT, FRAME_WIDTH, Box
from decklab.core.lazy import extra_module
from decklab.core.registry import outside
from decklab.documents.table_columns import names_total

_SCRIPTS: Final = {
    "ar": "Noto Sans Arabic", "fa": "Noto Sans Arabic", "ur": "Noto Sans Arabic",
    "he": "Noto Sans Hebrew", "zh": "Noto Sans CJK SC", "ja": "Noto Sans CJK JP",
    "ko": "Noto Sans CJK KR", "th": "Noto Sans Thai",
}  # fmt: skip
"""A family for languages whose letters the families of themes lack. It stands first: office
programs take the spaces between such words from it, too."""
_GRID_COLUMN: Final = 74
"""Pixels of a column of the grid with its gutter."""
_STANDING: Final = frozenset({"title", "section", "closing"})
_INSIDE: Final = Box(48, 36, 912, 500)
"""Of a page, inside its margins."""
_CHART_SIZES: Final = ((16.0, 640.0), (14.0, 420.0), (12.0, 0.0))
"""Ours: points of the words of charts, each for charts of that width on."""
_READABLE: Final = 4.5
"""Contrast of words in code (WCAG 2.2, 1.4.3)."""
_NARROW: Final = 8
"""Ours: columns of a title that may take four lines in place of three."""
_LEAD: Final = re.compile(r"([^:：]{2,40}(?:：|:(?= )))( *)(?=.)")


@dataclass(frozen=True)
class PageSizes:
    """How a page is set: sizes in points, and space between paragraphs in pixels.

    ``charts`` are the widths and heights of its charts, as the browser laid them out.
    """

    text: float = 20.0
    title: float = 28.0
    air: float = 10.0
    whole: bool = True
    """Whether no word has to be broken."""
    icons: bool = True
    """Whether it holds the icons that its words name."""
    sparse: bool = False
    """Whether its text fills less than half of its room."""
    form: str = ""
    """The one of its layout's forms in which it is drawn."""
    steady: bool = True
    """Whether the lines of its title may be balanced: they break alike in other programs."""
    chart: tuple[float, float] = (864.0, 300.0)
    parts: tuple[Box, ...] = ()
    """Where the parts that lines join are, as the browser laid them out."""

    @property
    def css(self) -> str:
        """The sizes as variables of the page."""
        return (
            f"--size:{self.text:g}px;--title-size:{self.title:g}px;--air:{self.air:g}px;"
            f"--cell:{max(self.air * 0.75, 5):g}px;{'' if self.steady else '--wrap:pretty;'}"
        )


class AreaPage(SlidePlan):
    """The content of a slide in an area of a page: its title is not shown.

    ``area`` is left, top, width and height in pixels of the page, ``ground`` the colour behind it,
    ``most`` the points that its text has at most.
    """

    area: tuple[float, float, float, float]
    ground: str
    most: float

    @property
    def css(self) -> str:
        """The area as a style."""
        left, top, width, height = self.area
        return f"left:{left:g}px;top:{top:g}px;width:{width:g}px;height:{height:g}px;"


@dataclass(frozen=True)
class DeckPages:
    """Slides of a plan with the theme and the language that they share."""

    plan: DeckPlan
    theme: DesignTheme
    icons: bool = False

    def html(self, slides: Sequence[SlidePlan], sizes: Sequence[PageSizes]) -> str:
        """The document of some slides; numbers count from 1."""
        sections = list(accumulate(slide.layout == "section" for slide in slides))
        pages = [
            self._page(slide, size, number, section)
            for number, (slide, size, section) in enumerate(
                zip(slides, sizes, sections, strict=True), start=1
            )
        ]
        template = _environment().get_template("deck.html")
        return template.render(
            plan=self.plan, pages=pages, style=self._style(), variants=_variants(self.theme)
        )

    def _style(self) -> str:
        theme = self.theme
        sheets = [
            package_data("decklab.board.pages", name).decode()
            for name in ("pages.css", "designs.css")
        ]
        variables = _declared(_theme_variables(theme, self.plan.language))
        return f":root {{ {variables} }}\n{''.join(sheets)}"

    def _page(self, slide: SlidePlan, size: PageSizes, number: int, section: int) -> str:
        role = _style_of(self.theme, slide)
        marks = quotation_marks(self.plan.language)
        standing = slide.layout in _STANDING
        values: dict[str, Any] = {
            "slide": slide, "number": number, "role": _drawn_role(slide), "standing": standing,
            "layout_name": LAYOUTS[slide.layout].title, "source": slide.shown_source,
            "footer": self.plan.footer, "notes": _notes(slide), "rtl": self.plan.right_to_left,
            "opened": marks[0], "closed": marks[1],
            "look": size.css + _declared(_role_variables(self.theme, role)),
            "decor": [self._decor(shape) for shape in role.decor],
            "numeral": f"{section:02}" if role.numeral and slide.layout == "section" else "",
            "broken": not size.whole, "sparse": size.sparse, "form": size.form,
            "sides": [], "totals": (), "words": layout_words(self.plan.language),
            "links": list(link_lines(slide, size.parts)), "grid": page_grid(slide), "icons": {},
            "area": "", "filled": filled,
            "code": "" if slide.code is None else code_html(slide.code),
        }  # fmt: skip
        if standing:
            narrow = role.columns <= _NARROW or self.theme.fonts.generic == "monospace"
            values["look"] += f"--title-lines:{4 if narrow else 3};"
        if isinstance(slide, AreaPage):
            values["area"] = slide.css
            values["look"] += f"--ground:{slide.ground};"
        if slide.table is not None:
            values["sides"] = sides_of(slide.table)
            values["totals"] = _totals(slide.table) if "end" in values["sides"] else ()
        if self.icons and size.icons and primary_language(self.plan.language) == "en":
            values["icons"] = icons_of(slide, topic=self.plan.title)
        values["images"] = {
            picture.path: picture_address(picture.path) for picture in slide.all_pictures
        }
        drawings = self._drawings(slide, size)
        points = drawings[0].size if drawings else LEAST_PT
        values["look"] += f"--chart-size:{points:g}px;"
        values["charts"] = [
            (chart.model_dump_json(exclude_defaults=True), drawing.svg(), _common_unit(chart))
            for chart, drawing in zip(slide.all_charts, drawings, strict=True)
        ]
        return _environment().get_template("page.html").render(values)

    def _decor(self, shape: Shape) -> dict[str, Any]:
        value = self.theme.colors.value
        if not shape.points:
            return {"css": _shape_css(shape, self.theme), "corners": ""}
        mirrored = self.plan.right_to_left
        corners = " ".join(
            f"{FRAME_WIDTH - across if mirrored else across:g},{down:g}"
            for across, down in shape.points
        )
        return {"corners": corners, "fill": value(shape.fill) if shape.fill else "none"}

    def chart_problem(self, slide: SlidePlan, size: PageSizes) -> str | None:
        """The part of a slide's chart that cannot be read in its place; None if all can."""
        problems = (drawing.frame.problem for drawing in self._drawings(slide, size))
        return next(filter(None, problems), None)

    def _drawings(self, slide: SlidePlan, size: PageSizes) -> list[ChartDrawing]:
        """A slide's charts, their words of the largest size at which they show what they show at
        the least one."""
        least = [self._drawing(chart, size, LEAST_PT) for chart in slide.all_charts]
        for points, width in _CHART_SIZES:
            if points > LEAST_PT and size.chart[0] >= width:
                larger = [self._drawing(chart, size, points) for chart in slide.all_charts]
                if list(map(_shown_of, larger)) == list(map(_shown_of, least)):
                    return larger
        return least

    def _drawing(self, chart: ChartPlan, size: PageSizes, points: float) -> ChartDrawing:
        box = ChartBox("Chart", Box(0, 0, *size.chart), chart, points)
        face = Face(self.theme.fonts.body, language=self.plan.language)
        return ChartDrawing(box, face, self.theme.colors)


def _shown_of(drawing: ChartDrawing) -> tuple[object, ...]:
    """Which words of a chart have a place, and how."""
    frame = drawing.frame
    shown = [bool(name) for name in frame.names]
    return frame.style, shown, frame.labelled, frame.parts, len(frame.points), frame.problem


@cache
def _environment() -> Environment:
    own = PackageLoader("decklab.board.pages", "layouts")
    loader = ChoiceLoader([own, FunctionLoader(_added_template)])
    made = Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True)
    made.filters["led"] = _led
    return made


def _led(text: str) -> str:
    """A paragraph whose few words before a colon are bold, unless they have marks of their own."""
    found = _LEAD.match(text)
    if found is None or isinstance(cut(text, 0, found.end()), MarkedText):
        return text
    return joined(" " if found[2] else "", (bold(found[1]), cut(text, found.end())))


def _added_template(name: str) -> str | None:
    """The template of a layout of another package; raises ExtensionError if it cannot be read."""
    layout = name.removesuffix(".html")
    path = LAYOUTS[layout].template if layout in LAYOUTS else None
    return None if path is None else outside(path.read_text, "utf-8")


def _variants(theme: DesignTheme) -> str:
    """The classes by which ``designs.css`` draws the parts of pages."""
    parts = theme.components
    chosen = {
        "cards": parts.card, "badge": parts.badge, "table": parts.table, "title": parts.title,
        "picture": parts.picture, "kicker": parts.kicker,
    }  # fmt: skip
    return " ".join(f"{part}-{name}" for part, name in chosen.items())


def _style_of(theme: DesignTheme, slide: SlidePlan) -> RoleStyle:
    """The style of a slide; no decoration crosses one whose title stands elsewhere."""
    style = theme.role(_drawn_role(slide))
    if not LAYOUTS[slide.layout].large_title or slide.layout in _STANDING:
        return style
    decor = tuple(shape for shape in style.decor if not _INSIDE.intersection(shape.box).area)
    title = style.title if style.title_ground is None else style.text
    return replace(style, decor=decor, title=title, title_ground=None)


def _drawn_role(slide: SlidePlan) -> Role:
    """The role whose look a slide has: an ending that shows more than words is drawn as others."""
    own = LAYOUTS[slide.layout].role
    plain = slide.layout in ("body", "closing")
    return slide.shown_role if plain or slide.shown_role != "ending" else own


def _theme_variables(theme: DesignTheme, language: str) -> dict[str, str]:
    colors = theme.colors
    card = theme.components.card
    script = _SCRIPTS.get(primary_language(language), "")
    radius = theme.components.radius if theme.components.rounded else 0
    line = f"1px solid {colors.line}"
    return {
        "surface": colors.surface, "muted": colors.muted, "accent": colors.accent,
        "on-accent": colors.background, "tint": colors.tint, "line": colors.line,
        "code": _code_color(colors), "grey": colors.grey1, "radius": f"{radius:g}px",
        "bullet": f'"{theme.components.bullet}"',
        "badge": "50%" if theme.components.badge == "disc" else "0px",
        "card": colors.surface if card in ("filled", "side") else "transparent",
        "card-line": line if card == "outlined" else "none",
        "card-rule": f"4px solid {colors.accent}" if card == "ruled" else
        line if card == "outlined" else "none",
        "title-weight": "700" if theme.fonts.heading_bold else "400",
        "heading-font": font_stack(theme, theme.fonts.heading, script),
        "text-font": font_stack(theme, theme.fonts.body, script),
    }  # fmt: skip


def _code_color(colors: Colors) -> str:
    """Of texts and numbers in code: a second colour of the theme, if it can be read there."""
    tokens: tuple[Token, ...] = ("grey1", "grey2", "grey3")
    read = (colors.value(token) for token in tokens
            if colors.contrast(token, "surface") >= _READABLE)  # fmt: skip
    return next(read, colors.accent)


def _role_variables(theme: DesignTheme, role: RoleStyle) -> dict[str, str]:
    value = theme.colors.value
    on_accent = role.ground == "accent"
    return {
        "ground": value(role.ground), "ink": value(role.text), "title-ink": value(role.title),
        "lead-ink": value(role.muted), "foot-ink": value(role.foot),
        "accent-ink": value("background" if on_accent else "accent"),
        "align": role.align, "stand": "center" if role.align == "center" else "flex-start",
        "head": "108px" if role.title_ground else "auto",
        "head-pad": "10px 0" if role.title_ground else "36px 0 0",
        "head-gap": "30px" if role.title_ground else "22px",
        "wide": f"{_GRID_COLUMN * role.columns}px",
        "inset": f"{role.inset:g}px", "stand-height": "296px" if role.rise == "low" else "216px",
        "numeral-ink": value(role.numeral or role.title), "below": f"{_below(role):g}px",
    }  # fmt: skip


def _below(role: RoleStyle) -> float:
    """Pixels that words keep at the bottom, where shapes stand that are as wide as the page."""
    wide = (shape.box for shape in role.decor if shape.box.width >= FRAME_WIDTH / 2)
    tops = (box.top for box in wide if box.top > 0.8 * FRAME_HEIGHT)
    return max(48, FRAME_HEIGHT + 12 - min(tops, default=FRAME_HEIGHT))


def _common_unit(chart: ChartPlan) -> str:
    """The unit that stands above a chart; two units, and those of a scatter, stand at its axes."""
    alone = len(chart.units) == 1 and chart.kind != "scatter"
    return (chart.units[0] or "") if alone else ""


def _notes(slide: SlidePlan) -> str:
    """The notes of the speaker, with the sources of the facts."""
    return "\n".join(filter(None, (slide.notes.strip(), slide.shown_source)))


def _declared(variables: Mapping[str, str]) -> str:
    return "".join(f"--{name}:{value};" for name, value in variables.items())


def _shape_css(shape: Shape, theme: DesignTheme) -> str:
    left, top, *_ = shape.box
    wide, high = shape.box.width, shape.box.height
    look = f"inset-inline-start:{left:g}px;top:{top:g}px;width:{wide:g}px;height:{high:g}px;"
    if shape.fill:
        look += f"background:{theme.colors.value(shape.fill)};"
    if shape.line:
        look += f"border:{shape.stroke:g}px solid {theme.colors.value(shape.line)};"
    return look + ("border-radius:50%;" if shape.geometry == "ellipse" else "")


def _totals(table: TablePlan) -> list[tuple[str, ...]]:
    """The rows that sum up others: named so, or the last one if it has no name."""
    *_rows, last = table.rows
    return [row for row in table.rows if names_total(row[0]) or (row is last and not row[0])]


_CLASSES: Final = (
    ("Comment", "c"), ("Keyword", "k"), ("Operator.Word", "k"), ("Literal.String", "s"),
    ("Literal.Number", "n"), ("Name.Function", "f"), ("Name.Class", "f"), ("Name.Decorator", "f"),
    ("Name.Tag", "k"), ("Name.Attribute", "f"), ("Generic.Inserted", "s"), ("Generic.Deleted", "k"),
)  # fmt: skip
"""Kinds of tokens of Pygments, and the class of ``pages.css`` that colours them."""


def code_html(plan: CodePlan) -> str:
    """The lines with ``span`` elements around what has a colour; all plain if the language is
    unknown. Raises Unavailable without ``decklab[write]``."""
    text = "\n".join(plan.lines)
    lexer = _lexer(plan.language or "")
    if lexer is None:
        return escape(text)
    return "".join(
        f'<span class="{name}">{escape(words)}</span>' if (name := _class(kind)) else escape(words)
        for kind, words in lexer.get_tokens(text)
    )


@cache
def _lexer(language: str) -> Any:
    """Of a language by the name that a source gives it; None if there is none."""
    lexers = extra_module("pygments.lexers", "colouring code", "write")
    unknown = extra_module("pygments.util", "colouring code", "write").ClassNotFound
    try:
        return lexers.get_lexer_by_name(language, stripnl=False, ensurenl=False)
    except unknown:
        return None


@cache
def _class(kind: Any) -> str:
    name = str(kind).removeprefix("Token.")
    return next((short for long, short in _CLASSES if name.startswith(long)), "")


_RADIUS = 39.0
"""Ours: of a ring of discs, in hundredths of its place, so that the discs are inside of it."""


@dataclass(frozen=True)
class GridCell:
    """Lines of a grid, which count from 1: the first one, and how many it spans, of a level."""

    first: int
    span: int
    level: int


@dataclass(frozen=True)
class PageGrid:
    """The cells of a page's parts in reading order, and how many lines and levels there are."""

    cells: tuple[GridCell, ...] = ()
    lines: int = 0
    levels: int = 0
    spots: tuple[tuple[float, float], ...] = ()
    """Of discs in a ring: across and down, in hundredths of the ring."""


def page_grid(slide: SlidePlan) -> PageGrid:
    """The grid of a slide of a tree, an organisation, lanes, a cycle or a flowchart; else empty."""
    match slide.layout:
        case "tree":
            return _tree([point.level for point in slide.body])
        case "org_chart":
            return _tree([person.level for person in slide.people])
        case "flowchart" if slide.flow is not None:
            flow = flow_grid(slide.flow)
            cells = tuple(GridCell(cell.line, 2, cell.layer) for cell in flow.cells)
            return PageGrid(cells, flow.lines, flow.layers)
        case "swimlanes":
            return _lanes(slide)
        case "cycle":
            return PageGrid(spots=_ring(len(slide.steps)))
    return PageGrid()


def _tree(levels: Sequence[int]) -> PageGrid:
    """Each item of a tree spans its leaves, and each leaf a line."""
    leaves = [not (after > level) for level, after in zip(levels, (*levels[1:], 0), strict=True)]
    cells = []
    for number, level in enumerate(levels):
        below = number + 1
        while below < len(levels) and levels[below] > level:
            below += 1
        cells.append(GridCell(sum(leaves[:number]) + 1, sum(leaves[number:below]), level))
    return PageGrid(tuple(cells), sum(leaves), max(levels) + 1)


def _lanes(slide: SlidePlan) -> PageGrid:
    """Each step stands in the row of its lane, and in the column of its time."""
    times = sorted({step.at for lane in slide.lanes for step in lane.steps})
    cells = [
        GridCell(times.index(step.at) + 1, 1, row)
        for row, lane in enumerate(slide.lanes)
        for step in lane.steps
    ]
    return PageGrid(tuple(cells), len(times), len(slide.lanes))


def _ring(count: int) -> tuple[tuple[float, float], ...]:
    """Discs in a ring, clockwise; as many are to the right as to the left, or one more below."""
    angles = [2 * pi * (number + 0.5) / count - pi / 2 for number in range(count)]
    return tuple(
        (round(50 + _RADIUS * cos(turn), 2), round(50 + _RADIUS * sin(turn), 2)) for turn in angles
    )
