"""What changed between two decks.

``diff`` compares two snapshots and gives typed changes, ``diff_packages`` two files; ``words`` says
them in sentences; ``ppt_diff`` gives the object of paper 001 that rubrics expect; ``visual_diff``
compares pictures.
"""
