"""The two ways of paper 003, section 4, in which an edit is made: a program, or patches of XML.

Each has a function that asks a model for what is to be done, and one that does it, from one deck
file to another. What is the model's fault is a StepFailed, whose text tells it so; what is ours
keeps its own type.
"""
