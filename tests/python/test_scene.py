"""Scenes from files, texts and dicts; changes; errors and their places."""

import os
import pathlib
import tempfile
import unittest

import numpy as np

import carom
import support

TEXT = """\
carom: 1
name: Ball
values: {r: 0.05}
bodies:
  ball: {mass: 2, inertia: [1, 1, 1], shapes: [{sphere: {radius: $r}}], position: [0, 0, 3]}
  arm: {mass: 1, inertia: [1, 1, 1], joint: {revolute: {axis: y}, name: pivot, q: 0.25}}
run: {until: 0.5}
"""


def place(text, word):
    """Line and column of `word`, counted by hand."""
    for number, line in enumerate(text.splitlines(), 1):
        if word in line:
            return number, line.index(word) + 1
    raise AssertionError(word)


class Making(unittest.TestCase):
    def test_a_file_a_text_and_a_dict_give_the_same_scene(self):
        content = {
            "name": "Ball",
            "values": {"r": 0.05},
            "bodies": {
                "ball": {"mass": 2, "inertia": (1, 1, 1), "shapes": [{"sphere": {"radius": "$r"}}],
                         "position": np.array([0, 0, 3])},
                "arm": {"mass": np.float64(1), "inertia": np.ones(3),
                        "joint": {"revolute": {"axis": "y"}, "name": "pivot", "q": 0.25}},
            },
            "run": {"until": np.float32(0.5)},
        }
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "ball.yaml"
            path.write_text(TEXT)
            from_file = carom.load(path)
            self.assertEqual(carom.load(str(path)).expand(), from_file.expand())
        self.assertEqual(from_file.name, "Ball")
        self.assertEqual(carom.parse(TEXT).expand(), from_file.expand())
        self.assertEqual(carom.scene(content).expand(), from_file.expand())

    def test_numbers_of_a_dict_arrive_to_the_last_bit(self):
        for mass in (0.1, 1 / 3, np.nextafter(1.0, 2.0), 1.2345678901234567e-300, 3, 10**15):
            scene = carom.scene({"bodies": {"b": {"fixed": True, "mass": mass, "inertia": [1, 1, 1]}}})
            self.assertEqual(scene.check()["bodies"]["b"]["mass"], float(mass))

    def test_texts_of_a_dict_arrive_as_they_are(self):
        name = 'odd: "name" \\ #1, {x}\n\té'
        self.assertEqual(carom.scene({"name": name, "bodies": {}}).name, name)

    def test_formulas_and_switches_work_in_dicts(self):
        scene = carom.scene({
            "values": {"r": 2},
            "bodies": {"b": {"mass": "=r^2", "inertia": [1, 1, 1],
                             "shapes": [{"sphere": {"radius": "$r"}, "contact": False}]}}})
        self.assertEqual(scene.check()["bodies"]["b"]["mass"], 4.0)

    def test_what_no_scene_can_hold_is_refused(self):
        with self.assertRaises(TypeError):
            carom.scene({"name": object()})
        with self.assertRaises(TypeError):
            carom.scene({1: "one"})
        with self.assertRaises(ValueError):
            carom.scene({"gravity": [0, 0, float("nan")]})
        endless = []
        endless.append(endless)
        with self.assertRaises(ValueError):
            carom.scene({"bodies": endless})

    def test_files_outside_the_folder_are_refused_unless_allowed(self):
        with tempfile.TemporaryDirectory() as folder:
            inner = os.path.join(folder, "inner")
            os.mkdir(inner)
            pathlib.Path(folder, "part.yaml").write_text("values: {r: 1}\n")
            path = pathlib.Path(inner, "scene.yaml")
            path.write_text("carom: 1\ninclude: ../part.yaml\nbodies: {}\n")
            with self.assertRaisesRegex(carom.SceneError, "outside"):
                carom.load(path)
            carom.load(path, allow_outside=True)
            text = "carom: 1\ninclude: part.yaml\nbodies: {}\n"
            with self.assertRaisesRegex(carom.SceneError, "no folder"):
                carom.parse(text)
            self.assertEqual(carom.parse(text, folder=folder)["values.r"], 1.0)


