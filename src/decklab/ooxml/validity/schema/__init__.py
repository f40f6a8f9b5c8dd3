"""The vocabulary of the format as data: which children in which order, which attributes.

From ECMA-376 (5th edition, part 1, annex A; part 4 for the transitional edition), for
PresentationML, the DrawingML it uses, charts, drawings on charts and the data of diagrams. One
line tells one type, by its name in the standard without ``CT_``::

    TextParagraph | | pPr=TextParagraphProperties? ( r=RegularTextRun / br=TextLineBreak )* ...

Between the bars stand the attributes: ``!`` marks those that must be there, ``=b`` a truth value,
``=n`` a number, ``=a:TextAlignType`` one of the words that ``values.txt`` lists. Then the
children as ``name=Type`` in their order; ``/`` parts alternatives, and ``? * + {2,4}`` tell how
often. A prefix is given where it is not that of the file; ``$fill`` stands for a group that is
spelled out at the file's start; ``ANY`` for anything. Types that no file tells hold anything.
"""
