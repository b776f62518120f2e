"""The tutorial: every scene of it runs in full, and ends as the text says."""

import json
import re
import subprocess
import sys
import tempfile
import pathlib
import unittest

CAROM, SOURCE = sys.argv[1], pathlib.Path(sys.argv[3])


class Tutorial(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        text = (SOURCE / "docs/tutorial.md").read_text()
        cls.blocks = re.findall(r"```yaml\n(.*?)```", text, re.S)

    def run_block(self, number, *settings):
        with tempfile.TemporaryDirectory() as folder:
            scene = pathlib.Path(folder) / "tutorial.yaml"
            scene.write_text(self.blocks[number - 1])
            words = [CAROM, "run", str(scene), "-q", "--no-output", "--json"]
            for setting in settings:
                words += ["--set", setting]
            done = subprocess.run(words, capture_output=True, text=True, timeout=300)
            self.assertEqual(0, done.returncode, done.stderr)
            result = json.loads(done.stdout)
        self.assertEqual("completed", result["status"])
        # The ledger closes: 1e-4 of a joule is far above what the tolerances leave.
        self.assertLess(abs(result["energy"]["residual"]), 1e-4)
        return result

    @staticmethod
    def position(result, body):
        return result["final"]["bodies"][body]["position"]

    def at_rest(self, result, body):
        for v in result["final"]["bodies"][body]["velocity"]:
            self.assertAlmostEqual(0.0, v, delta=1e-4)

    def test_there_are_six_scenes(self):
        self.assertEqual(6, len(self.blocks))

    def test_the_ball_bounces_and_lies_still(self):
        result = self.run_block(1)
        self.assertGreaterEqual(sum(e["kind"] == "contact_begin" for e in result["events"]), 6)
        self.assertAlmostEqual(0.02995, self.position(result, "ball")[2], delta=1e-5)
        self.at_rest(result, "ball")
        self.assertFalse(result["warnings"])

    def test_the_ball_rolls_and_stops_unless_nothing_resists(self):
        result = self.run_block(2)
        self.assertLess(self.position(result, "ball")[0], 0.5)
        self.at_rest(result, "ball")
        self.assertLess(self.position(self.run_block(2, "contact.material_pairs.0.mu_r=0"), "ball")[2], 0)

    def test_the_hammer_moves_the_block_by_13_cm(self):
        result = self.run_block(3)
        self.assertAlmostEqual(0.13, self.position(result, "block")[0] - 0.1, delta=0.005)
        self.at_rest(result, "block")
        self.assertLess(self.position(self.run_block(3, "values.angle=1.2"), "block")[2], 0)

    def test_the_pusher_ends_where_its_ramp_says_and_the_block_before_it(self):
        result = self.run_block(4)
        self.assertAlmostEqual(0.05, self.position(result, "pusher")[0], delta=1e-4)
        self.assertGreater(self.position(result, "block")[0], 0.05 + 0.02 + 0.05)

    def test_each_finger_presses_with_the_force_of_its_drive(self):
        contacts = {tuple(c["pair"]): c["force"] for c in self.run_block(5)["contacts"]}
        self.assertAlmostEqual(-30, contacts["block", "left"][0], delta=1e-3)
        self.assertAlmostEqual(30, contacts["block", "right"][0], delta=1e-3)
        weight = 700 * 0.1 * 0.1 * 0.08 * 9.81
        self.assertAlmostEqual(weight, contacts["table", "block"][2], delta=1e-2)

    def test_the_gripper_lifts_the_block_if_it_grips_hard_enough(self):
        # The drive still swings by millimetres where the run ends.
        self.assertAlmostEqual(0.04 + 0.2, self.position(self.run_block(6), "block")[2], delta=0.01)
        self.assertAlmostEqual(0.04, self.position(self.run_block(6, "values.grip=3"), "block")[2], delta=1e-3)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
