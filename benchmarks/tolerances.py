#!/usr/bin/env python3
"""What stiffness and tolerance cost in Carom, and what they change: three tables as CSV.

    tolerances.py CAROM RESULT_FOLDER

stiffness.csv: a steel ball that bounces, slides and rolls, with the stiffness of steel and less.
tolerances.csv: evaluations and error over the tolerance.
demos.csv: every demo with contact at its tolerance and at a hundredth of it (carom --error).
"""
import csv
import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
THROW = HERE / "scenes/stiffness/throw.yaml"
ELASTIC = HERE / "scenes/s1_hard_bounce/elastic.yaml"
DEMOS = ["ball_table_wall", "billiards_16", "billiards_4", "bouncing_ball", "box_stack",
         "five_flying", "gripper", "newtons_cradle", "pick_and_place", "pyramid_edge",
         "rattleback", "spinning_ellipsoid"]
FALL, GRAVITY = 0.9, 9.81


def run(carom, words):
    done = subprocess.run([carom, *words, "--no-output", "--json", "-q"], capture_output=True,
                          text=True, check=False, timeout=600)
    return json.loads(done.stdout)


def write(path, header, rows):
    with path.open("w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(header)
        out.writerows(rows)


def stiffness(carom):
    """Where the ball is after 5 s hardly depends on the stiffness."""
    for tolerance in ("1e-5", "1e-6", "1e-8"):
        for k_red in ("1", "1e-2", "1e-4"):
            d = run(carom, ["run", str(THROW), "--tolerance", tolerance, "--set",
                            f"contact.k_red={k_red}"])
            begin, end = (next(e["time"] for e in d["events"] if e["kind"] == f"contact_{kind}")
                          for kind in ("begin", "end"))
            s = d["statistics"]
            yield [tolerance, k_red, d["status"], f"{end - begin:.2e}",
                   f"{d['final']['bodies']['ball']['position'][0]:.6f}", s["events"],
                   s["rhs_evaluations"], f"{s['cpu_seconds']:.3e}"]


def tolerances(carom):
    """Steel without loss: the height is that of the fall."""
    for exponent in range(5, 11):
        d = run(carom, ["run", str(ELASTIC), "--tolerance", f"1e-{exponent}"])
        speed = next(e["value"] for e in d["events"] if e["kind"] == "contact_end")
        s = d["statistics"]
        yield [f"1e-{exponent}", s["integrator"], s["steps"], s["rhs_evaluations"],
               f"{abs(speed**2 / (2 * GRAVITY) / FALL - 1):.2e}"]


def demos(carom):
    """Largest differences over all bodies and samples."""
    for name in DEMOS:
        d = run(carom, ["demo", name, "--error"])
        s, e = d["statistics"], d.get("error", {})
        yield [name, d["status"], s["integrator"], s["rhs_evaluations"], f"{s['cpu_seconds']:.3e}",
               *(f"{e.get(key, float('nan')):.1e}" for key in
                 ("reference_tolerance", "position", "orientation", "velocity"))]


def main():
    carom, folder = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2])
    write(folder / "stiffness.csv", ["tolerance", "k_red", "status", "contact_seconds", "x",
                                     "events", "evaluations", "cpu_seconds"], stiffness(carom))
    write(folder / "tolerances.csv",
          ["tolerance", "integrator", "steps", "evaluations", "error"], tolerances(carom))
    write(folder / "demos.csv", ["demo", "status", "integrator", "evaluations", "cpu_seconds",
                                 "reference_tolerance", "position", "orientation", "velocity"],
          demos(carom))


if __name__ == "__main__":
    main()
