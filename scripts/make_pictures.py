#!/usr/bin/env python3
"""Makes the pictures of the documentation, by Carom itself: no picture is made by hand.

    scripts/make_pictures.py [--carom build/carom] [--into docs/pictures] [NAME…]

NAME is a part of a picture's name (demo_, shape_box, normal_); without one, all are made.
Scenes are photographed in headless Chromium on the page that `carom run --page` writes;
curves are drawn by `carom plot`.
"""

import argparse
import base64
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests/viewer"), str(ROOT / "scripts")]

import kossenko_figures  # noqa: E402
from browser import Browser  # noqa: E402
from pictures import mesh_cost, oblique, restitution, rigid_limit, scenes  # noqa: E402

# Only the scene: no bars, plots and lists.
BARE = """#bar, #timeline, #tabs, #side, #plots, #legend { display: none !important }
#main { grid-template: "stage" 1fr / 1fr !important }"""

# The camera goes nearer to the bodies that move, by a factor.
APPROACH = """
(() => {
  const {layers, stage} = carom.view, factor = %g, moving = layers[0].motion.bodies.filter((b) => b.position);
  carom.view.update();
  const centre = stage.camera.position.clone().set(0, 0, 0);
  for (const body of moving) centre.add(body.p);
  centre.divideScalar(moving.length).applyMatrix4(stage.world.matrix);
  const target = stage.controls.target, away = stage.camera.position.clone().sub(target);
  if (factor > 1) target.lerp(centre, Math.min(1, factor - 1));
  stage.camera.position.copy(target).addScaledVector(away, 1 / factor);
  stage.moved = true;
  stage.controls.update();
})()
"""