class Changing(unittest.TestCase):
    def test_values_are_changed_and_read_by_path(self):
        scene = carom.parse(TEXT)
        scene["bodies.ball.velocity"] = np.array([1.0, 0.0, 2.0])
        scene.set("joints.pivot.damping", 0.5)
        scene["values.r"] *= 2
        self.assertEqual(scene["bodies.ball.velocity"], [1, 0, 2])
        self.assertEqual(scene["bodies.arm.joint.damping"], 0.5)
        self.assertEqual(scene.get("joints.pivot.q"), 0.25)
        self.assertEqual(scene["bodies.ball.shapes.0.sphere"], {"radius": "$r"})
        self.assertEqual(scene["values.r"], 0.1)
        np.testing.assert_array_equal(scene.run()["ball.velocity"][0], [1, 0, 2])
        with self.assertRaises(KeyError):
            scene["bodies.ball.colour"]
        with self.assertRaises(KeyError):
            scene["joints.hinge"]

    def test_load_takes_changes_as_a_dict_or_as_the_command_does(self):
        one = carom.parse(TEXT, set={"bodies.ball.velocity": [1, 0, 0], "values.r": 0.1})
        other = carom.parse(TEXT, set=["bodies.ball.velocity=[1, 0, 0]", "values.r=0.1"])
        self.assertEqual(one.expand(), other.expand())
        self.assertNotEqual(one.expand(), carom.parse(TEXT).expand())

    def test_the_source_of_a_changed_scene_says_what_runs(self):
        scene = carom.parse(TEXT)
        self.assertEqual(scene.source, TEXT)
        scene["bodies.ball.mass"] = 7
        self.assertEqual(carom.parse(scene.source).check()["bodies"]["ball"]["mass"], 7)

    def test_a_copy_is_changed_by_itself(self):
        scene = carom.parse(TEXT)
        other = scene.copy()
        other["bodies.ball.mass"] = 7
        self.assertEqual(scene.check()["bodies"]["ball"]["mass"], 2)
        self.assertEqual(other.check()["bodies"]["ball"]["mass"], 7)

    def test_run_settings_hold_for_one_run(self):
        scene = carom.parse(TEXT)
        self.assertEqual(scene.run(until=0.25, integrator="rk4", step=0.01).statistics["integrator"], "rk4")
        self.assertEqual(scene.run(0.25).time[-1], 0.25)
        self.assertEqual(scene.run().time[-1], 0.5)


class Errors(unittest.TestCase):
    def assert_refused(self, make):
        with self.assertRaises(carom.SceneError) as caught:
            make()
        self.assertIsInstance(caught.exception, ValueError)
        return caught.exception

    def test_a_finding_has_its_place_and_a_remedy(self):
        text = TEXT.replace("sphere: {radius", "sphere: {radus")
        error = self.assert_refused(lambda: carom.parse(text))
        found = [d for d in error.diagnostics if "radus" in d["message"]]
        self.assertEqual(len(found), 1)
        self.assertEqual((found[0]["line"], found[0]["column"]), place(text, "radus"))
        self.assertEqual((found[0]["file"], found[0]["severity"]), ("scene", "error"))
        self.assertIn("radius", found[0]["remedy"])
        self.assertIn("scene:%d:%d" % place(text, "radus"), str(error))

    def test_all_findings_come_at_once(self):
        text = TEXT.replace("mass: 2", "mass: -2").replace("until: 0.5", "until: soon")
        error = self.assert_refused(lambda: carom.parse(text))
        lines = {d["line"] for d in error.diagnostics}
        self.assertLessEqual({place(text, "mass: -2")[0], place(text, "until")[0]}, lines)

    def test_the_file_is_named(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "bad.yaml")
            pathlib.Path(path).write_text("carom: 1\nbodys: {}\n")
            error = self.assert_refused(lambda: carom.load(path))
            self.assertEqual(error.diagnostics[0]["file"], path)
            self.assertEqual((error.diagnostics[0]["line"], error.diagnostics[0]["column"]), (2, 1))
            self.assert_refused(lambda: carom.load(os.path.join(folder, "none.yaml")))

    def test_findings_in_a_dict_are_placed_by_path(self):
        content = support.pendulum()
        content["bodies"]["rod"]["mass"] = -1
        error = self.assert_refused(lambda: carom.scene(content))
        self.assertEqual(error.diagnostics[0]["file"], "bodies.rod.mass")
        self.assertIsNone(error.diagnostics[0]["line"])

    def test_a_wrong_path_is_refused_at_once_and_changes_nothing(self):
        scene = carom.parse(TEXT)
        before = scene.expand()
        error = self.assert_refused(lambda: scene.set("bodies.ball.velocty", [0, 0, 0]))
        self.assertIn("velocity", error.diagnostics[0]["remedy"])
        self.assertEqual(error.diagnostics[0]["file"], "bodies.ball.velocty")
        self.assertEqual(scene.expand(), before)

    def test_a_wrong_value_is_found_when_the_scene_is_used(self):
        scene = carom.parse(TEXT)
        scene["bodies.ball.mass"] = -1
        error = self.assert_refused(scene.check)
        self.assertEqual(error.diagnostics[0]["file"], "bodies.ball.mass")
        scene["bodies.ball.mass"] = 1
        scene.check()

    def test_wrong_run_settings_are_named(self):
        scene = carom.parse(TEXT)
        self.assertIn("erk5", str(self.assert_refused(lambda: scene.run(integrator="rk5"))))
        error = self.assert_refused(lambda: scene.run(tolerance=-1))
        self.assertEqual(error.diagnostics[0]["file"], "run.tolerance")
        self.assert_refused(lambda: scene.run(channels=["nothing"]))
        with self.assertRaises(TypeError):
            scene.run(untl=3)


if __name__ == "__main__":
    unittest.main()
