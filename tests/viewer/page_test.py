"""The page, driven in headless Chromium as a person would: what is on the screen counts.

    python3 page_test.py <carom> <contact_run>
"""

import json
import time

from page_case import PAGES, PageCase, near, run_tests


class Playing(PageCase):
    def test_opens_playing_with_title_status_and_bodies(self):
        page = self.open("dp", still=False)
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
        page = self.open("dp")
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
        page = self.open("dp")
        page.key("ArrowRight")
        self.assertAlmostEqual(0.01, page.evaluate("carom.clock.time"), delta=1e-9)
        page.key("End")
        self.assertAlmostEqual(4, page.evaluate("carom.clock.time"), delta=1e-9)
        before = page.evaluate("carom.clock.speed")
        page.key("-")
        self.assertLess(page.evaluate("carom.clock.speed"), before)

    def test_plays_on_to_the_frame_that_the_result_has(self):
        page = self.open("dp")
        page.evaluate("carom.clock.seek(2)")
        row = json.loads(page.evaluate(
            "JSON.stringify(['x','y','z'].map((c) => carom.plots.runs[0].column('lower.position.' + c)[200]))"))
        at = page.evaluate("(carom.view.update(), carom.view.layers[0].motion.bodies[1].p.toArray())")
        for a, b in zip(row, at):
            self.assertAlmostEqual(a, b, delta=1e-6)


class Selecting(PageCase):
    def test_a_click_on_a_body_colours_it_and_shows_its_values(self):
        page = self.open("ball")
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
        page = self.open("ball")
        page.evaluate("carom.view.select(1)")
        left, top, _, _ = page.rect("#stage")
        page.click_at(left + 8, top + 8)
        self.assertEqual(-1, page.evaluate("carom.view.selected"))

    def test_following_keeps_the_body_in_its_place(self):
        page = self.open("dp")
        page.evaluate("carom.view.select(1)")
        page.key("f")
        before = page.evaluate("(carom.view.update(), carom.view.followed.clone().project(carom.view.stage.camera).toArray())")
        page.evaluate("carom.clock.seek(1.7)")
        self.settle(page)
        after = page.evaluate("carom.view.followed.clone().project(carom.view.stage.camera).toArray()")
        self.assertAlmostEqual(before[0], after[0], delta=1e-3)
        self.assertAlmostEqual(before[1], after[1], delta=1e-3)


class Reading(PageCase):
    def test_a_channel_is_plotted_by_its_name(self):
        page = self.open("dp")
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
        page = self.open("dp")
        before = page.evaluate("document.querySelectorAll('.plot').length")
        page.click("#channel")
        page.type("no.such.thing")
        page.key("Enter")
        self.assertEqual(before, page.evaluate("document.querySelectorAll('.plot').length"))
        self.assertTrue(page.evaluate("document.getElementById('channel').classList.contains('wrong')"))

    def test_forces_are_shown_with_their_peaks(self):
        page = self.open("ball")
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
        page = self.open("ball")
        page.click("[data-tab=Summary]")
        self.assertIn("ledger closes to", page.evaluate("document.getElementById('summary').innerText"))
        page.click("[data-tab=Scene]")
        text = page.evaluate("document.getElementById('scene').innerText")
        self.assertIn("</script><b>not markup</b>", text)
        self.assertIn("sphere: {radius: 0.1}", text)

    def test_two_runs_lie_over_each_other_in_colours(self):
        page = self.open("both")
        self.assertEqual(2, page.evaluate("carom.view.layers.length"))
        text = page.evaluate("document.getElementById('runs').innerText")
        self.assertIn("dp.h5", text)
        self.assertIn("other.h5", text)
        self.assertGreaterEqual(page.evaluate("document.querySelectorAll('.plot:first-child .key').length"), 4)


class Exporting(PageCase):
    def wait_for_file(self, name):
        path = PAGES.folder / name
        for _ in range(300):
            if path.exists() and path.stat().st_size:
                return path.read_bytes()
            time.sleep(0.1)
        self.fail(f"{name} was not saved")

    def test_picture_and_glb_are_saved(self):
        page = self.open("dp")
        page.downloads_to(PAGES.folder)
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
        page = self.open("dp", dark=True)
        picture, box = self.stage(page)
        self.assertLess(sum(picture.pixel(int(box[0]) + 20, int(box[1]) + 20)), 150)
        page.click("#tool-theme")
        picture, box = self.stage(page)
        self.assertGreater(sum(picture.pixel(int(box[0]) + 20, int(box[1]) + 20)), 600)

    def test_cut_and_wireframe_change_the_picture(self):
        page = self.open("ball")
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
        page = self.open("ball")
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
        page = self.open("dp", width=390, height=844, touch=True)
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
    run_tests()
