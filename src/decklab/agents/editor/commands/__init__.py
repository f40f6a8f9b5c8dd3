"""The editor without a model: exact requests in plain English, compiled into calls of the library.

``understand`` takes a request apart into ``Step``s and says of every part that is beyond it which
known requests come nearest. ``FORMS`` are all forms by family, with examples; the page on editing
lists them.
"""
