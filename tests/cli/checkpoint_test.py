"""carom run --checkpoint and --resume: whenever a kill comes, the end is the same."""

import json
import random
import time
import unittest

from harness import FAILED, INTERRUPTED, PENDULUM, Case

TUMBLING = """carom: 1
bodies:
  floor: {fixed: true, material: steel, shapes: [{half_space: {}}]}
  box: {material: steel, shapes: [{box: {size: [0.1, 0.12, 0.14]}}], position: [0, 0, 0.2], angular_velocity: [3, 2, 1]}
  ball: {material: steel, shapes: [{sphere: {radius: 0.05}}], position: [0.02, 0.01, 0.4]}
contact: {law: exact, friction: lugre, restitution: 0.5, k_red: 1e-4}
run: {until: 1.5, tolerance: 1e-8, output: {step: 0.001}}
"""
RESTING = """carom: 1
bodies:
  floor: {fixed: true, material: steel, shapes: [{half_space: {}}]}
  low: {material: steel, shapes: [{box: {size: 0.1}}], position: [0, 0, 0.05]}
  top: {material: steel, shapes: [{box: {size: 0.08}}], position: [0.01, 0, 0.14]}
  far: {material: steel, shapes: [{box: {size: 0.1}}], position: [1, 0, 0.05]}
  ball: {material: steel, shapes: [{sphere: {radius: 0.03}}], position: [0, 0, 3]}
contact: {restitution: 0.3, friction: lugre}
run: {until: 1.2, integrator: implicit_contact, step: 0.002, freeze: 1e-4, output: {step: 0.002}}
"""
OFTEN = ("--checkpoint", "0.02")


class Checkpoints(Case):
    def end_of(self, name):
        """Rows and events as text: every digit that a double has."""
        return [(self.folder / (name + ending)).read_text() for ending in (".csv", ".events.csv")]

    def summary(self, *words):
        result = self.carom_json(*words)
        del result["statistics"]["cpu_seconds"], result["statistics"]["real_time_factor"]
        return result

    def test_a_run_that_is_killed_again_and_again_ends_the_same(self):
        scene = self.write(TUMBLING)
        whole = self.summary("run", scene, *OFTEN, "-o", "whole.h5", "-o", "whole.csv")
        self.assertGreater(len(whole["events"]), 10)
        seed = random.randrange(10**6)
        draw = random.Random(seed)
        kills = 0
        for _ in range(12):
            process = self.start("run", scene, *OFTEN, "-o", "cut.h5", "--resume")
            time.sleep(draw.uniform(0.0, 0.25))
            kills += process.poll() is None
            process.kill()
            process.communicate(timeout=60)
        self.assertGreater(kills, 0, "every run had ended before its kill")
        cut = self.summary("run", scene, *OFTEN, "-o", "cut.h5", "-o", "cut.csv", "--resume")
        self.assertEqual(whole, cut, f"seed {seed}")
        self.assertEqual(self.end_of("whole"), self.end_of("cut"), f"seed {seed}")
        self.assertFalse((self.folder / "cut.h5.before").exists())

    def test_what_was_frozen_stays_so(self):
        """Islands freeze, are struck, and freeze again, in pieces of a few milliseconds of CPU time."""
        scene = self.write(RESTING)
        often = ("--checkpoint", "0.1")
        whole = self.summary("run", scene, *often, "-o", "whole.h5", "-o", "whole.csv")
        kinds = [event["kind"] for event in whole["events"]]
        self.assertIn("freeze", kinds)
        self.assertIn("wake", kinds)
        stopped = 0
        for _ in range(3):
            process = self.start("run", scene, *often, "-o", "cut.h5", "--resume", "--max-cpu", "0.008")
            process.communicate(timeout=60)
            stopped += process.returncode == INTERRUPTED
        self.assertGreater(stopped, 0, "every run had ended before its limit of CPU time")
        cut = self.summary("run", scene, *often, "-o", "cut.h5", "-o", "cut.csv", "--resume")
        self.assertEqual(whole, cut)
        self.assertEqual(self.end_of("whole"), self.end_of("cut"))

    def test_a_checkpoint_of_another_scene_is_refused(self):
        scene = self.write(PENDULUM)
        self.carom("run", scene, "--checkpoint", "0.5", "-o", "a.h5")
        result = self.carom("run", scene, "--checkpoint", "0.5", "-o", "a.h5", "--resume", "--set",
                            "joints.pivot.q=0.6", code=FAILED)
        self.assertIn("another scene", result.stderr)

    def test_a_damaged_checkpoint_is_refused(self):
        scene = self.write(PENDULUM)
        self.carom("run", scene, "--checkpoint", "0.5", "-o", "a.h5")
        file = self.folder / "a.checkpoint"
        bytes_ = bytearray(file.read_bytes())
        bytes_[-20] ^= 1
        file.write_bytes(bytes_)
        result = self.carom("run", scene, "--checkpoint", "0.5", "-o", "a.h5", "--resume",
                            code=FAILED)
        self.assertIn("damaged", result.stderr)

    def test_without_a_checkpoint_a_run_starts_at_the_beginning(self):
        scene = self.write(PENDULUM)
        result = self.carom("run", scene, "--checkpoint", "0.5", "--resume", "--json")
        self.assertEqual(2, json.loads(result.stdout)["time"])
        self.assertIn("starting at the beginning", result.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
