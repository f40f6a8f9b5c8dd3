"""Real 2-D Fourier transforms in one packed real array, and the arithmetic on it.

The packing is OpenCV's (CCS, after Intel): for an image of shape (H, W) the spectrum is a real
array of the same shape. Columns 2j-1 and 2j hold real and imaginary parts of horizontal frequency
j; column 0, and for even W the last one, hold the two purely symmetric frequencies, themselves
packed downwards the same way. Multiplying by a real filter is then one product of two arrays.

OpenCV with Intel's library transforms twice as fast as SciPy, and without it several times more
slowly; sizes with large prime factors are slow there too. So OpenCV is used where it is good at it,
and SciPy, slow to import, is imported only where it is not.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

Packed = NDArray[np.float32]
"""A packed spectrum, or a filter in the same layout, shape (H, W)."""


def spectrum(plane: NDArray[np.float32], *, use_opencv: bool | None = None) -> Packed:
    """The packed spectrum of a real plane of shape (H, W), not normalised.

    ``use_opencv`` picks the library; None takes the faster one.
    """
    if _opencv_is_fast(plane.shape) if use_opencv is None else use_opencv:
        return np.asarray(cv2.dft(plane))
    from scipy import fft as scipy_fft  # noqa: PLC0415

    half = scipy_fft.rfft2(plane)
    height, width = plane.shape
    packed = np.empty((height, width), np.float32)
    packed[:, 0] = _packed_column(half[:, 0])
    if width % 2 == 0:
        packed[:, -1] = _packed_column(half[:, -1])
    pairs = (width - 1) // 2
    packed[:, 1 : 2 * pairs : 2] = half[:, 1 : pairs + 1].real
    packed[:, 2 : 2 * pairs + 1 : 2] = half[:, 1 : pairs + 1].imag
    return packed


def inverse(packed: Packed, *, use_opencv: bool | None = None) -> NDArray[np.float32]:
    """The real plane of a packed spectrum, H * W times too large; may reuse ``packed``."""
    if _opencv_is_fast(packed.shape) if use_opencv is None else use_opencv:
        flags = cv2.DFT_INVERSE | cv2.DFT_REAL_OUTPUT
        return np.asarray(cv2.dft(packed, packed, flags=flags))
    from scipy import fft as scipy_fft  # noqa: PLC0415

    height, width = packed.shape
    half = np.zeros((height, width // 2 + 1), np.complex64)
    half[:, 0] = _unpacked_column(packed[:, 0])
    if width % 2 == 0:
        half[:, -1] = _unpacked_column(packed[:, -1])
    pairs = (width - 1) // 2
    half.real[:, 1 : pairs + 1] = packed[:, 1 : 2 * pairs : 2]
    half.imag[:, 1 : pairs + 1] = packed[:, 2 : 2 * pairs + 1 : 2]
    plane = scipy_fft.irfft2(half, s=(height, width), norm="forward", overwrite_x=True)
    return np.asarray(plane, dtype=np.float32)


def swapped(packed: Packed) -> Packed:
    """The packed spectrum with real and imaginary parts exchanged.

    With the signs that :func:`pack_filter` gives an odd filter this is multiplication by the
    imaginary unit. Frequencies that are their own mirror image have no imaginary part; they
    become 0, as odd filters are there.
    """
    height, width = packed.shape
    out = np.empty_like(packed)
    pairs, down = (width - 1) // 2, (height - 1) // 2
    out[:, 1 : 2 * pairs : 2] = packed[:, 2 : 2 * pairs + 1 : 2]
    out[:, 2 : 2 * pairs + 1 : 2] = packed[:, 1 : 2 * pairs : 2]
    for column in (0, width - 1) if width % 2 == 0 else (0,):
        out[0, column] = out[-1, column] = 0
        out[1 : 2 * down : 2, column] = packed[2 : 2 * down + 1 : 2, column]
        out[2 : 2 * down + 1 : 2, column] = packed[1 : 2 * down : 2, column]
    return out


def crop(packed: Packed, height: int, width: int) -> Packed:
    """The lowest frequencies of a packed spectrum, as one of shape (height, width).

    Right for filters that are 0 at the new Nyquist frequency, as a pyramid's are.
    """
    top = (height + 1) // 2
    bottom = height - top
    out = np.empty((height, width), np.float32)
    out[:top] = packed[:top, :width]
    out[top:] = packed[packed.shape[0] - bottom :, :width]
    out[:, 0] = packed[:height, 0]
    return out


def pack_filter(gain: NDArray[np.float64], *, odd: bool) -> Packed:
    """A real filter given at all frequencies, (H, W) with the mean first, in the packed layout.

    An even filter has the same gain at a frequency and at its negative; it multiplies a spectrum.
    An ``odd`` one has opposite gains, stands for itself times the imaginary unit, and multiplies a
    :func:`swapped` spectrum.
    """
    height, width = gain.shape
    packed = np.empty((height, width), np.float32)
    packed[:] = gain[:, (np.arange(width) + 1) // 2]
    down = (np.arange(height) + 1) // 2
    edges = (0, width - 1) if width % 2 == 0 else (0,)
    for column in edges:
        packed[:, column] = gain[down, (column + 1) // 2]
    if odd:
        packed[:, 1 : width - (width % 2 == 0) : 2] *= -1
        for column in edges:
            packed[1::2, column] *= -1
    return packed


def _opencv_is_fast(shape: tuple[int, ...]) -> bool:
    return bool(cv2.ipp.useIPP()) and all(cv2.getOptimalDFTSize(n) == n for n in shape)


def _packed_column(column: NDArray[np.complex64]) -> NDArray[np.float32]:
    height = len(column)
    packed = np.empty(height, np.float32)
    packed[0] = column[0].real
    packed[1::2] = column[1 : height // 2 + 1].real
    packed[2::2] = column[1 : (height - 1) // 2 + 1].imag
    return packed


def _unpacked_column(packed: NDArray[np.float32]) -> NDArray[np.complex64]:
    height = len(packed)
    down = (height - 1) // 2
    column = np.zeros(height, np.complex64)
    column[0] = packed[0]
    column.real[1 : height // 2 + 1] = packed[1::2]
    column.imag[1 : down + 1] = packed[2::2]
    column[height - down :] = column[1 : down + 1][::-1].conj()
    return column
