"""States saved, restored, sent to another process; joints and bodies set; channels read at once."""

import math
import os
import pickle
import subprocess
import sys
import unittest

import numpy as np

import carom
import support

RAMP = """
carom: 1
bodies:
  floor: {fixed: true, material: steel, shapes: [{box: {size: [2, 2, 0.1]}, at: [0, 0, -0.05]}], rotation: [0.15, 0, 0]}
  block: {material: steel, shapes: [{box: {size: [0.1, 0.1, 0.1]}}], position: [0, -0.0075, 0.0494], rotation: [0.15, 0, 0]}
contact: {friction: lugre, restitution: 0.2}
run: {until: 4}
"""
DROP = """
carom: 1
bodies:
  table: {fixed: true, material: dry_wood, shapes: [{box: {size: [1, 0.6, 0.04]}, at: [0, 0, -0.02]}]}
  box: {material: dry_wood, shapes: [{box: {size: 0.06}, edge_radius: 0.002}], position: [0, 0, 0.03], velocity: [0, 0, 1]}
contact: {friction: lugre, k_red: 1e-3}
"""

ELSEWHERE = """
import sys
import carom
scene, state = sys.argv[1], carom.State(sys.stdin.buffer.read())
sim = carom.parse(scene).simulate()
sim.restore(state)
sim.advance_to(0.4)
sys.stdout.buffer.write(bytes(sim.save()))
"""


class SavedState(unittest.TestCase):
    def test_going_on_is_restoring_to_the_last_bit(self):
        scene = carom.parse(DROP)
        sim = scene.simulate()
        sim.advance_to(0.25)
        state = sim.save()
        self.assertEqual(state.time, 0.25)
        sim.advance_to(0.4)
        fresh = scene.simulate()
        fresh.restore(pickle.loads(pickle.dumps(state)))
        self.assertEqual((fresh.time, fresh.status), (0.25, "ready"))
        fresh.advance_to(0.4)
        self.assertEqual(bytes(fresh.save()), bytes(sim.save()))
        # Also with the tolerance of another run.
        loose = scene.simulate(tolerance=1e-4)
        loose.restore(state)
        loose.advance_to(0.4)
        np.testing.assert_allclose(loose["box.position"], sim["box.position"], atol=1e-4)

    def test_goes_on_in_another_process(self):
        sim = carom.parse(DROP).simulate()
        sim.advance_to(0.25)
        state = sim.save()
        environment = dict(os.environ, PYTHONPATH=os.path.dirname(carom.__file__))
        there = subprocess.run([sys.executable, "-c", ELSEWHERE, DROP], input=bytes(state), stdout=subprocess.PIPE,
                               env=environment, timeout=120, check=True).stdout
        sim.advance_to(0.4)
        self.assertEqual(there, bytes(sim.save()))

    def test_events_that_have_not_happened_yet_are_forgotten(self):
        sim = carom.parse(DROP).simulate()
        sim.advance_to(0.1)
        state, known = sim.save(), sim.events
        sim.advance_to(0.4)
        self.assertGreater(len(sim.events), len(known))
        sim.restore(state)
        self.assertEqual(sim.events, known)
        sim.reset()
        self.assertEqual(sim.events, [])

    def test_reset_is_the_start_whatever_happened(self):
        scene = carom.scene(support.pendulum(angle=1.0))
        sim, fresh = scene.simulate(), scene.simulate()
        sim.set("signals.u", 3.0)
        sim.advance(1.0)
        sim.set_joint("pivot", q=2.0, v=-1.0)
        sim.reset()
        self.assertEqual((sim.time, sim["pivot.q"]), (0.0, 1.0))
        for s in (sim, fresh):
            s.advance(1.0)
        self.assertEqual(bytes(sim.save()), bytes(fresh.save()))

    def test_what_is_no_state_of_the_scene_is_refused(self):
        sim = carom.parse(DROP).simulate()
        state = bytearray(bytes(sim.save()))
        state[-9] ^= 1
        for wrong in (b"", b"nonsense", bytes(state), bytes(state[:-5])):
            with self.assertRaises(ValueError):
                carom.State(wrong)
        other = carom.parse(RAMP).simulate().save()
        with self.assertRaisesRegex(carom.SceneError, "cannot be restored"):
            sim.restore(other)
        self.assertEqual(sim.advance(0.1), "reached")

    def test_after_a_failure_a_state_can_be_restored(self):
        scene = carom.scene(support.pendulum())
        scene["run.max_steps"] = 30
        sim = scene.simulate()
        state = sim.save()
        with self.assertRaises(carom.SimulationError):
            sim.advance(100.0)
        sim.restore(state)
        self.assertEqual(sim.advance(0.1), "reached")


