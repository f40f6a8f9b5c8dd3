"""The harmonic templates on the hue wheel (Cohen-Or et al. 2006; paper 002, table 9)."""

import numpy as np
from numpy.typing import NDArray

from decklab.metrics.aesthetics.constants import HUE_TEMPLATES


def hue_distance(template: str, hue_deg: NDArray[np.float64]) -> NDArray[np.float64]:
    """Shortest way in degrees from each hue to the template at rotation 0; 0 inside a sector.

    Any shape; hues in degrees, of any turn.

    >>> hue_distance("V", np.array([0.0, 46.8, 50.8, 180.0])).round(6).tolist()
    [0.0, 0.0, 4.0, 133.2]
    """
    ways = [
        np.maximum(np.abs((hue_deg - 360 * centre + 180) % 360 - 180) - 180 * width, 0)
        for centre, width in HUE_TEMPLATES[template]
    ]
    return np.asarray(np.minimum.reduce(ways))


def rotated_sectors(template: str, angle_deg: float) -> tuple[tuple[float, float], ...]:
    """The sectors of a rotated template as (centre, width) in degrees, centre in 0 to 360.

    >>> rotated_sectors("I", 200)
    ((200.0, 18.0), (20.0, 18.0))
    """
    return tuple(
        (round((360 * centre + angle_deg) % 360, 6), round(360 * width, 6))
        for centre, width in HUE_TEMPLATES[template]
    )
