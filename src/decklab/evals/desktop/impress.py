"""LibreOffice Impress on a display of its own, with a fresh copy of a deck in a fresh profile.

Paper 001, section 3.2: every run begins with a fresh copy of the deck, and the environment gives a
picture of the whole screen after each action. The X server, the window manager and the editor run
together inside bubblewrap: no network, no other process, one writable folder, and all of them end
when the first one is killed.

Impress writes anew much of what it saves, as PowerPoint Online does. So the original that an
agent's deck is compared with is itself a save of that editor (paper 001, section 3.2).
"""

import ctypes
import shutil
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, Self

from PIL import Image

from decklab.core.errors import DeckError, Unavailable, UnsupportedFormat
from decklab.core.files import check_file, package_data, scratch_folder, write_whole
from decklab.core.programs import is_available
from decklab.deck.deck import open_deck
from decklab.evals.desktop.environment import (
    Action,
    ActionRefused,
    Closed,
    Ended,
    EnvironmentFailed,
    Event,
    input_events,
)
from decklab.evals.desktop.session import read_frame
from decklab.ooxml.package import Package, sniff
from decklab.ooxml.signatures import FileKind
from decklab.ooxml.xml import MAIN_CONTENT_TYPES
from decklab.rendering.office_process import (
    Installation,
    OfficeDied,
    OfficeProcess,
    Setting,
    Start,
    WorkerTimeout,
    find_installation,
    isolated_start,
    write_profile,
)
from decklab.rendering.renderer import Cache, cache_key
from decklab.sandbox.sandbox import bundle_module

SIZE: Final = (1280, 800)
"""Width and height of the screen in pixels, if the caller names none."""

_PROGRAMS = {"Xvfb": "xvfb", "openbox": "openbox"}
_LIBRARIES = {"libX11.so.6": "libx11-6", "libXtst.so.6": "libxtst6"}
_THEMES = Path("/usr/share/themes")
_SMALLEST, _LARGEST = 320, 4096
_COMMON = "/org.openoffice.Office.Common"
_CORRECTIONS = (
    *("AddNonBreakingSpace", "CapitalAtStartSentence", "ChangeAngleQuotes", "ChangeDash"),
    *("ChangeOrdinalNumber", "ChangeUnderlineWeight", "CorrectAccidentalCapsLock"),
    *("RemoveDoubleSpaces", "ReplaceDoubleQuote", "ReplaceSingleQuote", "SetInetAttribute"),
    *("TransliterateRTL", "TwoCapitalsAtStart", "UseReplacementTable"),
)
_ON_SCREEN: tuple[Setting, ...] = (
    (f"{_COMMON}/Save/Document", "WarnAlienFormat", "false"),
    (f"{_COMMON}/Misc", "ShowTipOfTheDay", "false"),
    (f"{_COMMON}/Misc", "UseSystemFileDialog", "false"),
    ("/org.openoffice.Setup/Product", "LastTimeDonateShown", "9999999999"),
    ("/org.openoffice.Setup/Product", "LastTimeGetInvolvedShown", "9999999999"),
    ("/org.openoffice.Office.Linguistic/SpellChecking", "IsSpellAuto", "false"),
    *((f"{_COMMON}/AutoCorrect", name, "false") for name in _CORRECTIONS),
)
"""Settings of an editor with a window, besides those of one without: nothing asks or appears on its
own, and text stays as it was typed."""

_FACTORY = (
    "/org.openoffice.Setup/Office/Factories/"
    "org.openoffice.Setup:Factory['com.sun.star.presentation.PresentationDocument']"
)
_WHOLE_SCREEN = (
    "0,0,{0},{1};5;0,0,{0},{1};"  # place and size; 5: normal, and made as large as can be
)
_XML_FILTER = "Impress MS PowerPoint 2007 XML"
_SHOW_FILTERS = {"ppsx": _XML_FILTER, "ppsm": f"{_XML_FILTER} VBA"}
"""By what shows are opened: as what they are they would be played, and closed at the end."""
_GUEST = "decklab.evals.desktop.guest"
_EVENT_SECONDS = 0.1
_START = "\n\nfrom decklab.evals.desktop.guest import main\n\nmain()\n"


@dataclass(frozen=True)
class ScreenLimits:
    """How long a screen is waited for, and how much memory it may take. Ours."""

    quiet_seconds: float = 0.45
    """A screen without a change for so long counts as settled. Impress updates its panels 0.3 s
    after an action."""
    settle_seconds: float = 5.0
    """The longest wait for that, after an action."""
    answer_seconds: float = 30.0
    """An editor that does not answer for so long, besides, counts as hanging."""
    start_seconds: float = 60.0
    save_seconds: float = 60.0
    memory_bytes: int = 4 * 2**30
    """Of all processes of a screen together; it is ended if it takes more. It is looked at while
    an answer is waited for."""


