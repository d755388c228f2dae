# Every target sets up what it needs in virtual environments of its own (`instructions` needs valgrind
# as well); PYTHON names the interpreter, 3.11 or newer for everything but `demo` and `wheel`.
PYTHON ?= python3
DEMO := .venv-demo
NEW := .venv-pandas3
OLD := .venv-rupsycho
BENCH := .venv-bench
SOURCES := Cargo.toml Cargo.lock pyproject.toml $(shell find rust -name '*.rs')
WHEEL := target/wheels/.built

.PHONY: demo test test-rust test-python test-reference differential develop lint bench memory \
	instructions wheel clean

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

# Random cases, scored by both packages: `make differential N=100000 SEED=7`.
N ?= 2000
SEED ?= 0
differential: $(OLD)/.ready
	$(OLD)/bin/python -m tests.differential --count $(N) --seed $(SEED)

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

# The core alone, then the same work by rupsycho, Polars, DuckDB and plain Python. The table goes to
# target/bench.md; ROWS="1000000 10000000" and BENCH_OPTIONS="--only ..." say what is run.
ROWS ?= 1000000
bench: $(BENCH)/.ready
	cargo bench --locked --bench core
	$(BENCH)/bin/python benches/peers.py --rows $(ROWS) --output target/bench.md $(BENCH_OPTIONS)
	$(BENCH)/bin/python benches/replies.py | tee -a target/bench.md
	$(BENCH)/bin/python benches/wide.py | tee -a target/bench.md

# Bytes a row beyond input and result, at ten million rows.
memory: $(BENCH)/.ready
	$(BENCH)/bin/python benches/memory.py

# Instructions a row of the core's hot loops against their limits; needs valgrind.
instructions:
	$(PYTHON) benches/limits.py

wheel: $(WHEEL)

clean:
	rm -rf $(DEMO) $(NEW) $(OLD) $(BENCH) target/wheels

# One wheel serves all interpreters, so it is built once and installed into each environment.
$(WHEEL): $(SOURCES) $(shell find python -name '*.py*' -not -path '*/__pycache__/*') README.md LICENSE
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
	$(NEW)/bin/pip install -q 'mypy>=2.4,<3' 'ruff>=0.17,<0.18' 'pandas-stubs>=3,<4'
	touch $@

$(OLD)/.ready: $(WHEEL)
	$(PYTHON) -m venv $(OLD)
	$(OLD)/bin/pip install -q --force-reinstall --no-deps target/wheels/*.whl
	$(OLD)/bin/pip install -q "$$(ls target/wheels/*.whl)[all]" 'pandas<3' rupsycho==1.0.0 'pytest>=8' 'hypothesis>=6.100'
	touch $@

# rupsycho asks for pandas 2, but its scoring runs on pandas 3, where it has to be compared: it is
# installed without what it asks for, and then what its scoring imports.
$(BENCH)/.ready: $(WHEEL)
	$(PYTHON) -m venv $(BENCH)
	$(BENCH)/bin/pip install -q --force-reinstall --no-deps target/wheels/*.whl
	$(BENCH)/bin/pip install -q "$$(ls target/wheels/*.whl)[arrow]" 'pandas>=3' polars duckdb \
		'langchain-core>=0.3.78,<0.4' tabulate
	$(BENCH)/bin/pip install -q --no-deps rupsycho==1.0.0
	touch $@
