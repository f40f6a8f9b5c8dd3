"""The operations as a prompt describes them."""

import ast
import inspect

from decklab.editing import operations
from decklab.editing.operations import operation_docs
from decklab.sandbox.bundling import bundle_module

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


def test_programs_in_the_sandbox_get_little_of_decklab() -> None:
    """No element models, nothing that opens files by itself."""
    sources = bundle_module("decklab.editing.operations")[1]["_decklab_modules"]
    assert isinstance(sources, dict)
    rooms = {name.split(".")[1] for name in sources if "." in name}
    assert rooms == {"editing", "errors", "ooxml"}
    assert "decklab.ooxml.draft" not in sources
    imported = {
        name.split(".")[0]
        for text in sources.values()
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in ([node.module] if isinstance(node, ast.ImportFrom) else _names(node))
        if name
    }
    assert not imported & {"pydantic", "zipfile"}


def _names(node: ast.Import) -> list[str]:
    return [alias.name for alias in node.names]
