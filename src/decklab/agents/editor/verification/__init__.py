"""An edited deck looked at: does it open, is it valid, did the planned change and nothing else?

::

    original = Original("talk.pptx")
    seen = verify(original, "talk.edited.pptx", plan, office=office, cache=cache)
    if not seen.passed:
        print(*seen.messages, sep="\n")

``Plan`` holds ``Planned`` changes; ``Verification`` what was found, its ``rank`` (higher is better,
to keep the best of several versions), ``passed``, and ``messages`` that a model can act on.
"""
