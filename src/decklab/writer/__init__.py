"""The deck writer, UniPPTAgent of paper 004: from documents to a native deck that states sources.

Every stage has an artefact that a person can read and change: the outline, the plan of the slides,
the deck. Without a model ``story`` makes the outline, by rules and word for word.
"""