class Impress:
    """An ``Environment``: a screen that shows ``deck`` open in LibreOffice Impress.

    ``out`` is where the deck is written that the agent leaves; ``deck`` itself is never changed.
    ``size`` is the screen's, in pixels. ``installation`` is the LibreOffice to use, by default the
    one of this machine.

    Raises DeckError if the deck is no PowerPoint deck or Impress cannot read it, Unavailable
    if a program is missing, EnvironmentFailed if one ended at its start.
    """

    def __init__(
        self,
        deck: str | Path,
        out: str | Path,
        *,
        size: tuple[int, int] = SIZE,
        limits: ScreenLimits | None = None,
        installation: Installation | None = None,
    ) -> None:
        self._deck, self._out, self._size = Path(deck), Path(out), _checked(size)
        self._limits = limits or ScreenLimits()
        if sniff(self._deck) is not FileKind.PPTX:
            raise UnsupportedFormat(self._deck, "no PowerPoint deck (.pptx)")
        check_file(self._out, inputs=[self._deck])
        check_screen_programs()
        self._left: Closed | None = None
        self._failure: EnvironmentFailed | None = None
        self._last = _Known(changed=False, saved_at=0)
        office = installation or find_installation()
        self._inside = OfficeProcess(
            lambda folder: self._prepared(folder, office), memory_limit=self._limits.memory_bytes
        )
        self._file = self._inside.folder / f"deck{self._suffix()}"
        try:
            self._start()
        except BaseException:
            self._inside.kill()
            raise

    def _suffix(self) -> str:
        return ".pptm" if self._deck.suffix.lower() in (".pptm", ".potm", ".ppsm") else ".pptx"

    def _prepared(self, folder: Path, installation: Installation) -> Start:
        """Fill the folder, which is all that can be written inside."""
        whole = _WHOLE_SCREEN.format(*self._size)
        settings = (*_ON_SCREEN, (_FACTORY, "ooSetupFactoryWindowAttributes", whole))
        write_profile(folder / "profile", installation.build, settings)
        shutil.copyfile(self._deck, folder / f"deck{self._suffix()}")
        (folder / "screen").mkdir()
        manager = package_data("decklab.evals.desktop", "openbox.xml")
        (folder / "openbox.xml").write_bytes(manager)
        prelude, data = bundle_module(_GUEST)
        script = folder / "guest.py"
        values = "".join(f"{name} = {value!r}\n" for name, value in data.items())
        script.write_text(f"{values}{prelude}{_START}", encoding="utf-8")
        command, environment = isolated_start(installation, script, folder, shown=[_THEMES])
        return command, {**environment, "SAL_USE_VCLPLUGIN": "gen"}

    def _start(self) -> None:
        first = {
            "deck": self._file.name,
            "size": list(self._size),
            "filter": _SHOW_FILTERS.get(_kind(self._deck), ""),
        }
        answer = self._asked(first, self._limits.start_seconds)
        if not answer["ok"]:
            raise DeckError(self._deck, answer["detail"])
        self._last = _Known(changed=False, saved_at=self._saved_at())

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the screen in pixels."""
        return self._size

    @property
    def process_id(self) -> int:
        """Of the first process, whose end ends all of them."""
        return self._inside.process_id

    @property
    def folder(self) -> Path:
        """All that can be written inside; it is removed at the end."""
        return self._inside.folder

    def screenshot(self) -> Image.Image:
        """The screen as it is, RGB, without the pointer; raises EnvironmentFailed."""
        self._done({"do": "look"}, self._limits.answer_seconds)
        return self._picture()

    def act(self, action: Action) -> Image.Image:
        """Do it, wait until the screen settles or the deadline passes, and give the new picture.

        Raises ActionRefused if it cannot be done, which leaves the screen as it is, and
        EnvironmentFailed if the editor or the display ended or does not answer.
        """
        events = input_events(action, self._size)
        if self._last.closed and events:
            raise ActionRefused("the deck was closed, and the editor with it; nothing can be done")
        limits = self._limits
        request = {
            "do": "input",
            "events": events,
            "quiet": limits.quiet_seconds,
            "deadline": limits.settle_seconds,
        }
        seconds = _seconds_of(events) + limits.settle_seconds + limits.answer_seconds
        self._done(request, seconds)
        return self._picture()

    def accessible_text(self) -> str | None:
        """The controls on the screen, one a line, with role, name and place; None without any."""
        controls: list[str] = self._done({"do": "controls"}, self._limits.save_seconds)["controls"]
        return "\n".join(controls) or None

    def close(self) -> Closed:
        """Save the deck in its own format, end the editor, and give the deck that is at ``out``.

        Dialogs that are open are no obstacle, and what they ask for is not done. Where the agent
        closed the deck itself, it is given as last saved. May be called again. Raises
        EnvironmentFailed if the editor cannot save, or our reader cannot read what it saved.
        """
        if self._left is None:
            self._left = self._closed()
            self._inside.kill()
        return self._left

    def _closed(self) -> Closed:
        target = self._inside.folder / f"left{self._file.suffix}"
        answer = self._done({"do": "save", "target": target.name}, self._limits.save_seconds)
        if answer["written"]:
            if (why := _unreadable(target)) is not None:
                raise self._failed("editor", f"what it saved cannot be read: {why}")
            write_whole(self._out, target.read_bytes())
            return Closed(self._out, saved=True)
        if (saved := self._last_saved()) is None:
            raise self._failed("editor", "it was closed, and what it saved cannot be read")
        return Closed(saved, not self._last.changed, "the agent closed the deck itself")

    def _done(self, request: dict[str, Any], seconds: float) -> dict[str, Any]:
        """The answer to a request that can only fail where something ended."""
        if self._failure is not None:
            raise self._failure
        if self._left is not None:
            raise EnvironmentFailed("editor", "it was closed before", self._left.deck)
        answer = self._asked(request, seconds)
        if not answer["ok"]:
            raise self._failed("editor", answer["detail"])
        self._note(answer)
        return answer

    def _asked(self, request: dict[str, Any], seconds: float) -> dict[str, Any]:
        try:
            answer = self._inside.ask(request, seconds)
        except WorkerTimeout:
            raise self._failed("editor", f"no answer in {seconds:g} seconds") from None
        except OfficeDied as death:
            raise self._failed("display", str(death)) from None
        if not answer["ok"] and answer["ended"] is not None:
            raise self._failed(answer["ended"], answer["detail"])
        return answer

    def _note(self, answer: dict[str, Any]) -> None:
        """Keep the state of the deck, for when the agent closes it."""
        if answer["open"]:
            self._last = _Known(answer["changed"], self._saved_at())
        elif not self._last.closed:
            changed = self._last.changed and self._saved_at() == self._last.saved_at
            self._last = _Known(changed, self._saved_at(), closed=True)

    def _saved_at(self) -> int:
        return self._file.stat().st_mtime_ns

    def _picture(self) -> Image.Image:
        return read_frame(self._inside.folder / "screen" / "Xvfb_screen0")

    def _failed(self, ended: Ended, detail: str) -> EnvironmentFailed:
        """End everything, and give the error to raise."""
        self._failure = EnvironmentFailed(ended, detail, self._last_saved())
        self._inside.kill()
        return self._failure

    def _last_saved(self) -> Path | None:
        """The deck as it was last saved, now at ``out``; None if it cannot be read."""
        if not self._file.exists() or _unreadable(self._file) is not None:
            return None
        write_whole(self._out, self._file.read_bytes())
        return self._out

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        """End the editor without saving, if it was not closed before."""
        self._inside.kill()


@dataclass(frozen=True)
class _Known:
    """Last known state of the deck."""

    changed: bool
    saved_at: int
    closed: bool = False


def _checked(size: tuple[int, int]) -> tuple[int, int]:
    if not all(_SMALLEST <= side <= _LARGEST for side in size):
        given = f"{size[0]} x {size[1]}"
        raise ValueError(f"a screen is {_SMALLEST} to {_LARGEST} pixels each way, not {given}")
    return size


def _kind(deck: Path) -> str:
    """The file extension that belongs to a deck's content type."""
    with Package.open(deck) as package:
        return MAIN_CONTENT_TYPES[package.content_type(package.main_part) or ""]


