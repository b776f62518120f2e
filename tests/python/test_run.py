"""Whole runs: against closed forms, as arrays, in files, in threads, interrupted."""

import gc
import os
import resource
import signal
import tempfile
import threading
import unittest

import numpy as np

import carom
import support


class Pendulum(unittest.TestCase):
    def test_period_is_that_of_the_elliptic_integral(self):
        for amplitude in (0.1, 1.0, 3.0):
            content = support.pendulum(angle=amplitude)
            content["events"] = {"passes": {"when": "pivot.q", "direction": "falling"}}
            expected = support.period(amplitude)
            result = carom.scene(content).run(until=2.5 * expected)
            times = [e["time"] for e in result.events if e["subject"] == "passes"]
            self.assertEqual(len(times), 3)
            # Events lie on the dense output, whose error is some 100 tolerances of 1e-10.
            np.testing.assert_allclose(np.diff(times), expected, rtol=2e-8)

    def test_motion_is_that_of_a_plain_runge_kutta_solution(self):
        result = carom.scene(support.pendulum(angle=1.2, damping=0.3)).run(until=2, output_step=0.5)
        np.testing.assert_array_equal(result.time, [0, 0.5, 1, 1.5, 2])
        for t, q, v in zip(result.time[1:], result["pivot.q"][1:], result["pivot.v"][1:]):
            # Both methods are good to 1e-9: tolerance 1e-10, and RK4 with h^4 = 1e-12.
            np.testing.assert_allclose([q, v], support.swing([1.2, 0.0], t, damping=0.3), atol=2e-9)

    def test_energy_ledger_closes(self):
        result = carom.scene(support.pendulum(angle=1.2, damping=0.3)).run()
        self.assertEqual(result.status, "completed")
        self.assertGreater(result.energy["dissipated_damping"], 1.0)
        self.assertLess(result.energy["largest_residual"], 1e-7)

    def test_final_state_is_the_last_row(self):
        result = carom.scene(support.pendulum()).run(until=1, output_step=0.25)
        self.assertEqual(result.final["joints"]["pivot"]["q"][0], result["pivot.q"][-1])
        np.testing.assert_allclose(
            result.final["bodies"]["rod"]["orientation"], result["rod.orientation"][-1], atol=1e-15
        )
        self.assertEqual(result.summary["time"], 1.0)
        self.assertEqual(result.summary["final"], result.final)


class Arrays(unittest.TestCase):
    def setUp(self):
        self.result = carom.scene(support.pendulum()).run(until=1, output_step=0.01)

    def test_a_channel_is_a_matrix_and_a_column_a_vector(self):
        self.assertEqual(self.result["rod.position"].shape, (101, 3))
        self.assertEqual(self.result["rod.position.z"].shape, (101,))
        self.assertEqual(self.result["pivot.q"].shape, (101,))
        np.testing.assert_array_equal(self.result["rod.velocity"][:, 2], self.result["rod.velocity.z"])

    def test_arrays_share_the_recorded_block(self):
        matrix, column = self.result["rod.orientation"], self.result["rod.orientation.y"]
        self.assertFalse(matrix.flags.owndata)
        self.assertIsNotNone(matrix.base)
        address = lambda a: a.__array_interface__["data"][0]
        self.assertEqual(address(column), address(matrix) + 2 * 8)
        self.assertEqual(address(matrix), address(self.result["rod.orientation"]))
        self.assertEqual(matrix.strides[0], column.strides[0])
        self.assertTrue(np.shares_memory(matrix, self.result["rod.orientation"]))

    def test_arrays_outlive_the_result(self):
        column, time = self.result["pivot.q"], self.result.time
        kept, kept_time = column.copy(), time.copy()
        del self.result
        gc.collect()
        for _ in range(20):  # would reuse the block if it had been given back
            carom.scene(support.pendulum(angle=-1.0)).run(until=1, output_step=0.01)
        np.testing.assert_array_equal(column, kept)
        np.testing.assert_array_equal(time, kept_time)

    def test_what_was_recorded_cannot_be_changed(self):
        with self.assertRaises(ValueError):
            self.result["pivot.q"][0] = 1.0

    def test_an_unknown_name_is_a_key_error_with_a_suggestion(self):
        with self.assertRaisesRegex(KeyError, "did you mean 'pivot.q'"):
            self.result["pivt.q"]
        self.assertIn("pivot.q", self.result)
        self.assertIn("rod.position.z", self.result)
        self.assertNotIn("pivt.q", self.result)

    def test_channels_are_described(self):
        self.assertIn("rod.position", self.result.channels)
        about = self.result.describe("rod.position")
        self.assertEqual((about["unit"], about["components"]), ("m", ["x", "y", "z"]))

    def test_only_selected_channels_are_recorded(self):
        result = carom.scene(support.pendulum()).run(until=0.1, channels=["pivot.q", "energy"])
        self.assertEqual(result.channels[0], "pivot.q")
        self.assertNotIn("rod.position", result)


