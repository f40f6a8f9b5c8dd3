"""One warm sandbox for the tests that need no other."""

from collections.abc import Iterator

import pytest

from decklab.sandbox.limits import RunLimits
from decklab.sandbox.sandbox import Sandbox


def ask(question: str, temperature: float = 0.7) -> str:
    return f"{question} at {temperature}"


@pytest.fixture(scope="module")
def sandbox(caged: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sandbox]:
    file = tmp_path_factory.mktemp("handed-in") / "words.txt"
    file.write_text("some words")
    with Sandbox(
        files={"words.txt": file, "below/words.txt": file},
        services={"ask": ask},
        prelude="def doubled(x): return 2 * x\nseen = [start]",
        data={"start": {"at": b"\x00\xff"}},
        limits=RunLimits(seconds=20, calls=3),
    ) as made:
        yield made