class SetState(unittest.TestCase):
    def test_putting_back_the_state_changes_nothing(self):
        scene = carom.parse(RAMP)
        never_left, put_back = scene.simulate(), scene.simulate()
        put_back.advance_to(0.5)
        force, residual = put_back["block.contact_force"], put_back.energy["residual"]
        put_back.set_state(put_back.time, put_back.state)
        np.testing.assert_array_equal(put_back["block.contact_force"], force)
        self.assertEqual(put_back.energy["residual"], residual)
        for sim in (put_back, never_left):
            sim.advance_to(0.75)
        np.testing.assert_allclose(put_back["block.position"], never_left["block.position"], atol=1e-9)

    def test_has_one_length_whatever_touches(self):
        sim = carom.parse(DROP).simulate()
        start = sim.state
        self.assertEqual(len(start), len(sim.state_names))
        for k in range(1, 31):
            sim.advance_to(0.01 * k)
            self.assertEqual(len(sim.state), len(start))
        sim.set_state(0.0, start)
        self.assertEqual((sim.time, sim["box.velocity.z"]), (0.0, 1.0))
        self.assertEqual(sim.advance_to(0.3), "reached")

    def test_names_say_what_the_entries_are(self):
        sim = carom.scene(support.pendulum(angle=0.7)).simulate()
        self.assertEqual(sim.state_names[:2], ["pivot.q", "pivot.v"])
        self.assertEqual(sim.state[sim.state_names.index("pivot.q")], 0.7)


class SetParts(unittest.TestCase):
    def test_a_joint(self):
        sim = carom.scene(support.pendulum()).simulate()
        sim.set_joint("pivot", q=1.0, v=0.5)
        sim.advance_to(1.0)
        np.testing.assert_allclose(sim.read(["pivot.q", "pivot.v"]), support.swing([1.0, 0.5], 1.0), atol=2e-9)

    def test_a_body(self):
        sim = carom.parse(DROP).simulate()
        sim.advance(0.1)
        turn = [math.cos(0.3), 0, 0, math.sin(0.3)]
        sim.set_body("box", position=[0.1, 0.05, 0.2], orientation=turn, velocity=[0, 0, 0], angular_velocity=[0, 0, 2])
        np.testing.assert_allclose(sim.read(["box.position", "box.orientation"]), [0.1, 0.05, 0.2, *turn], atol=1e-15)
        sim.advance(0.1)
        self.assertAlmostEqual(sim["box.position.z"], 0.2 - 0.5 * 9.81 * 0.01, delta=1e-9)
        sim.set_body("box", velocity=[1, 0, 0])
        np.testing.assert_allclose(sim["box.velocity"], [1, 0, 0], atol=1e-15)
        self.assertAlmostEqual(sim["box.angular_velocity.z"], 2.0, delta=1e-9)

    def test_wrong_values_are_refused(self):
        sim = carom.parse(DROP).simulate()
        before = bytes(sim.save())
        for wrong in (
            lambda: sim.set_body("box", position=[0, 0, math.nan]),
            lambda: sim.set_body("box", position=[0, 0]),
            lambda: sim.set_body("box", orientation=[0, 0, 0, 0]),
            lambda: sim.set_body("table", position=[0, 0, 0]),
            lambda: sim.set_body("bax", position=[0, 0, 0]),
            lambda: sim.set_joint("hinge", q=1),
            lambda: sim.set_state(math.inf, sim.state),
            lambda: sim.set_state(0, sim.state * math.nan),
            lambda: sim.set("gravity.2", math.nan),
        ):
            with self.assertRaises(ValueError):
                wrong()
        self.assertEqual(bytes(sim.save()), before)

    def test_bodies_left_inside_each_other_are_named(self):
        sim = carom.parse(DROP).simulate()
        sim.set_body("box", position=[0, 0, 0])
        with self.assertRaisesRegex(carom.SimulationError, "'table' and 'box' overlap"):
            sim.advance(0.1)
        sim.set_body("box", position=[0, 0, 0.1])
        self.assertEqual(sim.advance(0.1), "reached")


class Reading(unittest.TestCase):
    def test_event_functions_have_names(self):
        names = carom.parse(DROP).simulate().event_names
        self.assertIn("phi(table,box)", names)
        self.assertEqual(len(names), len(set(names)))

    def test_several_channels_are_one_array(self):
        sim = carom.parse(DROP).simulate()
        sim.advance(0.05)
        values = sim.read(["box.position", "box.velocity.z", "energy.kinetic"])
        self.assertEqual(values.shape, (5,))
        np.testing.assert_array_equal(values[:3], sim["box.position"])
        self.assertEqual(values[3], sim["box.velocity.z"])
        self.assertEqual(values[4], sim.energy["kinetic"])
        self.assertEqual(sim.read([]).shape, (0,))
        with self.assertRaises(KeyError):
            sim.read(["box.positon"])

    def test_linearizes_where_the_simulation_is(self):
        sim = carom.scene(support.pendulum()).simulate()
        for angle in (0.0, 1.2, 3.0):
            sim.set_joint("pivot", q=angle, v=0.0)
            linear = sim.linearize(outputs=["pivot.q"])
            gradient = support.MASS * support.GRAVITY * -support.LENGTH * math.cos(angle) / support.INERTIA_AT_PIVOT
            self.assertAlmostEqual(linear.A[1, 0], gradient, delta=1e-7)
            self.assertAlmostEqual(linear.B[1, 0], 1 / support.INERTIA_AT_PIVOT, delta=1e-8)
            self.assertEqual(linear.outputs, ["pivot.q"])


if __name__ == "__main__":
    unittest.main()
