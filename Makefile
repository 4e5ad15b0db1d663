# make audit   install, audit every claim (smoke profile), render the report, say where it is
# make test    install and run the tests
# make acceptance  install and run those of whole documents, long searches and other programs (Coq, Chromium, Sphinx)
# make check   lint, types, import contract, the committed report, and every shipped receipt checked again
# make matrix  the quick tests with other threads, instructions and versions
# make site    build the documentation
#
# PyTorch comes from PyPI unless TORCH_INDEX names another index, such as one with CPU or CUDA builds:
#   make audit TORCH_INDEX=https://…
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
TORCH_INDEX ?=
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt
RUN := boundaudit-runs/audit-$(shell date +%Y%m%dT%H%M%S)

# Each test and each worker is a process of its own: they read what the first one compiled.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: audit test acceptance check lint current matrix reference site clean

audit: $(VENV)/installed
	$(BIN)/boundaudit verify --profile smoke --out $(RUN)
	$(BIN)/boundaudit report $(RUN) --format html,md,json
	@echo "Open $(CURDIR)/$(RUN)/report/index.html"

test: $(VENV)/installed-dev
	$(BIN)/python -m pytest -n 2 --dist worksteal -m "not acceptance"

acceptance: $(VENV)/installed-dev
	$(BIN)/python -m pytest -n 2 --dist worksteal -m acceptance

# What takes one core goes side by side, then what takes all of them.
check: $(VENV)/installed-dev
	$(MAKE) --jobs=2 lint current
	$(BIN)/boundaudit check

lint: $(VENV)/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy -p boundaudit
	$(BIN)/lint-imports

current: $(VENV)/installed-dev
	$(BIN)/python -m boundaudit.reports.reference --check

matrix: $(VENV)/installed-dev
	$(BIN)/python -m tests.matrix

# The run that ships with the package and the report rendered from it: gathers what is stale or missing, says so
# beforehand, and goes on where it was stopped.
reference: $(VENV)/installed
	$(BIN)/python -m boundaudit.reports.reference

# The documentation: public names, a gallery with a page a chapter, and how to audit a paper of one's own.
site: $(VENV)/installed-dev
	$(BIN)/python -m sphinx -q -E -W --keep-going -b html reports/site build/site
	@echo "Open $(CURDIR)/build/site/index.html"

clean:
	rm -rf $(VENV) build reports/site/api reports/site/gallery .pytest_cache .mypy_cache .ruff_cache

$(VENV)/installed: pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP) $(if $(TORCH_INDEX),--index-url $(TORCH_INDEX)) torch
	$(PIP) --editable .
	touch $@

$(VENV)/installed-dev: $(VENV)/installed
	$(PIP) --editable ".[dev,docs]"
	touch $@
