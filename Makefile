# A thin front for CMake. `make help` lists what there is.

BUILD ?= build
PREFIX ?= /usr/local
ARGS ?=
WERROR ?=
SHARED ?=
CMAKE_FLAGS ?=
SIMD = all
JOBS ?= $(shell nproc)
CTEST = ctest -j $(JOBS) --output-on-failure --no-tests=error --test-dir

# A folder keeps what it was given before. Problems go to stderr. SIMD=here compiles for this processor alone, which takes
# a third less; `kept` leaves that as it is.
configure = cmake >/dev/null -G Ninja -S . $(if $(WERROR),-DBREAKEVEN_WERROR=$(WERROR)) \
	$(if $(SHARED),-DBUILD_SHARED_LIBS=$(SHARED)) $(filter-out %=kept,-DBREAKEVEN_SIMD=$(SIMD)) $(prefix) $(CMAKE_FLAGS)
sources = $(wildcard include/*.h src/*/*.[ch] src/*/*/*.[ch] inject/*.[ch] inject/*/*.[ch] tests/*.c tests/*/*.[ch])

.DEFAULT_GOAL := build
# Every target here is a name, not a file.
.PHONY: $(shell sed -n 's/^\([a-z-]*\):.*/\1/p' $(firstword $(MAKEFILE_LIST)))

build: ## build the program: build/breakeven (the default)
	@scripts/setup.sh --check
	@$(configure) -B $(BUILD)
	@cmake --build $(BUILD) --target breakeven

run: ## install what is missing, build, run the main job; ARGS="power --size 1e3..1e6" is added to it
	@scripts/setup.sh
	@$(MAKE) --no-print-directory build SIMD=$(if $(wildcard $(BUILD)/CMakeCache.txt),kept,here)
	@scripts/run.sh $(BUILD)/breakeven $(ARGS)

test: ## install what is missing, build, run the tests
	@scripts/setup.sh --test
	@$(configure) -B $(BUILD) -DBREAKEVEN_TESTS=ON
	@cmake --build $(BUILD)
	@$(CTEST) $(BUILD) -LE gpu

test-gpu: build ## contract tests and every workload on the GPU that is here
	@tests/gpu.sh $(BUILD)/breakeven

pages: ## docs/workloads.md gets a line for each new workload
	@$(configure) -B $(BUILD) -DBREAKEVEN_TESTS=ON
	@cmake --build $(BUILD) --target unit_workload_pages
	@UPDATE=1 $(BUILD)/tests/unit_workload_pages

sanitize-gpu: ## our kernels under compute-sanitizer on the GPU that is here (memcheck, racecheck)
	@$(configure) -B $(BUILD) -DBREAKEVEN_TESTS=ON
	@cmake --build $(BUILD) --target breakeven contract_workloads
	@tests/sanitize_gpu.sh $(BUILD)/breakeven

bench: build bench-queue ## the speeds that docs/measurements/ records
	@bench/run.sh $(BUILD)/breakeven

bench-gpu: build ## the same for the GPU
	@bench/gpu.sh $(BUILD)/breakeven

bench-probe: build ## two probes against each other and against what they are to reach
	@bench/probe.sh $(BUILD)/breakeven

bench-watch: ## what is said of a GPU beside nvidia-smi, ncu and known counts (PyTorch, CuPy, ncu)
	@$(configure) -B $(BUILD) -DBREAKEVEN_TESTS=ON
	@cmake --build $(BUILD) --target breakeven breakeven_trace gpu_sample
	@bench/gpu_watch.sh $(BUILD) $(or $(OUT),results)

TRACES ?= ../shared/data/traces
forecast-eval: build ## how right forecasts of queue waits are -> docs/forecast.md; TRACES says where traces are
	@cmake --build $(BUILD) --target bench_decide_calibration >/dev/null
	@bench/forecast.sh $(BUILD)/breakeven $(TRACES)

TIMES ?= ../shared/data/gpu_times/gpu_times.csv
REPORTS ?= ../shared/data/slower_on_gpu.csv
predict-eval: build ## how right predictions are: the tables of docs/prediction.md; TIMES=FILE.csv REPORTS=FILE.csv
	@bench/predict_eval.py $(TIMES)
	@bench/predict_gpus.py --program=$(BUILD)/breakeven $(TIMES)
	@bench/predict_spread.py $(TIMES)
	@bench/predict_own.py $(BUILD)/breakeven
	@bench/predict_left_out.py $(BUILD)/breakeven
	@bench/predict_reports.py $(BUILD)/breakeven $(REPORTS)

BENCH_JOBS ?= 5000000
bench-queue: build ## reading an accounting of 5 million jobs, beside awk, pandas, DuckDB, polars (1.6 GB of scratch)
	@cmake --build $(BUILD) --target bench_accounting
	@python3 bench/read_accounting.py $(BUILD)/breakeven $(BUILD)/bench_accounting --jobs $(BENCH_JOBS) $(ARGS)

