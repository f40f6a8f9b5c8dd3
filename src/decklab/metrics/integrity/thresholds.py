"""Every number the integrity rules rest on, and why it is what it is.

Lengths are in pixels of the 960x540 frame, where a pixel is a point of a slide 7.5 inches high.
Each number is chosen for precision: a finding should hold when a person looks at the picture.
"""

from typing import Final

# --- Text past its shape or the slide ---------------------------------------------------------

OVERFLOW_PX: Final = 6.0
OVERFLOW_LINES: Final = 0.5
"""Ours: ink past an edge by no more than the larger of both is left alone. Insets, descenders and
the small differences between programs' line heights take up as much."""

PAINTED_PX: Final = 4.0
PAINTED_LINES: Final = 0.2
"""Ours: the same for text past a fill or line, which shows where it should have ended."""

ON_GROUND: Final = 0.8
"""Ours: share of a text's ink on a filled area from which on it is taken to belong there."""

CENTRED_SHARE: Final = 0.1
"""Ours: share of a round or pointed shape's width by which the middle of its label may be off, and
half the share of its height."""

OUTSIDE_SHARE: Final = 0.15
OUTSIDE_DISTANCE: Final = 48
"""Ours: share of the words that stand beyond the fill of an arrow, circle or other shape, and by
how much a channel behind them differs from the fill."""

CUT_OFF_PX: Final = 1.5
"""Ours: ink that far past the slide's edge is cut off, not just drawn softly."""

PLAIN_OVERFLOW_LINES: Final = 1.5
"""Ours: a box that is not painted shows no edge, so that only what is more than a line counts."""

MATCHED_SHARE: Final = 0.7
"""Ours: share of a text's characters to be found on the page before its extent is judged. Right to
left text with figures in it is drawn in another order and matches in part."""

REPLACED_WIDTH: Final = 1.16
REPLACED_PITCH: Final = 1.13
"""How much wider and farther apart lines may come out in the font that stands in for a text's own:
DejaVu Sans and Noto Sans set lines 12 to 16 % wider than common text faces, and 13 % farther
apart."""

CARD_SHARE: Final = 0.6
"""Ours: a painted area larger than this share of the slide is its ground, not a card."""

# --- Overlaps ---------------------------------------------------------------------------------

OVERLAP_HEIGHT_SHARE: Final = 0.35
OVERLAP_WIDTH_EM: Final = 0.8
"""Ours: two lines collide where their ink shares this much of the lower one's height over about
the width of a letter. Touching ascenders and descenders share less."""

UPRIGHT_HEIGHT_EM: Final = 1.7
"""Ours: ink taller than this many times its size is of a line that is turned; ascender to
descender is 1.2, stacked accents 1.5."""

COVERED_WIDTH_EM: Final = 1.0
COVERED_HEIGHT_SHARE: Final = 0.5
"""Ours: hidden are at least a letter's width and half a line's height."""

OPAQUE_ALPHA: Final = 0.9
"""Ours: a fill lets no text be read through from this opacity on."""

# --- Lines through text, and text on objects ----------------------------------------------------

STRUCK_BAND: Final = (0.2, 0.75)
"""Ours: from where to where, as shares of the ink's height from its top, a line along the words
runs through them; over it is a rule above, under it an underline."""

STRUCK_LENGTH_EM: Final = 1.5
"""Ours: a line along the words is seen to strike them from this length on."""

STRUCK_END_EM: Final = 0.4
"""Ours: a line across the words nearer to their end than this only touches them."""

THIN_RECT_PX: Final = 3.0
"""Ours: an area that thin is drawn as a line."""

LINE_DISTANCE: Final = 70.0
LINE_SEEN_SHARE: Final = 0.85
"""Ours: largest difference of a channel from a line's colour, hairlines being drawn paler, and the
share of a line's points that show it; letters alone cover up to half of them."""

FOREIGN_DISTANCE: Final = 60.0
FOREIGN_SHARE: Final = 0.08
FOREIGN_SHARE_MEANT: Final = 0.15
"""Ours: RGB distance from everything between ink and ground, and the share of the pixels around
letters that have it, before something else is said to be seen there; more where the text is no
title and inside its own box, which may have been put there on purpose."""

SOFT_EDGES: Final = 0.3
"""Ours: share of a text's box that the soft edges of small letters fill at the most."""

QUIET_LEVELS: Final = 24
QUIET_SHARE: Final = 0.7
"""Ours: what is seen around letters is of one colour where this share of it differs by no more
levels of a channel; soft edges make up the rest."""

# --- Contrast -----------------------------------------------------------------------------------

