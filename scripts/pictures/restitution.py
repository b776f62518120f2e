"""Set against measured restitution of every law that takes one, as a picture and a table.

One scene per law: twenty balls without gravity hit a plate, each with a restitution of its own;
measured is the speed at which each leaves over that at which it came.
"""

import json
import pathlib
import subprocess

SET = [round(0.05 * k, 2) for k in range(1, 21)]
COLOURS = ["#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#8c564b"]
SIZE, EDGE = 360, 46  # of the square, and of the margin around it


def scene(law):
    balls = "".join(
        f"  b{k}: {{material: steel, shapes: [{{sphere: {{radius: 0.02}}}}], "
        f"position: [{0.1 * k:.1f}, 0, 0.0201], velocity: [0, 0, -1]}}\n" for k in range(len(SET)))
    pairs = ", ".join(f"{{between: [plate, b{k}], restitution: {e}}}" for k, e in enumerate(SET))
    return f"""carom: 1
name: restitution of {law}
gravity: off
bodies:
  plate: {{fixed: true, material: steel, shapes: [{{half_space: {{}}}}]}}
{balls}contact: {{law: {law}, friction: none, resistance: none, k_red: 1e-3, pairs: [{pairs}]}}
run: {{until: 0.05, tolerance: 1e-9}}
"""


def measure(carom, law, work):
    """Measured restitution for each of SET."""
    file = pathlib.Path(work) / f"restitution_{law}.yaml"
    file.write_text(scene(law))
    done = subprocess.run([str(carom), "run", str(file), "--json", "--no-output"], check=True,
                          capture_output=True, text=True, timeout=300)
    bodies = json.loads(done.stdout)["final"]["bodies"]
    return [bodies[f"b{k}"]["velocity"][2] for k in range(len(SET))]


def place(set_value, measured):
    return EDGE + SIZE * set_value, EDGE / 2 + SIZE * (1 - measured)


def draw(curves):
    """The picture as SVG; `curves` are {law: measured}."""
    width, height = SIZE + 2 * EDGE + 130, SIZE + 2 * EDGE
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
           'font-family="sans-serif" font-size="12">',
           f'<rect width="{width}" height="{height}" fill="white"/>']
    for k in range(6):
        v = k / 5
        x, y = place(v, v)
        out.append(f'<path d="M{x:.1f} {EDGE / 2}v{SIZE}M{EDGE} {y:.1f}h{SIZE}" stroke="#ddd"/>')
        out.append(f'<text x="{x:.1f}" y="{SIZE + EDGE / 2 + 16}" text-anchor="middle">{v:g}</text>')
        out.append(f'<text x="{EDGE - 6}" y="{y + 4:.1f}" text-anchor="end">{v:g}</text>')
    out.append(f'<text x="{EDGE + SIZE / 2}" y="{height - 12}" text-anchor="middle">restitution as set</text>')
    out.append(f'<text transform="translate(14 {EDGE / 2 + SIZE / 2}) rotate(-90)" '
               'text-anchor="middle">as measured</text>')
    for k, (law, measured) in enumerate(curves.items()):
        colour = COLOURS[k % len(COLOURS)]
        points = " ".join("{:.1f},{:.1f}".format(*place(*p)) for p in zip(SET, measured))
        dash = ' stroke-dasharray="6 4"' if k % 2 else ""
        out.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"{dash}/>')
        y = EDGE + 20 * k
        out.append(f'<path d="M{SIZE + EDGE + 14} {y}h24" stroke="{colour}" stroke-width="2"{dash}/>'
                   f'<text x="{SIZE + EDGE + 44}" y="{y + 4}">{law}</text>')
    return "\n".join(out) + "\n</svg>\n"


def make(carom, laws, work):
    return draw({law: measure(carom, law, work) for law in laws})
