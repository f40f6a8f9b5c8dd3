"""Makes the data that decklab ships: ``python -m generate [--check]``.

Without an option it writes the data below ``src/decklab`` and the versions of the libraries that
made it to ``generate/made_with.json``. With ``--check`` it writes nothing there: it names the files
that would change and ends with 1 where there are any.
"""

import argparse
import json
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from generate.comparing import changed_files, libraries
from generate.pptarena.packing import pack_cases
from generate.ppteval.packing import pack_tasks
from generate.samples.decks import make_samples
from generate.unippt.packing import pack_sources

HERE = Path(__file__).parent
PACKAGE = HERE.parent / "src" / "decklab"
RECORD = HERE / "made_with.json"
FOLDERS = (
    "deck/data", "evals/pptarena/data", "evals/ppteval/data",
    "evals/unippt/data/sources",
)  # fmt: skip
"""Where the data is, below the package: nothing else is in these folders."""


def make(folder: Path) -> None:
    """Make all data in ``folder``, in the folders that it has in the package."""
    samples, cases, tasks, sources = (folder / name for name in FOLDERS)
    pack_cases(make_samples(samples), cases)
    pack_tasks(tasks)
    pack_sources(sources)


def changed(made: Path, *, exact: bool) -> list[str]:
    """The made files, by their path in the package, that are not as the package has them."""
    return [
        f"{name}/{file}"
        for name in FOLDERS
        for file in changed_files(made / name, PACKAGE / name, exact=exact)
    ]


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m generate", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing, name what differs")
    check = parser.parse_args(arguments).check
    with TemporaryDirectory(prefix="decklab-made-") as scratch:
        made = Path(scratch)
        make(made)
        if not check:
            for name in FOLDERS:
                shutil.rmtree(PACKAGE / name, ignore_errors=True)
                shutil.copytree(made / name, PACKAGE / name)
            RECORD.write_text(json.dumps(libraries(), indent=2) + "\n")
            return 0
        exact = same_libraries()
        files = changed(made, exact=exact)
    print("compared byte by byte" if exact else f"compared part by part: not made with {RECORD}")
    for file in files:
        print(f"differs: {file}")
    return 1 if files else 0


def same_libraries() -> bool:
    """Whether the libraries here are those that made the package's data."""
    return bool(json.loads(RECORD.read_text()) == libraries())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
