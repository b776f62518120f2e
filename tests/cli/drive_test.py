"""carom run --real-time --view: pages drive a run while it goes, and a replay has equal bits.

Requests are made with the standard library, as a page would make them.
"""

import json
import subprocess
import time
import unittest
import urllib.error
import urllib.parse
import urllib.request

from harness import CAROM, INVALID_SCENE, WRONG_USAGE, Case

STEP = 0.005
SCENE = """carom: 1
name: Driven lever
bodies:
  lever: {mass: 1, inertia: [0.01, 0.02, 0.02], joint: {revolute: {axis: y}, name: hinge, damping: 0.1, drive: {force: push}}}
signals: {push: 0.5, free: 2}
controls: {push: {keys: [left, right], axis: 0, least: -3, most: 4}}
run: {until: UNTIL, integrator: implicit_contact, step: 0.005, output: {step: 0.005}}
"""


class Driven(Case):
    def start(self, until=1.0):
        scene = self.write(SCENE.replace("UNTIL", str(until)))
        self.process = subprocess.Popen(
            [str(CAROM), "run", str(scene), "--real-time", "--view", "-o", "live.h5", "-o", "live.csv"],
            cwd=self.folder, text=True, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
        self.addCleanup(self.process.wait)
        self.addCleanup(self.process.kill)
        self.address = self.process.stderr.readline().split()[-1]
        parts = urllib.parse.urlparse(self.address)
        self.port, self.token = parts.port, urllib.parse.parse_qs(parts.query)["token"][0]
        return scene

    def request(self, path, method="GET", **query):
        query.setdefault("token", self.token)
        url = f"http://127.0.0.1:{self.port}{path}?{urllib.parse.urlencode(query)}"
        request = urllib.request.Request(url, method=method, data=b"" if method == "POST" else None)
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:
                return answer.status, json.loads(answer.read() or b"{}")
        except urllib.error.HTTPError as error:
            error.close()
            return error.code, {}

    def rows(self, start=0, events=0):
        return self.request("/rows", generation=1, events=events, **{"from": start})[1]

    def set(self, name, value):
        return self.request("/do", "POST", do="input", name=name, value=value)

    def finish(self):
        """Watches to the end, as a page does."""
        while self.rows()["status"] == "running":
            time.sleep(0.02)
        said = self.process.stderr.read()
        self.process.stderr.close()
        self.assertEqual(0, self.process.wait(20), said)
        return said

    def inputs(self, name="live"):
        lines = (self.folder / f"{name}.events.csv").read_text().splitlines()
        header = lines[0].split(",")
        kind, value = header.index("kind"), next(i for i, h in enumerate(header) if h.startswith("value"))
        rows = [line.split(",") for line in lines[1:]]
        return [(float(r[0]), r[2], float(r[value])) for r in rows if r[kind] == "input"]

    def test_a_key_acts_within_two_steps_and_a_replay_has_equal_bits(self):
        scene = self.start()
        time.sleep(0.3)
        self.assertEqual(0.0, self.set("push", 4)[1]["time"])  # it waits for the page
        self.assertLessEqual(self.rows()["rows"], 1)
        told = [0.0]
        for value in (-3, 0.5, 4, 0.5):
            time.sleep(0.1)
            status, answer = self.set("push", value)
            self.assertEqual(200, status)
            told.append(answer["time"])
            self.rows()
        said = self.finish()
        self.assertIn("deadlines missed", said)
        stamped = self.inputs()
        self.assertEqual([4, -3, 0.5, 4, 0.5], [value for _, _, value in stamped])
        for arrival, (stamp, signal, _) in zip(told, stamped):
            self.assertEqual("push", signal)
            # It came while the period from `arrival` on went by, and acts in the next one.
            self.assertLessEqual(stamp, arrival + STEP * 1.001)
            self.assertGreaterEqual(stamp, arrival)
        self.carom("run", scene, "--replay", "live.h5", "-o", "again.h5", "-o", "again.csv")
        for ending in (".csv", ".events.csv"):
            self.assertEqual((self.folder / ("live" + ending)).read_text(),
                             (self.folder / ("again" + ending)).read_text())
        # The force is there in the first row after the stamp.
        header, rows = self.csv("live.csv")
        push, rate = header.index("push [-]"), header.index("hinge.v [rad/s]")
        first = stamped[1][0]
        before, after = ([r for r in rows if abs(r[0] - first - k * STEP) < 1e-9][0] for k in (0, 1))
        self.assertEqual((4, -3), (before[push], after[push]))  # what a row shows led up to it
        self.assertLess(after[rate], before[rate])

    def test_what_is_wrong_is_refused_and_changes_nothing(self):
        self.start(until=0.3)
        for name, value in (("pull", 1), ("push", 4.01), ("push", "nan"), ("push", "much"), ("free", 1e9)):
            self.assertEqual(400, self.set(name, value)[0], (name, value))
        for words in ({"do": "restart"}, {"do": "pause"}, {"do": "set", "name": "push", "value": 1}):
            self.assertEqual(400, self.request("/do", "POST", **words)[0], words)
        self.assertEqual(403, self.request("/do", "POST", token="0" * 32, do="input", name="push", value=1)[0])
        self.finish()
        self.assertEqual([], self.inputs())

    def test_a_page_that_is_gone_has_let_go(self):
        self.start(until=2.0)
        self.rows()
        self.set("push", 4)
        time.sleep(1.6)  # nobody asks
        self.finish()
        (pressed, _, most), (released, _, rest) = self.inputs()
        self.assertEqual((4, 0.5), (most, rest))
        self.assertGreater(released - pressed, 0.9)
        self.assertLess(released - pressed, 1.5)

    def test_a_view_needs_the_pace_of_the_clock(self):
        scene = self.write(SCENE.replace("UNTIL", "1"))
        result = self.carom("run", scene, "--view", code=WRONG_USAGE)
        self.assertIn("--real-time", result.stderr)


class Controls(Case):
    def test_wrong_controls_are_found_with_a_remedy(self):
        for controls, problem in (
                ("{pull: {}}", "there is no constant signal 'pull'"),
                ("{push: {keys: [left, F13]}}", "'F13' is no key"),
                ("{push: {keys: [left, left]}}", "the key 'left' already sets 'push'"),
                ("{push: {least: 1, most: 1}}", "least is 1 and most is 1"),
                ("{push: {least: 1, most: 2}}", "the signal is 0.5 where nothing is pressed"),
                ("{push: {keys: left}}", "two names"),
                ("{push: {axis: 99}}", "axis")):
            text = SCENE.replace("UNTIL", "1").replace(
                "{push: {keys: [left, right], axis: 0, least: -3, most: 4}}", controls)
            result = self.carom("check", self.write(text), code=INVALID_SCENE)
            self.assertIn(problem, result.stderr, controls)
            self.assertRegex(result.stderr, r"\.yaml:6:\d+", controls)


if __name__ == "__main__":
    unittest.main()
