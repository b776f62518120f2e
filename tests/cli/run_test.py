"""carom run: what it computes, prints and writes."""

import math
import unittest

from harness import DONE, FAILED, INVALID_SCENE, PENDULUM, SOURCE, WRONG_USAGE, Case

FINAL_BODY = {"position", "orientation", "velocity", "angular_velocity"}
ENERGY = {"kinetic", "potential", "elastic", "dissipated_normal", "dissipated_friction",
          "drive_work", "model_work", "residual"}
STATISTICS = {"integrator", "steps", "rhs_evaluations", "jacobian_evaluations", "events",
              "cpu_seconds", "real_time_factor"}


class Summary(Case):
    def test_json_is_one_document_with_the_keys_of_the_contract(self):
        summary = self.carom_json("run", self.write(PENDULUM))
        self.assertLessEqual({"status", "reason", "time", "final", "events", "contacts", "energy",
                              "statistics", "warnings"}, set(summary))
        self.assertEqual(("completed", "", 2), tuple(summary[k] for k in ("status", "reason", "time")))
        self.assertEqual({"bob"}, set(summary["final"]["bodies"]))
        self.assertLessEqual(FINAL_BODY, set(summary["final"]["bodies"]["bob"]))
        self.assertEqual([3, 4, 3, 3], [len(summary["final"]["bodies"]["bob"][key]) for key in
                                        ("position", "orientation", "velocity", "angular_velocity")])
        self.assertLessEqual({"q", "v"}, set(summary["final"]["joints"]["pivot"]))
        self.assertLessEqual(ENERGY, set(summary["energy"]))
        self.assertLessEqual(STATISTICS, set(summary["statistics"]))
        self.assertEqual([], summary["warnings"])

    def test_the_pendulum_keeps_its_energy(self):
        summary = self.carom_json("run", self.write(PENDULUM))
        q, v = (summary["final"]["joints"]["pivot"][key][0] for key in "qv")
        # m l² v²/2 − m g l cos q, from 0.5 rad at rest; 100 times the tolerance of 1e-8.
        self.assertAlmostEqual(0.5 * v * v - 9.81 * math.cos(q), -9.81 * math.cos(0.5), delta=1e-5)
        self.assertLess(abs(summary["energy"]["residual"]), 1e-5)

    def test_data_goes_to_stdout_and_talk_to_stderr(self):
        scene = self.write(PENDULUM)
        plain = self.carom("run", scene)
        self.assertEqual("", plain.stdout)
        self.assertIn("completed", plain.stderr)
        self.assertIn("ledger closes", plain.stderr)
        quiet = self.carom("run", scene, "--quiet")
        self.assertEqual(("", ""), (quiet.stdout, quiet.stderr))
        self.assertNotIn("\r", plain.stderr, "progress is for terminals")

    def test_events_are_listed_in_order(self):
        scene = self.write(PENDULUM + 'events: {below: {when: "pivot.q"}}\n')
        events = self.carom_json("run", scene)["events"]
        self.assertGreaterEqual(len(events), 1)
        self.assertEqual(sorted(e["time"] for e in events), [e["time"] for e in events])
        self.assertLessEqual({"time", "kind"}, set(events[0]))


class ErrorEstimate(Case):
    def test_is_what_a_far_more_exact_run_shows(self):
        scene = SOURCE / "examples/double_pendulum.yaml"
        words = ("run", scene, "--until", "2", "--channels", "bodies")
        estimate = self.carom_json(*words, "-o", "rough.csv", "--tolerance", "1e-6", "--error")
        self.carom(*words, "-o", "exact.csv", "--tolerance", "1e-13")
        header, rough = self.csv("rough.csv")
        _, exact = self.csv("exact.csv")
        place = header.index("lower.position.x [m]")
        actual = max(math.dist(a[place:place + 3], b[place:place + 3])
                     for a, b in zip(rough, exact, strict=True))
        self.assertGreater(actual, 0)
        # The run that the estimate takes for exact has a hundredth of the error itself.
        self.assertAlmostEqual(1, estimate["error"]["position"] / actual, delta=0.1)


class Overrides(Case):
    def test_set_changes_a_value_and_until_the_end(self):
        scene = self.write(PENDULUM)
        plain = self.carom_json("run", scene)
        moved = self.carom_json("run", scene, "--set", "joints.pivot.q=0.1", "--until", "0.25")
        self.assertEqual(0.25, moved["time"])
        # Small swings: q = 0.1 cos(sqrt(g) t), wrong by 0.1³/16 of the frequency.
        self.assertAlmostEqual(0.1 * math.cos(math.sqrt(9.81) * 0.25),
                               moved["final"]["joints"]["pivot"]["q"][0], delta=1e-4)
        self.assertEqual(2, plain["time"])

    def test_integrator_step_and_tolerance_are_taken(self):
        scene = self.write(PENDULUM)
        fixed = self.carom_json("run", scene, "--integrator", "rk4", "--step", "0.01")
        self.assertEqual("rk4", fixed["statistics"]["integrator"])
        self.assertEqual(200, fixed["statistics"]["steps"])
        coarse, fine = (self.carom_json("run", scene, "--tolerance", t)["statistics"]["steps"]
                        for t in ("1e-4", "1e-12"))
        self.assertLess(coarse, fine)

    def test_a_wrong_path_gets_a_suggestion(self):
        result = self.carom("run", self.write(PENDULUM), "--set", "joints.pivto.q=1",
                            code=INVALID_SCENE)
        self.assertIn("did you mean 'pivot'?", result.stderr)
        self.assertIn("--set:1:", result.stderr)


