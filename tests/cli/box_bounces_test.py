"""A sample of box_bounces.py: boxes that bounce with hardly any tilt are never lost."""

import unittest

import box_bounces
from harness import CAROM, Case


class BoxBounces(Case):
    def test_no_box_is_lost_after_a_bounce(self):
        impacts, runs, wrong = box_bounces.campaign(CAROM, 4000, seed=7)
        self.assertEqual([], wrong)
        self.assertGreaterEqual(impacts, 4000)
        self.assertGreaterEqual(runs, 4)


if __name__ == "__main__":
    unittest.main()
