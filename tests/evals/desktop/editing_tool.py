# ruff: noqa: T201
"""A program that edits a deck with the standard library alone, as an agent under test would."""

import os
import socket
import sys
import time
import zipfile
from pathlib import Path


def main() -> int:
    """``editing_tool.py DECK INSTRUCTION [OUT]``; the instruction begins with what to do."""
    deck, instruction = sys.argv[1:3]
    out = sys.argv[3] if len(sys.argv) > 3 else deck
    way, _, rest = instruction.partition(" ")
    print(f"asked: {instruction}", flush=True)
    if way == "rename":
        replace_title(Path(deck), Path(out), rest)
    elif way == "fail":
        print("something went wrong", file=sys.stderr)
        return 3
    elif way == "sleep":
        time.sleep(60)
    elif way == "flood":
        for number in range(400_000):
            print(f"line {number}")
    elif way == "look":
        print(sorted(os.environ), Path(rest).exists(), Path.cwd())
    elif way == "call":
        socket.create_connection(("127.0.0.1", int(rest)), 2)
    elif way == "remove":
        Path(deck).unlink()
    elif way == "crash":
        os.abort()
    elif way == "spawn":
        os.system("sleep 60 &")
    elif way == "eat":
        held = [bytearray(1 << 20) for _ in range(10_000)]
        print(len(held))
    print("done")
    return 0


def replace_title(deck: Path, out: Path, title: str) -> None:
    with zipfile.ZipFile(deck) as package:
        parts = {name: package.read(name) for name in package.namelist()}
    part = "ppt/slides/slide1.xml"
    parts[part] = parts[part].replace(b"Old title", title.encode())
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as package:
        for name, data in parts.items():
            package.writestr(name, data)


if __name__ == "__main__":
    sys.exit(main())
