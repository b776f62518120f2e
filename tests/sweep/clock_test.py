"""A clock that jumps changes no byte of a table, and no run ends by it.

    python3 clock_test.py <carom> <jumping_clock.so>
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

CAROM, CLOCK = (pathlib.Path(word).resolve() for word in (sys.argv.pop(1), sys.argv.pop(1)))

SCENE = """carom: 1
name: Pendulum
values: {l: 1}
bodies:
  bob: {mass: 1, com: [0, 0, "=-l"], inertia: [0, 0, 0], joint: {revolute: {axis: y}, name: pivot, q: 0.5}}
run: {until: 2, output: {step: 0.1}}
"""
STUDY = """carom_study: 1
scene: scene.yaml
vary: {values.l: {uniform: [0.5, 2]}}
design: {sobol: 200}
record: {q: pivot.q@end}
per_run: {max_cpu: 30}
"""


class JumpingClock(unittest.TestCase):
    def tables(self, folder, starts, **environment):
        pathlib.Path(folder, "scene.yaml").write_text(SCENE)
        pathlib.Path(folder, "study.yaml").write_text(STUDY)
        for words in starts:
            result = subprocess.run([CAROM, "sweep", "study.yaml", "-q", *words], cwd=folder, text=True,
                                    capture_output=True, env={**os.environ, **environment}, timeout=120)
            self.assertEqual(0, result.returncode, result.stderr)
        return [pathlib.Path(folder, f"study.{end}").read_bytes() for end in ("h5", "csv")]

    def test_changes_no_byte(self):
        with tempfile.TemporaryDirectory() as a, tempfile.TemporaryDirectory() as b:
            expected = self.tables(a, [["-j", "1"]])
            starts = [["--shard", "2/3"], ["--wait", "1", "-j", "2"], []]
            self.assertEqual(expected, self.tables(b, starts, LD_PRELOAD=str(CLOCK)))


if __name__ == "__main__":
    unittest.main(verbosity=2)
