"""The command line itself: help, misspelt words, lists and demos."""

import unittest

from harness import SOURCE, WRONG_USAGE, Case


class Usage(Case):
    def test_without_words_it_shows_its_commands(self):
        for words in ((), ("--help",)):
            self.assertIn("run", self.carom(*words).stdout)
        self.assertRegex(self.carom("--version").stdout, r"^carom \d+\.\d+\.\d+\n$")

    def test_every_command_explains_itself(self):
        for command in ("run", "demo", "new", "check", "list", "schema", "settle", "linearize",
                        "inverse", "page", "plot", "view", "completion", "man"):
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
        self.carom("list", "jonts", code=WRONG_USAGE)


class Lists(Case):
    def test_every_catalogue_prints_a_table_and_json(self):
        expected = {"joints": "revolute", "shapes": "sphere", "forces": "bushing",
                    "integrators": "erk8", "materials": "steel"}
        for catalogue, row in expected.items():
            self.assertIn(row, self.carom("list", catalogue).stdout)
            rows = self.carom_json("list", catalogue)
            self.assertIn(row, [r["name"] for r in rows])
            self.assertEqual(len(rows), len({r["name"] for r in rows}), catalogue)

    def test_fields_carry_unit_and_range(self):
        screw = next(r for r in self.carom_json("list", "joints") if r["name"] == "screw")
        self.assertEqual([("pitch", "m", 0.01)],
                         [(f["name"], f["unit"], f["default"]) for f in screw["fields"]])


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
