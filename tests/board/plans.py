"""Plans for tests: every layout with text of one language, from the shortest to the longest."""

from functools import cache
from pathlib import Path
from typing import Any

from generate.composing.showcase import showcase_plan

from decklab.board.blueprint import DeckPlan

# language, title, sentence, half a sentence, one word
_TEXTS = {
    "short": ("en", "A", "B", "C", "D"),
    "long": (
        "en-GB",
        "Broken pumps rather than dry wells leave most of the forty villages without water",
        "Spare parts took forty-seven days on average to arrive in the villages that had no "
        "trained mechanic of their own, and a visit of an engineer took as long again",
        "Spare parts took forty-seven days on average",
        "Spare",
    ),
    "german": (
        "de-DE",
        "Wasserversorgungsgenossenschaften der Donaudampfschifffahrtsgesellschaft brauchen "
        "Ersatzteile",
        "Instandhaltungsverantwortliche und Gemeindeverwaltungen vereinbaren "
        "Wartungsintervalle für Grundwasserentnahmeeinrichtungen",
        "Instandhaltungsverantwortliche und Gemeinden",
        "Ersatzteillieferungen",
    ),
    "arabic": (
        "ar",
        "المضخات المعطلة هي التي تترك القرى بلا ماء وليست الآبار الجافة",
        "قطع الغيار تصل بعد سبعة وأربعين يوما في المتوسط إلى القرى البعيدة",
        "قطع الغيار تصل بعد سبعة وأربعين يوما",
        "المضخات",
    ),
    "chinese": (
        "zh-CN",
        "没有水的村庄不是因为井干了，而是因为水泵坏了，需要更多备件",
        "备件平均需要四十七天才能送到偏远的村庄，培训后的技工六天就能修好",
        "备件平均需要四十七天",
        "水泵",
    ),
}
LANGUAGES = tuple(_TEXTS)


def plan_of(data: dict[str, Any]) -> DeckPlan:
    """A plan from plain data, lists and all."""
    return DeckPlan.model_validate(data, strict=False)


def every_layout(language: str, pictures: Path) -> DeckPlan:
    """Each layout once, filled with the text of a language; ``long`` with much of it."""
    tag, title, sentence, half, word = _TEXTS[language]
    count = {"short": 1, "long": 8}.get(language, 3)
    shown = _shown(pictures)
    slides = []
    for slide in shown.slides:
        data = slide.model_dump(exclude_defaults=True)
        data = {key: data[key] for key in ("layout", "picture") if key in data}
        data |= _content(slide.layout, (sentence, half, word), count) | {"title": title}
        slides.append(data)
    return plan_of({"title": title, "language": tag, "footer": half, "slides": slides})


def later_layouts(language: str, pictures: Path) -> DeckPlan:
    """Each layout of figures, people and several pictures once, filled like ``every_layout``."""
    tag, title, sentence, half, word = _TEXTS[language]
    picture = next(slide.picture for slide in _shown(pictures).slides if slide.picture)
    count = {"short": 1, "long": 6}.get(language, 3)
    contents = _later_content((sentence, half, word), count, picture.model_dump())
    slides = [{"layout": layout, "title": title, **contents[layout]} for layout in contents]
    return plan_of({"title": title, "language": tag, "footer": half, "slides": slides})


