"""Oblique impacts of a ball (Chung and Ooi 2011, test 4), as a picture: tangential restitution,
spin and angle of rebound over the angle of impact, by two friction laws and by an integration of
Hertz and Mindlin that shares nothing with Carom.

One scene per law: balls side by side without gravity, each at an angle of its own.
"""

import json
import math
import pathlib
import subprocess

ANGLES = [0.5, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10] + list(range(12, 72, 2))
SPEED, RADIUS, DENSITY, YOUNG, POISSON, MU, E = 3.9, 0.0025, 4000, 3.8e11, 0.23, 0.092, 0.98
PANELS = ["tangential restitution", "spin [rad/s]", "angle of rebound [°]"]
WIDTH, HEIGHT, EDGE = 230, 200, 44


def scene(law):
    balls = ""
    for k, angle in enumerate(ANGLES):
        a = math.radians(angle)
        balls += (f"  b{k}: {{material: oxide, shapes: [{{sphere: {{radius: {RADIUS}}}}}], "
                  f"position: [0, {0.01 * k:.2f}, {RADIUS + 1e-6}], "
                  f"velocity: [{SPEED * math.sin(a)!r}, 0, {-SPEED * math.cos(a)!r}]}}\n")
    return f"""carom: 1
name: oblique impacts, {law}
gravity: off
materials:
  oxide: {{density: {DENSITY}, youngs_modulus: {YOUNG}, poissons_ratio: {POISSON}}}
  rigid: {{density: {DENSITY}, youngs_modulus: {1000 * YOUNG}, poissons_ratio: {POISSON}}}
bodies:
  plane: {{fixed: true, material: rigid, shapes: [{{half_space: {{}}}}]}}
{balls}contact: {{friction: {law}, resistance: none, restitution: {E}, mu_k: {MU}}}
run: {{until: 4e-5, tolerance: 1e-7}}
"""


def measure(carom, law, work):
    """(restitution, spin, angle of rebound) for each of ANGLES."""
    file = pathlib.Path(work) / f"oblique_{law}.yaml"
    file.write_text(scene(law))
    done = subprocess.run([str(carom), "run", str(file), "--json", "--no-output"], check=True,
                          capture_output=True, text=True, timeout=300)
    bodies = json.loads(done.stdout)["final"]["bodies"]
    return [results(angle, bodies[f"b{k}"]["velocity"][0], bodies[f"b{k}"]["velocity"][2],
                    bodies[f"b{k}"]["angular_velocity"][1]) for k, angle in enumerate(ANGLES)]


def results(angle, along, up, spin):
    return (along / (SPEED * math.sin(math.radians(angle))), spin, math.degrees(math.atan2(along, up)))


def integrate(angle, steps=3000):
    """Hertz, exact restitution, Mindlin's spring cut at mu fn, by the midpoint rule."""
    a = math.radians(angle)
    mass = DENSITY * 4 / 3 * math.pi * RADIUS**3
    modulus = YOUNG / (1 - POISSON**2) / 1.001
    shear = YOUNG / (2 * (1 + POISSON) * (2 - POISSON)) / 1.001
    v0, v, w, d, ft = SPEED * math.cos(a), SPEED * math.sin(a), 0.0, 0.0, 0.0
    low, high = 0.0, 1 / E
    for _ in range(200):
        c = (low + high) / 2
        low, high = (c, high) if c * (1 + E) > math.log((1 + c) / (1 - c * E)) else (low, c)
    rate, h = v0, 2.94 * (15 * mass * v0**2 / (16 * modulus * RADIUS**0.5))**0.4 / v0 / steps
    while not (d <= 0 and rate < 0):
        d += rate * h / 2
        depth, lever = max(d, 0.0), RADIUS - max(d, 0.0) / 2
        elastic = 4 / 3 * modulus * RADIUS**0.5 * depth**1.5
        fn = max(0.0, elastic * (1 + c / v0 * rate))
        fn = max(0.0, elastic * (1 + c / v0 * (rate - fn / mass * h / 2)))
        k, most = 8 * shear * (RADIUS * depth)**0.5, MU * fn
        slip = v - lever * w
        half = min(most, max(-most, ft + k * slip * h / 2))
        ft = min(most, max(-most, ft + k * (slip - 3.5 * half / mass * h / 2) * h))
        rate -= fn / mass * h
        d += rate * h / 2
        v -= half / mass * h
        w += half * lever / (0.4 * mass * RADIUS**2) * h
    return results(angle, v, -rate, w)


def panel(index, curves, dots):
    tops = [1, 700, 70]
    left, top = EDGE + index * (WIDTH + EDGE + 8), 30

    def place(angle, value):
        return left + WIDTH * angle / 70, top + HEIGHT * (1 - value / tops[index])

    out = [f'<text x="{left + WIDTH / 2}" y="{top - 10}" text-anchor="middle">{PANELS[index]}</text>']
    for k in range(8):
        x, _ = place(10 * k, 0)
        out.append(f'<path d="M{x:.1f} {top}v{HEIGHT}" stroke="#ddd"/>'
                   f'<text x="{x:.1f}" y="{top + HEIGHT + 16}" text-anchor="middle">{10 * k}</text>')
    for k in range(6):
        value = tops[index] * k / 5
        _, y = place(0, value)
        out.append(f'<path d="M{left} {y:.1f}h{WIDTH}" stroke="#ddd"/>'
                   f'<text x="{left - 5}" y="{y + 4:.1f}" text-anchor="end">{value:g}</text>')
    for colour, dash, rows in curves:
        points = " ".join("{:.1f},{:.1f}".format(*place(a, r[index])) for a, r in zip(ANGLES, rows))
        out.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"{dash}/>')
    for a, r in dots:
        x, y = place(a, r[index])
        out.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.6" fill="none" stroke="#111"/>')
    return out


def make(carom, work):
    curves = [("#999", ' stroke-dasharray="6 4"', measure(carom, "coulomb", work)),
              ("#1f77b4", "", measure(carom, "mindlin", work))]
    dots = [(a, integrate(a)) for a in (1, 2, 5, 8, 10, 15, 20, 25, 30, 40, 50, 60, 70)]
    width, height = 3 * (WIDTH + EDGE + 8) + 12, HEIGHT + 92
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
           'font-family="sans-serif" font-size="12">',
           f'<rect width="{width}" height="{height}" fill="white"/>']
    for index in range(3):
        out += panel(index, curves, dots)
    y = height - 14
    out.append(f'<text x="{width / 2}" y="{y - 20}" text-anchor="middle">angle of impact from the normal [°]</text>')
    out.append(f'<path d="M{EDGE} {y - 4}h24" stroke="#1f77b4" stroke-width="2"/><text x="{EDGE + 30}" y="{y}">mindlin</text>'
               f'<path d="M{EDGE + 100} {y - 4}h24" stroke="#999" stroke-width="2" stroke-dasharray="6 4"/>'
               f'<text x="{EDGE + 130}" y="{y}">coulomb</text>'
               f'<circle cx="{EDGE + 212}" cy="{y - 4}" r="2.6" fill="none" stroke="#111"/>'
               f'<text x="{EDGE + 222}" y="{y}">integration of Hertz and Mindlin</text>')
    return "\n".join(out) + "\n</svg>\n"
