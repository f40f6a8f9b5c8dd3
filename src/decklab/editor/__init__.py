"""Decks edited by instructions in words: paper 003, section 4 and appendix G.

- ``command_editor``: ``edit_with_commands(deck, instruction)``, the editor without a model. A
  request in an exact language (read by ``decklab.editing.requests``) becomes calls of the library
  of edits, and with them a ``Plan``; ``outcomes`` says what became plainly worse.
- ``model_editor``: ``edit_with_model(deck, instruction, ask)``: a model chooses the steps and plans
  the changes (``planning``), and writes programs or patches (``steps``); the best version is taken
  (``versions``).
- ``plan_meaning`` says what a plan allows and asks for, ``amending`` lets the model add to it once.
- ``plan_check`` holds that plan against the request; ``review`` has the model look at what passed,
  with what was added and what was left alone (``overview``).
- ``result``: ``EditAttempt`` (one version that was tried), ``EditResult``; ``output``:
  ``EditOutput`` (where the edited deck and the copies go).

No editor changes its input: it works on a copy in a folder of its own, verifies that copy, and
writes the best one to its place, whole or not at all.
"""
