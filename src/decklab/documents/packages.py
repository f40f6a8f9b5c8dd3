"""Office files checked under our limits before another library reads them."""

from pathlib import Path

from decklab.ooxml.package import Package


def checked_package(path: Path) -> bytes:
    """The bytes of an Office Open XML file whose archive and XML parts are within the limits.

    Raises EncryptedDeck, NotAPackage, TruncatedDeck, DuplicatePart, UnsafePath, LimitExceeded or
    MalformedPart.
    """
    with Package.open(path) as package:
        for name in package.names:
            if name.endswith((".xml", ".rels")):
                package.xml(name)
    return path.read_bytes()
