"""Sobol' points against scipy.stats.qmc.Sobol, not scrambled, to the bit.

    python3 sobol_test.py <sobol_points>
"""

import subprocess
import sys
import unittest

import numpy
from scipy.stats import qmc

PROBE = sys.argv.pop(1)


def carom_points(dimensions, first, count):
    output = subprocess.run([PROBE, str(dimensions), str(first), str(count)], check=True,
                            capture_output=True).stdout
    return numpy.frombuffer(output).reshape(count, dimensions)


def scipy_points(dimensions, first, count):
    sequence = qmc.Sobol(dimensions, scramble=False)
    if first > 0:  # scipy 1.10 refuses to go forward by nothing
        sequence.fast_forward(first)
    return sequence.random(count)


class SobolPoints(unittest.TestCase):
    def compare(self, dimensions, first, count):
        ours, theirs = carom_points(dimensions, first, count), scipy_points(dimensions, first, count)
        self.assertEqual(theirs.tobytes(), ours.tobytes())

    def test_a_few_dimensions(self):
        self.compare(1, 0, 1 << 12)
        self.compare(10, 0, 1 << 14)

    def test_every_dimension_that_is_carried(self):
        self.compare(4096, 0, 1 << 7)

    def test_far_along_the_sequence(self):
        self.compare(20, (1 << 20) + 12345, 1000)


if __name__ == "__main__":
    unittest.main(verbosity=2)
