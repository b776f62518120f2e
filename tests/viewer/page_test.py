"""The page, driven in headless Chromium as a person would: what is on the screen counts.

    python3 page_test.py <carom> <contact_run>
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

from browser import find_chromium, shared_browser

CAROM, CONTACT_RUN = sys.argv[1:3]
ACCENT = (238, 47, 124)  # the selected body, before light falls on it


AREA = """carom: 1
name: Two balls on rubber
materials: {rubber: {density: 1100, youngs_modulus: 1e6, poissons_ratio: 0.3}}
bodies:
  floor: {fixed: true, material: rubber, shapes: [{half_space: {}}]}
  ball: {material: rubber, shapes: [{sphere: {radius: 0.05}}], position: [0, 0, 0.0499]}
  large: {material: rubber, shapes: [{sphere: {radius: 0.08}}], position: [0.3, 0, 0.0799]}
contact: {area: {pressure: foundation, layer: 2e-2}, restitution: 0.2}
run: {until: 0.6, output: {step: 0.01, maps: on}}
"""
RIM = """carom: 1
name: A cube as triangles
materials: {soft: {density: 1000, youngs_modulus: 2.1e6, poissons_ratio: 0.3}}
bodies:
  floor: {fixed: true, material: soft, shapes: [{half_space: {}}]}
  cube: {material: soft, shapes: [{box: {size: [0.2, 0.2, 0.2]}}], position: [0, 0, 0.1]}
