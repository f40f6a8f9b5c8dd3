"""The filter's numbers against the kernel's own headers; that it works, the attacks show."""

import re
import struct
from pathlib import Path

import pytest

from decklab.sandbox.guest.seccomp import REFUSED, known_machine, program

_HEADERS = {
    "x86_64": Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
    "aarch64": Path("/usr/include/asm-generic/unistd.h"),
}


@pytest.mark.parametrize(("column", "machine"), list(enumerate(_HEADERS)))
def test_the_numbers_are_those_of_the_kernels_headers(column: int, machine: str) -> None:
    header = _HEADERS[machine]
    if not header.is_file():
        pytest.skip(f"{header} is not here (linux-libc-dev)")
    defined = re.findall(r"#define __NR(?:3264)?_(\w+) (\d+)", header.read_text())
    numbers = {name: int(number) for name, number in defined}
    ours = {name: pair[column] for name, pair in REFUSED.items() if pair[column] is not None}
    checked = ours.keys() & numbers.keys()
    assert len(checked) > 60
    assert {name: ours[name] for name in checked} == {name: numbers[name] for name in checked}


@pytest.mark.parametrize("machine", list(_HEADERS))
def test_a_program_is_whole_instructions_that_jump_within_it(machine: str) -> None:
    code = [
        struct.unpack_from("=HBBI", program(machine), at)
        for at in range(0, len(program(machine)), 8)
    ]
    assert len(code) < 4096  # BPF_MAXINSNS
    for index, (instruction, yes, no, _) in enumerate(code):
        if instruction & 7 == 5:  # a jump
            assert index + 1 + max(yes, no) < len(code)
    assert code[-1] == (6, 0, 0, 0x7FFF0000)


def test_other_processors_are_not_known() -> None:
    assert not known_machine("riscv64")
