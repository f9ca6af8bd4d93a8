# The ways in: `make demo`, `make test`. Everything runs in .venv, which is made when it is first needed.

SHELL := /bin/bash -o pipefail
PYTHON ?= python3
PY := .venv/bin/python
EXTRAS := ai,amazon,articles,emulator,openlineage,dev
INSTALLED := .venv/.installed
FIGURES_PY ?= build/figures/venv/bin/python
FIGURES_INSTALLED := build/figures/venv/.installed
INSTALL = $(if $(shell command -v uv),uv pip install --python $(PY),$(PY) -m pip install) --quiet --constraint constraints.txt
# What an editable install leaves here: by it pytest would take our folders for other people's plugins.
LEFTOVER := airflow_provider_video_creation.egg-info
PACKAGES := commands provider hooks notifications operators pipelines sensors triggers plugin emulator demo release

.PHONY: demo test test-matrix test-install system-test browser-test mutants screenshots figures figures-render lint types reference docs constraints wheel release clean

demo: $(INSTALLED)
	@$(PY) -m airflow_video_creation.demo

# Compiled tests are kept, else each process would compile all of them; a third process works while two wait.
test: export PYTHONDONTWRITEBYTECODE =
test: $(INSTALLED)
	$(PY) -m pytest --numprocesses 3 --dist loadgroup

# On every supported Airflow and Python, each in an environment of its own; CELLS=3.1.8-py3.11 runs only that one.
test-matrix: $(INSTALLED)
	$(if $(CELLS),,$(PY) tests/install)
	$(PY) tests/matrix $(CELLS)

# What an installation changes in an Airflow that is there already; some minutes, and part of test-matrix.
test-install: $(INSTALLED)
	$(PY) tests/install

# A real cluster whose processes are killed; as root it installs PostgreSQL and Redis where they are absent.
# FEW=1 plays what CI plays; RESULTS=docs/measured/system-tests.md writes the results there; PYTEST_ARGS go to pytest.
# CELL=3.2.2-py3.11 plays it on that Airflow of `make test-matrix`, below 3.3 with a record folder.
system-test: $(INSTALLED)
ifdef CELL
	$(PY) tests/matrix --system-tests $(CELL)
	build/matrix/$(CELL)/venv/bin/python -m pytest tests/system/test_killed.py tests/system/test_secrets.py \
		--executors LocalExecutor --record-folder $(if $(RESULTS),--write-results $(RESULTS)) $(PYTEST_ARGS)
else
	@$(INSTALL) --requirement tests/system/requirements.txt
	@$(if $(FEW),,$(INSTALL) --requirement tests/system/requirements-celery.txt || echo "Celery cannot be installed")
	$(PY) -m pytest tests/system $(if $(FEW),-m few --executors LocalExecutor) $(if $(RESULTS),--write-results $(RESULTS)) $(PYTEST_ARGS)
endif

# Airflow's UI in a real browser; as root it installs Chromium and PostgreSQL where they are absent.
browser-test: $(INSTALLED)
	@$(INSTALL) --requirement tests/browser/requirements.txt
	$(PY) -m pytest tests/browser $(PYTEST_ARGS)

# Which changes of the code no test notices: SAMPLE places, picked by SEED; PATHS="plugin provider/waiting" takes only those.
mutants: $(INSTALLED)
	@$(INSTALL) --requirement tests/mutants/requirements.txt
	$(PY) -m pytest tests/mutants --quiet
	$(PY) tests/mutants --seed $(or $(SEED),1) --sample $(or $(SAMPLE),100) $(PATHS)

# The pictures of docs/operate/ui.md, taken again.
screenshots: $(INSTALLED)
	@$(INSTALL) --requirement tests/browser/requirements.txt
	$(PY) -m pytest tests/browser/test_screenshots.py tests/browser/test_preview_page.py --write-screenshots docs/images

