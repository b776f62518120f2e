"""What contact of two meshes costs over the number of triangle pairs that meet, as a picture.

Drawn of contact_cost.csv, which bench_contact_cost writes (scripts/bench.sh), both axes in powers
of ten; a cost in proportion to the pairs runs along the grey lines.
"""

import csv
import math

SIZE, EDGE = 360, 66
X, Y = (1, 5), (-1, 5)  # powers of ten: pairs, microseconds
CURVES = (("detection_us", "detection", "#1f77b4", ""),
          ("listed_us", "with the pairs of before", "#2ca02c", ""),
          ("response_us", "response", "#d62728", ""),
          ("kept_us", "moved along in a step", "#9467bd", ' stroke-dasharray="6 4"'))


def place(pairs, cost):
    x = (math.log10(pairs) - X[0]) / (X[1] - X[0])
    y = (math.log10(cost) - Y[0]) / (Y[1] - Y[0])
    return EDGE + SIZE * x, EDGE / 2 + SIZE * (1 - y)


def power(k):
    return f"{10 ** k:,}" if k >= 0 else f"{10.0 ** k:g}"


def draw(rows):
    width, height = SIZE + 2 * EDGE + 150, SIZE + 2 * EDGE
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
           'font-family="sans-serif" font-size="12">',
           f'<rect width="{width}" height="{height}" fill="white"/>']
    for k in range(X[0], X[1] + 1):
        x, _ = place(10 ** k, 1)
        out.append(f'<path d="M{x:.1f} {EDGE / 2}v{SIZE}" stroke="#ddd"/>'
                   f'<text x="{x:.1f}" y="{SIZE + EDGE / 2 + 16}" text-anchor="middle">{power(k)}</text>')
    for k in range(Y[0], Y[1] + 1):
        _, y = place(10, 10.0 ** k)
        out.append(f'<path d="M{EDGE} {y:.1f}h{SIZE}" stroke="#ddd"/>'
                   f'<text x="{EDGE - 6}" y="{y + 4:.1f}" text-anchor="end">{power(k)}</text>')
    for each in (0.01, 1.0):  # microseconds per pair
        ends = [max(10.0 ** X[0], 10.0 ** Y[0] / each), min(10.0 ** X[1], 10.0 ** Y[1] / each)]
        (x0, y0), (x1, y1) = (place(n, each * n) for n in ends)
        out.append(f'<path d="M{x0:.1f} {y0:.1f}L{x1:.1f} {y1:.1f}" stroke="#999" stroke-dasharray="2 3"/>'
                   f'<text x="{x1 + 6:.1f}" y="{y1 + 4:.1f}" fill="#666">{each:g} µs per pair</text>')
    out.append(f'<text x="{EDGE + SIZE / 2}" y="{height - 16}" text-anchor="middle">'
               'pairs of triangles that meet</text>')
    out.append(f'<text transform="translate(14 {EDGE / 2 + SIZE / 2}) rotate(-90)" '
               'text-anchor="middle">CPU time [µs]</text>')
    for k, (field, label, colour, dash) in enumerate(CURVES):
        points = [place(int(r["pairs"]), float(r[field])) for r in rows]
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        out.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"{dash}/>')
        out += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.5" fill="{colour}"/>' for x, y in points]
        y = EDGE / 2 + SIZE - 90 + 20 * k
        out.append(f'<path d="M{SIZE + EDGE + 12} {y}h24" stroke="{colour}" stroke-width="2"{dash}/>'
                   f'<text x="{SIZE + EDGE + 42}" y="{y + 4}">{label}</text>')
    return "\n".join(out) + "\n</svg>\n"


def make(results):
    """Of the first machine that has the figures."""
    file = sorted(results.glob("*/contact_cost.csv"))[0]
    with open(file, encoding="utf-8") as lines:
        return draw(list(csv.DictReader(lines)))
