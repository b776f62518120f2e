#!/usr/bin/env python3
"""Writes examples/mobile.yaml: the planar mobile of depth 6 of Modia3D's test scenes.

mobile(1) is a rod with a ball at its lower end; mobile(n) is a rod that carries a bar by
its middle, and the bar carries two mobiles of depth n - 1 by its ends. Every hinge turns
about z and is damped; the uppermost one starts at 0.2 rad. 94 hinges in all.

    python3 scripts/make_mobile.py > examples/mobile.yaml
"""

DEPTH = 6
ROD_LENGTH = 0.1
BAR_WIDTH = 0.03


def bar_span(depth):
    """Distance between the ends of a bar: doubled per level, from 0.08 m at depth 2."""
    return 0.08 * 2 ** (depth - 2)


def number(x):
    return f"{x:.10g}"


def hinge(name, parent, at, child_at, start=None):
    place = f"at: [{', '.join(map(number, at))}], child_at: [{', '.join(map(number, child_at))}]"
    start = f", q: {number(start)}" if start is not None else ""
    parent = f"parent: {parent}, " if parent else ""
    return f"joint: {{revolute: {{{parent}{place}}}, name: {name}, damping: $damping{start}}}"


def rod(name, joint, with_ball):
    shapes = f"{{cylinder: {{radius: 0.0025, length: {number(ROD_LENGTH)}}}, axis: y}}"
    if with_ball:
        shapes += f", {{sphere: {{radius: 0.015}}, at: [0, {number(-ROD_LENGTH / 2)}, 0]}}"
    return f"  {name}_rod: {{material: dry_wood, shapes: [{shapes}], {joint}}}"


def mobile(name, depth, joint):
    """Lines of the bodies of a mobile whose rod hangs on `joint`."""
    lines = [rod(name, joint, depth == 1)]
    if depth == 1:
        return lines
    span = bar_span(depth)
    size = f"[{number(span + BAR_WIDTH)}, {BAR_WIDTH}, {BAR_WIDTH}]"
    at_bottom = hinge(f"{name}_rev0", f"{name}_rod", (0, -ROD_LENGTH / 2, 0), (0, 0, 0))
    lines.append(
        f"  {name}_bar: {{material: dry_wood, shapes: [{{box: {{size: {size}}}}}], {at_bottom}}}"
    )
    for side, end in ((1, -span / 2), (2, span / 2)):
        at_end = hinge(f"{name}_rev{side}", f"{name}_bar", (end, 0, 0), (0, ROD_LENGTH / 2, 0))
        lines += mobile(f"{name}_sub{side}", depth - 1, at_end)
    return lines


def main():
    print("# A planar mobile with 94 hinges, after the scene of the same name in Modia3D.")
    print("# Written by scripts/make_mobile.py.")
    print("carom: 1")
    print("name: Mobile")
    print("gravity: [0, -9.81, 0]")
    print("values: {damping: 0.006}")
    print()
    print("bodies:")
    top = hinge("top", "", (0, 0, 0), (0, ROD_LENGTH / 2, 0), 0.2)
    print("\n".join(mobile("top", DEPTH, top)))
    print()
    print("run: {until: 5, tolerance: 1e-6, output: {step: 0.02}}")


if __name__ == "__main__":
    main()
