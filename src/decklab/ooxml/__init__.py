"""The Office package: opened safely, its parts and relationships, and changed copies of it.

Reading is in ``package`` (over ``archive``), recognizing files in ``sniffing``, embedded workbooks
in ``workbook``, writing in ``writing``. What changes a package while keeping its relationships
whole (clone, delete, move of slides; patches) builds on ``writing``; what checks one, on
``package``.
"""
