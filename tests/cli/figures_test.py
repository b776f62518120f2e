"""Pages and plots as the command makes them; what the page does is in tests/viewer."""

import json
import math
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

    def test_a_gallery_has_picture_numbers_scene_and_page_of_each_demo(self):
        self.carom("page", "--gallery", "pendulum", "four_bar", "-o", "g")
        index = (self.folder / "g/index.html").read_text()
        for name in ("pendulum", "four_bar"):
            self.assertIn(f'<img src="{name}.jpg"', index)
            picture = (self.folder / f"g/{name}.jpg").read_bytes()
            self.assertTrue(picture.startswith(b"\xff\xd8\xff") and picture.endswith(b"\xff\xd9"))
            self.assertEqual("completed", self.run_of(self.folder / f"g/{name}.html")[0]["status"])
        self.assertEqual(2, index.count("the energy ledger closes to"))
        self.assertIn("joint: {revolute", index)
        self.assertNotIn("gripper", index)
        self.carom("page", "--gallery", "no_such_demo", code=WRONG_USAGE)

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

    def test_a_channel_over_another_is_the_phase_portrait(self):
        self.carom("plot", "scene.h5", "pivot.v", "--against", "pivot.q", "-o", "f.svg")
        text = (self.folder / "f.svg").read_text()
        self.assertIn(">pivot.q [rad]<", text)
        self.assertNotIn("time [s]", text)
        points = re.findall(r"[ML]([\d.]+) ([\d.]+)", re.search(r'class="series" d="([^"]+)"', text)[1])
        def unit(values):  # -1 … 1 over their range
            low, high = min(values), max(values)
            return [2 * (v - low) / (high - low) - 1 for v in values]
        # Energy: v² is to its greatest value as cos q - cos q0 is to 1 - cos q0. The extremes
        # are met by rows 0.01 s apart, so to 1e-3.
        for q, v in zip(unit([float(x) for x, _ in points]), unit([float(y) for _, y in points])):
            fall = (math.cos(0.5 * q) - math.cos(0.5)) / (1 - math.cos(0.5))
            self.assertAlmostEqual(v * v, fall, delta=0.01)
        self.carom("plot", "scene.h5", "pivot.v", "--against", "bob.position", code=WRONG_USAGE)
        self.carom("plot", "scene.h5", "pivot.v", "--against", "no.such", code=WRONG_USAGE)

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
