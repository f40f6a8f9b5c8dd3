"""What differs in the XML and the other parts of two packages, down to the last attribute.

Comparing snapshots tells what people see. This tells the rest: ``trees`` and ``structures`` find
every difference of two XML parts, ``parts`` which part of one package is which of the other,
``claims`` which of the differences a change that was told already accounts for, ``naming`` how the
others are called, ``noise`` which of them programs make by only saving, and ``telling`` puts it
together.
"""
