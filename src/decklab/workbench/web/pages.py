"""Pages from templates: what is shown is escaped and without control characters; and decks,
versions, jobs and findings as plain data for them.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from fastapi.responses import FileResponse
from jinja2 import Environment, PackageLoader, StrictUndefined

from decklab.core.naming import labelled_id, labelled_name
from decklab.core.results import NotScored
from decklab.core.version import VERSION
from decklab.pages.wording import SEVERITY_LABELS, SEVERITY_ORDER, clean, counted, plain
from decklab.workbench.web.database import DeckRow, FolderRow, JobRow, VersionRow
from decklab.workbench.web.jobs import OPEN, Jobs
from decklab.workbench.web.library import Facts, Library, line_of

STAGES: Mapping[str, str] = {
    "draw": "drawing slides", "rest": "drawing the other slides",
    "lint": "looking for faults", "score": "scoring", "read": "reading the deck",
    "plan": "planning", "edit": "editing", "check": "checking", "compare": "comparing",
    "save": "saving", "fix": "fixing", "export": "making the file",
}  # fmt: skip


def kept_picture(path: Path, format: str = "webp") -> FileResponse:
    """A picture of a slide, which never changes: browsers keep it for a year."""
    headers = {"cache-control": "private, max-age=31536000, immutable"}
    return FileResponse(path, media_type=f"image/{format}", headers=headers)


def attached(path: Path, name: str) -> FileResponse:
    """A file to be saved under a name."""
    headers = {"content-disposition": f"attachment; filename*=UTF-8''{quote(name, safe='')}"}
    return FileResponse(path, media_type="application/octet-stream", headers=headers)


def version_json(library: Library, version: VersionRow, facts: Facts | None) -> dict[str, Any]:
    """A version, and its facts if it was looked at."""
    fields: dict[str, Any] = {"looked_at": facts is not None}
    if facts is not None:
        fields |= {
            "slides": facts.slides, "titles": list(facts.titles),
            "findings": list(facts.findings), "not_run": list(facts.not_run),
            "scores": list(facts.scores), "not_drawn": facts.not_drawn,
        }  # fmt: skip
    return {
        "number": version.number, "parent": version.parent, "bytes": version.size,
        "sha256": version.digest, "made_by": version.made_by, "job": version.job,
        "created": version.created, **fields,
    }  # fmt: skip


def decks_json(library: Library, decks: Sequence[DeckRow]) -> list[dict[str, Any]]:
    """Decks with their versions in short."""
    versions = library.versions(row.id for row in decks)
    files = library.folder_files(row.id for row in decks)
    return [_deck_json(library, deck, versions[deck.id], files.get(deck.id)) for deck in decks]


def _deck_json(
    library: Library, deck: DeckRow, versions: Sequence[VersionRow], file: FolderRow | None
) -> dict[str, Any]:
    current = next((version for version in versions if version.number == deck.current), None)
    facts = library.facts(current) if current else None
    return {
        "id": deck.id, "name": deck.name, "created": deck.created, "current": deck.current,
        "slides": facts.slides if facts else None,
        "quality": score_of(facts, "quality.score"),
        "in_folder": None if file is None else {"version": file.version, "gone": file.gone},
        "versions": [
            {"number": row.number, "parent": row.parent, "made_by": row.made_by}
            for row in versions
        ],
    }  # fmt: skip


def behind_file(file: FolderRow | None, versions: Sequence[VersionRow], current: int) -> bool:
    """Whether a deck has a file in the folder whose version the current one does not come from."""
    return file is not None and file.version not in (None, *line_of(versions, current))


def job_json(jobs: Jobs, job: JobRow) -> dict[str, Any]:
    """A job: its state, its stage while it runs, and its result."""
    stage = jobs.stage(job) if job.state == "running" else ""
    return {
        "id": job.id, "kind": job.kind, "deck": job.deck, "version": job.number,
        "asked": dict(job.asked), "state": job.state, "open": job.state in OPEN,
        "stage": STAGES.get(stage, stage), "message": job.message, "result": job.result,
        "created": job.created, "begun": job.begun, "ended": job.ended,
    }  # fmt: skip


def score_of(facts: Facts | None, metric: str) -> float | None:
    """A score of a version; None if it has none."""
    for row in facts.scores if facts else ():
        if row["metric"] == metric:
            value = row["value"]
            return float(value) if value is not None else None
    return None


def worst_findings(facts: Facts | None) -> str:
    """How many findings of the worst kind there are, in words; empty if it is not known."""
    if facts is None:
        return ""
    for severity, word in (("error", "error"), ("warning", "warning"), ("info", "note")):
        number = sum(finding["severity"] == severity for finding in facts.findings)
        if number:
            return counted(number, word)
    return "no findings"


def worst_first(facts: Facts | None) -> list[dict[str, Any]]:
    """The findings of a version by severity, then by slide."""

    def key(finding: Mapping[str, Any]) -> tuple[int, int, str]:
        return SEVERITY_ORDER[finding["severity"]], finding["slide"] or 0, finding["rule"]

    return sorted(facts.findings if facts else (), key=key)


def outlined(finding: Mapping[str, Any]) -> str:
    """The end of an address that outlines the shape of a finding; empty if it names none."""
    shape = labelled_id(finding.get("shape") or "")
    return "" if shape is None else f"#shape-{shape}"


def in_request(shape: Mapping[str, Any], slide: int) -> str:
    """How a request names a shape.

    >>> in_request({"id": 2, "name": "Title 1"}, 3)
    "'Title 1' on slide 3"
    """
    name = " ".join(str(shape["name"]).split())
    quote = '"' if "'" in name else "'"
    return f"{quote}{name}{quote} on slide {slide}"


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
"""By rule, a pattern of the message, and the request; only requests that mend the finding."""


def fix_request(finding: Mapping[str, Any]) -> str:
    """The request by which the editor mends a finding; empty if it has no command for it.

    One that ends in a blank waits for the words of a person.

    >>> fix_request({"rule": "placeholder.empty", "slide": 2, "shape": "Subtitle 2 (id 3)"})
    "delete the shape 'Subtitle 2' on slide 2"
    """
    said, form = _COMMANDS.get(finding["rule"], ("", ""))
    match = re.search(said, finding.get("message") or "")
    name = labelled_name(finding.get("shape") or "")
    if not form or not match or finding.get("slide") is None:
        return ""
    named = {"slide": str(finding["slide"]), "shape": _quoted(name)} | {
        key: value if key == "size" else _quoted(value) for key, value in match.groupdict().items()
    }
    return form.format(**named) if all(named[key] for key in _wanted(form)) else ""


def model_request(finding: Mapping[str, Any]) -> str:
    """Request to a model to mend a finding: the place, the fault, and the fix."""
    slide, shape = finding.get("slide"), finding.get("shape")
    words = [f"On slide {slide}" if slide else "In the deck", *([f"in {shape}"] if shape else [])]
    return " ".join(
        filter(None, (f"{', '.join(words)}: {finding.get('message') or ''}", finding.get("fix")))
    )


def _wanted(form: str) -> list[str]:
    return re.findall(r"{(\w+)}", form)


def _quoted(text: str) -> str:
    """Text as requests quote it; empty if both quotes are in it, or nothing is."""
    if not text or ("'" in text and '"' in text):
        return ""
    return f'"{text}"' if "'" in text else f"'{text}'"


ROOMS: Final = (("/", "Library"), ("/write", "Write"), ("/evaluate", "Evaluate"), ("/rank", "Rank"))
"""Links in the head of each page."""


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
        anchor=outlined,
        family=lambda rule: rule.partition(".")[0],
        plain=plain,
        stem=lambda name: Path(name).stem,
    )
    environment.tests["not_scored"] = lambda value: isinstance(value, NotScored)
    environment.tests["has"] = lambda some, item: item in some
    environment.tests["fixable"] = lambda finding: bool(fix_request(finding))
    return environment


def _shown(value: Any) -> Any:
    return clean(value) if isinstance(value, str) and not hasattr(value, "__html__") else value
