"""What tests of the page share: pages that are made once, when the first test opens them, and a
look at what is on the screen. The programs are the first two words of the command line.
"""

import atexit
import pathlib
import subprocess
import sys
import tempfile
import unittest

from browser import find_chromium, shared_browser

CAROM, CONTACT_RUN = sys.argv[1:3]
FOLDER = tempfile.TemporaryDirectory()
atexit.register(FOLDER.cleanup)


def run_carom(*words):
    subprocess.run([CAROM, *map(str, words)], check=True, timeout=120, stderr=subprocess.DEVNULL)


def near(colour, other, distance=60):
    return sum(abs(a - b) for a, b in zip(colour, other)) < distance


class Pages:
    """Makers by the names of their pages, in one folder."""

    def __init__(self, folder):
        self.folder = folder
        self.makers = {"ball": self.make_ball, "both": self.make_both}

    def add_demo(self, name, demo, until):
        self.makers[name] = lambda: run_carom("demo", demo, "--until", until, "--page", "-o",
                                              self.folder / f"{name}.h5", "-q")

    def add_scene(self, name, text):
        def make():
            (self.folder / f"{name}.yaml").write_text(text)
            run_carom("run", self.folder / f"{name}.yaml", "--page", "-q", "-o", self.folder / f"{name}.h5")
        self.makers[name] = make

    def make_ball(self):
        subprocess.run([CONTACT_RUN, self.folder / "ball.h5"], check=True)
        run_carom("page", self.folder / "ball.h5")

    def make_both(self):
        self.find("dp")
        run_carom("demo", "double_pendulum", "--until", "4", "--set", "joints.elbow.q=0.01", "-o",
                  self.folder / "other.h5", "-q")
        run_carom("page", self.folder / "dp.h5", self.folder / "other.h5", "-o", self.folder / "both.html")

    def find(self, name):
        path = self.folder / f"{name}.html"
        if not path.exists():
            self.makers[name]()
        return path


PAGES = Pages(pathlib.Path(FOLDER.name))
PAGES.add_demo("dp", "double_pendulum", 4)


@unittest.skipUnless(find_chromium(), "Chromium is not installed")
class PageCase(unittest.TestCase):
    def open(self, name, still=True, **more):
        page = shared_browser().open(PAGES.find(name).as_uri() + ("#still" if still else ""), **more)
        page.wait("document.body.dataset.ready")
        self.addCleanup(self.leave, page)
        return page

    def leave(self, page):
        """Whatever a test did: nothing on the console, nothing from a network."""
        errors = [e for e in page.errors if "GPU stall" not in e]
        self.assertEqual([], errors)
        outside = [u for u in page.requests if not u.startswith(("file:", "blob:", "data:"))]
        self.assertEqual([], outside)
        page.call("Page.close")

    def settle(self, page):
        """Until the picture shows the present state."""
        page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        page.wait("!carom.view || carom.clock.playing || carom.view.stage.settled")

    def stage(self, page):
        self.settle(page)
        return page.screenshot(), page.rect("#stage")


def run_tests():
    """Of the file that is run by itself."""
    del sys.argv[1:3]
    unittest.main(verbosity=2)