def _later_content(
    texts: tuple[str, str, str], count: int, picture: dict[str, Any]
) -> dict[str, dict[str, Any]]:
    sentence, half, word = texts
    points = [{"text": sentence}] * count
    halves = [{"text": half}] * max(count, 2)
    column = {"heading": word, "points": [{"text": half}] * count}
    chart = {"kind": "column", "categories": ["1", "2", "3"], "unit": word, "source": half,
             "series": [{"name": word, "values": [1.5, 2.5, 4.0]}], "heading": half}  # fmt: skip
    steps = [{"label": word, "text": half}] * max(min(count, 6), 3)
    person = {"name": f"{word} {word}", "role": half}
    caption = {**picture, "caption": half}
    option = {"name": word, "text": half, "pros": [half] * count, "cons": [word] * count}
    lane = {"name": word, "steps": [{"text": half, "at": 1}, {"text": word, "at": 3}]}
    levels = [0, 1, 2, 2, 1, 2, 1][: max(count, 3) + 1]
    task = {"label": half, "first": 1, "last": 2}
    return {
        "agenda": {"body": halves, "key": 1},
        "statement": {"body": points[:3], "source": half},
        "call_to_action": {"body": points[:4], "byline": half},
        "checklist": {"body": points},
        "next_steps": {"actions": [{"text": sentence, "owner": word, "due": "1 May"}] * count},
        "decisions": {"actions": [{"text": sentence, "owner": word, "due": "1 May"}] * count},
        "faq": {"cards": [{"label": half, "text": sentence}] * count},
        "problem_solution": {"columns": [column] * 2},
        "before_after": {"columns": [column] * 2},
        "options": {"options": [option, {**option, "recommended": True}]},
        "two_by_two": {"cards": [{"label": word, "text": half}] * 4, "key": 1,
                       "axes": {"across": word, "up": half}},
        "number_wall": {"numbers": [{"value": "1,234", "label": half}] * (4 + min(count, 5))},
        "cycle": {"steps": steps},
        "funnel": {"steps": steps},
        "pyramid": {"steps": steps},
        "gantt": {"schedule": {"periods": ["1", "2", "3", "4"],
                               "tasks": [task, {**task, "first": 3, "last": 3}] * count}},
        "org_chart": {"people": [{**person, "level": level} for level in levels]},
        "tree": {"body": [{"text": half, "level": level} for level in levels]},
        "swimlanes": {"lanes": [lane, {"name": half, "steps": [{"text": half, "at": 2}]}]},
        "team": {"people": [{**person, "picture": picture}, *[person] * count]},
        "chart_table": {"chart": chart, "table": {"header": [word, half],
                                                  "rows": [[half, "12"]] * (2 * count)}},
        "two_charts": {"charts": [chart] * 2},
        "small_multiples": {"charts": [{**chart, "kind": "line"}] * min(2 + count, 6)},
        "picture_half": {"picture": {**picture, "kind": "photograph"}, "body": points[:3]},
        "picture_grid": {"pictures": [caption] * min(count + 1, 6)},
        "picture_labels": {"picture": picture,
                           "labels": [{"x": 0.2, "y": 0.9, "label": word, "text": half}] * count},
        "quote_picture": {"picture": picture, "quote": {"text": sentence, "by": half}},
        "code_remarks": {"code": {"lines": ["for x in y:", f"    {word}"] * count},
                         "remarks": [{"line": 2, "text": half}] * count},
        "formula": {"formula": {"text": "a = b / c", "reading": sentence},
                    "steps": [{"label": "a", "text": half}] * count},
        "flowchart": {"flow": {
            "nodes": [{"text": half}, {"text": word, "kind": "decision"},
                      *[{"text": word}] * count],
            "links": [{"first": 0, "second": 1},
                      *({"first": 1, "second": 2 + at, "label": "1"} for at in range(count)),
                      {"first": 2, "second": 0}]}},
        "free": {"html": f'<div style="display:flex;gap:24px"><p>{half}</p><p>{word}</p></div>'},
    }  # fmt: skip


@cache
def _shown(pictures: Path) -> DeckPlan:
    return showcase_plan(pictures)


def _content(layout: str, texts: tuple[str, str, str], count: int) -> Any:
    sentence, half, word = texts
    points = [{"text": sentence}] * count
    few = points[:3]
    column = {"heading": word, "points": points}
    steps = [{"label": word, "text": half}] * max(min(count, 8), 2)
    series = [{"name": name, "values": [1.5, 2.5, 4.0]} for name in (word, f"{word} 2")]
    chart = {"kind": "line", "categories": ["1", "2", "3"], "series": series, "unit": half,
             "source": half}  # fmt: skip
    rows = [[word, sentence, "12"]] * (3 * count)
    contents: dict[str, dict[str, Any]] = {
        "title": {"subtitle": sentence, "byline": half},
        "contents": {"body": points},
        "section": {"subtitle": sentence},
        "body": {"subtitle": half, "body": points, "source": sentence},
        "picture_left": {"body": few},
        "picture_right": {"body": few},
        "picture_full": {"subtitle": half, "source": half},
        "chart": {"subtitle": half, "chart": chart},
        "chart_takeaways": {"chart": {**chart, "kind": "column"}, "body": few},
        "table": {"table": {"header": [word, half, half], "rows": rows}},
        "big_numbers": {"numbers": [{"value": "1,234", "label": half}] * 3},
        "quote": {"quote": {"text": sentence, "by": half}},
        "two_columns": {"columns": [column] * 2},
        "three_columns": {"columns": [column] * 3},
        "comparison": {"columns": [column] * 2},
        "process": {"steps": steps},
        "timeline": {"steps": steps},
        "cards": {"cards": [{"label": word, "text": sentence}] * max(min(count, 6), 2)},
        "code": {"code": {"lines": [half, f"    {word}"] * count}, "body": few},
        "closing": {"subtitle": sentence, "body": points[:1]},
    }
    return contents[layout]
