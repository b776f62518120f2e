#!/usr/bin/env python3
"""Draws the figures 4.2 to 4.6 of I. I. Kossenko, Implementation of Unilateral Multibody Dynamics
on Modelica (2005), from runs of the two demos of his ellipsoid.

    scripts/kossenko_figures.py [--carom build/carom] [-o kossenko.svg]

4.2  path of the contact point while it sticks and slips
4.3  his shows physical over regularising time, which slows down where impacts pile up. Carom has no
     such time: impacts are located one by one, and the rest of their series is closed in one go. So
     the figure shows what his is about instead, the instants of the impacts and where they end.
4.4  height of the lowest point: the bounces, and the last of them enlarged
4.5  height of the centre of mass: the body rises (Markeev)
4.6  angular velocity along the vertical, and along the shortest and the longest axis of the body

Restitution, mass and the width of his regularised friction are not in the paper: 0.5, 1 kg, exact
friction; the law of impacts is his (contact.rigid.impact.law: paper).
"""

import argparse
import json
import math
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from pictures.axes import Panel, picture  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent
BLUE, RED, GREEN = "#1f77b4", "#d62728", "#2ca02c"


class Run:
    """A demo, run with overrides: columns by name, events."""

    def __init__(self, carom, work, demo, overrides):
        results = pathlib.Path(work) / f"{demo}.csv"
        words = [w for o in overrides for w in ("--set", o)]
        done = subprocess.run([str(carom), "demo", demo, *words, "--json", "-o", str(results)], check=True,
                              capture_output=True, text=True, timeout=600)
        self.summary = json.loads(done.stdout)
        lines = results.read_text().splitlines()
        head = next(i for i, line in enumerate(lines) if line.startswith("time"))
        # Names of contacts have a comma, and are in quotation marks.
        names = [n.split(" [")[0] for n in _cells(lines[head])]
        rows = [[float(x) for x in line.split(",")] for line in lines[head + 1:]]
        rows = [r for r in rows if not math.isnan(r[1])]  # peaks have lines of their own, without bodies
        self.columns = {name: [r[k] for r in rows] for k, name in enumerate(names)}

    def __getitem__(self, name):
        return self.columns[name]

    def instants(self, kind):
        return [e["time"] for e in self.summary["events"] if e["kind"] == kind]

    def first(self, kind, key="time"):
        return next(e[key] for e in self.summary["events"] if e["kind"] == kind)


def _cells(line):
    cells, quoted, cell = [], False, ""
    for c in line:
        if c == '"':
            quoted = not quoted
        elif c == "," and not quoted:
            cells.append(cell)
            cell = ""
        else:
            cell += c
    return [*cells, cell]


def ends(values, share=0.06):
    low, high = min(values), max(values)
    return low - share * (high - low), high + share * (high - low)


def tenths(between):
    """Even tenths between two values."""
    first, last = math.ceil(between[0] * 5), math.floor(between[1] * 5)
    return [k / 5 for k in range(first, last + 1)]


def measure(carom, work):
    """The bouncing and the rising ellipsoid over 150 s."""
    end = ["run.until=150", "run.output.step=0.02", "run.output.channels=[bodies, contacts, body_axes]"]
    law = ["contact.rigid.impact.law=paper"]
    return (Run(carom, work, "rigid_bouncing_ellipsoid", [*end, *law]),
            Run(carom, work, "rigid_rising_ellipsoid", end))


def contact_path(fallen):
    """Fig. 4.2: (x, y) of the contact point from the first rolling on."""
    since = fallen.first("stick")
    kept = [k for k, t in enumerate(fallen["time"]) if t >= since]
    return [[fallen[f"contact(floor,egg).point.{axis}"][k] for k in kept] for axis in "yx"]


def draw(fallen, risen):
    across, up = contact_path(fallen)
    path = Panel(70, 40, 300, 220, ends(across), ends(up), "4.2: contact point while it sticks and slips [m]")
    path.grid(tenths(path.x), tenths(path.y))
    path.curve(across, up, BLUE, stroke=0.8)

    impacts, limit = fallen.instants("impact"), fallen.first("landing", "value")
    series = Panel(460, 40, 300, 220, (0, len(impacts) + 2), (1e-8, 10), "4.3: time left to the end of the bounces [s]",
                   log_y=True)
    series.grid(range(0, len(impacts) + 2, 10), [1e-8, 1e-6, 1e-4, 1e-2, 1], "impact")
    left = [(k + 1, limit - t) for k, t in enumerate(impacts) if limit - t > 1e-8]
    series.dots([k for k, _ in left], [t for _, t in left], BLUE, 2)

    low = fallen["contact(floor,egg).phi"]
    bounced = [k for k, t in enumerate(fallen["time"]) if t < 4]
    times, gaps = [fallen["time"][k] for k in bounced], [low[k] for k in bounced]
    bounces = Panel(850, 40, 300, 220, (0, 4), (0, 4), "4.4: height of the lowest point [m] over time [s]")
    bounces.grid(range(5), range(5))
    bounces.curve(times, gaps, BLUE)
    zoom = Panel(1000, 60, 130, 80, (2.0, limit + 0.1), (0, 0.15), "")
    zoom.grid([2, 2.4, round(limit, 2)], [0, 0.1])
    inside = [k for k, t in enumerate(times) if t >= 2 and t <= limit + 0.1 and gaps[k] <= 0.15]
    zoom.curve([times[k] for k in inside], [gaps[k] for k in inside], RED)

    rises = Panel(70, 320, 490, 220, (0, 150), (0.95, 1.35), "4.5: height of the centre of mass [m] over time [s]")
    rises.grid(range(0, 151, 25), [1.0, 1.1, 1.2, 1.3])
    rises.curve(risen["time"], risen["egg.position.z"], BLUE, stroke=0.8)

    turns = Panel(660, 320, 490, 220, (0, 150), (-12, 22), "4.6: angular velocity [rad/s] over time [s]")
    turns.grid(range(0, 151, 25), [-10, -5, 0, 5, 10])
    turns.curve(risen["time"], risen["egg.angular_velocity_body.x"], GREEN, stroke=0.7)
    turns.curve(risen["time"], risen["egg.angular_velocity_body.z"], RED, stroke=0.7)
    turns.curve(risen["time"], risen["egg.angular_velocity.z"], BLUE)
    turns.legend([(BLUE, "", "vertical"), (RED, "", "shortest axis of the body"), (GREEN, "", "longest axis")], 20)
    return picture(1180, 590, [path, series, bounces, zoom, rises, turns])


def make(carom, work):
    return draw(*measure(carom, work))


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--carom", type=pathlib.Path, default=ROOT / "build/carom")
    words.add_argument("-o", "--output", type=pathlib.Path, default=pathlib.Path("kossenko.svg"))
    options = words.parse_args()
    with tempfile.TemporaryDirectory() as work:
        options.output.write_text(make(options.carom.resolve(), work))
    print(options.output)


if __name__ == "__main__":
    main()
