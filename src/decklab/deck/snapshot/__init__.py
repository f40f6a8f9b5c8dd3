"""A deck as plain JSON: what a comparison, a baseline under version control or a model reads.

``snapshot(package)`` gives dicts, lists, strings, numbers, booleans and None only;
``snapshot_bytes`` spells it. Same file, same bytes; the package is never changed. Geometry is in
pixels of the 960x540 slide frame, sizes, strokes and insets in points, colours ``#RRGGBB``,
rounded to a hundredth; styles are effective ones, with everything inherited resolved.

A key that is not there has its default (False, None, empty, 0 ...: the defaults of the models in
``decklab.deck.elements.model``). Keys in this order::

    schema         "decklab.snapshot/1"
    size_pt        [width, height] of the slides
    slides         in the order of the show, see below
    layouts        used ones with shapes, unused ones by name only ("used": false)
    masters        like layouts: name, part, type, parent, theme, background, shapes; color_map,
                   text_styles, list_styles: what they state of texts, by level
    themes         part, name, colors by slot, major and minor typefaces, formats
    default_text   what the default text style states, by level
    table_styles   what the deck's own table styles state, by id and part of a table
    sections       id, name, slides (slide ids)
    shows          custom shows: id, name, slides (slide ids)
    media          sha256, content_type, size, parts: images, sounds and videos by content
    properties     title, author, dates ... by element name
    problems       what could not be read, one line each

A slide::

    number, id, creation_id, part, name, hidden, title, section
    layout, layout_part, master, theme, shows_master
    background, background_paint, sources
    notes, header, footer, date, slide_number
    comments       kind classic|modern, id, author, created, text, x, y, shape, status, replies
    transition     name, duration_ms, speed, options, advance_on_click, advance_after_ms, sound
    animations     order, effect, kind, trigger, delay_ms, duration_ms, shape, paragraphs, ...
    reading_order  ids of the shapes in the order in which they are read aloud
    content        hash of what it says and shows, whatever its place, style, ids and names
    shapes         in drawing order, each group before its members

A shape (one entry for each shape of the file, its text inside)::

    kind           shape|line|image|table|chart|diagram|media|group|other
    id, creation_id, name, z, placeholder {type, idx}, groups (ids, outermost first)
    x, y, w, h, rotation, flip_h, flip_v; for lines x1, y1, x2, y2
    alt_text, alt_title, decorative, hidden, click, hover, effects, theme_style, placed
    content        hash of what it says or shows
    text           {text, font, align, paragraphs: [{runs, ...}], body, sources} of shape and line
    shape          geometry, adjustments, path, rx, fill, stroke, strokeWidth, paint, pen
    line           geometry, stroke, strokeWidth, pen, start, start_site, end, end_site
    image          sha256, content_type, pixels, link, crop, alpha, geometry, stroke, pen ...
    table          cells (texts), rows (cells in full), columns, heights, style_id, first_row ...
    chart          type, grouping, plots, title, series, axes, legend, labels, workbook
    diagram        layout, nodes [{text, depth}]
    media          medium, media_sha256, media_type, media_link, and its poster as an image
    other          what, detail, sha256, link, text

Keys whose values a program may change when it only saves a deck again are listed apart:
``ID_KEYS``, ``PART_KEYS``, ``ORIGIN_KEYS``, ``FALLBACK_KEYS`` and ``SAVED_KEYS``. LibreOffice
also renames shapes and layouts and rounds lengths to 0.03 px. Neighbouring runs that differ in
nothing but their text are one run here. A freeform's ``path`` counts in a box of 1000 by 1000, so
that it stays as it is when the shape is moved or resized.
"""
