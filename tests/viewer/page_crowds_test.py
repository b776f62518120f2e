"""Many bodies on the page: without a graphics card they are one mesh, coarser while it moves.

    python3 page_crowds_test.py <carom> <contact_run>
"""

from page_case import PAGES, PageCase, run_tests

SIDE = 18


def crowd():
    lines = ["carom: 1", "name: Crowd", "contact: off", "bodies:"]
    for i in range(SIDE ** 2):
        place = f"[{0.5 * (i % SIDE)}, {0.5 * (i // SIDE)}, 0]"
        lines.append(f"  b{i}: {{material: steel, shapes: [{{sphere: {{radius: 0.15}}}}], position: {place}, velocity: [0, 0, 2]}}")
    return "\n".join([*lines, "run: {until: 0.4, output: {step: 0.02}}"])


PAGES.add_scene("crowd", crowd())


class Crowds(PageCase):
    def test_each_copy_is_where_the_result_says(self):
        page = self.open("crowd")
        page.evaluate("carom.clock.seek(0.2)")
        self.settle(page)
        # The middle of a ball's vertices is its centre: it has been thrown up with 2 m/s.
        middle = """(() => {const {copies} = carom.view.layers[0].bodies.parts[0], n = copies.vertices, out = [0, 0, 0];
            const {array} = copies.object.geometry.attributes.position;
            for (let i = 0; i < 3 * n; ++i) out[i %% 3] += array[3 * n * %d + i] / n;
            return out; })()"""
        height = 2 * 0.2 - 0.5 * 9.81 * 0.2 ** 2
        for index in (0, 100, SIDE ** 2 - 1):
            x, y, z = page.evaluate(middle % index)
            # Columns have 24 bits of their range (9 m), vertices are single precision.
            self.assertAlmostEqual(0.5 * (index % SIDE), x, delta=1e-5)
            self.assertAlmostEqual(0.5 * (index // SIDE), y, delta=1e-5)
            self.assertAlmostEqual(height, z, delta=1e-5)

    def test_a_click_finds_and_colours_one_of_many(self):
        page = self.open("crowd")
        index = SIDE * SIDE // 2 + SIDE // 2
        page.click_at(*page.evaluate(f"carom.view.locate({index})"))
        self.assertEqual(index, page.evaluate("carom.view.selected"))
        picture, (_, _, width, _) = self.stage(page)
        pink = lambda x, y: (lambda c: c[0] > c[1] + 60 and c[2] > c[1])(picture.pixel(int(x), int(y)))  # noqa: E731
        x, y = page.evaluate(f"carom.view.locate({index})")
        self.assertTrue(any(pink(x + dx, y + dy) for dx in (-5, 0, 5) for dy in (-4, 4)), "the selected body has its colour")
        x, y = page.evaluate(f"carom.view.locate({index + 2})")
        self.assertFalse(pink(x, y), "another body has not")

    def test_moving_pictures_have_fewer_triangles_than_those_at_rest(self):
        page = self.open("crowd")
        self.settle(page)
        triangles = "carom.view.stage.renderer.info.render.triangles"
        rest = page.evaluate(triangles)
        page.click("#play")
        page.wait(f"{triangles} < {rest} / 3")
        page.click("#play")
        self.settle(page)
        self.assertEqual(rest, page.evaluate(triangles))

    def test_leaving_out_what_faces_away_leaves_the_picture_as_it_is(self):
        page = self.open("crowd")
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


if __name__ == "__main__":
    run_tests()
