# Every target sets up what it needs in virtual environments of its own; PYTHON names the interpreter.
PYTHON ?= python3
DEMO := .venv-demo
NEW := .venv-pandas3
OLD := .venv-rupsycho
SOURCES := Cargo.toml Cargo.lock pyproject.toml $(shell find rust -name '*.rs')
WHEEL := target/wheels/.built

.PHONY: demo test test-rust test-python test-reference develop lint bench wheel clean

# Score the bundled results file and show the table of scale scores.
demo: $(DEMO)/.ready
	$(DEMO)/bin/scorekey score examples/results.csv --questionnaire examples/questionnaire.json \
		--by model_id --total

test: test-rust test-python test-reference

test-rust:
	cargo test --locked

test-python: $(NEW)/.ready
	$(NEW)/bin/python -m pytest -q

# The same tests on pandas 2 beside the reference, which adds those that compare the two.
test-reference: $(OLD)/.ready
	$(OLD)/bin/python -m pytest -q

# rustfmt, clippy with and without the binding, ruff, mypy, and the stubs against the real module.
lint: $(NEW)/.lint
	cargo fmt --check
	cargo clippy --locked --all-targets -- -D warnings
	PYO3_PYTHON=$(CURDIR)/$(NEW)/bin/python cargo clippy --locked --features python -- -D warnings
	$(NEW)/bin/ruff check
	$(NEW)/bin/ruff format --check
	$(NEW)/bin/mypy -p scorekey
	$(NEW)/bin/python -m mypy.stubtest scorekey._core

# An editable build for quick rounds; `make test` puts the wheel back.
develop: $(NEW)/.ready
	$(NEW)/bin/pip install -q 'maturin>=1.9.4,<2'
	VIRTUAL_ENV=$(CURDIR)/$(NEW) $(NEW)/bin/maturin develop --locked --profile quick
	rm $(NEW)/.ready

bench: $(NEW)/.ready
	cargo bench --locked --bench core

wheel: $(WHEEL)

clean:
	rm -rf $(DEMO) $(NEW) $(OLD) target/wheels

# One wheel serves all interpreters, so it is built once and installed into each environment.
$(WHEEL): $(SOURCES) $(shell find python -name '*.py*' -not -name '*.so' -not -path '*/__pycache__/*') README.md LICENSE
	test -x .venv-build/bin/maturin || { $(PYTHON) -m venv .venv-build && .venv-build/bin/pip install -q 'maturin>=1.9.4,<2'; }
	rm -rf target/wheels
	.venv-build/bin/maturin build --release --locked -i $(PYTHON)
	touch $@

$(DEMO)/.ready: $(WHEEL)
	$(PYTHON) -m venv $(DEMO)
	$(DEMO)/bin/pip install -q --force-reinstall --no-deps target/wheels/*.whl
	$(DEMO)/bin/pip install -q "$$(ls target/wheels/*.whl)[cli]"
	touch $@

$(NEW)/.ready: $(WHEEL)
	$(PYTHON) -m venv $(NEW)
	$(NEW)/bin/pip install -q --force-reinstall --no-deps target/wheels/*.whl
	$(NEW)/bin/pip install -q "$$(ls target/wheels/*.whl)[all]" 'pandas>=3' 'pytest>=8' 'hypothesis>=6.100'
	touch $@

$(NEW)/.lint: $(NEW)/.ready
	$(NEW)/bin/pip install -q 'mypy>=1.13' 'ruff>=0.8' pandas-stubs
	touch $@

$(OLD)/.ready: $(WHEEL)
	$(PYTHON) -m venv $(OLD)
	$(OLD)/bin/pip install -q --force-reinstall --no-deps target/wheels/*.whl
	$(OLD)/bin/pip install -q "$$(ls target/wheels/*.whl)[all]" 'pandas<3' rupsycho==1.0.0 'pytest>=8' 'hypothesis>=6.100'
	touch $@
