"""Drives headless Chromium over its debugging pipe; standard library only.

    page = shared_browser().open("file:///…/run.html", width=1280, height=800)
    page.click("#play"); page.evaluate("document.title"); page.screenshot("x.png")

The protocol is JSON messages separated by a zero byte on file descriptors 3 (in) and 4
(out). Everything that the page says on its console, throws or asks of a network is kept.
"""

import atexit
import base64
import functools
import json
import os
import pathlib
import select
import shutil
import struct
import subprocess
import tempfile
import time
import zlib

CANDIDATES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]


def find_chromium():
    return next((path for name in CANDIDATES if (path := shutil.which(name))), None)


class BrowserError(Exception):
    pass


@functools.cache
def shared_browser():
    """One for all tests of a process: starting it takes longer than most of them."""
    browser = Browser().__enter__()
    atexit.register(browser.__exit__)
    return browser


class Browser:
    def __enter__(self):
        self.folder = tempfile.mkdtemp(prefix="carom-browser-")
        to_child, self.write_end = os.pipe()
        self.read_end, from_child = os.pipe()
        command = [
            find_chromium(), "--headless=new", "--no-sandbox", "--disable-dev-shm-usage",
            "--remote-debugging-pipe", f"--user-data-dir={self.folder}", "--no-first-run",
            "--disable-extensions", "--hide-scrollbars", "--force-color-profile=srgb",
            "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--mute-audio", "about:blank",
        ]

        def place_pipes():
            # Both ends first move out of the way: either may already be 3 or 4.
            read, write = os.dup(to_child), os.dup(from_child)
            os.dup2(read, 3)
            os.dup2(write, 4)

        self.process = subprocess.Popen(
            command, preexec_fn=place_pipes, close_fds=False,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_child)
        os.close(from_child)
        self.buffer, self.count, self.pages = b"", 0, {}
        return self

    def __exit__(self, *_):
        try:
            self.call("Browser.close")
            self.process.wait(10)
        except (BrowserError, OSError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        os.close(self.write_end)
        os.close(self.read_end)
        shutil.rmtree(self.folder, ignore_errors=True)

    def call(self, method, session=None, timeout=180, **params):
        self.count += 1
        message = {"id": self.count, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        os.write(self.write_end, json.dumps(message).encode() + b"\0")
        answer = self.wait_for(lambda m: m.get("id") == message["id"], timeout)
        if "error" in answer:
            raise BrowserError(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def wait_for(self, wanted, timeout):
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            message = self.receive(end - time.monotonic())
            if message is None:
                break
            page = self.pages.get(message.get("sessionId"))
            if page and "method" in message:
                page.notice(message["method"], message["params"])
            if wanted(message):
                return message
        raise BrowserError("the browser does not answer")

    def receive(self, timeout):
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.read_end], [], [], max(0, timeout))
            if not ready:
                return None
            data = os.read(self.read_end, 1 << 16)
            if not data:
                raise BrowserError("the browser has gone")
            self.buffer += data
        text, _, self.buffer = self.buffer.partition(b"\0")
        return json.loads(text)

    def open(self, address, width=1280, height=800, scale=1, touch=False, dark=False):
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = Page(self, session)
        self.pages[session] = page
        for domain in ("Page", "Runtime", "Network", "Log"):
            page.call(f"{domain}.enable")
        page.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=scale, mobile=touch)
        page.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        if touch:
            page.call("Emulation.setTouchEmulationEnabled", enabled=True)
        page.call("Page.navigate", url=address)
        page.address = address
        page.wait("document.readyState === 'complete'")
        return page


