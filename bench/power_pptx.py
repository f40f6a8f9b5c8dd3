"""power-pptx against decklab's own editing operations on real decks.

Run as ``python -m bench.power_pptx FOLDER DECK...``; FOLDER holds the library, put there by
``pip install --target FOLDER power-pptx==2.11.0 --no-deps``. Each task is done to each deck by
power-pptx and by decklab on python-pptx. One row a task and library says for how many decks it was
done, for how many the file has new errors by ``decklab validate``, and on how many slides something
else changed as well. What was decided: ``docs/decisions/power-pptx.md``.
"""

import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from decklab.core.errors import DecklabError
from decklab.deck.views.snapshot import Snapshot, snapshot
from decklab.diffing.decks import diff_packages
from decklab.editing.motion import add_animation, set_transition
from decklab.editing.opening import PPTX_ERRORS, opened, saved
from decklab.editing.slides import move_slide
from decklab.editing.texts import diagram_texts, set_diagram_text
from decklab.ooxml.package import Package
from decklab.ooxml.validity.validating import validate

Task = Callable[[Any, Any, Snapshot], bool]
"""Takes the open deck, power-pptx's modules (None for decklab) and the deck's snapshot; False where
the deck has nothing to do it to."""


def save_again(prs: Any, power: Any, deck: Snapshot) -> bool:
    """Open and save, nothing else."""
    return True


def fade(prs: Any, power: Any, deck: Snapshot) -> bool:
    """A fade of 0.7 seconds on every slide."""
    if power is None:
        set_transition(prs, "fade", seconds=0.7)
        return True
    for slide in prs.slides:
        slide.transition.kind = power("enum.presentation").MSO_TRANSITION_TYPE.FADE
        slide.transition.duration = 700
    return True


def animate(prs: Any, power: Any, deck: Snapshot) -> bool:
    """The first shape of every slide flies in, after the effects that are there."""
    done = False
    for number, slide in enumerate(prs.slides, 1):
        shape = next((item for item in slide.shapes if item.has_text_frame), None)
        if shape is None:
            continue
        done = True
        if power is None:
            add_animation(prs, number, shape.shape_id, "fly in")
        else:
            slide.animations.add_entrance("fly_in", shape)
    return done


def smartart(prs: Any, power: Any, deck: Snapshot) -> bool:
    """The first text of the first SmartArt diagram becomes ``Changed``."""
    for number, slide in enumerate(deck["slides"], 1):
        texts = [node["text"] for shape in slide["shapes"] if shape["kind"] == "diagram"
                 for node in shape["diagram"]["nodes"] if node.get("text")]  # fmt: skip
        if not texts:
            continue
        if power is None:
            old = next(text for text in diagram_texts(prs, number) if text)
            return set_diagram_text(prs, number, old, "Changed") > 0
        found = [item for item in prs.slides[number - 1].smart_art if item.texts]
        if not found:
            raise ValueError("no texts found in its SmartArt")
        found[0].set_text(["Changed", *found[0].texts[1:]])
        return True
    return False


def move(prs: Any, power: Any, deck: Snapshot) -> bool:
    """The first slide goes to the end."""
    count = len(deck["slides"])
    if count < 2:
        return False
    if power is None:
        move_slide(prs, 1, count)
    else:
        prs.slides.move(0, count - 1)
    return True


TASKS: tuple[Task, ...] = (save_again, fade, animate, smartart, move)


def _expected(task: Task, kind: str, name: str) -> bool:
    """Whether a change is the one that was asked for."""
    asked: dict[Task, tuple[str, ...]] = {
        save_again: (), fade: ("transition",), animate: ("animation",),
        smartart: ("diagram",), move: ("slide order", "slide", "section"),
    }  # fmt: skip
    return kind in asked[task] or name in asked[task]


def _problems(path: Path) -> Counter[tuple[str, str]]:
    with Package.open(path) as package:
        return Counter((problem.part, problem.rule) for problem in validate(package))


def _try(task: Task, deck: Path, out: Path, power: Any) -> tuple[str, Counter[str]]:
    """``done``, ``nothing to do`` or why not, and the unexpected changes by kind."""
    with Package.open(deck) as package:
        taken = snapshot(package)
    try:
        prs = opened(deck) if power is None else power("api").Presentation(str(deck))
        if not task(prs, power, taken):
            return "nothing to do", Counter()
        if power is None:
            saved(prs, out)
        else:
            prs.save(str(out))
    except (DecklabError, *PPTX_ERRORS) as error:
        return f"{type(error).__name__}: {error}"[:90], Counter()
    more = _problems(out) - _problems(deck)
    with Package.open(deck) as before, Package.open(out) as after:
        changes = diff_packages(before, after).edits
    other: Counter[str] = Counter(
        c.kind for c in changes if not _expected(task, c.kind, c.property)
    )
    if not any(_expected(task, c.kind, c.property) for c in changes) and task is not save_again:
        return "no change seen", other
    return (
        "new problems: " + ", ".join(sorted({rule for _part, rule in more}))
    ) if more else "done", other


def main() -> None:
    """Print one row for each task, library and outcome."""
    folder, decks = sys.argv[1], [Path(item) for item in sys.argv[2:]]
    sys.path.insert(0, folder)

    def power(name: str) -> Any:
        return import_module(f"power_pptx.{name}")

    with tempfile.TemporaryDirectory() as room:
        for task in TASKS:
            for library, modules in (("decklab", None), ("power-pptx", power)):
                came: defaultdict[str, list[str]] = defaultdict(list)
                others: Counter[str] = Counter()
                started = time.process_time()
                for deck in decks:
                    outcome, other = _try(task, deck, Path(room) / "out.pptx", modules)
                    came[outcome].append(deck.stem[:40])
                    others += other
                print(f"{task.__name__:11} {library:11} {time.process_time() - started:6.1f} s")
                for outcome, names in sorted(came.items(), key=lambda item: -len(item[1])):
                    few = ", ".join(names) if len(names) < 5 else ""
                    print(f"    {len(names):3} {outcome}   {few}")
                print(f"        other changes: {dict(others)}", flush=True)


if __name__ == "__main__":
    main()
