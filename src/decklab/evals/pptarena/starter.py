"""The starter set of PPTArena: 32 cases on decklab's own sample decks, with truths and attempts.

The set comes with decklab as data. ``cases.json`` is the list in the published format;
``decks.json.xz`` has for each truth and each flawed attempt the parts that differ from the sample
deck, and the order of its parts. ``python -m generate`` makes both in decklab's repository: every
deck is the sample with small edits made in code.
The editors that know its answers are here too.
"""

import base64
import io
import json
import lzma
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any

from decklab.core.files import package_data, write_whole
from decklab.core.registry import Registry
from decklab.deck.samples import sample_bytes
from decklab.evals.editors.baselines import commands, noop
from decklab.evals.editors.isolation import EditorFor
from decklab.evals.editors.protocol import Editor, EditSession, trusted
from decklab.evals.pptarena.cases import Case, CaseSet, load_cases, slug
from decklab.ooxml.package import Package, packed, write_archive

_PACKAGE = "decklab.evals.pptarena"
ATTEMPTS = ("partial", "wrong-slide", "collateral")
"""The flawed attempts of each case: a part of the edit, the whole edit in the wrong place, and the
whole edit with something else damaged."""
CASES_FILE = "cases.json"
ATTEMPTS_FOLDER = "attempts"


def starter_cases(folder: Path, names: Sequence[str] = ()) -> CaseSet:
    """The starter set, or its cases of these names, written into ``folder``.

    Raises UnknownName for a name that the set does not have; the message gives the nearest name.
    """
    return load_cases(write_starter(folder, names))


def write_starter(folder: Path, names: Sequence[str] = ()) -> Path:
    """Write the cases of ``names``, or all, into ``folder``; returns the path of their list.

    Decks are in ``original/``, ``ground_truth/`` and ``attempts/``; the list comes last, so a
    folder with a list is complete. Every call writes the same bytes. Raises UnknownName for a name
    that the set does not have, OSError where the folder cannot be written.
    """
    known = Registry[dict[str, str]]("case of the starter set")
    for case in json.loads(package_data(_PACKAGE, f"data/{CASES_FILE}")):
        known.register(case["name"], case)
    cases = [known[name] for name in names or known]
    for original in sorted({case["original"] for case in cases}):
        write_whole(folder / original, sample_bytes(PurePosixPath(original).stem))
    for case in cases:
        sample, decks = PurePosixPath(case["original"]).stem, _decks()[slug(case["name"])]
        write_whole(folder / case["ground_truth"], _rebuilt(sample, decks["truth"]))
        for kind in ATTEMPTS:
            path = attempt_path(folder, case["name"], kind)
            write_whole(path, _rebuilt(sample, decks[kind]))
    text = json.dumps(cases, indent=2, ensure_ascii=False) + "\n"
    write_whole(folder / CASES_FILE, text.encode())
    return folder / CASES_FILE


def attempt_path(folder: Path, case: str, kind: str) -> Path:
    """The path of a case's flawed attempt of a kind, one of ``ATTEMPTS``."""
    return folder / ATTEMPTS_FOLDER / slug(case) / f"{kind}.pptx"


def _rebuilt(sample: str, differences: Mapping[str, Any]) -> bytes:
    """A deck from its sample: ``order`` names all its parts, ``parts`` holds the different parts.

    A part is text, or ``{"base64": ...}`` where it is not text.
    """
    changed: Mapping[str, str | Mapping[str, str]] = differences["parts"]
    entries = []
    for name in differences["order"]:
        part = changed.get(name)
        if part is None:
            data = _sample_parts(sample)[name]
        elif isinstance(part, str):
            data = part.encode()
        else:
            data = base64.b64decode(part["base64"])
        entries.append(packed(name, data))
    file = io.BytesIO()
    write_archive(entries, file)
    return file.getvalue()


@cache
def _sample_parts(sample: str) -> dict[str, bytes]:
    """The parts of a sample deck by name."""
    with Package.from_bytes(sample_bytes(sample), sample) as package:
        return {name: package.read(name) for name in package.names}


@cache
def _decks() -> dict[str, dict[str, Any]]:
    """Differences from the sample by the case's slug, then by ``truth`` or one of ``ATTEMPTS``."""
    found: dict[str, dict[str, Any]] = json.loads(
        lzma.decompress(package_data(_PACKAGE, "data/decks.json.xz"))
    )
    return found


BASELINES: Registry[EditorFor[Case]] = Registry("editor")
"""Editors by their names on the command line, each made for a case."""


def hand_in(find: Callable[[Case], Path], note: str) -> EditorFor[Case]:
    """An editor that submits an existing deck, with the remark ``note``."""

    def made(case: Case) -> Editor:
        def copied(deck: Path, instruction: str, session: EditSession) -> None:
            write_whole(deck, find(case).read_bytes())
            session.finish("done", note)

        return trusted(copied)

    return made


def attempts(folder: Path, kind: str) -> EditorFor[Case]:
    """An editor that submits the starter set's attempt of that kind, flawed on purpose."""
    return hand_in(lambda case: attempt_path(folder, case.name, kind), f"flawed on purpose: {kind}")


BASELINES.register("noop", noop)
BASELINES.register("commands", commands)
BASELINES.register("truth", hand_in(lambda case: case.ground_truth, "the truth"))
