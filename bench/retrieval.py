"""How often the passages found for a question hold its answer: BM25, embeddings, both.

Run as ``python -m bench.retrieval``. Forty-two questions on three of the documents that
`scripts/documents` fetches, written before any was tried: half in the words of the document, half
in other words. Each has the words of the document that answer it; a passage holds them or not.
Embeddings need the model of ``decklab.documents.retrieval``.
"""

# ruff: noqa: E501
import sys
import time
from pathlib import Path

from decklab.documents.knowledge import KnowledgeBase
from decklab.documents.quotes import plain_words
from decklab.documents.reading import read_documents
from decklab.documents.retrieval import embeddings_available, ranked_passages

FOLDER = Path(__file__).parents[1] / "build" / "documents"
CUTS = (1, 3, 5, 10)
QUESTIONS = {
    "Rcpp-introduction": [
        ("same", "What does the verbose option of the function show?", "when the verbose option"),
        ("same", "How does evalCpp evaluate a minimal C++ expression?", "minimal C++ expression"),
        ("same", "example whether a number is odd or even", "whether a number is odd or even"),
        ("same", "PROTECT and UNPROTECT macro and memory allocation", "matching UNPROTECT(3)"),
        ("same", "Eigen decomposition and Cholesky decomposition stability", "Eigen decomposition is"),
        ("same", "sampling from a multivariate normal distribution", "multivariate normal distribution"),
        ("same", "prototype the code in R before C++", "prototype the code in R"),
        ("other", "punctuation needed at line ends in the compiled language", "concluded with a semicolon"),
        ("other", "why do people use this package: faster programs", "key governing use cases"),
        ("other", "tools that find where a program spends its time", "Additional profiling R packages"),
        ("other", "drawing random row numbers without the usual function", "rounds down to the nearest"),
        ("other", "how to check that everything was set up properly", "chiefly to validate correct"),
        ("other", "wizards of the editor that create a skeleton project", "support for package templates"),
        ("other", "which brackets pick an element of a matrix in C++", "use of () in place of"),
    ],
    "timedep": [
        ("same", "What is the key rule for time dependent covariates in a Cox model?", "you cannot look into the future"),
        ("same", "bias in the coefficients from using future data", "large positive or negative bias"),
        ("same", "last value carried forward for alkaline phosphotase", "last value carried forward"),
        ("same", "divide the veteran's data into 3 epochs", "3 epochs of the first 3 months"),
        ("same", "What does the cox.zph function show for the Karnofsky score?", "no further time dependent effect"),
        ("same", "What does the tied column tell?", "column tells how often this happened"),
        ("same", "event or cumevent directive and tdc or cumtdc", "event or cumevent directive"),
        ("other", "who can still be counted when somebody dies at a moment", "which subjects are present for each"),
        ("other", "is it wrong to compare people by what happened to them afterwards", "essentially the same as that for gambling"),
        ("other", "a mistake that others warned of and that keeps coming back", "routinely re-discovered"),
        ("other", "what becomes of laboratory values measured after the end of observation", "after the last follow-up date"),
        ("other", "sick people dropped out so that few weak ones remain", "lowest Karnofsky values have been lost"),
        ("other", "getting older all the time needs rows for every day", "one interval per day"),
        ("other", "computing gets slow when rows are split many times", "(nd)p vs np can be surprising"),
    ],
    "debian-reference.en": [
        ("same", "greeting message stored in /etc/motd", "greeting message stored in"),
        ("same", "resetting the password with physical access to hard disk", "resetting the password is relatively easy"),
        ("same", "integrity of package files verified by MD5sum", "integrity of all package files"),
        ("same", "Alt-SysRq key for rescuing control of the system", "magic of rescuing control"),
        ("same", "sbuild package chroot schroot", "sbuild package helps to construct"),
        ("same", "mounting tmpfs to reduce disk wear out", "prevent disk wear out"),
        ("same", "fuser identify processes using files", "processes using files by fuser"),
        ("other", "how are documents arranged into folders", "files are organized into directories"),
        ("other", "strange letters on the screen of the file manager", "displays garbage characters"),
        ("other", "turn off unneeded network services to be safe", "disable as much server programs"),
        ("other", "keep copies so that lost data can be brought back", "essential part of successful system"),
        ("other", "isolating untrusted programs from the rest of the machine", "using the sandbox environment"),
        ("other", "largest packet size of the connection to the internet", "MTU for IPv4 connection"),
        ("other", "programs that put source text into a uniform layout", "Indent like tools can help"),
    ],
}  # fmt: skip


def first_places(
    kb: KnowledgeBase, name: str, *, words: bool, meaning: bool
) -> dict[str, list[int | None]]:
    """For each kind of question the place of the first passage with the answer; None without."""
    found: dict[str, list[int | None]] = {"same": [], "other": []}
    for kind, question, answer in QUESTIONS[name]:
        ranked = ranked_passages(kb.chunks, question, words=words, meaning=meaning)
        wanted = plain_words(answer).lower()
        held = [
            wanted in " ".join(plain_words(kb.chunks[number].quote).lower().split())
            for number, _ in ranked
        ]
        found[kind].append(held.index(True) + 1 if True in held else None)
    return found


def main() -> int:
    """Print a table of recall; 0 always, for it measures and states no budget."""
    present = [name for name in QUESTIONS if (FOLDER / f"{name}.pdf").exists()]
    if not present:
        print(f"  not run: no documents in {FOLDER}; scripts/documents fetches them")
        return 0
    ways = {"BM25": (True, False)}
    if embeddings_available():
        ways |= {"embeddings": (False, True), "both": (True, True)}
    places: dict[str, dict[str, list[int | None]]] = {
        way: {"same": [], "other": []} for way in ways
    }
    for name in present:
        kb = read_documents([FOLDER / f"{name}.pdf"])
        for way, (words, meaning) in ways.items():
            start = time.perf_counter()
            for kind, found in first_places(kb, name, words=words, meaning=meaning).items():
                places[way][kind] += found
            print(f"  {name:20} {way:10} {len(kb.chunks):4} passages "
                  f"{time.perf_counter() - start:6.1f} s")  # fmt: skip
    print(f"  {'':10} {'words':6} {'n':>3} " + " ".join(f"{f'at {cut}':>6}" for cut in CUTS))
    for way, kinds in places.items():
        for kind, found in {**kinds, "all": kinds["same"] + kinds["other"]}.items():
            shares = [
                sum(1 for place in found if place and place <= cut) / len(found) for cut in CUTS
            ]
            cells = " ".join(f"{share:6.2f}" for share in shares)
            print(f"  {way:10} {kind:6} {len(found):3} {cells}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
