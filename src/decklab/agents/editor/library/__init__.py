"""Edits that python-pptx lacks, as functions on an open presentation.

Every function takes ``prs``, a ``pptx.Presentation`` opened on a copy, and changes it in memory;
the caller saves it. Slides are 1-based numbers as they stand at the time of the call; ``slides`` is
an iterable of numbers, None for all. ``where`` is ``"all"``, ``"title"`` or ``"body"``. ``shape``
is a shape's name or its id. What cannot be done raises ``EditError`` with one line that says why;
functions that may find nothing to do return how many places they changed.

This package runs in the sandbox too, so it imports the standard library, lxml, python-pptx and
modules of ``decklab.ooxml`` that need no more than those; see ``sources``.

Slides::

    clone_slide(prs, slide, position=None) -> int
    delete_slide(prs, slide)
    move_slide(prs, slide, position)
    hide_slide(prs, slide, hidden=True)

Text::

    replace_text(prs, old, new, *, slides=None, where="all", whole_word=False, match_case=True) -> int
    set_text(prs, slide, shape, text)
    format_text(prs, *, slides=None, where="all", font=None, size=None, color=None, bold=None,
                italic=None, underline=None, align=None) -> int
    normalise_fonts(prs, *, slides=None) -> int
    set_cell(prs, slide, shape, row, column, text)
    set_link(prs, slide, target, *, text=None, shape=None) -> int
    remove_links(prs, slide, *, text=None, shape=None) -> int

Notes, alternative text, footers::

    set_notes(prs, slide, text);  add_notes(prs, slide, text);  get_notes(prs, slide) -> str
    set_alt_text(prs, slide, shape, text)
    show_slide_numbers(prs, on=True, *, slides=None) -> int
    set_footer(prs, text, *, slides=None) -> int          # None takes footers away

Charts, diagrams::

    chart_data(prs, slide, shape) -> dict
    set_chart_data(prs, slide, shape, categories, series)
    set_chart_type(prs, slide, shape, kind)
    diagram_texts(prs, slide, shape) -> list[str]
    set_diagram_text(prs, slide, shape, old, new) -> int

Motion::

    set_transition(prs, kind, *, slides=None, seconds=None, advance_after=None) -> int
    add_animation(prs, slide, shape, effect="fade", *, start="on click", seconds=0.5, delay=0.0)
    remove_animations(prs, slide, shape=None) -> int

Design::

    set_theme_fonts(prs, *, headings=None, body=None)
    set_theme_color(prs, slot, color)
    format_master_text(prs, where, *, size=None, color=None, bold=None, ...)

``library_docs()`` gives the documentation of all of them for a prompt, ``sources()`` their source
for the sandbox.
"""
