import ast
import gc
import threading
import time
from collections.abc import Iterator

import pytest

from decklab.core.lazy import parse_code

DEEP = "\n".join(f"x{i} = ({'(' * 40}{i}{')' * 40} + [[[[[[{i}, -{i}]]]]]])" for i in range(60))


@pytest.fixture
def many_switches() -> Iterator[None]:
    """Threads take turns often, also inside of the making of a tree."""
    threshold = gc.get_threshold()
    gc.callbacks.append(give_way)
    gc.set_threshold(20)
    yield
    gc.set_threshold(*threshold)
    gc.callbacks.remove(give_way)


def give_way(*_: object) -> None:
    time.sleep(0)


@pytest.mark.long
def test_threads_parse_at_the_same_time(many_switches: None) -> None:
    trees: list[ast.Module] = []

    def parse() -> None:
        trees.extend(parse_code(DEEP) for _ in range(10))

    threads = [threading.Thread(target=parse) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [len(tree.body) for tree in trees] == [60] * 40


def test_what_is_no_python_is_refused() -> None:
    with pytest.raises(SyntaxError):
        parse_code("def")
