#!/usr/bin/env python3
"""A rigid box that bounces on and on, flat or tilted by a hair, is never lost.

    tests/cli/box_bounces.py [COUNT] [--carom build/carom] [--seed 1]

Runs boxes of random sizes until COUNT impacts have happened (100,000 unless said otherwise), with tilts
of 0 and 1e-16 to 1e-3 rad, every restitution and friction. After a bounce the gap of a corner is zero to
rounding, on either side: a search for a falling change of sign would lose the box through the floor.
A sample is in the tests (box_bounces_test.py).
"""

import argparse
import json
import math
import pathlib
import random
import subprocess
import tempfile

TILTS = [0.0] + [10.0**-k for k in range(16, 2, -1)]


def scene(size, tilt, restitution, friction, height, until):
    turn = [tilt * 0.6, tilt * 0.8, 0.3]
    return f"""carom: 1
bodies:
  floor: {{fixed: true, shapes: [{{half_space: {{}}}}]}}
  box: {{mass: 1, shapes: [{{box: {{size: {size}}}}}], position: [0, 0, {size[2] / 2 + height!r}], rotation: {turn}}}
contact: {{method: rigid, restitution: {restitution!r}, mu_k: {friction!r}}}
run: {{until: {until!r}, tolerance: 1e-10, integrator: erk8, max_cpu: 60, output: {{step: {until / 50!r}}}}}
"""


def lowest_corner(size, position, q):
    w, x, y, z = q
    up = [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]
    return position[2] - sum(abs(u) * s / 2 for u, s in zip(up, size))


def bounce(carom, work, words):
    """One run: (impacts, what is wrong with it, or nothing)."""
    file = pathlib.Path(work) / "box.yaml"
    file.write_text(scene(*words))
    done = subprocess.run([str(carom), "run", str(file), "--json", "--no-output"], capture_output=True,
                          text=True, timeout=300)
    result = json.loads(done.stdout)
    impacts = sum(e["kind"] == "impact" for e in result["events"])
    if result["status"] != "completed":
        return impacts, result["reason"]
    box = result["final"]["bodies"]["box"]
    low = lowest_corner(words[0], box["position"], box["orientation"])
    if not low > -1e-11:
        return impacts, f"the box is {-low:.3g} m below the floor"
    now = result["energy"]["kinetic"] + result["energy"]["potential"]
    start = 9.81 * (words[0][2] / 2 + words[4])
    if now > start * (1 + 1e-8):
        return impacts, f"energy has grown by {now - start:.3g} J"
    return impacts, None


def starts(seed):
    """Without end: the tilts in turn."""
    chance = random.Random(seed)
    while True:
        for tilt in TILTS:
            size = [round(chance.uniform(0.05, 0.5), 3) for _ in range(3)]
            restitution = chance.choice([0.0, 0.5, 0.9, 0.99, 1.0, 1.0])
            # Bounces that lose nothing but by friction become ever lower and never land.
            friction = 0.0 if restitution == 1 else chance.choice([0.0, 0.3, 1.0])
            height = chance.uniform(0.01, 0.3)
            period = 2 * math.sqrt(2 * height / 9.81)
            yield size, tilt, restitution, friction, height, (200 if restitution == 1 else 60) * period


def campaign(carom, count, seed=1):
    """Impacts, runs and those that went wrong."""
    impacts, runs, wrong = 0, 0, []
    with tempfile.TemporaryDirectory() as work:
        for words in starts(seed):
            happened, what = bounce(carom, work, words)
            impacts, runs = impacts + happened, runs + 1
            if what:
                wrong.append((words, what))
            if impacts >= count:
                return impacts, runs, wrong


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("count", nargs="?", type=int, default=100_000)
    words.add_argument("--carom", type=pathlib.Path, default=pathlib.Path("build/carom"))
    words.add_argument("--seed", type=int, default=1)
    options = words.parse_args()
    impacts, runs, wrong = campaign(options.carom.resolve(), options.count, options.seed)
    for start, what in wrong:
        print(f"{start}: {what}")
    print(f"{impacts} impacts in {runs} runs, {len(wrong)} of these wrong (seed {options.seed})")
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
