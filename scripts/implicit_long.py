#!/usr/bin/env python3
"""Long runs of implicit contact steps that are too long for the tests.

    PYTHONPATH=build/python scripts/implicit_long.py cubes     # ten cubes stand for 600 s
    PYTHONPATH=build/python scripts/implicit_long.py island    # 10,000 balls that all touch
    PYTHONPATH=build/python scripts/implicit_long.py gripper   # a hand of 20 contacts at 1 kHz
    PYTHONPATH=build/python scripts/implicit_long.py piles     # 100 spheres in a narrow box, 20 starts, as explicit steps

Prints what was measured beside its limit, and fails where one is broken.
"""

import math
import random
import statistics
import sys
import time

import carom

STEEL = "material: steel"
HEAD = "carom: 1\nname: long\nbodies:\n  floor: {fixed: true, material: steel, shapes: [{half_space: {}}]}\n"


def judge(what, value, limit, unit):
    good = value <= limit
    print(f"{what}: {value:.3g} {unit}, limit {limit:g}{'' if good else '  BROKEN'}", flush=True)
    return good


def tell_counts(sim):
    stats = sim.statistics
    return f"{stats['newton_iterations'] / stats['steps']:.2f} Newton iterations per step, {stats['unconverged_steps']} not converged, bank acted {stats['bank_actions']} times"


def cubes():
    """Drift from 1 s to 600 s of ten cubes of steel, the sixth of which may be 1,000 times lighter."""
    good = True
    for light in (7.8, 7.8e-3):
        for step in (1e-3, 5e-3, 1e-2):
            text = HEAD + "".join(
                f"  b{i}: {{{STEEL}, mass: {light if i == 5 else 7.8}, shapes: [{{box: {{size: 0.1}}}}], position: [0, 0, {0.1 * i + 0.05}]}}\n"
                for i in range(10)
            )
            text += f"contact: {{law: exact, restitution: 0.3, friction: lugre}}\nrun: {{until: 600, integrator: implicit_contact, step: {step}}}\n"
            sim = carom.parse(text).simulate()
            sim.advance_to(1.0)
            before = [list(sim[f"b{i}.position"]) for i in range(10)]
            begin = time.process_time()
            sim.advance_to(600.0)
            drift = max(abs(a - b) for i in range(10) for a, b in zip(before[i], sim[f"b{i}.position"]))
            print(f"{(time.process_time() - begin):.1f} s CPU; {tell_counts(sim)}")
            good &= judge(f"ten cubes, sixth of {light} kg, steps of {step} s: drift", drift, 1e-6, "m")
    return good


def island(side=100):
    """A sheet of 10,000 balls, each a little in its neighbours, thrown down on a floor."""
    r = 0.05
    text = HEAD + "".join(
        f"  s{i}_{k}: {{{STEEL}, shapes: [{{sphere: {{radius: {r}}}}}], position: [{1.9999 * r * i}, {1.9999 * r * k}, {r + 0.001}]}}\n"
        for i in range(side)
        for k in range(side)
    )
    text += "contact: {restitution: 0.3, friction: lugre, k_red: 1e-3}\nrun: {until: 0.1, integrator: implicit_contact, step: 5e-3}\n"
    sim = carom.parse(text).simulate()
    start = sim["energy.kinetic"] + sim["energy.potential"] + sim["energy.elastic"]
    begin = time.process_time()
    sim.advance_to(0.1)
    end = sim["energy.kinetic"] + sim["energy.potential"] + sim["energy.elastic"]
    print(f"{time.process_time() - begin:.1f} s CPU for 0.1 s; {tell_counts(sim)}")
    return judge("10,000 balls in one island: rise of energy", (end - start) / abs(start), 1e-9, "of it")


