"""An editor on a display of its own: reads requests as JSON lines, answers in JSON.

Runs inside bubblewrap under the system's Python, with the arguments PROGRAM FOLDER: the LibreOffice
to start, and the one folder where files are written.

The first request is ``{"deck": NAME, "size": [W, H], "filter": NAME}``, answered when the deck is
on the screen; the name of the filter that opens it may be empty.
Later ones say what to ``do``: ``input``, with ``events``, seconds of ``quiet`` and a ``deadline``,
acts and waits until the screen is at rest; ``save`` writes the deck to ``target``; ``controls``
describes what is on the screen; ``look`` does nothing. An answer is ``{"ok": true, "open": BOOL,
"changed": BOOL, ...}`` or ``{"ok": false, "ended": "editor" or "display" or null, "detail":
TEXT}``, null if nothing ended and the editor will not do it.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

from decklab.evals.desktop.guest_display import Display, DisplayEnded, Input, wait_for_rest
from decklab.evals.desktop.guest_editor import Editor, Refused
from decklab.rendering.office.worker import (
    Died,
    answer,
    bound_files,
    die_with_parent,
    requests_until_end,
)

START_SECONDS = 30.0
START_QUIET = 0.3


class Screen:
    """The display, the editor on it, and what may be asked of them."""

    def __init__(self, program: str, folder: Path, first: dict[str, Any]) -> None:
        width, height = first["size"]
        self._folder = folder
        self._display = Display(folder / "screen", (width, height), folder / "openbox.xml")
        self._input = Input(self._display.name, display_ended)
        self.editor = Editor(program, folder)
        self.editor.connect()
        self.editor.open(folder / first["deck"], width, first["filter"])
        # LibreOffice 7.4 leaves some linked paragraphs out of its first save, not of later ones.
        self.editor.save(folder / "tmp" / "first")
        self._rest(START_QUIET, START_SECONDS)

    def _rest(self, quiet: float, deadline: float) -> bool:
        return wait_for_rest(self._display.frame, self._process_ids, quiet, deadline)

    def _process_ids(self) -> list[int]:
        return [*self._display.process_ids(), self.editor.process_id]

    def do(self, request: dict[str, Any]) -> dict[str, Any]:
        """The answer to one request."""
        self._display.check()
        kind = request["do"]
        if kind == "input":
            return self._put(request["events"], request["quiet"], request["deadline"])
        if kind == "save":
            return self._save(self._folder / request["target"])
        if kind == "controls":
            return self._state(controls=self.editor.controls())
        return self._state()

    def _put(self, events: list[Any], quiet: float, deadline: float) -> dict[str, Any]:
        def rest() -> None:
            self._rest(quiet, deadline)

        self._input.put(events, rest)
        settled = self._rest(quiet, deadline)
        self._display.check()
        return self._state(settled=settled)

    def _save(self, target: Path) -> dict[str, Any]:
        if not self.editor.is_open():
            return self._state(written=False)
        self.editor.save(target)
        return self._state(written=True)

    def _state(self, **facts: Any) -> dict[str, Any]:
        """An answer with the state of the deck; raises Died if the editor did not end well."""
        self.editor.check()
        is_open = self.editor.is_open()
        changed = is_open and self.editor.is_changed()
        return {"ok": True, "open": is_open, "changed": changed, **facts}


def failed(ended: str | None, detail: str) -> dict[str, Any]:
    """The answer where something ended or cannot be done."""
    return {"ok": False, "ended": ended, "detail": detail}


def display_ended() -> None:
    """Tell that the X server is gone, and end: Xlib allows no way back."""
    answer(failed("display", "the X server is gone"))
    os._exit(1)


def serve(program: str, folder: Path) -> None:
    """Answer requests until the input ends, or the editor or the display does."""
    screen = None
    try:
        screen = Screen(program, folder, json.loads(sys.stdin.readline()))
        answer({"ok": True, "open": True})
        for request in requests_until_end(screen.editor):
            try:
                answer(screen.do(request))
            except Refused as refusal:
                answer(failed(None, str(refusal)))
    except Refused as refusal:
        answer(failed(None, str(refusal)))
    except Died as error:
        answer(failed("editor", str(error)))
    except DisplayEnded as error:
        answer(failed("display", str(error)))
    finally:
        if screen is not None:
            screen.editor.kill()


def main() -> None:
    """Serve the program and the folder that the command line names."""
    die_with_parent()
    bound_files()
    serve(sys.argv[1], Path(sys.argv[2]).resolve())
