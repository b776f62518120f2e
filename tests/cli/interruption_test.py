"""Ctrl-C and kill -9 in the middle of a long run."""

import json
import signal
import time
import unittest

from harness import INTERRUPTED, SOURCE, Case

LONG = ("--until", "1e7", "--output-step", "0.01")


class Interruption(Case):
    def start_long_run(self, *words):
        """A run that would take hours, once it has written some rows."""
        process = self.start("run", SOURCE / "examples/double_pendulum.yaml", *LONG, *words)
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline:
            self.assertIsNone(process.poll(), "the run ended by itself")
            file = self.folder / "a.h5"
            if file.exists() and file.stat().st_size > 300_000:
                return process
            time.sleep(0.05)
        self.fail("no rows within two minutes")

    def interrupt(self, which):
        process = self.start_long_run("-o", "a.h5", "-o", "a.csv", "--json")
        process.send_signal(which)
        stdout, stderr = process.communicate(timeout=60)
        self.assertEqual(INTERRUPTED, process.returncode, stderr)
        summary = json.loads(stdout)
        self.assertEqual("interrupted", summary["status"])
        self.assertIn("interrupted", stderr)
        kept = self.probe("a.h5")
        self.assertEqual("interrupted", kept["status"])
        self.assertGreater(kept["rows"], 100)
        self.assertLessEqual(kept["last_time"], summary["time"])
        self.assertGreater(kept["last_time"], summary["time"] - 0.011, "all rows up to the end")
        _, rows = self.csv("a.csv")
        self.assertEqual(kept["rows"], len(rows))

    def test_ctrl_c_keeps_the_results(self):
        self.interrupt(signal.SIGINT)

    def test_a_polite_kill_keeps_the_results(self):
        self.interrupt(signal.SIGTERM)

    def test_max_cpu_ends_any_run_and_keeps_the_rows(self):
        process = self.start("run", SOURCE / "examples/double_pendulum.yaml", *LONG, "-o", "a.h5",
                             "--json", "--max-cpu", "0.7")
        stdout, stderr = process.communicate(timeout=300)
        self.assertEqual(INTERRUPTED, process.returncode, stderr)
        self.assertIn("stopped by run.max_cpu: more than 0.7 s", stderr)
        self.assertIn("run.max_cpu", json.loads(stdout)["reason"])
        kept = self.probe("a.h5")
        self.assertEqual("interrupted", kept["status"])
        self.assertGreater(kept["rows"], 10)

    def test_a_scene_file_bounds_its_own_run(self):
        scene = self.write((SOURCE / "examples/double_pendulum.yaml").read_text()
                           .replace("run: {", "run: {max_cpu: 0.5, "))
        process = self.start("run", scene, *LONG, "-o", "b.h5", "--json")
        stdout, stderr = process.communicate(timeout=300)
        self.assertEqual(INTERRUPTED, process.returncode, stderr)
        self.assertIn("more than 0.5 s", json.loads(stdout)["reason"])
        self.assertGreater(self.probe("b.h5")["rows"], 10)

    def test_a_limit_of_nothing_is_a_finding(self):
        process = self.start("run", SOURCE / "examples/double_pendulum.yaml", "--max-cpu", "0", "--no-output")
        _, stderr = process.communicate(timeout=60)
        self.assertEqual(3, process.returncode, stderr)
        self.assertIn("--max-cpu", stderr)

    def test_kill_9_leaves_a_readable_file(self):
        process = self.start_long_run("-o", "a.h5")
        time.sleep(1.5)  # rows reach the disk twice a second
        process.kill()
        process.communicate(timeout=60)
        kept = self.probe("a.h5")
        self.assertEqual("running", kept["status"])
        self.assertGreater(kept["rows"], 100)
        # Rows are whole: the last one lies on the grid of samples.
        self.assertAlmostEqual(0.01 * (kept["rows"] - 1), kept["last_time"], places=6)


if __name__ == "__main__":
    unittest.main(verbosity=2)
