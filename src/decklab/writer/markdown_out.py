"""A plan as slides in Markdown that ``markdown_slides`` reads back to the same plan."""

import csv
import io
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from decklab.board.blueprint import ChartPlan, DeckPlan, PicturePlan, Point, SlidePlan, Step
from decklab.board.marked_text import MarkedText, escaped, unbold
from decklab.core.errors import PlanError
from decklab.writer.markdown_content import MARKDOWN_LAYOUTS
from decklab.writer.markdown_slides import markdown_slides

_START = re.compile(r"^([#+=:-]|\d{1,9}(?=[.)])|!(?=\[))")
_BAR = re.compile(r"(?<!\\)\|")
_NOTE = re.compile(r"^(notes?):", re.IGNORECASE)


def plan_markdown(plan: DeckPlan, file: Path) -> str | None:
    """A plan as Markdown for ``file``; None where it would not be read back as the same plan."""
    text = "\n".join(_deck_lines(plan, file))
    try:
        same = markdown_slides(text, file).plan.model_dump() == plan.model_dump()
    except PlanError:
        same = False
    return text if same else None


def _deck_lines(plan: DeckPlan, file: Path) -> Iterator[str]:
    yield "---"
    settings = {"title": escaped(plan.title), "language": plan.language, "footer": plan.footer}
    for name, value in settings.items():
        if value:
            yield f"{name}: {json.dumps(value, ensure_ascii=False)}"
    if plan.slides[0].layout != "title":
        yield "title-page: no"
    yield "---"
    section: str | None = None
    for number, slide in enumerate(plan.slides):
        if number:
            yield from ("", "---")
        yield ""
        yield from _slide_lines(slide, section, file)
        section = slide.section


def _slide_lines(slide: SlidePlan, section: str | None, file: Path) -> Iterator[str]:
    if _is_plain(slide):
        yield f"<!-- layout: {slide.layout.replace('_', '-')} -->"
    if slide.section != section or slide.layout == "section":
        yield f"<!-- section: {slide.section or ''} -->"
    values = {"role": slide.role, "change": slide.change}
    shown = {"source": slide.source}
    if _is_plain(slide) and slide.layout not in ("title", "section"):
        shown["subtitle"] = slide.subtitle
    elif slide.byline and not slide.subtitle:
        shown["byline"] = slide.byline
    if slide.chart:
        values |= _chart_values(slide.chart)
    values |= {name: text and _inline(text) for name, text in shown.items()}
    for name, value in values.items():
        if value:
            yield f"<!-- {name}: {value} -->"
    yield from ("", f"# {_text(slide.title)}")
    for block in _blocks(slide, file) if _is_plain(slide) else [_given(slide)]:
        yield ""
        yield from block
    if slide.notes:
        yield from ("", "<!-- notes: " + slide.notes.replace("-->", r"--\>"), "-->")


def _chart_values(chart: ChartPlan) -> dict[str, str | None]:
    accent = chart.series[chart.accent].name if chart.accent else None
    place = chart.accent_category
    return {
        "chart-source": chart.source,
        "unit": chart.unit,
        "units": _units(chart),
        "accent": accent,
        "highlight": None if place is None else chart.categories[place],
    }


def _units(chart: ChartPlan) -> str | None:
    """The units of the series as one line of CSV; None if they have none of their own."""
    if not any(series.unit for series in chart.series):
        return None
    out = io.StringIO()
    csv.writer(out, lineterminator="").writerow([series.unit or "" for series in chart.series])
    return out.getvalue()