def gripper():
    """Two fingers of ten round pads each hold a cube, at 1 kHz."""
    pads = lambda x: ", ".join(
        f"{{sphere: {{radius: 0.01}}, at: [{x}, {0.04 * (i % 2) - 0.02}, {0.016 * (i // 2) - 0.032}]}}" for i in range(10)
    )
    text = f"""carom: 1
name: hand
bodies:
  cube: {{{STEEL}, mass: 1, shapes: [{{box: {{size: 0.1}}}}]}}
  left: {{{STEEL}, mass: 0.5, shapes: [{pads(0.01)}], joint: {{prismatic: {{axis: x, at: [-0.07, 0, 0]}}, damping: 20, drive: {{force: 60}}}}}}
  right: {{{STEEL}, mass: 0.5, shapes: [{pads(-0.01)}], joint: {{prismatic: {{axis: x, at: [0.07, 0, 0]}}, damping: 20, drive: {{force: -60}}}}}}
contact: {{law: exact, restitution: 0.3, friction: lugre, mu_k: 0.5, k_red: 1e-3}}
run: {{until: 5, integrator: implicit_contact, step: 1e-3}}
"""
    sim = carom.parse(text).simulate()
    sim.advance_to(0.5)
    begin = time.process_time()
    for _ in range(4000):
        sim.step()
    took = time.process_time() - begin
    print(f"{tell_counts(sim)}; cube at {list(sim['cube.position'])}")
    return judge("hand of 20 contacts at 1 kHz: CPU time per time", took / 4.0, 1.0 / 20.0, "s per s")


def pile(start):
    """100 spheres above each other in a box six wide, each moved aside at random by up to 9 mm."""
    rng = random.Random(start)
    half, turn = 0.36, math.pi / 2
    walls = ((half, 0, 0, -turn), (-half, 0, 0, turn), (0, half, turn, 0), (0, -half, -turn, 0))
    box = "".join(f", {{half_space: {{}}, at: [{x}, {y}, 0], rotation: [{a}, {b}, 0]}}" for x, y, a, b in walls)
    text = f"carom: 1\nname: pile\nbodies:\n  box: {{fixed: true, {STEEL}, shapes: [{{half_space: {{}}}}{box}]}}\n"
    for k in range(100):
        x, y = (0.12 * (i + 0.5) - half + rng.uniform(-0.009, 0.009) for i in (k // 6 % 6, k % 6))
        text += f"  s{k}: {{{STEEL}, mass: 0.5236, shapes: [{{sphere: {{radius: 0.05}}}}], position: [{x}, {y}, {0.06 + 0.11 * (k // 36)}]}}\n"
    text += "contact: {law: exact, restitution: 0.1, friction: coulomb, mu_k: 0.5, v_small: 0.01, resistance: none, k_red: 2.2e-4}\n"
    return carom.parse(text + "run: {until: 2}\n")


def piles(starts=20):
    """How much higher piles are by implicit steps than by explicit ones that resolve contacts and friction."""
    heights = {}
    for method, step in (("semi_implicit_euler", 3.5e-5), ("implicit_contact", 1e-3), ("implicit_contact", 4e-3)):
        for start in range(starts):
            sim = pile(start).simulate(integrator=method, step=step)
            sim.advance_to(2.0)
            heights.setdefault((method, step), []).append(sim["energy.potential"])
    (_, exact), *others = heights.items()
    good = True
    for (method, step), found in others:
        apart = [a / b - 1.0 for a, b in zip(found, exact)]
        mean, error = statistics.mean(apart), statistics.stdev(apart) / math.sqrt(starts)
        print(f"{method}, {step} s: mean height {100 * mean:+.2f} +- {100 * error:.2f} % of explicit steps")
        good &= judge("  beyond two standard errors", max(0.0, abs(mean) - 2.0 * error), 0.005, "")
    return good


if __name__ == "__main__":
    runs = {"cubes": cubes, "island": island, "gripper": gripper, "piles": piles}
    if len(sys.argv) != 2 or sys.argv[1] not in runs:
        sys.exit(__doc__)
    sys.exit(0 if runs[sys.argv[1]]() else 1)
