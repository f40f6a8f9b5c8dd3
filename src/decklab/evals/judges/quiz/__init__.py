"""The share of its sources that a deck still says: a bank of ten questions, and an exam on the
slides alone.

QuizBank of paper 002 (section 2.2, appendices C, K, L, M). ``building`` has a model write a
bank, ``cloze`` makes one by program; ``exam`` has a model answer it, ``examinee`` a program. A
program here stands in for a model and is a proxy, which every result says.
"""
