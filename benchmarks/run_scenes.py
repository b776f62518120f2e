#!/usr/bin/env python3
"""Runs the scenes with contact in every engine that was built, and writes one CSV per scene.

    run_scenes.py BUILD_FOLDER RESULT_FOLDER [--repeats N] [SCENE…]

One process per engine and scene, so that no engine disturbs another; the engines take turns
within each repeat. A row's CPU time is the median over the repeats, with the least and the
largest beside it. SCENE is the start of a name: s1, s5, ….
"""
import argparse
import csv
import json
import pathlib
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
# Scene, and how often each engine runs it: slow scenes once.
SCENES = {"s1_hard_bounce": 3, "s2_spheres": 1, "s3_stacks": 1, "s4_meshes": 1, "s5_gripper": 3, "s6_cradle": 3,
          "s7_ellipsoid": 3, "s8_free_motion": 3, "billiards": 3}
TIME_LIMIT = 400  # s, wall clock, of one process


def free_motion_drivers(build):
    """Free motion has programs of its own, which run both of its scenes."""
    programs = sorted((build / "benchmarks").glob("bench_free_motion_*"))
    return {p.name.rsplit("_", 1)[1]: [str(p)] for p in programs if p.is_file()}


def drivers(build):
    """Commands by engine, without the scene; a peer that is not installed is left out."""
    found = {"carom": [str(build / "benchmarks/bench_carom")]}
    for peer in ("mujoco", "simbody", "bullet", "ode", "dart"):
        program = build / f"benchmarks/bench_peer_{peer}"
        if program.exists():
            found[peer] = [str(program)]
        else:
            print(f"{peer} is not installed: its rows are left out", file=sys.stderr)
    # Debian's module belongs to Debian's interpreter.
    siconos = ["/usr/bin/python3", str(HERE / "peers/siconos/driver.py")]
    probe = ["/usr/bin/python3", "-c", "import siconos.kernel"]
    if subprocess.run(probe, capture_output=True, check=False).returncode == 0:
        found["siconos"] = siconos
    else:
        print("siconos is not installed: its rows are left out", file=sys.stderr)
    return found


def rows_of(command, scene):
    """What one process prints; what it printed before a failure counts too."""
    try:
        done = subprocess.run(command + [scene], capture_output=True, text=True, check=False,
                              timeout=TIME_LIMIT)
        text, failure = done.stdout, done.returncode and f"exit code {done.returncode}"
    except subprocess.TimeoutExpired as late:
        text = late.stdout or ""
        text = text if isinstance(text, str) else text.decode()
        failure = f"more than {TIME_LIMIT} s"
    if failure:
        print(f"{pathlib.Path(command[-1]).name} {scene}: {failure}", file=sys.stderr)
    return [json.loads(line) for line in text.splitlines() if line.startswith("{")]


def measure(engines, scene, repeats):
    """Rows by (scene, engine, setting), in the order in which they first came."""
    times, last = {}, {}
    for repeat in range(repeats):
        for name, command in engines.items():
            print(f"  {scene}: {name}, {repeat + 1} of {repeats}", file=sys.stderr)
            for row in rows_of(command, scene):
                key = (row["scene"], row["engine"], row["setting"])
                times.setdefault(key, []).append(row["cpu_seconds"])
                last[key] = row
    return times, last


def write(path, times, rows):
    figures = list(dict.fromkeys(name for row in rows.values() for name in row["figures"]))
    with path.open("w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["scene", "engine", "setting", "repeats", "cpu_median", "cpu_least",
                      "cpu_largest", "simulated", "evaluations"] + figures)
        for key, row in rows.items():
            cpu = times[key]
            out.writerow([*key, len(cpu), f"{statistics.median(cpu):.6g}", f"{min(cpu):.6g}",
                          f"{max(cpu):.6g}", row["simulated"], row["evaluations"]]
                         + ["" if row["figures"].get(f) is None else row["figures"][f]
                            for f in figures])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("results", type=pathlib.Path)
    parser.add_argument("--repeats", type=int, default=0, help="instead of each scene's own")
    parser.add_argument("scenes", nargs="*")
    arguments = parser.parse_args()
    engines = drivers(arguments.build)
    for scene, repeats in SCENES.items():
        if arguments.scenes and not any(scene.startswith(s) for s in arguments.scenes):
            continue
        used = free_motion_drivers(arguments.build) if scene.startswith("s8") else engines
        times, rows = measure(used, scene, arguments.repeats or repeats)
        if rows:
            write(arguments.results / f"{scene}.csv", times, rows)


if __name__ == "__main__":
    main()
