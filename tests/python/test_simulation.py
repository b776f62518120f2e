"""Step by step: control in the loop, parameters, saved states."""

import math
import os
import signal
import threading
import unittest

import numpy as np

import carom
import support

KP, KD = 60.0, 12.0  # N m/rad and N m s/rad: more than m g l = 13.7 N m/rad


def balance(step, t_end=1.0):
    """An inverted pendulum under a PD controller written here, sampled every `step`."""
    sim = carom.scene(support.pendulum(angle=0.3, height=support.LENGTH)).simulate()
    for k in range(round(t_end / step)):
        sim.set("signals.u", -KP * sim["pivot.q"] - KD * sim["pivot.v"])
        sim.advance_to((k + 1) * step)
    return np.array([sim["pivot.q"], sim["pivot.v"]])


def balance_by_hand(step, t_end=1.0):
    x = np.array([0.3, 0.0])
    for _ in range(round(t_end / step)):
        u = -KP * x[0] - KD * x[1]
        x = support.swing(x, step, steps=20, height=support.LENGTH, torque=u)
    return x


class ControlInTheLoop(unittest.TestCase):
    def test_is_the_sampled_system_solved_by_hand(self):
        # Tolerance 1e-10 on each of 50 restarts, errors decay with the closed loop.
        np.testing.assert_allclose(balance(0.02), balance_by_hand(0.02), atol=5e-9)

    def test_tends_to_the_same_drive_in_the_scene_with_the_first_order_of_sampling(self):
        content = support.pendulum(angle=0.3, height=support.LENGTH)
        content["bodies"]["rod"]["joint"]["drive"] = {"position": 0, "stiffness": KP, "damping": KD}
        drive = carom.scene(content).run(until=0.4)
        exact = np.array([drive["pivot.q"][-1], drive["pivot.v"][-1]])
        errors = [np.abs(balance(h, 0.4) - exact).max() for h in (0.01, 0.005, 0.0025)]
        self.assertLess(errors[2], 5e-3)
        # Halving the sampling time halves the error; the next order shows as a few per cent.
        for ratio in (errors[0] / errors[1], errors[1] / errors[2]):
            self.assertAlmostEqual(ratio, 2.0, delta=0.1)

    def test_keeps_upright_what_falls_without_it(self):
        self.assertLess(np.abs(balance(0.01, t_end=4.0)).max(), 1e-3)
        sim = carom.scene(support.pendulum(angle=0.3, height=support.LENGTH)).simulate()
        sim.advance(1.0)
        self.assertGreater(sim["pivot.q"], 1.0)

    def test_a_joint_that_sticks_gives_way_when_the_force_is_raised(self):
        # Mass 2 kg, friction 2 N: 1 N does not move it, 3 N accelerate it by 0.5 m/s2.
        sim = carom.scene({
            "bodies": {"block": {"mass": 2, "inertia": [1, 1, 1], "joint": {
                "prismatic": {"axis": "x"}, "name": "rail", "friction": {"coulomb": 2},
                "drive": {"force": "=u"}}}},
            "signals": {"u": 1},
        }).simulate()
        sim.advance(1.0)
        self.assertEqual(sim["rail.v"], 0.0)
        sim.set("signals.u", 3.0)
        sim.advance(1.0)
        self.assertAlmostEqual(sim["rail.v"], 0.5, delta=1e-9)
        self.assertAlmostEqual(sim["rail.q"], 0.25, delta=1e-9)
        self.assertEqual([(e["kind"], e["time"]) for e in sim.events], [("slip", 1.0)])
        self.assertAlmostEqual(sim.energy["drive_work"], 3 * 0.25, delta=1e-9)
        self.assertAlmostEqual(sim.energy["dissipated_friction"], 2 * 0.25, delta=1e-9)


