"""Asking models: what a question and a reply are, and the one door to Inspect AI.

`decklab.models.asking` has the types that judges, agents and rubrics are written against; it
needs nothing installed. `decklab.models.inspect` turns a model of Inspect AI into such a
function, and needs ``decklab[bench]``.
"""
