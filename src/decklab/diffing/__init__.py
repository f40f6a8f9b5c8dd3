"""Differences between two decks.

``snapshots.diff`` compares two snapshots and gives typed changes, ``decks.diff_packages`` two
files; ``wording.words`` says them in sentences; ``ppteval.diff.ppt_diff`` gives the object of paper
001 that rubrics expect. ``matching`` pairs slides, shapes and items of lists, ``compare`` finds
what differs, ``xml`` what differs beyond that in the parts of the files, and ``libreoffice`` what
that program does by only saving.
"""