BALL = """carom: 1
bodies:
  table: {fixed: true, material: steel, shapes: [{half_space: {}}]}
  ball: {material: steel, shapes: [{sphere: {radius: 0.03}}], position: [0, 0, 0.13]}
contact: {k_red: 1e-2, restitution: 0.6, watch: [[table, ball]]}
run: {until: 0.3, output: {step: 0.1}}
"""


class Contacts(unittest.TestCase):
    def test_events_peaks_and_pairs_tell_of_a_bounce(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "run.h5")
            result = carom.parse(BALL).run(file=path)
            read = carom.open(path)
        for r in (result, read):
            end = next(e for e in r.events if e["kind"] == "contact_end")
            self.assertEqual((end["subject"], end["partner"]), ("table", "ball"))
            self.assertGreater(end["peak_force"], 1000)
            for name in ("impulse", "peak_depth", "duration", "energy_lost"):
                self.assertGreater(end[name], 0)
            self.assertEqual(end["slip"], 0)
            peak = next(p for p in r.peaks if p["quantity"] == "force.normal")
            self.assertEqual(peak["object"], "contact(table,ball)")
            self.assertAlmostEqual(peak["value"], end["peak_force"], delta=1e-6 * peak["value"])
            self.assertEqual(peak["columns"]["contact(table,ball).force.normal"], peak["value"])
            self.assertEqual(r.contacts[0]["pair"], ("table", "ball"))
            self.assertEqual(r.contacts[0]["count"], 1)
            self.assertEqual(len(r.time), 4)
        self.assertEqual(result.events, read.events)
        self.assertEqual(result.peaks, read.peaks)


PATCH = """carom: 1
materials: {rubber: {density: 1100, youngs_modulus: 5e6, poissons_ratio: 0.3}}
bodies:
  table: {fixed: true, material: rubber, shapes: [{half_space: {}}]}
  ball: {material: rubber, shapes: [{sphere: {radius: 0.05}}], position: [0, 0, 0.05], velocity: [0, 0, -0.1]}
contact: {area: {pressure: foundation, layer: 2e-3}, watch: [[table, ball]]}
run: {until: 0.01, output: {step: 1e-3, maps: on}}
"""


class Maps(unittest.TestCase):
    def test_pressures_add_up_to_the_force_in_memory_and_in_a_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "run.h5")
            result = carom.parse(PATCH).run(file=path)
            read = carom.open(path)
        self.assertGreater(len(read.maps), 3)
        force = result["contact(table,ball).force.normal"]
        for mine, theirs in zip(result.maps, read.maps, strict=True):
            self.assertEqual((theirs["object"], theirs["quantity"], theirs["unit"]),
                             ("contact(table,ball)", "pressure", "Pa"))
            self.assertEqual(theirs["time"], result.time[theirs["row"]])
            np.testing.assert_array_equal(mine["points"], theirs["points"])
            np.testing.assert_allclose(theirs["normal"], [0, 0, 1], atol=1e-12)
            total = (theirs["points"][:, 3] * theirs["points"][:, 4]).sum()
            self.assertAlmostEqual(total, force[theirs["row"]], delta=1e-9 * total)


