"""What the tests of the command share: running it in a folder of their own.

    python3 some_test.py <carom> <result_probe> <source folder>
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

CAROM, PROBE, SOURCE = (pathlib.Path(word).resolve() for word in sys.argv[1:4])
del sys.argv[1:4]

DONE, FAILED, WRONG_USAGE, INVALID_SCENE, INTERRUPTED = 0, 1, 2, 3, 130

PENDULUM = """carom: 1
name: Point pendulum
bodies:
  bob: {mass: 1, com: [0, 0, -1], inertia: [0, 0, 0], joint: {revolute: {axis: y}, name: pivot, q: 0.5}}
run: {until: 2, output: {step: 0.5}}
"""


class Case(unittest.TestCase):
    """Every test runs in an empty folder."""

    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="carom-cli-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, text, name="scene.yaml"):
        path = self.folder / name
        path.write_text(text)
        return path

    def carom(self, *words, code=DONE):
        """Runs the command; its exit code has to be `code`."""
        result = subprocess.run([str(CAROM), *map(str, words)], cwd=self.folder, text=True,
                                capture_output=True, timeout=300)
        self.assertEqual(code, result.returncode, f"{words}\n{result.stdout}\n{result.stderr}")
        return result

    def carom_json(self, *words, code=DONE):
        """The one JSON document that stdout has to be."""
        return json.loads(self.carom(*words, "--json", code=code).stdout)

    def start(self, *words):
        """The command in the background; killed at the end of the test."""
        process = subprocess.Popen([str(CAROM), *map(str, words)], cwd=self.folder, text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(lambda: (process.kill(), process.communicate()))
        return process

    def probe(self, name):
        """What a result file holds, read by a program of its own."""
        result = subprocess.run([str(PROBE), str(self.folder / name)], text=True,
                                capture_output=True, timeout=60)
        self.assertEqual(0, result.returncode, result.stderr)
        return json.loads(result.stdout)

    def csv(self, name):
        """Header words and rows of numbers, of the output grid alone."""
        lines = (self.folder / name).read_text().splitlines()
        lines = [line for line in lines if line and not line.startswith("#")]
        header, rows = lines[0].split(","), [[float(x) for x in line.split(",")] for line in lines[1:]]
        if header[-1] != "on_grid":
            return header, rows
        return header[:-1], [row[:-1] for row in rows if row[-1] == 1]
