"""Decks drawn in the background: order, cache, errors, and what is given up."""

import threading
import time
from collections.abc import Mapping
from pathlib import Path

import pytest
from tests.drawing import RecordedOffice

from decklab.core.errors import RenderFailed
from decklab.deck.deck import write_samples
from decklab.rendering.office import Office
from decklab.rendering.opening import open_rendered
from decklab.rendering.renderer import Cache, DrawnAhead, Renderer


class SlowOffice:
    """Notes what it is asked for; draws when it is let, and can be interrupted."""

    engine = "slow"
    options: Mapping[str, object] = {}

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.threads = set[str]()
        self.go_on = threading.Event()
        self.interrupted = self.closed = False

    def pdf(self, path: str | Path) -> bytes:
        self.asked.append(Path(path).name)
        self.threads.add(threading.current_thread().name)
        assert self.go_on.wait(20)
        if self.interrupted:
            raise RenderFailed(path, "the drawing was given up")
        return b"%PDF " + Path(path).name.encode()

    def resaved(self, path: str | Path) -> bytes:
        raise RenderFailed(path, "not saved")

    def interrupt(self) -> None:
        self.interrupted = True
        self.go_on.set()

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def two(tmp_path: Path) -> tuple[Path, Path]:
    paths = tmp_path / "one.pptx", tmp_path / "two.pptx"
    for path in paths:
        path.write_bytes(path.name.encode())
    return paths


def test_decks_are_drawn_in_the_order_they_were_begun(two: tuple[Path, Path]) -> None:
    office = SlowOffice()
    with DrawnAhead(Renderer(office)) as ahead:
        begun = [ahead.begin(office.pdf, path) for path in two]
        office.go_on.set()
        assert ahead.pdf(two[0]) == b"%PDF one.pptx"
        assert [deck.result() for deck in begun] == [b"%PDF one.pptx", b"%PDF two.pptx"]
    assert office.asked == ["one.pptx", "two.pptx", "one.pptx"]
    assert len(office.threads) == 1 and not office.interrupted


def test_the_caller_goes_on_while_a_deck_is_drawn(two: tuple[Path, Path]) -> None:
    office = SlowOffice()
    with DrawnAhead(Renderer(office)) as ahead:
        started = time.monotonic()
        begun = ahead.begin(office.pdf, two[0])
        assert time.monotonic() - started < 5
        office.go_on.set()
        assert begun.result()


def test_the_cache_is_asked_first_and_filled(two: tuple[Path, Path], tmp_path: Path) -> None:
    office, cache = SlowOffice(), Cache(tmp_path / "cache")
    office.go_on.set()
    for _ in range(2):
        with DrawnAhead(Renderer(office, cache)) as ahead:
            assert ahead.pdf(two[0]) == b"%PDF one.pptx"
    assert office.asked == ["one.pptx"]


def test_the_error_of_a_begun_deck_comes_when_it_is_asked_for(two: tuple[Path, Path]) -> None:
    office = RecordedOffice({"two.pptx": b"%PDF"})
    with DrawnAhead(Renderer(office)) as ahead:
        begun = ahead.begin(office.pdf, two[0])
        assert ahead.pdf(two[1]) == b"%PDF"
        with pytest.raises(RenderFailed, match=r"one\.pptx: no PDF was recorded"):
            begun.result()


def test_an_error_of_the_caller_gives_up_the_deck_at_work(two: tuple[Path, Path]) -> None:
    office = SlowOffice()
    with pytest.raises(KeyError), DrawnAhead(Renderer(office)) as ahead:
        for path in two:
            ahead.begin(office.pdf, path)
        while not office.asked:
            time.sleep(0.01)
        raise KeyError
    assert office.interrupted and office.closed
    assert office.asked == ["one.pptx"], "what was not begun yet is not drawn"


@pytest.mark.long
def test_libreoffice_itself_is_given_up_and_serves_again(tmp_path: Path) -> None:
    deck = write_samples(tmp_path)[0]
    with Office() as office:
        office.pdf(deck)
        with pytest.raises(KeyError), DrawnAhead(Renderer(office)) as ahead:
            ahead.begin(office.pdf, deck)
            raise KeyError
        with open_rendered(deck, renderer=Renderer(office), ocr=False) as drawn:
            assert len(drawn) > 0
