"""Run the unread requests: ``python -m bench.unread_requests OUT``.

Prints how many of each kind were done, asked back or refused. ``OUT`` gets the edited decks and
``results.json`` with each request, the expected result and the changes in words; whoever judges it
has not seen the code either.
"""

import argparse
import json
import os
import shutil
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from decklab.core.errors import DecklabError
from decklab.deck.deck import write_samples
from decklab.editor.edit import edit_with_commands

HERE = Path(__file__).parent


def outcome(request: Mapping[str, Any], deck: Path, out: Path) -> dict[str, Any]:
    """The request with what came of it; an error of ours is an outcome of its own."""
    try:
        result = edit_with_commands(deck, request["request"], out=out, files=Path(), draw=False)
    except (DecklabError, OSError) as error:
        return {**request, "outcome": "error", "undone": [str(error)]}
    return {**request, **result.as_json()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path, help="a new folder")
    out = parser.parse_args().out.resolve()
    out.mkdir(parents=True)
    for picture in HERE.glob("*.png"):
        shutil.copy(picture, out)
    os.chdir(out)  # requests name these pictures
    decks = {deck.stem: deck for deck in write_samples(out / "samples")}
    requests = json.loads((HERE / "requests.json").read_text(encoding="utf-8"))
    rows = [outcome(one, decks[one["deck"]], out / f"{one['id']}.pptx") for one in requests]
    Path("results.json").write_text(json.dumps(rows, indent=1, ensure_ascii=False))
    for (kind, ended), count in sorted(Counter((r["kind"], r["outcome"]) for r in rows).items()):
        print(f"{kind:6} {ended:8} {count:4}")


if __name__ == "__main__":
    main()
