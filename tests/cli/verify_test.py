"""carom verify: the contract of its output, and that a wrong expectation fails."""

import json
import re
import unittest

from harness import DONE, INVALID_SCENE, SOURCE, WRONG_USAGE, Case

NOT_VERIFIED = 4
KEYS = {"name", "passed", "expected", "computed", "error", "tolerance", "source"}
FALL = """title: A ball falls
source: Galilei 1638, in closed form
read: {z: {last: ball.position.z}}
check: [{what: height, computed: z, expected: "-9.81/2", tolerance: TOLERANCE}]
plot: [ball.position.z]
---
carom: 1
bodies: {ball: {mass: 1, inertia: [1, 1, 1]}}
run: {until: END}
"""


class Verify(Case):
    def fall(self, end="1", tolerance="1e-9"):
        return self.write(FALL.replace("END", end).replace("TOLERANCE", tolerance), "fall.yaml")

    def test_json_has_the_promised_keys(self):
        cases = self.carom_json("verify", "--case", "hertz_glass_spheres")["cases"]
        self.assertEqual(1, len(cases))
        self.assertLessEqual(KEYS, set(cases[0]))
        self.assertTrue(cases[0]["passed"])
        self.assertLessEqual(cases[0]["error"], cases[0]["tolerance"])
        self.assertLessEqual(KEYS - {"name", "source"}, set(cases[0]["checks"][0]))

    def test_json_tells_what_was_recomputed(self):
        case = self.carom_json("verify", "--case", "hertz_glass_spheres")["cases"][0]
        self.assertEqual({"energy", "forces", "events", "gaps"}, set(case["recomputed"]))
        for kind in case["recomputed"].values():
            self.assertEqual({"worst", "tolerance", "values"}, set(kind))
            self.assertLessEqual(kind["worst"], kind["tolerance"])
            self.assertGreater(kind["values"], 0)

    def test_a_case_of_ones_own_passes_and_fails(self):
        self.carom("verify", "--file", self.fall(), code=DONE)
        result = self.carom("verify", "--file", self.fall(end="1.001"), "--json", code=NOT_VERIFIED)
        case = json.loads(result.stdout)["cases"][0]
        self.assertFalse(case["passed"])
        self.assertAlmostEqual(0.0098, case["error"], places=4)

    def test_a_run_that_fails_is_a_failed_case(self):
        broken = self.fall().read_text().replace("until: 1", "until: 1, integrator: none")
        self.write(broken, "broken.yaml")
        result = self.carom("verify", "--file", "broken.yaml", code=NOT_VERIFIED)
        self.assertIn("not an integrator", result.stdout)

    def test_cases_are_chosen_by_the_document_they_show(self):
        names = self.carom("verify", "--source", "oestersoetebier", "--list").stdout
        self.assertIn("idealised_3 ", names)
        self.assertNotIn("hertz", names)
        both = self.carom("verify", "--source", "otter", "--case", "zeno", "--list").stdout
        self.assertIn("otter_spins_down ", both)
        self.assertIn("zeno ", both)
        result = self.carom("verify", "--source", "oter", code=WRONG_USAGE)
        self.assertIn("otter", result.stderr)
        self.carom("verify", "--group", "no_such_group", code=WRONG_USAGE)
        self.write(self.fall().read_text().replace("title:", "documents: [plato]\ntitle:"), "p.yaml")
        result = self.carom("verify", "--file", "p.yaml", code=INVALID_SCENE)
        self.assertIn("plato", result.stderr)

    def test_a_misspelt_case_gets_a_suggestion(self):
        result = self.carom("verify", "--case", "hertz_glas_spheres", code=WRONG_USAGE)
        self.assertIn("hertz_glass_spheres", result.stderr)
        self.write("title: t\n", "half.yaml")
        self.carom("verify", "--file", "half.yaml", code=INVALID_SCENE)

    def test_the_page_shows_table_and_plots(self):
        self.carom("verify", "--case", "zeno", "--page", "v.html")
        page = (self.folder / "v.html").read_text()
        self.assertIn("carom verify --case zeno", page)
        self.assertIn("<svg", page)
        self.assertNotRegex(page, r'(?:src|href)="(?:https?:)?//')

    def test_the_document_shows_the_coverage_as_it_is(self):
        page = (SOURCE / "docs/verification.md").read_text()
        table = re.search(r"<!-- coverage: .*? -->\n(.*?)<!-- end", page, re.S)[1]
        self.assertEqual(self.carom("verify", "--coverage").stdout, table)


if __name__ == "__main__":
    unittest.main(verbosity=2)