bench-lint: build ## in how many scripts each rule of the linter speaks: SCRIPTS=FOLDER, ARGS="--wrong FILE"
	@python3 bench/lint_corpus.py $(BUILD)/breakeven "$(SCRIPTS)" $(ARGS)

bench-workloads: build ## every workload at the sizes that have something to reach
	@python3 bench/workloads.py $(BUILD)/breakeven --out $(or $(OUT),results)

bench-overhead: build ## what `breakeven run` and `ask` cost the command; ARGS="--rounds 7"
	@python3 bench/overhead.py $(BUILD)/breakeven $(ARGS)

bench-overhead-gpu: build ## the same of a training on a GPU (PyTorch); ARGS="--budget 540"
	@python3 bench/overhead_gpu.py $(BUILD)/breakeven $(ARGS)

wheel: ## the Python package as a wheel in dist/ (docs/python.md); PYTHON has pip
	@scripts/wheel.sh $(or $(PYTHON),python3)

versus: build ## beside NumPy, Numba, JAX, ... in turn; ARGS="--help" has its options
	@bench/versus.sh $(BUILD)/breakeven $(if $(OUT),--out=$(OUT)) $(ARGS)

cost: build ## time of a byte or an operation over size: table and figure; DEVICE=cuda:0 LIMIT_S=150; ARGS="RESULTS.json..."
	@cmake --build $(BUILD) --target bench_memory
	@python3 bench/$(if $(filter %.json,$(ARGS)),cost.py,cost_run.py $(BUILD) $(if $(OUT),--out=$(OUT)) \
		$(if $(DEVICE),--device=$(DEVICE)) $(if $(LIMIT_S),--limit=$(LIMIT_S))) $(ARGS)

# Thread-local storage of what is loaded at run time (PoCL) is not followed: gcc 12's sanitizer guesses
# where it begins from its address, wrongly once in 256, and its search for leaks then crashes.
# No sanitizer looks at PoCL's kernels: a short round of them, in which a few are never launched.
asan-build:
	@scripts/setup.sh --test
	@$(configure) -B build-asan -DBREAKEVEN_TESTS=ON -DBREAKEVEN_SANITIZE=address,undefined \
		-DBREAKEVEN_WERROR=ON -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS=-O1
	@cmake --build build-asan --target sanitized_tests

asan: asan-build ## unit, contract and fake-driver tests under AddressSanitizer and UBSan
	@SHORT=opencl ASAN_OPTIONS=$(ASAN_OPTIONS):intercept_tls_get_addr=0 \
		LSAN_OPTIONS=suppressions=$(CURDIR)/tests/lsan.txt:print_suppressions=0 \
		$(CTEST) build-asan -L 'unit|contract|fake' -E '^contract\.kernels$$'

bench-totals: build ## totals of `breakeven run` beside /usr/bin/time and a control group of its own (root)
	@python3 bench/totals.py $(BUILD)/breakeven $(ARGS)

faults: build ## small programs with a planted fault each: is it found? GPU ones where there is a GPU
	@python3 -B bench/faults/run.py $(BUILD)/breakeven --together 2 $(if $(OUT),--out $(OUT)) $(ARGS)

advice: build ## programs of everyday kinds: what is each told, and what does following it bring? PYTHON has their packages
	@$(or $(PYTHON),python3) -B bench/advice.py $(BUILD)/breakeven $(if $(OUT),--out $(OUT)) $(ARGS)

kinds: build ## kinds of work of everyday programs, by `breakeven ask` and beside perf record; PYTHON has their packages
	@$(or $(PYTHON),python3) -B bench/kinds.py $(BUILD)/breakeven $(ARGS)

findings-page: ## writes docs/findings.md from the table of rules
	@$(configure) -B $(BUILD) -DBREAKEVEN_TESTS=ON
	@cmake --build $(BUILD) --target unit_findings
	@FINDINGS_PAGE=1 $(BUILD)/tests/unit_findings >/dev/null

# libFuzzer where there is clang; elsewhere files are damaged as a seed says, under gcc's sanitizers.
FUZZ_SECONDS ?= 600
FUZZ_COMPILER ?= $(shell command -v clang || echo cc)
FUZZ_BUILD = build-fuzz-$(notdir $(FUZZ_COMPILER))
fuzz-build:
	@scripts/setup.sh --test
	@CC=$(FUZZ_COMPILER) $(configure) -B $(FUZZ_BUILD) -DBREAKEVEN_TESTS=ON \
		-DBREAKEVEN_FUZZ_SECONDS=$(FUZZ_SECONDS)
	@cmake --build $(FUZZ_BUILD) --target fuzz_all