class Files(unittest.TestCase):
    def test_a_file_gives_back_the_run_to_the_last_bit(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "run.h5")
            run = carom.scene(support.pendulum()).run(until=1, file=path)
            read = carom.open(path)
        self.assertEqual(read.channels, run.channels)
        np.testing.assert_array_equal(read.time, run.time)
        for name in run.channels:
            np.testing.assert_array_equal(read[name], run[name])
        self.assertEqual(read.summary, run.summary)
        self.assertEqual((read.status, read.name), ("completed", "Pendulum"))
        # The recorded text is the scene that ran.
        again = carom.parse(read.source).run(until=1)
        np.testing.assert_array_equal(again["pivot.q"], run["pivot.q"])

    def test_unusable_files_are_errors_of_the_right_kind(self):
        with self.assertRaises(OSError):
            carom.open("no_such_file.h5")
        with self.assertRaises(ValueError):
            carom.scene(support.pendulum()).run(until=0.1, file="run.docx")
        with self.assertRaises(OSError) as caught:
            carom.scene(support.pendulum()).run(until=0.1, file="no_such_folder/run.h5")
        self.assertEqual(len(caught.exception.result.time), 0)

    def test_a_file_that_finds_no_room_does_not_cost_the_run(self):
        limit = resource.getrlimit(resource.RLIMIT_FSIZE)
        with tempfile.TemporaryDirectory() as folder:
            resource.setrlimit(resource.RLIMIT_FSIZE, (20000, limit[1]))
            try:
                with self.assertRaises(OSError) as caught:
                    carom.scene(support.pendulum()).run(until=1, file=os.path.join(folder, "run.csv"))
            finally:
                resource.setrlimit(resource.RLIMIT_FSIZE, limit)
        self.assertEqual(caught.exception.result.status, "completed")
        self.assertEqual(caught.exception.result.time[-1], 1.0)


class Ends(unittest.TestCase):
    def test_numerical_failure_is_a_result(self):
        scene = carom.scene(support.pendulum())
        scene["run.max_steps"] = 3
        result = scene.run(until=100)
        self.assertEqual(result.status, "failed")
        self.assertNotEqual(result.reason, "")
        self.assertLess(result.summary["time"], 100)
        with self.assertRaises(carom.SimulationError):
            result.check()

    def test_an_event_may_stop_the_run(self):
        content = support.pendulum(angle=0.5)
        content["events"] = {"down": {"when": "pivot.q", "do": "stop"}}
        result = carom.scene(content).run(until=10)
        self.assertEqual(result.status, "completed")
        self.assertIn("down", result.reason)
        self.assertAlmostEqual(result.summary["time"], support.period(0.5) / 4, delta=1e-8)
        result.check()

    def test_ctrl_c_raises_and_keeps_what_was_recorded(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "run.h5")
            # The timer's thread can only act because the run has let go of Python's lock.
            timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
            timer.start()
            with self.assertRaises(KeyboardInterrupt) as caught:
                carom.scene(support.pendulum()).run(until=1e7, output_step=0.1, file=path)
            timer.join()
            partial, written = caught.exception.result, carom.open(path)
        self.assertEqual(partial.status, "interrupted")
        self.assertGreater(len(partial.time), 10)
        self.assertLess(partial.time[-1], 1e7)
        self.assertEqual(written.status, "interrupted")
        np.testing.assert_array_equal(written["pivot.q"], partial["pivot.q"])

    def test_runs_in_threads_do_not_disturb_each_other(self):
        scene = carom.scene(support.pendulum(angle=2.0))
        alone = scene.run(until=20)["pivot.q"]
        results = [None] * 3

        def work(i):
            results[i] = scene.run(until=20)["pivot.q"]

        threads = [threading.Thread(target=work, args=(i,)) for i in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for other in results:
            np.testing.assert_array_equal(other, alone)


if __name__ == "__main__":
    unittest.main()
