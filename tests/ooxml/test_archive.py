import io
import stat
import struct
import zipfile
import zlib

import pytest

from decklab.core.errors import (
    DuplicatePart,
    EncryptedDeck,
    LimitExceeded,
    MissingPart,
    NotAPackage,
    TruncatedDeck,
    UnsafePath,
    UnsupportedFormat,
)
from decklab.ooxml.archive import Archive
from decklab.ooxml.signatures import Limits


def opened(data, **limits):
    return Archive.from_bytes(data, "deck.pptx", Limits(**limits))


def patched(data, offset, fmt, *values):
    changed = bytearray(data)
    struct.pack_into(fmt, changed, offset, *values)
    return bytes(changed)


def central(data, name):
    """Offset of an entry's record in the directory."""
    return data.rindex(b"PK\x01\x02", 0, data.rindex(name.encode()))


def test_entries_are_read_by_name_in_the_archives_order(zipped):
    archive = opened(zipped({"b.xml": b"two", "folder/": b"", "a.xml": b"one"}))
    assert archive.names == ("b.xml", "a.xml")
    assert archive.read("a.xml") == b"one"


def test_names_are_found_without_regard_to_case_and_percent_encoding(zipped):
    archive = opened(zipped({"ppt/My%20Image.PNG": b"x"}))
    assert archive.find("PPT/my image.png") == "ppt/My%20Image.PNG"
    assert archive.read("ppt/my%20image.png") == b"x"
    assert archive.find("ppt/other.png") is None


def test_a_missing_entry_is_named(zipped):
    with pytest.raises(MissingPart, match=r"^deck\.pptx: b\.xml: there is no such part$"):
        opened(zipped({"a.xml": b""})).read("b.xml")


def test_only_the_start_of_an_entry_can_be_read(zipped):
    content = bytes(range(256)) * 1000
    for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        archive = opened(zipped({"a.bin": content}, method=method))
        assert archive.read_start("a.bin", 1000) == content[:1000]
        assert archive.read_start("a.bin", 10**9) == content
        assert archive.read_start("a.bin", 0) == b""


def test_archives_written_as_a_stream_are_read():
    """Their sizes stand behind each entry, and only zeros before it."""

    class Pipe(io.RawIOBase):
        def __init__(self):
            self.data = bytearray()

        def writable(self):
            return True

        def write(self, data):
            self.data += data
            return len(data)

    pipe = Pipe()
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("a.xml", b"one" * 100)
        made.writestr("b.xml", b"two")
    assert pipe.data[6] & 8
    archive = opened(bytes(pipe.data))
    assert (archive.read("a.xml"), archive.read("b.xml")) == (b"one" * 100, b"two")


def test_bytes_before_the_archive_are_no_hindrance(zipped):
    assert opened(b"#!/bin/sh\n" + zipped({"a.xml": b"one"})).read("a.xml") == b"one"


@pytest.mark.parametrize("data", [b"", b"PK", b"just text", b"\0" * 5000, b"%PDF-1.7 " * 9])
def test_what_is_no_zip_is_no_package(data):
    with pytest.raises(NotAPackage):
        opened(data)


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9, 0.999])
def test_a_file_cut_short_is_called_so(zipped, deck_parts, share):
    data = zipped(deck_parts())
    with pytest.raises(TruncatedDeck, match="cut short"):
        opened(data[: int(len(data) * share)])


@pytest.mark.parametrize(
    "name",
    [
        "../evil.xml",
        "ppt/../../evil.xml",
        "/etc/passwd",
        "C:/evil.xml",
        "ppt\\slide1.xml",
        "ppt/%2e%2e/%2E%2E/evil.xml",
        "ppt/a\nb.xml",
        "../",
    ],
)
def test_names_that_leave_the_package_are_refused(zipped, name):
    with pytest.raises(UnsafePath) as caught:
        opened(zipped([("a.xml", b""), (name, b"x")]))
    assert "\n" not in str(caught.value)


def test_a_name_with_a_null_character_is_refused(zipped):
    data = zipped({"ppt/aXb.xml": b"x"}).replace(b"ppt/aXb.xml", b"ppt/a\0b.xml")
    with pytest.raises(UnsafePath):
        opened(data)


def test_symbolic_links_are_refused(zipped):
    link = zipfile.ZipInfo("ppt/link.xml")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with pytest.raises(UnsafePath, match=r"ppt/link\.xml: it is a symbolic link"):
        opened(zipped([(link, b"/etc/passwd")]))


@pytest.mark.parametrize("second", ["ppt/a.xml", "PPT/A.XML", "ppt/%61.xml"])
def test_two_entries_of_one_name_are_refused(zipped, second):
    with pytest.raises(DuplicatePart, match=r"the archive holds it twice"):
        opened(zipped([("ppt/a.xml", b"1"), (second, b"2")]))


def test_entries_with_a_zip_password_are_called_encrypted(zipped):
    data = zipped({"a.xml": b"x"})
    in_directory = patched(data, central(data, "a.xml") + 8, "<H", 1)
    with pytest.raises(EncryptedDeck):
        opened(in_directory)
    in_header_only = patched(data, 6, "<H", 1)
    with pytest.raises(EncryptedDeck):
        opened(in_header_only).read("a.xml")


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_packing_that_office_does_not_use_is_named(zipped, method):
    with pytest.raises(UnsupportedFormat, match=rf"a\.xml: packed by method {method};"):
        opened(zipped({"a.xml": b"x" * 100}, method=method))


