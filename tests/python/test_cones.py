"""Contact forces from the numbers of a problem."""

import math
import unittest

import numpy as np

import carom


class SolveContact(unittest.TestCase):
    def test_of_a_block_on_an_incline_sticks_below_the_angle_of_friction_and_slides_above(self):
        mass, mu, g = 3.0, 0.4, 9.81
        for slope, friction in ((0.3, math.sin(0.3)), (0.6, mu * math.cos(0.6))):
            free = [-g * math.cos(slope), g * math.sin(slope), 0.0]
            answer = carom.solve_contact(np.eye(3) / mass, free, [mu])
            self.assertEqual(answer["status"], "solved")
            np.testing.assert_allclose(
                answer["force"], [mass * g * math.cos(slope), -mass * g * friction, 0], atol=1e-9)

    def test_starts_from_forces_that_are_known(self):
        W, q = np.eye(3), [-1.0, 2.0, 0.5]
        cold = carom.solve_contact(W, q, [0.3])
        warm = carom.solve_contact(W, q, [0.3], start=cold["force"])
        np.testing.assert_allclose(warm["force"], cold["force"], atol=1e-12)
        self.assertEqual(warm["iterations"], 0)

    def test_holds_bilateral_rows(self):
        answer = carom.solve_contact(np.eye(4), [1.0, -2.0, 0.0, 0.0], [0.5], bilateral=1)
        np.testing.assert_allclose(answer["force"], [-1.0, 2.0, 0.0, 0.0], atol=1e-12)

    def test_refuses_what_makes_no_sense(self):
        for W, q, mu in (
            (np.eye(3), [0.0, 0.0], [0.5]),
            (np.eye(3), [math.nan, 0.0, 0.0], [0.5]),
            (np.eye(3), [-1.0, 0.0, 0.0], [-0.5]),
            (-np.eye(3), [-1.0, 0.0, 0.0], [0.5]),
        ):
            with self.assertRaises(ValueError):
                carom.solve_contact(W, q, mu)


if __name__ == "__main__":
    unittest.main()
