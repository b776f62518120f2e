#!/usr/bin/env python3
"""Scenes in which a method can get stuck: CPU seconds of each against its goal.

    benchmarks/stalls.py CAROM OUT [--limit 60]

Writes OUT/stalls.csv. A run that needs more CPU seconds than the limit is cut off, and its row says how
far it came. The control loop needs the Python module beside the command.
"""
import argparse
import csv
import json
import pathlib
import random
import subprocess
import sys
import tempfile

SCENES = pathlib.Path(__file__).resolve().parent / "scenes/stalls"

# Name, scene, overrides, goal in CPU s.
ROWS = [
    ("five coaxial cylinders, 10 ms", "stack_of_cylinders.yaml", ["run.until=0.01"], 0.2),
    ("six shapes thrown, 0.3 s", "six_shapes.yaml", ["run.until=0.3"], 0.5),
    ("heap of mixed shapes, 0.4 s", "heap_of_shapes.yaml", [], 3.0),
    ("body spinning at 1e5 rad/s, 10 ms", "spin.yaml", [], 1.0),
    ("dominoes, 1 s", "dominoes.yaml", [], 0.5),
    ("ball, ramp and dominoes, 2.5 s", "ramp.yaml", [], 1.0),
    ("cam at tolerance 1e-4", "cam.yaml", ["run.tolerance=1e-4"], None),
    ("cam at tolerance 1e-6", "cam.yaml", [], None),
    ("2 four-bar linkages, 10 s", 2, [], 0.075),
    ("10 four-bar linkages, 10 s", 10, [], 0.375),
    ("40 four-bar linkages, 10 s", 40, [], 1.5),
    ("hopper of 100 balls, 1 s, nothing set", "hopper.yaml", [], None),
    ("216 balls, 2 s, nothing set", "balls_216.yaml", [], None),
    ("heap of 1000 balls, 0.5 s, nothing set", 1000, [], None),
]
CONTROL_GOAL = 5000.0  # steps per second


def four_bars(n):
    """Linkages in a row, closed by n loops."""
    bodies, joints = {}, {}
    rod = {"mass": 1}
    for i in range(n + 1):
        bodies[f"l{i}"] = rod | {"com": [0, 0.5, 0], "inertia": [1 / 12, 1e-6, 1 / 12], "joint": {
            "revolute": {"at": [float(i), 0, 0]}, "name": f"p{i}", "v": -1.0}}
    for i in range(n):
        bodies[f"h{i}"] = rod | {"com": [0.5, 0, 0], "inertia": [1e-6, 1 / 12, 1 / 12], "joint": {
            "revolute": {"parent": f"l{i}", "at": [0, 1.0, 0]}, "name": f"b{i}", "v": 1.0}}
        joints[f"c{i}"] = {"revolute": {"parent": f"h{i}", "child": f"l{i + 1}", "at": [1.0, 0, 0],
                                        "child_at": [0, 1.0, 0]}, "loop": True}
    return json.dumps({"carom": 1, "gravity": [0, -9.81, 0], "bodies": bodies, "joints": joints,
                       "run": {"until": 10, "tolerance": 1e-8, "output": {"step": 0.01}}})


def heap(n):
    """Glass balls in a box, layer above layer."""
    draw = random.Random(1)
    side = max(6, round((n / 4)**0.5 * 0.7))
    width = side * 0.025
    walls = [{"half_space": {}}]
    for axis in (0, 1):
        for sign in (1, -1):
            at, size = [0, 0, 0.5], [width + 0.08, width + 0.08, 1]
            at[axis], size[axis] = sign * (width / 2 + 0.02), 0.02
            walls.append({"box": {"size": size}, "at": at})
    bodies = {"box": {"fixed": True, "material": "glass", "shapes": walls}}
    for k in range(n):
        place = [(c - (side - 1) / 2) * 0.025 + draw.uniform(-1e-3, 1e-3)
                 for c in (k % side, k // side % side)]
        bodies[f"b{k}"] = {"material": "glass", "shapes": [{"sphere": {"radius": 0.01}}],
                           "position": place + [0.03 + 0.026 * (k // side**2)]}
    return json.dumps({"carom": 1, "bodies": bodies,
                       "contact": {"k_red": 1e-4, "restitution": 0.3, "mu_k": 0.4},
                       "run": {"until": 0.5, "tolerance": 1e-4, "output": {"step": 0.02}}})


def measure(carom, file, overrides, limit):
    words = [str(carom), "run", str(file), "--json", "--no-output", "-q", "--max-cpu", str(limit)]
    for override in overrides:
        words += ["--set", override]
    text = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return None


def control_steps(carom):
    """Steps per CPU second of a loop at 1 kHz that sets two signals in each."""
    sys.path.insert(0, str(carom.parent / "python"))
    try:
        import time

        import carom as module
    except ImportError:
        return None
    text = (SCENES / "gripper.yaml").read_text()
    text = text.replace("squeeze: {ramp: {before: 2, after: $grip, start: 0.5, duration: 0.2}}", "squeeze: 2.0")
    text = text.replace("rise: {ramp: {before: 0, after: 1, start: 1, duration: 1.5}}", "rise: 0.0")
    sim = module.parse(text).simulate(tolerance=1e-6)
    start = time.process_time()
    for k in range(3500):
        t = 1e-3 * k
        sim.set("signals.squeeze", 2 + 28 * min(1.0, max(0.0, (t - 0.5) / 0.2)))
        sim.set("signals.rise", min(1.0, max(0.0, (t - 1) / 1.5)))
        sim.advance_to(t + 1e-3)
    return 3500 / (time.process_time() - start)


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("carom", type=pathlib.Path)
    words.add_argument("out", type=pathlib.Path)
    words.add_argument("--limit", type=float, default=60.0)
    options = words.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for name, scene, overrides, goal in ROWS:
            file = SCENES / scene if isinstance(scene, str) else pathlib.Path(folder) / "made.yaml"
            if not isinstance(scene, str):
                file.write_text(heap(scene) if scene >= 100 else four_bars(scene))
            run = measure(options.carom, file, overrides, options.limit)
            s = run["statistics"] if run else {}
            rows.append([name, run["status"] if run else "no answer", run["time"] if run else "",
                         s.get("integrator", ""), s.get("cpu_seconds", ""), s.get("rhs_evaluations", ""),
                         s.get("events", ""), "" if goal is None else goal])
            print(*rows[-1], sep=", ", flush=True)
    steps = control_steps(options.carom.resolve())
    if steps:
        rows.append(["control loop at 1 kHz, steps per CPU s", "completed", 3.5, "", f"{steps:.0f}", "", "",
                     f"at least {CONTROL_GOAL:.0f}"])
        print(*rows[-1], sep=", ", flush=True)
    with open(options.out / "stalls.csv", "w", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(["case", "status", "reached_s", "method", "cpu_s", "evaluations", "events", "goal_s"])
        writer.writerows(rows)


if __name__ == "__main__":
    main()