contact: {method: triangles, restitution: 0.2}
run: {until: 0.4, integrator: implicit_contact, step: 2e-3, output: {step: 0.02, maps: on}}
"""


def near(colour, other, distance=60):
    return sum(abs(a - b) for a, b in zip(colour, other)) < distance


@unittest.skipUnless(find_chromium(), "Chromium is not installed")
class PageCase(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder_holder = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.folder_holder.name)
        cls.run_carom("demo", "double_pendulum", "--until", "4", "--page", "-o", cls.folder / "dp.h5", "-q")
        subprocess.run([CONTACT_RUN, cls.folder / "ball.h5"], check=True)
        cls.run_carom("page", cls.folder / "ball.h5")
        cls.run_carom("demo", "double_pendulum", "--until", "4", "--set", "joints.elbow.q=0.01", "-o", cls.folder / "other.h5", "-q")
        cls.run_carom("page", cls.folder / "dp.h5", cls.folder / "other.h5", "-o", cls.folder / "both.html")
        cls.run_carom("demo", "gripper", "--until", "1.2", "--page", "-o", cls.folder / "gripper.h5", "-q")
        cls.run_carom("demo", "bottle", "--until", "1", "--page", "-o", cls.folder / "bottle.h5", "-q")
        cls.run_carom("demo", "rigid_bouncing_ellipsoid", "--until", "4", "--page", "-o", cls.folder / "egg.h5", "-q")
        for name, text in (("area", AREA), ("rim", RIM)):
            (cls.folder / f"{name}.yaml").write_text(text)
            cls.run_carom("run", cls.folder / f"{name}.yaml", "--page", "-q")
        cls.browser = shared_browser()

    @classmethod
    def tearDownClass(cls):
        cls.folder_holder.cleanup()

    @staticmethod
    def run_carom(*words):
        subprocess.run([CAROM, *map(str, words)], check=True, timeout=120, stderr=subprocess.DEVNULL)

    def open(self, name, still=True, **more):
        page = self.browser.open((self.folder / name).as_uri() + ("#still" if still else ""), **more)
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


class Playing(PageCase):
    def test_opens_playing_with_title_status_and_bodies(self):
        page = self.open("dp.html", still=False)
        self.assertEqual("Double pendulum", page.evaluate("document.querySelector('h1').textContent"))
        self.assertEqual("completed", page.evaluate("document.getElementById('status').textContent"))
        page.wait("parseFloat(document.getElementById('clock').textContent) > 0.05")
        page.click("#play")
        before = page.evaluate("carom.clock.time")
        time.sleep(0.3)
        self.assertEqual(before, page.evaluate("carom.clock.time"))
        picture, box = self.stage(page)
        self.assertGreater(len(picture.colours(box)), 100)  # light and shadow, not one flat colour

    def test_scrubbing_moves_bodies_clock_and_plot_cursor(self):
        page = self.open("dp.html")
        first, box = self.stage(page)
        page.click("#track", across=0.75)
        self.assertAlmostEqual(3.0, page.evaluate("carom.clock.time"), delta=0.05)
        self.assertTrue(page.evaluate("document.getElementById('clock').textContent").startswith(("2.9", "3.0")))
        cursor = page.rect(".cursor")[0] - page.rect(".u-over")[0]
        self.assertAlmostEqual(0.75, cursor / page.rect(".u-over")[2], delta=0.03)
        second, _ = self.stage(page)
        left, top, width, height = (int(v) for v in box)
        changed = sum(
            not near(first.pixel(x, y), second.pixel(x, y), 30)
            for y in range(top, top + height, 3) for x in range(left, left + width, 3))
        self.assertGreater(changed, 50)

    def test_steps_and_speed_by_keyboard(self):
        page = self.open("dp.html")
        page.key("ArrowRight")
        self.assertAlmostEqual(0.01, page.evaluate("carom.clock.time"), delta=1e-9)
        page.key("End")
        self.assertAlmostEqual(4, page.evaluate("carom.clock.time"), delta=1e-9)
        before = page.evaluate("carom.clock.speed")
        page.key("-")
        self.assertLess(page.evaluate("carom.clock.speed"), before)

    def test_plays_on_to_the_frame_that_the_result_has(self):
        page = self.open("dp.html")
        page.evaluate("carom.clock.seek(2)")
        row = json.loads(page.evaluate(
            "JSON.stringify(['x','y','z'].map((c) => carom.plots.runs[0].column('lower.position.' + c)[200]))"))
        at = page.evaluate("(carom.view.update(), carom.view.layers[0].motion.bodies[1].p.toArray())")
        for a, b in zip(row, at):
            self.assertAlmostEqual(a, b, delta=1e-6)


class Selecting(PageCase):
    def test_a_click_on_a_body_colours_it_and_shows_its_values(self):
        page = self.open("ball.html")
        page.evaluate("carom.clock.seek(1)")
        self.settle(page)
        x, y = page.evaluate("carom.view.locate(1)")
        page.click_at(x, y)
        self.settle(page)
        self.assertEqual("ball", page.evaluate("document.querySelector('#values h2').textContent"))
        text = page.evaluate("document.getElementById('values').innerText")
        self.assertIn("position", text)
        self.assertIn("0.5", text)  # its height at t = 1
        picture = page.screenshot()
        colour = picture.pixel(int(x) - 15, int(y) + 10)  # beside the axes of its frame
        self.assertGreater(colour[0], colour[1] + 60, f"{colour} is not the colour of a selected body")

    def test_a_click_beside_selects_nothing(self):
        page = self.open("ball.html")
        page.evaluate("carom.view.select(1)")
        left, top, _, _ = page.rect("#stage")
        page.click_at(left + 8, top + 8)
        self.assertEqual(-1, page.evaluate("carom.view.selected"))

    def test_following_keeps_the_body_in_its_place(self):
        page = self.open("dp.html")
        page.evaluate("carom.view.select(1)")
        page.key("f")
        before = page.evaluate("(carom.view.update(), carom.view.followed.clone().project(carom.view.stage.camera).toArray())")
        page.evaluate("carom.clock.seek(1.7)")
        self.settle(page)
        after = page.evaluate("carom.view.followed.clone().project(carom.view.stage.camera).toArray()")
        self.assertAlmostEqual(before[0], after[0], delta=1e-3)
        self.assertAlmostEqual(before[1], after[1], delta=1e-3)


class Crowds(PageCase):
    """Many bodies without a graphics card are one mesh, coarser while it moves."""

    SIDE = 18

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        lines = ["carom: 1", "name: Crowd", "contact: off", "bodies:"]
        for i in range(cls.SIDE ** 2):
            place = f"[{0.5 * (i % cls.SIDE)}, {0.5 * (i // cls.SIDE)}, 0]"
            lines.append(f"  b{i}: {{material: steel, shapes: [{{sphere: {{radius: 0.15}}}}], position: {place}, velocity: [0, 0, 2]}}")
        (cls.folder / "crowd.yaml").write_text("\n".join([*lines, "run: {until: 0.4, output: {step: 0.02}}"]))
        subprocess.run([CAROM, "run", "crowd.yaml", "--page", "-q"], cwd=cls.folder, check=True, timeout=120, stderr=subprocess.DEVNULL)

    def test_each_copy_is_where_the_result_says(self):
        page = self.open("crowd.html")
        page.evaluate("carom.clock.seek(0.2)")
        self.settle(page)
        # The middle of a ball's vertices is its centre: it has been thrown up with 2 m/s.
        middle = """(() => {const {copies} = carom.view.layers[0].bodies.parts[0], n = copies.vertices, out = [0, 0, 0];
            const {array} = copies.object.geometry.attributes.position;
            for (let i = 0; i < 3 * n; ++i) out[i %% 3] += array[3 * n * %d + i] / n;
            return out; })()"""
        height = 2 * 0.2 - 0.5 * 9.81 * 0.2 ** 2
        for index in (0, 100, self.SIDE ** 2 - 1):
            x, y, z = page.evaluate(middle % index)
            # Columns have 24 bits of their range (9 m), vertices are single precision.
            self.assertAlmostEqual(0.5 * (index % self.SIDE), x, delta=1e-5)
            self.assertAlmostEqual(0.5 * (index // self.SIDE), y, delta=1e-5)
            self.assertAlmostEqual(height, z, delta=1e-5)

    def test_a_click_finds_and_colours_one_of_many(self):
        page = self.open("crowd.html")
        index = self.SIDE * self.SIDE // 2 + self.SIDE // 2
        page.click_at(*page.evaluate(f"carom.view.locate({index})"))
        self.assertEqual(index, page.evaluate("carom.view.selected"))
        picture, (_, _, width, _) = self.stage(page)
        pink = lambda x, y: (lambda c: c[0] > c[1] + 60 and c[2] > c[1])(picture.pixel(int(x), int(y)))  # noqa: E731
        x, y = page.evaluate(f"carom.view.locate({index})")
        self.assertTrue(any(pink(x + dx, y + dy) for dx in (-5, 0, 5) for dy in (-4, 4)), "the selected body has its colour")
        x, y = page.evaluate(f"carom.view.locate({index + 2})")
        self.assertFalse(pink(x, y), "another body has not")

    def test_moving_pictures_have_fewer_triangles_than_those_at_rest(self):
        page = self.open("crowd.html")
        self.settle(page)
        triangles = "carom.view.stage.renderer.info.render.triangles"
        rest = page.evaluate(triangles)
        page.click("#play")
        page.wait(f"{triangles} < {rest} / 3")
        page.click("#play")
        self.settle(page)
        self.assertEqual(rest, page.evaluate(triangles))

    def test_leaving_out_what_faces_away_leaves_the_picture_as_it_is(self):
        page = self.open("crowd.html")
        self.settle(page)
        shots = page.evaluate("""(() => {
          const {stage, layers: [{bodies}]} = carom.view, gl = stage.renderer.getContext();
          stage.show(3);
          const eye = stage.camera.position.clone().applyMatrix4(stage.world.matrix.clone().invert());
          const shot = (camera) => {
            for (const {copies} of bodies.parts) copies.leaveOutBacks(camera);
            stage.renderer.render(stage.scene, stage.camera);
            const {width, height} = stage.canvas, pixels = new Uint32Array(width * height);
            gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(pixels.buffer));
            return {pixels, triangles: stage.renderer.info.render.triangles};
          };
          const all = shot(null), fronts = shot(eye);
          return {different: all.pixels.filter((p, i) => p !== fronts.pixels[i]).length, colours: new Set(all.pixels).size,
                  all: all.triangles, fronts: fronts.triangles};
        })()""")
        # The renderer puts corners on a grid finer than pixels, which may turn a tiny triangle that
        # is seen nearly edge-on: single pixels of a hundred thousand.
        self.assertLess(shots["different"], 10)
        self.assertGreater(shots["colours"], 100)  # there is something to see
        self.assertLess(shots["fronts"], 0.6 * shots["all"])


class Contacts(PageCase):
    def test_contact_points_and_arrows_come_and_go_with_contact(self):
        page = self.open("ball.html")
        page.evaluate("carom.clock.seek(0.25)")
        self.settle(page)
        self.assertEqual(0, page.evaluate("carom.view.layers[0].forces.dots.count"))
        page.evaluate("carom.clock.seek(0.5)")
        picture, box = self.stage(page)
        self.assertEqual(1, page.evaluate("carom.view.layers[0].forces.dots.count"))
        self.assertEqual(2, page.evaluate("carom.view.layers[0].forces.arrows.count"))  # force and normal
        point = [c for c in picture.colours(box, step=1) if near(c, (214, 51, 108), 50)]
        self.assertTrue(point, "the contact point is not to be seen")
        page.click("#tool-contacts")
        self.settle(page)
        self.assertEqual(0, page.evaluate("carom.view.layers[0].forces.dots.count"))

    def test_closest_points_of_watched_pairs_have_frames_on_both_bodies(self):
        page = self.open("gripper.html")
        page.evaluate("carom.clock.seek(0.1)")  # the fingers are still apart from the part
        page.key("p")
        self.settle(page)
        pairs = page.evaluate("carom.view.layers[0].closest.pairs.length")
        self.assertGreaterEqual(pairs, 2)
        self.assertEqual(2 * pairs, page.evaluate("carom.view.layers[0].closest.dots.count"))
        self.assertEqual(14 * pairs, page.evaluate("carom.view.layers[0].closest.lines.geometry.drawRange.count"))
        # The line between the points is as long as the distance that was recorded.
        length, phi = page.evaluate("""(() => {
          const {closest, run} = carom.view.layers[0], i = closest.pairs.findIndex((p) => p.name === 'contact(part,finger1)');
          const at = closest.lines.geometry.attributes.position, row = run.locate(carom.clock.time).row;
          const points = [14 * i, 14 * i + 1].map((k) => [at.getX(k), at.getY(k), at.getZ(k)]);
          return [Math.hypot(...points[0].map((x, k) => x - points[1][k])), run.column('contact(part,finger1).phi')[row]];
        })()""")
        self.assertGreater(phi, 1e-3)
        self.assertAlmostEqual(phi, length, delta=1e-4)
        page.key("p")
        self.assertFalse(page.evaluate("carom.view.layers[0].closest.group.visible"))

    def test_contact_areas_are_faces_between_the_points_that_touch(self):
        page = self.open("bottle.html")
        page.evaluate("carom.clock.seek(carom.clock.end)")
        self.settle(page)
        # The bottle that was set down stands on eight points: six triangles, and eight sides.
        areas = "carom.view.layers[0].areas"
        self.assertGreaterEqual(page.evaluate(f"{areas}.faces.geometry.drawRange.count"), 18)
        self.assertGreaterEqual(page.evaluate(f"{areas}.rims.geometry.drawRange.count"), 16)
        # They lie on the desk, and their area is that of an octagon in the base's circle or less.
        height, area, radius = page.evaluate(f"""(() => {{
          const at = {areas}.faces.geometry.attributes.position, p = (i) => [at.getX(i), at.getY(i), at.getZ(i)];
          let height = 0, area = 0;
          for (let i = 0; i < 18; i += 3) {{
            const [a, b, c] = [p(i), p(i + 1), p(i + 2)];
            height = Math.max(height, ...[a, b, c].map((q) => Math.abs(q[2])));
            area += Math.abs((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])) / 2;
          }}
          return [height, area, Math.hypot(p(0)[0] - p(8)[0], p(0)[1] - p(8)[1]) / 2];
        }})()""")
        self.assertLess(height, 1e-3)
        self.assertAlmostEqual(2 * 2**0.5 * radius**2, area, delta=0.02 * area)  # of a regular octagon
        page.click("#tool-contacts")
        self.assertFalse(page.evaluate(f"{areas}.group.visible"))

    def test_areas_are_coloured_by_pressure_and_one_is_enlarged(self):
        page = self.open("area.html")
        page.evaluate("carom.clock.seek(carom.clock.end)")
        self.settle(page)
        maps = "carom.view.layers[0].maps"
        self.assertEqual(["contact(floor,ball)", "contact(floor,large)"], page.evaluate(f"{maps}.objects"))
        self.assertIn("pressure 0", page.evaluate("document.getElementById('legend').textContent"))
        # What is drawn lies under the balls: within the radii of their contacts, on the floor.
        low, high, depth = page.evaluate("""(() => {
          const at = carom.view.layers[0].mapPicture.faces.geometry.attributes.position, x = [], z = [];
          for (let i = 0; i < at.count; ++i) x.push(at.getX(i)), z.push(Math.abs(at.getZ(i)));
          return [Math.min(...x), Math.max(...x), Math.max(...z)];
        })()""")
        self.assertGreater(low, -0.02)
        self.assertLess(high, 0.34)
        self.assertLess(depth, 0.01)
        # The larger ball presses harder and is the one that is enlarged; then that of the choice.
        facts = "document.querySelector('#magnifier .facts').textContent"
        self.assertIn("floor, large", page.evaluate(facts))
        recorded = page.evaluate("carom.runs[0].column('contact(floor,large).force.normal')[carom.runs[0].rows - 1]")
        force = page.evaluate("Number(document.querySelectorAll('#magnifier td')[1].textContent.split(' ')[0])")
        self.assertAlmostEqual(recorded, force, delta=1e-3 * recorded)
        page.evaluate("""(() => { const list = document.querySelector('#magnifier select');
          list.value = 'contact(floor,ball)'; list.dispatchEvent(new Event('change')); })()""")
        self.assertIn("floor, ball", page.evaluate(facts))
        # Its middle is the brightest: pressure falls towards the rim.
        middle, rim = page.evaluate("""(() => {
          const canvas = document.querySelector('#magnifier canvas'), context = canvas.getContext('2d');
          const light = (x, y) => { const [r, g, b, a] = context.getImageData(x, y, 1, 1).data; return a ? r + g + b : -1; };
          let left = 0;
          while (left < canvas.width && light(left, 120) < 0) ++left;
          return [light(215, 105), light(left + 4, 120)];
        })()""")
        self.assertGreater(middle, rim + 60)
        page.key("a")
        self.assertTrue(page.evaluate("document.getElementById('magnifier').hidden"))
        page.key("c")
        self.assertFalse(page.evaluate("carom.view.layers[0].mapPicture.group.visible"))

    def test_the_circumference_of_triangles_is_a_curve_on_the_bodies(self):
        page = self.open("rim.html")
        page.evaluate("carom.clock.seek(carom.clock.end)")
        self.settle(page)
        length, off = page.evaluate("""(() => {
          const at = carom.view.layers[0].mapPicture.curves.geometry.attributes.instanceStart.data.array;
          let length = 0, off = 0;
          for (let i = 0; i < at.length; i += 6) {
            length += Math.hypot(at[i + 3] - at[i], at[i + 4] - at[i + 1], at[i + 5] - at[i + 2]);
            off = Math.max(off, Math.abs(Math.max(Math.abs(at[i]), Math.abs(at[i + 1])) - 0.1), Math.abs(at[i + 2]));
          }
          return [length, off];
        })()""")
        self.assertAlmostEqual(0.8, length, delta=1e-3)
        self.assertLess(off, 1e-3)
        self.assertIn("force per length", page.evaluate("document.getElementById('legend').textContent"))
        self.assertIn("0.8 m", page.evaluate("document.querySelector('#magnifier .facts').textContent").replace("0.8000", "0.8"))
        # In the air there was none.
        self.assertIn("strongest contact", page.evaluate("document.querySelector('#magnifier select').textContent"))

    def test_states_of_rigid_contacts_are_bands_and_impacts_a_table(self):
        page = self.open("egg.html")
        page.click("[data-tab=Contacts]")
        # In the air until it lands; from there on it slides and rolls, and the events say when.
        spans = page.evaluate("carom.states.pairs[0].spans")
        landing = page.evaluate("carom.runs[0].events.find((e) => e.kind === 'landing').time")
        self.assertEqual([0, 1], [s["state"] for s in spans][:2])
        self.assertEqual(landing, spans[1]["from"])
        self.assertEqual(4, spans[-1]["until"])
        band = page.rect(".band")
        page.click_at(band[0] + 0.5 * band[2], band[1] + 0.5 * band[3])
        self.assertAlmostEqual(2, page.evaluate("carom.clock.time"), delta=0.02)
        # The first impact: from 5 m, with the restitution of the scene or less along the normal.
        cells = page.evaluate("[...document.querySelectorAll('.impacts tr:nth-child(2) td')].map((c) => c.textContent)")
        self.assertEqual("floor, egg", cells[1])
        self.assertAlmostEqual(0.9014063, float(cells[0]), delta=1e-6)
        self.assertGreater(float(cells[2]), float(cells[3]))
        page.click(".impacts tr:nth-child(2)", across=0.1)
        self.assertAlmostEqual(0.9014063, page.evaluate("carom.clock.time"), delta=1e-5)
        impacts = page.evaluate("carom.runs[0].events.filter((e) => e.kind === 'impact').length")
        self.assertEqual(impacts + 1, page.evaluate("document.querySelectorAll('.impacts tr').length"))

    def test_a_page_without_rigid_contacts_has_no_pane_for_them(self):
        page = self.open("ball.html")
        self.assertFalse(page.evaluate("Boolean(document.querySelector('[data-tab=Contacts]'))"))

    def test_events_are_ticks_and_a_list_to_jump_by(self):
        page = self.open("ball.html")
        self.assertEqual(4, page.evaluate("document.querySelectorAll('#ticks i').length"))
        page.click("[data-tab=Events]")
        page.click("#events li:nth-child(3) button")
        self.assertAlmostEqual(1.484, page.evaluate("carom.clock.time"), delta=1e-6)

    def test_reactions_of_joints_can_be_shown(self):
        page = self.open("dp.html")
        page.click("#tool-reactions")
        self.settle(page)
        self.assertEqual(2, page.evaluate("carom.view.layers[0].forces.arrows.count"))


class Reading(PageCase):
    def test_a_channel_is_plotted_by_its_name(self):
        page = self.open("dp.html")
        before = page.evaluate("document.querySelectorAll('.plot').length")
        page.click("#channel")
        page.type("lower.tip.position")
        page.key("Enter")
        self.assertEqual(before + 1, page.evaluate("document.querySelectorAll('.plot').length"))
        text = page.evaluate("document.querySelector('.plot:last-child .chips').innerText")
        for part in ("lower.tip.position.x", "lower.tip.position.z", "m"):
            self.assertIn(part, text)
        box = page.rect(".plot:last-child canvas")
        time.sleep(0.5)  # scrolled smoothly into view
        box = page.rect(".plot:last-child canvas")
        inks = [c for c in page.screenshot().colours(box, step=1) if max(c) - min(c) > 60]
        self.assertGreater(len(inks), 3, "no coloured line in the plot")

    def test_an_unknown_channel_is_refused(self):
        page = self.open("dp.html")
        before = page.evaluate("document.querySelectorAll('.plot').length")
        page.click("#channel")
        page.type("no.such.thing")
        page.key("Enter")
        self.assertEqual(before, page.evaluate("document.querySelectorAll('.plot').length"))
        self.assertTrue(page.evaluate("document.getElementById('channel').classList.contains('wrong')"))

    def test_forces_are_shown_with_their_peaks(self):
        page = self.open("ball.html")
        plot = "carom.plots.list.find((p) => p.names.includes('contact(table,ball).force.normal'))"
        self.assertEqual([0.502, 250], page.evaluate(
            f"(() => {{ const p = {plot}, v = p.lines[0].values, i = v.indexOf(Math.max(...v)); return [p.time[i], v[i]]; }})()"))
        self.assertEqual(402, page.evaluate(f"{plot}.time.length"))
        self.assertIn("peak 250 N", page.evaluate("document.getElementById('legend').innerText"))
        page.evaluate("carom.clock.seek(0.502)")
        self.assertIn("250", page.evaluate(f"{plot}.lines[0].chip.textContent"))
        page.click("[data-tab=Summary]")
        text = page.evaluate("document.getElementById('summary').innerText")
        self.assertIn("Contacts, pair by pair", text)
        self.assertIn("table, ball", text)

    def test_summary_and_scene_file_are_there_as_text(self):
        page = self.open("ball.html")
        page.click("[data-tab=Summary]")
        self.assertIn("ledger closes to", page.evaluate("document.getElementById('summary').innerText"))
        page.click("[data-tab=Scene]")
        text = page.evaluate("document.getElementById('scene').innerText")
        self.assertIn("</script><b>not markup</b>", text)
        self.assertIn("sphere: {radius: 0.1}", text)

    def test_two_runs_lie_over_each_other_in_colours(self):
        page = self.open("both.html")
        self.assertEqual(2, page.evaluate("carom.view.layers.length"))
        text = page.evaluate("document.getElementById('runs').innerText")
        self.assertIn("dp.h5", text)
        self.assertIn("other.h5", text)
        self.assertGreaterEqual(page.evaluate("document.querySelectorAll('.plot:first-child .key').length"), 4)


class Exporting(PageCase):
    def wait_for_file(self, name):
        path = self.folder / name
        for _ in range(300):
            if path.exists() and path.stat().st_size:
                return path.read_bytes()
            time.sleep(0.1)
        self.fail(f"{name} was not saved")

    def test_picture_and_glb_are_saved(self):
        page = self.open("dp.html")
        page.downloads_to(self.folder)
        page.click("#tool-screenshot")
        self.assertTrue(self.wait_for_file("double_pendulum.png").startswith(b"\x89PNG"))
        page.click("#tool-glb")
        data = self.wait_for_file("double_pendulum.glb")
        self.assertTrue(data.startswith(b"glTF"))
        text = data[20:20 + int.from_bytes(data[12:16], "little")].decode()
        names = [node.get("name") for node in json.loads(text)["nodes"]]
        self.assertIn("upper", names)
        self.assertEqual(1, len(json.loads(text)["animations"]))


class Looking(PageCase):
    def test_dark_follows_the_system_and_the_button(self):
        page = self.open("dp.html", dark=True)
        picture, box = self.stage(page)
        self.assertLess(sum(picture.pixel(int(box[0]) + 20, int(box[1]) + 20)), 150)
        page.click("#tool-theme")
        picture, box = self.stage(page)
        self.assertGreater(sum(picture.pixel(int(box[0]) + 20, int(box[1]) + 20)), 600)

    def test_cut_and_wireframe_change_the_picture(self):
        page = self.open("ball.html")
        page.evaluate("carom.clock.seek(1)")
        whole, box = self.stage(page)
        x, y = (int(v) for v in page.evaluate("carom.view.locate(1)"))
        page.click("#tool-wireframe")
        wire, _ = self.stage(page)
        around = (x - 20, y - 20, 40, 40)
        self.assertNotEqual(whole.colours(around, 1), wire.colours(around, 1))
        page.click("#tool-wireframe")
        page.click("#tool-section")
        cut, _ = self.stage(page)
        self.assertNotEqual(whole.colours(around, 1), cut.colours(around, 1))

    def test_a_cut_ball_is_closed_and_flat(self):
        page = self.open("ball.html")
        page.evaluate("carom.clock.seek(1)")
        whole, _ = self.stage(page)
        page.click("#tool-section")
        cut, _ = self.stage(page)
        x, y = (int(v) for v in page.evaluate("carom.view.locate(1)"))

        def most_frequent(picture):
            colours = picture.colours((x - 12, y - 12, 24, 24), 1)
            return max(colours.values()) / sum(colours.values())
        # Light shades a ball everywhere differently; none falls on the face of a cut.
        self.assertGreater(most_frequent(cut), 0.1)
        self.assertGreater(most_frequent(cut), 2 * most_frequent(whole))

    def test_a_phone_shows_scene_time_line_and_one_pane(self):
        page = self.open("dp.html", width=390, height=844, touch=True)
        self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), 390)
        for part in ("#stage", "#track", "#play", "#tabs", ".plot"):
            left, top, width, height = page.rect(part)
            self.assertGreaterEqual(left, 0, part)
            self.assertLessEqual(left + width, 391, part)
        self.assertGreater(page.rect("#stage")[3], 250)
        x, y, w, h = page.rect("[data-tab=Summary]")
        page.tap(x + w / 2, y + h / 2)
        page.wait("document.getElementById('summary').offsetParent !== null")
        self.assertIsNone(page.evaluate("document.getElementById('plots').offsetParent"))
        x, y, w, h = page.rect("#play")
        page.tap(x + w / 2, y + h / 2)
        page.wait("carom.clock.playing")


if __name__ == "__main__":
    del sys.argv[1:3]
    unittest.main(verbosity=2)
