"""A request about all words of a deck: questions, tokens, and words that were missed.

A model that puts a sign before every text edits real decks of 41 to 48 slides through the editor,
without pictures. The words of the deck are found by a walk over its XML that knows nothing of
decklab (``tests.editor.decks52``): each must have been sent, and stand behind the sign
afterwards; with all words blank, the parts of the file must be as they were. Tokens are a fourth of
the characters of questions and replies. Beside it, how many slides the plan of another edit would
be shown whole.

Run as ``python -m bench.deck_wide [DECK...]``; 1 where a word was missed or more than words
changed. Without ``../shared`` the deck of 52 slides of the tests is taken.
"""

import json
import re
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Any

from pptx import Presentation
from tests.editor.decks52 import shown_words, without_words, write_deck52

from decklab.deck.views.snapshot import snapshot_of
from decklab.editor.model_editor import edit_with_model
from decklab.editor.outline import slides_in_full
from decklab.editor.rounds import ModelEditOptions
from decklab.models.asking import ModelReply, Usage

REAL = Path(__file__).parents[2] / "shared" / "decks" / "real"
DECKS = (
    "full_azure-functions_slides.pptx",
    "test-data_integration_stress021.pptx",
    "test-data_slideshow_2411-Performance_Up.pptx",
)
_KINDS = ("table", "chart", "diagram", "notes", "alt text", "layout", "master", "section")
_PLANNED = {"what": "every text gets a sign", "kinds": ("text",), "slides": [], "design": True,
            "shapes": [], "required": True, "count": 1, "new_texts": []}  # fmt: skip
_ALSO = {**_PLANNED, "what": "wherever texts are", "kinds": _KINDS, "required": False}
_SAID: dict[str, Any] = {
    "plan": {
        "operations": [],
        "steps": [{"path": "texts", "task": "a sign before every text", "slides": []}],
        "content": [],
        "changes": [_PLANNED, _ALSO],
        "remarks": [],
        "cannot": "",
    },
    "check": {"missing": [], "loose": [], "wrong_slides": [], "fits": True},
    "amend": {"changes": [], "reason": ""},
}
_LINE = re.compile(r"^(\S+)\t(\".*\")$", re.MULTILINE)


@dataclass
class _Signs:
    """A model that puts a sign before texts, and what it was asked."""

    sent: dict[str, str] = field(default_factory=dict)
    questions: int = 0
    longest: int = 0
    asked: int = 0
    replied: int = 0

    def __post_init__(self) -> None:
        self._lock = Lock()

    def __call__(
        self, prompt: str, *, answer: Any = None, stage: str = "", **_how: Any
    ) -> ModelReply[Any]:
        said = _SAID.get(stage)
        if stage == "texts":
            shown = prompt.split("\nThe texts:\n")[1]
            found = {id: json.loads(text) for id, text in _LINE.findall(shown)}
            said = {
                "edits": [{"id": id, "text": f"⟦{text}"} for id, text in found.items()],
                "language": "",
            }
        reply = json.dumps(said, ensure_ascii=False)
        with self._lock:
            self.questions += 1
            self.asked += len(prompt)
            self.replied += len(reply)
            self.longest = max(self.longest, len(prompt))
            if stage == "texts":
                self.sent |= found
        usage = Usage(len(prompt) // 4, len(reply) // 4, requests=1)
        return ModelReply(reply, usage=usage, model="signs")


def main(arguments: list[str]) -> int:
    """Print a line for each deck; 1 where words were missed or anything else changed."""
    with tempfile.TemporaryDirectory(prefix="decklab-bench-wide-") as room:
        named = [Path(name) for name in arguments] or [REAL / name for name in DECKS]
        decks = named if all(deck.exists() for deck in named) else [write_deck52(Path(room))]
        print(f"{'deck':40} slides texts questions longest  in/out tokens  missed other  outcome")
        return max(_tried(deck, Path(room) / f"{at}.pptx") for at, deck in enumerate(decks))


def _tried(deck: Path, out: Path) -> int:
    model, snapshot = _Signs(), snapshot_of(deck)
    options = ModelEditOptions(review=False, rounds=1)
    out.unlink(missing_ok=True)
    result = edit_with_model(
        deck, "Put a sign before every text", model, out=out, draw=False, options=options
    )
    missed, other = _missed(deck, out, model), _changed(deck, out)
    print(
        f"{deck.name[-40:]:40} {len(snapshot['slides']):6} {len(model.sent):5} "
        f"{model.questions:9} {model.longest:7,} {model.asked // 4:7,}/{model.replied // 4:<7,}"
        f"{len(missed):7} {len(other):5}  {result.outcome}"
    )
    for line in [*missed[:5], *other[:5], *result.undone[:5]]:
        print(f"    {line[:110]!r}")
    shown = [json.loads(line) for line in slides_in_full(
        snapshot, range(1, len(snapshot["slides"]) + 1)).splitlines()]  # fmt: skip
    counts = Counter(
        "shapes left out" if "left_out" in one else one.get("shown", "in full") for one in shown
    )
    print("    as slides of another edit:", ", ".join(f"{n} {how}" for how, n in counts.items()))
    return bool(missed or other)


def _missed(deck: Path, out: Path, model: _Signs) -> list[str]:
    """Words that were not sent, or have no sign in the edited deck."""
    before, after = shown_words(deck), shown_words(out)
    told = Counter(model.sent.values())
    charts = Counter(text for found in before.charts.values() for text in found)
    unsent = before.paragraphs + before.descriptions + charts - told
    bare = [text for text in [*after.paragraphs, *after.descriptions] if text[:1] != "⟦"]
    bare += [text for found in after.charts.values() for text in found if text[:1] != "⟦"]
    return [*unsent, *bare]


def _changed(deck: Path, out: Path) -> list[str]:
    """Parts that differ with all words blank from what python-pptx alone makes of the deck by
    opening and saving it; workbooks of charts are left out."""
    saved = out.with_name("saved.pptx")
    prs = Presentation(str(deck))
    _ = len(prs.slides)  # which gives their parts the names that editing gives them
    prs.save(str(saved))
    before, after = without_words(saved), without_words(out)
    names = dict.fromkeys([*before, *after])
    return [name for name in names if before.get(name) != after.get(name)]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
