"""carom run --real-time: at the pace of the clock, with inputs that a replay gives again."""

import subprocess
import time
import unittest

from harness import CAROM, WRONG_USAGE, Case

LEVER = """carom: 1
bodies:
  floor: {fixed: true, material: steel, shapes: [{half_space: {}}]}
  lever: {mass: 1, inertia: [0.01, 0.02, 0.02], com: [0.2, 0, 0], joint: {revolute: {axis: y, at: [0, 0, 0.1]}, name: hinge, damping: 2, drive: {force: push}}}
  tip: {mass: 0.5, material: steel, shapes: [{sphere: {radius: 0.05}}], joint: {prismatic: {parent: lever, at: [0.4, 0, 0], axis: x}, name: slide, spring: {stiffness: 1000}, damping: 20}}
signals:
  push: 0.0
contact: {restitution: 0.3}
run: {until: 0.6, integrator: INTEGRATOR, output: {step: 0.02}}
"""
IMPLICIT = LEVER.replace("INTEGRATOR", "implicit_contact, step: 0.005")
CHOSEN = LEVER.replace("INTEGRATOR", "auto")
LINES = ("push 2.5\n", "# a remark\npush = -1e1\n", "push 0.125\n")


class RealTime(Case):
    def live(self, scene, name, lines=LINES):
        """Runs with a line every tenth of a second. Returns what was said and the wall time [s]."""
        began = time.monotonic()
        process = subprocess.Popen([str(CAROM), "run", str(scene), "--real-time", "-o", name + ".h5",
                                    "-o", name + ".csv"], cwd=self.folder, text=True,
                                   stdin=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(process.kill)
        for line in lines:
            time.sleep(0.1)
            process.stdin.write(line)
            process.stdin.flush()
        process.stdin.close()
        said = process.stderr.read()
        process.stderr.close()
        self.assertEqual(0, process.wait(timeout=60), said)
        return said, time.monotonic() - began

    def end_of(self, name):
        return [(self.folder / (name + ending)).read_text() for ending in (".csv", ".events.csv")]

    def inputs(self, name):
        events = (self.folder / (name + ".events.csv")).read_text().splitlines()
        rows = [line.split(",") for line in events if ",input," in line]
        return [(float(row[0]), row[2]) for row in rows]

    def test_lines_set_signals_and_a_replay_has_equal_bits(self):
        for kind, text, period in (("fixed", IMPLICIT, 0.005), ("chosen", CHOSEN, 0.001)):
            scene = self.write(text, kind + ".yaml")
            said, took = self.live(scene, kind)
            self.assertGreater(took, 0.6)
            self.assertIn("deadlines missed", said)
            stamps = self.inputs(kind)
            self.assertEqual(3, len(stamps), said)
            for stamp, signal in stamps:
                self.assertEqual("push", signal)
                self.assertAlmostEqual(round(stamp / period), stamp / period, places=6)
            report = self.probe(kind + ".h5")
            self.assertEqual("completed", report["status"])
            self.carom("run", scene, "--replay", kind + ".h5", "-o", "again.h5", "-o", "again.csv")
            self.assertEqual(self.end_of(kind), self.end_of("again"))
            # Without the inputs it is another motion: the comparison above can fail.
            self.carom("run", scene, "-o", "without.h5", "-o", "without.csv")
            self.assertNotEqual(self.end_of(kind)[0], self.end_of("without")[0])

    def test_a_signal_holds_from_its_stamp_on(self):
        scene = self.write(IMPLICIT.replace("{step: 0.02}", "{step: 0.005}"))
        self.live(scene, "run")
        header, rows = self.csv("run.csv")
        push = header.index("push [-]")
        stamps = [0.0] + [stamp for stamp, _ in self.inputs("run")] + [0.6]
        seen = 0
        for value, begin, end in zip((0.0, 2.5, -10.0, 0.125), stamps, stamps[1:]):
            held = {row[push] for row in rows if begin + 1e-9 < row[0] < end - 1e-9}
            self.assertLessEqual(held, {value}, (begin, end))
            seen += len(held)
        self.assertGreaterEqual(seen, 2)

    def test_wrong_lines_are_told_and_left_out(self):
        scene = self.write(IMPLICIT)
        said, _ = self.live(scene, "run", ("pull 1\npush\npush much\npush .nan\n\npush 1\n",))
        self.assertIn("stdin:1:1: the scene has no constant signal 'pull'", said)
        self.assertIn("push", said.split("pull")[1].splitlines()[1])
        for line in (2, 3, 4):
            self.assertIn(f"stdin:{line}:1: a line is a signal and a finite number", said)
        self.assertEqual(1, len(self.inputs("run")))

    def test_deadlines_that_cannot_be_kept_are_counted(self):
        # A thousandth of a microsecond per step: no machine takes steps as fast as that.
        scene = self.write(IMPLICIT.replace("step: 0.005", "step: 1e-9").replace("0.6", "1e-6"))
        report = self.carom_json("run", scene, "--real-time", "--no-output")["real_time"]
        self.assertGreater(report["missed"], 900)
        self.assertGreater(report["worst"], 0.0)
        self.assertAlmostEqual(1e-9, report["period"])

    def test_a_replay_needs_a_run_with_inputs(self):
        scene = self.write(IMPLICIT)
        self.carom("run", scene, "-o", "plain.h5")
        result = self.carom("run", scene, "--replay", "plain.h5", "-o", "b.h5", code=WRONG_USAGE)
        self.assertIn("had no live inputs", result.stderr)


if __name__ == "__main__":
    unittest.main()
