"""Rigid bodies that what is prescribed presses into each other: a status with the residual."""

import json
import subprocess
import unittest

from harness import CAROM, FAILED, Case

RAM = """carom: 1
name: A ram is driven into a wall
bodies:
  wall: {fixed: true, shapes: [{box: {size: [0.1, 1, 1]}}], position: [0.5, 0, 0]}
  ram: {mass: 1, shapes: [{box: {size: [0.2, 0.2, 0.2]}}], joint: {prismatic: {axis: x}, name: rail, motion: "=0.5*t"}}
contact: {method: rigid, restitution: 0, mu_k: 0.3}
run: {until: 2, tolerance: 1e-9}
"""

# Nothing lies between the ball and the wall, and the ram does not stop.
BALL = """carom: 1
name: A ram jams a ball against a wall
gravity: off
bodies:
  wall: {fixed: true, shapes: [{half_space: {}}], rotation: [0, -1.5707963267948966, 0], position: [0.5, 0, 0]}
  ram: {mass: 1, shapes: [{sphere: {radius: 0.1}}], joint: {prismatic: {axis: x}, name: rail, RAIL}}
  ball: {mass: 1, shapes: [{sphere: {radius: 0.1}}], position: [0.38, 0, 0]}
contact: {method: rigid, restitution: 0, mu_k: 0.3}
run: {until: 2, tolerance: 1e-9, STEPS}
"""
MOVED = 'motion: "=0.5*t"'
PUSHED = 'drive: {position: "=0.5*t", stiffness: 1000, damping: 50, limit: 40}'
STEPS = {"events": "max_cpu: 60", "steps": "integrator: time_stepping, step: 1e-3"}


class Jammed(Case):
    def outcome(self, text, code):
        self.write(text)
        done = subprocess.run([str(CAROM), "run", "scene.yaml", "--json", "--no-output"], cwd=self.folder,
                              capture_output=True, text=True, timeout=300)
        self.assertEqual(code, done.returncode, done.stderr)
        return json.loads(done.stdout)

    def check_jam(self, result, bodies, before):
        self.assertEqual("failed", result["status"])
        self.assertIn("constraints contradict each other", result["reason"])
        self.assertTrue(any(f"'{a}' and '{b}'" in result["reason"] for a, b in bodies), result["reason"])
        self.assertIn("misses its law by", result["reason"])
        self.assertLess(result["time"], before)

    def test_a_ram_that_is_driven_into_a_wall(self):
        self.check_jam(self.outcome(RAM, FAILED), [("wall", "ram")], 0.701)
        steps = RAM.replace("tolerance: 1e-9", STEPS["steps"])
        self.check_jam(self.outcome(steps, FAILED), [("wall", "ram")], 0.72)

    def test_a_ball_between_a_ram_and_a_wall(self):
        for name, how in STEPS.items():
            text = BALL.replace("RAIL", MOVED).replace("STEPS", how)
            with self.subTest(name):
                self.check_jam(self.outcome(text, FAILED), [("wall", "ball"), ("ram", "ball")], 0.45)

    def test_a_drive_with_a_bounded_force_stops(self):
        for name, how in STEPS.items():
            text = BALL.replace("RAIL", PUSHED).replace("STEPS", how)
            with self.subTest(name):
                result = self.outcome(text, 0)
                self.assertEqual("completed", result["status"])
                ram = result["final"]["bodies"]["ram"]
                self.assertAlmostEqual(0.2, ram["position"][0], delta=1e-3)


if __name__ == "__main__":
    unittest.main()
