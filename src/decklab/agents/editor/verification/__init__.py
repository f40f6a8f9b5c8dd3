"""An edited deck looked at: does it open, is it valid, did the planned change and nothing else?

::

    original = Original("talk.pptx")
    seen = verify(original, "talk.edited.pptx", plan, office=office, cache=cache)
    if not seen.passed:
        print(*seen.messages, sep="\n")

``Plan`` holds ``Planned`` changes; ``Verification`` what was found, its ``rank`` (higher is better,
to keep the best of several versions), ``passed``, and ``messages`` that a model can act on.
"""

from decklab.agents.editor.verification.checking import verify
from decklab.agents.editor.verification.model import Drawn, Verification
from decklab.agents.editor.verification.original import Original
from decklab.agents.editor.verification.plan import Plan, Planned

__all__ = ["Drawn", "Original", "Plan", "Planned", "Verification", "verify"]
