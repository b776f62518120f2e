#!/usr/bin/env python3
"""Breaks the physics on purpose and looks whether `carom verify` notices.

    scripts/mutate.py [--document] [ROW…]      (or: make mutate)

Every line of mutations.txt names an expression of a law, shape, joint or force. All are
wrapped at once in a factor that an environment variable sets, in a copy of the sources; one
build then serves for every mutant: the factor -1 changes a sign, 1.01 makes it 1 % too large.
Where WRONG stands for the factor, a condition is turned around or a step left out: one mutant.
For each mutant the cases that cover its row are run, and where they all pass, all cases. Cases are
sound, so what judges runs is tried by the tests of the verdict; what holds a run together (search,
events, slots, islands, saved states, steps) by the unit tests of `engine` and `simulation`. ROW is a
catalogue or a row of one ("pairs", "box-box"): only these.
"""

import argparse
import collections
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
WORK = ROOT / "build-mutants"
FACTORS = {"sign": "-1", "1 %": "1.01"}
SWITCH = {"wrong": "0"}
# Programs of tests, and which of these, that judge a catalogue; the first that fails is enough.
JUDGES = {
    "engine": [("test_engine", "*"), ("test_integrate", "NewtonMatrix.*"),
               ("test_simulation", "ContactEnds.*:HertzImpact.*:Idealised*:Kinks.*:LostContacts.*:RunState.*")],
    "simulation": [("test_simulation", "RunState.*:SavedRuns.*:Intervention.*:WorkRows.*:TurnLimit.*:ErrorScales.*:Samples.*:Statistics.*"),
                   ("test_simulation", "Ends.*:Start.*:UserEvents.*:LedgerRows.*:Peaks.*:FixedStep*:WorkWatch.*:Auto.*:"
                                       "ErrorEstimates.*:ScenePattern.*:Switching.*:Stall.*:Verdict.*:Loop*:Methods/*")],
    "velocity": [("test_integrate", "VelocityRule.*"),
                 ("test_simulation", "VelocityStep.*:TimeStepping.*:Implicit*:BrickArch.*:RunState.*")],
}
# Cases that judge rows of no catalogue of the command; they come before all others.
CASES = {
    ("events", "guard"): ["bodies_over_borders_gain_no_energy", "crossed_bars"],
    ("ledger", "drive_work"): ["cam_law_takes_its_work", "cam_lifts_a_follower"],
    ("ledger", "dissipated_damping"): ["cam_law_takes_its_work", "cam_lifts_a_follower"],
}
HEADER = """// Written by scripts/mutate.py.
#pragma once
#include <cstdlib>
#include <cstring>
static inline double carom_mutant(int number) {
  static const char* chosen = std::getenv("CAROM_MUTANT");
  if (!chosen || std::atoi(chosen) != number) return 1.0;
  return std::atof(std::strchr(chosen, ':') + 1);
}
"""
Mutation = collections.namedtuple("Mutation", "number catalogue row file old new")


def read_mutations():
    found = []
    for line in (ROOT / "scripts/mutations.txt").read_text().splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        row, file, old, new = (part.strip() for part in line.split(" | "))
        catalogue, name = row.split(" ", 1)
        found.append(Mutation(len(found) + 1, catalogue, name, file, old, new))
    return found


def write_mutants(mutations, source):
    """The copied sources with every mutation in place, each behind its number."""
    (source / "src/carom/mutant.h").write_text(HEADER)
    for m in mutations:
        path = source / "src/carom" / m.file
        text = path.read_text()
        if text.count(m.old) < 1:
            sys.exit(f"mutations.txt: {m.file} has no '{m.old}'")
        factor = f"carom_mutant({m.number})"
        new = re.sub(r"\bM\b", factor, m.new)
        new = re.sub(r"\bWRONG\b", f"({factor} == 0.0)", new)
        text = text.replace(m.old, new, 1)
        include = '#include "carom/mutant.h"\n'
        path.write_text(text if include in text else include + text)


def build(mutations):
    source = WORK / "source"
    if source.exists():
        shutil.rmtree(source)
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True,
                            check=True).stdout.split()
    for name in listed:
        if (ROOT / name).is_file():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, source / name)
    write_mutants(mutations, source)
    subprocess.run(["cmake", "-S", source, "-B", WORK / "build", "-G", "Ninja",
                    "-DCMAKE_BUILD_TYPE=Release", "-DCAROM_PYTHON=OFF"],
                   check=True, stdout=subprocess.DEVNULL)
    programs = {program for m in mutations for program, _ in JUDGES.get(m.catalogue, [])}
    subprocess.run(["cmake", "--build", WORK / "build", "--target", "carom_cli", *sorted(programs)],
                   check=True, stdout=subprocess.DEVNULL)
    return WORK / "build/carom"


