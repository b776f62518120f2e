"""Sobol' indices and Morris' effects of functions written as scene formulas, against closed forms."""

import math
import unittest

from harness import Case

# Nothing moves: a run is the evaluation of a signal.
SCENE = """carom: 1
name: Function
values: {%s}
bodies: {ground: {fixed: true}}
signals: {y: "=%s"}
run: {until: 1, integrator: rk4, step: 1, output: {step: 1}}
"""
STUDY = """carom_study: 1
scene: scene.yaml
vary: {%s}
design: {%s}
record: {y: y@end}
"""


class Indices(Case):
    def effects(self, names, formula, bounds, design):
        self.write(SCENE % (", ".join(f"{n}: 0.5" for n in names), formula))
        vary = ", ".join(f"values.{n}: {{uniform: [{bounds[0]!r}, {bounds[1]!r}]}}" for n in names)
        self.write(STUDY % (vary, design), "study.yaml")
        self.carom("sweep", "study.yaml", "-q")
        return self.carom_json("sweep", "study.yaml", "--analyse")

    def test_of_the_ishigami_function(self):
        """y = sin a + 7 sin² b + 0.1 c⁴ sin a on [-π, π]³: V = a²/8 + bπ⁴/5 + b²π⁸/18 + 1/2."""
        a, b, pi = 7, 0.1, math.pi
        variance = a * a / 8 + b * pi**4 / 5 + b * b * pi**8 / 18 + 0.5
        first = [0.5 * (1 + b * pi**4 / 5)**2 / variance, a * a / 8 / variance, 0]
        mixed = b * b * pi**8 * (1 / 18 - 1 / 50) / variance
        total = [first[0] + mixed, first[1], mixed]
        # 2^14 runs in all: 3,276 blocks of 5.
        found = self.effects("abc", "sin($a) + 7*sin($b)^2 + 0.1*$c^4*sin($a)", (-pi, pi),
                             "sobol: 3276, indices: true")
        for j, effect in enumerate(found["sensitivity"]["effects"][0]):
            self.assertAlmostEqual(first[j], effect["first"]["value"], delta=0.01)
            self.assertAlmostEqual(total[j], effect["total"]["value"], delta=0.01)
            self.assertLessEqual(effect["first"]["low"] - 0.005, first[j])
            self.assertGreaterEqual(effect["first"]["high"] + 0.005, first[j])
        mean = found["columns"][0]["statistics"]["mean"]
        self.assertAlmostEqual(a / 2, mean, delta=0.05)

    def test_of_the_g_function(self):
        """Π (|4x − 2| + a)/(1 + a) on [0, 1]³: V_j = 1/3/(1 + a_j)², 1 + V = Π (1 + V_j)."""
        a = [0, 1, 4.5]
        parts = [1 / 3 / (1 + x)**2 for x in a]
        variance = math.prod(1 + v for v in parts) - 1
        formula = "*".join(f"((abs(4*$x{j} - 2) + {x})/(1 + {x}))" for j, x in enumerate(a))
        found = self.effects([f"x{j}" for j in range(3)], formula, (0.0, 1.0),
                             "sobol: 3276, indices: true")
        for j, effect in enumerate(found["sensitivity"]["effects"][0]):
            others = math.prod(1 + v for i, v in enumerate(parts) if i != j)
            self.assertAlmostEqual(parts[j] / variance, effect["first"]["value"], delta=0.01)
            self.assertAlmostEqual(parts[j] * others / variance, effect["total"]["value"], delta=0.01)

    def test_of_plain_points_by_parts(self):
        """y = a + 2 b + a c on [0, 1]³: variances of the means 9/48, 4/12 and 1/48 of 79/144."""
        found = self.effects("abc", "$a + 2*$b + $a*$c", (0.0, 1.0), "sobol: 4096")
        for effect, expected in zip(found["sensitivity"]["effects"][0], [27 / 79, 48 / 79, 3 / 79]):
            self.assertAlmostEqual(expected, effect["first"]["value"], delta=4096**-0.5)

    def test_of_a_linear_function_by_morris(self):
        found = self.effects("abc", "3*$a - 2*$b + 0*$c", (0.0, 1.0), "morris: 10, seed: 4")
        for effect, slope in zip(found["sensitivity"]["effects"][0], [3, -2, 0]):
            self.assertAlmostEqual(slope, effect["mu"]["value"], delta=1e-12)
            self.assertAlmostEqual(abs(slope), effect["mu_star"]["value"], delta=1e-12)
            self.assertAlmostEqual(0, effect["sigma"]["value"], delta=1e-12)


if __name__ == "__main__":
    unittest.main(verbosity=2)
