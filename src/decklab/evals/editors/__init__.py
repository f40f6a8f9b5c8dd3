"""Editors under test, for every benchmark: their protocol, their limits and their isolation.

An editor that decklab does not vouch for runs in a process of its own, in a sandbox that shows it
one deck and its own code. Its deck is collected after all its processes have ended.
"""
