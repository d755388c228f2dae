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

# ------------------------------------------------------------------------------ what tests cannot see
# Coverage, fuzzing, memory, leaks, mutations. Tools that are missing are installed: Rust's by cargo,
# valgrind and LLVM's by apt-get where that is possible; otherwise a message says what is missing.

.PHONY: test-all coverage coverage-rust coverage-python fuzz valgrind valgrind-rust valgrind-core \
	leaks debug-check mutants

# Everything; takes hours. FUZZ_SECONDS, N and LEAK_CALLS make it shorter or longer.
test-all: test coverage fuzz valgrind leaks debug-check
	$(MAKE) differential N=20000 SEED=$(SEED)
	SCOREKEY_PROFILE=1000 cargo test --locked --test properties
	SCOREKEY_PROFILE=1000 $(NEW)/bin/python -m pytest -q tests/test_properties.py

# $(call need,program,Debian's package)
need = command -v $(1) >/dev/null || { test "$$(id -u)" = 0 && command -v apt-get >/dev/null \
	&& apt-get -q update >/dev/null && apt-get -q install -y --no-install-recommends $(2) >/dev/null; } \
	|| { echo "$(1) is missing: install it, on Debian with apt-get install $(2)" >&2; exit 1; }
# $(call tool,command,crate)
tool = command -v $(1) >/dev/null || cargo install --locked $(2)

coverage: coverage-rust coverage-python

# All lines of the core, which is everything but the binding; the tests are not measured themselves.
LLVM := /usr/lib/llvm-19/bin
coverage-rust:
	@$(call need,$(LLVM)/llvm-cov,llvm-19)
	@$(call tool,cargo-llvm-cov,cargo-llvm-cov@^0.9)
	LLVM_COV=$(LLVM)/llvm-cov LLVM_PROFDATA=$(LLVM)/llvm-profdata cargo llvm-cov --locked \
		--ignore-filename-regex 'rust/src/python/|/tests/' --show-missing-lines --fail-uncovered-lines 0

# All lines and branches of the package, on either pandas.
coverage-python: $(NEW)/.ready $(OLD)/.ready
	$(NEW)/bin/pip install -q 'coverage>=7.10'
	$(OLD)/bin/pip install -q 'coverage>=7.10'
	rm -f .coverage .coverage.*
	$(NEW)/bin/python -m coverage run -m pytest -q
	$(OLD)/bin/python -m coverage run -m pytest -q
	$(NEW)/bin/python -m coverage combine -q
	$(NEW)/bin/python -m coverage report

# All fuzz targets, FUZZ_SECONDS together. They run on the stable compiler; FUZZ_SANITIZER=address
# needs features of it that only the variable in front of the command unlocks.
FUZZ_SECONDS ?= 600
FUZZ_SANITIZER ?= none
FUZZ_TARGETS := fold key arrow group reply
fuzz:
	@$(call tool,cargo-fuzz,cargo-fuzz@^0.13)
	fuzz/run.sh $(FUZZ_SECONDS) $(FUZZ_SANITIZER) $(FUZZ_TARGETS)

valgrind: valgrind-rust valgrind-core

# The Rust tests, with few examples of each property.
valgrind-rust:
	@$(call need,valgrind,valgrind)
	SCOREKEY_PROFILE=5 CARGO_TARGET_DIR=target/valgrind \
		CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER='valgrind --quiet --error-exitcode=1 --leak-check=full --errors-for-leak-kinds=definite' \
		cargo test --locked --profile checked --lib --tests

# The extension beside NumPy alone; what its allocator hid would be seen here, so it has the system's.
valgrind-core: $(NEW)/.ready
	@$(call need,valgrind,valgrind)
	PYO3_PYTHON=$(CURDIR)/$(NEW)/bin/python RUSTFLAGS='--cfg system_allocator' \
		CARGO_TARGET_DIR=target/valgrind cargo build --locked --profile checked --features python --lib
	PYTHONMALLOC=malloc valgrind --quiet --xml=yes --xml-file=target/valgrind/core.xml \
		--leak-check=full --num-callers=40 \
		$(NEW)/bin/python tests/memory/core_alone.py target/valgrind/checked/libscorekey.so
	$(NEW)/bin/python tests/memory/valgrind_report.py target/valgrind/core.xml libscorekey.so

# LEAK_CALLS calls of every public function and of every path to an error: at most 4 MiB each.
LEAK_CALLS ?= 10000
leaks: $(NEW)/.ready
	$(NEW)/bin/python tests/memory/leaks.py --calls $(LEAK_CALLS)

# The whole suite on a build that checks its arithmetic, its slices and its assertions, and a Python
# that checks its memory.
debug-check: $(NEW)/.ready
	PYO3_PYTHON=$(CURDIR)/$(NEW)/bin/python cargo build --locked --profile checked --features python --lib
	rm -rf target/debug-check && mkdir -p target/debug-check
	cp -r python/scorekey target/debug-check/
	cp target/checked/libscorekey.so target/debug-check/scorekey/_core.abi3.so
	PYTHONPATH=target/debug-check PYTHONMALLOC=debug $(NEW)/bin/python -m pytest -q

# Mistakes made on purpose in the modules named; what no test notices is listed in docs/testing.md.
MUTATE ?= rust/src/fold.rs
mutants:
	@$(call tool,cargo-mutants,cargo-mutants@^27)
	cargo mutants --jobs 1 --timeout 120 $(foreach file,$(MUTATE),--file $(file)) --output target

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
