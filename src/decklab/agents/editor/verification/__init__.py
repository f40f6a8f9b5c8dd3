"""An edited deck looked at: does it open, is it valid, did the planned change and nothing else?

::

    verify(before, after, plan, *, office=None, cache=None, clock=None, draw=True) -> Verification

``Plan`` holds ``Planned`` changes; ``Verification`` what was found, its ``rank`` (higher is better,
to keep the best of several versions), ``passed``, and ``messages`` that a model can act on.
"""

from decklab.agents.editor.verification.checking import verify
from decklab.agents.editor.verification.model import Drawn, Verification
from decklab.agents.editor.verification.plan import Plan, Planned

__all__ = ["Drawn", "Plan", "Planned", "Verification", "verify"]
