"""Elastic runs that become stiffer approach the rigid one, as a picture.

A steel ball falls on a steel plate and loses nothing. Rigid, it leaves at the instant at which it
comes; by Hertz it stays for

    T = 2.943 d / v,   d = (15 m v^2 / (16 E* sqrt(r)))^(2/5),   E* proportional to k_red

so after n impacts it is n T late, and its height is off by up to n T v: both fall with
k_red^(-2/5). A ball that rests sinks in by (m g / K)^(2/3), K = 4/3 E* sqrt(r): k_red^(-2/3).
"""

import json
import math
import pathlib
import subprocess

from pictures.axes import Panel, picture

RADIUS, HEIGHT, GRAVITY = 0.05, 0.5, 9.81
DENSITY, YOUNG, POISSON = 7850, 2.1e11, 0.3
MASS = DENSITY * 4 / 3 * math.pi * RADIUS**3
SOFTER = [1, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5]
IMPACTS = 3


def scene(contact, height, until, restitution=1):
    return f"""carom: 1
materials: {{metal: {{density: {DENSITY}, youngs_modulus: {YOUNG}, poissons_ratio: {POISSON}}}}}
bodies:
  floor: {{fixed: true, material: metal, shapes: [{{half_space: {{}}}}]}}
  ball: {{material: metal, shapes: [{{sphere: {{radius: {RADIUS}}}}}], position: [0, 0, {RADIUS + height!r}]}}
contact: {{{contact}, restitution: {restitution}, mu_k: 0}}
gravity: [0, 0, -{GRAVITY}]
run: {{until: {until!r}, tolerance: 1e-10, output: {{step: 1e-3}}}}
"""


def run(carom, work, name, text):
    """The summary and the heights (times, values) of a run."""
    file = pathlib.Path(work) / f"{name}.yaml"
    file.write_text(text)
    done = subprocess.run([str(carom), "run", str(file), "--json", "-o", str(file.with_suffix(".csv"))],
                          check=True, capture_output=True, text=True, timeout=300)
    lines = file.with_suffix(".csv").read_text().splitlines()
    head = next(i for i, line in enumerate(lines) if line.startswith("time"))
    place = lines[head].split(",").index("ball.position.z [m]")
    rows = [line.split(",") for line in lines[head + 1:]]
    rows = [r for r in rows if r[place] != "nan"]  # peaks have lines of their own
    return json.loads(done.stdout), [float(r[0]) for r in rows], [float(r[place]) for r in rows]


def modulus(softer):
    return softer * YOUNG / (1 - POISSON**2) / 2  # both are elastic


def contact_time(softer):
    speed = math.sqrt(2 * GRAVITY * HEIGHT)
    depth = (15 * MASS * speed**2 / (16 * modulus(softer) * math.sqrt(RADIUS)))**0.4
    return 2.9432 * depth / speed


def instants(summary, kind):
    return [e["time"] for e in summary["events"] if e["kind"] == kind]


def measure(carom, work):
    """Per stiffness the delay after IMPACTS and the depth at rest, and the courses."""
    fall = math.sqrt(2 * HEIGHT / GRAVITY)
    until = (2 * IMPACTS + 0.9) * fall
    rigid, times, heights = run(carom, work, "rigid", scene("method: rigid", HEIGHT, until))
    struck = instants(rigid, "impact")[IMPACTS - 1]
    delays, depths, courses = [], [], [(None, times, heights)]
    for softer in SOFTER:
        laws = f"law: hertz, friction: none, resistance: none, k_red: {softer}"
        elastic, times, heights = run(carom, work, f"elastic_{softer:g}", scene(laws, HEIGHT, until))
        delays.append(instants(elastic, "contact_end")[IMPACTS - 1] - struck)
        courses.append((softer, times, heights))
        depths.append(rest_depth(carom, work, softer))
    return delays, depths, courses


def rest_depth(carom, work, softer):
    """At rest, found as an equilibrium."""
    laws = f"law: hertz, friction: none, resistance: none, k_red: {softer}"
    text = scene(laws, -1e-6, 1e-3).replace("run:", "initial: equilibrium\nrun:")
    _, _, heights = run(carom, work, f"rest_{softer:g}", text)
    return RADIUS - heights[0]


def predicted_depth(softer):
    return (MASS * GRAVITY / (4 / 3 * modulus(softer) * math.sqrt(RADIUS)))**(2 / 3)


def power(values):
    """Slope over the decades, by least squares of logarithms."""
    xs, ys = [math.log(s) for s in SOFTER], [math.log(v) for v in values]
    mx, my = sum(xs) / len(xs), sum(ys) / len(ys)
    return sum((x - mx) * (y - my) for x, y in zip(xs, ys)) / sum((x - mx)**2 for x in xs)


def make(carom, work):
    delays, depths, courses = measure(carom, work)
    course = Panel(60, 30, 330, 240, (0, 2.3), (0, 0.8), "height of the centre [m] over time [s]")
    course.grid([0, 0.5, 1, 1.5, 2], [0, 0.2, 0.4, 0.6, 0.8])
    colours = {1e-5: "#f0a35e", 1e-4: "#d95f02", None: "#111"}
    for softer, times, heights in courses:
        if softer in colours:
            course.curve(times, heights, colours[softer], "" if softer else "5 3")
    course.legend([("#111", "5 3", "rigid"), ("#d95f02", "", "k_red 1e-4"), ("#f0a35e", "", "k_red 1e-5")], 10)
    gap = Panel(490, 30, 330, 240, (1e-5, 1), (1e-7, 1e-1), "how far the elastic ball is from the rigid one",
                True, True)
    gap.grid(sorted(SOFTER), [1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1], "k_red")
    gap.curve(SOFTER, [IMPACTS * contact_time(s) for s in SOFTER], "#d95f02", "", 1.2)
    gap.dots(SOFTER, delays, "#d95f02")
    gap.curve(SOFTER, [predicted_depth(s) for s in SOFTER], "#1f77b4", "", 1.2)
    gap.dots(SOFTER, depths, "#1f77b4")
    gap.legend([("#d95f02", "", f"delay after {IMPACTS} impacts [s]: k_red^(-2/5)"),
                ("#1f77b4", "", "depth at rest [m]: k_red^(-2/3)")], 12, 206)
    return picture(840, 320, [course, gap])
