"""carom new, check and schema: scene files before they run."""

import json
import unittest

from harness import INVALID_SCENE, PENDULUM, SOURCE, WRONG_USAGE, Case


class New(Case):
    def test_writes_a_scene_that_checks_and_runs(self):
        self.carom("new", "first.yaml")
        self.carom("check", "first.yaml")
        self.assertEqual("completed", self.carom_json("run", "first.yaml", "--until", "0.1")["status"])

    def test_does_not_overwrite_unless_told_to(self):
        path = self.write("mine", "first.yaml")
        self.carom("new", "first.yaml", code=WRONG_USAGE)
        self.assertEqual("mine", path.read_text())
        self.carom("new", "first.yaml", "--force")
        self.assertIn("carom: 1", path.read_text())


class Check(Case):
    def test_says_what_was_understood(self):
        checked = self.carom_json("check", self.write(PENDULUM))
        self.assertEqual(("Point pendulum", 1, 0),
                         (checked["name"], checked["degrees_of_freedom"], checked["redundant_rows"]))
        bob = checked["bodies"]["bob"]
        self.assertEqual((1, [0, 0, -1], False), (bob["mass"], bob["com"], bob["fixed"]))
        self.assertIn("pivot", self.carom("check", self.folder / "scene.yaml").stdout)

    def test_counts_the_redundant_rows_of_a_planar_linkage(self):
        checked = self.carom_json("check", SOURCE / "examples/four_bar.yaml")
        # A revolute loop has 5 rows; the plane needs 2 of them.
        self.assertEqual((5, 3), (checked["constraint_rows"], checked["redundant_rows"]))

    def test_reports_all_findings_at_once_with_place_and_remedy(self):
        scene = self.write("carom: 1\nbodies:\n  ball: {mas: 1, shapes: [{sphere: {radius: -1}}]}\n"
                           "run: {untill: 3}\n")
        result = self.carom("check", scene, code=INVALID_SCENE)
        self.assertEqual("", result.stdout)
        for place in (":3:", ":4:"):
            self.assertIn("scene.yaml" + place, result.stderr)
        for word in ("mass", "radius", "until"):
            self.assertIn(word, result.stderr)

    def test_expand_is_a_scene_that_runs_the_same(self):
        scene = SOURCE / "examples/double_pendulum.yaml"
        self.write(self.carom("check", scene, "--expand").stdout, "expanded.yaml")
        ends = [self.carom_json("run", s, "--no-output", "--until", "1")["final"]
                for s in (scene, "expanded.yaml")]
        self.assertEqual(ends[0], ends[1])

    def test_is_no_way_to_read_other_files(self):
        self.write(PENDULUM, "scene.yaml")
        (self.folder / "inner").mkdir()
        outside = self.write("carom: 1\ninclude: ../scene.yaml\n", "inner/outside.yaml")
        self.carom("check", outside, code=INVALID_SCENE)
        self.carom("check", outside, "--allow-outside")


class Schema(Case):
    def test_is_json_and_knows_the_sections(self):
        schema = json.loads(self.carom("schema").stdout)
        self.assertIn("$defs", schema)
        self.assertIn("bodies", self.carom("schema", "--markdown").stdout)


if __name__ == "__main__":
    unittest.main(verbosity=2)
