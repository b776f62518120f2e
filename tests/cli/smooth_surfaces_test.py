"""Surfaces by formulas that cannot be, and bodies on them that must not fall through."""

import unittest

from harness import INVALID_SCENE, Case

SCENE = """carom: 1
bodies:
  a: {{fixed: true, material: steel, shapes: [{{{shape}}}]}}
run: {{until: 0.1}}
"""


class SmoothSurfaces(Case):
    def refused(self, shape, why):
        """In bounded time, with the place and the reason."""
        result = self.carom("check", self.write(SCENE.format(shape=shape)), code=INVALID_SCENE)
        said = result.stdout + result.stderr
        self.assertRegex(said, r"scene\.yaml:3:\d+: error")
        self.assertIn(why, said)

    def test_what_is_no_surface_is_refused(self):
        self.refused('implicit: {h: "x^2+y^2+z^2+1", within: [[-1,-1,-1],[1,1,1]]}', "nothing of it")
        self.refused('graph: {z: "1/x", x: [-1, 1], y: [-1, 1]}', "not bounded")
        self.refused('graph: {z: "exp(1000*x)", x: [-1, 1], y: [-1, 1]}', "not bounded")
        self.refused('graph: {z: "sqrt(x)", x: [-1, 1], y: [-1, 1]}', "has no value at x = -1")
        self.refused('implicit: {h: "x^2+y^2-z^2", within: [[-1,-1,-1],[1,1,1]]}', "gradient vanishes")
        self.refused('graph: {z: "x", x: [1, 1], y: [-1, 1]}', "range of x is [1, 1]")
        self.refused('implicit: {h: "x^2+y^2+z^2-1", within: [[0,0,0],[0,0,0]]}', "range of x is [0, 0]")
        self.refused('parametric: {x: "cos(u)^2*cos(v)", y: "sin(2*u)*cos(v)", z: "sin(v)", '
                     'u: [-pi, pi], v: [-pi/2, pi/2]}', "a tip or a crease")
        self.refused('graph: {z: "' + "+".join(["x"] * 6000) + '", x: [-1, 1], y: [-1, 1]}',
                     "the formula has 11999 characters; at most 10000 are read")

    def test_a_formula_of_ten_thousand_characters_is_taken(self):
        terms = [f"1e-4*cos({i % 17 + 1}*x)*sin({i % 13 + 1}*y)" for i in range(380)]
        formula = "+".join(terms)
        self.assertLess(9000, len(formula))
        self.assertGreater(10001, len(formula))
        scene = SCENE.format(shape=f'graph: {{z: "{formula}", x: [-1, 1], y: [-1, 1]}}')
        self.carom("check", self.write(scene))

    def test_what_is_inside_out_is_turned_or_told(self):
        egg = ('parametric: {x: "0.1*cos(u)*cos(v)", y: "-0.1*sin(u)*cos(v)", z: "0.1*sin(v)", '
               'u: [-pi, pi], v: [-pi/2, pi/2]}')
        moving = SCENE.replace("fixed: true, ", "")
        self.assertIn("points inward, and was turned",
                      self.carom("check", self.write(moving.format(shape=egg))).stdout)
        hollow = 'implicit: {h: "0.01-x^2-y^2-z^2", within: [[-0.2,-0.2,-0.2],[0.2,0.2,0.2]]}'
        result = self.carom("check", self.write(moving.format(shape=hollow)), code=INVALID_SCENE)
        self.assertIn("its inside is all around it", result.stdout + result.stderr)

    def test_a_start_deep_inside_is_refused(self):
        for body in ("box: {size: [0.3, 0.2, 0.2]}", "sphere: {radius: 0.1}",
                     "capsule: {radius: 0.05, length: 0.1}"):
            scene = f"""carom: 1
bodies:
  ground: {{fixed: true, material: steel, shapes: [{{graph: {{z: "0.02*cos(7*x)", x: [-1, 1], y: [-1, 1]}}}}]}}
  body: {{material: steel, shapes: [{{{body}}}], position: [0, 0, -0.05]}}
run: {{until: 0.05}}
"""
            result = self.carom("check", self.write(scene), code=INVALID_SCENE)
            self.assertRegex(result.stdout + result.stderr, "'ground' and 'body' overlap by 0.1")

    def test_bodies_with_edges_are_refused_where_they_are_not_known(self):
        scene = """carom: 1
bodies:
  ground: {fixed: true, material: steel, shapes: [{graph: {z: "0.02*cos(7*x)", x: [-1, 1], y: [-1, 1]}}]}
  box: {material: steel, shapes: [{box: {size: [0.3, 0.2, 0.2]}}], position: [0, 0, 0.2]}
contact: {%s}
run: {until: 0.05}
"""
        for choice, why in (("method: rigid", "how edges and corners roll"),
                            ("area: {layer: 1e-3}", "by their areas spheres")):
            result = self.carom("check", self.write(scene % choice), code=INVALID_SCENE)
            said = result.stdout + result.stderr
            self.assertIn(why, said)
            self.assertIn("remedy", said)

    def test_a_ring_at_points_of_a_plane_is_told_what_to_do(self):
        scene = """carom: 1
bodies:
  table: {fixed: true, material: steel, shapes: [{half_space: {}}]}
  ring: {material: steel, shapes: [{torus: {radius: 0.1, tube_radius: 0.02}}], position: [0, 0, 0.03]}
contact: {area: off}
run: {until: 0.05}
"""
        result = self.carom("check", self.write(scene), code=INVALID_SCENE)
        self.assertIn("cylinder: {radius: R + r, length: 2 r}, edge_radius: r",
                      result.stdout + result.stderr)

    def test_a_kilometre_away_a_box_falls_as_at_home(self):
        scene = """carom: 1
values: {far: 0}
bodies:
  ground: {fixed: true, material: steel, shapes: [{graph: {z: "0.05*cos(7*x)*sin(6*y+0.3)", x: [-1, 1], y: [-1, 1]}}], position: [$far, $far, 0]}
  box: {material: steel, shapes: [{box: {size: [0.3, 0.2, 0.1]}}], position: ["=far + 0.1", $far, 0.2], rotation: [0.1, 0.2, 0]}
contact: {restitution: 0.3}
run: {until: 0.16}
"""
        path = self.write(scene)
        home = self.carom_json("run", path)["final"]["bodies"]["box"]["position"]
        far = self.carom_json("run", path, "--set", "values.far=1000")["final"]["bodies"]["box"]["position"]
        for i, away in enumerate((1000, 1000, 0)):
            self.assertAlmostEqual(home[i], far[i] - away, delta=1e-6)

    def test_a_ball_in_a_cup_of_its_radius_is_told_and_held(self):
        scene = """carom: 1
bodies:
  cup: {fixed: true, material: steel, shapes: [{graph: {z: "-sqrt(0.04-x^2-y^2)", x: [-0.1, 0.1], y: [-0.1, 0.1]}}]}
  ball: {material: steel, shapes: [{sphere: {radius: 0.2}}], position: [0, 0, 0.0001]}
run: {until: 0.1}
"""
        run = self.carom_json("run", self.write(scene))
        self.assertEqual("doubtful", run["verdict"]["grade"])
        self.assertAlmostEqual(0, run["final"]["bodies"]["ball"]["position"][2], delta=1e-4)

    def test_identical_dice_face_to_face_rest(self):
        scene = """carom: 1
bodies:
  low: {fixed: true, material: steel, shapes: [{superquadric: {radii: [0.05, 0.05, 0.05], exponents: [20, 20]}}]}
  high: {material: steel, shapes: [{superquadric: {radii: [0.05, 0.05, 0.05], exponents: [20, 20]}}], position: [0, 0, 0.1001]}
contact: {restitution: 0.2}
run: {until: 0.1}
"""
        run = self.carom_json("run", self.write(scene))
        self.assertEqual("sound", run["verdict"]["grade"])
        x, y, z = run["final"]["bodies"]["high"]["position"]
        self.assertAlmostEqual(0.1, z, delta=1e-5)
        self.assertAlmostEqual(0, abs(x) + abs(y), delta=1e-9)


if __name__ == "__main__":
    unittest.main(verbosity=2)
