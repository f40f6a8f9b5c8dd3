# make demo   set up, build three sample decks, score them, show where the report is
# make test   set up, then every check: style, types, import contracts, tests
# make bench  set up, then the speed budgets, side by side
# make lock   resolve the Python dependencies, keeping what still fits (UPGRADE=--upgrade: anew)

.PHONY: demo test bench lock setup

setup:
	@scripts/setup

demo: setup
	@.venv/bin/decklab samples build/samples
	@.venv/bin/decklab score build/samples --out build/demo

test: setup
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	.venv/bin/mypy
	.venv/bin/lint-imports
	.venv/bin/python -m pytest -n 2 --dist loadfile

bench: setup
	@.venv/bin/python -m bench

lock:
	uv pip compile pyproject.toml --quiet $(UPGRADE) --extra html --extra bench --extra zenodo --group dev --universal --python-version 3.11 \
	  --generate-hashes --no-emit-index-url --no-header -o requirements/locked.txt
