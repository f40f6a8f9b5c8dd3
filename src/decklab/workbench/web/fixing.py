"""Requests that mend findings: commands where there is one, else the words for a model."""

import re
from collections.abc import Mapping
from typing import Any, Final

_DELETE = "delete the shape {shape} on slide {slide}"
_DESCRIBE = "set the alt text of the shape {shape} on slide {slide} to "
_REPLACE = "replace {words} on slide {slide} with "
_TITLE = "change the title of slide {slide} to "
_SIZE = "set the font size of the text of the shape {shape} on slide {slide} to 12 pt"
_TITLE_SIZE = "make the title of slide {slide} {size} pt"
_TITLE_FONT = "set the font of the title of slide {slide} to {font}"
_COMMANDS: Final[Mapping[str, tuple[str, str]]] = {
    "placeholder.empty": ("", _DELETE),
    "placeholder.prompt": (r'"(?P<words>[^"…]+)" is a template', _REPLACE),
    "shape.off-slide": ("lies off the slide", _DELETE),
    "text.small": (r"set in [\d.]+ pt(?! on the layout)", _SIZE),
    "title.size": (r"not in the (?P<size>[\d.]+) pt", _TITLE_SIZE),
    "title.font": (r"not in the (?P<font>.+?) on \d+ other", _TITLE_FONT),
    "accessibility.missing-alt-text": ("", _DESCRIBE),
    "accessibility.poor-alt-text": ("", _DESCRIBE),
    "accessibility.missing-slide-title": (r"\A(?!.*no title placeholder)", _TITLE),
    "accessibility.duplicate-slide-title": ("", _TITLE),
    "accessibility.link-text": (r'The link text "(?P<words>[^"…]+)"', _REPLACE),
}
"""By rule, what a message has to say, and the request; only those that mend what was found."""


def fix_request(finding: Mapping[str, Any]) -> str:
    """The request by which the editor mends a finding; empty where it has no command for it.

    One that ends in a blank waits for the words of a person.

    >>> fix_request({"rule": "placeholder.empty", "slide": 2, "shape": "Subtitle 2 (id 3)"})
    "delete the shape 'Subtitle 2' on slide 2"
    """
    said, form = _COMMANDS.get(finding["rule"], ("", ""))
    found = re.search(said, finding.get("message") or "")
    name = re.sub(r" \(id \d+\)\Z", "", finding.get("shape") or "")
    if not form or not found or finding.get("slide") is None:
        return ""
    named = {"slide": str(finding["slide"]), "shape": _quoted(name)} | {
        key: value if key == "size" else _quoted(value) for key, value in found.groupdict().items()
    }
    return form.format(**named) if all(named[key] for key in _wanted(form)) else ""


def model_request(finding: Mapping[str, Any]) -> str:
    """What a model is asked to mend: the place, what is wrong, and what helps."""
    slide, shape = finding.get("slide"), finding.get("shape")
    place = [f"On slide {slide}" if slide else "In the deck", *([f"in {shape}"] if shape else [])]
    return " ".join(filter(None, (
        f"{', '.join(place)}: {finding.get('message') or ''}", finding.get("fix")
    )))  # fmt: skip


def _wanted(form: str) -> list[str]:
    return re.findall(r"{(\w+)}", form)


def _quoted(text: str) -> str:
    """Text as requests quote it; empty where both quotes are in it, or nothing is."""
    if not text or ("'" in text and '"' in text):
        return ""
    return f'"{text}"' if "'" in text else f"'{text}'"
