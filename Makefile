# Every target sets up what it needs in virtual environments of its own (`instructions` needs valgrind
# as well); PYTHON names the interpreter, 3.11 or newer for everything but `demo`. What goes into an
# environment stands in pyproject.toml, under [dependency-groups].
PYTHON ?= python3
DEMO := .venv-demo
NEW := .venv-pandas3
OLD := .venv-rupsycho
BENCH := .venv-bench
DOCS := .venv-docs
BUILD := .venv-build
SOURCES := Cargo.toml Cargo.lock pyproject.toml $(shell find rust -name '*.rs')
WHEEL := target/wheels/.built

# Building it takes minutes, so one that is installed already will do.
DENY := $(or $(shell command -v cargo-deny),target/tools/bin/cargo-deny)

.PHONY: demo test test-rust test-python test-reference differential develop lint lint-rust \
	lint-python lint-supply advisories docs serve-docs bench memory instructions wheel clean

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

lint: lint-rust lint-python lint-supply

# rustfmt, and clippy with and without the binding.
lint-rust: $(NEW)/.lint
	cargo fmt --check
	cargo clippy --locked --all-targets -- -D warnings
	PYO3_PYTHON=$(CURDIR)/$(NEW)/bin/python cargo clippy --locked --features python -- -D warnings

# ruff, mypy, pyright on the examples of typed use, and the stubs against the real module.
lint-python: $(NEW)/.lint
	$(NEW)/bin/ruff check
	$(NEW)/bin/ruff format --check
	$(NEW)/bin/mypy -p scorekey
	$(NEW)/bin/mypy tests/typing
	$(NEW)/bin/mypy --exclude site.py release
	$(NEW)/bin/basedpyright --project tests/typing --pythonpath $(NEW)/bin/python
	$(NEW)/bin/python -m mypy.stubtest scorekey._core

# The workflows; licences and sources of the crates, and whether the notice in the wheel is fresh.
lint-supply: $(NEW)/.lint $(DENY)
	$(NEW)/bin/zizmor --offline --quiet --persona pedantic .github
	$(NEW)/bin/jactionlint
	$(DENY) --locked check bans licenses sources
	$(PYTHON) release/licences.py --check

# Known faults of the crates; needs the network.
advisories: $(DENY)
	$(DENY) --locked check

# An editable build for quick rounds; `make test` puts the wheel back.
develop: $(NEW)/.ready
	$(NEW)/bin/pip install -q --group build
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
	$(BENCH)/bin/python benches/steps.py | tee -a target/bench.md

# Bytes a row beyond input and result, at ten million rows.
memory: $(BENCH)/.ready
	$(BENCH)/bin/python benches/memory.py

# Instructions a row of the core's hot loops against their limits; needs valgrind.
instructions:
	$(PYTHON) benches/limits.py

# The site, in target/site. A link that leads nowhere and a name without a docstring are errors.
docs: $(DOCS)/.ready
	NO_MKDOCS_2_WARNING=1 PATH="$(CURDIR)/$(DOCS)/bin:$$PATH" $(DOCS)/bin/mkdocs build --strict --quiet

serve-docs: $(DOCS)/.ready
	$(DOCS)/bin/mkdocs serve

