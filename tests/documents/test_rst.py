"""reStructuredText: the words of Sphinx's roles are read, and nothing is included."""

from pathlib import Path

import pytest

from decklab.core.errors import LimitExceeded
from decklab.documents.markup import MAX_RST_CHARACTERS
from decklab.documents.reading import read_document

pytest.importorskip("docutils")

TEXT = """===========
Harbour API
===========

:Author: Anna Smith
:Date: 2024-03-12

Overview
========

The harbour serves **1,930 ships**, see :ref:`the ships <ships>` and :class:`~harbour.Ship`.

- one
- two

.. code-block:: python

   print("hi")

Ships
-----

====  ====
Name  Tons
====  ====
Elm   40
Oak   55
====  ====

.. toctree::

   other

.. include:: secret.txt

.. raw:: html

   <p>raw</p>

.. versionadded:: 3.2
   Boats may be doubled.

The mass :math:`m` is small.
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "a.rst"
    path.write_text(text)
    return path


def test_blocks_of_a_document(tmp_path):
    (tmp_path / "secret.txt").write_text("secret")
    document = read_document(written(tmp_path, TEXT))
    assert [(block.kind, block.text, block.level) for block in document.blocks] == [
        ("heading", "Harbour API", 1),
        ("heading", "Overview", 2),
        ("paragraph", "The harbour serves 1,930 ships, see the ships and harbour.Ship.", 0),
        ("item", "one", 1),
        ("item", "two", 1),
        ("code", 'print("hi")', 0),
        ("heading", "Ships", 3),
        ("table", "Name\tTons\nElm\t40\nOak\t55", 0),
        ("paragraph", "3.2 Boats may be doubled.", 0),
        ("paragraph", "The mass m is small.", 0),
    ]
    assert (document.kind, document.title) == ("rst", "Harbour API")
    assert (document.author, document.date) == ("Anna Smith", "2024-03-12")
    told = " ".join(item.reason for item in document.unread)
    assert all(word in told for word in ("toctree", "include", "raw"))


@pytest.mark.parametrize("text", ["", "=====", "\n".join("*" * n for n in range(60)), "`" * 500])
def test_damaged_text_does_no_harm(tmp_path, text):
    assert read_document(written(tmp_path, text + "\nend\n")).kind == "rst"


def test_endless_and_deep_text_ends_in_one_line(tmp_path):
    with pytest.raises(LimitExceeded, match=r"a\.rst: .* characters"):
        read_document(written(tmp_path, "x" * (MAX_RST_CHARACTERS + 1)))
    deep = "\n".join(" " * n + "- x\n" for n in range(0, 800, 2))
    with pytest.raises(LimitExceeded, match="too deep"):
        read_document(written(tmp_path, deep))
