"""Every number that matching rests on. Paper: VLM-SlideEval (paper 000), appendix C.

The paper prints the cost and the gate but neither weights nor tau. Ours are below, each with its
reason; ``headline_by_weights`` shows how much hangs on them.
"""

from math import hypot
from typing import Final, NamedTuple

from decklab.geometry import FRAME_HEIGHT, FRAME_WIDTH

DIAGONAL: Final = hypot(FRAME_WIDTH, FRAME_HEIGHT)
"""Px that a distance between centres is divided by (algorithm 1, line 6): 1101.45."""


class Weights(NamedTuple):
    """Shares of the blended cost: alpha, beta, gamma and delta of algorithm 1.

    They are divided by the sum of those that apply to a pair, so that a cost always lies on 0 to
    1 and tau means the same with and without content.
    """

    iou: float
    """alpha: of 1 - IoU."""
    center: float
    """beta: of the distance between centres."""
    size: float
    """gamma: of the relative difference in size."""
    content: float
    """delta: of 1 - similarity, where both elements have content."""


WEIGHTS: Final = Weights(iou=0.35, center=0.15, size=0.10, content=0.40)
"""Ours. Content and overlap decide, content a little more: on a slide of look-alike boxes the words
say which is which. The distance is a share of the diagonal and seldom over 0.3, so its weight
only breaks ties between boxes that overlap nothing. Size says least, since boxes around a text may
be tight or generous; it is partly in IoU already."""

TAU: Final = 0.5
"""Ours: half of the worst cost. A text found word for word is accepted wherever it was put, unless
far away and of another size too; a text read all wrong is accepted only where its box has an IoU of
about 0.75; a picture or area of about the right size from an IoU of about a quarter on."""

MIN_SIDE: Final = 1.0
"""Px that a box is at least wide and high (appendix H bounds sizes by 1 px), also algorithm 1's
epsilon. It gives boxes without area an IoU."""

LINE_SIDE: Final = 24.0
"""Ours: px that the box of a line is at least wide and high. Level and upright lines have boxes
without area; this is the height of a line of 18 pt text, within which one still means the same
rule or connector, and makes the gate fall at about 18 px beside a long line."""

LONGEST_TEXT: Final = 4000
"""Ours: characters of a text that are compared. The comparison grows with the product of two
lengths, and a model that repeats itself may write without end; a slide holds no text as long."""
