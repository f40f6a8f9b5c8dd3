"""Perturbation: slides degraded along one axis by a known amount, the same on every machine.

``perturb`` works on a slide's elements; ``write_perturbed`` and ``write_ladder`` write decks.
``constants`` holds every number, with where it is printed (paper 000, appendix D).
"""
