"""PEI, the editability level of a deck, 0 to 5 (paper 002, section 2.4 and appendix I).

Pure judgement: the probes in scoring change a copy of the deck first (double a text, draw on a
layout, change a number of a chart); this package judges their facts.
"""
