"""From a package to elements: ``deck`` reads all of it, the other modules one kind of thing each.

A ``Canvas`` is what the shapes of one slide, layout or master are read against.
"""
