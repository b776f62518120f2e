"""What the documents say about the repository has to be true.

    python3 documents_test.py <source folder>
"""

import pathlib
import re
import sys
import unittest


def pages():
    found = sorted(ROOT.glob("*.md")) + sorted((ROOT / "docs").rglob("*.md"))
    return found + sorted((ROOT / "benchmarks").glob("*.md"))


def without_code(text):
    return re.sub(r"```.*?```", "", text, flags=re.S)


def anchor(heading):
    """GitHub's rule: lower case, punctuation dropped, spaces become hyphens."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def anchors(path):
    headings = re.findall(r"^#+ (.+)$", without_code(path.read_text()), re.M)
    return {anchor(heading) for heading in headings}


class Links(unittest.TestCase):
    def test_every_relative_link_leads_somewhere(self):
        broken, count = [], 0
        for page in pages():
            for target in re.findall(r"\]\(([^)\s]+)\)", without_code(page.read_text())):
                if re.match(r"[a-z]+:", target):
                    continue
                count += 1
                name, _, place = target.partition("#")
                file = (page.parent / name).resolve() if name else page
                if not file.exists() or (place and place not in anchors(file)):
                    broken.append(f"{page.relative_to(ROOT)}: {target}")
        self.assertEqual([], broken)
        self.assertGreater(count, 20)


class NamedThings(unittest.TestCase):
    def test_every_test_that_a_page_names_exists(self):
        sources = "\n".join(path.read_text() for path in (ROOT / "tests").rglob("*_test.cpp"))
        suites = set(re.findall(r"TEST(?:_[FP])?\((\w+), \w+\)", sources))
        names = set(re.findall(r"TEST(?:_[FP])?\(\w+, (\w+)\)", sources))
        full = {f"{s}.{n}" for s, n in re.findall(r"TEST(?:_[FP])?\((\w+), (\w+)\)", sources)}
        readme = (ROOT / "README.md").read_text().split("## What is verified")[1].split("\n## ")[0]
        for row in readme.splitlines():
            for word in re.findall(r"`(\w+)`", row.split("|")[-2]) if row.startswith("| ") else []:
                self.assertTrue(word in suites or word in names, f"README.md names '{word}'")
        for page in pages():
            for word in re.findall(r"`([A-Z]\w+\.[A-Z]\w+)`", page.read_text()):
                self.assertIn(word, full, page)

    def test_every_source_file_that_a_page_names_exists(self):
        wrong = []
        for page in pages():
            for name in re.findall(r"`([\w/]+/[\w*]+\.(?:h|cpp|py|txt|cmake))`", page.read_text()):
                places = [ROOT / name, ROOT / "src/carom" / name, page.parent / name]
                if "*" not in name and not any(place.exists() for place in places):
                    wrong.append(f"{page.relative_to(ROOT)}: {name}")
        self.assertEqual([], wrong)


    def test_every_case_and_demo_that_a_page_names_exists(self):
        folders = {"verify --case": "verification", "demo": "examples"}
        wrong, count = [], 0
        for page in pages():
            for command, name in re.findall(r"`carom (verify --case|demo) ([a-z]\w*)", page.read_text()):
                count += 1
                if not (ROOT / folders[command] / f"{name}.yaml").exists():
                    wrong.append(f"{page.relative_to(ROOT)}: carom {command} {name}")
        self.assertEqual([], wrong)
        self.assertGreater(count, 40)


    def test_the_cases_of_a_document_are_those_its_section_names(self):
        """So `carom verify --source NAME` runs what the page shows of it, and nothing else."""
        names = {"Otter": "otter", "Modia3D": "modia3d", "Oestersötebier": "oestersoetebier",
                 "Moisio": "moisio", "Kossenko": "kossenko"}
        tests = "\n".join(path.read_text() for path in (ROOT / "tests").rglob("*_test.cpp"))
        suites = set(re.findall(r"TEST(?:_[FP])?\((\w+), \w+\)", tests))
        named, carried = {}, {}
        for section in (ROOT / "docs/sources.md").read_text().split("\n## ")[1:]:
            document = next(value for key, value in names.items() if section.startswith(key))
            named[document] = set(re.findall(r"`carom verify --case (\w+)`", section))
            rows = [line for line in section.splitlines() if line.startswith("| ")][1:]
            for row in rows:
                self.assertEqual(4, len(re.findall(r"(?<!\\)\|", row)), row)
                self.assertTrue("".join(row.split("|")[2:4]).strip(), f"neither place nor reason: {row}")
                for suite in re.findall(r"`([A-Z]\w+)`", row.split("|")[3]):
                    self.assertIn(suite, suites, row)
        for file in (ROOT / "verification").glob("*.yaml"):
            found = re.search(r"^documents: \[(.*)\]$", file.read_text(), re.M)
            for document in found.group(1).split(", ") if found else []:
                carried.setdefault(document, set()).add(file.stem)
        self.assertEqual(set(names.values()), set(named))
        for document in named:
            self.assertEqual(named[document], carried[document], document)


class Figures(unittest.TestCase):
    def test_the_walk_of_one_contact_counts_files_that_are_there(self):
        """`name` is one file of the folder named last, `name` (2) a header and its source."""
        page = (ROOT / "docs/architecture.md").read_text()
        walk = page.split("### The walk of one contact")[1].split("\n### ")[0]
        roots = [ROOT / "src/carom", ROOT, ROOT / "apps/viewer"]
        lost, total = [], 0
        for said, cell in re.findall(r"^\| [^|]*, (\d+) \| (.*) \|$", walk, re.M):
            folder, count = "", 0
            for group in cell.split("; "):
                for name, is_folder, both in re.findall(r"`([\w/.]+)`(:)?( \(2\))?", group):
                    if is_folder:
                        folder = name
                        continue
                    count += 2 if both else 1
                    ends = [".h", ".cpp"] if both else ["", ".h", ".cpp"]
                    found = [(root / below / (name + end)).exists() for root in roots for below in (folder, "") for end in ends]
                    if sum(found) < (2 if both else 1):
                        lost.append(folder + name)
            self.assertEqual(int(said), count, cell)
            total += count
        self.assertEqual([], lost)
        self.assertIn(f"passes through {total} files", walk)

    def test_the_peers_in_the_readme_are_those_of_the_benchmarks(self):
        """The median of Carom, and of the faster way to call each peer, in every model."""
        benchmarks = (ROOT / "docs/benchmarks.md").read_text()
        section = benchmarks.split("### Forward dynamics")[1].split("\n### ")[0]
        expected = {}
        for model in re.split(r"^\*\*", section, flags=re.M)[1:]:
            title = model.split("**")[0]
            for row in re.findall(r"^\| (\w[^|]*) \| [^|]+ \| ([\d.]+) \|", model, re.M):
                engine = row[0].replace(" (fastest)", "").strip()
                best = expected.setdefault(engine, {})
                best[title] = min(float(row[1]), best.get(title, float("inf")))
        lines = (ROOT / "README.md").read_text().split("Forward dynamics (")[1].split("\n## ")[0]
        rows = [[cell.strip() for cell in line.strip("|").split("|")]
                for line in lines.splitlines() if line.startswith("|")]
        shown = {row[0]: dict(zip(rows[0][1:], map(float, row[1:]), strict=True)) for row in rows[2:]}
        self.assertEqual(expected, shown)


if __name__ == "__main__":
    ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main(verbosity=2)
