"""Contacts on the page: points and arrows, areas and their pressure, states, events.

    python3 page_contacts_test.py <carom> <contact_run>
"""

from page_case import PAGES, PageCase, near, run_tests

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

PAGES.add_demo("gripper", "gripper", 1.2)
PAGES.add_demo("bottle", "bottle", 1)
PAGES.add_demo("egg", "rigid_bouncing_ellipsoid", 4)
PAGES.add_scene("area", AREA)
PAGES.add_scene("rim", RIM)


class Contacts(PageCase):
    def test_contact_points_and_arrows_come_and_go_with_contact(self):
        page = self.open("ball")
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
        page = self.open("gripper")
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
        page = self.open("bottle")
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
        page = self.open("area")
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
        page = self.open("rim")
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
        page = self.open("egg")
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
        page = self.open("ball")
        self.assertFalse(page.evaluate("Boolean(document.querySelector('[data-tab=Contacts]'))"))

    def test_events_are_ticks_and_a_list_to_jump_by(self):
        page = self.open("ball")
        self.assertEqual(4, page.evaluate("document.querySelectorAll('#ticks i').length"))
        page.click("[data-tab=Events]")
        page.click("#events li:nth-child(3) button")
        self.assertAlmostEqual(1.484, page.evaluate("carom.clock.time"), delta=1e-6)

    def test_reactions_of_joints_can_be_shown(self):
        page = self.open("dp")
        page.click("#tool-reactions")
        self.settle(page)
        self.assertEqual(2, page.evaluate("carom.view.layers[0].forces.arrows.count"))


if __name__ == "__main__":
    run_tests()