def test_entries_that_share_bytes_are_refused(zipped):
    """A bomb by overlap: many names, one packed stream."""
    data = zipped({f"part{i}.xml": b"x" * 1000 for i in range(5)})
    first = central(data, "part0.xml")
    offset = struct.unpack_from("<I", data, first + 42)[0]
    bomb = patched(data, central(data, "part3.xml") + 42, "<I", offset)
    with pytest.raises(TruncatedDeck, match="overlap"):
        opened(bomb)


def test_an_entry_that_nests_another_is_refused(zipped):
    inner = zipped({"b.xml": b"y" * 500}, method=zipfile.ZIP_STORED)
    data = zipped([("a.xml", inner), ("b.xml", b"y")], method=zipfile.ZIP_STORED)
    inside = data.index(b"PK\x03\x04", 10)
    with pytest.raises(TruncatedDeck, match="overlap"):
        opened(patched(data, central(data, "b.xml") + 42, "<I", inside))


def test_a_header_that_names_another_part_is_damage(zipped):
    data = zipped({"a.xml": b"x"})
    with pytest.raises(TruncatedDeck, match="does not agree"):
        opened(data[:30] + b"b" + data[31:]).read("a.xml")


def test_a_wrong_checksum_is_damage(zipped):
    data = zipped({"a.xml": b"one"}, method=zipfile.ZIP_STORED).replace(b"one", b"two")
    with pytest.raises(TruncatedDeck, match=r"a\.xml: its bytes are damaged"):
        opened(data).read("a.xml")


def test_a_broken_deflate_stream_is_damage(zipped):
    data = zipped({"a.xml": bytes(range(256)) * 20})
    broken = data[:35] + b"\xff" * 40 + data[75:]
    with pytest.raises(TruncatedDeck, match=r"a\.xml: "):
        opened(broken).read("a.xml")


@pytest.mark.parametrize("stated", [0, 1, 999_999])
def test_a_size_that_lies_is_damage_and_is_never_exceeded(zipped, stated):
    data = zipped({"a.xml": b"x" * 1_000_000})
    lie = patched(data, central(data, "a.xml") + 24, "<I", stated)
    archive = opened(lie)
    assert archive.size("a.xml") == stated
    with pytest.raises(TruncatedDeck):
        archive.read("a.xml")
    assert len(archive.read_start("a.xml", 10**7)) == stated


def test_an_offset_past_the_end_is_damage(zipped):
    data = zipped({"a.xml": b"x"})
    with pytest.raises(TruncatedDeck):
        opened(patched(data, central(data, "a.xml") + 42, "<I", 0x7FFFFFFF))


def test_zip64_sizes_are_held_to_the_limits(zipped):
    data = zipped({"a.xml": b"x" * 50})
    record = central(data, "a.xml")
    claim = patched(data, record + 24, "<I", 0xFFFFFFFF)
    claim = patched(claim, record + 30, "<H", 12)
    extra = struct.pack("<HHQ", 1, 8, 1 << 62)
    name_end = record + 46 + len("a.xml")
    claim = claim[:name_end] + extra + claim[name_end:]
    end = claim.rindex(b"PK\x05\x06")
    size = struct.unpack_from("<I", claim, end + 12)[0]
    with pytest.raises(LimitExceeded, match=r"a\.xml: .* more than the limit"):
        opened(patched(claim, end + 12, "<I", size + 12))


def test_part_count_is_limited(zipped):
    data = zipped({f"{i}.xml": b"" for i in range(11)})
    assert len(opened(data, parts=11).names) == 11
    with pytest.raises(LimitExceeded, match="11 parts, more than the limit of 10"):
        opened(data, parts=10)


def test_a_directory_without_end_is_not_even_read(zipped):
    data = zipped({f"{i:0200}.xml": b"" for i in range(1000)})
    with pytest.raises(LimitExceeded, match="its directory is too large"):
        opened(data, parts=100)


def test_part_size_and_total_size_are_limited(zipped):
    data = zipped({"a.bin": b"x" * 600, "b.bin": b"x" * 600})
    assert opened(data, part_bytes=600, total_bytes=1200).size("a.bin") == 600
    with pytest.raises(LimitExceeded, match=r"a\.bin: 600 bytes"):
        opened(data, part_bytes=599)
    with pytest.raises(LimitExceeded, match="1,200 bytes unpacked"):
        opened(data, total_bytes=1199)
    with pytest.raises(LimitExceeded, match="more than the limit of 100"):
        opened(data, file_bytes=100)


def test_a_part_that_unpacks_too_many_times_its_size_is_refused(zipped):
    """Deflate reaches about 1000 to 1 on a run of one byte."""
    bomb = zipped({"a.xml": bytes(17 * 1024 * 1024)})
    with pytest.raises(LimitExceeded, match=r"a\.xml: unpacks to more than 200 times"):
        opened(bomb)


def test_small_dense_parts_pass_but_many_of_them_do_not(zipped):
    dense = b"<a/>" * 200_000
    assert len(zlib.compress(dense)) * 200 < len(dense)
    assert opened(zipped({"a.xml": dense})).read("a.xml") == dense
    with pytest.raises(LimitExceeded, match=r"^deck\.pptx: unpacks to more than"):
        opened(zipped({f"{i}.xml": dense for i in range(30)}))
