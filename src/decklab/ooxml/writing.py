"""A package written anew with some parts replaced, added or removed, all others untouched."""

from collections.abc import Collection, Mapping
from io import BytesIO
from pathlib import Path

from decklab.errors import MissingPart
from decklab.files import whole_file
from decklab.ooxml.content_types import CONTENT_TYPES_PART, update_content_types
from decklab.ooxml.directory import lookup_key
from decklab.ooxml.package import Package
from decklab.ooxml.parsing import parse_xml, serialize_xml
from decklab.ooxml.zipwriting import PackedEntry, packed, repacked, write_archive

__all__ = ["package_bytes", "write_package"]

NewPart = tuple[str, bytes]
"""Content type and bytes of a part to add."""


def write_package(
    package: Package,
    out_path: str | Path,
    *,
    replace: Mapping[str, bytes] | None = None,
    add: Mapping[str, NewPart] | None = None,
    remove: Collection[str] = (),
) -> Path:
    """Write a changed copy of ``package`` to ``out_path``, whole or not at all.

    ``replace`` gives new bytes for existing parts, ``add`` content type and bytes of new ones,
    ``remove`` names parts to leave out; ``[Content_Types].xml`` follows. Relationships are parts
    like others here: the caller keeps them in step. Untouched parts keep bytes, packing, date and
    order, with ``[Content_Types].xml`` first; changed ones are dated 1980, so equal input gives
    equal files. Raises MissingPart for a part to replace or remove that is not there, ValueError
    for one to add that is. ``out_path`` may be the file the package was opened from.
    """
    target = Path(out_path)
    entries = _entries(package, replace or {}, add or {}, remove)
    with whole_file(target) as unfinished, unfinished.open("xb") as out:
        write_archive(entries, out)
    return target


def package_bytes(
    package: Package,
    *,
    replace: Mapping[str, bytes] | None = None,
    add: Mapping[str, NewPart] | None = None,
    remove: Collection[str] = (),
) -> bytes:
    """What ``write_package`` would write, in memory: for a package that becomes a part itself."""
    out = BytesIO()
    write_archive(_entries(package, replace or {}, add or {}, remove), out)
    return out.getvalue()


def _entries(
    package: Package,
    replace: Mapping[str, bytes],
    add: Mapping[str, NewPart],
    remove: Collection[str],
) -> list[PackedEntry]:
    for name in (*replace, *remove):
        if name not in package:
            raise MissingPart(package.label, "there is no such part to change", name)
    for name in add:
        if name in package:
            raise ValueError(f"there is a part {name} already")
    new = {lookup_key(name.lstrip("/")): data for name, data in replace.items()}
    if add or remove:
        new[lookup_key(CONTENT_TYPES_PART)] = _content_types(package, new, add, remove)
    gone = {lookup_key(name.lstrip("/")) for name in remove}
    entries = []
    for info in package.archive.entries:
        key = lookup_key(info.orig_filename)
        if key in new:
            entries.append(packed(info.orig_filename, new[key], info.compress_type))
        elif key not in gone:
            entries.append(repacked(package.archive.stored(info)))
    entries += [packed(name.lstrip("/"), data) for name, (_, data) in add.items()]
    first = lookup_key(CONTENT_TYPES_PART)
    return sorted(entries, key=lambda entry: lookup_key(entry.name) != first)


def _content_types(
    package: Package,
    new: Mapping[str, bytes],
    add: Mapping[str, NewPart],
    remove: Collection[str],
) -> bytes:
    replaced = new.get(lookup_key(CONTENT_TYPES_PART))
    if replaced is None:
        root = package.xml(CONTENT_TYPES_PART)
    else:
        root = parse_xml(replaced, path=package.label, part=CONTENT_TYPES_PART)
    update_content_types(root, {name: kind for name, (kind, _) in add.items()}, remove)
    return serialize_xml(root)
