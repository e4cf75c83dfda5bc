# The two commands of a fresh machine are `make demo` and `make test`; `make help` lists all.

JOBS ?= $(shell nproc 2>/dev/null || echo 2)
PREFIX ?= /usr/local
# DEPS=skip: install no system packages; CMake downloads the libraries that are missing.
DEPS ?= install
export JOBS

install_deps = $(if $(filter skip,$(DEPS)),@:,@scripts/install-deps)
# Several tests run at once, each with threads of its own: waiting threads must not burn the processor.
run_tests = OMP_WAIT_POLICY=passive ctest --preset $(1) -j $(JOBS)

.DEFAULT_GOAL := build
CLANG ?= clang++
.PHONY: build demo test test-cpp test-clang test-python wheel wheels lint asan asan-python tsan fuzz bench bench-kernels paper docs gallery site format format-check tidy install clean help

build: ## build the library and the program (build/release/bin/treecca)
	$(install_deps) build
	@scripts/configure release
	@cmake --build --preset release -j $(JOBS)

demo: build ## build, then run the main job on embedded data and show its result
	@build/release/bin/treecca demo --out demo

# One build for both kinds of tests: the extension links the library that the C++ tests use.
with_python = $(if $(filter skip,$(PYTHON_TESTS)),,-DTREECCA_BUILD_PYTHON=ON -DPython_EXECUTABLE=$(CURDIR)/build/venv/bin/python)

test: ## build with warnings as errors and run all tests (PYTHON_TESTS=skip: the C++ tests alone)
	$(install_deps) test
ifneq ($(PYTHON_TESTS),skip)
	$(install_deps) python
	@scripts/python prepare
endif
	@scripts/configure dev -DTREECCA_WARNINGS_AS_ERRORS=ON $(with_python)
	@cmake --build --preset dev -j $(JOBS)
	@$(call run_tests,dev)
ifneq ($(PYTHON_TESTS),skip)
	@scripts/python test
endif

test-cpp: ## the tests of the library and the program alone
	@$(MAKE) --no-print-directory test PYTHON_TESTS=skip

test-python: ## the tests of the Python package, in an environment of its own (build/venv)
	$(install_deps) python
	@scripts/python test $(PYTEST_ARGS)

test-clang: ## the tests of the library and the program, compiled by CLANG=clang++
	$(install_deps) clang
	@scripts/configure clang -DCMAKE_CXX_COMPILER=$(CLANG)
	@cmake --build --preset clang -j $(JOBS)
	@$(call run_tests,clang)

wheel: ## build the source distribution and, from it, the wheel (build/dist); install the wheel without a compiler and try it
	$(install_deps) python
	@scripts/python wheel

wheels: ## build and try the wheels of all Python versions in containers with cibuildwheel (build/wheels; needs Docker)
	@scripts/python wheels

lint: ## check workflows, scripts, citation and wheel settings (actionlint, shellcheck, cffconvert, cibuildwheel)
	@scripts/lint

asan: ## run all tests under AddressSanitizer and UndefinedBehaviorSanitizer
	$(install_deps) test
	@scripts/configure asan
	@cmake --build --preset asan -j $(JOBS)
	@$(call run_tests,asan)

asan-python: ## run the Python tests under the same two (PYTEST_ARGS='-k ssl': some of them)
	$(install_deps) python
	@scripts/python asan $(PYTEST_ARGS)

tsan: ## run all tests under ThreadSanitizer
	$(install_deps) test
	@scripts/configure tsan
	@cmake --build --preset tsan -j $(JOBS)
	@$(call run_tests,tsan)

fuzz: ## fuzz every reader for SECONDS_EACH=60 seconds (without libFuzzer: replay the corpora)
	$(install_deps) test
	@scripts/fuzz

bench: build ## time a round beside the peers (benchmarks.speed; BENCH_ARGS='--sizes 2400x8x3')
	$(install_deps) python
	@scripts/bench $(BENCH_ARGS)

paper: ## every table and figure of the paper, into docs/paper.md: up to two hours (PAPER_ARGS=--quick: minutes)
	$(install_deps) python
	@scripts/paper $(PAPER_ARGS)

bench-kernels: ## time the hot loops beside their plain versions (benchmarks/kernels)
	$(install_deps) bench
	@scripts/configure release -DTREECCA_BUILD_BENCHMARKS=ON
	@cmake --build --preset release -j $(JOBS) --target treecca_kernels_bench
	@build/release/benchmarks/kernels/treecca_kernels_bench

docs: ## write what follows from sources and results: docs/parameters.md, cli.md, python-api.md, cpp-api.md, tables of benchmarks
	$(install_deps) test
	$(install_deps) python
	@scripts/configure dev
	@cmake --build --preset dev -j $(JOBS) --target treecca_tests
	@TREECCA_UPDATE_DOCS=1 build/dev/tests/treecca_tests --gtest_filter='ParameterReference.*:CliReference.*'
	@scripts/python run python scripts/signature.py
	@scripts/python run sh -c 'python scripts/python_api.py && python scripts/cpp_api.py && python -m benchmarks.tables'

site: ## build the website from README.md and docs/ (build/site), with all links checked
	$(install_deps) python
	@scripts/site

gallery: ## draw the plots of docs/gallery.md, one of which is in README.md, again (docs/gallery)
	$(install_deps) python
	@TREECCA_UPDATE_DOCS=1 scripts/python run python -m pytest -q -p no:cacheprovider -c pyproject.toml python/tests/test_docs.py -k gallery

format: ## format the C++ files with clang-format
	@scripts/format

format-check: ## tell which C++ files are not formatted
	@scripts/format --check

tidy: ## check the sources with clang-tidy
	@scripts/tidy

install: build ## install library, headers and program to PREFIX=/usr/local
	@cmake --install build/release --prefix $(PREFIX)

clean: ## remove all build folders
	rm -rf build

help: ## show this list
	@sed -nE 's/^([a-z-]+):[^#]*## (.*)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 22
