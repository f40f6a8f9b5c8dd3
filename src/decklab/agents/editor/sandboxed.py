"""The source of the editing operations, for code in the sandbox.

::

    from decklab.agents.editor.sandboxed import library_prelude

    prelude, data = library_prelude()
    with Sandbox(files={"in.pptx": deck}, prelude=prelude, data=data) as sandbox:
        sandbox.run(code)  # the functions of the library are globals of ``code``
"""

from decklab.sandbox.bundling import bundle_module
from decklab.sandbox.limits import Plain

_OPERATIONS = "decklab.editing.operations"
_GLOBALS = f"""
from {_OPERATIONS} import *
from decklab.editing.open_parts import presentation_in
from pptx import Presentation
"""


def library_prelude() -> tuple[str, dict[str, Plain]]:
    """The ``prelude`` and ``data`` of a sandbox whose runs have the library as globals.

    ``Presentation`` of python-pptx is a global as well, ``EditError``, and ``presentation_in``,
    which opens templates and shows too.
    """
    prelude, data = bundle_module(_OPERATIONS)
    return prelude + _GLOBALS, data
