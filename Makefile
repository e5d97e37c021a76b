# `make evolve`: from an empty folder to an evolved agent. `make paper`: the evolution of Canaan et al. 2018.
# `make check`: the tests that your change affects. `make test`: all tests. Each installs what it
# needs.
# Bytecode on disk saves a third of the start time of each of the hundred processes of the tests.
unexport PYTHONDONTWRITEBYTECODE
.PHONY: evolve paper docs check test all-tests test-slow test-times lint results pictures clean
VENV := .venv
comma := ,
BIN := $(VENV)/bin
# one test file per worker at a time, the slowest first (tests/conftest.py)
PYTEST := $(BIN)/python -m pytest -n auto --dist loadfile --no-loadscope-reorder
# the first Python that is new enough; `make PYTHON=/path/to/python evolve` names another
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo $$p; break; }; done)

evolve: $(VENV)/installed
	@echo "Evolving a list for each number of players, from nothing: some minutes, compiling included …"
	@$(BIN)/hanabi evolve --preset best

paper: $(VENV)/installed
	@echo "Evolving an agent as in 2018, in 8,016,000 games: a minute to four, compiling included …"
	@$(BIN)/hanabi evolve --preset paper-mirror

docs: $(VENV)/documented
	@HANABI_PLAIN=1 $(BIN)/python -m docs.generate
	@NO_MKDOCS_2_WARNING=1 $(BIN)/python -m properdocs build --strict -q
	@$(BIN)/python -m docs.generate.play_page
	@echo "The site is in the folder site: open site/index.html"

check: lint
	@$(BIN)/python tests/support/affected_tests.py $(PYTEST) -q

# lint and tests side by side: mypy uses one core
test: $(VENV)/tested
	@$(MAKE) --no-print-directory -j 2 lint all-tests

all-tests: $(VENV)/tested
	@$(BIN)/python tests/support/affected_tests.py all
	@$(BIN)/python tests/support/retry_failures.py $(PYTEST) -rs

test-slow: lint
	@HANABI_THOROUGH=1 $(BIN)/python tests/support/retry_failures.py $(PYTEST) -rs -m "slow or not slow"
	@$(BIN)/python tests/support/planted_faults.py

# measure each test file, for their order and for the estimates of `make check` and `make test`
test-times: lint
	@$(PYTEST) --times

lint: $(VENV)/tested
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check -q . || { echo 'run $(BIN)/ruff format .' >&2; exit 1; }
	@rm -rf build/types && mkdir -p build/types/hanabi && ln -sfn $(addprefix $(CURDIR)/,$(wildcard hanabi/*) rules evolve) build/types/hanabi/
	@$(BIN)/mypy

results: $(VENV)/installed
	@$(BIN)/python -m docs.generate.results_page --measure

# the pictures of README: the table of `hanabi play` in a headless Chromium, and the chart
pictures: $(VENV)/tested
	@$(BIN)/python tests/support/pictures.py
	@$(BIN)/python -m docs.generate.literature_chart

clean:
	rm -rf $(VENV) build *.egg-info .pytest_cache .ruff_cache .mypy_cache .hypothesis

$(VENV)/made:
	@test -n "$(PYTHON)" || { echo "hanabi needs Python 3.11 or newer and found none: install one, or run make PYTHON=/path/to/python" >&2; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { echo "$(PYTHON) has no venv module: install it (on Debian and Ubuntu: apt install python3-venv)" >&2; exit 1; }
	@echo "Creating the virtual environment $(VENV): some seconds …"
	@$(PYTHON) -m venv $(VENV) || { echo "could not make $(VENV): is this folder writable?" >&2; exit 1; }
	@touch $@

define install
	@echo "Installing hanabi and $(2) into $(VENV): $(3) on disk (numba, scipy, pandas, …), half a minute to four …"
	@$(BIN)/python -m pip install $$(test -t 2 || echo -q) --disable-pip-version-check -e '$(1)' || { echo "could not install the packages: is a package index reachable?" >&2; exit 1; }
	@touch $(VENV)/installed $@
endef

$(VENV)/installed: $(VENV)/made pyproject.toml
	$(call install,.,its packages,670 MB)

$(VENV)/tested: $(VENV)/made pyproject.toml
	$(call install,.[test],the packages of its tests,1.1 GB)

$(VENV)/documented: $(VENV)/made pyproject.toml
	$(call install,.[docs],the packages of its site,810 MB)

# both, in one installation
$(VENV)/complete: $(VENV)/made pyproject.toml
	$(call install,.[test$(comma)docs],the packages of its tests and of its site,1.2 GB)
	@touch $(VENV)/tested $(VENV)/documented
