"""Damage to files: bytes changed, packages with other parts, XML and JSON with other values."""

import json
import random
import zipfile
from collections.abc import Iterator
from io import BytesIO
from typing import Any, Final

from lxml import etree

PACKAGES: Final = frozenset(
    (*(".pptx", ".pptm", ".potx", ".ppsx", ".potm", ".ppsm", ".odp", ".docx", ".xlsx"),)
)
"""Suffixes of files that are ZIP packages of XML parts."""


def damaged(content: bytes, suffix: str, chance: random.Random) -> bytes:
    """The content of a file with some damage."""
    if suffix in PACKAGES and chance.random() < 0.8:
        try:
            return _package_damaged(content, chance)
        except zipfile.BadZipFile:  # it was damaged before
            pass
    if suffix.endswith(".json") and chance.random() < 0.8:
        return _json_damaged(content, chance)
    if suffix.endswith((".md", ".csv", ".toml", ".txt")) and chance.random() < 0.8:
        return _text_damaged(content, chance)
    return _bytes_damaged(content, chance)


def _bytes_damaged(content: bytes, chance: random.Random) -> bytes:
    data = bytearray(content)
    for _ in range(chance.choice((1, 3, 20))):
        place = chance.randrange(max(len(data), 1))
        what = chance.randrange(4)
        if what == 0:
            data[place : place + chance.randrange(1, 64)] = chance.randbytes(chance.randrange(64))
        elif what == 1:
            del data[place:]
        elif what == 2:
            data[place:place] = data[place : place + 4096]
        elif data:
            data[place % len(data)] ^= 1 << chance.randrange(8)
    return bytes(data)


def _package_damaged(content: bytes, chance: random.Random) -> bytes:
    with zipfile.ZipFile(BytesIO(content)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist() if not name.endswith("/")}
    for _ in range(chance.choice((1, 2, 6))):
        if not parts:
            break
        name, other = chance.choice(sorted(parts)), chance.choice(sorted(parts))
        what = chance.randrange(6)
        if what == 0:
            del parts[name]
        elif what == 1:
            parts[name] = parts[other]
        elif what == 2:
            parts[name] = _bytes_damaged(parts[name], chance)
        else:
            parts[name] = _xml_damaged(parts[name], chance)
    out = BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return out.getvalue()


def _xml_damaged(content: bytes, chance: random.Random) -> bytes:
    try:
        root = etree.fromstring(content, etree.XMLParser(resolve_entities=False, huge_tree=True))
    except (etree.XMLSyntaxError, ValueError):
        return _bytes_damaged(content, chance)
    items = [item for item in root.iter() if isinstance(item.tag, str)]
    for _ in range(chance.choice((1, 4, 15))):
        item, above = chance.choice(items), chance.choice(items)
        what = chance.randrange(5)
        parent = item.getparent()
        if what == 0 and parent is not None:
            parent.remove(item)
        elif what == 1 and item.attrib:
            item.set(chance.choice(sorted(item.attrib)), chance.choice(_VALUES))
        elif what == 2 and item.attrib:
            del item.attrib[chance.choice(sorted(item.attrib))]
        elif what == 3 and item is not above and item not in above.iterancestors():
            above.append(item)
        else:
            item.text = chance.choice(_VALUES)
    return etree.tostring(root)


_VALUES: Final = (
    *("", "-1", "0", "9" * 18, "9" * 4000, "NaN", "1e400", "rId1", "rId999", "true", "FFFFFF"),
    *("../../etc/passwd", "http://[bad", "\N{RIGHT-TO-LEFT OVERRIDE}"),
)


def _json_damaged(content: bytes, chance: random.Random) -> bytes:
    root = json.loads(content)
    for _ in range(chance.choice((1, 2, 6))):
        places = list(_places(root))
        if not places:
            break
        holder, key = chance.choice(places)
        what = chance.randrange(4)
        if what == 0:
            del holder[key]
        elif what == 1:
            other, name = chance.choice(places)
            holder[key] = json.loads(json.dumps(other[name]))
        else:
            holder[key] = chance.choice(_JSON_VALUES)
    return json.dumps(root).encode()


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every place in a JSON value, as what holds it and its key there."""
    if isinstance(value, dict | list):
        for key, inner in list(value.items() if isinstance(value, dict) else enumerate(value)):
            yield value, key
            yield from _places(inner)


_JSON_VALUES: Final[tuple[Any, ...]] = (
    *_VALUES,
    None,
    True,
    -1,
    0,
    10**18,
    1e308,
    float("nan"),
    [],
    {},
    [[]],
)


def _text_damaged(content: bytes, chance: random.Random) -> bytes:
    lines = content.decode().splitlines() or [""]
    for _ in range(chance.choice((1, 2, 6))):
        place, other = chance.randrange(len(lines)), chance.randrange(len(lines))
        words = lines[place].split(" ")
        what = chance.randrange(4)
        if what == 0:
            lines[place] = ""
        elif what == 1:
            lines.insert(other, lines[place])
        elif what == 2:
            lines[place], lines[other] = lines[other], lines[place]
        else:
            words[chance.randrange(len(words))] = chance.choice(_VALUES)
            lines[place] = " ".join(words)
    return "\n".join(lines).encode()
