"""The source documents of UniPPTBench's starter set, written from plain texts of our own.

Places, people and numbers are invented. The texts stand in ``texts``, in Markdown with figures;
what a document is made as follows from its name.
"""
