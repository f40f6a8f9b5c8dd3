"""Names of keys, and characters, as keysyms: the numbers by which X11 knows them.

Names and numbers are those of X11's ``keysymdef.h``; a character that has no key of its own is
0x01000000 plus its code point (X11 protocol, appendix A, "Unicode KEYSYMs").
"""

import unicodedata
from difflib import get_close_matches

from decklab.evals.desktop.environment import ActionRefused

_MODIFIERS = {"shift": 0xFFE1, "ctrl": 0xFFE3, "alt": 0xFFE9, "super": 0xFFEB, "altgr": 0xFE03}
_NAMED = {
    "BackSpace": 0xFF08,
    "Tab": 0xFF09,
    "Return": 0xFF0D,
    "Pause": 0xFF13,
    "Scroll_Lock": 0xFF14,
    "Escape": 0xFF1B,
    "Home": 0xFF50,
    "Left": 0xFF51,
    "Up": 0xFF52,
    "Right": 0xFF53,
    "Down": 0xFF54,
    "Page_Up": 0xFF55,
    "Page_Down": 0xFF56,
    "End": 0xFF57,
    "Print": 0xFF61,
    "Insert": 0xFF63,
    "Menu": 0xFF67,
    "Num_Lock": 0xFF7F,
    "Caps_Lock": 0xFFE5,
    "Delete": 0xFFFF,
    "KP_Enter": 0xFF8D,
    "KP_Multiply": 0xFFAA,
    "KP_Add": 0xFFAB,
    "KP_Subtract": 0xFFAD,
    "KP_Decimal": 0xFFAE,
    "KP_Divide": 0xFFAF,
    **{f"KP_{digit}": 0xFFB0 + digit for digit in range(10)},
    **{f"F{number}": 0xFFBD + number for number in range(1, 13)},
}
_PUNCTUATION = {
    " !\"#$%&'()": "space exclam quotedbl numbersign dollar percent ampersand apostrophe parenleft"
    " parenright",
    "*+,-./:;<=>?@": "asterisk plus comma minus period slash colon semicolon less equal greater"
    " question at",
    "[\\]^_`{|}~": "bracketleft backslash bracketright asciicircum underscore grave braceleft bar"
    " braceright asciitilde",
}
_CHARACTERS = {
    name: character
    for characters, names in _PUNCTUATION.items()
    for character, name in zip(characters, names.split(), strict=True)
}
_OTHER_NAMES = {
    "ctrl": "control control_l control_r",
    "shift": "shift_l shift_r",
    "alt": "alt_l option",
    "altgr": "alt_r iso_level3_shift",
    "super": "super_l super_r meta cmd command win windows",
    "Return": "enter linefeed",
    "Escape": "esc",
    "Delete": "del",
    "Insert": "ins",
    "BackSpace": "back_space",
    "Left": "arrowleft left_arrow",
    "Right": "arrowright right_arrow",
    "Up": "arrowup up_arrow",
    "Down": "arrowdown down_arrow",
    "Page_Up": "pageup prior pgup",
    "Page_Down": "pagedown next pgdn",
    "Print": "printscreen print_screen",
    "Caps_Lock": "capslock",
    "space": "spacebar",
    "period": "dot",
    "minus": "dash hyphen",
    "apostrophe": "quote",
}
"""What providers of models and other systems call the same keys."""
_BY_NAME: dict[str, int] = {
    **_MODIFIERS,
    **{name.lower(): number for name, number in _NAMED.items()},
    **{name: ord(character) for name, character in _CHARACTERS.items()},
}
_BY_NAME |= {
    other: _BY_NAME[name.lower()]
    for name, others in _OTHER_NAMES.items()
    for other in others.split()
}
_SHOWN = [*_MODIFIERS, *_NAMED, *_CHARACTERS]
_LATIN_1 = (*range(0x20, 0x7F), *range(0xA0, 0x100))


def chord(text: str) -> list[int]:
    """The keysyms of a chord such as ``ctrl+shift+s``, in order; none for an empty text.

    Names are those of X11 in any case, besides usual others, such as ``Enter`` and ``ArrowUp``; a
    character stands for its own key. Raises ActionRefused, which lists the nearest names, for a key
    that does not exist.

    >>> [hex(key) for key in chord("ctrl+Return")]
    ['0xffe3', '0xff0d']
    >>> chord("cntrl+s")
    Traceback (most recent call last):
    decklab.evals.desktop.environment.ActionRefused: no key is called 'cntrl'; near: ctrl
    """
    if not text:
        return []
    names = text.split("+") if text != "+" else ["+"]
    if text.endswith("++"):  # the key of the character itself
        names[-2:] = ["+"]
    return [_key(name.strip() or name) for name in names]


def _key(name: str) -> int:
    if len(name) == 1 and name != "\n":
        return character_key(name.lower() if name.isascii() else name)
    found = _BY_NAME.get(name.lower())
    if found is not None:
        return found
    near = {_BY_NAME[one] for one in get_close_matches(name.lower(), _BY_NAME, n=4, cutoff=0.5)}
    told = ", ".join(shown for shown in _SHOWN if _BY_NAME[shown.lower()] in near)
    hint = f"near: {told}" if told else f"keys are: {', '.join(_SHOWN)}, and any character"
    raise ActionRefused(f"no key is called {name!r}; {hint}")


def character_key(character: str) -> int:
    """The keysym of one character of a text; a line break is Return, a tab Tab.

    Raises ActionRefused for other control characters.
    """
    if character in "\r\n":
        return _NAMED["Return"]
    if character == "\t":
        return _NAMED["Tab"]
    if unicodedata.category(character) in ("Cc", "Cs"):
        code = f"U+{ord(character):04X}"
        raise ActionRefused(f"the control character {code} cannot be typed; use keys instead")
    code_point = ord(character)
    return code_point if code_point in _LATIN_1 else 0x01000000 + code_point
