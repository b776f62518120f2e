#!/usr/bin/env bash
# Reads the sources with a second compiler and with the tools that know common mistakes; runs
# nothing. Every finding is an error.
#   scripts/lint.sh          what changed since the last release
#   scripts/lint.sh --all    everything, with the slow checks too
set -uo pipefail
cd "$(dirname "$0")/.."

# Slow checks that follow every path through a function: with --all only.
quick='-clang-analyzer-*,-misc-const-correctness,-misc-confusable-identifiers,-bugprone-unchecked-optional-access'

# The tag of the last release or, in a copy without tags, the commit that dated it.
last_release() {
  git describe --tags --abbrev=0 --match 'v*' 2> /dev/null ||
    git log -1 --format=%H -G'^## \[[0-9.]+\] - [0-9]' -- CHANGELOG.md
}

if [ "${1:-}" = --all ]; then
  checks=
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

# Each file alone, as the build folder for editing compiles it. Files that no target names
# (outside programs, fixtures of other builds) are left out.
compiled() {
  cmake -S . -B build-lint -G Ninja -DCMAKE_BUILD_TYPE=Release -DCAROM_TOGETHER=OFF > build-lint.log ||
    { cat build-lint.log; return 1; }
  rm -f build-lint.log
  printf '%s\n' "${sources[@]}" | scripts/lint/commands.py build-lint/compile_commands.json > build-lint/todo
}
second_compiler() {
  xargs -r -P "$(nproc)" -d '\n' -I{} bash -c '{}' < build-lint/todo
}
tidy() {
  sed 's/.* //' build-lint/todo |
    xargs -r -P "$(nproc)" -n4 clang-tidy-16 -p build-lint --quiet --warnings-as-errors='*' --checks="$checks" 2> /dev/null
}

step "clang-format" format
step "eslint" page
step "commands" compiled
step "clang++-16 -fsyntax-only" second_compiler
step "clang-tidy" tidy
[ ${#failed[@]} -eq 0 ] || { echo "findings: ${failed[*]}" >&2; exit 1; }
