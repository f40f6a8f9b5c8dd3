"""What decklab itself makes of the tasks, without any model: baselines that are worth beating.

``extract_from_picture`` reads a slide off its picture, ``Critic`` scores one, ``order_slides`` puts
shuffled ones in order.
"""

from decklab.benchmarks.slideeval.baselines.critic import Critic
from decklab.benchmarks.slideeval.baselines.extraction import extract_from_picture
from decklab.benchmarks.slideeval.baselines.flaws import SeenSlide
from decklab.benchmarks.slideeval.baselines.ordering import SlideView, order_slides
from decklab.benchmarks.slideeval.baselines.views import view_of

__all__ = [
    "Critic",
    "SeenSlide",
    "SlideView",
    "extract_from_picture",
    "order_slides",
    "view_of",
]
