"""Sound made in code and embedded, and video that is only linked."""

import io
import wave
from hashlib import sha256

import numpy as np
from pptx.opc.constants import RELATIONSHIP_TYPE as RT
from pptx.opc.package import Part
from pptx.opc.packuri import PackURI
from pptx.oxml import parse_xml
from pptx.shapes.picture import Picture
from pptx.slide import Slide

from generate.samples.filling import describe, place
from generate.samples.markup import NAMESPACES, Frame

HUM_SECONDS = 3
"""Length of the sound that ``pump_hum`` makes."""

_RATE = 8000
_MEDIA = "http://schemas.microsoft.com/office/2007/relationships/media"


def pump_hum() -> bytes:
    """A WAV file of a pump hall: mains hum, its overtones and a little rushing water."""
    time = np.arange(_RATE * HUM_SECONDS) / _RATE
    hum = sum(np.sin(2 * np.pi * 50 * n * time + n) / n**1.5 for n in (1, 2, 3, 4, 6))
    noise = np.random.default_rng(50).standard_normal(time.size)
    water = np.convolve(noise, np.ones(12) / 12, mode="same")
    fade = np.clip(np.minimum(time, HUM_SECONDS - time) / 0.4, 0, 1)
    samples = np.round((0.35 * hum + 0.15 * water) * fade * 12000).astype("<i2")
    file = io.BytesIO()
    with wave.open(file, "wb") as sound:
        sound.setparams((1, 2, _RATE, samples.size, "NONE", "not compressed"))
        sound.writeframes(samples.tobytes())
    return file.getvalue()


def embed_sound(
    slide: Slide, sound: bytes, poster: bytes, frame: Frame, *, name: str, alt: str
) -> Picture:
    """Put a WAV file into the deck and a picture on the slide that plays it."""
    package = slide.part.package
    key = sha256(sound).hexdigest()[:8]
    part = Part(PackURI(f"/ppt/media/media-{key}.wav"), "audio/x-wav", package, sound)
    audio, media = slide.part.relate_to(part, RT.AUDIO), slide.part.relate_to(part, _MEDIA)
    picture = _poster(slide, poster, frame, name, alt)
    _mark_playable(
        picture,
        f'<a:audioFile r:link="{audio}"/>',
        '<p:extLst><p:ext uri="{DAA4B4D4-6D71-4841-9C94-3DE7FCFB9230}">'
        '<p14:media xmlns:p14="http://schemas.microsoft.com/office/powerpoint/2010/main" '
        f'r:embed="{media}"/></p:ext></p:extLst>',
    )
    return picture


def link_video(slide: Slide, target: str, poster: bytes, frame: Frame, *, name: str) -> Picture:
    """Put a picture on the slide that would play a file lying outside the deck."""
    link = slide.part.relate_to(target, RT.VIDEO, is_external=True)
    picture = _poster(slide, poster, frame, name, "")
    _mark_playable(picture, f'<a:videoFile r:link="{link}"/>', "")
    return picture


def _poster(slide: Slide, poster: bytes, frame: Frame, name: str, alt: str) -> Picture:
    picture = slide.shapes.add_picture(io.BytesIO(poster), *place(frame))
    picture.name = name
    describe(picture, alt)
    return picture


def _mark_playable(picture: Picture, file: str, extension: str) -> None:
    element = picture.element
    element.xpath("./p:nvPicPr/p:cNvPr")[0].append(
        parse_xml(f'<a:hlinkClick {NAMESPACES} r:id="" action="ppaction://media"/>')
    )
    old = element.xpath("./p:nvPicPr/p:nvPr")[0]
    old.getparent().replace(old, parse_xml(f"<p:nvPr {NAMESPACES}>{file}{extension}</p:nvPr>"))
