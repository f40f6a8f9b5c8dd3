"""PEI, the editability level of a deck, 0 to 5 (paper 002, section 2.4 and appendix I).

Pure judgement: what has to be done to a deck first (double a text, draw on a layout, change a
number of a chart) is done on a copy by the probes in scoring, whose facts come in here.
"""