class Stepping(unittest.TestCase):
    def test_steps_lead_where_a_whole_run_leads(self):
        scene = carom.scene(support.pendulum(angle=1.0))
        sim = scene.simulate()
        self.assertEqual((sim.time, sim.status), (0.0, "ready"))
        for _ in range(8):
            self.assertEqual(sim.advance(0.125), "reached")
        self.assertEqual(sim.time, 1.0)
        run = scene.run(until=1)
        self.assertAlmostEqual(sim["pivot.q"], run["pivot.q"][-1], delta=1e-9)
        np.testing.assert_allclose(sim["rod.angular_velocity"], run["rod.angular_velocity"][-1], atol=1e-8)
        self.assertAlmostEqual(sim["rod.angular_velocity.y"], sim["pivot.v"], delta=1e-14)

    def test_a_saved_state_starts_the_same_motion_again(self):
        sim = carom.scene(support.pendulum(angle=1.0)).simulate()
        sim.advance_to(0.4)
        t, x = sim.time, sim.state
        ends = []
        for _ in range(2):
            sim.set_state(t, x)
            self.assertEqual(sim.time, 0.4)
            sim.advance_to(1.0)
            ends.append(sim.state)
        np.testing.assert_array_equal(ends[0], ends[1])
        np.testing.assert_allclose(ends[0][:2], support.swing([1.0, 0.0], 1.0), atol=2e-9)

    def test_state_is_a_copy(self):
        sim = carom.scene(support.pendulum(angle=1.0)).simulate()
        sim.state[:] = 0.0
        self.assertEqual(sim["pivot.q"], 1.0)

    def test_parameters_change_at_once(self):
        sim = carom.scene(support.pendulum(angle=math.pi / 2)).simulate()
        self.assertIn("joints.pivot.damping", sim.parameters)
        for path in ("gravity.0", "gravity.1", "gravity.2"):
            sim.set(path, 0.0)
        self.assertEqual(sim.energy["potential"], 0.0)
        sim.advance(1.0)
        self.assertEqual(sim["pivot.v"], 0.0)

    def test_wrong_use_is_refused(self):
        sim = carom.scene(support.pendulum()).simulate()
        sim.advance(1.0)
        with self.assertRaises(ValueError):
            sim.advance(-0.1)
        with self.assertRaises(ValueError):
            sim.advance_to(math.nan)
        with self.assertRaises(ValueError):
            sim.set_state(0.0, np.zeros(99))
        with self.assertRaisesRegex(KeyError, "pivot.q"):
            sim["pivot.qq"]
        with self.assertRaisesRegex(carom.SceneError, "signals.u"):
            sim.set("signals.uu", 1.0)

    def test_ctrl_c_stops_a_step_and_the_next_goes_on(self):
        sim = carom.scene(support.pendulum()).simulate()
        timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        with self.assertRaises(KeyboardInterrupt):
            sim.advance_to(1e7)
        timer.join()
        self.assertEqual(sim.status, "interrupted")
        t = sim.time
        self.assertTrue(0 < t < 1e7)
        self.assertEqual(sim.advance(1.0), "reached")
        self.assertEqual(sim.time, t + 1.0)

    def test_failure_raises(self):
        scene = carom.scene(support.pendulum())
        scene["run.max_steps"] = 3
        sim = scene.simulate()
        with self.assertRaises(carom.SimulationError):
            sim.advance(100.0)
        self.assertEqual(sim.status, "failed")

    def test_a_stopping_event_stops_and_the_next_step_goes_on(self):
        content = support.pendulum(angle=0.5)
        content["events"] = {"down": {"when": "pivot.q", "direction": "falling", "do": "stop"}}
        sim = carom.scene(content).simulate()
        self.assertEqual(sim.advance_to(1.0), "stopped")
        self.assertAlmostEqual(sim.time, support.period(0.5) / 4, delta=1e-8)
        self.assertEqual(sim.advance_to(1.0), "reached")
        self.assertEqual(sim.time, 1.0)

    def test_two_threads_may_not_share_a_simulation(self):
        sim = carom.scene(support.pendulum()).simulate()
        scene_time, refused = 50.0, []

        def read():
            while sim_thread.is_alive():
                try:
                    sim.time
                except RuntimeError as error:
                    refused.append(str(error))
                    return

        sim_thread = threading.Thread(target=sim.advance_to, args=(scene_time,))
        reader = threading.Thread(target=read)
        sim_thread.start()
        reader.start()
        sim_thread.join()
        reader.join()
        # Whether the reader met the simulation at work is up to the scheduler.
        self.assertTrue(all("another thread" in text for text in refused))
        self.assertEqual(sim.time, scene_time)


if __name__ == "__main__":
    unittest.main()
