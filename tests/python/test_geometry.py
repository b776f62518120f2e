"""Shapes and distances without a scene."""

import math
import unittest

import numpy as np

import carom


class Distance(unittest.TestCase):
    def test_of_two_spheres_is_the_gap_between_them(self):
        a, b = carom.shape("sphere", radius=0.3), carom.shape("sphere", radius=0.2)
        d = carom.distance(a, b, position_b=[3.0, 4.0, 0.0])
        self.assertAlmostEqual(d["distance"], 4.5, delta=1e-14)
        np.testing.assert_allclose(d["normal"], [0.6, 0.8, 0.0], atol=1e-15)
        np.testing.assert_allclose(d["point_b"] - d["point_a"], 4.5 * d["normal"], atol=1e-14)
        self.assertAlmostEqual(d["curvatures"][0], 1 / 0.3 + 1 / 0.2, delta=1e-12)

    def test_of_a_tilted_box_over_a_plane_is_that_of_its_lowest_corner(self):
        box = carom.shape("box", size=[1.0, 1.0, 1.0], edge_radius=0.0)
        plane = carom.shape("half_space")
        half = math.pi / 8
        d = carom.distance(plane, box, position_b=[0, 0, 2], orientation_b=[math.cos(half), math.sin(half), 0, 0])
        self.assertAlmostEqual(d["distance"], 2 - math.sqrt(0.5), delta=1e-14)

    def test_of_a_hull_of_points_equals_that_of_the_box_with_these_corners(self):
        corners = [[x, y, z] for x in (-0.5, 0.5) for y in (-1, 1) for z in (-0.25, 0.25)]
        hull = carom.shape("hull", points=corners)
        box = carom.shape("box", size=[1.0, 2.0, 0.5], edge_radius=0.0)
        ball = carom.shape("sphere", radius=0.1)
        for place in ([2, 0.3, 0.1], [0.9, 1.7, 0.8], [0.4, 0.2, 0.3]):
            self.assertAlmostEqual(
                carom.distance(hull, ball, position_b=place)["distance"],
                carom.distance(box, ball, position_b=place)["distance"], delta=1e-13)

    def test_of_a_shape_given_by_a_python_function(self):
        radius = 0.4

        def support(direction):
            d = np.asarray(direction)
            return (radius * d / np.linalg.norm(d)).tolist()

        own = carom.shape("custom", support=support)
        box = carom.shape("box", size=[1.0, 1.0, 1.0], edge_radius=0.0)
        # The Hessian of the function is taken by differences: seven digits.
        d = carom.distance(box, own, position_b=[1.5, 0.1, 0.2])
        self.assertAlmostEqual(d["distance"], 1.0 - radius, delta=1e-9)

    def test_contacts_of_convex_shapes_are_the_one_within_the_margin(self):
        a, b = carom.shape("sphere", radius=0.3), carom.shape("sphere", radius=0.2)
        self.assertEqual(carom.contacts(a, b, position_b=[0.51, 0, 0]), [])
        found = carom.contacts(a, b, position_b=[0.51, 0, 0], margin=0.02)
        self.assertEqual(len(found), 1)
        self.assertAlmostEqual(found[0]["distance"], 0.01, delta=1e-15)
        self.assertEqual(found[0]["pieces"], (0, 0))


class Shapes(unittest.TestCase):
    def test_know_their_mass(self):
        m = carom.shape("cylinder", radius=0.1, length=0.5).mass_properties(density=1000)
        self.assertAlmostEqual(m["mass"], 1000 * math.pi * 0.01 * 0.5, delta=1e-12)
        self.assertAlmostEqual(m["inertia"][0, 0], 0.5 * m["mass"] * 0.01, delta=1e-14)

    def test_say_what_is_wrong_with_them(self):
        with self.assertRaises(carom.SceneError) as caught:
            carom.shape("sphere", raduis=1)
        self.assertIn("radius", str(caught.exception))
        with self.assertRaises(carom.SceneError):
            carom.shape("sphere", radius=-1)
        with self.assertRaises(carom.SceneError):
            carom.shape("sphear", radius=1)


if __name__ == "__main__":
    unittest.main()
