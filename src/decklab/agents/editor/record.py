"""Everything that was asked, answered and made for one edit, kept in a folder as it comes.

::

    edit.json                  the request, the switches, the outcome, tokens, cost, seconds
    01-route.prompt.txt        each question in order, with the pictures that went with it
    01-route.picture-1.png
    01-route.reply.txt
    01-route.json              model, tokens, seconds, what did not fit the form
    round-1/                   step-1.py or step-1.patches.json, printed.txt, deck.pptx,
                               findings.txt, slide-003.before.png, slide-003.after.png
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from decklab.files import write_whole
from decklab.models.asking import Reply, Usage


class Record:
    """A folder that is written to while an edit goes on, so that a broken one leaves its trace."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self._asked = 0

    def question(self, stage: str, text: str, images: Sequence[bytes], system: str) -> str:
        """Keep a question; gives the start of the names of all that belongs to it."""
        self._asked += 1
        name = f"{self._asked:02}-{stage}"
        self.keep(f"{name}.prompt.txt", f"{system}\n\n{text}")
        for number, image in enumerate(images, 1):
            suffix = "png" if image.startswith(b"\x89PNG") else "jpg"
            self.keep(f"{name}.picture-{number}.{suffix}", image)
        return name

    def reply(self, name: str, reply: Reply[Any], usage: Usage) -> None:
        """Keep the reply to a question."""
        self.keep(f"{name}.reply.txt", reply.text)
        told = {
            "model": reply.model,
            "input_tokens": usage.input_tokens,
            "output_tokens": usage.output_tokens,
            "seconds": round(usage.seconds, 3),
            "problem": reply.problem,
        }
        self.keep_json(f"{name}.json", told)

    def round(self, number: int) -> Path:
        """The folder of one round, which is there."""
        place = self.folder / f"round-{number}"
        place.mkdir(exist_ok=True)
        return place

    def keep(self, name: str, content: str | bytes) -> None:
        """Keep text or bytes under a name below the folder."""
        data = content.encode(errors="replace") if isinstance(content, str) else content
        write_whole(self.folder / name, data)

    def keep_json(self, name: str, value: Any) -> None:
        """Keep plain data."""
        self.keep(name, json.dumps(value, ensure_ascii=False, indent=2) + "\n")
