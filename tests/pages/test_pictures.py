import base64

import pytest

from decklab.pages.pictures import SlidePicture


@pytest.mark.parametrize(
    ("data", "media_type"),
    [
        (b"RIFF\x10\0\0\0WEBPVP8 ", "image/webp"),
        (b"\xff\xd8\xff\xe0..", "image/jpeg"),
        (b"\x89PNG\r\n\x1a\n..", "image/png"),
    ],
)
def test_a_picture_knows_its_encoding(data: bytes, media_type: str) -> None:
    head, _, body = SlidePicture(data, 960, 540).uri.partition(",")
    assert head == f"data:{media_type};base64"
    assert base64.b64decode(body) == data


def test_other_bytes_are_refused() -> None:
    with pytest.raises(ValueError, match="WebP, JPEG or PNG"):
        SlidePicture(b"<svg onload=alert(1)>", 960, 540)


def test_a_picture_without_size_is_refused() -> None:
    with pytest.raises(ValueError, match="0 x 540"):
        SlidePicture(b"\xff\xd8\xff", 0, 540)
