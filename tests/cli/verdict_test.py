"""Reasons of a verdict are numbers: values and limits against closed forms."""

import math
import unittest

from harness import DONE, FAILED, Case

# A ball meets a plane without weight, friction and loss: Hertz' impact.
#   d^(5/2) = 15 m v^2 / (16 E* sqrt(R)),  E* = E / (2 (1 - nu^2))                              (1)
BALL = """carom: 1
gravity: off
materials: {{soft: {{density: 1000, youngs_modulus: {E}, poissons_ratio: 0.3{more}}}}}
bodies:
  floor: {{fixed: true, material: soft, shapes: [{{half_space: {{}}}}]}}
  ball: {{mass: 1, inertia: [1, 1, 1], material: soft, shapes: [{{sphere: {{radius: 0.1}}}}],
         position: [0, 0, 0.1001], velocity: [0, 0, -1]}}
contact: {{law: hertz, friction: none, resistance: none}}
run: {{until: {until}{run}}}
"""


def hertz_depth(E):
    return (15.0 / (16.0 * E / (2.0 * 0.91) * math.sqrt(0.1))) ** 0.4


# An undamped oscillator of one rad/s under RK4 steps of y rad: its energy changes per step by
#   1 - y^6/72 + y^8/576                                                                      (2)
SPRING = """carom: 1
gravity: off
bodies: {{mass: {{mass: 1, joint: {{prismatic: {{axis: x}}, name: slide, q: 1, spring: {{stiffness: 1}}}}}}}}
run: {{until: {until}, integrator: rk4, step: {step}, output: {{step: {until}}}}}
"""


class Verdict(Case):
    def reason(self, scene, name, code=DONE):
        verdict = self.carom_json("run", self.write(scene), "--no-output", code=code)["verdict"]
        found = [r for r in verdict["reasons"] if r["name"] == name]
        self.assertEqual(1, len(found), verdict)
        return verdict["grade"], found[0]

    def ball(self, E, until, more="", run=""):
        return BALL.format(E=E, until=until, more=more, run=run)

    def close(self, expected, value, relative):
        self.assertLess(abs(value / expected - 1.0), relative, f"{value} is not {expected}")

    def test_a_depth_is_held_against_a_tenth_of_the_radius(self):
        grade, reason = self.reason(self.ball(1e5, 0.1), "depth")
        self.assertEqual("doubtful", grade)
        self.close(0.01, reason["limit"], 1e-9)
        self.close(hertz_depth(1e5), reason["value"], 0.02)  # seen at the ends of steps
        self.assertEqual("contact of 'floor' and 'ball'", reason["subject"])

    def test_a_depth_beyond_the_size_is_a_body_through_another(self):
        grade, reason = self.reason(self.ball(200, 0.4), "passed_through", code=FAILED)
        self.assertEqual("broken", grade)
        self.close(0.2, reason["limit"], 1e-9)
        self.assertGreater(reason["value"], 0.2)

    def test_equal_bodies_are_through_where_the_way_out_changes_sides(self):
        # Their shortest way out is never longer than the radii together, 0.2 m; each measures 0.2 m.
        floor = "floor: {fixed: true, material: soft, shapes: [{half_space: {}}]}"
        other = "other: {fixed: true, material: soft, shapes: [{sphere: {radius: 0.1}}], position: [0, 0, -0.1]}"
        scene = self.ball(200, 0.4, run=", tolerance: 1e-4").replace(floor, other)
        grade, reason = self.reason(scene, "passed_through", code=FAILED)
        self.assertEqual("broken", grade)
        self.close(0.18, reason["limit"], 1e-9)  # 0.45 of both sizes
        self.assertGreater(reason["value"], 0.18)
        self.assertLessEqual(reason["value"], 0.2 * (1.0 + 1e-12))

    def box(self, rotation):
        return f"""carom: 1
gravity: off
materials: {{soft: {{density: 1000, youngs_modulus: 1e6, poissons_ratio: 0.3}}}}
bodies:
  floor: {{fixed: true, material: soft, shapes: [{{half_space: {{}}}}]}}
  box: {{material: soft, shapes: [{{box: {{size: [0.1, 0.2, 0.3]}}}}], position: [0, 0, 0.2],
        rotation: {rotation}, velocity: [0, 0, -3]}}
contact: {{friction: none, resistance: none, restitution: 1}}
run: {{until: 0.05}}
"""

    def test_edges_that_nobody_has_rounded_are_held_against_the_size(self):
        grade, reason = self.reason(self.box("[0.5, 0.5, 0]"), "depth")
        self.assertEqual("doubtful", grade)
        self.close(0.001, reason["limit"], 1e-9)

    def test_the_pressure_is_held_against_the_yield_strength(self):
        depth = hertz_depth(1e7)
        pressure = 4.0 / (3.0 * math.pi) * 1e7 / (2.0 * 0.91) * math.sqrt(depth / 0.1)
        _, reason = self.reason(self.ball(1e7, 0.05, more=", yield_strength: 1e5"), "yield")
        self.close(1.6e5, reason["limit"], 1e-9)
        self.close(pressure, reason["value"], 0.01)

    def test_an_impact_is_held_against_twenty_fixed_steps(self):
        run = ", integrator: rk4, step: 1e-4"
        _, reason = self.reason(self.ball(1e9, 0.0002, run=run), "contact_duration")
        self.close(0.002, reason["limit"], 1e-9)
        self.close(2.9 * hertz_depth(1e9), reason["value"], 1e-3)

    def test_a_residual_is_held_against_a_hundredth_of_the_energy(self):
        y, steps = 0.9, 10
        left = (1.0 - y**6 / 72.0 + y**8 / 576.0) ** steps
        grade, reason = self.reason(SPRING.format(until=y * steps, step=y), "residual")
        self.assertEqual("doubtful", grade)
        self.close(0.5 * (1.0 - left), reason["value"], 1e-6)
        self.close(0.005, reason["limit"], 1e-9)

    def test_a_gain_is_held_against_a_twentieth_of_it(self):
        y, steps = 2.9, 4
        gained = (1.0 - y**6 / 72.0 + y**8 / 576.0) ** steps - 1.0
        grade, reason = self.reason(SPRING.format(until=y * steps, step=y), "energy_from_nothing",
                                    code=FAILED)
        self.assertEqual("broken", grade)
        self.close(0.5 * gained, reason["value"], 1e-6)
        self.close(0.025, reason["limit"], 1e-9)

    def test_the_tolerance_widens_the_limits(self):
        summary = self.carom_json("run", self.write(self.ball(1e8, 0.05, run=", tolerance: 1e-6")),
                                  "--no-output")
        self.assertEqual("sound", summary["verdict"]["grade"])
        self.assertEqual([], summary["verdict"]["reasons"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
