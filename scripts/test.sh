#!/usr/bin/env bash
# Runs the tests of a preset; ends with the ten slowest and the count.
set -uo pipefail
preset=${1:-release}
log=$(mktemp)
trap 'rm -f "$log"' EXIT
ctest --preset "$preset" --parallel "$(nproc)" 2>&1 | tee "$log"
status=${PIPESTATUS[0]}
echo "the ten slowest:"
# "12/1602 Test #12: name ....   Passed    1.23 sec"
sed -n 's/^ *[0-9]*\/[0-9]* Test *#[0-9]*: \([^ ]*\) .* \([0-9.]*\) sec.*/\2 s  \1/p' "$log" | sort -rn | head -10
total=$(sed -n 's/.*tests failed out of \([0-9]*\).*/\1/p' "$log" | tail -1)
failed=$(sed -n 's/.*, \([0-9]*\) tests failed out of.*/\1/p' "$log" | tail -1)
echo "$((${total:-0} - ${failed:-0})) passed, ${failed:-0} failed"
[ "${total:-0}" -gt 0 ] || { echo "no test ran" >&2; exit 1; }
exit "$status"
