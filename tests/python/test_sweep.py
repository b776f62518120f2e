"""Studies from Python: the table of a file, and many runs in one call."""

import pathlib
import tempfile
import threading
import time
import unittest

import numpy as np

import carom

SCENE = """carom: 1
name: Pendulum
values: {l: 1}
bodies:
  bob: {mass: 1, com: [0, 0, "=-l"], inertia: [0, 0, 0], joint: {revolute: {axis: y}, name: pivot, q: 0.5}}
run: {until: 2, output: {step: 0.1}}
"""
STUDY = """carom_study: 1
scene: scene.yaml
vary: {values.l: {uniform: [0.5, 2]}, run.integrator: [erk8, auto]}
design: {sobol: 16}
record: {q: pivot.q@end, fastest: max(pivot.v)}
"""


class Sweep(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "scene.yaml").write_text(SCENE)
        self.study = self.folder / "study.yaml"
        self.study.write_text(STUDY)

    def test_gives_a_table_of_columns(self):
        table = carom.sweep(self.study, threads=2)
        self.assertEqual(16, len(table))
        self.assertEqual(["completed"] * 16, list(table["status"]))
        self.assertEqual("rad", table.unit("q"))
        self.assertIn("values.l", table)
        for l, q in zip(table["values.l"][:3], table["q"][:3]):
            result = carom.load(self.folder / "scene.yaml", set={"values.l": l}).run()
            self.assertEqual(result.final["joints"]["pivot"]["q"][0], q)
        table.save(self.folder / "a.csv")
        self.assertEqual(17, len((self.folder / "a.csv").read_text().splitlines()))
        self.assertEqual("parts", table.analyse()["sensitivity"]["method"])
        with self.assertRaises(KeyError):
            table["nothing"]

    def test_findings_are_scene_errors(self):
        self.study.write_text(STUDY.replace("values.l", "values.m"))
        with self.assertRaises(carom.SceneError) as caught:
            carom.sweep(self.study)
        self.assertEqual(3, caught.exception.diagnostics[0]["line"])


class RunMany(unittest.TestCase):
    def test_has_the_bits_of_a_loop(self):
        scene = carom.parse(SCENE)
        lengths = np.linspace(0.5, 2, 24)
        table = scene.run_many({"values.l": lengths, "joints.pivot.damping": 0.01 * lengths}, threads=8)
        for i, l in enumerate(lengths):
            one = scene.copy()
            one["values.l"] = l
            one["joints.pivot.damping"] = 0.01 * l
            final = one.run().final
            self.assertEqual(final["joints"]["pivot"]["q"][0], table["pivot.q"][i])
            self.assertEqual(final["bodies"]["bob"]["orientation"][0], table["bob.orientation.w"][i])

    def test_takes_rows_and_records(self):
        scene = carom.parse(SCENE)
        table = scene.run_many([{"values.l": 1}, {"values.l": 2}], {"v": "max(pivot.v)"}, threads=1)
        self.assertEqual((2,), table["v"].shape)
        self.assertGreater(table["v"][0], table["v"][1])

    def test_names_what_is_wrong(self):
        scene = carom.parse(SCENE)
        with self.assertRaises(carom.SceneError):
            scene.run_many({"values.k": [1, 2]})
        with self.assertRaises(ValueError):
            scene.run_many({"values.l": [1, 2], "joints.pivot.q": [1]})
        with self.assertRaises(carom.SceneError):
            scene.run_many({"values.l": []})

    def test_lets_other_threads_work(self):
        scene = carom.parse(SCENE)
        ticks = 0
        done = threading.Event()

        def count():
            nonlocal ticks
            while not done.is_set():
                ticks += 1
                time.sleep(0.001)

        other = threading.Thread(target=count)
        other.start()
        scene.run_many({"values.l": np.linspace(0.5, 2, 2000)}, threads=2)
        done.set()
        other.join()
        self.assertGreater(ticks, 5)


if __name__ == "__main__":
    unittest.main()
