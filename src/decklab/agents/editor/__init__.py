"""Decks edited as somebody asks in words: paper 003, section 4 and appendix G.

The rooms, from what does the work to what looks at it:

- ``library``: the edits python-pptx lacks, as plain functions on an open presentation ``prs``. The
  same functions serve code that a model wrote (in the sandbox) and the command editor.
- ``commands``: the editor without a model. A request in a documented form becomes calls of the
  library, and with them a ``Plan``.
- ``verification``: ``verify(before, after, plan)`` says whether a deck opens, is valid, changed as
  planned and in nothing else, and has no new faults. Made for both editors.
- ``result``: ``Attempt`` (one version that was tried) and ``EditResult`` (what came of a request).
- ``running``: ``edit_with_commands(deck, instruction, out=...)``.

An editor, with a model or without, never changes its input: it works on a copy in a folder of its
own, verifies that copy, and ``deliver`` puts the best one in place, whole or not at all.
"""
