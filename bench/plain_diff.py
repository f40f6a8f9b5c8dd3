"""A plain comparison of two decks by python-pptx, in the steps of PPT-Eval's diff evaluator.

``python -m bench.plain_diff BEFORE AFTER`` prints what differs as JSON. What the evaluator does is
told in ``bench.diffing``. Nothing of decklab is imported here, so that the command can be timed.
"""

import hashlib
import json
import sys
import zipfile
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from pptx import Presentation

_P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"

Json = dict[str, Any]


def reference(before: Path, after: Path) -> Json:
    """Slides, transitions and animations that were added, removed or modified, by slide id."""
    decks = [(_played(path), _slides(path)) for path in (before, after)]
    found: Json = {}
    for place, what in enumerate(("played", "slides")):
        old, new = decks[0][place], decks[1][place]
        found[what] = {
            "added": [new[key] for key in new if key not in old],
            "removed": [old[key] for key in old if key not in new],
            "modified": [
                (old[key], new[key]) for key in old if key in new and old[key] != new[key]
            ],
        }
    return found


def _played(path: Path) -> Json:
    """Transition and animations of every slide."""
    found: Json = {}
    deck = Presentation(str(path))
    with zipfile.ZipFile(path) as archive:
        for slide in deck.slides:
            root = ElementTree.fromstring(archive.read(str(slide.part.partname).lstrip("/")))
            texts = {
                named.get("id"): "".join(text.text or "" for text in shape.iter(f"{_A}t"))
                for shape in root.iter(f"{_P}sp")
                for named in shape.iter(f"{_P}cNvPr")
            }
            transition = root.find(f".//{_P}transition")
            if transition is not None:
                found[f"{slide.slide_id} transition"] = _nested(transition)
            for order, node in enumerate(root.iter(f"{_P}cTn")):
                for target in node.iter(f"{_P}spTgt") if node.get("presetID") else ():
                    id = target.get("spid")
                    found[f"{slide.slide_id} {id} {order}"] = [node.attrib, texts.get(id)]
    return found


def _slides(path: Path) -> Json:
    """What is known of every slide, and all of its XML."""
    found: Json = {}
    for number, slide in enumerate(Presentation(str(path)).slides, start=1):
        xml = slide.part.blob
        root = ElementTree.fromstring(xml)
        title = slide.shapes.title
        notes = [
            "".join(ElementTree.fromstring(link.target_part.blob).itertext())
            for link in slide.part.rels.values()
            if link.reltype.endswith("/notesSlide")
        ]
        found[str(slide.slide_id)] = {
            "number": number,
            "title": title.text_frame.text if title is not None and title.has_text_frame else "",
            "layout": slide.slide_layout.name,
            "shapes": len(root.findall(f".//{_P}sp")),
            "notes": notes,
            "hash": hashlib.sha256(xml).hexdigest(),
            "elements": _nested(root),
        }
    return found


def _nested(element: ElementTree.Element) -> Json:
    """An element as dictionaries: attributes, text, and children by tag."""
    found: Json = {f"@{key}": value for key, value in element.attrib.items()}
    if element.text and element.text.strip():
        found["#text"] = element.text
    for child in element:
        found.setdefault(child.tag, []).append(_nested(child))
    return found


if __name__ == "__main__":
    print(json.dumps(reference(*map(Path, sys.argv[1:3])), default=str))
