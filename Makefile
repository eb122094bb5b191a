# Everything below works from a fresh clone with Python >= 3.11, git and (for the agent CLI tests) Node.
# The first target that runs makes a virtual environment in the checkout from the locked dependencies.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
READY := $(VENV)/.ready

.PHONY: demo test lint types contracts unit slow format e2e ext editor pictures bench wheel lock clean

demo: $(READY)
	@$(BIN)/cortex demo

test: lint types contracts unit

unit: $(READY)
	$(BIN)/python -m pytest -n 3 --dist worksteal -m "not agent_cli and not editor and not slow"

# Whole experiments and long series: thirty kills of the daemon, self-tests, all surfaces on one demo.
# The sandbox, which needs bubblewrap.
slow: $(READY)
	$(BIN)/python -m pytest -n 2 -m slow

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(READY)
	$(BIN)/mypy

contracts: $(READY)
	$(BIN)/lint-imports --no-cache

format: $(READY)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# Real agent CLIs from npm (.ci/package.json) against scripted model servers on loopback.
e2e: $(READY) .tools/node_modules/.ready
	$(BIN)/python -m pytest -n 2 -m agent_cli

# The VS Code extension: types, lint, tests, package.
ext: vscode-extension/node_modules/.ready
	@cd vscode-extension && npm run --silent check && npm test --silent && npm run --silent package

# The packaged extension in a real VS Code (code-server) in Chromium, on loopback.
editor: $(READY) ext .tools/editor/.ready
	$(BIN)/python -m pytest -m editor tests/editor

# The same, and the pictures in docs/images are taken again.
pictures:
	CORTEX_PICTURES=1 $(MAKE) editor

bench: $(READY)
	$(BIN)/python -m benchmarks

# The distributions of a release, with the wheel installed and tried.
wheel: $(READY)
	rm -rf dist
	$(BIN)/python -m hatchling build -d dist
	.ci/check-wheel dist

lock: $(READY)
	$(BIN)/uv pip compile pyproject.toml --extra dev --generate-hashes --no-annotate --no-header \
	  --no-emit-index-url --no-emit-find-links --python-version 3.11 -o requirements.lock

# uv comes first, from its own lines of the lock, because it installs the rest in a fifth of the time;
# pip does it where uv cannot (it does not read pip's configuration).
$(READY): requirements.lock pyproject.toml
	@echo "Setting up $(VENV) (once, some 20 seconds) ..."
	@$(PYTHON) -c 'import sys; sys.exit("Cortex needs Python 3.11 or newer, this is " + sys.version.split()[0]) if sys.version_info < (3, 11) else 0'
	@$(PYTHON) -m venv $(VENV)
	@sed -n '/^uv==/,/[^\\]$$/p' requirements.lock > $(VENV)/uv.lock
	@$(PIP) --require-hashes -r $(VENV)/uv.lock
	@$(BIN)/uv pip install --quiet --compile-bytecode --python $(BIN)/python --require-hashes -r requirements.lock \
	  || $(PIP) --require-hashes -r requirements.lock
	@$(PIP) --no-deps --no-build-isolation --editable .
	@touch $@

.tools/node_modules/.ready: .ci/package.json .ci/package-lock.json
	@mkdir -p .tools && cp .ci/package.json .ci/package-lock.json .tools/
	@cd .tools && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	@for cli in .tools/node_modules/claude-code-*; do node $$cli/install.cjs; done
	@touch $@

vscode-extension/node_modules/.ready: vscode-extension/package-lock.json
	@cd vscode-extension && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@

.tools/editor/.ready: .ci/editor/package-lock.json .ci/editor/install
	@echo "Setting up VS Code and its driver in .tools/editor (once, two minutes) ..."
	@.ci/editor/install .tools/editor
	@touch $@

clean:
	rm -rf $(VENV) .tools vscode-extension/node_modules vscode-extension/dist .mypy_cache .ruff_cache