# The release wheel and the sdist: names, sizes, contents and licences; then the one wheel on every
# CPython that is found, and the sdist as one without the repository has it.
wheel: $(WHEEL)
	rm -f target/wheels/*.tar.gz
	$(BUILD)/bin/maturin sdist --out target/wheels
	$(BUILD)/bin/twine check --strict target/wheels/*.whl target/wheels/*.tar.gz
	$(PYTHON) release/distributions.py target/wheels --expect cp310-abi3 --platform manylinux
	$(PYTHON) release/everywhere.py target/wheels

# ------------------------------------------------------------------------------ what tests cannot see
# Coverage, fuzzing, memory, leaks, mutations. Tools that are missing are installed: Rust's by cargo,
# valgrind and LLVM's by apt-get where that is possible; otherwise a message says what is missing.

.PHONY: test-all coverage coverage-rust coverage-python fuzz valgrind valgrind-rust valgrind-core \
	leaks debug-check mutants mutants-python

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
	$(NEW)/bin/pip install -q --group coverage
	$(OLD)/bin/pip install -q --group coverage
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
# A mistake may make a test ask for memory without end, so there is less of it (in KiB).
MUTATE ?= rust/src/fold.rs
mutants:
	@$(call tool,cargo-mutants,cargo-mutants@^27)
	ulimit -v 8000000 && cargo mutants --jobs 1 --timeout 60 --output target \
		$(foreach file,$(MUTATE),--file $(file)) -- --lib --tests

# The same in the modules of the package that tests/mutation.toml names, in a copy of the tree.
MUTATION := target/mutation
mutants-python: $(NEW)/.ready
	$(NEW)/bin/pip install -q --group mutation
	rm -rf $(MUTATION) && mkdir -p $(MUTATION)
	cp -r python tests pyproject.toml $(MUTATION)
	cp "$$($(NEW)/bin/python -c 'import scorekey._core as core; print(core.__file__)')" \
		$(MUTATION)/python/scorekey/
	cd $(MUTATION) && export PATH="$(CURDIR)/$(NEW)/bin:$$PATH" PYTHONPATH=python && \
		cosmic-ray init tests/mutation.toml session.sqlite && \
		cosmic-ray exec tests/mutation.toml session.sqlite && \
		cr-report session.sqlite --show-diff --surviving-only

clean:
	rm -rf $(DEMO) $(NEW) $(OLD) $(BENCH) $(DOCS) $(BUILD) target/wheels target/site

target/tools/bin/cargo-deny:
	cargo install --quiet --locked --debug --root target/tools --target-dir target/tools/build cargo-deny@0.20.2

# One wheel serves all interpreters, so it is built once and installed into each environment.
$(WHEEL): $(SOURCES) $(shell find python -name '*.py*' -not -path '*/__pycache__/*') README.md LICENSE THIRD-PARTY.txt | $(BUILD)/.ready
	rm -rf target/wheels
	$(BUILD)/bin/maturin build --release --locked -i $(PYTHON)
	touch $@

# $(call new-environment,folder): one whose pip knows dependency groups.
new-environment = $(PYTHON) -m venv $(1) && $(1)/bin/python -m pip install -q 'pip>=25.1'
# $(call install-wheel,folder,extras,what else): the wheel itself anew, its version being the same.
install-wheel = $(1)/bin/pip install -q --force-reinstall --no-deps target/wheels/*.whl && \
	$(1)/bin/pip install -q "$$(ls target/wheels/*.whl)$(2)" $(3)

$(BUILD)/.ready: pyproject.toml
	$(call new-environment,$(BUILD))
	$(BUILD)/bin/pip install -q --group build --group release
	touch $@

$(DEMO)/.ready: $(WHEEL)
	$(call new-environment,$(DEMO))
	$(call install-wheel,$(DEMO),[cli])
	touch $@

$(NEW)/.ready: $(WHEEL)
	$(call new-environment,$(NEW))
	$(call install-wheel,$(NEW),[all],'pandas>=3' --group test --group psychometrics)
	touch $@

$(NEW)/.lint: $(NEW)/.ready
	$(NEW)/bin/pip install -q --group lint --group workflows
	touch $@

$(OLD)/.ready: $(WHEEL)
	$(call new-environment,$(OLD))
	$(call install-wheel,$(OLD),[all],--group test --group reference)
	touch $@

# The reference is made from the docstrings of the sources; they are read, not run.
$(DOCS)/.ready: pyproject.toml
	$(call new-environment,$(DOCS))
	$(DOCS)/bin/pip install -q --group docs
	touch $@

# rupsycho asks for pandas 2, but its scoring runs on pandas 3, where it has to be compared: it is
# installed without what it asks for, and then what its scoring imports.
$(BENCH)/.ready: $(WHEEL)
	$(call new-environment,$(BENCH))
	$(call install-wheel,$(BENCH),[arrow],'pandas>=3' --group bench)
	$(BENCH)/bin/pip install -q --no-deps rupsycho==1.0.0
	touch $@
