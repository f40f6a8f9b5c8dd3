"""Asking models: questions, replies and what they cost, and the one door to Inspect AI.

`decklab.models.asking` has the types that judges, agents and rubrics are written against. All of
this package but `decklab.models.inspect` works with any function that asks a model;
`decklab.models.inspect` turns a model of Inspect AI into one, and needs ``decklab[evals]``.
"""
