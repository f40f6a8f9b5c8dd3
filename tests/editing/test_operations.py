"""The operations as a prompt describes them."""

import inspect

from decklab.editing import operations
from decklab.editing.operations import operation_docs

FUNCTIONS = [name for name in operations.__all__ if inspect.isfunction(getattr(operations, name))]


def test_the_documentation_tells_every_function_with_an_example_of_it() -> None:
    docs = operation_docs()
    for name in FUNCTIONS:
        assert f"\n\n{name}(prs" in f"\n\n{docs}"
        assert f"{name}(prs" in (inspect.getdoc(getattr(operations, name)) or "")


def test_every_example_in_the_documentation_is_python() -> None:
    lines = [line.strip() for line in operation_docs().splitlines()]
    examples = [line.removeprefix("Example: ") for line in lines if line.startswith("Example:")]
    assert len(examples) == len(FUNCTIONS)
    for example in examples:
        compile(example, "example", "eval")