def coverage(carom):
    """Cases by catalogue and row, from the command's own table."""
    text = subprocess.run([carom, "verify", "--coverage"], capture_output=True, text=True,
                          check=True).stdout
    table = {}
    for catalogue, row, cases in re.findall(r"^\| (\S+) \| `(\S+)` \| (.*) \|$", text, re.M):
        table[catalogue, row] = re.findall(r"`(\S+)`", cases)
    return table


def bound_work():
    """Of a process that may not end: all cases take 80 s, and longer with mutants in them, programs
    of tests 1 and 40 s. CPU time, since on a busy machine what ends late is not what does not end."""
    resource.setrlimit(resource.RLIMIT_CPU, (300, 310))


def run_bounded(command, mutant):
    return subprocess.run(command, capture_output=True, text=True, preexec_fn=bound_work,
                          env=dict(os.environ, CAROM_MUTANT=mutant))


def failing(carom, mutant, cases):
    """Names of the cases that fail; a run that crashes or hangs counts by that word."""
    words = [word for case in cases for word in ("--case", case)]
    result = run_bounded([carom, "verify", "--json", *words], mutant)
    if result.returncode == -signal.SIGXCPU:
        return ["(does not end)"]
    if result.returncode == 0:
        return []
    if result.returncode != 4:
        return ["(crash)"]
    return [case["name"] for case in json.loads(result.stdout)["cases"] if not case["passed"]]


def misjudges(carom, mutant):
    """The test of the command that finds verdicts of a mutant wrong, if one does."""
    test = ROOT / "tests/cli/verdict_test.py"
    result = run_bounded([sys.executable, "-B", test, carom, carom, ROOT], mutant)
    return ["cli.verdict"] if result.returncode else []


def broken_tests(mutant, judges):
    """The first unit test that fails; a program that crashes or hangs counts by that word."""
    for program, which in judges:
        result = run_bounded([WORK / "build/tests" / program, f"--gtest_filter={which}",
                              "--gtest_fail_fast"], mutant)
        if result.returncode == -signal.SIGXCPU:
            return [f"{program} (does not end)"]
        if result.returncode:
            failed = re.findall(r"^\[  FAILED  \] (\S+?),? \(", result.stdout, re.M)
            return failed or [f"{program} (crash)"]
    return []


def find_judges(carom, covered, m, mutant):
    """What notices a mutant."""
    if m.catalogue in JUDGES:
        return broken_tests(mutant, JUDGES[m.catalogue])
    if m.catalogue == "verdict":
        return misjudges(carom, mutant)
    row = m.catalogue, m.row
    cases = covered.get(row) or CASES.get(row)
    return (cases and failing(carom, mutant, cases)) or failing(carom, mutant, [])


def write_between(name, text):
    """Replaces what stands between the marks of the page."""
    page = ROOT / "docs/verification.md"
    marked = re.compile(rf"(<!-- {name}: .*? -->\n).*?(<!-- end of {name} -->)", re.S)
    page.write_text(marked.sub(lambda m: m[1] + text + m[2], page.read_text()))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--document", action="store_true",
                        help="write what cases and verdicts caught into docs/verification.md")
    parser.add_argument("rows", nargs="*")
    options = parser.parse_args()
    if options.document and options.rows:
        parser.error("the page shows all rows: --document goes without ROW")
    mutations = [m for m in read_mutations()
                 if not options.rows or m.catalogue in options.rows or m.row in options.rows]
    carom = build(mutations)
    covered = coverage(carom)
    judges = [judge for catalogue in {m.catalogue for m in mutations} for judge in JUDGES.get(catalogue, [])]
    if any(broken_tests("0:1", [judge]) for judge in judges):
        sys.exit("tests fail without any mutation")
    if any(m.catalogue not in JUDGES for m in mutations) and (failing(carom, "0:1", []) or misjudges(carom, "0:1")):
        sys.exit("cases fail without any mutation")
    rows, shown, survivors = [], [], 0
    for m in mutations:
        for kind, factor in (SWITCH if "WRONG" in m.new else FACTORS).items():
            mutant = f"{m.number}:{factor}"
            caught = find_judges(carom, covered, m, mutant)
            survivors += not caught
            words = ", ".join(f"`{c}`" for c in caught[:3]) or "**nothing**"
            more = f" and {len(caught) - 3} more" if len(caught) > 3 else ""
            rows.append(f"| {m.catalogue} | `{m.row}` | `{m.old}` | {kind} | {words}{more} |")
            print(rows[-1], flush=True)
            if m.catalogue not in JUDGES:
                shown.append(rows[-1])
    print(f"{len(rows)} mutants, {survivors} not caught")
    if options.document:
        head = "| catalogue | row | expression | changed | caught by |\n|---|---|---|---|---|\n"
        write_between("mutants", head + "\n".join(shown) + "\n")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
