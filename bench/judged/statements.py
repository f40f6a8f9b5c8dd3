"""How well the proxies tell what a source says: ``python -m bench.judged.statements [HALF]``.

Statements with labels of our own, written before the code that is measured. One half was looked at
while it was written; the other, chosen by the SHA-256 of the source, was kept aside.
"""

import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final, Literal

from decklab.documents.reading import read_documents
from decklab.evals.judges.quiz.statements import DeckStatement
from decklab.evals.judges.scenario.matching import SourceStatements

PAIRS: Final = Path(__file__).parents[2] / "tests/data/statement_pairs.jsonl"
Half = Literal["open", "kept aside"]
LABELS: Final = ("supported", "contradicted", "not stated")


@dataclass(frozen=True)
class StatementPair:
    """A statement, the text that it is held against, and what is true of it."""

    kind: str
    source: str
    statement: str
    label: str

    @property
    def half(self) -> Half:
        """Which half it belongs to; all statements of a source are in one."""
        return "kept aside" if sha256(self.source.encode()).digest()[0] % 2 else "open"


def statement_pairs() -> list[StatementPair]:
    """All of them."""
    return [StatementPair(**json.loads(line)) for line in PAIRS.read_text("utf-8").splitlines()]


def judged(pairs: Sequence[StatementPair]) -> Iterator[tuple[StatementPair, str, str]]:
    """Each pair with the verdict of the proxy and its evidence; the sources are one document."""
    parts = dict.fromkeys(pair.source for pair in pairs)
    text = "# Notes\n" + "".join(f"\n## Part {n}\n\n{one}\n" for n, one in enumerate(parts, 1))
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "notes.md"
        path.write_text(text, "utf-8")
        sources = SourceStatements(read_documents([path]))
        for pair in pairs:
            found = sources.support(DeckStatement(1, pair.statement))
            yield pair, found.verdict, found.evidence


def main(halves: Sequence[str]) -> None:
    """Print precision and recall of each label, and the share that is right of each kind."""
    for half in halves or ("open", "kept aside"):
        found = list(judged([pair for pair in statement_pairs() if pair.half == half]))
        right = sum(pair.label == verdict for pair, verdict, _ in found)
        print(f"{half}: {right} of {len(found)} right")
        for label in LABELS:
            said = [pair.label for pair, verdict, _ in found if verdict == label]
            meant = sum(pair.label == label for pair, _, _ in found)
            hits = said.count(label)
            print(f"  {label:13} precision {_share(hits, len(said))}, recall {_share(hits, meant)}")
        totals = Counter(pair.kind for pair, _, _ in found)
        hit = Counter(pair.kind for pair, verdict, _ in found if pair.label == verdict)
        print("  " + ", ".join(f"{kind} {hit[kind]}/{totals[kind]}" for kind in totals))


def _share(part: int, whole: int) -> str:
    return f"{part / whole:4.0%} ({part} of {whole})" if whole else "none"


if __name__ == "__main__":
    main(sys.argv[1:])
