"""Names of files for cases and editors."""

import hashlib
import re
from typing import Final

_LONGEST: Final = 100
"""Characters of a name. Ours; file systems take 255 bytes."""


def slug(name: str) -> str:
    """A file name for a case or an editor; a checksum stands for what is left out.

    >>> slug("Less oil, and a title"), slug("\u6807\u9898 2")
    ('less-oil-and-a-title', '2-e4b20eb0')
    """
    plain = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
    if plain and name.isascii() and len(plain) <= _LONGEST:
        return plain
    return f"{plain[:_LONGEST]}-{hashlib.sha256(name.encode()).hexdigest()[:8]}".lstrip("-")