class Page:
    def __init__(self, browser, session):
        self.browser, self.session = browser, session
        self.errors, self.requests = [], []

    def call(self, method, **params):
        return self.browser.call(method, session=self.session, **params)

    def notice(self, method, params):
        if method == "Runtime.exceptionThrown":
            self.errors.append(params["exceptionDetails"].get("exception", {}).get("description", "?"))
        elif method == "Runtime.consoleAPICalled" and params["type"] in ("error", "warning", "assert"):
            self.errors.append(" ".join(str(a.get("value", a.get("description"))) for a in params["args"]))
        elif method == "Log.entryAdded" and params["entry"]["level"] == "error":
            self.errors.append(params["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])

    def evaluate(self, script):
        result = self.call("Runtime.evaluate", expression=script, returnByValue=True,
                           awaitPromise=True)
        if "exceptionDetails" in result:
            details = result["exceptionDetails"]
            raise BrowserError(details.get("exception", {}).get("description", details["text"]))
        return result["result"].get("value")

    def wait(self, condition, timeout=90):
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            try:
                if self.evaluate(f"Boolean({condition})"):
                    return
            except BrowserError as error:  # a page that loads itself anew has no answer meanwhile
                if "navigated" not in str(error):
                    raise
            time.sleep(0.05)
        raise BrowserError(f"never true: {condition}")

    def rect(self, selector):
        rect = self.evaluate(
            f"(() => {{const e = document.querySelector({json.dumps(selector)}); if (!e) return null;"
            "e.scrollIntoView({block: 'nearest'}); const r = e.getBoundingClientRect();"
            "return [r.left, r.top, r.width, r.height]; })()")
        if not rect or not rect[2] or not rect[3]:
            raise BrowserError(f"nothing to see of {selector}")
        return rect

    def mouse(self, kind, x, y, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def click_at(self, x, y):
        self.mouse("mouseMoved", x, y)
        self.mouse("mousePressed", x, y, button="left", buttons=1, clickCount=1)
        self.mouse("mouseReleased", x, y, button="left", clickCount=1)

    def resting_rect(self, selector):
        """Where an element stays: on a busy machine a page is still being laid out when it is looked at."""
        now, before = self.rect(selector), None
        while now != before:
            time.sleep(0.02)
            now, before = self.rect(selector), now
        return now

    def click(self, selector, across=0.5, down=0.5):
        x, y, w, h = self.resting_rect(selector)
        self.click_at(x + across * w, y + down * h)

    def drag(self, start, end, steps=6):
        self.mouse("mouseMoved", *start)
        self.mouse("mousePressed", *start, button="left", buttons=1, clickCount=1)
        for i in range(1, steps + 1):
            x, y = (a + (b - a) * i / steps for a, b in zip(start, end))
            self.mouse("mouseMoved", x, y, button="left", buttons=1)
        self.mouse("mouseReleased", *end, button="left", clickCount=1)

    def tap(self, x, y):
        self.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        self.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def key(self, key, code=None, text=None):
        for kind in ("keyDown", "keyUp"):
            more = {"text": text} if text and kind == "keyDown" else {}
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=code or key, **more)

    def type(self, text):
        self.call("Input.insertText", text=text)

    def screenshot(self, path=None):
        data = base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"])
        if path:
            pathlib.Path(path).write_bytes(data)
        return Picture(data)

    def downloads_to(self, folder):
        self.browser.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(folder))


class Picture:
    """The pixels of a PNG as Chromium writes them: 8 bits, RGB or RGBA, not interlaced."""

    def __init__(self, data):
        at, packed = 8, b""
        while at < len(data):
            length, kind = struct.unpack(">I4s", data[at:at + 8])
            chunk = data[at + 8:at + 8 + length]
            if kind == b"IHDR":
                self.width, self.height, _, colour = struct.unpack(">IIBB", chunk[:10])
                self.channels = {2: 3, 6: 4}[colour]
            packed += chunk if kind == b"IDAT" else b""
            at += 12 + length
        self.rows = self.unfilter(zlib.decompress(packed))

    def unfilter(self, raw):
        n, stride, rows = self.channels, self.width * self.channels, []
        above = bytearray(stride)
        for y in range(self.height):
            kind = raw[y * (stride + 1)]
            row = bytearray(raw[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
            for i in range(stride if kind else 0):
                left, up = (row[i - n] if i >= n else 0), above[i]
                corner = above[i - n] if i >= n else 0
                if kind == 1:
                    guess = left
                elif kind == 2:
                    guess = up
                elif kind == 3:
                    guess = (left + up) // 2
                else:
                    p = left + up - corner
                    guess = min((left, up, corner), key=lambda c: abs(p - c))
                row[i] = (row[i] + guess) & 255
            rows.append(row)
            above = row
        return rows

    def pixel(self, x, y):
        n = self.channels
        return tuple(self.rows[y][x * n:x * n + 3])

    def colours(self, box, step=2):
        """The colours inside (left, top, width, height), each with its count."""
        left, top, width, height = (int(v) for v in box)
        counts = {}
        for y in range(top, min(self.height, top + height), step):
            for x in range(left, min(self.width, left + width), step):
                colour = self.pixel(x, y)
                counts[colour] = counts.get(colour, 0) + 1
        return counts
