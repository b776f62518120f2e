"""The live view in headless Chromium: pause, step, restart, slider, trails, two viewers.

    python3 live_test.py <carom>
"""

import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from browser import find_chromium, shared_browser

CAROM = sys.argv[1]

SCENE = """
carom: 1
name: Live pendulum
values: {l: 0.6}
bodies:
  rod: {material: steel, shapes: [{cylinder: {radius: 0.01, length: $l}, axis: z}], markers: {tip: [0, 0, "=-l/2"]}, joint: {revolute: {axis: y, child_at: [0, 0, "=l/2"]}, name: pivot, q: 1}}
run: {until: 600, output: {step: 0.02}}
"""


@unittest.skipUnless(find_chromium(), "Chromium is not installed")
class Live(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.holder = tempfile.TemporaryDirectory()
        cls.browser = shared_browser()

    @classmethod
    def tearDownClass(cls):
        cls.holder.cleanup()

    def setUp(self):
        scene = pathlib.Path(self.holder.name) / "live.yaml"
        scene.write_text(SCENE)
        self.process = subprocess.Popen([CAROM, "view", str(scene)], stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, text=True)
        self.addCleanup(self.end)
        self.address = self.process.stdout.readline().strip()

    def end(self):
        self.process.send_signal(signal.SIGINT)
        self.assertEqual(0, self.process.wait(20))
        self.process.stdout.close()

    def open(self):
        page = self.browser.open(self.address)
        page.wait("document.body.dataset.ready", timeout=120)
        self.addCleanup(self.leave, page)
        return page

    def leave(self, page):
        self.assertEqual([], [e for e in page.errors if "GPU stall" not in e])
        for address in page.requests:
            self.assertTrue(address.startswith(("http://127.0.0.1:", "data:", "blob:")), address)
        page.call("Page.close")

    @staticmethod
    def rows(page):
        return page.evaluate("carom.runs[0].rows")

    def test_rows_come_and_the_cursor_goes_with_them(self):
        page = self.open()
        page.wait("carom.runs[0].rows > 20", timeout=60)
        self.assertEqual("live", page.evaluate("document.getElementById('live-state').textContent"))
        self.assertGreater(page.evaluate("carom.clock.time"), 0.1)
        page.wait("document.querySelectorAll('.plot').length > 0")
        # The marker leaves a trail that grows.
        page.wait("carom.view.layers[0].trails.lines.size === 1")
        before = page.evaluate("[...carom.view.layers[0].trails.lines.values()][0].geometry.instanceCount")
        page.wait("[...carom.view.layers[0].trails.lines.values()][0].geometry.instanceCount > %d" % before, timeout=60)

    def test_pause_step_and_resume(self):
        page = self.open()
        page.wait("carom.runs[0].rows > 5", timeout=60)
        page.click("#live-pause")
        page.wait("document.getElementById('live-state').textContent === 'paused'")
        time.sleep(0.5)
        before = self.rows(page)
        time.sleep(0.5)
        self.assertEqual(before, self.rows(page))
        page.click("#live-step")
        page.wait(f"carom.runs[0].rows === {before + 1}")
        page.click("#live-pause")
        page.wait(f"carom.runs[0].rows > {before + 10}", timeout=60)

    def test_restart_begins_anew_for_all_viewers(self):
        first, second = self.open(), self.open()
        for page in (first, second):
            page.wait("carom.runs[0].rows > 30", timeout=60)
        second.click("#live-restart")  # the page in front
        for page in (second, first):
            page.call("Page.bringToFront")
            page.wait("document.body?.dataset.ready && window.carom?.live?.config.generation === 2", timeout=120)
            page.wait("carom.runs[0].rows > 5", timeout=60)

    def test_a_slider_restarts_the_run_with_its_value(self):
        page = self.open()
        page.wait("carom.runs[0].rows > 5", timeout=60)
        page.click("#live input[type=range]", across=0.9)
        page.wait("document.body?.dataset.ready && window.carom?.live?.config.generation === 2", timeout=120)
        value = page.evaluate("carom.live.config.values[0].value")
        self.assertGreater(value, 0.95)
        page.wait("carom.runs[0].rows > 5", timeout=60)
        # The marker sits at the end of the longer rod: half its length from the middle.
        self.assertAlmostEqual(-value / 2, page.evaluate("carom.runs[0].markers[0].at[2]"), delta=1e-9)


DRIVEN = """
carom: 1
name: Driven lever
bodies:
  lever: {mass: 1, inertia: [0.01, 0.02, 0.02], shapes: [{box: {size: [0.4, 0.05, 0.05]}}], joint: {revolute: {axis: y}, name: hinge, damping: 1, drive: {force: push}}}
signals: {push: 0, other: 1}
controls: {push: {keys: [left, d], axis: 1, least: -3, most: 4}}
run: {until: 600, integrator: rk4, step: 0.005, output: {step: 0.02}}
"""


@unittest.skipUnless(find_chromium(), "Chromium is not installed")
class Driving(unittest.TestCase):
    """A run at the pace of the clock, driven by keys, a slider and a gamepad of the page."""

    leave = Live.leave
    open = Live.open

    @classmethod
    def setUpClass(cls):
        cls.holder = tempfile.TemporaryDirectory()
        cls.browser = shared_browser()
        scene = pathlib.Path(cls.holder.name) / "driven.yaml"
        scene.write_text(DRIVEN)
        cls.process = subprocess.Popen(
            [CAROM, "run", str(scene), "--real-time", "--view", "-q"], stdin=subprocess.DEVNULL,
            stderr=subprocess.PIPE, text=True)
        cls.address = cls.process.stderr.readline().split()[-1]

    @classmethod
    def tearDownClass(cls):
        cls.process.send_signal(signal.SIGINT)
        cls.process.wait(20)
        cls.process.stderr.close()
        cls.holder.cleanup()

    LAST = "carom.runs[0].column('push')[carom.runs[0].rows - 1]"

    def hold(self, page, key, down):
        page.call("Input.dispatchKeyEvent", type="keyDown" if down else "keyUp", key=key, code=key)

    def test_keys_hold_and_let_go(self):
        page = self.open()
        page.wait("carom.runs[0].rows > 3", timeout=60)
        theme = page.evaluate("document.documentElement.dataset.theme")
        self.hold(page, "d", True)
        page.wait(f"{self.LAST} === 4", timeout=20)
        self.assertEqual("true", page.evaluate("document.querySelectorAll('.cap')[1].getAttribute('aria-pressed')"))
        self.hold(page, "ArrowLeft", True)  # both: as if none
        page.wait(f"{self.LAST} === 0", timeout=20)
        self.hold(page, "d", False)
        page.wait(f"{self.LAST} === -3", timeout=20)
        page.evaluate("window.dispatchEvent(new Event('blur'))")
        page.wait(f"{self.LAST} === 0", timeout=20)
        # The key does not do what it does on other pages.
        self.assertEqual(theme, page.evaluate("document.documentElement.dataset.theme"))
        page.wait("carom.runs[0].events.some((e) => e.kind === 'input' && e.subject === 'push')", timeout=20)

    def test_sliders_and_a_gamepad(self):
        page = self.open()
        page.wait("carom.runs[0].rows > 3", timeout=60)
        page.click("#live .drive:nth-child(3) input", across=0.9)
        page.wait("carom.runs[0].column('other')[carom.runs[0].rows - 1] > 1.3", timeout=20)
        page.evaluate("(navigator.getGamepads = () => [{axes: [0, -1]}], 0)")  # the stick is up
        page.wait(f"{self.LAST} === 4", timeout=20)
        page.evaluate("(navigator.getGamepads = () => [{axes: [0, 0.05]}], 0)")
        page.wait(f"{self.LAST} === 0", timeout=20)


if __name__ == "__main__":
    del sys.argv[1:2]
    unittest.main(verbosity=2)
