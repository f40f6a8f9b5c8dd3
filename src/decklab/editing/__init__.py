"""Changes to decks: one library for commands of people, programs of models, and probes.

``operations`` lists what can be done to a presentation open in python-pptx: slides cloned, deleted,
moved and hidden; words, formats, notes, links, charts, themes, transitions and animations.
``opening`` opens decks for it and saves them without loss. ``slide_operations`` and
``slide_import`` work on any ``EditableParts`` (``open_parts``): a ``Draft`` of a file, or the parts
of an open presentation. ``building`` writes native decks from elements.

Changes are checked by one engine. ``verify`` compares an edited deck with its original and a plan:
whether it opens, is valid, changed as planned and in nothing else, and has no new findings.
``taking_back`` tries changes together and finds those at fault; it takes single changes back, from
the deck that they made or from a later one, and puts back those that nobody planned. ``undoing``
does it in a draft, piece by piece (``restoring``).
"""
