"""What a scene says is done, or it is refused."""

import unittest

from harness import INVALID_SCENE, Case

BODY = """carom: 1
gravity: {gravity}
bodies:
  a: {{fixed: true, material: steel, shapes: [{{{shape}}}]}}
  b: {{fixed: true, material: steel, shapes: [{{sphere: {{radius: 0.1}}}}], position: [1, 0, 0]}}
  c: {{mass: 1, inertia: [1, 1, 1], position: [0, 0, 5]}}
run: {{until: 1, output: {{step: 0.5, peaks: "off"}}}}
"""


class SmallTruths(Case):
    def scene(self, shape="sphere: {radius: 0.1}", gravity='"off"'):
        return self.write(BODY.format(shape=shape, gravity=gravity))

    def test_an_edge_radius_where_there_is_no_edge_is_a_finding(self):
        for shape in ("sphere: {radius: 0.1}", "ellipsoid: {radii: [0.1, 0.2, 0.3]}",
                      "capsule: {radius: 0.1, length: 0.2}"):
            result = self.carom("check", self.scene(shape + ", edge_radius: 0.01"), code=INVALID_SCENE)
            self.assertIn("has no edges to round", result.stderr + result.stdout)
            self.carom("check", self.scene(shape + ", edge_radius: 0"))
        self.carom("check", self.scene("box: {size: [0.1, 0.1, 0.1]}, edge_radius: 0.01"))

    def test_off_in_quotes_means_off(self):
        summary = self.carom_json("run", self.scene(), "-o", "a.csv")
        self.assertEqual([0, 0, 5], summary["final"]["bodies"]["c"]["position"])
        self.assertNotIn("on_grid", (self.folder / "a.csv").read_text())

    def test_distances_of_fixed_bodies_are_told(self):
        for words in ([], ["a", "b"], ["b", "a"]):
            (pair,) = self.carom_json("distance", self.scene(), *words)["pairs"]
            self.assertEqual(["a", "b"], pair["pair"])
            self.assertAlmostEqual(0.8, pair["distance"], places=14)


if __name__ == "__main__":
    unittest.main(verbosity=2)
