"""carom settle, linearize and inverse, against closed forms."""

import math
import unittest

from harness import FAILED, PENDULUM, WRONG_USAGE, Case

# A mass on a vertical spring and damper: x'' = u/m − g − k x/m − d x'/m.
OSCILLATOR = """carom: 1
bodies: {block: {mass: 2, joint: {prismatic: {axis: z}, name: slide, spring: {stiffness: 200}, damping: 4, drive: {force: effort}}}}
signals: {effort: 0}
run: {until: 1}
"""


class Settle(Case):
    def test_finds_where_spring_and_weight_balance(self):
        scene = self.write(OSCILLATOR)
        found = self.carom_json("settle", scene)
        self.assertEqual("completed", found["status"])
        self.assertAlmostEqual(-2 * 9.81 / 200, found["joints"]["slide"]["q"][0], delta=1e-12)
        plain = self.carom("settle", scene)
        self.assertIn("slide", plain.stdout)
        self.assertIn("equilibrium after", plain.stderr)

    def test_a_raised_pendulum_settles_hanging(self):
        found = self.carom_json("settle", self.write(PENDULUM), "--set", "joints.pivot.q=2.5")
        q = found["joints"]["pivot"]["q"][0]
        self.assertAlmostEqual(1, math.cos(q), delta=1e-12)

    def test_a_short_one_near_its_top_settles_hanging_too(self):
        # g/l = 490 1/s²: the growth near the top is faster than any first step.
        scene = self.write(PENDULUM.replace("com: [0, 0, -1]", "com: [0, 0, -0.02]"))
        found = self.carom_json("settle", scene, "--set", "joints.pivot.q=2.8")
        self.assertAlmostEqual(1, math.cos(found["joints"]["pivot"]["q"][0]), delta=1e-12)

    def test_dry_friction_does_not_shift_it_and_stops_carry(self):
        slide = "prismatic: {axis: z}, name: slide"
        rubs = self.write("carom: 1\nbodies: {block: {mass: 2, joint: {%s, spring: {stiffness: 200}, "
                          "friction: {coulomb: 5, static: 8}}}}\n" % slide)
        q = self.carom_json("settle", rubs)["joints"]["slide"]["q"][0]
        self.assertAlmostEqual(-2 * 9.81 / 200, q, delta=1e-12)
        lies = self.write("carom: 1\nbodies: {block: {mass: 2, joint: {%s, limits: {lower: -0.1, "
                          "stiffness: 1e4}}}}\n" % slide)
        q = self.carom_json("settle", lies)["joints"]["slide"]["q"][0]
        self.assertAlmostEqual(-0.1 - 2 * 9.81 / 1e4, q, delta=1e-12)

    def test_what_nothing_holds_has_no_equilibrium(self):
        scene = self.write("carom: 1\nbodies: {stone: {mass: 1, inertia: [1, 1, 1]}}\n")
        found = self.carom_json("settle", scene, code=FAILED)
        self.assertEqual("failed", found["status"])
        self.assertNotEqual("", found["reason"])


class Linearize(Case):
    def test_gives_the_matrices_of_the_oscillator(self):
        system = self.carom_json("linearize", self.write(OSCILLATOR), "--outputs", "slide.q")
        # Central differences: 1e-9 of the largest entry.
        for row, expected in zip(system["A"], [[0, 1], [-100, -2]], strict=True):
            for value, wanted in zip(row, expected, strict=True):
                self.assertAlmostEqual(wanted, value, delta=1e-7)
        self.assertEqual(["effort"], system["inputs"])
        self.assertAlmostEqual(0.5, system["B"][1][0], delta=1e-9)
        self.assertEqual(["slide.q"], system["outputs"])
        self.assertAlmostEqual(1, system["C"][0][0], delta=1e-9)
        mode = system["modes"][0]
        self.assertAlmostEqual(10 / (2 * math.pi), mode["frequency"], delta=1e-8)
        self.assertAlmostEqual(0.1, mode["damping_ratio"], delta=1e-8)

    def test_at_equilibrium_the_pendulum_swings_with_the_root_of_g_over_l(self):
        system = self.carom_json("linearize", self.write(PENDULUM), "--at-equilibrium")
        self.assertAlmostEqual(math.sqrt(9.81) / (2 * math.pi), system["modes"][0]["frequency"],
                               delta=1e-8)
        # Raised by 0.5 rad it is softer: sqrt(g cos 0.5).
        raised = self.carom_json("linearize", self.write(PENDULUM))
        self.assertAlmostEqual(math.sqrt(9.81 * math.cos(0.5)) / (2 * math.pi),
                               raised["modes"][0]["frequency"], delta=1e-8)


    def test_without_inputs_matrices_keep_their_rows(self):
        system = self.carom_json("linearize", self.write(PENDULUM), "--outputs", "pivot.q")
        self.assertEqual([], system["inputs"])
        self.assertEqual([[], []], system["B"])
        self.assertEqual([[]], system["D"])


class Inverse(Case):
    def test_gives_the_torque_that_newton_says(self):
        scene = self.write(PENDULUM)
        held = self.carom_json("inverse", scene)["joints"]["pivot"][0]
        self.assertAlmostEqual(9.81 * math.sin(0.5), held, delta=1e-12)
        moved = self.carom_json("inverse", scene, "--acceleration", "pivot=3")["joints"]["pivot"][0]
        self.assertAlmostEqual(9.81 * math.sin(0.5) + 3, moved, delta=1e-12)
        self.assertIn("pivot", self.carom("inverse", scene).stdout)

    def test_of_a_loop_drives_what_is_named(self):
        # Two equal arms of 1 kg m² joined by a bar without weight turn as one.
        scene = self.write("""carom: 1
gravity: off
bodies:
  left: {mass: 1, inertia: [1, 1, 1], joint: {revolute: {axis: y}, name: l, q: 0.5}}
  right: {mass: 1, inertia: [1, 1, 1], joint: {revolute: {axis: y, at: [1, 0, 0]}, name: r, q: 0.5}}
  bar: {mass: 1e-9, inertia: [1e-9, 1e-9, 1e-9], joint: {revolute: {parent: left, at: [0, 0, -1], axis: y}, name: b, q: -0.5}}
joints: {close: {revolute: {parent: bar, child: right, at: [1, 0, 0], child_at: [0, 0, -1], axis: y}, loop: true}}
""")
        joints = self.carom_json("inverse", scene, "--acceleration", "l=3")["joints"]
        self.assertAlmostEqual(6, joints["l"][0], delta=1e-8)
        self.assertEqual([0, 0], [joints["r"][0], joints["b"][0]])
        result = self.carom("inverse", scene, code=WRONG_USAGE)
        self.assertIn("the loop of 'close' has 1 degree", result.stderr)

    def test_names_a_joint_that_is_not_there(self):
        result = self.carom("inverse", self.write(PENDULUM), "--acceleration", "pivto=3",
                            code=WRONG_USAGE)
        self.assertIn("pivto", result.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
