"""A slide for each layout with all that it can show: its placeholders are taken from it."""

import base64
from pathlib import Path
from typing import Any, Final

from decklab.board.blueprint import SlidePlan
from decklab.board.library import LayoutName

_PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII="
)
_TEXT: Final = {"text": "Text"}
_COLUMN: Final = {"heading": "Heading", "points": [_TEXT]}
_STEPS: Final = [{"label": "Label", "text": "Text"}] * 3
_CONTENT: Final[dict[LayoutName, dict[str, Any]]] = {
    "title": {"subtitle": "Subtitle", "byline": "Byline"},
    "contents": {"body": [_TEXT]},
    "section": {"subtitle": "Subtitle"},
    "body": {"subtitle": "Subtitle", "body": [_TEXT, _TEXT]},
    "two_columns": {"subtitle": "Subtitle", "columns": [_COLUMN] * 2},
    "three_columns": {"subtitle": "Subtitle", "columns": [_COLUMN] * 3},
    "picture_left": {"body": [_TEXT, _TEXT]},
    "picture_right": {"body": [_TEXT, _TEXT]},
    "picture_full": {"subtitle": "Subtitle"},
    "chart": {"subtitle": "Subtitle"},
    "chart_takeaways": {"body": [_TEXT, _TEXT]},
    "table": {
        "subtitle": "Subtitle",
        "table": {"header": ["A", "B"], "rows": [["1", "2"]]},
        "body": [_TEXT, _TEXT],
    },
    "big_numbers": {"subtitle": "Subtitle", "numbers": [{"value": "1", "label": "Label"}] * 3},
    "quote": {"quote": {"text": "Text", "by": "Name"}},
    "timeline": {"subtitle": "Subtitle", "steps": _STEPS},
    "process": {"subtitle": "Subtitle", "steps": _STEPS},
    "comparison": {"subtitle": "Subtitle", "columns": [_COLUMN] * 2},
    "cards": {"subtitle": "Subtitle", "cards": _STEPS},
    "code": {"subtitle": "Subtitle", "code": {"lines": ["code"]}, "body": [_TEXT, _TEXT]},
    "closing": {"subtitle": "Subtitle", "body": [_TEXT]},
}
_CHART: Final = {
    "kind": "column", "categories": ["A"], "series": [{"name": "S", "values": [1.0]}],
    "unit": "Unit", "source": "Source",
}  # fmt: skip


def layout_samples(folder: Path) -> dict[LayoutName, SlidePlan]:
    """A plan of one slide for each layout; a picture of one pixel is written into ``folder``."""
    picture = folder / "pixel.png"
    picture.write_bytes(_PIXEL)
    plans: dict[LayoutName, SlidePlan] = {}
    for name in _CONTENT:
        content = dict(_CONTENT[name])
        if name.startswith("picture"):
            shown = {"path": str(picture), "alt": "Picture", "kind": "photograph"}
            content["picture"] = shown
        if name.startswith("chart"):
            content["chart"] = _CHART
        plans[name] = SlidePlan.model_validate(
            {"layout": name, "title": "Title", "source": "Source", **content}, strict=False
        )
    return plans
