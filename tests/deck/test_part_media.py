import pytest

PIC = (
    '<p:pic><p:nvPicPr><p:cNvPr id="2" name="Film"/><p:cNvPicPr/><p:nvPr>{}</p:nvPr></p:nvPicPr>'
    '<p:blipFill><a:blip r:embed="rPoster"/></p:blipFill><p:spPr/></p:pic>'
)
NEW = '<p:extLst><p:ext uri="x"><p14:media {}/></p:ext></p:extLst>'


@pytest.fixture
def film(shape, related):
    links = (
        related("rIn", "video", "media/film.mp4"),
        related("rOut", "video", "https://example.org/film", "External"),
        related("rGone", "video", "NULL"),
        related("rPoster", "image", "media/poster.png"),
    )
    parts = {"ppt/media/film.mp4": b"film", "ppt/media/poster.png": b"png"}
    return lambda properties: shape(PIC.format(properties), links=links, parts=parts)


def test_embedded_video_is_found_with_its_poster(film):
    found = film('<a:videoFile r:link="rOut"/>' + NEW.format('r:embed="rIn"'))
    assert (found.kind, found.media.kind) == ("media", "video")
    assert (found.media.part, found.media.link) == ("ppt/media/film.mp4", None)
    assert found.picture.part == "ppt/media/poster.png"


@pytest.mark.parametrize(
    ("element", "kind"),
    [
        ("videoFile r:link", "video"),
        ("quickTimeFile r:link", "video"),
        ("audioFile r:link", "audio"),
        ("wavAudioFile r:embed", "audio"),
    ],
)
def test_the_older_references_are_read(film, element, kind):
    found = film(f'<a:{element}="rIn"/>').media
    assert (found.kind, found.part, found.link) == (kind, "ppt/media/film.mp4", None)


@pytest.mark.parametrize(
    "properties", ['<a:videoFile r:link="rOut"/>', NEW.format('r:link="rOut"')]
)
def test_linked_media_are_named_and_not_opened(film, properties):
    found = film(properties).media
    assert (found.part, found.link) == (None, "https://example.org/film")


def test_missing_media_have_neither_part_nor_link(film):
    found = film('<a:videoFile r:link="rGone"/>').media
    assert (found.kind, found.part, found.link) == ("video", None, None)


def test_a_plain_picture_is_no_medium(film):
    found = film("")
    assert (found.kind, found.media) == ("picture", None)
