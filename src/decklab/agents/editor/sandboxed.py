"""The library inside the sandbox: its documentation for a prompt, its source for the guest.

::

    from decklab.agents.editor.sandboxed import library_docs, library_prelude

    prelude, data = library_prelude()
    with Sandbox(files={"in.pptx": deck}, prelude=prelude, data=data) as sandbox:
        sandbox.run(code)  # the functions of the library are globals of ``code``
"""

import inspect

from decklab.agents.editor import library
from decklab.sandbox.bundling import carry
from decklab.sandbox.limits import Plain

_LIBRARY = "decklab.agents.editor.library"
_GLOBALS = f"""
from {_LIBRARY} import *
from {_LIBRARY}.kinds import presentation_in
from pptx import Presentation
"""


def library_docs() -> str:
    """Signature and documentation of every function of the library, as text for a prompt."""
    functions = [(name, getattr(library, name)) for name in library.__all__]
    return "\n\n".join(
        f"{name}{_signature(held)}\n{_indented(inspect.getdoc(held) or '')}"
        for name, held in functions
        if inspect.isfunction(held)
    )


def library_prelude() -> tuple[str, dict[str, Plain]]:
    """The ``prelude`` and ``data`` of a sandbox whose runs have the library as globals.

    ``Presentation`` of python-pptx is a global as well, ``EditError``, and ``presentation_in``,
    which opens templates and shows too.
    """
    prelude, data = carry(_LIBRARY)
    return prelude + _GLOBALS, data


def _signature(function: object) -> str:
    """Without what a reader of the prompt knows anyway."""
    told = inspect.signature(function)  # type: ignore[arg-type]
    text = str(told.replace(return_annotation=inspect.Signature.empty))
    return text.replace("pptx.presentation.Presentation", "Presentation").replace(
        "collections.abc.", ""
    )


def _indented(text: str) -> str:
    return "\n".join(f"    {line}".rstrip() for line in text.splitlines())
