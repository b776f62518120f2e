"""`carom intersect`, and what `carom check` says of meshes."""

import json
import math
import unittest

from harness import INVALID_SCENE, WRONG_USAGE, Case

STACK = """carom: 1
bodies:
  lower: {fixed: true, shapes: [{box: {size: [0.2, 0.2, 0.2]}}]}
  upper: {fixed: true, shapes: [{box: {size: [0.2, 0.2, 0.2]}}], position: [0, 0, 0.199]}
run: {until: 1}
"""
BALL = """carom: 1
bodies:
  ground: {fixed: true, shapes: [{half_space: {}}], position: [0, 0, 0.1]}
  ball: {mass: 1, inertia: [1, 1, 1], shapes: [{sphere: {radius: 0.1}}], position: [3, 4, 0.19]}
run: {until: 1}
"""
MESH = """carom: 1
bodies:
  part: {{fixed: true, shapes: [{{triangle_mesh: {{file: part.off}}, scale: {scale}}}]}}
  ball: {{mass: 1, inertia: [1, 1, 1], shapes: [{{sphere: {{radius: 0.1}}}}], position: [0, 0, 9]}}
run: {{until: 1}}
"""
# A tetrahedron; its last face may be left out, one face be there twice.
CORNERS = "0 0 0\n1 0 0\n0 1 0\n0 0 1\n"
FACES = ["3 0 2 1", "3 0 1 3", "3 1 2 3", "3 2 0 3"]


def off(faces):
    return f"OFF\n4 {len(faces)} 0\n" + CORNERS + "\n".join(faces) + "\n"


class Intersect(Case):
    def test_stacked_cubes_have_the_circumference_of_their_face(self):
        scene = self.write(STACK)
        (pair,) = self.carom_json("intersect", scene, "upper", "lower")["pairs"]
        self.assertEqual(["lower", "upper"], pair["pair"])
        self.assertEqual([16, 16], pair["triangles"])  # caps are fans
        (patch,) = pair["patches"]
        self.assertAlmostEqual(0.8, patch["circumference"], delta=1e-8)
        self.assertAlmostEqual(0.04, patch["contact_area"], delta=1e-9)
        self.assertAlmostEqual(1e-3, patch["mean_depth"], delta=1e-9)
        self.assertAlmostEqual(1, patch["normal"][2], places=12)
        self.assertTrue(patch["closed"] and patch["measured"])
        text = self.carom("intersect", scene, "lower", "upper").stdout
        self.assertIn("patch 1: circumference 0.79999999", text)

    def test_points_of_the_curve_are_told(self):
        scene = self.write(STACK)
        (pair,) = self.carom_json("intersect", scene, "lower", "upper", "--points")["pairs"]
        (curve,) = pair["patches"][0]["curves"]
        points = curve["points"]
        length = sum(math.dist(p, q) for p, q in zip(points, points[1:] + points[:1]))
        self.assertAlmostEqual(pair["patches"][0]["circumference"], length, places=14)
        self.assertTrue(curve["closed"])

    def test_a_ball_in_the_ground_cuts_its_cap(self):
        scene = self.write(BALL)
        (pair,) = self.carom_json("intersect", scene, "ground", "ball", "--segments", 400)["pairs"]
        (patch,) = pair["patches"]
        depth, radius = 0.01, 0.1
        self.assertAlmostEqual(2 * math.pi * math.sqrt(2 * radius * depth - depth**2),
                               patch["circumference"], delta=1e-4)
        self.assertAlmostEqual(math.pi * depth**2 * (radius - depth / 3), patch["volume"], delta=1e-7)
        self.assertAlmostEqual(3, patch["volume_centre"][0], delta=1e-6)

    def test_wrong_bodies_are_told(self):
        scene = self.write(STACK)
        self.assertIn("upper", self.carom("intersect", scene, "lower", "uper",
                                          code=WRONG_USAGE).stderr)
        self.carom("intersect", scene, "lower", "lower", code=WRONG_USAGE)
        self.carom("intersect", scene, "lower", code=WRONG_USAGE)
        self.carom("intersect", self.write("carom: 2\n", "bad.yaml"), "a", "b", code=INVALID_SCENE)


