"""Structural similarity of two grey pictures, place by place.

Z. Wang, A. Bovik, H. Sheikh and E. Simoncelli, Image Quality Assessment: From Error Visibility to
Structural Similarity, IEEE TIP 13(4), 2004: Gaussian window of 11 by 11 with sigma 1.5.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

WINDOW = 11
SIGMA = 1.5
K1, K2 = 0.01, 0.03
"""Section III.B of the paper; the dynamic range is 255."""

Grey = NDArray[np.uint8]


def ssim_map(a: Grey, b: Grey) -> NDArray[np.float64]:
    """SSIM index at every pixel, -1 to 1; ``a`` and ``b`` are (height, width) uint8.

    Borders are mirrored. Raises ValueError where the sizes differ or there are no pixels.
    """
    if a.shape != b.shape or a.ndim != 2 or not a.size:
        raise ValueError(f"two grey pictures of one size are needed, not {a.shape} and {b.shape}")
    x, y = a.astype(np.float64), b.astype(np.float64)
    mean_x, mean_y = _blurred(x), _blurred(y)
    variance_x = _blurred(x * x) - mean_x * mean_x
    variance_y = _blurred(y * y) - mean_y * mean_y
    covariance = _blurred(x * y) - mean_x * mean_y
    c1, c2 = (K1 * 255) ** 2, (K2 * 255) ** 2
    found: NDArray[np.float64] = (
        (2 * mean_x * mean_y + c1)
        * (2 * covariance + c2)
        / ((mean_x**2 + mean_y**2 + c1) * (variance_x + variance_y + c2))
    )
    return found


def ssim(a: Grey, b: Grey) -> float:
    """Mean SSIM over all pixels whose window lies inside the picture, -1 to 1, higher is more
    alike; over all pixels where the picture is smaller than a window.

    >>> import numpy as np
    >>> ssim(np.zeros((20, 20), np.uint8), np.zeros((20, 20), np.uint8))
    1.0
    """
    found = ssim_map(a, b)
    edge = WINDOW // 2
    inner = found[edge:-edge, edge:-edge]
    return float(np.mean(inner if inner.size else found))


def _blurred(values: NDArray[np.float64]) -> NDArray[np.float64]:
    blurred = cv2.GaussianBlur(values, (WINDOW, WINDOW), SIGMA, borderType=cv2.BORDER_REFLECT)
    return np.asarray(blurred, dtype=np.float64)