fuzz: fuzz-build ## every reader of files on damaged ones, under sanitizers; FUZZ_SECONDS each (600)
	@mkdir -p $(FUZZ_BUILD)/corpus/script && python3 -B tests/lint/corpus.py $(FUZZ_BUILD)/corpus/script
	@$(CTEST) $(FUZZ_BUILD) -R '^fuzz\.'

# OpenCL drivers are not built for ThreadSanitizer, which then sees races that are none.
tsan-build:
	@scripts/setup.sh --test
	@$(configure) -B build-tsan -DBREAKEVEN_TESTS=ON -DBREAKEVEN_SANITIZE=thread -DBREAKEVEN_THREADED_ONLY=ON \
		-DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS=-O1
	@cmake --build build-tsan --target threaded_tests

tsan: tsan-build ## threaded tests under ThreadSanitizer
	@env -u BREAKEVEN_REQUIRE_OPENCL OCL_ICD_VENDORS=/nonexistent TSAN_OPTIONS=halt_on_error=1 \
		$(CTEST) build-tsan -L threads

lint: lint-format lint-cppcheck lint-clang lint-layers lint-man lint-links ## layout, cppcheck, clang, layers, man page, links

lint-format:
	@clang-format --dry-run -Werror $(sources)

lint-cppcheck:
	@cppcheck --quiet --std=c11 --enable=warning,performance,portability --inline-suppr \
		--error-exitcode=1 -D_GNU_SOURCE -I include -I src -I inject -j $(JOBS) $(filter src/%.c inject/%.c,$(sources))

# Every file that gcc compiles, through clang as well, but for code: that takes a minute, this seconds. SEEN=FILE: but for
# those that it names, a line each, since the same compiler has compiled them with the same warnings.
SEEN ?=
lint-clang:
	@$(call look_through,clang,clang++)

# The oldest gcc that is to build it.
lint-gcc:
	@$(call look_through,gcc-11,g++-11)

look_through = CC=$(1) CXX=$(2) $(configure) -B build-lint-$(1) -DBREAKEVEN_TESTS=ON -DBREAKEVEN_WERROR=ON && \
	ninja -C build-lint-$(1) -t commands | grep -v /generated/.*c$$ | \
		sed -n 's/ -o [^ ]*\.o -c / -fsyntax-only /; s/ -M[TF] [^ ]*//g; s/ -MD / /; /fsyntax-only/p' | \
		sort -u | grep -vFf $(or $(SEEN),/dev/null) | tr '\n' '\0' | xargs -0 -P $(JOBS) -n 1 sh -c

# A file alone each time: clang-tidy 14 reports what is not there in the second of several. TIDY=FILE...: these.
TIDY ?= $(filter src/%.c inject/%.c,$(sources))
lint-tidy: ## clang-tidy, some minutes; TIDY=FILE...: of these
	@CC=clang $(configure) -B build-lint-clang -DBREAKEVEN_TESTS=ON -DBREAKEVEN_WERROR=ON
	@printf '%s\0' $(TIDY) | xargs -0 -P $(JOBS) -n 1 clang-tidy --quiet -p build-lint-clang

# What the linker sees is looked at where there is a build.
lint-layers:
	@tests/layers.sh
	@if [ -d $(BUILD)/CMakeFiles/libbreakeven.dir ]; then python3 -B tests/link_cycles.py $(BUILD); fi

lint-man:
	@mandoc -T lint -W warning man/breakeven.1
	@if [ -x $(BUILD)/breakeven ]; then man/pages.sh $(BUILD)/breakeven $(BUILD)/man && mandoc -T lint -W warning $(BUILD)/man/*.1; fi

lint-links:
	@python3 -B tests/links.py

# The program finds what is shared beside itself; programs that use the library find it by the prefix that
# this was built for.
install: prefix = -DCMAKE_INSTALL_PREFIX="$(PREFIX)"
install: build ## install to PREFIX (default /usr/local); DESTDIR is honoured
	@DESTDIR="$(DESTDIR)" scripts/install.sh "$(BUILD)" "$(PREFIX)"

KINDS ?=
package: ## .deb, .rpm and a tarball in dist/, by the tools that are here; KINDS="deb tar"
	@scripts/setup.sh --check
	@packaging/make.sh $(KINDS)

uninstall: ## remove what `make install` put into PREFIX; DESTDIR is honoured
	@DESTDIR="$(DESTDIR)" scripts/uninstall.sh "$(PREFIX)"

clean: ## remove what was built
	rm -rf build build-*

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1|\2/p' $(firstword $(MAKEFILE_LIST)) | \
		while IFS='|' read -r name text; do \
			printf 'make %-16s%s\n' "$$name" "$$(printf '%s' "$$text" | fold -s -w 59 | sed 's/ *$$//; 2,$$s/^/                     /')"; \
		done