class MeshesInCheck(Case):
    def check(self, faces, scale=1):
        self.write(off(faces), "part.off")
        (mesh,) = self.carom_json("check", self.write(MESH.format(scale=scale)))["meshes"]
        return mesh

    def test_a_closed_mesh_lacks_nothing(self):
        mesh = self.check(FACES)
        self.assertEqual(("part", "part.off", 4, 1, 0, "", ""),
                         tuple(mesh[k] for k in ("shape", "file", "triangles", "parts",
                                                 "open_edges", "lacks", "unit")))
        self.assertAlmostEqual(1 / 6, mesh["volume"])
        text = self.carom("check", self.write(MESH.format(scale=1))).stdout
        self.assertIn("closed, all faces outward", text)

    def test_holes_and_repeated_faces_are_told(self):
        mesh = self.check(FACES[:3])
        self.assertEqual((3, "3 open edges (holes)"), (mesh["open_edges"], mesh["lacks"]))
        self.write(off(FACES + ["3 1 0 2", "3 2 1 0"]), "part.off")
        result = self.carom("check", self.write(MESH.format(scale=1)))
        self.assertIn("2 triangles that were there twice were left out", result.stderr)

    def test_the_largest_step_is_that_of_the_body_not_of_its_triangles(self):
        """Shorter edges change nothing: a brick of 12 triangles and one of 768 press alike."""
        steps = []
        for cuts in (1, 8):
            n = cuts + 1
            grid = [i / cuts for i in range(n)]
            points, faces = [], []
            for axis in range(3):
                for side in (0.0, 1.0):
                    first = len(points)
                    for u in grid:
                        for v in grid:
                            p = [0.0, 0.0, 0.0]
                            p[axis], p[(axis + 1) % 3], p[(axis + 2) % 3] = side, u, v
                            points.append(" ".join(map(str, p)))
                    for i in range(cuts):
                        for j in range(cuts):
                            a = first + i * n + j
                            b, c, d = a + n, a + n + 1, a + 1
                            for f in ((a, b, c), (a, c, d)):
                                faces.append("3 {} {} {}".format(*(f if side else f[::-1])))
            head = f"OFF\n{len(points)} {len(faces)} 0\n"
            self.write(head + "\n".join(points) + "\n" + "\n".join(faces) + "\n", "part.off")
            scene = MESH.format(scale=1).replace("shapes:", "material: steel, shapes:")
            out = self.carom("check", self.write(scene)).stdout
            steps.append([line.split()[-1] for line in out.splitlines()
                          if line.startswith("part ") and "ball" in line][-1])
        self.assertEqual(steps[0], steps[1])

    def test_a_cube_has_the_frequency_of_its_face(self):
        """2.77e5 N/m under 8 kg; a ball of its size would vibrate at 13 Hz."""
        out = self.carom("check", self.write("""carom: 1
materials: {soft: {density: 1000, youngs_modulus: 2.1e6, poissons_ratio: 0.3}}
bodies:
  floor: {fixed: true, material: soft, shapes: [{half_space: {}}]}
  cube: {material: soft, shapes: [{box: {size: [0.2, 0.2, 0.2]}}], position: [0, 0, 0.2]}
contact: {method: triangles, law: exact, restitution: 1}
run: {until: 1}
"""), "--json")
        told = json.loads(out.stdout)["contact_steps"][0]
        stiffness = 2.1e6 / (2 * (1 - 0.09)) / 4 * 8 * 2**0.5 / (3 * math.pi) * 0.8
        self.assertAlmostEqual(told["frequency"], (stiffness / 8) ** 0.5 / (2 * math.pi), 6)
        self.assertLess(told["largest_step"], 0.7 * (8 / stiffness) ** 0.5)

    def test_millimetres_are_suspected(self):
        self.assertIn("write scale: 0.001", self.check(FACES, 1000)["unit"])
        self.assertIn("leave the scale out", self.check(FACES, 1e-5)["unit"])
        self.assertEqual("", self.check(FACES, 0.1)["unit"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