class Maker:
    def __init__(self, carom, into, wanted, work):
        self.carom, self.into, self.wanted, self.work = carom, into, wanted, work
        self.browser = None

    def skips(self, name):
        return bool(self.wanted) and not any(part in name for part in self.wanted)

    def run(self, *words, timeout=600):
        subprocess.run([self.carom, *map(str, words)], check=True, cwd=self.work, timeout=timeout,
                       stderr=subprocess.DEVNULL)

    def run_scene(self, text, name):
        (self.work / f"{name}.yaml").write_text(text)
        self.run("run", f"{name}.yaml", "--page", "-q")

    def photograph(self, page_name, picture, share, size=(720, 450), bare=True, prepare="", quality=80):
        """A JPEG of the page at `share` of its run."""
        if not self.browser:
            self.browser = Browser().__enter__()
        address = (self.work / f"{page_name}.html").as_uri() + "#still"
        page = self.browser.open(address, width=size[0], height=size[1])
        page.wait("document.body.dataset.ready", timeout=120)
        if bare:
            page.evaluate("document.head.append(Object.assign(document.createElement('style'),"
                          f"{{textContent: {BARE!r}}}))")
        page.evaluate(f"carom.clock.seek(carom.clock.start + {share}*(carom.clock.end - carom.clock.start))")
        for step in (prepare, ""):  # two frames for the layout, then two for the picture
            page.evaluate("new Promise((done) => setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(done)), 200))")
            page.evaluate(step)
        page.wait("carom.view.stage.settled")  # drawn in full
        if page.errors:
            sys.exit(f"{page_name}: {page.errors}")
        data = page.call("Page.captureScreenshot", format="jpeg", quality=quality)["data"]
        self.write(f"{picture}.jpg", base64.b64decode(data))
        page.call("Page.close")

    def write(self, name, data):
        (self.into / name).write_bytes(data)
        print(f"  {self.into / name}: {len(data) / 1000:.0f} kB", flush=True)

    def demos(self):
        for name, (share, near) in scenes.DEMOS.items():
            if self.skips(f"demo_{name}"):
                continue
            self.run("demo", name, "--page", "-o", f"{name}.h5", "-q")
            self.photograph(name, f"demo_{name}", share, prepare="" if near == 1 else APPROACH % near)

    def tutorial(self):
        """The scenes of the tutorial, as they stand there."""
        blocks = re.findall(r"```yaml\n(.*?)```", (ROOT / "docs/tutorial.md").read_text(), re.S)
        for number, (text, share) in enumerate(zip(blocks, scenes.TUTORIAL, strict=True), 1):
            if not self.skips(f"tutorial_{number}"):
                self.run_scene(text, f"tutorial_{number}")
                self.photograph(f"tutorial_{number}", f"tutorial_{number}", share, (600, 360))

    def pages(self):
        """The page itself, as it opens."""
        if self.skips("page_light") and self.skips("page_dark"):
            return
        self.run("demo", "pick_and_place", "--page", "-o", "page.h5", "-q")
        self.photograph("page", "page_light", 0.5, (1180, 740), bare=False, quality=72)
        self.photograph("page", "page_dark", 0.72, (1180, 740), bare=False, quality=72,
                        prepare="carom.tools.theme('dark'); carom.tools.section(true); carom.view.select(2)")

    def maps(self):
        """Where contacts press, enlarged."""
        for name, text in scenes.MAPS.items():
            if self.skips(name):
                continue
            self.run_scene(text, name)
            self.photograph(name, name, 1.0, (1180, 620), bare=False, quality=72,
                            prepare="document.querySelector('#plots').style.display = 'none'; "
                                    "dispatchEvent(new Event('resize'))")

    def driven(self):
        """The page of a run that it drives: the bucket, lifted and curled by keys."""
        if self.skips("page_driven"):
            return
        run = subprocess.Popen(
            [self.carom, "demo", "bucket", "--real-time", "--view", "--until", "60", "--no-output",
             "--set", "values.programme=0"],
            cwd=self.work, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        try:
            address = next(line.split()[-1] for line in run.stderr if "http://" in line)
            if not self.browser:
                self.browser = Browser().__enter__()
            page = self.browser.open(address, width=1180, height=740)
            for key, there in (("a", "pivot.q')[r.rows - 1] < -0.5"), ("ArrowUp", "hoist.q')[r.rows - 1] > 0.15")):
                page.wait("window.carom?.runs[0].rows > 5", timeout=120)
                page.call("Input.dispatchKeyEvent", type="keyDown", key=key, code=key)
                page.wait(f"(() => {{ const r = carom.runs[0]; return r.column('{there}; }})()", timeout=120)
            data = page.call("Page.captureScreenshot", format="jpeg", quality=72)["data"]
            self.write("page_driven.jpg", base64.b64decode(data))
            page.call("Page.close")
        finally:
            run.terminate()
            run.communicate(timeout=20)

    def studies(self):
        """The page of the study that docs/sweeps.md tells of: 4,096 runs, some minutes."""
        if self.skips("study_cube_toss"):
            return
        for name in ("cube.yaml", "cube_toss.yaml"):
            shutil.copy(ROOT / "examples/studies" / name, self.work)
        self.run("sweep", "cube_toss.yaml", "--page", "-q", timeout=7200)
        if not self.browser:
            self.browser = Browser().__enter__()
        page = self.browser.open((self.work / "cube_toss.html").as_uri(), width=1180, height=2480)
        data = page.call("Page.captureScreenshot", format="jpeg", quality=60, clip={
            "x": 0, "y": 0, "width": 1180, "height": 2480, "scale": 0.6})["data"]
        self.write("study_cube_toss.jpg", base64.b64decode(data))
        page.call("Page.close")

    def shapes(self):
        for kind, shape in scenes.SHAPES.items():
            if self.skips(f"shape_{kind}"):
                continue
            self.run_scene(scenes.SHAPE_SCENE.format(shape=shape), f"shape_{kind}")
            self.photograph(f"shape_{kind}", f"shape_{kind}", 0, (360, 240))
        if not self.skips("shape_half_space"):
            self.run_scene(scenes.HALF_SPACE_SCENE, "shape_half_space")
            self.photograph("shape_half_space", "shape_half_space", 0.95, (360, 240))

    def joints(self):
        for kind, (joint, shapes, tip, base) in scenes.JOINTS.items():
            if self.skips(f"joint_{kind}"):
                continue
            gravity = "[0, 0, -1e-3]"  # up is up, and nothing falls
            text = scenes.JOINT_SCENE.format(joint=joint, shapes=shapes, tip=tip, base=base, gravity=gravity)
            self.run_scene(text, f"joint_{kind}")
            self.photograph(f"joint_{kind}", f"joint_{kind}", 0.7, (360, 240))

    def curve(self, picture, results, channel, against, title, *more):
        self.run("plot", *results, channel, "--against", against, "--title", title, "--width", 520,
                 "--height", 230, "-o", self.into / f"{picture}.svg", *more)
        print(f"  {self.into / picture}.svg", flush=True)

    def laws(self):
        for law, cases in scenes.NORMAL.items():
            if self.skips(f"normal_{law}"):
                continue
            results = []
            for label, words, e in cases:
                name = label
                soft = law.startswith("modia3d")  # its contacts last longer
                text = scenes.NORMAL_SCENE.format(name=law, law=words, restitution=e,
                                                  step="1e-5" if soft else "4e-6")
                (self.work / f"{name}.yaml").write_text(text)
                self.run("run", f"{name}.yaml", "-q")
                results.append(f"{name}.h5")
            self.curve(f"normal_{law}", results, "contact(plate,ball).force.normal",
                       "contact(plate,ball).phi", f"{law}: a ball hits a plate with 1 m/s")
        if not self.skips("restitution"):
            picture = self.into / "restitution.svg"
            picture.write_text(restitution.make(self.carom, scenes.BY_RESTITUTION, self.work))
            print(f"  {picture}", flush=True)
        if not self.skips("mesh_cost"):
            picture = self.into / "mesh_cost.svg"
            picture.write_text(mesh_cost.make(ROOT / "benchmarks/results"))
            print(f"  {picture}", flush=True)
        for name, maker in (("oblique_impact", oblique), ("rigid_limit", rigid_limit),
                            ("kossenko_figures", kossenko_figures)):
            if not self.skips(name):
                picture = self.into / f"{name}.svg"
                picture.write_text(maker.make(self.carom, self.work))
                print(f"  {picture}", flush=True)
        sliding = ("contact(belt,block).force.x", "belt.velocity.x")
        turning = ("contact(plate,ball).torque.z", "plate.angular_velocity.z")
        for kind, table, scene, channels in (("friction", scenes.FRICTION, scenes.FRICTION_SCENE, sliding),
                                             ("resistance", scenes.RESISTANCE, scenes.RESISTANCE_SCENE, turning)):
            for law, words in table.items():
                if self.skips(f"{kind}_{law}"):
                    continue
                (self.work / "law.yaml").write_text(scene.format(name=law, law=words))
                self.run("run", "law.yaml", "-q")
                self.curve(f"{kind}_{law}", ["law.h5"], *channels, law, "--from", 1)

    def close(self):
        if self.browser:
            self.browser.__exit__()


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("names", nargs="*")
    words.add_argument("--carom", type=pathlib.Path, default=ROOT / "build/carom")
    words.add_argument("--into", type=pathlib.Path, default=ROOT / "docs/pictures")
    options = words.parse_args()
    options.into.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        shutil.copytree(ROOT / "examples/meshes", work / "meshes")
        maker = Maker(options.carom.resolve(), options.into.resolve(), options.names, work)
        try:
            maker.laws()
            maker.shapes()
            maker.joints()
            maker.demos()
            maker.tutorial()
            maker.pages()
            maker.maps()
            maker.driven()
            maker.studies()
        finally:
            maker.close()


if __name__ == "__main__":
    main()