CONTRAST_MOSTLY: Final = 0.5
"""Ours: share of a line that has to stand out too little before it is told; on a gradient the
rest of a word helps to read it. Also the share of a span's box that makes it lie in an area."""

CONTRAST_NEARLY: Final = 0.9
"""Ours: text that reaches this share of WCAG's ratio only just misses it; nobody sees the
difference."""

CONTRAST_ERROR_LARGE: Final = 2.0
"""Ours: large text under this ratio is hard to read, other text under WCAG's 3:1."""

CONTRAST_ALIKE: Final = 24
"""Ours: channels this near look alike; soft edges and gradients vary by as much."""

THIN_STROKES_PT: Final = 14.0
"""Ours: strokes of smaller text are under two pixels wide on a picture 1280 pixels wide, and do
not reach their own colour there."""

STRONG_COLOR_SPREAD: Final = 140
STRONG_COLOR_PT: Final = 14.0
STRONG_COLOR_CONTRAST: Final = 6.0
"""Ours: a ground whose largest and smallest channel are so far apart is a strong colour; WCAG's
formula overrates dark text on it. Text under the size there should come near the enhanced ratio
of 7:1 (WCAG 2.2, success criterion 1.4.6); black on pure red has 5.3:1."""

ON_SLIDE: Final = 0.9
"""Ours: share of a line to be on the slide before its contrast is judged."""

SHADOW_SHARE: Final = 0.6
"""Ours: the same words drawn twice, so much over each other, are a text and its shadow."""

# --- Sizes, in points on a slide 7.5 inches high ------------------------------------------------

LEAST_BODY_PT: Final = 12.0
LEAST_LABEL_PT: Final = 10.0
LEAST_SMALL_PRINT_PT: Final = 9.0
"""Ours, by role: text placeholders; text boxes, shapes and tables; charts, diagrams and footers.
Microsoft advises 18 pt or more for slides (*Make your PowerPoint presentations accessible*), which
nearly every deck breaks somewhere; under these sizes text cannot be read from any seat."""

SIZE_TOLERANCE_PT: Final = 0.3
"""Ours: sizes as drawn are rounded by the drawing program."""

LEAST_WORDY: Final = 4
"""Ours: letters and digits of one size to be called text; fewer are marks and superscripts."""

RAISED_SHARE: Final = 0.75
"""Text of at most this share of the size beside it on one line is taken as raised or lowered
(programs draw super- and subscripts at 58 to 70 %)."""

# --- Objects off the slide ------------------------------------------------------------------------

OFF_SLIDE_PX: Final = 2.0
"""Ours: an object this far outside shows nothing on the slide, not even a thick outline."""

SPECK_PX: Final = 24.0
"""Ours: what is smaller both ways shows nothing that anybody would miss."""

CUT_SHARE: Final = 0.05
CUT_PX: Final = 12.0
"""Ours: tables and charts cut off by more than both lose content; less is margin."""

# --- Alignment --------------------------------------------------------------------------------

ALIGNED_PX: Final = 0.5
"""Ours: edges this near are the same; programs round positions by less."""

DRIFT_LEAST_PX: Final = 1.5
DRIFT_MOST_PX: Final = 6.0
"""Ours: under the first nobody sees it, over the second it may be meant."""

DRIFT_PEERS: Final = 3
"""Ours: so many objects of one kind and size make an alignment."""

ALIKE_PX: Final = 1.0
"""Ours: widths and heights of objects that belong to one row or column differ by no more."""

# --- Placeholders -----------------------------------------------------------------------------

LEAST_PROMPT: Final = 3
"""Ours: letters of a layout's own words to be a prompt; a ``1`` in a circle is not one."""

# --- Titles and margins -------------------------------------------------------------------------

TITLE_SLIDES: Final = 4
TITLE_MAJORITY: Final = 0.7
"""Ours: slides of one layout, and share of them that agree, before the others are called
inconsistent."""

TITLE_MOVED_PX: Final = 6.0
"""Ours: a jump that is seen when paging."""

TITLE_SIZE_PT: Final = 2.0
"""Ours: a difference in size that is seen when paging."""

MARGIN_PX: Final = 6.0
MARGIN_USUAL_PX: Final = 18.0
"""Ours: text nearer to the edge than the first, in a deck whose slides keep the second (a quarter
of an inch, what printers keep clear)."""

EDGE_PX: Final = 3.0
"""Ours: text that near to the edge looks cut, whatever the deck's margins; projectors and printers
do cut it."""

MARGIN_SLIDES: Final = 4
"""Ours: slides with text before a deck has a usual margin."""

# --- Telling it -------------------------------------------------------------------------------
