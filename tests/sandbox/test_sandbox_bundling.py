"""Modules of decklab carried into the sandbox, where decklab is not."""

import pytest

from decklab.sandbox.limits import CodeFailed
from decklab.sandbox.sandbox import Sandbox, bundle_module

MODULE = "decklab.diffing.ppteval_records"


@pytest.mark.usefixtures("caged")
def test_what_is_carried_can_be_imported_and_nothing_else_of_decklab() -> None:
    prelude, data = bundle_module(MODULE)
    with Sandbox(prelude=prelude, data=data) as sandbox:
        code = f"from {MODULE} import Slide\nresult = Slide('7', 1).to_dict()['slide_number']"
        assert sandbox.run(code).value == 1
        sandbox.renew(data=data)
        assert sandbox.run(code).value == 1
        with pytest.raises(CodeFailed, match="ModuleNotFoundError"):
            sandbox.run("import decklab.diffing.snapshots")
    with Sandbox() as bare, pytest.raises(CodeFailed, match="ModuleNotFoundError"):
        bare.run(code)
