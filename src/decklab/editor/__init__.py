"""Decks edited by instructions in words: paper 003, section 4 and appendix G.

- ``edit``: ``edit_with_commands(deck, instruction)``, the editor without a model. A request in an
  exact language (read by ``decklab.editing.requests``) becomes calls of the library of edits, and
  with them a ``Plan``; ``outcomes`` says what became plainly worse, too.
- ``model_editor``: ``edit_with_model(deck, instruction, ask)``: a model plans the changes
  (``planning``), and tries calls, programs or patches (``steps``) on copies (``trying``), round by
  round (``rounds``); the best version is taken (``versions``).
- ``result``: ``EditAttempt`` (one version that was tried), ``EditResult``, ``EditOutput`` (where
  the edited deck and the copies go, edits in place kept). ``chat`` has several requests in a row,
  and takes edits back.

No editor changes its input: it works on a copy in a folder of its own, verifies that copy, and
writes the best one to its place, whole or not at all. What only a model or a report needs is loaded
when it is first used.
"""

from typing import TYPE_CHECKING

from decklab.core.lazy import loaded_on_use

if TYPE_CHECKING:
    from decklab.diffing.page import EDIT_PAGE as EDIT_PAGE
    from decklab.diffing.page import compare_decks as compare_decks
    from decklab.diffing.page import write_diff_page as write_diff_page
    from decklab.editor.model_editor import EditModel as EditModel
    from decklab.editor.model_editor import edit_by as edit_by
    from decklab.pages.page import check_page as check_page
else:
    __getattr__, __dir__ = loaded_on_use(__name__)
