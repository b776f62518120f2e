"""What every source file has to be: one idea long, finished, and opened by what it is.

    python3 sources_test.py <source folder>
"""

import pathlib
import re
import sys
import unittest

LONGEST = 450  # lines; the aim is 50 to 250
UNFINISHED = re.compile(r"\b(?:TO" r"DO|FIX" r"ME|HA" r"CK)\b")
# Two parameters that are plain integers, one after the other, but for two of one kind: "int a, int b".
TWO_INDICES = re.compile(r"\bint (?!a,\s*int b\b)(\w+),\s*(?:const )?int (\w+)\b")
NO_INDEX = {("width", "component")}
TEXT = {".h", ".cpp", ".py", ".cmake", ".yaml", ".sh", ".txt", ".md"}
CODE_FOLDERS = ["src", "apps", "tests", "benchmarks", "cmake", "scripts", "examples", "docs"]


def files(folders, suffixes):
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in suffixes and "node_modules" not in path.parts and path.is_file():
                yield path


class Sources(unittest.TestCase):
    def test_no_file_is_longer_than_one_idea(self):
        long = {
            str(path.relative_to(ROOT)): count
            for path in files(["src", "apps", "tests", "benchmarks", "scripts"], {".h", ".cpp", ".py", ".js", ".sh"})
            if (count := len(path.read_text().splitlines())) > LONGEST
        }
        self.assertEqual({}, long)

    def test_nothing_is_marked_as_unfinished(self):
        marked = [
            f"{path.relative_to(ROOT)}:{number}"
            for path in files(CODE_FOLDERS, TEXT)
            for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1)
            if UNFINISHED.search(line)
        ]
        self.assertEqual([], marked)

    def test_headers_are_included_once_and_say_what_they_are(self):
        for path in files(["src"], {".h"}):
            text = path.read_text()
            self.assertIn("#pragma once", text, path)
            self.assertTrue(text.startswith("//"), f"{path}: opens with what it is")

    def test_no_call_can_confuse_two_indices(self):
        """Plain integers have no kind (docs/decisions/ids.md): no function takes two of different kinds."""
        found = [
            f"{path.relative_to(ROOT)}: {match[0]}"
            for path in files(["src/carom/engine", "src/carom/simulation"], {".h", ".cpp"})
            for match in TWO_INDICES.finditer(path.read_text())
            if match.groups() not in NO_INDEX
        ]
        self.assertEqual([], found)

    def test_every_mutation_finds_what_it_is_to_break(self):
        """A source that is rewritten takes its mutants along, or `make mutate` ends before it begins.

        As there, each is looked for behind those that stand before it in the list."""
        lost, texts = [], {}
        for line in (ROOT / "scripts/mutations.txt").read_text().splitlines():
            if not line.strip() or line.startswith("#"):
                continue
            row, file, old, new = (part.strip() for part in line.split(" | "))
            text = texts.setdefault(file, (ROOT / "src/carom" / file).read_text())
            if old not in text or old == new:
                lost.append(f"{row}: {file} has no '{old}'")
            texts[file] = text.replace(old, new, 1)
        self.assertEqual([], lost)


class Checker(unittest.TestCase):
    def test_sees_two_indices(self):
        self.assertTrue(TWO_INDICES.search("void put(const Model& m, int body,\n  int joint);"))
        self.assertFalse(TWO_INDICES.search("bool joins(int a, int b) const;"))
        self.assertFalse(TWO_INDICES.search("void put(const Model& m, int body, double q);"))

    def test_sees_the_marks_of_unfinished_work(self):
        self.assertTrue(UNFINISHED.search("// TO" "DO: later"))
        self.assertFalse(UNFINISHED.search("method to do it"))


if __name__ == "__main__":
    ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main(verbosity=2)
