"""Pages from templates: what is shown is escaped and without control characters."""

from functools import cache
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined

from decklab.core.results import NotScored
from decklab.core.version import VERSION
from decklab.pages.wording import SEVERITY_LABELS, clean, counted
from decklab.workbench.web.fixing import fix_request, model_request
from decklab.workbench.web.showing import in_request

ROOMS: Final = (
    ("/", "Library"), ("/write", "Write"), ("/evaluate", "Evaluate"), ("/rank", "Rank"),
)  # fmt: skip
"""What the head of each page leads to."""


def render(template: str, *, here: str = "", **context: Any) -> str:
    """A page or a part of one, as HTML; ``here`` is the room of it that is marked in its head."""
    return (
        _environment()
        .get_template(template)
        .render(version=VERSION, rooms=ROOMS, here=here, **context)
    )


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("decklab.workbench.web"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(
        counted=counted,
        severity=SEVERITY_LABELS.__getitem__,
        fix_request=fix_request,
        model_request=model_request,
        in_request=in_request,
        stem=lambda name: Path(name).stem,
    )
    environment.tests["not_scored"] = lambda value: isinstance(value, NotScored)
    environment.tests["fixable"] = lambda finding: bool(fix_request(finding))
    return environment


def _shown(value: Any) -> Any:
    return clean(value) if isinstance(value, str) and not hasattr(value, "__html__") else value
