"""A deck as the editor on the screen saves it when nothing was done to it.

Impress writes anew much of what it saves, as PowerPoint Online does. So the original that an
agent's deck is compared with is itself a save of that editor (paper 001, section 3.2).
"""

from pathlib import Path
from typing import Final

from decklab.core.files import scratch_folder, write_whole
from decklab.evals.desktop.impress import Impress
from decklab.rendering.cache import Cache, cache_key
from decklab.rendering.office.installation import find_installation

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
    content = store.get(key)
    if content is None:
        with scratch_folder("office") as folder, Impress(source, folder / "saved.pptx") as screen:
            content = screen.close().deck.read_bytes()
        store.put(key, content)
    write_whole(target, content)
    return target
