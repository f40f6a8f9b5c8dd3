"""How each proxy of ``decklab judge`` moves when a deck is damaged on purpose.

Paper 004, section VI-D and table IV. ``python -m bench.judged [DOCUMENT ...]`` writes decks,
damages copies of them by program, and prints how far every metric moves. A damage that its own
metric does not see, or that moves another more, is named, and the first ends it with exit code 1.
Documents that are named are taken besides the project's own, with tasks drafted by program.
``python -m bench.judged.ranks`` asks whether metrics put decks of four qualities in their order.
``python -m bench.judged.servers`` and ``other_servers`` show what is believed of scripted judges.
"""
