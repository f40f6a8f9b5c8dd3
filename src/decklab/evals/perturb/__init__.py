"""Perturbation: slides degraded along one axis by a known amount, the same on every machine.

In ``deck``, ``perturb`` degrades the elements of a slide, ``write_perturbed`` and ``write_ladder``
write decks. ``constants`` holds every number of paper 000, appendix D, by its printed name.
"""
