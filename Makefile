# One command each for what people do with this repository; `make help` lists them.
# Everything that is downloaded lies in $(CRANE_CACHE) (default ~/.cache/crane-dev), keyed by version.

SHELL := /bin/bash
export CRANE_CACHE ?= $(HOME)/.cache/crane-dev
export PYTHONPATH := $(CURDIR)

# Expanded when a recipe runs, not when make starts; the first use builds the environment.
py = $$(scripts/setup-python py)/bin/python
ml = $$(scripts/setup-python ml)/bin/python

.DEFAULT_GOAL := help
.PHONY: help setup demo test test-python test-ml test-extension test-e2e check format vsix pictures nightly \
        bench-summary bench-recorder bench-checker clean

help: ## this list
	@awk -F':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## the development environments (Python, npm, editor and browser for the end-to-end tests)
	@scripts/setup-python py
	@scripts/setup-node
	@scripts/setup-node tests/e2e
	@scripts/setup-editor

demo: ## predict each cell of the demo notebook, without a model, then run it and compare
	@python=$(py) || exit; "$$python" -m crane_bridge check examples/demo.ipynb --all --keep-going --no-model; \
	status=$$?; [ $$status -le 1 ] || exit $$status # 1: crashes were found, as they should be

test: ## every test, the end-to-end suite in a real VS Code included
	@scripts/test

test-python test-ml test-extension test-e2e: test-%:
	@scripts/test $*

check: ## format, lint, types, generated files
	@scripts/check

format: ## format and fix what can be fixed
	@home=$$(scripts/setup-python py) && "$$home/bin/ruff" check --fix . && "$$home/bin/ruff" format .
	@scripts/setup-node && npm run --silent format

vsix: ## the extension as an installable file
	@scripts/build-vsix

pictures: ## copy the README's picture from the last end-to-end run
	@mkdir -p docs/images
	@cp artifacts/e2e/picture-certain-crash.png docs/images/certain-crash.png

nightly: ## everything `make test` runs, what is too long for it, and the benchmarks
	@scripts/test
	@python=$(ml) && "$$python" -m pytest --ignore=tests/e2e -m nightly
	@$(MAKE) --no-print-directory bench-summary bench-recorder bench-checker

bench-summary: ## how long the summary of variables takes, by size, beside the published tool
	@python=$(py) && "$$python" scripts/bench_summary.py --make-peer

bench-recorder: ## what the run recorder adds to a cell
	@python=$(py) && "$$python" scripts/bench_recorder.py

bench-checker: ## how long a check takes by library, beside the published tool
	@python=$(ml) && "$$python" scripts/bench_checker.py --make-peer

clean: ## remove build products (not the cache)
	rm -rf artifacts build dist vscode-extension/dist vscode-extension/*.vsix
