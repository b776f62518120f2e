"""Pages and plots as the command makes them; what the page does is in tests/viewer."""

import json
import re
import unittest
import zlib
from base64 import b64decode
from xml.etree import ElementTree

from harness import PENDULUM, WRONG_USAGE, Case


class Pages(Case):
    def run_of(self, page):
        text = page.read_text()
        return json.loads(re.search(r'class="carom-run"[^>]*>(.*?)</script>', text, re.S)[1]), text

    def test_a_run_leaves_a_page_beside_its_results(self):
        self.write(PENDULUM)
        self.carom("run", "scene.yaml", "--page")
        run, text = self.run_of(self.folder / "scene.html")
        self.assertEqual("Point pendulum", run["name"])
        self.assertEqual(5, run["rows"])
        self.assertEqual("completed", run["summary"]["status"])
        self.assertNotRegex(text, r'(?:src|href)="(?:https?:)?//')

    def test_the_page_carries_the_numbers_of_the_run(self):
        self.write(PENDULUM)
        self.carom("run", "scene.yaml", "--page", "-o", "r.csv")  # without an HDF5 file as well
        run, text = self.run_of(self.folder / "r.html")
        data = re.search(r'class="carom-data"[^>]*>(.*?)</script>', text, re.S)[1]
        self.assertGreater(len(zlib.decompress(b64decode(data))), run["columnsAt"])
        header, first = (self.folder / "r.csv").read_text().splitlines()[:2]
        q = next(i for i, name in enumerate(header.split(",")) if name.startswith("pivot.q"))
        self.assertEqual(0.5, float(first.split(",")[q]))
        column = 0
        for channel in run["channels"]:
            if channel["name"] == "pivot.q":
                break
            column += channel["width"]
        self.assertEqual(0.5, run["high"][column])  # a pendulum is never higher than at its start

    def test_overridden_scenes_are_carried_as_they_ran(self):
        self.write(PENDULUM)
        self.carom("run", "scene.yaml", "--set", "bodies.bob.mass=7", "-o", "r.h5")
        self.carom("page", "r.h5")
        run, _ = self.run_of(self.folder / "r.html")
        self.assertEqual(7, run["bodies"][0]["mass"])

    def test_several_results_make_one_page(self):
        self.write(PENDULUM)
        for q in ("0.4", "0.3"):
            self.carom("run", "scene.yaml", "--set", f"joints.pivot.q={q}", "-o", f"q{q}.h5")
        self.carom("page", "q0.4.h5", "q0.3.h5", "-o", "both.html")
        self.assertEqual(2, (self.folder / "both.html").read_text().count('class="carom-run"'))

    def test_page_without_a_result_is_wrong_usage(self):
        self.carom("page", code=WRONG_USAGE)


class Plots(Case):
    def setUp(self):
        super().setUp()
        self.write(PENDULUM)
        self.carom("run", "scene.yaml", "--output-step", "0.01")

    def test_svg_is_well_formed_with_unit_and_legend(self):
        self.carom("plot", "scene.h5", "pivot.q", "bob.position", "-o", "f.svg")
        text = (self.folder / "f.svg").read_text()
        words = [e.text for e in ElementTree.fromstring(text).iter() if e.tag.endswith("text")]
        for word in ("[rad]", "[m]", "time [s]", "pivot.q", "bob.position.z", "Point pendulum"):
            self.assertIn(word, words)

    def test_png_comes_from_the_name(self):
        self.carom("plot", "scene.h5", "pivot.q", "-o", "f.png")
        self.assertTrue((self.folder / "f.png").read_bytes().startswith(b"\x89PNG"))

    def test_unknown_channels_get_a_suggestion(self):
        self.assertIn("pivot.q", self.carom("plot", "scene.h5", "pivot.w", code=WRONG_USAGE).stderr)
        self.assertIn("pivot.q", self.carom("plot", "scene.h5", code=WRONG_USAGE).stderr)
        self.carom("plot", "scene.h5", "pivot.q", "-o", "f.pdf", code=WRONG_USAGE)


class Shell(Case):
    def test_completion_and_manual_name_every_command(self):
        for command in ("completion", "man"):
            text = self.carom(command).stdout
            for word in ("run", "demo", "page", "plot", "view"):
                self.assertRegex(text, rf"\b{word}\b")


if __name__ == "__main__":
    unittest.main()
