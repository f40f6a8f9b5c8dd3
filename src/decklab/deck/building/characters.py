"""Text as XML can hold it."""

import re
from xml.sax.saxutils import quoteattr

_ILLEGAL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")
"""Characters that XML cannot hold (XML 1.0, 2.2)."""


def legal(text: str) -> str:
    r"""Text without the characters that XML cannot hold.

    >>> legal("a\x07b")
    'ab'
    """
    return _ILLEGAL.sub("", text)


def quoted(text: str) -> str:
    r"""An attribute's value with its quotes, escaped, without what XML cannot hold.

    >>> quoted('5 < 7\x07')
    '"5 &lt; 7"'
    """
    return quoteattr(legal(text))
