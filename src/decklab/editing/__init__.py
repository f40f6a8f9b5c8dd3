"""Changes to decks: the operations that people's commands, programs of models and tools share.

``operations`` lists what can be done to a presentation open in python-pptx: slides cloned, deleted,
moved and hidden; words, formats, notes, links, charts, themes, transitions and animations.
``opening`` opens decks for it and saves them without loss.
"""
