"""Progress of long runs: on a terminal, and nowhere else."""

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import termios
import time
import unittest

from harness import CAROM, DONE, INTERRUPTED, Case

# Hours of computing; every test ends it as soon as it has seen enough.
LONG = """carom: 1
name: A long swing
bodies:
  bob: {mass: 1, com: [0, 0, -1], inertia: [0, 0, 0], joint: {revolute: {axis: y}, name: pivot, q: 0.5}}
events: {lowest: {when: pivot.q}}
run: {until: 1e8, max_step: 0.01, output: {step: 1e6}}
"""


class Terminal:
    """The command on a terminal of its own."""

    def __init__(self, folder, *words, columns=120, **environment):
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 30, columns, 0, 0))
        environment = {"PATH": os.environ["PATH"], "TERM": "xterm", **environment}
        self.process = subprocess.Popen([str(CAROM), *words], cwd=folder, stdin=slave, stdout=subprocess.DEVNULL,
                                        stderr=slave, env=environment)
        os.close(slave)
        self.text = ""

    def read_until(self, enough, seconds=60):
        end = time.monotonic() + seconds
        while not enough(self.text) and time.monotonic() < end:
            ready, _, _ = select.select([self.master], [], [], 0.2)
            if not ready:
                continue
            try:
                data = os.read(self.master, 4096)
            except OSError:  # Linux says so where the other end is closed
                break
            if not data:
                break
            self.text += data.decode()
        return self.text

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self.master)


class Progress(Case):
    def terminal(self, *words, **more):
        terminal = Terminal(self.folder, *words, **more)
        self.addCleanup(terminal.close)
        return terminal

    def lines(self, terminal):
        text = terminal.read_until(lambda seen: seen.count("left") >= 3)
        return [line for line in text.split("\r") if "left" in line]

    def test_says_time_speed_events_and_estimated_end(self):
        self.write(LONG)
        last = self.lines(self.terminal("run", "scene.yaml", "--no-output", NO_COLOR="1"))[-1]
        self.assertRegex(last, r"t = [\d.e+]+ s of 1e\+08 s  \[[#-]{20}\]  \d+ %  [\d.e+]+ x real time  "
                               r"\d+ events  about [\d hmins]+ left")
        self.assertGreater(int(last.split(" events")[0].split()[-1]), 0)

    def test_no_color_is_honoured(self):
        self.write(LONG)
        plain = self.terminal("run", "scene.yaml", "--no-output", NO_COLOR="1")
        self.assertNotIn("\x1b", "".join(self.lines(plain)))
        dumb = self.terminal("run", "scene.yaml", "--no-output", TERM="dumb")
        self.assertNotIn("\x1b", "".join(self.lines(dumb)))
        coloured = self.terminal("run", "scene.yaml", "--no-output")
        self.assertIn("\x1b[36m", "".join(self.lines(coloured)))

    def test_never_wraps_on_a_narrow_terminal(self):
        self.write(LONG)
        terminal = self.terminal("run", "scene.yaml", "--no-output", columns=50, NO_COLOR="1")
        text = terminal.read_until(lambda seen: seen.count("t = ") >= 2)
        for line in text.split("\r"):
            self.assertLess(len(line), 50)

    def test_an_interrupt_leaves_the_summary_alone(self):
        self.write(LONG)
        terminal = self.terminal("run", "scene.yaml", "--no-output", NO_COLOR="1")
        self.lines(terminal)
        terminal.process.send_signal(signal.SIGINT)
        text = terminal.read_until(lambda seen: "turned over" in seen)
        self.assertEqual(INTERRUPTED, terminal.process.wait(30))
        self.assertRegex(text.split("\r")[-3] + text.split("\r")[-2], "interrupted|steps")

    def test_is_quiet_in_pipes_and_if_asked_to(self):
        self.write(LONG.replace("1e8", "200"))
        piped = self.carom("run", "scene.yaml", "--no-output", code=DONE)
        self.assertNotIn("\r", piped.stderr)
        self.assertNotIn("\x1b", piped.stderr)
        self.assertEqual("", piped.stdout)
        quiet = self.terminal("run", "scene.yaml", "--no-output", "-q")
        self.assertEqual("", quiet.read_until(lambda seen: False))


if __name__ == "__main__":
    unittest.main(verbosity=2)
