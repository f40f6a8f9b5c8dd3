"""Names of keys: what models of different providers call them, as X11 calls them.

A chord is keys pressed together, such as ``ctrl+shift+s``; several chords with spaces between them
are pressed one after the other.
"""

from difflib import get_close_matches
from typing import Final

from decklab.agents.desktop.environment import ActionRefused

MODIFIERS: Final = ("ctrl", "shift", "alt", "super", "meta")
_NAMED: Final = (
    *("Return", "Escape", "BackSpace", "Tab", "Delete", "Insert", "Home", "End", "Prior", "Next"),
    *("Left", "Up", "Right", "Down", "space", "Pause", "Print", "Menu"),
    *("Caps_Lock", "Num_Lock", "Scroll_Lock"),
    *(f"F{number}" for number in range(1, 25)),
    *(f"KP_{digit}" for digit in range(10)),
    *("KP_Enter", "KP_Add", "KP_Subtract", "KP_Multiply", "KP_Divide", "KP_Decimal", "KP_Equal"),
)
_PUNCTUATION: Final = {
    ",": "comma", ".": "period", "/": "slash", "\\": "backslash", ";": "semicolon", ":": "colon",
    "'": "apostrophe", '"': "quotedbl", "[": "bracketleft", "]": "bracketright",
    "{": "braceleft", "}": "braceright", "(": "parenleft", ")": "parenright", "-": "minus",
    "_": "underscore", "=": "equal", "+": "plus", "*": "asterisk", "&": "ampersand",
    "^": "asciicircum", "%": "percent", "$": "dollar", "#": "numbersign", "@": "at",
    "!": "exclam", "?": "question", "<": "less", ">": "greater", "|": "bar", "~": "asciitilde",
    "`": "grave",
}  # fmt: skip
_OTHERS: Final = {
    "enter": "Return", "esc": "Escape", "del": "Delete", "ins": "Insert", "backspace": "BackSpace",
    "pageup": "Prior", "page_up": "Prior", "pgup": "Prior",
    "pagedown": "Next", "page_down": "Next", "pgdn": "Next", "pgdown": "Next",
    "arrowleft": "Left", "arrowup": "Up", "arrowright": "Right", "arrowdown": "Down",
    "leftarrow": "Left", "uparrow": "Up", "rightarrow": "Right", "downarrow": "Down",
    "spacebar": "space", "printscreen": "Print", "prtscr": "Print", "contextmenu": "Menu",
    "capslock": "Caps_Lock", "numlock": "Num_Lock", "scrolllock": "Scroll_Lock",
    "control": "ctrl", "ctl": "ctrl", "control_l": "ctrl", "control_r": "ctrl", "cmd": "ctrl",
    "command": "ctrl", "shift_l": "shift", "shift_r": "shift", "alt_l": "alt", "alt_r": "alt",
    "opt": "alt", "option": "alt", "win": "super", "windows": "super", "super_l": "super",
    "super_r": "super", "meta_l": "meta", "meta_r": "meta",
}  # fmt: skip
_KNOWN: Final = {
    **{name.lower(): name for name in (*_NAMED, *MODIFIERS, *_PUNCTUATION.values())},
    **_PUNCTUATION,
    **_OTHERS,
}
_SHOWN: Final = 3


def chords_of(text: str) -> tuple[str, ...]:
    """The chords of a text, each with the names of X11.

    Names are read in any case. ``cmd`` is ctrl: models that learnt on a Mac save with cmd+s. Raises
    ActionRefused for keys that do not exist, with the names that come near.

    >>> chords_of("CTRL+SHIFT+S"), chords_of("cmd+a ENTER"), chords_of("ctrl++")
    (('ctrl+shift+s',), ('ctrl+a', 'Return'), ('ctrl+plus',))
    >>> chords_of("ArrowUp"), chords_of("alt+F4"), chords_of("A")
    (('Up',), ('alt+F4',), ('A',))
    """
    chords = tuple(_chord(one) for one in text.split()) or (("space",) if text else ())
    if not chords:
        raise ActionRefused("no key is named; write one such as Return, Escape or ctrl+s")
    return chords


def _chord(text: str) -> str:
    names = ["plus"] if text == "+" else text.replace("++", "+plus").split("+")
    if "" in names:
        raise ActionRefused(f"{text!r} is no chord; write the names with + between, as ctrl+s")
    keys = [_key(name, alone=len(names) == 1) for name in names]
    return "+".join(sorted(dict.fromkeys(keys), key=lambda key: key not in MODIFIERS))


def _key(name: str, *, alone: bool) -> str:
    if len(name) == 1 and name.isascii() and name.isalnum():
        return name if alone else name.lower()
    known = _KNOWN.get(name.lower())
    if known is not None:
        return known
    if len(name) == 1:
        raise ActionRefused(f"there is no key {name}; type it as text with the action type")
    near = get_close_matches(name.lower(), _KNOWN, n=_SHOWN, cutoff=0.6)
    meant = list(dict.fromkeys(_KNOWN[one] for one in near))
    told = (
        f"did you mean {' or '.join(meant)}?" if meant else "names are such as Return, F5, ctrl+s"
    )
    raise ActionRefused(f"there is no key {name!r}; {told}")
