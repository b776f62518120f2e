#!/usr/bin/env python3
"""Instructions of whole runs beside those of version 0.1.0: they do not depend on what else the
machine does.

    benchmarks/instructions.py CAROM OUT [--only NAME…]

Needs valgrind. Writes OUT/run_instructions.csv; 0.1.0's counts are in instructions_0_1_0.csv, counted
the same way on Debian 12.
"""
import argparse
import csv
import pathlib
import re
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
SCENES = HERE / "scenes"
RUNS = {
    "S1, without loss": ["run", SCENES / "s1_hard_bounce/elastic.yaml"],
    "S1, restitution 0.7": ["run", SCENES / "s1_hard_bounce/restitution.yaml"],
    "S5, LuGre": ["run", SCENES / "s5_gripper/lugre.yaml"],
    "S8, double pendulum": ["demo", "double_pendulum"],
    "billiards, 4 balls": ["demo", "billiards_4"],
    "billiards, 16 balls": ["demo", "billiards_16"],
}


def count(carom, words):
    """Instructions, and evaluations of the right-hand side."""
    common = [*map(str, words), "--no-output", "-q"]
    watched = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", str(carom), *common],
                             capture_output=True, text=True)
    found = re.search(r"Collected : (\d+)", watched.stderr)
    plain = subprocess.run([str(carom), *common, "--json"], capture_output=True, text=True)
    evaluations = re.search(r'"rhs_evaluations": (\d+)', plain.stdout)
    return int(found[1]) if found else 0, int(evaluations[1]) if evaluations else 0


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("carom", type=pathlib.Path)
    words.add_argument("out", type=pathlib.Path)
    words.add_argument("--only", nargs="*", default=list(RUNS))
    options = words.parse_args()
    with open(HERE / "instructions_0_1_0.csv", newline="") as file:
        before = {r["run"]: r for r in csv.DictReader(file)}
    with open(options.out / "run_instructions.csv", "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["run", "instructions_0_1_0", "instructions", "evaluations_0_1_0", "evaluations"])
        for name in options.only:
            instructions, evaluations = count(options.carom, RUNS[name])
            old = before[name]
            writer.writerow([name, old["instructions"], instructions, old["evaluations"], evaluations])
            print(name, old["instructions"], instructions, f"{instructions / int(old['instructions']):.2f}", flush=True)


if __name__ == "__main__":
    main()
