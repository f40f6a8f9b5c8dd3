"""The filter's numbers against the kernel's own headers; that it works, the attacks show."""

import re
import struct
from pathlib import Path

import pytest

from decklab.sandbox.guest.process import REFUSED, known_machine, program

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


_ERRNO, _ALLOW, _KILL = 0x00050000, 0x7FFF0000, 0x80000000


def verdict_of(code: bytes, number: int, architecture: int, argument: int = 0) -> int:
    """The answer of a program to a call: the instructions of filter.h that it uses, one by one."""
    call = struct.pack("=IIQQ", number, architecture, 0, argument)  # struct seccomp_data
    loaded, at = 0, 0
    while True:
        instruction, yes, no, operand = struct.unpack_from("=HBBI", code, 8 * at)
        if instruction == 0x06:
            return operand
        if instruction == 0x20:
            [loaded] = struct.unpack_from("=I", call, operand)
        else:
            met = {0x15: loaded == operand, 0x35: loaded >= operand, 0x45: bool(loaded & operand)}
            at += yes if met[instruction] else no
        at += 1


# read, memfd_create, socket, bpf, clone and clone3, by the kernel's tables of system calls
@pytest.mark.parametrize(
    ("machine", "architecture", "numbers"),
    [
        ("x86_64", 0xC000003E, (0, 319, 41, 321, 56, 435)),
        ("aarch64", 0xC00000B7, (63, 279, 198, 280, 220, 435)),
    ],
)
def test_whole_programs_have_sockets_and_memory_files_and_code_has_not(
    machine: str, architecture: int, numbers: tuple[int, ...]
) -> None:
    read, memory_file, socket, bpf, clone, clone3 = numbers
    refused = _ERRNO | 1  # EPERM
    for programs in (False, True):
        code = program(machine, programs=programs)

        def asked(number: int, argument: int = 0, code: bytes = code) -> int:
            return verdict_of(code, number, architecture, argument)

        assert asked(read) == _ALLOW
        assert asked(bpf) == refused
        assert asked(memory_file) == (_ALLOW if programs else refused)
        for family in (1, 2, 10, 16):
            assert asked(socket, family) == (_ALLOW if programs else refused)
        for family in (0, 3, 17, 40):  # 40: AF_VSOCK, which leaves a virtual machine
            assert asked(socket, family) == refused
        assert asked(clone, 0x10100) == _ALLOW  # a thread
        assert asked(clone, 0x10000000) == refused  # CLONE_NEWUSER
        assert asked(clone3) == _ERRNO | 38  # ENOSYS
        assert verdict_of(code, read, 0x40000003) == _KILL  # i386


def test_calls_of_the_x32_abi_are_refused() -> None:
    assert verdict_of(program("x86_64"), 0x40000000, 0xC000003E) == _ERRNO | 1


def test_other_processors_are_not_known() -> None:
    assert not known_machine("riscv64")
