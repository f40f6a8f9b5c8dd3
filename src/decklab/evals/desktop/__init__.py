"""Agents that use an editor on a screen: they see pictures, move the mouse and type.

Paper 001: an agent edits a deck through the window of a real editor, and the deck that it saves is
graded.
"""
