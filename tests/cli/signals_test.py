"""Ctrl-C and SIGTERM end every run at once, whatever it is busy with, and its rows are kept.

A second of the processor is allowed, so that it does not matter how busy the machine is; by the clock
the bound is one on hanging.
"""

import os
import pathlib
import re
import resource
import signal
import subprocess
import time
import unittest

from harness import CAROM, INTERRUPTED, PENDULUM, SOURCE, Case

AT_ONCE = 1.0
HANGING = 30.0


def processor_seconds(process):
    """That a process has used so far."""
    with open(f"/proc/{process.pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def processor_seconds_of_ended():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


class Signals(Case):
    def end(self, process, which):
        ended, used = processor_seconds_of_ended(), processor_seconds(process)
        begin = time.monotonic()
        process.send_signal(which)
        _, stderr = process.communicate(timeout=60)
        self.assertLess(processor_seconds_of_ended() - ended - used, AT_ONCE)
        self.assertLess(time.monotonic() - begin, HANGING)
        self.assertEqual(INTERRUPTED, process.returncode, stderr)

    def wait_for_handlers(self, process):
        """Before it has them a signal simply ends it, however long that takes on a busy machine."""
        status = pathlib.Path(f"/proc/{process.pid}/status")
        for _ in range(600):
            caught = re.search(r"SigCgt:\s*(\w+)", status.read_text())
            if caught and int(caught[1], 16) >> (signal.SIGINT - 1) & 1:
                return
            self.assertIsNone(process.poll(), "the run ended by itself")
            time.sleep(0.05)
        self.fail("no handlers within half a minute")

    def wait_for_bytes(self, name, size, process):
        file = self.folder / name
        for _ in range(1200):
            if file.exists() and file.stat().st_size > size:
                return
            self.assertIsNone(process.poll(), "the run ended by itself")
            time.sleep(0.05)
        self.fail("no rows within a minute")

    def test_while_sampling_within_one_step(self):
        scene = self.write("carom: 1\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}}\nrun: {until: 1}\n")
        for which in (signal.SIGINT, signal.SIGTERM):
            process = self.start("run", scene, "--set", "run.output.step=1e-9", "-o", "a.h5", "-o", "a.csv")
            self.wait_for_bytes("a.h5", 300_000, process)
            self.end(process, which)
            kept = self.probe("a.h5")
            self.assertEqual("interrupted", kept["status"])
            self.assertGreater(kept["rows"], 100)
            self.assertEqual(kept["rows"], len(self.csv("a.csv")[1]))
            os.remove(self.folder / "a.h5")

    def test_while_nobody_reads_a_pipe(self):
        scene = self.write(PENDULUM)
        os.mkfifo(self.folder / "a.csv")
        for which in (signal.SIGINT, signal.SIGTERM):
            process = self.start("run", scene, "-o", "a.csv")
            self.wait_for_handlers(process)
            time.sleep(0.5)
            self.assertIsNone(process.poll())
            self.end(process, which)

    def test_while_the_reader_of_a_pipe_sleeps(self):
        scene = self.write(PENDULUM)
        os.mkfifo(self.folder / "a.csv")
        reader = os.open(self.folder / "a.csv", os.O_RDONLY | os.O_NONBLOCK)
        self.addCleanup(os.close, reader)
        process = self.start("run", scene, "--until", "1e6", "--output-step", "1e-3", "-o", "a.csv")
        time.sleep(1.0)
        self.assertIsNone(process.poll())
        self.end(process, signal.SIGINT)

    def test_a_reader_that_goes_away_is_an_error_and_no_death(self):
        scene = self.write(PENDULUM)
        os.mkfifo(self.folder / "a.csv")
        process = self.start("run", scene, "--until", "200", "--output-step", "1e-3", "-o", "a.csv")
        with open(self.folder / "a.csv") as reader:
            reader.read(1000)
        _, stderr = process.communicate(timeout=120)
        self.assertEqual(1, process.returncode, stderr)
        self.assertIn("Broken pipe", stderr)

    def test_a_pipe_is_read_to_the_end(self):
        scene = self.write(PENDULUM)
        os.mkfifo(self.folder / "a.csv")
        process = self.start("run", scene, "--output-step", "1e-3", "-o", "a.csv")
        with open(self.folder / "a.csv") as reader:
            heading, *rows = reader.read().splitlines()
        self.assertEqual(0, process.wait(60))
        on_grid = heading.split(",").index("on_grid")
        self.assertEqual(2001, sum(row.split(",")[on_grid] == "1" for row in rows))

    def test_while_a_large_scene_is_compiled(self):
        bodies = "".join(f"  b{i}: {{material: steel, shapes: [{{box: {{size: [1, 1, 1]}}}}], position: [{2 * i}, 0, 0]}}\n"
                         for i in range(4000))
        scene = self.write("carom: 1\nbodies:\n" + bodies + "run: {until: 1}\n")
        process = self.start("run", scene, "-o", "a.h5")
        self.wait_for_handlers(process)
        time.sleep(0.3)
        self.assertIsNone(process.poll())
        self.end(process, signal.SIGINT)

    def test_while_a_large_matrix_is_factored(self):
        """Of the 3000 states of a chain: seconds without an evaluation."""
        links = "".join(f"  b{i}: {{mass: 1, inertia: [1, 1, 1], joint: {{revolute: {{axis: y, at: [0.1, 0, 0]"
                        f"{f', parent: b{i - 1}' if i else ''}}}, damping: 1}}}}\n" for i in range(1500))
        scene = self.write("carom: 1\nbodies:\n" + links + "run: {until: 10, integrator: cvode_bdf}\n")
        self.end_after(scene, 1.2)

    def test_while_a_long_formula_is_searched_for_all_nearest_points(self):
        height = " + ".join(f"0.0001*sin({i % 97 + 1}*x)*cos({i % 95 + 1}*y)" for i in range(300))
        scene = self.write("carom: 1\nbodies:\n"
                           f"  floor: {{fixed: true, material: steel, shapes: [{{graph: {{z: \"{height}\", "
                           "x: [-1, 1], y: [-1, 1]}}]}\n"
                           "  ball: {material: steel, shapes: [{sphere: {radius: 0.05}}], position: [0, 0, 0.15]}\n"
                           "run: {until: 1}\n")
        self.end_after(scene, 2.0)

    def test_at_the_pace_of_the_clock_while_stdin_never_ends(self):
        scene = self.write(PENDULUM + "signals: {push: 0.0}\n")
        with open("/dev/zero") as zeros:
            process = subprocess.Popen([str(CAROM), "run", str(scene), "--until", "1000", "--real-time", "-o", "a.h5"],
                                       cwd=self.folder, text=True, stdin=zeros, stderr=subprocess.PIPE)
        self.addCleanup(process.kill)
        time.sleep(1.0)
        self.end(process, signal.SIGINT)
        self.assertEqual("interrupted", self.probe("a.h5")["status"])

    def test_while_the_clock_is_waited_for(self):
        scene = self.write(PENDULUM + "signals: {push: 0.0}\n")
        process = self.start("run", scene, "--until", "1000", "--integrator", "rk4", "--step", "50", "--real-time",
                             "-o", "a.h5")
        time.sleep(1.0)
        self.assertIsNone(process.poll())
        begin = time.monotonic()
        self.end(process, signal.SIGINT)
        self.assertLess(time.monotonic() - begin, 20.0)

    def end_after(self, scene, seconds):
        process = self.start("run", scene, "-o", "a.h5")
        while processor_seconds(process) < seconds:
            self.assertIsNone(process.poll(), "the run ended by itself")
            time.sleep(0.05)
        self.end(process, signal.SIGINT)
        self.assertEqual("interrupted", self.probe("a.h5")["status"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
