"""A sample of random_resets.py, which runs as many as one likes."""

import unittest

import random_resets


class RandomResets(unittest.TestCase):
    def test_of_pick_and_place_never_stall(self):
        failures, _ = random_resets.campaign(40, seed=2)
        self.assertEqual(failures, [])


if __name__ == "__main__":
    unittest.main()
