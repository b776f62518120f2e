# Thin front ends; `make` prints them. The build itself is CMake's (CMakePresets.json).
.DEFAULT_GOAL := help
.PHONY: help deps configure build run test bench docs pictures mutate sanitize tsan fuzz guard format golden lint

JOBS ?= $(shell nproc)

help:
	@echo "make build      install what is missing, build library, command and Python module; the command is build/carom"
	@echo "make run        the same, then run the demo; ends with a page to open"
	@echo "make test       build the tests, too, and run every one"
	@echo "make docs       the documentation as a site; ends with a page to open"
	@echo "make pictures   the pictures of the documentation, anew"
	@echo "make bench      speed and accuracy beside the peers, on this machine (SCENES=\"s1 s5\": only these)"
	@echo "make mutate     break the physics on purpose and see that the cases notice"
	@echo "make sanitize   the tests under AddressSanitizer and UndefinedBehaviorSanitizer"
	@echo "make tsan       many runs on threads under ThreadSanitizer"
	@echo "make fuzz       mutants of scenes, results, checkpoints, meshes, disks and pipes, under AddressSanitizer (COUNT=5000 of each)"
	@echo "make guard      before a release: a second compiler, sanitizers, fuzz, all of clang-tidy, the random sets in full (STEPS=\"fuzz tsan\": only these)"
	@echo "make golden     the table of bits of every demo, case and method, anew, and what changed in it"
	@echo "make lint       a second compiler, clang-tidy, eslint and format of what changed since the last release"
	@echo "make format     clang-format all sources"

deps:
	@scripts/install_dependencies.sh

configure: deps
	@cmake --preset release > build.log 2>&1 || (cat build.log; rm -f build.log; exit 1); rm -f build.log

build: configure
	@cmake --build --preset release --parallel $(JOBS) --target product

run: build
	@mkdir -p results
	@build/carom demo pick_and_place --page -o results/demo.h5 -o results/demo.csv
	@echo "'build/carom demo' lists more demos. To see this one, open results/demo.html"

test: configure
	@cmake --build --preset release --parallel $(JOBS)
	@scripts/test.sh release

bench: deps
	@SCENES="$(SCENES)" scripts/bench.sh

docs: build
	@scripts/make_docs.py

pictures: build
	@scripts/make_pictures.py

mutate: deps
	@scripts/mutate.py

sanitize: deps
	@cmake --preset sanitize
	@cmake --build --preset sanitize --parallel $(JOBS)
	@scripts/test.sh sanitize

tsan: deps
	@cmake --preset tsan
	@cmake --build --preset tsan --parallel $(JOBS)
	@build-tsan/tests/test_sweep --gtest_filter='ManyRuns.*'

COUNT ?= 5000
FUZZ_TARGETS = carom_cli fuzz_inputs open_watch

fuzz: deps
	@cmake --preset sanitize
	@cmake --build --preset sanitize --parallel $(JOBS) --target $(FUZZ_TARGETS)
	@scripts/fuzz.py --build build-sanitize --count $(COUNT)

guard: deps
	@JOBS=$(JOBS) COUNT=$(COUNT) scripts/guard.sh $(STEPS)

golden: configure
	@cmake --build --preset release --parallel $(JOBS) --target golden_runs
	@build/tests/golden_runs tests/golden/table.txt --write
	@git diff --unified=0 -- tests/golden/table.txt | grep '^[-+][^-+]' || echo "no bit has changed"

lint: deps
	@scripts/install_dependencies.sh clang-16 clang-tidy-16 clang-format-16
	@scripts/lint.sh

format:
	@git ls-files '*.h' '*.cpp' | xargs clang-format -i
