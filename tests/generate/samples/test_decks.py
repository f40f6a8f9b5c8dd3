"""The sample decks as they are made."""

import os
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest
from generate.samples.decks import make_samples

ROOT = Path(__file__).parents[3]


@pytest.mark.long
def test_another_process_at_another_hour_makes_the_same_bytes(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from generate.samples.decks import make_samples; "
        "make_samples(Path(sys.argv[1]))"
    )
    environment = {**os.environ, "PYTHONHASHSEED": "7", "TZ": "Pacific/Auckland"}
    again = tmp_path / "again"
    subprocess.run([sys.executable, "-c", code, str(again)], env=environment, cwd=ROOT, check=True)
    for path in make_samples(tmp_path / "first").values():
        other = again / path.name
        assert sha256(path.read_bytes()).digest() == sha256(other.read_bytes()).digest()