# Measures what the docs give figures of, beside the peers of benchmarks/requirements.txt, and writes pages and plots:
# 25 minutes, best on a machine at rest. ONLY="waiting night-kills" takes these; LIST=1 names all, with their minutes;
# TRIAL=1 takes the smallest settings and writes nothing; FIGURES_PY=.venv/bin/python does without the peers.
figures: $(if $(filter $(FIGURES_PY),$(PY)),$(INSTALLED),$(FIGURES_INSTALLED))
	$(FIGURES_PY) benchmarks/figures.py $(if $(LIST),--list) $(if $(TRIAL),--trial) $(if $(ONLY),--only $(ONLY)) $(if $(MORE),-- $(MORE))

# Writes pages and plots again from what was measured last.
figures-render: $(INSTALLED)
	@$(PY) benchmarks/figures.py --render $(if $(ONLY),--only $(ONLY))

lint: $(INSTALLED)
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m check_jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
	$(PY) -m check_jsonschema --builtin-schema vendor.dependabot .github/dependabot.yml
	$(PY) -m check_jsonschema --builtin-schema vendor.github-issue-config .github/ISSUE_TEMPLATE/config.yml
	$(PY) -m check_jsonschema --builtin-schema vendor.github-issue-forms \
		$(filter-out %/config.yml,$(wildcard .github/ISSUE_TEMPLATE/*.yml))
	@$(MAKE) --no-print-directory types

types: $(INSTALLED)
	mkdir -p build/types && ln -sfn ../.. build/types/airflow_video_creation
	MYPYPATH=build/types $(PY) -m mypy -m airflow_video_creation -m airflow_video_creation.__main__ $(foreach package,$(PACKAGES),-p airflow_video_creation.$(package))

reference: $(INSTALLED)
	$(PY) docs/write_reference.py
	$(PY) -m airflow_video_creation.emulator.contract_document

# The documentation site; a warning is an error. The last line is where to open it.
docs: $(INSTALLED)
	@$(INSTALL) --editable '.[docs]' && rm -rf $(LEFTOVER)
	@rm -rf build/docs
	@$(PY) -m sphinx --fail-on-warning --keep-going --quiet docs build/docs
	@echo "$(CURDIR)/build/docs/index.html"

wheel: $(INSTALLED)
	$(PY) -m build --wheel --outdir dist

# Builds, checks and tries out the version that CHANGELOG.md opens, then commits and tags it; DRY_RUN=1 stops before that.
# TAG=v1.2.3 builds again what was tagged. REPOSITORY=https://... is where links on a package index lead.
release: $(INSTALLED)
	@$(INSTALL) --requirement release/requirements.txt
	$(PY) -m airflow_video_creation.release $(if $(DRY_RUN),--dry-run) $(if $(TAG),--tag '$(TAG)') \
		$(if $(REPOSITORY),--repository '$(REPOSITORY)')

# Takes the newest versions that fit, and pins what was tested with them.
constraints:
	rm -rf build/constraints && $(PYTHON) -m venv build/constraints
	build/constraints/bin/python -m pip install --quiet --upgrade -e '.[$(EXTRAS),docs]'
	build/constraints/bin/python -m pip freeze --exclude-editable > build/constraints.txt
	mv build/constraints.txt constraints.txt

clean:
	rm -rf .venv build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis

$(FIGURES_INSTALLED): PY := build/figures/venv/bin/python
$(FIGURES_INSTALLED): pyproject.toml constraints.txt benchmarks/requirements.txt tests/system/requirements.txt
	@echo "Installing the peers into build/figures/venv"
	@rm -rf build/figures/venv && $(PYTHON) -m venv build/figures/venv
	@$(INSTALL) --requirement benchmarks/requirements.txt --requirement tests/system/requirements.txt --editable '.[$(EXTRAS)]'
	@rm -rf $(LEFTOVER)
	@touch $@

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
	@rm -rf $(LEFTOVER)
	@touch $@
