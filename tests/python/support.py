"""Scenes and independent solutions that the tests share."""

import math
import pathlib

import numpy as np

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"

GRAVITY = 9.81
MASS, LENGTH, INERTIA = 2.0, 0.7, 0.05  # kg, m, kg m2 about the centre of mass
INERTIA_AT_PIVOT = INERTIA + MASS * LENGTH**2


def pendulum(angle=0.5, height=-LENGTH, damping=0.0):
    """A rod on a pivot about y; `height` > 0 stands it on its head."""
    return {
        "name": "Pendulum",
        "gravity": [0, 0, -GRAVITY],
        "bodies": {
            "rod": {
                "mass": MASS,
                "com": [0, 0, height],
                "inertia": [INERTIA] * 3,
                "joint": {
                    "revolute": {"axis": "y"},
                    "name": "pivot",
                    "q": angle,
                    "damping": damping,
                    "drive": {"force": "=u"},
                },
            }
        },
        "signals": {"u": 0.0},
        "run": {"until": 2.0, "tolerance": 1e-10},
    }


def acceleration(q, v, height=-LENGTH, damping=0.0, torque=0.0):
    """Of the pendulum: a rotation by q about y moves the centre of mass to
    height (sin q, cos q)."""
    moment = MASS * GRAVITY * height * math.sin(q) - damping * v + torque
    return moment / INERTIA_AT_PIVOT


def rk4(rate, x, t_end, steps):
    """Runge and Kutta's method, written here so that it shares no code with Carom."""
    h = t_end / steps
    for _ in range(steps):
        k1 = rate(x)
        k2 = rate(x + h / 2 * k1)
        k3 = rate(x + h / 2 * k2)
        k4 = rate(x + h * k3)
        x = x + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return x


def swing(x, t_end, steps=2000, **options):
    """State (q, v) of the pendulum after t_end seconds."""
    return rk4(lambda s: np.array([s[1], acceleration(s[0], s[1], **options)]), np.array(x), t_end, steps)


def period(amplitude):
    """Of the undamped pendulum: 2 pi / (w0 AGM(1, cos(amplitude / 2))), after Gauss."""
    a, b = 1.0, math.cos(amplitude / 2)
    while abs(a - b) > 1e-15:
        a, b = (a + b) / 2, math.sqrt(a * b)
    return 2 * math.pi / (math.sqrt(MASS * GRAVITY * LENGTH / INERTIA_AT_PIVOT) * a)
