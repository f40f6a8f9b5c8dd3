"""Sets of instructions: what decks are to be written about, for what, and from which documents.

Paper 002, section 2.1 and appendix B. A set is a JSON file; its documents lie beside it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from decklab.board.blueprint import first_fault
from decklab.core.errors import DecklabError, json_in, one_line
from decklab.core.files import package_data, write_data
from decklab.core.options import WRITE_SLIDES
from decklab.documents.knowledge import KnowledgeBase

PURPOSES: Final[Mapping[str, str]] = {
    "brand_promote": "Brand promotion",
    "business_plan": "Business plan",
    "personal_statement": "Personal statement",
    "product_launch": "Product launch",
    "course_preparation": "Course preparation",
    "topic_introduction": "Topic introduction",
    "work_report": "Work report",
}
"""The purposes of paper 002 in the order of its table 1; a set may have others."""
Richness = Literal["low", "medium", "high"]
RICHNESS: Final[tuple[Richness, ...]] = ("low", "medium", "high")
TEXT_WEIGHT: Final = 0.7
PICTURE_WEIGHT: Final = 0.3
"""w_t and w_i of eq 9 (appendix B)."""
INSTRUCTIONS_FILE: Final = "instructions.json"
_PACKAGE = "decklab.evals.slidesgen"


class InstructionError(DecklabError):
    """A set of instructions, or its decks, that cannot be used; one line names file and place."""


class Instruction(BaseModel):
    """One deck that every system writes."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    topic: str = Field(min_length=1)
    """Its name in the set, and that of its deck in the folder of a system."""
    purpose: str = Field(min_length=1)
    """One of ``PURPOSES``, or another word."""
    title: str = ""
    request: str = ""
    """Request of a person, in words."""
    documents: tuple[Path, ...] = ()
    """Sources of the deck; empty if they are not known."""
    bank: Path | None = None
    """Questions about the documents; None to have them made."""
    slides: int = Field(default=WRITE_SLIDES, ge=3, le=200)
    """How many there may be at most."""
    language: str = "en"

    @property
    def name(self) -> str:
        """Its title, or its topic in words."""
        return self.title or self.topic.replace("_", " ").replace("-", " ")


class InstructionSet(BaseModel):
    """Instructions with a title."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    title: str = ""
    instructions: tuple[Instruction, ...] = Field(min_length=1)

    @property
    def topics(self) -> list[str]:
        """The topics in their order."""
        return [instruction.topic for instruction in self.instructions]

    def only(self, topics: Sequence[str]) -> "InstructionSet":
        """The same with some topics alone, all if none is named; InstructionError for a topic
        that is not there."""
        if unknown := set(topics).difference(self.topics):
            raise InstructionError(f"no instruction has the topic {one_line(min(unknown))}")
        kept = tuple(brief for brief in self.instructions if not topics or brief.topic in topics)
        return self.model_copy(update={"instructions": kept})


def purpose_name(purpose: str) -> str:
    """A purpose in words.

    >>> purpose_name("work_report"), purpose_name("board_meeting")
    ('Work report', 'Board meeting')
    """
    return PURPOSES.get(purpose) or purpose.replace("_", " ").capitalize()


def load_instructions(path: str | Path) -> InstructionSet:
    """A set from its JSON file, or from the folder that holds ``instructions.json``.

    Paths of documents and banks are relative to the file. Raises InstructionError, in one line that
    names the place, if it is none, two topics have one name, or a document is not there.
    """
    folder = Path(path)
    file = folder / INSTRUCTIONS_FILE if folder.is_dir() else folder
    try:
        listed = InstructionSet.model_validate(json_in(file, InstructionError))
    except ValidationError as error:
        raise InstructionError(f"{file}: {first_fault(error)}") from error
    placed = tuple(_placed(instruction, file) for instruction in listed.instructions)
    seen: set[str] = set()
    for brief in placed:
        if brief.topic.casefold() in seen:
            raise InstructionError(f"{file}: two instructions have the topic {brief.topic}")
        seen.add(brief.topic.casefold())
    return listed.model_copy(update={"instructions": placed})


def _placed(brief: Instruction, file: Path) -> Instruction:
    """An instruction with paths that lead somewhere from here."""
    if set(brief.topic) & set("/\\") or brief.topic in (".", ".."):
        raise InstructionError(f"{file}: the topic {one_line(brief.topic)} is no name of a file")
    documents = tuple(file.parent / document for document in brief.documents)
    bank = None if brief.bank is None else file.parent / brief.bank
    for needed in (*documents, *([bank] if bank else [])):
        if not needed.is_file():
            raise InstructionError(f"{file}: {brief.topic}: there is no file {needed}")
    return brief.model_copy(update={"documents": documents, "bank": bank})


@dataclass(frozen=True)
class SourceSize:
    """How much the documents of an instruction hold: T and I of eq 9."""

    characters: int
    pictures: int


def source_size(sources: KnowledgeBase) -> SourceSize:
    """Characters of all text and number of figures of some documents."""
    texts = (block.text for document in sources.documents for block in document.blocks)
    return SourceSize(sum(map(len, texts)), len(sources.figures))


def richness_scores(sizes: Mapping[str, SourceSize]) -> dict[str, float]:
    """The richness of each topic by eq 9, 0 to 1: text and pictures, each from least to most.

    If all have as much of one, it adds nothing.

    >>> sizes = {"a": SourceSize(1000, 0), "b": SourceSize(3000, 4), "c": SourceSize(2000, 1)}
    >>> richness_scores(sizes)
    {'a': 0.0, 'b': 1.0, 'c': 0.425}
    """
    texts = [size.characters for size in sizes.values()]
    pictures = [size.pictures for size in sizes.values()]
    return {
        topic: TEXT_WEIGHT * _share(size.characters, texts)
        + PICTURE_WEIGHT * _share(size.pictures, pictures)
        for topic, size in sizes.items()
    }


def _share(value: int, among: Sequence[int]) -> float:
    low, high = min(among), max(among)
    return 0.0 if low == high else (value - low) / (high - low)


def richness_levels(scores: Mapping[str, float]) -> dict[str, Richness]:
    """Each topic's third by its richness; empty for fewer than three topics.

    Thirds differ by at most one topic; of equally rich ones the first by name is the poorer.

    >>> richness_levels({"a": 0.0, "b": 1.0, "c": 0.4})
    {'a': 'low', 'c': 'medium', 'b': 'high'}
    """
    if len(scores) < len(RICHNESS):
        return {}
    ordered = sorted(scores, key=lambda topic: (scores[topic], topic))
    return {topic: RICHNESS[rank * 3 // len(ordered)] for rank, topic in enumerate(ordered)}


def write_starter_set(folder: Path, *, force: bool = False) -> Path:
    """Write decklab's own set with its documents into ``folder``; the path of its file.

    Raises NameTaken if it has another file of such a name, of which ``force`` keeps a copy.
    """
    data = package_data(_PACKAGE, f"data/{INSTRUCTIONS_FILE}")
    listed = InstructionSet.model_validate_json(data).instructions
    names = {str(document) for brief in listed for document in brief.documents}
    files = {name: package_data(_PACKAGE, f"data/{name}") for name in sorted(names)}
    write_data(folder, {**files, INSTRUCTIONS_FILE: data}, force=force)
    return folder / INSTRUCTIONS_FILE
