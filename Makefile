# Two commands from a fresh checkout: `make demo` and `make test`.
# Everything is installed into .venv, once; `make clean` takes it away again.

PYTHON ?= python3
JOBS ?= 2
MODEL ?= offline
BIN := .venv/bin
STAMP := .venv/installed
# Where byte code is switched off, every process of the tests would compile its libraries anew.
export PYTHONDONTWRITEBYTECODE =

.DEFAULT_GOAL := help
.PHONY: help demo lab panel test test-model test-wheel test-inspector check docs scenario pictures bench faults fuzz score constraints clean

help: ## this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | awk -F '\t' '{printf "make %-12s %s\n", $$1, $$2}'

# uv where it can be had, since it takes seconds; plain pip gives the same versions.
$(STAMP): pyproject.toml constraints.txt
	@echo "installs into .venv, once; this takes a minute or two"
	@$(PYTHON) -m venv .venv
	@if $(BIN)/python -m pip install --quiet --disable-pip-version-check uv \
	  && VIRTUAL_ENV=.venv $(BIN)/uv pip install --quiet -e '.[dev]' -c constraints.txt; then :; \
	else echo "uv is not to be had; installing with pip, which takes some minutes"; \
	  $(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]' -c constraints.txt; fi
	@touch $(STAMP)
	@echo "installed; the command is $(BIN)/workbench (or: . $(BIN)/activate, then workbench)"

demo: $(STAMP) ## the quickstart end to end: no key, no network
	$(BIN)/workbench demo

lab: $(STAMP) ## JupyterLab rooted here, on a copy of the quickstart
	-@$(BIN)/python extension/building.py
	$(BIN)/workbench lab

panel: $(STAMP) ## build the JupyterLab panel anew where its sources changed
	$(BIN)/python extension/building.py

check: $(STAMP) ## lint, format, types, generated documentation
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy workbench
	$(BIN)/python -m workbench.docs --check
	$(BIN)/python extension/building.py --check

test: panel check ## check, then every test
	$(BIN)/python -m pytest -n $(JOBS) --dist loadscope

test-wheel: panel ## the wheel in a clean environment with no node, in a browser
	WORKBENCH_TEST_WHEEL=1 $(BIN)/python -m pytest -q -rs tests/browser/test_wheel.py

test-inspector: $(STAMP) ## the tools called by the MCP Inspector's command line, which is fetched from npm
	PATH="$(CURDIR)/$(BIN):$$PATH" npm install --silent --no-audit --no-fund --prefix .venv/inspector @modelcontextprotocol/inspector@2
	PATH="$(CURDIR)/.venv/inspector/node_modules/.bin:$(CURDIR)/$(BIN):$$PATH" $(BIN)/python -m pytest -q -rs tests/test_mcp_inspector.py

scenario: panel ## the whole way through JupyterLab, three times in a row; prints its figures
	WORKBENCH_REQUIRE_BROWSER=1 WORKBENCH_SCENARIO=$(or $(TIMES),3) $(BIN)/python -m pytest -q -rs tests/browser/test_scenario.py

pictures: panel ## take the pictures of the README anew
	$(BIN)/python tests/browser/pictures.py

test-model: $(STAMP) ## ask a real model, at WORKBENCH_TEST_BASE_URL, what must always hold
	$(BIN)/python -m pytest -q -rs tests/models/test_any_server.py

docs: $(STAMP) ## write the generated tables of README.md anew
	$(BIN)/python -m workbench.docs

bench: $(STAMP) ## measure this machine; asserts nothing
	$(BIN)/python tests/benchmarks/bench.py

faults: $(STAMP) ## inject every fault three times in random order; prints the figures
	$(BIN)/python tests/faults/sweep.py

fuzz: $(STAMP) ## readers, SQL and conditions on inputs that look for new ways through the code, 5 minutes each
	@$(BIN)/python -c "import atheris" 2>/dev/null || $(BIN)/python -m pip install --quiet atheris
	$(BIN)/python tests/fuzz/guided.py --seconds $(or $(SECONDS),300)

score: $(STAMP) ## forty questions with known answers, put to MODEL (offline if left out)
	$(BIN)/workbench score --model $(MODEL) $(if $(URL),--base-url $(URL)) $(if $(KEEP),--keep $(KEEP))

constraints: $(STAMP) ## pin the newest versions that fit
	@{ head -n 1 constraints.txt; $(BIN)/uv pip compile pyproject.toml --all-extras --universal --quiet \
	  --upgrade --python-version 3.11 --no-emit-index-url --no-header --no-annotate; } > constraints.new
	mv constraints.new constraints.txt

clean: ## remove what was installed and built; results stay
	rm -rf .venv build dist demo extension/node_modules extension/lib extension/labextension .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
