#!/usr/bin/env bash
# What takes too long for every change and has to pass before a release: a second compiler, the
# sanitizers, every check of clang-tidy, and the random sets in full, with seeds of the day.
#   scripts/guard.sh            all of it: hours
#   scripts/guard.sh fuzz tsan  these steps only
# Goes on after a failure and ends with what failed; a step that cannot run has failed.
set -uo pipefail
cd "$(dirname "$0")/.."
jobs=${JOBS:-$(nproc)}
count=${COUNT:-5000}
steps=(clang sanitize tsan fuzz lint campaigns pairs sweeps)

build() { cmake --preset "$1" > /dev/null && cmake --build --preset "$1" --parallel "$jobs"; }

# SUNDIALS asks for the compiler's own OpenMP.
clang() { scripts/install_dependencies.sh clang-16 libomp-16-dev && build clang && ctest --test-dir build-clang -L fast -j "$jobs"; }
sanitize() { build sanitize && scripts/test.sh sanitize; }
# Where the kernel places memory as ThreadSanitizer does not expect it, it ends at once and says so.
tsan() { build tsan && build-tsan/tests/test_sweep --gtest_filter='ManyRuns.*'; }
fuzz() { build sanitize && scripts/fuzz.py --build build-sanitize --count "$count"; }
lint() { scripts/install_dependencies.sh clang-16 clang-tidy-16 clang-format-16 && scripts/lint.sh --all; }
campaigns() {
  local failed=0
  build release || return 1
  for set in starts:10000 drops:2000 falling_excess:2000 heaps:200 implicit:1000; do
    echo "${set%:*}: ${set#*:}"
    build/tests/carom_campaign "${set%:*}" --count "${set#*:}" || failed=1
  done
  return $failed
}
pairs() { build release && CAROM_PAIRS=1000000 build/tests/test_proximity --gtest_filter='RandomPairs.Satisfy*'; }
sweeps() { build release && python3 tests/sweep/mpi_test.py build/carom --full; }

[ $# -eq 0 ] || steps=("$@")
failed=()
for step in "${steps[@]}"; do
  echo "== $step"
  "$step" || { failed+=("$step"); echo "== $step failed" >&2; }
done
[ ${#failed[@]} -eq 0 ] || { echo "failed: ${failed[*]}" >&2; exit 1; }
echo "all passed: ${steps[*]}"
