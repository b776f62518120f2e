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

    def test_a_dict_is_a_study_too(self):
        study = {
            "scene": str(self.folder / "scene.yaml"),
            "vary": {"joints.pivot.q": [0.1, 0.2, 0.4]},
            "design": {"grid": 3},
            "record": {"q": "pivot.q@end", "twice": "=2*q"},
        }
        table = carom.sweep(study, threads=2, allow_outside=True)
        self.assertEqual([0.1, 0.2, 0.4], list(table["joints.pivot.q"]))
        np.testing.assert_array_equal(2 * table["q"], table["twice"])
        with self.assertRaises(carom.SceneError):
            carom.sweep({**study, "design": {"sobl": 3}})

    def test_what_is_no_study_is_an_error(self):
        for wrong in (17, None, ["study.yaml"]):
            with self.assertRaises((TypeError, RuntimeError)):
                carom.sweep(wrong)
        with self.assertRaises(carom.SceneError):
            carom.sweep(self.folder / "nowhere.yaml")
        with self.assertRaises(ValueError):
            carom.sweep(self.study, threads=-1)

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
        with self.assertRaises(ValueError):
            scene.run_many([{"values.l": 1}, {"joints.pivot.q": 1}])
        with self.assertRaises(TypeError):
            scene.run_many({"values.l": 1})
        with self.assertRaises(TypeError):
            scene.run_many({"run.integrator": "erk8"})

    def test_a_failure_is_a_row(self):
        scene = carom.parse(SCENE)
        table = scene.run_many({"run.tolerance": [1e-8, -1, float("nan")]}, {"q": "pivot.q@end"})
        self.assertEqual(["completed", "invalid", "invalid"], list(table["status"]))
        self.assertTrue(np.isnan(table["q"][1]))
        self.assertIn("tolerance", table["reason"][1])

    def test_words_and_switches_vary_too(self):
        scene = carom.parse(SCENE)
        table = scene.run_many({"run.integrator": ["erk8", "auto"]}, {"q": "pivot.q@end"})
        for i, name in enumerate(table["run.integrator"]):
            self.assertEqual(scene.run(integrator=name).final["joints"]["pivot"]["q"][0], table["q"][i])

    def test_starts_and_parameters_share_one_model(self):
        scene = carom.parse(SCENE.replace("q: 0.5", "q: 0.5, damping: 0.1"))
        angles, dampings = np.linspace(-1, 1, 24), np.linspace(0, 0.5, 24)  # a damping of 0 compiles
        table = scene.run_many({"joints.pivot.q": angles, "joints.pivot.damping": dampings}, threads=8)
        for i in range(24):
            one = scene.copy()
            one["joints.pivot.q"] = angles[i]
            one["joints.pivot.damping"] = dampings[i]
            result = one.run()
            self.assertEqual(result.final["joints"]["pivot"]["q"][0], table["pivot.q"][i])
            self.assertEqual(result.final["joints"]["pivot"]["v"][0], table["pivot.v"][i])

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
