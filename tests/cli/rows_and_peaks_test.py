"""What a run tells by its rows and peaks, of scenes in which rows alone had hidden it."""

import csv
import math
import unittest

from harness import Case

# A crank with a pin turns a wheel of four slots by a quarter each revolution. The pin comes in along
# the slot, with the play between them and at rest across it: it strikes one wall, then the other,
# for less than a millisecond each.
AXES = 0.1  # between crank and wheel [m]
CRANK = AXES * math.sin(math.pi / 4)
PLAY, PIN, WALL = 0.0002, 0.005, 0.006


def slot_walls():
    for slot in range(4):
        angle = math.pi / 4 + slot * math.pi / 2
        for side in (-1, 1):
            along, across = 0.0475, side * (PIN + PLAY + WALL / 2)
            x = along * math.cos(angle) - across * math.sin(angle)
            y = along * math.sin(angle) + across * math.cos(angle)
            yield (f"      - {{box: {{size: [0.045, {WALL}, 0.008]}}, at: [{x:.9f}, {y:.9f}, 0], "
                   f"rotation: [0, 0, {angle:.9f}]}}")


def geneva(step):
    return f"""carom: 1
gravity: off
bodies:
  driver:
    material: steel
    shapes: [{{cylinder: {{radius: {PIN}, length: 0.02}}, at: [{CRANK:.9f}, 0, 0], axis: z}}]
    joint: {{revolute: {{axis: z}}, name: crank, motion: "=-0.9 + 6*t"}}
  wheel:
    material: steel
    shapes:
{chr(10).join(slot_walls())}
    joint: {{revolute: {{axis: z, at: [{AXES}, 0, 0]}}, name: index, friction: {{coulomb: 0.01}}}}
contact: {{mu_k: 0.1, restitution: 0.3, k_red: 1e-2, watch: [[driver, wheel]]}}
run: {{until: 0.2, tolerance: 1e-7, output: {{step: {step}, channels: [contacts]}}}}
"""


# A body whose centre of mass is off its middle falls spinning on a floor.
TUMBLER = """carom: 1
bodies:
  floor: {{fixed: true, material: steel, shapes: [{{half_space: {{}}}}]}}
  body: {{material: steel, mass: 1.5, com: [0.012, -0.007, 0.009], inertia: [0.008, 0.01, 0.011],
         shapes: [{{{shape}, mass: off}}], position: [0, 0, 0.15], rotation: [0.7, -0.4, 0.2],
         angular_velocity: [4, -6, {spin}]}}
contact: {{restitution: 0.98, mu_k: {mu}, resistance: none}}
run: {{until: 0.6, tolerance: 1e-7, output: {{step: 0.001, channels: [energy]}}}}
"""


class RowsAndPeaks(Case):
    def rows(self, name):
        with open(self.folder / name, newline="") as file:
            return list(csv.DictReader(line for line in file if not line.startswith("#")))

    def largest(self, step):
        """Of the force between pin and wheel: in the summary, in all lines of the CSV, and in its rows."""
        summary = self.carom_json("run", self.write(geneva(step)), "-o", "geneva.csv")
        [pair] = summary["contact_pairs"]
        lines = self.rows("geneva.csv")
        parts = [f"contact(driver,wheel).force.{axis} [N]" for axis in "xyz"]
        force = [math.hypot(*(float(line[part]) for part in parts)) for line in lines]
        on_grid = [f for f, line in zip(force, lines) if line["on_grid"] == "1"]
        return summary["verdict"]["grade"], pair["peak_force"], max(force), max(on_grid)

    def test_the_blows_of_a_geneva_drive_are_seen_between_rows(self):
        grade, peak, in_lines, in_rows = self.largest(0.002)
        self.assertEqual("sound", grade)
        self.assertGreater(peak, 3 * in_rows)
        self.assertLess(abs(in_lines / peak - 1), 0.05)  # friction beside the normal force
        *_, fine = self.largest(1e-5)  # between two rows the top of a blow of 0.8 ms falls by 2e-4
        self.assertLess(abs(in_lines / fine - 1), 1e-3)

    def test_no_bounce_gives_a_body_more_energy_than_it_had(self):
        for shape in ("box: {size: [0.1, 0.08, 0.06]}", "cylinder: {radius: 0.06, length: 0.1}"):
            for spin, mu in ((-3, 0.3), (9, 0)):
                scene = self.write(TUMBLER.format(shape=shape, spin=spin, mu=mu))
                summary = self.carom_json("run", scene, "-o", "rows.csv")
                energy = [float(r["energy.kinetic [J]"]) + float(r["energy.potential [J]"])
                          for r in self.rows("rows.csv")]
                with self.subTest(shape=shape, spin=spin):
                    self.assertEqual("sound", summary["verdict"]["grade"])
                    self.assertGreater(summary["contact_pairs"][0]["count"], 1)
                    self.assertLess(max(energy) / energy[0] - 1, 1000 * 1e-7)
                    self.assertEqual(0, summary["energy"]["model_work"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
