"""What cheats bought: ``python -m bench.cheats RESULTS.json [HALF or NAME...]`` measures.

``python -m bench.cheats --table BEFORE.json AFTER.json`` prints both as a Markdown table. Halves
are ``known``, ``first`` and ``second``; with ``--undrawn`` only metrics of content are measured,
which need no picture. What a results file has already is not measured again.
"""

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from bench.cheats.every import CHEATS, Cheat
from bench.cheats.table import markdown_table
from bench.cheats.talk import SOURCE, coffee, statements
from decklab.core.results import NotScored
from decklab.documents.reading import read_documents
from decklab.evals.judges.preference.showing import show_deck
from decklab.evals.judges.quiz.quiz import cloze_bank, take_quiz
from decklab.evals.judges.scenario.drafting import draft_task
from decklab.evals.judges.scenario.proxies import SourceFacts, scenario_proxies
from decklab.evals.judges.scenario.shown_deck import read_stated_deck
from decklab.rendering.renderer import Cache, Renderer
from decklab.scoring.deck import score_deck

SCORES: Final = {
    "aesthetics": "aesthetics.total", "quality": "quality.score", "level": "editability.level",
}  # fmt: skip


class Measuring:
    """All metrics that cheats aim at; LibreOffice is started once."""

    def __init__(self, renderer: Renderer) -> None:
        self.renderer = renderer
        sources = read_documents([SOURCE])
        self.bank = cloze_bank(sources)
        self.task = draft_task("long-doc", sources)
        self.facts = SourceFacts(sources)
        told = " ".join(statements()).casefold().split()
        self.words = {word.strip(".,:") for word in told}

    def content(self, path: Path) -> dict[str, float | None]:
        """What a deck says of its source, by the metrics that need no picture."""
        (exam,) = take_quiz(self.bank, [path])
        values = {"quiz": _plain(exam.accuracy.share)}
        for metric in scenario_proxies(self.task, self.facts, read_stated_deck(path)):
            values[metric.name] = _plain(metric.score)
        return values

    def looks(self, path: Path) -> dict[str, float | None]:
        """How a deck looks, and how many words of its source reach a judge."""
        result = score_deck(path, renderer=self.renderer).result
        values = {name: _plain(result.value(metric)) for name, metric in SCORES.items()}
        told = " ".join(show_deck(path, self.renderer).texts).casefold().split()
        return values | {"prompt": sum(word.strip(".,:") in self.words for word in told)}


def _plain(value: float | NotScored) -> float | None:
    return None if isinstance(value, NotScored) else float(value)


HONEST: Final = Cheat("", "known", coffee, words=True)
"""The deck without any cheat."""


def measure(out: Path, wanted: Sequence[Cheat], *, drawn: bool) -> None:
    """Measure decks and add what is new to a file of results; only what needs no picture unless
    they are ``drawn``."""
    known: dict[str, Any] = json.loads(out.read_text()) if out.is_file() else {}
    with TemporaryDirectory() as folder:
        renderer = Renderer(cache=Cache(Path(folder) / "cache"))
        measuring = Measuring(renderer)
        path = Path(folder) / "cheat.pptx"
        for cheat in (HONEST, *wanted):
            found = known.setdefault(cheat.name, {})
            cheat.make().save(str(path))
            if cheat.words and "quiz" not in found:
                found |= measuring.content(path)
            if drawn and "quality" not in found:
                found |= measuring.looks(path)
            print(cheat.name, bought(known, cheat.name), flush=True)
            out.write_text(json.dumps(known, indent=1))


def bought(found: Mapping[str, Mapping[str, float | None]], name: str) -> dict[str, float | None]:
    """How much more each metric is than that of the deck without the cheat."""
    base = found[""]
    return {
        metric: None if value is None else round(value - (base[metric] or 0.0), 3)
        for metric, value in found[name].items()
    }


def main(arguments: Sequence[str]) -> int:
    """Measure, or print the table."""
    if arguments[:1] == ["--table"]:
        before, after = (json.loads(Path(name).read_text()) for name in arguments[1:3])
        gains = [{name: bought(one, name) for name in one if name} for one in (before, after)]
        print("\n".join(markdown_table(*gains)))
        return 0
    undrawn, named = "--undrawn" in arguments, set(arguments[1:]) - {"--undrawn"}
    wanted = [one for one in CHEATS if not named or named & {one.half, one.name}]
    measure(Path(arguments[0]), wanted, drawn=not undrawn)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
