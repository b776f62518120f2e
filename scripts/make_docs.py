#!/usr/bin/env python3
"""Makes the documentation a site of plain HTML files, to be opened or served from anywhere.

    scripts/make_docs.py [--carom build/carom] [--into build/docs]

The pages are README.md, docs/**/*.md, CONTRIBUTING.md and CHANGELOG.md; the scene reference is
made from the command's schema. A link that leads nowhere is an error.
"""

import argparse
import html
import json
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts/site"))

from markdown import convert  # noqa: E402
from reference import reference  # noqa: E402

# What stands where in the navigation; pages that are not named come last.
SECTIONS = [
    ("Start", ["README.md", "docs/first-steps.md", "docs/tutorial.md", "docs/demos.md", "docs/seeing.md"]),
    ("Scenes", ["docs/scene.md", "docs/shapes.md", "docs/shape-kinds.md", "docs/joints.md", "docs/joint-kinds.md",
                "docs/forces.md", "docs/signals-and-events.md", "docs/integrators.md", "docs/studies.md", "docs/sweeps.md"]),
    ("Contact", ["docs/contact.md", "docs/choosing-contact.md", "docs/contact-laws.md", "docs/elastic-contact.md",
                 "docs/normal-laws.md",
                 "docs/friction-laws.md", "docs/idealised-surfaces.md", "docs/smooth-surfaces.md"]),
    ("Reference", ["docs/reference.md", "docs/command.md", "docs/python.md", "docs/conventions.md"]),
    ("Inside", ["docs/architecture.md", "docs/adding.md", "docs/verification.md", "docs/benchmarks.md", "CONTRIBUTING.md", "CHANGELOG.md"]),
]


class Site:
    def __init__(self, carom, into):
        self.into, self.broken = into, []
        self.texts = {}
        for path in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]:
            self.texts[str(path.relative_to(ROOT))] = path.read_text()
        schema = subprocess.run([carom, "schema"], check=True, capture_output=True, text=True).stdout
        self.texts["docs/reference.md"] = reference(json.loads(schema))
        self.titles = {page: title_of(text) for page, text in self.texts.items()}
        self.titles["README.md"] = "Carom"
        self.sections = self.arrange()
        self.order = [page for _, pages in self.sections for page in pages]

    def arrange(self):
        named = [page for _, pages in SECTIONS for page in pages]
        rest = [page for page in self.texts if page not in named]
        more = [("More", [page for page in rest if "decisions/" not in page]),
                ("Decisions", [page for page in rest if "decisions/" in page])]
        wanted = [(name, [page for page in pages if page in self.texts]) for name, pages in SECTIONS]
        return [(name, pages) for name, pages in wanted + more if pages]

    @staticmethod
    def address(page):
        if page == "README.md":
            return "index.html"
        return page.removeprefix("docs/").removesuffix(".md").lower() + ".html"

    def way(self, page, other):
        """From one page to another, as a relative address."""
        return os.path.relpath(self.address(other), os.path.dirname(self.address(page)) or ".")

    def link(self, page):
        def lead(target):
            if ":" in target.split("/")[0]:
                return target
            name, _, place = target.partition("#")
            if not name:
                return target
            path = os.path.normpath(os.path.join(os.path.dirname(page), name))
            if path in self.texts:
                return self.way(page, path) + (f"#{place}" if place else "")
            if path.startswith("docs/pictures/") and (ROOT / path).exists():
                return os.path.relpath(path.removeprefix("docs/"), os.path.dirname(self.address(page)) or ".")
            if not (ROOT / path).exists():
                self.broken.append(f"{page}: {target}")
            return None  # a file of the repository that is no page: its name is enough
        return lead

    def navigation(self, page):
        parts = [f'<a class="home" href="{self.way(page, "README.md")}">Carom</a>']
        for name, pages in self.sections:
            items = "".join(
                f'<li><a href="{self.way(page, other)}"{" aria-current=page" if other == page else ""}>'
                f"{html.escape(self.titles[other])}</a></li>" for other in pages)
            parts.append(f"<h2>{name}</h2><ul>{items}</ul>")
        return "\n".join(parts)

    def neighbours(self, page):
        at = self.order.index(page)
        before = self.order[at - 1] if at else None
        after = self.order[at + 1] if at + 1 < len(self.order) else None
        def words(other, mark):
            return f'<a href="{self.way(page, other)}">{mark.format(html.escape(self.titles[other]))}</a>' if other else "<span></span>"
        return f'<div class="neighbours">{words(before, "← {}")}{words(after, "{} →")}</div>'

    def write(self, page):
        body, headings = convert(self.texts[page], self.link(page))
        parts = [(name, place) for level, name, place in headings if level == 2]
        if len(parts) > 5:
            toc = "".join(f'<li><a href="#{place}">{html.escape(name)}</a></li>' for name, place in parts)
            body = body.replace("</h1>", f'</h1>\n<ul class="toc">{toc}</ul>', 1)
        style = os.path.relpath("site.css", os.path.dirname(self.address(page)) or ".")
        file = self.into / self.address(page)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(
            '<!doctype html><html lang="en"><head><meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">'
            f"<title>{html.escape(self.titles[page])}</title><link rel=\"stylesheet\" href=\"{style}\"></head>\n"
            f"<body><nav aria-label=\"Pages\">{self.navigation(page)}</nav>\n<main>{body}\n{self.neighbours(page)}</main></body></html>\n")

    def make(self):
        shutil.rmtree(self.into, ignore_errors=True)
        self.into.mkdir(parents=True)
        shutil.copy(ROOT / "scripts/site/site.css", self.into)
        if (ROOT / "docs/pictures").exists():
            shutil.copytree(ROOT / "docs/pictures", self.into / "pictures")
        for page in self.texts:
            self.write(page)
        if self.broken:
            sys.exit("links that lead nowhere:\n  " + "\n  ".join(self.broken))


def title_of(text):
    return text.split("\n", 1)[0].lstrip("# ").replace("`", "")


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--carom", type=pathlib.Path, default=ROOT / "build/carom")
    words.add_argument("--into", type=pathlib.Path, default=ROOT / "build/docs")
    options = words.parse_args()
    site = Site(options.carom.resolve(), options.into)
    site.make()
    print(f"{len(site.texts)} pages: open {options.into / 'index.html'}")


if __name__ == "__main__":
    main()
