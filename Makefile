# The ways in: `make demo`, `make test`. Everything runs in .venv, which is made when it is first needed.

SHELL := /bin/bash -o pipefail
PYTHON ?= python3
PY := .venv/bin/python
EXTRAS := articles,emulator,dev
INSTALLED := .venv/.installed
PACKAGES := commands provider hooks operators sensors triggers emulator demo

.PHONY: demo test lint reference constraints wheel clean

demo: $(INSTALLED)
	@$(PY) -m airflow_video_creation.demo

test: $(INSTALLED)
	$(PY) -m pytest

lint: $(INSTALLED)
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	mkdir -p build/types && ln -sfn ../.. build/types/airflow_video_creation
	MYPYPATH=build/types $(PY) -m mypy $(foreach package,$(PACKAGES),-p airflow_video_creation.$(package))

reference: $(INSTALLED)
	$(PY) docs/write_reference.py
	$(PY) -m airflow_video_creation.emulator.contract_document

wheel: $(INSTALLED)
	$(PY) -m build --wheel --outdir dist

# Takes the newest versions that fit, and pins what was tested with them.
constraints:
	rm -rf build/constraints && $(PYTHON) -m venv build/constraints
	build/constraints/bin/python -m pip install --quiet --upgrade -e '.[$(EXTRAS)]'
	build/constraints/bin/python -m pip freeze --exclude-editable > build/constraints.txt
	mv build/constraints.txt constraints.txt

clean:
	rm -rf .venv build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis

$(INSTALLED): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Python 3.11 or newer is needed, and $(PYTHON) is older: run make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	@echo "Installing into .venv (some minutes the first time)"
	@if command -v uv > /dev/null; then \
		uv venv --quiet --clear --python "$$(command -v $(PYTHON))" .venv && \
		uv pip install --quiet --python $(PY) --constraint constraints.txt --editable '.[$(EXTRAS)]'; \
	else \
		$(PYTHON) -m venv --clear .venv && \
		$(PY) -m pip install -qq --constraint constraints.txt --editable '.[$(EXTRAS)]'; \
	fi
	@touch $@
