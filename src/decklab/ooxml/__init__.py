"""The Office package: opened safely, its parts and relationships, and changed copies of it.

Reading is in ``package`` (over ``archive``), recognizing files in ``signatures``, embedded
workbooks in ``workbook``. ``draft`` holds a package being edited in memory, on which
``patches`` and the room ``editing`` work; ``slide_list`` says which slides a deck has.
"""
