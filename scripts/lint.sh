#!/usr/bin/env bash
# Reads the sources with a second compiler and with the tools that know common mistakes; runs
# nothing. Every finding is an error.
#   scripts/lint.sh          what changed since the last release, by the checks that are quick
#   scripts/lint.sh --all    everything, by all checks of .clang-tidy
set -uo pipefail
cd "$(dirname "$0")/.."

# Mistakes that compile and that a reader overlooks. The others of .clang-tidy cost ten times as
# much, most of it spent in the headers of libraries; they are for --all.
quick=-*,bugprone-argument-comment,bugprone-copy-constructor-init,bugprone-dangling-handle
quick+=,bugprone-inaccurate-erase,bugprone-incorrect-roundings,bugprone-integer-division
quick+=,bugprone-move-forwarding-reference,bugprone-parent-virtual-call,bugprone-swapped-arguments
quick+=,bugprone-undefined-memory-manipulation,bugprone-use-after-move,misc-redundant-expression
quick+=,modernize-use-override,performance-for-range-copy
quick+=,performance-move-const-arg,performance-unnecessary-value-param,clang-diagnostic-*

# The tag of the last release or, in a copy without tags, the commit that dated it.
last_release() {
  git describe --tags --abbrev=0 --match 'v*' 2> /dev/null ||
    git log -1 --format=%H -G'^## \[[0-9.]+\] - [0-9]' -- CHANGELOG.md
}

if [ "${1:-}" = --all ]; then
  checks=-bugprone-suspicious-include  # of the files that compile several sources together
  mapfile -t sources < <(git ls-files '*.cpp' '*.h')
else
  checks=$quick
  base=$(last_release)
  mapfile -t sources < <(git diff --name-only --diff-filter=d "$base" -- '*.cpp' '*.h')
  echo "since ${base:0:12}: ${#sources[@]} files"
fi
failed=()
step() { echo "-- $1"; shift; "$@" || failed+=("$1"); }

format() { [ ${#sources[@]} -eq 0 ] || clang-format-16 --dry-run --Werror "${sources[@]}"; }

page() {
  npm ci --prefix scripts/lint --no-audit --no-fund --silent &&
    scripts/lint/node_modules/.bin/eslint --config scripts/lint/eslint.config.js apps/viewer/web/src
}

commands() { printf '%s\n' "${sources[@]}" | scripts/lint/commands.py build-lint/compile_commands.json "$@"; }
in_parallel() { xargs -r -P "$(nproc)" -d '\n' -I{} bash -c '{}' 2> >(grep -v 'warnings generated\|^Suppressed\|^Use -' >&2); }
# With the sources that other programs write.
configure() {
  cmake -S . -B build-lint -G Ninja -DCMAKE_BUILD_TYPE=Release > build-lint.log ||
    { cat build-lint.log; return 1; }
  rm -f build-lint.log
  ninja -C build-lint $(ninja -C build-lint -t targets rule CUSTOM_COMMAND | grep '^[^/].*\.cpp$') > /dev/null
}
# Programs of the tests are read by the compiler alone.
tests() { commands --below tests/ | in_parallel; }
product() { commands --not-below tests/ --tidy="$checks" | in_parallel; }

step "clang-format" format
step "eslint" page
step "commands" configure
step "clang++-16: tests" tests
step "clang++-16 and clang-tidy: library, command, Python" product
[ ${#failed[@]} -eq 0 ] || { echo "findings: ${failed[*]}" >&2; exit 1; }
