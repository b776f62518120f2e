"""The command line itself: help, misspelt words, lists and demos."""

import unittest

from harness import INVALID_SCENE, SOURCE, WRONG_USAGE, Case


class Usage(Case):
    def test_without_words_it_shows_its_commands(self):
        for words in ((), ("--help",)):
            self.assertIn("run", self.carom(*words).stdout)
        self.assertRegex(self.carom("--version").stdout, r"^carom \d+\.\d+\.\d+\n$")

    def test_every_command_explains_itself(self):
        for command in ("run", "demo", "new", "check", "list", "schema", "settle", "linearize",
                        "inverse", "materials", "page", "plot", "view", "completion", "man"):
            self.assertIn("Usage: carom " + command, self.carom(command, "--help").stdout)

    def test_misspelt_commands_and_options_get_suggestions(self):
        result = self.carom("rnu", "scene.yaml", code=WRONG_USAGE)
        self.assertIn("did you mean 'run'?", result.stderr)
        self.assertEqual("", result.stdout)
        result = self.carom("run", "scene.yaml", "--tolerence", "1e-9", code=WRONG_USAGE)
        self.assertIn("did you mean '--tolerance'?", result.stderr)
        result = self.carom("run", "scene.yaml", "--tolerence=1e-9", code=WRONG_USAGE)
        self.assertIn("did you mean '--tolerance'?", result.stderr)

    def test_missing_and_malformed_arguments_are_wrong_usage(self):
        self.carom("run", code=WRONG_USAGE)
        self.carom("run", "scene.yaml", "--until", "soon", code=WRONG_USAGE)

    def test_a_misspelt_catalogue_gets_a_suggestion(self):
        for word in ("joint", "jonts"):
            result = self.carom("list", word, code=WRONG_USAGE)
            self.assertIn("did you mean 'joints'?", result.stderr)
            self.assertEqual("", result.stdout)

    def test_a_result_file_of_unknown_format_is_wrong_usage(self):
        result = self.carom("demo", "pendulum", "-o", "x.txt", code=WRONG_USAGE)
        for word in ("x.txt", ".h5", ".csv"):
            self.assertIn(word, result.stderr)

    def test_findings_about_an_option_name_it(self):
        for option, value, word in (("--integrator", "erk9", "erk9"), ("--channels", "foo", "foo"),
                                    ("--until", "-1", "-1 s"), ("--tolerance", "2", "at most 0.1"),
                                    ("--step", "-1", "at least 0")):
            result = self.carom("demo", "pendulum", option, value, code=INVALID_SCENE)
            self.assertTrue(result.stderr.startswith(option + ": error: "), result.stderr)
            self.assertIn(word, result.stderr)


class Lists(Case):
    def test_every_catalogue_prints_a_table_and_json(self):
        expected = {"joints": "revolute", "shapes": "sphere", "forces": "bushing",
                    "integrators": "erk8", "materials": "steel", "normal": "exact",
                    "friction": "lugre", "resistance": "modia3d"}
        for catalogue, row in expected.items():
            self.assertIn(row, self.carom("list", catalogue).stdout)
            rows = self.carom_json("list", catalogue)
            self.assertIn(row, [r["name"] for r in rows])
            self.assertEqual(len(rows), len({r["name"] for r in rows}), catalogue)

    def test_fields_carry_unit_and_range(self):
        screw = next(r for r in self.carom_json("list", "joints") if r["name"] == "screw")
        self.assertEqual([("pitch", "m", 0.01)],
                         [(f["name"], f["unit"], f["default"]) for f in screw["fields"]])


class Materials(Case):
    def test_palettes_name_their_sources(self):
        self.assertIn("steel", self.carom("materials").stdout)
        palettes = self.carom_json("materials")
        for row in palettes["solids"] + palettes["pairs"]:
            self.assertGreater(len(row["source"]), 5)

    def test_two_materials_meet_as_hertz_says(self):
        # Steel ball of 50 mm on steel at 1 m/s: d = (5 m v²/(4 K))^(2/5), T = 2.943 d / v.
        seen = self.carom_json("materials", "steel", "steel", "--speed", "1", "--radius", "0.05")
        modulus = 200e9 / (2 * (1 - 0.3 ** 2))
        mass = 8000 * 4 / 3 * 3.141592653589793 * 0.05 ** 3
        stiffness = 4 / 3 * modulus * 0.05 ** 0.5
        depth = (1.25 * mass / stiffness) ** 0.4
        self.assertAlmostEqual(1, seen["modulus"] / modulus, delta=1e-12)
        self.assertAlmostEqual(1, seen["depth"] / depth, delta=1e-12)
        self.assertAlmostEqual(1, seen["duration"] / (2.9432751843247047 * depth), delta=1e-9)
        self.assertAlmostEqual(1, seen["output_step"] * 20 / seen["duration"], delta=1e-12)
        self.assertEqual((0.7, 0.5, 0.001), (seen["restitution"], seen["mu_k"], seen["mu_r"]))
        # The law itself loses energy: less deep, and for a longer time.
        by_law = seen["by_law"]
        self.assertEqual("exact", by_law["law"])
        self.assertAlmostEqual(0.7, by_law["speed_out"], delta=1e-5)
        self.assertLess(by_law["depth"], seen["depth"])
        self.assertGreater(by_law["duration"], seen["duration"])

    def test_unknown_names_get_suggestions(self):
        result = self.carom("materials", "steal", "oak", code=WRONG_USAGE)
        self.assertIn("did you mean 'steel'?", result.stderr)
        self.carom("materials", "steel", code=WRONG_USAGE)


class Demos(Case):
    def test_lists_the_examples(self):
        names = [demo["name"] for demo in self.carom_json("demo")]
        files = sorted(path.stem for path in (SOURCE / "examples").glob("*.yaml"))
        self.assertEqual(files, names)
        listing = self.carom("demo").stdout
        for name in names:
            self.assertIn(name, listing)

    def test_runs_one_and_writes_its_results_here(self):
        summary = self.carom_json("demo", "pendulum", "--until", "1")
        self.assertEqual("completed", summary["status"])
        self.assertEqual("completed", self.probe("pendulum.h5")["status"])

    def test_a_demo_is_saved_with_what_it_reads(self):
        printed = self.carom("demo", "gripper", "--print")
        self.assertIn("--save", printed.stderr)
        self.assertNotIn("--save", self.carom("demo", "pendulum", "--print").stderr)
        self.carom("demo", "gripper", "--save", "mine")
        self.assertEqual(printed.stdout, (self.folder / "mine" / "gripper.yaml").read_text())
        self.carom("check", "mine/gripper.yaml")
        self.carom("demo", "gripper", "--save", "mine")  # the same again does no harm
        (self.folder / "mine" / "gripper.yaml").write_text("my own")
        refused = self.carom("demo", "gripper", "--save", "mine", code=WRONG_USAGE)
        self.assertIn("is there already", refused.stderr)
        self.assertEqual("my own", (self.folder / "mine" / "gripper.yaml").read_text())

    def test_every_demo_begins(self):
        for demo in self.carom_json("demo"):
            summary = self.carom_json("demo", demo["name"], "--no-output", "--until", "0.05")
            self.assertEqual("completed", summary["status"], demo["name"])

    def test_prints_its_scene_file(self):
        text = (SOURCE / "examples/pendulum.yaml").read_text()
        self.assertEqual(text, self.carom("demo", "pendulum", "--print").stdout)

    def test_a_misspelt_demo_gets_a_suggestion(self):
        result = self.carom("demo", "pendulun", code=WRONG_USAGE)
        self.assertIn("did you mean 'pendulum'?", result.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
