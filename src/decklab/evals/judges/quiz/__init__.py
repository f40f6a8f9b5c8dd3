"""The share of its sources that a deck still says: a bank of ten questions, and an exam on the
slides alone.

QuizBank of paper 002 (section 2.2, appendices C, K, L, M). In ``quiz`` a model writes a bank and
takes the exam of ``exam``; ``cloze_questions`` makes a bank, and ``statements`` answers it, by
program. A program here stands in for a model and is a proxy, which every result says.
"""
