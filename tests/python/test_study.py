"""Check, equilibrium, linearisation and catalogues."""

import math
import unittest

import numpy as np

import carom
import support

W0 = math.sqrt(support.MASS * support.GRAVITY * support.LENGTH / support.INERTIA_AT_PIVOT)


class Check(unittest.TestCase):
    def test_masses_and_freedoms(self):
        about = carom.scene({"bodies": {
            "ball": {"shapes": [{"sphere": {"radius": 0.1}, "density": 1000}]},
            "table": {"fixed": True, "shapes": [{"box": {"size": [1, 1, 0.1]}}]}}}).check()
        mass = 1000 * 4 / 3 * math.pi * 0.1**3
        ball = about["bodies"]["ball"]
        self.assertAlmostEqual(ball["mass"], mass, delta=1e-14 * mass)
        np.testing.assert_allclose(ball["inertia"], 0.4 * mass * 0.01 * np.eye(3), atol=1e-15)
        self.assertTrue(about["bodies"]["table"]["fixed"])
        self.assertEqual(about["degrees_of_freedom"], 6)

    def test_a_planar_loop_has_redundant_rows(self):
        about = carom.load(support.EXAMPLES / "four_bar.yaml").check()
        # A revolute joint has five rows; in the plane only two of them say something new.
        self.assertEqual((about["constraint_rows"], about["redundant_rows"]), (5, 3))
        self.assertEqual(about["degrees_of_freedom"], 0)  # the crank follows a prescribed motion


class Equilibrium(unittest.TestCase):
    def test_a_weight_hangs_where_its_spring_carries_it(self):
        found = carom.scene({"gravity": [0, 0, -10], "bodies": {"weight": {
            "mass": 3, "inertia": [1, 1, 1],
            "joint": {"prismatic": {"axis": "z"}, "name": "rail", "spring": {"stiffness": 60}}}}}).equilibrium()
        self.assertEqual(found["status"], "completed")
        self.assertAlmostEqual(found["joints"]["rail"][0], -0.5, delta=1e-10)
        self.assertAlmostEqual(found["state"][0], -0.5, delta=1e-10)

    def test_a_pendulum_comes_to_rest_hanging(self):
        found = carom.scene(support.pendulum(angle=2.5)).equilibrium()
        self.assertAlmostEqual(found["joints"]["pivot"][0], 0.0, delta=1e-9)

    def test_what_falls_has_none(self):
        scene = carom.scene({"bodies": {"ball": {"mass": 1, "inertia": [1, 1, 1]}}})
        self.assertEqual(scene.equilibrium()["status"], "failed")
        with self.assertRaises(carom.SimulationError):
            scene.linearize(at_equilibrium=True)


class Linearization(unittest.TestCase):
    def test_frequency_and_damping_of_the_hanging_pendulum(self):
        damping = 0.4
        linear = carom.scene(support.pendulum(angle=0.3, damping=damping)).linearize(at_equilibrium=True)
        # Central differences are good to some 1e-9.
        np.testing.assert_allclose(linear.frequencies, W0 / (2 * math.pi), rtol=1e-8)
        np.testing.assert_allclose(linear.damping, damping / (2 * support.INERTIA_AT_PIVOT * W0), rtol=1e-7)
        np.testing.assert_allclose(
            linear.A, [[0, 1], [-W0**2, -damping / support.INERTIA_AT_PIVOT]], atol=1e-7)
        np.testing.assert_allclose(
            np.sort_complex(linear.eigenvalues), np.sort_complex(np.linalg.eigvals(linear.A)), atol=1e-12)
        for k, value in enumerate(linear.eigenvalues):
            np.testing.assert_allclose(linear.A @ linear.modes[:, k], value * linear.modes[:, k], atol=1e-10)

    def test_inputs_and_outputs_have_names_and_shapes(self):
        linear = carom.scene(support.pendulum(angle=0.0)).linearize(outputs=["pivot.q", "rod.position"])
        self.assertEqual(len(linear.states), 2)
        self.assertEqual(linear.inputs, ["u"])
        self.assertEqual((linear.A.shape, linear.B.shape), ((2, 2), (2, 1)))
        self.assertEqual((linear.C.shape, linear.D.shape), ((4, 2), (4, 1)))
        self.assertEqual(len(linear.outputs), 4)
        np.testing.assert_allclose(linear.B[:, 0], [0, 1 / support.INERTIA_AT_PIVOT], atol=1e-8)
        row = linear.outputs.index("pivot.q")
        np.testing.assert_allclose(linear.C[row], [1, 0], atol=1e-9)

    def test_unknown_outputs_are_refused(self):
        with self.assertRaises(carom.SceneError):
            carom.scene(support.pendulum()).linearize(outputs=["nothing"])


class Catalogues(unittest.TestCase):
    def test_every_row_is_described(self):
        for name in ("joints", "shapes", "forces", "integrators"):
            rows = carom.catalogue(name)
            self.assertGreater(len(rows), 3)
            for row in rows:
                self.assertTrue(row["name"] and row["doc"], row)
                for field in row["fields"]:
                    self.assertTrue(field["name"] and field["unit"] and field["doc"], (row["name"], field))
                    self.assertEqual(field["required"], field["default"] is None)

    def test_rows_can_be_used_by_their_names(self):
        for row in carom.catalogue("joints"):
            if any(field["required"] for field in row["fields"]):
                continue
            about = carom.scene({"bodies": {"b": {"mass": 1, "inertia": [1, 1, 1],
                                                  "joint": {row["name"]: {}, "name": "j"}}}}).check()
            self.assertEqual(about["joints"], {"j": row["name"]})
            self.assertEqual(about["degrees_of_freedom"], row["velocities"])
            self.assertEqual(len(row["coordinates"]), row["velocities"])

    def test_integrators_reach_the_same_end(self):
        scene = carom.scene(support.pendulum(angle=1.0))
        exact = support.swing([1.0, 0.0], 1.0)[0]
        for row in carom.catalogue("integrators"):
            if row["error_controlled"]:
                result = scene.run(until=1, integrator=row["name"], tolerance=1e-8)
                self.assertAlmostEqual(result["pivot.q"][-1], exact, delta=1e-6, msg=row["name"])

    def test_materials_have_physical_figures(self):
        steel = [m for m in carom.catalogue("materials") if m["name"] == "steel"]
        self.assertEqual(len(steel), 1)
        self.assertTrue(7000 < steel[0]["density"] < 8500)

    def test_an_unknown_catalogue_is_refused(self):
        with self.assertRaisesRegex(ValueError, "joints"):
            carom.catalogue("joint")


if __name__ == "__main__":
    unittest.main()