def _blocks(slide: SlidePlan, file: Path) -> Iterator[list[str]]:
    """The content of a slide below its title."""
    if slide.layout in ("title", "section"):
        for text in (slide.subtitle, slide.byline if slide.subtitle else None):
            if text:
                yield [_text(text)]
    if slide.picture:
        yield [_picture(slide.picture, file)]
    if slide.chart:
        yield _chart(slide.chart)
    if slide.table:
        sides = slide.table.align or ("",) * len(slide.table.header)
        rules = {"start": ":---|", "center": ":---:|", "end": "---:|", "": "---|"}
        rows = [_row(slide.table.header), f"|{''.join(rules[side] for side in sides)}"]
        yield rows + [_row(row) for row in slide.table.rows]
    if slide.code:
        fence = "`" * max(3, *(1 + len(run) for line in slide.code.lines
                              for run in re.findall("`+", line)), 3)  # fmt: skip
        yield [f"{fence}{slide.code.language or ''}", *slide.code.lines, fence]
    if slide.quote:
        by = [">", f"> — {_inline(slide.quote.by)}"] if slide.quote.by else []
        yield [f"> {_text(slide.quote.text)}", *by]
    for column in slide.columns:
        yield [f"### {_text(column.heading)}" if column.heading else "<!-- column -->"]
        yield _points(column.points)
    if slide.body:
        yield _points(slide.body, slide.first if slide.first > 1 else 0)
    numbers = [Step(label=one.value, text=one.label) for one in slide.numbers]
    steps = [*slide.cards, *slide.steps, *numbers]
    if steps:
        first = slide.first if slide.layout == "process" else 0
        yield [_step(step, f"{first + at}." if first else "-") for at, step in enumerate(steps)]


def _is_plain(slide: SlidePlan) -> bool:
    """Whether plain Markdown holds the content of a slide."""
    if slide.layout == "call_to_action":
        return slide.byline is None and slide.key == (0 if len(slide.body) > 1 else None)
    keyed = slide.key is not None and slide.layout != "body"
    return slide.layout in MARKDOWN_LAYOUTS and not (keyed or slide.axes)


def _given(slide: SlidePlan) -> list[str]:
    """The layout and content of a slide as JSON, for those that plain Markdown does not hold."""
    common = {"title", "section", "role", "source", "change", "notes"}
    content = slide.model_dump_json(exclude_defaults=True, exclude=common)
    return ["```slide", content, "```"]


def _picture(picture: PicturePlan, file: Path) -> str:
    path = Path(picture.path)
    if path.is_relative_to(file.parent):
        path = path.relative_to(file.parent)
    address = re.sub(r"([\\<>])", r"\\\1", str(path).replace("%", "%25"))
    size = f" w:{round(picture.width * 100, 4):g}%" if picture.width else ""
    return f'![{_inline(picture.alt)}{size}](<{address}> "{picture.kind}")'


def _chart(chart: ChartPlan) -> list[str]:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["", *(series.name for series in chart.series)])
    for at, name in enumerate(chart.categories):
        cells = (series.values[at] for series in chart.series)
        writer.writerow([name, *("" if value is None else repr(value) for value in cells)])
    return [f"```chart {chart.kind}", out.getvalue().rstrip("\n"), "```"]


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(_BAR.sub(escaped('|'), _inline(cell)) for cell in cells)} |"


def _points(points: Sequence[Point], first: int = 0) -> list[str]:
    """Points as a list, those without a mark as paragraphs; one alone as a list as well, so that it
    is never read as a subtitle."""
    lines: list[str] = []
    number, deeper = first, 0
    for point, after in zip(points, (*points[1:], None), strict=True):
        if not point.mark:
            heads = after is not None and after.level > point.level
            deeper = 1 if heads else 0
            lines += ["", f"### {_text(unbold(point.text))}" if heads else _text(point.text), ""]
            continue
        mark = {"☐": "- [ ]", "☑": "- [x]", "•": "-"}.get(point.mark, point.mark)
        if first and point.level == 0:
            mark, number = f"{number}.", number + 1
        lines.append(f"{'    ' * (point.level - deeper)}{mark} {_text(point.text)}")
    return lines


def _step(step: Step, mark: str) -> str:
    text = f" {_inline(step.text)}" if step.text else ""
    return f"{mark} **{_inline(step.label)}**{text}"


def _text(text: str) -> str:
    """Text at the beginning of a block, with every mark of Markdown escaped."""
    plain = _NOTE.sub(r"\1\\:", _inline(text))
    found = _START.match(plain)
    if found is None:
        return plain
    place = found.end() if found[1].isdigit() else 0
    return f"{plain[:place]}\\{plain[place:]}"


def _inline(text: str) -> str:
    return text.markdown if isinstance(text, MarkedText) else escaped(text)
