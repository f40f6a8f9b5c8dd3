"""Editing tasks drafted from chosen decks, with truths that decklab's own editor made.

The result is a list of cases as ``decklab bench pptarena`` takes it. Requests are plain ones that
the editor does without a model and checks itself; a case whose edit was not done whole is left out.
A person has to look at each draft and to take its mark away before results by it are compared.
"""

import errno
import json
import random
import shutil
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from decklab.agents.editor.command_editor import edit_with_commands
from decklab.benchmarks.pptarena.cases import EDIT_TYPES
from decklab.benchmarks.pptarena.naming import slug
from decklab.cluster.fetching import fetched
from decklab.cluster.items import SourceItem
from decklab.cluster.sources import source_items
from decklab.deck.views.snapshot import snapshot_of
from decklab.errors import DecklabError, SourceError
from decklab.files import check_folder, write_whole

DRAFT: Final = "DRAFT"
"""The value of a case's field ``status`` until a person has looked at it."""
CASES_FILE: Final = "cases.json"
_ORIGINALS: Final = "original"
_TRUTHS: Final = "ground_truth"
_MOST_BYTES: Final = 500_000_000

_SLIDES: Final = "Slide Management, Numbers, Footers, Notes"
_Request = tuple[str, str, str]
"""What an editor is asked, what the result must fulfil, and the edit type of PPTArena."""


@dataclass(frozen=True)
class DraftedCases:
    """What was drafted: the list, how many cases it has, and what was left out and why."""

    path: Path
    cases: int
    left_out: tuple[str, ...]


def draft_cases(
    sources: Iterable[str],
    out: str | Path,
    *,
    tasks: int = 2,
    seed: int = 0,
    progress: Callable[[str], None] = lambda _: None,
) -> DraftedCases:
    """Draft ``tasks`` cases of each deck of ``sources`` into the folder ``out``, the list last.

    Sources are those of ``--cluster``, among them the file of ``corpus select``. The same decks and
    ``seed`` give the same requests. ``progress`` is called with the name of each deck. Raises
    FileExistsError where ``out`` holds anything, SourceError where no case could be drafted.
    """
    folder = Path(out)
    check_folder(folder)
    if folder.exists() and any(folder.iterdir()):
        raise FileExistsError(errno.EEXIST, "holds something; name another folder", str(folder))
    entries: list[dict[str, Any]] = []
    left_out: list[str] = []
    for item in source_items(sources):
        progress(item.name)
        try:
            entries += _drafted(item, folder, tasks, seed, left_out)
        except (DecklabError, OSError) as error:
            left_out.append(f"{item.name}: {error}")
    if not entries:
        raise SourceError(folder, f"no case could be drafted: {'; '.join(left_out[:3])}")
    text = json.dumps(entries, indent=2, ensure_ascii=False) + "\n"
    write_whole(folder / CASES_FILE, text.encode("utf-8", "replace"))
    return DraftedCases(folder / CASES_FILE, len(entries), tuple(left_out))


def _drafted(
    item: SourceItem, folder: Path, tasks: int, seed: int, left_out: list[str]
) -> Iterator[dict[str, Any]]:
    if item.problem:
        raise SourceError(item.name, item.problem)
    stem = Path(item.member or item.about.get("name") or item.address).stem
    with fetched(item, most_bytes=_MOST_BYTES) as deck:
        requests = list(_requests(snapshot_of(deck)))
        random.Random(f"{seed} {item.name}").shuffle(requests)
        original = _free(folder / _ORIGINALS / f"{slug(stem)}.pptx")
        original.parent.mkdir(parents=True, exist_ok=True)
        made = 0
        for request, target, kind in requests:
            if made == tasks:
                break
            name = f"{original.stem}: {request}"
            truth = folder / _TRUTHS / f"{slug(name)}.pptx"
            result = edit_with_commands(deck, request, out=truth, draw=False)
            if result.outcome != "done":
                left_out.append(f"{name}: {'; '.join(result.undone) or result.outcome}")
                truth.unlink(missing_ok=True)
                continue
            if not made:
                shutil.copyfile(deck, original)
            made += 1
            yield {
                "name": name, "prompt": request, "style_target": target,
                "original": f"{_ORIGINALS}/{original.name}",
                "ground_truth": f"{_TRUTHS}/{truth.name}",
                "category": EDIT_TYPES[kind], "edit_type": [kind],
                "status": DRAFT, "made_by": "decklab, by program", "deck": item.name,
                **{key: item.about[key] for key in ("license",) if key in item.about},
            }  # fmt: skip


def _free(path: Path) -> Path:
    number, found = 1, path
    while found.exists():
        number += 1
        found = path.with_stem(f"{path.stem}-{number}")
    return found


def _requests(deck: Any) -> Iterator[_Request]:
    """Requests whose results are certain, by what a deck has."""
    slides = deck["slides"]
    last = len(slides)
    rest = "Nothing else changes."
    if last >= 3:
        middle = last // 2 + 1
        yield f"hide slide {middle}", f"Slide {middle} is hidden. {rest}", _SLIDES
        yield f"delete slide {last}", f"The last slide is gone. {rest}", _SLIDES
        yield f"swap slides 2 and {last}", f"Both slides have changed places. {rest}", _SLIDES
        yield f"move slide {last} to position 2", f"The last slide is second. {rest}", _SLIDES
    fade = f"Every slide fades in. {rest}"
    yield "set the transition to fade", fade, "Slide Transitions"
    if any(_is_title(shape) for slide in slides for shape in slide["shapes"]):
        italic = f"All words of titles are italic. {rest}"
        yield "make the titles italic", italic, "Text & Typography"


def _is_title(shape: Any) -> bool:
    placeholder = shape.get("placeholder")
    kind = placeholder.get("type") if isinstance(placeholder, dict) else placeholder
    return "title" in str(kind).lower()