class Output(Case):
    def test_results_lie_beside_the_scene_by_default(self):
        self.carom("run", self.write(PENDULUM, "swing.yaml"))
        result = self.probe("swing.h5")
        self.assertEqual(("completed", 5, 2), (result["status"], result["rows"], result["last_time"]))
        self.assertEqual(PENDULUM, result["scene"])
        self.assertEqual("completed", result["summary"]["status"])

    def test_csv_and_hdf5_hold_the_same_rows(self):
        self.carom("run", self.write(PENDULUM), "-o", "a.csv", "-o", "a.h5")
        header, rows = self.csv("a.csv")
        self.assertEqual("time [s]", header[0])
        self.assertIn("pivot.q [rad]", header)
        self.assertIn("bob.position.z [m]", header)
        self.assertEqual([0, 0.5, 1, 1.5, 2], [row[0] for row in rows])
        self.assertEqual(self.probe("a.h5")["last_row"], rows[-1][1:])

    def test_channels_select_what_is_recorded(self):
        self.carom("run", self.write(PENDULUM), "-o", "a.csv", "--channels", "pivot.q,energy.kinetic",
                   "--output-step", "1")
        header, rows = self.csv("a.csv")
        self.assertEqual(["time [s]", "pivot.q [rad]", "energy.kinetic [J]"], header)
        self.assertEqual(3, len(rows))
        wrong = self.carom("run", "scene.yaml", "--channels", "energi", code=INVALID_SCENE)
        self.assertIn("did you mean 'energy'?", wrong.stderr)

    def test_no_output_leaves_nothing(self):
        self.carom("run", self.write(PENDULUM), "--no-output")
        self.assertEqual(["scene.yaml"], [path.name for path in self.folder.iterdir()])

    def test_an_unwritable_path_is_a_clear_error_before_the_run(self):
        scene = self.write(PENDULUM)
        result = self.carom("run", scene, "-o", "nowhere/a.h5", code=FAILED)
        self.assertIn("nowhere", result.stderr)
        self.assertIn("does not exist", result.stderr)
        self.assertNotIn("completed", result.stderr)
        self.carom("run", scene, "-o", "a.txt", code=WRONG_USAGE)

    def test_the_same_run_gives_the_same_bits(self):
        scene = SOURCE / "examples/double_pendulum.yaml"
        for name in ("a.csv", "b.csv"):
            self.carom("run", scene, "-o", name, "--until", "5")
        self.assertEqual((self.folder / "a.csv").read_bytes(), (self.folder / "b.csv").read_bytes())


class ExitCodes(Case):
    def test_a_solver_failure_is_1_and_keeps_what_was_computed(self):
        summary = self.carom_json("run", self.write(PENDULUM), "--set", "run.max_steps=5",
                                  "-o", "a.h5", "--output-step", "0.01", code=FAILED)
        self.assertEqual("failed", summary["status"])
        self.assertIn("5 steps", summary["reason"])
        self.assertGreater(summary["time"], 0)
        kept = self.probe("a.h5")
        self.assertEqual("failed", kept["status"])
        self.assertEqual(summary["reason"], kept["reason"])
        self.assertGreater(kept["rows"], 2)
        self.assertLessEqual(kept["last_time"], summary["time"])

    def test_an_event_that_stops_the_run_completes_it(self):
        scene = self.write(PENDULUM + 'events: {below: {when: "pivot.q", do: stop}}\n')
        summary = self.carom_json("run", scene, code=DONE)
        self.assertEqual("completed", summary["status"])
        self.assertIn("below", summary["reason"])
        self.assertAlmostEqual(0, summary["final"]["joints"]["pivot"]["q"][0], delta=1e-9)

    def test_an_invalid_scene_is_3_with_place_and_remedy(self):
        result = self.carom("run", self.write(PENDULUM.replace("mass:", "mas:")), code=INVALID_SCENE)
        self.assertRegex(result.stderr, r"scene\.yaml:4:\d+: error: ")
        self.assertIn("did you mean 'mass'?", result.stderr)
        self.assertEqual("", result.stdout)
        self.carom("run", "no_such.yaml", code=INVALID_SCENE)


if __name__ == "__main__":
    unittest.main(verbosity=2)
