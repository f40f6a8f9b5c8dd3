"""A small set of instructions, decks for it, and rows with the scores of paper 002."""

import json
from pathlib import Path
from typing import Any

from tests.evals.judges.quiz.scripts import bank
from tests.evals.judges.quiz.test_slide_texts import write_deck

from decklab.evals.judges.quiz.bank import write_bank
from decklab.evals.slidesgen.evaluation import SlidesgenRow

REPORT = """# The harbour in 2025

Container traffic of the harbour grew by 12% in 2025. Ships from 31 countries called at the harbour.

## The new crane

The crane cost 4.2 million euros and was paid from the reserves. The crane moved 18,000 containers
in its first year. A single operator runs the crane from the control room. Energy became cheaper
because the crane feeds power back into the network. The network of the town needs no new cable.

## Staff

Every operator trains for 40 hours a year. The harbour hired 12 apprentices in spring. A doctor is
on the quay during each night shift. The control room has a view of the quay.

## Outlook

A rail link to the town will open in 2028. Demand for cold storage is larger than the reserves of
the harbour. The second crane needs a stronger quay and a larger network. The council pays for the
quay out of the harbour tax.
"""


def write_set(folder: Path, **changes: Any) -> Path:
    """A set of two topics: one with a report, one without any source."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "harbour.md").write_text(REPORT)
    harbour = {
        "topic": "harbour", "purpose": "work_report", "request": "Report on the year.",
        "documents": ["harbour.md"], "slides": 4, **changes,
    }  # fmt: skip
    listed = [harbour, {"topic": "poems", "purpose": "topic_introduction"}]
    path = folder / "instructions.json"
    path.write_text(json.dumps({"title": "Two topics", "instructions": listed}))
    return path


def write_decks(folder: Path) -> Path:
    """Three systems: a good one, one whose deck is broken, and one with a deck of no topic."""
    for system in ("good", "broken", "other"):
        (folder / system).mkdir(parents=True)
    write_deck(folder / "good" / "harbour.pptx", [("The harbour", "Ships from 31 countries", "")])
    (folder / "broken" / "harbour.pptx").write_bytes(b"no deck")
    write_deck(folder / "other" / "poems.pptx", [("Poems", "Roses are red, violets are blue", "")])
    write_deck(folder / "other" / "novels.pptx", [("Novels", "Long", "")])
    return folder


def write_person_bank(folder: Path) -> str:
    """A bank of a person beside a set; its name."""
    write_bank(bank(), folder / "bank.json")
    return "bank.json"


def row(system: str, topic: str = "t", purpose: str = "work_report", **values: Any) -> SlidesgenRow:
    """A row with these values; a string is the reason why there is none."""
    more = {name: values.pop(name) for name in ("richness", "absent") if name in values}
    return SlidesgenRow(
        system=system, topic=topic, purpose=purpose, slides=3,
        values={name: value for name, value in values.items() if not isinstance(value, str)},
        reasons={name: value for name, value in values.items() if isinstance(value, str)}, **more,
    )  # fmt: skip
