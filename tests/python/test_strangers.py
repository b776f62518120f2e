"""What a program or a stranger's file gives the module by mistake or on purpose: it raises."""

import copy
import gzip
import math
import pathlib
import pickle
import subprocess
import sys
import tempfile
import unittest

import numpy as np

import carom
import support

FORMAT_1 = pathlib.Path(__file__).parent.parent / "data" / "format1.h5.gz"
TYPES = [value for value in vars(carom).values() if isinstance(value, type) and not issubclass(value, Exception)]


class EmptyObjects(unittest.TestCase):
    def test_no_object_without_content_can_be_made(self):
        self.assertGreater(len(TYPES), 4)
        for kind in TYPES:
            for make in (lambda: kind.__new__(kind), lambda: object.__new__(kind), kind,
                         lambda: type("Mine", (kind,), {})(), lambda: type("Mine", (kind,), {}).__new__(kind)):
                with self.assertRaises(TypeError, msg=f"{kind}"):
                    make()

    def test_copies_and_pickles_raise_or_work(self):
        scene = carom.scene(support.pendulum())
        result = scene.run(until=0.1)
        for value in (scene, result, scene.simulate(), scene.linearize()):
            for use in (copy.copy, copy.deepcopy, pickle.dumps):
                try:
                    repr(use(value))
                except TypeError:
                    pass


class Numbers(unittest.TestCase):
    def test_times_and_states_that_are_no_numbers_are_refused(self):
        sim = carom.scene(support.pendulum()).simulate()
        sim.advance(0.1)
        t, x = sim.time, sim.state
        for wrong in (math.nan, math.inf, -math.inf):
            for use in (lambda: sim.advance(wrong), lambda: sim.advance_to(wrong), lambda: sim.set_state(wrong, x),
                        lambda: sim.set_state(t, np.full_like(x, wrong))):
                with self.assertRaises((ValueError, carom.SceneError)):
                    use()
        self.assertEqual("reached", sim.advance(0.1))

    def test_poses_that_are_no_numbers_are_refused(self):
        ball = carom.shape("sphere", radius=1.0)
        for wrong in (math.nan, math.inf):
            with self.assertRaises((ValueError, carom.SceneError)):
                ball.distance(ball, position_b=(wrong, 0, 0)) if hasattr(ball, "distance") else carom.distance(
                    ball, ball, position_b=(wrong, 0, 0))


class Files(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def test_damaged_results_raise(self):
        first = gzip.decompress(FORMAT_1.read_bytes())
        carom.scene(support.pendulum()).run(until=0.1, file=self.folder / "a.h5")
        second = (self.folder / "a.h5").read_bytes()
        path = self.folder / "b.h5"
        heap = first.index(b"GCOL")
        damaged = [b"", b"no", second[: len(second) // 2], first[: len(first) // 2],
                   second[:4000] + b"\xff" * 64 + second[4064:]]
        damaged += [first[:heap + at] + b"\xff" * 8 + first[heap + at + 8:] for at in (8, 16, 24, 32)]
        for data in damaged:
            path.write_bytes(data)
            with self.assertRaises((OSError, RuntimeError, ValueError)):
                carom.open(path)
        (self.folder / "c.h5").write_bytes(second)
        self.assertGreater(len(carom.open(self.folder / "c.h5").time), 1)

    def test_a_scene_is_not_overwritten(self):
        scene = self.folder / "scene.h5"
        text = "carom: 1\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}}\nrun: {until: 0.01}\n"
        scene.write_text(text)
        with self.assertRaises(ValueError):
            carom.load(scene).run(file=scene)
        self.assertEqual(text, scene.read_text())


if __name__ == "__main__":
    unittest.main()
