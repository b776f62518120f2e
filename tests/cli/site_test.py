"""The documentation as a site: it is made, its links lead somewhere, and every row of every
catalogue and every demo has its place and its picture in it."""

import html.parser
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

CAROM, SOURCE = sys.argv[1], pathlib.Path(sys.argv[3]).resolve()
sys.path.insert(0, str(SOURCE / "scripts/site"))

from markdown import convert  # noqa: E402


class Reader(html.parser.HTMLParser):
    """Links, pictures and anchors of a page; open elements must be closed in order."""

    def __init__(self, text):
        super().__init__()
        self.links, self.ids, self.open, self.wrong = [], set(), [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        self.links += [found[key] for key in ("href", "src") if found.get(key)]
        self.ids.add(found.get("id"))
        if tag not in ("meta", "link", "img", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)


class Site(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.holder = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.holder.name) / "site"
        words = [sys.executable, SOURCE / "scripts/make_docs.py", "--carom", CAROM, "--into", cls.folder]
        done = subprocess.run(words, capture_output=True, text=True, timeout=300)
        if done.returncode:
            raise AssertionError(done.stdout + done.stderr)
        cls.pages = {path: Reader(path.read_text()) for path in cls.folder.rglob("*.html")}

    @classmethod
    def tearDownClass(cls):
        cls.holder.cleanup()

    def test_every_document_is_a_page_and_is_well_formed(self):
        self.assertGreaterEqual(len(self.pages), len(list((SOURCE / "docs").rglob("*.md"))) + 4)
        for path, page in self.pages.items():
            self.assertEqual(([], []), (page.wrong, page.open), path)

    def test_every_link_leads_to_a_page_and_a_place_in_it(self):
        broken, count = [], 0
        for path, page in self.pages.items():
            for link in page.links:
                name, _, place = link.partition("#")
                if ":" in name:
                    continue
                count += 1
                target = (path.parent / name).resolve() if name else path
                if not target.exists() or (place and place not in self.pages[target].ids):
                    broken.append(f"{path.name}: {link}")
        self.assertEqual([], broken)
        self.assertGreater(count, 1000)

    def test_nothing_is_fetched_from_elsewhere(self):
        for path in self.pages:
            text = path.read_text()
            self.assertNotRegex(text, r"<script|src=\"https?:|@import", path)

    def test_the_reference_has_a_table_for_every_map_of_the_schema(self):
        schema = json.loads(subprocess.run([CAROM, "schema"], capture_output=True, check=True).stdout)
        text = (self.folder / "reference.html").read_text()
        for name, definition in schema["$defs"].items():
            for field in definition.get("properties", {}):
                self.assertIn(f"<code>{field}</code>", text, f"{name}.{field}")
            if "." in name:
                self.assertIn(f">{name}</h3>", text)


class Catalogues(unittest.TestCase):
    """What a section has to say about a row; `none` needs less."""

    def sections(self, page, mark):
        text = (SOURCE / "docs" / page).read_text()
        return {part.split("\n", 1)[0].strip(): part for part in re.split(rf"^{mark} ", text, flags=re.M)[1:]}

    def check(self, catalogue, page, mark, needed, prefix=""):
        rows = json.loads(subprocess.run([CAROM, "list", catalogue, "--json"], capture_output=True, check=True).stdout)
        sections = self.sections(page, mark)
        for row in rows:
            name = prefix + row["name"]
            self.assertIn(name, sections, f"docs/{page} has no section '{name}'")
            for words in needed:
                self.assertIn(words, sections[name], f"docs/{page}, section {name}")
            if row["name"] != "custom":  # from programs only: there is no scene to photograph
                self.assertIn("](pictures/", sections[name], f"docs/{page}, section {name}")

    def test_every_normal_law(self):
        self.check("normal", "normal-laws.md", "##", ["**Source**", "**Limits**", "**Choose it**"])

    def test_every_friction_law(self):
        self.check("friction", "friction-laws.md", "##", ["**Source**", "**Limits**", "**Choose it**"])

    def test_every_resistance(self):
        self.check("resistance", "friction-laws.md", "###", ["**Choose it**"], prefix="resistance: ")

    def test_every_shape(self):
        self.check("shapes", "shape-kinds.md", "##", ["**Contact**", "**Limits**", "**Choose it**"])

    def test_every_joint(self):
        self.check("joints", "joint-kinds.md", "##", ["**Limits**", "**Choose it**"])

    def test_every_demo(self):
        text = (SOURCE / "docs/demos.md").read_text()
        for scene in sorted((SOURCE / "examples").glob("*.yaml")):
            self.assertIn(f"(pictures/demo_{scene.stem}.jpg)", text)

    def test_pictures_are_small(self):
        for path in (SOURCE / "docs/pictures").iterdir():
            self.assertLess(path.stat().st_size, 100_000 if "page_" in path.name else 60_000, path)


class Markdown(unittest.TestCase):
    def html(self, text):
        return convert(text, lambda target: target)[0]

    def test_code_is_left_alone(self):
        self.assertEqual("<p><code>a*b*c &lt;d&gt; [x](y)</code></p>", self.html("`a*b*c <d> [x](y)`"))

    def test_markup_of_others_is_shown_not_obeyed(self):
        self.assertEqual("<p>&lt;script&gt;</p>", self.html("<script>"))

    def test_emphasis_links_and_pictures(self):
        self.assertEqual('<p><strong>a</strong> <em>b</em> <a href="c.md#d">e <code>f</code></a></p>',
                         self.html("**a** *b* [e `f`](c.md#d)"))
        self.assertIn('<img src="p.jpg" alt="a ball"', self.html("![a ball](p.jpg)"))
        self.assertEqual("<p>2 * 3 * 4</p>", self.html("2 * 3 * 4"))

    def test_tables_keep_bars_in_code(self):
        self.assertIn("<td><code>a|b</code></td><td>c</td>", self.html("| x | y |\n|---|---|\n| `a|b` | c |"))

    def test_blocks(self):
        text = self.html("# A B\n\n- one\n  more\n- two\n\n```yaml\nkey: 1  # why\n```\n\n1. x")
        self.assertIn('<h1 id="a-b">A B</h1>', text)
        self.assertIn("<li>one more</li>\n<li>two</li>", text)
        self.assertIn("<b>key</b>: 1 <i> # why</i>", text)
        self.assertIn("<ol><li>x</li>", text)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
