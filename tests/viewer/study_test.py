"""The page of a study: its figures, and a click that leads to the page of a run.

    python3 study_test.py <carom>
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest
import urllib.error
import urllib.request

from browser import find_chromium, shared_browser

CAROM = pathlib.Path(sys.argv[1]).resolve()

SCENE = """carom: 1
name: Pendulum
values: {l: 1}
bodies:
  bob: {mass: 1, com: [0, 0, "=-l"], inertia: [0, 0, 0], joint: {revolute: {axis: y}, name: pivot, q: 0.5}}
run: {until: 2, output: {step: 0.1}}
"""
STUDY = """carom_study: 1
name: Pendulums <b>
scene: scene.yaml
vary: {values.l: {uniform: [0.5, 2]}, run.integrator: [erk8, auto]}
design: {sobol: 64}
record: {q: pivot.q@end, fastest: max(pivot.v)}
"""


class Study(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.holder = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.holder.name)
        (cls.folder / "scene.yaml").write_text(SCENE)
        (cls.folder / "study.yaml").write_text(STUDY)
        cls.carom("sweep", "study.yaml", "--page", "-q")

    @classmethod
    def tearDownClass(cls):
        cls.holder.cleanup()

    @classmethod
    def carom(cls, *words):
        return subprocess.run([CAROM, *words], cwd=cls.folder, check=True, text=True,
                              capture_output=True).stdout

    @unittest.skipUnless(find_chromium(), "Chromium is not installed")
    def test_shows_figures_and_a_click_chooses_a_run(self):
        browser = shared_browser()
        page = browser.open((self.folder / "study.html").as_uri(), width=1200, height=900)
        self.assertEqual("Pendulums <b>", page.evaluate("document.title"))
        self.assertEqual(3, page.evaluate("document.querySelectorAll('#statistics tr').length"))
        self.assertEqual(2, page.evaluate("document.querySelectorAll('#histograms figure').length"))
        self.assertEqual(2, page.evaluate("document.querySelectorAll('#effects figure').length"))
        page.evaluate("document.getElementById('scatter').scrollIntoView()")
        page.click("#scatter", 0.35, 0.3)
        self.assertFalse(page.evaluate("document.getElementById('chosen').hidden"))
        key = page.evaluate("document.getElementById('chosen').dataset.key")
        link = page.evaluate("document.getElementById('open').getAttribute('href')")
        self.assertEqual(f"study.pages/{key}.html", link)
        made = self.carom("sweep", "study.yaml", "--open", key[:12]).strip()
        self.assertEqual(link, made)
        run = browser.open((self.folder / made).as_uri())
        run.wait("document.title.length > 0")
        self.assertIn("Pendulum", run.evaluate("document.title"))

    def test_is_served_with_runs_made_when_asked_for(self):
        process = subprocess.Popen([CAROM, "sweep", "study.yaml", "--view"], cwd=self.folder,
                                   text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        try:
            address = process.stdout.readline().strip()
            page = urllib.request.urlopen(address, timeout=30).read().decode()
            text = page.split('type="application/json">')[1].split("</script>")[0]
            key = json.loads(text)["keys"][5]
            run = urllib.request.urlopen(address.replace("/?", f"/run/{key}?"), timeout=30).read()
            self.assertIn(b"<html", run[:300].lower())
            for wrong in (address[:-1] + "x", address.replace("/?", f"/run/{'0' * 64}?")):
                with self.assertRaises(urllib.error.HTTPError):
                    urllib.request.urlopen(wrong, timeout=30)
        finally:
            process.terminate()
            process.wait()
            process.stdout.close()


if __name__ == "__main__":
    del sys.argv[1]
    unittest.main(verbosity=2)
