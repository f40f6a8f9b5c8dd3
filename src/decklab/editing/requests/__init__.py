"""Requests in an exact language, read without a model and turned into operations on a deck.

The operations of ``decklab.editing`` declare their phrases (``decklab.editing.phrasing``);
``forms`` collects them. ``templates`` holds the words of a request against a form;
``slide_names``, ``values`` and ``things`` are the types of its slots. ``reading`` finds all ways to
read an instruction; ``carrying_out`` and the ``*_plans`` call the operations and say which changes
to expect.
"""
