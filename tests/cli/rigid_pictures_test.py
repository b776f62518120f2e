"""Pictures of rigid contact: what they show is what the documentation says of it."""

import math
import pathlib
import sys
import unittest
from xml.etree import ElementTree

from harness import CAROM, Case

SCRIPTS = pathlib.Path(__file__).resolve().parents[2] / "scripts"
sys.path.insert(0, str(SCRIPTS))

import kossenko_figures  # noqa: E402
from pictures import rigid_limit  # noqa: E402


class RigidLimit(Case):
    def test_elastic_runs_approach_the_rigid_one_by_the_powers_of_hertz(self):
        delays, depths, _ = rigid_limit.measure(CAROM, self.folder)
        for softer, delay, depth in zip(rigid_limit.SOFTER, delays, depths):
            # Hertz knows no weight, which makes a soft impact longer.
            expected = rigid_limit.IMPACTS * rigid_limit.contact_time(softer)
            self.assertLess(abs(delay / expected - 1), 1e-3 * softer**-0.2, softer)
            self.assertLess(abs(depth / rigid_limit.predicted_depth(softer) - 1), 1e-9, softer)
        self.assertAlmostEqual(-0.4, rigid_limit.power(delays), delta=2e-3)
        self.assertAlmostEqual(-2 / 3, rigid_limit.power(depths), delta=1e-9)


class Kossenko(Case):
    def test_the_figures_show_what_the_paper_tells(self):
        fallen, risen = kossenko_figures.measure(CAROM, self.folder)
        # The centre rises from the shortest to the longest half axis (4.5).
        heights = risen["egg.position.z"]
        self.assertAlmostEqual(1.0, heights[0], delta=1e-9)
        self.assertAlmostEqual(1.3, heights[-1], delta=1e-3)
        # The angular velocity keeps its direction in space, and changes its axis in the body (4.6).
        body = list(zip(*(risen[f"egg.angular_velocity_body.{k}"] for k in "xyz")))
        self.assertTrue(all(w < -9.5 for w in risen["egg.angular_velocity.z"]))
        self.assertAlmostEqual(-10, body[0][2], delta=1e-9)
        self.assertGreater(abs(body[-1][0]), 9.7)
        self.assertLess(abs(body[-1][2]), 0.5)
        for w, z in zip(body, zip(*(risen[f"egg.angular_velocity.{k}"] for k in "xyz"))):
            self.assertAlmostEqual(math.hypot(*w), math.hypot(*z), delta=1e-9)
        # The bounces end where their series does, not at the last that was followed (4.3, 4.4).
        self.assertAlmostEqual(2.724303930415294, fallen.first("landing", "value"), delta=1e-8)
        across, up = kossenko_figures.contact_path(fallen)
        self.assertGreater(len(across), 1000)
        self.assertFalse(any(math.isnan(v) for v in across + up))
        picture = ElementTree.fromstring(kossenko_figures.draw(fallen, risen))
        self.assertEqual(7, len(picture.findall("{*}polyline")))


if __name__ == "__main__":
    unittest.main()
