"""The live view: who gets in, what the run does when told, and what a flood does to it.

The harness gives the command; requests are made with the standard library.
"""

import base64
import json
import signal
import socket
import struct
import subprocess
import threading
import time
import unittest
import urllib.error
import urllib.parse
import urllib.request

from harness import CAROM, Case

SCENE = """
carom: 1
name: Live pendulum
values: {l: 0.6}
bodies:
  rod: {material: steel, shapes: [{cylinder: {radius: 0.01, length: $l}, axis: z}], joint: {revolute: {axis: y, child_at: [0, 0, "=l/2"]}, name: pivot, q: 1}}
run: {until: 600, output: {step: 0.01}}
"""


class LiveView(Case):
    text = SCENE

    def setUp(self):
        super().setUp()
        path = self.folder / "live.yaml"
        path.write_text(self.text)
        self.process = subprocess.Popen(
            [CAROM, "view", str(path)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.addCleanup(self.end)
        self.address = self.process.stdout.readline().strip()
        parts = urllib.parse.urlparse(self.address)
        self.port, self.token = parts.port, urllib.parse.parse_qs(parts.query)["token"][0]

    def end(self):
        self.process.send_signal(signal.SIGINT)
        self.assertEqual(0, self.process.wait(20))
        self.process.stdout.close()

    def request(self, path, method="GET", host=None, origin=None, **query):
        url = f"http://127.0.0.1:{self.port}{path}?{urllib.parse.urlencode(query)}"
        request = urllib.request.Request(url, method=method, data=b"" if method == "POST" else None)
        if host:
            request.add_header("Host", host)
        if origin:
            request.add_header("Origin", origin)
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            error.close()
            return error.code, ""

    def rows(self, generation=1, start=0, events=0):
        return json.loads(self.request("/rows", token=self.token, generation=generation, events=events,
                                       **{"from": start})[1])

    def tell(self, **words):
        status, _ = self.request("/do", "POST", token=self.token, **words)
        return status

    def wait_for(self, condition):
        for _ in range(300):
            if condition():
                return
            time.sleep(0.05)
        self.fail("did not happen")

    def test_only_the_token_opens_it_and_only_on_this_machine(self):
        self.assertIn("Live pendulum", self.request("/", token=self.token)[1])
        for query in ({}, {"token": "0" * 32}, {"token": self.token[:-1]}):
            for path in ("/", "/rows", "/nothing"):
                self.assertEqual(403, self.request(path, **query)[0])
        self.assertEqual(403, self.request("/", host="example.org", token=self.token)[0])
        self.assertEqual(403, self.request("/do", "POST", do="pause")[0])
        own = f"http://127.0.0.1:{self.port}"
        self.assertEqual(200, self.request("/rows", origin=own, token=self.token)[0])
        for origin in ("http://example.org", "null", own + "0", "https" + own[4:]):
            self.assertEqual(403, self.request("/rows", origin=origin, token=self.token)[0])
        with open("/proc/net/tcp") as table:
            listening = [line.split()[1] for line in table if line.split()[3] == "0A"]
        self.assertIn(f"0100007F:{self.port:04X}", listening)
        self.assertNotIn(f"00000000:{self.port:04X}", listening)

    def test_rows_come_at_the_pace_of_the_clock(self):
        self.wait_for(lambda: self.rows()["rows"] > 20)
        answer = self.rows()
        data = base64.b64decode(answer["data"])
        width = len(data) // 8 // answer["count"]
        times = [struct.unpack_from("<d", data, 8 * width * i)[0] for i in range(answer["count"])]
        for i, t in enumerate(times):
            self.assertAlmostEqual(0.01 * i, t, delta=1e-12)
        self.assertLess(answer["rows"], 3000)  # 600 s are not over in a moment

    def test_pause_step_resume_and_restart(self):
        self.wait_for(lambda: self.rows()["rows"] > 5)
        self.assertEqual(200, self.tell(do="pause"))
        time.sleep(0.3)
        held = self.rows()["rows"]
        time.sleep(0.3)
        self.assertEqual(held, self.rows()["rows"])
        self.tell(do="step")
        self.wait_for(lambda: self.rows()["rows"] == held + 1)
        self.tell(do="resume")
        self.wait_for(lambda: self.rows()["rows"] > held + 10)
        self.tell(do="restart")
        self.wait_for(lambda: self.rows()["generation"] == 2)

    def test_a_value_restarts_the_run_with_another_scene(self):
        self.assertEqual(200, self.tell(do="set", name="l", value="0.9"))
        self.wait_for(lambda: self.rows()["generation"] == 2)
        self.wait_for(lambda: "0.9" in self.request("/", token=self.token)[1].split("carom-live")[1])
        for wrong in ({"name": "no", "value": "1"}, {"name": "l", "value": "x"}, {"name": "l", "value": "nan"}):
            self.assertEqual(400, self.tell(do="set", **wrong))
        self.assertEqual(400, self.tell(do="explode"))

    def test_leaving_and_flooding_viewers_do_not_stop_it(self):
        for _ in range(20):  # connections that say nothing, or half a word, and go
            with socket.create_connection(("127.0.0.1", self.port)) as connection:
                connection.sendall(b"GET / HTT")
        end = time.monotonic() + 2

        def flood():
            while time.monotonic() < end:
                self.request("/rows", token="wrong")

        threads = [threading.Thread(target=flood) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        before = self.rows()["rows"]
        self.wait_for(lambda: self.rows()["rows"] > before + 20)

    def connect(self, first=b""):
        connection = socket.create_connection(("127.0.0.1", self.port), timeout=20)
        self.addCleanup(connection.close)
        connection.sendall(first)
        return connection

    def is_dropped(self, connection, seconds=4):
        """Whether the other side ends the connection, however it does that."""
        connection.settimeout(seconds)
        try:
            while connection.recv(65536):
                pass
            return True
        except TimeoutError:
            return False
        except OSError:
            return True

    def assert_answers(self):
        begin = time.monotonic()
        answer = self.rows()
        self.assertLess(time.monotonic() - begin, 2.0, "an honest viewer waits")
        return answer["rows"]

    def test_idle_connections_hold_nobody_up_and_are_dropped(self):
        before = self.assert_answers()
        idle = [self.connect(b"GET / HTTP/1.1\r\n" if i % 2 else b"") for i in range(300)]
        self.assert_answers()
        time.sleep(1.0)
        self.assertGreater(self.assert_answers(), before + 40, "the run keeps its pace")
        for connection in idle:
            self.assertTrue(self.is_dropped(connection))

    def test_slow_senders_hold_nobody_up_and_are_dropped(self):
        slow = [self.connect(b"GET / HTTP/1.1\r\nX: ") for _ in range(60)]
        for _ in range(3):
            for connection in slow:
                try:
                    connection.sendall(b"a")
                except OSError:
                    pass
            self.assert_answers()
            time.sleep(0.7)
        for connection in slow:
            self.assertTrue(self.is_dropped(connection))

    def test_long_and_many_headers_are_cut_short(self):
        for part in (b"a" * 100_000, b"X: y\r\n" * 10_000):
            connection = self.connect(b"GET /rows?token=" + self.token.encode() + b" HTTP/1.1\r\nX: ")
            sent = 0
            try:
                while sent < 50_000_000:
                    connection.sendall(part)
                    sent += len(part)
            except OSError:
                pass
            self.assertLess(sent, 20_000_000, "the sender was not stopped")
            self.assert_answers()
        with open(f"/proc/{self.process.pid}/status") as status:
            peak = next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))
        self.assertLess(peak, 400_000, "kB")

    def test_broken_requests_are_answered_or_dropped(self):
        token = self.token.encode()
        for raw in (b"\r\n\r\n", b"\0\0\0\r\n\r\n", b"GET\r\n\r\n", b"POST /do?token=" + token + b" HTTP/1.1\r\nHost: 127.0.0.1:"
                    + str(self.port).encode() + b"\r\nContent-Length: 99999999999999999999\r\n\r\n",
                    b"GET /rows?token=" + token + b" HTTP/9.9\r\nHost: 127.0.0.1:" + str(self.port).encode() + b"\r\n\r\n"):
            self.assertTrue(self.is_dropped(self.connect(raw), 8), raw)
            self.assert_answers()


class ManyEvents(LiveView):
    """A scene with thousands of events a second keeps a bounded number of them."""

    text = """
carom: 1
bodies: {a: {mass: 1, inertia: [1, 1, 1]}}
events: {tick: {when: "sin(20000*t)"}}
run: {until: 600, max_step: 5e-5, output: {step: 0.01}}
"""

    def test_events_are_bounded(self):
        self.wait_for(lambda: len(self.rows(events=900)["events"]) >= 100)
        before = self.rows()["rows"]
        self.wait_for(lambda: self.rows()["rows"] > before + 5)
        self.assertEqual(100, len(self.rows(events=900)["events"]))
        self.assertEqual(200, len(self.rows()["events"]))  # in one answer


for name in [name for name in dir(LiveView) if name.startswith("test_")]:
    setattr(ManyEvents, name, None)  # only its own


if __name__ == "__main__":
    unittest.main()
