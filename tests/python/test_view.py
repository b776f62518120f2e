"""Results made visible from Python."""

import pathlib
import tempfile
import unittest

import carom

SCENE = """
carom: 1
name: Pendulum
bodies:
  rod: {material: steel, shapes: [{cylinder: {radius: 0.01, length: 0.6}, at: [0, 0, -0.3], axis: z}],
        joint: {revolute: {axis: y}, name: pivot, q: 1}}
run: {until: 1}
"""


class View(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.result = carom.parse(SCENE).run()

    def test_a_result_is_a_page(self):
        page = self.result.page()
        self.assertIn("<title>Pendulum</title>", page)
        self.assertIn('class="carom-run"', page)

    def test_a_notebook_shows_the_page_in_a_frame(self):
        html = self.result._repr_html_()
        self.assertTrue(html.startswith("<iframe"))
        inside = html[html.index('srcdoc="') + 8:html.rindex('"')]
        self.assertNotIn('"', inside)  # nothing ends the attribute early

    def test_channels_become_a_figure(self):
        figure = self.result.plot("pivot.q", "rod.position")
        self.assertEqual(4, figure._repr_svg_().count('class="series"'))
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "f.png"
            figure.save(str(path))
            self.assertTrue(path.read_bytes().startswith(b"\x89PNG"))
        with self.assertRaises(KeyError):
            self.result.plot("no.such")


if __name__ == "__main__":
    unittest.main()