def check_screen_programs() -> None:
    """Raise Unavailable if a screen cannot be had here; LibreOffice is not looked for."""
    if not is_available():
        raise Unavailable("bubblewrap cannot be used here; install it with: apt install bubblewrap")
    missing = [package for name, package in _PROGRAMS.items() if shutil.which(name) is None]
    missing += [package for name, package in _LIBRARIES.items() if not _loads(name)]
    if missing:
        packages = " ".join(missing)
        raise Unavailable(f"a screen needs programs; install them with: apt install {packages}")


@cache
def _loads(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def _unreadable(deck: Path) -> str | None:
    """Why our reader cannot read a deck; None if it can."""
    try:
        with open_deck(deck) as opened:
            len(opened)
    except DeckError as error:
        return error.detail
    return None


def _seconds_of(events: list[Event]) -> float:
    """An upper bound of the time that the events take without waiting for the editor."""
    waits = sum(event[1] for event in events if event[0] == "wait")
    typed = sum(len(event[1]) for event in events if event[0] == "text")
    return float(waits) + _EVENT_SECONDS * (len(events) + 4 * typed)


_WAY: Final = 1
"""Changes with the way in which such a deck is made, so that stored ones are not used."""


def roundtrip(deck: str | Path, out: str | Path, *, cache: Cache | None = None) -> Path:
    """Write to ``out`` what Impress saves of ``deck`` without an edit, and return ``out``.

    It is made once, and stored in ``cache``, by default the user's. A second save of the same deck
    differs from it only in ids that LibreOffice draws at random, names of parts, and pictures that
    it encodes anew. To save the result again changes more: Impress rewrites its own masters and
    layouts, and makes some shapes smaller by 0.01 mm at every save. So agents get ``deck``, not the
    result.

    Raises what `Impress` raises.
    """
    source, target, store = Path(deck), Path(out), cache or Cache()
    facts = {"saved on a screen by": find_installation().version, "way": _WAY}
    key = cache_key(source.read_bytes(), facts)
    if (content := store.get(key)) is None:
        with scratch_folder("office") as folder, Impress(source, folder / "saved.pptx") as screen:
            content = screen.close().deck.read_bytes()
        store.put(key, content)
    write_whole(target, content)
    return target
